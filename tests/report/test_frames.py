"""Files of CSV and Parquet, and data frames, hold what the report holds, to other programs too."""

import io
import json
import re
from types import SimpleNamespace

import pytest
from csv_documents import parsed
from gmpy2 import mpq
from printed import POSTS_WIN

from exactdice.arithmetic import significant
from exactdice.cli import main
from exactdice.dice import Distribution, d, fair, repeat
from exactdice.errors import InputError
from exactdice.formats.explicit import explicit
from exactdice.formats.openspiel import TreeNode
from exactdice.games import farkle, fatestones, reroll, risk, swe
from exactdice.jobs.catalogue import CATALOGUE
from exactdice.models import End, Game, optimum, reward_distribution
from exactdice.report.eyes import WIDTH
from exactdice.report.html import MAX_ROWS
from exactdice.report.interchange import Holds, csv_files, frames
from exactdice.report.model import (
    Formula,
    Quantity,
    Report,
    Table,
    exact,
    flag,
    listing,
    text_column,
    whole,
)
from exactdice.report.notebook import load_ipython_extension
from exactdice.report.readers import read, read_csv, read_json
from exactdice.report.writers import Format, render
from exactdice.rooms import ask
from exactdice.solve.keeping import FreeRerolls
from exactdice.studies.risk.closed_forms import power_sum, winning_chance
from exactdice.symbolic.ehrhart import ehrhart

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pytest.importorskip("pyarrow")

# Those of a few hundredths of a second; the slow test takes all.
_NAMES = ("risk/round", "risk/survivors", "risk/campaign", "reroll/policy-3", "farkle/dice")
_NAMES += ("farkle/rules", "swe/promotion", "fatestones/duel-example", "fatestones/dice-average")
_NAMES += ("symbolic/catastrophe", "reroll/certificate-3-dice")
QUICK = [entry for entry in CATALOGUE if entry.name.startswith(_NAMES)]


def same(cell, wanted, holds):
    """Compare a cell that another program read with that of the report."""
    if cell is None or cell is pandas.NA or cell != cell:
        return wanted is None
    if holds is Holds.DECIMALS:  # ten digits, as they are written
        return abs(cell - float(wanted)) <= 1e-9 * abs(float(wanted))
    if holds is Holds.WHOLES:
        return int(cell) == wanted
    if holds is Holds.FLAGS:
        return cell == wanted
    # Words that are a number's or a flag's where the whole column is so come back as those.
    if isinstance(cell, float):
        return cell == float(wanted)
    return str(cell) == wanted or (str(cell) in ("True", "False") and str(cell).lower() == wanted)


def assert_read(heading, rows, frame):
    assert list(heading) == list(frame.headings)
    rows = list(rows)
    assert len(rows) == len(frame.rows)
    for row, wanted in zip(rows, frame.rows, strict=True):
        for cell, expected, holds in zip(row, wanted, frame.holds, strict=True):
            assert same(cell, expected, holds), (frame.name, cell, expected)


def assert_loads_everywhere(report, **options):
    """What pandas and polars read from the CSV, and their data frames, are the report's cells."""
    files, by_pandas, by_polars = csv_files(report, 10), report.to_pandas(), report.to_polars()
    assert list(by_pandas) == list(by_polars) == list(files)
    for frame in frames(report):
        text = files[frame.name]
        for made in (pandas.read_csv(io.StringIO(text), comment="#"), by_pandas[frame.name]):
            assert_read(made.columns, made.itertuples(index=False, name=None), frame)
        read_back = polars.read_csv(io.BytesIO(text.encode()), comment_prefix="#", **options)
        for made in (read_back, by_polars[frame.name]):
            assert_read(made.columns, made.rows(), frame)
    again = read_json(render(report, Format.JSON))
    assert read_csv(*files.values()) == read_csv(*reversed(files.values())) == again


@pytest.mark.parametrize("entry", QUICK, ids=lambda entry: entry.name)
def test_other_programs_read_the_tables_of_the_main_job(entry):
    report = ask(entry.question)
    assert_loads_everywhere(report)
    for line in render(report, Format.TEXT).splitlines():
        assert len(line) <= WIDTH, line  # characters: a byte is not one


@pytest.mark.long
@pytest.mark.parametrize("entry", [e for e in CATALOGUE if e not in QUICK], ids=lambda e: e.name)
def test_other_programs_read_all_tables_of_the_main_job(entry):
    test_other_programs_read_the_tables_of_the_main_job(entry)


