"""A page of one's own, as a file of Python: what it answers, and what it is told."""

import csv
import re
from fractions import Fraction
from functools import cache
from hashlib import sha256
from pathlib import Path
from textwrap import dedent

import pytest
from cases import text_of
from gmpy2 import mpq
from test_book import accepted

import exactdice as xd
from exactdice import ask
from exactdice.book.page import in_one_line
from exactdice.cli.help import TOPICS
from exactdice.errors import ExactDiceError, InputError
from exactdice.rooms import question
from exactdice.solve.game import ModelError
from exactdice.sweeps.model import canonical

EXAMPLE = Path(__file__).parents[2] / "examples" / "stop_or_roll.py"

TWO = """
coin = Game("toss", lambda s: fair(2).map(lambda side: side - 1) if s == "toss" else End(s))
pennies = HiddenGame(0, lambda s: Both({(a, b): End(int(a == b)) for a in "ht" for b in "ht"}),
                     lambda s: ("", ""))
"""

PAGE = text_of("book/pages/page.txt")

BESIDE = """
def start(n):
    return Game(n, lambda n: Chance(1, point_mass(n - 1)) if n else None)
"""


HEAD = text_of("book/pages/head.txt")


@pytest.fixture
def put(tmp_path):
    def write(text, name="own.py", head=HEAD):
        (tmp_path / name).write_text(head + text)
        return tmp_path / name

    return write


def rows_of(policy):
    with policy.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def reached(first, after):
    """All states that a walk from the first one comes to."""
    met, left = {first}, [first]
    while left:
        new = set(after(left.pop())) - met
        met |= new
        left += new
    return met


@cache
def best(total):
    """By the rule itself: stop, or roll on unless 30 are reached."""
    rolled = sum((best(total + face) for face in range(2, 7)), Fraction(0)) / 6 if total < 30 else 0
    return max(Fraction(total), Fraction(rolled))


def test_a_game_in_a_file_or_the_help_has_value_advice_and_certificate(tmp_path):
    proof, policy = tmp_path / "proof", tmp_path / "policy"
    report = ask(f"book {EXAMPLE} --certificate {proof} --policy {policy}")
    assert report.value("value") == mpq(best(0))
    assert report.title.startswith("Roll as often as you like")
    assert report.value("first") == "roll"  # for stopping at once brings nothing
    assert f"from state 0 is {best(0)} " in accepted(proof)
    rows = rows_of(policy)
    states = reached(0, lambda n: range(n + 2, n + 7) if n < 30 else ())
    values = {int(row["state"]): Fraction(row["value"]) for row in rows}
    assert values == {state: best(state) for state in states}
    judged = ask(f"book {EXAMPLE} --state 20").table("choices")
    assert judged.cells("regret") == [0, 0]  # 20 is where both are as good
    assert {len(row) for row in judged.rows} == {2}  # nothing is drawn where one chooses
    assert xd.book.load(str(EXAMPLE)).answer().value.point == mpq(best(0))
    text = TOPICS["game"][1]
    shown = text[text.index('  """') : text.index("\n\nA Choice")]
    (tmp_path / "mine.py").write_text(dedent(shown))
    assert ask(f"book {tmp_path / 'mine.py'}").value("value") == mpq(best(0))


FEWEST = text_of("book/pages/fewest.txt")


@cache
def least(n):
    """What each die of four or of seven sides costs until 10 are reached, by the rule itself."""
    after = {s: [min(least(t).values()) for t in range(n + 1, min(10, n + s + 1))] for s in (4, 7)}
    return {f"d{s}": s + sum(later) / Fraction(s) for s, later in after.items()}


def test_the_least_of_a_game_of_one_player_is_asked_as_the_most_is(put, tmp_path):
    file, proof, policy = put(FEWEST), tmp_path / "proof", tmp_path / "policy"
    report = ask(f"book {file} --least --certificate {proof} --policy {policy}")
    assert report.value("value") == mpq(min(least(0).values()))
    assert f"from state 0 is {min(least(0).values())} " in accepted(proof)
    values = {int(row["state"]): Fraction(row["value"]) for row in rows_of(policy)}
    assert values == {n: min(least(n).values()) for n in range(10)}
    for n in range(10):
        choices = ask(f"book {file} --least --state {n}").table("choices")
        best = min(least(n).values())
        regrets = {action: mpq(worth - best) for action, worth in least(n).items()}
        assert dict(choices.select("action", "regret")) == regrets
    with pytest.raises(ExactDiceError, match=r"least applies only to a FILE\.py"):
        ask("book pig --least")
    put(TWO + "x = Game(0, lambda s: Turn(2, [Choice(1, 0, point_mass(s))]))")
    with pytest.raises(ExactDiceError, match="least applies only to games of one player"):
        ask(f"book {file} --variant x --least")


