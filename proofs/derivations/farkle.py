"""Claims about Farkle: the README's recurrence over rolls and selections, in exact arithmetic."""

# fmt: off
from collections import Counter
from functools import cache
from itertools import combinations, product
from math import comb

from kinds import GIVEN, NUMBERS, claim, cut_off, decided, latex, listed, multisets, texts
from reading import Q, need

TARGET, SAID, UNIT = 6000, "517.9492", 50
LIMITS, PRINTED = {"dice": 6, "target": TARGET}, Q(SAID)
GIVEN["farkle"] = {"target": TARGET, "said": SAID, "unit": UNIT}

# The combinations of Kingdom Come: Deliverance; the README names the game and lists none.
SINGLES = {(1,): 100, (5,): 50}
KINDS = {(v,) * n: 100 * (v if v > 1 else 10) << n - 3 for v in range(1, 7) for n in range(3, 7)}
STRAIGHT = {(1, 2, 3, 4, 5, 6): 1500}
SHORT = {(1, 2, 3, 4, 5): 500, (2, 3, 4, 5, 6): 750}
COMBINATIONS = {
    "of the game": SINGLES | KINDS | STRAIGHT | SHORT,
    "without short straights": SINGLES | KINDS | STRAIGHT,
    "singles and triples": SINGLES | {dice: n for dice, n in KINDS.items() if len(dice) == 3},
}

@cache
def points(dice, listed="of the game"):
    """Return the most points of dice that are all used in combinations; 0 if impossible."""
    worths = [COMBINATIONS[listed].get(dice, 0)]
    for part, score in COMBINATIONS[listed].items():
        rest = tuple((Counter(dice) - Counter(part)).elements())
        if len(part) + len(rest) == len(dice) and points(rest, listed):
            worths.append(score + points(rest, listed))
    return max(worths)

@cache
def menus(n, listed="of the game"):
    """Return the menus of rolls of n dice, {((points, dice left), …): ways}; empty means bust."""
    found = {}
    for roll, ways in multisets(n, 6):
        kept = {part for k in range(1, n + 1) for part in combinations(roll, k)
                if points(part, listed)}
        menu = tuple(sorted({(points(part, listed), n - len(part) or 6) for part in kept}))
        found[menu] = found.get(menu, 0) + ways
    return found

@cache
def farkle_turn(turn, n, rolls):
    """Return Optimal_rolls(turn, n), n = None for no limit, and the rolls that it needs."""
    gain, longest = Q(0), 0
    for menu, ways in menus(n).items():
        options = [(score, 0) for score, _ in menu] or [(-turn, 0)]
        for score, left in menu if rolls != 1 else ():
            if turn + score < TARGET:
                more, length = farkle_turn(turn + score, left, rolls and rolls - 1)
                options.append((score + more, length))
        best = max(worth for worth, _ in options)
        gain += ways * best
        longest = max(longest, min(length for worth, length in options if worth == best))
    return gain / 6**n, longest + 1

def first_three():
    return {n: farkle_turn(0, 6, n)[0] for n in (1, 2, 3)}

# Readings of the README: the scoring dice; whether all dice may be rolled again; the gain of a roll
# past the target; what may be kept. "anything": dice that do not score may be kept, for nothing,
# and so may none; "to the letter": after a bust too, as the README's formula has it.
READINGS = [*product(COMBINATIONS, ("hot dice", "no hot dice"), ("all", "capped", "no target"),
                     ("what scores", "the most points", "anything", "to the letter"))]

@cache
def offers(n, listed, kept):
    """Return the menus under a reading: points and dice left, 0 if all were kept."""
    found = {}
    for menu, ways in menus(n, listed).items():
        some = {(score, left % 6) for score, left in menu}
        if kept == "the most points":
            some = {x for x in some if x[0] == max(score for score, _ in some)}
        elif kept != "what scores":
            some |= {(0, left) for left in range(n + 1)}
        key = bool(menu), tuple(sorted(some))
        found[key] = found.get(key, 0) + ways
    return found

@cache
def read_turn(reading, turn, n, rolls):
    """Return Optimal_rolls(turn, n) under a reading."""
    listed, hot, past, kept = reading
    room, gain = TARGET - turn if past == "capped" else 10**9, Q(0)
    for (scores, menu), ways in offers(n, listed, kept).items():
        options = [min(score, room) for score, _ in menu if score] if scores else [0]
        for score, left in menu if rolls > 1 and (scores or kept == "to the letter") else ():
            if (left or hot == "hot dice") and (past == "no target" or turn + score < TARGET):
                options.append(score + read_turn(reading, turn + score, left or 6, rolls - 1))
        gain += ways * (max(options) - (0 if scores else turn))
    return gain / 6**n


@claim("farkle.optimal-1")
def optimal_1():
    (one, value), *_ = first_three().items()
    words = {"one": one, "tex": latex(value), "decimal": cut_off(value, 4)}
    return "proved", {"value": str(value), "whole_part": int(value)}, LIMITS, words

@claim("farkle.optimal-2-and-3")
def optimal_2_and_3():
    two, three = [*first_three()][1:]
    values = [first_three()[n] for n in (two, three)]
    near = [abs(v - PRINTED) for v in values]
    evidence = {"printed": str(PRINTED), "values": texts(values), "off_by": texts(near)}
    return decided(min(near) > Q(1, 10**4)), evidence, LIMITS, {"two": two, "three": three}

