"""Sets of dice, against listing all rolls, or all dice."""

from collections import Counter
from itertools import chain, combinations_with_replacement, permutations, product

import pytest
from gmpy2 import mpq

from exactdice.book import load
from exactdice.book.sets_of_dice import (
    EFRON,
    FIVE,
    FOUR,
    GRIME,
    MIWIN,
    THREE,
    higher,
    orders,
    relabelled,
)


def test_each_die_of_an_intransitive_set_beats_the_next() -> None:
    # Conrey et al. 2016: each of Efron's beats the next with 2/3, all the way round
    for dice, chance in ((EFRON, mpq(2, 3)), (MIWIN, mpq(17, 36))):
        for one, other in zip(dice, (*dice[1:], dice[0]), strict=True):
            assert higher(one, other) == chance > higher(other, one)
    # by the faces that are printed of them: Efron's add up to 16, 18, 20 and 18; Miwin's have each
    # number from 1 to 9 twice; Grime's one of 0 to 4, once more than it says, and else 5 more
    assert list(map(sum, EFRON)) == [16, 18, 20, 18]
    assert Counter(chain(*MIWIN)) == dict.fromkeys(range(1, 10), 2)
    assert tuple((*(n + 1) * (n,), *(5 - n) * (n + 5,)) for n in (4, 3, 2, 1, 0)) == GRIME
    # generalist.academy, 28 December 2020: two cycles of Grime's five, in which all win more often
    for step in (1, 2):
        row = [GRIME[step * i % 5] for i in range(5)]
        around = list(zip(row, (*row[1:], row[0]), strict=True))
        assert all(higher(a, b) > mpq(1, 2) for a, b in around) or all(
            higher(b, a) > mpq(1, 2) for a, b in around
        )
    best = min(max(higher(b, a) for b in GRIME if b != a) for a in GRIME)
    assert load("intransitive-dice", "grime").answer().value.point == best


def test_go_first_dice_are_those_that_were_printed() -> None:
    # Ford, Grime, Harshbarger and Pollock 2023
    printed = {
        "a": [1, 8, 11, 14, 19, 22, 27, 30, 35, 38, 41, 48],
        "b": [2, 7, 10, 15, 18, 23, 26, 31, 34, 39, 42, 47],
        "c": [3, 6, 12, 13, 17, 24, 25, 32, 36, 37, 43, 46],
        "d": [4, 5, 9, 16, 20, 21, 28, 29, 33, 40, 44, 45],
    }
    for die, faces in printed.items():
        assert [place for place, letter in enumerate(FOUR, 1) if letter == die] == faces
    assert Counter(FIVE) == {"a": 36, "b": 36, "c": 60, "d": 180, "e": 20}


@pytest.mark.parametrize("word", [THREE, FOUR, "abba", "abcabc"])
def test_orders_are_counted_as_all_rolls_have_them(word: str) -> None:
    names = sorted(set(word))
    dice = [[place for place, letter in enumerate(word) if letter == name] for name in names]
    listed = Counter(
        "".join(name for _, name in sorted(zip(roll, names, strict=True)))
        for roll in product(*dice)
    )
    assert orders(word) == listed


def test_all_orders_of_go_first_dice_are_equally_likely() -> None:
    for word, dice in ((THREE, 3), (FOUR, 4), (FIVE, 5)):
        ways = orders(word)
        assert set(ways) == {"".join(order) for order in permutations("abcde"[:dice])}
        assert len(set(ways.values())) == 1
    # with any die left out, too
    for die in "abcde":
        assert len(set(orders(FIVE.replace(die, "")).values())) == 1


def test_dice_with_the_sums_of_ordinary_ones_are_all_that_there_are() -> None:
    for sides in (2, 3, 4):
        ordinary = Counter(a + b for a, b in product(range(1, sides + 1), repeat=2))
        dice = list(combinations_with_replacement(range(1, 2 * sides), sides))
        listed = {
            (one, other)
            for one, other in combinations_with_replacement(dice, 2)
            if one[0] == other[0] == 1
            and one[-1] + other[-1] == 2 * sides
            and Counter(a + b for a, b in product(one, other)) == ordinary
        }
        assert set(relabelled(sides)) == listed
    # OEIS A111588
    assert [len(relabelled(n)) for n in range(1, 25)] == [
        *[1, 1, 1, 2, 1, 2, 1, 4, 2, 2, 1, 8],
        *[1, 2, 2, 10, 1, 8, 1, 8, 2, 2, 1, 33],
    ]
    # by hand: 1-1 once, 3-3 twice and 4-4 once, of 36
    assert load("sicherman-dice").answer().value.point == mpq(4, 36)
