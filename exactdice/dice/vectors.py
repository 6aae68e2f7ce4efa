"""Vectors as faces: tuples, named tuples and counters of whole numbers, added element by element.

The sum of n rolls is the n-th power of a polynomial with one variable per element (FLINT's
fmpz_mpoly): a face (2, 1) of weight w is the term :math:`w x^2 y`. Elements below 0 are shifted.
"""

from collections import Counter, namedtuple
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache
from math import comb
from operator import add, mul
from typing import Any

from exactdice.arithmetic import mpq
from exactdice.dice.distribution import Distribution
from exactdice.dice.weighted import homogeneous
from exactdice.errors import InputError
from exactdice.linked import linked
from exactdice.memory import stored_bytes
from exactdice.run import Run


class Symbols(Counter[Any]):
    """A counter that can be a face; missing symbols count 0. Do not change one."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset((symbol, n) for symbol, n in self.items() if n))


@lru_cache
def record(*names: str) -> Any:
    """Return a class of named tuples that can be pickled."""
    make: Any = namedtuple
    kind = make("Facts", names)
    kind.__reduce__ = lambda row: (_recorded, (names, tuple(row)))
    return kind


def _recorded(names: tuple[str, ...], values: tuple[Any, ...]) -> Any:
    return record(*names)(*values)


def _axes(faces: Collection[Any]) -> list[Any]:
    """Return the keys of mappings, or the indices of tuples of one type and length."""
    if all(isinstance(face, Mapping) for face in faces):
        return [*dict.fromkeys(key for face in faces for key in face)]
    shapes = {(type(face), len(face)) if isinstance(face, tuple) else None for face in faces}
    shape = shapes.pop()
    if shapes or not shape:
        raise TypeError
    return [*range(shape[1])]


def _like(face: Any, axes: list[Any], values: Iterable[Any]) -> Any:
    if isinstance(face, Mapping):
        return Symbols({axis: n for axis, n in zip(axes, values, strict=True) if n})
    return face._make(values) if hasattr(face, "_make") else tuple(values)


def _at(axis: Any, face: Any) -> Any:
    element = face[axis] if isinstance(face, tuple | Mapping) else face
    if not isinstance(element, int | mpq):
        raise TypeError
    return element


def elementwise(combine: Callable[[Any, Any], Any], *both: Any) -> Any:
    """Return a sum or difference of two vectors, or a multiple of a vector by a number."""
    vectors = [face for face in both if isinstance(face, tuple | Mapping)]
    axes = _axes(vectors)
    if len(vectors) != (1 if combine is mul else 2):
        raise TypeError
    values = [combine(*(_at(axis, face) for face in both)) for axis in axes]
    return _like(vectors[0], axes, values)


def vector_sum(die: Distribution[Any], counts: dict[int, int], run: Run) -> Distribution[Any]:
    """Return the distribution of the sum of as many rolls as `counts` says, with its weights."""
    try:
        first, most, axes = next(iter(die)), max(counts), _axes(die)
        faces = [[int(_at(axis, face)) for axis in axes] for face in die]
    except TypeError:
        wanted = "numbers, or tuples of whole numbers, all of one length"
        raise InputError("outcomes", [*die], wanted) from None
    bits = most * die.denominator.bit_length() + sum(counts.values()).bit_length()
    sums = comb(len(die) + most, most)
    run.require(stored_bytes(sums * len(axes), bits), f"the sum of {most} tuples or counters")
    low = [-min(0, *column) for column in zip(*faces, strict=True)]
    context = linked("flint:fmpz_mpoly_ctx").get([f"x{place}" for place in range(len(axes))], "lex")
    terms = {tuple(map(add, face, low)): w for face, w in zip(faces, die.values(), strict=True)}
    single, nothing = context.from_dict(terms), context.from_dict({tuple(low): die.denominator})
    by_number = [counts.get(n, 0) for n in range(most + 1)]
    total = homogeneous(by_number, single, nothing) * single**0
    weights: dict[Any, int] = {}
    for powers, weight in total.to_dict().items():
        face = [int(power) - most * n for power, n in zip(powers, low, strict=True)]
        weights[_like(first, axes, face)] = int(weight)
    return Distribution(weights)
