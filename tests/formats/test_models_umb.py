"""UMB files: written models are read back; errors name the array."""

import gzip
import io
import json
import lzma
import re
import struct
import tarfile
import tracemalloc
from functools import partial

import pytest
from gmpy2 import mpq
from hypothesis import HealthCheck, given, settings
from model_oracles import go, refuses, tables

from exactdice import memory
from exactdice.dice import Distribution, fair
from exactdice.errors import TooLargeError
from exactdice.formats.explicit import explicit
from exactdice.formats.reading import FormatError
from exactdice.formats.umb import read_umb, umb_bytes
from exactdice.models import Choice, End, Game, optimum

same_folder = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


def walk():
    def moves(at):
        if at >= 3:
            return End("-1/3")
        return [Choice("step", -1, fair(2).map(lambda f: at + f)), go("stäy", 3)]

    return Game(0, moves).explored()


def written(folder, model):
    path = folder / "model.umb"
    path.write_bytes(umb_bytes(model))
    return read_umb(path)


@pytest.mark.slow
@given(tables(players=1, ends=False))
@same_folder
def test_models_survive_the_way_through_umb(tmp_path, table):
    model = Game(0, table.__getitem__).explored()
    assert written(tmp_path, model) == explicit(model)


@given(tables(players=2, ends=True))
@same_folder
def test_games_of_two_survive_the_way_through_umb(tmp_path, table):
    model = Game(0, table.__getitem__).explored()
    read = written(tmp_path, model)
    assert read == explicit(model, most_players=2)
    assert optimum(read.model()).value == optimum(read.game().explored()).value
    assert optimum(read.model()).value == optimum(model).value


@given(tables(players=1, ends=True, turns=True))
@same_folder
def test_games_from_each_side_survive_the_way_through_umb(tmp_path, table):
    model = Game(0, table.__getitem__).explored()
    best = optimum(written(tmp_path, model).model())
    assert best.value == optimum(model).value
    best.certificate().check(best.model.game)


def test_long_numbers_and_names_survive(tmp_path):
    long = mpq(-(3**200), 2**300)
    model = Game(0, lambda n: [go("tausend…", 1, long)] if n == 0 else End(1))
    read = written(tmp_path, model.explored())
    assert read.rows[0][0].reward == long
    assert read.rows[0][0].action == "tausend…"
    assert umb_bytes(model.explored()) == umb_bytes(model.explored())
    rare = mpq(1, 3**60)
    law = Distribution.from_probabilities({1: rare, 2: 1 - rare})
    model = Game(0, lambda n: law if n == 0 else End(0)).explored()
    assert written(tmp_path, model) == explicit(model)
    change = put(
        "branch-to-probability.bin", lambda chances: b"\x02" + chances[1:]
    )  # for 1 in 3^60
    with pytest.raises(FormatError, match="for choice 0; expected numbers ≥ 0"):
        read_umb(changed(tmp_path / "model.umb", change, model))


def test_arrays_and_index_follow_the_specification():
    # By hand: one half is numerator 1 and denominator 2, 64 bits each, little-endian.
    with tarfile.open(fileobj=io.BytesIO(umb_bytes(walk()))) as archive:
        assert archive.getnames()[0] == "index.json"
        content = {name: archive.extractfile(name).read() for name in archive.getnames()}
    assert content["branch-to-probability.bin"][:16] == bytes([1] + [0] * 7 + [2] + [0] * 7)
    assert content["state-is-initial.bin"] == bytes([1] + [0] * 7)
    assert content["annotations/aps/done/states/values.bin"] == bytes([32] + [0] * 7)
    offsets = [
        int.from_bytes(content["state-to-choices.bin"][8 * n :][:8], "little") for n in range(4)
    ]
    assert offsets == [0, 2, 4, 6]
    # By hand, from the specification: three states with two choices, three terminal states.
    index = json.loads(content["index.json"])
    assert (index["format-version"], index["format-revision"]) == (1, 0)
    assert index["transition-system"] == {
        "time": "discrete", "#players": 1, "#states": 6, "#initial-states": 1,
        "#choices": 3 * 2 + 3, "#choice-actions": len({"step", "stäy", "end"}),
        "#branches": 3 * (2 + 1) + 3, "#branch-actions": 0, "#observations": 0,
        "branch-probability-type": {"type": "rational", "size": 128}}  # fmt: skip
    done = {"alias": "done", "applies-to": ["states"], "type": {"type": "bool", "size": 1}}
    assert index["annotations"]["aps"] == {"done": done}


