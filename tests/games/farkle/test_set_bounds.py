"""Bounds of whole blocks of sets of dice, against each set's exact worth."""

from itertools import combinations_with_replacement

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, TooLargeError
from exactdice.games.farkle import KCD, parse_dice, solve
from exactdice.games.farkle.questions import FarkleSets
from exactdice.games.farkle.races.reports import merged_sets_report, sets_report
from exactdice.games.farkle.rules.dice_sets import DiceSet, Die, named_dice
from exactdice.games.farkle.sets.bounds import (
    SetFamily,
    SetsAbove,
    block_bound,
    named_block,
    sets_above,
)
from exactdice.games.farkle.turn.exact import Overshoot
from exactdice.rooms import ask
from exactdice.run import Run

DICE = st.builds(
    Die, st.lists(st.integers(0, 5), min_size=6, max_size=6).filter(any).map(tuple), st.booleans()
)
RULES = st.builds(
    lambda hot, bank, penalty, target: KCD.varied(
        hot_dice=hot, minimum_bank=bank, penalty=penalty, target=target
    ),
    st.booleans(),
    st.sampled_from([0, 200]),
    st.sampled_from([0, 100]),
    st.sampled_from([300, 900]),
)


@pytest.mark.slow
@settings(max_examples=25)
@given(
    st.lists(DICE, max_size=2),
    st.integers(0, 2),
    st.lists(DICE, min_size=1, max_size=3, unique=True),
    RULES,
    st.sampled_from(Overshoot),
)
def test_no_set_of_a_block_is_worth_more_than_its_bound(held, free, kinds, rules, overshoot):
    """The oracle solves every set exactly."""
    if not held and not free:
        return
    block = SetFamily(tuple(held), free, tuple(kinds) if free else ())
    exact = [solve(DiceSet(members), rules, overshoot).value for members in block.members()]
    assert len(exact) == block.sets
    bound = block_bound(block, rules, overshoot)
    assert bound >= max(exact)
    if len(exact) == 1:  # nothing can be exchanged for another die
        assert bound - exact[0] < mpq(1, 10)


def test_the_bound_of_a_block_is_the_worth_of_exchanging_dice():
    """One free die, which is rolled again after hot dice alone: any of the kinds each time.

    The oracle is the recursion by hand: 100 for a one, which ends the turn at 200 points.
    """
    ones, twos = Die((1, 0, 0, 0, 0, 0)), Die((1, 1, 0, 0, 0, 0))
    rules = KCD.varied(target=200)
    assert 200 <= block_bound(SetFamily((), 1, (ones, twos)), rules) < mpq(2001, 10)
    # 100 at once, or 1/2 of 200; and then 1/2 of 200 against 100: rolling never helps.
    assert 50 <= block_bound(SetFamily((), 1, (twos,)), rules) < mpq(501, 10)


def test_blocks_by_two_kinds_hold_each_set_of_the_named_dice_once():
    """As the sweep over all sets cuts them."""
    found = []
    for first in range(3, -1, -1):
        for second in range(3 - first, -1, -1):
            counts = {"weighted": first, "favourable": second}
            hold = ",".join(f"{name}*{n}" for name, n in counts.items() if n)
            without = ",".join(name for name, n in counts.items() if not n)
            block = named_block(
                parse_dice(hold) if hold else None, parse_dice(without) if without else None, 3
            )
            found += [
                frozenset((die, members.count(die)) for die in members)
                for members in block.members()
            ]
    kinds = dict.fromkeys(named_dice().values())
    expected = {
        frozenset((die, members.count(die)) for die in members)
        for members in combinations_with_replacement(kinds, 3)
    }
    assert len(found) == len(set(found))
    assert set(found) == expected


def test_sets_above_are_those_that_the_exact_solver_finds():
    least = mpq(1000)
    block = named_block(parse_dice("weighted"), None, 2)
    exact = {
        str(DiceSet(members)): value
        for members in block.members()
        if (value := solve(DiceSet(members), KCD).value) >= 200
    }
    found = sets_above(block, mpq(200), KCD)
    assert {str(dice) for dice, _ in found.found} == set(exact)
    assert all(exact[str(dice)] in worth for dice, worth in found.found)
    assert [worth.lower for _, worth in found.found] == sorted(
        (worth.lower for _, worth in found.found), reverse=True
    )
    assert sets_above(block, least, KCD).enclosed == 0


