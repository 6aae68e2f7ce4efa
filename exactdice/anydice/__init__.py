"""AnyDice programs, run exactly."""

from exactdice.anydice.programs import Output, run

__all__ = ["Output", "run"]
