"""Invalid certificates of models, and equal states of different types."""

from dataclasses import replace

import pytest
from gmpy2 import mpfr, mpq
from model_oracles import go, refuses

from exactdice import models
from exactdice.dice import Distribution
from exactdice.models import Certificate, Choice, End, Game, Turn, optimum, point_mass, policy_value
from exactdice.solve.arena import CertificateError
from exactdice.solve.certificate import _involves_two, _scale
from exactdice.solve.questions import reach

INFINITY = float("inf")


def test_a_side_that_changes_after_some_of_the_draws_makes_two_players():
    here, mixed = point_mass("s"), Distribution({models.Other("s"): 1, "s": 1})
    one = [None, End(1), here, [Choice("on", 0, here)], Turn(1, [Choice("on", 0, here)])]
    two = [mixed, [Choice("on", 0, here), Choice("off", 0, mixed)], models.Chance(1, mixed)]
    two += [Turn(2, [Choice("on", 0, here)]), models.Both({(0, 0): End(0)})]
    assert not any(map(_involves_two, one))
    assert all(map(_involves_two, two))


def road():
    """s leads to t, and t to the end e, which pays 1: everything is worth 1."""
    table = {"s": [go("on", "t")], "t": [go("on", "e")], "e": End(1)}
    return Game("s", table.__getitem__)


@pytest.mark.parametrize("bounds", [
    {"s": mpq(10**6), "t": float("nan")}, {"s": float("nan"), "t": mpq(1)},
    {"s": INFINITY, "t": INFINITY, "e": INFINITY}, {"s": mpq(10**6), "t": mpfr("nan")}, {"s": 1.0},
    {"s": 1}, {"s": "1"}])  # fmt: skip
def test_bounds_other_than_rationals_prove_nothing(bounds):
    """Comparisons with NaN are false, so that no inequality would fail."""
    right = optimum(road().explored()).certificate()
    right.check(road())
    wrong = replace(right, lower={**right.lower, **bounds}, upper={**right.upper, **bounds})
    refuses(CertificateError, r"bound of '[ste]' .* expected a rational", wrong.check, road())
    drawn = optimum(road().explored(), infinite="draw").certificate()
    values = {**drawn.lower, **bounds}
    with pytest.raises(CertificateError, match=r"bound of '[ste]' .* expected a rational"):
        replace(drawn, lower=values, upper=values).check(road())


@pytest.mark.parametrize("rank", [float("nan"), INFINITY, 2.0, mpq(2), True, "2"])
@pytest.mark.parametrize("side", ["ranks_first_free", "ranks_second_free"])
def test_ranks_other_than_whole_numbers_prove_nothing(side, rank):
    right = optimum(road().explored()).certificate()
    wrong = replace(right, **{side: {**getattr(right, side), "s": rank}})
    refuses(CertificateError, r"rank of 's' .* expected a whole number", wrong.check, road())
    drawn = optimum(road().explored(), infinite="draw").certificate()
    wrong_drawn = replace(drawn, **{side: {**getattr(drawn, side), "s": rank}})
    refuses(CertificateError, r"rank of 's' .* expected a whole number", wrong_drawn.check, road())


def picky(state):
    """Rules that tell True from 1, which are equal: the one is worth 5, the other 7."""
    if state == 0:
        return [go("on", 1), go("yes", True)]
    return End(5 if state is True else 7)


def paired(state):
    if state == (0, 0):
        return [go("on", (0, 1)), go("yes", (0, True))]
    return End(5 if state[1] is True else 7)


@pytest.mark.parametrize(("initial", "rules"), [(0, picky), ((0, 0), paired)])
def test_equal_states_of_different_types_are_rejected(initial, rules):
    with pytest.raises(models.ModelError, match="equal, but of different types; write one of them"):
        Game(initial, rules).explored()


