"""Readings of the README's rules: the adopted ones fit all its figures, the others do not."""

from math import sqrt

import pytest
from policy_oracle import law_of, moments

from exactdice.arithmetic import to_fraction
from exactdice.games.swe.distributions.evaluation import exact_moments
from exactdice.games.swe.distributions.players import policy_from_text
from exactdice.games.swe.rules import Ladder
from exactdice.games.swe.sources import FIGURES
from exactdice.rooms import question
from exactdice.run import Run
from exactdice.studies.swe.policies import (
    ExpLegacyAbove,
    ExpLegacyLowest,
    PromoOnceLowest,
    RandAny,
    RandHighest,
    judge,
    readings,
)


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
            marks=[pytest.mark.long] if rounds == 30 and reading.row.startswith("Rand") else [],
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


def test_of_each_rule_all_answers_are_read_and_one_is_adopted():
    """Answers by question and figure, as the head of the module lists them, the adopted first."""
    found = {}
    for reading in readings():
        found.setdefault((reading.question, reading.row), []).append(reading)
    for several in found.values():
        assert [reading.adopted for reading in several] == [True] + [False] * (len(several) - 1)
        assert len({reading.answer for reading in several}) == len(several)
    expected = [
        *[(row, 2) for row in ("PromoOnce", "ExpLegacy(0.9)", "ExpLegacy(0.5)", "ExpLegacy(1.0)")],
        *[(f"Rand({chance})", 3) for chance in ("0.2", "0.5", "0.8")],
        *[(row, 2) for row in FIGURES[10] if "Then" in row],
    ]
    assert [(row, len(several)) for (_, row), several in found.items()] == expected
    assert len({question for question, _ in found}) == 4
    for (_, row), (adopted, *others) in found.items():
        # What ran did not change; all other policies are those of their names.
        name = row.replace("(", "AsRun(") if "Then" in row else row
        assert adopted.policy == policy_from_text(name)
        assert all(other.policy != adopted.policy for other in others)
        if "Then" in row:
            assert [other.policy for other in others] == [policy_from_text(row)]


def test_readings_are_told_one_after_another_with_their_distances():
    """Figure less mean, over the root of the variance by ten thousand games."""
    news = []
    report = question("swe readings 10").answer(Run(progress=lambda *said: news.append(said)))
    listed = readings()
    assert news == [("readings", done, len(listed)) for done in range(len(listed))]
    rows = report.table("readings").rows
    assert [row[:4] for row in rows] == [(*reading[:3], reading.adopted) for reading in listed]
    for reading, (*_, mean, figure, z_score) in zip(listed, rows, strict=True):
        exact, variance = exact_moments(reading.policy, 10)
        assert (mean, figure) == (exact, FIGURES[10][reading.row].exact_mean)
        distance = float(figure - exact) / sqrt(variance / 10_000)
        assert z_score == f"{distance:.2f}"


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
