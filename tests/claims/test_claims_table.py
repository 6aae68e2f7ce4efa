"""Reading tables of claims."""

import pytest

from exactdice.claims.certificates import stated
from exactdice.claims.model import read_claims

TABLE = """
game = "chess"
source = "a page"

[chess.opening]
says = '''
white
wins'''
domain = "all openings"
method = "none"
kind = "search"
rests = ["theorem 1", "chess.ending", "minimax"]

[chess.ending]
says = "black draws"
source = "another page"
domain = "all endings"
method = "none"
"""


def test_claims_are_read_from_a_table(tmp_path):
    path = tmp_path / "chess.toml"
    path.write_text(TABLE, encoding="utf-8")
    opening, ending = read_claims(path)
    assert (opening.id, opening.title, opening.says, opening.source) == (
        "chess.opening", "chess", "white wins", "a page",
    )  # fmt: skip
    assert (opening.depends_on, opening.cites) == (("theorem 1", "chess.ending"), ("minimax",))
    assert (ending.source, ending.kind, ending.game) == ("another page", "", "chess")
    verdict, formal = stated(ending, tmp_path)
    assert (verdict, formal["sentence"]) == ("open", "In chess, for all endings: black draws.")


def test_an_unknown_field_is_an_error(tmp_path):
    path = tmp_path / "chess.toml"
    path.write_text(TABLE.replace("method", "methods", 1), encoding="utf-8")
    with pytest.raises(TypeError, match="methods"):
        list(read_claims(path))
