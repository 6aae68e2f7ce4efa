r"""What a game of hidden information is worth, and what any strategy in it is worth.

A *strategy* says for each information set how likely each action is. What it is sure of is what it
gets against the best reply, which is found exactly in one pass over the sequences. So strategies of
both players enclose the value between what the first is sure of and what the second lets through,
wherever they come from; where the two agree, both are best and the value is exact (von Neumann).

`equilibrium` finds strategies by floating-point guesses (`exactdice.hidden.guesses`), whose worth
is then reckoned so. Nothing that it says rests on them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from exactdice.arithmetic import RationalLike, brief, mpq, rational, text
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, TooLargeError
from exactdice.hidden.dealt import DealtGame
from exactdice.hidden.game import HiddenGame
from exactdice.hidden.guesses import Program, by_regrets
from exactdice.hidden.sequences import RealizationPlan, SequenceForm, Strategy
from exactdice.run import DEFAULT, Run

Hidden: TypeAlias = "HiddenGame[Any] | DealtGame[Any] | SequenceForm"

# Measured up to 5·10⁶ entries: bytes and nanoseconds of the linear program for each.
_LP_BYTES, _LP_TIME = 400, 70_000
_MOST_FOR_LP = 6_000_000  # beyond that it was not tried
_ROUND_BYTES = 80  # of regret matching, for each payoff and sequence
_ROUNDS = 1 << 16


@dataclass(frozen=True, eq=False)
class ValueBounds:
    """Plans of both players, and between what bounds they prove the value to lie.

    Parameters
    ----------
    lower
        What the first player's plan is sure of.
    upper
        What the second player's plan lets the first get at most.
    form
        The game.
    plans
        The plan of each player.
    method
        How the plans were found.

    Examples
    --------
    >>> from exactdice.models import Both, End, HiddenGame, equilibrium
    >>> paid = {("h", "h"): 2, ("h", "t"): 0, ("t", "h"): 0, ("t", "t"): 1}
    >>> pennies = Both({pair: End(payoff) for pair, payoff in paid.items()})
    >>> best = equilibrium(HiddenGame("start", lambda s: pennies, lambda s: ("", "")))
    >>> best.value, best.strategy(1)
    (mpq(2,3), {'': {'h': mpq(1,3), 't': mpq(2,3)}})
    """

    lower: mpq
    upper: mpq
    form: SequenceForm
    plans: tuple[RealizationPlan, RealizationPlan]
    method: str

    @property
    def is_exact(self) -> bool:
        """Whether the bounds agree, so that both plans are best."""
        return bool(self.lower == self.upper)

    @property
    def value(self) -> mpq | Enclosure:
        """The value of the game for the first player: a rational number where `is_exact`."""
        return self.enclosure().number

    def enclosure(self) -> Enclosure:
        """The value between its bounds."""
        return Enclosure(self.lower, self.upper)

    def strategy(self, player: int) -> dict[Any, dict[Any, mpq]]:
        """How likely each action is, for what a player can know and does not avoid.

        Parameters
        ----------
        player
            1 or 2.
        """
        plan = self.plans[_place(player)]
        chances = ((known, plan.behaviour(i)) for i, known in enumerate(plan.side.known))
        return {known: mixed for known, mixed in chances if mixed}

    def losses(self, player: int) -> Iterator[tuple[Any, dict[Any, mpq]]]:
        """What each action loses against the other's plan, weighted with the chance to come there.

        If the value is exact, an action with a loss above 0 has probability 0 in every equilibrium
        in which the player goes there: what is best alone or tied has loss 0.

        Parameters
        ----------
        player
            1 or 2.
        """
        side, other = self.form.sides[_place(player)], self.plans[2 - player]
        _, returns, values = self.form.reply(player, other)
        whole = self.form.denominator * other.scale
        for place, known in enumerate(side.known):
            low, high = side.first[place : place + 2]
            lost = [mpq(int(values[place] - brought), whole) for brought in returns[low:high]]
            yield known, dict(zip(side.actions[place], lost, strict=True))

    def certificate(self) -> Iterator[str]:
        """Lines of a file from which ``proofs/equilibrium_check.py`` proves the bounds.

        Notes
        -----
        One line for each information set, sequence and payoff of the sequence form.
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
        """The file of `certificate`."""
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
    """Reckon what two plans are worth."""
    if not all(plan.side.is_plan(plan.weights) for plan in plans):
        raise AssertionError("weights of a plan are shared out from set to set")
    upper, lower = form.reply(1, plans[1])[0], form.reply(2, plans[0])[0]
    return ValueBounds(lower, upper, form, plans, method)


