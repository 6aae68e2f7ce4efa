"""What long answers are estimated to take, against what they take; and what is refused."""

import subprocess
import sys
from pathlib import Path

import pytest
from measured import allocated, asking

from exactdice.errors import TooLargeError
from exactdice.games.farkle import KCD, solve
from exactdice.games.farkle.rules.dice_sets import parse_dice
from exactdice.games.farkle.rules.menus import layout_of, menus_of, require_sweep, table_bytes
from exactdice.games.farkle.turn.exact import points_payoff
from exactdice.games.farkle.turn.sweep import TurnSweep
from exactdice.rooms import ask
from exactdice.run import Run

_PEAK = """
import sys
from exactdice.cli import main
main(sys.argv[1:])
for line in open("/proc/self/status"):
    if line.startswith("VmHWM"):
        print(line.split()[1], file=sys.stderr)
"""


def peak(line):
    """Bytes that the process of a command takes at most."""
    words = [sys.executable, "-c", _PEAK, *line.split()]
    ended = subprocess.run(words, capture_output=True, text=True, check=True)
    return int(ended.stderr) * 1024


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Linux counts the peak")
@pytest.mark.parametrize(
    ("line", "digits"),
    [
        # 258625/648, the value of one roll by enumeration, has 10 characters.
        ("horizon {} --target 50", 10),
        # Two fractions a row, of up to 77 digits above and below: 2²⁵⁶ has 78.
        ("turns --turns {} --target 50", 2 * 154),
    ],
)
def test_a_long_table_takes_about_as_much_as_estimated(line, digits):
    rows = 20_000
    command = f"farkle {line} --format json"
    taken = peak(command.format(rows)) - peak(command.format(40))
    assert taken <= table_bytes(rows, digits) <= 2 * taken


@pytest.mark.slow
@pytest.mark.parametrize(
    "dice",
    [
        "fair*3,odd,lucky",  # choices take the most
        # Keys do: 64 sets of dice left, on most of which nothing scores.
        "0:1:0:0:0:0,0:0:1:0:0:0,0:0:0:1:0:0,0:0:0:0:0:1,0:1:1:0:0:0,fair",
    ],
)
def test_a_sweep_takes_about_as_much_as_estimated(dice):
    """The oracle counts what the interpreter allocates."""
    run, asked = asking()
    rules = KCD.varied(target=40_000)
    menus = menus_of(rules, parse_dice(dice), prune=True)
    require_sweep(menus, rules.target, run)
    payoff = points_payoff(rules, rules.target)
    layout_of(menus)  # kept from one sweep to the next
    most, _ = allocated(lambda: TurnSweep(menus, payoff))
    assert most <= asked[0][0] <= 1.3 * most


@pytest.mark.parametrize(
    "asked",
    [
        "farkle horizon 4000000",
        "farkle turns --target 50 --turns 4000000",
        "farkle turns --target 50 --turns 100000 --exact",
        "farkle table --dice weighted*6 --target none",
        "farkle value --target 1000000000000",
    ],
)
def test_what_would_take_more_than_the_limit_is_refused_before_it_is_made(asked):
    with pytest.raises(TooLargeError, match="needs about"):
        ask(asked)


def test_the_limit_is_that_of_the_run():
    with pytest.raises(TooLargeError, match=r"more than the limit of 1000 B"):
        ask("farkle horizon 100 --target 50", Run(memory=1000))
    assert ask("farkle horizon 100 --target 50", Run(memory=None)).value("fixed_point") == 1


@pytest.mark.slow
def test_the_law_of_a_turn_with_very_many_rolls_is_refused_before_it_is_long():
    with pytest.raises(
        TooLargeError, match=r"target: the exact distribution would need more than 4 MB"
    ):
        ask("farkle distribution --dice odd*6 --target none --bank-from 100000")


def test_a_law_without_a_target_is_shown_where_it_is_short():
    report = ask("farkle distribution --target none")
    assert report.value("value") == solve(rules=KCD.varied(target=None)).value
