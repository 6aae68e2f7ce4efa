r"""Long-run averages: the reward per step, and how often states are visited.

Fixed moves make a chain. Every closed class of it has an average reward per step, which is the
*gain* of its states; the gain of another state is the mean over the classes that play may end in.
With steps c(s), the time of a move from s, the gain g and the *bias* h solve

.. math:: g(s) = \sum_t p(t \mid s)\, g(t), \qquad
          h(s) = r(s) - c(s)\, g(s) + \sum_t p(t \mid s)\, h(t).

Howard's policy iteration (1960; for several classes Denardo and Fox, *SIAM Journal on Applied
Mathematics* 16, 1968) switches each state to a move with a better mean of gains, or else to one
with the same mean and a better return in the second equation. If there is none, let M be large and
H = h + M g. Then

.. math:: g(s) \ge \sum_t p(t \mid s, a)\, g(t), \qquad
          c(s)\, g(s) + H(s) \ge r(s, a) + \sum_t p(t \mid s, a)\, H(t)

for every move a of a maximising player, the opposite for a minimising one, and equality for the
chosen moves. Every state whose moves are no steps has a rank, and each move from it leads, with
positive probability, to a lower one, so that play cannot stay away from steps and ends. This is the
certificate: by induction over moves, the total reward until N steps have been made is on average at
most N g(s) plus a constant, and with the chosen moves at least N g(s) minus a constant.
`proofs/average_check.py` checks it as a file.

With two players, the moves of one are improved against best responses of the other. If this comes
to an end, it proves the value in the same way.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from exactdice.arithmetic import RationalLike, mpq, rational, text
from exactdice.errors import InputError, TooLargeError, Unquoted
from exactdice.run import DEFAULT, Run
from exactdice.solve.arena import BOTH, CHANCE, END, MAX, MIN, Arena, CertificateError, NoValueError
from exactdice.solve.arena import named as listed
from exactdice.solve.asked import Asked, Event
from exactdice.solve.certificate import Certificate, RulesCheck, moves_text, names_text, plain_text
from exactdice.solve.cycles import Visits
from exactdice.solve.game import Game, Model, turn_of
from exactdice.solve.optimum import Optimum
from exactdice.solve.questions import Policy
from exactdice.solve.stopping import components, ranked
from exactdice.solve.turn_games import exact_values
from exactdice.solve.turns import End, choosing
from exactdice.solve.variants import bare, changed, paying

State = TypeVar("State", bound=Hashable)

_MOST = 1000  # improvements of moves
_ZERO = mpq(0)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class LongRunAverage(Optimum[State]):
    """The long-run average reward per step from every state, and moves that achieve it; exact.

    `bias` has H of the certificate: in a chain with one closed class, the difference of two states'
    biases is how much more is paid in all if play begins in the one. `steps` has the steps that a
    move from each state counts as, 0 or 1, and `ranks` those of the certificate.
    """

    judged: ClassVar = False

    bias: Sequence[mpq]
    steps: Sequence[int]
    ranks: Sequence[int]

    def frequencies(self) -> dict[State, mpq]:
        """Return the part of the steps that play spends in each state in the long run.

        Play begins in the initial state and follows `policy`. If play ends, so do steps, and the
        parts sum to the probability that it never ends. States that are not visited again and
        again, or whose moves are no steps, are left out.
        """
        chain = self.arena.following(self.chosen)
        classes = [states for states in _classes(chain) if chain.owners[states[0]] != END]
        visits = _visits(chain, [states[0] for states in classes])
        shares = dict[int, mpq]()
        for states in classes:
            entered, *_ = states
            counted = {s: visits[1][s] * self.steps[s] for s in states}
            whole = sum(counted.values(), _ZERO)
            shares |= {s: visits[0][entered] * share / whole for s, share in counted.items()}
        names = self.model.states
        return {names[s]: shares[s] for s in sorted(shares) if shares[s]}

    def regret(self, state: State) -> dict[Any, Any]:
        """Reject the question: the loss by a single action is no average."""
        raise InputError("state", Unquoted("regrets of an average"), "optimal_actions, or bias")

    def certificate(self) -> "AverageCertificate":  # type: ignore[override]
        """Return a certificate, which can be checked against the rules without solving them."""
        each = (self.values, self.bias, self.steps, self.ranks)
        by_state: list[Any] = [dict(zip(self.model.states, of, strict=True)) for of in each]
        gain, bias, steps, ranks = by_state
        return AverageCertificate(gain, bias, steps, ranks, self.policy, self.arena.is_owned(MIN))

    def certificate_lines(self) -> Iterator[str]:
        """Yield the lines of the file for `proofs/average_check.py`."""
        arena, first = self.arena, self.arena.first_move
        head = ["exactdice-average 1", f"states {len(arena)}", "initial 0"]
        head += [f"claim {text(self.values[0])} # {plain_text(self.question)}", "gains"]
        for state, owner in enumerate(arena.owners):
            move = self.chosen[state] - first[state] if owner in (MAX, MIN) else 0
            gain, bias = text(self.values[state]), text(self.bias[state])
            head.append(f"{gain} {bias} {self.ranks[state]} {move}")
        yield from (*head, "moves")
        for state, steps in enumerate(self.steps):
            yield f"{steps} {moves_text(arena, state)} # {names_text(self.model, arena, state)}"
        yield "done"


@dataclass(frozen=True, eq=False, repr=False)
class AverageCertificate:
    """Gain, bias, steps and rank of every state, the chosen actions, and whether one minimises."""

    gain: Mapping[Any, mpq]
    bias: Mapping[Any, mpq]
    steps: Mapping[Any, int]
    ranks: Mapping[Any, int]
    policy: Mapping[Any, Any]
    least: bool

    def check(self, game: Game[Any]) -> None:
        """Check every condition against the rules of a game, in one pass over its transitions.

        Raises CertificateError if a condition fails; the text names the first one and where.
        """

        def due(state: Any) -> Any:
            time, turn = self.steps[state] * self.gain[state], turn_of(game, state)
            return changed(turn, reward=lambda reward: rational(reward) - time)

        for values, rules in ((self.gain, paying(game, lambda _: 0)), (self.bias, Game(0, due))):
            rules, none = Game(game.initial, rules.moves), dict.fromkeys(values, 0)
            proof = Certificate(
                game.initial, values, values, self.policy, {}, none, none, least=self.least
            )
            _WithoutEnds(proof, rules).run()
        for state, steps in self.steps.items():
            turn, rank = turn_of(game, state), self.ranks[state]
            is_over = turn is None or isinstance(turn, End)
            for part in () if steps == 1 or is_over else choosing(turn)[1] or [turn]:
                law = getattr(part, "successors", part)
                if steps or not any(self.ranks[after] < rank for after in law):
                    raise CertificateError(f"certificate: {state!r} leads to no lower rank")


class _WithoutEnds(RulesCheck[Any]):
    def _comes_nearer(self, *_: Any, **__: Any) -> bool:
        return True


def long_run(
    game: Game[State] | Model[State],
    of: "Callable[[Any], RationalLike] | None" = None,
    *,
    player: int = 1,
    policies: Mapping[int, Policy] | None = None,
    counts: Event | None = None,
    least: bool = False,
    run: Run = DEFAULT,
) -> LongRunAverage[Any]:
    """Return the greatest, or least, average reward per step in the long run; always exact.

    * `game`, `player`, `policies`: as in `expect`; players must move alternately. If play ends,
      nothing is paid from then on, and the average is 0.
    * `of`: a function of a state: the amount that each move from it counts. By default rewards
      count.
    * `counts`: a function of a state: whether a move from it is a step, for example the start of a
      turn. By default every move is.
    * `least`: find the least average: the player who asks wants little, the other one much.

    Raises NoValueError if play can stay forever in states that are not counted, and TooLargeError
    if, with two players, no optimal moves are found.

    A machine makes 10 a day and fails every third day; a repair takes 6 and the day:

    >>> from exactdice.dice import Distribution
    >>> from exactdice.models import Chance, Choice, Game, point_mass
    >>> def day(state):
    ...     if state == "failed":
    ...         return [Choice("repair", -6, point_mass("works"))]
    ...     return Chance(10, Distribution({"works": 2, "failed": 1}))
    >>> machine = long_run(Game("works", day))
    >>> machine.value, machine.frequencies()
    (Enclosure(mpq(6,1)), {'works': mpq(3,4), 'failed': mpq(1,4)})
    """
    asked = Asked(game, player, policies, None, None, least, run)
    _, model, least = asked.variant(of=of)
    if counts is not None and not callable(counts):
        raise InputError("counts", counts, "a function of a state")
    if model.arena.is_owned(BOTH):
        raise InputError("game", Unquoted("simultaneous moves"), "alternating moves")
    arena = model.arena
    if least:
        arena = arena.owned_as(lambda owner: MIN if owner == MAX else owner)
    steps = [int(counts is None or bool(counts(bare(state)))) for state in model.states]
    counted = [s for s, step in enumerate(steps) if step or arena.owners[s] == END]
    heads = [list(map(arena.heads, arena.moves(state))) for state in range(len(arena))]
    ranks = ranked(len(arena), counted, heads.__getitem__)
    if -1 in ranks:
        where = listed([model.states[s] for s, rank in enumerate(ranks) if rank < 0])
        raise NoValueError(f"long_run: play can stay among {where} without a step")
    search = _Search(arena, steps, model.states, run)
    search.solve()
    ties = {s: moves for s in range(len(arena)) if len(moves := search.ties(s)) > 1}
    aim = ("least " if least else "greatest ") if model.players == 1 else ""
    return LongRunAverage(
        lower=search.gain,
        upper=search.gain,
        chosen=search.chosen,
        several=ties,
        model=model,
        question=f"{aim}average {'reward' if of is None else 'amount'} per step in the long run",
        arena=arena,
        bias=search.shifted(),
        steps=steps,
        ranks=ranks,
    )


class _Search:
    """Moves, with their gain and bias, that are improved until none is better."""

    def __init__(self, arena: Arena, steps: Sequence[int], names: Sequence[Any], run: Run) -> None:
        self.arena, self.steps, self.names, self.run = arena, steps, names, run
        self.chosen = [
            -1 if owner == END else arena.first_move[state]
            for state, owner in enumerate(arena.owners)
        ]
        self.gain: list[mpq] = []
        self.bias: list[mpq] = []

    def solve(self) -> None:
        *outer, inner = [side for side in (MAX, MIN) if self.arena.is_owned(side)] or [CHANCE]
        self._evaluate()
        for number in range(_MOST):
            self.run.tell("improvements of moves", number)
            if not (self._switch(inner) or any(map(self._switch, outer))):
                return
        raise TooLargeError(f"long_run: no optimal moves are found by {_MOST} improvements")

    def _switch(self, side: int) -> bool:
        """Switch all states of a side that have a better move; return whether any has."""
        owned = [state for state, owner in enumerate(self.arena.owners) if owner == side]
        better = {s: move for s in owned if (move := self._better(s)) != self.chosen[s]}
        for state, move in better.items():
            self.chosen[state] = move
        if better:
            self._evaluate()
        return bool(better)

    def _after(self, state: int, move: int) -> tuple[mpq, mpq]:
        """By how much a move returns more than gain and bias say."""
        arena, total = self.arena, self.arena.returned(move, self.bias)
        gain = arena.returned(move, self.gain) - arena.rewards[arena.reward[move]]
        due = self.bias[state] + self.steps[state] * self.gain[state]
        return gain - self.gain[state], total - due

    def _better(self, state: int) -> int:
        sign, best, chosen = self.arena.owners[state], (_ZERO, _ZERO), self.chosen[state]
        for move in self.arena.moves(state):
            gain, total = self._after(state, move)
            if (more := (sign * gain, sign * total)) > best:
                best, chosen = more, move
        return chosen

    def ties(self, state: int) -> tuple[int, ...]:
        if self.arena.owners[state] not in (MAX, MIN):
            return ()
        moves = self.arena.moves(state)
        return tuple(move for move in moves if self._after(state, move) == (_ZERO, _ZERO))

    def shifted(self) -> list[mpq]:
        """Return biases plus a multiple of gains, so that moves that lose gain return no more."""
        most = _ZERO
        for state, sign in enumerate(self.arena.owners):
            for move in self.arena.moves(state) if sign in (MAX, MIN) else ():
                gain, total = self._after(state, move)
                if gain and sign * total > 0:
                    most = max(most, -total / gain)
        return [h + most * g for g, h in zip(self.gain, self.bias, strict=True)]

    def _evaluate(self) -> None:
        chain, steps = self.arena.following(self.chosen), self.steps
        reward = [
            sum((chain.rewards[chain.reward[move]] for move in chain.moves(state)), _ZERO)
            for state in range(len(chain))
        ]
        firsts = [states[0] for states in _classes(chain) if chain.owners[states[0]] != END]
        none, ended = dict.fromkeys(firsts, _ZERO), dict.fromkeys(chain.payoffs, _ZERO)

        def total(of: Callable[[int], mpq], ends: Mapping[int, mpq]) -> list[mpq]:
            """The expected sum until play is in an end, or in the first state of a class."""
            stopped, paid = chain.with_ends(ends), Arena()
            for state, owner in enumerate(stopped.owners):
                if owner == END:
                    paid.end(stopped.payoffs[state])
                    continue
                (move,) = chain.moves(state)
                paid.open(CHANCE)
                paid.move(of(state), chain.weights[chain.law[move]], chain.heads(move))
            return list(exact_values(paid, names=self.names).values)

        def of_reward(state: int) -> mpq:
            return reward[state]

        def of_steps(state: int) -> mpq:
            return mpq(steps[state])

        def around(first: int, of: Callable[[int], mpq], sums: list[mpq]) -> mpq:
            (move,) = chain.moves(first)
            return of(first) + chain.returned(move, sums) - reward[first]

        paid, took = total(of_reward, none), total(of_steps, none | ended)
        gains = {}
        for first in firsts:
            gains[first] = around(first, of_reward, paid) / around(first, of_steps, took)
        self.gain = total(lambda _: _ZERO, gains | ended)
        self.bias = total(lambda s: reward[s] - steps[s] * self.gain[s], none)


def _classes(chain: Arena) -> list[list[int]]:
    """The closed classes of a chain, each in order of its states."""
    closed = []
    for part in components(chain):
        inside = set(part.states)
        if all(inside.issuperset(chain.successors(state)) for state in part.states):
            closed.append(sorted(part.states))
    return closed


def _visits(chain: Arena, firsts: Sequence[int]) -> tuple[list[mpq], list[mpq]]:
    """Expected visits until play is in one of some states: from the start, and from each of them.

    Visits to these states themselves count; from each of them that is one.
    """
    n, stops = len(chain), set(firsts)
    moves = [None if chain.owners[s] == END else chain.first_move[s] for s in range(n)]

    def row(state: int) -> dict[int, mpq]:
        move = moves[state]
        whole = 1 if move is None else chain.denominators[chain.law[move]]
        row: dict[int, mpq] = {}
        for target, weight in chain.leads(move) if move is not None else ():
            row[target] = row.get(target, _ZERO) + mpq(weight, whole)
        return row

    rows = [row(state) for state in range(n)]
    starts = [{0: mpq(1)}, {}]
    for first in firsts:
        for target, share in rows[first].items():
            if target not in stops:
                starts[1][target] = starts[1].get(target, _ZERO) + share
    visits = []
    for start in starts:
        kept = [{} if s in stops else dict(rows[s]) for s in range(n)]
        leaving = [mpq(not kept[s]) for s in range(n)]
        visits.append(Visits(kept, leaving, [start.get(s, _ZERO) for s in range(n)], None).solve())
    for first in firsts:
        visits[1][first] = mpq(1)
    return visits[0], visits[1]
