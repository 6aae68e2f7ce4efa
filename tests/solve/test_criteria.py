"""Discounting, totals and their utility, sets to reach or avoid: against all policies."""

from fractions import Fraction
from itertools import product
from random import Random

import pytest
from model_oracles import fraction, go, refuses, solved
from test_long_run import random_table

from exactdice.dice import Distribution, fair
from exactdice.errors import ConflictError, InputError
from exactdice.models import (
    Both,
    Chance,
    Choice,
    End,
    Game,
    ModelError,
    Other,
    Paid,
    Turn,
    best_quantile,
    expect,
    optimum,
    point_mass,
    probability,
)


def best_of_all(table, value_of_chain, *, least=False):
    """Greatest over the first player's moves of the least over the second's, by state."""
    fixed = {s: turn for s, turn in table.items() if isinstance(turn, Chance)}
    turns = {s: turn for s, turn in table.items() if isinstance(turn, Turn)}
    owned = {p: [s for s, turn in turns.items() if turn.player == p] for p in (1, 2)}
    best = {}
    for mine in product(*(table[s].choices for s in owned[1])):
        worst = {}
        for theirs in product(*(table[s].choices for s in owned[2])):
            way = fixed | dict(zip([*owned[1], *owned[2]], (*mine, *theirs), strict=True))
            for s, v in value_of_chain(way).items():
                worst[s] = min(v, worst.get(s, v))
        for s, v in worst.items():
            best[s] = (min if least else max)(v, best.get(s, v))
    return best


def discounted(table, factor, way):
    states = list(way)
    end = fraction(table["end"].payoff)
    matrix, right = [], []
    for s in states:
        law = {t: Fraction(w, way[s].successors.denominator) for t, w in way[s].successors.items()}
        matrix.append([(s == t) - factor * law.get(t, 0) for t in states])
        right.append(fraction(way[s].reward) + factor * end * law.get("end", 0))
    return dict(zip(states, solved(matrix, right), strict=True))


@pytest.mark.parametrize("players", [0, 1, 2])
def test_discounted_values_are_the_best_of_all_policies(players):
    for seed in range(30):
        rng = Random(seed)  # noqa: S311
        table, factor = random_table(rng, players, 4), Fraction(rng.randint(1, 9), 10)
        least = players == 1 and rng.random() < 0.3
        answer = expect(Game(0, table.__getitem__), discount=factor, least=least)
        right = best_of_all(table, lambda way: discounted(table, factor, way), least=least)  # noqa: B023
        assert fraction(answer.value) == right[0], seed
        answer.certificate().check(answer.model.game)
    assert answer.question.endswith(f", discounted by {factor} a move")


def test_players_who_see_the_game_from_their_side_discount_it():
    # by hand: v = 1 − v/2
    game = Game(0, lambda s: [Choice("take", 1, point_mass(Other(0)))])
    assert optimum(game, discount="1/2").value == Fraction(2, 3)
    # by hand: v = 2 − 1/4, for the mean of 1 and 3 that outcomes pay, and an end that pays −1
    paid = Distribution({Paid(1, "end"): 1, Paid(3, "end"): 1})
    once = Game(0, lambda s: Chance(0, paid) if s == 0 else End(-1))
    assert optimum(once, discount="1/4").value == Fraction(7, 4)
    both = Game(0, lambda s: Both({(0, 0): Chance(1, point_mass(0))}))
    assert abs(optimum(both, discount="1/2").value.middle - 2) < Fraction(1, 10**20)


def total_of(game, state, total, utility):
    """The value of the utility by recursion over all plays; players as in the game."""
    turn = game.moves(state)
    if turn is None or isinstance(turn, End):
        return utility(total + (fraction(turn.payoff) if turn else 0))
    if isinstance(turn, Turn):
        values = [after(game, choice, total, utility) for choice in turn.choices]
        return (max if turn.player == 1 else min)(values)
    return after(game, turn, total, utility)


def after(game, part, total, utility):
    outcomes = part.outcomes
    return sum(
        Fraction(w, outcomes.denominator)
        * total_of(game, each.state, total + fraction(each.reward), utility)
        for each, w in outcomes.items()
    )


def ending_game(rng, players, depth=4):
    """A game whose states come nearer to "end" in each move; rewards are paid by outcome."""

    def law(state):
        ways = range(rng.randint(1, 3))
        pairs = [Paid(rng.choice((-1, 0, 0, 1, 2)), rng.randrange(state)) for _ in ways]
        return Distribution({pair: rng.randint(1, 3) for pair in pairs})

    table = {0: End(rng.choice((-1, 0, 1)))}
    for state in range(1, depth + 1):
        owner = rng.randint(0, players)
        moves = [Choice(a, rng.randint(-1, 1), law(state)) for a in range(rng.randint(1, 2))]
        table[state] = Turn(owner, moves) if owner else Chance(1, law(state))
    return Game(depth, table.__getitem__)


