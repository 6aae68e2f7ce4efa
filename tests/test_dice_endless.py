"""Unlimited rolls against bounded ones and against the solvers of games."""

import pickle
from collections import Counter
from fractions import Fraction
from random import Random
from time import process_time

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdice.dice import Distribution, Root, d, highest, lowest, mixture, pool, repeat
from exactdice.errors import InputError, TooLargeError
from exactdice.games import risk
from exactdice.rooms import ask
from exactdice.run import Run

dice = st.dictionaries(st.integers(0, 4), st.integers(1, 3), min_size=2, max_size=4)
dice = dice.map(Distribution)
ROWS = st.dictionaries(st.integers(0, 5), st.integers(1, 3), min_size=1)


def test_unlimited_sums_and_repetitions_have_reports():
    # Source: a six comes after a geometric number of rolls of mean 6 and variance 30; a die that
    # explodes has the mean 21/5.
    rolls = repeat(0, lambda shown: d(6), lambda shown: shown == 6).report()
    assert (rolls.value("value"), rolls.value("variance")) == (6, 30)
    assert d(6).exploding().report().value("value") == mpq(21, 5)


def test_rerolls_come_before_explosions():
    # By hand: of the faces 2 to 6 the mean is 4, and one in five is rolled again: 4 / (1 − 1/5).
    report = ask("dice distribution 'd6 reroll 1 explode'")
    assert report.value("value") == 5
    # The table omits a run of sixes, each with probability 1/5, less likely than 1 in 10¹².
    assert report.value("left_out") == mpq(1, 5) ** 18
    assert mpq(1, 5) ** 18 < mpq(1, 10**12) < mpq(1, 5) ** 17
    # Of 3 to 6, each a quarter: 9/2 / (1 − 1/4).
    assert ask("dice distribution '2d6 reroll 1 reroll 2 explode'").value("value") == 12


def after(die, again, worth, rolls):
    ended, left = {}, Fraction(1)
    going = {0: Fraction(1)}
    for _ in range(rolls):
        following = {}
        for total, mass in going.items():
            for face, weight in die.items():
                target = following if face in again else ended
                reached = total + worth(face)
                chance = mass * Fraction(weight, die.denominator)
                target[reached] = target.get(reached, 0) + chance
        going, left = following, sum(following.values())
    return ended, left


@settings(max_examples=40)
@given(dice, st.integers(1, 3), st.data())
def test_an_endless_sum_is_the_limit_of_bounded_ones(die, most_worth, data):
    again = data.draw(st.sets(st.sampled_from(list(die)), max_size=len(die) - 1))
    worth = lambda face: face % (most_worth + 1)  # noqa: E731 - one function for both
    endless = die.exploding(again, worth)
    bounded, left = after(die, again, worth, 12)
    for outcome in range(12):
        gap = endless.probability(outcome) - bounded.get(outcome, 0)
        assert 0 <= gap <= left
    assert endless.cdf(4) == sum(endless.probability(x) for x in range(5))
    # First principles: m = E[worth] + p·m, and similarly for the square.
    p = die.probability_that(lambda face: face in again)
    first = die.expectation(worth) / (1 - p)
    assert endless.mean() == first
    square = die.expectation(lambda face: worth(face) ** 2)
    crossed = die.expectation(lambda face: worth(face) * (face in again))
    assert endless.variance() == (square + 2 * first * crossed) / (1 - p) - first**2


def test_sums_of_unlimited_rolls_dice_and_numbers():
    endless = d(2).exploding()
    both = 2 @ endless + d(4) + 3
    assert both.mean() == 2 * endless.mean() + d(4).mean() + 3
    assert both.variance() == 2 * endless.variance() + d(4).variance()
    bounded = 2 @ d(2).explode(20) + d(4) + 3
    for total in range(4, 30):  # reached by at most 20 twos
        assert both.probability(total) == bounded.probability(total)


def test_ten_again_is_a_geometric_number_of_tens():
    """Source: k tens have probability (1/10)^k; of the other nine faces two score."""
    one = d(10).exploding([10], lambda face: int(face >= 8))
    for hits in range(1, 8):
        expected = mpq(7, 10) / 10**hits + mpq(2, 10) / 10 ** (hits - 1)
        assert one.probability(hits) == expected


def test_a_cut_states_the_remaining_probability():
    cut = d(6).exploding().cut("1/1000")
    assert sum(cut.chances.values()) + cut.remainder == 1
    assert 0 < cut.remainder <= mpq(1, 1000)
    assert 1 - sum(list(cut.chances.values())[:-1]) > mpq(1, 1000)
    assert cut.report().value("remainder") == cut.remainder
    assert cut.report().table("outcomes").cells("probability") == list(cut.chances.values())