def test_a_state_that_is_no_literal_is_found_as_it_is_written(put):
    """Three coupons: with one seen, each roll brings a further one with 2/3, then with 1/3."""
    file = put(
        "coins = Game(frozenset(), lambda seen: Chance(1, fair(3).map(lambda f: seen | {f*f - 1}))"
        " if len(seen) < 3 else None)\n"
    )
    state = repr(frozenset({3}))
    assert ask(f"book {file} --state '{state}'").value("value") == mpq(3, 2) + 3
    for state in (repr(frozenset({3, 8})), "frozenset({3, 8})"):  # Python begins with the 8
        assert ask(f"book {file} --state '{state}'").value("value") == 3
    problem = r"state: got 'frozenset\(\{4\}\)'; expected .* such as f"
    with pytest.raises(ExactDiceError, match=problem):
        ask(f"book {file} --state 'frozenset({{4}})'")


def test_a_file_that_is_changed_or_gone_while_it_is_solved_is_told_of_as_it_was(put, tmp_path):
    file = put(
        "from pathlib import Path\n"
        "def moves(state):\n    Path(__file__).unlink()\n    return End(3)\n"
        f"__file__ = {str(tmp_path / 'own.py')!r}\ngame = Game(0, moves)\n"
    )
    digest = sha256(file.read_bytes()).hexdigest()
    report = ask(f"book {file}")
    assert (report.value("value"), report.value("sha256")) == (3, digest)
    assert not file.exists()


def test_games_and_pages_of_a_file_have_variants_and_verdicts(put):
    file = put(TWO, "two.py")
    first = ask(f"book {file}")
    assert first.value("value") == mpq(1, 2)
    assert "verdict" not in {quantity.column.name for quantity in first.quantities}
    assert ask(f"book {file} --variant pennies").value("value") == mpq(1, 2)  # half of all pairs
    with pytest.raises(ExactDiceError, match="variant: got 'coins'; expected one of coin, pennies"):
        ask(f"book {file} --variant coins")
    with pytest.raises(ExactDiceError, match="least applies only to games of one player"):
        ask(f"book {file} --variant pennies --least")
    put(BESIDE, "rules_beside.py")
    file = put(PAGE, "page.py")
    report = ask(f"book {file}")
    assert (report.value("value"), report.value("verdict")) == (2, "2: confirmed")
    assert ask(f"book {file} --variant long").value("value") == 9


ONE_GAME = "from exactdice.models import Game\ngame = Game(0, "


@pytest.mark.parametrize(("text", "problem"), [
    ("total = 1", r"name: got '.*; expected a file with a Game, a function annotated"),
    ("a = 1\nb = a / 0", r"own.py, line 2: ZeroDivisionError: division by zero"),
    ("def moves(:", r"own.py, line 1: SyntaxError: invalid syntax$"),
    ("raise SystemExit(3)", r"own.py, line 1: SystemExit: 3"),
    ("import no_such_module", r"own.py, line 1: ModuleNotFoundError: No module named"),
    ("\0", r"own.py: SyntaxError: source code string cannot contain null bytes"),
    (f"{ONE_GAME}lambda n: 1 / n)",
     r"own.py, line 2: ZeroDivisionError: division by zero in moves\(0\)"),
    (f"{ONE_GAME}lambda n: [3])", r"moves\(0\): got 3 in a list; expected Choice"),
    ("from exactdice.book import Page\nPAGE = Page('', '', '', '', {})", "variants: got {}"),
    ("PAGES = [1]", "expected a file with a Game, a function annotated with -> Game, a Race"),
    ("from exactdice.book import PAGES", "expected a file with a Game"),
])  # fmt: skip
def test_what_is_wrong_in_a_file_is_told_in_one_line(put, text, problem):
    with pytest.raises(ExactDiceError, match=problem) as refused:
        ask(f"book {put(text, head='')}")
    assert "\n" not in str(refused.value)


