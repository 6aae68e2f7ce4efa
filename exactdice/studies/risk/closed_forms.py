r"""Risk with s-sided dice: rounds and battles as functions of s, and the questions about them.

**Rounds.** With :math:`c_{\ell,k}` weak orders of the a + d dice that have :math:`\ell` levels and
cost the attacker k of the m = min(a, d) units at stake (`exactdice.games.risk.rounds`), the number
of rolls that cost him k units is

.. math:: N_k(s) = \sum_\ell c_{\ell,k} \binom{s}{\ell} \qquad \text{out of } s^{a+d}.

The :math:`c_{\ell,k}` are not negative, so :math:`N_k` is 0 for s below the least :math:`\ell` with
:math:`c_{\ell,k} > 0`, and positive and increasing from there on.

**Power sums.** In (d + 1) v d the attacker loses all d units in :math:`1^{2d} + … + s^{2d}` rolls
(theorem 4 of `proofs/theorems/THEOREMS.md`, by Raney's cycle lemma).

**Reciprocity.** :math:`N_{a,d,k}(-s) = (-1)^{a+d} N_{d,a,m-k}(s)` (theorem 5 there).

**Shift.** For a ≤ d, :math:`N_{a,d,0}(s) = N_{d,a,a}(s-1)`.

*Proof.* If the attacker wins all a pairs, no defender's die shows s and no attacker's die shows 1.
Subtracting one from the attacker's dice turns "higher" into "at least as high", on s − 1 sides: the
rolls in which the side with a dice wins or ties all pairs, like the defender of d v a. ∎

With the reciprocity, :math:`P = N_{d,a,a}` has :math:`P(-s) = (-1)^{a+d} P(s-1)`: it is odd or even
about s = −1/2.

**Battles.** A round of a v d dice has the denominator :math:`s^{a+d}`, so all values in the
recursion over battles have the form :math:`p(s)/s^e` with a polynomial p. Armies are in fighting
units. If both sides roll one die, the attacker wins every round with probability (s − 1)/(2s). A
units beat D defenders exactly if D wins come before A losses, a negative binomial tail,

.. math:: P(A, D) = \sum_{j=0}^{A-1} \binom{D-1+j}{j}
   \Bigl(\frac{s-1}{2s}\Bigr)^{D} \Bigl(\frac{s+1}{2s}\Bigr)^{j}.

Cost of a battle: O(A·D) products of polynomials of degree O(A + D).

Sources: G. N. Raney, Functional composition patterns and power series reversion (1960); R. P.
Stanley, Ordered structures and partitions (1972), for the reciprocity of order polynomials.
"""

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from functools import cached_property, lru_cache

from flint import fmpq, fmpq_poly

from exactdice.arithmetic import mpq, natural
from exactdice.games.risk.rounds import weak_orders
from exactdice.games.risk.rules import MAX_DICE, Ties, Units, fighting_units, read_ties
from exactdice.question import Question, argument, option
from exactdice.question.domains import OneOf, Whole
from exactdice.report.model import Report, Table, exact, listing, text_column, whole
from exactdice.run import Run
from exactdice.symbolic.polynomial import Polynomial, SignRun, favoured
from exactdice.symbolic.statements import Statement, formula, statements, statements_table

#: Smallest bound on the dice of one side up to which polynomials of theorems are compared.
COMPARED = 6


@lru_cache(maxsize=64)
def _choose(levels: int) -> fmpq_poly:
    if levels == 0:
        return fmpq_poly([1])
    return _choose(levels - 1) * fmpq_poly([fmpq(1 - levels, levels), fmpq(1, levels)])


