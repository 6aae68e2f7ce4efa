"""Models: states against seconds for families of growing games, and exploring against the rules.

Each family is of three sizes. Exploring is timed against the user's own rules called on the same
states: what it takes more is shown for each transition, in microseconds, with a limit of 2.
"""

import importlib.util
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from gmpy2 import mpq

from benchmarks.bench import Bench, fastest
from exactdice.dice import Distribution, fair
from exactdice.models import Choice, End, Game, Model, optimum

EXAMPLES = Path(__file__).parents[1] / "examples"


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def walk(length: int) -> Game[int]:
    """A chain without cycles: the sum of dice until it reaches a length."""
    return Game(0, lambda at: fair(10).map(lambda f: at + f) if at < length else End(at - length))


def solitaire(length: int) -> Game[Any]:
    """One player without cycles: ten dice faces are added or subtracted, a hundred rounds."""

    def moves(state: tuple[int, int]) -> Any:
        rounds, at = state
        if rounds == 100:
            return End(abs(at) % length)
        return [
            Choice(sign, 0, Distribution({(rounds + 1, at + sign * f): 1 for f in range(1, 11)}))
            for sign in (1, -1)
        ]

    return Game((0, 0), moves)


def ruin(goal: int) -> Game[int]:
    """A chain that is one component: a gambler with a chance of 9/19 a step."""

    def moves(at: int) -> Any:
        return Distribution({at + 1: 9, at - 1: 10}) if 0 < at < goal else End(int(at == goal))

    return Game(goal // 2, moves)


def explored(bench: Bench, name: str, game: Game[Any]) -> Model[Any]:
    start = time.process_time()
    model = game.explored()
    taken = time.process_time() - start
    start = time.process_time()
    for state in model.states:
        game.moves(state)
    rules = time.process_time() - start
    each = (taken - rules) / model.arena.transitions * 1e6
    bench.add(f"{name}: {model}, {each:.2f} µs a transition (limit 2)", taken)
    return model


def timed(bench: Bench, name: str, solve: Callable[[], Any], limit: str = "") -> Any:
    found = fastest(solve, runs=1)
    bench.add(f"{name}, {found.result.method}", found.seconds, limit)
    return found.result


def measure(bench: Bench) -> None:
    for length in (1_000, 10_000, 100_000):
        model = explored(bench, f"sum of dice to {length}", walk(length))
        timed(bench, f"sum of dice to {length}", lambda model=model: optimum(model))
    model = explored(bench, "a hundred rounds of ten dice", solitaire(7))
    timed(bench, "a hundred rounds of ten dice", lambda model=model: optimum(model, width="1e-30"))
    for goal in (250, 500, 1_000):
        model = ruin(goal).explored()
        timed(bench, f"ruin to {goal}", lambda model=model: optimum(model))
    pig, hog = example("pig"), example("hog")
    for target, limit in ((20, "10"), (30, ""), (40, "")):
        model = pig.race(target).explored()
        best = timed(bench, f"Pig to {target}", lambda model=model: optimum(model), limit)
        assert best.is_exact
    for target in (25, 50, 100):
        model = explored(bench, f"Pig to {target}", pig.race(target))
        what = f"Pig to {target}"
        limit = "60" if target == 100 else ""
        best = timed(bench, what, lambda model=model: optimum(model, width="1e-30"), limit)
        assert best.enclosure().width <= mpq(1, 10**30)
        assert not best.unsettled
        print(f"models: Pig to {target} is done", file=sys.stderr)
    for target in (10, 15, 20):
        model = hog.hog(target, 4).explored()
        timed(bench, f"Hog to {target}", lambda model=model: optimum(model, width="1e-30"))
