"""What can be asked about policies, other aims than the mean, promotions, and play."""

import re
from dataclasses import KW_ONLY, dataclass
from typing import Any

from exactdice.arithmetic import mpq
from exactdice.dice import Distribution
from exactdice.errors import InputError
from exactdice.games.swe.fields import FromRound, OnLadder, PolicyName, SweQuestion, quiet
from exactdice.games.swe.laws.evaluation import WORK_LIMIT
from exactdice.games.swe.laws.listed import (
    OPTIMAL_ROUNDS,
    evaluated,
    exact_law_called,
    nanoseconds,
    policy_called,
    policy_names,
)
from exactdice.games.swe.laws.readings import judge, readings
from exactdice.games.swe.laws.simulation import Environment, simulate
from exactdice.games.swe.optimum.exact import solve
from exactdice.games.swe.optimum.objectives import beating, beating_a_law, maximise, reaching
from exactdice.games.swe.optimum.rivals import rivals
from exactdice.games.swe.play import Person, optimal_player, play
from exactdice.games.swe.reports.aims import (
    beat_report,
    play_report,
    promotion_report,
    rivals_report,
    target_report,
)
from exactdice.games.swe.reports.policies import (
    laws_report,
    policies_report,
    readings_report,
    simulate_report,
)
from exactdice.question import Question, argument, drawn_seed, option
from exactdice.question.domains import Flag, Probability, Whole
from exactdice.report.model import Report
from exactdice.run import Run

#: Rounds of the README's tables by which its readings are judged.
_JUDGED = (10, 30)
_ANY_WORK = 10**40

#: Policies whose laws stand side by side unless others are named.
_COMPARED = ("NewOnly", "Promo", "PromoOnce", "Optimal")

_WORK = option(Whole(least=1), "Word operations for each policy, at most.", default=WORK_LIMIT)


class JudgedRounds(Whole):
    """Rounds of those tables of the README by which its readings are judged."""

    metavar = "10|30"

    def read(self, value: Any, name: str) -> int:
        rounds = super().read(value, name)
        if rounds not in _JUDGED:
            raise InputError(name, value, "10 or 30, for which the readings are judged")
        return rounds


@dataclass(frozen=True)
class SwePolicies(
    SweQuestion,
    command="swe policies",
    example="swe policies 10 --policy Promo",
    takes="seconds for 10 rounds, minutes for 30, a quarter of an hour for 100",
    shares_work=True,
):
    """Exact scores of the policies, beside the figures that the game's README simulated."""

    _: KW_ONLY
    policy: tuple[str, ...] = option(
        PolicyName(), "Only this one; may be repeated.", many=True, default=()
    )
    fixed: bool = option(Flag(), "Leave out the policies that draw lots.")
    work: int = _WORK

    def report(self, run: Run) -> Report:
        names = self.policy or policy_names(self.rounds, fixed=self.fixed)
        run.expect(nanoseconds(names, self.rounds, self.ladder, self.work), "evaluating them all")
        evaluations = []
        for done, name in enumerate(names):
            run.tell("policies", done, len(names))
            evaluations.append(
                evaluated(name, self.rounds, self.ladder, work_limit=self.work, run=quiet(run))
            )
        return policies_report(self.rounds, self.ladder, evaluations)


@dataclass(frozen=True)
class SweLaws(SweQuestion, command="swe laws", example="swe laws 10", takes="3 s for 14 rounds"):
    """Exact laws of the final score under policies, side by side."""

    _: KW_ONLY
    policy: tuple[str, ...] = option(
        PolicyName(),
        f"Only this one; may be repeated. Without: {', '.join(_COMPARED)}.",
        many=True,
        default=(),
    )

    def report(self, run: Run) -> Report:
        laws = {
            name: exact_law_called(name, self.rounds, self.ladder, work_limit=_ANY_WORK, run=run)
            for name in self.policy or _COMPARED
        }
        return laws_report(self.rounds, self.ladder, laws)


@dataclass(frozen=True)
class SweReadings(
    Question,
    command="swe readings",
    example="swe readings 10",
    takes="a second for 10 rounds, 20 s for 30",
):
    """How each reading of the README's policies fits the figures that it printed."""

    rounds: int = argument(JudgedRounds(), "Rounds of the game.")

    def report(self, run: Run) -> Report:
        listed = readings()
        judged = []
        for done, reading in enumerate(listed):
            run.tell("readings", done, len(listed))
            judged.append(judge(reading, self.rounds))
        return readings_report(self.rounds, judged)


