r"""An upper bound on the best of many sets of dice, without solving each.

A *block* consists of all sets that contain given dice, while their other dice, the *free* ones, are
of given kinds. The bound is the value of a relaxed turn: before every roll, the player may exchange
each free die that is left for any of these kinds. No set of the block can do better. A state is the
number of dice left of each held kind and of free ones, and one sweep over the points solves this.
Let :math:`g(f)` be the best value of a roll that shows the multiset :math:`f` on the free dice,
expected over the held dice. The value of a roll is

.. math:: \max_{k_1 ≤ … ≤ k_w} \sum_f p_{k_1}(f_1) ⋯ p_{k_w}(f_w)\, g(f),

found for all choices of kinds together by taking the expectation over one die after another:
choices with the same first kinds share their computation.

Sets of a block whose bound reaches a number of points are enclosed one by one, in C++
(`sets_above`). Blocks that cover all sets thus find the best of millions. Everything is in 64-bit
integers, values in units of :math:`2^{-10}` points and probabilities in units of :math:`2^{-36}`,
both rounded up.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations_with_replacement, product
from math import comb, prod
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from exactdice.arithmetic import mpq
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, TooLargeError, Unquoted
from exactdice.games.farkle.rules import rule_set
from exactdice.games.farkle.rules.dice_sets import DiceSet, Die, named_dice
from exactdice.games.farkle.rules.menus import face_multisets
from exactdice.games.farkle.rules.rule_set import FACES, JOKER, RuleSet
from exactdice.games.farkle.sets.best import enclose_points
from exactdice.games.farkle.turn.exact import Overshoot
from exactdice.run import DEFAULT, Run

Integers: TypeAlias = npt.NDArray[np.int64]

_POINTS, _CHANCES = 10, 36  # fractional bits of values and of probabilities
_MOST_CHOICES = 20_000_000  # choices of kinds for the free dice
_MOST_SETS = 200_000  # to enclose one by one


@dataclass(frozen=True)
class SetFamily:
    """A block: all sets that contain some dice and some number of free dice of other kinds."""

    held: tuple[Die, ...]
    free: int
    kinds: tuple[Die, ...]

    @property
    def sets(self) -> int:
        return comb(len(self.kinds) + self.free - 1, self.free) if self.free else 1

    def members(self) -> Iterator[tuple[Die, ...]]:
        for more in combinations_with_replacement(self.kinds, self.free):
            yield self.held + more


def block_bound(
    block: SetFamily, rules: RuleSet, overshoot: Overshoot = Overshoot.FULL, run: Run = DEFAULT
) -> mpq:
    """Bound the best turn with any set of a block from above; some bounds are far from tight.

    Raises TooLargeError for too many choices of free dice, or points beyond 64 bits. Seconds for
    three free dice of 33 kinds; half a minute for six.
    """
    target = rules.required_target
    if not block.held and not (block.free and block.kinds):
        raise InputError("dice", Unquoted("a block of none"), "at least one die")
    if block.sets > _MOST_CHOICES:
        raise TooLargeError(f"hold: {block.sets} sets exceed {_MOST_CHOICES}; use more dice")
    return _Relaxed(block, rules, target, overshoot).solve(run)


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
            raise TooLargeError("target: these points do not fit 64 bits; use a lower target")
        if overshoot is Overshoot.NEEDED:
            points = np.minimum(points, target)
        self.banked = (points + rules.penalty) << _POINTS
        self.may_bank = np.arange(self.stride) * rules.unit >= rules.minimum_bank
        self.rolls = [_Rolls(self, state) for state in self.states[1:]]
        self.tree = _Choices(block.kinds, block.free)

    def solve(self, run: Run) -> mpq:
        # Values are raised by the penalty, so that a bust has the value 0.
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
    """The options of the rolls of one state, by the faces of held, then of free dice."""

    def __init__(self, game: _Relaxed, state: tuple[int, ...]) -> None:
        self.free = state[-1]
        kinds = zip(game.held, state[:-1], strict=True)
        held = list(product(*(face_multisets(die, count) for die, count in kinds)))
        counted = zip(game.held, state[:-1], strict=True)
        whole = prod(die.denominator**count for die, count in counted)
        weights = [prod(weight for _, weight in shown) for shown in held]
        self.chances = np.array([_up(weight, whole) for weight in weights], dtype=np.int64)
        self.shown = _multisets(self.free)
        offsets, starts, self.scoring = list[int](), list[int](), list[int]()
        for row, (shown, faces) in enumerate(product(held, self.shown)):
            groups = (*(packed for packed, _ in shown), rule_set.pack(face + 1 for face in faces))
            if options := _options(game, state, groups):
                starts.append(len(offsets))
                self.scoring.append(row)
                offsets += sorted(options)
        self.offsets = np.array(offsets, dtype=np.int64)
        self.starts = np.array(starts, dtype=np.int64)
        self.rows = len(held) * len(self.shown)

    def expected(self, worth: Integers, level: int) -> Integers:
        """Value of a roll by the faces of the free dice, expected over the held dice."""
        best = np.zeros(self.rows, dtype=np.int64)
        if len(self.starts):
            best[self.scoring] = np.maximum.reduceat(worth[self.offsets + level], self.starts)
        if len(self.chances) == 1:
            return best
        return _rounded_up(self.chances @ best.reshape(len(self.chances), len(self.shown)))


class _Choices:
    """Choices of kinds for the free dice, all together."""

    def __init__(self, kinds: Sequence[Die], free: int) -> None:
        self.chances = [
            {face - 1: _up(weight, die.denominator) for face, weight in die.distribution().items()}
            for die in kinds
        ]
        # Index of each multiset after adding a face, by the new size and by the face.
        self.more: list[list[Integers]] = [[]]
        for size in range(1, free + 1):
            place = {shown: i for i, shown in enumerate(_multisets(size))}
            smaller = _multisets(size - 1)
            grown = [[tuple(sorted((*shown, face))) for shown in smaller] for face in range(JOKER)]
            self.more.append([np.array([place[shown] for shown in row]) for row in grown])

    def most(self, worth: Integers, free: int) -> int:
        """The best value over choices of kinds, given the value of each multiset of faces."""
        tensor = worth[None, :]
        ends = [1] * len(self.chances)  # number of beginnings without a later kind
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
    return -(-(weight << _CHANCES) // whole)


def _rounded_up(product_: Integers) -> Integers:
    return (product_ + ((1 << _CHANCES) - 1)) >> _CHANCES


def _multisets(size: int) -> list[tuple[int, ...]]:
    return list(combinations_with_replacement(range(JOKER), size))


def _highest(rules: RuleSet, jokers: int) -> int:
    shown = map(rule_set.pack, combinations_with_replacement((*FACES, JOKER), rules.dice))
    scoring = (rule_set.scoring_selections(rules, roll, jokers) for roll in shown)
    return max((score for _, score in chain.from_iterable(scoring)), default=0)


def _options(game: _Relaxed, state: tuple[int, ...], groups: Sequence[int]) -> set[int]:
    """Indices of the values of the options of a roll: the state that is left, and the score."""
    places: set[int] = set()
    number: Mapping[tuple[int, ...], int] = game.number
    for selection, score in rule_set.scoring_selections(game.rules, sum(groups), game.jokers):
        taken = {(0,) * len(state)}
        for face in set(rule_set.unpack(selection)):
            shift = 4 * (face - 1)
            wanted = selection >> shift & 0xF
            ranges = [range(min(group >> shift & 0xF, wanted) + 1) for group in groups]
            ways = [way for way in product(*ranges) if sum(way) == wanted]
            pairs = product(taken, ways)
            taken = {tuple(a + b for a, b in zip(*pair, strict=True)) for pair in pairs}
        for way in taken:
            left = tuple(a - b for a, b in zip(state, way, strict=True))
            places.add(number[left] * game.stride + score // game.rules.unit)
    return places


@dataclass(frozen=True)
class SetsAbove:
    """The sets of a block that may reach some points, with their enclosures, the best first.

    No set of the block exceeds `bound`; if it is below the points no set was enclosed, otherwise
    all.
    """

    block: SetFamily
    least: mpq
    bound: mpq
    enclosed: int
    found: tuple[tuple[DiceSet, Enclosure], ...]


def named_block(hold: DiceSet | None, without: DiceSet | None, size: int) -> SetFamily:
    held = hold.dice if hold else ()
    if len(held) > size:
        raise InputError("hold", Unquoted(f"{len(held)} dice"), f"at most {size}, by the size")
    shut = {*held, *(without.dice if without else ())}
    kinds = tuple(die for die in dict.fromkeys(named_dice().values()) if die not in shut)
    free = size - len(held)
    if free and not kinds:
        raise InputError("without", Unquoted("all kinds"), "fewer kinds")
    return SetFamily(held, free, kinds if free else ())


def sets_above(
    block: SetFamily,
    least: mpq,
    rules: RuleSet,
    overshoot: Overshoot = Overshoot.FULL,
    run: Run = DEFAULT,
) -> SetsAbove:
    """Find the sets of a block with some expected points a turn: seconds, and 2 ms a set."""
    bound = block_bound(block, rules, overshoot, run)
    if bound < least:
        return SetsAbove(block, least, bound, 0, ())
    if block.sets > _MOST_SETS:
        raise TooLargeError(
            f"hold: {block.sets} sets may reach {least} points, more than {_MOST_SETS}; "
            "give more dice, or more points"
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
