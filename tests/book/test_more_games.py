"""Bets, Pig, Shut the Box and small games by listing or iteration; advice and play to their end."""

import csv
import hashlib
import json
import random
import re
import runpy
from collections import Counter
from fractions import Fraction
from functools import cache, partial
from itertools import chain, product
from pathlib import Path
from types import SimpleNamespace

import pytest
from gmpy2 import mpq
from test_book import one_or_two, point, shut
from test_sheets import anew

from exactdice import ask
from exactdice.arithmetic import decimal
from exactdice.book import PAGES, load
from exactdice.book.liars_dice import liars_dice
from exactdice.book.page import Variant
from exactdice.book.pig import BIG, COIN, DIE, TWO_DICE, hog, race, solitaire
from exactdice.book.questions import lookahead
from exactdice.book.sets_of_dice import EFRON, choosing
from exactdice.book.sheet import Sheet, solved
from exactdice.book.shut_the_box import box, match
from exactdice.book.turns import threes as three_dice
from exactdice.cli import main
from exactdice.dice import fair
from exactdice.enclosure import Enclosure, largest
from exactdice.jobs import catalogue
from exactdice.models import (
    Choice,
    DealtGame,
    End,
    FreeRerolls,
    Game,
    Other,
    Showdown,
    Turn,
    equilibrium,
    optimum,
    point_mass,
    probability,
    reward_distribution,
    simulate,
)
from exactdice.run import Run, run_levels
from exactdice.solve.play import Lookahead, optimally, person, play, play_report

PAIRS = [*product(range(1, 7), repeat=2)]
#: How many of the 36 rolls pay which odds, as the layout of the table says; others lose.
SIDE_BETS = {
    "field": [(2 + 3 + 4 + 3 + 2, 1), (2, 2)],
    "field-triple": [(2 + 3 + 4 + 3 + 2, 1), (1, 2), (1, 3)], "any-seven": [(6, 4)],
    "any-craps": [(1 + 2 + 1, 7)], "eleven": [(2, 15)], "twelve": [(1, 30)],
    "c-and-e": [(1 + 2 + 1, Fraction(7 - 1, 2)), (2, Fraction(15 - 1, 2))],
    "horn": [(1 + 1, Fraction(30 - 3, 4)), (2 + 2, Fraction(15 - 3, 4))],
    "whirl": [(1 + 1, Fraction(30 - 4, 5)), (2 + 2, Fraction(15 - 4, 5)), (6, Fraction(4 - 4, 5))],
}  # fmt: skip
#: Ways to win, ways to lose, and the odds, of bets that roll on else.
RACES = {
    "hard-4": (1, 6 + 2, 7), "hard-6": (1, 6 + 4, 9), "place-4": (3, 6, Fraction(9, 5)),
    "place-5": (4, 6, Fraction(7, 5)), "place-6": (5, 6, Fraction(7, 6)), "big-6": (5, 6, 1),
    "odds": (3, 6, 2), "odds-5": (4, 6, Fraction(3, 2)), "odds-6": (5, 6, Fraction(6, 5)),
    # of 21, 20 win 40 and 1 is kept; 40 and 1 win 20 less 1, and lose where 4 comes first
    "buy-4": (3, 6, Fraction(40 - 1, 21)), "lay-4": (6, 3, Fraction(20 - 1, 41)),
}  # fmt: skip


def test_side_bets_of_craps_and_bets_on_three_dice_bring_what_their_rolls_do():
    for name, pays in SIDE_BETS.items():
        losing = 36 - sum(ways for ways, _ in pays)
        paid = sum((ways * Fraction(odds) for ways, odds in pays), Fraction(-losing))
        assert point("craps", name) == mpq(paid / 36)
    for name, (won, lost, odds) in RACES.items():
        assert point("craps", name) == mpq(Fraction(won * odds - lost) / (won + lost))
    assert {*SIDE_BETS, *RACES, "pass", "pass-line", "dont-pass"} == {*PAGES["craps"].variants}
    rolls = [*product(range(1, 7), repeat=3)]
    sums = Counter(map(sum, rolls))
    odds = {4: 60, 5: 18, 6: 14, 7: 12, 8: 8, 9: 6, 10: 6}
    for total, pays in odds.items():
        assert point("sic-bo", str(total)) == mpq((pays + 1) * sums[total], 216) - 1
        assert sums[total] == sums[21 - total]
    assert point("sic-bo", "4-50") == mpq(51 * sums[4], 216) - 1
    wins = {
        "small": (sum(sum(r) < 11 and len(set(r)) > 1 for r in rolls), 1),
        "pair": (sum(1 in r and 2 in r for r in rolls), 5),
        "pair-6": (sum(1 in r and 2 in r for r in rolls), 6),
        "double": (sum(r.count(6) > 1 for r in rolls), 10),
        "triple": (1, 180), "any-triple": (6, 30),
    }  # fmt: skip
    for name, (ways, pays) in wins.items():
        assert point("sic-bo", name) == mpq((pays + 1) * ways, 216) - 1
    # one, two or three of a number: 75, 15 and 1 rolls
    assert point("sic-bo", "chuck-a-luck") == mpq(75 + 2 * 15 + 3 - 125, 216)


