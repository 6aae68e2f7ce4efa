"""Distributions under a policy against sums over all possible plays."""

from collections import Counter
from fractions import Fraction
from functools import partial
from typing import Any
from unittest.mock import patch

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st
from model_oracles import fraction, go, refuses, tables, ways

from exactdice import models
from exactdice.dice import Distribution, fair, mixture
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, TooLargeError
from exactdice.models import Chance, End, Game, Paid, optimum, point_mass, reward_distribution
from exactdice.solve import laws


def plainly(way):
    """The reward and the successors of a way that pays the same whatever is drawn."""
    return way.reward, way.successors


def followed(table, chosen, moves, drawings=plainly):
    """Chances of (total, moves made) of all that ends within so many moves, by recursion."""
    law = {}

    def walk(state, total, sign, made, chance):
        if state == "end":
            key = (total + sign * fraction(table["end"].payoff), made)
            law[key] = law.get(key, Fraction(0)) + chance
        elif made < moves:
            reward, drawn = drawings(chosen[state])
            for to, weight in drawn.items():
                paid, successor = (to.reward, to.state) if type(to) is Paid else (0, to)
                turned = type(successor) is models.Other
                walk(
                    successor.state if turned else successor,
                    total + sign * (fraction(reward) + fraction(paid)),
                    -sign if turned else sign,
                    made + 1,
                    chance * Fraction(weight, drawn.denominator),
                )

    walk(0, Fraction(0), 1, 0, Fraction(1))
    return law


@pytest.mark.slow
@given(tables(players=2, ends=True, turns=True), st.integers(0, 2))
def test_distributions_agree_with_all_possible_plays(table, taste):
    chosen = {s: ways(table[s])[taste % len(ways(table[s]))] for s in table if s != "end"}
    model = Game(0, table.__getitem__).explored()
    policy = {s: chosen[s].action for _, s in model.deciding()}
    law = followed(table, chosen, 5)
    left = 1 - sum(law.values())
    times = models.time_distribution(model, policy)
    for bound in (1, 2, 4):
        sure = sum((p for (_, made), p in law.items() if made <= bound), Fraction(0))
        enclosed = times.probability_at_most(bound, "1e-9")
        assert mpq(str(sure)) in enclosed
    totals = reward_distribution(model, policy, means=True)
    mean = sum((total * p for (total, _), p in law.items()), Fraction(0))
    # What has not ended after 5 moves earns at most 2 a move and at the end; on average it takes
    # at most 10 moves more.
    slack = mpq(str(left)) * (2 * 16 + 2)
    assert abs(totals.mean - mpq(str(mean))) <= slack
    assert totals.variance >= 0
    median = times.quantile("1/2")
    below = sum((p for (_, made), p in law.items() if made < median), Fraction(0))
    assert below < Fraction(1, 2)


@pytest.mark.slow
@given(tables(players=2, ends=True, turns=True), st.integers(0, 2))
def test_a_distribution_is_given_only_if_all_plays_end(table, taste):
    """Up to four states: without a circle play takes 4 moves at most, with one it may take 5."""
    chosen = {s: ways(table[s])[taste % len(ways(table[s]))] for s in table if s != "end"}
    model = Game(0, table.__getitem__).explored()
    policy = {s: chosen[s].action for _, s in model.deciding()}
    totals = reward_distribution(model, policy, means=True)
    for moves in range(6):
        law = Counter[Fraction]()
        for (total, _), share in followed(table, chosen, moves).items():
            law[total] += share
        if sum(law.values()) == 1:
            expected = {mpq(str(total)): mpq(str(chance)) for total, chance in law.items()}
            assert totals.distribution(most_moves=moves).probabilities() == expected
            assert totals.distribution().probabilities() == expected
            below = mpq(0)
            for total in sorted(expected):
                below += expected[total]
                assert totals.quantile(below, most_moves=moves) == total
                assert totals.probability_at_most(total, 0) == Enclosure.of(below)
        else:
            with pytest.raises(TooLargeError, match=f"surely ended after {moves} moves$"):
                totals.distribution(most_moves=moves)


