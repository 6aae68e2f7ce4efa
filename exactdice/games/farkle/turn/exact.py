r"""The best turn of Farkle, exactly.

:math:`\mathrm{Optimal}(P, \delta)` is the expected *gain* of a player who has :math:`P` points in
this turn, rolls the dice :math:`\delta` and then maximises the expected points of the turn. This is
the definition of the KCD Farkle README. A turn ends as soon as its points reach the target; points
past it count in full (`overshoot` ``full``, as in the README) or not (``needed``).

**Without a target.** For a set of dice let :math:`m_\delta` be the mean of the best score of a roll
and :math:`q_\delta` its probability to bust, let :math:`c` be the penalty of a bust, and
:math:`B = \max_\delta m_\delta / q_\delta - c`. *With at least B points (and at least the minimum
bank) banking is optimal*: the proof is that of theorem 13 (b) in `proofs/theorems/THEOREMS.md`.
Hence the sweep may start at :math:`B`, and beyond it
:math:`\mathrm{Optimal}(P, \delta) = m_\delta - q_\delta (P + c)`. If some roll never busts there is
no such bound, and a target is required.

**At most n rolls.** :math:`\mathrm{Optimal}_n` is the best expected gain of a turn that must end
with its n-th roll from now. It equals :math:`\mathrm{Optimal}` exactly from the n on for which some
optimal play never makes more than n rolls (theorem 12 there).
"""

from dataclasses import dataclass
from enum import StrEnum

from exactdice.arithmetic import RationalLike, mpq, mpz, natural, significant
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, Unquoted
from exactdice.games.farkle.rules.dice_sets import FAIR, DiceSet, parse_dice
from exactdice.games.farkle.rules.menus import Menus, menus_of, require_sweep
from exactdice.games.farkle.rules.rule_set import RuleSet
from exactdice.games.farkle.rules.tables import KCD
from exactdice.games.farkle.turn.sweep import NEVER, TurnPayoff, TurnSweep
from exactdice.report import Reported
from exactdice.run import DEFAULT, Run


class Overshoot(StrEnum):
    """The value of points past the target."""

    FULL = "full"  #: they count in full
    NEEDED = "needed"  #: they count nothing


SIX_FAIR = DiceSet([FAIR] * 6)

_EXACT_BYTES = 1 << 28  # of an exact value and all that it depends on


def points_below_target(rules: RuleSet, points: RationalLike, name: str = "points") -> int:
    whole = rules.whole_points(points, name)
    if rules.target is not None and whole >= rules.target:
        raise InputError(name, whole, f"points below the target of {rules.target}")
    return whole