@pytest.mark.parametrize("page", ["craps", "sic-bo"])
def test_numbers_that_are_corrected_are_those_that_are_wrong(page):
    # edges by the listings above: field with 12 at 3 to 1 is 1/36, not 2.54 %; eleven 1/9, not
    # 13.9 %; chuck-a-luck 17/216 = 7.870 %, not 7.780
    wrong = {"-0.0254", "-0.139", "-0.07780"}
    for variant in PAGES[page].variants.values():
        for printed in variant.numbers:
            verdict = printed.verdict(variant.answer().value)
            if printed.number in wrong:
                assert verdict.startswith("corrected")
            elif printed.belongs:
                assert verdict == f"of other rules: {printed.belongs}"
            else:
                assert verdict.startswith("confirmed")


def test_of_two_who_shut_the_box_the_second_answers_the_sum_of_the_first():
    @cache
    def answered(first):
        return shut(5, one_or_two, lambda left: (left < first) - (left > first))

    best = shut(5, one_or_two, lambda left: -answered(left))
    assert optimum(box(5, "choice", players=2)).value == mpq(best)


@pytest.mark.slow
@pytest.mark.parametrize("one_die", ["choice", "six", "two"])
def test_of_two_who_shut_the_box_a_turn_for_each_sum_says_what_the_moves_do(one_die):
    found = match(7, one_die, Run(), None)
    assert found.value.point == (1 + optimum(box(7, one_die, players=2)).value) / 2
    # the first roll shuts 2 at least of 28, and a 2 again shuts nothing: 26 are the most left
    assert found.states % (26 + 1) == 0


def test_rolls_of_two_dice_are_those_of_pig_and_big_pig():
    # by hand: a double 1, ten rolls with one 1, and 2 to 6 on both dice, most of them sums of 8; in
    # Big Pig unlike faces other than 1 make 5 to 11, and doubles count twice
    assert TWO_DICE == {-1: 1, 0: 10, 4: 1, 5: 2, 6: 3, 7: 4, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}
    unlike = {5: 2, 6: 2, 7: 4, 8: 4, 9: 4, 10: 2, 11: 2}
    doubles = {8: 1, 12: 1, 16: 1, 20: 1, 24: 1, 25: 1}
    assert Counter({0: 10}) + Counter(unlike) + Counter(doubles) == BIG


@pytest.mark.parametrize(("target", "rolls"), [(11, TWO_DICE), (16, BIG), (4, COIN), (8, DIE)])
def test_a_race_is_what_iteration_in_doubles_says(target, rolls):
    value = (1 + optimum(race(target, rolls)).value) / 2
    total = sum(rolls.values())
    chance = {(i, j): 0.5 for i in range(target) for j in range(target)}

    def turn(mine, theirs):
        worth = dict.fromkeys(range(target - mine, target + 30), 1.0)
        for points in range(target - mine - 1, -1, -1):
            rolling = 0.0
            for shown, n in rolls.items():
                if shown > 0:
                    rolling += n * worth[points + shown]
                else:
                    rolling += n * (1 - chance[theirs, mine if shown == 0 else 0])
            held = 1 - chance[theirs, mine + points] if points else 0.0
            worth[points] = max(rolling / total, held)
        return worth[0]

    for _ in range(150):
        chance = {pair: turn(*pair) for pair in chance}
    assert abs(float(value) - chance[0, 0]) < 1e-9


