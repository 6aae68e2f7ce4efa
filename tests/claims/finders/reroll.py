"""Whether the claims about the reroll game hold, by the package's own solvers."""

from functools import cache
from itertools import permutations, product

from exactdice.arithmetic import mpq, text
from exactdice.games.reroll.exact import best_score, direct_model, solve
from exactdice.games.reroll.rules import RerollRules
from exactdice.solve.questions import chosen_moves
from exactdice.solve.stopping import ranks_of_policy
from exactdice.studies.reroll.value_iteration import value_iteration
from finders.finding import Finding

_ZERO = mpq(0)
_KEPT = [(), (2,), (1,), (2, 2), (1, 1)]  # in the order of theorem 15


@cache
def _solved():
    return solve(RerollRules())


@cache
def _model():
    return direct_model(RerollRules())


def _states():
    return Finding("proved", {"states": len(RerollRules().rolls)})


def _best_score():
    best, rolls = best_score(RerollRules())
    return Finding("proved", {"best": int(best), "rolls": [list(roll) for roll in rolls]})


def _optimal_play():
    solved, model = _solved(), _model()
    ranks = ranks_of_policy(model.arena, chosen_moves(model, solved.policy))
    states = [
        [
            list(roll), text(solved.values[roll]), list(solved.policy[roll]),
            ranks[model.number(roll)],
        ]
        for roll in solved.rules.rolls
    ]  # fmt: skip
    return Finding("proved", {"states": states, "value": text(solved.value)})


def _three_sixes():
    solved, roll = _solved(), (6, 6, 6)
    worths = dict(_worths()[roll])
    again, stick = worths[()], worths[0, 1, 2]
    verdict = "proved" if again == solved.values[roll] > stick else "refuted"
    return Finding(verdict, {"again": text(again), "stick": text(stick)})


@cache
def _worths():
    """The expected value of each hold under optimal play, by roll, in the canonical order."""
    solved, model = _solved(), _model()
    known = [solved.values.get(state, _ZERO) for state in model.states]
    return {
        roll: [
            (hold, model.arena.returned(move, known))
            for hold, move in zip(model.actions[i], model.arena.moves(i), strict=True)
        ]
        for i, roll in enumerate(solved.rules.rolls)
    }


def _sticks():
    rules = RerollRules()
    return {roll: int(rules.stick_score(roll)) for roll in rules.rolls}


def _ways(roll):
    """Number of ordered rolls with these dice."""
    return len(set(permutations(roll)))


def _almost_any_other():
    sticks = _sticks()
    worse = [roll for roll, stick in sticks.items() if stick - 1 <= sticks[6, 6, 6]]
    rolls = 6**3
    better = rolls - sum(map(_ways, worse))
    return Finding(
        "proved", {"better": better, "not_better": list(map(list, worse)), "rolls": rolls}
    )


def _stick_if_greater():
    """The rolls for which sticking is better than the best reroll, and equally good."""
    solved = _solved()
    sticks = []
    even = []
    for roll, worths in _worths().items():
        rerolls = max(worth for hold, worth in worths if len(hold) < len(roll))
        stick = dict(worths)[tuple(range(len(roll)))]
        if stick >= rerolls:
            (sticks if stick > rerolls else even).append(list(roll))
        if (stick == solved.values[roll]) != (stick >= rerolls):
            return Finding("refuted", {"roll": list(roll)})
    return Finding("proved", {"even": even, "sticks": sticks})


def _stick_if_greater_once():
    solved, sticks = _solved(), _sticks()
    once = mpq(sum(_ways(roll) * stick for roll, stick in sticks.items()), 6**3) - 1
    wrong = [
        [list(roll), stick, text(solved.values[roll] - stick)]
        for roll, stick in sticks.items()
        if once < stick < solved.values[roll]
    ]
    evidence = {"exceptions": len(wrong), "reroll": text(once), "smallest": wrong[:1]}
    return Finding("refuted" if wrong else "proved", evidence)


def _no_positive_end():
    best = int(best_score(RerollRules())[0])
    return Finding(
        "proved", {"above": 1 - best, "best": best, "end_from_19": best - 19, "score": -best}
    )


def _reward_by_sticking():
    sticks, penalty = _sticks().values(), RerollRules().penalty
    verdict = "proved" if min(sticks) >= 0 else "refuted"  # a penalty is above 0 by the rules
    evidence = {"least": min(sticks), "most": max(sticks), "rerolls": [-int(penalty)]}
    return Finding(verdict, evidence)


def _theta_quickest():
    sweeps = {
        theta: value_iteration(_model(), theta, order="in-place").sweeps for theta in ("1", "1/10")
    }
    verdict = "refuted" if sweeps["1"] < sweeps["1/10"] else "open"
    return Finding(verdict, {"sweeps": sweeps})


def _score_independent():
    return Finding("proved", {"laws": len(list(RerollRules().partial_holds))})


def _theta():
    solved = _solved()
    swept = value_iteration(_model(), "1/10", order="in-place")
    wrong = []
    for roll, worths in _worths().items():
        kept = swept.last_choices[roll]
        worth = dict(worths)[kept]
        if worth < solved.values[roll]:
            wrong.append([list(roll), list(kept), text(solved.values[roll] - worth)])
    values = [[list(roll), text(value)] for roll, value in solved.values.items()]
    verdict = "refuted" if wrong else "proved"
    return Finding(verdict, {"sweeps": swept.sweeps, "values": values, "wrong": wrong})


def _sweeps():
    """Transitions between the five kept sets under optimal play."""
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
    evidence = {"kept": list(map(list, kept)), "matrix": matrix, "rate": text(rate)}
    evidence["limit"] = text(rate / (1 - rate))
    return Finding("proved" if is_triangular else "open", evidence)


def _ends():
    policy = {"".join(map(str, roll)): [] for roll in RerollRules().rolls}
    return Finding("refuted", {"policy": policy})


def _three_four_five():
    solved, roll = _solved(), (3, 4, 5)
    assert not solved.policy[roll]
    assert [hold for hold, worth in _worths()[roll] if worth == solved.values[roll]] == [()]
    stick = dict(_worths()[roll])[0, 1, 2]
    return Finding("proved", {"held": [], "stick": int(stick), "worth": text(solved.values[roll])})


def _tests_at_theta():
    swept = value_iteration(_model(), "1/10", order="in-place")
    kept = swept.last_choices
    assert (kept[1, 1, 1], kept[4, 4, 4]) == ((0, 1, 2), ())
    return Finding("proved", {"states": len(kept), "sweeps": swept.sweeps})


FINDERS = {
    "reroll.states": _states, "reroll.best-score": _best_score,
    "reroll.optimal-play": _optimal_play, "reroll.three-sixes": _three_sixes,
    "reroll.almost-any-other": _almost_any_other, "reroll.stick-if-greater": _stick_if_greater,
    "reroll.stick-if-greater-once": _stick_if_greater_once,
    "reroll.no-positive-end": _no_positive_end, "reroll.reward-by-sticking": _reward_by_sticking,
    "reroll.score-independent": _score_independent, "reroll.theta": _theta,
    "reroll.theta-quickest": _theta_quickest, "reroll.sweeps": _sweeps,
    "reroll.ends": _ends, "reroll.three-four-five": _three_four_five,
    "reroll.tests-at-theta": _tests_at_theta,
}  # fmt: skip
