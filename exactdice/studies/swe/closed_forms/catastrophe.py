r"""Dice that fail and are not replaced: telescoping.

A die with k faces fails, showing 1, with chance p = 1/k; let q = 1 − p. The README of the
software-engineering game asks for the chance that n such dice have all failed within t rolls, and
writes it as :math:`p^n`, :math:`p^n(1+q)^n`, :math:`p^n(1+q(1+q))^n`, … The nested bracket is a
geometric sum and p = 1 − q cancels its denominator:

.. math:: p^n \bigl(1 + q(1 + q(\cdots))\bigr)^n = (1 - q^t)^n, \qquad
   \prod_i (1 - q_i^t)^{n_i} \text{ for mixed dice},

the law of the maximum of independent geometric variables.

**Where it describes the game.** In the game a catastrophe is a roll after which no revenue die is
left. Within one roll the formula is exact. From the second roll on it is an upper bound for every
way to play, and a strict one. A catastrophe in round t or before needs each of the n dice to have
failed once by then; a die that is promoted before its first failure fails with a smaller chance,
and one that is not fails by round t with chance 1 − q^t; so the bound. It is strict because a round
adds a die, which has to fail too, or makes one fail less often. For the chance with dice arriving
see `exactdice.games.swe.new_only`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import product
from math import comb, prod

from exactdice.arithmetic import mpq, natural
from exactdice.errors import TooLargeError
from exactdice.symbolic.statements import Statement, Status

#: Most terms of an inclusion–exclusion sum.
MAX_TERMS = 1_000_000


def read_dice(dice: Iterable[object] | Mapping[int, int]) -> Counter[int]:
    """Read the numbers of faces of some dice, each at least 1, and count equal ones.

    >>> read_dice(["4", 4, 6]), read_dice({4: 2, 6: 1})
    (Counter({4: 2, 6: 1}), Counter({4: 2, 6: 1}))
    """
    if isinstance(dice, Mapping):
        counted = {natural(k, "dice", least=1): natural(n, "dice") for k, n in dice.items()}
        return Counter({k: counted[k] for k in sorted(counted)})
    return Counter(sorted(natural(faces, "dice", least=1) for faces in dice))


def all_failed_within(dice: Iterable[int] | Mapping[int, int], rolls: int) -> mpq:
    """Chance that each of some dice has shown a 1 within so many rolls; none is replaced."""
    t = natural(rolls, "rolls")
    chances = ((1 - mpq(k - 1, k) ** t) ** n for k, n in read_dice(dice).items())
    return prod(chances, start=mpq(1))


def expected_rolls_until_all_failed(dice: Iterable[int]) -> mpq:
    r"""Return the expected number of rolls until each of some dice has shown a 1.

    The expected maximum of geometric variables by inclusion–exclusion over the dice that last,
    equal ones together:

    .. math:: \sum_{0 \ne j \le n} (-1)^{1 + \sum j_i} \prod_i \binom{n_i}{j_i}
       \frac{1}{1 - \prod_i q_i^{j_i}}.

    Cost: ∏ (nᵢ + 1) terms for nᵢ equal dice.
    """
    groups = read_dice(dice)
    terms = prod(n + 1 for n in groups.values())
    if terms > MAX_TERMS:
        raise TooLargeError(f"the dice give {terms} terms, more than the limit of {MAX_TERMS}")
    total = mpq(0)
    for lasting in product(*(range(n + 1) for n in groups.values())):
        if any(lasting):
            ways = prod(comb(n, j) for n, j in zip(groups.values(), lasting, strict=True))
            chance = prod(mpq(k - 1, k) ** j for k, j in zip(groups, lasting, strict=True))
            total += (1 if sum(lasting) % 2 else -1) * mpq(ways) / (1 - chance)
    return total


def within_latex(dice: Iterable[int]) -> str:
    """Return the chance that all dice have failed within t rolls as LaTeX."""
    factors = []
    for k, n in read_dice(dice).items():
        power = rf"\left(\frac{{{k - 1}}}{{{k}}}\right)^{{t}}" if k > 1 else "0^{t}"
        factors.append(rf"\left(1 - {power}\right)" + (f"^{{{n}}}" if n > 1 else ""))
    return " ".join(factors) or "1"


def telescoping() -> list[Statement]:
    """Prove the closed form with SymPy and state its range in the game."""
    from sympy import Symbol, simplify

    q, t = Symbol("q"), Symbol("t", integer=True, positive=True)
    closed = (1 - q**t) / (1 - q)
    base = simplify(closed.subs(t, 1) - 1)
    step = simplify(1 + q * closed - closed.subs(t, t + 1))
    if base != 0 or step != 0:
        raise AssertionError(f"telescoping: base {base}, step {step}")
    return [
        Statement(
            "telescoping",
            "p^n (1 + q(1 + q(…)))^n with t − 1 nested brackets is (1 − q^t)^n, for p = 1 − q",
            r"p^n \left(1 + q(1 + q(\cdots))\right)^n = \left(1 - q^t\right)^n",
            Status.PROVED,
            "induction on t, base and step reduced to 0 by SymPy for symbolic q and t",
        ),
        Statement(
            "mixed dice",
            "dice with survival chances q_i, n_i of each, have all failed within t rolls with "
            "chance ∏ (1 − q_i^t)^n_i",
            r"\prod_i \left(1 - q_i^t\right)^{n_i}",
            Status.PROVED,
            "the dice are independent",
        ),
        Statement(
            "expected maximum",
            "the expected number of rolls until all have failed is the alternating sum over the "
            "sets of dice that last",
            r"\sum_{\emptyset \ne S} \frac{(-1)^{|S| + 1}}{1 - \prod_{i \in S} q_i}",
            Status.PROVED,
            "sum 1 − ∏ (1 − q_i^t) over t ≥ 0, expanded into geometric series",
        ),
        Statement(
            "range in the game",
            "the chance of a catastrophe within t rounds from n_i revenue dice at the first roll "
            "is at most ∏ (1 − q_i^t)^n_i, with equality for t = 1 only (0 < q_i < 1)",
            r"P_t \le \prod_i \left(1 - q_i^t\right)^{n_i}",
            Status.PROVED,
            "each of those dice must have failed by then, and dice that arrive must fail too",
        ),
    ]
