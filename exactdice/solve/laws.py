r"""Distributions under a policy: of the total reward, of the time to the end, and of the result.

Under a policy a model is a chain. With X the remaining total from a state s, r the immediate
reward, which may depend on the next state, and Y the remaining total from there,

.. math:: \mathrm{E} X = \mathrm{E}[r + Y], \qquad
          \mathrm{E} X^2 = \mathrm{E}[r^2 + 2 r Y + Y^2],

two chains with other rewards, which are solved exactly. The second needs the rewards that are
actually paid, so that a reward that is itself an expected value is rejected. Probabilities and
quantiles follow play move by move: after t moves the distribution contains all play that has ended,
and the remainder can only fall. A quantile is certain once the remainder cannot change it.

This takes long if many totals are possible in many states. If all rewards are at least 0, and moves
that pay nothing do not go in cycles, F(s, t), the probability that the remaining total is at most
t, is the mean of F(s', t − r). It is computed for all states and t = 0, 1, … in integers, rounded
down and up, and suffices for most quantiles.

The time is the number of moves of chance and players until play has ended.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from math import gcd
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

from exactdice.arithmetic import RationalLike, lcm, mpq, natural, probability, rational
from exactdice.dice import Distribution, Root
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, TooLargeError
from exactdice.report import Reported
from exactdice.run import DEFAULT, Run
from exactdice.solve.arena import CHANCE, END, Arena
from exactdice.solve.game import Game, Model, as_model, turn_of
from exactdice.solve.questions import NOBODYS, Policy, following
from exactdice.solve.stopping import components
from exactdice.solve.turn_games import certified_bounds, exact_values
from exactdice.solve.turns import Chance, Other
from exactdice.solve.variants import certain, require_payments, require_result
from exactdice.solve.variants import following as chain_of

State = TypeVar("State", bound=Hashable)

#: A successor, its probability, and the reward that comes with it.
_Way: TypeAlias = tuple[int, mpq, mpq]

_MAX_MOVES = 100_000
_BITS = 192  # of probabilities that are rounded
_FEW = 500  # states
_MOST_SUMS = 2_000_000  # of states and totals, which take some seconds


@dataclass(frozen=True)
class TotalDistribution(Reported, by="exactdice.solve.reports:law_report"):
    """The distribution of a total under a policy, from the initial state.

    `mean` and `variance` are exact, and `total` is the name of the total. `chain` is the model
    under the policy, with the amounts that are added as rewards and payoffs; `paid` has (next
    state, probability, reward) for states whose reward depends on the next state.
    """

    total: str
    mean: mpq
    variance: mpq
    chain: Arena = field(repr=False)
    paid: Mapping[int, Sequence[_Way]] = field(repr=False, default_factory=dict)

    @property
    def standard_deviation(self) -> Root:
        """The square root of the variance, exact."""
        return Root(self.variance)

    def quantile(self, level: "RationalLike", *, most_moves: int = _MAX_MOVES) -> mpq:
        """Return the smallest total whose distribution function is at least `level`.

        The level is above 0, and below 1 unless the number of moves is bounded. Raises
        TooLargeError if the quantile is not certain after `most_moves`.
        """
        wanted = probability(level, "level")
        if wanted == 0:
            raise InputError("level", level, "a number above 0 and at most 1")
        for total, low, high in (most_moves == _MAX_MOVES and self._at_most()) or ():
            if low >= wanted:
                return total
            if high >= wanted:
                break  # rounding hides it
        for ended, left in self._followed(natural(most_moves, "most_moves")):
            below = mpq(0)
            for total in sorted(ended):
                # What is left may end below, or above, whatever has ended.
                if below + left >= wanted:
                    break
                below += ended[total]
                if below >= wanted:
                    return total
        problem = f"quantile: not certain after {most_moves} moves; use another level or more moves"
        raise TooLargeError(problem)

    def distribution(self, *, most_moves: int = _MAX_MOVES) -> Distribution[mpq]:
        """Return the complete distribution, if the number of moves is bounded.

        Raises TooLargeError, at once, if play may last longer than `most_moves`.
        """
        most, longest = natural(most_moves, "most_moves"), self._longest()
        if longest is None or longest > most:
            raise TooLargeError(f"distribution: play has not surely ended after {most} moves")
        *_, (ended, _) = self._followed(longest)
        return Distribution.from_probabilities(ended)

    def probability_at_most(self, bound: "RationalLike", width: "RationalLike") -> Enclosure:
        """Return bounds of the probability that the total is at most a number."""
        limit, most = rational(bound, "bound"), rational(width, "width")
        for total, low, high in self._at_most() or ():
            if total <= limit < total + self._unit and high - low <= most:
                return Enclosure(low, high)
        for ended, left in self._followed(_MAX_MOVES):
            if left <= most:
                sure = sum((p for total, p in ended.items() if total <= limit), mpq(0))
                return Enclosure(sure, sure + left)
        raise TooLargeError(f"probability_at_most: not within {most} after {_MAX_MOVES} moves")

    def _longest(self) -> int | None:
        moves: dict[int, int] = {}
        for component in components(self.chain, roots=[0]):
            if component.is_cyclic:
                return None
            (state,) = component.states
            after = [moves[target % len(self.chain)] for target in self.chain.successors(state)]
            moves[state] = 1 + max(after, default=-1)
        return moves[0]

    @cached_property
    def _unit(self) -> mpq:
        """The greatest common divisor of all rewards and payoffs."""
        paid = [*self.chain.payoffs.values(), *self.chain.rewards]
        paid += [reward for ways in self.paid.values() for _, _, reward in ways]
        whole = gcd(*(abs(x.numerator) for x in paid)) or 1
        return mpq(whole, lcm(1, *(x.denominator for x in paid)))

    def _at_most(self) -> Iterator[tuple[mpq, mpq, mpq]] | None:
        """Bounds of the distribution function at multiples of the unit; None if not apt."""
        chain, n = self.chain, len(self.chain)
        if n < _FEW:  # soon followed, exactly
            return None
        ends = {state: int(payoff / self._unit) for state, payoff in chain.payoffs.items()}
        ways = {
            state: [(to, p.numerator, p.denominator, int(reward / self._unit))
                    for to, p, reward in _ways(chain, self.paid, state)]
            for state in range(n) if state not in ends
        }  # fmt: skip
        least = min((0, *ends.values(), *(way[3] for each in ways.values() for way in each)))
        if chain.changes_sides or least < 0:
            return None
        unpaid = Arena()
        for state in range(n):
            heads = [way[0] for way in ways.get(state, ()) if not way[3]]
            unpaid.open(CHANCE)
            unpaid.move(mpq(0), (1,) * len(heads), heads)
        parts = list(components(unpaid))
        if any(part.is_cyclic for part in parts):
            return None
        return self._sums([part.states[0] for part in parts], ends, ways)

    def _sums(self, order: Sequence[int], ends: Mapping[int, int], ways: Any) -> Iterator[Any]:
        one, lost = 1 << _BITS, len(order) * max(map(len, ways.values()), default=0)  # for a total
        none, known = [0] * len(order), list[list[int]]()
        for total in range(_MOST_SUMS // len(order)):
            here = [0] * len(order)
            known.append(here)
            for state in order:
                if state in ends:
                    here[state] = one * (ends[state] <= total)
                    continue
                for to, weight, whole, reward in ways[state]:
                    before = known[total - reward] if reward <= total else none
                    here[state] += before[to] * weight // whole
            high = min(one, here[0] + lost * (total + 1))
            yield self._unit * total, mpq(here[0], one), mpq(high, one)

    def _followed(self, most_moves: int) -> Iterator[tuple[dict[mpq, mpq], mpq]]:
        """After each move: the distribution of ended play, and the remaining probability."""
        chain, n = self.chain, len(self.chain)
        ended: dict[mpq, mpq] = {}
        # States from the other side, from n on, count what is paid with the other sign.
        alive: dict[tuple[int, mpq], mpq] = {(0, mpq(0)): mpq(1)}
        ways = cache(lambda state: _ways(chain, self.paid, state))
        for _ in range(most_moves + 1):
            after: dict[tuple[int, mpq], mpq] = {}
            for (state, total), chance in alive.items():
                here, sign = (state, 1) if state < n else (state - n, -1)
                if chain.owners[here] == END:
                    total += sign * chain.payoffs[here]
                    ended[total] = ended.get(total, mpq(0)) + chance
                    continue
                for target, share, reward in ways(here):
                    seen = target if sign > 0 else (target + n) % (2 * n)
                    place = (seen, total + sign * reward if reward else total)
                    after[place] = after.get(place, mpq(0)) + share * chance
            alive = after
            yield ended, sum(alive.values(), mpq(0))
            if not alive:
                return


def reward_distribution(
    model: Model[State] | Game[State],
    policy: Policy = NOBODYS,
    *,
    means: bool = False,
    run: Run = DEFAULT,
) -> TotalDistribution:
    """Return the distribution of the total reward under a policy.

    * `model`: any model; with two players the reward of the first.
    * `policy`: as in `policy_value`; not needed if only chance moves.
    * `means`: treat a reward that is or may be a mean (any fraction may be) as paid with certainty.
      The variance is then too small if it is a mean.

    Raises ModelError if a reward under the policy may be a mean; the text names the state. Use
    `Paid` successors for rewards that depend on the outcome. Raises NoValueError if play need not
    end.

    >>> from exactdice.dice import fair
    >>> from exactdice.models import Chance, End, Game
    >>> three = Game(0, lambda n: Chance(0, fair(2).map(lambda f: n + f)) if n < 3 else End(n))
    >>> law = reward_distribution(three)
    >>> law.mean, law.variance, law.quantile("1/2")
    (mpq(27,8), mpq(15,64), mpq(3,1))
    """
    model = as_model(model, run)
    following(model, policy)  # refuses what is no policy of the model
    paid: dict[Any, Distribution[Any]] = {}
    known = certain(model.game) if means else model.game
    rules = chain_of(known, {1: policy, 2: policy})

    def moves(state: Any) -> Any:
        turn = turn_of(rules, state)
        require_payments(turn)
        if isinstance(turn, Chance) and turn.paid is not None:
            paid[state] = turn.paid
        return turn

    chain = Game(known.initial, moves).explored(run)
    n, index = len(chain.states), chain.index

    def number(state: Any) -> int:
        return index[state.state] + n if type(state) is Other else index[state]

    ways = {
        index[state]: [
            (number(each.state), mpq(weight, law.denominator), rational(each.reward))
            for each, weight in law.items()
        ]
        for state, law in paid.items()
    }
    return _law("total reward", chain.arena, run, ways)


def time_distribution(
    model: Model[State] | Game[State], policy: Policy = NOBODYS, *, run: Run = DEFAULT
) -> TotalDistribution:
    """Return the distribution of the number of moves until play ends under a policy.

    >>> from exactdice.dice import Distribution
    >>> from exactdice.models import Game
    >>> coin = Game("tails", lambda side: Distribution({"heads": 1, "tails": 1})
    ...                                   if side == "tails" else None)
    >>> law = time_distribution(coin)
    >>> law.mean, law.variance, law.quantile("0.999")
    (mpq(2,1), mpq(2,1), mpq(10,1))
    """
    chain = following(as_model(model, run), policy)
    if chain.changes_sides:
        chain = chain.forgetting_sides()
    return _law("time", chain.paying(lambda _: mpq(1), lambda _: mpq(0)), run)


def _ways(chain: Arena, paid: Mapping[int, Sequence[_Way]], state: int) -> Sequence[_Way]:
    if state in paid:
        return paid[state]
    move = chain.first_move[state]
    reward, ways = chain.rewards[chain.reward[move]], chain.denominators[chain.law[move]]
    return [(target, mpq(weight, ways), reward) for target, weight in chain.leads(move)]


def _law(
    total: str, chain: Arena, run: Run, paid: Mapping[int, Sequence[_Way]] = MappingProxyType({})
) -> TotalDistribution:
    tell = run.counter("states")
    values = exact_values(chain, tell=tell).values
    squares, n, seen = Arena(), len(chain), [*values, *(-value for value in values)]
    for state in range(n):
        if chain.owners[state] == END:
            squares.end(chain.payoffs[state] ** 2)
            continue
        move, ways = chain.first_move[state], _ways(chain, paid, state)
        square = sum((share * r * (r + 2 * seen[t]) for t, share, r in ways if r), mpq(0))
        squares.open(chain.owners[state])
        squares.move(square, chain.weights[chain.law[move]], [t % n for t in chain.heads(move)])
    second = exact_values(squares, tell=tell).values[0]
    return TotalDistribution(total, values[0], second - values[0] ** 2, chain, paid)


@dataclass(frozen=True)
class WinDrawLoss(Reported, by="exactdice.solve.reports:win_draw_loss_report"):
    """Probabilities that play ends with a payoff above, at, and below 0 for the first player.

    If the game changes sides, the first player is the one who moves in the initial state.
    """

    win: Enclosure
    draw: Enclosure
    loss: Enclosure


def win_draw_loss(
    model: Model[State] | Game[State],
    policy: Policy = NOBODYS,
    *,
    width: "RationalLike | None" = None,
    run: Run = DEFAULT,
) -> WinDrawLoss:
    """Return the probabilities of a win, a draw and a loss if both players follow a policy.

    * `model`: a game whose result is the payoff of its ends; rewards on the way are ignored.
    * `policy`: as in `policy_value`; the answer to `optimum` for optimal play. Of several optimal
      actions the first is taken: others can give other probabilities with the same value.
    * `width`: the greatest width of the bounds; exact by default.

    >>> from exactdice.dice import fair
    >>> from exactdice.models import End, Game
    >>> die = Game(None, lambda f: fair(6) if f is None else End((f > 4) - (f < 4)))
    >>> chances = win_draw_loss(die.explored(), {})
    >>> chances.win.point, chances.draw.point, chances.loss.point
    (mpq(1,3), mpq(1,6), mpq(1,2))
    """
    model = as_model(model, run)
    for _, state in model.ended():
        require_result(turn_of(model.game, state), state)
    return chances_of(following(model, policy), width, run)


def chances_of(chain: Arena, width: "RationalLike | None", run: Run) -> WinDrawLoss:
    balance = chain.paying(lambda _: mpq(0), lambda paid: mpq((paid > 0) - (paid < 0)))
    drawn = chain.forgetting_sides() if chain.changes_sides else chain
    drawn = drawn.paying(lambda _: mpq(0), lambda paid: mpq(paid == 0))
    b, d = _enclosed(balance, width, run), _enclosed(drawn, width, run)
    zero = mpq(0)
    return WinDrawLoss(
        win=Enclosure(
            max(zero, (1 - d.upper + b.lower) / 2), min(mpq(1), (1 - d.lower + b.upper) / 2)
        ),
        draw=d,
        loss=Enclosure(
            max(zero, (1 - d.upper - b.upper) / 2), min(mpq(1), (1 - d.lower - b.lower) / 2)
        ),
    )


def _enclosed(chain: Arena, width: "RationalLike | None", run: Run) -> Enclosure:
    tell = run.counter("states")
    if width is None:
        return exact_values(chain, tell=tell).between(0)
    return certified_bounds(chain, rational(width, "width"), tell=tell).between(0)
