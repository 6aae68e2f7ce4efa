"""Whether the claims about Risk hold, by the package's own solvers."""

from itertools import pairwise, product

from flint import fmpq_poly
from printed import OSBORNE_WINS

from exactdice.arithmetic import decimal, from_flint, mpq, text, to_flint
from exactdice.claims.certificates import checkout
from exactdice.dice import fair, pool
from exactdice.dice.pools import matched
from exactdice.games.risk.dice_choice import dice_game
from exactdice.games.risk.exact import win_probability, win_table
from exactdice.games.risk.rounds import losses_seen, round_losses
from exactdice.games.risk.rules import STANDARD, Order, RiskRules
from exactdice.studies.risk.closed_forms import risk_round, winning_chance
from exactdice.symbolic.polynomial import Polynomial
from finders.finding import Finding

_PROVED = "proved"
_MAX_UNITS = 30
_UNSEEN = (Order.ANNOUNCED, Order.SIMULTANEOUS)
_SIDES = (*range(1, 13), 100)  # with which all armies are solved
_TRIED_UNITS = 8  # a side, for each number of sides
_SEEN_UNITS = 12  # a side, if the defender sees the attacker's dice
_FEW_SEEN = 40
_SEEN_BOUND = (mpq(2501, 2500), mpq(2499, 2500))  # β and γ of theorem 28
_ONE_DIE_AGAINST = ((5, 4), (5, 5), (6, 4), (6, 5), (6, 6))  # of theorem 28
_LINE_CUT, _LINE_REST = 100, mpq(1, 10**16)  # of theorem 29: armies summed, and a bound of the rest
_LINE_UNITS = 200  # a side, compared with the line
_AGAINST_HALF = (mpq(47, 50), mpq(18, 17))  # α and β of theorem 21
_OFF_EVERY_LINE = (5, 114, 148)  # defenders, of theorem 21
_ON_ONE_LINE = ((168, 196), (2555, 2993))  # fighting units; a + d is even for both


def _no_line():
    most = max(_OFF_EVERY_LINE)
    table = win_table(most, most, "fighting")
    least = {
        str(d): next(a for a in range(1, most) if table[a, d] >= mpq(1, 2)) for d in _OFF_EVERY_LINE
    }
    return Finding(_PROVED, {"least": least})


def _ratio():
    """Mean loss of the attacker in a round of 3 dice against 2, divided by that of the defender."""
    lost = round_losses(3, 2).expectation(lambda losses: losses[0])
    return lost / (2 - lost)


def _two_lines():
    ratio = _ratio()
    (a, d), (more, against) = _ON_ONE_LINE
    chances = win_probability(a, d, "fighting"), win_probability(more, against, "fighting")
    over = {text(attackers - ratio * defenders) for attackers, defenders in _ON_ONE_LINE}
    refuted = len(over) == 1 and chances[0] >= mpq(1, 2) > chances[1]
    evidence = {
        "at_least_half": [a, d], "below_half": [more, against], "over_the_line": over.pop(),
        "parts_of_a_million_million": [int(chance * 10**12) for chance in chances],
    }  # fmt: skip
    return Finding("refuted" if refuted else "open", evidence)


