r"""Farkle to win: two players alternate, and the first to bank the target wins immediately.

Each player has dice, rules and an aim: to *win*, looking at both scores, or *points*, the play of a
`TargetPlayer`. Points past the target do not count; races have no penalty of every bust.

Let :math:`V(a, b)` be the probability to win of a player with :math:`a` points who is to begin a
turn against an opponent with :math:`b`. Banking :math:`P` points has the value
:math:`1 - V'(b, a+P)`, where :math:`V'` is the opponent's, and 1 at the target. A turn that adds
nothing has the value :math:`w = 1 - V'(b, a)`, which depends on :math:`V(a, b)`. As a function of
:math:`w` the value of a turn is the upper envelope of lines, one for each policy:
:math:`f(w) = \max_\pi (A_\pi + B_\pi w)`, where :math:`B_\pi < 1` is the probability to add
nothing. So each pair of scores has two unknowns, :math:`x = V(a,b)` and :math:`y = V'(b,a)`, with

.. math:: x = f(1 - y), \qquad y = g(1 - x),

and one solution, because both slopes are below 1. (A policy that never banks, if one turn cannot
reach the target, has slope 1. For a second solution it would have to be optimal for both players;
but then a player who had banked as much as possible would be no better off than after the
opponent's doing so.) Pairs of higher scores come first; every banked turn scores, so nothing else
is circular. Compare Crocce and Mordecki, "A finite exact algorithm to solve a dice game",
arXiv:1405.7488, for Pig; Busche and Neller, "Optimal play of the Farkle dice game", have the
equations for Farkle. If busts in a row cost points, see `solve`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

from exactdice.arithmetic import RationalLike, lcm, mpq, mpz, natural
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, Unquoted
from exactdice.games.farkle.rules.dice_sets import DiceSet, parse_dice
from exactdice.games.farkle.rules.menus import Menus, menus_of, require_sweep
from exactdice.games.farkle.rules.rule_set import STREAK, RuleSet
from exactdice.games.farkle.rules.tables import KCD
from exactdice.games.farkle.turn.advice import RatedOption, judged, ways_after
from exactdice.games.farkle.turn.forward import Threshold, ranges
from exactdice.games.farkle.turn.sweep import TurnPayoff, TurnSweep
from exactdice.report import Reported


class Aim(StrEnum):
    WIN = "win"  #: to win, looking at both scores
    POINTS = "points"  #: for the points of each turn, looking at those still needed


@dataclass(frozen=True, repr=False)
class Contender:
    """A player in a race; some turn of the dice must suffice to bank, and busts have no penalty."""

    dice: DiceSet
    rules: RuleSet
    aim: Aim = Aim.WIN

    def __post_init__(self) -> None:
        if self.rules.required_target and self.rules.penalty:
            raise InputError("penalty", self.rules.penalty, "no penalty in a race")
        if self.aim not in tuple(Aim):
            raise InputError("aim", self.aim, "win or points")
        object.__setattr__(self, "aim", Aim(self.aim))
        if not self._can_bank(self.rules.least_to_bank(0)):
            raise InputError("dice", Unquoted(str(self.dice)), "dice that can reach the target")

    def _can_bank(self, least: int) -> bool:
        unit, menus = self.rules.unit, self.menus
        offered = [
            {(score // unit, menus.next_state(left)) for menu in of.menus for score, left in menu}
            for of in menus.by_state
        ]
        rolled: dict[int, set[int]] = {0: {self.dice.full}}
        for level in range(max(least // unit, 1)):
            for units, state in set().union(*(offered[s] for s in rolled.get(level, ()))):
                if (level + units) * unit >= least:
                    return True
                rolled.setdefault(level + units, set()).add(state)
        return False

    @property
    def menus(self) -> Menus:
        return menus_of(self.rules, self.dice, prune=True)

    @property
    def target(self) -> int:
        return self.rules.target or 0

    @property
    def levels(self) -> int:
        return self.target // self.rules.unit

    @property
    def floor(self) -> int:
        return -(self.rules.floor // self.rules.unit) if self.rules.streak_penalty else 0

    def end(self, own: int) -> int:
        return max(self.target - own, self.rules.least_to_bank(own))

    def score(self, points: RationalLike, name: str) -> int:
        least = self.floor * self.rules.unit
        whole = self.rules.whole_points(points, name, least=least)
        if whole >= self.target:
            raise InputError(name, whole, f"a score below the target of {self.target}")
        return whole

    def __repr__(self) -> str:
        return f"Contender({self})"

    def __str__(self) -> str:
        return f"{self.dice} to {self.target} ({self.rules.name}) for {self.aim}"


def contender(
    dice: DiceSet | str = "fair*6",
    rules: RuleSet = KCD,
    aim: Aim | str = Aim.WIN,
    argument: str = "dice",
) -> Contender:
    """Make a player of a race from dice or their text; errors call the dice `argument`.

    >>> print(contender("fair*2,odd", KCD.varied(target=500)))
    fair*2,odd to 500 (kcd) for win
    >>> contender("0:1:0:0:0:0")
    Traceback (most recent call last):
    exactdice.errors.InputError: dice: got 0:1:0:0:0:0; expected dice that can reach the target
    """
    taken = parse_dice(dice, argument, most=rules.dice) if isinstance(dice, str) else dice
    try:
        return Contender(taken, rules, aim)  # type: ignore[arg-type]
    except InputError as problem:
        if problem.argument != "dice" or argument == "dice":
            raise
        raise InputError(argument, Unquoted(str(taken)), problem.wanted) from problem


#: Busts in a row of the player who is to move and of the other, 0 to 2 each.
Busts = tuple[int, int]

_NONE: Busts = (0, 0)
_TURNS = 64  # turns that are cached with their sweeps


def turn_payoff(player: Contender, own: int, banked: Sequence[mpq], nothing: mpq) -> TurnPayoff:
    """Payoffs of a turn, in probabilities to win: after 1, 2, … units `banked`, and `nothing`."""
    rules = player.rules
    scale = mpz(lcm(*(worth.denominator for worth in (*banked, nothing)), 1))
    end, least = player.end(own), rules.least_to_bank(own)
    needed = player.target - own

    def scaled(worth: mpq) -> tuple[mpz, int]:
        return worth.numerator * (scale // worth.denominator), 0

    worths = [scaled(nothing), *map(scaled, banked)]
    bank = [
        None if p < least else (scale, 0) if p >= needed else worths[p // rules.unit]
        for p in range(0, end + rules.highest_score, rules.unit)
    ]
    return TurnPayoff(end // rules.unit, bank, worths[0], worths[0], int(scale))


@dataclass(frozen=True, eq=False)
class TurnToWin:
    """The choices of a turn from a pair of scores, for a player who plays to win.

    `below` and `above` are the best turn for lower and upper bounds of its payoffs, the same sweep
    if all are exact; `nothing` is the probability to win after a turn that adds nothing.
    """

    player: Contender
    own: int
    below: TurnSweep
    above: TurnSweep
    nothing: Enclosure

    @property
    def end(self) -> int:
        return self.player.end(self.own)

    def points(self, points: RationalLike, name: str = "points") -> int:
        whole = self.player.rules.whole_points(points, name)
        if whole >= self.end:
            raise InputError(name, whole, f"points below {self.end}, where the turn ends")
        return whole

    def may_bank(self, points: int) -> bool:
        return points >= self.player.rules.least_to_bank(self.own)

    def may_roll(self, points: int) -> bool:
        return points < self.end

    def rolling(self, points: int, state: int) -> Enclosure:
        level = points // self.player.rules.unit
        lower = self.below.base.rational(self.below.value(level, state))
        if self.above is self.below:
            return Enclosure.of(lower)
        return Enclosure(lower, self.above.base.rational(self.above.value(level, state)))

    def banking(self, points: int) -> Enclosure | None:
        level = min(points, self.end) // self.player.rules.unit
        lower, upper = (sweep.payoff.bank[level] for sweep in (self.below, self.above))
        if points == 0 or lower is None or upper is None:
            return None
        return Enclosure(self.below.base.rational(lower), self.above.base.rational(upper))


@dataclass(frozen=True, eq=False)
class WinChances(Reported, by="exactdice.games.farkle.races.reports:chances_report"):
    """The probabilities to win a race of two, from every pair of scores.

    `solved` returns the probability that a player (0 or 1) wins who is to begin a turn, by the
    player, both scores in units of the players' rules and both busts in a row, the player's own
    first.
    """

    first: Contender
    second: Contender
    solved: Callable[[int, int, int, Busts], Enclosure] = field(repr=False)

    @property
    def value(self) -> Enclosure:
        return self.chance()

    @property
    def players(self) -> tuple[Contender, Contender]:
        return self.first, self.second

    def chance(
        self, own: RationalLike = 0, other: RationalLike = 0, mover: int = 0, busts: Busts = _NONE
    ) -> Enclosure:
        """Probability that the player who is to begin a turn wins; a point if solved exactly.

        The scores are below the targets, that of the player to move first; `mover` is 0 if the
        first player is to move, 1 for the second.
        """
        who, mine, theirs, busts = self._read(own, other, mover, busts)
        units = [player.rules.unit for player in self.players]
        return self.solved(who, mine // units[who], theirs // units[1 - who], busts)

    def _read(
        self, own: RationalLike, other: RationalLike, mover: int, busts: Busts
    ) -> tuple[int, int, int, Busts]:
        who = natural(mover, "mover", most=1)
        mine, theirs = self.players[who], self.players[1 - who]
        scores = mine.score(own, "own"), theirs.score(other, "other")
        most = [STREAK - 1 if p.rules.streak_penalty else 0 for p in (mine, theirs)]
        row, others = (natural(n, "busts", most=m) for n, m in zip(busts, most, strict=True))
        return who, *scores, (row, others)

    def turn(
        self, own: RationalLike = 0, other: RationalLike = 0, mover: int = 0, busts: Busts = _NONE
    ) -> TurnToWin:
        """Solve a turn of a player who plays to win, at scores and busts as for `chance`.

        One sweep over the points of the turn if the race was solved exactly, otherwise two; the
        last turns are cached.
        """
        if self.players[natural(mover, "mover", most=1)].aim != "win":
            raise InputError("mover", mover, "the player who plays to win")
        return _turn(self, *self._read(own, other, mover, busts))

    def after(self, who: int, own: int, other: int, busts: Busts = _NONE) -> Enclosure:
        mine, theirs = self.players[who], self.players[1 - who]
        if own >= mine.target:
            return Enclosure.of(1)
        scores = other // theirs.rules.unit, own // mine.rules.unit
        return 1 - self.solved(1 - who, *scores, (busts[1], busts[0]))

    def after_bust(self, who: int, own: int, busts: Busts = _NONE) -> tuple[int, Busts]:
        rules = self.players[who].rules
        if not rules.streak_penalty:
            return own, busts
        return own - rules.fall(own, busts[0]), ((busts[0] + 1) % STREAK, busts[1])


@lru_cache(maxsize=_TURNS)
def _turn(chances: WinChances, who: int, own: int, other: int, busts: Busts) -> TurnToWin:
    player = chances.players[who]
    require_sweep(player.menus, player.end(own))
    unit = player.rules.unit
    kept = (0, busts[1])
    banked = [chances.after(who, p, other, kept) for p in range(own + unit, player.target, unit)]
    fallen, row = chances.after_bust(who, own, busts)
    nothing = chances.after(who, fallen, other, row)
    lowest = [b.lower for b in banked], nothing.lower
    highest = [b.upper for b in banked], nothing.upper
    below = above = TurnSweep(player.menus, turn_payoff(player, own, *lowest))
    if lowest != highest:
        above = TurnSweep(player.menus, turn_payoff(player, own, *highest))
    return TurnToWin(player, own, below, above, nothing)


def advise_to_win(
    chances: WinChances,
    roll: Sequence[int] | str,
    own: RationalLike = 0,
    other: RationalLike = 0,
    points: RationalLike = 0,
    left: str | int | None = None,
    mover: int = 0,
    busts: Busts = (0, 0),
) -> list[RatedOption]:
    """List every choice after a roll of the mover, 0 or 1, the best first; none for a bust.

    Scores and busts in a row are those before the turn, the mover's own first; `points` and `left`
    are as for `advise`. Sorted by the lower bounds of the probabilities; equal ones banking first,
    then higher scores.

    One or two sweeps of the turn, and exact values of the choices.
    """
    turn = chances.turn(own, other, mover, busts)
    at = turn.points(points)
    ways = ways_after(turn, turn.player.menus, roll, at, left)
    worths = [
        turn.rolling(at + way.score, way.left)
        if way.then == "roll"
        else turn.banking(at + way.score) or turn.nothing
        for way in ways
    ]
    return judged(ways, worths)


def win_thresholds(
    chances: WinChances,
    own: RationalLike = 0,
    other: RationalLike = 0,
    mover: int = 0,
    busts: Busts = (0, 0),
) -> list[Threshold]:
    """Find for each set of dice left from which points on to bank, at a pair of scores.

    Exact values of every set of dice at all points: 0.1 s for six fair dice and 4000 points to go.
    """
    turn = chances.turn(own, other, mover, busts)
    return [_threshold(turn, state) for state in turn.player.dice.proper_states()]


def _threshold(turn: TurnToWin, state: int) -> Threshold:
    unit = turn.player.rules.unit
    better, ties, unsettled = [], [], []
    for points in range(unit, turn.end, unit):
        banked = turn.banking(points)
        rolled = turn.rolling(points, state)
        if banked is None or banked.at_least(rolled) is False:
            better.append(points)
        elif rolled.point is not None and rolled == banked:
            ties.append(points)
        elif rolled.at_least(banked) is not False:
            unsettled.append(points)
    rolls = ranges(better, unit)
    last = better[-1] if better else 0
    is_single = not rolls or (len(rolls) == 1 and rolls[0][0] == unit)
    settled = is_single and not unsettled and last + unit < turn.end
    bank_from = last + unit if settled else None
    return Threshold(state, rolls, bank_from, tuple(ties), tuple(unsettled))