def changed(path, change, model=None):
    with tarfile.open(fileobj=io.BytesIO(umb_bytes(model or walk()))) as archive:
        arrays = {name: archive.extractfile(name).read() for name in archive.getnames()}
    change(arrays)
    with tarfile.open(path, "w:gz") as archive:
        for name, content in arrays.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return path


def in_index(old, new):
    def change(arrays):
        before = arrays["index.json"].decode()
        assert old in before
        arrays["index.json"] = before.replace(old, new, 1).encode()

    return change


def put(name, content):
    return lambda arrays: arrays.update({name: content(arrays[name])})


@pytest.mark.parametrize(("change", "message"), [
    (lambda a: a.pop("index.json"), "index.json: is missing or wrong"),
    (lambda a: a.pop("branch-to-target.bin"), "branch-to-target.bin: got no such array"),
    (lambda a: a.pop("state-to-choices.bin"), "state-to-choices.bin: got no such array"),
    (put("branch-to-target.bin", lambda b: b[:-8]), "branch-to-target.bin: got 88 bytes;"),
    (put("branch-to-target.bin", lambda b: b"\x09" + b[1:]), "got 9; expected numbers below 6"),
    (put("state-to-choices.bin", lambda b: b"\x01" + b[1:]), "got offsets out of order"),
    (put("branch-to-probability.bin", lambda b: b"\x02" + b[1:]), "for choice 0; expected"),
    (put("branch-to-probability.bin", lambda b: b[:8] + b"\x00" + b[9:]), "a denominator 0"),
    (put("branch-to-probability.bin", lambda b: b"\xff" * 8 + b[8:16] + b"\x03" + b[17:]),
     "for choice 0; expected"),
    (in_index('"rewards": {', '"rewards": 7, "others": {'), "annotations rewards of another"),
    (put("state-is-initial.bin", lambda b: b"\x03" + b[1:]), "2 initial states [0, 1]; expected"),
    (put("actions/choices/strings.bin", lambda b: b"\xff" + b[1:]), "got no UTF-8"),
    (in_index('"#states": 6', '"#states": 7'), "state-to-choices.bin: got 56 bytes; expected 64"),
    (in_index('"#states": 6', '"#states": "6"'), "got #states '6'; expected a whole number"),
    (in_index('"#players": 1', '"#players": 3'), "got #players 3; expected (0, 1, 2)"),
    (in_index('"format-version": 1', '"format-version": 2'), "got format-version 2; expected"),
    (in_index('"discrete"', '"stochastic"'), "got time stochastic"),
    (in_index('"rational"', '"interval"'), "expected type rational or double; intervals"),
    (in_index('"choices"', '"players"'), "rewards of ['players']; expected states"),
    (in_index('"choices"', '"choices", "choices"'), "['choices', 'choices']; expected states"),
    (in_index('"alias": "done"', '"alias": "init"'), "aps/done/states/values.bin: got")
])  # fmt: skip
def test_bad_umb_files_are_rejected_with_the_array(tmp_path, change, message):
    path = changed(tmp_path / "model.umb", change)
    refuses(FormatError, re.escape(message), read_umb, path)


def test_impossible_counts_are_rejected_before_allocation(tmp_path):
    def change(arrays):
        del arrays["state-to-choices.bin"]
        in_index('"#states": 6', f'"#states": {10**15}')(arrays)
        in_index('"#choices": 9', f'"#choices": {10**15}')(arrays)

    with pytest.raises(FormatError, match="expected at least one branch per choice"):
        read_umb(changed(tmp_path / "model.umb", change))


def test_a_umb_file_that_is_cut_short_is_refused(tmp_path):
    whole = umb_bytes(walk())
    path = tmp_path / "cut.umb"
    last = max(whole.rfind(b"\x01"), whole.rfind(b"\x02"), whole.rfind(b" ")) + 1
    for length in range(0, last, 512):
        path.write_bytes(whole[:length])
        refuses(FormatError, r"cut\.umb", read_umb, path)
    refuses(FormatError, "file not found", read_umb, tmp_path / "none.umb")


