"""The numbers of the paper on the software-engineering game."""

from collections.abc import Mapping
from typing import Any

from exactdice import arithmetic
from exactdice.arithmetic import mpq
from exactdice.games.swe.reports import dice_text
from exactdice.games.swe.rules import STANDARD
from exactdice.report.model import number, text_column
from exactdice.report.model import whole as whole_column
from papers.make.sheets import (
    Macros,
    Paper,
    Shown,
    Sources,
    decimal,
    exact,
    paper_table,
    whole,
    worked,
)

__all__ = ["PAPER"]

_LONGEST = 30  # rounds of the longest game that is solved here
_STORED = "swe values 40"
_SEARCHED = {rounds: f"swe enclosure {rounds} --exact" for rounds in (50, 60, 70, 80, 100)}
_NEW_ONLY = "symbolic catastrophe --rounds 100"
_SIZES = "swe sizes 100"
_MEANS = "swe policies 100 --policy Promo --policy 'PromoThenNew(0.9)'"
_CLAIMS = "swe claims 30"
_WITH_D10 = "swe claims 30 --ladder 4,6,8,10,12,20"
_DIRECTIONS = "swe policy 22"
_FIGURE = "swe policy 25 --path --first"
_PARTS = ("0.1", "0.2", "0.5", "0.8", "0.9")
_POLICIES = (
    *("NewOnly", "Promo", "PromoOnce", "ExpLegacy(0.5)", "ExpLegacy(1.0)"),
    *(f"NewThenPromo({part})" for part in _PARTS),
    "NewThenPromoAsRun(0.5)",
    *(f"PromoThenNew({part})" for part in _PARTS),
    *("PromoThenNewAsRun(0.5)", "Optimal"),
)
_POLICIES_ASKED = "swe policies 10 " + " ".join(f"--policy '{name}'" for name in _POLICIES)


def _build(sources: Sources) -> Mapping[str, str]:
    return {"numbers.tex": _numbers(sources), "values.tex": _values(sources)}


def _new_only(sources: Sources, rounds: int) -> mpq:
    table = sources.ask(_NEW_ONLY).table("rounds")
    return number(table.cell("expected_score", round=rounds))


def _numbers(sources: Sources) -> str:
    macros = Macros(sources)
    games = macros.source(f"swe values {_LONGEST}").table("games")
    macros.asked("Longest", _LONGEST)
    for name, rounds in (("Ten", 10), ("Twelve", 12), ("Longest", _LONGEST)):
        value = number(games.cell("value", rounds=rounds))
        macros.add(f"Value{name}", decimal(value, 6))
        digits = len(str(value.denominator))
        macros.add(f"Digits{name}", whole(worked(digits, value)))
        macros.add(f"NewOnly{name}", decimal(games.cell("new_only", rounds=rounds), 6))
    pairs = games.select("value", "new_only")
    first = next(rounds for rounds, (value, plain) in enumerate(pairs) if value != plain)
    macros.add("FirstBetter", whole(first))
    value, plain = map(number, pairs[first])
    macros.add("FirstGain", decimal(worked(value - plain, value, plain), 5))
    limit = macros.source(_NEW_ONLY).value("limit_score")
    macros.add("NewOnlyLimit", Shown(_rounded(str(limit), 6), (limit,)))
    means = _add_means(macros)
    optimum = number(macros.source(_SEARCHED[100]).value("value"))
    macros.add("OptimumHundred", decimal(optimum, 9))
    macros.add("DigitsHundred", whole(worked(len(str(optimum.denominator)), optimum)))
    macros.source(_MEANS, more=True)
    for name, mean in zip(("PromoShort", "SwitchShort"), means, strict=True):
        macros.add(name, decimal(worked(optimum - mean, optimum, mean), 2))
    sizes = macros.source(_SIZES).table("games")
    for name, rounds in (("Ten", 10), ("TwentyTwo", 22), ("Hundred", 100)):
        macros.add(f"Multisets{name}", whole(sizes.cell("multisets", rounds=rounds)))
        macros.add(f"Splits{name}", whole(sizes.cell("splits", rounds=rounds)))
    _add_directions(macros)
    _add_turn(macros)
    _add_distances(macros)
    _add_claims(macros)
    return macros.content()


