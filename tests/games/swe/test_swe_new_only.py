"""The chain of NewOnly against following every state, the closed form and the general run."""

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st
from policy_oracle import law_of, moments

from exactdice.arithmetic import to_fraction
from exactdice.errors import InputError
from exactdice.games.swe import new_only as closed_form
from exactdice.games.swe.distributions.evaluation import chain_moments, exact_distribution
from exactdice.games.swe.distributions.players import NewOnlyPolicy
from exactdice.games.swe.rules import Ladder
from exactdice.games.swe.sources import NEW_ONLY


@given(rounds=st.integers(0, 7), faces=st.integers(2, 12))
def test_the_chain_agrees_with_following_every_state(rounds, faces):
    mean, variance = moments(law_of(NewOnlyPolicy(), rounds, Ladder(faces)))
    assert tuple(map(to_fraction, chain_moments(rounds, faces))) == (mean, variance)


@pytest.mark.parametrize(("rounds", "faces"), [(20, 4), (25, 6), (60, 4), (100, 4)])
def test_closed_form_equals_chain(rounds, faces):
    mean = closed_form.NewOnly(faces).expected_score(rounds)
    assert mean == chain_moments(rounds, faces)[0]


@pytest.mark.parametrize("faces", [2, 4, 6])
def test_the_chain_equals_the_run_through_all_dice(faces):
    law = exact_distribution(NewOnlyPolicy(), 15, Ladder(faces))
    assert (law.mean().point, law.variance().point) == chain_moments(15, faces)


def test_hundred_rounds():
    # An independent exact program.
    mean, _ = chain_moments(100)
    assert NEW_ONLY[100] <= mean < NEW_ONLY[100] + mpq(1, 10**12)


@pytest.mark.parametrize("bad", [(-1, 4), (3, 1), ("x", 4)])
def test_bad_sizes_are_refused(bad):
    with pytest.raises(InputError):
        chain_moments(*bad)
