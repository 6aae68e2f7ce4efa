"""Texts as people type them: each has an answer, or a hint that leads to one.

Expected numbers are counted over all rolls in the notation of Python, or have their source beside
them.
"""

import shlex
from fractions import Fraction
from itertools import product

import pytest
from gmpy2 import mpq

from exactdice.cli import main
from exactdice.errors import ExactDiceError
from exactdice.rooms import ask, question
from exactdice.typed import EXAMPLES, near, words_of
from exactdice.web.forms import address_for


def over(dice, value):
    """The mean of a value of all rolls of dice with these numbers of faces."""
    rolls = [value(roll) for roll in product(*(range(1, faces + 1) for faces in dice))]
    return mpq(Fraction(sum(rolls), len(rolls)))


def best(kept):
    return lambda roll: sum(sorted(roll)[-kept:])


def at_least(number):
    return lambda roll: sum(roll) >= number


def count(wanted, face, least=None):
    return lambda roll: roll.count(face) == wanted if least is None else roll.count(face) >= wanted


MEAN_3D6, MEAN_4D6KH3 = over([6] * 3, sum), over([6] * 4, best(3))
WITH_ADVANTAGE = over([20, 20], lambda r: max(r) + 5 >= 15)
SEVEN = over([6, 6], lambda r: sum(r) == 7)
TEN_OR_MORE = over([6] * 3, at_least(10))
A_SIX_IN_FOUR = over([6] * 4, count(1, 6, least=1))

#: Text, command, and value.
ANSWERED = [
    ("4d6kh3", "dice distribution", MEAN_4D6KH3),
    ("4d6kh3 v 3d6", "dice compare", over([6] * 7, lambda r: best(3)(r[:4]) > sum(r[4:]))),
    ("2d20kh1+5 >= 15", "dice chance", WITH_ADVANTAGE),
    ("2d20kh1+5 v 15", "dice compare", WITH_ADVANTAGE),  # meets or beats
    ("d20+5 vs 15", "dice compare", over([20], lambda r: r[0] + 5 >= 15)),
    ("3d6>=10", "dice chance", TEN_OR_MORE),
    ("10d10>7", "dice chance", 1),  # the smallest sum is 10
    ("2d6=7", "dice chance", SEVEN),
    ("roll 3d6", "dice distribution", MEAN_3D6),
    ("10d10 count 8+", "dice distribution", 3),  # ten dice with three faces of ten
    ("10d10", "dice distribution", 55), ("100d6", "dice distribution", 350),
    ("advantage +5 vs AC 15", "dice chance", WITH_ADVANTAGE),
    ("-3", "dice distribution", -3), ("-d6", "dice distribution", mpq(-7, 2)),
    ("adv", "dice distribution", over([20, 20], max)),
    ("4d6 v 3d6", "dice compare", over([6] * 7, lambda r: sum(r[:4]) > sum(r[4:]))),
    ("4d6 drop lowest", "dice distribution", MEAN_4D6KH3),
    ("4d6 drop the lowest", "dice distribution", MEAN_4D6KH3),
    ("4d6 keep 3 highest", "dice distribution", MEAN_4D6KH3),
    ("best 3 of 4d6", "dice distribution", MEAN_4D6KH3),
    ("highest 3 of 4d6", "dice distribution", MEAN_4D6KH3),
    ("4d6d1", "dice distribution", MEAN_4D6KH3), ("4d6k3", "dice distribution", MEAN_4D6KH3),
    ("stat roll", "dice distribution", MEAN_4D6KH3),
    ("3d6!", "dice distribution", mpq(63, 5)),  # m = 7/2 + m/6 for a die that explodes
    ("exploding d6", "dice distribution", mpq(21, 5)),
    ("d6 exploding", "dice distribution", mpq(21, 5)),
    ("d%", "dice distribution", mpq(101, 2)), ("4dF", "dice distribution", 0),
    ("chance of 3 sixes with 5 dice", "dice chance", over([6] * 5, count(3, 6))),
    ("5 dice at least 2 sixes", "dice chance", over([6] * 5, count(2, 6, least=1))),
    ("two 6s in 4 rolls", "dice chance", over([6] * 4, count(2, 6))),
    ("at least one 6 in 4 rolls", "dice chance", A_SIX_IN_FOUR),
    ("at least one six in four dice", "dice chance", A_SIX_IN_FOUR),
    ("chance of two sixes", "dice chance", mpq(1, 36)),
    ("10d6 5s and 6s", "dice distribution", mpq(10, 3)),
    ("6d6 successes 5+", "dice distribution", 2), ("6d6 count 5+", "dice distribution", 2),
    ("5d10 count >= 8", "dice distribution", mpq(3, 2)),
    ("2d6 >= 7", "dice chance", over([6, 6], at_least(7))),
    ("7+ on 2d6", "dice chance", over([6, 6], at_least(7))),
    ("2d6 7+", "dice chance", over([6, 6], at_least(7))),
    ("probability of 7 on 2d6", "dice chance", SEVEN),
    ("chance of rolling 7 with 2 dice", "dice chance", SEVEN),
    ("What is the probability of rolling a 7 with two dice?", "dice chance", SEVEN),
    ("odds of rolling at least 10 on 3d6", "dice chance", TEN_OR_MORE),
    ("10 or more on 3d6", "dice chance", TEN_OR_MORE),
    ("3d6 10 or higher", "dice chance", TEN_OR_MORE),
    ("3 dice sum 10", "dice chance", over([6] * 3, lambda r: sum(r) == 10)),
    ("3d6 under 11", "dice chance", over([6] * 3, lambda r: sum(r) < 11)),
    ("3d6 roll under 11", "dice chance", over([6] * 3, lambda r: sum(r) <= 11)),
    ("d100 <= 45", "dice chance", mpq(45, 100)),
    ("d20 dc 15", "dice chance", mpq(6, 20)), ("d20+3 DC 15", "dice chance", mpq(9, 20)),
    ("to hit +7 vs AC 17", "dice chance", mpq(11, 20)),
    ("d20 adv +7 vs AC 17", "dice chance", over([20, 20], lambda r: max(r) >= 10)),
    ("advantage d20", "dice distribution", over([20, 20], max)),
    ("d20 with advantage", "dice distribution", over([20, 20], max)),
    ("disadvantage d20", "dice distribution", over([20, 20], min)),
    ("2d20kl1", "dice distribution", over([20, 20], min)),
    ("average of 4d6", "dice distribution", 14), ("mean of 3d6", "dice distribution", MEAN_3D6),
    ("what is the average of 2d6", "dice distribution", 7),
    ("how much is 2d6+3 on average", "dice distribution", 10),
    ("2 dice", "dice distribution", 7), ("two dice", "dice distribution", 7),
    ("a six with four dice", "dice chance", A_SIX_IN_FOUR),
    ("chance of a 6 in 4 throws", "dice chance", A_SIX_IN_FOUR),
    ("2 eight-sided dice", "dice distribution", 9),
    ("d8 vs d6", "dice compare", over([8, 6], lambda r: r[0] > r[1])),
    ("d8 > d6", "dice chance", over([8, 6], lambda r: r[0] > r[1])),
    ("3d6 or 2d8", "dice compare", over([6, 6, 6, 8, 8], lambda r: sum(r[:3]) > sum(r[3:]))),
    ("2d6 reroll 1s", "dice distribution", 8), ("d6 reroll ones", "dice distribution", 4),
    ("doubles", "dice chance", mpq(1, 6)), ("3w6", "dice distribution", MEAN_3D6),
    ("max(d20, d20)", "dice distribution", over([20, 20], max)),
    ("2D6+3", "dice distribution", 10), ("3 d 6", "dice distribution", MEAN_3D6),
    ("12 v 8", "risk win", None), ("12 v 8 risk", "risk win", None), ("12v8", "risk win", None),
    # The Risk post prints 6610505/10077696 for four against two.
    ("risk 4 v 2", "risk win", mpq(6610505, 10077696)),
    ("4 attackers against 2 defenders", "risk win", mpq(6610505, 10077696)),
    ("attack 4 defend 2", "risk win", mpq(6610505, 10077696)),
    ("4 attacking 2", "risk win", mpq(6610505, 10077696)),
    ("risk 30 v 3 2 1", "risk campaign", None),
    ("farkle 115346", "farkle advise", None), ("farkle 1 1 5 3 4 6", "farkle advise", None),
    ("115346", "farkle advise", None), ("farkle 555", "farkle advise", None),
    ("reroll 346", "reroll policy", mpq(103369, 7744)),  # the value that design papers print
    ("output 3d6", "anydice", MEAN_3D6), ("craps", "book craps", mpq(244, 495)),
    ("pig", "book pig", None), ("ur", "book ur", None), ("yahtzee", "book yahtzee", None),
    ("play pig", "book pig", None), ("yahtzee odds", "book yahtzee", None),
    ("yatzy", "book yahtzee --variant yatzy", None), ("kniffel", "book yahtzee", None),
    ("shut the box", "book shut-the-box", None), ("liar's dice", "book liars-dice", None),
    ("perudo", "book liars-dice", None), ("lcr", "book left-center-right", None),
    ("left center right", "book left-center-right", None), ("can't stop", "book cant-stop", None),
    ("ten thousand", "book ten-thousand", None), ("10,000", "book ten-thousand", None),
    ("The Royal Game of Ur", "book ur", None), ("zombie dice", "book zombie-dice", None),
    ("chutes and ladders", "book snakes-and-ladders", None),
    ("skunk", "book pig --variant skunk", None), ("risk odds", "book risk", None),
    ("piglet", "book pig --variant piglet", mpq(4, 7)),  # Neller and Presser 2004
    ("efron's dice", "book intransitive-dice", mpq(2, 3)),  # each beats the next with 2/3
    ("how to win at pig", "book pig", None), ("backgammon", "book backgammon", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "command", "value"), ANSWERED, ids=[row[0] for row in ANSWERED])
