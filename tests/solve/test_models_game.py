"""Games and models: exploring, limits, and errors that name the state."""

import csv
import re
import signal
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st
from model_oracles import tables

from exactdice import memory
from exactdice.book.page import Variant
from exactdice.book.questions import policy_text
from exactdice.dice import Distribution, fair
from exactdice.enclosure import point_of
from exactdice.errors import ExactDiceError, InputError, TimeLimitError, TooLargeError
from exactdice.models import (
    Both,
    Chance,
    Choice,
    End,
    Game,
    Model,
    ModelError,
    Other,
    Turn,
    expect,
    optimum,
    point_mass,
    policy_value,
    time_distribution,
    win_draw_loss,
)
from exactdice.native import are_built
from exactdice.run import Run
from exactdice.solve import game
from exactdice.solve import turns as exploring
from exactdice.solve.arena import CHANCE, Arena, NoValueError
from exactdice.solve.game import Cost
from exactdice.solve.questions import reach


def refused(moves: Callable[[Any], Any], initial: Any = 0, **limits: Any) -> str:
    with pytest.raises(ExactDiceError) as error:
        optimum(Game(initial, moves).explored(**limits))
    assert "\n" not in str(error.value)
    return str(error.value)


def test_states_are_explored_breadth_first_each_once() -> None:
    asked = []

    def moves(n: int) -> Any:
        asked.append(n)
        return fair(2).map(lambda step: n + step) if n < 5 else None

    model = Game(0, moves).explored()
    assert asked == list(range(7)) == list(model.states)
    assert repr(model) == "Model(7 states, 5 moves, 10 transitions)"
    assert [state for _, state in model.ended()] == [5, 6]
    assert model.players == 0


@pytest.mark.slow
@given(tables(players=2, ends=True, both=True, turns=True))
def test_states_and_moves_are_the_same_in_python_and_in_cpp(table: dict[Any, Any]) -> None:
    game = Game(0, table.__getitem__)
    by_either = [game.explored()]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exploring, "are_built", lambda: False)
        by_either.append(game.explored())
    one, other = (
        [list(model.states), dict(model.index), list(model.actions)]
        + [getattr(model.arena, name) for name in vars(Arena()) if name[0] != "_"]
        for model in by_either
    )
    assert one == other


def test_a_run_hears_of_states_explored_and_of_states_solved() -> None:
    told: list[Any] = []
    run = Run(progress=lambda *news: told.append(news))
    model = Game(0, lambda n: point_mass(n + 1) if n < 10_000 else None).explored(run)
    assert told[-1] == ("states explored", 10_001, None)
    for ask in (
        lambda: optimum(model, run=run),
        lambda: reach(model, lambda n: n == 7, run=run),
        lambda: policy_value(model, {}, run=run),
        lambda: time_distribution(model, {}, run=run),
        lambda: win_draw_loss(model, {}, run=run),
        lambda: expect(model, policies={1: {}}, run=run),
    ):
        told.clear()
        ask()
        assert told[-1] == ("states", 10_001, 10_001)


def test_probabilities_that_do_not_sum_to_1_are_refused_with_the_state() -> None:
    message = refused(lambda n: Distribution.from_probabilities({1: "1/2", 2: "1/3"}))
    assert message.startswith("moves(0): probabilities: got a sum of 5/6; expected probabilities")


@pytest.mark.parametrize(
    "moves",
    [
        lambda n: [Choice("a", 0.5, point_mass(1))],
        lambda n: Chance(0.5, point_mass(1)),
        lambda n: End(0.5),
        lambda n: Distribution({1: 0.5, 2: 0.5}),
        lambda n: Both({("a", "b"): Chance(0.5, point_mass(1))}),
    ],
)
def test_floats_are_refused_with_the_state(moves: Any) -> None:
    assert refused(moves).startswith("moves(0): ")
    assert "got 0.5; expected" in refused(moves)