@pytest.mark.slow
def test_hog_in_turn_is_what_iteration_in_doubles_says():
    target, most = 12, 4
    laws = []
    for dice in range(1, most + 1):
        rolls = [*product(range(1, 7), repeat=dice)]
        law = Counter(0 if 1 in r else sum(r) for r in rolls)
        laws.append({points: n / len(rolls) for points, n in law.items()})
    value = (1 + optimum(hog(target, most)).value) / 2
    chance = {(i, j): 0.5 for i in range(target) for j in range(target)}
    for _ in range(500):
        won = {(i, j): 1 - chance.get((j, i), 0.0) for i in range(99) for j in range(target)}
        chance = {
            (i, j): max(sum(p * won[i + s, j] for s, p in law.items()) for law in laws)
            for i, j in chance
        }
    assert abs(float(value) - chance[0, 0]) < 1e-9


@pytest.mark.slow
def test_chances_to_come_to_100_in_time_are_those_of_durango_bill():
    # durangobill.com/Pig1Statistics.html: per cent, from 99, 95, 90 and 88 points in 1 to 5 turns
    printed = {
        99: ["69.4", "88.8", "94.2", "95.7", "96.2"],
        95: ["68.6", "88.2", "93.8", "95.5", "96.0"],
        90: ["53.2", "75.9", "85.6", "90.2", "92.3"],
        88: ["48.2", "71.0", "81.7", "88.0", "91.0"],
    }
    moves = solitaire(100, TWO_DICE, 5).moves
    for held, numbers in printed.items():
        best = optimum(Game((held, 0, 5), moves))
        for left, number in enumerate(numbers, 1):
            assert decimal(100 * best.value_of((held, 0, left)), 1) == number


def test_ur_with_one_piece_has_the_positions_and_last_moves_of_joseph_heled():
    # jheled.github.io/royalur/solve.html: both a step from home 4/7; with two steps against one
    # 116/161, and 74/161 for the other
    best = load("ur", "one").answer().optimum

    def wins(mine, theirs):
        return (1 + best.value_of(((0, (mine,)), (0, (theirs,)), None))) / 2

    assert (wins(14, 14), wins(13, 14)) == (mpq(4, 7), mpq(116, 161))
    assert wins(14, 13) == mpq(74, 161)
    # by hand: each piece waits or stands on one of 14 squares, but not both on a shared one
    between = {state[:2] for state in best.model.states if state[2] is None}
    over = {(mine, theirs) for mine, theirs in between if mine == (0, ())}
    assert len(between - over) == 15 * 15 - 8


@pytest.mark.parametrize(("sizes", "fallen"), [
    ((1, 1, 3), False),
    ((2, 1, 3), False),
    ((1, 2, 3), True),
    pytest.param((1, 1, 4), False, marks=pytest.mark.slow),
])  # fmt: skip
def test_with_stairs_bids_of_the_highest_count_but_one_change_no_value(sizes, fallen):
    game = liars_dice(*sizes, stairs=True, fallen=fallen)
    bids = [*product(range(1, sizes[0] + sizes[1] + 3), range(2, sizes[2] + 1))]

    def moves(said):
        player = 1 + len(said) % 2
        if said and said[-1] == "liar":
            return Showdown((said[-2], player))
        actions = [bid for bid in bids if not said or bid > said[-1]] + ["liar"] * bool(said)
        return Turn(player, [Choice(a, 0, point_mass((*said, a))) for a in actions])

    whole = equilibrium(DealtGame(game.deals, (), moves, game.payoff))
    assert equilibrium(game).value == whole.value


@pytest.mark.long  # 20 s each
@pytest.mark.parametrize("variant", ["2v1-4-fallen", "1v2-4-fallen"])
def test_fallen_stairs_are_worth_what_was_published(variant):
    # thomasahle/snyd, README, whose program takes dice in the order in which they fell
    assert point("liars-dice", variant) == mpq(1, 16)