@settings(max_examples=30)
@given(st.lists(ROWS, min_size=4), st.integers(0, 3))
def test_a_repetition_equals_following_its_steps(rows, start):
    """Oracle: probabilities step by step until almost nothing is left; 4 and 5 are final."""
    chain = [Distribution({**row, 4: row.get(4, 0) + 1}) for row in rows[:4]]
    repeated = repeat(start, lambda state: chain[state], lambda state: state >= 4)
    masses, ended, mean, square = {start: Fraction(1)}, {4: 0, 5: 0}, 0, 0
    for number in range(1, 40):
        following = {}
        for state, mass in masses.items():
            for to, weight in chain[state].items():
                chance = mass * Fraction(weight, chain[state].denominator)
                if to >= 4:
                    ended[to] += chance
                    mean, square = mean + number * chance, square + number**2 * chance
                else:
                    following[to] = following.get(to, 0) + chance
        masses = following
    left = sum(masses.values())
    for end, chance in ended.items():
        assert 0 <= repeated.law.probability(end) - chance <= left
    # Each step ends with probability at least 1/19, which bounds the remaining steps.
    assert 0 <= repeated.mean - mean <= left * (40 + 19)
    assert 0 <= repeated.variance + repeated.mean**2 - square <= left * 2 * (40 + 19 * 2) ** 2
    cut = repeated.steps("1/3")
    assert sum(cut.chances.values()) + cut.remainder == 1
    assert cut.remainder <= mpq(1, 3)


def test_a_battle_is_the_repetition_of_its_rounds():
    """Oracle: the solver of Risk, and the number of rounds of one unit against one."""

    def fight(units):
        a, b = units
        losses = risk.round_losses(min(a, 3), min(b, 2))
        return losses.map(lambda lost: (a - lost[0], b - lost[1]))

    battle = repeat((5, 4), fight, lambda units: 0 in units)
    won = battle.law.probability_that(lambda units: units[0] > 0)
    assert won == risk.solve(6, 4).value  # one of six total units stays behind
    assert repeat((1, 1), fight, lambda units: 0 in units).mean == 1


def test_rolls_until_a_number_are_geometric():
    # Source: (5/6)^(n-1)/6, with mean 6 and variance 30.
    rolls = repeat(0, lambda _: d(6), lambda shown: shown == 6)
    assert (rolls.mean, rolls.variance) == (6, 30)
    assert rolls.law == Distribution({6: 1})
    assert rolls.steps("1/2").chances == {n: mpq(5 ** (n - 1), 6**n) for n in range(1, 5)}
    assert repeat(6, lambda _: d(6), lambda shown: shown == 6).mean == 0


def test_all_faces_are_collected_after_the_sum_of_waits():
    # Source: the coupon collector's 6·(1 + 1/2 + … + 1/6).
    seen = repeat(0, lambda n: mixture([(mpq(n, 6), sure(n)), (mpq(6 - n, 6), sure(n + 1))]), all_6)
    assert seen.mean == 6 * sum(mpq(1, n) for n in range(1, 7))
    assert seen.variance == sum(mpq(6 * n, (6 - n) ** 2) for n in range(6))


def sure(outcome):
    return Distribution({outcome: 1})


def all_6(faces):
    return faces == 6


@pytest.mark.parametrize(("wrong", "line"), [
    (lambda: d(2).exploding([1, 2]), "on: got every outcome; expected an outcome that"),
    (lambda: (d(2) - 3).exploding(), "worth of -1: got -1; expected at least 0, because it"),
    (lambda: (d(2) / 2).exploding(), "worth of 1/2: got 1/2; expected a whole number"),
    (lambda: d(6).exploding().cut(0), "remainder: got 0; expected a probability above 0"),
    (lambda: d(6).exploding().probability(10**9), "outcome above the lowest: got 999999999"),
    (lambda: 1.5 @ d(6).exploding(), "count: got 1.5; expected a whole number of at least 0"),
    (lambda: repeat(0, lambda _: 1, bool), "step: got 1; expected the distribution of the"),
    (lambda: repeat(0, lambda state: sure(1 - state), lambda _: False),
     "until: got state 0; expected a condition that holds later"),
    pytest.param(lambda: repeat(0, lambda _: Distribution({0: 999, 1: 1}), bool).steps("1/1000"),
        "remainder: got 1/1000; expected at least what 4000 steps leave", marks=pytest.mark.slow)
])  # fmt: skip
def test_impossible_unlimited_rolls_give_one_clear_line(wrong, line):
    with pytest.raises(InputError) as problem:
        wrong()
    assert str(problem.value).startswith(line)


