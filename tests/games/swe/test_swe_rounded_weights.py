"""Weights that are rounded down, slot by slot, against fractions."""

from fractions import Fraction

from gmpy2 import mpq, mpz
from hypothesis import given
from hypothesis import strategies as st

from exactdice.games.swe.distributions.forward import AllRevenue, RoundedWeights
from exactdice.games.swe.rules import Ladder

BITS = 64
CHANCES = st.integers(2, 2**32).flatmap(lambda q: st.tuples(st.integers(1, q - 1), st.just(q)))
SMALL = st.integers(2, 99).flatmap(lambda q: st.tuples(st.integers(1, q - 1), st.just(q)))


@given(
    low=st.integers(0, 2**BITS),
    high=st.integers(2 ** (BITS - 1), 2**BITS),
    chance=st.one_of(SMALL, CHANCES),
    grain=st.integers(1, 40),
)
def test_a_chance_is_rounded_down_by_less_than_its_grain(low, high, chance, grain):
    weights = RoundedWeights(Ladder(4), bits=BITS, grain=grain, least=BITS, slots=2)
    packed = low + (mpz(high) << weights.width)
    after = weights.enter(packed, mpq(*chance), AllRevenue((1,), 0), (2,))
    upper, lower = divmod(after, mpz(1) << weights.width)
    # Of the chance of one case in so many, less than a part in 2^(grain − 1); and less than a unit.
    lost = Fraction(2, mpq(*chance).denominator << grain)
    for before, rounded in ((low, lower), (high, upper)):
        true = before * Fraction(*chance)
        assert true - before * lost - 1 < rounded <= true
