"""AnyDice programs, run exactly: see `run`."""

from exactdice.anydice.programs import ProgramOutput, run

__all__ = ["ProgramOutput", "run"]
