"""Games and policies of OpenSpiel, against games written down here and its own values."""

import re
from itertools import combinations, product
from random import Random
from types import SimpleNamespace

import pytest
from gmpy2 import mpq
from model_oracles import module_at, refuses

from exactdice.arithmetic import nearest_double
from exactdice.book.pig import DIE, race
from exactdice.errors import InputError
from exactdice.formats.openspiel import (
    from_openspiel,
    hidden_from_openspiel,
    openspiel_action,
    openspiel_policy,
    openspiel_strategy,
    recovered,
)
from exactdice.models import ModelError, equilibrium, guarantee, optimum, probability, value_bounds

pyspiel = pytest.importorskip("pyspiel", reason="extra openspiel")
pytest.importorskip("highspy", reason="extra hidden")


def test_small_games_have_known_values():
    best = optimum(from_openspiel("tic_tac_toe"))
    assert best.value == 0
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    boards, left = {"." * 9}, ["." * 9]
    while left:  # every reachable position
        board = left.pop()
        if any(board[a] == board[b] == board[c] != "." for a, b, c in lines):
            continue
        mark = "xo"[board.count("x") - board.count("o")]
        for after in {board[:i] + mark + board[i + 1 :] for i in range(9) if board[i] == "."}:
            if after not in boards:
                boards.add(after)
                left.append(after)
    assert len(best.model.states) == len(boards)
    best.certificate().check(best.model.game)
    best = optimum(from_openspiel("pig(winscore=12)"))
    assert best.value == optimum(race(12, DIE)).value
    best.certificate().check(best.model.game)
    with pytest.raises(ModelError, match="two states have the key"):
        optimum(from_openspiel("tic_tac_toe", key=lambda state: state.move_number()))


def test_a_backgammon_endgame_equals_a_recursion():
    draw, rolls = Random(5), []  # noqa: S311
    at = pyspiel.load_game("backgammon").new_initial_state()
    while not at.is_terminal():  # random play up to the last three rolls
        if at.is_chance_node():
            rolls.append(at.clone())
        at.apply_action(draw.choice(at.legal_actions()))
    state = rolls[-3]
    best = optimum(from_openspiel(state))
    known = {}

    def value(at):
        if at.is_terminal():
            return mpq(int(at.returns()[0]))
        text = str(at)
        if text not in known:
            if at.is_chance_node():
                chances = [(mpq(round(36 * p), 36), at.child(a)) for a, p in at.chance_outcomes()]
                known[text] = sum(p * value(child) for p, child in chances)
            else:
                values = [value(at.child(a)) for a in at.legal_actions()]
                known[text] = max(values) if at.current_player() == 0 else min(values)
        return known[text]

    assert best.value == value(state)
    assert 2 * probability(best.model, "won").value - 1 == best.value
    best.certificate().check(best.model.game)


def test_best_actions_are_handed_back():
    best = optimum(from_openspiel("tic_tac_toe"))

    def worst(state):
        if state.is_terminal():
            return float(state.returns()[0])
        if state.current_player() == 0:
            return worst(state.child(openspiel_action(best, state)))
        return min(worst(state.child(a)) for a in state.legal_actions())

    start = pyspiel.load_game("tic_tac_toe").new_initial_state()
    assert worst(start) == 0
    full = start.clone()
    for action in (0, 3, 1, 4, 2):
        full.apply_action(action)
    with pytest.raises(InputError, match="expected a reachable state where a player moves"):
        openspiel_action(best, full)


@pytest.mark.parametrize(("game", "message"), [
    ("kuhn_poker", "game: got kuhn_poker; expected a game with perfect information"),
    ("2048", "game: got 2048; expected a game with payoffs only at the end"),
    ("matrix_pd", "game: got matrix_pd; expected a game with one player, or two players and"),
    ("goofspiel(imp_info=True)", "game: got goofspiel; expected a game with perfect information"),
    ("pig(players=3)", "game: got pig; expected a game with one player, or two players"),
    ("no_such_game", "game: got 'no_such_game'; expected a game of OpenSpiel"),
    (5, "game: got 5; expected a name, a pyspiel.Game or a pyspiel.State")])  # fmt: skip
def test_games_of_another_kind_are_refused(game, message):
    refuses(InputError, f"^{re.escape(message)}", from_openspiel, game)


def test_chances_are_recovered_as_fractions_or_refused():
    for denominator in range(1, 200):
        for numerator in range(denominator + 1):
            double = numerator / denominator
            assert recovered(double, 10_000, "chance") == mpq(numerator, denominator)
    wanted = r"chance: got 0\.3333333; expected a fraction with denominator"
    refuses(InputError, wanted, recovered, 0.3333333, 10_000, "chance")


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
    policy = openspiel_policy(found, name)
    brought = policy_value(pyspiel.load_game(name).new_initial_state(), [policy, policy])[0]
    for value in (brought, VALUES[name] or brought):
        assert abs(nearest_double(found.value) - value) < 1e-9
    assert abs(nash_conv(name, policy)) < 1e-12
    strategy = openspiel_strategy(policy)
    near = value_bounds(found.form, strategy, strategy, tolerance="1e-12")
    assert near.lower <= found.value <= near.upper
    assert near.upper - near.lower < mpq(1, 10**12)


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
def test_policies_are_read_from_and_written_to_text(name):
    """Against OpenSpiel's own reader of its objects, and exact by hand for decimals."""
    found = equilibrium(hidden_from_openspiel(name))
    policy, text = (openspiel_policy(found, name, as_text=wanted) for wanted in (False, True))
    assert text.startswith("TabularPolicy:")
    ours, theirs = openspiel_strategy(text), openspiel_strategy(policy)
    known = list(policy.state_lookup)
    assert [ours(each) for each in known] == [theirs(each) for each in known]
    half = openspiel_strategy("TabularPolicy:0<~>0=0.1,1=9/10<~>1<~>0=0x1.8p-1,1=0x1p-2\n")
    assert half("0") == {0: mpq(1, 10), 1: mpq(9, 10)}
    assert half("1") == {0: mpq(3, 4), 1: mpq(1, 4)}
    for wrong in ("TabularPolicy:0", "0<~>0", "0<~>a=1", "0<~>0=x", "0<~>0=0x1p99999"):
        refuses(
            InputError, "policy: got .*; expected the text of a policy", openspiel_strategy, wrong
        )