worths = st.tuples(st.integers(0, 9), st.integers(0, 9)).map(sorted)


@given(st.lists(st.lists(worths, max_size=4), min_size=1, max_size=3))
def test_blocks_are_ranked_together_and_a_place_is_certain_where_nothing_meets(bounds):
    """By comparing all pairs; the sets have made-up worths."""
    blocks, reports, number = [], [], 0
    for some in bounds:
        found = []
        for ends in some:
            number += 1
            found.append((DiceSet([Die((number, 1, 1, 1, 1, 1))]), Enclosure(*map(mpq, ends))))
        block = named_block(None, None, 1 + len(blocks) % 2)
        blocks.append(SetsAbove(block, mpq(1, 2), mpq(9), 5 + len(blocks), tuple(found)))
        reports.append(sets_report(blocks[-1], None, None, KCD, Overshoot.FULL))
    merged = merged_sets_report(reports)
    every = {str(dice): worth for block in blocks for dice, worth in block.found}
    rows = merged.table("sets").rows
    assert [row[0] for row in rows] == list(range(1, len(every) + 1))
    assert {dice: worth for _, dice, worth, _ in rows} == every
    order = [(-worth.lower, -worth.upper) for _, _, worth, _ in rows]
    assert order == sorted(order)
    for _, dice, worth, is_certain in rows:
        others = [theirs for name, theirs in every.items() if name != dice]
        assert is_certain == all(
            theirs.lower > worth.upper or worth.lower > theirs.upper for theirs in others
        )
    assert merged.value("above") == mpq(1, 2)
    assert merged.value("candidates") == sum(block.block.sets for block in blocks)
    assert merged.value("enclosed") == sum(block.enclosed for block in blocks)
    assert merged.value("found") == len(every)
    best = (rows[0][1], rows[0][2]) if rows else (None, None)
    assert (merged.value("best"), merged.value("value")) == best
    said = reports[0].provenance.conventions
    assert (said["hold"], said["without"]) == ("nothing", "nothing")
    del said["hold"], said["without"]
    assert merged.provenance.conventions == said
    (first, *_), report = blocks, reports[0]
    assert [report.value(name) for name in ("above", "candidates", "bound", "enclosed")] == [
        mpq(1, 2),
        first.block.sets,
        9,
        5,
    ]
    assert report.value("found") == len(first.found)


def test_sets_that_are_worth_exactly_so_much_are_found():
    """A die of ones alone is worth the target; the bound of the block is that much at least."""
    ones = Die((1, 0, 0, 0, 0, 0))
    rules = KCD.varied(target=100)
    block = SetFamily((), 1, (ones, Die((0, 1, 0, 0, 0, 0))))
    told = []
    run = Run(progress=lambda *news: told.append(news))
    found = sets_above(block, mpq(100), rules, run=run)
    assert [dice.dice for dice, _ in found.found] == [(ones,)]
    assert mpq(100) in found.found[0][1]
    assert (found.enclosed, found.block, found.least) == (2, block, 100)
    assert [news for news in told if news[0] == "sets"] == [("sets", 0, 2), ("sets", 1, 2)]
    assert [news for news in told if news[0] == "levels"] == [("levels", 1, 2), ("levels", 2, 2)]
    bound = block_bound(block, rules)
    assert sets_above(block, bound, rules).enclosed == 2
    assert sets_above(block, bound + mpq(1, 10**6), rules).enclosed == 0


