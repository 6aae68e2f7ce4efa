"""Answers to models against all strategies, on small random games."""

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import product
from multiprocessing import get_context
from unittest.mock import patch

import model_oracles as oracles
import pytest
from gmpy2 import mpq
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from model_oracles import fraction, go, refuses, tables, turn_game_values, ways

from exactdice import models, native
from exactdice.dice import Distribution, fair
from exactdice.formats.explicit import ExplicitModel, Row
from exactdice.models import Both, Choice, End, Game, Other, Turn, optimum, point_mass, probability
from exactdice.solve import lifting
from exactdice.solve import turns as exploring
from exactdice.solve.arena import CertificateError, NoValueError
from exactdice.solve.certificate import Certificate
from exactdice.solve.matrix_games import solve_matrix_game
from exactdice.solve.questions import reach, valued
from exactdice.solve.variants import Seen, seen_by_first


def game_of(table):
    return Game(0, table.__getitem__)


@pytest.mark.slow
@given(tables(players=2, ends=True))
def test_two_players_in_turn_get_the_value_over_all_strategies(table):
    game = game_of(table)
    model = game.explored()
    expected = turn_game_values(table)
    best = optimum(model)
    assert {s: fraction(best.value_of(s)) for s in model.states} == {
        s: expected[s] for s in model.states
    }
    best.certificate().check(game)
    enclosed = optimum(model, width="1e-12")
    for state in model.states:
        bounds = enclosed.value_of(state)
        assert best.value_of(state) in bounds
        assert bounds.width <= mpq(1, 10**12)
        assert set(best.optimal_actions(state)) <= set(enclosed.optimal_actions(state))
    enclosed.certificate().check(game)


def unfolded(table):
    def moves(place):
        state, player = place
        sign = 1 if player == 1 else -1

        def seen(law):
            return law.map(lambda s: (s.state, 3 - player) if type(s) is Other else (s, player))

        turn = table[state]
        if isinstance(turn, End):
            return End(sign * mpq(turn.payoff))
        if isinstance(turn, models.Chance):
            return models.Chance(sign * mpq(turn.reward), seen(turn.successors))
        mover = player if isinstance(turn, list) else 3 - player
        choices = [Choice(c.action, sign * c.reward, seen(c.successors)) for c in ways(turn)]
        return Turn(mover, choices)

    return Game((0, 1), moves)


@pytest.mark.slow
@given(tables(players=2, ends=True, turns=True))
def test_changing_sides_is_the_same_game_written_shorter(table):
    game = game_of(table)
    model, both = game.explored(), unfolded(table).explored()
    best, other = optimum(model), optimum(both)
    for state, player in both.states:
        value = other.value_of((state, player))
        assert best.value_of(state) == (value if player == 1 else -value)
    best.certificate().check(game)
    enclosed = optimum(model, width="1e-9")
    assert best.value in enclosed.value
    enclosed.certificate().check(game)
    assert models.expect(model, policies={1: best}).value == best.value
    assert models.expect(model, policies={2: best}).value == best.value


@pytest.mark.slow
@given(tables(players=2, ends=True, turns=True), st.integers(0, 2), st.sampled_from([1, 2]))
def test_the_guarantee_of_a_policy(table, taste, player):
    model = game_of(table).explored()

    def policy(state):
        offered = ways(table[state])
        return offered[taste % len(offered)].action

    long = unfolded(table)

    def fixed(place):
        turn = long.moves(place)
        if isinstance(turn, Turn) and turn.player == player:
            return Turn(player, [c for c in turn.choices if c.action == policy(place[0])])
        return turn

    expected = optimum(Game((0, 1), fixed).explored()).value
    assert models.expect(model, policies={player: policy}).value == expected
    with patch.object(lifting, "lifted_values", return_value=None):  # as without C++
        assert models.expect(model, policies={player: policy}).value == expected
    enclosed = models.expect(model, policies={player: policy}, width="1e-8")
    assert expected in enclosed.value


