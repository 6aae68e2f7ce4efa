"""Hostile and changed certificates are rejected with a reason, without a crash and quickly.

A mutant is a certificate with one change, written canonically, so that only the mathematics can
reject it: every number is changed, every list and object disturbed. The numbers of mutants tried
and rejected are printed at the end of the test session.
"""

import json
import os
import re
import time
from pathlib import Path

import pytest
from checker import FOLDER, ROOT, check, document_of, documents, is_rejected, raw, run
from finders import fatestones as claims_about_fatestones
from hypothesis import given
from hypothesis import strategies as st
from meanings import DECIDING, other

from exactdice import __version__
from exactdice.arithmetic import rational, text

NAME = "reroll.best-score"


@pytest.fixture(autouse=True, scope="module")
def no_steps():
    """Do not run the steps of theorems, which other tests run."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(check.statements, "step", lambda _: None)
        yield


def reason(content):
    start = time.process_time()
    with pytest.raises(check.Rejected) as rejected:
        check.check(content)
    # Deriving a true certificate takes up to 5 s; an arbitrarily large number would take hours.
    assert time.process_time() - start < 60
    return str(rejected.value)


TRUE = (FOLDER / f"{NAME}.json").read_bytes()


def test_the_true_one_is_accepted_and_every_truncation_rejected():
    assert check.check(TRUE) == json.loads(TRUE)
    assert all(reason(TRUE[:end]) for end in range(len(TRUE)))


def test_other_spacing_order_and_escapes_are_rejected():
    document, true = json.loads(TRUE), TRUE.decode()
    backwards = json.dumps(dict(reversed(document.items())), indent=1) + "\n"
    changes = ("search", "\\u0073earch"), (": 18", ": 18 ")
    changed = [true.replace(*change) for change in changes]
    for content in (json.dumps(document), backwards, true + "\n", *changed):
        assert "canonical" in reason(content.encode())


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "JSONDecodeError"),
        (b"\xff\xfe", "not ASCII"),
        (b"[" * 100_000, "nested deeper"),
        (b'{"a":' * 100_000, "nested deeper"),
        (b"]" * 100_000, "JSONDecodeError"),
        (b'{"a": "' + b"]" * 200_000 + b'", "b": ' + b"[" * 100_000, "nested deeper"),
        *((word, "not an integer") for word in (b"9" * 4_000_000, b"-" + b"9" * 5000)),
        *((word, "not an integer") for word in (b"1e999999999", b"NaN", b"-Infinity", b"1.0")),
        (b'{"a": 1, "a": 1}', "a key twice"),
        (b" " * 5_000_001, "more than"),
        (b'"' + b'\\"' * 2_000_000, "JSONDecodeError"),
        (b"null\n", "the keys must be"),
        (b'"\\ud800"\n', "the keys must be"),
    ],
    ids=lambda part: str(part[:12]),
)
def test_malformed_text_is_rejected_at_once(content, why):
    assert why in reason(content)


def with_evidence(claim, **evidence):
    document = document_of(claim)
    return raw(document | {"evidence": document["evidence"] | evidence})


RATIONALS = {
    "not a rational": ["1/0", "+1/2", "1/-2", "1e5", "0.5", "nan", "1_0/11"],
    "lowest terms": ["0/1", "2/4", "-0"],
    "not ASCII|not a rational": ["١/٢"],
    "must be a string": ["9" * 201, 1, None, ["1/2"]],
    "Bellman equation does not hold": ["0"],
}


@pytest.mark.parametrize(
    ("value", "why"), [(value, why) for why, values in RATIONALS.items() for value in values]
)
def test_a_bad_rational_is_rejected(value, why):
    (roll, _), *others = document_of("reroll.theta")["evidence"]["values"]
    given_reason = reason(with_evidence("reroll.theta", values=[[roll, value], *others]))
    assert any(part in given_reason for part in why.split("|"))


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to(FOLDER / path.name)])
def test_a_pipe_or_link_is_rejected_at_once(make, tmp_path):
    make(tmp_path / f"{NAME}.json")
    with pytest.raises(check.Rejected, match="not a regular file"):
        check.plain(tmp_path / f"{NAME}.json")


def test_an_infinite_file_is_not_read_to_its_end(tmp_path, monkeypatch):
    # A device that claims to be a regular file, as on some file systems.
    monkeypatch.setattr(type(tmp_path), "is_file", lambda path: True)
    with pytest.raises(check.Rejected, match="more than 5000000 bytes"):
        check.plain(Path("/dev/zero"))


def test_an_unknown_claim_or_version_is_rejected_before_any_work(monkeypatch):
    monkeypatch.setattr(check, "found_for", lambda *_: pytest.fail("unnecessary work"))
    for claim in ("swe.concave", "swe", "chess.mate", ["swe"], None, 7):
        assert reason(raw(json.loads(TRUE) | {"claim": claim}))
    for package in ("exactdice 0." + "0" * 1000, "exactdice 1", "other 0.1.0"):
        assert reason(raw(json.loads(TRUE) | {"package": package}))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.just("1/2"),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=12,
)
WITNESSED = sorted(name for name, of in check.TABLE.items() if of.asks_evidence)


@given(st.binary(max_size=200), st.sampled_from(check.KEYS), JSON)
def test_random_bytes_and_parts_are_rejected(content, key, part):
    assert reason(content)
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
    at = 60 + number % (len(content) - 60)  # after the id, which determines the derivation
    content[at] ^= 1 << number % 8
    if f'"package": "exactdice {__version__}"'.encode() in content:
        assert reason(bytes(content))


def test_long_strategies_and_rationals_do_not_take_long():
    # The sum of the strategies would take minutes.
    games = document_of("fatestones.mixed")["evidence"]["games"]
    name, (_, *others) = min(games.items())
    long = [f"1/{10**180 + 2 * i + 1}" for i in range(20_000)]
    found = reason(with_evidence("fatestones.mixed", games=games | {name: [long, *others]}))
    assert "the strategies do not fit the game" in found
    for claim, name in (("reroll.optimal-play", "states"), ("reroll.theta", "values")):
        entries = enumerate(document_of(claim)["evidence"][name])
        long = [[x, f"{10**99 + 2 * i}/{10**98 + 3}", *rest] for i, (x, _, *rest) in entries]
        assert reason(with_evidence(claim, **{name: long}))


def test_a_pure_optimal_first_choice_is_detected(monkeypatch):
    # There is no saddle point, but 111666 guarantees 0, and no mixed strategy guarantees more.
    hands = ("111666", "122466", "133455"), ("113466", "123456", "224445")
    row, column = (tuple(tuple(map(int, die)) for die in hand) for hand in hands)
    monkeypatch.setattr(claims_about_fatestones, "_first_mixed", lambda: (row, column))
    evidence = claims_about_fatestones._mixed().evidence
    assert evidence["value"] == "0"
    assert "a pure first choice is optimal" in reason(with_evidence("fatestones.mixed", **evidence))


@pytest.mark.parametrize("hostile", ["\ud800", "\x1b[2K\rproved: all"])
def test_texts_of_a_certificate_are_printed_harmlessly(hostile, tmp_path, capsys):
    (roll, _), *others = document_of("reroll.theta")["evidence"]["values"]
    path = tmp_path / "reroll.theta.json"
    path.write_bytes(with_evidence("reroll.theta", values=[[roll, hostile], *others]))
    assert check.main([str(path)]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("REJECTED: reroll.theta.json: not a rational in lowest terms: \\")
    assert line.isascii()
    assert line.isprintable()


def test_the_program_prints_the_reason_and_fails(tmp_path):
    bad = tmp_path / f"{NAME}.json"
    bad.write_bytes(TRUE.replace(b": 18", b": 17"))
    line = f"REJECTED: {NAME}.json: evidence: differs from the derivation\n"
    assert run("-I", "-S", ROOT / "proofs" / "check.py", bad) == (1, line, "")


# Mutants ----------------------------------------------------------------------------------------

VERDICTS = ("proved", "refuted", "open", "verified up to 4", "verified up to 16")
RATIONAL = re.compile(r"-?[0-9]+(/[0-9]+)?")


def other_leaves(leaf):
    """Yield replacements for a number or word."""
    if leaf is None or isinstance(leaf, int):
        yield from (0, [1]) if leaf is None else (leaf + 1, leaf - 1, -leaf if leaf else None)
        yield from [bool(leaf)] if leaf in (0, 1) else ()  # equal in Python, not in JSON
    elif RATIONAL.fullmatch(leaf):
        value = rational(leaf)
        top, bottom = value.numerator, value.denominator
        for changed in (value + 1, -value, value + rational("1/1000003")):
            yield text(changed)
        yield from (f"{top}/{bottom + 1}", f"{2 * top}/{2 * bottom}")
    else:
        yield leaf + "x"
        yield DECIDING.sub(lambda token: other(token[0]), leaf, count=1)
        yield from VERDICTS if leaf in VERDICTS else ()


def mutants(content):
    """Yield every content that differs from this one in one place."""
    if isinstance(content, dict):
        for key, value in content.items():
            yield {k: v for k, v in content.items() if k != key}
            yield {**{k: v for k, v in content.items() if k != key}, f"{key}x": value}
            yield from ({**content, key: changed} for changed in mutants(value))
        yield content | {"another": 1}
    elif isinstance(content, list):
        if content and all(isinstance(value, str) and len(value) == 1 for value in content):
            yield "".join(content)  # iterating over it gives the same letters
        for i, value in enumerate(content):
            yield content[:i] + content[i + 1 :]
            yield [*content[: i + 1], *content[i:]]
            if i and value != content[i - 1]:
                yield [*content[: i - 1], value, content[i - 1], *content[i + 1 :]]
            yield from ([*content[:i], changed, *content[i + 1 :]] for changed in mutants(value))
    else:
        for changed in other_leaves(content):
            if changed != content or type(changed) is not type(content):
                yield changed


def try_mutants(document, record_mutants):
    assert not is_rejected(document)
    # The version is no statement about dice; another test compares the versions of certificates.
    package = {"package": document.pop("package")}
    every = list(mutants(document))
    # Every 13th: a prime step reaches every kind of change in every part.
    tried = [changed | package for changed in every[:: 13 if len(every) > 1000 else 1]]
    survivors = [mutant for mutant in tried if not is_rejected(mutant)]
    assert len(tried) > 20
    assert survivors == []
    record_mutants(document["kind"], len(tried), len(tried) - len(survivors))


@pytest.mark.slow
@pytest.mark.parametrize("game", check.statements.GAMES)
def test_no_mutant_of_a_certificate_survives(game, record_mutants, derived_once):
    for claim, document in documents().items():
        if claim.startswith(f"{game}."):
            try_mutants(document, record_mutants)


def forgeries(document, others):
    """Yield false certificates with consistent changes in several parts."""
    claim, evidence, parameters = (document[key] for key in ("claim", "evidence", "parameters"))
    for verdict in VERDICTS:
        if verdict != document["verdict"]:
            yield document | {"verdict": verdict}
            cleared = {"exceptions": 0, "smallest": None, "on_path": None}
            found = evidence | {key: of for key, of in cleared.items() if key in evidence}
            yield document | {"verdict": verdict, "evidence": found}  # no exceptions, or one more
            found = evidence | {key: 1 for key in ("exceptions",) if key in evidence}
            yield document | {"verdict": verdict, "evidence": found}
    for key, value in parameters.items():  # a smaller domain in all places
        is_number = isinstance(value, int)
        for less in [value - 1, value // 2] if is_number else [value[:-1], value[:1], value[1:]]:
            yield document | {"parameters": parameters | {key: less}}
            said = {k: v.replace(str(value), str(less)) for k, v in document["statement"].items()}
            yield document | {"parameters": parameters | {key: less}, "statement": said}
    for key, value in evidence.items():  # a case omitted, or two exchanged
        if isinstance(value, list) and len(value) > 1:
            yield document | {"evidence": evidence | {key: value[:-1]}}
            yield document | {"evidence": evidence | {key: value[::-1]}}
        if isinstance(value, dict) and len(value) > 1:
            (first, x), (second, y), *_ = value.items()
            yield document | {"evidence": evidence | {key: value | {first: y, second: x}}}
            yield document | {"evidence": evidence | {key: {first: x}}}
    exchanged = ["evidence", "evidence parameters", "evidence statement", "statement"]
    exchanged += ["parameters statement", "rests_on", "coq", "claim", "claim statement"]
    exchanged += ["domain", "says", "formula"]
    for other_document in others:
        if other_document["claim"] != claim:
            for parts in map(str.split, exchanged):
                given, said = other_document, other_document["statement"]
                whole = {part: given[part] for part in parts if part in given}
                texts = {part: said[part] for part in parts if part not in given}
                yield document | {"statement": document["statement"] | texts} | whole


@pytest.mark.slow
def test_no_forgery_with_consistent_changes_survives(record_mutants, derived_once):
    every = list(documents().values())
    tried, survivors = 0, []
    for i, document in enumerate(every):
        # The next of the same kind, the next of the game, and the next of another kind.
        after = [*every[i + 1 :], *every[:i]]
        same = [of["kind"] == document["kind"] for of in after]
        others = [after[same.index(True)], after[0], after[same.index(False)]]
        for forged in forgeries(document, others):
            if forged != document:
                tried += 1
                survivors += [] if is_rejected(forged) else [(document["claim"], forged)]
    record_mutants("by meaning", tried, tried - len(survivors))
    assert tried > 3000
    assert survivors == []
