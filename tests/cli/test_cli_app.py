"""The root command: version, help, exit status, the main job and the installed program."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import click
import pytest

from exactdice import __version__
from exactdice.cli import app, main
from exactdice.cli.app import JOBS
from exactdice.games.risk import reports as risk_reports
from exactdice.jobs.catalogue import CATALOGUE, FORMATS
from exactdice.report.readers import read, read_json
from exactdice.report.writers import Format
from exactdice.rooms import ROOMS, classes
from exactdice.storage import MANIFEST

PROGRAM = [sys.executable, "-m", "exactdice"]


def test_version_names_the_version_and_the_commit(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith(f"exactdice {__version__} (commit ")


def test_help_lists_the_games_and_commands(capsys):
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    assert "risk" in out
    assert "sweep" in out


def test_help_describes_every_command_in_whole_sentences(capsys):
    described = {name: room.description for name, room in ROOMS.items()}
    described |= {name: line for name, line in JOBS.items() if " " not in name}
    for words in [[], *([name] for name in ROOMS if not ROOMS[name].is_command)]:
        assert main([*words, "--help"]) == 0
        shown = " ".join(capsys.readouterr().out.split())
        assert "..." not in shown.split("Commands:")[1]
        listed = [one.summary() for one in classes(words[0])] if words else described.values()
        for description in listed:
            assert description in shown


@pytest.mark.parametrize("words", [[], ["risk"]])
def test_a_group_without_a_command_shows_its_help(words, capsys):
    assert main(words) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("Usage: exactdice")
    assert captured.out == ""


def test_every_command_of_its_own_shows_what_it_takes_and_no_subcommand(capsys):
    takes = {
        "book": "NAME|FILEpy",
        "certify": "FILE",
        "project crosscheck": "GAME",
        "verify": "CLAIM",
        "claims": "CLAIM",
        "help": "TOPIC",
    }
    takes["plot"] = "NAME WHAT THE COMMAND TAKES"
    commands = [name for name in ROOMS if ROOMS[name].is_command]
    commands += ["project crosscheck", *(job for job in JOBS if job != "sweep")]  # a group
    for name in commands:
        assert main([*name.split(), "--help"]) == 0
        usage = capsys.readouterr().out.splitlines()[0]
        options, shown = usage.split("[OPTIONS]")
        assert options == f"Usage: exactdice {name} "
        shown = re.sub(r"[][{}.…]", "", shown).strip()  # brackets differ between libraries
        assert shown == takes.get(name, "")


@pytest.mark.parametrize("name", ["project tables"])
def test_a_command_without_arguments_refuses_one(name, capsys):
    assert main([*name.split(), "chess"]) == 2
    err = capsys.readouterr().err
    assert "unexpected extra argument" in err
    assert "(chess)" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("command", "spared"),
    [
        (
            "risk win 4 2",
            "networkx numpy sympy exactdice.symbolic exactdice.solve exactdice.native "
            "exactdice.studies.risk.closed_forms exactdice.games.risk.campaigns",
        ),
        (
            "swe value 10",
            "networkx sympy exactdice.solve exactdice.games.swe.distributions.listed "
            "exactdice.studies.swe exactdice.games.swe.play exactdice.games.swe.sources",
        ),
        (
            "symbolic ehrhart 1,2,3",
            "networkx numpy exactdice.games.risk.rules exactdice.games.swe.rules exactdice.native",
        ),
        ("reroll value", "networkx sympy exactdice.symbolic exactdice.jobs"),
        ("dice distribution 4d6kh3", "flint networkx numpy sympy exactdice.jobs exactdice.solve"),
    ],
)
def test_a_command_waits_for_no_library_that_it_does_not_use(command, spared):
    program = (
        f"import sys; from exactdice.cli import main; assert main({command.split()}) == 0\n"
        f"print(sorted(sys.modules.keys() & {set(spared.split())}))"
    )
    finished = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert finished.stdout.splitlines()[-1] == "[]"


def test_the_program_loads_gmpy2_without_its_metadata_and_with_its_version():
    program = (
        "import sys; from exactdice.__main__ import main\n"
        "sys.argv[1:] = ['dice', 'distribution', 'd6']\n"
        "assert main() == 0\nassert 'email' not in sys.modules\n"
        "import gmpy2, importlib.metadata\n"
        "assert gmpy2.__version__ == importlib.metadata.version('gmpy2')"
    )
    subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)


def test_a_shell_completes_commands_of_every_game():
    finished = subprocess.run(
        PROGRAM,
        env={
            **os.environ,
            "_EXACTDICE_COMPLETE": "bash_complete",
            "COMP_WORDS": "exactdice risk su",
            "COMP_CWORD": "2",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.stdout.strip() == "plain,survivors"


def test_an_unknown_command_is_bad_usage(capsys):
    assert main(["chess"]) == 2
    assert "chess" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("risk wim 4 2", "Did you mean win?"),
        ("rsk win 4 2", "Did you mean risk?"),
        ("win 4 2", "Did you mean risk win?"),
        ("tables", "Did you mean project tables?"),
        ("mine.py", "Did you mean book mine.py?"),
        ("yahtzee", "Did you mean book yahtzee?"),
        ("zzz", "See exactdice --help."),
        ("qwerty", "See exactdice --help."),
        ("chess", "See exactdice --help."),
    ],
)
def test_a_typo_of_a_command_is_told_which_it_may_have_meant(line, meant, capsys):
    assert main(line.split()) == 2
    problem = capsys.readouterr().err
    assert problem.startswith("exactdice: No such command '")
    assert problem.endswith(f"{meant}\n")


def test_a_letter_too_many_too_few_wrong_or_swapped_leads_to_the_command(capsys):
    for name in {*ROOMS, *JOBS} - {job for job in JOBS if " " in job}:
        for i in range(len(name)):
            before, letter, after = name[:i], name[i], name[i + 1 :]
            swapped = before + after[:1] + letter + after[1:]
            for typo in (before + after, name[:i] + "q" + name[i:], before + "q" + after, swapped):
                if typo != name:
                    assert main([typo]) == 2
                    assert re.search(rf"Did you mean .*\b{name}\b", capsys.readouterr().err), typo


def test_an_unknown_option_is_bad_usage(capsys):
    assert main(["risk", "win", "3", "2", "--speed"]) == 2
    error = capsys.readouterr().err
    assert "--speed" in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("line", "argument"),
    [
        ("risk win 4 -2", "defenders"),
        ("risk win 4 -2.5 --units fighting", "defenders"),
        ("risk campaign 4 1 -1/2", "territories"),
        ("swe value -5", "rounds"),
        ("swe target 5 -.5", "target"),
        ("reroll table -1 6", "dice"),
        ("farkle horizon -3 --points 0", "rolls"),
        ("fatestones count 3 -6", "values"),
        ("fatestones duel -1 -1", "row"),
        ("symbolic ehrhart -1,2", "weights"),
        ("project crosscheck -5", "games"),
        ("verify -5", "claim"),
        ("plot -5", "name"),
    ],
)
def test_a_negative_number_is_refused_by_the_name_of_the_argument(line, argument, capsys):
    assert main(line.split()) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"exactdice: {argument}: got '-")
    assert "; give " in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("line", ["risk win --speed -2", "risk win 4 -x", "reroll value -5"])
def test_words_that_no_argument_takes_are_bad_usage(line, capsys):
    assert main(line.split()) == 2
    err = capsys.readouterr().err
    assert line.split()[-1] in err or "--speed" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("line", "option"),
    [
        ("farkle value --target 1000 --target 2000", "target"),
        ("risk win 4 2 --sides 6 --sides 6", "sides"),
        ("risk win 4 2 -f csv --format json", "format"),
        ("project tables --only risk/* --only swe/*", "only"),
        ("plot risk-win -o a.pdf --output=b.pdf", "output"),
    ],
)
def test_an_option_given_twice_is_refused(line, option, capsys):
    # Which of the two was meant is not for the program to guess.
    assert main(line.split()) == 2
    assert capsys.readouterr().err == f"exactdice: {option}: got 2 values; expected one\n"


@pytest.mark.parametrize(
    "line",
    ["swe policies 3 --policy Promo --policy NewOnly"],
)
def test_lists_may_be_repeated(line, capsys):
    assert main(line.split()) == 0
    assert capsys.readouterr().err == ""


def test_a_mistake_of_the_package_is_not_dressed_up_as_bad_usage(monkeypatch):
    def broken(*_arguments):
        raise RuntimeError("a defect")

    monkeypatch.setattr(risk_reports, "win_report", broken)
    with pytest.raises(RuntimeError, match="a defect"):
        main(["risk", "win", "3", "2"])


def test_an_interrupted_command_says_so(monkeypatch, capsys):
    def interrupted(*_arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(risk_reports, "win_report", interrupted)
    assert main(["risk", "win", "3", "2"]) == 130
    assert "interrupted" in capsys.readouterr().err


def test_the_main_job_writes_every_table_in_every_format(tmp_path, capsys):
    out = tmp_path / "out"
    assert main(["project", "tables", "--only", "risk/*", "--output", str(out)]) == 0
    names = [entry.name for entry in CATALOGUE if entry.name.startswith("risk/")]
    written = sorted(json.loads((out / MANIFEST).read_text())["files"])
    whole = [f.suffix for f in FORMATS if f is not Format.CSV]
    tables = [name for name in written if name.endswith(".csv")]
    assert set(written) - set(tables) == {name + suffix for name in names for suffix in whole}
    assert capsys.readouterr().out == (
        f"Wrote {len(names)} exact tables and kept 0 that are current, each as text, csv, json, "
        f"latex, in {out}/ ({len(written)} files, listed in {out}/{MANIFEST}).\n"
    )
    for name in names:
        data = (out / f"{name}.json").read_text()
        assert read_json(data) == read(out / f"{name}.csv")


def test_the_main_job_is_idempotent(tmp_path):
    arguments = ["project", "tables", "--only", "risk/round*", "--output", str(tmp_path / "out")]
    assert main(arguments) == 0
    before = (tmp_path / "out" / MANIFEST).read_text()
    assert main(arguments) == 0
    assert (tmp_path / "out" / MANIFEST).read_text() == before


def test_the_main_job_tells_which_table_it_is_at_and_how_far_that_is(tmp_path, monkeypatch):
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


def test_each_table_of_the_main_job_names_the_command_that_prints_it(tmp_path, capsys):
    for entry in CATALOGUE:
        if entry.name.startswith("risk/"):
            files = dict(entry.files())
            assert main([*entry.question.split(), "--format", "json"]) == 0
            assert capsys.readouterr().out == files[entry.name + ".json"]


def test_a_pattern_without_a_table_is_bad_usage(tmp_path, capsys):
    assert main(["project", "tables", "--only", "chess/*", "--output", str(tmp_path / "o")]) == 2
    assert "only: got 'chess/*'; expected a pattern that matches a table" in capsys.readouterr().err
    assert not (tmp_path / "o").exists()


def test_a_folder_with_foreign_files_is_refused(tmp_path, capsys):
    (tmp_path / "thesis.tex").write_text("years of work")
    assert main(["project", "tables", "--output", str(tmp_path)]) == 2
    assert "thesis.tex" in capsys.readouterr().err
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.tex"]


def test_the_program_ends_quietly_when_its_reader_goes_away():
    command = f"{' '.join(PROGRAM)} risk table 60 60 | head -n 1"
    finished = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, check=False, timeout=120
    )
    assert finished.stderr == ""
    assert finished.stdout.startswith("Risk: attacks")


def processor_seconds(process):
    """Processor time that a process has used, from the kernel's account of it."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_to_end_costs_one_line_and_has_its_status(tmp_path, end):
    target = tmp_path / "t.csv"
    command = [*PROGRAM, "risk", "table", "700", "700", "--output", str(target)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    while processor_seconds(process.pid) < 1:  # start-up takes a fraction of it
        time.sleep(0.05)
    os.kill(process.pid, end)
    _, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (128 + end, "exactdice: interrupted\n")  # as shells count
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
def test_a_signal_to_end_while_the_program_loads_is_one_line_too(start, end):
    # The signal comes at the first library that the command line needs.
    program = (
        "import importlib.metadata, os, runpy, signal, sys\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, path, target=None):\n"
        "        if name == 'click':\n"
        f"            os.kill(os.getpid(), {end:d})\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        f"{start}"
    )
    finished = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (finished.returncode, finished.stderr) == (128 + end, "exactdice: interrupted\n")


def test_a_signal_that_comes_once_the_answer_is_whole_changes_nothing():
    # As the process ends: Python runs what was registered before it takes its handlers back.
    program = (
        "import atexit, os, runpy, signal, sys\n"
        "sys.argv = ['exactdice', 'risk', 'win', '4', '2', '--format', 'csv']\n"
        "for end in (signal.SIGINT, signal.SIGTERM):\n"
        "    atexit.register(os.kill, os.getpid(), end)\n"
        "runpy.run_module('exactdice', run_name='__main__')"
    )
    finished = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (finished.returncode, finished.stderr) == (0, "")
    assert "6610505/10077696" in finished.stdout


def _fail():
    raise RuntimeError("a fault of ours")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems bound memory otherwise")
def test_a_program_without_room_to_be_loaded_costs_a_line():
    import resource

    def run(*words, limit):
        bound = partial(resource.setrlimit, resource.RLIMIT_AS, (limit, limit))
        return subprocess.run(words, capture_output=True, text=True, check=False, preexec_fn=bound)

    # Python by itself starts with less on CPython 3.11 (14.5 MB); each fails at another place.
    for limit in range(18_000_000, 24_000_000, 2_000_000):
        if run(sys.executable, "-c", "pass", limit=limit).returncode:
            continue
        done = run(sys.executable, "-m", "exactdice", "risk", "win", "4", "2", limit=limit)
        assert done.returncode == 2, done.stderr
        assert done.stderr.startswith("exactdice: the system leaves too little memory")
        assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "problem",
    [
        RuntimeError("can't start new thread"),
        ImportError("Original error was: libscipy_openblas64_.so: failed to map segment from sh"),
    ],
)
def test_a_system_without_room_for_a_thread_or_a_library_costs_a_line(problem, capsys):
    def fail():
        raise problem

    assert app.run(click.Command("short", callback=fail), []) == 2
    assert capsys.readouterr().err.startswith("exactdice: the system leaves too little memory")


