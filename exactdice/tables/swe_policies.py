"""Reports of the software-engineering game's policies: laws, simulations, other aims, play."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from gmpy2 import mpq

from exactdice.arithmetic import decimal, natural, text
from exactdice.errors import InputError
from exactdice.games.swe.distances import mean_distance, percentile_distance
from exactdice.games.swe.evaluation import (
    WORK_LIMIT,
    Evaluation,
    evaluate,
)
from exactdice.games.swe.exact import solve
from exactdice.games.swe.optimal import Optimal, evaluate_optimal
from exactdice.games.swe.players import Policy, Rand, policy_from_text
from exactdice.games.swe.published import FIGURES, GAMES, LEVELS, Figures, published
from exactdice.games.swe.readings import judge, readings
from exactdice.games.swe.rules import STANDARD, Ladder
from exactdice.games.swe.simulation import simulate
from exactdice.memory import MEMORY_LIMIT
from exactdice.native import are_built, swe_laws
from exactdice.report.model import (
    Cell,
    Column,
    Quantity,
    Report,
    Table,
    exact,
    flag,
    text_column,
    whole,
)
from exactdice.report.provenance import Provenance
from exactdice.tables.swe import swe_provenance

__all__ = [
    "OPTIMAL_ROUNDS",
    "evaluated",
    "policies_report",
    "policy_names",
    "readings_report",
    "simulate_report",
]

Progress = Callable[[int, int], None]

#: Rounds up to which the optimal player is evaluated beside the policies; it takes seconds there.
OPTIMAL_ROUNDS = 30

_NAME = text_column("name", "policy")
_MEAN = exact("mean", "expected final score; nothing where it is only enclosed", "points")
_DISTANCE = text_column(
    "distance", "figure minus exact mean, or the least that its enclosure allows", "standard errors"
)


def policy_names(rounds: int, *, fixed: bool = False) -> list[str]:
    """List the README's policies in its order, each with what it ran as, and Optimal last.

    Parameters
    ----------
    rounds
        Beyond `OPTIMAL_ROUNDS`, Optimal is left out.
    fixed
        Leave out the policies that draw lots, which take longest to evaluate.

    Examples
    --------
    >>> names = policy_names(10)
    >>> names[:2], names[-3:]
    (['NewOnly', 'Promo'], ['NewThenPromo(0.9)', 'NewThenPromoAsRun(0.9)', 'Optimal'])
    """
    names = []
    for name in FIGURES[10]:
        if not (fixed and isinstance(policy_from_text(name).simplified(), Rand)):
            names.append(name)
        if "Then" in name:
            names.append(name.replace("(", "AsRun("))
    return [*names, "Optimal"] if rounds <= OPTIMAL_ROUNDS else names


def evaluated(
    name: str,
    rounds: int,
    ladder: Ladder = STANDARD,
    *,
    work_limit: int = WORK_LIMIT,
    memory_limit: int | None = MEMORY_LIMIT,
) -> Evaluation:
    """Evaluate a policy by its name; Optimal is solved first."""
    if _optimal(name):
        run = partial(evaluate_optimal, solve(rounds, ladder, memory_limit=memory_limit))
    else:
        run = partial(evaluate, _listed(name), rounds, ladder)
    enclose = swe_laws.refined if _in_doubles(rounds, ladder) else None
    return run(work_limit=work_limit, memory_limit=memory_limit, enclose=enclose)


def _in_doubles(rounds: int, ladder: Ladder) -> bool:
    """Whether the C++ solver encloses what is not exact: many times faster than integers."""
    return are_built() and swe_laws.takes(rounds, ladder)


def policies_report(
    rounds: int,
    ladder: Ladder = STANDARD,
    names: Sequence[str] | None = None,
    *,
    work_limit: int = WORK_LIMIT,
    memory_limit: int | None = MEMORY_LIMIT,
    progress: Progress | None = None,
) -> Report:
    """Report the exact scores of policies beside the figures that the README simulated.

    Parameters
    ----------
    rounds, ladder
        The game. The README has figures for 10, 30 and 100 rounds with the standard ladder.
    names
        Policies, as `policy_from_text` reads them, or Optimal; those of the README unless given,
        and Optimal up to `OPTIMAL_ROUNDS`.
    work_limit, memory_limit
        What may be spent on each policy; see `exactdice.games.swe.evaluation`.
    progress
        Called with the policies evaluated and the number of all.
    """
    if names is None:
        names = policy_names(rounds)
    else:  # a bad name is refused before any time is spent
        names = ["Optimal" if _optimal(n) else _listed(n).name for n in names]
    found = []
    for done, name in enumerate(names):
        if progress:
            progress(done, len(names))
        evaluation = evaluated(
            name, rounds, ladder, work_limit=work_limit, memory_limit=memory_limit
        )
        found.append(evaluation)
    rows = [(e, published(rounds, e.policy) if ladder == STANDARD else None) for e in found]
    tables = [Table("policies", "Policies", _policy_columns(), [_policy_row(*row) for row in rows])]
    if any(figures for _, figures in rows):
        tables.append(
            Table(
                "figures",
                f"The README's percentiles ({GAMES} games) and their distance from the law",
                _figure_columns(),
                [_figure_row(e, figures) for e, figures in rows if figures],
            )
        )
    title = f"SWE: policies over {rounds} rounds"
    return Report(title, (), tables, _provenance(rounds, ladder, found))


def _provenance(rounds: int, ladder: Ladder, found: Sequence[Evaluation]) -> Provenance:
    conventions = dict(swe_provenance(ladder).conventions)
    conventions["repairs"] = "every policy fixes the most robust die first"
    conventions["percentiles"] = "the least score that at least this part of games do not exceed"
    if not all(evaluation.law.exact for evaluation in found):
        kind = "doubles" if _in_doubles(rounds, ladder) else "integers"
        conventions["missing"] = f"laws that are not exact are lower bounds, {kind} rounded down"
    return Provenance(conventions=conventions)


def _policy_columns() -> list[Column]:
    return [
        _NAME,
        _MEAN,
        exact("figure", "mean that the README simulated", "points"),
        _DISTANCE,
        exact("variance", "of the final score; nothing where it is only enclosed", "points²"),
        *(
            whole(name, f"quantile of level {text(level)}", "points")
            for name, level in LEVELS.items()
        ),
        whole("max", "largest score of positive probability; nothing where not known", "points"),
        text_column("missing", "probability that the law does not account for, rounded up"),
        text_column("open", "what is only enclosed"),
    ]


def _policy_row(evaluation: Evaluation, figures: Figures | None) -> tuple[Cell, ...]:
    spans = evaluation.percentiles
    return (
        evaluation.policy,
        evaluation.exact_mean,
        figures.exact_mean if figures else None,
        _mean_distance(figures, evaluation, GAMES) if figures else None,
        evaluation.variance.point,
        *(span.low if span.certified else None for span in spans.values()),
        evaluation.largest,
        _rounded_up(evaluation.law.missing),
        "; ".join(_open(evaluation)),
    )


def _open(evaluation: Evaluation) -> Iterator[str]:
    """Say what is known of each number that is not exact."""
    if evaluation.exact_mean is None:
        mean = evaluation.mean
        yield f"mean {_outward(mean.lower, up=False)}…{_outward(mean.upper, up=True)}"
    for name, span in evaluation.percentiles.items():
        if not span.certified:
            yield f"{name} {span}"


def _outward(number: mpq, *, up: bool) -> str:
    """Four decimals, rounded away from the inside of an enclosure."""
    units = number * 10000
    whole_units = (
        -(-units.numerator // units.denominator) if up else units.numerator // units.denominator
    )
    return decimal(mpq(whole_units, 10000), 4)


def _rounded_up(probability: mpq) -> str:
    """Smallest power of ten that is not exceeded, as 1e-7; 0 for an exact law."""
    if probability == 0:
        return "0"
    exponent = 0
    while probability <= mpq(1, 10 ** (exponent + 1)):
        exponent += 1
    return f"1e-{exponent}" if exponent else "1"


def _figure_columns() -> list[Column]:
    columns = [_NAME]
    for name in LEVELS:
        columns.append(whole(name, "the README's figure", "points"))
        columns.append(text_column(f"{name}_distance", "from the law", "standard errors"))
    columns.append(whole("max", "the README's figure: its best game", "points"))
    columns.append(
        text_column("max_chance", f"chance that none of {GAMES} games has a higher score")
    )
    return columns


def _figure_row(evaluation: Evaluation, figures: Figures) -> tuple[Cell, ...]:
    cells: list[Cell] = [evaluation.policy]
    for name in LEVELS:
        figure = getattr(figures, name)
        cells += [figure, _percentile_distance(figure, name, evaluation, GAMES)]
    none_above = evaluation.law.cdf(figures.max)
    ends = {decimal(_power(end, GAMES), 2) for end in (none_above.lower, none_above.upper)}
    return (*cells, figures.max, ends.pop() if len(ends) == 1 else None)


def _power(probability: mpq, exponent: int) -> mpq:
    """Power of a probability, rounded down in each step to far more digits than are shown."""
    unit = 1 << 256
    result, base = unit, int(probability.numerator * unit // probability.denominator)
    while exponent:
        if exponent & 1:
            result = result * base // unit
        base = base * base // unit
        exponent >>= 1
    return mpq(result, unit)


def simulate_report(
    rounds: int,
    name: str,
    games: int,
    seed: int,
    ladder: Ladder = STANDARD,
    *,
    work_limit: int = WORK_LIMIT,
    memory_limit: int | None = MEMORY_LIMIT,
    progress: Progress | None = None,
) -> Report:
    """Report the estimates of a simulation beside the exact values that they estimate."""
    games = natural(games, "games", least=1)
    evaluation = evaluated(name, rounds, ladder, work_limit=work_limit, memory_limit=memory_limit)
    policy = (
        Optimal(solve(rounds, ladder, memory_limit=memory_limit))
        if _optimal(name)
        else _listed(name)
    )
    sample = simulate(policy, rounds, games, seed, ladder, progress=progress)
    p10, p20, p50, p90, p95, p99 = map(sample.quantile, LEVELS.values())
    drawn = Figures(text(sample.mean), p10, p20, p50, p90, p95, p99, sample.quantile(1))
    rows: list[tuple[Cell, ...]] = [
        ("mean", sample.mean, evaluation.exact_mean, _mean_distance(drawn, evaluation, games)),
        ("variance", sample.variance, evaluation.variance.point, None),
    ]
    for column, span in evaluation.percentiles.items():
        figure = getattr(drawn, column)
        distance = _percentile_distance(figure, column, evaluation, games)
        rows.append((column, figure, span.low if span.certified else None, distance))
    rows.append(("max", drawn.max, evaluation.largest, None))
    estimates = Table(
        "estimates",
        "Estimates and exact values",
        [
            text_column("name", "what is estimated"),
            exact("estimate", "in the sample", "points"),
            exact("exact", "true value; for max the largest score that is possible", "points"),
            text_column("distance", "estimate minus exact value", "standard errors"),
        ],
        rows,
    )
    quantities = [
        Quantity(exact("value", "mean score of the games", "points"), sample.mean),
        Quantity(whole("games", "games played", "games"), games),
        Quantity(whole("seed", "of the generator"), natural(seed, "seed")),
    ]
    title = f"SWE: {games} games of {evaluation.policy} over {rounds} rounds"
    return Report(title, quantities, [estimates], _provenance(rounds, ladder, [evaluation]))


def _listed(name: str) -> Policy:
    """Read the name of a policy that is not Optimal."""
    return policy_from_text(name, besides=["Optimal"])


def _optimal(name: str) -> bool:
    return name.strip().lower() == "optimal"


def _mean_distance(figures: Figures, evaluation: Evaluation, games: int) -> str | None:
    """Write the distance of a mean; None where it is not known, or no game differs from another.

    Of a mean that is only enclosed, the least distance is written, unless that is 0.
    """
    if evaluation.variance.upper == 0:
        return None
    distance = mean_distance(figures, evaluation, games)
    if evaluation.exact_mean is None and distance.size.square == 0:
        return None
    return distance.decimal(2)


def _percentile_distance(
    figure: int, column: str, evaluation: Evaluation, games: int
) -> str | None:
    """Write the distance of a percentile; None where the percentile is only enclosed."""
    if not evaluation.percentiles[column].certified:
        return None
    return percentile_distance(figure, LEVELS[column], evaluation.law, games).decimal(2)


def readings_report(rounds: int) -> Report:
    """Report how each reading of the README's policies fits its figures for 10 or 30 rounds."""
    if rounds not in (10, 30):
        raise InputError("rounds", rounds, "10 or 30, for which the readings are judged")
    judged = [judge(reading, rounds) for reading in readings()]
    table = Table(
        "readings",
        "Readings of the README's policies",
        [
            text_column("question", "what the README leaves open"),
            text_column("answer", "one way to answer it"),
            text_column("row", "figure of the README that is compared"),
            flag("adopted", "whether the policies here follow this answer"),
            exact("mean", "expected final score under this answer", "points"),
            exact("figure", "mean that the README simulated", "points"),
            _DISTANCE,
        ],
        [
            (
                each.reading.question,
                each.reading.answer,
                each.reading.row,
                each.reading.adopted,
                each.mean,
                each.figure,
                each.distance.decimal(2),
            )
            for each in judged
        ],
    )
    title = f"SWE: what the README's policies do, judged by {rounds} rounds"
    return Report(title, (), [table], swe_provenance(STANDARD))
