"""The root command: version, help, topics, errors, exit status, limits, the installed program."""

import json
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import click
import pytest
from measured import executed

from exactdice import __version__, memory
from exactdice.cli import JOBS, main, run
from exactdice.cli.help import TOPICS
from exactdice.games.farkle.rules.tables import read_rules
from exactdice.games.risk import reports as risk_reports
from exactdice.jobs.catalogue import CATALOGUE, FORMATS
from exactdice.jobs.claims import CLAIMS
from exactdice.question.domains import Whole
from exactdice.report.readers import read, read_json
from exactdice.report.writers import Format
from exactdice.rooms import ROOMS, classes
from exactdice.storage import MANIFEST

PROGRAM = [sys.executable, "-m", "exactdice"]
TOO_LITTLE = "exactdice: too little memory"


def test_version_names_the_version_and_the_commit(run):
    assert run("--version")[1].startswith(f"exactdice {__version__} (commit ")


def test_help_describes_every_command_in_full_sentences(run):
    described = {name: room.description for name, room in ROOMS.items()}
    described |= {name: line for name, line in JOBS.items() if " " not in name}
    assert {"risk", "sweep"} <= described.keys()
    for words in [[], *([name] for name in ROOMS if not ROOMS[name].is_command)]:
        status, out, _ = run([*words, "--help"])
        shown = "".join(out.split())  # lines end at hyphens, too
        assert (status, "..." in shown.split("Commands:")[1]) == (0, False)
        listed = [one.summary() for one in classes(words[0])] if words else described.values()
        assert all(description.replace(" ", "") in shown for description in listed)


@pytest.mark.parametrize("words", [[], ["risk"]])
def test_a_group_without_a_command_shows_its_help(words, run):
    status, out, err = run(words)
    assert (status, out) == (2, "")
    assert err.startswith("Usage: exactdice")


def test_usage_lines_of_commands_without_subcommands(run):
    takes = {
        "book": "NAME", "certify": "FILE", "project crosscheck": "GAMES", "verify": "CLAIMS",
        "claims": "CLAIM", "anydice": "PROGRAM", "help": "TOPIC", "plot": "NAME ARGS OF THE COMMAND"
    }  # fmt: skip
    commands = [name for name in ROOMS if ROOMS[name].is_command]
    commands += ["project crosscheck", *(job for job in JOBS if job != "sweep")]  # a group
    for name in commands:
        usage = run([*name.split(), "--help"])[1].splitlines()[0]
        options, shown = usage.split("[OPTIONS]")
        assert options == f"Usage: exactdice {name} "
        shown = re.sub(r"[][{}.…]", "", shown).strip()  # brackets differ between libraries
        assert shown == takes.get(name, "")


@pytest.mark.parametrize(("command", "spared"), [
    ("risk win 4 2", "networkx numpy sympy exactdice.symbolic exactdice.solve exactdice.native "
     "exactdice.studies.risk.closed_forms exactdice.games.risk.campaigns"),
    ("swe value 10", "networkx sympy exactdice.solve exactdice.games.swe.distributions.listed "
     "exactdice.studies.swe exactdice.games.swe.play exactdice.games.swe.sources"),
    ("symbolic ehrhart 1,2,3",
     "networkx numpy exactdice.games.risk.rules exactdice.games.swe.rules exactdice.native"),
    ("reroll value", "networkx sympy exactdice.symbolic exactdice.jobs"),
    ("dice distribution 4d6kh3", "flint networkx numpy sympy exactdice.jobs exactdice.solve")
])  # fmt: skip
def test_a_command_imports_only_what_it_uses(command, spared):
    finished = executed(
        f"import sys; from exactdice.cli import main; assert main({command.split()}) == 0\n"
        f"print(sorted(sys.modules.keys() & {set(spared.split())}))"
    )
    assert finished.stdout.splitlines()[-1] == "[]"


