"""Sets of dice, as games: intransitive dice, and Go First dice.

*Intransitive*: two players choose different dice of a set, one after the other, and both are
rolled. Each die is beaten by another where the second player has the better chances whatever the
first one takes.

*Go First*: a player bets on the order in which the dice of a set will show, from low to high. The
best bet on n dice wins with a chance of 1/n! if and only if all orders are equally likely.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from itertools import permutations, product
from typing import Any, TypeAlias

from exactdice.arithmetic import mpq
from exactdice.book.page import Page, Variant
from exactdice.models import Choice, End, Game, Moves, Turn, point_mass

Die: TypeAlias = tuple[int, ...]
Dice: TypeAlias = tuple[Die, ...]

EFRON = ((0, 0, 4, 4, 4, 4), (3, 3, 3, 3, 3, 3), (2, 2, 2, 2, 6, 6), (1, 1, 1, 5, 5, 5))
MIWIN = ((1, 2, 5, 6, 7, 9), (1, 3, 4, 5, 8, 9), (2, 3, 4, 6, 7, 8))
GRIME = (
    (4, 4, 4, 4, 4, 9),
    (3, 3, 3, 3, 8, 8),
    (2, 2, 2, 7, 7, 7),
    (1, 1, 6, 6, 6, 6),
    (0, 5, 5, 5, 5, 5),
)

#: Go First dice as words, whose places are the numbers and whose letters the dice that bear them.
THREE = "abccbabaccabcbaabc"
FOUR = "abcddcbadbaccabdcbaddabccbaddabcdbaccabdabcddcba"
_PART = "ddcdbcddaadbddddadcccddddbbddddcccdaddddbdaaddcbdcdd"
FIVE = f"e{_PART}eeeee{_PART}e{_PART}eeeeee{_PART}e{_PART}eeeee{_PART}e"


def higher(one: Die, other: Die) -> mpq:
    """The chance that a die shows more than another."""
    return mpq(sum(a > b for a, b in product(one, other)), len(one) * len(other))


def choosing(dice: Dice) -> Game[Dice]:
    """The second player to choose, who counts as the first one here, wins by rolling higher."""

    def moves(chosen: Dice) -> Moves:
        if len(chosen) == 2:
            return End(higher(chosen[1], chosen[0]))
        left = [die for die in dice if die not in chosen]
        choices = [Choice(die, 0, point_mass((*chosen, die))) for die in left]
        return choices if chosen else Turn(2, choices)

    return Game((), moves)


def orders(word: str) -> Counter[str]:
    """In how many rolls of the dice of a word they show each order, from low to high."""
    ways = Counter({"": 1})
    for die in word:
        for before, count in list(ways.items()):
            if die not in before:
                ways[before + die] += count
    return Counter({order: n for order, n in ways.items() if len(order) == len(set(word))})


def betting(word: str) -> Game[str]:
    """Bet on the order of the dice of a word."""
    ways = orders(word)
    every = ["".join(order) for order in permutations(sorted(set(word)))]

    def moves(order: str) -> Moves:
        if order:
            return End(mpq(ways[order], ways.total()))
        return [Choice(each, 0, point_mass(each)) for each in every]

    return Game("", moves)


_GAVENCIAK = "their algorithm of permutation-fair dice, on GitHub"
#: For each set of dice what it is, its game, and what was printed.
_INTRANSITIVE: Mapping[str, tuple[str, Dice, Mapping[str, str]]] = {
    "efron": ("Efron's four dice", EFRON, {"2/3": "Conrey, Gabbard, Grant, Liu and Morrison 2016"}),
    "miwin": ("Miwin's three dice", MIWIN, {"17/36": "futilitycloset.com, 2 January 2020"}),
    "grime": ("Grime's five dice", GRIME, {}),
}
_GO_FIRST: Mapping[str, tuple[str, str, Mapping[str, str]]] = {
    "four": ("four dice of twelve sides, by Ford and Harshbarger", FOUR,
             {"1/24": "Ford, Grime, Harshbarger and Pollock 2023"}),
    "three": ("three dice of six sides, by Gavenčiak and Rozhoň", THREE, {"1/6": _GAVENCIAK}),
    "five": ("five dice of 36, 36, 60, 180 and 20 sides", FIVE,
             {"1/120": "nanma80/dice, on GitHub"}),
}  # fmt: skip


def _variants(of: Callable[[Any], Game[Any]], sets: Mapping[str, Any]) -> dict[str, Variant]:
    return {
        name: Variant(rules, partial(of, dice), printed=printed)
        for name, (rules, dice, printed) in sets.items()
    }


_TWO, _LAST = "two, one after the other", "chance that the one who chooses last rolls higher"
_ONE, _LIKELIEST = "one, who bets on the order of the dice", "chance of the likeliest order"
INTRANSITIVE = Page(
    "intransitive-dice", "Intransitive dice", _TWO, _LAST, _variants(choosing, _INTRANSITIVE)
)
GO_FIRST = Page("go-first-dice", "Go First dice", _ONE, _LIKELIEST, _variants(betting, _GO_FIRST))
