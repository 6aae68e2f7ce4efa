"""Distributions of policies against following every state, and against the README."""

import random
from fractions import Fraction

import pytest
from gmpy2 import mpq
from hypothesis import example, given, settings
from hypothesis import strategies as st
from swe_oracle import LADDERS, distribution_of, moments

from exactdice.arithmetic import to_fraction
from exactdice.errors import InputError
from exactdice.games.swe.distributions import ScoreDistribution
from exactdice.games.swe.distributions.evaluation import (
    enclosed_distribution,
    evaluate,
    exact_distribution,
    exact_moments,
    largest_score,
)
from exactdice.games.swe.distributions.listed import Optimal, evaluate_optimal
from exactdice.games.swe.distributions.players import (
    NewOnlyPolicy,
    PolicyMoment,
    Promo,
    PromoOnce,
    PromoThenNew,
    Rand,
    Repairs,
    RulePolicy,
    policy_from_text,
)
from exactdice.games.swe.distributions.simulation import simulate
from exactdice.games.swe.optimum.exact import solve
from exactdice.games.swe.rules import (
    STANDARD,
    Action,
    ActionKind,
    Ladder,
    State,
    act,
    legal_actions,
)
from exactdice.games.swe.sources import FIGURES, GAMES, LEVELS, Figures
from exactdice.run import Run
from exactdice.studies.swe.policies import PromoOnceLowest, mean_z_score, percentile_z_score

NAMES = st.one_of(
    st.sampled_from(["NewOnly", "Promo", "PromoOnce"]),
    st.builds(
        "{}({})".format,
        st.sampled_from(["Rand", "ExpLegacy", "PromoThenNew", "NewThenPromo"]),
        st.fractions(0, 1, max_denominator=12),
    ),
)


@settings(max_examples=40)
@example("ExpLegacy(0.5)", 6, STANDARD)
@example("Rand(1/2)", 6, STANDARD)
@given(name=NAMES, rounds=st.integers(0, 6), ladder=LADDERS)
def test_distribution_and_moments_agree_with_following_every_state(name, rounds, ladder):
    policy = policy_from_text(name)
    expected = distribution_of(policy, rounds, ladder)
    dist = exact_distribution(policy, rounds, ladder)
    chances = {s: to_fraction(p) for s, p in dist.distribution().probabilities().items()}
    assert chances == {score: chance for score, chance in expected.items() if chance}
    mean, variance = moments(expected)
    assert tuple(map(to_fraction, exact_moments(policy, rounds, ladder))) == (mean, variance)
    evaluation = evaluate(policy, rounds, ladder)
    assert to_fraction(evaluation.exact_mean) == mean
    assert evaluation.largest == max(chances)


@settings(max_examples=25)
@given(
    name=NAMES, rounds=st.integers(1, 6), ladder=LADDERS, bits=st.integers(8, 60),
    least=st.integers(3, 60),
)  # fmt: skip
def test_bounds_are_at_most_the_exact_probabilities(name, rounds, ladder, bits, least):
    policy = policy_from_text(name)
    expected = distribution_of(policy, rounds, ladder)
    dist, _ = enclosed_distribution(policy, rounds, ladder, bits=bits, least=min(bits, least))
    assert dist.missing >= 0
    for score, weight in dist.weights.items():
        assert to_fraction(mpq(weight, dist.denominator)) <= expected[score]
    mean, variance = moments(expected)
    assert to_fraction(dist.mean().lower) <= mean <= to_fraction(dist.mean().upper)
    assert to_fraction(dist.variance().lower) <= variance <= to_fraction(dist.variance().upper)


@pytest.mark.parametrize("rounds", [1, 5, 10, 12, 14])
def test_optimal_play_has_the_optimal_mean(rounds):
    solution = solve(rounds)
    assert evaluate_optimal(solution).scores.mean().lower == solution.value


