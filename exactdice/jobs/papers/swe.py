"""The numbers of the paper on the software-engineering game."""

from collections.abc import Mapping
from typing import Any

from gmpy2 import mpq

from exactdice.arithmetic import decimal
from exactdice.enclosure import Enclosure
from exactdice.games.swe import STANDARD, Solution, solve
from exactdice.games.swe.evaluation import exact_moments
from exactdice.games.swe.players import Promo, PromoThenNew
from exactdice.games.swe.verdicts import Verdict, settle
from exactdice.jobs.papers.legacy_sheets import Macros, Paper, paper_table
from exactdice.jobs.papers.stored import StoredData
from exactdice.report.model import text_column, whole
from exactdice.symbolic.ehrhart_polynomials import count_points
from exactdice.symbolic.long_run import LongRun
from exactdice.symbolic.new_only import NewOnly
from exactdice.symbolic.reachable import split_weights
from exactdice.tables.swe import dice_text
from exactdice.tables.swe_policies import policies_report

__all__ = ["PAPER"]

_LONGEST = 30  # rounds of the longest game that is solved here
_STORED = "swe-values-40.json"
_SEARCHED = {rounds: f"swe-value-{rounds}.json" for rounds in (50, 60, 70, 80)}  # with intervals
_ENCLOSED = {100: "swe-enclosure-100.json"}  # in intervals alone
_CLAIMS = 22  # rounds up to which the claims are settled
_CLAIMS_IN_WORDS = {
    "fix the most robust": "of legacy dice, fix one of the largest",
    "promote the lowest": "of promotions, the lowest is best",
    "promote the lowest, where promoting": "the same, where promoting is optimal",
    "never skip": "doing nothing is never better",
    "10 rounds: always create": "over 10 rounds, always create",
    "30 rounds: promote to the second rung, else create": "over 30 rounds, promote a d4 if any",
    "100 rounds: promote if possible, else create": "over 100 rounds, promote if possible",
}
_POLICIES = (
    *("NewOnly", "Promo", "PromoOnce", "ExpLegacy(0.5)", "ExpLegacy(1.0)"),
    *("NewThenPromo(0.5)", "NewThenPromoAsRun(0.5)", "Optimal"),
)


def _build(stored: StoredData) -> Mapping[str, str]:
    solution = solve(_LONGEST, STANDARD)
    verdicts = settle(_CLAIMS, STANDARD)
    values = _stored_values(stored, solution)
    return {
        "numbers.tex": _numbers(solution, verdicts, values[100]),
        "values.tex": _values(values),
        "claims.tex": _claims(verdicts),
        "policies.tex": _policies(),
    }


def _value(solution: Solution, rounds: int) -> mpq:
    return solution.value_at(solution.start, rounds)


