r"""How good a policy is: mean, variance and distribution of the final score.

`evaluate` returns what the size permits: the exact distribution, or else lower bounds, refined
until the percentiles of the README's tables are certified or the work limit is reached. Mean and
variance are exact, too, if the walk through the blocks is short enough. The bounds are integers, or
doubles by the C++ solver, many times faster (`exactdice.native.swe_outlook`).

Work is counted in word operations: for every entry of a block that is rolled, the products that it
takes, times the machine words of a packed score. It never depends on the clock, so the same
question always gets the same answer. One processor of 2024 does about 3·10⁸ of them a second.

The largest score of positive probability has a walk of its own (`largest_score`). Between the
all-revenue states of a block (`exactdice.games.swe.distributions.forward`) the best games lose no
die, or one in each round, so they can wait for any number of rounds.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, prod
from typing import TypeAlias

from exactdice.arithmetic import RationalLike, mpq, mpz, natural
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, TooLargeError, Unquoted
from exactdice.games.swe.distributions import Moments, Polynomials, ScoreDistribution, Span, forward
from exactdice.games.swe.distributions.forward import AllRevenue, ExactWeights, RoundedWeights
from exactdice.games.swe.distributions.players import (
    NewOnlyPolicy,
    PolicyMoment,
    Repairs,
    RulePolicy,
)
from exactdice.games.swe.rules import CREATE, STANDARD, Dice, Ladder
from exactdice.games.swe.sources import LEVELS
from exactdice.native import are_built, swe_outlook
from exactdice.run import DEFAULT, Run

#: Word operations of `evaluate` for one distribution or one pair of moments: about a minute.
WORK_LIMIT = 2 * 10**10

_KEPT = 28  # distributions in memory for each round; an estimate from below
#: Part of the limit for an exact distribution if its moments are exact without it.
_EXACT_SHARE = 20
_STAGES = ((48, 32, 14), (48, 32, 20), (48, 32, 28), (64, 40, 40))  # bits, grain, least
_STAGE_FACTOR = 4  # work of a stage by that of the one before, about
_BOUNDS = tuple(mpq(1, 10**exponent) for exponent in range(4, 16))
_CLOSE = mpq(1, 1000)
_GROWTH = 2  # the next bound takes 1.5 to 3.6 times as much, measured over 30, 60 and 100 rounds
_PRODUCTS = 30  # that take as long as a word operation, on two cores


Stages: TypeAlias = Sequence[tuple[int, int, int]]


@dataclass(frozen=True)
class Evaluation:
    """Mean, variance, distribution and largest value of the final score under a policy."""

    policy: str  # its name
    rounds: int
    ladder: Ladder
    mean: Enclosure  # a point if exact, as is the variance
    variance: Enclosure
    scores: ScoreDistribution
    largest: int | None  # score of positive probability; None if unknown

    @property
    def exact_mean(self) -> mpq | None:
        return self.mean.point

    @property
    def percentiles(self) -> dict[str, Span]:
        return {name: self.scores.quantile(level) for name, level in LEVELS.items()}


def evaluate(
    policy: RulePolicy,
    rounds: int,
    ladder: Ladder = STANDARD,
    *,
    work: int = WORK_LIMIT,
    in_doubles: bool | None = None,
    run: Run = DEFAULT,
) -> Evaluation:
    rounds, ladder = _checked(policy, rounds, ladder)
    kept = _KEPT * rounds  # distributions of all possible scores, two words each
    run.require(kept * rounds * (rounds + 1) // 2 * 16, f"the distribution of {rounds} rounds")
    if in_doubles is None:
        in_doubles = encloses_in_doubles(rounds, ladder)
    circumstances = Run(run.memory, run.workers, seconds=run.seconds, since=run.since)
    known = _evaluate(policy.simplified(), rounds, ladder, work, in_doubles, circumstances)
    return Evaluation(policy.name, rounds, ladder, *known)


def encloses_in_doubles(rounds: int, ladder: Ladder) -> bool:
    return are_built() and swe_outlook.takes(rounds, ladder)


def _checked(policy: RulePolicy, rounds: int, ladder: Ladder) -> tuple[int, Ladder]:
    if policy.repairs is Repairs.OTHER:
        wanted = "a policy that fixes the highest or the lowest rung first; simulate others"
        raise InputError("policy", Unquoted(policy.name), wanted)
    return natural(rounds, "rounds"), Ladder.of(ladder)


@lru_cache(maxsize=256)
def _evaluate(
    policy: RulePolicy, rounds: int, ladder: Ladder, work: int, in_doubles: bool, circumstances: Run
) -> tuple[Enclosure, Enclosure, ScoreDistribution, int | None]:
    largest = largest_score(policy, rounds, ladder)
    bound = rounds * (rounds + 1) // 2 if largest is None else largest
    stages: Stages = _STAGES
    moments_too = False
    try:
        plan = ExactWeights.plan(policy, rounds, ladder)
    except TooLargeError:  # no exact run; the enclosure leaves out most blocks
        pass
    else:
        words = plan.final.bit_length() // 128 + 1  # of a slot, on average
        products = _products(plan)
        share = 1 if policy.looks_at_score else _EXACT_SHARE
        if products * words * (bound // 2 + 1) <= work // share:
            scores = exact_distribution(policy, rounds, ladder, plan)
            return scores.mean(), scores.variance(), scores, max(scores.weights)
        stages = _STAGES[2:] if len(plan.after) <= rounds + 1 else _STAGES[1:]
        short = products * (3 * words + 100) <= work and not policy.looks_at_score
        moments_too = short or type(policy) is NewOnlyPolicy
    game = policy, rounds, ladder, bound, work
    if in_doubles:
        scores = refined_in_doubles(*game, circumstances)
    else:
        scores = _refined_in_integers(*game, stages)
    if moments_too:
        mean, variance = exact_moments(policy, rounds, ladder)
        return Enclosure.of(mean), Enclosure.of(variance), scores, largest
    return scores.mean(), scores.variance(), scores, largest


def _refined_in_integers(
    policy: RulePolicy, rounds: int, ladder: Ladder, largest: int, work: int, stages: Stages
) -> ScoreDistribution:
    for stage in stages:
        how: dict[str, int] = dict(zip(("bits", "grain", "least"), stage, strict=True))
        how |= {"largest": largest, "work": work}
        scores, spent = enclosed_distribution(policy, rounds, ladder, **how)
        if scores.certifies(LEVELS.values()) or _STAGE_FACTOR * spent > work:
            break
    return scores


def distribution_from_below(
    policy: RulePolicy,
    rounds: int,
    ladder: Ladder = STANDARD,
    *,
    least: RationalLike,
    largest: int | None = None,
    most_products: int | None = None,
    run: Run = DEFAULT,
) -> tuple[ScoreDistribution, int]:
    """Bound the distribution from below with the C++ solver, and count its products."""
    rounds, ladder = _checked(policy, rounds, ladder)
    weights, products = swe_outlook.law_from_below(
        lambda dice, played: forward.moves(policy, AllRevenue(dice, played), rounds, ladder),
        rounds,
        ladder,
        lowest_first=policy.repairs is Repairs.LOWEST,
        least=least,
        most_products=most_products,
        run=run,
    )
    most = rounds * (rounds + 1) // 2 if largest is None else natural(largest, "largest")
    return ScoreDistribution(weights, swe_outlook.DENOMINATOR, most), products


def refined_in_doubles(
    policy: RulePolicy, rounds: int, ladder: Ladder, largest: int, work: int, run: Run = DEFAULT
) -> ScoreDistribution:
    """Refine the bounds until the percentiles are certified and the mean is within a thousandth."""
    most = work * _PRODUCTS
    best: ScoreDistribution | None = None
    for least in _BOUNDS:
        try:
            closer, products = distribution_from_below(
                policy, rounds, ladder, least=least, largest=largest, most_products=most, run=run
            )
        except TooLargeError:
            if best is None:
                raise
            break  # the bounds so far remain valid
        best = min(best or closer, closer, key=lambda either: either.missing)
        is_close = best.certifies(LEVELS.values()) and best.mean().width < _CLOSE
        if is_close or _GROWTH * products > most:
            break
    assert best is not None  # noqa: S101 - the first bound either raised or set it
    return best


def exact_distribution(
    policy: RulePolicy, rounds: int, ladder: Ladder = STANDARD, plan: ExactWeights | None = None
) -> ScoreDistribution:
    rounds, ladder = _checked(policy, rounds, ladder)
    plan = plan or ExactWeights.plan(policy, rounds, ladder)
    scores = Polynomials(plan.final.bit_length() + 1)
    weights = scores.weights(forward.carry_forward(policy, rounds, ladder, scores, plan))
    return ScoreDistribution(weights, mpz(plan.final), max(weights))


def exact_moments(policy: RulePolicy, rounds: int, ladder: Ladder = STANDARD) -> tuple[mpq, mpq]:
    rounds, ladder = _checked(policy, rounds, ladder)
    if policy.looks_at_score:
        wanted = "a policy that ignores the score; exact_distribution accepts the others"
        raise InputError("policy", Unquoted(policy.name), wanted)
    return _exact_moments(policy, rounds, ladder)


@lru_cache(maxsize=256)
def _exact_moments(policy: RulePolicy, rounds: int, ladder: Ladder) -> tuple[mpq, mpq]:
    if type(policy) is NewOnlyPolicy:
        return chain_moments(rounds, ladder[0])
    plan = ExactWeights.plan(policy, rounds, ladder)
    most = rounds * (rounds + 1) // 2
    scores = Moments(plan.final.bit_length() + 2 * most.bit_length())
    total, first, second = scores.sums(forward.carry_forward(policy, rounds, ladder, scores, plan))
    mean = mpq(first, total)
    return mean, mpq(2 * second + first, total) - mean**2


def chain_moments(rounds: int, faces: int = 4) -> tuple[mpq, mpq]:
    """Return mean and variance of the final score of NewOnly by a Markov chain.

    Every round adds one revenue die, and all dice are equal. So the number N_t of revenue dice
    after t rounds is a Markov chain with N_0 = 0 and N_t ~ Binomial(N_{t−1} + 1, 1 − 1/faces), and
    three sums for each N suffice. `exactdice.games.swe.new_only` has a closed form of the mean.

    O(R³) products of an integer of O(R² log faces) bits and one of O(R log faces).
    """
    rounds, faces = natural(rounds, "rounds"), natural(faces, "faces", least=2)
    # For each number of revenue dice: Σ w, Σ w·s, Σ w·s², over faces^(1 + 2 + … + t).
    weight, first, second = [mpz(1)], [mpz(0)], [mpz(0)]
    for t in range(1, rounds + 1):
        # Ways in which k of n dice survive: comb(n, k)·(faces − 1)^k of faces^n, times faces^(t−n).
        ways = [
            [comb(n, k) * mpz(faces - 1) ** k * mpz(faces) ** (t - n) for n in range(1, t + 1)]
            for k in range(t + 1)
        ]
        weight, first, second = (
            [sum((a * b for a, b in zip(row, old, strict=True)), mpz(0)) for row in ways]
            for old in (weight, first, second)
        )
        second = [
            z + 2 * k * y + k * k * x
            for k, (x, y, z) in enumerate(zip(weight, first, second, strict=True))
        ]
        first = [y + k * x for k, (x, y) in enumerate(zip(weight, first, strict=True))]
        first[0] = second[0] = mpz(0)
    denominator = mpz(faces) ** (rounds * (rounds + 1) // 2)
    mean = mpq(sum(first), denominator)
    return mean, mpq(sum(second), denominator) - mean**2


def enclosed_distribution(
    policy: RulePolicy,
    rounds: int,
    ladder: Ladder = STANDARD,
    *,
    bits: int = 64,
    grain: int | None = None,
    least: int = 40,
    largest: int | None = None,
    work: int | None = None,
) -> tuple[ScoreDistribution, int]:
    """Bound the distribution from below by `RoundedWeights`, and count the word operations."""
    rounds, ladder = _checked(policy, rounds, ladder)
    bits = natural(bits, "bits", least=1)
    least = natural(least, "least", most=bits)
    grain = 3 * bits // 4 if grain is None else grain
    largest = rounds * (rounds + 1) // 2 if largest is None else largest
    weights = RoundedWeights(ladder, bits=bits, grain=grain, least=least, slots=largest + 1)
    words = weights.width * (largest // 2 + 1) // 64 + 1
    weights.most_products = None if work is None else work // words
    scores = Polynomials(weights.width)
    packed = forward.carry_forward(policy, rounds, ladder, scores, weights)
    bounded = ScoreDistribution(scores.weights(packed), weights.one, largest)
    return bounded, weights.products * words


def _products(plan: ExactWeights) -> int:
    """Count the products of a run: for each block rounds × splits × Σ (number + 1)."""
    return sum(
        len(denominators) * prod(n + 1 for n in dice) * sum(n + 1 for n in dice if n)
        for dice, denominators in plan.after.items()
    )


MAX_WALKED = 20_000  # sets of dice after which the walk stops, in seconds


def largest_score(policy: RulePolicy, rounds: int, ladder: Ladder) -> int | None:
    """Find the largest score of positive probability, if the walk is short enough."""
    if _may_always_create(policy, rounds, ladder):
        return rounds * (rounds + 1) // 2
    return None if policy.looks_at_score else _walked(policy, rounds, ladder)


def _may_always_create(policy: RulePolicy, rounds: int, ladder: Ladder) -> bool:
    none = (0,) * (len(ladder) - 1)
    for made in range(rounds):
        turn, score = PolicyMoment(made + 1, rounds, ladder), made * (made + 1) // 2
        if CREATE not in policy.improvements((made, *none), turn, score):
            return False
    return True


def _walked(policy: RulePolicy, rounds: int, ladder: Ladder) -> int | None:
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
                for _, _, after, _ in forward.moves(
                    policy, AllRevenue(dice, round_), rounds, ladder
                ):
                    known = following[after].get(round_ + 1, 0)
                    following[after][round_ + 1] = max(known, score)
        level = following
    return best


def _all_revenue_scores(number: int, entering: dict[int, int], rounds: int) -> dict[int, int]:
    """Best score with all dice revenue after each round, given the best entering scores."""
    if not number:
        return {0: 0}
    best, waiting = {}, 0
    for round_ in range(min(entering), rounds + 1):
        best[round_] = max(entering.get(round_, 0), waiting) + number
        waiting = best[round_] - 1 if number > 1 else 0
    return best
