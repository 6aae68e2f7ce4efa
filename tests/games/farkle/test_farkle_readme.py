"""What the KCD Farkle README states, figure by figure."""

import pytest
from gmpy2 import mpq

from exactdice.games.farkle.exact import solve
from exactdice.games.farkle.horizon import horizon
from exactdice.games.farkle.readme import counts, statements, values
from exactdice.games.farkle.rules import KCD


def test_every_count_of_the_readme_is_right():
    # The README: 120 values of P, 64 sets, 46656 rolls, 7680 · 6⁶ · 2⁶ = 2.29 × 10¹⁰ computations,
    # 120 · 7⁶ · 2⁶ = 903,544,320 and 120 · 2⁶ · 6⁶ = 358,318,080, together 1.261 × 10⁹.
    computed = [int(statement.computed) for statement in counts()]
    assert computed[:5] == [120, 64, 7680, 46656, 64]
    assert computed[5] == 120 * 64 * 6**6 * 2**6
    assert computed[7:9] == [903_544_320, 358_318_080]
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
def test_no_convention_gives_the_printed_517(hot_dice, overshoot):
    turn = solve(rules=KCD.varied(hot_dice=hot_dice), overshoot=overshoot)
    for value in horizon(turn, 8):
        assert abs(value - mpq("517.9492")) > mpq(1, 2)
