"""The dice calculator, AnyDice programs, and advice in Risk, FateStones, Reroll and SWE.

The calculator shows the distribution of an expression while you type; a second expression is
compared with the first.
"""

import re
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from exactdice.arithmetic import mpq, natural, rational, significant, text
from exactdice.enclosure import amount, exactly, percent, points
from exactdice.errors import InputError
from exactdice.games.fatestones.rules import bag, decode_die, encode_die
from exactdice.games.swe.rules import STANDARD
from exactdice.question import Question
from exactdice.report.eyes import Headline, headline
from exactdice.report.model import Report, number
from exactdice.typed import is_program, near
from exactdice.web.forms import canonical, rolls_in
from exactdice.web.pieces import MOST_ROWS, bars, law_in, reading, shown
from exactdice.web.play.model import PlayPage, asked, played, value_in

_MOST_DICE = 5  # of Reroll
_MOST_ROUNDS = 30  # of SWE
_ROLL = {"roll": "346", "penalty": "1"}
_HANDS = {"row": ("111666", "123456", "222555"), "column": ("114456", "333336", "133446")}


async def _duel(request: Request) -> Response:
    is_first = not request.url.query
    hands = {side: [value_in(request, f"{side}{place}", die if is_first else "")
                    for place, die in enumerate(first)]
             for side, first in _HANDS.items()}  # fmt: skip
    dice = {f"{side}{place}": die for side, hand in hands.items()
            for place, die in enumerate(hand) if die}  # fmt: skip
    labels = {"row": "Player 1", "column": "Player 2", "hands": "Both hands"}
    labels |= {name: f"Die {int(name[-1]) + 1} of {labels[name[:-1]].lower()}" for name in dice}

    def ask() -> list[Question]:
        for name, die in dice.items():
            decode_die(die, name)
        row, column = (",".join(filter(None, hands[side])) for side in ("row", "column"))
        return [asked("fatestones duel", row=row, column=column)]

    def show(duel: Report) -> dict[str, Any]:
        chances: dict[str, list[tuple[str, str, str]]] = {"row": [], "column": []}
        for side, die, chance in duel.table("first_choices").rows:
            chances[str(side)].append((str(die), percent(number(chance)), text(number(chance))))
        payoffs = [(*pair, significant(number(payoff), 6), text(number(payoff)))
                   for *pair, payoff in duel.table("payoff").rows]  # fmt: skip
        return {"headline": headline(duel), "chances": chances, "payoffs": payoffs}

    stones = map(encode_die, bag())
    return await played(request, "fatestones.html", ask, show, labels, hands=hands, named=stones)


async def _roll(request: Request) -> Response:
    entered = {name: value_in(request, name, value) for name, value in _ROLL.items()}
    roll: tuple[int, ...] = ()

    def ask() -> list[Question]:
        nonlocal roll
        faces = re.findall(r"[^\s,]", entered["roll"])
        roll = tuple(sorted(natural(face, "roll", least=1, most=6) for face in faces))
        if not 1 <= len(roll) <= _MOST_DICE:
            raise InputError("roll", entered["roll"], f"1 to {_MOST_DICE} faces from 1 to 6")
        return [asked("reroll policy", dice=len(roll), penalty=entered["penalty"])]

    def show(policy: Report) -> dict[str, Any]:
        states = policy.table("states")
        value = number(states.cell("value", state=roll))
        ties = states.cell("ties", state=roll)
        assert isinstance(ties, tuple)  # noqa: S101 - a column of lists
        best = ties[0]
        kept = " and ".join(str(roll[place]) for place in best) or "nothing"
        is_over = len(best) == len(roll)
        does = "stick" if is_over else f"hold {kept} and roll the rest again"
        said = Headline(points(value), f"points on average: {does}", exactly(value))
        actions = [[(face, place in held) for place, face in enumerate(roll)] for held in ties]
        return {"headline": said, "actions": actions, "game": points(policy.value("value"))}

    labels = {"roll": "Dice rolled", "penalty": "Each reroll costs"}
    return await played(request, "reroll.html", ask, show, labels, entered=entered)


