"""A page of the book: one famous game, its variants, and what was printed about their values.

A `Page` holds facts; a `Variant` one set of rules, with the game as moves of `exactdice.models`.
Its `answer` is the value, exact or enclosed. Most variants are solved by `optimum`, those in
which a player does not see all, whose states are information sets, by `equilibrium`; one that is
too large for that brings its own `solve`, which is tested against `optimum` where both can answer.

A printed decimal is compared digit by digit, in as many digits as it was printed with: it is
*confirmed* if the value rounds to it, *confirmed, cut off* if the value begins with it, and
*corrected* else, or *of other rules* if the page names a variant for which it is right; the tests
look whether it is. What enclosures leave open is *open*.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from inspect import ismethod, signature
from typing import TYPE_CHECKING, Any, TypeAlias

from exactdice.arithmetic import decimal, mpq, rational
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, TooLargeError, one_named
from exactdice.linked import linked
from exactdice.models import Game, Optimum, optimum
from exactdice.report.model import Report, Table, exact, text_column
from exactdice.run import DEFAULT, Run

if TYPE_CHECKING:
    from exactdice.models import DealtGame, HiddenGame, ValueBounds
import runpy
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from exactdice.errors import ExactDiceError
from exactdice.linked import is_of
from exactdice.models import ModelError

#: Numbers that were printed, as they stand: by whom, or that with the name of the variant to whose
#: rules one belongs, if that is another one.
Sources: TypeAlias = Mapping[str, str | tuple[str, str]]
NOTHING: Sources = {}

#: Moves after which play that is short has ended.
_SHORT = 100
_NO_TABLE = (
    f"play may take more than {_SHORT} moves; in Python, reward_distribution(game, policy) gives "
    "quantiles, and the chance of at most so much within a width"
)


@dataclass(frozen=True)
class PrintedValue:
    """A number that was printed: as it stands, by whom, and whose rules it belongs to."""

    number: str
    source: str
    belongs: str = ""

    def verdict(self, value: Enclosure) -> str:
        """Compare the number with the value.

        >>> PrintedValue("0.33", "a guess").verdict(Enclosure(mpq(1, 3), mpq(1, 3)))
        'confirmed'
        >>> PrintedValue("0.6666", "a guess").verdict(Enclosure(mpq(2, 3), mpq(2, 3)))
        'confirmed, cut off'
        >>> PrintedValue("0.3", "a guess").verdict(Enclosure(mpq(2, 3), mpq(2, 3)))
        'corrected: 0.7'
        """
        places, bounds = len(self.number.partition(".")[2]), (value.lower, value.upper)
        if "." not in self.number:  # a fraction or a whole number is exact
            if rational(self.number) in value:
                return "confirmed" if value.point is not None else "open"
            ends = cut = {"another fraction" if value.point is None else str(value.point)}
        else:
            ends = {decimal(end, places) for end in bounds}
            cut = {decimal(mpq(int(end * 10**places), 10**places), places) for end in bounds}
        for verdict, numbers in {"confirmed": ends, "confirmed, cut off": cut}.items():
            if numbers == {self.number}:
                return verdict
        if self.number in ends | cut:
            return "open"
        right = " or ".join(sorted(ends))
        return f"of other rules: {self.belongs}" if self.belongs else f"corrected: {right}"


@dataclass(frozen=True)
class PageAnswer:
    """The value of one variant, and how it was found.

    `at` gives the game's value of a state, from which those around it follow by the rules; None
    where it is not known. `listed` goes through the states in which it is known. `proof` gives what
    a checker in ``proofs`` takes, and `law` the law of what is won by best play.
    """

    value: Enclosure
    method: str
    states: int
    ties: int | None = None  # states with several best choices; None where that is not known
    optimum: Optimum[Any] | None = field(default=None, repr=False)
    at: Callable[[Any], Enclosure | None] | None = field(default=None, repr=False)
    listed: Callable[[], Iterable[Any]] | None = field(default=None, repr=False)
    bracket: "ValueBounds | None" = field(
        default=None, repr=False
    )  # of a game of hidden information
    proof: Callable[[], str | bytes] | None = field(default=None, repr=False)
    law: Callable[..., Report] | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Variant:
    """One set of rules.

    `rules` says in a line what is particular to them, `game` makes the game, and `takes` says about
    how long the answer takes; `printed` has numbers that were printed of it. The value is enclosed
    within `width` where it is not exact; where the game `wins`, its value v is a win less a loss,
    and the chance (1 + v) / 2 is asked for. Where the general way would take too long `solve` finds
    the answer, given a run and a width, and `solve_writes` names the files that it can give:
    ``policy``, ``certificate``, ``law``; `large` says why all states make no file. `around` finds
    what one state leads to, where values of all states are not kept. `least` asks one player for
    the least in place of the most, and `asks` says what the value is, where that is not what it is
    of the first variant.
    """

    rules: str
    game: "Callable[[], Game[Any] | HiddenGame[Any] | DealtGame[Any]]"
    takes: str = "a second"
    printed: Sources = field(default_factory=dict)
    width: str | None = None
    wins: bool = False
    solve: Callable[[Run, mpq | None], PageAnswer] | None = None
    solve_writes: tuple[str, ...] = ()
    large: str = ""
    around: Callable[[Any, Run], PageAnswer] | None = None
    least: bool = False
    asks: str = ""

    @property
    def numbers(self) -> tuple[PrintedValue, ...]:
        """The numbers that were printed."""
        sources = {n: (by, "") if isinstance(by, str) else by for n, by in self.printed.items()}
        return tuple(PrintedValue(number, *source) for number, source in sources.items())

    @property
    def options(self) -> dict[str, str | int]:
        """Words and numbers by which the rules are made, by name.

        They are arguments of `game` where that is a partial function, and attributes of the object
        where it is a method.
        """
        game = self.game
        made = vars(game.__self__) if ismethod(game) else {}
        if isinstance(game, partial):
            call = signature(game.func).bind_partial(*game.args, **game.keywords)
            call.apply_defaults()
            made = call.arguments
        return {name: value for name, value in made.items() if isinstance(value, str | int)}

    def answer(self, run: Run = DEFAULT, width: mpq | None = None) -> PageAnswer:
        """Find the value, within `width` where that is given."""
        within = width or (rational(self.width) if self.width else None)
        if self.solve:
            return self.solve(run, within)
        game = self.game()
        for_one = "it with a game of one player, or of none"
        if not isinstance(game, Game):
            if self.least:
                raise InputError("least", "True", for_one)
            equilibrium = linked("exactdice.models:equilibrium")
            bracket = equilibrium(game, width=within, run=run)
            states = sum(len(side.parent) for side in bracket.form.sides)
            value, proof = bracket.enclosure(), bracket.certificate_text
            return PageAnswer(value, bracket.method, states, bracket=bracket, proof=proof)
        model = game.explored(run)
        if self.least and model.players == 2:
            raise InputError("least", "True", for_one)
        best = optimum(model, least=self.least, width=within, run=run)
        return PageAnswer(
            self.as_asked(best.enclosure()),
            best.method,
            len(best.model.states),
            len(best.several) if best.is_exact else None,
            best,
            best.enclosure,
            lambda: (state for _, state in best.model.unended()),
            proof=lambda: proved(best),
            law=partial(_law, best),
        )

    def as_asked(self, value: Enclosure) -> Enclosure:
        """What a value of the game is called here: itself, or the chance to win."""
        return (1 + value) / 2 if self.wins else value


def _law(best: Optimum[Any], run: Run, *, means: bool = False) -> Report:
    """The law of what best play wins: its moments, and where play is short every chance.

    Where it is not, and only ends pay, the chances of a win, a draw and a loss.
    """
    from exactdice.solve.laws import reward_distribution, win_draw_loss
    from exactdice.solve.reports import law_report, win_draw_loss_report

    law = reward_distribution(best.model, best, means=means, run=run)
    report = replace(law_report(law), title="What best play wins, as the first player sees it")
    try:
        chances = law.distribution(most_moves=_SHORT).probabilities()
    except TooLargeError:
        more = [text_column("outcomes", "why totals are not listed")(_NO_TABLE)]
        if not means and not any(best.arena.rewards):
            more += win_draw_loss_report(win_draw_loss(best.model, best, run=run)).quantities
        return replace(report, quantities=[*report.quantities, *more])
    columns = [exact("total", "what is won"), exact("probability", "chance of it")]
    return replace(report, tables=[Table.of("outcomes", "Outcomes", chances.items(), *columns)])


def proved(best: Optimum[Any]) -> str:
    """The certificate of an answer as text, once it is checked against the rules."""
    from exactdice.solve.certificate_file import certificate_lines

    certificate = best.certificate()
    certificate.check(best.model.game)
    lines = certificate_lines(certificate, best.model, best.arena, best.question)
    return "".join(f"{line}\n" for line in lines)


@dataclass(frozen=True)
class Page:
    """A game of the book.

    Its name on the command line and its title, how many play, what the value of the first variant
    is, and sets of rules by their names, the first being what is meant where none is named.
    """

    name: str
    title: str
    players: str
    asks: str
    variants: Mapping[str, Variant]

    def __post_init__(self) -> None:
        if not self.variants:
            raise InputError("variants", self.variants, "at least one Variant by its name")

    def variant(self, name: str | None = None, **options: str | int) -> Variant:
        """Return a variant by its name, or the first with these options; refuse what is none."""
        variants = [*self.variants.values()]
        fitting = variants if name is None else [one_named(self.variants, name, "variant")]
        for option, wanted in options.items():
            values = [variant.options[option] for variant in fitting if option in variant.options]
            fitting = [variant for variant in fitting if variant.options.get(option) == wanted]
            if not fitting:
                named = [each for variant in variants for each in variant.options] or ["none"]
                listed = ", ".join(dict.fromkeys(map(str, values or named)))
                right = "one of" if values else "an option: one of"
                raise InputError(option, wanted, f"{right} {listed}")
        return fitting[0]


SUFFIX = ".py"
#: Classes of games with hidden information.
HIDDEN = ("exactdice.hidden.game:HiddenGame", "exactdice.hidden.dealt:DealtGame")


@contextmanager
def in_one_line(file: str, *, is_loading: bool = False) -> Iterator[None]:
    """Tell what the code of a file raises in one line, with its place in the file.

    Errors that did not pass through it are nobody's but ours, and stay as they are.
    """
    try:
        yield
    except (ExactDiceError, MemoryError):
        raise
    except (Exception, SystemExit) as problem:
        steps = traceback.extract_tb(problem.__traceback__)
        lines = [step.lineno for step in steps if step.filename == file]
        if isinstance(problem, SyntaxError):
            lines.append(problem.lineno)
        if not (lines or is_loading):
            raise
        place = f"{file}, line {lines[-1]}" if lines and lines[-1] else file
        said = [f"{type(problem).__name__}: {problem}", *getattr(problem, "__notes__", ())]
        raise ModelError(f"{place}: {' '.join(' '.join(said).split())}") from problem


def page_in(file: str) -> Page:
    """Run a file of Python and take the page that it makes, or its games.

    Raises InputError if it cannot be read or makes neither, and ModelError if it raises.
    """
    path = Path(file)
    if not path.is_file():
        raise InputError("name", file, "a file that is there")
    before = sys.path[:]
    sys.path.insert(0, str(path.parent))  # as Python does for what it runs
    try:
        with in_one_line(file, is_loading=True):
            made = runpy.run_path(file)
    finally:
        sys.path[:] = before
    page = made.get("PAGE")
    if isinstance(page, Page):
        return page
    variants = dict(_variants(made, path.name))
    if not variants:
        right = "a file that makes a Game, a Race, a Page called PAGE, or a list of them, PAGES"
        raise InputError("name", file, right)
    title = (made.get("__doc__") or path.stem).strip().partition("\n")[0].rstrip(".:")
    asks = "total of the rewards, as the first player sees it"
    return Page(path.stem, title, "", asks, variants)


def _variants(made: Mapping[str, Any], file: str) -> Iterator[tuple[str, Variant]]:
    """Go through the variants of a file's pages, and its games and races, by their names."""
    pages = made.get("PAGES")
    pages = pages if isinstance(pages, list | tuple) else ()
    for page in (page for page in pages if isinstance(page, Page)):
        for name, variant in page.variants.items():
            rules, asks = f"{page.title}: {variant.rules}", variant.asks or page.asks
            yield f"{page.name}/{name}", replace(variant, rules=rules, asks=asks)
    for name, game in made.items():
        rules = f"`{name}` of {file}"
        if isinstance(game, Game) or is_of(game, *HIDDEN):
            yield name, Variant(rules, partial(_itself, game), takes="")
        elif is_of(game, "exactdice.solve.race:Race"):
            asks = "chance that the player who begins wins"
            yield name, Variant(rules, game.game, takes="", wins=True, asks=asks)


def _itself(game: Any) -> Any:
    return game