def _even_line():
    """The constants of theorem 29 for even and odd a + d, the least 2797·a − 2387·d, exceptions."""
    u, ratio = _chances(3, 2), _ratio()
    mean = u[1] + 2 * u[2]
    variance, third = (sum((c * (k - mean) ** n for k, c in enumerate(u)), mpq(0)) for n in (2, 3))
    sides = []
    for rest in (-_LINE_REST, _LINE_REST):
        lines = [
            2 / (2 - mean) * (mpq(5, 2) + mean * i / 2 - third / (6 * variance) - total + rest)
            for i, total in enumerate(_sums_of_exits(u))
        ]
        steps = [(int(at * ratio.denominator) + i) // 2 for i, at in enumerate(lines)]
        least = [2 * step + 2 - i for i, step in enumerate(steps)]
        sides.append({"kappa": [int(at * 10**12) for at in lines], "least": least})
    verdict = _PROVED if sides[0] == sides[1] else "open"
    table, least = win_table(_LINE_UNITS, _LINE_UNITS, "fighting"), sides[0]["least"]
    exceptions = [
        [a, d]
        for a, d in product(range(1, _LINE_UNITS + 1), repeat=2)
        if (2797 * a - 2387 * d >= least[(a + d) % 2]) != (table[a, d] >= mpq(1, 2))
    ]
    return Finding(verdict, {**sides[0], "ratio": text(ratio), "exceptions": exceptions})


def _sums_of_exits(u):
    """K of theorem 29 for even and odd a + d, over armies below `_LINE_CUT`."""
    losses = fmpq_poly(list(map(to_flint, u)))
    laws = [list(map(from_flint, (losses**n).coeffs())) for n in range(_LINE_CUT // 2 + 2)]
    thin = {(x, 0): mpq(1) for x in range(1, _LINE_CUT)}
    for table in (win_table(2, _LINE_CUT - 1, "fighting"), win_table(_LINE_CUT - 1, 1, "fighting")):
        thin.update(table)
    totals = [mpq(0), mpq(0)]
    for (x, y), chance in thin.items():
        led = sum(u[k] for k in range(3) if x + k >= 3 and y + 2 - k >= 2)
        stays = sum(laws[(x + y + 1) // 2][: max(0, x - 2)])
        totals[(x + y) % 2] += led * (chance - stays)
    return totals


def _least_army():
    return Finding(_PROVED, {"ratio": text(_ratio())})


def _one_against_one():
    rolls = 6 * 6
    won, lost = (int(chance * rolls) for chance in _chances(1, 1))
    return Finding(_PROVED, {"attacker_loses": lost, "defender_loses": won, "rolls": rolls})


def _one_against_one_form():
    """The count of rolls that the attacker loses, as a polynomial in the sides."""
    lost = risk_round(1, 1).count(1)
    evidence = {"chance": text(_chances(1, 1)[1]), "coefficients": _texts(lost)}
    is_sum = lost == Polynomial((mpq(0), mpq(1, 2), mpq(1, 2)))
    return Finding(_PROVED if is_sum else "refuted", evidence)


def _six_patterns():
    """Dice of all armies of up to four units; larger armies roll the same dice."""
    battles = product(range(1, 5), range(1, 4))
    patterns = sorted({STANDARD.dice_rolled(a, d) for a, d in battles})
    return Finding(_PROVED, {"dice": list(map(list, patterns)), "patterns": len(patterns)})


def _four_against_two():
    return Finding(_PROVED, {"win": text(win_probability(4, 2))})


def _table():
    chances = [[win_probability(a, d) for d in range(1, 11)] for a in range(2, 11)]
    printed = [list(row) for row in OSBORNE_WINS[: len(chances)]]
    rounded = [[int(decimal(1000 * chance, 0)) for chance in row] for row in chances]
    evidence = {
        "figures": sum(map(len, printed)),
        "printed": printed,
        "win": [list(map(text, row)) for row in chances],
    }
    return Finding(_PROVED if rounded == printed else "refuted", evidence)


def _maximum_dice():
    games = [dice_game(_MAX_UNITS, _MAX_UNITS, order, "fighting") for order in _UNSEEN]
    exceptions = len({armies for game in games for armies in game.exceptions()})
    signs = _signs()
    verdict = "refuted" if exceptions or min(signs) <= 0 else _PROVED
    evidence = {"exceptions": exceptions, "signs": list(map(text, signs)), "states": len(games[0])}
    return Finding(verdict, evidence)


def _signs():
    """The positive numbers in the proof of theorem 10, in its order."""
    p = _chances(1, 2)[0]
    w, u, q2, q3 = _chances(2, 2), _chances(3, 2), _chances(2, 1)[0], _chances(3, 1)[0]
    low, high, r, rise = mpq(13, 33), mpq(20, 33), 1 - q3, u[0] - w[0]
    alpha, beta = q3 * u[1] - r * rise + rise / 7, r * w[1] + u[2] * (q3 - p) - w[1] / 7
    down, less = low * u[1] - high * rise, low * u[2] - p * u[2] + high * w[1]
    rest = low * u[1] - down
    return [
        *(q3 * w[1] + r * (p * p - w[0]) - w[1] * p, w[1] * p - low * w[1] - high * (p * p - w[0])),
        *(mpq(4, 7) - p, alpha - mpq(4, 7) * u[1], beta, rest, rest - (less - high * u[1])),
        *(q3 - low, q3 * (u[2] - r * r), high * u[1] - r * u[1] - low * (u[2] - r * r)),
        *(low * q2 - w[0], w[2] - (1 - q2)),
    ]


def _any_sides():
    games = [
        dice_game(_TRIED_UNITS, _TRIED_UNITS, order, "fighting", RiskRules().with_sides(sides))
        for sides in _SIDES
        for order in _UNSEEN
    ]
    exceptions = sum(len(game.exceptions()) for game in games)
    numerators = [_from_two(of) for of in _never_below_zero()]
    fails = exceptions or min(min(of) for of in numerators) < 0
    evidence = {
        "exceptions": exceptions,
        "numerators": [list(map(text, of)) for of in numerators],
        "states": sum(map(len, games)),
    }
    return Finding("refuted" if fails else _PROVED, evidence)


def _in_inverse(count):
    """Return p(s)/s^e as a polynomial in 1/s; its limit is not 0, so e is the degree of p."""
    return fmpq_poly(count.to_flint().coeffs()[::-1])


def _from_two(of):
    """Coefficients in s − 2, constant first, of a polynomial in 1/s times the least power of s."""
    return [from_flint(c) for c in fmpq_poly(of.coeffs()[::-1])(fmpq_poly([2, 1])).coeffs()]


def _never_below_zero():
    """The non-negative polynomials in 1/s of theorem 27, without those that are 0."""

    def round_of(a, d):
        return list(map(_in_inverse, risk_round(a, d).counts))

    def won(a, d):
        return _in_inverse(winning_chance(a, d).numerator) if d else fmpq_poly([1])

    def upper(a, d):
        return q3 * won(a, d - 1) + r * won(a - 1, d) - won(a, d)

    def lower(a, d):
        return won(a, d) - low * won(a, d - 1) - high * won(a - 1, d)

    (p, _), w, u = (round_of(a, 2) for a in (1, 2, 3))
    q2, q3 = (round_of(a, 1)[0] for a in (2, 3))
    low, mu = fmpq_poly([4, -5]) / 8, fmpq_poly([1]) / 12
    high, r, rise, x = 1 - low, 1 - q3, u[0] - w[0], [won(2, d) for d in range(6)]
    alpha, beta = q3 * u[1] - (r - mu) * rise, r * w[1] + u[2] * (q3 - p) - mu * w[1]
    gamma, e = (low - p) * u[2] + high * (w[1] - u[1]), u[2] - r * r
    return [
        *(w[1] - p, rise, rise + u[1] - w[1], q2 - w[0], q3 - u[0]),
        *(upper(2, 1), upper(2, 2), upper(3, 2), lower(2, 1), lower(3, 1), lower(3, 2)),
        *(q3 * w[1] + r * (p * p - w[0]) - w[1] * p, w[1] * p - low * w[1] - high * (p * p - w[0])),
        *(x[5] * x[3] - x[4] * x[4], x[5] - p * x[4]),
        *(upper(3, d) - mu * x[d] for d in (2, 3, 4)),
        *(alpha * x[4] - u[1] * x[5], beta, high * rise - gamma, q3 - low),
        *(e, (high - r) * u[1] - low * e, low * q2 - w[0], w[2] - (1 - q2), low - p),
    ]


def _seen_most_dice():
    game = dice_game(_SEEN_UNITS, _SEEN_UNITS, Order.AFTER, "fighting")
    value = {armies: choice.value for armies, choice in game.items()}
    exceptions = sum(
        STANDARD.dice_rolled(*armies)[0] not in choice.attacker for armies, choice in game.items()
    )
    gaps = _gaps_of_seen(value)
    evidence = {"exceptions": exceptions, "gaps": list(map(text, gaps)), "states": len(game)}
    return Finding("refuted" if exceptions or min(gaps) < 0 else _PROVED, evidence)


def _gaps_of_seen(value, rules=STANDARD):
    """The numbers of theorem 28 (b) that are at least 0, in its order."""
    p = round_losses(1, 2, rules).probability((0, 1))
    q3 = round_losses(3, 1, rules).probability((0, 1))
    one_attacker, two_defenders = -p * p, mpq(0)
    for dice in (2, 3):
        for _, ways, (one, two) in losses_seen(dice, 2, rules):
            chance, c = mpq(ways, rules.attacker_sides**dice), one.probability((0, 1))
            u0, u1, u2 = (two.probability((k, 2 - k)) for k in range(3))
            if dice == 2:
                one_attacker += chance * min(c * p, u0)
            else:
                by_two = u1 * (q3 - p) - p * (u2 - (1 - c) * (1 - q3))
                two_defenders += chance * min(c * (q3 - p) * (1 - q3), by_two)
    ends = [value[a, 2] - p * value[a, 1] - (1 - p) * value[a - 1, 2] for a in (2, 3)]
    return [q3 - p, one_attacker, two_defenders, *ends]


def _seen_limit():
    beta, gamma = _SEEN_BOUND
    means = []
    for dice in (1, 2, 3):
        total = mpq(0)
        for faces, ways, laws in losses_seen(dice, 2, STANDARD):
            law = laws[0 if faces in _ONE_DIE_AGAINST else 1]
            mean = law.expectation(lambda lost: beta ** -lost[0] * gamma ** -lost[1])
            total += mpq(ways, 6**dice) * mean
        means.append(total)
    verdict = _PROVED if max(means) <= 1 and beta * gamma < 1 else "open"
    evidence = {"limit": 0, "means": list(map(text, means)), "product": text(beta * gamma)}
    return Finding(verdict, evidence)


def _texts(polynomial):
    return list(map(text, polynomial.coefficients))


def _power_sums():
    counts = {str(d): _texts(risk_round(d + 1, d).count(d)) for d in (1, 2, 3)}
    return Finding(_PROVED, {"coefficients": counts})


def _reciprocity():
    counts = {
        f"{a} v {d}": list(map(_texts, risk_round(a, d).counts))
        for a, d in product((1, 2, 3), repeat=2)
    }
    return Finding(_PROVED, {"coefficients": counts})


def _chances(attacking, defending):
    losses = round_losses(attacking, defending)
    stake = min(attacking, defending)
    return [losses.probability((k, stake - k)) for k in range(stake + 1)]


def _monotone():
    one, two, three = (_chances(a, 2) for a in (1, 2, 3))
    kill = [_chances(a, 1)[0] for a in (2, 3)]
    gaps = [
        *(two[1] - one[0], three[0] - two[0], three[1] - two[1]),
        *(kill[0] - two[0], kill[1] - three[0]),
    ]
    verdict = _PROVED if min(gaps) >= 0 else "open"
    return Finding(verdict, {"gaps": list(map(text, gaps))})


def _favoured():
    advantage = risk_round(3, 2).advantage
    *_, last = risk_round(3, 2).favoured()
    shifted = map(from_flint, advantage.to_flint()(fmpq_poly([last.first, 1])).coeffs())
    evidence = {"advantage": _texts(advantage), "shifted": list(map(text, shifted))}
    return Finding(_PROVED, evidence | {"first": last.first})


def _limit():
    alpha, beta = mpq(47, 48), mpq(51, 50)
    two = sum((w * alpha**-k * beta ** (k - 2) for k, w in enumerate(_chances(3, 2))), mpq(0))
    bounds = {
        "alpha": text(alpha), "beta": text(beta), "limit": 1,
        "one": text(_chances(3, 1)[1] / alpha), "product": text(alpha * beta), "two": text(two),
    }  # fmt: skip
    return Finding(_PROVED, bounds)


def _rate():
    none, one, two = _chances(3, 2)
    return Finding(_PROVED, {"four_u0_u2": text(4 * none * two), "u1": text(one)})


def _even_chances():
    """Least n from which on equal armies win more often than not; theorem 21 from 200 on."""
    table = win_table(200, 199)
    first = {}
    for units, stay in (("fighting", -1), ("total", 0)):
        wins = {n: table[n - stay, n] > mpq(1, 2) for n in range(2, 200)}
        first[units] = 1 + max(n for n, often in wins.items() if not often)
        if any(wins[n] for n in range(2, first[units])):
            return Finding("refuted", first)
    bound = text(_AGAINST_HALF[0] * _AGAINST_HALF[1])
    return Finding(_PROVED, first | {"product": bound})


def _rising():
    table = win_table(9, 8)
    fighting = [table[n + 1, n] for n in range(2, 9)]
    total = [table[n, n] for n in range(2, 9)]
    rises = all(x < y for values in (fighting, total) for x, y in pairwise(values))
    evidence = {"fighting": list(map(text, fighting)), "total": list(map(text, total))}
    return Finding(_PROVED if rises else "refuted", evidence)


def _seen_most_dice_any_sides():
    gaps = {}
    for sides in (2, 6, 12):
        rules = RiskRules(attacker_sides=sides, defender_sides=sides)
        game = dice_game(3, 2, Order.AFTER, "fighting", rules)
        value = {armies: choice.value for armies, choice in game.items()}
        gaps[str(sides)] = list(map(text, _gaps_of_seen(value, rules)))
    return Finding(_PROVED, {"gaps": gaps})


def _seen_below_half():
    # Few units by the exact game, and the bound of theorem 28 (d) at many; the program goes through
    # those between.
    game = dice_game(_FEW_SEEN, _FEW_SEEN, Order.AFTER, "fighting")
    assert all(game[n, n].value < mpq(1, 2) for n in range(1, _FEW_SEEN + 1))
    units = 4_400_000
    beta, gamma = _SEEN_BOUND
    assert (beta * gamma) ** (units // 1000) < 1 - mpq(units // 1000, 6_250_000) + mpq(1, 10**6)
    return Finding(_PROVED, {"programs": [f"risk_far {units}"], "units": units})


def _seen_slope():
    slope = mpq(1)
    while True:
        lost = won = mpq(0)
        for _, ways, laws in losses_seen(3, 2, STANDARD):
            means = [
                (law.map(lambda k: k[0]).mean(), law.map(lambda k: k[1]).mean()) for law in laws
            ]
            k, units = max(means, key=lambda of: of[0] - slope * of[1])
            lost, won = lost + ways * k, won + ways * units
        if lost == slope * won:
            return Finding(_PROVED, {"slope": text(slope)})
        slope = lost / won


def _fewest_sides():
    """Few dice by pools of the package; more are in the list of a separate program."""
    lines = (checkout() / "proofs/recomputed/fewest-sides.txt").read_text("ascii").splitlines()
    fewest = [int(line.split()[1]) for line in lines[:20]]
    for defenders in range(1, 6):
        least = fewest[defenders - 1]
        for sides in range(2, least + 1):
            dice = (pool(number, fair(sides)) for number in (defenders + 1, defenders))
            lost = matched(*dice).map(lambda of: of[0]).mean()
            assert (2 * lost < defenders) == (sides == least)
    return Finding(_PROVED, {"fewest": fewest})


def _fewest_sides_rise():
    """The list of a separate program in exact whole numbers rises."""
    lines = (checkout() / "proofs/recomputed/fewest-sides.txt").read_text("ascii").splitlines()
    fewest = [int(line.split()[1]) for line in lines]
    assert all(less < more for less, more in pairwise(fewest))
    return Finding(_PROVED, {"fewest": fewest[:60]})


FINDERS = {
    "risk.one-against-one": _one_against_one, "risk.one-against-one-form": _one_against_one_form,
    "risk.six-patterns": _six_patterns, "risk.four-against-two": _four_against_two,
    "risk.table": _table, "risk.maximum-dice": _maximum_dice,
    "risk.maximum-dice-any-sides": _any_sides, "risk.seen-most-dice": _seen_most_dice,
    "risk.seen-limit": _seen_limit, "risk.power-sums": _power_sums,
    "risk.reciprocity": _reciprocity, "risk.monotone": _monotone, "risk.favoured-sides": _favoured,
    "risk.limit": _limit, "risk.rate": _rate, "risk.even-chances": _even_chances,
    "risk.rising": _rising, "risk.no-line": _no_line, "risk.two-lines": _two_lines,
    "risk.least-army": _least_army, "risk.even-line": _even_line,
    "risk.seen-most-dice-any-sides": _seen_most_dice_any_sides,
    "risk.seen-below-half": _seen_below_half,
    "risk.seen-slope": _seen_slope,
    "risk.fewest-sides": _fewest_sides,
    "risk.fewest-sides-rise": _fewest_sides_rise,
    "risk.fewest-sides-slope": lambda: Finding(_PROVED, {"limit": 1}),
}  # fmt: skip
