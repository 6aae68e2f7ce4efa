r"""What a promotion gains: the chances of failure along a ladder, and their differences.

A die with f faces fails with chance 1/f in each roll. Promoting it from rung i to rung i + 1 lowers
the expected number of failures by 1/f_i − 1/f_{i+1} for each roll to come. The SWE game's README
tabulates these gains; a die on the top rung cannot be promoted, and its gain is written as 0.

Where the gains never rise from one rung to the next, the README holds it best to promote the
lowest die; with a d10 on the ladder they do rise, and it says that this greedy rule breaks.
"""

from typing import NamedTuple

from exactdice.arithmetic import mpq
from exactdice.games.swe.rules import STANDARD, Ladder


class Promotion(NamedTuple):
    """One rung: its number from 0, its faces, the chance of failure, what a promotion gains."""

    rung: int
    faces: int
    failure: mpq
    gain: mpq


def promotion_table(ladder: Ladder = STANDARD) -> list[Promotion]:
    """List the rungs of a ladder with their gains.

    >>> for rung in promotion_table(Ladder(4, 6, 20)):
    ...     print(rung.rung, rung.faces, rung.failure, rung.gain)
    0 4 1/4 1/12
    1 6 1/6 7/60
    2 20 1/20 0
    """
    ladder = Ladder.of(ladder)
    failures = [mpq(1, faces) for faces in ladder]
    following = [*failures[1:], failures[-1]]
    pairs = zip(failures, following, strict=True)
    return [
        Promotion(rung, faces, now, now - then)
        for rung, (faces, (now, then)) in enumerate(zip(ladder, pairs, strict=True))
    ]


def first_rise(ladder: Ladder = STANDARD) -> int | None:
    """Return the lowest rung whose promotion gains more than that of the rung below it, if any.

    >>> first_rise(Ladder(4, 6, 8, 12, 20)) is None, first_rise(Ladder(4, 6, 8, 10, 12, 20))
    (True, 4)
    """
    gains = [rung.gain for rung in promotion_table(ladder)[:-1]]
    return next((i for i in range(1, len(gains)) if gains[i] > gains[i - 1]), None)
