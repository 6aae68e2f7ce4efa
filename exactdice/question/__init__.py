"""Questions: frozen values with a command each."""

from exactdice.question.model import Question, argument, drawn_seed, option

__all__ = ["Question", "argument", "drawn_seed", "option"]