async def _table(request: Request) -> Response:
    usual = {"rounds": "10", "round": "6", "score": "8"}
    numbers = {name: value_in(request, name, default) for name, default in usual.items()}
    # The example of the question: one d6 and one d8.
    first = {"r6": "1", "r8": "1"} if not request.url.query else {}
    dice = {
        kind: [(faces, value_in(request, f"{kind[0]}{faces}", first.get(f"{kind[0]}{faces}", "0")))
               for faces in STANDARD]
        for kind in ("revenue", "legacy")
    }  # fmt: skip

    def ask() -> list[Question]:
        pools = {kind: [natural(number, f"{kind[0]}{faces}", most=_MOST_ROUNDS)
                        for faces, number in counted]
                 for kind, counted in dice.items()}  # fmt: skip
        rounds = natural(numbers["rounds"], "rounds", least=1, most=_MOST_ROUNDS)
        before = natural(numbers["round"], "round", least=1, most=rounds) - 1
        made = sum(rung * count for pool in pools.values() for rung, count in enumerate(pool, 1))
        if before and not made:
            raise InputError("round", numbers["round"], "1, because there are no dice")
        if made > before:
            wanted = f"at least {made + 1}, because these dice take {made} rounds"
            raise InputError("round", numbers["round"], wanted)
        tables = {kind: ",".join(map(text, pool)) for kind, pool in pools.items()}
        return [asked("swe advise", **numbers | {"rounds": rounds}, **tables)]

    def show(advice: Report) -> dict[str, Any]:
        actions = sorted(advice.table("actions").rows, key=lambda row: -number(row[1]))
        rows = [(action, points(worth), amount(regret, 3), is_best)
                for action, worth, regret, is_best in actions]  # fmt: skip
        return {"headline": headline(advice), "rows": rows, "reachable": advice.value("reachable")}

    labels = {f"{kind[0]}{faces}": f"{kind.capitalize()} d{faces}"
              for kind in dice for faces in STANDARD}  # fmt: skip
    labels |= {"rounds": "Rounds of the game", "round": "Round that begins", "score": "Score"}
    return await played(request, "swe.html", ask, show, labels, numbers=numbers, dice=dice)


FATESTONES = PlayPage("/play/fatestones", "FateStones", "FateStones duel",
                      "Two hands of dice: the value of the duel, and how often to choose each die.",
                      _duel)  # fmt: skip
REROLL = PlayPage("/play/reroll", "Reroll", "Reroll advice",
                  "Your roll: which dice to hold, and the expected score.", _roll)  # fmt: skip
SWE = PlayPage("/play/swe", "SWE", "Software-engineering game",
               "Your dice and score: the best action, and the cost of every other action.",
               _table)  # fmt: skip


_MOST_UNITS = 500  # units of either side
#: The largest armies of the map.
_MOST_ATTACKERS, _MOST_DEFENDERS = 21, 20
_BATTLE = {"attackers": "8", "defenders": "5", "then": ""}
#: House rules by field: label and default.
_HOUSE = {"attacker_dice": ("Attacker's dice", "3"), "defender_dice": ("Defender's dice", "2"),
          "sides": ("Sides of the dice", "6"), "ties": ("Ties go to the", "defender"),
          "attacker_bonus": ("Attacker's bonus", "0"),
          "defender_bonus": ("Defender's bonus", "0")}  # fmt: skip
_LABELS = {name: label for name, (label, _) in _HOUSE.items()}
_LABELS |= {"attackers": "Attackers", "defenders": "Defenders", "then": "Then"}
_LABELS |= {"territories": "Then"}


