"""Non-transitive triples against listing all dice, and published counts."""

from itertools import combinations, product
from math import comb
from operator import mul

import numpy as np
import pytest

from exactdice.errors import InputError, TooLargeError
from exactdice.games.fatestones.beats import three_cycles
from exactdice.games.fatestones.rules import all_dice, balanced_dice
from exactdice.games.fatestones.sources import A121228, EULER_376, ROSETTA
from exactdice.studies.fatestones import counting
from exactdice.studies.fatestones.counting import (
    balanced_three_cycles,
    nontransitive_coefficients,
    nontransitive_triples,
)


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
def test_majority_counts_of_six_faces_are_those_of_project_euler():
    # Problem 376 states 9780 sets for N = 7; its answer for N = 30 is printed by freeCodeCamp.
    for values, count in EULER_376.items():
        assert nontransitive_triples(6, values, "majority").value == count


@pytest.mark.parametrize("convention", ["more", "majority"])
def test_top_coefficients_are_a121228(convention):
    # With 3n different values nothing ties, and the conventions agree. OEIS A121228, n = 1 to 5.
    found = [nontransitive_coefficients(n, convention)[-1] for n in range(1, 6)]
    assert found == list(A121228)


@pytest.mark.slow
def test_more_convention_agrees_with_the_matrix_count_at_six_faces():
    assert nontransitive_triples(6, 6).value == three_cycles(all_dice())


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


def test_invalid_counts_are_rejected():
    with pytest.raises(InputError, match="convention: got 'often'; expected one of more, majority"):
        nontransitive_triples(3, 3, "often")
    with pytest.raises(InputError, match="values: got 0"):
        nontransitive_triples(3, 0)
    with pytest.raises(TooLargeError, match="faces: tables for 8 faces do not fit; at most 7 do"):
        nontransitive_coefficients(8)
    with pytest.raises(
        TooLargeError,
        match="faces: the pair table of 32540 balanced dice with 12 faces does not fit",
    ):
        balanced_three_cycles(12)


def test_limit_on_balanced_dice(monkeypatch):
    # OEIS A076822: five balanced dice of four faces.
    monkeypatch.setattr(counting, "_MAX_BALANCED", 5)
    assert balanced_three_cycles(4) == ROSETTA
    monkeypatch.setattr(counting, "_MAX_BALANCED", 4)
    with pytest.raises(
        TooLargeError, match="faces: the pair table of 5 balanced dice with 4 faces does not fit"
    ):
        balanced_three_cycles(4)
