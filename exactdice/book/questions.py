"""The command ``book``: the list of pages, the answer of one, advice in a state.

The *regret* of a choice is the value lost by it under optimal play afterwards; if the value is a
probability of winning, so is the regret. With simultaneous moves, a choice is compared against the
opponent's optimal mixed strategy.
"""

import ast
import csv
import io
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import KW_ONLY, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exactdice.arithmetic import mpq, rational, significant, text
from exactdice.book import PAGES, opened
from exactdice.book.page import (
    ASKS,
    SUFFIX,
    InfinitePlay,
    Page,
    PageAnswer,
    Variant,
    big_number,
    first_choices,
    in_one_line,
    said_of,
)
from exactdice.book.shelf import choices_in_words, in_words, shelf, stored
from exactdice.enclosure import Enclosure, exactly
from exactdice.errors import ConflictError, InputError, Unquoted
from exactdice.linked import linked
from exactdice.models import Both, Game, Model
from exactdice.question import Question, argument, option
from exactdice.question.domains import File, Flag, OneOf, Rational, Text, Whole
from exactdice.report.model import Quantity, Report, Table, column_for, exact, text_column, whole
from exactdice.run import Run
from exactdice.solve.game import TOTAL, turn_of
from exactdice.solve.turns import choosing, named, ordered

if TYPE_CHECKING:
    from exactdice.solve.play import Lookahead

#: Width of values from which the values of other states are computed.
ADVICE = mpq(1, 10**9)
_LONG = re.compile(r"\d{12,}/\d{12,}")


def lookahead(variant: Variant, answer: PageAnswer) -> "Lookahead":
    from exactdice.solve.play import Lookahead  # not needed for an answer

    game = variant.game()
    if answer.at is None or not isinstance(game, Game):
        raise ConflictError("state", "and --play require one value for each state")
    scale = mpq(-1 if variant.least else 1, 2 if variant.wins or answer.wins else 1)
    return Lookahead(game, answer.at, answer.optimum, scale)


def read_state(variant: Variant, written: str) -> Any:
    """Read a state as a policy lists it and apply the rules; other text is returned as it is."""
    game, state = variant.game(), None
    try:
        try:
            state = ast.literal_eval(written)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            state = written  # a text whose quotation marks the shell has removed
        if isinstance(game, Game):
            turn_of(game, state)
    except InputError:
        raise
    except (ValueError, TypeError, LookupError, ArithmeticError, AttributeError) as problem:
        if state != written or variant.solve:
            raise InputError("state", written, _form(game)) from problem
    return state


def _form(game: Any) -> str:
    return f"a reachable state, such as {getattr(game, 'initial', '')!r}"


def _met(model: Model[Any], state: Any) -> Any:
    try:
        model.number(state)
    except InputError:
        for known in model.states:
            if state in (repr(known), repr(ordered(known))):
                return known
        raise InputError("state", state, _form(model.game)) from None
    return state


def advice_report(
    variant: Variant, answer: PageAnswer, state: Any, asks: str, board: Mapping[str, Any]
) -> Report:
    """Report the value of a state, and each choice's regret; `board` has words for actions."""
    look = lookahead(variant, answer)
    if answer.optimum:
        state = _met(answer.optimum.model, state)
    variant = replace(variant, wins=variant.wins or answer.wins)
    value, both = variant.as_asked(look.worth(state)), isinstance(turn_of(look.game, state), Both)
    rows: list[tuple[Any, ...]] = []
    for player in (1, 2) if both else (1,):
        mixture = look.mixtures(state)[player - 1].probabilities() if both else {}
        for action, lost in look.regrets(state, player).items():
            rows.append((player, named(action), lost, mixture.get(action, mpq(0))))
    columns = [
        whole("player", "player who chooses"),
        text_column("action", "choice, best first"),
        column_for([row[2] for row in rows])("regret", "value lost compared with the best choice"),
        exact("probability", "probability of the choice in the optimal mixed strategy"),
    ]
    shown = slice(4) if both else slice(1, 3)
    table = Table("choices", "Choices", columns[shown], [row[shown] for row in rows])
    quantities = [
        Quantity.of("value", "value of the state for the player who moves", value),
        text_column("state", "state, as written in a policy")(repr(ordered(state))),
    ]
    to_win = "probability to win, for the player who moves"
    said = to_win if variant.wins else f"{asks} from here"
    does = f": {in_words(board, rows[0][1])}" if rows and not both else ""
    says = big_number(variant, asks, Enclosure.of(value)), said + does, exactly(value)
    return Report("Advice", quantities, [table] if rows else [], says=says)


