"""Random expressions, rolls and comparisons against the listing of all rolls."""

import random
from collections import Counter
from contextlib import suppress
from itertools import product
from math import prod
from operator import add, eq, gt, le, mul, sub

import pytest
from gmpy2 import mpq
from test_dice_notation import each, enumerated, exploded, penetrating

from exactdice.dice import Distribution, d, pool, sorted_roll
from exactdice.dice.expressions import law, read_expression
from exactdice.enclosure import Enclosure
from exactdice.errors import ExactDiceError
from exactdice.rooms import ask
from exactdice.run import Run

MOST = 1500  # rolls to list


def _leaf(pick):
    number, sides = pick.randint(1, 3), pick.randint(1, 4)
    dice, text = [range(1, sides + 1)] * number, f"{number}d{sides}"
    kept, bound = pick.randint(1, number), pick.randint(1, sides)
    many = [
        (text, dice, sum), (f"{text}kh{kept}", dice, lambda r: sum(sorted(r)[-kept:])),
        (f"[lowest {kept} of {text}]", dice, lambda r: sum(sorted(r)[:kept])),
        (f"{text} drop lowest {number - kept}", dice, lambda r: sum(sorted(r)[-kept:])),
        (f"{text} count >= {bound}", dice, lambda r: sum(x >= bound for x in r)),
        (f"[count {{{bound},{sides}}} in {text}]", dice, lambda r: r.count(bound) + r.count(sides)),
        (f"{number}d({text})", dice * number, sum),
        (f"{{{text}, 2}}kl1", dice, lambda r: min(sum(r), 2)), (f"d{sides}dis", [dice[0]] * 2, min),
        (f"({number}, d{sides})kh", [dice[0]], lambda r: max(number, *r)),
        ("dF", [(-1, 0, 1)], sum),
        (f"d{{{-number},{sides},{sides}}}", [(-number, sides, sides)], sum),
        (f"d{sides}ro<={bound}", [dice[0]] * 2, lambda r: r[r[0] <= bound]),
        (f"d{sides}!>={bound} once", [dice[0]] * 2, lambda r: r[0] + r[1] * (r[0] >= bound)),
        (f"(d{number})d{sides}", [range(1, number + 1), *dice], lambda r: sum(r[1 : r[0] + 1])),
        (f"{kept}@{text}", dice, lambda r: sorted(r)[-kept]),
        (f"{{{kept}..{number}}}@{text}", dice, lambda r: sum(sorted(r)[: number - kept + 1])),
        (f"{text} kh{kept} drop highest {kept - 1}", dice, lambda r: sorted(r)[-kept]),
        (f"[lowest of {text} and {bound}]", dice, lambda r: min(*r, bound) if number == 1 else
            min(sum(r), bound)),
        (f"d{sides} penetrate on {bound} once", [dice[0]] * 2,
            lambda r: r[0] + (r[1] - 1) * (r[0] == bound)),
        (f"d{sides} count {bound} again on {sides} once", [dice[0]] * 2,
            lambda r: (r[0] == bound) + (r[0] == sides and r[1] == bound)),
        (f"d{{{-number}:3, 2, {sides}:2}}", [(-number,) * 3 + (2, sides, sides)], sum),
        (f"({text}: count >= {bound} >= {kept} and count 1 < {number})", dice,
            lambda r: sum(x >= bound for x in r) >= kept and r.count(1) < number),
        (f"({text}: highest {kept} - lowest + count {{{bound},{sides}}})", dice,
            lambda r: sum(sorted(r)[-kept:]) - min(r) + r.count(bound) + r.count(sides)),
        (f"({text} kl{kept}: count >= {bound} + 9 * highest - total)", dice,
            lambda r: 9 * max(low := sorted(r)[:kept]) - sum(low) + sum(x >= bound for x in low)),
        (f"({text}: drop lowest {number - kept} if total > {bound} else -count 1)", dice,
            lambda r: sum(sorted(r)[-kept:]) if sum(r) > bound else -r.count(1)),
        (f"{text} keep middle {2 - number % 2}", dice, lambda r: _middle(r, 2 - number % 2))
            if number > 1 else ("d%", [range(1, 101)], sum),
        (f"({text}, d{number}) keep highest {kept}", [*dice, range(1, number + 1)],
            lambda r: sum(sorted(r)[-kept:])),
        (f"({text}, 2d{number}) drop lowest", [*dice, *[range(1, number + 1)] * 2],
            lambda r: sum(r) - min(r)),
        (f"{{{text}, d{number}}} count > {kept}", [*dice, range(1, number + 1)],
            lambda r: (sum(r[:-1]) > kept) + (r[-1] > kept)),
        (f"{{{text}, d{number}, 2}} drop lowest 1 keep lowest", [*dice, range(1, number + 1)],
            lambda r: sorted([sum(r[:-1]), r[-1], 2])[1]),
        (f"d{sides} reroll {bound} 2 times", [dice[0]] * 3,
            lambda r: next((x for x in r[:2] if x != bound), r[2])),
        (f"2d{sides} explode on {bound} once keep highest", [dice[0]] * 4,
            lambda r: max(r[0] + r[1] * (r[0] == bound), r[2] + r[3] * (r[2] == bound))),
        (f"2d{sides} explode on {bound} once count > {sides}", [dice[0]] * 4,
            lambda r: sum(x + y * (x == bound) > sides for x, y in (r[:2], r[2:]))),
        (f"d{sides} penetrate on {bound},{sides} 2 times", [dice[0]] * 3,
            lambda r: _penetrated(r, {bound, sides})),
        (f"d{sides} reroll {bound} once explode once", [dice[0]] * 4,  # the reroll comes first
            lambda r: (x := r[r[0] == bound]) + r[2 + (r[2] == bound)] * (x == sides)),
        (f"2d{sides} count >= {bound} again on {sides} once", [dice[0]] * 4,
            lambda r: sum((x >= bound) + (x == sides and y >= bound) for x, y in (r[:2], r[2:]))),
        (f"(({text}, d{number}): count {bound} - count >= {kept} if highest > lowest else total)",
            [*dice, range(1, number + 1)], lambda r: r.count(bound) - sum(x >= kept for x in r)
            if max(r) > min(r) else sum(r)),
        (f"({text}: (total > {bound})d{sides} + lowest {kept})", [*dice, dice[0]],
            lambda r: r[-1] * (sum(r[:-1]) > bound) + sum(sorted(r[:-1])[:kept])),
        (f"({text}: not total = {bound} or highest = {sides})", dice,
            lambda r: sum(r) != bound or max(r) == sides),
        (str(number), [], lambda r: number)
    ]  # fmt: skip
    return pick.choice(many)


