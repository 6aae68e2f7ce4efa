r"""Other aims than a high mean: reach a target, beat an opponent, or win against a rival.

The player maximises the expected *payoff* u of the final score: `reaching` a target, `beating` a
known score, or `beating_distribution` of an opponent who plays separately: u(s) = P(opponent < s) +
tie·P(opponent = s). The last two are exact best responses.

A payoff is constant from some score on, its *cap*, so all scores from the cap on are one state. The
game is solved by backward induction over the score, block by block
(`exactdice.games.swe.distributions.forward`), in descending weight. All legal actions are compared;
ties go to the first in the canonical order. Values are integers over one denominator for a number
of dice and of rounds. Cost: (cap + 1) products for each split, round and surviving number.

**Rivals** see each other's dice and scores, a variant in the game's README: in every round the
first player plays a round, then the second does; after the last one the greater score wins. With t
rounds done by both, s and o their states, and T the payoff of a tie to the first,

.. math::
   A_t(s, o) &= \max_a \mathbb E_{s' \mid s, a}\, B_t(s', o), \qquad
   B_t(s, o) = \min_a \mathbb E_{o' \mid o, a}\, A_{t+1}(s, o'), \\
   A_R(s, o) &= [s > o] + T\,[s = o] \text{ by the scores.}

A move *for points* maximises the expected score of its player. Cost: with n_t states of one player
after t rounds, a game of at most 2 Σ n_t² states, ten times as many for each round more.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, islice, product
from math import lcm
from typing import TypeAlias

import numpy as np

from exactdice.arithmetic import (
    RationalLike,
    mpq,
    mpz,
    natural,
    over_common_denominator,
    probability,
)
from exactdice.dice import Distribution, mixture
from exactdice.errors import InputError, Unquoted
from exactdice.games.swe import rules
from exactdice.games.swe.distributions.forward import Block, pools, survival, thinned
from exactdice.games.swe.optimum.envelope import Advice
from exactdice.games.swe.optimum.exact import solve, successors
from exactdice.games.swe.rules import STANDARD, Action, ActionKind, Dice, Ladder, State
from exactdice.memory import stored_bytes
from exactdice.report import Reported
from exactdice.run import DEFAULT, Run
from exactdice.solve.game import Game
from exactdice.solve.optimum import Optimum
from exactdice.solve.questions import exact_optimum
from exactdice.solve.turns import Choice, End, Turn, point_mass


@dataclass(frozen=True)
class ScorePayoff:
    """Payoffs of the scores 0, 1, …, cap over a denominator; above, that of the cap."""

    numerators: tuple[mpz, ...]
    denominator: mpz

    @classmethod
    def of(cls, payoffs: "Sequence[RationalLike]") -> "ScorePayoff":
        if not len(payoffs):
            raise InputError("payoffs", Unquoted("none"), "at least the payoff of the score 0")
        numerators, denominator = over_common_denominator(payoffs)
        return cls(tuple(numerators), denominator)

    @property
    def cap(self) -> int:
        return len(self.numerators) - 1


# A payoff of 0 takes a slot of a tuple, and another one during its construction. A score of a
# distribution takes 380 bytes, measured over 2,000,000, until all have one denominator.
_BYTES_A_ZERO, _BYTES_A_SCORE = 16, 400


def _nothing_below(score: int, payoffs: "Sequence[RationalLike]", run: Run) -> ScorePayoff:
    run.require(_BYTES_A_ZERO * score, f"the payoffs of {score} scores")
    above = ScorePayoff.of(payoffs)
    return ScorePayoff((mpz(0),) * score + above.numerators, above.denominator)


def reaching(target: int, run: Run = DEFAULT) -> ScorePayoff:
    return _nothing_below(natural(target, "target"), [1], run)


def beating(score: int, tie: RationalLike = 0, run: Run = DEFAULT) -> ScorePayoff:
    return _nothing_below(natural(score, "score"), [probability(tie, "tie"), 1], run)


def beating_distribution(
    opponent: Distribution[int], tie: RationalLike = 0, run: Run = DEFAULT
) -> ScorePayoff:
    """Return the probability to beat an opponent's score, plus `tie` times that of a tie."""
    shared = probability(tie, "tie")
    scores = [natural(score, "opponent") for score in opponent]
    run.require(_BYTES_A_SCORE * max(scores), f"the payoffs of {max(scores)} scores")
    chances = [opponent.probability(score) for score in range(max(scores) + 2)]
    below = mpq(0)
    payoffs: list[mpq] = []
    for chance in chances:
        payoffs.append(below + shared * chance)
        below += chance
    return ScorePayoff.of(payoffs)


