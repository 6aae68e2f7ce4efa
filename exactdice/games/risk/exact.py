r"""Risk battles to the end, exactly.

Write V(a, d) for the chance that a attackers beat d defenders, in fighting units. With w_k the
weight, out of q, of the round in which the attacker loses k of the m units at stake,

.. math:: V(a, d) = \frac1q \sum_{k=0}^{m} w_k V(a - k, d - m + k),
   \qquad V(a, 0) = 1, \quad V(a, d) = 0 \text{ for } a < \text{stop\_below}.

With one factor L for each unit (`exactdice.games.risk.rounds.unit_factor`) V(a, d)·L^(a + d) is an
integer. The recursion runs on these integers; a fraction is reduced once, when it is asked for.

Two independent directions give the same numbers, and the tests hold them against each other: the
recursion above (`win_table`) works backward from the ends of a battle; a single chance, the law of
survivors and that of rounds (`win_probability`, `Battle`) push the starting state forward.

Cost: a table O(a·d) products of an integer of O((a + d) log s) bits with a small one, and it keeps
its fractions (`memory_estimate`). One chance and the law of survivors take O(a + d) such products
(`exactdice.games.risk.long_battle`). Written down as a model (`exactdice.models`) a battle takes
much longer, as a model knows no denominator beforehand.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import lcm
from typing import ClassVar

from exactdice.arithmetic import brief, mpq, mpz, natural, text
from exactdice.dice import Distribution
from exactdice.games.risk.long_battle import Entry, entries
from exactdice.games.risk.rounds import round_losses, scaled_rounds, unit_factor
from exactdice.games.risk.rules import STANDARD, RiskRules, Units, fighting_units, shown_units
from exactdice.memory import stored_bytes
from exactdice.report.notebook import Reported
from exactdice.run import DEFAULT, Run

# Backward: chance to win ---------------------------------------------------------------------


def winning_rows(
    attackers: int, defenders: int, rules: RiskRules = STANDARD, run: Run = DEFAULT
) -> Iterator[list[mpz]]:
    """Yield the rows d = 0, 1, … of V(a, d)·L^(a + d), each for a = 0 … attackers."""
    factor = mpz(unit_factor(rules))
    round_at = scaled_rounds(rules)
    rows = [[factor**a for a in range(attackers + 1)]]
    yield rows[0]
    reach = min(rules.attacker_dice, rules.defender_dice)
    for d in range(1, defenders + 1):
        run.tell("defenders", d - 1, defenders)
        current = [mpz(0)] * min(rules.stop_below, attackers + 1)
        rows = [*rows[-reach:], current]
        steady = max(rules.stop_below, rules.attacker_dice)
        for a in range(rules.stop_below, min(steady, attackers + 1)):
            won = (w * rows[-1 - killed][a - lost] for lost, killed, w in round_at(a, d))
            current.append(sum(won, mpz(0)))
        if attackers >= steady:
            # rows[-1] is the row being filled, which a round without a loss of the defender reads.
            terms = [(w, rows[-1 - killed], lost) for lost, killed, w in round_at(steady, d)]
            for a in range(steady, attackers + 1):
                total = mpz(0)
                for w, source, lost in terms:
                    total += w * source[a - lost]
                current.append(total)
        yield current


def least_armies(
    defenders: int,
    most: int,
    wanted: Iterable[mpq],
    rules: RiskRules = STANDARD,
    run: Run = DEFAULT,
) -> Iterator[tuple[mpq, int, mpq]]:
    """Yield each chance with the smallest army of at most so many units that has it, and its own.

    Armies are fighting units; a chance that none of them has is left out.

    >>> list(least_armies(1, 10, [mpq(1, 2)]))
    [(mpq(1,2), 2, mpq(1955,2592))]
    """
    (last,) = deque(winning_rows(most, defenders, rules, run), maxlen=1)
    factor = mpq(unit_factor(rules))
    chances = [scaled / factor ** (a + defenders) for a, scaled in enumerate(last)]
    for least in wanted:
        if (army := next((a for a, p in enumerate(chances) if p >= least), None)) is not None:
            yield least, army, chances[army]


@dataclass(frozen=True)
class WinTable(Reported, Mapping[tuple[int, int], mpq]):
    """Chances to win for every army up to a size, by (attackers, defenders) in the units given."""

    reported_by: ClassVar = "exactdice.games.risk.reports:table_report"

    units: Units
    rules: RiskRules
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
    rules: RiskRules = STANDARD,
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


# Forward: one battle --------------------------------------------------------------------------


def fought_out(
    entries: Iterable[Entry], units: int, rules: RiskRules, run: Run = DEFAULT
) -> Iterator[tuple[int, int, mpz]]:
    """Yield each ending of a battle and its chance times L^(units lost), from the most units left.

    The entries are states that the battle passes, such that it comes through one of them.
    """
    round_at = scaled_rounds(rules)
    layers: defaultdict[int, dict[int, mpz]] = defaultdict(dict)  # by units left, by attackers
    entering = iter(entries)
    entry = next(entering, None)
    for left in range(units, -1, -1):
        run.tell("units", units - left, units)
        layer = layers.pop(left, {})
        while entry and entry[0] == left:
            layer[entry[1]] = layer.get(entry[1], 0) + entry[2]
            entry = next(entering, None)
        for a, mass in layer.items():
            d = left - a
            if rules.is_over(a, d):
                yield a, d, mass
                continue
            for lost, killed, w in round_at(a, d):
                after = layers[left - lost - killed]
                after[a - lost] = after.get(a - lost, 0) + w * mass


def win_probability(
    attackers: int,
    defenders: int,
    units: Units | str = Units.TOTAL,
    rules: RiskRules = STANDARD,
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
    factor = mpz(unit_factor(rules))
    won, at = mpz(0), a + d  # won is the chance times L^(a + d - at)
    for left, facing, mass in fought_out(entries(a, d, rules), a + d, rules, run):
        if not facing:
            won, at = won * factor ** (at - left) + mass, left
    return mpq(won * factor**at, factor ** (a + d))


def conquest(
    army: Distribution[int], defenders: int, rules: RiskRules = STANDARD
) -> Distribution[tuple[int, int]]:
    """Distribution of who is left when an army of random size has attacked to the end.

    >>> conquest(Distribution({1: 1}), 1)
    Distribution({(0, 1): 7, (1, 0): 5})
    """
    factor = mpz(unit_factor(rules))
    largest = max(army)
    starts: Iterable[Entry] = entries(largest, defenders, rules)
    if len(army) > 1:
        starts = (
            (a + defenders, a, weight * factor ** (largest - a))
            for a, weight in sorted(army.items(), reverse=True)
        )
    ended = fought_out(starts, largest + defenders, rules)
    return Distribution({(a, d): int(mass * factor ** (a + d)) for a, d, mass in ended})


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
    rules: RiskRules
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

        Forward by rounds: after r of them every chance is an integer over Q₁·…·Q_r, with Q_r the
        least common denominator of the rounds that may come then: dice of one side may have unlike
        numbers of faces, and a law any weights. O(rounds) layers of O(attackers) states each.
        """
        rules = self.rules
        if rules.is_over(self._fighting, self.defenders):
            return Distribution({0: 1})
        layer = {(self._fighting, self.defenders): mpz(1)}
        ended: list[tuple[mpz, int]] = []
        while layer:
            self.run.tell("rounds", len(ended))
            laws = {state: round_losses(*rules.dice_rolled(*state), rules) for state in layer}
            common = lcm(*{law.denominator for law in laws.values()})
            following: dict[tuple[int, int], mpz] = {}
            finished = mpz(0)
            for (a, d), mass in layer.items():
                scaled = mass * (common // laws[a, d].denominator)
                for (i, j), weight in laws[a, d].items():
                    if rules.is_over(a - i, d - j):
                        finished += weight * scaled
                    else:
                        state = (a - i, d - j)
                        following[state] = following.get(state, 0) + weight * scaled
            ended.append((finished, common))
            layer = following
        weights, later = {}, mpz(1)
        for number, (finished, common) in reversed([*enumerate(ended, start=1)]):
            weights[number] = int(finished * later)
            later *= common
        return Distribution(weights)


def solve(
    attackers: int,
    defenders: int,
    units: Units | str = Units.TOTAL,
    rules: RiskRules = STANDARD,
    run: Run = DEFAULT,
) -> Battle:
    """Solve a battle; its laws are computed when they are asked for.

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
    kept_states: int, attackers: int, defenders: int, rules: RiskRules, run: Run = DEFAULT
) -> None:
    """Refuse, by TooLargeError, a computation over a grid of armies that would keep too much."""
    needed = memory_estimate(kept_states, attackers + defenders, rules)
    run.require(needed, f"{text(attackers)} against {text(defenders)}")


def nanoseconds(
    attackers: int, defenders: int, rules: RiskRules = STANDARD, *, reduced: bool = False
) -> int:
    """Estimate the time of the recursion backward over a grid of armies.

    A product takes 200 ns and 0.7 ns a word of 64 bits, numbers being half as long as the longest
    on average; a fraction takes 8 µs and 3 ns for each square of a word (measured on armies of 100
    to 600 units a side, and on one unit against 40000).
    """
    products = min(attackers, rules.attacker_dice, rules.defender_dice) + 1
    words = (attackers + defenders) * unit_factor(rules).bit_length() // 128
    of_state = products * (200 + words * 7 // 10)
    of_fraction = 8000 + 3 * words**2 if reduced else 0
    return attackers * defenders * (of_state + of_fraction)


def nanoseconds_of_rounds(attackers: int, defenders: int, rules: RiskRules = STANDARD) -> int:
    """Estimate the time of the law of rounds: 7 times the recursion, as measured on 100 to 400."""
    return 7 * nanoseconds(attackers, defenders, rules)


def memory_estimate(kept_states: int, armies: int, rules: RiskRules = STANDARD) -> int:
    """Estimate the bytes that a computation over a grid of armies keeps at once.

    >>> memory_estimate(3 * 1000, 2000) < 10**7
    True
    """
    longest = armies * unit_factor(rules).bit_length()
    return stored_bytes(kept_states, longest)
