"""The software-engineering game: which creations and promotions intervals leave possible.

Two solvers leave moves out, each on the word of its own enclosures. One goes through every block
round by round and compares all fixes (`native_oracles.swe`); the other puts blocks together from
excursions, takes the fix on the highest rung for optimal, and is what the exact search of a hundred
rounds relies on (`exactdice.native.swe_outlook`). The optimal moves are among those that either has
left. So where the intervals of the first leave one move, the second must have left it; and no state
may be without a move that both have left.
"""

from collections.abc import Iterator
from functools import partial

from exactdice.games.swe.rules import STANDARD, Ladder, State
from exactdice.jobs.crosscheck import Case, Check
from exactdice.native import swe_outlook
from native_oracles import swe as native

__all__ = ["check_moves", "ladder"]


def check_moves(rounds: int, dice: Ladder = STANDARD) -> Check:
    """Compare the moves that are left in all states without legacy.

    Parameters
    ----------
    rounds, dice
        The game, from the empty table.

    Examples
    --------
    >>> check_moves(8).passed
    True

    Notes
    -----
    50 rounds take a quarter of a minute.
    """
    check = Check("swe", f"{rounds} rounds, moves left")
    nothing = (0,) * len(dice)
    every = native.solve(rounds, dice, intervals=True)
    ahead = swe_outlook.solve(rounds, dice, nothing, nothing, bend=swe_outlook.ANY_BEND)
    check.number(  # both enclosures hold it, so they meet
        "the optimum",
        every.value.lower,
        every.value.lower,
        (ahead.value.lower - every.value.width, ahead.value.upper),
        every.value.width,
    )
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


def ladder() -> Iterator[Case]:
    """Sizes to check, ascending."""
    for rounds in (16, 50):
        yield Case("swe", f"{rounds} rounds, moves left", partial(check_moves, rounds), rounds > 16)
