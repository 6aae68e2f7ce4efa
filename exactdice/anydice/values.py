"""Values of AnyDice programs and their operators.

A number is an int, a sequence a tuple of ints. Dice are a `Pool`: equal dice that are not yet
added, so that positions and counts come from the kernels for pools and no roll is listed. An
operator adds the dice of a pool first. The die without faces is the pool without a distribution.
"""

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from math import comb, lcm
from typing import Any

from gmpy2 import mpq

from exactdice.dice.distribution import Distribution, fair
from exactdice.dice.keeping import kept_sum
from exactdice.errors import InputError
from exactdice.memory import stored_bytes
from exactdice.run import DEFAULT, Run

__all__ = ["EMPTY", "Pool", "Value"]


class Pool:
    """Some equal dice; a single die is a pool of one, and the die without faces has none.

    `reached_limit` is the probability that a call of a function that was not made, because it was
    too deep, took part in the value.
    """

    __slots__ = ("_hash", "_total", "face", "number", "reached_limit")

    def __init__(
        self, face: "Distribution[int] | None", number: int = 1, reached_limit: mpq = mpq(0)
    ) -> None:
        self.face, self.number, self.reached_limit = face, number, reached_limit
        self._total: Distribution[int] | None = face if number == 1 else None
        self._hash = 0

    def __hash__(self) -> int:
        if not self._hash:
            self._hash = hash((self.face, self.number))
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Pool)
            and hash(self) == hash(other)
            and (self.face, self.number) == (other.face, other.number)
            and self.reached_limit == other.reached_limit
        )

    def __str__(self) -> str:
        if self.face is None:
            return f"{self.number}d{{}}"
        sides = len(self.face)
        is_fair = self.face.denominator == sides and [*self.face] == [*range(1, sides + 1)]
        return f"{self.number if self.number > 1 else ''}d{sides if is_fair else '{?}'}"

    @property
    def total(self) -> "Distribution[int]":
        """The distribution of the sum of all dice, of which there is at least one."""
        if self._total is None:
            assert self.face is not None
            self._total = self.face.sum_of(self.number)
        return self._total


Value = int | tuple[int, ...] | Pool

EMPTY = Pool(None, 0)
#: The value of a call that is too deep.
TOO_DEEP = Pool(None, 0, mpq(1))
_EMPTY_ROLLED = Pool(None)  # dice whose number is a roll, without faces: AnyDice counts one


def either(a: mpq, b: mpq) -> mpq:
    """Return the probability of at least one of two independent events."""
    return a + b - a * b if a and b else a or b


def _limits(*values: Value) -> mpq:
    reached = mpq(0)
    for value in values:
        if isinstance(value, Pool) and value.reached_limit:
            reached = either(reached, value.reached_limit)
    return reached


def quotient(a: int, b: int) -> int:
    """Divide, rounded towards zero; the quotient by 0 is 0."""
    if not b:
        return 0
    return a // b if (a < 0) == (b < 0) else -(-a // b)


def power(a: int, b: int) -> int:
    """Raise to a power, rounded towards zero; 0 to a negative power is 0, as a quotient by 0 is."""
    if b >= 0:
        DEFAULT.require(abs(a).bit_length() * b // 8, f"the power of {b}")
        return a**b
    return a ** (b % 2) if abs(a) == 1 else 0


_NUMBERS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": quotient, "^": power,
    "&": lambda a, b: int(a != 0 and b != 0), "|": lambda a, b: int(a != 0 or b != 0),
}  # fmt: skip
COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def binary(sign: str, left: Value, right: Value) -> Value:
    """Apply an operator of two values, other than ``d`` and ``@``."""
    compare = COMPARISONS.get(sign)
    if compare:
        if type(left) is int and type(right) is int:
            return int(compare(left, right))
        return _compared(sign, compare, left, right)
    left = sum(left) if type(left) is tuple else left
    right = sum(right) if type(right) is tuple else right
    if type(left) is int and type(right) is int:
        return _NUMBERS[sign](left, right)
    if sign in "+-|":  # here the die without faces counts as 0, unless there are two of them
        lacking = [isinstance(side, Pool) and side.face is None for side in (left, right)]
        if all(lacking):
            return _empty(left, right)
        left, right = (_zero(x) if no else x for x, no in zip((left, right), lacking, strict=True))
    return _of_distributions(sign, _NUMBERS[sign], left, right)


def _zero(empty: Any) -> Pool:
    return Pool(Distribution({0: 1}), 1, empty.reached_limit)


def _empty(*sides: Value) -> Pool:
    reached = _limits(*sides)
    return Pool(None, 0, reached) if reached else EMPTY


def _compared(sign: str, compare: Callable[[Any, Any], bool], left: Value, right: Value) -> Value:
    if isinstance(left, Pool) or isinstance(right, Pool):
        left = sum(left) if type(left) is tuple else left
        right = sum(right) if type(right) is tuple else right
        return _of_distributions(sign, compare, left, right)
    if type(left) is tuple and type(right) is tuple:
        return int(compare(left, right))
    if type(left) is tuple:
        return sum(compare(x, right) for x in left)
    return sum(compare(left, x) for x in right)  # type: ignore[union-attr]


