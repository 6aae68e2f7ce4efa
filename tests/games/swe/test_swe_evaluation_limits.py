"""The choice of an evaluation by work, with fake results; bounds; and simulated games."""

from fractions import Fraction
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest
from gmpy2 import mpz
from hypothesis import given
from hypothesis import strategies as st
from measured import asking
from swe_oracle import Cautious

from exactdice.arithmetic import mpq, to_fraction
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, TooLargeError
from exactdice.games.swe.distributions import ScoreDistribution, Span, evaluation, simulation
from exactdice.games.swe.distributions.evaluation import evaluate
from exactdice.games.swe.distributions.forward import AllRevenue, RoundedWeights
from exactdice.games.swe.distributions.listed import Optimal, evaluate_optimal
from exactdice.games.swe.distributions.players import NewOnlyPolicy, Promo, policy_from_text
from exactdice.games.swe.distributions.simulation import Sample, simulate
from exactdice.games.swe.model import as_game, lookahead
from exactdice.games.swe.optimum.exact import solve
from exactdice.games.swe.rules import STANDARD, Ladder
from exactdice.games.swe.sources import LEVELS, Figures
from exactdice.run import DEFAULT, Run
from exactdice.solve.play import play, played, played_by_seed, total_regret
from exactdice.studies.swe.policies import mean_z_score, percentile_z_score

ROUNDS = 4


@pytest.fixture
def ways(monkeypatch):
    """A game whose runs take 7 products of numbers of 256 bits, with scores up to 9.

    A packed score has 256 // 128 + 1 words for every other score, and one: 3·(9 // 2 + 1) = 15.
    """
    found = SimpleNamespace(sets=ROUNDS + 1, asked=[])
    dist = SimpleNamespace(weights={0: 1, 8: 1}, mean=lambda: "mean", variance=lambda: "variance")

    def plan(*_):
        if found.sets is None:
            raise TooLargeError("too many sets of dice")
        return SimpleNamespace(final=2**255, after=range(found.sets))

    def enclose(name):
        def enclosed(*arguments):
            found.asked.append((name, *arguments[3:]))
            return dist

        return enclosed

    monkeypatch.setattr(evaluation.ExactWeights, "plan", plan)
    monkeypatch.setattr(evaluation, "_products", lambda _: 7)
    monkeypatch.setattr(evaluation, "largest_score", lambda *_: 9)
    monkeypatch.setattr(evaluation, "exact_distribution", lambda *_: dist)
    monkeypatch.setattr(evaluation, "exact_moments", lambda *_: (mpq(1), mpq(2)))
    monkeypatch.setattr(evaluation, "_refined_in_integers", enclose("integers"))
    monkeypatch.setattr(evaluation, "refined_in_doubles", enclose("doubles"))
    found.evaluate = lambda policy, work, in_doubles=False: evaluation._evaluate.__wrapped__(
        policy, ROUNDS, STANDARD, work, in_doubles, DEFAULT
    )
    return found


KNOWN = Enclosure(mpq(1), mpq(1)), Enclosure(mpq(2), mpq(2))


@pytest.mark.parametrize(("policy", "share"), [(Promo(), 20), (Cautious(), 1)])
def test_a_distribution_is_exact_up_to_the_work_that_it_takes(policy, share, ways):
    """Or a twentieth of it, where moments are exact without the distribution."""
    assert ways.evaluate(policy, 7 * 15 * share)[3] == 8  # the greatest score of the distribution
    assert not ways.asked
    assert ways.evaluate(policy, 7 * 15 * share - 1)[3] == 9
    assert len(ways.asked) == 1


@pytest.mark.parametrize(("sets", "first"), [(ROUNDS + 1, 2), (ROUNDS + 2, 1), (None, 0)])
def test_few_sets_of_dice_start_at_a_fine_stage(sets, first, ways):
    ways.sets = sets
    ways.evaluate(Promo(), 9)
    assert ways.asked == [("integers", 9, 9, evaluation._STAGES[first:])]
    ways.asked.clear()
    ways.evaluate(Promo(), 9, in_doubles=True)
    assert ways.asked == [("doubles", 9, 9, DEFAULT)]


@pytest.mark.parametrize(("policy", "work", "sets", "exact"), [
    # Seven products of 3·3 words, each with a hundred of what comes with it.
    (Promo(), 7 * 109, ROUNDS, True), (Promo(), 7 * 109 - 1, ROUNDS, False),
    (NewOnlyPolicy(), 1, ROUNDS, True), (NewOnlyPolicy(), 1, None, False),
    (Cautious(), 7 * 15 - 1, ROUNDS, False),
])  # fmt: skip
def test_moments_are_exact_if_the_walk_is_short(policy, work, sets, exact, ways):
    ways.sets = sets
    assert ways.evaluate(policy, work)[:2] == (KNOWN if exact else ("mean", "variance"))