@pytest.mark.slow
@pytest.mark.parametrize("is_summed", [False, True])
def test_damaged_archive_headers_are_rejected_or_harmless(tmp_path, is_summed):
    model, path = walk(), tmp_path / "model.umb"
    whole = umb_bytes(model)
    for place in range(512):
        for byte in b"\x00 79\xff":
            header = bytearray(whole[:512])
            header[place] = byte
            if is_summed:
                header[148:156] = b" " * 8
                header[148:156] = b"%06o\x00 " % sum(header)
            path.write_bytes(header + whole[512:])
            said = ""
            try:
                assert read_umb(path).rows == explicit(model).rows
            except FormatError as refusal:
                said = str(refusal)
            assert "\n" not in said


def test_optional_arrays_may_be_missing(tmp_path):
    def change(arrays):
        for name in ("values", "string-mapping", "strings"):
            del arrays[f"actions/choices/{name}.bin"]
        in_index('"#choice-actions": 3', '"#choice-actions": 0')(arrays)

    read = read_umb(changed(tmp_path / "model.umb", change))
    assert [row.action for row in read.rows[1]] == ["2", "3"]
    chain = Game(0, lambda n: fair(2).map(lambda f: n + f) if n < 3 else End(0)).explored()
    path = changed(tmp_path / "model.umb", lambda a: a.pop("state-to-choices.bin"), chain)
    assert read_umb(path) == explicit(chain)


def test_rewards_of_states_apply_to_each_choice_and_add_up(tmp_path):
    def change(arrays):
        in_index('"choices"', '"states"')(arrays)
        [name] = [name for name in arrays if name.startswith("annotations/rewards/")]
        del arrays[name]
        numbers = (number.to_bytes(8, "little") for state in range(6) for number in (state, 1))
        arrays[name.replace("choices", "states")] = b"".join(numbers)

    rows = read_umb(changed(tmp_path / "model.umb", change)).rows
    assert [{row.reward for row in listed} for listed in rows] == [{n} for n in range(6)]
    assert len(rows[0]) == 2

    def change(arrays):
        index = json.loads(arrays["index.json"])
        index["annotations"]["rewards"]["reward"]["applies-to"] = ["states", "choices"]
        arrays["index.json"] = json.dumps(index).encode()
        paid = b"".join(fraction(state, 1) for state in range(6))
        arrays[REWARDS.replace("choices", "states")] = paid

    rows = read_umb(changed(tmp_path / "model.umb", change)).rows
    assert [[row.reward for row in listed] for listed in rows] == [
        [row.reward + state for row in listed] for state, listed in enumerate(explicit(walk()).rows)
    ]


def fraction(over, under, words=1):
    return over.to_bytes(8 * words, "little", signed=True) + under.to_bytes(8 * words, "little")


REWARDS = "annotations/rewards/reward/choices/values.bin"


def test_fractions_of_any_number_of_words_are_read(tmp_path):
    # denominators are unsigned: 2⁶³ and 2⁶⁴ − 1 exceed all signed numbers
    paid = [mpq(-(2**63), 1), mpq(2**63 - 1, 2**63), mpq(-1, 2**64 - 1), mpq(0, 1)]
    content = b"".join(fraction(int(p.numerator), int(p.denominator)) for p in paid)
    path = changed(tmp_path / "model.umb", put(REWARDS, lambda b: content + b[len(content) :]))
    rows = [row for listed in read_umb(path).rows for row in listed]
    assert [row.reward for row in rows[:4]] == paid
    assert rows[4:] == [row for listed in explicit(walk()).rows for row in listed][4:]
    for words in (2, 3):

        def change(arrays, words=words):
            whole = arrays[REWARDS]
            numbers = [struct.unpack_from("<qQ", whole, at) for at in range(0, len(whole), 16)]
            arrays[REWARDS] = b"".join(fraction(over, under, words) for over, under in numbers)
            index = json.loads(arrays["index.json"])
            index["annotations"]["rewards"]["reward"]["type"]["size"] = 128 * words
            arrays["index.json"] = json.dumps(index).encode()

        assert read_umb(changed(tmp_path / "model.umb", change)) == explicit(walk())


@pytest.mark.parametrize("size", [0, -128, 64, 127, 192, 128.0, "128", None])
def test_other_sizes_of_numbers_are_rejected(tmp_path, size):
    def change(arrays):
        index = json.loads(arrays["index.json"])
        index["transition-system"]["branch-probability-type"]["size"] = size
        arrays["index.json"] = json.dumps(index).encode()

    path = changed(tmp_path / "model.umb", change)
    refuses(
        FormatError, "index.json: got numbers of type .* expected type rational", read_umb, path
    )