def policy_text(variant: Variant, answer: PageAnswer) -> str:
    """Write optimal choices, or mixed strategies, and the value of every listed state, as CSV."""
    lines = io.StringIO()
    rows = csv.writer(lines, lineterminator="\n")
    if answer.bracket:
        most = sum(side.sequences for side in answer.bracket.form.sides)
        report = linked("exactdice.hidden.reports:bracket_report")(answer.bracket, most)
        for table in report.tables:
            rows.writerow([table.name, *(column.name for column in table.columns)])
            rows.writerows([table.name, *map(str, row)] for row in table.rows)
        return lines.getvalue()
    perfect, listed = answer.perfect, answer.listed
    if perfect is not None:
        seats = range(1, len(perfect.values) + 1)
        names = [f"{kind}_{seat}" for seat in seats for kind in ("value", "decimal")]
        rows.writerow(["state", "player", "best", *names])
        for state, action in perfect.policy.items():
            worths = [
                part for one in perfect.value_of(state) for part in (text(one), _decimal(one))
            ]
            mover = perfect.movers[perfect.model.number(state)]
            rows.writerow([repr(ordered(state)), mover, named(action), *worths])
        return lines.getvalue()
    if listed is None:
        raise InputError("answer", Unquoted("an answer without states"), "one that lists states")
    look, variant = lookahead(variant, answer), replace(variant, wins=variant.wins or answer.wins)
    value = "value_at_least" if answer.value.point is None else "value"
    heading = ["state", "player", "best", "probability", "ties", value, "decimal"]
    rows.writerow([*heading, "second", "regret"])
    for state in listed():
        worth = variant.as_asked(look.worth(state)).lower
        for best in _best(look, state):
            shown = text(worth), _decimal(worth)
            rows.writerow([repr(ordered(state)), *best[:4], *shown, *best[4:]])
    return lines.getvalue()


def _decimal(number: mpq) -> str:
    return significant(number, 10)


def _best(look: "Lookahead", state: Any) -> Iterator[tuple[Any, ...]]:
    """Yield player, optimal action, probability, all optimal ones, and the second with its regret.

    The second action is the best of those that are not optimal.
    """
    turn = turn_of(look.game, state)
    if isinstance(turn, Both):
        for player, mixture in enumerate(look.mixtures(state), 1):
            for action, share in mixture.probabilities().items():
                yield player, named(action), text(share), "", "", ""
    elif regrets := look.regrets(state):
        best = [named(action) for action, lost in regrets.items() if not lost.lower]
        others = [(named(a), _decimal(lost.lower)) for a, lost in regrets.items() if lost.lower]
        second = others[0] if others else ("", "")
        yield choosing(turn)[0], best[0], 1, " | ".join(best), *second
    else:
        yield "", "", "", "", "", ""


class Named(Text):
    """Pages of the book, and Python files that contain a game."""

    def names_file(self, value: Any) -> bool:
        return isinstance(value, str) and value.endswith(SUFFIX)

    def read(self, value: Any, name: str) -> str:
        return str(value) if self.names_file(value) else opened(str(value)).name