def test_an_unknown_largest_score_is_bounded_by_always_creating(ways, monkeypatch):
    monkeypatch.setattr(evaluation, "largest_score", lambda *_: None)
    ways.evaluate(Promo(), 1)
    assert ways.asked[0][1] == 1 + 2 + 3 + 4


def known(missing, width, *, certified=True):
    return SimpleNamespace(
        missing=mpq(missing),
        certifies=lambda levels: certified and list(levels) == list(LEVELS.values()),
        mean=lambda: Enclosure(mpq(5), 5 + mpq(width)),
    )


FAR, UNSURE, CLOSE = known("1/10", 1), known("1/20", 0, certified=False), known("1/30", "1/1001")
LIMIT = known("1/25", "1/1000")


@pytest.mark.parametrize(("answers", "chosen", "steps"), [
    ([(CLOSE, 1)], 0, 1), ([(FAR, 1), (UNSURE, 1), (LIMIT, 1), (CLOSE, 1)], 3, 4),
    ([(UNSURE, 1), (FAR, 1), (CLOSE, 1)], 2, 3),
    ([(FAR, 150)], None, 2),  # twice as many are 300, which are all: there is no answer
    ([(FAR, 151)], 0, 1),
    ([(UNSURE, 1), (FAR, 151)], 0, 2),  # what missed less is kept
    ([(FAR, 1), TooLargeError("memory")], 0, 2), ([TooLargeError("memory")], None, 1),
])  # fmt: skip
def test_bounds_in_doubles_are_refined_until_close_or_over_the_limit(
    answers, chosen, steps, monkeypatch
):
    asked = []

    def distribution_from_below(*_, least, largest, most_products, run):
        # 30 products take as long as one word operation.
        assert (largest, most_products, run) == (9, 300, DEFAULT)
        asked.append(least)
        answer = answers[len(asked) - 1] if len(asked) <= len(answers) else LookupError()
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(evaluation, "distribution_from_below", distribution_from_below)

    def refined():
        return evaluation.refined_in_doubles(Promo(), ROUNDS, STANDARD, 9, 10)

    if chosen is None:
        with pytest.raises((TooLargeError, LookupError)):
            refined()
    else:
        assert refined() is answers[chosen][0]
    assert asked == [mpq(1, 10**exponent) for exponent in range(4, 4 + steps)]


@pytest.mark.parametrize(("dists", "works", "steps"), [
    ([CLOSE], [1], 1),
    ([UNSURE, CLOSE], [25, 1], 2),  # the next stage takes four times as much: all there is
    ([UNSURE], [26], 1), ([UNSURE] * 4, [1] * 4, 4),
])  # fmt: skip
def test_bounds_in_integers_are_refined_until_certified_or_over_the_limit(
    dists, works, steps, monkeypatch
):
    asked = []

    def enclosed_distribution(*_, work, largest, **stage):
        assert (work, largest) == (100, 9)
        asked.append(tuple(stage.values()))
        return dists[len(asked) - 1], works[len(asked) - 1]

    monkeypatch.setattr(evaluation, "enclosed_distribution", enclosed_distribution)
    stages = evaluation._STAGES
    found = evaluation._refined_in_integers(Promo(), ROUNDS, STANDARD, 9, 100, stages)
    assert found is dists[-1]
    assert asked == list(stages[:steps])


@pytest.mark.parametrize("rounds", [1, 5, 12])
def test_memory_of_a_distribution_is_two_words_for_each_possible_score(rounds):
    """Of 28 distributions for each round, as its estimate says."""
    run, asked = asking()
    evaluation.evaluate(NewOnlyPolicy(), rounds, run=run)
    scores = sum(range(1, rounds + 1))
    assert asked == [(28 * rounds * scores * 2 * 8, f"the distribution of {rounds} rounds")]


def test_sets_of_dice_are_planned_up_to_their_limit():
    # Creating alone makes from none to four d4 in four rounds: five sets.
    plan = evaluation.ExactWeights.plan(NewOnlyPolicy(), ROUNDS, STANDARD, most=5)
    assert len(plan.after) == 5


@pytest.mark.parametrize("told", [None, True, False])
def test_doubles_are_used_on_request_or_if_possible(told, monkeypatch):
    known = KNOWN[0], KNOWN[1], SimpleNamespace(), 9
    asked = []
    monkeypatch.setattr(evaluation, "_evaluate", lambda *given: asked.append(given[4]) or known)
    for can_be in (True, False):
        monkeypatch.setattr(evaluation, "encloses_in_doubles", lambda *_, can_be=can_be: can_be)
        evaluation.evaluate(Promo(), ROUNDS, in_doubles=told)
    assert asked == ([True, False] if told is None else [told, told])


