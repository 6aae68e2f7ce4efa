"""Figures at small sizes, each computed and drawn once for all tests of figures."""

import pytest

from exactdice import native
from exactdice.jobs.plots import figure as sheets
from exactdice.jobs.plots import figure_named

# Sizes at which every figure is drawn here: small, so that the tests stay fast.
SMALL = {
    "risk-win": 5, "risk-survivors": 3, "risk-dice": 5, "reroll-policy": 6, "reroll-theta": 2,
    "swe-values": 4, "swe-policy": 12, "swe-distributions": 4, "fatestones-beats": 4,
    "fatestones-deals": 200, "fatestones-bags": 5, "farkle-thresholds": 2, "farkle-opponent": 38,
    "farkle-looking": 500, "farkle-turn": 2, "farkle-sets": 66, "dice-distribution": 2,
    "dice-compare": 4, "policy": 20, "total": 2,
    "anydice": 4
}  # fmt: skip


SLOWER = {"fatestones-deals", "farkle-looking"}
# Without the C++ solvers these take minutes, or cannot be had.
NEED_SOLVERS = {"farkle-looking", "farkle-opponent", "farkle-sets"}
EACH = [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOWER)) for name in SMALL]


class Made(dict):
    def __init__(self, make):
        super().__init__()
        self.make = make

    def __missing__(self, name):
        return self.setdefault(name, self.make(name))


@pytest.fixture(scope="session")
def reports():
    def report(name):
        if name in NEED_SOLVERS and not native.are_built():
            pytest.skip("the C++ solvers are not built")
        return figure_named(name).data(SMALL[name])

    return Made(report)


@pytest.fixture(scope="session")
def drawn(reports):
    def draw(name):
        with sheets.style():
            return reports[name], figure_named(name).draw(reports[name])

    return Made(draw)
