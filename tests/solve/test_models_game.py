"""Games and models: exploring, limits, and errors that name the state."""

import csv
import re
import signal
import time
import tracemalloc
from collections import Counter, OrderedDict
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import partial
from random import Random

import numpy as np
import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st
from model_oracles import go, refuses, tables

from exactdice import memory, models, native
from exactdice.arithmetic import rational
from exactdice.book.page import Variant
from exactdice.book.questions import policy_text
from exactdice.dice import Distribution, fair
from exactdice.errors import ExactDiceError, InputError, TimeLimitError, TooLargeError
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
    policy_value,
)
from exactdice.native import are_built
from exactdice.run import Run
from exactdice.solve import game
from exactdice.solve import turns as exploring
from exactdice.solve.arena import CHANCE, Arena, NoValueError
from exactdice.solve.game import Cost
from exactdice.solve.questions import reach


def refused(moves, initial=0, **limits):
    with pytest.raises(ExactDiceError) as error:
        optimum(Game(initial, moves).explored(**limits))
    assert "\n" not in str(error.value)
    return str(error.value)


def test_states_are_explored_breadth_first_each_once():
    asked = []

    def moves(n):
        asked.append(n)
        return fair(2).map(lambda step: n + step) if n < 5 else None

    model = Game(0, moves).explored()
    assert asked == list(range(7)) == list(model.states)
    assert repr(model) == "Model(7 states, 5 moves, 10 transitions)"
    assert [state for _, state in model.ended()] == [5, 6]
    assert model.players == 0


@dataclass(frozen=True)
class Spot:
    at: int


SOUND = [0, 1, 2, True, "a", "b", None, (1, 2), (2, 1), (2, "a"), ("a", 2), (1, (2,)), (0, True)]
SOUND += [mpq(1, 2), Fraction(1, 2), frozenset({1}), Spot(1), Spot(2)]
ODD = [0.5, [1], Counter("ab"), np.int8(2), Decimal(1), np.True_]
WEIGHTS = [1, 1, 1, 2, 3, 4, 6, 2**31, 2**32, 10**30]


