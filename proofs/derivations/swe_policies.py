"""Claims about policies of the software-engineering game, and the README's printed means."""

# fmt: off
from functools import cache
from itertools import pairwise
from math import ceil, comb, floor, isqrt

from kinds import GIVEN, claim, decided, listed, program, texts
from reading import Q, need, rational

from derivations.swe_play import STANDARD, moves, rolled, solved

GAMES, ERRORS = 10_000, 3
GIVEN["swe"] |= {"errors": ERRORS, "games_said": f"{GAMES:,}"}

# A policy gives the probability of creating without legacy, by revenue dice, round, and rounds
# of the game; otherwise it promotes the lowest possible die. It fixes the highest legacy die first.

POLICIES = {
    "NewOnly": lambda _: lambda up, t, rounds: 1,
    "Promo": lambda _: lambda up, t, rounds: 0,
    "PromoOnce": lambda _: lambda up, t, rounds: int(not up[0]),
    "ExpLegacy": lambda x: lambda up, t, rounds: int(sum(Q(n, f) for n, f in zip(up, STANDARD, strict=True)) < x),
    "Rand": lambda x: lambda up, t, rounds: x,
    "PromoThenNew": lambda x: lambda up, t, rounds: int(t > x * rounds),
    "NewThenPromo": lambda x: lambda up, t, rounds: int(t <= x * rounds),
}
AS_RUN = {"PromoThenNew": "Promo", "NewThenPromo": "NewOnly"}

def policy(name):
    """Return the policy with this name in the README, with its parameter in brackets."""
    family, _, parameter = name.rstrip(")").partition("(")
    return POLICIES[family](Q(parameter or 0))

