"""Races of two, solved by the method that fits: rationals where they are short, or intervals.

The exact chances of a long race have more digits than anyone reads, and take minutes. So a race is
solved by `exact` up to `EXACT_BITS` of the chance from the beginning, by its estimate, and by
`intervals` beyond; exactly too where the C++ solvers are not built. Where busts in a row cost
points, it is enclosed at any length. The last four races are kept: whoever plays one asks about it
after every roll, and of two players each may play to win or for points.
"""

from dataclasses import dataclass, replace

from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, Unquoted
from exactdice.games.farkle.races.chances import Busts, WinChances
from exactdice.games.farkle.races.contenders import Aim, Contender
from exactdice.games.farkle.races.exact import exact_bits, win_exactly
from exactdice.games.farkle.races.intervals import enclosed_chances
from exactdice.native import are_built
from exactdice.run import DEFAULT, Run

#: Estimated bits of a chance beyond which it is enclosed: six fair dice each, to 1000 points.
EXACT_BITS = 1 << 16


@dataclass(frozen=True)
class RaceToWin:
    """The chance to win from a pair of scores, and what looking at the opponent adds to it.

    Scores and busts in a row are those of the first player, who is to move, first; `looking` is how
    much more the chance is than if that player played for points, None if they do.
    """

    chances: WinChances
    own: int
    other: int
    looking: Enclosure | None
    busts: Busts = (0, 0)

    @property
    def value(self) -> Enclosure:
        """Chance that the first player, who is to move, wins."""
        return self.chances.chance(self.own, self.other, busts=self.busts)


def win_chances(
    first: Contender, second: Contender, run: Run = DEFAULT, *, exact: bool = False
) -> WinChances:
    """Find the chances to win a race of two, exactly where that is short.

    Parameters
    ----------
    first, second
        The players.
    run
        Limits, workers, and hears of progress.
    exact
        Exact chances, however long they are.

    Examples
    --------
    >>> from exactdice.games.farkle import KCD, contender
    >>> player = contender(rules=KCD.varied(target=50))
    >>> win_chances(player, player).value
    Enclosure(lower=mpq(162,167), upper=mpq(162,167))

    Notes
    -----
    Six fair dice each: 4 s to 1000 points, 1 s to 4000; minutes where busts in a row cost points.
    """
    has_streaks = bool(first.rules.streak_penalty or second.rules.streak_penalty)
    if has_streaks and exact:
        wanted = "none: where busts in a row cost points, chances to win are enclosed"
        raise InputError("exact", Unquoted("exact"), wanted)
    is_short = exact or (not has_streaks and exact_bits(first, second) <= EXACT_BITS)
    is_exact = is_short or not (has_streaks or are_built())
    chances = _SOLVED.get((first, second, is_exact))
    if chances is None:
        if is_exact:
            chances = win_exactly(first, second, run)
        else:
            chances = enclosed_chances(first, second, run)
        if len(_SOLVED) == 4:
            del _SOLVED[next(iter(_SOLVED))]
        _SOLVED[first, second, is_exact] = chances
    return chances


_SOLVED: dict[tuple[Contender, Contender, bool], WinChances] = {}


def race_to_win(
    first: Contender,
    second: Contender,
    own: int = 0,
    other: int = 0,
    run: Run = DEFAULT,
    *,
    busts: Busts = (0, 0),
    exact: bool = False,
) -> RaceToWin:
    """Find the chance to win from a pair of scores, and what looking at the opponent is worth.

    The first player is to move; the rest is as for `win_chances`.
    """
    chances = win_chances(first, second, run, exact=exact)
    looking = None
    if first.aim is Aim.WIN:
        blind = win_chances(replace(first, aim=Aim.POINTS), second, run, exact=exact)
        seeing, unseeing = (each.chance(own, other, busts=busts) for each in (chances, blind))
        looking = seeing - unseeing
    return RaceToWin(chances, own, other, looking, busts)
