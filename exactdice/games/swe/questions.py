"""Questions about other aims than the mean, promotions, and play."""

import re
from dataclasses import KW_ONLY
from typing import Any

from exactdice.arithmetic import mpq
from exactdice.dice import Distribution
from exactdice.errors import InputError
from exactdice.games.swe.distributions.evaluation import WORK_LIMIT
from exactdice.games.swe.distributions.listed import (
    OPTIMAL_ROUNDS,
    evaluated,
    exact_distribution_called,
)
from exactdice.games.swe.fields import FromRound, OnLadder, PolicyName, SweQuestion, quiet
from exactdice.games.swe.model import lookahead, words
from exactdice.games.swe.optimum import objectives
from exactdice.games.swe.optimum.exact import solve
from exactdice.games.swe.reports import aims
from exactdice.question import argument, drawn_seed, option
from exactdice.question.domains import Flag, Probability, Whole
from exactdice.report.model import Report
from exactdice.run import Run
from exactdice.solve.play import played_by_seed

ANY_WORK = 10**40

WORK = option(Whole(least=1), "Most word operations for each policy.", default=WORK_LIMIT)


class Opponent(PolicyName):
    """A known score, or the name of a policy that plays separately."""

    metavar = "SCORE|POLICY"

    def read(self, value: Any, name: str) -> str:
        if isinstance(value, str) and not re.fullmatch(r"\s*[+-]?[0-9]+\s*", value):
            try:
                return super().read(value, name)
            except InputError as problem:
                if problem.argument != name:
                    raise
                raise InputError(name, value, f"a score, or {problem.wanted}") from None
        return str(Whole().read(value.strip() if isinstance(value, str) else value, name))


class SwePromotion(OnLadder):
    """Gain of a promotion on each rung of a ladder."""

    def report(self, run: Run) -> Report:
        return aims.promotion_report(self.ladder)


class SweTarget(FromRound, example="10 30", takes="2 s for 10 rounds", shares_work=True):
    """Greatest probability of a final score of at least TARGET, with the optimal action."""

    target: int = argument(Whole(), "Score to reach.")

    def report(self, run: Run) -> Report:
        state, now = self.moment()
        payoff = objectives.reaching(self.target, run)
        solution = objectives.maximise(payoff, self.rounds, self.ladder, run, start=state, now=now)
        aimed_at = solution.at(state, now)
        names = [] if aimed_at.state else ["Optimal", "NewOnly", "Promo", "PromoOnce"]
        several = [
            evaluated(name, self.rounds, self.ladder, run=quiet(run))
            for name in names
            if name != "Optimal" or self.rounds <= OPTIMAL_ROUNDS
        ]
        return aims.target_report(aimed_at, self.target, several)


class SweBeat(
    FromRound, example="10 NewOnly --tie 1/2", takes="seconds for 10 rounds", shares_work=True
):
    """Best response to a known score, or to a policy that plays separately."""

    opponent: str = argument(Opponent(), "A known score or a policy.")
    _: KW_ONLY
    tie: mpq = option(Probability(), "Value of a tie, from 0 to 1.", default=mpq(0))

    def report(self, run: Run) -> Report:
        if self.opponent.isdecimal():
            payoff = objectives.beating(int(self.opponent), self.tie, run)
        else:
            payoff = objectives.beating_distribution(self._scores(run), self.tie, run)
        state, now = self.moment()
        solution = objectives.maximise(payoff, self.rounds, self.ladder, run, start=state, now=now)
        return aims.beat_report(solution.at(state, now), self.opponent, self.tie)

    def _scores(self, run: Run) -> Distribution[int]:
        game = self.rounds, self.ladder
        try:
            return exact_distribution_called(self.opponent, *game, run=quiet(run))
        except InputError as problem:
            raise InputError("opponent", self.opponent, problem.wanted) from None


class SweRivals(OnLadder, example="5", takes="1 s for 5 rounds, 10 s for 6"):
    """Two players in turn order who see each other's scores: exact play to win.

    For more rounds than fit into memory, use `swe beat` for the best response to a policy.
    """

    rounds: int = argument(Whole(least=1), "Rounds of the game.")
    _: KW_ONLY
    tie: mpq = option(Probability(), "Value of a tie to the first player.", default=mpq(1, 2))

    def report(self, run: Run) -> Report:
        return aims.rivals_report(objectives.rivals(self.rounds, self.tie, self.ladder, run))


class SwePlay(SweQuestion, example="9 --seed 1", takes="a moment for 14 rounds"):
    """Play a game; after each choice you see its regret."""

    _: KW_ONLY
    seed: int = drawn_seed()
    auto: bool = option(Flag(), "Let the optimal policy play.")

    def report(self, run: Run) -> Report:
        solution = solve(self.rounds, self.ladder, run=run)
        asked = None if self.auto else run
        said = words(self.rounds, self.ladder)
        steps, score = played_by_seed(lookahead(solution), self.seed, asked, said)
        return aims.play_report(solution, steps, score, self.seed)
