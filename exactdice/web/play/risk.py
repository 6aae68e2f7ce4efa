"""Risk odds at a glance: two armies, the chance, who is left, and every smaller battle."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from exactdice.arithmetic import decimal, mpq, natural, text
from exactdice.question import Question
from exactdice.report.model import Report, number
from exactdice.web.forms import canonical
from exactdice.web.play.model import Game, asked, percent, played, value_in

#: The largest armies of the page, which is also what its map shows.
_MOST_ATTACKERS, _MOST_DEFENDERS = 21, 20


async def _show(request: Request) -> Response:
    entered = {name: value_in(request, name, default) for name, default in _DEFAULTS.items()}

    def ask() -> list[Question]:
        attackers = natural(entered["attackers"], "attackers", least=2, most=_MOST_ATTACKERS)
        defenders = natural(entered["defenders"], "defenders", least=1, most=_MOST_DEFENDERS)
        whole = {"attackers": _MOST_ATTACKERS, "defenders": _MOST_DEFENDERS}
        return [
            asked("risk survivors", attackers=attackers, defenders=defenders),
            asked("risk table", **whole),
        ]

    def show(battle: Report, table: Report) -> dict[str, Any]:
        attackers, defenders = int(entered["attackers"]), int(entered["defenders"])
        chance = number(battle.value("win_probability"))
        return {
            "chance": percent(chance),
            "exact": text(chance),
            "losses": [
                ("the attacker loses", _units(battle.value("expected_attacker_losses"))),
                ("the defender loses", _units(battle.value("expected_defender_losses"))),
            ],
            "figure": canonical(asked("risk survivors", **entered), suffix=".svg"),
            "rows": _map(table, attackers, defenders),
            "columns": range(1, _MOST_DEFENDERS + 1),
        }

    return await played(
        request,
        "risk.html",
        ask,
        show,
        entered=entered,
        most_attackers=_MOST_ATTACKERS,
        most_defenders=_MOST_DEFENDERS,
    )


_DEFAULTS = {"attackers": "8", "defenders": "5"}


def _units(mean: Any) -> str:
    return f"{decimal(mpq(mean), 2)} units on average"


def _map(table: Report, attackers: int, defenders: int) -> list[tuple[int, list[dict[str, Any]]]]:
    """Rows of the map, the largest army first: chances in percent, a shade for each twentieth."""
    rows: dict[int, list[dict[str, Any]]] = {}
    for a, d, chance in table.tables[0].rows:
        cell = {
            "percent": text(int(number(chance) * 100)),
            "shade": int(number(chance) * 20),
            "here": (a, d) == (attackers, defenders),
        }
        rows.setdefault(int(str(a)), []).append(cell)
    return sorted(rows.items(), reverse=True)


GAME = Game(
    "/play/risk",
    "Risk",
    "Risk odds at a glance",
    "Two armies by sliders: who wins, who is left, and every smaller battle beside it.",
    _show,
)
