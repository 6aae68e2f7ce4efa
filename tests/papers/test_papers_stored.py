import hashlib
import json

import pytest
from gmpy2 import mpq

from exactdice.errors import OutputError
from exactdice.report.model import Provenance, Quantity, Report, exact
from exactdice.report.writers import Format, render
from papers.make.stored import BOOK, SOURCES, StoredData


@pytest.fixture
def folder(tmp_path):
    report = Report("R", [Quantity(exact("v", "value"), mpq(1, 3))], (), Provenance("exactdice x"))
    content = render(report, Format.JSON)
    (tmp_path / "x.json").write_text(content, encoding="utf-8")
    entry = {"command": "exactdice x", "sha256": hashlib.sha256(content.encode()).hexdigest()}
    (tmp_path / SOURCES).write_text(json.dumps({"x.json": entry}), encoding="utf-8")
    return tmp_path


def test_a_stored_report_reads_back_exactly(folder):
    assert StoredData(folder).report("x.json").value("v") == mpq(1, 3)


def test_the_index_of_the_book_comes_from_the_checkout(folder):
    assert StoredData(folder).answer(BOOK).table("index").rows


def test_a_changed_file_is_rejected_with_its_command(folder):
    with (folder / "x.json").open("a", encoding="utf-8") as stream:
        stream.write(" ")
    with pytest.raises(OutputError, match=r"checksum; make it again: exactdice x --format json"):
        StoredData(folder).report("x.json")


def test_an_unlisted_or_missing_file_is_rejected(folder):
    with pytest.raises(OutputError, match="is missing"):
        StoredData(folder).report("y.json")
    (folder / "x.json").unlink()
    with pytest.raises(OutputError, match="is missing"):
        StoredData(folder).report("x.json")


@pytest.mark.parametrize("sources", ["[]", '{"x.json": 3}', '{"x.json": {}}', "[" * 100_000])
def test_a_list_without_the_source_of_a_file_is_rejected(folder, sources):
    (folder / SOURCES).write_text(sources, encoding="utf-8")
    with pytest.raises(OutputError, match="is missing; restore it"):
        StoredData(folder).report("x.json")


def test_a_file_of_another_command_is_rejected(folder):
    sources = json.loads((folder / SOURCES).read_text(encoding="utf-8"))
    sources["x.json"]["command"] = "exactdice y"
    (folder / SOURCES).write_text(json.dumps(sources), encoding="utf-8")
    with pytest.raises(OutputError, match="another command"):
        StoredData(folder).report("x.json")
