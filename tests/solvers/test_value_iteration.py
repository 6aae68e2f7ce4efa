"""Value iteration and intervals: arguments, orders, and what stops them."""

from typing import Any

import pytest
from gmpy2 import mpq
from interval_iteration import interval_iteration

from exactdice.dice import Distribution
from exactdice.errors import InputError
from exactdice.solvers.process import Choice, DecisionProcess, point_mass
from exactdice.solvers.value_iteration import ConvergenceError, Sweeps, value_iteration

END = "end"


def corridor(length: int) -> DecisionProcess[Any]:
    """From each place one step leads to the one before; the first pays 1 and ends."""
    return DecisionProcess(
        {
            place: [Choice("step", 1 if place == 0 else 0, point_mass(place - 1 if place else END))]
            for place in range(length)
        }
        | {END: []}
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
    process = DecisionProcess({0: [Choice("walk", 1, Distribution({0: 999, END: 1}))], END: []})
    stopped = value_iteration(process, 1)
    assert stopped.values[0] == 1 + mpq(999, 1000)


def test_policies_of_the_last_sweep_and_of_its_values_may_differ() -> None:
    """The last sweep still sees 0 behind 'far'; its own values already show the better road."""
    process = DecisionProcess(
        {
            0: [Choice("near", 0, point_mass(END)), Choice("far", "-1/2", point_mass(1))],
            1: [Choice("go", 1, point_mass(END))],
            END: [],
        }
    )
    stopped = value_iteration(process, 2, order="synchronous")
    assert stopped.sweeps == 1
    assert stopped.last_choices == {0: "near", 1: "go"}
    assert stopped.policy == {0: "far", 1: "go"}


@pytest.mark.parametrize("arithmetic", ["exact", "float"])
def test_of_equally_good_actions_the_first_is_taken(arithmetic: str) -> None:
    stops = [Choice(name, 1, point_mass(END)) for name in ("first", "second")]
    process = DecisionProcess({0: [Choice("worse", 0, point_mass(END)), *stops], END: []})
    stopped = value_iteration(process, 1, arithmetic=arithmetic)
    assert stopped.policy == stopped.last_choices == {0: "first"}


def test_float_sweeps_give_floats_and_exact_ones_rationals() -> None:
    process = DecisionProcess({0: [Choice("walk", 1, Distribution({0: 1, END: 2}))], END: []})
    assert isinstance(value_iteration(process, "0.1", arithmetic="float").values[0], float)
    # 1 + 1/3 + 1/9 + 1/27 by hand: the change of 1/27 is the first below 1/10.
    assert value_iteration(process, "0.1").values[0] == mpq(40, 27)


def test_numbers_beyond_doubles_are_refused_in_floating_point() -> None:
    process = DecisionProcess({0: [Choice("stop", "1e400", point_mass(END))], END: []})
    assert value_iteration(process, 1).values[0] == mpq(10) ** 400
    with pytest.raises(InputError, match="arithmetic: got 'float'; give 'exact' for numbers"):
        value_iteration(process, 1, arithmetic="float")


def test_sweeps_are_bounded() -> None:
    mine = DecisionProcess(
        {0: [Choice("dig", 1, point_mass(0)), Choice("leave", 0, point_mass(END))], END: []}
    )
    with pytest.raises(ConvergenceError, match="after 7 sweeps"):
        value_iteration(mine, "0.1", most_sweeps=7)
    slow = DecisionProcess({0: [Choice("walk", -1, Distribution({0: 99, END: 1}))]} | {END: []})
    stuck = DecisionProcess(
        {
            0: [
                Choice("pay", -3, point_mass(END)),
                Choice("try", -1, Distribution({0: 1, END: 1})),
            ],
            END: [],
        }
    )
    assert interval_iteration(slow, 1).width <= 1
    with pytest.raises(ConvergenceError, match="after 1 sweeps"):
        interval_iteration(stuck, "1e-9", most_sweeps=1)


def test_precision_grows_where_rounding_stands_still() -> None:
    """Steps of 1/2 with one chance in 200 to end cost 100, not the 150 of paying.

    A sweep closes 1/200 of what is open: at the first precision, 1/32, that is rounded away while
    more than 6 is open.
    """
    process = DecisionProcess(
        {
            0: [
                Choice("pay", -150, point_mass(END)),
                Choice("try", "-1/2", Distribution({0: 199, END: 1})),
            ],
            END: [],
        }
    )
    bounds = interval_iteration(process, 1)
    assert bounds.width <= 1
    assert bounds.lower[0] <= -100 <= bounds.upper[0]
    assert bounds.lower[0] > -101


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"theta": 0}, "theta: got 0; give a number above 0"),
        ({"theta": 0.1}, "theta: got 0.1; give an exact number"),
        ({"theta": 10**400, "arithmetic": "float"}, "theta: got 1000.*; give a number within the"),
        ({"theta": "1e-400", "arithmetic": "float"}, "theta: got '1e-400'; give a number within"),
        ({"theta": 1, "order": "random"}, "order: got 'random'"),
        ({"theta": 1, "arithmetic": "decimal"}, "arithmetic: got 'decimal'"),
        ({"theta": 1, "most_sweeps": 0}, "most_sweeps: got 0"),
    ],
)
def test_arguments_are_checked(arguments: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        value_iteration(corridor(2), **arguments)


def test_tolerance_is_checked() -> None:
    with pytest.raises(InputError, match="tolerance: got 0"):
        interval_iteration(corridor(2), 0)
