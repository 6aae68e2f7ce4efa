r"""What a roll offers: outcomes grouped by the choices that they leave.

A roll matters only through its *menu*: the set of pairs (score gained, dice left) over all
selections that may be kept. Rolls with equal menus are one outcome, whose integer weight is over
the denominator :math:`N_\delta` of the dice rolled; an empty menu is a bust. When all dice have
scored and hot dice are played, the dice left are all dice again.

Which options may be dropped:

* options with the same score and the same dice left are one;
* of options with the same dice left, the lower score may be dropped *if* the value of a state never
  falls as its points rise. That holds without a target, and with one if points beyond it are worth
  nothing more (a player with more points can copy one with fewer, and is never behind). It fails
  where points past the target count in full: reaching the target ends the turn, and one more
  roll could be worth more. So it is a switch, `prune`.

Options that leave different dice are never compared: fewer dice bust more often but are nearer to
being used up.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from math import comb, prod

from exactdice.errors import InputError, Unquoted
from exactdice.games.farkle.combinations import JOKER
from exactdice.games.farkle.dice_sets import DiceSet, Die
from exactdice.games.farkle.rules import RuleSet, scoring_selections

__all__ = ["Menu", "Menus", "Option", "StateMenus", "menus_of"]

Option = tuple[int, int]
"""Score gained, and the number of the set of dice left (before hot dice are given back)."""

Menu = tuple[Option, ...]
"""Options in canonical order: higher scores first, then larger numbers of the set left."""


@dataclass(frozen=True)
class StateMenus:
    """Menus of one set of dice.

    Attributes
    ----------
    denominator
        Product of the denominators of the dice.
    bust
        Weight of the rolls in which nothing scores.
    menus
        Weight of each menu that is not empty.
    """

    denominator: int
    bust: int
    menus: dict[Menu, int]


@dataclass(frozen=True, eq=False)
class Menus:
    """Menus of every set of dice left in a game.

    Attributes
    ----------
    rules, dice
        What they were made from.
    pruned
        Whether lower scores with the same dice left were dropped.
    by_state
        `StateMenus` at each number of a set of dice; the first, of no dice, is empty.
    """

    rules: RuleSet
    dice: DiceSet
    pruned: bool
    by_state: tuple[StateMenus, ...]

    def bust_weight(self, state: int) -> tuple[int, int]:
        """Weight of a bust and the denominator."""
        menus = self.by_state[state]
        return menus.bust, menus.denominator

    def next_state(self, left: int) -> int:
        """Return the dice rolled next when `left` are left: all of them again after hot dice."""
        return left if left or not self.rules.hot_dice else self.dice.full


@lru_cache(maxsize=16)
def menus_of(rules: RuleSet, dice: DiceSet, *, prune: bool) -> Menus:
    """Find the menus of every set of dice left.

    Parameters
    ----------
    rules, dice
        The game; at most `rules.dice` dice.
    prune
        Whether to drop, for equal dice left, all but the highest score; see the module.

    Raises
    ------
    InputError
        If there are more dice than the rules allow.

    Notes
    -----
    Every multiset of faces of each kind is enumerated once: 923 rolls for six equal dice,
    7⁶ − 1 for six different ones.
    """
    if len(dice.dice) > rules.dice:
        raise InputError(
            "dice", Unquoted(f"{len(dice.dice)} dice"), f"at most {rules.dice}, as the rules say"
        )
    offered = _Offers(rules, dice, prune=prune)
    empty = StateMenus(1, 0, {})
    return Menus(
        rules, dice, prune, (empty, *(offered.state_menus(s) for s in dice.proper_states()))
    )


class _Offers:
    """The menus of one game, with what is shared between its sets of dice."""

    def __init__(self, rules: RuleSet, dice: DiceSet, *, prune: bool) -> None:
        self.rules, self.dice, self.prune = rules, dice, prune
        self.jokers = dice.jokers
        self._removals: dict[tuple[int, int], tuple[int, ...]] = {}
        self._live: dict[int, int] = {}

    def state_menus(self, state: int) -> StateMenus:
        """Group the rolls of one set of dice by menu."""
        weights: dict[tuple[int, ...], int] = {}
        left = self.dice.left(state)
        for faces, weight in self._rolls(left):
            live = self._live_faces(sum(faces))
            # Dice whose face scores in no selection are alike: forget what they show.
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
        """Every roll: the faces shown by each kind, packed, and its weight."""
        by_kind = [
            list(face_multisets(die, r)) for die, r in zip(self.dice.kinds, left, strict=True)
        ]
        *earlier, last = by_kind
        for shown in product(*earlier):
            faces = tuple(packed for packed, _ in shown)
            weight = prod(w for _, w in shown)
            for packed, w in last:
                yield (*faces, packed), weight * w

    def _live_faces(self, roll: int) -> int:
        """Nibble mask of the faces that score in some selection from a roll."""
        if roll not in self._live:
            used = 0
            for selection, _ in scoring_selections(self.rules, roll, self.jokers):
                used |= selection
            self._live[roll] = sum(
                0xF << shift for shift in range(0, 4 * JOKER, 4) if used >> shift & 0xF
            )
        return self._live[roll]

    def _menu(self, state: int, faces: tuple[int, ...]) -> Menu:
        """List the options of a roll, given by the packed faces of each kind."""
        radices = self.dice.radices
        available = [
            sum(
                (packed >> shift & 0xF) * value
                for packed, value in zip(faces, radices, strict=True)
            )
            for shift in range(0, 4 * JOKER, 4)
        ]
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
        """Numbers of the sets of `wanted` dice among the available ones."""
        key = (available, wanted)
        if key not in self._removals:
            ranges = [range(r + 1) for r in self.dice.left(available)]
            self._removals[key] = tuple(
                self.dice.state(taken) for taken in product(*ranges) if sum(taken) == wanted
            )
        return self._removals[key]


@cache
def face_multisets(die: Die, count: int) -> tuple[tuple[int, int], ...]:
    """Every multiset of faces that `count` equal dice can show, packed, with its weight."""
    partial = [(0, 1, count)]  # faces so far, weight, dice still without a face
    for face, weight in zip(die.faces, die.weights, strict=True):
        partial = [
            (
                packed + (shown << 4 * (face - 1)),
                w * comb(rest, shown) * weight**shown,
                rest - shown,
            )
            for packed, w, rest in partial
            for shown in range(rest + 1 if weight else 1)
        ]
    return tuple((packed, weight) for packed, weight, rest in partial if rest == 0)