def test_a_successor_that_cannot_be_hashed_is_refused_with_the_state() -> None:
    @dataclass
    class Loose:
        points: int

    message = refused(lambda n: point_mass([1, 2]) if n == 0 else None)
    assert message.startswith("moves(0): a successor or action is not hashable")
    assert refused(lambda n: point_mass(Other([1]))).startswith("moves(0): a successor or action")
    assert refused(lambda n: [Choice(Loose(1), 0, point_mass(1))]).startswith(
        "moves(0): a successor"
    )
    assert refused(lambda n: None, initial=[0]).startswith(
        "initial: got [0]; expected a state that"
    )


def test_other_errors_in_the_rules_are_the_users_own_and_name_the_state() -> None:
    with pytest.raises(TypeError, match="unsupported operand") as wrong:
        Game(0, lambda n: n + "1").explored()
    assert wrong.value.__notes__ == ["in moves(0)"]
    with pytest.raises(KeyError, match="1") as missing:
        Game(0, {0: point_mass(1)}.__getitem__).explored()
    assert missing.value.__notes__ == ["in moves(1)"]


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda g: optimum(5), "model: got 5; expected a Model or a Game"),
        (lambda g: optimum(Game(0, {})), "moves: got {}; expected a function that says what can"),
        (lambda g: optimum(Game(0, 5)), "moves: got 5; expected a function that says what can"),
        (lambda g: reach(g, 5), "event: got 5; expected a function that tells of a state"),
        (lambda g: policy_value(g, 5), "policy: got 5; expected an action for each state"),
        (lambda g: optimum(g, run=5), r"run: got 5; expected a Run, for example Run\(memory"),
        (lambda g: Run(memory="2GiB"), "memory: got '2GiB'; expected a whole number of at least"),
        (lambda g: Run(workers=0), "workers: got 0; expected a whole number of at least 1"),
    ],
)
def test_invalid_arguments_are_rejected_by_name(ask: Any, message: str) -> None:
    game = Game(0, lambda n: [Choice("go", 1, point_mass(1))] if n == 0 else None)
    with pytest.raises(InputError, match=f"^{message}"):
        ask(game)
    assert optimum(game).value == 1  # a game is explored by the question


def test_rules_that_take_long_are_heard_of_within_two_seconds() -> None:
    told: list[Any] = []

    def moves(n: int) -> Any:
        time.sleep(0.4)
        return point_mass(n + 1) if n < 6 else None

    Game(0, moves).explored(Run(progress=lambda *news: told.append(news)))
    assert told[0] == ("states explored", 3, None)


def test_an_infinite_state_space_is_rejected_at_the_memory_limit() -> None:
    with pytest.raises(
        TooLargeError, match=r"97\.6 KiB; 4096 states .* or raise the limit with Run"
    ):
        Game(0, lambda n: point_mass(n + 1)).explored(Run(memory=100_000))


@pytest.mark.parametrize(
    ("turn", "message"),
    [
        (
            7,
            "moves(0): got 7; expected End, a Distribution, Chance, a list of Choice, Turn or Both",
        ),
        ([point_mass(1)], "moves(0): got Distribution({1: 1}) in a list; expected Choice"),
        (
            [Choice("a", 0, point_mass(1)), Choice("a", 1, point_mass(1))],
            "moves(0): got one action twice among ('a', 'a'); expected each once",
        ),
        (lambda: Turn(3, [Choice("a", 0, fair(2))]), "moves(0): player: got 3; expected 1 or 2"),
        (lambda: Turn(1, []), "moves(0): choices: got []; expected at least one choice, or End()"),
        (
            lambda: Both({}),
            "moves(0): outcomes: got {}; expected an outcome for every pair of choices",
        ),
        (
            lambda: Both({("a", "b"): End(), ("c", "d"): End()}),
            "moves(0): outcomes: got {('a', 'b'): End(payoff=mpq(0... 'd'): End(payoff=mpq(0,1))}"
            "; expected an outcome for every pair of choices",
        ),
        (
            lambda: Both({("a", "b"): 5}),
            "moves(0): got 5 for 'a' and 'b'; expected a Distribution, Chance or End",
        ),
        (
            lambda: Chance(0, {1: 1}),
            "moves(0): successors: got {1: 1}; expected a Distribution over states: point_mass("
            "state), fair(6).map(…) or Distribution.from_probabilities({state: '1/2', …})",
        ),
        ([], "moves(0): got no choice; expected one, or End(0) if play has ended"),
        (
            {},
            "moves(0): got {}; expected End, a Distribution, Chance, a list of Choice, Turn or "
            "Both",
        ),
        (lambda: Turn(1, 5), "moves(0): got 5 as choices; expected a list of Choice"),
        (
            lambda: Both([1]),
            "moves(0): outcomes: got [1]; expected a mapping from pairs of choices",
        ),
    ],
)
def test_what_is_no_turn_is_refused_with_the_state(turn: Any, message: str) -> None:
    assert refused(lambda n: None if n else turn() if callable(turn) else turn) == message