def swept(table, sweeps):
    """Shapley's iteration from 0: one matrix game after another, by the definition."""
    values = {s: mpq(0) for s in table} | {"end": mpq(table["end"].payoff)}

    def returned(way):
        law = way.successors
        expected = sum((w * values[s] for s, w in law.items()), mpq(0)) / law.denominator
        return mpq(way.reward) + expected

    def rounded(value):
        return mpq(value * 2**60 // 1, 2**60)

    for _ in range(sweeps):
        after = dict(values)
        for state, turn in table.items():
            if isinstance(turn, Both):
                matrix = [[returned(turn.outcomes[i, j]) for j in turn.columns] for i in turn.rows]
                after[state] = rounded(solve_matrix_game(matrix).value)
            elif state != "end":
                pick = min if isinstance(turn, Turn) else max
                after[state] = rounded(pick(map(returned, ways(turn))))
        values = after
    return values


@pytest.mark.slow
@given(tables(players=2, ends=True, both=True))
def test_simultaneous_moves_enclose_the_limit_of_shapleys_iteration(table):
    """Every move ends play with probability 1/10 at least, so the sweeps contract."""
    game = game_of(table)
    model = game.explored()
    assume(any(isinstance(table[s], Both) for s in model.states))
    best = optimum(model, width="1e-20")
    limit = swept({s: table[s] for s in model.states} | {"end": table["end"]}, 200)
    for state in model.states:
        bounds = best.value_of(state)
        assert bounds.width <= mpq(1, 10**20)
        # 200 sweeps leave at most 0.9^200 of 40, and rounding less than 10 · 2^-60 each
        assert abs(bounds.middle - limit[state]) < mpq(1, 10**7)
    best.certificate().check(game)


@pytest.mark.slow
@given(tables(players=1, ends=False), st.booleans())
def test_probabilities_to_reach_a_state_are_the_best(table, least):
    assume(oracles.GOAL in table)
    game = game_of(table)
    model = game.explored()
    states = [s for s in table if s not in ("end", oracles.GOAL)]
    tried = product(*(ways(table[s]) for s in states))
    found = [oracles.goal_chances(table, dict(zip(states, way, strict=True)))[0] for way in tried]
    answer = reach(model, lambda state: state == oracles.GOAL, least=least)
    assert fraction(answer.value) == (min if least else max)(found)
    answer.certificate().check(game)
    enclosed = reach(model, lambda state: state == oracles.GOAL, least=least, width="1e-9")
    assert answer.value in enclosed.value
    enclosed.certificate().check(game)


@pytest.mark.slow
@given(tables(players=2, ends=True), st.data())
def test_a_certificate_with_a_wrong_entry_is_rejected(table, data):
    game = game_of(table)
    right = optimum(game.explored()).certificate()
    right.check(game)
    state = data.draw(st.sampled_from(sorted(right.lower, key=str)))
    what = data.draw(st.sampled_from(["lower", "upper", "rank", "one", "missing", "action"]))
    if what == "lower":
        wrong = replace(right, lower={**right.lower, state: right.lower[state] + mpq(1, 7)})
    elif what == "upper":
        wrong = replace(right, upper={**right.upper, state: right.upper[state] - mpq(1, 7)})
    elif what == "rank":
        assume(state != "end")
        wrong = replace(right, ranks_first_free={**right.ranks_first_free, state: 0})
    elif what == "one":
        wrong = replace(right, lower={s: v for s, v in right.lower.items() if s != state})
    elif what == "missing":
        lower, upper = right.lower.copy(), right.upper.copy()
        del lower[state], upper[state]
        wrong = replace(right, lower=lower, upper=upper)
    else:
        assume(state in right.policy)
        wrong = replace(right, policy={**right.policy, state: "no such action"})
    with pytest.raises(CertificateError):
        wrong.check(game)


@pytest.mark.slow
@given(tables(players=2, ends=True), st.integers(0, 2))
def test_the_value_of_a_policy_is_that_of_its_chain(table, taste):
    model = game_of(table).explored()
    chosen = {s: ways(table[s])[taste % len(ways(table[s]))] for s in table if s != "end"}
    expected = oracles.chain_values(table, chosen)
    policy = {s: chosen[s].action for _, s in model.deciding()}
    assert fraction(models.policy_value(model, policy).value) == expected[0]


def test_regret_is_the_loss_of_an_action_against_the_best():
    """By hand: keeping a 3 pays 3, throwing again 3 too, and keeping a 2 loses 1."""

    def moves(face):
        if face == "kept":
            return None
        throw = Choice("throw", -1, fair(6))
        return [throw] if face == 0 else [go("keep", "kept", face), throw]

    model = Game(0, moves).explored()
    best = optimum(model)
    assert {a: r.point for a, r in best.regret(3).items()} == {"keep": 0, "throw": 0}
    assert best.optimal_actions(3) == ("keep", "throw")
    assert {a: r.point for a, r in best.regret(2).items()} == {"keep": 1, "throw": 0}
    assert best.policy[3] == "keep"
    enclosed = optimum(model, width="1e-6")
    assert enclosed.unsettled == {3: ("keep", "throw")}
    assert mpq(1) in enclosed.regret(2)["keep"]


def test_a_value_that_outgrows_its_use_is_enclosed():
    """The probability that a coin of bias 1/3 shows heads 12000 times in a row is 3^-12000."""

    def moves(n):
        if n == "lost":
            return End(0)
        return Distribution({n + 1: 1, "lost": 2}) if n < 12000 else End(1)

    best = optimum(Game(0, moves).explored())
    assert not best.is_exact
    assert mpq(1, mpq(3) ** 12000) in best.value
    assert best.value.width <= mpq(1, 10**30)


def certified():
    table = {
        "a": Both({(i, j): point_mass("b" if i == j else "c") for i in "xy" for j in "xy"}),
        "b": [go("stop", "end", 2), go("on", "c")],
        "c": Turn(2, [go("stop", "end", 1), go("pay", "end", 3)]), "end": End("1/2")}  # fmt: skip
    game = Game("a", table.__getitem__)
    model = game.explored()
    probability = reach(model, lambda state: state == "b")
    return game, optimum(model).certificate(), probability.certificate()


@pytest.mark.parametrize(("change", "message"), [
    (lambda c: {"initial": "b"}, "is of a game with another initial state"),
    (lambda c: {"lower": {**c.lower, "b": mpq(9)}}, "bounds of 'b' are the wrong way round"),
    (lambda c: {"policy": {}}, "has no action"),
    (lambda c: {"policy": {**c.policy, "c": "x"}}, "'c' has no action of its own"),
    (lambda c: {"mixed": {}}, "'a' has no strategies"),
    (lambda c: {"mixed": {"a": (Distribution({"z": 1}), c.mixed["a"][1])}},
     "'a' has strategies of other choices"),
    (lambda c: {"mixed": {"a": (Distribution({"x": 1}), c.mixed["a"][1])}},
     "the lower bound of 'a' is given as 2, but 'y' returns 3/2"),
    (lambda c: {"ranks_second_free": {}}, "leads to no state of lower rank"),
    (lambda c: {"ranks_first_free": {"a": 9, "end": 0}}, "in 'a' leads to no state of lower")
])  # fmt: skip
def test_each_condition_of_a_certificate_is_checked(change, message):
    game, right, _ = certified()
    right.check(game)
    # by hand: 5/2 in "b", 3/2 in "c", and matching pennies between them
    assert (right.lower["a"], right.lower["b"], right.lower["c"]) == (2, mpq(5, 2), mpq(3, 2))
    refuses(CertificateError, message, replace(right, **change(right)).check, game)


def test_certificates_without_bounds_of_a_state_are_refused():
    over = Game("over", lambda _: End(1))
    right = optimum(over.explored()).certificate()
    right.check(over)
    with pytest.raises(CertificateError, match="'over' pays 1, which its bounds do not contain"):
        replace(right, lower={"over": mpq(2)}, upper={"over": mpq(3)}).check(over)
    game, right, _ = certified()
    less = {s: v for s, v in right.lower.items() if s != "c"}
    with pytest.raises(CertificateError, match="'c' has no bounds"):
        replace(right, lower=less, upper=less).check(game)
    game, _, right = certified()
    right.check(game)
    assert right.lower["a"] == mpq(1, 2)
    with pytest.raises(CertificateError, match="bounds a chance from 'a' below 0"):
        replace(right, lower={**right.lower, "a": mpq(-1)}).check(game)
    with pytest.raises(CertificateError, match=r"lower bound of 'b'|'b' has no action"):
        replace(right, goal=frozenset()).check(game)
    table = {0: [go("stop", "end", 1), go("on", 1)], 1: Turn(2, [go("stop", "end")]), "end": End(0)}
    game = game_of(table)
    right = optimum(game.explored()).certificate()
    assert right.policy[0] == "stop"
    for side in ("lower", "upper"):
        bounds = {s: v for s, v in getattr(right, side).items() if s != 1}
        with pytest.raises(CertificateError, match="1 has only one of two bounds"):
            replace(right, **{side: bounds}).check(game)


@pytest.mark.slow
@given(tables(players=2, ends=True))
def test_of_two_players_one_wants_to_reach_a_state_and_the_other_not(table):
    """Against all pairs of strategies, with 1 paid on leaving the goal and nothing else."""
    goal = 1
    assume(goal in table)
    model = game_of(table).explored()
    if model.players < 2:
        return

    def unpaid(turn):
        free = [Choice(i, 0, way.successors) for i, way in enumerate(ways(turn))]
        if isinstance(turn, Turn):
            return Turn(turn.player, free)
        return free if isinstance(turn, list) else models.Chance(0, turn.successors)

    paid = {s: End(0) if s == "end" else unpaid(t) for s, t in table.items()}
    paid[goal] = models.Chance(1, point_mass("end"))
    expected = turn_game_values(paid)
    answer = reach(model, lambda state: state == goal)
    assert fraction(answer.value) == expected[0]
    answer.certificate().check(game_of(table))


def test_goals_that_cost_nothing_or_are_unreachable():
    # By hand: from 0 play may go round by 2 forever, or end in the goal half of the time.
    table = {
        0: [go("round", 2), Choice("on", 0, Distribution({1: 1, "end": 1}))], 2: [go("back", 0)],
        1: End(0), "end": End(0)}  # fmt: skip
    game = game_of(table)
    for width in (None, "1e-9"):
        most = reach(game.explored(), lambda state: state == 1, width=width)
        least = reach(game.explored(), lambda state: state == 1, least=True, width=width)
        assert mpq(1, 2) in most.value
        assert least.value == 0
        most.certificate().check(game)
        least.certificate().check(game)
    choices = {(i, j): point_mass("end") for i in "xy" for j in "uvw"}
    model = game_of({0: Both(choices), "end": End(0)}).explored()
    answer = reach(model, lambda state: state == "elsewhere")
    assert answer.value == 0
    for drawn, names in zip(answer.action(0), ("xy", "uvw"), strict=True):
        assert set(drawn) <= set(names)
        assert sum(drawn.probability(name) for name in names) == 1


def test_simultaneous_moves_can_change_sides():
    # By hand: a match shows the other player 1, which is -1 here, so the matrix is -1 3, 3 -1.
    table = {
        0: Both({(a, b): point_mass(Other(1) if a == b else 3) for a in "xy" for b in "xy"}),
        1: End(1), 3: End(3)}  # fmt: skip
    again = {**table, 0: Both({("x", "y"): Distribution({Other(0): 1, 3: 1})})}  # v = (3 - v) / 2
    for width in (None, "1e-9"):
        for rules in (table, again):
            best = optimum(game_of(rules), width=width)
            assert 1 in best.value
            best.certificate().check(game_of(rules))
    # who calls first loses what the other one wins, and the first of a pair is always the caller's
    pays = {("a", "x"): 1, ("a", "y"): 2, ("b", "x"): 3, ("b", "y"): 5}
    game = Game(0, lambda n: Both({pair: End(won) for pair, won in pays.items()}))
    assert seen_by_first(game).moves(Seen(0)) == Both(
        {(theirs, mine): End(-won) for (mine, theirs), won in pays.items()}
    )


def test_no_player_may_delay_an_end():
    # The second player, who would pay 1 at the end, says "stay" and is never made to "stop".
    table = {
        0: Both({("x", "stay"): point_mass(0), ("x", "stop"): point_mass("end")}),
        "end": End(1),
    }
    ones, ranks = {0: mpq(1), "end": mpq(1)}, {0: 1, "end": 0}
    mixed = {name: {0: (point_mass("x"), point_mass(name))} for name in ("stay", "stop")}
    told = {name: Certificate(0, ones, ones, {}, mixed[name], ranks, ranks) for name in mixed}
    with pytest.raises(CertificateError, match="'x' in 0 leads to no state of lower rank"):
        told["stay"].check(game_of(table))
    with pytest.raises(CertificateError, match="'stay' in 0 leads to no state of lower rank"):
        told["stop"].check(game_of(table))

    # A player alone has to end play; the second of two would rather stay than pay 1.
    def staying(player):
        choices = [go("on", "end"), go("stay", 0)]
        return game_of({0: Turn(player, choices), "end": End(1)})

    alone = optimum(staying(1).explored())
    assert alone.value == 1
    alone.certificate().check(staying(1))
    with pytest.raises(CertificateError, match="'stay' in 0 leads to no state of lower rank"):
        alone.certificate().check(staying(2))


@given(tables(players=2, ends=True), st.integers(0, 4))
def test_known_values_give_the_same_answer_or_an_error(table, place):
    model = game_of(table).explored()
    best = optimum(model)
    known = valued(model, list(best.values))
    assert list(known.values) == list(best.values)
    assert known.several == best.several
    assert known.question == best.question
    known.certificate().check(model.game)
    wrong = list(best.values)
    wrong[place % len(wrong)] += mpq(1, 3)
    refuses(AssertionError, "values solve the equations of the model", valued, model, wrong)


def again(what):
    return pickle.loads(pickle.dumps(what))  # noqa: S301 - our own


@pytest.mark.parametrize("is_built", [True, False])
@settings(max_examples=10)
@given(table=tables(players=2, ends=True, both=True, turns=True))
def test_models_and_answers_are_pickled_and_copied(table, is_built):
    built = patch.object(native, "are_built", native.are_built if is_built else lambda: False)
    with built, patch.object(exploring, "FEW", 1):
        best = optimum(game_of(table))
        for twin in (again(best), copy.deepcopy(best), optimum(again(best.model))):
            assert twin.model.states == best.model.states
            assert dict(twin.model.index) == dict(best.model.index)
            for state in best.model.states:
                assert twin.value_of(state) == best.value_of(state)
                assert twin.action(state) == best.action(state)
                assert twin.optimal_actions(state) == best.optimal_actions(state)
            twin.certificate().check(twin.model.game)


@pytest.mark.parametrize("few", [0, 1, 3])
@settings(max_examples=40)
@given(table=tables(players=2, ends=True, both=True, turns=True))
def test_a_walk_that_goes_on_in_cpp_finds_the_same_model(table, few):
    """The class in Python is the oracle: it goes on to the end where it is short."""
    short = game_of(table).explored()
    with patch.object(exploring, "FEW", few):
        long = game_of(table).explored()
    assert isinstance(short.index._walk, exploring.Walk)
    assert (long.states, long.actions) == (short.states, short.actions)
    assert dict(long.index) == dict(short.index)
    for part in ("owners", "first_move", "first_target", "law", "reward", "targets", "weights"):
        assert getattr(long.arena, part) == getattr(short.arena, part)
    assert long.arena.rewards == short.arena.rewards
    assert long.arena.changes_sides == short.arena.changes_sides
    assert long.cost() == short.cost()


#: A coin, tossed in turn or passed on: heads win for who tosses.
TOSSES = {
    0: [Choice("toss", 0, Distribution({"won": 1, Other(0): 1})), go("pass", Other(1))],
    1: [go("give up", "lost")], "won": End(1), "lost": End(-1)}  # fmt: skip


def heads(state, side):
    return [state + 1] if side == 1 else []


HEADS = models.LockedTurns(0, {0: fair(2), 1: fair(2), 2: None}.__getitem__, heads, bool)
ROWS = [[Row("on", mpq(1), {0: mpq(1, 2), 1: mpq(1, 2)})], [Row("end", mpq(0), {1: mpq(1)})]]


@pytest.mark.parametrize("asked", [
    lambda game: probability(game, "won", player=2),
    lambda game: probability(game, "won", within=3),
    lambda game: probability(game, "won", within=3, counts=bool),
    lambda game: probability(game, "won", policies={2: {0: "toss", 1: "give up"}}),
    lambda game: models.expect(game, hash), lambda game: optimum(models.best_play(optimum(game))),
    lambda game: optimum(models.Race(HEADS, int, 3).game()),
    lambda game: optimum(HEADS.game({None: 0, 1: 1, 2: 3}.__getitem__)),
    lambda game: optimum(ExplicitModel.of_rows(ROWS, 0, {}, players=0).game())])  # fmt: skip
def test_answers_about_derived_games_are_pickled(asked):
    best = asked(game_of(TOSSES))
    twin = again(best)
    assert {s: twin.value_of(s) for s in twin.model.states} == {
        s: best.value_of(s) for s in best.model.states
    }
    twin.certificate().check(twin.model.game)


def test_a_model_is_solved_in_another_process():
    # up two steps at most from 0 to 4 or more, a point for one and two for two: five from 3 to 5
    def table(n):
        ways = [go(step, n + step, step) for step in (1, 2)]
        return None if n > 3 else ways

    game = game_of({n: table(n) for n in range(6)})
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        best = pool.submit(optimum, game.explored()).result()
    assert best.value == 5
    assert best.action(3) == 2
    # By hand: 0, 1, "won" and "lost"; a pickled model keeps them.
    model = Game(0, TOSSES.__getitem__).explored()
    assert len(model) == len(again(model)) == 4


@pytest.mark.parametrize("is_other", [False, True])
@pytest.mark.parametrize("value", [mpq(0), mpq(1, 3), mpq(2)])
def test_free_passing_before_simultaneous_moves_ends(value, is_other):
    """By hand: pennies for 1, and `value` besides, are what a player wins who does not pass on.

    Two who pass to each other without end win nothing said. Seen by the player who moves, whoever
    goes wins the value, so that nobody passes for it.
    """
    pennies = Both({(a, b): End(value + (1 if a == b else -1)) for a in "ht" for b in "ht"})
    leave = go("go", "pennies")
    table = {"pennies": pennies}
    if is_other:
        table[0] = [go("pass", Other(0)), leave]
    else:
        table[0] = [go("pass", 1), leave]
        table[1] = Turn(2, [go("pass", 0), leave])
    best = optimum(game_of(table))
    assert best.value.lower <= value <= best.value.upper
    assert best.value.width < mpq(1, 10**30)
    assert set(best.policy.values()) == {"go"}
    best.certificate().check(best.model.game)


@pytest.mark.parametrize("width", [None, "1/10"])
def test_values_that_both_sides_see_unlike_are_no_value(width):
    """By hand: each pays 2 and ends play, or pays 2 and lets the other one choose.

    If one side ends play, the other one has had its 2 back, and is better off not to end it.
    """
    pay = [go("end", "end", -2), go("on", Other(0), -2)]
    with pytest.raises(NoValueError, match="may never end among 0, and the value of infinite play"):
        optimum(game_of({0: pay, "end": None}), width=width)
