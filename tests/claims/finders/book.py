"""Whether the claims about games of the book hold, by the package's own solvers."""

from base64 import b64decode
from functools import cache

from exactdice.arithmetic import mpq, rational, text, to_fraction
from exactdice.book.liars_dice import liars_dice
from exactdice.book.luck import seat, turns
from exactdice.claims.certificates import checkout
from exactdice.models import equilibrium, optimum
from finders.finding import Finding


def _one_die_each():
    values = {str(s): text(equilibrium(liars_dice(1, 1, s)).value.exact) for s in range(2, 6)}
    return Finding("proved", {"values": values})


def _cut(game):
    """The lower end of the value of a game, cut off after 20 decimals."""
    value = optimum(game).value
    low, high = (int(to_fraction(end) * 10**20) for end in (value.lower, value.upper))
    assert low == high
    return f"{low // 10**20}.{low % 10**20:020}"


@cache
def _programs():
    made = {n: [_cut(seat(n, at)) for at in range(n)] for n in range(3, 7)}
    width = "0.00000000000000000001"
    return [
        (seats, f"lcr_check {n} 2000 {width} {' '.join(seats)} {_cut(turns(n))}")
        for n, seats in made.items()
    ]


def _best_seat():
    made = _programs()
    best = {str(len(seats)): 1 + seats.index(max(seats)) for seats, _ in made}
    return Finding("proved", {"best": best, "programs": [program for _, program in made]})


def _mean_turns():
    return Finding("proved", {"programs": [program for _, program in _programs()]})


def _yahtzee_variance():
    # The package computes the variance of one optimal policy in minutes: 59.61143588², which
    # `book yahtzee --distribution` prints (docs/how-to/book.md).
    least, most = "3553.523266", "3553.558464"
    assert rational(least) <= rational("59.61143588") ** 2 <= rational(most)
    return Finding("proved", {"programs": [f"yahtzee_spread {least} {most}"]})


def _seat_fractions():
    """With three players by exact solutions, with four and five by bounds 10⁻³⁰ apart."""
    for n in (3, 4, 5):
        content = (checkout() / "proofs" / "recomputed" / f"left-center-right-{n}.txt").read_text(
            "ascii"
        )
        numbers = [int.from_bytes(b64decode(x)) for x in content.split()]
        below, above = numbers[:n], numbers[n : 2 * n]
        values = [optimum(game).value for game in (*(seat(n, at) for at in range(n)), turns(n))]
        low, high = (
            [to_fraction(end) for end in ends]
            for ends in zip(*((v.lower, v.upper) for v in values), strict=True)
        )
        width = max(y - x for x, y in zip(low, high, strict=True))
        assert width == 0 if n == 3 else width < mpq(1, 10**30)
        # B·v − A has equal coefficients, so it is 0 where z is not 1
        off = [sum(below[j - i] * low[i] for i in range(n)) - above[j] for j in range(n)]
        assert max(off) - min(off) <= 2 * sum(below) * width
        assert low[n] <= mpq(numbers[-1], numbers[-2]) <= high[n]
    return Finding(
        "proved", {"programs": [f"lcr_exact {n} left-center-right-{n}.txt" for n in (3, 4, 5)]}
    )


FINDERS = {
    "book.one-die-each": _one_die_each, "book.best-seat": _best_seat,
    "book.seat-fractions": _seat_fractions, "book.mean-turns": _mean_turns,
    "book.yahtzee-variance": _yahtzee_variance,
}  # fmt: skip
