"""Questions: what can be asked, as frozen values that know their own command."""

from exactdice.question.model import Question, argument, drawn_seed, option

__all__ = ["Question", "argument", "drawn_seed", "option"]
