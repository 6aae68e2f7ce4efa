"""Whether the claims about Farkle hold, by the package's own solvers."""

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement, product
from math import factorial, prod

from exactdice.arithmetic import mpq, mpz, rational, text
from exactdice.games.farkle.rules.rule_set import (
    FACES,
    pack,
    scoring_selections,
    selection_scores,
    unpack,
)
from exactdice.games.farkle.rules.tables import KCD
from exactdice.games.farkle.turn.exact import fixed_point, horizon, solve
from exactdice.studies.farkle.readme import README, counts
from finders.finding import Finding

_RULES = {"dice": 6, "target": 6000}
_PRINTED = rational(README["Optimal_2"])


@cache
def _turn():
    return solve()


@cache
def _first_three():
    return tuple(horizon(_turn(), 3))


def _optimal_1():
    one = _first_three()[0]
    return Finding("proved", {"value": text(one), "whole_part": int(one)})


def _optimal_2_and_3():
    values = _first_three()[1:]
    apart = [abs(value - _PRINTED) for value in values]
    verdict = "refuted" if min(apart) > mpq(1, 10**4) else "proved"
    off_by, listed = (list(map(text, numbers)) for numbers in (apart, values))
    return Finding(verdict, {"off_by": off_by, "printed": text(_PRINTED), "values": listed})


def _scoring(keep):
    return KCD.varied(combinations=tuple(c for c in KCD.combinations if keep(c.faces)))


_SCORINGS = {
    "of the game": KCD,
    "without short straights": _scoring(lambda faces: len(faces) != 5 or len({*faces}) == 1),
    "singles and triples": _scoring(lambda faces: len({*faces}) == 1 and len(faces) in (1, 3)),
}
#: The README's text is ambiguous: it lists no combinations; all dice may be rolled again once all
#: have been kept or not; points past the target count or not, or there is no target; and one keeps
#: dice that score, only those that score the most, anything, including none, or "to the letter",
#: which also allows rolling on after a bust.
READINGS = tuple(product(
    _SCORINGS, ("hot dice", "no hot dice"), ("all", "capped", "no target"),
    ("what scores", "the most points", "anything", "to the letter"),
))  # fmt: skip


@cache
def _read(reading, rolls, points=0, dice=6):
    """Optimal_n, the expected gain of at most n rolls, in a reading."""
    scores, again, past, kept = reading
    total, target = mpq(0), _RULES["target"]
    for (is_bust, menu), ways in _menus(_SCORINGS[scores], kept, dice).items():
        if is_bust and kept != "to the letter":
            total -= ways * points
            continue
        most = target - points if past == "capped" else max(score for score, _ in menu)
        gains = [mpq(min(score, most)) for score, _ in menu]
        for score, left in menu if rolls > 1 else ():
            if (left or again == "hot dice") and (past == "no target" or points + score < target):
                gains.append(score + _read(reading, rolls - 1, points + score, left or 6))
        total += ways * (max(gains) - points * is_bust)
    return total / mpz(6) ** dice


_Menu = tuple[bool, frozenset[tuple[int, int]]]


@cache
def _menus(rules, kept, dice):
    """Whether nothing scores, and points and dice left of all choices, with the number of rolls."""
    menus = Counter()
    for roll in combinations_with_replacement(FACES, dice):
        ways = factorial(dice) // prod(factorial(n) for n in Counter(roll).values())
        selections = scoring_selections(rules, pack(roll), 0)
        scoring = {(score, dice - len(unpack(selection))) for selection, score in selections}
        offered = set(scoring)
        if kept == "the most points":
            most = max((score for score, _ in scoring), default=0)
            offered = {choice for choice in scoring if choice[0] == most}
        elif kept != "what scores":
            offered |= {(0, left) for left in range(dice + 1)}
        menus[not scoring, frozenset(offered)] += ways
    return menus


