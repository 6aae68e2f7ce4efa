r"""The sequence form of a game of two players who do not see all.

A *sequence* of a player is what that player knew and did so far; sequence 0 is to have done
nothing. Where a player comes to move is an *information set*: all places between which that player
cannot tell. With perfect recall each has one sequence that leads to it, its *parent*, and each of
its actions is a sequence of its own. A *plan* gives every sequence a weight, with

.. math:: x_0 = 1, \qquad x_{\text{parent}(h)} = \sum_a x_{h a} \quad\text{for all } h,

and the first player, whose payoff is counted, gets :math:`x^T A y` from plans x and y (von Stengel
1996). Here A holds whole numbers over one `denominator`, and plans whole numbers over one scale, so
that all sums are exact: in 64 bits where `bound`, which no partial sum of one plan against the
other's actions exceeds, says that they fit, and else in integers of any size.

Information sets are numbered by how many a player has passed before them, so that each is behind
its parent; the sequences of one are contiguous. What is said of all of them is an array of numpy.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from exactdice.arithmetic import RationalLike, mpq, mpz, over_common_denominator, rational, text
from exactdice.errors import InputError, Unquoted

Array: TypeAlias = Any
Strategy: TypeAlias = (
    "Mapping[Any, Mapping[Any, RationalLike]] | Callable[[Any], Mapping[Any, RationalLike]]"
)
"""What is known, to the chance of each action; as a mapping or a function."""

_WORD = 62  # bits that a sum may have in 64-bit integers


@dataclass(frozen=True, eq=False)
class Side:
    """The information sets and sequences of one player."""

    known: Sequence[Any]  # what the player knows in each information set
    actions: Sequence[Sequence[Any]]  # what can be done there
    parent: Array  # the sequence that leads to each
    first: Array  # the first sequence of each, and behind the last the number of sequences
    levels: Array  # the first information set of each depth, and behind the last their number

    @property
    def sequences(self) -> int:
        """How many sequences there are, the empty one among them."""
        return int(self.first[-1])

    @cached_property
    def owner(self) -> Array:
        """The information set of each sequence but the empty one."""
        return np.repeat(np.arange(len(self.parent)), np.diff(self.first))

    def ranges(self) -> Iterator[tuple[slice, slice, Array]]:
        """From the first level on: its information sets, its sequences, and where each begins."""
        for low, high in zip(self.levels[:-1], self.levels[1:], strict=True):
            begin, end = int(self.first[low]), int(self.first[high])
            yield slice(low, high), slice(begin, end), self.first[low:high] - begin

    def best_return(self, gains: Array) -> tuple[Array, Array]:
        """What each sequence brings when the player goes on in the best way, and each set.

        `gains` is what each sequence brings at the ends of play that follow it at once.
        """
        returns, values = gains.copy(), np.zeros(len(self.parent), dtype=gains.dtype)
        for sets, sequences, begins in reversed(list(self.ranges())):
            values[sets] = np.maximum.reduceat(returns[sequences], begins)
            np.add.at(returns, self.parent[sets], values[sets])
        return returns, values

    def is_plan(self, weights: Array) -> bool:
        """Whether no weight is negative and those of each set sum to its parent's."""
        if not len(self.parent):
            return bool(weights[0] >= 0)
        sums = np.add.reduceat(weights[1:], self.first[:-1] - 1)
        return bool((weights >= 0).all() and (sums == weights[self.parent]).all())


@dataclass(frozen=True, eq=False)
class RealizationPlan:
    """Weights of the sequences of one player: whole numbers over `scale`, that of sequence 0."""

    side: Side
    weights: Array

    @classmethod
    def of(cls, side: Side, strategy: Strategy, tolerance: RationalLike = 0) -> "RealizationPlan":
        """Weights of a strategy; see `guarantee` for what it has to be."""
        allowed = rational(tolerance, "tolerance")
        weights: list[mpq] = [mpq(1)] * side.sequences
        if isinstance(strategy, Mapping):
            known = set(side.known)
            for stray in strategy:
                if stray not in known:
                    raise InputError("strategy", stray, "what the player can know in this game")
            chosen: Callable[[Any], Any] = strategy.get
        else:
            chosen = strategy
        for place, known_here in enumerate(side.known):
            low, actions = int(side.first[place]), side.actions[place]
            before = weights[side.parent[place]]
            if not before:
                weights[low : low + len(actions)] = [mpq(0)] * len(actions)
                continue
            mixed = chosen(known_here)
            name = f"strategy({known_here!r})"
            if not isinstance(mixed, Mapping):
                raise InputError(name, mixed, f"chances of {_listed(actions)}")
            for action in mixed:
                if action not in actions:
                    raise InputError(name, action, f"one of {_listed(actions)}")
            chances = [rational(mixed.get(action, 0), f"{name}, {action!r}") for action in actions]
            total = sum(chances, mpq(0))
            if min(chances) < 0:
                raise InputError(name, Unquoted("chances below 0"), "chances that sum to 1")
            if abs(total - 1) > allowed or not total:
                raise InputError(name, Unquoted(f"a sum of {text(total)}"), "chances that sum to 1")
            weights[low : low + len(actions)] = [before * chance / total for chance in chances]
        whole, _ = over_common_denominator(weights)
        return cls(side, integers(whole))

    @property
    def scale(self) -> mpz:
        """The weight that stands for 1."""
        return mpz(int(self.weights[0]))

    def behaviour(self, place: int) -> dict[Any, mpq] | None:
        """How likely each action of an information set is; None where the player avoids it."""
        before = int(self.weights[self.side.parent[place]])
        if not before:
            return None
        low, high = self.side.first[place : place + 2]
        chances = [mpq(int(weight), before) for weight in self.weights[low:high]]
        return dict(zip(self.side.actions[place], chances, strict=True))


