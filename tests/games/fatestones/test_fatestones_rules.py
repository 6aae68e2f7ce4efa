"""Dice, hands, deals, and what is refused."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdice.errors import InputError
from exactdice.games.fatestones.rules import (
    bag,
    check_hands,
    deal,
    decode_die,
    decode_hand,
    encode_die,
    encode_hand,
    outcome,
    without,
)


def test_the_bag_is_that_of_the_readme() -> None:
    # The README: 32 dice whose rolls average 3.5, the standard die among them.
    assert len(set(bag())) == 32
    assert all(sum(die) == 21 and len(die) == 6 for die in bag())
    assert decode_die("123456") in bag()
    assert list(bag()) == sorted(bag())


@given(st.lists(st.integers(1, 6), min_size=6, max_size=6))
def test_encoding_and_decoding_are_inverse(faces: list[int]) -> None:
    die = tuple(sorted(faces))
    assert decode_die(encode_die(die)) == die


def test_hands_are_written_as_they_are_read() -> None:
    text = "111666,123456,222555"
    assert encode_hand(decode_hand(text)) == text
    assert decode_hand([" 111666", "123456"]) == decode_hand("111666, 123456")


@pytest.mark.parametrize("encoding", ["123456", "111111", "113355", "234566"])
def test_the_valid_dice_of_the_readme_are_read(encoding: str) -> None:
    assert encode_die(decode_die(encoding)) == encoding


@pytest.mark.parametrize(
    ("encoding", "message"),
    [
        ("654321", "die: got '654321'; expected faces in nondecreasing order, here '123456'"),
        ("12345", "die: got '12345'; expected 6 digits, one per face, such as '123456'"),
        ("1234567", "die: got '1234567'; expected 6 digits, one per face, such as '123456'"),
        ("123457", "die: got '123457'; expected faces from 1 to 6"),
        ("012345", "die: got '012345'; expected faces from 1 to 6"),
        ("12345x", "die: got '12345x'; expected faces from 1 to 6"),
        ("12345²", "die: got '12345²'; expected faces from 1 to 6"),
        ("", "die: got ''; expected 6 digits, one per face, such as '123456'"),
        (123456, "die: got 123456; expected 6 digits, one per face, such as '123456'"),
    ],
)
def test_wrong_encodings_are_refused_in_one_line(encoding: Any, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        decode_die(encoding)
    assert str(refusal.value) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "hand: got no dice; expected one to three dice such as '111666,123456'"),
        (" , ", "hand: got no dice; expected one to three dice such as '111666,123456'"),
        ([], "hand: got no dice; expected one to three dice such as '111666,123456'"),
        ("123456," * 3 + "123456", "hand: got 4 dice; expected one to three dice"),
        ("123456,", "hand: got ''; expected 6 digits, one per face, such as '123456'"),
        ([123456], "hand: got 123456; expected 6 digits, one per face, such as '123456'"),
    ],
)
def test_wrong_hands_are_refused_in_one_line(text: Any, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        decode_hand(text)
    assert str(refusal.value) == message


@pytest.mark.parametrize(
    ("row", "column", "message"),
    [
        (
            "123456",
            "123456",
            "hands: got 123456 twice; expected at most 1 of this die, as in the bag",
        ),
        (
            "123456,123456",
            "123456,111666",
            "hands: got 123456 3 times; expected at most 1 of this die, as in the bag",
        ),
        (
            "123456,111666",
            "222555",
            "hands: got 2 dice against 1; expected two hands of equal size",
        ),
        (
            "111111",
            "123456",
            "hands: got '111111'; expected dice of the bag: six faces of mean 7/2",
        ),
    ],
)
def test_hands_that_one_bag_cannot_give_are_refused(row: str, column: str, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        check_hands(decode_hand(row), decode_hand(column), bag())
    assert str(refusal.value) == message


def test_empty_hands_are_refused() -> None:
    with pytest.raises(InputError, match="row hand: got 0 dice; expected one to three dice"):
        check_hands((), ())


def test_without_a_bag_any_dice_may_meet() -> None:
    check_hands(decode_hand("111111,111111"), decode_hand("111111,666666"))


def test_deals_take_different_dice_out_of_the_bag() -> None:
    random = Random(5)  # noqa: S311 - reproducible draws
    for _ in range(50):
        row, column = deal(random)
        check_hands(row, column, bag())
        assert len(row) == len(column) == 3


def test_a_bag_deals_no_more_than_it_holds() -> None:
    random = Random(1)  # noqa: S311 - reproducible draws
    row, column = deal(random, bag()[:4], size=2)
    assert set(row + column) == set(bag()[:4])
    with pytest.raises(InputError, match="size: got 3; expected a whole number from 1 to 2"):
        deal(random, bag()[:4], size=3)


def test_outcomes_and_what_is_left() -> None:
    assert [outcome(4, 3), outcome(3, 3), outcome(2, 3)] == [1, 0, -1]
    assert without(((1,), (2,), (3,)), 0) == ((2,), (3,))


def test_dice_with_two_digit_faces_have_points_between_them() -> None:
    assert encode_die((1, 9, 10)) == "1.9.10"


def test_the_highest_face_may_be_text():
    assert decode_die("119", faces=3, highest="9") == (1, 1, 9)
