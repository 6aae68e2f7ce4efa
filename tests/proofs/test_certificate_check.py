"""The checker of certificates: nothing false is accepted, and all that the package writes is."""

import copy
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest
from forging import Paper, forge, is_true, random_paper
from gmpy2 import mpq

from exactdice.dice import Distribution
from exactdice.games.farkle import KCD
from exactdice.games.farkle.model import as_race
from exactdice.games.farkle.races.contenders import contender
from exactdice.games.fatestones.model import as_game as duel_of
from exactdice.games.reroll.exact import as_game as reroll_of
from exactdice.games.reroll.rules import Rules
from exactdice.games.swe.model import as_game as swe_of
from exactdice.models import (
    Both,
    Chance,
    Choice,
    End,
    Game,
    Other,
    optimum,
    optimum_with_draws,
    point_mass,
    policy_value,
    reach,
)

CHECKER = Path(__file__).parents[2] / "proofs" / "certificate_check.py"


def checker(source: str) -> ModuleType:
    """The checker as a module, perhaps with a change in its source."""
    module = ModuleType("certificate_check")
    exec(compile(source, "certificate_check", "exec"), module.__dict__)  # noqa: S102
    return module


SOURCE = CHECKER.read_text(encoding="ascii")
CHECK = checker(SOURCE)


def accepts(paper: Paper, check: ModuleType = CHECK) -> bool:
    """Whether a checker accepts a paper."""
    try:
        check.Check(iter(paper.lines())).run()
    except check.RejectedError:
        return False
    return True


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


def test_no_forgery_is_accepted() -> None:
    """Brute force judges whatever is accepted; a fifth is, as many changes do no harm."""
    assert min(require_true(1, 10_000).values()) > 300


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 8))
def test_none_of_many_forgeries_is_accepted(seed: int) -> None:
    """The same, 300000 times in all."""
    require_true(seed, 50_000)


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
    weaker = checker(SOURCE.replace(condition, instead))
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
    "reroll": lambda: optimum(reroll_of(Rules())),
    "a duel, both at once": lambda: optimum(duel_of(*HANDS, "1/3")),
    "swe": lambda: optimum(swe_of(4)),
    "least": lambda: optimum(swe_of(3), least=True),
    "a race": lambda: optimum(as_race(TWO, TWO)),
    "a race, enclosed": lambda: optimum(as_race(TWO, TWO), width="1/1000"),
    "both at once, again and again": lambda: optimum(Game("play", pennies)),
    "endless play": lambda: optimum_with_draws(Game("turn", luck)),
    "reach": lambda: reach(Game("s", coin), lambda state: state == "G"),
    "reach least": lambda: reach(Game("s", coin), lambda state: state == "G", least=True),
    "a policy": lambda: policy_value(Game("s", coin), {"s": "#;toss"}),
    "a bare end": lambda: optimum(Game(0, lambda _: End("-7/3"))),
}


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


def test_the_checker_needs_nothing_but_python() -> None:
    """It imports the standard library alone, and is short enough to be read."""
    lines = SOURCE.splitlines()
    assert len(lines) <= 250
    imported = {line.split()[1] for line in lines if line.startswith(("import ", "from "))}
    assert imported <= sys.stdlib_module_names
