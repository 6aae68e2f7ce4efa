"""Vectors as faces and facts of one roll, against the listing of all rolls."""

import pickle
from collections import Counter, namedtuple
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from gmpy2 import mpq

from exactdice.dice import Distribution, d, d6, d8, d10, pool, sorted_roll

Point = namedtuple("Point", "x y")


def law(outcomes):
    return Distribution.from_faces(outcomes)


def sums(*faces):
    return tuple(map(sum, zip(*faces, strict=True)))


@pytest.mark.parametrize("seed", range(20))
def test_sums_of_vectors_equal_the_listing_of_all_rolls(seed):
    pick = Random(seed)  # noqa: S311 - no secret
    size, many = pick.randint(1, 3), pick.randint(0, 3)
    a, b = ([tuple(pick.randint(-2, 2) for _ in range(size)) for _ in range(3)] for _ in "ab")
    for faces in (a, [Point(*face) for face in a if size == 2]):
        if faces:
            rolls = [sums(tuple([0] * size), *roll) for roll in product(faces, repeat=many)]
            assert many @ law(faces) == law(rolls)
    assert law(a) + law(b) == law([sums(x, y) for x, y in product(a, b)])
    assert law(a) - law(b) == law(a) + -law(b) == law(a) + law(b) * -1
    assert 3 * law(a) == law([tuple(3 * n for n in x) for x in a])
    counted = d(2).sum_of(1) @ law(a)  # one roll or two
    assert counted == law(a * 3 + [sums(x, y) for x, y in product(a, a)])


def test_named_tuples_stay_named():
    both = 2 @ law([Point(0, 1), Point(1, 0)])
    assert {type(face) for face in both} == {type(face) for face in both + both} == {Point}
    assert both.map(lambda face: face.x) == law([0, 1, 1, 2])


def test_counters_are_faces_with_missing_symbols_as_zero():
    die = law([Counter("s"), Counter("sa"), Counter()])
    assert die.map(lambda face: (face["s"], face["a"])) == law([(1, 0), (1, 1), (0, 0)])
    listed = [x + y for x, y in product([Counter("s"), Counter("sa"), Counter()], repeat=2)]
    assert 2 @ die == die + die == law(listed)
    assert (die - die).map(lambda face: face["s"]) == law(
        [x - y for x in (1, 1, 0) for y in (1, 1, 0)]
    )
    assert d6.map(lambda face: Counter(str(face))) == law([Counter(str(n)) for n in range(1, 7)])
    assert pickle.loads(pickle.dumps(2 @ die)) == 2 @ die  # noqa: S301 - written here


def test_genesys():
    """Source: the faces of the dice in Genesys' rules; all rolls listed."""
    ability = [(0, 0), (1, 0), (1, 0), (2, 0), (0, 1), (0, 1), (1, 1), (0, 2)]
    proficiency = [(0, 0), (1, 0), (1, 0), (2, 0), (2, 0), (0, 1), (1, 1), (1, 1), (1, 1), (0, 2),
                   (0, 2), (1, 0)]  # fmt: skip
    difficulty = [(0, 0), (-1, 0), (-2, 0), (0, -1), (0, -1), (0, -1), (0, -2), (-1, -1)]
    net = 2 @ law(ability) + law(proficiency) + 2 @ law(difficulty)
    listed = Counter(
        sums(*roll) for roll in product(ability, ability, proficiency, difficulty, difficulty)
    )
    assert net == Distribution(listed)


@pytest.mark.parametrize("dice", [[6, 6, 6], [4, 6, 6, 8], [3], [10, 10]])
def test_facts_of_one_roll_equal_the_listing_of_all_rolls(dice):
    roll = pool(*map(d, dice)).facts(
        hits=[5, 6], ones=1, total=lambda face: face, low=lambda f: f < 3
    )
    listed = product(*(range(1, sides + 1) for sides in dice))
    assert roll == law([
        (r.count(5) + r.count(6), r.count(1), sum(r), sum(face < 3 for face in r)) for r in listed
    ])  # fmt: skip
    assert pickle.loads(pickle.dumps(roll)) == roll  # noqa: S301 - written here
    assert roll.probability_that(lambda shown: shown.ones >= 0) == 1
    assert roll.map(lambda shown: shown.total) == pool(*map(d, dice)).sum()


def test_facts_of_many_dice():
    # Source: the multinomial distribution.
    roll = pool(50, d10).facts(hits=[8, 9, 10], ones=1)
    chance = Fraction(3, 10) ** 2 * Fraction(1, 10) * Fraction(6, 10) ** 47 * (50 * 49 * 48 // 2)
    assert roll.probability((2, 1)) == mpq(chance)


def test_shadowrun_glitches():
    glitch = pool(6, d6).facts(hits=[5, 6], ones=1)
    rolls = list(product(range(1, 7), repeat=6))
    assert glitch.probability_that(lambda r: r.ones >= 3) == mpq(
        sum(r.count(1) >= 3 for r in rolls), len(rolls)
    )
    assert sorted_roll(pool(6, d6)).map(lambda r: (sum(f > 4 for f in r), r.count(1))) == glitch


def test_facts_of_a_mixed_pool_in_words():
    words = Distribution({"hit": 1, "miss": 3})
    assert pool(2, words).facts(hits="hit") == law([(0,)] * 9 + [(1,)] * 6 + [(2,)])
    assert pool(d6, d8).facts(tops=[6, 8]).probability((2,)) == mpq(2, 48)  # 6 and 6, 6 and 8