async def _battle(request: Request) -> Response:
    entered = {name: value_in(request, name, default) for name, default in _BATTLE.items()}
    house = {name: value_in(request, name, default) for name, (_, default) in _HOUSE.items()}
    entered["then"] = " ".join(entered["then"].replace(",", " ").split()[:20])
    if more := value_in(request, "add"):
        entered["then"] = f"{entered['then']} {more}".strip()
    rules = {name: value for name, value in house.items() if value != _HOUSE[name][1]}

    def ask() -> list[Question]:
        attackers = natural(entered["attackers"], "attackers", least=2, most=_MOST_UNITS)
        defenders = natural(entered["defenders"], "defenders", least=1, most=_MOST_UNITS)
        later = [
            str(natural(d, "then", least=1, most=_MOST_UNITS)) for d in entered["then"].split()
        ]
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
            return _campaign(battle)
        attackers, defenders = int(entered["attackers"]), int(entered["defenders"])
        return {
            "headline": headline(battle),
            "losses": [(who, amount(battle.value(f"expected_{who}_losses")))
                       for who in ("attacker", "defender")],
            "least": [(wanted, army, percent(reached))
                      for wanted, army, reached in least.tables[0].rows],
            "chart": _left(battle),
            "rows": _odds(table[0], attackers, defenders) if table else [],
            "columns": range(1, _MOST_DEFENDERS + 1),
        }  # fmt: skip

    return await played(request, "risk.html", ask, show, _LABELS, entered=entered,
                        house=[(name, label, house[name]) for name, (label, _) in _HOUSE.items()],
                        most_attackers=_MOST_ATTACKERS, most_defenders=_MOST_DEFENDERS,
                        rules=rules)  # fmt: skip


def _campaign(campaign: Report) -> dict[str, Any]:
    law = {int(number(n)): number(p) for n, p in campaign.table("territories").rows}

    def says(_law: int, count: Any) -> str:
        return f"{count} taken: {percent(law[count], 2)}"

    chart = bars([law], says, "Number of territories taken", "Probability of each number.",
                 axes=("territories taken", "probability"))  # fmt: skip
    return {"headline": headline(campaign), "chart": chart}


def _left(battle: Report) -> dict[str, Any] | None:
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

    caption = "Left of 0: surviving defenders. Right: surviving attackers."
    names = ("units left", "probability")
    return bars([held, won], says, "Survivors; arrow keys select bars", caption, axes=names)


def _odds(table: Report, attackers: int, defenders: int) -> list[tuple[int, list[dict[str, Any]]]]:
    rows: dict[int, list[dict[str, Any]]] = {}
    for a, d, chance in table.tables[0].rows:
        share = number(chance) * 100
        said = "<1" if 0 < share < 1 else ">99" if 99 < share < 100 else text(int(share))
        cell = {"percent": said, "shade": int(share / 5), "here": (a, d) == (attackers, defenders)}
        rows.setdefault(int(str(a)), []).append(cell)
    return sorted(rows.items(), reverse=True)


RISK = PlayPage("/play/risk", "Risk", "Risk odds at a glance",
                "Two armies: who wins, who survives, the units needed, and all smaller battles.",
                _battle)  # fmt: skip


#: Examples of expressions.
EXAMPLES = ("3d6", "4d6 keep highest 3", "4d6kh3", "2d20 keep highest + 5 >= 15", "d8 > d6",
            "5d10 count >= 8", "2d6 explode 3 times", "d6 reroll 1 once", "max(d12, 2d6) - d4",
            "(d4)d6")  # fmt: skip
#: Quantities of the bars, with their columns.
_SHOWN = {"exactly": "probability", "at least": "at_least", "at most": "at_most"}


async def _calculate(request: Request) -> Response:
    expression, other = value_in(request, "expression", EXAMPLES[1]), value_in(request, "other")
    if not other:  # both in one field, as in the search box
        expression, *others = rolls_in(expression)
        other = " vs ".join(others)
    chosen = value_in(request, "show", "exactly")
    chosen = chosen if chosen in _SHOWN else "exactly"

    def ask() -> list[Question]:
        both = [asked("dice distribution", expression=one) for one in (expression, other) if one]
        if other:
            both.append(asked("dice compare", expressions=f"{expression} vs {other}"))
        return both

    def show(*reports: Report) -> dict[str, Any]:
        laws, names = list(reports[:2]), [expression, other][: len(reports[:2])]
        both = reports[2:]
        number = None
        if both and "above" in {
            quantity.column.name for quantity in both[0].quantities
        }:  # a plain number is drawn as a line
            target = next(place for place, law in enumerate(laws) if len(_drawn(law)) == 1)
            [number] = _drawn(laws.pop(target))
            del names[target]
        csv = canonical(asked("dice distribution", expression=names[0]), suffix=".csv")
        return {"headline": headline(reports[-1]), "facts": [_law_facts(one) for one in laws],
                "ways": [] if _is_comparison(laws[0]) else [*_SHOWN], "names": names,
                "chart": _chart(laws, chosen, names, number),
                "all": _outcomes(laws, names), "csv": f"{csv}&table=outcomes"}  # fmt: skip

    return await played(request, "calculator.html", ask, show, {"expression": "Dice"},
                        expression=expression, other=other, shown=chosen,
                        examples=EXAMPLES, near=lambda: near(expression))  # fmt: skip


