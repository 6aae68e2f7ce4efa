r"""Which dice can lie on the table in the software-engineering game, and how many ways there are.

Let the ladder have K rungs, and let a die on rung i = 1, …, K weigh i. The pair (revenue, legacy)
is a point of :math:`\mathbb N^{2K}`. Its weight, Σ i·(revenue_i + legacy_i), rises by exactly 1 in
a round that begins without legacy (a new die, or a promotion by one rung) and stays the same in a
round that begins with legacy (a repair).

**Theorem.** If every die can fail and can survive, then after t ≥ 1 rounds exactly the pairs of
weight 1 to t can be reached: the lattice points of a simplex in 2K dimensions, without the origin.

*Proof.* The first round adds a die, later ones never lower the weight, and no round adds more than
1; so the weight lies between 1 and t. Conversely take a pair of weight w, 1 ≤ w ≤ t. For t − w
rounds long let the first die fail and be repaired: it is created in round 1, fails in each of the
rounds 1, …, t − w, and is repaired in the round after. (For t = w nothing fails.) From then on all
dice survive, and w − 1 rounds without legacy build the wanted dice one rung a time, in any order.
In the last roll exactly the wanted dice fail. For w = 1 the last roll is that of the only die. ∎

So the 10-dimensional simplex that the game's README looks for exists and has no unused points but
one: with five rungs its weights are 1, 1, 2, 2, 3, 3, 4, 4, 5, 5.
"""

from exactdice.arithmetic import natural
from exactdice.symbolic.ehrhart import EhrhartPolynomial, count_points, ehrhart
from exactdice.symbolic.statements import Statement, Status


def split_weights(rungs: int = 5) -> tuple[int, ...]:
    """Return the weights of (revenue, legacy), each rung twice.

    >>> split_weights()
    (1, 1, 2, 2, 3, 3, 4, 4, 5, 5)
    """
    return tuple(rung for rung in range(1, natural(rungs, "rungs", least=1) + 1) for _ in range(2))


def count_reachable(rounds: int, rungs: int = 5) -> int:
    """Count the pairs (revenue, legacy) that can be reached after exactly so many rounds.

    >>> count_reachable(10), count_reachable(22)
    (1078, 77029)
    """
    played = natural(rounds, "rounds")
    return 1 if played == 0 else count_points(split_weights(rungs), played) - 1


def reachability(rungs: int = 5) -> Statement:
    """State the theorem of this module for a ladder.

    >>> print(reachability(2).text)
    after t ≥ 1 rounds on a ladder of 2 rungs exactly the pairs (revenue, legacy) of weight 1 to t \
can be reached, f(t) − 1 in number
    """
    simplex: EhrhartPolynomial = ehrhart(*split_weights(rungs))
    return Statement(
        "reachable pairs",
        f"after t ≥ 1 rounds on a ladder of {rungs} rungs exactly the pairs (revenue, legacy) of "
        "weight 1 to t can be reached, f(t) − 1 in number",
        rf"f(t) - 1,\quad f(t) = {simplex.latex('t')}",
        Status.PROVED,
        "a round adds at most 1 to the weight, the first exactly 1; conversely let the first die "
        "fail until the spare rounds are used up, build, and let the last roll choose",
    )
