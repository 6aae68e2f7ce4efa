r"""Readings of the KCD Farkle README: what its text leaves open, and Optimal_n under each.

The README says that a figure of 517.9492 is :math:`\mathrm{Optimal}_2` and
:math:`\mathrm{Optimal}_3` at the start of a turn. It lists no combinations, and its formulas may be
taken in several ways. A reading is one way to take each of four things:

* what scores: the combinations of Kingdom Come: Deliverance, those without the straights of five,
  or single dice and triples alone;
* whether all dice may be rolled again once all have been kept (*hot dice*);
* what a roll past the target gains: all that it scores, or what was left to the target (*capped*);
  or there is no target;
* what may be kept: what scores; of that only what scores the most; *anything*, dice that do not
  score for nothing, and none too; or *to the letter* that, and rolling on after a bust as well,
  which the README's formula has among the choices.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import factorial, prod

from exactdice.arithmetic import mpq, mpz
from exactdice.games.farkle.rules.combinations import pack, unpack
from exactdice.games.farkle.rules.rule_set import RuleSet, scoring_selections
from exactdice.games.farkle.rules.tables import KCD

_TARGET, _DICE = 6000, 6
_RULES = {
    "of the game": KCD,
    "without short straights": KCD.varied(
        combinations=tuple(
            c for c in KCD.combinations if len(c.faces) != 5 or len(set(c.faces)) == 1
        )
    ),
    "singles and triples": KCD.varied(
        combinations=tuple(
            c for c in KCD.combinations if len(set(c.faces)) == 1 and len(c.faces) in (1, 3)
        )
    ),
}
_Menu = frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Reading:
    """One way to take the README, by what it says of the four things above.

    >>> Reading("of the game", "hot dice", "all", "what scores").optimal(1)
    mpq(258625,648)
    """

    scores: str
    again: str
    past: str
    kept: str

    @property
    def name(self) -> str:
        """The four answers."""
        return ", ".join((self.scores, self.again, self.past, self.kept))

    def optimal(self, rolls: int, points: int = 0, dice: int = _DICE) -> mpq:
        """Return Optimal_n, the expected gain of at most n rolls, from some points and dice."""
        return _optimal(self, rolls, points, dice)

    def _gains(self, menu: _Menu, rolls: int, points: int) -> list[mpq]:
        """What every choice after a roll gains, the bust's loss not taken off."""
        room = _TARGET - points
        banked = [min(score, room) if self.past == "capped" else score for score, _ in menu]
        gains = [mpq(score) for score in banked]
        for score, left in menu if rolls > 1 else ():
            is_on = self.past == "no target" or points + score < _TARGET
            if is_on and (left or self.again == "hot dice"):
                gains.append(score + _optimal(self, rolls - 1, points + score, left or _DICE))
        return gains


@cache
def _optimal(reading: Reading, rolls: int, points: int, dice: int) -> mpq:
    total = mpq(0)
    for (is_bust, menu), ways in _menus(_RULES[reading.scores], reading.kept, dice).items():
        if is_bust and reading.kept != "to the letter":
            total -= ways * points
        else:
            total += ways * (max(reading._gains(menu, rolls, points)) - points * is_bust)
    return total / mpz(6) ** dice


@cache
def _menus(rules: RuleSet, kept: str, dice: int) -> dict[tuple[bool, _Menu], int]:
    """Points and dice left of all that may be kept, with the rolls that offer it."""
    menus: Counter[tuple[bool, _Menu]] = Counter()
    for roll in product(range(1, 7), repeat=dice):
        if list(roll) != sorted(roll):
            continue
        ways = factorial(dice) // prod(factorial(n) for n in Counter(roll).values())
        scoring = {
            (score, dice - len(unpack(selection)))
            for selection, score in scoring_selections(rules, pack(roll), 0)
        }
        offered = set(scoring)
        if kept == "the most points":
            most = max((score for score, _ in scoring), default=0)
            offered = {choice for choice in scoring if choice[0] == most}
        elif kept != "what scores":
            offered |= {(0, left) for left in range(dice + 1)}
        menus[not scoring, frozenset(offered)] += ways
    return menus


#: Every reading.
READINGS = tuple(
    Reading(*answers)
    for answers in product(
        _RULES,
        ("hot dice", "no hot dice"),
        ("all", "capped", "no target"),
        ("what scores", "the most points", "anything", "to the letter"),
    )
)
