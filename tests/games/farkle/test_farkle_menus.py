"""Menus: nothing is lost by grouping rolls, and only what may be dropped is dropped."""

from itertools import product
from math import prod

import pytest
from farkle_cases import dice, places_left, rule_sets, slow
from farkle_oracle import kcd_combinations, score, subsets
from hypothesis import given
from hypothesis import strategies as st

from exactdice.games.farkle.rules.dice_sets import DiceSet, named_dice, parse_dice
from exactdice.games.farkle.rules.menus import _Offers, menus_of
from exactdice.games.farkle.rules.rule_set import pack
from exactdice.games.farkle.rules.tables import KCD


@given(rule_sets(), dice, st.booleans())
def test_menus_are_the_options_of_every_ordered_roll(rules, some_dice, prune):
    # Oracle: every ordered roll of distinct dice; then the same grouping by brute force.
    dice_set = DiceSet(some_dice)
    menus = menus_of(rules, dice_set, prune=prune)
    oracle = slow(rules, some_dice)
    for state in dice_set.proper_states():
        left = places_left(dice_set, state)
        weights = {}
        for chance, options in oracle.rolls(left):
            offered = {
                (score, dice_set.state_of(some_dice[i] for i in rest)) for score, rest in options
            }
            if prune:
                offered = {
                    (score, rest)
                    for score, rest in offered
                    if score == max(s for s, r in offered if r == rest)
                }
            menu = tuple(sorted(offered, reverse=True))
            weights[menu] = weights.get(menu, 0) + chance
        found = menus.by_state[state]
        total = found.denominator
        assert weights.pop((), 0) * total == found.bust
        assert {m: w * total for m, w in weights.items()} == found.menus


@pytest.mark.parametrize("spec", ["fair*2,odd,devils-head", "odd,lucky,aranka,fair"])
def test_menus_of_four_dice_of_the_game_by_brute_force(spec):
    # Oracle: all 1296 ordered rolls and 15 selections each, scored by the game's written table.
    dice_set = parse_dice(spec)
    expected = {}
    for roll in product(*(die.distribution().items() for die in dice_set.dice)):
        menu = brute_menu(dice_set, [face for face, _ in roll])
        expected[menu] = expected.get(menu, 0) + prod(weight for _, weight in roll)
    found = menus_of(KCD, dice_set, prune=False).by_state[dice_set.full]
    assert expected.pop(()) == found.bust
    assert expected == found.menus


@given(st.lists(st.sampled_from(sorted(named_dice())), min_size=6, max_size=6), st.data())
def test_menu_of_six_dice_of_the_game_by_brute_force(names, data):
    # Oracle: all 63 selections, scored by the game's written table.
    dice_set = parse_dice(",".join(names))
    roll = [data.draw(st.sampled_from(sorted(d.distribution()))) for d in dice_set.dice]
    shown = tuple(
        pack(face for face, die in zip(roll, dice_set.dice, strict=True) if die == kind)
        for kind in dice_set.kinds
    )
    offers = _Offers(KCD, dice_set, prune=False)
    assert offers._menu(dice_set.full, shown) == brute_menu(dice_set, roll)


def brute_menu(dice_set, roll):
    places = range(len(roll))
    found = set()
    for kept in subsets(places):
        points = score(tuple(sorted(roll[i] for i in kept)), kcd_combinations())
        if kept and points is not None:
            rest = dice_set.state_of(dice_set.dice[i] for i in places if i not in kept)
            found.add((points, rest))
    return tuple(sorted(found, reverse=True))


def test_lower_scores_matter_just_below_a_target_that_counts_in_full():
    # Two dice that show 1 or 5: with 50 points to go, keeping the 5 ends the turn as keeping the 1
    # does; with 100 to go, keeping the 5 alone may roll on. Both stay on an unpruned menu.
    few = parse_dice("1:0:0:0:1:0*2")
    unpruned = menus_of(KCD, few, prune=False).by_state[2].menus
    pruned = menus_of(KCD, few, prune=True).by_state[2].menus
    assert ((150, 0), (100, 1), (50, 1)) in unpruned
    assert ((150, 0), (100, 1)) in pruned
