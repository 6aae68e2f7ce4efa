"""Texts as people type them: each has an answer, or a hint that leads to one.

Expected numbers are counted over all rolls in the notation of Python, or have their source beside
them.
"""

import operator
import shlex
from fractions import Fraction
from itertools import product
from math import comb

import pytest
from cases import rows_of
from gmpy2 import mpq

from exactdice.cli import main
from exactdice.errors import ExactDiceError
from exactdice.rooms import ask, question
from exactdice.typed import EXAMPLES, near, words_of
from exactdice.web.forms import address_for


def over(dice, value):
    """A function that counts the mean of a value over all rolls of dice with so many faces."""

    def mean():
        rolls = [value(roll) for roll in product(*(range(1, faces + 1) for faces in dice))]
        return mpq(Fraction(sum(rolls), len(rolls)))

    return mean


def best(kept):
    return lambda roll: sum(sorted(roll)[-kept:])


def at_least(number):
    return lambda roll: sum(roll) >= number


def count(wanted, face, least=None):
    return lambda roll: roll.count(face) == wanted if least is None else roll.count(face) >= wanted


COUNTED = {
    "mean of 3d6": over([6] * 3, sum),
    "mean of 4d6kh3": over([6] * 4, best(3)),
    "15 with advantage": over([20, 20], lambda r: max(r) + 5 >= 15),
    "seven": over([6, 6], lambda r: sum(r) == 7),
    "seven or more": over([6, 6], at_least(7)),
    "ten or more": over([6] * 3, at_least(10)),
    "a six in four": over([6] * 4, count(1, 6, least=1)),
}
#: Text, command, and value; those of `tables/typed.csv` with a name are in `COUNTED`.
ANSWERED = [
    *(row[:3] for row in rows_of("tables/typed")),
    ("4d6kh3 v 3d6", "dice compare", over([6] * 7, lambda r: best(3)(r[:4]) > sum(r[4:]))),
    ("d20+5 vs 15", "dice compare", over([20], lambda r: r[0] + 5 >= 15)),
    ("adv", "dice distribution", over([20, 20], max)),
    ("4d6 v 3d6", "dice compare", over([6] * 7, lambda r: sum(r[:4]) > sum(r[4:]))),
    ("chance of 3 sixes with 5 dice", "dice chance", over([6] * 5, count(3, 6))),
    ("5 dice at least 2 sixes", "dice chance", over([6] * 5, count(2, 6, least=1))),
    ("two 6s in 4 rolls", "dice chance", over([6] * 4, count(2, 6))),
    ("2d6 >= 7", "dice chance", over([6, 6], at_least(7))),
    ("7+ on 2d6", "dice chance", over([6, 6], at_least(7))),
    ("2d6 7+", "dice chance", over([6, 6], at_least(7))),
    ("3 dice sum 10", "dice chance", over([6] * 3, lambda r: sum(r) == 10)),
    ("3d6 under 11", "dice chance", over([6] * 3, lambda r: sum(r) < 11)),
    ("3d6 roll under 11", "dice chance", over([6] * 3, lambda r: sum(r) <= 11)),
    ("d20 adv +7 vs AC 17", "dice chance", over([20, 20], lambda r: max(r) >= 10)),
    ("advantage d20", "dice distribution", over([20, 20], max)),
    ("d20 with advantage", "dice distribution", over([20, 20], max)),
    ("disadvantage d20", "dice distribution", over([20, 20], min)),
    ("2d20kl1", "dice distribution", over([20, 20], min)),
    ("d8 vs d6", "dice compare", over([8, 6], lambda r: r[0] > r[1])),
    ("d8 > d6", "dice chance", over([8, 6], lambda r: r[0] > r[1])),
    ("3d6 or 2d8", "dice compare", over([6, 6, 6, 8, 8], lambda r: sum(r[:3]) > sum(r[3:]))),
    ("max(d20, d20)", "dice distribution", over([20, 20], max)),
]


@pytest.mark.parametrize(("text", "command", "value"), ANSWERED, ids=[row[0] for row in ANSWERED])
def test_a_text_is_read_as_the_command_whose_answer_is_meant(text, command, value):
    words = words_of(text)
    assert " ".join(words).startswith(command)
    assert question(shlex.join(words))
    assert address_for(text).startswith(("/play/", "/games/"))
    if value != "":
        value = COUNTED.get(value, value)
        value = value() if callable(value) else mpq(value)
        report = ask(shlex.join(words))
        at = "outputs" if command == "anydice" else ""
        assert (report.table(at).cells("mean")[0] if at else report.value("value")) == value


