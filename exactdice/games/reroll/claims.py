"""Claims about the reroll game, from the reroll coursework and its notebook."""

from collections.abc import Iterator
from functools import cache, partial
from itertools import product
from typing import Any

from gmpy2 import mpq

from exactdice.arithmetic import text
from exactdice.claims.model import Claim, Finding, Verdict
from exactdice.games.reroll.exact import END, Solved, best_score, direct_process, solve
from exactdice.games.reroll.rules import Rules
from exactdice.solvers.process import DecisionProcess
from exactdice.solvers.termination import ranking
from exactdice.solvers.value_iteration import value_iteration

__all__ = ["claims"]

_COURSEWORK = "the reroll coursework"
_PROVED = Verdict("proved")
_KEPT: list[tuple[int, ...]] = [(), (2,), (1,), (2, 2), (1, 1)]  # in the order of theorem 15


@cache
def _solved() -> Solved:
    return solve(Rules())


@cache
def _process() -> DecisionProcess[Any]:
    return direct_process(Rules())


def _states() -> Finding:
    return Finding(_PROVED, {"states": len(Rules().rolls)})


def _best_score() -> Finding:
    best, rolls = best_score(Rules())
    return Finding(_PROVED, {"best": int(best), "rolls": [list(roll) for roll in rolls]})


def _optimal_play() -> Finding:
    solved, process = _solved(), _process()
    ranks = ranking(
        [
            process.moves[i][process.position(state, solved.policy[state])]
            if state != END
            else None
            for i, state in enumerate(process.states)
        ]
    )
    rank_of = dict(zip(process.states, ranks, strict=True))
    states = [
        [list(roll), text(solved.values[roll]), list(solved.policy[roll]), rank_of[roll]]
        for roll in solved.rules.rolls
    ]
    return Finding(_PROVED, {"states": states, "value": text(solved.value)})


def _three_sixes() -> Finding:
    solved, process, roll = _solved(), _process(), (6, 6, 6)
    known = [solved.values.get(state, 0) for state in process.states]
    moves = process.moves[process.states.index(roll)]
    again, stick = (
        moves[process.position(roll, hold)].expected_return(known) for hold in ((), (0, 1, 2))
    )
    verdict = _PROVED if again == solved.values[roll] > stick else Verdict("refuted")
    return Finding(verdict, {"again": text(again), "stick": text(stick)})


def _score_independent() -> Finding:
    return Finding(_PROVED, {"laws": len(list(Rules().partial_holds))})


def _theta() -> Finding:
    solved, process = _solved(), _process()
    swept = value_iteration(process, "1/10", order="in-place")
    known = [solved.values.get(state, 0) for state in process.states]
    wrong = []
    for state, roll in enumerate(solved.rules.rolls):
        kept = swept.last_choices[roll]
        worth = process.moves[state][process.position(roll, kept)].expected_return(known)
        if worth < solved.values[roll]:
            wrong.append([list(roll), list(kept), text(solved.values[roll] - worth)])
    values = [[list(roll), text(value)] for roll, value in solved.values.items()]
    verdict = Verdict("refuted") if wrong else _PROVED
    return Finding(verdict, {"sweeps": swept.sweeps, "values": values, "wrong": wrong})


def _sweeps() -> Finding:
    """Which of the five kept sets follows which, under optimal play."""
    keeps = {
        roll: None if len(hold) == len(roll) else tuple(int(roll[i]) for i in hold)
        for roll, hold in _solved().policy.items()
    }
    kept = sorted({keep for keep in keeps.values() if keep is not None}, key=_KEPT.index)
    matrix = []
    for first in kept:
        free = 3 - len(first)
        rolls = [tuple(sorted((*first, *more))) for more in product(range(1, 7), repeat=free)]
        then = [keeps[roll] for roll in rolls]
        matrix.append([text(mpq(then.count(other), len(then))) for other in kept])
    rate = max(mpq(row[i]) for i, row in enumerate(matrix))
    is_triangular = all(set(row[:i]) <= {"0"} for i, row in enumerate(matrix))
    found = {"kept": list(map(list, kept)), "matrix": matrix, "rate": text(rate)}
    found["limit"] = text(rate / (1 - rate))
    return Finding(_PROVED if is_triangular else Verdict("open"), found)


def claims() -> Iterator[Claim]:
    """List the claims about the reroll game.

    Examples
    --------
    >>> next(claims()).find().evidence
    {'states': 56}
    """
    stated = partial(Claim, source=_COURSEWORK, domain="three fair dice, a reroll costs 1 point")
    yield stated(
        id="reroll.states",
        statement="there are 56 states",
        latex=r"\binom{8}{3} = 56",
        method="all of them listed, and the formula for multisets",
        kind="count",
        find=_states,
    )
    yield stated(
        id="reroll.best-score",
        statement="the best possible score is 18",
        latex="",
        method="every reroll costs a point, so it is the best stick of a first roll; all listed",
        kind="count",
        find=_best_score,
        note="Three ones earn it, and so do two ones beside a six.",
    )
    yield stated(
        id="reroll.optimal-play",
        statement="it is optimal to stick on three ones and to reroll three fours, and the game is "
        "worth 103369/7744",
        latex=r"V = \tfrac{103369}{7744}",
        method="Bellman's equation and inequalities for all 56 states and all holds, and ranks "
        "that fall with positive probability",
        kind="process",
        find=_optimal_play,
        depends_on=("reroll.states",),
        cites=("bellman",),
        note="The certificate holds value, first optimal action and rank of every state.",
    )
    yield stated(
        id="reroll.three-sixes",
        statement="it is optimal to reroll all of three sixes, and not optimal to stick on them",
        latex="",
        method="Bellman's equation and inequalities, and the worth of both actions",
        kind="process",
        find=_three_sixes,
        depends_on=("reroll.optimal-play",),
        cites=("bellman",),
    )
    yield stated(
        id="reroll.score-independent",
        statement="the optimal decision is independent of the present score",
        latex=r"V(x, c) = c + V(x)",
        method="theorem 14: the chances of the rolls after each of the 28 partial holds sum to 1, "
        "so a score adds itself to the worth of every action",
        kind="process",
        find=_score_independent,
        depends_on=("theorem 14", "reroll.optimal-play"),
    )
    yield Claim(
        id="reroll.theta",
        statement="value iteration with θ = 0.1 gives the highest score",
        latex="",
        source="the notebook of the reroll coursework",
        domain="sweeps in place in lexicographic order in exact arithmetic, actions as kept from "
        "the last sweep",
        method="the sweeps are made, and the loss of each kept action is exact",
        kind="counterexample",
        parameters={"order": "in place", "theta": "1/10"},
        find=_theta,
        depends_on=("reroll.optimal-play",),
        note="After the sweeps the actions of two rolls are not optimal; the smallest "
        "counterexample in lexicographic order is the first of them.",
    )
    yield Claim(
        id="reroll.sweeps",
        statement="the greatest error and the greatest change of a sweep shrink by a factor that "
        "tends to 2/3, and the error divided by the change tends to 2; so sweeping until no change "
        "reaches a small θ leaves an error above θ",
        latex=r"e_{t+1}/e_t \to \tfrac23,\quad e_t/\delta_t \to 2",
        source="this package",
        domain="synchronous value iteration from 0, three fair dice, a reroll costs 1 point",
        method="theorem 15: five sets of dice are kept, and the matrix of which follows which is "
        "triangular",
        kind="process",
        find=_sweeps,
        depends_on=("theorem 15", "reroll.optimal-play"),
    )
