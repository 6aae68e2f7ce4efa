"""Operators, rolling again and pools, each against the listing of all rolls."""

from collections import Counter
from fractions import Fraction
from itertools import product
from operator import add, sub
from time import process_time

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

import exactdice
from exactdice.dice import (
    Distribution,
    d,
    fair,
    highest,
    largest_set,
    lowest,
    mixture,
    number_of_sets,
    pool,
    repeat,
)
from exactdice.dice.expressions import law as law_of
from exactdice.errors import InputError, OperatorError, TooLargeError
from exactdice.run import Run
from exactdice.studies.risk.sources import POSTS_WIN

dice = st.dictionaries(st.integers(-3, 5), st.integers(1, 4), min_size=1, max_size=4).map(
    Distribution
)


def rolls(die):
    """The outcomes of a die, as often as their weight says."""
    return [face for face, weight in die.items() for _ in range(weight)]


def law(outcomes):
    return Distribution.from_faces(outcomes)


@given(dice, dice, st.integers(0, 5), st.integers(1, 5), st.data())
def test_a_law_is_the_same_by_one_integer_and_by_flint(a, b, several, rolled, data):
    """Each question twice: with every law held to be short, and with every one held to be long."""
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


@pytest.mark.parametrize("choose", [max, min, sorted, any])
def test_dice_are_not_put_in_an_order_by_whether_they_are_true(choose):
    with pytest.raises(TypeError, match=r"highest\(a, b\)"):
        choose(die for die in (d(6), d(8)))


@given(dice)
def test_only_a_certain_outcome_has_a_truth_which_is_its_own(die):
    if len(die) == 1:
        assert bool(die) is bool(next(iter(die)))
    else:
        with pytest.raises(OperatorError, match=r"^truth: got .*probability"):
            bool(die)


@pytest.mark.parametrize("number", [3, mpq(3), 3.0, Fraction(3), True, "3"])
def test_a_distribution_is_compared_with_distributions_and_never_with_an_outcome(number):
    for compare in (lambda: d(6) == number, lambda: d(6) != number, lambda: number == d(6)):
        with pytest.raises(
            TypeError, match=r"^==: got .*; expected a distribution; .*\.probability"
        ):
            compare()
    assert d(6) == Distribution.from_faces([6, 5, 4, 3, 2, 1] * 2)
    assert {d(6): "one"}[3 - d(6) + 4] == "one"  # 7 − face has the law of the face
    assert d(6) != d(8)
    assert d(6) is not None
    assert d(6) != (1, 2)


@given(dice, st.integers(0, 3))
def test_a_number_of_dice_is_the_sum_of_all_rolls(die, count):
    assert count @ die == law([sum(shown) for shown in product(rolls(die), repeat=count)])


@given(dice, st.integers(0, 3), st.data())
def test_rolling_again_follows_every_path(die, times, data):
    again = set(data.draw(st.lists(st.sampled_from(list(die)), max_size=3)))

    def after(left):
        """Chances of the outcomes when so many rolls are left besides the first."""
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
        with pytest.raises(InputError, match="a condition that can hold"):
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
def test_a_die_that_says_how_many_is_a_mixture_of_sums(counts, die):
    """Oracle: each number of dice by itself, weighed by its chance."""
    counts = counts.map(abs)
    parts = [(chance, number @ die) for number, chance in counts.probabilities().items()]
    assert counts @ die == mixture(parts)


@given(dice, st.integers(0, 3), st.data())
def test_fractions_explode_as_whole_numbers_do(die, times, data):
    on = data.draw(st.lists(st.sampled_from(list(die)), max_size=3))
    halves = die.map(lambda face: mpq(face, 2))
    by_halves = halves.explode(times, [mpq(face, 2) for face in on])
    assert by_halves * 2 == die.explode(times, on)


@pytest.mark.slow
@pytest.mark.parametrize(
    "large",
    [
        lambda: d(10**9),
        lambda: d(6).explode(10**5),
        lambda: d(6).reroll([1], times=10**10),
        lambda: d(10**5) @ d(6),
        lambda: d(10**5) * d(10**5),
        lambda: Distribution({0: 1, 10**12: 1}) @ Distribution({0: 1}),
        lambda: exactdice.ask("dice distribution 10000d6"),
    ],
)
def test_what_would_take_for_ever_is_refused_before_it_is_begun(large):
    started = process_time()
    with pytest.raises(TooLargeError, match=r"^(a|the) [^;]* needs about [^;]*; ask for"):
        large()
    assert process_time() - started < 10  # it takes a second; what is refused takes minutes


