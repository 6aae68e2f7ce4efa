"""Reports of the rules, the dice, the README and one turn: each made from a solution."""

from collections.abc import Iterable, Mapping, Sequence

from exactdice.arithmetic import mpq
from exactdice.enclosure import Number
from exactdice.games.farkle.rules.dice_sets import DiceSet, named_dice
from exactdice.games.farkle.rules.rule_set import RuleSet
from exactdice.games.farkle.rules.tables import KCD
from exactdice.games.farkle.turn.advice import RatedOption, roll_text
from exactdice.games.farkle.turn.exact import Overshoot, TurnOptimum
from exactdice.games.farkle.turn.forward import TurnEnd
from exactdice.games.farkle.turn.thresholds import Threshold
from exactdice.report.model import (
    Column,
    Grid,
    Quantity,
    Report,
    Table,
    column_for,
    enclosed,
    exact,
    flag,
    listing,
    text_column,
    whole,
)
from exactdice.report.provenance import Provenance

_OVERSHOOT = {
    Overshoot.FULL: "full: a roll past the target gains all that it scores",
    Overshoot.NEEDED: "needed: points past the target are worth nothing",
}


def provenance_of(rules: RuleSet, **more: str) -> Provenance:
    """Name the conventions of the rules, and what more is to be said."""
    return Provenance(conventions=rules.conventions() | more)


def turn_provenance(rules: RuleSet, dice: DiceSet, overshoot: Overshoot, **more: str) -> Provenance:
    """Name the conventions of a turn with some dice, and what more is to be said."""
    past = {"overshoot": _OVERSHOOT[overshoot]} if rules.target else {}
    return provenance_of(rules, dice=str(dice), **past, **more)


def rules_report(rules: RuleSet) -> Report:
    """Report what scores under a rule set."""
    table = Table(
        "combinations",
        "What scores",
        [text_column("faces", "faces that score together"), whole("score", "points", "points")],
        [(roll_text(c.faces), c.score) for c in rules.combinations],
    )
    quantities = [
        Quantity(whole("unit", "points are a multiple of", "points"), rules.unit),
        Quantity(whole("highest_score", "most points of one roll", "points"), rules.highest_score),
    ]
    return Report(f"Farkle: the rules {rules.name}", quantities, [table], provenance_of(rules))


def dice_report(alone: Mapping[str, mpq]) -> Report:
    """Report the named dice, with the mean score of each alone."""
    table = Table(
        "dice",
        "Named dice",
        [
            text_column("name", "name of the die"),
            listing("weights", "weights of faces 1 to 6"),
            flag("joker", "whether a joker is in place of face 1"),
            exact("mean_alone", "mean score of one such die", "points"),
        ],
        [(name, die.weights, die.joker, alone[name]) for name, die in named_dice().items()],
    )
    count = Quantity(whole("count", "named dice", "dice"), len(alone))
    return Report("Farkle: named dice", [count], [table], provenance_of(KCD))


#: What is said where exact numbers would be too large.
ENCLOSED = "enclosed: turns are so long that exact numbers would be too large"

_POINTS = whole("points", "points of the turn", "points")
_LEFT = text_column("left", "dice left", heading="dice left")


def _of(turn: TurnOptimum, is_exact: bool = True) -> Provenance:
    more = {} if is_exact else {"arithmetic": ENCLOSED}
    return turn_provenance(turn.rules, turn.dice, turn.overshoot, **more)


def turn_report(turn: TurnOptimum) -> Report:
    """Report what each set of dice is worth without points, which is how a turn begins."""
    value = Quantity(exact("value", "expected gain of the best turn", "points"), turn.value)
    starts = Table(
        "starts",
        "Expected gain without points",
        [
            _LEFT,
            exact("value", "expected gain, Optimal", "points"),
            flag("roll", "whether rolling is better than banking"),
        ],
        [
            (turn.dice.describe(state), worth, turn.worth_rolling(0, state))
            for state in turn.dice.proper_states()
            for worth in [turn.rolling_worth(0, state)]
        ],
    )
    return Report(f"Farkle: best turn with {turn.dice}", [value], [starts], _of(turn))


