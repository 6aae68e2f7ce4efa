"""What can be asked of the book of dice: its list of pages, and the answer of one."""

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from pathlib import Path

from exactdice import storage
from exactdice.arithmetic import mpq
from exactdice.book import PAGES
from exactdice.book.page import Page
from exactdice.errors import InputError
from exactdice.question import Question, argument, option
from exactdice.question.domains import File, Flag, Rational, Words
from exactdice.report.model import (
    Column,
    Quantity,
    Report,
    Table,
    enclosed,
    exact,
    text_column,
    whole,
)
from exactdice.run import Run
from exactdice.solve.reports import optimum_report


@dataclass(frozen=True)
class Book(
    Question,
    command="book",
    example="book pig --variant piglet",
    takes="about as long as the list without a NAME says",
):
    """Value of a famous game, and a verdict on what was printed of it; without NAME, the list."""

    name: str | None = argument(
        Words(*PAGES, metavar="NAME"), "A game of the book.", metavar="NAME", default=None
    )
    _: KW_ONLY
    variant: str | None = option(Words(metavar="V"), "Its variant; the first where left out.")
    width: mpq | None = option(
        Rational(), "Enclose the value within W instead of looking for the exact one.", metavar="W"
    )
    policy: bool = option(Flag(), "List best actions and regrets of every state.")
    certificate: Path | None = option(
        File(), "Write what proves the value into FILE, to be checked."
    )

    def check(self) -> None:
        """Refuse variants that the game has not, and what goes with a game alone."""
        if self.name is None:
            for name in ("variant", "width", "policy", "certificate"):
                if getattr(self, name):
                    raise InputError(name, str(getattr(self, name)), "the name of a game with it")
            return
        variant = PAGES[self.name].variant(self.variant)
        if self.width is not None and self.width <= 0:
            raise InputError("width", self.width, "a number above 0")
        for name in ("policy", "certificate"):
            if getattr(self, name) and variant.solve:
                raise InputError(
                    name, str(getattr(self, name)), "it with a game that is solved state by state"
                )

    def report(self, run: Run) -> Report:
        """List the pages, or solve one."""
        return _list() if self.name is None else self._page(PAGES[self.name], run)

    def _page(self, page: Page, run: Run) -> Report:
        if self.certificate is not None:
            storage.check_writable(self.certificate)
        variant = page.variant(self.variant)
        answer = variant.answer(run, self.width)
        point = answer.value.point
        kind = enclosed if point is None else exact
        quantities = [
            Quantity(kind("value", page.asks), answer.value if point is None else point),
            Quantity(text_column("rules", "what the variant is"), variant.rules),
            Quantity(text_column("players", "who plays"), page.players),
            Quantity(text_column("method", "how the value was found"), answer.method),
            Quantity(whole("states", "states that play can come to", "states"), answer.states),
        ]
        if answer.ties is not None:
            ties = whole("ties", "states with several best actions", "states")
            quantities.append(Quantity(ties, answer.ties))
        tables: list[Table] = []
        if self.certificate is not None and answer.optimum:
            answer.optimum.certificate().check(answer.optimum.model.game)
            answer.optimum.write_certificate(self.certificate)
        if self.policy and answer.optimum:
            tables += optimum_report(answer.optimum, answer.states).tables
        if variant.printed:
            rows = [(p.number, p.verdict(answer.value), p.source) for p in variant.printed]
            tables.append(Table("printed", "What was printed", _PRINTED, rows))
        return Report(page.title, quantities, tables)


_PRINTED: list[Column] = [
    text_column("number", "number as it was printed"),
    text_column("verdict", "whether it is right, and what is"),
    text_column("source", "who printed it"),
]


def _list() -> Report:
    columns = [
        text_column("game", "name of the page"),
        text_column("variant", "name of the rules"),
        text_column("rules", "what is particular to them"),
        text_column("asks", "what the value is"),
        text_column("takes", "about how long it takes"),
    ]
    return Report("The book of dice", (), [Table("pages", "Famous games", columns, _rows())])


def _rows() -> Iterator[tuple[str, ...]]:
    for page in PAGES.values():
        for name, variant in page.variants.items():
            yield page.name, name, variant.rules, page.asks, variant.takes


QUESTIONS = (Book,)
