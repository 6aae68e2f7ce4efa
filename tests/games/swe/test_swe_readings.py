"""Readings of the README's rules: the adopted ones fit all its figures, the others do not."""

import pytest
from policy_oracle import law_of, moments

from exactdice.arithmetic import to_fraction
from exactdice.games.swe.laws.evaluation import exact_moments
from exactdice.games.swe.laws.readings import (
    ExpLegacyAbove,
    ExpLegacyLowest,
    PromoOnceLowest,
    RandAny,
    RandHighest,
    judge,
    readings,
)
from exactdice.games.swe.rules import Ladder


@pytest.mark.parametrize(
    "policy",
    [
        ExpLegacyAbove("1/2"),
        ExpLegacyLowest("1/2"),
        PromoOnceLowest(),
        RandAny("1/3"),
        RandHighest("1/3"),
    ],
    ids=lambda p: type(p).__name__,
)
@pytest.mark.parametrize("ladder", [Ladder(2, 3, 5), Ladder(4, 6, 12)], ids=str)
def test_the_variants_agree_with_following_every_state(policy, ladder):
    expected = moments(law_of(policy, 6, ladder))
    assert tuple(map(to_fraction, exact_moments(policy, 6, ladder))) == expected


def quick(rounds):
    """Rand takes half a minute for 30 rounds."""
    return [
        pytest.param(
            reading,
            rounds,
            id=f"{reading.row} {reading.answer} {rounds}",
            marks=[pytest.mark.slow] if rounds == 30 and reading.row.startswith("Rand") else [],
        )
        for reading in readings()
    ]


@pytest.mark.parametrize(("reading", "rounds"), [*quick(10), *quick(30)])
def test_adopted_readings_fit_and_the_others_do_not(reading, rounds):
    square = judge(reading, rounds).z_score.size.square
    if reading.adopted:
        assert square < 3**2
    elif rounds == 30 and reading.row in REFUTED:
        assert square > REFUTED[reading.row] ** 2


#: Figures for 30 rounds that refute every reading but the adopted one, by standard errors.
REFUTED = {
    "PromoOnce": 7,
    "ExpLegacy(0.9)": 12,
    "ExpLegacy(0.5)": 6,
    "ExpLegacy(1.0)": 10,
    "Rand(0.2)": 4,
    "Rand(0.5)": 6,
    **{f"PromoThenNew({f})": 4 for f in ("0.1", "0.2", "0.5", "0.8", "0.9")},
    "NewThenPromo(0.1)": 20,
    "NewThenPromo(0.2)": 8,
}
