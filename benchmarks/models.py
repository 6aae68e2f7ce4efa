"""Models: time by number of states, and exploration time compared with the rules.

Each family has three sizes. Exploring is compared with calling the rules on the same states; the
additional time is shown per transition, in microseconds, with a limit of 5/7.

The models of the Quantitative Verification Benchmark Set in the tests are solved exactly, here and
by stormpy (``pip install stormpy``; skipped if missing), in one run and from the same UMB files.
The time includes reading the file, building the model and solving it exactly for the initial state.
Ours includes the values of all other states, optimal moves and a proof of optimality. Certificates
are made only on request, for example by ``exactdice model solve``, and have their own line.
"""

import csv
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gmpy2 import mpq

from benchmarks.bench import Bench, fastest
from exactdice.book import pig
from exactdice.dice import Distribution, fair
from exactdice.formats.explicit import ExplicitModel
from exactdice.formats.files import read_model
from exactdice.formats.questions import ModelSolve
from exactdice.games import farkle
from exactdice.games.farkle import model as farkle_model
from exactdice.games.fatestones import model as fatestones_model
from exactdice.games.fatestones.exact import solve as duel_solve
from exactdice.games.fatestones.rules import decode_hand
from exactdice.games.reroll import model as reroll_model
from exactdice.games.reroll.exact import solve as reroll_solve
from exactdice.games.reroll.rules import RerollRules as RerollRules
from exactdice.games.risk import model as risk_model
from exactdice.games.risk.exact import win_probability
from exactdice.games.risk.rules import STANDARD
from exactdice.models import Choice, End, Game, Model, optimum, probability

QVBS = Path(__file__).parents[1] / "tests/formats/qvbs"


#: Points of a roll in Big Pig: equal dice count twice, two 1s 25, and one 1 ends the turn.
BIG = Counter(
    25 if a == b == 1 else 0 if 1 in (a, b) else (a + b) * (1 + (a == b))
    for a in range(1, 7)
    for b in range(1, 7)
)


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


def grid(size: int, *, straying: bool) -> Game[tuple[int, int]]:
    """A way through a square to a corner: a step fails, or strays to either side."""

    def moves(state: tuple[int, int]) -> Any:
        x, y = state
        if x == y == size - 1:
            return End(0)

        def at(dx: int, dy: int) -> tuple[int, int]:
            inside = 0 <= x + dx < size and 0 <= y + dy < size
            return (x + dx, y + dy) if inside else state

        choices = []
        for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1)):
            law: dict[Any, int] = {}
            others = [(at(dy, dx), 1), (at(-dy, -dx), 1)] if straying else [(state, 2)]
            for place, weight in ((at(dx, dy), 8), *others):
                law[place] = law.get(place, 0) + weight
            choices.append(Choice((dx, dy), -1, Distribution(law)))
        return choices

    return Game((0, 0), moves)


def strides(length: int) -> Game[int]:
    """A player without cycles: fewest strides, of two kinds, to the end of a road."""

    def moves(at: int) -> Any:
        if at == length:
            return End(0)
        return [
            Choice(steps, -1, Distribution(Counter(min(at + step, length) for step in steps)))
            for steps in ((1, 2, 3, 4), (1, 2, 5))
        ]

    return Game(0, moves)


def explored(bench: Bench, name: str, game: Game[Any]) -> Model[Any]:
    start = time.process_time()
    model = game.explored()
    taken = time.process_time() - start
    start = time.process_time()
    for state in model.states:
        game.moves(state)
    rules = time.process_time() - start
    each = (taken - rules) / model.arena.transitions * 1e6
    bench.add(f"{name}: {model}, {each:.2f} µs a transition (limit 0.71)", taken)
    return model


def timed(bench: Bench, name: str, solve: Callable[[], Any], limit: str = "") -> Any:
    found = fastest(solve, runs=1)
    bench.add(f"{name}, {found.result.method}", found.seconds, limit)
    return found.result


def by_storm(path: Path, query: str) -> mpq:
    """Value of the initial state by stormpy's exact engine."""
    import stormpy
    from stormpy.developer import storage

    side, what = query.split()[:2]
    asked = f'R{{"reward"}}{side}=? [F "goal"]' if what == "reward" else f'P{side}=? [F "goal"]'
    options = storage.UmbImportOptions()
    options.build_state_valuations = False
    model: Any = stormpy.build_model_from_umb(str(path), options=options)
    assert "Rational" in type(model).__name__
    if "Dtmc" in type(model).__name__:
        asked = asked.replace(f"{side}=?", "=?")
    (formula,) = stormpy.parse_properties(asked)
    return mpq(str(stormpy.model_checking(model, formula).get_value(model.initial_states[0])))


def by_us(path: Path, query: str) -> mpq:
    """The same."""
    table = read_model(path)
    assert isinstance(table, ExplicitModel)
    side, what = query.split()[:2]
    if what == "reward":
        return optimum(table.model(), least=side == "min").value
    goal = table.labels["goal"]
    return probability(table.model(), goal.__contains__, least=side == "min").value


