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
from exactdice.errors import TooLargeError
from exactdice.games.farkle.menus import Menus
from exactdice.games.farkle.scaled import Base, Scaled
from exactdice.games.farkle.sweep import Step
from exactdice.run import DEFAULT, Run

__all__ = ["Policy", "TurnEnd", "ends_of_turn", "masses"]


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