def test_optimal_play_follows_choices_that_depend_on_the_score():
    # On this ladder nearly one decision in seven depends on the score.
    ladder = Ladder(2, 9)
    solution = solve(8, ladder)
    player, none = Optimal(solution), (0, 0)
    bends = [
        player.changes_at((a, b), PolicyMoment(8, 8, ladder)) for a in range(3) for b in range(3)
    ]
    assert any(bends)
    assert evaluate_optimal(solution).scores.mean().lower == solution.value
    short = solve(6, ladder)
    dist = distribution_of(Optimal(short), 6, ladder)
    chances = evaluate_optimal(short).scores.distribution().probabilities()
    assert {s: to_fraction(p) for s, p in chances.items()} == {s: p for s, p in dist.items() if p}
    assert player.improvements((1, 1), PolicyMoment(8, 8, ladder), 0)
    assert player.choices(State((1, 1), none, 8), PolicyMoment(8, 8, ladder)) == {
        Action(ActionKind.PROMOTE, 0): 1
    }


def test_optimal_players_know_their_game_and_mean():
    solution = solve(8, Ladder(2, 9))
    evaluation = evaluate_optimal(solution, work=1000, in_doubles=False)
    assert not evaluation.scores.exact
    assert evaluation.scores.mean().lower < solution.value < evaluation.scores.mean().upper
    assert evaluation.exact_mean == solution.value


def test_a_distribution_without_the_optimal_mean_is_rejected():
    class Claimed:
        def __init__(self, solution):
            self.solution = solution

        def __getattr__(self, name):
            return getattr(self.solution, name)

        @property
        def value(self):
            return self.solution.value + 1

    with pytest.raises(ArithmeticError, match="highest rung first"):
        evaluate_optimal(Claimed(solve(3)))


def rows(rounds):
    return FIGURES[rounds].items()


def named(name):
    return policy_from_text(name.replace("(", "AsRun(") if "Then" in name else name)


def consistent(evaluation, figures):
    """Whether all figures of a row are within 4 standard errors of the exact ones.

    The best game is the maximum of the sample, with the 10000th power of the cdf.
    """
    mean = to_fraction(mean_z_score(figures, evaluation).size.square)
    assert mean < 16
    for column, level in LEVELS.items():
        distance = percentile_z_score(getattr(figures, column), level, evaluation.scores)
        assert to_fraction(distance.size.square) < 16, column
    assert evaluation.scores.cdf(figures.max).upper ** GAMES > mpq(1, 10000)
    assert evaluation.scores.cdf(figures.max - 1).lower ** GAMES < 1 - mpq(1, 10000)
    return True


# Sums of the columns of the README's three tables, added up from its text with awk.
COLUMN_SUMS = {
    10: ("404.4780", 209, 304, 420, 572, 615, 685, 832),
    30: ("1859.0177", 1094, 1523, 1941, 2403, 2533, 2778, 3298),
    100: ("9797.4320", 6983, 7823, 10024, 12243, 12694, 13524, 15377),
}


@pytest.mark.parametrize(("rounds", "sums"), COLUMN_SUMS.items())
def test_the_columns_add_up_as_those_of_the_readme_do(rounds, sums):
    columns = list(zip(*FIGURES[rounds].values(), strict=True))
    assert [sum(map(Fraction, column)) for column in columns] == list(map(Fraction, sums))


@pytest.mark.parametrize(("name", "figures"), rows(10), ids=str)
def test_figures_for_ten_rounds_agree_with_the_exact_distribution(name, figures):
    assert consistent(evaluate(named(name), 10), figures)


def slow_rand(rounds):
    return [
        pytest.param(name, row, marks=[pytest.mark.long] if name.startswith("Rand(0") else [])
        for name, row in rows(rounds)
    ]


@pytest.mark.parametrize(("name", "figures"), slow_rand(30))
def test_figures_for_thirty_rounds_agree_with_the_exact_distribution(name, figures):
    assert consistent(evaluate(named(name), 30), figures)