@dataclass(frozen=True)
class SweSimulate(
    SweQuestion,
    command="swe simulate",
    example="swe simulate 10 --policy Promo",
    takes="seconds for 10 rounds",
    shares_work=True,
):
    """Simulate games of a policy; the exact values stand beside the estimates."""

    _: KW_ONLY
    policy: str = option(PolicyName(), "Policy, as Promo or Rand(0.5).", default="NewOnly")
    games: int = option(Whole(least=1), "Games to play.", default=10000)
    seed: int = option(Whole(), "Random seed.", metavar="S", default=0)
    work: int = _WORK

    def report(self, run: Run) -> Report:
        evaluation = evaluated(
            self.policy, self.rounds, self.ladder, work_limit=self.work, run=quiet(run)
        )
        policy = policy_called(self.policy, self.rounds, self.ladder, quiet(run))
        sample = simulate(policy, self.rounds, self.games, self.seed, self.ladder, run)
        return simulate_report(sample, self.seed, evaluation)


class Opponent(PolicyName):
    """A score that is known, or the name of a policy that plays apart."""

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


@dataclass(frozen=True)
class SwePromotion(OnLadder, command="swe promotion", example="swe promotion", takes="a moment"):
    """What promoting a die gains on each rung of a ladder."""

    def report(self, run: Run) -> Report:
        return promotion_report(self.ladder)


@dataclass(frozen=True)
class SweTarget(
    FromRound,
    command="swe target",
    example="swe target 10 30",
    takes="2 s for 10 rounds",
    shares_work=True,
):
    """Greatest probability of a final score of at least TARGET, and how to play for it."""

    rounds: int = argument(Whole(), "Rounds of the game.", metavar="R")
    target: int = argument(Whole(), "Score to reach.", metavar="TARGET")

    def check(self) -> None:
        super().check()
        self.check_round(self.rounds)

    def report(self, run: Run) -> Report:
        state, now = self.moment()
        payoff = reaching(self.target, run)
        solution = maximise(payoff, self.rounds, self.ladder, run, start=state, now=now)
        aimed_at = solution.at(state, now)
        names = [] if aimed_at.state else ["Optimal", "NewOnly", "Promo", "PromoOnce"]
        several = [
            evaluated(name, self.rounds, self.ladder, run=quiet(run))
            for name in names
            if name != "Optimal" or self.rounds <= OPTIMAL_ROUNDS
        ]
        return target_report(aimed_at, self.target, several)


@dataclass(frozen=True)
class SweBeat(
    FromRound,
    command="swe beat",
    example="swe beat 10 NewOnly --tie 1/2",
    takes="seconds for 10 rounds",
    shares_work=True,
):
    """Best response to a known score to beat, or to a policy that plays apart."""

    rounds: int = argument(Whole(), "Rounds of the game.", metavar="R")
    opponent: str = argument(Opponent(), "A known score, or who plays apart.")
    _: KW_ONLY
    tie: mpq = option(Probability(), "What a tie is worth, from 0 to 1.", default=mpq(0))

    def check(self) -> None:
        super().check()
        self.check_round(self.rounds)

    def report(self, run: Run) -> Report:
        if self.opponent.isdecimal():
            payoff = beating(int(self.opponent), self.tie, run)
        else:
            payoff = beating_a_law(self._law(run), self.tie, run)
        state, now = self.moment()
        solution = maximise(payoff, self.rounds, self.ladder, run, start=state, now=now)
        return beat_report(solution.at(state, now), self.opponent, self.tie)

    def _law(self, run: Run) -> Distribution[int]:
        try:
            return exact_law_called(self.opponent, self.rounds, self.ladder, run=quiet(run))
        except InputError as problem:
            raise InputError("opponent", self.opponent, problem.wanted) from None


@dataclass(frozen=True)
class SweRivals(
    OnLadder, command="swe rivals", example="swe rivals 5", takes="1 s for 5 rounds, 8 s for 6"
):
    """Two players in turn order who see each other's scores: exact play to win.

    For more rounds than fit into memory, `swe beat` gives the best response to a policy that plays
    apart.
    """

    rounds: int = argument(Whole(least=1), "Rounds of the game.", metavar="R")
    _: KW_ONLY
    tie: mpq = option(Probability(), "What a tie is worth to the first.", default=mpq(1, 2))

    def report(self, run: Run) -> Report:
        return rivals_report(rivals(self.rounds, self.tie, self.ladder, run))


@dataclass(frozen=True)
class SwePlay(
    SweQuestion, command="swe play", example="swe play 9 --seed 1", takes="a moment for 14 rounds"
):
    """Play a game; after each choice you are told what it cost against the optimum."""

    _: KW_ONLY
    seed: int = drawn_seed()
    auto: bool = option(Flag(), "Let the optimal policy play.")

    @property
    def is_interactive(self) -> bool:
        return not self.auto

    def report(self, run: Run) -> Report:
        solution = solve(self.rounds, self.ladder, run=run)
        game = Environment(self.rounds, self.ladder, seed=self.seed)
        if self.auto:
            decisions = play(game, solution, optimal_player(solution))
        else:
            person = Person(self.ladder, run)
            decisions = play(game, solution, person, person.hear)
        return play_report(solution, decisions, self.seed)


QUESTIONS = (
    SwePolicies,
    SweLaws,
    SweReadings,
    SweSimulate,
    SwePromotion,
    SweTarget,
    SweBeat,
    SweRivals,
    SwePlay,
)
