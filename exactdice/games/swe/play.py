"""Games played decision by decision, each judged against exact optimal play.

A player is a function from what is to be decided to an action; the command line asks a person. What
a choice costs is its exact regret: how much less the expected final score is than under the best
action, all that follows played optimally. Luck plays no part in it, so the costs of a game add up
to what its decisions, and not its dice, have given away.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from exactdice.arithmetic import decimal, mpq, natural
from exactdice.errors import InputError, Unquoted
from exactdice.games.swe.laws.simulation import Environment
from exactdice.games.swe.optimum.exact import Solution
from exactdice.games.swe.reports.common import dice_text
from exactdice.games.swe.rules import Action, Ladder, State
from exactdice.run import Run


@dataclass(frozen=True)
class Situation:
    """What a player decides on: the round, the state, and what may be done."""

    round: int
    rounds: int
    state: State
    actions: tuple[Action, ...]


@dataclass(frozen=True)
class Decision:
    """What was decided, what it was worth, what it cost, and where the roll led."""

    situation: Situation
    action: Action
    value: mpq  # expected final score after it, played optimally
    regret: mpq  # how much less that is than with the best action
    best: Action  # the first optimal action
    after: State  # the state after the roll


Player: TypeAlias = Callable[[Situation], Action]


def optimal_player(solution: Solution) -> Player:
    """Return the player that takes the first optimal action."""

    def choose(situation: Situation) -> Action:
        left = situation.rounds - situation.round + 1
        return solution.optimal_action(situation.state, left)

    return choose


def play(
    game: Environment,
    solution: Solution,
    player: Player,
    tell: Callable[[Decision], None] = lambda decision: None,
) -> list[Decision]:
    """Play a game to its end."""
    if (game.rounds, game.ladder) != (solution.rounds, solution.ladder):
        got = Unquoted(f"{game.rounds} rounds with {game.ladder}")
        raise InputError("game", got, f"the game that was solved, {solution!r}")
    decisions = []
    while not game.done:
        situation = Situation(game.round, game.rounds, game.state, tuple(game.legal_actions()))
        action = player(situation)
        judged = solution.actions(game.state, game.rounds - game.round + 1)
        after = game.step(action)
        chosen = next(each for each in judged if each.action == action)
        best = next(each.action for each in judged if each.optimal)
        decisions.append(Decision(situation, action, chosen.value, chosen.regret, best, after))
        tell(decisions[-1])
    return decisions


class Person:
    """Someone who is asked for each choice through a run, and told what it cost."""

    def __init__(self, ladder: Ladder, run: Run) -> None:
        self._ladder, self._run = ladder, run
        run.say("Choose an action by its number.")

    def __call__(self, situation: Situation) -> Action:
        """Ask for the number of an action."""
        state, ladder, actions = situation.state, self._ladder, situation.actions
        self._run.say(
            f"\nRound {situation.round} of {situation.rounds}, score {state.score}. "
            f"Revenue: {dice_text(state.revenue, ladder)}; "
            f"legacy: {dice_text(state.legacy, ladder)}."
        )
        for number, action in enumerate(actions, 1):
            self._run.say(f"  {number}  {action.describe(ladder)}")
        chosen = self._run.choose(
            "choice? ", lambda line: natural(line, "choice", least=1, most=len(actions))
        )
        return actions[chosen - 1]

    def hear(self, decision: Decision) -> None:
        """Tell what the choice cost and how the dice fell."""
        if decision.regret:
            best = decision.best.describe(self._ladder)
            cost = decimal(decision.regret, 4)
            self._run.say(f"That cost {cost} points of expectation; best was to {best}.")
        else:
            self._run.say("That was optimal.")
        before = decision.situation.state.score
        self._run.say(f"The roll takes the score from {before} to {decision.after.score}.")
