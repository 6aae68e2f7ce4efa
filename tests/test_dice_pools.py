"""Pools: what is kept, folds and named functions of the sorted roll, each against all rolls."""

from itertools import product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdice.dice import (
    Distribution,
    beaten,
    count,
    d,
    distinct,
    fair,
    largest_set,
    longest_straight,
    matched,
    number_of_sets,
    pool,
    sorted_roll,
)
from exactdice.errors import InputError, TooLargeError
from exactdice.games.risk.rounds import _losses
from exactdice.games.risk.rules import Ties
from exactdice.memory import stored_bytes
from exactdice.run import Run

weighted = st.dictionaries(st.integers(-3, 6), st.integers(1, 3), min_size=1, max_size=4)
# Fair ones share their lower faces, so that they become one kind on the way down.
dice = st.one_of(weighted.map(Distribution), st.integers(1, 5).map(fair))
some_dice = st.lists(dice, min_size=1, max_size=4)
few_dice = st.lists(dice, min_size=1, max_size=2)


def rolls(die):
    """The outcomes of a die, as often as their weight says."""
    return [face for face, weight in die.items() for _ in range(weight)]


def listed(some):
    """Every roll of some dice, each from the highest down."""
    return [sorted(roll, reverse=True) for roll in product(*map(rolls, some))]


def law(outcomes):
    return Distribution.from_faces(outcomes)


@given(some_dice, st.data())
def test_the_sum_of_any_ranks_is_that_of_sorted_rolls(some, data):
    kept = data.draw(st.sets(st.integers(0, len(some) - 1), min_size=1))
    assert pool(*some).keep(kept) == law(sum(roll[i] for i in kept) for roll in listed(some))


@pytest.mark.slow
@given(dice, st.integers(1, 5), st.data())
def test_the_highest_and_lowest_of_equal_dice_are_those_of_sorted_rolls(die, number, data):
    kept = data.draw(st.integers(1, number))
    every = listed([die] * number)
    assert die.keep_highest(number, kept) == law(sum(roll[:kept]) for roll in every)
    assert die.keep_lowest(number, kept) == law(sum(roll[-kept:]) for roll in every)


@given(st.lists(dice, min_size=1, max_size=3, unique=True), st.integers(1, 3), st.data())
def test_what_is_kept_and_what_is_dropped_have_the_mean_of_the_sum(kinds, each, data):
    """In pools too large to be listed: the means add up to that of all dice."""
    together = pool(*(part for die in kinds for part in (3 * each, die)))
    ranks = st.integers(0, len(together) - 1)
    kept = data.draw(st.sets(ranks, min_size=1, max_size=len(together) - 1))
    dropped = set(range(len(together))) - kept
    means = together.keep(kept).mean() + together.keep(dropped).mean()
    assert means == sum(3 * each * die.mean() for die in kinds)


def test_fractions_are_kept_as_whole_numbers_are():
    halves = fair(4) / 2
    assert halves.keep_highest(3, 2) == fair(4).keep_highest(3, 2) / 2
    assert pool(2, halves, halves + 1).keep([1]) * 2 == pool(2, fair(4), fair(4) + 2).keep([1])


@given(few_dice, few_dice, st.booleans())
def test_a_fold_sees_every_face_in_order_with_what_each_pool_shows(mine, theirs, lowest_first):
    """The state keeps all that it is shown: as much as any function of sorted rolls can."""
    faces = sorted({face for die in mine + theirs for face in die}, reverse=not lowest_first)
    everything = pool(*mine).fold(
        (), lambda seen, *shown: (*seen, shown), pool(*theirs), lowest_first=lowest_first
    )
    assert everything == law(
        tuple((face, first.count(face), second.count(face)) for face in faces)
        for first in listed(mine)
        for second in listed(theirs)
    )


def test_a_fold_calls_its_step_once_for_equal_arguments():
    calls = []

    def step(state, *shown):
        calls.append((state, *shown))
        return max(state, shown[1])

    pool(5, d(4), d(6)).fold(0, step)
    assert len(calls) == len(set(calls))


def test_a_fold_over_many_dice_and_kinds_gives_a_known_law():
    # Source: that 40 dice show no six has the chance (5/6)^40; a binomial law of the rest.
    sixes = pool(40, d(6)).fold(0, lambda sixes, face, count: count if face == 6 else sixes)
    assert sixes == Distribution({k: comb(40, k) * 5 ** (40 - k) for k in range(41)})