def test_sets_above_are_ordered_by_both_bounds(monkeypatch):
    kinds = tuple(Die((number, 1, 1, 1, 1, 1)) for number in range(1, 6))
    ends = dict(zip(kinds, [(1, 3), (2, 2), (0, 1), (1, 5), (0, 9)], strict=True))
    monkeypatch.setattr(
        "exactdice.games.farkle.sets.bounds.enclose_points",
        lambda dice, *_: Enclosure(*map(mpq, ends[dice.dice[0]])),
    )
    found = sets_above(SetFamily((), 1, kinds), mpq(2), KCD.varied(target=100)).found
    assert [(int(w.lower), int(w.upper)) for _, w in found] == [(2, 2), (1, 5), (1, 3), (0, 9)]


def test_without_all_kinds_there_is_nothing_to_fill_up_with():
    every = DiceSet(named_dice().values())
    with pytest.raises(InputError, match="without: got all kinds; expected fewer kinds"):
        named_block(None, every, 1)
    one = parse_dice("odd")
    assert named_block(one, every, 1) == SetFamily(one.dice, 0, ())
    with pytest.raises(InputError, match="hold: got 2 dice; expected at most 1, by the size"):
        named_block(parse_dice("odd*2"), None, 1)


def test_the_question_answers_with_the_sets():
    report = ask("farkle sets --above 200 --hold weighted --size 2")
    assert report.value("found") == len(report.table("sets").cells("dice")) > 0
    assert report.value("candidates") == report.value("enclosed") == 33


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"size": 7}, "size: got 7; expected at most 6"),
        ({"hold": "odd*3", "size": 2}, "hold: got 3 dice; expected at most 2"),
        ({"target": "none"}, "target: got none"),
    ],
)
def test_questions_that_make_no_sense_are_refused(options, complaint):
    with pytest.raises(InputError, match=complaint):
        FarkleSets(above="1000", **options)


def test_blocks_that_are_too_large_are_refused(monkeypatch):
    fair = Die((1,) * 6)
    monkeypatch.setattr("exactdice.games.farkle.sets.bounds._MOST_SETS", 33)
    assert sets_above(named_block(parse_dice("weighted"), None, 2), mpq(0), KCD).enclosed == 33
    with pytest.raises(TooLargeError, match="34 sets may reach 0 points, more than 33"):
        sets_above(named_block(None, None, 1), mpq(0), KCD)
    with pytest.raises(TooLargeError, match="sets exceed 20000000; give more dice"):
        block_bound(SetFamily((), 7, tuple(Die((n, 1, 1, 1, 1, 1)) for n in range(1, 60))), KCD)
    for empty in (SetFamily((), 0, ()), SetFamily((), 0, (fair,)), SetFamily((), 1, ())):
        with pytest.raises(InputError, match="at least one die"):
            block_bound(empty, KCD)
    with pytest.raises(InputError, match="the points to reach"):
        block_bound(SetFamily((), 1, (fair,)), KCD.varied(target=None))
    with pytest.raises(TooLargeError, match="do not fit 64 bits"):
        block_bound(SetFamily((), 1, (fair,)), KCD.varied(target=200_000))
    two = SetFamily((), 2, (fair, Die((2, 1, 1, 1, 1, 1))))
    for most, fits in ((3, True), (2, False)):  # three sets of two dice of two kinds
        monkeypatch.setattr("exactdice.games.farkle.sets.bounds._MOST_CHOICES", most)
        if fits:
            assert block_bound(two, KCD.varied(target=50)) > 0
        else:
            with pytest.raises(TooLargeError, match="3 sets exceed 2"):
                block_bound(two, KCD.varied(target=50))


def test_points_fit_beside_the_bits_of_worths_and_chances():
    """Points, 10 bits behind the point of a worth and 36 of a chance are 62 bits: 2^16 points.

    A roll scores 8000 at most.
    """
    ones = SetFamily((), 1, (Die((1, 1, 0, 0, 0, 0)),))
    most = (2**16 - 8000) // 50 * 50
    assert block_bound(ones, KCD.varied(target=most, minimum_bank=most, hot_dice=False)) == 0
    with pytest.raises(TooLargeError, match="do not fit 64 bits"):
        block_bound(ones, KCD.varied(target=most + 50, minimum_bank=most, hot_dice=False))
    with pytest.raises(TooLargeError, match="do not fit 64 bits"):
        block_bound(ones, KCD.varied(target=most, penalty=50))