# Cells by which other programs guess a type.
_MIXED = [
    text_column("word", "digits in most rows"), exact("chance", "whole in most rows"),
    whole("count", "too wide in one row"), listing("held", "one entry in most rows"),
    flag("sure", "unknown in one row"),
]  # fmt: skip
_ODD = [('# a, "b"', mpq(1, 2), 10**30, (1, 2), None), ("x", None, None, (), False)]
_ROWS = [("17", mpq(0), 3, (1,), True)] * 200 + _ODD
AWKWARD = Report("Awkward", tables=[Table("mixed", "Mixed", _MIXED, _ROWS)])


# Tried by hand with polars 1.40.1, which gives up on them, and 1.44.2.
IS_OLD = tuple(map(int, polars.__version__.split(".")[:2])) < (1, 44)


@pytest.mark.skipif(IS_OLD, reason="older polars finds no whole numbers over 64 bits")
def test_a_type_is_found_by_whoever_looks_at_all_rows():
    assert_loads_everywhere(AWKWARD, infer_schema_length=None)


@pytest.mark.parametrize("suffix", ["json", "csv", "parquet"])
def test_a_report_of_several_tables_is_read_by_the_name_of_its_output(suffix, tmp_path, capsys):
    path = tmp_path / f"wins.v1.{suffix}"
    assert main(["risk", "table", "4", "3", "--output", str(path)]) == 0
    parts = [""] if suffix == "json" else ["-cells", "-even"]
    names = [f"wins.v1{part}.{suffix}" for part in parts]
    assert sorted(file.name for file in tmp_path.iterdir()) == names
    main(["risk", "table", "4", "3", "--format", "json"])
    assert read(path) == read_json(capsys.readouterr().out)
    alone = read(tmp_path / names[-1])
    assert alone.table("even").rows == read(path).table("even").rows


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_report_of_one_table_is_one_file(suffix, tmp_path):
    path = tmp_path / f"win.{suffix}"
    assert main(["risk", "win", "4", "2", "--output", str(path)]) == 0
    assert main(["risk", "table", "4", "3", "--table", "even", "-o", f"{tmp_path}/t.{suffix}"]) == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == [f"t.{suffix}", f"win.{suffix}"]
    assert str(read(path).value("value")) == POSTS_WIN
    assert [table.name for table in read(tmp_path / f"t.{suffix}").tables] == ["even"]


def test_one_table_is_printed_as_csv_and_several_are_not(capsys):
    assert main(["risk", "table", "4", "3", "--format", "csv"]) == 2
    expected = "--output NAME.csv for one file per table, or --table to choose one"
    line = f"--format: got csv for several tables: cells, even; expected {expected}"
    assert capsys.readouterr().err == f"exactdice: {line}\n"
    assert main(["risk", "table", "4", "3", "--format", "csv", "--table", "even"]) == 0
    read_back = pandas.read_csv(io.StringIO(capsys.readouterr().out), comment="#")
    assert len(read_back) == 2  # as README shows
    assert main(["risk", "table", "4", "3", "--table", "odd"]) == 2
    assert "table: got 'odd'; expected one of cells, even" in capsys.readouterr().err
    assert main(["risk", "win", "4", "2", "--format", "parquet"]) == 2
    assert "--format parquet needs a file; add --output NAME.parquet" in capsys.readouterr().err
    report = ask("fatestones dice")
    assert len(report.quantities) == 1
    lines = render(report, Format.CSV).splitlines()
    assert next(line for line in lines if line[:1] != "#").startswith("die,mean")
    report = ask("risk table 22 22")  # 21 by 22 are more than 400 cells
    assert "--table cells" in str(report)
    assert "0.4167" in str(report)
    assert "275/2592" not in str(report)
    assert "275/2592" in str(report.only("cells"))
    assert "0.4167 " not in str(report.only("cells"))
    assert "0.4167 " in str(report.only("cells_grid"))


def test_files_of_other_reports_are_left_alone_and_not_mixed(tmp_path, capsys):
    (tmp_path / "x-even.csv").write_text("years of work")
    assert main(["risk", "table", "4", "3", "--output", f"{tmp_path}/x.csv"]) == 2
    assert "x-even.csv has other content; name another file" in capsys.readouterr().err
    assert [file.name for file in tmp_path.iterdir()] == ["x-even.csv"]
    for words in (["4", "3"], ["4", "3", "--units", "fighting"]):
        main(["risk", "table", *words, "--output", f"{tmp_path}/{len(words)}.csv"])
    (tmp_path / "4-even.csv").replace(tmp_path / "2-even.csv")
    with pytest.raises(InputError, match="tables of the same report"):
        read(tmp_path / "2.csv")
    (tmp_path / "2-even.csv").unlink()
    with pytest.raises(InputError, match="file not found"):
        read(tmp_path / "2.csv")


