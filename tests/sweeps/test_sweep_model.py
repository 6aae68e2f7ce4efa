"""Sweeps as lists of questions, and the store of their answers."""

import json
import os
from collections import Counter
from itertools import combinations_with_replacement, product
from math import comb

import pytest
from askers import digest, report
from hypothesis import given
from hypothesis import strategies as st

from exactdice.arithmetic import mpq
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, OutputError
from exactdice.report.model import Provenance, Quantity, Report, enclosed, exact, whole
from exactdice.rooms import question
from exactdice.run import Run
from exactdice.sweeps import Store, Sweep
from exactdice.sweeps.catalogue import BUILT_IN, define, reducer_of
from exactdice.sweeps.model import from_grid, values_of
from exactdice.sweeps.reports import (
    progress_report,
    read_reducer,
    rows,
    status_report,
    stored_reports,
)
from exactdice.sweeps.store import StoredAnswer, UnitStatus, document_of, identity


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 6)), min_size=1, max_size=4))
def test_ranges_hold_both_ends(ranges):
    written = ",".join(f"{low}..{low + more}" for low, more in ranges)
    expected = [str(n) for low, more in ranges for n in range(low, low + more + 1)]
    assert values_of(written) == expected


def test_a_grid_is_the_product_of_its_variables_the_first_slowest():
    sweep = from_grid("risk win {a} {d} --units {u}", ["u=fighting,total", "a=3..5", "d=1,2"])
    expected = [
        str(question(f"risk win {a} {d} --units {u}"))
        for u, a, d in product(("fighting", "total"), (3, 4, 5), (1, 2))
    ]
    assert list(sweep.units) == expected
    assert "risk win 3 1" in sweep.units  # the default of --units is left out


def test_repeated_questions_of_a_grid_are_merged():
    assert from_grid("risk win {a} 2", ["a=4,04,4"]).units == ("risk win 4 2",)


def test_questions_are_counted_as_they_are_read(tmp_path):
    path, heard = tmp_path / "asked.txt", []
    path.write_text("risk win 4 2\nrisk win 5 2\nrisk win 6 2\n")
    for name, over in ((str(path), []), ("risk win {a} 2", ["a=4..6"])):
        heard.clear()
        define(name, over, run=Run(progress=lambda *news: heard.append(news)))
        assert heard == [("questions", done, 3) for done in range(3)]


def test_a_file_has_a_question_a_line(tmp_path):
    path = tmp_path / "asked.txt"
    path.write_text("# mine\nrisk win 4 2\n\n  swe values 5 \n")
    assert define(str(path)).units == ("risk win 4 2", "swe values 5")


@pytest.mark.parametrize(("content", "complaint"), [
    (b"risk win 4 2\n\n# all\nrisk win 1 2\n", "line 4: attackers: got 1; expected"),
    (b"risk chess 4 2\n", "line 1: question: got 'risk chess'; expected one of"),
    (b"risk win 4 2\nrisk win --units total 4 2\n", "line 2: the question .* in line 1"),
    (b"\xff\n", "cannot be read"), (b"# nothing\n", "at least one question")
])  # fmt: skip
def test_a_mistake_in_a_file_is_reported_with_its_line(tmp_path, content, complaint):
    path = tmp_path / "asked.txt"
    path.write_bytes(content)
    with pytest.raises((InputError, OutputError), match=rf"asked\.txt.*{complaint}"):
        define(str(path))


