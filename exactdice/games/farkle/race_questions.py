"""What can be asked about races of two at Farkle, and about the dice to take to them."""

import secrets
from dataclasses import KW_ONLY, MISSING, dataclass
from enum import StrEnum

from exactdice.errors import InputError, Unquoted
from exactdice.games.farkle import fields
from exactdice.games.farkle.dice_sets import DiceSet
from exactdice.games.farkle.exact import SIX_FAIR
from exactdice.games.farkle.fields import (
    BUSTS,
    SCORES,
    Aim,
    Conventions,
    DiceSets,
    Owned,
    RuleSets,
    WithDice,
    racing,
)
from exactdice.games.farkle.rules import RuleSet
from exactdice.question import option
from exactdice.question.domains import Choice, Flag, Whole
from exactdice.report.model import Report
from exactdice.run import Run

__all__ = ["Best", "By", "Play", "Race"]


class By(StrEnum):
    """What a set of dice is best for."""

    POINTS = "points"
    TURNS = "turns"
    WIN = "win"


@dataclass(frozen=True)
class Race(
    Conventions,
    command="farkle race",
    example="farkle race --target 4000",
    takes="6 s to 4000, with --play optimal 4 s; minutes where busts in a row cost points",
    shares_work=True,
):
    """Chance that the first of two players reaches the target first."""

    _: KW_ONLY
    first: DiceSet = option(DiceSets(), "Dice of the first.", default=SIX_FAIR)
    second: DiceSet = option(DiceSets(), "Dice of the second.", default=SIX_FAIR)
    play: fields.Play = option(
        Choice(fields.Play),
        "Both to win, both for points, or the first to win and the second for points.",
        default=fields.Play.POINTS,
    )
    second_rules: RuleSet | None = option(
        RuleSets(), "What scores for the second; by default as for the first."
    )
    scores: tuple[int, int] = option(
        SCORES, "Points banked before, those of the first, to move, first.", default=(0, 0)
    )
    busts: tuple[int, int] = option(BUSTS, "Busts in a row before, likewise.", default=(0, 0))
    exact: bool = option(Flag(), "An exact fraction, however long it is.")

    def check(self) -> None:
        """Refuse rules without a target, scores that reach it, and too many dice."""
        super().check()
        self.require_dice(self.first, "first")
        self.require_dice(self.second, "second", self.second_rules)
        self.require_standing(self.scores, self.busts, self.second_rules)

    def report(self, run: Run) -> Report:
        """Enclose the chance by two chains of turns, or solve the race."""
        game, theirs = self.game(), self.game(self.second_rules)
        from_start = self.scores == self.busts == (0, 0)
        if self.play is fields.Play.POINTS and from_start and not self.exact:
            from exactdice.games.farkle.turns import race
            from exactdice.games.farkle.turns_reports import race_report

            chance = race(self.first, self.second, game, run, second_rules=theirs)
            return race_report(chance, self.first, self.second, game, theirs)
        from exactdice.games.farkle.race_reports import race_to_win_report
        from exactdice.games.farkle.two_players_solved import race_to_win

        aims = {
            fields.Play.OPTIMAL: (Aim.WIN, Aim.WIN),
            fields.Play.POINTS: (Aim.POINTS, Aim.POINTS),
            fields.Play.OPTIMAL_POINTS: (Aim.WIN, Aim.POINTS),
        }
        aim, their_aim = aims[self.play]
        first = racing(self.first, game, aim, "first")
        second = racing(self.second, theirs, their_aim, "second")
        found = race_to_win(first, second, *self.scores, run, busts=self.busts, exact=self.exact)
        return race_to_win_report(found)