def test_probabilities_of_an_exploding_coin_up_to_4000_outcomes():
    # Source: k twos and a one make 2k + 1, with probability 1/2^(k + 1).
    coin = d(2).exploding()
    assert coin.probability(4001) == mpq(1, 2**2001)
    assert coin.probability(4000) == coin.probability(0) == coin.probability(-7) == 0
    assert (coin.cdf(-7), coin.cdf(0), coin.cdf(1), coin.cdf(4)) == (0, 0, mpq(1, 2), mpq(3, 4))
    # The outcomes 1 to 4000 leave 1/2^2000; impossible outcomes are not listed.
    cut = coin.cut(mpq(1, 2**2000))
    assert (len(cut.chances), max(cut.chances), cut.remainder) == (2000, 3999, mpq(1, 2**2000))
    # By default at most 1 in 10^12 is left, which is between 2^39 and 2^40.
    assert coin.probability_that(bool).width == mpq(1, 2**40)


def test_sums_of_unlimited_rolls_equal_those_of_bounded_ones():
    """Oracle: dice that explode often enough for all sums below 41."""
    three, pair = d(3).exploding(), d(4).exploding([1, 4])
    many = d(3).explode(20), d(4).explode(41, [1, 4])
    for endless, bounded in (
        (three + pair, many[0] + many[1]),
        (three + (d(4) - 2), many[0] + d(4) - 2),
        ((d(4) * 3) + three, many[0] + d(4) * 3),
        (sum([d(4) - 3, three, d(2)]), d(4) - 3 + many[0] + d(2)),
        (5 + three, many[0] + 5),
        (three + (-5), many[0] - 5),
        (0 @ three, 0 @ d(3)),
        (1 @ pair, many[1]),
        (3 @ pair, 3 @ many[1]),
    ):
        assert [endless.probability(x) for x in range(-5, 38)] == [
            bounded.probability(x) for x in range(-5, 38)
        ]


def test_reports_of_repetitions_and_unlimited_sums_list_outcomes():
    game = repeat(3, lambda coins: 2 * d(2) - 3 + coins, lambda coins: coins in (0, 4))
    assert list(game.report().table("outcomes").rows) == [(0, mpq(1, 4)), (4, mpq(3, 4))]
    report, cut = d(6).exploding().report(), d(6).exploding().cut("1/1000")
    # Source: m = 7/2 + m/6; for the square s = 91/6 + 2 (6 m)/6 + s/6.
    assert report.value("variance") == (mpq(91, 6) + 2 * mpq(21, 5)) * mpq(6, 5) - mpq(21, 5) ** 2
    assert list(report.table("outcomes").rows) == list(cut.chances.items())
    assert report.value("remainder") == cut.remainder == mpq(1, 6) ** 3 - mpq(5, 6**4)


def test_worths_are_whole_and_not_negative_when_rolling_again():
    coin = d(2).exploding([2], lambda face: 0 if face == 2 else -7)
    assert (coin.mean(), coin.variance(), coin.probability(-7)) == (-7, 0, 1)
    for wrong in ("1", 0.5):
        with pytest.raises(InputError, match=f"worth of 2: got {wrong!r}; expected a"):
            d(2).exploding([2], lambda face, wrong=wrong: wrong if face == 2 else 1)


def test_a_repetition_with_infinitely_many_states_is_rejected():
    with pytest.raises(TooLargeError, match=r"a repetition of [0-9]+ states needs about"):
        repeat(0, lambda n: sure(n + 1), lambda _: False, Run(memory=2**20))


@pytest.mark.parametrize(("text", "of"), [
    ("d6! * 2", lambda x, _: 2 * x), ("3 - d6!", lambda x, _: 3 - x),
    ("-d6! - d4", lambda x, y: -x - y), ("d6! + d4 * 2", lambda x, y: x + 2 * y),
    ("(d6! - 1) * d4", lambda x, y: (x - 1) * y)
])  # fmt: skip
def test_moments_of_sums_and_products_are_those_of_unlimited_rolls(text, of):
    """By the definition, over enough explosions to omit less than 1 in 10^60."""
    report = ask(f"dice distribution -- '{text}'")
    rolled = Counter()
    for turn in range(100):
        for face in range(1, 6):
            for other in range(1, 5):
                rolled[of(6 * turn + face, other)] += mpq(1, 4 * 6 ** (turn + 1))
    mean = sum(x * chance for x, chance in rolled.items())
    assert abs(report.value("value") - mean) < mpq(1, 10**60)
    variance = sum(x * x * chance for x, chance in rolled.items()) - mean**2
    assert abs(report.value("variance") - variance) < mpq(1, 10**60)
    assert report.value("value").denominator < 100