def _printed_readings():
    values = {", ".join(reading): [_read(reading, n) for n in (2, 3)] for reading in READINGS}
    nearest = min(abs(value - _PRINTED) for pair in values.values() for value in pair)
    verdict = "refuted" if nearest > mpq(1, 10**4) else "proved"
    listed = {name: list(map(text, pair)) for name, pair in values.items()}
    return Finding(verdict, {"nearest": text(nearest), "readings": len(READINGS), "values": listed})


def _two_rolls():
    _, two, three = _first_three()
    verdict = "refuted" if three > two else "open"
    return Finding(verdict, {"third_roll_gains": text(three - two)})


def _fixed_point():
    turn = _turn()
    return Finding("proved", {"first": fixed_point(turn), "value": text(turn.value)})


def _thresholds():
    """Thresholds without a target; the least n with Optimal_n = Optimal of theorem 13 (c)."""
    turn = solve(rules=KCD.varied(target=None))
    unit, states = KCD.unit, [turn.state(f"fair*{n}") for n in range(1, 7)]
    banked_from = []
    for state in states:
        rolls_on = [turn.worth_rolling(points, state) for points in range(0, turn.end, unit)]
        if rolls_on != sorted(rolls_on, reverse=True):
            return Finding("refuted", {"state": state})
        banked_from.append(unit * sum(rolls_on))
    rolls = fixed_point(turn)
    return Finding("proved", {"bound": turn.end, "rolls": rolls, "thresholds": banked_from})


def _multiples():
    return Finding("proved", {"selections": len(selection_scores(KCD, 0)), "unit": KCD.unit})


def _most_in_a_round():
    """The most by going through all points and dice that play reaches, banking nothing."""
    turn, target = _turn(), _RULES["target"]
    offered = {
        n: {(score, left or 6) for menu in turn.menus.by_state[n].menus for score, left in menu}
        for n in range(1, 7)
    }
    reached, new = set[tuple[int, int]](), {(0, 6)}
    while new:
        reached |= new
        new = {
            (points + score, left)
            for points, n in new
            for score, left in offered[n]
            if points + score < target
        } - reached
    most, points, dice = max(
        (points + score, points, n) for points, n in reached for score, _ in offered[n]
    )
    verdict = "refuted" if most > target else "proved"
    return Finding(verdict, {"before": [points, dice], "capped": target, "most": most})


def _score_not_wins():
    """One die, 350 points of the turn and 5600 banked, against 5950: any score wins at once."""
    turn, dice = _turn(), "fair*1"
    points, other = 350, _RULES["target"] - KCD.unit
    gain = turn.optimal(points, dice)
    bust, loses = (turn.menus.bust_chance(turn.state(left)) for left in (None, dice))
    wins = 1 - loses
    state = {"dice": 1, "other": other, "score": other - points, "turn": points}
    verdict = "refuted" if gain < 0 and wins > bust else "open"
    chances = {"banking_wins_at_most": text(bust), "rolling_wins": text(wins)}
    return Finding(verdict, chances | {"rolling_gains": text(gain), "state": state})


def _examples():
    return Finding("proved", {"both": KCD.score([2, 5]), "five": KCD.score([5])})


def _sizes():
    names = ("points", "sets", "outputs", "rolls", "", "naive", "", "hold", "then", "together")
    stated = zip(names, counts(), strict=True)
    return Finding("proved", {name: int(each.computed) for name, each in stated if name})


#: What finds the verdict and the evidence, by the id of the claim.
def _contradiction():
    turn = _turn()
    return Finding("proved", {"bust": text(turn.menus.bust_chance(turn.state(None)))})


FINDERS = {
    "farkle.optimal-1": _optimal_1, "farkle.optimal-2-and-3": _optimal_2_and_3,
    "farkle.printed-readings": _printed_readings, "farkle.two-rolls": _two_rolls,
    "farkle.fixed-point": _fixed_point, "farkle.thresholds": _thresholds,
    "farkle.most-in-a-round": _most_in_a_round, "farkle.score-not-wins": _score_not_wins,
    "farkle.examples": _examples, "farkle.multiples-of-50": _multiples, "farkle.sizes": _sizes,
    "farkle.contradiction": _contradiction,
}  # fmt: skip
