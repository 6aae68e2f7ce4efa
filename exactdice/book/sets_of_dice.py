"""Sets of dice, as games: non-transitive dice, Go First dice, and Sicherman dice.

*Non-transitive*: two players choose different dice of a set, one after the other, and roll them.
Each die is beaten by another, so the second player has the advantage.

*Go First*: a player bets on the order in which the dice of a set will show, from low to high. The
best bet on n dice wins with probability 1/n! if and only if all orders are equally likely.

*Sicherman*: pairs of dice whose sums have the same distribution as two ordinary dice. They are the
factorisations of (x + … + xⁿ)² into two polynomials with nonnegative integer coefficients that are
n at 1 and 0 at 0. Their irreducible factors are x and the cyclotomic polynomials of the divisors of
n above 1; distributing these finds all pairs (Gallian and Rusin 1979; OEIS A111588 counts them).
"""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import permutations, product
from typing import Any, TypeAlias

from flint import fmpz_poly

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

#: Go First dice as words: the n-th letter is the die with the number n.
THREE = "abccbabaccabcbaabc"
FOUR = "abcddcbadbaccabdcbaddabccbaddabcdbaccabdabcddcba"
_PART = "ddcdbcddaadbddddadcccddddbbddddcccdaddddbdaaddcbdcdd"
FIVE = f"e{_PART}eeeee{_PART}e{_PART}eeeeee{_PART}e{_PART}eeeee{_PART}e"


def higher(one: Die, other: Die) -> mpq:
    return mpq(sum(a > b for a, b in product(one, other)), len(one) * len(other))


def rolled(chance: mpq) -> Distribution[int]:
    return Distribution.from_probabilities({1: chance, 0: 1 - chance})


def choosing(dice: Dice) -> Game[Dice | int]:
    """Return the game; player 1 here is the second to choose, who wins by rolling higher."""

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
    """Count the rolls of the dice of a word by their order, from low to high."""
    ways = Counter({"": 1})
    for die in word:
        for before, count in list(ways.items()):
            if die not in before:
                ways[before + die] += count
    return Counter({order: n for order, n in ways.items() if len(order) == len(set(word))})


def betting(word: str) -> Game[str | int]:
    ways = orders(word)
    every = ["".join(order) for order in permutations(sorted(set(word)))]

    def moves(order: str | int) -> Moves:
        if isinstance(order, int):
            return End(order)
        if order:
            return rolled(mpq(ways[order], ways.total()))
        return [Choice(each, 0, point_mass(each)) for each in every]

    return Game("", moves)


_FORD = "four dice of twelve sides, by Ford and Harshbarger"
_ROZHON = "three dice of six sides, by Gavenčiak and Rozhoň"
_SIDES = "five dice of 36, 36, 60, 180 and 20 sides"
_INTRANSITIVE = {
    "efron": Variant("Efron's four dice", partial(choosing, EFRON)),
    "miwin": Variant("Miwin's three dice", partial(choosing, MIWIN)),
    "grime": Variant("Grime's five dice", partial(choosing, GRIME)),
}
_GO_FIRST = {
    "four": Variant(_FORD, partial(betting, FOUR)),
    "three": Variant(_ROZHON, partial(betting, THREE)),
    "five": Variant(_SIDES, partial(betting, FIVE)),
}
_TWO, _LAST = "two, one after the other", "probability that the second to choose rolls higher"
_ONE, _LIKELIEST = "one, who bets on the order of the dice", "probability of the most likely order"
INTRANSITIVE = Page("intransitive-dice", "Non-transitive dice", _TWO, _LAST, _INTRANSITIVE)
GO_FIRST = Page("go-first-dice", "Go First dice", _ONE, _LIKELIEST, _GO_FIRST)


Pair: TypeAlias = tuple[Die, Die]


def relabelled(sides: int) -> list[Pair]:
    """Return all pairs of dice with positive faces and the sums of two ordinary dice."""
    parts = [fmpz_poly.cyclotomic(d) for d in range(2, sides + 1) if sides % d == 0]
    x, pairs = fmpz_poly([0, 1]), set[Pair]()
    for shares in product(range(3), repeat=len(parts)):
        first, second = x, x
        for part, share in zip(parts, shares, strict=True):
            first, second = first * part**share, second * part ** (2 - share)
        if first(1) == sides and min([*first.coeffs(), *second.coeffs()]) >= 0:
            one, other = sorted((_die(first.coeffs()), _die(second.coeffs())))
            pairs.add((one, other))
    return sorted(pairs)


def _die(coefficients: Sequence[Any]) -> Die:
    return tuple(face for face, n in enumerate(coefficients) for _ in range(int(n)))


def doubles(sides: int) -> Game[Pair | int | None]:
    def moves(taken: Pair | int | None) -> Moves:
        if isinstance(taken, int):
            return End(taken)
        if taken:
            return rolled(mpq(sum(a == b for a, b in product(*taken)), sides**2))
        return [Choice(pair, 0, point_mass(pair)) for pair in relabelled(sides)]

    return Game(None, moves)


_SICHERMAN = {
    str(n): Variant(f"{n} sides", partial(doubles, n), least=True) for n in (6, 4, 8, 12, 20)
}
_TAKER = "one, who chooses a pair of dice"
_DOUBLES = "smallest probability of a double"
SICHERMAN = Page("sicherman-dice", "Sicherman dice", _TAKER, _DOUBLES, _SICHERMAN)
