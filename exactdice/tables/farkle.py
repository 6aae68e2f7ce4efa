"""Reports of Farkle: every question of `exactdice.games.farkle` as quantities and tables."""

from collections.abc import Callable, Iterator
from functools import partial

from gmpy2 import mpq

from exactdice.arithmetic import text
from exactdice.games.farkle import (
    JOKER,
    KCD,
    PATCH,
    SIX_FAIR,
    BestTurn,
    DiceSet,
    Die,
    Overshoot,
    RuleSet,
    ThresholdPlayer,
    TurnEnd,
    advise,
    fixed_point,
    horizon,
    named_dice,
    parse_dice,
    solve,
    statements,
    thresholds,
    turn_end,
)
from exactdice.games.farkle.exact import mean_best
from exactdice.games.farkle.menus import menus_of
from exactdice.report.model import (
    Grid,
    Quantity,
    Report,
    Table,
    exact,
    flag,
    listing,
    text_column,
    whole,
)
from exactdice.report.provenance import Provenance
from exactdice.tables.entry import Entry
from exactdice.tables.farkle_races import race_report, turns_report

__all__ = [
    "advice_report",
    "dice_report",
    "distribution_report",
    "entries",
    "horizon_report",
    "readme_report",
    "rules_report",
    "table_report",
    "thresholds_report",
    "value_report",
]

_OVERSHOOT = {
    "full": "full: a roll past the target gains all that it scores",
    "needed": "needed: points past the target are worth nothing",
}
_POINTS = whole("points", "points of the turn", "points")
_PROBABILITY = exact("probability", "probability")
_LEFT = text_column("left", "dice left", heading="dice left")


def _conventions(rules: RuleSet, dice: DiceSet | None = None, overshoot: str = "") -> Provenance:
    conventions = dict(rules.conventions())
    if dice:
        conventions["dice"] = str(dice)
    if overshoot:
        conventions["overshoot"] = _OVERSHOOT[overshoot]
    return Provenance(conventions=conventions)


def _provenance(turn: BestTurn) -> Provenance:
    return _conventions(turn.rules, turn.dice, turn.overshoot if turn.rules.target else "")


def _faces(faces: tuple[int, ...]) -> str:
    return ",".join("J" if face == JOKER else str(face) for face in faces)


def value_report(turn: BestTurn, points: str = "0", left: str | None = None) -> Report:
    """Report Optimal and the expected points at the end."""
    at, state = turn.points(points), turn.state(left)
    final = turn.expected_final(at, left)
    quantities = [
        Quantity(exact("value", "expected gain, Optimal", "points"), final - at),
        Quantity(exact("expected_final", "expected points at the end of the turn"), final),
        Quantity(
            exact("bust_probability", "chance to bust before the end"),
            turn_end(turn, at, left).bust,
        ),
    ]
    rolled = turn.dice.describe(state)
    title = f"Farkle: best turn with {at} points, rolling {rolled}"
    return Report(title, quantities, (), _provenance(turn))


def table_report(turn: BestTurn) -> Report:
    """Report Optimal for all points and all sets of dice left."""
    dice = turn.dice
    table = Table(
        "states",
        "Expected gain from rolling, Optimal",
        [
            _POINTS,
            _LEFT,
            exact("value", "expected gain, Optimal", "points"),
            flag("roll", "whether rolling is better than banking"),
        ],
        [
            (
                points,
                dice.describe(state),
                turn.rolling_worth(points, state) - points,
                turn.worth_rolling(points, state),
            )
            for points in range(0, turn.end, turn.rules.unit)
            for state in dice.proper_states()
        ],
        Grid("points", "left", "value"),
    )
    title = f"Farkle: best turns with {dice}"
    return Report(title, (), [table], _provenance(turn))


def horizon_report(
    turn: BestTurn, rolls: int, points: str = "0", left: str | None = None
) -> Report:
    """Report Optimal_1, …, Optimal_n and the n from which they are Optimal."""
    values = horizon(turn, rolls, points, left)
    optimal = turn.value(points, left)
    quantities = [
        Quantity(
            listing("values", "Optimal_1, …, Optimal_n", "points"),
            tuple(text(value) for value in values),
        ),
        Quantity(exact("value", "Optimal, without a bound on the rolls", "points"), optimal),
        Quantity(
            whole("fixed_point", "smallest n for which Optimal_n is Optimal", "rolls"),
            fixed_point(turn, points, left),
        ),
    ]
    table = Table(
        "horizon",
        "Expected gain with at most n rolls",
        [
            whole("rolls", "most rolls", "rolls", heading="n"),
            exact("gain", "Optimal_n", "points"),
            flag("optimal", "whether Optimal_n is Optimal"),
        ],
        [(n, value, value == optimal) for n, value in enumerate(values, 1)],
    )
    title = f"Farkle: turns of at most {rolls} rolls"
    return Report(title, quantities, [table], _provenance(turn))


