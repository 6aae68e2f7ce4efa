"""`exactdice farkle …`: best turns, advice, thresholds, turns to a target and races."""

from dataclasses import dataclass
from typing import Annotated

import typer

from exactdice.arithmetic import natural
from exactdice.cli.legacy_presenting import OptionGroup, command, group, one_of
from exactdice.cli.progress import progress_bar
from exactdice.errors import InputError
from exactdice.games.farkle import (
    BestChance,
    BestTurn,
    DiceSet,
    Overshoot,
    RuleSet,
    parse_dice,
    rule_set,
    solve,
)
from exactdice.report.model import Report
from exactdice.tables import farkle as reports
from exactdice.tables import farkle_races as races

__all__ = ["app"]

app = group()

_DiceOption = Annotated[
    str,
    typer.Option(metavar="D", help="Dice: names or six weights a:…:f, with counts, as fair*5,odd."),
]
_RulesOption = Annotated[str, typer.Option(metavar="kcd|patch", help="What scores.")]
_TargetOption = Annotated[
    str, typer.Option(metavar="N|none", help="Points that end the turn; default by the rules.")
]
_NoHotDice = Annotated[bool, typer.Option("--no-hot-dice", help="Bank when all dice have scored.")]
_MinimumBank = Annotated[str, typer.Option(metavar="N", help="Points needed to bank.")]
_Penalty = Annotated[str, typer.Option(metavar="N", help="Points that a bust costs besides.")]
_Points = Annotated[str, typer.Option(metavar="P", help="Points of the turn so far.")]
_Left = Annotated[str, typer.Option(metavar="SPEC", help="Dice rolled; all of them by default.")]


def _read_rules(
    rules: _RulesOption = "kcd",
    target: _TargetOption = "",
    no_hot_dice: _NoHotDice = False,
    minimum_bank: _MinimumBank = "",
    penalty: _Penalty = "",
) -> RuleSet:
    chosen = rule_set(rules)
    changes: dict[str, object] = {"hot_dice": chosen.hot_dice and not no_hot_dice}
    if target:
        changes["target"] = None if target == "none" else target
    for name, given in (("minimum_bank", minimum_bank), ("penalty", penalty)):
        if given:
            changes[name] = given
    return chosen.varied(**changes)


@dataclass(frozen=True)
class _Game:
    """A player's dice and the rules."""

    dice: DiceSet
    rules: RuleSet


def _read_game(
    dice: _DiceOption = "fair*6",
    rules: _RulesOption = "kcd",
    target: _TargetOption = "",
    no_hot_dice: _NoHotDice = False,
    minimum_bank: _MinimumBank = "",
    penalty: _Penalty = "",
) -> _Game:
    chosen = _read_rules(rules, target, no_hot_dice, minimum_bank, penalty)
    return _Game(parse_dice(dice, most=chosen.dice), chosen)


def _read_turn(
    dice: _DiceOption = "fair*6",
    rules: _RulesOption = "kcd",
    target: _TargetOption = "",
    overshoot: Annotated[
        str, typer.Option(metavar="full|needed", help="What points past the target are worth.")
    ] = "full",
    no_hot_dice: _NoHotDice = False,
    minimum_bank: _MinimumBank = "",
    penalty: _Penalty = "",
) -> BestTurn:
    game = _read_game(dice, rules, target, no_hot_dice, minimum_bank, penalty)
    past = one_of(overshoot, ["full", "needed"], "overshoot")
    with progress_bar("numbers of points") as progress:
        chosen: Overshoot = "full" if past == "full" else "needed"
        return solve(game.dice, game.rules, chosen, progress=progress)


_TurnOptions = Annotated[BestTurn, OptionGroup(_read_turn)]
_GameOptions = Annotated[_Game, OptionGroup(_read_game)]
_RulesOptions = Annotated[RuleSet, OptionGroup(_read_rules)]


@command(app, "value")
def show_value(turn: _TurnOptions, points: _Points = "0", left: _Left = "") -> Report:
    """Expected gain of the best turn: Optimal(P, δ)."""
    return reports.value_report(turn, points, left or None)


@command(app, "table")
def show_table(turn: _TurnOptions) -> Report:
    """Optimal(P, δ) for all points and all sets of dice left."""
    return reports.table_report(turn)


@command(app, "horizon")
def show_horizon(
    rolls: Annotated[str, typer.Argument(metavar="N", help="Most rolls.")],
    turn: _TurnOptions,
    points: _Points = "0",
    left: _Left = "",
) -> Report:
    """Optimal_1, …, Optimal_N: the best turns of at most so many rolls."""
    return reports.horizon_report(turn, natural(rolls, "rolls", least=1), points, left or None)


@command(app, "advise")
def show_advice(
    roll: Annotated[
        str, typer.Option(metavar="F,F,…", help="Face of each die rolled, J for a joker.")
    ],
    turn: _TurnOptions,
    points: _Points = "0",
    left: _Left = "",
) -> Report:
    """What to keep of a roll and whether to bank, every choice with its regret."""
    return reports.advice_report(turn, roll, points, left or None)


@command(app, "thresholds")
def show_thresholds(turn: _TurnOptions) -> Report:
    """From how many points to bank, by the dice left."""
    return reports.thresholds_report(turn)


@command(app, "distribution")
def show_distribution(
    turn: _TurnOptions,
    points: _Points = "0",
    left: _Left = "",
    bank_from: Annotated[
        str, typer.Option(metavar="N", help="A simple player instead: banks from N points on.")
    ] = "",
) -> Report:
    """Distribution of the points of a turn, and the chance to bust."""
    if bank_from and (points != "0" or left):
        raise InputError("bank_from", bank_from, "whole turns only, without points or left")
    return reports.distribution_report(turn, points, left or None, bank_from)


@command(app, "turns")
def show_turns(
    game: _GameOptions,
    turns: Annotated[str, typer.Option(metavar="K", help="Turns to look at.")] = "20",
    exact: Annotated[
        bool, typer.Option("--exact", help="Exact fractions, however long they are.")
    ] = False,
) -> Report:
    """Distribution of the number of turns to the target."""
    looked_at = natural(turns, "turns", least=1)
    return races.turns_report(game.dice, game.rules, looked_at, always_exact=exact)


@command(app, "race")
def show_race(
    rules: _RulesOptions,
    first: Annotated[str, typer.Option(metavar="D", help="Dice of the first.")] = "fair*6",
    second: Annotated[str, typer.Option(metavar="D", help="Dice of the second.")] = "fair*6",
) -> Report:
    """Chance that the first of two players reaches the target first."""
    return races.race_report(
        parse_dice(first, "first", most=rules.dice),
        parse_dice(second, "second", most=rules.dice),
        rules,
    )


@command(app, "chance")
def show_chance(
    game: _GameOptions,
    turns: Annotated[str, typer.Option(metavar="K", help="Turns, this one included.")] = "1",
    score: Annotated[str, typer.Option(metavar="N", help="Points banked before.")] = "0",
    points: _Points = "0",
    left: _Left = "",
) -> Report:
    """Best chance to reach the target within this turn, or within K turns."""
    return races.chance_report(
        BestChance(game.dice, game.rules), turns, score, points, left or None
    )


@command(app, "rules")
def show_rules(rules: _RulesOptions) -> Report:
    """What scores, and every convention."""
    return reports.rules_report(rules)


@command(app, "dice")
def show_dice() -> Report:
    """List the named dice."""
    return reports.dice_report()


@command(app, "readme")
def show_readme() -> Report:
    """Check the figures of the KCD Farkle README."""
    return reports.readme_report()
