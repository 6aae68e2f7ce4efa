"""Expressions over dice against the listing of all rolls; short forms, errors and reports."""

import json
import pickle
import shlex
from collections import Counter
from decimal import Decimal
from itertools import chain, product
from math import comb

import pytest
from cases import rows_of
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st
from measured import asking

from exactdice.cli import main
from exactdice.dice import Distribution, d, fair
from exactdice.dice.expressions import law, read_expression
from exactdice.dice.questions import DiceDistribution, Expression
from exactdice.errors import InputError, TooLargeError
from exactdice.report.eyes import bytes_of_rationals
from exactdice.rooms import ask, question
from exactdice.run import Run


def enumerated(dice, shown):
    rolls = [shown(roll) for roll in product(*dice)]
    counts = Counter(rolls)
    return {outcome: mpq(number, len(rolls)) for outcome, number in counts.items()}


D4, D6, D8 = (range(1, sides + 1) for sides in (4, 6, 8))


@pytest.mark.parametrize(
    ("text", "dice", "shown"),
    [
        ("3d8 keep middle", [D8] * 3, lambda roll: sorted(roll)[1]),
        ("(2d4, d8) keep highest 2", [D4, D4, D8], lambda roll: sum(sorted(roll)[1:])),
        ("(2d4, d6 + 1) keep lowest", [D4, D4, D6], lambda r: min(*r[:2], r[2] + 1)),
        ("(2d6, d4) count = 4", [D6, D6, D4], lambda roll: roll.count(4)),
        ("max(d6, 2d4)", [D6, D4, D4], lambda roll: max(roll[0], roll[1] + roll[2])),
        ("min(d6, d4, 3)", [D6, D4], lambda roll: min(*roll, 3)),
        ("d6 * d4 // 3 % 5", [D6, D4], lambda roll: roll[0] * roll[1] // 3 % 5),
        ("-d6 // 4", [D6], lambda roll: -roll[0] // 4),
        ("2 * (d6 > d4) + 1", [D6, D4], lambda roll: 2 * (roll[0] > roll[1]) + 1),
        ("2d{-1,0,0,7}", [(-1, 0, 0, 7)] * 2, sum),
        ("(d4 > 2)d6", [D4, D6], lambda roll: roll[1] if roll[0] > 2 else 0),
        ("d4 explode once", [D4, D4], lambda roll: sum(roll) if roll[0] == 4 else roll[0]),
        ("3d6 drop lowest: count 6", [D6] * 3, lambda roll: sorted(roll)[1:].count(6)),
        ("4d4 kh3 kl2: 9 * highest + lowest + total", [D4] * 4,
         lambda r: 10 * sorted(r)[2] + 2 * sorted(r)[1]),
        ("(0d6, d4, 0d8) keep lowest", [D4], min),
        ("{d6, {1,3}@3d4} keep highest", [D6, D4, D4, D4], lambda r: max(r[0], sum(r[1:]) -
         sorted(r[1:])[1])),
        ("2d4 explode on 1 once keep highest", [D4] * 4,
         lambda r: max(r[0] + r[2] * (r[0] == 1), r[1] + r[3] * (r[1] == 1))),
    ],
)  # fmt: skip
def test_expressions_equal_the_enumeration_of_all_rolls(text, dice, shown):
    assert law(text).probabilities() == enumerated(dice, shown)


LEAVES = [
    *("3d6", "d%", "4d6kh3", "(2d6,d8) keep lowest 2", "7", "2d6 != 3", "d{-1,2}", "(d4)d6"),
    *("5d6 explode 2 times count >=6", "d8 reroll 1 once explode on 8,7 3 times", "3d4 dl")
]  # fmt: skip
TEXTS = st.recursive(
    st.sampled_from(LEAVES),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*%<>="), inner).map("({0[0]}){0[1]}({0[2]})".format),
        st.tuples(inner, inner).map("max({0[0]}, {0[1]})".format),
        inner.map("-({})".format),
        inner.map("({})//2".format),
    ),
    max_leaves=5,
)


def test_dice_chance_compares_totals():
    assert ask("dice chance 3d6>=10") == ask("dice chance '3d6 >= 10'")
    assert ask("dice chance 3d6>10") == ask("dice chance '3d6 > 10'")
    counted = ask("dice chance '(5d10 count >= 8) >= 2'")
    # Source: the binomial distribution of five dice that succeed with 3/10.
    assert counted.value("value") == 1 - mpq(7, 10) ** 5 - 5 * mpq(3, 10) * mpq(7, 10) ** 4
    with pytest.raises(InputError, match=r"5d10 count >= 8 .Roll20"):
        ask("dice chance '(5d10>=8) >= 2'")


def test_a_caret_marks_the_part_that_is_too_large():
    with pytest.raises(TooLargeError) as problem:
        law("2 + 100000d100000")
    line, expression, caret = str(problem.value).split("\n")
    assert line.startswith("the sum of 100000 outcomes between 1 and 100000 needs about ")
    assert expression == "  2 + 100000d100000"
    assert caret.index("^") == expression.index("100000d")


@given(TEXTS)
def test_written_forms_are_read_back(text):
    written = read_expression(text)
    assert read_expression(written) == written
    made = DiceDistribution(text)
    assert question(str(made)) == made == question(json.dumps(made.to_json()))
    assert pickle.loads(pickle.dumps(made)) == made  # noqa: S301 - our own


@pytest.mark.parametrize(("text", "message"), [*rows_of("tables/dice_errors"),
    ("(" * 40, "got more than 30 nested parentheses; expected at most 30"),
    ("1+" * 300, "got 600 characters; expected at most 400"),
    ("9" * 300, "got 9"),
    (7, "got 7; expected a dice expression such as 3d6 + 2")])  # fmt: skip
def test_errors_of_expressions_are_one_line_with_the_place_below(text, message):
    with pytest.raises(InputError) as problem:
        law(Expression().read(text, "expression"))
    assert str(problem.value).startswith(f"expression: {message}")
    _, *place = str(problem.value).split("\n")
    if text in ("", 7) or "characters" in message:
        assert not place
    else:
        shown, caret = place
        assert caret.strip() == "^"
        assert caret.index("^") <= len(shown)


def test_thirty_nested_parentheses_are_read():
    assert law(read_expression("(" * 30 + "d6" + ")" * 30)) == fair(6)
    assert law(read_expression("+".join(["(1)"] * 40))).mean() == 40


@pytest.mark.parametrize(("text", "faces"), [("d97 * d89", 97 + 89), ("3d150 keep highest 3", 150)])
def test_memory_estimates_cover_all_outcomes(text, faces):
    run, asked = asking()
    outcomes = len(law(text, run))
    assert max(needed for needed, _ in asked) > 50 * outcomes > 50 * faces


@pytest.mark.parametrize("text", ["90000d90000", "d90000 * d90000", "200d6 keep highest 100"])
def test_distributions_beyond_the_memory_limit_are_rejected(text):
    with pytest.raises(TooLargeError, match="needs about"):
        law(text, Run(memory=2**16))


@pytest.mark.parametrize(("text", "most"), [
    *(("{}", 10**15 - 1), ("2d6 count > {}", 10**15 - 1), ("{}d6", 10**5), ("d{}", 10**5)),
    *(("d{{0,{}}}", 10**5), ("d100000 reroll {}", 10**5), ("d6 explode {} times", 1000)),
    ("[count {} in 4d6]", 10**15 - 1),
    *(("4d6 keep highest {}", 4), ("4d6 keep middle {}", 4), ("4d6 drop lowest {}", 3))
])  # fmt: skip
def test_numbers_are_read_up_to_their_limits(text, most):
    assert str(most) in read_expression(text.format(most))
    with pytest.raises(InputError, match=f"got {most + 1}.*{most}"):
        read_expression(text.format(most + 1))


@pytest.mark.slow
def test_comparisons_of_many_outcomes_are_fast():
    # Source: n of n² pairs are equal, and in half of the others the left one is higher; the highest
    # of two is at most f with probability (f/n)². There are 10¹⁰ pairs.
    n = 10**5
    assert law(f"d{n} > d{n}").probability(True) == mpq(n - 1, 2 * n)
    assert law(f"d{n} = d{n}").probability(True) == mpq(1, n)
    assert law(f"max(d{n}, d{n})").cdf(7) == mpq(7, n) ** 2
    assert law(f"min(d{n}, d{n})").probability(n) == mpq(1, n) ** 2


def test_division_by_a_possible_0_is_rejected():
    assert law("6 // d3").probability(6) == mpq(1, 3)  # 6, 3 or 2
    for sign in ("//", "%"):
        with pytest.raises(InputError, match="a divisor that is never 0 after"):
            law(f"6 {sign} (d3 - 1)")


@pytest.mark.parametrize(("text", "one_form"), rows_of("tables/dice_short"))
def test_short_forms_are_written_in_words(text, one_form):
    """The written form is by the grammar of `exactdice help grammar`."""
    assert read_expression(text) == one_form == read_expression(one_form)


def test_expressions_have_at_most_400_characters():
    ones = "+1" * 99  # written "1000 + 1 + …": 4 + 99 * 4 characters
    assert len(read_expression("1000" + ones)) == 400
    assert read_expression("1" + " " * 399) == "1"


def test_limits_of_faces_and_dice():
    assert read_expression("d{7,1..99999}") == "d{7,1..99999}"
    assert read_expression("d{0..99999}") == "d{0..99999}"
    # Source: a die of one face, as many times as there are dice.
    assert law("(100000)d1").probability(100_000) == 1
    assert law("(d2 - 1)d1").probability(0) == mpq(1, 2)
    # No dice count as one that shows 0.
    assert law("(0d6, 2d4) keep highest 2") == law("2d4")
    assert law("{d4 > 2, 2d4} drop highest").mean() == mpq(1, 2)


@pytest.mark.parametrize(("text", "place", "said"), [
    ("4d6 keep higest 3", 9, "did you mean highest?"),
    ("highest 3 of 4d6", 0, "[highest 3 of 4d6]"), ("4d6d1", 3, "dl1"), ("2d6r1", 3, "ro1"),
    ("d20 / 2", 4, "//"), ("d6 & d8", 3, "d6 > 2 and d8 > 3"), ("d20min10", 3, "max(10, d20)"),
    ("2d6 + 4d6 keep highest 5", 23, "from 1 to 4"),
    ("d6 + 4 // (d2 - 1)", 5, "a divisor that is never 0 after //"),
    ("3d6 10", 4, "quotation marks"), ("1 + " * 40 + "d0", 161, "number of faces")
])  # fmt: skip
def test_errors_show_the_place_and_a_suggestion(text, place, said):
    with pytest.raises(InputError) as problem:
        law(text)
    line, shown, caret = str(problem.value).split("\n")
    assert said in line
    at = caret.index("^")
    here = shown[2:].removeprefix("…")
    assert text[place:].startswith(here[at - len(shown) + len(here) :])


def test_omitted_probability_adds_up_over_dice():
    def left_out(text):
        return ask(f"dice distribution '{text}'").value("left_out")

    one, coin = left_out("d6!"), left_out("d2!")
    assert 0 < one < coin
    assert left_out("d6 reroll 1 explode") == left_out("d{2..6} explode")
    assert left_out("3d6!") == 3 * one
    assert left_out("d(d6!)") == left_out("(d6!)d4") == left_out("d6! + 2") == one
    assert left_out("(d4)d(d6!)") == 4 * one
    assert left_out("(1 + d2!)d(d6!)") == max(law("1 + d2!")) * one + coin


@pytest.mark.parametrize("words", ["{roll} v {number}", "{number} vs {roll}", "{roll} v. {number}"])
@pytest.mark.parametrize(("roll", "dice", "shown", "number"), [
    ("2d20kh1+5", [range(1, 21)] * 2, lambda faces: max(faces) + 5, 15),
    ("d20+5", [range(1, 21)], lambda faces: faces[0] + 5, 15),
    ("2d6-d4", [range(1, 7)] * 2 + [range(1, 5)], lambda r: r[0] + r[1] - r[2], -1),
    ("d6", [range(1, 7)], sum, 9)
])  # fmt: skip
def test_a_roll_against_a_number_meets_or_beats_it(words, roll, dice, shown, number):
    totals = [shown(faces) for faces in product(*dice)]
    report = ask(f"dice compare '{words.format(roll=roll, number=number)}'")
    assert [(quantity.column.name, quantity.value) for quantity in report.quantities] == [
        ("value", mpq(sum(total >= number for total in totals), len(totals))),
        ("above", mpq(sum(total > number for total in totals), len(totals))),
        ("tie", mpq(totals.count(number), len(totals))),
        ("lose", mpq(sum(total < number for total in totals), len(totals))),
    ]


def test_exploding_dice_against_numbers_and_dice():
    # Source: 6k + 4 or more needs k sixes, and then a four, a five or a six.
    assert ask("dice compare '400 v d6!'").value("value") == mpq(1, 2) / 6**66
    assert ask("dice compare 'max(d6!, 2) v 8'").value("value") == mpq(5, 36)  # a six, two or more
    # Source: by symmetry; P(equal) from the faces below 6 and from both sixes.
    equal = mpq(5, 36) / (1 - mpq(1, 36))
    report = ask("dice compare 'd6! v d6!'")
    rolls = report.table("rolls")
    assert {report.value("tie"), *rolls.cells("ties")} == {equal}
    assert {report.value("value"), report.value("lose"), *rolls.cells("wins")} == {(1 - equal) / 2}
    assert rolls.cells("mean") == [mpq(21, 5)] * 2  # m = 7/2 + m/6
    means = ask("dice compare 'max(d6!, 2) v d6 v d6! * d6'").table("rolls").cells("mean")
    assert means == [mpq(21, 5) + mpq(1, 6), mpq(7, 2), mpq(21, 5) * mpq(7, 2)]
    assert ask("dice compare 'abs(d6! - 2) v d6'").table("rolls").cells("mean")[0] is None


def test_two_numbers_or_three_rolls_have_no_target():
    for rolls, names in (("3 v 2", ["value", "tie", "lose"]), ("d6 v 2 v d4", ["value", "tie"])):
        report = ask(f"dice compare '{rolls}'")
        assert [quantity.column.name for quantity in report.quantities] == names


def test_words_need_no_quotation_marks(capsys):
    for words in (["4d6", "keep", "highest", "3"], ["4d6 keep highest 3"], ["4d6kh3"]):
        assert main(["dice", "distribution", *words]) == 0
        assert "15869/1296" in capsys.readouterr().out
    assert main(["dice", "distribution", "-d6", "-", "2"]) == 0
    assert "-11/2" in capsys.readouterr().out
    assert str(question("dice compare 4d6kh3 3d6")) == "dice compare '4d6 keep highest 3 vs 3d6'"
    assert str(question("dice compare 2d6 keep lowest vs d6")) == (
        "dice compare '2d6 keep lowest vs d6'"
    )
    assert main(["dice", "chance", "3d6"]) == 2
    error = capsys.readouterr().err
    assert "a comparison in quotation marks" in error
    assert (error.count("3d6\n"), error.count("^"), error.count("\n")) == (1, 1, 3)


#: Probability that each comparison holds, from those of totals below, equal and above.
HOLDS = {
    "<": lambda below, equal, above: below, "<=": lambda below, equal, above: below + equal,
    "=": lambda below, equal, above: equal, "!=": lambda below, equal, above: below + above,
    ">=": lambda below, equal, above: equal + above, ">": lambda below, equal, above: above
}  # fmt: skip


@pytest.mark.parametrize("sign", HOLDS)
def test_comparisons_of_unlimited_sums_are_exact(sign):
    def shows(total):  # sixes, and then another face
        sixes, face = divmod(total, 6)
        return mpq(1, 6 ** (sixes + 1)) if face else mpq(0)

    for bound in (0, 1, 5, 6, 7, 14):
        below, equal = sum(map(shows, range(bound)), mpq(0)), shows(bound)
        expected = HOLDS[sign](below, equal, 1 - below - equal)
        assert ask(f"dice chance 'd6! {sign} {bound}'").value("value") == expected
    # At most 20 explosions reach these totals.
    often = d(6).explode(20)
    for text, bounded in {
        "2d6! + d4 - 1": 2 @ often + d(4) - 1,
        "d4 - 2 + d6!": d(4) - 2 + often,
        "d6! - d4": often - d(4),
        "2d6 explode on 5,6 - 3": 2 @ d(6).explode(20, [5, 6]) - 3,
    }.items():
        below, equal = bounded.cdf(7), bounded.probability(8)
        expected = HOLDS[sign](below, equal, 1 - below - equal)
        assert ask(f"dice chance '{text} {sign} 8'").value("value") == expected


@pytest.mark.parametrize(("text", "chance", "odds"), [
    ("d6! * 2 >= 4", mpq(5, 6), "5:1"),  # all except a one
    ("4 - d6! <= 2", mpq(5, 6), "5:1"), ("max(d6!, 2) >= 3", mpq(4, 6), "2:1"),
    ("d6! > d6!", mpq(3, 7), "3:4"),  # equal with probability 5/36 : (1 − 1/36) = 1/7
    ("d6! - d6! < 0", mpq(3, 7), "3:4"), ("abs(d6! - 4) >= 3", mpq(2, 6), "1:2"),
    ("d6! * 2 >= 2", mpq(1), "1:0"),
    ("d6! * 2 < 2", mpq(0), "0:1"), ("d6! > 1 and not d4! = 1", mpq(15, 24), "5:3"),
    ("d6! > 1 or d4! > 1", mpq(23, 24), "23:1"), ("(2d6!! count >= 7) = 2", mpq(1, 36), "1:35"),
    ("(2d6!! count {4,8}) = 2", (mpq(1, 6) + mpq(1, 36)) ** 2, "49:1247"),
    ("d6! > 5 if d4 > 1 else d8! > 7", mpq(3, 4) / 6 + mpq(1, 4) / 8, "5:27"),
    ("max(d6!, d8!, d10!, d12!) >= 8", 1 - mpq(31, 36) * mpq(7, 8) * mpq(7, 10) * mpq(7, 12), ""),
    ("8 <= max(d6!, d8!, d10!, d12!)", 1 - mpq(31, 36) * mpq(7, 8) * mpq(7, 10) * mpq(7, 12), ""),
    ("(not d6! > 2) > 0", mpq(2, 6), "1:2"),  # a one or a two
    # Source: by hand, more than 2, 4, 6 and 8.
    ("d4: d6! > total * 2", (mpq(4, 6) + mpq(2, 6) + mpq(1, 6) + mpq(4, 36)) / 4, "23:49"),
    # Source: by symmetry, two of three are at least 4, each with probability 1/2.
    ("3d6!! keep middle >= 4", mpq(1, 2), "1:1"),
    ("d6! * d6 >= 2", mpq(35, 36), "35:1"),  # all except two ones
    ("abs(d6! - 1) + 1 >= 2", mpq(5, 6), "5:1"), ("d6! // 2 >= 1", mpq(5, 6), "5:1"),
    ("d6! % 2 = 1", mpq(3, 5), "3:2")  # the last face is 1 to 5, the sixes before it are even
])  # fmt: skip
def test_probabilities_of_unlimited_rolls_are_exact(text, chance, odds):
    report = ask(f"dice chance '{text}'")
    names = [quantity.column.name for quantity in report.quantities]
    assert (names, report.value("value")) == (["value", "odds"], chance)
    assert report.value("odds") == (odds or f"{chance.numerator}:{(1 - chance).numerator}")


@pytest.mark.parametrize(("text", "chance"), [
    ("d6! * (d6 - 7) <= -2", mpq(35, 36)),  # all except 1 * -1
    ("abs(d6! - 2) + 1 >= 2", mpq(5, 6)), ("d4! * d6! >= 1", mpq(1)), ("d4! * d6! < 1", mpq(0)),
    ("(2d6! : total >= 3)", mpq(35, 36)),
    # One of two dice is 4, and explodes.
    ("2d4!!: highest >= 5", mpq(7, 16)), ("2d4!!kh1: total >= 5", mpq(7, 16))
])  # fmt: skip
def test_other_probabilities_of_unlimited_rolls_are_enclosed(text, chance):
    report = ask(f"dice chance '{text}'")
    enclosed, left_out = report.value("value"), report.value("left_out")
    assert chance in enclosed
    assert enclosed.upper <= 1
    assert enclosed.lower >= 0
    assert enclosed.width == left_out * (1 if chance in (0, 1) else 2)
    assert "odds" not in [quantity.column.name for quantity in report.quantities]
    assert "only bounds" in report.provenance.conventions["explode"]


def test_distant_numbers_are_answered_by_an_enclosure():
    # Source: 6k + 5 or more needs k sixes, and then a five or a six.
    assert ask("dice chance 'd6! >= 4001'").value("value") == mpq(1, 3) / 6**666
    far = ask("dice chance 'd6! >= 4002'")
    assert mpq(1, 6**667) in far.value("value")
    assert far.value("value").width == far.value("left_out")
    assert ask("dice chance 'd10000 >= 5001'").value("value") == mpq(1, 2)


def test_explosions_are_followed_to_one_in_a_trillion():
    # Exactly one d10 in 10¹² explodes again after eleven explosions, which is not fewer.
    assert ask("dice distribution 'd10!'").value("left_out") == mpq(1, 10**13)
    assert ask("dice distribution 'd6 explode on 1..5'").value("left_out") == mpq(5, 6) ** 152
    assert mpq(5, 6) ** 152 < mpq(1, 10**12) < mpq(5, 6) ** 151
    # The highest face explodes, here with probability 1/4.
    assert ask("dice distribution 'd{1,1,1,2}!'").value("left_out") == mpq(1, 4) ** 20
    assert mpq(1, 4) ** 20 < mpq(1, 10**12) < mpq(1, 4) ** 19


@pytest.mark.parametrize(
    ("text", "odds"),
    [("d6 >= 4", "1:1"), ("2d6 >= 10", "1:5"), ("d8 > d6", "9:7"), ("d6 > 0", "1:0"),
     ("d6 < 1", "0:1")],
)  # fmt: skip
def test_odds_are_those_of_listed_rolls(text, odds):
    assert ask(f"dice chance '{text}'").value("odds") == odds


def test_all_columns_of_a_comparison_equal_the_listing_of_all_rolls():
    dice = {"d4": range(1, 5), "2d2 - 1": [1, 2, 2, 3], "d{-1,3,5}": (-1, 3, 5), "d2 > 1": (0, 1)}
    report, rolls = ask(f"dice compare '{' vs '.join(dice)}'"), list(product(*dice.values()))
    names = [f"{place}: {text}" for place, text in enumerate(dice, 1)]
    alone = [mpq(sum(r[i] > max(r[:i] + r[i + 1 :]) for r in rolls), len(rolls)) for i in range(4)]
    highest = [mpq(sum(r[i] == max(r) for r in rolls), len(rolls)) for i in range(4)]
    assert list(report.table("rolls").rows) == [
        (name, mpq(sum(faces), len(faces)), wins, top - wins)
        for name, faces, wins, top in zip(names, dice.values(), alone, highest, strict=True)
    ]
    assert report.value("value") == alone[0]
    assert report.value("tie") == 1 - sum(alone)
    outcomes = sorted({*chain(*dice.values())})
    assert list(report.table("outcomes").rows) == [
        (x, *chain(*((mpq(faces.count(x), len(faces)), mpq(sum(y >= x for y in faces), len(faces)),
                      mpq(sum(y <= x for y in faces), len(faces)))
                     for faces in map(list, dice.values()))))
        for x in outcomes
    ]  # fmt: skip
    assert [quantity.column.name for quantity in report.quantities] == ["value", "tie"]
    left_out = ask("dice distribution 'd6!'").value("left_out")
    assert ask("dice compare 'd6! vs d6 vs d6!'").value("left_out") == 2 * left_out


@pytest.mark.parametrize("text", ["3d6 + 2", "-3d6", "2d6 keep highest", "7"])
def test_dice_chance_requires_a_comparison(text):
    with pytest.raises(InputError, match="expected a comparison in quotation marks") as problem:
        question({"question": "dice chance", "expression": text})
    assert str(problem.value).endswith(f"\n  {' ' * len(text)}^")  # after the text


def test_all_columns_of_a_distribution_equal_the_listing_of_all_rolls():
    rolls = sorted(max(pair) - 2 for pair in product(range(1, 5), repeat=2))
    report, mean = ask("dice distribution '2d4 keep highest - 2'"), mpq(sum(rolls), 16)
    variance = mpq(sum(x * x for x in rolls), 16) - mean**2
    assert [q.value for q in report.quantities[:2]] == [mean, variance]
    root = (Decimal(int(variance.numerator)) / int(variance.denominator)).sqrt()
    assert report.value("standard_deviation") == f"√({variance}) ≈ {root:.10f}"
    assert report.value("median") == rolls[7]
    assert list(report.table("outcomes").rows) == [
        (x, *(mpq(n, 16) for n in (rolls.count(x), sum(y >= x for y in rolls),
                                   sum(y <= x for y in rolls))))
        for x in sorted(set(rolls))
    ]  # fmt: skip
    names = [column.name for column in report.table("outcomes").columns]
    assert names == ["outcome", "probability", "at_least", "at_most"]
    event = ask("dice distribution 'd6 >= 5'")
    assert [column.name for column in event.table("outcomes").columns] == names[:2]
    assert list(event.table("outcomes").rows) == [(False, mpq(2, 3)), (True, mpq(1, 3))]


@pytest.mark.parametrize(
    ("text", "dice"),
    [("2d4 = 4", 2), ("3d4 < 2", 3), ("d4 >= 4", 0), ("2d4 + 1 >= 4", 0), ("4 <= 2d4", 0),
     ("(d2)d4 >= 4", 0), ("2d4 >= d4", 0), ("2d4 keep highest >= 4", 0)],
)  # fmt: skip
def test_comparisons_of_equal_dice_also_count_single_dice(text, dice):
    report = ask(f"dice distribution '{text}'")
    assert [table.name for table in report.tables] == ["outcomes", "dice"][: 1 + (dice > 0)]
    if dice:
        chances = [mpq(comb(dice, k) * 3 ** (dice - k), 4**dice) for k in range(dice + 1)]
        assert list(report.table("dice").rows) == list(enumerate(chances))


def test_tables_count_as_memory():
    """Three rationals for each outcome of a distribution, two in a comparison."""
    run, asked = asking()
    ask("dice distribution 3d6", run)
    needed = bytes_of_rationals(3 * 16, (6**3).bit_length())
    assert asked[-1] == (needed, "the table of 3d6")
    ask("dice compare 'd6 vs d8 vs 2d6'", run)
    bits = sum(n.bit_length() for n in (6, 8, 36))
    needed = bytes_of_rationals(2 * (6 + 8 + 11), bits)
    assert asked[-1] == (needed, "the comparison")


def test_from_two_to_twenty_expressions_are_compared():
    for number in (2, 20):
        assert len(ask(f"dice compare {' '.join(['d6'] * number)}").table("rolls").rows) == number


@pytest.mark.parametrize("text", ["3d6 = 2 = 3", "2 <= 3d6 <= 5"])
def test_a_second_comparison_is_refused_with_what_to_do(text):
    with pytest.raises(InputError, match="one comparison only, or 2d6: total >= 5 and total <= 9"):
        ask(f"dice chance {shlex.quote(text)}")


def test_faces_of_a_roll_keep_their_types_in_reports():
    die = Distribution({(True, 1, "a", mpq(1, 2)): 1})
    table = die.report().table("outcomes")
    assert list(table.rows) == [(("True", 1, "a", "1/2"), mpq(1))]
    assert [column.name for column in table.columns] == ["outcome", "probability"]
