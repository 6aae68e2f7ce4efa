"""Builds of the slower papers from part of their data, compared with the committed files.

Slow tests and ``python -m papers.make --check`` compare everything.
"""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from gmpy2 import mpq

from exactdice.report.model import Quantity, Report, Table, exact, listing, whole
from papers.make import farkle, farkle_opponent, fatestones, reroll, risk, sheets, swe
from papers.make.sheets import Sources
from papers.make.stored import StoredData

HOME = Path(__file__).parents[2] / "papers"
STORED = StoredData(HOME / "data")


def committed(paper, file):
    return (HOME / "generated" / paper / file).read_text(encoding="utf-8")


def rows(content):
    return {line for line in content.splitlines() if " & " in line}


def macros(content):
    return re.findall(r"\\newcommand\{\\(\w+)\}", content)


@pytest.mark.slow
@pytest.mark.parametrize(
    "paper", [fatestones.PAPER, reroll.PAPER, risk.PAPER], ids=lambda paper: paper.name
)
def test_papers_as_committed(paper):
    files = paper.files(STORED)
    for name, content in files.items():
        assert content == committed(*name.split("/"))


@pytest.mark.slow
def test_farkle_with_four_named_dice_and_one_set(monkeypatch):
    named = ["fair", "weighted", "favourable", "devils-head"]
    monkeypatch.setattr(farkle, "_names", lambda _sources: named)
    monkeypatch.setattr(farkle, "_SETS", ("fair*6",))
    monkeypatch.setattr(farkle_opponent, "_SCORES", ("0,0",))
    files = farkle.PAPER.files(STORED)
    for file in ("thresholds.tex", "readme.tex", "best.tex"):
        assert files[f"farkle/{file}"] == committed("farkle", file)
    for file in ("dice.tex", "sets.tex", "looking.tex"):
        made = rows(files[f"farkle/{file}"])
        assert len(made) >= 2
        assert made <= rows(committed("farkle", file))
    assert files["farkle/numbers.tex"] == committed("farkle", "numbers.tex")


@pytest.mark.slow
def test_swe_with_shorter_games(monkeypatch):
    monkeypatch.setattr(swe, "_LONGEST", 14)
    monkeypatch.setattr(swe, "_DIRECTIONS", "swe policy 8")
    monkeypatch.setattr(swe, "_MEANS", swe._MEANS.replace("100", "30"))
    files = swe.PAPER.files(STORED)
    assert files["swe/policies.tex"] == committed("swe", "policies.tex")
    differing = rows(files["swe/values.tex"]) ^ rows(committed("swe", "values.tex"))
    assert sorted(row.split(" & ")[0] for row in differing) == ["$14$", "$30$"]
    assert macros(files["swe/numbers.tex"]) == macros(committed("swe", "numbers.tex"))
    for name in ("ValueTen", "FirstBetter", "PromoNewMost"):
        (line,) = (n for n in files["swe/numbers.tex"].splitlines() if f"\\The{name}}}" in n)
        assert line in committed("swe", "numbers.tex")


def test_dice_with_actions_that_depend_on_the_score_are_counted(monkeypatch):
    # Rows made up here: twice creating is for low scores, once for high ones, and once for both.
    create, promote = ("create d4",), ("promote d4",)
    ends = [(create, promote), (create, promote), (promote, create), (create, create)]
    rows = [
        (now, (1, 0), (0, 0), 7 * place, action)
        for now, actions in enumerate(ends, 1)
        for place, action in enumerate(actions)
    ]
    rows.append((9, (0, 0), (1, 0), 0, ("fix d4",)))
    kinds = {"round": whole, "revenue": listing, "legacy": listing, "low": whole}
    columns = [kind(name, name) for name, kind in (kinds | {"optimal": listing}).items()]
    value = Quantity(exact("value", "value"), mpq(1))
    made_up = Report("t", [value], [Table("states", "t", columns, rows)])
    sources = Sources()
    monkeypatch.setattr(sources, "ask", lambda _: made_up)
    made = sheets.Macros(sources)
    swe._add_directions(made)
    for name, number in (("CreatePoor", 2), ("CreateRich", 1)):
        assert f"\\newcommand{{\\The{name}}}{{\\ensuremath{{{number}}}}}" in made.content()


def test_the_numbers_of_the_swe_claims_as_committed():
    made = sheets.Macros(Sources(STORED))
    swe._add_claims(made)
    assert set(made.content().splitlines()) <= set(committed("swe", "numbers.tex").splitlines())


def test_the_stored_claims_of_long_games_agree_with_those_of_shorter_ones():
    # The smallest counterexample is in a game of six rounds, so eight rounds show it as well.
    claim = {"claim": "promote the lowest", "on_path": False}
    shorter, stored = Sources(STORED).ask("swe claims 8"), Sources(STORED).ask(swe._CLAIMS)
    for column in shorter.table("counterexamples").columns:
        cells = [
            answer.table("counterexamples").cell(column.name, **claim)
            for answer in (shorter, stored)
        ]
        assert cells[0] == cells[1], column.name


@pytest.mark.parametrize("change", [lambda value: 2 * value, lambda value: value / 2])
def test_an_implausible_stored_value_is_rejected(change):
    # The optimum rises weakly with the rounds and stays below a bound: theorem 18 of the proofs.
    values = {70: mpq(366), 80: mpq(457), 100: mpq(661)}
    swe._require_plausible(values)
    with pytest.raises(AssertionError, match="cannot be right"):
        swe._require_plausible(values | {80: change(mpq(457))})


def test_the_optimum_of_a_hundred_rounds_is_in_the_interval_of_another_solver():
    # By the solver that compares all fixes in all states, exactdice.native.swe.solve(100,
    # intervals=True, memory_limit=None), in 73 minutes, at commit 8560ff6d51.
    lower, upper = mpq(90834677752265, 2**37), mpq(726677422018291, 2**40)
    assert lower <= STORED.answer("swe enclosure 100 --exact").value("value") <= upper


def test_stored_values_of_another_game_are_rejected(monkeypatch):
    sources = Sources(STORED)
    genuine, solved = sources.ask, "swe values 3"

    def on_another_ladder(command):
        return genuine(f"{solved} --ladder 6,8" if command == solved else command)

    monkeypatch.setattr(swe, "_LONGEST", 3)
    monkeypatch.setattr(sources, "ask", on_another_ladder)
    with pytest.raises(AssertionError, match="not those of this game"):
        swe._values(sources)


@pytest.mark.slow
def test_a_census_of_another_game_is_rejected():
    census = STORED.answer("fatestones census")
    edge = next(q for q in census.quantities if q.column.name == "best_response_edge")
    others = [q for q in census.quantities if q is not edge]
    changed = replace(census, quantities=[replace(edge, value=edge.value / 2), *others])

    class OtherCensus(StoredData):
        def answer(self, asked):
            return changed if asked == "fatestones census" else None

    with pytest.raises(AssertionError, match="another game"):
        fatestones.PAPER.files(OtherCensus(HOME))


def test_no_rolls_are_named_none():
    assert reroll._named({}).text == r"\text{none}"
