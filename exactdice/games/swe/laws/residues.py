r"""The value of a policy modulo primes: a second way to an optimum of thousands of digits.

The exact optimum is found backwards, from the end of the game, by lines in the score that are
compared as rationals (`exactdice.games.swe.optimum.interval_search`). Here the policy that this
gives is played forwards, from the empty table, and nothing is compared: with each split of the dice
into revenue and legacy go, after each round, the chance p of it and p times the mean score. A fix
takes the highest rung. In the end the second numbers add up to the expected final score.

All this is done in the integers modulo the product of `PRIMES`, where a fraction u/v is u·v⁻¹: the
denominators are products of faces, which those primes do not divide. If the optimum as it was found
were another number than what its policy earns, the chance that both have the same residues would be
about 2^−186, for primes that know nothing of the error.

The blocks are played in levels (`exactdice.run`), one for each weight.

A decision may depend on the score. So for dice from which play can still come to such a decision
the chance of each score below the greatest such score is kept as well.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from exactdice.arithmetic import mpz
from exactdice.games.swe.laws.forward import pools, repaired, survival, thinned
from exactdice.games.swe.optimum.exact import successors
from exactdice.games.swe.optimum.interval_search import Decision, Searched
from exactdice.games.swe.rules import Dice, Ladder, weight
from exactdice.run import DEFAULT, Run, run_levels

#: The three greatest primes below 2⁶².
PRIMES = (2**62 - 57, 2**62 - 87, 2**62 - 117)


@dataclass(frozen=True)
class Residue:
    """A prime, and what the optimum is modulo it."""

    prime: int  # the prime
    found: int  # the residue of the rational that was found
    carried: int  # the residue of what the policy earns


def residues(searched: Searched, run: Run = DEFAULT) -> tuple[Residue, ...]:
    """Compare an exact optimum with what its policy earns, modulo three primes.

    A step for each split, rung and number of dice on it, in each round; see `carry_forward`.
    """
    modulus = prod(PRIMES)
    carried = value_modulo(modulus, searched.rounds, searched.ladder, searched.policy, run)
    value = searched.value.numerator * pow(searched.value.denominator, -1, modulus)
    return tuple(Residue(p, int(value % p), int(carried % p)) for p in PRIMES)


def value_modulo(
    modulus: int,
    rounds: int,
    ladder: Ladder,
    policy: Mapping[Dice, Sequence[Decision]],
    run: Run = DEFAULT,
) -> mpz:
    """Return the expected final score from the empty table under a policy, modulo a number.

    Raises ValueError if the policy makes a move that the game does not have.
    """
    kept_below = _kept_below(policy)
    (first,) = successors((0,) * len(ladder))
    digest = hashlib.sha256(repr(sorted(policy.items())).encode()).hexdigest()

    def step(level: int, before: _Played | None) -> _Played:
        if before is None:
            entry = [mpz(n == 0 or n == 2) for n in range(2 + kept_below[first])]
            before = _Played({first: {rounds: entry}}, mpz(0))
        total = before.total
        arrivals: dict[Dice, dict[int, list[mpz]]] = defaultdict(dict)
        for dice, arriving in sorted(before.arrivals.items()):
            games = _Games(modulus, dice, ladder, kept_below[dice])
            for left in range(max(arriving), 0, -1):
                finished = games.play(arriving.get(left))
                if left == 1:
                    total += games.score() + finished[1]
                    continue
                for after, part in _decided(finished, policy[dice][left - 2], modulus):
                    if after not in successors(dice):
                        raise ValueError(f"no move makes {after} of {dice}")
                    part = part[: 2 + kept_below[after]]
                    there = arrivals[after].get(left - 1, [mpz(0)] * len(part))
                    sums = zip(there, part, strict=True)
                    arrivals[after][left - 1] = [(a + b) % modulus for a, b in sums]
        done = sum(weight(dice) <= level + 1 for dice in policy)
        run.tell("blocks carried forward", done, len(policy))
        return _Played(arrivals, total % modulus)

    name = (
        f"swe played forward, {rounds} rounds, ladder {ladder}, modulo {modulus}, policy {digest}"
    )
    count = max(map(weight, policy))
    return run_levels(run.kept, name, count, step, write=_written, read=_read).total


@dataclass(frozen=True)
class _Played:
    """What is known after a level: the games that come to dice of the next weight, and scores."""

    # by dice and rounds left, the numbers of `_Games` for those without legacy
    arrivals: Mapping[Dice, Mapping[int, Sequence[mpz]]]
    total: mpz  # chances times scores of the games that ended with the dice so far


def _written(played: _Played) -> bytes:
    arrivals = [
        (dice, [(left, [f"{part:x}" for part in parts]) for left, parts in of.items()])
        for dice, of in played.arrivals.items()
    ]
    return json.dumps([arrivals, f"{played.total:x}"]).encode()


def _read(written: bytes) -> _Played:
    arrivals, total = json.loads(written)
    return _Played(
        {
            tuple(dice): {left: [mpz(part, 16) for part in parts] for left, parts in of}
            for dice, of in arrivals
        },
        mpz(total, 16),
    )


def _kept_below(policy: Mapping[Dice, Sequence[Decision]]) -> dict[Dice, int]:
    """Tell below which score the scores are told apart, by dice; 0 where they need not be."""
    scores: dict[Dice, int] = {}
    for dice in sorted(policy, key=weight, reverse=True):
        here = [scores[after] for decision in policy[dice] for _, after in decision]
        here += [low for decision in policy[dice] for low, _ in decision[1:]]
        scores[dice] = max(here, default=0)
    return scores


def _decided(
    finished: list[mpz], decision: Decision, modulus: int
) -> Iterator[tuple[Dice, list[mpz]]]:
    """Part the games without legacy by what is done at their scores."""
    for number, (low, after) in enumerate(decision):
        low = low if number else 0
        rest = [mpz(0) if score < low else p for score, p in enumerate(finished[2:])]
        chance, scored = (
            whole - sum(score**power * p for score, p in enumerate(finished[2:]) if score < low)
            for power, whole in enumerate(finished[:2])
        )
        if number + 1 < len(decision):
            high = decision[number + 1][0]
            rest[high:] = [mpz(0)] * len(rest[high:])
            chance = sum(rest, mpz(0))
            scored = sum((score * p for score, p in enumerate(rest)), mpz(0))
        yield after, [chance % modulus, scored % modulus, *rest]


class _Games:
    """All games with the same dice after a round, by their split into revenue and legacy.

    The last axis holds the chance, that times the mean score, and the chance of each score that is
    told apart.
    """

    def __init__(self, modulus: int, dice: Dice, ladder: Ladder, scores: int) -> None:
        self.modulus = modulus
        shape = tuple(number + 1 for number in dice if number)
        self.rolls = [
            survival(number, faces) * pow(faces, -number, modulus) % modulus
            for number, faces in pools(dice, ladder)
        ]
        self.survivors = np.indices(shape).sum(axis=0)
        self.games = np.full((*shape, 2 + scores), mpz(0), dtype=object)
        self.none, self.all = (0,) * len(shape), (-1,) * len(shape)

    def play(self, arriving: Sequence[mpz] | None) -> list[mpz]:
        """Play a round, and take out the games that end it without legacy."""
        games = repaired(self.games, len(self.all), lowest=False)
        if arriving is not None:
            games[self.all] += arriving
        for axis, roll in enumerate(self.rolls):
            games = thinned(games, roll, axis) % self.modulus
        self.games = self._scored(games)
        finished: list[mpz] = self.games[self.all].tolist()
        self.games[self.all] = mpz(0)
        return finished

    def _scored(self, games: Any) -> Any:
        """Give a point for each survivor, and set the score to 0 where there is none."""
        scored = np.full(games.shape, mpz(0), dtype=object)
        scored[..., 0] = games[..., 0]
        scored[..., 1] = (games[..., 1] + self.survivors * games[..., 0]) % self.modulus
        scored[(*self.none, 1)] = mpz(0)
        if games.shape[-1] > 2:
            scored[(*self.none, 2)] = games[(*self.none, 0)]
            for points in range(1, min(self.survivors.max() + 1, games.shape[-1] - 2)):
                splits = self.survivors == points
                scored[splits, 2 + points :] = games[splits, 2:-points]
        return scored

    def score(self) -> mpz:
        """Add up chances times scores."""
        return mpz(self.games[..., 1].sum())