@pytest.mark.parametrize("players", [0, 1, 2])
def test_utilities_of_the_total_are_those_of_all_plays(players):
    for seed in range(30):
        game = ending_game(Random(seed), players)  # noqa: S311
        answer = expect(game, utility=lambda total: total**2 - 2 * total)
        right = total_of(game, game.initial, Fraction(0), lambda total: total**2 - 2 * total)
        assert fraction(answer.value) == right, seed
        answer.certificate().check(answer.model.game)
        for sign, compare in ((">=", Fraction.__ge__), ("<", Fraction.__lt__)):
            answer = probability(game, f"total {sign} 1")
            right = total_of(game, game.initial, Fraction(0), lambda t: int(compare(t, 1)))  # noqa: B023
            assert fraction(answer.value) == right, (seed, sign)


def test_totals_beyond_the_number_are_one_state():
    # a fair coin pays 1 or 2 forever, so the total surely passes 3
    law = Distribution({Paid(1, "on"): 1, Paid(2, "on"): 1})
    endless = Game("on", lambda _: Chance(0, law))
    answer = probability(endless, "total >= 3")
    assert (answer.value, len(answer.model)) == (1, 5)
    assert probability(endless, "total < 3").value == 0
    # by hand: heads pays 1, tails ends: 3 or more with 1/8, less than 2 with 3/4
    toss = Game(0, lambda s: Chance(0, Distribution({Paid(1, 0): 1, 1: 1})) if s == 0 else None)
    asked = [probability(toss, f"total {what}").value for what in (">= 3", "<2", "==1", "> 0")]
    assert asked == [Fraction(1, 8), Fraction(3, 4), Fraction(1, 4), Fraction(1, 2)]


def test_the_best_quantile_is_the_greatest_total_that_is_likely_enough():
    # by hand: one die or a sure 4; 5 or more has probability 1/3, 4 or more is certain
    dice = fair(6).map(lambda face: Paid(face, "end"))
    game = Game(0, lambda s: [Choice("die", 0, dice), go("four", "end", 4)] if s == 0 else None)
    assert [best_quantile(game, level)[0] for level in ("1/3", "1/2", "1/6", 1)] == [5, 4, 6, 4]
    assert best_quantile(game, "1/3")[1].action((0, 0)) == "die"


def test_rewards_stop_where_a_set_is_reached_and_goals_count_before_a_set():
    # by hand: a walk on 0…4 from 2 that pays 1 a step: 2·2 steps to 0 or 4, 1/2 to reach 4 before
    # 0, and 1 to reach it at all, as 0 leads on to 1
    law = {0: point_mass(1), 4: point_mass(3)}
    walk = Game(2, lambda s: Chance(1, law.get(s) or Distribution({s - 1: 1, s + 1: 1})))
    assert expect(walk, until=lambda s: s in (0, 4)).value == 4
    assert probability(walk, lambda s: s == 4, avoiding=lambda s: s == 0).value == Fraction(1, 2)
    assert probability(walk, lambda s: s == 4).value == 1
    assert probability(walk, lambda s: s == 4, avoiding=lambda s: True).value == 0
    assert probability(walk, lambda s: s == 2, avoiding=lambda s: s == 2).value == 1


@pytest.mark.parametrize("seed", range(20))
def test_goals_before_a_set_are_goals_of_the_game_that_ends_there(seed):
    rng = Random(seed)  # noqa: S311
    table, lost = random_table(rng, 1, 4), rng.randint(0, 2)
    least = rng.random() < 0.5
    game = Game(0, table.__getitem__)
    answer = probability(game, lambda s: s == 3, avoiding=lambda s: s == lost, least=least)
    cut = Game(0, lambda s: None if s == lost else table[s])
    assert answer.value == probability(cut, lambda s: s == 3, least=least).value
    answer.certificate().check(answer.model.game)


@pytest.mark.parametrize(("ask", "error", "message"), [
    (lambda g: expect(g, discount=1), InputError, "discount: got 1; expected a number between"),
    (lambda g: expect(g, discount="1/2", utility=abs), ConflictError, "utility cannot be comb"),
    (lambda g: expect(g, until=5), InputError, "until: got 5; expected a function of a state"),
    (lambda g: probability(g, "total > x"), InputError, "event: got 'x'; expected a number"),
    (lambda g: probability(g, bool, avoiding=5), InputError, "avoiding: got 5; expected a fun"),
    (lambda g: expect(g, utility=abs), ModelError, r"moves\(.*the reward 1/2 may be a mean"),
    (lambda g: best_quantile(g, 0), InputError, "level: got 0; expected a number above 0"),
])  # fmt: skip
def test_criteria_are_refused_by_name(ask, error, message):
    refuses(error, f"^{message}", ask, Game(0, lambda s: [go("on", 1, "1/2")] if s == 0 else None))
