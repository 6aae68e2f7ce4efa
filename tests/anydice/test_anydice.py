"""AnyDice programs against the listing of all rolls; errors, limits, settings and differences."""

import random
from contextlib import suppress
from fractions import Fraction
from itertools import count, islice
from pathlib import Path

import pytest
from anydice_oracle import Oracle
from anydice_programs import Writer
from cases import rows_of

from exactdice.anydice import run
from exactdice.anydice.syntax import parsed
from exactdice.errors import ExactDiceError, InputError
from exactdice.run import Run


def fractions(weights):
    return {x: Fraction(int(p.numerator), int(p.denominator)) for x, p in weights.items() if p}


def shown(program):
    """Outputs, each with the probability that a call that was too deep took part."""
    try:
        outputs = [(o.distribution, o.cut) for o in run(program, Run(seconds=60))]
    except InputError:
        return "refused"
    chances = [({} if law is None else law.probabilities(), cut) for law, cut in outputs]
    return [(fractions(of), Fraction(str(cut))) for of, cut in chances]


def listed(program):
    try:
        return [(fractions(chances), cut) for chances, cut in Oracle(parsed(program)).outputs]
    except LookupError:
        return "refused"


def small_programs(seeds):
    for program in (Writer(seed).program() for seed in seeds):
        with suppress(OverflowError):
            yield program, listed(program)


@pytest.mark.parametrize(
    "number",
    [30, pytest.param(400, marks=pytest.mark.slow), pytest.param(2000, marks=pytest.mark.long)],
)
def test_random_programs_equal_the_listing_of_all_rolls(number):
    results = []
    for program, expected in islice(small_programs(count()), number):
        assert shown(program) == expected, program
        results.append(expected)
    assert results.count("refused") < number / 2


LIBRARY = (Path(__file__).parent / "library.txt").read_text().splitlines()


@pytest.mark.parametrize("order", ["highest", "lowest"])
def test_library_and_settings_equal_the_listing_of_all_rolls(order):
    settings = f'set "position order" to "{order} first" set "explode depth" to 3 '
    for call in LIBRARY:
        assert shown(f"{settings} output {call}") == listed(f"{settings} output {call}"), call


# Levels of operators, as AnyDice's documentation orders them.
@pytest.mark.parametrize(("bare", "bracketed"), rows_of("tables/anydice_levels"))
def test_operators_bind_as_with_brackets(bare, bracketed):
    assert parsed(f"output {bare}") == parsed(f"output {bracketed}")


def test_labels_show_variables():
    program = 'X: 3 S: {1} D: 2d6 output X output X named "[X] of [x] [S] [D]"'
    assert [o.name for o in run(program)] == ["output 1", "3 of [x] {?} 2d6"]


def test_calls_that_are_too_deep_have_no_outcomes_and_are_counted():
    again = "function: f N:n { if N = 2 { result: [f d2] } result: N } output [f d2]"
    # Three rolls of 2 lead to a fourth call, which is not made; all others end with 1.
    assert shown(f'set "maximum function depth" to 3 {again}') == [({1: 1}, Fraction(1, 8))]
    size = "function: f N:n { result: [absolute N] } function: g N:n { result: [f N] }"
    limited = f'set "maximum function depth" to 2 {size} output [f 1] output [g 1]'
    assert [law for law, _ in shown(limited)] == [{1: 1}, {}]  # a level deeper, though asked before


# What AnyDice does otherwise, as anydyce's documentation found; here by the meaning of the words.
DIFFERENCES = {
    "parameters": ("function: f A:n B:n { B: B + A result: B } output [f d2 1]", {2: 1, 3: 1}),
    "sequences": ("function: f A:n S:s { S: S + 0 result: A + S } output [f d2 2d2]",
                  {3: 1, 4: 3, 5: 3, 6: 1}),
    "0 to a negative power": ("output d{0,2} ^ -1", {0: 1}),
    "no overflow": ("output 9^20", {9**20: 1}),
    "no missing probability": (
        "function: f K:n { result: K } function: g G:n D:d { if G = 1 { result: 5 } result: [f D] }"
        "output [g (d2) (d{})]", {5: 1}),
    "unequal dice": ("function: f A:n to B:n { result: B }"
        " output [f d{1:3,2} to d{1,2:3}]", {1: 1, 2: 3}),
    "die at most a sequence": ("output d4 <= {1,2}", {0: 1, 1: 3}),
    "die without faces plus a sequence": ("output d{} + {1,2}", {3: 1}),
    "die without faces or nothing": ("output d{} | {}", {0: 1}),
}  # fmt: skip