def test_the_program_loads_gmpy2_without_metadata_but_with_its_version():
    finished = executed("""
import sys; from exactdice.__main__ import main
sys.argv[1:] = ['dice', 'distribution', 'd6']
assert main() == 0 and 'email' not in sys.modules
import gmpy2, importlib.metadata
assert gmpy2.__version__ == importlib.metadata.version('gmpy2')""")
    assert (finished.returncode, finished.stderr) == (0, "")


def test_a_shell_completes_commands():
    words = {"COMP_WORDS": "exactdice risk su", "COMP_CWORD": "2"}
    asked = {**os.environ, "_EXACTDICE_COMPLETE": "bash_complete", **words}
    assert executed("", env=asked).stdout.strip() == "plain,survivors"


@pytest.mark.parametrize(("line", "suggestion"), [
    ("risk wim 4 2", "Did you mean win?"), ("rsk win 4 2", "Did you mean risk?"),
    ("win 4 2", "Did you mean risk win?"), ("tables", "Did you mean project tables?"),
    ("zzz", "See exactdice --help."), ("qwerty", "See exactdice --help."),
    ("chess", "See exactdice --help.")
])  # fmt: skip
def test_an_unknown_command_gets_a_suggestion(line, suggestion, refused):
    problem = refused(line)
    assert problem.startswith(f"No such command '{line.split()[line.startswith('risk')]}")
    assert problem.endswith(suggestion)


def test_one_wrong_letter_leads_to_the_command(run):
    for name in {*ROOMS, *JOBS} - {job for job in JOBS if " " in job}:
        for i in range(len(name)):
            before, letter, after = name[:i], name[i], name[i + 1 :]
            swapped = before + after[:1] + letter + after[1:]
            for typo in (before + after, name[:i] + "q" + name[i:], before + "q" + after, swapped):
                if typo != name:
                    status, _, err = run([typo])
                    assert status == 2
                    assert re.search(rf"Did you mean .*\b{name}\b", err), typo


def raising(problem):
    def fail(*_):
        raise problem

    return fail


def test_a_defect_of_the_package_shows_a_traceback(monkeypatch):
    monkeypatch.setattr(risk_reports, "win_report", raising(RuntimeError("a defect")))
    with pytest.raises(RuntimeError, match="a defect"):
        main(["risk", "win", "3", "2"])


def test_an_interrupted_command_prints_a_line(monkeypatch, run):
    monkeypatch.setattr(risk_reports, "win_report", raising(KeyboardInterrupt()))
    assert run("risk win 3 2") == (130, "", "exactdice: interrupted\n")


def test_project_tables_writes_every_table_in_every_format(tmp_path, run):
    out = tmp_path / "out"
    words = ["project", "tables", "--only", "risk/*", "--output", str(out)]
    said = run(words)[1]
    entries = [entry for entry in CATALOGUE if entry.name.startswith("risk/")]
    manifest = (out / MANIFEST).read_text()
    written = sorted(json.loads(manifest)["files"])
    suffixes = [f.suffix for f in FORMATS if f is not Format.CSV]
    tables = [name for name in written if name.endswith(".csv")]
    assert set(written) - set(tables) == {e.name + suffix for e in entries for suffix in suffixes}
    assert said == (
        f"Wrote {len(entries)} exact tables and kept 0 current ones, each as text, csv, json, "
        f"latex, in {out}/ ({len(written)} files, listed in {out}/{MANIFEST}).\n"
    )
    for entry in entries:
        data = (out / f"{entry.name}.json").read_text()
        assert read_json(data) == read(out / f"{entry.name}.csv")
        assert run([*entry.question.split(), "--format", "json"])[1] == data
    assert run(words)[0] == 0
    assert (out / MANIFEST).read_text() == manifest


