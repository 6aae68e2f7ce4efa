"""Reports of other aims than the mean, of two rivals, of games that were played, and promotions."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from exactdice.arithmetic import mpq, text
from exactdice.games.swe.laws.evaluation import Evaluation
from exactdice.games.swe.model import action_text
from exactdice.games.swe.optimum.exact import Solution
from exactdice.games.swe.optimum.objectives import AimedAt
from exactdice.games.swe.reports.common import (
    conventions_of,
    reachable_quantity,
    rounds_text,
    state_text,
)
from exactdice.games.swe.rules import Ladder, first_rise, promotion_table
from exactdice.report.model import (
    Cell,
    Provenance,
    Quantity,
    Report,
    Table,
    exact,
    flag,
    listing,
    text_column,
    whole,
)
from exactdice.solve.play import JudgedStep, total_regret

if TYPE_CHECKING:
    from exactdice.games.swe.optimum.rivals import Rivals

#: Moments of a game of rivals that are listed; all are counted.
MOST_LISTED = 100


def target_report(aimed_at: AimedAt, target: int, policies: Sequence[Evaluation]) -> Report:
    """Report the greatest probability to reach a target, and what each policy makes of it."""
    meaning = f"greatest probability of a final score of at least {target}"
    report = _aim_report(aimed_at, meaning, f"SWE: to reach {target} in")
    if aimed_at.state is not None:
        return report
    rows: list[tuple[Cell, ...]] = []
    for evaluation in policies:
        chance = evaluation.law.reaches(target).point
        short = None if chance is None else aimed_at.value - chance
        rows.append((evaluation.policy, chance, short))
    table = Table.of(
        "policies",
        "What policies for the mean make of it",
        rows,
        text_column("name", "policy"),
        exact("chance", "probability to reach the target; nothing where it is only enclosed"),
        exact("short", "how much less than the greatest"),
    )
    return replace(report, tables=(*report.tables, table))


def beat_report(aimed_at: AimedAt, against: str, tie: mpq) -> Report:
    """Report the best response to a score that is known, or to a policy that plays apart."""
    meaning = f"greatest probability of more than {against}, plus {text(tie)} that of a tie"
    return _aim_report(aimed_at, meaning, f"SWE: to beat {against} in")


def _aim_report(aimed_at: AimedAt, meaning: str, title: str) -> Report:
    """Report the value of an aim, and what each action is worth."""
    ladder, state = aimed_at.ladder, aimed_at.state
    actions = Table.of(
        "actions",
        "What each action is worth",
        aimed_at.advice,
        text_column("action", "what to do").by(lambda a: a.action.describe(ladder)),
        exact("value", "the greatest probability after it"),
        exact("regret", "how much less than with the best action"),
        flag("optimal", "whether no other action is better"),
    )
    quantities = [exact("value", meaning)(aimed_at.value)]
    where = f"{title} {aimed_at.rounds} rounds"
    if state is not None:
        where += f", in round {aimed_at.now} with {state_text(state, ladder)}"
        quantities.append(reachable_quantity(state, aimed_at.now, ladder))
    return Report.of(where, conventions_of(ladder), *quantities, actions)


def rivals_report(game: "Rivals") -> Report:
    """Report what the first player gets, and where playing to win is not playing for points."""
    ladder = game.ladder
    meaning = f"chance that the first player wins, plus {text(game.tie)} that of a tie"
    conventions = {
        "turns": "in every round the first player plays, then the second; each sees everything",
        "tie": f"worth {text(game.tie)} to the first player",
        "for points": "a move that makes the expected score of its player largest",
    }
    return Report.of(
        f"SWE: {rounds_text(game.rounds)} of two players in turn order",
        conventions_of(ladder, **conventions),
        exact("value", f"{meaning}, both playing to win")(game.value),
        exact("for_points", f"{meaning}, both playing for points")(game.points_value),
        whole("pairs", "pairs of states of both players", "states")(game.pairs),
        whole("differences", "moments at which no move for points is a best one")(
            len(game.differences)
        ),
        Table.of(
            "moments",
            f"Where no move for points is a best one, the first {MOST_LISTED}",
            game.differences[:MOST_LISTED],
            whole("round", "round that is being played", "rounds"),
            whole("player", "who moves"),
            text_column("own", "dice and score of the one who moves").by(
                lambda m: state_text(m.own, ladder)
            ),
            text_column("other", "dice and score of the other").by(
                lambda m: state_text(m.other, ladder)
            ),
            text_column("to_win", "the first best move").by(lambda m: m.to_win.describe(ladder)),
            text_column("for_points", "the first move for points").by(
                lambda m: m.for_points.describe(ladder)
            ),
            exact("loss", "what the best move for points loses"),
        ),
    )


def play_report(solution: Solution, steps: Sequence[JudgedStep], score: mpq, seed: int) -> Report:
    """Report a game that was played to a final score, and what its choices cost."""
    ladder = solution.ladder
    scores = [*(step.state[0].score for step in steps), int(score)]
    rounds = Table(
        "rounds",
        "The game",
        [
            whole("round", "number of the round", "rounds"),
            listing("revenue", "revenue dice before the choice, lowest rung first", "dice"),
            listing("legacy", "legacy dice before the choice", "dice"),
            whole("score", "score before the choice", "points"),
            text_column("action", "what was chosen"),
            text_column("best", "first optimal action"),
            exact("regret", "what the choice cost in expected points", "points"),
            whole("score_after", "score after the roll", "points"),
        ],
        [
            (
                number,
                *step.state[0],
                action_text(step.action, ladder),
                action_text(step.best, ladder),
                step.regret.point,
                scores[number],
            )
            for number, step in enumerate(steps, 1)
        ],
    )
    quantities = [
        Quantity(exact("value", "expected final score of optimal play", "points"), solution.value),
        Quantity(whole("final_score", "score of this game", "points"), scores[-1]),
        Quantity(
            exact("regret", "what all choices together cost", "points"),
            total_regret(steps).point,
        ),
    ]
    title = f"SWE: a game of {solution.rounds} rounds"
    return Report(
        title, quantities, [rounds], Provenance(conventions=conventions_of(ladder, seed=str(seed)))
    )


def promotion_report(ladder: Ladder) -> Report:
    """Report what promoting a die gains on each rung."""
    rise = first_rise(ladder)
    return Report.of(
        "SWE: what a promotion gains",
        conventions_of(ladder),
        flag("never_rises", "whether no promotion gains more than a lower one")(rise is None),
        whole("first_rise", "lowest rung that gains more than the one below")(rise),
        Table.of(
            "promotions",
            "Promotions",
            promotion_table(ladder),
            whole("rung", "number of the rung, from 0"),
            whole("faces", "faces of a die there"),
            exact("failure", "chance that it fails in a roll"),
            exact("gain", "how much a promotion lowers that; 0 on the top rung"),
        ),
    )
