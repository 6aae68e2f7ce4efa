"""Claims about games of the book of dice."""

# fmt: off
from math import gcd
from pathlib import Path

from kinds import NUMBERS, claim, formula, listed, program, texts
from reading import Q, need
from stepping.book import best_response, first, second


@claim("book.one-die-each")
def one_die_each():
    # Best responses to the strategies of theorem 33; more sides by the theorem.
    value, found = "−(s − 2)/s^2", {}
    for s in range(2, 6):
        ends = {best_response(s, second, 1), best_response(s, first, -1)}
        need(len(ends) == 1, "the strategies guarantee different values")
        found[s] = Q(ends.pop(), s * s)
        need(found[s] == -formula("(s − 2)/s^2")(s=s), "another value")
    evidence = {"values": dict(zip(map(str, found), texts(found.values()), strict=True))}
    return "proved", evidence, {}, {"value": value}

RECOMPUTED = Path(__file__).parent.parent / "recomputed"

# Probabilities of the seats and the mean number of turns, cut off; the program checks them.
DIGITS = 8
SEATS = {
    3: ("0.30684301 0.32801872 0.36513825", "18.86302848", 600),
    4: ("0.23925784 0.24318036 0.25534507 0.26221671", "33.93284659", 600),
    5: ("0.19370652 0.19380815 0.19993805 0.20632176 0.20622549", "49.93482463", 600),
    6: ("0.16211767 0.16098906 0.16440417 0.16940013 0.17261904 0.17046991", "66.64702593", 700),
}
LCR = [program("lcr_check", n, turns, "2e-8", *low.split(), mean) for n, (low, mean, turns) in SEATS.items()]

@claim("book.best-seat")
def best_seat():
    best = {}
    for n, (lows, *_) in SEATS.items():
        of = sorted((Q(low), seat) for seat, low in enumerate(lows.split(), 1))
        need(of[-1][0] > of[-2][0] + Q(2, 10**DIGITS), "too close")
        best[n] = of[-1][1]
    few, more = [n for n in best if best[n] == n], [n for n in best if best[n] == n - 1]
    need(sorted(few + more) == [*best], "another seat")
    five = more[0]
    lows = SEATS[five][0].split()
    words = {"few": listed(few), "more": listed(more), "five": five, "best": best[five], "last": five,
             "high": lows[best[five] - 1], "low": lows[-1], "chips": NUMBERS[3]}
    return "proved", {"best": {str(n): seat for n, seat in best.items()}, "programs": LCR}, {}, words

def fractions_of(players):
    """The probabilities of the seats, in the file of the program: denominator and numerators."""
    name = f"left-center-right-{players}.txt"
    below, *above = (int(x, 16) for x in (RECOMPUTED / name).read_text("ascii").split())
    lows = map(Q, SEATS[players][0].split())
    need(all(0 <= Q(n, below) - low < Q(1, 10**DIGITS) for n, low in zip(above, lows, strict=True)), "not the bounds")
    need(gcd(below, *above) == 1 and sum(above) == below, "not in lowest terms")
    digits = below.bit_length() * 3 // 10
    while 10**digits <= below:
        digits += 1
    return digits, program("lcr_exact", players, name)

@claim("book.seat-fractions")
def seat_fractions():
    found = {n: fractions_of(n) for n in (3, 4)}
    words = {"players": listed(found), "digits": listed(digits for digits, _ in found.values()), "chips": NUMBERS[3]}
    return "proved", {"programs": [command for _, command in found.values()]}, {}, words

@claim("book.mean-turns")
def mean_turns():
    bound = "18·n^2"
    need(all(Q(mean) < formula(bound)(n=n) for n, (_, mean, _) in SEATS.items()), "above the bound")
    words = {"each": listed(mean for _, mean, _ in SEATS.values()), "players": listed(SEATS), "bound": bound,
             "chips": NUMBERS[3]}
    return "proved", {"programs": LCR}, {}, words

@claim("book.yahtzee-variance")
def yahtzee_variance():
    least, most = "3553.523266", "3553.558464"
    return "proved", {"programs": [program("yahtzee_spread", least, most)]}, {"extra": 100, "least": least, "most": most}
