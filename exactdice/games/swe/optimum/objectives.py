r"""Other aims than a high mean: reaching a target, and beating an opponent.

A *payoff* u gives what a final score is worth. The player maximises E[u(score)]:

* `reaching` a target: u is 1 from the target on, and the value is the greatest probability;
* `beating` a known score: u is 1 above it, and what a tie is worth at it. That is the exact best
  response of a player who moves after the opponent has finished;
* `beating_a_law`: the opponent plays apart, with a known law of the final score, so that
  u(s) = P(opponent < s) + tie·P(opponent = s). That is the exact best response to a policy.

A payoff is constant from some score on, its *cap*. A score only grows until a catastrophe makes it
0, so all scores from the cap on are one state, and the game is solved by backward induction over
the score, block by block (`exactdice.games.swe.laws.forward` says what a block is), in descending
weight. All legal actions are compared, the choice of the legacy die included; ties go to the first
in the canonical order. Values are integers over one denominator for a number of dice and of rounds.

Cost: as for the optimum of the mean with the score in the state, (cap + 1) products for each split,
round and surviving number. `benchmarks/swe_policies.py` measures it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from math import lcm

import numpy as np

from exactdice.arithmetic import (
    RationalLike,
    mpq,
    mpz,
    natural,
    over_common_denominator,
    probability,
)
from exactdice.dice import Distribution
from exactdice.errors import InputError, Unquoted
from exactdice.games.swe.laws.forward import Block, pools, survival, thinned
from exactdice.games.swe.optimum.envelope import Advice
from exactdice.games.swe.optimum.exact import successors
from exactdice.games.swe.rules import (
    STANDARD,
    Action,
    ActionKind,
    Dice,
    Ladder,
    State,
    act,
    check_state,
    empty_table,
    legal_actions,
    weight,
)
from exactdice.memory import stored_bytes
from exactdice.run import DEFAULT, Run


@dataclass(frozen=True)
class ScorePayoff:
    """What final scores are worth: numerators for the scores 0, 1, …, cap over a denominator.

    Scores above the cap are worth what the cap is worth.
    """

    numerators: tuple[mpz, ...]
    denominator: mpz

    @classmethod
    def of(cls, worth: "Sequence[RationalLike]") -> "ScorePayoff":
        """Bring the worth of the scores 0, 1, … to a common denominator."""
        if not len(worth):
            raise InputError("worth", Unquoted("none"), "the worth of the score 0 at least")
        numerators, denominator = over_common_denominator(worth)
        return cls(tuple(numerators), denominator)

    @property
    def cap(self) -> int:
        """The score from which on the worth does not change."""
        return len(self.numerators) - 1


# A score that is worth 0 takes a slot of a tuple, and another while the tuple is put together; one
# of a law, by measurement of 2,000,000 of them, 380 bytes until all are over one denominator.
_BYTES_A_ZERO, _BYTES_OF_A_LAW = 16, 400


def _nothing_below(score: int, worth: "Sequence[RationalLike]", run: Run) -> ScorePayoff:
    run.require(_BYTES_A_ZERO * score, f"the worth of {score} scores")
    above = ScorePayoff.of(worth)
    return ScorePayoff((mpz(0),) * score + above.numerators, above.denominator)


def reaching(target: int, run: Run = DEFAULT) -> ScorePayoff:
    """Worth 1 from a target on, else 0."""
    return _nothing_below(natural(target, "target"), [1], run)


def beating(score: int, tie: RationalLike = 0, run: Run = DEFAULT) -> ScorePayoff:
    """Worth 1 above a score and `tie` at it; refused as `reaching` is."""
    return _nothing_below(natural(score, "score"), [probability(tie, "tie"), 1], run)


def beating_a_law(
    opponent: Distribution[int], tie: RationalLike = 0, run: Run = DEFAULT
) -> ScorePayoff:
    """Worth the chance to beat an opponent's score, plus `tie` times the chance of a tie."""
    shared = probability(tie, "tie")
    scores = [natural(score, "opponent") for score in opponent]
    run.require(_BYTES_OF_A_LAW * max(scores), f"the worth of {max(scores)} scores")
    chances = [opponent.probability(score) for score in range(max(scores) + 2)]
    below = mpq(0)
    worth: list[mpq] = []
    for chance in chances:
        worth.append(below + shared * chance)
        below += chance
    return ScorePayoff.of(worth)


@dataclass(frozen=True)
class AimedAt:
    """The greatest expected payoff in a state, and what each action is worth."""

    rounds: int
    ladder: Ladder
    # state, now: the state, None for the beginning of a game, and the number of the round that it
    # begins
    state: State | None
    now: int
    # value, advice: what it is worth, and each action; no action where the game is over
    value: mpq
    advice: Sequence[Advice]


