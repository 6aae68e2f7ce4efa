"""Claims about the reroll game: three fair dice, a reroll costs a point."""

# fmt: off
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb

from kinds import GIVEN, NUMBERS, bellman, claim, decided, latex, multisets, texts
from reading import FOLDER, Q, need, parse, plain, rational

DICE, COST, THETA = 3, 1, "0.1"
GIVEN["reroll"] = {"cost": COST, "dice": NUMBERS[DICE], "noted": THETA}
ROLLS = list(combinations_with_replacement(range(1, 7), DICE))
ACTS = {(): "reroll", (0, 1, 2): "stick on"}
HOLDS = [held for n in range(4) for held in combinations(range(3), n)]  # the canonical order

def alike(roll):
    """Name a roll of equal dice."""
    need(len({*roll}) == 1, "dice of several values")
    return f"{NUMBERS[len(roll)]} {('one', 'two', 'three', 'four', 'five', 'sixe')[roll[0] - 1]}s"

def stick(roll):
    """Turn over equal dice, then add all dice."""
    return sum(7 - v if roll.count(v) > 1 else v for v in roll)

STICKS = {roll: Q(stick(roll)) for roll in ROLLS}

@cache
def rerolled(kept):
    """List the rolls after a reroll of all but the kept dice, with their probabilities."""
    rest = multisets(3 - len(kept), 6)
    return [(tuple(sorted(kept + more)), Q(ways, 6 ** (3 - len(kept)))) for more, ways in rest]

def expected(kept, values):
    return sum(chance * values[roll] for roll, chance in rerolled(kept))

def worths(roll, again):
    """Return the value of each hold in canonical order; `again` gives that of a reroll."""
    return [*(again(tuple(roll[i] for i in held)) - COST for held in HOLDS[:-1]), stick(roll)]

def solved(rows):
    """Return the values of all rolls and the loss of each hold, by the Bellman equations."""
    values = {roll: rational(row[1]) for roll, row in zip(ROLLS, rows, strict=True)}
    again = cache(lambda kept: expected(kept, values))
    return values, bellman(values, lambda roll: worths(roll, again))

@cache
def optimal():
    """Return values and losses from the certificate of optimal play, after checking them."""
    return solved(parse(plain(FOLDER / "reroll.optimal-play.json"))["evidence"]["states"])

@cache
def swept(theta):
    """Sweep in place until the greatest change is below θ; return holds and number of sweeps."""
    values, kept, change, sweeps = dict.fromkeys(ROLLS, Q(0)), {}, theta, 0
    while change >= theta:
        change, sweeps = Q(0), sweeps + 1
        for roll in ROLLS:
            of = worths(roll, lambda kept: expected(kept, values))
            change, values[roll] = max(change, abs(max(of) - values[roll])), Q(max(of))
            kept[roll] = of.index(max(of))
    return kept, sweeps


@claim("reroll.states")
def states():
    over = 6 + DICE - 1
    need(len(ROLLS) == comb(over, DICE), "the states are not multisets of faces")
    return "proved", {"states": len(ROLLS)}, {}, {"over": over, "chosen": DICE}

@claim("reroll.best-score")
def best_score():
    best = max(map(stick, ROLLS))
    return "proved", {"best": best, "rolls": [roll for roll in ROLLS if stick(roll) == best]}

