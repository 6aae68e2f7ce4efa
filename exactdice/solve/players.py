r"""Several players with payments of their own: equilibria in which no player gains anywhere.

Policies of all players are a *subgame-perfect equilibrium* if in no state a player gains by another
policy. States are solved by components, the last ones of play first. Without cycles this is
backward induction: a player takes the first best action in the order of the rules. In a cycle,
players switch to better actions until no player has one; if they stop, this is an equilibrium, but
there may be others, and in games with cycles there need not be one.

Against the fixed policies of the others, the policy of each player is then optimal. Certificates of
these best responses prove the equilibrium (`PerfectEquilibrium.best_response`).

Ties matter if other players get other values. Without cycles, the values of all equilibria are
found from sets: a player may take any action with a value of at least the greatest over the actions
of the least value, each followed by some equilibrium. If a state can be reached in several
ways, choices there may depend on the way.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from exactdice.arithmetic import mpq, text
from exactdice.errors import InputError, TooLargeError
from exactdice.report import Reported
from exactdice.run import DEFAULT, Run
from exactdice.solve.arena import END, Arena
from exactdice.solve.asking import expect
from exactdice.solve.cycles import Cycle
from exactdice.solve.game import Game, Model, turn_of
from exactdice.solve.optimum import Optimum
from exactdice.solve.stopping import Component, components, endless
from exactdice.solve.turns import Chance, Choice, End, Paid, choosing
from exactdice.solve.variants import seat

State = TypeVar("State", bound=Hashable)
Vector = tuple[mpq, ...]

_MOST_ROUNDS = 200  # in which players of a cycle switch actions
MOST_TIED = 100_000  # states up to which the values of all equilibria are found
_MOST_VECTORS = 1000


@dataclass(frozen=True, eq=False, repr=False)
class PerfectEquilibrium(Reported, Generic[State], by="exactdice.solve.reports:perfect_report"):
    """Policies of all players and their values; exact.

    `model` has the states as the first player sees them, `movers` the player who chooses in each of
    them or 0, `values` those of each player by number of state, `chosen` the moves, and `several`
    all best moves of states with several. `spread` has the least and the greatest value of each
    player over all equilibria, or None if that is not known.
    """

    game: Game[State]
    model: Model[State]
    movers: Sequence[int]
    values: Sequence[Sequence[mpq]]
    chosen: Sequence[int] = field(repr=False)
    several: Mapping[int, tuple[int, ...]] = field(repr=False)
    spread: tuple[tuple[mpq, mpq], ...] | None

    @property
    def value(self) -> Vector:
        """The value of each player, in their order, from the initial state."""
        return self.value_of(self.model.states[0])

    def value_of(self, state: State) -> Vector:
        number = self.model.number(state)
        return tuple(values[number] for values in self.values)

    @property
    def policy(self) -> dict[State, Any]:
        """The action of every state in which a player chooses."""
        first = self.model.arena.first_move
        return {
            state: self.model.actions[number][self.chosen[number] - first[number]]
            for number, state in enumerate(self.model.states)
            if self.movers[number]
        }

    @property
    def others(self) -> str:
        """How the values change if ties are broken otherwise, in words."""
        if self.spread is None:
            return "not known; there are ties, and cycles or too many states"
        ranges = [
            f"player {seat} from {text(least)} to {text(most)}"
            for seat, (least, most) in enumerate(self.spread, 1)
            if least != most
        ]
        return "; ".join(ranges) or "the same"

    def best_response(self, player: int, run: Run = DEFAULT) -> Optimum[State]:
        """Return a player's best response to the others; its certificate proves the value.

        The value is that of the equilibrium.
        """
        policies = dict.fromkeys(range(1, len(self.values) + 1), self.policy)
        del policies[player]
        return expect(self.game, player=player, policies=policies, run=run)


def perfect_equilibrium(game: Game[State], *, run: Run = DEFAULT) -> PerfectEquilibrium[State]:
    """Return a subgame-perfect equilibrium of players with payments of their own.

    * `game`: a game with `players` and alternating moves.

    Ties are broken in the order of the rules. Raises NoValueError if play never ends, and
    TooLargeError if players of a cycle keep switching their actions.

    A player may keep a coin or pass it on, when it is doubled; the last one keeps it:

    >>> from exactdice.models import Choice, End, Game, point_mass, Turn
    >>> def moves(state):
    ...     if state >= 3:
    ...         return End(tuple(2**(state % 3) if seat == state % 3 else 0 for seat in range(3)))
    ...     keep = Choice("keep", 0, point_mass(state + 3))
    ...     return Turn(state + 1, [keep, Choice("pass", 0, point_mass(state + 1))][: 3 - state])
    >>> coin = perfect_equilibrium(Game(0, moves, players=3))
    >>> coin.value, coin.policy[0]
    ((mpq(1,1), mpq(0,1), mpq(0,1)), 'keep')
    """
    if not isinstance(game, Game) or game.players is None:
        raise InputError("game", game, "Game(…, players=n), with payments to each player")
    rules, movers = seat(game, None), list[int]()
    rewards, payoffs = list[Vector](), dict[int, Vector]()  # by move and by state, in their order

    def unpaid(part: Any) -> dict[str, Any]:
        law, total = part.successors, list(part.reward)
        for each, weight in law.items():
            for place, one in enumerate(each.reward) if type(each) is Paid else ():
                total[place] += mpq(weight, law.denominator) * one
        rewards.append(tuple(total))
        after = law.map(lambda each: each.state if type(each) is Paid else each)
        return {"reward": 0, "successors": after}

    def moves(state: Any) -> Any:
        turn: Any = turn_of(rules, state)
        mover, choices = choosing(turn)
        movers.append(mover)
        if isinstance(turn, End):
            payoffs[len(movers) - 1] = turn.payoff
            return None
        return [Choice(c.action, **unpaid(c)) for c in choices] or Chance(**unpaid(turn))

    model = Game(game.initial, moves).explored(run)
    arenas = []
    for own in range(game.players):
        paid = {state: vector[own] for state, vector in payoffs.items()}
        arenas.append(model.arena.with_payments([vector[own] for vector in rewards], paid))
    search = _Equilibrium(arenas, movers, model.states)
    tell, done = run.counter("states"), 0
    for part in components(model.arena):
        search.solve(part)
        done += len(part.states)
        tell(done, len(movers))
    spread = search.spread()
    found = search.values, search.chosen, search.several
    return PerfectEquilibrium(game, model, movers, *found, spread)


class _Equilibrium:
    def __init__(
        self, arenas: Sequence[Arena], movers: Sequence[int], names: Sequence[Any]
    ) -> None:
        self.arenas, self.movers, self.names = arenas, movers, names
        self.values = [[mpq(0)] * len(movers) for _ in arenas]
        self.chosen = [-1] * len(movers)
        self.several: dict[int, tuple[int, ...]] = {}
        self.order: list[int] | None = []  # of states, those after others first; None with cycles

    def solve(self, part: Component) -> None:
        if part.is_cyclic:
            self._solve_cycle(part.states)
            self.order = None
            return
        (state,) = part.states
        if self.order is not None:
            self.order.append(state)
        for arena, values in zip(self.arenas, self.values, strict=True):
            if arena.owners[state] == END:
                values[state] = arena.payoffs[state]
        if self.arenas[0].owners[state] != END:
            self._choose(state)
            for arena, values in zip(self.arenas, self.values, strict=True):
                values[state] = arena.returned(self.chosen[state], values)

    def _choose(self, state: int) -> None:
        mover = self.movers[state]
        moves = [self.arenas[0].first_move[state]]
        if mover:
            _, moves = self.arenas[mover - 1].best_return(state, self.values[mover - 1])
        self.chosen[state] = moves[0]
        if len(moves) > 1:
            self.several[state] = tuple(moves)

    def _solve_cycle(self, states: Sequence[int]) -> None:
        seats = zip(self.arenas, self.values, strict=True)
        parts = [Cycle(arena, states, values) for arena, values in seats]
        chosen = parts[0].leaving_moves(None)
        if chosen is None:
            raise endless(self.names, states)
        owned = [
            [state for state in states if self.movers[state] == player]
            for player in range(1, len(parts) + 1)
        ]
        for _ in range(_MOST_ROUNDS):
            for part in parts:
                part.evaluate(chosen)
            better = [
                (state, part.best_moves(state)[1][0])
                for part, own in zip(parts, owned, strict=True)
                for state in own
                if part.best_moves(state)[0]
            ]
            if not better:
                break
            chosen = chosen | dict(better)
        else:
            raise TooLargeError(
                f"perfect_equilibrium: after {_MOST_ROUNDS} rounds players still switch actions "
                f"among {len(states)} states; there may be no equilibrium without mixtures"
            )
        for part, values in zip(parts, self.values, strict=True):
            for state in states:
                values[state] = part.value(state)
        for state in states:
            moves = parts[self.movers[state] - 1].best_moves(state)[1]
            self.chosen[state] = chosen[state]
            if self.movers[state] and len(moves) > 1:
                self.several[state] = tuple(moves)

    def spread(self) -> tuple[tuple[mpq, mpq], ...] | None:
        """The least and the greatest value of each player in all equilibria, if they are known."""
        if not self.several:
            return tuple((values[0], values[0]) for values in self.values)
        if self.order is None or len(self.order) > MOST_TIED:
            return None
        known: dict[int, set[Vector]] = {}
        for state in self.order:
            if self.arenas[0].owners[state] == END:
                known[state] = {tuple(arena.payoffs[state] for arena in self.arenas)}
                continue
            moves = [self._after(move, known) for move in self.arenas[0].moves(state)]
            seat = self.movers[state] - 1
            most = max(min(vector[seat] for vector in each) for each in moves)
            known[state] = {v for each in moves for v in each if seat < 0 or v[seat] >= most}
            if len(known[state]) > _MOST_VECTORS:
                return None
        return tuple((min(each), max(each)) for each in zip(*known[0], strict=True))

    def _after(self, move: int, known: Mapping[int, set[Vector]]) -> set[Vector]:
        arena = self.arenas[0]
        whole = arena.denominators[arena.law[move]]
        sums = {tuple(arena.rewards[arena.reward[move]] for arena in self.arenas)}
        for target, weight in arena.leads(move):
            shares = [[mpq(weight, whole) * one for one in each] for each in known[target]]
            sums = {tuple(map(mpq.__add__, before, share)) for before in sums for share in shares}
        return sums
