"""The check of phrases finds them in prose and strings, not in code, and has a budget."""

import runpy
from pathlib import Path

TOOL = runpy.run_path(str(Path(__file__).parent.parent / "tools" / "phrases.py"))
CODE = 'def f():\n    """See where there is\n    one, without end."""\n    "is refused"\n'
PROSE = "A state of which\n`nobody` knows.\n```\nwithout end\n```\nIt goes on.\n"


def test_phrases_are_found_in_texts_with_advice_and_counted(tmp_path, capsys, monkeypatch):
    (tmp_path / "a.py").write_text(CODE)
    (tmp_path / "b.md").write_text(PROSE)
    (tmp_path / "tools").mkdir()
    monkeypatch.setitem(TOOL["main"].__globals__, "ROOT", tmp_path)
    for allowed, status in ((5, 0), (4, 1)):
        (tmp_path / "tools" / "budget.toml").write_text(f"phrases = {allowed}\n[rooms]\n")
        monkeypatch.setattr("subprocess.check_output", lambda *_, **__: "a.py\nb.md\n")
        assert TOOL["main"]([]) == status
        *found, count = capsys.readouterr().out.splitlines()
        assert (len(found), count) == (5 * status, "5 phrases")
    assert [line.split(": ")[:2] for line in found] == [
        *(["a.py:2", "where there"], ["a.py:3", "without end"], ["a.py:4", "is refused"]),
        *(["b.md:1", "of which"], ["b.md:6", "goes on"]),
    ]
    assert found[0].endswith("if … (a condition)")
