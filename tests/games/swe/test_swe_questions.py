"""Questions about the game: text, JSON and pickles give the same question back, and its answers."""

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from strategies import comes_back, questions

from exactdice.errors import InputError
from exactdice.games.swe import questions as of_policies
from exactdice.games.swe import reports
from exactdice.games.swe.distributions import listed
from exactdice.games.swe.distributions.listed import nanoseconds
from exactdice.games.swe.fields import LadderOfDice, PolicyName
from exactdice.games.swe.questions import Opponent
from exactdice.games.swe.rules import STANDARD
from exactdice.question.domains import Listed
from exactdice.rooms import ask, classes, question
from exactdice.run import Run
from exactdice.studies.swe.questions import JudgedRounds

_NAMES = ["Optimal", "promo", "NewOnly", "Rand(1/2)", "explegacy(0.5)", "PromoThenNewAsRun(0.9)"]
_LADDERS = st.sets(st.integers(2, 40), min_size=1, max_size=6).map(sorted)

#: Strategies for domains that this game alone knows.
_OF_THE_GAME = (
    (LadderOfDice, _LADDERS), (Opponent, st.one_of(st.integers(0, 10**9), st.sampled_from(_NAMES))),
    (PolicyName, st.sampled_from(_NAMES)), (JudgedRounds, st.sampled_from([10, 30])),
    (Listed, st.lists(st.integers(1, 30), min_size=1, max_size=6)),
)  # fmt: skip


@pytest.mark.parametrize("asked", classes("swe"), ids=lambda asked: asked.command)
@settings(suppress_health_check=[HealthCheck.filter_too_much])  # few states suit their round
@given(data=st.data())
def test_text_json_and_pickle_give_the_same_question_back(asked, data):
    made = data.draw(questions(asked, _OF_THE_GAME))
    assume(made is not None)
    comes_back(made)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["swe value", "swe advise", "swe target", "swe beat"])
@given(
    _LADDERS.flatmap(
        lambda ladder: st.tuples(
            st.just(ladder),
            *[st.lists(st.integers(0, 3), min_size=len(ladder), max_size=len(ladder))] * 2,
        )
    ),
    st.integers(0, 50),
)
def test_states_come_back_too(name, state, score):
    ladder, revenue, legacy = state
    kind = next(asked for asked in classes("swe") if asked.command == name)
    weight = sum(i * (r + b) for i, (r, b) in enumerate(zip(revenue, legacy, strict=True), 1))
    fields = {"rounds": weight + 1, "ladder": ladder, "revenue": revenue, "legacy": legacy}
    fields |= {"score": score}
    if name != "swe value":
        fields |= {"round": weight + 1}
    fields |= {"swe target": {"target": 9}, "swe beat": {"opponent": "Promo"}}.get(name, {})
    comes_back(kind(**fields))


def test_exact_and_width_exclude_each_other():
    asked = "swe value 3 --exact --width 1/10"
    with pytest.raises(InputError, match="width cannot be combined with exact"):
        question(asked)


def test_policies_report_progress():
    news = []
    asked = question("swe policies 4 --policy Promo --policy NewOnly --policy Optimal")
    asked.answer(Run(progress=lambda *said: news.append(said)))
    assert news == [("policies", done, 3) for done in range(3)]


@pytest.mark.parametrize("asked", ["swe advise 6", "swe target 6 9"])
def test_a_state_is_reachable_in_the_rounds_before_its_round(asked):
    report = ask(f"{asked} --round 4 --revenue 3,0,0,0,0 --score 6")
    (reachable,) = (q for q in report.quantities if q.column.name == "reachable")
    assert reachable.value is True
    assert reachable.column.meaning == "whether the state is reachable in 3 rounds"


@pytest.mark.parametrize(("asked", "module", "sets"), [
    # Two d4 weigh 2; the score of 3 comes after up to five rounds: {}, {d4} and {d4, d4}, split
    # in 1, 2 and 3 ways, each round.
    ("swe value 4 --revenue 2,0,0,0,0 --score 3", reports, 5 * 6),
    ("swe advise 8 --round 4 --revenue 2,0,0,0,0 --score 3", reports, 3 * 6),
])  # fmt: skip
def test_search_for_a_state_is_limited(asked, module, sets, monkeypatch):
    for most, known in ((sets, True), (sets - 1, None)):
        monkeypatch.setattr(module, "MAX_STEPS", most)
        assert ask(asked).value("reachable") is known


def test_estimated_time_of_random_policies():
    names = ["Rand(0.5)", "Rand(1)", "Rand(0)", "Promo", "Optimal", "Rand(0.2)"]
    # Two draw lots; Rand(1) and Rand(0) do not. 1079 splits of ten rounds, by PyNormaliz.
    assert nanoseconds(names, 10, STANDARD, 10**20) == 2 * 40_000 * 1079
    assert nanoseconds(names, 10, STANDARD, 5) == 2 * 5 * listed._WORD


@pytest.mark.parametrize(("asked", "title"), [
    ("swe value 1", "SWE: the optimum of 1 round"),
    ("swe target 3 2", "SWE: to reach 2 in 3 rounds"),
    ("swe beat 3 2", "SWE: to beat 2 in 3 rounds"),
    ("swe policy 2", "SWE: optimal actions in 2 rounds, in every reachable state"),
    ("swe policy 2 --path", "SWE: optimal actions in 2 rounds, under optimal play"),
])  # fmt: skip
def test_titles_name_the_given_state(asked, title):
    assert ask(asked).title == title
    if "policy" not in asked:
        round_ = "" if "value" in asked else " --round 2"
        where = " from " if "value" in asked else ", in round 2 with "
        state = "revenue 1 d4; legacy none; score 1"
        from_state = ask(f"{asked} --revenue 1,0,0,0,0 --score 1{round_}").title
        assert from_state == f"{title}{where}{state}"


def test_a_state_without_a_round_begins_the_first():
    report = ask("swe target 3 2 --revenue 0,0,0,0,0")
    assert report.title == "SWE: to reach 2 in 3 rounds, in round 1 with an empty table"
    assert report.value("value") == ask("swe target 3 2").value("value")
    assert report.value("reachable") is True


@pytest.mark.parametrize(("most", "is_told"), [(3, True), (2, False)])
def test_optimal_is_listed_up_to_a_number_of_rounds(most, is_told, monkeypatch):
    monkeypatch.setattr(of_policies, "OPTIMAL_ROUNDS", most)
    monkeypatch.setattr(listed, "OPTIMAL_ROUNDS", most)
    names = [row[0] for row in ask("swe target 3 2").table("policies").rows]
    assert names == ["Optimal"] * is_told + ["NewOnly", "Promo", "PromoOnce"]
    assert ("Optimal" in listed.policy_names(3)) is is_told
