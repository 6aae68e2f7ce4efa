"""Games and tabular policies of OpenSpiel: its own values, and its NashConv of these policies."""

from types import SimpleNamespace

import pytest
from gmpy2 import mpq

from exactdice.arithmetic import nearest_double
from exactdice.errors import InputError
from exactdice.formats import openspiel_hidden
from exactdice.formats.openspiel_hidden import hidden_from_openspiel, openspiel_strategy
from exactdice.models import equilibrium, guarantee, value_bounds

pyspiel = pytest.importorskip("pyspiel", reason="extra openspiel")
pytest.importorskip("highspy", reason="extra hidden")

#: Kuhn (1950), and Leduc from OpenSpiel's sequence_form_lp_test.cc; for others OpenSpiel computes
#: the value of the policies, and that no response gains more.
VALUES = {"kuhn_poker": -1 / 18, "leduc_poker": -0.085606424078, "liars_dice(dice_sides=3)": None}


def nash_conv(game, policy):
    from open_spiel.python.algorithms import exploitability

    return float(exploitability.nash_conv(pyspiel.load_game(game), policy))


@pytest.mark.parametrize("name", VALUES)
def test_values_and_policies_go_both_ways(name):
    from open_spiel.python.algorithms.expected_game_score import policy_value

    found = equilibrium(hidden_from_openspiel(name))
    policy = openspiel_hidden.openspiel_policy(found, name)
    brought = policy_value(pyspiel.load_game(name).new_initial_state(), [policy, policy])[0]
    for value in (brought, VALUES[name] or brought):
        assert abs(nearest_double(found.value) - value) < 1e-9
    assert abs(nash_conv(name, policy)) < 1e-12
    strategy = openspiel_strategy(policy)
    near = value_bounds(found.form, strategy, strategy, tolerance="1e-12")
    assert near.lower <= found.value <= near.upper
    assert near.upper - near.lower < mpq(1, 10**12)


def test_bounds_of_a_policy_equal_nash_conv():
    from open_spiel.python.algorithms.cfr import CFRPlusSolver
    from open_spiel.python.policy import TabularPolicy

    name = "kuhn_poker"
    form = hidden_from_openspiel(name).sequence_form()
    theirs = pyspiel.load_game(name)
    solver = CFRPlusSolver(theirs)
    for _ in range(20):
        solver.evaluate_and_update_policy()
    known = TabularPolicy(theirs).state_lookup
    uniform = {text: [(0, 0.5), (1, 0.5)] for text in known if text != "0"}
    for policy in (
        TabularPolicy(theirs),
        solver.average_policy(),
        pyspiel.TabularPolicy({"0": [(0, 0.25), (1, 0.75)]} | uniform),
    ):
        strategy = openspiel_strategy(policy)
        near = value_bounds(form, strategy, strategy, tolerance="1e-12")
        width = nearest_double(near.upper - near.lower)
        expected = (
            nash_conv(name, policy)
            if hasattr(policy, "state_lookup")
            else pyspiel.nash_conv(theirs, policy)
        )
        assert abs(width - expected) < 1e-9


def test_the_example_is_leduc_as_openspiel_has_it():
    import importlib.util
    from pathlib import Path

    path = Path(__file__).parents[2] / "examples" / "leduc.py"
    spec = importlib.util.spec_from_file_location("leduc", path)
    assert spec is not None
    assert spec.loader is not None
    leduc = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(leduc)
    theirs = hidden_from_openspiel("leduc_poker")
    assert equilibrium(leduc.LEDUC).value == equilibrium(theirs).value


@pytest.mark.parametrize(
    ("game", "line"),
    [
        ("kuhn_poker(players=3)", "kuhn_poker; expected a game with two players"),
        ("no_such_game", "got 'no_such_game'; expected a game of OpenSpiel"),
        ("matrix_pd", "matrix_pd; expected a game with sequential moves"),
        (7, "got 7; expected a name or a pyspiel.Game"),
    ],
)
def test_games_of_other_kinds_are_refused(game, line):
    with pytest.raises(InputError) as wrong:
        hidden_from_openspiel(game)
    assert line in str(wrong.value)


def test_policies_of_other_games_are_refused():
    found = equilibrium(hidden_from_openspiel("kuhn_poker"))
    with pytest.raises(InputError, match="expected the game that was solved"):
        openspiel_hidden.openspiel_policy(found, "leduc_poker")
    fewer = SimpleNamespace(strategy=lambda player: {"0": {0: mpq(1)}})  # of two actions
    with pytest.raises(InputError, match="expected the game that was solved"):
        openspiel_hidden.openspiel_policy(fewer, "kuhn_poker")
    with pytest.raises(InputError, match="policy: got 3; expected a tabular policy"):
        openspiel_strategy(3)
    policy = openspiel_hidden.openspiel_policy(found, "kuhn_poker")
    policy.action_probability_array[0, 0] = 0.4
    with pytest.raises(InputError, match=r"^strategy\('0'\): got a sum of"):
        guarantee(found.form, 1, openspiel_strategy(policy), tolerance="1e-9")
