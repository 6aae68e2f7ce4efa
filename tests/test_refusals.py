"""Invalid input of all subpackages costs a line that names the argument.

Errors in expressions have two more lines, which show the place.
"""

import re
import time
from fractions import Fraction
from functools import partial

import pytest
from gmpy2 import mpq

from exactdice.arithmetic import from_sympy, rational
from exactdice.dice.distribution import Distribution
from exactdice.dice.expressions import ExpressionError
from exactdice.dice.questions import Expressions
from exactdice.errors import (
    ExactDiceError,
    InputError,
    OutputError,
    TooLargeError,
    Unquoted,
    exit_status,
    one_named,
    told,
)
from exactdice.formats.explicit import explicit
from exactdice.formats.gambit import nfg_lines
from exactdice.games.farkle.rules.dice_sets import parse_dice
from exactdice.games.fatestones.players import player_name
from exactdice.games.fatestones.rules import HandOfDice
from exactdice.games.swe.distributions.players import policy_from_text
from exactdice.games.swe.distributions.simulation import simulate
from exactdice.games.swe.fields import LadderOfDice, PolicyName
from exactdice.games.swe.optimum.chooser import solve as swe_solve
from exactdice.games.swe.optimum.objectives import ScorePayoff
from exactdice.games.swe.rules import Ladder
from exactdice.hidden.dealt import DealtGame, Showdown
from exactdice.hidden.equilibrium import equilibrium, equilibrium_dimension
from exactdice.hidden.game import HiddenGame
from exactdice.question.domains import File, Flag, Memory, Text
from exactdice.report.model import Quantity, Report, Table, exact, whole
from exactdice.report.writers import Format, render
from exactdice.rooms import question
from exactdice.solve.asking import sensitivity
from exactdice.solve.game import Game
from exactdice.solve.questions import optimum, reach
from exactdice.solve.turns import Both, Choice, End, Turn
from exactdice.studies.fatestones.censuses import bag_of

EVEN = Distribution({0: 1, 1: 1})
TWO_ROWS = Table("t", "Two", [whole("n", "a number")], [(1,), (1,)])


EMPTY = Game(0, lambda s: None)


def matching(state):
    """Both show a side of a coin simultaneously; the first player wins if they are equal."""
    return Both({(i, j): End(int(i == j)) for i in (0, 1) for j in (0, 1)})


def hidden(moves, knows=lambda _: ""):
    return equilibrium(HiddenGame(0, moves, knows))


def dealt(moves):
    deal = Distribution({("high", "low"): 1, ("low", "high"): 1})
    return equilibrium(
        DealtGame(deal, "", lambda seen: moves.get(seen, Showdown(seen)), lambda shown, one, two: 0)
    )


def move(action="a", to=1, reward=0):
    return Choice(action, reward, Distribution({to: 1}))


REFUSED = {
    # Numbers and dice.
    "number: got 'x'; expected a SymPy Rational": partial(from_sympy, "x"),
    "expressions: got '4d6'; expected 2 to": partial(Expressions().read, "4d6", "expressions"),
    # Questions.
    "pairs: got 'yes'; expected true or false": partial(Flag().read, "yes", "pairs"),
    "name: got ' '; expected a non-empty text": partial(Text().read, " ", "name"),
    "file: got ''; expected the name of a file": partial(File().read, "", "file"),
    "memory: got 'much'; expected an amount such as": partial(Memory().read, "much", "memory"),
    "ladder: got 4; expected faces that ascend": partial(LadderOfDice().read, 4, "ladder"),
    "policy: got 4; expected the name of a policy": partial(PolicyName().read, 4, "policy"),
    "hand: got 4; expected one to three dice": partial(HandOfDice().read, 4, "hand"),
    "player: got 4; expected ": partial(player_name, 4),
    "total: got .* dice; expected a bag of at most":
        partial(question, "fatestones census-part 0 1 --faces 7"),
    "total: got 1 dice; expected a bag of at least six": partial(bag_of, 6, 6),
    # Games of the sources.
    "width: got 0; expected a number of points above 0": partial(swe_solve, 3, width=0),
    "width cannot be combined with --exact": partial(swe_solve, 3, width=1, exact=True),
    "payoffs: got none; expected at least the payoff of the score 0": partial(ScorePayoff.of, []),
    "fewer than 2.62 faces for a simulation":
        partial(simulate, policy_from_text("Promo"), 3, 1, ladder=Ladder.of((4, 6, 8, 12, 2**62))),
    # Models.
    "got simultaneous moves; expected alternating moves":
        lambda: explicit(Game(0, matching).explored(), most_players=2),
    "payoff: .*rows of equal length, at least one entry": lambda: list(nfg_lines([[1], [1, 2]])),
    "least applies to one player; the second of two avoids":
        lambda: reach(Game(0, {0: Turn(2, [move()])}.get).explored(), bool, least=True),
    "infinite: got 'loss'; expected .draw. or None": partial(optimum, EMPTY, infinite="loss"),
    "width does not apply with infinite=.draw.": partial(optimum, EMPTY, infinite="draw", width=1),
    "step: got 0; expected a number other than 0": partial(sensitivity, lambda p: None, 1, step=0),
    # Games with hidden information.
    "got one action twice among": lambda: hidden(lambda s: [move(to=1), move(to=2)]),
    "knows: got 'x' for simultaneous moves; expected a pair":
        lambda: hidden(matching, lambda s: "x"),
    "got 'x'; expected a list of Choice, or a Turn": lambda: dealt({"": "x"}),
    "got ..x..; expected a list of Choice": lambda: hidden(lambda s: ["x"]),
    "game: got 'x'; expected a HiddenGame, a DealtGame or": partial(equilibrium, "x"),
    "moves: got 'end' twice": lambda: dealt(
        {"": [move(to="a"), move("b", to="b")], "a": [move(to="end")], "b": [move(to="end")]}),
    "moves.*: got .*; expected ": lambda: dealt({"": [move(reward=1)]}),
    "player: got 3; expected 1 or 2":
        lambda: equilibrium_dimension(hidden(matching, lambda s: ("", "")), 3),
    # Reports.
    "row: got n 1 in 2 rows; expected one row": lambda: TWO_ROWS.cell("n", n=1),
    "parquet, which is no text; expected --output NAME.parquet":
        partial(render, Report("A coin", [Quantity(exact("p", "p"), mpq(1, 2))]), Format.PARQUET),
}  # fmt: skip


@pytest.mark.parametrize("line", REFUSED)
def test_invalid_input_costs_a_line(line):
    with pytest.raises(ExactDiceError) as problem:
        REFUSED[line]()
    said, *place = str(problem.value).splitlines()
    assert re.search(line, said)
    assert isinstance(problem.value, ExpressionError) or not place


@pytest.mark.parametrize(("read", "text"), [
    (rational, "1" * 100_000 + "!"), (rational, " " * 100_000 + "!"),
    (parse_dice, " " * 100_000 + "*x"), (policy_from_text, "Rand" + " " * 100_000 + "x"),
    (lambda text: Expressions().read(text, "expressions"), "d6" + " " * 100_000 + "d8")
])  # fmt: skip
def test_long_texts_are_rejected_in_linear_time(read, text):
    """In quadratic time, any of them would take a minute or more."""
    before = time.process_time()
    with pytest.raises(ExactDiceError):
        read(text)
    assert time.process_time() - before < 2


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
