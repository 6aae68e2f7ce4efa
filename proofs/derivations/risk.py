"""Claims about Risk: rounds by listing rolls, battles by the recursion over what is left."""

# fmt: off
from functools import cache
from itertools import pairwise, product

from kinds import claim, decided, interpolated, multisets, positive, shifted, texts, value_at
from reading import Q, need

POSTS, US = "the Risk posts", "this package"


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

def chances(i, j):
    """Chances of the attacker's losses 0, 1, … in a round."""
    return [Q(ways, 6 ** (i + j)) for ways in risk_round(i, j)]

def risk_after(a, d, i, j):
    """Chance to win when the next round is i dice against j, and all later ones have the most."""
    counts = enumerate(risk_round(i, j))
    return sum(w * risk_win(a - k, d - min(i, j) + k) for k, w in counts) / Q(6 ** (i + j))

@cache
def risk_win(a, d):
    """Chance that a fighting attackers beat d defenders, both with as many dice as they may."""
    return risk_after(a, d, *most_dice(a, d)) if a and d else Q(d == 0)

@cache
def polynomials(a, d):
    """Counts of rolls by losses as polynomials in the sides: degree + 1 points."""
    rows = [risk_round(a, d, sides) for sides in range(a + d + 1)]
    return [interpolated(column) for column in zip(*rows, strict=True)]

@cache
def risk_bounds(most=200, unit=10**15):
    """Bounds of all chances in fixed point, every quotient cut off or, for the others, raised."""
    low = [[unit if d == 0 else 0 for d in range(most + 1)] for _ in range(most + 1)]
    high = [row[:] for row in low]
    for a, d in product(range(1, most + 1), repeat=2):
        i, j = most_dice(a, d)
        counts = risk_round(i, j)
        below, above = (sum(w * of[a - k][d - min(i, j) + k] for k, w in enumerate(counts))
                        for of in (low, high))
        low[a][d], high[a][d] = below // 6 ** (i + j), -(-above // 6 ** (i + j))
    return low, high, unit


@claim("risk.one-against-one", "search",
       "with one die a side the attacker loses in <attacker_loses> of <rolls> rolls",
       "two six-sided dice, ties to the defender",
       POSTS,
       (),
       r"\Pr(X \le Y) = \tfrac{21}{36}")
def one_against_one():
    won, lost = risk_round(1, 1)
    return "proved", {"attacker_loses": lost, "defender_loses": won, "rolls": won + lost}

@claim("risk.one-against-one-form", "identity",
       "with one die of s sides each the attacker loses with chance (1/s)·(1 + 2 + … + s)/s, which "
       "is <chance> for s = 6",
       "all numbers of sides s ≥ 1, ties to the defender", f"{POSTS}, for six sides", (),
       r"\Pr(X \le Y) = \frac1s \cdot \frac{1 + \cdots + s}{s}")
def one_against_one_form():
    p = polynomials(1, 1)[1]  # and 1 + … + s is 0 at 0, and rises by s from s − 1
    step = [x - y for x, y in zip(p, shifted(p, -1), strict=True)]
    need(p[0] == 0 and step == [0, 1, 0], "another sum")
    return "proved", {"chance": str(Q(value_at(p, 6), 36)), "coefficients": texts(p)}

@claim("risk.six-patterns", "search",
       "a round is fought in one of <patterns> patterns, 1, 2 or 3 dice against 1 or 2",
       "armies of any size, both sides with as many dice as they may", POSTS)
def six_patterns():
    # With more than 3 units against more than 2 the dice are those of 3 against 2.
    found = sorted({most_dice(a, d) for a, d in product(range(1, 5), range(1, 4))})
    need(found == [*product((1, 2, 3), (1, 2))], "other patterns")
    return "proved", {"dice": found, "patterns": len(found)}

@claim("risk.four-against-two", "process",
       "4 total attackers beat 2 defenders with chance <win>",
       "total units, of which one stays behind",
       POSTS,
       (),
       r"V(4, 2) = \tfrac{6610505}{10077696}")
def four_against_two():
    return "proved", {"win": str(risk_win(3, 2))}, {"units": "total"}

# Table 3 of Osborne, in thousandths: 1 to 9 fighting attackers against 1 to 10 defenders.
OSBORNE = """417 106 27 7 2 0 0 0 0 0;754 363 206 91 49 21 11 5 3 1;
916 656 470 315 206 134 84 54 33 21;972 785 642 477 359 253 181 123 86 57;
990 890 769 638 506 397 297 224 162 118;997 934 857 745 638 521 423 329 258 193;
999 967 910 834 736 640 536 446 357 287;1000 980 947 888 818 730 643 547 464 380;
1000 990 967 930 873 808 726 646 558 480"""

