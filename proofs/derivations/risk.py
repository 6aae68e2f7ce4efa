"""Claims about Risk: rounds by listing rolls, battles by recursion over the remaining units."""

# fmt: off
from functools import cache, reduce
from itertools import pairwise, product
from math import comb

from kinds import (
    GIVEN,
    claim,
    decided,
    formula,
    interpolated,
    latex,
    listed,
    multisets,
    positive,
    program,
    shifted,
    texts,
    value_at,
)
from reading import Q, need, rational
from stepping.risk_fewest import FEWEST, advantage, constants, least_sides
from stepping.risk_seen import five_numbers

HALF = Q(1, 2)


@cache
def risk_round(a, d, sides=6):
    """Count rolls by the attacker's losses: highest against highest, ties to the defender."""
    counts = [0] * (min(a, d) + 1)
    for (attack, ways), (defence, more) in product(multisets(a, sides), multisets(d, sides)):
        lost = sum(x <= y for x, y in zip(attack[::-1], defence[::-1], strict=False))
        counts[lost] += ways * more
    return counts

def most_dice(a, d):
    return min(a, 3), min(d, 2)

GIVEN["risk"] = {"half": HALF, "most": "{} against {}".format(*most_dice(100, 100))}

def chances(i, j):
    """Return the probabilities of the attacker's losses 0, 1, … in a round."""
    return [Q(ways, 6 ** (i + j)) for ways in risk_round(i, j)]

def risk_after(a, d, i, j):
    """Return the win probability if the next round is i dice against j, and then the most."""
    counts = enumerate(risk_round(i, j))
    return sum(w * risk_win(a - k, d - min(i, j) + k) for k, w in counts) / Q(6 ** (i + j))

@cache
def risk_win(a, d):
    """Return the probability that a fighting attackers beat d defenders with the most dice."""
    return risk_after(a, d, *most_dice(a, d)) if a and d else Q(d == 0)

@cache
def polynomials(a, d):
    """Return counts of rolls by losses at degree + 1 numbers of sides."""
    rows = [risk_round(a, d, sides) for sides in range(a + d + 1)]
    return [interpolated(column) for column in zip(*rows, strict=True)]

@cache
def risk_bounds(attackers=200, defenders=200, unit=10**15):
    """Return bounds of all probabilities in fixed point, with quotients rounded down and up."""
    low = [[unit if d == 0 else 0 for d in range(defenders + 1)] for _ in range(attackers + 1)]
    high = [row[:] for row in low]
    for a, d in product(range(1, attackers + 1), range(1, defenders + 1)):
        i, j = most_dice(a, d)
        counts = risk_round(i, j)
        below, above = (sum(w * of[a - k][d - min(i, j) + k] for k, w in enumerate(counts))
                        for of in (low, high))
        low[a][d], high[a][d] = below // 6 ** (i + j), -(-above // 6 ** (i + j))
    return low, high, unit

def powers(u, exponent, last):
    """Yield m and the coefficient of z^exponent in (u₀ + u₁z + u₂z²)^m, from the first above 0 on.

    Let t and s be those of z^l and z^(l − 1), and t′ and s′ those of the next power. The power is
    u₀ + u₁z + u₂z² times the last one, and its derivative m + 1 times u₁ + 2u₂z times the last
    one; without the coefficient r of z^(l − 2) that is (2m + 2 − l)·t′ = (m + 1)·(2u₀t + u₁s).
    """
    m = exponent // 2
    t, s = u[2] ** m, m * u[1] * u[2] ** m // u[2]
    if exponent % 2:
        t, s = 0, t  # z^(2m + 1)
    for now in range(m, last + 1):
        if t:
            yield now, t
        after = (now + 1) * (2 * u[0] * t + u[1] * s) // (2 * now + 2 - exponent)
        r = (after - u[0] * t - u[1] * s) // u[2]
        t, s = after, (now + 1) * (2 * u[0] * s + u[1] * r) // (2 * now + 3 - exponent)