def _is_comparison(law: Report) -> bool:
    return "variance" not in {quantity.column.name for quantity in law.quantities}


def _law_facts(law: Report) -> list[tuple[str, str]]:
    if _is_comparison(law):
        return [("probability", percent(law.value("value")))]
    shown = [("mean", "value"), ("variance", "variance")]
    spread = str(law.value("standard_deviation")).rpartition("≈ ")[2]
    return [
        *((name, points(law.value(key))) for name, key in shown),
        ("standard deviation", points(rational(spread))),
        ("median", str(law.value("median"))),
    ]


def _drawn(law: Report, chosen: str = "exactly") -> dict[Any, mpq]:
    table, column = law.tables[0], _SHOWN[chosen]
    is_there = column in {c.name for c in table.columns}
    return law_in(table, column if is_there else "probability")


def _chart(
    laws: list[Report], chosen: str, names: list[str], number: Any = None
) -> dict[str, Any] | None:
    drawn = [_drawn(law, chosen) for law in laws]
    how = "" if chosen == "exactly" else f"{chosen} "

    def says(kind: int, outcome: Any) -> str:
        of = f"{names[kind]}: " if len(laws) > 1 else ""
        return f"{of}{how}{reading(outcome, drawn[kind])}"

    label = f"Chances of {' and '.join(filter(None, names))}, {chosen}; arrow keys select bars"
    label += "" if number is None else f"; a line marks {number}"
    axes = ("result", f"probability of {how or 'exactly '}this")
    return bars(drawn, says, label, line=number, axes=axes)


def _outcomes(laws: list[Report], names: list[str]) -> dict[str, Any]:
    """Return the table of all outcomes: the probabilities of one roll, or of several beside."""
    ways = [way for way in _SHOWN if not _is_comparison(laws[0])] or ["exactly"]
    if len(laws) > 1:
        ways = ways[:2]
    shown = [(way, name, _drawn(law, way))
             for way in ways for law, name in zip(laws, names, strict=True)]  # fmt: skip
    outcomes = list(dict.fromkeys(outcome for _, _, law in shown for outcome in law))
    if all(isinstance(outcome, int) for outcome in outcomes):
        outcomes.sort()
    fractions = [_drawn(laws[0])] if len(laws) == 1 else []
    rows = [
        (outcome, [percent(law.get(outcome, 0), 2) for _, _, law in shown],
         [exactly(law[outcome]) for law in fractions])
        for outcome in outcomes[:MOST_ROWS]
    ]  # fmt: skip
    heads = [(f"{name} " if len(laws) > 1 else "", way) for way, name, _ in shown]
    return {"heads": heads, "rows": rows, "left": len(outcomes) - len(rows)}


CALCULATOR = PlayPage("/play/dice", "Dice", "Dice calculator",
                      "Enter dice such as 4d6 keep highest 3, and see the probability of each sum.",
                      _calculate)  # fmt: skip


_PROGRAM = 'output [highest 3 of 4d6] named "best three of four"\noutput 3d6 named "three dice"\n'


async def _program(request: Request) -> Response:
    program = request.query_params.get("program", _PROGRAM).replace("\r\n", "\n")
    view = value_in(request, "view", "normal")

    def ask() -> list[Question]:
        if not is_program(program):
            raise InputError("program", program, "an output, for example: output 3d6")
        return [asked("anydice", program=program, view=view)]

    def show(report: Report) -> dict[str, Any]:
        drawn = shown(report, 10)
        return {"headline": headline(report), "chart": drawn.chart, "tables": drawn.tables}

    return await played(request, "anydice.html", ask, show, program=program, view=view)


ANYDICE = PlayPage("/play/anydice", "AnyDice", "AnyDice programs",
                   "Run a program: all its outputs in one chart.", _program)  # fmt: skip
