"""`exactdice reroll …`: value, policy, tolerances, breakpoints, and play."""

import sys
from dataclasses import dataclass
from typing import Annotated

import typer

from exactdice.arithmetic import natural
from exactdice.cli.legacy_presenting import OptionGroup, SeedOption, command, group, one_of
from exactdice.errors import InputError, Unquoted
from exactdice.games.reroll import Rules, Solved, solve
from exactdice.games.reroll.play import optimal_player, play
from exactdice.games.reroll.rules import Positions, Roll
from exactdice.report.model import Report
from exactdice.solvers.value_iteration import SWEEP_ORDERS
from exactdice.tables import reroll as reports

__all__ = ["app"]

app = group()


@dataclass(frozen=True)
class _Setting:
    """The game of a command, and whether it may go past the memory limit."""

    rules: Rules
    force: bool


def _listed(given: str) -> list[str] | None:
    return [part.strip() for part in given.split(",")] if given else None


def _read_setting(
    dice: Annotated[str, typer.Option(metavar="N", help="How many dice.")] = "3",
    sides: Annotated[
        str, typer.Option(metavar="S", help="Sides of each; 6 unless the lists say otherwise.")
    ] = "",
    penalty: Annotated[str, typer.Option(metavar="P", help="What each reroll costs.")] = "1",
    bias: Annotated[
        str, typer.Option(metavar="P1,P2,…", help="Probability of each side; fair by default.")
    ] = "",
    values: Annotated[
        str, typer.Option(metavar="V1,V2,…", help="Value of each side; 1 to S by default.")
    ] = "",
    force: Annotated[bool, typer.Option("--force", help="Go past the memory limit.")] = False,
) -> _Setting:
    rules = Rules(
        dice=natural(dice, "dice", least=1),
        sides=natural(sides, "sides", least=1) if sides else None,
        values=_listed(values),
        bias=_listed(bias),
        penalty=penalty,
    )
    return _Setting(rules, force)


_SettingOptions = Annotated[_Setting, OptionGroup(_read_setting)]


@command(app, "value")
def show_value(setting: _SettingOptions) -> Report:
    """Expected score of optimal play."""
    return reports.value_report(setting.rules, force=setting.force)


@command(app, "policy")
def show_policy(setting: _SettingOptions) -> Report:
    """Optimal action and value of every roll."""
    return reports.policy_report(setting.rules, force=setting.force)


@command(app, "certificate")
def show_certificate(setting: _SettingOptions) -> Report:
    """Values, actions and ranks of all states: what proves the optimum."""
    return reports.certificate_report(setting.rules, force=setting.force)


@command(app, "theta")
def show_theta(
    setting: _SettingOptions,
    order: Annotated[
        str, typer.Option(metavar="|".join(SWEEP_ORDERS), help="Which values a sweep reads.")
    ] = "in-place",
) -> Report:
    """For which tolerances value iteration finds the optimal policy."""
    one_of(order, SWEEP_ORDERS, "order")
    from exactdice.cli.progress import progress_bar  # not before there is progress to show

    with progress_bar("sweeps") as tell:
        return reports.theta_report(
            setting.rules,
            order,  # type: ignore[arg-type]
            force=setting.force,
            progress=tell,
        )


@command(app, "breakpoints")
def show_breakpoints(setting: _SettingOptions) -> Report:
    """Penalties at which the optimal policy changes; --penalty plays no part."""
    from exactdice.cli.progress import progress_bar

    with progress_bar("rolls on which play sticks") as tell:
        return reports.breakpoints_report(setting.rules, force=setting.force, progress=tell)


@command(app, "table")
def show_table(
    dice: Annotated[str, typer.Argument(metavar="N", help="Most dice.")],
    sides: Annotated[str, typer.Argument(metavar="S", help="Most sides.")],
    penalty: Annotated[str, typer.Option(metavar="P", help="What each reroll costs.")] = "1",
    force: Annotated[bool, typer.Option("--force", help="Go past the memory limit.")] = False,
) -> Report:
    """Value of every game of fair dice up to N dice of S sides."""
    largest = Rules(
        natural(dice, "dice", least=1), natural(sides, "sides", least=1), penalty=penalty
    )
    return reports.table_report(largest.dice, largest.sides, largest.penalty, force=force)


@command(app, "play")
def show_play(
    setting: _SettingOptions,
    seed: SeedOption,
    auto: Annotated[bool, typer.Option("--auto", help="Let the exact policy play.")] = False,
) -> Report:
    """Play one game; every turn is judged exactly."""
    import numpy as np  # takes 0.1 s to load: not for the other commands

    rng = np.random.default_rng(seed.number)
    solved = solve(setting.rules, force=setting.force)
    player = optimal_player(solved) if auto else _Person(solved)
    return reports.play_report(solved, play(solved, player, rng), seed.number)


class _Person:
    """Someone at the terminal, asked on standard error and answering on standard input."""

    def __init__(self, solved: Solved) -> None:
        self._rules = solved.rules
        print(
            "Hold dice by their positions from 0, as in: 0 2. An empty line rolls all again; "
            "stick ends the game.",
            file=sys.stderr,
        )

    def __call__(self, roll: Roll) -> Positions:
        while True:
            print(f"{' '.join(map(str, roll))}  hold? ", end="", file=sys.stderr, flush=True)
            line = sys.stdin.readline()
            if not line:
                raise InputError(
                    "input", Unquoted("its end before the game's"), "a line for every turn"
                )
            try:
                return self._positions(line)
            except InputError as problem:
                if not sys.stdin.isatty():
                    raise
                print(problem, file=sys.stderr)

    def _positions(self, line: str) -> Positions:
        words = line.replace(",", " ").split()
        if words == ["stick"]:
            return self._rules.sticking
        most = self._rules.dice - 1
        held = tuple(natural(word, "hold", most=most) for word in words)
        if len(set(held)) < len(held):
            raise InputError("hold", line.strip(), "each position at most once")
        return held
