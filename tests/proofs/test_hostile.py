"""Hostile certificates: rejected with a reason, never a crash, never a long wait."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from checker import FOLDER, ROOT, check, document_of
from finders import fatestones as claims_about_fatestones
from hypothesis import given
from hypothesis import strategies as st

NAME = "reroll.best-score"


def raw(document):
    return check.canonical(document).encode()


def reason(content):
    start = time.process_time()
    with pytest.raises(check.Rejected) as rejected:
        check.check(content)
    # What is derived for a true one takes up to 5 s; a number as large as it is written, hours.
    assert time.process_time() - start < 60
    return str(rejected.value)


TRUE = (FOLDER / f"{NAME}.json").read_bytes()


def test_the_true_one_is_accepted():
    assert check.check(TRUE) == json.loads(TRUE)


def test_every_truncation_is_rejected():
    assert all(reason(TRUE[:end]) for end in range(len(TRUE)))


def test_other_spacing_order_and_escapes_are_rejected():
    document = json.loads(TRUE)
    backwards = dict(reversed(document.items()))
    for text in (
        json.dumps(document),
        json.dumps(backwards, indent=1) + "\n",
        TRUE.decode() + "\n",
        TRUE.decode().replace("search", "\\u0073earch"),
        TRUE.decode().replace(": 18", ": 18 "),
    ):
        assert "canonical" in reason(text.encode())


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"", "JSONDecodeError"),
        (b"\xff\xfe", "not ASCII"),
        (b"[" * 100_000, "nested deeper"),
        (b'{"a":' * 100_000, "nested deeper"),
        (b"]" * 100_000, "JSONDecodeError"),
        (b'{"a": "' + b"]" * 200_000 + b'", "b": ' + b"[" * 100_000, "nested deeper"),
        (b"9" * 4_000_000, "no whole number"),
        (b"-" + b"9" * 5000, "no whole number"),
        (b"1e999999999", "no whole number"),
        (b"NaN", "no whole number"),
        (b"-Infinity", "no whole number"),
        (b"1.0", "no whole number"),
        (b'{"a": 1, "a": 1}', "a key twice"),
        (b" " * 5_000_001, "more than"),
        (b'"' + b'\\"' * 2_000_000, "JSONDecodeError"),
        (b"null\n", "the keys must be"),
        (b'"\\ud800"\n', "the keys must be"),
    ],
    ids=lambda part: str(part[:12]),
)
def test_malformed_text_is_rejected_at_once(text, why):
    assert why in reason(text)


def with_evidence(claim, **evidence):
    document = document_of(claim)
    return raw(document | {"evidence": document["evidence"] | evidence})


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("1/0", "no rational"),
        ("0/1", "lowest terms"),
        ("2/4", "lowest terms"),
        ("-0", "lowest terms"),
        ("+1/2", "no rational"),
        ("1/-2", "no rational"),
        ("1e5", "no rational"),
        ("0.5", "no rational"),
        ("nan", "no rational"),
        ("1_0/11", "no rational"),
        ("١/٢", "not ASCII|no rational"),
        ("9" * 201, "too long"),
        (1, "no text"),
        (None, "no text"),
        (["1/2"], "no text"),
        ("0", "no Bellman equation"),
    ],
)
def test_a_bad_rational_is_rejected(value, why):
    (roll, _), *others = document_of("reroll.theta")["evidence"]["values"]
    given_reason = reason(with_evidence("reroll.theta", values=[[roll, value], *others]))
    assert any(part in given_reason for part in why.split("|"))


def test_a_link_is_no_certificate(tmp_path):
    link = tmp_path / f"{NAME}.json"
    link.symlink_to(FOLDER / f"{NAME}.json")
    with pytest.raises(check.Rejected, match="no plain file"):
        check.plain(link)


def test_a_file_without_end_is_not_read_to_its_end(tmp_path, monkeypatch):
    # A device that says of itself that it is a plain file, as some file systems do.
    monkeypatch.setattr(type(tmp_path), "is_file", lambda path: True)
    with pytest.raises(check.Rejected, match="more than 5000000 bytes"):
        check.plain(Path("/dev/zero"))


def test_an_unknown_claim_is_refused_before_any_work(monkeypatch):
    monkeypatch.setattr(check, "found_for", lambda *_: pytest.fail("worked for nothing"))
    for claim in ("swe.concave", "swe", "chess.mate", ["swe"], None, 7):
        assert reason(raw(json.loads(TRUE) | {"claim": claim}))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_does_not_hang_the_checker(tmp_path):
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(check.Rejected, match="no plain file"):
        check.plain(tmp_path / "pipe.json")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.just("1/2"),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=12,
)
WITNESSED = sorted(name for name, of in check.TABLE.items() if of.asks_evidence)


@given(st.binary(max_size=200))
def test_random_bytes_are_rejected(content):
    assert reason(content)


@given(st.sampled_from(check.KEYS), JSON)
def test_random_parts_are_rejected(key, part):
    document = document_of(NAME)
    if part != document[key] and key != "package":
        assert reason(raw(document | {key: part}))


@pytest.mark.slow
@given(st.sampled_from(WITNESSED), st.data())
def test_random_witnesses_are_rejected(claim, data):
    evidence = document_of(claim)["evidence"]
    key = data.draw(st.sampled_from(sorted(evidence)))
    part = data.draw(JSON)
    if part != evidence[key] or isinstance(part, bool):
        assert reason(with_evidence(claim, **{key: part}))


@pytest.mark.slow
@given(st.sampled_from(WITNESSED), st.integers(0, 10**9))
def test_flipped_bytes_are_rejected(claim, number):
    content = bytearray((FOLDER / f"{claim}.json").read_bytes())
    at = 60 + number % (len(content) - 60)  # behind the id, which decides what is derived
    content[at] ^= 1 << number % 8
    if b'"package": "exactdice 0.1.0"' in content:
        assert reason(bytes(content))


@pytest.mark.parametrize("package", ["exactdice 0." + "0" * 1000, "exactdice 1", "other 0.1.0"])
def test_the_package_has_a_short_version(package):
    assert reason(raw(json.loads(TRUE) | {"package": package}))


def test_long_strategies_take_no_long_time():
    # Their sum alone would take minutes.
    games = document_of("fatestones.mixed")["evidence"]["games"]
    name, (_, *others) = min(games.items())
    long = [f"1/{10**180 + 2 * i + 1}" for i in range(20_000)]
    found = reason(with_evidence("fatestones.mixed", games=games | {name: [long, *others]}))
    assert "no strategies of this game" in found


def test_a_first_choice_that_is_optimal_for_sure_is_noticed(monkeypatch):
    # No saddle point, but 111666 earns 0 for sure, and no mixture earns more.
    hands = ("111666", "122466", "133455"), ("113466", "123456", "224445")
    row, column = (tuple(tuple(map(int, die)) for die in hand) for hand in hands)
    monkeypatch.setattr(claims_about_fatestones, "_first_mixed", lambda: (row, column))
    evidence = claims_about_fatestones._mixed().evidence
    assert evidence["value"] == "0"
    assert "optimal for sure" in reason(with_evidence("fatestones.mixed", **evidence))


@pytest.mark.parametrize("text", ["\ud800", "\x1b[2K\rproved: all"])
def test_what_a_certificate_says_is_printed_harmlessly(text, tmp_path, capsys):
    (roll, _), *others = document_of("reroll.theta")["evidence"]["values"]
    path = tmp_path / "reroll.theta.json"
    path.write_bytes(with_evidence("reroll.theta", values=[[roll, text], *others]))
    assert check.main([str(path)]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("REJECTED: reroll.theta.json: no rational in lowest terms: \\")
    assert line.isascii()
    assert line.isprintable()


def test_the_program_says_why_and_fails(tmp_path):
    bad = tmp_path / f"{NAME}.json"
    bad.write_bytes(TRUE.replace(b": 18", b": 17"))
    run = subprocess.run(
        [sys.executable, "-I", "-S", str(ROOT / "proofs" / "check.py"), str(bad)],
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )
    assert run.returncode == 1
    assert run.stdout == f"REJECTED: {NAME}.json: evidence: not what is found here\n"
    assert run.stderr == ""


@pytest.mark.parametrize("claim", ["reroll.optimal-play", "reroll.theta"])
def test_long_rationals_everywhere_take_no_long_time(claim):
    evidence = document_of(claim)["evidence"]
    name = "states" if claim == "reroll.optimal-play" else "values"
    long = [
        [entry[0], f"{10**99 + 2 * i}/{10**98 + 3}", *entry[2:]]
        for i, entry in enumerate(evidence[name])
    ]
    assert reason(with_evidence(claim, **{name: long}))
