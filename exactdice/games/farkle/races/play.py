"""A race of two, roll by roll, for `exactdice.solve.play`, which rates every choice.

A state is everything that both players see: the player to move, both scores and busts in a row, the
points of the turn, and the faces rolled so far. A roll that scores leads to its ways
(`turn.advice.Way`); their regret is the loss of probability to win if both players then play as the
race was solved. A bust, and the whole play of an opponent for points (a `TargetPlayer`), are single
choices.
"""

from functools import lru_cache, partial
from typing import NamedTuple, TypeAlias

from exactdice.dice import Distribution
from exactdice.enclosure import Enclosure
from exactdice.games.farkle.races.chances import Aim, Busts, Contender, WinChances
from exactdice.games.farkle.rules.dice_sets import Die
from exactdice.games.farkle.turn.advice import Way, advise, roll_text, selections, ways_on
from exactdice.games.farkle.turn.exact import Overshoot, TurnOptimum, solve
from exactdice.solve.game import Game
from exactdice.solve.play import Lookahead, Words
from exactdice.solve.turns import Choice, End, Turn, point_mass

BUST = "bust"
WON = ("first", "second")
"""The ends of a race, by the winner."""


class RaceMoment(NamedTuple):
    """A moment of a race; `left` numbers the dice rolled, `roll` are the faces rolled so far."""

    who: int
    scores: tuple[int, int]
    busts: Busts
    points: int
    left: int
    roll: tuple[int, ...] = ()

    @property
    def standing(self) -> tuple[int, int, int, Busts]:
        own, other = self.scores[:: -1 if self.who else 1]
        row, others = self.busts[:: -1 if self.who else 1]
        return own, other, self.who, (row, others)


After: TypeAlias = "RaceMoment | str"


def lookahead(chances: WinChances) -> Lookahead:
    start = RaceMoment(0, (0, 0), (0, 0), 0, chances.first.dice.full)

    def at(state: After) -> Enclosure | None:
        if isinstance(state, str):
            return Enclosure.of(int(state == WON[0]))
        if state.roll:
            return None
        standing = state.standing
        if state.points:
            chance = chances.turn(*standing).rolling(state.points, state.left)
        else:
            chance = chances.chance(*standing)
        return 1 - chance if state.who else chance

    moves = lru_cache(maxsize=1024)(partial(_moves, chances))  # each is used several times
    return Lookahead(Game(start, moves), at)


def _moves(chances: WinChances, state: After) -> End | Turn[After] | Distribution[After]:
    if isinstance(state, str):
        return End(int(state == WON[0]))
    player = chances.players[state.who]
    dice = _dice(player, state.left)
    if len(state.roll) < len(dice):
        die = dice[len(state.roll)]
        return die.distribution().map(lambda face: state._replace(roll=(*state.roll, face)))
    if player.aim is Aim.WIN:
        turn = chances.turn(*state.standing)
        offered = selections(player.rules, player.dice, state.roll, dice)
        ways = list(ways_on(turn, player.menus, state.points, offered))
    else:
        ways = _way_for_points(player, state)
    on = [Choice(way, 0, point_mass(_taken(chances, state, way))) for way in ways]
    return Turn(state.who + 1, on or [Choice(BUST, 0, point_mass(_ended(chances, state, None)))])


def _dice(player: Contender, left: int) -> tuple[Die, ...]:
    kinds = zip(player.dice.kinds, player.dice.left(left), strict=True)
    return tuple(die for die, number in kinds for _ in range(number))


def _way_for_points(player: Contender, state: RaceMoment) -> list[Way]:
    own, _, _, (row, _) = state.standing
    turn = _turn_for_points(player, own, player.rules.fall(own, row))
    judged = advise(turn, state.roll, state.points, player.dice.describe(state.left))
    return [choice.way for choice in judged[:1]]


@lru_cache(maxsize=64)
def _turn_for_points(player: Contender, own: int, fall: int) -> TurnOptimum:
    least = player.rules.least_to_bank(own)
    rules = player.rules.varied(target=None, entry_minimum=0, minimum_bank=least, penalty=fall)
    return solve(player.dice, rules.varied(target=player.end(own)), Overshoot.NEEDED)


def _taken(chances: WinChances, state: RaceMoment, way: Way) -> After:
    reached = state.points + way.score
    if way.then == "roll":
        return state._replace(points=reached, left=way.left, roll=())
    least = chances.players[state.who].rules.least_to_bank(state.scores[state.who])
    return _ended(chances, state, reached if reached >= least else 0)


def _ended(chances: WinChances, state: RaceMoment, added: int | None) -> After:
    own, other, who, busts = state.standing
    if added is None:
        own, busts = chances.after_bust(who, own, busts)
    elif added:
        own, busts = own + added, (0, busts[1])
    if own >= chances.players[who].target:
        return WON[who]
    scores, (row, others) = ((own, other), busts) if who == 0 else ((other, own), busts[::-1])
    return RaceMoment(1 - who, scores, (row, others), 0, chances.players[1 - who].dice.full)


def words(chances: WinChances, you: int) -> Words:
    def left(state: RaceMoment, number: int) -> str:
        return chances.players[state.who].dice.describe(number)

    def seen(state: RaceMoment) -> str:
        own, other, _, (yours, theirs) = state.standing
        shown = (
            f"You have {own}, the opponent {other}; {state.points} in this turn. "
            f"You roll {roll_text(state.roll)} with {left(state, state.left)}."
        )
        if not yours and not theirs:
            return shown
        before = f"Busts in a row before: {yours} of yours, {theirs} of the opponent's."
        return f"{shown}\n{before}"

    def called(state: RaceMoment, action: Way | str) -> str:
        if isinstance(action, str):
            return "a bust"
        then = "bank" if action.then == "bank" else f"roll {left(state, action.left)}"
        return f"keep {roll_text(action.keep)} for {action.score} and {then}"

    def unasked(player: int, state: RaceMoment, action: Way | str) -> str:
        who = "You roll" if player == you + 1 else "The opponent rolls"
        return f"{who} {roll_text(state.roll)}: {called(state, action)}."

    return Words("", seen, called, unasked, lambda way: (way.then != "bank", -way.score, -way.left))
