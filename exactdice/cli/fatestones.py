"""`exactdice fatestones …`: the dice, the duel, the census of all deals, and the simulator."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from math import comb
from pathlib import Path
from random import Random
from typing import Annotated, Self

import typer

from exactdice.arithmetic import natural, rational
from exactdice.cli.legacy_presenting import OptionGroup, SeedOption, command, group, one_of
from exactdice.cli.progress import progress_bar
from exactdice.errors import InputError, Unquoted
from exactdice.games import fatestones
from exactdice.games.fatestones import Census, Hand, Player, Roll
from exactdice.report.model import Report
from exactdice.storage import append, check_writable, read_text, write_whole
from exactdice.tables import fatestones as reports
from exactdice.tables import fatestones_dice, fatestones_play
from exactdice.tables.fatestones_dice import DiceSet

__all__ = ["app"]

app = group()

_SECONDS_BETWEEN_SAVES = 2
_DEALS = comb(32, 3) * comb(29, 3)  # a larger sample takes longer than all of them


@dataclass(frozen=True)
class _Dice:
    """Which dice a command is about."""

    which: DiceSet
    faces: int


def _read_dice(
    which: Annotated[
        str,
        typer.Option("--set", metavar="|".join(DiceSet), help="All dice, or those of mean 7/2."),
    ] = "average",
    faces: Annotated[
        str, typer.Option(metavar="N", help="Faces, with values 1 to N; the mean is (N + 1)/2.")
    ] = "6",
) -> _Dice:
    chosen = DiceSet(one_of(which, list(DiceSet), "set"))
    # With more faces there are thousands of dice, and millions of pairs.
    most = 6 if chosen is DiceSet.ALL else 8
    return _Dice(chosen, natural(faces, "faces", least=2, most=most))


_DiceOptions = Annotated[_Dice, OptionGroup(_read_dice)]
_Confidence = Annotated[str, typer.Option(metavar="C", help="Confidence of tests and intervals.")]
_Seed = Annotated[str, typer.Option(metavar="S", help="Seed of everything random.")]


@command(app, "dice")
def show_dice(
    dice: _DiceOptions,
    write: Annotated[
        str,
        typer.Option(metavar="FILE", help="Also write the faces, one die a line, to FILE.txt|csv."),
    ] = "",
) -> Report:
    """List the dice, and write them as the FateStones files do."""
    report = fatestones_dice.dice_report(dice.which, dice.faces)
    if write:
        path = Path(write)
        form = one_of(path.suffix[1:], ["txt", "csv"], "suffix of the file")
        listed = fatestones_dice.dice_in(dice.which, dice.faces)
        write_whole(path, fatestones.dice_text(listed, form))
    return report


@command(app, "beats")
def show_beats(
    dice: _DiceOptions,
    pairs: Annotated[bool, typer.Option("--pairs", help="List the chances of every pair.")] = False,
) -> Report:
    """Which die beats which: chances, cycles, components, dominance."""
    return fatestones_dice.beats_report(dice.which, dice.faces, pairs=pairs)


@command(app, "rankings")
def show_rankings(dice: _DiceOptions) -> Report:
    """Rankings of the dice, and what each puts first and last."""
    return fatestones_dice.rankings_report(dice.which, dice.faces)


@command(app, "count")
def show_count(
    faces: Annotated[str, typer.Argument(metavar="N", help="Faces of each die.")],
    values: Annotated[str, typer.Argument(metavar="V", help="The highest value; the lowest is 1.")],
    convention: Annotated[
        str, typer.Option(metavar="more|majority", help="What it means that a die beats another.")
    ] = "more",
) -> Report:
    """Number of triples of dice in which each beats the next."""
    # The words are those of the type; the library refuses any other.
    return fatestones_dice.count_report(
        natural(faces, "faces", least=1),
        natural(values, "values", least=1),
        convention,  # type: ignore[arg-type]
    )


_RowHand = Annotated[str, typer.Argument(metavar="HAND", help="Player 1's dice, as 111666,123456.")]
_ColumnHand = Annotated[str, typer.Argument(metavar="HAND", help="Player 2's dice.")]
_Bag = Annotated[
    str, typer.Option(metavar="average|any", help="Whether the dice come out of the game's bag.")
]


def _any_dice(bag: str) -> bool:
    return one_of(bag, ["average", "any"], "bag") == "any"


@command(app, "duel")
def show_duel(
    row: _RowHand,
    column: _ColumnHand,
    scratch: Annotated[
        str, typer.Option(metavar="V", help="What a scratch is worth to player 1.")
    ] = "0",
    bag: _Bag = "average",
) -> Report:
    """Equilibrium of the duel of two hands: value and both strategies."""
    hands = fatestones.decode_hand(row), fatestones.decode_hand(column)
    return reports.duel_report(*hands, rational(scratch, "scratch"), any_dice=_any_dice(bag))


@command(app, "census")
def show_census(
    sample: Annotated[
        str, typer.Option(metavar="N", help="Solve N deals drawn at random instead of all.")
    ] = "",
    seed: _Seed = "1",
    checkpoint: Annotated[
        str, typer.Option(metavar="FILE", help="Save progress to FILE and go on from it.")
    ] = "",
    processes: Annotated[
        str, typer.Option(metavar="P", help="Processes that share the work.")
    ] = "1",
    confidence: _Confidence = "0.95",
    power: Annotated[
        str, typer.Option(metavar="P", help="Chance with which the edge is to be seen.")
    ] = "0.95",
) -> Report:
    """Is good play rewarded? Equilibria and best responses over all deals."""
    request = reports.CensusRequest(
        sample=natural(sample, "sample", least=1, most=_DEALS) if sample else None,
        seed=natural(seed, "seed"),
        confidence=confidence,
        power=power,
    )
    if sample and checkpoint:
        raise InputError("checkpoint", checkpoint, "one or the other of a sample and a checkpoint")
    shared = natural(processes, "processes", least=1)
    path = Path(checkpoint) if checkpoint else None
    return reports.census_report(request, partial(_whole_census, path, shared))


def _whole_census(path: Path | None, processes: int) -> Census:
    state, save = None, None
    if path:
        check_writable(path)
        state = read_text(path) or None
        save = _seldom(partial(write_whole, path))
    with progress_bar("hands") as tell:
        return fatestones.census(state=state, save=save, processes=processes, progress=tell)


def _seldom(write: Callable[[str], None]) -> Callable[[str], None]:
    """Write at most once in a while, so that saving costs nothing."""
    last = time.monotonic()

    def save(content: str) -> None:
        nonlocal last
        if time.monotonic() - last >= _SECONDS_BETWEEN_SAVES:
            write(content)
            last = time.monotonic()

    return save


_Players = Annotated[
    str, typer.Option(metavar="P,Q", help="Two of random, best, equilibrium, human, mcts:N.")
]
_Log = Annotated[str, typer.Option(metavar="FILE", help="Add the rolls to a CSV log.")]


def _two_players(names: str, *, may_ask: bool = False) -> tuple[Player, Player]:
    parts = names.split(",")
    if len(parts) != 2:
        raise InputError("players", names, "two players with a comma between, as mcts:50,random")
    ask = _ask if may_ask else None
    return fatestones.player(parts[0].strip(), ask), fatestones.player(parts[1].strip(), ask)


class _LogFile:
    """A log to whose end rolls are added every few seconds, so that little is lost when killed."""

    def __init__(self, name: str) -> None:
        self.path = Path(name) if name else None
        self._waiting: list[Roll] = []
        self._written = time.monotonic()
        if self.path:
            check_writable(self.path)
            fatestones.check_log(read_text(self.path))  # refuses other columns before any work

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._write()

    def add(self, roll: Roll) -> None:
        self._waiting.append(roll)
        if time.monotonic() - self._written > _SECONDS_BETWEEN_SAVES:
            self._write()

    def _write(self) -> None:
        rolls, self._waiting = self._waiting, []  # tried once: an error says what became of them
        if self.path and rolls:
            header = fatestones.log_lines([], header=True)
            append(
                self.path,
                fatestones.log_lines(rolls),
                header=header,
                check=lambda line: fatestones.check_log(header + line),
            )
        self._written = time.monotonic()


@command(app, "simulate")
def show_simulation(
    players: _Players = "mcts:50,random",
    games: Annotated[str, typer.Option(metavar="N", help="Games to play.")] = "10000",
    seed: _Seed = "1",
    log: _Log = "",
    scratch: Annotated[
        str, typer.Option(metavar="again|ends", help="Whether a scratch starts the game again.")
    ] = "again",
    confidence: _Confidence = "0.95",
) -> Report:
    """Play games between two players and log every roll."""
    pair = _two_players(players)
    count = natural(games, "games", least=1)
    start = natural(seed, "seed")
    replay = one_of(scratch, ["again", "ends"], "scratch") == "again"
    level = rational(confidence, "confidence")
    with _LogFile(log) as file, progress_bar("games") as tell:

        def rolls() -> Iterator[Roll]:
            done = 0
            for roll in fatestones.simulate(pair, count, start, replay=replay):
                done += roll.outcome != 0 or (roll.is_scratch and not replay)
                tell(done, count)
                file.add(roll)
                yield roll

        found = fatestones.score(rolls(), replay=replay)
    return fatestones_play.simulation_report(pair, found, start, replay=replay, confidence=level)


@command(app, "results")
def show_results(
    games: Annotated[str, typer.Option(metavar="N", help="Games of each pair.")] = "10000",
    seed: _Seed = "1",
    confidence: _Confidence = "0.95",
) -> Report:
    """Play the README's results table again, beside its own figures and the exact ones."""
    return fatestones_play.results_report(
        natural(games, "games", least=1),
        natural(seed, "seed"),
        [("best", "random"), ("equilibrium", "random")],
        rational(confidence, "confidence"),
    )


