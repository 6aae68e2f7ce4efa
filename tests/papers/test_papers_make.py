"""Papers: numbers, tables and files, compared with the committed ones, and their stored data."""

import hashlib
import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from gmpy2 import mpq
from printed import POSTS_WIN

from exactdice.errors import OutputError
from exactdice.report.model import (
    Provenance,
    Quantity,
    Report,
    Table,
    exact,
    listing,
    text_column,
    whole,
)
from exactdice.report.writers import Format, render
from papers.make import __main__ as made
from papers.make import farkle, farkle_opponent, fatestones, reroll, risk, sheets, swe
from papers.make.__main__ import main
from papers.make.sheets import Macros, Sources, paper_table, worked
from papers.make.stored import BOOK, SOURCES, StoredData

PAPERS = Path(__file__).parents[2] / "papers"


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("papers")
    assert main(["--only", "risk", "--no-pdf", "--folder", str(folder)]) == 0
    return folder


@pytest.mark.slow
def test_data_and_figures_of_a_paper_are_written(written):
    numbers = (written / "generated/risk/numbers.tex").read_text(encoding="utf-8")
    assert rf"\newcommand{{\TheWinFourTwo}}{{\ensuremath{{{POSTS_WIN}}}}}" in numbers
    assert (written / "figures/risk-win.pdf").read_bytes().startswith(b"%PDF")
    assert (written / "generated/risk/risk-win-cells.csv").exists()


@pytest.mark.slow
def test_the_edition_names_version_and_day(written):
    edition = (written / "figures/edition.tex").read_text(encoding="utf-8")
    assert re.search(r"\\edition\}\{exactdice \d+\.\d+\.\d+, commit ", edition)
    assert re.search(r"\\editionday\}\{\d{4}-\d\d-\d\d\}", edition)


def test_data_name_no_commit(written):
    for path in (written / "generated").rglob("*.*"):
        assert "commit" not in path.read_text(encoding="utf-8"), path


@pytest.mark.slow
@pytest.mark.parametrize("paper", [
    "risk", "reroll", pytest.param("fatestones", marks=pytest.mark.long),
    pytest.param("farkle", marks=pytest.mark.long), pytest.param("method", marks=pytest.mark.long),
    pytest.param("swe", marks=pytest.mark.long)
])  # fmt: skip
def test_committed_files_are_those_that_are_computed(paper, capsys):
    assert main(["--check", "--only", paper, "--folder", str(PAPERS)]) == 0
    assert "is what the mathematics gives" in capsys.readouterr().out


@pytest.mark.slow
def test_a_stale_missing_or_superfluous_file_fails_the_check(written, tmp_path, capsys):
    folder = tmp_path / "papers"
    shutil.copytree(written, folder)
    generated = folder / "generated/risk"
    with (generated / "wins.tex").open("a", encoding="utf-8") as stream:
        stream.write("% touched\n")
    (generated / "even.tex").unlink()
    (generated / "old.tex").write_text("", encoding="utf-8")
    assert main(["--check", "--only", "risk", "--folder", str(folder)]) == 1
    complaint = capsys.readouterr().err
    assert "risk/wins.tex differs" in complaint
    assert "risk/even.tex is missing" in complaint
    assert "old.tex is no longer made" in complaint


