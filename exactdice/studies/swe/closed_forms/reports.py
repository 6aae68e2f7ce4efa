"""Reports of what has a closed form: creating only, catastrophes, dice that are not replaced."""

from collections.abc import Sequence

from exactdice.errors import TooLargeError
from exactdice.games.swe.new_only import NewOnly, new_only_statements
from exactdice.report.model import Formula, Report, Table, exact, text_column, whole
from exactdice.studies.swe.closed_forms.catastrophe import (
    all_failed_within,
    expected_rolls_until_all_failed,
    read_dice,
    telescoping,
    within_latex,
)
from exactdice.studies.swe.closed_forms.long_run import LongRun, long_run_statements
from exactdice.symbolic.statements import statements_table

_PLACES = 20

#: Most digits of a table of catastrophes; as many take 10 s. All grow with the dice of the start.
MAX_DIGITS = 50_000_000
_FRACTIONS_A_ROUND = 4  # that long; the expected revenue is short


def catastrophe_report(game: NewOnly, rounds: int, dice: Sequence[int] = ()) -> Report:
    """Report new-only play, and dice that are not replaced."""
    digits = sum(_FRACTIONS_A_ROUND * game.digits(t) for t in range(1, rounds + 1))
    if digits > MAX_DIGITS:
        raise TooLargeError(
            f"{rounds} rounds from {game.revenue} revenue dice take about {digits // 10**6} "
            f"million digits, more than the limit of {MAX_DIGITS // 10**6} million; give fewer "
            "rounds or less revenue"
        )
    first_roll = {game.sides: game.revenue + 1}
    history = Table.of(
        "rounds",
        "Round by round",
        range(1, rounds + 1),
        whole("round", "round", "rounds").by(int),
        exact("catastrophe", "chance of a catastrophe in the round").by(game.catastrophe),
        exact("none_so_far", "chance of no catastrophe up to the round").by(game.survival),
        exact("all_failed", "chance that the dice of the first roll have all failed by now").by(
            lambda t: all_failed_within(first_roll, t)
        ),
        exact("expected_revenue", "expected revenue dice after the round", "dice").by(
            game.expected_revenue
        ),
        exact("expected_score", "expected score after the round", "points").by(game.expected_score),
    )
    limits = LongRun(game.sides)
    first, later = limits.rounds_to_first(game.revenue), limits.rounds_between()
    proved = (
        ("limit_score", "limit of the expected score", "points", limits.expected_score()),
        ("rounds_to_first", "expected rounds to the first catastrophe", "rounds", first),
        ("rounds_between", "expected rounds between catastrophes in the long run", "rounds", later),
    )
    score = exact("expected_score", f"expected score after {rounds} rounds", "points")
    summary = [
        score(game.expected_score(rounds)),
        *(
            text_column(name, f"{what}, proved digits", unit)(limit.decimal(_PLACES))
            for name, what, unit, limit in proved
        ),
    ]
    tables = [history]
    if dice:
        tables.append(_dice_table(dice, rounds))
        summary += [
            text_column("all_failed", "chance that all those dice have failed in t rolls")(
                Formula(_within_text(dice), within_latex(dice))
            ),
            exact("expected_rolls", "expected rolls until all of them have failed", "rolls")(
                expected_rolls_until_all_failed(dice)
            ),
        ]
    statements = [*telescoping(), *new_only_statements(), *long_run_statements()]
    return Report.of(
        f"Catastrophes under new-only play with {game.sides}-sided dice",
        {
            "play": "a new die whenever there is no legacy",
            "start": f"{game.revenue} revenue dice, score {game.score}",
        },
        *summary,
        *tables,
        statements_table(statements),
    )


def _dice_table(dice: Sequence[int], rolls: int) -> Table:
    shown = ", ".join(map(str, dice))
    return Table.of(
        "rolls",
        f"Dice with {shown} faces, none replaced",
        ((t, all_failed_within(dice, t)) for t in range(1, rolls + 1)),
        whole("roll", "roll", "rolls"),
        exact("all_failed", "chance that all have failed by now"),
    )


def _within_text(dice: Sequence[int]) -> str:
    return "*".join(
        f"(1 - ({faces - 1}/{faces})**t)" + (f"**{number}" if number > 1 else "")
        for faces, number in read_dice(dice).items()
    )
