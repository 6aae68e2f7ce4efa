"""Commands and Python examples of the README are run, and must print what it shows."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

from exactdice import ask
from exactdice.cli import main

README = Path(__file__).resolve().parents[1] / "README.md"
GAMES = README.parent / "docs/games.md"
COMMIT = re.compile(r"commit [0-9a-z+]+")


def fenced(language):
    text = README.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def shown_commands():
    for block in fenced("console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, output = part.partition("\n")
            yield line, output


@pytest.mark.parametrize(("line", "shown"), list(shown_commands()), ids=lambda text: text[:40])
def test_a_command_prints_what_the_readme_shows(line, shown, capsys):
    program, *words = shlex.split(line)
    assert program == "exactdice"
    main(words)
    captured = capsys.readouterr()
    printed = COMMIT.sub("commit X", captured.out + captured.err)
    assert printed.rstrip() == COMMIT.sub("commit X", shown).rstrip()


def test_python_examples_give_what_the_readme_shows():
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    for block in fenced("python"):
        runner.run(parser.get_doctest(block, {}, "README", str(README), 0))
    results = runner.summarize()
    assert results.attempted > 5
    assert results.failed == 0


def test_the_readme_names_the_two_commands():
    first = fenced("sh")[0].splitlines()
    assert [line.split("#")[0].strip() for line in first] == ["make tables", "make test"]


ROWS = re.compile(r"^\| .* \| `exactdice (.*)` \| (?:≈ )?(.*) \|$", re.MULTILINE)


@pytest.mark.parametrize(
    ("command", "answer"), ROWS.findall(README.read_text(encoding="utf-8")), ids=lambda text: text
)
def test_each_question_in_the_readme_has_the_printed_answer(command, answer, capsys):
    assert main(shlex.split(command)) == 0
    assert re.search(rf"(?<!\S){re.escape(answer)}(?!\S)", capsys.readouterr().out)


def test_every_game_command_of_the_page_of_games_exists(capsys):
    for row in GAMES.read_text(encoding="utf-8").splitlines():
        if row.startswith("| ") and "`exactdice " in row:
            game = ""
            for name in re.findall(r"`([^`]+)`", row):  # whole commands, and verbs of the last game
                words = shlex.split(name)
                if words[0] == "exactdice":
                    game, name = words[1:3]
                assert main([game, name, "--help"]) == 0
    shown = capsys.readouterr()
    assert "Usage" in shown.out
    assert not shown.err  # an old name would print the new one


def test_the_readme_counts_the_claims():
    count = len(ask("claims").tables[0].rows)
    assert f"{count} claims with verdicts" in README.read_text(encoding="utf-8")


def test_links_in_the_readme_are_absolute_and_name_files_of_the_checkout():
    for address in re.findall(r"\]\((.*?)\)", README.read_text(encoding="utf-8")):
        host, _, path = address.removeprefix("https://").partition("/exactdice/")
        is_page = host == "exactdice.github.io"
        file = f"docs/{path or 'index.html'}" if is_page else path.split("main/")[1]
        assert path == "play/" or (README.parent / file.replace(".html", ".md")).is_file(), address
