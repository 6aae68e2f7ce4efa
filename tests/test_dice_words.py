"""Expressions in the words of several programs, against listing all rolls, and places of errors."""

import random
from collections import Counter
from contextlib import suppress
from decimal import Decimal
from itertools import product
from math import comb, prod

import pytest
from gmpy2 import mpq
from measured import asking

from exactdice.cli import main
from exactdice.dice import Distribution, d, fair
from exactdice.dice.expressions import law, read_expression
from exactdice.errors import ExactDiceError, InputError
from exactdice.report.eyes import bytes_of_rationals
from exactdice.rooms import ask, question
from exactdice.run import Run

# What others write, and the same in words, from their manuals: Roll20's dice reference, Foundry's
# dice modifiers, the documentation of AnyDice.
SAME = {
    "4d6kh3": "4d6 keep highest 3",
    "4d6k3": "4d6 keep highest 3",
    "4d6dl1": "4d6 drop lowest",
    "adv": "2d20 keep highest",
    "dis + 3": "2d20 keep lowest + 3",
    "d8adv": "2d8 keep highest",
    "2d20kh1+5>=15": "2d20 keep highest + 5 >= 15",
    "d%": "d100",
    "4dF": "4d{-1..1}",
    "3d6!": "3d6 explode",
    "5d10!>=8": "5d10 explode on 8..10",
    "5d10x>8": "5d10 explode on 9,10",
    "d6xo6": "d6 explode on 6 once",
    "2d6ro<=2": "2d6 reroll 1,2 once",
    "2d6rr<3": "2d6 reroll 1,2",
    "d{1,1,2}": "d{1,1,2}",
    "d{2..5}": "d{2..5}",
    "2d(3d4)": "2d(3d4)",
    "d(6)": "d6",
    "max(2,d6)": "max(2, d6)",
    "{2d6,d8}kh1": "{2d6, d8} keep highest",
    "[highest 3 of 4d6]": "4d6 keep highest 3",
    "[middle 1 of 3d6]": "3d6 keep middle",
    "[count {5,6} in 4d6]": "4d6 count {5,6}",
    "3d[explode d6]": "3d(d6 explode 2 times)",
    "[absolute d6 - d6]": "abs(d6 - d6)",
    "2d6! >= 10": "2d6 explode >= 10",
    "max((d6 reroll 1), 6)": "max((d6 reroll 1), 6)",
}


@pytest.mark.parametrize("text", SAME)
def test_words_of_others_are_read_as_they_mean_them(text):
    assert read_expression(text) == SAME[text] == read_expression(SAME[text])


def test_a_roll_for_a_die_is_as_many_of_it_and_braces_hold_one_roll_each():
    assert law("2d(3d4)") == law("6d4")  # AnyDice: 2d(2d2) is 4d2
    totals = [(a + b, c) for a, b, c in product(range(1, 7), range(1, 7), range(1, 9))]
    assert law("{2d6, d8} keep highest").mean() == mpq(sum(map(max, totals)), len(totals))


def test_of_each_listed_face_dice_are_counted_as_often_as_it_is_listed():
    assert law("4d6 count {5,6,6}").mean() == mpq(4 * 3, 6)


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("4d6 keep higest 3", 9, "did you mean highest?"),
        ("highest 3 of 4d6", 0, "[highest 3 of 4d6]"),
        ("4d6d1", 3, "dl1"),
        ("2d6r1", 3, "ro1"),
        ("d20 / 2", 4, "//"),
        ("d6 & d8", 3, "(d6 > 2) * (d8 > 3)"),
        ("d20min10", 3, "max(10, d20)"),
        ("2d6 + 4d6 keep highest 5", 23, "from 1 to 4"),
        ("d6 + 4 // (d2 - 1)", 5, "a divisor that is never 0 after //"),
        ("3d6 10", 4, "quotation marks"),
        ("1 + " * 40 + "d0", 161, "number of faces"),
    ],
)
def test_an_error_shows_its_place_and_what_would_be_right(text, place, said):
    with pytest.raises(InputError) as problem:
        law(text)
    line, shown, caret = str(problem.value).split("\n")
    assert said in line
    at = caret.index("^")
    here = shown[2:].removeprefix("…")
    assert text[place:].startswith(here[at - len(shown) + len(here) :])


