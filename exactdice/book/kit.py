"""The kit for a write-up: tables, a figure, certificate and citation of a game, with a README.

All files are made from one answer. The README names the command that writes each of them again.
"""

import csv
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from importlib.resources import files as files_of
from pathlib import Path
from typing import Any

from exactdice import __version__
from exactdice.arithmetic import mpq
from exactdice.book.asks import grid_report
from exactdice.book.page import PageAnswer, Variant
from exactdice.book.questions import Book, policy_text
from exactdice.claims.certificates import checkout
from exactdice.errors import InputError, TooLargeError
from exactdice.hidden.reports import bracket_report
from exactdice.linked import linked
from exactdice.models import ModelError
from exactdice.origin import commit
from exactdice.report.eyes import headline
from exactdice.report.latex import latex_cell
from exactdice.report.model import Report, Table, exact, text_column
from exactdice.report.writers import Format, render, rendered_files
from exactdice.run import Run
from exactdice.solve.reports import MOST_LISTED

Files = dict[str, str | bytes]

# The checker of a certificate, by its first word.
_CHECKERS = {"exactdice-certificate": "certificate_check.py"}
_CHECKERS |= {"exactdice-average": "average_check.py", "exactdice": "equilibrium_check.py"}

_FIGURE = r"\begin{figure}\centering\includegraphics{figure.pdf}\caption{%s}\end{figure}"
_CHECK = """\
The certificate lists the game and proves %s. The check needs only Python:

```sh
python3 -I -S %s value.cert
```"""


def kit_files(asked: Book, report: Report, variant: Variant, answer: PageAnswer, run: Run) -> Files:
    """Return the files of a kit by their names; `report` is the answer of the command."""
    made = _rules(asked.name or "")
    rows, parts = [f"| `{name}` | rules | |" for name in made], [r"\input{value}"]
    name = Path(asked.name or "").name if made else asked.name
    here = replace(asked, name=name, kit=None, x=None, y=None, policy=None, certificate=None)
    facts = [fact for fact in report.quantities if fact.column.name in ("others", "sha256")]

    def add(files: Mapping[str, str | bytes], content: str, command: str = "") -> None:
        made.update(files)
        names = ", ".join(f"`{name}`" for name in files)
        rows.append(f"| {names} | {content} | {command and f'`exactdice {command}`'} |")

    def told(report: Report, question: Book) -> Report:
        made_by = replace(report.provenance, command=f"exactdice {question}")
        return replace(report, provenance=made_by)

    report = told(report, here)
    add(rendered_files(report, Format.CSV, "value"), "value", f"{here} -o value.csv")
    add({"value.tex": render(report, Format.LATEX)}, "value", f"{here} -o value.tex")
    if asked.ask == "total" and not asked.infinite:
        policy, command = policy_text(variant, answer), replace(here, policy=Path("policy.csv"))
        add({"policy.csv": policy}, "optimal actions and values", str(command))
        listed = told(_listed(answer, policy), here)
        add({"policy.tex": render(listed, Format.LATEX)}, "the same")
        parts += [r"\input{policy}"] * (policy.count("\n") <= MOST_LISTED)
        figure, shown, drawn = _drawn(asked, answer, run)
        if drawn is None:
            add({}, "no figure: states are not tuples of integers, and totals cannot be listed")
        else:
            question = replace(here, **shown)
            drawn = told(replace(drawn, quantities=[*drawn.quantities, *facts]), question)
            plot = f"plot {figure} {str(question).partition(' ')[2]} -o figure"
            for kind in ("pdf", "png", "svg"):
                picture = linked("exactdice.jobs.plots:figure_named")(figure).picture(drawn, kind)
                add({f"figure.{kind}": picture}, "figure", f"{plot}.{kind}")
            add(rendered_files(drawn, Format.CSV, "figure"), "numbers of the figure")
            parts.append(_FIGURE % latex_cell(drawn.title))
    check = "This question has no certificate."
    if answer.proof is not None:
        proof, command = answer.proof(), replace(here, certificate=Path("value.cert"))
        checker = _CHECKERS[str(proof).split(maxsplit=1)[0]]
        add({"value.cert": proof}, "certificate", str(command))
        add({checker: (checkout() / "proofs" / checker).read_bytes()}, "its checker")
        what = "2p − 1 for this probability p" if variant.wins or answer.wins else "the value"
        what = "the best response to the others' policies" if answer.perfect else what
        check = _CHECK % (what, checker)
    add({}, "BibTeX entry `cite.bib`, and `article.tex`, which includes the tables and the figure")
    big, meaning, whole = headline(report)
    note = "; ".join([report.provenance.command, *(f"{q.column.meaning} {q.value}" for q in facts)])
    said = {"title": report.title, "value": f"{meaning}: {big}, exactly {whole}", "check": check}
    said |= {"version": __version__, "commit": commit(), "note": latex_cell(note)}
    said |= {"rows": "\n".join(rows), "parts": "\n".join(parts)}
    texts = files_of("exactdice.book").joinpath("kit.txt").read_text("utf-8")
    for name, text in re.findall(r"^= (\S+)\n((?:[^=].*\n|\n)*)", texts, re.MULTILINE):
        made[name] = re.sub(r"@(\w+)@", lambda word: said[word[1]], text)
    return made


def _rules(name: str) -> Files:
    """Return the file of the rules and the modules of its folder that it has imported."""
    if not name.endswith(".py"):
        return {}
    path, home = Path(name), Path(name).resolve().parent
    files: Files = {path.name: path.read_bytes()}
    for module, made in [*sys.modules.items()]:
        inner, place = module.replace(".", "/"), getattr(made, "__file__", None)
        for file in (f"{inner}.py", f"{inner}/__init__.py"):
            if place == str(home / file) and not module.startswith("exactdice"):
                files[file] = Path(place).read_bytes()
    return files


def _listed(answer: PageAnswer, policy: str) -> Report:
    """Return the policy as a report, of the columns of its CSV."""
    if answer.bracket is not None:
        return replace(bracket_report(answer.bracket, MOST_LISTED), quantities=())
    headings, *rows = csv.reader(policy.splitlines())
    columns, cells = [], []
    for name, *written in zip(headings, *rows, strict=True):
        if name.startswith("value"):  # a decimal follows
            columns.append(exact(name, name))
            cells.append([mpq(number) for number in written])
        elif name[:7] != "decimal" and (name in ("state", "best") or len({*written}) > 1):
            columns.append(text_column(name, name))
            cells.append(written)
    title, listed = "Optimal actions", [*zip(*cells, strict=True)]
    return Report.of(title, {}, Table("policy", title, columns, listed))


def _drawn(asked: Book, answer: PageAnswer, run: Run) -> tuple[str, dict[str, Any], Report | None]:
    """Return a figure's name, its options and its report, None without a figure."""
    x, y = (0, 1) if asked.x is None or asked.y is None else (asked.x, asked.y)
    with suppress(*[InputError] * (asked.x is None)):
        return "policy", {"x": x, "y": y}, grid_report(answer, x, y)
    law = None
    with suppress(ModelError, TooLargeError):  # rewards that may be means
        law = answer.law(run) if answer.law is not None else None
    return "total", {"distribution": True}, law if law and law.tables else None