@settings(max_examples=25)
@given(tables(players=2, ends=False, turns=True), st.integers(0, 2), st.data())
def test_distributions_of_rewards_by_outcome_agree_with_all_plays(table, taste, data):
    """Moves lead to later states only, so that all play ends; each outcome draws its reward.

    The model, its values and its certificate are those of the same game with mean rewards.
    """
    listed = {}
    paid, means = {"end": End(1)}, {"end": End(1)}

    def later(state, to):
        after = to.state if type(to) is models.Other else to
        after = after if after == "end" or after > state else "end"
        return models.Other(after) if type(to) is models.Other and after != "end" else after

    def split(state, way):
        weights = Counter[Any]()
        for to, weight in way.successors.items():
            for reward in data.draw(st.lists(st.integers(-2, 2), max_size=2)) or [None]:
                after = later(state, to)
                weights[after if reward is None else Paid(reward, after)] += weight
        return {"reward": way.reward, "successors": Distribution(weights)}

    for state in [state for state in table if state != "end"]:
        given_ways = [(way, split(state, way)) for way in ways(table[state])]
        listed[state] = tuple(given_ways[taste % len(given_ways)][1].values())
        for known, made in ((paid, lambda **of: of), (means, mean_only)):
            if isinstance(table[state], Chance):
                known[state] = Chance(**made(**given_ways[0][1]))
                continue
            choices = [models.Choice(way.action, **made(**of)) for way, of in given_ways]
            known[state] = (
                models.Turn(2, choices) if isinstance(table[state], models.Turn) else choices
            )
    game, plain = Game(0, paid.__getitem__), Game(0, means.__getitem__)
    best, same = optimum(game), optimum(plain)
    assert best.model.states == same.model.states
    assert list(best.values) == list(same.values)
    assert (list(best.chosen), best.several) == (list(same.chosen), same.several)
    assert vars(best.certificate()) == vars(same.certificate())
    best.certificate().check(game)
    deciding = {s: ways(table[s]) for _, s in best.model.deciding()}
    policy = {s: offered[taste % len(offered)].action for s, offered in deciding.items()}
    law = Counter[Fraction]()
    for (total, _), share in followed(paid, listed, 5, lambda way: way).items():
        law[total] += share
    assert sum(law.values()) == 1
    totals = reward_distribution(game, policy, means=True)
    expected = {mpq(str(total)): mpq(str(share)) for total, share in law.items()}
    assert totals.distribution().probabilities() == expected
    assert totals.mean == sum(total * share for total, share in expected.items())
    assert totals.variance == sum(t**2 * share for t, share in expected.items()) - totals.mean**2


def mean_only(reward, successors):
    """The expected reward, and the successors without rewards, in the same order."""
    total, weights = mpq(0), Counter[Any]()
    for to, weight in successors.items():
        total += weight * (to.reward if type(to) is Paid else 0)
        weights[to.state if type(to) is Paid else to] += weight
    mean = mpq(reward) + total / successors.denominator
    return {"reward": mean, "successors": Distribution(weights), "mean": True}


def test_moments_and_quantiles_of_a_geometric_time():
    """By hand: with chance p = 1/6 a throw, mean 6, variance (1 − p)/p² = 30, median 4."""
    six = Game("no", lambda seen: None if seen else fair(6).map(lambda f: f == 6))
    model = Game(False, six.moves).explored()
    law = models.time_distribution(model, {})
    assert (law.mean, law.variance) == (6, 30)
    assert law.quantile("1/2") == 4  # 1 − (5/6)³ = 0.42, 1 − (5/6)⁴ = 0.52
    assert law.standard_deviation.square == 30
    enclosed = law.probability_at_most(4, "1e-6")
    assert 1 - mpq(5, 6) ** 4 in enclosed
    with pytest.raises(TooLargeError, match="quantile: not certain after 10 moves"):
        law.quantile("0.999", most_moves=10)
    with pytest.raises(TooLargeError, match="distribution: play has not surely ended after 9"):
        law.distribution(most_moves=9)
    refuses(InputError, "level: got 0", law.quantile, 0)


def test_the_distribution_of_three_dice_is_that_of_their_sum():
    def moves(state):
        thrown, total = state
        if thrown == 3:
            return End(total)
        return Chance(0, fair(6).map(lambda face: (thrown + 1, total + face)))

    law = reward_distribution(Game((0, 0), moves).explored(), {})
    expected = fair(6).sum_of(3)
    assert law.distribution() == expected
    assert (law.mean, law.variance) == (expected.mean(), expected.variance())
    assert law.quantile("0.9") == expected.quantile("0.9")


def test_win_draw_and_loss_of_the_higher_roll_from_either_side():
    """By hand: 15 of 36 pairs each way, 6 of 36 equal."""

    def moves(state):
        if state is None:
            return fair(6).map(lambda face: models.Other(("reply", face)))
        kind, number = state
        if kind == "reply":
            return fair(6).map(lambda face: ("over", (face > number) - (face < number)))
        return End(number)

    model = Game(None, moves).explored()
    chances = models.win_draw_loss(model, {})
    assert chances.win.point == chances.loss.point == mpq(15, 36)
    assert chances.draw.point == mpq(6, 36)
    enclosed = models.win_draw_loss(model, {}, width="1e-9")
    assert mpq(15, 36) in enclosed.win
    assert mpq(15, 36) in enclosed.loss
    assert mpq(6, 36) in enclosed.draw
    assert max(e.width for e in (enclosed.win, enclosed.draw, enclosed.loss)) <= mpq(1, 10**9)


