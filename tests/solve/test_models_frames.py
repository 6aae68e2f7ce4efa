"""Models, answers and reports as data: length, JSON, frames, pickles; names that `dir` lists."""

import json
import pickle
from itertools import product

import exactdice
from exactdice import models
from exactdice.dice import Distribution, fair
from exactdice.models import Both, Choice, End, Game, Other, optimum, point_mass


def moves(state):
    """Roll an even die once to pass the turn, or stop for 1; at the end both call a side."""
    if state == "match":
        return Both({(a, b): End(int(a == b)) for a in "ht" for b in "ht"})
    roll = Choice("roll", "1/2", fair(2).map(lambda face: Other("match") if face == 1 else "over"))
    return End(3) if state == "over" else [roll, Choice("stop", 1, point_mass("over"))]


#: By hand from the rules: state, action, reward or payoff, next state, probability.
TRANSITIONS = {
    ("start", "roll", "1/2", "Other('match')", "1/2"),
    ("start", "roll", "1/2", "over", "1/2"), ("start", "stop", "1", "over", "1"),
    ("over", None, "3", None, None),
}  # fmt: skip


def test_models_answers_and_reports_have_a_length_frames_json_and_are_pickled():
    model = Game("start", moves).explored()
    best = optimum(model)
    report = best.report()
    for one, length in ((model, len(model.states)), (best, len(model.states)), (report, 4)):
        assert len(one) == length
        assert json.loads(one.to_json())["title"]
        assert "quantities" in one.to_pandas()
        again = pickle.loads(pickle.dumps(one))  # noqa: S301 - our own
        assert (again.to_json(), len(again)) == (one.to_json(), length)
    assert len(report.to_pandas()) == len(report)


def test_the_report_of_a_model_lists_its_transitions():
    report = Game("start", moves).explored().report()
    rows = report.table("outcomes").rows
    plain = {(*row[:2], str(row[2]), row[3], row[4] and str(row[4])) for row in rows}
    assert plain >= TRANSITIONS
    # the four pairs of sides of the match: each is a terminal payoff, reached with certainty
    match = [row for row in rows if row[0] == "match"]
    assert [row[1] for row in match] == [str(pair) for pair in product("ht", repeat=2)]
    assert {row[4] for row in match} == {1}
    weights = Distribution({0: 1, 1: 2})
    chain = Game(2, lambda n: weights.map(lambda step: n - step) if n > 0 else None)
    table = chain.explored().report().table("outcomes")
    assert table.cell("probability", state="2", next="1") == weights.probability(1)


def test_packages_list_public_names_only():
    assert all(name in exactdice.__all__ or name == "__version__" for name in dir(exactdice))
    assert dir(models) == models.__all__