@dataclass(frozen=True)
class RoundPolynomials:
    """One round with s-sided dice, for all s."""

    # attacker_dice, defender_dice: dice rolled, 1 to `MAX_DICE`
    attacker_dice: int
    defender_dice: int
    ties: Ties = Ties.DEFENDER  # side that wins a tie, ``defender`` or ``attacker``

    def __post_init__(self) -> None:
        for side in ("attacker_dice", "defender_dice"):
            read = natural(getattr(self, side), side, least=1, most=MAX_DICE)
            object.__setattr__(self, side, read)
        object.__setattr__(self, "ties", read_ties(self.ties))

    @property
    def stake(self) -> int:
        return min(self.attacker_dice, self.defender_dice)

    @property
    def dice(self) -> int:
        return self.attacker_dice + self.defender_dice

    @cached_property
    def _by_levels(self) -> tuple[tuple[int, ...], ...]:
        return weak_orders(self.attacker_dice, self.defender_dice, self.ties)

    @cached_property
    def counts(self) -> tuple[Polynomial, ...]:
        totals = [fmpq_poly() for _ in range(self.stake + 1)]
        for levels, row in enumerate(self._by_levels):
            for losses, ways in enumerate(row):
                totals[losses] += ways * _choose(levels)
        return tuple(Polynomial.from_flint(total) for total in totals)

    def count(self, attacker_losses: int) -> Polynomial:
        return self.counts[natural(attacker_losses, "attacker_losses", most=self.stake)]

    def probability(self, attacker_losses: int, sides: int) -> mpq:
        s = natural(sides, "sides", least=1)
        return self.count(attacker_losses)(s) / mpq(s) ** self.dice

    def limit(self, attacker_losses: int) -> mpq:
        """Return the limit of the probability for s → ∞, without ties."""
        count = self.count(attacker_losses)
        return count.leading_coefficient if count.degree == self.dice else mpq(0)

    def positive_from(self, attacker_losses: int) -> int:
        """Return the least s with which the attacker can lose `attacker_losses` units."""
        lost = natural(attacker_losses, "attacker_losses", most=self.stake)
        return next(levels for levels, row in enumerate(self._by_levels) if row[lost])

    @cached_property
    def advantage(self) -> Polynomial:
        total = fmpq_poly()
        for lost, count in enumerate(self.counts):
            total += (self.stake - 2 * lost) * count.to_flint()
        return Polynomial.from_flint(total)

    def favoured(self) -> list[SignRun]:
        """The s for which the attacker's mean losses are less (sign 1), equal (0), more (−1)."""
        return self.advantage.sign_runs()


@lru_cache(maxsize=512)
def risk_round(
    attacker_dice: int, defender_dice: int, ties: Ties | str = Ties.DEFENDER
) -> RoundPolynomials:
    return RoundPolynomials(attacker_dice, defender_dice, read_ties(ties))


def power_sum(exponent: int) -> Polynomial:
    """Return 1^exponent + … + s^exponent as a polynomial in s."""
    n = natural(exponent, "exponent", least=1) + 1
    bernoulli = fmpq_poly.bernoulli_poly(n)
    total = (bernoulli(fmpq_poly([1, 1])) - bernoulli(1)) / n
    return Polynomial.from_flint(total)


# Theorems, each stated after its polynomials have been compared -------------------------------


def power_sum_pattern(most_defender_dice: int = COMPARED) -> Statement:
    bound = natural(most_defender_dice, "most_defender_dice", least=1, most=MAX_DICE - 1)
    for d in range(1, bound + 1):
        if risk_round(d + 1, d).count(d) != power_sum(2 * d):
            raise AssertionError(f"the power sum fails for {d + 1} v {d}")
    return statements(__package__, "power_sums", bound=bound)[0]


def reciprocity(most_dice: int = COMPARED) -> Statement:
    bound = natural(most_dice, "most_dice", least=1, most=MAX_DICE)
    for a, d, k in _rounds_up_to(bound):
        mirrored = risk_round(a, d).count(k).to_flint()(fmpq_poly([0, -1]))
        exchanged = risk_round(d, a).count(min(a, d) - k).to_flint()
        if mirrored != (-1) ** (a + d) * exchanged:
            raise AssertionError(f"reciprocity fails for {a} v {d}, {k} lost")
    return statements(__package__, "reciprocity", bound=bound)[0]


def shift(most_dice: int = COMPARED) -> Statement:
    bound = natural(most_dice, "most_dice", least=1, most=MAX_DICE)
    for d in range(1, bound + 1):
        for a in range(1, d + 1):
            one_fewer = risk_round(d, a).count(a).to_flint()(fmpq_poly([-1, 1]))
            if risk_round(a, d).count(0).to_flint() != one_fewer:
                raise AssertionError(f"the shift fails for {a} v {d}")
    return statements(__package__, "shift", bound=bound)[0]