@pytest.mark.parametrize("key", [1, True])
def test_no_certificate_is_valid_for_only_one_of_two_equal_states(key):
    """Asked about its own states alone, it would prove 7 for the key 1, and 5 for True."""
    payoff = mpq(5 if key is True else 7)
    values = {0: payoff, key: payoff}
    forged = Certificate(0, values, values, {0: "on"}, {}, {0: 1, key: 0}, {0: 1, key: 0})
    refuses(CertificateError, "equal, but of different types", forged.check, Game(0, picky))


def test_a_certificate_of_true_is_none_of_one():

    def moves(state):
        if state == 0:
            return [Choice("go", 0, Distribution({models.Other(1): 1}))]
        return End(5 if state is True else 7)

    forged = {0: mpq(-5), True: mpq(5)}
    ranks = {0: 1, True: 0}
    certificate = Certificate(0, forged, forged, {0: "go"}, {}, ranks, ranks)
    refuses(CertificateError, "equal, but of different types", certificate.check, Game(0, moves))


def staying():
    """To stop costs 5; to stay forever costs nothing, and is none of the policies that count."""

    def moves(state):
        stay = go("stay", "here")
        return [go("stop", "end", -5), stay] if state == "here" else End(0)

    return Game("here", moves)


def test_an_answer_states_that_infinite_play_is_excluded():
    """By hand: the supremum over all policies is 0, and over those that end −5."""
    best = optimum(staying().explored())
    assert best.value == -5
    assert best.report().provenance.conventions["endless play"] == (
        "excluded; only policies under which play ends count"
    )
    goal = reach(staying().explored(), lambda state: state == "end", least=True)
    assert goal.value == 0
    assert goal.report().provenance.conventions["endless play"] == "does not reach the goal"
    sure = policy_value(staying().explored(), lambda _: "stop")
    assert not sure.report().provenance.conventions
    drawn = optimum(Game("end", lambda _: End(0)).explored(), infinite="draw")
    assert drawn.report().provenance.conventions["endless play"] == "a draw, which pays nothing"


def test_questions_explore_a_game():
    game = staying()
    assert optimum(game).value == models.expect(game, policies={1: lambda _: "stop"}).value == -5
    assert reach(game, lambda state: state == "end").value == 1
    assert policy_value(game, {"here": "stop"}).value == -5
    for law_of in (models.reward_distribution, models.time_distribution):
        assert law_of(game, {"here": "stop"}).variance == 0
    assert models.win_draw_loss(game, {"here": "stop"}).draw.point == 1
    assert optimum(Game("end", lambda _: End(3)), infinite="draw").value == 3


def test_bounds_have_a_common_denominator_unless_it_is_long():
    """Twice as many bits and 64 are not much longer: primes of 107, 127 and 521 bits."""
    first, second, third = 2**107 - 1, 2**127 - 1, 2**521 - 1

    def scale(*primes):
        return _scale([(mpq(1, prime), mpq(2, prime)) for prime in primes])

    assert scale(2, 3, 4) == 12
    assert scale(first, second) == first * second
    assert scale(first, second, third) == first * second * third
    assert scale(first, second, 2**89 - 1) == 1  # 323 bits, where 2 * 127 + 64 are 318
    whole = 2**126 * (2**127 - 1) * (2**64 + 1)
    assert whole.bit_length() == 318
    assert scale(2**126, 2**127 - 1, 2**64 + 1) == whole
    assert scale(2**126, 2**127 - 1, 2**65 + 1) == 1


def test_waiting_forever_does_not_prove_that_a_goal_is_reached():
    """By hand: to wait keeps the value 1, but never reaches the goal."""
    ways = [Choice("try", 0, Distribution({0: 1, 1: 1})), go("wait", 0)]
    game = Game(0, lambda state: End(0) if state else ways)
    right = reach(game, lambda state: state == 1).certificate()
    right.check(game)
    assert (right.lower[0], right.policy) == (1, {0: "try"})
    with pytest.raises(CertificateError, match="'wait' in 0 leads to no state of lower rank"):
        replace(right, policy={0: "wait"}).check(game)
