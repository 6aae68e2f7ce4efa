"""Reports of Farkle over several turns: turns to a target, races, and the best chance."""

from gmpy2 import mpq

from exactdice.arithmetic import text
from exactdice.enclosure import Enclosure
from exactdice.games.farkle import BestChance, Chaser, DiceSet, RuleSet, race
from exactdice.report.model import Quantity, Report, Table, exact, listing, whole
from exactdice.report.provenance import Provenance

__all__ = ["EXACT_DIGITS", "chance_report", "race_report", "turns_report"]

#: Longer fractions are replaced by bounds on the distribution of turns, unless asked for.
EXACT_DIGITS = 4000

_PLAY = "each turn maximises the expected value of min(points, points still needed)"


def turns_report(
    dice: DiceSet, rules: RuleSet, turns: int, *, always_exact: bool = False
) -> Report:
    """Report the distribution of the number of turns to the target.

    The chances are exact as long as their denominators have at most `EXACT_DIGITS` digits, or
    always if asked for; else they are rounded down, and a bound on the error is given.
    """
    chaser = Chaser(dice, rules)
    if always_exact or chaser.exact_digits(turns) <= EXACT_DIGITS:
        cdf, error = chaser.cdf(turns), mpq(0)
        arithmetic = "exact"
    else:
        bounds = chaser.cdf_enclosed(turns)
        cdf, error = [b.lower for b in bounds], max(_ceiling(b.width) for b in bounds)
        arithmetic = "chances rounded down, by at most the error bound"
    chances = [after - before for before, after in zip([mpq(0), *cdf], cdf, strict=False)]
    table = Table(
        "turns",
        "Number of turns to the target",
        [
            whole("turn", "number of turns", "turns"),
            exact("probability", "probability"),
            exact("by_then", "probability to have reached the target by then"),
        ],
        [(k, *both) for k, both in enumerate(zip(chances, cdf, strict=True), 1)],
    )
    quantities = [
        Quantity(
            listing("cdf", "probability to reach the target within 1, 2, … turns"),
            tuple(text(chance) for chance in cdf),
        ),
        Quantity(exact("error_bound", "the most that a probability is too low"), error),
    ]
    if (
        not rules.penalty and chaser.can_reach
    ):  # with one the points needed, and so the turns, have no bound
        mean, off = _rounded(chaser.expected_turns())
        quantities += [
            Quantity(exact("expected_turns", "expected number of turns", "turns"), mean),
            Quantity(exact("expected_turns_error", "the most that it is off", "turns"), off),
        ]
    conventions = rules.conventions() | {
        "dice": str(dice),
        "play": _PLAY,
        "arithmetic": arithmetic,
    }
    title = f"Farkle: turns to {rules.target}"
    return Report(title, quantities, [table], Provenance(conventions=conventions))


def _ceiling(width: mpq) -> mpq:
    """Return the smallest power of ten that a width does not exceed; 0 for 0.

    Examples
    --------
    >>> _ceiling(mpq(3, 1000)), _ceiling(mpq(1, 100)), _ceiling(mpq(0)), _ceiling(mpq(5))
    (mpq(1,100), mpq(1,100), mpq(0,1), mpq(10,1))
    """
    if width == 0:
        return mpq(0)
    bound = mpq(1)
    while bound < width:
        bound *= 10
    while bound / 10 >= width:
        bound /= 10
    return bound


def race_report(first: DiceSet, second: DiceSet, rules: RuleSet) -> Report:
    """Report the chance that the first of two players reaches the target first."""
    chance = race(first, second, rules)
    value, error = _rounded(chance)
    quantities = [
        Quantity(exact("value", "probability that the first player wins"), value),
        Quantity(exact("error_bound", "the most that it is off"), error),
    ]
    conventions = rules.conventions() | {
        "first": str(first),
        "second": str(second),
        "play": _PLAY,
        "arithmetic": "rounded from bounds in integers, which are off by less than the error bound",
    }
    title = f"Farkle: a race to {rules.target}"
    return Report(title, quantities, (), Provenance(conventions=conventions))


def _rounded(chance: Enclosure, places: int = 60) -> tuple[mpq, mpq]:
    """Return a decimal near an enclosed number, and a power of ten that its error is below."""
    unit = mpq(1, 10**places)
    value = chance.middle // unit * unit
    return value, _ceiling(max(value - chance.lower, chance.upper - value))


def chance_report(
    best: BestChance, turns: str, score: str = "0", points: str = "0", left: str | None = None
) -> Report:
    """Report the best chance to reach the target within some turns."""
    value = best.chance(turns, score, points, left)
    meaning = "best probability to reach the target"
    conventions = best.rules.conventions() | {
        "dice": str(best.dice),
        "play": "maximises the chance of reaching the target within the turns",
    }
    title = f"Farkle: reaching {best.target} within {turns} turns"
    return Report(
        title,
        [Quantity(exact("value", meaning), value)],
        provenance=Provenance(conventions=conventions),
    )