def random_rules(seed):
    odds = Random(seed).choice([0, 0, 0.02])  # noqa: S311

    def one_of(rng, sound, odd):
        return rng.choice(odd if rng.random() < odds else sound)

    def successor(rng):
        state = one_of(rng, SOUND, ODD)
        return rng.choice([lambda x: x, lambda x: x, Other, partial(Paid, 2)])(state)

    def law(rng):
        draws, place = range(rng.randint(1, 4)), rng.random()
        if rng.random() < 0.5:
            kind = rng.choice([dict, Counter, OrderedDict])
            weights = {successor(rng): one_of(rng, WEIGHTS, [0, -1, True, 0.5]) for _ in draws}
            return Distribution(kind(weights))
        die = Distribution({face: rng.choice(WEIGHTS) for face in draws})
        image = lambda face: successor(Random(place + face // 2))  # noqa: E731, S311
        return die.map(one_of(rng, [image], [5]))

    def moves(state):
        rng = Random(f"{seed} {state!r}")  # noqa: S311
        names = [one_of(rng, [i, str(i), (i,)], [[i], 0]) for i in range(rng.randint(1, 3))]
        choices = [Choice(a, one_of(rng, [0, 2, 10**9], ["1/2", True]), law(rng)) for a in names]
        return rng.choice(
            [choices, choices, Turn(2, choices), Chance(1, law(rng)), law(rng), End(3)]
        )

    return moves


@pytest.mark.parametrize(
    "seeds", [range(40), pytest.param(range(40, 700), marks=pytest.mark.slow)], ids=["few", "many"]
)
def test_rules_give_the_same_model_or_error_in_python_and_in_cpp(monkeypatch, seeds):
    """Methods and walk in Python are the oracle of those in C++, for random rules, odd ones too."""
    monkeypatch.setattr(exploring, "FEW", 0)

    def outcome(seed):
        try:
            model = Game(SOUND[-1], random_rules(seed)).explored()
        except Exception as error:
            return type(error), str(error), getattr(error, "__notes__", [])
        of_arena = [getattr(model.arena, name) for name in vars(Arena()) if name[0] != "_"]
        return repr([list(model.states), dict(model.index), list(model.actions), *of_arena])

    in_cpp = [outcome(seed) for seed in seeds]
    kinds = Counter(map(type, in_cpp))
    assert min(kinds[str], kinds[tuple]) > len(seeds) / 10
    monkeypatch.setattr(native, "are_built", lambda: False)
    for kind, name, method in exploring.IN_PYTHON:
        assert getattr(kind, name) is not method or not are_built()
        monkeypatch.setattr(kind, name, method)
    assert [outcome(seed) for seed in seeds] == in_cpp


def test_progress_of_exploring_and_solving_is_reported():
    told = []
    run = Run(progress=lambda *news: told.append(news))
    model = Game(0, lambda n: point_mass(n + 1) if n < 10_000 else None).explored(run)
    assert told[-1] == ("states explored", 10_001, None)
    for ask in (
        lambda: optimum(model, run=run), lambda: reach(model, lambda n: n == 7, run=run),
        lambda: policy_value(model, {}, run=run),
        lambda: models.time_distribution(model, {}, run=run),
        lambda: models.win_draw_loss(model, {}, run=run),
        lambda: models.expect(model, policies={1: {}}, run=run)):  # fmt: skip
        told.clear()
        ask()
        assert told[-1] == ("states", 10_001, 10_001)
    told = []

    def moves(n):
        time.sleep(0.4)
        return point_mass(n + 1) if n < 6 else None

    Game(0, moves).explored(Run(progress=lambda *news: told.append(news)))
    assert told[0] == ("states explored", 3, None)


def test_errors_in_the_rules_name_the_state():
    message = refused(lambda n: Distribution.from_probabilities({1: "1/2", 2: "1/3"}))
    assert message.startswith("moves(0): probabilities: got a sum of 5/6; expected probabilities")

    @dataclass
    class Loose:
        points: int

    message = refused(lambda n: point_mass([1, 2]) if n == 0 else None)
    assert message.startswith("moves(0): a successor or action is not hashable")
    for turn in (lambda n: point_mass(models.Other([1])), lambda n: [go(Loose(1), 1)]):
        assert refused(turn).startswith("moves(0): a successor or action")
    assert refused(lambda n: None, [0]).startswith("initial: got [0]; expected a state that")
    with pytest.raises(TypeError, match="unsupported operand") as wrong:
        Game(0, lambda n: n + "1").explored()
    assert wrong.value.__notes__ == ["in moves(0)"]
    with pytest.raises(KeyError, match="1") as missing:
        Game(0, {0: point_mass(1)}.__getitem__).explored()
    assert missing.value.__notes__ == ["in moves(1)"]


@pytest.mark.parametrize("moves", [
    lambda n: [go("a", 1, 0.5)], lambda n: models.Chance(0.5, point_mass(1)), lambda n: End(0.5),
    lambda n: Distribution({1: 0.5, 2: 0.5}),
    lambda n: Both({("a", "b"): models.Chance(0.5, point_mass(1))})])  # fmt: skip
def test_floats_are_refused_with_the_state(moves):
    assert refused(moves).startswith("moves(0): ")
    assert "got 0.5; expected" in refused(moves)


@pytest.mark.parametrize(("ask", "message"), [
    (lambda g: optimum(5), "model: got 5; expected a Model or a Game"),
    (lambda g: optimum(Game(0, {})), "moves: got {}; expected a function that says what can"),
    (lambda g: optimum(Game(0, 5)), "moves: got 5; expected a function that says what can"),
    (lambda g: reach(g, 5), "event: got 5; expected a function that tells of a state"),
    (lambda g: policy_value(g, 5), "policy: got 5; expected an action for each state"),
    (lambda g: optimum(g, run=5), r"run: got 5; expected a Run, for example Run\(memory"),
    (lambda g: Run(memory="2GiB"), "memory: got '2GiB'; expected a whole number of at least"),
    (lambda g: Run(workers=0), "workers: got 0; expected a whole number of at least 1")
])  # fmt: skip
def test_invalid_arguments_are_rejected_by_name(ask, message):
    game = Game(0, lambda n: [go("go", 1, 1)] if n == 0 else None)
    refuses(InputError, f"^{message}", ask, game)
    assert optimum(game).value == 1  # a game is explored by the question


def test_exploring_stops_at_limits_and_interrupts():
    with pytest.raises(KeyboardInterrupt):
        GRID.explored(Run(progress=interrupt))
    refuses(TooLargeError, r"1\.0 MiB; .* states explored", GRID.explored, Run(memory=2**20))
    endless = Game(0, lambda n: point_mass(n + 1))
    with pytest.raises(TooLargeError) as refused:
        endless.explored(Run(memory=2**20))
    known = int(re.findall(r"(\d+) known", str(refused.value))[0])
    assert f"known, such as {known - 1};" in str(refused.value)  # the last one that was met


def test_rules_may_return_an_end_that_is_a_next_state():
    game = Game(0, lambda state: state or fair(2).map(lambda side: End(3 - 2 * side)))
    assert optimum(game).value == 0  # 1 or -1
    assert models.probability(game, "won").value == mpq(1, 2)


@pytest.mark.parametrize(("turn", "message"), [
    (7, "moves(0): got 7; expected End, a Distribution, Chance, a list of Choice, Turn or Both"),
    ([point_mass(1)], "moves(0): got Distribution({1: 1}) in a list; expected Choice"),
    ([go("a", 1), go("a", 1, 1)],
     "moves(0): got actions ('a', 'a'); expected each once, and none is None"),
    (lambda: [go(None, 1)], "moves(0): got actions (None,); expected each once, and none is None"),
    (lambda: Turn(3, [Choice("a", 0, fair(2))]),
     "moves(0): got a turn of player 3; write Game(…, players=…)"),
    (lambda: Turn(1, []), "moves(0): choices: got []; expected at least one choice, or End()"),
    (lambda: Both({}), "moves(0): outcomes: got {}; expected an outcome for every pair of choices"),
    (lambda: Both({("a", "b"): End(), ("c", "d"): End()}),
     "moves(0): outcomes: got {('a', 'b'): End(payoff=mpq(0... 'd'): End(payoff=mpq(0,1))}"
     "; expected an outcome for every pair of choices"),
    (lambda: Both({("a", "b"): 5}),
     "moves(0): got 5 for 'a' and 'b'; expected a Distribution, Chance or End"),
    (lambda: models.Chance(0, {1: 1}),
     "moves(0): successors: got {1: 1}; expected a Distribution over states: point_mass("
     "state), fair(6).map(…) or Distribution.from_probabilities({state: '1/2', …})"),
    (lambda: point_mass(End(2)), "got End(payoff=mpq(2,1)) as a next state; return it from moves"
     " instead"),
    (lambda: point_mass(Other(models.Paid(2, 1))), "moves(Paid(reward=mpq(2,1), state=1)): "
     "got Paid as a state; expected Chance(0, …) around it, Other in it"),
    ([], "moves(0): got no choice; expected one, or End(0) if play has ended"),
    ({}, "moves(0): got {}; expected End, a Distribution, Chance, a list of Choice, Turn or Both"),
    (lambda: Turn(1, 5), "moves(0): got 5 as choices; expected a list of Choice"),
    (lambda: Both([1]), "moves(0): outcomes: got [1]; expected a mapping from pairs of choices")
])  # fmt: skip
def test_what_is_no_turn_is_refused_with_the_state(turn, message):
    assert refused(lambda n: None if n else turn() if callable(turn) else turn) == message


def test_games_without_a_value_are_rejected_with_states():
    def moves(state):
        if state == "out":
            return None
        return [go("dig", "mine", 1), go("leave", "out")]

    said = "play can gain without bound by repeating 'mine'; minimise, or pay a reward below 0"
    assert refused(moves, "mine") == f"model: has no finite value; {said}"
    said = "no policy ends play with probability 1 from 'trap'"
    assert said in refused(lambda state: point_mass("trap"), "start")

    # Whoever stops loses 1, so neither wants to.
    def moves(state):
        if state == "over":
            return None
        stop = go("stop", "over", -1 if state == 1 else 1)
        return Turn(state, [stop, go("pass", 3 - state)])

    with pytest.raises(NoValueError, match=r"play may never end among 2, 1|among 1, 2"):
        optimum(Game(1, moves).explored())
    refuses(NoValueError, "play may never end", optimum, Game(1, moves).explored(), width="1/100")


@pytest.mark.parametrize("width", [None, "1e-6"])
def test_minimising_is_advised_only_to_one_player_who_maximises(width):
    over = point_mass("over")
    two = {
        0: Turn(1, [go("wait", 0, 1), go("go", 1)]), 1: Turn(2, [go("on", 2)]),
        2: Turn(2, [go("wait", 2, -1), Choice("go", 0, over)]), "over": None}  # fmt: skip
    one = {0: [go("wait", 0, -1), Choice("go", 0, over)], "over": None}
    text = (
        "model: has no finite value; play can {} without bound by repeating {}; {}pay a reward {} 0"
    )
    for table, least, said in (
        (one, True, ("lose", 0, "maximise, or ", "above")),
        (two, False, ("lose", 2, "", "above")),
        (two | {2: Turn(2, [Choice("go", 0, over)])}, False, ("gain", 0, "", "below")),
    ):
        with pytest.raises(NoValueError) as wrong:
            optimum(Game(0, table.__getitem__), least=least, width=width)
        assert str(wrong.value) == text.format(*said)


def test_arguments_of_questions_are_checked():
    pig = Game(0, lambda n: [go("a", models.Other(1), 1)] if n == 0 else End(1)).explored()
    refuses(InputError, "least", optimum, pig, least=True)
    refuses(InputError, "a model that does not change sides", reach, pig, lambda n: n == 1)
    refuses(
        InputError,
        r"policy\(0\): got 'b'; expected 'a', the only choice",
        policy_value,
        pig,
        {0: "b"},
    )
    refuses(InputError, "policy: got none for 0; expected an action for", policy_value, pig, {})
    with pytest.raises(InputError, match="player: got 3; expected 1 or 2"):
        models.expect(pig, policies={1: {0: "a"}}, player=3)
    pennies = Game(0, lambda n: Both({(a, b): End(a * b) for a in (1, -1) for b in (1, -1)}))
    model = pennies.explored()
    best = optimum(model)
    assert best.value == 0
    assert policy_value(model, best).value == 0
    assert [models.expect(model, policies={side: best}).value for side in (1, 2)] == [0, 0]
    assert best.action(0)[0] == Distribution({1: 1, -1: 1})
    best.certificate().check(pennies)


def test_an_enclosed_value_is_no_exact_one():
    third = Game(0, lambda n: Distribution({0: 1, 1: 1, 2: 1}) if n == 0 else End(n - 1)).explored()
    best = optimum(third, width="1e-9")
    assert best.value.point is None
    assert mpq(1, 2) in best.value
    assert 0 < best.value.upper - best.value.lower < mpq(1, 10**9)
    assert best.value.near(10).startswith("0.5000000000 ± ")
    refuses(InputError, r"value: got 0.50000000000* ± .*; expected an exact", rational, best.value)
    assert optimum(third).value == mpq(1, 2)  # by hand: 0 or 1 with equal chances


@pytest.mark.parametrize("is_built", [False, True])
def test_either_walk_distinguishes_states(is_built, monkeypatch):
    """States made anew are the same as before if they are equal, and of the same types within."""
    if not is_built:
        monkeypatch.setattr(native, "are_built", lambda: False)

    def moves(state):
        return fair(2).map(lambda f: (state[0] + 1, state[1] * f)) if state[0] < 3 else None

    model = Game((0, 0), moves).explored()
    assert list(model.states) == [(n, 0) for n in range(4)]
    assert model.index[2, 0] == 2
    assert (4, 0) not in model.index
    refuses(InputError, r"^state: got .*; expected a reachable state", model.number, (4, 0))
    odd = Game((0, 0), lambda s: point_mass((s[0] + 1, s[0] > 0 and 0)) if s[0] < 3 else None)
    assert odd.explored().states[1:3] == [(1, False), (2, 0)]
    again = fair(2).map(lambda f: (f > 1, 0))
    both = Game(0, {0: fair(2).map(lambda f: (f - 1, 0)), (0, 0): again}.get)
    refuses(models.ModelError, "they are equal, but of different types", both.explored)


def test_bytes_of_a_walk_are_about_those_that_python_takes():
    """The oracle is what tracemalloc finds; lists are half empty: a factor of 2."""
    tracemalloc.start()
    try:
        before, taken = tracemalloc.get_traced_memory()[0], []
        for width in (1, 20):
            met = exploring.Walk()
            for n in range(1000):
                met.number(f"state {n:40}")
                met.move(mpq(0), [(f"state {m % 1000:40}", 1) for m in range(n, n + width)])
                met.close(CHANCE)
            after = tracemalloc.get_traced_memory()[0]
            taken.append((met.bytes(), after - before))
            del met
    finally:
        tracemalloc.stop()
    for told, found in taken:
        assert found < 2 * told < 4 * found
    assert taken[1][0] - taken[0][0] == 19 * 1000 * 4  # bytes of each further target


def ways_of(turn):
    if isinstance(turn, Both):
        return dict(turn.outcomes)
    choices = turn.choices if isinstance(turn, Turn) else turn
    return {c.action: c for c in choices} if isinstance(choices, list) else {None: turn}


def after(way):
    for state, chance in way.successors.probabilities().items():
        is_other = type(state) is models.Other
        yield (state.state, -1, chance) if is_other else (state, 1, chance)


def policy_of(table):
    variant = Variant("random", lambda: Game(0, table.__getitem__))
    try:
        lines = policy_text(variant, variant.answer()).splitlines()
    except NoValueError:
        return None
    rows = {}
    for row in csv.DictReader(lines):
        rows.setdefault(row["state"], []).append(row)
    return rows


def reached(table, played):
    met, left = {0}, [0]
    for state in left:
        if not isinstance(table[state], End):
            new = {to for way in played(state) for to, _, _ in after(way)} - met
            met |= new
            left += sorted(new, key=str)
    return met


@settings(max_examples=20)
@given(tables(players=2, ends=True, both=True, turns=True))
def test_a_policy_file_has_a_row_for_each_state_before_the_end(table):
    rows = policy_of(table)
    states = reached(table, lambda state: ways_of(table[state]).values()) - {"end"}
    assert set(rows) == set(map(repr, states))
    is_exact = "value" in rows["0"][0]

    def worth(state):
        return mpq(table["end"].payoff) if state == "end" else mpq(rows[repr(state)][0]["value"])

    for state in states:
        ways, listed = ways_of(table[state]), rows[repr(state)]
        shares = {1: {}, 2: {}}
        for row in listed:
            if row["player"]:
                shares[int(row["player"])][int(row["best"])] = mpq(row["probability"])
        if isinstance(table[state], Both):
            assert [sum(mixture.values()) for mixture in shares.values()] == [1, 1]
            one, two = shares.values()
            law = {(a, b): p * q for a, p in one.items() for b, q in two.items()}
        elif None in ways:
            assert [row["best"] + row["player"] for row in listed] == [""]
            law = {None: mpq(1)}
        else:
            owner = table[state].player if isinstance(table[state], Turn) else 1
            law = shares[owner]
            assert (len(listed), list(law.values())) == (1, [1])
            assert str(*law) == listed[0]["ties"].split(" | ")[0]
        if is_exact:  # what is listed returns the value that is listed
            assert worth(state) == sum(
                share
                * (mpq(ways[way].reward) + sum(c * s * worth(t) for t, s, c in after(ways[way])))
                for way, share in law.items()
            )


@settings(max_examples=20)
@given(st.sampled_from([1, 2]).flatmap(lambda players: tables(players=players, ends=False)))
def test_play_by_a_policy_file_ends(table):
    rows = policy_of(table)
    if rows is None:
        return

    def played(state):
        ways = ways_of(table[state])
        return [ways[None if None in ways else int(rows[repr(state)][0]["best"])]]

    met = reached(table, played)
    ending = {"end"}
    for _ in met:  # those that can come to the end, a step further each time
        ending |= {s for s in met - {"end"} if any(t in ending for t, _, _ in after(*played(s)))}
    assert met <= ending


SIZE = 120


def moves(at):
    if at == (SIZE, SIZE):
        return None
    places = [(at[0] + dx, at[1] + dy) for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1))]
    # walls are not passed
    x, y, z, w = ((min(max(a, 0), SIZE), min(max(b, 0), SIZE)) for a, b in places)
    laws = ({a: 8} | {b: 1} | {at: 2} for a, b in ((x, y), (y, x), (z, w), (w, z)))
    return [Choice(n, -1, Distribution(law)) for n, law in enumerate(laws)]