def mixed(matrix):
    """Return probabilities that make all rows equal, and that number; None if there are none."""
    n = len(matrix)
    system = [[*map(mpq, row), mpq(-1), mpq(0)] for row in matrix] + [
        [mpq(1)] * n + [mpq(0), mpq(1)]
    ]
    for column in range(n + 1):
        pivot = next((r for r in range(column, n + 1) if system[r][column]), None)
        if pivot is None:
            return None
        system[column], system[pivot] = system[pivot], system[column]
        system[column] = [x / system[column][column] for x in system[column]]
        for other in range(n + 1):
            if other != column:
                times = system[other][column]
                pairs = zip(system[other], system[column], strict=True)
                system[other] = [x - times * y for x, y in pairs]
    return [row[-1] for row in system]


def chosen(matrix):
    """Return the value of a matrix by trying all supports, in fractions."""
    rows, columns = range(len(matrix)), range(len(matrix[0]))
    for size in range(1, 1 + min(len(rows), len(columns))):
        for some, others in product(combinations(rows, size), combinations(columns, size)):
            first = mixed([[matrix[i][j] for i in some] for j in others])
            second = mixed([[matrix[i][j] for j in others] for i in some])
            if first and second and min(first[:-1]) >= 0 <= min(second[:-1]):
                value = first[-1]
                theirs = [
                    sum(p * matrix[i][j] for p, i in zip(first[:-1], some, strict=True))
                    for j in columns
                ]
                ours = [
                    sum(q * matrix[i][j] for q, j in zip(second[:-1], others, strict=True))
                    for i in rows
                ]
                if min(theirs) >= value >= max(ours):
                    return value
    raise AssertionError("every matrix has a value")


def test_simultaneous_moves_and_chance():
    """Matrices of OpenSpiel have known values; Goofspiel is solved backwards by linear algebra."""
    for name, value in {"matrix_rps": 0, "matrix_mp": 0}.items():
        best = optimum(from_openspiel(name))
        assert (best.value, best.is_exact) == (value, True)
        assert equilibrium(hidden_from_openspiel(name)).value == value
    name = "goofspiel(num_cards=3,points_order=random,imp_info=False)"
    best = optimum(from_openspiel(name))
    best.certificate().check(best.model.game)
    assert best.value == 0  # by symmetry
    state = pyspiel.load_game(name).new_initial_state().child(0)
    state.apply_actions([2, 0])

    def value(state):
        if state.is_terminal():
            return mpq(int(state.returns()[0]))
        if state.is_chance_node():
            lots = state.chance_outcomes()
            return sum(mpq(1, len(lots)) * value(state.child(action)) for action, _ in lots)
        matrix = []
        for first in state.legal_actions(0):
            matrix.append([])
            for second in state.legal_actions(1):
                after = state.clone()
                after.apply_actions([first, second])
                matrix[-1].append(value(after))
        return chosen(matrix)

    assert optimum(from_openspiel(state)).value == value(state)


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
        TabularPolicy(theirs), solver.average_policy(),
        pyspiel.TabularPolicy({"0": [(0, 0.25), (1, 0.75)]} | uniform)):  # fmt: skip
        strategy = openspiel_strategy(policy)
        near = value_bounds(form, strategy, strategy, tolerance="1e-12")
        width = nearest_double(near.upper - near.lower)
        is_python = hasattr(policy, "state_lookup")
        found = nash_conv(name, policy) if is_python else pyspiel.nash_conv(theirs, policy)
        assert abs(width - found) < 1e-9


def test_the_example_is_leduc_as_openspiel_has_it():
    leduc = module_at("examples", "leduc.py")
    theirs = hidden_from_openspiel("leduc_poker")
    assert equilibrium(leduc.LEDUC).value == equilibrium(theirs).value


@pytest.mark.parametrize(("game", "line"), [
    ("kuhn_poker(players=3)", "kuhn_poker; expected a game with two players"),
    ("no_such_game", "got 'no_such_game'; expected a game of OpenSpiel"),
    ("matrix_pd", "turn_based_simultaneous_game; expected a game with payoffs that sum to 0"),
    (7, "got 7; expected a name or a pyspiel.Game")])  # fmt: skip
def test_games_of_other_kinds_are_refused(game, line):
    refuses(InputError, re.escape(line), hidden_from_openspiel, game)


def test_policies_of_other_games_are_refused():
    found = equilibrium(hidden_from_openspiel("kuhn_poker"))
    with pytest.raises(InputError, match="expected the game that was solved"):
        openspiel_policy(found, "leduc_poker")
    fewer = SimpleNamespace(strategy=lambda player: {"0": {0: mpq(1)}})  # of two actions
    with pytest.raises(InputError, match="expected the game that was solved"):
        openspiel_policy(fewer, "kuhn_poker")
    refuses(InputError, "policy: got 3; expected a tabular policy", openspiel_strategy, 3)
    policy = openspiel_policy(found, "kuhn_poker")
    policy.action_probability_array[0, 0] = 0.4
    with pytest.raises(InputError, match=r"^strategy\('0'\): got a sum of"):
        guarantee(found.form, 1, openspiel_strategy(policy), tolerance="1e-9")
