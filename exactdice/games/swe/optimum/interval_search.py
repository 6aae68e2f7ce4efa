"""The exact optimum after a search by intervals, and a check of it modulo primes.

The C++ solver solves all blocks in intervals (`exactdice.native.swe_outlook`), and excludes every
creation or promotion whose upper end is below the lower end of another. The remaining moves are
followed from the empty table, and only the blocks on the way are solved exactly, in descending
weight. Remaining moves and fixes in these blocks are compared exactly. As the intervals are
rigorous, the value is exact and optimal; it must be in the enclosure, which is checked.

**What rests on what.** That a policy earns the value is shown twice: by backward induction, and by
carrying the policy forward modulo primes (`residues`). That no policy earns more rests on the exact
comparisons and, for excluded moves, on the intervals: on their roundings, the bounds of the
reachable scores, and theorem 9, since they fix the highest legacy die. Tests compare the excluded
moves with exact search over all states, and the cross-check compares those of 50 rounds with
another interval solver, which tries every fix (`exactdice.jobs.crosscheck.swe_moves`). For 100
rounds that solver, ``exactdice.native.swe.solve(100, intervals=True, memory_limit=None)``, found in
73 minutes, with 5.5 GB of memory, an enclosure of the optimum 1.6·10⁻¹⁰ wide. So even if an
exclusion were wrong, no policy would earn 10⁻¹⁰ more than the value.

**Modulo primes.** Carried forward, each split of the dice has, after each round, its probability p
and p times the mean score; fixes take the highest rung. At the end the second numbers add up to the
expected final score. A fraction u/v is the integer u·v⁻¹ modulo the product of `PRIMES`, which do
not divide any denominator (a product of faces). If the optimum were another number than the earned
one, both would have the same residues with a probability of about 2^−186. If a decision depends on
the score, the dice before it have the probabilities of all scores below the greatest such score.

All three computations run in levels (`exactdice.run`): one for each weight, and the search first
has a level for the remaining moves.
"""

import hashlib
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import prod
from typing import Any, TypeAlias

import numpy as np

from exactdice.arithmetic import mpq, mpz, natural
from exactdice.enclosure import Enclosure
from exactdice.games.swe.distributions.forward import pools, repaired, survival, thinned
from exactdice.games.swe.optimum.block import Exact, ScoreBounds, StateBlock, over_one_denominator
from exactdice.games.swe.optimum.envelope import Piece, best, line_at, value_at
from exactdice.games.swe.optimum.exact import successors
from exactdice.games.swe.rules import STANDARD, Dice, Ladder, empty_table, weight
from exactdice.native import swe_outlook
from exactdice.native.swe_outlook import MAX_ROUNDS, Outlook
from exactdice.run import DEFAULT, Run, run_levels
from exactdice.symbolic.ehrhart import Simplex

#: A decision without legacy: from a score on, the dice after the creation or promotion.
Decision: TypeAlias = tuple[tuple[int, Dice], ...]

#: Decisions with 1, 2, … rounds left, by dice.
Decisions: TypeAlias = Mapping[Dice, Sequence[Decision]]

Values: TypeAlias = Mapping[Dice, Sequence[Exact]]

#: Relative width of an enclosure above which values are solved piece by piece.
WIDEST = mpq(1, 10**9)


@dataclass(frozen=True)
class Searched:
    rounds: int
    ladder: Ladder
    value: mpq
    enclosure: Enclosure  # of the value, by intervals
    blocks: int  # solved exactly
    blocks_in_all: int
    certain: int  # decisions in those blocks with a single remaining move
    compared: int  # decisions with several moves, compared exactly
    policy: Decisions


def memory_estimate(rounds: int, ladder: Sequence[int]) -> int:
    """Estimate the bytes of the solution in intervals from above; 80 rounds took 80 MB."""
    rounds = natural(rounds, "rounds", least=1, most=MAX_ROUNDS)
    return 400 * Simplex(range(1, len(ladder) + 1), rounds).size


def enclose(rounds: int, ladder: Ladder = STANDARD, run: Run = DEFAULT) -> Outlook:
    """Solve a game from the empty table in intervals.

    Values that depend on the score are enclosed between two lines; only if the optimum is then
    wider than `WIDEST`, they are solved piece by piece. 60 rounds take a second on one core, 80
    take 6 s and 80 MB.
    """
    run.require(memory_estimate(rounds, ladder), f"the enclosure of {rounds} rounds")
    nothing = (0,) * len(ladder)

    def solve(bend: int) -> Outlook:
        name = _enclosure(rounds, ladder, bend)
        return swe_outlook.solve(rounds, ladder, nothing, nothing, bend=bend, run=run, name=name)

    outlook = solve(swe_outlook.ANY_BEND)
    return outlook if outlook.value.width <= WIDEST * outlook.value.lower else solve(0)


