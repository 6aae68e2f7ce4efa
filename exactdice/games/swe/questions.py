"""What can be asked about the software-engineering game: one class a command."""

import re
import secrets
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any

from gmpy2 import mpq

from exactdice.dice import Distribution
from exactdice.errors import InputError, Unquoted
from exactdice.games.swe.rules import STANDARD, Ladder, State, check_state
from exactdice.question import Question, argument, option
from exactdice.question.domains import Domain, Flag, Listed, Probability, Rational, Whole
from exactdice.report.model import Report
from exactdice.run import Run

__all__ = [
    "QUESTIONS",
    "Advise",
    "Beat",
    "Claims",
    "Enclose",
    "Laws",
    "Play",
    "Policies",
    "Policy",
    "Promotion",
    "Readings",
    "Rivals",
    "Simulate",
    "Sizes",
    "Target",
    "Value",
    "Values",
]

#: Word operations that an evaluation may spend: that of `exactdice.games.swe.laws.evaluation`,
#: stated here too because help texts do not wait for numpy; a test holds them together.
WORK_LIMIT = 2 * 10**10

#: Rounds of the README's tables by which its readings are judged.
_JUDGED = (10, 30)
_ANY_WORK = 10**40

#: Policies whose laws stand side by side unless others are named.
_COMPARED = ("NewOnly", "Promo", "PromoOnce", "Optimal")


class LadderOfDice(Domain[Ladder]):
    """The faces of the dice, ascending.

    Examples
    --------
    >>> LadderOfDice().write(LadderOfDice().read("4, 6,8", "ladder"))
    '4,6,8'
    """

    metavar = "F,F,…"

    def read(self, given: Any, name: str) -> Ladder:
        """Read faces, from one text or from a sequence."""
        if isinstance(given, str):
            return Ladder.read(given)
        if not isinstance(given, tuple | list):
            raise InputError(name, given, "faces that ascend strictly, such as 4,6,8,12,20")
        return Ladder.of(given)

    def write(self, value: Ladder) -> str:
        """Write them with commas between."""
        return ",".join(map(str, value))


class PolicyName(Domain[str]):
    """Names of policies, as they write themselves.

    Examples
    --------
    >>> PolicyName().read("rand(0.5)", "policy")
    'Rand(0.5)'
    """

    metavar = "NAME"

    def read(self, given: Any, name: str) -> str:
        """Read a name."""
        from exactdice.games.swe.laws.players import policy_name

        if not isinstance(given, str):
            raise InputError(name, given, "the name of a policy, such as Promo or Rand(0.5)")
        try:
            return policy_name(given)
        except InputError as problem:
            if problem.argument != "policy":
                raise
            raise InputError(name, given, problem.wanted) from None


class Opponent(PolicyName):
    """A score that is known, or the name of a policy that plays apart."""

    metavar = "SCORE|POLICY"

    def read(self, given: Any, name: str) -> str:
        """Read a score, as a text of digits, or a name."""
        if isinstance(given, str) and not re.fullmatch(r"\s*[+-]?[0-9]+\s*", given):
            try:
                return super().read(given, name)
            except InputError as problem:
                if problem.argument != name:
                    raise
                raise InputError(name, given, f"a score, or {problem.wanted}") from None
        return str(Whole().read(given.strip() if isinstance(given, str) else given, name))


class JudgedRounds(Whole):
    """Rounds of those tables of the README by which its readings are judged."""

    metavar = "10|30"

    def read(self, given: Any, name: str) -> int:
        """Read one of the two numbers."""
        rounds = super().read(given, name)
        if rounds not in _JUDGED:
            raise InputError(name, given, "10 or 30, for which the readings are judged")
        return rounds


def _quiet(run: Run) -> Run:
    """The same run, of which nobody hears: where many computations are counted as one."""
    return replace(run, progress=None)


_DICE = Listed(Whole(), "N,N,…")
_WORK = option(Whole(least=1), "Word operations for each policy, at most.", default=WORK_LIMIT)


@dataclass(frozen=True)
class _OnLadder(Question):
    """The dice of a game."""

    _: KW_ONLY
    ladder: Ladder = option(LadderOfDice(), "Faces of the dice, ascending.", default=STANDARD)


#: Rounds up to which games are counted, a line for each.
_MOST_SIZES = 10_000


