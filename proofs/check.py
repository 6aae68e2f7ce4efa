#!/usr/bin/env python3
"""Check the certificates of exactdice with Python's standard library alone.

    python3 proofs/check.py [FILE ...]

Nothing of exactdice is imported. Each game is derived again from its rules in a section below, and
every number of a certificate must be the one found here or, in a witness, satisfy the equations it
is a witness of. Where a claim goes beyond what can be listed, the comment names the theorem (folder
`theorems`) that covers the rest: its text is named by a hash, and its computational steps are run.
What is said is made again from the tables of statements.py and compared with certificates and, if no
FILE is named, with CLAIMS.md. Prints a line a certificate; exit status 1 on any failure. FORMAT.md
describes certificates.
"""

# fmt: off
import hashlib
import json
import re
import subprocess
import sys
import zlib
from collections import Counter
from fractions import Fraction as Q
from functools import cache, reduce
from itertools import combinations, combinations_with_replacement, pairwise, product
from math import ceil, comb, factorial, floor, lcm, prod
from operator import add, mul
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import statements

FOLDER = Path(__file__).resolve().parent / "certificates"
REGISTER = FOLDER.parents[1] / "CLAIMS.md"
KEYS = ["claim", "coq", "evidence", "format", "kind", "package", "parameters", "rests_on",
        "statement", "verdict"]
FORMAT, PACKAGE = "exactdice certificate 2", r"exactdice [0-9]{1,4}(\.[0-9]{1,4}){1,3}"
MOST_BYTES, MOST_DEPTH = 5_000_000, 12
MALFORMED = ArithmeticError, AttributeError, LookupError, OSError, TypeError, ValueError, zlib.error


# Reading: strict, bounded, canonical ----------------------------------------------------------

class Rejected(Exception):  # noqa: N818 - the word that is printed
    """The certificate proves nothing; the text says why."""

def need(condition, reason):
    if not condition:
        raise Rejected(reason)

def unique(pairs):
    need(len({key for key, _ in pairs}) == len(pairs), "a key twice in one object")
    return dict(pairs)

def whole(text):
    need(re.fullmatch(r"-?[0-9]{1,18}", text), f"no whole number of 18 digits: {text[:20]}")
    return int(text)

def canonical(content):
    return json.dumps(content, indent=1, sort_keys=True) + "\n"