@dataclass(frozen=True, repr=False, eq=False)
class PayoffSolution:
    """The greatest expected payoff, with a policy that attains it; made by `maximise`."""

    # rounds, ladder, payoff: the game, from the empty table
    rounds: int
    ladder: Ladder
    payoff: ScorePayoff
    # for each multiset of dice, the values right after the move that made it with no legacy, and 1,
    # 2, … rounds left, for the scores 0 … cap: over the denominator `_denominator` gives
    afterstates: Mapping[Dice, list[Block]] = field(default_factory=dict)

    @property
    def value(self) -> mpq:
        """The greatest expected payoff from the empty table."""
        return self.value_at(empty_table(self.ladder), self.rounds)

    def value_at(self, state: State, left: int) -> mpq:
        """Return the greatest expected payoff from a state with some rounds left."""
        if natural(left, "rounds left", most=self.rounds) == 0:
            score = min(check_state(*state, self.ladder).score, self.payoff.cap)
            return mpq(self.payoff.numerators[score], self.payoff.denominator)
        return max(advice.value for advice in self.actions(state, left))

    def at(self, state: State | None, now: int) -> AimedAt:
        """Judge the state that begins a round, or the empty table of a game that begins."""
        here = empty_table(self.ladder) if state is None else state
        left = self.rounds - now + 1
        advice = self.actions(here, left) if left else []
        return AimedAt(self.rounds, self.ladder, state, now, self.value_at(here, left), advice)

    def actions(self, state: State, left: int) -> list[Advice]:
        """Judge every legal action, in the canonical order."""
        state = check_state(*state, self.ladder)
        left = natural(left, "rounds left", least=1, most=self.rounds)
        if weight(state.dice) > self.rounds - left:
            got = Unquoted(f"dice that take {weight(state.dice)} rounds to make")
            raise InputError("state", got, f"dice of at most {self.rounds - left} rounds")
        score = min(state.score, self.payoff.cap)
        worth: dict[Action, mpq] = {}
        for action in legal_actions(state):
            after = act(state, action)
            if action.kind is ActionKind.FIX:
                blocks = self._backwards(state.dice, left)
                split = tuple(k for k, n in zip(after.revenue, after.dice, strict=True) if n)
                values = next(islice(blocks, left - 1, None))[split]
            else:
                values = self.afterstates[after.revenue][left - 1]
            scale = self._denominator(sum(after.dice), left)
            worth[action] = mpq(values[score], scale)
        best = max(worth.values())
        return [Advice(a, value, best - value, value == best) for a, value in worth.items()]

    def _denominator(self, number: int, left: int) -> mpz:
        """Denominator of values right after a move, with so many dice and rounds left."""
        rolls = sum(number + later for later in range(left))
        return self.payoff.denominator * _common(self.ladder) ** rolls

    def _backwards(self, dice: Dice, most_left: int) -> Iterator[Block]:
        """Yield the values right after a move for 1, 2, … rounds left, for all splits."""
        shape = tuple(number + 1 for number in dice if number)
        common = _common(self.ladder)
        final = np.array(self.payoff.numerators, dtype=object)
        values = np.broadcast_to(final, (*shape, len(final)))
        for left in range(1, most_left + 1):
            rolled = _gained(values)
            for axis, (number, faces) in enumerate(pools(dice, self.ladder)):
                chances = survival(number, faces).T * (common // faces) ** number
                rolled = thinned(rolled, chances, axis)
            yield rolled
            if left < most_left:
                values = _best_fix(rolled) * common**left  # as one more die would have it
                values[(-1,) * len(shape)] = self._best_improvement(dice, left)

    def _best_improvement(self, dice: Dice, left: int) -> Block:
        """Values with all dice revenue: the best creation or promotion, score by score."""
        number = sum(dice)
        best: Block = None
        for after in successors(dice):
            scale = self._denominator(number + 1, left) // self._denominator(sum(after), left)
            worth = self.afterstates[after][left - 1] * scale
            best = worth if best is None else np.maximum(best, worth)
        return best


def maximise(
    payoff: ScorePayoff,
    rounds: int,
    ladder: Ladder = STANDARD,
    run: Run = DEFAULT,
    *,
    start: State | None = None,
    now: int = 1,
) -> PayoffSolution:
    """Find the greatest expected payoff of the final score, from a state or the empty table."""
    rounds, ladder = natural(rounds, "rounds"), Ladder.of(ladder)
    dice = (empty_table(ladder) if start is None else check_state(*start, ladder)).dice
    left = rounds - natural(now, "now", least=1, most=rounds + 1) + 1
    rolls = left * (sum(dice) + left)
    bits = rolls * _common(ladder).bit_length() // 4 + payoff.denominator.bit_length()
    levels, cells = [{dice}], 0
    for level in range(1, left + 1):
        levels.append({after for before in levels[-1] for after in successors(before)})
        cells += (payoff.cap + 1) * len(levels[-1]) * (left - level + 1)
        run.require(stored_bytes(cells, bits), f"{left} rounds by score")
    blocks = sum(map(len, levels[1:]))
    afterstates: dict[Dice, list[Block]] = {}
    solution = PayoffSolution(rounds, ladder, payoff, afterstates)
    for level in range(left, 0, -1):
        for dice in levels[level]:
            all_revenue = (-1,) * sum(1 for number in dice if number)
            several = solution._backwards(dice, left - level + 1)
            afterstates[dice] = [values[all_revenue].copy() for values in several]
            run.tell("blocks", len(afterstates), blocks)
    return solution


@cache
def _common(ladder: Ladder) -> mpz:
    return mpz(lcm(*ladder))


def _gained(values: Block) -> Block:
    """Values before the survivors of each split have scored: V(s) becomes V(s + survivors)."""
    gained = np.empty(values.shape, dtype=object)
    top = values.shape[-1] - 1
    scores = np.arange(top + 1)
    for split in np.ndindex(values.shape[:-1]):
        survivors = sum(split)
        reached = np.minimum(scores + survivors, top) if survivors else np.zeros_like(scores)
        gained[split] = values[split][reached]
    return gained


def _best_fix(rolled: Block) -> Block:
    """Best choice of the legacy die for every split but the all-revenue one, score by score."""
    best = np.full(rolled.shape, rolled.min(), dtype=object)
    for axis in range(rolled.ndim - 1):
        every_below = (slice(None),) * axis
        broken = (*every_below, slice(0, -1))
        best[broken] = np.maximum(best[broken], rolled[(*every_below, slice(1, None))])
    return best