def test_project_tables_shows_its_progress(tmp_path, monkeypatch):
    heard = []
    tell = lambda what, part, total=None: heard.append((what, part, total))  # noqa: E731
    monkeypatch.setattr("exactdice.cli.tables.shown_progress", lambda: nullcontext(tell))
    chosen = ["--only", "risk/dice*", "--output", str(tmp_path / "out")]
    assert main(["project", "tables", *chosen]) == 0
    names = ["risk/dice-announced-10x10", "risk/dice-simultaneous-10x10"]
    for done, name in enumerate(names):
        rows = [(f"{done + 1} of 2, {name}: attackers", part, 9) for part in range(1, 10)]
        begun = heard.index((name, done, 2))
        assert set(rows) <= set(heard[begun:])


def test_a_folder_with_other_files_is_rejected(tmp_path, refused):
    (tmp_path / "thesis.tex").write_text("years of work")
    assert "thesis.tex" in refused(["project", "tables", "--output", str(tmp_path)])
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.tex"]


def test_quiet_may_stand_before_a_text_without_a_command(run):
    assert run("-q 4d6kh3") == run("--quiet dice distribution 4d6kh3") == run("4d6kh3 -q")


def test_a_name_of_a_slow_game_is_answered_with_the_stored_value(answer):
    """The value is published: Todd W. Neller and Clifton Presser (2004), 0.5306."""
    report = answer("pig")
    assert report["method"] == 'stored in the package; "exactdice book pig" computes it'
    assert report["value_float"] == pytest.approx(0.5306, abs=5e-5)


def test_the_program_ends_quietly_when_its_reader_ends():
    command = f"{' '.join(PROGRAM)} risk table 60 60 | head -n 1"
    words = ["bash", "-c", command]
    finished = subprocess.run(words, capture_output=True, text=True, timeout=120)
    assert finished.stderr == ""
    assert finished.stdout.startswith("Risk: attacks")


def processor_seconds(process):
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_program_with_one_line_and_its_status(tmp_path, end):
    target = tmp_path / "t.csv"
    command = [*PROGRAM, "risk", "table", "700", "700", "--output", str(target)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    while processor_seconds(process.pid) < 1:  # start-up takes a fraction of it
        time.sleep(0.05)
    os.kill(process.pid, end)
    _, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (128 + end, "exactdice: interrupted\n")  # as in shells
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    "start",
    [
        "runpy.run_module('exactdice', run_name='__main__')",
        "[script] = importlib.metadata.entry_points(group='console_scripts', name='exactdice')\n"
        "sys.exit(script.load()())",
    ],
)
def test_a_signal_while_the_program_loads_costs_one_line_too(start, end):
    # The signal arrives at the first import of the command line.
    finished = executed(
        "import importlib.metadata, os, runpy, signal, sys\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, path, target=None):\n"
        "        if name == 'click':\n"
        f"            os.kill(os.getpid(), {end:d})\n"
        f"sys.meta_path.insert(0, Interrupting())\n{start}"
    )
    assert (finished.returncode, finished.stderr) == (128 + end, "exactdice: interrupted\n")


def test_a_signal_before_the_command_costs_one_line():
    finished = executed(
        "import exactdice.cli, os, runpy, signal\n"
        "exactdice.cli.main = lambda: os.kill(os.getpid(), signal.SIGTERM)\n"
        "runpy.run_module('exactdice', run_name='__main__')"
    )
    assert (finished.returncode, finished.stderr) == (143, "exactdice: interrupted\n")


def test_a_signal_after_the_answer_changes_nothing():
    # At exit, Python calls registered functions before it removes signal handlers.
    finished = executed(
        "import atexit, os, runpy, signal, sys\n"
        "sys.argv = ['exactdice', 'risk', 'win', '4', '2', '--format', 'csv']\n"
        "for end in (signal.SIGINT, signal.SIGTERM):\n"
        "    atexit.register(os.kill, os.getpid(), end)\n"
        "runpy.run_module('exactdice', run_name='__main__')"
    )
    assert (finished.returncode, finished.stderr) == (0, "")
    assert "6610505/10077696" in finished.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="other systems limit memory differently")