SUMS = ["2d6 + 3", "d20-2", "2d6 + 1d8 + 3", "4d6kh3 + 2", "2d6!", "d20 with advantage + 5", "d%",
        "4d6 drop lowest", "2d6*2"]  # fmt: skip
AROUND = ["roll {}", "average of {}", "the expected damage of {}", "throw a fair {}", "sum of {}"]
COMPARED = {
    ">=": [
        "at least {n} on {}",
        "{n}+ with {}",
        "{} {n} or more",
        "{} is at least {n}",
        "{} is {n} or higher",
        "{} rolls {n} or more",
        "{} greater than or equal to {n}",
        "no less than {n} on {}",
        "P({} >= {n})",
        "{n} and up on {}",
        "{} vs {n}",
    ],
    "<=": ["at most {n} on {}", "{n} or less on {}", "{} {n} or less", "{} up to {n}"],
    ">": ["more than {n} on {}", "{} over {n}", "does {} beat {n}?", "{} exceeds {n}"],
    "<": ["less than {n} on {}", "{} under {n}", "{} is smaller than {n}"],
    "!=": ["{} is not {n}", "not {n} with {}", "anything but {n} on {}"],
    "=": ["exactly {n} on {}", "chance of a {n} on {}", "{} equals {n}", "{} is {n}"],
}


@pytest.mark.parametrize("written", SUMS)
def test_words_around_an_expression_ask_what_its_notation_asks(written):
    def value(text):
        return ask(shlex.join(words_of(text))).value("value")

    plain = written.replace("d20 with advantage", "2d20kh1")
    assert {value(words.format(written)) for words in AROUND} == {value(plain)}
    for sign, texts in COMPARED.items():
        wanted = ask(shlex.join(["dice", "chance", f"({plain}) {sign} 9"])).value("value")
        assert {value(words.format(written, n=9)) for words in texts} == {wanted}


SIXES = {
    "at least {} sixes in 5d6": operator.ge,
    "{} or more sixes with 5 dice": operator.ge,
    "{}+ 6s on 5d6": operator.ge,
    "chance of at most {} 6s in 5 throws": operator.le,
    "{} or fewer 6s in 5d6": operator.le,
    "more than {} sixes on 5 dice": operator.gt,
    "fewer than {} 6s in 5d6": operator.lt,
    "exactly {} sixes on 5 dice": operator.eq,
}


@pytest.mark.parametrize("words", SIXES)
@pytest.mark.parametrize("number", [1, 2, 3])
def test_sixes_are_counted_by_the_binomial_distribution(words, number):
    wanted = sum(
        comb(5, sixes) * mpq(1, 6) ** sixes * mpq(5, 6) ** (5 - sixes)
        for sixes in range(6)
        if SIXES[words](sixes, number)
    )
    assert ask(shlex.join(words_of(words.format(number)))).value("value") == wanted


#: Texts without an answer; those that resemble one, and words of the error.
HINTED = rows_of("tables/hinted")


@pytest.mark.parametrize(("text", "better", "says"), HINTED, ids=[row[0] for row in HINTED])
def test_a_text_without_an_answer_gets_a_hint_that_has_one(text, better, says):
    words = words_of(text)
    if says:
        with pytest.raises(ExactDiceError) as problem:
            question(shlex.join(words))
        assert says in str(problem.value)
    else:
        assert not words
    proposed = near(text)
    assert any(one.startswith(better) for one in proposed) if better else not proposed
    for one in proposed:
        assert words_of(one) or question(one)


def test_a_hundred_texts_and_all_examples_are_tried():
    assert len(ANSWERED) + len(HINTED) > 120
    for text in EXAMPLES:
        assert words_of(text) or question(text)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("farkle 115346", "farkle advise --roll 1,1,5,3,4,6"),
        ("risk 12 v 8", "risk win 12 8"),
        ("12 v 8 -q", "risk win 12 8 --quiet"),
        ("12 v 8 -h", "risk win --help"),
    ],
)
def test_a_game_and_a_number_is_a_text_to_the_program_too(capsys, text, command):
    said = [(main(words.split()), capsys.readouterr().out) for words in (text, command)]
    assert said[0] == said[1]
    assert main(["risk", "12", "of"]) == 2  # no text either
    assert "No such command '12'" in capsys.readouterr().err


def test_texts_of_up_to_120_characters_are_rewritten():
    for dice, rewritten in (("2d6", True), ("12d6", False)):
        text = dice + "+1" * 53 + " at least 7"
        assert (len(text) <= 120, words_of(text)[1] == "chance") == (rewritten, rewritten)
