"""Directives and roles whose content is computed when the page is built.

Directives::

    ```{answer} risk win 4 2        the command and its output; `:lines: N` shortens the output,
    ```                             `:as: table` shows the report as a table instead, and
                                    `:chart: …` adds bars
    ```{refused} risk win 1 2       a command with its error message
    ```

A chart shows the distribution of a roll (``:chart: 4d6kh3``); numbers of the answer and the rest
to 1 (``:chart: win = value, tie = tie, loss``); or columns of a table of the answer, with
the numbers in the last one (``:chart: table territories: taken probability``). In a code cell,
``bars(value)`` draws a distribution, or a dict of numbers by label.

Roles: ``{quantity}`swe value 10 : value``` is a named number of an answer, ``{exact}`` the same as
a fraction; ``{claim}`swe.never-skip``` and ``{question}`risk win``` link to their pages;
``{verdict}`swe.never-skip``` is the verdict of its certificate; ``{figure-page}`` is a link to a
figure.

A name that does not exist and a question without an answer are errors with their place. Commands in
blocks of the language ``sh`` are parsed but not run, and an invalid command is also an error.
"""

import importlib
import io
import itertools
import re
import shlex
from collections.abc import Mapping
from contextlib import redirect_stdout
from functools import cache
from html import escape
from typing import Any

import click
from docutils import nodes
from docutils.parsers.rst import Directive, directives
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole

from exactdice.arithmetic import mpq, significant, text
from exactdice.cli import JOBS
from exactdice.cli.presenting import answering
from exactdice.enclosure import Enclosure
from exactdice.errors import ConflictError, ExactDiceError, InputError
from exactdice.jobs.claims import claim_named
from exactdice.jobs.plots import figure_named
from exactdice.question.words import given_fields
from exactdice.report.html import fragment
from exactdice.report.model import Report
from exactdice.report.writers import Format, render
from exactdice.rooms import ROOMS, ask, classes, question_class
from exactdice_docs.claims import verdict_of
from exactdice_docs.questions import slug

__all__ = ["answered", "bars", "check_command", "register"]

_LOG = logging.getLogger(__name__)
_DIGITS = 10
_COMMIT = re.compile(r", commit [0-9a-z+]+")


@cache
def answered(command: str) -> Report:
    """Answer a command, once in each build."""
    return ask(command)


def _shown(command: str) -> str:
    """Return the output of a command without the commit, which would change every page."""
    return _COMMIT.sub("", render(answered(command), Format.TEXT, _DIGITS))


