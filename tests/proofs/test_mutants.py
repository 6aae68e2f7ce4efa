"""No certificate survives a change: every number nudged, every list and object disturbed.

A mutant is a certificate with one change, written canonically again,
so that nothing but the mathematics can tell it from the true one. The number of
mutants tried and killed is printed at the end of the test session.
"""

import re

import pytest
from checker import check, document_of, documents, without_deriving

from exactdice.arithmetic import rational, text

VERDICTS = ("proved", "refuted", "open", "verified up to 4", "verified up to 16")
RATIONAL = re.compile(r"-?[0-9]+(/[0-9]+)?")

# The version is not a statement about dice; that all are of one version is tested below.
UNMUTATED = ("package",)


def other_leaves(leaf):
    """Yield what a number or word might be changed to."""
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
            yield "".join(content)  # a text is read like the list of its letters
        for i, value in enumerate(content):
            yield content[:i] + content[i + 1 :]
            yield [*content[: i + 1], *content[i:]]
            if i and value != content[i - 1]:
                yield [*content[: i - 1], value, content[i - 1], *content[i + 1 :]]
            yield from ([*content[:i], changed, *content[i + 1 :]] for changed in mutants(value))
    else:
        yield from (
            changed
            for changed in other_leaves(content)
            if changed != content or type(changed) is not type(content)
        )


def is_killed(document):
    try:
        check.check(check.canonical(document).encode())
    except check.Rejected:
        return True
    return False


def try_mutants(document, record_mutants):
    assert not is_killed(document)
    tried, survivors = 0, []
    whole = {key: value for key, value in document.items() if key not in UNMUTATED}
    every = list(mutants(whole))
    for changed in some_of(every, 13 if len(every) > 1000 else 1):  # rows of one form
        mutant = changed | {key: document[key] for key in UNMUTATED}
        tried += 1
        if not is_killed(mutant):
            survivors.append(mutant)
    assert tried > 20
    assert survivors == []
    record_mutants(document["kind"], tried, tried - len(survivors))


@pytest.fixture(autouse=True)
def _nothing_derived(monkeypatch):
    """The true evidence is looked up."""
    without_deriving(monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("game", check.statements.GAMES)
def test_no_mutant_of_a_certificate_survives(game, record_mutants):
    for claim, document in documents().items():
        if claim.startswith(f"{game}."):
            try_mutants(document, record_mutants)


def forgeries(document, others):
    """Yield what says something else, in several parts at once where these must agree."""
    claim, evidence, parameters = (document[key] for key in ("claim", "evidence", "parameters"))
    for verdict in VERDICTS:
        if verdict != document["verdict"]:
            yield document | {"verdict": verdict}
            cleared = {"exceptions": 0, "smallest": None, "on_path": None}
            found = evidence | {key: of for key, of in cleared.items() if key in evidence}
            yield document | {"verdict": verdict, "evidence": found}  # no exceptions, or one more
            found = evidence | {key: 1 for key in ("exceptions",) if key in evidence}
            yield document | {"verdict": verdict, "evidence": found}
    for key, value in parameters.items():  # a smaller domain, said in all places
        for less in (
            [value - 1, value // 2]
            if isinstance(value, int)
            else [value[:-1], value[:1], value[1:]]
        ):
            yield document | {"parameters": parameters | {key: less}}
            said = {k: v.replace(str(value), str(less)) for k, v in document["statement"].items()}
            yield document | {"parameters": parameters | {key: less}, "statement": said}
    for key, value in evidence.items():  # a case dropped, or two exchanged
        if isinstance(value, list) and len(value) > 1:
            yield document | {"evidence": evidence | {key: value[:-1]}}
            yield document | {"evidence": evidence | {key: value[::-1]}}
        if isinstance(value, dict) and len(value) > 1:
            (first, x), (second, y), *_ = value.items()
            yield document | {"evidence": evidence | {key: value | {first: y, second: x}}}
            yield document | {"evidence": evidence | {key: {first: x}}}
    for other in others:
        if other["claim"] != claim:
            for parts in (
                ["evidence"],
                ["evidence", "parameters"],
                ["evidence", "statement"],
                ["statement"],
                ["parameters", "statement"],
                ["rests_on"],
                ["coq"],
                ["claim"],
                ["claim", "statement"],
                ["domain"],
                ["says"],
                ["formula"],
            ):
                whole = {part: other[part] for part in parts if part in other}
                said = {part: other["statement"][part] for part in parts if part not in other}
                yield document | {"statement": document["statement"] | said} | whole


@pytest.mark.slow
def test_no_forgery_by_meaning_survives(record_mutants):
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
                survivors += [] if is_killed(forged) else [(document["claim"], forged)]
    record_mutants("by meaning", tried, tried - len(survivors))
    assert tried > 3000
    assert survivors == []


def some_of(things, step):
    """Every step-th: a prime step meets every kind of change in every part."""
    return (thing for i, thing in enumerate(things) if i % step == 0)


def test_certificates_of_two_versions_are_rejected(tmp_path, capsys):
    for claim, version in (("reroll.states", "0.1.0"), ("reroll.best-score", "0.1.1")):
        document = document_of(claim) | {"package": f"exactdice {version}"}
        (tmp_path / f"{claim}.json").write_text(check.canonical(document), encoding="ascii")
    assert check.main([str(path) for path in sorted(tmp_path.iterdir())]) == 1
    assert "several versions" in capsys.readouterr().out