@dataclass(frozen=True, eq=False)
class SequenceForm:
    """A game as two sides and the payoffs of pairs of sequences, by rows, then columns."""

    sides: tuple[Side, Side]
    rows: Array
    columns: Array
    payoffs: Array  # chances times payoffs, as whole numbers over `denominator`
    denominator: mpz
    bound: int  # the largest payoff, without its sign, times the denominator
    histories: int  # ends of play that the payoffs were summed from

    def __repr__(self) -> str:
        one, two = self.sides
        return (
            f"SequenceForm({len(one.parent)} and {len(two.parent)} information sets, "
            f"{one.sequences} and {two.sequences} sequences, {len(self.payoffs)} payoffs)"
        )

    def swapped(self) -> "SequenceForm":
        """The same game with the players in each other's place."""
        order, (one, two) = self._by_column, self.sides
        rows, columns, payoffs = self.columns[order], self.rows[order], -self.payoffs[order]
        return replace(self, sides=(two, one), rows=rows, columns=columns, payoffs=payoffs)

    @property
    def is_large(self) -> bool:
        """Whether payoffs have more digits than lifting in 64 bits allows."""
        return int(self.bound).bit_length() > 30

    def fits(self, scale: int | mpz) -> bool:
        """Whether sums of plans of this scale fit in 64 bits."""
        return int(self.bound * scale).bit_length() <= _WORD

    @cached_property
    def _by_column(self) -> Array:
        return np.argsort(self.columns, kind="stable")

    def gains(self, player: int, other: RealizationPlan) -> Array:
        """What each sequence of a player brings at once against a plan, as the first counts it.

        Whole numbers over the denominator times the scale of the plan.
        """
        weights, payoffs = other.weights, self.payoffs
        if payoffs.dtype == object or weights.dtype == object or not self.fits(other.scale):
            weights, payoffs = weights.astype(object), payoffs.astype(object)
        if player == 1:
            mine, products = self.rows, payoffs * weights[self.columns]
        else:
            mine, order = self.columns[self._by_column], self._by_column
            products = payoffs[order] * weights[self.rows[order]]
        gains = np.zeros(self.sides[player - 1].sequences, dtype=products.dtype)
        if len(mine):
            begins = np.flatnonzero(np.concatenate(([True], mine[1:] != mine[:-1])))
            gains[mine[begins]] = np.add.reduceat(products, begins)
        return gains

    def reply(self, player: int, other: RealizationPlan) -> tuple[mpq, Array, Array]:
        """What a player's best reply to a plan brings, counted for the first player.

        With it, for the player who replies: what each sequence and information set brings.
        """
        sign = 1 if player == 1 else -1
        returns, values = self.sides[player - 1].best_return(sign * self.gains(player, other))
        return sign * mpq(int(returns[0]), self.denominator * other.scale), returns, values

    def largest_scale(self) -> mpz:
        """The largest power of two at which sums fit in 64 bits, if 2³⁰ does; at most 2⁵²."""
        bits = _WORD - int(self.bound).bit_length()
        return mpz(1) << (min(bits, 52) if bits >= 30 else 52)


def integers(numbers: Sequence[Any]) -> Array:
    """An array of whole numbers: in 64 bits where they fit, else of Python's."""
    whole = [int(number) for number in numbers]
    fits = all(-(1 << _WORD) < number < 1 << _WORD for number in whole)
    return np.array(whole, dtype=np.int64 if fits else object)


def _listed(actions: Any) -> str:
    return ", ".join(map(repr, actions))
