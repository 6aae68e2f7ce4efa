"""Reports of Farkle: each made from a solution of `exactdice.games.farkle`, none by solving."""

from collections.abc import Iterable, Mapping, Sequence

from gmpy2 import mpq

from exactdice.arithmetic import text
from exactdice.enclosure import Enclosure
from exactdice.games.farkle.advice import Choice, EnclosedChoice
from exactdice.games.farkle.dice_sets import DiceSet, named_dice
from exactdice.games.farkle.exact import SIX_FAIR, BestTurn, Overshoot
from exactdice.games.farkle.forward import TurnEnd
from exactdice.games.farkle.players import Threshold
from exactdice.games.farkle.readme import Statement
from exactdice.games.farkle.rule_tables import KCD
from exactdice.games.farkle.rules import RuleSet
from exactdice.games.farkle.selections import roll_text
from exactdice.report.model import (
    Cell,
    Grid,
    Quantity,
    Report,
    Table,
    enclosed,
    exact,
    flag,
    listing,
    text_column,
    whole,
)
from exactdice.report.provenance import Provenance

__all__ = [
    "ENCLOSED",
    "advice_report",
    "dice_report",
    "enclosed_value_report",
    "horizon_report",
    "provenance_of",
    "readme_report",
    "rules_report",
    "table_report",
    "thresholds_report",
    "turn_provenance",
    "turn_report",
    "value_report",
]

#: What is said where exact numbers would be too large.
ENCLOSED = "enclosed: turns are so long that exact numbers would be too large"

_OVERSHOOT = {
    Overshoot.FULL: "full: a roll past the target gains all that it scores",
    Overshoot.NEEDED: "needed: points past the target are worth nothing",
}
_POINTS = whole("points", "points of the turn", "points")
_PROBABILITY = exact("probability", "probability")
_LEFT = text_column("left", "dice left", heading="dice left")


def provenance_of(rules: RuleSet, **more: str) -> Provenance:
    """Name the conventions of the rules, and what more is to be said."""
    return Provenance(conventions=rules.conventions() | more)


def turn_provenance(rules: RuleSet, dice: DiceSet, overshoot: Overshoot, **more: str) -> Provenance:
    """Name the conventions of a turn with some dice, and what more is to be said."""
    past = {"overshoot": _OVERSHOOT[overshoot]} if rules.target else {}
    return provenance_of(rules, dice=str(dice), **past, **more)


def _of(turn: BestTurn, is_exact: bool = True) -> Provenance:
    more = {} if is_exact else {"arithmetic": ENCLOSED}
    return turn_provenance(turn.rules, turn.dice, turn.overshoot, **more)


def turn_report(turn: BestTurn) -> Report:
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


def enclosed_value_report(turn: BestTurn, points: int = 0, left: str | None = None) -> Report:
    """Report Optimal enclosed, for turns too long for exact values and for the law of their end.

    Parameters
    ----------
    turn
        The game, solved.
    points, left
        Where the player stands.
    """
    optimal, rolled = turn.enclosed(points, left), turn.state(left)
    rolls = points == 0 or turn.worth_rolling(points, rolled)
    quantities = [
        Quantity(enclosed("value", "expected gain of rolling, Optimal", "points"), optimal),
        Quantity(text_column("then", "what to do now: bank or roll"), "roll" if rolls else "bank"),
    ]
    title = f"Farkle: best turn with {points} points, rolling {turn.dice.describe(rolled)}"
    return Report(title, quantities, (), _of(turn, is_exact=False))


def value_report(turn: BestTurn, end: TurnEnd, points: int = 0, left: str | None = None) -> Report:
    """Report Optimal, the expected points at the end, and whether to roll at all.

    Parameters
    ----------
    turn
        The game, solved.
    end
        How the turn ends when the dice are rolled.
    points, left
        Where the player stands.
    """
    final = turn.expected_final(points, left)
    banked = turn.banking_worth(points) if points else None  # a turn begins with a roll
    rolls = banked is None or final > banked
    gain = final if banked is None or rolls else banked
    quantities = [
        Quantity(exact("value", "expected gain of rolling, Optimal", "points"), final - points),
        Quantity(exact("expected_final", "expected points at the end of the turn"), final),
        Quantity(exact("bust_probability", "chance to bust before the end"), end.bust),
        Quantity(exact("expected_rolls", "expected number of rolls", "rolls"), end.rolls),
        Quantity(text_column("then", "what to do now: bank or roll"), "roll" if rolls else "bank"),
        Quantity(exact("best_gain", "expected gain of doing so", "points"), gain - points),
    ]
    rolled = turn.dice.describe(turn.state(left))
    title = f"Farkle: best turn with {points} points, rolling {rolled}"
    return Report(title, quantities, (), _of(turn))


