r"""One downward sweep over the points of a turn.

Let :math:`W(P)` be the payoff of banking :math:`P` points (nondecreasing), and :math:`b` the payoff
of a bust. The value of *rolling* the dice :math:`\delta` with :math:`P` points at stake is

.. math:: V(P,\delta) = \frac{1}{N_\delta}\Bigl(b\,w_\delta^{\mathrm{bust}} + \sum_m w_m
          \max\bigl\{W(P+\hat s_m),\ \max_{(s,\delta')\in m} V(P+s,\delta')\bigr\}\Bigr)

over the menus :math:`m` of :math:`\delta`, with :math:`\hat s_m` the highest score on the menu; the
inner maximum is over options that stay below the last level, where the player must bank. Scores are
positive, so one sweep from high points to low suffices. It works on 64-bit integers: `key` is a
lower bound of :math:`2^{b} V`, less than one unit a level too low. Options whose keys differ by
less are compared by exact values, and ties are recorded, so the policy is always exact. Ties are
broken by banking first, then the higher score, then the larger number of the set of dice left.

Exact *values* are computed from the policy on demand, for a state and its successors. Every
probability in a turn is a multiple of :math:`1/M^j`, with :math:`M` the product of the denominators
of all dice and :math:`j` a number of rolls: a roll of fewer dice is padded to :math:`M`. A number
is a pair :math:`(x, j)` for :math:`x / M^j`; sums need no greatest common divisor.

With `source`, options lead to the values of another sweep, as :math:`\mathrm{Optimal}_n` leads to
:math:`\mathrm{Optimal}_{n-1}`.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cmp_to_key, partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from exactdice.arithmetic import mpq, mpz
from exactdice.enclosure import Enclosure
from exactdice.errors import TooLargeError
from exactdice.games.farkle.rules.menus import Menus, layout_of
from exactdice.run import DEFAULT, Run

#: A pair (x, j) that stands for x / M**j, or x / (D M**j) where a `Base` has a scale D.
Scaled = tuple[mpz, int]

#: Makes integers to sum, by the power of M below them.
powers: Callable[[], defaultdict[int, mpz]] = partial(defaultdict, mpz)


class Base:
    """The denominator M, with its powers, and a further denominator of every number, the scale."""

    def __init__(self, denominator: int, scale: int = 1) -> None:
        self.denominator, self.scale = mpz(denominator), mpz(scale)
        self._powers = [mpz(1)]

    def power(self, exponent: int) -> mpz:
        while len(self._powers) <= exponent:
            self._powers.append(self._powers[-1] * self.denominator)
        return self._powers[exponent]

    def gather(self, terms: Mapping[int, mpz]) -> Scaled:
        total, reached = mpz(0), 0
        for exponent in sorted(terms):
            total = total * self.power(exponent - reached) + terms[exponent]
            reached = exponent
        return total, reached

    def rational(self, number: Scaled) -> mpq:
        return mpq(number[0], self.scale * self.power(number[1]))

    def compare(self, first: Scaled, second: Scaled) -> int:
        (x, i), (y, j) = first, second
        difference = x * self.power(max(j - i, 0)) - y * self.power(max(i - j, 0))
        return int(difference > 0) - int(difference < 0)

    def floor(self, number: Scaled, bits: int) -> int:
        return int((number[0] << bits) // (self.scale * self.power(number[1])))


@dataclass(frozen=True)
class TurnPayoff:
    """Payoffs of the ends of a turn, with points counted in units of the rules.

    The dice may be rolled with points 0 … levels − 1; beyond that the player must bank. `bank`
    lists payoffs from 0 to levels − 1 + the highest score, None if the rules forbid banking, and
    never falls; `nothing` is the payoff of a turn that has to end but may not be banked. All are
    over `scale`, as in `Base`.
    """

    levels: int
    bank: Sequence[Scaled | None]
    bust: Scaled
    nothing: Scaled
    scale: int = 1


NEVER = -(1 << 62)
"""The key of a forbidden or never better option; half of the 64-bit range is left for sums."""

_Keys: TypeAlias = NDArray[np.int64]
_ALWAYS = 1 << 62
_KEY_BITS = 60
_EXACT = "the exact value of so long a turn"
_ENTRY = 100  # bytes of one entry of a step
_OFTEN = 500  # levels between two reports of progress, some 20 ms


@dataclass(frozen=True)
class RollStep:
    """The result of one roll under a policy: integer weights over the denominator of the dice.

    `bank` is by the number of units, `roll` by code: units times the number of states, plus the
    state rolled. `pad` brings the denominator of the dice rolled to that of all dice.
    """

    bank: dict[int, int]
    roll: dict[int, int]
    bust: int
    pad: int


class TurnSweep:
    """The best way to roll and bank for one payoff: keys and policy, and values on demand.

    The options lead to the values of `source`, by default this sweep, or to nothing if `last`
    forbids further rolls.

    Time is proportional to levels times the number of options on all menus.
    """

    def __init__(
        self,
        menus: Menus,
        payoff: TurnPayoff,
        *,
        source: "TurnSweep | None" = None,
        last: bool = False,
        run: Run = DEFAULT,
    ) -> None:
        self.menus, self.payoff = menus, payoff
        self.source = source or self  # not used with `last`
        self.last, self.run = last, run
        self.base = Base(menus.dice.denominator, payoff.scale)
        self.states, self.levels = menus.dice.states, payoff.levels
        self.ties: dict[tuple[int, int], tuple[int, ...]] = {}
        """(level, menu) to the options that tie for the best, −1 for banking; only real ties."""
        self.roll_ties: set[int] = set()
        """Codes of states in which rolling has the same value as ending the turn."""
        self._layout = layout_of(menus)
        self._values: dict[int, Scaled] = {}
        self._steps: dict[int, RollStep] = {}
        reach = payoff.levels + menus.rules.highest_score // menus.rules.unit + 1
        worths = [w for w in (*payoff.bank, payoff.bust, payoff.nothing) if w]
        largest = max(abs(self.base.floor(worth, 0)) for worth in worths)
        self._bits = _KEY_BITS - largest.bit_length()  # fractional bits of a key
        self._bank = np.full(reach, NEVER, dtype=np.int64)
        for units, worth in enumerate(payoff.bank):
            if worth is not None:
                self._bank[units] = self.base.floor(worth, self._bits)
        self.keys = np.full((reach, self.states), NEVER, dtype=np.int64)
        """Key of rolling each state at each level, `NEVER` if banking is at least as good."""
        # Without dice left, and if banking is forbidden, the turn ends with `nothing`.
        barred = [u for u, worth in enumerate(payoff.bank[: payoff.levels]) if worth is None]
        self.keys[barred, 0] = self.base.floor(payoff.nothing, self._bits)
        self._ended = self.keys
        if last:
            self._ended = self.keys.copy()
            self._ended[barred, :] = self.base.floor(payoff.nothing, self._bits)
        self.choice = np.full((payoff.levels, len(self._layout.start)), -1, dtype=np.int32)
        """Option chosen at each level from each menu, −1 for banking."""
        for level in reversed(range(payoff.levels)):
            self._solve_level(level)
            if level % _OFTEN == 0:
                run.tell("numbers of points", payoff.levels - level, payoff.levels)

    def _solve_level(self, level: int) -> None:
        layout = self._layout
        best = layout.best
        if len(layout.start):
            keys, rolled, banked = self._menu_keys(level)
            best = np.maximum(rolled, banked)
            self._choose(level, keys, rolled, banked)
        for state, key in self._state_keys(best):
            code = level * self.states + state
            if self._worth_rolling(code, key, int(self._bank[level])):
                self.keys[level, state] = key

    def _menu_keys(self, level: int) -> tuple[_Keys, _Keys, _Keys]:
        layout = self._layout
        table = self._ended if self.last else self.source.keys
        keys = table.ravel()[(layout.score + level) * self.states + layout.next_state]
        return keys, np.maximum.reduceat(keys, layout.start), self._bank[layout.best + level]

    def bounds(self, level: int) -> dict[int, Enclosure]:
        best = self._layout.best
        if len(self._layout.start):
            _, rolled, banked = self._menu_keys(level)
            best = np.maximum(rolled, banked)
        one, error = mpz(1) << self._bits, self.payoff.levels - level + 1
        return {
            state: Enclosure(mpq(key, one), mpq(key + error, one))
            for state, key in self._state_keys(best)
        }

    def _state_keys(self, best: _Keys) -> Iterable[tuple[int, int]]:
        """Lower bound of the value of rolling each state, from the best keys of its menus."""
        layout = self._layout
        sums: dict[int, Any] = {}
        if len(best):
            starts = [layout.first_menu[state] for state in layout.rollable]
            totals = np.add.reduceat(best.astype(object) * layout.weight, starts)
            sums = dict(zip(layout.rollable, totals.tolist(), strict=True))
        bust_key = self.base.floor(self.payoff.bust, self._bits)
        for state in self.menus.dice.proper_states():
            menus = self.menus.by_state[state]
            yield state, (sums.get(state, 0) + menus.bust * bust_key) // menus.denominator

    def _worth_rolling(self, code: int, key: int, bank: int) -> bool:
        """Whether rolling is better than banking, or required; ties are added to `roll_ties`."""
        level, state = divmod(code, self.states)
        worth = self.payoff.bank[level]
        ending = self.payoff.nothing if worth is None else worth
        if worth is None:
            bank = self.base.floor(ending, self._bits)
        if abs(key - bank) > self.levels + 2:
            return worth is None or key > bank
        order = self.base.compare(self.value(level, state), ending)
        if order == 0:
            self.roll_ties.add(code)
        return worth is None or order > 0

    def _choose(self, level: int, keys: _Keys, rolled: _Keys, banked: _Keys) -> None:
        """Set the choice at one level; close keys are decided by exact values."""
        layout, tolerance = self._layout, self.levels + 2
        rolling = (rolled > banked - tolerance) & (rolled > NEVER)
        threshold = np.where(rolling, rolled - tolerance, _ALWAYS)
        near = np.flatnonzero(keys >= threshold[layout.menu])
        menus = layout.menu[near]
        self.choice[level, menus] = near
        doubtful = set(menus[1:][menus[1:] == menus[:-1]].tolist())
        doubtful.update(np.flatnonzero(rolling & (rolled < banked + tolerance)).tolist())
        for menu in sorted(doubtful):
            options = near[menus == menu].tolist()
            if banked[menu] >= rolled[menu] - tolerance:
                options.insert(0, -1)
            self._settle(level, menu, options)

    def _settle(self, level: int, menu: int, options: list[int]) -> None:
        worths = [self.option_worth(level, menu, option) for option in options]
        best = max(worths, key=cmp_to_key(self.base.compare))
        rated = zip(options, worths, strict=True)
        tied = tuple(option for option, worth in rated if self.base.compare(worth, best) == 0)
        self.choice[level, menu] = tied[0]
        if len(tied) > 1:
            self.ties[level, menu] = tied

    def option_worth(self, level: int, menu: int, option: int) -> Scaled:
        layout = self._layout
        if option < 0:
            return self._banked(level + int(layout.best[menu]))
        reached = level + int(layout.score[option])
        return self._successor(reached * self.states + int(layout.next_state[option]))

    def _banked(self, units: int) -> Scaled:
        worth = self.payoff.bank[units]
        if worth is None:
            raise AssertionError("a key of NEVER is never chosen")
        return worth

    def _successor(self, code: int) -> Scaled:
        level, state = divmod(code, self.states)
        if state == 0 or self.last:
            return self.payoff.nothing
        return self.source.value(level, state)

    def step(self, level: int, state: int) -> RollStep:
        code = level * self.states + state
        if code in self._steps:
            return self._steps[code]
        layout = self._layout
        first, past = layout.first_menu[state : state + 2]
        chosen = self.choice[level, first:past]
        bank, roll = Counter[int](), Counter[int]()
        banking = chosen < 0
        units = np.where(banking, layout.best[first:past] + level, -1)
        rolling = (layout.score[chosen] + level) * self.states + layout.next_state[chosen]
        codes = np.where(banking, -1, rolling)
        weights = layout.weight[first:past]
        for unit, target, weight in zip(units.tolist(), codes.tolist(), weights, strict=True):
            if unit >= 0:
                bank[unit] += weight
            else:
                roll[target] += weight
        menus = self.menus.by_state[state]
        step = RollStep(bank, roll, menus.bust, int(self.base.denominator) // menus.denominator)
        self._steps[code] = step
        return step

    def value(self, level: int, state: int) -> Scaled:
        code = level * self.states + state
        if code not in self._values:
            self._evaluate(code, self.run)
        return self._values[code]

    def has_short_value(self, level: int, state: int, most: int) -> bool:
        """Whether the exact value of a state, with its successors, takes at most `most` bytes."""
        code = level * self.states + state
        if code not in self._values:
            try:
                self._evaluate(code, Run(memory=most))
            except TooLargeError:
                self._values.clear()
                self._steps.clear()
                return False
        return True

    def _evaluate(self, wanted: int, run: Run) -> None:
        if self.source is self and not self.last:
            self._fill(self._behind(wanted, run), run)
            return
        # Sweep by sweep down to the last roll, then back up, so that nothing recurses.
        needed: list[tuple[TurnSweep, set[int]]] = [(self, {wanted})]
        while not needed[-1][0].last:
            sweep, codes = needed[-1]
            after: set[int] = set()
            for code in codes:
                after.update(sweep.step(*divmod(code, self.states)).roll)
            source = sweep.source
            unknown = {c for c in after if c % self.states and c not in source._values}
            needed.append((source, unknown))
        for sweep, codes in reversed(needed):
            sweep._fill(codes, run)

    def _behind(self, wanted: int, run: Run) -> set[int]:
        """A state and its successors under the policy whose values are unknown."""
        pending, behind, size = [wanted], {wanted}, 0
        while pending:
            step = self.step(*divmod(pending.pop(), self.states))
            size += _ENTRY * (len(step.roll) + len(step.bank))
            run.require(size, _EXACT)
            for code in step.roll:
                if code not in behind and code not in self._values and code % self.states:
                    behind.add(code)
                    pending.append(code)
        return behind

    def _fill(self, codes: set[int], run: Run) -> None:
        size = 0
        for code in sorted(codes, reverse=True):
            number, exponent = self._combine(self.step(*divmod(code, self.states)))
            self._values[code] = number, exponent
            del self._steps[code]
            size += int(number.bit_length()) >> 3
            run.require(size, _EXACT)

    def most_rolls(self, level: int, state: int) -> int:
        longest: dict[int, int] = {}
        this = level * self.states + state
        for code in reversed(range(this, self.payoff.levels * self.states)):
            at, rolled = divmod(code, self.states)
            if rolled and (code == this or self.keys[at, rolled] > NEVER):
                menus = range(*self._layout.first_menu[rolled : rolled + 2])
                rolls = (self._rolls_after(at, menu, longest) for menu in menus)
                longest[code] = 1 + max(rolls, default=0)
        return longest[this]

    def _rolls_after(self, level: int, menu: int, longest: dict[int, int]) -> int:
        """Fewest further rolls in the worst case, over the best options of a menu."""
        best = self.ties.get((level, menu), (int(self.choice[level, menu]),))
        rolls = []
        for option in best:
            reached = level + int(self._layout.score[option])
            code = reached * self.states + int(self._layout.next_state[option])
            rolls.append(0 if option < 0 or code in self.roll_ties else longest.get(code, 0))
        return min(rolls)

    def _combine(self, step: RollStep) -> Scaled:
        terms = powers()
        ends = [(self.payoff.bust, step.bust)] if step.bust else []
        ends += [(self._banked(units), weight) for units, weight in step.bank.items()]
        ends += [(self._successor(code), weight) for code, weight in step.roll.items()]
        for (number, exponent), weight in ends:
            terms[exponent] += number * weight
        total, exponent = self.base.gather(terms)
        return total * step.pad, exponent + 1
