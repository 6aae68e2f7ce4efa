"""Exact distributions of one roll.

A distribution is an immutable mapping from outcomes to positive integer weights with one
denominator :math:`N`, the sum of the weights: :math:`P(X = x) = w_x / N`. Weights are in lowest
terms (their greatest common divisor is 1), so two distributions are equal exactly if they give the
same probabilities.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from math import comb, lcm
from operator import add, sub
from typing import TYPE_CHECKING, Any, TypeVar

from exactdice.arithmetic import (
    RationalLike,
    counted,
    ground,
    mpq,
    natural,
    over_common_denominator,
    probability,
    text,
)
from exactdice.dice.rolled import Rolled
from exactdice.dice.weighted import Lattice, Weighted, function, homogeneous, listed, merged, whole
from exactdice.errors import InputError, Unquoted
from exactdice.linked import linked
from exactdice.memory import require_memory, stored_bytes
from exactdice.report import Reported
from exactdice.run import DEFAULT, Run

if TYPE_CHECKING:
    from exactdice.dice.pools import DicePool

Outcome = TypeVar("Outcome", bound=Hashable)
Image = TypeVar("Image", bound=Hashable)

_LARGE = 1 << 28  # bytes of a polynomial
_FEW = 64  # rolls whose sums may be listed one by one
_MANY = 500  # pairs of outcomes above which sums use polynomials
_BYTES_OF_A_FACE = 220  # of a fair die while it is made, measured


class Distribution(Reported, Weighted[Outcome], by="exactdice.dice.questions:law_report"):
    """An exact probability distribution: outcomes with integer weights over one denominator.

    ``Distribution({outcome: weight, ...})`` takes whole weights of at least 0 and any hashable
    outcomes except floats; `d` and `from_faces` make dice. Outcomes are sorted if they can be
    compared; True and False count as 1 and 0. Raises InputError for other weights and for floats.

    >>> die = Distribution({1: 2, 2: 2, 3: 4})
    >>> die
    Distribution({1: 1, 2: 1, 3: 2})
    >>> die.probability(3), die.probability(7), die.cdf(2), die.quantile("0.51")
    (mpq(1,2), mpq(0,1), mpq(1,2), 3)
    >>> die.mean(), die.variance()
    (mpq(9,4), mpq(11,16))

    Operators act on independent rolls: ``3 @ a`` is the sum of three rolls, ``a + b`` the sum of
    one roll of each, and ``a < b`` whether the first is lower:

    >>> (2 @ die).probability(6), (die < die + 1).probability(True)
    (mpq(1,4), mpq(11,16))

    Only ``==`` compares distributions, which can thus be dictionary keys. Comparing one with an
    outcome raises an error; so do ``if``, ``max``, ``min`` and ``sorted`` if no outcome is certain:

    >>> die == Distribution({1: 5, 2: 5, 3: 10})
    True
    >>> die == 3
    Traceback (most recent call last):
    exactdice.errors.OperatorError: ==: got 3; expected a distribution; for the probability of an \