def test_a_file_is_run_when_it_is_asked_and_not_before(put, tmp_path):
    with pytest.raises(ZeroDivisionError), in_one_line("own.py"):  # not by the file
        raise ZeroDivisionError
    mark = tmp_path / "mark"
    file = put(f"open({str(mark)!r}, 'w').close()\n{TWO}")
    asked = question(f"book {file} --variant coin")
    assert not mark.exists()
    with pytest.raises(ExactDiceError, match="a question that names no file"):
        canonical(str(asked))
    with pytest.raises(ExactDiceError, match=r"nowhere\.py: file not found"):
        ask("book nowhere.py")
    assert not mark.exists()
    ask(asked)
    assert mark.exists()


ONE_CARD = text_of("book/pages/one_card.txt")


def test_what_to_do_first_is_told_of_the_first_states_that_leave_a_choice(put):
    # An ace is bet. With the queen bet with q, a call costs (2 - 2q) / (1 + q) and folding 1: the
    # same for q = 1/3. Against one who folds it is worth 1/2 + (q - (1 - q)) / 2 = 1/3.
    file = put(ONE_CARD, "cards.py")
    report = ask(f"book {file}")
    assert report.value("value") == mpq(1, 3)
    assert report.value("first") == "ace: bet; queen: bet with 1/3, check with 2/3"
    game = "game = Game('start', lambda s: fair({}) if s == 'start' else [Choice(w, w * s, "
    for sides, more in ((6, ""), (7, "; …")):
        ways = "point_mass(None)) for w in (0, 1, 2)] if s else End(0))"
        file = put(game.format(sides) + ways)
        first = "; ".join(f"{face}: 2" for face in range(1, 7))
        assert ask(f"book {file}").value("first") == first + more
    assert ask(f"book {file} --least").value("first") == first.replace(": 2", ": 0") + "; …"
    words = [f"w{n}" for n in range(8)]
    file = put(
        f"game = Game('start', lambda s: point_mass(frozenset({words})) if s == 'start' else "
        "[Choice(n, n, point_mass(None)) for n in (0, 1)] if s else End(0))"
    )
    assert ask(f"book {file}").value("first") == f"{{{', '.join(words)}}}: 1"


UNLIKE = text_of("book/pages/unlike.txt")


def test_players_who_choose_at_once_are_told_their_mixtures_and_judged_by_them(put):
    # by hand: t with 5/7 makes l and r worth 1/7, and l with 4/7 so t and b; d and x lose for sure
    file = put(UNLIKE, "unlike.py")
    report = ask(f"book {file}")
    assert report.value("value") == mpq(1, 7)
    assert report.value("first") == "b with 2/7, t with 5/7 against l with 4/7, r with 3/7"
    with pytest.raises(ExactDiceError, match=r"got 'shwo'; expected .* such as 'show'"):
        ask(f"book {file} --state shwo")
    assert ask(f"book {file} --state show").table("choices").rows == (
        (1, "t", 0, mpq(5, 7)), (1, "b", 0, mpq(2, 7)), (1, "d", mpq(22, 7), 0),
        (2, "l", 0, mpq(4, 7)), (2, "r", 0, mpq(3, 7)), (2, "x", mpq(34, 7), 0),
    )  # fmt: skip
    played = ask(f"book {file} --play 1 --auto")
    one, two = played.table("decisions").cells("action")
    assert one in ("t", "b")
    assert two in ("l", "r")
    assert played.value("lost") == 0