def equilibrium(
    game: Hidden, *, width: "RationalLike | None" = None, run: Run = DEFAULT
) -> ValueBounds:
    """Value and best strategies of a game of hidden information.

    Parameters
    ----------
    game
        A game, or its sequence form.
    width
        Be content with bounds so close. Where None, exact strategies are looked for.
    run
        Limits the memory, and hears how long it takes.

    Returns
    -------
    ValueBounds
        Exact; or, with a width, bounds that are no further apart.

    Raises
    ------
    TooLargeError
        If no exact strategies were found, or none within the width after 65536 rounds; the text
        says how close the bounds came.
    MissingExtraError
        Without the extra ``hidden``.

    Notes
    -----
    From 25 to 70 µs for each payoff and for four times each sequence up to 6·10⁶ of them; above,
    bounds alone, by rounds of 0.3 ns for each at Liar's dice, where some 1000 lead to 10⁻⁴.
    """
    wanted = None if width is None else rational(width, "width")
    if wanted is not None and wanted <= 0:
        raise InputError("width", width, "a number above 0")
    form = _form(game, run)
    entries = len(form.payoffs) + 4 * sum(side.sequences for side in form.sides)
    if entries > _MOST_FOR_LP:
        if wanted is None:
            raise TooLargeError(
                f"game: {form} is too large for exact strategies; give a width, such as 1/10000"
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
        # Twice the rounds bring them closer by some five times.
        more = rounds if width > 8 * wanted else rounds // 4


def _better(one: ValueBounds, other: ValueBounds) -> ValueBounds:
    """Take of two pairs of bounds the plan of each player that proves more."""
    first = one if one.lower >= other.lower else other
    second = one if one.upper <= other.upper else other
    plans = first.plans[0], second.plans[1]
    return ValueBounds(first.lower, second.upper, one.form, plans, one.method)


def _apart(best: ValueBounds) -> TooLargeError:
    return TooLargeError(
        "game: no strategies found as close as asked, the value is between "
        f"{brief(best.lower)} and {brief(best.upper)}; give a wider width"
    )


@dataclass(frozen=True, eq=False)
class GuaranteedValue:
    """What a strategy is sure of, and the reply that holds it there."""

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
    """What a strategy is sure of, whatever the other player does; exact.

    Parameters
    ----------
    game
        A game, or its sequence form.
    player
        Whose strategy it is, 1 or 2.
    strategy
        For what the player can know the chance of each action, those that are left out having none.
        Where the strategy itself does not go, nothing need be said.
    tolerance
        How far sums may be off 1, as those of rounded decimals are; chances are divided by them.
    run
        Limits the memory.

    Returns
    -------
    GuaranteedValue
        The first player's payoff: the least that strategy gets where it is the first player's, the
        most that it lets through where it is the second's. Minus the value of the game it is what
        the strategy can be exploited for.

    Raises
    ------
    InputError
        If the strategy names what is unknown or has chances that do not sum to 1; with the place.

    Examples
    --------
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
    """Bounds of the value that a strategy of each player proves.

    Parameters
    ----------
    game, tolerance, run
        As in `guarantee`.
    first, second
        The strategies of the players, whatever found them.

    Examples
    --------
    >>> from exactdice.models import Both, End, HiddenGame
    >>> paid = {("h", "h"): 2, ("h", "t"): 0, ("t", "h"): 0, ("t", "t"): 1}
    >>> pennies = Both({pair: End(payoff) for pair, payoff in paid.items()})
    >>> game = HiddenGame("start", lambda s: pennies, lambda s: ("", ""))
    >>> half = {"": {"h": "1/2", "t": "1/2"}}
    >>> value_bounds(game, half, half).enclosure()
    Enclosure(lower=mpq(1,2), upper=mpq(1,1))
    """
    form = _form(game, run)
    one, two = form.sides
    plans = RealizationPlan.of(one, first, tolerance), RealizationPlan.of(two, second, tolerance)
    return settled(form, plans, "strategies that were given")
