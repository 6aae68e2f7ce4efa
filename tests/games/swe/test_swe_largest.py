"""The largest score of a policy: against whole laws, and against games in which no die fails."""

import random

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdice.games.swe.distributions.evaluation import exact_distribution, largest_score
from exactdice.games.swe.distributions.players import (
    NewOnlyPolicy,
    PolicyMoment,
    Promo,
    PromoOnce,
    RulePolicy,
    policy_from_text,
)
from exactdice.games.swe.rules import (
    STANDARD,
    Action,
    ActionKind,
    Ladder,
    State,
    act,
    legal_actions,
)
from exactdice.studies.swe.policies import PromoOnceLowest

LADDERS = st.lists(st.integers(2, 9), min_size=1, max_size=4, unique=True).map(sorted)
POLICIES = ("NewOnly", "Promo", "PromoOnce", "ExpLegacy(0.5)", "PromoThenNew(0.5)")


@settings(max_examples=60)
@given(LADDERS, st.integers(0, 8), st.sampled_from((*POLICIES, "NewThenPromo(0.7)", "Rand(0.4)")))
def test_it_is_the_largest_of_the_whole_law(faces, rounds, name):
    policy, ladder = policy_from_text(name), Ladder(*faces)
    assert largest_score(policy, rounds, ladder) == max(
        exact_distribution(policy, rounds, ladder).weights
    )


class Whims(RulePolicy):
    """For each set of dice and each round some of the legal actions, drawn beforehand."""

    family = "Whims"

    def __init__(self, drawn):
        self.drawn = drawn

    def improvements(self, dice, turn, score):
        drawn = random.Random(repr((self.drawn, dice, turn.round)))  # noqa: S311
        legal = legal_actions(State(dice, (0,) * len(dice), 0))
        chosen = drawn.sample(legal, drawn.randint(1, len(legal)))
        return {action: mpq(1, len(chosen)) for action in chosen}


@settings(max_examples=60)
@given(LADDERS, st.integers(0, 7), st.integers(0, 1000))
def test_it_is_the_largest_of_the_whole_law_whatever_the_policy_does(faces, rounds, drawn):
    policy, ladder = Whims(drawn), Ladder(*faces)
    law = exact_distribution(policy, rounds, ladder)
    assert largest_score(policy, rounds, ladder) == max(law.weights)


class Patient(Promo):
    """Makes some dice and creates with them from a round on; before it they promote for good."""

    def __init__(self, dice, late):
        self.dice, self.late = dice, late

    def improvements(self, dice, turn, score):
        number, wanted = sum(dice), sum(self.dice)
        waited = dice == self.dice and turn.round >= self.late
        creates = number != wanted or waited
        return (NewOnlyPolicy() if creates else Promo()).improvements(dice, turn, score)


@pytest.mark.parametrize("dice", [(0, 1, 0, 0, 0), (2, 0, 0, 0, 0), (3, 0, 0, 0, 0)])
def test_the_best_game_may_be_one_that_waits(dice):
    # It loses a die to wait: a lone one with the score, one of several with a point.
    patient = Patient(dice, 4 if dice[0] < 3 else 5)
    largest = largest_score(patient, 9, STANDARD)
    assert largest == max(exact_distribution(patient, 9).weights)
    assert largest > without_failures(patient, 9)


class LateDie(Promo):
    """Makes a d6 at once and of it a d8, but late, and creates; else it promotes two dice."""

    def improvements(self, dice, turn, score):
        promotes = {
            (1, 0, 0, 0, 0): turn.round == 2,
            (0, 1, 0, 0, 0): turn.round >= 4,
            (1, 0, 1, 0, 0): False,
        }.get(dice, sum(dice) == 2)
        return (Promo() if promotes else NewOnlyPolicy()).improvements(dice, turn, score)


def test_a_lone_die_that_waits_takes_the_score_with_it():
    # By hand: 1, with the d6 failing 0, fixed 1, as a d8 2, and then a die more in each round.
    assert largest_score(LateDie(), 9, STANDARD) == 2 + sum(range(2, 7))
    assert max(exact_distribution(LateDie(), 9).weights) == 2 + sum(range(2, 7))


class BothWays(Promo):
    """Comes to a d4 and a d6 in either order, and creates from then on."""

    def improvements(self, dice, turn, score):
        if turn.round == 2 and sum(dice):
            return {Action(ActionKind.CREATE): mpq(1, 2), Action(ActionKind.PROMOTE, 0): mpq(1, 2)}
        player = Promo() if dice == (2, 0, 0, 0, 0) else NewOnlyPolicy()
        return player.improvements(dice, turn, score)


@pytest.mark.parametrize("rounds", [3, 4, 6])
def test_of_two_ways_to_the_same_dice_the_better_one_counts(rounds):
    # By hand: with two d4 in round 2 and no failure 1 + 2 + 2, and then a die more in each round.
    assert largest_score(BothWays(), rounds, STANDARD) == 5 + sum(range(3, rounds))
    assert max(exact_distribution(BothWays(), rounds).weights) == 5 + sum(range(3, rounds))


@pytest.mark.parametrize("rounds", [5, 11, 16])
def test_the_order_of_repairs_does_not_matter_to_it(rounds):
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
def test_games_of_many_rounds(rounds):
    # Of this policy the best game is one without failures, because it promotes first.
    policy = policy_from_text("PromoThenNew(0.5)")
    assert largest_score(policy, rounds, STANDARD) == without_failures(policy, rounds)
    drawn = policy_from_text("Rand(0.5)")
    assert largest_score(drawn, rounds, STANDARD) == rounds * (rounds + 1) // 2


class RichCreator(Promo):
    """Creates from a score on that is out of reach, or at once."""

    looks_at_score = True

    def __init__(self, score):
        self.score = score

    def improvements(self, dice, turn, score):
        player = NewOnlyPolicy() if score >= self.score else Promo()
        return player.improvements(dice, turn, score)

    def changes_at(self, dice, turn):
        return (self.score,) if self.score else ()


def test_it_is_not_known_where_the_score_decides():
    assert largest_score(RichCreator(10**6), 14, STANDARD) is None
    assert largest_score(RichCreator(0), 14, STANDARD) == 105


class OffTheWay(Promo):
    """Creates in each game in which no die has failed yet, but not with so many dice."""

    looks_at_score = True

    def __init__(self, number):
        self.number = number

    def improvements(self, dice, turn, score):
        without_failures = sum(range(turn.round)) == score and turn.round - 1 == sum(dice)
        creates = without_failures and sum(dice) != self.number
        return (NewOnlyPolicy() if creates else Promo()).improvements(dice, turn, score)


@pytest.mark.parametrize("number", range(1, 7))
def test_it_is_known_only_if_a_game_without_failures_may_create_in_each_round(number):
    # Six rounds begin with at most five dice.
    largest = largest_score(OffTheWay(number), 6, STANDARD)
    assert largest == (None if number < 6 else 1 + 2 + 3 + 4 + 5 + 6)


@pytest.mark.parametrize(("most", "is_known"), [(31, True), (30, False)])
def test_it_is_not_known_over_too_many_sets_of_dice(most, is_known, monkeypatch):
    # Of the dice of each round only one set is made in 30 rounds; there are 31 with the empty one.
    monkeypatch.setattr("exactdice.games.swe.distributions.evaluation.MAX_WALKED", most)
    assert (largest_score(Promo(), 30, STANDARD) is not None) == is_known