class _Answer(SphinxDirective):
    """A command and its output."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec = {  # noqa: RUF012 - as docutils has it
        "lines": directives.positive_int,
        "as": lambda chosen: directives.choice(chosen, ("text", "table")),
        "chart": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        command = " ".join(self.arguments[0].split())
        try:
            report = answered(command)
        except ExactDiceError as problem:
            raise self.error(f"answer: {problem}") from problem
        if self.options.get("as") == "table":
            return [
                _console(f"$ exactdice {command}"),
                nodes.raw("", f'<div class="report">{fragment(report)}</div>', format="html"),
                _runnable(command),
            ]
        printed = _shown(command).rstrip("\n").split("\n")
        most = self.options.get("lines", len(printed))
        if len(printed) > most:
            printed = [*printed[:most], "…"]
        return [
            _console("\n".join([f"$ exactdice {command}", *printed])),
            *self.bars(),
            _runnable(command),
        ]

    def bars(self) -> list[nodes.Node]:
        if not (drawn := self.options.get("chart")):
            return []
        try:
            svg = chart(*self.numbers(drawn))
        except ExactDiceError as problem:
            raise self.error(f"chart: {problem}") from problem
        return [nodes.raw("", svg, format="html")]

    def numbers(self, drawn: str) -> tuple[str, Mapping[object, Any]]:
        """Return what the option `chart` draws: a title, and numbers by label."""
        command = " ".join(self.arguments[0].split())
        if drawn.startswith("table "):
            name, _, listed = drawn.removeprefix("table ").partition(":")
            table = answered(command).table(name.strip())
            *labels, numbers = map(table.cells, listed.split())
            rows = (" ".join(map(str, row)) for row in zip(*labels, strict=True))
            return command, dict(zip(rows, numbers, strict=True))
        if not re.search(r"(?<![<>!])= *[a-z]", drawn):
            rows = answered(f"dice distribution {shlex.quote(drawn)}").tables[0].rows
            return drawn, {row[0]: row[1] for row in rows}
        chances: dict[object, Any] = {}
        for part in drawn.split(","):
            label, _, name = map(str.strip, part.partition("="))
            rest = 1 - sum(chances.values(), mpq(0))
            chances[label] = answered(command).value(name) if name else rest
        return command, chances


_NARROW, _LABELLED, _LETTER, _FEW, _MANY = 36, 64, 8, 8, 30


def chart(title: str, numbers: Mapping[Any, Any]) -> str:
    """Return a bar chart as SVG; each bar has its label and, as a title, its number.

    A few bars also show their numbers. Of many, those below a hundredth of the longest are omitted.
    """
    longest = max(numbers.values())
    if len(numbers) > _MANY:
        numbers = {label: each for label, each in numbers.items() if each * 100 >= longest}
    is_few = len(numbers) <= _FEW
    wide = max(
        _LABELLED if is_few else _NARROW, *(_LETTER * len(str(label)) + 12 for label in numbers)
    )
    bars = ""
    for place, (label, each) in enumerate(numbers.items()):
        high, middle = round(100 * each / longest), wide * place + wide // 2
        shown = percent(each) if longest <= 1 else significant(each, 4)
        side = max(_NARROW, wide // 2) // 2 - 3
        bars += (
            f'<rect x="{middle - side}" y="{100 - high}" width="{2 * side}" height="{high}">'
            f"<title>{escape(str(label))}: {shown}</title></rect>"
            f'<text x="{middle}" y="116">{escape(str(label))}</text>'
        )
        if is_few:
            bars += f'<text x="{middle}" y="{95 - high}">{shown}</text>'
    top = 16 if is_few else 0
    return (
        '<svg class="bars" role="img" preserveAspectRatio="xMinYMid" '
        f'viewBox="0 {-top} {max(wide * len(numbers), 240)} {120 + top}" '
        f'aria-label="Bar chart: {escape(title)}">{bars}</svg>'
    )


def percent(chance: mpq) -> str:
    return f"{significant(100 * chance, 3)} %"


class bars:  # noqa: N801 - called like a function in code cells
    """A bar chart of a distribution, or of numbers by label, that a notebook shows."""

    def __init__(self, drawn: Any) -> None:
        self.numbers = drawn.probabilities() if hasattr(drawn, "probabilities") else drawn

    def _repr_html_(self) -> str:
        return chart("distribution", self.numbers)


def _runnable(command: str) -> nodes.Node:
    """Return the place for the button that runs a command; see ``play/here.js``."""
    return nodes.raw(
        "", f'<div class="run-here" data-run="{escape(command)}"></div>', format="html"
    )


class _Refused(SphinxDirective):
    """A command with an error."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        command = " ".join(self.arguments[0].split())
        try:
            ask(command)
        except ExactDiceError as problem:
            return [_console(f"$ exactdice {command}\nexactdice: {problem}")]
        raise self.error(f"refused: exactdice {command} has an answer")


def _console(content: str) -> nodes.Node:
    return nodes.literal_block(content, content, language="text")  # quotes are no shell


