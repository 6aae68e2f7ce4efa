"""Reports of races of two at Farkle and of sets of dice: each made from a solution."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, product
from operator import attrgetter, itemgetter

from exactdice.arithmetic import mpq
from exactdice.enclosure import Enclosure
from exactdice.games.farkle.races.chances import Aim, Busts, Contender, WinChances
from exactdice.games.farkle.races.play import BUST
from exactdice.games.farkle.races.solve import RaceToWin
from exactdice.games.farkle.reports import (
    PLAY_FOR_POINTS,
    advised,
    choices_table,
    in_words,
    kept_of,
    thresholds_table,
)
from exactdice.games.farkle.rules.dice_sets import DiceSet
from exactdice.games.farkle.rules.rule_set import RuleSet
from exactdice.games.farkle.sets.best import BestSets
from exactdice.games.farkle.sets.bounds import SetsAbove
from exactdice.games.farkle.turn.advice import RatedOption, roll_text
from exactdice.games.farkle.turn.exact import Overshoot
from exactdice.games.farkle.turn.forward import Threshold
from exactdice.report.model import (
    ColumnOf,
    Quantity,
    Report,
    Table,
    column_for,
    enclosed,
    exact,
    flag,
    listing,
    number,
    text_column,
    whole,
)
from exactdice.solve.play import JudgedStep, total_regret

_AIMS = {"win": "plays to win, looking at both scores", "points": PLAY_FOR_POINTS}
_LOOKING = "gain from looking at the opponent's score"


def _conventions(chances: WinChances, **more: str) -> dict[str, str]:
    first, second = chances.players
    players = {
        "first": f"{first.dice}, to move: {_AIMS[first.aim]}",
        "second": f"{second.dice}: {_AIMS[second.aim]}",
        "end": "the first to bank the target wins immediately",
    }
    both = first.rules.conventions() | first.rules.other_conventions(second.rules)
    return both | players | more


def race_to_win_report(race: RaceToWin) -> Report:
    standing = f"{race.own} of the first, to move, and {race.other} of the second"
    scores, looking = {"scores": standing} | _row(race.busts), race.looking
    return Report.of(
        f"Farkle: a race to {race.chances.first.target}",
        _conventions(race.chances, **scores),
        Quantity.of("value", "probability that the first player wins", race.value),
        None if looking is None else Quantity.of("looking", _LOOKING, looking),
        says=f"the first player wins a race to {race.chances.first.target}, at {race.own} to "
        f"{race.other} with the first to move",
    )


def _row(busts: Busts) -> dict[str, str]:
    return {"busts": f"{busts[0]} in a row, and {busts[1]} of the other"} if any(busts) else {}


def chances_report(
    chances: WinChances, blind: WinChances | None = None, step: int | None = None
) -> Report:
    """Report the first player's probability to win, and with `blind` the gain from looking."""
    first, second = chances.players
    pairs = product(_shown(first, step), _shown(second, step))
    values = {pair: chances.chance(*pair) for pair in pairs}
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
            ("most", (-1, 0, 1), "over all scores"),
            ("behind", (-1,), "for a player who is behind"),
            ("ahead", (1,), "for a player who is ahead"),
        ):
            of = {(x, y): gain for (x, y), gain in gains.items() if (x > y) - (x < y) in signs}
            quantities += _most_of(name, of, where) if of else []
    table = Table.of("chances", "Chance to win, by the scores", values, *columns)
    return Report.of(f"Farkle: a race to {first.target}", _conventions(chances), *quantities, table)


