"""Duels, best responses and counts of non-transitive dice, by definition and certificates."""

from itertools import combinations, product
from math import comb
from operator import mul

import numpy as np
import pytest
from fatestones_oracle import deals, odds, random_by_orders, reverse
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st
from printed import A121228, EULER_376, ROSETTA

from exactdice.errors import TooLargeError
from exactdice.games.fatestones.beats import three_cycles
from exactdice.games.fatestones.exact import answer_to_random, solve
from exactdice.games.fatestones.model import as_game
from exactdice.games.fatestones.responses import (
    BagTables,
    Heuristic,
    best_response,
    random_play,
    rules_of_thumb,
)
from exactdice.games.fatestones.rules import all_dice, bag, balanced_dice, without
from exactdice.games.fatestones.sources import README_GAMES, README_RESULTS
from exactdice.games.fatestones.tree_search import _Node
from exactdice.models import optimum
from exactdice.solve.matrix_games import certifies
from exactdice.studies.fatestones import counting
from exactdice.studies.fatestones.counting import (
    balanced_three_cycles,
    nontransitive_coefficients,
    nontransitive_triples,
)

small_bags = st.lists(
    st.lists(st.integers(1, 5), min_size=4, max_size=4).map(lambda faces: tuple(sorted(faces))),
    min_size=6, max_size=7, unique=True,
)  # fmt: skip


def mean(values):
    return sum(values, mpq(0)) / len(values)


def scratch_chance(row, column):
    return random_by_orders(row, column, mpq(1)) - random_by_orders(row, column, mpq(0))


@pytest.mark.slow
@given(small_bags)
@settings(max_examples=12, deadline=None)
def test_edge_is_the_fixed_point(dice):
    """The fixed point itself: with a scratch worth the edge, the mean best value is the edge."""
    found = best_response(dice)
    assert found.edge == mean([max(answer_to_random(*d, found.edge)) for d in deals(dice)])
    assert found.duel_value == mean([max(answer_to_random(*d)) for d in deals(dice)])
    assert found.scratch == mean([scratch_chance(*d) for d in deals(dice)])
    assert found.deals == len(deals(dice))


def tied_rolls(row, column):
    count = len(row)
    total = mpq(0)
    for i, die in enumerate(row):
        for j, against in enumerate(column):
            tie = mpq(sum(a == b for a in die for b in against), len(die) * len(against))
            left = row[:i] + row[i + 1 :], column[:j] + column[j + 1 :]
            total += tie * (1 + (tied_rolls(*left) if count > 1 else 0))
    return total / count**2


@pytest.mark.slow
@given(small_bags)
@settings(max_examples=8, deadline=None)
def test_random_play_by_recursion_over_all_deals(dice):
    play = random_play(dice)
    assert play.scratch == mean([scratch_chance(*d) for d in deals(dice)])
    assert play.ties == mean([tied_rolls(*d) for d in deals(dice)])
    assert mean([random_by_orders(*d, mpq(0)) for d in deals(dice)]) == 0  # so wins are losses
    assert 2 * play.win + play.scratch == 1


def test_random_play_explains_the_table_of_the_readme():
    """Its wins, losses and scratches are 10000 games, and its ties are tied rolls.

    The four columns: wins, losses and ties of random against random, MCTS(10) and MCTS(50)
    against random, MCTS(10) against MCTS(10).
    """
    play = random_play()
    for wins, losses, ties in README_RESULTS.values():
        scratches = README_GAMES - wins - losses
        # Within four standard deviations, of at most √46.3 < 7 scratches and √2900 < 54 ties.
        assert abs(scratches - 10_000 * play.scratch) < 28
        assert abs(ties - 10_000 * play.ties) < 216


def test_bags_are_counted_and_limited():
    # 4960 hands of three of 32 dice, each against 3654 of the 29 left.
    tables = BagTables(bag())
    assert tables.deals == 4960 * 3654 == 18_123_840
    assert len(tables.disjoint(17)) == 3654
    # A sum of 20 deals is at most 6 · 20 · (700²)³, which takes 64 bits, and a sixth of it 62.
    large = [tuple(sorted((a, *[5] * 699))) for a in range(1, 7)]
    words = "6 dice of 700 faces need integers of more than 64 bit"
    with pytest.raises(TooLargeError, match=words):
        best_response(large)
    # Each face 163 times: the same dice, and 20 · 6 · (652²)³ is the last below 2⁶³.
    assert 120 * 652**6 < 2**63 <= 120 * 653**6
    small = [(1, 1, 4, 4), (1, 2, 3, 4), (2, 2, 3, 3), (1, 1, 3, 5), (1, 1, 1, 4), (2, 3, 3, 3)]
    large = [tuple(sorted(die * 163)) for die in small]
    assert best_response(large) == best_response(small)
    assert random_play(large) == random_play(small)
    assert rules_of_thumb(large) == rules_of_thumb(small)
    with pytest.raises(TooLargeError, match="6 dice of 653 faces"):
        best_response([(1, *die) for die in large])


