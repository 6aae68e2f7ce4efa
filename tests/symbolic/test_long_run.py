"""Limits of new-only play: enclosures against long finite games and independent series."""

from functools import reduce

import pytest
from gmpy2 import mpq

from exactdice.errors import InputError
from exactdice.symbolic.long_run import Enclosure, LongRun, long_run_statements
from exactdice.symbolic.new_only import NewOnly
from exactdice.symbolic.statements import Status


def test_euler_product_at_one_half():
    # OEIS A048651: the product of 1 − 2^(−j), 0.28878809508660242127889972192923078…
    known = mpq("0.28878809508660242127889972192923078")
    assert abs(LongRun(2).catastrophe().low - known) < mpq(1, 10**34)


@pytest.mark.parametrize("sides", [1, 2, 3, 4, 6])
def test_limits_agree_with_pentagonal_number_theorem(sides):
    # Euler: ∏ (1 − q^j) = Σ (−1)^m q^(m(3m − 1)/2) over all whole m; alternating, so the first 60
    # terms of both signs leave less than 10^−40 at these q.
    q = mpq(sides - 1, sides)
    series = sum(((-1) ** (m % 2) * q ** (m * (3 * m - 1) // 2) for m in range(-60, 61)), mpq(0))
    found = LongRun(sides, 20).catastrophe()
    assert found.low - mpq(1, 10**40) <= series <= found.high + mpq(1, 10**40)
    assert found.width <= mpq(1, 10**20)
    between = LongRun(sides, 20).rounds_between()
    assert between.low * found.low <= 1 <= between.high * found.high


@pytest.mark.parametrize(("sides", "rounds"), [(1, 5), (2, 150)])
def test_expected_score_of_long_games_approaches_the_limit(sides, rounds):
    limit = LongRun(sides).expected_score()
    near, far = NewOnly(sides).expected_score(rounds // 2), NewOnly(sides).expected_score(rounds)
    assert abs(far - limit.low) < mpq(1, 10**10)
    assert abs(far - limit.low) <= abs(near - limit.low)


@pytest.mark.parametrize(("sides", "start"), [(2, (4, 9)), (2, (1, 0))])
def test_limit_does_not_depend_on_the_start(sides, start):
    limit = LongRun(sides).expected_score()
    assert abs(NewOnly(sides, *start).expected_score(150) - limit.low) < mpq(1, 10**10)


@pytest.mark.parametrize("revenue", [0, 1, 2, 7])
def test_rounds_to_the_first_catastrophe_sum_the_chances_of_none(revenue):
    game = NewOnly(2, revenue)
    total = sum((game.survival(m) for m in range(150)), mpq(0))
    expected = LongRun(2).rounds_to_first(revenue)
    assert total < expected.high
    assert abs(expected.low - total) < mpq(1, 10**10)


def test_last_series_sums_smallest_parts_of_partitions():
    # The docstring's reading of the series, for partitions of up to 60 at q = 1/4 < 2^(−2).
    def smallest_parts(size, least=1):
        """Sum of the smallest parts of the partitions of `size` into parts of at least `least`."""
        return sum(part * count(size - part, part) for part in range(least, size + 1))

    def count(size, least):
        table = [1] + [0] * size
        for part in range(least, size + 1):
            for n in range(part, size + 1):
                table[n] += table[n - part]
        return table[size]

    q = mpq(1, 2)
    product = reduce(lambda p, j: p * (1 - q**j), range(1, 200), mpq(1))
    series, finite = mpq(0), mpq(1)
    for s in range(200):
        series += finite / product - 1
        finite *= 1 - q ** (s + 1)
    by_parts = sum((smallest_parts(n) * q**n for n in range(1, 61)), mpq(0))
    assert 0 < series - by_parts < mpq(1, 10**9)


def test_more_digits_narrow_the_enclosure():
    few, many = LongRun(4, 5).expected_score(), LongRun(4, 50).expected_score()
    assert few.low <= many.low <= many.high <= few.high
    assert many.width < mpq(1, 10**45)
    assert many.low in few


def test_decimal_shows_only_what_is_known():
    assert Enclosure(mpq(1, 8), mpq(1, 8)).decimal(3) == "0.125"
    assert Enclosure(mpq(1, 8), mpq(3, 8)).decimal(3) == "0"
    assert Enclosure(mpq(2), mpq(2)).decimal(0) == "2"


def test_statements_are_proved():
    assert {statement.status for statement in long_run_statements()} == {Status.PROVED}


def test_wrong_arguments_are_refused():
    with pytest.raises(InputError, match="sides: got 0"):
        LongRun(0)
    with pytest.raises(InputError, match="sides: got 1001"):
        LongRun(1001)
    with pytest.raises(InputError, match="digits: got 0"):
        LongRun(4, 0)
    with pytest.raises(InputError, match="revenue: got -1"):
        LongRun(4).rounds_to_first(-1)
