"""Games played from the command line."""

import json
import shlex

import pytest

PLAYS = [
    "swe play 4 --auto",
    "reroll play --auto --dice 2",
    "fatestones play --players random,equilibrium",
    "fatestones play --players random,best -- 111666,123456,222555 114456,333336,122556",
]


def played(run, words):
    """The report of a game; the output options come first."""
    game, verb, *others = words
    status, out, err = run([game, verb, "--format", "json", *others])
    assert (status, err) == (0, "")
    return json.loads(out)


@pytest.mark.parametrize("line", PLAYS)
def test_the_recorded_command_gives_the_same_game_again(run, line):
    first = played(run, line.split())
    program, *words = shlex.split(first["provenance"]["command"])
    assert (program, words[:2]) == ("exactdice", line.split()[:2])
    assert played(run, words) == first
    assert words[words.index("--seed") + 1] == first["provenance"]["conventions"]["seed"]


@pytest.mark.parametrize("line", PLAYS)
def test_games_without_a_seed_draw_a_new_one(run, line):
    # Four draws of 32 bits are all equal with a chance of 2^-96.
    drawn = {played(run, line.split())["provenance"]["conventions"]["seed"] for _ in range(4)}
    assert len(drawn) > 1


@pytest.mark.parametrize("line", ["swe play 4", "reroll play", "fatestones play"])
def test_a_given_seed_is_recorded_once(run, line):
    arguments = ["--auto"] if "fatestones" not in line else ["--players", "random,random"]
    document = played(run, [*line.split(), *arguments, "--seed", "5"])
    assert document["provenance"]["command"].count("--seed 5") == 1
    assert document["provenance"]["conventions"]["seed"] == "5"
    status, _, err = run([*line.split(), "--seed", "x"])
    assert (status, "seed: got 'x'" in err) == (2, True)


@pytest.mark.parametrize("lines", ["", "99\n"])
@pytest.mark.parametrize("line", [
    "farkle play --target 200 --seed 1 --opponent odd", "swe play 2 --seed 1", "reroll play",
    "fatestones play --seed 1"
])  # fmt: skip
def test_input_must_not_end_before_the_game(run, typed, line, lines):
    typed(lines)
    status, out, err = run(line)
    assert (status, out) == (2, "")
    assert err.endswith(
        "exactdice: input: got the end of input; expected a line for every choice\n"
    )