@claim("reroll.optimal-play")
def optimal_play(e):
    """An optimal hold for each roll, with ranks that decrease until the player sticks."""
    need(all(type(row[3]) is int for row in e["states"]), "a rank that is no number")
    (values, lost), found = solved(e["states"]), []
    ranks = {roll: row[3] for roll, row in zip(ROLLS, e["states"], strict=True)}
    for roll in ROLLS:
        held = HOLDS[lost[roll].index(0)]
        then = rerolled(tuple(roll[i] for i in held)) if len(held) < 3 else ()
        found.append((roll, str(values[roll]), held, 1 + min((ranks[x] for x, _ in then), default=0)))
    held, value = {roll: held for roll, _, held, _ in found}, expected((), values)
    ones, fours = (1, 1, 1), (4, 4, 4)
    best = not any(lost[roll][HOLDS.index(held[roll])] for roll in (ones, fours))
    words = {"optimal": "optimal" if best else "not optimal", "tex": latex(value),
             "do_ones": ACTS[held[ones]], "ones": alike(ones),
             "do_fours": ACTS[held[fours]], "fours": alike(fours)}
    return "proved", {"states": found, "value": str(value)}, {}, words

@claim("reroll.three-sixes")
def three_sixes():
    (values, _), roll = optimal(), (6, 6, 6)
    again, *_, sticking = worths(roll, lambda kept: expected(kept, values))
    words = {name: "optimal" if worth == values[roll] else "not optimal"
             for name, worth in (("rerolling", again), ("sticking", sticking))}
    words |= {"first": ACTS[HOLDS[0]], "last": ACTS[HOLDS[-1]], "sixes": alike(roll)}
    return "proved", {"again": str(again), "stick": str(sticking)}, {}, words

@claim("reroll.almost-any-other")
def almost_any_other():
    sixes = (6, 6, 6)
    worse = [roll for roll, ways in rerolled(()) if stick(roll) - 1 <= stick(sixes)]
    better = sum(216 * ways for roll, ways in rerolled(()) if roll not in worse)
    return "proved", {"better": int(better), "not_better": worse, "rolls": 6**3}, {}, {"sixes": alike(sixes)}

@claim("reroll.stick-if-greater")
def stick_if_greater():
    values, _ = optimal()
    rerolls = {roll: max(worths(roll, lambda kept: expected(kept, values))[:-1]) for roll in ROLLS}
    sticks = [roll for roll in ROLLS if stick(roll) > rerolls[roll]]
    even = [roll for roll in ROLLS if stick(roll) == rerolls[roll]]
    best = {roll for roll in ROLLS if values[roll] == stick(roll)}
    words = {"optimal": "optimal" if {*sticks} <= best else "not optimal",
             "no": "no" if best <= {*sticks, *even} else "some"}
    return "proved", {"even": even, "sticks": sticks}, {}, words

@claim("reroll.stick-if-greater-once")
def stick_if_greater_once():
    (_, lost), once = optimal(), expected((), STICKS) - 1
    wrong = [(roll, stick(roll), str(lost[roll][-1])) for roll in ROLLS
             if stick(roll) > once and lost[roll][-1]]
    evidence = {"exceptions": len(wrong), "reroll": str(once), "smallest": wrong[:1]}
    return decided(wrong), evidence

@claim("reroll.no-positive-end")
def no_positive_end():
    best = max(map(stick, ROLLS))  # a reroll never adds
    evidence = {"above": 1 - best, "best": best, "end_from_19": best - 19, "score": -best}
    return "proved", evidence, {}, {"end": best + evidence["score"]}

@claim("reroll.reward-by-sticking")
def reward_by_sticking():
    earned = [stick(roll) for roll in ROLLS]
    none, rewards = 0, {held: {worths(roll, lambda _: 0)[k] for roll in ROLLS}
                        for k, held in enumerate(HOLDS)}
    only, *others = [held for held in HOLDS if max(rewards[held]) >= none]
    need(not others and min(earned) >= none, "a reroll earns")
    evidence = {"least": min(earned), "most": max(earned),
                "rerolls": sorted(set().union(*(rewards[held] for held in HOLDS[:-1])))}
    return "proved", evidence, {}, {"none": none, "only": ACTS[only].removesuffix(" on")}

@claim("reroll.score-independent")
def score_independent():
    # A score c adds c to the value of every action, because probabilities sum to 1.
    kept = {roll[:n] for roll in ROLLS for n in range(3)}
    need(all(expected(k, dict.fromkeys(ROLLS, 1)) == 1 for k in kept), "chances do not sum to 1")
    return "proved", {"laws": len(kept)}