def test_explosions_without_an_end_have_exact_means_and_chances():
    # Source: a die explodes with 1/6 each time, so its mean is 7/2 : 5/6; a sum below 6 takes none.
    report = ask("dice distribution '3d6! + 2'")
    assert report.value("value") == 3 * mpq(7, 2) / mpq(5, 6) + 2
    assert 0 < report.value("left_out") < mpq(1, 10**11)
    assert ask("dice chance 'd6! >= 6'").value("value") == mpq(1, 6)
    assert ask("dice distribution 'd6! < 14'").value("value") == mpq(35, 36) + mpq(1, 216)


def test_what_a_cut_leaves_out_is_at_most_that_of_each_die_that_may_be_rolled():
    def left_out(text):
        return ask(f"dice distribution '{text}'").value("left_out")

    one, coin = left_out("d6!"), left_out("d2!")
    assert 0 < one < coin
    assert left_out("d6 reroll 1 explode") == left_out("d{2..6} explode")
    assert left_out("3d6!") == 3 * one
    assert left_out("d(d6!)") == left_out("(d6!)d4") == left_out("d6! + 2") == one
    assert left_out("(d4)d(d6!)") == 4 * one
    assert left_out("(1 + d2!)d(d6!)") == max(law("1 + d2!")) * one + coin


def test_who_wins_is_what_listing_all_rolls_gives():
    rolls = list(product(range(1, 5), range(1, 7), range(1, 7)))
    report = ask("dice compare 'd4 vs d6 vs d6'")
    for place in range(3):
        wins = sum(all(roll[place] > x for j, x in enumerate(roll) if j != place) for roll in rolls)
        assert report.table("rolls").cells("wins")[place] == mpq(wins, len(rolls))
    tied = sum(roll.count(max(roll)) > 1 for roll in rolls)
    assert report.value("tie") == mpq(tied, len(rolls))


@pytest.mark.parametrize("words", ["{roll} v {number}", "{number} vs {roll}", "{roll} v. {number}"])
@pytest.mark.parametrize(
    ("roll", "dice", "shown", "number"),
    [
        ("2d20kh1+5", [range(1, 21)] * 2, lambda faces: max(faces) + 5, 15),
        ("d20+5", [range(1, 21)], lambda faces: faces[0] + 5, 15),
        ("2d6-d4", [range(1, 7)] * 2 + [range(1, 5)], lambda r: r[0] + r[1] - r[2], -1),
        ("d6", [range(1, 7)], sum, 9),
    ],
)
def test_a_roll_succeeds_that_meets_or_beats_a_plain_number(words, roll, dice, shown, number):
    totals = [shown(faces) for faces in product(*dice)]
    report = ask(f"dice compare '{words.format(roll=roll, number=number)}'")
    assert [(quantity.column.name, quantity.value) for quantity in report.quantities] == [
        ("value", mpq(sum(total >= number for total in totals), len(totals))),
        ("above", mpq(sum(total > number for total in totals), len(totals))),
        ("tie", mpq(totals.count(number), len(totals))),
    ]


def test_exploding_dice_meet_a_number_with_their_exact_chance_or_between_bounds():
    # Source: 6k + 4 or more takes k sixes, and then a four, a five or a six.
    assert ask("dice compare '400 v d6!'").value("value") == mpq(1, 2) / 6**66
    bounded = ask("dice compare 'max(d6!, 2) v 8'").value("value")
    assert mpq(5, 36) in bounded  # a six, and two or more
    # Source: the first is higher, lower or equal; p = P(equal) by the faces below 6 and both sixes.
    equal = mpq(5, 36) / (1 - mpq(1, 36))
    report = ask("dice compare 'd6! v d6!'")
    rolls = report.table("rolls")
    for tie in (report.value("tie"), *rolls.cells("ties")):
        assert equal in tie
    for wins in (report.value("value"), *rolls.cells("wins")):
        assert (1 - equal) / 2 in wins
    assert rolls.cells("mean") == [mpq(21, 5)] * 2  # m = 7/2 + m/6
    means = ask("dice compare 'max(d6!, 2) v d6'").table("rolls").cells("mean")
    assert means == [None, mpq(7, 2)]  # not known