def test_an_interrupt_while_a_class_is_made_is_told_as_one(capsys):
    class Interrupting:
        def __set_name__(self, owner, name):
            raise KeyboardInterrupt(143)  # Python 3.11 makes a RuntimeError of it

    make = click.Command("make", callback=lambda: type("Made", (), {"field": Interrupting()}))
    assert app.run(make, []) == 143
    assert capsys.readouterr().err == "exactdice: interrupted\n"
    with pytest.raises(RuntimeError, match="of ours"):
        app.run(click.Command("broken", callback=_fail), [])


def test_a_library_that_is_missing_costs_one_line_in_python_too():
    program = (
        "import sys\n"
        "sys.modules['numpy'] = None\n"
        "import exactdice, exactdice.errors\n"
        "try: exactdice.ask('swe value 5')\n"
        "except exactdice.errors.MissingExtraError as problem: print(problem)"
    )
    printed = subprocess.check_output([sys.executable, "-c", program], text=True)
    assert printed == "numpy is missing; install what exactdice needs: pip install exactdice\n"


@pytest.mark.parametrize("library", ["numpy", "click"])  # of one game, and of every command
def test_a_library_that_is_missing_costs_one_line(library):
    program = (
        "import sys\n"
        f"sys.modules[{library!r}] = None\n"
        "from exactdice.__main__ import main\n"
        "sys.argv[1:] = ['swe', 'value', '5']\n"
        "sys.exit(main())"
    )
    finished = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (finished.returncode, finished.stdout, finished.stderr) == (
        2,
        "",
        f"exactdice: {library} is missing; install what exactdice needs: pip install exactdice\n",
    )


@pytest.mark.parametrize("redirection", ["> /dev/full", ">&-"])
def test_output_that_cannot_be_written_costs_one_line(redirection):
    finished = subprocess.run(
        ["/bin/sh", "-c", f"'{sys.executable}' -m exactdice risk win 4 2 {redirection}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 2
    assert finished.stderr.startswith("exactdice: output: ")
    assert finished.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        "risk win {} 2",
        "risk win 4 2 --sides {}",
        "swe value {}",
        "swe value 4 --ladder 4,{}",
        "swe values 99999999999999999999",
        "swe target 5 {}",
        "reroll value --dice {}",
        "farkle value --points {}",
        "symbolic ehrhart 1,2,3 --count {}",
        "symbolic risk-battle 4 2 --sides {}",
        "fatestones count 3 {}",
    ],
)
def test_numbers_of_thousands_of_digits_never_show_a_traceback(line, capsys):
    # They are answered, or refused in one line.
    status = main(line.format("9" * 5000).split())
    err = capsys.readouterr().err
    assert status == 0 or (status == 2 and err.count("\n") == 1)
    assert "Traceback" not in err
