r"""A turn of Farkle, and a race of two, as games for the general solvers: the rules as a program.

The states of a turn are the rolls to come (points at stake and dice to roll), the menus that they
show, and the end; the choices on a menu are to bank its best score, or to keep one of its options
and roll on, in canonical order. A race has the scores and the busts in a row of both players
besides; there every option of a roll may be kept, and banked or rolled on with. Solved as models
these are independent ways to the values of `turn.exact` and `races.solve`, with a certificate that
a stranger can check. They are far slower than the sweeps: they are meant for checking.
"""

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any

from exactdice import models
from exactdice.dice import Distribution
from exactdice.formats.explicit import ExplicitModel, explicit
from exactdice.formats.files import check_ending
from exactdice.formats.questions import Export
from exactdice.games.farkle.questions import DiceSets, TurnQuestion
from exactdice.games.farkle.races.contenders import Contender, contender
from exactdice.games.farkle.races.play import WON
from exactdice.games.farkle.races.questions import FarkleRace
from exactdice.games.farkle.rules.dice_sets import DiceSet
from exactdice.games.farkle.rules.menus import Menu, menus_of
from exactdice.games.farkle.rules.rule_set import STREAK
from exactdice.games.farkle.turn.exact import TurnOptimum
from exactdice.games.farkle.turn.questions import FarkleValue
from exactdice.models import Chance, Choice, End, Game, Paid, point_mass
from exactdice.question import option
from exactdice.run import Run

State = tuple[int, ...]
"""(points, dice left) before a roll, (points, dice rolled, place of the menu) after it."""

END: State = ()


@dataclass(frozen=True)
class ModelExportFarkle(
    Export,
    TurnQuestion,
    command="model export-farkle",
    example="model export-farkle turn.umb --target 500",
    takes="2 s to 2000 points, 6 s to 10000; races of six dice each 3 s to 300, 17 s to 500",
):
    """Write a turn of Farkle as a decision process, or a race of two as a game."""

    _: KW_ONLY
    opponent: DiceSet | None = option(
        DiceSets(), "Write the race to the target against these dice instead; both play to win."
    )

    def check(self) -> None:
        """Refuse a race to no target, and one in a format that knows one player alone."""
        super().check()
        if self.opponent is not None:
            self.reachable()
            self.require_race(self.opponent)
            check_ending(self.file, (".umb",), "file")

    def listed(self, run: Run) -> tuple[str, ExplicitModel]:
        """Explore the turn, or the race; 1 is paid where the first player wins, labelled won."""
        if self.opponent is None:
            title = f"Farkle: a turn with {self.dice}, as a decision process"
            return title, explicit(as_game(self.solved(run)).explored(run))
        own = contender(self.dice, self.game())
        other = contender(self.opponent, self.game(), argument="opponent")
        title = f"Farkle: a race of {self.dice} against {self.opponent}, as a game of two"
        won = {"won": lambda state: bool(state == WON[0])}
        return title, explicit(as_race(own, other).explored(run), won, most_players=2)


def as_game(turn: TurnOptimum) -> Game[State]:
    """Write a turn as a game whose value is its expected final points."""

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
    """Bank the best score, or keep an option and roll on."""
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
    """Who is to move, 0 or 1; scores and busts in a row of both; and the turn, as a `State`."""

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
    """Write a race, both to win, as a game whose value is the chance that the first wins."""
    players = first, second
    menus = [menus_of(player.rules, player.dice, prune=False) for player in players]

    def after(state: RaceState, gained: int, row: int) -> RaceState | str:
        """End a turn: the first to come to the target has won, else the other is to move."""
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
        choices: list[Choice[RaceState | str]] = []
        for score, left in list(offered.menus)[shown[0]]:
            reached, rolled = points + score, menus[who].next_state(left)
            banks, rolls = reached >= rules.least_to_bank(own), reached < players[who].end(own)
            if banks:
                choices.append(
                    Choice(("bank", score, left), 0, point_mass(after(state, reached, 0)))
                )
            if rolled and rolls:
                on = replace(state, turn=(reached, rolled))
                choices.append(Choice(("roll", score, left), 0, point_mass(on)))
            elif not banks:  # nothing to roll, nothing to bank
                choices.append(Choice(("end", score, left), 0, point_mass(after(state, 0, row))))
        return models.Turn(who + 1, choices)

    return Game(RaceState(0, scores, busts, (0, first.dice.full)), moves)


def game_of_turn(asked: FarkleValue, run: Run) -> Game[State]:
    """The game that a question about a whole turn is about."""
    return as_game(asked.solved(run))


def game_of_race(asked: FarkleRace, run: Run) -> Game[RaceState | str]:
    """The race that a question is about, both players playing to win."""
    first = contender(asked.first, asked.game(), argument="first")
    second = contender(asked.second, asked.game(asked.second_rules), argument="second")
    return as_race(first, second, asked.scores, asked.busts)


QUESTIONS = (ModelExportFarkle,)
