r"""Weighted scores, packed into one integer.

The games that stand in one state at one time have different scores. Their generating function
Σ w_s z^s, with nonnegative integer weights w_s, is kept as a single large integer: the value at
z = 2^width, with slots wide enough that they never overflow. So weights add as integers do, a
weight multiplies all of them at once, and a step costs the same few operations whatever the number
of scores. Two forms know how points are gained and lost:

* `Polynomials` keep the whole distribution;
* `Moments` keep the first three coefficients of the series in z − 1, from which the mean and the
  variance follow.
"""

from dataclasses import dataclass
from typing import TypeAlias

from exactdice.arithmetic import f_mod, mpz


@dataclass(frozen=True)
class Polynomials:
    """Whole distributions: the weight of score s stands in slot s of `width` bits.

    >>> scores = Polynomials(8)
    >>> packed = scores.gain(mpz(3), 2) + scores.gain(mpz(5), 4)
    >>> scores.weights(packed), scores.weights(scores.wipe(packed))
    ({2: mpz(3), 4: mpz(5)}, {0: mpz(8)})
    >>> scores.weights(scores.between(packed, 3, None))
    {4: mpz(5)}
    """

    width: int

    def gain(self, packed: mpz, points: int) -> mpz:
        """Multiply by z^points."""
        return packed << (points * self.width)

    def wipe(self, packed: mpz) -> mpz:
        """Put the sum of the weights into slot 0, as casting out nines does."""
        return f_mod(packed, (mpz(1) << self.width) - 1)

    def between(self, packed: mpz, low: int, high: int | None) -> mpz:
        """Cut out the slots from low up to high and leave them in their places."""
        if high is not None:
            packed &= (mpz(1) << (high * self.width)) - 1
        return (packed >> (low * self.width)) << (low * self.width)

    def weights(self, packed: mpz) -> dict[int, mpz]:
        """Unpack: score to weight, in ascending order, without those of weight 0."""
        weights: dict[int, mpz] = {}
        # Cutting in halves keeps this quasi-linear; slot after slot would be quadratic.
        pending = [(packed, 0, -(-packed.bit_length() // self.width))]
        while pending:
            part, start, slots = pending.pop()
            if part == 0:
                continue
            if slots == 1:
                weights[start] = part
                continue
            half = slots // 2
            high = part >> (half * self.width)
            pending.append((high, start + half, slots - half))
            pending.append((part - (high << (half * self.width)), start, half))
        return weights


@dataclass(frozen=True)
class Moments:
    """Σ w, Σ w·s and Σ w·C(s, 2), in three slots of `width` bits."""

    width: int

    def gain(self, packed: mpz, points: int) -> mpz:
        """Multiply by (1 + (z − 1))^points, cut off beyond the second order; or arrays of both."""
        # Small factors and shifts, whose time grows as the width does, and not as its square.
        rise = packed * points + ((packed * (points * (points - 1) // 2)) << self.width)
        return (packed + (rise << self.width)) & ((mpz(1) << (3 * self.width)) - 1)

    def wipe(self, packed: mpz) -> mpz:
        """Keep the total weight only."""
        return packed & ((mpz(1) << self.width) - 1)

    def between(self, packed: mpz, low: int, high: int | None) -> mpz:
        """Moments do not know single scores.

        Raises TypeError if anything but all scores is asked for.
        """
        if low == 0 and high is None:
            return packed
        raise TypeError("a policy that looks at the score needs whole distributions")

    def after(self, packed: mpz, kept: tuple[mpz, ...], wiped: tuple[mpz, ...]) -> mpz:
        """Add points with a law, given by its moments; and those that come after a wipe.

        >>> scores = Moments(8)
        >>> three = scores.gain(mpz(1), 3)  # then 2 points with one weight, or a wipe and 4
        >>> scores.sums(scores.after(three, (mpz(1), mpz(2), mpz(1)), (mpz(1), mpz(4), mpz(6))))
        (mpz(2), mpz(9), mpz(16))
        """
        width, total = self.width, self.wipe(packed)
        kept_on = sum((packed * k << (n * width) for n, k in enumerate(kept)), mpz(0))
        anew = sum((total * k << (n * width) for n, k in enumerate(wiped)), mpz(0))
        return (kept_on & ((mpz(1) << (3 * width)) - 1)) + anew

    def sums(self, packed: mpz) -> tuple[mpz, mpz, mpz]:
        """Unpack: total weight, sum of scores, sum of C(score, 2)."""
        mask = (mpz(1) << self.width) - 1
        return packed & mask, (packed >> self.width) & mask, packed >> (2 * self.width)


#: A form of packed scores.
Scores: TypeAlias = Polynomials | Moments