def _middle(roll, kept):
    first = (len(roll) - kept) // 2
    return sum(sorted(roll)[first : first + kept])


def _penetrated(roll, on):
    total = roll[0]
    for before, face in zip(roll, roll[1:]):  # noqa: B905, RUF007 - one fewer
        if before not in on:
            break
        total += face - 1
    return total


_SIGNS = {"+": add, "-": sub, "*": mul, ">": gt, "=": eq, "<=": le}


def _tree(pick, depth):
    if not depth or pick.random() < 1 / 4:
        return _leaf(pick)
    (left, first, a), (right, second, b) = _tree(pick, depth - 1), _tree(pick, depth - 1)
    cut, dice = len(first), first + second
    if prod(map(len, dice)) > MOST:
        return left, first, a
    name = pick.choice([*_SIGNS, "max", "abs", "//", "if", "and", "or", ":"])
    if name == "if":
        written = f"({left} if ({right}) > 2 else -1)"
        return written, dice, lambda r: a(r[:cut]) if b(r[cut:]) > 2 else -1
    if name in ("and", "or"):
        of = all if name == "and" else any
        written = f"(not ({left}) > 1 {name} ({right}) <= 2)"
        return written, dice, lambda r: of([not a(r[:cut]) > 1, b(r[cut:]) <= 2])
    if name == ":":  # the roll before the colon is rolled once
        written = f"(({left}): total - ({right}) if total > 1 else total * total)"

        def once(r):
            total = a(r[:cut])
            return total - b(r[cut:]) if total > 1 else total * total

        return written, dice, once
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
        if prod(map(len, dice)) > MOST:
            continue
        rolls = Counter(shown(roll) for roll in product(*dice))
        total = sum(rolls.values())
        written = read_expression(text)
        assert read_expression(written) == written, text
        expected = {outcome: mpq(n, total) for outcome, n in rolls.items()}
        assert law(text).probabilities() == expected == law(written).probabilities(), text
        spoilt = list(text)
        spoilt[pick.randrange(len(text))] = pick.choice("0123456789dkhl!x+-*/%<>=(){}[],. &~€\n")
        with suppress(ExactDiceError):  # no other error
            law(read_expression("".join(spoilt)), Run(memory=2**22))


