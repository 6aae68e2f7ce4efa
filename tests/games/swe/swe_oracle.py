"""The game solved the obvious way: a recursion over whole states, score included, in Fractions.

Written from the game's README, without the package's rules: dice are counted one by one, and every
legal move of every state is tried.
"""

from fractions import Fraction
from functools import cache

from hypothesis import strategies as st

from exactdice.arithmetic import to_fraction
from exactdice.games.swe.distributions.players import NewOnlyPolicy, PolicyMoment, Promo
from exactdice.games.swe.rules import Ladder, State

LADDERS = st.lists(st.integers(2, 9), min_size=1, max_size=3, unique=True).map(
    lambda faces: Ladder(*sorted(faces))
)


def moves(revenue, legacy):
    """Every legal move, as (kind, rung), and the dice after it."""
    after = {}
    if any(legacy):
        for i, number in enumerate(legacy):
            if number:
                after["fix", i] = plus(revenue, i), minus(legacy, i)
        return after
    after["create", 0] = plus(revenue, 0), legacy
    for i, number in enumerate(revenue[:-1]):
        if number:
            after["promote", i] = plus(minus(revenue, i), i + 1), legacy
    return after


def plus(dice, i):
    return (*dice[:i], dice[i] + 1, *dice[i + 1 :])


def minus(dice, i):
    return (*dice[:i], dice[i] - 1, *dice[i + 1 :])


@cache
def rolls(faces, revenue):
    """(chance, numbers of dice that show 1) of each roll, one die after another."""
    chances = {(0,) * len(faces): Fraction(1)}
    for i, number in enumerate(revenue):
        for _ in range(number):
            after = {}
            for failed, chance in chances.items():
                one, other = plus(failed, i), failed
                after[one] = after.get(one, 0) + chance / faces[i]
                after[other] = after.get(other, 0) + chance * (faces[i] - 1) / faces[i]
            chances = after
    return [(chance, failed) for failed, chance in chances.items()]


class Oracle:
    def __init__(self, faces):
        self.faces = tuple(faces)
        self.values = {}

    def ends(self, revenue, legacy, score):
        """(chance, state) after the roll."""
        for chance, failed in rolls(self.faces, revenue):
            kept = tuple(n - x for n, x in zip(revenue, failed, strict=True))
            waiting = tuple(n + x for n, x in zip(legacy, failed, strict=True))
            yield chance, (kept, waiting, score + sum(kept) if any(kept) else 0)

    def worth(self, state, left):
        revenue, legacy, score = state
        return {
            move: sum(
                chance * self.value(after, left - 1) for chance, after in self.ends(*dice, score)
            )
            for move, dice in moves(revenue, legacy).items()
        }

    def value(self, state, left):
        if left == 0:
            return Fraction(state[2])
        if (state, left) not in self.values:
            self.values[state, left] = max(self.worth(state, left).values())
        return self.values[state, left]

    def skipped(self, state, left):
        """The value of rolling without a move."""
        return sum(chance * self.value(after, left - 1) for chance, after in self.ends(*state))


def reachable(oracle, start, rounds):
    """The states that play can reach after 0, 1, …, `rounds` rounds."""
    layers = [{start}]
    for _ in range(rounds):
        layers.append({
            after
            for revenue, legacy, score in layers[-1]
            for dice in moves(revenue, legacy).values()
            for _, after in oracle.ends(*dice, score)
        })  # fmt: skip
    return layers


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
