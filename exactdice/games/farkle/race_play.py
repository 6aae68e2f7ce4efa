"""A race of two played decision by decision, each judged against optimal play.

A `RaceGame` is the race as its players meet it: it rolls the dice, says what may be done, and goes
on with what was chosen. What a choice costs is its regret: how much less the chance to win is than
with the best choice, both players going on as the race was solved for. Luck plays no part in it.

An opponent who plays for points has nothing to decide: the game rolls and chooses for them, as a
`turns.TargetPlayer` does.
`RaceGame.undecided` keeps what was rolled and done so, and the busts of both, in their order.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from exactdice.arithmetic import natural
from exactdice.errors import InputError, Unquoted
from exactdice.games.farkle.advice import Choice, advise
from exactdice.games.farkle.contenders import Contender
from exactdice.games.farkle.dice_sets import Die
from exactdice.games.farkle.exact import BestTurn, Overshoot, solve
from exactdice.games.farkle.race_advice import ChoiceToWin, Way, advise_to_win, ways_on
from exactdice.games.farkle.selections import selections
from exactdice.games.farkle.two_players import Busts, WinChances

__all__ = [
    "RaceDecision",
    "RaceGame",
    "RacePlayer",
    "RaceSituation",
    "RivalRoll",
    "play_race",
    "race_optimally",
]


@dataclass(frozen=True)
class RaceSituation:
    """What a player decides on.

    Attributes
    ----------
    mover
        0 or 1: whose turn it is.
    own, other
        The scores, that of the mover first.
    points
        Points of the turn before the roll.
    dice, roll
        The dice rolled and what they show, in the same order.
    left
        The dice rolled, as text.
    ways
        What may be done, in canonical order; at least one.
    busts
        Busts in a row before this turn, where they cost points; those of the mover first.
    """

    mover: int
    own: int
    other: int
    points: int
    dice: tuple[Die, ...]
    roll: tuple[int, ...]
    left: str
    ways: tuple[Way, ...]
    busts: Busts

    def advice(self, chances: WinChances) -> list[ChoiceToWin]:
        """Judge every way on, the best first."""
        scores, turn = (self.own, self.other), (self.points, self.left)
        return advise_to_win(chances, self.roll, *scores, *turn, self.mover, self.busts)


@dataclass(frozen=True)
class RaceDecision:
    """What was decided, and what it cost.

    Attributes
    ----------
    situation, choice
        The choice with its chance to win and its regret.
    best
        The first of the best choices.
    """

    situation: RaceSituation
    choice: ChoiceToWin
    best: ChoiceToWin


@dataclass(frozen=True)
class RivalRoll:
    """One roll of an opponent who plays for points.

    Attributes
    ----------
    own, points
        Score and points of the turn before the roll.
    dice, roll
        The dice rolled and what they show, in the same order.
    choice
        What was kept and done; None for a bust.
    """

    own: int
    points: int
    dice: tuple[Die, ...]
    roll: tuple[int, ...]
    choice: Choice | None


RacePlayer: TypeAlias = Callable[[RaceSituation], int]
"""Says the place of the chosen way among those of the situation."""


class RaceGame:
    """A race of two players, step by step, of whom at least one plays to win.

    Parameters
    ----------
    chances
        The race, solved.
    seed
        Of the generator that rolls the dice.

    Raises
    ------
    InputError
        If neither plays to win: there would be nothing to decide.

    Examples
    --------
    >>> from exactdice.games.farkle.rule_tables import KCD
    >>> from exactdice.games.farkle.contenders import contender
    >>> from exactdice.games.farkle.two_players_exact import win_exactly
    >>> player = contender(rules=KCD.varied(target=300))
    >>> game = RaceGame(win_exactly(player, player), seed=1)
    >>> while game.winner is None:
    ...     decision = game.step(0)
    >>> game.winner in (0, 1), game.scores[game.winner] >= 300
    (True, True)
    """

    def __init__(self, chances: WinChances, *, seed: int = 0) -> None:
        if all(player.aim == "points" for player in chances.players):
            wanted = "a player who plays to win"
            raise InputError("chances", Unquoted("two players for points"), wanted)
        self.chances = chances
        self._generator = np.random.default_rng(natural(seed, "seed"))
        self.reset()

    def reset(self) -> None:
        """Begin a new race; the generator goes on where it was."""
        self.scores = [0, 0]
        self.busts = [0, 0]
        self.winner: int | None = None
        self.mover = 0
        self.undecided: list[RivalRoll | RaceSituation] = []
        self._go_on(0, self._all_dice)

    @property
    def situation(self) -> RaceSituation:
        """What is to be decided.

        Raises
        ------
        InputError
            If the race is over.
        """
        if self.winner is not None:
            raise InputError("situation", Unquoted("a race that is over"), "a race that goes on")
        return self._situation

    @property
    def rival(self) -> list[RivalRoll]:
        """The rolls of an opponent who plays for points, in their order."""
        return [rolled for rolled in self.undecided if isinstance(rolled, RivalRoll)]

    def step(self, place: object) -> RaceDecision:
        """Go on with a way, by its place among those of the situation.

        Raises
        ------
        InputError
            If there is no such way, or the race is over.
        """
        situation = self.situation
        way = situation.ways[natural(place, "place", most=len(situation.ways) - 1)]
        judged = situation.advice(self.chances)
        choice = next(each for each in judged if each.way == way)
        reached = situation.points + way.selection.score
        least = self.chances.players[self.mover].rules.least_to_bank(situation.own)
        if way.then == "roll":
            self._go_on(reached, way.rolled)
        elif not self._ends_turn(reached if reached >= least else 0):
            self._go_on(0, self._all_dice)
        return RaceDecision(situation, choice, judged[0])

    def _go_on(self, points: int, state: int) -> None:
        """Roll a set of dice, and go on until someone has to decide or has won."""
        while True:
            player = self.chances.players[self.mover]
            added: int | None = None  # a bust
            if player.aim == "points":
                added = self._points_added(player, self.scores[self.mover])
            else:
                situation = self._rolled(player, points, state)
                if situation.ways:
                    self._situation = situation
                    return
                self.undecided.append(situation)
            if self._ends_turn(added):
                return
            points, state = 0, self._all_dice

    @property
    def _all_dice(self) -> int:
        return self.chances.players[self.mover].dice.full

    def _ends_turn(self, added: int | None) -> bool:
        """Add points to the score of the mover, None for a bust, and say whether that wins."""
        who = self.mover
        if added is None:
            self.scores[who], row = self.chances.after_bust(who, self.scores[who], self._row)
            self.busts[who] = row[0]
        elif added:
            self.scores[who] += added
            self.busts[who] = 0
        if self.scores[self.mover] >= self.chances.players[self.mover].target:
            self.winner = self.mover
            return True
        self.mover = 1 - self.mover
        return False

    @property
    def _row(self) -> Busts:
        """Busts in a row, those of the mover first."""
        return self.busts[self.mover], self.busts[1 - self.mover]

    def _rolled(self, player: Contender, points: int, state: int) -> RaceSituation:
        """Roll a set of dice; after a bust there are no ways on."""
        own, other = self.scores[self.mover], self.scores[1 - self.mover]
        dice, roll = self._thrown(player, state)
        turn = self.chances.turn(own, other, self.mover, self._row)
        ways = tuple(ways_on(turn, points, selections(player.rules, player.dice, roll, dice)))
        left = player.dice.describe(state)
        return RaceSituation(self.mover, own, other, points, dice, roll, left, ways, self._row)

    def _points_added(self, player: Contender, own: int) -> int | None:
        """Play a whole turn for points, and return what it adds to the score; None for a bust."""
        turn = _turn_for_points(player, own, player.rules.fall(own, self._row[0]))
        points, state = 0, player.dice.full
        while True:
            dice, roll = self._thrown(player, state)
            choices = advise(turn, roll, points, player.dice.describe(state))
            choice = choices[0] if choices else None
            self.undecided.append(RivalRoll(own, points, dice, roll, choice))
            if choice is None:
                return None
            points, state = points + choice.score, choice.left
            if choice.then == "bank":
                return points if points >= player.rules.least_to_bank(own) else 0

    def _thrown(self, player: Contender, state: int) -> tuple[tuple[Die, ...], tuple[int, ...]]:
        """Roll a set of dice."""
        left = zip(player.dice.kinds, player.dice.left(state), strict=True)
        dice = tuple(die for die, number in left for _ in range(number))
        return dice, tuple(self._face(die) for die in dice)

    def _face(self, die: Die) -> int:
        drawn = int(self._generator.integers(die.denominator))
        for face, weight in zip(die.faces, die.weights, strict=True):
            if drawn < weight:
                return face
            drawn -= weight
        raise AssertionError("the weights of a die sum to its denominator")


@lru_cache(maxsize=64)
def _turn_for_points(player: Contender, own: int, fall: int) -> BestTurn:
    """Give the turn of a player for points: of the most expected points of those still needed.

    A bust takes some points off the score.
    """
    least = player.rules.least_to_bank(own)
    rules = player.rules.varied(target=None, entry_minimum=0, minimum_bank=least, penalty=fall)
    return solve(player.dice, rules.varied(target=player.end(own)), Overshoot.NEEDED)


def race_optimally(chances: WinChances) -> RacePlayer:
    """Return the player that takes the first of the best ways."""

    def choose(situation: RaceSituation) -> int:
        return situation.ways.index(situation.advice(chances)[0].way)

    return choose


def play_race(
    game: RaceGame,
    first: RacePlayer,
    second: RacePlayer,
    tell: Callable[[RaceDecision], None] = lambda decision: None,
) -> list[RaceDecision]:
    """Play a race to its end.

    Parameters
    ----------
    game
        The race, at its beginning or later.
    first, second
        Who choose.
    tell
        Called after each decision.

    Returns
    -------
    list of RaceDecision
        With what each decision cost; `RaceGame.winner` says who has won.

    Raises
    ------
    InputError
        If a player chooses a way that is not there.

    Examples
    --------
    >>> from exactdice.games.farkle.rule_tables import KCD
    >>> from exactdice.games.farkle.contenders import contender
    >>> from exactdice.games.farkle.two_players_exact import win_exactly
    >>> player = contender(rules=KCD.varied(target=300))
    >>> chances = win_exactly(player, player)
    >>> best = race_optimally(chances)
    >>> decisions = play_race(RaceGame(chances, seed=3), best, best)
    >>> sum(decision.choice.regret.upper for decision in decisions)
    mpq(0,1)
    """
    decisions = []
    while game.winner is None:
        player = (first, second)[game.situation.mover]
        decisions.append(game.step(player(game.situation)))
        tell(decisions[-1])
    return decisions