def test_a_law_lists_the_totals_of_short_play(put):
    file = put(TWO, "two.py")
    assert ask(f"book {file} --distribution").table("outcomes").rows == (
        (0, mpq(1, 2)),
        (1, mpq(1, 2)),
    )
    craps = ask("book craps --distribution")  # its rolls need not end
    assert not craps.tables
    assert str(craps.value("outcomes")).startswith("play may take more than 100 moves; in Python")
    assert craps.value("win") == mpq(244, 495)  # textbooks
    assert craps.value("draw") == 1 - mpq(244, 495)  # which pays nothing here
    assert craps.value("loss") == 0
    # Neller and Presser: 4/7 of two players, neither of whom draws
    race = ask("book pig --variant piglet --distribution")
    assert [race.value(name) for name in ("win", "draw", "loss")] == [mpq(4, 7), 0, mpq(3, 7)]
    # By hand: a die has the variance 35/12, its mean none.
    file = put(
        "mean = Game(0, lambda s: None if s else Chance('7/2', point_mass(1)))\n"
        "rolled = Game(0, lambda s: None if s else Chance(0, fair(6).map(lambda f: Paid(f, 1))))\n"
    )
    with pytest.raises(ExactDiceError, match=r"^moves\(0\): the reward 7/2 may be .*\(--means\)"):
        ask(f"book {file} --distribution")
    for asked, variance in (
        ("mean --distribution --means", 0),
        ("rolled --distribution", mpq(35, 12)),
    ):
        law = ask(f"book {file} --variant {asked}")
        assert (law.value("mean"), law.value("variance")) == (mpq(7, 2), variance)
        assert len(law.table("outcomes").rows) == (6 if variance else 1)
    with pytest.raises(ExactDiceError, match="means needs --distribution"):
        ask(f"book {file} --means")
    stairs = "stairs = Game(0, lambda n: fair(2).map(lambda f: n + f) if n < 4 else None)"
    file = put(TWO + stairs)
    assert ask(f"book {file} --variant stairs").value("unpaid") == 2  # 4 and 5
    assert ask(f"book {file}").value("unpaid") == 1  # 0, and not 1


SOLVED = text_of("book/pages/solved.txt")


def test_a_page_that_solves_by_itself_is_asked_for_what_its_answer_knows(put, tmp_path):
    put(BESIDE, "rules_beside.py")
    file = put(SOLVED, "solved.py")
    assert ask(f"book {file} --state 1").value("value") == 1
    with pytest.raises(ExactDiceError, match=r"policy requires a variant whose"):
        ask(f"book {file} --policy {tmp_path / 'policy'}")
    # as near as it was asked to come: advice within a billionth
    near = "solve=lambda run, width: PageAnswer(steps(width or 0), 'by hand', 3, at=steps)"
    page = re.sub("solve=.*=steps\\)", near, SOLVED)
    file = put(page.replace("at=steps", "at=lambda state: steps(width or 0)"))
    widths = {"": 0, " --width 1/2": mpq(1, 2), " --state 1": mpq(1, 10**9)}
    for more, width in (widths | {" --state 1 --width 1/2": mpq(1, 2)}).items():
        assert ask(f"book {file}{more}").value("value") == width
    with pytest.raises(ExactDiceError, match="width: got 0; expected a number above 0"):
        ask(f"book {file} --width 0")


BARE = text_of("book/pages/bare.txt")


@pytest.mark.parametrize(("asked", "problem"), [
    ("--state 1", "state and --play require one value for each state$"),
    ("--play 1 --auto", "state and --play require one value for each state$"),
    ("--policy POLICY", "answer: got an answer without states; expected one that lists states"),
    ("--certificate PROOF", "certificate cannot be combined with --width"),
    ("--distribution", "distribution is not available for this variant"),
    ("--variant both --state show", "state: got 'show'; expected a state with alternating"),
    ("--variant unknown --state show", "state: got 'show'; expected a state with alternating"),
    ("--variant odd --state=-5", "sides: got -5"),
])  # fmt: skip
def test_what_an_answer_does_not_hold_is_refused(put, tmp_path, asked, problem):
    put(BESIDE, "rules_beside.py")
    put(BARE, "bare.py")
    words = re.sub("POLICY|PROOF", lambda name: str(tmp_path / name[0]), asked)
    with pytest.raises(ExactDiceError, match=problem):
        ask(f"book {tmp_path / 'bare.py'} {words}")
    assert not (tmp_path / "POLICY").exists()
    assert not (tmp_path / "PROOF").exists()