def test_integers_must_be_below_their_bounds(tmp_path):
    name = "state-to-choices.bin"
    for most, wanted in ((2**62 - 1, "offsets that rise from 0 to 9"), (2**62, f"below {2**62}")):
        change = put(name, lambda b, n=most: b[:8] + n.to_bytes(8, "little") + b[16:])
        path = changed(tmp_path / "model.umb", change)
        refuses(FormatError, rf"{name}: got .* expected .*{wanted}$", read_umb, path)
    path = changed(path, put(name, lambda b: b[:-8] + (8).to_bytes(8, "little")))
    refuses(FormatError, "got offsets out of order; expected offsets that rise", read_umb, path)


def test_equal_branches_are_joined_and_zero_ones_dropped(tmp_path):
    """By hand: halves to 1 and 2 become 1 to 1, as two branches or with one of probability 0."""
    first, chance = b"".join(n.to_bytes(8, "little") for n in (1, 1)), "branch-to-probability.bin"
    chances = {
        "half and half": put("branch-to-target.bin", lambda b: first + b[16:]),
        "all and nothing": put(chance, lambda b: fraction(1, 1) + fraction(0, 1) + b[32:]),
        "in lower terms": put(chance, lambda b: fraction(3, 6) + fraction(4, 8) + b[32:]),
    }
    for how, change in chances.items():
        rows = read_umb(changed(tmp_path / "model.umb", change)).rows
        halves = {1: mpq(1, 2), 2: mpq(1, 2)}
        assert rows[0][0].chances == (halves if how == "in lower terms" else {1: 1})
        assert [r.chances for listed in rows for r in listed][1:] == [
            r.chances for listed in explicit(walk()).rows for r in listed
        ][1:]


@pytest.mark.parametrize(("paid", "size"), [
    (mpq(2**63 - 1), 128), (mpq(2**63), 256), (mpq(1 - 2**63), 128), (mpq(-1, 2**64 - 1), 128),
    (mpq(1, 2**64), 256), (mpq(2**127 - 1), 256), (mpq(2**127), 384), (mpq(1, 2**128 - 1), 256)
])  # fmt: skip
def test_fractions_use_the_smallest_size(tmp_path, paid, size):
    model = Game(0, lambda n: None if n else [go("go", 1, paid)]).explored()
    assert written(tmp_path, model).rows[0][0].reward == paid
    assert f'"size": {size}'.encode() in umb_bytes(model)


def archive_of(name, **fields):
    entry = tarfile.TarInfo(name)
    for field, value in fields.items():
        setattr(entry, field, value)
    return entry.tobuf(tarfile.GNU_FORMAT)


@pytest.mark.parametrize("fields", [
    {"type": tarfile.SYMTYPE, "linkname": "/etc/passwd"},
    {"type": tarfile.LNKTYPE, "linkname": "none"}, {"type": tarfile.FIFOTYPE},
    {"type": tarfile.GNUTYPE_SPARSE}])  # fmt: skip
def test_links_and_holes_in_an_archive_are_refused(tmp_path, fields):
    path = tmp_path / "model.umb"
    folder = archive_of("annotations", type=tarfile.DIRTYPE)
    path.write_bytes(folder + archive_of("index.json", **fields) + bytes(1024))
    refuses(FormatError, r"tar archive \(index.json is not a regular file\)", read_umb, path)


@pytest.mark.parametrize("pack", [gzip.compress, partial(lzma.compress, preset=0)])
def test_packed_files_are_unpacked_up_to_a_limit(tmp_path, monkeypatch, pack):
    monkeypatch.setattr(memory, "_BETWEEN", (1, 1000))
    # ignore memory that earlier tests have freed
    monkeypatch.setattr(memory, "memory_taken", lambda: tracemalloc.get_traced_memory()[0])
    size, path = 24 << 20, tmp_path / "zeros.umb"
    path.write_bytes(pack(bytes(size)))
    tracemalloc.start()
    try:
        refusal = pytest.raises(TooLargeError, match="more than the limit of")
        with refusal, memory.kept_within(2 << 20):
            read_umb(path)
        assert tracemalloc.get_traced_memory()[1] < size
    finally:
        tracemalloc.stop()
