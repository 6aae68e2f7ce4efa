"""`exactdice plot`: files, options of the command, saved answers and errors."""

from dataclasses import replace

import pytest

from exactdice.cli import plot
from exactdice.errors import InputError
from exactdice.jobs.plots import figure as sheets
from exactdice.jobs.plots import figure_named
from exactdice.report.readers import read, read_json


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
def test_a_figure_and_its_numbers_are_written(here, run):
    status, out, _ = run("plot risk-survivors --size 3 -o battle.png")
    assert status == 0
    assert (here / "battle.png").read_bytes().startswith(b"\x89PNG")
    assert read(here / "battle.csv").table("outcomes").rows
    assert "battle-outcomes.csv" in out


def test_the_default_file_has_the_name_of_the_figure(here, run):
    assert run("plot risk-survivors --size 2")[0] == 0
    assert (here / "risk-survivors.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(("words", "said"), [
    ("answer.json --size 5", "--report cannot be combined with --size or options"),
    ("answer.json --ties attacker", "--report cannot be combined with --size or options"),
    ("none.json", "none.json: file not found"),
    ("answer.json", "--report: got 'answer.json'; expected a saved answer of \"exactdice risk")
])  # fmt: skip
def test_another_answer_is_not_drawn(here, run, refused, words, said):
    assert run("risk survivors 3 3 --output answer.json")[0] == 0
    assert said in refused(f"plot risk-win -o drawn.png --report {words}")
    assert not (here / "drawn.png").exists()


def test_a_saved_answer_is_drawn(here, run):
    assert run("risk survivors 3 3 --output answer.json")[0] == 0
    assert run("plot risk-survivors -o drawn.png --report answer.json")[0] == 0
    assert run("plot risk-survivors -o asked.png --size 3")[0] == 0
    assert (here / "drawn.png").read_bytes() == (here / "asked.png").read_bytes()


@pytest.mark.slow
def test_numbers_of_an_earlier_figure_are_replaced_but_no_other_file(here, run, refused):
    words = "plot risk-survivors -o data.pdf --size"
    assert run(f"{words} 2")[0] == run(f"{words} 3")[0] == 0
    (here / "data-outcomes.csv").write_text("mine\n", encoding="utf-8")
    drawn = (here / "data.pdf").read_bytes()
    assert "data-outcomes.csv has other content" in refused(f"{words} 2")
    assert (here / "data-outcomes.csv").read_text(encoding="utf-8") == "mine\n"
    assert (here / "data.pdf").read_bytes() == drawn


def test_a_figure_takes_the_options_of_its_command(here, run):
    assert run("plot risk-survivors --defender-dice 3 --size 3 -o capital.svg")[0] == 0
    shown = read(here / "capital.csv")
    command = "exactdice risk survivors 3 3 --defender-dice 3"
    assert shown.provenance.command == command
    asked = read_json(run([*command.split()[1:], "--format", "json"])[1])
    assert shown.table("outcomes").rows == asked.table("outcomes").rows


@pytest.mark.parametrize(("words", "command"), [
    ("dice-distribution 4d6", "dice distribution 4d6"),
    ("risk-survivors 5 3 --defender-dice 3", "risk survivors 5 3 --defender-dice 3"),
    ("farkle-thresholds --dice fair*2,odd", "farkle thresholds --dice 'fair*2,odd'"),
    ("reroll-policy --sides=4 --dice 2", "reroll policy --dice 2 --sides 4"),
    ("total threes --variant one", "book threes --variant one --distribution")
])  # fmt: skip
def test_arguments_after_the_name_replace_those_of_the_figure(words, command):
    name, *options = words.split()
    report = figure_named(name).data(None, options)
    assert report.provenance.command == f"exactdice {command}"
    with pytest.raises(InputError, match="size cannot be combined with 4d6"):
        figure_named("dice-distribution").data(3, ["4d6"])


@pytest.mark.slow
def test_all_figures_are_drawn_into_a_folder(here, monkeypatch, run):
    chosen = tuple(
        replace(figure_named(name), sizes=(size, size, size))
        for name, size in (("risk-win", 5), ("swe-distributions", 3))
    )
    monkeypatch.setattr(plot, "FIGURES", chosen)
    status, out, _ = run(f"plot --all --output {here}")
    assert (status, out.count("Wrote ")) == (0, 2)
    assert sorted(path.name for path in here.iterdir()) == [
        *("risk-win-cells.csv", "risk-win-even.csv", "risk-win.pdf"),
        *("swe-distributions.csv", "swe-distributions.pdf"),
    ]


def test_coinciding_curves_are_one_curve_with_both_names():
    # Up to 11 rounds it is optimal always to create (claims), so both distributions are equal.
    figure = figure_named("swe-distributions")
    with sheets.style():
        drawn = figure.draw(figure.data(5))
    (axes,) = drawn.axes
    labels = [line.get_label() for line in axes.get_lines()]
    assert labels[0] == "optimal play = always create"
    assert len(labels) == 3


def test_help_lists_the_figures_in_a_column(run):
    lines = run("plot --help")[1].splitlines()
    shown = [line for line in lines[lines.index("  The figures:") + 1 :] if line.strip()]
    of = {line.split()[0]: line for line in shown}
    captions = {figure.name: figure.caption[:20] for figure in plot.FIGURES}
    columns = {of[name].index(caption) for name, caption in captions.items()}
    assert columns == {2 + 2 + 2 + max(len(figure.name) for figure in plot.FIGURES)}