def test_a_round_of_liars_dice_has_the_dice_the_rule_and_the_stairs_of_its_name():
    # From two sides to six, one die against one, two or one against two; bids are in order.
    variants = anew("liars-dice").variants
    assert next(iter(variants)) == "1v1-6"  # what is shown where none is named
    rounds = {name: variant for name, variant in variants.items() if "match" not in name}
    for name, variant in rounds.items():
        first, second, sides, rule = re.fullmatch(r"([12])v([12])-([2-6])-?(\D*)", name).groups()
        assert f"{first} against {second} of {sides} sides" in variant.rules
        has_stairs = rule in ("stairs", "fallen")
        game, dice = variant.game(), int(first) + int(second)
        cups = set(game.deals)
        assert max(map(max, chain(*cups))) == int(sides)
        assert {(2, 1), (1, 2)} <= {*chain(*cups)} or rule != "fallen"
        assert {(len(one), len(two)) for one, two in cups} == {(int(first), int(second))}
        bids = [choice.action for choice in game.moves(()).choices]
        shows = range(1, dice + (3 if has_stairs else 1))
        faces = range(2 if rule else 1, int(sides) + 1)  # wild ones, and stairs, are not bid
        # of the highest count, which needs stairs in both cups, the highest face alone
        every = product(shows, faces)
        top = (dice + 2, 0) if has_stairs else (dice + 3, 0)
        assert bids == [bid for bid in every if bid < top or bid[1] == faces[-1]]
        # Measured: each bid more doubles what can be said.
        times = {10: "a second", 12: "10 s", 13: "half a minute", 15: "5 minutes"}
        times |= {16: "5 minutes, and --memory 4G", 18: "2 minutes, and --memory 4G"}
        assert variant.takes == next(times[most] for most in times if len(bids) <= most)
        assert (variant.width is None) == (len(bids) <= (12 if sides == "6" else 16))
        belongs = {printed.belongs for printed in variant.numbers}
        assert any(belongs) == (has_stairs and rule == "stairs" and dice == 3 and sides in "24")
        assert not any(belongs) or belongs == {name.replace("stairs", "fallen")}
    assert set(rounds) == {
        f"{first}v{second}-{sides}{rule}"
        for first, second in ((1, 1), (2, 1), (1, 2))
        for sides in range(2, 7)
        for rule, more in {"": 0, "-wild": 0, "-stairs": 2, "-fallen": 2}.items()
        if (sides - bool(rule)) * (first + second + more) - (sides - 2) * (more > 0)
        <= (16 if more else 18)
        and (rule != "-fallen" or first + second > 2)  # one die falls in order
    }
    # a match between unlike hands, and between like ones on two sides and three
    assert set(variants) - set(rounds) == {"match-2v1-3", "match-2v2-2", "match-2v2-3"}
    for name, variant in variants.items():
        if "match" in name:
            first, second, sides = re.findall(r"\d", name)
            assert f"of {first} dice against {second} of {sides} sides" in variant.rules
            assert (variant.takes == "a second") == name.endswith("2")
    # The law of the cups, from all rolls: 1, 2 and no other roll ascends.
    cups = liars_dice(2, 1, 3, stairs=True, fallen=True).deals.map(lambda cups: cups[0])
    rolls = [*product(range(1, 4), repeat=2)]
    for cup in ((1, 2), (2, 1)):
        assert cups.probability(cup) == mpq(rolls.count(cup), 9)
    assert cups.probability((3, 2)) == mpq(rolls.count((3, 2)) + rolls.count((2, 3)), 9)


_PATH = Path(__file__).parents[2] / "examples" / "small_games.py"
games = SimpleNamespace(**runpy.run_path(str(_PATH)))


def point_of_small_games(page, variant):
    return games.PAGES[page].variants[variant].answer().value.point


def test_a_beetle_takes_as_long_as_its_table_says_with_a_tail_longer():
    # blog.ylett.com, 4 January 2012: 31.498 spins, and those left from (body, head, legs, eyes,
    # antennae)
    best = optimum(games.beetle(games.SPINNER))
    (printed,) = games.PAGES[0].variants["spinner"].numbers
    assert printed.verdict(best.value) == "confirmed"
    left = {(1, 1, 5, 2, 2): 3, (1, 1, 4, 2, 2): 6, (1, 1, 5, 1, 2): 7, (1, 1, 5, 1, 1): mpq(19, 2)}
    for state, spins in left.items():
        assert best.value_of(state) == spins

    @cache
    def rolls(body, head, leg, eye, antenna, tail):
        if not body:
            return 6 + rolls(1, 0, 6, 2, 2, 1)
        after = [(1, head, leg - 1, eye, antenna, tail)] if leg else []
        after += [(1, head, leg, eye, antenna, 0)] if tail else []
        after += [] if head else [(1, 1, leg, eye, antenna, tail)]
        after += [(1, 1, leg, eye - 1, antenna, tail)] if head and eye else []
        after += [(1, 1, leg, eye, antenna - 1, tail)] if head and antenna else []
        return (6 + sum(rolls(*each) for each in after)) / Fraction(len(after)) if after else 0

    assert point_of_small_games(0, "die") == mpq(rolls(0, 0, 6, 2, 2, 1))