def _rounds_up_to(dice: int) -> Iterator[tuple[int, int, int]]:
    for a in range(1, dice + 1):
        for d in range(1, dice + 1):
            for losses in range(min(a, d) + 1):
                yield a, d, losses


#: Most units of one side.
MAX_UNITS = 100


@dataclass(frozen=True)
class WinningChance:
    """The function numerator(s)/s^power, in lowest terms, for s ≥ 1."""

    numerator: Polynomial
    power: int

    @classmethod
    def reduced(cls, numerator: fmpq_poly, power: int) -> "WinningChance":
        while power and numerator and not numerator[0]:
            numerator = numerator.right_shift(1)
            power -= 1
        return cls(Polynomial.from_flint(numerator), power)

    def __call__(self, sides: int) -> mpq:
        s = natural(sides, "sides", least=1)
        return self.numerator(s) / mpq(s) ** self.power

    @property
    def limit(self) -> mpq:
        """Limit for s → ∞, without ties."""
        top = self.numerator
        return top.leading_coefficient if top.degree == self.power else mpq(0)

    def favoured(self) -> list[SignRun]:
        """Return the s for which the attacker wins with probability above 1/2 (sign 1), exactly."""
        half = [0] * self.power + [fmpq(1, 2)]
        return Polynomial.from_flint(self.numerator.to_flint() - fmpq_poly(half)).sign_runs()

    def __str__(self) -> str:
        below = "" if not self.power else " / s" if self.power == 1 else f" / s**{self.power}"
        return f"{self.numerator}{below}"

    def _repr_latex_(self) -> str:
        return f"${self.latex()}$"

    def latex(self) -> str:
        r"""Return the function as LaTeX."""
        constant, _ = self.numerator.factored()
        denominator = int(constant.denominator)
        whole = Polynomial(tuple(denominator * c for c in self.numerator.coefficients))
        power = "" if not self.power else "s" if self.power == 1 else f"s^{{{self.power}}}"
        below = " ".join(p for p in ("" if denominator == 1 else str(denominator), power) if p)
        return rf"\frac{{{whole.latex()}}}{{{below}}}" if below else whole.latex()


@lru_cache(maxsize=128)
def winning_chance(
    attackers: int,
    defenders: int,
    attacker_dice: int = 3,
    defender_dice: int = 2,
    ties: Ties | str = Ties.DEFENDER,
) -> WinningChance:
    """Return the probability that the attacker wins a battle, as a function of the sides."""
    A = natural(attackers, "attackers", least=1, most=MAX_UNITS)
    D = natural(defenders, "defenders", least=1, most=MAX_UNITS)
    x = natural(attacker_dice, "attacker_dice", least=1, most=MAX_DICE)
    y = natural(defender_dice, "defender_dice", least=1, most=MAX_DICE)
    # chances[a, d] = (p, e) means p(s)/s^e.
    chances = {(a, 0): (fmpq_poly([1]), 0) for a in range(A + 1)}
    chances |= {(0, d): (fmpq_poly(), 0) for d in range(1, D + 1)}
    for d in range(1, D + 1):
        for a in range(1, A + 1):
            now = risk_round(min(a, x), min(d, y), ties)
            after = [chances[a - k, d - now.stake + k] for k in range(now.stake + 1)]
            power = max(e for _, e in after)
            total = fmpq_poly()
            for count, (p, e) in zip(now.counts, after, strict=True):
                total += count.to_flint() * p.left_shift(power - e)
            chance = WinningChance.reduced(total, power + now.dice)
            chances[a, d] = (chance.numerator.to_flint(), chance.power)
    return WinningChance(Polynomial.from_flint(chances[A, D][0]), chances[A, D][1])


