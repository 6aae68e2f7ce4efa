"""What can be asked about games of FateStones that are played: simulated, printed, or by people."""

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from random import Random

from exactdice.arithmetic import mpq, natural
from exactdice.errors import InputError, Unquoted
from exactdice.games.fatestones import play_reports, reports
from exactdice.games.fatestones.confidence import CONFIDENCE, CONFIDENT
from exactdice.games.fatestones.log import LogFile
from exactdice.games.fatestones.players import (
    Ask,
    DuelRound,
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
    encode_die,
    encode_hand,
    read_dice,
)
from exactdice.games.fatestones.sources import README_GAMES
from exactdice.question import Question, argument, drawn_seed, option
from exactdice.question.domains import File, OneOf, Whole
from exactdice.report.model import Report
from exactdice.run import Run

_GAMES = Whole(least=1, most=10**9)


@dataclass(frozen=True)
class FatestonesSimulate(
    Question,
    command="fatestones simulate",
    example="fatestones simulate --players best,random --games 1000",
    takes="5 s for 10000 games of mcts:50",
):
    """Play games between two players and log every roll."""

    _: KW_ONLY
    players: tuple[str, str] = option(
        TwoPlayers(), "Player 1 and player 2.", default=("mcts:50", "random")
    )
    games: int = option(_GAMES, "Games to play.", default=README_GAMES)
    dice: Path | None = option(
        File(), "File of the dice in the bag, one a line: FILE.txt with spaces or FILE.csv."
    )
    set_: DiceCollection = option(
        OneOf(DiceCollection),
        "All dice in the bag, or those of mean 7/2.",
        default=DiceCollection.AVERAGE,
    )
    seed: int = option(Whole(), "Seed of everything random.", default=1, metavar="S")
    log: Path | None = option(File(), "Add the rolls to a CSV log; those before a stop too.")
    scratch: Scratch = option(
        OneOf(Scratch), "Whether a scratch starts the game again.", default=Scratch.AGAIN
    )
    confidence: mpq = option(CONFIDENCE, "Confidence of the interval.", default=CONFIDENT)

    def check(self) -> None:
        if self.dice and self.set_ is not DiceCollection.AVERAGE:
            raise InputError("dice", str(self.dice), "either a file or --set")
        if self.dice and self.dice.suffix not in (".txt", ".csv"):
            raise InputError("dice", str(self.dice), "a name that ends in .txt or .csv")

    @property
    def is_interactive(self) -> bool:
        return "human" in self.players

    def bag(self) -> tuple[Sequence[Die] | None, str]:
        """Give the dice in the bag, None for the game's own, and say which they are."""
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
        return play_reports.simulation_report(
            self.players, total, edge, self.seed, replay=replay, confidence=self.confidence, bag=bag
        )


@dataclass(frozen=True)
class FatestonesPlay(
    Question,
    command="fatestones play",
    example="fatestones play --players best,equilibrium --seed 4",
    takes="as long as you think",
):
    """Play one duel: each chooses a die, both are rolled, ties go on."""

    hands: tuple[Hand, ...] = argument(
        HandOfDice(), "Both hands; dealt if absent.", metavar="ROW COLUMN", many=True, default=()
    )
    _: KW_ONLY
    players: tuple[str, str] = option(
        TwoPlayers(), "Player 1 and player 2.", default=("human", "equilibrium")
    )
    bag: Bag = option(
        OneOf(Bag), "Whether the dice come out of the game's bag.", default=Bag.AVERAGE
    )
    log: Path | None = option(File(), "Add the rolls to a CSV log; those before a stop too.")
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
        return play_reports.play_report(self.players, rolls, self.seed)


def _players(names: tuple[str, str], run: Run) -> tuple[Player, Player]:
    first, second = (player(name, _asking(run)) for name in names)
    return first, second


def _asking(run: Run) -> Ask:
    """Ask the person who plays which die to roll."""

    def ask(own: Hand, other: Hand) -> int:
        run.say(f"against {encode_hand(other)}")
        for place, die in enumerate(own):
            run.say(f"  {place}: {encode_die(die)}")
        return run.choose("your die: ", lambda line: natural(line, "die", most=len(own) - 1))

    return ask


QUESTIONS = (
    FatestonesSimulate,
    FatestonesPlay,
)
