r"""Check of the KCD Farkle README against its own definitions.

The README counts the work of a naive solution and prints three values of
:math:`\mathrm{Optimal}_n` at the start of a turn: six fair dice, target 6000, hot dice, no minimum
bank, and points past the target count. A `ReadmeFigure` compares a printed figure with the computed
one. `EARLIER` are Optimal_1, Optimal_2 and Optimal_3, truncated, as two independent earlier
programs found them. The printed Optimal_2 and Optimal_3 do not follow from the definition. The text
lists no combinations, and its formulas are ambiguous. A `ReadmeReading` fixes four ambiguities:

* scores: the combinations of Kingdom Come: Deliverance, those without the straights of five, or
  only single dice and triples;
* whether all dice may be rolled again once all have been kept (*hot dice*);
* points past the target: they count, or not (*capped*), or there is no target;
* selections: dice that score; only those that score the most; *anything*, including none and dice
  that do not score; or *to the letter*, which also allows rolling on after a bust.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod
from typing import Final

from exactdice.arithmetic import decimal, mpq, mpz
from exactdice.games.farkle.reports import turn_conventions
from exactdice.games.farkle.rules.rule_set import FACES, RuleSet, pack, scoring_selections, unpack
from exactdice.games.farkle.rules.tables import KCD
from exactdice.games.farkle.turn.exact import (
    SIX_FAIR,
    Overshoot,
    TurnOptimum,
    fixed_point,
    horizon,
    solve,
)
from exactdice.question import Question
from exactdice.report.model import Report, Table, exact, flag, text_column, whole
from exactdice.run import Run

#: The figures that the README prints.
README: Final = {
    "values of P": "120",
    "sets of dice": "64",
    "outputs of one step": "7680",
    "rolls of six dice": "46656",
    "selections from six dice": "64",
    "computations of one step": "2.29e10",
    "rolls with missing dice": "117649",
    "computations of Hold beforehand": "903544320",
    "computations of a step after that": "358318080",
    "both together": "1.261e9",
    "Optimal_1": "399",
    "Optimal_2": "517.9492",
    "Optimal_3": "517.9492",
    "rolls that are enough": "2",
}

EARLIER: Final = ("399.11", "505.51", "547.35")


@dataclass(frozen=True)
class ReadmeFigure:
    """One figure of the README, and whether it is the exact number, rounded or truncated."""

    about: str
    printed: str
    computed: mpq
    agrees: bool
    note: str = ""


def _matches(printed: str, number: mpq) -> bool:
    """Whether a figure such as ``399`` or ``2.29e10`` is a number rounded or truncated.

    >>> _matches("1.261e9", mpq(1261862400)), _matches("1.262e9", mpq(1261862400))
    (True, True)
    """
    digits, _, exponent = printed.partition("e")
    places = len(digits.partition(".")[2])
    scaled = number / mpq(10) ** int(exponent or 0)
    rounded = decimal(scaled, places)
    cut_off = decimal(mpq(scaled * 10**places // 1, 10**places), places)
    return digits in (rounded, cut_off)


def _stated(about: str, number: int | mpq, note: str = "") -> ReadmeFigure:
    exact, printed = mpq(number), README[about]
    return ReadmeFigure(about, printed, exact, _matches(printed, exact), note)


def counts() -> list[ReadmeFigure]:
    target, dice = 6000, len(SIX_FAIR.dice)
    points = target // KCD.unit
    sets, rolls, seen = 2**dice, 6**dice, 7**dice
    tight = sum(comb(dice, k) * 6**k * 2**k for k in range(1, dice + 1))
    return [
        _stated("values of P", points, "multiples of 50 below 6000"),
        _stated("sets of dice", sets, f"the empty one included; {sets - 1} can be rolled"),
        _stated("outputs of one step", points * sets),
        _stated("rolls of six dice", rolls, f"all sets together have {seen - 1} rolls"),
        _stated("selections from six dice", 2**dice, "the empty one included"),
        _stated(
            "computations of one step",
            points * sets * rolls * 2**dice,
            f"with the actual rolls and selections of each set: {points * tight}",
        ),
        _stated("rolls with missing dice", seen),
        _stated("computations of Hold beforehand", points * seen * 2**dice),
        _stated("computations of a step after that", points * sets * rolls),
        _stated(
            "both together",
            points * seen * 2**dice + points * sets * rolls,
            "truncated, not rounded",
        ),
    ]


def values(turn: TurnOptimum | None = None) -> list[ReadmeFigure]:
    turn = turn or solve()
    one, two, three = horizon(turn, 3)
    enough = fixed_point(turn)
    return [
        _stated("Optimal_1", one, "truncated: 399.1126…"),
        _stated("Optimal_2", two),
        _stated("Optimal_3", three, "larger than Optimal_2"),
        _stated("rolls that are enough", enough, "the first n with Optimal_n = Optimal"),
    ]


def statements() -> list[ReadmeFigure]:
    return [*counts(), *values()]


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
class ReadmeReading:
    """One reading of the README, by the four ambiguities above."""

    scores: str
    again: str
    past: str
    kept: str

    @property
    def name(self) -> str:
        return ", ".join((self.scores, self.again, self.past, self.kept))

    def optimal(self, rolls: int, points: int = 0, dice: int = _DICE) -> mpq:
        return _optimal(self, rolls, points, dice)

    def _gains(self, menu: _Menu, rolls: int, points: int) -> list[mpq]:
        """Gain of every choice after a roll, without the loss of a bust."""
        room = _TARGET - points
        banked = [min(score, room) if self.past == "capped" else score for score, _ in menu]
        gains = [mpq(score) for score in banked]
        for score, left in menu if rolls > 1 else ():
            is_on = self.past == "no target" or points + score < _TARGET
            if is_on and (left or self.again == "hot dice"):
                gains.append(score + _optimal(self, rolls - 1, points + score, left or _DICE))
        return gains


@cache
def _optimal(reading: ReadmeReading, rolls: int, points: int, dice: int) -> mpq:
    total = mpq(0)
    for (is_bust, menu), ways in _menus(_RULES[reading.scores], reading.kept, dice).items():
        if is_bust and reading.kept != "to the letter":
            total -= ways * points
        else:
            total += ways * (max(reading._gains(menu, rolls, points)) - points * is_bust)
    return total / mpz(6) ** dice


@cache
def _menus(rules: RuleSet, kept: str, dice: int) -> dict[tuple[bool, _Menu], int]:
    """Points and dice left of all choices, with the number of rolls that offer them."""
    menus: Counter[tuple[bool, _Menu]] = Counter()
    for roll in combinations_with_replacement(FACES, dice):
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
    ReadmeReading(*answers)
    for answers in product(
        _RULES,
        ("hot dice", "no hot dice"),
        ("all", "capped", "no target"),
        ("what scores", "the most points", "anything", "to the letter"),
    )
)


def readme_report(statements: Sequence[ReadmeFigure]) -> Report:
    refuted = sum(not s.agrees for s in statements)
    return Report.of(
        "Farkle: the KCD Farkle README checked",
        turn_conventions(KCD, SIX_FAIR, Overshoot.FULL),
        whole("checked", "figures checked")(len(statements)),
        whole("refuted", "figures that do not agree")(refuted),
        Table.of(
            "statements",
            "Figures of the KCD Farkle README",
            statements,
            text_column("about", "quantity counted or computed"),
            text_column("printed", "figure as printed"),
            exact("computed", "exact number"),
            flag("agrees", "whether the figure is the number, rounded or truncated"),
            text_column("note", "remark"),
        ),
    )


@dataclass(frozen=True)
class FarklePrinted(Question, command="farkle printed", example="farkle printed", takes="a moment"):
    """Check the figures of the KCD Farkle README."""

    def report(self, run: Run) -> Report:
        return readme_report(statements())


QUESTIONS = (FarklePrinted,)