def test_two_plain_numbers_or_a_number_among_several_rolls_are_no_target():
    for rolls in ("3 v 2", "d6 v 2 v d4"):
        report = ask(f"dice compare '{rolls}'")
        assert [quantity.column.name for quantity in report.quantities] == ["value", "tie"]


def test_words_need_no_quotation_marks_where_a_shell_leaves_them_alone(capsys):
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
    assert "a comparison in quotation marks" in capsys.readouterr().err


def test_a_bound_on_several_dice_is_answered_for_the_total_and_for_each_die():
    report = ask("dice distribution '2d4 >= 4'")
    assert report.value("value") == mpq(13, 16)  # all pairs but 1+1, 1+2 and 2+1
    assert report.table("dice").cell("probability", dice=2) == mpq(1, 16)


def _leaf(pick):
    """A text, the dice that it rolls, and what it shows of them."""
    number, sides = pick.randint(1, 3), pick.randint(1, 4)
    dice, text = [range(1, sides + 1)] * number, f"{number}d{sides}"
    kept, bound = pick.randint(1, number), pick.randint(1, sides)
    many = [
        (text, dice, sum),
        (f"{text}kh{kept}", dice, lambda r: sum(sorted(r)[-kept:])),
        (f"[lowest {kept} of {text}]", dice, lambda r: sum(sorted(r)[:kept])),
        (f"{text} drop lowest {number - kept}", dice, lambda r: sum(sorted(r)[-kept:])),
        (f"{text} count >= {bound}", dice, lambda r: sum(x >= bound for x in r)),
        (f"[count {{{bound},{sides}}} in {text}]", dice, lambda r: r.count(bound) + r.count(sides)),
        (f"{number}d({text})", dice * number, sum),
        (f"{{{text}, 2}}kl1", dice, lambda r: min(sum(r), 2)),
        (f"d{sides}dis", [dice[0]] * 2, min),
        (f"({number}, d{sides})kh", [dice[0]], lambda r: max(number, *r)),
        ("dF", [(-1, 0, 1)], sum),
        (f"d{{{-number},{sides},{sides}}}", [(-number, sides, sides)], sum),
        (f"d{sides}ro<={bound}", [dice[0]] * 2, lambda r: r[r[0] <= bound]),
        (f"d{sides}!>={bound} once", [dice[0]] * 2, lambda r: r[0] + r[1] * (r[0] >= bound)),
        (f"(d{number})d{sides}", [range(1, number + 1), *dice], lambda r: sum(r[1 : r[0] + 1])),
        (str(number), [], lambda r: number),
    ]
    return pick.choice(many)


_SIGNS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    ">": lambda a, b: a > b,
    "=": lambda a, b: a == b,
    "<=": lambda a, b: a <= b,
}


def _tree(pick, depth):
    if not depth or pick.random() < 1 / 4:
        return _leaf(pick)
    (left, first, a), (right, second, b) = _tree(pick, depth - 1), _tree(pick, depth - 1)
    cut, dice = len(first), first + second
    if prod(map(len, dice)) > 1500:
        return left, first, a
    name = pick.choice([*_SIGNS, "max", "abs", "//"])
    if name == "max":
        return f"max({left}, {right})", dice, lambda r: max(a(r[:cut]), b(r[cut:]))
    if name == "abs":
        return f"abs({left})", first, lambda r: abs(a(r))
    if name == "//":
        return f"-({left})//3", first, lambda r: -a(r) // 3
    combine = _SIGNS[name]
    return f"({left}){name}({right})", dice, lambda r: combine(a(r[:cut]), b(r[cut:]))


