"""Expressions over dice, against enumeration of all rolls, and what is refused."""

import json
import pickle
from collections import Counter
from itertools import product

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st
from measured import asking

from exactdice.dice import fair
from exactdice.dice.expressions import law, read_expression
from exactdice.dice.questions import DiceDistribution, Expression
from exactdice.errors import InputError, TooLargeError
from exactdice.rooms import ask, question
from exactdice.run import Run


def enumerated(dice, shown):
    """The law of a function of several dice, by going through every roll."""
    rolls = [shown(roll) for roll in product(*dice)]
    counts = Counter(rolls)
    return {outcome: mpq(number, len(rolls)) for outcome, number in counts.items()}


D4, D6, D8 = (range(1, sides + 1) for sides in (4, 6, 8))


@pytest.mark.parametrize(
    ("text", "dice", "shown"),
    [
        ("3d6", [D6] * 3, sum),
        ("d6 + d8 - 2", [D6, D8], lambda roll: sum(roll) - 2),
        ("2d4 - 3d6", [D4] * 2 + [D6] * 3, lambda roll: sum(roll[:2]) - sum(roll[2:])),
        ("4d6 keep highest 3", [D6] * 4, lambda roll: sum(sorted(roll)[1:])),
        ("4d6 drop lowest", [D6] * 4, lambda roll: sum(sorted(roll)[1:])),
        ("4d6 drop highest 2", [D6] * 4, lambda roll: sum(sorted(roll)[:2])),
        ("3d8 keep middle", [D8] * 3, lambda roll: sorted(roll)[1]),
        ("(2d4, d8) keep highest 2", [D4, D4, D8], lambda roll: sum(sorted(roll)[1:])),
        ("(2d4, d6 + 1) keep lowest", [D4, D4, D6], lambda r: min(*r[:2], r[2] + 1)),
        ("4d6 count >= 5", [D6] * 4, lambda roll: sum(face >= 5 for face in roll)),
        ("(2d6, d4) count = 4", [D6, D6, D4], lambda roll: roll.count(4)),
        ("max(d6, 2d4)", [D6, D4, D4], lambda roll: max(roll[0], roll[1] + roll[2])),
        ("min(d6, d4, 3)", [D6, D4], lambda roll: min(*roll, 3)),
        ("d6 * d4 // 3 % 5", [D6, D4], lambda roll: roll[0] * roll[1] // 3 % 5),
        ("-d6 // 4", [D6], lambda roll: -roll[0] // 4),
        ("2 * (d6 > d4) + 1", [D6, D4], lambda roll: 2 * (roll[0] > roll[1]) + 1),
        ("d6 != d6", [D6, D6], lambda roll: roll[0] != roll[1]),
        ("2d{-1,0,0,7}", [(-1, 0, 0, 7)] * 2, sum),
        ("(d4 > 2)d6", [D4, D6], lambda roll: roll[1] if roll[0] > 2 else 0),
        ("d4 explode once", [D4, D4], lambda roll: sum(roll) if roll[0] == 4 else roll[0]),
        ("d4 reroll 1,2 once", [D4, D4], lambda roll: roll[roll[0] <= 2]),
        ("2d4 explode on 1 once keep highest", [D4] * 4,
         lambda r: max(r[0] + r[2] * (r[0] == 1), r[1] + r[3] * (r[1] == 1))),
    ],
)  # fmt: skip
def test_an_expression_has_the_law_that_enumeration_of_all_rolls_gives(text, dice, shown):
    assert law(text).probabilities() == enumerated(dice, shown)


@given(st.integers(1, 4), st.integers(1, 6), st.integers(0, 3), st.integers(-4, 9))
def test_sums_of_dice_and_numbers_are_those_of_enumeration(number, sides, others, more):
    text = f"{number}d{sides} - {others}d3 + {more}" if more >= 0 else f"{number}d{sides} - 9"
    dice = [range(1, sides + 1)] * number + ([range(1, 4)] * others if more >= 0 else [])
    shift = more if more >= 0 else -9
    found = enumerated(dice, lambda r: sum(r[:number]) - sum(r[number:]) + shift)
    assert law(text).probabilities() == found


def test_dice_that_are_rolled_again_without_end_have_the_law_of_a_die_without_those_faces():
    assert law("d6 reroll 1,2") == law("d4 + 2")
    assert law("d%") == fair(100)


TEXTS = st.recursive(
    st.sampled_from(
        [
            *(
                "3d6",
                "d%",
                "4d6kh3",
                "(2d6,d8) keep lowest 2",
                "7",
                "2d6 != 3",
                "d{-1,2}",
                "(d4)d6",
            ),
            *("5d6 explode 2 times count >=6", "d8 reroll 1 once explode on 8,7 3 times", "3d4 dl"),
        ]
    ),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*%<>="), inner).map("({0[0]}){0[1]}({0[2]})".format),
        st.tuples(inner, inner).map("max({0[0]}, {0[1]})".format),
        inner.map("-({})".format),
        inner.map("({})//2".format),
    ),
    max_leaves=5,
)


def test_a_chance_is_about_totals_however_it_is_written():
    assert ask("dice chance 3d6>=10") == ask("dice chance '3d6 >= 10'")
    assert ask("dice chance 3d6>10") == ask("dice chance '3d6 > 10'")
    counted = ask("dice chance '(5d10 count >= 8) >= 2'")
    # Source: the binomial law of five dice that succeed with 3/10.
    assert counted.value("value") == 1 - mpq(7, 10) ** 5 - 5 * mpq(3, 10) * mpq(7, 10) ** 4
    with pytest.raises(InputError, match=r"5d10 count >= 8 .Roll20"):
        ask("dice chance '(5d10>=8) >= 2'")


def test_what_is_too_large_has_a_caret_under_the_part():
    with pytest.raises(TooLargeError) as problem:
        law("2 + 100000d100000")
    line, expression, caret = str(problem.value).split("\n")
    assert line.startswith("the sum of 100000 outcomes between 1 and 100000 needs about ")
    assert expression == "  2 + 100000d100000"
    assert caret.index("^") == expression.index("100000d")


@given(TEXTS)
def test_an_expression_is_read_back_from_its_one_form(text):
    written = read_expression(text)
    assert read_expression(written) == written
    made = DiceDistribution(text)
    assert question(str(made)) == made == question(json.dumps(made.to_json()))
    assert pickle.loads(pickle.dumps(made)) == made  # noqa: S301 - our own


def test_equal_expressions_have_one_form_and_parentheses_that_matter_stay():
    assert read_expression("4D6 KH 3 + ( 2 )") == "4d6 keep highest 3 + 2"
    assert read_expression("d6-(d4-1)") == "d6 - (d4 - 1)"
    assert read_expression("(d6-d4)-1") == "d6 - d4 - 1"
    assert read_expression("d6×2 ≥ 3") == "d6 * 2 >= 3"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expression: got the end of the text; expected dice such as 3d6, a number, or ("),
        ("3d", "expression: got the end of the text; expected the number of faces of a die"),
        ("3d0", "expression: got 0; expected the number of faces of a die, from 1 to 100000"),
        ("d6 d6", "expression: got 'd'; expected an operator such as + or >, or the end"),
        ("3d6 / 2", "expression: got '/'; expected // to divide and round down"),
        ("3d6 ^ 2", "expression: got '^'; expected a product, such as 2 * 2"),
        ("d6 > 2 and d8 > 3", "expression: got 'and'; expected (d6 > 2) * (d8 > 3) for both; dice"),
        ("output 3d6", "expression: got 'output'; expected only the expression"),
        ("4d6 best 3", "expression: got 'best'; expected keep highest"),
        ("3d6 ~ 2", "expression: got '~'; expected dice such as 3d6, numbers, + - * // % and"),
        ("4d6 keep", "expression: got the end of the text; expected highest or lowest or middle"),
        ("4d6 keep highest 5", "expression: got 5; expected the number of dice to keep, from 1"),
        ("4d6 keep middle", "expression: got 4d6 keep middle 1; expected a number that leaves an"),
        ("4d6 drop lowest 4", "expression: got 4; expected the number of dice to drop, from 0 to"),
        ("d6 drop lowest", "expression: got d6 drop; expected more than one die to drop from"),
        ("(d6 + d8) keep highest", "expression: got d6 + d8 keep; expected dice before keep,"),
        ("d6 explode reroll 1", "expression: got d6 explode reroll; expected explode as the last"),
        ("d1!", "expression: got explode; expected at least one face that does not roll again"),
        ("(d4)d6 explode once", "expression: got (d4)d6 explode; expected equal dice before"),
        ("2d2 reroll 1,2", "expression: got reroll 1,2; expected at least one face that does not"),
        ("(d6, d8)", "expression: got (d6, d8); expected dice to keep from a list"),
        ("(d6, d8) + 1", "expression: got (d6, d8); expected dice to keep from a list"),
        ("((d6, d8), d4) keep highest", "expression: got (d6, d8); expected dice to keep from a"),
        ("max((d6, d8), 3)", "expression: got (d6, d8); expected dice to keep from a list"),
        ("d6 // (d2 - 1)", "expression: got d6 // (d2 - 1); expected a divisor that is never 0"),
        ("(d4 - 2)d6", "expression: got (d4 - 2)d; expected 0 to 100000 dice before d"),
        ("100001d6", "expression: got 100001d; expected at most 100000 dice"),
        ("(" * 40, "expression: got more than 30 nested parentheses; expected at most 30"),
        ("1+" * 300, "expression: got 600 characters; expected at most 400"),
        ("9" * 300, "expression: got 9"),
        ("__import__('os')", "expression: got '_'; expected dice such as 3d6"),
        ("exit()", "expression: got 'exit'; expected dice such as 3d6, a number, or ("),
        ("4d6 keep highest 3 \n d", "expression: got 'd'; expected an operator"),
        (7, "expression: got 7; expected a dice expression such as 3d6 + 2"),
    ],
)
def test_what_is_no_expression_is_refused_in_one_line_and_its_place_shown_below(text, message):
    with pytest.raises(InputError) as problem:
        law(Expression().read(text, "expression"))
    line, *place = str(problem.value).split("\n")
    assert line.startswith(message)
    if text in ("", 7) or "characters" in message:
        assert not place
    else:
        shown, caret = place
        assert caret.strip() == "^"
        assert caret.index("^") <= len(shown)


