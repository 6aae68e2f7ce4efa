"""Cross-checks pass on the solvers as they are, and catch every kind of planted mistake."""

from dataclasses import replace

import numpy as np
import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st
from native_oracles import check_swe, check_swe_moves, swe
from native_oracles import fatestones as native_fatestones
from native_oracles import reroll as native_reroll
from native_oracles import risk as native_risk

from exactdice import native
from exactdice.games import GAMES
from exactdice.games.reroll.rules import RerollRules
from exactdice.games.swe.rules import Ladder
from exactdice.jobs.crosscheck import Check, cases
from exactdice.native import swe_outlook

pytestmark = [
    pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install"),
    pytest.mark.slow,  # the C++ floating-point solvers against exact results
]

CHECKS = (native_risk, native_reroll, native_fatestones, check_swe, check_swe_moves)
CASES = [
    pytest.param(
        case, marks=pytest.mark.long if case.is_large else (), id=f"{case.game}-{case.size}"
    )
    for room in CHECKS
    for case in room.ladder()
]
SMALL = cases()


@pytest.mark.parametrize("case", [*SMALL, *CASES], ids=lambda case: f"{case.game}-{case.size}")
def test_the_fast_solvers_keep_their_bounds_at_small_sizes(case):
    check = case.run()
    assert check.passed, check.problems
    assert check.numbers > 0
    assert 0 <= check.bound_used <= 1


def test_large_sizes_come_after_the_small_ones():
    games = [name for name, game in GAMES.items() if game.crosscheck]
    assert {case.game for case in SMALL} == set(games)
    assert len(cases(large=True)) > len(SMALL)
    for game in games:  # growth is visible only from two sizes
        assert len(cases([game])) > 1


def altered(monkeypatch, name, change, room):
    genuine = getattr(room, name)
    monkeypatch.setattr(
        room, name, lambda *given, **options: change(genuine(*given, **options), options)
    )


def test_a_perturbed_probability_is_caught(monkeypatch):
    def perturb(grid, options):
        if not options.get("intervals"):
            grid[0][3, 4] *= 1 + 1e-12
        return grid

    altered(monkeypatch, "grid", perturb, native_risk)
    check = native_risk.check_risk(6)
    assert check.outside_bound == 1
    assert "4 against 3: the double is off by" in check.problems[0]


def test_an_interval_that_misses_by_one_unit_is_caught(monkeypatch):
    def perturb(grid, options):
        if options.get("intervals"):
            lower, upper = grid
            return lower, np.where(upper < 1, np.nextafter(lower, 0), upper)
        return grid

    altered(monkeypatch, "grid", perturb, native_risk)
    check = native_risk.check_risk(3)
    assert check.not_enclosed > 0
    assert check.outside_bound == 0
    assert "the interval does not contain the exact value" in check.problems[0]


def test_a_miscounted_round_is_caught(monkeypatch):
    altered(monkeypatch, "round_ways", lambda ways, _: [ways[0] + 1, *ways[1:]], native_risk)
    assert native_risk.check_risk(2).outside_bound > 0


def test_a_wrong_action_is_caught(monkeypatch):
    def perturb(solved, _):
        holds = solved.holds.copy()
        # Three ones are the best roll; hold none of them.
        holds[(solved.rolls[:, 0] == 3).nonzero()[0]] = 0
        return replace(solved, holds=holds)

    altered(monkeypatch, "reroll", perturb, native_reroll)
    check = native_reroll.check_reroll(RerollRules())
    assert check.wrong == 1
    assert check.problems == ("roll (1, 1, 1): takes (); optimal: (1, 1, 1)",)


def test_ties_and_problems_are_counted():
    # One die of 1 to 6 and penalty 1 is worth (4 + 5 + 6 − 3)/3 = 4: sticking on 3 and a reroll,
    # 4 − 1, are the same.
    check = native_reroll.check_reroll(RerollRules(dice=1))
    assert (check.ties, check.wrong) == (1, 0)
    check = Check("coin", "small")
    check.number("a", mpq(1), 1.5, (1.25, 2.0), mpq(1, 4))
    check.number("b", mpq(0), 0.0, None, mpq(0))
    check.number("c", mpq(1), 2.0, (0.0, 2.0), mpq(1, 4))
    check.action("d", "heads", ["tails"])
    check.action("e", "tails", ["heads", "tails"])
    check.excluded("f", "tails")
    check.undecided += 3
    assert (check.numbers, check.outside_bound, check.not_enclosed) == (3, 2, 2)
    assert (check.actions, check.ties, check.wrong, check.undecided) == (2, 1, 1, 3)
    assert (check.largest_absolute, check.largest_relative, check.bound_used) == (1, 1, 4)
    # 2 is off by 1, and doubles from 2 to 4 are 2^-51 apart.
    assert check.largest_ulps == 2**51
    assert [problem[0] for problem in check.problems] == ["a", "a", "d", "f"]


def test_a_wrong_number_of_states_or_actions_is_caught(monkeypatch):
    altered(
        monkeypatch,
        "reroll",
        lambda solved, _: replace(solved, choices=solved.choices + 1),
        native_reroll,
    )
    check = native_reroll.check_reroll(RerollRules(dice=2))
    assert check.problems == ("choices: 78 in the exact model, 79 in the other",)
    altered(
        monkeypatch,
        "census",
        lambda found, _: replace(found, deals=found.deals - 2, mixed=found.mixed + 2),
        native_fatestones,
    )
    check = native_fatestones.check_fatestones(6)
    assert not check.passed
    assert {name for name, exact, fast in check.model_sizes if exact != fast} == {
        "deals",
        "mixed deals",
    }


