"""Reports of races of two at Farkle and of the best dice: each made from a solution."""

from collections.abc import Sequence
from dataclasses import replace

from gmpy2 import mpq

from exactdice.enclosure import Enclosure
from exactdice.games.farkle.best_dice import BestSets
from exactdice.games.farkle.contenders import Contender
from exactdice.games.farkle.dice_sets import DiceSet
from exactdice.games.farkle.race_advice import ChoiceToWin, ThresholdToWin
from exactdice.games.farkle.race_play import RaceDecision
from exactdice.games.farkle.rules import RuleSet
from exactdice.games.farkle.selections import roll_text
from exactdice.games.farkle.two_players import Busts, WinChances
from exactdice.games.farkle.two_players_solved import RaceToWin
from exactdice.report.model import (
    Column,
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
    "advice_to_win_report",
    "best_sets_report",
    "chances_report",
    "race_played_report",
    "race_to_win_report",
    "thresholds_to_win_report",
]

_AIMS = {
    "win": "plays to win, looking at both scores",
    "points": "each turn maximises the expected value of min(points, points still needed)",
}
_LEFT = text_column("left", "dice left", heading="dice left")


def _provenance(chances: WinChances, **more: str) -> Provenance:
    first, second = chances.players
    return Provenance(
        conventions=first.rules.conventions()
        | first.rules.other_conventions(second.rules)
        | {
            "first": f"{first.dice}, to move: {_AIMS[first.aim]}",
            "second": f"{second.dice}: {_AIMS[second.aim]}",
            "end": "the first to bank the target wins at once",
        }
        | more
    )


def _worth(
    name: str, meaning: str, found: Sequence[Enclosure | None]
) -> tuple[Column, list[mpq | Enclosure | None]]:
    """Make a column of numbers: exact ones where all are points."""
    if all(one is None or one.point is not None for one in found):
        return exact(name, meaning), [None if one is None else one.point for one in found]
    return enclosed(name, meaning), list(found)


def _quantity(name: str, meaning: str, found: Enclosure) -> Quantity:
    column, (value,) = _worth(name, meaning, [found])
    return Quantity(column, value)


def race_to_win_report(race: RaceToWin) -> Report:
    """Report the chance that the first of two players wins, and what looking is worth."""
    quantities = [_quantity("value", "probability that the first player wins", race.value)]
    if race.looking is not None:
        meaning = "how much of it is owed to looking at the opponent's score"
        quantities.append(_quantity("looking", meaning, race.looking))
    standing = f"{race.own} of the first, to move, and {race.other} of the second"
    scores = {"scores": standing} | _row(race.busts)
    title = f"Farkle: a race to {race.chances.first.target}"
    return Report(title, quantities, (), _provenance(race.chances, **scores))


def _row(busts: Busts) -> dict[str, str]:
    """Say how many busts in a row there were, where there were any."""
    return {"busts": f"{busts[0]} in a row, and {busts[1]} of the other"} if any(busts) else {}


def chances_report(chances: WinChances) -> Report:
    """Report the chance of the first player to win from some pairs of scores."""
    scores = [(own, other) for own in _shown(chances.first) for other in _shown(chances.second)]
    found = [chances.chance(*pair) for pair in scores]
    column, values = _worth("chance", "probability that the first player wins", found)
    table = Table(
        "chances",
        "Chance to win, by the scores",
        [
            whole("own", "score of the first player, who is to move", "points"),
            whole("other", "score of the second player", "points"),
            column,
        ],
        [(*pair, value) for pair, value in zip(scores, values, strict=True)],
    )
    quantity = _quantity("value", "probability that the first player wins", chances.value)
    title = f"Farkle: a race to {chances.first.target}"
    return Report(title, [quantity], [table], _provenance(chances))


