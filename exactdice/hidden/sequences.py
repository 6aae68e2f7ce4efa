r"""The sequence form of a two-player game with hidden information.

A *sequence* of a player is everything that player knew and did so far; sequence 0 is empty. An
*information set* consists of all nodes that the player to move cannot tell apart. With perfect
recall one sequence leads to it, its *parent*, and each of its actions is a further sequence. A
*plan* gives every sequence a weight, with

.. math:: x_0 = 1, \qquad x_{\text{parent}(h)} = \sum_a x_{h a} \quad\text{for all } h,

and the first player's payoff for plans x and y is :math:`x^T A y` (von Stengel 1996). A holds
integers over one `denominator`, and plans are integers over one scale, so all sums are exact: in 64
bits if `bound`, which no partial sum of a plan against the other's actions exceeds, shows that they
fit, otherwise in Python integers.

Information sets are numbered by depth, so that each comes after its parent; the sequences of a set
are consecutive. Properties of all sets or sequences are numpy arrays.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from exactdice.arithmetic import RationalLike, mpq, mpz, over_common_denominator, rational, text
from exactdice.errors import InputError, Unquoted, choices

Array: TypeAlias = Any
Strategy: TypeAlias = (
    "Mapping[Any, Mapping[Any, RationalLike]] | Callable[[Any], Mapping[Any, RationalLike]]"
)
"""From knowledge to the probability of each action: a mapping or a function."""

_WORD = 62  # bits that a sum may have in 64-bit integers


@dataclass(frozen=True, eq=False)
class Side:
    """The information sets and sequences of one player."""

    known: Sequence[Any]  # the player's knowledge in each information set
    actions: Sequence[Sequence[Any]]  # the actions there
    parent: Array  # the sequence that leads to each
    first: Array  # the first sequence of each, then the number of sequences
    levels: Array  # the first information set of each depth, then the number of sets

    @property
    def sequences(self) -> int:
        return int(self.first[-1])

    @cached_property
    def owner(self) -> Array:
        return np.repeat(np.arange(len(self.parent)), np.diff(self.first))

    def ranges(self) -> Iterator[tuple[slice, slice, Array]]:
        """Yield for each depth its sets, its sequences, and the offset of each set."""
        for low, high in zip(self.levels[:-1], self.levels[1:], strict=True):
            begin, end = int(self.first[low]), int(self.first[high])
            yield slice(low, high), slice(begin, end), self.first[low:high] - begin

    def best_return(self, gains: Array) -> tuple[Array, Array]:
        """Return values of sequences and sets under best continuation, from immediate `gains`."""
        returns, values = gains.copy(), np.zeros(len(self.parent), dtype=gains.dtype)
        for sets, sequences, begins in reversed(list(self.ranges())):
            values[sets] = np.maximum.reduceat(returns[sequences], begins)
            np.add.at(returns, self.parent[sets], values[sets])
        return returns, values

    def is_plan(self, weights: Array) -> bool:
        """Whether no weight is negative and each set's weights sum to its parent's."""
        if not len(self.parent):
            return bool(weights[0] >= 0)
        sums = np.add.reduceat(weights[1:], self.first[:-1] - 1)
        return bool((weights >= 0).all() and (sums == weights[self.parent]).all())


@dataclass(frozen=True, eq=False)
class RealizationPlan:
    """Weights of the sequences of one player: integers over `scale`, the weight of sequence 0."""

    side: Side
    weights: Array

    @classmethod
    def of(cls, side: Side, strategy: Strategy, tolerance: RationalLike = 0) -> "RealizationPlan":
        allowed = rational(tolerance, "tolerance")
        weights: list[mpq] = [mpq(1)] * side.sequences
        if isinstance(strategy, Mapping):
            known = set(side.known)
            for stray in strategy:
                if stray not in known:
                    raise InputError("strategy", stray, "knowledge that is possible in this game")
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
                raise InputError(name, mixed, f"probabilities of {', '.join(map(repr, actions))}")
            for action in mixed:
                if action not in actions:
                    raise InputError(name, action, choices([*map(repr, actions)], repr(action)))
            chances = [rational(mixed.get(action, 0), f"{name}, {action!r}") for action in actions]
            total, wanted = sum(chances, mpq(0)), "probabilities that sum to 1"
            if min(chances) < 0:
                raise InputError(name, Unquoted("probabilities below 0"), wanted)
            if abs(total - 1) > allowed or not total:
                raise InputError(name, Unquoted(f"a sum of {text(total)}"), wanted)
            weights[low : low + len(actions)] = [before * chance / total for chance in chances]
        whole, _ = over_common_denominator(weights)
        return cls(side, integers(whole))

    @property
    def scale(self) -> mpz:
        return mpz(int(self.weights[0]))

    def behaviour(self, place: int) -> dict[Any, mpq] | None:
        before = int(self.weights[self.side.parent[place]])
        if not before:
            return None
        low, high = self.side.first[place : place + 2]
        chances = [mpq(int(weight), before) for weight in self.weights[low:high]]
        return dict(zip(self.side.actions[place], chances, strict=True))


@dataclass(frozen=True, eq=False)
class SequenceForm:
    """A game as two sides and the payoffs of pairs of sequences, sorted by row, then column."""

    sides: tuple[Side, Side]
    rows: Array
    columns: Array
    payoffs: Array  # probabilities times payoffs, as integers over `denominator`
    denominator: mpz
    bound: int  # the largest payoff, without its sign, times the denominator
    histories: int  # ends of play that the payoffs sum

    def __repr__(self) -> str:
        one, two = self.sides
        return (
            f"SequenceForm({len(one.parent)} and {len(two.parent)} information sets, "
            f"{one.sequences} and {two.sequences} sequences, {len(self.payoffs)} payoffs)"
        )

    def swapped(self) -> "SequenceForm":
        order, (one, two) = self._by_column, self.sides
        rows, columns, payoffs = self.columns[order], self.rows[order], -self.payoffs[order]
        return replace(self, sides=(two, one), rows=rows, columns=columns, payoffs=payoffs)

    @property
    def is_large(self) -> bool:
        return int(self.bound).bit_length() > 30

    def fits(self, scale: int | mpz) -> bool:
        return int(self.bound * scale).bit_length() <= _WORD

    @cached_property
    def _by_column(self) -> Array:
        return np.argsort(self.columns, kind="stable")

    def gains(self, player: int, other: RealizationPlan) -> Array:
        """Immediate payoffs of a player's sequences against a plan, times denominator and scale."""
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
        """Value of the best response to a plan, for player 1, and of all sequences and sets."""
        sign = 1 if player == 1 else -1
        returns, values = self.sides[player - 1].best_return(sign * self.gains(player, other))
        return sign * mpq(int(returns[0]), self.denominator * other.scale), returns, values

    def largest_scale(self) -> mpz:
        """The largest power of two, at most 2⁵², at which sums fit in 64 bits, if 2³⁰ does."""
        bits = _WORD - int(self.bound).bit_length()
        return mpz(1) << (min(bits, 52) if bits >= 30 else 52)


def integers(numbers: Sequence[Any]) -> Array:
    """Make an array of integers: 64-bit if they fit, otherwise Python integers."""
    whole = [int(number) for number in numbers]
    fits = all(-(1 << _WORD) < number < 1 << _WORD for number in whole)
    return np.array(whole, dtype=np.int64 if fits else object)
