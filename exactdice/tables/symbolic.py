"""Reports of closed forms: Risk rounds and battles, lattice points, catastrophes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from exactdice.arithmetic import natural, text
from exactdice.errors import TooLargeError
from exactdice.games.risk import Units, fighting_units
from exactdice.symbolic.catastrophe import (
    all_failed_within,
    expected_rolls_until_all_failed,
    telescoping,
    within_latex,
)
from exactdice.symbolic.ehrhart_polynomials import count_points, ehrhart, read_weights
from exactdice.symbolic.long_run import LongRun, long_run_statements
from exactdice.symbolic.new_only import NewOnly, new_only_statements
from exactdice.symbolic.polynomial import Polynomial, SignRun
from exactdice.symbolic.quasi_polynomial import QuasiPolynomial
from exactdice.symbolic.reachable import reachability, split_weights
from exactdice.symbolic.risk_battles import WinningChance, winning_chance
from exactdice.symbolic.risk_rounds import (
    COMPARED,
    power_sum_pattern,
    reciprocity,
    risk_round,
    shift,
)
from exactdice.symbolic.statements import Statement
from exactdice.symbolic.weak_orders import DEFENDER
from exactdice.tables.entry import Entry
from exactdice.tables.model import (
    Formula,
    Quantity,
    Report,
    Table,
    exact,
    listing,
    text_column,
    whole,
)
from exactdice.tables.provenance import Provenance

__all__ = [
    "battle_report",
    "catastrophe_report",
    "ehrhart_report",
    "entries",
    "risk_round_report",
]

_PLACES = 20

#: Most digits of a table of catastrophes; as many take 10 s. All grow with the dice of the start.
MOST_DIGITS = 50_000_000
_FRACTIONS_A_ROUND = 4  # that long; the expected revenue is short


def _formula(closed_form: Polynomial | QuasiPolynomial | WinningChance) -> Formula:
    return Formula(str(closed_form), closed_form.latex())


def _statements(statements: Iterable[Statement]) -> Table:
    return Table(
        "statements",
        "Statements and what they rest on",
        [
            text_column("name", "a few words"),
            text_column("statement", "the statement"),
            text_column("status", "proved, verified up to a bound, or guessed"),
            text_column("grounds", "the proof, or the bound"),
            text_column("latex", "the formula as LaTeX", heading="LaTeX"),
        ],
        [(s.name, s.text, str(s.status), s.grounds, Formula(s.latex, s.latex)) for s in statements],
    )


def _favoured(runs: Sequence[SignRun], favour: int = 1) -> str:
    """Write the whole numbers at which a sign holds."""
    parts = []
    for run in runs:
        if run.sign == favour:
            if run.last is None:
                parts.append(f"s ≥ {run.first}")
            elif run.first == run.last:
                parts.append(f"s = {run.first}")
            else:
                parts.append(f"{run.first} ≤ s ≤ {run.last}")
    return ", ".join(parts) or "never"


# Risk ----------------------------------------------------------------------------------------


def risk_round_report(attacker_dice: int, defender_dice: int, ties: str = DEFENDER) -> Report:
    """Report the counts of one round as polynomials in the number of sides."""
    now = risk_round(attacker_dice, defender_dice, ties)
    outcomes = Table(
        "outcomes",
        f"Rolls out of s^{now.dice}, for s-sided dice",
        [
            whole("attacker_losses", "units that the attacker loses", "units"),
            whole("defender_losses", "units that the defender loses", "units"),
            text_column("count", "rolls that do so, factored over the rationals", "rolls"),
            listing("coefficients", "coefficients of the count, constant first"),
            whole("least_sides", "sides from which on it can happen", "sides"),
            exact("limit", "limit of the probability for ever more sides"),
        ],
        [
            (
                lost,
                now.stake - lost,
                _formula(count),
                tuple(map(text, count.coefficients)),
                now.positive_from(lost),
                now.limit(lost),
            )
            for lost, count in enumerate(now.counts)
        ],
    )
    summary = [
        Quantity(
            text_column("advantage", "defender's less attacker's losses, summed over all rolls"),
            _formula(now.advantage),
        ),
        Quantity(
            text_column("favoured", "sides with which the attacker loses less on average"),
            _favoured(now.favoured()),
        ),
    ]
    statements = []
    if ties == DEFENDER:
        # The theorems are about all rounds: what is compared besides does not end with this one.
        statements.append(reciprocity(max(attacker_dice, defender_dice, COMPARED)))
        if attacker_dice <= defender_dice:
            statements.append(shift(max(defender_dice, COMPARED)))
        if attacker_dice == defender_dice + 1:
            statements.insert(0, power_sum_pattern(max(defender_dice, COMPARED)))
    title = f"Risk: one round, {attacker_dice} dice against {defender_dice}, with s sides"
    tables = [outcomes, _statements(statements)] if statements else [outcomes]
    return Report(title, summary, tables, Provenance(conventions={"ties": f"won by the {ties}"}))


def battle_report(
    attackers: int, defenders: int, units: Units, sides: int = 6, ties: str = DEFENDER
) -> Report:
    """Report the chance to win a battle as a function of the number of sides."""
    chance = winning_chance(fighting_units(attackers, units), defenders, ties=ties)
    summary = [
        Quantity(text_column("chance", "probability that the attacker wins"), _formula(chance)),
        Quantity(exact("value", f"the same with {sides} sides"), chance(sides)),
        Quantity(exact("limit", "its limit for ever more sides"), chance.limit),
        Quantity(
            text_column("favoured", "sides with which the attacker wins more often than not"),
            _favoured(chance.favoured()),
        ),
    ]
    conventions = {
        "units": f"{units} units",
        "dice": "at most 3 against 2",
        "ties": f"won by the {ties}",
    }
    title = f"Risk: {attackers} {units} units attack {defenders}, with s sides"
    return Report(title, summary, provenance=Provenance(conventions=conventions))


# Lattice points ------------------------------------------------------------------------------


def ehrhart_report(
    weights: Sequence[int],
    count_at: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Report the number of x ≥ 0 with Σ weight·x ≤ n as a quasi-polynomial in n.

    `progress` is called with the steps done and all of them: one for each wave, and four more.
    """
    tell = progress or (lambda done, total: None)
    shown = ", ".join(map(text, weights))
    title = f"Lattice points x ≥ 0 with Σ w·x ≤ n for w = {shown}"
    try:
        counts = ehrhart(*read_weights(weights))
    except TooLargeError:
        if count_at is None:
            raise
        return Report(title, [_points(count_at, count_points(weights, count_at))])
    steps = len(counts.orders) + 4
    tell(1, steps)
    summary = [
        Quantity(whole("degree", "degree of the quasi-polynomial"), counts.degree),
        Quantity(whole("period", "its smallest period"), counts.period),
        Quantity(
            exact("leading_coefficient", "its leading coefficient, the same in every residue"),
            counts.leading_coefficient,
        ),
    ]
    if count_at is not None:
        # The same coefficient of the generating function, without the quasi-polynomial.
        value = counts(count_at)
        if value != count_points(counts.weights, count_at):
            raise AssertionError(f"two counts differ at n = {count_at}")
        summary.append(_points(count_at, value))
    written = []
    for done, (order, wave) in enumerate(counts.waves.items(), start=2):
        tell(done, steps)
        written.append((order, wave.degree, _formula(wave)))
    waves = Table(
        "waves",
        "The count as a sum of waves; [c0, c1, …] stands for the c of n modulo its length",
        [
            whole("order", "order of the roots of unity, and period"),
            whole("degree", "degree in n"),
            text_column("wave", "quasi-polynomial"),
        ],
        written,
    )
    tell(steps - 2, steps)
    residues = Table(
        "residues",
        f"Coefficients for each n modulo {counts.period}, from 0 to {counts.period - 1}",
        [listing("coefficients", "coefficients of n^0, n^1, … of one residue")],
        [(tuple(map(text, row)),) for row in counts.quasi_polynomial.residues],
    )
    statements = [counts.proof()]
    tell(steps - 1, steps)
    statements.append(counts.reciprocity())
    tell(steps, steps)
    rungs = len(counts.weights) // 2
    if rungs and tuple(sorted(counts.weights)) == split_weights(rungs):
        statements.append(reachability(rungs))
    return Report(title, summary, [waves, residues, _statements(statements)])


