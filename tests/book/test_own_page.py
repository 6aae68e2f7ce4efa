"""A page of one's own, as a file of Python: what it answers, and what it is told."""

import csv
import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from hashlib import sha256
from pathlib import Path
from textwrap import dedent
from typing import Any

import click
import pytest
from gmpy2 import mpq
from test_book import accepted

import exactdice as xd
from exactdice import ask
from exactdice.book.page import in_one_line
from exactdice.cli.help import TOPICS
from exactdice.errors import ExactDiceError
from exactdice.question.words import command_of
from exactdice.rooms import question, question_class
from exactdice.sweeps.model import canonical
from exactdice.web.forms import question_from

EXAMPLE = Path(__file__).parents[2] / "examples" / "stop_or_roll.py"

TWO = """
from exactdice.dice import fair
from exactdice.models import *
coin = Game("toss", lambda s: fair(2).map(lambda side: side - 1) if s == "toss" else End(s))
pennies = HiddenGame(0, lambda s: Both({(a, b): End(int(a == b)) for a in "ht" for b in "ht"}),
                     lambda s: ("", ""))
"""

PAGE = """
from exactdice.book import Page, Variant
from exactdice.models import *
from rules_beside import start
PAGE = Page("countdown", "Countdown", "one", "steps", {
    "short": Variant("from two", lambda: start(2), printed={"2": "a textbook"}),
    "long": Variant("from nine", lambda: start(9)),
})
"""

BESIDE = """
from exactdice.models import Chance, Game, point_mass
def start(n):
    return Game(n, lambda n: Chance(1, point_mass(n - 1)) if n else None)
"""


def made(file: Path, text: str) -> Path:
    file.write_text(text)
    return file


def rows_of(policy: Path) -> list[dict[str, str]]:
    with policy.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def reached(first: Any, after: Callable[[Any], Iterable[Any]]) -> set[Any]:
    """All states that a walk from the first one comes to."""
    met, left = {first}, [first]
    while left:
        new = set(after(left.pop())) - met
        met |= new
        left += new
    return met


@cache
def best(total: int) -> Fraction:
    """By the rule itself: stop, or roll on unless 30 are reached."""
    rolled = sum((best(total + face) for face in range(2, 7)), Fraction(0)) / 6 if total < 30 else 0
    return max(Fraction(total), Fraction(rolled))


def test_a_game_in_a_file_has_value_advice_and_certificate(tmp_path: Path) -> None:
    proof, policy = tmp_path / "proof", tmp_path / "policy"
    report = ask(f"book {EXAMPLE} --certificate {proof} --policy {policy}")
    assert report.value("value") == mpq(best(0))
    assert report.title.startswith("Roll as often as you like")
    assert report.value("first") == "roll"  # for stopping at once brings nothing
    assert f"from state 0 is {best(0)} " in accepted(proof)
    rows = rows_of(policy)
    assert {int(row["state"]): Fraction(row["value"]) for row in rows} == {
        state: best(state) for state in reached(0, lambda n: range(n + 2, n + 7) if n < 30 else ())
    }
    judged = ask(f"book {EXAMPLE} --state 20").table("choices")
    assert judged.cells("regret") == [0, 0]  # 20 is where both are as good
    assert {len(row) for row in judged.rows} == {2}  # nothing is drawn where one chooses
    assert xd.book.load(str(EXAMPLE)).answer().value.point == mpq(best(0))


FEWEST = """
from exactdice.dice import fair
from exactdice.models import Choice, End, Game
def moves(n):
    if n >= 10:
        return End(0)
    return [Choice(f"d{s}", s, fair(s).map(lambda f: min(10, n + f))) for s in (4, 7)]
game = Game(0, moves)
"""


@cache
def least(n: int) -> dict[str, Fraction]:
    """What each die of four or of seven sides costs until 10 are reached, by the rule itself."""
    return {
        f"d{s}": s
        + sum(min(least(n + f).values(), default=0) for f in range(1, s + 1) if n + f < 10)
        / Fraction(s)
        for s in (4, 7)
    }