class Book(
    Question,
    example="pig --variant piglet",
    takes='a second to minutes, as listed by "exactdice book"',
):
    """Value of a famous game, compared with published values; without a NAME, the list of games."""

    name: str | None = argument(
        Named(*PAGES), "A game of the book, or a Python file that contains one.", default=None
    )
    _: KW_ONLY
    variant: str | None = option(Text(metavar="V"), "Rule variant. Default: the first.")
    variants: bool = option(Flag(), "List the rule variants of the game, without their values.")
    width: mpq | None = option(
        Rational(), "Compute bounds at most W apart instead of the exact value.", metavar="W"
    )
    ask: str = option(
        Text(metavar="Q"),
        f"Question: {', '.join(ASKS)}, or a comparison such as 'total >= 50'.",
        default="total",
    )
    infinite: InfinitePlay | None = option(
        OneOf(InfinitePlay), "Result of infinite play for the first player. Default: play must end."
    )
    set_: tuple[str, ...] = option(
        Text(metavar="NAME=VALUE"), "Set an option of the rules, for example target=50.", many=True
    )
    player: int | None = option(
        Whole(least=1), "With payments to each player: answer for player N.", metavar="N"
    )
    least: bool = option(
        Flag(), "Minimise the expected total instead of maximising it (one-player FILE.py only)."
    )
    policy: Path | None = option(
        File(), "Write optimal actions and values of all states to FILE, as CSV."
    )
    certificate: Path | None = option(File(), "Write a certificate of the value to FILE.")
    kit: Path | None = option(
        File("FOLDER"), "Write tables, figure, certificate and citation to a new FOLDER."
    )
    state: str | None = option(
        Text(metavar="S"), "Show the cost of every choice in state S, for example (0, 0, 0)."
    )
    x: int | None = option(Whole(), "With --y: show optimal actions by two coordinates of states.")
    y: int | None = option(Whole(), "The second coordinate; both count from 0.")
    distribution: bool = option(
        Flag(), "Show the distribution of the result under optimal play, not only its mean."
    )
    means: bool = option(Flag(), "With --distribution, treat mean rewards as if they were certain.")
    play: int | None = option(
        Whole(), "Play a game with random seed N; each of your choices is rated.", metavar="N"
    )
    auto: bool = option(Flag(), "Let the optimal policy make your moves.")
    stored: bool = option(Flag(), "Print the value that the package has stored, if it is slow.")

    @property
    def is_interactive(self) -> bool:
        return self.play is not None and not self.auto

    def _given(self) -> dict[str, Any]:
        unset = (None, False, (), "total")
        return {n.rstrip("_"): v for n, v in vars(self).items() if n != "name" and v not in unset}

    def check(self) -> None:
        given = self._given()
        if self.name is None:
            for name in given:
                raise ConflictError(name, "needs the NAME of a game")
        if self.name is None or self.variants:
            for name in [name for name in given if name != "variants"]:
                raise ConflictError(name, "cannot be combined with --variants")
            return
        if self.width is not None and self.width <= 0:
            raise InputError("width", self.width, "a number above 0")
        if self.name in PAGES:  # a file is run, and so checked, when it is solved
            self._agree(PAGES[self.name].variant(self.variant))
            if self.least:
                raise ConflictError("least", "applies only to a FILE.py")
        more = ("variant", "width", "least", "auto", "means", "ask", "infinite", "set", "player")
        alone = [n for n in given if n not in (*more, "stored")]
        if self.ask not in ASKS and not TOTAL.fullmatch(self.ask):
            raise InputError("ask", self.ask, f"{', '.join(ASKS)}, or 'total >= 50'")
        if (self.x is None) != (self.y is None) or (self.x is not None and self.x == self.y):
            raise ConflictError("x", "needs --y, another coordinate of the states")
        for name in {"ask", "infinite"} & given.keys():
            for other in {"x", "state", "play", "distribution", "policy"} & given.keys():
                raise ConflictError(name, f"cannot be combined with --{other}")
        self._options()
        if len(alone) > 1 and {"state", "play", "distribution"} & {*alone}:
            raise ConflictError(alone[0], f"cannot be combined with --{alone[1]}")
        if self.auto and self.play is None:
            raise ConflictError("auto", "needs --play")
        if self.means and not self.distribution:
            raise ConflictError("means", "needs --distribution")

    def _options(self) -> dict[str, Any]:
        options: dict[str, Any] = {}
        for written in self.set_:
            name, equals, value = written.partition("=")
            if not equals:
                raise InputError("set", written, "NAME=VALUE, for example target=50")
            options[name] = value
            with suppress(InputError):
                number = rational(value)
                options[name] = int(number) if number.denominator == 1 else number
        return options

    def _agree(self, variant: Variant) -> None:
        gives = {"variant", "width", "auto", "stored", *variant.solve_writes}
        gives |= {"distribution"} if "law" in gives else set()
        if gives & {"policy"} or variant.large or self.name not in PAGES:  # values are kept
            gives |= {"state", "play"}
        for name in self._given() if variant.solve else ():
            if name not in gives:
                problem = "requires a variant whose states can be listed"
                if variant.large and name != "distribution":
                    problem = f"takes too long here: {variant.large}; use --state"
                raise ConflictError(name, problem)
        if self.certificate is not None and self.width is not None and variant.solve:
            raise ConflictError("certificate", "cannot be combined with --width")
        if self.distribution and variant.width and not variant.solve:
            raise ConflictError("distribution", "requires a variant whose value is exact")
        if self.play is not None and variant.around:
            raise ConflictError("play", "does not apply to so large a game; use --state")

    def report(self, run: Run) -> Report:
        if self.name is None:
            return _list()
        for file in filter(None, (self.certificate, self.policy, self.kit)):
            if file == self.kit and file.exists():
                raise InputError("kit", str(file), "the name of a new folder")
            linked("exactdice.storage:check_writable")(file)
        if self.kit is not None:
            with linked("exactdice.jobs.plots.figure:style")():  # whether it can draw
                pass
        page = opened(self.name)
        if self.variants:
            return _list({self.name: page}).only("variants")
        variant = page.variant(self.variant)
        if self.stored and self._given().keys() <= {"stored", "variant"} and self.name in PAGES:
            name = self.variant or next(iter(page.variants))
            known = stored(page, name)
            if known and variant.takes != "a second":
                again = f"exactdice {replace(self, stored=False)}"
                method = f'stored in the package; "{again}" computes it'
                return answer_report(page, variant, PageAnswer(known, method, 0))
        variant = variant.having(self._options())
        variant = replace(variant, ask=self.ask, infinite=self.infinite, player=self.player)
        if self.name in PAGES:
            return self._about(page, variant, run, [])
        self._agree(variant)
        mine = page.variant(self.variant)
        others = ", ".join(name for name, other in page.variants.items() if other is not mine)
        digest = sha256(Path(self.name).read_bytes()).hexdigest()  # as it was run, and not later
        facts = [
            text_column("others", "other variants of the file")(others),
            text_column("sha256", "SHA-256 of the file with the rules")(digest),
        ]
        variant = replace(variant, least=self.least or variant.least)
        facts = facts[not others :]
        with in_one_line(self.name):
            report = self._about(page, variant, run, facts)
        return replace(report, quantities=[*report.quantities, *facts])

    def on_terminal(self, report: Report, run: Run) -> Report:
        """Write the first choices in the words of the game's board; omit them if it has none."""
        board, quantities = self._board(), []
        for one in report.quantities:
            if one.column.name == "first":
                words = choices_in_words(board, str(one.value)) if board else str(one.value)
                one = replace(one, value=words)
                if "(" in words:
                    continue
            elif one.column.name == "verdict":
                one = replace(one, value=_LONG.sub("a long fraction", str(one.value)))
            quantities.append(one)
        return replace(report, quantities=tuple(quantities))

    def _board(self) -> Mapping[str, Any]:
        return dict(shelf().get(self.name or "", {}).get("board", {}))

    def _about(self, page: Page, variant: Variant, run: Run, facts: list[Quantity]) -> Report:
        within = self.width or (ADVICE if variant.solve and not variant.width else None)
        if self.state is not None and not isinstance(variant.game(), Game):
            known = linked("exactdice.hidden.reports:knowledge_report")
            shown: Report = known(variant.answer(run, self.width).bracket, self.state)
            return shown
        if self.state is not None:
            state, around = read_state(variant, self.state), variant.around
            answer = around(state, run) if around else variant.answer(run, within)
            return advice_report(variant, answer, state, variant.asks or page.asks, self._board())
        if self.play is not None:
            from exactdice.solve.play import play_report

            player = None if self.auto else run
            if not isinstance(variant.game(), Game):
                pair = linked("exactdice.hidden.play:StrategyPair")
                best = variant.answer(run, self.width).bracket
                rated: Report = pair(variant.game(), best).play(self.play, player)
                return rated
            return play_report(lookahead(variant, variant.answer(run, within)), self.play, player)
        answer = variant.answer(run, self.width)
        if self.kit is not None:
            report = answer_report(page, variant, answer)
            whole = replace(report, quantities=[*report.quantities, *facts])
            files = linked("exactdice.book.kit:kit_files")(self, whole, variant, answer, run)
            linked("exactdice.storage:write_folder")(self.kit, files)
            return report
        if self.x is not None and self.y is not None:
            grid: Report = linked("exactdice.book.asks:grid_report")(answer, self.x, self.y)
            return grid
        if self.distribution:
            if answer.law is None:
                raise ConflictError("distribution", "is not available for this variant")
            return answer.law(run, means=True) if self.means else answer.law(run)
        if self.certificate is not None:
            if answer.proof is None:
                raise ConflictError("certificate", "cannot be combined with --width or this --ask")
            linked("exactdice.storage:write_whole")(self.certificate, answer.proof())
        if self.policy is not None:
            linked("exactdice.storage:write_whole")(self.policy, policy_text(variant, answer))
        return answer_report(page, variant, answer)