@claim("farkle.printed-readings")
def printed_readings():
    _, two, three = first_three()
    values = {", ".join(of): [read_turn(of, 0, 6, n) for n in (two, three)] for of in READINGS}
    same = values["of the game, hot dice, all, what scores"] == [*first_three().values()][1:]
    need(same, "another recurrence")
    near = min(abs(v - PRINTED) for pair in values.values() for v in pair)
    evidence = {"nearest": str(near), "readings": len(values), "values": {k: texts(v) for k, v in values.items()}}
    return decided(near > Q(1, 10**4)), evidence, {"dice": 6}, {"two": two, "three": three}

@claim("farkle.two-rolls")
def two_rolls():
    _, (two, before), (three, after) = first_three().items()
    words = {"looking": NUMBERS[two], "two": two, "three": three}
    return decided(after > before), {"third_roll_gains": str(after - before)}, LIMITS, words

@claim("farkle.fixed-point")
def fixed_point():
    limit, length = farkle_turn(0, 6, None)
    # Optimal_n is the limit exactly if some optimal play never rolls more than n times.
    return "proved", {"first": length, "value": str(limit)}, LIMITS

@claim("farkle.thresholds")
def thresholds():
    # Theorem 13: its step finds the thresholds, in fixed point with bounds.
    from stepping.farkle import CERTAIN, gain_of_rolling
    dice = range(1, 7)
    gains = [[gain_of_rolling(turn, n) for turn in range(0, CERTAIN, UNIT)] for n in dice]
    ends = [UNIT * sum(low > 0 for low, _, _ in of) for of in gains]
    evidence = {"bound": CERTAIN, "rolls": gains[5][0][2], "thresholds": ends}
    return "proved", evidence, {"dice": 6}, {"below": listed(ends), "dice_left": listed(dice)}

@claim("farkle.most-in-a-round")
def most_in_a_round():
    # If a roll gains at most the points left to the target, the maximum is the target itself.
    found, more = set(), {(0, 6)}
    while more:
        found |= more
        more = {(turn + score, left) for turn, n in more for menu in menus(n) for score, left in menu
                if turn + score < TARGET} - found
    most, turn, dice = max((turn + score, turn, n) for turn, n in found for menu in menus(n)
                           for score, _ in menu)
    return decided(most > TARGET), {"before": [turn, dice], "capped": TARGET, "most": most}, LIMITS

@claim("farkle.score-not-wins")
def score_not_wins(e):
    """A state in which rolling wins if it scores, and banking wins only if the other busts."""
    state = e["state"]
    turn, score, dice = (state[name] for name in ("turn", "score", "dice"))
    need(all(type(n) is int and n > 0 and n % UNIT == 0 for n in (turn, score)), "no points")
    need(dice in range(1, 7) and type(dice) is int and turn + score < TARGET, "no turn that goes on")
    gain, _ = farkle_turn(turn, dice, None)
    bust = Q(menus(6)[()], 6**6)
    wins = 1 - Q(menus(dice)[()], 6**dice)
    need(all(any(turn + score + x >= TARGET for x, _ in menu) for menu in menus(dice) if menu),
         "no win at once")
    state = {"dice": dice, "other": TARGET - UNIT, "score": score, "turn": turn}
    evidence = {"banking_wins_at_most": str(bust), "rolling_gains": str(gain), "rolling_wins": str(wins)}
    return decided(gain < 0 and wins > bust), evidence | {"state": state}, LIMITS

@claim("farkle.examples")
def examples():
    other, kept = 2, 5
    evidence = {"both": points((other, kept)), "five": points((kept,))}
    return "proved", evidence, {}, {"kept": kept, "other": other}

@claim("farkle.multiples-of-50")
def multiples_of_50():
    scores = [points(dice) for n in range(1, 7) for dice, _ in multisets(n, 6) if points(dice)]
    need(not any(score % UNIT for score in scores) and UNIT in scores, "points are no multiples of 50")
    return "proved", {"selections": len(scores), "unit": UNIT}, {"dice": 6}

@claim("farkle.sizes")
def sizes():
    rolls, sets, levels = 6**6, sum(comb(6, k) for k in range(7)), len(range(0, TARGET, UNIT))
    hold, then = levels * 7**6 * sets, levels * sets * rolls
    naive, together = then * sets, hold + then
    need((sets, rolls) == (2**6, 6**6), "another formula")
    words = {"each": "2^6", "rolled": "6^6", "naively": f"{cut_off(Q(naive, 10**10), 2)}…·10^10",
             "with_hold": f"{cut_off(Q(together, 10**9), 3)}…·10^9"}
    return "proved", {"points": levels, "rolls": rolls, "sets": sets, "outputs": levels * sets,
                      "hold": hold, "naive": naive, "then": then, "together": together}, LIMITS, words

@claim("farkle.contradiction")
def contradiction():
    # x = max(0, x) − P has only the solution −P for P > 0; with all dice, x ≥ −P·P(bust) > −P.
    dice = LIMITS["dice"]
    bust = Q(menus(dice)[()], 6**dice)
    need(bust < 1 and all(x == max(0, x) - p for p in (50, 5950) for x in (-p,)), "no contradiction")
    return "proved", {"bust": str(bust)}, {}, {"wrong": "−P", "none": 0, "dice": dice}
