"""Questions about FateStones: one class per command."""

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY
from pathlib import Path
from random import Random

from exactdice.arithmetic import mpq, natural
from exactdice.errors import ConflictError, InputError, Unquoted
from exactdice.formats.certified import Certified
from exactdice.games.fatestones import reports
from exactdice.games.fatestones.beats import RANKINGS, pair_table, rank_dice, who_beats_whom
from exactdice.games.fatestones.confidence import CONFIDENCE, CONFIDENT
from exactdice.games.fatestones.exact import solve
from exactdice.games.fatestones.players import (
    Ask,
    DuelRound,
    LogFile,
    Player,
    Scratch,
    TwoPlayers,
    known_edge,
    play_duel,
    player,
    score,
    simulate,
)
from exactdice.games.fatestones.rules import (
    Bag,
    DiceCollection,
    Die,
    Hand,
    HandOfDice,
    bag,
    check_hands,
    deal,
    dice_in,
    dice_text,
    encode_die,
    encode_hand,
    read_dice,
)
from exactdice.games.fatestones.sources import README_GAMES
from exactdice.question import Question, argument, drawn_seed, option
from exactdice.question.domains import File, Flag, OneOf, Rational, Whole
from exactdice.report.model import Report
from exactdice.run import Run
from exactdice.storage import check_writable, write_whole

_BAG = "average: only dice of the game's bag; any: other dice, too."
_LOG = "Append the rolls to a CSV log, even if interrupted."
_ENDINGS = (".txt", ".csv")


class _Dice(Question):
    _: KW_ONLY
    set_: DiceCollection = option(
        OneOf(DiceCollection),
        "All dice, or those of mean (N + 1)/2.",
        default=DiceCollection.AVERAGE,
    )
    faces: int = option(Whole(least=2, most=8), "Number of faces, with values 1 to N.", default=6)

    def check(self) -> None:
        if self.set_ is DiceCollection.ALL:
            natural(self.faces, "faces", least=2, most=6)


class FatestonesDice(_Dice):
    """The dice of a set, and their file in the FateStones format."""

    _: KW_ONLY
    write: Path | None = option(File(), "Also write the dice to FILE.txt or FILE.csv.")

    def check(self) -> None:
        super().check()
        if self.write and self.write.suffix not in _ENDINGS:
            raise InputError("write", str(self.write), "a name that ends in .txt or .csv")

    def report(self, run: Run) -> Report:
        dice = dice_in(self.set_, self.faces)
        if self.write:
            check_writable(self.write)
            write_whole(self.write, dice_text(dice, self.write.suffix[1:]))
        return reports.dice_report(dice, self.set_, self.faces)


class FatestonesBeats(_Dice, example="--pairs", takes="a moment, 3 s for all dice"):
    """Which die beats which: probabilities of two dice; cycles, components, dominance of all."""

    dice: tuple[Hand, ...] = argument(
        HandOfDice(),
        "Two dice, for example 111666 222555; by default all of the set.",
        many=True,
        default=(),
    )
    _: KW_ONLY
    pairs: bool = option(Flag(), "List the probabilities of every pair.")

    def check(self) -> None:
        super().check()
        if self.dice and [len(hand) for hand in self.dice] != [1, 1]:
            words = " ".join(map(encode_hand, self.dice))
            raise InputError("dice", words, "two dice separated by a space, or none")
        if self.dice and (self.pairs or (self.set_, self.faces) != (DiceCollection.AVERAGE, 6)):
            raise ConflictError("dice", "cannot be combined with --set, --faces or --pairs")

    def report(self, run: Run) -> Report:
        if self.dice:
            return reports.two_dice_report(pair_table(die for (die,) in self.dice))
        relation = who_beats_whom(dice_in(self.set_, self.faces))
        return reports.beats_report(relation, self.set_, self.faces, pairs=self.pairs)


class FatestonesRankings(_Dice, takes="a moment, 5 s for all dice"):
    """Rankings of the dice, with the first and last dice of each."""

    def report(self, run: Run) -> Report:
        dice = dice_in(self.set_, self.faces)
        ranked = [rank_dice(dice, name) for name in RANKINGS]
        return reports.rankings_report(ranked, self.set_, self.faces)


class FatestonesDuel(Certified, example="111666,123456 114456,333336"):
    """Equilibrium of the duel of two hands: value and both strategies."""

    game_from = "exactdice.games.fatestones.model:game_of_duel"
    endings = (".nfg", ".efg")

    row: Hand = argument(HandOfDice(), "One to three dice of player 1, for example 111666,123456.")
    column: Hand = argument(HandOfDice(), "As many dice of player 2.")
    _: KW_ONLY
    scratch: mpq = option(
        Rational(), "Payoff to player 1 if the duel is a scratch.", default=mpq(0), metavar="V"
    )
    bag: Bag = option(OneOf(Bag), _BAG, default=Bag.AVERAGE)

    def check(self) -> None:
        check_hands(self.row, self.column, None if self.bag is Bag.ANY else bag())

    def report(self, run: Run) -> Report:
        duel = solve(self.row, self.column, self.scratch)
        return reports.duel_report(duel, any_dice=self.bag is Bag.ANY)