def _points(n: int, value: int) -> Quantity:
    return Quantity(whole("value", f"number of points for n = {text(n)}"), value)


# Catastrophes --------------------------------------------------------------------------------


def catastrophe_report(
    sides: int = 4, rounds: int = 10, revenue: int = 0, score: int = 0, dice: Sequence[int] = ()
) -> Report:
    """Report new-only play of the software-engineering game, and dice that are not replaced."""
    game = NewOnly(sides, revenue, score)
    R = natural(rounds, "rounds")
    digits = sum(_FRACTIONS_A_ROUND * game.digits(t) for t in range(1, R + 1))
    if digits > MOST_DIGITS:
        raise TooLargeError(
            f"{R} rounds from {game.revenue} revenue dice take about {digits // 10**6} million "
            f"digits, more than the limit of {MOST_DIGITS // 10**6} million; give fewer rounds or "
            "less revenue"
        )
    first_roll = {game.sides: game.revenue + 1}
    history = Table(
        "rounds",
        "Round by round",
        [
            whole("round", "round", "rounds"),
            exact("catastrophe", "chance of a catastrophe in the round"),
            exact("none_so_far", "chance of no catastrophe up to the round"),
            exact("all_failed", "chance that the dice of the first roll have all failed by now"),
            exact("expected_revenue", "expected revenue dice after the round", "dice"),
            exact("expected_score", "expected score after the round", "points"),
        ],
        [
            (
                t,
                game.catastrophe(t),
                game.survival(t),
                all_failed_within(first_roll, t),
                game.expected_revenue(t),
                game.expected_score(t),
            )
            for t in range(1, R + 1)
        ],
    )
    limits = LongRun(game.sides)
    between, first = limits.rounds_between(), limits.rounds_to_first(game.revenue)
    summary = [
        Quantity(
            exact("expected_score", f"expected score after {R} rounds", "points"),
            game.expected_score(R),
        ),
        *(
            Quantity(text_column(name, meaning, unit), enclosure.decimal(_PLACES))
            for name, meaning, unit, enclosure in (
                (
                    "limit_score",
                    "limit of the expected score, proved digits",
                    "points",
                    limits.expected_score(),
                ),
                (
                    "rounds_to_first",
                    "expected rounds to the first catastrophe, proved digits",
                    "rounds",
                    first,
                ),
                (
                    "rounds_between",
                    "expected rounds between catastrophes in the long run, proved digits",
                    "rounds",
                    between,
                ),
            )
        ),
    ]
    tables = [history]
    if dice:
        tables.append(_dice_table(dice, R))
        summary += [
            Quantity(
                text_column("all_failed", "chance that all those dice have failed in t rolls"),
                Formula(_within_text(dice), within_latex(dice)),
            ),
            Quantity(
                exact("expected_rolls", "expected rolls until all of them have failed", "rolls"),
                expected_rolls_until_all_failed(dice),
            ),
        ]
    statements = [*telescoping(), *new_only_statements(), *long_run_statements()]
    conventions = {
        "play": "a new die whenever there is no legacy",
        "start": f"{game.revenue} revenue dice, score {game.score}",
    }
    return Report(
        f"Catastrophes under new-only play with {game.sides}-sided dice",
        summary,
        [*tables, _statements(statements)],
        Provenance(conventions=conventions),
    )