def _try(number, seed):
    pick = random.Random(seed)  # noqa: S311 - no secret
    for _ in range(number):
        text, dice, shown = _tree(pick, 3)
        if prod(map(len, dice)) > 1500:
            continue
        rolls = Counter(shown(roll) for roll in product(*dice))
        total = sum(rolls.values())
        written = read_expression(text)
        assert read_expression(written) == written, text
        expected = {outcome: mpq(n, total) for outcome, n in rolls.items()}
        assert law(text).probabilities() == expected == law(written).probabilities(), text
        spoilt = list(text)
        spoilt[pick.randrange(len(text))] = pick.choice("0123456789dkhl!x+-*/%<>=(){}[],. &~€\n")
        with suppress(ExactDiceError):  # of one line, with its place: nothing else may come
            law(read_expression("".join(spoilt)), Run(memory=2**22))


def test_random_expressions_have_the_laws_that_listing_all_rolls_gives():
    _try(150, 1)


@pytest.mark.long
def test_ten_thousand_random_expressions_have_the_laws_that_listing_all_rolls_gives():
    _try(10_000, 2)


def test_a_die_of_a_number_in_parentheses_has_so_many_faces():
    assert law("d(6)") == fair(6)


#: By enumeration: what each sign says of a total of which these parts are below, at and above it.
HOLDS = {
    "<": lambda below, equal, above: below,
    "<=": lambda below, equal, above: below + equal,
    "=": lambda below, equal, above: equal,
    "!=": lambda below, equal, above: below + above,
    ">=": lambda below, equal, above: equal + above,
    ">": lambda below, equal, above: above,
}


@pytest.mark.parametrize("sign", HOLDS)
def test_the_chance_of_a_sum_without_an_end_is_exact_for_every_sign(sign):
    def shows(total):  # so many sixes, and one of the five faces that end it
        sixes, face = divmod(total, 6)
        return mpq(1, 6 ** (sixes + 1)) if face else mpq(0)

    for bound in (0, 1, 5, 6, 7, 14):
        below, equal = sum(map(shows, range(bound)), mpq(0)), shows(bound)
        expected = HOLDS[sign](below, equal, 1 - below - equal)
        assert ask(f"dice chance 'd6! {sign} {bound}'").value("value") == expected
    # Totals that no more than 20 explosions reach are those of dice that explode so often.
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


@pytest.mark.parametrize(
    ("text", "chance"),
    [
        ("d6! * 2 >= 4", mpq(5, 6)),  # all but a one
        ("4 - d6! <= 2", mpq(5, 6)),
        ("max(d6!, 2) >= 3", mpq(4, 6)),
        ("d6! > d6!", mpq(3, 7)),  # equal with the chance 5/36 : (1 − 1/36) = 1/7
        ("d6! * 2 >= 2", mpq(1)),
        ("d6! * 2 < 2", mpq(0)),
    ],
)
def test_any_other_chance_is_enclosed_by_what_the_law_leaves_out(text, chance):
    report = ask(f"dice chance '{text}'")
    enclosed, left_out = report.value("value"), report.value("left_out")
    assert chance in enclosed
    assert enclosed.upper <= 1
    assert enclosed.lower >= 0
    assert enclosed.width == left_out * (1 if chance in (0, 1) else 2)
    assert "odds" not in [quantity.column.name for quantity in report.quantities]


def test_a_number_far_beyond_the_lowest_total_is_answered_by_an_enclosure():
    # Source: 6k + 5 or more takes k sixes, and then a five or a six.
    assert ask("dice chance 'd6! >= 4001'").value("value") == mpq(1, 3) / 6**666
    far = ask("dice chance 'd6! >= 4002'")
    assert mpq(1, 6**667) in far.value("value")
    assert far.value("value").width == far.value("left_out")
    assert ask("dice chance 'd10000 >= 5001'").value("value") == mpq(1, 2)