GRID = Game((0, 0), moves)


@pytest.fixture(scope="module")
def model():
    return GRID.explored()


def interrupt(*news):
    signal.raise_signal(signal.SIGINT)


@pytest.mark.skipif(not are_built(), reason="the C++ solvers are not built")
def test_an_interrupt_stops_solving(model):
    """Raised from the first line of progress, which comes from inside of the C++ solver."""
    heard = []

    def heard_once(what, done, total):
        heard.append(what)
        interrupt()

    with pytest.raises(KeyboardInterrupt):
        optimum(model, run=Run(progress=heard_once))
    assert heard == ["steps of solving"]


@pytest.mark.parametrize("width", [None, "1e-9"])
def test_solving_stops_when_its_time_is_over(model, width):
    """A run that started long ago: its second is over at the first look."""
    with pytest.raises(TimeLimitError, match=r"limit of 1 seconds; ask for less, or raise"):
        optimum(model, width=width, run=Run(seconds=1, since=0))


def test_long_steps_are_interrupted():
    def round_and_round():
        with Run(seconds="1/100").within_limits():
            while True:
                pass

    with pytest.raises(TimeLimitError):
        round_and_round()


@pytest.mark.slow
@pytest.mark.skipif(memory.memory_taken() is None, reason="the system does not say")
def test_infinite_states_are_announced(monkeypatch):
    """The states' own memory counts too: here each keeps 1 kB that is not reported."""
    monkeypatch.setattr(game, "_MANY", 4096)

    class Fat(int):
        pass

    def grown(n):
        after = Fat(n + 1)
        after.kept = bytes(1000)
        return point_mass(after)

    heard = []
    with pytest.raises(TooLargeError, match=r"^model: needs more than 128\.0 MiB; .* explored"):
        Game(Fat(0), grown).explored(Run(memory=2**27, announce=heard.append))
    assert [line.split()[0] for line in heard[:3]] == ["4096", "16384", "65536"]
    assert heard[0].startswith("4096 states explored, 4097 known, such as 4096; ")


