"""The question whether the fast solvers agree with the exact ones."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass

from exactdice.games import GAMES
from exactdice.jobs.crosscheck.ladders import cases
from exactdice.jobs.crosscheck.model import Check
from exactdice.native import solvers
from exactdice.question import Question, argument, option
from exactdice.question.domains import Flag, Words
from exactdice.report.model import Quantity, Report, Table, exact, flag, text_column, whole
from exactdice.report.provenance import Provenance
from exactdice.run import Run


@dataclass(frozen=True)
class Crosscheck(
    Question, command="crosscheck", example="crosscheck farkle", takes="15 s; 40 s with --large"
):
    """Check the C++ solvers against the exact ones; exit status 1 if anything is outside."""

    games: tuple[str, ...] = argument(
        Words(*GAMES),
        f"Of {', '.join(GAMES)}; all where none is given.",
        metavar="GAME",
        many=True,
        default=(),
    )
    _: KW_ONLY
    large: bool = option(Flag(), "Take the large sizes too, which take minutes.")

    def report(self, run: Run) -> Report:
        """Run the cross-checks one after another."""
        chosen = cases(self.games, large=self.large)
        solvers()
        checks = []
        for done, case in enumerate(chosen):
            run.tell("cross-checks", done, len(chosen))
            checks.append(case.run())
        return _report(checks)


def _report(checks: Sequence[Check]) -> Report:
    """Report what was compared, how far the doubles are off, and what is outside."""
    problems = [(c.game, c.size, problem) for c in checks for problem in c.problems]
    game, size = text_column("game", "game"), text_column("size", "size that was solved")
    comparisons = Table(
        "checks",
        "Doubles and intervals against exact values",
        [
            game,
            size,
            whole("numbers", "values compared", "values"),
            exact("largest_relative", "largest relative error of a double", "", "relative error"),
            exact("largest_ulps", "the same in units in the last place", "ulp", "ulps"),
            exact("largest_absolute", "largest absolute error of a double", "", "absolute error"),
            exact("bound_used", "largest part that an error takes of its stated bound", "", "used"),
            whole("outside", "doubles off by more than their bound, and intervals that miss"),
            whole("actions", "decisions compared", "decisions"),
            whole("ties", "decisions in which several actions are exactly optimal", "decisions"),
            whole("wrong", "decisions in which the action taken is not optimal", "decisions"),
            whole("undecided", "decisions that the intervals leave open", "decisions"),
            flag("passed", "whether nothing is outside"),
        ],
        [
            (
                c.game,
                c.size,
                c.numbers,
                c.largest_relative,
                c.largest_ulps,
                c.largest_absolute,
                c.bound_used,
                c.outside_bound + c.not_enclosed,
                c.actions,
                c.ties,
                c.wrong_actions,
                c.undecided,
                c.passed,
            )
            for c in checks
        ],
    )
    sizes = Table(
        "model_sizes",
        "Sizes of the models",
        [
            game,
            size,
            text_column("what", "what is counted"),
            whole("exact", "in the exact model"),
            whole("fast", "in the fast model"),
        ],
        [(c.game, c.size, *counted) for c in checks for counted in c.model_sizes],
    )
    failures = Table(
        "problems",
        "What is outside",
        [game, size, text_column("problem", "the first failure of its kind")],
        problems,
    )
    failed = sum(not c.passed for c in checks)
    quantities = [
        Quantity(whole("checks_run", "cross-checks", "checks"), len(checks)),
        Quantity(whole("checks_failed", "cross-checks in which something is outside"), failed),
    ]
    return Report(
        "Cross-check of the C++ solvers against the exact ones",
        quantities,
        [comparisons, sizes, *([failures] if problems else [])],
        Provenance(conventions={"doubles": "converted to rationals exactly, then compared"}),
        f"{failed} of {len(checks)} cross-checks failed; the first: "
        f"{problems[0][0]}, {problems[0][1]}: {problems[0][2]}"
        if failed
        else "",
    )


#: The question of this room.
QUESTIONS = (Crosscheck,)
