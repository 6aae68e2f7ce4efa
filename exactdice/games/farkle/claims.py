"""Claims about Farkle, from the KCD Farkle README: six fair dice, target 6000, hot dice."""

from collections.abc import Iterator
from functools import cache, partial

from gmpy2 import mpq

from exactdice.arithmetic import rational, text
from exactdice.claims.model import Claim, Finding, Verdict
from exactdice.games.farkle.certain_banking import bust_chance
from exactdice.games.farkle.exact import BestTurn, solve
from exactdice.games.farkle.horizon import fixed_point, horizon
from exactdice.games.farkle.readings import READINGS
from exactdice.games.farkle.readme import counts
from exactdice.games.farkle.rule_tables import KCD
from exactdice.games.farkle.rules import selection_scores
from exactdice.games.farkle.sources import README

__all__ = ["claims"]

_README = "the KCD Farkle README"
_PROVED = Verdict("proved")
_RULES = {"dice": 6, "target": 6000}
_PRINTED = rational(README["Optimal_2"])


@cache
def _turn() -> BestTurn:
    return solve()


@cache
def _first_three() -> tuple[mpq, ...]:
    return tuple(horizon(_turn(), 3))


def _optimal_1() -> Finding:
    one = _first_three()[0]
    return Finding(_PROVED, {"value": text(one), "whole_part": int(one)})


def _optimal_2_and_3() -> Finding:
    values = _first_three()[1:]
    apart = [abs(value - _PRINTED) for value in values]
    verdict = Verdict("refuted") if min(apart) > mpq(1, 10**4) else _PROVED
    return Finding(
        verdict,
        {
            "off_by": list(map(text, apart)),
            "printed": text(_PRINTED),
            "values": list(map(text, values)),
        },
    )


def _printed_readings() -> Finding:
    values = {reading.name: [reading.optimal(n) for n in (2, 3)] for reading in READINGS}
    nearest = min(abs(value - _PRINTED) for pair in values.values() for value in pair)
    verdict = Verdict("refuted") if nearest > mpq(1, 10**4) else _PROVED
    listed = {name: list(map(text, pair)) for name, pair in values.items()}
    return Finding(verdict, {"nearest": text(nearest), "readings": len(READINGS), "values": listed})


def _two_rolls() -> Finding:
    _, two, three = _first_three()
    verdict = Verdict("refuted") if three > two else Verdict("open")
    return Finding(verdict, {"third_roll_gains": text(three - two)})


def _fixed_point() -> Finding:
    turn = _turn()
    return Finding(_PROVED, {"first": fixed_point(turn), "value": text(turn.value)})


def _thresholds() -> Finding:
    """Thresholds without a target; the least n with Optimal_n = Optimal of theorem 13 (c)."""
    turn = solve(rules=KCD.varied(target=None))
    unit, states = KCD.unit, [turn.state(f"fair*{n}") for n in range(1, 7)]
    found = []
    for state in states:
        rolls_on = [turn.worth_rolling(points, state) for points in range(0, turn.end, unit)]
        if rolls_on != sorted(rolls_on, reverse=True):
            return Finding(Verdict("refuted"), {"state": state})
        found.append(unit * sum(rolls_on))
    rolls = fixed_point(turn)
    return Finding(_PROVED, {"bound": turn.end, "rolls": rolls, "thresholds": found})


def _multiples() -> Finding:
    return Finding(_PROVED, {"selections": len(selection_scores(KCD, 0)), "unit": KCD.unit})


def _most_in_a_round() -> Finding:
    """The most by going through all points and dice that play reaches, banking nothing."""
    turn, target = _turn(), _RULES["target"]
    offered = {
        n: {(score, left or 6) for menu in turn.menus.by_state[n].menus for score, left in menu}
        for n in range(1, 7)
    }
    found, new = set[tuple[int, int]](), {(0, 6)}
    while new:
        found |= new
        new = {
            (points + score, left)
            for points, n in new
            for score, left in offered[n]
            if points + score < target
        } - found
    most, points, dice = max(
        (points + score, points, n) for points, n in found for score, _ in offered[n]
    )
    verdict = Verdict("refuted") if most > target else _PROVED
    return Finding(verdict, {"before": [points, dice], "capped": target, "most": most})


def _score_not_wins() -> Finding:
    """One die, 350 points of the turn and 5600 banked, against 5950: any score wins at once."""
    turn, dice = _turn(), "fair*1"
    points, other = 350, _RULES["target"] - KCD.unit
    gain = turn.optimal(points, dice)
    bust, wins = (
        bust_chance(turn.menus, turn.state()),
        1 - bust_chance(turn.menus, turn.state(dice)),
    )
    state = {"dice": 1, "other": other, "score": other - points, "turn": points}
    verdict = Verdict("refuted") if gain < 0 and wins > bust else Verdict("open")
    return Finding(
        verdict,
        {
            "banking_wins_at_most": text(bust),
            "rolling_gains": text(gain),
            "rolling_wins": text(wins),
            "state": state,
        },
    )


def _examples() -> Finding:
    return Finding(_PROVED, {"both": KCD.score([2, 5]), "five": KCD.score([5])})


def _sizes() -> Finding:
    names = ("points", "sets", "outputs", "rolls", "", "naive", "", "hold", "then", "together")
    numbers = {
        name: int(statement.computed)
        for name, statement in zip(names, counts(), strict=True)
        if name
    }
    return Finding(_PROVED, numbers)


