"""Values of AnyDice programs and their operators.

A number is an int, a sequence a tuple of ints. Dice are a `Pool`: equal dice that are not added
yet, so that positions and counts come from the kernels for pools and no roll is listed. Operators
add the dice of a pool first. The die without faces is a pool without a distribution.
"""

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import accumulate
from math import comb, prod
from typing import Any

from exactdice.anydice.syntax import COMPARISONS
from exactdice.arithmetic import mpq, text
from exactdice.dice.distribution import Distribution, fair, mixed
from exactdice.dice.keeping import kept_sum
from exactdice.errors import InputError
from exactdice.memory import stored_bytes
from exactdice.run import DEFAULT, Run

Value = Any  # an int, a tuple of ints or a Pool
_FACTS = operator.attrgetter("number", "cut", "face")
_NEVER = mpq(0)
_BYTES = 40  # of an element of a sequence
_NUMBER = "a number; give dice to a function that takes a number"


class Pool:
    """Some equal dice; a single die is a pool of one, and the die without faces has none.

    `cut` is the probability that a call that was too deep to be made took part in the value.
    """

    __slots__ = ("_hash", "_total", "cut", "face", "number")

    def __init__(self, face: Any, number: int = 1, cut: mpq = _NEVER) -> None:
        self.face, self.number, self.cut = face, number, cut
        self._total: Distribution[int] | None = face if number == 1 else None
        self._hash = 0

    def __hash__(self) -> int:
        self._hash = self._hash or hash((self.face, self.number))
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Pool) and _FACTS(self) == _FACTS(other))

    def __str__(self) -> str:
        if self.face is None:
            return f"{self.number or ''}d{{}}"
        sides = len(self.face)
        is_fair = self.face == fair(sides)
        return f"{self.number if self.number > 1 else ''}d{sides if is_fair else '{?}'}"

    @property
    def total(self) -> "Distribution[int]":
        """The distribution of the sum of all dice, of which there is at least one."""
        if self._total is None:
            self._total = self.face.sum_of(self.number)
        return self._total


EMPTY = Pool(None, 0)
TOO_DEEP = Pool(None, 0, mpq(1))
_ROLLED_EMPTY = Pool(None)  # as many dice without faces as a roll says; AnyDice counts one


def either(*chances: mpq) -> mpq:
    """Return the probability of at least one of some independent events."""
    return 1 - prod((1 - chance for chance in chances), start=mpq(1))


def _cut(*values: Value) -> mpq:
    cuts = [value.cut for value in values if isinstance(value, Pool) and value.cut]
    return either(*cuts) if len(cuts) > 1 else cuts[0] if cuts else _NEVER


def empty(*values: Value, like: Pool = EMPTY) -> Pool:
    cut = _cut(*values)
    return Pool(None, like.number, cut) if cut else like


def number(value: Value) -> Any:
    return sum(value) if type(value) is tuple else value


def sure(value: int) -> Pool:
    return Pool(Distribution({value: 1}))


def quotient(a: int, b: int) -> int:
    """Divide, rounded towards zero; the quotient by 0 is 0."""
    if not b:
        return 0
    return a // b if (a < 0) == (b < 0) else -(-a // b)


def power(a: int, b: int) -> int:
    """Raise to a power, rounded towards zero; 0 to a negative power is 0, as a quotient by 0."""
    if b < 0:
        return a ** (b % 2) if abs(a) == 1 else 0
    DEFAULT.require(abs(a).bit_length() * b // 8, "this power")
    return int(a**b)


_OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": quotient, "^": power,
    "&": lambda a, b: int(a != 0 and b != 0), "|": lambda a, b: int(a != 0 or b != 0),
    "=": lambda a, b: int(a == b), "!=": lambda a, b: int(a != b), "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b), ">": lambda a, b: int(a > b), ">=": lambda a, b: int(a >= b),
}  # fmt: skip


