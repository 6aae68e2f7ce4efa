"""Reports of policies: laws of the score, simulations, and readings of the README."""

from collections.abc import Iterator, Mapping, Sequence

from exactdice.arithmetic import decimal, mpq, text
from exactdice.dice import Distribution
from exactdice.games.swe.laws.evaluation import Evaluation, encloses_in_doubles
from exactdice.games.swe.laws.simulation import Sample
from exactdice.games.swe.reports.common import LEGACY, REVENUE, conventions_of, rounds_text
from exactdice.games.swe.reports.optimum import _ROUND
from exactdice.games.swe.rules import STANDARD, Ladder
from exactdice.games.swe.sources import GAMES, LEVELS, Figures, figures_of
from exactdice.report.model import Cell, Column, Report, Table, exact, flag, text_column, whole
from exactdice.studies.swe.judging import Judgement
from exactdice.studies.swe.readings import Judged, mean_z_score, percentile_z_score

_NAME = text_column("name", "policy")
_MEAN = exact("mean", "expected final score; nothing where it is only enclosed", "points")
_Z_SCORE = text_column(
    "z_score", "figure minus exact mean, or the least that its enclosure allows", "standard errors"
)


def policies_report(rounds: int, ladder: Ladder, evaluations: Sequence[Evaluation]) -> Report:
    """Report the exact scores of policies beside the figures that the README simulated."""
    rows = [(e, figures_of(rounds, e.policy) if ladder == STANDARD else None) for e in evaluations]
    title = f"The README's percentiles ({GAMES} games) and their z-scores under the law"
    figures = [_figure_row(e, printed) for e, printed in rows if printed]
    return Report.of(
        f"SWE: policies over {rounds} rounds",
        _conventions(rounds, ladder, evaluations),
        Table.of("policies", "Policies", (_policy_row(*row) for row in rows), *_policy_columns()),
        Table.of("figures", title, figures, *_figure_columns()) if figures else None,
    )


def laws_report(rounds: int, ladder: Ladder, laws: Mapping[str, Distribution[int]]) -> Report:
    """Report the laws of the final score under policies, by name, side by side."""
    highest = max(max(law) for law in laws.values())
    scores = Table.of(
        "scores",
        "Laws of the final score",
        (
            (score, *(law.probability(score) for law in laws.values()))
            for score in range(highest + 1)
        ),
        whole("score", "final score", "points"),
        *(exact(name.lower(), f"probability under {name}") for name in laws),
    )
    title = f"SWE: laws of the final score over {rounds} rounds"
    return Report.of(title, conventions_of(ladder), scores)


def _conventions(rounds: int, ladder: Ladder, evaluations: Sequence[Evaluation]) -> dict[str, str]:
    more = {
        "repairs": "every policy fixes the most robust die first",
        "percentiles": "the least score that at least this part of games do not exceed",
    }
    if not all(evaluation.law.exact for evaluation in evaluations):
        kind = "doubles" if encloses_in_doubles(rounds, ladder) else "integers"
        more["missing"] = f"laws that are not exact are lower bounds, {kind} rounded down"
    return conventions_of(ladder, **more)


