"""The choice of a method of evaluation by work, and its refinement, with fake results."""

from types import SimpleNamespace

import pytest
from measured import asking
from policy_oracle import Cautious

from exactdice.arithmetic import mpq
from exactdice.enclosure import Enclosure
from exactdice.errors import TooLargeError
from exactdice.games.swe.distributions import evaluation
from exactdice.games.swe.distributions.players import NewOnlyPolicy, Promo
from exactdice.games.swe.rules import STANDARD
from exactdice.games.swe.sources import LEVELS
from exactdice.run import DEFAULT, Run

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


def test_the_least_of_bounds_in_doubles_is_one_in_ten_to_the_fifteen(monkeypatch):
    asked = []

    def distribution_from_below(*_, least, **__):
        asked.append(least)
        return UNSURE, 1

    monkeypatch.setattr(evaluation, "distribution_from_below", distribution_from_below)
    assert evaluation.refined_in_doubles(Promo(), ROUNDS, STANDARD, 9, 10) is UNSURE
    assert asked[-1] == mpq(1, 10**15)


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
    with pytest.raises(TooLargeError, match="NewOnly over 4 rounds makes more than 4 different"):
        evaluation.ExactWeights.plan(NewOnlyPolicy(), ROUNDS, STANDARD, most=4)


@pytest.mark.parametrize("told", [None, True, False])
def test_doubles_are_used_on_request_or_if_possible(told, monkeypatch):
    known = KNOWN[0], KNOWN[1], SimpleNamespace(), 9
    asked = []
    monkeypatch.setattr(evaluation, "_evaluate", lambda *given: asked.append(given[4]) or known)
    for can_be in (True, False):
        monkeypatch.setattr(evaluation, "encloses_in_doubles", lambda *_, can_be=can_be: can_be)
        evaluation.evaluate(Promo(), ROUNDS, in_doubles=told)
    assert asked == ([True, False] if told is None else [told, told])


def test_progress_of_a_distribution_is_in_thousandths(monkeypatch):
    def distribution_from_below(*_, progress, **__):
        progress(0.25)
        return {0: evaluation.swe_outlook.DENOMINATOR}, 1

    monkeypatch.setattr(evaluation.swe_outlook, "law_from_below", distribution_from_below)
    news = []
    run = Run(progress=lambda *said: news.append(said))
    evaluation.distribution_from_below(Promo(), ROUNDS, least=1, run=run)
    assert news == [("thousandths", 250, 1000)]
