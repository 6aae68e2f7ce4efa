from dataclasses import replace

import pytest

from exactdice.cli import main, plot
from exactdice.errors import InputError
from exactdice.jobs.plots import figure as sheets
from exactdice.jobs.plots import figure_named
from exactdice.report.readers import read, read_json


@pytest.mark.slow
def test_a_figure_and_its_numbers_are_written(tmp_path, capsys):
    path = tmp_path / "battle.png"
    assert main(["plot", "risk-survivors", "--size", "3", "-o", str(path)]) == 0
    assert path.read_bytes().startswith(b"\x89PNG")
    beside = read(tmp_path / "battle.csv")
    assert beside.table("outcomes").rows
    assert "battle-outcomes.csv" in capsys.readouterr().out


def test_the_name_is_the_file_name_unless_another_is_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["plot", "risk-survivors", "--size", "2"]) == 0
    assert (tmp_path / "risk-survivors.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["no-such"], "name: got 'no-such'; expected one of risk-win"),
        (
            ["risk-win", "-o", "a.gif"],
            "output: got 'a.gif'; expected a file name that ends in .pdf",
        ),
        (["risk-win", "--size", "500"], "size: got 500; expected at most 120"),
        (["risk-win", "-o", "no-such-folder/a.pdf"], "there is no folder no-such-folder"),
        ([], "name: got None; expected the name of a figure, or --all"),
        (
            ["risk-win", "--ties", "nobody"],
            "ties: got 'nobody'; expected one of defender, attacker",
        ),
        (["risk-win", "--chess"], "no such option"),
        (["--all", "risk-win"], "all: got a figure or its options too; expected --all alone"),
        (["--all", "-o", "none"], "output: got 'none'; expected a folder that is there"),
    ],
)
def test_a_mistake_costs_one_line_and_writes_nothing(words, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["plot", *words]) == 2
    complaint = capsys.readouterr().err
    assert message in complaint
    assert complaint.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_numbers_of_an_earlier_figure_are_replaced_but_nothing_else_is(tmp_path, capsys):
    words = ["plot", "risk-survivors", "-o", str(tmp_path / "data.pdf"), "--size"]
    beside = tmp_path / "data-outcomes.csv"
    assert main([*words, "2"]) == main([*words, "3"]) == 0
    beside.write_text("mine\n", encoding="utf-8")
    drawn = (tmp_path / "data.pdf").read_bytes()
    assert main([*words, "2"]) == 2
    assert "data-outcomes.csv holds something else" in capsys.readouterr().err
    assert beside.read_text(encoding="utf-8") == "mine\n"
    assert (tmp_path / "data.pdf").read_bytes() == drawn


def test_a_figure_takes_the_options_of_its_game(tmp_path, capsys):
    path = tmp_path / "capital.svg"
    words = ["plot", "risk-survivors", "--defender-dice", "3", "--size", "3", "-o", str(path)]
    assert main(words) == 0
    shown = read(tmp_path / "capital.csv")
    command = "exactdice risk survivors 3 3 --defender-dice 3"
    assert shown.provenance.command == command
    capsys.readouterr()
    main([*command.split()[1:], "--format", "json"])
    asked = read_json(capsys.readouterr().out)
    assert shown.table("outcomes").rows == asked.table("outcomes").rows


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ("dice-law 4d6", "dice distribution 4d6"),
        ("risk-survivors 5 3 --defender-dice 3", "risk survivors 5 3 --defender-dice 3"),
        ("farkle-thresholds --dice fair*2,odd", "farkle thresholds --dice 'fair*2,odd'"),
        ("reroll-policy --sides=4 --dice 2", "reroll policy --dice 2 --sides 4"),
    ],
)
def test_what_follows_a_figure_takes_the_place_of_what_it_shows(words, command):
    name, *options = words.split()
    report = figure_named(name).data(None, options)
    assert report.provenance.command == f"exactdice {command}"
    with pytest.raises(InputError, match="size: got 3; expected it or 4d6, not both"):
        figure_named("dice-law").data(3, ["4d6"])


def test_a_figure_names_what_it_is_of():
    figure = figure_named("risk-survivors")
    report = figure.data(3)
    with sheets.style():
        drawn = figure.draw(report)
        sheets.sign(drawn, f"{report.title}\n{report.provenance.command}")
    (words,) = (text.get_text() for text in drawn.texts)
    assert words == "Risk: survivors when 3 total units attack 3\nexactdice risk survivors 3 3"


@pytest.mark.slow
def test_all_figures_are_drawn_into_a_folder(tmp_path, monkeypatch, capsys):
    chosen = tuple(
        replace(figure_named(name), sizes=(size, size, size))
        for name, size in (("risk-win", 5), ("swe-laws", 3))
    )
    monkeypatch.setattr(plot, "FIGURES", chosen)
    assert main(["plot", "--all", "--output", str(tmp_path)]) == 0
    assert capsys.readouterr().out.count("Wrote ") == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("risk-win-cells.csv", "risk-win-even.csv", "risk-win.pdf"),
        *("swe-laws.csv", "swe-laws.pdf"),
    ]


def test_curves_that_coincide_are_one_curve_with_both_names():
    # Up to 11 rounds always to create is optimal (claims), so its law is that of optimal play.
    figure = figure_named("swe-laws")
    with sheets.style():
        drawn = figure.draw(figure.data(5))
    (axes,) = drawn.axes
    labels = [line.get_label() for line in axes.get_lines()]
    assert labels[0] == "optimal play = always create"
    assert len(labels) == 3


def test_an_answer_that_was_written_is_drawn(tmp_path, capsys):
    answer, drawn = tmp_path / "answer.json", tmp_path / "drawn.png"
    assert main(["risk", "survivors", "3", "3", "--output", str(answer)]) == 0
    words = ["plot", "risk-survivors", "-o"]
    assert main([*words, str(drawn), "--report", str(answer)]) == 0
    assert main([*words, str(tmp_path / "asked.png"), "--size", "3"]) == 0
    assert drawn.read_bytes() == (tmp_path / "asked.png").read_bytes()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["risk-win", "--report", "answer.json", "--size", "5"], "alone, without a size"),
        (["risk-win", "--report", "answer.json", "--ties", "attacker"], "alone, without a size"),
        (["risk-win", "--report", "none.json"], "give a file that can be read"),
        (
            ["risk-win", "--report", "answer.json"],
            "an answer to the question that risk-win is drawn of",
        ),
        (["--all", "--report", "answer.json"], "--all alone"),
    ],
)
def test_what_cannot_be_drawn_of_an_answer_is_refused(tmp_path, monkeypatch, capsys, words, said):
    monkeypatch.chdir(tmp_path)
    assert main(["risk", "survivors", "3", "3", "--output", "answer.json"]) == 0
    assert main(["plot", *words, *([] if "--all" in words else ["-o", "drawn.png"])]) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "drawn.png").exists()


def test_help_names_the_figures_in_a_column(capsys):
    assert main(["plot", "--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    shown = [line for line in lines[lines.index("  The figures:") + 1 :] if line.strip()]
    columns = {
        line.index(figure.caption[:20])
        for figure in plot.FIGURES
        for line in shown
        if line.split()[0] == figure.name
    }
    assert columns == {2 + 2 + 2 + max(len(figure.name) for figure in plot.FIGURES)}
