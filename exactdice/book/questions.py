"""What can be asked of the book of dice: its list of pages, and the answer of one."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, replace
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from exactdice import storage
from exactdice.arithmetic import mpq, text
from exactdice.book import PAGES, opened
from exactdice.book.page import SUFFIX, Page, PageAnswer, Variant, in_one_line
from exactdice.book.playing import ADVICE, advice_report, lookahead, policy_text, read_state
from exactdice.errors import InputError, Unquoted
from exactdice.models import Game
from exactdice.question import Question, argument, option
from exactdice.question.domains import File, Flag, Rational, Text, Whole
from exactdice.report.model import Quantity, Report, Table, text_column, whole
from exactdice.run import Run
from exactdice.solve.play import play_report
from exactdice.solve.turns import named

#: How many states the first choices are named of.
_FEW = 6


class Named(Text):
    """Pages of the book, and files of Python in which a game is written down."""

    def names_file(self, value: Any) -> bool:
        """Whether this is a file, which would be run."""
        return isinstance(value, str) and value.endswith(SUFFIX)

    def read(self, value: Any, name: str) -> str:
        """Read the name of a page or of a file; no file is opened."""
        return str(value) if self.names_file(value) else opened(str(value)).name


@dataclass(frozen=True)
class Book(
    Question,
    command="book",
    example="book pig --variant piglet",
    takes="about as long as the list without a NAME says",
):
    """Value of a famous game, with a verdict on what was printed of it; or the list of all."""

    name: str | None = argument(
        Named(*PAGES, metavar="NAME|FILE.py"),
        "A game of the book, or a file in which one is written down.",
        metavar="NAME|FILE.py",
        default=None,
    )
    _: KW_ONLY
    variant: str | None = option(Text(metavar="V"), "Its variant; the first where left out.")
    width: mpq | None = option(
        Rational(), "Enclose the value within W instead of looking for the exact one.", metavar="W"
    )
    least: bool = option(
        Flag(), "Of a file's game of one player, the least instead of the most, as of rolls."
    )
    policy: Path | None = option(
        File(), "Write best actions and values of all states into FILE, as CSV."
    )
    certificate: Path | None = option(
        File(), "Write what proves the value into FILE, to be checked."
    )
    state: str | None = option(
        Text(metavar="S"), "Judge every choice of a state, written as in a policy.", metavar="S"
    )
    law: bool = option(Flag(), "Give the law of what is won by best play instead of its mean.")
    means: bool = option(
        Flag(), "With --law, take rewards that are fractions or means as paid for certain."
    )
    play: int | None = option(
        Whole(), "Play a game with dice drawn by seed N, each choice judged.", metavar="N"
    )
    auto: bool = option(Flag(), "Let the best play play.")

    @property
    def is_interactive(self) -> bool:
        """Whether a person plays."""
        return self.play is not None and not self.auto

    def _asked(self) -> dict[str, Any]:
        """What is asked of a game, by field."""
        fields = vars(self).items()
        return {name: v for name, v in fields if name != "name" and v not in (None, False)}

    def check(self) -> None:
        """Refuse variants that the game has not, and what goes with a game alone."""
        asked = self._asked()
        if self.name is None:
            for name, value in asked.items():
                raise InputError(name, str(value), "the name of a game with it")
            return
        if self.width is not None and self.width <= 0:
            raise InputError("width", self.width, "a number above 0")
        if self.name in PAGES:  # what a file holds is seen when it is run
            self._agree(PAGES[self.name].variant(self.variant))
            if self.least:
                raise InputError("least", "True", "it with a file")
        beside = ("variant", "width", "least", "auto", "means")
        alone = [name for name in asked if name not in beside]
        if len(alone) > 1 and {"state", "play", "law"} & {*alone}:
            raise InputError("state", Unquoted(" and ".join(alone)), "one of them")
        if self.auto and self.play is None:
            raise InputError("auto", str(self.auto), "it with --play")
        if self.means and not self.law:
            raise InputError("means", str(self.means), "it with --law")

    def _agree(self, variant: Variant) -> None:
        """Refuse what cannot be asked of a variant."""
        gives = {"variant", "width", "auto", *variant.solve_writes}
        if gives & {"policy"} or variant.large or self.name not in PAGES:  # where values are kept
            gives |= {"state", "play"}
        for name, value in self._asked().items() if variant.solve else ():
            if name not in gives:
                right = "it with a variant whose states can be listed"
                if variant.large and name != "law":
                    right = f"--state, as {variant.large}"
                raise InputError(name, str(value), right)
        if self.law and variant.width and not variant.solve:
            raise InputError("law", str(self.law), "it with a variant whose value is exact")
        if self.play is not None and variant.around:
            raise InputError("play", self.play, "--state, a roll at a time, with so large a game")

    def report(self, run: Run) -> Report:
        """List the pages, or solve one."""
        if self.name is None:
            return _list()
        for file in filter(None, (self.certificate, self.policy)):
            storage.check_writable(file)
        page = opened(self.name)
        variant = page.variant(self.variant)
        if self.name in PAGES:
            return self._about(page, variant, run)
        self._agree(variant)
        others = ", ".join(name for name, other in page.variants.items() if other is not variant)
        digest = sha256(Path(self.name).read_bytes()).hexdigest()  # as it was run, and not later
        facts = [
            text_column("others", "other variants of the file")(others),
            text_column("sha256", "SHA-256 of the file of the rules")(digest),
        ]
        variant = replace(variant, least=self.least or variant.least)
        with in_one_line(self.name):
            report = self._about(page, variant, run)
        return replace(report, quantities=[*report.quantities, *facts[not others :]])

    def _about(self, page: Page, variant: Variant, run: Run) -> Report:
        """Solve a variant, and give of it what was asked."""
        within = self.width or (ADVICE if variant.solve and not variant.width else None)
        for name, value in self._asked().items():
            if name in ("law", "state", "play") and not isinstance(variant.game(), Game):
                raise InputError(name, str(value), "it with a game of which players see all")
        if self.state is not None:
            state, around = read_state(variant, self.state), variant.around
            answer = around(state, run) if around else variant.answer(run, within)
            return advice_report(variant, answer, state)
        if self.play is not None:
            answer = variant.answer(run, within)
            look = lookahead(variant, answer)
            return play_report(look, self.play, None if self.auto else run)
        answer = variant.answer(run, self.width)
        if self.law:
            if answer.law is None:
                raise InputError("law", str(self.law), "it with a variant whose answer has one")
            return answer.law(run, means=True) if self.means else answer.law(run)
        if self.certificate is not None:
            if answer.proof is None:
                raise InputError("certificate", str(self.certificate), "it without --width")
            storage.write_whole(self.certificate, answer.proof())
        if self.policy is not None:
            storage.write_whole(self.policy, policy_text(variant, answer))
        return answer_report(page, variant, answer)


def answer_report(page: Page, variant: Variant, answer: PageAnswer) -> Report:
    """Report the value of a variant, and a verdict on each number that was printed of it."""
    value = answer.value.number
    verdicts = [(p.number, p.verdict(answer.value), p.source) for p in variant.numbers]
    said = "; ".join(f"{number}: {verdict}" for number, verdict, _ in verdicts)
    if not said and PAGES.get(page.name) is page:
        said = "nothing printed is known"
    facts = {
        ("first", "best choices at first"): first_choices(answer),
        ("verdict", "on what was printed"): said,
        ("rules", "what the variant is"): variant.rules,
        ("players", "who plays"): page.players,
        ("method", "how the value was found"): answer.method,
    }
    quantities = [
        Quantity.of("value", variant.asks or page.asks, value),
        *(text_column(*column)(fact) for column, fact in facts.items() if fact),
        whole("states", "states that play can come to", "states")(answer.states),
    ]
    if answer.optimum and PAGES.get(page.name) is not page:
        unpaid = sum(not paid for paid in answer.optimum.model.arena.payoffs.values())
        meaning = "states in which play ends for 0, as where the rules return None"
        quantities.append(whole("unpaid", meaning, "states")(unpaid))
    if answer.ties is not None:
        ties = whole("ties", "states with several best actions", "states")
        quantities.append(ties(answer.ties))
    printed = Table.of(
        "printed",
        "What was printed",
        verdicts,
        text_column("number", "number as it was printed"),
        text_column("verdict", "whether it is right, and what is"),
        text_column("source", "who printed it"),
    )
    return Report.of(page.title, {}, *quantities, printed if verdicts else None)


def first_choices(answer: PageAnswer) -> str:
    """Write the best choices of the first state, or mixtures of both players who choose at once.

    Where it leaves no choice, of the first states that do, each after its name; of a game of
    hidden information, of what the player who moves first may know.
    """
    best, firsts = answer.optimum, []
    if answer.bracket is not None:
        one, two = (answer.bracket.strategy(player).items() for player in (1, 2))
        mixtures = ((known, law) for known, law in one or two if len(law) > 1)
        firsts = [f"{named(known)}: {_mixed(law)}" for known, law in islice(mixtures, _FEW + 1)]
    elif best is not None:
        model = best.model
        choosing = (
            (number, state)
            for number, state in model.unended()
            if len(model.arena.moves(number)) > 1
        )
        for number, state in islice(choosing, _FEW + 1):
            if number in best.mixed:
                laws = (law.probabilities() for law in best.action(state))
                actions = " against ".join(map(_mixed, laws))
            else:
                actions = _listed([*map(named, best.optimal_actions(state))], " | ", 2 * _FEW)
            if number == 0:
                return actions
            firsts.append(f"{named(state)}: {actions}")
    return _listed(firsts, "; ", _FEW)


def _mixed(law: Mapping[Any, mpq]) -> str:
    chances = (f"{named(action)} with {text(chance)}" for action, chance in law.items() if chance)
    return ", ".join(chances).removesuffix(" with 1")


def _listed(words: list[str], between: str, most: int) -> str:
    return between.join(words[:most] + ["…"] * (len(words) > most))


def _list() -> Report:
    game = text_column("game", "name of the page")
    columns = [
        game,
        whole("printed", "printed numbers with a verdict", "numbers"),
        text_column("takes", "about how long the first variant takes"),
        whole("variants", "sets of rules", "variants"),
        text_column("asks", "what the value is"),
    ]
    of_variants = [
        game,
        text_column("variant", "name of the rules"),
        text_column("rules", "what is particular to them"),
        text_column("takes", "about how long it takes"),
    ]
    pages, variants = [], []
    for name, page in PAGES.items():
        printed = sum(len(each.printed) for each in page.variants.values())
        pages.append((name, printed, page.variant().takes, len(page.variants), page.asks))
        variants += [(name, v, each.rules, each.takes) for v, each in page.variants.items()]
    listed = Table.of("pages", "Famous games", pages, *columns)
    others = Table.of("variants", "Their variants", variants, *of_variants)
    return Report.of("The book of dice", {}, listed, others)


QUESTIONS = (Book,)