@pytest.mark.parametrize(("moves", "is_listed"), [(100, True), (101, False)])
def test_a_law_is_listed_of_play_that_ends_within_a_hundred_moves(put, moves, is_listed):
    file = put(
        f"free = Game({moves}, lambda n: Chance(0, point_mass(n - 1)) if n else End(-1))\n"
        f"paid = Game({moves}, lambda n: Chance(n % 2, point_mass(n - 1)) if n else None)\n"
    )
    free, paid = (ask(f"book {file} --variant {name} --distribution") for name in ("free", "paid"))
    assert (free.value("mean"), paid.value("mean")) == (-1, (moves + 1) // 2)
    assert bool(free.tables) == bool(paid.tables) == is_listed
    # where ends alone pay, who wins is told instead
    told = [{quantity.column.name for quantity in report.quantities} for report in (free, paid)]
    assert ["loss" in names for names in told] == [not is_listed, False]


@pytest.mark.parametrize("count", [1, 2, 12, 13])
def test_at_most_twelve_best_choices_are_named(put, count):
    file = put(
        f"game = Game(0, lambda s: End(1) if s else [Choice(n, 0, point_mass(1)) "
        f"for n in range({count})])\n"
    )
    report = ask(f"book {file}")
    told = {quantity.column.name: quantity.value for quantity in report.quantities}
    names = [str(n) for n in range(min(12, count))] + ["…"] * (count > 12)
    assert told.get("first") == (" | ".join(names) if count > 1 else None)
    assert (told["ties"], told["states"]) == (int(count > 1), 2)


LEAST = text_of("book/pages/least.txt")


@pytest.mark.parametrize(("words", "value", "first"), [
    ("", 1, "cheap"), ("--variant two", 2, "dear"), ("--variant two --least", 1, "cheap"),
])  # fmt: skip
def test_a_page_in_a_file_may_ask_for_the_least(put, tmp_path, words, value, first):
    file, proof = put(LEAST), tmp_path / "proof"
    report = ask(f"book {file} {words} --certificate {proof}")
    assert (report.value("value"), report.value("first")) == (value, first)
    assert f"from state 0 is {value} " in accepted(proof)
    judged = ask(f"book {file} {words} --state 0").table("choices")
    assert judged.rows[0] == (first, 0)
    if "--least" not in words:
        assert report.value("verdict") == f"{value}: confirmed"


#: By hand: to go on costs nothing, and to end pays the same from wherever; of both players of the
#: duel each may pass for nothing, and a shot wins as often as it loses, with probability 1/2.
TIED = text_of("book/pages/tied.txt")


@pytest.mark.parametrize(("words", "value", "plays"), [
    ("wait", 1, {"0": "go"}), ("wait --least", 1, {"0": "go"}),
    ("ring", 3, {"0": "go", "1": "b"}), ("ring --least", 2, {"0": "a", "1": "c"}),
    ("pay", 1, {"0": "go"}), ("duel", mpq(1, 2), {"0": "shoot"}),
    ("turns", mpq(1, 2), {"1": "shoot", "2": "shoot"}),
])  # fmt: skip
def test_of_choices_that_tie_one_that_ends_play_is_made(put, tmp_path, words, value, plays):
    file, policy = put(TIED), tmp_path / "policy"
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


BEHIND = text_of("book/pages/behind.txt")


def test_first_choices_and_policy_hold_what_both_choose_at_once(put, tmp_path):
    # by hand: the first wins 1 where both name the same letter, so that either names each with 1/2
    file, policy = put(BEHIND), tmp_path / "policy"
    report = ask(f"book {file} --policy {policy}")
    halves = "a with 1/2, b with 1/2 against a with 1/2, b with 1/2"
    both = [f"('both', {face}): {halves}" for face in (1, 2)]
    assert report.value("first") == "; ".join(both)  # to take or to leave comes after a choice
    assert {row["decimal"] for row in rows_of(policy)} == {"0.5000000000", "1.000000000"}
    assert [row["second"] for row in rows_of(policy)][-1] == "leave"
    assert rows_of(policy)[-1]["regret"] == "1.000000000"
    rows = [tuple(row.values())[:6] for row in rows_of(policy)]
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


def test_an_option_of_the_rules_without_a_default_has_to_be_set(put):
    file = put(
        "def steps(n: int, paid: int = 1) -> Game:\n"
        "    return Game(n, lambda s: Chance(paid, point_mass(s - 1)) if s else None)\n"
    )
    for more in ("", " --set paid=2", " --state 1", " --play 1 --auto"):
        with pytest.raises(ExactDiceError, match=r"^set needs NAME=VALUE for each .*'n'$"):
            ask(f"book {file}{more}")
    with pytest.raises(InputError, match=r"^set: got 'n=x'; expected a number"):
        ask(f"book {file} --set n=x")
    assert ask(f"book {file} --set n=3 --set paid=2").value("value") == 6  # three steps of 2


SEVERAL = text_of("book/pages/several.txt")


def test_files_of_several_pages_a_race_and_the_small_games_are_asked_for_each(put):
    file = put(SEVERAL, "several.py")
    names = {"one/a": 1, "two/b": 2, "two/c": 3, "piglet": mpq(4, 7)}  # Neller and Presser 2004
    for name, value in names.items():
        report = ask(f"book {file} --variant {name}")
        assert report.value("value") == value
        assert report.value("others") == ", ".join(other for other in names if other != name)
    assert ask(f"book {file}").value("rules") == "One: pays 1"
    asks = {ask(f"book {file} --variant {n}").quantities[0].column.meaning for n in names}
    assert asks == {"points", "coins", "probability that the starting player wins"}
    assert ask(f"book {file} --variant piglet --play 1 --auto").value("lost") == 0
    only = put("turns" + SEVERAL.partition("turns")[2], "race.py")  # and nothing else
    report = ask(f"book {only}")
    assert report.value("value") == mpq(4, 7)
    assert "others" not in {quantity.column.name for quantity in report.quantities}
    file = EXAMPLE.parent / "small_games.py"
    assert ask(f"book {file}").value("verdict") == "31.498: confirmed"
    named = "expected one of beetle/spinner, beetle/die, drop-dead"
    with pytest.raises(ExactDiceError, match=named):
        ask(f"book {file} --variant mexico")


ASKED = text_of("book/pages/asked.txt")


# By hand: three players of Pig to 4 roll on, and a turn wins with 7/9, or 5/6 to 2. A fair coin
# tossed in turn is won by the first with 2/3, in 2 tosses. In `wait` the first goes on only if
# infinite play pays more than −1, and the second ends at 1/2 only if it pays more. Rock, paper,
# scissors is fair. The machine is that of `long_run`; 4,591/7,776 is by recursion over the totals
# of the dice.
@pytest.mark.parametrize(("words", "value", "what"), [
    ("toss", mpq(2, 3), "probability that the first player wins"),
    ("toss --ask won", mpq(2, 3), "payoff of the first player is above 0"),
    ("toss --ask lost", mpq(1, 3), "payoff of the first player is below 0"),
    ("toss --ask drawn", 0, "payoff of the first player is 0"),
    ("toss --ask turns", 2, "expected number of turns"),
    ("toss --ask moves", 2, "expected number of moves"),
    ("signs", mpq(1, 2), "wins (a draw counts half)"),
    ("wait --infinite draw", 0, "if infinite play pays 0"),
    ("wait --infinite win", mpq(1, 2), "if infinite play pays 1"),
    ("wait --infinite lose", -1, "if infinite play pays -1"),
    ("work --ask average", 6, "greatest average reward per step"),
    ("dice --ask 'total >= 10'", mpq(4591, 7776), "total of player 1 is >= 10"),
    ("pig", mpq(81, 103), "value of player 1 in a subgame-perfect equilibrium"),
    ("pig --player 2", mpq(18, 103), "value of player 2"),
    ("pig --ask won --player 3", mpq(4, 103), "payoff of player 3 is above 0"),
    ("pig --ask guarantee", mpq(81, 103), "guarantee of player 1 against all others"),
    ("pig --set target=2 --set players=2", mpq(6, 7), "value of player 1"),
])  # fmt: skip
def test_files_answer_other_questions(put, tmp_path, words, value, what):
    file, proof = put(ASKED), tmp_path / "proof"
    report = ask(f"book {file} --variant {words}")
    assert report.value("value") == value
    assert what in report.quantities[0].column.meaning
    if "turns" not in words:
        ask(f"book {file} --variant {words} --certificate {proof}")
        checker = "average_check" if "average" in words else "certificate_check"
        assert accepted(proof, checker)


@pytest.mark.parametrize(("words", "message"), [
    ("toss --ask luck", "ask: got 'luck'; expected total, won"),
    ("toss --ask guarantee", "ask: got 'guarantee'; expected guarantee only for Game"),
    ("toss --ask won --state 0", "ask cannot be combined with --state"),
    ("toss --ask won --infinite draw", "infinite: got 'draw'; expected --ask total"),
    ("toss --infinite perhaps", "infinite: got 'perhaps'; expected"),
    ("toss --set x=1", "set: got 'x'; expected a variant with options"),
    ("toss --player 2", "player applies only to Game"),
    ("dice --ask turns", "ask: got 'turns'; expected --ask moves"),
    ("pig --set sides=1", "set: got 'sides'; expected one of target, players"),
    ("pig --set sides", "set: got 'sides'; expected NAME=VALUE"),
    ("pig --set target=x", "set: got 'target=x'; expected a number"),
    ("pig --ask moves", "ask: got 'moves'; expected total, won, drawn"),
    ("pig --player 4", "player: got 4; expected a player from 1 to 3"),
    ("toss --ask turns --certificate new", "certificate cannot be combined with --width or this"),
    ("pig --play 1 --auto", "state and --play require one value for each state$"),
])  # fmt: skip
def test_other_questions_are_refused_by_name(put, words, message):
    with pytest.raises(ExactDiceError, match=f"^{message}"):
        ask(f"book {put(ASKED)} --variant {words}")


def test_policies_of_several_players_are_written_for_each(put, tmp_path):
    policy = tmp_path / "policy"
    report = ask(f"book {put(ASKED)} --policy {policy}")
    rows = rows_of(policy)
    assert list(rows[0])[:4] == ["state", "player", "best", "value_1"]
    assert {row["player"] for row in rows} == {"1", "2", "3"}
    values = [Fraction(rows[0][f"value_{seat}"]) for seat in (1, 2, 3)]
    assert values == [Fraction(81, 103), Fraction(18, 103), Fraction(4, 103)]
    assert [mpq(value) for value in values] == report.table("seats").cells("value")
    assert report.value("players") == "3, alternating, each with payments of its own"
    assert report.value("method") == "subgame-perfect equilibrium"


KUHN = text_of("book/pages/kuhn.txt")


def test_what_to_do_with_some_knowledge_is_in_kuhns_paper(put):
    """The second player's only optimal strategy (Kuhn 1950): bluff and call in one of three."""
    file = put("from exactdice.models import HiddenGame, Turn\n" + KUHN, "kuhn.py")
    for knowledge, action, chance in (("('Q','b')", "c", 3), ("('J', 'p')", "b", 3)):
        report = ask(f'book {file} --state "{knowledge}"')
        assert report.value("value") == mpq(-1, 18)
        (table,) = report.tables
        assert dict(zip(table.cells("action"), table.cells("chance"), strict=True))[action] == mpq(
            1, chance
        )
    with pytest.raises(InputError, match=r"^state: got 'Z'; expected one of 12 names"):
        ask(f"book {file} --state Z")


def test_hidden_games_are_played_and_asked(put):
    """The value is Kuhn's (1950); the chances to win and to lose are sums of the distribution."""
    rules = f"from exactdice.models import HiddenGame, Turn\n{KUHN}\n"
    file = put(f"{rules}def same() -> HiddenGame:\n    return game\n", "kuhn.py")
    assert ask(f"book {file} --variant same").value("value") == mpq(-1, 18)
    law = ask(f"book {file} --distribution")
    assert law.value("mean") == mpq(-1, 18)
    rows = law.table("outcomes").rows
    won = sum(chance for total, chance in rows if total > 0)
    assert ask(f"book {file} --ask won").value("value") == won
    assert ask(f"book {file} --ask lost").value("value") == 1 - won
    assert ask(f"book {file}").value("players") == "two, with hidden information"
    for seed in range(4):
        played = ask(f"book {file} --play {seed} --auto")
        assert played.value("lost") == 0
        assert played.value("result") in {-2, -1, 1, 2}
    # which state is met first depends on the version of networkx
    with pytest.raises(ModelError, match=r"the payoff (-2|1)/9 is a mean; expected"):
        ask("book mia --distribution")