def test_drop_dead_varies_as_all_rolls_say():
    """With q the chance of a roll without dead dice: E X² = q E(s + X)² + the other rolls."""

    @cache
    def moments(n):
        first = second = q = scored = squared = Fraction(0)
        for roll in product(range(1, 7), repeat=n):
            if dead := sum(face in (2, 5) for face in roll):
                mean, square = moments(n - dead)
                first, second = first + mean / 6**n, second + square / 6**n
            else:
                q, scored = q + Fraction(1, 6**n), scored + Fraction(sum(roll), 6**n)
                squared += Fraction(sum(roll) ** 2, 6**n)
        if not n:
            return Fraction(0), Fraction(0)
        mean = (scored + first) / (1 - q)
        return mean, (squared + 2 * scored * mean + second) / (1 - q)

    mean, square = moments(5)
    best = optimum(games.drop_dead())
    assert point_of_small_games(1, "five") == mpq(mean)
    law = reward_distribution(best.model)
    assert (law.mean, law.variance) == (mpq(mean), mpq(square - mean**2))
    # Within six standard errors of a variance, as its fourth moment is below 20 of its squares.
    sample = simulate(best, 2000)
    assert abs(sample.variance / law.variance - 1) < 6 * mpq(1, 10)


def test_boston_is_drawn_as_often_as_all_rolls_say_and_knock_out_is_a_geometric_series():
    rolls = product(range(1, 7), repeat=6)
    law = Counter(max(roll[:3]) + max(roll[3:5]) + roll[5] for roll in rolls)
    drawn = sum(ways**2 for ways in law.values())
    assert probability(games.boston(), "drawn").value == mpq(drawn, 6**12)
    assert point_of_small_games(2, "two") == 0
    ways = {n: Fraction(6 - abs(7 - n), 36) for n in range(6, 10)}

    def survives(mine, theirs):
        p, q = ways[mine], ways[theirs]
        return (1 - p) * q / (1 - (1 - p) * (1 - q))

    best = max(min(survives(m, t) for t in ways if t != m) for m in ways)
    assert point_of_small_games(4, "two") == mpq(best)


def test_mexico_is_what_thresholds_say():
    # 21 is one throw above all; other unlike pairs have two ways, doubles one
    order = [tuple(sorted(pair)) for pair in product(range(1, 7), repeat=2)]
    ranks = [(p == (1, 2), p[0] == p[1], p[1], p[0]) for p in order]
    for (p, a), (q, b) in product(zip(order, ranks, strict=True), repeat=2):
        assert (games.rank(p) > games.rank(q)) == (a > b)

    @cache
    def second(target, left):
        """The mean result of who still throws, and stops or not."""
        total = Fraction(0)
        for shown in ranks:
            stop = Fraction((shown > target) - (shown < target))
            total += max(stop, second(target, left - 1)) if left > 1 else stop
        return total / 36

    @cache
    def first(left):
        total = Fraction(0)
        for shown in ranks:
            stop = -second(shown, 4 - left)
            total += max(stop, first(left - 1)) if left > 1 else stop
        return total / 36

    assert point_of_small_games(3, "three") == mpq((1 + first(3)) / 2)


@pytest.mark.parametrize(("page", "name"), [
    ("pig", "piglet-10"), ("shut-the-box", "9"), ("ur", "one"), ("orchard", "first"),
])  # fmt: skip
def test_regrets_are_those_of_the_solver(page, name):
    variant = load(page, name)
    answer = variant.answer()
    look = lookahead(variant, answer)
    scale = mpq(1, 2) if variant.wins else 1
    states = [state for _, state in answer.optimum.model.deciding()]
    chosen = random.Random(7).sample(states, min(80, len(states)))  # noqa: S311
    for state in chosen:
        solved = {a: lost * scale for a, lost in answer.optimum.regret(state).items()}
        assert look.regrets(state) == solved
        assert next(iter(look.regrets(state).values())) == 0