def last_rounds(a, d):
    """Yield the units left before a possible last round of 3 against 2, and the number of ways."""
    u = risk_round(3, 2)
    for y in (2, 3):  # defenders; d − y are lost, and after m rounds 2m − (d − y) attackers
        for m, ways in powers(u[::-1], d - y, (a + d - y - 3) // 2):
            yield m, a + d - y - 2 * m, y, ways
    for x in (3, 4):
        for m, ways in powers(u, a - x, (a + d - x - 4) // 2):
            yield m, x, a + d - x - 2 * m, ways

@cache
def long_battle(a, d):
    """Return bounds of one probability, for a ≥ 4 and d ≥ 3, by a sum over the last rounds.

    The rounds of 3 against 2 are exact; only the later rounds have bounds.
    """
    sums = [[0] * ((a + d) // 2) for _ in range(2)]  # low and high, by the rounds before the last
    few_attackers, few_defenders = risk_bounds(2, d), risk_bounds(a, 1)
    for m, x, y, ways in last_rounds(a, d):
        for k, w in enumerate(risk_round(3, 2)):
            i, j = x - k, y - 2 + k
            if i < 3 or j < 2:
                bounds = (few_attackers if i < 3 else few_defenders)[:2]
                for parts, of in zip(sums, bounds, strict=True):
                    parts[m] += ways * w * of[i][j]
    low, high = (reduce(lambda total, part: total * 6**5 + part, parts) for parts in sums)
    scale = 6 ** (5 * len(sums[0]))
    return low // scale, -(-high // scale), few_attackers[2]


@claim("risk.one-against-one")
def one_against_one():
    won, lost = risk_round(1, 1)
    return "proved", {"attacker_loses": lost, "defender_loses": won, "rolls": won + lost}

@claim("risk.one-against-one-form")
def one_against_one_form():
    p = polynomials(1, 1)[1]  # and 1 + … + s is 0 at 0, and rises by s from s − 1
    step = [x - y for x, y in zip(p, shifted(p, -1), strict=True)]
    need(p[0] == 0 and step == [0, 1, 0], "another sum")
    lost, up_to, sides = "(1/s)·(1 + 2 + … + s)/s", "1 + 2 + … + s", 6
    chance = formula(lost.replace(up_to, "total"))
    need(all(chance(s=s, total=sum(range(s + 1))) == Q(value_at(p, s), s**2) for s in (2, sides)), lost)
    evidence = {"chance": str(Q(value_at(p, sides), sides**2)), "coefficients": texts(p)}
    return "proved", evidence, {}, {"lost": lost, "sides": sides}

@claim("risk.six-patterns")
def six_patterns():
    # With more than 3 units against more than 2 the dice are those of 3 against 2.
    found = sorted({most_dice(a, d) for a, d in product(range(1, 5), range(1, 4))})
    attack, defend = (sorted({*dice}) for dice in zip(*found, strict=True))
    need(found == [*product(attack, defend)], "other patterns")
    words = {"attack": listed(attack, "or"), "defend": listed(defend, "or")}
    return "proved", {"dice": found, "patterns": len(found)}, {}, words

@claim("risk.four-against-two")
def four_against_two():
    attackers, defenders = 4, 2
    win = risk_win(attackers - 1, defenders)
    words = {"attackers": attackers, "defenders": defenders, "tex": latex(win)}
    return "proved", {"win": str(win)}, {"units": "total"}, words

# Table 3 of Osborne, in thousandths: 1 to 9 fighting attackers against 1 to 10 defenders.
OSBORNE = """417 106 27 7 2 0 0 0 0 0;754 363 206 91 49 21 11 5 3 1;
916 656 470 315 206 134 84 54 33 21;972 785 642 477 359 253 181 123 86 57;
990 890 769 638 506 397 297 224 162 118;997 934 857 745 638 521 423 329 258 193;
999 967 910 834 736 640 536 446 357 287;1000 980 947 888 818 730 643 547 464 380;
1000 990 967 930 873 808 726 646 558 480"""

@claim("risk.table")
def table():
    attackers, defenders = range(2, 11), range(1, 11)
    win = [[risk_win(a - 1, d) for d in defenders] for a in attackers]
    printed = [[int(x) for x in row.split()] for row in OSBORNE.split(";")]
    rounded = [[int(1000 * x + Q(1, 2)) for x in row] for row in win]
    evidence = {"figures": sum(map(len, printed)), "printed": printed, "win": [*map(texts, win)]}
    most = {"attackers": attackers[-1], "defenders": defenders[-1], "units": "total"}
    words = {"number": 3, "least": attackers[0], "fewest": defenders[0]}
    return decided(rounded != printed), evidence, most, words

@claim("risk.maximum-dice")
def maximum_dice():
    # The most dice are a saddle point in every state, and optimal against any announcement.
    armies = list(product(range(1, 31), repeat=2))
    for a, d in armies:
        i, j = (range(1, most + 1) for most in most_dice(a, d))
        game = [[risk_after(a, d, attack, defence) for defence in j] for attack in i]
        need(all(row[-1] == min(row) for row in game), f"fewer dice defend better: {a} v {d}")
        need(game[-1][-1] == max(row[-1] for row in game), f"fewer dice attack better: {a} v {d}")
        need(risk_win(a + 1, d) >= risk_win(a, d) >= risk_win(a, d + 1), f"not monotone: {a} v {d}")
    # Larger armies: theorem 10, which needs these numbers to be positive.
    p, w, u = (chances(a, 2) for a in (1, 2, 3))
    q2, q3 = (chances(a, 1)[0] for a in (2, 3))
    low, high, r, rise = Q(13, 33), Q(20, 33), 1 - q3, u[0] - w[0]
    signs = [q3 * w[1] + r * (p[0] ** 2 - w[0]) - w[1] * p[0],
             w[1] * p[0] - low * w[1] - high * (p[0] ** 2 - w[0]), Q(4, 7) - p[0],
             q3 * u[1] - r * rise + rise / 7 - Q(4, 7) * u[1],
             r * w[1] + u[2] * (q3 - p[0]) - w[1] / 7, high * rise,
             high * rise - low * u[2] + p[0] * u[2] - high * w[1] + high * u[1], q3 - low,
             q3 * (u[2] - r * r), high * u[1] - r * u[1] - low * (u[2] - r * r), low * q2 - w[0],
             w[2] - (1 - q2)]
    most = {"defenders": 30, "fighting_attackers": 30, "orders": ["announced", "simultaneous"]}
    evidence = {"states": len(armies), "exceptions": 0, "signs": positive(signs, "theorem 10")}
    return "proved", evidence, most

@cache
def chances_of(i, j, sides):
    return [value_at(p, sides) / Q(sides) ** (i + j) for p in polynomials(i, j)]

def after_of(a, d, i, j, sides):
    """As `risk_after`, for any number of sides."""
    return sum(x * win_of(a - k, d - min(i, j) + k, sides)
               for k, x in enumerate(chances_of(i, j, sides)))

@cache
def win_of(a, d, sides):
    return after_of(a, d, *most_dice(a, d), sides) if a and d else Q(d == 0)

def never_below_zero(s):
    """Return the numbers that must be nonnegative in theorem 27, for one number of sides."""
    (p, _), w, u = (chances_of(a, 2, s) for a in (1, 2, 3))
    q2, q3 = (chances_of(a, 1, s)[0] for a in (2, 3))
    theta, mu, rise, r = Q(4 * s - 5, 8 * s), Q(1, 12), u[0] - w[0], 1 - q3
    other, e = 1 - theta, u[2] - r * r

    def win(a, d):
        return win_of(a, d, s)

    def upper(a, d):
        return q3 * win(a, d - 1) + r * win(a - 1, d) - win(a, d)

    def lower(a, d):
        return win(a, d) - theta * win(a, d - 1) - other * win(a - 1, d)

    alpha, beta = q3 * u[1] - (r - mu) * rise, r * w[1] + u[2] * (q3 - p) - mu * w[1]
    gamma = (theta - p) * u[2] + other * (w[1] - u[1])
    return [w[1] - p, rise, rise + u[1] - w[1], q2 - w[0], q3 - u[0],
            upper(2, 1), upper(2, 2), upper(3, 2), lower(2, 1), lower(3, 1), lower(3, 2),
            q3 * w[1] + r * (p * p - w[0]) - w[1] * p,
            w[1] * p - theta * w[1] - other * (p * p - w[0]),
            win(2, 5) * win(2, 3) - win(2, 4) ** 2, win(2, 5) - p * win(2, 4),
            *(upper(3, d) - mu * win(2, d) for d in (2, 3, 4)),
            alpha * win(2, 4) - u[1] * win(2, 5), beta, other * rise - gamma, q3 - theta,
            e, (other - r) * u[1] - theta * e, theta * q2 - w[0], w[2] - (1 - q2), theta - p]

def numerator(values):
    """Coefficients in s − 2 of a polynomial in 1/s times the least power of s, by values from 2 on.

    Its degree is below the number of values: there are at most 4 dice for each unit lost.
    """
    p = interpolated([value * s ** (len(values) - 1) for s, value in enumerate(values, 2)])
    while value_at(p, -2) == 0:  # a factor s too many
        parts = [0]
        for c in reversed(p[1:]):
            parts.append(c - 2 * parts[-1])
        p = parts[:0:-1]
    return p[: max(i for i, c in enumerate(p, 1) if c)]

@claim("risk.maximum-dice-any-sides")
def any_sides():
    orders, tried = ["announced", "simultaneous"], [*range(1, 13), 100]
    battles = [*product(range(1, 9), range(1, 9), tried)]
    for a, d, s in battles:
        i, j = (range(1, most + 1) for most in most_dice(a, d))
        game = [[after_of(a, d, attack, defence, s) for defence in j] for attack in i]
        need(all(row[-1] == min(row) for row in game), f"fewer dice defend better: {a} v {d}")
        need(game[-1][-1] == max(row[-1] for row in game), f"fewer dice attack better: {a} v {d}")
    # V(2, 5)·V(2, 3) loses at most 6 + 4 units of at most 3 dice each, V(3, 4) 6 units of 4.
    values = zip(*(never_below_zero(s) for s in range(2, 34)), strict=True)
    signs = [positive(numerator(of), "theorem 27", strict=False) for of in values]
    most = {"defenders": 8, "fighting_attackers": 8, "orders": orders}
    evidence = {"states": len(orders) * len(battles), "exceptions": 0, "numerators": signs}
    return "proved", evidence, most

@cache
def shown(dice):
    """Return the attacker's highest dice with probabilities, and the losses for each answer."""
    counts = {}
    for roll, ways in multisets(dice, 6):
        counts[roll[::-1][:2]] = counts.get(roll[::-1][:2], 0) + ways
    laws = {}
    for faces in counts:
        for j in (1, 2):
            lost = [0] * (min(len(faces), j) + 1)
            for answer, ways in multisets(j, 6):
                lost[sum(x <= y for x, y in zip(faces, answer[::-1], strict=False))] += Q(ways, 6**j)
            laws[faces, j] = lost
    return [(faces, Q(ways, 6**dice), laws[faces, 1], laws[faces, 2]) for faces, ways in counts.items()]

def seen_after(a, d, law):
    return sum(x * seen_win(a - k, d - len(law) + 1 + k) for k, x in enumerate(law))

def seen_with(a, d, dice):
    """Return the win probability if this number of dice is rolled now, and then optimally."""
    return sum(chance * min(seen_after(a, d, law) for law in laws[: most_dice(a, d)[1]])
               for _, chance, *laws in shown(dice))

@cache
def seen_win(a, d):
    return max(seen_with(a, d, i) for i in range(1, min(a, 3) + 1)) if a and d else Q(d == 0)

@claim("risk.seen-most-dice")
def seen_most_dice():
    armies = list(product(range(1, 13), repeat=2))
    for a, d in armies:
        need(seen_with(a, d, min(a, 3)) == seen_win(a, d), f"fewer dice attack better: {a} v {d}")
    p, q3 = chances(1, 2)[0], chances(3, 1)[0]
    one = sum(x * min(c[0] * p, u[0]) for _, x, c, u in shown(2)) - p * p
    two = sum(x * min(c[0] * (q3 - p) * (1 - q3), u[1] * (q3 - p) - p * (u[2] - c[1] * (1 - q3)))
              for _, x, c, u in shown(3))
    ends = [seen_win(a, 2) - p * seen_win(a, 1) - (1 - p) * seen_win(a - 1, 2) for a in (2, 3)]
    gaps = positive([q3 - p, one, two, *ends], "theorem 28", strict=False)
    evidence = {"states": len(armies), "exceptions": 0, "gaps": gaps}
    return "proved", evidence, {"defenders": 12, "fighting_attackers": 12}

@claim("risk.seen-limit")
def seen_limit():
    beta, gamma, means = Q(2501, 2500), Q(2499, 2500), []
    rule = [(5, 4), (5, 5), (6, 4), (6, 5), (6, 6)]  # against which one die is rolled
    for dice in (1, 2, 3):
        means.append(Q(0))
        for faces, chance, *laws in shown(dice):
            law = laws[faces not in rule]
            stake = len(law) - 1
            means[-1] += chance * sum(x / beta**k / gamma ** (stake - k) for k, x in enumerate(law))
    need(max(means) <= 1 and beta * gamma < 1, "the bound fails")
    words = {"first": latex(1 / gamma), "step": latex(1 - beta * gamma)}
    return "proved", {"limit": 0, "means": texts(means), "product": str(beta * gamma)}, {}, words

@claim("risk.seen-most-dice-any-sides")
def seen_most_dice_any_sides():
    # Five numbers of theorem 28 for a few numbers of sides; its steps have all of them.
    gaps = {str(s): positive([*five_numbers(s)], "theorem 28", strict=False) for s in (2, 6, 12)}
    return "proved", {"gaps": gaps}

@claim("risk.seen-below-half")
def seen_below_half():
    units = 4_400_000
    grows = sum(Q(comb(units, k), 6_250_000**k) for k in range(5))  # at most (1 − 1/6250000)^(−units)
    need(grows > 2 * Q(2500, 2499), "the bound is not below 1/2")
    evidence = {"units": units, "programs": [program("risk_far", units)]}
    return "proved", evidence, {}, {"half": HALF}

@claim("risk.seen-slope")
def seen_slope():
    def drift(m):
        """Return the mean of the attacker's losses less m times the defender's, for the best answers."""
        total = Q(0)
        for _, chance, *laws in shown(3):
            lost = [(sum(k * x for k, x in enumerate(law)), len(law) - 1) for law in laws]
            total += chance * max(k - m * (stake - k) for k, stake in lost)
        return total

    slope = Q(1945, 1943)
    need(drift(slope) == 0 and drift(slope - 1) > 0 > drift(slope + 1), "another slope")
    return "proved", {"slope": str(slope)}, {}, {"none": 0, "one": 1}

@claim("risk.fewest-sides")
def fewest_sides():
    found, sides = [], 2
    for d in range(1, len(FEWEST) + 1):
        while advantage(d, sides) <= 0:
            sides += 1
        found.append(sides)
    need((*found,) == FEWEST, "theorem 35 has other numbers")
    return "proved", {"fewest": found}, {}, {"more": "d + 1", "listed": listed(found), "first": 1, "last": len(found)}

@claim("risk.fewest-sides-rise")
def fewest_sides_rise():
    constants()  # for d from 250 on; the numbers up to there are a step of theorem 35
    found = least_sides(60)
    need(all(x < y for x, y in pairwise(found)), "a least number does not rise")
    return "proved", {"fewest": found}, {}, {"more": "d + 1"}

@claim("risk.fewest-sides-slope")
def fewest_sides_slope():
    return "proved", {"limit": 1}, {}, {"more": "d + 1"}  # theorem 35: it is between d and d + 2√d + 1

@claim("risk.power-sums")
def power_sums():
    # In (d + 1) v d the attacker loses all in 1^(2d) + … + s^(2d) rolls: any d by theorem 4.
    more, first, last = "d + 1", "1^(2d)", "s^(2d)"
    sums = {d: polynomials(int(formula(more)(d=d)), d)[d] for d in (1, 2, 3)}
    for d, p in sums.items():
        step = [x - y for x, y in zip(p, shifted(p, -1), strict=True)]
        need(p[0] == 0 and step == [i == 2 * d for i in range(len(p))], f"no power sum: {d}")
        need(value_at(p, 1) == formula(first)(d=d), f"another first term: {d}")
        need(value_at(p, 3) - value_at(p, 2) == formula(last)(d=d, s=3), f"another last term: {d}")
    evidence = {"coefficients": {d: texts(p) for d, p in sums.items()}}
    words = {"more": more, "first": first, "last": last}
    return "proved", evidence, {"defender_dice": [*sums]}, words

@claim("risk.reciprocity")
def reciprocity():
    # N(a, d, k)(−s) = (−1)^(a + d) N(d, a, m − k)(s): any dice by theorem 5.
    of = {(a, d): polynomials(a, d) for a, d in product((1, 2, 3), repeat=2)}
    sign = "(−1)^(a + d)"
    for (a, d), counts in of.items():
        signed = [[formula(sign)(a=a, d=d) * (-1) ** i * c for i, c in enumerate(p)] for p in of[d, a][::-1]]
        need(counts == signed, f"not reciprocal: {a} v {d}")
    evidence = {"coefficients": {f"{a} v {d}": [*map(texts, of[a, d])] for a, d in of}}
    return "proved", evidence, {"most_dice": 3}, {"sign": sign}

@claim("risk.monotone")
def monotone():
    # The comparisons of rounds that theorem 7 needs; all armies up to 30 are compared above.
    p, w, u = (chances(a, 2) for a in (1, 2, 3))
    q2, q3 = (chances(a, 1)[0] for a in (2, 3))
    gaps = [w[1] - p[0], u[0] - w[0], u[1] - w[1], q2 - w[0], q3 - u[0]]
    return "proved", {"gaps": positive(gaps, "a comparison of theorem 7", strict=False)}

@claim("risk.favoured-sides")
def favoured_sides():
    # The sign of the advantage: by value below 5, from there on by the coefficients at s + 5.
    none, _, both = polynomials(3, 2)
    p = [2 * (x - y) for x, y in zip(none, both, strict=True)]
    need(all(value_at(p, s) < 0 for s in range(1, 5)), "another sign")
    evidence = {"advantage": texts(p), "first": 5, "shifted": positive(shifted(p, 5), "the sign")}
    words = {"less": "less" if value_at(p, 5) > 0 else "more"}
    return "proved", evidence, {"attacker_dice": 3, "defender_dice": 2}, words

@claim("risk.limit")
def limit(e):
    """Two numbers with 1 − V(a, d) ≤ α^(a − 2)·β^d, by induction on a + d, and αβ < 1: theorem 8."""
    alpha, beta = rational(e["alpha"]), rational(e["beta"])
    need(0 < alpha <= 1 <= beta, "no bound of this form")
    two = sum(x * alpha**-k * beta ** (k - 2) for k, x in enumerate(chances(3, 2)))
    one, both = chances(3, 1)[1] / alpha, alpha * beta
    need(two <= 1 and one <= 1 and both < 1, "the step fails")
    bounds = {"alpha": alpha, "beta": beta, "one": one, "two": two, "product": both}
    evidence = {name: str(bound) for name, bound in bounds.items()}
    words = {"alpha_tex": latex(alpha), "beta_tex": latex(beta)}
    return "proved", evidence | {"limit": 1}, {"units": "fighting"}, words

@claim("risk.rate")
def rate():
    # Large armies: theorems 20, 21, 23 and 24, whose steps are run. λ = u₁ + 2·√(u₀u₂).
    u = chances(3, 2)
    two, a, b, c, rolls = 2, 2611, 170, 910, 6**5
    need(u[1] == Q(a, rolls) and two**2 * u[0] * u[2] == Q(b**2 * c, rolls**2), "another λ")
    words = {"lost": "1 − V(n, n)", "zero": 0, "two": two, "a": a, "b": b, "c": c, "rolls": rolls}
    return "proved", {"four_u0_u2": str(4 * u[0] * u[2]), "u1": str(u[1])}, {}, words

@claim("risk.even-chances")
def even_chances():
    low, high, one = risk_bounds()
    first, product_of = {}, Q(47, 50) * Q(18, 17)
    for units, short in (("fighting", 0), ("total", 1)):
        often = [low[n - short][n] > HALF * one for n in range(1, 200)]
        need(all(often[n - 1] or high[n - short][n] < HALF * one for n in range(1, 200)), "too close")
        first[units] = 1 + often.index(True)
        need(all(often[first[units] - 1 :]), "an even chance is lost again")
    need(Q(47, 50) ** 197 * Q(18, 17) ** 200 < HALF, "the bound is not below 1/2")
    return "proved", {**first, "product": str(product_of)}

@claim("risk.no-line")
def no_line(e):
    """Three armies: a line not above the outer two is below the middle one."""
    low, high, one = risk_bounds()
    least = {int(d): a for d, a in e["least"].items()}
    need(all(type(a) is int and 0 < a <= 200 and 0 < d <= 200 for d, a in least.items()), "no battles")
    need(all(high[a - 1][d] < HALF * one < low[a][d] for d, a in least.items()), "not the least army")
    first, between, last = sorted(least)
    share = Q(between - first, last - first)
    need(least[first] + share * (least[last] - least[first]) < least[between] - 1, "on a line")
    return "proved", {"least": {str(d): a for d, a in least.items()}}

@claim("risk.two-lines")
def two_lines(e):
    """Two battles on one line; only the smaller one is won with probability at least 1/2."""
    _, one, two = chances(3, 2)
    ratio, battles = (one + 2 * two) / (2 - one - 2 * two), (e["at_least_half"], e["below_half"])
    need(all(type(n) is int for battle in battles for n in battle), "no battles")
    (over,) = {a - ratio * d for a, d in battles}
    need(not any((a + d) % 2 for a, d in battles), "other lines")
    low, high, unit = risk_bounds()
    need(3 < battles[0][0] < len(low) and 2 < battles[0][1] < len(low[0]), "not a small battle")
    need(all(3 < n < 4000 for n in battles[1]), "not a battle that is looked at")
    (small, d), large = battles[0], long_battle(*battles[1])
    again = long_battle(small, d)  # the recursion and the sum bound the same probability
    need(max(low[small][d], again[0]) <= min(high[small][d], again[1]), "another chance")
    need(low[small][d] >= HALF * unit and large[1] < HALF * large[2], "no exception")
    parts = [bound * 10**12 // unit for bound in (low[small][d], high[small][d], *large[:2])]
    need(parts[::2] == parts[1::2], "too few digits")
    evidence = {"at_least_half": battles[0], "below_half": battles[1], "over_the_line": str(over),
                "parts_of_a_million_million": parts[::2]}
    return "refuted", evidence, {}, {"ratio": ratio, "tex": latex(ratio), "half_tex": latex(HALF)}

@claim("risk.rising")
def rising():
    fighting, total = ([risk_win(n - short, n) for n in range(2, 9)] for short in (0, 1))
    need(all(x < y for of in (fighting, total) for x, y in pairwise(of)), "it falls")
    first = [1 + (risk_win(1 - short, 1) >= risk_win(2 - short, 2)) for short in (0, 1)]
    words = {"in_fighting": first[0], "in_total": first[1],
             "rises": "rises" if fighting[0] < fighting[-1] and total[0] < total[-1] else "falls"}
    return "proved", {"fighting": texts(fighting), "total": texts(total)}, {}, words

@claim("risk.least-army")
def least_army():
    _, one, two = chances(3, 2)
    lost = one + 2 * two
    ratio = lost / (2 - lost)
    return "proved", {"ratio": str(ratio)}, {}, {"tex": latex(ratio)}

@claim("risk.even-line")
def even_line():
    # κ of theorem 29: by integers over 6^5 a round, all armies of 100 units and more below 10^(−16).
    u, rolls, cut, rest = risk_round(3, 2), 6**5, 100, Q(1, 10**16)
    mean, squares, cubes = (Q(sum(x * k**n for k, x in enumerate(u)), rolls) for n in (1, 2, 3))
    variance, third = squares - mean**2, cubes - 3 * mean * squares + 2 * mean**3
    kappa, least, laws = [], [], [[1]]
    while len(laws) <= cut // 2 + 1:
        last = [0, 0, *laws[-1], 0, 0]
        laws.append([sum(u[k] * last[j - k] for k in range(3)) for j in range(2, len(last))])
    for i in (0, 1):
        total = Q(0)
        for x, y in product(range(1, cut), range(cut)):
            if (x <= 2 or y <= 1) and (x + y - i) % 2 == 0:
                n = (x + y + 1) // 2
                led = sum(u[k] for k in range(3) if x + k >= 3 and y + 2 - k >= 2)
                total += Q(led, rolls) * (risk_win(x, y) - Q(sum(laws[n][: max(0, x - 2)]), rolls**n))
        at = Q(5, 2) + mean * i / 2 - third / (6 * variance) - total
        low, high = (2 / (2 - mean) * (at + side) for side in (-rest, rest))
        kappa.append(int(low * 10**12))
        need(kappa[-1] == int(high * 10**12), "too few digits of κ")
        ratio = mean / (2 - mean)
        whole = [k for k in range(5000) if k % 2 == i and k > high * ratio.denominator]
        need(whole[0] - 2 < low * ratio.denominator, "κ is at a whole number")
        least.append(whole[0])
    low, high, unit = risk_bounds()
    off = []
    for a, d in product(range(1, len(low)), range(1, len(low[0]))):
        often = low[a][d] >= HALF * unit
        need(often == (high[a][d] >= HALF * unit), "too close to 1/2")
        if often != (ratio.denominator * a - ratio.numerator * d >= least[(a + d) % 2]):
            off.append([a, d])
    words = {"up": ratio.denominator, "down": ratio.numerator, "even": least[0], "odd": least[1],
             "exception": "; ".join(f"{a} against {d}" for a, d in off), "tex": latex(ratio),
             "half_tex": latex(HALF)}
    return "proved", {"exceptions": off, "kappa": kappa, "least": least, "ratio": str(ratio)}, {}, words