def answer_report(page: Page, variant: Variant, answer: PageAnswer) -> Report:
    is_of_book = PAGES.get(page.name) is page
    is_asked = variant.ask != "total" or variant.infinite
    numbers = () if is_asked else variant.numbers
    verdicts = [(p.number, p.verdict(answer.value), p.source) for p in numbers]
    said = "; ".join(f"{number}: {verdict}" for number, verdict, _ in verdicts)
    facts = {
        ("first", "optimal choices at the start"): first_choices(answer),
        ("verdict", "comparison with published values"):
            said or ("no published value is known" if is_of_book and not is_asked else ""),
        ("rules", "rules of this variant"): variant.rules,
        ("players", "players and how they move"): page.players or answer.players,
        ("method", "how the value was computed"): answer.method,
    }  # fmt: skip
    is_hiding = answer.bracket and not answer.optimum
    counted = "information sets of both players" if is_hiding else "reachable states"
    is_first = is_of_book and not is_asked and variant.player in (None, 1)
    asks = (not is_first and answer.what) or variant.asks or page.asks
    says = said_of(page, variant, asks, Enclosure.of(answer.value))
    quantities = [
        Quantity.of("value", asks, answer.value),
        *(text_column(*column)(fact) for column, fact in facts.items() if fact),
    ]
    quantities += [whole("states", counted)(answer.states)] * bool(answer.states)
    if answer.optimum and not (is_of_book or is_asked or answer.seats):
        unpaid = sum(not paid for paid in answer.optimum.model.arena.payoffs.values())
        meaning = "terminal states with payoff 0 (including those where the rules return None)"
        quantities.append(whole("unpaid", meaning)(unpaid))
    if answer.perfect is not None:
        others = text_column("other_equilibria", "values if ties are broken otherwise")
        quantities.append(others(answer.perfect.others))
    if answer.ties is not None:
        quantities.append(whole("ties", "states with several optimal actions")(answer.ties))
    printed = Table.of(
        "printed",
        "Published values",
        verdicts,
        text_column("number", "published number"),
        text_column("verdict", "confirmed, or the correct value"),
        text_column("source", "publication"),
    )
    seats = None
    if answer.seats is not None:
        seat, value = whole("player", "player"), column_for(answer.seats)
        of_seat = seat, value("value", "value of the player")
        seats = Table.of("seats", "Players", [*enumerate(answer.seats, 1)], *of_seat)
    return Report.of(page.title, {}, *quantities, seats, printed if verdicts else None, says=says)


def _list(named: Mapping[str, Page] = PAGES) -> Report:
    game, takes = text_column("game", "name of the page"), text_column("takes", "typical run time")
    columns = [
        game,
        whole("printed", "published numbers that are compared"),
        takes,
        whole("variants", "rule variants"),
        text_column("asks", "what the value of the first variant measures", heading="quantity"),
    ]
    of_variants = [
        game,
        text_column("variant", "name of the variant"),
        text_column("rules", "how its rules differ"),
        takes,
    ]
    pages, variants = [], []
    for name, page in named.items():
        printed = sum(len(each.printed) for each in page.variants.values())
        pages.append((name, printed, page.variant().takes, len(page.variants), page.asks))
        variants += [(name, v, each.rules, each.takes) for v, each in page.variants.items()]
    listed = Table.of("pages", "Famous games", pages, *columns)
    others = Table.of("variants", "Rule variants", variants, *of_variants)
    return Report.of("The book of dice", {}, listed, others)
