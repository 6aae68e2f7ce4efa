"""Claims about FateStones: dice against dice, and deals of three against three."""

# fmt: off
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import comb, factorial, perm

from kinds import (
    GIVEN,
    NUMBERS,
    claim,
    cut_off,
    decided,
    equilibrium,
    formula,
    latex,
    listed,
    saddle,
    texts,
)
from reading import Q, need

FACES, MEAN = range(1, 7), Q(7, 2)
DICE = list(combinations_with_replacement(FACES, 6))
BAG = [die for die in DICE if sum(die) == MEAN * 6]
GIVEN["fatestones"] = {"bag": len(BAG), "least": FACES[0], "most": FACES[-1], "mean": MEAN}

def digits(die):
    return "".join(map(str, die))

def margin(die, other):
    return sum((x > y) - (x < y) for x in die for y in other)

def ties(die, other):
    return sum(die.count(x) * other.count(x) for x in range(1, 7))

@cache
def all_tied():
    """Return the probabilities that the first one, two and three rolls of a random deal tie, for
    any choices: distinct pairs of dice, one for each roll, in any order."""
    t = [[ties(x, y) for y in BAG] for x in BAG]
    degree = [sum(row) - row[i] for i, row in enumerate(t)]
    one, two, three = sum(degree) // 2, 0, 0
    for (a, b), (c, d) in combinations(combinations(range(32), 2), 2):
        if not {a, b} & {c, d}:
            weight, four = t[a][b] * t[c][d], (a, b, c, d)
            two += weight
            rest = one - sum(degree[i] for i in four) + sum(t[i][j] for i, j in combinations(four, 2))
            three += weight * rest  # each three pairs are met thrice
    found = (one, two, three // 3)
    return [Q(factorial(r) * 2**r * n, perm(32, 2 * r) * 36**r) for r, n in enumerate(found, 1)]


@claim("fatestones.dice")
def dice():
    over = len(FACES) + 6 - 1
    need(len(DICE) == comb(over, 6), "the dice are not multisets of faces")
    return "proved", {"all": len(DICE), "of_mean_7/2": len(BAG)}, {}, {"over": over, "faces": 6}

@claim("fatestones.ranking")
def ranking():
    # Rank by wins minus losses against all dice: one die is last and one is first, without ties.
    faces = [sum(die.count(v) for die in DICE) for v in range(7)]
    beats = [sum(faces[:v]) - sum(faces[v + 1 :]) for v in range(7)]
    last, low, *_, high, first = sorted((sum(beats[v] for v in die), die) for die in DICE)
    need(last[0] < low[0] and high[0] < first[0], "a place is shared")
    evidence = {"first": [high[0], first[0]], "last": [last[0], low[0]]}
    ones, sixes, place = (1,) * 6, (6,) * 6, {last[1]: "last", first[1]: "first"}
    words = {"low_die": digits(ones), "low_place": place[ones],
             "high_die": digits(sixes), "high_place": place[sixes]}
    return "refuted", evidence, {"by": "wins less losses"}, words

@claim("fatestones.mixed")
def mixed(e):
    """Check (x, y, v) for the game of two hands and for each of the nine games after a tie."""
    hands, seen = [[BAG[BAG.index(tuple(die))] for die in hand] for hand in e["hands"]], {}
    need(len({*hands[0], *hands[1]}) == 6 and [*map(len, hands)] == [3, 3], "no deal")

    def solve(rows, columns):
        if not rows:
            return None, Q(0)
        game = [[Q(margin(die, other), 36) for other in columns] for die in rows]
        for (i, die), (j, other) in product(enumerate(rows), enumerate(columns)):
            after = rows[:i] + rows[i + 1 :], columns[:j] + columns[j + 1 :]
            game[i][j] += ties(die, other) * solve(*after)[1] / 36
        if len(rows) == 1:
            return game, game[0][0]
        name = " ".join(map(digits, rows + columns))
        seen[name] = equilibrium(game, e["games"][name])
        return game, Q(seen[name][2])

    game, value = solve(*hands)
    sure, bound = saddle(game)
    need(sure < value < bound, "a pure first choice is optimal")
    words = {"no": "no" if sure < value < bound else "some"}
    return "proved", {"games": seen, "hands": hands, "value": str(value)}, {"scratch": 0}, words

WIDTH = 40  # bits of a lane

def lanes(entries):
    """Pack nonnegative integers into one integer, the first one lowest."""
    return int.from_bytes(b"".join(x.to_bytes(WIDTH // 8, "little") for x in entries), "little")

def answers(hands, others, lists):
    """Sum the best first die's result for each hand against the given hands that are
    disjoint from it, one lane for each, in units of 1/(6·36³)."""
    m, t, best, number = lists
    one, bias = lanes([1] * len(others)), 6 * 36**2  # every lane is kept from 0 up by a bias
    at = [[lanes([int(h[j] == k) for h in others]) for j in range(3)] for k in range(32)]
    rest = [[number[h[:j] + h[j + 1 :]] for h in others] for j in range(3)]
    has = [sum(of) for of in at]
    masks = [[(x << WIDTH) - x for x in of] for of in at]
    sure = [sum((72 * 36 * x - bias * y) * h for x, y, h in zip(m[i], t[i], has, strict=True))
            + (one << 25) for i in range(32)]
    worth, counted = {}, [[(v, die.count(v)) for v in {*die}] for die in BAG]
    for p, pair in enumerate(number):
        then, by_face = [lanes([best[p][r] + bias for r in of]) for of in rest], [0] * 7
        for parts, die in zip(masks, counted, strict=True):
            after = sum(x & y for x, y in zip(then, parts, strict=True))
            for v, times in die:  # dice tie by what they share of each face
                by_face[v] += times * after
        for i in {*range(32)} - {*pair}:
            worth[i, p] = sure[i] + sum(times * by_face[v] for v, times in counted[i])
    total, top = 0, one << WIDTH - 1
    for hand in hands:
        x, *more = (worth[hand[k], number[hand[:k] + hand[k + 1 :]]] for k in range(3))
        for y in more:
            higher = ((x | top) - y & top) >> WIDTH - 1  # 1 in the lanes where x ≥ y
            x = y ^ ((x ^ y) & ((higher << WIDTH) - higher))
        apart = one ^ (has[hand[0]] | has[hand[1]] | has[hand[2]])
        total += (x & ((apart << WIDTH) - apart)) - (apart << 25)
    total += top
    return sum((total >> WIDTH * k & (1 << WIDTH) - 1) - (1 << WIDTH - 1) for k in range(len(others)))

@claim("fatestones.good-play")
def good_play():
    """The best response to a random player in each deal; after a scratch the game is repeated."""
    pairs, triples = (list(combinations(range(32), size)) for size in (2, 3))
    m, t = ([[of(die, other) for other in BAG] for die in BAG] for of in (margin, ties))
    best = [[max(36 * (m[a][c] + m[a][d]) + t[a][c] * m[b][d] + t[a][d] * m[b][c]
                 for a, b in (pair, pair[::-1]))
             for c, d in pairs] for pair in pairs]  # two dice against two, in units of 1/(2·36²)
    lists = m, t, best, {pair: k for k, pair in enumerate(pairs)}
    total = sum(answers(triples, triples[k : k + 620], lists) for k in range(0, 4960, 620))
    deals = len(triples) * comb(29, 3)
    duel, scratch = Q(total, deals * 6 * 36**3), all_tied()[2]
    edge = duel / (1 - scratch)
    evidence = {"deals": deals, "duel": str(duel), "edge": str(edge), "scratch": str(scratch)}
    errors, games, error = 3, 10_000, Q(1, 100)
    need(error**2 * games == 1, "another standard error")  # of what is 1 at most
    words = {"margin": cut_off(errors * error, 2), "errors": NUMBERS[errors], "games": f"{games:,}",
             "error": error, "deals_said": f"{deals:,}".replace(",", " "),
             "edge_tex": latex(duel).replace("tfrac", "frac"),
             "scratch_tex": latex(scratch).replace("tfrac", "frac")}
    return decided(edge > errors * error, proved="open"), evidence, {"against": "random"}, words

@claim("fatestones.rewarded")
def rewarded():
    # Random choice is even by symmetry, and when all three rolls tie does not depend on choices.
    hands = [BAG[:3], BAG[3:6]]

    def against_random(rows, columns):
        """Return the result of each first die if all later choices are random."""
        earned = []
        for die in rows:
            total = Q(0)
            for other in columns:
                rest = [x for x in rows if x != die], [y for y in columns if y != other]
                later = against_random(*rest) if rest[0] else [0]
                total += Q(margin(die, other), 36) + Q(ties(die, other) * sum(later), 36 * len(later))
            earned.append(total / len(columns))
        return earned

    earned = against_random(*hands)
    gain = max(earned) - sum(earned) / 3
    return decided(gain > 0, "proved", "open"), {"earned": texts(earned), "gain": str(gain), "hands": hands}

# The README's table: wins, losses and ties of the first player in 10,000 games each.
TABLE = {"Random vs Random": (4913, 5031, 2033), "MCTS(10) vs Random": (4951, 5006, 2025),
         "MCTS(50) vs Random": (4910, 5061, 1959), "MCTS(10) vs MCTS(10)": (5025, 4940, 1969)}

@claim("fatestones.tree-search")
def tree_search():
    squares = {name: Q((won - lost) ** 2, won + lost) for name, (won, lost, _) in TABLE.items()}
    errors = 2
    fails = [name for name, square in squares.items() if square >= errors**2]
    fails += [name for name, (won, lost, _) in TABLE.items() if name.endswith(") vs Random") and won > lost]
    evidence = {"printed": TABLE, "squared_standard_errors": {k: str(v) for k, v in squares.items()}}
    return decided(fails), evidence, {}, {"errors": NUMBERS[errors]}

@claim("fatestones.random-column")
def random_column():
    one, two, three = all_tied()
    mean, square = one + two + three, one + 3 * two + 5 * three  # ties of a game, and their square
    won, lost, printed = TABLE["Random vs Random"]
    games = 10_000
    scratched = games - won - lost
    off = [(printed - games * mean) ** 2 / (games * (square - mean**2)),
           (scratched - games * three) ** 2 / (games * three * (1 - three))]
    evidence = {"games": games, "scratched": scratched, "squared_standard_errors": texts(off),
                "tied": printed, "ties_of_a_game": texts((one, two, three))}
    errors = 2
    return decided(max(off) >= errors**2), evidence, {}, {"errors": NUMBERS[errors]}

@claim("fatestones.classic")
def classic():
    three = [(1, 4, 4, 4, 4, 4), (2, 2, 2, 5, 5, 5), (3, 3, 3, 3, 3, 6)]
    need(all(die in BAG for die in three), "another mean")
    evidence = {"dice": three, "means": [str(Q(sum(die), 6)) for die in three]}
    return "proved", evidence, {}, {"three": listed(map(digits, three))}

@claim("fatestones.opposites")
def opposites(e):
    """Opposite hands: theorem 17. In the duel of the evidence the value is a saddle point."""
    turned = "7 − x"
    of_face = {x: formula(turned)(x=x) for x in FACES}
    opposite = {die: tuple(sorted(of_face[x] for x in die)) for die in DICE}
    own = [die for die in DICE if die == opposite[die]]
    hands = [tuple(map(tuple, hand)) for hand in e["hands"]]
    (a, b), (c, d) = hands
    need(b == opposite[a] and d == opposite[c] and a != b and c != d, "no hands of opposites")
    first = [[Q(margin(x, y), 36) + Q(ties(x, y) * margin(a if x is b else b, c if y is d else d), 1296)
              for y in (c, d)] for x in (a, b)]
    value, most = saddle(first)
    need(value == most, "no saddle point")
    one, other = (", ".join(map(digits, hand)) for hand in hands)
    words = {"turned": turned, "need": "need not" if value else "must", "one": one, "other": other, "worth": str(value).replace("-", "−")}
    return "proved", {"hands": hands, "own": len(own), "value": str(value)}, {"scratch": 0}, words

@claim("fatestones.search-ties")
def search_ties():
    one, two, three = all_tied()
    mean, square, games, errors = one + two + three, one + 3 * two + 5 * three, 10_000, 2
    printed = {name: tied for name, (*_, tied) in TABLE.items() if "MCTS" in name}
    off = {name: (n - games * mean) ** 2 / (games * (square - mean**2)) for name, n in printed.items()}
    evidence = {"games": games, "printed": printed, "squared_standard_errors": {k: str(v) for k, v in off.items()}}
    words = {"tied": listed(printed.values()), "errors": NUMBERS[errors]}
    return decided(max(off.values()) >= errors**2), evidence, {}, words
