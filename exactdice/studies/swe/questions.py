"""Questions about the README's policies and claims."""

from dataclasses import KW_ONLY
from typing import Any

from exactdice.errors import InputError
from exactdice.games.swe.distributions.listed import (
    evaluated,
    exact_distribution_called,
    nanoseconds,
    policy_called,
    policy_names,
)
from exactdice.games.swe.distributions.simulation import simulate
from exactdice.games.swe.fields import OnLadder, PolicyName, SweQuestion, quiet
from exactdice.games.swe.questions import ANY_WORK, WORK
from exactdice.question import Question, argument, option
from exactdice.question.domains import Flag, Whole
from exactdice.report.model import Report
from exactdice.run import Run
from exactdice.studies.swe import policies
from exactdice.studies.swe.maxims import maxims_report, settle


class SweClaims(OnLadder, example="10", takes="half a minute for 22 rounds"):
    """Verdicts on the claims about optimal play, for all games of at most ROUNDS rounds."""

    rounds: int = argument(Whole(least=1), "Rounds of the longest game.")

    def report(self, run: Run) -> Report:
        return maxims_report(self.rounds, self.ladder, settle(self.rounds, self.ladder, run=run))


_COMPARED = ("NewOnly", "Promo", "PromoOnce", "Optimal")  # by default


class JudgedRounds(Whole):
    """Rounds of the README's tables by which its readings are judged."""

    metavar = "10|30"

    def read(self, value: Any, name: str) -> int:
        rounds = super().read(value, name)
        if rounds not in (10, 30):
            raise InputError(name, value, "10 or 30")
        return rounds


class SwePolicies(
    SweQuestion,
    example="10 --policy Promo",
    takes="seconds for 10 rounds, minutes for 30, a quarter of an hour for 100",
    shares_work=True,
):
    """Exact scores of the policies, compared with the README's simulated figures."""

    _: KW_ONLY
    policy: tuple[str, ...] = option(PolicyName(), "Only this policy; may be repeated.", many=True)
    fixed: bool = option(Flag(), "Leave out random policies.")
    work: int = WORK

    def report(self, run: Run) -> Report:
        names = self.policy or policy_names(self.rounds, fixed=self.fixed)
        run.expect(nanoseconds(names, self.rounds, self.ladder, self.work), "evaluating them all")
        evaluations = []
        for done, name in enumerate(names):
            run.tell("policies", done, len(names))
            game = name, self.rounds, self.ladder
            evaluations.append(evaluated(*game, work=self.work, run=quiet(run)))
        return policies.policies_report(self.rounds, self.ladder, evaluations)


class SweDistributions(SweQuestion, example="10", takes="3 s for 14 rounds"):
    """Exact distributions of the final score under policies."""

    _: KW_ONLY
    policy: tuple[str, ...] = option(
        PolicyName(), f"Policy; may be repeated. Default: {', '.join(_COMPARED)}.", many=True
    )

    def report(self, run: Run) -> Report:
        by_policy = {
            name: exact_distribution_called(name, self.rounds, self.ladder, work=ANY_WORK, run=run)
            for name in self.policy or _COMPARED
        }
        return policies.distributions_report(self.rounds, self.ladder, by_policy)


class SweReadings(Question, example="10", takes="a second for 10 rounds, 20 s for 30"):
    """Readings of the README's policies, compared with its figures."""

    rounds: int = argument(JudgedRounds(), "Rounds of the game: 10 or 30.")

    def report(self, run: Run) -> Report:
        listed = policies.readings()
        judged = []
        for done, reading in enumerate(listed):
            run.tell("readings", done, len(listed))
            judged.append(policies.judge(reading, self.rounds))
        return policies.readings_report(self.rounds, judged)


class SweSimulate(
    SweQuestion, example="10 --policy Promo", takes="seconds for 10 rounds", shares_work=True
):
    """Simulate games of a policy, and compare the estimates with the exact values."""

    _: KW_ONLY
    policy: str = option(PolicyName(), "Policy, for example Rand(0.5).", default="NewOnly")
    games: int = option(Whole(least=1), "Games to play.", default=10000)
    seed: int = option(Whole(), "Random seed.", metavar="S", default=0)
    work: int = WORK

    def report(self, run: Run) -> Report:
        game = self.policy, self.rounds, self.ladder
        evaluation = evaluated(*game, work=self.work, run=quiet(run))
        policy = policy_called(*game, quiet(run))
        sample = simulate(policy, self.rounds, self.games, self.seed, self.ladder, run)
        return policies.simulate_report(sample, self.seed, evaluation)
