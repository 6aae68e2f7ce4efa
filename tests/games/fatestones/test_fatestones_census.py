"""The census against all duels of small bags."""

import json
from itertools import combinations
from math import comb

import pytest
from fatestones_oracle import reverse
from gmpy2 import mpq

from exactdice.errors import InputError, TooLargeError
from exactdice.games.fatestones.exact import solve
from exactdice.games.fatestones.responses import BagTables
from exactdice.games.fatestones.rules import bag, decode_die, decode_hand
from exactdice.run import Run
from exactdice.studies.fatestones.censuses import (
    RESOLUTION,
    PairValues,
    Tally,
    _sum,
    census,
    sample_census,
    start_worker,
    tally,
    work,
)


def all_deals(dice):
    return [
        (row, column)
        for row in combinations(dice, 3)
        for column in combinations([die for die in dice if die not in row], 3)
    ]


LOPSIDED = [*decode_hand("111666,123366,133446"), *decode_hand("144444,222366,224445")]
LOPSIDED.append(decode_die("333336"))
REVERSIBLE = sorted({*LOPSIDED[3:6], *map(reverse, LOPSIDED[3:6])})


@pytest.mark.parametrize("dice", [REVERSIBLE, LOPSIDED, list(bag()[3:11])])
def test_census_adds_up_all_duels(dice):
    found = census(dice)
    solved = [solve(*deal) for deal in all_deals(dice)]
    values = [solution.value for solution in solved]
    exact_mean = sum(map(abs, values), mpq(0)) / len(values)
    assert found.pairs == len(solved)
    assert found.mixed == sum(solution.method != "saddle point" for solution in solved)
    assert found.even == values.count(0)
    assert found.mean_absolute_value <= exact_mean < found.mean_absolute_value + RESOLUTION
    assert found.largest == max(values)
    # Of the hands in their order the first that has it, the better one named first.
    row, column = next(
        deal
        for deal, value in zip(all_deals(dice), values, strict=True)
        if abs(value) == max(values)
    )
    ahead = values[all_deals(dice).index((row, column))] > 0
    assert found.largest_deal == ((row, column) if ahead else (column, row))
    assert found.equilibrium == sum(values, mpq(0)) == 0
    assert str(found).startswith("all deals, worth ")
    assert found.is_complete


