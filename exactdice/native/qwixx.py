"""Qwixx for one player in C++: the exact mean score of every sheet, in whole numbers."""

from collections.abc import Sequence

from exactdice.arithmetic import mpq, mpz
from exactdice.native import Progress, call, limit, solvers

_WORDS = 12  # of 64 bits, the highest of which leaves room for the score


def values(
    rules: tuple[int, int, int, bool],
    turns: int,
    asked: Sequence[Sequence[int]],
    memory_limit: int | None = None,
    progress: Progress | None = None,
) -> tuple[list[mpq], int]:
    """Return the mean scores of some states, and the number of states solved.

    `rules`: sides of the dice, crosses needed before the last box, penalties that end the game, and
    whether coloured dice still count when the white ones have ended it. `turns` is the maximum
    number of turns. A state has the place of the last cross and the number of crosses for each row,
    and then the penalties. A value with t turns to come is a whole number over the t-th power of
    sides⁶; both must fit 755 bits, as for six sides.
    """
    unit = mpz(rules[0]) ** (6 * turns)
    unit <<= max(0, 64 * _WORDS - 13 - unit.bit_length())
    module = solvers()
    numbers, solved = call(
        module.qwixx,
        call(module.QwixxRules, *rules),
        [int(unit >> 64 * place & (1 << 64) - 1) for place in range(_WORDS)],
        [list(state) for state in asked],
        limit(memory_limit, "memory_limit"),
        progress,
    )
    wholes = [sum(mpz(word) << 64 * i for i, word in enumerate(number)) for number in numbers]
    return [mpq(whole, unit) - 5 * rules[2] for whole in wholes], int(solved)