@dataclass(frozen=True)
class Play(
    Conventions,
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
    opponent_aim: Aim = option(Choice(Aim), "What the opponent plays for.", default=Aim.WIN)
    second: bool = option(Flag(), "Let the opponent begin.")
    seed: int = option(
        Whole(),
        "Random seed; drawn where none is given.",
        metavar="S",
        draw=lambda: secrets.randbits(32),
    )
    auto: bool = option(Flag(), "Let optimal play decide for you.")

    @property
    def is_interactive(self) -> bool:
        """Whether a person plays."""
        return not self.auto

    def check(self) -> None:
        """Refuse rules without a target, and too many dice."""
        super().check()
        self.reachable()
        self.reachable(self.opponent_rules)
        self.require_dice(self.dice, "dice")
        self.require_dice(self.opponent, "opponent", self.opponent_rules)

    def report(self, run: Run) -> Report:
        """Solve the race, and judge each choice."""
        from exactdice.games.farkle.race_play import RaceGame, RacePlayer, play_race, race_optimally
        from exactdice.games.farkle.race_reports import race_played_report
        from exactdice.games.farkle.race_talk import RacePerson
        from exactdice.games.farkle.two_players_solved import win_chances

        you, theirs = int(self.second), self.game(self.opponent_rules)
        players = [racing(self.dice, self.game(), Aim.WIN, "dice")]
        players.insert(1 - you, racing(self.opponent, theirs, self.opponent_aim, "opponent"))
        chances = win_chances(players[0], players[1], run)
        race = RaceGame(chances, seed=self.seed)
        best = race_optimally(chances)
        if self.auto:
            decisions = play_race(race, best, best)
        else:
            person = RacePerson(race, you, run)
            asked: list[RacePlayer] = [best, best]
            asked[you] = person
            decisions = play_race(race, asked[0], asked[1], person.hear)
            person.hear_the_end()
        assert race.winner is not None  # noqa: S101 - the race is over
        return race_played_report(chances, decisions, race.winner, you, self.seed)


@dataclass(frozen=True)
class Best(
    Conventions,
    command="farkle best",
    example="farkle best --own 'fair*6,odd*2,lucky'",
    takes="4 s of processor time for 12 different dice by points; more by turns and win",
    shares_work=True,
):
    """Best set of dice to take from those owned, proved."""

    _: KW_ONLY
    own: DiceSet = option(
        Owned(), "Dice owned, or a text file with one or more a line.", default=MISSING
    )
    count: int = option(Whole(least=1), "How many of the best sets to list.", default=1)
    size: int = option(Whole(least=1), "How many dice are taken.", default=6)
    by: By = option(
        Choice(By), "Points of a turn, turns to the target, or chance to win.", default=By.POINTS
    )
    opponent: DiceSet | None = option(DiceSets(), "Dice of the opponent, for --by win.")
    opponent_rules: RuleSet | None = option(
        RuleSets(), "What scores for the opponent; by default as for you."
    )
    opponent_aim: Aim = option(Choice(Aim), "What the opponent plays for.", default=Aim.WIN)

    def check(self) -> None:
        """Refuse too few dice, and an opponent where none counts."""
        super().check()
        self.reachable(counts_streaks=self.by is By.WIN)
        if self.size > self.rules.dice:
            raise InputError("size", self.size, f"at most {self.rules.dice}, by the rules")
        if len(self.own.dice) < self.size:
            raise InputError("own", Unquoted(f"{len(self.own.dice)} dice"), f"at least {self.size}")
        theirs = self.opponent, self.opponent_rules, self.opponent_aim
        if self.by is not By.WIN and theirs != (None, None, Aim.WIN):
            told = self.opponent or (self.opponent_rules or self.rules).name
            raise InputError("opponent", str(told), "it by win only")
        if self.by is By.WIN:
            self.reachable(self.opponent_rules)
            self.require_dice(self.opponent or SIX_FAIR, "opponent", self.opponent_rules)

    def report(self, run: Run) -> Report:
        """Enclose what every set is worth, and settle the order of the best ones."""
        from exactdice.games.farkle.best_dice import best_sets
        from exactdice.games.farkle.race_reports import best_sets_report

        game, rival, more = self.game(), None, {}
        if self.by is By.WIN:
            theirs = self.game(self.opponent_rules)
            rival = racing(self.opponent or SIX_FAIR, theirs, self.opponent_aim, "opponent")
            more = {"opponent": f"{rival.dice} ({rival.rules.name}), for {rival.aim}"}
        found = best_sets(
            self.own,
            self.count,
            self.by.value,
            size=self.size,
            rules=game,
            opponent=rival,
            run=run,
        )
        return best_sets_report(found, self.own, game, **more)