def test_the_least_of_a_game_of_one_player_is_asked_as_the_most_is(tmp_path: Path) -> None:
    file, proof, policy = tmp_path / "fewest.py", tmp_path / "proof", tmp_path / "policy"
    file.write_text(FEWEST)
    report = ask(f"book {file} --least --certificate {proof} --policy {policy}")
    assert report.value("value") == mpq(min(least(0).values()))
    assert f"from state 0 is {min(least(0).values())} " in accepted(proof)
    assert {int(row["state"]): Fraction(row["value"]) for row in rows_of(policy)} == {
        n: min(least(n).values()) for n in range(10)
    }
    for n in range(10):
        choices = ask(f"book {file} --least --state {n}").table("choices")
        best = min(least(n).values())
        regrets = {action: mpq(worth - best) for action, worth in least(n).items()}
        assert dict(choices.select("action", "regret")) == regrets
    with pytest.raises(ExactDiceError, match=r"least applies only to a FILE\.py"):
        ask("book pig --least")
    file.write_text(TWO + "x = Game(0, lambda s: Turn(2, [Choice(1, 0, point_mass(s))]))")
    with pytest.raises(ExactDiceError, match="least applies only to games of one player"):
        ask(f"book {file} --variant x --least")


def test_a_state_that_is_no_literal_is_found_as_it_is_written(tmp_path: Path) -> None:
    """Three coupons: with one seen, each roll brings a further one with 2/3, then with 1/3."""
    file = tmp_path / "coupons.py"
    file.write_text(
        "from exactdice.dice import fair\nfrom exactdice.models import *\n"
        "coins = Game(frozenset(), lambda seen: Chance(1, fair(3).map(lambda f: seen | {f*f - 1}))"
        " if len(seen) < 3 else None)\n"
    )
    state = repr(frozenset({3}))
    assert ask(f"book {file} --state '{state}'").value("value") == mpq(3, 2) + 3
    for state in (repr(frozenset({3, 8})), "frozenset({3, 8})"):  # Python begins with the 8
        assert ask(f"book {file} --state '{state}'").value("value") == 3
    with pytest.raises(
        ExactDiceError, match=r"state: got 'frozenset\(\{4\}\)'; expected .* such as f"
    ):
        ask(f"book {file} --state 'frozenset({{4}})'")


def test_the_file_that_the_help_shows_is_a_game(tmp_path: Path) -> None:
    text = TOPICS["game"][1]
    shown = text[text.index('  """') : text.index("\n\nA Choice")]
    (tmp_path / "mine.py").write_text(dedent(shown))
    assert ask(f"book {tmp_path / 'mine.py'}").value("value") == mpq(best(0))


def test_a_file_that_is_changed_or_gone_while_it_is_solved_is_told_of_as_it_was(
    tmp_path: Path,
) -> None:
    file = made(
        tmp_path / "own.py",
        "from pathlib import Path\nfrom exactdice.models import End, Game\n"
        "def moves(state):\n    Path(__file__).unlink()\n    return End(3)\n"
        f"__file__ = {str(tmp_path / 'own.py')!r}\ngame = Game(0, moves)\n",
    )
    digest = sha256(file.read_bytes()).hexdigest()
    report = ask(f"book {file}")
    assert (report.value("value"), report.value("sha256")) == (3, digest)
    assert not file.exists()


def test_every_game_of_a_file_is_a_variant(tmp_path: Path) -> None:
    file = made(tmp_path / "two.py", TWO)
    assert ask(f"book {file}").value("value") == mpq(1, 2)  # the first
    assert ask(f"book {file} --variant pennies").value("value") == mpq(1, 2)  # half of all pairs
    with pytest.raises(ExactDiceError, match="variant: got 'coins'; expected one of coin, pennies"):
        ask(f"book {file} --variant coins")