def seen(own, other):
    """Value of the duel for a player whose die is seen before the other chooses."""
    return max(answered(own, other, i) for i in range(len(own))) if own else mpq(0)


def answered(own, other, i):
    return min(
        margin + tie * seen(without(own, i), without(other, j))
        for j, die in enumerate(other)
        for margin, tie in [odds(own[i], die)]
    )


def choice(heuristic, own, other, bag):
    scores = {
        Heuristic.FIRST: lambda i: sum(odds(own[i], die)[0] for die in other),
        Heuristic.RANK: lambda i: sum(odds(own[i], die)[0] for die in bag),
        Heuristic.CAUTIOUS: lambda i: min(odds(own[i], die)[0] for die in other),
        Heuristic.SEEN: lambda i: answered(own, other, i),
        Heuristic.WIDE: lambda i: sum(face**2 for face in own[i]),
        Heuristic.NARROW: lambda i: -sum(face**2 for face in own[i]),
    }[heuristic]
    return max(range(len(own)), key=scores)  # the first of equal ones


def worth(heuristic, own, other, bag, scratch):
    """Wins minus losses of the rule against a random player, plus the payoff of a scratch."""
    if not own:
        return scratch
    i = choice(heuristic, own, other, bag)
    left = without(own, i)
    total = sum(
        margin + tie * worth(heuristic, left, without(other, j), bag, scratch)
        for j, die in enumerate(other)
        for margin, tie in [odds(own[i], die)]
    )
    return total / len(other)


@pytest.mark.slow
@given(small_bags)
@settings(max_examples=8, deadline=None)
def test_rules_of_thumb_agree_with_recursion_over_all_deals(bag):
    best = best_response(bag).edge
    found = rules_of_thumb(bag)
    assert [rule.heuristic for rule in found] == list(Heuristic)
    for rule in found:
        # A scratch starts the game again: worth what the game is worth, here to a fixed point.
        for scratch, expected in ((mpq(0), rule.duel_value), (rule.edge, rule.edge)):
            worths = [worth(rule.heuristic, *deal, bag, scratch) for deal in deals(bag)]
            assert mean(worths) == expected
        assert rule.edge <= best


def test_a_playout_counts_once_for_each_side():
    node = _Node(2)
    for choices, reward in (((0, 1), 1), ((0, 0), -1), ((1, 1), 1)):
        node.update(choices, reward)
    assert node.visits == ([2, 1], [1, 2])
    assert node.gains == ([0, 1], [1, -2])


dice = st.lists(st.integers(1, 6), min_size=6, max_size=6).map(lambda faces: tuple(sorted(faces)))
scratches = st.fractions(-1, 1, max_denominator=9)


def hands(die, least=1):
    def of_size(size):
        hand = st.lists(die, min_size=size, max_size=size).map(tuple)
        return st.tuples(hand, hand)

    return st.integers(least, 3).flatmap(of_size)


def certified_value(row, column, scratch):
    """Value by recursion; every stage's matrix by definition, its solution by certificate."""
    if not row:
        return scratch
    payoff = [
        [
            margin + tie * certified_value(without(row, i), without(column, j), scratch)
            for j, against in enumerate(column)
            for margin, tie in [odds(die, against)]
        ]
        for i, die in enumerate(row)
    ]
    solution = solve(row, column, scratch)
    assert payoff == [list(entries) for entries in solve(row, column, scratch).payoff]
    assert certifies(payoff, solution.certificate)
    return solution.value


@given(hands(dice), scratches)
@settings(max_examples=60, deadline=None)
def test_every_stage_of_a_duel_is_certified_and_changes_sign_with_the_hands(pair, scratch):
    worth = mpq(scratch.numerator, scratch.denominator)
    assert solve(*pair, scratch).value == certified_value(*pair, worth)
    row, column = pair
    assert solve(column, row, -scratch).value == -solve(row, column, scratch).value


def test_reversing_all_dice_is_no_symmetry_of_the_duel():
    """One 1 among ones: column has two dice 111112, row one of them and 111111.

    By hand, 111112 v 111112 is even and ties 26 of 36; 111111 v 111112 loses 6 of 36 and ties 30.
    Row's first choices: 111111, then even: −1/6; 111112 first: 26/36 · (−1/6) = −13/108, which is
    better. Reversed, 666666 beats 566666 in 6 of 36: 1/6 first, or 13/108; now the former is.
    """
    low, high = (1,) * 6, (1, 1, 1, 1, 1, 2)
    row, column = (low, high), (high, high)
    mirrored = [tuple(map(reverse, hand)) for hand in (row, column)]
    assert solve(row, column).value == mpq(-13, 108)
    assert solve(*mirrored).value == mpq(1, 6)


def best_by_recursion(row, column, scratch):
    """Expected payoff of each first choice against a random player, by definition."""
    worth = []
    for i, die in enumerate(row):
        total = mpq(0)
        for j, against in enumerate(column):
            margin, tie = odds(die, against)
            left = without(row, i), without(column, j)
            after = max(best_by_recursion(*left, scratch)) if left[0] else scratch
            total += margin + tie * after
        worth.append(total / len(column))
    return worth


