"""Infinite play as a draw, one player, and goals: against all policies, and by hand."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from operator import mul
from random import Random
from unittest.mock import patch

import pytest
from gmpy2 import mpq, mpz
from hypothesis import example, given, settings
from hypothesis import strategies as st
from model_oracles import GOAL, arena_of, fraction, go, goal_chances, refuses, solved, tables, ways

from exactdice import native
from exactdice.dice import Distribution, fair
from exactdice.errors import InputError, TooLargeError
from exactdice.formats.questions import ModelSolve
from exactdice.formats.umb import umb_bytes
from exactdice.models import (
    Both,
    Chance,
    Choice,
    End,
    Game,
    Other,
    Paid,
    Turn,
    optimum,
    point_mass,
    probability,
)
from exactdice.solve import lifting
from exactdice.solve.arena import MAX, MIN, CertificateError, NoValueError
from exactdice.solve.endless import endless_values, holds_endlessly
from exactdice.solve.reports import endless_report

SIZE = 4  # states of a random game, besides its ends

laws = st.lists(st.integers(0, SIZE + 1), min_size=1, max_size=3, unique=True)
states = st.tuples(st.sampled_from([0, 1, 1, 2, 2]), st.lists(laws, min_size=1, max_size=2))
payoffs = st.sampled_from([-1, -1, 0, 1, 1, 2])
games = st.tuples(st.lists(states, min_size=SIZE, max_size=SIZE), st.tuples(payoffs, payoffs))


def played(game):
    table, ends = game

    def moves(state):
        if state >= SIZE:
            return End(ends[state - SIZE])
        owner, options = table[state]
        choices = [Choice(i, 0, Distribution(dict.fromkeys(to, 1))) for i, to in enumerate(options)]
        return Turn(owner, choices) if owner else choices[0].successors

    return Game(0, moves)


def slow_values(table, ends):
    firsts = [range(len(options)) if owner == 1 else [0] for owner, options in table]
    seconds = [range(len(options)) if owner == 2 else [0] for owner, options in table]
    best = []
    for mine in product(*firsts):
        least = []
        for theirs in product(*seconds):
            heads = [
                options[a if owner == 1 else b]
                for (owner, options), a, b in zip(table, mine, theirs, strict=True)
            ]
            found = chain_values(heads, ends)
            least = [min(x, y) for x, y in zip(least, found, strict=True)] if least else found
        best = [max(x, y) for x, y in zip(best, least, strict=True)] if best else least
    return best


def chain_values(heads, ends):
    reaching = {SIZE, SIZE + 1}
    for _ in range(SIZE):
        reaching |= {s for s in range(SIZE) if reaching & set(heads[s])}
    rows = [[Fraction(int(s == t)) for t in range(SIZE)] for s in range(SIZE)]
    right = [Fraction(0)] * SIZE
    for s in reaching - {SIZE, SIZE + 1}:
        for target in heads[s]:
            share = Fraction(1, len(heads[s]))
            if target >= SIZE:
                right[s] += share * ends[target - SIZE]
            else:
                rows[s][target] -= share
    return solved(rows, right)


@settings(max_examples=100)
@given(games)
def test_values_are_those_of_all_fixed_moves_of_both(game):
    expected = slow_values(*game)
    model = played(game).explored()
    best = optimum(model, infinite="draw")
    best.certificate().check(model.game)
    for state in model.states:
        if state < SIZE:
            assert fraction(best.value_of(state)) == expected[state]
        losses = best.regret(state).items()
        chosen = best.action(state)
        others = [action for action, lost in losses if not lost.upper and action != chosen]
        assert best.optimal_actions(state) == ((chosen, *others) if losses else ())
    found = best.win_draw_loss()
    win, draw, loss = (mpq(each.point) for each in (found.win, found.draw, found.loss))
    assert win + draw + loss == 1
    if set(game[1]) <= {-1, 0, 1}:
        assert win - loss == best.value


shifts = st.sampled_from([mpq(0), mpq(0), mpq(0), mpq(1, 2), mpq(1), mpq(-1, 2)])
shifted = st.lists(shifts, min_size=SIZE + 2, max_size=SIZE + 2)
ranks = st.lists(st.integers(0, 4), min_size=SIZE + 2, max_size=SIZE + 2)


@pytest.mark.slow
@settings(max_examples=200)
@given(games, shifted, shifted, ranks, ranks, st.booleans())
def test_bounds_of_valid_certificates_contain_the_values(
    game, below, above, first, second, own_ranks
):
    expected = slow_values(*game)
    model = played(game).explored()
    right = optimum(model, infinite="draw").certificate()
    other = replace(
        right,
        lower={state: value - below[state] for state, value in right.lower.items()},
        upper={state: value + above[state] for state, value in right.upper.items()},
    )
    if own_ranks:
        ranked = {"ranks_first_free": first, "ranks_second_free": second}
        other = replace(other, **{side: dict(enumerate(of)) for side, of in ranked.items()})
    try:
        other.check(model.game)
    except CertificateError:
        return
    for state in model.states:
        if state < SIZE:
            assert other.lower[state] <= expected[state] <= other.upper[state]


def test_a_player_who_can_prolong_play_forever_need_not_lose():
    # By hand: the first wins at the door if the second opens it, who walks back forever instead.
    # Every number from 0 to 1 for both states solves the equations; the value is 0.
    def moves(state):
        if state == "end":
            return End(1)
        if state == "hall":
            return Turn(1, [go("go", "door")])
        back = go("back", "hall")
        return Turn(2, [go("open", "end"), back])

    best = optimum(Game("hall", moves).explored(), infinite="draw")
    assert (best.value, best.action("door"), best.is_endless("hall")) == (0, "back", True)
    assert best.policy == {"hall": "go", "door": "back"}
    assert (best.is_endless("end"), best.action("end")) == (False, None)


def test_false_values_and_bad_lotteries_are_not_taken():
    # The same game; 1/2 in both states solves the equations, with the same moves.
    arena = arena_of((MAX, (0, 1)), (MIN, (0, 0), (0, 2)), 1)
    found = endless_values(arena)
    assert found.values == [0, 0, 1]
    assert holds_endlessly(arena, found.values, found.chosen)
    for false in ((mpq(1, 2), mpq(1, 2), 1), (0, 1, 1), (0, 0, 2), (-1, -1, 1)):
        assert not holds_endlessly(arena, [mpq(value) for value in false], found.chosen)
    # By hand: 1 of 10 times a win of 1, else a loss of 1, is worth -4/5 and less than -1/2.
    found = endless_values(arena_of((MAX, (0, 1, (9, 2)), (0, 3)), 1, -1, "-1/2"))
    assert (found.values[0], found.chosen[0], found.endless) == (mpq(-1, 2), 1, frozenset())


def test_a_game_that_changes_sides_is_the_game_of_two_named_players():
    # Two players in turn with 0 to 2 points each: try to score with 1/3, losing at once with 1/3,
    # or pass. Seen by the mover, and with both players named.
    def sides(state):
        if state == "lost" or state[1] == 2:
            return End(-1)
        mine, yours = state
        tried = Distribution({Other((yours, mine + 1)): 1, Other((yours, mine)): 1, "lost": 1})
        passed = point_mass(Other((yours, mine)))
        return [Choice("try", 0, tried), Choice("pass", 0, passed)]

    def named(state):
        if state in (1, -1):
            return End(state)
        player, mine, yours = state
        sign, other = (1, 2) if player == 1 else (-1, 1)
        if yours == 2:
            return End(-sign)
        tried = Distribution({(other, yours, mine + 1): 1, (other, yours, mine): 1, -sign: 1})
        passed = point_mass((other, yours, mine))
        return Turn(player, [Choice("try", 0, tried), Choice("pass", 0, passed)])

    short = optimum(Game((0, 0), sides).explored(), infinite="draw")
    long = optimum(Game((1, 0, 0), named).explored(), infinite="draw")
    for state in ((0, 0), (1, 0), (0, 1), (1, 1)):
        assert short.value_of(state) == long.value_of((1, *state)) == -long.value_of((2, *state))
    assert short.win_draw_loss().draw.point == long.win_draw_loss().draw.point == 1
    short.certificate().check(short.model.game)
    long.certificate().check(long.model.game)


def door(state):
    """The first wins at the door if the second opens it; with the hatch the second must."""
    if state == "end":
        return End(1)
    if state in ("hall", "cellar"):
        return Turn(1, [go("go", "door" if state == "hall" else "hatch")])
    if state == "hatch":
        out = Distribution({"end": 1, "cellar": 1})
        return Turn(2, [Choice("up", 0, out), go("pay", "end")])
    back = go("back", "hall")
    down = go("down", "cellar")
    return Turn(2, [down, go("open", "end"), back])


@pytest.mark.parametrize(("changes", "message"), [
    ({"initial": "door"}, "another initial state"),
    ({"values": {"end": mpq(2)}}, "'end' pays 1, which its bounds do not contain"),
    ({"values": {"door": mpq(1, 2)}}, "bound of 'hall' is given as 0, but 'go' returns 1/2"),
    ({"values": {s: mpq(1, 2) for s in ("hall", "door")}}, "leads to no state of lower rank"),
    ({"policy": {"door": "down"}}, "bound of 'door' is given as 0, but 'down' returns 1"),
    ({"policy": {"door": "fly"}}, "'door' has no action of its own"),
    ({"ranks_second_free": {"hatch": 5, "cellar": 5}}, "leads to no state of lower rank"),
    ({"values": {"cellar": None}}, "'cellar' has no bounds"),
    ({"goal": frozenset({"end"})}, "has both draws and a goal"),
    ({"draws": False}, "leads to no state of lower rank")])  # fmt: skip
def test_changed_certificates_of_draws_are_rejected(changes, message):
    game = Game("hall", door)
    right = optimum(game.explored(), infinite="draw").certificate()
    right.check(game)
    wrong = right
    for name, change in changes.items():
        for field in ("lower", "upper") if name == "values" else (name,):
            changed = change
            if isinstance(change, dict):
                merged = getattr(right, field) | change
                changed = {state: entry for state, entry in merged.items() if entry is not None}
            wrong = replace(wrong, **{field: changed})
    refuses(CertificateError, message, wrong.check, game)


@pytest.mark.parametrize(("rules", "message"), [
    (lambda s: Chance(1, point_mass(s + 1)) if s < 2 else None, "0 is paid for before play"),
    (lambda s: Both({(0, 0): End(0)}), "0 has simultaneous moves")])  # fmt: skip
def test_a_certificate_of_draws_allows_payoffs_only_at_ends(rules, message):
    calm = Game(0, lambda s: point_mass(s + 1) if s < 2 else None)
    right = optimum(calm.explored(), infinite="draw").certificate()
    right.check(calm)
    refuses(CertificateError, message, right.check, Game(0, rules))


def test_the_command_treats_infinite_play_as_a_draw(tmp_path):
    """A file pays at the last move; the value and the chances are those of the game by hand."""
    path = tmp_path / "door.umb"
    path.write_bytes(umb_bytes(Game("hall", door).explored()))
    report = ModelSolve(path, draws=True).answer()
    told = [report.value(name) for name in ("value", "win", "draw", "loss", "endless")]
    assert told == [0, 0, 1, 0, True]
    with pytest.raises(InputError, match="draws needs the query max reward, without --width"):
        ModelSolve(path, draws=True, width="1e-9")
    refuses(NoValueError, "play may never end", ModelSolve(path).answer)


def test_games_that_end_have_usual_values_and_others_none():
    def moves(points):
        if points <= 1:
            return End(points)
        on = Distribution({1: 2, -1: 1, points + 10: 1} if points < 40 else {1: 1, -1: 2})
        stop = point_mass(0)
        return Turn(1 + points // 10 % 2, [Choice("go", 0, on), Choice("stop", 0, stop)])

    model = Game(10, moves).explored()
    assert optimum(model, infinite="draw").value == optimum(model).value
    toss = fair(2).map(lambda side: Paid(1 if side == 1 else -1, "over"))  # a mean of 0, no draw
    for last in (Chance(0, toss), [Choice("toss", 0, toss)]):
        with pytest.raises(InputError, match="a last move from 0 that pays by its outcome"):
            optimum(Game(0, lambda at, last=last: last if at == 0 else None), infinite="draw")


@pytest.mark.parametrize("bits", [3000, 5000])
def test_payoffs_too_close_to_each_other_are_rejected(bits):
    """Two moves lead to 1/2, and one to 1/2 - 1/2^bits.

    By hand: with a chance p to stop at each move the shorter way is better if p is more than
    2/2^bits; the last p that is tried is 1/2^4096.
    """
    near, half = mpq(1, 2) - mpq(1, mpz(2) ** bits), mpq(1, 2)
    arena = arena_of((MAX, (0, 1), (0, 2)), (MAX, (0, 3)), near, half)
    if bits < 4096:
        assert endless_values(arena).values[0] == mpq(1, 2)
    else:
        refuses(TooLargeError, r"with probability 1/2\^4096 to stop", endless_values, arena)


@pytest.mark.parametrize(("last", "value"), [
    (Chance(2, point_mass("three")), 5), (Chance(2, Distribution({"three": 1, "too": 2})), 5),
    (Chance(2, point_mass("none")), 2), ([go("go", "three", 2)], 5),
    (Turn(2, [go("go", "three", 2)]), 5),
    (Chance(0, Distribution({"three": 1, "four": 1})), mpq(7, 2)),
    ([go(n, n) for n in ("three", "four")], 4),
    (Chance(2, Distribution({"three": 1, "four": 1})), None),
    ([go(n, "three", 2) for n in "ab"], None), (Chance(2, point_mass(Other("three"))), None),
    (Chance(2, point_mass("calm")), None)])  # fmt: skip
def test_a_last_move_that_surely_ends_play_may_be_paid_for(last, value):
    """By hand: 2 is added to the 3 of either end, where there is one move that leads to these."""
    ends = {"three": End(3), "too": End(3), "four": End(4)}
    ends |= {"none": None, "calm": point_mass("none")}
    game = Game("last", ({"last": last} | ends).__getitem__)
    if value is not None:
        best = optimum(game, infinite="draw")
        assert best.value == value
        best.certificate().check(game)
        wrong = replace(best.certificate(), lower={**best.certificate().lower, "last": mpq(6)},
                        upper={**best.certificate().upper, "last": mpq(6)})  # fmt: skip
        refuses(CertificateError, "'last'", wrong.check, game)
        return
    with pytest.raises(InputError, match="rewards on the way; expected payoffs only at the ends"):
        optimum(game, infinite="draw")
    right = optimum(Game("last", lambda _: End(3)), infinite="draw").certificate()
    refuses(CertificateError, "'last' is paid for before play has ended", right.check, game)


def test_a_report_of_draws_lists_each_choice_of_the_answer():
    best = optimum(Game("hall", door), infinite="draw")
    report = endless_report(best, len(best.policy))
    chances = best.win_draw_loss()
    for name in ("win", "draw", "loss"):
        assert report.value(name) == getattr(chances, name).point
    assert report.value("value") == best.value
    assert report.value("endless") is True
    assert report.value("states") == len(best.model.states)
    (table,) = report.tables
    assert [tuple(row) for row in table.rows] == [
        (state, action, best.value_of(state), best.is_endless(state))
        for state, action in best.policy.items()
    ]
    assert {row[0] for row in table.rows} == {"hall", "cellar", "hatch", "door"}
    assert not endless_report(best, len(best.policy) - 1).tables
    on = [go("on", 1)]
    one = optimum(Game(0, lambda n: None if n else on), infinite="draw")
    assert [len(table.rows) for table in endless_report(one).tables] == [1]
    assert not endless_report(optimum(Game(0, lambda n: End(1)), infinite="draw")).tables


def chance(way, state):
    return Fraction(way.successors.get(state, 0), way.successors.denominator)


def can_reach(policy, start):
    reached, waiting = {start}, [start]
    while waiting:
        state = waiting.pop()
        for successor in policy[state].successors if state in policy else ():
            if successor not in reached:
                reached.add(successor)
                waiting.append(successor)
    return reached


def gain(policy, members):
    n = len(members)
    balance = [[chance(policy[s], t) - (s == t) for s in members] for t in members]
    balance[-1] = [Fraction(1)] * n  # one balance equation follows from the others
    law = solved(balance, [Fraction(0)] * (n - 1) + [Fraction(1)])
    rewards = [fraction(policy[s].reward) for s in members]
    return sum(map(mul, law, rewards), Fraction(0))


def enumerated(table, reachable):
    """The definition of the greatest value, over every policy there is."""
    states = [state for state in table if state in reachable and state != "end"]
    best = {}
    unbounded = False
    for chosen in product(*(ways(table[state]) for state in states)):
        policy = dict(zip(states, chosen, strict=True))
        reach = {state: can_reach(policy, state) for state in states}
        if all("end" in reached for reached in reach.values()):
            matrix = [[(s == t) - chance(policy[s], t) for t in states] for s in states]
            values = solved(matrix, [fraction(policy[s].reward) for s in states])
            for state, value in zip(states, values, strict=True):
                best[state] = max(best.get(state, value), value)
        for state in states:
            members = sorted(reach[state], key=str)
            closed = "end" not in reach[state] and all(reach[m] == reach[state] for m in members)
            unbounded = unbounded or (closed and gain(policy, members) > 0)
    if not best:
        return "nothing ends"
    return "unbounded" if unbounded else best


def negated(turn):
    if isinstance(turn, list):
        return [Choice(c.action, -mpq(c.reward), c.successors) for c in turn]
    return Chance(-mpq(turn.reward), turn.successors) if isinstance(turn, Chance) else turn


#: A cycle that gains nothing on average, with rewards of both signs.
EVEN = {
    0: [go("there", 1, 1), go("stop", "end")], 1: [go("back", 0, -1), go("stop", "end", -3)],
    "end": End(0)}  # fmt: skip


@pytest.mark.slow
@given(tables(players=1, ends=False), st.booleans(), st.booleans())
@example(EVEN, False, False)
def test_the_best_proper_policy_is_found_from_any_start(table, least, is_lifted):
    game = Game(0, table.__getitem__)
    model = game.explored()
    mine = {s: negated(turn) for s, turn in table.items()} if least else table
    expected = enumerated(mine, set(model.states))
    lifted = lifting.lifted_values if is_lifted else lambda *_, **__: None
    with patch.object(lifting, "lifted_values", lifted):
        if isinstance(expected, str):
            with pytest.raises(NoValueError):
                optimum(model, least=least)
            return
        best = optimum(model, least=least)
    sign = -1 if least else 1
    expected["end"] = Fraction(0)
    assert best.is_exact
    assert {s: sign * fraction(best.value_of(s)) for s in model.states} == {
        s: expected[s] for s in model.states
    }
    best.certificate().check(game)
    for state in model.states:
        if isinstance(table[state], list):
            returns = {
                c.action: fraction(c.reward) + sum(chance(c, t) * expected[t] for t in c.successors)
                for c in mine[state]
            }
            tied = tuple(a for a, r in returns.items() if r == max(returns.values()))
            chosen = best.action(state)
            assert chosen in tied
            assert best.optimal_actions(state) == (chosen, *(a for a in tied if a != chosen))


def test_one_player_by_hand():
    # State 0 may end by luck, but then may also fall into 1, from where nothing ends.
    table = {
        0: [Choice("try", 5, Distribution({1: 1, "end": 1}))], 1: [go("wait", 1, -1)], "end": End(0)
    }  # fmt: skip
    with pytest.raises(NoValueError, match=r"no policy ends play with probability 1 from 1;"):
        optimum(Game(0, table.__getitem__))
    huge = mpq(10) ** 400
    choices = [go("a", 1, huge), go("b", 1, huge + 1)]
    assert optimum(Game(0, lambda state: None if state else choices)).policy == {0: "b"}


@pytest.mark.parametrize("width", [None, "1e-9"])
def test_a_free_cycle_is_left_even_if_leaving_costs(width):
    """Play must end: waiting forever at no cost does not count, so the value is -1."""
    table = {0: [go("wait", 1), go("leave", "end", -1)], 1: [go("wait", 0)], "end": End(0)}
    best = optimum(Game(0, table.__getitem__), width=width)
    assert -1 in best.value_of(0)
    assert -1 in best.value_of(1)
    assert best.is_exact is (width is None or not native.are_built())
    assert best.policy == {0: "leave", 1: "wait"}
    assert best.optimal_actions(0) == ("leave", "wait")


def best_chances(table):
    states = [state for state in table if state not in ("end", GOAL)]
    second = [s for s in states if isinstance(table[s], Turn)]
    first = [s for s in states if s not in second]
    best = {}
    for mine in product(*(ways(table[s]) for s in first)):
        worst = {}
        for theirs in product(*(ways(table[s]) for s in second)):
            way = dict(zip((*first, *second), (*mine, *theirs), strict=True))
            values = goal_chances(table, way)
            worst = {s: min(v, worst.get(s, v)) for s, v in values.items()}
        best = {s: max(v, best.get(s, v)) for s, v in worst.items()}
    return best


def held(table, width):
    game = Game(0, table.__getitem__)
    model = game.explored()
    answer = probability(model, lambda state: state == GOAL, width=width)
    expected = best_chances(table)
    for state in model.states:
        assert fraction(answer.value_of(state).lower) <= expected[state]
        assert expected[state] <= fraction(answer.value_of(state).upper)
        if width is None:
            assert fraction(answer.value_of(state)) == expected[state]
    answer.certificate().check(game)


def circling(random):
    """A game of two in which most moves are sure, so that play can go round in many circles."""
    size = random.randint(2, 5)
    table = {"end": End(0)}
    for state in range(size):
        choices = []
        for action in range(random.randint(1, 3)):
            heads = random.sample([*range(size), "end"], random.choice([1, 1, 2]))
            choices.append(Choice(action, 0, Distribution(dict.fromkeys(heads, 1))))
        kind = random.randrange(5)
        table[state] = Turn(2, choices) if kind > 2 else choices if kind else choices[0].successors
    return {s: Chance(0, t) if isinstance(t, Distribution) else t for s, t in table.items()}


@pytest.mark.parametrize("start", range(0, 600, 100))
def test_two_players_in_cycles_have_the_probability_over_all_policies(start):
    for drawn in range(start, start + 100):
        table = circling(Random(drawn))  # noqa: S311
        held(table, None)
        held(table, "1e-9")


#: By hand: "wait" is as good as "try" by the values, and never comes to the goal; trying does.
PATIENCE = {
    0: Turn(1, [go("wait", 2), Choice("try", 0, Distribution({0: 1, 1: 1}))]), 1: End(0),
    2: Turn(2, [go("back", 0)])}  # fmt: skip


@pytest.mark.parametrize("width", [None, "1e-9"])
def test_equally_good_waiting_is_not_chosen_forever(width):
    game = Game(0, PATIENCE.__getitem__)
    answer = probability(game.explored(), lambda state: state == GOAL, width=width)
    assert answer.value == 1
    assert answer.action(0) == "try"
    answer.certificate().check(game)
