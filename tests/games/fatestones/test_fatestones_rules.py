"""Dice, hands, deals, sets of dice and their files."""

from itertools import product
from math import comb
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdice.errors import InputError
from exactdice.games.fatestones import rules
from exactdice.games.fatestones.rules import (
    all_dice,
    bag,
    balanced_dice,
    check_hands,
    count_balanced_dice,
    deal,
    decode_die,
    decode_hand,
    dice_from_text,
    dice_text,
    encode_die,
    encode_hand,
    outcome,
    read_dice,
    without,
)
from exactdice.games.fatestones.sources import A076822, A076822_27


def test_the_bag_is_that_of_the_readme():
    # The README: 32 dice whose rolls average 3.5, the standard die among them.
    assert len(set(bag())) == 32
    assert all(sum(die) == 21 and len(die) == 6 for die in bag())
    assert decode_die("123456") in bag()
    assert list(bag()) == sorted(bag())


@given(st.lists(st.integers(1, 6), min_size=6, max_size=6))
def test_encoding_and_decoding_are_inverse(faces):
    die = tuple(sorted(faces))
    assert decode_die(encode_die(die)) == die


def test_hands_round_trip():
    text = "111666,123456,222555"
    assert encode_hand(decode_hand(text)) == text
    assert decode_hand([" 111666", "123456"]) == decode_hand("111666, 123456")


@pytest.mark.parametrize(("encoding", "message"), [
    ("654321", "die: got '654321'; expected faces in nondecreasing order, here '123456'"),
    ("12345", "die: got '12345'; expected 6 digits, one per face, such as '123456'"),
    ("1234567", "die: got '1234567'; expected 6 digits, one per face, such as '123456'"),
    ("123457", "die: got '123457'; expected faces from 1 to 6"),
    ("012345", "die: got '012345'; expected faces from 1 to 6"),
    ("12345x", "die: got '12345x'; expected faces from 1 to 6"),
    ("12345²", "die: got '12345²'; expected faces from 1 to 6"),
    ("", "die: got ''; expected 6 digits, one per face, such as '123456'"),
    (123456, "die: got 123456; expected 6 digits, one per face, such as '123456'"),
])  # fmt: skip
def test_invalid_encodings_are_rejected(encoding, message):
    with pytest.raises(InputError) as refusal:
        decode_die(encoding)
    assert str(refusal.value) == message


@pytest.mark.parametrize(("text", "message"), [
    ("", "hand: got no dice; expected one to three dice such as '111666,123456'"),
    (" , ", "hand: got no dice; expected one to three dice such as '111666,123456'"),
    ([], "hand: got no dice; expected one to three dice such as '111666,123456'"),
    ("123456," * 3 + "123456", "hand: got 4 dice; expected one to three dice"),
    ("123456,", "hand: got ''; expected 6 digits, one per face, such as '123456'"),
    ([123456], "hand: got 123456; expected 6 digits, one per face, such as '123456'"),
])  # fmt: skip
def test_invalid_hands_are_rejected(text, message):
    with pytest.raises(InputError) as refusal:
        decode_hand(text)
    assert str(refusal.value) == message


@pytest.mark.parametrize(("row", "column", "message"), [
    ("123456", "123456", "hands: got 123456 twice; expected at most 1 of this die, as in the bag"),
    (
        "123456,123456", "123456,111666",
        "hands: got 123456 3 times; expected at most 1 of this die, as in the bag",
    ),
    ("123456,111666", "222555", "hands: got 2 dice against 1; expected two hands of equal size"),
    ("111111", "123456", "hands: got '111111'; expected dice of the bag: six faces of mean 7/2"),
])  # fmt: skip
def test_hands_outside_the_bag_are_rejected(row, column, message):
    with pytest.raises(InputError) as refusal:
        check_hands(decode_hand(row), decode_hand(column), bag())
    assert str(refusal.value) == message


def test_any_dice_are_valid_without_a_bag():
    check_hands(decode_hand("111111,111111"), decode_hand("111111,666666"))


def test_deals_take_different_dice_out_of_the_bag():
    random = Random(5)  # noqa: S311 - reproducible draws
    for _ in range(50):
        row, column = deal(random)
        check_hands(row, column, bag())
        assert len(row) == len(column) == 3


