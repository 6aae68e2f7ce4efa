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
from exactdice.book.asks import grid_report
from exactdice.book.page import PageAnswer, Variant
from exactdice.book.questions import Book, policy_text
from exactdice.claims.certificates import checkout
from exactdice.errors import InputError, TooLargeError
from exactdice.linked import linked
from exactdice.models import ModelError
from exactdice.origin import commit
from exactdice.report.eyes import first_number
from exactdice.report.latex import latex_cell
from exactdice.report.model import Report, Table, text_column
from exactdice.report.writers import Format, render, rendered_files
from exactdice.run import Run
from exactdice.solve.reports import MOST_LISTED

Files = dict[str, str | bytes]


def kit_files(asked: Book, report: Report, variant: Variant, answer: PageAnswer, run: Run) -> Files:
    """Return the files of a kit by their names; `report` is the answer of the command."""
    made = _rules(asked.name or "")
    rows = [f"| `{name}` | rules | |" for name in made]
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
        if policy.count("\n") <= MOST_LISTED:
            add(
                {"policy.tex": render(told(_listed(policy), here), Format.LATEX)},
                "without fractions",
            )
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
    said = dict(zip(("big", "meaning", "whole"), first_number(report), strict=True))
    said |= {"title": report.title, "version": __version__, "commit": commit()}
    of_facts = [f"{fact.column.meaning} {fact.value}" for fact in facts]
    said["note"] = latex_cell("; ".join([report.provenance.command, *of_facts]))
    texts = files_of("exactdice.book").joinpath("kit.txt").read_text("utf-8")
    text = dict(re.findall(r"^= (\S+)\n((?:[^=\n].*\n|\n)*)", texts, re.MULTILINE))

    def filled(name: str) -> str:
        return re.sub(r"@(\w+)@", lambda word: said[word[1]], text[name])

    said["check"] = "This question has no certificate."
    if answer.proof is not None:
        proof, command = answer.proof(), replace(here, certificate=Path("value.cert"))
        checker = f"{re.split('[- ]', str(proof), maxsplit=2)[1]}_check.py"
        add({"value.cert": proof}, "certificate", str(command))
        add({checker: (checkout() / "proofs" / checker).read_bytes()}, "its checker")
        wins = variant.wins or answer.wins
        proved = "2p − 1 for this probability p" if wins else "the value"
        proved = "the best response to the others' policies" if answer.perfect else proved
        said |= {"checker": checker, "proved": proved}
        said["check"] = filled("checked")
    said["rows"] = "\n".join(rows)
    return made | {name: filled(name) for name in text if "." in name}


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


def _listed(policy: str) -> Report:
    """Return the policy as a report, of decimals and without fractions."""
    headings, *rows = csv.reader(policy.splitlines())
    shown = [place for place, name in enumerate(headings) if not name.startswith("value")]
    columns = [text_column(headings[place], headings[place]) for place in shown]
    cells = [[row[place] for place in shown] for row in rows]
    return Report.of("Optimal actions", {}, Table("policy", "Optimal actions", columns, cells))


def _drawn(asked: Book, answer: PageAnswer, run: Run) -> tuple[str, dict[str, Any], Report | None]:
    """Return a figure's name, its options and its report, None without a figure."""
    x, y = (0, 1) if asked.x is None or asked.y is None else (asked.x, asked.y)
    with suppress(*[InputError] * (asked.x is None)):
        return "policy", {"x": x, "y": y}, grid_report(answer, x, y)
    law = None
    with suppress(ModelError, TooLargeError):  # rewards that may be means
        law = answer.law(run) if answer.law is not None else None
    return "total", {"distribution": True}, law if law and law.tables else None
