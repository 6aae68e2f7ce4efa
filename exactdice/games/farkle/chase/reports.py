"""Reports of several turns: how many it takes to a target, and who is there first."""

from exactdice.arithmetic import mpq
from exactdice.enclosure import Enclosure
from exactdice.games.farkle.chase.chances import BestChance
from exactdice.games.farkle.chase.turns import TurnCounts
from exactdice.games.farkle.rules.dice_sets import DiceSet
from exactdice.games.farkle.rules.rule_set import RuleSet
from exactdice.report.model import Report, Table, exact, whole

_PLAY = "each turn maximises the expected value of min(points, points still needed)"


def turns_report(counts: TurnCounts) -> Report:
    """Report the distribution of the number of turns to the target."""
    rules = counts.rules
    cdf = [bounds.lower for bounds in counts.cdf]
    error = max(_ceiling(bounds.width) for bounds in counts.cdf)
    chances = [after - before for before, after in zip([mpq(0), *cdf], cdf, strict=False)]
    quantities = [exact("error_bound", "the most that a probability is too low")(error)]
    if counts.expected is not None:
        mean, off = _rounded(counts.expected)
        quantities[:0] = [
            exact("expected_turns", "expected number of turns", "turns")(mean),
            exact("expected_turns_error", "the most that it is off", "turns")(off),
        ]
    arithmetic = "chances rounded down, by at most the error bound" if error else "exact"
    return Report.of(
        f"Farkle: turns to {rules.target}",
        rules.conventions() | {"dice": str(counts.dice), "play": _PLAY, "arithmetic": arithmetic},
        *quantities,
        Table.of(
            "turns",
            "Number of turns to the target",
            zip(range(1, len(cdf) + 1), chances, cdf, strict=True),
            whole("turn", "number of turns", "turns"),
            exact("probability", "probability"),
            exact("by_then", "probability to have reached the target by then"),
        ),
    )


def _ceiling(width: mpq) -> mpq:
    """Return the smallest power of ten that a width does not exceed; 0 for 0."""
    if width == 0:
        return mpq(0)
    bound = mpq(1)
    while bound < width:
        bound *= 10
    while bound / 10 >= width:
        bound /= 10
    return bound


def race_report(
    chance: Enclosure,
    first: DiceSet,
    second: DiceSet,
    rules: RuleSet,
    second_rules: RuleSet | None = None,
) -> Report:
    """Report the chance that the first of two players reaches the target first."""
    value, error = _rounded(chance)
    conventions = {"first": str(first), "second": str(second)}
    conventions |= rules.other_conventions(second_rules or rules) | {
        "play": _PLAY,
        "arithmetic": "rounded from bounds in integers, which are off by less than the error bound",
    }
    return Report.of(
        f"Farkle: a race to {rules.target}",
        rules.conventions() | conventions,
        exact("value", "probability that the first player wins")(value),
        exact("error_bound", "the most that it is off")(error),
    )


def _rounded(chance: Enclosure, places: int = 60) -> tuple[mpq, mpq]:
    """Return a decimal near an enclosed number, and a power of ten that its error is below."""
    unit = mpq(1, 10**places)
    value = chance.middle // unit * unit
    return value, _ceiling(max(value - chance.lower, chance.upper - value))


def chance_report(best: BestChance, chance: mpq, turns: int) -> Report:
    """Report the best chance to reach the target within some turns."""
    play = "maximises the chance of reaching the target within the turns"
    return Report.of(
        f"Farkle: reaching {best.target} within {turns} turns",
        best.rules.conventions() | {"dice": str(best.dice), "play": play},
        exact("value", "best probability to reach the target")(chance),
    )
