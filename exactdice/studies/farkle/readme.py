r"""Check of the KCD Farkle README against its own definitions.

The README counts the work of a naive solution and prints three values of
:math:`\mathrm{Optimal}_n` at the start of a turn: six fair dice, target 6000, hot dice, no minimum
bank, and points past the target count. A `ReadmeFigure` compares a printed figure with the computed
one. `EARLIER` are Optimal_1, Optimal_2 and Optimal_3, truncated, as two independent earlier
programs found them. The printed Optimal_2 and Optimal_3 do not follow from the definition.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import Final

from exactdice.arithmetic import decimal, mpq
from exactdice.games.farkle.reports import turn_conventions
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
    """Whether a figure such as ``399`` or ``2.29e10`` is a number rounded or truncated."""
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


class FarklePrinted(Question):
    """Check the figures of the KCD Farkle README."""

    def report(self, run: Run) -> Report:
        return readme_report(statements())