def points_payoff(rules: RuleSet, end: int, cap: int | None = None) -> TurnPayoff:
    """Payoff of a turn in points, at most `cap`, with rolling allowed below `end` points."""
    unit = rules.unit
    points = range(0, end + rules.highest_score, unit)
    worths = [(mpz(p if cap is None else min(p, cap)), 0) for p in points]
    least = -(-rules.minimum_bank // unit)
    bank = [None] * min(least, len(worths)) + worths[least:]
    return TurnPayoff(end // unit, bank, bust=(mpz(-rules.penalty), 0), nothing=(mpz(0), 0))


@dataclass(frozen=True)
class TurnOptimum(Reported, by="exactdice.games.farkle.reports:turn_report"):
    """The turn that maximises expected points: policy and values.

    `end` is the target; without one, the points from which banking is certain.
    """

    rules: RuleSet
    dice: DiceSet
    overshoot: Overshoot
    end: int
    sweep: TurnSweep

    def __repr__(self) -> str:
        game = f"{self.rules.name}, dice={self.dice}, target={self.rules.target}"
        return f"TurnOptimum({game}, overshoot={self.overshoot})"

    @property
    def value(self) -> mpq:
        return self.optimal()

    @property
    def menus(self) -> Menus:
        return self.sweep.menus

    def points(self, points: RationalLike, name: str = "points") -> int:
        return points_below_target(self.rules, points, name)

    def state(self, left: str | int | None = None, name: str = "left") -> int:
        return self.dice.full if left is None else self.dice.parse_state(str(left), name)

    def optimal(self, points: RationalLike = 0, left: str | int | None = None) -> mpq:
        """Optimal(P, δ): the exact expected gain of rolling the dice left now; see the module.

        It is negative if banking is better. Points are below the target; dice are text such as
        ``"fair*2,odd"``, or a number if all are equal, all by default.
        """
        whole, state = self.points(points), self.state(left)
        return self.rolling_worth(whole, state) - whole

    def rolling_worth(self, points: int, state: int) -> mpq:
        """Return the expected final points of rolling a state, without checks."""
        if points >= self.end:
            bust = self.menus.bust_chance(state)
            return points + self.menus.mean_best(state) - bust * (points + self.rules.penalty)
        number = self.sweep.value(points // self.rules.unit, state)
        return self.sweep.base.rational(number)

    def rolling_bounds(self, points: int, state: int) -> Enclosure:
        """Enclose `rolling_worth` without exact values, which are too large for very long turns."""
        if points >= self.end:
            return Enclosure.of(self.rolling_worth(points, state))
        return self.sweep.bounds(points // self.rules.unit)[state]

    def is_short(self, points: int, state: int) -> bool:
        level = points // self.rules.unit
        return points >= self.end or self.sweep.has_short_value(level, state, _EXACT_BYTES)

    def may_bank(self, points: int) -> bool:
        return points >= self.rules.minimum_bank

    def may_roll(self, points: int) -> bool:
        return self.rules.target is None or points < self.end

    def banking_worth(self, points: int) -> mpq | None:
        if not self.may_bank(points):
            return None
        capped = self.overshoot is Overshoot.NEEDED and self.rules.target is not None
        return mpq(min(points, self.end) if capped else points)

    def worth_rolling(self, points: int, state: int) -> bool:
        """Whether rolling is better than banking, or banking is not allowed."""
        if points >= self.end:
            return False
        return bool(self.sweep.keys[points // self.rules.unit, state] > NEVER)

    def __str__(self) -> str:
        return f"{self!r}: {significant(self.value, 10)} points"


def solve(
    dice: DiceSet | str = SIX_FAIR,
    rules: RuleSet = KCD,
    overshoot: Overshoot | str = Overshoot.FULL,
    run: Run = DEFAULT,
) -> TurnOptimum:
    """Find the turn that maximises expected points, for all points and all sets of dice left.

    `dice` is a set or its text. Without a target in `rules`, dice that hardly bust have hundreds of
    thousands of possible points. `overshoot` is the value of points past the target, ``full`` or
    ``needed``, as in the module. `run` has limits and reports progress. The result contains the
    policy; exact values follow on demand.

    Raises InputError for an unknown overshoot, more dice than the rules allow, or no target for
    dice that never bust; TooLargeError if the sweep would need too much memory.

    Six fair dice to 6000: 0.03 s. Six different dice: 1.2 s, mostly for the menus.

    >>> solve("fair*2", KCD.varied(target=100)).value
    mpq(50,1)
    """
    if overshoot not in tuple(Overshoot):
        raise InputError("overshoot", overshoot, "full or needed")
    past = Overshoot(overshoot)
    dice = parse_dice(dice, most=rules.dice) if isinstance(dice, str) else dice
    target = rules.target
    menus = menus_of(rules, dice, prune=target is None or past is Overshoot.NEEDED)
    end = certain_banking_bound(menus) if target is None else target
    require_sweep(menus, end, run)
    payoff = points_payoff(rules, end, target if past is Overshoot.NEEDED else None)
    sweep = TurnSweep(menus, payoff, run=run)
    return TurnOptimum(rules, dice, past, end, sweep)


def certain_banking_bound(menus: Menus) -> int:
    """Return B of the module, rounded up: banking is certain from it without a target."""
    bounds = []
    for state in menus.dice.proper_states():
        bust = menus.bust_chance(state)
        if bust == 0:
            got = Unquoted(f"none with {menus.dice}")
            raise InputError("target", got, "a target: some roll of these dice never busts")
        bounds.append(menus.mean_best(state) / bust - menus.rules.penalty)
    unit = menus.rules.unit
    least = max(max(bounds), mpq(menus.rules.minimum_bank), mpq(unit))
    return int(-(-least // unit)) * unit


def horizon(
    turn: TurnOptimum,
    rolls: int,
    points: RationalLike = 0,
    left: str | int | None = None,
    run: Run = DEFAULT,
) -> list[mpq]:
    whole, state = turn.points(points), turn.state(left)
    level, count = whole // turn.rules.unit, natural(rolls, "rolls", least=1)
    optimal = turn.optimal(whole, left)
    needed = min(count, fixed_point(turn, whole, left))
    require_sweep(turn.menus, turn.end, run, sweeps=needed)
    sweeps: list[TurnSweep] = []
    for _ in range(needed):
        before = sweeps[-1] if sweeps else None
        sweeps.append(TurnSweep(turn.menus, turn.sweep.payoff, source=before, last=before is None))
    gains = [sweep.base.rational(sweep.value(level, state)) - whole for sweep in sweeps]
    run.require(8 * count, f"a horizon of {count} rolls")
    return gains + [optimal] * (count - needed)


def fixed_point(turn: TurnOptimum, points: RationalLike = 0, left: str | int | None = None) -> int:
    """Return the smallest n with Optimal_n = Optimal: the rolls of the shortest optimal play."""
    whole, state = turn.points(points), turn.state(left)
    return turn.sweep.most_rolls(whole // turn.rules.unit, state)
