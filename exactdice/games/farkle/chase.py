r"""Sequences of turns to a target, for a player who ignores opponents.

**Points.** A `TargetPlayer` who needs :math:`r` points maximises in each turn the expected value of
:math:`\min(\text{points of the turn}, r)`. The points needed, and the busts in a row if they cost
points, form a Markov chain that starts at the target and is absorbed at 0. The distribution of the
number of turns is exact. The probability to win a race is an infinite sum of products of such
probabilities; it is enclosed by running both chains on integers over :math:`2^{bits}`, rounded
down. Rounding only loses mass, so both results are lower bounds, and 1 minus their sum is the
width.

**Probability.** :math:`C_k(r)`, the highest probability to gather :math:`r` points in at most
:math:`k` turns, is 1 for :math:`r \le 0` and 0 for :math:`k = 0 < r`. Banking :math:`P` points
leaves :math:`C_{k-1}(r - P)` and a bust leaves :math:`C_{k-1}(r + \text{penalty})`: a turn with
other payoffs than points, solved by the same sweep.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from itertools import product

from exactdice.arithmetic import RationalLike, mpq, mpz, natural, text
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, TooLargeError, Unquoted
from exactdice.games.farkle.rules.dice_sets import DiceSet, parse_dice
from exactdice.games.farkle.rules.menus import menus_of, require_sweep, table_bytes
from exactdice.games.farkle.rules.rule_set import STREAK, RuleSet
from exactdice.games.farkle.rules.tables import KCD
from exactdice.games.farkle.turn.exact import SIX_FAIR, points_payoff
from exactdice.games.farkle.turn.forward import masses
from exactdice.games.farkle.turn.sweep import Base, Scaled, TurnPayoff, TurnSweep, powers
from exactdice.memory import stored_bytes
from exactdice.report import Reported
from exactdice.run import DEFAULT, Run

BITS = 256  #: precision of bounds
EXACT_DIGITS = 4000  #: probabilities with longer denominators are enclosed by default

_State = tuple[int, int]  # points needed, busts in a row

_TIME = 400  # ns for each menu and pair of levels, measured with six fair dice to 4000 and 8000
_MAX_TURNS = 100_000  # of a race

_Ends = tuple[dict[int, Scaled], Scaled, Scaled]
"""Masses of the units banked, of a bust, and of a turn that may not be banked."""


class TargetPlayer:
    """A player who maximises points in each turn on the way to the target of the rules."""

    def __init__(self, dice: DiceSet | str, rules: RuleSet = KCD, run: Run = DEFAULT) -> None:
        self.dice = parse_dice(dice, most=rules.dice) if isinstance(dice, str) else dice
        self.rules, self.target, self.run = rules, rules.required_target, run
        self.base = Base(self.dice.denominator)
        self._ends: dict[tuple[int, int], _Ends] = {}
        self._after_turn: dict[_State, dict[_State, Scaled]] = {}
        levels = (self.target + rules.floor) // rules.unit
        # A distribution for each number of points needed, over some 60 rolls a turn.
        bits = 60 * int(self.base.denominator.bit_length())
        run.require(stored_bytes(levels * levels // 2, bits), f"turns to {self.target} points")
        menus = sum(len(state.menus) for state in menus_of(rules, self.dice, prune=True).by_state)
        run.expect(_TIME * menus * levels**2, f"every turn to {self.target} points")
        self.quiet = replace(run, progress=None)

    def turn_sweep(self, needed: int, busts: int = 0) -> TurnSweep:
        score, rules = self.target - needed, self.rules
        menus, least = menus_of(rules, self.dice, prune=True), rules.least_to_bank(score)
        rules = rules.varied(minimum_bank=least, penalty=rules.fall(score, busts))
        payoff = points_payoff(rules, max(needed, least), cap=needed)
        return TurnSweep(menus, payoff, run=self.quiet)

    def after_turn(self, needed: int, busts: int = 0) -> dict[_State, Scaled]:
        state = needed, busts
        if state not in self._after_turn:
            rules = self.rules
            fall, row = rules.fall(self.target - needed, busts), (busts + 1) % STREAK
            if (needed, fall) not in self._ends:
                ends = masses(self.turn_sweep(needed, busts), 0, self.dice.full, self.run)
                self._ends[needed, fall] = ends.banked, ends.bust, ends.stranded
                levels = (self.target + rules.floor) // rules.unit
                self.run.tell("points needed", min(len(self._ends), levels), levels)
            banked, bust, stranded = self._ends[needed, fall]
            ends_in = [((needed + fall, row if rules.streak_penalty else 0), bust)]
            ends_in += [((max(needed - u * rules.unit, 0), 0), mass) for u, mass in banked.items()]
            terms: defaultdict[_State, defaultdict[int, mpz]] = defaultdict(powers)
            for after, (mass, power) in [*ends_in, (state, stranded)]:
                if mass:
                    terms[after][power] += mass
            self._after_turn[state] = {end: self.base.gather(terms[end]) for end in sorted(terms)}
        return self._after_turn[state]

    def needed_after(self, needed: int, busts: int = 0) -> dict[int, mpq]:
        chances: defaultdict[int, mpq] = defaultdict(mpq)
        for (after, _), mass in self.after_turn(needed, busts).items():
            chances[after] += self.base.rational(mass)
        return dict(chances)

    def cdf(self, turns: int, bits: int | None = None) -> list[Enclosure]:
        """Probability to have reached the target within 1, 2, …, `turns` turns.

        Exact, or with `bits` enclosed by multiples of 2**-bits. One sweep for each number of points
        needed, then one product of masses and distributions a turn; the digits of rationals grow in
        each turn by the number of rolls of the longest turn.
        """
        turns = natural(turns, "turns", least=1)
        if bits is not None:
            return self._enclosed_cdf(turns, natural(bits, "bits", least=8))
        reached = powers()
        masses_now: dict[_State, Scaled] = {(self.target, 0): (mpz(1), 0)}
        chances = []
        for _ in range(turns):
            terms: defaultdict[_State, defaultdict[int, mpz]] = defaultdict(powers)
            for state, (mass, exponent) in masses_now.items():
                for after, (number, more) in self.after_turn(*state).items():
                    of_after = reached if after[0] == 0 else terms[after]
                    of_after[exponent + more] += mass * number
            masses_now = {state: self.base.gather(terms[state]) for state in terms}
            total = self.base.gather(reached)
            reached = defaultdict(mpz, {total[1]: total[0]})
            chances.append(Enclosure.of(self.base.rational(total)))
        return chances

    def exact_digits(self, turns: int) -> int:
        exponent = max(power for _, power in self.after_turn(self.target).values())
        return len(text(self.base.denominator)) * exponent * turns

    def _enclosed_cdf(self, turns: int, bits: int) -> list[Enclosure]:
        one = mpz(1) << bits
        self.run.require(stored_bytes(turns, 8 * bits), f"{turns} turns")
        exactly, more_than = self.floored_turns(bits, turns)
        bounds, reached = [], 0
        for turn in range(turns):
            if turn < len(exactly):  # later all mass has been rounded away
                reached += exactly[turn]
            left = more_than[turn + 1] if turn + 1 < len(more_than) else 0
            bounds.append(Enclosure(mpq(reached, one), 1 - mpq(left, one)))
        return bounds

    @property
    def can_reach(self) -> bool:
        return any(after < self.target for after in self.needed_after(self.target))

    def all_turns(self, bits: int) -> tuple[list[int], list[int]]:
        if not self.can_reach:
            raise InputError("dice", Unquoted(str(self.dice)), "dice that can reach the target")
        exactly, more_than = self.floored_turns(bits, _MAX_TURNS)
        if more_than[-1]:
            raise TooLargeError(
                f"reaching {self.target} points with {self.dice} can take more than "
                f"{_MAX_TURNS} turns; use dice that score more often, or a lower target"
            )
        return exactly, more_than

    def expected_turns(self, bits: int = BITS) -> Enclosure:
        """Bounds on the expected number of turns: the sum of the probabilities to need more than n.

        Mass lost by rounding needs at most ``levels / (1 − s)`` further turns on average, where s
        is the largest probability that a turn scores nothing: every other turn scores at least one
        level. If busts in a row cost points, ``levels`` turns in a row all score with a probability
        of at least ``(1 − s)^levels``, which replaces 1 − s; `bits` then are the remaining
        precision.
        """
        if self.rules.penalty:
            raise InputError("penalty", self.rules.penalty, "no penalty: turns then have no bound")
        bits = natural(bits, "bits", least=8)
        levels, rate = (self.target + self.rules.floor) // self.rules.unit, mpq(0)
        if self.rules.streak_penalty:
            rate = self._least_scoring() ** levels
            bits += int(1 / rate).bit_length()
        exactly, more_than = self.all_turns(bits)
        rate = rate or self._least_scoring()
        reached = upper = 0
        for turn in exactly:
            upper += (1 << bits) - reached
            reached += turn
        one = mpz(1) << bits
        lost = mpq((1 << bits) - reached, one)
        return Enclosure(mpq(sum(more_than), one), mpq(upper, one) + lost * levels / rate)

    def _least_scoring(self) -> mpq:
        if not self.can_reach:
            raise InputError("dice", Unquoted(str(self.dice)), "dice that can reach the target")
        if self.rules.streak_penalty:  # not all of them come in every race
            unit, most = self.rules.unit, self.target + self.rules.floor
            states = {(needed, busts) for needed in range(unit, most + 1, unit) for busts in (0, 2)}
        else:
            states = set(self._after_turn)
        return min(
            sum((c for after, c in self.needed_after(*state).items() if after < state[0]), mpq(0))
            for state in states
        )

    def floored_turns(self, bits: int, most: int) -> tuple[list[int], list[int]]:
        """Lower bounds, times 2**bits, on needing exactly 1, 2, … and more than 0, 1, … turns."""
        rounded: dict[_State, list[tuple[_State, int]]] = {}
        now = {(self.target, 0): 1 << bits}
        exactly, more_than = list[int](), list[int]()
        while now and len(exactly) < most:
            more_than.append(sum(now.values()))
            after_turn = Counter[_State]()
            for state, mass in now.items():
                if state not in rounded:
                    ends = self.after_turn(*state).items()
                    rounded[state] = [(after, self.base.floor(m, bits)) for after, m in ends]
                for after, chance in rounded[state]:
                    after_turn[after] += mass * chance >> bits
            exactly.append(after_turn.pop((0, 0), 0))
            now = {state: mass for state, mass in after_turn.items() if mass}
        more_than.append(sum(now.values()))
        return exactly, more_than


def race(
    first: DiceSet | str,
    second: DiceSet | str,
    rules: RuleSet = KCD,
    run: Run = DEFAULT,
    *,
    bits: int = BITS,
    second_rules: RuleSet | None = None,
) -> Enclosure:
    """Enclose the probability that the first of two `TargetPlayer` players wins.

    The players alternate, the first begins, and neither looks at the other's points. The first wins
    with at most as many turns as the second. `first` and `second` are dice or their text;
    `second_rules` are the rules of the second player, if they differ. `run` has limits and reports
    progress; the width is about 2**-`bits` times the number of turns and of points.

    Raises InputError if a bust has a penalty (the points needed then have no bound), or if dice
    never score; TooLargeError if a player can take more than a hundred thousand turns.

    >>> chance = race("fair*6", "fair*6", KCD.varied(target=50))
    >>> chance.lower <= mpq(162, 167) <= chance.upper, chance.width < mpq(1, 10**60)
    (True, True)
    """
    theirs = rules if second_rules is None else second_rules
    if penalty := max(rules.penalty, theirs.penalty):
        raise InputError("penalty", penalty, "no penalty in a race")
    bits = natural(bits, "bits", least=8)
    one = mpz(1) << 2 * bits
    first_exactly, first_more = TargetPlayer(first, rules, run).all_turns(bits)
    second_exactly, second_more = TargetPlayer(second, theirs, run).all_turns(bits)
    # Turn k of the first counts if the second needs more than k − 1 turns; turn k of the second
    # if the first needs more than k.
    first_wins = sum(e * m for e, m in zip(first_exactly, second_more, strict=False))
    second_wins = sum(e * m for e, m in zip(second_exactly, first_more[1:], strict=False))
    return Enclosure(mpq(first_wins, one), 1 - mpq(second_wins, one))


@dataclass(frozen=True)
class TurnCounts(Reported, by="exactdice.games.farkle.reports:turns_report"):
    """The number of turns that a `TargetPlayer` needs.

    `cdf` bounds the probability to have reached the target within 1, 2, … turns, with equal ends if
    exact; `expected` the mean, None if it has no bound or the target is never reached.
    """

    dice: DiceSet
    rules: RuleSet
    cdf: tuple[Enclosure, ...]
    expected: Enclosure | None

    @property
    def value(self) -> Enclosure | None:
        return self.expected


def turn_counts(
    dice: DiceSet | str,
    rules: RuleSet = KCD,
    turns: int = 20,
    run: Run = DEFAULT,
    *,
    exact: bool = False,
) -> TurnCounts:
    """Find the distribution of the number of turns, exact up to `EXACT_DIGITS` or with `exact`."""
    player = TargetPlayer(dice, rules, run)
    digits = player.exact_digits(turns)
    is_exact = exact or digits <= EXACT_DIGITS
    # A row has two fractions. Exact ones grow linearly, to half of the last digits on average, and
    # have as many digits in the numerator as in the denominator.
    of_fraction = digits if is_exact else BITS * 3 // 5
    run.require(table_bytes(turns, 2 * of_fraction), f"{turns} turns")
    cdf = player.cdf(turns, None if is_exact else BITS)
    has_mean = not rules.penalty and player.can_reach  # with a penalty turns have no bound
    expected = player.expected_turns() if has_mean else None
    return TurnCounts(player.dice, rules, tuple(cdf), expected)


class BestChance:
    """Play that maximises the probability to reach the target of the rules within k turns."""

    def __init__(
        self, dice: DiceSet | str = SIX_FAIR, rules: RuleSet = KCD, run: Run = DEFAULT
    ) -> None:
        self.dice = parse_dice(dice, most=rules.dice) if isinstance(dice, str) else dice
        self.rules, self.target, self.run = rules, rules.required_target, run
        self._starts: dict[tuple[int, int, int], Scaled] = {}

    def chance(
        self,
        turns: RationalLike = 1,
        score: RationalLike = 0,
        points: RationalLike = 0,
        left: str | int | None = None,
        busts: int = 0,
    ) -> mpq:
        """Highest probability to reach the target within this turn and the `turns` − 1 after it.

        `score` is banked, `points` belong to this turn, and `busts` in a row came before it; `left`
        is rolled now, all dice by default. One sweep for each turn and number of points needed;
        three if busts in a row cost points.
        """
        number = natural(turns, "turns", least=1)
        banked = self.rules.whole_points(score, "score")
        at_stake = self.rules.whole_points(points, "points")
        if banked + at_stake >= self.target:
            raise InputError("points", banked + at_stake, f"a sum below {self.target}")
        state = self.dice.full if left is None else self.dice.parse_state(str(left))
        row = natural(busts, "busts", most=self._rows - 1)
        needed = self.target - banked
        self._prepare(number - 1, needed)
        sweep = self.sweep(number, needed, row)
        return sweep.base.rational(sweep.value(at_stake // self.rules.unit, state))

    @property
    def _rows(self) -> int:
        return STREAK if self.rules.streak_penalty else 1

    def _most_needed(self, needed: int, turns: int) -> int:
        rules = self.rules
        fallen = min(rules.streak_penalty * turns, max(self.target + rules.floor - needed, 0))
        return needed + rules.penalty * turns + fallen

    def _prepare(self, turns: int, needed: int) -> None:
        """Solve the following turns, the last first, to avoid recursion."""
        unit, rows = self.rules.unit, range(self._rows)
        starts = len(rows) * turns * self._most_needed(needed, turns) // unit
        bits = 60 * turns * self.dice.denominator.bit_length()
        self.run.require(stored_bytes(starts, bits), f"{turns + 1} turns to {needed}")
        for later in range(1, turns + 1):
            self.run.tell("turns", later - 1, turns)
            most = self._most_needed(needed, turns + 1 - later)
            for short, row in product(range(unit, most + 1, unit), rows):
                self._after(later, short, row)

    def sweep(self, turns: int, needed: int, busts: int = 0) -> TurnSweep:
        menus = menus_of(self.rules, self.dice, prune=True)
        run = replace(self.run, progress=None)
        return TurnSweep(menus, self._payoff(turns, needed, busts), run=run)

    def _payoff(self, turns: int, needed: int, busts: int) -> TurnPayoff:
        rules = self.rules
        least = rules.least_to_bank(self.target - needed)
        end = max(needed, least)
        require_sweep(menus_of(rules, self.dice, prune=True), end, self.run)
        points = range(0, end + rules.highest_score, rules.unit)
        bank = [None if p < least else self._after(turns - 1, needed - p) for p in points]
        fallen = needed + rules.fall(self.target - needed, busts)
        bust = self._after(turns - 1, fallen, (busts + 1) % self._rows)
        nothing = self._after(turns - 1, needed, busts)
        return TurnPayoff(end // rules.unit, bank, bust, nothing=nothing)

    def _after(self, turns: int, needed: int, busts: int = 0) -> Scaled:
        if needed <= 0:
            return mpz(1), 0
        if turns == 0:
            return mpz(0), 0
        key = turns, needed, busts
        if key not in self._starts:
            self._starts[key] = self.sweep(*key).value(0, self.dice.full)
        return self._starts[key]