#: Rules without an end, and the same ones with a limit, which they test in different ways.
ENDLESS = {
    "counter": (lambda n, at: [Choice("stop", n, point_mass("over")), Choice("go", 0, fair(2).map(
        lambda side: n + side))] if n != "over" and (at is None or n < at) else None, 0),
    "debts": (lambda n, at: fair(3).map(lambda f: n - f) if at is None or n > -at else None, 0),
    "turns": (lambda s, at: fair(3).map(lambda f: Other((s[1], s[0] + f - 1)))
        if at is None or max(s) < at else None, (0, 0)),
    "seats": (lambda s, at: fair(2).map(lambda f: (1 - s[0], (s[1][0] + f, s[1][0])))
        if s[1][0] != at and (at is None or s[1][0] <= at) else None, (0, (0, 0))),
    "rounds": (lambda s, at: fair(2).map(lambda f: (s[0] - (at is not None), s[1] + f))
        if s[0] else None, (60, 0)),
}  # fmt: skip


@pytest.mark.parametrize(
    "rules", [pytest.param(one, marks=[pytest.mark.slow] * (one != "counter")) for one in ENDLESS]
)
def test_states_without_a_limit_are_refused_and_many_states_are_not(rules, monkeypatch):
    monkeypatch.setattr(game, "_OFTEN", 16)
    monkeypatch.setattr(game, "_PROBED", 64)
    monkeypatch.setattr(game, "_NEAR", 12)
    monkeypatch.setattr(game, "_TIMES", (10**9, *range(1, 100)))
    moves, first = ENDLESS[rules]
    with pytest.raises(TooLargeError, match=r"^model: states have no limit: play can get from"):
        Game(first, lambda state: moves(state, None)).explored()
    assert len(Game(first, lambda state: moves(state, 60)).explored()) > 60
    assert len(Game(0, lambda n: point_mass((n + 1) % 5000)).explored()) == 5000


def test_solving_is_refused_or_announced_by_its_estimate(model, monkeypatch):
    with pytest.raises(TooLargeError, match=r"solving .* transitions needs about .* MiB"):
        optimum(model, run=Run(memory=model.cost().memory - 1))
    lines = []
    run = Run(announce=lines.append)
    optimum(Game(0, lambda n: point_mass(n + 1) if n < 100 else None), run=run)
    assert not lines
    monkeypatch.setattr(type(model), "cost", lambda self: Cost(12 * 10**9, 0))
    optimum(Game(0, lambda n: point_mass(n + 1) if n < 100 else None), run=run)
    assert lines == ["solving 100 transitions takes about 12 seconds"]


@pytest.mark.skipif(not are_built(), reason="the C++ solvers are not built")
def test_solving_stops_at_the_memory_limit(model, monkeypatch):
    """The memory of the process seems to grow by 100 MiB a look."""
    taken = iter(range(0, 2**50, 100 * 2**20))
    monkeypatch.setattr(memory, "memory_taken", lambda: next(taken))
    monkeypatch.setattr(memory, "_BETWEEN", (1, 1000))
    with pytest.raises(TooLargeError, match="this takes more than the limit"):
        optimum(model, run=Run(memory=50 * 2**20))
