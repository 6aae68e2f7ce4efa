"""A duel of FateStones: two hands of up to three dice, and with which chances to choose each."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from exactdice.arithmetic import significant, text
from exactdice.games.fatestones.rules import decode_die
from exactdice.question import Question
from exactdice.report.model import Report, number
from exactdice.web.numbers import exactly, percent
from exactdice.web.play.model import Game, Headline, asked, played, value_in

_HAND = 3
_FIRST = {"row": ("111666", "123456", "222555"), "column": ("114456", "333336", "133446")}


async def _show(request: Request) -> Response:
    is_first = not request.url.query
    hands = {
        side: [
            value_in(request, f"{side}{place}", first[place] if is_first else "")
            for place in range(_HAND)
        ]
        for side, first in _FIRST.items()
    }
    named: list[str] = []
    dice = {f"{side}{place}": die for side, hand in hands.items()
            for place, die in enumerate(hand) if die}  # fmt: skip
    labels = {name: f"Die {int(name[-1]) + 1} of player {1 if 'row' in name else 2}"
              for name in dice} | {"row": "Player 1", "column": "Player 2"}  # fmt: skip

    def ask() -> list[Question]:
        for name, die in dice.items():
            decode_die(die, name)
        row, column = (",".join(filter(None, hands[side])) for side in ("row", "column"))
        return [asked("fatestones dice"), asked("fatestones duel", row=row, column=column)]

    def show(dice: Report, duel: Report) -> dict[str, Any]:
        named.extend(map(str, dice.tables[0].cells(dice.tables[0].columns[0].name)))
        value = number(duel.value("value"))
        chances: dict[str, list[tuple[str, str, str]]] = {"row": [], "column": []}
        for side, die, chance in duel.table("first_choices").rows:
            chances[str(side)].append((str(die), percent(number(chance)), text(number(chance))))
        better = 1 if value > 0 else 2
        sentence = f"edge of player {better}: so much more often they win than lose, at best play"
        even = Headline("An even duel", "at best play both win as often as they lose", "0")
        headline = Headline(percent(abs(value), 2), sentence, exactly(abs(value)))
        return {
            "headline": headline if value else even,
            "chances": chances,
            "payoffs": [
                (row, column, significant(number(payoff), 6), text(number(payoff)))
                for row, column, payoff in duel.table("payoff").rows
            ],
        }

    return await played(request, "fatestones.html", ask, show, labels, hands=hands, named=named)


GAME = Game(
    "/play/fatestones",
    "FateStones",
    "FateStones duel",
    "Two hands of dice: what the duel is worth, and how often to choose each die.",
    _show,
)
