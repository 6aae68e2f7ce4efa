r"""How much the best of many sets of dice is worth at most, without looking at each.

A *block* is all sets of dice that hold given dice, while their other dice, the *free* ones, are of
given kinds. The bound is the worth of the turn of a player who may do more: before every roll, each
free die that is left is exchanged for any of these kinds. Whoever keeps to one set of the block can
do no better, so no set of the block is worth more.

All free dice are then alike, and a state is how many dice of each held kind and how many free ones
are left. One sweep over the points from the target downwards solves this: with :math:`g(f)` the
best that can be made of a roll that shows the multiset :math:`f` on the free dice, the expectation
over the held dice already taken, a roll is worth

.. math:: \max_{k_1 ≤ … ≤ k_w} \sum_f p_{k_1}(f_1) ⋯ p_{k_w}(f_w)\, g(f),

which is found for all choices of kinds at once by taking the expectation over one die after
another: choices that begin with the same kinds share their beginnings.

A block that can hold no set worth so many points is done with by its bound; the sets of any other
are enclosed one by one, by intervals in C++ (`sets_above`). Blocks that together are all sets of
dice thus find the best of millions, each on its own.

Everything is in 64-bit integers, worths in units of :math:`2^{-10}` points and chances in units of
:math:`2^{-36}`, both rounded up.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from math import comb, prod
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from exactdice.arithmetic import mpq
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, TooLargeError, Unquoted
from exactdice.games.farkle.rules.dice_sets import DiceSet, Die, named_dice
from exactdice.games.farkle.rules.menus import face_multisets
from exactdice.games.farkle.rules.rule_set import (
    FACES,
    JOKER,
    RuleSet,
    pack,
    scoring_selections,
    unpack,
)
from exactdice.games.farkle.sets.best import enclose_points
from exactdice.games.farkle.turn.exact import Overshoot
from exactdice.run import DEFAULT, Run

Integers: TypeAlias = npt.NDArray[np.int64]

_POINTS, _CHANCES = 10, 36  # bits behind the point of worths and of chances
_MOST_CHOICES = 20_000_000  # choices of kinds for the free dice


@dataclass(frozen=True)
class SetFamily:
    """All sets that hold some dice and fill up with so many free ones of other kinds."""

    held: tuple[Die, ...]
    free: int
    kinds: tuple[Die, ...]

    @property
    def sets(self) -> int:
        """How many sets there are."""
        return comb(len(self.kinds) + self.free - 1, self.free) if self.free else 1

    def members(self) -> Iterator[tuple[Die, ...]]:
        """Give the sets, the free dice in the order of their kinds."""
        for more in combinations_with_replacement(self.kinds, self.free):
            yield self.held + more


def block_bound(
    block: SetFamily, rules: RuleSet, overshoot: Overshoot = Overshoot.FULL, run: Run = DEFAULT
) -> mpq:
    """Bound the worth of the best turn with any set of a block from above.

    Some bounds are higher by far. Raises TooLargeError if the free dice may be chosen in too many
    ways, or points would not fit 64 bits.

    Seconds for three free dice of 33 kinds; half a minute for six.
    """
    if rules.target is None:
        raise InputError("target", Unquoted("none"), "the points to reach")
    if not block.held and not (block.free and block.kinds):
        raise InputError("dice", Unquoted("a block of none"), "at least one die")
    if block.sets > _MOST_CHOICES:
        raise TooLargeError(f"dice: {block.sets} sets are more than {_MOST_CHOICES}; hold more")
    return _Relaxed(block, rules, rules.target, overshoot).solve(run)


class _Relaxed:
    """The game of a player who exchanges free dice."""

    def __init__(self, block: SetFamily, rules: RuleSet, target: int, overshoot: Overshoot) -> None:
        self.rules, self.block = rules, block
        self.held = tuple(dict.fromkeys(block.held))
        counts = [block.held.count(die) for die in self.held]
        self.capacity = (*counts, block.free)
        self.states = list(product(*(range(count + 1) for count in self.capacity)))
        self.number = {state: place for place, state in enumerate(self.states)}
        self.jokers = rules.dice if any(die.joker for die in (*self.held, *block.kinds)) else 0
        self.levels = target // rules.unit
        highest = rules.highest_score if not self.jokers else _highest(rules, self.jokers)
        self.stride = self.levels + highest // rules.unit + 1
        points = np.arange(self.stride, dtype=np.int64) * rules.unit
        if target + highest + rules.penalty >= 2 ** (62 - _POINTS - _CHANCES):
            raise TooLargeError("target: so many points do not fit 64 bits here; give fewer")
        if overshoot is Overshoot.NEEDED:
            points = np.minimum(points, target)
        self.banked = (points + rules.penalty) << _POINTS
        self.may_bank = np.arange(self.stride) * rules.unit >= rules.minimum_bank
        self.rolls = [_Rolls(self, state) for state in self.states[1:]]
        self.tree = _Choices(block.kinds, block.free)

    def solve(self, run: Run) -> mpq:
        # Kept raised by the penalty, so that a bust is worth 0.
        worth = np.zeros((len(self.states), self.stride), dtype=np.int64)
        worth[:, self.levels :] = self.banked[self.levels :]
        flat = worth.reshape(-1)
        rolled = 0
        for level in reversed(range(self.levels)):
            bank = int(self.banked[level]) if self.may_bank[level] else 0
            for place, rolls in enumerate(self.rolls, 1):
                rolled = self.tree.most(rolls.expected(flat, level), rolls.free)
                worth[place, level] = max(rolled, bank)
            after = bank if self.may_bank[level] else self.rules.penalty << _POINTS
            if self.rules.hot_dice:
                after = max(rolled, bank)  # the last state is all dice
            worth[0, level] = after
            run.tell("levels", self.levels - level, self.levels)
        return mpq(rolled, 1 << _POINTS) - self.rules.penalty


class _Rolls:
    """What the rolls of one state offer.

    Rows are the multisets that the free dice show, inside of rows of what the held dice show.
    """

    def __init__(self, game: _Relaxed, state: tuple[int, ...]) -> None:
        self.free = state[-1]
        kinds = zip(game.held, state[:-1], strict=True)
        held = list(product(*(face_multisets(die, count) for die, count in kinds)))
        whole = prod(
            die.denominator**count for die, count in zip(game.held, state[:-1], strict=True)
        )
        weights = [prod(weight for _, weight in shown) for shown in held]
        self.chances = np.array([_up(weight, whole) for weight in weights], dtype=np.int64)
        self.shown = _multisets(self.free)
        offsets: list[int] = []
        starts: list[int] = []
        self.scoring: list[int] = []
        row = 0
        for shown in held:
            for faces in self.shown:
                groups = (*(packed for packed, _ in shown), pack(face + 1 for face in faces))
                options = _options(game, state, groups)
                if options:
                    starts.append(len(offsets))
                    self.scoring.append(row)
                    offsets += sorted(options)
                row += 1
        self.offsets = np.array(offsets, dtype=np.int64)
        self.starts = np.array(starts, dtype=np.int64)
        self.rows = row

    def expected(self, worth: Integers, level: int) -> Integers:
        """The worth of a roll by what the free dice show, the expectation over the others taken."""
        best = np.zeros(self.rows, dtype=np.int64)
        if len(self.starts):
            best[self.scoring] = np.maximum.reduceat(worth[self.offsets + level], self.starts)
        if len(self.chances) == 1:
            return best
        return _rounded_up(self.chances @ best.reshape(len(self.chances), len(self.shown)))


class _Choices:
    """Choices of kinds for the free dice, all at once."""

    def __init__(self, kinds: Sequence[Die], free: int) -> None:
        self.chances = [
            {
                face - 1: _up(weight, die.denominator)
                for face, weight in zip(die.faces, die.weights, strict=True)
                if weight
            }
            for die in kinds
        ]
        # Where the multiset with one more face is, by how many it has then and by the face.
        self.more: list[list[Integers]] = [[]]
        for size in range(1, free + 1):
            place = {shown: i for i, shown in enumerate(_multisets(size))}
            smaller = _multisets(size - 1)
            self.more.append(
                [
                    np.array([place[tuple(sorted((*shown, face)))] for shown in smaller])
                    for face in range(JOKER)
                ]
            )

    def most(self, worth: Integers, free: int) -> int:
        """The most that a choice of kinds gives, by what each multiset of faces is worth."""
        tensor = worth[None, :]
        ends = [1] * len(self.chances)  # how many beginnings have no later kind than this one
        for size in range(free, 0, -1):
            parts = []
            for end, chances in zip(ends, self.chances, strict=True):
                begun = tensor[:end]
                total = sum(begun[:, self.more[size][face]] * p for face, p in chances.items())
                parts.append(_rounded_up(np.asarray(total)))
            tensor = np.concatenate(parts)
            ends = list(np.cumsum([len(part) for part in parts]))
        return int(tensor[:, 0].max())


def _up(weight: int, whole: int) -> int:
    """A chance in its units, rounded up."""
    return -(-(weight << _CHANCES) // whole)


def _rounded_up(product_: Integers) -> Integers:
    """Worth times chance, as a worth again."""
    return (product_ + ((1 << _CHANCES) - 1)) >> _CHANCES


def _multisets(size: int) -> list[tuple[int, ...]]:
    """Multisets of faces from 0, the joker the last."""
    return list(combinations_with_replacement(range(JOKER), size))


def _highest(rules: RuleSet, jokers: int) -> int:
    shown = (pack(faces) for faces in combinations_with_replacement((*FACES, JOKER), rules.dice))
    return max(
        (score for roll in shown for _, score in scoring_selections(rules, roll, jokers)), default=0
    )


def _options(game: _Relaxed, state: tuple[int, ...], groups: Sequence[int]) -> set[int]:
    """Where the worths of the options of a roll are: the state that is left, and the score."""
    places: set[int] = set()
    number: Mapping[tuple[int, ...], int] = game.number
    for selection, score in scoring_selections(game.rules, sum(groups), game.jokers):
        taken = {(0,) * len(state)}
        for face in set(unpack(selection)):
            shift = 4 * (face - 1)
            wanted = selection >> shift & 0xF
            ranges = [range(min(group >> shift & 0xF, wanted) + 1) for group in groups]
            ways = [way for way in product(*ranges) if sum(way) == wanted]
            taken = {
                tuple(a + b for a, b in zip(so_far, way, strict=True))
                for so_far in taken
                for way in ways
            }
        for way in taken:
            left = tuple(a - b for a, b in zip(state, way, strict=True))
            places.add(number[left] * game.stride + score // game.rules.unit)
    return places


_MOST_SETS = 200_000


@dataclass(frozen=True)
class SetsAbove:
    """The sets of a block that may be worth so many points, with their enclosures, the best first.

    No set of the block is worth more than `bound`; where that is below the points none was
    enclosed, else all.
    """

    block: SetFamily
    least: mpq
    bound: mpq
    enclosed: int
    found: tuple[tuple[DiceSet, Enclosure], ...]


def named_block(hold: DiceSet | None, without: DiceSet | None, size: int) -> SetFamily:
    """Make the block of the sets of named dice that hold some, and fill up with other kinds.

    Those are neither of the kinds held nor of those that they go without.
    """
    held = hold.dice if hold else ()
    if len(held) > size:
        raise InputError("hold", Unquoted(f"{len(held)} dice"), f"at most {size}, of a set")
    shut = {*held, *(without.dice if without else ())}
    kinds = tuple(die for die in dict.fromkeys(named_dice().values()) if die not in shut)
    free = size - len(held)
    if free and not kinds:
        raise InputError("without", Unquoted("all kinds"), "some that are left")
    return SetFamily(held, free, kinds if free else ())


def sets_above(
    block: SetFamily,
    least: mpq,
    rules: RuleSet,
    overshoot: Overshoot = Overshoot.FULL,
    run: Run = DEFAULT,
) -> SetsAbove:
    """Find the sets of a block that are worth at least so many points.

    Seconds for the bound, and 2 ms for a set of six dice.
    """
    bound = block_bound(block, rules, overshoot, run)
    if bound < least:
        return SetsAbove(block, least, bound, 0, ())
    if block.sets > _MOST_SETS:
        raise TooLargeError(
            f"hold: {block.sets} sets may be worth {least}, more than {_MOST_SETS} to look at; "
            "hold more dice, or ask for more points"
        )
    reaching = []
    for done, members in enumerate(block.members()):
        run.tell("sets", done, block.sets)
        dice = DiceSet(members)
        worth = enclose_points(dice, rules, overshoot)
        if worth.upper >= least:
            reaching.append((dice, worth))
    reaching.sort(key=lambda pair: (-pair[1].lower, -pair[1].upper))
    return SetsAbove(block, least, bound, block.sets, tuple(reaching))