def test_the_limit_of_a_sum_and_of_an_exploding_die_is_that_of_the_run():
    # Source: 3000 outcomes and more, of 3000 times three bits, are more than a megabyte.
    for large in (lambda run: d(6).sum_of(3000, run), lambda run: d(6).explode(3000, None, run)):
        with pytest.raises(TooLargeError, match=r"limit of 1\.0 MiB"):
            large(Run(memory=2**20))
    assert law_of("2d6", Run(memory=None)) == 2 @ d(6)


def test_the_mean_of_an_exploding_die_is_the_limit_of_bounded_ones():
    # m = 7/2 + m/6 for six sides, by first principles.
    mean = fair(6).exploding().mean()
    assert mean == mpq(7, 2) / (1 - mpq(1, 6))
    means = [fair(6).explode(times).mean() for times in range(6)]
    assert means == sorted(means)
    assert mean - means[-1] == mpq(21, 5) / 6**6
    with pytest.raises(InputError, match="does not roll again"):
        fair(2).exploding(on=[1, 2])


@given(st.lists(dice, min_size=1, max_size=3), st.data())
def test_what_a_pool_keeps_is_what_sorted_rolls_show(some, data):
    rank = st.integers(0, len(some) - 1)
    kept = data.draw(st.lists(rank, min_size=1, max_size=3))
    listed = [sorted(shown, reverse=True) for shown in product(*map(rolls, some))]
    together = pool(*some)
    assert together.keep(kept) == law([sum(shown[i] for i in set(kept)) for shown in listed])
    assert together.sum() == law([sum(shown) for shown in listed])
    assert together.keep_highest(1) == law([shown[0] for shown in listed])
    assert together.keep_lowest(1) == law([shown[-1] for shown in listed])
    if len(some) == 3:
        assert together.keep_middle(1) == law([shown[1] for shown in listed])


def test_a_pool_of_many_equal_dice_is_small_work():
    # Source: the highest of n fair dice is at most f with chance (f/s)^n.
    highest = fair(6).keep_highest(30)
    assert highest.cdf(5) == mpq(5, 6) ** 30


