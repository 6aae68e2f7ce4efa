"""The end of a turn under a policy, found forwards; simple policies and thresholds.

Mass starts at one state; each roll passes it to the states and ends that the policy chooses. Points
only rise, so one pass in the order of points suffices. The mean of the resulting distribution is an
independent computation of the value of the first state, and must be the same rational.

For very long turns masses are rounded down to multiples of a power of 1/2: each probability is a
lower bound, and the mass missing from 1 may belong to any end.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import heappop, heappush
from typing import TypeAlias

from exactdice.arithmetic import RationalLike, mpq, mpz, natural, text
from exactdice.enclosure import Enclosure, largest
from exactdice.errors import TooLargeError
from exactdice.games.farkle.rules.dice_sets import DiceSet
from exactdice.games.farkle.rules.menus import Menus, menus_of
from exactdice.games.farkle.rules.rule_set import RuleSet
from exactdice.games.farkle.turn.exact import Overshoot, TurnOptimum
from exactdice.games.farkle.turn.sweep import NEVER, Base, RollStep, Scaled, TurnSweep, powers
from exactdice.memory import stored_bytes
from exactdice.run import DEFAULT, Run

RollPolicy: TypeAlias = "TurnSweep | ThresholdPlayer"


@dataclass(frozen=True)
class TurnEnd:
    """The end of a turn: each probability may be too low by `lost`, which is 0 if all are exact.

    `least` are lower bounds on those of the points banked, ascending. The turn is stranded if no
    dice are left, and it may not be banked. `rolls` is the expected number of rolls.
    """

    least: dict[int, mpq]
    least_bust: mpq
    least_stranded: mpq
    lost: mpq
    rolls: Enclosure
    most_points: int

    def chance(self, least: mpq) -> Enclosure:
        return Enclosure(least, least + self.lost)

    @property
    def bust(self) -> Enclosure:
        return self.chance(self.least_bust)

    def capped(self, most: int) -> "TurnEnd":
        least: defaultdict[int, mpq] = defaultdict(mpq)
        for points, chance in self.least.items():
            least[min(points, most)] += chance
        return replace(self, least=least, most_points=min(self.most_points, most))

    def distribution(self, penalty: int = 0) -> dict[int, Enclosure]:
        chances = defaultdict(mpq, self.least)
        chances[-penalty] += self.least_bust
        chances[0] += self.least_stranded
        return {p: self.chance(chances[p]) for p in sorted(chances) if chances[p] + self.lost}

    def mean(self, penalty: int = 0) -> Enclosure:
        least = sum((p * chance for p, chance in self.least.items()), -penalty * self.least_bust)
        return least + self.lost * Enclosure(mpq(-penalty), mpq(self.most_points))

    def variance(self, penalty: int = 0) -> Enclosure:
        squares = penalty**2 * self.least_bust
        squares += sum((p * p * chance for p, chance in self.least.items()), mpq(0))
        most = max(self.most_points, penalty) ** 2
        squared = squares + self.lost * Enclosure(mpq(0), mpq(most))
        return largest([squared - self.mean(penalty) ** 2, 0])


@dataclass(frozen=True)
class _Masses:
    """Masses of the ends of a turn, over powers of one base."""

    base: Base
    banked: dict[int, Scaled]
    bust: Scaled
    stranded: Scaled
    rolls: Scaled


def masses(
    policy: RollPolicy,
    level: int,
    state: int,
    run: Run = DEFAULT,
    *,
    most: int | None = None,
    bits: int | None = None,
) -> _Masses:
    whole = mpz(1) << (bits or 0)
    base = Base(policy.menus.dice.denominator, int(whole))
    states = policy.menus.dice.states
    arriving = defaultdict(powers, {level * states + state: {0: whole}})
    banked: defaultdict[int, defaultdict[int, mpz]] = defaultdict(powers)
    bust, stranded, rolls = powers(), powers(), powers()
    held, reached = 0, level  # bytes of the masses banked; units of points
    queue = list(arriving)
    while queue:
        code = heappop(queue)
        mass, exponent = base.gather(arriving.pop(code))
        if code % states == 0:
            stranded[exponent] += mass
            continue
        rolls[exponent] += mass
        step = policy.step(*divmod(code, states))
        divisor = mpz(1)
        if bits is None:
            mass, exponent = mass * step.pad, exponent + 1
        else:
            divisor = base.denominator // step.pad
        if step.bust:
            bust[exponent] += mass * step.bust // divisor
        for units, weight in step.bank.items():
            held += 0 if exponent in banked[units] else int(mass.bit_length()) >> 3
            banked[units][exponent] += mass * weight // divisor
        run.require(held, "the exact distribution of so long a turn")
        if most is not None and held > most:
            raise TooLargeError(
                f"target: the exact distribution would need more than {most >> 20} MB, because the "
                "turn can have very many rolls; use a target, or a lower one"
            )
        for target, weight in step.roll.items():
            if target not in arriving:
                heappush(queue, target)
            arriving[target][exponent] += mass * weight // divisor
        if bits and code // states > reached:
            reached = code // states
            run.tell("numbers of points", reached, policy.levels)
    of_points = {units: base.gather(banked[units]) for units in sorted(banked)}
    return _Masses(base, of_points, *map(base.gather, (bust, stranded, rolls)))


def ends_of_turn(
    policy: RollPolicy,
    level: int,
    state: int,
    run: Run = DEFAULT,
    *,
    most: int | None = None,
    bits: int | None = None,
) -> TurnEnd:
    """Distribution of the end of a turn when a state is rolled now with some units at stake.

    Probabilities are exact, or rounded down to multiples of 2**-bits at each step. Raises
    TooLargeError if those of the points banked take more than the memory limit, or than `most`
    bytes. Work is proportional to the options chosen in all reachable states.
    """
    ends = masses(policy, level, state, run, most=most, bits=bits)
    unit, rational = policy.menus.rules.unit, ends.base.rational
    least = {units * unit: rational(mass) for units, mass in ends.banked.items()}
    bust, stranded, rolls = map(rational, (ends.bust, ends.stranded, ends.rolls))
    lost = mpq(0) if bits is None else 1 - bust - stranded - sum(least.values(), mpq(0))
    # Every roll that continues has scored, so lost mass takes at most one roll a unit of points.
    further = lost * Enclosure(mpq(0), mpq(policy.levels + 1))
    most_points = max(level, policy.levels) * unit + policy.menus.rules.highest_score
    return TurnEnd(least, bust, stranded, lost, rolls + further, most_points)


_BITS = 1000  # of a mass, at least


@dataclass(frozen=True)
class Threshold:
    """The points at which to roll a set of dice and at which to bank.

    `roll` are maximal ranges of points, including both ends, in which rolling is strictly better or
    banking is not allowed. From `bank_from` on banking is at least as good; it is None if rolling
    is better at the last points below the end of the turn. Against an opponent it is also None if
    it is not decided, or if rolling is not better at all points below; `ties` are points at which
    both are equal, `unsettled` those that the enclosures do not decide.
    """

    left: int
    roll: tuple[tuple[int, int], ...]
    bank_from: int | None
    ties: tuple[int, ...] = ()
    unsettled: tuple[int, ...] = ()


def ranges(points: Iterable[int], unit: int) -> tuple[tuple[int, int], ...]:
    """Group ascending multiples of the unit into maximal ranges, including both ends."""
    gathered: list[tuple[int, int]] = []
    for each in points:
        if gathered and gathered[-1][1] == each - unit:
            gathered[-1] = gathered[-1][0], each
        else:
            gathered.append((each, each))
    return tuple(gathered)


def thresholds(turn: TurnOptimum) -> list[Threshold]:
    """Find for each set of dice left the points at which rolling is better than banking.

    >>> from exactdice.games.farkle import KCD, solve
    >>> turn = solve(rules=KCD.varied(target=None))
    >>> [(t.left, t.bank_from) for t in thresholds(turn)]
    [(1, 300), (2, 250), (3, 450), (4, 1050), (5, 3400), (6, 12950)]
    """
    unit = turn.rules.unit
    of_states = []
    for state in turn.dice.proper_states():
        better = turn.sweep.keys[: turn.end // unit, state] > NEVER
        rolls = ranges((level * unit for level in better.nonzero()[0].tolist()), unit)
        last = rolls[-1][1] + unit if rolls else turn.rules.minimum_bank
        of_states.append(Threshold(state, rolls, None if last == turn.rules.target else last))
    return of_states


@dataclass(frozen=True)
class ThresholdPlayer:
    """Keeps the highest score of each roll, and banks from some points on, or at the target.

    Of equal scores it keeps the larger number of the set of dice left.
    """

    rules: RuleSet
    dice: DiceSet
    bank_from: int
    overshoot: Overshoot = Overshoot.FULL

    def __post_init__(self) -> None:
        points = self.rules.whole_points(self.bank_from, "bank_from")
        least = max(self.rules.minimum_bank, self.rules.unit)
        object.__setattr__(self, "bank_from", natural(points, "bank_from", least=least))

    @property
    def _end(self) -> int:
        target = self.rules.target
        return self.bank_from if target is None else min(self.bank_from, target)

    @cached_property
    def menus(self) -> Menus:
        return menus_of(self.rules, self.dice, prune=True)

    def step(self, level: int, state: int) -> RollStep:
        unit, states = self.rules.unit, self.dice.states
        bank, roll = Counter[int](), Counter[int]()
        menus = self.menus.by_state[state]
        for menu, weight in menus.menus.items():
            score, left = menu[0]  # menus are in canonical order
            reached = level + score // unit
            following = self.menus.next_state(left)
            may_bank = reached * unit >= self.rules.minimum_bank
            if reached * unit >= self._end or (following == 0 and may_bank):
                bank[reached] += weight
            else:
                roll[reached * states + following] += weight
        return RollStep(bank, roll, menus.bust, self.dice.denominator // menus.denominator)

    @property
    def levels(self) -> int:
        return self._end // self.rules.unit

    def turn_end(self, run: Run = DEFAULT, *, most: int | None = None) -> TurnEnd:
        needed = stored_bytes(self.levels * self.dice.states, _BITS)
        run.require(needed, f"banking from {text(self.bank_from)} points")
        return _counted(ends_of_turn(self, 0, self.dice.full, run, most=most), self)


def _counted(end: TurnEnd, player: "TurnOptimum | ThresholdPlayer") -> TurnEnd:
    target = player.rules.target
    return end if target is None or player.overshoot == Overshoot.FULL else end.capped(target)


def turn_end(
    turn: TurnOptimum,
    points: RationalLike = 0,
    left: str | int | None = None,
    run: Run = DEFAULT,
    *,
    most: int | None = None,
    bits: int | None = None,
) -> TurnEnd:
    at, state = turn.points(points), turn.state(left)
    policy: RollPolicy = turn.sweep
    if at >= turn.end:  # without a target: banking is certain, one roll decides
        policy = ThresholdPlayer(turn.rules, turn.dice, turn.end)
    end = ends_of_turn(policy, at // turn.rules.unit, state, run, most=most, bits=bits)
    return _counted(end, turn)
