"""Races of two in C++, against exact ones, the race that adds up turns, and published figures."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path

import pytest
from farkle_oracle import SlowPlayer, slow_bounds
from gmpy2 import mpq
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from exactdice.arithmetic import decimal, to_fraction
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError
from exactdice.games.farkle.chase import race
from exactdice.games.farkle.races.chances import Contender, advise_to_win, contender, win_thresholds
from exactdice.games.farkle.races.play import BUST, lookahead
from exactdice.games.farkle.races.reports import chances_report
from exactdice.games.farkle.races.solve import (
    enclose_streaks,
    enclose_wins,
    least_turns,
    win_chances,
    win_exactly,
)
from exactdice.games.farkle.rules.dice_sets import DiceSet, Die
from exactdice.games.farkle.rules.rule_set import Combination, RuleSet
from exactdice.games.farkle.rules.tables import FACEBOOK, KCD, TEN_THOUSAND
from exactdice.jobs.claims import claim_named
from exactdice.native import are_built
from exactdice.rooms import ask
from exactdice.run import Run
from exactdice.solve.play import played_by_seed

pytestmark = pytest.mark.skipif(not are_built(), reason="the C++ solvers are not built")

TINY = mpq(1, 10**12)

weights = st.lists(st.integers(0, 3), min_size=6, max_size=6).filter(lambda w: w[0] and w[1])
some_dice = st.lists(st.builds(Die, weights.map(tuple), st.booleans()), min_size=1, max_size=3)


@st.composite
def contenders(draw):
    """A player whose every set of dice scores now and then."""
    target = 50 * draw(st.integers(1, 7))
    rules = RuleSet(
        "random",
        (
            Combination((2,), 50), Combination((1, 1), 50 * draw(st.integers(1, 5))),
            Combination((1, 2, 3), 50 * draw(st.integers(1, 8))),
        ),
        dice=3, minimum_bank=50 * draw(st.integers(0, min(2, target // 50))),
        hot_dice=draw(st.booleans()), entry_minimum=50 * draw(st.integers(0, min(3, target // 50))),
        target=target,
    )  # fmt: skip
    aim = draw(st.sampled_from(["win", "win", "points"]))
    try:
        return Contender(DiceSet(draw(some_dice)), rules, aim)
    except InputError:  # no turn comes to what it takes to bank
        assume(False)


def pairs(first, second):
    """Every (own, other, mover)."""
    players = first, second
    for who in (0, 1):
        mine, theirs = players[who], players[1 - who]
        for own in range(0, mine.target, mine.rules.unit):
            for other in range(0, theirs.target, theirs.rules.unit):
                yield own, other, who


@settings(max_examples=40, deadline=None)
@given(contenders(), contenders(), st.booleans())
def test_enclosures_contain_the_exact_chances_and_are_narrow(first, second, alike):
    second = first if alike else second
    exact = win_exactly(first, second)
    found = enclose_wins(first, second)
    for where in pairs(first, second):
        enclosure = found.chance(*where)
        assert exact.chance(*where).point in enclosure
        # Where turns hardly ever add anything, what rounding loses is multiplied.
        assert enclosure.width <= 1000 * TINY


def test_the_turns_that_a_player_needs_to_enter_are_counted():
    # By hand: one die scores 100 with 1/6 and 50 with 1/6, all dice are rolled again, and nothing
    # short of 100 may be banked, which wins: r = 1/6 + 1/6·(r' = 1/3), so 2/9 of the turns do.
    player = contender("fair", KCD.varied(target=100, entry_minimum=100))
    assert mpq(9, 2) in least_turns(player)


def test_the_longer_list_of_rolls_sets_the_time_of_a_race():
    """A race of four different dice against one takes long, whoever of the two begins."""
    rules = KCD.varied(target=20_000)
    four, one = (contender("fair,odd,lucky,unlucky", rules), contender("fair", rules))

    class Stopped(Exception):  # noqa: N818 - no error: the race need not be solved
        pass

    def announce(words):
        raise Stopped(words)

    def begun(what, done, total):
        raise Stopped("nothing was announced")

    for players in ((four, one), (one, four)):
        with pytest.raises(Stopped, match="this race takes about"):
            enclose_wins(*players, run=Run(announce=announce, progress=begun))


def test_enclosed_races_for_points_agree_with_sums_over_turns():
    rules = KCD.varied(target=2000)
    first, second = (contender(spec, rules, "points") for spec in ("fair*6", "fair*5"))
    found = enclose_wins(first, second).chance()
    known = race("fair*6", "fair*5", rules)
    assert found.lower <= known.lower <= known.upper <= found.upper


def test_threads_do_not_change_a_bit():
    rules = KCD.varied(target=600)
    first, second = contender("fair*6", rules), contender("fair*2,odd*3", rules)
    one, two = (enclose_wins(first, second, run=Run(workers=threads)) for threads in (1, 2))
    assert all(one.chance(*where) == two.chance(*where) for where in pairs(first, second))


def test_advice_and_thresholds_of_an_enclosed_race_are_those_of_the_exact_one():
    rules = KCD.varied(target=500)
    first, second = contender("fair*2,odd", rules), contender("fair*3", rules)
    exact, found = win_exactly(first, second), enclose_wins(first, second)
    for roll, (own, other) in product(("1,1,5", "5,2,1", "5,5,3"), ((0, 0), (200, 450))):
        known = {c.way: c for c in advise_to_win(exact, roll, own, other)}
        for choice in advise_to_win(found, roll, own, other):
            assert known[choice.way].value.point in choice.value
            assert known[choice.way].regret.point in choice.regret
            assert choice.best in (None, known[choice.way].best)
    for enclosed, known in zip(win_thresholds(found), win_thresholds(exact), strict=True):
        assert enclosed.roll == known.roll
        assert enclosed.unsettled == known.ties


def test_progress_is_reported_and_may_interrupt_the_work():
    told = []
    player = contender(rules=KCD.varied(target=3000))
    enclose_wins(player, player, Run(progress=lambda *news: told.append(news)))
    assert told == sorted(told)
    assert all(0 <= done <= total == 1000 for _, done, total in told)

    def stop(what, done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        enclose_wins(player, player, Run(progress=stop))


@pytest.mark.long
def test_fairest_head_start_of_the_second_player_is_200_points():
    # Busche and Neller, "Optimal play of the Farkle dice game", abstract: 200 compensation points.
    player = contender(rules=TEN_THOUSAND)
    chances = enclose_wins(player, player, run=Run(workers=2))
    apart = {
        start: abs(chances.chance(0, start).middle - mpq(1, 2)) for start in range(0, 1000, 50)
    }
    assert min(apart, key=apart.get) == 200
    # The claim says what play for points loses where each begins half of the games.
    seeing, blind = (replace(player, aim=aim) for aim in ("win", "points"))
    begins = enclose_wins(blind, seeing, run=Run(workers=2)).chance(0, 0)
    follows = 1 - enclose_wins(seeing, blind, run=Run(workers=2)).chance(0, 0)
    lost = decimal(100 * ((1 - begins - follows) / 2).middle, 4)
    assert f" {lost} percentage points less " in claim_named("farkle.human-strategy").note


@pytest.mark.slow
def test_looking_gains_most_at_the_scores_in_the_paper():
    """By the enclosures at all pairs of scores; those of the paper lie above all others."""
    to_win = contender(rules=KCD.varied(target=4000))
    blind = replace(to_win, aim="points")
    seeing, unseeing = (enclose_wins(player, to_win) for player in (to_win, blind))
    looking = {
        scores: seeing.chance(*scores) - unseeing.chance(*scores)
        for scores in product(range(0, 4000, 50), repeat=2)
    }
    told = chances_report(seeing, unseeing, 2000)
    table = Path(__file__).parents[3] / "papers" / "generated" / "farkle" / "looking.tex"
    ahead = {scores: gain for scores, gain in looking.items() if scores[0] > scores[1]}
    for name, gains, (own, other) in (
        ("most", looking, (3200, 3950)),
        ("ahead", ahead, (3650, 3600)),
    ):
        assert (told.value(f"{name}_own"), told.value(f"{name}_other")) == (own, other)
        assert told.value(f"{name}_mean").middle == sum(g.middle for g in gains.values()) / len(
            gains
        )
        others = [gain.upper for scores, gain in gains.items() if scores != (own, other)]
        assert gains[own, other].lower > max(others)
        assert (
            f"farkle race --target 4000 --play optimal --scores {own},{other}"
            in table.read_text("utf-8")
        )


def test_a_list_of_scores_agrees_with_single_questions():
    listed = ask("farkle race --target 500 --play optimal --step 200").table("chances")
    assert listed.cells("own") == [own for own in (0, 200, 400) for _ in range(3)]
    one = ask("farkle race --target 500 --play optimal --scores 200,400")
    for column, name in (("chance", "value"), ("looking", "looking")):
        shown = listed.cell(column, own=200, other=400)
        assert Enclosure.of(shown) == Enclosure.of(one.value(name))


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
def test_chances_with_streaks_agree_with_the_definition():
    first, second = contender("odd", STREAKY), contender("fair", STREAKY.varied(target=100))
    found = enclose_streaks(first, second, width="1/100000000")
    low, high = slow_bounds([SlowPlayer(p.dice.dice, p.rules) for p in (first, second)], 60)
    for who, own, other, busts in every_standing(first, second):
        chance = found.chance(own, other, who, busts)
        place = who, own, other, *busts
        assert to_fraction(chance.lower) <= high[place]
        assert to_fraction(chance.upper) >= low[place]
        assert high[place] - low[place] < Fraction(1, 10**6)


def test_the_same_player_twice_is_two_equal_players():
    player, other = contender("odd,fair", STREAKY), contender("fair,odd", STREAKY)
    once = enclose_streaks(player, player)
    twice = enclose_streaks(player, other)
    for who, own, score, busts in every_standing(player, player):
        one, two = (each.chance(own, score, who, busts) for each in (once, twice))
        assert max(one.lower, two.lower) <= min(one.upper, two.upper)


def test_busts_in_a_row_differ_from_single_ones():
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


def test_a_race_with_free_streaks_is_a_plain_race():
    player = contender(rules=KCD.varied(target=600))
    plain = enclose_wins(player, player).chance()
    found = enclose_streaks(player, player, Run(workers=2), width="1/1000000000").chance()
    assert found.lower <= plain.lower <= plain.upper <= found.upper


def test_races_for_points_with_streaks_agree_with_chains_of_turns():
    rules = STREAKY.varied(target=300)
    players = [contender(dice, rules, "points") for dice in ("fair*2", "odd,fair")]
    by_states = enclose_streaks(*players, width="1/1000000000").chance()
    by_turns = race("fair*2", "odd,fair", rules)
    assert by_states.lower <= by_turns.lower <= by_turns.upper <= by_states.upper


def test_a_turn_with_streaks_has_the_value_of_its_race():
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


@pytest.mark.long
def test_first_player_of_facebook_farkle_wins_with_53_487_per_cent():
    # M. Busche, mattbusche.org/blog/article/optimal_farkle (2016), with scores of at least −2500.
    player = contender(rules=FACEBOOK)
    found = enclose_streaks(player, player, Run(workers=2), width="1/200000")
    assert found.chance().decimal(5) == "0.53487"
