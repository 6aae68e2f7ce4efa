"""Distributions under a policy against all plays; turns of dice against recursion and games."""

import random
from collections import Counter
from fractions import Fraction
from functools import cache, partial
from itertools import combinations, product
from unittest.mock import patch

import numpy as np
import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st
from model_oracles import fraction, go, refuses, tables, ways

from exactdice import models
from exactdice.arithmetic import mpz, to_fraction
from exactdice.book.pig import DIE, race
from exactdice.dice import Distribution, fair, mixture
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, TooLargeError
from exactdice.models import (
    Chance,
    End,
    Game,
    LockedTurns,
    Paid,
    Race,
    optimum,
    point_mass,
    reward_distribution,
)
from exactdice.run import Run
from exactdice.solve import laws
from exactdice.solve.keeping import FreeRerolls
from exactdice.solve.locked import _Level


def plainly(way):
    return way.reward, way.successors


def followed(table, chosen, moves, drawings=plainly):
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
        law = Counter()
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
        weights = Counter()
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
            is_second = isinstance(table[state], models.Turn)
            known[state] = models.Turn(2, choices) if is_second else choices
    game, plain = Game(0, paid.__getitem__), Game(0, means.__getitem__)
    best, same = optimum(game), optimum(plain)
    assert best.model.states == same.model.states
    assert list(best.values) == list(same.values)
    assert (list(best.chosen), best.several) == (list(same.chosen), same.several)
    assert vars(best.certificate()) == vars(same.certificate())
    best.certificate().check(game)
    deciding = {s: ways(table[s]) for _, s in best.model.deciding()}
    policy = {s: offered[taste % len(offered)].action for s, offered in deciding.items()}
    law = Counter()
    for (total, _), share in followed(paid, listed, 5, lambda way: way).items():
        law[total] += share
    assert sum(law.values()) == 1
    totals = reward_distribution(game, policy, means=True)
    expected = {mpq(str(total)): mpq(str(share)) for total, share in law.items()}
    assert totals.distribution().probabilities() == expected
    assert totals.mean == sum(total * share for total, share in expected.items())
    assert totals.variance == sum(t**2 * share for t, share in expected.items()) - totals.mean**2


def mean_only(reward, successors):
    total, weights = mpq(0), Counter()
    for to, weight in successors.items():
        total += weight * (to.reward if type(to) is Paid else 0)
        weights[to.state if type(to) is Paid else to] += weight
    mean = mpq(reward) + total / successors.denominator
    return {"reward": mean, "successors": Distribution(weights), "mean": True}


def test_probabilities_of_a_geometric_time():
    # By hand: with chance p = 1/6 a throw, mean 6, variance (1 − p)/p² = 30, median 4.
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
    # By hand: after three throws (5/6)³ is left.
    law = models.time_distribution(Game(0, lambda face: fair(6) if face < 6 else None))
    left = mpq(5, 6) ** 3
    with patch.object(laws, "_MAX_MOVES", 3):
        assert law.probability_at_most(3, left) == Enclosure(1 - left, mpq(1))
        with pytest.raises(TooLargeError, match=r"^probability_at_most: not within .* 3 moves$"):
            law.probability_at_most(3, left * mpq(99, 100))


def test_distributions_of_small_games_by_hand():
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
    # By hand: p = 1/2 + (1 − p)/2.
    coin = Game(0, lambda n: Distribution({1: 1, models.Other(0): 1}) if n == 0 else End(1))
    model = coin.explored()
    assert models.win_draw_loss(model, {}).win.point == mpq(2, 3)
    assert optimum(model).value == mpq(1, 3)
    assert models.time_distribution(model, {}).mean == 2
    # By hand: 10 at once or 0 a move later, with equal chances.
    table = {"start": fair(2), 1: End(10), 2: point_mass("later"), "later": End(0)}
    law = reward_distribution(Game("start", table.__getitem__))
    assert [law.quantile(level) for level in ("1/3", "1/2", "2/3", 1)] == [0, 0, 10, 10]

    # By hand: (6² − 1) / 12 = 35/12; of three rolls, with 1/2 on top, three times that.
    def moves(rolls):
        paid = fair(6).map(lambda face: Paid(face + mpq(1, 2), rolls + 1))
        return Chance(0, paid) if rolls < 3 else None

    law = reward_distribution(Game(0, moves))
    assert (law.mean, law.variance) == (12, mpq(35, 4))
    assert law.distribution() == fair(6).sum_of(3) + mpq(3, 2)

    # By hand: 3 p has the derivative 3.
    def family(p):
        shown = Distribution.from_probabilities({Paid(3, 1): p, 1: 1 - p})
        return Game(0, lambda state: Chance(0, shown) if state == 0 else None)

    assert models.sensitivity(family, "1/4").right == 3


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