def claims() -> Iterator[Claim]:
    """List the claims about Farkle.

    Examples
    --------
    >>> {claim.id: claim for claim in claims()}["farkle.multiples-of-50"].find().evidence
    {'selections': 119, 'unit': 50}
    """
    rules = (
        "six fair dice, target 6000, hot dice, a roll past the target gains all that it scores; at "
        "least one die is kept, and all that are kept score in a combination of Kingdom Come: "
        "Deliverance"
    )
    stated = partial(Claim, source=_README, domain=rules, parameters=_RULES)
    definition = "the recurrence of the README in exact arithmetic, over all rolls and selections"
    yield stated(
        id="farkle.optimal-1",
        statement="Optimal_1, cut to a whole number, is 399 at the start of a turn",
        latex=r"\mathrm{Optimal}_1(0, D) = \tfrac{258625}{648} = 399.1126\ldots",
        method=f"{definition}; 399 is its whole part",
        kind="process",
        find=_optimal_1,
    )
    yield stated(
        id="farkle.optimal-2-and-3",
        statement="Optimal_2 = Optimal_3 = 517.9492 at the start of a turn",
        latex="",
        method=definition,
        kind="search",
        find=_optimal_2_and_3,
        note="By the README's recurrence they are 505.5102… and 547.3522…. Taken to the letter it "
        "lets a player keep nothing, or dice that do not score, for 0 points, and "
        "then neither is smaller.",
    )
    yield Claim(
        id="farkle.printed-readings",
        statement="Optimal_2 or Optimal_3 at the start of a turn is 517.9492, rounded or cut off, "
        "under one of <readings> readings",
        latex="",
        source=_README,
        domain="six fair dice; the combinations of the game, those without short straights, or "
        "single dice and triples alone; hot dice or not; a roll past the target of 6000 gains all "
        "that it scores or what is left to it, or there is no target; what is kept scores, scores "
        "the most, or is anything, after a bust too or not",
        method="both values in each reading; the nearest is 8.2… off",
        kind="search",
        parameters={"dice": 6},
        find=_printed_readings,
        depends_on=("farkle.optimal-2-and-3",),
    )
    yield stated(
        id="farkle.two-rolls",
        statement="looking two rolls ahead is enough to maximise the expected score",
        latex=r"\mathrm{Optimal}_3(0, D) - \mathrm{Optimal}_2(0, D) > 0",
        method=definition,
        kind="search",
        find=_two_rolls,
        depends_on=("farkle.optimal-2-and-3",),
        note="The start of a turn is the smallest counterexample by points; a third roll gains "
        "41.8420… there.",
    )
    yield stated(
        id="farkle.fixed-point",
        statement="Optimal_n equals Optimal at the start of a turn from n = 33 on, and not before",
        latex=r"\mathrm{Optimal}_n(0, D) = \mathrm{Optimal}(0, D) \iff n \ge 33",
        method="theorem 12, and one sweep from the target down. Optimal_n is what the best play of "
        "at most n rolls earns, so it is Optimal exactly if some optimal play makes at most n "
        "rolls: the longest play with ties broken for the shortest",
        kind="process",
        find=_fixed_point,
        depends_on=("theorem 12",),
        cites=("bellman",),
    )
    yield Claim(
        id="farkle.thresholds",
        statement="rolling on is better than banking exactly below 300, 250, 450, 1050, 3400 and "
        "12950 points with 1, 2, 3, 4, 5 and 6 dice, and at the start of a turn Optimal_n equals "
        "Optimal exactly from n = 50 on",
        latex="",
        source="this package",
        domain="six fair dice, no target, no least bank, hot dice, the combinations of Kingdom "
        "Come: Deliverance, and points that are multiples of 50",
        method="theorem 13: from 12950 points on banking is optimal, and below all points are gone "
        "through",
        kind="process",
        parameters={"dice": 6},
        find=_thresholds,
        depends_on=("theorem 13", "theorem 12"),
    )
    yield stated(
        id="farkle.most-in-a-round",
        statement="6000 is the most that a round can score",
        latex="",
        method="all points and dice that play reaches",
        kind="search",
        find=_most_in_a_round,
        note="With 5950 points and six dice a roll of six ones makes it 13950. It holds where a "
        "roll past the target gains what is left to it, and that may be what the README means.",
    )
    yield stated(
        id="farkle.score-not-wins",
        statement="what maximises the expected score of a round maximises the chance to win",
        latex="",
        source=f"{_README}, which says that it does not",
        domain=f"two players; {rules}; who reaches the target first wins",
        method="one state: with 5600 points banked, 350 in the turn and one die left, against 5950 "
        "points, rolling loses points on average; but banking wins only if the other busts at once",
        kind="search",
        find=_score_not_wins,
    )
    yield Claim(
        id="farkle.examples",
        statement="to keep the 5 of a 2 and a 5 scores <five>, and to keep both scores <both>",
        latex="",
        source=_README,
        domain="the README's example of two dice",
        method="the combinations",
        kind="search",
        find=_examples,
    )
    yield Claim(
        id="farkle.multiples-of-50",
        statement="all points are multiples of 50",
        latex="",
        source=_README,
        domain="scoring selections of at most six dice",
        method="all 119 of them listed",
        kind="search",
        parameters={"dice": 6},
        find=_multiples,
    )
    yield stated(
        id="farkle.sizes",
        statement="there are 120 · 64 outputs, 46656 rolls, 2.29…·10^10 naive computations and "
        "1.261…·10^9 with Hold computed beforehand",
        latex=r"120 \cdot 2^6 \cdot 6^6 \cdot 2^6 = 22932357120",
        method="the products, their factors by listing",
        kind="search",
        find=_sizes,
    )