@pytest.mark.slow
@pytest.mark.parametrize("name", [
    "NewOnly",
    *(
        pytest.param(name, marks=pytest.mark.long)
        for name in ("Promo", "PromoOnce", "ExpLegacy(0.5)", "ExpLegacy(2.0)", "Rand(0.9)")
    ),
])  # fmt: skip
def test_figures_for_a_hundred_rounds_agree_with_certified_percentiles(name):
    evaluation = evaluate(policy_from_text(name), 100)
    assert all(span.certified for span in evaluation.percentiles.values())
    assert consistent(evaluation, FIGURES[100][name])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Promo", "ExpLegacy(0.2)"])
def test_mean_figures_for_a_hundred_rounds_agree_with_exact_means(name):
    mean, variance = exact_moments(policy_from_text(name), 100)
    figures = FIGURES[100][name]
    assert (figures.exact_mean - mean) ** 2 < 9 * variance / GAMES


@pytest.mark.slow
@pytest.mark.parametrize("fraction", ["0.1", "0.2", "0.5", "0.8", "0.9"])
def test_the_phased_policies_ran_a_hundred_rounds_without_a_change(fraction):
    """For 10 and 30 rounds see `test_adopted_readings_fit_and_the_others_do_not`."""
    promo, new = exact_moments(Promo(), 100), exact_moments(NewOnlyPolicy(), 100)
    for family, (mean, variance) in (("PromoThenNew", promo), ("NewThenPromo", new)):
        figure = FIGURES[100][f"{family}({fraction})"].exact_mean
        assert (figure - mean) ** 2 < 9 * variance / GAMES


def test_the_work_limit_decides_what_is_exact():
    policy = policy_from_text("Promo")
    whole = evaluate(policy, 12)
    enclosed = evaluate(policy, 12, work=10**5, in_doubles=False)
    nothing = evaluate(policy, 12, work=1, in_doubles=False)
    assert (whole.scores.exact, enclosed.scores.exact, nothing.scores.exact) == (True, False, False)
    assert whole.exact_mean == enclosed.exact_mean
    assert nothing.exact_mean is None
    assert nothing.mean.lower < whole.exact_mean < nothing.mean.upper
    assert enclosed.percentiles == whole.percentiles
    assert enclosed.largest == whole.largest
    # Without work no game gets beyond the first die, which must fail twelve times.
    evaluation = evaluate(Promo(), 13, work=1, in_doubles=False)
    assert 1 - evaluation.scores.missing == mpq(1, 4**12)


def test_work_is_counted_in_words_by_hand():
    """A d4 in the first round; it or two in the second: splits × (number + 1) products of each."""
    width = 64 + 48 + 32 + 2  # bits of a weight, of a chance, and spare ones
    words = 2 * width // 64 + 1  # of the scores 0 and 1 or 2 and 3
    _, work = enclosed_distribution(policy_from_text("NewOnly"), 2)
    assert work == (2 * 2 + 2 * 2 + 3 * 3) * words


def test_z_scores_by_hand():
    fair = ScoreDistribution({0: 1, 1: 1}, 2, largest=1)
    # Half of 100 games score 0. So 0 is right for the 40th, and 1 is too high by
    # 0.1/√(0.4·0.6/100); for the 60th, 0 is too low by the same.
    assert percentile_z_score(0, "0.4", fair, 100).decimal(2) == "0.00"
    assert percentile_z_score(1, "0.4", fair, 100).decimal(2) == "2.04"
    assert percentile_z_score(0, "0.6", fair, 100).decimal(2) == "-2.04"
    certain = evaluate(NewOnlyPolicy(), 0)
    assert mean_z_score(Figures("0", 0, 0, 0, 0, 0, 0, 0), certain).decimal(1) == "0.0"


