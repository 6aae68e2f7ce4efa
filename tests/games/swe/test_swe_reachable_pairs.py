"""Reachable tables: against a search through the rules of the software-engineering game."""

from itertools import product

import pytest

from exactdice.errors import InputError
from exactdice.games.swe.optimum.reachable import count_reachable, reachability, split_weights
from exactdice.symbolic.statements import Status


def after_one_round(revenue, legacy):
    """All tables after a round: every legal action, then every way the dice can fall."""
    rungs = len(revenue)
    if any(legacy):
        moves = [
            (_changed(revenue, {i: 1}), _changed(legacy, {i: -1}))
            for i in range(rungs)
            if legacy[i]
        ]
    else:
        moves = [(_changed(revenue, {0: 1}), legacy)]
        moves += [
            (_changed(revenue, {i: -1, i + 1: 1}), legacy) for i in range(rungs - 1) if revenue[i]
        ]
    for up, down in moves:
        for failed in product(*(range(n + 1) for n in up)):
            yield (
                tuple(n - f for n, f in zip(up, failed, strict=True)),
                tuple(n + f for n, f in zip(down, failed, strict=True)),
            )


def _changed(dice, by):
    return tuple(n + by.get(i, 0) for i, n in enumerate(dice))


@pytest.mark.parametrize(("rungs", "rounds"), [(1, 6), (2, 6), (3, 6), (5, 6)])
def test_theorem_agrees_with_a_search(rungs, rounds):
    tables = {((0,) * rungs, (0,) * rungs)}
    for played in range(rounds + 1):
        assert len(tables) == count_reachable(played, rungs)
        assert all(min(played, 1) <= weight(table) <= played for table in tables)
        tables = {after for table in tables for after in after_one_round(*table)}


def weight(table):
    return sum(rung * number for dice in table for rung, number in enumerate(dice, start=1))


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