def parse(raw):
    """Read JSON that is ASCII, shallow and canonical, without floats and long integers."""
    need(len(raw) <= MOST_BYTES and raw.isascii(), f"not ASCII, or more than {MOST_BYTES} bytes")
    depth, text = 0, raw.decode("ascii")
    for part in re.finditer(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(part[0], 0)
        need(depth <= MOST_DEPTH, f"nested deeper than {MOST_DEPTH}")
    content = json.loads(text, object_pairs_hook=unique, parse_int=whole, parse_float=whole,
                         parse_constant=whole)
    need(canonical(content) == text, "not written canonically (order, spaces or escapes)")
    return content

def rational(text):
    need(isinstance(text, str) and len(text) <= 200, "a rational that is no text or too long")
    need(re.fullmatch(r"-?[0-9]+(/[0-9]*[1-9][0-9]*)?", text) and str(Q(text)) == text,
         f"no rational in lowest terms: {text[:20]}")
    return Q(text)

def plain(path):
    need(path.is_file() and not path.is_symlink(), f"{path.name} is no plain file")
    with path.open("rb") as file:  # a device may have no end, whatever size it is said to have
        raw = file.read(MOST_BYTES + 1)
    need(len(raw) <= MOST_BYTES, f"{path.name} has more than {MOST_BYTES} bytes")
    return raw

def attached(entry, name):
    """Read the compressed file that goes with a certificate, by its SHA-256 and within bounds."""
    raw, expand = plain(FOLDER / name), zlib.decompressobj()
    need(entry == {"file": name, "sha256": hashlib.sha256(raw).hexdigest()}, "another file")
    content = expand.decompress(raw, MOST_BYTES + 1)
    need(expand.eof and not expand.unused_data, f"{name} is cut off, too large or has a tail")
    return parse(content)

def found_for(claim, evidence):
    """Return kind, parameters, verdict and evidence of a claim as they are found here."""
    derive, game = WITNESSED.get(claim), DERIVED.get(claim.split(".")[0], dict)
    found = derive(evidence) if derive else game().get(claim)
    need(found, "an unknown claim")
    return found

def check(raw):
    """Return the certificate, every part of it compared, or raise Rejected."""
    try:
        given = parse(raw)
        need(isinstance(given, dict) and sorted(given) == KEYS, f"the keys must be {KEYS}")
        claim, package = given["claim"], given["package"]
        need(given["format"] == FORMAT and re.fullmatch(PACKAGE, package), f"not {FORMAT!r}")
        need(claim in statements.STATED, "an unknown claim")
        need(canonical(given["coq"]) == canonical(statements.covered().get(claim)), "coq: another")
        found = dict(zip(("kind", "parameters", "verdict", "evidence"),
                         found_for(claim, given["evidence"]), strict=True))
        found["rests_on"] = statements.foundations(claim)
        numbers = {**found["parameters"], **found["evidence"]}
        found["statement"] = statements.stated(claim, numbers)
    except MALFORMED as problem:
        raise Rejected(f"malformed: {problem!r:.99}") from None
    except statements.StepError as problem:
        raise Rejected(f"a step of a theorem fails: {problem}") from None
    for name, value in found.items():
        need(canonical(given[name]) == canonical(value), f"{name}: not what is found here")
    return given

def said_of(given):
    """The line that is printed for a certificate."""
    theorems = [*given["rests_on"]["theorems"]]
    resting = f", resting on {' and '.join(theorems)}" if theorems else ""
    return f"{given['verdict']}{resting}: {given['claim']} ({given['kind']})"

def register_of(claim, verdict, kind, statement):
    """Compare the row and the part of a claim in CLAIMS.md with those that are made here."""
    rows, lines = statements.in_register(REGISTER.read_text(encoding="utf-8"), claim)
    need(rows == [statements.row(claim, verdict, statement)], f"CLAIMS.md: another row: {claim}")
    need(lines == statements.section(claim, verdict, kind, statement),
         f"CLAIMS.md: another part: {claim}")


# Arithmetic that several sections need --------------------------------------------------------

def multisets(dice, sides):
    """Yield each ascending roll of equal dice and the number of ordered rolls that show it."""
    for roll in combinations_with_replacement(range(1, sides + 1), dice):
        yield roll, factorial(dice) // prod(factorial(roll.count(v)) for v in set(roll))

def value_at(coefficients, x):
    return sum(c * x**i for i, c in enumerate(coefficients))

def shifted(p, by):
    """Coefficients of p(x + by)."""
    return [sum(p[i] * comb(i, j) * by ** (i - j) for i in range(j, len(p))) for j in range(len(p))]

def interpolated(values):
    """Coefficients of the polynomial with these values at 0, 1, …: the first + x·(one of x − 1)."""
    rest = [Q(value - values[0]) / i for i, value in enumerate(values) if i]
    return [Q(values[0]), *shifted(interpolated(rest), -1)] if values else []

def texts(numbers):
    return [str(number) for number in numbers]

def derived(game):
    """Make a table of claims, derived once, from what yields them with all that is certified."""
    return cache(lambda: {claim: certified for claim, *certified in game()})


# Risk -----------------------------------------------------------------------------------------

@cache
def risk_round(a, d, sides=6):
    """Count rolls by the attacker's losses: highest against highest, ties to the defender."""
    counts = [0] * (min(a, d) + 1)
    for (attack, ways), (defence, more) in product(multisets(a, sides), multisets(d, sides)):
        lost = sum(x <= y for x, y in zip(attack[::-1], defence[::-1], strict=False))
        counts[lost] += ways * more
    return counts

def risk_after(a, d, i, j):
    """Chance to win when the next round is i dice against j, and all later ones have the most."""
    counts = enumerate(risk_round(i, j))
    return sum(w * risk_win(a - k, d - min(i, j) + k) for k, w in counts) / Q(6 ** (i + j))

@cache
def risk_win(a, d):
    """Chance that a fighting attackers beat d defenders, both with as many dice as they may."""
    return risk_after(a, d, min(a, 3), min(d, 2)) if a and d else Q(d == 0)

def polynomials(a, d):
    """Counts of rolls by losses as polynomials in the sides: degree + 1 points."""
    rows = [risk_round(a, d, sides) for sides in range(a + d + 1)]
    return [interpolated(column) for column in zip(*rows, strict=True)]

def risk_bounds(most, unit=10**15):
    """Bounds of all chances in fixed point, every quotient cut off or, for the others, raised."""
    low = [[unit if d == 0 else 0 for d in range(most + 1)] for _ in range(most + 1)]
    high = [row[:] for row in low]
    for a, d in product(range(1, most + 1), repeat=2):
        i, j = min(a, 3), min(d, 2)
        counts = risk_round(i, j)
        below, above = (sum(w * of[a - k][d - min(i, j) + k] for k, w in enumerate(counts))
                        for of in (low, high))
        low[a][d], high[a][d] = below // 6 ** (i + j), -(-above // 6 ** (i + j))
    return low, high, unit

@derived
def risk():
    won, lost = risk_round(1, 1)
    evidence = {"attacker_loses": lost, "defender_loses": won, "rolls": won + lost}
    yield "risk.one-against-one", "count", {}, "proved", evidence
    evidence = {"win": str(risk_win(3, 2))}
    yield "risk.four-against-two", "value", {"units": "total"}, "proved", evidence
    evidence = {"win": [texts(risk_win(a - 1, d) for d in range(1, 11)) for a in range(2, 11)]}
    most = {"attackers": 10, "defenders": 10, "units": "total"}
    yield "risk.table", "value", most, "proved", evidence
    # The most dice are a saddle point of every state's game, and the answer to any announcement.
    armies = list(product(range(1, 31), repeat=2))
    for a, d in armies:
        i, j = range(1, min(a, 3) + 1), range(1, min(d, 2) + 1)
        game = [[risk_after(a, d, attack, defence) for defence in j] for attack in i]
        need(all(row[-1] == min(row) for row in game), f"fewer dice defend better: {a} v {d}")
        need(game[-1][-1] == max(row[-1] for row in game), f"fewer dice attack better: {a} v {d}")
        need(risk_win(a + 1, d) >= risk_win(a, d) >= risk_win(a, d + 1), f"not monotone: {a} v {d}")
    # Larger armies: theorem 10, which needs these numbers to be positive.
    p, w, u = ([Q(ways, 6 ** (a + 2)) for ways in risk_round(a, 2)] for a in (1, 2, 3))
    q2, q3 = (Q(risk_round(a, 1)[0], 6 ** (a + 1)) for a in (2, 3))
    low, high, r, rise = Q(13, 33), Q(20, 33), 1 - q3, u[0] - w[0]
    signs = [q3 * w[1] + r * (p[0] ** 2 - w[0]) - w[1] * p[0],
             w[1] * p[0] - low * w[1] - high * (p[0] ** 2 - w[0]), Q(4, 7) - p[0],
             q3 * u[1] - r * rise + rise / 7 - Q(4, 7) * u[1],
             r * w[1] + u[2] * (q3 - p[0]) - w[1] / 7, high * rise,
             high * rise - low * u[2] + p[0] * u[2] - high * w[1] + high * u[1], q3 - low,
             q3 * (u[2] - r * r), high * u[1] - r * u[1] - low * (u[2] - r * r), low * q2 - w[0],
             w[2] - (1 - q2)]
    need(min(signs) > 0, "a sign of theorem 10 is another")
    most = {"defenders": 30, "fighting_attackers": 30, "orders": ["announced", "simultaneous"]}
    evidence = {"states": len(armies), "exceptions": 0, "signs": texts(signs)}
    yield "risk.maximum-dice", "inequality", most, "proved", evidence
    # In (d + 1) v d the attacker loses all in 1^(2d) + … + s^(2d) rolls: any d by theorem 4.
    sums = {d: polynomials(d + 1, d)[d] for d in (1, 2, 3)}
    for d, p in sums.items():
        step = [x - y for x, y in zip(p, shifted(p, -1), strict=True)]
        need(p[0] == 0 and step == [i == 2 * d for i in range(len(p))], f"no power sum: {d}")
    evidence = {"coefficients": {d: texts(p) for d, p in sums.items()}}
    yield "risk.power-sums", "polynomial", {"defender_dice": [*sums]}, "proved", evidence
    # N(a, d, k)(−s) = (−1)^(a + d) N(d, a, m − k)(s): any dice by theorem 5.
    of = {(a, d): polynomials(a, d) for a, d in product((1, 2, 3), repeat=2)}
    for (a, d), counts in of.items():
        signed = [[(-1) ** (a + d + i) * c for i, c in enumerate(p)] for p in of[d, a][::-1]]
        need(counts == signed, f"not reciprocal: {a} v {d}")
    evidence = {"coefficients": {f"{a} v {d}": [*map(texts, of[a, d])] for a, d in of}}
    yield "risk.reciprocity", "polynomial", {"most_dice": 3}, "proved", evidence
    # The comparisons of rounds that theorem 7 needs; above, all armies up to 30 were compared too.
    p = [Q(ways, 6**3) for ways in risk_round(1, 2)]
    gaps = [w[1] - p[0], u[0] - w[0], u[1] - w[1], q2 - w[0], q3 - u[0]]
    need(min(gaps) >= 0, "a comparison of theorem 7 fails")
    yield "risk.monotone", "inequality", {}, "proved", {"gaps": texts(gaps)}
    # The sign of the advantage: by value below 5, from there on by the coefficients at s + 5.
    p = [2 * (x - y) for x, y in zip(of[3, 2][0], of[3, 2][2], strict=True)]
    need(all(value_at(p, s) < 0 for s in range(1, 5)) and min(shifted(p, 5)) > 0, "another sign")
    evidence = {"advantage": texts(p), "first": 5, "shifted": texts(shifted(p, 5))}
    dice = {"attacker_dice": 3, "defender_dice": 2}
    yield "risk.favoured-sides", "positivity", dice, "proved", evidence
    # f(a, d) = α^(a − 2)·β^d does not rise on average and αβ < 1: the limit by theorem 8.
    alpha, beta = Q(47, 48), Q(51, 50)
    two = sum(x * alpha**-k * beta ** (k - 2) for k, x in enumerate(u))
    one, both = (1 - q3) / alpha, alpha * beta
    need(two <= 1 and one <= 1 and both < 1, "f may rise")
    bounds = {"alpha": alpha, "beta": beta, "one": one, "two": two, "product": both}
    evidence = {name: str(bound) for name, bound in bounds.items()}
    yield "risk.limit", "inequality", {"units": "fighting"}, "proved", evidence | {"limit": 1}
    # Large armies: theorems 20, 21, 23 and 24, whose steps are run. λ = u₁ + 2·√(u₀u₂).
    need(u[1] == Q(2611, 7776) and 4 * u[0] * u[2] == Q(170**2 * 910, 7776**2), "another λ")
    evidence = {"four_u0_u2": str(4 * u[0] * u[2]), "u1": str(u[1])}
    yield "risk.rate", "inequality", {}, "proved", evidence
    low, high, one = risk_bounds(200)
    first, product_of = {}, Q(47, 50) * Q(18, 17)
    for units, short in (("fighting", 0), ("total", 1)):
        often = [low[n - short][n] * 2 > one for n in range(1, 200)]
        need(all(often[n - 1] or high[n - short][n] * 2 < one for n in range(1, 200)), "too close")
        first[units] = 1 + often.index(True)
        need(all(often[first[units] - 1 :]), "an even chance is lost again")
    need(2 * Q(47, 50) ** 197 * Q(18, 17) ** 200 < 1, "the bound is not below 1/2")
    evidence = {**first, "product": str(product_of)}
    yield "risk.even-chances", "inequality", {}, "proved", evidence
    least = {d: next(a for a in range(1, 200) if 2 * low[a][d] > one) for d in (5, 114, 148)}
    need(all(2 * high[a - 1][d] < one for d, a in least.items()), "too close to 1/2")
    need(least[5] + Q((least[148] - least[5]) * 109, 143) < least[114] - 1, "on a line")
    yield "risk.no-line", "inequality", {}, "proved", {"least": {str(d): a for d, a in least.items()}}
    fighting, total = ([risk_win(n - short, n) for n in range(2, 9)] for short in (0, 1))
    need(all(x < y for of in (fighting, total) for x, y in pairwise(of)), "it falls")
    evidence = {"fighting": texts(fighting), "total": texts(total)}
    yield "risk.rising", "inequality", {}, "proved", evidence
    lost = u[1] + 2 * u[2]
    yield "risk.least-army", "inequality", {}, "proved", {"ratio": str(lost / (2 - lost))}


# The reroll game ------------------------------------------------------------------------------

ROLLS = list(combinations_with_replacement(range(1, 7), 3))
HOLDS = [held for n in range(4) for held in combinations(range(3), n)]  # the canonical order

def stick(roll):
    """Dice that share a value are turned over, then all are added."""
    return sum(7 - v if roll.count(v) > 1 else v for v in roll)

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

@derived
def reroll():
    need(len(ROLLS) == comb(8, 3), "the states are not C(8, 3)")
    yield "reroll.states", "count", {}, "proved", {"states": len(ROLLS)}
    best = max(map(stick, ROLLS))
    evidence = {"best": best, "rolls": [roll for roll in ROLLS if stick(roll) == best]}
    yield "reroll.best-score", "count", {}, "proved", evidence
    # A score c adds c to the worth of every action, because the chances of each hold sum to 1.
    kept = {roll[:n] for roll in ROLLS for n in range(3)}
    need(all(expected(k, dict.fromkeys(ROLLS, 1)) == 1 for k in kept), "chances do not sum to 1")
    yield "reroll.score-independent", "process", {}, "proved", {"laws": len(kept)}

def reroll_sweeps(_):
    """Which kept set follows which: triangular, so the greatest entry on the diagonal is the rate."""
    held = {roll: HOLDS[k] for roll, k in swept(Q(1, 10**6))[0].items()}
    keep = {roll: tuple(roll[i] for i in of) if len(of) < 3 else None for roll, of in held.items()}
    order = [(), (2,), (1,), (2, 2), (1, 1)]
    need({*keep.values()} == {None, *order}, "other sets are kept")
    matrix = [[sum(chance for roll, chance in rerolled(kept) if keep[roll] == other)
               for other in order] for kept in order]
    need(not any(x for i, row in enumerate(matrix) for x in row[:i]), "not triangular")
    rate = max(row[i] for i, row in enumerate(matrix))
    evidence = {"kept": order, "limit": str(rate / (1 - rate)), "rate": str(rate)}
    return "process", {}, "proved", evidence | {"matrix": [texts(row) for row in matrix]}

def bellman(rows):
    """Values of all rolls, and what each hold loses: none less than 0, and one 0."""
    values = {roll: rational(row[1]) for roll, row in zip(ROLLS, rows, strict=True)}
    again = cache(lambda kept: expected(kept, values))
    lost = {roll: [values[roll] - worth for worth in worths(roll, again)] for roll in ROLLS}
    need(all(min(of) == 0 for of in lost.values()), "no Bellman equation")
    return values, lost

@cache
def reroll_sixes(_=None):
    """The worth of rerolling all of three sixes and of sticking on them, under the true values,
    which the certificate of optimal play holds."""
    given = parse(plain(FOLDER / "reroll.optimal-play.json"))["evidence"]["states"]
    (values, _), roll = bellman(given), (6, 6, 6)
    again, *_, sticking = worths(roll, lambda kept: expected(kept, values))
    need(again == values[roll] > sticking, "sticking is optimal")
    evidence = {"again": str(again), "stick": str(sticking)}
    return "process", {}, "proved", evidence

def reroll_play(e):
    """The first hold that loses nothing in each roll, and ranks that fall until one sticks."""
    (values, lost), states = bellman(e["states"]), []
    ranks = {roll: row[3] for roll, row in zip(ROLLS, e["states"], strict=True)}
    for roll in ROLLS:
        held = HOLDS[lost[roll].index(0)]
        then = rerolled(tuple(roll[i] for i in held)) if len(held) < 3 else ()
        rank = 1 + min((ranks[x] for x, _ in then), default=0)
        states.append((roll, str(values[roll]), held, rank))
    evidence = {"states": states, "value": str(expected((), values))}
    return "process", {}, "proved", evidence

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

def reroll_theta(e):
    """What the kept holds lose under the true values.

    No ranks are needed: play that is greedy for values that satisfy Bellman's equation ends, since
    each reroll costs 1 and values are bounded.
    """
    (values, lost), (kept, sweeps) = bellman(e["values"]), swept(Q(1, 10))
    wrong = [(x, HOLDS[k], str(lost[x][k])) for x, k in kept.items() if lost[x][k]]
    evidence = {"sweeps": sweeps, "values": [(x, str(values[x])) for x in ROLLS], "wrong": wrong}
    verdict, parameters = "refuted" if wrong else "proved", {"order": "in place", "theta": "1/10"}
    return "counterexample", parameters, verdict, evidence


# Farkle ---------------------------------------------------------------------------------------

# The combinations of Kingdom Come: Deliverance; the README names the game and lists none. A player
# keeps at least one die, and all that are kept have to score.
COMBOS = {(1,): 100, (5,): 50, (1, 2, 3, 4, 5): 500, (2, 3, 4, 5, 6): 750, (1, 2, 3, 4, 5, 6): 1500}
COMBOS |= {(v,) * n: 100 * (v if v > 1 else 10) << n - 3 for v in range(1, 7) for n in range(3, 7)}

@cache
def points(dice):
    """The most that dice are worth as a union of combinations using each; 0 if there is none."""
    worths = [COMBOS.get(dice, 0)]
    for part, score in COMBOS.items():
        rest = tuple((Counter(dice) - Counter(part)).elements())
        if len(part) + len(rest) == len(dice) and points(rest):
            worths.append(score + points(rest))
    return max(worths)

@cache
def menus(n):
    """What rolls of n dice offer, {((points, dice left), …): ways}; an empty menu is a bust."""
    found = {}
    for roll, ways in multisets(n, 6):
        kept = {part for k in range(1, n + 1) for part in combinations(roll, k) if points(part)}
        menu = tuple(sorted({(points(part), n - len(part) or 6) for part in kept}))
        found[menu] = found.get(menu, 0) + ways
    return found

@cache
def farkle_turn(turn, n, rolls):
    """Optimal_rolls(turn, n), None for no limit; and how many rolls optimal play needs."""
    gain, longest = Q(0), 0
    for menu, ways in menus(n).items():
        options = [(score, 0) for score, _ in menu] or [(-turn, 0)]
        for score, left in menu if rolls != 1 else ():
            if turn + score < 6000:
                more, length = farkle_turn(turn + score, left, rolls and rolls - 1)
                options.append((score + more, length))
        best = max(worth for worth, _ in options)
        gain += ways * best
        longest = max(longest, min(length for worth, length in options if worth == best))
    return gain / 6**n, longest + 1

@derived
def farkle():
    rules = {"dice": 6, "target": 6000}
    (one, _), (two, _), (three, _) = (farkle_turn(0, 6, n) for n in (1, 2, 3))
    yield "farkle.optimal-1", "value", rules, "proved", {"value": str(one), "whole_part": int(one)}
    near = [abs(v - Q("517.9492")) for v in (two, three)]
    evidence = {"printed": "1294873/2500", "values": texts((two, three)), "off_by": texts(near)}
    verdict = "refuted" if min(near) > Q(1, 10**4) else "proved"
    yield "farkle.optimal-2-and-3", "counterexample", rules, verdict, evidence
    verdict, gain = "refuted" if three > two else "proved", str(three - two)
    yield "farkle.two-rolls", "counterexample", rules, verdict, {"third_roll_gains": gain}
    limit, length = farkle_turn(0, 6, None)
    # Optimal_n is the limit exactly if some optimal play never rolls more than n times.
    yield "farkle.fixed-point", "process", rules, "proved", {"first": length, "value": str(limit)}
    # Theorem 13: its step finds the thresholds, in fixed point with bounds.
    from stepping.farkle import CERTAIN, gain_of_rolling
    gains = [[gain_of_rolling(turn, n) for turn in range(0, CERTAIN, 50)] for n in range(1, 7)]
    ends = [50 * sum(low > 0 for low, _, _ in of) for of in gains]
    evidence = {"bound": CERTAIN, "rolls": gains[5][0][2], "thresholds": ends}
    yield "farkle.thresholds", "process", {"dice": 6}, "proved", evidence
    scores = [points(dice) for n in range(1, 7) for dice, _ in multisets(n, 6) if points(dice)]
    need(not any(score % 50 for score in scores) and 50 in scores, "points are no multiples of 50")
    evidence = {"selections": len(scores), "unit": 50}
    yield "farkle.multiples-of-50", "count", {"dice": 6}, "proved", evidence
    rolls, sets, levels = 6**6, sum(comb(6, k) for k in range(7)), len(range(0, 6000, 50))
    sizes = {"points": levels, "rolls": rolls, "sets": sets, "outputs": levels * sets}
    hold, then = levels * 7**6 * sets, levels * sets * rolls
    sizes |= {"hold": hold, "naive": then * sets, "then": then, "together": hold + then}
    yield "farkle.sizes", "count", rules, "proved", sizes


# FateStones -----------------------------------------------------------------------------------

DICE = list(combinations_with_replacement(range(1, 7), 6))
BAG = [die for die in DICE if 2 * sum(die) == 7 * 6]

def margin(die, other):
    return sum((x > y) - (x < y) for x in die for y in other)

def ties(die, other):
    return sum(die.count(x) * other.count(x) for x in range(1, 7))

@derived
def fatestones():
    need(len(DICE) == comb(11, 6), "the dice are not C(11, 6)")
    yield "fatestones.dice", "count", {}, "proved", {"all": len(DICE), "of_mean_7/2": len(BAG)}
    # Rank by wins less losses against all dice: one die alone is last, one alone first.
    faces = [sum(die.count(v) for die in DICE) for v in range(7)]
    beats = [sum(faces[:v]) - sum(faces[v + 1 :]) for v in range(7)]
    last, low, *_, high, first = sorted((sum(beats[v] for v in die), die) for die in DICE)
    need(last[0] < low[0] and high[0] < first[0], "a place is shared")
    need(last[1] == (1,) * 6 and first[1] == (6,) * 6, "another die is last or first")
    evidence = {"first": [high[0], first[0]], "last": [last[0], low[0]]}
    yield "fatestones.ranking", "counterexample", {"by": "wins less losses"}, "refuted", evidence

    classic = [(1, 4, 4, 4, 4, 4), (2, 2, 2, 5, 5, 5), (3, 3, 3, 3, 3, 6)]
    need(all(die in BAG for die in classic), "another mean")
    evidence = {"dice": classic, "means": [str(Q(sum(die), 6)) for die in classic]}
    yield "fatestones.classic", "count", {}, "proved", evidence
    # Any hands of opposites: theorem 17. In this duel a saddle point is the value.
    own = [die for die in DICE if die == tuple(sorted(7 - x for x in die))]
    hands = [((1, 1, 3, 5, 5, 6), (1, 2, 2, 4, 6, 6)), ((1, 1, 4, 4, 5, 6), (1, 2, 3, 3, 6, 6))]
    (a, b), (c, d) = hands
    first = [[Q(margin(x, y), 36) + Q(ties(x, y) * margin(a if x is b else b, c if y is d else d), 1296)
              for y in (c, d)] for x in (a, b)]
    value = max(map(min, first))
    need(value == min(map(max, zip(*first, strict=True))), "no saddle point")
    evidence = {"hands": hands, "own": len(own), "value": str(value)}
    yield "fatestones.opposites", "matrix-game", {"scratch": 0}, "proved", evidence

def equilibrium(game, witness):
    """Read (x, y, v): x earns at least v against every column, y gives at most v to every row."""
    x, y, (v,) = ([rational(p) for p in part] for part in (*witness[:2], witness[2:]))
    need(len(x) == len(game) and len(y) == len(game[0]), "no strategies of this game")
    need(min(x + y) >= 0 and sum(x) == sum(y) == 1, "no probabilities")
    earned = [sum(map(mul, x, column)) for column in zip(*game, strict=True)]
    given = [sum(map(mul, y, row)) for row in game]
    need(min(earned) >= v >= max(given), "x earns less, or y gives more")
    return texts(x), texts(y), str(v)

def fatestones_mixed(e):
    """(x, y, v) for the game of two hands and for each of the nine games after a tie."""
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
        name = " ".join("".join(map(str, die)) for die in rows + columns)
        seen[name] = equilibrium(game, e["games"][name])
        return game, Q(seen[name][2])

    game, value = solve(*hands)
    sure, bound = max(map(min, game)), min(map(max, zip(*game, strict=True)))
    need(sure < value < bound, "a first choice that is optimal for sure")
    evidence = {"games": seen, "hands": hands, "value": str(value)}
    return "matrix-game", {"scratch": 0}, "proved", evidence

WIDTH = 40  # bits of a lane

def lanes(entries):
    """Put whole numbers from 0 up side by side into one integer, the first one lowest."""
    return int.from_bytes(b"".join(x.to_bytes(WIDTH // 8, "little") for x in entries), "little")

def answers(hands, others, lists):
    """Add up what the best first die of each hand earns against those of some others that are
    disjoint from it, a lane for each of them, in units of 1/(6·36³)."""
    m, t, best, number = lists
    one, bias = lanes([1] * len(others)), 6 * 36**2  # every lane is kept from 0 up by a bias
    at = [[lanes([int(h[j] == k) for h in others]) for j in range(3)] for k in range(32)]
    rest = [[number[h[:j] + h[j + 1 :]] for h in others] for j in range(3)]
    has = [sum(of) for of in at]
    masks = [[(x << WIDTH) - x for x in of] for of in at]
    sure = [sum((72 * 36 * x - bias * y) * h for x, y, h in zip(m[i], t[i], has, strict=True))
            + (one << 25) for i in range(32)]
    worth = {}
    for p, pair in enumerate(number):
        then = [lanes([best[p][r] + bias for r in of]) for of in rest]
        after = [sum(x & y for x, y in zip(then, of, strict=True)) for of in masks]
        for i in {*range(32)} - {*pair}:
            worth[i, p] = sure[i] + sum(map(mul, t[i], after))
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

def fatestones_answer(_):
    """The best answer to a random player in each of all deals; a scratch is dealt anew."""
    pairs, triples = (list(combinations(range(32), size)) for size in (2, 3))
    m, t = ([[of(die, other) for other in BAG] for die in BAG] for of in (margin, ties))
    best = [[max(36 * (m[a][c] + m[a][d]) + t[a][c] * m[b][d] + t[a][d] * m[b][c]
                 for a, b in (pair, pair[::-1]))
             for c, d in pairs] for pair in pairs]  # two dice against two, in units of 1/(2·36²)
    lists = m, t, best, {pair: k for k, pair in enumerate(pairs)}
    total = sum(answers(triples, triples[k : k + 620], lists) for k in range(0, 4960, 620))
    # All three games are ties: three pairs apart, shared out between the hands in 48 ways.
    tied = [(1 << a | 1 << b, t[a][b]) for a, b in pairs if t[a][b]]
    apart = combinations(tied, 3)
    scratch = 48 * sum(x * y * z for (p, x), (q, y), (r, z) in apart if not (p & q or (p | q) & r))
    deals = len(triples) * comb(29, 3)
    duel, scratch = Q(total, deals * 6 * 36**3), Q(scratch, prod(range(27, 33)) * 36**3)
    edge = duel / (1 - scratch)
    evidence = {"deals": deals, "duel": str(duel), "edge": str(edge), "scratch": str(scratch)}
    return "value", {"against": "random"}, "refuted" if edge > Q(3, 100) else "open", evidence


# The software-engineering game ----------------------------------------------------------------
#
# A table is (revenue, legacy), numbers of dice by rung. Its values at the scores 0, 1, … are a list
# of integers, times unit^(rounds left). A set of scores is one integer, with a bit for each.

STANDARD, WITH_D10, UP_TO = (4, 6, 8, 12, 20), (4, 6, 8, 10, 12, 20), 16

def tables(rungs, most):
    """Every (revenue, legacy) of weight at most `most`; a die on the i-th rung weighs i."""
    found = [((), most)]  # and what may be added
    for rung in (*range(1, rungs + 1), *range(1, rungs + 1)):
        found = [((*t, n), rest - n * rung) for t, rest in found for n in range(rest // rung + 1)]
    return [(dice[:rungs], dice[rungs:]) for dice, _ in found]

def weight(table):
    return sum(i * n for pool in table for i, n in enumerate(pool, 1))

def plus(pool, rung, by):
    return (*pool[:rung], pool[rung] + by, *pool[rung + 1 :])

@cache
def moves(table):
    """Name each legal move and the table after it, in the canonical order."""
    (up, down), rungs = table, range(len(table[0]))
    if any(down):
        return {("fix", i): (plus(up, i, 1), plus(down, i, -1)) for i in rungs[::-1] if down[i]}
    lift = {("promote", i): (plus(plus(up, i, -1), i + 1, 1), down) for i in rungs[:-1] if up[i]}
    return {("create", 0): (plus(up, 0, 1), down)} | lift

@cache
def rolled(table, faces):
    """List (ways, table after, dice that survive) for a roll of the revenue dice, and all ways."""
    dice = [[(k, n - k + o, comb(n, k) * (f - 1) ** k) for k in range(n + 1)]
            for n, o, f in zip(*table, faces, strict=True)]
    rolls = [(*zip(*some, strict=True),) for some in product(*dice)]
    found = [(prod(ways), (kept, legacy), sum(kept)) for kept, legacy, ways in rolls]
    return found, sum(ways for ways, _, _ in found)

def at_least(x, y):
    """Return the scores at which x ≥ y."""
    return sum(1 << score for score, (a, b) in enumerate(zip(x, y, strict=True)) if a >= b)

def highest(rows):
    return [max(column) for column in zip(*rows, strict=True)]

class Game:
    """By (rounds left, table): where each move is optimal, and of the scores where claims fail."""

    def __init__(self, rounds, faces):
        self.rounds, self.faces, rungs = rounds, faces, len(faces)
        self.unit = lcm(*(f ** (rounds // i) for i, f in enumerate(faces, 1)))
        self.optimal, self.fails, self.starts, self.lone = {}, {}, [Q(0)], []
        self.nothing = none, _ = ((0,) * rungs, (0,) * rungs)
        values = {t: [*range(rounds * (rounds + 1) // 2 + 1)] for t in tables(rungs, rounds)}
        for left in range(1, rounds + 1):
            scores = (rounds - left) * (rounds - left + 1) // 2 + 1  # no higher one is reached
            after = {t: self.roll(t, values, scores) for t in tables(rungs, rounds - left + 1)}
            values = {t: self.choose(t, left, after) for t in tables(rungs, rounds - left)}
            self.starts.append(Q(values[self.nothing][0], self.unit**left))
            lone = moves((plus(none, 0, 1), none)).items() if left < rounds else ()
            self.lone.append({move: Q(after[then][1], self.unit**left) for move, then in lone})

    def roll(self, table, values, scores):
        """Mean values after a roll; if no die survives it, the score is 0, whatever it was."""
        found, ways = rolled(table, self.faces)
        need(self.unit % ways == 0, "the unit is no common denominator")
        weights = [number * (self.unit // ways) for number, _, _ in found]
        rows = [values[then][survive : survive + scores] if survive else values[then][:1] * scores
                for _, then, survive in found]
        return [sum(map(mul, weights, column)) for column in zip(*rows, strict=True)]

    def choose(self, table, left, after):
        """Return the values of a table, and note what is optimal there and which claims fail."""
        worth = {move: after[then] for move, then in moves(table).items()}
        best = highest(worth.values())
        good = self.optimal[left, table] = {move: at_least(x, best) for move, x in worth.items()}
        first, *others = [move for move in worth if move[0] != "create"] or [None]
        fails = {"score-never-matters": lambda s: s * any(0 < s & x < s for x in good.values())}
        if not any(table[1]):
            fails["never-skip"] = (~at_least(best, after[table])).__and__
        if others and any(table[1]):
            fails["fix-most-robust"] = (~good[first]).__and__
        elif others:
            other = highest(worth[move] for move in others)
            fails["promote-lowest"] = (~at_least(worth[first], other)).__and__
            fails["promote-lowest-if-any"] = (at_least(other, best) & ~good[first]).__and__
        self.fails[left, table] = fails
        rises = [y - x for x, y in pairwise(best)]
        need(rises == sorted(rises), "not convex")  # any R: theorem 2
        return best

    @cache  # noqa: B019 - games live as long as the program
    def reached(self, played, game=0):
        """{table: scores} after some rounds; by optimal play of a game of given length, if any."""
        found = {} if played else {self.nothing: 1}
        for table, scores in self.reached(played - 1, game).items() if played else ():
            for move, then in moves(table).items():
                some = scores & self.optimal[game - played + 1, table][move] if game else scores
                for _, after, survive in rolled(then, self.faces)[0] if some else ():
                    found[after] = found.get(after, 0) | (some << survive if survive else 1)
        return found

    def settle(self, name):
        """Count cases and exceptions in all games; the smallest, and that on optimal paths."""
        every, path = ([(game, played, table, scores, fails[name](scores))
                        for game in range(1, self.rounds + 1) for played in range(game)
                        for table, scores in self.reached(played, game * path).items()
                        if name in (fails := self.fails[game - played, table])]
                       for path in (False, True))
        cases, exceptions = (sum(case[i].bit_count() for case in every) for i in (3, 4))
        return {"cases": cases, "exceptions": exceptions,
                "smallest": first(every), "on_path": first(path)}

def first(cases):
    """The least state that fails, by rounds, rounds played, weight, dice, revenue dice, score."""
    keys = [(game, played, weight(table), [*map(add, *table)], *table, (x & -x).bit_length() - 1)
            for game, played, table, _, x in cases if x]
    return (least := min(keys, default=None)) and least[:2] + least[4:]

solved = cache(Game)

def lattice_points(weights, most):
    """Count the solutions of Σ w·x ≤ n for n = 0 … most."""
    counts = [1] * (most + 1)
    for w in weights:
        for n in range(w, most + 1):
            counts[n] += counts[n - w]
    return counts

def mean(rounds, creating, unit=10**13):
    """Bound a mean score on both sides: what promotes the lowest die, or creates if none can be
    promoted, and in the last rounds, as many as `creating`, only creates. Numbers are cut off."""
    found, cut = {((0,) * 5, (0,) * 5): (unit, 0)}, 0  # chances of tables, and those times scores
    for left in range(rounds, 0, -1):
        before, found = found, {}
        for table, (p, s) in before.items():
            then, *promoted = moves(table).values()
            if promoted and left > creating and not any(table[1]):
                then = promoted[0]
            outcomes, every = rolled(then, STANDARD)
            for ways, after, survive in outcomes:
                q, (x, y) = p * ways // every, found.get(after, (0, 0))
                if q:
                    found[after] = x + q, y + (s * ways // every + q * survive if survive else 0)
            cut += len(outcomes)  # at most 1 of s an outcome is lost to rounding, where q > 0
    # What is lost with a chance, its past scores included, is at most what a whole game scores.
    p, s = (Q(sum(column), unit) for column in zip(*found.values(), strict=True))
    return s, s + Q(cut, unit) + (1 - p) * rounds * (rounds + 1) / 2

@derived
def swe():
    game, ten, alone = solved(UP_TO, STANDARD), solved(12, WITH_D10), solved(12, (4,))
    # Every table and score that play can reach, in all games of at most so many rounds.
    for claim, of in (("fix-most-robust", game), ("never-skip", game), ("promote-lowest", game),
                      ("promote-lowest-if-any", game), ("d10-promote-lowest", ten)):
        counts = of.settle(claim.removeprefix("d10-"))
        limits = {"faces": of.faces, "rounds": of.rounds}
        verdict, kind = "proved", "exhaustive"  # for all games: theorem 9
        if counts["exceptions"]:
            verdict, kind = "refuted", "counterexample"
        elif claim == "promote-lowest-if-any":
            # What is refuted in longer games is not looked at here, but that play gets there.
            state, loss = (28, 5, (0, 1, 1, 0, 0), (0,) * 5, 7), "18735/100000"
            need(1 <= weight(state[2:4]) <= state[1], "a state that play cannot reach")
            verdict, kind = "refuted by recomputation", "recomputation"
            counts = {"checked_cases": counts["cases"], "checked_exceptions": 0, "state": state,
                      "loses_at_least": str(Q(loss))}
        yield f"swe.{claim}", kind, limits, verdict, counts
    # Of a game of 30 rounds nothing is looked at here, but that play gets to the state.
    state = (30, 13, (1, 6, 0, 0, 0, 0), (0,) * 6, 55)
    need(1 <= weight(state[2:4]) <= state[1], "a state that play cannot reach")
    counts = ten.settle("promote-lowest-if-any")
    evidence = {"checked_cases": counts["cases"], "checked_exceptions": counts["exceptions"],
                "loses_at_least": str(Q("0.00216")), "state": state}
    limits = {"faces": ten.faces, "rounds": ten.rounds}
    yield ("swe.d10-promote-lowest-if-any", "recomputation", limits, "refuted by recomputation",
           evidence)
    counts = game.settle("score-never-matters")
    need(counts["exceptions"], "optimal moves never depend on the score")
    evidence = {key: counts[key] for key in ("on_path", "smallest")}
    yield "swe.score-never-matters", "counterexample", {"rounds": UP_TO}, "refuted", evidence
    # With the d4 alone all play is to create and to fix, so its optimum is that of new-only.
    need(game.starts[:12] == alone.starts[:12], "new-only is not optimal")
    evidence = {"new_only": str(alone.starts[10]), "value": str(game.starts[10])}
    yield "swe.ten-rounds", "value", {"rounds": 10}, "proved", evidence
    off = abs(game.starts[10] - Q("20.483601957243238"))
    need(off < Q(1, 10**14), "another optimum is printed")
    evidence = {"off_by": str(off), "printed": "20.483601957243238"}
    yield "swe.printed-optimum", "value", {"rounds": 10}, "proved", evidence
    # Any play meets a lone d4 with score 1 (theorem 3); with 11 rounds left creating is not best.
    gain = max(game.lone[10].values()) - game.lone[10]["create", 0]
    need(gain > 0 and game.starts[12] > alone.starts[12], "new-only is still optimal")
    evidence = {"gain": str(gain), "last": 11, "twelve": str(game.starts[12] - alone.starts[12])}
    yield "swe.new-only-until-eleven", "inequality", {}, "proved", evidence
    # In the last round: the least state without legacy that play can reach (theorem 3).
    loss = game.lone[0]["create", 0] - game.lone[0]["promote", 0]
    need(loss > 0, "promoting is no loss")
    evidence = {"left": 1, "loss": str(loss), "score": 1, "table": ((1, 0, 0, 0, 0), (0,) * 5)}
    for rounds in (30, 100):
        yield f"swe.{rounds}-rounds", "counterexample", {"rounds": rounds}, "refuted", evidence
    # To create in the last 10 of 100 rounds is better than to promote in all.
    better, listed = floor(1000 * mean(100, 10)[0]), ceil(1000 * mean(100, 0)[1])
    need(better > listed, "not better")
    above, below = str(Q(better, 1000)), str(Q(listed, 1000))
    evidence = {"better": "PromoThenNew(9/10)", "better_above": above, "below": below}
    yield "swe.100-rounds-best-of-list", "counterexample", {"rounds": 100}, "refuted", evidence
    yield "swe.convex", "exhaustive", {"rounds": UP_TO}, "proved", {"functions": len(game.fails)}
    falls = [[Q(1, f) - Q(1, g) for f, g in pairwise(faces)] for faces in (STANDARD, WITH_D10)]
    need([w == sorted(w)[::-1] for w in falls] == [True, False], "the order of the promotions")
    evidence = {"standard": texts(falls[0]), "with_d10": texts(falls[1])}
    yield "swe.promotion-table", "value", {}, "proved", evidence
    # p(1 + q(1 + …)) = 1 − q^t at t + 1 points; the step of the induction: theorem 1.
    points = [(t, q) for t in range(1, 13) for q in range(t + 1)]
    for t, q in points:
        nested = reduce(lambda inner, _, q=q: 1 + q * inner, range(t - 1), 1)
        need((1 - q) * nested == 1 - q**t, f"telescoping: t = {t}")
    yield "swe.telescoping", "polynomial", {"rolls": 12}, "proved", {"points": len(points)}
    # What play reaches is what weighs 1 to t, listed and counted: any t by theorem 6.
    counts = lattice_points([1, 1, 2, 2, 3, 3, 4, 4, 5, 5], UP_TO - 1)
    for t in range(1, UP_TO):
        need(set(game.reached(t)) == {x for x in tables(5, t) if weight(x)}, f"reached: t = {t}")
        need(len(game.reached(t)) == counts[t] - 1, f"not the count of the formula: t = {t}")
    tens = weight(((10, 0), (10, 0)))
    evidence = {"tables": [n - 1 for n in counts[1:]], "ten_and_ten_weigh": tens}
    yield "swe.reachable-tables", "exhaustive", {"rounds": UP_TO - 1}, "proved", evidence

    # Any number of rounds: theorem 18. A die of the ladder survives with chance 19/20 at most.
    bounds = [19 * r - 361 * (1 - Q(19, 20) ** r) for r in range(1, 11)]
    need(all(v <= bound for v, bound in zip(game.starts[1:11], bounds, strict=True)), "above the bound")
    evidence = {"bounds": texts(bounds), "ratio": str(Q(19, 20) / (1 - Q(19, 20)))}
    yield "swe.bounded", "inequality", {"rounds": 10}, "proved", evidence
    revenue = [3 * (1 - Q(3, 4) ** r) for r in range(1, 11)]  # of always creating: theorem 18 (a)
    need(sum(revenue) / 3 == 10 - revenue[-1], "no budget")  # any policy: theorem 19
    evidence = {"revenue": str(revenue[-1]), "survivals": str(sum(revenue))}
    yield "swe.repair-budget", "inequality", {"rounds": 10}, "proved", evidence
    late = []
    for left, dice in ((3, 8), (4, 5), (5, 4)):
        after = moves(((dice, 0, 0, 0, 0), (0,) * 5))
        chances = [unbroken(left, after[move]) for move in (("create", 0), ("promote", 0))]
        need(chances[0] < chances[1], "creating is safer")
        late.append([left, dice, *texts(chances)])
    yield "swe.create-late", "inequality", {}, "proved", {"no_catastrophe": late}

@cache
def unbroken(left, table):
    """The greatest chance of no catastrophe in the rounds left, where a table is to be rolled."""
    outcomes, every = rolled(table, STANDARD)
    on = [(ways, after) for ways, after, survive in outcomes if survive]
    if left == 1:
        return Q(sum(ways for ways, _ in on), every)
    return sum(ways * max(unbroken(left - 1, then) for then in moves(after).values())
               for ways, after in on) / Q(every)

def swe_lattice(e):
    """Degree + 1 points in each residue class determine a quasi-polynomial of period 60."""
    of, read, at = attached(e["coefficients"], "swe.lattice-points.coefficients.json.z"), {}, {}
    for name, weights in (("dice", [1, 2, 3, 4, 5]), ("tables", [1, 1, 2, 2, 3, 3, 4, 4, 5, 5])):
        rows, degree = [[rational(c) for c in row] for row in of[name]], len(weights)
        points = lattice_points(weights, 60 * (degree + 1) - 1)
        need([len(row) for row in rows] == [degree + 1] * 60, "another degree or period")
        need([value_at(rows[n % 60], n) for n in range(len(points))] == points, "another count")
        shorter = any(rows == rows[by:] + rows[:by] for by in (12, 20, 30))
        need(rows[0][degree] and not shorter, "a lower degree or a shorter period")
        read[name], at[name] = [*map(texts, rows)], [points[n] for n in (10, 22, 100)]
    need(of == read, "other quasi-polynomials")
    evidence = {"at_10_22_100": at, "coefficients": e["coefficients"]}
    return "quasi-polynomial", {"period": 60}, "proved", evidence


# The command ----------------------------------------------------------------------------------

DERIVED = {"risk": risk, "reroll": reroll, "farkle": farkle, "fatestones": fatestones, "swe": swe}
WITNESSED = {
    "reroll.optimal-play": reroll_play, "reroll.theta": reroll_theta,
    "reroll.sweeps": reroll_sweeps, "reroll.three-sixes": lambda _: reroll_sixes(),
    "fatestones.mixed": fatestones_mixed, "fatestones.good-play": fatestones_answer,
    "swe.lattice-points": swe_lattice,
}

def judge(paths, against_register):
    """Check certificates one by one, and return a line for each and how many failed."""
    lines, failures = [], 0
    for path in paths:
        try:
            given = check(plain(path))
            need(path.name == f"{given['claim']}.json", f"the file of {given['claim']} has another name")
            if against_register:
                register_of(*(given[key] for key in ("claim", "verdict", "kind", "statement")))
            lines.append(said_of(given))
        except (*MALFORMED, Rejected) as problem:
            failures += 1  # what it says may be hostile
            lines.append("REJECTED: " + ascii(f"{path.name}: {problem}"[:200])[1:-1])
    return lines, failures

def in_parallel(paths):
    """Check every certificate, a process of this program for each game."""
    games = {}
    for path in paths:
        games.setdefault("good-play" in path.name or path.name.split(".")[0], []).append(str(path))
    command = [sys.executable, *(["-I", "-S"] if sys.flags.isolated else []), __file__, "--register"]
    running = [subprocess.Popen([*command, *of], stdout=subprocess.PIPE, encoding="ascii")  # noqa: S603
               for of in games.values()]
    lines = []
    for process, of in zip(running, games.values(), strict=True):
        told = process.communicate()[0].splitlines()
        lines += told if len(told) == len(of) else [f"REJECTED: {Path(x).name}: stopped" for x in of]
    return lines, sum(line.startswith("REJECTED") for line in lines)

def versions(paths):
    """The versions that certificates name; what cannot be read is rejected elsewhere."""
    found = set()
    for path in paths:
        try:
            found.add(str(parse(plain(path))["package"]))
        except (*MALFORMED, Rejected):
            continue
    return found

def left_over(paths):
    """Yield what is wrong with the whole: claims without certificate, versions, open claims."""
    names = {path.stem for path in paths}
    for claim in sorted(statements.STATED):
        if claim in statements.OPEN:
            try:
                register_of(claim, "open", "", statements.stated(claim, {}))
            except (*MALFORMED, Rejected) as problem:
                yield f"{problem}"
        elif claim not in names:
            yield f"{claim}: no certificate"
    said = re.findall(r"^### (.*?):", REGISTER.read_text(encoding="utf-8"), re.MULTILINE)
    if sorted(said) != sorted(statements.STATED):
        yield "CLAIMS.md: other claims"

def main(words):
    if {"-h", "--help"} & {*words}:
        return print(__doc__)
    paths = [Path(word) for word in words if word != "--register"]
    whole, paths = not paths, paths or sorted(FOLDER.glob("*.json"))
    lines, failures = in_parallel(paths) if whole else judge(paths, "--register" in words)
    more = [*left_over(paths)] if whole else []
    if len(versions(paths)) > 1:
        more.append("the certificates are of several versions")
    for line in [*lines, *(f"REJECTED: {problem}" for problem in more)]:
        print(line)
    return failures + len(more) > 0

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
