"""Reports of the rules, the dice and the README, and what the provenance of all reports says."""

from collections.abc import Mapping, Sequence

from exactdice.arithmetic import mpq
from exactdice.games.farkle.readme import Statement
from exactdice.games.farkle.rules.dice_sets import DiceSet, named_dice
from exactdice.games.farkle.rules.rule_set import RuleSet
from exactdice.games.farkle.rules.selections import roll_text
from exactdice.games.farkle.rules.tables import KCD
from exactdice.games.farkle.turn.exact import SIX_FAIR, Overshoot
from exactdice.report.model import Quantity, Report, Table, exact, flag, listing, text_column, whole
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