def test_unbounded_gain_is_rejected_with_states() -> None:
    def moves(state: str) -> Any:
        if state == "out":
            return None
        return [Choice("dig", 1, point_mass("mine")), Choice("leave", 0, point_mass("out"))]

    assert refused(moves, "mine") == (
        "model: has no finite value; play can gain without bound among 'mine'; minimise, or "
        "pay a reward below 0"
    )


@pytest.mark.parametrize("width", [None, "1e-6"])
def test_minimising_is_advised_only_to_one_player_who_maximises(width: str | None) -> None:
    """Waiting is paid forever."""
    over = point_mass("over")
    two = {
        0: Turn(1, [Choice("wait", 1, point_mass(0)), Choice("go", 0, point_mass(1))]),
        1: Turn(2, [Choice("on", 0, point_mass(2))]),
        2: Turn(2, [Choice("wait", -1, point_mass(2)), Choice("go", 0, over)]),
        "over": None,
    }
    one = {0: [Choice("wait", -1, point_mass(0)), Choice("go", 0, over)], "over": None}
    text = "model: has no finite value; play can {} without bound among {}; {}pay a reward {} 0"
    for table, least, said in (
        (one, True, ("lose", 0, "maximise, or ", "above")),
        (two, False, ("lose", 2, "", "above")),
        (two | {2: Turn(2, [Choice("go", 0, over)])}, False, ("gain", 0, "", "below")),
    ):
        with pytest.raises(NoValueError) as wrong:
            optimum(Game(0, table.__getitem__), least=least, width=width)
        assert str(wrong.value) == text.format(*said)


def test_a_trap_without_end_is_refused_with_states() -> None:
    assert "no policy ends play with probability 1 from 'trap'" in refused(
        lambda state: point_mass("trap"), "start"
    )


def test_infinite_play_of_two_players_is_rejected_with_states() -> None:
    """Whoever stops loses 1, so neither wants to."""

    def moves(state: Any) -> Any:
        if state == "over":
            return None
        stop = Choice("stop", -1 if state == 1 else 1, point_mass("over"))
        return Turn(state, [stop, Choice("pass", 0, point_mass(3 - state))])

    with pytest.raises(NoValueError, match=r"play may never end among 2, 1|among 1, 2"):
        optimum(Game(1, moves).explored())
    with pytest.raises(NoValueError, match="play may never end"):
        optimum(Game(1, moves).explored(), width="1/100")


def test_infinite_play_with_simultaneous_moves_is_rejected() -> None:
    """Matching pennies played again on a difference: the second row is safe, and ends nothing."""
    table = {
        0: Both({("h", "h"): End(1), ("h", "t"): point_mass(0), ("t", "h"): point_mass(0),
                 ("t", "t"): End(2)})
    }  # fmt: skip
    with pytest.raises(NoValueError, match="play may never end from 0"):
        optimum(Game(0, table.__getitem__).explored())


