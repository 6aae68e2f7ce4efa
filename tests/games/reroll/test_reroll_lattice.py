"""The lattice of holds against the general solver, which knows nothing of holds."""

import tracemalloc
from fractions import Fraction
from itertools import combinations_with_replacement

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdice.games.reroll import Rules, lattice, solve
from exactdice.games.reroll.exact import END, as_model, memory_estimate
from exactdice.games.reroll.lattice import solve_on_lattice
from exactdice.games.reroll.sources import VALUE
from exactdice.models import optimum


@st.composite
def games(draw: st.DrawFn) -> Rules:
    sides = draw(st.integers(1, 5))
    weights = draw(
        st.lists(st.integers(0, 3), min_size=sides, max_size=sides).filter(lambda w: sum(w) > 0)
    )
    return Rules(
        dice=draw(st.integers(1, 4)),
        values=draw(st.permutations(["-3/2", -1, 0, "1/3", 2, 5, 6]))[:sides],
        bias=[Fraction(w, sum(weights)) for w in weights],
        penalty=draw(st.sampled_from(["1/100000", "1/5", 1, 2, 50])),
    )


@given(games())
def test_values_policies_and_ties_are_those_of_the_general_solver(rules: Rules) -> None:
    general, solved = optimum(as_model(rules)), solve(rules)
    assert solved.value == general.value
    for state, value in (dict(solved.holds) | dict(solved.values) | {END: mpq(0)}).items():
        assert general.value_of(state) == value
        assert solved.optimum.optimal_actions(state) == general.optimal_actions(state)
    assert solved.optimum.policy == general.policy


@given(games(), st.integers(0, 3))
def test_the_values_do_not_depend_on_the_sweeps(rules: Rules, sweeps: int) -> None:
    wanted = solve_on_lattice(rules)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lattice, "_SWEEPS", 1 + sweeps)
        found = solve_on_lattice(rules)
    assert (found.rolls, found.holds) == (wanted.rolls, wanted.holds)


def test_from_a_poor_policy_it_is_improved_until_none_is_better(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stick = lattice._STICK  # on every roll
    monkeypatch.setattr(lattice, "_guess", lambda of: [stick] * len(of.rolls))
    found = solve_on_lattice(Rules())
    assert found.iterations > 1
    assert found.holds[0] == mpq(VALUE)


def test_where_the_first_policy_may_not_end_sticking_on_every_roll_takes_its_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lattice, "_guess", lambda of: [0] * len(of.rolls))  # hold nothing, ever
    assert solve_on_lattice(Rules()).holds[0] == mpq(VALUE)


@pytest.mark.parametrize(("dice", "sides"), [(1, 1), (1, 40), (2, 30), (3, 6), (4, 9), (6, 2)])
def test_multisets_of_dice_have_sums_of_their_own(dice: int, sides: int) -> None:
    units = lattice._units(dice, sides)
    sums = [
        sum(multiset)
        for count in range(dice + 1)
        for multiset in combinations_with_replacement(units, count)
    ]
    assert len(set(sums)) == len(sums)


def test_one_die_of_many_sides_sticks_from_some_side_on() -> None:
    """Where that is side t, v = E[x; x ≥ t] + P(x < t)·(v − 1)."""
    sides = 3000
    found = solve_on_lattice(Rules(dice=1, sides=sides))
    assert found.holds[0] == max(
        mpq(sum(range(least, sides + 1)) - (least - 1), sides - least + 1)
        for least in range(1, sides + 1)
    )


def test_the_lattice_of_many_sides_takes_no_more_memory_than_is_estimated() -> None:
    """The oracle counts what the interpreter allocates."""
    rules = Rules(dice=1, sides=20_000)
    tracemalloc.start()
    try:
        lattice._Lattice(rules)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < memory_estimate(rules)