def _most_of(name: str, gains: Mapping[tuple[int, int], Enclosure], where: str) -> list[Quantity]:
    """Report the largest and mean gain from looking, and its scores by the greatest lower bound."""
    own, other = max(gains, key=lambda pair: gains[pair].lower)
    most = Enclosure(gains[own, other].lower, max(gain.upper for gain in gains.values()))
    mean = sum(gains.values(), Enclosure.of(0)) / len(gains)
    return [
        Quantity.of(f"{name}_looking", f"largest gain from looking {where}", most),
        whole(f"{name}_own", "score of the first player there", "points")(own),
        whole(f"{name}_other", "score of the second player there", "points")(other),
        Quantity.of(f"{name}_mean", f"mean gain from looking {where}", mean),
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
    own, other = scores
    chance = column_for(choice.value for choice in choices)
    regret = column_for(choice.regret for choice in choices)
    quantities = kept_of(choices)
    if choices:
        ties = sum(c.best is True and c.value.point is not None for c in choices[1:])
        quantities += [
            Quantity.of("value", "probability to win with the best choice", choices[0].value),
            whole("ties", "further choices with exactly the same value")(ties),
        ]
    else:
        fallen, row = chances.after_bust(0, own, busts)
        after = chances.after(0, fallen, other, row)
        quantities.append(Quantity.of("value", "probability to win after the bust", after))
    return Report.of(
        f"Farkle: dice to keep of {roll_text(roll)} with {points} points, at {own} to {other}",
        _conventions(chances, scores=f"{own} to {other}", **_row(busts)),
        *quantities,
        choices_table(
            chances.first.dice,
            choices,
            chance("chance", "probability to win after it").by(attrgetter("value")),
            regret("regret", "loss against the best choice"),
            text_column("best", "whether no choice is better: yes, no, or open").by(
                lambda choice: {True: "yes", False: "no", None: "open"}[choice.best]
            ),
        ),
        says="to win: " * bool(choices) + advised(chances.first.dice, choices, len(roll), points),
    )


def thresholds_to_win_report(
    chances: WinChances, of_dice: Sequence[Threshold], scores: tuple[int, int], busts: Busts
) -> Report:
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
            "points from which to bank, and below which to roll",
            text_column("ties", "points at which both are equal", "points").by(
                lambda one: " ".join(map(str, one.ties))
            ),
            text_column("open", "points that the enclosures do not decide", "points").by(
                lambda one: " ".join(map(str, one.unsettled))
            ),
        ),
        says=f"to win at {own} to {other} before the roll",
    )


def race_played_report(
    chances: WinChances, steps: Sequence[JudgedStep], winner: int, you: int, seed: int
) -> Report:
    """Report a race that was played; `winner` and `you` are numbers of players, 0 or 1."""
    to_win = [player for player, each in enumerate(chances.players, 1) if each.aim is Aim.WIN]
    decisions = [step for step in steps if step.player in to_win and step.action != BUST]
    regret = column_for(step.regret for step in decisions)
    names, rows = ("first", "second"), []
    for step in decisions:
        scores = *step.state.standing[:2], step.state.points
        faces = map(roll_text, (step.state.roll, step.action.keep))
        rows.append((names[step.player - 1], *scores, *faces, step.action.then, step.regret))
    return Report.of(
        f"Farkle: a race to {chances.first.target}, played",
        _conventions(chances, seed=str(seed)),
        Quantity.of("value", "probability that the first player wins", chances.value),
        text_column("winner", "player who won: first or second")(names[winner]),
        text_column("you", "player who was you: first or second")(names[you]),
        Quantity.of(
            "regret", "loss by all choices of this player", total_regret(decisions, you + 1)
        ),
        Table.of(
            "decisions",
            "The race",
            rows,
            text_column("player", "player who decided: first or second"),
            whole("own", "score of the player", "points"),
            whole("other", "score of the opponent", "points"),
            whole("points", "points of the turn before the roll", "points"),
            text_column("roll", "faces rolled"),
            text_column("keep", "faces kept"),
            text_column("then", "bank or roll"),
            regret("regret", "loss of probability to win by the choice"),
        ),
        says=("You won" if winner == you else "You lost", f"a race to {chances.first.target}"),
    )


_WORTH = enclosed("value", "expected points of the best turn", "points")
_SETS = whole("candidates", "all sets of dice")
_ENCLOSED = whole("enclosed", "sets enclosed one by one; the others by a common bound")
_FOUND = whole("found", "sets that may reach these points")
_ABOVE = exact("above", "least expected points of a turn, as given", "points")
_WORTHS = {
    "points": ("expected gain of the best turn", "points"),
    "turns": ("least expected number of turns to the target", "turns"),
    "win": ("probability to win, moving first", ""),
}


