r"""Rules of the reroll game, as in the reroll coursework.

n equal dice are rolled once, free of charge. Then, as often as you like, you choose which dice to
hold. If you hold fewer than all of them, the others are rolled again for a penalty; if you hold all
of them, you *stick*, which ends the game. When you stick, all dice that share a value with another
die are turned over, and the total is your score. Turning over changes the i-th lowest of the s
values to the i-th highest; on an ordinary die, 1 to 6, 2 to 5 and 3 to 4.

A state is the dice in ascending order. An action is the tuple of the positions of the dice held,
from 0. Ties between actions are broken by their order: fewer dice held first, then lexicographic.
Equal dice are interchangeable, so solvers use *holds*, the sorted values held.

The penalty must be positive. With penalty 0 there is no reason to stop before the best roll, and
with a negative one infinite play would be optimal.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, product
from math import comb, factorial, prod
from typing import TypeAlias

from exactdice.arithmetic import RationalLike, mpq, natural, over_common_denominator, rational, text
from exactdice.dice import Distribution
from exactdice.errors import InputError, Unquoted

#: Most dice, and most sides of each; far fewer of both can be solved.
MAX_DICE = 1_000
MAX_SIDES = 100_000
#: Most digits of a numerator or denominator; values of the game have at least as many.
MAX_DIGITS = 1_000

Number: TypeAlias = "int | mpq"
Roll: TypeAlias = "tuple[Number, ...]"  # all dice, ascending
Hold: TypeAlias = "tuple[Number, ...]"  # the dice that are kept, ascending
Positions: TypeAlias = "tuple[int, ...]"


def _short(value: RationalLike, name: str) -> mpq:
    number = rational(value, name)
    digits = max(len(text(part)) for part in (abs(number.numerator), number.denominator))
    if digits > MAX_DIGITS:
        wanted = f"at most {MAX_DIGITS} digits"
        raise InputError(name, Unquoted(f"a number of {digits} digits"), wanted)
    return number


def read_penalty(value: RationalLike, name: str = "penalty") -> mpq:
    price = _short(value, name)
    if price <= 0:
        raise InputError(name, value, "a number above 0; with 0 play may never end")
    return price


@dataclass(frozen=True, init=False)
class RerollRules:
    """The rules of one reroll game.

    * `dice`: number of dice, 1 to `MAX_DICE`.
    * `sides`: sides of each die, at most `MAX_SIDES`; by default as many as `values` or `bias`, or
      6.
    * `values`: value of each side, exact and all different; 1 to `sides` by default. Sorted
      together with their bias.
    * `bias`: probability of each side, exact, with sum 1; fair by default.
    * `penalty`: cost of each reroll, positive.

    Raises InputError if an argument is outside its domain.

    >>> rules = RerollRules()
    >>> rules.values, rules.stick_score((2, 2, 5)), rules.flipped((2, 2, 5))
    ((1, 2, 3, 4, 5, 6), 15, (5, 5, 5))
    >>> RerollRules(dice=4, sides=3, bias=["0.1", "0.1", "0.8"], penalty=2)
    RerollRules(dice=4, values=(1, 2, 3), bias=(mpq(1,10), mpq(1,10), mpq(4,5)), penalty=mpq(2,1))
    """

    dice: int
    values: tuple[Number, ...]
    bias: tuple[mpq, ...]
    penalty: mpq

    def __init__(
        self,
        dice: int = 3,
        sides: int | None = None,
        values: Iterable[RationalLike] | None = None,
        bias: Iterable[RationalLike] | None = None,
        penalty: RationalLike = 1,
    ) -> None:
        count = natural(dice, "dice", least=1, most=MAX_DICE)
        chances = None if bias is None else [_short(chance, "bias") for chance in bias]
        exact = None if values is None else [_short(value, "values") for value in values]
        size = _sides(sides, exact, chances)
        if exact is None:
            exact = [mpq(side) for side in range(1, size + 1)]
        if chances is None:
            chances = [mpq(1, size)] * size
        if len(set(exact)) < len(exact):
            raise InputError("values", Unquoted("a repeated value"), "different values")
        for chance in chances:
            if chance < 0:
                raise InputError("bias", text(chance), "probabilities of at least 0")
        if sum(chances) != 1:
            total = Unquoted(f"a sum of {text(sum(chances))}")
            raise InputError("bias", total, "probabilities that sum to 1")
        ordered = sorted(zip(exact, chances, strict=True))
        plain = tuple(int(value) if value.denominator == 1 else value for value, _ in ordered)
        object.__setattr__(self, "dice", count)
        object.__setattr__(self, "values", plain)
        object.__setattr__(self, "bias", tuple(chance for _, chance in ordered))
        object.__setattr__(self, "penalty", read_penalty(penalty))

    def conventions(self) -> dict[str, str]:
        """Return all conventions in words, for the provenance of a report."""
        return {
            "dice": str(self.dice),
            "values": ", ".join(map(text, self.values)),
            "bias": ", ".join(map(text, self.bias)),
            "penalty": f"{text(self.penalty)} for each reroll",
            "flipping": "dice that share a value take the mirror image in the list of values",
        }

    @property
    def sides(self) -> int:
        """Number of sides of each die."""
        return len(self.values)

    @property
    def die(self) -> Distribution[Number]:
        """Distribution of one die, without sides of probability 0."""
        return Distribution.from_probabilities(dict(zip(self.values, self.bias, strict=True)))

    @property
    def rolls(self) -> tuple[Roll, ...]:
        """All states in lexicographic order, including those of probability 0.

        >>> len(RerollRules().rolls), RerollRules().rolls[:3]
        (56, ((1, 1, 1), (1, 1, 2), (1, 1, 3)))
        """
        return tuple(combinations_with_replacement(self.values, self.dice))

    @property
    def partial_holds(self) -> Iterator[Hold]:
        """All holds of fewer than all dice, the fewest first."""
        for count in range(self.dice):
            yield from combinations_with_replacement(self.values, count)

    @property
    def choices(self) -> int:
        """Number of pairs of a roll and a hold of it: multisets of 2·sides kinds.

        >>> RerollRules(dice=1, sides=6).choices, RerollRules().choices
        (12, 364)
        """
        return comb(self.dice + 2 * self.sides - 1, self.dice)

    @property
    def actions(self) -> tuple[Positions, ...]:
        """All tuples of held positions: fewer first, then lexicographic.

        >>> RerollRules().actions
        ((), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2))
        """
        positions = range(self.dice)
        return tuple(held for n in range(self.dice + 1) for held in combinations(positions, n))

    @property
    def sticking(self) -> Positions:
        """The action that holds all dice."""
        return tuple(range(self.dice))

    def flipped(self, roll: Roll) -> Roll:
        """Return a roll with all dice turned over that share their value, ascending again."""
        counts = Counter(roll)
        opposite = dict(zip(self.values, reversed(self.values), strict=True))
        return tuple(sorted(opposite[v] if counts[v] > 1 else v for v in roll))

    def stick_score(self, roll: Roll) -> Number:
        """Return the total of a roll after turning over duplicates."""
        return sum(self.flipped(roll))

    def holds(self, roll: Roll) -> list[tuple[Positions, Hold]]:
        """Return the different holds of a roll, each with its first action, in order.

        >>> RerollRules(dice=2).holds((4, 4))
        [((), ()), ((0,), (4,)), ((0, 1), (4, 4))]
        """
        pairs: list[tuple[Positions, Hold]] = [((), ())]
        for value, count in Counter(roll).items():
            first = roll.index(value)
            kept = [(tuple(range(first, first + k)), (value,) * k) for k in range(count + 1)]
            pairs = [(old + new, hold + more) for old, hold in pairs for new, more in kept]
        return sorted(pairs, key=lambda pair: (len(pair[0]), pair[0]))

    def equivalent(self, roll: Roll, positions: Positions) -> list[Positions]:
        """Return all actions that hold the same values of a roll, in order.

        >>> RerollRules().equivalent((1, 4, 4), (1,))
        [(1,), (2,)]
        """
        kept = Counter(roll[place] for place in positions)
        places = {value: [i for i, v in enumerate(roll) if v == value] for value in kept}
        ways = product(*(combinations(places[value], count) for value, count in kept.items()))
        return sorted(tuple(sorted(place for part in way for place in part)) for way in ways)

    def ways(self, roll: Roll, positions: Positions) -> int:
        """Count the actions that hold the same values of a roll.

        >>> RerollRules(dice=40, sides=2).ways((1,) * 40, tuple(range(20)))
        137846528820
        """
        counts = Counter(roll)
        kept = Counter(roll[place] for place in positions)
        return prod(comb(counts[value], count) for value, count in kept.items())

    def outcomes(self, hold: Hold) -> Distribution[Roll]:
        """Return the multinomial distribution of the roll when all other dice are rolled.

        >>> RerollRules(dice=2, sides=2).outcomes(())
        Distribution({(1, 1): 1, (1, 2): 2, (2, 2): 1})
        """
        rolled = self.dice - len(hold)
        numerators, _ = over_common_denominator(self.bias)
        weight = dict(zip(self.values, map(int, numerators), strict=True))
        weights: dict[Roll, int] = {}
        for rest in combinations_with_replacement(self.values, rolled):
            orders = factorial(rolled)
            for count in Counter(rest).values():
                orders //= factorial(count)
            weights[tuple(sorted(hold + rest))] = orders * prod(weight[value] for value in rest)
        return Distribution(weights)


def _sides(sides: object, values: list[mpq] | None, bias: list[mpq] | None) -> int:
    if sides is None:
        size = next((len(listed) for listed in (values, bias) if listed is not None), 6)
        if size < 1:
            raise InputError("values" if values is not None else "bias", [], "at least one side")
    else:
        size = natural(sides, "sides", least=1, most=MAX_SIDES)
    for name, listed in (("values", values), ("bias", bias)):
        if listed is not None and len(listed) != size:
            numbers = Unquoted(f"{len(listed)} numbers")
            raise InputError(name, numbers, f"one for each of the {size} sides")
    return size


STANDARD = RerollRules()
