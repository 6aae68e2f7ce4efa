"""Models that no one here wrote: the exact results of the benchmark set that publishes them."""

import csv
from pathlib import Path

import pytest
from gmpy2 import mpq

from exactdice.formats.questions import ModelSolve

FOLDER = Path(__file__).parent / "qvbs"
RESULTS = list(csv.DictReader((FOLDER / "results.csv").read_text(encoding="utf-8").splitlines()))


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: str(result["file"]))
def test_the_benchmark_set_publishes_the_same_value(result):
    path = FOLDER / result["file"]
    exact = ModelSolve(path, query=result["query"]).answer()
    assert exact.value("value") == mpq(result["value"])
    assert exact.value("exact")
    enclosed = ModelSolve(path, query=result["query"], width="1e-9").answer()
    value = enclosed.value("value")
    if enclosed.value("exact"):  # moves that lead round in a circle at no loss
        assert value == mpq(result["value"])
    else:
        assert mpq(result["value"]) in value
        assert value.width <= mpq(1, 10**9)


def test_the_set_has_a_dozen_benchmarks_and_every_file_a_result():
    assert len({result["source"].split("/")[1] for result in RESULTS}) >= 12
    assert {result["file"] for result in RESULTS} == {path.name for path in FOLDER.glob("*.umb")}
