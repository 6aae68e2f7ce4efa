"""The best sets of dice, bounds of whole blocks, and races in C++, against exact solutions."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise, product
from pathlib import Path
from time import sleep

import pytest
from farkle_oracle import SlowPlayer, slow_bounds
from gmpy2 import mpq
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from exactdice.arithmetic import decimal, to_fraction
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, TooLargeError
from exactdice.games.farkle.chase import race
from exactdice.games.farkle.races.chances import Contender, advise_to_win, contender, win_thresholds
from exactdice.games.farkle.races.play import BUST, lookahead
from exactdice.games.farkle.races.reports import (
    best_sets_report,
    chances_report,
    merged_sets_report,
    sets_report,
)
from exactdice.games.farkle.races.solve import (
    enclose_streaks,
    enclose_wins,
    least_turns,
    win_chances,
    win_exactly,
)
from exactdice.games.farkle.rules.dice_sets import DiceSet, Die, named_dice, parse_dice
from exactdice.games.farkle.rules.rule_set import Combination, RuleSet
from exactdice.games.farkle.rules.tables import FACEBOOK, KCD, TEN_THOUSAND
from exactdice.games.farkle.sets.best import (
    BestSets,
    RankedSet,
    SetAim,
    _in_threads,
    _settled,
    best_sets,
    sets_of,
)
from exactdice.games.farkle.sets.bounds import (
    SetFamily,
    SetsAbove,
    block_bound,
    named_block,
    sets_above,
)
from exactdice.games.farkle.turn.exact import Overshoot, solve
from exactdice.jobs.claims import claim_named
from exactdice.native import are_built
from exactdice.rooms import ask
from exactdice.run import Run
from exactdice.solve.play import played_by_seed

pytestmark = pytest.mark.skipif(not are_built(), reason="the C++ solvers are not built")

SMALL = KCD.varied(target=300)

owned_dice = st.lists(
    st.builds(Die, st.lists(st.integers(1, 4), min_size=6, max_size=6).map(tuple), st.booleans()),
    min_size=3,
    max_size=5,
).map(DiceSet)


def multisets(owned, size):
    found = set()
    for mask in range(1 << len(owned.dice)):
        some = [die for i, die in enumerate(owned.dice) if mask >> i & 1]
        if len(some) == size:
            found.add(tuple(sorted(some, key=lambda die: (die.weights, die.joker))))
    return found


@given(owned_dice, st.integers(1, 5))
def test_sets_of_lists_every_multiset_once(owned, size):
    found = [
        tuple(sorted(some.dice, key=lambda die: (die.weights, die.joker)))
        for some in sets_of(owned, size)
    ]
    assert len(found) == len(set(found))
    assert set(found) == multisets(owned, size)


@settings(max_examples=20, deadline=None)
@given(owned_dice, st.sampled_from(Overshoot))
def test_best_sets_for_points_agree_with_the_exact_solver(owned, overshoot):
    exact = sorted(
        (solve(some, SMALL, overshoot).value for some in sets_of(owned, 2)), reverse=True
    )
    found = best_sets(owned, 3, size=2, rules=SMALL, overshoot=overshoot)
    assert found.candidates == found.enclosed == len(exact)
    for ranked, value in zip(found.sets, exact, strict=False):
        assert value in ranked.worth
        assert solve(ranked.dice, SMALL, overshoot).value == value
        assert ranked.is_certain
        assert len(ranked.ties) == exact.count(value) - 1


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)).map(sorted), min_size=1, max_size=6),
    st.integers(1, 4), st.booleans(), st.randoms(use_true_random=False),
)  # fmt: skip
def test_places_are_certain_if_no_other_set_may_be_between(bounds, count, asks, random):
    """By comparing all pairs; with an exact solver of some of the worths within the bounds."""
    sets = [DiceSet([Die((place + 1, 1, 1, 1, 1, 0))]) for place in range(len(bounds))]
    worths = {some: Enclosure(mpq(a), mpq(b)) for some, (a, b) in zip(sets, bounds, strict=True)}
    truth = {some: mpq(random.randint(*ends)) for some, ends in zip(sets, bounds, strict=True)}
    asked = []

    def exactly(some):
        asked.append(some)
        return truth[some]

    ranked = sorted(worths.items(), key=lambda pair: (-pair[1].lower, -pair[1].upper))
    pairs = [(RankedSet(some, worth), worth) for some, worth in ranked]
    settled = _settled(pairs, count, exactly if asks else None)
    assert len(settled) == min(count, len(sets))
    known = worths | {some: Enclosure.of(truth[some]) for some in asked}
    for place, one in enumerate(settled):
        worth = known[one.dice]
        assert one.worth == worth
        others = {some: theirs for some, theirs in known.items() if some != one.dice}
        meeting = {
            some: theirs
            for some, theirs in others.items()
            if theirs.lower <= worth.upper and worth.lower <= theirs.upper
        }
        equal = {some for some, theirs in meeting.items() if theirs == worth}
        ties = equal if worth.point is not None else set()
        assert set(one.ties) == ties
        assert one.is_certain == (set(meeting) == ties)
        assert one.is_certain or not asks
        before = {other.dice for other in settled[:place]}
        assert all(known[some].lower <= worth.upper for some in others if some not in before)
    # Only sets that meet one which may be among the best are worth an exact solution.
    least = sorted((worth.lower for worth in worths.values()), reverse=True)[: len(settled)][-1]
    near = [some for some, worth in worths.items() if worth.upper >= least]
    assert set(asked) == {
        some
        for some in near
        if asks
        and any(
            worths[other].lower <= worths[some].upper and worths[some].lower <= worths[other].upper
            for other in near
            if other != some
        )
    }


def test_no_more_sets_are_solved_exactly_than_the_limit(monkeypatch):
    monkeypatch.setattr("exactdice.games.farkle.sets.best._MAX_EXACT", 2)
    wide, asked = Enclosure(mpq(0), mpq(1)), []
    pairs = [(RankedSet(parse_dice(name), wide), wide) for name in ("fair", "odd", "lucky")]
    first, *others = _settled(pairs, 3, lambda some: asked.append(some) or mpq(len(asked), 2))
    assert asked == [parse_dice("fair"), parse_dice("odd")]
    assert (first.dice, first.worth.point, first.is_certain) == (parse_dice("odd"), 1, False)
    assert not any(ranked.is_certain for ranked in others)


@pytest.mark.parametrize("aim", SetAim)
def test_a_report_lists_the_best_sets_with_their_ties(aim):
    odd, fair, lucky = map(parse_dice, ("odd", "fair", "lucky"))
    point, wide = Enclosure.of(mpq(1, 2)), Enclosure(mpq(1, 4), mpq(1, 3))
    sets = (RankedSet(odd, point, (lucky,)), RankedSet(fair, wide, (), is_certain=False))
    report = best_sets_report(BestSets(aim, sets, 7, 5), parse_dice("fair,odd"), KCD, more="words")
    assert [Enclosure.of(worth) for worth in report.table("sets").cells("value")] == [point, wide]
    assert [(*row[:2], *row[3:]) for row in report.table("sets").rows] == [
        (1, "odd", True, ("lucky",)),
        (2, "fair", False, ()),
    ]
    assert (report.value("best"), Enclosure.of(report.value("value"))) == ("odd", point)
    assert (report.value("candidates"), report.value("enclosed")) == (7, 5)
    said = report.provenance.conventions
    assert (said["own"], said["more"]) == ("fair,odd", "words")
    meant = {"points": "gain", "turns": "turns", "win": "win"}[aim]
    assert meant in report.table("sets").column_named("value").meaning


def test_as_many_sets_as_the_limit_are_ranked(monkeypatch):
    """Of two kinds, two and three dice, there are three sets of two dice."""
    own = parse_dice("fair*2,odd*3")
    for most in (3, 2):
        monkeypatch.setattr("exactdice.games.farkle.sets.best._MAX_SETS", most)
        if most == 3:
            assert best_sets(own, size=2, rules=SMALL).candidates == 3
        else:
            with pytest.raises(TooLargeError, match="own: 3 sets of 2 dice are more than 2"):
                best_sets(own, size=2, rules=SMALL)


def test_interrupted_work_skips_the_other_sets(monkeypatch):
    asked = []

    def stop(what, done, total):
        raise KeyboardInterrupt

    def worth(some):
        asked.append(some)
        sleep(0.001)
        return Enclosure.of(1)

    with pytest.raises(KeyboardInterrupt):
        _in_threads([parse_dice("fair")] * 500, worth, 1, Run(progress=stop))
    assert len(asked) < 400


def test_ties_and_fewest_turns_of_single_dice():
    # Twos and threes alone score nothing on one die: the first two dice are worth the same.
    found = best_sets("1:4:0:0:1:0,1:0:4:0:1:0,0:5:0:0:1:0", 3, size=1, rules=SMALL)
    first, second, third = found.sets
    assert first.worth == second.worth
    assert first.worth.point is not None
    assert (first.ties, second.ties, third.ties) == ((second.dice,), (first.dice,), ())
    assert all(ranked.is_certain for ranked in found.sets)
    # To 50 points, 100 in one roll of four takes 4 turns, and 50 in one roll of three takes 3.
    found = best_sets(
        "1:0:0:0:0:0,1:3:0:0:0:0,0:2:0:0:1:0", 2, "turns", size=1, rules=KCD.varied(target=50)
    )
    assert [str(ranked.dice) for ranked in found.sets] == ["1:0:0:0:0:0", "0:2:0:0:1:0"]
    assert [turns in ranked.worth for ranked, turns in zip(found.sets, (1, 3), strict=True)]


def least_by_iteration(dice, rules, passes=400):
    """The least expected number of turns with one die, iterated from 0: sharp from below.

    A one or a five is a hot die: with P points the turn is banked or rolled again.
    """
    (die,) = dice.dice
    one, five = die.distribution().probability(1), die.distribution().probability(5)
    one, five = (
        Fraction(int(one.numerator), int(one.denominator)),
        Fraction(int(five.numerator), int(five.denominator)),
    )
    turns = dict.fromkeys(range(0, rules.target, 50), 0.0)

    def rest(own, points):
        if own + points >= rules.target:
            return 0.0
        bank = turns[own + points]
        return min(bank, roll(own, points)) if points else roll(own, points)

    def roll(own, points):
        p, q = float(one), float(five)
        return p * rest(own, points + 100) + q * rest(own, points + 50) + (1 - p - q) * turns[own]

    for _ in range(passes):
        for own in sorted(turns, reverse=True):
            turns[own] = 1 + roll(own, 0)
    return turns


@pytest.mark.parametrize("spec", ["fair", "odd", "3:1:1:1:2:1"])
def test_least_turns_with_one_die_by_iteration(spec):
    rules = KCD.varied(target=250)
    dice = parse_dice(spec)
    expected = least_by_iteration(dice, rules)
    for own, turns in expected.items():
        found = least_turns(Contender(dice, rules), own)
        assert found.width < mpq(1, 10**9)
        assert abs(found.middle - mpq(turns)) < mpq(1, 10**8)


def test_least_turns_by_hand():
    # One roll in a thousand and one scores, so that a turn wins with 1/1001.
    found = least_turns(contender("1:1000:0:0:0:0", KCD.varied(target=100)))
    assert 1001 in found
    assert found.width < mpq(1, 10**6)
    # By hand: one die scores 100 with 1/6 and 50 with 1/6, all dice are rolled again, and nothing
    # short of 100 may be banked, which wins: r = 1/6 + 1/6·(r' = 1/3), so 2/9 of the turns do.
    player = contender("fair", KCD.varied(target=100, entry_minimum=100))
    assert mpq(9, 2) in least_turns(player)


def test_best_set_for_turns_is_the_best_of_all_sets():
    owned = parse_dice("fair,odd,lucky,unlucky,grimy")
    found = best_sets(owned, 2, "turns", size=3, rules=SMALL)
    turns = sorted(
        (least_turns(Contender(some, SMALL)).middle, str(some)) for some in sets_of(owned, 3)
    )
    assert [str(ranked.dice) for ranked in found.sets] == [name for _, name in turns[:2]]
    assert all(ranked.is_certain for ranked in found.sets)
    assert 2 <= found.enclosed <= found.candidates == 10


@pytest.mark.slow
def test_best_set_to_win_agrees_with_all_exact_races():
    owned, rival = parse_dice("fair,odd,lucky,0:1:0:0:0:0"), contender("fair*2", SMALL)
    found = best_sets(owned, 6, "win", size=2, rules=SMALL, opponent=rival, run=Run(workers=2))
    exact = sorted(
        (
            (win_exactly(Contender(some, SMALL), rival).chance().point, str(some))
            for some in sets_of(owned, 2)
        ),
        reverse=True,
    )
    assert [str(ranked.dice) for ranked in found.sets] == [name for _, name in exact]
    for ranked, (chance, _) in zip(found.sets, exact, strict=True):
        assert chance in ranked.worth


@pytest.mark.parametrize("aim", ["win", "turns"])
def test_a_set_that_never_scores_is_left_out(aim):
    rival = contender("fair", SMALL) if aim == "win" else None
    found = best_sets("fair,0:1:0:0:0:0", 2, aim, size=1, rules=SMALL, opponent=rival)
    assert [str(ranked.dice) for ranked in found.sets] == ["fair"]
    assert (found.candidates, found.enclosed) == (2, 1)


@pytest.mark.parametrize(("aim", "rival"), [("turns", None), ("win", "fair")])
def test_a_set_that_hardly_scores_is_not_left_out(aim, rival):
    # A roll in a thousand and one scores 100, which is less than a point a turn.
    rules, rare = KCD.varied(target=100), "1:1000:0:0:0:0"
    opponent = None if rival is None else contender(rival, rules)
    found = best_sets(f"fair,{rare}", 2, aim, size=1, rules=rules, opponent=opponent)
    assert [str(ranked.dice) for ranked in found.sets] == ["fair", rare]
    if aim == "turns":
        assert 1001 in found.sets[1].worth


def test_progress_of_best_sets_and_races_may_interrupt_the_work():
    told = []
    run = Run(progress=lambda *news: told.append(news))
    best_sets("fair*2,odd*2", size=2, rules=SMALL, run=run)
    assert told == [("sets", done, 3) for done in (1, 2, 3)]
    told.clear()
    best_sets("fair*2,odd*2", 1, "turns", size=2, rules=SMALL, run=run)
    assert told == [("sets", done, 3) for done in (1, 2, 3)]
    told.clear()
    player = contender(rules=KCD.varied(target=3000))
    enclose_wins(player, player, Run(progress=lambda *news: told.append(news)))
    assert told == sorted(told)
    assert all(0 <= done <= total == 1000 for _, done, total in told)

    def stop(what, done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        enclose_wins(player, player, Run(progress=stop))


def test_busts_in_a_row_change_chances():
    rules = KCD.varied(target=150, streak_penalty=100, floor=50)
    rival = contender("fair", rules)
    found = best_sets("fair,odd", 2, "win", size=1, rules=rules, opponent=rival)
    assert [str(ranked.dice) for ranked in found.sets] == ["odd", "fair"]
    for ranked in found.sets:
        worth = win_chances(contender(ranked.dice, rules), rival).chance()
        assert ranked.worth == worth
    # Bounds of a race of one die that shows a one or nothing, to 100 points: the first one wins, so
    # that the streaks do not matter, and the first to move wins with 1 / (2 − 1/2) = 2/3.
    rules = KCD.varied(target=100, streak_penalty=100)
    player = contender("1:1:0:0:0:0", rules)
    found = enclose_streaks(player, player)
    assert mpq(2, 3) in found.chance()
    assert found.chance().width <= mpq(1, 10**6)
    # With a floor below 0 three busts in a row cost two ones more.
    player = contender("1:1:0:0:0:0", rules.varied(floor=100))
    fallen = enclose_streaks(player, player)
    assert fallen.chance().upper < found.chance().lower


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
    st.lists(DICE, max_size=2), st.integers(0, 2),
    st.lists(DICE, min_size=1, max_size=3, unique=True), RULES, st.sampled_from(Overshoot),
)  # fmt: skip
def test_no_set_of_a_block_exceeds_its_bound(held, free, kinds, rules, overshoot):
    if not held and not free:
        return
    block = SetFamily(tuple(held), free, tuple(kinds) if free else ())
    exact = [solve(DiceSet(members), rules, overshoot).value for members in block.members()]
    assert len(exact) == block.sets
    bound = block_bound(block, rules, overshoot)
    assert bound >= max(exact)
    if len(exact) == 1:  # nothing can be exchanged for another die
        assert bound - exact[0] < mpq(1, 10)


def test_the_bound_of_a_block_is_the_value_of_exchanging_dice():
    """One free die, which is rolled again after hot dice alone: any of the kinds each time.

    The oracle is the recursion by hand: 100 for a one, which ends the turn at 200 points.
    """
    ones, twos = Die((1, 0, 0, 0, 0, 0)), Die((1, 1, 0, 0, 0, 0))
    rules = KCD.varied(target=200)
    assert 200 <= block_bound(SetFamily((), 1, (ones, twos)), rules) < mpq(2001, 10)
    needed = block_bound(SetFamily((), 1, (ones, twos)), rules, Overshoot.NEEDED)
    assert 200 <= needed < mpq(2001, 10)
    # 100 at once, or 1/2 of 200; and then 1/2 of 200 against 100: rolling never helps.
    assert 50 <= block_bound(SetFamily((), 1, (twos,)), rules) < mpq(501, 10)


def test_blocks_by_two_kinds_contain_each_set_of_named_dice_once():
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


def test_sets_above_agree_with_the_exact_solver():
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
    # A die of ones alone is worth the target; the bound of the block is that much at least.
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


worths = st.tuples(st.integers(0, 9), st.integers(0, 9)).map(sorted)


@given(st.lists(st.lists(worths, max_size=4), min_size=1, max_size=3))
def test_blocks_are_ranked_together_and_disjoint_enclosures_are_certain(bounds):
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
        mpq(1, 2), first.block.sets, 9, 5,
    ]  # fmt: skip
    assert report.value("found") == len(first.found)


def test_sets_above_are_ordered_by_both_bounds(monkeypatch):
    kinds = tuple(Die((number, 1, 1, 1, 1, 1)) for number in range(1, 6))
    ends = dict(zip(kinds, [(1, 3), (2, 2), (0, 1), (1, 5), (0, 9)], strict=True))
    monkeypatch.setattr(
        "exactdice.games.farkle.sets.bounds.enclose_points",
        lambda dice, *_: Enclosure(*map(mpq, ends[dice.dice[0]])),
    )
    found = sets_above(SetFamily((), 1, kinds), mpq(2), KCD.varied(target=100)).found
    assert [(int(w.lower), int(w.upper)) for _, w in found] == [(2, 2), (1, 5), (1, 3), (0, 9)]


def test_a_block_without_any_kinds_is_rejected():
    every = DiceSet(named_dice().values())
    one = parse_dice("odd")
    assert named_block(one, every, 1) == SetFamily(one.dice, 0, ())


@pytest.mark.slow
def test_questions_report_sets_and_lists_of_scores():
    report = ask("farkle sets --above 200 --hold weighted --size 2")
    assert report.value("found") == len(report.table("sets").cells("dice")) > 0
    assert report.value("candidates") == report.value("enclosed") == 33
    listed = ask("farkle race --target 500 --play optimal --step 200").table("chances")
    assert listed.cells("own") == [own for own in (0, 200, 400) for _ in range(3)]
    one = ask("farkle race --target 500 --play optimal --scores 200,400")
    for column, name in (("chance", "value"), ("looking", "looking")):
        shown = listed.cell(column, own=200, other=400)
        assert Enclosure.of(shown) == Enclosure.of(one.value(name))


def test_blocks_and_points_beyond_their_limits_are_rejected(monkeypatch):
    # Points, 10 bits behind the point of a worth and 36 of a chance are 62 bits: 2^16 points.
    # A roll scores 8000 at most.
    ones = SetFamily((), 1, (Die((1, 1, 0, 0, 0, 0)),))
    most = (2**16 - 8000) // 50 * 50
    assert block_bound(ones, KCD.varied(target=most, minimum_bank=most, hot_dice=False)) == 0
    with pytest.raises(TooLargeError, match="do not fit 64 bits"):
        block_bound(ones, KCD.varied(target=most + 50, minimum_bank=most, hot_dice=False))
    with pytest.raises(TooLargeError, match="do not fit 64 bits"):
        block_bound(ones, KCD.varied(target=most, penalty=50))
    fair = Die((1,) * 6)
    monkeypatch.setattr("exactdice.games.farkle.sets.bounds._MOST_SETS", 33)
    assert sets_above(named_block(parse_dice("weighted"), None, 2), mpq(0), KCD).enclosed == 33
    with pytest.raises(TooLargeError, match="34 sets may reach 0 points, more than 33"):
        sets_above(named_block(None, None, 1), mpq(0), KCD)
    with pytest.raises(TooLargeError, match="sets exceed 20000000; use more dice"):
        block_bound(SetFamily((), 7, tuple(Die((n, 1, 1, 1, 1, 1)) for n in range(1, 60))), KCD)
    for empty in (SetFamily((), 0, ()), SetFamily((), 0, (fair,)), SetFamily((), 1, ())):
        with pytest.raises(InputError, match="at least one die"):
            block_bound(empty, KCD)
    with pytest.raises(InputError, match="a number of points"):
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


TINY = mpq(1, 10**12)

weights = st.lists(st.integers(0, 3), min_size=6, max_size=6).filter(lambda w: w[0] and w[1])
some_dice = st.lists(st.builds(Die, weights.map(tuple), st.booleans()), min_size=1, max_size=3)


@st.composite
def contenders(draw):
    target = 50 * draw(st.integers(1, 7))
    rules = RuleSet(
        "random",
        (
            Combination((2,), 50), Combination((1, 1), 50 * draw(st.integers(1, 5))),
            Combination((1, 2, 3), 50 * draw(st.integers(1, 8))),
        ),
        dice=3, minimum_bank=50 * draw(st.integers(0, min(2, target // 50))),
        hot_dice=draw(st.booleans()), entry_minimum=50 * draw(st.integers(0, min(3, target // 50))),
        target=target,
    )  # fmt: skip
    aim = draw(st.sampled_from(["win", "win", "points"]))
    try:
        return Contender(DiceSet(draw(some_dice)), rules, aim)
    except InputError:  # no turn comes to what it takes to bank
        assume(False)


def pairs(first, second):
    players = first, second
    for who in (0, 1):
        mine, theirs = players[who], players[1 - who]
        for own in range(0, mine.target, mine.rules.unit):
            for other in range(0, theirs.target, theirs.rules.unit):
                yield own, other, who


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(contenders(), contenders(), st.booleans())
def test_enclosures_contain_the_exact_chances_and_are_narrow(first, second, alike):
    second = first if alike else second
    exact = win_exactly(first, second)
    found = enclose_wins(first, second)
    for where in pairs(first, second):
        enclosure = found.chance(*where)
        assert exact.chance(*where).point in enclosure
        # Where turns hardly ever add anything, what rounding loses is multiplied.
        assert enclosure.width <= 1000 * TINY


def test_the_longer_list_of_rolls_sets_the_time_of_a_race():
    """A race of four different dice against one takes long, whoever of the two begins."""
    rules = KCD.varied(target=20_000)
    four, one = (contender("fair,odd,lucky,unlucky", rules), contender("fair", rules))

    class Stopped(Exception):  # noqa: N818 - no error: the race need not be solved
        pass

    def announce(words):
        raise Stopped(words)

    def begun(what, done, total):
        raise Stopped("nothing was announced")

    for players in ((four, one), (one, four)):
        with pytest.raises(Stopped, match="this race takes about"):
            enclose_wins(*players, run=Run(announce=announce, progress=begun))


@pytest.mark.slow
def test_races_for_points_agree_with_sums_over_turns():
    rules = KCD.varied(target=2000)
    first, second = (contender(spec, rules, "points") for spec in ("fair*6", "fair*5"))
    found = enclose_wins(first, second).chance()
    known = race("fair*6", "fair*5", rules)
    assert found.lower <= known.lower <= known.upper <= found.upper
    rules = STREAKY.varied(target=300)
    players = [contender(dice, rules, "points") for dice in ("fair*2", "odd,fair")]
    by_states = enclose_streaks(*players, width="1/1000000000").chance()
    by_turns = race("fair*2", "odd,fair", rules)
    assert by_states.lower <= by_turns.lower <= by_turns.upper <= by_states.upper


def test_threads_do_not_change_a_bit():
    rules = KCD.varied(target=600)
    first, second = contender("fair*6", rules), contender("fair*2,odd*3", rules)
    one, two = (enclose_wins(first, second, run=Run(workers=threads)) for threads in (1, 2))
    assert all(one.chance(*where) == two.chance(*where) for where in pairs(first, second))


def test_advice_and_thresholds_of_an_enclosed_race_are_those_of_the_exact_one():
    rules = KCD.varied(target=500)
    first, second = contender("fair*2,odd", rules), contender("fair*3", rules)
    exact, found = win_exactly(first, second), enclose_wins(first, second)
    for roll, (own, other) in product(("1,1,5", "5,2,1", "5,5,3"), ((0, 0), (200, 450))):
        known = {c.way: c for c in advise_to_win(exact, roll, own, other)}
        for choice in advise_to_win(found, roll, own, other):
            assert known[choice.way].value.point in choice.value
            assert known[choice.way].regret.point in choice.regret
            assert choice.best in (None, known[choice.way].best)
    for enclosed, known in zip(win_thresholds(found), win_thresholds(exact), strict=True):
        assert enclosed.roll == known.roll
        assert enclosed.unsettled == known.ties


@pytest.mark.long
def test_fairest_head_start_of_the_second_player_is_200_points():
    # Busche and Neller, "Optimal play of the Farkle dice game", abstract: 200 compensation points.
    player = contender(rules=TEN_THOUSAND)
    chances = enclose_wins(player, player, run=Run(workers=2))
    apart = {
        start: abs(chances.chance(0, start).middle - mpq(1, 2)) for start in range(0, 1000, 50)
    }
    assert min(apart, key=apart.get) == 200
    # The claim says what play for points loses where each begins half of the games.
    seeing, blind = (replace(player, aim=aim) for aim in ("win", "points"))
    begins = enclose_wins(blind, seeing, run=Run(workers=2)).chance(0, 0)
    follows = 1 - enclose_wins(seeing, blind, run=Run(workers=2)).chance(0, 0)
    lost = decimal(100 * ((1 - begins - follows) / 2).middle, 4)
    assert f" {lost} percentage points less " in claim_named("farkle.human-strategy").note


@pytest.mark.slow
def test_looking_gains_most_at_the_scores_in_the_paper():
    to_win = contender(rules=KCD.varied(target=4000))
    blind = replace(to_win, aim="points")
    seeing, unseeing = (enclose_wins(player, to_win) for player in (to_win, blind))
    looking = {
        scores: seeing.chance(*scores) - unseeing.chance(*scores)
        for scores in product(range(0, 4000, 50), repeat=2)
    }
    told = chances_report(seeing, unseeing, 2000)
    table = Path(__file__).parents[3] / "papers" / "generated" / "farkle" / "looking.tex"
    ahead = {scores: gain for scores, gain in looking.items() if scores[0] > scores[1]}
    for name, gains, (own, other) in (
        ("most", looking, (3200, 3950)),
        ("ahead", ahead, (3650, 3600)),
    ):
        assert (told.value(f"{name}_own"), told.value(f"{name}_other")) == (own, other)
        assert told.value(f"{name}_mean").middle == sum(g.middle for g in gains.values()) / len(
            gains
        )
        others = [gain.upper for scores, gain in gains.items() if scores != (own, other)]
        assert gains[own, other].lower > max(others)
        assert (
            f"farkle race --target 4000 --play optimal --scores {own},{other}"
            in table.read_text("utf-8")
        )


STREAKY = KCD.varied(target=150, streak_penalty=50, floor=50)


def every_standing(first, second):
    players = first, second
    for who in (0, 1):
        mine, theirs = players[who], players[1 - who]
        for own in range(mine.floor * 50, mine.target, 50):
            for other in range(theirs.floor * 50, theirs.target, 50):
                for row in range(9):
                    yield who, own, other, (row // 3, row % 3)


@pytest.mark.slow
def test_chances_with_streaks_agree_with_the_definition():
    first, second = contender("odd", STREAKY), contender("fair", STREAKY.varied(target=100))
    found = enclose_streaks(first, second, width="1/100000000")
    low, high = slow_bounds([SlowPlayer(p.dice.dice, p.rules) for p in (first, second)], 60)
    for who, own, other, busts in every_standing(first, second):
        chance = found.chance(own, other, who, busts)
        place = who, own, other, *busts
        assert to_fraction(chance.lower) <= high[place]
        assert to_fraction(chance.upper) >= low[place]
        assert high[place] - low[place] < Fraction(1, 10**6)


def test_races_of_equal_players_and_with_free_streaks():
    player, other = contender("odd,fair", STREAKY), contender("fair,odd", STREAKY)
    once = enclose_streaks(player, player)
    twice = enclose_streaks(player, other)
    for who, own, score, busts in every_standing(player, player):
        one, two = (each.chance(own, score, who, busts) for each in (once, twice))
        assert max(one.lower, two.lower) <= min(one.upper, two.upper)
    player = contender(rules=KCD.varied(target=600))
    plain = enclose_wins(player, player).chance()
    found = enclose_streaks(player, player, Run(workers=2), width="1/1000000000").chance()
    assert found.lower <= plain.lower <= plain.upper <= found.upper


def test_turns_and_plays_with_streaks_follow_the_race():
    player = contender("fair*2", STREAKY)
    chances = enclose_streaks(player, player)
    for who, own, other, busts in every_standing(player, player):
        turn = chances.turn(own, other, who, busts)
        rolling = turn.rolling(0, player.dice.full)
        chance = chances.chance(own, other, who, busts)
        assert rolling.lower - mpq(1, 10**9) <= chance.upper
        assert chance.lower <= rolling.upper + mpq(1, 10**9)
        for choice in advise_to_win(chances, "1,5", own, other, mover=who, busts=busts):
            assert 0 <= choice.regret.lower <= choice.regret.upper
    player = contender("fair*2", STREAKY.varied(target=300))
    chances = win_chances(player, player)
    steps, _ = played_by_seed(lookahead(chances), 4, None)
    rows = [step.state.busts for step in steps]
    assert all(0 <= row <= 2 for busts in rows for row in busts)
    assert any(any(busts) for busts in rows)
    for step, later in pairwise(steps):  # a bust is one more, the third begins anew
        who, (own, _, _, (row, _)) = step.state.who, step.state.standing
        if step.action == BUST:
            assert later.state.busts[who] == (row + 1) % 3
            assert later.state.scores[who] == own - (player.rules.fall(own, row))
    points = win_chances(player, contender("fair*2", player.rules, "points"))
    steps, _ = played_by_seed(lookahead(points), 1, None)
    assert not any(step.regret.lower for step in steps)


@pytest.mark.long
def test_first_player_of_facebook_farkle_wins_with_53_487_per_cent():
    # M. Busche, mattbusche.org/blog/article/optimal_farkle (2016), with scores of at least −2500.
    player = contender(rules=FACEBOOK)
    found = enclose_streaks(player, player, Run(workers=2), width="1/200000")
    assert found.chance().decimal(5) == "0.53487"
