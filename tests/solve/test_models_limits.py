"""Interrupts and limits in the middle of exploring and of solving, and what is told of both."""

import re
import signal
from typing import Any

import pytest

from exactdice import memory
from exactdice.dice import Distribution
from exactdice.errors import InputError, TimeLimitError, TooLargeError
from exactdice.models import Choice, Game, Model, optimum, point_mass
from exactdice.native import are_built
from exactdice.run import Run
from exactdice.solve import game
from exactdice.solve.game import Cost

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
    """A run that was made when the clock began: its second is over at the first look."""
    with pytest.raises(TimeLimitError, match=r"limit of 1 seconds; ask for less, or allow more"):
        optimum(model, width=width, run=Run(seconds=1, since=0))


def test_exploring_without_end_stops_when_its_time_is_over() -> None:
    with pytest.raises(TimeLimitError, match=r"limit of 1/100 seconds"):
        Game(0, lambda at: point_mass(at + 1)).explored(Run(memory=None, seconds="1/100"))


def test_what_takes_long_between_two_steps_is_stopped_too() -> None:
    """As a function that goes round for ever; it is stopped from another thread."""

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
def test_states_without_an_end_are_told_of_before_the_limit_and_at_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What states themselves take counts too: here each keeps a list of 1 kB that nothing knows."""
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
def test_solving_is_stopped_where_it_takes_more_than_the_limit(
    model: Model[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the process takes is said to grow by 100 MiB a look."""
    taken = iter(range(0, 2**50, 100 * 2**20))
    monkeypatch.setattr(memory, "memory_taken", lambda: next(taken))
    monkeypatch.setattr(memory, "_BETWEEN", (1, 1000))
    with pytest.raises(TooLargeError, match="takes more than the limit"):
        optimum(model, run=Run(memory=50 * 2**20))


def test_what_takes_long_is_announced_with_an_estimate(
    model: Model[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines: list[str] = []
    run = Run(announce=lines.append)
    optimum(Game(0, lambda n: point_mass(n + 1) if n < 100 else None), run=run)
    assert not lines
    monkeypatch.setattr(type(model), "cost", lambda self: Cost(12 * 10**9, 0))
    optimum(Game(0, lambda n: point_mass(n + 1) if n < 100 else None), run=run)
    assert lines == ["solving 100 transitions takes about 12 seconds"]
