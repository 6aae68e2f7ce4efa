r"""Exact distributions, and what can be done with one roll of each.

A distribution is an immutable mapping from outcome to positive integer weight, with one
denominator :math:`N`, the sum of the weights: :math:`P(X = x) = w_x / N`. Division happens once,
when a probability is asked for. A die is a distribution over its faces. Weights are kept in lowest
terms (their greatest common divisor is 1), so that two distributions are equal exactly when they
give the same probabilities.

Operators are about independent rolls: ``a + b`` is the sum of one roll of each, ``a < b`` whether
the first is lower, and ``3 @ a`` the sum of three rolls. ``==`` alone is about the distributions
themselves: whether they give the same probabilities, so that they can be keys of a dictionary; a
number or a word is no distribution, and is refused there. A distribution of several outcomes is
neither true nor false, so that ``if``, ``max``, ``min`` and ``sorted`` refuse it.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from exactdice.arithmetic import (
    RationalLike,
    mpq,
    natural,
    over_common_denominator,
    probability,
    rational,
    text,
)
from exactdice.dice.lattice import Lattice, homogeneous, whole
from exactdice.dice.weighted import Weighted, several
from exactdice.errors import InputError, Unquoted
from exactdice.linked import linked
from exactdice.memory import require_memory, stored_bytes
from exactdice.report.notebook import Reported
from exactdice.run import DEFAULT, Run

Outcome = TypeVar("Outcome", bound=Hashable)
Image = TypeVar("Image", bound=Hashable)

_BYTES_OF_A_FACE = 220  # of a fair die while it is made, as measured


class Distribution(Reported, Weighted[Outcome]):
    """An exact distribution: outcomes with integer weights over one denominator.

    Parameters
    ----------
    weights
        Outcome to nonnegative integer weight; outcomes of weight 0 are dropped. Outcomes are kept
        in ascending order where they can be compared, else in the order given.

    Raises
    ------
    InputError
        If a weight is negative or no integer, or all of them are 0.

    Examples
    --------
    >>> die = Distribution({1: 2, 2: 2, 3: 4})
    >>> die
    Distribution({1: 1, 2: 1, 3: 2})
    >>> die.probability(3), die.mean(), die.variance()
    (mpq(1,2), mpq(9,4), mpq(11,16))

    Equal probabilities are equal values; what is rolled is asked for by its chance:

    >>> Distribution({1: 1, 2: 1}) == Distribution({1: 5, 2: 5})
    True
    >>> die == 3
    Traceback (most recent call last):
    exactdice.errors.OperatorError: ==: got 3; give a distribution; the chance of an outcome is \
.probability(3)
    >>> max(die, die + 1)
    Traceback (most recent call last):
    exactdice.errors.OperatorError: truth: got Distribution({False: 5, True: 11}); give what is \