def test_arguments_of_questions_are_checked() -> None:
    walk = Game(0, lambda n: fair(2).map(lambda step: n + step) if n < 5 else None).explored()
    with pytest.raises(InputError, match="width: got 0; expected a number above 0"):
        optimum(walk, width=0)
    with pytest.raises(InputError, match="state: got 9; expected a reachable state"):
        optimum(walk).value_of(9)
    pig = Game(0, lambda n: [Choice("a", 1, point_mass(Other(1)))] if n == 0 else End(1)).explored()
    with pytest.raises(InputError, match="least"):
        optimum(pig, least=True)
    with pytest.raises(InputError, match="a model that does not change sides"):
        reach(pig, lambda n: n == 1)
    with pytest.raises(InputError, match=r"policy\(0\): got 'b'; expected one of 'a'"):
        policy_value(pig, {0: "b"})
    with pytest.raises(InputError, match="policy: got none for 0; expected an action for"):
        policy_value(pig, {})
    with pytest.raises(InputError, match="player: got 3; expected 1 or 2"):
        expect(pig, policies={1: {0: "a"}}, player=3)
    pennies = Game(0, lambda n: Both({(a, b): End(a * b) for a in (1, -1) for b in (1, -1)}))
    model = pennies.explored()
    with pytest.raises(InputError, match="the answer to a question, with strategies"):
        policy_value(model, {})
    with pytest.raises(ModelError, match="policy: got none for 0; expected an action for"):
        expect(model, policies={1: {}})
    best = optimum(model)
    assert best.value == 0
    assert policy_value(model, best).value == 0
    assert expect(model, policies={1: best}).value == expect(model, policies={2: best}).value == 0
    assert best.action(0)[0] == Distribution({1: 1, -1: 1})
    best.certificate().check(pennies)


def test_an_enclosed_value_is_no_exact_one() -> None:
    third = Game(0, lambda n: Distribution({0: 1, 1: 1, 2: 1}) if n == 0 else End(n - 1)).explored()
    best = optimum(third, width="1e-9")
    assert best.value == best.enclosure()
    assert best.value.point is None
    assert mpq(1, 2) in best.value
    assert best.value.near(10).startswith("0.5000000000 ± 2")  # half, within a billionth at most
    with pytest.raises(InputError, match=r"value: got 0.50000000000* ± .*; expected an exact"):
        point_of(best.value)
    assert optimum(third).value == mpq(1, 2)  # by hand: 0 or 1 with equal chances


