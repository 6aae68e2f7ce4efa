"""Operators of independent rolls, as `exactdice.dice.distribution` defines them."""

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from exactdice.dice.lattice import whole

if TYPE_CHECKING:
    from exactdice.dice.distribution import Distribution


class Operators:
    """What ``+``, ``<``, ``@`` and the others mean; a distribution says how rolls are combined."""

    __slots__ = ()

    if TYPE_CHECKING:

        def with_other(self, other: Any, combine: Callable[[Any, Any], Any]) -> "Distribution[Any]":
            """Combine a roll with an independent one."""

    def __add__(self, other: Any) -> "Distribution[Any]":
        return self.with_other(other, operator.add)

    __radd__ = __add__

    def __sub__(self, other: Any) -> "Distribution[Any]":
        return self.with_other(other, operator.sub)

    def __rsub__(self, other: Any) -> "Distribution[Any]":
        return self.with_other(other, lambda x, y: y - x)

    def __mul__(self, other: Any) -> "Distribution[Any]":
        return self.with_other(other, operator.mul)

    __rmul__ = __mul__

    def __floordiv__(self, other: Any) -> "Distribution[Any]":
        return self.with_other(other, lambda x, y: whole(x // y))

    def __mod__(self, other: Any) -> "Distribution[Any]":
        return self.with_other(other, operator.mod)

    def __lt__(self, other: Any) -> "Distribution[bool]":
        return self.with_other(other, lambda x, y: bool(x < y))

    def __le__(self, other: Any) -> "Distribution[bool]":
        return self.with_other(other, lambda x, y: bool(x <= y))

    def __gt__(self, other: Any) -> "Distribution[bool]":
        return self.with_other(other, lambda x, y: bool(x > y))

    def __ge__(self, other: Any) -> "Distribution[bool]":
        return self.with_other(other, lambda x, y: bool(x >= y))
