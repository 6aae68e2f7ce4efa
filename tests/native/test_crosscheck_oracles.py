"""Cross-checks pass on the solvers as they are, and catch each kind of mistake that is put in."""

from dataclasses import replace

import numpy as np
import pytest
from gmpy2 import mpq
from native_oracles import check_fatestones, check_reroll, check_risk, check_swe, check_swe_moves
from native_oracles import fatestones as native_fatestones
from native_oracles import reroll as native_reroll
from native_oracles import risk as native_risk

from exactdice import native
from exactdice.errors import InputError
from exactdice.games import GAMES
from exactdice.games.reroll.rules import RerollRules
from exactdice.jobs.crosscheck import Check, cases

pytestmark = [
    pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install"),
    pytest.mark.slow,  # the C++ floating-point solvers against exact results
]

CHECKS = (check_risk, check_reroll, check_fatestones, check_swe, check_swe_moves)
CASES = [
    pytest.param(
        case, marks=pytest.mark.long if case.is_large else (), id=f"{case.game}-{case.size}"
    )
    for room in CHECKS
    for case in room.ladder()
]
SMALL = cases()


@pytest.mark.slow
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
    for game in games:  # what grows with the size is seen from two sizes on
        assert len(cases([game])) > 1
    with pytest.raises(InputError, match="game: got 'chess'; expected one of"):
        cases(["chess"])


def altered(monkeypatch, name, change, room):
    """Let a solver return something else than it found."""
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
    check = check_risk.check_risk(6)
    assert check.outside_bound == 1
    assert "4 against 3: the double is off by" in check.problems[0]


def test_an_interval_that_misses_by_one_unit_is_caught(monkeypatch):
    def perturb(grid, options):
        if options.get("intervals"):
            lower, upper = grid
            return lower, np.where(upper < 1, np.nextafter(lower, 0), upper)
        return grid

    altered(monkeypatch, "grid", perturb, native_risk)
    check = check_risk.check_risk(3)
    assert check.not_enclosed > 0
    assert check.outside_bound == 0
    assert "the interval does not contain the exact value" in check.problems[0]


def test_a_miscounted_round_is_caught(monkeypatch):
    altered(monkeypatch, "round_ways", lambda ways, _: [ways[0] + 1, *ways[1:]], native_risk)
    assert check_risk.check_risk(2).outside_bound > 0


def test_a_wrong_action_is_caught(monkeypatch):
    def perturb(solved, _):
        holds = solved.holds.copy()
        # Three ones are the best roll there is; hold none of them.
        holds[(solved.rolls[:, 0] == 3).nonzero()[0]] = 0
        return replace(solved, holds=holds)

    altered(monkeypatch, "reroll", perturb, native_reroll)
    check = check_reroll.check_reroll(RerollRules())
    assert check.wrong == 1
    assert check.problems == ("roll (1, 1, 1): takes (); optimal: (1, 1, 1)",)


def test_an_exact_tie_may_go_either_way_and_is_counted():
    # One die of 1 to 6 and penalty 1 is worth (4 + 5 + 6 − 3)/3 = 4: sticking on 3 and a reroll,
    # 4 − 1, are the same.
    check = check_reroll.check_reroll(RerollRules(dice=1))
    assert (check.ties, check.wrong) == (1, 0)


def test_a_wrong_number_of_states_or_actions_is_caught(monkeypatch):
    altered(
        monkeypatch,
        "reroll",
        lambda solved, _: replace(solved, choices=solved.choices + 1),
        native_reroll,
    )
    check = check_reroll.check_reroll(RerollRules(dice=2))
    assert check.problems == ("choices: 78 in the exact model, 79 in the other",)
    altered(
        monkeypatch,
        "census",
        lambda found, _: replace(found, deals=found.deals - 2, mixed=found.mixed + 2),
        native_fatestones,
    )
    check = check_fatestones.check_fatestones(6)
    assert not check.passed
    assert {name for name, exact, fast in check.model_sizes if exact != fast} == {
        "deals",
        "mixed deals",
    }


def test_a_check_reports_the_first_of_each_kind_and_counts_all():
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
