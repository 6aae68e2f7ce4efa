"""The tables of `exactdice project tables`, and the book of dice as a data set.

``tables.txt`` lists the tables with their questions. `BOOK` lists the variants of the book:
``GAME/VARIANT.json`` and ``.txt`` contain the answer with rules, sources and verdicts; for at most
`MOST_STATES` states, ``.policy.csv`` contains the best choices and values of all states and
``.certificate`` the certificate. ``index.csv`` has a row a variant. The folder's manifest gives for
each file its SHA-256, its question, and the code that made it.
"""

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

from exactdice.arithmetic import significant, text
from exactdice.book import PAGES
from exactdice.book.questions import answer_report, policy_text
from exactdice.enclosure import Enclosure
from exactdice.report.model import Provenance
from exactdice.report.readers import read_json
from exactdice.report.writers import Format, render, rendered_files
from exactdice.rooms import ask, question
from exactdice.run import DEFAULT, Run

FORMATS = (Format.TEXT, Format.CSV, Format.JSON, Format.LATEX)


@dataclass(frozen=True)
class Entry:
    name: str  # ``game/table``, its path without a suffix
    question: str  # a command without the program's name

    def files(self, digits: int = 10, run: Run = DEFAULT) -> Iterator[tuple[str, str | bytes]]:
        report = ask(self.question, run)
        for output_format in FORMATS:
            yield from rendered_files(report, output_format, self.name, digits=digits).items()

    def may_have(self, file_name: str) -> bool:
        """Whether a file may belong to this entry, by its name."""
        name, _, suffix = file_name.rpartition(".")
        is_table = f".{suffix}" == Format.CSV.suffix and name.startswith(f"{self.name}-")
        return is_table or file_name in (self.name + form.suffix for form in FORMATS)


def _listed() -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
    text = resources.files("exactdice.jobs").joinpath("tables.txt").read_text(encoding="utf-8")
    usual: list[Entry] = []
    long: list[Entry] = []
    place = usual
    for line in text.splitlines():
        if line == "long:":
            place = long
        elif line and not line.startswith("#"):
            name, _, asked = line.partition(": ")
            place.append(Entry(name, asked))
    return tuple(usual), tuple(long)


#: The usual tables, in the order in which they are written, and those that take minutes.
CATALOGUE, LONG = _listed()


#: Number of states above which a file of all of them is too large.
MOST_STATES = 30_000

INDEX = "index.csv"

_POLICY, _PROOF = ".policy.csv", ".certificate"


class Opened(Entry):
    def files(self, digits: int = 10, run: Run = DEFAULT) -> Iterator[tuple[str, str | bytes]]:
        game, _, name = self.name.partition("/")
        variant = PAGES[game].variant(name)
        answer = variant.answer(run)
        report = answer_report(PAGES[game], variant, answer)
        report = replace(report, provenance=Provenance(f"exactdice {question(self.question)}"))
        for form in (Format.JSON, Format.TEXT):
            yield self.name + form.suffix, render(report, form, digits)
        if (answer.listed or answer.bracket) and answer.states <= MOST_STATES:
            yield self.name + _POLICY, policy_text(variant, answer)
        if answer.proof and answer.states <= MOST_STATES:
            yield self.name + _PROOF, answer.proof()

    def may_have(self, file_name: str) -> bool:
        ends = (Format.JSON.suffix, Format.TEXT.suffix, _POLICY, _PROOF)
        return file_name in (self.name + end for end in ends)


BOOK = tuple(
    Opened(f"{page.name}/{name}", f"book {page.name} --variant {name}")
    for page in PAGES.values()
    for name in page.variants
)


def index(folder: Path, entries: Iterable[Entry]) -> str:
    lines = io.StringIO()
    rows = csv.writer(lines, lineterminator="\n")
    rows.writerow(["game", "variant", "lower", "upper", "decimal", "verdict", "rules"])
    for entry in entries:
        path = folder / (entry.name + Format.JSON.suffix)
        if path.is_file():
            report = read_json(path.read_text(encoding="utf-8"))
            value = Enclosure.of(report.value("value"))  # type: ignore[arg-type]
            said = [report.value("verdict"), report.value("rules")]
            ends = [text(value.lower), text(value.upper), significant(value.middle, 12)]
            rows.writerow([*entry.name.split("/"), *ends, *said])
    return lines.getvalue()