def _distribution(value: Any) -> "Distribution[int] | None":
    if isinstance(value, Pool):
        return value.total if value.face is not None else None
    return Distribution({value: 1})


@lru_cache(maxsize=4096)
def _of_distributions(
    sign: str, function: Callable[[Any, Any], int], left: Value, right: Value
) -> Pool:
    a, b, reached = _distribution(left), _distribution(right), _limits(left, right)
    if a is None or b is None:
        return _empty(left, right)
    if sign in "&|":
        a, b = (_truth(a), _truth(b))
    if sign == "+" or sign == "-":
        if type(right) is int:
            made = Distribution({function(x, right): w for x, w in a.items()})
        elif type(left) is int:
            made = Distribution({function(left, x): w for x, w in b.items()})
        else:
            made = a.with_other(b, function)
    elif sign in COMPARISONS:
        made = _true(_ways(sign, a, b), a.denominator * b.denominator)
    else:
        made = a.with_other(b, function)
    return Pool(made, 1, reached)


def _true(ways: int, of: int) -> "Distribution[int]":
    return Distribution({0: of - ways, 1: ways})


def _truth(roll: "Distribution[int]") -> "Distribution[int]":
    return _true(roll.denominator - roll.get(0, 0), roll.denominator)


def _ways(sign: str, a: "Distribution[int]", b: "Distribution[int]") -> int:
    """Return the weight of the pairs for which the comparison holds."""
    if sign in ("=", "!="):
        equal = sum(weight * b.get(x, 0) for x, weight in a.items())
        return equal if sign == "=" else a.denominator * b.denominator - equal
    if sign in (">", "<="):
        ways = _ways("<" if sign == ">" else ">=", b, a) if sign == ">" else 0
        return ways if sign == ">" else a.denominator * b.denominator - _ways("<", b, a)
    if sign == ">=":
        return a.denominator * b.denominator - _ways("<", a, b)
    ways, below, mine = 0, 0, iter([*a.items(), (None, 0)])
    x, weight = next(mine)
    for y, ways_of_y in b.items():
        while x is not None and x < y:
            below += weight
            x, weight = next(mine)
        ways += below * ways_of_y
    return ways


def die(faces: Value) -> Pool:
    """Return the die with these faces: a number of sides, a list of faces, or dice themselves."""
    if isinstance(faces, Pool):
        return faces
    if type(faces) is tuple:
        return Pool(Distribution(Counter(faces))) if faces else EMPTY
    if faces > 0:  # type: ignore[operator]
        return Pool(fair(faces))  # type: ignore[arg-type]
    return Pool(Distribution(dict.fromkeys(range(faces, 0) or (0,), 1)))  # type: ignore[arg-type]


def dice(number: Value, faces: Value) -> Pool:
    """Return as many dice as a number, a sum or a roll says."""
    if type(number) is tuple:
        number = sum(number)
    one = die(faces)
    if type(number) is int:
        if number == 1:
            return one
        if one.face is None:
            return one if one.reached_limit else EMPTY
        if not number:
            return die(0)
        face = one.total if number > 0 else _negated(one.total)
        return Pool(face, abs(number), _repeated(one.reached_limit, abs(number)))
    assert isinstance(number, Pool)
    if number.face is None or one.face is None:
        reached = _limits(number, one)
        return Pool(None, 1, reached) if reached else _EMPTY_ROLLED
    counts, face = number.total, one.total
    parts = [
        (w, face.sum_of(n) if n >= 0 else _negated(face).sum_of(-n))
        for n, w in counts.items()
        if n < 0
    ]
    positive = {n: w for n, w in counts.items() if n >= 0}
    if positive:
        parts.append((sum(positive.values()), face.sum_of(Distribution(positive))))
    most = max(map(abs, counts))
    reached = either(number.reached_limit, _repeated(one.reached_limit, most))
    return Pool(mixed(parts), 1, reached)


def _repeated(chance: mpq, times: int) -> mpq:
    return 1 - (1 - chance) ** times if chance else chance


def _negated(roll: "Distribution[int]") -> "Distribution[int]":
    return Distribution({-x: w for x, w in roll.items()})


