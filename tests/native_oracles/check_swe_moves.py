"""The software-engineering game: creations and promotions that intervals leave possible.

Two solvers exclude moves by their own bounds. `native_oracles.swe` visits every block round by
round and compares all fixes. `exactdice.native.swe_outlook` combines blocks from excursions,
assumes that the fix on the highest rung is optimal, and is used by the exact search of a hundred
rounds. Optimal moves are among those that either leaves. So if the first leaves one move, the
second must leave it, and in every state both must leave a common move.
"""

from functools import partial

from exactdice.games.swe.rules import STANDARD, State
from exactdice.jobs.crosscheck import Case, Check
from exactdice.native import swe_outlook
from native_oracles import swe as native

__all__ = ["check_moves", "ladder"]


def check_moves(rounds, dice=STANDARD):
    """Compare the moves that are left in all states without legacy; 50 rounds take 15 s."""
    check = Check("swe", f"{rounds} rounds, moves left")
    nothing = (0,) * len(dice)
    every = native.solve(rounds, dice, intervals=True)
    ahead = swe_outlook.solve(rounds, dice, nothing, nothing, bend=swe_outlook.ANY_BEND)
    check.number(  # both enclosures hold it, so they meet
        "the optimum", every.value.lower, every.value.lower,
        (ahead.value.lower - every.value.width, ahead.value.upper), every.value.width,
    )  # fmt: skip
    for level in range(1, rounds):
        for table in every.compiled.dice_of_weight(level):
            masks = ahead.possible(table)
            choices = every.compiled.all_revenue_choices(table)
            for left, low, possible in zip(
                *(choices[name].tolist() for name in ("state", "low", "possible")), strict=True
            ):
                state = State(tuple(table), nothing, low)
                name = f"{state}, {left} rounds left"
                both = possible & masks[left - 1]
                if not possible & (possible - 1):
                    move = f"move {possible.bit_length() - 1}"
                    check.action(name, move, [move] if both else [])
                elif not both:
                    check.excluded(name, "each move that may be optimal")
    return check


def ladder():
    for rounds in (16, 50):
        yield Case("swe", f"{rounds} rounds, moves left", partial(check_moves, rounds), rounds > 16)