@pytest.mark.parametrize(("name", "rounds", "ladder"), [
    # 20^10 takes 44 bits, more than a slot has to spare, so probabilities are rounded, too.
    ("PromoThenNew(0.5)", 12, Ladder(20)), ("PromoThenNew(0.5)", 14, Ladder(19, 20)),
    ("Rand(0.12345678901)", 9, STANDARD), (f"Rand(1/{3**40})", 3, STANDARD),
    (f"Rand({3**40 - 1}/{3**40})", 9, STANDARD),
])  # fmt: skip
def test_large_denominators_are_bounded_from_below(name, rounds, ladder):
    policy = policy_from_text(name)
    exact = exact_distribution(policy, rounds, ladder)
    bounded, _ = enclosed_distribution(policy, rounds, ladder)
    assert 0 < bounded.missing < mpq(1, 10**9)
    for score, weight in bounded.weights.items():
        assert mpq(weight, bounded.denominator) <= mpq(exact.weights[score], exact.denominator)


@pytest.mark.slow
def test_a_policy_over_too_many_sets_of_dice_is_enclosed():
    policy = policy_from_text("Rand(0.9)")
    evaluation = evaluate(policy, 31, work=3 * 10**8, in_doubles=False)
    assert evaluation.exact_mean is None
    assert evaluation.largest == 31 * 32 // 2
    sample = simulate(policy, 31, 5000, seed=1)
    for level in LEVELS.values():
        distance = percentile_z_score(sample.quantile(level), level, evaluation.scores, 5000)
        assert to_fraction(distance.size.square) < 25
    assert evaluation.scores.missing < mpq(1, 20)


class PromoOnceAsItLikes(PromoOnce):
    """PromoOnce that fixes the lowest rung first by its own choices."""

    repairs = Repairs.OTHER

    def choices(self, state, turn):
        broken = [rung for rung, number in enumerate(state.legacy) if number]
        return {Action(ActionKind.FIX, broken[0]): 1} if broken else super().choices(state, turn)


@pytest.mark.parametrize(
    "dist",
    [evaluate, exact_distribution, exact_moments, enclosed_distribution],
    ids=["evaluate", "exact_distribution", "exact_moments", "enclosed_distribution"],
)
class TestEveryEvaluation:
    def test_refuses_a_policy_that_chooses_its_repairs_in_each_state(self, dist):
        words = "policy: got PromoOnce; expected a policy that fixes the high"
        with pytest.raises(InputError, match=words):
            dist(PromoOnceAsItLikes(), 12)

    @pytest.mark.parametrize("rounds", [-2, "two", 2.0])
    def test_refuses_rounds_that_are_no_natural_number(self, dist, rounds):
        with pytest.raises(InputError, match="rounds"):
            dist(Promo(), rounds)

    @pytest.mark.parametrize("ladder", [(6, 4), (), (1, 4)])
    def test_refuses_faces_that_are_no_ladder(self, dist, ladder):
        with pytest.raises(InputError, match="ladder"):
            dist(Promo(), 3, ladder)

    def test_takes_rounds_as_text_and_faces_in_a_list(self, dist):
        assert dist(Promo(), "3", [4, 6]) == dist(Promo(), 3, Ladder(4, 6))


def test_changed_policies_are_distinguished():
    with pytest.raises(InputError, match=r"repairs: got Repairs\.LOWEST in Undeclared"):

        class Undeclared(PromoOnceAsItLikes):
            repairs = Repairs.LOWEST

    class NewThenPromote(NewOnlyPolicy):
        def improvements(self, dice, turn, score):
            return Promo().improvements(dice, turn, score)

    assert exact_moments(NewThenPromote(), 5) == exact_moments(Promo(), 5)
    assert evaluate(NewThenPromote(), 5).mean == evaluate(Promo(), 5).mean
    assert PromoUntil([1]) == PromoUntil([1]) != PromoUntil([2])
    means = {last: evaluate(PromoUntil(last), 4).exact_mean for last in (0, 4)}
    assert means == {0: evaluate(NewOnlyPolicy(), 4).exact_mean, 4: evaluate(Promo(), 4).exact_mean}


