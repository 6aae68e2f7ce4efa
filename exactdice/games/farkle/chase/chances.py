r"""The best chance to reach a target within this turn, or within k turns.

:math:`C_k(r)`, the best chance to gather :math:`r` points in at most :math:`k` turns, is 1 for
:math:`r \le 0` and 0 for :math:`k = 0 < r`. In a turn, banking :math:`P` points leaves
:math:`C_{k-1}(r - P)` and a bust leaves :math:`C_{k-1}(r + \text{penalty})`: a turn with other
payoffs than points, solved by the same sweep. With one turn left nothing short of the target is
worth banking.

Where every third bust in a row costs points, the busts in a row belong to the state: banking makes
them 0, and a bust one more.
"""

from dataclasses import replace
from itertools import product

from exactdice.arithmetic import RationalLike, mpq, mpz, natural
from exactdice.errors import InputError, Unquoted
from exactdice.games.farkle.rules.dice_sets import DiceSet, parse_dice
from exactdice.games.farkle.rules.menus import menus_of, require_sweep
from exactdice.games.farkle.rules.rule_set import STREAK, RuleSet
from exactdice.games.farkle.rules.tables import KCD
from exactdice.games.farkle.turn.exact import SIX_FAIR
from exactdice.games.farkle.turn.scaled import Scaled, TurnPayoff
from exactdice.games.farkle.turn.sweep import TurnSweep
from exactdice.memory import stored_bytes
from exactdice.run import DEFAULT, Run


class BestChance:
    """The play that maximises the chance to reach the target of the rules within k turns."""

    def __init__(
        self, dice: DiceSet | str = SIX_FAIR, rules: RuleSet = KCD, run: Run = DEFAULT
    ) -> None:
        self.dice = parse_dice(dice, most=rules.dice) if isinstance(dice, str) else dice
        if rules.target is None:
            raise InputError("target", Unquoted("none"), "the points to reach")
        self.rules, self.target, self.run = rules, rules.target, run
        self._starts: dict[tuple[int, int, int], Scaled] = {}

    def chance(
        self,
        turns: RationalLike = 1,
        score: RationalLike = 0,
        points: RationalLike = 0,
        left: str | int | None = None,
        busts: int = 0,
    ) -> mpq:
        """Best chance to reach the target within this turn and the `turns` − 1 after it.

        `score` is banked, `points` are those of this turn so far, and `busts` those in a row before
        it, 0 to 2, not 0 only where they cost points; `left` is rolled now, as text, all dice by
        default.

        One sweep for each number of points that may still be needed and each turn; where busts in a
        row cost points, three.
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
        """How many numbers of busts in a row are told apart."""
        return STREAK if self.rules.streak_penalty else 1

    def _most_needed(self, needed: int, turns: int) -> int:
        """The most points that can be needed after some turns, as busts can add to them."""
        rules = self.rules
        fallen = min(rules.streak_penalty * turns, max(self.target + rules.floor - needed, 0))
        return needed + rules.penalty * turns + fallen

    def _prepare(self, turns: int, needed: int) -> None:
        """Find the chances of the turns that follow, the last first, so that nothing recurses."""
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
        """Solve the first of some turns, with some points needed and some busts in a row."""
        menus = menus_of(self.rules, self.dice, prune=True)
        run = replace(self.run, progress=None)  # of one sweep of many nobody hears
        return TurnSweep(menus, self._payoff(turns, needed, busts), run=run)

    def _payoff(self, turns: int, needed: int, busts: int) -> TurnPayoff:
        """What banking and busting are worth in the first of some turns."""
        rules = self.rules
        least = rules.least_to_bank(self.target - needed)
        end = max(needed, least)
        require_sweep(menus_of(rules, self.dice, prune=True), end, self.run)
        return TurnPayoff(
            levels=end // rules.unit,
            bank=[
                None if p < least else self._after(turns - 1, needed - p)
                for p in range(0, end + rules.highest_score, rules.unit)
            ],
            bust=self._after(
                turns - 1,
                needed + rules.fall(self.target - needed, busts),
                (busts + 1) % self._rows,
            ),
            nothing=self._after(turns - 1, needed, busts),
        )

    def _after(self, turns: int, needed: int, busts: int = 0) -> Scaled:
        """Best chance with some turns left, at the start of one."""
        if needed <= 0:
            return mpz(1), 0
        if turns == 0:
            return mpz(0), 0
        key = turns, needed, busts
        if key not in self._starts:
            self._starts[key] = self.sweep(*key).value(0, self.dice.full)
        return self._starts[key]
