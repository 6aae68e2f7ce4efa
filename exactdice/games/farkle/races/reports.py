"""Reports of races of two at Farkle and of the best dice: each made from a solution."""

from collections.abc import Mapping, Sequence
from itertools import product
from operator import attrgetter, itemgetter

from exactdice.enclosure import Enclosure
from exactdice.games.farkle.races.chances import Busts, WinChances
from exactdice.games.farkle.races.contenders import Aim, Contender
from exactdice.games.farkle.races.play import BUST
from exactdice.games.farkle.races.solve import RaceToWin
from exactdice.games.farkle.reports import choices_table, kept_of, thresholds_table
from exactdice.games.farkle.turn.advice import RatedOption, roll_text
from exactdice.games.farkle.turn.thresholds import Threshold
from exactdice.report.model import (
    ColumnOf,
    Provenance,
    Quantity,
    Report,
    Table,
    column_for,
    text_column,
    whole,
)
from exactdice.solve.play import JudgedStep, total_regret

_AIMS = {
    "win": "plays to win, looking at both scores",
    "points": "each turn maximises the expected value of min(points, points still needed)",
}
_LOOKING = "how much of it is owed to looking at the opponent's score"


def _conventions(chances: WinChances, **more: str) -> dict[str, str]:
    first, second = chances.players
    players = {
        "first": f"{first.dice}, to move: {_AIMS[first.aim]}",
        "second": f"{second.dice}: {_AIMS[second.aim]}",
        "end": "the first to bank the target wins at once",
    }
    both = first.rules.conventions() | first.rules.other_conventions(second.rules)
    return both | players | more


def race_to_win_report(race: RaceToWin) -> Report:
    """Report the chance that the first of two players wins, and what looking is worth."""
    standing = f"{race.own} of the first, to move, and {race.other} of the second"
    scores, looking = {"scores": standing} | _row(race.busts), race.looking
    return Report.of(
        f"Farkle: a race to {race.chances.first.target}",
        _conventions(race.chances, **scores),
        Quantity.of("value", "probability that the first player wins", race.value),
        None if looking is None else Quantity.of("looking", _LOOKING, looking),
    )


def _row(busts: Busts) -> dict[str, str]:
    """Say how many busts in a row there were, where there were any."""
    return {"busts": f"{busts[0]} in a row, and {busts[1]} of the other"} if any(busts) else {}


def chances_report(
    chances: WinChances, blind: WinChances | None = None, step: int | None = None
) -> Report:
    """Report the chance of the first player to win from some pairs of scores.

    With `blind`, those of a first player who plays for points, also what looking at the opponent's
    score is worth. Without a `step` between the scores they are a quarter of the target apart.
    """
    first, second = chances.players
    values = {
        pair: chances.chance(*pair) for pair in product(_shown(first, step), _shown(second, step))
    }
    chance = column_for(values.values())
    columns: list[ColumnOf] = [
        whole("own", "score of the first player, who is to move", "points").by(itemgetter(0)),
        whole("other", "score of the second player", "points").by(itemgetter(1)),
        chance("chance", "probability that the first player wins").by(values.__getitem__),
    ]
    quantities = [Quantity.of("value", "probability that the first player wins", chances.value)]
    if blind is not None:
        units = first.rules.unit, second.rules.unit
        everywhere = product(_shown(first, units[0]), _shown(second, units[1]))
        gains = {pair: chances.chance(*pair) - blind.chance(*pair) for pair in everywhere}
        columns.append(column_for(gains.values())("looking", _LOOKING).by(gains.__getitem__))
        for name, signs, where in (
            ("most", (-1, 0, 1), "of all scores"),
            ("behind", (-1,), "of a player who is behind"),
            ("ahead", (1,), "of a player who is ahead"),
        ):
            of = {(x, y): gain for (x, y), gain in gains.items() if (x > y) - (x < y) in signs}
            quantities += _most_of(name, of, where) if of else []
    table = Table.of("chances", "Chance to win, by the scores", values, *columns)
    return Report.of(f"Farkle: a race to {first.target}", _conventions(chances), *quantities, table)