@dataclass(frozen=True)
class _Game(_OnLadder):
    """A game from the empty table."""

    rounds: int = argument(Whole(), "Rounds of the game.", metavar="R")


@dataclass(frozen=True)
class _FromState(_OnLadder):
    """Where a game stands: the dice and the score; what is not said is empty."""

    _: KW_ONLY
    score: int | None = option(Whole(), "Score.", metavar="S")
    revenue: tuple[int, ...] | None = option(_DICE, "Revenue dice on each rung, lowest first.")
    legacy: tuple[int, ...] | None = option(_DICE, "Legacy dice on each rung, lowest first.")

    def check(self) -> None:
        """Refuse dice that do not suit the ladder."""
        self.state()

    @property
    def is_given(self) -> bool:
        """Whether anything is said of the state."""
        return not (self.score is None and self.revenue is None and self.legacy is None)

    def state(self) -> State:
        """Give the state."""
        nothing = (0,) * len(self.ladder)
        return check_state(
            self.revenue or nothing, self.legacy or nothing, self.score or 0, self.ladder
        )


@dataclass(frozen=True)
class _FromRound(_FromState):
    """A state at the beginning of a round."""

    _: KW_ONLY
    round: int | None = option(
        Whole(least=1), "The round that begins, from 1.", metavar="T", default=None
    )

    def moment(self) -> tuple[State | None, int]:
        """Give the state and the round that begins; of nothing said, the beginning of a game."""
        if not self.is_given and self.round is None:
            return None, 1
        return self.state(), self.round or 1

    def check_round(self, rounds: int) -> None:
        """Refuse a round that the game does not have, and dice that cannot be there."""
        from exactdice.games.swe.reports.common import require_existing

        if self.round is not None:
            Whole(least=1, most=rounds).read(self.round, "round")
        if self.is_given or self.round is not None:
            require_existing(self.state(), (self.round or 1) - 1)


# The optimum ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Value(
    _FromState,
    command="swe value",
    example="swe value 10",
    takes="3 s for 40 rounds, 17 s for 60, minutes for an enclosure of 100",
    shares_work=True,
):
    """Expected final score under optimal play, from an empty table or from a state."""

    rounds: int = argument(Whole(), "Rounds of the game.", metavar="R")
    _: KW_ONLY
    exact: bool = option(Flag(), "The exact optimum, whatever it takes.")
    width: mpq | None = option(Rational(), "An enclosure of at most W points will do.", metavar="W")

    def check(self) -> None:
        """Refuse a width that is not above 0, or beside a wish for the exact optimum."""
        super().check()
        if self.width is not None and self.width <= 0:
            raise InputError("width", self.width, "a number of points above 0")
        if self.width is not None and self.exact:
            raise InputError("width", self.width, "none where the exact optimum is asked for")

    def report(self, run: Run) -> Report:
        """Take the best method for the size."""
        from exactdice.games.swe.optimum.chooser import solve

        start = self.state() if self.is_given else None
        return solve(
            self.rounds, self.ladder, start, exact=self.exact, width=self.width, run=run
        ).report()


@dataclass(frozen=True)
class Enclose(
    _FromRound,
    command="swe enclosure",
    example="swe enclosure 40",
    takes="4 s for 60 rounds, minutes for 100; seconds from a state of round 40 or later",
    shares_work=True,
):
    """Rigorous enclosure of the optimum by the C++ solver, for many rounds or from a state."""

    rounds: int = argument(Whole(least=1, most=200), "Rounds of the game.", metavar="R")
    _: KW_ONLY
    exact: bool = option(Flag(), "Then the exact optimum, from what stays possible.")
    residues: bool = option(
        Flag(), "Play it forward modulo three primes, and compare; status 1 if it differs."
    )

    def check(self) -> None:
        """Refuse a state that cannot be there, or beside a wish for the exact optimum."""
        super().check()
        self.check_round(self.rounds)
        if self.residues and not self.exact:
            raise InputError("residues", Unquoted("them alone"), "them with --exact")
        if self.exact and self.moment()[0] is not None:
            raise InputError("exact", Unquoted("it with a state"), "it without, or swe value")

    def report(self, run: Run) -> Report:
        """Solve in intervals, and search what they leave open."""
        from exactdice.games.swe.optimum.outlook import judge
        from exactdice.games.swe.reports.optimum import outlook_report

        state, now = self.moment()
        if state is not None:
            left = self.rounds - now + 1
            outlook = judge(left, self.ladder, state, run)
            return outlook_report(self.rounds, now, state, self.ladder, outlook)
        from exactdice.games.swe.optimum.chooser import by_intervals
        from exactdice.games.swe.reports.optimum import enclosure_report

        found = by_intervals(self.rounds, self.ladder, exact=self.exact, run=run)
        if not self.residues or found.searched is None:
            return enclosure_report(found)
        from exactdice.games.swe.laws.residues import residues

        return enclosure_report(found, residues(found.searched, run))