def test_deals_of_a_small_bag():
    random = Random(1)  # noqa: S311 - reproducible draws
    row, column = deal(random, bag()[:4], size=2)
    assert set(row + column) == set(bag()[:4])
    with pytest.raises(InputError, match="size: got 3; expected a whole number from 1 to 2"):
        deal(random, bag()[:4], size=3)


def test_outcome_and_without():
    assert [outcome(4, 3), outcome(3, 3), outcome(2, 3)] == [1, 0, -1]
    assert without(((1,), (2,), (3,)), 0) == ((2,), (3,))


def test_faces_of_two_digits_are_separated_by_points():
    assert encode_die((1, 9, 10)) == "1.9.10"


def test_the_highest_face_may_be_text():
    assert decode_die("119", faces=3, highest="9") == (1, 1, 9)


@pytest.mark.parametrize(("faces", "values"), [(1, 4), (2, 3), (3, 5), (4, 2)])
def test_dice_are_the_sorted_tuples(faces, values):
    oracle = {tuple(sorted(roll)) for roll in product(range(1, values + 1), repeat=faces)}
    assert list(all_dice(faces, values)) == sorted(oracle)
    assert len(oracle) == comb(values + faces - 1, faces)


@pytest.mark.parametrize("faces", range(1, 8))
def test_balanced_dice_are_those_of_the_mean_of_the_ordinary_die(faces):
    oracle = [die for die in all_dice(faces, faces) if 2 * sum(die) == faces * (faces + 1)]
    assert list(balanced_dice(faces)) == oracle
    assert count_balanced_dice(faces) == len(oracle)


def test_counts_are_those_of_a076822():
    # OEIS A076822, from n = 1 on, and its last listed term, n = 27.
    assert [count_balanced_dice(n) for n in range(1, 16)] == list(A076822)
    assert count_balanced_dice(27) == A076822_27


def test_enumeration_has_no_dead_ends(monkeypatch):
    completions = rules._completions

    def some(*begun):
        found = list(completions(*begun))
        assert found, begun
        return iter(found)

    monkeypatch.setattr(rules, "_completions", some)
    for faces in range(1, 9):
        assert len(list(balanced_dice(faces))) == count_balanced_dice(faces)


@pytest.mark.parametrize("form", ["txt", "csv"])
def test_files_of_dice_round_trip(form):
    assert dice_from_text(dice_text(bag(), form), form) == list(bag())


def test_files_of_the_readme_repository_are_read():
    # faces.csv there ends its lines with a comma; avgfaces.txt its last line with none.
    assert dice_from_text("6,6,6,6,6,6,\n5,6,6,6,6,6,\n", "csv")[1] == (5, 6, 6, 6, 6, 6)
    assert dice_from_text("3 3 3 4 4 4\n\n2 3 4 4 4 4", "txt")[1] == (2, 3, 4, 4, 4, 4)


def test_invalid_files_are_rejected(tmp_path):
    (tmp_path / "latin.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match=r"dice: got .*; expected a readable file of dice"):
        read_dice(tmp_path / "latin.txt")
    with pytest.raises(InputError, match="line 2: got 'x'; expected a whole number of at least 1"):
        dice_from_text("1 2\n1 x\n")
    with pytest.raises(InputError, match="form: got 'xls'; expected one of txt, csv"):
        dice_text([], "xls")
    with pytest.raises(InputError, match="faces: got 0"):
        next(iter(balanced_dice(0)))


SIX = [f"1 1 1 1 1 {face}" for face in range(1, 7)]


@pytest.mark.parametrize(("name", "lines", "read"), [
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
])  # fmt: skip
def test_a_bag_is_read_from_a_file(name, lines, read, tmp_path):
    (tmp_path / name).write_text("\n".join(lines), encoding="utf-8")
    if isinstance(read, list):
        assert read_dice(tmp_path / name) == tuple(read)
    else:
        with pytest.raises(InputError, match=f"got {read}" if read else "line 3: got '1 1 1"):
            read_dice(tmp_path / name)