def test_a_die_says_how_many_dice_are_rolled():
    by_hand = mixture([("1/2", fair(3)), ("1/2", fair(3) + fair(3))])
    assert fair(2) @ fair(3) == by_hand


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: d(6) + 0.5, "other: got 0.5; expected an exact number"),
        (lambda: 1.5 @ d(6), "count: got 1.5; expected a whole number of at least 0"),
        (lambda: d(6) + "a", "+: got 'a'; expected numbers, or dice with numbers, on both sides"),
        (lambda: d(6) < "a", "<: got 'a'; expected numbers, or dice with numbers, on both sides"),
        (lambda: d(6) ** 2, "**: got 2; expected a function in .map or .with_other, e.g."),
        (lambda: 1 & d(6), "&: got 1; expected a function in .map or .with_other, e.g."),
        (lambda: d(6) // 0, "//: got 0; expected a divisor that is never 0 after //"),
        (lambda: 6 % (d(3) - 2), "%: got 6; expected a divisor that is never 0 after %"),
        (lambda: highest(), "values: got (); expected at least one die or number"),
        (lambda: highest(d(6), "a"), "values: got 'a'; expected "),
        (lambda: pool(3), "dice: got (3,); expected dice, optionally with a number before each"),
        (lambda: pool(), "dice: got (); expected dice, optionally with a number before each"),
        (lambda: pool(d(6), 2), "dice: got (Distribution("),
        (lambda: pool(3, 2, d(6)), "dice: got 2; expected a die after each number"),
        (lambda: pool(2, d(6)).keep([2]), "ranks: got 2; expected a whole number from 0 to 1"),
        (lambda: pool(2, d(6)).fold(0, lambda shown: 0), "step: got TypeError: "),
        (lambda: pool(2, d(6)).keep([]), "ranks: got none; expected at least one die to keep"),
        (lambda: pool(3, d(6)).keep_middle(2), "kept: got 2; expected a number that leaves an"),
        (lambda: 3 @ d(6) @ 2, "die: got 2; expected a distribution after @"),
        (lambda: d(6).reroll(1), "outcomes: got 1; expected a list, such as [1, 2]"),
        (lambda: d(6).explode(1, on=6), "on: got 6; expected a list, such as [1, 2]"),
        (lambda: d(6).map(lambda face: [face]), "outcome: got [1]; expected a hashable value"),
        (lambda: d(6).with_other(d(4), 3), "combine: got 3; expected a function"),
        (lambda: d(6).given([1, 2]), "event: got [1, 2]; expected a function"),
        (lambda: d(6).plot(3), "others: got 3; expected distributions"),
        (lambda: mixture([d(6)]), "parts: got [Distribution("),
        (lambda: mixture([("1/2", 6)]), "parts: got [('1/2', 6)]; expected pairs of a probability"),
        (lambda: largest_set(6), "pool: got 6; expected a pool, such as pool(3, d(6))"),
        (lambda: repeat(0, 3, 4), "step: got 3; expected a function"),
        (lambda: pool(2, d(6)).keep(1), "ranks: got 1; expected a list, such as [1, 2]"),
        (lambda: Distribution.from_faces(3), "faces: got 3; expected a list, such as [1, 2]"),
        (lambda: Distribution([1, 2]), "weights: got [1, 2]; expected a mapping"),
        (lambda: d(-1) @ d(6), "sides: got -1; expected a whole number of at least 1"),
        (lambda: mixture([(0.5, d(6)), (0.5, d(8))]), "chance: got 0.5; expected an exact number"),
        (lambda: Distribution({d(6): 1}) < 3, "truth: got Distribution("),
        (lambda: Distribution.from_probabilities([1]), "probabilities: got [1]; expected a"),
        (lambda: pool(2, d(6)).fold(0, lambda *_: d(6) ** 2), "**: got 2; expected a function"),
        (lambda: pool(4, d(6)).keep_middle(3), "kept: got 3; expected a number that leaves an"),
        (lambda: pool(4, d(6)).keep_middle(5), "kept: got 5; expected a whole number from 1 to 4"),
        (lambda: pool(4, d(6)).keep_highest(0), "kept: got 0; expected a whole number from 1 to 4"),
        (lambda: pool(4, d(6)).keep_lowest(5), "kept: got 5; expected a whole number from 1 to 4"),
        (lambda: pool(4, d(6)).keep([-1]), "ranks: got -1; expected a whole number from 0 to 3"),
        (lambda: pool(0, d(6)), "dice: got 0; expected a whole number of at least 1"),
        (lambda: Distribution({0.5: 1}).mean(), "outcome: got 0.5; expected an exact number"),
        (lambda: d(6).expectation(lambda face: 0.5), "payoff: got 0.5; expected an exact number"),
        (lambda: d(6).quantile("3/2"), "level: got '3/2'; expected a number from 0 to 1"),
        (lambda: number_of_sets(pool(d(6)), 0), "size: got 0; expected a whole number of at"),
        (lambda: d(6).reroll([1], -1), "times: got -1; expected a whole number of at least 0"),
        (lambda: d(6).explode(-1), "times: got -1; expected a whole number of at least 0"),
        (lambda: Distribution.from_faces("66"), "faces: got '66'; expected a list, such as [1, 2]"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(wrong, message):
    with pytest.raises(InputError) as problem:
        wrong()
    assert str(problem.value).startswith(message)


def test_outcomes_far_apart_take_no_more_than_their_lattice_needs():
    far = Distribution({0: 1, 10**9: 1})
    assert far.sum_of(2) == Distribution({0: 1, 10**9: 2, 2 * 10**9: 1})
    with pytest.raises(TooLargeError, match="the sum of 2 outcomes between 0 and 1000000000"):
        Distribution({0: 1, 1: 1, 10**9: 1}).sum_of(2)


def test_the_front_door_gives_dice_games_and_questions():
    assert exactdice.d20 == fair(20)
    assert exactdice.Distribution is Distribution
    assert exactdice.risk.solve(4, 2).value == mpq(POSTS_WIN)
    assert exactdice.ask("risk win 4 2").value("value") == mpq(POSTS_WIN)
    assert {"d4", "ask", "pool", "swe"} <= set(dir(exactdice))
    assert not {"TYPE_CHECKING", "NAMES_OF_GAMES", "linked"} & set(dir(exactdice))
    with pytest.raises(AttributeError, match="no attribute 'd7'"):
        _ = exactdice.d7


@pytest.mark.parametrize(
    "die",
    [fair(6), fair(2) < fair(3), Distribution({(1, 2): 1}), Distribution({"a": 1, "b": 2})],
)
def test_every_distribution_has_a_report(die):
    table = die.report().table("outcomes")
    assert sum(table.cells("probability")) == 1
    assert len(table.rows) == len(die)


def test_one_die_is_kept_unless_it_is_said():
    # Of 36 pairs, 11 have a one and 11 a six.
    assert fair(6).keep_lowest(2).probability(1) == mpq(11, 36)
    assert fair(6).keep_highest(2).probability(6) == mpq(11, 36)


@pytest.mark.parametrize("combine", [add, sub])
def test_large_sums_and_differences_are_those_of_all_pairs(combine):
    """Of so many outcomes that they go by polynomials; halves, and ends that are not 0."""
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


def test_a_level_that_is_reached_by_a_cdf_exactly_has_the_outcome_of_it():
    assert [d(4).quantile(mpq(k, 8)) for k in range(1, 9)] == [1, 1, 2, 2, 3, 3, 4, 4]
    assert [d(4).cdf(k) for k in range(6)] == [0, mpq(1, 4), mpq(1, 2), mpq(3, 4), 1, 1]
