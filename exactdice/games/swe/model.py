"""The software-engineering game as a model: an independent way to its values, with a certificate.

A state of the model is a state of the game and the rounds left; the score is the payoff at the end.
It distinguishes all scores, so it suits games of few rounds.
"""

from typing import TypeAlias

from exactdice.enclosure import Enclosure
from exactdice.formats.certified import Stated
from exactdice.games.swe import rules
from exactdice.games.swe.optimum.exact import Solution
from exactdice.games.swe.optimum.questions import SweValue
from exactdice.games.swe.reports import dice_text
from exactdice.games.swe.rules import STANDARD, Action, ActionKind, Ladder, State
from exactdice.models import Choice, End, Game
from exactdice.run import Run
from exactdice.solve.play import Lookahead, Words

Moment: TypeAlias = tuple[State, int]


def as_game(rounds: int, ladder: Ladder = STANDARD, start: State | None = None) -> Game[Moment]:
    def moves(moment: Moment) -> End | list[Choice[Moment]]:
        state, left = moment
        if not left:
            return End(state.score)
        return [
            Choice(
                str(action), 0, rules.outcomes(state, action, ladder).map(lambda on: (on, left - 1))
            )
            for action in rules.legal_actions(state)
        ]

    return Game((start or rules.empty_table(ladder), rounds), moves)


def lookahead(solution: Solution) -> Lookahead:
    game = as_game(solution.rounds, solution.ladder)
    return Lookahead(game, lambda moment: Enclosure.of(solution.value_at(*moment)))


def action_text(action: str, ladder: Ladder = STANDARD) -> str:
    """Describe an action of `as_game` by the faces of its die."""
    kind, _, rung = action.partition(" ")
    return Action(ActionKind(kind), int(rung or 0)).describe(ladder)


def words(rounds: int, ladder: Ladder) -> Words:
    def shown(moment: Moment) -> str:
        (revenue, legacy, score), left = moment
        dice = f"Revenue: {dice_text(revenue, ladder)}; legacy: {dice_text(legacy, ladder)}."
        return f"Round {rounds + 1 - left} of {rounds}, score {score}. {dice}"

    def called(_moment: Moment, action: str) -> str:
        return action_text(action, ladder)

    def unasked(_player: int, moment: Moment, action: str) -> str:
        return f"\n{shown(moment)}\nThe only choice: {called(moment, action)}."

    return Words("", shown, called, unasked)


def game_of_value(asked: SweValue, run: Run) -> Stated:
    game = as_game(asked.rounds, asked.ladder, asked.state() if asked.is_given else None)
    return Stated(game, f"Software-engineering game: {asked.rounds} rounds,")
