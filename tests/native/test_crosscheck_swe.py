"""The cross-check of the software-engineering game catches what is put wrong."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from native_oracles import check_swe as crosscheck
from native_oracles.check_swe import check_swe

from exactdice import native
from exactdice.games.swe.rules import Ladder

pytestmark = [
    pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install"),
    pytest.mark.slow,  # the C++ floating-point solvers against exact results
]


@settings(max_examples=12, deadline=None)
@given(
    st.lists(st.integers(2, 20), min_size=1, max_size=4, unique=True).map(sorted),
    st.integers(1, 9),
)
def test_random_ladders_pass(faces, rounds):
    check = check_swe(rounds, Ladder(*faces), decisions=300)
    assert check.passed, check.problems


@pytest.mark.parametrize("faces", [(2, 3), (2, 3, 4), (3, 20)])
def test_values_that_turn_on_the_score_pass(faces):
    # Small dice make catastrophes likely, and with them choices that depend on the score.
    check = check_swe(13, Ladder(*faces), decisions=400)
    assert check.passed, check.problems


class Altered:
    """A compiled solution in which one method returns something else."""

    def __init__(self, genuine, method, change):
        self.genuine, self.method, self.change = genuine, method, change

    def __getattr__(self, name):
        call = getattr(self.genuine, name)
        if name != self.method:
            return call
        return lambda dice: self.change(dice, call(dice))


def altered(monkeypatch, change):
    genuine = crosscheck.native.solve
    monkeypatch.setattr(
        crosscheck.native,
        "solve",
        lambda *given, **options: change(genuine(*given, **options), options),
    )


def test_a_perturbed_value_is_caught(monkeypatch):
    def scale(dice, pieces):
        if dice == [2, 1, 0, 0, 0]:
            pieces["A"][0][:] *= 1 + 1e-11
        return pieces

    def change(solved, options):
        if options.get("intervals"):
            return solved
        return replace(solved, compiled=Altered(solved.compiled, "afterstates", scale))

    altered(monkeypatch, change)
    check = check_swe(8)
    assert check.outside_bound > 0
    assert check.not_enclosed == 0
    assert check.problems[0].startswith("dice (2, 1, 0, 0, 0), ")


def test_a_wrong_action_is_caught(monkeypatch):
    def promote(dice, block):
        # With one d4 and no legacy, promote in place of creating.
        if dice == [1, 0, 0, 0, 0]:
            chosen = block["revenue"][block["choices"]["state"]][:, 0] == 1
            block["choices"]["taken"][chosen] = 1
        return block

    altered(
        monkeypatch,
        lambda solved, _: replace(solved, compiled=Altered(solved.compiled, "block", promote)),
    )
    check = check_swe(4)
    assert check.wrong > 0
    assert "takes promote 0, while optimal is create" in check.problems[0]


def test_an_optimal_action_that_intervals_exclude_is_caught(monkeypatch):
    def exclude(dice, block):
        if dice == [1, 0, 0, 0, 0]:
            block["choices"]["possible"][:] = 0
        return block

    def change(solved, options):
        if not options.get("intervals"):
            return solved
        return replace(solved, compiled=Altered(solved.compiled, "block", exclude))

    altered(monkeypatch, change)
    check = check_swe(4)
    assert check.not_enclosed > 0
    assert "intervals exclude" in check.problems[0]


@pytest.mark.parametrize("size", ["blocks", "states", "actions"])
def test_a_wrong_size_is_caught(monkeypatch, size):
    def change(solved, _):
        sizes = replace(solved.sizes, **{size: getattr(solved.sizes, size) + 1})
        return replace(solved, sizes=sizes)

    altered(monkeypatch, change)
    check = check_swe(5)
    assert not check.passed
    assert check.problems[0].startswith(f"{size}: ")
