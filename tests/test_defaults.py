"""What the library takes unless it is told: a change of these is one for all who leave them out."""

from importlib import import_module
from inspect import signature

import pytest

import exactdice

# A module, what it has, an argument, and what that is unless it is given.
DEFAULTS = """
dice.distribution Distribution.keep_highest kept 1
dice.distribution Distribution.keep_lowest kept 1
dice.pools Pool.keep_highest kept 1
dice.pools Pool.keep_lowest kept 1
dice.pools Pool.keep_middle kept 1
games.farkle.chase.turns TargetPlayer.expected_turns bits 256
games.farkle.rules.dice_sets parse_dice most 6
games.farkle.sets.best best_sets count 1
games.farkle.sets.best best_sets size 6
games.farkle.races.intervals enclose_streaks passes 50
games.fatestones.rules decode_die highest 6
games.reroll.value_iteration value_iteration most_sweeps 10000
games.risk.campaigns campaign leave 1
games.swe.closed_forms.long_run LongRun sides 4
games.swe.closed_forms.long_run LongRun digits 30
games.swe.closed_forms.new_only NewOnly sides 4
games.swe.closed_forms.new_only NewOnly revenue 0
games.swe.closed_forms.new_only NewOnly score 0
games.swe.optimum.objectives beating tie 0
games.swe.optimum.objectives beating_a_law tie 0
games.swe.laws.simulation simulate seed 0
formats.openspiel from_openspiel most_denominator 10000
formats.openspiel_hidden hidden_from_openspiel most_denominator 10000
report.writers render digits 10
report.writers rendered_files digits 10
run Run workers 1
solve.simulation simulate plays 1000
solve.simulation simulate seed 0
solve.turns End payoff 0
web.workers Limits workers 2
web.workers Limits seconds 120
web.workers Limits waiting 200
"""


@pytest.mark.parametrize("line", DEFAULTS.strip().splitlines())
def test_an_argument_that_is_left_out_is_this(line: str) -> None:
    module, name, argument, value = line.split()
    what = import_module(f"{exactdice.__name__}.{module}")
    for part in name.split("."):
        what = getattr(what, part)
    assert signature(what).parameters[argument].default == int(value)
