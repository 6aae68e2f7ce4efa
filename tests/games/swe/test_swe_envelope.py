"""Envelopes against evaluation at every score."""

from itertools import pairwise

from gmpy2 import mpz
from hypothesis import given
from hypothesis import strategies as st

from exactdice.games.swe.optimum.envelope import (
    Candidates,
    Piece,
    added,
    best,
    restricted,
    scaled,
    value_at,
)
from exactdice.games.swe.rules import Action, ActionKind

LOW, HIGH = 2, 25
NUMBERS = st.integers(-40, 40).map(mpz)


@st.composite
def envelopes(draw):
    starts = draw(st.lists(st.integers(LOW + 1, HIGH + 5), unique=True, max_size=4))
    return tuple(Piece(start, draw(NUMBERS), draw(NUMBERS)) for start in [LOW, *sorted(starts)])


@given(st.lists(envelopes(), min_size=1, max_size=4))
def test_best_is_the_greatest_at_every_score(several):
    upper = best(several, LOW, HIGH)
    for score in range(LOW, HIGH + 1):
        assert value_at(upper, score) == max(value_at(one, score) for one in several)
    assert upper[0].start == LOW
    assert all(a.start < b.start and a[1:] != b[1:] for a, b in pairwise(upper))
    assert upper[-1].start <= HIGH


@given(st.lists(st.tuples(st.integers(0, 9).map(mpz), st.integers(0, 6), envelopes()), max_size=4))
def test_sums_of_shifted_envelopes_hold_at_every_score(parts):
    total = added(parts, LOW, HIGH)
    for score in range(LOW, HIGH + 1):
        expected = sum(weight * value_at(one, score + shift) for weight, shift, one in parts)
        assert value_at(total, score) == expected


@given(envelopes(), st.integers(LOW, HIGH), st.integers(0, 9), st.integers(1, 5))
def test_restriction_and_scaling_change_no_value(envelope, low, length, factor):
    kept = restricted(scaled(envelope, mpz(factor)), low, low + length)
    for score in range(low, low + length + 1):
        assert value_at(kept, score) == factor * value_at(envelope, score)


@given(st.lists(envelopes(), min_size=1, max_size=4))
def test_choices_are_the_optimal_actions_at_every_score(several):
    actions = [Action(ActionKind.CREATE), *(Action(ActionKind.PROMOTE, i) for i in range(4))]
    worth = dict(zip(actions, several, strict=False))
    candidates = Candidates(mpz(7), worth, LOW, HIGH)
    choices, lines = candidates.choices(), candidates.lines()
    for score in range(LOW, HIGH + 1):
        top = max(value_at(one, score) for one in several)
        (choice,) = [c for c in choices if c.low <= score <= c.high]
        assert list(choice.actions) == [a for a, e in worth.items() if value_at(e, score) == top]
        (line,) = [one for one in lines if one.low <= score <= one.high]
        assert 7 * (line.A + line.B * score) == top
    assert all(a.actions != b.actions for a, b in pairwise(choices))