def _shown(player: Contender) -> list[int]:
    return sorted({part * player.levels // 4 * player.rules.unit for part in range(4)})


def advice_to_win_report(
    chances: WinChances,
    choices: Sequence[ChoiceToWin],
    roll: Sequence[int],
    points: int,
    scores: tuple[int, int],
    busts: Busts,
) -> Report:
    """Report every choice after a roll with its chance to win, the best first."""
    dice, (own, other) = chances.first.dice, scores
    chance, worths = _worth(
        "chance", "probability to win after it", [choice.chance for choice in choices]
    )
    regret, regrets = _worth(
        "regret", "how much less than with the best choice", [choice.regret for choice in choices]
    )
    verdict = {True: "yes", False: "no", None: "open"}
    table = Table(
        "choices",
        "Every choice, the best first",
        [
            text_column("keep", "faces kept, J a joker"),
            text_column("kept", "dice that show them, in the same order"),
            text_column("then", "bank, or roll the dice left"),
            _LEFT,
            whole("score", "points of the faces kept", "points"),
            chance,
            regret,
            text_column("best", "whether no choice is better: yes, no, or open"),
        ],
        [
            (
                roll_text(choice.way.selection.keep),
                ",".join(map(str, choice.way.selection.kept)),
                choice.way.then,
                dice.describe(choice.way.rolled),
                choice.way.selection.score,
                worth,
                lost,
                verdict[choice.best],
            )
            for choice, worth, lost in zip(choices, worths, regrets, strict=True)
        ],
    )
    quantities = [Quantity(flag("bust", "whether nothing scores"), not choices)]
    if choices:
        best = choices[0]
        quantities += [
            Quantity(text_column("keep", "faces to keep"), roll_text(best.way.selection.keep)),
            Quantity(text_column("then", "bank or roll on"), best.way.then),
            _quantity("value", "probability to win with the best choice", best.chance),
            Quantity(
                whole("ties", "further choices that are exactly as good"),
                sum(c.best is True and c.chance.point is not None for c in choices[1:]),
            ),
        ]
    else:
        fallen, row = chances.after_bust(0, own, busts)
        after = chances.after(0, fallen, other, row)
        quantities.append(_quantity("value", "probability to win after the bust", after))
    title = f"Farkle: what to keep of {roll_text(roll)} with {points} points, at {own} to {other}"
    provenance = _provenance(chances, scores=f"{own} to {other}", **_row(busts))
    return Report(title, quantities, [table], provenance)


def thresholds_to_win_report(
    chances: WinChances,
    found: Sequence[ThresholdToWin],
    scores: tuple[int, int],
    busts: Busts,
) -> Report:
    """Report for each set of dice left from where to bank at a pair of scores."""
    dice, (own, other) = chances.first.dice, scores
    table = Table(
        "thresholds",
        "Where to roll, and from where to bank",
        [
            _LEFT,
            whole("dice", "number of dice left", "dice"),
            whole("bank_from", "points from which on, and only from which on, to bank", "points"),
            text_column("roll", "points at which rolling is better", "points"),
            text_column("ties", "points at which both are equal", "points"),
            text_column("open", "points at which the enclosures do not tell", "points"),
        ],
        [
            (
                dice.describe(one.left),
                dice.size(one.left),
                one.bank_from,
                " ".join(f"{low}–{high}" if low < high else f"{low}" for low, high in one.roll),
                " ".join(map(str, one.ties)),
                " ".join(map(str, one.unsettled)),
            )
            for one in found
        ],
    )
    quantities = [
        Quantity(whole("target", "points to bank", "points"), chances.first.target),
        Quantity(whole("needed", "points that end the turn", "points"), chances.first.end(own)),
        _quantity("value", "probability to win", chances.chance(own, other, busts=busts)),
    ]
    title = f"Farkle: when to bank at {own} to {other}"
    provenance = _provenance(chances, scores=f"{own} to {other}", **_row(busts))
    return Report(title, quantities, [table], provenance)


def race_played_report(
    chances: WinChances, decisions: Sequence[RaceDecision], winner: int, you: int, seed: int
) -> Report:
    """Report a race that was played, and what the decisions of each player cost.

    Parameters
    ----------
    chances, decisions
        The race, solved, and what was decided.
    winner, you
        Numbers of the player who won, and of the player who was asked.
    seed
        What the random generator that rolled the dice was started with.
    """
    regret, regrets = _worth(
        "regret", "what the choice cost of the chance to win", [d.choice.regret for d in decisions]
    )
    names = ("second", "first")
    table = Table(
        "decisions",
        "The race",
        [
            text_column("player", "who decided: the first or the second to move"),
            whole("own", "score of the player", "points"),
            whole("other", "score of the opponent", "points"),
            whole("points", "points of the turn before the roll", "points"),
            text_column("roll", "faces rolled"),
            text_column("keep", "faces kept"),
            text_column("then", "bank or roll"),
            regret,
        ],
        [
            (
                names[d.situation.mover == 0],
                d.situation.own,
                d.situation.other,
                d.situation.points,
                roll_text(d.situation.roll),
                roll_text(d.choice.way.selection.keep),
                d.choice.way.then,
                lost,
            )
            for d, lost in zip(decisions, regrets, strict=True)
        ],
    )
    yours = [d.choice.regret for d in decisions if d.situation.mover == you]
    total = Enclosure(
        sum((one.lower for one in yours), mpq(0)), sum((one.upper for one in yours), mpq(0))
    )
    quantities = [
        _quantity("value", "probability that the first player wins", chances.value),
        Quantity(text_column("winner", "who won: the first or the second"), names[winner == 0]),
        Quantity(text_column("you", "which player was asked"), names[you == 0]),
        _quantity("regret", "what all choices of that player together cost", total),
    ]
    title = f"Farkle: a race to {chances.first.target}, played"
    return Report(title, quantities, [table], _provenance(chances, seed=str(seed)))


_WORTHS = {
    "points": ("expected gain of the best turn", "points"),
    "turns": ("least expected number of turns to the target", "turns"),
    "win": ("probability to win, moving first", ""),
}


def best_sets_report(best: BestSets, own: DiceSet, rules: RuleSet, **more: str) -> Report:
    """Report the best sets of dice among those owned."""
    meaning, unit = _WORTHS[best.aim]
    column, worths = _worth("value", meaning, [ranked.worth for ranked in best.sets])
    column = replace(column, unit=unit)
    table = Table(
        "sets",
        "The best sets, the best first",
        [
            whole("rank", "place among all sets"),
            text_column("dice", "the set"),
            column,
            flag("certain", "whether its place is proved"),
            listing("ties", "other sets that are worth exactly the same"),
        ],
        [
            (rank, str(ranked.dice), worth, ranked.is_certain, tuple(map(str, ranked.ties)))
            for rank, (ranked, worth) in enumerate(zip(best.sets, worths, strict=True), 1)
        ],
    )
    quantities = [
        Quantity(text_column("best", "the best set"), str(best.sets[0].dice)),
        Quantity(column, worths[0]),
        Quantity(whole("candidates", "sets that can be taken"), best.candidates),
        Quantity(whole("enclosed", "sets whose worth was enclosed"), best.enclosed),
    ]
    provenance = Provenance(conventions=rules.conventions() | {"own": str(own)} | more)
    return Report("Farkle: the best dice of those owned", quantities, [table], provenance)