@pytest.mark.parametrize("is_built", [False, True])
def test_either_walk_distinguishes_states(is_built: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """States made anew are the same as before if they are equal, and of the same types within."""
    if not is_built:
        monkeypatch.setattr(exploring, "are_built", lambda: False)

    def moves(state: tuple[int, int]) -> Any:
        return fair(2).map(lambda f: (state[0] + 1, state[1] * f)) if state[0] < 3 else None

    model = Game((0, 0), moves).explored()
    assert list(model.states) == [(n, 0) for n in range(4)]
    assert model.index[2, 0] == 2
    assert (4, 0) not in model.index
    with pytest.raises(InputError, match=r"^state: got .*; expected a reachable state"):
        model.number((4, 0))
    odd = Game((0, 0), lambda s: point_mass((s[0] + 1, s[0] > 0 and 0)) if s[0] < 3 else None)
    assert odd.explored().states[1:3] == [(1, False), (2, 0)]
    both = Game(
        0,
        lambda s: (
            fair(2).map(lambda f: (f > 1, 0) if s else (f - 1, 0)) if s in (0, (0, 0)) else None
        ),
    )
    with pytest.raises(ModelError, match="they are equal, but of different types"):
        both.explored()


def test_bytes_of_a_walk_are_about_those_that_python_takes() -> None:
    """The oracle is what tracemalloc finds; lists are half empty: a factor of 2."""
    tracemalloc.start()
    try:
        before, taken = tracemalloc.get_traced_memory()[0], list[tuple[int, int]]()
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


def ways_of(turn: Any) -> dict[Any, Any]:
    """What can happen in a state, by action, or by the pair of them where both choose."""
    if isinstance(turn, Both):
        return dict(turn.outcomes)
    choices = turn.choices if isinstance(turn, Turn) else turn
    return {c.action: c for c in choices} if isinstance(choices, list) else {None: turn}


def after(way: Any) -> Iterator[tuple[Any, int, mpq]]:
    """The successors of one of them, with the sign of what they are worth and their chances."""
    for state, chance in way.successors.probabilities().items():
        is_other = type(state) is Other
        yield (state.state, -1, chance) if is_other else (state, 1, chance)


def policy_of(table: dict[Any, Any]) -> dict[str, list[dict[str, str]]] | None:
    """The rows of a policy file by the names of their states; None of a game without a value."""
    variant = Variant("random", lambda: Game(0, table.__getitem__))
    try:
        lines = policy_text(variant, variant.answer()).splitlines()
    except NoValueError:
        return None
    rows: dict[str, list[dict[str, str]]] = {}
    for row in csv.DictReader(lines):
        rows.setdefault(row["state"], []).append(row)
    return rows


def reached(table: dict[Any, Any], played: Callable[[Any], Any]) -> set[Any]:
    """States that a walk comes to from 0 by the ways that are `played` in a state."""
    met, left = {0}, [0]
    for state in left:
        if not isinstance(table[state], End):
            new = {to for way in played(state) for to, _, _ in after(way)} - met
            met |= new
            left += sorted(new, key=str)
    return met


@settings(max_examples=20)
@given(tables(players=2, ends=True, both=True, turns=True))
def test_a_policy_file_has_a_row_for_each_state_before_the_end(table: dict[Any, Any]) -> None:
    rows = policy_of(table)
    assert rows is not None
    states = reached(table, lambda state: ways_of(table[state]).values()) - {"end"}
    assert set(rows) == set(map(repr, states))
    is_exact = "value" in rows["0"][0]

    def worth(state: Any) -> mpq:
        return mpq(table["end"].payoff) if state == "end" else mpq(rows[repr(state)][0]["value"])

    for state in states:
        ways, listed = ways_of(table[state]), rows[repr(state)]
        shares: dict[Any, dict[Any, mpq]] = {1: {}, 2: {}}
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
def test_play_by_a_policy_file_ends(table: dict[Any, Any]) -> None:
    rows = policy_of(table)
    if rows is None:
        return

    def played(state: Any) -> list[Any]:
        ways = ways_of(table[state])
        return [ways[None if None in ways else int(rows[repr(state)][0]["best"])]]

    met = reached(table, played)
    ending = {"end"}
    for _ in met:  # those that can come to the end, a step further each time
        ending |= {s for s in met - {"end"} if any(t in ending for t, _, _ in after(*played(s)))}
    assert met <= ending


SIZE = 120


def moves(at: tuple[int, int]) -> Any:
    """Ways through a square to a corner, straying to either side."""
    if at == (SIZE, SIZE):
        return None
    places = [(at[0] + dx, at[1] + dy) for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1))]
    x, y, z, w = (
        (min(max(a, 0), SIZE), min(max(b, 0), SIZE)) for a, b in places
    )  # walls are not passed
    laws = ({a: 8} | {b: 1} | {at: 2} for a, b in ((x, y), (y, x), (z, w), (w, z)))
    return [Choice(n, -1, Distribution(law)) for n, law in enumerate(laws)]


GRID = Game((0, 0), moves)


@pytest.fixture(scope="module")
def model() -> Model[Any]:
    return GRID.explored()


def interrupt(*news: Any) -> None:
    signal.raise_signal(signal.SIGINT)


def test_an_interrupt_stops_exploring() -> None:
    with pytest.raises(KeyboardInterrupt):
        GRID.explored(Run(progress=interrupt))


def test_an_interrupt_stops_solving(model: Model[Any]) -> None:
    """Raised from the first line of progress, which comes from inside of the C++ solver."""
    heard = []

    def heard_once(what: str, done: int, total: int | None) -> None:
        heard.append(what)
        interrupt()

    with pytest.raises(KeyboardInterrupt):
        optimum(model, run=Run(progress=heard_once))
    assert heard == ["steps of solving" if are_built() else "states"]


