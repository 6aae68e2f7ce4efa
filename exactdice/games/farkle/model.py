"""A turn of Farkle, and a race of two, as games for the general solvers.

The states of a turn are the rolls to come (points at stake and dice to roll), their menus, and the
end; the choices on a menu are to bank its best score, or to keep an option and roll on, in
canonical order. A race also has the scores and the busts in a row of both players, and there every
option of a roll may be kept, to bank or to roll on. These are independent ways to the values of
`turn.exact` and `races.solve`, with certificates that anybody can check. They are far slower than
the sweeps: they serve as checks.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from exactdice import models
from exactdice.dice import Distribution
from exactdice.formats.certified import Stated
from exactdice.games.farkle.questions import FarkleRace, FarkleValue
from exactdice.games.farkle.races.chances import Contender, contender
from exactdice.games.farkle.races.play import WON
from exactdice.games.farkle.rules.menus import Menu, menus_of
from exactdice.games.farkle.rules.rule_set import STREAK
from exactdice.games.farkle.turn.exact import TurnOptimum
from exactdice.models import Chance, Choice, End, Game, Paid, point_mass
from exactdice.run import Run

State = tuple[int, ...]
"""(points, dice left) before a roll, (points, dice rolled, number of the menu) after it."""

END: State = ()


def as_game(turn: TurnOptimum) -> Game[State]:
    def moves(state: State) -> Any:
        if state == END:
            return End(0)
        points, dice = state[:2]
        offered = turn.menus.by_state[dice]
        if len(state) == 3:
            return list(_ways_on(turn, points, list(offered.menus)[state[2]]))
        showing: dict[State | Paid[State], int] = {
            (points, dice, place): weight for place, weight in enumerate(offered.menus.values())
        }
        if offered.bust:
            showing[Paid(-turn.rules.penalty, END)] = offered.bust
        return Chance(0, Distribution(showing))

    return Game((0, max(turn.dice.proper_states())), moves)


def _ways_on(turn: TurnOptimum, points: int, menu: Menu) -> Iterator[Choice[State]]:
    banked = turn.banking_worth(points + menu[0][0])
    if banked is not None:
        yield Choice("bank", banked, point_mass(END))
    for score, left in menu:
        reached, following = points + score, turn.menus.next_state(left)
        if following and reached < turn.end:
            yield Choice((score, left), 0, point_mass((reached, following)))
        elif banked is None:
            yield Choice((score, left), 0, point_mass(END))  # nothing to roll, nothing to bank


@dataclass(frozen=True)
class RaceState:
    """Mover, 0 or 1; scores and busts in a row of both players; and the turn, as a `State`."""

    who: int
    scores: tuple[int, ...]
    busts: tuple[int, ...]
    turn: State


def as_race(
    first: Contender,
    second: Contender,
    scores: tuple[int, ...] = (0, 0),
    busts: tuple[int, ...] = (0, 0),
) -> Game[RaceState | str]:
    """Write a race as a game, both to win; its value is the probability that the first wins."""
    players = first, second
    menus = [menus_of(player.rules, player.dice, prune=False) for player in players]

    def after(state: RaceState, gained: int, row: int) -> RaceState | str:
        who, scores, busts = state.who, list(state.scores), list(state.busts)
        scores[who], busts[who] = scores[who] + gained, row
        if scores[who] >= players[who].target:
            return WON[who]
        turn = 0, players[1 - who].dice.full
        return RaceState(1 - who, tuple(scores), tuple(busts), turn)

    def moves(state: RaceState | str) -> Any:
        if isinstance(state, str):
            return End(int(state == WON[0]))
        who, (points, dice, *shown) = state.who, state.turn
        rules, own, row = players[who].rules, state.scores[who], state.busts[who]
        offered = menus[who].by_state[dice]
        if not shown:
            showing: dict[RaceState | str, int] = {
                replace(state, turn=(points, dice, place)): weight
                for place, weight in enumerate(offered.menus.values())
            }
            if offered.bust:
                row_after = (row + 1) % STREAK if rules.streak_penalty else 0
                showing[after(state, -rules.fall(own, row), row_after)] = offered.bust
            return Distribution(showing)
        ways: list[Choice[RaceState | str]] = []
        for score, left in list(offered.menus)[shown[0]]:
            reached, rolled = points + score, menus[who].next_state(left)
            banks, rolls = reached >= rules.least_to_bank(own), reached < players[who].end(own)
            if banks:
                ways.append(Choice(("bank", score, left), 0, point_mass(after(state, reached, 0))))
            if rolled and rolls:
                on = replace(state, turn=(reached, rolled))
                ways.append(Choice(("roll", score, left), 0, point_mass(on)))
            elif not banks:  # nothing to roll, nothing to bank
                ways.append(Choice(("end", score, left), 0, point_mass(after(state, 0, row))))
        return models.Turn(who + 1, ways)

    return Game(RaceState(0, scores, busts, (0, first.dice.full)), moves)


def game_of_turn(asked: FarkleValue, run: Run) -> Stated:
    return Stated(as_game(asked.solved(run)), f"Farkle: a turn with {asked.dice},")


def game_of_race(asked: FarkleRace, run: Run) -> Stated:
    """State the race of a question, both players playing to win; label a win."""
    first = contender(asked.first, asked.game(), argument="first")
    second = contender(asked.second, asked.game(asked.second_rules), argument="second")
    race = as_race(first, second, asked.scores, asked.busts)
    title = f"Farkle: a race of {asked.first} against {asked.second},"
    return Stated(race, title, {"won": lambda state: bool(state == WON[0])})