def test_progress_and_least_of_bounds_in_doubles(monkeypatch):
    def distribution_from_below(*_, run, **__):
        run.tell_part(0.25)
        return {0: evaluation.swe_outlook.DENOMINATOR}, 1

    monkeypatch.setattr(evaluation.swe_outlook, "law_from_below", distribution_from_below)
    news = []
    run = Run(progress=lambda *said: news.append(said))
    evaluation.distribution_from_below(Promo(), ROUNDS, least=1, run=run)
    assert news == [("thousandths", 250, 1000)]
    asked = []

    def distribution_from_below(*_, least, **__):
        asked.append(least)
        return UNSURE, 1

    monkeypatch.setattr(evaluation, "distribution_from_below", distribution_from_below)
    assert evaluation.refined_in_doubles(Promo(), ROUNDS, STANDARD, 9, 10) is UNSURE
    assert asked[-1] == mpq(1, 10**15)


TRUE = st.lists(st.integers(0, 20), min_size=1, max_size=8).filter(any)


def hide(weights, hidden):
    """The distribution with a part of its weights left out, and its denominator."""
    kept = {s: max(0, w - h) for s, (w, h) in enumerate(zip(weights, hidden, strict=True))}
    return ScoreDistribution(
        {s: w for s, w in kept.items() if w}, sum(weights), largest=len(weights) - 1
    )


@given(data=st.data(), weights=TRUE, level=st.fractions(Fraction(1, 50), 1))
def test_bounds_contain_the_true_values(data, weights, level):
    hidden = data.draw(st.lists(st.integers(0, 5), min_size=len(weights), max_size=len(weights)))
    dist, total = hide(weights, hidden), sum(weights)

    def inside(true, bounds):
        return to_fraction(bounds.lower) <= true <= to_fraction(bounds.upper)

    mean = Fraction(sum(s * w for s, w in enumerate(weights)), total)
    square = Fraction(sum(s * s * w for s, w in enumerate(weights)), total)
    assert inside(mean, dist.mean())
    assert inside(square - mean**2, dist.variance())
    cumulative = [Fraction(sum(weights[: s + 1]), total) for s in range(len(weights))]
    for score, chance in enumerate(cumulative):
        assert inside(chance, dist.cdf(score))
        assert inside(1 - chance, dist.reaches(score + 1))
    quantile = next(s for s, chance in enumerate(cumulative) if chance >= level)
    span = dist.quantile(level)
    assert span.low <= quantile <= span.high
    if not any(min(h, w) for h, w in zip(hidden, weights, strict=True)):
        assert dist.exact
        assert span.certified
        assert dist.distribution().quantile(level) == quantile
        assert dist.mean().point is not None


def test_bounds_of_a_distribution_with_missing_probability():
    dist = ScoreDistribution({0: 49, 1: 49}, 100, largest=9)
    assert dist.quantile("0.4") == Span(0, 0)
    assert dist.quantile("0.5") == Span(0, 1)
    assert dist.quantile("0.99") == Span(1, 9)
    assert [str(dist.quantile(level)) for level in ("0.4", "0.99")] == ["0", "1…9"]
    assert dist.quantile("0.01") == Span(0, 0)
    dist = ScoreDistribution({0: 1}, 2, largest=3)
    assert dist.cdf(3) == Enclosure(mpq(1, 2), mpq(1))
    assert dist.reaches(4) == Enclosure(mpq(0), mpq(1, 2))


BITS = 64
CHANCES = st.integers(2, 2**32).flatmap(lambda q: st.tuples(st.integers(1, q - 1), st.just(q)))
SMALL = st.integers(2, 99).flatmap(lambda q: st.tuples(st.integers(1, q - 1), st.just(q)))


@given(
    low=st.integers(0, 2**BITS), high=st.integers(2 ** (BITS - 1), 2**BITS),
    chance=st.one_of(SMALL, CHANCES), grain=st.integers(1, 40),
)  # fmt: skip
def test_rounding_of_a_probability_is_less_than_its_grain(low, high, chance, grain):
    weights = RoundedWeights(Ladder(4), bits=BITS, grain=grain, least=BITS, slots=2)
    packed = low + (mpz(high) << weights.width)
    after = weights.enter(packed, mpq(*chance), AllRevenue((1,), 0), (2,))
    upper, lower = divmod(after, mpz(1) << weights.width)
    # Of the chance of one case in so many, less than a part in 2^(grain − 1); and less than a unit.
    lost = Fraction(2, mpq(*chance).denominator << grain)
    for before, rounded in ((low, lower), (high, upper)):
        true = before * Fraction(*chance)
        assert true - before * lost - 1 < rounded <= true


