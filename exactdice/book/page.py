"""A page of the book: one famous game, its variants, and published values; also from your file.

A `Page` is data; a `Variant` is one set of rules, with the game as moves of `exactdice.models`. Its
`answer` is the value, exact or bounded. Most variants are solved by `optimum`, and those with
hidden information by `equilibrium`. A variant that is too large for them has its own `solve`, which
is tested against `optimum` on small sizes.

A published decimal is compared in the number of digits in which it was printed. It is *confirmed*
if the value rounds to it, *confirmed, cut off* if the value begins with it, *of other rules* if the
page names a variant for which it is right (which the tests check), and *corrected* otherwise. If
bounds do not decide it, it is *open*.

If a Python file has a ``PAGE``, that is its page. Otherwise its variants are those of the pages in
its list ``PAGES``, named ``PAGE/VARIANT``, and then each of its games and races, by name and in
order; its title is the first line of its docstring. The file is run, so only files that are named
on the command line or in Python are opened.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache, partial
from importlib.resources import files
from inspect import ismethod, signature
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

from exactdice.arithmetic import decimal, mpq, rational, text
from exactdice.enclosure import Enclosure, exactly, percent, points
from exactdice.errors import ConflictError, InputError, TooLargeError, choices, one_named
from exactdice.linked import linked
from exactdice.models import Game, Model, Optimum, optimum
from exactdice.report.model import Report, Table, exact, text_column
from exactdice.run import DEFAULT, Run
from exactdice.solve.arena import BOTH
from exactdice.solve.turns import named

if TYPE_CHECKING:
    from exactdice.models import DealtGame, HiddenGame, PerfectEquilibrium, ValueBounds
import csv
import runpy
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from exactdice.errors import ExactDiceError
from exactdice.linked import is_of
from exactdice.models import ModelError

#: Published numbers with their source, or with source and variant if they belong to another one.
Sources: TypeAlias = Mapping[str, str | tuple[str, str]]

_HIDING = "two, with hidden information"
_SHORT = 100  # moves up to which all outcomes are listed
_NO_TABLE = (
    f"play may take more than {_SHORT} moves; in Python, reward_distribution(game, policy) gives "
    "quantiles, and probabilities within bounds"
)
_LISTED = "exactdice book NAME --variants"


@cache
def _published() -> Mapping[tuple[str, str], Sources]:
    table = files("exactdice.book").joinpath("published.csv").read_text("utf-8")
    numbers: dict[tuple[str, str], dict[str, tuple[str, str]]] = {}
    for page, variant, number, *source in list(csv.reader(table.splitlines()))[1:]:
        numbers.setdefault((page, variant), {})[number] = (source[0], source[1])
    return numbers


EVENTS = {"won": "above 0", "drawn": "0", "lost": "below 0"}
ASKS = ("total", *EVENTS, "moves", "turns", "average", "guarantee")


class InfinitePlay(StrEnum):
    """The result of infinite play for the first player."""

    DRAW = "draw"
    WIN = "win"
    LOSE = "lose"


def players_of(model: Model[Any]) -> str:
    """Describe the players of a model and how they move."""
    if not model.players:
        return "none; only chance moves"
    both = sum(owner == BOTH for owner in model.arena.owners)
    how = f"simultaneous in {both} states" if both else "alternating"
    return "one" if model.players == 1 else f"two, {how}"


@dataclass(frozen=True)
class PrintedValue:
    """A published number: its text, its source, and the variant to which it belongs."""

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
    """The value of one variant, and how it was computed.

    `at` returns the value of a state of the game, or None if it is unknown; the rules give the
    values of the states around it. `listed` iterates over the states with known values, `proof`
    returns the input of a checker in ``proofs``, and `law` reports the distribution of the result
    under optimal play. If the value is reported as a probability of winning, it `wins`. `players`
    describes how players move, and `what` the value if it differs from the page. With payments of
    their own, `seats` has the values of all players, and `perfect` their equilibrium.
    """

    value: Enclosure
    method: str
    states: int
    ties: int | None = None  # states with several optimal choices; None if unknown
    optimum: Optimum[Any] | None = field(default=None, repr=False)
    at: Callable[[Any], Enclosure | None] | None = field(default=None, repr=False)
    listed: Callable[[], Iterable[Any]] | None = field(default=None, repr=False)
    bracket: "ValueBounds | None" = field(default=None, repr=False)  # with hidden information
    proof: Callable[[], str | bytes] | None = field(default=None, repr=False)
    law: Callable[..., Report] | None = field(default=None, repr=False)
    wins: bool = False
    players: str = ""
    what: str = ""
    seats: list[Enclosure] | None = None
    perfect: "PerfectEquilibrium[Any] | None" = field(default=None, repr=False)


@dataclass(frozen=True)
class Variant:
    """One set of rules.

    `rules` describes in a line how they differ, `game` makes the game, and `takes` is a typical run
    time; `printed` contains published numbers. If the value is not exact, its bounds are at most
    `width` apart. If the game `wins`, the answer is not its value v (wins minus losses) but the
    probability (1 + v) / 2. `solve`, for games too large for the general solvers, computes the
    answer from a run and a width, and `solve_writes` names its files: ``policy``, ``certificate``,
    ``distribution``; `large` says why it cannot list all states. `around` solves the states after
    one state if not all values are kept. With `least` a single player minimises. `asks` says what
    the value measures, if it differs from the page. `ask` is another question (`book.asks`), and
    `infinite` the result of infinite play: draw, win or lose. With payments of their own, the
    answer is for `player`. If a game of a file `is_own`, its value is reported as a probability if
    it pays only 1, 0 and −1 at the end.
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
    ask: str = "total"
    infinite: Any = None
    player: int | None = None
    is_own: bool = False

    @property
    def numbers(self) -> tuple[PrintedValue, ...]:
        """The published numbers."""
        sources = {n: (by, "") if isinstance(by, str) else by for n, by in self.printed.items()}
        return tuple(PrintedValue(number, *source) for number, source in sources.items())

    @property
    def options(self) -> dict[str, str | int]:
        """Text and integer options of rules: arguments of `game`, or attributes of its object."""
        game = self.game
        made = vars(game.__self__) if ismethod(game) else {}
        if isinstance(game, partial):
            call = signature(game.func).bind_partial(*game.args, **game.keywords)
            call.apply_defaults()
            made = call.arguments
        return {name: value for name, value in made.items() if isinstance(value, str | int)}

    def answer(self, run: Run = DEFAULT, width: mpq | None = None) -> PageAnswer:
        """Compute the value; if `width` is given, bounds at most that far apart."""
        within = width or (rational(self.width) if self.width else None)
        if self.solve:
            return self.solve(run, within)
        game = self.game()
        if isinstance(game, Game) and game.players is not None:
            seats = linked("exactdice.book.asks:seats")
            answer: PageAnswer = seats(game, self.ask, self.player or 1, within, run)
            return answer
        if self.player is not None:
            raise ConflictError("player", "applies only to Game(…, players=n)")
        for_one = ConflictError("least", "applies only to games of one player, or of none")
        if not isinstance(game, Game):
            if self.least:
                raise for_one
            equilibrium = linked("exactdice.models:equilibrium")
            bracket = equilibrium(game, width=within, run=run)
            pair = linked("exactdice.hidden.play:StrategyPair")(game, bracket)
            if self.infinite:
                raise ConflictError(
                    "infinite", "does not apply: hidden information needs play to end"
                )
            if self.ask != "total" and getattr(game, "mean", False):
                raise ConflictError("ask", "does not apply: the end pays the value of what follows")
            if self.ask in (*EVENTS, "moves"):
                model = pair.chain().explored(run)
                answer = linked("exactdice.book.asks:asked")(model, self, None, run)
                return replace(answer, bracket=bracket, proof=None, players=_HIDING)
            if self.ask != "total":
                wanted = f"total, {', '.join(EVENTS)} or moves, with hidden information"
                raise InputError("ask", self.ask, wanted)
            states = sum(len(side.parent) for side in bracket.form.sides)
            value, proof = bracket.value, bracket.certificate_text

            def law(run: Run, *, means: bool = False) -> Report:
                return _law(optimum(pair.chain(), run=run), run, means=means)

            return PageAnswer(
                value,
                bracket.method,
                states,
                bracket=bracket,
                proof=proof,
                law=law,
                players=_HIDING,
            )
        model = game.explored(run)
        if self.least and model.players == 2:
            raise for_one
        players = players_of(model)
        if self.ask != "total" or self.infinite:
            answer = linked("exactdice.book.asks:asked")(model, self, within, run)
            return replace(answer, players=players)
        best = optimum(model, least=self.least, width=within, run=run)
        wins = self.wins or (self.is_own and _pays_results(model))
        what = "probability that the first player wins" if wins and not self.wins else ""
        if what and 0 in model.arena.payoffs.values():
            what += " (a draw counts half)"
        return PageAnswer(
            replace(self, wins=wins).as_asked(best.value),
            best.method,
            len(best.model.states),
            len(best.several) if best.is_exact else None,
            best,
            best.value_of,
            lambda: (state for _, state in best.model.unended()),
            proof=lambda: proved(best),
            law=partial(_law, best),
            wins=wins,
            players=players,
            what=what,
        )

    def having(self, options: Mapping[str, Any]) -> "Variant":
        """Return the variant with other options of its rules: arguments of `game`.

        >>> from exactdice.book import load
        >>> load("pig", "pig-20").having({"target": 2}).answer().value.point
        mpq(6,7)
        """
        if not options:
            return self
        function: Any = self.game
        is_open = isinstance(function, partial) and not self.solve
        known = signature(function.func).parameters if is_open else {}
        wanted = f"one of {', '.join(known)}" if known else "a variant with options of its rules"
        for name, value in options.items():
            if name not in known:
                raise InputError("set", name, wanted)
            usual, takes = known[name].default, known[name].annotation
            if isinstance(value, str) and (isinstance(usual, int) or takes in (int, "int")):
                raise InputError("set", f"{name}={value}", "a number")
        call = signature(function.func).bind_partial(*function.args, **function.keywords)
        made = partial(function.func, **(call.arguments | dict(options)))
        said = ", ".join(f"{name} {value}" for name, value in options.items())
        return replace(self, game=made, rules=f"{self.rules}, with {said}", printed={})

    def as_asked(self, value: Enclosure) -> Enclosure:
        """Convert a value of the game to the answer: the same, or a probability of winning."""
        return (1 + value) / 2 if self.wins else value


