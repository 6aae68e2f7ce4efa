r"""How a turn ends under a given policy, by following it forwards.

Mass starts at one state, each roll passes it on to the states and the ends that the policy chooses,
and points only rise, so that one pass in order of points meets every state after all that lead to
it. The result is the exact distribution of the points banked and the chance to bust.

Nothing here knows the values of the sweep that found the policy: the mean of the distribution is a
second computation of the value of the first state, through other numbers in another order, and has
to be the same rational.
"""

from dataclasses import dataclass, replace
from heapq import heappop, heappush
from typing import Protocol

from gmpy2 import mpq, mpz

from exactdice.dice import Distribution
from exactdice.enclosure import Enclosure
from exactdice.errors import TooLargeError
from exactdice.games.farkle.menus import Menus
from exactdice.games.farkle.scaled import Base, Scaled
from exactdice.games.farkle.sweep import Step
from exactdice.run import DEFAULT, Run

__all__ = [
    "EnclosedEnd",
    "Policy",
    "TurnEnd",
    "enclosed_ends_of_turn",
    "ends_of_turn",
    "masses",
]


class Policy(Protocol):
    """Anything that says what one roll leads to, by units of points and number of dice left."""

    @property
    def menus(self) -> Menus:
        """The menus of the game."""

    def step(self, level: int, state: int) -> Step:
        """What rolling a state leads to."""


@dataclass(frozen=True)
class TurnEnd:
    """How a turn ends.

    Attributes
    ----------
    banked
        Chance of each number of points banked, ascending.
    bust
        Chance to bust.
    stranded
        Chance that no dice are left, none may be rolled again, and the points may not be banked.
    rolls
        Expected number of rolls.
    """

    banked: dict[int, mpq]
    bust: mpq
    stranded: mpq
    rolls: mpq

    def capped(self, most: int) -> "TurnEnd":
        """Return the same end where points above `most` count as so many."""
        banked: dict[int, mpq] = {}
        for points, chance in self.banked.items():
            counted = min(points, most)
            banked[counted] = banked.get(counted, mpq(0)) + chance
        return replace(self, banked=banked)

    def mean(self, penalty: int = 0) -> mpq:
        """Expected points, where a bust costs the penalty."""
        return sum((p * chance for p, chance in self.banked.items()), mpq(0)) - penalty * self.bust

    def distribution(self, penalty: int = 0) -> Distribution[int]:
        """Distribution of the points that the turn is worth; a bust is worth minus the penalty."""
        chances = dict(self.banked)
        for points, chance in ((-penalty, self.bust), (0, self.stranded)):
            chances[points] = chances.get(points, mpq(0)) + chance
        return Distribution.from_probabilities(chances)


@dataclass(frozen=True)
class EnclosedEnd:
    """How a turn ends, with bounds on every chance: each may be too low by what was `lost`.

    Attributes
    ----------
    least
        Lower bounds on the chances of the points banked, ascending.
    least_bust, least_stranded
        Lower bounds on the chances of the other ends, as in a `TurnEnd`.
    lost
        What all lower bounds together are short of 1.
    rolls
        Expected number of rolls.
    most_points
        The most points that a turn can be worth.
    """

    least: dict[int, mpq]
    least_bust: mpq
    least_stranded: mpq
    lost: mpq
    rolls: Enclosure
    most_points: int

    def chance(self, least: mpq) -> Enclosure:
        """Enclose a chance, given its lower bound."""
        return Enclosure(least, least + self.lost)

    @property
    def bust(self) -> Enclosure:
        """Chance to bust."""
        return self.chance(self.least_bust)

    def distribution(self, penalty: int = 0) -> dict[int, Enclosure]:
        """Chances of the points that the turn is worth; a bust is worth minus the penalty."""
        chances = dict(self.least)
        for points, chance in ((-penalty, self.least_bust), (0, self.least_stranded)):
            chances[points] = chances.get(points, mpq(0)) + chance
        return {p: self.chance(chances[p]) for p in sorted(chances) if chances[p] + self.lost}

    def mean(self, penalty: int = 0) -> Enclosure:
        """Expected points, where a bust costs the penalty."""
        least = sum((p * chance for p, chance in self.least.items()), -penalty * self.least_bust)
        return Enclosure(least - penalty * self.lost, least + self.most_points * self.lost)

    def variance(self, penalty: int = 0) -> Enclosure:
        """Variance of the points."""
        squares = penalty**2 * self.least_bust
        squares += sum((p * p * chance for p, chance in self.least.items()), mpq(0))
        mean, most = self.mean(penalty), max(self.most_points, penalty) ** 2
        of_mean = [end**2 for end in (mean.lower, mean.upper)]
        least_of_mean = mpq(0) if mean.lower <= 0 <= mean.upper else min(of_mean)
        least = squares - max(of_mean)
        return Enclosure(max(least, mpq(0)), squares + most * self.lost - least_of_mean)


@dataclass(frozen=True)
class _Masses:
    """Exact masses of the ends of a turn, over powers of one base."""

    base: Base
    banked: dict[int, Scaled]
    bust: Scaled
    stranded: Scaled
    rolls: Scaled