def test_random_expressions_equal_the_listing_of_all_rolls():
    _try(150, 1)


@pytest.mark.long
def test_ten_thousand_random_expressions_equal_the_listing_of_all_rolls():
    _try(10_000, 2)


def _compared(number, seed):
    pick = random.Random(seed)  # noqa: S311 - no secret
    for _ in range(number):
        trees = [_tree(pick, 1) for _ in range(pick.randint(2, 3))]
        if prod(len(faces) for _, dice, _ in trees for faces in dice) > MOST:
            continue
        rolls, wins, ties, meets = [], Counter(), Counter(), Counter()
        for parts in product(*(product(*dice) for _, dice, _ in trees)):
            rolls.append([int(of(roll)) for (_, _, of), roll in zip(trees, parts, strict=True)])
        for shown in rolls:
            (wins if shown.count(max(shown)) == 1 else ties).update(
                place for place, total in enumerate(shown) if total == max(shown)
            )
            meets[(shown[0] > shown[1]) - (shown[0] < shown[1])] += 1
        versus = " vs ".join(f"({text})" for text, _, _ in trees)
        report = ask(f"dice compare -- '{versus}'")
        table = report.table("rolls")
        for column, counts in (("wins", wins), ("ties", ties)):
            assert table.cells(column) == [mpq(counts[i], len(rolls)) for i in range(len(trees))]
        means = [mpq(sum(shown[i] for shown in rolls), len(rolls)) for i in range(len(trees))]
        assert table.cells("mean") == means
        sizes = [len({shown[i] for shown in rolls}) for i in range(len(trees))]
        if len(trees) == 2 and sizes.count(1) != 1:  # not against a number
            values = [report.value(name) for name in ("value", "tie", "lose")]
            assert values == [mpq(meets[sign], len(rolls)) for sign in (1, 0, -1)]


def test_random_comparisons_equal_the_listing_of_all_rolls():
    _compared(60, 3)


@pytest.mark.long
def test_a_thousand_random_comparisons_equal_the_listing_of_all_rolls():
    _compared(1000, 4)


