"""The questions about Farkle: one class for each command."""

from contextlib import suppress
from dataclasses import KW_ONLY, MISSING, replace

from exactdice.arithmetic import mpq, text
from exactdice.errors import ConflictError, InputError, TooLargeError, Unquoted
from exactdice.formats.certified import Certified
from exactdice.games.farkle import reports
from exactdice.games.farkle.chase import BestChance, race, turn_counts
from exactdice.games.farkle.fields import (
    BUSTS,
    PAST,
    POINTS,
    SCORES,
    Against,
    Aims,
    DiceQuestion,
    DiceSets,
    FarkleQuestion,
    Owned,
    RuleSets,
    ShownFaces,
    TurnPosition,
    TurnQuestion,
    WithDice,
    WithPenalty,
)
from exactdice.games.farkle.races import reports as race_reports
from exactdice.games.farkle.races.chances import Aim, advise_to_win, contender, win_thresholds
from exactdice.games.farkle.races.play import lookahead, words
from exactdice.games.farkle.races.solve import race_to_win, win_chances
from exactdice.games.farkle.rules.dice_sets import DiceSet, named_dice
from exactdice.games.farkle.rules.menus import menus_of, table_bytes
from exactdice.games.farkle.rules.rule_set import STREAK, RuleSet
from exactdice.games.farkle.rules.tables import KCD
from exactdice.games.farkle.sets.best import SetAim, best_sets
from exactdice.games.farkle.sets.bounds import named_block, sets_above
from exactdice.games.farkle.turn.advice import advise, rolled_dice
from exactdice.games.farkle.turn.exact import SIX_FAIR, Overshoot, fixed_point, horizon
from exactdice.games.farkle.turn.forward import ThresholdPlayer, thresholds, turn_end
from exactdice.question import Question, argument, drawn_seed, option
from exactdice.question.domains import Flag, OneOf, Rational, Whole
from exactdice.report.model import Report
from exactdice.run import Run
from exactdice.solve.play import played_by_seed

_BOUNDS_DIGITS = 80  # of both bounds on a value, as fractions
_MOST_ROWS = 20_000  # of the distribution of a turn
_BITS = 256  # of a probability that is only bounded
_MAX_DISTRIBUTION = 1 << 28  # bytes of a turn's exact distribution; beyond it the value is bounded


class FarkleValue(
    TurnPosition,
    TurnQuestion,
    Certified,
    example="--points 450 --left 2",
    takes="a moment; 2 s for six different dice, 20 s for dice that hardly bust without a target",
):
    """Expected gain of the best turn, Optimal(P, δ), and whether to bank immediately."""

    game_from = "exactdice.games.farkle.model:game_of_turn"

    @property
    def unlisted(self) -> str:
        return "" if self.place == (0, None) else "a question without points and left"

    def report(self, run: Run) -> Report:
        turn, end = self.solved(run), None
        with suppress(TooLargeError):  # very many rolls: the report shows bounds
            end = turn_end(turn, *self.place, run, most=_MAX_DISTRIBUTION)
        return reports.value_report(turn, end, *self.place)


class FarkleTable(TurnQuestion, takes="a second"):
    """Optimal(P, δ) for all points and all sets of dice left."""

    def report(self, run: Run) -> Report:
        rows = self.end() // self.rules.unit * self.dice.full
        run.require(table_bytes(rows, _BOUNDS_DIGITS), f"a table of {rows} values")
        turn = self.solved(run)
        is_exact = turn.is_short(0, turn.dice.full)
        if is_exact:
            try:
                run.require(table_bytes(rows, len(text(turn.value))), f"a table of {rows} values")
            except TooLargeError:  # the report shows bounds
                is_exact = False
        return reports.table_report(turn, is_exact=is_exact)


class FarkleHorizon(TurnPosition, TurnQuestion, example="3", takes="a second"):
    """Optimal_1, Optimal_2, …: the best turns of at most 1, 2, … rolls."""

    rolls: int = argument(Whole(least=1), "Most rolls.")

    def report(self, run: Run) -> Report:
        turn = self.solved(run)
        optimal = turn.optimal(*self.place)
        digits = len(text(optimal))
        run.require(table_bytes(self.rolls, digits), f"a horizon of {self.rolls} rolls")
        gains = horizon(turn, self.rolls, *self.place, run)
        return reports.horizon_report(turn, gains, optimal, fixed_point(turn, *self.place))