def _pays_results(model: Model[Any]) -> bool:
    """Whether two players get only 1, 0 or −1 at the end, and nothing before."""
    arena, paid = model.arena, {*model.arena.payoffs.values()}
    is_even = arena.changes_sides or {1, -1} <= paid  # one wins, the other loses
    return model.players == 2 and is_even and paid <= {1, 0, -1} and not any(arena.rewards)


def _law(best: Optimum[Any], run: Run, *, means: bool = False) -> Report:
    from exactdice.solve.laws import reward_distribution, win_draw_loss
    from exactdice.solve.reports import law_report, win_draw_loss_report

    law = reward_distribution(best.model, best, means=means, run=run)
    report = replace(law_report(law), title="Result of the first player under optimal play")
    try:
        chances = law.distribution(most_moves=_SHORT).probabilities()
    except TooLargeError:
        more = [text_column("outcomes", "reason why outcomes are not listed")(_NO_TABLE)]
        if not means and not any(best.arena.rewards):
            more += win_draw_loss_report(win_draw_loss(best.model, best, run=run)).quantities
        return replace(report, quantities=[*report.quantities, *more])
    columns = [exact("total", "sum of the rewards"), exact("probability", "its probability")]
    return replace(report, tables=[Table.of("outcomes", "Outcomes", chances.items(), *columns)])