def _unlimited(pick):
    """Return a text with unlimited explosions, and its play with a function that rolls a die."""
    n, sides = pick.randint(1, 2), pick.randint(2, 6)
    bound, other = pick.randint(1, sides), pick.randint(2, 6)
    on = {bound, sides} if sides > 2 else {sides}
    which, text = f"on {','.join(map(str, sorted(on)))}", f"{n}d{sides}"

    def dice(roll, number=n):
        return exploded(roll, number, sides, on.__contains__)

    def least(face):
        return face >= bound

    return pick.choice([
        (f"{text} explode {which}", lambda r: sum(dice(r))),
        (f"{text} explode {which} + 2d{other}", lambda r: sum(dice(r)) + r(other) + r(other)),
        (f"{text}! - d{other}", lambda r: sum(exploded(r, n, sides, sides.__eq__)) - r(other)),
        (f"2d{sides} explode {which} keep highest", lambda r: max(dice(r, 2))),
        (f"2d{sides} explode {which} drop highest", lambda r: min(dice(r, 2))),
        (f"max((d{sides} explode {which}), d{other})", lambda r: max(*dice(r, 1), r(other))),
        (f"min(({text} explode {which}), 2d{other})",
            lambda r: min(sum(dice(r)), r(other) + r(other))),
        (f"({text} explode {which}) * {other}", lambda r: sum(dice(r)) * other),
        (f"({text} explode {which}) * d{other}", lambda r: sum(dice(r)) * r(other)),
        (f"({text} explode {which} - 3) // {other}", lambda r: (sum(dice(r)) - 3) // other),
        (f"(9 + {text} explode {which}) % {other}", lambda r: (9 + sum(dice(r))) % other),
        (f"{text} explode {which} count > {sides}", lambda r: sum(x > sides for x in dice(r))),
        (f"{text} penetrate {which}", lambda r: sum(penetrating(r, n, sides, on.__contains__))),
        (f"{text} count >= {bound} again {which}",
            lambda r: each(r, n, sides, on.__contains__, least)),
        (f"(d{other})d(d{sides} explode {which})" if other < 4 else "d2!",
            lambda r: sum(dice(r, r(other))) if other < 4 else sum(exploded(r, 1, 2, (2).__eq__))),
        (f"(d{sides} explode {which} if d{other} > 1 else {text})",
            lambda r: sum(dice(r, 1)) if r(other) > 1 else sum(r(sides) for _ in range(n))),
        (f"(d{sides} explode {which}: total * 2 if total > {bound} else -total)",
            lambda r: (x := sum(dice(r, 1))) * (2 if x > bound else -1)),
    ])  # fmt: skip


def _endless(number, seed):
    pick, exact = random.Random(seed), 0  # noqa: S311 - no secret
    for _ in range(number):
        text, play = _unlimited(pick)
        bound, sign = pick.randint(-1, 12), pick.choice([*_COMPARED])
        chances, left_out = enumerated(play, mpq(1, 10**4))
        shown = law(text).probabilities()
        assert all(abs(shown.get(x, 0) - p) <= left_out for x, p in chances.items()), text
        value = ask(f"dice chance -- '({text}) {sign} {bound}'").value("value")
        value = value if isinstance(value, Enclosure) else Enclosure.of(value)
        least = sum(p for x, p in chances.items() if _COMPARED[sign](x, bound))
        assert least - value.width <= value.lower <= value.upper <= least + left_out + value.width
        exact += not value.width
    assert exact > number * 3 / 4


_COMPARED = {">": gt, "=": eq, "<=": le}


def test_random_unlimited_rolls_are_near_the_listing_of_likely_rolls():
    _endless(25, 5)


@pytest.mark.long
def test_a_thousand_random_unlimited_rolls_are_near_the_listing_of_likely_rolls():
    _endless(1000, 6)


def _rolled(number, seed):
    """Facts, vectors and sorted rolls in Python."""
    pick = random.Random(seed)  # noqa: S311 - no secret
    for _ in range(number):
        sizes = [pick.randint(1, 5) for _ in range(pick.randint(1, 4))]
        dice, faces = pool(*map(d, sizes)), [range(1, size + 1) for size in sizes]
        hits, face, factor = pick.sample(range(1, 6), 2), pick.randint(1, 4), pick.randint(-2, 2)
        rolls = list(product(*faces))
        facts = dice.facts(hits=hits, face=face, worth=lambda x, k=factor: k * x * x)
        assert facts == Distribution(Counter(
            (sum(x in hits for x in r), r.count(face), factor * sum(x * x for x in r))
            for r in rolls
        ))  # fmt: skip
        by_die = sorted_roll(dice, by_die=True)
        assert by_die == Distribution(Counter(
            tuple(sorted(zip(r, sizes, strict=True), key=lambda x: (-x[0], x[1]))) for r in rolls
        ))  # fmt: skip
        few = [(pick.randint(-2, 2), pick.randint(0, 3)) for _ in range(pick.randint(1, 4))]
        die, many = Distribution.from_faces(few), pick.randint(1, 4)
        total = many @ die + die * 2 - (1, 5)
        assert total == Distribution(Counter(
            (sum(x for x, _ in r) + 2 * a - 1, sum(y for _, y in r) + 2 * b - 5)
            for *r, (a, b) in product(few, repeat=many + 1)
        ))  # fmt: skip


def test_random_facts_and_vectors_equal_the_listing_of_all_rolls():
    _rolled(25, 7)


@pytest.mark.long
def test_a_thousand_random_facts_and_vectors_equal_the_listing_of_all_rolls():
    _rolled(1000, 8)
