"""AnyDice programs as Python.

Each translation is executed as a text of its own. Its distributions must equal those of `run`,
which other tests compare with the listing of all rolls.
"""

import pytest

from exactdice.anydice import run
from exactdice.anydice.python import python_of
from exactdice.errors import InputError
from exactdice.rooms import ask

# ruff: noqa: E501
EXPRESSIONS = """3d6+2;d6/2;(d6-3)/2;-7/2;7/-2;d6*2-d4;-d6;5-3;2^3;d4^2;2^d3;d6=3;3=d6;d6=d6;d6!=d4;d6>=4
4<d6;{1,2,2}=2;2={1,2,2};{1,2}<2;{1,2}={1,2};{3,1}<{2,5};d6&d{0,1};d{0,1}|0;!d{0,1};!3;d20>10&d4>2;{1..3}
{1,3..5}+0;{1:3,2}+0;{};d{};d{}+2;2*d{};d{1,1,6};d{1..3};3d{-1..1};2d{1:9,2};d(2d3);(2d3)d4;{1,2}d4;0d6+1
-2d4;2d(d4);1@3d6;3@3d6;{1,2}@4d4;{1..3}@4d6;{1..9}@2d4;2@{5,6,7};9@{5,6};{1,3}@{5,6,7};{1..2}@{4,5,6}
2@365;#3d6;#(3d6);#d6;#{1..4};#365;#-20;[absolute d6-3];[absolute -2];[{1,2} contains 2];[3d6 contains 6]
[{1,2} contains d4];[count 6 in 4d6];[count {5,6} in 4d6];[count {6,6} in 2d6];[count 1 in {1,1,2}]
[count {1,1} in {1,2,1}];[maximum of 2d6];[reverse {1,2}];1@[reverse {1..3}];2@[sort {3,1,2}];[reverse 2d6]
[explode d6];[explode 2d3];[highest of d6 and d4];[highest of 2 and 3];[lowest of d6 and 3]
[highest 3 of 4d6];[highest 3 of 2d6];[lowest 1 of 3d6];[lowest 4 of 2d4];[middle 1 of 3d6];[middle 1 of 4d4]
[highest 1 of d6 and d8];[highest 0 of 2d4];[highest 2 of [explode d4]];{d4, 3}+0;[lowest 1 of d{2,4}]"""
PROGRAMS = """X: 3d6 output X + 1@X + #X|X: 3d6 Y: X output [highest 2 of Y] output X|MAX: 4 D: d6 output MAXdD
loop N over {1..3} { output [highest 2 of Nd6] named "[N] of {dice}" }|loop N over {0..2} { output 1@Nd4 }
loop N over {-1..1} { output Nd4 output N@{5} }|X: d4 loop I over {1..3} { X: X + I } output X
S: 0 loop I over {1..3} { S: S + d4 } output S / 2|B: 3 > 2 output d6 named "[B]"|S: {1,2} output 1 named "[S]"
if 1 > 2 { X: 1 } else if 2 = 2 & 3 { X: 2 } else { X: 3 } output X|if {1,1} = 1 { output 1 } else { output 2 }
function: f X:n { result: X * X } output [f d6] output [f 3] output [f {1,2}] output [f 2d3]
function: f R:s { if 1@R = 2@R { result: 2 * R } result: R } output [f 2d6] output [f {2,2}] output [f 4]
function: f R:s { result: {1..#R-1}@R } output [f 4d4]|function: f R:s { result: R } output 1@[f {3,4}]
function: f R:s a N:n b D:d { if R = N { result: R + D } result: N } output [f 2d4 a d3 b 2d2] output [f 2d4 a 1 b 2]
function: f D:d { result: 1@D - #D } output [f 3d6] output [f d4] output [f 2]|function: f X { result: X + 1 } output [f d6] output [f 2]
function: f N:n { if N > 2 { result: N } } output [f d6]|function: f N:n { if N > 9 { result: N } } output [f d6] + 2
function: roll N:n { result: Nd6 } output [highest 1 of [roll 3]] output [roll 2] + 1
function: boom N:n { if N = 4 { result: N + [boom d4] } result: N } output [boom d4]|function: f { result: 1 + [f] } output [f]
set "maximum function depth" to 3 function: boom N:n { if N = 4 { result: N + [boom d4] } result: N } output [boom d4]
function: f N:n { if N <= 1 { result: 1 } result: N * [f N - 1] } output [f d5]|set "explode depth" to 4 output [explode d4]
function: even N:n { if N = 0 { result: 1 } result: [odd N - 1] } function: odd N:n { if N = 0 { result: 0 } result: [even N - 1] } output [even d6]
function: a X:n b Y:n { result: X - Y } function: X:n a Y:n b { result: X + Y } output [a d4 b 2] output [d4 a 2 b]
function: f X:n { X: X + 1 result: X } X: 5 output [f d4] + X
A: 1 function: f X:n { result: X + A } A: 2 output [f d4]|function: f A:n of B:d { result: A + B } A: d4 output [f d6 of A]
function: f N:n { result: d{1:N, 0:2} } output [f d3]|function: f A:s to B:s { result: 1@A > 1@B } output [f 2d4 to d6]
function: f A:s { R: {} loop X over A { if !(X = R) { R: {R, X} } } result: #R } output [f 3d4]
function: highest of N:n and M:n { result: N - M } output [highest of d4 and 2]|function: f N:n { result: d{} } output [f d4]
function: f R:s { N: R > 2 if N & #R > 1 { result: 1 } result: -1 } output [f 3d4]|output 1 named "a" output 2 named "a"
function: never X { result: Y } output d6|IF: 3 output d6 + IF|FACE: 3 output d{1,2,3} = FACE|_: 2 OUTPUTS: 3 output _ + OUTPUTS"""
GOLDEN = r"""\ Damage of a blow \
BONUS: 2 \ strength \
function: hit ROLL:n against ARMOUR:n {
  if ROLL = 20 { result: 2d8 + BONUS } \ a critical hit \
  if ROLL + BONUS >= ARMOUR { result: d8 + BONUS }
  \ otherwise the blow
    goes wide \
  result: 0
}
loop AC over {12, 15} { output [hit d20 against AC] named "armour class [AC]" }
STATS: 4d6
output [highest 3 of STATS] named "best three"
output STATS / 2
"""
PYTHON = """outputs = {}

# Damage of a blow
bonus = 2  # strength


def hit_against(roll, armour):
    if roll == 20:  # a critical hit
        return 2 @ d(8) + bonus
    if roll + bonus >= armour:
        return d(8) + bonus
    # otherwise the blow
    # goes wide
    return 0


for ac in (12, 15):
    outputs[f"armour class {ac}"] = each(lambda roll: hit_against(roll, ac), d(20))
stats = pool(4, d(6))
outputs["best three"] = stats.keep_highest(3)
outputs[f"output {len(outputs) + 1}"] = stats.sum() // 2
"""