def proved(best: Optimum[Any]) -> str:
    """Return the certificate of an answer as text, after checking it against the rules."""
    best.certificate().check(best.model.game)
    return "".join(f"{line}\n" for line in best.certificate_lines())


@dataclass(frozen=True)
class Page:
    """A game of the book.

    Its name on the command line, its title, the number of players, what the value of the first
    variant measures, and the variants by name; the first is the default.
    """

    name: str
    title: str
    players: str
    asks: str
    variants: Mapping[str, Variant]

    def __post_init__(self) -> None:
        if not self.variants:
            raise InputError("variants", self.variants, "a dict with at least one Variant")

    def with_published(self) -> "Page":
        """Add the published numbers of the book."""
        numbers = {n: _published().get((self.name, n), {}) for n in self.variants}
        variants = {n: replace(v, printed=numbers[n]) for n, v in self.variants.items()}
        return replace(self, variants=variants)

    def variant(self, name: str | None = None, **options: str | int) -> Variant:
        """Return a variant by name, or the first with these options; otherwise raise InputError."""
        variants = [*self.variants.values()]
        fitting = variants if name is None else [one_named(self.variants, name, "variant", _LISTED)]
        for option, wanted in options.items():
            values = [variant.options[option] for variant in fitting if option in variant.options]
            fitting = [variant for variant in fitting if variant.options.get(option) == wanted]
            if not fitting:
                named = [each for variant in variants for each in variant.options]
                listed = choices(tuple(dict.fromkeys(map(str, values or named))), wanted)
                raise InputError(option, wanted, listed if values else f"an option, {listed}")
        return fitting[0]