def test_a_policy_is_required_only_if_a_player_chooses():
    stay = Game(0, lambda n: [go("stop", 1, 2)] if n == 0 else End(0))
    wanted = "policy: got none for 0; expected an action for each state: a mapping, a function, or "
    for question in (
        reward_distribution, models.time_distribution, models.win_draw_loss, models.policy_value
    ):  # fmt: skip
        refuses(InputError, f"^{wanted}an answer such as optimum\\(game\\)$", question, stay)
    assert reward_distribution(stay, optimum(stay)).mean == 2
    assert models.policy_value(Game(0, lambda n: End(3))).value == 3


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


def test_means_and_bare_rewards_are_refused():
    game = Game(0, lambda state: fair(6).map(lambda face: Paid(face, 1)) if state == 0 else None)
    said = r"^moves\(Paid\(.*expected Chance\(0, …\) around it"
    refuses(models.ModelError, said, game.explored)
    game = Game(0, lambda state: End("1/9", mean=True) if state else point_mass(1))
    drawn, won = partial(optimum, infinite="draw"), partial(models.probability, event="won")
    for question in (models.win_draw_loss, drawn, won):
        said = r"^moves\(1\): the payoff 1/9 is a mean, so it does"
        refuses(models.ModelError, said, question, game)
    assert optimum(game).value == mpq(1, 9)


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
        optimum(game), models.expect(game, player=2), models.expect(game, within=1))  # fmt: skip
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


def random_turns(number, *, stops=False):
    dice = random.Random(number)  # noqa: S311 - the same cases each time
    roll = dice.randint
    laws = {s: Distribution({f: roll(1, 3) for f in range(roll(2, 4))}) for s in range(5)}
    kept = {
        (s, f): dice.sample(range(s + 1, 6), dice.randint(0, min(3, 5 - s)))
        for s, law in laws.items()
        for f in law
    }
    kept[0, 0] = [dice.randint(1, 5)]
    stop = {s: (stops and s > 0) or (not stops and dice.random() < 0.6) for s in range(6)}
    return LockedTurns(0, laws.get, lambda s, f: kept[s, f], stop.__getitem__)


def value(turns, worth):
    @cache
    def of(state):
        law = turns.roll(state)
        if law is None:
            return Fraction(worth(state))
        rolled = Fraction(0)
        for shown, weight in law.items():
            kept = [of(after) for after in turns.keep(state, shown)]
            rolled += Fraction(weight) * (max(kept) if kept else Fraction(worth(None)))
        rolled /= sum(law.values())
        return max(rolled, Fraction(worth(state))) if turns.may_stop(state) else rolled

    return of(turns.start)


@pytest.mark.parametrize("number", range(40))
def test_many_turns_have_the_values_of_recursion_and_of_their_games(number):
    turns, dice = random_turns(number), random.Random(number)  # noqa: S311
    worths = [{end: dice.randint(-50, 50) for end in turns.ends} for _ in range(4)]
    rows = np.array([[mpz(column[end]) for column in worths] for end in turns.ends], dtype=object)
    found = turns.values(rows)
    unit = 1 << 30
    below, above = (turns.rounded(rows * unit, up=up) for up in (False, True))
    for place, column in enumerate(worths):
        exact = value(turns, column.__getitem__)
        assert mpq(found[place], turns.denominator) == mpq(exact)
        assert optimum(turns.game(column.__getitem__)).value == mpq(exact)
        assert below[place] <= exact * unit <= above[place] <= below[place] + 2 * 6


@pytest.mark.parametrize("number", range(30))
def test_races_have_the_win_probabilities_of_their_games(number):
    turns, target = random_turns(number, stops=True), 1 + number % 5
    race = Race(turns, lambda end: 1 + end % 3 if end else 0, target)
    best, chances = optimum(race.game()), race.enclosed("1e-25")
    between = [state for state in best.model.states if state and state[2] == (0,)]
    assert between
    for state in between:
        chance = chances.chance(*state[:2])
        assert (1 + best.value_of(state)) / 2 in chance
        assert chance.width <= mpq(1, 10**25)


def pig(target):
    kept = lambda points, face: [points + face] if face > 1 else []  # noqa: E731
    turns = LockedTurns(0, lambda points: fair(6) if points < target else None, kept, bool)
    return Race(turns, lambda points: points, target)


