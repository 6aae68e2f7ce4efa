"""Claims about games of the book of dice."""

# fmt: off
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

# Probabilities of the seats and the mean number of turns, cut off; the program checks them.
DIGITS = 9
SEATS = {
    3: ("0.306843014 0.328018729 0.365138256", "18.863028485", 600),
    4: ("0.239257846 0.243180365 0.255345072 0.262216715", "33.932846598", 600),
    5: ("0.193706527 0.193808158 0.199938050 0.206321769 0.206225493", "49.934824634", 600),
    6: ("0.162117674 0.160989061 0.164404170 0.169400138 0.172619044 0.170469911", "66.647025933", 700),
}
LCR = [program("lcr_check", n, turns, "2e-9", *low.split(), mean) for n, (low, mean, turns) in SEATS.items()]

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

@claim("book.mean-turns")
def mean_turns():
    bound = "18·n^2"
    need(all(Q(mean) < formula(bound)(n=n) for n, (_, mean, _) in SEATS.items()), "above the bound")
    words = {"each": listed(mean[:-1] for _, mean, _ in SEATS.values()), "players": listed(SEATS), "bound": bound,
             "chips": NUMBERS[3]}
    return "proved", {"programs": LCR}, {}, words

@claim("book.yahtzee-variance")
def yahtzee_variance():
    least, most = "3553.523266", "3553.558464"
    return "proved", {"programs": [program("yahtzee_spread", least, most)]}, {"extra": 100, "least": least, "most": most}
