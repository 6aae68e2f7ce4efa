"""What can be asked about races of two, and in a turn with an opponent in sight; its fields."""

from dataclasses import KW_ONLY, MISSING, dataclass, replace
from enum import StrEnum
from typing import Any

from exactdice.errors import InputError, Unquoted
from exactdice.formats.certified import Certified
from exactdice.games.farkle.chase.reports import race_report
from exactdice.games.farkle.chase.turns import race
from exactdice.games.farkle.questions import (
    POINTS,
    DiceSets,
    FarkleQuestion,
    RuleSets,
    ShownFaces,
    TurnPosition,
    TurnQuestion,
    WithDice,
)
from exactdice.games.farkle.races import reports
from exactdice.games.farkle.races.chances import WinChances, advise_to_win, win_thresholds
from exactdice.games.farkle.races.contenders import Aim, contender
from exactdice.games.farkle.races.play import lookahead, words
from exactdice.games.farkle.races.solve import race_to_win, win_chances
from exactdice.games.farkle.reports import advice_report, thresholds_report
from exactdice.games.farkle.rules.dice_sets import DiceSet
from exactdice.games.farkle.rules.rule_set import STREAK, RuleSet
from exactdice.games.farkle.turn.advice import advise, rolled_dice
from exactdice.games.farkle.turn.exact import SIX_FAIR
from exactdice.games.farkle.turn.thresholds import thresholds
from exactdice.question import drawn_seed, option
from exactdice.question.domains import Flag, Listed, OneOf, Whole
from exactdice.report.model import Report
from exactdice.run import Run
from exactdice.solve.play import played_by_seed


class NumberPair(Listed[int]):
    """A number for each of two players."""

    def read(self, value: Any, name: str) -> tuple[int, ...]:
        numbers = super().read(value, name)
        if len(numbers) != 2:
            got = Unquoted(f"a list of {len(numbers)}")
            raise InputError(name, got, f"two numbers, as {self.metavar}")
        return numbers


class Scores(NumberPair):
    """Points that two players have banked; busts in a row can bring them below 0."""

    def describe(self) -> str:
        return ""


class BustRows(NumberPair):
    """Busts in a row of two players."""


class Aims(StrEnum):
    """What the two players of a race play for."""

    OPTIMAL = "optimal"  #: both to win
    POINTS = "points"  #: both for points
    OPTIMAL_POINTS = "optimal-points"  #: the first to win, the second for points


SCORES = Scores(Whole(least=-1_000_000), "OWN,OTHER")
BUSTS = BustRows(Whole(most=STREAK - 1), "OWN,OTHER")


@dataclass(frozen=True)
class Against(TurnQuestion):
    """An opponent in sight, with whom a player plays to win."""

    _: KW_ONLY
    scores: tuple[int, int] | None = option(
        SCORES, "Banked points of yours and of an opponent: play to win."
    )
    opponent: DiceSet = option(DiceSets(), "Dice of the opponent.", default=SIX_FAIR)
    opponent_rules: RuleSet | None = option(
        RuleSets(), "What scores for the opponent; by default as for you."
    )
    opponent_aim: Aim = option(OneOf(Aim), "What the opponent plays for.", default=Aim.WIN)
    busts: tuple[int, int] = option(
        BUSTS, "Busts in a row, yours and the opponent's.", default=(0, 0)
    )

    def check(self) -> None:
        super().check()
        if self.scores is None:
            rival = self.opponent, self.opponent_rules, self.opponent_aim, self.busts
            if rival != (SIX_FAIR, None, Aim.WIN, (0, 0)):
                raise InputError("scores", Unquoted("none"), "both scores, as the opponent counts")
            return
        self.require_standing(self.scores, self.busts, self.opponent_rules)
        self.require_race(self.opponent, self.opponent_rules)

    def race(self, run: Run) -> WinChances:
        """Solve the race against the opponent."""
        theirs = self.game(self.opponent_rules)
        other = contender(self.opponent, theirs, self.opponent_aim, "opponent")
        return win_chances(contender(self.dice, self.game(), Aim.WIN, "dice"), other, run)


@dataclass(frozen=True)
class FarkleAdvise(
    TurnPosition,
    Against,
    command="farkle advise",
    example="farkle advise --roll 1,1,5,3,4,6",
    takes="a moment",
):
    """What to keep of a roll and whether to bank, every choice with its regret."""

    _: KW_ONLY
    roll: tuple[int, ...] = option(
        ShownFaces(), "Face of each die rolled, J for a joker.", default=MISSING
    )

    def check(self) -> None:
        super().check()
        rolled_dice(self.dice, self.roll, self.place[1])
        game = self.game()
        if self.scores is not None and game.target is not None:
            end = max(game.target - self.scores[0], game.least_to_bank(self.scores[0]))
            if self.points >= end:
                raise InputError("points", self.points, f"points below {end}, where the turn ends")

    def report(self, run: Run) -> Report:
        if self.scores is not None:
            chances = self.race(run)
            judged = advise_to_win(chances, self.roll, *self.scores, *self.place, busts=self.busts)
            return reports.advice_to_win_report(
                chances, judged, self.roll, self.points, self.scores, self.busts
            )
        turn, (points, left) = self.solved(run), self.place
        is_exact = turn.is_short(points, turn.state(left))
        choices = advise(turn, self.roll, points, left, exact=is_exact)
        return advice_report(turn, choices, self.roll, points)


