"""Files of rules on the command line: what cannot be read costs one line."""

import json

import pytest


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("none.json", None, "a readable file: file not found"),
        ("half.json", b'{"name": "x"', "JSON or TOML of rules: Expecting ',' delimiter"),
        ("half.toml", b"name = \n", "JSON or TOML of rules: Invalid value"),
        ("bytes.json", b"\xff\xfe", "JSON or TOML of rules: 'utf-8' codec"),
        ("list.json", b"[1]", "expected an object with name and scores"),
        ("deep.json", b"[" * 100_000, "JSON or TOML of rules: maximum recursion"),
        ("long.toml", b"#" * (1 << 21), "a file of at most 1048576 bytes"),
        (
            "rules.txt",
            b"",
            "expected one of kcd, patch, facebook, zilch, ten-thousand, or a file that "
            "ends in .json or .toml",
        ),
    ],
)
def test_bad_files_are_refused_in_one_line(run, tmp_path, name, content, message):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    status, out, err = run(f"farkle value --rules {path}")
    assert (status, out) == (2, "")
    assert message in err
    assert err.startswith("exactdice: --rules: got ")
    assert err.count("\n") == 1


def test_a_score_far_above_the_target_is_refused_before_it_takes_memory(run):
    rules = json.dumps({"name": "far", "target": 300, "scores": {"1": 50, "2": 10**13}}).replace(
        " ", ""
    )
    status, _, err = run(["farkle", "value", "--dice", "fair", "--rules", rules])
    assert status == 2
    assert "needs about" in err
