"""Reports of several turns: how many it takes to a target, and who is there first."""

from exactdice.arithmetic import mpq
from exactdice.enclosure import Enclosure
from exactdice.games.farkle.chase.chances import BestChance
from exactdice.games.farkle.chase.turns import TurnCounts
from exactdice.games.farkle.reports import provenance_of
from exactdice.games.farkle.rules.dice_sets import DiceSet
from exactdice.games.farkle.rules.rule_set import RuleSet
from exactdice.report.model import Quantity, Report, Table, exact, whole

_PLAY = "each turn maximises the expected value of min(points, points still needed)"


def turns_report(counts: TurnCounts) -> Report:
    """Report the distribution of the number of turns to the target."""
    cdf = [bounds.lower for bounds in counts.cdf]
    error = max(_ceiling(bounds.width) for bounds in counts.cdf)
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
    quantities = [Quantity(exact("error_bound", "the most that a probability is too low"), error)]
    if counts.expected is not None:
        mean, off = _rounded(counts.expected)
        quantities[:0] = [
            Quantity(exact("expected_turns", "expected number of turns", "turns"), mean),
            Quantity(exact("expected_turns_error", "the most that it is off", "turns"), off),
        ]
    arithmetic = "chances rounded down, by at most the error bound" if error else "exact"
    rules = counts.rules
    provenance = provenance_of(rules, dice=str(counts.dice), play=_PLAY, arithmetic=arithmetic)
    return Report(f"Farkle: turns to {rules.target}", quantities, [table], provenance)


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
    quantities = [
        Quantity(exact("value", "probability that the first player wins"), value),
        Quantity(exact("error_bound", "the most that it is off"), error),
    ]
    provenance = provenance_of(
        rules,
        first=str(first),
        second=str(second),
        **rules.other_conventions(second_rules or rules),
        play=_PLAY,
        arithmetic="rounded from bounds in integers, which are off by less than the error bound",
    )
    return Report(f"Farkle: a race to {rules.target}", quantities, (), provenance)


def _rounded(chance: Enclosure, places: int = 60) -> tuple[mpq, mpq]:
    """Return a decimal near an enclosed number, and a power of ten that its error is below."""
    unit = mpq(1, 10**places)
    value = chance.middle // unit * unit
    return value, _ceiling(max(value - chance.lower, chance.upper - value))


def chance_report(best: BestChance, chance: mpq, turns: int) -> Report:
    """Report the best chance to reach the target within some turns."""
    value = Quantity(exact("value", "best probability to reach the target"), chance)
    play = "maximises the chance of reaching the target within the turns"
    provenance = provenance_of(best.rules, dice=str(best.dice), play=play)
    title = f"Farkle: reaching {best.target} within {turns} turns"
    return Report(title, [value], (), provenance)
