"""Value and optimal strategies of a game with hidden information; bounds from any strategies.

A *strategy* gives the probability of each action in each information set. Its *guarantee* is its
payoff against a best response, computed exactly in one pass over the sequences. So a strategy of
each player, whatever its source, bounds the value: from below by the first player's guarantee, from
above by the second's. If the two agree, both strategies are optimal and the value is exact (von
Neumann). `equilibrium` finds strategies in floating point (`exactdice.hidden.guesses`) and computes
their guarantees exactly.

`all_equilibria` decides which actions any optimal strategy uses. The optimal plans of a player are
a polytope. There are optimal plans x and y in which each sequence has either a weight in the one or
a loss against the other, at its last step or before (strict complementarity, Goldman and Tucker
1956). Such a pair is a mean of vertices found by linear programs over the polytope, each proved
optimal. It gives the dimension too: x may move along directions that keep its equations, avoid
sequences with a loss, and keep the other player's used sequences at no loss.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from exactdice.arithmetic import RationalLike, brief, lcm, mpq, rational, text
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, TooLargeError
from exactdice.hidden.dealt import DealtGame
from exactdice.hidden.game import HiddenGame
from exactdice.hidden.guesses import Program, by_regrets, numbered, whole_matrix
from exactdice.hidden.sequences import Array, RealizationPlan, SequenceForm, Strategy, integers
from exactdice.run import DEFAULT, Run

Hidden: TypeAlias = "HiddenGame[Any] | DealtGame[Any] | SequenceForm"

# Bytes and nanoseconds of the linear program for each entry; measured up to 5·10⁶ entries.
_LP_BYTES, _LP_TIME = 400, 70_000
_MOST_FOR_LP = 6_000_000  # not tried beyond
_ROUND_BYTES = 80  # of regret matching, for each payoff and sequence
_ROUNDS = 1 << 16


@dataclass(frozen=True, eq=False)
class ValueBounds:
    """Plans of both players, and the bounds that they prove on the value.

    `lower` is the guarantee of the first player's plan, `upper` that of the second's; `form` is the
    game, and `method` is how the plans were found.

    >>> from exactdice.models import Both, End, HiddenGame, equilibrium
    >>> paid = {("h", "h"): 2, ("h", "t"): 0, ("t", "h"): 0, ("t", "t"): 1}
    >>> pennies = Both({pair: End(payoff) for pair, payoff in paid.items()})
    >>> best = equilibrium(HiddenGame("start", lambda s: pennies, lambda s: ("", "")))
    >>> best.value, best.strategy(1)
    (Enclosure(mpq(2,3)), {'': {'h': mpq(1,3), 't': mpq(2,3)}})
    """

    lower: mpq
    upper: mpq
    form: SequenceForm
    plans: tuple[RealizationPlan, RealizationPlan]
    method: str

    @property
    def is_exact(self) -> bool:
        """Whether the bounds agree, so that both plans are optimal."""
        return bool(self.lower == self.upper)

    @property
    def value(self) -> Enclosure:
        """The value of the game for the first player, between the bounds."""
        return Enclosure(self.lower, self.upper)

    def strategy(self, player: int) -> dict[Any, dict[Any, mpq]]:
        """Probability of each action that a plan allows, by the knowledge of the player, 1 or 2."""
        plan = self.plans[_place(player)]
        chances = ((known, plan.behaviour(i)) for i, known in enumerate(plan.side.known))
        return {known: mixed for known, mixed in chances if mixed}

    def losses(self, player: int) -> Iterator[tuple[Any, dict[Any, mpq]]]:
        """Yield the loss of each action against the other's plan, by the knowledge of a player.

        It is weighted with the probability that the other player and the dice let the node be
        reached. `player` is 1 or 2. If the value is exact, an action with a positive loss has
        probability 0 in every equilibrium in which the player reaches the node.
        """
        side, other = self.form.sides[_place(player)], self.plans[2 - player]
        _, returns, values = self.form.reply(player, other)
        whole = self.form.denominator * other.scale
        for place, known in enumerate(side.known):
            low, high = side.first[place : place + 2]
            lost = [mpq(int(values[place] - brought), whole) for brought in returns[low:high]]
            yield known, dict(zip(side.actions[place], lost, strict=True))

    def certificate(self) -> Iterator[str]:
        """Yield the lines of a file from which ``proofs/equilibrium_check.py`` proves the bounds.

        There is one line for each information set, sequence and payoff of the sequence form.
        """
        form, scales = self.form, [plan.scale for plan in self.plans]
        yield "exactdice equilibrium 1"
        yield f"denominator {form.denominator}"
        yield f"payoffs {len(form.payoffs)}"
        yield f"scales {scales[0]} {scales[1]}"
        ends = self.lower * scales[0] * form.denominator, self.upper * scales[1] * form.denominator
        yield f"claims {text(ends[0])} {text(ends[1])}"
        for player, plan in enumerate(self.plans, 1):
            values = form.reply(player, self.plans[2 - player])[2]
            side, widths = plan.side, np.diff(plan.side.first)
            for parent, width, value in zip(side.parent, widths, values, strict=True):
                yield f"set {player} {parent} {width} {value}"
            yield from (f"weight {player} {weight}" for weight in plan.weights)
        for row, column, payoff in zip(form.rows, form.columns, form.payoffs, strict=True):
            yield f"payoff {row} {column} {payoff}"

    def certificate_text(self) -> str:
        """Return the file of `certificate`."""
        return "".join(f"{line}\n" for line in self.certificate())

    def __repr__(self) -> str:
        known = text(self.lower) if self.is_exact else f"{brief(self.lower)} to {brief(self.upper)}"
        return f"ValueBounds({known}, by {self.method})"


def _place(player: int) -> int:
    if player not in (1, 2):
        raise InputError("player", player, "1 or 2")
    return player - 1


def _form(game: Hidden, run: Run) -> SequenceForm:
    if isinstance(game, SequenceForm):
        return game
    if isinstance(game, HiddenGame | DealtGame):
        return game.sequence_form(run)
    raise InputError("game", game, "a HiddenGame, a DealtGame or a SequenceForm")


def settled(
    form: SequenceForm, plans: tuple[RealizationPlan, RealizationPlan], method: str
) -> ValueBounds:
    if not all(plan.side.is_plan(plan.weights) for plan in plans):
        raise AssertionError("the weights of each set sum to its parent's")
    upper, lower = form.reply(1, plans[1])[0], form.reply(2, plans[0])[0]
    return ValueBounds(lower, upper, form, plans, method)


def equilibrium(
    game: Hidden, *, width: "RationalLike | None" = None, run: Run = DEFAULT
) -> ValueBounds:
    """Find the value and optimal strategies of a game, or of its sequence form.

    Bounds are exact, or with a `width` no further apart than that. `run` limits the memory, and
    reports the expected time. Raises TooLargeError if no exact strategies were found, or none
    within the width after 65536 rounds, with the best bounds; MissingExtraError without the extra
    ``hidden``.

    From 25 to 70 µs for each payoff and for four times each sequence, up to 6·10⁶ of them. Larger
    games only get bounds, by regret matching: 0.3 ns a round for each at liar's dice, where some
    1000 rounds lead to a width of 10⁻⁴.
    """
    wanted = None if width is None else rational(width, "width")
    if wanted is not None and wanted <= 0:
        raise InputError("width", width, "a number above 0")
    form = _form(game, run)
    entries = len(form.payoffs) + 4 * sum(side.sequences for side in form.sides)
    if entries > _MOST_FOR_LP:
        if wanted is None:
            raise TooLargeError(
                f"game: {form} is too large for exact strategies; use a width, such as 1/10000"
            )
        return _by_regrets(form, wanted, run)
    run.require(_LP_BYTES * entries, "the linear program")
    run.expect(_LP_TIME * entries, "the linear program")
    program = Program(form)
    one = program.plan(1)
    two = program.plan(2) if one else None
    if one and two:
        best = settled(form, (one, two), "linear program, exactly")
    else:
        best = settled(form, program.near(), "doubles")
    if wanted is None and not best.is_exact:
        raise _apart(best)
    if wanted is not None and best.upper - best.lower > wanted:
        return _by_regrets(form, wanted, run)
    return best


def _by_regrets(form: SequenceForm, wanted: mpq, run: Run) -> ValueBounds:
    size = len(form.payoffs) + sum(side.sequences for side in form.sides)
    run.require(_ROUND_BYTES * size, "regret matching")
    play, rounds, more = by_regrets(form), 0, 64
    best: ValueBounds | None = None
    while True:
        rounds += more
        latest = settled(form, play(more), f"regret matching, {rounds} rounds")
        best = _better(latest, best) if best else latest
        run.tell("rounds", rounds)
        width = best.upper - best.lower
        if width <= wanted:
            return best
        if rounds >= _ROUNDS:
            raise _apart(best)
        # Twice the rounds narrow the bounds about fivefold.
        more = rounds if width > 8 * wanted else rounds // 4


def _better(one: ValueBounds, other: ValueBounds) -> ValueBounds:
    first = one if one.lower >= other.lower else other
    second = one if one.upper <= other.upper else other
    plans = first.plans[0], second.plans[1]
    return ValueBounds(first.lower, second.upper, one.form, plans, one.method)


def _apart(best: ValueBounds) -> TooLargeError:
    return TooLargeError(
        "game: no strategies found within the width, the value is between "
        f"{brief(best.lower)} and {brief(best.upper)}; use a wider width"
    )


@dataclass(frozen=True, eq=False)
class GuaranteedValue:
    """The guarantee of a strategy, and the best response that holds it there."""

    value: mpq  # to the first player
    reply: dict[Any, Any]  # an action for each information set of the other player


def guarantee(
    game: Hidden,
    player: int,
    strategy: Strategy,
    *,
    tolerance: RationalLike = 0,
    run: Run = DEFAULT,
) -> GuaranteedValue:
    """Compute the guarantee of a strategy: its exact payoff against a best response.

    `game` is a game or its sequence form, `player` is 1 or 2. The strategy gives the probability of
    each action by the knowledge of the player; missing actions have probability 0, and information
    sets that the strategy itself avoids may be missing. Sums may differ from 1 by a `tolerance`,
    for rounded decimals; they are then normalised. `run` limits the memory. The result is the first
    player's payoff; its distance from the value of the game is the exploitability of the strategy.

    Raises InputError for unknown knowledge, or probabilities that do not sum to 1.

    >>> from exactdice.models import Both, End, HiddenGame
    >>> paid = {("h", "h"): 2, ("h", "t"): 0, ("t", "h"): 0, ("t", "t"): 1}
    >>> pennies = Both({pair: End(payoff) for pair, payoff in paid.items()})
    >>> game = HiddenGame("start", lambda s: pennies, lambda s: ("", ""))
    >>> guarantee(game, 1, {"": {"h": "1/2", "t": "1/2"}})
    GuaranteedValue(value=mpq(1,2), reply={'': 't'})
    """
    form = _form(game, run)
    plan = RealizationPlan.of(form.sides[_place(player)], strategy, tolerance)
    value, returns, values = form.reply(3 - player, plan)
    side, reply = form.sides[2 - player], {}
    for place, known in enumerate(side.known):
        low, high = side.first[place : place + 2]
        best = next(i for i in range(low, high) if returns[i] == values[place])
        reply[known] = side.actions[place][best - low]
    return GuaranteedValue(value, reply)


def value_bounds(
    game: Hidden,
    first: Strategy,
    second: Strategy,
    *,
    tolerance: RationalLike = 0,
    run: Run = DEFAULT,
) -> ValueBounds:
    """Bound the value by a strategy of each player, whatever their source.

    Parameters are as in `guarantee`.

    >>> from exactdice.models import Both, End, HiddenGame
    >>> paid = {("h", "h"): 2, ("h", "t"): 0, ("t", "h"): 0, ("t", "t"): 1}
    >>> pennies = Both({pair: End(payoff) for pair, payoff in paid.items()})
    >>> game = HiddenGame("start", lambda s: pennies, lambda s: ("", ""))
    >>> half = {"": {"h": "1/2", "t": "1/2"}}
    >>> value_bounds(game, half, half).value
    Enclosure(lower=mpq(1,2), upper=mpq(1,1))
    """
    form = _form(game, run)
    one, two = form.sides
    plans = RealizationPlan.of(one, first, tolerance), RealizationPlan.of(two, second, tolerance)
    return settled(form, plans, "strategies that were given")


_MOST_UNKNOWNS = 4000  # of a dense matrix


def all_equilibria(best: ValueBounds, run: Run = DEFAULT) -> ValueBounds:
    """Find optimal plans that use every action which any optimal plan uses.

    It starts from exact value bounds. In the result each action either has a positive probability
    or is avoided by every optimal plan: it, or an action that leads to it, has a loss in
    `ValueBounds.losses`. `run` reports how many sequences are still undecided. Raises InputError if
    the value bounds are not exact; TooLargeError if double precision does not lead to plans that
    decide all. It solves a linear program, restarted from its last solution, for some undecided
    sequences at a time.

    The player who names the higher number wins the number that the other named:

    >>> from exactdice.models import Both, End, HiddenGame, equilibrium
    >>> both = Both({(i, j): End((i > j) * j - (j > i) * i) for i in range(3) for j in range(3)})
    >>> whole = all_equilibria(equilibrium(HiddenGame(0, lambda s: both, lambda s: ("", ""))))
    >>> {action: str(chance) for action, chance in whole.strategy(1)[""].items()}
    {0: '1/2', 1: '0', 2: '1/2'}
    """
    _ = best.value.exact  # raises InputError for bounds
    plans, programs = [[plan] for plan in best.plans], {}
    while left := sum(map(len, undecided := _undecided(best))):
        run.tell("undecided sequences", left)
        for player, taken, lost in _aims(undecided):
            if player not in programs:
                programs[player] = Program(best.form.swapped() if player else best.form)
            program, replies = programs[player], np.flatnonzero(best.plans[1 - player].weights)
            program.keep_to(np.flatnonzero(_lost(best, player)), replies)
            program.prefer(taken, lost)
            plan = program.plan(1)
            if plan is None:
                continue
            tried = [*plans[player], plan]
            both = (_mean(tried), best.plans[1]) if player == 0 else (best.plans[0], _mean(tried))
            better = settled(best.form, both, "all best actions")
            if better.is_exact and sum(map(len, _undecided(better))) < left:
                best, plans[player] = better, tried
                break
        else:
            raise TooLargeError(
                f"game: {left} sequences stay undecided in double precision; use "
                "ValueBounds.losses, for a single equilibrium, instead"
            )
    return best


def _aims(undecided: list[Array]) -> Iterator[tuple[int, Array, Array]]:
    for player in (0, 1):
        yield player, undecided[player], undecided[1 - player]
    for player in (0, 1):
        for sequence in undecided[player]:
            yield player, np.array([sequence]), np.array([], dtype=np.int64)


def _lost(best: ValueBounds, player: int) -> Array:
    """The largest loss of a sequence, or of a step to it, against the other's plan."""
    side = best.form.sides[player]
    _, returns, values = best.form.reply(player + 1, best.plans[1 - player])
    lost = np.concatenate(([0], values[side.owner] - returns[1:]))
    for sets, sequences, _ in side.ranges():
        before = np.repeat(lost[side.parent[sets]], np.diff(side.first)[sets])
        lost[sequences] = np.maximum(lost[sequences], before)
    return lost


