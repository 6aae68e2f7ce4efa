"""What the KCD Farkle README states, figure by figure."""

import pytest
from gmpy2 import mpq

from exactdice.games.farkle.rules.tables import KCD
from exactdice.games.farkle.turn.exact import horizon, solve
from exactdice.studies.farkle.readme import README, counts, statements, values


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


def test_rolls_of_all_sets_together_are_one_less_than_seven_to_the_sixth():
    from itertools import combinations

    rolls = sum(6 ** len(kept) for k in range(1, 7) for kept in combinations(range(6), k))
    assert rolls == 7**6 - 1


def test_only_the_first_value_of_the_readme_agrees():
    one, *others = values()
    assert one.agrees
    assert not any(statement.agrees for statement in others)
    assert len(statements()) == len(counts()) + 4


@pytest.mark.parametrize("hot_dice", [True, False])
@pytest.mark.parametrize("overshoot", ["full", "needed"])
def test_no_convention_gives_the_printed_value_of_two_rolls(hot_dice, overshoot):
    turn = solve(rules=KCD.varied(hot_dice=hot_dice), overshoot=overshoot)
    for value in horizon(turn, 8):
        assert abs(value - mpq(README["Optimal_2"])) > mpq(1, 2)