def listed(lines, between):
    return [program for line in lines.splitlines() for program in line.split(between)]


@pytest.mark.parametrize(
    "program", [*(f"output {each}" for each in listed(EXPRESSIONS, ";")), *listed(PROGRAMS, "|")]
)
def test_python_has_the_outputs_of_the_program(program):
    space = {}
    exec(python_of(program), space)  # noqa: S102
    assert [*space["outputs"].values()] == [output.distribution for output in run(program)]


def test_python_keeps_names_blocks_and_comments():
    text = python_of(GOLDEN)
    assert text[text.index("outputs = {}") :] == PYTHON
    assert text.startswith("from collections import Counter\nfrom fractions import Fraction\n")
    assert "\n\nfrom exactdice.dice import d, DicePool, Distribution, mixture, pool, sorted" in text


@pytest.mark.parametrize("end", ["\r", "\n", "\x0c", "\u2028", "\v"])
def test_comments_and_names_stay_comments_and_names(end):
    program = f'X: 2 \\ a{end}raise OSError \\ output d6 named "a\\{end}" + 1/0 + "{{1/0}}[X]"'
    program = program.replace('" + 1/0 + "', "' + 1/0 + '")
    assert python_of(program).count("OSError") == 1


def test_command_writes_all_or_nothing(tmp_path):
    file = tmp_path / "roll.py"
    ask(f"anydice 'output 3d6' --python {file}")
    assert file.read_text(encoding="utf-8") == python_of("output 3d6")
    with pytest.raises(InputError):
        ask(f"anydice 'X: d6 output X named \"[X]\"' --python {file}")
    assert file.read_text(encoding="utf-8") == python_of("output 3d6")