@claim("risk.table", "process",
       "the <figures> chances to win, rounded to thousandths, are those that Osborne prints in "
       "Table 3",
       "all battles of 2 to 10 total attackers against 1 to 10 defenders",
       f"{POSTS}, whose table is a picture; J. A. Osborne, Markov chains for the RISK board game "
       "revisited, Mathematics Magazine 76 (2003), 129–135")
def table():
    win = [[risk_win(a - 1, d) for d in range(1, 11)] for a in range(2, 11)]
    printed = [[int(x) for x in row.split()] for row in OSBORNE.split(";")]
    rounded = [[int(1000 * x + Q(1, 2)) for x in row] for row in win]
    evidence = {"figures": sum(map(len, printed)), "printed": printed, "win": [*map(texts, win)]}
    most = {"attackers": 10, "defenders": 10, "units": "total"}
    return decided(rounded != printed), evidence, most

@claim("risk.maximum-dice", "induction",
       "it is optimal for both sides always to roll as many dice as possible",
       "all states of the game in which both sides choose how many dice to roll, the attacker "
       "announcing first or both at once",
       f"{POSTS}, as an assumption",
       ("theorem 10", "theorem 7", "minimax"))
def maximum_dice():
    # The most dice are a saddle point of every state's game, and the answer to any announcement.
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

@claim("risk.power-sums", "identity",
       "in d + 1 dice against d the attacker loses d units in 1^(2d) + … + s^(2d) rolls",
       "all d ≥ 1 and all numbers of sides s ≥ 1, ties to the defender",
       US,
       ("theorem 4", "cycle-lemma"),
       r"N_{d+1,d,d}(s) = \sum_{v=1}^{s} v^{2d}")
def power_sums():
    # In (d + 1) v d the attacker loses all in 1^(2d) + … + s^(2d) rolls: any d by theorem 4.
    sums = {d: polynomials(d + 1, d)[d] for d in (1, 2, 3)}
    for d, p in sums.items():
        step = [x - y for x, y in zip(p, shifted(p, -1), strict=True)]
        need(p[0] == 0 and step == [i == 2 * d for i in range(len(p))], f"no power sum: {d}")
    return "proved", {"coefficients": {d: texts(p) for d, p in sums.items()}}, {"defender_dice": [*sums]}

@claim("risk.reciprocity", "identity",
       "the count of rolls that cost the attacker k units, at −s, is (−1)^(a + d) times that "
       "of the rolls that cost m − k in the round with the sides exchanged, at s",
       "all numbers of dice a, d ≥ 1 and losses k of m = min(a, d)",
       US,
       ("theorem 5", "order-polynomials"),
       "N_{a,d,k}(-s) = (-1)^{a+d} N_{d,a,m-k}(s)")
def reciprocity():
    # N(a, d, k)(−s) = (−1)^(a + d) N(d, a, m − k)(s): any dice by theorem 5.
    of = {(a, d): polynomials(a, d) for a, d in product((1, 2, 3), repeat=2)}
    for (a, d), counts in of.items():
        signed = [[(-1) ** (a + d + i) * c for i, c in enumerate(p)] for p in of[d, a][::-1]]
        need(counts == signed, f"not reciprocal: {a} v {d}")
    evidence = {"coefficients": {f"{a} v {d}": [*map(texts, of[a, d])] for a, d in of}}
    return "proved", evidence, {"most_dice": 3}

@claim("risk.monotone", "induction",
       "more attackers never win less often, and more defenders never lose more often",
       "all armies a, d ≥ 0 of fighting units, most dice 3 against 2",
       US,
       ("theorem 7",),
       r"V(a, d + 1) \le V(a, d) \le V(a + 1, d)")
def monotone():
    # The comparisons of rounds that theorem 7 needs; all armies up to 30 are compared above.
    p, w, u = (chances(a, 2) for a in (1, 2, 3))
    q2, q3 = (chances(a, 1)[0] for a in (2, 3))
    gaps = [w[1] - p[0], u[0] - w[0], u[1] - w[1], q2 - w[0], q3 - u[0]]
    return "proved", {"gaps": positive(gaps, "a comparison of theorem 7", strict=False)}

@claim("risk.favoured-sides", "identity",
       "3 dice against 2 cost the attacker less than the defender exactly for s ≥ <first>",
       "all numbers of sides s ≥ 1; the mean losses of one round",
       US,
       ("theorem 11",),
       r"\sum_k (2 - 2k) N_{3,2,k}(s) > 0 \iff s \ge 5")
def favoured_sides():
    # The sign of the advantage: by value below 5, from there on by the coefficients at s + 5.
    none, _, both = polynomials(3, 2)
    p = [2 * (x - y) for x, y in zip(none, both, strict=True)]
    need(all(value_at(p, s) < 0 for s in range(1, 5)), "another sign")
    evidence = {"advantage": texts(p), "first": 5, "shifted": positive(shifted(p, 5), "the sign")}
    return "proved", evidence, {"attacker_dice": 3, "defender_dice": 2}

