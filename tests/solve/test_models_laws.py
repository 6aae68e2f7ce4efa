"""Laws under a policy against sums over everything that can happen."""

from collections import Counter
from fractions import Fraction
from typing import Any
from unittest.mock import patch

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st
from model_oracles import fraction, tables, ways

from exactdice.dice import Distribution, fair
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, TooLargeError
from exactdice.models import (
    Both,
    Chance,
    Choice,
    End,
    Game,
    Other,
    expect,
    optimum,
    point_mass,
    policy_value,
    reward_law,
    time_law,
    win_draw_loss,
)
from exactdice.solve import laws


def followed(
    table: dict[Any, Any], chosen: dict[Any, Any], moves: int
) -> dict[tuple[Fraction, int], Fraction]:
    """Chances of (total, moves made) of all that ends within so many moves, by recursion."""
    law: dict[tuple[Fraction, int], Fraction] = {}

    def walk(state: Any, total: Fraction, sign: int, made: int, chance: Fraction) -> None:
        if state == "end":
            key = (total + sign * fraction(table["end"].payoff), made)
            law[key] = law.get(key, Fraction(0)) + chance
        elif made < moves:
            way = chosen[state]
            for successor, weight in way.successors.items():
                turned = type(successor) is Other
                walk(
                    successor.state if turned else successor,
                    total + sign * fraction(way.reward),
                    -sign if turned else sign,
                    made + 1,
                    chance * Fraction(weight, way.successors.denominator),
                )

    walk(0, Fraction(0), 1, 0, Fraction(1))
    return law


@given(tables(players=2, ends=True, turns=True), st.integers(0, 2))
def test_laws_agree_with_all_ways_that_play_can_go(table: dict[Any, Any], taste: int) -> None:
    chosen = {s: ways(table[s])[taste % len(ways(table[s]))] for s in table if s != "end"}
    model = Game(0, table.__getitem__).explored()
    policy = {s: chosen[s].action for _, s in model.deciding()}
    law = followed(table, chosen, 5)
    left = 1 - sum(law.values())
    times = time_law(model, policy)
    for bound in (1, 2, 4):
        sure = sum((p for (_, made), p in law.items() if made <= bound), Fraction(0))
        enclosed = times.probability_at_most(bound, "1e-9")
        assert mpq(str(sure)) in enclosed
    totals = reward_law(model, policy)
    mean = sum((total * p for (total, _), p in law.items()), Fraction(0))
    # What has not ended after 5 moves earns at most 2 a move and at the end; on average it takes
    # at most 10 moves more.
    slack = mpq(str(left)) * (2 * 16 + 2)
    assert abs(totals.mean - mpq(str(mean))) <= slack
    assert totals.variance >= 0
    median = times.quantile("1/2")
    below = sum((p for (_, made), p in law.items() if made < median), Fraction(0))
    assert below < Fraction(1, 2)


@given(tables(players=2, ends=True, turns=True), st.integers(0, 2))
def test_the_whole_law_is_given_just_where_all_ways_end_in_so_many_moves(
    table: dict[Any, Any], taste: int
) -> None:
    """Up to four states: without a circle play takes 4 moves at most, with one it may take 5."""
    chosen = {s: ways(table[s])[taste % len(ways(table[s]))] for s in table if s != "end"}
    model = Game(0, table.__getitem__).explored()
    totals = reward_law(model, {s: chosen[s].action for _, s in model.deciding()})
    for moves in range(6):
        law = Counter[Fraction]()
        for (total, _), chance in followed(table, chosen, moves).items():
            law[total] += chance
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


def test_moments_and_quantiles_of_a_geometric_time() -> None:
    """By hand: with chance p = 1/6 a throw, mean 6, variance (1 − p)/p² = 30, median 4."""
    six = Game("no", lambda seen: None if seen else fair(6).map(lambda f: f == 6))
    model = Game(False, six.moves).explored()
    law = time_law(model, {})
    assert (law.mean, law.variance) == (6, 30)
    assert law.quantile("1/2") == 4  # 1 − (5/6)³ = 0.42, 1 − (5/6)⁴ = 0.52
    assert law.standard_deviation.square == 30
    enclosed = law.probability_at_most(4, "1e-6")
    assert 1 - mpq(5, 6) ** 4 in enclosed
    with pytest.raises(TooLargeError, match="quantile: not certain after 10 moves"):
        law.quantile("0.999", most_moves=10)
    with pytest.raises(TooLargeError, match="distribution: play has not surely ended after 9"):
        law.distribution(most_moves=9)
    with pytest.raises(InputError, match="level: got 0"):
        law.quantile(0)


