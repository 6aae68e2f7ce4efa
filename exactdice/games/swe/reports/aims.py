"""Reports of other aims than the mean, rivals, games that were played, and promotions."""

from collections.abc import Sequence
from dataclasses import replace

from exactdice.arithmetic import mpq, text
from exactdice.games.swe import reports
from exactdice.games.swe.distributions.evaluation import Evaluation
from exactdice.games.swe.model import action_text
from exactdice.games.swe.optimum.exact import Solution
from exactdice.games.swe.optimum.objectives import AimedAt, Rivals
from exactdice.games.swe.reports import LEGACY, REVENUE, VALUE
from exactdice.games.swe.rules import Ladder, first_rise, promotion_table
from exactdice.report.model import Cell, Report, Table, exact, flag, text_column, whole
from exactdice.solve.play import JudgedStep, total_regret

MOST_LISTED = 100  # moments of a game of rivals; the others are only counted


def target_report(aimed_at: AimedAt, target: int, policies: Sequence[Evaluation]) -> Report:
    meaning = f"greatest probability of a final score of at least {target}"
    report = _aim_report(aimed_at, meaning, f"SWE: to reach {target} in")
    if aimed_at.state is not None:
        return report
    rows: list[tuple[Cell, ...]] = []
    for evaluation in policies:
        chance = evaluation.scores.reaches(target).point
        shortfall = None if chance is None else aimed_at.value - chance
        rows.append((evaluation.policy, chance, shortfall))
    table = Table.of(
        "policies",
        "Policies for the mean",
        rows,
        text_column("name", "policy"),
        exact("chance", "probability to reach the target; empty if only bounds are known"),
        exact("short", "difference from the greatest probability"),
    )
    return replace(report, tables=(*report.tables, table))


def beat_report(aimed_at: AimedAt, against: str, tie: mpq) -> Report:
    meaning = f"greatest probability of more than {against}, plus {text(tie)} times that of a tie"
    return _aim_report(aimed_at, meaning, f"SWE: to beat {against} in")


def _aim_report(aimed_at: AimedAt, meaning: str, title: str) -> Report:
    ladder, state = aimed_at.ladder, aimed_at.state
    value = "greatest probability after it"
    actions = reports.actions_table(exact, aimed_at.advice, ladder, value=value, unit="")
    quantities = [exact("value", meaning)(aimed_at.value)]
    where = f"{title} {aimed_at.rounds} rounds"
    if state is not None:
        where += f", in round {aimed_at.now} with {reports.state_text(state, ladder)}"
        quantities.append(reports.reachable_quantity(state, aimed_at.now, ladder))
    says = f"{meaning} in {reports.rounds_text(aimed_at.rounds)}"
    return Report.of(where, reports.conventions_of(ladder), *quantities, actions, says=says)


def rivals_report(game: Rivals) -> Report:
    ladder = game.ladder
    meaning = f"probability that the first player wins, plus {text(game.tie)} times that of a tie"
    conventions = {
        "turns": "in every round the first player plays, then the second; each sees everything",
        "tie": f"payoff of {text(game.tie)} to the first player",
        "for points": "a move that maximises the expected score of its player",
    }
    return Report.of(
        f"SWE: {reports.rounds_text(game.rounds)} of two players in turn order",
        reports.conventions_of(ladder, **conventions),
        exact("value", f"{meaning}, both playing to win")(game.value),
        exact("for_points", f"{meaning}, both playing for points")(game.points_value),
        whole("pairs", "pairs of states of both players", "states")(game.pairs),
        whole("differences", "moments with no optimal move for points")(len(game.differences)),
        Table.of(
            "moments",
            f"First {MOST_LISTED} moments at which no move for points is optimal",
            game.differences[:MOST_LISTED],
            whole("round", "number of the round", "rounds"),
            whole("player", "player who moves"),
            text_column("own", "state of that player").by(
                lambda m: reports.state_text(m.own, ladder)
            ),
            text_column("other", "state of the other").by(
                lambda m: reports.state_text(m.other, ladder)
            ),
            text_column("to_win", "first optimal move").by(lambda m: m.to_win.describe(ladder)),
            text_column("for_points", "first move for points").by(
                lambda m: m.for_points.describe(ladder)
            ),
            exact("loss", "regret of the best move for points"),
        ),
    )


def play_report(solution: Solution, steps: Sequence[JudgedStep], score: mpq, seed: int) -> Report:
    ladder = solution.ladder
    scores = [*(step.state[0].score for step in steps), int(score)]
    rows = []
    for number, step in enumerate(steps, 1):
        actions = (action_text(action, ladder) for action in (step.action, step.best))
        rows.append((number, *step.state[0], *actions, step.regret.point, scores[number]))
    return Report.of(
        f"SWE: a game of {solution.rounds} rounds",
        reports.conventions_of(ladder, seed=str(seed)),
        VALUE(solution.value),
        whole("final_score", "score of this game", "points")(scores[-1]),
        exact("regret", "expected loss by all choices", "points")(total_regret(steps).point),
        Table.of(
            "rounds",
            "The game",
            rows,
            whole("round", "number of the round", "rounds"),
            REVENUE,
            LEGACY,
            whole("score", "score before the choice", "points"),
            text_column("action", "chosen action"),
            text_column("best", "first optimal action"),
            exact("regret", "expected loss by the choice", "points"),
            whole("score_after", "score after the roll", "points"),
        ),
        says=f"{reports.average(solution.rounds)}; this game: {scores[-1]}",
    )


def promotion_report(ladder: Ladder) -> Report:
    rise = first_rise(ladder)
    return Report.of(
        "SWE: gain of a promotion",
        reports.conventions_of(ladder),
        flag("never_rises", "whether no promotion gains more than a lower one")(rise is None),
        whole("first_rise", "lowest rung with a greater gain than the one below")(rise),
        Table.of(
            "promotions",
            "Promotions",
            promotion_table(ladder),
            whole("rung", "number of the rung, from 0"),
            whole("faces", "faces of a die there"),
            exact("failure", "probability that it fails in a roll"),
            exact("gain", "decrease of that by a promotion; 0 on the top rung"),
        ),
    )