def test_a_die_is_followed_until_fewer_than_one_in_a_million_millions_goes_on():
    # Of ten sides exactly one in 10¹² goes on after eleven explosions, which is not fewer.
    assert ask("dice distribution 'd10!'").value("left_out") == mpq(1, 10**13)
    assert ask("dice distribution 'd6 explode on 1..5'").value("left_out") == mpq(5, 6) ** 152
    assert mpq(5, 6) ** 152 < mpq(1, 10**12) < mpq(5, 6) ** 151
    # The highest face explodes, which is one in four here.
    assert ask("dice distribution 'd{1,1,1,2}!'").value("left_out") == mpq(1, 4) ** 20
    assert mpq(1, 4) ** 20 < mpq(1, 10**12) < mpq(1, 4) ** 19


def test_dice_that_explode_on_some_faces_have_their_mean():
    # By first principles: m = 7/2 + m/3.
    assert ask("dice distribution 'd6 explode on 5,6'").value("value") == mpq(21, 4)


@pytest.mark.parametrize(
    ("text", "odds"),
    [("d6 >= 4", "1:1"), ("2d6 >= 10", "1:5"), ("d8 > d6", "9:7"), ("d6 > 0", "1:0"),
     ("d6 < 1", "0:1")],
)  # fmt: skip
def test_odds_are_those_of_listed_rolls(text, odds):
    assert ask(f"dice chance '{text}'").value("odds") == odds


def test_every_column_of_a_comparison_is_what_listing_all_rolls_gives():
    dice = {
        "d4": range(1, 5),
        "2d2 - 1": [1, 2, 2, 3],
        "d{-1,3,5}": (-1, 3, 5),
        "d2 > 1": (0, 1),
    }
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
    assert list(report.table("outcomes").rows) == [
        (name, x, mpq(faces.count(x), len(faces)), mpq(sum(y >= x for y in faces), len(faces)))
        for name, faces in zip(names, map(list, dice.values()), strict=True)
        for x in sorted(set(faces))
    ]
    assert [quantity.column.name for quantity in report.quantities] == ["value", "tie"]
    left_out = ask("dice distribution 'd6!'").value("left_out")
    assert ask("dice compare 'd6! vs d6 vs d6!'").value("left_out") == 2 * left_out


@pytest.mark.parametrize("text", ["3d6 + 2", "-3d6", "2d6 keep highest", "7"])
def test_what_is_no_comparison_has_no_chance(text):
    with pytest.raises(InputError, match="expected a comparison in quotation marks") as problem:
        question({"question": "dice chance", "expression": text})
    assert str(problem.value).endswith(f"\n  {' ' * len(text)}^")  # behind all of it


def test_every_column_of_a_law_is_what_listing_all_rolls_gives():
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
def test_each_die_is_counted_where_several_equal_ones_meet_a_number(text, dice):
    report = ask(f"dice distribution '{text}'")
    assert [table.name for table in report.tables] == ["outcomes", "dice"][: 1 + (dice > 0)]
    if dice:
        chances = [mpq(comb(dice, k) * 3 ** (dice - k), 4**dice) for k in range(dice + 1)]
        assert list(report.table("dice").rows) == list(enumerate(chances))


def test_what_is_written_of_laws_counts_as_memory():
    """Three rationals for each outcome of a law, and two for each of those that are compared."""
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
    for number in (1, 21):
        with pytest.raises(InputError, match=r"^expressions: got .*; expected 2 to 20"):
            ask({"question": "dice compare", "expressions": ["d6"] * number})


def test_a_rolls_faces_are_reported_as_what_they_are():
    die = Distribution({(True, 1, "a", mpq(1, 2)): 1})
    table = die.report().table("outcomes")
    assert list(table.rows) == [(("True", 1, "a", "1/2"), mpq(1))]
    assert [column.name for column in table.columns] == ["outcome", "probability"]