def test_pig_is_the_page_of_the_book():
    best = optimum(race(10, DIE))
    heard = []
    chances = pig(10).enclosed("1e-30", Run(progress=lambda *news: heard.append(news)))
    assert heard == [("sums of points", done, 19) for done in range(1, 20)]  # of 18 down to 0
    assert all(chances.chance(mine, theirs).point == 0 for mine in (0, 9) for theirs in (10, 19))
    for mine, theirs, points in best.model.states:
        if points == 0:
            value = (1 + best.value_of((mine, theirs, 0))) / 2
            assert value in chances.chance(mine, theirs)


@pytest.mark.long
def test_pig_to_100_is_won_as_often_as_neller_and_presser_print():
    # The UMAP Journal 25 (2004): 0.5306
    chance = pig(100).enclosed("1e-30").chance(0, 0)
    assert mpq("0.53055") < chance.lower <= chance.upper < mpq("0.53065")
    assert chance.width <= mpq(1, 10**30)


def test_invalid_turns_races_and_rerolls_are_rejected():
    refuses(InputError, "target: got 0", pig, 0)
    refuses(InputError, "points: got -1", Race(pig(5).turns, lambda points: -1, 5).enclosed, "1/10")
    for width in (-1, 0):
        with pytest.raises(InputError, match=f"width: got {width}; expected a number above 0"):
            pig(5).enclosed(width)
    # a turn that never brings anything: nobody wins, and no bound but 0 and 1 holds
    idle = Race(pig(5).turns, lambda points: 0, 5)
    refuses(InputError, "width", idle.enclosed, "1/10")


def test_chances_that_are_not_narrowed_lie_between_0_and_1():
    """Bounds about the guess are tried from 2¹⁰ units on; where none may be, nothing is said."""
    kept = lambda heads, shown: [heads + 1] if shown == 1 else []  # noqa: E731
    turns = LockedTurns(0, lambda heads: fair(2) if heads < 2 else None, kept, bool)
    race, one = Race(turns, lambda heads: heads, 2), mpz(1) << 60
    worst = np.full((2, 4), mpz(0), dtype=object)
    level = _Level(race, one, worst, worst, np.array([1]), 2)
    lower, upper = level.solve(mpq(1 << 10))
    assert (list(lower), list(upper)) == ([0], [one])
    lower, upper = level.solve(mpq((1 << 10) + 1))
    # By hand: who has 1 of 2 wins with a toss of heads, so that x = 1/2 + (1 − x)/2 = 2/3.
    assert lower[0] * 3 <= 2 * one <= upper[0] * 3
    assert upper[0] - lower[0] <= 2 << 10


def oracle(turns, worth):
    chances = {f: to_fraction(p) for f, p in turns.face.probabilities().items()}

    @cache
    def of_roll(roll, left):
        if not left:
            return Fraction(worth(roll))
        kept = {k for size in range(len(roll) + 1) for k in combinations(roll, size)}
        return max(of_keep(keep, left) for keep in kept)

    @cache
    def of_keep(keep, left):
        total = Fraction(0)
        for more in product(chances, repeat=turns.dice - len(keep)):
            chance = Fraction(1)
            for face in more:
                chance *= chances[face]
            total += chance * of_roll(tuple(sorted((*keep, *more))), left - 1)
        return total

    return of_roll, of_keep


def random_rerolls(dice):
    faces = dice.randint(1, 4)
    law = Distribution({face: dice.randint(1, 3) for face in range(1, faces + 1)})
    return FreeRerolls(dice.randint(1, 3), law, dice.randint(1, 3))


@pytest.mark.parametrize("number", range(60))
def test_values_and_keeps_are_those_of_all_throws(number):
    dice = random.Random(number)  # noqa: S311 - the same cases each time
    turns = random_rerolls(dice)
    worths = {roll: Fraction(dice.randint(-4, 4), dice.randint(1, 3)) for roll in turns.results}
    best = turns.solve(worths.__getitem__)
    of_roll, of_keep = oracle(turns, worths.__getitem__)
    assert best.value == of_keep((), turns.rolls)
    for left in range(turns.rolls):
        for roll in turns.results:
            assert best.value_of(roll, left) == of_roll(roll, left)
            if left:
                parts = {k for size in range(len(roll) + 1) for k in combinations(roll, size)}
                ties = {keep for keep in parts if of_keep(keep, left) == of_roll(roll, left)}
                assert set(best.keeps(roll, left)) == ties
    # the law of the last roll has the value as the mean of its worths
    law = best.law().probabilities()
    assert sum(mpq(worths[roll]) * chance for roll, chance in law.items()) == best.value