class PromoUntil(RulePolicy):
    """Promo up to a round, NewOnly after it, with an attribute that is no dataclass field."""

    family = "PromoUntil"

    def __init__(self, last):
        self.last = last

    def improvements(self, dice, turn, score):
        now = Promo() if turn.round <= self.last else NewOnlyPolicy()
        return now.improvements(dice, turn, score)


class RandRobustLast(Rand):
    repairs = Repairs.LOWEST


class PhasedRobustLast(PromoThenNew):
    repairs = Repairs.LOWEST


class RandNever(Rand):
    def improvements(self, dice, turn, score):
        return NewOnlyPolicy().improvements(dice, turn, score)


@pytest.mark.parametrize("policy", [RandRobustLast(0), PhasedRobustLast(1), RandNever(0)])
def test_simplified_subclasses_keep_their_changes(policy):
    ladder = Ladder(2, 3)
    mean = moments(distribution_of(policy, 6, ladder))[0]
    assert to_fraction(evaluate(policy, 6, ladder).exact_mean) == mean


def test_moments_are_of_whole_distributions():

    class Careful(NewOnlyPolicy):
        looks_at_score = True

    words = "policy: got NewOnly; expected a policy that ignores the score"
    with pytest.raises(InputError, match=words):
        exact_moments(Careful(), 8)


@pytest.mark.parametrize(("bits", "least"), [(0, 0), (8, 9), (8, -1), (8.5, 3)])
def test_invalid_bits_are_rejected(bits, least):
    with pytest.raises(InputError, match=r"bits|least"):
        enclosed_distribution(Promo(), 3, bits=bits, least=least)


def test_bounds_in_doubles_get_all_limits(monkeypatch):
    asked = []

    def enclose(*asked_for):
        asked.append(asked_for[1:])
        return enclosed_distribution(*asked_for[:3])[0]

    monkeypatch.setattr("exactdice.games.swe.distributions.evaluation.refined_in_doubles", enclose)
    run = Run(10**7, workers=3)
    evaluation = evaluate(Promo(), 12, work=10**5, in_doubles=True, run=run)
    assert asked == [(12, STANDARD, evaluation.largest, 10**5, run)]
    assert evaluation.scores.missing == enclosed_distribution(Promo(), 12)[0].missing


POLICIES = ("NewOnly", "Promo", "PromoOnce", "ExpLegacy(0.5)", "PromoThenNew(0.5)")


@settings(max_examples=60)
@given(LADDERS, st.integers(0, 8), st.sampled_from((*POLICIES, "NewThenPromo(0.7)", "Rand(0.4)")))
def test_largest_score_is_that_of_the_exact_distribution(ladder, rounds, name):
    policy = policy_from_text(name)
    assert largest_score(policy, rounds, ladder) == max(
        exact_distribution(policy, rounds, ladder).weights
    )


class Whims(RulePolicy):
    """One or two random legal actions for each set of dice and each round."""

    family = "Whims"

    def __init__(self, drawn):
        self.drawn = drawn

    def improvements(self, dice, turn, score):
        drawn = random.Random(repr((self.drawn, dice, turn.round)))  # noqa: S311
        legal = legal_actions(State(dice, (0,) * len(dice), 0))
        chosen = drawn.sample(legal, min(drawn.choice((1, 1, 1, 2)), len(legal)))
        return {action: mpq(1, len(chosen)) for action in chosen}


@pytest.mark.parametrize("drawn", range(60))
def test_largest_score_of_any_policy_is_that_of_the_exact_distribution(drawn):
    policy, ladder = Whims(drawn), Ladder(2, 3, 5)
    for rounds in (3, 6, 9):
        scores = exact_distribution(policy, rounds, ladder)
        assert largest_score(policy, rounds, ladder) == max(scores.weights)