def best_sets_report(best: BestSets, own: DiceSet, rules: RuleSet, **more: str) -> Report:
    meaning, unit = _WORTHS[best.aim]
    column = column_for(ranked.worth for ranked in best.sets)("value", meaning, unit)
    return Report.of(
        "Farkle: the best dice of those owned",
        rules.conventions() | {"own": str(own)} | more,
        text_column("best", "the best set")(str(best.sets[0].dice)),
        column(best.sets[0].worth),
        whole("candidates", "all sets of this size")(best.candidates),
        whole("enclosed", "sets enclosed one by one")(best.enclosed),
        Table.of(
            "sets",
            "The best sets, the best first",
            (
                (rank, str(one.dice), one.worth, one.is_certain, tuple(map(str, one.ties)))
                for rank, one in enumerate(best.sets, 1)
            ),
            whole("rank", "place among all sets"),
            text_column("dice", "the set"),
            column,
            flag("certain", "whether its place is proved"),
            listing("ties", "other sets with exactly the same value"),
        ),
        says=f"{meaning}: take {in_words(str(best.sets[0].dice))}",
    )


def sets_report(
    above: SetsAbove,
    hold: DiceSet | None,
    without: DiceSet | None,
    rules: RuleSet,
    overshoot: Overshoot,
) -> Report:
    conventions = rules.conventions() | {
        "overshoot": str(overshoot),
        "hold": str(hold or "nothing"),
        "without": str(without or "nothing"),
        "dice": "the named ones, those with equal weights once",
    }
    return Report.of(
        f"Farkle: sets of named dice with at least {above.least} points a turn",
        conventions,
        _ABOVE(above.least),
        _SETS(above.block.sets),
        exact("bound", "upper bound on all sets", "points")(above.bound),
        _ENCLOSED(above.enclosed),
        _FOUND(len(above.found)),
        _table([(str(d), worth) for d, worth in above.found]),
        says=(str(len(above.found)), f"sets of dice may reach {above.least} points a turn"),
    )


def merged_sets_report(reports: Iterable[Report]) -> Report:
    """Rank the sets of disjoint blocks together; all have the same points and rules."""
    sets, count, above = 0, 0, mpq(0)
    ranked: list[tuple[str, Enclosure]] = []
    conventions: Mapping[str, str] = {}
    for report in reports:
        sets += int(number(report.value("candidates")))
        count += int(number(report.value("enclosed")))
        above = max(above, number(report.value("above")))
        conventions = report.provenance.conventions
        ranked += [
            (str(dice), worth)
            for dice, worth in report.table("sets").select("dice", "value")
            if isinstance(worth, Enclosure)
        ]
    ranked.sort(key=lambda pair: (-pair[1].lower, -pair[1].upper))
    shared = {k: v for k, v in conventions.items() if k not in ("hold", "without")}
    return Report.of(
        f"Farkle: the best sets among all {sets} of the named dice",
        shared,
        _ABOVE(above),
        _SETS(sets),
        _ENCLOSED(count),
        _FOUND(len(ranked)),
        text_column("best", "the best set")(ranked[0][0] if ranked else ""),
        _WORTH(ranked[0][1] if ranked else None),
        _table(ranked),
    )


def _table(ranked: Sequence[tuple[str, Enclosure]]) -> Table:
    highest = [*accumulate((worth.upper for _, worth in reversed(ranked)), max)]  # of later ones
    apart = [worth.lower > most for (_, worth), most in zip(ranked, highest[-2::-1], strict=False)]
    ranks = enumerate(zip(ranked, [True, *apart], [*apart, True], strict=False), 1)
    return Table.of(
        "sets",
        "The sets, the best first",
        ((rank, *pair, before and after) for rank, (pair, before, after) in ranks),
        whole("rank", "place among these sets"),
        text_column("dice", "the set"),
        _WORTH,
        flag("certain", "whether its enclosure meets no other"),
    )