def _enclosure(rounds: int, ladder: Ladder, bend: int) -> str:
    """Name the computation of an enclosure; its levels depend on the byte order."""
    game = f"{rounds} rounds, ladder {ladder}, bends to {bend}"
    return f"swe enclosure, {game}, {sys.byteorder}-endian"


def optimum(
    rounds: int, ladder: Ladder = STANDARD, run: Run = DEFAULT, enclosed: Outlook | None = None
) -> Searched:
    """Find the exact optimum of a game from the empty table.

    30 rounds take 0.3 s on one core, 40 take 2 s, 50 take 6 s.
    """
    rounds = natural(rounds, "rounds", least=1, most=MAX_ROUNDS)
    bounds = ScoreBounds.from_start(empty_table(ladder))

    def step(level: int, before: _Search | None) -> _Search:
        if before is None:
            return _follow(enclosed or enclose(rounds, ladder, run), rounds, len(ladder))
        return _solve_weight(rounds + 1 - level, before, rounds, ladder, bounds, run)

    name = f"swe optimum, {rounds} rounds, ladder {ladder}"
    search = run_levels(run.kept, name, rounds + 1, step, write=_written, read=_read)
    if run.kept:
        for bend in (swe_outlook.ANY_BEND, 0):
            run.kept.forget(_enclosure(rounds, ladder, bend))
    first = search.afterstates[_first(len(ladder))][rounds - 1]
    value = mpq(value_at(first.envelope, 0), first.denominator)
    if value not in search.enclosure:
        raise AssertionError("the exact optimum lies outside its enclosure")
    moves = [len(after) for of_dice in search.possible.values() for after in of_dice]
    return Searched(
        rounds,
        ladder,
        value,
        search.enclosure,
        len(search.possible),
        search.blocks_in_all,
        sum(number == 1 for number in moves),
        sum(number > 1 for number in moves),
        search.policy(),
    )


def _first(rungs: int) -> Dice:
    return (1,) + (0,) * (rungs - 1)


@dataclass(frozen=True)
class _Search:
    enclosure: Enclosure
    blocks_in_all: int
    # by dice: the dice after each remaining move, with 1, 2, … rounds left
    possible: Mapping[Dice, Sequence[Sequence[Dice]]]
    # values right after the move that made the dice, for the last weight
    afterstates: Values
    # decisions between several moves, by dice and rounds left
    compared: Mapping[tuple[Dice, int], Decision]

    def policy(self) -> dict[Dice, list[Decision]]:
        return {
            dice: [
                ((0, moves[0]),) if len(moves) == 1 else self.compared[dice, left]
                for left, moves in enumerate(of_dice, 1)
            ]
            for dice, of_dice in self.possible.items()
        }


def _follow(enclosed: Outlook, rounds: int, rungs: int) -> _Search:
    most_left = {_first(rungs): rounds}
    possible: dict[Dice, list[list[Dice]]] = {}
    level = [_first(rungs)]
    while level:
        following: dict[Dice, int] = {}
        for dice in level:
            possible[dice] = _possible(enclosed, dice, most_left[dice] - 1)
            for left, moves in enumerate(possible[dice], 1):
                for after in moves:
                    following[after] = max(following.get(after, 0), left)
        most_left |= following
        level = sorted(following)
    return _Search(enclosed.value, enclosed.sizes.blocks, possible, {}, {})


def _possible(enclosed: Outlook, dice: Dice, most: int) -> list[list[Dice]]:
    masks = enclosed.possible(dice)[:most]
    rungs = [rung for rung, number in enumerate(dice[:-1]) if number]
    moves = list(zip([0, *(rung + 1 for rung in rungs)], successors(dice), strict=True))
    return [[after for number, after in moves if mask >> number & 1] for mask in masks]


def _solve_weight(
    level: int, before: _Search, rounds: int, ladder: Ladder, bounds: ScoreBounds, run: Run
) -> _Search:
    afterstates: dict[Dice, tuple[Exact, ...]] = {}
    compared = dict(before.compared)
    done = sum(weight(dice) > level for dice in before.possible)
    for dice in sorted(dice for dice in before.possible if weight(dice) == level):
        values = []
        for left, moves in enumerate(before.possible[dice], 1):
            value, decision = _all_revenue(dice, left, moves, before.afterstates, rounds, bounds)
            values.append(value)
            if len(moves) > 1:
                compared[dice, left] = decision
        block = StateBlock(dice, ladder, values, rounds, bounds)
        afterstates[dice] = tuple(block.afterstate_values())
        done += 1
        run.tell("blocks", done, len(before.possible))
    return replace(before, afterstates=afterstates, compared=compared)


