"""Metadata for citing, archiving and installing agree."""

import configparser
import importlib.util
import json
import pydoc
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import exactdice
from exactdice.cli import JOBS
from exactdice.rooms import ROOMS, question_class

ROOT = Path(__file__).resolve().parents[1]
SETUP = configparser.ConfigParser()
SETUP.read(ROOT / "setup.cfg", encoding="utf-8")

spec = importlib.util.spec_from_file_location("citation", ROOT / "tools" / "citation.py")
citation = importlib.util.module_from_spec(spec)
spec.loader.exec_module(citation)


def listed(text):
    return [line.strip() for line in text.strip().splitlines()]


with_the_package = pytest.mark.skipif(
    not (ROOT / "exactdice" / "__init__.py").exists(), reason="the package is not in this tree"
)


@with_the_package
def test_each_file_repeats_the_facts_of_citation_cff_and_setup_cfg():
    assert citation.main(["--check"]) == 0
    assert citation.facts(ROOT)["version"] == exactdice.__version__
    urls = dict(line.split(" = ") for line in listed(SETUP["metadata"]["project_urls"]))
    assert urls["Source"] == SETUP["metadata"]["url"]


#: A release by a person and a group, after a move to another address and with another library.
EDITS = [
    ("exactdice/__init__.py", exactdice.__version__, "9.8.7"),
    ("setup.cfg", "https://github.com/exactdice/exactdice", "https://example.org/dice"),
    ("setup.cfg", "license_expression = MIT", "license_expression = BSD-3-Clause"),
    ("setup.cfg", "description = Exact", "description = Fast and exact"),
    ("setup.cfg", "python_requires = >=3.11", "python_requires = >=3.12"),
    ("setup.cfg", "    gmpy2 >= 2.3\n", "    attrs >= 25\n"),
    ("CITATION.cff", 'title: "exactdice: exact', 'title: "exactdice: fast and exact'),
    ("CITATION.cff", "Dice games solved", "Many games solved"),
    ("CITATION.cff", "  - dice games\n", "  - games of chance\n"),
    ("CITATION.cff", "  - name: The exactdice authors\n",
     "  - given-names: Ada\n    family-names: Lovelace\n"
     "    orcid: https://orcid.org/0000-0000-0000-0001\n  - name: The others\n")
]  # fmt: skip


@with_the_package
def test_an_edit_of_a_fact_reaches_every_file_that_repeats_it(tmp_path, capsys):
    files = tomllib.loads((ROOT / "tools" / "citation.toml").read_text("utf-8"))
    for path in (*files, "exactdice/__init__.py"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, tmp_path / path)
    for path, before, after in EDITS:
        text = (tmp_path / path).read_text(encoding="utf-8")
        assert before in text
        (tmp_path / path).write_text(text.replace(before, after), encoding="utf-8")

    assert citation.main(["--check"], tmp_path) == 1
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(files)
    assert citation.main([], tmp_path) == 0
    assert citation.main(["--check"], tmp_path) == 0

    now = {path: (tmp_path / path).read_text(encoding="utf-8") for path in files}
    assert "\nauthor = Ada Lovelace, The others\n" in now["setup.cfg"]
    cited = yaml.safe_load(now["CITATION.cff"])
    assert (cited["version"], cited["license"]) == ("9.8.7", "BSD-3-Clause")
    assert cited["repository-code"] == "https://example.org/dice"
    codemeta, zenodo = json.loads(now["codemeta.json"]), json.loads(now[".zenodo.json"])
    assert codemeta["description"].startswith("Fast and exact")
    assert codemeta["license"] == "https://spdx.org/licenses/BSD-3-Clause"
    assert codemeta["issueTracker"] == "https://example.org/dice/issues"
    assert codemeta["runtimePlatform"] == "CPython 3.12 or newer"
    assert codemeta["softwareRequirements"][:2] == ["attrs", "sympy"]
    person = {"@type": "Person", "name": "Ada Lovelace"}
    person |= {"@id": "https://orcid.org/0000-0000-0000-0001"}
    assert codemeta["author"] == [person, {"@type": "Organization", "name": "The others"}]
    person = {"name": "Lovelace, Ada", "orcid": "0000-0000-0000-0001"}
    assert zenodo["creators"] == [person, {"name": "The others"}]
    assert (zenodo["title"], zenodo["version"]) == (cited["title"], codemeta["version"])
    assert zenodo["description"].startswith("<p>Many games solved")
    assert zenodo["related_identifiers"][0]["identifier"] == "https://example.org/dice"
    assert zenodo["keywords"] == codemeta["keywords"] == cited["keywords"]
    assert cited["keywords"][0] == "games of chance"
    conda = yaml.safe_load(now["conda/recipe.yaml"])
    assert conda["context"]["version"] == "9.8.7"
    assert conda["build"]["skip"][-1] == 'match(python, "<3.12")'
    assert conda["requirements"]["run"][:3] == ["python", "attrs >=25", "sympy >=1.13"]
    assert conda["about"]["summary"].startswith("Fast and exact")
    bibtex = now["docs/cite.md"]
    assert "author  = {Lovelace, Ada and {The others}},\n" in bibtex
    assert "version = {9.8.7},\n" in bibtex
    assert f'\ntitle: "{cited["title"]}"\n' in now["papers/joss/paper.md"]


