"""Risk odds: armies, the chance, who is left, how many it takes, and every smaller battle."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from exactdice.arithmetic import mpq, natural, text
from exactdice.question import Question
from exactdice.report.model import Report, number
from exactdice.web.chart import bars
from exactdice.web.numbers import amount, exactly, percent
from exactdice.web.play.model import Headline, PlayPage, asked, played, value_in

_MOST = 500  # units of either side
#: The largest armies of the map.
_MOST_ATTACKERS, _MOST_DEFENDERS = 21, 20
_DEFAULTS = {"attackers": "8", "defenders": "5", "then": ""}
#: House rules, by field: what the page calls them, and what they are else.
_HOUSE = {"attacker_dice": ("Attacker's dice", "3"), "defender_dice": ("Defender's dice", "2"),
          "sides": ("Sides of the dice", "6"), "ties": ("Ties go to the", "defender"),
          "attacker_bonus": ("Attacker's bonus", "0"),
          "defender_bonus": ("Defender's bonus", "0")}  # fmt: skip
_LABELS = {name: label for name, (label, _) in _HOUSE.items()}
_LABELS |= {"attackers": "Attackers", "defenders": "Defenders", "then": "Then"}
_LABELS |= {"territories": "Then"}


async def _show(request: Request) -> Response:
    entered = {name: value_in(request, name, default) for name, default in _DEFAULTS.items()}
    house = {name: value_in(request, name, default) for name, (_, default) in _HOUSE.items()}
    entered["then"] = " ".join(entered["then"].replace(",", " ").split()[:20])
    if more := value_in(request, "add"):
        entered["then"] = f"{entered['then']} {more}".strip()
    rules = {name: value for name, value in house.items() if value != _HOUSE[name][1]}

    def ask() -> list[Question]:
        attackers = natural(entered["attackers"], "attackers", least=2, most=_MOST)
        defenders = natural(entered["defenders"], "defenders", least=1, most=_MOST)
        later = [str(natural(d, "then", least=1, most=_MOST)) for d in entered["then"].split()]
        armies = {"attackers": attackers, "defenders": defenders}
        if later:
            defended = " ".join([str(defenders), *later])
            return [asked("risk campaign", attackers=attackers, territories=defended, **rules)]
        battle = asked("risk survivors", **armies, **rules)
        whole = {"attackers": _MOST_ATTACKERS, "defenders": _MOST_DEFENDERS}
        is_small = attackers <= _MOST_ATTACKERS and defenders <= _MOST_DEFENDERS
        table = [asked("risk table", **whole, **rules)] if is_small else []
        return [battle, asked("risk least", defenders=defenders, **rules), *table]

    def show(battle: Report, least: Report | None = None, *table: Report) -> dict[str, Any]:
        if least is None:
            return _campaign(battle, entered)
        attackers, defenders = int(entered["attackers"]), int(entered["defenders"])
        chance = battle.value("win_probability")
        return {
            "headline": Headline(percent(chance), f"{attackers} attackers beat {defenders} in Risk",
                                 exactly(chance)),
            "losses": [(who, amount(battle.value(f"expected_{who}_losses")))
                       for who in ("attacker", "defender")],
            "least": [(wanted, army, percent(reached))
                      for wanted, army, reached in least.tables[0].rows],
            "chart": _left(battle),
            "rows": _map(table[0], attackers, defenders) if table else [],
            "columns": range(1, _MOST_DEFENDERS + 1),
        }  # fmt: skip

    return await played(request, "risk.html", ask, show, _LABELS, entered=entered,
                        house=[(name, label, house[name]) for name, (label, _) in _HOUSE.items()],
                        most_attackers=_MOST_ATTACKERS, most_defenders=_MOST_DEFENDERS,
                        rules=rules)  # fmt: skip


def _campaign(campaign: Report, entered: dict[str, str]) -> dict[str, Any]:
    chance = campaign.value("value")
    taken = ", ".join([entered["defenders"], *entered["then"].split()])
    sentence = f"{entered['attackers']} attackers take territories of {taken}, one after another"
    law = {int(number(n)): number(p) for n, p in campaign.table("territories").rows}

    def says(_law: int, count: Any) -> str:
        return f"{count} taken: {percent(law[count], 2)}"

    chart = bars([law], says, "How many territories are taken", "Territories taken, by chance.")
    return {"headline": Headline(percent(chance), sentence, exactly(chance)), "chart": chart}


def _left(battle: Report) -> dict[str, Any] | None:
    """Draw who is left: defenders where they hold, else attackers."""
    held: dict[str, mpq] = {}
    won: dict[str, mpq] = {}
    rows = [
        (int(number(a)), int(number(d)), number(p)) for a, d, p in battle.table("outcomes").rows
    ]
    for _, d, chance in sorted((row for row in rows if row[1]), key=lambda row: -row[1]):
        held[f"−{d}"] = chance + held.get(f"−{d}", mpq(0))
    for a, _, chance in sorted(row for row in rows if not row[1]):
        won[f"{a}"] = chance

    def says(kind: int, units: Any) -> str:
        left = f"{units[1:]} defenders" if kind == 0 else f"{units} attackers"
        return f"{left} left: {percent((held, won)[kind][units], 2)}"

    caption = "Left of 0 the defenders who hold, right of it the attackers who win."
    return bars([held, won], says, "Who is left; arrow keys read the bars", caption)


def _map(table: Report, attackers: int, defenders: int) -> list[tuple[int, list[dict[str, Any]]]]:
    """Rows of the map, the largest army first: chances in percent, a shade for each twentieth."""
    rows: dict[int, list[dict[str, Any]]] = {}
    for a, d, chance in table.tables[0].rows:
        share = number(chance) * 100
        said = "<1" if 0 < share < 1 else ">99" if 99 < share < 100 else text(int(share))
        cell = {"percent": said, "shade": int(share / 5), "here": (a, d) == (attackers, defenders)}
        rows.setdefault(int(str(a)), []).append(cell)
    return sorted(rows.items(), reverse=True)


GAME = PlayPage(
    "/play/risk",
    "Risk",
    "Risk odds at a glance",
    "Two armies: who wins, who is left, how many it takes, and every smaller battle beside it.",
    _show,
)
