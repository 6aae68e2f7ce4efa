r"""Risk battles to the end, exactly.

Write V(a, d) for the chance that a attackers beat d defenders, in fighting units. With w_k the
weight, out of q, of the round in which the attacker loses k of the m units at stake,

.. math:: V(a, d) = \frac1q \sum_{k=0}^{m} w_k V(a - k, d - m + k),
   \qquad V(a, 0) = 1, \quad V(a, d) = 0 \text{ for } a < \text{stop\_below}.

Every round costs at least one unit, so with one factor L for each unit, chosen so that q divides
L^m for every round that the rules know (`unit_factor`), V(a, d)·L^(a + d) is an integer. The
recursion runs on these integers; a fraction is reduced once, when it is asked for.

Two independent directions give the same numbers, and the tests hold them against each other: the
recursion above (`win_probability`, `win_table`) works backward from the ends of a battle; the laws
of survivors and of rounds (`Battle`) push the starting state forward.

Cost: O(a·d) products of integers of O((a + d) log s) bits. One probability keeps as many rows as a
round can cost units, and one, and so does the law of survivors, beside the endings;
a table keeps its fractions (`memory_estimate`). Written down as a model (`exactdice.models`) a
battle takes about twenty times as long, as a model knows no denominator beforehand.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from math import lcm
from typing import ClassVar

from exactdice.arithmetic import brief, mpq, mpz, natural, text
from exactdice.dice import Distribution
from exactdice.games.risk.rounds import round_losses
from exactdice.games.risk.rules import STANDARD, Rules, Units, fighting_units, shown_units
from exactdice.memory import stored_bytes
from exactdice.report.notebook import Reported
from exactdice.run import DEFAULT, Run


def unit_factor(rules: Rules = STANDARD) -> int:
    """Return L: the smallest integer such that every round's denominator divides L^(units lost).

    Three dice against one put one unit at stake, out of 6⁴:

    >>> unit_factor() == 6**4
    True
    """
    single = [(a, 1) for a in range(1, rules.attacker_dice + 1)]
    single += [(1, d) for d in range(1, rules.defender_dice + 1)]
    # A round a against d with m = min(a, d) has denominator x^a·y^d, and a/m ≤ attacker_dice.
    return lcm(*(rules.attacker_sides**a * rules.defender_sides**d for a, d in single))


@dataclass(frozen=True)
class _Round:
    """Weights of one round, scaled so that they sum to L^(units at stake)."""

    stake: int
    weights: tuple[tuple[int, mpz], ...]  # (attacker's losses, weight)


def _rounds_of(rules: Rules) -> Callable[[int, int], _Round]:
    """Return the rounds by armies; each is computed when it is first met."""
    factor = mpz(unit_factor(rules))

    @cache
    def rolled(a: int, d: int) -> _Round:
        losses, stake = round_losses(a, d, rules), min(a, d)
        scale = factor**stake // losses.denominator
        return _Round(stake, tuple((lost, scale * w) for (lost, _), w in losses.items()))

    return lambda attackers, defenders: rolled(*rules.dice_rolled(attackers, defenders))


# Backward: chance to win ---------------------------------------------------------------------


def winning_rows(
    attackers: int, defenders: int, rules: Rules = STANDARD, run: Run = DEFAULT
) -> Iterator[list[mpz]]:
    """Yield the rows d = 0, 1, … of V(a, d)·L^(a + d), each for a = 0 … attackers."""
    factor = mpz(unit_factor(rules))
    round_at = _rounds_of(rules)
    rows = [[factor**a for a in range(attackers + 1)]]
    yield rows[0]
    reach = min(rules.attacker_dice, rules.defender_dice)
    for d in range(1, defenders + 1):
        run.tell("defenders", d - 1, defenders)
        current = [mpz(0)] * min(rules.stop_below, attackers + 1)
        rows = [*rows[-reach:], current]
        steady = max(rules.stop_below, rules.attacker_dice)
        for a in range(rules.stop_below, min(steady, attackers + 1)):
            now = round_at(a, d)
            won = (w * rows[k - now.stake - 1][a - k] for k, w in now.weights)
            current.append(sum(won, mpz(0)))
        if attackers >= steady:
            now = round_at(steady, d)
            # rows[-1] is the row being filled: k = stake reads it, smaller k the rows before.
            terms = [(w, rows[k - now.stake - 1], k) for k, w in now.weights]
            for a in range(steady, attackers + 1):
                total = mpz(0)
                for w, source, k in terms:
                    total += w * source[a - k]
                current.append(total)
        yield current


def win_probability(
    attackers: int,
    defenders: int,
    units: Units | str = Units.TOTAL,
    rules: Rules = STANDARD,
    run: Run = DEFAULT,
) -> mpq:
    """Chance that the attacker takes the territory.

    The value that the Risk post prints for (4, 2):

    >>> win_probability(4, 2)
    mpq(6610505,10077696)
    >>> win_probability(3, 2, "fighting") == win_probability(4, 2)
    True
    """
    a = fighting_units(attackers, units)
    d = natural(defenders, "defenders", least=1)
    last: list[mpz] = []
    for row in winning_rows(a, d, rules, run):
        last = row
    return mpq(last[a], mpz(unit_factor(rules)) ** (a + d))


@dataclass(frozen=True)
class WinTable(Reported, Mapping[tuple[int, int], mpq]):
    """Chances to win for every army up to a size, by (attackers, defenders) in the units given."""

    reported_by: ClassVar = "exactdice.games.risk.reports:table_report"

    units: Units
    rules: Rules
    rows: Sequence[Sequence[mpq]]  # rows[d - 1][a - 1] in fighting units

    def __getitem__(self, armies: tuple[int, int]) -> mpq:
        try:
            attackers, defenders = armies
            a = fighting_units(attackers, self.units)
            return self.rows[natural(defenders, "defenders", least=1) - 1][a - 1]
        except (IndexError, TypeError, ValueError):
            raise KeyError(armies) from None

    def __iter__(self) -> Iterator[tuple[int, int]]:
        for a in range(1, len(self.rows[0]) + 1):
            for d in range(1, len(self.rows) + 1):
                yield shown_units(a, self.units), d

    def __len__(self) -> int:
        return len(self.rows) * len(self.rows[0])

    @property
    def largest(self) -> tuple[int, int]:
        """The largest armies, attackers in the units given."""
        return shown_units(len(self.rows[0]), self.units), len(self.rows)

    @property
    def value(self) -> mpq:
        """Chance that the largest attacking army beats the largest defending one."""
        return self[self.largest]

    def even_armies(self) -> list[tuple[int, int, mpq, mpq | None]]:
        """List the smallest attacking armies that win at least half of all battles.

        >>> [(d, a) for d, a, *_ in win_table(6, 3).even_armies()]
        [(1, 3), (2, 4), (3, 5)]
        """
        listed = []
        for d, row in enumerate(self.rows, start=1):
            for a, chance in enumerate(row):
                if 2 * chance >= 1:
                    fewer = row[a - 1] if a else None
                    listed.append((d, shown_units(a + 1, self.units), chance, fewer))
                    break
        return listed

    def __str__(self) -> str:
        attackers, defenders = self.largest
        return f"chances of up to {attackers} {self.units} units against up to {defenders}"


def win_table(
    attackers: int,
    defenders: int,
    units: Units | str = Units.TOTAL,
    rules: Rules = STANDARD,
    run: Run = DEFAULT,
) -> WinTable:
    """Chance to win for every army from the smallest that can attack up to the given size.

    One pass of the recursion; `attackers`·`defenders` reduced fractions are kept.

    Examples
    --------
    Two fighting units against one: won at once, or with the second unit after losing the first.

    >>> win_table(3, 2)[3, 1] == mpq(125, 216) + mpq(91, 216) * mpq(5, 12)
    True
    """
    a = fighting_units(attackers, units)
    d = natural(defenders, "defenders", least=1)
    factor = mpz(unit_factor(rules))
    powers = [factor**exponent for exponent in range(a + d + 1)]
    scaled = winning_rows(a, d, rules, run)
    next(scaled)  # without defenders
    rows = [tuple(map(mpq, row[1:], powers[n + 1 :])) for n, row in enumerate(scaled, start=1)]
    return WinTable(Units(units), rules, tuple(rows))


# Forward: survivors and rounds ---------------------------------------------------------------


def conquest(
    army: Distribution[int], defenders: int, rules: Rules = STANDARD
) -> Distribution[tuple[int, int]]:
    """Distribution of who is left when an army of random size has attacked to the end.

    >>> conquest(Distribution({1: 1}), 1)
    Distribution({(0, 1): 7, (1, 0): 5})
    """
    factor = mpz(unit_factor(rules))
    round_at = _rounds_of(rules)
    largest = max(army)
    # grid[d][a] holds the chance to pass (a, d), times L^(largest + defenders - a - d). Rows below
    # those that a round reaches are not there yet, and those above are there no more.
    reach = min(rules.attacker_dice, rules.defender_dice)
    grid = {d: [mpz(0)] * (largest + 1) for d in range(max(defenders - reach, 0), defenders + 1)}
    for a, weight in army.items():
        grid[defenders][a] = weight * factor ** (largest - a)
    left: dict[tuple[int, int], int] = {}
    for d in range(defenders, -1, -1):
        row = grid[d]
        for a in range(largest, -1, -1):
            mass = row[a]
            if not mass:
                continue
            if rules.is_over(a, d):
                left[a, d] = int(mass * factor ** (a + d))
                continue
            now = round_at(a, d)
            for k, w in now.weights:
                grid[d - now.stake + k][a - k] += w * mass
        del grid[d]  # nothing returns to it
        if d > reach:
            grid[d - reach - 1] = [mpz(0)] * (largest + 1)
    return Distribution(left)


@dataclass(frozen=True)
class Battle(Reported):
    """A battle between given armies: everything that is asked about how it ends.

    Attackers are shown in `units`; `attackers` and `defenders` are the armies at the start, and
    `value` is the chance that no defender is left. Laws are computed when they are asked for.
    """

    reported_by: ClassVar = "exactdice.games.risk.reports:battle_report"

    attackers: int
    defenders: int
    units: Units
    rules: Rules
    value: mpq
    run: Run = field(default=DEFAULT, repr=False, compare=False)

    def __str__(self) -> str:
        return (
            f"{self.attackers} {self.units} units beat {self.defenders} with probability "
            f"{brief(self.value)}"
        )

    @property
    def _fighting(self) -> int:
        return fighting_units(self.attackers, self.units)

    @cached_property
    def _left(self) -> Distribution[tuple[int, int]]:
        return conquest(Distribution({self._fighting: 1}), self.defenders, self.rules)

    @cached_property
    def survivors(self) -> Distribution[tuple[int, int]]:
        """Joint distribution of the armies that are left, (attackers, defenders)."""
        return self._left.map(lambda left: (shown_units(left[0], self.units), left[1]))

    @property
    def expected_attacker_losses(self) -> mpq:
        """Expected number of units that the attacker loses."""
        return self._fighting - self._left.expectation(lambda left: left[0])

    @property
    def expected_defender_losses(self) -> mpq:
        """Expected number of units that the defender loses."""
        return self.defenders - self._left.expectation(lambda left: left[1])

    @cached_property
    def rounds(self) -> Distribution[int]:
        """Distribution of the number of rounds until the battle is over.

        Forward by rounds: after r of them every chance is an integer over Q^r, with Q the least
        common denominator of all rounds. O(rounds) layers of O(attackers) states each.
        """
        rules = self.rules
        common = mpz(rules.attacker_sides) ** rules.attacker_dice
        common *= mpz(rules.defender_sides) ** rules.defender_dice
        if rules.is_over(self._fighting, self.defenders):
            return Distribution({0: 1})
        layer = {(self._fighting, self.defenders): mpz(1)}
        ended: list[mpz] = []
        while layer:
            self.run.tell("rounds", len(ended))
            following: dict[tuple[int, int], mpz] = {}
            finished = mpz(0)
            for (a, d), mass in layer.items():
                losses = round_losses(*rules.dice_rolled(a, d), rules)
                scaled = mass * (common // losses.denominator)
                for (i, j), weight in losses.items():
                    if rules.is_over(a - i, d - j):
                        finished += weight * scaled
                    else:
                        state = (a - i, d - j)
                        following[state] = following.get(state, 0) + weight * scaled
            ended.append(finished)
            layer = following
        masses, last = enumerate(ended, start=1), len(ended)
        return Distribution({r: int(mass * common ** (last - r)) for r, mass in masses if mass})


def solve(
    attackers: int,
    defenders: int,
    units: Units | str = Units.TOTAL,
    rules: Rules = STANDARD,
    run: Run = DEFAULT,
) -> Battle:
    """Solve a battle by the recursion backward; its laws are computed when they are asked for.

    Parameters and errors are those of `win_probability`.

    Examples
    --------
    >>> small = solve(2, 1)
    >>> small.survivors
    Distribution({(1, 1): 7, (2, 0): 5})
    >>> small.expected_attacker_losses, small.rounds.mean()
    (mpq(7,12), mpq(1,1))
    >>> print(solve(4, 2))
    4 total units beat 2 with probability 0.6559539998
    """
    value = win_probability(attackers, defenders, units, rules, run)
    return Battle(
        natural(attackers, "attackers"),
        natural(defenders, "defenders", least=1),
        Units(units),
        rules,
        value,
        run,
    )


def require_grid(
    kept_states: int, attackers: int, defenders: int, rules: Rules, run: Run = DEFAULT
) -> None:
    """Refuse, by TooLargeError, a computation over a grid of armies that would keep too much."""
    needed = memory_estimate(kept_states, attackers + defenders, rules)
    run.require(needed, f"{text(attackers)} against {text(defenders)}")


def nanoseconds(
    attackers: int, defenders: int, rules: Rules = STANDARD, *, reduced: bool = False
) -> int:
    """Estimate the time of the recursion over a grid of armies.

    A product takes 200 ns and 0.7 ns a word of 64 bits, numbers being half as long as the longest
    on average; a fraction takes 8 µs and 3 ns for each square of a word (measured on armies of 100
    to 600 units a side, and on one unit against 40000).
    """
    products = min(attackers, rules.attacker_dice, rules.defender_dice) + 1
    words = (attackers + defenders) * unit_factor(rules).bit_length() // 128
    of_state = products * (200 + words * 7 // 10)
    of_fraction = 8000 + 3 * words**2 if reduced else 0
    return attackers * defenders * (of_state + of_fraction)


def memory_estimate(kept_states: int, armies: int, rules: Rules = STANDARD) -> int:
    """Estimate the bytes that a computation over a grid of armies keeps at once.

    >>> memory_estimate(3 * 1000, 2000) < 10**7
    True
    """
    longest = armies * unit_factor(rules).bit_length()
    return stored_bytes(kept_states, longest)