SUFFIX = ".py"
#: Classes of games with hidden information.
HIDDEN = ("exactdice.hidden.game:HiddenGame", "exactdice.hidden.dealt:DealtGame")


@contextmanager
def in_one_line(file: str, *, is_loading: bool = False) -> Iterator[None]:
    """Report an error of the code of a file in one line, with its place; others pass unchanged."""
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
        what = problem.msg if isinstance(problem, SyntaxError) else problem
        said = [f"{type(problem).__name__}: {what}", *getattr(problem, "__notes__", ())]
        raise ModelError(f"{place}: {' '.join(' '.join(said).split())}") from problem


def page_in(file: str) -> Page:
    """Run a Python file and return its page, or a page of its games."""
    path = Path(file)
    if not path.is_file():
        raise ConflictError(f"{file}:", "file not found")
    before = sys.path[:]
    sys.path.insert(0, str(path.parent))  # as Python does for a script
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
        right = "a file with a Game, a function annotated with -> Game, a Race, PAGE or PAGES"
        raise InputError("name", file, right)
    title = (made.get("__doc__") or path.stem).strip().partition("\n")[0].rstrip(".:")
    asks = "expected total of the rewards of the first player"
    return Page(path.stem, title, "", asks, variants)


def _variants(made: Mapping[str, Any], file: str) -> Iterator[tuple[str, Variant]]:
    pages = made.get("PAGES")
    pages = pages if isinstance(pages, list | tuple) else ()
    for page in (page for page in pages if isinstance(page, Page)):
        for name, variant in page.variants.items():
            rules, asks = f"{page.title}: {variant.rules}", variant.asks or page.asks
            yield f"{page.name}/{name}", replace(variant, rules=rules, asks=asks)
    for name, game in made.items():
        rules = f"`{name}` of {file}"
        returns = getattr(game, "__annotations__", {}).get("return")
        if isinstance(game, Game) or is_of(game, *HIDDEN):
            yield name, Variant(rules, lambda game=game: game, takes="", is_own=True)  # type: ignore[misc]
        elif (returns.__name__ if isinstance(returns, type) else returns) in ("Game", "HiddenGame"):
            complete = linked("exactdice.book.asks:complete")
            yield name, Variant(rules, partial(complete(game)), takes="", is_own=True)
        elif is_of(game, "exactdice.solve.locked:Race"):
            asks = "probability that the starting player wins"
            yield name, Variant(rules, game.game, takes="", wins=True, asks=asks)


def big_number(variant: Variant, asks: str, value: Enclosure) -> str:
    """Return the value as people read it: a probability in percent."""
    if 0 in value and value.point is None:
        return "≈ 0"
    return percent(value, 2) if variant.wins or "probability" in asks else points(value)


def said_of(page: Page, variant: Variant, asks: str, value: Enclosure) -> tuple[str, str, str]:
    """Return the headline of a game's value."""
    sentence = f"{asks}. {page.title}, {variant.rules}".removesuffix(", ")
    return (big_number(variant, asks, value), sentence, exactly(value))


_FEW = 6  # states whose optimal choices the answer lists


def first_choices(answer: PageAnswer) -> str:
    """Write the optimal choices, or mixed strategies, of the first state with a choice.

    If a roll comes before it, those of the first such states; with hidden information, those of the
    information sets of the player who moves first.
    """
    best, firsts = answer.optimum, []
    if answer.bracket is not None:
        one, two = (answer.bracket.strategy(player).items() for player in (1, 2))
        mixtures = ((known, mixed) for known, mixed in one or two if len(mixed) > 1)
        firsts = [f"{named(known)}: {_mixed(mixed)}" for known, mixed in islice(mixtures, _FEW + 1)]
    elif best is not None:
        for number in islice(best.model.arena.first_choices(), _FEW + 1):
            state = best.model.states[number]
            if number in best.mixed:
                mixed = (one.probabilities() for one in best.action(state))
                actions = " against ".join(map(_mixed, mixed))
            else:
                actions = _listed([*map(named, best.optimal_actions(state))], " | ", 2 * _FEW)
            if number == 0:
                return actions
            firsts.append(f"{named(state)}: {actions}")
    return _listed(firsts, "; ", _FEW)


def _mixed(strategy: Mapping[Any, mpq]) -> str:
    shares = (f"{named(action)} with {text(share)}" for action, share in strategy.items() if share)
    return ", ".join(shares).removesuffix(" with 1")


def _listed(words: list[str], between: str, most: int) -> str:
    return between.join(words[:most] + ["…"] * (len(words) > most))
