r"""What the KCD Farkle README states, and what its own definitions give.

The README counts the work of a naive solution and prints three values of
:math:`\mathrm{Optimal}_n` at the start of a turn. Each is a `Statement` here: the printed figure,
the computed one, and whether they agree to the digits printed.

The values are those of its definition: six fair dice, target 6000, hot dice, no minimum bank, and a
roll past the target gains all that it scores. The figure that it prints for two and for three rolls
is not what the definition gives, with or without hot dice, and with either worth of points past the
target.
"""

from dataclasses import dataclass
from math import comb

from exactdice.arithmetic import decimal, mpq
from exactdice.games.farkle.rules.tables import KCD
from exactdice.games.farkle.sources import README
from exactdice.games.farkle.turn.exact import SIX_FAIR, BestTurn, solve
from exactdice.games.farkle.turn.horizon import fixed_point, horizon


@dataclass(frozen=True)
class Statement:
    """One figure of the README, and whether it is the exact number, rounded or cut off."""

    about: str
    printed: str
    computed: mpq
    agrees: bool
    note: str = ""


def _matches(printed: str, number: mpq) -> bool:
    """Whether a figure such as ``399`` or ``2.29e10`` is a number rounded or cut off.

    >>> _matches("1.261e9", mpq(1261862400)), _matches("1.262e9", mpq(1261862400))
    (True, True)
    """
    digits, _, exponent = printed.partition("e")
    places = len(digits.partition(".")[2])
    scaled = number / mpq(10) ** int(exponent or 0)
    rounded = decimal(scaled, places)
    cut_off = decimal(mpq(scaled * 10**places // 1, 10**places), places)
    return digits in (rounded, cut_off)


def _stated(about: str, number: int | mpq, note: str = "") -> Statement:
    exact, printed = mpq(number), README[about]
    return Statement(about, printed, exact, _matches(printed, exact), note)


def counts() -> list[Statement]:
    """Check the README's counts of states, rolls and computations.

    >>> all(statement.agrees for statement in counts())
    True
    """
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
            f"with the rolls and selections that each set really has: {points * tight}",
        ),
        _stated("rolls with missing dice", seen),
        _stated("computations of Hold beforehand", points * seen * 2**dice),
        _stated("computations of a step after that", points * sets * rolls),
        _stated(
            "both together",
            points * seen * 2**dice + points * sets * rolls,
            "cut off, not rounded",
        ),
    ]


def values(turn: BestTurn | None = None) -> list[Statement]:
    """Check the README's values of Optimal_n, and that two rolls are enough.

    >>> [statement.agrees for statement in values()]
    [True, False, False, False]
    """
    turn = turn or solve()
    one, two, three = horizon(turn, 3)
    enough = fixed_point(turn)
    return [
        _stated("Optimal_1", one, "cut off: 399.1126…"),
        _stated("Optimal_2", two),
        _stated("Optimal_3", three, "larger than Optimal_2"),
        _stated("rolls that are enough", enough, "the first n with Optimal_n = Optimal"),
    ]


def statements() -> list[Statement]:
    """Every figure of the README, checked."""
    return [*counts(), *values()]
