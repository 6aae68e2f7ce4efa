"""A race of two played decision by decision, each judged against optimal play.

A `RaceGame` is the race as its players meet it: it rolls the dice, says what may be done, and goes
on with what was chosen. What a choice costs is its regret: how much less the chance to win is than
with the best choice, both players going on as the race was solved for. Luck plays no part in it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from exactdice.arithmetic import natural
from exactdice.errors import InputError, Unquoted
from exactdice.games.farkle.dice_sets import Die
from exactdice.games.farkle.race_advice import ChoiceToWin, Way, advise_to_win, ways_on
from exactdice.games.farkle.selections import selections
from exactdice.games.farkle.two_players import WinChances

__all__ = ["RaceDecision", "RaceGame", "RacePlayer", "RaceSituation", "play_race", "race_optimally"]


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
    """

    mover: int
    own: int
    other: int
    points: int
    dice: tuple[Die, ...]
    roll: tuple[int, ...]
    left: str
    ways: tuple[Way, ...]


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


RacePlayer: TypeAlias = Callable[[RaceSituation], int]
"""Says the place of the chosen way among those of the situation."""


class RaceGame:
    """A race of two players who play to win, step by step.

    Parameters
    ----------
    chances
        The race, solved.
    seed
        Of the generator that rolls the dice.

    Raises
    ------
    InputError
        If a player does not play to win: nothing would judge the decisions.

    Examples
    --------
    >>> from exactdice.games.farkle import KCD
    >>> from exactdice.games.farkle.two_players import contender
    >>> from exactdice.games.farkle.two_players_exact import win_exactly
    >>> player = contender(rules=KCD.varied(target=300))
    >>> game = RaceGame(win_exactly(player, player), seed=1)
    >>> while game.winner is None:
    ...     decision = game.step(0)
    >>> game.winner in (0, 1), game.scores[game.winner] >= 300
    (True, True)
    """

    def __init__(self, chances: WinChances, *, seed: int = 0) -> None:
        for who, player in enumerate(chances.players):
            if player.aim != "win":
                wanted = "players who play to win"
                raise InputError("chances", Unquoted(f"player {who} for {player.aim}"), wanted)
        self.chances = chances
        self._generator = np.random.default_rng(natural(seed, "seed"))
        self.reset()

    def reset(self) -> None:
        """Begin a new race; the generator goes on where it was."""
        self.scores = [0, 0]
        self.winner: int | None = None
        self.mover = 0
        self._begin_turn()

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

    def step(self, place: object) -> RaceDecision:
        """Go on with a way, by its place among those of the situation.

        Raises
        ------
        InputError
            If there is no such way, or the race is over.
        """
        situation = self.situation
        way = situation.ways[natural(place, "place", most=len(situation.ways) - 1)]
        judged = advise_to_win(
            self.chances,
            situation.roll,
            situation.own,
            situation.other,
            situation.points,
            situation.left,
            situation.mover,
        )
        choice = next(each for each in judged if each.way == way)
        reached = situation.points + way.selection.score
        if way.then == "roll":
            self._roll(reached, way.rolled)
        else:
            least = self.chances.players[self.mover].rules.least_to_bank(situation.own)
            self._end_turn(reached if reached >= least else 0)
        return RaceDecision(situation, choice, judged[0])

    def _begin_turn(self) -> None:
        self._roll(0, self.chances.players[self.mover].dice.full)

    def _end_turn(self, added: int) -> None:
        self.scores[self.mover] += added
        if self.scores[self.mover] >= self.chances.players[self.mover].target:
            self.winner = self.mover
            return
        self.mover = 1 - self.mover
        self._begin_turn()

    def _roll(self, points: int, state: int) -> None:
        """Roll a set of dice; after a bust the other player rolls, until something scores."""
        while True:
            player = self.chances.players[self.mover]
            own, other = self.scores[self.mover], self.scores[1 - self.mover]
            left = player.dice.left(state)
            dice = tuple(d for d, n in zip(player.dice.kinds, left, strict=True) for _ in range(n))
            roll = tuple(self._face(die) for die in dice)
            turn = self.chances.turn(own, other, self.mover)
            found = selections(player.rules, player.dice, roll, dice)
            if ways := tuple(ways_on(turn, points, found)):
                written = player.dice.describe(state)
                self._situation = RaceSituation(
                    self.mover, own, other, points, dice, roll, written, ways
                )
                return
            self.mover = 1 - self.mover
            points, state = 0, self.chances.players[self.mover].dice.full

    def _face(self, die: Die) -> int:
        drawn = int(self._generator.integers(die.denominator))
        for face, weight in zip(die.faces, die.weights, strict=True):
            if drawn < weight:
                return face
            drawn -= weight
        raise AssertionError("the weights of a die sum to its denominator")


def race_optimally(chances: WinChances) -> RacePlayer:
    """Return the player that takes the first of the best ways."""

    def choose(situation: RaceSituation) -> int:
        best = advise_to_win(
            chances,
            situation.roll,
            situation.own,
            situation.other,
            situation.points,
            situation.left,
            situation.mover,
        )[0]
        return situation.ways.index(best.way)

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
    >>> from exactdice.games.farkle import KCD
    >>> from exactdice.games.farkle.two_players import contender
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