def binary(sign: str, left: Value, right: Value) -> Value:
    function = _OPERATIONS[sign]
    if type(left) is int is type(right):
        return function(left, right)
    if sign not in COMPARISONS or isinstance(left, Pool) or isinstance(right, Pool):
        left, right = number(left), number(right)
    if not isinstance(left, Pool) and not isinstance(right, Pool):
        if type(left) is type(right):
            return function(left, right)
        if type(left) is tuple:
            return sum(function(x, right) for x in left)
        return sum(function(left, x) for x in right)
    pools = [side for side in (left, right) if isinstance(side, Pool)]
    lacking = [pool for pool in pools if pool.face is None]
    if lacking and (len(lacking) == 2 or sign not in "+-|"):
        return empty(left, right)
    if lacking and sign == "+" and len(pools) == 2:
        [pool] = [pool for pool in pools if pool.face is not None]
        return Pool(pool.face, pool.number, _cut(left, right))  # AnyDice does not add its dice
    if lacking:  # then it counts as 0
        zero = Pool(sure(0).face, 1, lacking[0].cut)
        left, right = (zero if side is lacking[0] else side for side in (left, right))
    return _of_dice(sign, left, right)


@lru_cache(maxsize=2048)
def _of_dice(sign: str, left: Value, right: Value) -> Pool:
    function = _OPERATIONS[sign]
    a, b = (side.total if isinstance(side, Pool) else side for side in (left, right))
    if type(a) is int:
        made = b.map(lambda x: function(a, x))
    elif type(b) is int:
        made = a.map(lambda x: function(x, b))
    else:
        if sign in "&|":  # only 0 matters
            a, b = (side.map(lambda x: int(x != 0)) for side in (a, b))
        made = a.with_other(b, function)
    return Pool(made, 1, _cut(left, right))


def die(faces: Value) -> Pool:
    """Return the die with these faces: a number of sides, a list of faces, or dice themselves."""
    if isinstance(faces, Pool):
        return faces
    if type(faces) is tuple:
        return Pool(Distribution(Counter(faces))) if faces else EMPTY
    return Pool(fair(faces) if faces > 0 else _negated(fair(-faces)) if faces else sure(0).face)


def dice(count: Value, faces: Value) -> Pool:
    """Return as many dice as a number, a sum or a roll says."""
    one, count = die(faces), number(count)
    if type(count) is int:
        if count == 1 or one.face is None:
            return one if count == 1 else empty(one)
        if not count:
            return die(0)
        face = one.total if count > 0 else _negated(one.total)
        return Pool(face, abs(count), _times(one.cut, count))
    if count.face is None or one.face is None:
        return empty(count, one, like=_ROLLED_EMPTY)
    counts, face = count.total, one.total
    parts = [(w, _negated(face).sum_of(-n)) for n, w in counts.items() if n < 0]
    positive = {n: w for n, w in counts.items() if n >= 0}
    if positive:
        parts.append((sum(positive.values()), face.sum_of(Distribution(positive))))
    most = max(map(abs, counts))
    return Pool(mixed(parts), 1, either(count.cut, _times(one.cut, most)))


def _times(cut: mpq, times: int) -> mpq:
    return 1 - (1 - cut) ** abs(times) if cut else cut


def _negated(roll: Any) -> "Distribution[int]":
    return Distribution({-x: w for x, w in roll.items()})


def minus(value: Value) -> Value:
    if not isinstance(value, Pool):
        return -number(value)
    return value if value.face is None else Pool(_negated(value.face), value.number, value.cut)


def negation(value: Value) -> Value:
    """Return 1 for 0, and 0 for all else."""
    return binary("=", value, 0) if isinstance(value, Pool) else int(not number(value))


def length(value: Value) -> int:
    if isinstance(value, Pool):
        return value.number
    return len(value) if type(value) is tuple else len(text(abs(value)))


def elements(value: Value) -> tuple[int, ...]:
    """Return what a value adds to the sequence in which it is written."""
    if isinstance(value, Pool):
        return tuple(value.total) if value.face is not None else ()
    return value if type(value) is tuple else (value,)