class FarkleDistribution(TurnPosition, TurnQuestion):
    """Distribution of the points of a turn, and the probability to bust."""

    _: KW_ONLY
    bank_from: int | None = option(
        POINTS, "A simple player instead: banks from N points on.", metavar="N"
    )

    def check(self) -> None:
        super().check()
        if self.bank_from is None:
            return
        if self.place != (0, None):
            raise ConflictError("bank-from", "needs a whole turn, without --points or --left")
        game = self.game()
        least = max(game.minimum_bank, game.unit)
        game.whole_points(self.bank_from, "bank-from", least=least)

    def report(self, run: Run) -> Report:
        of, most = (self.game(), self.dice, self.overshoot), reports.MAX_SHOWN_DISTRIBUTION
        if self.bank_from is not None:
            player = ThresholdPlayer(self.game(), self.dice, self.bank_from, self.overshoot)
            policy = f"keeps the highest score and banks from {self.bank_from} points"
            return reports.end_report(player.turn_end(run, most=most), *of, policy)
        if (rows := self.end() // self.rules.unit) > _MOST_ROWS:
            raise TooLargeError(
                f"target: the turn can come to {rows} different numbers of points, more than "
                f"{_MOST_ROWS}; use a target, or a lower one"
            )
        turn = self.solved(run)
        try:
            end = turn_end(turn, *self.place, run, most=most)
        except TooLargeError:  # the report shows bounds
            end = turn_end(turn, *self.place, run, bits=_BITS)
        return reports.end_report(end, *of, "maximises the expected points")


class FarkleTurns(DiceQuestion, example="--target 4000", takes="3 s to 4000 points"):
    """Distribution of the number of turns to the target."""

    _: KW_ONLY
    turns: int = option(Whole(least=1), "Most turns to list.", default=20, metavar="K")
    exact: bool = option(Flag(), "Exact fractions of any length.")

    def check(self) -> None:
        super().check()
        self.reachable()

    def report(self, run: Run) -> Report:
        return turn_counts(self.dice, self.game(), self.turns, run, exact=self.exact).report()


class FarkleChance(TurnPosition, example="--target 2000 --turns 2", takes="a second a turn"):
    """Highest probability to reach the target within this turn, or within K turns."""

    _: KW_ONLY
    turns: int = option(Whole(least=1), "Turns, including this one.", default=1, metavar="K")
    score: int = option(POINTS, "Points banked so far.", default=0)
    busts: int = option(Whole(most=STREAK - 1), "Busts in a row before this turn.", default=0)

    def check(self) -> None:
        game = self.reachable()
        if self.busts and not game.streak_penalty:
            raise InputError("busts", self.busts, "0: busts in a row cost nothing by these rules")
        super().check()
        banked = game.whole_points(self.score, "score")
        if game.target is not None and banked + self.points >= game.target:
            raise InputError("points", banked + self.points, f"a sum below {game.target}")

    def report(self, run: Run) -> Report:
        best = BestChance(self.dice, self.game(), run)
        chance = best.chance(self.turns, self.score, *self.place, self.busts)
        return reports.chance_report(best, chance, self.turns)


class FarkleBust(DiceQuestion):
    """Probability that a roll scores nothing, for each set of dice left."""

    def report(self, run: Run) -> Report:
        return reports.bust_report(menus_of(self.game(), self.dice, prune=True))


class FarkleAdvise(TurnPosition, Against, example="--roll 1,1,5,3,4,6"):
    """Which dice of a roll to keep, and whether to bank: all choices with their regrets."""

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
            return race_reports.advice_to_win_report(
                chances, judged, self.roll, self.points, self.scores, self.busts
            )
        turn, (points, left) = self.solved(run), self.place
        is_exact = turn.is_short(points, turn.state(left))
        choices = advise(turn, self.roll, points, left, exact=is_exact)
        return reports.advice_report(turn, choices, self.roll, points)


class FarkleThresholds(Against):
    """Points from which to bank, by the dice left."""

    def report(self, run: Run) -> Report:
        if self.scores is not None:
            chances = self.race(run)
            of_dice = win_thresholds(chances, *self.scores, busts=self.busts)
            return race_reports.thresholds_to_win_report(chances, of_dice, self.scores, self.busts)
        turn = self.solved(run)
        return reports.thresholds_report(turn, thresholds(turn))


class FarkleRace(
    FarkleQuestion,
    Certified,
    example="--target 4000",
    takes="6 s for a target of 4000, 4 s with --play optimal, minutes with streak penalties",
    shares_work=True,
):
    """Probability that the first of two players reaches the target first."""

    game_from = "exactdice.games.farkle.model:game_of_race"
    endings = (".umb",)

    _: KW_ONLY
    first: DiceSet = option(DiceSets(), "Dice of the first player.", default=SIX_FAIR)
    second: DiceSet = option(DiceSets(), "Dice of the second player.", default=SIX_FAIR)
    play: Aims = option(
        OneOf(Aims),
        "Aims: both play to win, both for points, or only the first to win.",
        default=Aims.POINTS,
    )
    second_rules: RuleSet | None = option(
        RuleSets(), "Rules of the second player; those of the first by default."
    )
    scores: tuple[int, int] = option(
        SCORES,
        "Points banked by the first player, who moves next, and by the second.",
        default=(0, 0),
    )
    busts: tuple[int, int] = option(BUSTS, "Busts in a row, in the same order.", default=(0, 0))
    exact: bool = option(Flag(), "Compute an exact fraction of any length.")
    step: int | None = option(
        POINTS, "List pairs of scores, in steps of N points, and the benefit of playing to win."
    )

    @property
    def unlisted(self) -> str:
        return "" if self.play is Aims.OPTIMAL else "a question with --play optimal"

    def check(self) -> None:
        super().check()
        self.require_dice(self.first, "first")
        self.require_dice(self.second, "second", self.second_rules)
        self.require_scores(self.scores, self.busts, self.second_rules)
        if self.step is not None:
            self.game().whole_points(self.step, "step", least=self.game().unit)
            if self.play is Aims.POINTS or self.scores != (0, 0) or self.busts != (0, 0):
                raise ConflictError("step", "needs --play optimal, without --scores and --busts")

    def report(self, run: Run) -> Report:
        game, theirs = self.game(), self.game(self.second_rules)
        from_start = self.scores == self.busts == (0, 0)
        if self.play is Aims.POINTS and from_start and not self.exact:
            chance = race(self.first, self.second, game, run, second_rules=theirs)
            return reports.race_report(chance, self.first, self.second, game, theirs)
        aim = Aim.POINTS if self.play is Aims.POINTS else Aim.WIN
        their_aim = Aim.WIN if self.play is Aims.OPTIMAL else Aim.POINTS
        first = contender(self.first, game, aim, "first")
        second = contender(self.second, theirs, their_aim, "second")
        if self.step is not None:
            chances = win_chances(first, second, run, exact=self.exact)
            blind = win_chances(replace(first, aim=Aim.POINTS), second, run, exact=self.exact)
            return race_reports.chances_report(chances, blind, self.step)
        solved = race_to_win(first, second, *self.scores, run, busts=self.busts, exact=self.exact)
        return race_reports.race_to_win_report(solved)


class FarklePlay(
    FarkleQuestion,
    WithDice,
    example="--target 1000 --seed 1",
    takes="4 s before the first roll",
    shares_work=True,
):
    """Play a race; after each choice, see how much it lowered your probability to win."""

    _: KW_ONLY
    opponent: DiceSet = option(DiceSets(), "Dice of the opponent.", default=SIX_FAIR)
    opponent_rules: RuleSet | None = option(RuleSets(), "Rules of the opponent; yours by default.")
    opponent_aim: Aim = option(OneOf(Aim), "Aim of the opponent.", default=Aim.WIN)
    second: bool = option(Flag(), "Let the opponent begin.")
    seed: int = drawn_seed()
    auto: bool = option(Flag(), "Let optimal play decide for you.")

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
        return race_reports.race_played_report(chances, steps, winner, you, self.seed)


class FarkleBest(
    FarkleQuestion,
    example="--own 'fair*6,odd*2,lucky'",
    takes="4 s of processor time for 12 different dice by points; more by turns and win",
    shares_work=True,
):
    """Best set of dice to take from those owned, proved."""

    _: KW_ONLY
    own: DiceSet = option(
        Owned(), "Dice owned, or a text file with at least one a line.", default=MISSING
    )
    count: int = option(Whole(least=1), "Number of the best sets to list.", default=1)
    size: int = option(Whole(least=1), "Number of dice taken.", default=6)
    by: SetAim = option(
        OneOf(SetAim),
        "Points of a turn, turns to the target, or probability to win.",
        default=SetAim.POINTS,
    )
    opponent: DiceSet | None = option(DiceSets(), "Dice of the opponent, for --by win.")
    opponent_rules: RuleSet | None = option(RuleSets(), "Rules of the opponent; yours by default.")
    opponent_aim: Aim = option(OneOf(Aim), "Aim of the opponent.", default=Aim.WIN)

    def check(self) -> None:
        super().check()
        self.reachable(counts_streaks=self.by is SetAim.WIN)
        _check_size(self.size, self.rules)
        if len(self.own.dice) < self.size:
            raise InputError("own", Unquoted(f"{len(self.own.dice)} dice"), f"at least {self.size}")
        theirs = self.opponent, self.opponent_rules, self.opponent_aim
        if self.by is SetAim.WIN:
            self.reachable(self.opponent_rules)
            self.require_dice(self.opponent or SIX_FAIR, "opponent", self.opponent_rules)
        elif theirs != (None, None, Aim.WIN):
            raise ConflictError("opponent", "applies only to --by win")

    def report(self, run: Run) -> Report:
        game, rival, more = self.game(), None, {}
        if self.by is SetAim.WIN:
            theirs = self.game(self.opponent_rules)
            rival = contender(self.opponent or SIX_FAIR, theirs, self.opponent_aim, "opponent")
            more = {"opponent": f"{rival.dice} ({rival.rules.name}), for {rival.aim}"}
        aim = self.own, self.count, self.by
        best = best_sets(*aim, size=self.size, rules=game, opponent=rival, run=run)
        return race_reports.best_sets_report(best, self.own, game, **more)


def _check_size(size: int, rules: RuleSet) -> None:
    if size > rules.dice:
        raise InputError("size", size, f"at most {rules.dice}, by the rules")


class FarkleSets(
    FarkleQuestion,
    example="--above 6300 --hold 'weighted*5'",
    takes="10 s at most if a bound decides, else 2 ms a set",
):
    """Sets of the named dice with at least some expected points a turn, proved."""

    _: KW_ONLY
    above: mpq = option(Rational(), "Least expected points of a turn.", default=MISSING)
    hold: DiceSet | None = option(
        DiceSets(), "Dice that every set contains; its other dice are of other kinds."
    )
    without: DiceSet | None = option(DiceSets(), "Kinds that the other dice are not of.")
    size: int = option(Whole(least=1), "Dice of a set.", default=6)
    overshoot: Overshoot = option(OneOf(Overshoot), PAST, default=Overshoot.FULL)

    def check(self) -> None:
        super().check()
        self.reachable(counts_streaks=False)
        _check_size(self.size, self.rules)
        named_block(self.hold, self.without, self.size)

    def report(self, run: Run) -> Report:
        block, game = named_block(self.hold, self.without, self.size), self.game()
        sets = sets_above(block, self.above, game, self.overshoot, run)
        return race_reports.sets_report(sets, self.hold, self.without, game, self.overshoot)


class FarkleRules(WithPenalty):
    """Scores of all combinations, and every convention."""

    def report(self, run: Run) -> Report:
        return reports.rules_report(self.game())


class FarkleDice(Question):
    """List the named dice."""

    def report(self, run: Run) -> Report:
        menus = {n: menus_of(KCD, DiceSet([die]), prune=True) for n, die in named_dice().items()}
        return reports.dice_report({name: of_die.mean_best(1) for name, of_die in menus.items()})