def advice_report(turn: BestTurn, roll: str, points: str = "0", left: str | None = None) -> Report:
    """Report every choice after a roll with its value and regret."""
    choices = advise(turn, roll, points, left)
    at = turn.points(points)
    quantities = [Quantity(flag("bust", "whether nothing scores"), not choices)]
    if choices:
        best = choices[0]
        quantities += [
            Quantity(text_column("keep", "faces to keep"), _faces(best.keep)),
            Quantity(text_column("then", "bank or roll on"), best.then),
            Quantity(exact("value", "expected gain of the best choice", "points"), best.value),
        ]
    else:
        loss = mpq(-at - turn.rules.penalty)
        quantities.append(Quantity(exact("value", "gain of a bust", "points"), loss))
    table = Table(
        "choices",
        "Every choice, the best first",
        [
            text_column("keep", "faces kept, J a joker"),
            text_column("kept", "dice that show them, in the same order"),
            text_column("then", "bank, or roll the dice left"),
            _LEFT,
            whole("score", "points of the faces kept", "points"),
            exact("value", "expected gain from now on", "points"),
            exact("regret", "how much less than the best", "points"),
        ],
        [
            (
                _faces(choice.keep),
                ",".join(map(str, choice.kept)),
                choice.then,
                turn.dice.describe(choice.left),
                choice.score,
                choice.value,
                choice.regret,
            )
            for choice in choices
        ],
    )
    title = f"Farkle: what to keep of {roll} with {at} points"
    return Report(title, quantities, [table], _provenance(turn))


def thresholds_report(turn: BestTurn) -> Report:
    """Report for each set of dice left where rolling is better than banking."""
    table = Table(
        "thresholds",
        "Where to roll, and from where to bank",
        [
            _LEFT,
            whole("dice", "number of dice left", "dice"),
            whole("bank_from", "points from which banking is at least as good", "points"),
            text_column("roll", "points at which rolling is better", "points"),
        ],
        [
            (
                turn.dice.describe(found.left),
                turn.dice.size(found.left),
                found.bank_from,
                " ".join(f"{low}–{high}" if low < high else f"{low}" for low, high in found.roll),
            )
            for found in thresholds(turn)
        ],
    )
    quantities = []
    if turn.rules.target is None:
        bound = whole("certain_banking", "points from which banking is certain", "points")
        quantities = [Quantity(bound, turn.end)]
    return Report("Farkle: when to bank", quantities, [table], _provenance(turn))


def distribution_report(
    turn: BestTurn,
    points: str = "0",
    left: str | None = None,
    bank_from: str = "",
) -> Report:
    """Report how a turn ends: under the best policy, or one that banks from some points on."""
    provenance = _provenance(turn)
    if bank_from:
        points_to_bank = turn.rules.whole_points(bank_from, "bank_from")
        player = ThresholdPlayer(turn.rules, turn.dice, points_to_bank, turn.overshoot)
        end = player.turn_end()
        policy = f"keeps the highest score and banks from {bank_from} points"
    else:
        end = turn_end(turn, points, left)
        policy = "maximises the expected points"
    conventions = dict(provenance.conventions) | {"policy": policy}
    return _end_report(end, turn.rules, Provenance(conventions=conventions))


def _end_report(end: TurnEnd, rules: RuleSet, provenance: Provenance) -> Report:
    law = end.distribution(rules.penalty)
    at_least, rest = [], mpq(1)
    for chance in law.probabilities().values():
        at_least.append(rest)
        rest -= chance
    table = Table(
        "points",
        "Points of the turn",
        [_POINTS, _PROBABILITY, exact("at_least", "probability of at least so many points")],
        [(*row, tail) for row, tail in zip(law.probabilities().items(), at_least, strict=True)],
    )
    quantities = [
        Quantity(exact("value", "expected points of the turn", "points"), law.mean()),
        Quantity(exact("bust_probability", "probability to bust"), end.bust),
        Quantity(exact("variance", "variance of the points", "points²"), law.variance()),
        Quantity(exact("expected_rolls", "expected number of rolls", "rolls"), end.rolls),
    ]
    return Report("Farkle: how a turn ends", quantities, [table], provenance)