@claim("risk.limit", "induction",
       "the chance of n fighting attackers to beat n defenders tends to <limit>",
       "equal armies of fighting units, most dice 3 against 2",
       US,
       ("theorem 8",),
       r"\lim_{n \to \infty} V(n, n) = 1,\quad 1 - V(n, n) \le \bigl(\tfrac{47}{48}\bigr)^{n-2}"
       r" \bigl(\tfrac{51}{50}\bigr)^{n}")
def limit():
    # 1 − V(a, d) ≤ α^(a − 2)·β^d by induction on a + d, and αβ < 1: theorem 8.
    alpha, beta = Q(47, 48), Q(51, 50)
    two = sum(x * alpha**-k * beta ** (k - 2) for k, x in enumerate(chances(3, 2)))
    one, both = chances(3, 1)[1] / alpha, alpha * beta
    need(two <= 1 and one <= 1 and both < 1, "the step fails")
    bounds = {"alpha": alpha, "beta": beta, "one": one, "two": two, "product": both}
    evidence = {name: str(bound) for name, bound in bounds.items()}
    return "proved", evidence | {"limit": 1}, {"units": "fighting"}

@claim("risk.rate", "induction",
       "1 − V(n, n) divided by λ^n/√n tends to a constant above 0, with λ = u₁ + 2·√(u₀·u₂) = "
       "(2611 + 170·√910)/7776",
       "equal armies of n units, most dice 3 against 2, fighting units",
       US,
       ("theorem 20", "risk.limit", "local-limit"),
       r"1 - V(n, n) \sim C\,n^{-1/2} \lambda^n,\quad 0 < C < \infty")
def rate():
    # Large armies: theorems 20, 21, 23 and 24, whose steps are run. λ = u₁ + 2·√(u₀u₂).
    u = chances(3, 2)
    need(u[1] == Q(2611, 7776) and 4 * u[0] * u[2] == Q(170**2 * 910, 7776**2), "another λ")
    return "proved", {"four_u0_u2": str(4 * u[0] * u[2]), "u1": str(u[1])}

@claim("risk.even-chances", "induction",
       "the attacker wins with a chance above 1/2 exactly for n ≥ <fighting> in fighting "
       "units, and exactly for n ≥ <total> in total units",
       "equal armies of n units, most dice 3 against 2",
       US,
       ("theorem 21",))
def even_chances():
    low, high, one = risk_bounds()
    first, product_of = {}, Q(47, 50) * Q(18, 17)
    for units, short in (("fighting", 0), ("total", 1)):
        often = [low[n - short][n] * 2 > one for n in range(1, 200)]
        need(all(often[n - 1] or high[n - short][n] * 2 < one for n in range(1, 200)), "too close")
        first[units] = 1 + often.index(True)
        need(all(often[first[units] - 1 :]), "an even chance is lost again")
    need(2 * Q(47, 50) ** 197 * Q(18, 17) ** 200 < 1, "the bound is not below 1/2")
    return "proved", {**first, "product": str(product_of)}

@claim("risk.no-line", "search",
       "no straight line, rounded up, is the least army with a chance of at least 1/2",
       "the fighting units that are needed against d defenders, for all d ≥ 1",
       US,
       ("theorem 21",),
       r"\lceil \rho' d + \kappa \rceil")
def no_line():
    low, high, one = risk_bounds()
    least = {d: next(a for a in range(1, 200) if 2 * low[a][d] > one) for d in (5, 114, 148)}
    need(all(2 * high[a - 1][d] < one for d, a in least.items()), "too close to 1/2")
    need(least[5] + Q((least[148] - least[5]) * 109, 143) < least[114] - 1, "on a line")
    return "proved", {"least": {str(d): a for d, a in least.items()}}

@claim("risk.rising", "induction",
       "the chance to win rises strictly with n, from n = 2 on in fighting units and from n = "
       "1 on in total units",
       "equal armies of n units, most dice 3 against 2",
       US,
       ("theorem 23", "theorem 20"),
       r"V(n, n) < V(n + 1, n + 1),\quad V(n - 1, n) < V(n, n + 1)")
def rising():
    fighting, total = ([risk_win(n - short, n) for n in range(2, 9)] for short in (0, 1))
    need(all(x < y for of in (fighting, total) for x, y in pairwise(of)), "it falls")
    return "proved", {"fighting": texts(fighting), "total": texts(total)}

@claim("risk.least-army", "induction",
       "the least army with a chance of at least 1/2 against d defenders differs from "
       "<ratio>·d by a bounded number of units",
       "fighting units, most dice 3 against 2, for all d ≥ 1",
       US,
       ("theorem 24", "theorem 7", "theorem 10", "local-limit", "berry-esseen"),
       r"A(d) = \tfrac{2387}{2797} d + O(1)")
def least_army():
    _, one, two = chances(3, 2)
    lost = one + 2 * two
    return "proved", {"ratio": str(lost / (2 - lost))}