def test_single_values_of_the_whole_bag():
    tables = BagTables(bag())
    values = PairValues(tables)
    for hand in range(0, 4960, 709):
        others = tables.disjoint(hand)
        for other in others[:: len(others) // 5].tolist():
            row, column = (
                tuple(bag()[die] for die in tables.triples[h].tolist()) for h in (hand, other)
            )
            numerator, denominator, is_mixed = values.value(hand, other)
            solution = solve(row, column)
            assert mpq(numerator, denominator) == solution.value
            assert is_mixed == (solution.method != "saddle point")


def test_census_resumes_from_a_state():
    states = []
    told = []
    whole = census(LOPSIDED, save=states.append, run=Run(progress=lambda *news: told.append(news)))
    assert len(states) == 5  # 35 hands, eight at a time
    assert told[-1] == ("hands", 35, 35)
    for state in states:
        assert census(LOPSIDED, state=state) == whole


@pytest.mark.slow
def test_two_processes_agree_with_one():
    assert census(LOPSIDED, run=Run(workers=2)) == census(LOPSIDED)


def test_worker_agrees_with_the_caller():
    """The code of the other processes."""
    values = PairValues(BagTables(LOPSIDED))
    start_worker(tuple(LOPSIDED))
    oracle = Tally()
    for hand in range(3):
        oracle.add(tally(values, [hand]))
    assert work(range(3)) == oracle


def test_too_many_faces_are_rejected():
    # 4·(197²)⁴ is below 2⁶³, and 4·(198²)⁴ is not.
    for faces in (197, 198):
        large = [tuple(sorted((a, *[5] * (faces - 1)))) for a in range(1, 9)]
        assert (4 * faces**8 < 2**63) == (faces == 197)
        if faces == 197:
            PairValues(BagTables(large))
        else:
            with pytest.raises(TooLargeError, match="198 faces need integers of more than 64 bits"):
                census(large)


def test_values_near_the_limit_of_64_bits():
    """Each face 49 times: the same dice, with numbers near the limit."""
    small = [(1, 1, 4, 4), (1, 2, 3, 4), (2, 2, 3, 3), (1, 1, 3, 5), (1, 1, 1, 4), (2, 3, 3, 3)]
    large = [tuple(sorted(die * 49)) for die in small]
    one, other = (PairValues(BagTables(dice)) for dice in (small, large))
    for row in range(20):
        for column in range(20):
            (top, bottom, mixed), (high, low, also) = (of.value(row, column) for of in (one, other))
            assert (mpq(top, bottom), mixed) == (mpq(high, low), also)


def test_asymmetric_tables_raise():
    tables = BagTables(LOPSIDED)
    tables.table.ties[0, 1] += 1
    with pytest.raises(AssertionError, match="swapping hands must change the sign"):
        PairValues(tables)


@pytest.mark.parametrize(
    "state", ["", "[]", "{}", "[" * 100_000, '{"format": "exactdice fatestones census 1"}']
)
def test_invalid_checkpoints_are_rejected(state):
    with pytest.raises(InputError, match="checkpoint: got another kind of file"):
        census(LOPSIDED, state=state)


@pytest.mark.parametrize(
    "change",
    [{"hands": 99999}, {"tally": {}}, {"tally": {"deals": -5}}, {"hands": "x"}, {"sha256": ""}],
)
def test_changed_checkpoints_are_rejected(change):
    states = []
    census(LOPSIDED, save=states.append)
    changed = json.dumps(json.loads(states[0]) | change)
    with pytest.raises(InputError, match="checkpoint: got a changed state of a census"):
        census(LOPSIDED, state=changed)


# The first hands hold the first die: those of dice 1 and 2, of 1 and 3, 4 and 5. Each meets
# C(4, 3) hands of the other dice, all of them later, and each deal is counted with its swap.
ALL_DEALS = 2 * 8 * comb(4, 3)


@pytest.mark.parametrize("change", [
    {"hands": 36},  # seven dice have C(7, 3) = 35 hands
    {"hands": 10**30}, {"hands": -8}, {"hands": True}, {"hands": "35"},
    {"hands": 35},  # with the deals of eight
    {"tally": {}}, {"tally": {"deals": 0}}, {"tally": {"largest": [1, 0]}},
    {"tally": {"largest": 3}}, {"tally": {"largest_deal": [0, 1, 2, 3, 4, 99]}},
    {"tally": {"mixed": 10**9}}, {"tally": {"largest": [1, 1, 1]}}, {"tally": {"largest": [1, -1]}},
    {"tally": {"largest_deal": [0, 1, 2, 3, 4]}},
    {"tally": {"largest_deal": [0, 1, 2, 3, 4, 7]}},  # the seventh die is 6
    {"tally": {"largest_deal": "012345"}}, {"tally": {"mixed": ALL_DEALS + 1}},
    {"tally": {"even": ALL_DEALS + 1}}, {"tally": {"deals": ALL_DEALS + 1}},
    {"tally": {"units": ALL_DEALS * 10**30 + 1}},
])  # fmt: skip
def test_impossible_checkpoints_are_rejected(change):
    with pytest.raises(InputError, match=r"checkpoint: got (impossible sums|another kind of file)"):
        census(LOPSIDED, state=changed_state(change))


def changed_state(change):
    states = []
    census(LOPSIDED, save=states.append)
    content = json.loads(states[0])
    del content["sha256"]
    sums = content["tally"] | change["tally"] if change.get("tally") else change.get("tally")
    content |= change | ({} if sums is None else {"tally": sums})
    content["sha256"] = _sum(content)
    return json.dumps(content)


@pytest.mark.parametrize("change", [
    {"tally": {"mixed": ALL_DEALS, "even": ALL_DEALS, "units": ALL_DEALS * 10**30}},
    {"tally": {"largest": [0, 1], "largest_deal": []}},
    {"tally": {"largest": [1, 1], "largest_deal": [0, 1, 2, 3, 4, 6]}},
])  # fmt: skip
def test_extreme_checkpoints_are_accepted(change):
    assert census(LOPSIDED, state=changed_state(change)).is_complete


def test_checkpoints_of_another_bag_are_rejected():
    states = []
    census(LOPSIDED, save=states.append)
    with pytest.raises(InputError, match="checkpoint: got the state of another census"):
        census(REVERSIBLE, state=states[0])


def test_a_sample_is_a_mean_over_its_deals():
    found = sample_census(300, seed=7, dice=LOPSIDED)
    assert found.pairs == 300
    assert not found.is_complete
    assert found == sample_census(300, seed=7, dice=LOPSIDED)
    # 140 deals, drawn 300 times: the mean is within Hoeffding's bound at one in a million.
    whole = census(LOPSIDED)
    assert abs(found.mean_absolute_value - whole.mean_absolute_value) < whole.largest * mpq(16, 100)
    assert found.largest <= whole.largest


def test_empty_samples_are_rejected():
    with pytest.raises(InputError, match="sample: got 0; expected a whole number of at least 1"):
        sample_census(0, seed=1)


@pytest.mark.long
def test_census_of_all_deals():
    """The whole bag: every ordered pair once, and the mean near that of a sample."""
    found = census(run=Run(workers=2))
    assert found.pairs == 18_123_840
    sample = sample_census(20_000, seed=3)
    # Hoeffding for 20000 draws from [0, 41/144] at one chance in a million: 0.0054.
    assert abs(found.mean_absolute_value - sample.mean_absolute_value) < mpq(54, 10_000)
    assert solve(*found.largest_deal).value == found.largest
