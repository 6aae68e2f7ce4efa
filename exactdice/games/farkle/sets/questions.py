"""What can be asked about the dice to take: the best of those owned, and of all that have names."""

from dataclasses import KW_ONLY, MISSING, dataclass

from exactdice.arithmetic import mpq
from exactdice.errors import InputError, Unquoted
from exactdice.games.farkle.questions import DiceSets, FarkleQuestion, Owned, RuleSets
from exactdice.games.farkle.races.contenders import Aim, contender
from exactdice.games.farkle.rules.dice_sets import DiceSet
from exactdice.games.farkle.rules.rule_set import RuleSet
from exactdice.games.farkle.sets.best import SetAim, best_sets
from exactdice.games.farkle.sets.bounds import named_block, sets_above
from exactdice.games.farkle.sets.reports import best_sets_report, sets_report
from exactdice.games.farkle.turn.exact import SIX_FAIR, Overshoot
from exactdice.question import option
from exactdice.question.domains import OneOf, Rational, Whole
from exactdice.report.model import Report
from exactdice.run import Run


@dataclass(frozen=True)
class FarkleBest(
    FarkleQuestion,
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
    by: SetAim = option(
        OneOf(SetAim),
        "Points of a turn, turns to the target, or chance to win.",
        default=SetAim.POINTS,
    )
    opponent: DiceSet | None = option(DiceSets(), "Dice of the opponent, for --by win.")
    opponent_rules: RuleSet | None = option(
        RuleSets(), "What scores for the opponent; by default as for you."
    )
    opponent_aim: Aim = option(OneOf(Aim), "What the opponent plays for.", default=Aim.WIN)

    def check(self) -> None:
        super().check()
        self.reachable(counts_streaks=self.by is SetAim.WIN)
        if self.size > self.rules.dice:
            raise InputError("size", self.size, f"at most {self.rules.dice}, by the rules")
        if len(self.own.dice) < self.size:
            raise InputError("own", Unquoted(f"{len(self.own.dice)} dice"), f"at least {self.size}")
        theirs = self.opponent, self.opponent_rules, self.opponent_aim
        if self.by is not SetAim.WIN and theirs != (None, None, Aim.WIN):
            got = self.opponent or (self.opponent_rules or self.rules).name
            raise InputError("opponent", str(got), "it by win only")
        if self.by is SetAim.WIN:
            self.reachable(self.opponent_rules)
            self.require_dice(self.opponent or SIX_FAIR, "opponent", self.opponent_rules)

    def report(self, run: Run) -> Report:
        game, rival, more = self.game(), None, {}
        if self.by is SetAim.WIN:
            theirs = self.game(self.opponent_rules)
            rival = contender(self.opponent or SIX_FAIR, theirs, self.opponent_aim, "opponent")
            more = {"opponent": f"{rival.dice} ({rival.rules.name}), for {rival.aim}"}
        best = best_sets(
            self.own, self.count, self.by, size=self.size, rules=game, opponent=rival, run=run
        )
        return best_sets_report(best, self.own, game, **more)


@dataclass(frozen=True)
class FarkleSets(
    FarkleQuestion,
    command="farkle sets",
    example="farkle sets --above 6300 --hold 'weighted*5'",
    takes="10 s at most where a bound decides, else 2 ms a set",
):
    """Sets of the named dice that are worth at least so many points, proved."""

    _: KW_ONLY
    above: mpq = option(
        Rational(), "Expected points of a turn that a set is worth.", default=MISSING
    )
    hold: DiceSet | None = option(DiceSets(), "Dice that every set holds; the others are not so.")
    without: DiceSet | None = option(DiceSets(), "Kinds of which none of the others is.")
    size: int = option(Whole(least=1), "Dice of a set.", default=6)
    overshoot: Overshoot = option(
        OneOf(Overshoot), "What points past the target are worth.", default=Overshoot.FULL
    )

    def check(self) -> None:
        super().check()
        self.reachable(counts_streaks=False)
        if self.size > self.rules.dice:
            raise InputError("size", self.size, f"at most {self.rules.dice}, by the rules")
        named_block(self.hold, self.without, self.size)

    def report(self, run: Run) -> Report:
        block, game = named_block(self.hold, self.without, self.size), self.game()
        sets = sets_above(block, self.above, game, self.overshoot, run)
        return sets_report(sets, self.hold, self.without, game, self.overshoot)


QUESTIONS = (FarkleBest, FarkleSets)
