"""Sets of dice, as games: intransitive dice, and Go First dice.

*Intransitive*: two players choose different dice of a set, one after the other, and both are
rolled. Each die is beaten by another where the second player has the better chances whatever the
first one takes.

*Go First*: a player bets on the order in which the dice of a set will show, from low to high. The
best bet on n dice wins with a chance of 1/n! if and only if all orders are equally likely.
"""

from collections import Counter
from functools import partial
from itertools import permutations, product
from typing import TypeAlias

from exactdice.arithmetic import mpq
from exactdice.book.page import Page, Variant
from exactdice.dice import Distribution
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


def rolled(chance: mpq) -> Distribution[int]:
    """Win with a chance: the end is 1 or 0."""
    return Distribution.from_probabilities({1: chance, 0: 1 - chance})


def choosing(dice: Dice) -> Game[Dice | int]:
    """The second player to choose, who counts as the first one here, wins by rolling higher."""

    def moves(chosen: Dice | int) -> Moves:
        if isinstance(chosen, int):
            return End(chosen)
        if len(chosen) == 2:
            return rolled(higher(chosen[1], chosen[0]))
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


def betting(word: str) -> Game[str | int]:
    """Bet on the order of the dice of a word."""
    ways = orders(word)
    every = ["".join(order) for order in permutations(sorted(set(word)))]

    def moves(order: str | int) -> Moves:
        if isinstance(order, int):
            return End(order)
        if order:
            return rolled(mpq(ways[order], ways.total()))
        return [Choice(each, 0, point_mass(each)) for each in every]

    return Game("", moves)


_GAVENCIAK = "their algorithm of permutation-fair dice, on GitHub"
_CONREY = "Conrey, Gabbard, Grant, Liu and Morrison 2016"
_POLLOCK = "Ford, Grime, Harshbarger and Pollock 2023"
_CLOSET, _NANMA = "futilitycloset.com, 2 January 2020", "nanma80/dice, on GitHub"
_FORD = "four dice of twelve sides, by Ford and Harshbarger"
_ROZHON = "three dice of six sides, by Gavenčiak and Rozhoň"
_SIDES = "five dice of 36, 36, 60, 180 and 20 sides"
_INTRANSITIVE = {
    "efron": Variant("Efron's four dice", partial(choosing, EFRON), printed={"2/3": _CONREY}),
    "miwin": Variant("Miwin's three dice", partial(choosing, MIWIN), printed={"17/36": _CLOSET}),
    "grime": Variant("Grime's five dice", partial(choosing, GRIME)),
}
_GO_FIRST = {
    "four": Variant(_FORD, partial(betting, FOUR), printed={"1/24": _POLLOCK}),
    "three": Variant(_ROZHON, partial(betting, THREE), printed={"1/6": _GAVENCIAK}),
    "five": Variant(_SIDES, partial(betting, FIVE), printed={"1/120": _NANMA}),
}
_TWO, _LAST = "two, one after the other", "chance that the one who chooses last rolls higher"
_ONE, _LIKELIEST = "one, who bets on the order of the dice", "chance of the likeliest order"
INTRANSITIVE = Page("intransitive-dice", "Intransitive dice", _TWO, _LAST, _INTRANSITIVE)
GO_FIRST = Page("go-first-dice", "Go First dice", _ONE, _LIKELIEST, _GO_FIRST)