@pytest.mark.slow
@given(hands(dice), scratches)
@settings(max_examples=40, deadline=None)
def test_answers_to_random_play_by_recursion(pair, scratch):
    oracle = best_by_recursion(*pair, mpq(scratch.numerator, scratch.denominator))
    assert answer_to_random(*pair, scratch) == oracle


@given(hands(dice), scratches)
def test_a_duel_as_a_model_has_the_value_of_the_recursion(pair, scratch):
    game = as_game(*pair, scratch)
    best = optimum(game)
    best.certificate().check(game)
    assert best.value == solve(*pair, scratch).value


def triples_by_listing(dice, convention):
    def beats(a, b):
        wins = sum(x > y for x, y in product(a, b))
        losses = sum(x < y for x, y in product(a, b))
        return wins > losses if convention == "more" else 2 * wins > len(a) * len(b)

    beaten = {(a, b): beats(a, b) for a, b in product(dice, repeat=2)}
    return sum(
        (beaten[a, b] and beaten[b, c] and beaten[c, a])
        or (beaten[b, a] and beaten[c, b] and beaten[a, c])
        for a, b, c in combinations(dice, 3)
    )


@pytest.mark.parametrize("convention", ["more", "majority"])
@pytest.mark.parametrize(
    ("faces", "values"), [(1, 4), (2, 5), (3, 3), (3, 5), (3, 6), (4, 4), (5, 4)]
)
def test_counts_by_listing_all_dice(faces, values, convention):
    oracle = triples_by_listing(list(all_dice(faces, values)), convention)
    found = nontransitive_triples(faces, values, convention)
    assert found.value == oracle
    assert found.polynomial(values) == oracle


@pytest.mark.slow
def test_counts_of_six_faces_agree_with_project_euler_and_the_matrix():
    # Problem 376 states 9780 sets for N = 7; its answer for N = 30 is printed by freeCodeCamp.
    for values, count in EULER_376.items():
        assert nontransitive_triples(6, values, "majority").value == count
    assert nontransitive_triples(6, 6).value == three_cycles(all_dice())


@pytest.mark.parametrize("convention", ["more", "majority"])
def test_top_coefficients_are_a121228(convention):
    # With 3n different values nothing ties, and the conventions agree. OEIS A121228, n = 1 to 5.
    found = [nontransitive_coefficients(n, convention)[-1] for n in range(1, 6)]
    assert found == list(A121228)


def test_one_cycle_of_dice_with_four_faces_and_four_values():
    # Rosetta Code, Non-transitive dice: 3 ordered lists of three of the 35 dice, one for each
    # beginning: 1144 < 2224 < 1333 < 1144.
    assert nontransitive_triples(4, 4).value == ROSETTA
    assert balanced_three_cycles(4) == 1


@pytest.mark.parametrize("faces", range(1, 7))
def test_cyclic_triples_of_balanced_dice_by_listing(faces):
    oracle = triples_by_listing(list(balanced_dice(faces)), "more")
    assert balanced_three_cycles(faces) == oracle


@pytest.mark.slow
def test_cyclic_triples_of_balanced_dice_by_even_pairs():
    """Wins determine the cycles if no pair is even; triples with even pairs are subtracted.

    Two dice that a third beats are in a transitive triple with it, or even; a path of two steps is
    in such a triple, or in a cycle, which has three, or its ends are even.
    """
    for faces in (8, 9):
        dice = list(balanced_dice(faces))
        margins = np.array([[_margin(a, b) for b in range(1, faces + 1)] for a in dice]) @ np.array(
            [[die.count(face) for die in dice] for face in range(1, faces + 1)]
        )
        wins, losses = (
            [int("".join(map(str, row)), 2) for row in (sign * margins < 0).astype(int)]
            for sign in (1, -1)
        )
        out, into = [row.bit_count() for row in wins], [row.bit_count() for row in losses]
        even = np.argwhere(np.triu(margins == 0, 1)).tolist()
        both = sum((losses[a] & losses[b]).bit_count() for a, b in even)
        ends = sum(
            (losses[a] & wins[b]).bit_count() + (wins[a] & losses[b]).bit_count() for a, b in even
        )
        transitive = sum(comb(won, 2) for won in out) - both
        paths = sum(map(mul, out, into))
        assert 3 * balanced_three_cycles(faces) == paths - transitive - ends


def _margin(die, face):
    """Number of faces of a die below a face minus those above."""
    return sum((own < face) - (own > face) for own in die)


def test_limit_on_balanced_dice(monkeypatch):
    # OEIS A076822: five balanced dice of four faces.
    monkeypatch.setattr(counting, "_MAX_BALANCED", 5)
    assert balanced_three_cycles(4) == ROSETTA
    monkeypatch.setattr(counting, "_MAX_BALANCED", 4)
    words = "faces: the pair table of 5 balanced dice with 4 faces does not fit"
    with pytest.raises(TooLargeError, match=words):
        balanced_three_cycles(4)