@dataclass(frozen=True)
class FarkleThresholds(
    Against, command="farkle thresholds", example="farkle thresholds", takes="a moment"
):
    """From how many points to bank, by the dice left."""

    def report(self, run: Run) -> Report:
        if self.scores is not None:
            chances = self.race(run)
            of_dice = win_thresholds(chances, *self.scores, busts=self.busts)
            return reports.thresholds_to_win_report(chances, of_dice, self.scores, self.busts)
        turn = self.solved(run)
        return thresholds_report(turn, thresholds(turn))


@dataclass(frozen=True)
class FarkleRace(
    FarkleQuestion,
    Certified,
    command="farkle race",
    example="farkle race --target 4000",
    takes="6 s to 4000, with --play optimal 4 s; minutes where busts in a row cost points",
    shares_work=True,
):
    """Chance that the first of two players reaches the target first."""

    game_from = "exactdice.games.farkle.model:game_of_race"
    endings = (".umb",)

    _: KW_ONLY
    first: DiceSet = option(DiceSets(), "Dice of the first.", default=SIX_FAIR)
    second: DiceSet = option(DiceSets(), "Dice of the second.", default=SIX_FAIR)
    play: Aims = option(
        OneOf(Aims),
        "Both to win, both for points, or the first to win and the second for points.",
        default=Aims.POINTS,
    )
    second_rules: RuleSet | None = option(
        RuleSets(), "What scores for the second; by default as for the first."
    )
    scores: tuple[int, int] = option(
        SCORES, "Points banked before, those of the first, to move, first.", default=(0, 0)
    )
    busts: tuple[int, int] = option(BUSTS, "Busts in a row before, likewise.", default=(0, 0))
    exact: bool = option(Flag(), "An exact fraction, however long it is.")
    step: int | None = option(
        POINTS, "List pairs of scores N points apart, and where looking at the opponent pays."
    )

    @property
    def unlisted(self) -> str:
        return "" if self.play is Aims.OPTIMAL else "it with --play optimal"

    def check(self) -> None:
        super().check()
        self.require_dice(self.first, "first")
        self.require_dice(self.second, "second", self.second_rules)
        self.require_standing(self.scores, self.busts, self.second_rules)
        if self.step is not None:
            self.game().whole_points(self.step, "step", least=self.game().unit)
            if self.play is Aims.POINTS or self.scores != (0, 0) or self.busts != (0, 0):
                raise InputError(
                    "step", self.step, "it from the beginning, and with --play optimal"
                )

    def report(self, run: Run) -> Report:
        game, theirs = self.game(), self.game(self.second_rules)
        from_start = self.scores == self.busts == (0, 0)
        if self.play is Aims.POINTS and from_start and not self.exact:
            chance = race(self.first, self.second, game, run, second_rules=theirs)
            return race_report(chance, self.first, self.second, game, theirs)
        aims = {
            Aims.OPTIMAL: (Aim.WIN, Aim.WIN),
            Aims.POINTS: (Aim.POINTS, Aim.POINTS),
            Aims.OPTIMAL_POINTS: (Aim.WIN, Aim.POINTS),
        }
        aim, their_aim = aims[self.play]
        first = contender(self.first, game, aim, "first")
        second = contender(self.second, theirs, their_aim, "second")
        if self.step is not None:
            chances = win_chances(first, second, run, exact=self.exact)
            blind = win_chances(replace(first, aim=Aim.POINTS), second, run, exact=self.exact)
            return reports.chances_report(chances, blind, self.step)
        solved = race_to_win(first, second, *self.scores, run, busts=self.busts, exact=self.exact)
        return reports.race_to_win_report(solved)


@dataclass(frozen=True)
class FarklePlay(
    FarkleQuestion,
    WithDice,
    command="farkle play",
    example="farkle play --target 1000 --seed 1",
    takes="4 s before the first roll",
    shares_work=True,
):
    """Play a race; after each choice you are told what it cost of your chance to win."""

    _: KW_ONLY
    opponent: DiceSet = option(DiceSets(), "Dice of the opponent.", default=SIX_FAIR)
    opponent_rules: RuleSet | None = option(
        RuleSets(), "What scores for the opponent; by default as for you."
    )
    opponent_aim: Aim = option(OneOf(Aim), "What the opponent plays for.", default=Aim.WIN)
    second: bool = option(Flag(), "Let the opponent begin.")
    seed: int = drawn_seed()
    auto: bool = option(Flag(), "Let optimal play decide for you.")

    @property
    def is_interactive(self) -> bool:
        return not self.auto

    def check(self) -> None:
        super().check()
        self.reachable()
        self.reachable(self.opponent_rules)
        self.require_dice(self.dice, "dice")
        self.require_dice(self.opponent, "opponent", self.opponent_rules)

    def report(self, run: Run) -> Report:
        you, theirs = int(self.second), self.game(self.opponent_rules)
        players = [contender(self.dice, self.game(), Aim.WIN, "dice")]
        players.insert(1 - you, contender(self.opponent, theirs, self.opponent_aim, "opponent"))
        chances = win_chances(players[0], players[1], run)
        look, asked = lookahead(chances), None if self.auto else run
        steps, won = played_by_seed(look, self.seed, asked, words(chances, you), you + 1)
        winner = 0 if won else 1
        if asked:
            run.say("\nYou have won." if winner == you else "\nYou have lost.")
        return reports.race_played_report(chances, steps, winner, you, self.seed)


QUESTIONS = (FarkleAdvise, FarkleThresholds, FarkleRace, FarklePlay)
