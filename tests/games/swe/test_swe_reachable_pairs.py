"""Reachable tables: against a search through the rules of the software-engineering game."""

import pytest
from swe_oracle import Oracle, reachable

from exactdice.errors import InputError
from exactdice.games.swe.optimum.reachable import count_reachable, reachability, split_weights
from exactdice.games.swe.rules import State, weight
from exactdice.symbolic.statements import Status


@pytest.mark.parametrize(("rungs", "rounds"), [(1, 6), (2, 6), (3, 6), (5, 6)])
def test_theorem_agrees_with_a_search(rungs, rounds):
    none = (0,) * rungs
    for played, layer in enumerate(reachable(Oracle(range(2, 2 + rungs)), (none, none, 0), rounds)):
        tables = {(revenue, legacy) for revenue, legacy, _ in layer}
        assert len(tables) == count_reachable(played, rungs)
        assert all(min(played, 1) <= weight(State(*table).dice) <= played for table in tables)


def test_weights_of_the_ten_dimensional_simplex():
    assert split_weights(5) == (1, 1, 2, 2, 3, 3, 4, 4, 5, 5)
    statement = reachability(5)
    assert statement.status is Status.PROVED
    assert "t^{10}" in statement.latex


def test_wrong_arguments_are_refused():
    with pytest.raises(InputError, match="rounds: got -1"):
        count_reachable(-1)
    with pytest.raises(InputError, match="rungs: got 0"):
        split_weights(0)
