import pytest

from exactdice.cli import main
from exactdice.report.readers import read


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
        (["no-such"], "name: got 'no-such'; give one of risk-win"),
        (["risk-win", "-o", "a.gif"], "output: got 'a.gif'; give a file name that ends in .pdf"),
        (["risk-win", "--size", "500"], "size: got 500; give at most 120"),
        (["risk-win", "-o", "no-such-folder/a.pdf"], "there is no folder no-such-folder"),
        ([], "Missing argument 'NAME'"),
    ],
)
def test_a_mistake_costs_one_line_and_writes_nothing(words, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["plot", *words]) == 2
    complaint = capsys.readouterr().err
    assert message in complaint
    assert complaint.count("\n") == 1
    assert not list(tmp_path.iterdir())


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
