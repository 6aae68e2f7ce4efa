"""The software-engineering game for several players: the highest score wins.

The README of the game mentions a variant in which players compete for the highest final score and
play each round in turn order. Here the players take their rounds one after another, see all dice
and scores, and have the same number of rounds. A win is shared by all who have the highest score.
"""

from functools import partial
from typing import Any, TypeAlias

from exactdice.arithmetic import mpq
from exactdice.book.page import Page, Variant
from exactdice.games.swe.rules import STANDARD, State, empty_table, legal_actions, outcomes
from exactdice.models import Choice, End, Game, Moves, Other

#: The tables from the mover on, each with revenue, legacy and score, and the turns left of all.
Standing: TypeAlias = tuple[tuple[Any, ...], int]


def rivals(players: int, rounds: int) -> Game[Standing]:
    """Return the game of equal numbers of rounds."""

    def moves(standing: Standing) -> Moves:
        tables, left = standing
        if not left:
            scores = [score for _, _, score in tables]
            best = max(scores)
            return End(tuple(mpq(score == best, scores.count(best)) for score in scores))

        mine = State(*tables[0])

        def passed(table: State) -> Other[Standing]:
            return Other(((*tables[1:], tuple(table)), left - 1))

        return [
            Choice(str(action), 0, outcomes(mine, action, STANDARD).map(passed))
            for action in legal_actions(mine)
        ]

    return Game(
        ((tuple(empty_table(STANDARD)),) * players, players * rounds), moves, players=players
    )


def _variant(players: int, rounds: int, takes: str) -> Variant:
    said = f"{players} players, {rounds} rounds each"
    return Variant(said, partial(rivals, players, rounds), takes)


PAGE = Page(
    "swe-players",
    "The software-engineering game for several players",
    "several, alternating",
    "wins of the first player per game, on average; equal scores share a win",
    {
        "two-3": _variant(2, 3, "a second"),
        "two-4": _variant(2, 4, "a minute"),
        "three-2": _variant(3, 2, "a second"),
        "three-3": _variant(3, 3, "five minutes"),
    },
)
