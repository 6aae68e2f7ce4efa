r"""Exact solution of Risk battles to the end.

Let V(a, d) be the probability that a attackers beat d defenders, in fighting units. With w_k the
weight, out of q, of the round in which the attacker loses k of the m units at stake,

.. math:: V(a, d) = \frac1q \sum_{k=0}^{m} w_k V(a - k, d - m + k),
   \qquad V(a, 0) = 1, \quad V(a, d) = 0 \text{ for } a < \text{stop\_below}.

With one factor L for each unit (`exactdice.games.risk.rounds.unit_factor`) V(a, d)·L^(a + d) is an
integer. The recursion runs on these integers, and each fraction is reduced once.

There are two independent directions, which the tests compare: tables (`win_table`) use the
recursion above, backward from terminal states. A single probability and the distributions of
survivors and rounds (`win_probability`, `Battle`) are computed forward from the initial state.

Cost: a table takes O(a·d) products of an integer of O((a + d) log s) bits with a small one, and
keeps its fractions (`memory_estimate`). A single battle takes O(a + d) such products and keeps few
of them. As a model (`exactdice.models`), whose denominators are not known beforehand, a battle
takes much longer.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import lcm

from exactdice.arithmetic import brief, mpq, mpz, natural, text
from exactdice.dice import Distribution
from exactdice.games.risk.rounds import (
    Entry,
    entries,
    least_steady,
    round_losses,
    scaled_rounds,
    steady_weights,
    unit_factor,
)
from exactdice.games.risk.rules import STANDARD, RiskRules, Units, fighting_units, shown_units
from exactdice.memory import stored_bytes
from exactdice.report import Reported
from exactdice.run import DEFAULT, Run

# Backward: probability to win ----------------------------------------------------------------


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
        terms: list[tuple[mpz, list[mpz], int]] = []
        for a in range(rules.stop_below, attackers + 1):
            if a <= steady:
                # rows[-1] is the present row, used by rounds in which the defender loses nothing.
                terms = [(w, rows[-1 - killed], lost) for lost, killed, w in round_at(a, d)]
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
    """Yield each wanted probability, the smallest army that wins with it, and its probability.

    Armies have at most `most` fighting units; probabilities that none of them reaches are omitted.
    """
    (last,) = deque(winning_rows(most, defenders, rules, run), maxlen=1)
    factor = mpq(unit_factor(rules))
    chances = [scaled / factor ** (a + defenders) for a, scaled in enumerate(last)]
    for least in wanted:
        if (army := next((a for a, p in enumerate(chances) if p >= least), None)) is not None:
            yield least, army, chances[army]


@dataclass(frozen=True)
class WinTable(
    Reported, Mapping[tuple[int, int], mpq], by="exactdice.games.risk.reports:table_report"
):
    """Probabilities to win for every army up to a size, by (attackers, defenders) in `units`."""

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
        return shown_units(len(self.rows[0]), self.units), len(self.rows)

    @property
    def value(self) -> mpq:
        return self[self.largest]

    def even_armies(self) -> list[tuple[int, int, mpq, mpq | None]]:
        """List (defenders, least attackers for probability 1/2, probability, that of one fewer)."""
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
        return f"probabilities of up to {attackers} {self.units} units against up to {defenders}"


def win_table(
    attackers: int,
    defenders: int,
    units: Units | str = Units.TOTAL,
    rules: RiskRules = STANDARD,
    run: Run = DEFAULT,
) -> WinTable:
    """Return the probability to win for every army up to the given size.

    Parameters and errors are those of `solve`. Keeps `attackers`·`defenders` reduced fractions.

    Two fighting units win in the first round, or with one unit after losing the other:

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
    """Yield the terminal states, most units left first, with probability times L^(units lost)."""
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
    a = fighting_units(attackers, units)
    d = natural(defenders, "defenders", least=1)
    factor = mpz(unit_factor(rules))
    won, at = mpz(0), a + d  # won is the probability times L^(a + d - at)
    for left, facing, mass in fought_out(entries(a, d, rules), a + d, rules, run):
        if not facing:
            won, at = won * factor ** (at - left) + mass, left
    return mpq(won * factor**at, factor ** (a + d))


