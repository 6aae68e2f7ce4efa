"""Two ways to the score of NewOnly, against each other, the general run and known figures."""

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st
from policy_oracle import law_of, moments

from exactdice.arithmetic import nearest_double, to_fraction
from exactdice.errors import InputError
from exactdice.games.swe import Ladder
from exactdice.games.swe.evaluation import exact_law
from exactdice.games.swe.new_only import chain_moments, mean_closed_form
from exactdice.games.swe.players import NewOnly


@given(rounds=st.integers(0, 7), faces=st.integers(2, 12))
def test_both_agree_with_following_every_state(rounds, faces):
    mean, variance = moments(law_of(NewOnly(), rounds, Ladder(faces)))
    assert to_fraction(mean_closed_form(rounds, faces)) == mean
    assert tuple(map(to_fraction, chain_moments(rounds, faces))) == (mean, variance)


@pytest.mark.parametrize(("rounds", "faces"), [(20, 4), (25, 6), (60, 4), (100, 4)])
def test_closed_form_equals_chain(rounds, faces):
    assert mean_closed_form(rounds, faces) == chain_moments(rounds, faces)[0]


@pytest.mark.parametrize("faces", [2, 4, 6])
def test_the_chain_equals_the_run_through_all_dice(faces):
    law = exact_law(NewOnly(), 15, Ladder(faces))
    assert (law.mean().point, law.variance().point) == chain_moments(15, faces)


def test_hundred_rounds():
    # An independent exact program: 184.861091969536…
    mean = mean_closed_form(100)
    assert mpq("184.861091969536") <= mean < mpq("184.861091969537")


def test_ten_rounds_are_the_published_value():
    # The SWE game's README, output of its dp.py.
    assert nearest_double(mean_closed_form(10)) == pytest.approx(20.483601957243238, rel=1e-15)


@pytest.mark.parametrize("bad", [(-1, 4), (3, 1), ("x", 4)])
def test_bad_sizes_are_refused(bad):
    for compute in (mean_closed_form, chain_moments):
        with pytest.raises(InputError):
            compute(*bad)
