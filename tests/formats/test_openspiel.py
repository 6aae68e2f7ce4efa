"""Games of OpenSpiel, against the same games written down here and its own play."""

from random import Random

import pytest
from gmpy2 import mpq

from exactdice.book.pig import DIE, race
from exactdice.errors import InputError
from exactdice.formats.openspiel import from_openspiel, openspiel_action, recovered
from exactdice.models import ModelError, optimum, probability

pyspiel = pytest.importorskip("pyspiel")


def test_tic_tac_toe_is_a_draw():
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


def test_pig_is_that_of_the_book():
    best = optimum(from_openspiel("pig(winscore=12)"))
    assert best.value == optimum(race(12, DIE)).value
    best.certificate().check(best.model.game)


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


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("kuhn_poker", "game: got kuhn_poker; expected a game with perfect information"),
        ("2048", "game: got 2048; expected a game with payoffs only at the end"),
        ("matrix_pd", "game: got matrix_pd; expected a game with sequential moves"),
        ("pig(players=3)", "game: got pig; expected a game with one player, or two players"),
        ("no_such_game", "game: got 'no_such_game'; expected a game of OpenSpiel"),
        (5, "game: got 5; expected a name, a pyspiel.Game or a pyspiel.State"),
    ],
)
def test_games_of_another_kind_are_refused(game, message):
    with pytest.raises(InputError) as wrong:
        from_openspiel(game)
    assert str(wrong.value).startswith(message)
    assert "\n" not in str(wrong.value)


def test_keys_that_merge_different_states_are_rejected():
    with pytest.raises(ModelError, match="two states have the key"):
        optimum(from_openspiel("tic_tac_toe", key=lambda state: state.move_number()))


def test_chances_are_recovered_as_fractions_or_refused():
    for denominator in range(1, 200):
        for numerator in range(denominator + 1):
            double = numerator / denominator
            assert recovered(double, 10_000, "chance") == mpq(numerator, denominator)
    with pytest.raises(
        InputError, match=r"chance: got 0\.3333333; expected a fraction with denominator"
    ):
        recovered(0.3333333, 10_000, "chance")
