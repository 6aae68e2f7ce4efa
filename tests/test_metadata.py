"""What the package tells those who cite, archive and install it is one thing everywhere."""

import configparser
import json
import re
from pathlib import Path

import pytest

import exactdice

ROOT = Path(__file__).resolve().parents[1]
CITATION = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
CODEMETA = json.loads((ROOT / "codemeta.json").read_text(encoding="utf-8"))
ZENODO = json.loads((ROOT / ".zenodo.json").read_text(encoding="utf-8"))
CONDA = (ROOT / "conda" / "recipe.yaml").read_text(encoding="utf-8")
SETUP = configparser.ConfigParser()
SETUP.read(ROOT / "setup.cfg", encoding="utf-8")


def of_citation(key):
    return re.search(rf'^{key}: "?([^"\n]*)"?$', CITATION, re.MULTILINE)[1]


def listed(text):
    return [line.strip() for line in text.strip().splitlines()]


def test_there_is_one_version():
    conda = re.search(r'version: "([^"]*)"', CONDA)[1]
    versions = {of_citation("version"), CODEMETA["version"], ZENODO["version"], conda}
    assert versions == {exactdice.__version__}


def test_there_is_one_address():
    address = SETUP["metadata"]["url"]
    urls = dict(line.split(" = ") for line in listed(SETUP["metadata"]["project_urls"]))
    assert urls["Source"] == of_citation("repository-code") == CODEMETA["codeRepository"] == address
    assert urls["Issues"] == CODEMETA["issueTracker"]
    assert urls["Documentation"] == of_citation("url") == CODEMETA["softwareHelp"]
    assert ZENODO["related_identifiers"][0]["identifier"] == address
    assert f"homepage: {address}\n" in CONDA
    assert f"documentation: {urls['Documentation']}\n" in CONDA


def test_there_is_one_title_and_licence():
    paper = (ROOT / "papers" / "joss" / "paper.md").read_text(encoding="utf-8")
    assert of_citation("title") == ZENODO["title"]
    assert f'title: "{of_citation("title")}"' in paper
    assert of_citation("license") == ZENODO["license"] == SETUP["metadata"]["license_expression"]
    assert CODEMETA["license"].endswith(f"/{of_citation('license')}")
    assert f"license: {of_citation('license')}\n" in CONDA


def test_conda_needs_what_pip_needs():
    needed = {line.replace(" >= ", " >=") for line in listed(SETUP["options"]["install_requires"])}
    run = CONDA.split("  run:\n")[1].split("\n\n")[0]
    assert {line.strip("- ") for line in listed(run)} == needed | {"python"}
    assert set(CODEMETA["softwareRequirements"]) == {line.split(" ")[0] for line in needed}


def test_each_extra_that_a_text_names_is_there():
    texts = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md"]
    texts += (ROOT / "docs").rglob("*.md")
    named = [
        (extra, path.name)
        for path in texts
        for extra in re.findall(
            r"\bextra[:,]? `(\w+)`|(?:exactdice|\.)\[(\w+)\]", path.read_text(encoding="utf-8")
        )
    ]
    assert len(named) > 5
    extras = SETUP["options.extras_require"]
    assert [one for one in named if "".join(one[0]) not in extras] == []


def test_each_citation_of_the_paper_is_in_its_bibliography():
    paper = (ROOT / "papers" / "joss" / "paper.md").read_text(encoding="utf-8")
    entries = re.findall(r"^@\w+\{(\w+),", (ROOT / "papers" / "joss" / "paper.bib").read_text(), re.MULTILINE)
    assert set(re.findall(r"@(\w+\d{4})", paper)) == set(entries)


def test_the_paper_has_the_sections_length_and_numbers_that_it_should():
    """Sections and length are those that JOSS asks for; each number stands in the six papers."""
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
