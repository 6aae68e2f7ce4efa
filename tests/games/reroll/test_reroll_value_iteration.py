"""Value iteration: arguments, orders, and what stops it."""

from typing import Any

import pytest
from gmpy2 import mpq

from exactdice.dice import Distribution
from exactdice.errors import InputError
from exactdice.models import Choice, End, Game, Model, point_mass
from exactdice.studies.reroll.value_iteration import ConvergenceError, Sweeps, value_iteration

END = "end"


def model(table: dict[Any, Any]) -> Model[Any]:
    """The states in the order of the table, then the end."""
    rules = {**table, END: End(0)}
    return Game(next(iter(table)), rules.__getitem__).explored(also=rules)


def corridor(length: int) -> Model[Any]:
    """From each place one step leads to the one before; the first pays 1 and ends."""
    return model(
        {
            place: [Choice("step", 1 if place == 0 else 0, point_mass(place - 1 if place else END))]
            for place in range(length)
        }
    )


def test_in_place_sweeps_read_new_values_at_once() -> None:
    """Along a corridor in its own order one sweep in place does it; together, one a place."""
    sweep = Sweeps(corridor(5), "in-place")
    assert sweep.sweep() == 1
    assert sweep.values == [1, 1, 1, 1, 1, 0]
    stopped = value_iteration(corridor(5), 1, order="in-place")
    assert (stopped.sweeps, stopped.changes) == (2, (1, 0))
    together = value_iteration(corridor(5), 1, order="synchronous")
    assert (together.sweeps, together.changes) == (6, (1, 1, 1, 1, 1, 0))


def test_a_small_change_is_no_small_error() -> None:
    """1 a step until leaving with chance 1/1000: worth 1000, but the second change is below 1."""
    walk = model({0: [Choice("walk", 1, Distribution({0: 999, END: 1}))]})
    stopped = value_iteration(walk, 1)
    assert stopped.values[0] == 1 + mpq(999, 1000)


def test_policies_of_the_last_sweep_and_of_its_values_may_differ() -> None:
    """The last sweep still sees 0 behind 'far'; its own values already show the better road."""
    walk = model(
        {
            0: [Choice("near", 0, point_mass(END)), Choice("far", "-1/2", point_mass(1))],
            1: [Choice("go", 1, point_mass(END))],
        }
    )
    stopped = value_iteration(walk, 2, order="synchronous")
    assert stopped.sweeps == 1
    assert stopped.last_choices == {0: "near", 1: "go"}
    assert stopped.policy == {0: "far", 1: "go"}


def test_of_equally_good_actions_the_first_is_taken() -> None:
    stops = [Choice(name, 1, point_mass(END)) for name in ("first", "second")]
    walk = model({0: [Choice("worse", 0, point_mass(END)), *stops]})
    stopped = value_iteration(walk, 1)
    assert stopped.policy == stopped.last_choices == {0: "first"}


def test_a_change_below_the_tolerance_is_the_last() -> None:
    """By hand: 1 + 1/3 + 1/9 + 1/27; the change of 1/27 is the first below 1/10."""
    walk = model({0: [Choice("walk", 1, Distribution({0: 1, END: 2}))]})
    assert value_iteration(walk, "0.1").values[0] == mpq(40, 27)


def test_sweeps_are_bounded() -> None:
    mine = model({0: [Choice("dig", 1, point_mass(0)), Choice("leave", 0, point_mass(END))]})
    with pytest.raises(ConvergenceError, match="after 7 sweeps"):
        value_iteration(mine, "0.1", most_sweeps=7)
    with pytest.raises(ConvergenceError, match="after 10000 sweeps"):  # by default
        value_iteration(mine, "0.1")
    # Along a corridor of five places the sixth sweep is the first that changes nothing.
    assert value_iteration(corridor(5), 1, most_sweeps=6).sweeps == 6
    with pytest.raises(ConvergenceError, match="changes by 1 or more after 5 sweeps"):
        value_iteration(corridor(5), 1, most_sweeps=5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"theta": 0}, "theta: got 0; expected a positive number"),
        ({"theta": 0.1}, "theta: got 0.1; expected an exact number"),
        ({"theta": 1, "order": "random"}, "order: got 'random'"),
        ({"theta": 1, "most_sweeps": 0}, "most_sweeps: got 0"),
    ],
)
def test_arguments_are_checked(arguments: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        value_iteration(corridor(2), **arguments)