def table_report(turn: BestTurn, *, is_exact: bool = True) -> Report:
    """Report Optimal for all points and all sets of dice left; enclosed where it is not exact."""
    dice = turn.dice
    rows: Iterable[tuple[int, int, Cell]]
    if is_exact:
        rows = (
            (points, state, turn.rolling_worth(points, state) - points)
            for points in range(0, turn.end, turn.rules.unit)
            for state in dice.proper_states()
        )
    else:
        rows = (
            (points, state, Enclosure(final.lower - points, final.upper - points))
            for points in range(0, turn.end, turn.rules.unit)
            for state, final in turn.sweep.bounds(points // turn.rules.unit).items()
        )
    table = Table(
        "states",
        "Expected gain from rolling, Optimal",
        [
            _POINTS,
            _LEFT,
            (exact if is_exact else enclosed)("value", "expected gain, Optimal", "points"),
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


def horizon_report(turn: BestTurn, gains: Sequence[mpq], optimal: mpq, first: int) -> Report:
    """Report Optimal_1, …, Optimal_n and the n from which they are Optimal.

    Parameters
    ----------
    turn
        The game.
    gains
        Optimal_1, Optimal_2, ….
    optimal
        Optimal at the same place.
    first
        The smallest n for which they are equal.
    """
    quantities = [
        Quantity(listing("values", "Optimal_1, …, Optimal_n", "points"), tuple(map(text, gains))),
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


def advice_report(
    turn: BestTurn,
    choices: Sequence[Choice] | Sequence[EnclosedChoice],
    roll: Sequence[int],
    points: int = 0,
) -> Report:
    """Report every choice after a roll, the best first, with its value and regret."""
    is_exact = not any(isinstance(choice, EnclosedChoice) for choice in choices)
    number = exact if is_exact else enclosed
    quantities = [Quantity(flag("bust", "whether nothing scores"), not choices)]
    if choices:
        best = choices[0]
        quantities += [
            Quantity(text_column("keep", "faces to keep"), roll_text(best.keep)),
            Quantity(text_column("then", "bank or roll on"), best.then),
            Quantity(number("value", "expected gain of the best choice", "points"), best.value),
        ]
    else:
        loss = mpq(-points - turn.rules.penalty)
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
            number("value", "expected gain from now on", "points"),
            number("regret", "how much less than the best", "points"),
        ],
        [
            (
                roll_text(choice.keep),
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
    title = f"Farkle: what to keep of {roll_text(roll)} with {points} points"
    return Report(title, quantities, [table], _of(turn, is_exact))


def thresholds_report(turn: BestTurn, found: Iterable[Threshold]) -> Report:
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
                turn.dice.describe(one.left),
                turn.dice.size(one.left),
                one.bank_from,
                " ".join(f"{low}–{high}" if low < high else f"{low}" for low, high in one.roll),
            )
            for one in found
        ],
    )
    if turn.rules.target is None:
        ends = whole("certain_banking", "points from which banking is certain", "points")
    else:
        ends = whole("target", "points that end the turn", "points")
    return Report("Farkle: when to bank", [Quantity(ends, turn.end)], [table], _of(turn))


def rules_report(rules: RuleSet) -> Report:
    """Report what scores under a rule set."""
    table = Table(
        "combinations",
        "What scores",
        [
            text_column("faces", "faces that score together"),
            whole("score", "points", "points"),
        ],
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


def readme_report(statements: Sequence[Statement]) -> Report:
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
        [(s.about, s.printed, s.computed, s.agrees, s.note) for s in statements],
    )
    refuted = sum(not s.agrees for s in statements)
    quantities = [
        Quantity(whole("checked", "figures that are checked"), len(statements)),
        Quantity(whole("refuted", "figures that do not agree"), refuted),
    ]
    return Report(
        "Farkle: the KCD Farkle README checked",
        quantities,
        [table],
        turn_provenance(KCD, SIX_FAIR, Overshoot.FULL),
    )
