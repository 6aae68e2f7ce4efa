"""The store: answers by question and code, atomic writes, detection of damage."""

import json
import os

import pytest
from askers import digest, report

from exactdice.errors import InputError, OutputError
from exactdice.sweeps import Store, StoredAnswer, Sweep, UnitStatus
from exactdice.sweeps.store import document_of, identity

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
