"""Claims about the reroll game, from the reroll coursework and its notebook."""

from collections.abc import Iterator
from functools import cache, partial
from itertools import permutations, product
from typing import Any

from gmpy2 import mpq

from exactdice.arithmetic import text
from exactdice.claims.model import Claim, Content, Finding, Verdict
from exactdice.games.reroll.exact import END, Solved, best_score, direct_process, solve
from exactdice.games.reroll.rules import Hold, Roll, Rules
from exactdice.solvers.process import DecisionProcess
from exactdice.solvers.termination import ranking
from exactdice.solvers.value_iteration import value_iteration

__all__ = ["claims"]

_COURSEWORK = "the reroll coursework"
_ZERO = mpq(0)
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
    known = [solved.values.get(state, _ZERO) for state in process.states]
    moves = process.moves[process.states.index(roll)]
    again, stick = (
        moves[process.position(roll, hold)].expected_return(known) for hold in ((), (0, 1, 2))
    )
    verdict = _PROVED if again == solved.values[roll] > stick else Verdict("refuted")
    return Finding(verdict, {"again": text(again), "stick": text(stick)})


@cache
def _worths() -> dict[Roll, list[tuple[Hold, mpq]]]:
    """By roll each hold and its worth under optimal play, in the canonical order."""
    solved, process = _solved(), _process()
    known = [solved.values.get(state, _ZERO) for state in process.states]
    return {
        roll: [
            (hold, process.moves[i][process.position(roll, hold)].expected_return(known))
            for hold in process.actions(roll)
        ]
        for i, roll in enumerate(solved.rules.rolls)
    }


def _sticks() -> dict[Roll, int]:
    rules = Rules()
    return {roll: int(rules.stick_score(roll)) for roll in rules.rolls}


def _ways(roll: Roll) -> int:
    """Ordered rolls of three dice that show a roll."""
    return len(set(permutations(roll)))


def _almost_any_other() -> Finding:
    sticks = _sticks()
    worse = [roll for roll, stick in sticks.items() if stick - 1 <= sticks[6, 6, 6]]
    rolls = 6**3
    better = rolls - sum(map(_ways, worse))
    return Finding(
        _PROVED, {"better": better, "not_better": list(map(list, worse)), "rolls": rolls}
    )


def _stick_if_greater() -> Finding:
    """Where sticking earns more than the best reroll, and where it earns as much."""
    solved = _solved()
    sticks: list[Content] = []
    even: list[Content] = []
    for roll, worths in _worths().items():
        rerolls = max(worth for hold, worth in worths if len(hold) < len(roll))
        stick = dict(worths)[tuple(range(len(roll)))]
        if stick >= rerolls:
            (sticks if stick > rerolls else even).append(list(roll))
        if (stick == solved.values[roll]) != (stick >= rerolls):
            return Finding(Verdict("refuted"), {"roll": list(roll)})
    return Finding(_PROVED, {"even": even, "sticks": sticks})


def _stick_if_greater_once() -> Finding:
    solved, sticks = _solved(), _sticks()
    once = mpq(sum(_ways(roll) * stick for roll, stick in sticks.items()), 6**3) - 1
    wrong = [
        [list(roll), stick, text(solved.values[roll] - stick)]
        for roll, stick in sticks.items()
        if once < stick < solved.values[roll]
    ]
    found = {"exceptions": len(wrong), "reroll": text(once), "smallest": wrong[:1]}
    return Finding(Verdict("refuted") if wrong else _PROVED, found)


def _no_positive_end() -> Finding:
    best = int(best_score(Rules())[0])
    return Finding(
        _PROVED, {"above": 1 - best, "best": best, "end_from_19": best - 19, "score": -best}
    )


def _reward_by_sticking() -> Finding:
    sticks, penalty = _sticks().values(), Rules().penalty
    verdict = _PROVED if penalty > 0 and min(sticks) >= 0 else Verdict("refuted")
    found = {"least": min(sticks), "most": max(sticks), "rerolls": [-int(penalty)]}
    return Finding(verdict, found)


