"""Two players of the SWE game in turn order, against the definition."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from swe_oracle import Oracle, moves

from exactdice.errors import InputError, TooLargeError
from exactdice.games.swe.optimum.objectives import rivals
from exactdice.games.swe.rules import STANDARD, ActionKind, Ladder
from exactdice.rooms import ask
from exactdice.run import Run

SMALL = Ladder(2, 3)


def rounds_of(revenue, legacy, score, ladder):
    """The distribution of the state after each move."""
    for dice in moves(revenue, legacy).values():
        yield {after: chance for chance, after in Oracle(ladder).ends(*dice, score)}


def by_definition(rounds, tie, ladder, turn=0, players=None):
    """The value to the first player, by trying every move of both, from a turn on."""

    @cache
    def value(turn, first, second):
        if turn == 2 * rounds:
            return Fraction(first[2] > second[2]) + tie * (first[2] == second[2])
        mover = second if turn % 2 else first
        worths = (
            sum(
                p * (value(turn + 1, first, after) if turn % 2 else value(turn + 1, after, second))
                for after, p in law.items()
            )
            for law in rounds_of(*mover, ladder)
        )
        return min(worths) if turn % 2 else max(worths)

    empty = ((0,) * len(ladder), (0,) * len(ladder), 0)
    return value(turn, *(players or (empty, empty)))


@pytest.mark.parametrize("tie", [Fraction(0), Fraction(1, 2), Fraction(1)])
@pytest.mark.parametrize(("rounds", "ladder"), [(1, STANDARD), (3, STANDARD), (3, SMALL)])
def test_the_value_is_that_of_the_definition(rounds, ladder, tie):
    assert rivals(rounds, tie, ladder).value == by_definition(rounds, tie, ladder)


def test_up_to_four_rounds_playing_for_points_is_playing_to_win():
    assert [len(rivals(rounds).differences) for rounds in (1, 2, 3, 4)] == [0, 0, 0, 0]


def expected(left, state, ladder):
    """The best expected final score, by trying every move."""
    if not left:
        return Fraction(state[2])
    return max(worth_of(law, left, ladder) for law in rounds_of(*state, ladder))


def worth_of(law, left, ladder):
    return sum(p * expected(left - 1, after, ladder) for after, p in law.items())


def test_moments_at_which_they_differ_are_those_of_the_definition():
    rounds, tie, ladder = 3, Fraction(1, 2), Ladder(2, 4)
    game = rivals(rounds, tie, ladder)
    assert len(game.differences) > 2
    for moment in game.differences:
        second = moment.player == 2
        turn, left = 2 * (moment.round - 1) + second, rounds - moment.round + 1
        own, other = tuple(moment.own), tuple(moment.other)
        laws = list(rounds_of(*own, ladder))
        points = [worth_of(law, left, ladder) for law in laws]

        def worth(law, turn=turn, second=second, other=other):
            return sum(
                p
                * by_definition(rounds, tie, ladder, turn + 1, (other, a) if second else (a, other))
                for a, p in law.items()
            )

        to_win = [worth(law) for law in laws]
        best = min(to_win) if second else max(to_win)
        for_points = [w for w, p in zip(to_win, points, strict=True) if p == max(points)]
        assert best not in for_points
        assert moment.loss == min(abs(best - w) for w in for_points)


@pytest.mark.long
def test_the_first_moment_at_which_winning_and_points_part():
    game = rivals(6)
    first = game.differences[0]
    assert (first.round, first.player) == (4, 2)
    assert first.own.score < first.other.score
    assert (first.to_win.kind, first.for_points.kind) == (ActionKind.PROMOTE, ActionKind.CREATE)
    assert game.value < game.points_value == Fraction(1, 2)


def test_by_symmetry_play_for_points_is_even():
    # Both play alike and apart, so each is ahead as often; a tie counts a half.
    for rounds in (2, 4):
        assert rivals(rounds).points_value == Fraction(1, 2)


def scores_of_play_for_points(left, state, ladder):
    """The law of the final score when the first move for points is played in every round."""
    if not left:
        return {state[2]: Fraction(1)}
    laws = list(rounds_of(*state, ladder))
    laws = laws[::-1] if any(state[1]) else laws  # of dice to repair, the highest comes first
    scores = Counter()
    for after, p in max(laws, key=lambda law: worth_of(law, left, ladder)).items():
        for score, q in scores_of_play_for_points(left - 1, after, ladder).items():
            scores[score] += p * q
    return scores


@pytest.mark.parametrize("tie", [Fraction(0), Fraction(1, 3), Fraction(1)])
def test_play_for_points_is_worth_what_two_of_its_scores_are_worth(tie):
    for rounds, ladder in ((3, STANDARD), (4, Ladder(2, 4))):
        empty = ((0,) * len(ladder), (0,) * len(ladder), 0)
        law = scores_of_play_for_points(rounds, empty, ladder)
        pairs = product(law.items(), law.items())
        worth = sum(p * q * (tie if s == o else s > o) for (s, p), (o, q) in pairs)
        assert rivals(rounds, tie, ladder).points_value == worth


def test_what_does_not_fit_is_refused_with_its_estimate():
    with pytest.raises(TooLargeError, match="8 rounds of two players needs about"):
        rivals(8)
    with pytest.raises(InputError, match="tie: got 2"):
        rivals(2, 2)
    with pytest.raises(TooLargeError):
        rivals(4, run=Run(memory=1000))


def test_the_command_answers_with_the_value():
    report = ask("swe rivals 3 --tie 0")
    assert report.value("value") == by_definition(3, Fraction(0), STANDARD)
    assert report.value("differences") == 0


def test_rounds_are_told_from_the_last_to_the_first():
    news = []
    rivals(3, run=Run(progress=lambda *said: news.append(said)))
    assert [each for each in news if each[0] == "rounds"] == [("rounds", n, 3) for n in range(3)]