@claim("reroll.theta")
def theta_highest(e):
    """The losses of the kept holds under the true values.

    No ranks are needed: greedy play for values that satisfy the Bellman equations ends, since
    each reroll costs 1 and values are bounded.
    """
    (values, lost), (kept, sweeps) = solved(e["values"]), swept(Q(THETA))
    wrong = [(x, HOLDS[k], str(lost[x][k])) for x, k in kept.items() if lost[x][k]]
    evidence = {"sweeps": sweeps, "values": [(x, str(values[x])) for x in ROLLS], "wrong": wrong}
    return decided(wrong), evidence, {"order": "in place", "theta": str(Q(THETA))}

@claim("reroll.theta-quickest")
def theta_quickest(e):
    """The numbers of sweeps with the stated θ, and with one that needs fewer."""
    noted = str(Q(THETA))
    other, = {*e["sweeps"]} - {noted}
    need(rational(other) >= Q(THETA), "a θ that is not looked at")
    sweeps = {text: swept(Q(text))[1] for text in (other, noted)}
    return decided(sweeps[other] < sweeps[noted]), {"sweeps": sweeps}, {"order": "in place"}

@claim("reroll.sweeps")
def sweeps():
    """The matrix of kept sets is triangular, so the rate is its greatest diagonal entry."""
    _, lost = optimal()
    held = {roll: HOLDS[of.index(0)] for roll, of in lost.items()}
    keep = {roll: tuple(roll[i] for i in of) if len(of) < 3 else None for roll, of in held.items()}
    order = [(), (2,), (1,), (2, 2), (1, 1)]
    need({*keep.values()} == {None, *order}, "other sets are kept")
    matrix = [[sum(chance for roll, chance in rerolled(kept) if keep[roll] == other)
               for other in order] for kept in order]
    need(not any(x for i, row in enumerate(matrix) for x in row[:i]), "not triangular")
    rate = max(row[i] for i, row in enumerate(matrix))
    evidence = {"kept": order, "limit": str(rate / (1 - rate)), "rate": str(rate)}
    evidence["matrix"] = [texts(row) for row in matrix]
    return "proved", evidence, {}, {"rate_tex": latex(rate)}

@claim("reroll.ends")
def ends():
    # The chance that a player who always rerolls all dice has stopped after n rolls is 0 for all n.
    kept = dict.fromkeys(ROLLS, HOLDS[0])
    sticks = [roll for roll, held in kept.items() if len(held) == DICE]
    evidence = {"policy": {"".join(map(str, roll)): held for roll, held in kept.items()}}
    return decided(not sticks), evidence, {}, {"one": 1}

@claim("reroll.three-four-five")
def three_four_five():
    (values, lost), roll = optimal(), (3, 4, 5)
    (best,) = (HOLDS[k] for k, loss in enumerate(lost[roll]) if not loss)
    evidence = {"held": [roll[i] for i in best], "stick": stick(roll), "worth": str(values[roll])}
    return "proved", evidence, {}, {"dice_shown": ", ".join(map(str, roll)), "act": ACTS[best]}

@claim("reroll.tests-at-theta")
def tests_at_theta():
    kept, sweeps = swept(Q(THETA))
    ones, fours = (1, 1, 1), (4, 4, 4)
    words = {"do_ones": ACTS[HOLDS[kept[ones]]], "ones": alike(ones),
             "do_fours": ACTS[HOLDS[kept[fours]]], "fours": alike(fours)}
    need((words["do_ones"], words["do_fours"]) == (ACTS[HOLDS[-1]], ACTS[HOLDS[0]]), "a test fails")
    return "proved", {"states": len(kept), "sweeps": sweeps}, {"order": "in place"}, words
