"""The software-engineering game: revenue dice fail, legacy dice wait to be fixed."""

from exactdice.games.swe.advice import Advice, Candidates, Choice, ScoreLine
from exactdice.games.swe.exact import Solution, memory_estimate, solve
from exactdice.games.swe.rules import (
    STANDARD,
    WITH_D10,
    Action,
    Kind,
    Ladder,
    State,
    act,
    check_state,
    empty_table,
    legal_actions,
    outcomes,
    roll,
    weight,
)

__all__ = [
    "STANDARD",
    "WITH_D10",
    "Action",
    "Advice",
    "Candidates",
    "Choice",
    "Kind",
    "Ladder",
    "ScoreLine",
    "Solution",
    "State",
    "act",
    "check_state",
    "empty_table",
    "legal_actions",
    "memory_estimate",
    "outcomes",
    "roll",
    "solve",
    "weight",
]
