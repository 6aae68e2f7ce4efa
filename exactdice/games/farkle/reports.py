"""Reports of the rules, the dice, one turn, and turns to a target: each made from a solution."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from exactdice.arithmetic import mpq
from exactdice.enclosure import Enclosure, Number
from exactdice.games.farkle.chase import BestChance, TurnCounts
from exactdice.games.farkle.rules.dice_sets import DiceSet, named_dice
from exactdice.games.farkle.rules.menus import Menus
from exactdice.games.farkle.rules.rule_set import JOKER, RuleSet
from exactdice.games.farkle.rules.tables import KCD
from exactdice.games.farkle.turn.advice import RatedOption, roll_text
from exactdice.games.farkle.turn.exact import Overshoot, TurnOptimum
from exactdice.games.farkle.turn.forward import Threshold, TurnEnd
from exactdice.report.model import (
    ColumnOf,
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

_OVERSHOOT = {
    Overshoot.FULL: "full: points past the target count",
    Overshoot.NEEDED: "needed: points past the target do not count",
}
#: The arithmetic if exact numbers would be too large.
ENCLOSED = "enclosed: exact numbers of such long turns would be too large"
MAX_SHOWN_DISTRIBUTION = 1 << 22  #: bytes of exact probabilities; their text has ten times as many
_POINTS = whole("points", "points of the turn", "points")
_LEFT = text_column("left", "dice left", heading="dice left")
_ROLL = flag("roll", "whether rolling is better than banking")
_NUMBERS = ("no die", "die", "two", "three", "four", "five", "six")
PLAY_FOR_POINTS = "each turn maximises the expected value of min(points, points still needed)"


def in_words(dice: str) -> str:
    """Write for example "3 fair, 1 lucky dice" for "fair*3,lucky"."""
    parts = [one.partition("*") for one in dice.split(",")]
    words = ", ".join(f"{number or 1} {name}" for name, _, number in parts)
    return f"{words} {'dice' if ',' in dice or '*' in dice else 'die'}"


def turn_conventions(
    rules: RuleSet, dice: DiceSet, overshoot: Overshoot, **more: str
) -> dict[str, str]:
    past = {"overshoot": _OVERSHOOT[overshoot]} if rules.target else {}
    return rules.conventions() | {"dice": str(dice)} | past | more


def rules_report(rules: RuleSet) -> Report:
    return Report.of(
        f"Farkle: the rules {rules.name}",
        rules.conventions(),
        whole("unit", "points are a multiple of", "points")(rules.unit),
        whole("highest_score", "most points of one roll", "points")(rules.highest_score),
        Table.of(
            "combinations",
            "Scoring combinations",
            rules.combinations,
            text_column("faces", "faces that score together").by(lambda c: roll_text(c.faces)),
            whole("score", "points", "points"),
        ),
    )


def dice_report(alone: Mapping[str, mpq]) -> Report:
    return Report.of(
        "Farkle: named dice",
        KCD.conventions(),
        whole("count", "named dice", "dice")(len(alone)),
        Table.of(
            "dice",
            "Named dice",
            ((name, die.weights, die.joker, alone[name]) for name, die in named_dice().items()),
            text_column("name", "name of the die"),
            listing("weights", "weights of faces 1 to 6"),
            flag("joker", "whether a joker is in place of face 1"),
            exact("mean_alone", "mean score of one such die", "points"),
        ),
    )


def _of(turn: TurnOptimum, is_exact: bool = True) -> dict[str, str]:
    more = {} if is_exact else {"arithmetic": ENCLOSED}
    return turn_conventions(turn.rules, turn.dice, turn.overshoot, **more)


def turn_report(turn: TurnOptimum) -> Report:
    return Report.of(
        f"Farkle: best turn with {turn.dice}",
        _of(turn),
        exact("value", "expected gain of the best turn", "points")(turn.value),
        Table.of(
            "starts",
            "Expected gain without points",
            turn.dice.proper_states(),
            _LEFT.by(turn.dice.describe),
            exact("value", "expected gain, Optimal", "points").by(partial(turn.rolling_worth, 0)),
            _ROLL.by(partial(turn.worth_rolling, 0)),
        ),
        says=f"points on average in a turn with {in_words(str(turn.dice))}, played optimally",
    )


def value_report(
    turn: TurnOptimum, end: TurnEnd | None, points: int = 0, left: str | None = None
) -> Report:
    state = turn.state(left)
    rolls = points == 0 or turn.worth_rolling(points, state)  # a turn begins with a roll
    then = "roll" if rolls else "bank"
    final = turn.rolling_bounds(points, state) if end is None else turn.rolling_worth(points, state)
    gain = final - points
    number = column_for([final])
    quantities = [
        number("value", "expected gain of rolling, Optimal", "points")(gain),
        text_column("then", "best decision: bank or roll")(then),
    ]
    if end:
        quantities[1:1] = [
            exact("expected_final", "expected points at the end of the turn")(final),
            exact("bust_probability", "probability to bust before the end")(end.bust),
            exact("expected_rolls", "expected number of rolls", "rolls")(end.rolls),
        ]
        best = gain if rolls else (turn.banking_worth(points) or 0) - points
        quantities.append(exact("best_gain", "expected gain of this decision", "points")(best))
    left = turn.dice.describe(state)
    is_start = not points and state == turn.dice.full
    says = f"points on average {'in a turn with' if is_start else 'gained by rolling'} "
    says += in_words(left) + f" with {points} points: {then}" * bool(points)
    title = f"Farkle: best turn with {points} points, rolling {left}"
    return Report.of(title, _of(turn, is_exact=end is not None), *quantities, says=says)


def end_report(
    end: TurnEnd, rules: RuleSet, dice: DiceSet, overshoot: Overshoot, policy: str
) -> Report:
    ends, number = end.distribution(rules.penalty), exact if end.lost == 0 else enclosed
    rows, rest = [], sum((chance.lower for chance in ends.values()), mpq(0))
    for points, chance in ends.items():
        rows.append((points, chance, end.chance(rest)))
        rest -= chance.lower
    more = {} if end.lost == 0 else {"arithmetic": ENCLOSED}
    return Report.of(
        "Farkle: distribution of a turn",
        turn_conventions(rules, dice, overshoot, policy=policy, **more),
        number("value", "expected points of the turn", "points")(end.mean(rules.penalty)),
        number("bust_probability", "probability to bust")(end.bust),
        number("variance", "variance of the points", "points²")(end.variance(rules.penalty)),
        number("expected_rolls", "expected number of rolls", "rolls")(end.rolls),
        Table.of(
            "points",
            "Points of the turn",
            rows,
            _POINTS,
            number("probability", "probability"),
            number("at_least", "probability of at least these points"),
        ),
        says=f"points on average in a turn with {in_words(str(dice))}; it {policy}",
    )


def _worths(turn: TurnOptimum, points: int, *, is_exact: bool) -> Iterable[tuple[int, Number]]:
    if is_exact:
        return ((state, turn.rolling_worth(points, state)) for state in turn.dice.proper_states())
    return turn.sweep.bounds(points // turn.rules.unit).items()


def table_report(turn: TurnOptimum, *, is_exact: bool = True) -> Report:
    dice = turn.dice
    rows = [
        (points, state, final - points)
        for points in range(0, turn.end, turn.rules.unit)
        for state, final in _worths(turn, points, is_exact=is_exact)
    ]
    table = Table.of(
        "states",
        "Expected gain from rolling, Optimal",
        (
            (points, dice.describe(state), gain, turn.worth_rolling(points, state))
            for points, state, gain in rows
        ),
        _POINTS,
        _LEFT,
        column_for(gain for *_, gain in rows)("value", "expected gain, Optimal", "points"),
        _ROLL,
        grid=Grid("points", "left", "value") if is_exact else None,  # cells need single numbers
    )
    return Report.of(f"Farkle: best turns with {dice}", _of(turn, is_exact), table)


def horizon_report(turn: TurnOptimum, gains: Sequence[mpq], optimal: mpq, first: int) -> Report:
    return Report.of(
        f"Farkle: turns of at most {len(gains)} rolls",
        _of(turn),
        exact("value", "Optimal, with any number of rolls", "points")(optimal),
        whole("fixed_point", "smallest n with Optimal_n = Optimal", "rolls")(first),
        Table.of(
            "horizon",
            "Expected gain with at most n rolls",
            ((n, gain, n >= first) for n, gain in enumerate(gains, 1)),
            whole("rolls", "most rolls", "rolls", heading="n"),
            exact("gain", "Optimal_n", "points"),
            flag("optimal", "whether Optimal_n = Optimal"),
        ),
        says=f"points gained on average by rolling; {first} rolls are enough for it",
    )


def choices_table(dice: DiceSet, choices: Iterable[RatedOption], *columns: ColumnOf) -> Table:
    return Table.of(
        "choices",
        "Choices, the best first",
        choices,
        text_column("keep", "faces kept, J a joker").by(lambda choice: roll_text(choice.keep)),
        text_column("kept", "dice that show them, in the same order").by(
            lambda choice: ",".join(map(str, choice.kept))
        ),
        text_column("then", "bank, or roll the dice left"),
        _LEFT.by(lambda choice: dice.describe(choice.left)),
        whole("score", "points of the faces kept", "points"),
        *columns,
    )


def kept_of(choices: Sequence[RatedOption]) -> list[Quantity]:
    quantities = [flag("bust", "whether nothing scores")(not choices)]
    for best in choices[:1]:
        quantities.append(text_column("keep", "faces to keep")(roll_text(best.keep)))
        quantities.append(text_column("then", "bank or roll on")(best.then))
    return quantities


def advised(dice: DiceSet, choices: Sequence[RatedOption], rolled: int, points: int) -> str:
    """Write the best choice in words, or that there is none."""
    if not choices:
        return "nothing scores"
    best, left = choices[0], dice.size(choices[0].left)
    faces = " ".join(
        f"{'J' if face == JOKER else face}" + f" ({die})" * (str(die) != "fair")
        for face, die in zip(best.keep, best.kept, strict=True)
    )
    does = next_step(best.then, points + best.score, left, is_hot=len(best.keep) == rolled)
    return f"keep the {faces} ({best.score} points), {does}"


def next_step(then: str, points: int, left: int, *, is_hot: bool) -> str:
    if then == "bank":
        return f"bank {points}"
    number = _NUMBERS[left] if left < len(_NUMBERS) else str(left)
    return f"roll all {number} again" if is_hot else f"roll the other {number}"


def advice_report(
    turn: TurnOptimum, choices: Sequence[RatedOption], roll: Sequence[int], points: int = 0
) -> Report:
    number = column_for(choice.value for choice in choices)
    if choices:
        value = number("value", "expected gain of the best choice", "points")(choices[0].value)
    else:
        value = exact("value", "points lost by the bust", "points")(-points - turn.rules.penalty)
    table = choices_table(
        turn.dice,
        choices,
        number("value", "expected gain from now on", "points"),
        number("regret", "loss against the best choice", "points"),
    )
    title = f"Farkle: dice to keep of {roll_text(roll)} with {points} points"
    says = f"points gained on average: {advised(turn.dice, choices, len(roll), points)}"
    return Report.of(title, _of(turn, number is exact), *kept_of(choices), value, table, says=says)


def thresholds_table(
    dice: DiceSet, of_dice: Iterable[Threshold], bank_from: str, *more: ColumnOf
) -> Table:
    return Table.of(
        "thresholds",
        "Points at which to roll, and from which to bank",
        of_dice,
        _LEFT.by(lambda one: dice.describe(one.left)),
        whole("dice", "number of dice left", "dice").by(lambda one: dice.size(one.left)),
        whole("bank_from", bank_from, "points"),
        text_column("roll", "points at which rolling is better", "points").by(
            lambda one: " ".join(f"{a}–{b}" if a < b else f"{a}" for a, b in one.roll)
        ),
        *more,
    )


def thresholds_report(turn: TurnOptimum, of_dice: Iterable[Threshold]) -> Report:
    table = thresholds_table(turn.dice, of_dice, "points from which banking is at least as good")
    if turn.rules.target is None:
        ends = whole("certain_banking", "points from which banking is certain", "points")
    else:
        ends = whole("target", "points that end the turn", "points")
    says = f"Points from which to bank, by the dice left of {in_words(str(turn.dice))}"
    return Report.of("Farkle: when to bank", _of(turn), ends(turn.end), table, says=says)


def turns_report(counts: TurnCounts) -> Report:
    rules = counts.rules
    cdf = [bounds.lower for bounds in counts.cdf]
    error = max(_ceiling(bounds.width) for bounds in counts.cdf)
    chances = [after - before for before, after in zip([mpq(0), *cdf], cdf, strict=False)]
    quantities = [exact("error_bound", "largest error of a probability, downwards")(error)]
    if counts.expected is not None:
        mean, off = _rounded(counts.expected)
        quantities[:0] = [
            exact("expected_turns", "expected number of turns", "turns")(mean),
            exact("expected_turns_error", "largest error of this number", "turns")(off),
        ]
    rounding = "probabilities rounded down, by at most the error bound" if error else "exact"
    arithmetic = {"arithmetic": rounding}
    return Report.of(
        f"Farkle: turns to {rules.target}",
        rules.conventions() | {"dice": str(counts.dice), "play": PLAY_FOR_POINTS} | arithmetic,
        *quantities,
        Table.of(
            "turns",
            "Number of turns to the target",
            zip(range(1, len(cdf) + 1), chances, cdf, strict=True),
            whole("turn", "number of turns", "turns"),
            exact("probability", "probability"),
            exact("by_then", "probability to have reached the target by then"),
        ),
        says=f"turns on average to reach {rules.target} with {in_words(str(counts.dice))}",
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
    value, error = _rounded(chance)
    conventions = {"first": str(first), "second": str(second)}
    conventions |= rules.other_conventions(second_rules or rules) | {
        "play": PLAY_FOR_POINTS,
        "arithmetic": "rounded from integer bounds, by less than the error bound",
    }
    return Report.of(
        f"Farkle: a race to {rules.target}",
        rules.conventions() | conventions,
        exact("value", "probability that the first player wins")(value),
        exact("error_bound", "largest error of this probability")(error),
        says=f"the first player, with {in_words(str(first))}, reaches {rules.target} first, "
        f"against {in_words(str(second))}",
    )


def _rounded(chance: Enclosure, places: int = 60) -> tuple[mpq, mpq]:
    unit = mpq(1, 10**places)
    value = chance.middle // unit * unit
    return value, _ceiling(max(value - chance.lower, chance.upper - value))


def bust_report(menus: Menus) -> Report:
    dice, full = menus.dice, menus.dice.full
    rows = [(dice.describe(state), menus.bust_chance(state)) for state in dice.proper_states()]
    chance = exact("bust", "probability that a roll scores nothing")
    return Report.of(
        f"Farkle: rolls of {dice} that score nothing",
        menus.rules.conventions() | {"dice": str(dice)},
        exact("value", "probability that a roll of all dice scores nothing")(
            menus.bust_chance(full)
        ),
        Table.of("dice", "By the dice rolled", rows, _LEFT, chance),
        says=f"of rolls of {in_words(str(dice))} score nothing",
    )


def chance_report(best: BestChance, chance: mpq, turns: int) -> Report:
    within = f"{best.target} within {turns} turn{'s' * (turns != 1)}"
    play = "maximises the probability to reach the target within the turns"
    return Report.of(
        f"Farkle: reaching {within}",
        best.rules.conventions() | {"dice": str(best.dice), "play": play},
        exact("value", "highest probability to reach the target")(chance),
        says=f"to reach {within} with {in_words(str(best.dice))}, played optimally",
    )