@dataclass(frozen=True)
class AimedAt:
    rounds: int
    ladder: Ladder
    state: State | None  # None for the beginning of a game
    now: int  # the round that begins
    value: mpq
    advice: Sequence[Advice]  # empty after the last round


@dataclass(frozen=True, repr=False, eq=False)
class PayoffSolution:
    """The greatest expected payoff, with a policy that attains it; returned by `maximise`."""

    rounds: int
    ladder: Ladder
    payoff: ScorePayoff
    # for each multiset of dice, the values right after the move that made it, without legacy, with
    # 1, 2, … rounds left, for the scores 0 … cap, over `_denominator`
    afterstates: Mapping[Dice, list[Block]] = field(default_factory=dict)

    @property
    def value(self) -> mpq:
        return self.value_at(rules.empty_table(self.ladder), self.rounds)

    def value_at(self, state: State, left: int) -> mpq:
        if natural(left, "rounds left", most=self.rounds) == 0:
            score = min(rules.check_state(*state, self.ladder).score, self.payoff.cap)
            return mpq(self.payoff.numerators[score], self.payoff.denominator)
        return max(advice.value for advice in self.actions(state, left))

    def at(self, state: State | None, now: int) -> AimedAt:
        """Evaluate the state that begins a round, by default the empty table."""
        here = rules.empty_table(self.ladder) if state is None else state
        left = self.rounds - now + 1
        advice = self.actions(here, left) if left else []
        return AimedAt(self.rounds, self.ladder, state, now, self.value_at(here, left), advice)

    def actions(self, state: State, left: int) -> list[Advice]:
        state = rules.check_state(*state, self.ladder)
        left = natural(left, "rounds left", least=1, most=self.rounds)
        if rules.weight(state.dice) > self.rounds - left:
            got = Unquoted(f"dice that take {rules.weight(state.dice)} rounds to make")
            raise InputError("state", got, f"dice of at most {self.rounds - left} rounds")
        score = min(state.score, self.payoff.cap)
        of_actions: dict[Action, mpq] = {}
        for action in rules.legal_actions(state):
            after = rules.act(state, action)
            if action.kind is ActionKind.FIX:
                blocks = self._backwards(state.dice, left)
                split = tuple(k for k, n in zip(after.revenue, after.dice, strict=True) if n)
                values = next(islice(blocks, left - 1, None))[split]
            else:
                values = self.afterstates[after.revenue][left - 1]
            scale = self._denominator(sum(after.dice), left)
            of_actions[action] = mpq(values[score], scale)
        best = max(of_actions.values())
        return [Advice(a, value, best - value, value == best) for a, value in of_actions.items()]

    def _denominator(self, number: int, left: int) -> mpz:
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
                values = _best_fix(rolled) * common**left  # the denominator of one more die
                values[(-1,) * len(shape)] = self._best_improvement(dice, left)

    def _best_improvement(self, dice: Dice, left: int) -> Block:
        number = sum(dice)
        best: Block = None
        for after in successors(dice):
            scale = self._denominator(number + 1, left) // self._denominator(sum(after), left)
            values = self.afterstates[after][left - 1] * scale
            best = values if best is None else np.maximum(best, values)
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
    rounds, ladder = natural(rounds, "rounds"), Ladder.of(ladder)
    dice = (rules.empty_table(ladder) if start is None else rules.check_state(*start, ladder)).dice
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
    """Values before the survivors of each split score: V(s + survivors) at s."""
    gained = np.empty(values.shape, dtype=object)
    top = values.shape[-1] - 1
    scores = np.arange(top + 1)
    for split in np.ndindex(values.shape[:-1]):
        survivors = sum(split)
        reached = np.minimum(scores + survivors, top) if survivors else np.zeros_like(scores)
        gained[split] = values[split][reached]
    return gained


def _best_fix(rolled: Block) -> Block:
    best = np.full(rolled.shape, rolled.min(), dtype=object)
    for axis in range(rolled.ndim - 1):
        every_below = (slice(None),) * axis
        broken = (*every_below, slice(0, -1))
        best[broken] = np.maximum(best[broken], rolled[(*every_below, slice(1, None))])
    return best


_A_PAIR = 500  # bytes of a moment, with its moves; measured: 490 for 6 rounds

