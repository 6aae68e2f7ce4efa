"""Sets of dice against filters over all sorted tuples, and A076822."""

from collections.abc import Iterator
from itertools import product
from math import comb
from pathlib import Path
from typing import Any

import pytest

from exactdice.errors import InputError
from exactdice.games.fatestones import rules
from exactdice.games.fatestones.rules import (
    Die,
    all_dice,
    bag,
    balanced_dice,
    count_balanced_dice,
    dice_from_text,
    dice_text,
    read_dice,
)
from exactdice.games.fatestones.sources import A076822, A076822_27, README


def test_there_are_462_dice_of_six_faces() -> None:
    # The README's figure.
    assert sum(1 for _ in all_dice()) == README["dice"]


@pytest.mark.parametrize(("faces", "values"), [(1, 4), (2, 3), (3, 5), (4, 2)])
def test_dice_are_the_sorted_tuples(faces: int, values: int) -> None:
    oracle = {tuple(sorted(roll)) for roll in product(range(1, values + 1), repeat=faces)}
    assert list(all_dice(faces, values)) == sorted(oracle)
    assert len(oracle) == comb(values + faces - 1, faces)


@pytest.mark.parametrize("faces", range(1, 8))
def test_balanced_dice_are_those_of_the_mean_of_the_ordinary_die(faces: int) -> None:
    oracle = [die for die in all_dice(faces, faces) if 2 * sum(die) == faces * (faces + 1)]
    assert list(balanced_dice(faces)) == oracle
    assert count_balanced_dice(faces) == len(oracle)


def test_balanced_dice_of_six_faces_are_the_bag() -> None:
    assert tuple(balanced_dice()) == bag()


def test_counts_are_those_of_a076822() -> None:
    # OEIS A076822, from n = 1 on, and its last listed term, n = 27.
    assert [count_balanced_dice(n) for n in range(1, 16)] == list(A076822)
    assert count_balanced_dice(27) == A076822_27


def test_counting_is_listing() -> None:
    assert sum(1 for _ in balanced_dice(10)) == count_balanced_dice(10)


def test_no_die_is_begun_that_cannot_reach_the_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    completions = rules._completions

    def some(*begun: Any) -> Iterator[Die]:
        found = list(completions(*begun))
        assert found, begun
        return iter(found)

    monkeypatch.setattr(rules, "_completions", some)
    for faces in range(1, 9):
        assert len(list(balanced_dice(faces))) == count_balanced_dice(faces)


@pytest.mark.parametrize("form", ["txt", "csv"])
def test_files_of_dice_are_read_as_they_were_written(form: str) -> None:
    assert dice_from_text(dice_text(bag(), form), form) == list(bag())


def test_files_in_the_forms_of_the_game_s_repository_are_read() -> None:
    # faces.csv there ends its lines with a comma; avgfaces.txt its last line with none.
    assert dice_from_text("6,6,6,6,6,6,\n5,6,6,6,6,6,\n", "csv")[1] == (5, 6, 6, 6, 6, 6)
    assert dice_from_text("3 3 3 4 4 4\n\n2 3 4 4 4 4", "txt")[1] == (2, 3, 4, 4, 4, 4)


def test_bad_files_and_forms_are_refused() -> None:
    with pytest.raises(InputError, match="line 2: got 'x'; expected a whole number of at least 1"):
        dice_from_text("1 2\n1 x\n")
    with pytest.raises(InputError, match="form: got 'xls'; expected one of txt, csv"):
        dice_text([], "xls")
    with pytest.raises(InputError, match="faces: got 0"):
        next(iter(balanced_dice(0)))


SIX = [f"1 1 1 1 1 {face}" for face in range(1, 7)]


@pytest.mark.parametrize(
    ("name", "lines", "read"),
    [
        ("dice.txt", SIX, [(1, 1, 1, 1, 1, face) for face in range(1, 7)]),
        ("dice.csv", ["1,6,1,1,1,1", "", *SIX[1:]], None),  # a space parts nothing there
        ("dice.csv", ["6,1,1,1,1,1"] * 6, [(1, 1, 1, 1, 1, 6)] * 6),
        ("dice.txt", ["654321", "1 2 3 4 5 6"] * 3, [(1, 2, 3, 4, 5, 6)] * 6),
        ("dice.csv", ["111111", "222222"] * 3, [(1,) * 6, (2,) * 6] * 3),
        ("dice.txt", SIX[:5], "5 dice; expected at least 6 dice"),
        (
            "dice.txt",
            ["333333"] * 6,
            "one value on all faces; expected dice that do not always tie",
        ),
        (
            "dice.txt",
            ["1 1 1 1 6", *SIX],
            r"\(1, 1, 1, 1, 6\); expected six faces from 1 to 6 per line",
        ),
        ("dice.txt", ["1 1 1 1 1 1 6", *SIX], r"\(1, 1, 1, 1, 1, 1, 6\); expected six faces"),
        ("dice.txt", ["1 1 1 1 1 7", *SIX], r"\(1, 1, 1, 1, 1, 7\); expected six faces"),
        ("dice.txt", ["102345", *SIX], r"\(0, 1, 2, 3, 4, 5\); expected six faces"),
    ],
)
def test_a_bag_is_read_from_a_file(name: str, lines: list[str], read: Any, tmp_path: Path) -> None:
    (tmp_path / name).write_text("\n".join(lines), encoding="utf-8")
    if isinstance(read, list):
        assert read_dice(tmp_path / name) == tuple(read)
    else:
        with pytest.raises(InputError, match=f"got {read}" if read else "line 3: got '1 1 1"):
            read_dice(tmp_path / name)