def _theta_quickest() -> Finding:
    sweeps = {
        theta: value_iteration(_process(), theta, order="in-place").sweeps
        for theta in ("1", "1/10")
    }
    verdict = Verdict("refuted") if sweeps["1"] < sweeps["1/10"] else Verdict("open")
    return Finding(verdict, {"sweeps": sweeps})


def _score_independent() -> Finding:
    return Finding(_PROVED, {"laws": len(list(Rules().partial_holds))})


def _theta() -> Finding:
    solved, process = _solved(), _process()
    swept = value_iteration(process, "1/10", order="in-place")
    known = [solved.values.get(state, _ZERO) for state in process.states]
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
        kind="search",
        find=_states,
    )
    yield stated(
        id="reroll.best-score",
        statement="the best possible score is 18",
        latex="",
        method="every reroll costs a point, so it is the best stick of a first roll; all listed",
        kind="search",
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
        id="reroll.almost-any-other",
        statement="of the <rolls> rolls of all dice, <better> earn more than sticking on three "
        "sixes does, the point that they cost taken off",
        latex="",
        source=f"{_COURSEWORK}: almost any other roll will beat it",
        method="all rolls listed; those that earn no more are in the certificate",
        kind="search",
        find=_almost_any_other,
    )
    yield stated(
        id="reroll.stick-if-greater",
        statement="where sticking earns more than every reroll that is followed by optimal play, "
        "sticking is optimal, and in no other roll but those where both earn the same",
        latex="",
        source=f"{_COURSEWORK}, in the reading of optimal play after the reroll",
        method="Bellman's equation and inequalities; the rolls on which to stick are listed",
        kind="process",
        find=_stick_if_greater,
        depends_on=("reroll.optimal-play",),
        cites=("bellman",),
    )
    yield stated(
        id="reroll.stick-if-greater-once",
        statement="where sticking earns more than rerolling all dice once and sticking then, which "
        "earns <reroll>, it is optimal to stick",
        latex="",
        source=f"{_COURSEWORK}, in the reading of one reroll of all dice",
        method="all rolls listed, and what sticking loses",
        kind="search",
        find=_stick_if_greater_once,
        order="dice in lexicographic order",
        depends_on=("reroll.optimal-play",),
        cites=("bellman",),
        note="On 1, 1, 2 sticking earns 14, but holding the ones earns 15.75.",
    )
    yield stated(
        id="reroll.no-positive-end",
        statement="with a score of <score> or less no end is above 0, and with <above> some is",
        latex="",
        source=f"{_COURSEWORK}, for a score of −19",
        domain="three fair dice, a reroll costs 1 point; scores before a roll is kept",
        method="the best stick is 18, and a reroll adds nothing",
        kind="induction",
        find=_no_positive_end,
    )
    yield stated(
        id="reroll.reward-by-sticking",
        statement="no move but to stick has a reward of 0 or more; sticking earns from <least> to "
        "<most>",
        latex="",
        source=f"{_COURSEWORK}: a non-negative score only by holding all three dice",
        method="all moves listed",
        kind="search",
        find=_reward_by_sticking,
        note="Taken to the letter it is false: the score before the first move is 0.",
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
        kind="search",
        parameters={"order": "in place", "theta": "1/10"},
        find=_theta,
        depends_on=("reroll.optimal-play",),
        note="After the sweeps the actions of two rolls are not optimal; the smallest "
        "counterexample in lexicographic order is the first of them.",
    )
    yield Claim(
        id="reroll.theta-quickest",
        statement="value iteration with θ = 0.1 makes the fewest sweeps",
        latex="",
        source="the notebook of the reroll coursework: the quickest time per game",
        domain="sweeps in place in lexicographic order in exact arithmetic, among all θ > 0",
        method="the sweeps are made; with θ = 1 there are fewer",
        kind="search",
        parameters={"order": "in place"},
        find=_theta_quickest,
        note="The notebook does not say which values of θ were tried.",
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