@pytest.mark.parametrize("name", ["no.csv", "no.json", "no.parquet", "no.txt", "bad.parquet"])
def test_what_is_no_file_of_a_report_is_refused(name, tmp_path):
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 no")
    with pytest.raises(InputError, match=r"^path: got |file not found"):
        read(tmp_path / name)


@pytest.mark.parametrize("tables", ["cells ../../x", "cells \x00", "cells a/b", "\u2028"])
def test_names_of_tables_that_lead_to_other_files_are_refused(tables, tmp_path):
    assert main(["risk", "table", "4", "3", "--output", f"{tmp_path}/wins.csv"]) == 0
    part = tmp_path / "wins-cells.csv"
    listed = json.dumps(tables.split(" "))
    part.write_text(part.read_text().replace('"tables": ["cells", "even"]', f'"tables": {listed}'))
    for name in ("wins.csv", part.name):
        with pytest.raises(InputError):
            read(tmp_path / name)


@pytest.mark.parametrize(("field", "value"), [
    ("tables", 5), ("tables", "cells"), ("tables", [5]), ("tables", ["cells", "../x"]),
    ("provenance", {"command": "x", "conventions": 7}), ("titles", []), ("columns", None),
    ("provenance", {"command": "x", "conventions": {"units": 7}}), ("table", ["cells"]),
])  # fmt: skip
def test_a_damaged_description_of_parquet_is_refused(field, value, tmp_path):
    pyarrow = pytest.importorskip("pyarrow.parquet")
    assert main(["risk", "table", "4", "3", "--output", f"{tmp_path}/wins.parquet"]) == 0
    part = tmp_path / "wins-cells.parquet"
    table = pyarrow.read_table(part)
    described = json.loads(table.schema.metadata[b"exactdice"]) | {field: value}
    pyarrow.write_table(table.replace_schema_metadata({"exactdice": json.dumps(described)}), part)
    for name in ("wins.parquet", part.name):
        with pytest.raises(InputError):
            read(tmp_path / name)


def test_tables_and_their_parts_have_captions_and_labels_of_their_own_in_latex():
    written = render(ask("risk table 5 4"), Format.LATEX)
    for command in ("caption", "label"):
        named = re.findall(rf"\\{command}{{([^}}]*)}}", written)
        assert len(named) == len(set(named)) > 2
    columns = [whole(f"column_{number}", "a number") for number in range(30)]
    table = Table("wide", "Wide", columns, [[10**12] * 30])
    written = render(Report("Wide", [], [table]), Format.LATEX)
    first, *more = re.findall(r"\\label{([^}]*)}", written)
    assert more
    assert more == [f"{first}_{number}" for number in range(2, len(more) + 2)]
    assert all(f"part {n} of {len(more) + 1}" in written for n in range(1, len(more) + 2))


STANDARD_DIE = (1, 2, 3, 4, 5, 6)
GAMES = {
    "reroll": lambda: reroll.solve(), "swe": lambda: swe.solve(5),
    "farkle": lambda: farkle.solve("fair*2"),
    "fatestones": lambda: fatestones.solve((STANDARD_DIE,), (STANDARD_DIE,)),
    "risk": lambda: risk.solve(4, 3), "risk table": lambda: risk.win_table(4, 3),
    "risk dice": lambda: risk.dice_game(4, 3), "risk campaign": lambda: risk.campaign(5, [1, 2]),
    "model": lambda: reroll.solve().optimum,
}  # fmt: skip


@pytest.mark.parametrize("name", GAMES)
def test_a_solution_is_shown_as_its_report_and_prints_short(name):
    solved = GAMES[name]()
    report = solved.report()
    assert isinstance(report, Report)
    parsed(solved._repr_html_())
    assert report.title.split(":")[0].split()[0] in solved._repr_html_()
    latex = solved._repr_latex_()
    assert latex.count(r"\begin{tabular}") == latex.count(r"\end{tabular}")
    assert latex.count("{") == latex.count("}")
    assert len(str(solved)) < 400