def test_as_many_parentheses_are_read_as_the_refusal_says_and_any_number_side_by_side():
    assert law(read_expression("(" * 30 + "d6" + ")" * 30)) == fair(6)
    assert law(read_expression("+".join(["(1)"] * 40))).mean() == 40


@pytest.mark.parametrize(("text", "faces"), [("d97 * d89", 97 + 89), ("3d150 keep highest 3", 150)])
def test_the_memory_asked_for_a_law_holds_all_its_outcomes(text, faces):
    """Products of two primes, in either order, and sums: more outcomes than the dice have faces."""
    run, asked = asking()
    outcomes = len(law(text, run))
    assert max(needed for needed, _ in asked) > 50 * outcomes > 50 * faces


@pytest.mark.parametrize("text", ["90000d90000", "d90000 * d90000", "200d6 keep highest 100"])
def test_a_law_that_would_not_fit_into_memory_is_refused_before_it_is_begun(text):
    with pytest.raises(TooLargeError, match="needs about"):
        law(text, Run(memory=2**16))


def test_an_event_is_answered_by_its_chance_and_a_number_by_its_moments():
    assert ask("dice distribution 'd8 > d6'").value("value") == mpq(9, 16)  # 27 of 48 pairs
    report = ask("dice distribution 2d6")
    assert report.value("value") == 7
    assert report.value("variance") == mpq(35, 6)  # twice 35/12
    assert report.value("median") == 7
    assert report.table("outcomes").cell("at_least", outcome=11) == mpq(1, 12)