def test_moments_of_a_cut_distribution_are_labelled():
    whole = {q.column.name: q.column.meaning for q in ask("dice distribution '2d6!'").quantities}
    cut = ask("dice distribution 'abs(2d6! - 3)'").quantities
    cut = {q.column.name: q.column.meaning for q in cut}
    changed = {name for name in whole if cut[name] != whole[name]}
    assert changed == {"value", "variance"}


def unlimited(pick, *, on_top=False):
    """Return an exploding die, and one that explodes often enough for outcomes below 40."""
    die = Distribution({pick.randint(0, 5): 1, pick.randint(0, 5): 1, pick.randint(1, 5): 2})
    again = [x for x in die if x and (x == max(die) if on_top else x != min(die))][-2:]
    if not again or len(again) == len(die):
        return unlimited(pick, on_top=on_top)
    return die.exploding(again), die.explode(40, again)


def below(law, last=30):
    return [law.probability(x) for x in range(-5, last)]


@pytest.mark.parametrize("seed", range(25))
def test_highest_lowest_and_mixture_of_unlimited_rolls_equal_bounded_ones(seed):
    pick = Random(seed)  # noqa: S311 - no secret
    (a, b), (e, f) = unlimited(pick), unlimited(pick)
    some = d(4) + pick.randint(-3, 3)
    assert below(highest(a, e)) == below(highest(b, f))
    assert below(lowest(a, e, some)) == below(lowest(b, f, some))
    assert below(highest(a, some)) == below(highest(b, some))
    assert below(pool(3, a).keep_middle(), 20) == below(pool(3, b).keep_middle(), 20)
    assert below(pool(2, a, e).keep([1]), 20) == below(pool(2, b, f).keep([1]), 20)
    assert below(pool(2, a, e).sum()) == below(2 @ b + f)
    chance = Fraction(pick.randint(1, 5), 6)
    parts = [(chance, a), (1 - chance, some)]
    assert below(mixture(parts)) == below(mixture([(chance, b), (1 - chance, some)]))
    assert below(a * 2 + some) == below(b * 2 + some)
    assert below(some + (a - some)) == below(some + (b - some))


@pytest.mark.parametrize("seed", range(25))
def test_kept_sums_of_unlimited_dice_equal_bounded_ones(seed):
    pick = Random(seed)  # noqa: S311 - no secret
    endless, bounded = unlimited(pick, on_top=True)
    dice = pick.randint(2, 4)
    ranks = pick.sample(range(dice), pick.randint(1, dice))
    few = pool(dice, endless).keep(ranks)
    assert below(few) == below(pool(dice, bounded).keep(ranks))
    left = few.cut(mpq(1, 10**30))
    if few.variance():  # the omitted outcomes add little
        mean = sum(x * chance for x, chance in left.chances.items())
        assert 0 <= few.mean() - mean < mpq(1, 10**20)


@pytest.mark.parametrize("seed", range(15))
def test_comparisons_of_unlimited_rolls_are_limits_of_bounded_ones(seed):
    pick = Random(seed)  # noqa: S311 - no secret
    (a, b), (e, f) = unlimited(pick), unlimited(pick)
    left = 1 - (b.cdf(30) * f.cdf(30))  # one of them explodes on
    for exact, near in (
        (a > e, b > f), (a >= e, b >= f), (a < e, b < f), (a <= e, b <= f), (a > 3, b > 3),
        (a >= d(4), b >= d(4)), (d(4) >= a, d(4) >= b), (d(4) < a, b > d(4)),
    ):  # fmt: skip
        assert abs(exact.probability(True) - near.probability(True)) <= left
    assert (a > 3) == (b > 3)


def test_savage_worlds():
    # Source: P(d8! < 8) = 7/8, P(d6! < 8) = 1 − 1/6·5/6 = 31/36; 1 − 7/8·31/36.
    roll = highest(d(8).exploding(), d(6).exploding())
    assert (roll >= 8) == Distribution({True: 71, False: 217})
    assert highest(d(6).exploding(), 3).lowest == 3
    assert roll.sf(7) == 1 - roll.cdf(7) == mpq(71, 288)
    # Source: the mean of a maximum is the sum of P(X > n).
    tails = (1 - (1 - d8_tail(n)) * (1 - d6_tail(n)) for n in range(1200))
    assert abs(roll.mean() - sum(tails)) < mpq(1, 10**100)