def rules_report(rules: RuleSet) -> Report:
    """Report what scores under a rule set."""
    table = Table(
        "combinations",
        "What scores",
        [
            text_column("faces", "faces that score together"),
            whole("score", "points", "points"),
        ],
        [(_faces(c.faces), c.score) for c in rules.combinations],
    )
    quantities = [
        Quantity(whole("unit", "points are a multiple of", "points"), rules.unit),
        Quantity(whole("highest_score", "most points of one roll", "points"), rules.highest_score),
    ]
    return Report(f"Farkle: the rules {rules.name}", quantities, [table], _conventions(rules))


def dice_report() -> Report:
    """Report the named dice."""
    table = Table(
        "dice",
        "Named dice",
        [
            text_column("name", "name of the die"),
            listing("weights", "weights of faces 1 to 6"),
            flag("joker", "whether a joker is in place of face 1"),
            exact("mean_alone", "mean score of one such die", "points"),
        ],
        [(name, die.weights, die.joker, _mean_alone(die)) for name, die in named_dice().items()],
    )
    return Report("Farkle: named dice", (), [table], _conventions(KCD))


def _mean_alone(die: Die) -> mpq:
    return mean_best(menus_of(KCD, DiceSet([die]), prune=True), 1)


def readme_report() -> Report:
    """Report what the KCD Farkle README states and what is computed."""
    table = Table(
        "statements",
        "Figures of the KCD Farkle README",
        [
            text_column("about", "what is counted or valued"),
            text_column("printed", "figure as printed"),
            exact("computed", "exact number"),
            flag("agrees", "whether the figure is the number, rounded or cut off"),
            text_column("note", "what to know about it"),
        ],
        [(s.about, s.printed, s.computed, s.agrees, s.note) for s in statements()],
    )
    refuted = sum(not s.agrees for s in statements())
    quantities = [Quantity(whole("refuted", "figures that do not agree"), refuted)]
    return Report(
        "Farkle: the KCD Farkle README checked",
        quantities,
        [table],
        _conventions(KCD, SIX_FAIR, "full"),
    )


_OVERSHOOTS: tuple[Overshoot, ...] = ("full", "needed")
_THREE_KINDS = "fair*3,368:105:105:105:105:212*2,odd"


def entries() -> Iterator[Entry]:
    """List the Farkle tables of the main job."""
    command = "exactdice farkle"
    yield Entry("farkle/readme", readme_report, f"{command} readme")
    yield Entry("farkle/dice", dice_report, f"{command} dice")
    for rules in (KCD, PATCH):
        option = "" if rules is KCD else f" --rules {rules.name}"
        suffix = "" if rules is KCD else f"-{rules.name}"
        yield Entry(
            f"farkle/rules{suffix}", partial(rules_report, rules), f"{command} rules{option}"
        )
        for overshoot in _OVERSHOOTS:
            past = "" if overshoot == "full" else " --overshoot needed"
            yield Entry(
                f"farkle/best-turn{suffix}-{overshoot}",
                partial(_of_turn, table_report, "fair*6", rules, overshoot),
                f"{command} table{option}{past}",
            )
    yield Entry("farkle/horizon", partial(_of_turn, _horizon_to_the_end), f"{command} horizon 33")
    for dice, name in (("fair*6", "fair"), (_THREE_KINDS, "three-kinds")):
        option = "" if name == "fair" else f" --dice '{dice}'"
        for target in (6000, None):
            rules = KCD.varied(target=target)
            goal = "" if target else " --target none"
            yield Entry(
                f"farkle/thresholds-{name}-{target or 'uncapped'}",
                partial(_of_turn, thresholds_report, dice, rules),
                f"{command} thresholds{option}{goal}",
            )
        yield Entry(
            f"farkle/distribution-{name}",
            partial(_of_turn, distribution_report, dice),
            f"{command} distribution{option}",
        )
        yield Entry(
            f"farkle/turns-{name}-4000",
            partial(turns_report, parse_dice(dice), KCD.varied(target=4000), 20),
            f"{command} turns{option} --target 4000 --turns 20",
        )
    yield Entry(
        "farkle/race-three-kinds-fair-4000",
        partial(race_report, parse_dice(_THREE_KINDS), SIX_FAIR, KCD.varied(target=4000)),
        f"{command} race --first '{_THREE_KINDS}' --target 4000",
    )


def _of_turn(
    report: Callable[[BestTurn], Report],
    dice: str = "fair*6",
    rules: RuleSet = KCD,
    overshoot: Overshoot = "full",
) -> Report:
    return report(solve(dice, rules, overshoot))


def _horizon_to_the_end(turn: BestTurn) -> Report:
    return horizon_report(turn, fixed_point(turn))
