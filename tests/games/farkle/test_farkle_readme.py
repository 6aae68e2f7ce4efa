"""What the KCD Farkle README states, figure by figure."""

from itertools import combinations, product

import pytest
from gmpy2 import mpq

from exactdice.games.farkle.rules.tables import KCD
from exactdice.games.farkle.turn.exact import Overshoot, horizon, solve
from exactdice.studies.farkle.readme import (
    READINGS,
    README,
    ReadmeReading,
    counts,
    statements,
    values,
)


def test_every_count_of_the_readme_is_right():
    # The README's products, written out: 120 values of P, 64 sets, 46656 rolls.
    computed = [int(statement.computed) for statement in counts()]
    assert computed[:5] == [120, 64, 7680, 46656, 64]
    assert computed[5] == 120 * 64 * 6**6 * 2**6
    assert computed[7:9] == [120 * 7**6 * 2**6, 120 * 2**6 * 6**6]
    for about in ("computations of Hold beforehand", "computations of a step after that"):
        assert int(README[about]) in computed
    assert computed[9] == computed[7] + computed[8]
    assert all(statement.agrees for statement in counts())


def test_only_the_first_value_of_the_readme_agrees():
    one, *others = values()
    assert one.agrees
    assert not any(statement.agrees for statement in others)
    assert len(statements()) == len(counts()) + 4


@pytest.mark.parametrize(
    ("again", "past", "target"), [("hot dice", "all", 6000), ("no hot dice", "no target", None)]
)
def test_where_what_scores_is_kept_it_is_the_recurrence_that_the_solver_solves(again, past, target):
    turn = solve(rules=KCD.varied(hot_dice=again == "hot dice", target=target))
    reading = ReadmeReading("of the game", again, past, "what scores")
    assert [reading.optimal(n) for n in (1, 2, 3)] == horizon(turn, 3)


def test_points_past_the_target_may_be_worth_nothing():
    turn = solve(rules=KCD, overshoot=Overshoot.NEEDED)
    reading = ReadmeReading("of the game", "hot dice", "capped", "what scores")
    assert [reading.optimal(n) for n in (1, 2, 3)] == horizon(turn, 3)


def letter(rolls, points, dice):
    """The README's formula to the letter, without hot dice: every roll, every selection of it."""
    total = mpq(0)
    for roll in product(range(1, 7), repeat=dice):
        kept = [part for k in range(dice + 1) for part in combinations(roll, k)]
        scores = [KCD.score(list(part)) if part else 0 for part in kept]
        worth = [mpq(max(scores))]
        for part, score in zip(kept, scores, strict=True):
            if rolls > 1 and len(part) < dice and points + score < 6000:
                worth.append(score + letter(rolls - 1, points + score, dice - len(part)))
        total += max(worth) - (0 if any(scores) else points)
    return total / 6**dice


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rolls", "points", "dice"), [(1, 300, 3), (2, 0, 2), (2, 5950, 2), (3, 50, 2)]
)
def test_to_the_letter_anything_may_be_kept_and_a_bust_goes_on(rolls, points, dice):
    reading = ReadmeReading("of the game", "no hot dice", "all", "to the letter")
    assert reading.optimal(rolls, points, dice) == letter(rolls, points, dice)


def test_readings_differ_in_name():
    assert len({reading.name for reading in READINGS}) == len(READINGS) == 72  # 3 · 2 · 3 · 4
