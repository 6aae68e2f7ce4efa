"""Claims about the reroll game: three fair dice, a reroll costs a point."""

# fmt: off
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb

from kinds import bellman, claim, decided, multisets, texts
from reading import FOLDER, Q, need, parse, plain, rational

COURSEWORK, RULES = "the reroll coursework", "three fair dice, a reroll costs 1 point"
NOTEBOOK = "the notebook of the reroll coursework"
ROLLS = list(combinations_with_replacement(range(1, 7), 3))
HOLDS = [held for n in range(4) for held in combinations(range(3), n)]  # the canonical order

def stick(roll):
    """Dice that share a value are turned over, then all are added."""
    return sum(7 - v if roll.count(v) > 1 else v for v in roll)

STICKS = {roll: Q(stick(roll)) for roll in ROLLS}

@cache
def rerolled(kept):
    """List the rolls after rerolling all but the kept dice, with their chances."""
    rest = multisets(3 - len(kept), 6)
    return [(tuple(sorted(kept + more)), Q(ways, 6 ** (3 - len(kept)))) for more, ways in rest]

def expected(kept, values):
    return sum(chance * values[roll] for roll, chance in rerolled(kept))

def worths(roll, again):
    """Worth of each hold, in the canonical order; `again` is that of a reroll of all but some."""
    return [*(again(tuple(roll[i] for i in held)) - 1 for held in HOLDS[:-1]), stick(roll)]

def solved(rows):
    """Values of all rolls, and what each hold loses under them: they satisfy Bellman's equation."""
    values = {roll: rational(row[1]) for roll, row in zip(ROLLS, rows, strict=True)}
    again = cache(lambda kept: expected(kept, values))
    return values, bellman(values, lambda roll: worths(roll, again))

@cache
def optimal():
    """Values and losses from the certificate of optimal play, which is all that is believed of it."""
    return solved(parse(plain(FOLDER / "reroll.optimal-play.json"))["evidence"]["states"])

@cache
def swept(theta):
    """Sweep in place until the greatest change is below θ: the numbers of holds, and sweeps."""
    values, kept, change, sweeps = dict.fromkeys(ROLLS, Q(0)), {}, theta, 0
    while change >= theta:
        change, sweeps = Q(0), sweeps + 1
        for roll in ROLLS:
            of = worths(roll, lambda kept: expected(kept, values))
            change, values[roll] = max(change, abs(max(of) - values[roll])), Q(max(of))
            kept[roll] = of.index(max(of))
    return kept, sweeps


@claim("reroll.states", "search",
       "there are <states> states",
       RULES,
       COURSEWORK,
       (),
       r"\binom{8}{3} = 56")
def states():
    need(len(ROLLS) == comb(8, 3), "the states are not C(8, 3)")
    return "proved", {"states": len(ROLLS)}

@claim("reroll.best-score", "search",
       "the best possible score is <best>",
       RULES,
       COURSEWORK)
def best_score():
    best = max(map(stick, ROLLS))
    return "proved", {"best": best, "rolls": [roll for roll in ROLLS if stick(roll) == best]}

@claim("reroll.optimal-play", "process",
       "it is optimal to stick on three ones and to reroll three fours, and the game is worth "
       "<value>",
       RULES,
       COURSEWORK,
       ("reroll.states", "bellman"),
       r"V = \tfrac{103369}{7744}")
def optimal_play(e):
    """The first hold that loses nothing in each roll, and ranks that fall until one sticks."""
    need(all(type(row[3]) is int for row in e["states"]), "a rank that is no number")
    (values, lost), found = solved(e["states"]), []
    ranks = {roll: row[3] for roll, row in zip(ROLLS, e["states"], strict=True)}
    for roll in ROLLS:
        held = HOLDS[lost[roll].index(0)]
        then = rerolled(tuple(roll[i] for i in held)) if len(held) < 3 else ()
        found.append((roll, str(values[roll]), held, 1 + min((ranks[x] for x, _ in then), default=0)))
    return "proved", {"states": found, "value": str(expected((), values))}

@claim("reroll.three-sixes", "process",
       "it is optimal to reroll all of three sixes, and not optimal to stick on them",
       RULES,
       COURSEWORK,
       ("reroll.optimal-play", "bellman"))
def three_sixes():
    (values, _), roll = optimal(), (6, 6, 6)
    again, *_, sticking = worths(roll, lambda kept: expected(kept, values))
    need(again == values[roll] > sticking, "sticking is optimal")
    return "proved", {"again": str(again), "stick": str(sticking)}

@claim("reroll.almost-any-other", "search",
       "of the <rolls> rolls of all dice, <better> earn more than sticking on three sixes does, the "
       "point that they cost taken off",
       RULES, f"{COURSEWORK}: almost any other roll will beat it")
def almost_any_other():
    sixes = stick((6, 6, 6))
    worse = [roll for roll, ways in rerolled(()) if stick(roll) - 1 <= sixes]
    better = sum(216 * ways for roll, ways in rerolled(()) if roll not in worse)
    return "proved", {"better": int(better), "not_better": worse, "rolls": 6**3}

