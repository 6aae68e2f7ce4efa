"""`exactdice swe enclosure` from the command line."""

import json

import pytest
from gmpy2 import mpq

from exactdice import native
from exactdice.cli import main
from exactdice.games.swe.sources import OPTIMUM

pytestmark = pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install")


def answer(capsys, *words):
    assert main([*words, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_enclosure_holds_the_readme_s_value(capsys):
    report = answer(capsys, "swe", "enclosure", "10", "--workers", "2")
    ends = report["enclosure"]
    assert mpq(ends["lower"]) <= OPTIMUM[10] <= mpq(ends["upper"])
    assert report["blocks"] == 113


def test_the_exact_optimum_is_that_of_exact_search(capsys):
    searched = answer(capsys, "swe", "enclosure", "11", "--exact")
    assert searched["value"] == answer(capsys, "swe", "value", "11")["value"]
    assert searched["blocks"] < searched["blocks_in_all"]


@pytest.mark.parametrize(
    ("words", "named"),
    [(["0"], "rounds"), (["201"], "rounds"), (["5", "--workers", "0"], "workers")],
)
def test_out_of_range_is_refused(capsys, words, named):
    assert main(["swe", "enclosure", *words]) == 2
    assert f"{named}: got" in capsys.readouterr().err
