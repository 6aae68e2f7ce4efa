"""The checker of certificates: nothing false is accepted, and all that the package writes is."""

import copy
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest
from both_checkers import by_python, misspelt, module
from forging import Paper, forge, is_true, random_paper, read
from gmpy2 import mpq

from exactdice.dice import Distribution
from exactdice.games.farkle import KCD
from exactdice.games.farkle.model import as_race
from exactdice.games.farkle.races.chances import contender
from exactdice.games.fatestones.model import as_game as duel_of
from exactdice.games.reroll.exact import as_game as reroll_of
from exactdice.games.reroll.rules import RerollRules
from exactdice.games.swe.model import as_game as swe_of
from exactdice.models import (
    Both,
    Chance,
    Choice,
    End,
    Game,
    Other,
    Turn,
    optimum,
    point_mass,
    policy_value,
)
from exactdice.solve.questions import reach

CHECKER = Path(__file__).parents[2] / "proofs" / "certificate_check.py"


SOURCE = CHECKER.read_text(encoding="ascii")
CHECK = module(SOURCE)


def accepts(paper: Paper, check: ModuleType = CHECK) -> bool:
    """Whether a checker accepts a paper."""
    return by_python(check, "".join(paper.lines()))


def forged_and_accepted(
    seed: int, forgeries: int, check: ModuleType = CHECK
) -> Iterator[tuple[Paper, bool]]:
    """Forge papers; give those that are accepted, and whether each is true."""
    drawn = Random(seed)  # noqa: S311 - no secret
    for _ in range(forgeries // 20):
        paper = random_paper(drawn)
        for _ in range(20):
            forged = copy.deepcopy(paper)
            for _ in range(drawn.choice([1, 1, 2, 3])):
                forge(forged, drawn)
            if accepts(forged, check):
                yield forged, is_true(forged)


def require_true(seed: int, forgeries: int) -> Counter[str]:
    """Refuse a false one among those accepted; count these by question."""
    accepted = Counter[str]()
    for paper, is_right in forged_and_accepted(seed, forgeries):
        accepted[paper.question] += 1
        assert is_right, "".join(paper.lines())
    return accepted


@pytest.mark.slow
def test_no_forgery_is_accepted() -> None:
    """Brute force judges whatever is accepted; a fifth is, as many changes do no harm."""
    assert min(require_true(1, 10_000).values()) > 300


def test_a_changed_letter_is_caught_or_what_is_left_is_true() -> None:
    """One in twenty is accepted, and says of the game that is written there what is so."""
    drawn, accepted, tried = Random(5), 0, 0  # noqa: S311 - no secret
    while tried < 4000:
        text = "".join(random_paper(drawn).lines())
        if not by_python(CHECK, text):
            continue
        for changed in {misspelt(text, drawn) for _ in range(40)} - {text}:
            tried += 1
            if by_python(CHECK, changed):
                accepted += 1
                paper, keeps_claim = read(changed)
                assert keeps_claim, changed
                assert is_true(paper), changed
    assert accepted > 100


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 8))
def test_none_of_many_forgeries_is_accepted(seed: int) -> None:
    """The same, 300000 times in all."""
    require_true(seed, 50_000)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("condition", "instead"),
    [
        ("gain and (gain > 0) == first_free", "gain > 0 and first_free"),
        ("gain and (gain > 0) == first_free", "gain < 0 and not first_free"),
        ("is_asked = is_fixed or self.players == 2", "is_asked = is_fixed"),
        ("is_asked = is_fixed or self.players == 2", "is_asked = False"),
        ("not first_free if self.question", "False if self.question"),
        ("not first_free if self.question", "not first_free and is_fixed if self.question"),
        ("else gain == 0)", "else False)"),
        ("nearest < ranks[state]", "nearest <= ranks[state]"),
        ("<= paid <=", "<= paid + 1 <= 1 +"),
        ("if fixes and place != fixed", "if place != fixed"),
        ('need(self.players == 2 or not is_two, "', 'need(True, "'),
        ('if self.question == "reach" else', 'if self.question != "total" else'),
    ],
)
def test_the_forgeries_find_a_checker_that_asks_less(condition: str, instead: str) -> None:
    """A condition left out lets something false through: each of them is needed and is tried."""
    assert SOURCE.count(condition) == 1
    weaker = module(SOURCE.replace(condition, instead))
    assert not all(is_right for _, is_right in forged_and_accepted(1, 10_000, weaker))


# What the package writes ----------------------------------------------------------------------


def pennies(state: Any) -> Any:
    """Matching pennies for 1 or 2; when they differ, a coin is tossed for going on."""
    if state != "play":
        return None
    pairs = {(a, b): End(1 + (a == "t")) for a in "ht" for b in a}
    return Both(
        pairs | {p: Chance(0, Distribution({"play": 1, 0: 1})) for p in (("h", "t"), ("t", "h"))}
    )