def test_a_program_without_memory_to_load_costs_a_line():
    import resource

    # Python needs 14.5 MB (CPython 3.11), the answer 40 MB; each limit fails at another place.
    for limit in range(18_000_000, 24_000_000, 1_000_000):
        bound = partial(resource.setrlimit, resource.RLIMIT_AS, (limit, limit))
        if executed("pass", preexec_fn=bound).returncode:
            continue
        done = executed("", "risk", "win", "4", "2", preexec_fn=bound)
        assert done.returncode == 2, done.stderr
        assert done.stderr.startswith(TOO_LITTLE)
        assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("problem", [
    RuntimeError("can't start new thread"),
    ImportError("Original error was: libscipy_openblas64_.so: failed to map segment from sh")
])  # fmt: skip
def test_a_system_without_memory_for_a_thread_or_a_library_costs_a_line(problem, capsys):
    assert run(click.Command("short", callback=raising(problem)), []) == 2
    assert capsys.readouterr().err.startswith(TOO_LITTLE)


def test_a_system_without_memory_for_the_dice_of_a_module_costs_a_line(capsys, monkeypatch):
    """Without the module, the estimate is what the user has to know."""
    monkeypatch.setattr(memory, "left_by_the_system", lambda: 100)
    for source, says in (("make()", TOO_LITTLE), ("def use(): make()", "exactdice: a die needs")):
        space = {"make": lambda: memory.require_memory(1000, "a die")}
        answer = lambda: (exec(source, space), space.get("use", int)())  # noqa: B023, E731, S102
        assert run(click.Command("short", callback=answer), []) == 2
        assert capsys.readouterr().err.startswith(says)


def test_an_interrupt_while_a_class_is_made_is_recognised(capsys):
    class Interrupting:
        def __set_name__(self, owner, name):
            raise KeyboardInterrupt(143)  # Python 3.11 makes a RuntimeError of it

    make = click.Command("make", callback=lambda: type("Made", (), {"field": Interrupting()}))
    assert run(make, []) == 143
    assert capsys.readouterr().err == "exactdice: interrupted\n"
    with pytest.raises(RuntimeError, match="of ours"):
        run(click.Command("broken", callback=raising(RuntimeError("a fault of ours"))), [])


@pytest.mark.parametrize("line", [
    "risk win 4 2", "risk win 4 x", "risk win 4", "dice chance 3d6", "dice mean 4d6 keep highest 3",
    "farkle advise", "book nothing", "swe value -1", "claims nothing",
])  # fmt: skip
def test_commands_without_options_are_answered_as_by_the_parser(line, capsys):
    at_once = main(line.split()), capsys.readouterr()
    assert at_once == (main([*line.split(), "--full"]), capsys.readouterr())


def test_what_a_file_of_rules_prints_is_kept_out_of_the_answer(run, tmp_path):
    rules = tmp_path / "rules.py"
    rules.write_text(
        "from exactdice.models import End, Game\n"
        "def moves(state):\n"
        "    print('at', state)\n"
        "    return End(7)\n"
        "game = Game('here', moves)\n"
    )
    status, answer, said = run(["book", str(rules), "--format", "json"])
    assert (status, json.loads(answer)["value"]) == (0, "7")
    assert "at here\n" in said


def test_a_command_in_markdown_is_written_as_typed(run):
    line = "book pig --variant piglet"
    assert f"<!-- command: exactdice {line} -->" in run(f"{line} --format md")[1]


@pytest.mark.parametrize("library", ["numpy", "click"])  # of one game, and of every option
def test_a_missing_library_costs_one_line(library):
    finished = executed(
        f"import sys\nsys.modules[{library!r}] = None\n"
        "from exactdice.__main__ import main\n"
        "sys.argv[1:] = ['swe', 'value', '5', '--full']\nsys.exit(main())"
    )
    missing = f"exactdice: {library} is missing; install all requirements: pip install exactdice\n"
    assert (finished.returncode, finished.stdout, finished.stderr) == (2, "", missing)