@pytest.mark.parametrize("name", list(BUILT_IN))
def test_built_in_sweeps_have_canonical_questions_and_a_reducer(name):
    sweep = define(name)
    assert len(set(sweep.units)) == len(sweep.units) > 1
    assert all(str(question(unit)) == unit for unit in sweep.units[:: len(sweep.units) // 20 + 1])
    assert callable(reducer_of(sweep))


@pytest.mark.parametrize("name", ["farkle-best", "farkle-best-needed"])
def test_the_blocks_of_farkle_best_cover_all_numbers_of_two_kinds_of_dice(name):
    """Each pair of numbers of weighted and favourable dice among six, once."""
    pairs = []
    for asked in map(question, define(name).units):
        held, left_out = (
            Counter(map(str, dice.dice)) if dice else Counter()
            for dice in (asked.hold, asked.without)
        )
        assert held.keys() | left_out.keys() == {"weighted", "favourable"}
        assert not held.keys() & left_out.keys()
        pairs.append((held["weighted"], held["favourable"]))
    assert sorted(pairs) == [(w, f) for w in range(7) for f in range(7) if w + f <= 6]


def test_the_optima_of_the_built_in_sweep_go_to_100_rounds():
    assert [question(unit).rounds for unit in define("swe-optimum").units] == [
        10, 20, 30, 40, 50, 60, 70, 80, 90, 100
    ]  # fmt: skip


@given(
    st.text(), st.lists(st.text(min_size=1), min_size=1, unique=True), st.sampled_from(["rows", ""])
)
def test_a_written_sweep_reads_back(name, units, reducer):
    sweep = Sweep(name, tuple(units), reducer)
    assert Sweep.read(sweep.text()) == sweep


def test_rows_have_the_answers_and_their_common_conventions(tmp_path):
    sweep = Sweep("four", tuple(f"risk win {a} 2" for a in (3, 4, 5, 6)))
    store = Store(tmp_path / "store")

    def answered(unit, value, conventions):
        report = Report(unit, [Quantity(whole("size", "its size"), value)],
                        provenance=Provenance("", conventions=conventions))  # fmt: skip
        store.add([StoredAnswer(unit, UnitStatus.ANSWERED, document_of(report))])

    answered(sweep.units[0], 7, {"ties": "defender", "dice": "6", "blank": ""})
    answered(sweep.units[2], 8, {"ties": "defender", "dice": "8", "blank": ""})
    store.add([StoredAnswer(sweep.units[1], UnitStatus.RAISED, b"ValueError: no")])
    report = rows(sweep, store)
    (table,) = report.tables
    assert list(table.rows) == [
        (3, 7, "answered", None), (4, None, "raised", "ValueError: no"), (5, 8, "answered", None)
    ]  # fmt: skip
    assert report.provenance.conventions == {
        "ties": "defender", "order": "that of the sweep", "answers": "3 of 4 questions"
    }  # fmt: skip


def test_parts_are_merged_when_all_are_answered(tmp_path):
    sweep = Sweep("half", ("risk win 4 2", "risk win 3 2"))
    with pytest.raises(InputError, match="got 'risk win 4 2'; expected a sweep without unanswered"):
        list(stored_reports(sweep, Store(tmp_path / "store")))

    for outcome in (UnitStatus.RAISED, UnitStatus.DIED):  # an error is no answer
        store = Store(tmp_path / outcome)
        store.add([StoredAnswer(sweep.units[0], outcome, b"no")])
        with pytest.raises(
            InputError, match="got 'risk win 4 2'; expected a sweep without unanswered"
        ):
            list(stored_reports(sweep, store))
    store = Store(tmp_path / "answered")
    documents = {unit: document_of(Report(unit, [], failure="no" * n))
                 for n, unit in enumerate(sweep.units)}  # fmt: skip
    statuses = zip(sweep.units[::-1], (UnitStatus.FAILED, UnitStatus.ANSWERED), strict=True)
    answers = [StoredAnswer(unit, status, documents[unit]) for unit, status in statuses]
    store.add(answers)
    assert list(map(document_of, stored_reports(sweep, store))) == list(documents.values())


def test_the_census_takes_every_hand_of_every_bag_once():
    """Bags are counted here: all dice of four faces, and each mean of six or more dice."""
    counts = Counter(
        (faces, sum(die))
        for faces in (5, 6)
        for die in combinations_with_replacement(range(1, faces + 1), faces)
    )
    hands = {bag: comb(dice, 3) for bag, dice in counts.items() if dice >= 6}
    hands[4, None] = comb(comb(4 + 4 - 1, 4), 3)
    taken, order = {}, []
    for asked in map(question, define("fatestones-census").units):
        bag = asked.faces, asked.total
        order += [bag] if bag not in taken else []
        assert asked.first == taken.get(bag, -1) + 1
        taken[bag] = asked.last
    assert {bag: last + 1 for bag, last in taken.items()} == hands
    assert next(bag for bag in order if bag[0] == 6) == (6, 21)  # the bag of the game before others


@pytest.mark.parametrize("kind", ["greatest", "least"])
def test_rows_are_sorted_by_a_quantity_then_in_the_order_of_the_sweep(kind, tmp_path):
    sweep, store = Sweep("six", tuple(f"risk win {a} 2" for a in range(2, 8))), Store(tmp_path)
    sizes = [5, 7, None, 5, 9, 7]
    halves = [mpq(1, 2), None, mpq(1, 3), mpq(1, 2), mpq(7, 2), mpq(-1)]
    bounds = [(1, 4), (2, 3), (1, 5), None, (1, 4), (0, 9)]
    for unit, size, half, ends in zip(sweep.units, sizes, halves, bounds, strict=True):
        known = [(whole, "size", size), (exact, "half", half),
                 (enclosed, "bounds", ends and Enclosure(*map(mpq, ends)))]  # fmt: skip
        quantities = [Quantity(make(name, "it"), value) for make, name, value in known
                      if value is not None]  # fmt: skip
        store.add([StoredAnswer(unit, UnitStatus.ANSWERED, document_of(Report(unit, quantities)))])
    for name, values in (("size", sizes), ("half", halves), ("bounds", bounds)):
        there = [place for place, value in enumerate(values) if value is not None]
        lacking = [place for place, value in enumerate(values) if value is None]
        # the sign turns the order round, and a sort keeps equal ones as they come
        sign = -1 if kind == "greatest" else 1
        parts = [value if isinstance(value, tuple) else (value,) for value in values]
        there.sort(key=lambda place: tuple(sign * part for part in parts[place]))
        report = read_reducer(f"{kind} {name}")(sweep, store)
        assert report.tables[0].cells("attackers") == [place + 2 for place in there + lacking]
        assert f"by {name}, the {kind} first" in report.provenance.conventions["order"]
    with pytest.raises(
        InputError, match=f"got {kind} title; expected {kind} and then one of attackers, size, h"
    ):
        read_reducer(f"{kind} title")(sweep, store)


def test_fields_in_which_questions_differ_are_written_as_in_their_commands(tmp_path):
    store = Store(tmp_path)

    def shown(*units):
        documents = {unit: document_of(Report(unit, [])) for unit in units}
        store.add([StoredAnswer(unit, UnitStatus.ANSWERED, documents[unit]) for unit in units])
        (table,) = rows(Sweep("some", units), store).tables
        return [column.name for column in table.columns], list(table.rows)

    many = ("risk campaign 9 2", "risk campaign 9 3 1 2")
    assert shown(*many) == (["territories"], [("2",), ("3 1 2",)])
    lacking = ("risk win 9 2", "risk win 9 2 --attacker-bonus 1,0")
    assert shown(*lacking) == (["attacker_bonus"], [(None,), ("1,0",)])
    some = ("risk win 9 2", "risk win 9 2 --stop-below 3")  # words where not all are numbers
    assert shown(*some) == (["stop_below"], [(None,), ("3",)])
    assert shown(lacking[1]) == (["question"], [(lacking[1],)])
    assert shown(many[0], lacking[0]) == (["question"], [(many[0],), (lacking[0],)])


def test_reports_count_outcomes_and_list_twenty_problems(tmp_path):
    store, of_old = Store(tmp_path / "store"), Store(tmp_path / "store", "old code")
    sweep = Sweep("all", tuple(f"unit {n}" for n in range(30)), "rows")
    kinds = [UnitStatus.ANSWERED] * 4 + [UnitStatus.FAILED] * 3 + [UnitStatus.RAISED] * 8
    kinds += [UnitStatus.DIED] * 9
    failed = document_of(Report("checked", [], failure="the check failed"))
    documents = {UnitStatus.ANSWERED: document_of(Report("one", [])), UnitStatus.FAILED: failed,
                 UnitStatus.RAISED: b"no dice", UnitStatus.DIED: b"it ended"}  # fmt: skip
    units = sweep.units[::-1]  # the last six are not there
    store.enter(sweep)
    store.add([StoredAnswer(unit, kind, documents[kind], 10 + place)
               for place, (unit, kind) in enumerate(zip(units, kinds, strict=False))])  # fmt: skip
    of_old.add([StoredAnswer("unit 0", UnitStatus.ANSWERED, documents[UnitStatus.ANSWERED])])
    store.refresh()
    took = sum(range(10, 10 + 24))
    report = progress_report(sweep, store)
    assert {quantity.column.name: quantity.value for quantity in report.quantities} == {
        "questions": 30, "answered": 4, "failed": 3, "raised": 8, "died": 9, "missing": 6,
        "took": took,
    }  # fmt: skip
    assert report.failure == "of 30 questions 3 failed, 8 raised, 9 died"
    words = {UnitStatus.FAILED: "the check failed", UnitStatus.RAISED: "no dice",
             UnitStatus.DIED: "it ended"}  # fmt: skip
    wrong = [(unit, str(kind), words[kind])
             for unit, kind in zip(units, kinds, strict=False) if kind in words][::-1]  # fmt: skip
    problems = report.table("problems")
    assert (list(problems.rows), problems.title) == (wrong, "Problems")  # all twenty
    status = status_report(store)
    assert list(status.table("sweeps").rows) == [
        (sweep.key[:12], "all", "rows", 30, 4, 20, 6, took)
    ]  # fmt: skip
    assert sorted(status.table("code").rows) == sorted(
        [(store.made_by, 24, True), ("old code", 1, False)]
    )
    store.add([StoredAnswer("unit 0", UnitStatus.RAISED, b"no dice")])
    problems = progress_report(sweep, store).table("problems")
    assert list(problems.rows) == [("unit 0", "raised", "no dice"), *wrong[:19]]
    assert problems.title == "Problems: the first 20"


TEXT = UnitStatus.ANSWERED


def answered(unit, document=None):
    return StoredAnswer(unit, TEXT, document or document_of(report(unit)), 7)


@pytest.fixture
def home(tmp_path):
    return tmp_path / "store"


def packs(home):
    return list((home / "packs").iterdir())


def test_answers_are_there_for_whoever_opens_the_store_next(home):
    units = [f"unit {n}" for n in range(20)]
    store = Store(home)
    store.add([answered(unit) for unit in units[:7]])
    store.add([answered(unit) for unit in units[7:]])
    again = Store(home)
    for unit in units:
        assert again.report(unit).value("digest") == digest(unit)
        assert again.answer(unit) == store.answer(unit)
        assert again.took(unit) == 7
    assert again.outcome("unit 20") is None
    assert len(packs(home)) == 2


def test_a_store_finds_packs_of_another_process(home):
    mine, yours = Store(home), Store(home)
    yours.add([answered("unit 1")])
    assert mine.outcome("unit 1") is None
    assert mine.refresh() == ["unit 1"]
    assert mine.report("unit 1") == yours.report("unit 1")


def test_answers_of_other_code_are_kept_apart(home):
    old = Store(home, "0.0.1 sources of old")
    old.add([answered("unit 1", b"what the old code said")])
    new = Store(home)
    assert new.outcome("unit 1") is None
    with pytest.raises(InputError, match="a unit with a stored answer"):
        new.answer("unit 1")
    new.add([answered("unit 1")])
    assert Store(home).report("unit 1").value("digest") == digest("unit 1")
    assert (
        Store(home, "0.0.1 sources of old").answer("unit 1").document == b"what the old code said"
    )
    assert Store(home).makers() == {"0.0.1 sources of old": 1, identity(): 1}


@pytest.mark.parametrize("place", [0, 100, -1])
def test_a_changed_byte_is_noticed(home, place):
    Store(home).add([answered("unit 1"), answered("unit 2")])
    (pack,) = packs(home)
    content = bytearray(pack.read_bytes())
    content[place] ^= 1
    pack.write_bytes(content)
    with pytest.raises(OutputError, match=f"{pack.name} is damaged or was not written by"):
        Store(home)
    pack.unlink()
    assert Store(home).outcome("unit 1") is None


def test_a_truncated_pack_is_detected(home):
    Store(home).add([answered("unit 1")])
    (pack,) = packs(home)
    os.truncate(pack, 50)
    with pytest.raises(OutputError, match="is damaged"):
        Store(home)


def test_a_stranger_among_the_packs_is_noticed(home):
    Store(home)
    (home / "packs" / "notes.txt").write_text("mine")
    with pytest.raises(OutputError, match=r"notes.txt is damaged or was not"):
        Store(home)


def test_two_different_answers_to_one_question_are_rejected(home):
    one, other = Store(home), Store(home)
    one.add([answered("unit 1")])
    other.add([answered("unit 1", b"another\n")])
    with pytest.raises(OutputError, match="answer 'unit 1' differently"):
        one.refresh()
    with pytest.raises(OutputError, match="answer 'unit 1' differently"):
        Store(home)


def test_the_same_answer_twice_is_one(home):
    one, other = Store(home), Store(home)
    one.add([answered("unit 1"), answered("unit 2")])
    other.add([answered("unit 2")])
    assert Store(home).outcome("unit 2") is TEXT


def test_an_answer_takes_the_place_of_an_error_and_not_the_other_way_round(home):
    store = Store(home)
    store.add([StoredAnswer("unit 1", UnitStatus.RAISED, b"no")])
    store.add([answered("unit 1")])
    store.add([StoredAnswer("unit 1", UnitStatus.DIED, b"gone")])
    assert store.outcome("unit 1") is TEXT
    assert Store(home).outcome("unit 1") is TEXT


def test_a_folder_with_other_files_is_not_changed(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(OutputError, match=r"contains thesis\.tex and is not"):
        Store(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_store_of_another_version_is_rejected(home):
    Store(home)
    (home / "SWEEPS.json").write_text(json.dumps({"format": "exactdice sweep store 2"}))
    with pytest.raises(OutputError, match="is of another version"):
        Store(home)


def test_sweeps_are_found_by_name_and_by_the_beginning_of_their_key(home):
    store = Store(home)
    one, two = Sweep("one", ("unit 1",)), Sweep("two", ("unit 1", "unit\n2"))
    store.enter(one)
    assert store.sweep_named() == one
    store.enter(two)
    store.enter(two)
    assert store.sweeps() == [one, two]
    assert store.sweep_named("two") == store.sweep_named(two.key[:6]) == two
    for name in ("", "three"):
        with pytest.raises(InputError, match=rf"{one.key[:12]} \(one\); {two.key[:12]} \(two\)"):
            store.sweep_named(name)