outcome use .probability(3)
    """

    __slots__ = ()

    @classmethod
    def from_faces(cls, faces: Iterable[Outcome]) -> "Distribution[Outcome]":
        """Return a die that shows each listed face with equal probability; repeated faces count.

        >>> Distribution.from_faces([1, 1, 1, 6, 6, 6])
        Distribution({1: 1, 6: 1})
        """
        return cls(listed(faces, "faces"))

    @classmethod
    def from_probabilities(
        cls, probabilities: Mapping[Outcome, RationalLike]
    ) -> "Distribution[Outcome]":
        """Return the distribution with these exact probabilities.

        Raises InputError if one is a float or not between 0 and 1, or if they do not sum to 1.

        >>> Distribution.from_probabilities({1: "0.1", 2: "0.1", 3: "0.8"})
        Distribution({1: 1, 2: 1, 3: 8})
        """
        if not isinstance(probabilities, Mapping):
            raise InputError("probabilities", probabilities, "a mapping of outcomes to chances")
        exact = {
            outcome: probability(number, f"probability of {outcome!r}")
            for outcome, number in probabilities.items()
        }
        total = sum(exact.values(), mpq(0))
        if total != 1:
            got = Unquoted(f"a sum of {text(total)}")
            raise InputError("probabilities", got, "probabilities that sum to 1")
        weights, _ = over_common_denominator(exact.values())
        return cls({outcome: int(w) for outcome, w in zip(exact, weights, strict=True)})

    def map(self, image: Callable[[Outcome], Image]) -> "Distribution[Image]":
        """Return the distribution of a function of the outcome.

        >>> fair(6).map(lambda face: face % 3)
        Distribution({0: 1, 1: 1, 2: 1})
        """
        of = function(image, "image")
        return Distribution(merged((of(x), weight) for x, weight in self._weights.items()))

    def with_other(
        self, other: Any, combine: Callable[[Any, Any], Image], run: Run = DEFAULT
    ) -> "Distribution[Image]":
        """Return the distribution of a function of this roll and an independent one, or a value.

        Raises TooLargeError if it would need more memory than `run` allows. Cost:
        len(self)·len(other) calls of `combine`, or less (one product of polynomials) for sums and
        differences of numbers.

        >>> fair(2).with_other(fair(2), max)
        Distribution({1: 1, 2: 3})
        """
        if not isinstance(other, Distribution):
            other = Distribution({ground(other, "other"): 1})
        second: Distribution[Any] = other
        pairs = len(self) * len(second)
        bits = self._denominator.bit_length() + second.denominator.bit_length()
        if combine in (add, sub) and pairs > _MANY and {*map(type, (*self, *second))} <= {int, mpq}:
            one, two = self._from_zero(), (second if combine is add else -second)._from_zero()
            lattice = Lattice({**one[1], **two[1]}, 2, bits)
            if lattice.size < pairs:
                run.require(lattice.bytes, f"the distribution of {lattice.size} sums")
                both = lattice.polynomial(one[1]) * lattice.polynomial(two[1])
                low = one[0] + two[0]
                return Distribution({low + x: w for x, w in lattice.weights(both).items()})
        run.require(stored_bytes(pairs, bits), f"the distribution of {pairs} pairs of outcomes")
        ours, theirs, of = self.items(), second.items(), function(combine, "combine")
        return Distribution(merged((of(x, y), v * w) for x, v in ours for y, w in theirs))

    def _from_zero(self) -> tuple[Any, dict[Any, int]]:
        """Return the lowest outcome, and the weights by distance from it."""
        low: Any = next(iter(self))
        return low, {x - low: weight for x, weight in self._weights.items()}

    def __neg__(self) -> "Distribution[Any]":
        if not self.has_numbers:
            return self * -1
        return self.map(lambda outcome: -self._numeric(outcome)).map(whole)

    def __abs__(self) -> "Distribution[Any]":
        return self.map(lambda outcome: abs(self._numeric(outcome))).map(whole)

    def __matmul__(self, die: "Distribution[Any]") -> "Distribution[Any]":
        """Return the distribution of the sum of as many rolls of `die` as this roll shows.

        >>> fair(2) @ fair(2)
        Distribution({1: 2, 2: 3, 3: 2, 4: 1})
        """
        if not isinstance(die, Distribution):
            raise InputError("die", die, "a distribution after @")
        return die.sum_of(self)

    def given(self, event: Callable[[Outcome], bool]) -> "Distribution[Outcome]":
        """Return the conditional distribution, given that the outcome satisfies a condition.

        Raises InputError if no outcome does.

        >>> fair(6).given(lambda face: face > 4)
        Distribution({5: 1, 6: 1})
        """
        holds = function(event, "event")
        kept = {x: w for x, w in self._weights.items() if holds(x)}
        if not kept:
            raise InputError("event", Unquoted("no outcome"), "a condition that can hold")
        return Distribution(kept)

    def reroll(
        self, outcomes: Collection[Outcome], times: int | None = None
    ) -> "Distribution[Outcome]":
        """Return the distribution after rolling again while the outcome is one of `outcomes`.

        `times` is the maximum number of rerolls, by default unlimited. Raises InputError if all
        outcomes are rerolled without limit, and TooLargeError if the default memory is exceeded.

        >>> fair(4).reroll([1], times=1), fair(4).reroll([1])
        (Distribution({1: 1, 2: 5, 3: 5, 4: 5}), Distribution({2: 1, 3: 1, 4: 1}))
        """
        again, total = listed(outcomes, "outcomes"), self._denominator
        shunned = sum(self.get(x, 0) for x in again)
        if times is None and shunned == total:
            raise InputError("outcomes", Unquoted("every outcome"), "an outcome that is kept")
        if times is None:
            return self.given(lambda outcome: outcome not in again)
        most = natural(times, "times")
        bits = (most + 1) * total.bit_length()
        require_memory(stored_bytes(len(self), bits), f"a die that is rolled again {most} times")
        if shunned == total:
            return self
        # Weights over sequences of most + 1 rolls: all but the last rerolled, or stopped before.
        to_the_last = shunned**most
        accepted = (total ** (most + 1) - shunned * to_the_last) // (total - shunned)
        return Distribution(
            {x: w * (to_the_last if x in again else accepted) for x, w in self.items()}
        )

    def explode(
        self, times: int, on: Collection[Outcome] | None = None, run: Run = DEFAULT
    ) -> "Distribution[Any]":
        """Return the distribution of the sum if some outcomes roll again and add.

        `times` is the maximum number of extra rolls; `exploding` has no maximum. `on` lists the
        outcomes that roll again, by default the highest. Raises TooLargeError if the result would
        need more memory than `run` allows.

        >>> fair(2).explode(times=2)
        Distribution({1: 4, 3: 2, 5: 1, 6: 1})
        """
        bursting, rolls = self._bursting(on), natural(times, "times")
        bits = (rolls + 1) * self._denominator.bit_length()
        lattice = Lattice(map(self._numeric, self), rolls + 1, bits, has_zero=True)
        run.require(lattice.bytes, f"a die that explodes {rolls} times")
        single, nothing = lattice.polynomial(self), lattice.polynomial({0: self._denominator})
        again = lattice.polynomial({x: w for x, w in self.items() if x in bursting})
        # Some exploding rolls and one that does not explode, or the maximum and then any roll.
        ended = homogeneous([1] * rolls, again, nothing) * nothing * (single - again)
        return Distribution(lattice.weights(ended + again**rolls * single))

    def to_pandas(self) -> Any:
        """Return a data frame of outcomes, probabilities and decimals; requires pandas."""
        return self.report().to_pandas()["outcomes"]

    def to_polars(self) -> Any:
        """Return a data frame like `to_pandas`; requires polars."""
        return self.report().to_polars()["outcomes"]

    def keep_highest(self, rolled: int, kept: int = 1) -> "Distribution[Any]":
        """Return the distribution of the sum of the highest `kept` of `rolled` rolls.

        Four six-sided dice, drop the lowest:

        >>> fair(6).keep_highest(4, 3).mean()
        mpq(15869,1296)
        """
        return self._pool(rolled).keep_highest(kept)

    def keep_lowest(self, rolled: int, kept: int = 1) -> "Distribution[Any]":
        """Return the distribution of the sum of the lowest `kept` of `rolled` rolls."""
        return self._pool(rolled).keep_lowest(kept)

    def _pool(self, rolled: int) -> "DicePool":
        return linked("exactdice.dice.pools:pool")(rolled, self)  # type: ignore[no-any-return]

    def sum_of(self, count: "int | Distribution[Any]", run: Run = DEFAULT) -> "Distribution[Any]":
        """Return the distribution of the sum of `count` independent rolls, like ``count @ die``.

        `count` is a whole number of at least 0, or the distribution of one. Raises TooLargeError if
        it would need more memory than `run` allows. Cost: one power of the generating polynomial,
        quasi-linear in `count` times the spread of the outcomes.

        Tuples, named tuples and counters of numbers are added element by element:

        >>> fair(6).sum_of(2).probability(7)
        mpq(1,6)
        >>> Distribution({(0, 1): 1, (1, 0): 1}).sum_of(2)
        Distribution({(0, 2): 1, (1, 1): 2, (2, 0): 1})
        """
        if isinstance(count, Distribution):
            counts = {natural(counted(x), "count"): weight for x, weight in count.items()}
        else:
            counts = {natural(count, "count"): 1}
        if not self.has_numbers:
            of = linked("exactdice.dice.vectors:vector_sum")
            return of(self, counts, run)  # type: ignore[no-any-return]
        most = max(counts)
        bits = max(most, 1) * self._denominator.bit_length() + sum(counts.values()).bit_length()
        lattice = Lattice(map(self._numeric, self), most, bits, has_zero=len(counts) > 1)
        sums = comb(most + len(self) - 1, most) if 1 < most <= _FEW else lattice.size
        is_large = lattice.bytes > _LARGE
        if len(counts) == 1 and is_large and _MANY * sums < lattice.size:  # few, and far apart
            half = self.sum_of(most // 2, run) if most > 3 else self
            both = half.with_other(half, add, run)
            return both.with_other(self, add, run) if most % 2 else both
        what = f"the sum of {most} outcomes between {min(lattice.places)} and {max(lattice.places)}"
        run.require(lattice.bytes, what)
        single = lattice.polynomial(self)
        if len(counts) == 1:
            return Distribution(lattice.weights(single**most))
        by_number = [counts.get(number, 0) for number in range(most + 1)]
        nothing = lattice.polynomial({0: self._denominator})
        return Distribution(lattice.weights(homogeneous(by_number, single, nothing)))

    __rmatmul__ = sum_of


def fair(sides: int) -> Distribution[int]:
    """Return the fair die with faces 1 to `sides`; `d` is the same function.

    Raises TooLargeError if it does not fit into the default memory.

    >>> fair(4)
    Distribution({1: 1, 2: 1, 3: 1, 4: 1})
    """
    faces = range(1, natural(sides, "sides", least=1) + 1)
    require_memory(_BYTES_OF_A_FACE * faces.stop, f"a die of {sides} sides")
    return Distribution(dict.fromkeys(faces, 1))


d = fair
d2, d3, d4, d6, d8, d10, d12, d20, d100 = map(fair, (2, 3, 4, 6, 8, 10, 12, 20, 100))
dF = Distribution.from_faces([-1, 0, 1])  # noqa: N816 - the usual name of Fudge dice


def mixture(parts: Iterable[tuple[RationalLike, Distribution[Outcome]]]) -> Distribution[Outcome]:
    """Return the distribution of a roll of a randomly chosen part.

    `parts` are pairs of a probability and a distribution; the probabilities sum to 1.

    >>> mixture([("1/2", fair(1)), ("1/2", fair(2))])
    Distribution({1: 3, 2: 1})
    """
    try:
        laws = [(probability(chance, "chance"), part) for chance, part in parts]
        are_rolls = all(isinstance(part, Rolled) for _, part in laws)
    except InputError:
        raise
    except (TypeError, ValueError):
        are_rolls = False
    if not are_rolls:
        wanted = "pairs of a probability and a distribution, e.g. [('1/2', d(6)), ('1/2', d(8))]"
        raise InputError("parts", parts, wanted)
    if (total := sum((chance for chance, _ in laws), mpq(0))) != 1:
        got = Unquoted(f"a sum of {text(total)}")
        raise InputError("parts", got, "probabilities that sum to 1")
    if not all(isinstance(part, Distribution) for _, part in laws):
        return linked("exactdice.dice.sequences:mixed")(laws)  # type: ignore[no-any-return]
    weights, _ = over_common_denominator(chance for chance, _ in laws)
    return mixed((int(w), part) for w, (_, part) in zip(weights, laws, strict=True) if w)


def mixed(parts: Iterable[tuple[int, Distribution[Outcome]]]) -> Distribution[Outcome]:
    """Return the mixture of distributions with these integer weights."""
    laws = list(parts)
    common = lcm(*(part.denominator for _, part in laws))
    scaled = ((part, weight * (common // part.denominator)) for weight, part in laws)
    return Distribution(merged((x, factor * w) for part, factor in scaled for x, w in part.items()))
