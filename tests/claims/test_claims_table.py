"""Tables of claims: what is read of them, and what is refused in one line."""

import pytest

from exactdice.claims.model import Finding
from exactdice.claims.table import read_claims
from exactdice.errors import InputError

TABLE = """
source = "a page"

[chess.opening]
statement = '''
white
wins'''
domain = "all openings"
method = "none"
kind = "search"
depends_on = ["theorem 1"]
parameters = { boards = [1, 2] }

[chess.ending]
statement = "black draws"
source = "another page"
domain = "all endings"
method = "none"
"""
FINDERS = {"chess.opening": lambda: Finding("proved", {})}


@pytest.fixture
def table(tmp_path):
    return tmp_path / "claims.toml"


def read(table, text, finders=FINDERS):
    table.write_text(text, encoding="utf-8")
    return read_claims(table, "chess", finders)


def test_claims_say_what_stands_in_the_table(table):
    opening, ending = read(table, TABLE)
    assert (opening.id, opening.title, opening.statement, opening.source) == (
        "chess.opening",
        "chess",
        "white wins",
        "a page",
    )
    assert (opening.depends_on, opening.parameters) == (("theorem 1",), {"boards": [1, 2]})
    assert str(opening.find().verdict) == "proved"
    assert (ending.source, ending.kind, ending.find) == ("another page", "", None)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("[chess.opening]", "[chess.opening", r"^claims.toml: got Expected '\]'"),
        ("method", "methods", "^chess.opening: got 'method'; give domain, method, source"),
        ("cites", "cites", "^finders: got 'chess.middle'; give ids of claims in claims.toml"),
        ("depends_on", "rests_on", "^chess.opening: got 'rests_on'; give domain, method, source"),
        ("chess.opening", "opening", "^opening.statement: got '.*'; give the fields of a claim"),
        ('kind = "search"', "", "^chess.opening: got None; give both a kind and a finder"),
        ('"all endings"', '"all"\nkind = "search"', "^chess.ending: got 'search'; give both"),
    ],
)
def test_a_table_that_is_not_right_is_refused_in_one_line(table, old, new, problem):
    finders = FINDERS | {"chess.middle": FINDERS["chess.opening"]} if old == new else FINDERS
    if new == "opening":
        finders = {}
    with pytest.raises(InputError, match=problem) as refused:
        read(table, TABLE.replace(old, new, 1), finders)
    assert "\n" not in str(refused.value)