def _numbers(solution: Solution, verdicts: list[Verdict], hundred: Enclosure) -> str:
    macros = Macros(f"exactdice swe values {_LONGEST}")
    new_only = NewOnly(STANDARD[0])
    macros.whole("Longest", _LONGEST)
    for name, rounds in (("Ten", 10), ("Twelve", 12), ("Longest", _LONGEST)):
        value = _value(solution, rounds)
        macros.decimal(f"Value{name}", value, 6)
        macros.whole(f"Digits{name}", len(str(value.denominator)))
        macros.decimal(f"NewOnly{name}", new_only.expected_score(rounds), 6)
    first = next(r for r in range(1, _LONGEST) if _value(solution, r) != new_only.expected_score(r))
    macros.whole("FirstBetter", first)
    macros.decimal("FirstGain", _value(solution, first) - new_only.expected_score(first), 5)
    macros.source("exactdice symbolic catastrophe --rounds 100")
    macros.decimal("NewOnlyHundred", new_only.expected_score(100), 6)
    macros.text("NewOnlyLimit", LongRun(STANDARD[0]).expected_score().decimal(6))
    late, always = PromoThenNew("9/10"), Promo()
    macros.source(f"exactdice swe policies 100 --policy '{late.name}' --policy {always.name}")
    means = [exact_moments(policy, 100)[0] for policy in (always, late)]
    for name, mean in zip(("PromoHundred", "SwitchHundred"), means, strict=True):
        macros.decimal(name, mean, 3)
    macros.source("exactdice swe enclosure 100")
    macros.text("OptimumHundred", hundred.decimal(9))
    below = len(str(hundred.width.denominator // hundred.width.numerator)) - 1
    macros.text("OptimumWidth", rf"\ensuremath{{10^{{-{below}}}}}")
    for name, mean in zip(("PromoShort", "SwitchShort"), means, strict=True):
        macros.text(name, hundred.less(mean).decimal(2))
    macros.source("exactdice symbolic ehrhart")
    for name, rounds in (("Ten", 10), ("TwentyTwo", 22), ("Hundred", 100)):
        macros.whole(f"Multisets{name}", count_points(range(1, 6), rounds))
        macros.whole(f"Splits{name}", count_points(split_weights(5), rounds))
    macros.source(f"exactdice swe lemmas {_CLAIMS}")
    macros.whole("Claims", _CLAIMS)
    by_name = {verdict.claim.name: verdict for verdict in verdicts}
    robust, lowest = by_name["fix the most robust"], by_name["promote the lowest"]
    macros.whole("RobustCases", robust.cases)
    macros.whole("LowestCases", lowest.cases)
    macros.whole("LowestExceptions", lowest.exceptions)
    example = lowest.counterexample
    if example is None or lowest.on_path is not None:
        raise AssertionError("the paper says that the claim fails, but never under optimal play")
    macros.whole("ExampleRound", example.played + 1)
    macros.text("ExampleDice", dice_text(example.state.revenue, STANDARD))
    macros.whole("ExampleScore", example.state.score)
    macros.text("ExampleClaimed", example.claimed.describe(STANDARD))
    macros.text("ExampleBetter", example.better.describe(STANDARD))
    macros.exact("ExampleLoss", example.loss)
    return macros.content()


def _stored_values(stored: StoredData, solution: Solution) -> dict[int, Enclosure]:
    """Read values of longer games, after comparing those of the shorter ones."""
    rows: list[tuple[Any, ...]] = list(map(tuple, stored.report(_STORED).table("games").rows))
    values = {rounds: mpq(value) for rounds, value, _ in rows}
    if any(values[r] != _value(solution, r) for r in range(_LONGEST + 1)):
        raise AssertionError("the stored values are not those of this game")
    for rounds, name in _SEARCHED.items():
        values[rounds] = mpq(stored.report(name).value("value"))
    known = {rounds: Enclosure(value, value) for rounds, value in values.items()}
    for rounds, name in _ENCLOSED.items():
        report = stored.report(name)
        known[rounds] = Enclosure(mpq(report.value("lower")), mpq(report.value("upper")))
    return known


def _values(values: Mapping[int, Enclosure]) -> str:
    new_only = NewOnly(STANDARD[0])
    rows = []
    shown = (1, 2, 3, 5, 8, 10, 11, 12, 15, 18, 20, 22, 25, _LONGEST, 35, 40)
    for rounds in (*shown, *_SEARCHED, *_ENCLOSED):
        value, plain = values[rounds], new_only.expected_score(rounds)
        gain = "equal" if value.point == plain else value.less(plain).decimal(4)
        rows.append(
            (
                rounds,
                value.decimal(6),
                decimal(plain, 6),
                gain,
                count_points(range(1, 6), rounds),
                count_points(split_weights(5), rounds),
            )
        )
    return paper_table(
        "Expected final score under optimal play and when every die is new, and the size of the "
        "game",
        "values",
        [
            whole("rounds", "rounds"),
            text_column("value", "optimum", heading="optimal play"),
            text_column("new_only", "always create", heading="always create"),
            text_column("gain", "difference", heading="difference"),
            whole("multisets", "multisets of dice", heading="multisets"),
            whole("states", "states without the score", heading="states"),
        ],
        rows,
        "exactdice swe values 40; exactdice swe enclosure R --exact, and without, for more rounds",
    )


def _claims(verdicts: list[Verdict]) -> str:
    def word(holds: bool | None, met: bool) -> str:
        if holds is None:
            return "open" if met else "no cases"
        return "holds" if holds else "fails"

    rows = [
        (
            _CLAIMS_IN_WORDS[verdict.claim.name],
            verdict.rounds,
            word(verdict.holds, verdict.cases > 0),
            word(verdict.holds_on_path, verdict.occurs),
            verdict.cases,
            verdict.exceptions,
        )
        for verdict in verdicts
    ]
    return paper_table(
        "Claims about optimal play: in all states that play can reach in games of so many rounds, "
        "and in those that occur under optimal play. The last two were tested with a single die "
        "on the table",
        "claims",
        [
            text_column("claim", "claim", heading="claim"),
            whole("rounds", "rounds"),
            text_column("all", "everywhere", heading="all states"),
            text_column("path", "on the path", heading="optimal play"),
            whole("cases", "cases"),
            whole("exceptions", "exceptions"),
        ],
        rows,
        f"exactdice swe lemmas {_CLAIMS}",
        small=True,
    )


def _policies() -> str:
    (table, *_) = policies_report(10, names=_POLICIES).tables
    rows = []
    for row in table.rows:
        cells = dict(zip((column.name for column in table.columns), row, strict=True))
        figure = cells["figure"]
        rows.append(
            (
                cells["name"],
                decimal(cells["mean"], 4),
                "" if figure is None else decimal(figure, 4),
                "" if figure is None else str(cells["distance"]),
                *(cells[name] for name in ("p10", "p50", "p90", "max")),
            )
        )
    return paper_table(
        "Ten rounds: exact means and percentiles of policies, beside the means that the game's "
        "README simulated and how many standard errors they are away",
        "policies",
        [
            text_column("policy", "policy"),
            text_column("mean", "exact mean", heading="mean"),
            text_column("figure", "simulated mean", heading="simulated"),
            text_column("distance", "standard errors", heading="off by"),
            *(whole(name, name) for name in ("p10", "p50", "p90", "max")),
        ],
        rows,
        "exactdice swe policies 10",
    )


PAPER = Paper("swe", _build, {"swe-values": None, "swe-policy": None, "swe-laws": None})