def _policy_columns() -> list[Column]:
    return [
        _NAME,
        _MEAN,
        exact("figure", "mean that the README simulated", "points"),
        _Z_SCORE,
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
        _mean_z_score(figures, evaluation, GAMES) if figures else None,
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
        yield f"mean {mean.rounded_down(4)}…{mean.rounded_up(4)}"
    for name, span in evaluation.percentiles.items():
        if not span.certified:
            yield f"{name} {span}"


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
        columns.append(text_column(f"{name}_z_score", "from the law", "standard errors"))
    columns.append(whole("max", "the README's figure: its best game", "points"))
    columns.append(
        text_column("max_chance", f"chance that none of {GAMES} games has a higher score")
    )
    return columns


def _figure_row(evaluation: Evaluation, figures: Figures) -> tuple[Cell, ...]:
    cells: list[Cell] = [evaluation.policy]
    for name in LEVELS:
        figure = getattr(figures, name)
        cells += [figure, _percentile_z_score(figure, name, evaluation, GAMES)]
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


def simulate_report(sample: Sample, seed: int, evaluation: Evaluation) -> Report:
    """Report the estimates of a simulation beside the exact values that they estimate."""
    games, rounds, ladder = sample.games, evaluation.rounds, evaluation.ladder
    p10, p20, p50, p90, p95, p99 = map(sample.quantile, LEVELS.values())
    drawn = Figures(text(sample.mean), p10, p20, p50, p90, p95, p99, sample.quantile(1))
    rows: list[tuple[Cell, ...]] = [
        ("mean", sample.mean, evaluation.exact_mean, _mean_z_score(drawn, evaluation, games)),
        ("variance", sample.variance, evaluation.variance.point, None),
    ]
    for column, span in evaluation.percentiles.items():
        figure = getattr(drawn, column)
        z_score = _percentile_z_score(figure, column, evaluation, games)
        rows.append((column, figure, span.low if span.certified else None, z_score))
    rows.append(("max", drawn.max, evaluation.largest, None))
    return Report.of(
        f"SWE: {games} games of {evaluation.policy} over {rounds} rounds",
        _conventions(rounds, ladder, [evaluation]),
        exact("value", "mean score of the games", "points")(sample.mean),
        whole("games", "games played", "games")(games),
        whole("seed", "seed of the random numbers")(seed),
        Table.of(
            "estimates",
            "Estimates and exact values",
            rows,
            text_column("name", "what is estimated"),
            exact("estimate", "in the sample", "points"),
            exact("exact", "true value; for max the largest score that is possible", "points"),
            text_column("z_score", "estimate minus exact value", "standard errors"),
        ),
    )


def _mean_z_score(figures: Figures, evaluation: Evaluation, games: int) -> str | None:
    """Write the z-score of a mean; None where it is not known, or no game differs from another.

    Of a mean that is only enclosed, the least is written, unless that is 0.
    """
    if evaluation.variance.upper == 0:
        return None
    z_score = mean_z_score(figures, evaluation, games)
    if evaluation.exact_mean is None and z_score.size.square == 0:
        return None
    return z_score.decimal(2)


def _percentile_z_score(figure: int, column: str, evaluation: Evaluation, games: int) -> str | None:
    """Write the z-score of a percentile; None where the percentile is only enclosed."""
    if not evaluation.percentiles[column].certified:
        return None
    return percentile_z_score(figure, LEVELS[column], evaluation.law, games).decimal(2)


def readings_report(rounds: int, judged: Sequence[Judged]) -> Report:
    """Report how each reading of the README's policies fits its figures for 10 or 30 rounds."""
    return Report.of(
        f"SWE: what the README's policies do, judged by {rounds} rounds",
        conventions_of(STANDARD),
        Table.of(
            "readings",
            "Readings of the README's policies",
            judged,
            text_column("question", "what the README leaves open").by(lambda j: j.reading.question),
            text_column("answer", "one way to answer it").by(lambda j: j.reading.answer),
            text_column("row", "figure of the README that is compared").by(lambda j: j.reading.row),
            flag("adopted", "whether the policies here follow this answer").by(
                lambda j: j.reading.adopted
            ),
            exact("mean", "expected final score under this answer", "points"),
            exact("figure", "mean that the README simulated", "points"),
            _Z_SCORE.by(lambda j: j.z_score.decimal(2)),
        ),
    )


def maxims_report(rounds: int, ladder: Ladder, judgements: list[Judgement]) -> Report:
    """Report verdicts on the claims of the game's README, for all games up to some rounds."""
    claims = Table.of(
        "claims",
        "Claims about optimal play",
        judgements,
        text_column("claim", "name").by(lambda judgement: judgement.maxim.name),
        text_column("statement", "what it says").by(lambda judgement: judgement.maxim.statement),
        whole("rounds", "checked in games of at most so many rounds, or of exactly so many"),
        flag("complete", "whether it was checked in all states that play can reach"),
        flag(
            "holds",
            "whether it holds in all states checked; nothing where that is open or there is no "
            "such state",
        ),
        flag("holds_on_path", "the same for states that occur under optimal play"),
        whole("cases", "states checked, once for each game and round", "states"),
        whole("exceptions", "states in which it fails", "states"),
        flag("occurs", "whether any of the states checked occurs under optimal play"),
    )
    examples = Table.of(
        "counterexamples",
        "Smallest counterexamples among the states checked",
        (row for judgement in judgements for row in _example_rows(judgement)),
        text_column("claim", "name"),
        flag(
            "on_path",
            "the smallest that occurs under optimal play, or else of all states checked; "
            "where that is not complete, an earlier one may exist",
        ),
        whole("rounds", "rounds of the game", "rounds"),
        _ROUND,
        REVENUE,
        LEGACY,
        whole("score", "score before the round", "points"),
        text_column("claimed", "action that the claim names"),
        text_column("better", "action that is better"),
        exact("loss", "how much less the claimed action is worth", "points"),
    )
    title = f"SWE: claims about optimal play, games of at most {rounds_text(rounds)}"
    return Report.of(title, conventions_of(ladder), claims, examples)


def _example_rows(judgement: Judgement) -> Iterator[tuple[Cell, ...]]:
    for on_path, example in ((False, judgement.counterexample), (True, judgement.on_path)):
        if example is not None:
            yield (
                judgement.maxim.name,
                on_path,
                example.rounds,
                example.played + 1,
                *example.state,
                example.claimed.describe(judgement.ladder),
                example.better.describe(judgement.ladder),
                example.loss,
            )
