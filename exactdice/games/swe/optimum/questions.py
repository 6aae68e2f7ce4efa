"""Questions about optimal play for the mean."""

from dataclasses import KW_ONLY

from exactdice.arithmetic import mpq
from exactdice.errors import ConflictError
from exactdice.formats.certified import Certified
from exactdice.games.swe import reports
from exactdice.games.swe.fields import FromRound, FromState, SweQuestion
from exactdice.games.swe.optimum import chooser
from exactdice.games.swe.optimum.exact import solve as search
from exactdice.games.swe.optimum.interval_search import residues
from exactdice.question import argument, option
from exactdice.question.domains import Flag, Rational, Whole
from exactdice.report.model import Report
from exactdice.run import Run


class SweValue(
    FromState,
    Certified,
    example="10",
    takes="3 s for 40 rounds, 17 s for 60, minutes for bounds on 100",
    shares_work=True,
):
    """Expected final score under optimal play, from the start or from a state."""

    game_from = "exactdice.games.swe.model:game_of_value"

    rounds: int = argument(Whole(), "Rounds of the game.")
    _: KW_ONLY
    exact: bool = option(Flag(), "Exact optimum, even if it takes hours.")
    width: mpq | None = option(Rational(), "Accept an interval at most W points wide.", metavar="W")

    def check(self) -> None:
        super().check()
        chooser.check_width(self.width, exact=self.exact)

    def report(self, run: Run) -> Report:
        start = self.state() if self.is_given else None
        return chooser.solve(
            self.rounds, self.ladder, start, exact=self.exact, width=self.width, run=run
        ).report()


class SweEnclosure(
    FromRound,
    example="40",
    takes="2 s for 60 rounds, half a minute for 100; seconds from a state of round 40 or later",
    shares_work=True,
):
    """Rigorous enclosure of the optimum by the C++ solver, for many rounds or from a state."""

    rounds: int = argument(Whole(least=1, most=200), "Rounds of the game.")
    _: KW_ONLY
    exact: bool = option(Flag(), "Find the exact optimum within the enclosure.")
    residues: bool = option(
        Flag(), "Verify the exact optimum modulo three primes; exit status 1 if it fails."
    )

    def check(self) -> None:
        super().check()
        if self.residues and not self.exact:
            raise ConflictError("residues", "needs --exact")
        if self.exact and self.moment()[0] is not None:
            raise ConflictError("exact", "does not apply to a state; use swe value")

    def report(self, run: Run) -> Report:
        state, now = self.moment()
        if state is not None:
            left = self.rounds - now + 1
            outlook = chooser.judge(left, self.ladder, state, run)
            return reports.outlook_report(self.rounds, now, state, self.ladder, outlook)
        widest = mpq(0) if self.exact else None
        optimum = chooser.by_intervals(self.rounds, self.ladder, widest=widest, run=run)
        if not self.residues or optimum.searched is None:
            return reports.enclosure_report(optimum)
        return reports.enclosure_report(optimum, residues(optimum.searched, run))


class SweAdvise(
    FromRound,
    example="10 --score 8 --revenue 0,1,1,0,0 --round 6",
    takes="at most a minute for 61 rounds left",
    shares_work=True,
):
    """Value and regret of each action in round T."""

    rounds: int = argument(Whole(least=1), "Rounds of the game.")
    _: KW_ONLY
    exact: bool = option(Flag(), "Exact values, even if they take hours; no enclosures.")

    def report(self, run: Run) -> Report:
        now, state = self.round or 1, self.state()
        left = self.rounds - now + 1
        if not self.exact and not chooser.searched_quickly(left, self.ladder, state):
            outlook = chooser.judge(left, self.ladder, state, run)
            return reports.outlook_report(self.rounds, now, state, self.ladder, outlook)
        advice = search(left, self.ladder, state, run).actions(state, left)
        return reports.advice_report(self.rounds, now, state, self.ladder, advice)


class SwePolicy(SweQuestion, example="12 --path", takes="10 s for 22 rounds"):
    """Optimal actions in every state, by score."""

    _: KW_ONLY
    legacy: bool = option(Flag(), "Include states with legacy dice: which one to fix.")
    path: bool = option(Flag(), "Only states that occur under optimal play.")
    first: bool = option(
        Flag(), "With --path: only the first optimal action, for dice that do not always create."
    )

    def check(self) -> None:
        if self.first and (self.legacy or not self.path):
            raise ConflictError("first", "needs --path, and cannot be combined with --legacy")

    def report(self, run: Run) -> Report:
        solution = search(self.rounds, self.ladder, run=run)
        if self.first:
            return reports.decisions_report(solution)
        return reports.policy_report(solution, legacy=self.legacy, path=self.path)


class SweValues(SweQuestion, example="22", takes="6 s for 30 rounds"):
    """Expected final score under optimal play for every game of at most ROUNDS rounds."""

    def report(self, run: Run) -> Report:
        return search(self.rounds, self.ladder, run=run).report()


class SweSizes(SweQuestion, example="100"):
    """Multisets of dice and tables of every game of at most ROUNDS rounds."""

    rounds: int = argument(Whole(most=10_000), "Rounds of the game.")

    def report(self, run: Run) -> Report:
        return reports.sizes_report(self.rounds, self.ladder)
