"""`exactdice swe …`: policies, simulation, promotions, other aims, and play."""

import sys
from typing import Annotated

import typer

from exactdice.arithmetic import decimal, natural
from exactdice.cli.legacy_presenting import SeedOption, command
from exactdice.cli.progress import progress_bar
from exactdice.cli.swe_options import (
    Force,
    LadderOption,
    PositionOptions,
    Round,
    Rounds,
    memory_limit,
)
from exactdice.errors import InputError, Unquoted
from exactdice.games.swe.evaluation import WORK_LIMIT
from exactdice.games.swe.exact import solve
from exactdice.games.swe.play import Decision, Situation, optimal_player, play
from exactdice.games.swe.rules import Action, Ladder
from exactdice.games.swe.simulation import Environment
from exactdice.report.model import Report
from exactdice.tables import swe_aims, swe_policies
from exactdice.tables.swe import dice_text

__all__ = ["add_to"]

_Work = Annotated[
    str, typer.Option("--work", metavar="N", help="Word operations for each policy, at most.")
]


def show_policies(
    rounds: Rounds,
    ladder: LadderOption,
    policy: Annotated[
        list[str], typer.Option("--policy", metavar="NAME", help="Only this one; may be repeated.")
    ] = [],  # noqa: B006 - typer reads it and never changes it
    fixed: Annotated[
        bool, typer.Option("--fixed", help="Leave out the policies that draw lots.")
    ] = False,
    work: _Work = str(WORK_LIMIT),
    force: Force = False,
) -> Report:
    """Exact scores of the policies, beside the figures that the game's README simulated."""
    total, limit = natural(rounds, "rounds"), natural(work, "work", least=1)
    names = policy or (swe_policies.policy_names(total, fixed=True) if fixed else None)
    with progress_bar("policies") as progress:
        return swe_policies.policies_report(
            total,
            ladder,
            names,
            work_limit=limit,
            memory_limit=memory_limit(force),
            progress=progress,
        )


def show_readings(
    rounds: Annotated[str, typer.Argument(metavar="10|30", help="Rounds of the game.")],
) -> Report:
    """How each reading of the README's policies fits the figures that it printed."""
    return swe_policies.readings_report(natural(rounds, "rounds"))


def show_simulation(
    rounds: Rounds,
    ladder: LadderOption,
    policy: Annotated[str, typer.Option(metavar="NAME", help="Policy, as Promo or Rand(0.5).")],
    games: Annotated[str, typer.Option(metavar="N", help="Games to play.")] = "10000",
    seed: Annotated[str, typer.Option(metavar="S", help="Random seed.")] = "0",
    work: _Work = str(WORK_LIMIT),
    force: Force = False,
) -> Report:
    """Simulate games of a policy; the exact values stand beside the estimates."""
    with progress_bar("games") as progress:
        return swe_policies.simulate_report(
            natural(rounds, "rounds"),
            policy,
            natural(games, "games", least=1),
            natural(seed, "seed"),
            ladder,
            work_limit=natural(work, "work", least=1),
            memory_limit=memory_limit(force),
            progress=progress,
        )


def show_promotions(ladder: LadderOption) -> Report:
    """What promoting a die gains on each rung of a ladder."""
    return swe_aims.promotion_report(ladder)


def show_target(
    rounds: Rounds,
    target: Annotated[str, typer.Argument(metavar="TARGET", help="Score to reach.")],
    ladder: LadderOption,
    position: PositionOptions,
    now: Round = "",
    force: Force = False,
) -> Report:
    """Greatest probability of a final score of at least TARGET, and how to play for it."""
    total = natural(rounds, "rounds")
    state, begins = position.moment(now, total, ladder)
    aim = natural(target, "target")
    return swe_aims.target_report(
        total, aim, ladder, state, begins, memory_limit=memory_limit(force)
    )


def show_beat(
    rounds: Rounds,
    opponent: Annotated[
        str, typer.Argument(metavar="SCORE|POLICY", help="A known score, or who plays apart.")
    ],
    ladder: LadderOption,
    position: PositionOptions,
    now: Round = "",
    tie: Annotated[str, typer.Option(metavar="P", help="What a tie is worth, from 0 to 1.")] = "0",
    force: Force = False,
) -> Report:
    """Best response to a known score to beat, or to a policy that plays apart."""
    total = natural(rounds, "rounds")
    state, begins = position.moment(now, total, ladder)
    return swe_aims.beat_report(
        total, opponent, tie, ladder, state, begins, memory_limit=memory_limit(force)
    )


def show_play(
    rounds: Rounds,
    ladder: LadderOption,
    seed: SeedOption,
    auto: Annotated[bool, typer.Option("--auto", help="Let the optimal policy play.")] = False,
    force: Force = False,
) -> Report:
    """Play a game; after each choice you are told what it cost against the optimum."""
    solution = solve(natural(rounds, "rounds"), ladder, memory_limit=memory_limit(force))
    game = Environment(solution.rounds, ladder, seed=seed.number)
    if auto:
        decisions = play(game, solution, optimal_player(solution))
    else:
        person = _Person(ladder)
        decisions = play(game, solution, person, person.hear)
    return swe_aims.play_report(solution, decisions, seed.number)


class _Person:
    """Someone at the terminal, asked on standard error and answering on standard input."""

    def __init__(self, ladder: Ladder) -> None:
        self._ladder = ladder
        self._say("Choose an action by its number.")

    def __call__(self, situation: Situation) -> Action:
        state, ladder = situation.state, self._ladder
        self._say(
            f"\nRound {situation.round} of {situation.rounds}, score {state.score}. "
            f"Revenue: {dice_text(state.revenue, ladder)}; "
            f"legacy: {dice_text(state.legacy, ladder)}."
        )
        for number, action in enumerate(situation.actions, 1):
            self._say(f"  {number}  {action.describe(ladder)}")
        while True:
            print("choice? ", end="", file=sys.stderr, flush=True)
            line = sys.stdin.readline()
            if not line:
                raise InputError(
                    "input", Unquoted("its end before the game's"), "a line for every round"
                )
            try:
                number = natural(line.strip(), "choice", least=1, most=len(situation.actions))
            except InputError as problem:
                if not sys.stdin.isatty():
                    raise
                self._say(str(problem))
            else:
                return situation.actions[number - 1]

    def hear(self, decision: Decision) -> None:
        """Tell what the choice cost and how the dice fell."""
        if decision.regret:
            best = decision.best.describe(self._ladder)
            cost = decimal(decision.regret, 4)
            self._say(f"That cost {cost} points of expectation; best was to {best}.")
        else:
            self._say("That was optimal.")
        before = decision.situation.state.score
        self._say(f"The roll takes the score from {before} to {decision.after.score}.")

    @staticmethod
    def _say(words: str) -> None:
        print(words, file=sys.stderr)


def add_to(app: typer.Typer) -> None:
    """Add the commands to the group of the game."""
    command(app, "policies")(show_policies)
    command(app, "readings")(show_readings)
    command(app, "simulate")(show_simulation)
    command(app, "promotion")(show_promotions)
    command(app, "target")(show_target)
    command(app, "beat")(show_beat)
    command(app, "play")(show_play)