def test_values_that_are_not_known_are_found_from_the_ends_or_box_by_box():
    # Efron: whoever chooses last has a die that wins with 2/3; here the other one moves first, and
    # takes the least.
    look = Lookahead(choosing(EFRON), lambda state: None)
    assert look.worth(()) == Enclosure.of(mpq(2, 3))
    # Two dice of threes, alone and for the least: one is kept, and the other rolled again.
    threes = Lookahead(three_dice(2), lambda state: None, scale=mpq(-1))
    best = optimum(three_dice(2), least=True)
    assert threes.worth(best.model.game.initial) == Enclosure.of(best.value)
    turns = FreeRerolls(2, fair(3), 2)
    sheet = Sheet(upper=("ones", "twos"), lower={"chance": sum}, full=4, turns=turns)
    variant = Variant("small", sheet.game, solve=partial(solved, sheet))
    look = lookahead(variant, solved(sheet, Run(), mpq(1, 10**6)))
    best = optimum(sheet.game())
    for _, state in best.model.deciding():
        for action, lost in best.regret(state).items():
            bounds = look.regrets(state)[action]
            assert lost.point in bounds
            assert bounds.width < mpq(1, 10**6)


def lost(regrets):
    return sum((decision.regret for decision in regrets), Enclosure.of(0))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "name"), [("pig", "piglet-10"), ("hog", "to-15"), ("shut-the-box", "9"), ("ur", "one")]
)
def test_best_play_loses_nothing(page, name):
    variant = load(page, name)
    look = lookahead(variant, variant.answer())
    for seed in range(5):
        draw = random.Random(seed)  # noqa: S311
        decisions, result = play(look, optimally(look, draw), draw)
        assert lost(decisions).lower == 0
        assert result in (-1, 0, 1)


@pytest.mark.slow
def test_what_play_gives_away_is_what_it_falls_short_by():
    """The mean over all play of result less regrets is the value, whatever is chosen."""
    variant = load("shut-the-box", "9-sum")
    look, plays = lookahead(variant, variant.answer()), 300
    totals = []
    for seed in range(plays):
        draw = random.Random(seed)  # noqa: S311
        decisions, result = play(look, lambda state, player, ways: max(ways, key=str), draw)
        totals.append(result - lost(decisions).lower)
    mean = sum(totals, mpq(0)) / plays
    variance = sum(((total - mean) ** 2 for total in totals), mpq(0)) / plays
    value = variant.answer().value.point
    assert (mean - value) ** 2 < 16 * variance / plays  # four standard errors


def test_a_person_is_asked_and_told_the_cost_or_that_bounds_do_not_settle_it(capsys):
    lines = iter(["x\n"] + ["1\n"] * 200)
    heard = []
    run = Run(read_line=lambda prompt: heard.append(prompt) or next(lines))
    report = ask("book pig --variant piglet-10 --play 5", run)
    assert "choice? " in heard
    # the first choice by name is always to hold, where there is one
    held = [row for row in report.table("decisions").rows if row[0] == 1 and row[2] == "hold"]
    assert held
    assert report.value("lost") > 0
    for typed in ("roll", "r"):  # by its name, or the beginning of that
        lines = iter([f"{typed}\n"] + ["1\n"] * 200)
        run = Run(read_line=lambda prompt, lines=lines: next(lines))
        first = ask("book pig --variant turn --play 5", run).table("decisions").rows
        assert next(iter(first))[2] == "roll"
    # 5 wins 0 to 1, "x" 0 and "y" loses 3: "x" may be as good as 5, which nothing is better than
    known = {5: Enclosure(mpq(-1), mpq(0)), "x": Enclosure.of(0), "y": Enclosure.of(3)}
    game = Game("start", CHOOSE.__getitem__)
    look = Lookahead(game, known.get)
    run = Run(read_line=lambda prompt: "x\n")
    regrets = look.regrets("start")
    within = Enclosure(mpq(0), mpq(1))
    assert regrets == {5: Enclosure.of(0), "x": within, "y": Enclosure(mpq(3), mpq(4))}
    assert [*regrets] == [5, "x", "y"]
    # of two ways to win 0 to 1 either may be the better one
    either = Lookahead(game, (known | {"x": known[5]}).get).regrets("start")
    assert either == regrets | {5: within}
    assert person(lambda *_: None, run)("start", 1, regrets) == "x"
    assert capsys.readouterr().err.endswith("That may be best, within the bounds.\n")