def _all_revenue(
    dice: Dice,
    left: int,
    moves: Sequence[Dice],
    afterstates: Values,
    rounds: int,
    bounds: ScoreBounds,
) -> tuple[Exact, Decision]:
    common, envelopes = over_one_denominator(afterstates[after][left - 1] for after in moves)
    upper = best(envelopes, *bounds.between(rounds - left, dice, sum(dice)))
    taken = []
    for piece in upper:
        lines = (line_at(one, piece.start)[1:] for one in envelopes)
        same = (after for after, line in zip(moves, lines, strict=True) if line == piece[1:])
        taken.append((piece.start, next(same)))
    return Exact(common, upper), tuple(next(one) for _, one in groupby(taken, lambda one: one[1]))


def _written(search: _Search) -> bytes:
    content = {
        "enclosure": [str(search.enclosure.lower), str(search.enclosure.upper)],
        "blocks_in_all": search.blocks_in_all,
        "possible": list(search.possible.items()),
        "afterstates": [
            (dice, [(f"{d:x}", [(start, f"{A:x}", f"{B:x}") for start, A, B in e]) for d, e in of])
            for dice, of in search.afterstates.items()
        ],
        "compared": [(*key, decision) for key, decision in search.compared.items()],
    }
    return json.dumps(content).encode()


def _read(written: bytes) -> _Search:
    content: dict[str, Any] = json.loads(written)
    lower, upper = map(mpq, content["enclosure"])
    return _Search(
        Enclosure(lower, upper),
        content["blocks_in_all"],
        {
            tuple(dice): [[tuple(after) for after in moves] for moves in of]
            for dice, of in content["possible"]
        },
        {
            tuple(dice): tuple(
                Exact(mpz(d, 16), tuple(Piece(at, mpz(A, 16), mpz(B, 16)) for at, A, B in pieces))
                for d, pieces in of
            )
            for dice, of in content["afterstates"]
        },
        {
            (tuple(dice), left): tuple((score, tuple(after)) for score, after in decision)
            for dice, left, decision in content["compared"]
        },
    )


#: The three greatest primes below 2⁶².
PRIMES = (2**62 - 57, 2**62 - 87, 2**62 - 117)


@dataclass(frozen=True)
class Residue:
    """The optimum modulo a prime."""

    prime: int
    found: int  # residue of the optimum
    carried: int  # residue of the expected final score of its policy


def residues(searched: Searched, run: Run = DEFAULT) -> tuple[Residue, ...]:
    """Compare an exact optimum with the expected score of its policy, modulo three primes."""
    modulus = prod(PRIMES)
    carried = value_modulo(modulus, searched.rounds, searched.ladder, searched.policy, run)
    value = searched.value.numerator * pow(searched.value.denominator, -1, modulus)
    return tuple(Residue(p, int(value % p), int(carried % p)) for p in PRIMES)


def value_modulo(
    modulus: int, rounds: int, ladder: Ladder, policy: Decisions, run: Run = DEFAULT
) -> mpz:
    """Return the expected final score of a policy, modulo a number; ValueError if it is illegal."""
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

    game = f"{rounds} rounds, ladder {ladder}, modulo {modulus}, policy {digest}"
    name = f"swe played forward, {game}"
    count = max(map(weight, policy))
    return run_levels(run.kept, name, count, step, write=_write_games, read=_read_games).total


@dataclass(frozen=True)
class _Played:
    # by dice of the next weight and rounds left: the numbers of `_Games`, without legacy
    arrivals: Mapping[Dice, Mapping[int, Sequence[mpz]]]
    total: mpz  # probabilities times scores of finished games


def _write_games(played: _Played) -> bytes:
    arrivals = [
        (dice, [(left, [f"{part:x}" for part in parts]) for left, parts in of.items()])
        for dice, of in played.arrivals.items()
    ]
    return json.dumps([arrivals, f"{played.total:x}"]).encode()


def _read_games(written: bytes) -> _Played:
    arrivals, total = json.loads(written)
    read = {
        tuple(dice): {left: [mpz(part, 16) for part in parts] for left, parts in of}
        for dice, of in arrivals
    }
    return _Played(read, mpz(total, 16))


def _kept_below(policy: Decisions) -> dict[Dice, int]:
    """Return, by dice, the score below which all scores are distinguished."""
    scores: dict[Dice, int] = {}
    for dice in sorted(policy, key=weight, reverse=True):
        here = [scores[after] for decision in policy[dice] for _, after in decision]
        here += [low for decision in policy[dice] for low, _ in decision[1:]]
        scores[dice] = max(here, default=0)
    return scores


def _decided(
    finished: list[mpz], decision: Decision, modulus: int
) -> Iterator[tuple[Dice, list[mpz]]]:
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
    """All games with the same dice after a round, by split.

    The last axis: the probability, that times the mean score, the probabilities of single scores.
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
        """Play a round, and remove and return the games that end it without legacy."""
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
        return mpz(self.games[..., 1].sum())
