"""The distribution of a policy's final score by following every state of the game, in Fractions.

Dice are rolled one by one as in `swe_oracle`, from which only the rules are taken.
"""

from fractions import Fraction

from swe_oracle import Oracle, moves

from exactdice.arithmetic import to_fraction
from exactdice.games.swe.distributions.players import NewOnlyPolicy, PolicyMoment, Promo
from exactdice.games.swe.rules import State


class Cautious(Promo):
    """Promotes up to a score of 4, and creates from 5 on."""

    looks_at_score = True

    def improvements(self, dice, turn, score):
        return (NewOnlyPolicy().improvements(dice, turn, 0) if score >= 5 else super().improvements(
            dice, turn, 0,
        ))  # fmt: skip

    def changes_at(self, dice, turn):
        return (5,)


def distribution_of(policy, rounds, ladder):
    """Final score to chance."""
    oracle = Oracle(ladder)
    none = (0,) * len(ladder)
    now = {(none, none, 0): Fraction(1)}
    for round_ in range(1, rounds + 1):
        after = {}
        for state, weight in now.items():
            choices = policy.choices(State(*state), PolicyMoment(round_, rounds, ladder))
            legal = moves(*state[:2])
            for action, chance in choices.items():
                revenue, legacy = legal[action.kind.value, action.rung]
                for odds, end in oracle.ends(revenue, legacy, state[2]):
                    after[end] = after.get(end, 0) + weight * to_fraction(chance) * odds
        now = after
    dist = {}
    for (_, _, score), weight in now.items():
        dist[score] = dist.get(score, 0) + weight
    return dist


def moments(dist):
    mean = sum(score * chance for score, chance in dist.items())
    return mean, sum(score**2 * chance for score, chance in dist.items()) - mean**2
