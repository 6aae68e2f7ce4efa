"""Limits of new-only play: enclosures against long finite games and independent series."""

import pytest
from gmpy2 import mpq

from exactdice.arithmetic import decimal
from exactdice.errors import InputError
from exactdice.games.swe.new_only import NewOnly
from exactdice.studies.swe.closed_forms import LongRun, long_run_statements
from exactdice.symbolic.statements import Status


def test_euler_product_at_one_half():
    # OEIS A048651: the product of 1 − 2^(−j), 0.28878809508660242127889972192923078…
    known = mpq("0.28878809508660242127889972192923078")
    assert abs(LongRun(2).catastrophe().lower - known) < mpq(1, 10**34)


def product_bounds(sides, places):
    """Bounds on ∏ (1 − q^j) to so many places after the point of its inverse, in whole numbers.

    Over 2**bits, rounded down and up; the product of all j > N is at least 1 − k q^(N + 1).
    """
    bits = 4 * places + 6 * sides + 200
    one = 1 << bits
    low = high = one
    power_low = power_high = one
    while sides * power_high >> bits - 4 * places - 5 * sides:
        power_low = power_low * (sides - 1) // sides
        power_high = -(-power_high * (sides - 1) // sides)
        low = low * (one - power_high) >> bits
        high = -(-high * (one - power_low) >> bits)
    return mpq(low, one) * (1 - mpq(sides * power_high, one)), mpq(high, one)


@pytest.mark.parametrize("sides", [1, 2, 3, 4, 12, 50, 100])
def test_limits_are_those_of_the_product(sides):
    low, high = product_bounds(sides, 30)
    catastrophe, between = LongRun(sides).catastrophe(), LongRun(sides).rounds_between()
    assert low <= catastrophe.upper
    assert catastrophe.lower <= high
    assert catastrophe.width <= mpq(1, 10**30)
    assert decimal(1 / low, 30) == decimal(1 / high, 30) == between.decimal(30)


@pytest.mark.slow
@pytest.mark.parametrize("sides", [12, 50, 300])
@pytest.mark.parametrize("revenue", [0, 1, 10**6])
def test_large_limits_have_the_places_asked_for(sides, revenue):
    # 1/Q has 8, 35 and 213 digits before the point; more digits are a computation with more terms.
    few, many = LongRun(sides, 3), LongRun(sides, 80)
    for limits in (
        (few.rounds_to_first(revenue), many.rounds_to_first(revenue)),
        (few.expected_score(), many.expected_score()),
    ):
        assert limits[0].width < mpq(1, 10**3)
        assert limits[1].width < mpq(1, 10**80)
        assert limits[1].lower in limits[0]
        assert limits[0].decimal(3) == decimal(limits[1].lower, 3)


@pytest.mark.parametrize(("sides", "rounds"), [(1, 5), (2, 150)])
def test_expected_score_of_long_games_approaches_the_limit(sides, rounds):
    limit = LongRun(sides).expected_score()
    near, far = NewOnly(sides).expected_score(rounds // 2), NewOnly(sides).expected_score(rounds)
    assert abs(far - limit.lower) < mpq(1, 10**10)
    assert abs(far - limit.lower) <= abs(near - limit.lower)


@pytest.mark.parametrize(("sides", "start"), [(2, (4, 9)), (2, (1, 0))])
def test_limit_does_not_depend_on_the_start(sides, start):
    limit = LongRun(sides).expected_score()
    assert abs(NewOnly(sides, *start).expected_score(150) - limit.lower) < mpq(1, 10**10)


@pytest.mark.parametrize("revenue", [0, 1, 2, 7])
def test_rounds_to_the_first_catastrophe_sum_the_chances_of_none(revenue):
    game = NewOnly(2, revenue)
    total = sum((game.survival(m) for m in range(150)), mpq(0))
    expected = LongRun(2).rounds_to_first(revenue)
    assert total < expected.upper
    assert abs(expected.lower - total) < mpq(1, 10**10)


def test_statements_are_proved():
    assert {statement.status for statement in long_run_statements()} == {Status.PROVED}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: LongRun(0), "sides: got 0"),
        (lambda: LongRun(1001), "sides: got 1001"),
        (lambda: LongRun(4, 0), "digits: got 0"),
        (lambda: LongRun(4).rounds_to_first(-1), "revenue: got -1"),
    ],
)
def test_invalid_limits_are_rejected(make, message):
    with pytest.raises(InputError, match=message):
        make()
