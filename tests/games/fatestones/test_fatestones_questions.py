"""Questions about FateStones: text, JSON and pickles give the same question back."""

from itertools import pairwise
from math import comb

import pytest
from gmpy2 import mpq
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import comes_back, questions

from exactdice.errors import InputError
from exactdice.games.fatestones import questions as fatestones
from exactdice.games.fatestones import solve
from exactdice.games.fatestones.confidence import Between
from exactdice.games.fatestones.players import Scratch, TwoPlayers
from exactdice.games.fatestones.rules import HandOfDice, bag, encode_hand
from exactdice.report.notebook import Reported
from exactdice.rooms import classes, question
from exactdice.run import Run
from exactdice.studies.fatestones import questions as study
from exactdice.studies.fatestones.censuses import sample_census
from exactdice.studies.fatestones.questions import FatestonesCensusPart

_PLAYERS = ["random", "best", "equilibrium", "human", "mcts:7", "mcts:050"]
_HANDS = st.lists(st.sampled_from(bag()), min_size=2, max_size=2, unique=True).map(tuple)
DOMAINS = (
    (HandOfDice, st.one_of(_HANDS, _HANDS.map(encode_hand))),
    (TwoPlayers, st.tuples(st.sampled_from(_PLAYERS), st.sampled_from(_PLAYERS)).map(",".join)),
    (Between, st.fractions(mpq(51, 100), mpq(99, 100)).map(str)),
)


@st.composite
def census_parts(draw):
    """Parts of the censuses of bags that there are: of 32, 12, 35 and 10 dice."""
    faces, total = draw(st.sampled_from([(6, 21), (5, 15), (4, None), (3, None)]))
    first = draw(st.integers(0, comb(10, 3) - 1))
    last = draw(st.integers(first, comb(10, 3) - 1))
    return FatestonesCensusPart(first, last, faces=faces, total=total)


@pytest.mark.parametrize("asked", classes("fatestones"), ids=lambda asked: asked.command)
@given(data=st.data())
def test_text_json_and_pickle_give_the_same_question_back(asked, data):
    parts = asked is FatestonesCensusPart
    made = data.draw(census_parts() if parts else questions(asked, DOMAINS))
    assume(made is not None)
    comes_back(made)


def test_python_may_give_dice_as_tuples():
    made = fatestones.FatestonesDuel([(1, 1, 1, 6, 6, 6)], [(1, 2, 3, 4, 5, 6)], scratch="1/3")
    assert made == question("fatestones duel 111666 123456 --scratch 1/3")


def test_a_game_with_a_person_is_interactive_and_not_deterministic():
    made = fatestones.FatestonesPlay(players="human,random", seed=1)
    assert (made.is_interactive, made.is_deterministic) == (True, False)
    made = fatestones.FatestonesPlay(players="best,random", seed=1)
    assert (made.is_interactive, made.is_deterministic) == (False, True)


@pytest.mark.parametrize("scratch", Scratch)
def test_games_are_told_of_one_by_one_as_they_end(scratch, tmp_path):
    """A file of dice that nearly always tie, so that scratches are common."""
    (tmp_path / "dice.txt").write_text("".join(f"1 1 1 1 1 {face}\n" for face in range(1, 7)))
    told = []
    asked = fatestones.FatestonesSimulate(
        players=("random", "random"), games=40, dice=tmp_path / "dice.txt", scratch=scratch
    )
    found = asked.report(Run(progress=lambda *news: told.append(news)))
    assert found.value("scratches") > 0
    assert {(what, total) for what, _, total in told} == {("games", 40)}
    done = [number for _, number, _ in told]
    assert done[-1] == 40
    assert {after - before for before, after in pairwise([0, *done])} == {0, 1}


def test_results_show_themselves():
    die = (1, 2, 3, 4, 5, 6)  # two equal dice: nothing to choose, and nobody is ahead
    duel = solve((die,), (die,))
    assert isinstance(duel, Reported)
    assert str(duel) == "123456 against 123456: worth 0 to row"
    html = duel._repr_html_()
    assert "<td>row</td><td>123456</td><td>1</td>" in html.replace(' class="r"', "")
    sample = sample_census(5, seed=1, lists=True)
    assert str(sample).startswith("a sample of 5 deals, worth ")
    assert len(sample.report().table("deals").rows) == 5
    assert sample.value == 0


def test_a_bag_of_as_many_dice_as_the_limit_is_gone_through(monkeypatch):
    # C(4 + 4 − 1, 4) dice of four faces, and C(35, 3) hands of them
    last = comb(35, 3) - 1
    monkeypatch.setattr(study, "_MOST_DICE", 35)
    assert FatestonesCensusPart(0, last, faces=4).last == last
    with pytest.raises(
        InputError, match=f"last: got {last + 1}; expected a whole number from 0 to "
    ):
        FatestonesCensusPart(0, last + 1, faces=4)
    monkeypatch.setattr(study, "_MOST_DICE", 34)
    with pytest.raises(InputError, match="total: got 35 dice; expected a bag of at most 34"):
        FatestonesCensusPart(0, 1, faces=4)