@settings(max_examples=12, deadline=None)
@given(
    st.lists(st.integers(2, 20), min_size=1, max_size=4, unique=True).map(sorted), st.integers(1, 9)
)
def test_swe_of_random_ladders_passes(faces, rounds):
    check = check_swe.check_swe(rounds, Ladder(*faces), decisions=300)
    assert check.passed, check.problems


@pytest.mark.parametrize("faces", [(2, 3), (2, 3, 4), (3, 20)])
def test_values_that_turn_on_the_score_pass(faces):
    # Small dice make catastrophes likely, and with them choices that depend on the score.
    check = check_swe.check_swe(13, Ladder(*faces), decisions=400)
    assert check.passed, check.problems


class Altered:
    def __init__(self, genuine, method, change):
        self.genuine, self.method, self.change = genuine, method, change

    def __getattr__(self, name):
        call = getattr(self.genuine, name)
        if name != self.method:
            return call
        return lambda dice: self.change(dice, call(dice))


def swe_altered(monkeypatch, change):
    genuine = check_swe.native.solve
    monkeypatch.setattr(
        check_swe.native,
        "solve",
        lambda *given, **options: change(genuine(*given, **options), options),
    )


def test_a_perturbed_swe_value_is_caught(monkeypatch):
    def scale(dice, pieces):
        if dice == [2, 1, 0, 0, 0]:
            pieces["A"][0][:] *= 1 + 1e-11
        return pieces

    def change(solved, options):
        if options.get("intervals"):
            return solved
        return replace(solved, compiled=Altered(solved.compiled, "afterstates", scale))

    swe_altered(monkeypatch, change)
    check = check_swe.check_swe(8)
    assert check.outside_bound > 0
    assert check.not_enclosed == 0
    assert check.problems[0].startswith("dice (2, 1, 0, 0, 0), ")


def test_a_wrong_swe_action_is_caught(monkeypatch):
    def promote(dice, block):
        # With one d4 and no legacy, promote in place of creating.
        if dice == [1, 0, 0, 0, 0]:
            chosen = block["revenue"][block["choices"]["state"]][:, 0] == 1
            block["choices"]["taken"][chosen] = 1
        return block

    swe_altered(
        monkeypatch,
        lambda solved, _: replace(solved, compiled=Altered(solved.compiled, "block", promote)),
    )
    check = check_swe.check_swe(4)
    assert check.wrong > 0
    assert "takes promote 0; optimal: create" in check.problems[0]


def test_an_optimal_action_that_intervals_exclude_is_caught(monkeypatch):
    def exclude(dice, block):
        if dice == [1, 0, 0, 0, 0]:
            block["choices"]["possible"][:] = 0
        return block

    def change(solved, options):
        if not options.get("intervals"):
            return solved
        return replace(solved, compiled=Altered(solved.compiled, "block", exclude))

    swe_altered(monkeypatch, change)
    check = check_swe.check_swe(4)
    assert check.not_enclosed > 0
    assert "intervals exclude" in check.problems[0]


@pytest.mark.parametrize("size", ["blocks", "states", "actions"])
def test_a_wrong_swe_size_is_caught(monkeypatch, size):
    def change(solved, _):
        sizes = replace(solved.sizes, **{size: getattr(solved.sizes, size) + 1})
        return replace(solved, sizes=sizes)

    swe_altered(monkeypatch, change)
    check = check_swe.check_swe(5)
    assert not check.passed
    assert check.problems[0].startswith(f"{size}: ")


@settings(max_examples=12, deadline=None)
@given(
    st.lists(st.integers(2, 20), min_size=1, max_size=4, unique=True).map(sorted),
    st.integers(1, 14),
)
def test_moves_of_random_ladders_pass(faces, rounds):
    check = check_swe_moves.check_moves(rounds, Ladder(*faces))
    assert check.passed, check.problems


def test_every_state_without_legacy_is_compared():
    """Count: dice of weight w, with 1, 2, …, 20 − w rounds left."""
    solved = swe.solve(20, intervals=True)
    states = sum((20 - w) * len(solved.compiled.dice_of_weight(w)) for w in range(1, 20))
    assert check_swe_moves.check_moves(20).actions >= states  # more if the score decides


@pytest.mark.parametrize("altered", [0, 0b10])
def test_a_move_that_is_left_out_is_caught(monkeypatch, altered):
    """With three d4 and a d6 and five rounds left, the other solver leaves only the creation."""
    genuine = swe_outlook.Outlook.possible

    def without(outlook, dice):
        masks = genuine(outlook, dice)
        if list(dice) == [3, 1, 0, 0, 0]:
            masks[4] = altered
        return masks

    monkeypatch.setattr(swe_outlook.Outlook, "possible", without)
    check = check_swe_moves.check_moves(12)
    assert not check.passed
    assert check.problems[0].endswith("5 rounds left: takes move 0; optimal: ")


def test_enclosures_that_do_not_meet_are_caught(monkeypatch):
    genuine = swe_outlook.solve

    def shifted(*arguments, **options):
        found = genuine(*arguments, **options)
        object.__setattr__(found, "value", genuine(9, *arguments[1:], **options).value)
        return found

    monkeypatch.setattr(swe_outlook, "solve", shifted)
    assert check_swe_moves.check_moves(8).not_enclosed == 1