def test_numbers_are_taken_up_to_their_limits():
    most = 10**15 - 1
    assert str(read_expression(f"{most} + 1")) == f"{most} + 1"
    assert str(read_expression("0000000000000000003d6")) == "3d6"  # whatever their length
    assert str(read_expression("100000d100000")) == "100000d100000"


@pytest.mark.parametrize(
    ("text", "most"),
    [
        *(("{}", 10**15 - 1), ("2d6 count > {}", 10**15 - 1), ("{}d6", 10**5), ("d{}", 10**5)),
        *(("d{{0,{}}}", 10**5), ("d100000 reroll {}", 10**5), ("d6 explode {} times", 1000)),
        ("[count {} in 4d6]", 10**15 - 1),
        *(("4d6 keep highest {}", 4), ("4d6 keep middle {}", 4), ("4d6 drop lowest {}", 3)),
    ],
)
def test_a_number_is_read_up_to_its_limit_and_refused_beyond(text, most):
    assert str(most) in read_expression(text.format(most))
    with pytest.raises(InputError, match=f"got {most + 1}.*{most}"):
        read_expression(text.format(most + 1))


@pytest.mark.slow
def test_many_outcomes_are_compared_in_the_time_that_many_outcomes_take():
    # Source: of n² pairs n are equal, and half of the others have the left one higher; the highest
    # of two is at most f with chance (f/n)². Pair by pair each is 10¹⁰ steps.
    n = 10**5
    assert law(f"d{n} > d{n}").probability(True) == mpq(n - 1, 2 * n)
    assert law(f"d{n} = d{n}").probability(True) == mpq(1, n)
    assert law(f"max(d{n}, d{n})").cdf(7) == mpq(7, n) ** 2
    assert law(f"min(d{n}, d{n})").probability(n) == mpq(1, n) ** 2


