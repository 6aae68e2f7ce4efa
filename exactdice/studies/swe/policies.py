"""The README's policies: readings of their names, and reports of their exact and simulated scores.

A *z-score* is the distance of a simulated figure from the exact one, in standard errors. For a mean
it is (figure − mean) / √(variance / games). For a percentile x at level p the number of games with
a score of at most x is binomial. The distance is 0 if P(score < x) ≤ p ≤ P(score ≤ x), and
otherwise the excess of the nearer of the two over p, divided by √(p(1 − p) / games).

The README does not describe its policies in every case. Each *reading* completes a rule in one way,
and its exact mean is compared with the simulated one. Of each question all readings except one are
refuted by many standard errors. The remaining ones are those of
`exactdice.games.swe.distributions.players`:

* legacy dice are fixed highest rung first, not lowest;
* ExpLegacy promotes from its bound on, not only above it;
* Rand promotes the lowest die, not the highest and not one at random;
* PromoThenNew ran as Promo, and NewThenPromo as NewOnly: they never changed, despite their names.
  The named reading is nearest for NewThenPromo(0.9), 2.2 and 2.1 standard errors away at 10 and 30
  rounds; for smaller fractions it is refuted by up to 276.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from exactdice.arithmetic import RationalLike, decimal, mpq, rational, text
from exactdice.dice import Distribution, Root
from exactdice.games.swe.distributions import ScoreDistribution
from exactdice.games.swe.distributions.evaluation import (
    Evaluation,
    encloses_in_doubles,
    exact_moments,
)
from exactdice.games.swe.distributions.players import (
    Chances,
    ExpLegacy,
    PolicyMoment,
    PromoOnce,
    Rand,
    Repairs,
    RulePolicy,
    lowest_promotion,
    policy_from_text,
)
from exactdice.games.swe.distributions.simulation import Sample
from exactdice.games.swe.reports import conventions_of
from exactdice.games.swe.rules import CREATE, STANDARD, Action, ActionKind, Dice, Ladder
from exactdice.games.swe.sources import FIGURES, GAMES, LEVELS, Figures, figures_of
from exactdice.report.model import Cell, Column, Report, Table, exact, flag, text_column, whole


@dataclass(frozen=True)
class ZScore:
    """An exact number of standard errors, as a sign and a square."""

    sign: int
    size: Root

    def decimal(self, places: int) -> str:
        digits = self.size.decimal(places)
        return f"-{digits}" if self.sign < 0 and digits.strip("0.") else digits


def mean_z_score(figures: Figures, evaluation: Evaluation, games: int = GAMES) -> ZScore:
    """Return the z-score of a simulated mean, or the least one within bounds of the exact mean."""
    figure, mean = figures.exact_mean, evaluation.mean
    nearest = min(max(figure, mean.lower), mean.upper)
    return standard_errors(figure - nearest, evaluation.variance.upper / games)


def percentile_z_score(
    figure: int, level: RationalLike, scores: ScoreDistribution, games: int = GAMES
) -> ZScore:
    p = rational(level, "level")
    too_high = scores.cdf(figure - 1).lower - p
    too_low = p - scores.cdf(figure).upper
    excess = max(too_high, mpq(0)) - max(too_low, mpq(0))
    return standard_errors(excess, p * (1 - p) / games)


def standard_errors(difference: mpq, variance: mpq) -> ZScore:
    """Divide a difference by the square root of a variance, which is 0 only if both are 0."""
    square = difference**2 / variance if difference else mpq(0)
    return ZScore(-1 if difference < 0 else 1, Root(square))


class ExpLegacyAbove(ExpLegacy):
    """Promote only if the expected failures are above the bound."""

    def improvements(self, dice: Dice, turn: PolicyMoment, score: int) -> Chances:
        expected = sum((mpq(n, f) for n, f in zip(dice, turn.ladder, strict=True)), mpq(0))
        return {CREATE if expected <= self.parameter else lowest_promotion(dice): mpq(1)}


class RandHighest(Rand):
    """Promote the highest die below the top rung."""

    def improvements(self, dice: Dice, turn: PolicyMoment, score: int) -> Chances:
        rungs = [rung for rung, number in enumerate(dice[:-1]) if number]
        if not rungs:
            return {CREATE: mpq(1)}
        return {CREATE: self.parameter, Action(ActionKind.PROMOTE, rungs[-1]): 1 - self.parameter}


class RandAny(Rand):
    """Promote a random die below the top rung."""

    def improvements(self, dice: Dice, turn: PolicyMoment, score: int) -> Chances:
        total = sum(dice[:-1])
        if not total:
            return {CREATE: mpq(1)}
        share = (1 - self.parameter) / total
        numbers = [(rung, number) for rung, number in enumerate(dice[:-1]) if number]
        promotions = {Action(ActionKind.PROMOTE, rung): share * n for rung, n in numbers}
        return {CREATE: self.parameter, **promotions}


class PromoOnceLowest(PromoOnce):
    """PromoOnce that fixes the lowest rung first."""

    repairs = Repairs.LOWEST


class ExpLegacyLowest(ExpLegacy):
    """ExpLegacy that fixes the lowest rung first."""

    repairs = Repairs.LOWEST


class RuleReading(NamedTuple):
    """One way to complete a rule, and whether it is adopted here."""

    question: str
    answer: str
    row: str
    policy: RulePolicy
    adopted: bool


@dataclass(frozen=True)
class Judged:
    """A reading with its exact mean, the simulated mean, and the z_score in standard errors."""

    reading: RuleReading
    mean: mpq
    figure: mpq
    z_score: ZScore


def readings() -> list[RuleReading]:
    order, bound, rand, change = (
        "first legacy die to fix",
        "action of ExpLegacy at its bound",
        "die that Rand promotes",
        "whether the policy changes after its fraction of the rounds",
    )
    answers: list[tuple[str, str, dict[str, RulePolicy]]] = []
    for high, low in (PromoOnce(), PromoOnceLowest()), (ExpLegacy("0.9"), ExpLegacyLowest("0.9")):
        answers.append((order, high.name, {"the highest rung": high, "the lowest rung": low}))
    for value in ("0.5", "1.0"):
        row = f"ExpLegacy({value})"
        answers.append((bound, row, {"promote": ExpLegacy(value), "create": ExpLegacyAbove(value)}))
    for value in ("0.2", "0.5", "0.8"):
        several: dict[str, RulePolicy] = {"the lowest": Rand(value)}
        several |= {"the highest": RandHighest(value), "any at random": RandAny(value)}
        answers.append((rand, f"Rand({value})", several))
    for row in FIGURES[10]:
        if "Then" in row:
            ran = policy_from_text(row.replace("(", "AsRun("))
            answers.append((change, row, {"never": ran, "yes": policy_from_text(row)}))
    return [
        RuleReading(question, answer, row, policy, adopted=not number)
        for question, row, policies in answers
        for number, (answer, policy) in enumerate(policies.items())
    ]


def judge(reading: RuleReading, rounds: int) -> Judged:
    figures = FIGURES[rounds][reading.row]
    mean, variance = exact_moments(reading.policy.simplified(), rounds)
    z_score = standard_errors(figures.exact_mean - mean, variance / GAMES)
    return Judged(reading, mean, figures.exact_mean, z_score)


_NAME = text_column("name", "policy")
_MEAN = exact("mean", "expected final score; empty if only bounds are known", "points")
_Z_SCORE = text_column(
    "z_score", "figure minus exact mean, or the least within its bounds", "standard errors"
)


_POLICY_COLUMNS: list[Column] = [
    _NAME,
    _MEAN,
    exact("figure", "mean that the README simulated", "points"),
    _Z_SCORE,
    exact("variance", "of the final score; empty if only bounds are known", "points²"),
    *(whole(name, f"quantile of level {text(level)}", "points") for name, level in LEVELS.items()),
    whole("max", "largest score of positive probability; empty if unknown", "points"),
    text_column("missing", "probability missing from the distribution, rounded up"),
    text_column("open", "bounds of the values that are not exact"),
]


def policies_report(rounds: int, ladder: Ladder, evaluations: Sequence[Evaluation]) -> Report:
    rows = [(e, figures_of(rounds, e.policy) if ladder == STANDARD else None) for e in evaluations]
    title = f"The README's percentiles ({GAMES} games) and their exact z-scores"
    figures = [_figure_row(e, printed) for e, printed in rows if printed]
    return Report.of(
        f"SWE: policies over {rounds} rounds",
        _conventions(rounds, ladder, evaluations),
        Table.of("policies", "Policies", (_policy_row(*row) for row in rows), *_POLICY_COLUMNS),
        Table.of("figures", title, figures, *_figure_columns()) if figures else None,
    )


def distributions_report(
    rounds: int, ladder: Ladder, by_policy: Mapping[str, Distribution[int]]
) -> Report:
    highest = max(map(max, by_policy.values()))
    scores = Table.of(
        "scores",
        "Distributions of the final score",
        (
            (score, *(d.probability(score) for d in by_policy.values()))
            for score in range(highest + 1)
        ),
        whole("score", "final score", "points"),
        *(exact(name.lower(), f"probability under {name}") for name in by_policy),
    )
    title = f"SWE: distributions of the final score over {rounds} rounds"
    return Report.of(title, conventions_of(ladder), scores)


def _conventions(rounds: int, ladder: Ladder, evaluations: Sequence[Evaluation]) -> dict[str, str]:
    more = {
        "repairs": "every policy fixes the most robust die first",
        "percentiles": "the least score that at least this fraction of the games do not exceed",
    }
    if not all(evaluation.scores.exact for evaluation in evaluations):
        kind = "doubles" if encloses_in_doubles(rounds, ladder) else "integers"
        more["missing"] = f"inexact distributions are lower bounds, in {kind} rounded down"
    return conventions_of(ladder, **more)


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
        _rounded_up(evaluation.scores.missing),
        "; ".join(_open(evaluation)),
    )


def _open(evaluation: Evaluation) -> Iterator[str]:
    if evaluation.exact_mean is None:
        mean = evaluation.mean
        yield f"mean {mean.rounded_down(4)}…{mean.rounded_up(4)}"
    for name, span in evaluation.percentiles.items():
        if not span.certified:
            yield f"{name} {span}"


def _rounded_up(probability: mpq) -> str:
    """Smallest power of ten that is at least a probability, for example 1e-7; 0 for 0."""
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
        columns.append(text_column(f"{name}_z_score", "its z-score", "standard errors"))
    columns.append(whole("max", "the README's figure: its best game", "points"))
    meaning = f"probability that none of {GAMES} games has a higher score"
    columns.append(text_column("max_chance", meaning))
    return columns


def _figure_row(evaluation: Evaluation, figures: Figures) -> tuple[Cell, ...]:
    cells: list[Cell] = [evaluation.policy]
    for name in LEVELS:
        figure = getattr(figures, name)
        cells += [figure, _percentile_z_score(figure, name, evaluation, GAMES)]
    none_above = evaluation.scores.cdf(figures.max)
    ends = {decimal(_power(end, GAMES), 2) for end in (none_above.lower, none_above.upper)}
    return (*cells, figures.max, ends.pop() if len(ends) == 1 else None)


def _power(probability: mpq, exponent: int) -> mpq:
    unit = 1 << 256
    result, base = unit, int(probability.numerator * unit // probability.denominator)
    while exponent:
        if exponent & 1:
            result = result * base // unit
        base = base * base // unit
        exponent >>= 1
    return mpq(result, unit)


def simulate_report(sample: Sample, seed: int, evaluation: Evaluation) -> Report:
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
            text_column("name", "statistic"),
            exact("estimate", "in the sample", "points"),
            exact("exact", "true value; for max the largest possible score", "points"),
            text_column("z_score", "estimate minus exact value", "standard errors"),
        ),
    )


def _mean_z_score(figures: Figures, evaluation: Evaluation, games: int) -> str | None:
    if evaluation.variance.upper == 0:
        return None
    z_score = mean_z_score(figures, evaluation, games)
    if evaluation.exact_mean is None and z_score.size.square == 0:
        return None
    return z_score.decimal(2)


def _percentile_z_score(figure: int, column: str, evaluation: Evaluation, games: int) -> str | None:
    """Write the z-score of a percentile; None if only its bounds are known."""
    if not evaluation.percentiles[column].certified:
        return None
    return percentile_z_score(figure, LEVELS[column], evaluation.scores, games).decimal(2)


def readings_report(rounds: int, judged: Sequence[Judged]) -> Report:
    return Report.of(
        f"SWE: readings of the README's policies, judged by {rounds} rounds",
        conventions_of(STANDARD),
        Table.of(
            "readings",
            "Readings of the README's policies",
            judged,
            text_column("question", "gap in the README").by(lambda j: j.reading.question),
            text_column("answer", "one possible answer").by(lambda j: j.reading.answer),
            text_column("row", "figure of the README for comparison").by(lambda j: j.reading.row),
            flag("adopted", "whether the policies here follow this answer").by(
                lambda j: j.reading.adopted
            ),
            exact("mean", "expected final score under this answer", "points"),
            exact("figure", "mean that the README simulated", "points"),
            _Z_SCORE.by(lambda j: j.z_score.decimal(2)),
        ),
    )