#: One player chooses among what wins 1, what the other one may make 3 or 1, and what wins nothing.
CHOOSE = {
    "start": [Choice(a, 0, point_mass(Other(a))) for a in (5, "x", "y")], 5: End(-1),
    "x": [Choice("give", 0, point_mass("lost")), Choice("keep", 0, point_mass("won"))],
    "lost": End(-3), "won": End(-1), "y": [Choice("only", 0, point_mass("even"))], "even": End(0),
}  # fmt: skip


def test_a_person_chooses_by_number_or_name_and_hears_what_it_cost(capsys):
    variant = Variant("small", lambda: Game("start", CHOOSE.__getitem__))
    answer = variant.answer()
    # the other one keeps: of 1, 1 and 0 the first two are best
    assert answer.value.point == 1
    for typed, action in ("5041", "5"), ("x", "x"), ("2", "x"), ("z3", "y"):
        said = "That was best." if action != "y" else "That cost 1.000000; best was 5."
        lines = iter(typed)
        prompts = []
        run = Run(read_line=lambda p: (prompts.append(p), f"{next(lines)}\n")[1])  # noqa: B023
        report = play_report(lookahead(variant, answer), 1, run)
        assert len(prompts) == len(typed)
        heard = capsys.readouterr().err.splitlines()
        assert heard[:5] == [
            "You play first. Choose an action by its number or its name.", "", "start", "  1  5",
            "  2  x",
        ]  # fmt: skip
        assert heard[-1] == said
        rows = list(report.table("decisions").rows)
        assert rows[0] == (1, "start", action, int(action == "y"), "5")
        # who has one choice is not asked, nor is the other player, who plays best
        later = {"5": [], "x": [(2, "x", "keep")], "y": [(2, "y", "only")]}
        assert [row[:3] for row in rows[1:]] == later[action]
        assert report.value("result") == int(action != "y")
        assert report.value("lost") == int(action == "y")


@pytest.mark.parametrize("count", [1, 2, 3, 10])
def test_a_person_is_asked_where_there_is_a_choice(count, capsys):
    ways = [Choice(f"take {n}", n, point_mass(1)) for n in range(count)]
    variant = Variant("take", lambda: Game(0, lambda state: None if state else ways))
    prompts = []
    run = Run(read_line=lambda prompt: (prompts.append(prompt), "1")[1])
    report = play_report(lookahead(variant, variant.answer()), 1, run)
    wide = 2 if count == 10 else 1  # numbers are aligned
    listed = [f"  {n + 1:{wide}}  take {n}" for n in range(count)]
    assert capsys.readouterr().err.splitlines()[3:-1] == listed * (count > 1)
    assert len(prompts) == (count > 1)
    assert (report.value("result"), report.value("lost")) == (0, count - 1)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_a_regret_is_against_the_best_of_the_other_choices(count):
    numbers = [mpq(n, 3) for n in range(4)]
    bounds = [Enclosure(a, b) for a in numbers for b in numbers if a <= b]
    game = Game("start", lambda state: [Choice(n, 0, point_mass(n)) for n in range(count)])
    draw = random.Random(count)  # noqa: S311
    for values in (draw.choices(bounds, k=count) for _ in range(50)):
        regrets = Lookahead(game, values.__getitem__).regrets("start")
        for n, value in enumerate(values):
            others = values[:n] + values[n + 1 :]
            beyond = largest(others) - value if others else Enclosure.of(0)
            assert regrets[n] == largest([Enclosure.of(0), beyond])
        assert [*regrets] == sorted(range(count), key=lambda n: -values[n].lower)


@pytest.mark.slow
def test_a_choice_is_judged_against_the_mixture_of_who_chooses_at_once():
    table = ask("book hog --state '(0, 0)'").table("choices")
    assert {*table.cells("player")} == {1, 2}
    losses = [loss for loss in table.cells("regret") if isinstance(loss, Enclosure)]
    best = [loss for loss in losses if loss.lower == 0]
    assert best
    assert all(loss.upper < mpq(1, 10**9) for loss in best)


def written(folder, only, capsys):
    assert main(["project", "tables", "--book", "--only", only, "--output", str(folder)]) == 0
    return capsys.readouterr().out