def test_first_head_wins_two_games_of_three():
    """By hand: p = 1/2 + (1 − p)/2."""
    coin = Game(0, lambda n: Distribution({1: 1, models.Other(0): 1}) if n == 0 else End(1))
    model = coin.explored()
    assert models.win_draw_loss(model, {}).win.point == mpq(2, 3)
    assert optimum(model).value == mpq(1, 3)
    assert models.time_distribution(model, {}).mean == 2


def test_a_policy_is_required_only_if_a_player_chooses():
    stay = Game(0, lambda n: [go("stop", 1, 2)] if n == 0 else End(0))
    wanted = "policy: got none for 0; expected an action for each state: a mapping, a function, or "
    for question in (
        reward_distribution,
        models.time_distribution,
        models.win_draw_loss,
        models.policy_value,
    ):
        refuses(InputError, f"^{wanted}an answer such as optimum\\(game\\)$", question, stay)
    assert reward_distribution(stay, optimum(stay)).mean == 2
    assert models.policy_value(Game(0, lambda n: End(3))).value == 3


def test_later_results_may_be_smaller():
    """By hand: 10 at once or 0 a move later, with equal chances."""
    table = {"start": fair(2), 1: End(10), 2: point_mass("later"), "later": End(0)}
    law = reward_distribution(Game("start", table.__getitem__))
    assert [law.quantile(level) for level in ("1/3", "1/2", "2/3", 1)] == [0, 0, 10, 10]


def test_probabilities_still_too_wide_after_all_moves_are_rejected():
    """By hand: after three throws (5/6)³ is left."""
    law = models.time_distribution(Game(0, lambda face: fair(6) if face < 6 else None))
    left = mpq(5, 6) ** 3
    with patch.object(laws, "_MAX_MOVES", 3):
        assert law.probability_at_most(3, left) == Enclosure(1 - left, mpq(1))
        with pytest.raises(TooLargeError, match=r"^probability_at_most: not within .* 3 moves$"):
            law.probability_at_most(3, left * mpq(99, 100))


def test_distributions_of_simultaneous_moves_with_changing_sides():
    """By hand: with 3, −5, 0 and 2 for the pairs, rows 1/5 and 4/5, columns 7/10 and 3/10.

    The 5 are 1 and 4 that the other side, who sees what follows as the first one, receives.
    """
    pairs = {("a", "x"): End(3), ("a", "y"): point_mass(models.Other("more")), ("b", "x"): End(0),
             ("b", "y"): End(2)}  # fmt: skip
    table = {"start": models.Both(pairs), "more": Chance(1, point_mass("over")), "over": End(4)}
    game = Game("start", table.__getitem__)
    best = optimum(game)
    assert best.mixed[0] == ((mpq(1, 5), mpq(4, 5)), (mpq(7, 10), mpq(3, 10)))
    law = {3: mpq(14, 100), -5: mpq(6, 100), 0: mpq(56, 100), 2: mpq(24, 100)}
    mean = sum(total * chance for total, chance in law.items())
    assert best.value == models.policy_value(game, best).value == mean
    assert models.expect(game, policies={1: best, 2: best}).value == mean
    assert reward_distribution(game, best).distribution().probabilities() == law
    assert models.time_distribution(game, best).mean == 1 + law[-5]
    chances = models.win_draw_loss(game, best)
    assert (chances.win.point, chances.loss.point) == (law[3] + law[2], law[-5])


def test_a_die_that_pays_its_face_has_the_variance_of_a_die():
    """By hand: (6² − 1) / 12 = 35/12; of three rolls, with 1/2 on top, three times that."""

    def moves(rolls):
        paid = fair(6).map(lambda face: Paid(face + mpq(1, 2), rolls + 1))
        return Chance(0, paid) if rolls < 3 else None

    law = reward_distribution(Game(0, moves))
    assert (law.mean, law.variance) == (12, mpq(35, 4))
    assert law.distribution() == fair(6).sum_of(3) + mpq(3, 2)


def test_a_mixed_policy_pays_the_reward_of_the_action_that_is_drawn():
    """By hand: 0 or 10 with equal chances has variance 25; their mean, 5, has none."""
    ends = [go(pay, "over", pay) for pay in (0, 10)]
    game = Game("start", {"start": ends, "over": None}.__getitem__)
    mixed = {1: {"start": {0: "1/2", 10: "1/2"}}}
    drawn = models.expect(game, policies=mixed)
    law = reward_distribution(drawn.model)
    assert (drawn.value, law.mean, law.variance) == (5, 5, 25)
    assert models.simulate(drawn, 200).variance > 20
    pairs = {(a, b): Chance(4 if a == b else -4, point_mass("over")) for a in "ht" for b in "ht"}
    pennies = Game("start", {"start": models.Both(pairs), "over": None}.__getitem__)
    assert reward_distribution(pennies, optimum(pennies)).variance == 16