def value_report(
    turn: TurnOptimum, end: TurnEnd | None, points: int = 0, left: str | None = None
) -> Report:
    """Report Optimal, the expected points at the end, and whether to roll at all.

    Where how the turn ends is None, as its law is too long, Optimal is enclosed and the rest left
    out.
    """
    state = turn.state(left)
    rolls = points == 0 or turn.worth_rolling(points, state)  # a turn begins with a roll
    final = turn.rolling_bounds(points, state) if end is None else turn.rolling_worth(points, state)
    gain = final - points
    number = column_for([final])
    quantities = [Quantity(number("value", "expected gain of rolling, Optimal", "points"), gain)]
    if end:
        quantities += [
            Quantity(exact("expected_final", "expected points at the end of the turn"), final),
            Quantity(exact("bust_probability", "chance to bust before the end"), end.bust),
            Quantity(exact("expected_rolls", "expected number of rolls", "rolls"), end.rolls),
        ]
    then = text_column("then", "what to do now: bank or roll")
    quantities.append(Quantity(then, "roll" if rolls else "bank"))
    if end:
        best = gain if rolls else (turn.banking_worth(points) or 0) - points
        quantities.append(Quantity(exact("best_gain", "expected gain of doing so", "points"), best))
    title = f"Farkle: best turn with {points} points, rolling {turn.dice.describe(state)}"
    return Report(title, quantities, (), _of(turn, is_exact=end is not None))


#: Bytes of exact chances of which a report is made; its text takes some ten times as much.
MAX_SHOWN_LAW = 1 << 22


def end_report(
    end: TurnEnd, rules: RuleSet, dice: DiceSet, overshoot: Overshoot, policy: str
) -> Report:
    """Report how a turn ends under a policy, which is named in words."""
    law, number = end.law(rules.penalty), exact if end.lost == 0 else enclosed
    rows, rest = [], sum((chance.lower for chance in law.values()), mpq(0))
    for points, chance in law.items():
        rows.append((points, chance, end.chance(rest)))
        rest -= chance.lower
    value = number("value", "expected points of the turn", "points")
    bust = number("bust_probability", "probability to bust")
    variance = number("variance", "variance of the points", "points²")
    rolls = number("expected_rolls", "expected number of rolls", "rolls")
    quantities = [
        Quantity(value, end.mean(rules.penalty)),
        Quantity(bust, end.bust),
        Quantity(variance, end.variance(rules.penalty)),
        Quantity(rolls, end.rolls),
    ]
    table = Table(
        "points",
        "Points of the turn",
        [
            _POINTS,
            number("probability", "probability"),
            number("at_least", "probability of at least so many points"),
        ],
        rows,
    )
    more = {} if end.lost == 0 else {"arithmetic": ENCLOSED}
    provenance = turn_provenance(rules, dice, overshoot, policy=policy, **more)
    return Report("Farkle: how a turn ends", quantities, [table], provenance)