def round_polynomials_report(now: RoundPolynomials, ties: Ties) -> Report:
    a, d = now.attacker_dice, now.defender_dice
    statements = []
    if ties is Ties.DEFENDER:
        # The theorems hold for all rounds, so at least `COMPARED` dice are compared.
        statements.append(reciprocity(max(a, d, COMPARED)))
        if a <= d:
            statements.append(shift(max(d, COMPARED)))
        if a == d + 1:
            statements.insert(0, power_sum_pattern(max(d, COMPARED)))
    return Report.of(
        f"Risk: one round, {a} {'die' if a == 1 else 'dice'} against {d}, with s sides",
        {"ties": f"won by the {ties}"},
        text_column("advantage", "defender's minus attacker's losses, summed over all rolls")(
            formula(now.advantage)
        ),
        text_column("favoured", "sides for which the attacker's mean losses are smaller")(
            favoured(now.favoured())
        ),
        Table.of(
            "outcomes",
            f"Rolls out of s^{now.dice}, for s-sided dice",
            range(len(now.counts)),
            whole("attacker_losses", "losses of the attacker", "units").by(int),
            whole("defender_losses", "losses of the defender", "units").by(
                lambda lost: now.stake - lost
            ),
            text_column("count", "number of rolls, factored over the rationals", "rolls").by(
                lambda lost: formula(now.counts[lost])
            ),
            listing("coefficients", "coefficients of the count, constant first").by(
                lambda lost: tuple(map(str, now.counts[lost].coefficients))
            ),
            whole("least_sides", "smallest number of sides with such rolls", "sides").by(
                now.positive_from
            ),
            exact("six", "probability with six sides").by(lambda lost: now.probability(lost, 6)),
            exact("limit", "limit of the probability as s → ∞").by(now.limit),
        ),
        statements_table(statements) if statements else None,
    )


def battle_function_report(
    chance: WinningChance, attackers: int, defenders: int, units: Units, sides: int, ties: Ties
) -> Report:
    return Report.of(
        f"Risk: {attackers} {units} units attack {defenders}, with s sides",
        {"units": f"{units} units", "dice": "at most 3 against 2", "ties": f"won by the {ties}"},
        text_column("chance", "probability that the attacker wins")(formula(chance)),
        exact("value", f"probability with {sides} sides")(chance(sides)),
        exact("limit", "limit of the probability as s → ∞")(chance.limit),
        text_column("favoured", "sides for which the attacker wins with probability above 1/2")(
            favoured(chance.favoured())
        ),
        says=f"{attackers} {units} units beat {defenders}, with dice of {sides} sides",
    )


_DICE = Whole(least=1, most=MAX_DICE)


class SymbolicRiskRound(Question, example="3 2"):
    """Number of rolls by the losses in one round, as polynomials in the sides s."""

    attackers: int = argument(_DICE, "Dice of the attacker.")
    defenders: int = argument(_DICE, "Dice of the defender.")
    _: KW_ONLY
    ties: Ties = option(OneOf(Ties), "Side that wins ties.", default=Ties.DEFENDER)

    def report(self, run: Run) -> Report:
        now = risk_round(self.attackers, self.defenders, self.ties)
        return round_polynomials_report(now, self.ties)


class SymbolicRiskBattle(Question, example="4 2", takes="1 s for 30 against 30"):
    """Probability that the attackers beat the defenders, as a function of the sides s."""

    attackers: int = argument(Whole(most=MAX_UNITS), "Attacking units.")
    defenders: int = argument(Whole(least=1, most=MAX_UNITS), "Defending units.")
    _: KW_ONLY
    units: Units = option(
        OneOf(Units),
        "total: ATTACKERS includes the unit that stays behind; fighting: it does not.",
        default=Units.TOTAL,
    )
    sides: int = option(Whole(least=1), "Sides for the value.", default=6, metavar="S")
    ties: Ties = option(OneOf(Ties), "Side that wins ties.", default=Ties.DEFENDER)

    def check(self) -> None:
        fighting_units(self.attackers, self.units)

    def report(self, run: Run) -> Report:
        attacking = fighting_units(self.attackers, self.units)
        chance = winning_chance(attacking, self.defenders, ties=self.ties)
        return battle_function_report(
            chance, self.attackers, self.defenders, self.units, self.sides, self.ties
        )