def test_a_text_is_read_as_the_command_whose_answer_is_meant(text, command, value):
    words = words_of(text)
    assert " ".join(words).startswith(command)
    assert question(shlex.join(words))
    assert address_for(text).startswith(("/play/", "/games/"))
    if value is not None:
        report = ask(shlex.join(words))
        at = "outputs" if command == "anydice" else ""
        assert (report.table(at).cells("mean")[0] if at else report.value("value")) == value


#: Texts without an answer; those that resemble one, and words of the error.
HINTED = [
    ("4d6hk3", "4d6kh3", "^"), ("8d6 fireball", "8d6", "^"), ("5d6 frobnicate", "5d6", "^"),
    ("d6/2", "d6//2", "//"), ("3d6 drop lowest 1 keep", "3d6 drop lowest 1", "^"),
    ("d6 d6", "d6", "^"), ("3x d6", "d6", "2d6 x"), ("d0", None, "from 1 to 100000"),
    ("12 v 0", None, "at least 1"), ("1 v 5", None, "one of them stays behind"),
    ("yatzee", "yahtzee", None), ("backgamon", "backgammon", None),
    ("shut box", "shut the box", None),
    ("monopoly", None, None), ("chess", None, None), ("hello", None, None),
    ("fireball", None, None),
    ("2d", None, None), ("d", None, None), ("large straight", None, None),
    ("risc win 4 2", "risk round", None), ("farkle 117", "farkle", None),
]  # fmt: skip


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