@pytest.mark.parametrize("redirection", ["> /dev/full", ">&-"])
def test_output_that_cannot_be_written_costs_one_line(redirection):
    command = f"'{sys.executable}' -m exactdice risk win 4 2 {redirection}"
    finished = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True)
    assert finished.returncode == 2
    assert finished.stderr.startswith("exactdice: output: ")
    assert finished.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize("line", [
    "risk win {} 2", "risk win 4 2 --sides {}", "swe value {}", "swe value 4 --ladder 4,{}",
    "swe values 99999999999999999999", "swe target 5 {}", "reroll value --dice {}",
    "farkle value --points {}", "symbolic ehrhart 1,2,3 --count {}",
    "symbolic risk-battle 4 2 --sides {}", "fatestones count 3 {}"
])  # fmt: skip
def test_numbers_of_thousands_of_digits_are_answered_or_cost_one_line(line, run):
    status, _, err = run(line.format("9" * 5000))
    assert status == 0 or (status == 2 and err.count("\n") == 1)
    assert "Traceback" not in err


COMMANDS = [asked for room in ROOMS for asked in classes(room)]


def test_topics_are_listed_and_shown_in_lines_of_a_terminal(run):
    status, out, _ = run("help")
    assert status == 0
    *listed, _, last = out.splitlines()
    assert [line.split()[0] for line in listed] == list(TOPICS)
    assert "exactdice help TOPIC shows a topic" in last
    for topic, (line, text) in TOPICS.items():
        status, out, _ = run(["help", topic])
        assert status == 0
        assert line in out
        assert text in out
        assert all(len(shown) <= 80 for shown in out.splitlines())


def test_an_unknown_topic_says_how_to_list_them(refused):
    expected = 'expected one of 12 names (did you mean ties?); list them with "exactdice help"'
    assert refused("help tie") == f"topic: got 'tie'; {expected}"


def test_the_topic_of_rules_names_the_values_of_the_option():
    asked = next(asked for asked in COMMANDS if asked.command == "farkle rules")
    rules = next(p for p in asked.parameters() if p.field == "rules")
    assert rules.domain.metavar in TOPICS["rules"][0].replace("--rules ", "")


@pytest.mark.parametrize("asked", COMMANDS, ids=lambda asked: asked.command)
def test_help_has_an_example_a_cost_types_and_limits(asked, run):
    status, out, _ = run([*asked.command.split(), "--help"])
    words = " ".join(out.split())
    assert status == 0
    assert f"Example: exactdice {' '.join(asked.example.split())}" in words
    assert f"Takes {' '.join(asked.takes.split())}" in words
    assert "Commands that need more are rejected. [default: 2GiB]" in words
    assert ("Workers that share the work. [default: 1]" in words) == asked.shares_work
    arguments = [parameter for parameter in asked.parameters() if parameter.is_argument]
    width = max((len(parameter.metavar) for parameter in arguments), default=0)
    for parameter in arguments:  # what they are stands in one column
        first, *rest = parameter.help.split()
        assert f"\n    {parameter.metavar:{width}}  {first}" in out
        assert " ".join([first, *rest]) in words
    assert max(len(line) for line in out.splitlines() if "  exactdice" not in line) <= 80
    for parameter in asked.parameters():
        if isinstance(parameter.domain, Whole) and parameter.domain.describe():
            assert parameter.domain.describe() in words


def test_claims_are_listed_with_their_verdicts_and_shown_one_by_one(answer, run, refused):
    listed = {row["claim"]: row["verdict"] for row in answer("claims")["claims"]}
    register = run("claims --format md")[1]
    assert list(listed) == [claim.id for claim in CLAIMS]
    assert listed["risk.four-against-two"] == "proved"  # as the README's table says
    assert "swe.30-rounds-best-of-list" in register
    shown = answer("claims risk.maximum-dice")
    assert shown["verdict"] == "proved"
    assert "theorem 10" in " ".join(shown["rests_on"])  # README: theorem 10
    assert shown["certificate"] == "proofs/certificates/risk.maximum-dice.json"
    without = [claim.id for claim in CLAIMS if not claim.kind]
    assert [
        name for name, verdict in listed.items() if verdict in ("open", "not checkable")
    ] == without
    expected = 'expected one of 133 names; list them with "exactdice claims"'
    assert refused("claims chess") == f"claim: got 'chess'; {expected}"