@pytest.mark.parametrize("width", [None, "1e-9"])
def test_solving_stops_when_its_time_is_over(model: Model[Any], width: str | None) -> None:
    """A run that started long ago: its second is over at the first look."""
    with pytest.raises(TimeLimitError, match=r"limit of 1 seconds; ask for less, or raise"):
        optimum(model, width=width, run=Run(seconds=1, since=0))


def test_exploring_without_end_stops_when_its_time_is_over() -> None:
    with pytest.raises(TimeLimitError, match=r"limit of 1/100 seconds"):
        Game(0, lambda at: point_mass(at + 1)).explored(Run(memory=None, seconds="1/100"))


def test_long_steps_are_interrupted() -> None:
    """As a function that goes round forever; it is stopped from another thread."""

    def round_and_round() -> None:
        with Run(seconds="1/100").within_limits():
            while True:
                pass

    with pytest.raises(TimeLimitError):
        round_and_round()


@pytest.mark.parametrize("seconds", [0, -1, "soon", 0.5])
def test_a_limit_of_time_is_a_number_above_0(seconds: Any) -> None:
    with pytest.raises(InputError, match="seconds"):
        Run(seconds=seconds)


def test_exploring_stops_at_the_limit_of_memory() -> None:
    with pytest.raises(TooLargeError, match=r"1\.0 MiB; .* states are explored"):
        GRID.explored(Run(memory=2**20))
    endless = Game(0, lambda n: point_mass(n + 1))
    with pytest.raises(TooLargeError) as refused:
        endless.explored(Run(memory=2**20))
    known = int(re.findall(r"and (\d+) known", str(refused.value))[0])
    assert f"known, such as {known - 1};" in str(refused.value)  # the last one that was met


@pytest.mark.slow
@pytest.mark.skipif(memory.memory_taken() is None, reason="the system does not say")
def test_infinite_states_are_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    """The states' own memory counts too: here each keeps 1 kB that is not reported."""
    monkeypatch.setattr(game, "_MANY", 4096)

    class Fat(int):
        pass

    def grown(n: int) -> Any:
        after = Fat(n + 1)
        after.kept = bytes(1000)  # type: ignore[attr-defined]
        return point_mass(after)

    heard: list[str] = []
    with pytest.raises(TooLargeError, match=r"^model: needs more than 128\.0 MiB; .* explored"):
        Game(Fat(0), grown).explored(Run(memory=2**27, announce=heard.append))
    assert [line.split()[0] for line in heard[:3]] == ["4096", "16384", "65536"]
    assert heard[0].startswith("4096 states are explored and 4097 known, such as 4096; ")


def test_solving_is_refused_by_its_estimate(model: Model[Any]) -> None:
    with pytest.raises(TooLargeError, match=r"solving .* transitions needs about .* MiB"):
        optimum(model, run=Run(memory=model.cost().memory - 1))


@pytest.mark.skipif(not are_built(), reason="the C++ solvers are not built")
def test_solving_stops_at_the_memory_limit(
    model: Model[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The memory of the process seems to grow by 100 MiB a look."""
    taken = iter(range(0, 2**50, 100 * 2**20))
    monkeypatch.setattr(memory, "memory_taken", lambda: next(taken))
    monkeypatch.setattr(memory, "_BETWEEN", (1, 1000))
    with pytest.raises(TooLargeError, match="come to take more than the limit"):
        optimum(model, run=Run(memory=50 * 2**20))


def test_long_solving_is_announced(model: Model[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []
    run = Run(announce=lines.append)
    optimum(Game(0, lambda n: point_mass(n + 1) if n < 100 else None), run=run)
    assert not lines
    monkeypatch.setattr(type(model), "cost", lambda self: Cost(12 * 10**9, 0))
    optimum(Game(0, lambda n: point_mass(n + 1) if n < 100 else None), run=run)
    assert lines == ["solving 100 transitions takes about 12 seconds"]