def conquest(
    army: Distribution[int], defenders: int, rules: RiskRules = STANDARD
) -> Distribution[tuple[int, int]]:
    """Return the distribution of the armies left after an army of random size has attacked."""
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
class Battle(Reported, by="exactdice.games.risk.reports:battle_report"):
    """A battle between given armies, with the distributions of its outcomes.

    `attackers`, counted in `units`, and `defenders` are the armies at the start; `value` is the
    probability that no defender is left. Distributions are computed on first use.
    """

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
        return self._left.map(lambda left: (shown_units(left[0], self.units), left[1]))

    @property
    def expected_attacker_losses(self) -> mpq:
        return self._fighting - self._left.expectation(lambda left: left[0])

    @property
    def expected_defender_losses(self) -> mpq:
        return self.defenders - self._left.expectation(lambda left: left[1])

    @cached_property
    def rounds(self) -> Distribution[int]:
        """Distribution of the number of rounds until the battle is over.

        After r rounds every probability is an integer over Q₁·…·Q_r, with Q_r the least common
        denominator of the possible rounds. O(rounds) layers of O(attackers) states each.
        """
        rules = self.rules
        if rules.is_over(self._fighting, self.defenders):
            return Distribution({0: 1})
        layer = {(self._fighting, self.defenders): mpz(1)}
        ended: list[tuple[mpz, int]] = []
        while layer:
            self.run.tell("rounds", len(ended))
            lost = {state: round_losses(*rules.dice_rolled(*state), rules) for state in layer}
            common = lcm(*{losses.denominator for losses in lost.values()})
            following: dict[tuple[int, int], mpz] = {}
            finished = mpz(0)
            for (a, d), mass in layer.items():
                scaled = mass * (common // lost[a, d].denominator)
                for (i, j), weight in lost[a, d].items():
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
    """Solve a battle.

    * `attackers`, `defenders`: the armies at the start, at least 1 fighting unit each.
    * `units`: whether `attackers` counts the unit that stays behind: ``total`` or ``fighting``.

    Raises InputError if an army is out of range.

    >>> small = solve(2, 1)
    >>> small.survivors
    Distribution({(1, 1): 7, (2, 0): 5})
    >>> small.expected_attacker_losses, small.rounds.mean()
    (mpq(7,12), mpq(1,1))
    >>> print(solve(4, 2))
    4 total units beat 2 with probability 0.6559539998
    """
    value = win_probability(attackers, defenders, units, rules, run)
    armies = natural(attackers, "attackers"), natural(defenders, "defenders", least=1)
    return Battle(*armies, Units(units), rules, value, run)


def require_grid(
    kept_states: int, attackers: int, defenders: int, rules: RiskRules, run: Run = DEFAULT
) -> None:
    needed = memory_estimate(kept_states, attackers + defenders, rules)
    run.require(needed, f"{text(attackers)} against {text(defenders)}")


def nanoseconds(
    attackers: int, defenders: int, rules: RiskRules = STANDARD, *, reduced: bool = False
) -> int:
    """Estimate the time of the backward recursion over a grid of armies.

    A product takes 200 ns and 0.7 ns per 64-bit word, for numbers half as long as the longest on
    average; a fraction takes 8 µs and 3 ns times the square of its words. Measured on armies of 100
    to 600 units a side, and on one unit against 40000.
    """
    products = min(attackers, rules.attacker_dice, rules.defender_dice) + 1
    words = (attackers + defenders) * unit_factor(rules).bit_length() // 128
    of_state = products * (200 + words * 7 // 10)
    of_fraction = 8000 + 3 * words**2 if reduced else 0
    return attackers * defenders * (of_state + of_fraction)


def states_kept(attackers: int, defenders: int, rules: RiskRules) -> int:
    """Return an upper bound of the number of states of one battle that are kept at once."""
    dice = rules.attacker_dice + rules.defender_dice
    near = 6 * dice**2
    return near if steady_weights(rules) is not None else near + dice * min(attackers, defenders)


def nanoseconds_of_one(attackers: int, defenders: int, rules: RiskRules) -> int:
    """Estimate the time of one battle.

    A product takes 400 ns, and for each 64-bit word 0.8 ns in the strips and 2.2 ns along the edges
    for each word of its small factor; on average numbers are half as long as the longest. Measured
    on 500 to 5000 units a side, with 2 to 10 dice, and on 1 against 50000.
    """
    least_a, least_d = least_steady(rules)
    m = min(attackers, defenders, rules.attacker_dice, least_d)
    bits = unit_factor(rules).bit_length()
    words = (attackers + defenders) * bits // 128 * (1 + m * bits // 64)
    edges, strips = 0, attackers * defenders
    if steady_weights(rules) is not None:
        if attackers >= least_a and defenders >= least_d:
            edges = 2 * m * (m + 1) * (attackers + defenders)
        few = min(attackers, rules.attacker_dice), min(defenders, least_d)
        strips = few[0] * defenders + few[1] * attackers
    return edges * (400 + words * 22 // 10) + strips * (m + 1) * (400 + words * 8 // 10)


def nanoseconds_of_rounds(attackers: int, defenders: int, rules: RiskRules = STANDARD) -> int:
    """Estimate the time of `Battle.rounds`: 7 times the recursion, measured on 100 to 400 units."""
    return 7 * nanoseconds(attackers, defenders, rules)


def memory_estimate(kept_states: int, armies: int, rules: RiskRules = STANDARD) -> int:
    return stored_bytes(kept_states, armies * unit_factor(rules).bit_length())