def test_the_book_is_written_as_a_data_set_and_goes_on(tmp_path, capsys):
    folder = tmp_path / "book"
    for only, made, kept in (("craps/pass*", 2, 0), ("craps/*", 21, 2)):
        said = f"Wrote {made} variants of the book and kept {kept}"
        assert written(folder, only, capsys).startswith(said)
    with (folder / "index.csv").open(encoding="utf-8", newline="") as lines:
        rows = {row["variant"]: row for row in csv.DictReader(lines)}
    assert len(rows) == 3 + 20  # on the shooter, and at the side
    # textbooks: 244/495
    assert rows["pass"]["lower"] == rows["pass"]["upper"] == "244/495"
    assert rows["pass"]["verdict"] == "244/495: confirmed"
    # of a chain the value of each state in which play goes on, and no choice; textbooks: a point of
    # 4 or 10 is made with 1/3, of 5 or 9 with 2/5, of 6 or 8 with 5/11
    listed = (folder / "craps/pass.policy.csv").read_text().splitlines()
    assert listed[0] == "state,player,best,probability,ties,value,decimal,second,regret"
    points = {4: "1/3", 5: "2/5", 6: "5/11", 8: "5/11", 9: "2/5", 10: "1/3"}
    chances = {0: "244/495"} | points
    decimals = {point: f"{float(Fraction(chance)):.10f}" for point, chance in chances.items()}
    made = [f'"({at}, None)",,,,,{chance},{decimals[at]},,' for at, chance in chances.items()]
    assert listed[1:] == made
    digest = hashlib.sha256((folder / "craps/pass.certificate").read_bytes()).hexdigest()
    manifest = json.loads((folder / "MANIFEST.json").read_text())
    assert manifest["files"]["craps/pass.certificate"] == digest
    made_by = manifest["made_by"]["craps/pass.json"]
    assert made_by.startswith("book craps --variant pass --digits 10,")


@pytest.mark.parametrize(("more", "listed"), [(0, [".policy.csv", ".certificate"]), (-1, [])])
def test_files_of_all_states_are_those_of_a_variant_that_has_few(more, listed, monkeypatch):
    (entry,) = (one for one in catalogue.BOOK if one.name == "pig/piglet-10")
    states = load("pig", "piglet-10").answer().states
    monkeypatch.setattr(catalogue, "MOST_STATES", states + more)
    files = [name for name, _ in entry.files()]
    assert files == [entry.name + end for end in (".json", ".txt", *listed)]
    assert all(map(entry.may_have, files))
    assert not entry.may_have("pig/piglet-10.csv")


def test_a_killed_variant_goes_on_whatever_was_made_in_between(tmp_path, capsys, monkeypatch):
    folder, started, answer = tmp_path / "book", list[int](), Variant.answer

    def answered(variant, run, width=None):
        def level(number, before):
            started.append(number)
            if started == [0, 1]:
                raise KeyboardInterrupt
            return before + number

        if variant.rules == "one die":
            monkeypatch.setattr("exactdice.run.SELDOM", 0)  # each level is kept
            run_levels(run.kept, "one", 3, level, 0, write=lambda n: b"%d" % n, read=int)
        return answer(variant, run, width)

    monkeypatch.setattr(Variant, "answer", answered)
    words = ["project", "tables", "--book", "--only", "threes/one", "--output", str(folder)]
    assert main(words) == 130  # interrupted
    written(folder, "craps/pass", capsys)
    written(folder, "threes/one", capsys)
    assert started == [0, 1, 1, 2]
    assert not [path for path in (tmp_path / "book.levels").rglob("*") if path.is_file()]


def test_a_variant_that_is_too_large_is_passed_over_and_named(tmp_path, capsys):
    words = ["project", "tables", "--book", "--only", "[bc]*/[cp]*", "--memory", "20M"]
    assert main([*words, "--output", str(tmp_path / "book")]) == 1
    shown = capsys.readouterr()
    # six bets of craps whose names begin so are made; the bear-off's table of 924 · 924 pairs of
    # 64 bytes, 52.1 MiB, is too large, and so are the three with the cube
    assert shown.out.startswith("Wrote 6 variants of the book and kept 0")
    assert "bear-off/closed: the table needs about 52." in shown.err
    assert "bear-off/closed-cube: the table needs about 156." in shown.err
    assert (tmp_path / "book/craps/pass.json").is_file()
    assert not (tmp_path / "book/bear-off").exists()
    assert not (tmp_path / "book.levels").exists()
