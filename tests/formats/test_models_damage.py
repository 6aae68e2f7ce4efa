"""Files that were damaged: each is read after all, or refused in one line that names it."""

import random
import time
from pathlib import Path

import pytest

from exactdice import memory
from exactdice.dice import fair
from exactdice.errors import ExactDiceError, TooLargeError
from exactdice.formats.explicit import explicit
from exactdice.formats.files import write_matrix, write_model
from exactdice.formats.questions import ModelSolve
from exactdice.formats.umb import umb_bytes
from exactdice.models import Choice, End, Game, Turn, point_mass
from exactdice.run import Run


def moves(at):
    if at >= 3:
        return End("-1/3")
    return [Choice("step", -1, fair(2).map(lambda f: at + f)), Choice("stay", 0, point_mass(3))]


def damaged(whole, chance):
    place, other = chance.randrange(len(whole)), chance.randrange(len(whole))
    how = chance.randrange(4)
    if how == 0:
        return whole[:place]
    if how == 1:
        return whole[:place] + bytes([chance.randrange(256)]) + whole[place + 1 :]
    if how == 2:
        return whole[:place] + bytes([whole[place] ^ 1 << chance.randrange(8)]) + whole[place + 1 :]
    return whole[:place] + whole[other : other + chance.randrange(1, 20)] + whole[place:]


@pytest.mark.parametrize(
    ("damage", "asked"),
    [
        ("m.umb", "m.umb"),
        ("two.umb", "two.umb"),
        ("m.drn", "m.drn"),
        ("m.tra", "m.tra"),
        ("m.lab", "m.tra"),
        ("m.trew", "m.tra"),
        ("m.nfg", "m.nfg"),
    ],
)
def test_damaged_files_are_read_or_rejected_in_one_line(tmp_path, damage, asked):
    table = explicit(Game(0, moves).explored())
    for ending in ("umb", "drn", "tra"):
        write_model(table, tmp_path / f"m.{ending}")
    write_matrix([[1, 2], [3, "1/2"]], tmp_path / "m.nfg")
    taking = Game(0, lambda at: Turn(1 + at % 2, moves(at)) if at < 3 else End(at)).explored()
    (tmp_path / "two.umb").write_bytes(umb_bytes(taking))
    path, chance = tmp_path / damage, random.Random(0)  # noqa: S311 - no secret
    whole = path.read_bytes()
    said = []
    for _ in range(100):
        path.write_bytes(damaged(whole, chance))
        try:
            ModelSolve(tmp_path / asked).answer()
        except ExactDiceError as wrong:
            said.append(str(wrong))
    assert len(said) > 10
    assert "\n" not in "".join(said)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("m.lab", "1" * 400_000),
        ("m.lab", '0="init"\n0' + " " * 200_000 + ":" + " 0" * 200_000 + " 7"),
        ("m.nfg", '"' + '\\"' * 200_000),
        ("m.efg", '"' + '\\"' * 200_000),
        ("m.efg", '"' * 400_001),
    ],
)
def test_long_lines_take_linear_time(tmp_path, name, content):
    write_model(explicit(Game(0, moves).explored()), tmp_path / "m.tra")
    (tmp_path / name).write_text(content)
    before = time.process_time()
    with pytest.raises(ExactDiceError):
        ModelSolve((tmp_path / name).with_suffix(".tra" if name == "m.lab" else name[1:])).answer()
    assert time.process_time() - before < 5


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no file without an end")
@pytest.mark.parametrize("ending", ["umb", "drn", "tra", "nfg", "efg"])
def test_infinite_files_are_read_up_to_a_limit(tmp_path, monkeypatch, ending):
    monkeypatch.setattr(memory, "_BETWEEN", (1, 1000))
    path = tmp_path / f"endless.{ending}"
    path.symlink_to("/dev/zero")
    with pytest.raises(TooLargeError, match="more than the limit of"):
        ModelSolve(path).answer(Run(memory=4 << 20))
