r"""Creating only: the mean and the variance of the score by a chain of one number.

Under NewOnly every round adds exactly one revenue die, a new one or a repaired one, and all dice
are alike. So the number N_t of revenue dice after t rounds is a Markov chain on its own,

    N_t ~ Binomial(N_{t−1} + 1, q),   q = 1 − 1/faces,   N_0 = 0,

and legacy can be forgotten: instead of all numbers of revenue and legacy dice, a run keeps one
weight, one sum of scores and one of their squares for each N. The mean has a closed form too:
`exactdice.games.swe.closed_forms.new_only`, against which the chain is tested.
"""

from math import comb

from exactdice.arithmetic import mpq, mpz, natural


def chain_moments(rounds: int, faces: int = 4) -> tuple[mpq, mpq]:
    """Return the mean and the variance of the final score of NewOnly, by running the chain.

    >>> chain_moments(2)
    (mpq(129,64), mpq(4287,4096))

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