certain, such as .probability(True); for max(a, b) of dice write highest(a, b)
    """

    __slots__ = ()
    reported_by: ClassVar = "exactdice.dice.questions:law_report"

    @classmethod
    def from_faces(cls, faces: Iterable[Outcome]) -> "Distribution[Outcome]":
        """Build a die that shows each listed face with the same chance; repeats count.

        Examples
        --------
        >>> Distribution.from_faces([1, 1, 1, 6, 6, 6])
        Distribution({1: 1, 6: 1})
        """
        weights: dict[Outcome, int] = {}
        for face in faces:
            weights[face] = weights.get(face, 0) + 1
        return cls(weights)

    @classmethod
    def from_probabilities(
        cls, probabilities: Mapping[Outcome, RationalLike]
    ) -> "Distribution[Outcome]":
        """Build a distribution from exact probabilities that sum to 1.

        Raises
        ------
        InputError
            If one is a float or outside 0 to 1, or they do not sum to 1.

        Examples
        --------
        >>> Distribution.from_probabilities({1: "0.1", 2: "0.1", 3: "0.8"})
        Distribution({1: 1, 2: 1, 3: 8})
        """
        exact = {
            outcome: probability(number, f"probability of {outcome!r}")
            for outcome, number in probabilities.items()
        }
        total = sum(exact.values(), mpq(0))
        if total != 1:
            raise InputError(
                "probabilities", Unquoted(f"a sum of {text(total)}"), "probabilities that sum to 1"
            )
        weights, _ = over_common_denominator(exact.values())
        return cls({outcome: int(w) for outcome, w in zip(exact, weights, strict=True)})

    def map(self, image: Callable[[Outcome], Image]) -> "Distribution[Image]":
        """Distribution of a function of the outcome.

        Examples
        --------
        >>> fair(6).map(lambda face: face % 3)
        Distribution({0: 1, 1: 1, 2: 1})
        """
        weights: dict[Image, int] = {}
        for outcome, weight in self._weights.items():
            key = image(outcome)
            weights[key] = weights.get(key, 0) + weight
        return Distribution(weights)

    def with_other(self, other: Any, combine: Callable[[Any, Any], Image]) -> "Distribution[Image]":
        """Distribution of a function of this outcome and another, independent one.

        Parameters
        ----------
        other
            A distribution, or a value that is certain.
        combine
            Takes both outcomes. O(len(self)·len(other)) calls.

        Raises
        ------
        TooLargeError
            If as many outcomes as there are calls would not fit into the default memory.

        Examples
        --------
        >>> fair(2).with_other(fair(2), max)
        Distribution({1: 1, 2: 3})
        """
        weights: dict[Image, int] = {}
        others = other.items() if isinstance(other, Distribution) else {_exact(other): 1}.items()
        pairs = len(self) * len(others)
        require_memory(stored_bytes(pairs, 0), f"the law of {pairs} pairs of outcomes")
        for x, v in self._weights.items():
            for y, w in others:
                key = combine(x, y)
                weights[key] = weights.get(key, 0) + v * w
        return Distribution(weights)

    def __neg__(self) -> "Distribution[Any]":
        return self.map(lambda outcome: -self._numeric(outcome)).map(whole)

    def __abs__(self) -> "Distribution[Any]":
        return self.map(lambda outcome: abs(self._numeric(outcome))).map(whole)

    def __rmatmul__(self, count: Any) -> "Distribution[Any]":
        return self.sum_of(count)

    def __matmul__(self, die: "Distribution[Any]") -> "Distribution[Any]":
        """Distribution of the sum of as many rolls of a die as this one shows.

        Examples
        --------
        >>> fair(2) @ fair(2)
        Distribution({1: 2, 2: 3, 3: 2, 4: 1})
        """
        if not isinstance(die, Distribution):
            raise InputError("die", die, "a distribution behind @")
        return die.sum_of(self)

    def given(self, event: Callable[[Outcome], bool]) -> "Distribution[Outcome]":
        """Distribution of the outcome where a condition holds: rolled again until it does.

        Raises
        ------
        InputError
            If it never holds.

        Examples
        --------
        >>> fair(6).given(lambda face: face > 4)
        Distribution({5: 1, 6: 1})
        """
        kept = {x: w for x, w in self._weights.items() if event(x)}
        if not kept:
            raise InputError("event", Unquoted("no outcome"), "a condition that can hold")
        return Distribution(kept)

    def reroll(
        self, outcomes: Collection[Outcome], times: int | None = None
    ) -> "Distribution[Outcome]":
        """Distribution after rolling again while the outcome is one of those given.

        Parameters
        ----------
        outcomes
            What is rolled again.
        times
            At most so often; None for as often as it takes, which is the limit, exactly.

        Raises
        ------
        InputError
            If every outcome is rolled again for ever.
        TooLargeError
            If the weights after so many rolls would not fit into the default memory.

        Examples
        --------
        >>> fair(4).reroll([1], times=1), fair(4).reroll([1])
        (Distribution({1: 1, 2: 5, 3: 5, 4: 5}), Distribution({2: 1, 3: 1, 4: 1}))
        """
        again = several(outcomes, "outcomes")
        if times is None:
            return self.given(lambda outcome: outcome not in again)
        most, total = natural(times, "times"), self._denominator
        bits = (most + 1) * total.bit_length()
        require_memory(stored_bytes(len(self), bits), f"a die that is rolled again {most} times")
        shunned = sum(self.get(x, 0) for x in again)
        if shunned == total:
            return self
        # Of the ways of most + 1 rolls: those that are rolled again to the last, and the others,
        # which end at an outcome that stays after any number of those that do not.
        to_the_last = shunned**most
        accepted = (total ** (most + 1) - shunned * to_the_last) // (total - shunned)
        return Distribution(
            {x: w * (to_the_last if x in again else accepted) for x, w in self.items()}
        )

    def explode(
        self, times: int, on: Collection[Outcome] | None = None, run: Run = DEFAULT
    ) -> "Distribution[Any]":
        """Distribution of the sum when certain outcomes are rolled again and added.

        Parameters
        ----------
        times
            Most rolls beyond the first. Without an end the support has none either: `exploding`.
        on
            Outcomes that roll again; the highest by default.
        run
            The memory that the law may take.

        Raises
        ------
        TooLargeError
            If it would take more.

        Examples
        --------
        >>> fair(2).explode(times=2)
        Distribution({1: 4, 3: 2, 5: 1, 6: 1})
        """
        bursting, rolls = self._bursting(on), natural(times, "times")
        lattice = Lattice(map(self._numeric, self), has_zero=True)
        bits = (rolls + 1) * self._denominator.bit_length()
        run.require(lattice.bytes(rolls + 1, bits), f"a die that explodes {rolls} times")
        single = lattice.polynomial(self.values())
        again = lattice.polynomial(w if x in bursting else 0 for x, w in self.items())
        nothing = lattice.left_out(self._denominator)
        # Some number of rolls that explode and one that does not, or as many as may and any one.
        ended = homogeneous([1] * rolls, again, nothing) * nothing * (single - again)
        return Distribution(lattice.weights(ended + again**rolls * single, rolls + 1))

    def plot(self, *others: "Distribution[Any]", names: Sequence[str] = ()) -> Any:
        """Draw the law, and others in the same chart: a figure of matplotlib.

        Parameters
        ----------
        others
            Laws to compare it with.
        names
            What the legend calls them, this one first.

        Raises
        ------
        InputError
            If there are not as many names as laws.
        MissingExtraError
            If matplotlib is not installed.

        Examples
        --------
        >>> chart = fair(6).keep_highest(4, 3).plot(3 @ fair(6), names=["best of four", "3d6"])
        >>> chart.savefig("laws.png")  # doctest: +SKIP
        """
        return linked("exactdice.jobs.plots.dice:draw_laws")((self, *others), names)

    def to_pandas(self) -> Any:
        """Return a data frame of pandas: outcomes, probabilities and their decimals.

        Raises
        ------
        MissingExtraError
            If pandas is not installed.
        """
        return self.report().to_pandas()["outcomes"]

    def keep_highest(self, rolled: int, kept: int = 1) -> "Distribution[Any]":
        """Distribution of the sum of the highest of several rolls.

        Examples
        --------
        Four dice of six sides, the lowest dropped:

        >>> fair(6).keep_highest(4, 3).mean()
        mpq(15869,1296)
        """
        pool = linked("exactdice.dice.pools:pool")(rolled, self)
        law: Distribution[Any] = pool.keep_highest(kept)
        return law

    def keep_lowest(self, rolled: int, kept: int = 1) -> "Distribution[Any]":
        """Distribution of the sum of the lowest of several rolls."""
        pool = linked("exactdice.dice.pools:pool")(rolled, self)
        law: Distribution[Any] = pool.keep_lowest(kept)
        return law

    def sum_of(self, count: "int | Distribution[Any]", run: Run = DEFAULT) -> "Distribution[Any]":
        """Distribution of the sum of `count` independent outcomes.

        The outcomes are put on an integer lattice and the generating polynomial is raised to the
        power by FLINT: quasi-linear in `count` times the spread of the outcomes, where repeated
        convolution would be quadratic.

        Parameters
        ----------
        count
            A number, or the distribution of one.
        run
            The memory that the law may take.

        Raises
        ------
        TooLargeError
            If the outcomes lie too far apart on the lattice.

        Examples
        --------
        >>> fair(6).sum_of(2).probability(7)
        mpq(1,6)
        """
        count_law = count if isinstance(count, Distribution) else Distribution({count: 1})
        counts = {natural(number, "count"): weight for number, weight in count_law.items()}
        most = max(counts)
        lattice = Lattice(map(self._numeric, self), has_zero=len(counts) > 1)
        what = f"the sum of {most} outcomes between {self._end(min)} and {self._end(max)}"
        bits = most * self._denominator.bit_length() + count_law.denominator.bit_length()
        run.require(lattice.bytes(most, bits), what)
        single = lattice.polynomial(self.values())
        if len(counts) == 1:
            return Distribution(lattice.weights(single**most, most))
        mixed = homogeneous(
            [counts.get(number, 0) for number in range(most + 1)],
            single,
            lattice.left_out(self._denominator),
        )
        return Distribution(lattice.weights(mixed, most))

    def _end(self, choose: Callable[[Iterable[mpq]], mpq]) -> str:
        return text(choose(map(self._numeric, self)))


def _exact(value: Any) -> Any:
    """Refuse a float that is to be combined with exact outcomes."""
    is_float = isinstance(value, float)
    return rational(value, "other") if is_float else value


def fair(sides: int) -> Distribution[int]:
    """Return the fair die with faces 1 to `sides`.

    Raises
    ------
    TooLargeError
        If it has more sides than fit into the default memory.

    Examples
    --------
    >>> fair(4)
    Distribution({1: 1, 2: 1, 3: 1, 4: 1})
    """
    faces = range(1, natural(sides, "sides", least=1) + 1)
    require_memory(_BYTES_OF_A_FACE * faces.stop, f"a die of {sides} sides")
    return Distribution(dict.fromkeys(faces, 1))


def mixture(
    parts: Iterable[tuple[RationalLike, Distribution[Outcome]]],
) -> Distribution[Outcome]:
    """Distribution of an outcome drawn from a part chosen with the given probability.

    Parameters
    ----------
    parts
        Pairs of probability and distribution; the probabilities sum to 1.

    Examples
    --------
    >>> mixture([("1/2", fair(1)), ("1/2", fair(2))])
    Distribution({1: 3, 2: 1})
    """
    chances: dict[Outcome, mpq] = {}
    for chance, part in parts:
        for outcome, conditional in part.probabilities().items():
            chances[outcome] = chances.get(outcome, mpq(0)) + rational(chance) * conditional
    return Distribution.from_probabilities(chances)