@claim("reroll.stick-if-greater", "process",
       "where sticking earns more than every reroll that is followed by optimal play, sticking is "
       "optimal, and in no other roll but those where both earn the same",
       RULES, f"{COURSEWORK}, in the reading of optimal play after the reroll",
       ("reroll.optimal-play", "bellman"))
def stick_if_greater():
    values, _ = optimal()
    rerolls = {roll: max(worths(roll, lambda kept: expected(kept, values))[:-1]) for roll in ROLLS}
    sticks = [roll for roll in ROLLS if stick(roll) > rerolls[roll]]
    need(all((values[roll] == stick(roll)) == (roll in sticks or stick(roll) == rerolls[roll])
             for roll in ROLLS), "no rule")
    return "proved", {"even": [x for x in ROLLS if stick(x) == rerolls[x]], "sticks": sticks}

@claim("reroll.stick-if-greater-once", "search",
       "where sticking earns more than rerolling all dice once and sticking then, which earns "
       "<reroll>, it is optimal to stick",
       RULES, f"{COURSEWORK}, in the reading of one reroll of all dice",
       ("reroll.optimal-play", "bellman"), "", "dice in lexicographic order")
def stick_if_greater_once():
    (_, lost), once = optimal(), expected((), STICKS) - 1
    wrong = [(roll, stick(roll), str(lost[roll][-1])) for roll in ROLLS
             if stick(roll) > once and lost[roll][-1]]
    evidence = {"exceptions": len(wrong), "reroll": str(once), "smallest": wrong[:1]}
    return decided(wrong), evidence

@claim("reroll.no-positive-end", "induction",
       "with a score of <score> or less no end is above 0, and with <above> some is",
       f"{RULES}; scores before a roll is kept",
       f"{COURSEWORK}, for a score of −19")
def no_positive_end():
    best = max(map(stick, ROLLS))  # a reroll never adds
    return "proved", {"above": 1 - best, "best": best, "end_from_19": best - 19, "score": -best}

@claim("reroll.reward-by-sticking", "search",
       "no move but to stick has a reward of 0 or more; sticking earns from <least> to <most>",
       RULES, f"{COURSEWORK}: a non-negative score only by holding all three dice")
def reward_by_sticking():
    earned = [stick(roll) for roll in ROLLS]
    rewards = {worths(roll, lambda _: 0)[k] for roll in ROLLS for k in range(len(HOLDS) - 1)}
    need(max(rewards) < 0 <= min(earned), "a reroll earns")
    return "proved", {"least": min(earned), "most": max(earned), "rerolls": sorted(rewards)}

@claim("reroll.score-independent", "process",
       "the optimal decision is independent of the present score",
       RULES,
       COURSEWORK,
       ("theorem 14", "reroll.optimal-play"),
       "V(x, c) = c + V(x)")
def score_independent():
    # A score c adds c to the worth of every action, because the chances of each hold sum to 1.
    kept = {roll[:n] for roll in ROLLS for n in range(3)}
    need(all(expected(k, dict.fromkeys(ROLLS, 1)) == 1 for k in kept), "chances do not sum to 1")
    return "proved", {"laws": len(kept)}

@claim("reroll.theta", "search",
       "value iteration with θ = 0.1 gives the highest score",
       "sweeps in place in lexicographic order in exact arithmetic, actions as kept from the "
       "last sweep",
       NOTEBOOK,
       ("reroll.optimal-play",))
def theta_highest(e):
    """What the kept holds lose under the true values.

    No ranks are needed: play that is greedy for values that satisfy Bellman's equation ends, since
    each reroll costs 1 and values are bounded.
    """
    (values, lost), (kept, sweeps) = solved(e["values"]), swept(Q(1, 10))
    wrong = [(x, HOLDS[k], str(lost[x][k])) for x, k in kept.items() if lost[x][k]]
    evidence = {"sweeps": sweeps, "values": [(x, str(values[x])) for x in ROLLS], "wrong": wrong}
    return decided(wrong), evidence, {"order": "in place", "theta": "1/10"}

@claim("reroll.theta-quickest", "search",
       "value iteration with θ = 0.1 makes the fewest sweeps",
       "sweeps in place in lexicographic order in exact arithmetic, among all θ > 0",
       f"{NOTEBOOK}: the quickest time per game")
def theta_quickest():
    sweeps = {text: swept(Q(text))[1] for text in ("1", "1/10")}
    return decided(sweeps["1"] < sweeps["1/10"]), {"sweeps": sweeps}, {"order": "in place"}

@claim("reroll.sweeps", "process",
       "the greatest error and the greatest change of a sweep shrink by a factor that tends to"
       " <rate>, and the error divided by the change tends to <limit>; so sweeping until no "
       "change reaches a small θ leaves an error above θ",
       "synchronous value iteration from 0, three fair dice, a reroll costs 1 point",
       "this package",
       ("theorem 15", "reroll.optimal-play"),
       r"e_{t+1}/e_t \to \tfrac23,\quad e_t/\delta_t \to 2")
def sweeps():
    """Which kept set follows which: triangular, so the greatest entry on the diagonal is the rate."""
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
    return "proved", evidence | {"matrix": [texts(row) for row in matrix]}
