"""A page of the book: one famous game, its variants, and what was printed about their values.

A `Page` holds facts; a `Variant` one set of rules, with the game as moves of `exactdice.models`.
Its `answer` is the value, exact or enclosed. Most variants are solved by `optimum`; one that is too
large for that brings its own `solve`, which is tested against `optimum` where both can answer.

A printed number is compared digit by digit, in as many digits as it was printed with: it is
*confirmed* if the value rounds to it, *confirmed, cut off* if the value begins with it, and
*corrected* else, or *of other rules* if the page says which. What enclosures leave open is *open*.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from exactdice.arithmetic import decimal, mpq, rational
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError
from exactdice.models import Game, Optimum, optimum
from exactdice.run import DEFAULT, Run


@dataclass(frozen=True)
class Printed:
    """A number that was printed: as it stands, by whom, and whose rules it belongs to."""

    number: str
    source: str
    belongs: str = ""  # the variant to whose rules it belongs, where that is another one

    def verdict(self, value: Enclosure) -> str:
        """Compare the number with the value.

        >>> Printed("0.33", "a guess").verdict(Enclosure(mpq(1, 3), mpq(1, 3)))
        'confirmed'
        >>> Printed("0.6666", "a guess").verdict(Enclosure(mpq(2, 3), mpq(2, 3)))
        'confirmed, cut off'
        >>> Printed("0.3", "a guess").verdict(Enclosure(mpq(2, 3), mpq(2, 3)))
        'corrected: 0.7'
        """
        if "/" in self.number:
            printed = rational(self.number)
            if printed in value:
                return "confirmed" if value.point is not None else "open"
            return self._refused("another fraction")
        places = len(self.number.partition(".")[2])
        ends = {decimal(end, places) for end in (value.lower, value.upper)}
        if ends == {self.number}:
            return "confirmed"
        cut = {decimal(_cut(end, places), places) for end in (value.lower, value.upper)}
        if cut == {self.number}:
            return "confirmed, cut off"
        return "open" if self.number in ends | cut else self._refused(" or ".join(sorted(ends)))

    def _refused(self, right: str) -> str:
        return f"of other rules: {self.belongs}" if self.belongs else f"corrected: {right}"


def _cut(number: mpq, places: int) -> mpq:
    """The number without its digits behind so many places, towards 0."""
    size = mpq(abs(number) * 10**places // 1, 10**places)
    return -size if number < 0 else size


@dataclass(frozen=True)
class Answer:
    """The value of one variant, and how it was found."""

    value: Enclosure
    method: str
    states: int
    ties: int | None = None  # states with several best choices; None where that is not known
    optimum: Optimum[Any] | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Variant:
    """One set of rules.

    Parameters
    ----------
    rules
        What is particular to them, in a line.
    game
        Makes the game.
    takes
        About how long it takes.
    printed
        Numbers that were printed of it.
    width
        Within how much the value is enclosed, where it is not exact.
    wins
        Whether the game's value v is a win less a loss, and the chance (1 + v) / 2 is asked for.
    solve
        Finds the answer where the general way would take too long; given a run and a width.
    """

    rules: str
    game: Callable[[], Game[Any]]
    takes: str = "a second"
    printed: tuple[Printed, ...] = ()
    width: str | None = None
    wins: bool = False
    solve: Callable[[Run, mpq | None], Answer] | None = None

    def answer(self, run: Run = DEFAULT, width: mpq | None = None) -> Answer:
        """Find the value, within `width` where that is given."""
        within = width or (rational(self.width) if self.width else None)
        if self.solve:
            return self.solve(run, within)
        best = optimum(self.game(), width=within, run=run)
        value = best.enclosure()
        if self.wins:
            value = Enclosure((1 + value.lower) / 2, (1 + value.upper) / 2)
        ties = len(best.several) if best.is_exact else None
        return Answer(value, best.method, len(best.model.states), ties, best)


@dataclass(frozen=True)
class Page:
    """A game of the book.

    Parameters
    ----------
    name
        What it is called on the command line.
    title
        What it is called.
    players
        How many play.
    asks
        What the value is.
    variants
        Sets of rules by their names, the first being what is meant where none is named.
    """

    name: str
    title: str
    players: str
    asks: str
    variants: Mapping[str, Variant]

    def variant(self, name: str | None = None) -> Variant:
        """Return a variant by its name; the first one where None.

        Raises
        ------
        InputError
            If there is none of that name.
        """
        if name is None:
            return next(iter(self.variants.values()))
        if name not in self.variants:
            raise InputError("variant", name, f"one of {', '.join(self.variants)}")
        return self.variants[name]
