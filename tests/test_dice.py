"""Distributions against enumeration of all rolls."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import prod

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdice.arithmetic import decimal, rational
from exactdice.dice import Distribution, Root, fair, mixture
from exactdice.dice import pool as together
from exactdice.errors import InputError
from exactdice.report.model import CellKind

weights = st.dictionaries(st.integers(-4, 6), st.integers(0, 5), min_size=1, max_size=5)
dice = weights.filter(lambda w: any(w.values())).map(Distribution)


def enumerate_rolls(pool):
    """Every roll of a pool with its probability, the obvious way."""
    for roll in product(*(die.items() for die in pool)):
        faces = tuple(face for face, _ in roll)
        weight = prod(weight for _, weight in roll)
        yield faces, Fraction(weight, prod(die.denominator for die in pool))


def law_of(pool, statistic):
    law = Counter()
    for faces, chance in enumerate_rolls(pool):
        law[statistic(faces)] += chance
    return {outcome: mpq(chance) for outcome, chance in law.items()}


@given(st.lists(dice, min_size=2, max_size=2))
def test_sum_of_two_dice_is_their_convolution(pool):
    assert (pool[0] + pool[1]).probabilities() == law_of(pool, sum)


@given(dice, st.integers(0, 4))
def test_power_of_the_generating_polynomial_is_the_law_of_the_sum(die, count):
    assert die.sum_of(count).probabilities() == law_of([die] * count, sum)


def test_sum_of_dice_with_fractional_faces():
    halves = Distribution({mpq(1, 2): 1, mpq(2): 3})
    assert halves.sum_of(3).probabilities() == law_of([halves] * 3, sum)


@given(st.lists(dice, min_size=1, max_size=4), st.data())
def test_order_statistics_of_a_mixed_pool(pool, data):
    k = data.draw(st.integers(1, len(pool)))
    expected = law_of(pool, lambda faces: sorted(faces, reverse=True)[k - 1])
    assert together(*pool).keep([k - 1]).probabilities() == expected


@given(dice, dice)
def test_comparison_counts_pairs(first, second):
    law = law_of([first, second], lambda faces: (faces[0] > faces[1]) - (faces[0] < faces[1]))
    assert (first > second).probability(True) == law.get(1, 0)
    assert (first - second).probability(0) == law.get(0, 0)
    assert (first < second).probability(True) == law.get(-1, 0)


@given(dice)
def test_moments_by_their_definitions(die):
    mean = sum(x * p for x, p in die.probabilities().items())
    assert die.mean() == mean
    assert die.variance() == sum((x - mean) ** 2 * p for x, p in die.probabilities().items())


@given(dice, st.integers(1, 12), st.integers(1, 12))
def test_quantile_is_the_smallest_outcome_whose_cdf_reaches_the_level(die, p, q):
    level = Fraction(min(p, q), max(p, q))
    quantile = die.quantile(level)
    assert die.cdf(quantile) >= mpq(level)
    assert all(die.cdf(x) < mpq(level) for x in die if x < quantile)


@given(weights.filter(lambda w: any(w.values())), st.integers(1, 9))
def test_scaled_weights_are_the_same_distribution(given_weights, scale):
    die = Distribution(given_weights)
    scaled = Distribution({x: w * scale for x, w in given_weights.items()})
    assert die == scaled
    assert hash(die) == hash(scaled)
    assert sum(die.values()) == die.denominator
    assert sum(die.probabilities().values()) == 1


@given(dice, dice, st.fractions(0, 1))
def test_mixture_weighs_its_parts(first, second, chance):
    mixed = mixture([(chance, first), (1 - chance, second)])
    for x in {*first, *second}:
        expected = mpq(chance) * first.probability(x) + (1 - mpq(chance)) * second.probability(x)
        assert mixed.probability(x) == expected


def test_outcomes_that_do_not_compare_keep_their_order():
    assert list(Distribution({"b": 1, 2: 1, "a": 1})) == ["b", 2, "a"]


def test_a_distribution_is_not_equal_to_its_weights():
    assert fair(2) != {1: 1, 2: 1}


@given(st.fractions(0, 1000), st.integers(0, 20))
def test_root_is_rounded_correctly(square, places):
    root = Root(mpq(square))
    written = rational(root.decimal(places))
    half = mpq(1, 2 * 10**places)
    assert (written + half) ** 2 >= square
    assert written == 0 or (written - half) ** 2 <= square


def test_root_of_a_square_of_a_rational_rounds_half_to_even():
    for numerator in (1, 3, 5, 7, 9, 11):
        exact = mpq(numerator, 8)
        assert Root(exact**2).decimal(2) == decimal(exact, 2)


@pytest.mark.parametrize(
    ("make", "line"),
    [
        (lambda: Distribution({}), "weights: got {}; expected at least one positive weight"),
        (
            lambda: Distribution({1: -1}),
            "weight of 1: got -1; expected a whole number of at least 0; or use "
            "Distribution.from_probabilities",
        ),
        (
            lambda: Distribution({1: 0.5}),
            "weight of 1: got 0.5; expected a whole number of at least 0; or use "
            "Distribution.from_probabilities",
        ),
        (lambda: fair(0), "sides: got 0; expected a whole number of at least 1"),
        (lambda: fair(6).quantile(0), "level: got 0; expected a number above 0 and at most 1"),
        (
            lambda: Distribution.from_probabilities({1: "1/2"}),
            "probabilities: got a sum of 1/2; expected probabilities that sum to 1",
        ),
        (
            lambda: Distribution({"head": 1}).mean(),
            "outcome: got 'head'; expected a number such as '3', '7/2' or '0.1'",
        ),
    ],
)
def test_bad_input_gets_one_clear_line(make, line):
    with pytest.raises(InputError) as problem:
        make()
    assert str(problem.value) == line


@pytest.mark.parametrize(
    ("die", "count", "kinds"),
    [
        (Distribution({1: 1, 2: 1}), 2, [int, int, int]),
        # 1, 3/2, 2: two halves make a whole again.
        (Distribution({mpq(1, 2): 1, 1: 1}), 2, [int, type(mpq(3, 2)), int]),
    ],
)
def test_a_sum_that_is_whole_is_an_int_and_others_are_rationals(die, count, kinds):
    assert [type(outcome) for outcome, _ in sorted(die.sum_of(count).items())] == kinds


@pytest.mark.parametrize(
    ("outcomes", "kind"),
    [
        ([False, True], CellKind.FLAG),
        ([1, 2], CellKind.WHOLE),
        ([mpq(1, 2), mpq(3, 2)], CellKind.EXACT),
        ([1, mpq(1, 2)], CellKind.EXACT),
        ([(1, 2), (2, 1)], CellKind.LIST),
        (["heads", "tails"], CellKind.TEXT),
        ([1, "tails"], CellKind.TEXT),
        ([True, 2], CellKind.TEXT),
        ([(1, 2), "none"], CellKind.TEXT),
    ],
)
def test_outcomes_are_reported_as_what_they_are(outcomes, kind):
    """A column holds one kind of cells, by the table of `CellKind`; what is mixed is words."""
    table = Distribution.from_faces(outcomes).report().table("outcomes")
    assert table.column_named("outcome").kind is kind
    wanted = [str(outcome) for outcome in outcomes] if kind is CellKind.TEXT else outcomes
    assert Counter(table.cells("outcome")) == Counter(wanted)
