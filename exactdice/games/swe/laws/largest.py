"""The largest score of positive probability under a policy of the software-engineering game.

Every die survives each roll with a chance, so the largest score belongs to games that lose as
little as possible. Between the all-revenue states of a block (see
`exactdice.games.swe.laws.forward`) they lose nothing, or one die in each round: to lose more costs
points, and no game needs to, since losing one die in each round lets a game wait as long as any.
"""

from collections import defaultdict

from exactdice.games.swe.laws.forward import AllRevenue, moves
from exactdice.games.swe.laws.players import PolicyMoment, RulePolicy
from exactdice.games.swe.rules import Action, ActionKind, Dice, Ladder

#: Sets of dice beyond which the walk is given up; it takes seconds over as many.
MAX_WALKED = 20_000


def largest_score(policy: RulePolicy, rounds: int, ladder: Ladder) -> int | None:
    """Find the largest score that a policy reaches with a positive probability.

    The cost is that of asking the policy once for each set of dice that it makes and each round.
    """
    if _may_always_create(policy, rounds, ladder):
        return rounds * (rounds + 1) // 2
    return None if policy.looks_at_score else _walked(policy, rounds, ladder)


def _may_always_create(policy: RulePolicy, rounds: int, ladder: Ladder) -> bool:
    """Whether a game in which no die ever fails may create in each round: no score is larger."""
    none, create = (0,) * (len(ladder) - 1), Action(ActionKind.CREATE)
    for made in range(rounds):
        turn, score = PolicyMoment(made + 1, rounds, ladder), made * (made + 1) // 2
        if create not in policy.improvements((made, *none), turn, score):
            return False
    return True


def _walked(policy: RulePolicy, rounds: int, ladder: Ladder) -> int | None:
    """Follow the best games through all sets of dice that a policy can make."""
    best = walked = 0
    level: dict[Dice, dict[int, int]] = {(0,) * len(ladder): {}}
    while level:
        walked += len(level)
        if walked > MAX_WALKED:
            return None
        following: dict[Dice, dict[int, int]] = defaultdict(dict)
        for dice, entering in level.items():
            for round_, score in _all_revenue_scores(sum(dice), entering, rounds).items():
                if round_ == rounds:
                    best = max(best, score)
                    continue
                for _, _, after, _ in moves(policy, AllRevenue(dice, round_), rounds, ladder):
                    known = following[after].get(round_ + 1, 0)
                    following[after][round_ + 1] = max(known, score)
        level = following
    return best


def _all_revenue_scores(number: int, entering: dict[int, int], rounds: int) -> dict[int, int]:
    """Best score with all dice revenue after each round, from the best with which games enter."""
    if not number:
        return {0: 0}
    all_revenue_values, waiting = {}, 0
    for round_ in range(min(entering), rounds + 1):
        all_revenue_values[round_] = max(entering.get(round_, 0), waiting) + number
        waiting = all_revenue_values[round_] - 1 if number > 1 else 0
    return all_revenue_values
