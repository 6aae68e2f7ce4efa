"""The rules of known tables of Farkle, each with its source.

`KCD` is the dice game of Kingdom Come: Deliverance, by the KCD Farkle README and the game's scoring
table; `PATCH` is the boxed game of Patch Products (now PlayMonster), whose rule sheet is quoted at
possiblywrong.wordpress.com/2013/04/07/analysis-of-farkle and
howdoyouplayit.com/farkle-dice-game-rules. The sources of the others stand with them.
"""

from collections import Counter
from collections.abc import Mapping
from itertools import combinations_with_replacement
from typing import Final

from exactdice.errors import InputError
from exactdice.games.farkle.rules.combinations import FACES, Combination
from exactdice.games.farkle.rules.rule_set import RuleSet


def _singles(scores: Mapping[int, int]) -> list[Combination]:
    return [Combination((face,), score) for face, score in scores.items()]


def _shape(counts: tuple[int, ...], score: int) -> list[Combination]:
    """Every multiset that shows different faces with the given numbers of dice, at one score."""
    multisets = set()
    for faces in combinations_with_replacement(FACES, sum(counts)):
        if sorted(Counter(faces).values()) == sorted(counts):
            multisets.add(faces)
    return [Combination(faces, score) for faces in sorted(multisets)]


def _rising_kinds(triples: Mapping[int, int], dice: int) -> list[Combination]:
    """Three or more of a kind; each further die of the kind adds the score of three."""
    return [
        Combination((face,) * count, score * (count - 2))
        for face, score in triples.items()
        for count in range(3, dice + 1)
    ]


def _doubling_kinds(triples: Mapping[int, int], dice: int) -> list[Combination]:
    """Three or more of a kind; each further die of the kind doubles the score."""
    return [
        Combination((face,) * count, score * 2 ** (count - 3))
        for face, score in triples.items()
        for count in range(3, dice + 1)
    ]


_HUNDREDS: Final = {face: 100 * face for face in FACES}

KCD: Final = RuleSet(
    name="kcd",
    combinations=(
        *_singles({1: 100, 5: 50}),
        *_doubling_kinds(_HUNDREDS | {1: 1000}, 6),
        Combination((1, 2, 3, 4, 5), 500),
        Combination((2, 3, 4, 5, 6), 750),
        Combination((1, 2, 3, 4, 5, 6), 1500),
    ),
    target=6000,
)
"""Kingdom Come: Deliverance; the target is that of the KCD Farkle README."""

PATCH: Final = RuleSet(
    name="patch",
    combinations=(
        *_singles({1: 100, 5: 50}),
        *(Combination((face,) * 3, score) for face, score in (_HUNDREDS | {1: 300}).items()),
        *_shape((4,), 1000),
        *_shape((5,), 2000),
        *_shape((6,), 3000),
        *_shape((2, 2, 2), 1500),
        *_shape((4, 2), 1500),
        *_shape((3, 3), 2500),
        Combination((1, 2, 3, 4, 5, 6), 1500),
    ),
    minimum_bank=500,
    target=10000,
)
"""The boxed game of Patch Products; 500 points are needed to bank (there: to open the account)."""

FACEBOOK: Final = RuleSet(
    name="facebook",
    combinations=(
        *_singles({1: 100, 5: 50}),
        *_rising_kinds(_HUNDREDS | {1: 1000}, 6),
        *_shape((2, 2, 2), 750),
        Combination((1, 2, 3, 4, 5, 6), 1500),
    ),
    minimum_bank=300,
    target=10000,
    streak_penalty=500,
    floor=2500,
)
"""Facebook Farkle as M. Busche analysed it (mattbusche.org/blog/article/optimal_farkle, 2016).

The scores are those of the settings of his strategy generator (mattbusche.org/projects/farkle):
three of a kind, and as much again for each further die; a straight of six 1500; three pairs 750,
where four of a kind and a pair are none. 300 points are needed to bank, by the table of its
tutorial. Every third bust in a row costs points; how many is not stated in what could be read of
the article: here 500, as in Zilch. With it his figure comes out, that the first of two players who
play to win has 53.487 % where no score falls below −2500, the floor here; with 1000 it would be
53.444 %.
"""

ZILCH: Final = RuleSet(
    name="zilch",
    combinations=(
        *_singles({1: 100, 5: 50}),
        *_doubling_kinds(_HUNDREDS | {1: 1000}, 6),
        *_shape((2, 2, 2), 1500),
        *(c for c in _shape((2, 2, 1, 1), 500) if not {1, 5} & set(c.faces)),
        Combination((1, 2, 3, 4, 5, 6), 1500),
    ),
    minimum_bank=300,
    target=10000,
    streak_penalty=500,
)
"""Zilch as played at zilch.playr.co.uk, by its page of rules: six dice that score nothing are worth
500. Conventions that the page leaves open: the target, here 10000; three pairs are of three
different faces; and no score falls below 0."""

TEN_THOUSAND: Final = RuleSet(
    name="ten-thousand",
    combinations=(
        *_singles({1: 100, 5: 50}),
        *(Combination((face,) * 3, score) for face, score in (_HUNDREDS | {1: 1000}).items()),
    ),
    target=10000,
)
"""Singles and three of a kind alone, with no minimum: the plainest table of Dix Mille."""

RULE_SETS: Final = {rules.name: rules for rules in (KCD, PATCH, FACEBOOK, ZILCH, TEN_THOUSAND)}


def rule_set(name: str) -> RuleSet:
    """Return a rule set by name.

    >>> rule_set("kcd") is KCD
    True
    """
    if name not in RULE_SETS:
        raise InputError("rules", name, f"one of {', '.join(RULE_SETS)}")
    return RULE_SETS[name]