LANE = 192  # bits; a third of the bits of a factor of three lanes are fractional
PART, CUT = (1 << LANE // 2) - 1, 1 << 16
PARTS = PART | PART << LANE | PART << 2 * LANE

def code(table):
    """Write a table as one integer: eight bits for each number of dice."""
    return sum(n << 8 * i for i, n in enumerate(sum(table, ())))

@cache
def likeliest_first(rung, n):
    """Return rounded-down probabilities that k of n dice fail, with the change of the code."""
    f, fails = STANDARD[rung], (1 << 8 * (rung + 5)) - (1 << 8 * rung)
    of = sorted((comb(n, k) * (f - 1) ** (n - k), k) for k in range(n + 1))
    return [((ways << LANE // 3) // f**n, k * fails) for ways, k in of[::-1]]

def rolled_by_rung(found):
    """Roll the dice of one rung after another, in all tables by code; omit unlikely outcomes."""
    for rung in range(5):
        before, found = found, {}
        for index, parts in before.items():
            n = index >> 8 * rung & 255
            for share, by in likeliest_first(rung, n) if n else ():
                part = parts * share >> LANE // 3 & PARTS
                if part & PART < CUT:
                    break  # and no later one is likelier
                found[index + by] = found.get(index + by, 0) + part
            if not n:
                found[index] = found.get(index, 0) + parts
    return found

def moments(creates, rounds, digits):
    """Return bounds of the mean score and of its mean square; numbers are rounded down.

    The rounding errors are summed: probabilities, with which n dice score at most n now and 1 more in
    each later one, and sums of scores. A score is at most 1 + 2 + … + rounds.
    """
    unit, most, lost, lost_score = CUT * 10**digits, rounds * (rounds + 1) // 2, 0, 0
    found = {0: unit}  # by the code of a table: its chance, times 1, score and square, in lanes
    for t in range(1, rounds + 1):
        before, found, left, gone, gone_score = found, {}, rounds - t, {}, 0
        for index, parts in before.items():
            dice = (*index.to_bytes(10, "little"),)
            first, *more = moves((dice[:5], dice[5:])).values()
            create = Q(creates(dice[:5], t, rounds)) if more and not any(dice[5:]) else Q(1)
            for then, chance in zip((first, *more[:1]), (create, 1 - create), strict=False):
                p, s = (-(-(x & PART) * chance.numerator // chance.denominator) for x in (parts, parts >> LANE))
                n, gone_score = sum(map(sum, then)), gone_score + s
                gone[n] = gone.get(n, 0) + p
                if share := floor(chance * (1 << LANE // 3)):
                    index = code(then)
                    found[index] = found.get(index, 0) + (parts * share >> LANE // 3 & PARTS)
        found = rolled_by_rung(found)
        for index, parts in found.items():
            gone[sum(index.to_bytes(10, "little"))] -= parts & PART
            gone_score -= parts >> LANE & PART
        lost += sum(p * (n * (left + 1) + left * (left + 1) // 2) for n, p in gone.items())
        lost_score += gone_score
        for index, parts in found.items():
            p, s, z = (parts >> k * LANE & PART for k in range(3))
            if n := sum((index & (1 << 40) - 1).to_bytes(5, "little")):
                p |= s + n * p << LANE | z + n * (2 * s + n * p) << 2 * LANE
            found[index] = p
    p, s, z = (Q(sum(parts >> k * LANE & PART for parts in found.values()), unit) for k in range(3))
    more = Q(lost + lost_score, unit)  # and of squares, at most so much more
    return (s, s + more), (z, z + 2 * most * more + (1 - p) * most**2)

@cache
def bounds(name, rounds, digits=None):
    """Return `moments` of a policy of the README, with the digits that its claims need."""
    digits = digits or {10: 18, 30: 12, 100: 11}.get(rounds, 14)
    return moments(policy(name), rounds, digits)

def mean(name, rounds, *digits):
    return bounds(name, rounds, *digits)[0]

def greatest(creates, rounds):
    """Return the greatest score of positive probability."""
    found = {((0,) * 5, (0,) * 5): 0}
    for t in range(1, rounds + 1):
        before, found = found, {}
        for table, score in before.items():
            first, *more = moves(table).values()
            create = not more or any(table[1]) or creates(table[0], t, rounds)
            for _, after, survive in rolled(first if create else more[0])[0]:
                found[after] = max(found.get(after, 0), survive and score + survive)
    return max(found.values())

# Printed means, in the README's order of policies; the last two families have five members each.
NAMES = ["NewOnly", "Promo", "PromoOnce", *(f"ExpLegacy({x})" for x in ("0.2", "0.5", "0.9", "1.0", "2.0")),
         *(f"Rand({x})" for x in ("0.1", "0.2", "0.5", "0.8", "0.9", "1")),
         *(f"{family}({x})" for family in AS_RUN for x in ("0.1", "0.2", "0.5", "0.8", "0.9"))]
PRINTED = {
    10: "20.4285 11.3936 17.5299 13.8859 17.5381 19.6407 19.8342 20.4322 12.6042 13.8666 17.451 19.697 "
        "20.1577 20.4376 11.4551 11.3855 11.4877 11.3894 11.3881 20.4706 20.4961 20.5538 20.4216 20.5329",
    30: "70.5769 79.6702 92.0301 79.2237 82.5735 78.5807 77.0499 71.3014 80.9594 83.5825 85.8505 78.0927 "
        "74.4417 70.9955 79.4273 79.5914 79.5914 79.617 79.5999 71.4453 71.2819 71.0014 70.939 71.5944",
    100: "184.625 653.394 412.127 638.148 539.97 393.707 363.19 185.516 617.962 556.315 387.707 262.794 "
         "223.601 185.74 652.421 654.196 652.942 653.427 652.717 184.946 184.909 184.892 186.865 185.321",
}
PRINTED = {rounds: dict(zip(NAMES, row.split(), strict=True)) for rounds, row in PRINTED.items()}
# Randomised policies: bounded with these numbers of digits in 30 rounds, and not in 100.
DRAWN = {"Rand(0.1)": 5, "Rand(0.2)": 6, "Rand(0.5)": 6, "Rand(0.8)": 5, "Rand(0.9)": 5}


def not_optimal(rounds, family, creating, low):
    """A loss in the last round, at the least reachable state without legacy (theorem 3); and
    the mean of the policy is below that of one that creates in the last rounds."""
    lone = solved(2, STANDARD).lone[0]
    loss = lone["create", 0] - lone["promote", 0]
    need(loss > 0, "promoting is no loss")
    better, worse = floor(1000 * low), ceil(1000 * mean(family, rounds)[1])
    evidence = {"better_above": str(Q(better, 1000)), "below": str(Q(worse, 1000)),
                "creating_last": creating, "left": 1, "loss": str(loss), "score": 1,
                "table": ((1, 0, 0, 0, 0), (0,) * 5)}
    return decided(better > worse), evidence, {"rounds": rounds}

@claim("swe.30-rounds")
def thirty_rounds():
    plays = policy("PromoOnce")
    (low, _), _ = moments(lambda up, t, rounds: t > rounds - 3 or plays(up, t, rounds), 30, 12)
    return not_optimal(30, "PromoOnce", 3, low)

@claim("swe.100-rounds")
def hundred_rounds():
    return not_optimal(100, "Promo", 10, mean("PromoThenNew(0.9)", 100)[0])

@claim("swe.30-rounds-best-of-list")
def thirty_best_of_list(e):
    """Check a number between the best mean and all others."""
    divides = rational(e["divides"])
    need(mean("PromoOnce", 30)[0] > divides, "a lower mean")
    others = [name for name in NAMES if name not in ("PromoOnce", "Rand(1)")]  # that is NewOnly
    best = [name for name in others if mean(name, 30, DRAWN.get(name, 6))[1] >= divides]
    return decided(best), {"divides": str(divides), "others": len(others)}, {"rounds": 30}

@claim("swe.100-rounds-best-of-list")
def hundred_best_of_list():
    # To create in the last 10 of 100 rounds is better than to promote in all.
    better, listed = floor(1000 * mean("PromoThenNew(0.9)", 100)[0]), ceil(1000 * mean("Promo", 100)[1])
    evidence = {"better": "PromoThenNew(9/10)", "better_above": str(Q(better, 1000)),
                "below": str(Q(listed, 1000)), "printed": PRINTED[100]["PromoThenNew(0.9)"]}
    return decided(better > listed), evidence, {"rounds": 100}

@claim("swe.100-rounds-best-as-run")
def hundred_best_as_run(e):
    """Check a number between the best mean and all others."""
    divides = rational(e["divides"])
    others = [x for x in NAMES if x.partition("(")[0] not in ("Promo", "Rand", *AS_RUN)]
    best = [name for name in others if mean(name, 100)[1] >= divides]
    need(mean("Promo", 100)[0] > divides, "a lower mean")
    return decided(best), {"divides": str(divides), "others": len(others)}, {"rounds": 100}

@claim("swe.rankings-change")
def rankings_change():
    found = {}
    for rounds in PRINTED:
        bounds = sorted(((*mean(name, rounds), name) for name in NAMES[:3]), reverse=True)
        need(all(x[0] > y[1] for x, y in pairwise(bounds)), "too close")
        found[f"in_{rounds}"] = " > ".join(name for _, _, name in bounds)
    each = [f"in {rounds}{' rounds it is' * (not i)} {order}"
            for i, (rounds, order) in enumerate(zip(PRINTED, found.values(), strict=True))]
    words = {"each": ", ".join(each), "lengths": listed(PRINTED)}
    return decided(len({*found.values()}) == 1), found, {}, words

@claim("swe.variance-pays")
def variance_pays():
    for rounds in range(2, 30):
        (other, high), (square, _) = bounds("NewOnly", rounds)
        (low, most), (_, most_square) = bounds("PromoOnce", rounds)
        if low > high:
            break
        need(most < other, "too close")
    need(square - high**2 > most_square - low**2, "a lower variance")
    most, chances = greatest(policy("PromoOnce"), rounds), {(0, 0): Q(1)}
    for _ in range(rounds):  # each round adds a die to the revenue, new or fixed
        before, chances = chances, {}
        for (dice, score), chance in before.items():
            for kept in range(dice + 2):
                ways = chance * comb(dice + 1, kept) * 3**kept / 4 ** (dice + 1)
                then = kept, kept and score + kept
                chances[then] = chances.get(then, 0) + ways
    chance = sum(p for (_, score), p in chances.items() if score > most)
    evidence = {"chance": str(Q(floor(1000 * chance), 1000)), "most": most, "rounds": rounds}
    return decided(chance > 0, "proved", "open"), evidence

def both_moments(name, rounds, as_run=True):
    """Return mean and variance of a policy, from below and from above."""
    family = name.partition("(")[0]
    (m, n), (y, z) = bounds(AS_RUN.get(family, name) if as_run else name, rounds)
    return (m, y - n * n), (n, z - m * m)

def distance(printed, exact):
    """Return the standard errors from an exact to a printed mean, in hundredths, rounded down."""
    found = {(-1) ** (Q(printed) < m) * isqrt(floor((Q(printed) - m) ** 2 * GAMES * 10**4 / variance))
             for m, variance in exact}
    need(len(found) == 1, "too close to a hundredth")
    return found.pop()

def told(rounds, exact):
    """Return the verdict on printed means, and their distances as listed in the sentence."""
    found = {name: distance(PRINTED[rounds][name], of) for name, of in exact.items()}
    said = ", ".join(f"{name} {PRINTED[rounds][name]} ({'−' if k < 0 else '+'}{abs(k) // 100}.{abs(k) % 100:02})"
                     for name, k in found.items())
    return decided(max(map(abs, found.values())) > 100 * ERRORS), {"listed": said}

def printed_means(rounds):
    names = [name for name in NAMES if rounds == 10 or name not in DRAWN]

    def derive():
        exact = {name: both_moments(name, rounds) for name in names}
        return *told(rounds, exact), {"games": GAMES, "rounds": rounds}

    return derive

for _rounds in PRINTED:
    claim(f"swe.means-{_rounds}")(printed_means(_rounds))

# Means and variances that a program bounds, cut off after twelve decimals.
DRAWN_MOMENTS = {
    "Rand(0.1)": ("81.155996782095", "138.026251800326"),
    "Rand(0.2)": ("83.815359929713", "208.239684516874"),
    "Rand(0.5)": ("85.717276212357", "474.563895309924"),
    "Rand(0.8)": ("78.018191179060", "734.686962028440"),
    "Rand(0.9)": ("74.627144801415", "810.597517703244"),
}

@claim("swe.means-30-drawn")
def means_30_drawn():
    """Distances for all means and variances within a tolerance; means are also bounded here."""
    found, near = {name: tuple(map(Q, of)) for name, of in DRAWN_MOMENTS.items()}, Q(1, 10**9)
    for name, (m, _) in found.items():
        low, high = mean(name, 30, DRAWN[name])
        need(low <= m <= high, f"another mean of {name}")
    ends = {name: [(m + a, v + b) for a in (-near, near) for b in (-near, near)]
            for name, (m, v) in found.items()}
    verdict, evidence = told(30, ends)
    evidence |= {"moments": {name: texts(of) for name, of in found.items()},
                 "programs": [program("swe_means", STANDARD, 30, name[5:-1], m, v, near)
                              for name, (m, v) in found.items()],
                 "within": str(near)}
    return verdict, evidence, {"games": GAMES, "rounds": 30}

@claim("swe.means-as-named")
def means_as_named():
    exact = {name: both_moments(name, 10, as_run=False) for name in NAMES if name.partition("(")[0] in AS_RUN}
    return *told(10, exact), {"games": GAMES, "rounds": 10}

# Printed percentiles, in the order of NAMES, and their columns; in 100 rounds without those drawn.
COLUMNS = "p10", "p20", "p50", "p90", "p95", "p99"
PERCENTILES = {
    10: "9,15,21,30,33,38 7,9,12,15,15,15 11,14,18,24,25,28 8,11,15,18,19,20 9,14,19,24,25,28 "
        "9,15,21,28,30,33 9,15,21,28,31,34 9,15,21,30,33,37 7,9,13,17,19,22 8,10,14,20,22,25 "
        "9,13,18,25,28,32 10,14,20,29,31,36 10,15,21,29,32,37 10,15,21,30,33,38 7,9,12,15,15,15 "
        "7,9,12,15,15,15 7,9,12,15,15,15 7,9,12,15,15,15 7,9,12,15,15,15 10,15,21,30,33,38 "
        "10,15,21,30,33,38 10,15,21,30,33,37 9,15,21,30,32,37 10,15,21,30,33,37",
    30: "19,49,77,101,109,123 67,72,80,92,94,99 70,78,93,115,122,133 64,70,80,93,96,102 "
        "62,71,84,102,106,115 44,63,82,106,113,125 40,62,81,106,113,125 20,52,78,102,109,122 "
        "66,72,82,95,99,106 67,73,84,101,105,116 62,73,88,110,116,128 38,63,83,107,114,126 "
        "27,58,80,104,112,125 18,50,78,103,109,123 67,72,80,91,94,99 67,72,80,91,94,99 "
        "67,72,80,91,94,99 67,72,81,91,94,99 67,72,80,91,94,99 19,52,78,103,110,122 "
        "19,51,78,102,109,124 18,51,78,102,109,123 18,50,78,102,109,123 21,53,78,102,109,123",
    100: "19,53,194,326,342,371 592,612,653,715,733,763 353,379,421,482,500,535 "
        "571,595,639,704,722,754 457,484,541,624,647,687 300,340,400,487,512,558 "
        "250,308,375,463,487,534 18,53,195,327,344,375 540,571,622,693,711,745 "
        "446,489,565,656,680,722 282,335,400,493,520,572 53,134,306,386,407,450 34,85,269,356,376,411 "
        "20,55,196,327,342,370 590,612,653,714,730,760 591,613,655,716,734,768 "
        "592,612,652,716,734,766 592,613,653,714,731,763 590,611,652,717,733,767 "
        "19,54,196,324,342,371 17,50,196,326,343,372 19,54,195,325,341,367 19,56,200,327,342,372 "
        "19,55,196,325,341,371",
}

def percentiles(rounds, place):
    """Return the derivation of the claim about a column; a program checks the whole table."""
    rows = dict(zip(NAMES, PERCENTILES[rounds].split(), strict=True))
    rows = {name: row for name, row in rows.items() if rounds < 100 or name not in DRAWN}

    def derive():
        figures = {name: row.split(",")[place] for name, row in rows.items()}
        listed = ", ".join(f"{name} {figure}" for name, figure in figures.items())
        named = program("swe_quantiles", rounds, *(f"{name}:{row}" for name, row in rows.items()))
        words = {"column": COLUMNS[place], "listed": listed}
        return "proved", {"programs": [named]}, {"games": GAMES, "rounds": rounds}, words

    return derive

for _rounds in PERCENTILES:
    for _place, _column in enumerate(COLUMNS):
        claim(f"swe.{_column}-{_rounds}")(percentiles(_rounds, _place))
