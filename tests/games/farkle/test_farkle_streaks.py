"""Three busts in a row: races and turns against the definition, and the figure of a publication."""

from fractions import Fraction
from itertools import pairwise

import pytest
from farkle_race_oracle import SlowPlayer, slow_streaks
from gmpy2 import mpq

from exactdice.arithmetic import to_fraction
from exactdice.games.farkle.chase import BITS, TargetPlayer, race
from exactdice.games.farkle.races.chances import advise_to_win, contender
from exactdice.games.farkle.races.play import BUST, lookahead
from exactdice.games.farkle.races.solve import enclose_streaks, enclose_wins, win_chances
from exactdice.games.farkle.rules.tables import FACEBOOK, KCD
from exactdice.native import are_built
from exactdice.run import Run
from exactdice.solve.play import played_by_seed

needs_native = pytest.mark.skipif(not are_built(), reason="the C++ solvers are not built")

STREAKY = KCD.varied(target=150, streak_penalty=50, floor=50)


def every_standing(first, second):
    """Every (mover, own, other, busts)."""
    players = first, second
    for who in (0, 1):
        mine, theirs = players[who], players[1 - who]
        for own in range(mine.floor * 50, mine.target, 50):
            for other in range(theirs.floor * 50, theirs.target, 50):
                for row in range(9):
                    yield who, own, other, (row // 3, row % 3)


@pytest.mark.slow
@needs_native
def test_chances_with_streaks_are_those_of_the_definition():
    first, second = contender("odd", STREAKY), contender("fair", STREAKY.varied(target=100))
    found = enclose_streaks(first, second, width="1/100000000")
    low, high = slow_streaks([SlowPlayer(p.dice.dice, p.rules) for p in (first, second)], 60)
    for who, own, other, busts in every_standing(first, second):
        chance = found.chance(own, other, who, busts)
        place = who, own, other, *busts
        assert to_fraction(chance.lower) <= high[place]
        assert to_fraction(chance.upper) >= low[place]
        assert high[place] - low[place] < Fraction(1, 10**6)


@needs_native
def test_the_same_player_twice_is_two_equal_players():
    player, other = contender("odd,fair", STREAKY), contender("fair,odd", STREAKY)
    once = enclose_streaks(player, player)
    twice = enclose_streaks(player, other)
    for who, own, score, busts in every_standing(player, player):
        one, two = (each.chance(own, score, who, busts) for each in (once, twice))
        assert max(one.lower, two.lower) <= min(one.upper, two.upper)


@needs_native
def test_a_row_of_busts_is_told_from_a_single_one():
    # Bounds of a race of one die that shows a one or nothing, to 100 points: the first one wins, so
    # that the streaks do not matter, and the first to move wins with 1 / (2 − 1/2) = 2/3.
    rules = KCD.varied(target=100, streak_penalty=100)
    player = contender("1:1:0:0:0:0", rules)
    found = enclose_streaks(player, player)
    assert mpq(2, 3) in found.chance()
    assert found.chance().width <= mpq(1, 10**6)
    # With a floor below 0 three busts in a row cost two ones more.
    player = contender("1:1:0:0:0:0", rules.varied(floor=100))
    fallen = enclose_streaks(player, player)
    assert fallen.chance().upper < found.chance().lower


@needs_native
def test_a_race_with_streaks_that_cost_nothing_is_a_race():
    player = contender(rules=KCD.varied(target=600))
    plain = enclose_wins(player, player).chance()
    found = enclose_streaks(player, player, Run(workers=2), width="1/1000000000").chance()
    assert found.lower <= plain.lower <= plain.upper <= found.upper


def test_turns_with_streaks_are_those_of_the_chain():
    # By hand: one fair die shows a 1 (100 points) or a 5 (50) with 1/6 each. With 50 points needed
    # both win; with 100 a 5 is banked, as a roll wins 50 further points with 1/3 alone. The third
    # bust in a row leads from 50 points needed to 100, and from 100, the floor, nowhere further.
    rules = KCD.varied(target=50, streak_penalty=50, floor=50)
    sixth = Fraction(1, 6)

    def after(needed, busts):
        row = (100 if busts == 2 else needed, (busts + 1) % 3)
        if needed == 50:
            return {None: 2 * sixth, row: 4 * sixth}
        return {None: sixth, (50, 0): sixth, row: 4 * sixth}

    now, reached, expected = {(50, 0): Fraction(1)}, Fraction(0), []
    for _ in range(12):
        later = {}
        for state, mass in now.items():
            for to, chance in after(*state).items():
                later[to] = later.get(to, 0) + mass * chance
        reached += later.pop(None)
        now = later
        expected.append(reached)
    player = TargetPlayer("fair", rules)
    assert [to_fraction(chance.point) for chance in player.cdf(12)] == expected
    for exactly, bounds in zip(expected, player.cdf(12, BITS), strict=True):
        assert to_fraction(bounds.lower) <= exactly <= to_fraction(bounds.upper)
    # The mean is the sum of the chances not to be there yet; the tail shrinks at least by a sixth.
    mean, left = 1 + sum(1 - chance for chance in expected[:-1]), 1 - expected[-1]
    turns = player.expected_turns()
    assert to_fraction(turns.width) < Fraction(1, 10**60)
    # As many bits of the tail are kept as of the sum, in which it counts many times.
    assert player.expected_turns(64).width < mpq(1, 2**50)
    assert mean + left <= to_fraction(turns.lower) <= to_fraction(turns.upper) <= mean + 6 * left


def test_a_bust_costs_a_player_for_points_what_it_takes_off_the_score():
    # By the rules: the third bust in a row takes 50 points off the score, down to −50 of 150.
    player = TargetPlayer("fair*2", STREAKY)
    assert player.turn_sweep(150, 1).payoff.bust == (0, 0)
    assert player.turn_sweep(150, 2).payoff.bust == (-50, 0)
    assert player.turn_sweep(200, 2).payoff.bust == (0, 0)  # at the floor


@needs_native
def test_players_for_points_race_as_their_chains_of_turns_do():
    rules = STREAKY.varied(target=300)
    players = [contender(dice, rules, "points") for dice in ("fair*2", "odd,fair")]
    by_states = enclose_streaks(*players, width="1/1000000000").chance()
    by_turns = race("fair*2", "odd,fair", rules)
    assert by_states.lower <= by_turns.lower <= by_turns.upper <= by_states.upper


@needs_native
def test_a_turn_is_worth_the_chance_to_win():
    player = contender("fair*2", STREAKY)
    chances = enclose_streaks(player, player)
    for who, own, other, busts in every_standing(player, player):
        turn = chances.turn(own, other, who, busts)
        rolling = turn.rolling(0, player.dice.full)
        chance = chances.chance(own, other, who, busts)
        assert rolling.lower - mpq(1, 10**9) <= chance.upper
        assert chance.lower <= rolling.upper + mpq(1, 10**9)
        for choice in advise_to_win(chances, "1,5", own, other, mover=who, busts=busts):
            assert 0 <= choice.regret.lower <= choice.regret.upper


@needs_native
def test_a_race_is_played_with_busts_that_are_counted():
    player = contender("fair*2", STREAKY.varied(target=300))
    chances = win_chances(player, player)
    steps, _ = played_by_seed(lookahead(chances), 4, None)
    rows = [step.state.busts for step in steps]
    assert all(0 <= row <= 2 for busts in rows for row in busts)
    assert any(any(busts) for busts in rows)
    for step, later in pairwise(steps):  # a bust is one more, the third begins anew
        who, (own, _, _, (row, _)) = step.state.who, step.state.standing
        if step.action == BUST:
            assert later.state.busts[who] == (row + 1) % 3
            assert later.state.scores[who] == own - (player.rules.fall(own, row))
    points = win_chances(player, contender("fair*2", player.rules, "points"))
    steps, _ = played_by_seed(lookahead(points), 1, None)
    assert not any(step.regret.lower for step in steps)


@needs_native
@pytest.mark.long
def test_first_player_of_facebook_farkle_wins_with_53_487_per_cent():
    # M. Busche, mattbusche.org/blog/article/optimal_farkle (2016), with scores of at least −2500.
    player = contender(rules=FACEBOOK)
    found = enclose_streaks(player, player, Run(workers=2), width="1/200000")
    assert found.chance().decimal(5) == "0.53487"