# One quick command of each kind; slower ones share the code of the limit.
QUICK = [asked for asked in COMMANDS if asked.command in (
    *("risk round", "risk win", "risk table", "risk survivors", "risk campaign", "risk plan"),
    *("risk blitz", "swe sizes", "swe value", "swe promotion", "reroll value", "claims"),
    *("reroll policy", "farkle rules", "farkle dice", "farkle value", "fatestones duel"),
    *("fatestones dice", "fatestones printed", "symbolic risk-round", "symbolic catastrophe")
)]  # fmt: skip


@pytest.mark.parametrize("asked", QUICK, ids=lambda asked: asked.command)
def test_a_command_above_the_memory_limit_costs_one_line(asked, refused, monkeypatch):
    # By its estimate: the watch would interrupt imports and break later tests.
    monkeypatch.setattr("exactdice.memory._BETWEEN", (1000, 1))
    assert "more than the limit of" in refused([*asked.example.split(), "--memory", "1"])


def test_too_large_output_is_rejected(run, refused):
    # Four numbers with 20000 digits each, of which four copies are made: 320 kB.
    line = "risk round 1 1 --memory 200KiB --digits"
    assert run(f"{line} 1000")[0] == 0
    assert refused(f"{line} 20000").startswith("writing the answer needs about ")


@pytest.mark.parametrize("line", [
    "reroll breakpoints --sides 300000000", "reroll value --sides 1000000000",
    "reroll value --sides 99999999999999999999999", "reroll value --dice 99999999999999999999999",
    "risk win 99999999999999999999999 99999999999999999999999",
    "risk plan 99999999999999999999999 3", "farkle thresholds --target 99999999999999999999999",
    "fatestones simulate --games 99999999999999999999999", "swe sizes 99999999999999999999999",
    "swe value 99999999999999999999999", "symbolic ehrhart 99999999999999999999999,2",
    "farkle distribution --target none --digits 100000 --memory 1MiB"
])  # fmt: skip
def test_too_large_computations_are_rejected_before_they_start(line, refused):
    assert refused(line)


def test_the_example_in_the_help_of_rules_is_valid(tmp_path):
    example = re.search(r"^  name(.|\n)*  111 = 1000$", TOPICS["rules"][1], re.MULTILINE)
    file = tmp_path / "house.toml"
    file.write_text(textwrap.dedent(example[0]))
    rules = read_rules(str(file))
    assert (rules.name, rules.minimum_bank, rules.target) == ("house", 300, 4000)
    assert rules.score([1, 1, 1]) == 1000


def test_the_time_limit_stops_a_command_with_one_line(refused):
    # It checks the time after each row, so after the first one.
    assert refused("risk table 400 400 --seconds 1/1000000000") == (
        "this took longer than the limit of 1/1000000000 seconds; ask for less, or raise the limit "
        "with --seconds"
    )
    assert "seconds: got" in refused("risk win 4 2 --seconds 0")


@pytest.mark.parametrize(("line", "command"), [
    ("4d6kh3 v 3d6", "dice compare '4d6 keep highest 3 vs 3d6'"), ("12v8", "risk win 12 8"),
    ("3d6>=10", "dice chance '3d6 >= 10'"), ("craps", "book craps"), ("mine.txt", "anydice 'output")
])  # fmt: skip
def test_a_text_without_a_command_is_answered(line, command, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.txt").write_text("output d6", encoding="utf-8")
    said = run([*line.split(), "--digits", "5"])[1]
    assert f"# exactdice {command}" in said