def test_a_notebook_shows_the_chance_of_the_post_and_cuts_long_distributions():
    for name in ("risk table", "risk dice"):
        cells = ["4", "2", "0.65595400"]  # the decimal is that of the fraction, by long division
        row = "".join(f'<td class="r">{cell}</td>' for cell in cells)
        assert re.search(f"{row}.*<td class=.r.>{POSTS_WIN}</td>", GAMES[name]()._repr_html_())
    coin = Distribution({0: 1, 1: 2})
    cells = '<td class="r">1</td><td class="r">0.66666667</td><td class="r">2/3</td>'
    assert cells in coin._repr_html_()
    assert "1 & 2/3" in coin._repr_latex_()
    assert "more rows" not in coin._repr_html_()
    pool = fair(6).sum_of(10)  # 51 outcomes, from 10 to 60
    html = pool._repr_html_()
    assert html.count("<tr>") == MAX_ROWS + 1
    assert f"… and {51 - MAX_ROWS} more rows" in html


def test_a_notebook_shows_reports_and_closed_forms():
    columns = [whole("n", "number"), text_column("words", "words"), exact("p", "chance")]
    rows = [(1, "50 %", mpq(-1, 2)), (2, Formula("x^2", "x^{2}"), None), (3, "", mpq(4))]
    table = Table("t", "A <b>title</b> & more", columns, rows)
    report = Report("R", [Quantity(exact("v", "value"), mpq(1, 2**100))], [table])
    html = report._repr_html_()
    parsed(html)
    assert "A &lt;b&gt;title&lt;/b&gt; &amp; more" in html
    assert "7.8886091e-31" in html  # 2^-100 = 7.888609052…e-31, as any double says
    assert table._repr_html_() in html
    latex = report._repr_latex_()
    assert r"50 \%" in latex
    assert "$-$1/2" in latex
    assert "$x^{2}$" in latex
    pairs = ehrhart(1, 2)
    assert pairs._repr_latex_() == f"${pairs.latex()}$"
    counts = pairs.quasi_polynomial
    assert counts._repr_latex_() == f"${counts.latex()}$"
    assert power_sum(1)._repr_latex_() == f"${power_sum(1).latex()}$"
    # One die against one: (s − 1)/(2s), by hand.
    assert winning_chance(1, 1)._repr_latex_() == r"$\frac{s - 1}{2 s}$"
    shown = {}
    formatters = {"text/latex": SimpleNamespace(for_type=shown.__setitem__)}
    formatter = SimpleNamespace(formatters=formatters)
    load_ipython_extension(SimpleNamespace(display_formatter=formatter))
    latex = [shown[type(mpq())](number) for number in (mpq(-2, 6), mpq(1, 2), mpq(-4, 2))]
    assert latex == [r"$-\frac{1}{3}$", r"$\frac{1}{2}$", "$-2$"]


def test_a_report_prints_as_the_command_does_and_results_give_json_and_data_frames():
    report = ask("risk win 4 2")
    assert str(report) == render(report).rstrip("\n")
    frame = d(3).to_pandas()
    assert (list(frame["outcome"]), list(frame["probability"])) == ([1, 2, 3], ["1/3"] * 3)
    battle = risk.solve(4, 2)
    assert battle.to_json() == battle.report().to_json() == render(battle.report(), Format.JSON)
    frames = battle.to_pandas()
    assert frames.keys() == battle.report().to_pandas().keys()
    # the Risk post's value of four total units against two
    assert "6610505/10077696" in frames["quantities"].to_string()


def test_what_may_be_large_is_not_shown_at_the_prompt():
    """States, chains and parts of fractions; what is named is short, and so is an answer."""
    coin = Game(0, lambda n: fair(2).map(lambda f: n + f) if n < 9 else End(n)).explored()
    best, law = optimum(coin, infinite="draw"), reward_distribution(coin)
    assert repr(best) == f"{best.question}: {significant(best.value.exact, 10)} (exact)"
    shown = {
        "initial, least, draws": best.certificate(), "total, mean, variance": law,
        "turns, dice, face, rolls, denominator": FreeRerolls(2, fair(6), 2).solve(sum),
        "law, mean, variance": repeat(0, lambda _: d(6), lambda face: face == 6),
        "lowest": d(6).exploding(), "initial, labels, players": explicit(coin),
        "history": TreeNode((1,), coin),
    }  # fmt: skip
    for fields, answer in shown.items():
        assert ", ".join(re.findall(r"(\w+)=", repr(answer))) == fields
