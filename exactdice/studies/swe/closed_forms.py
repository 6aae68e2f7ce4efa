r"""Closed forms of the SWE game: limits of creating only, and dice that fail without replacement.

Notation as in `exactdice.games.swe.new_only`: q = 1 − 1/k, e = q/(1 − q) = k − 1,
:math:`Q = (q;q)_\infty = \prod (1-q^j)`.

* The probability of a catastrophe in a round tends to Q, so in the long run they are 1/Q rounds
  apart. The first one takes as long from an empty table, and from n ≥ 1 revenue dice

  .. math:: \frac1Q \sum_{s \ge 0} (q;q)_s \bigl(1 - (1-q^s)^n\bigr).

* The expected score tends, from every start, to

  .. math:: \sum_{a \ge 1} \frac{a q^a}{1-q^a} - e^2
     + e \sum_{s \ge 0} \Bigl(\frac{(q;q)_s}{Q} - 1\Bigr).

*Proof of the limit.* The generating function of the expected scores from an empty table is
:math:`U(x)(e x ∂_x + q ∂_q) c(x) - e^2 (1/(1-x) - 1/(1-qx))` with :math:`c(x) = 1/((1-x)U(x)) =
1/(1 - qxU(qx))`. As :math:`qxU(qx) = \sum q^{n+1} (q;q)_n x^{n+1}` has positive coefficients and
the sum 1 − Q at x = 1, c has no pole in the closed unit disc nor close to it, and c(1) = 1/Q; U has
there only the pole at 1, with residue Q. So the limit is :math:`Q (e c_x(1) + q ∂_q (1/Q)) - e^2`.
The middle term is the first sum; and :math:`c_x(1) = Q^{-2} \sum_{n \ge 1} n q^n (q;q)_{n-1}`,
where :math:`q^n (q;q)_{n-1} = (q;q)_{n-1} - (q;q)_n` is summed by parts. Another start changes only
the time before the first catastrophe, whose influence vanishes. ∎

The results are rational enclosures: ball arithmetic on the first terms, plus a bound on the rest by
a geometric series. Q comes from Euler's pentagonal number theorem,

.. math:: Q = \sum_m (-1)^m q^{m(3m-1)/2} \quad (m \in \mathbb{Z}).

With t = −ln q > 1/k,

.. math:: \ln \frac1Q = \sum_{m \ge 1} \frac1m \cdot \frac{1}{e^{mt} - 1}
     < \sum_{m \ge 1} \frac{1}{m^2 t} < \frac{\pi^2}{6} k,

so the limits have up to 0.72 k digits before the point, and Q needs as many more.

**Dice that are not replaced.** The README of the game gives the probability that n such dice have
all failed within t rolls as :math:`p^n`, :math:`p^n(1+q)^n`, :math:`p^n(1+q(1+q))^n`, … with
p = 1 − q, that is :math:`(1 - q^t)^n`, or :math:`\prod_i (1 - q_i^t)^{n_i}` for mixed dice. In the
game this is the probability of a catastrophe in the first roll. From the second roll on it is a
strict upper bound for every policy: each of the n dice must have failed once, a promotion before
that makes it less likely, and each round adds a die that has to fail, too, or promotes one.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import accumulate, product
from math import comb, prod
from operator import mul

from flint import arb, ctx, fmpq

from exactdice.arithmetic import mpq, natural
from exactdice.enclosure import Enclosure
from exactdice.errors import TooLargeError
from exactdice.games.swe.new_only import NewOnly, new_only_statements
from exactdice.question import Question, option
from exactdice.question.domains import Listed, Whole
from exactdice.report.model import Formula, Quantity, Report, Table, exact, text_column, whole
from exactdice.run import Run
from exactdice.symbolic.statements import Statement, statements, statements_table

MAX_SIDES = 1000  # the number of terms is proportional to the faces
MAX_DICE = 1_000_000  # revenue dice at the start
_GUARD = 20  # more digits: the tails are q^terms times at most n·k³ and a few powers of ten


@dataclass(frozen=True)
class LongRun:
    """Limits of new-only play with dice of `sides` faces, to `digits` places after the point."""

    sides: int = 4
    digits: int = 30

    def __post_init__(self) -> None:
        object.__setattr__(self, "sides", natural(self.sides, "sides", least=1, most=MAX_SIDES))
        object.__setattr__(self, "digits", natural(self.digits, "digits", least=1, most=10_000))

    @property
    def _terms(self) -> int:
        """Terms after which q^terms is below 10^(−digits − _GUARD); ln q ≤ −1/k."""
        return self.sides * (self.digits + _GUARD) * 7 // 3 + 8

    @property
    def _bits(self) -> int:
        # Q can be as small as exp(−1.65 k), by cancellation, and 1/Q as large.
        return (self.digits + _GUARD) * 10 // 3 + 5 * self.sides + 64

    @property
    def _q(self) -> arb:
        return arb(fmpq(self.sides - 1, self.sides))

    def _product(self) -> arb:
        q, product, m = self._q, arb(1), 1
        # The rest must be below 10^(−digits − guard) Q², with Q² > exp(−10 k / 3).
        enough = self.sides * ((self.digits + _GUARD) * 7 // 3 + 10 * self.sides // 3 + 2)
        while (exponent := m * (3 * m - 1) // 2) < enough:
            product += (-1) ** m * (q**exponent + q ** (exponent + m))
            m += 1
        rest = q**exponent / (1 - q)
        return product + (-rest).union(rest)

    def _series(self) -> tuple[list[arb], list[arb]]:
        powers = list(accumulate([self._q] * (self._terms + 1), mul, initial=arb(1)))
        return powers, list(accumulate((1 - p for p in powers[1:-1]), mul, initial=arb(1)))

    def catastrophe(self) -> Enclosure:
        with ctx.workprec(self._bits):
            return Enclosure.of(self._product())

    def rounds_between(self) -> Enclosure:
        """Expected rounds between catastrophes, and from an empty table to the first: 1/Q."""
        with ctx.workprec(self._bits):
            return Enclosure.of(1 / self._product())

    def rounds_to_first(self, revenue: int = 0) -> Enclosure:
        n = natural(revenue, "revenue", most=MAX_DICE)
        if n == 0:
            return self.rounds_between()
        with ctx.workprec(self._bits):
            powers, finite = self._series()
            terms = (u * (1 - (1 - power) ** n) for u, power in zip(finite, powers, strict=False))
            # The rest: 1 − (1 − q^s)^n is at most n·q^s, and (q;q)_s at most the last one here.
            rest = _up_to(n * finite[-1] * powers[-1] / (1 - self._q))
            return Enclosure.of((sum(terms, arb(0)) + rest) / self._product())

    def expected_score(self) -> Enclosure:
        with ctx.workprec(self._bits):
            q, Q = self._q, self._product()
            powers, finite = self._series()
            last, after = self._terms, powers[-1]
            divisors = sum((a * powers[a] / (1 - powers[a]) for a in range(1, last + 1)), arb(0))
            # Σ a q^a over a > last, by the derivative of the geometric series.
            tail = after * (last + 1 - last * q) / ((1 - q) ** 2 * (1 - after))
            smallest = sum((u / Q - 1 for u in finite), arb(0))
            # 1/∏_{j>s}(1 − q^j) − 1 is at most r/(1 − r) with r = Σ_{j>s} q^j.
            r = after / (1 - q)
            smallest += _up_to(r / ((1 - q) * (1 - r)))
            e = self.sides - 1
            return Enclosure.of(divisors + _up_to(tail) - e * e + e * smallest)


def _up_to(bound: arb) -> arb:
    """Ball around the numbers from 0 to a bound."""
    return arb(0).union(bound)


MAX_TERMS = 1_000_000  # of an inclusion–exclusion sum


def read_dice(dice: Iterable[object] | Mapping[int, int]) -> Counter[int]:
    """Read the faces of dice, each at least 1, and count equal ones."""
    if isinstance(dice, Mapping):
        counted = {natural(k, "dice", least=1): natural(n, "dice") for k, n in dice.items()}
        return Counter({k: counted[k] for k in sorted(counted)})
    return Counter(sorted(natural(faces, "dice", least=1) for faces in dice))


def all_failed_within(dice: Iterable[int] | Mapping[int, int], rolls: int) -> mpq:
    """Probability that each of some dice has shown a 1 within some rolls."""
    t = natural(rolls, "rolls")
    chances = ((1 - mpq(k - 1, k) ** t) ** n for k, n in read_dice(dice).items())
    return prod(chances, start=mpq(1))


def expected_rolls_until_all_failed(dice: Iterable[int]) -> mpq:
    r"""Return the expected number of rolls until each of some dice has shown a 1.

    Inclusion–exclusion over the numbers of dice that survive:

    .. math:: \sum_{0 \ne j \le n} (-1)^{1 + \sum j_i} \prod_i \binom{n_i}{j_i}
       \frac{1}{1 - \prod_i q_i^{j_i}}.

    Cost: ∏ (nᵢ + 1) terms.
    """
    groups = read_dice(dice)
    terms = prod(n + 1 for n in groups.values())
    if terms > MAX_TERMS:
        raise TooLargeError(f"the dice give {terms} terms, more than the limit of {MAX_TERMS}")
    total = mpq(0)
    for lasting in product(*(range(n + 1) for n in groups.values())):
        if any(lasting):
            ways = prod(comb(n, j) for n, j in zip(groups.values(), lasting, strict=True))
            chance = prod(mpq(k - 1, k) ** j for k, j in zip(groups, lasting, strict=True))
            total += (1 if sum(lasting) % 2 else -1) * mpq(ways) / (1 - chance)
    return total


def within_latex(dice: Iterable[int]) -> str:
    """Return the probability that all dice have failed within t rolls as LaTeX."""
    factors = []
    for k, n in read_dice(dice).items():
        power = rf"\left(\frac{{{k - 1}}}{{{k}}}\right)^{{t}}" if k > 1 else "0^{t}"
        factors.append(rf"\left(1 - {power}\right)" + (f"^{{{n}}}" if n > 1 else ""))
    return " ".join(factors) or "1"


def telescoping() -> list[Statement]:
    """Prove the closed form with SymPy and state its range in the game."""
    from sympy import Symbol, simplify

    q, t = Symbol("q"), Symbol("t", integer=True, positive=True)
    closed = (1 - q**t) / (1 - q)
    base = simplify(closed.subs(t, 1) - 1)
    step = simplify(1 + q * closed - closed.subs(t, t + 1))
    if base != 0 or step != 0:
        raise AssertionError(f"telescoping: base {base}, step {step}")
    return statements(__package__, "telescoping")


_PLACES = 20

MAX_DIGITS = 50_000_000  # of a table of catastrophes, in 10 s
_FRACTIONS_A_ROUND = 4  # long ones; the expected revenue is short


def catastrophe_report(game: NewOnly, rounds: int, dice: Sequence[int] = ()) -> Report:
    digits = sum(_FRACTIONS_A_ROUND * game.digits(t) for t in range(1, rounds + 1))
    if digits > MAX_DIGITS:
        raise TooLargeError(
            f"{rounds} rounds from {game.revenue} revenue dice take about {digits // 10**6} "
            f"million digits, more than the limit of {MAX_DIGITS // 10**6} million; use fewer "
            "rounds or less revenue"
        )
    first_roll = {game.sides: game.revenue + 1}
    history = Table.of(
        "rounds",
        "Round by round",
        range(1, rounds + 1),
        whole("round", "round", "rounds").by(int),
        exact("catastrophe", "probability of a catastrophe in the round").by(game.catastrophe),
        exact("none_so_far", "probability of no catastrophe up to the round").by(game.survival),
        exact("all_failed", "probability that all dice of the first roll have failed").by(
            lambda t: all_failed_within(first_roll, t)
        ),
        exact("expected_revenue", "expected revenue dice after the round", "dice").by(
            game.expected_revenue
        ),
        exact("expected_score", "expected score after the round", "points").by(game.expected_score),
    )
    limits = LongRun(game.sides)
    first, later = limits.rounds_to_first(game.revenue), limits.rounds_between()

    def proved(name: str, meaning: str, unit: str, limit: Enclosure) -> Quantity:
        return text_column(name, f"{meaning}, proved digits", unit)(limit.decimal(_PLACES))

    score = exact("expected_score", f"expected score after {rounds} rounds", "points")
    summary = [
        score(game.expected_score(rounds)),
        proved("limit_score", "limit of the expected score", "points", limits.expected_score()),
        proved("rounds_to_first", "expected rounds to the first catastrophe", "rounds", first),
        proved("rounds_between", "expected rounds between later catastrophes", "rounds", later),
    ]
    tables = [history]
    if dice:
        within = "*".join(
            f"(1 - ({faces - 1}/{faces})**t)" + (f"**{number}" if number > 1 else "")
            for faces, number in read_dice(dice).items()
        )
        failed = text_column("all_failed", "probability that all those dice have failed in t rolls")
        rolls = exact("expected_rolls", "expected rolls until all of them have failed", "rolls")
        summary += [
            failed(Formula(within, within_latex(dice))),
            rolls(expected_rolls_until_all_failed(dice)),
        ]
        not_replaced = Table.of(
            "rolls",
            f"Dice with {', '.join(map(str, dice))} faces, none replaced",
            ((t, all_failed_within(dice, t)) for t in range(1, rounds + 1)),
            whole("roll", "roll", "rolls"),
            exact("all_failed", "probability that all have failed"),
        )
        tables.append(not_replaced)
    start = f"{game.revenue} revenue dice, score {game.score}"
    return Report.of(
        f"Catastrophes under new-only play with {game.sides}-sided dice",
        {"play": "a new die whenever there is no legacy", "start": start},
        *summary,
        *tables,
        statements_table(
            [*telescoping(), *new_only_statements(), *statements(__package__, "long_run")]
        ),
    )


class SymbolicCatastrophe(
    Question, example="--rounds 30", takes="1 s for 200 rounds with dice of 4 faces"
):
    """Catastrophes of the software-engineering game under new-only play."""

    _: KW_ONLY
    sides: int = option(Whole(least=1, most=1000), "Faces of every die.", metavar="K", default=4)
    rounds: int = option(Whole(most=200), "Rounds to play.", metavar="R", default=10)
    revenue: int = option(Whole(most=1_000_000), "Revenue dice at the start.", default=0)
    score: int = option(Whole(), "Score at the start.", metavar="S", default=0)
    dice: tuple[int, ...] | None = option(
        Listed(Whole(least=1), "K,K,…"), "Faces of dice that are rolled, never replaced."
    )

    def report(self, run: Run) -> Report:
        game = NewOnly(self.sides, self.revenue, self.score)
        return catastrophe_report(game, self.rounds, self.dice or ())