@pytest.mark.parametrize("number", range(20))
def test_many_turns_and_their_floors(number):
    dice = random.Random(number)  # noqa: S311 - the same cases each time
    turns = random_rerolls(dice)
    rows = [[dice.randint(-(10**6), 10**6) for _ in range(4)] for _ in turns.results]
    exact = turns.values(np.array([[mpz(n) for n in row] for row in rows], dtype=object))
    floors = turns.floors(np.array(rows))
    for column in range(4):
        worths = dict(zip(turns.results, (row[column] for row in rows), strict=True))
        value = turns.solve(worths.__getitem__).value
        assert mpq(exact[column], turns.per_roll**turns.rolls) == value
        assert 0 <= value - int(floors[column]) < turns.rolls


def test_rerolls_have_known_values():
    # 347897/7558272, for instance in Wikipedia's article on Yahtzee
    best = FreeRerolls(5, fair(6), 3).solve(lambda roll: int(len(set(roll)) == 1))
    assert best.value == mpq(347897, 7558272)
    assert sum(best.law().probability((f,) * 5) for f in range(1, 7)) == best.value
    # each die by itself: keep 4 to 6 with one roll to go, 5 and 6 with two
    best = FreeRerolls(5, fair(6), 3).solve(sum)
    one = mpq(7, 2)
    for _ in range(2):
        one = sum((max(mpq(face), one) for face in range(1, 7)), mpq(0)) / 6
    assert best.value == 5 * one
    assert best.keeps((1, 3, 4, 5, 6), 2) == ((5, 6),)
    # One die of three sides, rolled until it shows a 3 or 40 times: it shows none in 2⁴⁰ of 3⁴⁰.
    worths = np.array([[0], [0], [1]])
    *_, threes = FreeRerolls(1, fair(3), 40).laws(worths)[:, 0].tolist()
    assert threes == 3**40 - 2**40 >= 2**63


@pytest.mark.parametrize("number", range(20))
def test_ties_are_rolls_of_which_several_keeps_are_best(number):
    dice = random.Random(number)  # noqa: S311 - the same cases each time
    turns = random_rerolls(dice)
    rows = [[mpz(dice.randint(0, 2)) for _ in range(4)] for _ in turns.results]
    ties = np.zeros(4, np.int64)
    values = turns.values(np.array(rows, dtype=object), ties=ties)
    for column in range(4):
        worths = dict(zip(turns.results, (int(row[column]) for row in rows), strict=True))
        of_roll, of_keep = oracle(turns, worths.__getitem__)
        several = 0
        for left in range(1, turns.rolls):
            for roll in turns.results:
                parts = {k for size in range(len(roll) + 1) for k in combinations(roll, size)}
                several += sum(of_keep(keep, left) == of_roll(roll, left) for keep in parts) > 1
        assert ties[column] == several
        assert mpq(values[column], turns.per_roll**turns.rolls) == mpq(of_keep((), turns.rolls))


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=[pytest.mark.slow] * (seed != 1)) for seed in range(5)]
)
def test_quantiles_of_large_chains_are_those_of_small_ones(seed):
    # the same chain, by sums over totals and by following play
    rng, unit = random.Random(seed), mpq(seed + 1, 2)  # noqa: S311

    def paid(least, most, after):
        return Paid(unit * rng.randint(least, most), after)

    def law(state):
        ways = {paid(0, 2, rng.randrange(state)): rng.randint(1, 3) for _ in range(3)}
        back = {paid(1, 3, rng.randrange(1, 30)): 1} if rng.random() < 0.3 else {}
        return Distribution(ways | back)

    table = {0: End(unit * rng.randint(1, 2))} | {s: Chance(0, law(s)) for s in range(1, 30)}
    total = reward_distribution(Game(29, table.__getitem__))
    levels = [mpq(n, 10) for n in range(1, 10)] + [mpq(999, 1000)]
    right = [total.quantile(level) for level in levels]
    bounds = [unit * bound for bound in (2, 5, mpq(13, 2))]
    chances = [total.probability_at_most(bound, "1e-9") for bound in bounds]
    with patch.object(laws, "_FEW", 0):
        assert [total.quantile(level) for level in levels] == right
        for bound, chance in zip(bounds, chances, strict=True):
            summed = total.probability_at_most(bound, "1e-20")
            assert summed.lower <= chance.upper
            assert chance.lower <= summed.upper
            assert summed.width < mpq(1, 10**20)
        # Losses are not summed but followed: a coin that pays 1 or -1.
        table = {1: Chance(0, Distribution({Paid(-1, 0): 1, Paid(1, 0): 1})), 0: End(0)}
        total = reward_distribution(Game(1, table.__getitem__))
        assert total.probability_at_most(0, 0) == Enclosure.of(mpq(1, 2))