_GAMES = Whole(least=1, most=10**9)


class FatestonesSimulate(
    Question, example="--players best,random --games 1000", takes="5 s for 10000 games of mcts:50"
):
    """Simulate games between two players and log every roll."""

    _: KW_ONLY
    players: tuple[str, str] = option(
        TwoPlayers(), "Players 1 and 2.", default=("mcts:50", "random")
    )
    games: int = option(_GAMES, "Number of games.", default=README_GAMES)
    dice: Path | None = option(File(), "Dice in the bag, one per line: FILE.txt or FILE.csv.")
    set_: DiceCollection = option(
        OneOf(DiceCollection),
        "All dice in the bag, or those of mean 7/2.",
        default=DiceCollection.AVERAGE,
    )
    seed: int = option(Whole(), "Random seed.", default=1, metavar="S")
    log: Path | None = option(File(), _LOG)
    scratch: Scratch = option(
        OneOf(Scratch), "Whether a scratch starts the game again.", default=Scratch.AGAIN
    )
    confidence: mpq = option(CONFIDENCE, "Confidence of the interval.", default=CONFIDENT)

    def check(self) -> None:
        if self.dice and self.set_ is not DiceCollection.AVERAGE:
            raise ConflictError("dice", "cannot be combined with --set")
        if self.dice and self.dice.suffix not in _ENDINGS:
            raise InputError("dice", str(self.dice), "a name that ends in .txt or .csv")

    @property
    def is_interactive(self) -> bool:
        return "human" in self.players

    def bag(self) -> tuple[Sequence[Die] | None, str]:
        """Return the dice in the bag, None for the game's own, and their description."""
        if self.dice:
            dice = read_dice(self.dice)
            return dice, f"the {len(dice)} dice of a file"
        if self.set_ is DiceCollection.ALL:
            return dice_in(DiceCollection.ALL), "all 462 dice"
        return None, reports.BAG

    def report(self, run: Run) -> Report:
        replay = self.scratch is Scratch.AGAIN
        dice, bag = self.bag()
        pair = _players(self.players, run)
        with LogFile(self.log) as file:

            def rolls() -> Iterator[DuelRound]:
                done = 0
                for roll in simulate(pair, self.games, self.seed, dice=dice, replay=replay):
                    done += roll.outcome != 0 or (roll.is_scratch and not replay)
                    run.tell("games", done, self.games)
                    file.add(roll)
                    yield roll

            total = score(rolls(), replay=replay)
        edge = known_edge(*self.players) if replay and dice is None else None
        return reports.simulation_report(
            self.players, total, edge, self.seed, replay=replay, confidence=self.confidence, bag=bag
        )


class FatestonesPlay(
    Question, example="--players best,equilibrium --seed 4", takes="your own time"
):
    """Play one duel: choose a die, roll both, and continue after ties."""

    hands: tuple[Hand, ...] = argument(
        HandOfDice(), "Both hands; random by default.", many=True, default=()
    )
    _: KW_ONLY
    players: tuple[str, str] = option(
        TwoPlayers(), "Players 1 and 2.", default=("human", "equilibrium")
    )
    bag: Bag = option(OneOf(Bag), _BAG, default=Bag.AVERAGE)
    log: Path | None = option(File(), _LOG)
    seed: int = drawn_seed()

    def check(self) -> None:
        if not self.hands:
            return
        if len(self.hands) != 2:
            sizes = Unquoted(f"{len(self.hands)} hand{'s' * (len(self.hands) > 1)}")
            raise InputError("hands", sizes, "both hands, or none")
        check_hands(*self.hands, None if self.bag is Bag.ANY else bag())

    @property
    def is_interactive(self) -> bool:
        return "human" in self.players

    def report(self, run: Run) -> Report:
        random = Random(self.seed)  # noqa: S311 - a game, no secret
        row, column = self.hands or deal(random)
        rolls = []
        with LogFile(self.log) as file:
            for roll in play_duel(_players(self.players, run), row, column, random):
                file.add(roll)
                rolls.append(roll)
        return reports.play_report(self.players, rolls, self.seed)


def _players(names: tuple[str, str], run: Run) -> tuple[Player, Player]:
    first, second = (player(name, _asking(run)) for name in names)
    return first, second


def _asking(run: Run) -> Ask:
    def ask(own: Hand, other: Hand) -> int:
        run.say(f"against {encode_hand(other)}")
        for place, die in enumerate(own):
            run.say(f"  {place}: {encode_die(die)}")
        return run.choose("your die: ", lambda line: natural(line, "die", most=len(own) - 1))

    return ask