def _worths(turn: TurnOptimum, points: int, *, is_exact: bool) -> Iterable[tuple[int, Number]]:
    """Expected final points of rolling each set of dice."""
    if is_exact:
        return ((state, turn.rolling_worth(points, state)) for state in turn.dice.proper_states())
    return turn.sweep.bounds(points // turn.rules.unit).items()


def table_report(turn: TurnOptimum, *, is_exact: bool = True) -> Report:
    """Report Optimal for all points and all sets of dice left; enclosed where it is not exact."""
    dice = turn.dice
    rows = [
        (points, state, final - points)
        for points in range(0, turn.end, turn.rules.unit)
        for state, final in _worths(turn, points, is_exact=is_exact)
    ]
    table = Table(
        "states",
        "Expected gain from rolling, Optimal",
        [
            _POINTS,
            _LEFT,
            column_for(gain for *_, gain in rows)("value", "expected gain, Optimal", "points"),
            flag("roll", "whether rolling is better than banking"),
        ],
        [
            (points, dice.describe(state), gain, turn.worth_rolling(points, state))
            for points, state, gain in rows
        ],
        Grid("points", "left", "value") if is_exact else None,  # cells hold one number each
    )
    title = f"Farkle: best turns with {dice}"
    return Report(title, (), [table], _of(turn, is_exact))


def horizon_report(turn: TurnOptimum, gains: Sequence[mpq], optimal: mpq, first: int) -> Report:
    """Report Optimal_1, …, Optimal_n and the first n from which they are Optimal."""
    quantities = [
        Quantity(exact("value", "Optimal, without a bound on the rolls", "points"), optimal),
        Quantity(whole("fixed_point", "smallest n for which Optimal_n is Optimal", "rolls"), first),
    ]
    table = Table(
        "horizon",
        "Expected gain with at most n rolls",
        [
            whole("rolls", "most rolls", "rolls", heading="n"),
            exact("gain", "Optimal_n", "points"),
            flag("optimal", "whether Optimal_n is Optimal"),
        ],
        [(n, gain, n >= first) for n, gain in enumerate(gains, 1)],
    )
    title = f"Farkle: turns of at most {len(gains)} rolls"
    return Report(title, quantities, [table], _of(turn))


_VERDICTS = {True: "yes", False: "no", None: "open"}


def choices_table(
    dice: DiceSet, choices: Iterable[RatedOption], columns: Sequence[Column]
) -> Table:
    """List choices with their value and regret, and with a third column whether they are best."""
    rows = (
        (
            roll_text(choice.keep),
            ",".join(map(str, choice.kept)),
            choice.then,
            dice.describe(choice.left),
            choice.score,
            *(choice.value, choice.regret, _VERDICTS[choice.best])[: len(columns)],
        )
        for choice in choices
    )
    kept = [
        text_column("keep", "faces kept, J a joker"),
        text_column("kept", "dice that show them, in the same order"),
        text_column("then", "bank, or roll the dice left"),
        _LEFT,
        whole("score", "points of the faces kept", "points"),
    ]
    return Table("choices", "Every choice, the best first", [*kept, *columns], rows)


def kept_of(choices: Sequence[RatedOption]) -> list[Quantity]:
    """Say whether a roll is a bust, and what to do after one that is not."""
    quantities = [Quantity(flag("bust", "whether nothing scores"), not choices)]
    for best in choices[:1]:
        keep = Quantity(text_column("keep", "faces to keep"), roll_text(best.keep))
        quantities += [keep, Quantity(text_column("then", "bank or roll on"), best.then)]
    return quantities


def advice_report(
    turn: TurnOptimum, choices: Sequence[RatedOption], roll: Sequence[int], points: int = 0
) -> Report:
    """Report every choice after a roll, the best first, with its value and regret."""
    number = column_for(choice.value for choice in choices)
    columns = [
        number("value", "expected gain from now on", "points"),
        number("regret", "how much less than the best", "points"),
    ]
    if choices:
        value = number("value", "expected gain of the best choice", "points")
        worth = Quantity(value, choices[0].value)
    else:
        loss = exact("value", "gain of a bust", "points")
        worth = Quantity(loss, -points - turn.rules.penalty)
    table = choices_table(turn.dice, choices, columns)
    title = f"Farkle: what to keep of {roll_text(roll)} with {points} points"
    return Report(title, [*kept_of(choices), worth], [table], _of(turn, number is exact))


def thresholds_table(
    dice: DiceSet, of_dice: Iterable[Threshold], bank_from: str, more: Sequence[Column] = ()
) -> Table:
    """List thresholds; with two more columns what is equal and what is open."""
    rows = (
        (
            dice.describe(one.left),
            dice.size(one.left),
            one.bank_from,
            " ".join(f"{low}–{high}" if low < high else f"{low}" for low, high in one.roll),
            *(" ".join(map(str, points)) for points in (one.ties, one.unsettled)[: len(more)]),
        )
        for one in of_dice
    )
    columns = [
        _LEFT,
        whole("dice", "number of dice left", "dice"),
        whole("bank_from", bank_from, "points"),
        text_column("roll", "points at which rolling is better", "points"),
    ]
    title = "Where to roll, and from where to bank"
    return Table("thresholds", title, [*columns, *more], rows)


def thresholds_report(turn: TurnOptimum, of_dice: Iterable[Threshold]) -> Report:
    """Report for each set of dice left where rolling is better than banking."""
    table = thresholds_table(turn.dice, of_dice, "points from which banking is at least as good")
    if turn.rules.target is None:
        ends = whole("certain_banking", "points from which banking is certain", "points")
    else:
        ends = whole("target", "points that end the turn", "points")
    return Report("Farkle: when to bank", [Quantity(ends, turn.end)], [table], _of(turn))