class _Checked(SphinxRole):
    """A role that looks up its text; if it does not exist, the error has its place."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        try:
            return [self.made()], []
        except ExactDiceError as problem:
            message = self.inliner.reporter.error(f"{self.name}: {problem}", line=self.lineno)
            return [self.inliner.problematic(self.rawtext, self.rawtext, message)], [message]

    def made(self) -> nodes.Node:
        raise NotImplementedError

    def linked(self, page: str, shown: str) -> nodes.Node:
        found = addnodes.pending_xref(
            "",
            nodes.literal("", shown, classes=["xref"]),
            refdomain="std",
            reftype="doc",
            refexplicit=True,
            refwarn=True,
            reftarget=f"/{page}",
            refdoc=self.env.docname,
        )
        self.set_source_info(found)
        return found


class _Quantity(_Checked):
    """A named number of an answer, rounded to ten digits."""

    def made(self) -> nodes.Node:
        value = self.value()
        if isinstance(value, Enclosure):
            return nodes.Text(str(value))
        is_number = not isinstance(value, bool | str | tuple | int) and value is not None
        return nodes.Text(significant(value, _DIGITS) if is_number else str(value))

    def value(self) -> object:
        command, colon, name = self.text.rpartition(" : ")
        if not colon:
            raise InputError(
                self.name, self.text, "a command and a name, for example risk win 4 2 : value"
            )
        return answered(command).value(name)


class _Exact(_Quantity):
    """A named number of an answer, as a fraction."""

    def made(self) -> nodes.Node:
        return nodes.literal("", text(self.value()))


class _Claim(_Checked):
    """A link to the page of a claim."""

    def made(self) -> nodes.Node:
        return self.linked(f"claims/{claim_named(self.text).id}", self.text)


class _Verdict(_Checked):
    """The verdict of a claim's certificate."""

    def made(self) -> nodes.Node:
        return nodes.Text(verdict_of(claim_named(self.text).id))


class _Question(_Checked):
    """A link to the page of a question."""

    def made(self) -> nodes.Node:
        command = question_class(self.text).command
        return self.linked(f"questions/{slug(command)}", f"exactdice {command}")


class _FigurePage(_Checked):
    """A link to a figure of the gallery."""

    def made(self) -> nodes.Node:
        return self.linked("figures/index", figure_named(self.text).name)


def check_command(line: str) -> None:
    """Parse a command line without running it.

    Raises
    ------
    ExactDiceError
        If the command is not valid.
    """
    words = shlex.split(line, comments=True)[1:]
    if not words or words[0].startswith("-"):
        return
    try:
        with redirect_stdout(io.StringIO()):  # --help prints
            _read(words)
    except click.exceptions.Exit:  # --help
        return
    except click.UsageError as problem:
        raise ConflictError(f"{line}:", problem.format_message()) from problem


def _read(words: list[str]) -> None:
    name = next((job for job in JOBS if job.split() == words[: len(job.split())]), "")
    if name:
        job = importlib.import_module(f"exactdice.cli.{name.split()[-1]}").command
        rest = words[len(name.split()) :]
        while isinstance(job, click.Group):
            with job.make_context(name, list(rest)) as context:
                name, job, rest = job.resolve_command(context, rest)
        job.make_context(name, rest)
        return
    found = classes(words[0]) if words[0] in ROOMS else ()
    alone = [one.command for one in found] == [words[0]]
    command = words[0] if alone else " ".join(words[:2])
    rest = words[len(command.split()) :]
    with answering(question_class(command)).make_context(command, rest) as context:
        question_class(command)(**given_fields(question_class(command), context.params))


def _first_command(line: str) -> list[str]:
    """Return the words of a line before a pipe or redirection that is not in quotation marks."""
    reader = shlex.shlex(line, posix=True, punctuation_chars="|>&;")
    reader.whitespace_split = True
    return list(itertools.takewhile(lambda word: word[:1] not in "|>&;", reader))


class _Commands(SphinxTransform):
    """Check the commands in shell blocks."""

    default_priority = 400

    def apply(self, **_: object) -> None:
        for block in self.document.findall(nodes.literal_block):
            if block.get("language") not in ("sh", "bash"):
                continue
            for line in block.astext().replace("\\\n", " ").splitlines():
                if re.match(r"(\S*/)?exactdice ", line.strip()):
                    try:
                        check_command(shlex.join(_first_command(line)))
                    except (ExactDiceError, ValueError) as problem:
                        _LOG.warning("command: %s", problem, location=block)


class _Table(Directive):
    """A table that can be sorted and searched in the browser, written by `browser.table`."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        return [nodes.raw("", "\n".join(self.content), format="html")]


def register(app: Sphinx) -> None:
    """Add directives, roles and checks."""
    app.add_directive("answer", _Answer)
    app.add_directive("refused", _Refused)
    app.add_directive("html-table", _Table)
    for name, role in {
        "quantity": _Quantity,
        "exact": _Exact,
        "claim": _Claim,
        "verdict": _Verdict,
        "question": _Question,
        "figure-page": _FigurePage,
    }.items():
        app.add_role(name, role())
    app.add_transform(_Commands)