def test_nothing_is_divided_by_what_may_be_0():
    assert law("6 // d3").probability(6) == mpq(1, 3)  # 6, 3 or 2
    for sign in ("//", "%"):
        with pytest.raises(InputError, match="a divisor that is never 0 after"):
            law(f"6 {sign} (d3 - 1)")


# What is short on the left, by the grammar that `exactdice help dice` shows.
SHORT = """
[lowest 1 of 3d6] -> 3d6 keep lowest
[highest 3 of 3d6] -> 3d6 keep highest 3
[middle 2 of 4d6] -> 4d6 keep middle 2
[count 3 in 4d6] -> 4d6 count = 3
[count 0 in 4d{0,1}] -> 4d{0,1} count = 0
[count {0} in 2dF] -> 2d{-1..1} count {0}
[absolute of d6 - 3] -> abs(d6 - 3)
[explode d{1,2}] -> d{1,2} explode 2 times
d[highest 1 of 2d6] -> d(2d6 keep highest)
d(1) -> d1
d(100000) -> d100000
d6!! -> d6 explode
d6!6 -> d6 explode on 6
d6! 2 times -> d6 explode 2 times
d6!>=5 -> d6 explode on 5,6
d6x -> d6 explode
d6xo -> d6 explode once
d6x6 -> d6 explode on 6
d6 x once -> d6 explode once
d6x<3 -> d6 explode on 1,2
d6xo>=5 -> d6 explode on 5,6 once
d6! once -> d6 explode once
d6ro1 -> d6 reroll 1 once
d6ro<=2 -> d6 reroll 1,2 once
d6rr1 -> d6 reroll 1
d6 reroll < 3 -> d6 reroll 1,2
d6 reroll >= 6 -> d6 reroll 6
d6 explode on > 4 3 times -> d6 explode on 5,6 3 times
d8dis -> 2d8 keep lowest
d8adv -> 2d8 keep highest
dis -> 2d20 keep lowest
adv -> 2d20 keep highest
d{2,4,6} reroll > 2 -> d{2,4,6} reroll 4,6
d{-2..0} -> d{-2..0}
4d6 count 6 -> 4d6 count = 6
4d6 count {1,6..6} -> 4d6 count {1,6}
3d6 kh1 -> 3d6 keep highest
3d6 dh -> 3d6 drop highest
3d6 dl0 -> 3d6 drop lowest 0
d(d6) -> d(d6)
(2)d6 -> (2)d6
0d6 -> 0d6
1d6 -> d6
"""