def test_a_page_in_a_file_has_its_variants_and_verdicts(tmp_path: Path) -> None:
    (tmp_path / "rules_beside.py").write_text(BESIDE)
    (tmp_path / "page.py").write_text(PAGE)
    report = ask(f"book {tmp_path / 'page.py'}")
    assert (report.value("value"), report.value("verdict")) == (2, "2: confirmed")
    assert ask(f"book {tmp_path / 'page.py'} --variant long").value("value") == 9


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("total = 1", r"name: got '.*; expected a file that defines a Game, a Race, a Page"),
        ("a = 1\nb = a / 0", r"own.py, line 2: ZeroDivisionError: division by zero"),
        ("def moves(:", r"own.py, line 1: SyntaxError: invalid syntax"),
        ("raise SystemExit(3)", r"own.py, line 1: SystemExit: 3"),
        ("import no_such_module", r"own.py, line 1: ModuleNotFoundError: No module named"),
        ("\0", r"own.py: SyntaxError: source code string cannot contain null bytes"),
        ("from exactdice.models import Game\ngame = Game(0, lambda n: 1 / n)",
         r"own.py, line 2: ZeroDivisionError: division by zero in moves\(0\)"),
        ("from exactdice.models import Game\ngame = Game(0, lambda n: [3])",
         r"moves\(0\): got 3 in a list; expected Choice"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_file_is_told_in_one_line(
    tmp_path: Path, text: str, problem: str
) -> None:
    file = made(tmp_path / "own.py", text)
    with pytest.raises(ExactDiceError, match=problem) as refused:
        ask(f"book {file}")
    assert "\n" not in str(refused.value)


def test_a_file_is_run_when_it_is_asked_and_not_before(tmp_path: Path) -> None:
    file, mark = tmp_path / "own.py", tmp_path / "mark"
    file.write_text(f"open({str(mark)!r}, 'w').close()\n{TWO}")
    asked = question(f"book {file} --variant coin")
    assert not mark.exists()
    with pytest.raises(ExactDiceError, match="questions that name no files"):
        canonical(str(asked))
    with pytest.raises(ExactDiceError, match=r"nowhere\.py: file not found"):
        ask("book nowhere.py")
    assert not mark.exists()
    ask(asked)
    assert mark.exists()


ONE_CARD = """
from exactdice.dice import Distribution
from exactdice.models import *
def moves(seen):
    if not seen:
        return Distribution({("ace",): 1, ("queen",): 1})
    if len(seen) == 1:
        return Turn(1, [Choice(do, 0, point_mass((*seen, do))) for do in ("bet", "check")])
    if seen[1] == "check":
        return End(1 if seen[0] == "ace" else -1)
    if len(seen) == 2:
        return Turn(2, [Choice(do, 0, point_mass((*seen, do))) for do in ("call", "fold")])
    return End(1 if seen[2] == "fold" else 2 if seen[0] == "ace" else -2)
cards = HiddenGame((), moves, lambda seen: seen[0] if len(seen) == 1 else "a bet")
"""


def test_what_to_do_first_is_told_of_each_card_that_one_may_hold(tmp_path: Path) -> None:
    # An ace is bet. With the queen bet with q, a call costs (2 - 2q) / (1 + q) and folding 1: the
    # same for q = 1/3. Against one who folds it is worth 1/2 + (q - (1 - q)) / 2 = 1/3.
    file = made(tmp_path / "cards.py", ONE_CARD)
    report = ask(f"book {file}")
    assert report.value("value") == mpq(1, 3)
    assert report.value("first") == "ace: bet; queen: bet with 1/3, check with 2/3"


def test_what_to_do_first_is_told_of_the_first_states_that_leave_a_choice(tmp_path: Path) -> None:
    file = tmp_path / "rolls.py"
    game = "game = Game('start', lambda s: fair({}) if s == 'start' else [Choice(w, w * s, "
    rules = f"from exactdice.dice import fair\nfrom exactdice.models import *\n{game}"
    for sides, more in ((6, ""), (7, "; …")):
        file.write_text(
            f"{rules.format(sides)}point_mass(None)) for w in (0, 1, 2)] if s else End(0))"
        )
        first = "; ".join(f"{face}: 2" for face in range(1, 7))
        assert ask(f"book {file}").value("first") == first + more
    assert ask(f"book {file} --least").value("first") == first.replace(": 2", ": 0") + "; …"


def test_a_state_that_is_a_set_is_named_alike_by_every_process(tmp_path: Path) -> None:
    file = tmp_path / "words.py"
    words = [f"w{n}" for n in range(8)]
    file.write_text(
        "from exactdice.models import *\n"
        f"game = Game('start', lambda s: point_mass(frozenset({words})) if s == 'start' else "
        "[Choice(n, n, point_mass(None)) for n in (0, 1)] if s else End(0))"
    )
    assert ask(f"book {file}").value("first") == f"{{{', '.join(words)}}}: 1"


MORRA = """
from exactdice.models import *
morra = Game("show", lambda state: Both(
    {(a, b): End((a + b) * (-1) ** (a + b)) for a in (1, 2) for b in (1, 2)}))
"""


def test_players_who_choose_at_once_are_told_their_mixtures(tmp_path: Path) -> None:
    # Two-finger Morra: one finger with 7/12, and the first player loses 1/12 (any textbook).
    file = made(tmp_path / "morra.py", MORRA)
    report = ask(f"book {file}")
    assert report.value("value") == mpq(-1, 12)
    one = "1 with 7/12, 2 with 5/12"
    assert report.value("first") == f"{one} against {one}"
    advice = ask(f"book {file} --state show")  # without the quotation marks of Python
    assert [(row[0], row[1], row[3]) for row in advice.table("choices").rows] == [
        (player, action, chance)
        for player in (1, 2)
        for action, chance in (("1", mpq(7, 12)), ("2", mpq(5, 12)))
    ]
    with pytest.raises(ExactDiceError, match=r"got 'shwo'; expected .* such as 'show'"):
        ask(f"book {file} --state shwo")


def test_a_law_lists_the_totals_of_short_play_alone(tmp_path: Path) -> None:
    file = made(tmp_path / "two.py", TWO)
    assert ask(f"book {file} --law").table("outcomes").rows == (
        (0, mpq(1, 2)),
        (1, mpq(1, 2)),
    )
    craps = ask("book craps --law")  # its rolls need not end
    assert not craps.tables
    assert str(craps.value("outcomes")).startswith("play may take more than 100 moves; in Python")
    assert craps.value("win") == mpq(244, 495)  # textbooks
    assert craps.value("draw") == 1 - mpq(244, 495)  # which pays nothing here
    assert craps.value("loss") == 0
    # Neller and Presser: 4/7 of two players, neither of whom draws
    race = ask("book pig --variant piglet --law")
    assert [race.value(name) for name in ("win", "draw", "loss")] == [mpq(4, 7), 0, mpq(3, 7)]


def test_the_former_name_of_distribution_is_still_read() -> None:
    for asked in (
        question("book craps --law"),
        question_class("book").from_json({"name": "craps", "law": True}),
        question_from(question_class("book"), {"name": ["craps"], "law": ["true"]}),
    ):
        assert str(asked) == "book craps --distribution"
    assert "--law" not in command_of(question_class("book")).get_help(
        click.Context(click.Command(""))
    )


def test_the_law_of_a_mean_is_refused_unless_means_are_asked_for(tmp_path: Path) -> None:
    """By hand: a die has the variance 35/12, its mean none."""
    file = tmp_path / "die.py"
    file.write_text(
        "from exactdice.dice import fair\n"
        "from exactdice.models import *\n"
        "mean = Game(0, lambda s: None if s else Chance('7/2', point_mass(1)))\n"
        "rolled = Game(0, lambda s: None if s else Chance(0, fair(6).map(lambda f: Paid(f, 1))))\n"
    )
    with pytest.raises(ExactDiceError, match=r"^moves\(0\): the reward 7/2 may be .*\(--means\)"):
        ask(f"book {file} --law")
    for asked, variance in (("mean --law --means", 0), ("rolled --law", mpq(35, 12))):
        law = ask(f"book {file} --variant {asked}")
        assert (law.value("mean"), law.value("variance")) == (mpq(7, 2), variance)
        assert len(law.table("outcomes").rows) == (6 if variance else 1)
    with pytest.raises(ExactDiceError, match="means needs --distribution"):
        ask(f"book {file} --means")


def test_ends_that_pay_nothing_are_counted(tmp_path: Path) -> None:
    file = tmp_path / "forgot.py"
    stairs = "stairs = Game(0, lambda n: fair(2).map(lambda f: n + f) if n < 4 else None)"
    file.write_text(TWO + stairs)
    assert ask(f"book {file} --variant stairs").value("unpaid") == 2  # 4 and 5
    assert ask(f"book {file}").value("unpaid") == 1  # 0, and not 1


SOLVED = """
from exactdice.book import PageAnswer, Page, Variant
from exactdice.enclosure import Enclosure
from rules_beside import start
steps = lambda state: Enclosure.of(state)
PAGE = Page("countdown", "Countdown", "one", "steps", {"two": Variant(
    "from two", lambda: start(2),
    solve=lambda run, width: PageAnswer(steps(2), "by hand", 3, at=steps)
)})
"""


def test_a_page_that_solves_by_itself_is_asked_for_what_its_answer_knows(tmp_path: Path) -> None:
    (tmp_path / "rules_beside.py").write_text(BESIDE)
    file = made(tmp_path / "solved.py", SOLVED)
    assert ask(f"book {file} --state 1").value("value") == 1
    with pytest.raises(ExactDiceError, match=r"policy requires a variant whose"):
        ask(f"book {file} --policy {tmp_path / 'policy'}")


BARE = """
from exactdice.book import PageAnswer, Page, Variant
from exactdice.enclosure import Enclosure
from exactdice.models import *
from rules_beside import start
solve = lambda run, width: PageAnswer(Enclosure.of(2), "by hand", 3)
from exactdice.dice import fair
writes = ("policy", "certificate", "law")
morra = Game("show", lambda state: Both({(a, b): End(a - b) for a in (1, 2) for b in (1, 2)}))
none = lambda run, width: PageAnswer(Enclosure.of(0), "by hand", 1, at=lambda s: None)
zero = lambda run, width: PageAnswer(Enclosure.of(0), "by hand", 1, at=lambda s: Enclosure.of(0))
PAGE = Page("countdown", "Countdown", "one", "steps", {
    "two": Variant("from two", lambda: start(2), solve=solve, solve_writes=writes),
    "both": Variant("at once", lambda: morra, solve=zero),
    "unknown": Variant("at once", lambda: morra, solve=none),
    "odd": Variant("a die", lambda: Game(0, lambda n: fair(n) if n else None)),
})
"""


@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        ("--state 1",
         "answer: got the value of the first state only; expected a game that is solved"),
        ("--play 1 --auto", "answer: got the value of the first state only"),
        ("--policy POLICY", "answer: got an answer without states; expected one that lists states"),
        ("--certificate PROOF", "certificate cannot be combined with --width"),
        ("--law", "distribution is not available for this variant"),
        ("--variant both --state show",
         "state: got 'show'; expected one in which players choose in"),
        ("--variant unknown --state show",
         "state: got 'show'; expected one in which players choose"),
        ("--variant odd --state=-5", "sides: got -5"),
    ],
)  # fmt: skip
def test_what_an_answer_does_not_hold_is_refused(tmp_path: Path, asked: str, problem: str) -> None:
    (tmp_path / "rules_beside.py").write_text(BESIDE)
    (tmp_path / "bare.py").write_text(BARE)
    words = re.sub("POLICY|PROOF", lambda name: str(tmp_path / name[0]), asked)
    with pytest.raises(ExactDiceError, match=problem):
        ask(f"book {tmp_path / 'bare.py'} {words}")
    assert not (tmp_path / "POLICY").exists()
    assert not (tmp_path / "PROOF").exists()