def test_the_man_page_lists_the_commands():
    subprocess.run([sys.executable, ROOT / "tools" / "manpage.py", "--check"], check=True)


def test_conda_and_pip_agree():
    recipe = yaml.safe_load((ROOT / "conda" / "recipe.yaml").read_text(encoding="utf-8"))
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]
    needed = {line.replace(" >= ", " >=") for line in build["requires"]}
    assert set(recipe["requirements"]["host"]) == needed | {"python", "pip"}
    assert recipe["build"]["python"]["entry_points"] == listed(
        SETUP["options.entry_points"]["console_scripts"]
    )


def test_each_extra_in_a_text_exists():
    texts = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md"]
    texts += (ROOT / "docs").rglob("*.md")
    extra = re.compile(r"\bextra[:,]? `(\w+)`|(?:exactdice|\.)\[(\w+)\]")
    named = [(one, path.name) for path in texts for one in extra.findall(path.read_text("utf-8"))]
    assert len(named) > 5
    extras = SETUP["options.extras_require"]
    assert [one for one in named if "".join(one[0]) not in extras] == []


def test_each_command_target_and_name_in_the_changelog_is_there():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    quoted = re.findall("`([^`]+)`", text)
    for room, verb in re.findall(r"`exactdice (\w+)(?: ([\w-]+))?", text):
        if room not in JOBS and room != "COMMAND" and not ROOMS[room].is_command:
            assert f"{room} {verb}" in JOBS or question_class(f"{room} {verb}")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in (said.removeprefix("make ") for said in quoted if said.startswith("make ")):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    for name in (said for said in quoted if re.fullmatch(r"[a-zA-Z_.]+", said)):
        homes = ("", "exactdice.models.", "exactdice.dice.", "exactdice.report.model.Report.")
        assert (ROOT / name).exists() or any(pydoc.locate(home + name) for home in homes), name


def test_each_citation_of_the_paper_is_in_its_bibliography():
    paper = (ROOT / "papers" / "joss" / "paper.md").read_text(encoding="utf-8")
    entries = re.findall(
        r"^@\w+\{(\w+),", (ROOT / "papers" / "joss" / "paper.bib").read_text(), re.MULTILINE
    )
    assert set(re.findall(r"@(\w+\d{4})", paper)) == set(entries)


def test_the_paper_has_the_sections_length_and_numbers_that_it_should():
    """JOSS requires the sections and the length; each number is in the papers."""
    text = (ROOT / "papers" / "joss" / "paper.md").read_text(encoding="utf-8").split("---", 2)[2]
    asked = ["Summary", "Statement of need", "State of the field", "Software design"]
    asked += ["Research impact statement", "AI usage disclosure", "Acknowledgements", "References"]
    assert re.findall("^# (.*)", text, re.MULTILINE) == asked
    assert 750 <= len(text.split()) <= 1750
    papers = [path.read_text("utf-8") for path in (ROOT / "papers/generated").rglob("*.tex")]
    given = {number for paper in papers for number in re.findall(r"\d+(?:\.\d+)?", paper)}
    printed = re.findall(r"\d+\.\d+|\d{2,}", re.sub(r"@\w+", "", text))
    assert {n for n in printed if not any(one.startswith(n) for one in given)} == set()


@pytest.mark.parametrize(
    "name", sorted(path.name for path in (ROOT / ".github/workflows").iterdir())
)
def test_a_workflow_runs_only_targets_and_files_that_there_are(name):
    text = (ROOT / ".github" / "workflows" / name).read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"run: make (\S+)", text):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)
    for script in re.findall(r"python3 (\S+\.py)", text):
        assert (ROOT / script).is_file()
