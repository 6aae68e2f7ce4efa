"""The checker of values accepts no false certificate, and all that the package writes."""

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
from forging import Paper, forged, is_true, random_paper, read
from gmpy2 import mpq

from exactdice import models
from exactdice.dice import Distribution
from exactdice.games.farkle import KCD
from exactdice.games.farkle.model import as_race
from exactdice.games.farkle.races.chances import contender
from exactdice.games.fatestones.model import as_game as duel_of
from exactdice.games.reroll.exact import as_game as reroll_of
from exactdice.games.reroll.rules import RerollRules
from exactdice.games.swe.model import as_game as swe_of
from exactdice.models import Both, Chance, Choice, End, Game, Other, Turn, optimum, point_mass
from exactdice.solve.questions import reach

CHECKER = Path(__file__).parents[2] / "proofs" / "certificate_check.py"
SOURCE = CHECKER.read_text(encoding="ascii")
CHECK = module(SOURCE)


def forged_and_accepted(
    seed: int, forgeries: int, check: ModuleType = CHECK
) -> Iterator[tuple[Paper, bool]]:
    """Yield the accepted ones of many changed papers, and whether each is true."""
    drawn = Random(seed)  # noqa: S311 - no secret
    for _ in range(forgeries // 20):
        paper = random_paper(drawn)
        for _ in range(20):
            changed = forged(paper, drawn)
            if by_python(check, "".join(changed.lines())):
                yield changed, is_true(changed)


@pytest.mark.parametrize(
    ("seed", "forgeries"),
    [
        pytest.param(1, 10_000, marks=pytest.mark.slow),
        *(pytest.param(seed, 50_000, marks=pytest.mark.long) for seed in range(2, 8)),
    ],
)
def test_no_false_certificate_is_accepted(seed: int, forgeries: int) -> None:
    """Brute force decides; a fifth is accepted, as many changes are harmless."""
    accepted = Counter[str]()
    for paper, is_right in forged_and_accepted(seed, forgeries):
        accepted[paper.question] += 1
        assert is_right, "".join(paper.lines())
    assert min(accepted.values()) > 300


def test_a_changed_character_is_detected_or_the_statement_is_true() -> None:
    """One in twenty is accepted, with a true statement about the changed game."""
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
def test_the_forgeries_detect_a_weaker_checker(condition: str, instead: str) -> None:
    """Without any of the conditions a false certificate is accepted."""
    assert SOURCE.count(condition) == 1
    weaker = module(SOURCE.replace(condition, instead))
    assert not all(is_right for _, is_right in forged_and_accepted(1, 10_000, weaker))


# Certificates that the package writes ---------------------------------------------------------


def pennies(state: Any) -> Any:
    """Matching pennies for 1 or 2; if they differ, a coin decides whether play continues."""
    if state != "play":
        return None
    pairs = {(a, b): End(1 + (a == "t")) for a in "ht" for b in a}
    differ = Chance(0, Distribution({"play": 1, 0: 1}))
    return Both(pairs | {("h", "t"): differ, ("t", "h"): differ})


def guess(again: str) -> Any:
    """Simultaneous moves, after which the players may exchange roles."""

    def moves(state: Any) -> Any:
        if state == "play":
            rows = {
                "a": (End(3), Chance(0, Distribution({Other(again): 2, 0: 1}))),
                "b": (Chance(0, point_mass(0)), End(2)),
                "c": (End(-1), Chance("1/2", Distribution({Other(again): 1, 0: 3}))),
            }
            return Both({(a, "xy"[k]): row[k] for a, row in rows.items() for k in (0, 1)})
        if state == "last":
            outcomes = {("a", "x"): End(3), ("a", "y"): End(-1), ("b", "y"): End(2)}
            return Both(outcomes | {("b", "x"): Chance(1, point_mass(Other("turn")))})
        if state == "turn":
            tries = Choice("try", 0, Distribution({0: 1, Other("last move"): 1}))
            return [tries, Choice("pass", 1, point_mass(0))]
        return None

    return Game("play", moves)


def luck(state: Any) -> Any:
    """Trying wins with probability 1/3; both players may pass forever."""
    if state != "turn":
        return End(state)
    tries = Choice("try", 0, Distribution({1: 1, -1: 2}))
    return [tries, Choice("pass", 0, point_mass(Other("turn")))]


def coin(state: Any) -> Any:
    """A coin that may be tossed, or left, forever."""
    if state != "s":
        return None
    return [Choice("wait", 0, point_mass("s")), Choice("#;toss", 0, Distribution({"G": 1, 0: 2}))]


HANDS = (((1, 1, 1, 6, 6, 6), (1, 2, 3, 4, 5, 6)), ((1, 1, 4, 4, 5, 6), (3, 3, 3, 3, 3, 6)))
TWO = contender("fair*2", KCD.varied(target=100))

ANSWERS = {
    "reroll": lambda: optimum(reroll_of(RerollRules())),
    "a duel": lambda: optimum(duel_of(*HANDS, "1/3")),
    "swe": lambda: optimum(swe_of(4)),
    "least": lambda: optimum(swe_of(3), least=True),
    "a race": lambda: optimum(as_race(TWO, TWO)),
    "a race, with bounds": lambda: optimum(as_race(TWO, TWO), width="1/1000"),
    "simultaneous, repeated": lambda: optimum(Game("play", pennies)),
    "simultaneous, roles exchanged": lambda: optimum(guess("last")),
    "simultaneous, roles exchanged repeatedly": lambda: optimum(guess("play")),
    "infinite play": lambda: optimum(Game("turn", luck), infinite="draw"),
    "reach": lambda: reach(Game("s", coin), lambda state: state == "G"),
    "reach least": lambda: reach(Game("s", coin), lambda state: state == "G", least=True),
    "a policy": lambda: models.policy_value(Game("s", coin), {"s": "#;toss"}),
    "a bare end": lambda: optimum(Game(0, lambda _: End("-7/3"))),
}


def written_out(game: Game[Any]) -> Game[Any]:
    """The same game with the player to move in its states; payoffs are the first player's."""

    def after(successors: Any, side: int) -> Any:
        pairs = Counter[Any]()
        for successor, chance in successors.items():
            is_other = isinstance(successor, Other)
            pairs[(successor.state, -side) if is_other else (successor, side)] += chance
        return Distribution(pairs)

    def outcome(part: Any, side: int) -> Any:
        if isinstance(part, End):
            return End(side * part.payoff)
        return Chance(side * part.reward, after(part.successors, side))

    def moves(pair: Any) -> Any:
        state, side = pair
        turn = game.moves(state)
        if isinstance(turn, Both):
            parts = {(a, b)[::side]: outcome(part, side) for (a, b), part in turn.outcomes.items()}
            return Both(dict(sorted(parts.items())))
        if turn is None:
            return None
        choices = [Choice(c.action, side * c.reward, after(c.successors, side)) for c in turn]
        return Turn(1 if side > 0 else 2, choices)

    return Game((game.initial, 1), moves)


@pytest.mark.parametrize("again", ["last", "play"])
def test_simultaneous_moves_with_exchanged_roles_equal_the_game_written_out(again: str) -> None:
    games = guess(again), written_out(guess(again))
    seen, written = (optimum(game).value for game in games)
    assert max(seen.lower, written.lower) <= min(seen.upper, written.upper)
    assert max(seen.width, written.width) <= mpq(1, 10**20)
    assert (seen.width == 0) == (written.width == 0) == (again == "last")


def test_the_three_commands_of_the_manual_in_an_empty_folder(tmp_path: Path) -> None:
    """As the page prints them: the first with the package, the others without it."""
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
    where: Any = {"cwd": empty, "env": {"PATH": os.environ["PATH"]}}
    outcomes = [
        subprocess.run(command.split(), **where, capture_output=True, text=True, check=True)
        for command in others
    ]
    assert "".join(outcome.stdout for outcome in outcomes) == printed.removeprefix("text\n")


def checked(path: Path) -> subprocess.CompletedProcess[str]:
    """Run the checker on a file without installed packages."""
    command = [sys.executable, "-I", "-S", str(CHECKER), str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", ANSWERS)
def test_a_written_certificate_is_accepted(name: str, tmp_path: Path) -> None:
    """For every question, and the proved bounds are those of the answer."""
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
@pytest.mark.parametrize("name", ["reroll", "a race", "infinite play", "a duel"])
def test_a_changed_line_is_detected_or_the_answer_is_the_same(name: str, tmp_path: Path) -> None:
    """Change one character: rejected, the same value of the same game, or another game."""
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
    """No traceback is printed."""
    head = b"exactdice-certificate 1\n"
    many = head + b"question total\nplayers 1\nstates 99999999999\n"
    for content in (b"", b"\xff\n", head, b"model\n", many):
        path = tmp_path / "bad.cert"
        path.write_bytes(content)
        outcome = checked(path)
        assert (outcome.returncode, outcome.stderr) == (1, "")
        assert outcome.stdout.startswith("rejected: line ")
        assert outcome.stdout.count("\n") == 1
    outcome = checked(tmp_path / "none")
    assert (outcome.returncode, outcome.stderr.count("\n")) == (2, 1)


def test_infinite_lines_and_long_numbers_are_rejected(tmp_path: Path) -> None:
    """A number of a million digits would take half a minute, an infinite line all memory."""
    begin = time.monotonic()
    line = "rejected: line 1: the line is missing, too long, or cut off\n"
    assert checked(Path("/dev/zero")).stdout == line
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
    """It imports only the standard library, and is short enough to be read."""
    lines = SOURCE.splitlines()
    assert len(lines) <= 250
    imported = {line.split()[1] for line in lines if line.startswith(("import ", "from "))}
    assert imported <= sys.stdlib_module_names