def _undecided(best: ValueBounds) -> list[Array]:
    return [np.flatnonzero((best.plans[p].weights == 0) & (_lost(best, p) == 0)) for p in (0, 1)]


def _mean(plans: list[RealizationPlan]) -> RealizationPlan:
    scale = int(lcm(1, *(plan.scale for plan in plans)))
    total = sum(plan.weights.astype(object) * (scale // int(plan.scale)) for plan in plans)
    return RealizationPlan(plans[0].side, integers(total // np.gcd.reduce(total)))


def equilibrium_dimension(best: ValueBounds, player: int, run: Run = DEFAULT) -> int:
    """Return the dimension of the set of optimal plans of a player, 1 or 2; 0 for a single one.

    `best` are exact value bounds, faster from `all_equilibria`. `run` limits the memory. Raises
    InputError if they are not exact; TooLargeError as in `all_equilibria`, and above 4000 unknown
    sequences and sets. It is the exact rank of an integer matrix by python-flint, cubic in its
    size.

    >>> from exactdice.models import Both, End, HiddenGame, equilibrium
    >>> both = Both({(i, j): End(0) for i in range(3) for j in range(2)})
    >>> best = equilibrium(HiddenGame(0, lambda s: both, lambda s: ("", "")))
    >>> equilibrium_dimension(best, 1), equilibrium_dimension(best, 2)
    (2, 1)
    """
    _place(player)
    best = all_equilibria(best, run)
    form = best.form if player == 1 else best.form.swapped()
    mine, other = best.plans[player - 1], best.plans[2 - player]
    one, two = form.sides
    reached = np.flatnonzero(np.concatenate(([1], other.weights[two.parent])))
    columns = np.concatenate((np.flatnonzero(mine.weights), one.sequences + reached))
    if len(columns) > _MOST_UNKNOWNS:
        raise TooLargeError(f"game: {len(columns)} unknowns are more than {_MOST_UNKNOWNS}")
    sets = len(one.parent) + 1
    rows = np.concatenate((np.arange(sets), sets + np.flatnonzero(other.weights)))
    run.require(100 * len(rows) * len(columns), "a matrix of the equations of optimal plans")
    part = numbered(form).tocsr()[rows][:, columns]
    return int(len(columns) - whole_matrix(form, part).rank())