@dataclass(frozen=True)
class Values(_Game, command="swe values", example="swe values 22", takes="6 s for 30 rounds"):
    """Expected final score under optimal play for every game of at most R rounds."""

    def report(self, run: Run) -> Report:
        """Search all blocks of the longest game."""
        from exactdice.games.swe.optimum.exact import solve
        from exactdice.games.swe.reports.closed_forms import values_report

        return values_report(solve(self.rounds, self.ladder, run=run))


@dataclass(frozen=True)
class Sizes(_Game, command="swe sizes", example="swe sizes 100", takes="a moment"):
    """Multisets of dice and tables of every game of at most R rounds."""

    rounds: int = argument(Whole(most=_MOST_SIZES), "Rounds of the game.", metavar="R")

    def report(self, run: Run) -> Report:
        """Count lattice points."""
        from exactdice.games.swe.reports.closed_forms import sizes_report

        return sizes_report(self.rounds, self.ladder)


@dataclass(frozen=True)
class Advise(
    _FromRound,
    command="swe advise",
    example="swe advise 10 --score 8 --revenue 0,1,1,0,0 --round 6",
    takes="seconds, or a minute at most, for 61 rounds that are left",
    shares_work=True,
):
    """What each action is worth in round T, and what it costs against the best."""

    rounds: int = argument(Whole(least=1), "Rounds of the game.", metavar="R")
    _: KW_ONLY
    exact: bool = option(Flag(), "Exact values, whatever they take; not enclosures.")

    def check(self) -> None:
        """Refuse a state that cannot be there."""
        super().check()
        self.check_round(self.rounds)

    def report(self, run: Run) -> Report:
        """Search all blocks that play can make from the state, or enclose what they are worth."""
        from exactdice.games.swe.optimum.exact import solve
        from exactdice.games.swe.optimum.outlook import judge, searched_quickly
        from exactdice.games.swe.reports.optimum import advice_report, outlook_report

        now, state = self.round or 1, self.state()
        left = self.rounds - now + 1
        if not self.exact and not searched_quickly(left, self.ladder, state):
            outlook = judge(left, self.ladder, state, run)
            return outlook_report(self.rounds, now, state, self.ladder, outlook)
        advice = solve(left, self.ladder, state, run).actions(state, left)
        return advice_report(self.rounds, now, state, self.ladder, advice)


@dataclass(frozen=True)
class Policy(
    _Game, command="swe policy", example="swe policy 12 --path", takes="10 s for 22 rounds"
):
    """Optimal actions in every state, and from which score on."""

    _: KW_ONLY
    legacy: bool = option(Flag(), "States with legacy dice too: which one to fix.")
    path: bool = option(Flag(), "Only states that occur under optimal play.")
    first: bool = option(
        Flag(), "Only the first optimal action, with dice on the path where it is not to create."
    )

    def check(self) -> None:
        """Refuse to list repairs among first actions that are no repairs."""
        if self.first and (self.legacy or not self.path):
            raise InputError(
                "first", Unquoted("it without --path or with --legacy"), "--path alone"
            )

    def report(self, run: Run) -> Report:
        """Search all blocks, and list what is optimal."""
        from exactdice.games.swe.optimum.exact import solve
        from exactdice.games.swe.reports.optimum import decisions_report, policy_report

        solution = solve(self.rounds, self.ladder, run=run)
        if self.first:
            return decisions_report(solution)
        return policy_report(solution, legacy=self.legacy, path=self.path)