def _rounded(digits: str, places: int) -> str:
    """Round a decimal with many more proved digits than are shown."""
    return decimal(mpq(digits), places).text


def _add_means(macros: Macros) -> list[mpq]:
    table = macros.source(_MEANS).table("policies")
    named = dict(table.select("name", "mean"))
    means = [number(named[name]) for name in ("Promo", "PromoThenNew(0.9)")]
    for name, mean in zip(("PromoHundred", "SwitchHundred"), means, strict=True):
        macros.add(name, decimal(mean, 3))
    return means


def _add_directions(macros: Macros) -> None:
    """Count the dice and rounds in which a low and a high score call for different actions."""
    answer = macros.source(_DIRECTIONS)
    macros.asked("DirectionsGame", int(_DIRECTIONS.split()[-1]))
    states = answer.table("states")
    found: dict[Any, list[tuple[Any, bool]]] = {}
    names = ("round", "revenue", "legacy", "low", "optimal")
    for played, revenue, legacy, low, optimal in states.select(*names):
        creates = any(action.startswith("create") for action in optimal)
        if not any(legacy):
            found.setdefault((played, revenue), []).append((low, creates))
    ends = [(min(rows)[1], max(rows)[1]) for rows in found.values()]
    value = answer.value("value")
    macros.add("CreatePoor", whole(worked(ends.count((True, False)), value)))
    macros.add("CreateRich", whole(worked(ends.count((False, True)), value)))


def _add_turn(macros: Macros) -> None:
    """Return the only cell of the figure in which the optimal action depends on the score."""
    table = macros.source(_FIGURE).table("states")
    macros.asked("TurnGame", int(_FIGURE.split()[2]))
    names = ("dice", "round", "low", "high", "action", "score_decides")
    promote, create = (row[:5] for row in table.select(*names) if row[5] is True)
    if promote[:2] != create[:2] or (promote[4], create[4]) != ("promote d4", "create d4"):
        raise AssertionError("the paper says that the d4 is promoted at the lower scores alone")
    macros.add("TurnDice", _text(str(promote[0]), promote[0]))
    macros.add("TurnRound", whole(promote[1]))
    macros.add("TurnPromotes", whole(promote[3]))
    macros.add("TurnCreates", whole(create[2]))


def _add_distances(macros: Macros) -> None:
    table = macros.source(_POLICIES_ASKED).table("policies")
    cells = dict(table.select("name", "z_score"))

    def sorted_by_size(policy: str) -> list[Shown]:
        distances = [cells[f"{policy}({part})"] for part in _PARTS]
        return [
            Shown(arithmetic.decimal(abs(mpq(str(cell))), 0), (cell,))
            for cell in sorted(distances, key=lambda cell: abs(mpq(str(cell))))
        ]

    reverse = sorted_by_size("PromoThenNew")
    macros.add("PromoNewLeast", reverse[0])
    macros.add("PromoNewMost", reverse[-1])
    macros.add("NewPromoMost", sorted_by_size("NewThenPromo")[-1])