def edited(folder, change):
    manifest = folder / "MANIFEST.json"
    content = json.loads(manifest.read_text(encoding="utf-8"))
    change(content["files"])
    manifest.write_text(json.dumps(content), encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(("change", "complaint"), [
    (lambda folder: edited(folder, lambda files: files.pop("risk/wins.tex")),
     "risk/wins.tex is not in MANIFEST.json"),
    (lambda folder: edited(folder, lambda files: files.update({"risk/wins.tex": "0" * 64})),
     "risk/wins.tex is not the file of its hash"),
    (lambda folder: edited(folder, lambda files: files.update({"swe/old.tex": "0" * 64})),
     "swe/old.tex of MANIFEST.json is missing"),
    (lambda folder: (folder / "MANIFEST.json").write_text("{"), "MANIFEST.json is missing or"),
    (lambda folder: (folder / "stray.tex").write_text(""), "stray.tex belongs to no paper"),
    (lambda folder: (folder / "risk/deep").mkdir() or (folder / "risk/deep/a").write_text(""),
     "risk/deep/a is not in MANIFEST.json"),
])  # fmt: skip
def test_an_edited_manifest_and_a_stray_file_fail_the_check(
    written, tmp_path, capsys, change, complaint
):
    folder = tmp_path / "papers"
    shutil.copytree(written, folder)
    change(folder / "generated")
    assert main(["--check", "--only", "risk", "--folder", str(folder)]) == 1
    assert complaint in capsys.readouterr().err


@pytest.mark.parametrize(("words", "message"), [
    (["--only", "chess"], "only: got 'chess'; expected one of risk, roll, reroll"),
    (["--folder", "nowhere"], "folder: got 'nowhere'; expected the folder papers of a checkout")
])  # fmt: skip
def test_a_mistake_costs_one_line_of_the_papers_command(
    words, message, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    assert main([*words]) == 2
    assert message in capsys.readouterr().err


def test_a_folder_with_other_files_stays_unchanged(tmp_path, capsys):
    (tmp_path / "generated").mkdir()
    (tmp_path / "generated/mine.txt").write_text("mine", encoding="utf-8")
    words = ["--only", "risk", "--no-pdf", "--folder", str(tmp_path)]
    assert main(words) == 2
    assert "holds mine.txt, not written by exactdice" in capsys.readouterr().err


def test_missing_latex_is_one_line_with_what_to_install(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["--only", "risk", "--folder", str(tmp_path)]) == 2
    complaint = capsys.readouterr().err
    assert "the papers need latexmk: on Debian: apt install latexmk" in complaint
    assert not list(tmp_path.iterdir())


def fake_latex(folder, status):
    for program in ("latexmk", "pdflatex", "bibtex"):
        path = folder / program
        path.write_text(f"#!/bin/sh\necho ran $0\nexit {status}\n", encoding="utf-8")
        path.chmod(0o755)


@pytest.mark.slow
def test_papers_are_typeset_after_their_data(written, tmp_path, monkeypatch, capsys):
    fake_latex(tmp_path, 0)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    assert main(["--only", "risk", "--folder", str(written)]) == 0
    assert "risk.pdf" in capsys.readouterr().out


def test_a_paper_with_a_latex_error_names_its_log(tmp_path, monkeypatch, capsys):
    fake_latex(tmp_path, 12)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    source = tmp_path / "risk/risk.tex"
    with pytest.raises(made.OutputError, match=r"risk\.log"):
        made._typeset(source)
    assert "ran" in capsys.readouterr().err


HOME = Path(__file__).parents[2] / "papers"
STORED = StoredData(HOME / "data")


def committed(paper, file):
    return (HOME / "generated" / paper / file).read_text(encoding="utf-8")


def rows(content):
    return {line for line in content.splitlines() if " & " in line}


def macros(content):
    return re.findall(r"\\newcommand\{\\(\w+)\}", content)


@pytest.mark.slow
@pytest.mark.parametrize(
    "paper", [fatestones.PAPER, reroll.PAPER, risk.PAPER], ids=lambda paper: paper.name
)
def test_papers_as_committed(paper):
    files = paper.files(STORED)
    for name, content in files.items():
        assert content == committed(*name.split("/"))


@pytest.mark.slow
def test_farkle_with_four_named_dice_and_one_set(monkeypatch):
    named = ["fair", "weighted", "favourable", "devils-head"]
    monkeypatch.setattr(farkle, "_names", lambda _sources: named)
    monkeypatch.setattr(farkle, "_SETS", ("fair*6",))
    monkeypatch.setattr(farkle_opponent, "_SCORES", ("0,0",))
    files = farkle.PAPER.files(STORED)
    for file in ("thresholds.tex", "readme.tex", "best.tex"):
        assert files[f"farkle/{file}"] == committed("farkle", file)
    for file in ("dice.tex", "sets.tex", "looking.tex"):
        made = rows(files[f"farkle/{file}"])
        assert len(made) >= 2
        assert made <= rows(committed("farkle", file))
    assert files["farkle/numbers.tex"] == committed("farkle", "numbers.tex")


@pytest.mark.slow
def test_swe_with_shorter_games(monkeypatch):
    monkeypatch.setattr(swe, "_LONGEST", 14)
    monkeypatch.setattr(swe, "_DIRECTIONS", "swe policy 8")
    monkeypatch.setattr(swe, "_MEANS", swe._MEANS.replace("100", "30"))
    files = swe.PAPER.files(STORED)
    differing = rows(files["swe/values.tex"]) ^ rows(committed("swe", "values.tex"))
    assert sorted(row.split(" & ")[0] for row in differing) == ["$14$", "$30$"]
    assert macros(files["swe/numbers.tex"]) == macros(committed("swe", "numbers.tex"))
    for name in ("ValueTen", "FirstBetter", "PromoNewMost"):
        (line,) = (n for n in files["swe/numbers.tex"].splitlines() if f"\\The{name}}}" in n)
        assert line in committed("swe", "numbers.tex")


def test_dice_with_actions_that_depend_on_the_score_are_counted(monkeypatch):
    # Rows made up here: twice creating is for low scores, once for high ones, and once for both.
    create, promote = ("create d4",), ("promote d4",)
    ends = [(create, promote), (create, promote), (promote, create), (create, create)]
    rows = [
        (now, (1, 0), (0, 0), 7 * place, action)
        for now, actions in enumerate(ends, 1)
        for place, action in enumerate(actions)
    ]
    rows.append((9, (0, 0), (1, 0), 0, ("fix d4",)))
    kinds = {"round": whole, "revenue": listing, "legacy": listing, "low": whole}
    columns = [kind(name, name) for name, kind in (kinds | {"optimal": listing}).items()]
    value = Quantity(exact("value", "value"), mpq(1))
    made_up = Report("t", [value], [Table("states", "t", columns, rows)])
    sources = Sources()
    monkeypatch.setattr(sources, "ask", lambda _: made_up)
    made = sheets.Macros(sources)
    swe._add_directions(made)
    for name, number in (("CreatePoor", 2), ("CreateRich", 1)):
        assert f"\\newcommand{{\\The{name}}}{{\\ensuremath{{{number}}}}}" in made.content()


def test_the_numbers_of_the_swe_claims_as_committed():
    made = sheets.Macros(Sources(STORED))
    swe._add_claims(made)
    assert set(made.content().splitlines()) <= set(committed("swe", "numbers.tex").splitlines())


def test_the_stored_claims_of_long_games_agree_with_those_of_shorter_ones():
    # The smallest counterexample is in a game of six rounds, so eight rounds show it as well.
    claim = {"claim": "promote the lowest", "on_path": False}
    shorter, stored = Sources(STORED).ask("swe claims 8"), Sources(STORED).ask(swe._CLAIMS)
    for column in shorter.table("counterexamples").columns:
        cells = [
            answer.table("counterexamples").cell(column.name, **claim)
            for answer in (shorter, stored)
        ]
        assert cells[0] == cells[1], column.name


@pytest.mark.parametrize("change", [lambda value: 2 * value, lambda value: value / 2])
def test_an_implausible_stored_value_is_rejected(change):
    # The optimum rises weakly with the rounds and stays below a bound: theorem 18 of the proofs.
    values = {70: mpq(366), 80: mpq(457), 100: mpq(661)}
    swe._require_plausible(values)
    with pytest.raises(AssertionError, match="cannot be right"):
        swe._require_plausible(values | {80: change(mpq(457))})


def test_the_optimum_of_a_hundred_rounds_is_in_the_interval_of_another_solver():
    # By the solver that compares all fixes in all states, exactdice.native.swe.solve(100,
    # intervals=True, memory_limit=None), in 73 minutes, at commit 8560ff6d51.
    lower, upper = mpq(90834677752265, 2**37), mpq(726677422018291, 2**40)
    assert lower <= STORED.answer("swe enclosure 100 --exact").value("value") <= upper


def test_stored_values_of_another_game_are_rejected(monkeypatch):
    sources = Sources(STORED)
    genuine, solved = sources.ask, "swe values 3"

    def on_another_ladder(command):
        return genuine(f"{solved} --ladder 6,8" if command == solved else command)

    monkeypatch.setattr(swe, "_LONGEST", 3)
    monkeypatch.setattr(sources, "ask", on_another_ladder)
    with pytest.raises(AssertionError, match="not those of this game"):
        swe._values(sources)


@pytest.mark.slow
def test_a_census_of_another_game_is_rejected():
    census = STORED.answer("fatestones census")
    edge = next(q for q in census.quantities if q.column.name == "best_response_edge")
    others = [q for q in census.quantities if q is not edge]
    changed = replace(census, quantities=[replace(edge, value=edge.value / 2), *others])

    class OtherCensus(StoredData):
        def answer(self, asked):
            return changed if asked == "fatestones census" else None

    with pytest.raises(AssertionError, match="another game"):
        fatestones.PAPER.files(OtherCensus(HOME))


def test_no_rolls_are_named_none():
    assert reroll._named({}).text == r"\text{none}"


#: By enumeration of one die against one: 15 of 36 rolls cost the defender a unit.
WIN_ONE = mpq(15, 36)


@pytest.fixture
def sources():
    return Sources()


def test_macros_hold_exact_rounded_cut_and_grouped_numbers(sources):
    macros = Macros(sources)
    value = macros.source("risk win 2 1").value("value")
    assert value == WIN_ONE
    macros.add("Exact", sheets.exact(value))
    macros.add("Rounded", sheets.decimal(value, 3))  # 0.41666… rounds up
    macros.add("Cut", sheets.cut(value, 3))  # and is cut off to 0.416
    macros.percent("Part", value)
    macros.add("Large", sheets.whole(worked(1234567, value)))
    macros.add("Small", sheets.whole(worked(9999, value)))
    macros.asked("Attackers", 2)
    assert macros.content().splitlines()[1:] == [
        "% exactdice risk win 2 1", r"\newcommand{\TheExact}{\ensuremath{5/12}}",
        r"\newcommand{\TheRounded}{\ensuremath{0.417}}",
        r"\newcommand{\TheCut}{\ensuremath{0.416}}", r"\newcommand{\ThePart}{41.7\,\%}",
        r"\newcommand{\TheLarge}{\ensuremath{1\,234\,567}}",
        r"\newcommand{\TheSmall}{\ensuremath{9999}}", r"\newcommand{\TheAttackers}{\ensuremath{2}}"
    ]  # fmt: skip


def test_a_number_missing_in_the_cited_answer_is_rejected(sources):
    macros = Macros(sources)
    macros.source("risk win 4 2")
    with pytest.raises(ValueError, match="is in none of the cited answers"):
        macros.add("Invented", sheets.exact(WIN_ONE))
    with pytest.raises(ValueError, match="is in none of the cited answers"):
        macros.percent("Invented", worked(mpq(1, 2), WIN_ONE))
    with pytest.raises(ValueError, match="is not in the question"):
        macros.asked("Armies", 12)
    macros.source("risk win 2 1")
    macros.add("Now", sheets.exact(WIN_ONE))
    macros.source("risk win 4 2", more=True)
    macros.add("Still", sheets.exact(WIN_ONE))


@pytest.mark.parametrize("name", ["Two2", "", "Value"])
def test_a_macro_needs_a_fresh_name_of_letters(name, sources):
    macros = Macros(sources)
    value = macros.source("risk win 2 1").value("value")
    macros.add("Value", sheets.exact(value))
    with pytest.raises(ValueError, match="letters that is not yet used"):
        macros.add(name, sheets.exact(value))


def test_a_table_has_its_caption_label_and_questions(sources):
    columns = [whole("n", "number"), text_column("chance", "chance")]

    def made(rows, command="risk win 2 1 --units total", **options):
        return paper_table("A caption", "short", columns, rows, sources, [command], **options)

    short = made([(1, sheets.exact(WIN_ONE))])
    assert r"\caption{A caption}\label{tab:short}" in short
    assert "$1$ & $5/12$" in short
    assert short.splitlines()[1] == "% exactdice risk win 2 1"
    assert "small" not in short
    assert "\\centering\n\\small\n" in made([(1, sheets.exact(WIN_ONE))], small=True)
    assert "\\begin{tabular}{rl}" in short
    numbers = made([(12345, sheets.decimal(WIN_ONE, 3)), (1, "")])
    assert "\\begin{tabular}{rr}" in numbers  # points are below points
    assert "$12\\,345$ & $0.417$" in numbers
    with pytest.raises(ValueError, match="is in none of the cited answers"):
        made([(1, sheets.exact(WIN_ONE))], "risk win 4 2")


def test_whole_numbers_are_whole():
    with pytest.raises(ValueError, match="is no whole number"):
        sheets.whole(mpq(1, 2))


@pytest.fixture
def folder(tmp_path):
    report = Report("R", [Quantity(exact("v", "value"), mpq(1, 3))], (), Provenance("exactdice x"))
    content = render(report, Format.JSON)
    (tmp_path / "x.json").write_text(content, encoding="utf-8")
    entry = {"command": "exactdice x", "sha256": hashlib.sha256(content.encode()).hexdigest()}
    (tmp_path / SOURCES).write_text(json.dumps({"x.json": entry}), encoding="utf-8")
    return tmp_path


def test_a_stored_report_reads_back_exactly(folder):
    assert StoredData(folder).report("x.json").value("v") == mpq(1, 3)


def test_the_index_of_the_book_comes_from_the_package(folder):
    assert StoredData(folder).answer(BOOK).table("index").rows


def test_a_changed_file_is_rejected_with_its_command(folder):
    with (folder / "x.json").open("a", encoding="utf-8") as stream:
        stream.write(" ")
    with pytest.raises(OutputError, match=r"checksum; make it again: exactdice x --format json"):
        StoredData(folder).report("x.json")


def test_an_unlisted_or_missing_file_is_rejected(folder):
    with pytest.raises(OutputError, match="is missing"):
        StoredData(folder).report("y.json")
    (folder / "x.json").unlink()
    with pytest.raises(OutputError, match="is missing"):
        StoredData(folder).report("x.json")


@pytest.mark.parametrize("sources", ["[]", '{"x.json": 3}', '{"x.json": {}}', "[" * 100_000])
def test_a_list_without_the_source_of_a_file_is_rejected(folder, sources):
    (folder / SOURCES).write_text(sources, encoding="utf-8")
    with pytest.raises(OutputError, match="is missing; restore it"):
        StoredData(folder).report("x.json")


def test_a_file_of_another_command_is_rejected(folder):
    sources = json.loads((folder / SOURCES).read_text(encoding="utf-8"))
    sources["x.json"]["command"] = "exactdice y"
    (folder / SOURCES).write_text(json.dumps(sources), encoding="utf-8")
    with pytest.raises(OutputError, match="another command"):
        StoredData(folder).report("x.json")