def _most_of(name: str, gains: Mapping[tuple[int, int], Enclosure], where: str) -> list[Quantity]:
    """Say what looking is worth at most and on average, and at which scores it is most.

    Where enclosures meet, the scores are those with the greatest lower bound.
    """
    own, other = max(gains, key=lambda pair: gains[pair].lower)
    most = Enclosure(gains[own, other].lower, max(gain.upper for gain in gains.values()))
    mean = sum(gains.values(), Enclosure.of(0)) / len(gains)
    return [
        Quantity.of(f"{name}_looking", f"the most that looking is worth, {where}", most),
        whole(f"{name}_own", "score of the first player there", "points")(own),
        whole(f"{name}_other", "score of the second player there", "points")(other),
        Quantity.of(f"{name}_mean", f"what looking is worth on average over scores, {where}", mean),
    ]


def _shown(player: Contender, step: int | None) -> Sequence[int]:
    quarters = {part * player.levels // 4 * player.rules.unit for part in range(4)}
    return range(0, player.target, step) if step else sorted(quarters)


def advice_to_win_report(
    chances: WinChances,
    choices: Sequence[RatedOption],
    roll: Sequence[int],
    points: int,
    scores: tuple[int, int],
    busts: Busts,
) -> Report:
    """Report every choice after a roll with its chance to win, the best first."""
    own, other = scores
    chance = column_for(choice.value for choice in choices)
    regret = column_for(choice.regret for choice in choices)
    quantities = kept_of(choices)
    if choices:
        ties = sum(c.best is True and c.value.point is not None for c in choices[1:])
        quantities += [
            Quantity.of("value", "probability to win with the best choice", choices[0].value),
            whole("ties", "further choices that are exactly as good")(ties),
        ]
    else:
        fallen, row = chances.after_bust(0, own, busts)
        after = chances.after(0, fallen, other, row)
        quantities.append(Quantity.of("value", "probability to win after the bust", after))
    return Report.of(
        f"Farkle: what to keep of {roll_text(roll)} with {points} points, at {own} to {other}",
        _conventions(chances, scores=f"{own} to {other}", **_row(busts)),
        *quantities,
        choices_table(
            chances.first.dice,
            choices,
            chance("chance", "probability to win after it").by(attrgetter("value")),
            regret("regret", "how much less than with the best choice"),
            text_column("best", "whether no choice is better: yes, no, or open").by(
                lambda choice: {True: "yes", False: "no", None: "open"}[choice.best]
            ),
        ),
    )


def thresholds_to_win_report(
    chances: WinChances, of_dice: Sequence[Threshold], scores: tuple[int, int], busts: Busts
) -> Report:
    """Report for each set of dice left from where to bank at a pair of scores."""
    own, other = scores
    return Report.of(
        f"Farkle: when to bank at {own} to {other}",
        _conventions(chances, scores=f"{own} to {other}", **_row(busts)),
        whole("target", "points to bank", "points")(chances.first.target),
        whole("needed", "points that end the turn", "points")(chances.first.end(own)),
        Quantity.of("value", "probability to win", chances.chance(own, other, busts=busts)),
        thresholds_table(
            chances.first.dice,
            of_dice,
            "points from which on, and only from which on, to bank",
            text_column("ties", "points at which both are equal", "points").by(
                lambda one: " ".join(map(str, one.ties))
            ),
            text_column("open", "points at which the enclosures do not tell", "points").by(
                lambda one: " ".join(map(str, one.unsettled))
            ),
        ),
    )


def race_played_report(
    chances: WinChances, steps: Sequence[JudgedStep], winner: int, you: int, seed: int
) -> Report:
    """Report a race that was played, and what the decisions of each player cost.

    `winner` and `you`, who was asked, are numbers of players; the seed is that of the dice.
    """
    to_win = [player for player, each in enumerate(chances.players, 1) if each.aim is Aim.WIN]
    decisions = [step for step in steps if step.player in to_win and step.action != BUST]
    regret = column_for(step.regret for step in decisions)
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
            regret("regret", "what the choice cost of the chance to win"),
        ],
        [
            (
                names[step.player == 1],
                *step.state.standing[:2],
                step.state.points,
                *map(roll_text, (step.state.roll, step.action.keep)),
                step.action.then,
                step.regret,
            )
            for step in decisions
        ],
    )
    total = total_regret(decisions, you + 1)
    quantities = [
        Quantity.of("value", "probability that the first player wins", chances.value),
        Quantity(text_column("winner", "who won: the first or the second"), names[winner == 0]),
        Quantity(text_column("you", "which player was asked"), names[you == 0]),
        Quantity.of("regret", "what all choices of that player together cost", total),
    ]
    title = f"Farkle: a race to {chances.first.target}, played"
    return Report(
        title, quantities, [table], Provenance(conventions=_conventions(chances, seed=str(seed)))
    )