@dataclass(frozen=True)
class Claims(
    _OnLadder, command="swe claims", example="swe claims 10", takes="half a minute for 22 rounds"
):
    """Verdicts on the claims about optimal play, for all games of at most R rounds."""

    rounds: int = argument(Whole(least=1), "Rounds of the longest game.", metavar="R")

    def report(self, run: Run) -> Report:
        """Check the claims in all states that play can reach."""
        from exactdice.games.swe.claims.verdicts import settle
        from exactdice.games.swe.reports.claims import claims_report

        return claims_report(self.rounds, self.ladder, settle(self.rounds, self.ladder, run=run))


# Policies ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Policies(
    _Game,
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
        """Evaluate one policy after another."""
        from exactdice.games.swe.laws.listed import evaluated, nanoseconds, policy_names
        from exactdice.games.swe.reports.policies import policies_report

        names = self.policy or policy_names(self.rounds, fixed=self.fixed)
        run.expect(nanoseconds(names, self.rounds, self.ladder, self.work), "evaluating them all")
        found = []
        for done, name in enumerate(names):
            run.tell("policies", done, len(names))
            found.append(
                evaluated(name, self.rounds, self.ladder, work_limit=self.work, run=_quiet(run))
            )
        return policies_report(self.rounds, self.ladder, found)


@dataclass(frozen=True)
class Laws(_Game, command="swe laws", example="swe laws 10", takes="3 s for 14 rounds"):
    """Exact laws of the final score under policies, side by side."""

    _: KW_ONLY
    policy: tuple[str, ...] = option(
        PolicyName(),
        f"Only this one; may be repeated. Without: {', '.join(_COMPARED)}.",
        many=True,
        default=(),
    )

    def report(self, run: Run) -> Report:
        """Carry the policies forward exactly."""
        from exactdice.games.swe.laws.listed import exact_law_called
        from exactdice.games.swe.reports.policies import laws_report

        laws = {
            name: exact_law_called(name, self.rounds, self.ladder, work_limit=_ANY_WORK, run=run)
            for name in self.policy or _COMPARED
        }
        return laws_report(self.rounds, self.ladder, laws)


@dataclass(frozen=True)
class Readings(Question, command="swe readings", example="swe readings 10", takes="seconds for 10"):
    """How each reading of the README's policies fits the figures that it printed."""

    rounds: int = argument(JudgedRounds(), "Rounds of the game.")

    def report(self, run: Run) -> Report:
        """Find the exact mean of each reading."""
        from exactdice.games.swe.laws.readings import judge, readings
        from exactdice.games.swe.reports.policies import readings_report

        listed = readings()
        judged = []
        for done, reading in enumerate(listed):
            run.tell("readings", done, len(listed))
            judged.append(judge(reading, self.rounds))
        return readings_report(self.rounds, judged)


@dataclass(frozen=True)
class Simulate(
    _Game,
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
        """Play the games, and evaluate the policy."""
        from exactdice.games.swe.laws.listed import evaluated, policy_called
        from exactdice.games.swe.laws.simulation import simulate
        from exactdice.games.swe.reports.policies import simulate_report

        evaluation = evaluated(
            self.policy, self.rounds, self.ladder, work_limit=self.work, run=_quiet(run)
        )
        policy = policy_called(self.policy, self.rounds, self.ladder, _quiet(run))
        sample = simulate(policy, self.rounds, self.games, self.seed, self.ladder, run)
        return simulate_report(sample, self.seed, evaluation)


@dataclass(frozen=True)
class Promotion(_OnLadder, command="swe promotion", example="swe promotion", takes="a moment"):
    """What promoting a die gains on each rung of a ladder."""

    def report(self, run: Run) -> Report:
        """Subtract chances of failure."""
        from exactdice.games.swe.reports.aims import promotion_report

        return promotion_report(self.ladder)


# Other aims ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Target(
    _FromRound,
    command="swe target",
    example="swe target 10 30",
    takes="2 s for 10 rounds",
    shares_work=True,
):
    """Greatest probability of a final score of at least TARGET, and how to play for it."""

    rounds: int = argument(Whole(), "Rounds of the game.", metavar="R")
    target: int = argument(Whole(), "Score to reach.", metavar="TARGET")

    def check(self) -> None:
        """Refuse a state that cannot be there."""
        super().check()
        self.check_round(self.rounds)

    def report(self, run: Run) -> Report:
        """Solve for the target, and put policies for the mean to it."""
        from exactdice.games.swe.laws.listed import OPTIMAL_ROUNDS, evaluated
        from exactdice.games.swe.optimum.objectives import maximise, reaching
        from exactdice.games.swe.reports.aims import target_report

        state, now = self.moment()
        payoff = reaching(self.target, run)
        solution = maximise(payoff, self.rounds, self.ladder, run, start=state, now=now)
        found = solution.at(state, now)
        names = [] if found.state else ["Optimal", "NewOnly", "Promo", "PromoOnce"]
        several = [
            evaluated(name, self.rounds, self.ladder, run=_quiet(run))
            for name in names
            if name != "Optimal" or self.rounds <= OPTIMAL_ROUNDS
        ]
        return target_report(found, self.target, several)


