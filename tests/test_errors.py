"""Errors in one line: how values are shown, and lines for other exceptions."""

from fractions import Fraction

import pytest

from exactdice.errors import (
    InputError,
    OutputError,
    TooLargeError,
    Unquoted,
    exit_status,
    one_named,
    told,
)

NUMBERS = "these numbers are too large for this command; use smaller ones"
MEMORY = "too little memory for this process (ulimit -v); raise the limit"


@pytest.mark.parametrize(("problem", "line"), [
    (TooLargeError("5 TiB"), "5 TiB"), (OutputError("the disk is full"), "the disk is full"),
    (ModuleNotFoundError(name="numpy.linalg"), "numpy is missing; install all requirements"),
    (ModuleNotFoundError(name="exactdice.nowhere"), None),
    (ImportError("x.so: failed to map segment from shared object"), MEMORY),
    (RuntimeError("can't start new thread"), MEMORY), (MemoryError(), NUMBERS),
    (OverflowError("too large"), NUMBERS),
    (ValueError("Exceeds the limit (4300 digits) for integer string conversion"), NUMBERS),
    (ValueError("math domain error"), None), (TypeError("integer string conversion"), None),
    (ImportError("cannot import name"), None), (KeyError("failed"), None)
])  # fmt: skip
def test_lines_for_users_about_exceptions(problem, line):
    found = told(problem)
    assert (found is None) if line is None else found.startswith(line)


def test_a_value_of_more_than_sixty_characters_is_shortened():
    assert str(InputError("text", "x" * 58, "less")) == f"text: got '{'x' * 58}'; expected less"
    shown = str(InputError("text", "x" * 59, "less"))
    assert shown == f"text: got '{'x' * 28}...{'x' * 27}'; expected less"
    assert str(InputError("a", Unquoted("its\nend"), "b")) == "a: got its end; expected b"
    odd = InputError("a\x1b[2J", Unquoted("\x1b[31mred\u2028"), "b")
    assert str(odd) == "a\\x1b[2J: got \\x1b[31mred\\x2028; expected b"
    assert (
        str(InputError("a", Fraction(1, 2), "b").at("line 3")) == "line 3: a: got 1/2; expected b"
    )


def test_a_value_without_text_is_shown_by_its_type():
    class Mute:
        def __repr__(self):
            raise ValueError("too many digits")

    assert (
        str(InputError("a", Mute(), "b")) == "a: got a Mute that is too long to write; expected b"
    )


def test_an_interrupt_has_its_own_exit_status():
    assert [exit_status(KeyboardInterrupt(*args)) for args in ((), ("x",), ("x", 143))] == [
        *(130, 130, 143)
    ]


def test_a_name_must_exist():
    assert one_named({"heads": 1, "tails": 2}, "tails", "side") == 2
    with pytest.raises(InputError, match="side: got 3; expected one of none"):
        one_named({}, 3, "side")