Moment: TypeAlias = tuple[int, State, State]
"""The moves left to both players, and the states of the first and the second."""


@dataclass(frozen=True)
class Difference:
    """A state of both players in which no move for points is optimal."""

    round: int  # from 1
    player: int  # who moves, 1 or 2
    own: State  # of that player
    other: State
    to_win: Action  # the first optimal move
    for_points: Action  # the first move for points
    loss: mpq  # regret of the best move for points


@dataclass(frozen=True)
class Rivals(Reported, by="exactdice.games.swe.reports.aims:rivals_report"):
    """The solved game of two players."""

    rounds: int
    tie: mpq
    ladder: Ladder
    value: mpq  # to the first player
    points_value: mpq  # the same if both play for points
    differences: tuple[Difference, ...]  # in order of rounds
    pairs: int

    def __str__(self) -> str:
        return f"{self.rounds} rounds of two in turn: value {self.value} to the first"


def rivals(
    rounds: int, tie: RationalLike = "1/2", ladder: Ladder = STANDARD, run: Run = DEFAULT
) -> Rivals:
    """Solve the game of two players in turn order: 5 rounds in a second, 6 in 10 s."""
    length, worth = natural(rounds, "rounds", least=1), probability(tie, "tie")
    layers = _layers(length, ladder, run)
    alone = solve(length, ladder)

    @cache
    def for_points(state: State, left: int) -> tuple[Action, ...]:
        return alone.candidates(state, left).optimal(state.score)

    table = point_mass(rules.empty_table(ladder))
    for left in range(length, 0, -1):
        chances = table.probabilities().items()
        table = mixture((p, rules.outcomes(s, for_points(s, left)[0], ladder)) for s, p in chances)
    # Both play for points separately and with the same policy, so each is ahead equally often.
    even = sum((p**2 for p in table.map(lambda s: s.score).probabilities().values()), mpq(0))
    best = exact_optimum(as_game_of_two(length, worth, ladder), run)
    return Rivals(
        length,
        worth,
        ladder,
        best.value.exact,
        (1 - even) / 2 + worth * even,
        tuple(_differences(layers, best, for_points, run)),
        sum(len(layer) ** 2 for layer in layers),
    )


def as_game_of_two(rounds: int, tie: mpq, ladder: Ladder) -> Game[Moment]:
    @cache
    def moved(state: State) -> list[tuple[Action, Distribution[State]]]:
        return [(a, rules.outcomes(state, a, ladder)) for a in rules.legal_actions(state)]

    def moves(moment: Moment) -> End | Turn[Moment]:
        left, first, second = moment
        if not left:
            return End(int(first.score > second.score) + tie * (first.score == second.score))
        after, player = left - 1, 1 + left % 2
        if player == 2:
            laws = ((action, law.map(lambda s: (after, first, s))) for action, law in moved(second))
        else:
            laws = ((action, law.map(lambda s: (after, s, second))) for action, law in moved(first))
        return Turn(player, [Choice(action, 0, law) for action, law in laws])

    return Game((2 * rounds, rules.empty_table(ladder), rules.empty_table(ladder)), moves)


def _layers(rounds: int, ladder: Ladder, run: Run) -> list[list[State]]:
    layers = [[rules.empty_table(ladder)]]
    for _ in range(rounds):
        laws = (
            rules.outcomes(s, action, ladder)
            for s in layers[-1]
            for action in rules.legal_actions(s)
        )
        layers.append(list(dict.fromkeys(chain.from_iterable(laws))))
        run.require(_A_PAIR * 2 * len(layers[-1]) ** 2, f"{rounds} rounds of two players")
    return layers


def _differences(
    layers: Sequence[Sequence[State]],
    best: Optimum[Moment],
    for_points: Callable[[State, int], Sequence[Action]],
    run: Run,
) -> Iterator[Difference]:
    rounds = len(layers) - 1
    for done in range(rounds):
        run.tell("rounds", done, rounds)
        for player in (1, 2):
            for first, second in product(layers[done + player - 1], layers[done]):
                own, other = (first, second) if player == 1 else (second, first)
                moment = 2 * (rounds - done) - player + 1, first, second
                points = for_points(own, rounds - done)
                if best.action(moment) not in points:  # one of them may still be optimal
                    regrets = best.regret(moment)
                    if loss := min(regrets[action].lower for action in points):
                        to_win = best.optimal_actions(moment)[0]
                        yield Difference(done + 1, player, own, other, to_win, points[0], loss)
