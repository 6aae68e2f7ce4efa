"""Claims about Farkle, from the KCD Farkle README: six fair dice, target 6000, hot dice."""

from collections.abc import Iterator
from functools import cache, partial

from gmpy2 import mpq

from exactdice.arithmetic import rational, text
from exactdice.claims.model import Claim, Finding, Verdict
from exactdice.games.farkle.exact import BestTurn, solve
from exactdice.games.farkle.horizon import fixed_point, horizon
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
        kind="value",
        find=_optimal_1,
    )
    yield stated(
        id="farkle.optimal-2-and-3",
        statement="Optimal_2 = Optimal_3 = 517.9492 at the start of a turn",
        latex="",
        method=definition,
        kind="counterexample",
        find=_optimal_2_and_3,
        note="By the README's recurrence they are 505.5102… and 547.3522…. Taken to the letter it "
        "lets a player keep nothing, or dice that do not score, for 0 points, and "
        "then neither is smaller.",
    )
    yield stated(
        id="farkle.two-rolls",
        statement="looking two rolls ahead is enough to maximise the expected score",
        latex=r"\mathrm{Optimal}_3(0, D) - \mathrm{Optimal}_2(0, D) > 0",
        method=definition,
        kind="counterexample",
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
    yield Claim(
        id="farkle.multiples-of-50",
        statement="all points are multiples of 50",
        latex="",
        source=_README,
        domain="scoring selections of at most six dice",
        method="all 119 of them listed",
        kind="count",
        parameters={"dice": 6},
        find=_multiples,
    )
    yield stated(
        id="farkle.sizes",
        statement="there are 120 · 64 outputs, 46656 rolls, 2.29…·10^10 naive computations and "
        "1.261…·10^9 with Hold computed beforehand",
        latex=r"120 \cdot 2^6 \cdot 6^6 \cdot 2^6 = 22932357120",
        method="the products, their factors by listing",
        kind="count",
        find=_sizes,
    )