@pytest.mark.parametrize("line", SHORT.strip().splitlines())
def test_what_is_short_has_its_form_in_words(line):
    text, one_form = line.split(" -> ")
    assert read_expression(text) == one_form == read_expression(one_form)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[highest 4 of 3d6]", "got 4 of 3d6; expected a number from 1 to 3"),
        ("[highest 0 of 3d6]", "got 0 of 3d6; expected a number from 1 to 3"),
        ("[lowest 1 of 5]", "got 1 of 5; expected dice, such as 4d6\n"),
        ("[count 3 in 5]", "got 3 of 5; expected dice, such as 4d6\n"),
        ("[middle 2 of 3d6]", "got 3d6 keep middle 2; expected a number that leaves an even"),
        ("[highest {1} of 3d6]", "got '{'; expected a number, or {5,6} to count"),
        ("[highest 1 in 3d6]", "got 'in'; expected of"),
        ("[count 1 of 3d6]", "got 'of'; expected in"),
        ("[absolute (d6, d8)]", "got (d6, d8); expected dice to keep from a list"),
        ("d(0)", "got 0; expected the number of faces of a die, from 1 to 100000"),
        ("d(100001)", "got 100001; expected the number of faces of a die, from 1 to 100000"),
        ("abs(1, 2)", "got 2 numbers; expected one number for abs"),
        ("2d6 adv", "got 2d6 adv; expected one die before adv, such as d20"),
        ("(d4)d6 adv", "got (d4)d6 adv; expected one die before adv, such as d20"),
        ("(d6 + 1) dis", "got d6 + 1 dis; expected one die before dis, such as d20"),
        ("(2d6, d8) explode", "got (2d6, d8) explode; expected equal dice before explode, such"),
        ("d(2d6) rr < 3", "got < 3; expected a list of faces with commas between"),
        ("d6 explode once rr < 3", "got < 3; expected a list of faces with commas betw"),
        ("d6 reroll > 6", "got > 6; expected a comparison that some faces of d6 satisfy; a blank"),
        ("d{3..2}", "got 3..2; expected faces in ascending order, 100000 at most"),
        ("d{0..100000}", "got 0..100000; expected faces in ascending order, 100000 at most"),
        ("d{7,7,1..99999}", "got 1..99999; expected faces in ascending order, 100000 at most"),
        ("d6! explode", "got d6 explode explode; expected explode as the last change"),
        ("d6 explode 0 times", "got 0; expected the maximum number of times, from 1 to 1000"),
        ("3d6 keep highest 0", "got 0; expected the number of dice to keep, from 1 to 3"),
        ("(d{0,100000} + 1)d1", "got (d{0,100000} + 1)d; expected 0 to 100000 dice before d"),
        ("(d4 - 2)d1", "got (d4 - 2)d; expected 0 to 100000 dice before d"),
        ("3d6 higest", "got 'higest'; expected an operator such as + or >, or the end; did you"),
        ("keep highest 3", "got 'keep'; expected dice before keep; put expressions of several"),
        ("floor(d6)", "got 'floor'; expected // to divide and round down"),
        ("3d6 (2)", "got '('; expected an operator such as + or >, or the end; put expressions"),
        ("3d6(2)", "got '('; expected an operator such as + or >, or the end\n"),
        ("3d6 keep (", "got '('; expected highest or lowest or middle\n"),
    ],
)
def test_what_is_out_of_place_is_refused_with_what_would_be_right(text, message):
    with pytest.raises(InputError) as problem:
        law(text)
    assert str(problem.value).startswith(f"expression: {message}")


def test_an_expression_is_as_long_as_four_hundred_characters_as_given_and_written_out():
    ones = "+1" * 99  # written "1000 + 1 + …": 4 + 99 * 4 characters
    assert len(read_expression("1000" + ones)) == 400
    with pytest.raises(
        InputError, match="got 401 characters when written out; expected at most 400"
    ):
        read_expression("10000" + ones)
    assert read_expression("1" + " " * 399) == "1"
    with pytest.raises(InputError, match="got 401 characters; expected at most 400"):
        read_expression("1" + " " * 400)


def test_as_many_faces_and_dice_are_taken_as_the_refusals_say():
    assert read_expression("d{7,1..99999}") == "d{7,1..99999}"
    assert read_expression("d{0..99999}") == "d{0..99999}"
    # Source: a die of one face, as many times as there are dice.
    assert law("(100000)d1").probability(100_000) == 1
    assert law("(d2 - 1)d1").probability(0) == mpq(1, 2)
    # A list takes no die as one that shows 0.
    assert law("(0d6, 2d4) keep highest 2") == law("2d4")
    assert law("{d4 > 2, 2d4} drop highest").mean() == mpq(1, 2)