def test_what_did_not_come_through_the_file_is_not_told_of_it() -> None:
    with pytest.raises(ZeroDivisionError), in_one_line("own.py"):
        raise ZeroDivisionError


def test_advice_is_within_a_billionth_or_what_is_asked(tmp_path: Path) -> None:
    """Of a page that solves by itself, which says how near it was asked to come."""
    (tmp_path / "rules_beside.py").write_text(BESIDE)
    file = tmp_path / "solved.py"
    near = "solve=lambda run, width: PageAnswer(steps(width or 0), 'by hand', 3, at=steps)"
    page = SOLVED.replace(
        'solve=lambda run, width: PageAnswer(steps(2), "by hand", 3, at=steps)', near
    )
    file.write_text(page.replace("at=steps", "at=lambda state: steps(width or 0)"))
    for more, width in (
        ("", 0),
        (" --width 1/2", mpq(1, 2)),
        (" --state 1", mpq(1, 10**9)),
        (" --state 1 --width 1/2", mpq(1, 2)),
    ):
        assert ask(f"book {file}{more}").value("value") == width
    with pytest.raises(ExactDiceError, match="width: got 0; expected a number above 0"):
        ask(f"book {file} --width 0")


@pytest.mark.parametrize(("moves", "is_listed"), [(100, True), (101, False)])
def test_a_law_is_listed_of_play_that_ends_within_a_hundred_moves(
    tmp_path: Path, moves: int, is_listed: bool
) -> None:
    file = tmp_path / "long.py"
    file.write_text(
        "from exactdice.models import *\n"
        f"free = Game({moves}, lambda n: Chance(0, point_mass(n - 1)) if n else End(-1))\n"
        f"paid = Game({moves}, lambda n: Chance(n % 2, point_mass(n - 1)) if n else None)\n"
    )
    free, paid = (ask(f"book {file} --variant {name} --law") for name in ("free", "paid"))
    assert (free.value("mean"), paid.value("mean")) == (-1, (moves + 1) // 2)
    assert bool(free.tables) == bool(paid.tables) == is_listed
    # where ends alone pay, who wins is told instead
    told = [{quantity.column.name for quantity in report.quantities} for report in (free, paid)]
    assert ["loss" in names for names in told] == [not is_listed, False]


@pytest.mark.parametrize("count", [1, 2, 12, 13])
def test_at_most_twelve_best_choices_are_named(tmp_path: Path, count: int) -> None:
    file = tmp_path / "many.py"
    file.write_text(
        "from exactdice.models import *\n"
        f"game = Game(0, lambda s: End(1) if s else [Choice(n, 0, point_mass(1)) "
        f"for n in range({count})])\n"
    )
    report = ask(f"book {file}")
    told = {quantity.column.name: quantity.value for quantity in report.quantities}
    names = [str(n) for n in range(min(12, count))] + ["…"] * (count > 12)
    assert told.get("first") == (" | ".join(names) if count > 1 else None)
    assert (told["ties"], told["states"]) == (int(count > 1), 2)


UNLIKE = """
from exactdice.models import *
paid = {"t": (1, -1, 5), "b": (-2, 3, 5), "d": (-3, -3, 5)}
ends = {(a, b): End(n) for a in paid for b, n in zip("lrx", paid[a])}
game = Game("show", lambda state: Both(ends))
"""


def test_each_of_two_who_choose_at_once_is_judged_by_the_mixture_of_the_other(
    tmp_path: Path,
) -> None:
    # by hand: t with 5/7 makes l and r worth 1/7, and l with 4/7 so t and b; d and x lose for sure
    file = made(tmp_path / "unlike.py", UNLIKE)
    assert ask(f"book {file} --state show").table("choices").rows == (
        (1, "t", 0, mpq(5, 7)),
        (1, "b", 0, mpq(2, 7)),
        (1, "d", mpq(22, 7), 0),
        (2, "l", 0, mpq(4, 7)),
        (2, "r", 0, mpq(3, 7)),
        (2, "x", mpq(34, 7), 0),
    )
    played = ask(f"book {file} --play 1 --auto")
    one, two = played.table("decisions").cells("action")
    assert one in ("t", "b")
    assert two in ("l", "r")
    assert played.value("lost") == 0


LEAST = """
from exactdice.book import Page, Variant
from exactdice.models import Choice, Game, point_mass
ways = [Choice("cheap", 1, point_mass(1)), Choice("dear", 2, point_mass(1))]
rules = lambda: Game(0, lambda state: None if state else ways)
PAGE = Page("cost", "Cost", "one", "cost", {
    "one": Variant("the least", rules, printed={"1": "the rules"}, least=True),
    "two": Variant("the most", rules, printed={"2": "the rules"}),
})
"""


@pytest.mark.parametrize(
    ("words", "value", "first"),
    [("", 1, "cheap"), ("--variant two", 2, "dear"), ("--variant two --least", 1, "cheap")],
)
def test_a_page_in_a_file_may_ask_for_the_least(
    tmp_path: Path, words: str, value: int, first: str
) -> None:
    file, proof = tmp_path / "cost.py", tmp_path / "proof"
    file.write_text(LEAST)
    report = ask(f"book {file} {words} --certificate {proof}")
    assert (report.value("value"), report.value("first")) == (value, first)
    assert f"from state 0 is {value} " in accepted(proof)
    judged = ask(f"book {file} {words} --state 0").table("choices")
    assert judged.rows[0] == (first, 0)
    if "--least" not in words:
        assert report.value("verdict") == f"{value}: confirmed"


#: By hand: to go on costs nothing, and to end pays the same from wherever; of both players of the
#: duel each may pass for nothing, and a shot wins as often as it loses.
TIED = """
from exactdice.dice import fair
from exactdice.models import Choice, End, Game, Other, Turn, point_mass
end = point_mass("end")
def of(table):
    return Game(0, {**table, "end": None}.__getitem__)
wait = of({0: [Choice("wait", 0, point_mass(0)), Choice("go", 1, end)]})
ring = of({0: [Choice("a", 0, point_mass(1)), Choice("go", 3, end)],
           1: [Choice("b", 0, point_mass(0)), Choice("c", 2, end)]})
pay = of({0: [Choice("wait", -1, point_mass(0)), Choice("go", 1, end)]})
shot = fair(2).map(lambda side: End(2 * side - 3))
duel = Game(0, lambda state: state if state else [
    Choice("pass", 0, point_mass(Other(0))), Choice("shoot", 0, shot)])
turns = Game(1, lambda state: state if isinstance(state, End) else Turn(state, [
    Choice("pass", 0, point_mass(3 - state)), Choice("shoot", 0, shot)]))
"""


@pytest.mark.parametrize(
    ("words", "value", "plays"),
    [
        ("wait", 1, {"0": "go"}),
        ("wait --least", 1, {"0": "go"}),
        ("ring", 3, {"0": "go", "1": "b"}),
        ("ring --least", 2, {"0": "a", "1": "c"}),
        ("pay", 1, {"0": "go"}),
        ("duel", 0, {"0": "shoot"}),
        ("turns", 0, {"1": "shoot", "2": "shoot"}),
    ],
)
def test_of_choices_that_tie_one_that_ends_play_is_made_everywhere(
    tmp_path: Path, words: str, value: int, plays: dict[str, str]
) -> None:
    file, policy = tmp_path / "tied.py", tmp_path / "policy"
    file.write_text(TIED)
    report = ask(f"book {file} --variant {words} --policy {policy}")
    assert report.value("value") == value
    first, *_ = plays.items()
    assert str(report.value("first")).split(" | ")[0] == first[1]
    assert {row["state"]: row["best"] for row in rows_of(policy)} == plays
    assert "value" in rows_of(policy)[0]  # exact, though it may be 0
    for state, action in plays.items():
        judged = ask(f"book {file} --variant {words} --state {state}").table("choices")
        assert judged.rows[0] == (action, 0)
    played = ask(f"book {file} --variant {words} --play 1 --auto")
    assert played.value("lost") == 0
    steps = list(played.table("decisions").select("state", "action"))
    assert len(steps) <= len(plays)
    assert all(plays[str(state)] == action for state, action in steps)
    assert str(xd.models.simulate(xd.book.load(str(file), words.split()[0]).answer().optimum, 9))


BEHIND = """
from exactdice.dice import fair
from exactdice.models import Both, Choice, End, Game, Turn, point_mass
def moves(state):
    if state == "begin":
        return fair(2).map(lambda face: ("both", face))
    if state[0] == "both":
        return Both({("a", "a"): point_mass(("mine", state[1])), ("a", "b"): End(0),
                     ("b", "a"): End(0), ("b", "b"): End(1)})
    if state[0] == "mine":
        return Turn(1, [Choice(word, 0, point_mass(("end", word))) for word in ("take", "leave")])
    return End(int(state[1] == "take"))
game = Game("begin", moves)
"""


def test_first_choices_and_policy_hold_what_both_choose_at_once(tmp_path: Path) -> None:
    # by hand: the first wins 1 where both name the same letter, so that either names each with 1/2
    file, policy = tmp_path / "behind.py", tmp_path / "policy"
    file.write_text(BEHIND)
    report = ask(f"book {file} --policy {policy}")
    halves = "a with 1/2, b with 1/2 against a with 1/2, b with 1/2"
    both = [f"('both', {face}): {halves}" for face in (1, 2)]
    mine = [f"('mine', {face}): take" for face in (1, 2)]
    assert report.value("first") == "; ".join(both + mine)
    rows = [tuple(row.values()) for row in rows_of(policy)]
    assert rows == [
        ("'begin'", "", "", "", "", "1/2"),
        *(
            (f"('both', {face})", player, action, "1/2", "", "1/2")
            for face in (1, 2)
            for player in "12"
            for action in "ab"
        ),
        *((f"('mine', {face})", "1", "take", "1", "take", "1") for face in (1, 2)),
    ]


SEVERAL = """
'''Two pages and a race.'''
from exactdice.book import Page, Variant
from exactdice.dice import fair
from exactdice.models import End, Game, LockedTurns, Race
def page(name, asks, **ends):
    variants = {key: Variant(f"pays {n}", lambda n=n: Game(0, lambda s: End(n)))
                for key, n in ends.items()}
    return Page(name, name.title(), "nobody", asks, variants)
PAGES = [page("one", "points", a=1), page("two", "coins", b=2, c=3)]
turns = LockedTurns(0, lambda heads: fair(2) if heads < 2 else None,
                    lambda heads, shown: [heads + 1] if shown == 1 else [], bool)
piglet = Race(turns, lambda heads: heads, 2)
"""


def test_a_file_of_several_pages_and_a_race_is_asked_for_each(tmp_path: Path) -> None:
    file = made(tmp_path / "several.py", SEVERAL)
    names = {"one/a": 1, "two/b": 2, "two/c": 3, "piglet": mpq(4, 7)}  # Neller and Presser 2004
    for name, value in names.items():
        report = ask(f"book {file} --variant {name}")
        assert report.value("value") == value
        assert report.value("others") == ", ".join(other for other in names if other != name)
    assert ask(f"book {file}").value("rules") == "One: pays 1"
    asks = {ask(f"book {file} --variant {n}").quantities[0].column.meaning for n in names}
    assert asks == {"points", "coins", "probability that the starting player wins"}
    assert ask(f"book {file} --variant piglet --play 1 --auto").value("lost") == 0
    only = tmp_path / "race.py"  # and nothing else
    only.write_text(SEVERAL.partition("def page")[0] + "turns" + SEVERAL.partition("turns")[2])
    report = ask(f"book {only}")
    assert report.value("value") == mpq(4, 7)
    assert "others" not in {quantity.column.name for quantity in report.quantities}


def test_the_small_games_of_the_examples_are_asked_by_the_command() -> None:
    file = EXAMPLE.parent / "small_games.py"
    assert ask(f"book {file}").value("verdict") == "31.498: confirmed"
    with pytest.raises(
        ExactDiceError, match="expected one of beetle/spinner, beetle/die, drop-dead"
    ):
        ask(f"book {file} --variant mexico")


@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        (TWO, "--variant pennies --least", "least applies only to games of one player"),
        ("from exactdice.book import Page\nPAGE = Page('', '', '', '', {})", "",
         "variants: got {}"),
        ("PAGES = [1]", "",
         "expected a file that defines a Game, a Race, a Page named PAGE, or a list"),
        ("from exactdice.book import PAGES", "", "expected a file that defines a Game, a Race"),
    ],
)  # fmt: skip
def test_files_without_what_is_asked_are_refused(
    tmp_path: Path, text: str, words: str, message: str
) -> None:
    file = made(tmp_path / "odd.py", text)
    with pytest.raises(ExactDiceError) as problem:
        ask(f"book {file} {words}")
    assert message in str(problem.value)
    assert "\n" not in str(problem.value)