_MEANS = {
    "a fraction": Chance("7/2", point_mass("over")),
    "a choice that says so": [models.Choice("roll", 7, fair(2), mean=True)],
    "a chance that says so": Chance(7, fair(2), mean=True),
    "a payoff that says so": End(7, mean=True),
    "rewards, and a mean on top": Chance(3, Distribution({Paid(4, "over"): 1}), mean=True),
}


@pytest.mark.parametrize("turn", _MEANS.values(), ids=_MEANS)
def test_the_distribution_of_a_mean_is_rejected_unless_allowed(turn):
    """The mean itself, the chance to end, and plays that are judged by ends stay as they are."""
    game = Game("start", lambda state: turn if state == "start" else None)
    best = optimum(game)
    refused = r"^moves\('start'\): the (reward|payoff) 7(/2)? (may be|is) a mean; .*means=True"
    refuses(models.ModelError, refused, reward_distribution, best.model, best)
    refuses(models.ModelError, refused, models.simulate, best)
    law = reward_distribution(game, best, means=True)
    assert (law.mean, law.variance) == (best.value, 0)
    assert models.simulate(best, 2, means=True).mean == best.value
    assert models.simulate(models.expect(game, lambda state: mpq(1, 2)), 2).variance == 0
    assert models.time_distribution(game, best).mean == (0 if isinstance(turn, End) else 1)
    seen = models.expect(game, within=9)  # the rules changed, the mean is one still
    refuses(models.ModelError, "a mean", reward_distribution, seen.model, seen)


def test_a_reward_of_a_successor_is_refused_in_a_bare_distribution():
    game = Game(0, lambda state: fair(6).map(lambda face: Paid(face, 1)) if state == 0 else None)
    with pytest.raises(
        models.ModelError, match=r"^moves\(Paid\(.*expected Chance\(0, distribution\)$"
    ):
        game.explored()


def test_rewards_by_outcome_stay_in_games_made_from_games():
    """By hand: I roll a die for what it shows, and then the other one does for half of that."""

    def moves(state):
        if state == "mine":
            return Chance(0, fair(6).map(lambda face: Paid(face, models.Other("theirs"))))
        if state == "over":
            return None
        half = fair(6).map(lambda face: Paid(mpq(face, 2), "over"))
        return [models.Choice("roll", 0, half), go("pass", "over")]

    game = Game("mine", moves)
    mine, theirs, first = (
        optimum(game),
        models.expect(game, player=2),
        models.expect(game, within=1),
    )
    die = fair(6)
    total = die + die.map(lambda face: -mpq(face, 2))
    assert mine.value == total.mean() == mpq(7, 4)
    assert reward_distribution(game, mine).distribution() == total
    assert theirs.value == -mine.value
    assert reward_distribution(theirs.model, theirs).distribution() == total.map(lambda won: -won)
    assert reward_distribution(first.model, first).distribution() == die
    alone = models.best_play(mine)
    assert reward_distribution(alone, optimum(alone)).variance == total.variance()
    half = models.expect(game, policies={1: {"theirs": {"roll": "1/2", "pass": "1/2"}}, 2: mine})
    assert half.value == mine.value  # the other one is who chooses
    idle = models.expect(game, policies={2: {"theirs": {"roll": "1/2", "pass": "1/2"}}})
    rolled = die.map(lambda face: -mpq(face, 2))
    sometimes = mixture([("1/2", rolled), ("1/2", point_mass(mpq(0)))])
    assert reward_distribution(idle.model, idle).distribution() == die + sometimes


def test_a_reward_by_outcome_changes_with_the_chances_of_a_die():
    """By hand: 3 p has the derivative 3."""

    def family(p):
        shown = Distribution.from_probabilities({Paid(3, 1): p, 1: 1 - p})
        return Game(0, lambda state: Chance(0, shown) if state == 0 else None)

    assert models.sensitivity(family, "1/4").right == 3


def test_a_mean_payoff_determines_no_winner():
    game = Game(0, lambda state: End("1/9", mean=True) if state else point_mass(1))
    drawn, won = partial(optimum, infinite="draw"), partial(models.probability, event="won")
    for question in (models.win_draw_loss, drawn, won):
        with pytest.raises(
            models.ModelError, match=r"^moves\(1\): the payoff 1/9 is a mean, so it does"
        ):
            question(game)
    assert optimum(game).value == mpq(1, 9)