def guess(again: str) -> Any:
    """A choice at once after which each is perhaps in the other's place: `again`, or at the end."""

    def moves(state: Any) -> Any:
        if state == "play":
            return Both(
                {
                    ("a", "x"): End(3),
                    ("a", "y"): Chance(0, Distribution({Other(again): 2, 0: 1})),
                    ("b", "x"): Chance(0, point_mass(0)),
                    ("b", "y"): End(2),
                    ("c", "x"): End(-1),
                    ("c", "y"): Chance("1/2", Distribution({Other(again): 1, 0: 3})),
                }
            )
        if state == "last":
            outcomes = {("a", "x"): End(3), ("a", "y"): End(-1), ("b", "y"): End(2)}
            return Both(outcomes | {("b", "x"): Chance(1, point_mass(Other("turn")))})
        if state == "turn":
            tries = Choice("try", 0, Distribution({0: 1, Other("last move"): 1}))
            return [tries, Choice("pass", 1, point_mass(0))]
        return None

    return Game("play", moves)


def luck(state: Any) -> Any:
    """To try one's luck wins with 1/3, and both may pass for ever."""
    if state != "turn":
        return End(state)
    tries = Choice("try", 0, Distribution({1: 1, -1: 2}))
    return [tries, Choice("pass", 0, point_mass(Other("turn")))]


def coin(state: Any) -> Any:
    """A coin that may be tossed, or left, for ever."""
    if state != "s":
        return None
    return [Choice("wait", 0, point_mass("s")), Choice("#;toss", 0, Distribution({"G": 1, 0: 2}))]


HANDS = (((1, 1, 1, 6, 6, 6), (1, 2, 3, 4, 5, 6)), ((1, 1, 4, 4, 5, 6), (3, 3, 3, 3, 3, 6)))
TWO = contender("fair*2", KCD.varied(target=100))

ANSWERS = {
    "reroll": lambda: optimum(reroll_of(RerollRules())),
    "a duel, both at once": lambda: optimum(duel_of(*HANDS, "1/3")),
    "swe": lambda: optimum(swe_of(4)),
    "least": lambda: optimum(swe_of(3), least=True),
    "a race": lambda: optimum(as_race(TWO, TWO)),
    "a race, enclosed": lambda: optimum(as_race(TWO, TWO), width="1/1000"),
    "both at once, again and again": lambda: optimum(Game("play", pennies)),
    "both at once, from either side": lambda: optimum(guess("last")),
    "both at once, from either side again": lambda: optimum(guess("play")),
    "endless play": lambda: optimum(Game("turn", luck), infinite="draw"),
    "reach": lambda: reach(Game("s", coin), lambda state: state == "G"),
    "reach least": lambda: reach(Game("s", coin), lambda state: state == "G", least=True),
    "a policy": lambda: policy_value(Game("s", coin), {"s": "#;toss"}),
    "a bare end": lambda: optimum(Game(0, lambda _: End("-7/3"))),
}


def written_out(game: Game[Any]) -> Game[Any]:
    """The same game with sides in its states: what the second player sees is turned round."""

    def aside(law: Any, side: int) -> Any:
        there = Counter[Any]()
        for successor, chance in law.items():
            is_other = isinstance(successor, Other)
            to = (successor.state, -side) if is_other else (successor, side)
            there[to] += chance
        return Distribution(there)

    def outcome(part: Any, side: int) -> Any:
        if isinstance(part, End):
            return End(side * part.payoff)
        return Chance(side * part.reward, aside(part.successors, side))

    def moves(pair: Any) -> Any:
        state, side = pair
        turn = game.moves(state)
        if isinstance(turn, Both):
            parts = {(a, b)[::side]: outcome(part, side) for (a, b), part in turn.outcomes.items()}
            return Both(dict(sorted(parts.items())))
        if turn is None:
            return None
        choices = [Choice(c.action, side * c.reward, aside(c.successors, side)) for c in turn]
        return Turn(1 if side > 0 else 2, choices)

    return Game((game.initial, 1), moves)


@pytest.mark.parametrize("again", ["last", "play"])
def test_choices_at_once_from_either_side_are_the_game_written_out(again: str) -> None:
    """Two ways to one value: sides that change, and sides in the states."""
    seen, written = (
        optimum(guess(again)).enclosure(),
        optimum(written_out(guess(again))).enclosure(),
    )
    assert max(seen.lower, written.lower) <= min(seen.upper, written.upper)
    assert max(seen.width, written.width) <= mpq(1, 10**20)
    assert (seen.width == 0) == (written.width == 0) == (again == "last")


