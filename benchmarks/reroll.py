"""Reroll: exact policy iteration, compared with exact value iteration and stormpy's exact engine.

stormpy is the Python interface of the model checker Storm, which solves such processes exactly;
`make bench` installs it if there is a wheel, otherwise it is skipped. It reads an explicit model in
its own format, and its time includes reading: once the game as in the coursework, with every
outcome of every action, and once our process with partial holds, which shows the effect of that
idea. Rewards become costs, because stormpy rejects negative total rewards: the loss by sticking
compared with the highest score, and the penalty. The value is the highest score minus the least
expected cost before the first roll. Both give the values of all rolls and holds. Ours starts from
the rules; its policy is made on request and is not timed.

Plain value iteration is the coursework's algorithm in exact arithmetic. It gives an approximation,
so only its time is compared, for an error below 10⁻⁶.
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

from gmpy2 import mpq

from benchmarks.bench import Bench, Measured, command, fastest
from exactdice.arithmetic import text
from exactdice.games.reroll import RerollRules, best_score, solve
from exactdice.games.reroll.exact import END, as_model, direct_model
from exactdice.models import Model
from exactdice.studies.reroll.sources import VALUE
from exactdice.studies.reroll.value_iteration import Sweeps


def explicit_model(rules: RerollRules, model: Model[Any]) -> str:
    """A model as costs in Storm's explicit format."""
    best, arena = mpq(best_score(rules)[0]), model.arena
    lines = ["@type: MDP", "@parameters", "", "@reward_models", "cost", "@nr_states"]
    lines += [str(len(arena)), "@nr_choices", str(len(arena.law) + 1), "@model"]
    end = model.index[END]
    for state in range(len(arena)):
        lines.append(f"state {state} [0]" + (" done" if state == end else ""))
        if state == end:
            lines += ["\taction 0 [0]", f"\t\t{state} : 1"]
        for number, move in enumerate(arena.moves(state)):
            reward = arena.rewards[arena.reward[move]]
            leads = sorted(arena.leads(move))
            cost = best - reward if leads[0][0] == end else -reward
            lines.append(f"\taction {number} [{text(cost)}]")
            denominator = arena.denominators[arena.law[move]]
            lines += [f"\t\t{target} : {text(mpq(w, denominator))}" for target, w in leads]
    return "\n".join(lines) + "\n"


def by_storm(rules: RerollRules, model: Model[Any]) -> Measured:
    """Value by stormpy's exact engine; its time is for reading the model and checking it."""
    import stormpy

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "reroll.drn"
        path.write_text(explicit_model(rules, model), encoding="utf-8")

        def costs() -> Any:
            built: Any = stormpy.build_model_from_drn[stormpy.Rational](str(path))
            formula = stormpy.parse_properties('R{"cost"}min=? [F "done"]')[0]
            return stormpy.model_checking(built, formula)

        checked = fastest(costs, runs=1)
    best = mpq(best_score(rules)[0])
    value = rules.outcomes(()).expectation(
        lambda roll: best - mpq(str(checked.result.get_value(model.index[roll])))
    )
    return Measured(value, checked.seconds)


def by_sweeps(rules: RerollRules) -> int:
    """Sweeps of exact value iteration until no value is further than 10⁻⁶ from the exact one."""
    values = solve(rules).values
    sweeps = Sweeps(direct_model(rules), "in-place")
    made = 0
    while not made or max(
        abs(values[roll] - value) for roll, value in zip(values, sweeps.values, strict=False)
    ) > mpq(1, 10**6):
        sweeps.sweep()
        made += 1
    return made


def has_stormpy() -> bool:
    try:
        import stormpy  # noqa: F401
    except ImportError:
        print("reroll: stormpy is not installed; pip install stormpy", file=sys.stderr)
        return False
    return True


def measure(bench: Bench) -> None:
    default = fastest(lambda: solve(RerollRules()))
    assert default.result.value == mpq(VALUE)
    rival = fastest(lambda: by_sweeps(RerollRules()), runs=1)
    bench.add(
        f"3 dice; {rival.result} sweeps in place for 10⁻⁶ take {rival.seconds:.2f} s", default
    )
    stormy = has_stormpy()
    for dice, limit in ((4, ""), (5, "0.6"), (6, "4"), (7, "30")):
        rules = RerollRules(dice=dice)
        ours = fastest(lambda rules=rules: solve(rules).value)
        bench.add(f"{dice} dice", ours, limit)
        if stormy:
            held = by_storm(rules, as_model(rules))
            bench.add(f"{dice} dice", ours, "", "stormpy exact, partial holds", held)
        if stormy and dice <= 5:
            direct = by_storm(rules, direct_model(rules))
            bench.add(f"{dice} dice", ours, "", "stormpy exact, every outcome", direct)
    for dice, limit in ((5, "0.6"), (6, "4; 300 MiB"), (7, "30")):
        seconds, mebibytes = min(command("reroll", "value", "--dice", str(dice)) for _ in range(5))
        bench.add(f"reroll value, {dice} dice, whole command, {mebibytes:.0f} MiB", seconds, limit)