def whole(value: Value, what: str) -> int:
    """Return a number or the sum of a sequence; raises InputError for dice."""
    if isinstance(value, Pool):
        raise InputError(what, str(value), _NUMBER)
    return int(number(value))


def shown(value: Value) -> str:
    if type(value) is tuple:
        return "{?}" if value else "{}"
    return text(value) if type(value) is int else str(value)


def truth(value: Value) -> bool:
    if type(value) is not int:
        raise InputError("if", shown(value), _NUMBER)
    return value != 0


def over(value: Value) -> Value:
    if type(value) is not tuple:
        raise InputError("loop", shown(value), "a sequence, such as {1..6}")
    return value


def span(first: Value, last: Value) -> range:
    low, high = whole(first, "range"), whole(last, "range")
    DEFAULT.require(_BYTES * max(high - low, 0), "a range of this length")
    return range(low, high + 1)


def repeated(items: tuple[int, ...], times: Value) -> tuple[int, ...]:
    count = whole(times, "repetitions")
    DEFAULT.require(8 * len(items) * max(count, 0), "a sequence of this length")
    return items * count


def at(places: Value, value: Value, run: Run = DEFAULT, *, highest_first: bool = True) -> Value:
    """Return the digit, element or die at a place, or the sum of those at several places."""
    if isinstance(places, Pool):
        raise InputError("@", str(places), "a number or a sequence of numbers before @")
    listed = places if type(places) is tuple else (places,)
    if not isinstance(value, Pool):
        items = value
        if type(value) is int:
            sign, digits = (-1 if value < 0 else 1), text(abs(value))
            items = [sign * int(d) for d in (digits if highest_first else reversed(digits))]
        return sum([items[place - 1] for place in listed if 0 < place <= len(items)])
    if value.face is None and (not value.number or 1 in listed):
        return empty(value)
    ranks = [place - 1 for place in listed if 0 < place <= value.number]
    ranks = ranks if highest_first else [value.number - 1 - rank for rank in ranks]
    return Pool(ranked(value, ranks, run), 1, value.cut)


def ranked(pool: Pool, ranks: Iterable[int], run: Run) -> "Distribution[int]":
    """Return the distribution of the sum of the dice of these ranks from the highest, 0."""
    chosen = Counter(ranks)
    if not chosen:
        return Distribution({0: 1})
    times = set(chosen.values())
    if len(times) > 1:
        sums: Counter[int] = Counter()
        for roll, weight in rolls(pool):
            sums[sum(roll[rank] * times for rank, times in chosen.items())] += weight
        return Distribution(sums)
    bits = pool.number * pool.face.denominator.bit_length()
    run.require(stored_bytes(len(pool.face), bits), f"the places of {pool.number} dice")
    kinds, [factor] = [(pool.face, pool.number)], times
    kept = pool.total if len(chosen) == pool.number else kept_sum(kinds, set(chosen), run)
    return kept if factor == 1 else kept.map(lambda x: x * factor)


def rolls(
    pool: Pool, *, highest_first: bool = True, kept: int | None = None
) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the sorted rolls of a pool and their weights, in AnyDice's order.

    A single die goes from its lowest face; otherwise the highest roll comes first, or the lowest.
    With `kept`, only as many dice of each roll are listed, from its beginning.
    """
    faces = sorted(pool.face.items(), reverse=highest_first and pool.number > 1)
    behind = [*accumulate((weight for _, weight in reversed(faces)), initial=0)][::-1]

    def continued(first: int, left: int, room: int) -> Iterator[tuple[tuple[int, ...], int]]:
        face, weight = faces[first]
        ways = weight**left
        for n in range(room, left):  # these show the face, and the dice behind them do not
            ways += comb(left, n) * weight**n * behind[first + 1] ** (left - n)
        yield (face,) * room, ways
        for shown in range(room - 1, -1, -1) if first < len(faces) - 1 else ():
            head, ways = (face,) * shown, comb(left, shown) * weight**shown
            for rest, ways_of_rest in continued(first + 1, left - shown, room - shown):
                yield head + rest, ways * ways_of_rest

    return continued(0, pool.number, pool.number if kept is None else kept)
