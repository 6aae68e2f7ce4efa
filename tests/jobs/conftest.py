"""Figures at small sizes, each computed and drawn once for all tests of figures."""

import pytest

from exactdice.jobs.plots import figure as sheets
from exactdice.jobs.plots import figure_named

# Sizes at which every figure is drawn here: small, so that the tests stay fast.
SMALL = {
    "risk-win": 5,
    "risk-survivors": 3,
    "risk-dice": 5,
    "reroll-policy": 6,
    "reroll-theta": 2,
    "swe-values": 4,
    "swe-policy": 12,
    "swe-laws": 4,
    "fatestones-beats": 4,
    "fatestones-deals": 200,
    "fatestones-bags": 5,
    "farkle-thresholds": 2,
    "farkle-opponent": 38,
    "farkle-looking": 500,
    "farkle-turn": 2,
    "farkle-sets": 66,
    "dice-law": 2,
    "dice-compare": 4,
}


@pytest.fixture(scope="session")
def reports():
    return {name: figure_named(name).data(size) for name, size in SMALL.items()}


@pytest.fixture(scope="session")
def drawn(reports):
    """Each figure, with the report that it is drawn from."""
    with sheets.style():
        return {name: (of, figure_named(name).draw(of)) for name, of in reports.items()}
