"""A replacement of numpy for browsers: rows of numbers, in lists.

It has the operations of Farkle's turns, of the book's models, and of their approximate values.
Integers are Python's own, so they do not overflow. Any other name can be imported, and raises an
error when it is used.
"""

import importlib
import math
import operator
import os
import sys
from itertools import repeat
from types import ModuleType


class Absent(ModuleType):
    """A library that is not here, or a name in it."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Absent(f"{self.__name__}.{name}")

    def __call__(self, *_, **__):
        """Say that it is missing."""
        raise ModuleNotFoundError(f"{self.__name__} is not here", name=self.__name__)

    def __getitem__(self, _):
        """Stand in the hint of a type."""
        return self

    __or__ = __ror__ = __getitem__


def _missing(what, *_):
    raise ModuleNotFoundError(f"{what} is not here", name="numpy")


def _items(value, size):
    if not isinstance(value, Array | list):
        return repeat(value, size)
    if len(items := getattr(value, "items", value)) != size:
        _missing("to spread a row over others")
    return items


def _each(operation):
    def applied(self, other):
        others = _items(other, len(self.items))
        return Array(list(map(operation, self.items, others)), self.width)

    return applied


class Array:
    """Numbers in a row, or in rows of one width; its parts are copies."""

    def __init__(self, items, width=0):
        self.items, self.width = items, width

    __add__ = __radd__ = _each(operator.add)
    __mul__ = __rmul__ = _each(operator.mul)
    __sub__, __truediv__ = _each(operator.sub), _each(operator.truediv)
    __eq__, __and__ = _each(operator.eq), _each(operator.and_)
    __lt__, __gt__ = _each(operator.lt), _each(operator.gt)
    __le__, __ge__ = _each(operator.le), _each(operator.ge)
    __rsub__ = __rtruediv__ = __neg__ = __invert__ = __or__ = __mod__ = __floordiv__ = _missing
    __lshift__ = __rshift__ = __pow__ = __bool__ = _missing
    __hash__ = None

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        _missing(name)

    def __len__(self):
        return len(self.items) // (self.width or 1)

    def __iter__(self):
        return iter(self.items) if not self.width else map(self.__getitem__, range(len(self)))

    def __matmul__(self, other):
        """Multiply a row with each of the rows."""
        return Array([sum(map(operator.mul, row.items, other.items)) for row in self])

    def _places(self, key):
        if not self.width:
            return _along(key, len(self))
        row, column = key if isinstance(key, tuple) else (key, slice(None))
        columns = _along(column, self.width)
        return [first * self.width + c for first in _along(row, len(self)) for c in columns]

    def __getitem__(self, key):
        if isinstance(key, int) and not self.width:
            return self.items[key]
        taken = [self.items[place] for place in self._places(key)]
        if isinstance(key, tuple) and all(isinstance(part, int) for part in key):
            return taken[0]
        return Array(taken, 0 if isinstance(key, tuple | int) else self.width)

    def __setitem__(self, key, value):
        places = self._places(key)
        for place, one in zip(places, _items(value, len(places)), strict=True):
            self.items[place] = one

    def copy(self):
        """Copy the numbers."""
        return Array(self.items[:], self.width)

    def ravel(self):
        """Put all rows into one."""
        return Array(self.items)

    def astype(self, _):
        """Give itself, whatever its numbers should be."""
        return self

    def tolist(self):
        """List the numbers, or the rows."""
        return list(self)

    def all(self):
        """Whether all are true."""
        return all(self.items)

    def nonzero(self):
        """Places of those that are not 0."""
        return (Array([place for place, one in enumerate(self.items) if one]),)


def _along(key, size):
    if isinstance(key, int):
        return (key,)
    if isinstance(key, slice):
        return range(*key.indices(size))
    places = key.items if isinstance(key, Array) else key
    is_mask = len(places) and isinstance(places[0], bool)
    return [place for place, is_in in enumerate(places) if is_in] if is_mask else places


class _Folded:
    def __init__(self, two, many):
        self._two, self._many = two, many

    def __call__(self, left, right):
        return Array(list(map(self._two, left.items, right.items)))

    def reduceat(self, numbers, starts):
        """Fold the numbers from each start to the next."""
        ends = [*starts, len(numbers)][1:]
        return Array([self._many(numbers.items[a:b]) for a, b in zip(starts, ends, strict=True)])


def _full(shape, value=0, *_, **__):
    if isinstance(shape, tuple) and len(shape) != 2:
        _missing("a block of rows")
    rows, width = shape if isinstance(shape, tuple) else (shape, 0)
    return Array([value] * (rows * (width or 1)), width)


def _made(numbers, *_, **__):
    items = list(numbers)
    if not all(isinstance(one, int | float) for one in items):
        _missing("a row of others")
    return Array(items)


def _where(condition, *sides):
    ones, others = (_items(side, len(condition)) for side in sides)
    chosen = zip(condition.items, ones, others, strict=True)
    return Array([one if is_one else other for is_one, one, other in chosen])


def _eye(size):
    return Array([1 - bool(place % (size + 1)) for place in range(size * size)], size)


def _inverse(matrix):
    """Invert by elimination, the greatest entry of a column first."""
    size = len(matrix)
    rows = [[*row.items, *unit.items] for row, unit in zip(matrix, _eye(size), strict=True)]
    for at in range(size):
        top = max(range(at, size), key=lambda row: abs(rows[row][at]))
        rows[at], rows[top] = rows[top], rows[at]
        if not rows[at][at]:
            raise ArithmeticError("a matrix without an inverse")
        rows[at] = [entry / rows[at][at] for entry in rows[at]]
        for row in {*range(size)} - {at}:
            factor = rows[row][at]
            if factor:
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[at], strict=True)]
    return Array([entry for row in rows for entry in row[size:]], size)


def stand_in():
    """Let numpy be imported as far as it is here, and what is named beside it and not there."""
    numpy, linear = Absent("numpy"), Absent("numpy.linalg")
    linear.inv, linear.LinAlgError = _inverse, ArithmeticError
    here = {"array": _made, "frombuffer": _made, "full": _full, "zeros": _full, "empty": _full}
    here |= {"maximum": _Folded(max, max), "add": _Folded(operator.add, sum), "where": _where}
    here |= {"eye": _eye, "linalg": linear, "float64": float}
    here["flatnonzero"] = lambda numbers: numbers.nonzero()[0]
    here["array_equal"] = lambda one, other: one.items == other.items
    here["isfinite"] = lambda numbers: Array([*map(math.isfinite, numbers.items)])
    vars(numpy).update(here)
    absent = {name: Absent(name) for name in ("numpy.typing", "sympy", "fcntl", "resource")}
    sys.modules.update({"numpy": numpy, "exactdice.native._solvers": None, **absent})
    os.environ["EXACTDICE_WITHOUT_GMPY2"] = "as in a browser"
    sys.modules["gmpy2"] = importlib.import_module("exactdice.without_gmpy2")
