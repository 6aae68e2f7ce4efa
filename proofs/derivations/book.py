"""Claims about games of the book of dice."""

# fmt: off
from kinds import NUMBERS, claim, formula, listed, program, texts
from reading import Q, need
from stepping.book import best_response, exact, first, second


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

# Probabilities of the seats and the mean number of turns, cut off; the program checks them.
DIGITS, WIDTH = 20, "0.00000000000000000001"
SEATS = {
    3: ("0.30684301424653529949 0.32801872974311118034 0.36513825601035352016",
        "18.86302848535062276515"),
    4: ("0.23925784636125832925 0.24318036579326660807 0.25534507206996391369 0.26221671577551114896",
        "33.93284659822908659480"),
    5: ("0.19370652774043534289 0.19380815889183495231 0.19993805077383034783 0.20632176957344132787 0.20622549302045802907",
        "49.93482463471962172162"),
    6: ("0.16211767478986238060 0.16098906113394147860 0.16440417049979701743 0.16940013811567161285 0.17261904439603075629 0.17046991106469675420",
        "66.64702593331302124554"),
}
LCR = [program("lcr_check", n, 2000, WIDTH, *low.split(), mean) for n, (low, mean) in SEATS.items()]

@claim("book.best-seat")
def best_seat():
    best = {}
    for n, (lows, _) in SEATS.items():
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

def length(number):
    digits = number.bit_length() * 30102 // 100000
    while 10**digits <= number:
        digits += 1
    return digits

def digits_of(players):
    """The numbers of digits of the denominators of the seats' probabilities and of the mean number of turns."""
    below, above, mean = exact(players)
    lows, low = SEATS[players]
    found = *(Q(n, below) for n in above), mean
    need(all(0 <= x - Q(y) < Q(1, 10**DIGITS) for x, y in zip(found, [*lows.split(), low], strict=True)), "not the bounds")
    return length(below), length(mean.denominator)

@claim("book.seat-fractions")
def seat_fractions():
    found = {n: digits_of(n) for n in (3, 4, 5)}
    words = {"players": listed(found), "digits": listed(seats for seats, _ in found.values()),
             "turns": listed(mean for _, mean in found.values()), "chips": NUMBERS[3]}
    return "proved", {"programs": [program("lcr_exact", n, f"left-center-right-{n}.txt") for n in found]}, {}, words

@claim("book.mean-turns")
def mean_turns():
    bound = "18·n^2"
    need(all(Q(mean) < formula(bound)(n=n) for n, (_, mean) in SEATS.items()), "above the bound")
    words = {"each": listed(mean for _, mean in SEATS.values()), "players": listed(SEATS), "bound": bound,
             "chips": NUMBERS[3]}
    return "proved", {"programs": LCR}, {}, words

@claim("book.yahtzee-variance")
def yahtzee_variance():
    least, most = "3553.523266", "3553.558464"
    return "proved", {"programs": [program("yahtzee_spread", least, most)]}, {"extra": 100, "least": least, "most": most}
