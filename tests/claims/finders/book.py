"""Whether the claims about games of the book hold, by the package's own solvers."""

from exactdice.arithmetic import mpq, mpz, rational, text, to_fraction
from exactdice.book import load
from exactdice.book.liars_dice import liars_dice
from exactdice.book.luck import seat
from exactdice.claims.certificates import checkout
from exactdice.models import equilibrium, optimum
from finders.finding import Finding

_TURNS = {3: 600, 4: 600, 5: 600, 6: 700}  # after which the program stops


def _one_die_each():
    values = {str(s): text(equilibrium(liars_dice(1, 1, s)).value.exact) for s in range(2, 6)}
    return Finding("proved", {"values": values})


def _cut(variant):
    """The lower end of an answer of the page, cut off after 8 decimals."""
    value = load("left-center-right", variant).answer().value
    low, high = (int(to_fraction(end) * 10**8) for end in (value.lower, value.upper))
    assert low == high
    return f"{low // 10**8}.{low % 10**8:08}"


def _programs():
    for n, turns in _TURNS.items():
        seats = [_cut(f"{n}-seat-{seat}") for seat in range(1, n + 1)]
        yield seats, f"lcr_check {n} {turns} 2e-8 {' '.join(seats)} {_cut(f'{n}-turns')}"


def _best_seat():
    made = list(_programs())
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
    """With three players by exact solutions, with four by bounds 10⁻³⁰ apart."""
    names = {n: f"left-center-right-{n}.txt" for n in (3, 4)}
    listed = {}
    for n, name in names.items():
        content = (checkout() / "proofs" / "recomputed" / name).read_text("ascii")
        below, *above = (mpz(x, 16) for x in content.split())
        listed[n] = [mpq(x, below) for x in above]
    assert [optimum(seat(3, at)).value.exact for at in range(3)] == listed[3]
    for at, chance in enumerate(listed[4]):
        value = optimum(seat(4, at)).value
        assert to_fraction(value.lower) <= to_fraction(chance) <= to_fraction(value.upper)
        assert value.upper - value.lower < mpq(1, 10**30)
    return Finding("proved", {"programs": [f"lcr_exact {n} {name}" for n, name in names.items()]})


FINDERS = {
    "book.one-die-each": _one_die_each, "book.best-seat": _best_seat,
    "book.seat-fractions": _seat_fractions, "book.mean-turns": _mean_turns,
    "book.yahtzee-variance": _yahtzee_variance,
}  # fmt: skip