class LateDie(Promo):
    """Makes a d6 at once, a d8 late, and then creates; promotes two dice otherwise."""

    def improvements(self, dice, turn, score):
        promotes = {
            (1, 0, 0, 0, 0): turn.round == 2,
            (0, 1, 0, 0, 0): turn.round >= 4,
            (1, 0, 1, 0, 0): False,
        }.get(dice, sum(dice) == 2)
        return (Promo() if promotes else NewOnlyPolicy()).improvements(dice, turn, score)


def test_largest_scores_of_single_policies():
    # By hand: 1, 0 as the d6 fails, 1 after the fix, 2 as a d8, then one more die in each round.
    assert largest_score(LateDie(), 9, STANDARD) == 2 + sum(range(2, 7))
    assert max(exact_distribution(LateDie(), 9).weights) == 2 + sum(range(2, 7))
    assert largest_score(RichCreator(10**6), 14, STANDARD) is None
    assert largest_score(RichCreator(0), 14, STANDARD) == 105


@pytest.mark.parametrize("rounds", [5, 11, 16])
def test_the_order_of_repairs_does_not_change_the_largest_score(rounds):
    largest = largest_score(PromoOnceLowest(), rounds, STANDARD)
    assert largest == max(exact_distribution(PromoOnceLowest(), rounds).weights)
    assert largest == largest_score(PromoOnce(), rounds, STANDARD)


def without_failures(policy, rounds):
    """The score of the game in which every die survives every roll."""
    dice, none, score = (0,) * 5, (0,) * 5, 0
    for made in range(rounds):
        (action,) = policy.improvements(dice, PolicyMoment(made + 1, rounds), score)
        dice = act(State(dice, none, score), action).revenue
        score += sum(dice)
    return score


@pytest.mark.slow
@pytest.mark.parametrize("rounds", [100, 180])
def test_largest_score_of_many_rounds(rounds):
    # The best game is one without failures, because the policy promotes first.
    policy = policy_from_text("PromoThenNew(0.5)")
    assert largest_score(policy, rounds, STANDARD) == without_failures(policy, rounds)
    drawn = policy_from_text("Rand(0.5)")
    assert largest_score(drawn, rounds, STANDARD) == rounds * (rounds + 1) // 2


class RichCreator(Promo):
    looks_at_score = True

    def __init__(self, score):
        self.score = score

    def improvements(self, dice, turn, score):
        player = NewOnlyPolicy() if score >= self.score else Promo()
        return player.improvements(dice, turn, score)

    def changes_at(self, dice, turn):
        return (self.score,) if self.score else ()


class OffTheWay(Promo):
    """Creates in games without failures, except with some number of dice."""

    looks_at_score = True

    def __init__(self, number):
        self.number = number

    def improvements(self, dice, turn, score):
        without_failures = sum(range(turn.round)) == score and turn.round - 1 == sum(dice)
        creates = without_failures and sum(dice) != self.number
        return (NewOnlyPolicy() if creates else Promo()).improvements(dice, turn, score)


@pytest.mark.parametrize("number", range(1, 7))
def test_largest_score_is_known_if_games_without_failures_always_create(number):
    # Six rounds begin with at most five dice.
    largest = largest_score(OffTheWay(number), 6, STANDARD)
    assert largest == (None if number < 6 else 1 + 2 + 3 + 4 + 5 + 6)


@pytest.mark.parametrize(("most", "is_known"), [(31, True), (30, False)])
def test_largest_score_is_unknown_over_too_many_sets_of_dice(most, is_known, monkeypatch):
    # Promo makes one set of dice in each round; there are 31 sets with the empty one.
    monkeypatch.setattr("exactdice.games.swe.distributions.evaluation.MAX_WALKED", most)
    assert (largest_score(Promo(), 30, STANDARD) is not None) == is_known