@pytest.mark.parametrize(
    ("wrong", "line"),
    [
        (
            lambda: pool(2, d(6)).fold([], lambda seen, *_: [*seen]),
            "step: got []; expected a hashable state, such as a number or a tuple",
        ),
        (
            lambda: pool(2, d(6)).fold(0, lambda *_: ([],)),
            "step: got ([],); expected a hashable state, such as a number or a tuple",
        ),
        (
            lambda: pool(2, d(6)).fold(0, lambda _, face, count: 1 // (face - face)),
            "step: got ZeroDivisionError: integer division or modulo by zero; "
            "expected a function of a state, a face, and one count of dice per pool",
        ),
        (
            lambda: pool(2, d(6)).fold(0, lambda *_: 0, 6),
            "pool: got 6; expected a pool, such as pool(3, d(6))",
        ),
    ],
)
def test_a_fold_refuses_what_it_cannot_go_through(wrong, line):
    with pytest.raises(InputError) as problem:
        wrong()
    assert str(problem.value) == line


def test_faces_without_an_order_are_refused():
    mixed = pool(d(2), Distribution({"a": 1}))
    for ask in (lambda: mixed.keep([0]), lambda: mixed.keep([0, 1]), lambda: distinct(mixed)):
        with pytest.raises(
            InputError, match=r"^faces: got \[.*; expected faces that can be compared"
        ):
            ask()


def test_what_is_kept_and_folds_are_refused_by_the_memory_of_the_run():
    small = Run(memory=2**20)
    many = pool(*(part for sides in range(4, 16) for part in (10, d(sides).map(lambda f: -f))))
    for large in (
        lambda: pool(300, d(100)).keep_highest(150, run=small),
        lambda: many.fold(0, lambda *_: 0, run=small),
    ):
        with pytest.raises(TooLargeError, match=r"dice.* needs about .* limit of 1\.0 MiB"):
            large()


def longest_run(roll):
    """Most faces one after another, by trying each as the first."""
    return max(next(n for n in range(1, len(roll) + 2) if first + n not in roll) for first in roll)


@given(some_dice, st.integers(1, 3), st.integers(-2, 5))
def test_named_functions_of_a_roll_are_those_of_every_roll(some, size, bound):
    every, together = listed(some), pool(*some)
    shown = [[roll.count(face) for face in set(roll)] for roll in every]
    assert sorted_roll(together) == law(map(tuple, every))
    assert largest_set(together) == law(map(max, shown))
    assert number_of_sets(together, size) == law(sum(n >= size for n in ns) for ns in shown)
    assert distinct(together) == law(map(len, shown))
    assert longest_straight(together) == law(map(longest_run, every))
    reached = law(sum(face >= bound for face in roll) for roll in every)
    assert count(together, lambda face: face >= bound) == reached


@given(few_dice, few_dice, st.booleans())
def test_two_pools_meet_as_every_pair_of_rolls_does(mine, theirs, ties):
    pairs = list(product(listed(mine), listed(theirs)))

    def wins(x, y):
        return x > y or (ties and x == y)

    expected = [sum(wins(own[0], other) for other in others) for own, others in pairs]
    assert beaten(pool(*mine), pool(*theirs), ties=ties) == law(expected)
    expected = []
    for own, others in pairs:
        won = [wins(x, y) for x, y in zip(own, others, strict=False)]
        expected.append((won.count(False), won.count(True)))
    assert matched(pool(*mine), pool(*theirs), ties=ties) == law(expected)


@pytest.mark.parametrize("ties", list(Ties))
def test_matched_pools_are_rounds_of_risk_of_any_size(ties):
    """Oracle: the round by its weak orders, which count no faces."""
    for a, b, sides, other_sides in ((3, 2, 6, 6), (7, 5, 4, 6), (6, 8, 8, 3)):
        by_orders = _losses(a, b, sides, other_sides, ties)
        ours = matched(pool(a, d(sides)), pool(b, d(other_sides)), ties=ties is Ties.ATTACKER)
        assert ours == by_orders


def test_what_takes_long_is_announced_before_it_starts():
    """The announcement ends the computation here, so that it has begun nothing."""

    class HeardError(Exception):
        pass

    def hear(line):
        raise HeardError(line)

    with pytest.raises(HeardError, match=r"^the sum of 200 of 400 dice takes about ") as heard:
        pool(400, d(200)).keep_highest(200, run=Run(memory=None, announce=hear))
    # 2 to 5 ns for each of 400 * 8 bits of each of 199 * 200 + 1 sums at each of 200 faces
    bits = 3200 * 39_801 * 200
    seconds = int(str(heard.value).split()[-2])
    assert str(heard.value).endswith(" seconds")
    assert 2 * bits < seconds * 10**9 < 5 * bits
    pool(20, d(20)).keep_highest(5, run=Run(announce=hear))


@pytest.mark.parametrize("keep", ["keep_highest", "keep_middle"])
def test_each_face_of_kept_dice_is_told(keep):
    heard = []
    getattr(pool(6, d(8)), keep)(2, run=Run(progress=lambda *news: heard.append(news)))
    assert heard == [("faces", done, 8) for done in range(8)]


class Asking(Run):
    """Notes what is asked for, and allows it."""

    def require(self, needed, what):
        self.progress(what, needed, None)

    def expect(self, nanoseconds, what):
        self.progress(what, nanoseconds, None)

    def tell(self, what, done, total=None):
        """Not noted here."""


@pytest.mark.parametrize(
    ("ask", "asked"),
    [
        # Laws of so many numbers, each of as many bits as all dice together: 3 for a d6, 4 for d8.
        (
            lambda run: pool(40, d(6), d(8)).fold(0, lambda *_: 0, run=run),
            [("a fold over 41 dice of 2 kinds", stored_bytes(41 * 2, 40 * 3 + 4))],
        ),
        (
            lambda run: d(6).sum_of(45, run),
            [("the sum of 45 outcomes between 1 and 6", stored_bytes(226, 45 * 3 + 1))],
        ),
        (
            lambda run: d(6).sum_of(d(40), run),
            [("the sum of 40 outcomes between 0 and 6", stored_bytes(241, 40 * 3 + 6))],
        ),
        (
            lambda run: d(6).explode(39, run=run),
            [("a die that explodes 39 times", stored_bytes(241, 40 * 3))],
        ),
        # Three polynomials of 11 sums, of 12 bits at each of 6 faces; 4 ns each, or 1/20 ns for
        # each pair of 3 or 4 numbers of dice that are left.
        (
            lambda run: pool(4, d(6)).keep_highest(2, run),
            [
                ("the sum of 2 of 4 dice", 3 * stored_bytes(11, 12)),
                ("the sum of 2 of 4 dice", 4 * 792),
            ],
        ),
        (
            lambda run: pool(4, d(6)).keep_lowest(2, run),
            [
                ("the sum of 2 of 4 dice", 3 * stored_bytes(11, 12)),
                ("the sum of 2 of 4 dice", 4 * 792),
            ],
        ),
        (
            lambda run: pool(4, d(6)).keep_middle(2, run),
            [
                ("the sum of 2 of 4 dice", 3 * stored_bytes(11, 12)),
                ("the sum of 2 of 4 dice", 792 * 3**2 // 20),
            ],
        ),
        (
            lambda run: pool(5, d(6)).keep([0, 3], run),
            [
                ("the sum of 2 of 5 dice", 4 * stored_bytes(11, 15)),
                ("the sum of 2 of 5 dice", 6 * 11 * 15 * 4**2 // 20),
            ],
        ),
        (
            lambda run: pool(2, d(4), 3, d(6)).keep_highest(2, run),
            [
                ("the sum of 2 of 5 dice", 4 * stored_bytes(11, 15)),
                ("the sum of 2 of 5 dice", 6 * 11 * 15 * 4**2 // 20),
            ],
        ),
    ],
)
def test_memory_and_time_are_asked_for_by_sizes_and_measured_steps(ask, asked):
    noted = []
    ask(Asking(progress=lambda what, number, _: noted.append((what, number))))
    assert noted == asked


def test_rolling_again_asks_for_the_memory_of_its_weights(monkeypatch):
    asked = []
    monkeypatch.setattr(
        "exactdice.dice.distribution.require_memory", lambda *request: asked.append(request)
    )
    d(6).reroll([1], times=2)  # three rolls of three bits
    assert asked[-1] == (stored_bytes(6, 3 * 3), "a die that is rolled again 2 times")
