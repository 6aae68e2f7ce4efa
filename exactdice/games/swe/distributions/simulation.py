r"""Thousands of random games of a policy, played side by side with numpy.

The generator has a seed, so that a run can be repeated. Estimates are exact rationals of the
sample: its mean, its unbiased variance, and the order statistics ⌈level · games⌉ of the scores
(never an average of two of them).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from exactdice.arithmetic import RationalLike, mpq, natural, probability, text
from exactdice.errors import InputError, Unquoted
from exactdice.games.swe.distributions.players import PolicyMoment, Repairs, RulePolicy
from exactdice.games.swe.rules import STANDARD, Action, ActionKind, Ladder, State
from exactdice.run import DEFAULT, Run

#: Games that are played side by side. It bounds the memory, and the sample depends on it.
BATCH = 100_000


@dataclass(frozen=True, eq=False)
class Sample:
    scores: Any

    @classmethod
    def of(cls, scores: Any) -> "Sample":
        read = np.asarray(scores)
        if read.dtype.kind != "i" or (read < 0).any():  # the slow way names the bad score
            most = int(np.iinfo(np.int64).max)
            read = np.array([natural(score, "scores", most=most) for score in scores], np.int64)
        if not len(read):
            raise InputError("scores", Unquoted("none"), "scores of at least one game")
        return cls(np.sort(read.astype(np.int64)))

    @property
    def games(self) -> int:
        return len(self.scores)

    @property
    def mean(self) -> mpq:
        return self._mean_power(1)

    @property
    def variance(self) -> mpq:
        if self.games == 1:
            return mpq(0)
        return (self._mean_power(2) - self.mean**2) * mpq(self.games, self.games - 1)

    def _mean_power(self, power: int) -> mpq:
        scores, numbers = np.unique(self.scores, return_counts=True)
        counted = zip(scores.tolist(), numbers.tolist(), strict=True)  # integers without overflow
        return mpq(sum(score**power * number for score, number in counted), self.games)

    def quantile(self, level: RationalLike) -> int:
        exact = probability(level, "level")
        if exact == 0:
            raise InputError("level", text(exact), "a number above 0 and at most 1")
        rank = -(-exact.numerator * self.games // exact.denominator)
        return int(self.scores[int(rank) - 1])


def simulate(
    policy: RulePolicy,
    rounds: int,
    games: int,
    seed: int = 0,
    ladder: Ladder = STANDARD,
    run: Run = DEFAULT,
) -> Sample:
    """Play games of a policy.

    Cost: for each round a few numpy operations, and a decision for each different state.
    """
    rounds, games = natural(rounds, "rounds"), natural(games, "games", least=1)
    ladder = Ladder.of(ladder)
    run.require(2 * 8 * games, f"the scores of {games} games")
    if max(ladder) >= 2**62:
        raise InputError("ladder", max(ladder), "fewer than 2^62 faces for a simulation")
    generator = np.random.default_rng(natural(seed, "seed"))
    scores = []
    for begun in range(0, games, BATCH):
        scores.append(_play(policy, rounds, min(BATCH, games - begun), generator, ladder))
        run.tell("games", min(begun + BATCH, games), games)
    return Sample.of(np.concatenate(scores))


def _play(
    policy: RulePolicy, rounds: int, games: int, generator: np.random.Generator, ladder: Ladder
) -> Any:
    revenue = np.zeros((games, len(ladder)), dtype=np.int64)
    legacy = np.zeros_like(revenue)
    score = np.zeros(games, dtype=np.int64)
    failing = 1 / np.array(ladder)
    for round_ in range(1, rounds + 1):
        turn = PolicyMoment(round_, rounds, ladder)
        broken = legacy.any(axis=1)
        if policy.repairs is Repairs.HIGHEST:
            fixed = np.flatnonzero(broken)
            rungs = legacy.shape[1] - 1 - np.argmax(legacy[fixed, ::-1] > 0, axis=1)
            legacy[fixed, rungs] -= 1
            revenue[fixed, rungs] += 1
            deciding = np.flatnonzero(~broken)
        else:
            deciding = np.arange(games)
        _decide(policy, turn, revenue, legacy, score, deciding, generator)
        failed = generator.binomial(revenue, failing)
        revenue -= failed
        legacy += failed
        survivors = revenue.sum(axis=1)
        score = np.where(survivors, score + survivors, 0)
    return score


def _decide(
    policy: RulePolicy,
    turn: PolicyMoment,
    revenue: Any,
    legacy: Any,
    score: Any,
    games: Any,
    generator: np.random.Generator,
) -> None:
    if not len(games):
        return
    seen_score = score[games] if policy.looks_at_score else np.zeros_like(games)
    seen = np.column_stack([revenue[games], legacy[games], seen_score])
    states, which = np.unique(seen, axis=0, return_inverse=True)
    luck = generator.random(len(games))
    rungs = len(turn.ladder)
    order = np.argsort(which.ravel(), kind="stable")
    ends = np.cumsum(np.bincount(which.ravel(), minlength=len(states)))
    for numbers, members in zip(states.tolist(), np.split(order, ends[:-1]), strict=True):
        state = State(tuple(numbers[:rungs]), tuple(numbers[rungs:-1]), numbers[-1])
        passed = mpq(0)
        for action, chance in policy.choices(state, turn).items():
            low, passed = passed, passed + chance
            drawn = members[(luck[members] >= float(low)) & (luck[members] < float(passed))]
            _apply(action, revenue, legacy, games[drawn])


def _apply(action: Action, revenue: Any, legacy: Any, games: Any) -> None:
    if action.kind is ActionKind.FIX:
        legacy[games, action.rung] -= 1
        revenue[games, action.rung] += 1
    elif action.kind is ActionKind.CREATE:
        revenue[games, 0] += 1
    else:
        revenue[games, action.rung] -= 1
        revenue[games, action.rung + 1] += 1