def certified(path: Path, query: str) -> mpq:
    """The same by the command, with a certificate that is checked and a report."""
    return mpq(ModelSolve(path, query=query).answer().value("value"))


def against_storm(bench: Bench) -> None:
    try:
        import stormpy  # noqa: F401
    except ImportError:
        print("models: stormpy is not installed; pip install stormpy", file=sys.stderr)
        return
    faster, with_certificates = [], 0.0
    for result in csv.DictReader((QVBS / "results.csv").open(encoding="utf-8")):
        path, query = QVBS / result["file"], result["query"]
        ours = fastest(lambda path=path, query=query: by_us(path, query), 9)
        theirs = fastest(lambda path=path, query=query: by_storm(path, query), 9)
        assert ours.result == mpq(result["value"])
        bench.add(f"{result['file']}, {query}", ours, "", "stormpy exact", theirs)
        faster.append(theirs.seconds > ours.seconds)
        with_certificates += fastest(
            lambda path=path, query=query: certified(path, query), 1
        ).seconds
    bench.say(f"faster than stormpy on {sum(faster)} of {len(faster)}")
    bench.add("all of them by the command, certificates checked", with_certificates)


def against_own_solvers(bench: Bench) -> None:
    """The games of this package by their own solvers, and written down as models."""
    hands = decode_hand("111666,123456,222555"), decode_hand("114456,333336,122346")
    turn = farkle.solve("fair*6", farkle.KCD.varied(target=1000))
    for name, own, game in (
        (
            "Risk, 50 units attack 50",
            lambda: win_probability(50, 50),
            lambda: risk_model.as_game(49, 50, STANDARD),
        ),
        (
            "reroll, 5 dice",
            lambda: reroll_solve(RerollRules(dice=5)).value,
            lambda: reroll_model.as_game(RerollRules(dice=5)),
        ),
        (
            "Farkle, a turn to 1000",
            lambda: farkle.solve("fair*6", farkle.KCD.varied(target=1000)).value,
            lambda: farkle_model.as_game(turn),
        ),
        (
            "FateStones, 3 dice",
            lambda: duel_solve(*hands).value,
            lambda: fatestones_model.as_game(*hands),
        ),
    ):
        ours = fastest(own, 3)
        theirs = fastest(lambda game=game: optimum(game().explored()).value, 1)
        bench.add(f"{name}, by its own solver", ours, "", "as a model", theirs)


def measure(bench: Bench) -> None:
    against_storm(bench)
    against_own_solvers(bench)
    for length in (1_000, 10_000, 100_000):
        model = explored(bench, f"sum of dice to {length}", walk(length))
        timed(bench, f"sum of dice to {length}", lambda model=model: optimum(model))
    model = explored(bench, "a hundred rounds of ten dice", solitaire(7))
    timed(bench, "a hundred rounds of ten dice", lambda model=model: optimum(model, width="1e-30"))
    for size, limits in ((200, ("0.5", "")), (316, ("1.5", "")), (1_000, ("20", ""))):
        for straying, limit in zip((False, True), limits, strict=True):
            if size == 1_000 and straying:
                continue
            what = f"grid of {size * size} states{', straying' if straying else ''}"
            model = explored(bench, what, grid(size, straying=straying))
            timed(bench, what, lambda model=model: optimum(model), limit)
    for length, limit in ((10_000, "0.2"), (100_000, "1.5"), (1_000_000, "15")):
        model = explored(bench, f"strides to {length}", strides(length))
        timed(bench, f"strides to {length}", lambda model=model: optimum(model), limit)
    for goal in (250, 500, 1_000):
        model = ruin(goal).explored()
        timed(bench, f"ruin to {goal}", lambda model=model: optimum(model))
    for target, limit in ((20, "10"), (30, ""), (40, "")):
        model = pig.race(target, pig.DIE).explored()
        best = timed(bench, f"Pig to {target}", lambda model=model: optimum(model), limit)
        assert best.is_exact
    for target in (25, 50, 100):
        model = explored(bench, f"Pig to {target}", pig.race(target, pig.DIE))
        what = f"Pig to {target}"
        limit = "60" if target == 100 else ""
        best = timed(bench, what, lambda model=model: optimum(model, width="1e-30"), limit)
        assert best.value.width <= mpq(1, 10**30)
        assert not best.unsettled
        print(f"models: Pig to {target} is done", file=sys.stderr)
    for what, rolls, limit in (("two-dice Pig", pig.TWO_DICE, "60"), ("Big Pig", BIG, "108")):
        model = explored(bench, f"{what} to 100", pig.race(100, rolls))
        solved = timed(
            bench, f"{what} to 100", lambda model=model: optimum(model, width="1e-30"), limit
        )
        assert not solved.unsettled
    for target in (10, 15, 20):
        model = pig.hog_game(target, 4).explored()
        timed(bench, f"Hog to {target}", lambda model=model: optimum(model, width="1e-30"))
