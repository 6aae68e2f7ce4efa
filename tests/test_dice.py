"""Distributions, operators and pools against the listing of all rolls."""

from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from math import comb, log2
from operator import add, sub
from random import Random
from time import process_time

import numpy as np
import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st
from printed import POSTS_WIN

import exactdice
from exactdice.arithmetic import decimal, rational
from exactdice.dice import Distribution, Root, d, fair, mixture, pool, pools
from exactdice.dice.expressions import law as law_of
from exactdice.dice.pools import beaten, count, distinct, highest, lowest, matched
from exactdice.errors import InputError, OperatorError, TooLargeError
from exactdice.games.risk.rounds import _losses
from exactdice.games.risk.rules import Ties
from exactdice.memory import stored_bytes
from exactdice.report.model import CellKind
from exactdice.run import Run

weights = st.dictionaries(st.integers(-4, 6), st.integers(0, 5), min_size=1, max_size=5)
dice = weights.filter(lambda w: any(w.values())).map(Distribution)


@given(dice, st.integers(-9, 9))
def test_statistics_by_their_definitions(die, bound):
    faces, n = sorted(rolls(die)), die.denominator
    assert die.pmf(bound) == mpq(faces.count(bound), n)
    assert die.sf(bound) == mpq(sum(face > bound for face in faces), n)
    assert die.median() == faces[(n - 1) // 2]
    often = max(map(faces.count, faces))
    assert die.mode() == tuple(x for x in dict.fromkeys(faces) if faces.count(x) == often)
    assert die.support() == tuple(dict.fromkeys(faces))
    mean = mpq(sum(faces), n)
    second, third = (sum((x - mean) ** p for x in faces) / n for p in (2, 3))
    if not second:
        with pytest.raises(InputError, match="two at least, for the skewness"):
            die.skewness()
        return
    assert die.skewness() == Root(third**2 / second**3, third < 0)
    bits = [mpq(w, n) for w in die.values()]
    near = sum(-float(p) * log2(p) for p in bits)
    entropy = die.entropy()
    assert entropy.width < mpq(1, 10**30)
    assert abs(float(entropy.lower) - near) < 1e-12


@given(st.fractions(-50, 50), st.fractions(-50, 50))
def test_roots_compare_like_their_decimals(a, b):
    roots = [Root(mpq(x) ** 2, x < 0) for x in (a, b)]
    assert (roots[0] < roots[1], roots[0] == roots[1]) == (a < b, a == b)
    assert (roots[0] < b, roots[0] >= b, roots[0] == b) == (a < b, a >= b, a == b)
    assert float(roots[0]) == float(a)
    third = Root(abs(mpq(a)))
    with localcontext(prec=60):
        exact = (Decimal(abs(a).numerator) / abs(a).denominator).sqrt()
    assert float(third) == float(exact)


@pytest.mark.parametrize("rng", [Random(5), np.random.default_rng(5)])  # noqa: S311 - no secret
def test_samples_have_the_frequencies_of_the_distribution(rng):
    die = Distribution({1: 1, 2: 300, 7: 699})
    rolled = Counter(die.sample(rng, 3000))
    assert {*rolled} <= {1, 2, 7}
    for outcome, chance in die.probabilities().items():
        spread = 3000 * chance * (1 - chance)
        assert (rolled[outcome] - 3000 * chance) ** 2 < 25 * spread  # five standard deviations
    large = Distribution({0: 2**200 - 1, 1: 1})
    assert large.sample(rng, 10) == [0] * 10
    assert die.sample(rng) in die


def test_dice_by_name():
    assert (exactdice.d2, exactdice.dice.d3, exactdice.d100) == (d(2), d(3), d(100))
    assert exactdice.dF == exactdice.dice.dF == d(3) - 2
    assert 3 in exactdice.d6
    assert 7 not in exactdice.d6


def test_data_frames_of_polars_equal_those_of_pandas():
    pytest.importorskip("polars"), pytest.importorskip("pandas")
    die = 2 @ d(6)
    assert die.to_polars()["outcome"].to_list() == die.to_pandas()["outcome"].to_list()


def test_sum_of_dice_with_fractional_faces():
    halves = Distribution({mpq(1, 2): 1, mpq(2): 3})
    assert halves.sum_of(3) == law(map(sum, product(rolls(halves), repeat=3)))


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


def test_incomparable_outcomes_keep_their_order():
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


@pytest.mark.parametrize(("die", "count", "kinds"), [
    (Distribution({1: 1, 2: 1}), 2, [int, int, int]),
    # 1, 3/2, 2: two halves make a whole number.
    (Distribution({mpq(1, 2): 1, 1: 1}), 2, [int, type(mpq(3, 2)), int])
])  # fmt: skip
def test_whole_sums_are_ints_and_others_rationals(die, count, kinds):
    assert [type(outcome) for outcome, _ in sorted(die.sum_of(count).items())] == kinds


@pytest.mark.parametrize(("outcomes", "kind"), [
    ([False, True], CellKind.FLAG), ([1, 2], CellKind.WHOLE),
    ([mpq(1, 2), mpq(3, 2)], CellKind.EXACT), ([1, mpq(1, 2)], CellKind.EXACT),
    ([(1, 2), (2, 1)], CellKind.LIST), (["heads", "tails"], CellKind.TEXT),
    ([1, "tails"], CellKind.TEXT), ([True, 2], CellKind.TEXT), ([(1, 2), "none"], CellKind.TEXT)
])  # fmt: skip
def test_reports_have_columns_for_each_kind_of_outcome(outcomes, kind):
    table = Distribution.from_faces(outcomes).report().table("outcomes")
    assert table.column_named("outcome").kind is kind
    wanted = [str(outcome) for outcome in outcomes] if kind is CellKind.TEXT else outcomes
    assert Counter(table.cells("outcome")) == Counter(wanted)
    assert set(table.cells("probability")) == {mpq(1, len(outcomes))}


def rolls(die):
    return [face for face, weight in die.items() for _ in range(weight)]


def law(outcomes):
    return Distribution.from_faces(outcomes)


@given(dice, dice, st.integers(0, 5), st.integers(1, 5), st.data())
def test_one_integer_and_flint_give_equal_distributions(a, b, several, rolled, data):
    kept = data.draw(st.integers(1, rolled))
    laws = []
    for length in (10**9, 0):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("exactdice.dice.weighted._LONG", length)
            patch.setattr("exactdice.dice.distribution._MANY", 0)
            asked = [a.sum_of(several), fair(several + 1) @ a, a + b, a / 2 - b, a.explode(several)]
            asked += [a.keep_highest(rolled, kept), a.keep_lowest(rolled, kept)]
            laws.append([*asked, pool(rolled, a, b).keep_highest(kept)])
    assert laws[0] == laws[1]
    assert laws[0][2] == law([x + y for x in rolls(a) for y in rolls(b)])
    assert laws[0][3] == law([mpq(x, 2) - y for x in rolls(a) for y in rolls(b)])


@given(dice, dice, st.integers(-4, 4))
def test_operators_act_on_independent_rolls(a, b, n):
    pairs = list(product(rolls(a), rolls(b)))
    assert a + b == law([x + y for x, y in pairs])
    assert a - b == law([x - y for x, y in pairs])
    assert a * b == law([x * y for x, y in pairs])
    assert (a < b) == law([x < y for x, y in pairs])
    assert (a <= b) == law([x <= y for x, y in pairs])
    assert (a > b) == law([x > y for x, y in pairs])
    assert (a >= b) == law([x >= y for x, y in pairs])
    assert n + a == a + n == law([x + n for x in rolls(a)])
    assert n - a == law([n - x for x in rolls(a)])
    assert -a == law([-x for x in rolls(a)])
    assert n * a == a * n == law([n * x for x in rolls(a)])
    assert abs(a) == law([abs(x) for x in rolls(a)])
    assert highest(a, b, n) == law([max(x, y, n) for x, y in pairs])
    assert lowest(a, b, n) == law([min(x, y, n) for x, y in pairs])
    for divisor, other in ((n, [n]), (b, rolls(b))):
        if 0 not in other:
            ways = list(product(rolls(a), other))
            assert a // divisor == law([x // y for x, y in ways])
            assert a % divisor == law([x % y for x, y in ways])
            assert a / divisor == law([mpq(x, y) for x, y in ways])
    if 0 not in a:
        assert n // a == law([n // x for x in rolls(a)])
        assert n % a == law([n % x for x in rolls(a)])
        assert n / a == law([mpq(n, x) for x in rolls(a)])


@given(dice)
def test_only_certain_outcomes_have_a_truth_value(die):
    if len(die) == 1:
        assert bool(die) is bool(next(iter(die)))
    else:
        with pytest.raises(OperatorError, match=r"^truth: got .*probability"):
            bool(die)


@pytest.mark.parametrize("number", [3, mpq(3), 3.0, Fraction(3), True, "3"])
def test_equality_with_an_outcome_is_rejected(number):
    for compare in (lambda: d(6) == number, lambda: d(6) != number, lambda: number == d(6)):
        with pytest.raises(
            TypeError, match=r"^==: got .*; expected a distribution; .*\.probability"
        ):
            compare()
    assert d(6) == Distribution.from_faces([6, 5, 4, 3, 2, 1] * 2)
    assert {d(6): "one"}[3 - d(6) + 4] == "one"  # 7 − face has the same distribution as the face
    assert d(6) != d(8)
    assert d(6) is not None
    assert d(6) != (1, 2)


@given(dice, st.integers(0, 4))
def test_a_number_of_dice_is_the_sum_of_all_rolls(die, count):
    assert count @ die == law([sum(shown) for shown in product(rolls(die), repeat=count)])


@given(dice, st.integers(0, 3), st.data())
def test_rolling_again_follows_every_path(die, times, data):
    again = set(data.draw(st.lists(st.sampled_from(list(die)), max_size=3)))

    def after(left):
        found = {}
        for face, weight in die.items():
            chance = Fraction(weight, die.denominator)
            inner = after(left - 1) if face in again and left else {face: Fraction(1)}
            for outcome, p in inner.items():
                found[outcome] = found.get(outcome, 0) + chance * p
        return found

    assert die.reroll(again, times) == Distribution.from_probabilities(after(times))
    if again != set(die):
        assert die.reroll(again) == law([face for face in rolls(die) if face not in again])
    else:
        with pytest.raises(InputError, match="an outcome that is kept"):
            die.reroll(again)


@given(dice, st.integers(0, 3))
def test_exploding_follows_every_path(die, times):
    top = max(die)

    def after(left):
        found = {}
        for face, weight in die.items():
            chance = Fraction(weight, die.denominator)
            more = after(left - 1) if face == top and left else {0: Fraction(1)}
            for rest, p in more.items():
                found[face + rest] = found.get(face + rest, 0) + chance * p
        return found

    assert die.explode(times) == Distribution.from_probabilities(after(times))


@given(dice, dice)
def test_a_random_number_of_dice_is_a_mixture_of_sums(counts, die):
    """Oracle: each number of dice by itself, weighed by its chance."""
    counts = counts.map(abs)
    parts = [(chance, number @ die) for number, chance in counts.probabilities().items()]
    assert counts @ die == mixture(parts)


@given(dice, st.integers(0, 3), st.data())
def test_fractions_explode_like_whole_numbers(die, times, data):
    on = data.draw(st.lists(st.sampled_from(list(die)), max_size=3))
    halves = die.map(lambda face: mpq(face, 2))
    by_halves = halves.explode(times, [mpq(face, 2) for face in on])
    assert by_halves * 2 == die.explode(times, on)


@pytest.mark.slow
@pytest.mark.parametrize("large", [
    lambda: d(10**9), lambda: d(6).explode(10**5), lambda: d(6).reroll([1], times=10**10),
    lambda: d(10**5) @ d(6), lambda: d(10**5) * d(10**5),
    lambda: Distribution({0: 1, 10**12: 1}) @ Distribution({0: 1}),
    lambda: exactdice.ask("dice distribution 10000d6"),
    lambda: exactdice.ask("dice distribution 1000d1000"),
    lambda: exactdice.ask("dice distribution '500d1000 + 500d1000'")
])  # fmt: skip
def test_huge_computations_are_rejected_before_they_start(large):
    started = process_time()
    with pytest.raises(TooLargeError, match=r"^(a|the) [^;]* needs about [^;]*; ask for"):
        large()
    assert process_time() - started < 10  # rejecting takes a second, computing minutes


@pytest.mark.parametrize("lowest_first", [False, True])
def test_folds_by_die_receive_the_dice_that_show_a_face(lowest_first):
    dice, other = pool(d(4), 2, d(6), d(3)), pool(2, d(3))
    step = lambda seen, face, mine, theirs: (*seen, (face, mine, theirs))  # noqa: E731
    folded = dice.fold((), step, other, by_die=True, lowest_first=lowest_first)

    def listed(roll):
        shown = list(zip(roll[:4], (4, 6, 6, 3), strict=True))
        faces = range(1, 7) if lowest_first else range(6, 0, -1)
        return tuple(
            (face, tuple(sorted(size for f, size in shown if f == face)), roll[4:].count(face))
            for face in faces
        )

    sides = (4, 6, 6, 3, 3, 3)
    assert folded == law(map(listed, product(*(range(1, s + 1) for s in sides))))


def test_sums_and_explosions_obey_the_memory_limit():
    assert law_of("2d6", Run(memory=None)) == 2 @ d(6)


def test_a_pool_of_many_equal_dice_is_small_work():
    # Source: the highest of n fair dice is at most f with chance (f/s)^n.
    highest = fair(6).keep_highest(30)
    assert highest.cdf(5) == mpq(5, 6) ** 30


def test_distant_outcomes_need_only_their_lattice_or_each_other():
    far = Distribution({0: 1, 10**9: 1})
    assert far.sum_of(2) == Distribution({0: 1, 10**9: 2, 2 * 10**9: 1})
    three = Distribution({0: 1, 1: 1, 10**9: 1})
    assert three.sum_of(3) == three.with_other(three, add).with_other(three, add)


def test_the_package_exports_dice_games_and_questions():
    assert exactdice.d20 == fair(20)
    assert exactdice.Distribution is Distribution
    assert exactdice.risk.solve(4, 2).value == mpq(POSTS_WIN)
    assert exactdice.ask("risk win 4 2").value("value") == mpq(POSTS_WIN)
    assert {"d4", "ask", "pool", "swe"} <= set(dir(exactdice))
    assert not {"TYPE_CHECKING", "NAMES_OF_GAMES", "linked"} & set(dir(exactdice))


def test_one_die_is_kept_by_default():
    # Of 36 pairs, 11 have a one and 11 a six.
    assert fair(6).keep_lowest(2).probability(1) == mpq(11, 36)
    assert fair(6).keep_highest(2).probability(6) == mpq(11, 36)


@pytest.mark.parametrize("combine", [add, sub])
def test_large_sums_and_differences_equal_all_pairs(combine):
    """Enough outcomes for polynomials; halves, and lowest outcomes other than 0."""
    one = Distribution({mpq(x, 2): 1 + x % 3 for x in range(-7, 33)})
    two = Distribution({5 + mpq(x, 2): 1 + x % 2 for x in range(40)})
    weights = Counter()
    for (x, v), (y, w) in product(one.items(), two.items()):
        weights[combine(x, y)] += v * w
    assert combine(one, two) == Distribution(weights)
    with pytest.raises(
        TooLargeError, match=r"the distribution of 79 sums needs about .* limit of 1\.0 KiB"
    ):
        one.with_other(two, combine, Run(memory=1024))
    with pytest.raises(TooLargeError, match="the distribution of 4 pairs of outcomes needs about"):
        d(2).with_other(d(2), combine, Run(memory=10))


def test_quantiles_at_exact_cdf_values():
    assert [d(4).quantile(mpq(k, 8)) for k in range(1, 9)] == [1, 1, 2, 2, 3, 3, 4, 4]
    assert [d(4).cdf(k) for k in range(6)] == [0, mpq(1, 4), mpq(1, 2), mpq(3, 4), 1, 1]


weighted = st.dictionaries(st.integers(-3, 6), st.integers(1, 3), min_size=1, max_size=4)
# Fair dice share their lower faces and become one kind on the way down.
kinds_of_dice = st.one_of(weighted.map(Distribution), st.integers(1, 5).map(fair))
some_dice = st.lists(kinds_of_dice, min_size=1, max_size=4)
few_dice = st.lists(kinds_of_dice, min_size=1, max_size=2)


def listed(some):
    return [sorted(roll, reverse=True) for roll in product(*map(rolls, some))]


@given(some_dice, st.data())
def test_sums_of_any_ranks_equal_sorted_rolls(some, data):
    kept = data.draw(st.sets(st.integers(0, len(some) - 1), min_size=1))
    assert pool(*some).keep(kept) == law(sum(roll[i] for i in kept) for roll in listed(some))
    assert pool(*some).sum() == law(map(sum, listed(some)))
    if len(some) == 3:
        assert pool(*some).keep_middle() == law(roll[1] for roll in listed(some))


@pytest.mark.slow
@given(kinds_of_dice, st.integers(1, 5), st.data())
def test_highest_and_lowest_of_equal_dice_equal_sorted_rolls(die, number, data):
    kept = data.draw(st.integers(1, number))
    every = listed([die] * number)
    assert die.keep_highest(number, kept) == law(sum(roll[:kept]) for roll in every)
    assert die.keep_lowest(number, kept) == law(sum(roll[-kept:]) for roll in every)


@given(st.lists(kinds_of_dice, min_size=1, max_size=3, unique=True), st.integers(1, 2), st.data())
def test_means_of_kept_and_dropped_dice_add_up(kinds, each, data):
    together = pool(*(part for die in kinds for part in (2 * each, die)))
    ranks = st.integers(0, len(together) - 1)
    kept = data.draw(st.sets(ranks, min_size=1, max_size=len(together) - 1))
    dropped = set(range(len(together))) - kept
    means = together.keep(kept).mean() + together.keep(dropped).mean()
    assert means == sum(2 * each * die.mean() for die in kinds)


def test_fractions_are_kept_like_whole_numbers():
    halves = fair(4) / 2
    assert halves.keep_highest(3, 2) == fair(4).keep_highest(3, 2) / 2
    assert pool(2, halves, halves + 1).keep([1]) * 2 == pool(2, fair(4), fair(4) + 2).keep([1])


@given(few_dice, few_dice, st.booleans())
def test_a_fold_visits_every_face_in_order_with_all_counts(mine, theirs, lowest_first):
    faces = sorted({face for die in mine + theirs for face in die}, reverse=not lowest_first)
    everything = pool(*mine).fold(
        (), lambda seen, *shown: (*seen, shown), pool(*theirs), lowest_first=lowest_first
    )
    assert everything == law(
        tuple((face, first.count(face), second.count(face)) for face in faces)
        for first in listed(mine)
        for second in listed(theirs)
    )


def test_a_fold_calls_its_step_once_for_equal_arguments():
    calls = []

    def step(state, *shown):
        calls.append((state, *shown))
        return max(state, shown[1])

    pool(5, d(4), d(6)).fold(0, step)
    assert len(calls) == len(set(calls))


def test_a_fold_over_many_dice_gives_the_binomial_distribution():
    # Source: the binomial distribution.
    sixes = pool(40, d(6)).fold(0, lambda sixes, face, count: count if face == 6 else sixes)
    assert sixes == Distribution({k: comb(40, k) * 5 ** (40 - k) for k in range(41)})


def longest_run(roll):
    return max(next(n for n in range(1, len(roll) + 2) if first + n not in roll) for first in roll)


@given(some_dice, st.integers(1, 3), st.integers(-2, 5))
def test_named_functions_equal_all_rolls(some, size, bound):
    every, together = listed(some), pool(*some)
    shown = [[roll.count(face) for face in set(roll)] for roll in every]
    assert pools.sorted_roll(together) == law(map(tuple, every))
    assert pools.largest_set(together) == law(map(max, shown))
    assert pools.number_of_sets(together, size) == law(sum(n >= size for n in ns) for ns in shown)
    assert distinct(together) == law(map(len, shown))
    assert pools.longest_straight(together) == law(map(longest_run, every))
    reached = law(sum(face >= bound for face in roll) for roll in every)
    assert count(together, lambda face: face >= bound) == reached


@given(few_dice, few_dice, st.booleans())
def test_two_pools_meet_as_every_pair_of_rolls_does(mine, theirs, ties):
    pairs = list(product(listed(mine), listed(theirs)))

    def wins(x, y):
        return x > y or (ties and x == y)

    expected = [sum(wins(own[0], other) for other in others) for own, others in pairs]
    assert beaten(pool(*mine), pool(*theirs), ties=ties) == law(expected)
    expected = []
    for own, others in pairs:
        won = [wins(x, y) for x, y in zip(own, others, strict=False)]
        expected.append((won.count(False), won.count(True)))
    assert matched(pool(*mine), pool(*theirs), ties=ties) == law(expected)


@pytest.mark.parametrize("ties", list(Ties))
def test_matched_pools_are_rounds_of_risk_of_any_size(ties):
    """Oracle: the round computed from weak orders, without counting faces."""
    for a, b, sides, other_sides in ((3, 2, 6, 6), (7, 5, 4, 6), (6, 8, 8, 3)):
        by_orders = _losses(a, b, sides, other_sides, ties)
        ours = matched(pool(a, d(sides)), pool(b, d(other_sides)), ties=ties is Ties.ATTACKER)
        assert ours == by_orders


def test_long_computations_are_announced_before_they_start():
    class HeardError(Exception):
        pass

    def hear(line):
        raise HeardError(line)

    with pytest.raises(HeardError, match=r"^the sum of 200 of 400 dice takes about ") as heard:
        pool(400, d(200)).keep_highest(200, run=Run(memory=None, announce=hear))
    # 2 to 5 ns for each of 400 * 8 bits of each of 199 * 200 + 1 sums at each of 200 faces
    bits = 3200 * 39_801 * 200
    seconds = int(str(heard.value).split()[-2])
    assert str(heard.value).endswith(" seconds")
    assert 2 * bits < seconds * 10**9 < 5 * bits
    pool(20, d(20)).keep_highest(5, run=Run(announce=hear))


@pytest.mark.parametrize("keep", ["keep_highest", "keep_middle"])
def test_keeping_dice_reports_progress_by_face(keep):
    heard = []
    getattr(pool(6, d(8)), keep)(2, run=Run(progress=lambda *news: heard.append(news)))
    assert heard == [("faces", done, 8) for done in range(8)]


class Asking(Run):
    def require(self, needed, what):
        self.progress(what, needed, None)

    def expect(self, nanoseconds, what):
        self.progress(what, nanoseconds, None)

    def tell(self, what, done, total=None):
        pass


#: Three polynomials of 11 sums, of 12 bits at each of 6 faces; 4 ns each, or 1/20 ns for each pair
#: of 3 or 4 numbers of dice that are left.
OF_FOUR = ("the sum of 2 of 4 dice", 3 * stored_bytes(11, 12))
OF_FIVE = [("the sum of 2 of 5 dice", 4 * stored_bytes(11, 15)),
           ("the sum of 2 of 5 dice", 6 * 11 * 15 * 4**2 // 20)]  # fmt: skip


@pytest.mark.parametrize(("ask", "asked"), [
    # Numbers with as many bits as all dice together: 3 for a d6, 4 for a d8.
    (lambda run: pool(40, d(6), d(8)).fold(0, lambda *_: 0, run=run),
     [("a fold over 41 dice of 2 kinds", stored_bytes(41 * 2, 40 * 3 + 4))]),
    (lambda run: d(6).sum_of(45, run),
     [("the sum of 45 outcomes between 1 and 6", stored_bytes(226, 45 * 3 + 1))]),
    (lambda run: d(6).sum_of(d(40), run),
     [("the sum of 40 outcomes between 0 and 6", stored_bytes(241, 40 * 3 + 6))]),
    (lambda run: d(6).explode(39, run=run),
     [("a die that explodes 39 times", stored_bytes(241, 40 * 3))]),
    (lambda run: pool(4, d(6)).keep_highest(2, run), [OF_FOUR, (OF_FOUR[0], 4 * 792)]),
    (lambda run: pool(4, d(6)).keep_lowest(2, run), [OF_FOUR, (OF_FOUR[0], 4 * 792)]),
    (lambda run: pool(4, d(6)).keep_middle(2, run), [OF_FOUR, (OF_FOUR[0], 792 * 3**2 // 20)]),
    (lambda run: pool(5, d(6)).keep([0, 3], run), OF_FIVE),
    (lambda run: pool(2, d(4), 3, d(6)).keep_highest(2, run), OF_FIVE),
])  # fmt: skip
def test_estimates_of_memory_and_time(ask, asked):
    noted = []
    ask(Asking(progress=lambda what, number, _: noted.append((what, number))))
    assert noted == asked


def test_rerolls_estimate_the_memory_of_their_weights(monkeypatch):
    asked = []
    monkeypatch.setattr(
        "exactdice.dice.distribution.require_memory", lambda *request: asked.append(request)
    )
    d(6).reroll([1], times=2)  # three rolls of three bits
    assert asked[-1] == (stored_bytes(6, 3 * 3), "a die that is rolled again 2 times")
