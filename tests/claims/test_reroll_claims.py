"""Claims about the reroll game: what they find where the numbers are others, made up for it."""

from collections import Counter
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest
from finders import reroll as claims
from gmpy2 import mpq

from exactdice.games.reroll.rules import RerollRules

SIXES = (6, 6, 6)


@pytest.mark.parametrize(
    ("again", "stick", "value", "verdict"),
    [(4, 3, 4, "proved"), (3, 3, 3, "refuted"), (4, 3, 5, "refuted")],
)
def test_three_sixes_are_rolled_again_where_that_is_best(
    monkeypatch: pytest.MonkeyPatch, again: int, stick: int, value: int, verdict: str
) -> None:
    worths = {SIXES: [((), mpq(again)), ((0, 1, 2), mpq(stick))]}
    monkeypatch.setattr(claims, "_worths", lambda: worths)
    solved = SimpleNamespace(values={SIXES: mpq(value)})
    monkeypatch.setattr(claims, "_solved", lambda: solved)
    assert claims._three_sixes().verdict == verdict


@pytest.mark.parametrize(
    ("least", "penalty", "verdict"),
    [(0, 1, "proved"), (-1, 1, "refuted"), (0, 3, "proved")],
)
def test_sticking_pays_something(
    monkeypatch: pytest.MonkeyPatch, least: int, penalty: int, verdict: str
) -> None:
    monkeypatch.setattr(claims, "_sticks", lambda: {SIXES: 5, (1, 1, 1): least})
    monkeypatch.setattr(claims, "RerollRules", lambda: RerollRules(penalty=mpq(penalty)))
    found = claims._reward_by_sticking()
    assert found.verdict == verdict
    assert found.evidence == {"least": least, "most": 5, "rerolls": [-penalty]}


def test_other_rolls_are_worse_by_a_reroll_and_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reroll costs 1: after one 5 points are 4, as good as sticking with 4. Of (1, 2, 3) there
    are six orders and of (5, 5, 6) three."""
    sticks = {SIXES: 4, (1, 2, 3): 5, (5, 5, 6): 6}
    monkeypatch.setattr(claims, "_sticks", lambda: sticks)
    found = claims._almost_any_other()
    assert found.evidence == {
        "better": 216 - 1 - 6,
        "not_better": [[6, 6, 6], [1, 2, 3]],
        "rolls": 216,
    }


@pytest.mark.parametrize(
    ("rerolls", "value", "verdict", "even", "sticks"),
    [
        ((3, 4), 5, "proved", [], [[6, 6, 6]]),
        ((3, 5), 5, "proved", [[6, 6, 6]], []),
        ((7, 4), 7, "proved", [], []),
        ((3, 4), 6, "refuted", None, None),
        ((7, 4), 5, "refuted", None, None),
    ],
)
def test_one_sticks_where_no_reroll_is_worth_more(
    monkeypatch: pytest.MonkeyPatch, rerolls: Any, value: int, verdict: str, even: Any, sticks: Any
) -> None:
    worths = [((), mpq(rerolls[0])), ((0,), mpq(rerolls[1])), ((0, 1, 2), mpq(5))]
    monkeypatch.setattr(claims, "_worths", lambda: {SIXES: worths})
    solved = SimpleNamespace(values={SIXES: mpq(value)})
    monkeypatch.setattr(claims, "_solved", lambda: solved)
    found = claims._stick_if_greater()
    assert found.verdict == verdict
    assert (found.evidence.get("even"), found.evidence.get("sticks")) == (even, sticks)


@pytest.mark.parametrize(("sweeps", "verdict"), [((2, 3), "refuted"), ((3, 3), "open")])
def test_a_greater_tolerance_has_to_save_a_sweep(
    monkeypatch: pytest.MonkeyPatch, sweeps: Any, verdict: str
) -> None:
    made = dict(zip(("1", "1/10"), sweeps, strict=True))

    def iterate(model: Any, theta: str, order: str) -> Any:
        return SimpleNamespace(sweeps=made[theta])

    monkeypatch.setattr(claims, "value_iteration", iterate)
    found = claims._theta_quickest()
    assert (found.verdict, found.evidence) == (verdict, {"sweeps": made})


@pytest.mark.parametrize(("lets_go", "verdict"), [(False, "proved"), (True, "open")])
def test_kept_sets_follow_each_other_one_way_or_the_claim_is_open(
    monkeypatch: pytest.MonkeyPatch, lets_go: bool, verdict: str
) -> None:
    """Up to two twos are kept, and one sticks with a six beside them; or lets them go for a five.

    By all ordered rolls of the other dice.
    """

    def held(roll: Any) -> tuple[int, ...]:
        twos = tuple(place for place, value in enumerate(roll) if value == 2)[:2]
        if len(twos) == 2 and 6 in roll:
            return (0, 1, 2)
        return () if lets_go and len(twos) == 2 and 5 in roll else twos

    policy = {roll: held(roll) for roll in claims.RerollRules().rolls}
    monkeypatch.setattr(claims, "_solved", lambda: SimpleNamespace(policy=policy))
    found = claims._sweeps()
    assert found.verdict == verdict
    assert found.evidence["kept"] == [[], [2], [2, 2]]
    matrix = []
    for count in range(3):
        followed = Counter(
            len(held(sorted([2] * count + list(more))))
            for more in product(range(1, 7), repeat=3 - count)
        )
        matrix.append([mpq(followed[other], 6 ** (3 - count)) for other in range(3)])
    assert found.evidence["matrix"] == [list(map(str, row)) for row in matrix]
    rate = max(matrix[place][place] for place in range(3))
    assert (found.evidence["rate"], found.evidence["limit"]) == (str(rate), str(rate / (1 - rate)))
