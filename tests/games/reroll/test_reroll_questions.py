"""Questions about the reroll game: text, JSON and pickles give the same question back."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import comes_back

from exactdice.errors import InputError
from exactdice.games import reroll
from exactdice.games.reroll import questions as room
from exactdice.games.reroll.rules import MAX_DICE
from exactdice.rooms import question

above_zero = st.fractions(min_value="1/1000", max_value=1000).map(str)
weights = st.lists(st.integers(1, 9), min_size=1, max_size=5, unique=True)
FIELDS = {
    "dice": st.integers(1, MAX_DICE),
    "sides": st.integers(1, 300),
    "penalty": above_zero,
    "tolerance": above_zero,
    "order": st.sampled_from(["synchronous", "in-place"]),
    "seed": st.integers(0, 10**30),
    "auto": st.booleans(),
}


@st.composite
def questions(draw: st.DrawFn, asked: Any) -> Any:
    """Questions of a class; lists are drawn together, so that they make a die."""
    fields: dict[str, Any] = {}
    names = {parameter.field: parameter for parameter in asked.parameters()}
    for name in sorted(set(names) & set(FIELDS)):
        if names[name].is_required or draw(st.booleans()):
            fields[name] = draw(FIELDS[name])
    if "bias" in names and draw(st.booleans()):
        listed = draw(weights)
        fields["sides"] = len(listed)
        fields["bias"] = [f"{weight}/{sum(listed)}" for weight in listed]
        fields["values"] = [f"{-weight}/7" for weight in listed]
    return asked(**fields)


@pytest.mark.parametrize("asked", room.QUESTIONS, ids=lambda asked: asked.command)
@given(data=st.data())
def test_text_json_and_pickle_give_the_same_question_back(asked: Any, data: Any) -> None:
    made = data.draw(questions(asked))
    comes_back(made)


def test_a_game_has_one_text() -> None:
    made = reroll.RerollPolicy(dice="4", bias=["0.1", "0.1", "0.8"], penalty=2)
    assert str(made) == "reroll policy --penalty 2 --dice 4 --bias 1/10,1/10,4/5"
    assert made == question("reroll policy --bias '1/10, 1/10,8/10' --penalty 2/1 --dice 4")


def test_a_game_that_a_person_plays_may_go_otherwise_the_next_time() -> None:
    assert not reroll.RerollPlay(seed=1).is_deterministic
    assert reroll.RerollPlay(seed=1).is_interactive
    assert reroll.RerollPlay(seed=1, auto=True).is_deterministic
    assert reroll.RerollPlay().seed != reroll.RerollPlay().seed  # alike with a chance of 2^-32


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"dice": 2.5}, "dice: got 2.5; expected a whole number from 1 to 1000"),
        ({"penalty": 0.5}, "penalty: got 0.5; expected an exact number"),
        ({"penalty": 0}, "penalty: got 0; expected a number above 0"),
        ({"bias": 1}, "bias: got 1; expected a list separated by commas: P1,P2"),
        ({"bias": "1/2,1/3"}, "bias: got a sum of 5/6; expected probabilities that sum to 1"),
        ({"values": "1,1"}, "values: got a value twice; expected values that are all different"),
        ({"values": [1, 2], "sides": 3}, "values: got 2 numbers; expected one for each of the 3"),
    ],
)
def test_what_is_no_game_is_refused_in_one_line(fields: Any, message: str) -> None:
    with pytest.raises(InputError) as problem:
        reroll.RerollValue(**fields)
    assert str(problem.value).startswith(message)
    assert "\n" not in str(problem.value)