@command(app, "play")
def show_play(
    seed: SeedOption,
    hands: Annotated[
        list[str] | None, typer.Argument(metavar="HAND", help="Both hands; dealt if absent.")
    ] = None,
    players: _Players = "human,equilibrium",
    bag: _Bag = "average",
    log: _Log = "",
) -> Report:
    """Play one duel: each chooses a die, both are rolled, ties go on."""
    pair = _two_players(players, may_ask=True)
    random = Random(seed.number)  # noqa: S311 - a game, no secret
    row, column = _given_hands(hands, any_dice=_any_dice(bag)) or fatestones.deal(random)
    rolls = []
    with _LogFile(log) as file:
        for roll in fatestones.play_duel(pair, row, column, random):
            file.add(roll)
            rolls.append(roll)
    return fatestones_play.play_report([player.name for player in pair], rolls, seed.number)


def _given_hands(hands: list[str] | None, *, any_dice: bool) -> tuple[Hand, Hand] | None:
    if not hands:
        return None
    if len(hands) != 2:
        raise InputError("hands", Unquoted(f"{len(hands)} hand"), "both hands, or none")
    row, column = map(fatestones.decode_hand, hands)
    fatestones.check_hands(row, column, None if any_dice else fatestones.bag())
    return row, column


def _ask(own: Hand, other: Hand) -> int:
    """Ask on standard error, so that standard output holds the report alone."""
    typer.echo(f"against {fatestones.encode_hand(other)}", err=True)
    for place, die in enumerate(own):
        typer.echo(f"  {place}: {fatestones.encode_die(die)}", err=True)
    while True:
        answer = typer.prompt("your die", err=True)
        try:
            return natural(answer, "die", most=len(own) - 1)
        except InputError as problem:
            typer.echo(str(problem), err=True)