@dataclass(frozen=True)
class Beat(
    _FromRound,
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
        """Refuse a state that cannot be there."""
        super().check()
        self.check_round(self.rounds)

    def report(self, run: Run) -> Report:
        """Weigh final scores by the chance to beat the opponent, and solve."""
        from exactdice.games.swe.optimum.objectives import beating, beating_a_law, maximise
        from exactdice.games.swe.reports.aims import beat_report

        if self.opponent.isdecimal():
            payoff = beating(int(self.opponent), self.tie, run)
        else:
            payoff = beating_a_law(self._law(run), self.tie, run)
        state, now = self.moment()
        solution = maximise(payoff, self.rounds, self.ladder, run, start=state, now=now)
        return beat_report(solution.at(state, now), self.opponent, self.tie)

    def _law(self, run: Run) -> Distribution[int]:
        from exactdice.games.swe.laws.listed import exact_law_called

        try:
            return exact_law_called(self.opponent, self.rounds, self.ladder, run=_quiet(run))
        except InputError as problem:
            raise InputError("opponent", self.opponent, problem.wanted) from None


@dataclass(frozen=True)
class Rivals(
    _OnLadder, command="swe rivals", example="swe rivals 5", takes="1 s for 5 rounds, 8 s for 6"
):
    """Two players in turn order who see each other's scores: exact play to win.

    For more rounds than fit into memory, `swe beat` gives the best response to a policy that plays
    apart.
    """

    rounds: int = argument(Whole(least=1), "Rounds of the game.", metavar="R")
    _: KW_ONLY
    tie: mpq = option(Probability(), "What a tie is worth to the first.", default=mpq(1, 2))

    def report(self, run: Run) -> Report:
        """Solve backward over pairs of states."""
        from exactdice.games.swe.optimum.rivals import rivals
        from exactdice.games.swe.reports.rivals import rivals_report

        return rivals_report(rivals(self.rounds, self.tie, self.ladder, run))


@dataclass(frozen=True)
class Play(_Game, command="swe play", example="swe play 10", takes="a moment for 14 rounds"):
    """Play a game; after each choice you are told what it cost against the optimum."""

    _: KW_ONLY
    seed: int = option(
        Whole(),
        "Random seed; drawn where none is given.",
        metavar="S",
        draw=lambda: secrets.randbits(32),
    )
    auto: bool = option(Flag(), "Let the optimal policy play.")

    @property
    def is_interactive(self) -> bool:
        """Whether a person plays."""
        return not self.auto

    def report(self, run: Run) -> Report:
        """Solve the game, and judge each choice."""
        from exactdice.games.swe.laws.simulation import Environment
        from exactdice.games.swe.optimum.exact import solve
        from exactdice.games.swe.play import Person, optimal_player, play
        from exactdice.games.swe.reports.aims import play_report

        solution = solve(self.rounds, self.ladder, run=run)
        game = Environment(self.rounds, self.ladder, seed=self.seed)
        if self.auto:
            decisions = play(game, solution, optimal_player(solution))
        else:
            person = Person(self.ladder, run)
            decisions = play(game, solution, person, person.hear)
        return play_report(solution, decisions, self.seed)


#: Every question of this game, in the order in which help lists them.
QUESTIONS = (
    Value,
    Enclose,
    Values,
    Sizes,
    Advise,
    Policy,
    Claims,
    Policies,
    Laws,
    Readings,
    Simulate,
    Promotion,
    Target,
    Beat,
    Rivals,
    Play,
)