def test_the_law_of_three_dice_is_that_of_their_sum() -> None:
    def moves(state: tuple[int, int]) -> Any:
        thrown, total = state
        if thrown == 3:
            return End(total)
        return Chance(0, fair(6).map(lambda face: (thrown + 1, total + face)))

    law = reward_law(Game((0, 0), moves).explored(), {})
    expected = fair(6).sum_of(3)
    assert law.distribution() == expected
    assert (law.mean, law.variance) == (expected.mean(), expected.variance())
    assert law.quantile("0.9") == expected.quantile("0.9")


def test_win_draw_and_loss_of_who_rolls_higher_seen_from_either_side() -> None:
    """By hand: 15 of 36 pairs each way, 6 of 36 equal."""

    def moves(state: Any) -> Any:
        if state is None:
            return fair(6).map(lambda face: Other(("reply", face)))
        kind, number = state
        if kind == "reply":
            return fair(6).map(lambda face: ("over", (face > number) - (face < number)))
        return End(number)

    model = Game(None, moves).explored()
    chances = win_draw_loss(model, {})
    assert chances.win.point == chances.loss.point == mpq(15, 36)
    assert chances.draw.point == mpq(6, 36)
    enclosed = win_draw_loss(model, {}, width="1e-9")
    assert mpq(15, 36) in enclosed.win
    assert mpq(15, 36) in enclosed.loss
    assert mpq(6, 36) in enclosed.draw
    assert max(e.width for e in (enclosed.win, enclosed.draw, enclosed.loss)) <= mpq(1, 10**9)


def test_first_head_wins_two_games_of_three() -> None:
    """By hand: p = 1/2 + (1 − p)/2."""
    coin = Game(0, lambda n: Distribution({1: 1, Other(0): 1}) if n == 0 else End(1))
    model = coin.explored()
    assert win_draw_loss(model, {}).win.point == mpq(2, 3)
    assert optimum(model).value == mpq(1, 3)
    assert time_law(model, {}).mean == 2


def test_a_policy_is_asked_for_where_somebody_chooses_and_not_where_nobody_does() -> None:
    stay = Game(0, lambda n: [Choice("stop", 2, point_mass(1))] if n == 0 else End(0))
    wanted = "policy: got none for 0; give an action for each state: a mapping, a function, or an "
    for question in (reward_law, time_law, win_draw_loss, policy_value):
        with pytest.raises(InputError, match=f"^{wanted}answer as of optimum\\(game\\)$"):
            question(stay)
    assert reward_law(stay, optimum(stay)).mean == 2
    assert policy_value(Game(0, lambda n: End(3))).value == 3


def test_what_ends_later_may_be_less_than_what_has_ended() -> None:
    """By hand: 10 at once or 0 a move later, with equal chances."""
    table = {"start": fair(2), 1: End(10), 2: point_mass("later"), "later": End(0)}
    law = reward_law(Game("start", table.__getitem__))
    assert [law.quantile(level) for level in ("1/3", "1/2", "2/3", 1)] == [0, 0, 10, 10]


def test_chances_that_are_not_near_after_so_many_moves_are_refused() -> None:
    """By hand: after three throws (5/6)³ is left."""
    law = time_law(Game(0, lambda face: fair(6) if face < 6 else None))
    left = mpq(5, 6) ** 3
    with patch.object(laws, "_MAX_MOVES", 3):
        assert law.probability_at_most(3, left) == Enclosure(1 - left, mpq(1))
        with pytest.raises(TooLargeError, match=r"^probability_at_most: not within .* 3 moves$"):
            law.probability_at_most(3, left * mpq(99, 100))


def test_laws_of_choices_at_once_where_sides_change() -> None:
    """By hand: with 3, −5, 0 and 2 for the pairs, rows 1/5 and 4/5, columns 7/10 and 3/10.

    The 5 are 1 and 4 that the other side, who sees what follows as the first one, receives.
    """
    pairs = {("a", "x"): End(3), ("a", "y"): point_mass(Other("more")), ("b", "x"): End(0),
             ("b", "y"): End(2)}  # fmt: skip
    table = {"start": Both(pairs), "more": Chance(1, point_mass("over")), "over": End(4)}
    game = Game("start", table.__getitem__)
    best = optimum(game)
    assert best.mixed[0] == ((mpq(1, 5), mpq(4, 5)), (mpq(7, 10), mpq(3, 10)))
    law = {3: mpq(14, 100), -5: mpq(6, 100), 0: mpq(56, 100), 2: mpq(24, 100)}
    mean = sum(total * chance for total, chance in law.items())
    assert best.value == policy_value(game, best).value == mean
    assert expect(game, policies={1: best, 2: best}).value == mean
    assert reward_law(game, best).distribution().probabilities() == law
    assert time_law(game, best).mean == 1 + law[-5]
    chances = win_draw_loss(game, best)
    assert (chances.win.point, chances.loss.point) == (law[3] + law[2], law[-5])
