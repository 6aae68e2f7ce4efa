r"""Creating only: two quick and exact ways to the expected score.

Under NewOnly every round adds exactly one revenue die, a new one or a repaired one, and all dice
are alike. So the number N_t of revenue dice after t rounds is a Markov chain on its own,

    N_t ~ Binomial(N_{t−1} + 1, q),   q = 1 − 1/faces,   N_0 = 0,

and legacy can be forgotten. N_t is distributed as a sum of independent Bernoulli(q^j), j = 1 … t,
one for each die that was added. A catastrophe is N_t = 0, and from there the chain starts anew.

*Closed form.* Let u_t = P(N_t = 0) = ∏_{j ≤ t} (1 − q^j) and let v_m be the chance that m rounds
from N = 0 pass without a catastrophe: Σ_{k ≤ m} u_k v_{m−k} = 1, because the last visit to 0, be it
the start, is somewhere. A point of round t counts unless there is a catastrophe in t + 1 … R; let
the last one be in round r. Each die that was added by round t stands after t and has fallen by r
with probability q^j (1 − q^m), where m = r − t and j is its age after t; so

    E = Σ_t Σ_{j ≤ t} q^j − Σ_r u_r v_{R−r} Σ_{t < r} (1 − q^m) Σ_{j ≤ t} q^j / (1 − q^{m+j}),

a finite q-series. `mean_closed_form` adds it up; `chain_moments` runs the chain, with the variance.

Source: derived for this package; the chain is the one that the SWE game's README simulates.
"""

from itertools import accumulate
from math import comb

from gmpy2 import mpq, mpz

from exactdice.arithmetic import natural

__all__ = ["chain_moments", "mean_closed_form"]


def mean_closed_form(rounds: int, faces: int = 4) -> mpq:
    """Return the expected final score of NewOnly from the finite q-series.

    Parameters
    ----------
    rounds
        R, at least 0.
    faces
        Faces of the die that is created, at least 2.

    Examples
    --------
    >>> mean_closed_form(1), mean_closed_form(2)
    (mpq(3,4), mpq(129,64))

    Notes
    -----
    O(R²) products of rationals of O(R²) digits.
    """
    rounds, faces = natural(rounds, "rounds"), natural(faces, "faces", least=2)
    q = 1 - mpq(1, faces)
    powers = [q**j for j in range(rounds + 1)]
    empty = list(accumulate(powers[1:], lambda u, power: u * (1 - power), initial=mpq(1)))
    survive: list[mpq] = []
    for m in range(rounds + 1):
        survive.append(1 - sum((empty[k] * survive[m - k] for k in range(1, m + 1)), mpq(0)))
    mean = sum((sum(powers[1 : t + 1], mpq(0)) for t in range(1, rounds + 1)), mpq(0))
    # lost[r]: expected points of the rounds t < r, times the indicator of N_r = 0, over u_r
    lost = [mpq(0)] * (rounds + 1)
    for m in range(1, rounds + 1):
        fallen = mpq(0)
        for t in range(1, rounds - m + 1):
            fallen += powers[t] / (1 - powers[t + m])
            lost[t + m] += (1 - powers[m]) * fallen
    wiped = (empty[r] * survive[rounds - r] * lost[r] for r in range(1, rounds + 1))
    return mean - sum(wiped, mpq(0))


def chain_moments(rounds: int, faces: int = 4) -> tuple[mpq, mpq]:
    """Return the mean and the variance of the final score of NewOnly, by running the chain.

    Examples
    --------
    >>> chain_moments(2)
    (mpq(129,64), mpq(4287,4096))

    Notes
    -----
    O(R³) products of an integer of O(R² log faces) bits with one of O(R log faces).
    """
    rounds, faces = natural(rounds, "rounds"), natural(faces, "faces", least=2)
    # For each number of revenue dice: Σ w, Σ w·s, Σ w·s², over faces^(1 + 2 + … + t).
    weight, first, second = [mpz(1)], [mpz(0)], [mpz(0)]
    for t in range(1, rounds + 1):
        # Of n dice k stay: comb(n, k)·(faces − 1)^k ways of faces^n, brought to faces^t.
        ways = [
            [comb(n, k) * mpz(faces - 1) ** k * mpz(faces) ** (t - n) for n in range(1, t + 1)]
            for k in range(t + 1)
        ]
        weight, first, second = (
            [sum((a * b for a, b in zip(row, old, strict=True)), mpz(0)) for row in ways]
            for old in (weight, first, second)
        )
        second = [
            z + 2 * k * y + k * k * x
            for k, (x, y, z) in enumerate(zip(weight, first, second, strict=True))
        ]
        first = [y + k * x for k, (x, y) in enumerate(zip(weight, first, strict=True))]
        first[0] = second[0] = mpz(0)
    denominator = mpz(faces) ** (rounds * (rounds + 1) // 2)
    mean = mpq(sum(first), denominator)
    return mean, mpq(sum(second), denominator) - mean**2
