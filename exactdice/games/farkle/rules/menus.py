r"""The choices after a roll: outcomes grouped by their options.

A roll matters only through its *menu*: the set of pairs (score gained, dice left) over all
selections that may be kept. Rolls with equal menus are one outcome, with an integer weight over the
denominator :math:`N_\delta` of the dice rolled; an empty menu is a bust.

Of options with the same dice left, the lower score may be dropped (`prune`) *if* the value of a
state never falls as its points rise. That holds without a target, or if points beyond it do not
count: a player with more points can copy one with fewer. It fails if they count in full, because
reaching the target ends the turn, and one more roll could gain more. Options that leave different
dice are never compared: fewer dice bust more often but come closer to hot dice.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate, product
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from exactdice.arithmetic import mpq
from exactdice.errors import InputError, Unquoted
from exactdice.games.farkle.rules.dice_sets import DiceSet, Die
from exactdice.games.farkle.rules.rule_set import JOKER, RuleSet, scoring_selections
from exactdice.run import DEFAULT, Run

# Peak bytes for writing a row of a table of three columns, and each digit in it; measured over all
# formats, see the tests.
_ROW, _DIGIT = 1800, 8

#: Score gained, and the number of the set of dice left (before hot dice are given back).
Option = tuple[int, int]

#: Options in canonical order: higher scores first, then larger numbers of the set left.
Menu = tuple[Option, ...]


@dataclass(frozen=True)
class StateMenus:
    """Weights of the menus of a set of dice and of a bust, over the product of its denominators."""

    denominator: int
    bust: int
    menus: dict[Menu, int]


@dataclass(frozen=True, eq=False)
class Menus:
    """Menus of every set of dice left in a game, by the number of the set."""

    rules: RuleSet
    dice: DiceSet
    by_state: tuple[StateMenus, ...]

    def bust_chance(self, state: int) -> mpq:
        return mpq(self.by_state[state].bust, self.by_state[state].denominator)

    def mean_best(self, state: int) -> mpq:
        menus = self.by_state[state]
        total = sum(weight * menu[0][0] for menu, weight in menus.menus.items())
        return mpq(total, menus.denominator)

    def next_state(self, left: int) -> int:
        """Return the dice rolled next: all of them again after hot dice."""
        return left if left or not self.rules.hot_dice else self.dice.full


@lru_cache(maxsize=16)
def menus_of(rules: RuleSet, dice: DiceSet, *, prune: bool) -> Menus:
    """Find the menus of every set of dice left: 923 rolls for six equal dice, 7⁶ − 1 for others."""
    if len(dice.dice) > rules.dice:
        got = Unquoted(f"{len(dice.dice)} dice")
        raise InputError("dice", got, f"at most {rules.dice}, by the rules")
    offered = _Offers(rules, dice, prune=prune)
    empty = StateMenus(1, 0, {})
    return Menus(rules, dice, (empty, *(offered.state_menus(s) for s in dice.proper_states())))


class _Offers:
    """Builds the menus of a game, with caches for all sets of dice."""

    def __init__(self, rules: RuleSet, dice: DiceSet, *, prune: bool) -> None:
        self.rules, self.dice, self.prune = rules, dice, prune
        self.jokers = dice.jokers
        self._removals: dict[tuple[int, int], tuple[int, ...]] = {}
        self._live: dict[int, int] = {}

    def state_menus(self, state: int) -> StateMenus:
        weights: dict[tuple[int, ...], int] = {}
        left = self.dice.left(state)
        for faces, weight in self._rolls(left):
            live = self._live_faces(sum(faces))
            # Faces that score in no selection do not matter.
            scoring = tuple(packed & live for packed in faces)
            weights[scoring] = weights.get(scoring, 0) + weight
        bust = 0
        menus: dict[Menu, int] = {}
        for scoring, weight in weights.items():
            if menu := self._menu(state, scoring):
                menus[menu] = menus.get(menu, 0) + weight
            else:
                bust += weight
        denominator = prod(die.denominator**r for die, r in zip(self.dice.kinds, left, strict=True))
        return StateMenus(denominator, bust, menus)

    def _rolls(self, left: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], int]]:
        by_kind = [list(face_multisets(d, r)) for d, r in zip(self.dice.kinds, left, strict=True)]
        *earlier, last = by_kind
        for shown in product(*earlier):
            faces = tuple(packed for packed, _ in shown)
            weight = prod(w for _, w in shown)
            for packed, w in last:
                yield (*faces, packed), weight * w

    def _live_faces(self, roll: int) -> int:
        """Nibble mask of the faces that score in some selection of a roll."""
        if roll not in self._live:
            used = 0
            for selection, _ in scoring_selections(self.rules, roll, self.jokers):
                used |= selection
            shifts = range(0, 4 * JOKER, 4)
            self._live[roll] = sum(0xF << shift for shift in shifts if used >> shift & 0xF)
        return self._live[roll]

    def _menu(self, state: int, faces: tuple[int, ...]) -> Menu:
        radices = self.dice.radices
        pairs = [*zip(faces, radices, strict=True)]
        shifts = range(0, 4 * JOKER, 4)
        available = [sum((packed >> s & 0xF) * value for packed, value in pairs) for s in shifts]
        options: set[Option] = set()
        for selection, score in scoring_selections(self.rules, sum(faces), self.jokers):
            removed: list[int] = [0]
            for slot in range(JOKER):
                if wanted := selection >> 4 * slot & 0xF:
                    choices = self._ways_to_remove(available[slot], wanted)
                    removed = [r + choice for r in removed for choice in choices]
            options.update((score, state - r) for r in removed)
        if self.prune:
            best: dict[int, int] = {}
            for score, left in options:
                best[left] = max(best.get(left, 0), score)
            options = {(score, left) for left, score in best.items()}
        return tuple(sorted(options, reverse=True))

    def _ways_to_remove(self, available: int, wanted: int) -> tuple[int, ...]:
        key = (available, wanted)
        if key not in self._removals:
            ranges = [range(r + 1) for r in self.dice.left(available)]
            several = (taken for taken in product(*ranges) if sum(taken) == wanted)
            self._removals[key] = tuple(map(self.dice.state, several))
        return self._removals[key]


@cache
def face_multisets(die: Die, count: int) -> tuple[tuple[int, int], ...]:
    partial = [(0, 1, count)]  # faces so far, weight, dice still without a face
    for face, weight in zip(die.faces, die.weights, strict=True):
        at = 4 * (face - 1)
        partial = [
            (packed + (shown << at), w * comb(rest, shown) * weight**shown, rest - shown)
            for packed, w, rest in partial
            for shown in range(rest + 1 if weight else 1)
        ]
    return tuple((packed, weight) for packed, weight, rest in partial if rest == 0)


@dataclass(frozen=True)
class Layout:
    """All menus of a game in flat arrays.

    For each option: units scored, state rolled next (0 for none), number of its menu. For each
    menu: its first option, its highest score in units, its weight. For each state, the number of
    its first menu, then the number of menus. `rollable` are the states with a menu.
    """

    score: NDArray[np.int64]
    next_state: NDArray[np.int64]
    menu: NDArray[np.int64]
    start: NDArray[np.int64]
    best: NDArray[np.int64]
    weight: NDArray[np.object_]
    first_menu: list[int]
    rollable: list[int]


@lru_cache(maxsize=16)
def layout_of(menus: Menus) -> Layout:
    unit = menus.rules.unit
    weighted = [pair for state in menus.by_state for pair in state.menus.items()]
    options = [
        (gained // unit, menus.next_state(left), number)
        for number, (menu, _) in enumerate(weighted)
        for gained, left in menu
    ]
    columns = zip(*options, strict=True) if options else ((), (), ())
    scores, states, numbers = (np.array(list(column), dtype=np.int64) for column in columns)
    starts = np.array([0, *accumulate(len(menu) for menu, _ in weighted)][:-1], dtype=np.int64)
    weights = np.empty(len(weighted), dtype=object)
    weights[:] = [weight for _, weight in weighted]
    first_menu = [0, *accumulate(len(state.menus) for state in menus.by_state)]
    best = scores[starts]  # menus list their highest score first
    rollable = [s for s in range(len(menus.by_state)) if first_menu[s] < first_menu[s + 1]]
    return Layout(scores, states, numbers, starts, best, weights, first_menu, rollable)


def require_sweep(menus: Menus, end: int, run: Run = DEFAULT, sweeps: int = 1) -> None:
    """Raise TooLargeError for sweeps from `end` points down beyond the memory limit."""
    # Four bytes for each choice, eight for each key, some 150 for each payoff of banking.
    of_level = 4 * sum(len(s.menus) for s in menus.by_state) + 8 * menus.dice.states + 150
    levels = (end + menus.rules.highest_score) // menus.rules.unit
    run.require(sweeps * levels * of_level, f"a turn with rolls up to {end} points")


def table_bytes(rows: int, digits: int) -> int:
    """Bound the bytes for writing a table, by rows and digits of fractions a row."""
    return rows * (_ROW + _DIGIT * digits)