def masses(
    policy: Policy, level: int, state: int, run: Run = DEFAULT, *, most: int | None = None
) -> _Masses:
    """Follow a policy from a state; units of points instead of points, and numbers not reduced.

    Raises
    ------
    TooLargeError
        If the turn can have so many rolls that the masses banked take more memory than the limit,
        or more than `most` bytes.
    """
    base = Base(policy.menus.dice.denominator)
    states = policy.menus.dice.states
    arriving: dict[int, dict[int, mpz]] = {level * states + state: {0: mpz(1)}}
    banked: dict[int, dict[int, mpz]] = {}
    bust: dict[int, mpz] = {}
    stranded: dict[int, mpz] = {}
    rolls: dict[int, mpz] = {}

    held = 0  # bytes of the masses banked, which stay to the end

    def add(terms: dict[int, mpz], exponent: int, mass: mpz) -> None:
        terms[exponent] = terms.get(exponent, 0) + mass

    queue = list(arriving)
    while queue:
        code = heappop(queue)
        mass, exponent = base.gather(arriving.pop(code))
        if code % states == 0:
            add(stranded, exponent, mass)
            continue
        add(rolls, exponent, mass)
        step = policy.step(*divmod(code, states))
        mass *= step.pad
        exponent += 1
        if step.bust:
            add(bust, exponent, mass * step.bust)
        for units, weight in step.bank.items():
            terms = banked.setdefault(units, {})
            held += 0 if exponent in terms else int(mass.bit_length()) >> 3
            add(terms, exponent, mass * weight)
        run.require(held, "the exact law of a turn of so many rolls")
        if most is not None and held > most:
            raise TooLargeError(
                f"target: the exact law would need more than {most >> 20} MB, because the turn can "
                "have very many rolls; give a target, or a lower one"
            )
        for target, weight in step.roll.items():
            if target not in arriving:
                arriving[target] = {}
                heappush(queue, target)
            add(arriving[target], exponent, mass * weight)
    return _Masses(
        base,
        {units: base.gather(banked[units]) for units in sorted(banked)},
        base.gather(bust),
        base.gather(stranded),
        base.gather(rolls),
    )


def ends_of_turn(
    policy: Policy, level: int, state: int, run: Run = DEFAULT, *, most: int | None = None
) -> TurnEnd:
    """Distribution of how a turn ends, when a state is rolled now.

    Parameters
    ----------
    policy
        What to follow.
    level
        Units of points at stake.
    state
        Number of the set of dice rolled.
    most
        Bytes that the chances may take.

    Examples
    --------
    >>> from exactdice.games.farkle.exact import solve
    >>> turn = solve()
    >>> end = ends_of_turn(turn.sweep, 0, turn.dice.full)
    >>> end.mean() == turn.value, end.banked[6000] + end.bust < 1
    (True, True)

    Notes
    -----
    Work is proportional to the options chosen in the states that can be reached.
    """
    found = masses(policy, level, state, run, most=most)
    unit, rational = policy.menus.rules.unit, found.base.rational
    return TurnEnd(
        {units * unit: rational(mass) for units, mass in found.banked.items()},
        rational(found.bust),
        rational(found.stranded),
        rational(found.rolls),
    )


def enclosed_ends_of_turn(
    policy: Policy,
    level: int,
    state: int,
    end: int,
    run: Run = DEFAULT,
    *,
    cap: int | None = None,
    bits: int = 256,
) -> EnclosedEnd:
    """Bounds on how a turn ends, for turns so long that exact chances are too large.

    Parameters
    ----------
    policy, level, state
        As for `ends_of_turn`.
    end
        Points from which the policy banks.
    run
        Hears of the numbers of points dealt with.
    cap
        The most that a turn is worth; None for no cap.
    bits
        Chances are rounded down to multiples of 2**-bits.

    Examples
    --------
    >>> from exactdice.games.farkle.exact import solve
    >>> turn = solve()
    >>> exactly = ends_of_turn(turn.sweep, 0, turn.dice.full)
    >>> bounds = enclosed_ends_of_turn(turn.sweep, 0, turn.dice.full, turn.end)
    >>> exactly.rolls in bounds.rolls, bounds.lost < mpq(1, 10**60)
    (True, True)

    Notes
    -----
    Work is proportional to the options chosen in the states that can be reached; every roll that
    goes on has scored, so that mass lost on the way can take one more roll a unit of points.
    """
    menus = policy.menus
    states, unit, base = menus.dice.states, menus.rules.unit, menus.dice.denominator
    arriving = {level * states + state: 1 << bits}
    queue = list(arriving)
    banked: dict[int, int] = {}
    bust = stranded = rolls = told = 0
    while queue:
        code = heappop(queue)
        mass = arriving.pop(code)
        if code % states == 0:
            stranded += mass
            continue
        rolls += mass
        step = policy.step(*divmod(code, states))
        whole = base // step.pad
        bust += mass * step.bust // whole
        for units, weight in step.bank.items():
            banked[units] = banked.get(units, 0) + mass * weight // whole
        for target, weight in step.roll.items():
            if target not in arriving:
                arriving[target] = 0
                heappush(queue, target)
            arriving[target] += mass * weight // whole
        if code // states > told:
            told = code // states
            run.tell("numbers of points", told, end // unit)
    one = mpz(1) << bits
    lost = one - bust - stranded - sum(banked.values())
    most = end + menus.rules.highest_score if cap is None else cap
    counted: dict[int, mpq] = {}
    for units in sorted(banked):
        points = units * unit if cap is None else min(units * unit, cap)
        counted[points] = counted.get(points, mpq(0)) + mpq(banked[units], one)
    return EnclosedEnd(
        counted,
        mpq(bust, one),
        mpq(stranded, one),
        mpq(lost, one),
        Enclosure(mpq(rolls, one), mpq(rolls + lost * (end // unit + 1), one)),
        most,
    )