def mixed(parts: "Iterable[tuple[int, Distribution[int]]]") -> "Distribution[int]":
    """Return the mixture of distributions with these integer weights.

    >>> mixed([(1, fair(1)), (2, fair(2))])
    Distribution({1: 2, 2: 1})
    """
    listed = list(parts)
    if len(listed) == 1:
        return listed[0][1]
    common = lcm(*(part.denominator for _, part in listed))
    weights: dict[int, int] = {}
    for weight, part in listed:
        factor = weight * (common // part.denominator)
        for outcome, ways in part.items():
            weights[outcome] = weights.get(outcome, 0) + factor * ways
    return Distribution(weights)


def minus(value: Value) -> Value:
    """Negate a number, the sum of a sequence, or each die of a pool."""
    if isinstance(value, Pool):
        if value.face is None:
            return value
        return Pool(_negated(value.face), value.number, value.reached_limit)
    return -sum(value) if type(value) is tuple else -value  # type: ignore[operator]


def negation(value: Value) -> Value:
    """Return 1 for 0 and 0 for all else."""
    if isinstance(value, Pool):
        return binary("=", value, 0)
    return int(not (sum(value) if type(value) is tuple else value))


def length(value: Value) -> int:
    """Count the digits of a number, the elements of a sequence, or the dice of a pool."""
    if isinstance(value, Pool):
        return value.number
    return len(value) if type(value) is tuple else len(str(abs(value)))  # type: ignore[arg-type]


def elements(value: Value) -> tuple[int, ...]:
    """Return what a value adds to the sequence in which it is written."""
    if isinstance(value, Pool):
        return tuple(value.total) if value.face is not None else ()
    return value if type(value) is tuple else (value,)  # type: ignore[return-value]


def whole(value: Value, what: str) -> int:
    """Return a number or the sum of a sequence; raises InputError for dice."""
    if isinstance(value, Pool):
        raise InputError(what, str(value), "a number; give dice to a function that takes a number")
    return sum(value) if type(value) is tuple else value  # type: ignore[return-value]


def at(places: Value, value: Value, *, highest_first: bool, run: Run = DEFAULT) -> Value:
    """Return the digit, element or die at a place, or the sum of those at several places."""
    if isinstance(places, Pool):
        raise InputError("@", str(places), "a number or a sequence of places before @")
    if not isinstance(value, Pool):
        items: tuple[int, ...] = value if type(value) is tuple else _digits(value, highest_first)  # type: ignore[arg-type]
        size = len(items)
        if type(places) is int:
            return items[places - 1] if 0 < places <= size else 0
        return sum(items[place - 1] for place in places if 0 < place <= size)  # type: ignore[union-attr]
    if value.face is None and (not value.number or places == 1):
        return _empty(value)
    chosen = Counter(
        p for p in (places if type(places) is tuple else (places,)) if 0 < p <= value.number
    )  # type: ignore[operator]
    if not highest_first:
        chosen = Counter({value.number + 1 - place: times for place, times in chosen.items()})
    return Pool(_placed(value, chosen, run), 1, value.reached_limit)


def _digits(number: int, highest_first: bool) -> tuple[int, ...]:
    digits = [int(digit) * (-1 if number < 0 else 1) for digit in str(abs(number))]
    return tuple(digits if highest_first else digits[::-1])


def _placed(pool: Pool, chosen: "Counter[int]", run: Run) -> "Distribution[int]":
    """Return the sum of the dice at these places from the highest, each as often as counted."""
    if not chosen:
        return Distribution({0: 1})
    assert pool.face is not None
    if len(chosen) == pool.number and len(set(chosen.values())) == 1:
        kept = pool.total
    elif len(set(chosen.values())) == 1:
        kept = kept_sum([(pool.face, pool.number)], {place - 1 for place in chosen}, run)
    else:
        sums: dict[int, int] = {}
        for roll, weight in rolls(pool, run):
            total = sum(roll[place - 1] * times for place, times in chosen.items())
            sums[total] = sums.get(total, 0) + weight
        return Distribution(sums)
    times = next(iter(chosen.values()))
    return kept if times == 1 else Distribution({x * times: w for x, w in kept.items()})


def rolls(
    pool: Pool, run: Run, *, highest_first: bool = True
) -> "Iterator[tuple[tuple[int, ...], int]]":
    """Yield the sorted rolls of a pool, and the weight of each.

    In AnyDice's order, which matters to functions that keep a variable between rolls: for a single
    die from the lowest face; otherwise from the highest roll, or from the lowest.

    >>> list(rolls(Pool(fair(2), 2), DEFAULT))
    [((2, 2), 1), ((2, 1), 2), ((1, 1), 1)]
    """
    assert pool.face is not None
    number, faces = pool.number, list(pool.face.items())
    if number == 1:
        for face, weight in faces:
            yield (face,), weight
        return
    many = comb(number + len(faces) - 1, number)
    run.require(0 * stored_bytes(many, 64), f"the {many} different rolls of {pool}")
    if highest_first:
        faces.reverse()

    def continued(first: int, left: int) -> Iterator[tuple[tuple[int, ...], int]]:
        face, weight = faces[first]
        if first == len(faces) - 1:
            yield (face,) * left, weight**left
            return
        for shown in range(left, -1, -1):
            ways = comb(left, shown) * weight**shown
            if shown == left:
                yield (face,) * left, ways
                continue
            head = (face,) * shown
            for rest, weight_of_rest in continued(first + 1, left - shown):
                yield head + rest, ways * weight_of_rest

    yield from continued(0, number)