def test_the_three_commands_of_the_manual_in_an_empty_folder(tmp_path: Path) -> None:
    """As the page prints them: the first with the package, the others where nothing of it is."""
    page = (CHECKER.parents[1] / "docs" / "how-to" / "check-a-value.md").read_text("utf-8")
    commands, printed = page.split('to "accepted"')[1].split("```")[1:4:2]
    first, *others = commands.removeprefix("sh\n").splitlines()
    program, *words = first.split()
    assert program == "exactdice"
    here, empty = tmp_path / "here", tmp_path / "empty"
    here.mkdir()
    empty.mkdir()
    run = [sys.executable, "-m", "exactdice", *words]
    subprocess.run(run, cwd=here, check=True, capture_output=True)
    shutil.copy(here / words[-1], empty)
    shutil.copy(CHECKER, empty)
    outcomes = [
        subprocess.run(
            command.split(),
            cwd=empty,
            env={"PATH": os.environ["PATH"]},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for command in others
    ]
    assert "".join(outcomes) == printed.removeprefix("text\n")


def checked(path: Path) -> subprocess.CompletedProcess[str]:
    """Run the checker on a file, apart from everything that is installed."""
    command = [sys.executable, "-I", "-S", str(CHECKER), str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", ANSWERS)
def test_what_is_written_is_accepted(name: str, tmp_path: Path) -> None:
    """Every question, without the package; and what is proved is what was answered."""
    best: Any = ANSWERS[name]()
    best.write_certificate(tmp_path / "answer.cert")
    outcome = checked(tmp_path / "answer.cert")
    assert (outcome.returncode, outcome.stderr) == (0, "")
    words = outcome.stdout.split(" (game")[0].split()
    bounds = [mpq(words[-1])] if words[-2] == "is" else [mpq(words[-3]), mpq(words[-1])]
    certificate = best.certificate()
    start = certificate.initial
    assert bounds == sorted({certificate.lower[start], certificate.upper[start]})


@pytest.mark.slow
@pytest.mark.parametrize("name", ["reroll", "a race", "endless play", "a duel, both at once"])
def test_a_changed_line_is_noticed_or_leaves_the_same_answer(name: str, tmp_path: Path) -> None:
    """Change one character at a time: rejected, or the same value of the same game, or another."""
    path = tmp_path / "answer.cert"
    best: Any = ANSWERS[name]()
    best.write_certificate(path)
    content = path.read_text(encoding="ascii")
    proved = CHECK.Check(iter(content.splitlines(keepends=True))).run()
    value, _, game = proved.partition(" (game ")
    drawn = Random(5)  # noqa: S311 - no secret
    for _ in range(400):
        at = drawn.randrange(len(content))
        changed = content[:at] + drawn.choice("0123456789 -;/|=#x\n") + content[at + 1 :]
        check = CHECK.Check(iter(changed.splitlines(keepends=True)))
        try:
            other_value, _, other_game = check.run().partition(" (game ")
        except CHECK.RejectedError:
            continue
        assert other_game != game or other_value == value


def test_bad_files_are_one_line_each(tmp_path: Path) -> None:
    """Nothing ends in a traceback."""
    for content in [
        b"",
        b"\xff\n",
        b"exactdice-certificate 1\n",
        b"model\n",
        b"exactdice-certificate 1\nquestion total\nplayers 1\nstates 99999999999\n",
    ]:
        path = tmp_path / "bad.cert"
        path.write_bytes(content)
        outcome = checked(path)
        assert outcome.returncode == 1
        assert outcome.stderr == ""
        assert outcome.stdout.startswith("rejected: line ")
        assert outcome.stdout.count("\n") == 1
    outcome = checked(tmp_path / "none")
    assert outcome.returncode == 2
    assert outcome.stderr.count("\n") == 1


def test_endless_lines_and_long_numbers_are_rejected(tmp_path: Path) -> None:
    """A number of a million digits would take half a minute, an endless line all memory."""
    begin = time.monotonic()
    assert (
        checked(Path("/dev/zero")).stdout
        == "rejected: line 1 is missing, too long, or ends too early\n"
    )
    path, digits = tmp_path / "long.cert", "1" * 1_000_000
    head = "exactdice-certificate 1\nquestion total\nplayers 1\nstates 1\ninitial 0\n"
    for rest in (
        f"scale {digits}\n",
        f"scale 1\nclaim {digits} 1\n",
        f"scale 1\nclaim 1/{digits} 1\n",
        f"scale 1\nclaim 0 0\nbounds\n0 = 0 0\nmoves\nchance 0 {digits} 0\n",
        f"scale 1\nclaim 0 0\nbounds\n0 = 0 0 {digits}\nmoves\nfirst 0 1 0\n",
    ):
        path.write_text(head + rest)
        said = checked(path)
        assert (said.returncode, said.stderr) == (1, "")
        assert "too long" in said.stdout or "too large" in said.stdout
    assert time.monotonic() - begin < 30


def test_the_checker_needs_nothing_but_python() -> None:
    """It imports the standard library alone, and is short enough to be read."""
    lines = SOURCE.splitlines()
    assert len(lines) <= 250
    imported = {line.split()[1] for line in lines if line.startswith(("import ", "from "))}
    assert imported <= sys.stdlib_module_names
