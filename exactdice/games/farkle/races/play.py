"""A race of two played decision by decision, each judged against optimal play.

A `RaceGame` is the race as its players meet it: it rolls the dice, says what may be done, and goes
on with what was chosen. What a choice costs is its regret: how much less the chance to win is than
with the best choice, both players going on as the race was solved for. Luck plays no part in it.

An opponent who plays for points has nothing to decide: the game rolls and chooses for them, as a
`TargetPlayer` does. `RaceGame.undecided` keeps what was rolled and done so, and the busts of both,
in their order. A `RacePerson` is asked for the choices of a player, and told what they cost.
"""

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import TypeAlias

import numpy as np

from exactdice.arithmetic import decimal, natural
from exactdice.errors import InputError, Unquoted
from exactdice.games.farkle.races.chances import Busts, WinChances, advise_to_win
from exactdice.games.farkle.races.contenders import Contender
from exactdice.games.farkle.rules.dice_sets import Die
from exactdice.games.farkle.turn.advice import (
    RatedOption,
    Way,
    advise,
    roll_text,
    selections,
    ways_on,
)
from exactdice.games.farkle.turn.exact import Overshoot, TurnOptimum, solve
from exactdice.run import Run

_PLACES = 6  # of a regret that a person is told


@dataclass(frozen=True)
class RaceSituation:
    """What a player decides on: the mover, 0 or 1, with scores, points, roll and ways on.

    Scores, and busts in a row before this turn, are those of the mover first; `points` those of the
    turn before the roll; `left` are the dice rolled, as text, and `ways`, at least one, stand in
    canonical order.
    """

    mover: int
    own: int
    other: int
    points: int
    roll: tuple[int, ...]
    left: str
    ways: tuple[Way, ...]
    busts: Busts

    def advice(self, chances: WinChances) -> list[RatedOption]:
        """Judge every way on, the best first."""
        scores, turn = (self.own, self.other), (self.points, self.left)
        return advise_to_win(chances, self.roll, *scores, *turn, self.mover, self.busts)


@dataclass(frozen=True)
class RaceDecision:
    """What was decided, judged, and the first of the best choices."""

    situation: RaceSituation
    choice: RatedOption
    best: RatedOption


@dataclass(frozen=True)
class RivalRoll:
    """One roll of an opponent who plays for points.

    Score and points of the turn are those before the roll; `choice` is None for a bust.
    """

    own: int
    points: int
    roll: tuple[int, ...]
    choice: RatedOption | None


RacePlayer: TypeAlias = Callable[[RaceSituation], int]
"""Says the place of the chosen way among those of the situation."""


class RaceGame:
    """A race of two players, step by step, of whom at least one plays to win."""

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
        """What is to be decided."""
        if self.winner is not None:
            raise InputError("situation", Unquoted("a race that is over"), "a race that goes on")
        return self._situation

    def step(self, place: object) -> RaceDecision:
        """Go on with a way, by its place among those of the situation."""
        situation = self.situation
        way = situation.ways[natural(place, "place", most=len(situation.ways) - 1)]
        judged = situation.advice(self.chances)
        choice = next(each for each in judged if each.way == way)
        reached = situation.points + way.score
        least = self.chances.players[self.mover].rules.least_to_bank(situation.own)
        if way.then == "roll":
            self._go_on(reached, way.left)
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
        offered = selections(player.rules, player.dice, roll, dice)
        ways = tuple(ways_on(turn, player.menus, points, offered))
        left = player.dice.describe(state)
        return RaceSituation(self.mover, own, other, points, roll, left, ways, self._row)

    def _points_added(self, player: Contender, own: int) -> int | None:
        """Play a whole turn for points, and return what it adds to the score; None for a bust."""
        turn = _turn_for_points(player, own, player.rules.fall(own, self._row[0]))
        points, state = 0, player.dice.full
        while True:
            _, roll = self._thrown(player, state)
            choices = advise(turn, roll, points, player.dice.describe(state))
            choice = choices[0] if choices else None
            self.undecided.append(RivalRoll(own, points, roll, choice))
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
        return die.faces[bisect_right([*accumulate(die.weights)], drawn)]


@lru_cache(maxsize=64)
def _turn_for_points(player: Contender, own: int, fall: int) -> TurnOptimum:
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
    """Play a race to its end, and tell of each decision.

    The decisions are returned with what each cost; `RaceGame.winner` says who has won.
    """
    decisions = []
    while game.winner is None:
        player = (first, second)[game.situation.mover]
        decisions.append(game.step(player(game.situation)))
        tell(decisions[-1])
    return decisions


class RacePerson:
    """Someone who is asked for each choice of one player, 0 or 1, and told what it cost."""

    def __init__(self, game: RaceGame, you: int, run: Run) -> None:
        self._game, self._you, self._run = game, you, run
        self._heard = 0
        run.say("Choose what to do by its number.")
        self._tell_of_rolls()

    def __call__(self, situation: RaceSituation) -> int:
        """Ask for the number of a way on."""
        self._run.say(
            f"\nYou have {situation.own}, the opponent {situation.other}; "
            f"{situation.points} in this turn. "
            f"You roll {roll_text(situation.roll)} with {situation.left}."
        )
        if any(situation.busts):
            yours, theirs = situation.busts
            self._run.say(f"Busts in a row before: {yours} of yours, {theirs} of the opponent's.")
        dice = self._game.chances.players[self._you].dice
        wide = len(str(len(situation.ways)))
        for number, way in enumerate(situation.ways, 1):
            self._run.say(f"  {number:{wide}}  {_words(way, dice.describe(way.left))}")
        chosen = self._run.choose(
            "choice? ", lambda line: natural(line, "choice", least=1, most=len(situation.ways))
        )
        return chosen - 1

    def hear(self, decision: RaceDecision) -> None:
        """Tell what a choice cost, or what the opponent did."""
        situation, choice = decision.situation, decision.choice
        keep = roll_text(choice.keep)
        if situation.mover != self._you:
            self._run.say(
                f"The opponent rolls {roll_text(situation.roll)}, keeps {keep} for "
                f"{choice.score} and {choice.then}s."
            )
        elif choice.best:
            self._run.say("No choice was better.")
        else:
            best = decision.best
            cost = decimal(choice.regret.middle, _PLACES)
            self._run.say(
                f"That cost {cost} of your chance to win; best was to keep "
                f"{roll_text(best.keep)} and {best.then}."
            )
        self._tell_of_rolls()

    def hear_the_end(self) -> None:
        """Tell who has won."""
        self._run.say("\nYou have won." if self._game.winner == self._you else "\nYou have lost.")

    def _tell_of_rolls(self) -> None:
        """Tell of the rolls since the last choice on which nobody had to decide."""
        for rolled in self._game.undecided[self._heard :]:
            shown = f"The opponent rolls {roll_text(rolled.roll)}"
            if isinstance(rolled, RaceSituation):
                yours = f"You roll {roll_text(rolled.roll)}"
                self._run.say(f"{yours if rolled.mover == self._you else shown}: a bust.")
            elif rolled.choice is None:
                self._run.say(f"{shown}: a bust.")
            else:
                keep, then = roll_text(rolled.choice.keep), rolled.choice.then
                self._run.say(f"{shown}, keeps {keep} for {rolled.choice.score} and {then}s.")
        self._heard = len(self._game.undecided)


def _words(way: Way, rolled: str) -> str:
    kept = f"keep {roll_text(way.keep)} for {way.score} and "
    return kept + ("bank" if way.then == "bank" else f"roll {rolled}")
