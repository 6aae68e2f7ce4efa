"""What can be asked of the book of dice: its list of pages, and the answer of one."""

from dataclasses import KW_ONLY, dataclass
from pathlib import Path

from exactdice import storage
from exactdice.arithmetic import mpq
from exactdice.book import PAGES
from exactdice.book.page import Answer, Page, Variant
from exactdice.book.playing import ADVICE, advice_report, play_report, policy_text, read_state
from exactdice.errors import InputError, Unquoted
from exactdice.question import Question, argument, option
from exactdice.question.domains import File, Flag, Rational, Whole, Words
from exactdice.report.model import Quantity, Report, Table, enclosed, exact, text_column, whole
from exactdice.run import Run


@dataclass(frozen=True)
class Book(
    Question,
    command="book",
    example="book pig --variant piglet",
    takes="about as long as the list without a NAME says",
):
    """Value of a famous game, with a verdict on what was printed of it; or the list of all."""

    name: str | None = argument(
        Words(*PAGES, metavar="NAME"), "A game of the book.", metavar="NAME", default=None
    )
    _: KW_ONLY
    variant: str | None = option(Words(metavar="V"), "Its variant; the first where left out.")
    width: mpq | None = option(
        Rational(), "Enclose the value within W instead of looking for the exact one.", metavar="W"
    )
    policy: Path | None = option(
        File(), "Write best actions and values of all states into FILE, as CSV."
    )
    certificate: Path | None = option(
        File(), "Write what proves the value into FILE, to be checked."
    )
    state: str | None = option(
        Words(metavar="S"), "Judge every choice of a state, written as in a policy.", metavar="S"
    )
    law: bool = option(Flag(), "Give the law of what is won by best play instead of its mean.")
    play: int | None = option(
        Whole(), "Play a game with dice drawn by seed N, each choice judged.", metavar="N"
    )
    auto: bool = option(Flag(), "Let the best play play.")

    @property
    def is_interactive(self) -> bool:
        """Whether a person plays."""
        return self.play is not None and not self.auto

    def check(self) -> None:
        """Refuse variants that the game has not, and what goes with a game alone."""
        fields = ("variant", "width", "policy", "certificate", "state", "law", "play", "auto")
        asked = {name: getattr(self, name) for name in fields}
        asked = {name: value for name, value in asked.items() if value not in (None, False)}
        if self.name is None:
            for name, value in asked.items():
                raise InputError(name, str(value), "the name of a game with it")
            return
        variant = PAGES[self.name].variant(self.variant)
        if self.width is not None and self.width <= 0:
            raise InputError("width", self.width, "a number above 0")
        for name in ("policy", "certificate", "law"):
            if name in asked and variant.solve and name not in variant.solve_writes:
                is_judged = variant.around and name != "law"
                right = "--state" if is_judged else "it with a variant whose states can be listed"
                raise InputError(name, str(asked[name]), right)
        if self.law and variant.width and not variant.solve:
            raise InputError("law", str(self.law), "it with a variant whose value is exact")
        if self.play is not None and variant.around:
            raise InputError("play", self.play, "--state, a roll at a time, with so large a game")
        alone = [name for name in asked if name not in ("variant", "width", "auto")]
        if len(alone) > 1 and {"state", "play", "law"} & {*alone}:
            raise InputError("state", Unquoted(" and ".join(alone)), "one of them")
        if self.auto and self.play is None:
            raise InputError("auto", str(self.auto), "it with --play")

    def report(self, run: Run) -> Report:
        """List the pages, or solve one."""
        if self.name is None:
            return _list()
        page, files = PAGES[self.name], (self.certificate, self.policy)
        variant = page.variant(self.variant)
        for file in filter(None, files):
            storage.check_writable(file)
        within = self.width or (ADVICE if variant.solve else None)
        if self.state is not None:
            state, around = read_state(variant, self.state), variant.around
            answer = around(state, run) if around else variant.answer(run, within)
            return advice_report(variant, answer, state)
        if self.play is not None:
            answer = variant.answer(run, within)
            return play_report(variant, answer, self.play, None if self.auto else run)
        answer = variant.answer(run, self.width)
        if self.law:
            if answer.law is None:
                raise InputError("law", str(self.law), "it with a game of which players see all")
            return answer.law(run)
        if self.certificate is not None:
            if answer.proof is None:
                raise InputError("certificate", str(self.certificate), "it without --width")
            storage.write_whole(self.certificate, answer.proof())
        if self.policy is not None:
            storage.write_whole(self.policy, policy_text(variant, answer))
        return answer_report(page, variant, answer)


def answer_report(page: Page, variant: Variant, answer: Answer) -> Report:
    """Report the value of a variant, and a verdict on each number that was printed of it."""
    point = answer.value.point
    value = enclosed("value", page.asks) if point is None else exact("value", page.asks)
    verdicts = [(p.number, p.verdict(answer.value), p.source) for p in variant.numbers]
    told = "; ".join(f"{number}: {verdict}" for number, verdict, _ in verdicts)
    quantities = [
        Quantity(value, answer.value if point is None else point),
        Quantity(text_column("verdict", "on what was printed"), told or "nothing printed is known"),
        Quantity(text_column("rules", "what the variant is"), variant.rules),
        Quantity(text_column("players", "who plays"), page.players),
        Quantity(text_column("method", "how the value was found"), answer.method),
        Quantity(whole("states", "states that play can come to", "states"), answer.states),
    ]
    if answer.ties is not None:
        ties = whole("ties", "states with several best actions", "states")
        quantities.append(Quantity(ties, answer.ties))
    printed = [
        text_column("number", "number as it was printed"),
        text_column("verdict", "whether it is right, and what is"),
        text_column("source", "who printed it"),
    ]
    tables = [Table("printed", "What was printed", printed, verdicts)] if verdicts else []
    return Report(page.title, quantities, tables)


def _list() -> Report:
    columns = [
        text_column("game", "name of the page"),
        whole("printed", "printed numbers with a verdict", "numbers"),
        text_column("takes", "about how long the first variant takes"),
        whole("variants", "sets of rules", "variants"),
        text_column("asks", "what the value is"),
    ]
    of_variants = [
        text_column("game", "name of the page"),
        text_column("variant", "name of the rules"),
        text_column("rules", "what is particular to them"),
        text_column("takes", "about how long it takes"),
    ]
    pages, variants = [], []
    for page in PAGES.values():
        of = page.variants
        printed = sum(len(each.printed) for each in of.values())
        pages.append((page.name, printed, page.variant().takes, len(of), page.asks))
        variants += [(page.name, name, each.rules, each.takes) for name, each in of.items()]
    tables = [
        Table("pages", "Famous games", columns, pages),
        Table("variants", "Their variants", of_variants, variants),
    ]
    return Report("The book of dice", (), tables)


QUESTIONS = (Book,)