def test_the_same_random_seed_gives_the_same_games():
    def scores(seed):
        return simulate(policy_from_text("Rand(1/3)"), 12, 200, seed).scores.tolist()

    assert scores(4) == scores(4)
    assert scores(4) != scores(5)


def within(sample, evaluation, errors=5):
    """Mean and percentiles lie within so many standard errors of the exact distribution."""
    p = [sample.quantile(level) for level in LEVELS.values()]
    drawn = Figures(str(sample.mean), *p, sample.quantile(1))
    distances = [mean_z_score(drawn, evaluation, sample.games)]
    for figure, level in zip(p, LEVELS.values(), strict=True):
        distances.append(percentile_z_score(figure, level, evaluation.scores, sample.games))
    assert all(to_fraction(d.size.square) < errors**2 for d in distances)
    assert drawn.max <= evaluation.largest
    return True


@pytest.mark.parametrize(
    "name", ["NewOnly", "Promo", "PromoOnce", "ExpLegacy(0.5)", "Rand(0.3)", "PromoThenNew(0.4)"]
)
def test_many_games_agree_with_the_exact_distribution(name):
    policy = policy_from_text(name)
    assert within(simulate(policy, 12, 20000, seed=1), evaluate(policy, 12))


@pytest.mark.slow
def test_games_of_other_ladders_and_players_agree_with_the_exact_distribution():
    ladder = Ladder(2, 3, 7)
    policy = policy_from_text("Rand(0.5)")
    assert within(simulate(policy, 9, 20000, 2, ladder), evaluate(policy, 9, ladder))
    solution = solve(8, Ladder(2, 9))
    sample = simulate(Optimal(solution), 8, 20000, 3, solution.ladder)
    assert within(sample, evaluate_optimal(solution))
    assert within(simulate(Cautious(), 12, 20000, 4), evaluate(Cautious(), 12))

    def first(_moment, turn, _side):  # in the canonical order: NewOnly
        return turn[0].action

    game, draw = as_game(3), Random(1)  # noqa: S311
    sample = Sample.of([int(played(game, first, draw)) for _ in range(1000)])
    assert within(sample, evaluate(NewOnlyPolicy(), 3))


def test_games_are_played_in_batches(monkeypatch):
    monkeypatch.setattr(simulation, "BATCH", 30)
    steps = []
    sample = simulate(
        NewOnlyPolicy(), 4, 100, run=Run(progress=lambda *news: steps.append(news[1:]))
    )
    assert sample.games == 100
    assert steps == [(30, 100), (60, 100), (90, 100), (100, 100)]


def test_statistics_of_samples_are_exact():
    # By hand: mean 2^62 + 1, and both scores lie 1 away from it.
    sample = Sample.of([mpz(2**62), 2**62 + 2])
    assert (sample.mean, sample.variance) == (2**62 + 1, 2)
    sample = Sample.of(np.array([5, 1, 1, 3]))
    assert (sample.mean, sample.variance) == (mpq(5, 2), mpq(11, 3))  # by hand
    assert [sample.quantile(q) for q in ("0.01", "1/2", "0.51", "0.75", 1)] == [1, 1, 3, 3, 5]
    assert Sample.of([7]).variance == 0
    with pytest.raises(InputError, match="above 0"):
        sample.quantile(0)


def test_costs_of_choices_are_their_regrets():
    solution = solve(5)
    look, draw = lookahead(solution), Random(2)  # noqa: S311
    steps, _ = play(look, lambda moment, player, regrets: max(regrets, key=str), draw)
    for (_, moment, action, _), lost in ((step, step.regret.point) for step in steps):
        judged = {str(each.action): each.regret for each in solution.actions(*moment)}
        assert lost == judged[action]
    assert total_regret(steps).point > 0
    best, _ = played_by_seed(look, 2, None)
    assert [step.action for step in best] == [
        str(solution.optimal_action(*step.state)) for step in best
    ]
    assert total_regret(best).point == 0


def test_limits_on_faces_and_memory_of_a_simulation():
    most = 2**62 - 1
    assert simulate(NewOnlyPolicy(), 1, 1, ladder=Ladder(4, most)).games == 1
    run, asked = asking()
    simulate(NewOnlyPolicy(), 1, 7, run=run)
    assert asked == [(7 * 2 * 8, "the scores of 7 games")]