def _add_claims(macros: Macros) -> None:
    answer = macros.source(_CLAIMS)
    claims, examples = answer.table("claims"), answer.table("counterexamples")
    macros.asked("Claims", int(_CLAIMS.split()[-1]))
    lowest, if_any = "promote the lowest", "promote the lowest, where promoting"
    thirty = "30 rounds: promote to the second rung, else create"
    hundred = "100 rounds: promote if possible, else create"
    macros.add("RobustCases", whole(claims.cell("cases", claim="fix the most robust")))
    macros.add("SkipCases", whole(claims.cell("cases", claim="never skip")))
    macros.add("LowestCases", whole(claims.cell("cases", claim=lowest)))
    for name, claim in (("Lowest", lowest), ("IfAny", if_any)):
        macros.add(f"{name}Exceptions", whole(claims.cell("exceptions", claim=claim)))
    if claims.cell("holds_on_path", claim=if_any) is not True:
        raise AssertionError("the paper says that optimal play meets no exception")
    for name, claim in (
        ("Example", lowest),
        ("IfAny", if_any),
        ("Thirty", thirty),
        ("Hundred", hundred),
    ):
        cell = {
            column.name: examples.cell(column.name, claim=claim, on_path=False)
            for column in examples.columns
        }
        revenue: Any = cell["revenue"]
        macros.add(f"{name}Game", whole(cell["rounds"]))
        macros.add(f"{name}Round", whole(cell["round"]))
        macros.add(f"{name}Dice", _text(dice_text(revenue, STANDARD), revenue))
        macros.add(f"{name}Score", whole(cell["score"]))
        macros.add(f"{name}Claimed", _text(_words(cell["claimed"]), cell["claimed"]))
        macros.add(f"{name}Better", _text(_words(cell["better"]), cell["better"]))
        loss = cell["loss"]
        macros.add(f"{name}Loss", exact(loss) if claim == lowest else decimal(loss, 5))
    on_path = examples.cell("rounds", claim=lowest, on_path=True)
    macros.add("OnPathGame", whole(on_path))
    game: Any = examples.cell("rounds", claim=if_any, on_path=False)
    macros.add("IfAnyHolds", whole(worked(game - 1, game)))
    examples = macros.source(_WITH_D10).table("counterexamples")
    for name, claim in (("Lowest", lowest), ("IfAny", if_any)):
        with_d10 = examples.cell("rounds", claim=claim, on_path=False)
        macros.add(f"{name}WithTen", whole(with_d10))


def _words(action: Any) -> str:
    """Put an action into words: the die that is promoted is one of several."""
    kind, die = str(action).split()
    return f"{kind} {'a' if kind == 'create' else 'the'} {die}"


def _text(words: str, part: Any) -> Shown:
    return Shown(rf"\mbox{{{words}}}", (part,))


def _values(sources: Sources) -> str:
    stored, solved = sources.ask(_STORED).table("games"), f"swe values {_LONGEST}"
    games, sizes = sources.ask(solved).table("games"), sources.ask(_SIZES).table("games")
    pairs = stored.select("rounds", "value")
    known = {int(number(rounds)): number(value) for rounds, value in pairs}
    for rounds, value in known.items():
        if rounds <= _LONGEST and value != games.cell("value", rounds=rounds):
            raise AssertionError("the stored values are not those of this game")
    known |= {
        rounds: number(sources.ask(asked).value("value")) for rounds, asked in _SEARCHED.items()
    }
    _require_plausible(known)
    rows = []
    for rounds in (5, 10, 11, 12, 15, 20, 25, _LONGEST, 40, *_SEARCHED):
        value, plain = known[rounds], _new_only(sources, rounds)
        gain: Shown | str = "equal"
        if value != plain:
            gain = decimal(worked(value - plain, value, plain), 4)
        rows.append(
            (
                rounds,
                decimal(value, 6),
                decimal(plain, 6),
                gain,
                *(sizes.cell(name, rounds=rounds) for name in ("multisets", "splits")),
            )
        )
    return paper_table(
        "Expected final score under optimal play and when every die is new, and the size of the "
        "game",
        "values",
        [
            whole_column("rounds", "rounds"),
            text_column("value", "optimum", heading="optimal play"),
            text_column("new_only", "always create", heading="always create"),
            text_column("gain", "difference", heading="difference"),
            whole_column("multisets", "multisets of dice", heading="multisets"),
            whole_column("states", "states without the score", heading="states"),
        ],
        rows,
        sources,
        [_STORED, *_SEARCHED.values(), _NEW_ONLY, _SIZES],
    )


def _require_plausible(values: Mapping[int, mpq]) -> None:
    """Refuse values that no game has: they rise with the rounds, below a bound (theorem 18)."""
    survives = mpq(19, 20)  # a d20, the most robust die
    before = mpq(0)
    for rounds, value in sorted(values.items()):
        bound = 19 * rounds - 361 * (1 - survives**rounds)
        if not before <= value <= bound:
            raise AssertionError(f"the stored value of {rounds} rounds cannot be right")
        before = value


PAPER = Paper("swe", _build)