@pytest.mark.parametrize("seed", range(15))
def test_quotients_and_multiples_of_unlimited_rolls_equal_bounded_ones(seed):
    pick = Random(seed)  # noqa: S311 - no secret
    (a, b), (e, f) = unlimited(pick), unlimited(pick)
    number, less = pick.randint(2, 5), pick.randint(0, 9)
    a, b = a + e - less, b + f - less
    assert below((a // number), 30 // number) == below(b // number, 30 // number)
    assert below(a * d(3)) == below(b * d(3))
    assert below(a * (d(2) - 1)) == below(b * (d(2) - 1))
    assert a.map(lambda x: min(x, 9) % 3, constant_from=9) == b.map(lambda x: min(x, 9) % 3)
    for rest, chance in (a % number).probabilities().items():
        assert abs(chance - (b % number).probability(rest)) <= 1 - b.cdf(30)
    bounds = a.probability_that(lambda x: x % 2 == 0, mpq(1, 10**30))
    assert (a % 2).probability(0) in bounds
    assert bounds.width <= mpq(1, 10**30)


def test_remainders_of_unlimited_rolls():
    # Source: the six of d6! and the four of d4! leave the remainder as it is, so that the last
    # face decides; and so do all quotients of d6! by 6 except the number of sixes.
    assert d(6).exploding() % 6 == d(5)
    assert d(4).exploding() % 2 == Distribution({0: 1, 1: 2})
    sixes = d(6).exploding() // 6
    assert [sixes.pmf(n) for n in range(4)] == [mpq(5, 6 ** (n + 1)) for n in range(4)]


def test_a_function_of_an_unlimited_roll_needs_the_outcome_from_which_it_is_constant():
    # Source: all faces except the one are above 1, and so are sums with a six.
    assert d(6).exploding().map(lambda x: x > 1, constant_from=2) == Distribution(
        {False: 1, True: 5}
    )


def d6_tail(n, sides=6):
    explosions, face = divmod(n, sides)
    return mpq(sides - face, sides) / sides**explosions


def d8_tail(n):
    return d6_tail(n, 8)


def test_a_symmetric_comparison():
    # Source: by symmetry, with P(equal) = 5/36 / (1 − 1/36).
    assert (d(6).exploding() > d(6).exploding()).probability(True) == mpq(3, 7)


def test_unlimited_rolls_have_the_methods_of_distributions():
    roll = 2 @ d(6).exploding()
    assert roll == d(6).exploding() + d(6).exploding()
    assert hash(roll) == hash(d(6).exploding() + d(6).exploding())
    assert roll != d(6).exploding()
    assert pickle.loads(pickle.dumps(roll)) == roll  # noqa: S301 - written here
    assert roll.pmf(9) == (2 @ d(6).explode(3)).pmf(9)
    assert roll.cdf(roll.median() - 1) < mpq(1, 2) <= roll.cdf(roll.median())
    assert roll.standard_deviation() == Root(roll.variance())
    assert lowest(roll, 10) == (2 @ d(6).explode(3)).map(lambda total: min(total, 10))
    assert len(roll.plot(d(6)).axes[0].lines) == 2


def test_unlimited_rolls_are_drawn_as_often_as_they_are_probable():
    roll = 2 @ d(6).exploding()
    drawn = Counter(roll.sample(Random(1), 1000))  # noqa: S311 - no secret
    for outcome in (2, 5, 9):
        expected = 1000 * roll.pmf(outcome)
        assert (drawn[outcome] - expected) ** 2 < 25 * expected  # five standard deviations


@pytest.mark.parametrize(("start", "step"), [
    (1, lambda total: (2 @ d(6) + total)),
    ((2, "on"), lambda state: d(6).map(lambda face: (state[0] + face, state[1]))),
])  # fmt: skip
def test_a_growing_total_names_what_to_use_instead(start, step):
    began = process_time()
    with pytest.raises(InputError, match=r"^until: got states that grow like .*\.exploding\(…\)$"):
        repeat(start, step, lambda state: False)
    assert process_time() - began < 2


def test_long_repetitions_that_end_are_not_growing():
    few = repeat(1, lambda total: sure(total + 1), lambda total: total >= 2500)
    assert (few.law, few.mean) == (sure(2500), 2499)
    around = repeat(1, lambda at: sure((at + 1) % 2500), lambda at: at == 0)
    assert (around.law, around.mean) == (sure(0), 2499)
    table = [sure(n + 1) for n in range(3000)]  # not defined for other states
    assert repeat(0, table.__getitem__, lambda n: n == 3000).mean == 3000