def _dice_table(dice: Sequence[int], rolls: int) -> Table:
    shown = ", ".join(map(str, dice))
    return Table(
        "rolls",
        f"Dice with {shown} faces, none replaced",
        [
            whole("roll", "roll", "rolls"),
            exact("all_failed", "chance that all have failed by now"),
        ],
        [(t, all_failed_within(dice, t)) for t in range(1, rolls + 1)],
    )


def _within_text(dice: Sequence[int]) -> str:
    factors = []
    for faces in sorted(set(dice)):
        number = list(dice).count(faces)
        factors.append(f"(1 - ({faces - 1}/{faces})**t)" + (f"**{number}" if number > 1 else ""))
    return "*".join(factors)


def entries() -> Iterator[Entry]:
    """List the closed forms of the main job."""
    for a, d in ((1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (3, 2)):
        yield Entry(
            f"symbolic/risk-round-{a}-{d}",
            partial(risk_round_report, a, d),
            f"exactdice symbolic risk-round {a} {d}",
        )
    for weights in ((1, 2, 3, 4, 5), split_weights(5)):
        yield Entry(
            f"symbolic/ehrhart-{len(weights)}",
            partial(ehrhart_report, weights),
            f"exactdice symbolic ehrhart {','.join(map(str, weights))}",
        )
    yield Entry("symbolic/catastrophe", catastrophe_report, "exactdice symbolic catastrophe")