@pytest.mark.parametrize("name", DIFFERENCES)
def test_differences_from_anydice(name):
    program, weights = DIFFERENCES[name]
    total = sum(weights.values())
    assert shown(program) == [({x: Fraction(w, total) for x, w in weights.items()}, 0)]


NINES, BIG = "9" * 5000, "99999999999"


@pytest.mark.parametrize(
    "program",
    [
        f"output {'(' * 1000}1{')' * 1000}",
        f"output {'!' * 3000}d2",
        f"output {'+'.join(['1'] * 5000)}",
        "loop A over {1} {" * 25 + "output 1" + "}" * 25,
        "if 1 {" * 150 + "output 1" + "}" * 150,
        f'X: {NINES} output #X named "[X]"',
        'X: 9^9999 output 1@X named "[X]"',
        f"output d{BIG} + d(-{BIG}{BIG})",
        f"output d(-{BIG})",
        f"output 1@{BIG}d6 + {BIG}d6",
        f"output 2^{BIG}",
        f"output #{{1..{BIG}}}",
        f"output #{{1:{BIG}{BIG}}}",
        f'set "explode depth" to {BIG} output [explode d6]',
        f'set "maximum function depth" to {BIG} function: f {{ result: [f] }} output [f]',
    ],
)
def test_large_programs_end_or_are_refused(program):
    with suppress(ExactDiceError):
        run(program, Run(seconds=1))


TOKENS = (  # noqa: SIM905
    r'output function : loop X over { } named "a[X]" set to if else result d n s ? ( ) [ ] , .. + -'
    r' * / ^ @ # ! = <= & | 0 1 2 10 99999999999 "explode depth" \ \c\ " highest of absolute f é ;'
).split()


def changed(program, chance):
    """Exchange some tokens of a program for others."""
    words = program.replace("{", " { ").replace("}", " } ").split(" ")
    for _ in range(chance.randint(1, 3)):
        words[chance.randrange(len(words))] = chance.choice([*TOKENS, *words])
    return " ".join(words)


@pytest.mark.parametrize(
    "number",
    [100, pytest.param(600, marks=pytest.mark.slow), pytest.param(3000, marks=pytest.mark.long)],
)
def test_random_tokens_and_changed_programs_are_run_or_refused_in_one_line(number):
    chance = random.Random(number)  # noqa: S311
    for seed in range(number):
        tokens = " ".join(chance.choices(TOKENS, k=12))
        for program in (tokens, changed(Writer(seed).program(), chance)):
            problem = None
            try:
                run(program, Run(seconds=1))
            except ExactDiceError as refused:
                problem = str(refused)
            assert "\n" not in (problem or ""), program


@pytest.mark.parametrize("order", ["highest first", "lowest first"])
@pytest.mark.parametrize("pool", ["4d6", "3d{-1,0,0,2}", "5d3", "1d4"])
@pytest.mark.parametrize("body", [
    "1@S + 2@S", "10*3@S + 4@S", "5@S + 9@S", "{1,3}@S * 2@S", "S + 0", "-S * S", "!S | S",
    "(S > 2) - #S", "[count {1,1,2} in S] + 10*(3 <= S)", "[S contains 2] & 1@S",
    "1@S + S", "2@S = S", "S > {2, 2}", "X: 2 R: S = X X: 3 result: R + (S = X)"
])  # fmt: skip
def test_rolls_that_a_function_cannot_tell_apart_are_merged_rightly(body, pool, order):
    block = body if "result" in body else f"result: {body}"
    listed = block.replace("S", "T")  # after T: S the function could do anything with its rolls
    start = f'set "position order" to "{order}" function: f S:s {{ '
    one, two = (
        run(f"{start}{within} }} output [f {pool}]")[0].distribution
        for within in (block, f"T: S {listed}")
    )
    assert one == two
