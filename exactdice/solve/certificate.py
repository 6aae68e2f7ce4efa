"""Certificates of the answers to models, checked against the rules themselves.

A certificate has bounds of the value of every state, and strategies. The check calls the rules
again, state by state, and compares sums of rationals; it neither explores nor solves. It proves the
bounds if

1. in terminal states they contain the payoff; 2. *lower*: with the first player's actions fixed and
the second free, no state's lower bound
   exceeds what any action returns by the lower bounds of its successors;
3. *upper*: with the second player's actions fixed and the first free, no state's upper bound is
   below what any action returns by the upper bounds of its successors;
4. in both cases the state has a rank, and each of these actions leads, with positive probability,
   to a state of lower rank; only terminal states have rank 0.

By 4 play ends with probability 1, whatever the free player does, so that the fixed strategy
guarantees 2 and 3 step by step. A single player may only use policies under which play ends, so 4
is required only of the policy. Seen from the other side (`Other`), a lower bound v becomes an upper
bound −v, and the free player the fixed one.

If the question is the probability to reach a goal, play counts as ended there with payoff 1; bounds
are at least 0, and 4 is required only for lower bounds above 0. Play need not end, so a single
player who minimises is as free as one of two.

If infinite play is a draw, which pays nothing, only ends pay, and last moves that are paid for and
surely end play (model files have no other form). 4 is required of states whose lower bound is above
0 with the second player free, or whose upper bound is below 0 with the first free, for actions that
return exactly that bound; and a successor may also be a state whose bound is not on that side of 0.
Actions that return more are made finitely often, as bounds are bounded, so that by 4 the free
player cannot keep play up forever where a draw is a gain.

As files, certificates can be checked without this package: `proofs/CERTIFICATES.md` defines the
format, and `proofs/certificate_check.py` checks it. If a game changes sides, state n + s of the
file is s as the other player sees it.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from exactdice.arithmetic import lcm, mpq, mpz, rational, text
from exactdice.dice import Distribution
from exactdice.solve.arena import BOTH, CHANCE, END, MAX, MIN, Arena, CertificateError
from exactdice.solve.game import Game
from exactdice.solve.turns import Both, Chance, End, Other, Stopped, Turn, alike, ordered

State = TypeVar("State", bound=Hashable)
_ONE = mpq(1)


@dataclass(frozen=True, eq=False)
class Certificate(Generic[State]):
    """Bounds, strategies and ranks of every state.

    `lower` and `upper` bound the values; they are equal if it is exact. `policy` is the fixed
    action of each state in which one player chooses, and `mixed` the pair of fixed strategies, as
    distributions, at simultaneous moves. The ranks are those if the first, or second, player is
    free. `least` says that a single player minimises, `goal` has the states to be reached, if that
    is the question, and `draws` says that infinite play is a draw.

    >>> from exactdice.models import Choice, Game, point_mass, optimum
    >>> game = Game(0, lambda s: [Choice("stop", 7, point_mass(1))] if s == 0 else None)
    >>> certificate = optimum(game.explored()).certificate()
    >>> certificate.check(game)
    >>> certificate.lower[0], certificate.policy
    (mpq(7,1), {0: 'stop'})
    """

    initial: State
    lower: Mapping[State, mpq] = field(repr=False)
    upper: Mapping[State, mpq] = field(repr=False)
    policy: Mapping[State, Any] = field(repr=False)
    mixed: Mapping[State, tuple[Distribution[Any], Distribution[Any]]] = field(repr=False)
    ranks_first_free: Mapping[State, int] = field(repr=False)
    ranks_second_free: Mapping[State, int] = field(repr=False)
    least: bool = False
    goal: frozenset[State] | None = field(repr=False, default=None)
    draws: bool = False

    def check(self, game: Game[State]) -> None:
        """Check every condition against the rules of a game, in one pass over its transitions.

        Raises CertificateError if a condition fails; the text names the first one and where.
        """
        RulesCheck(self, game).run()


class RulesCheck(Generic[State]):
    def __init__(self, certificate: Certificate[State], game: Game[State]) -> None:
        self.certificate, self.game, self.goal = certificate, game, certificate.goal
        self.states = {state: state for state in certificate.lower}
        self.turns = dict[State, Any]()
        # by whether the first player is free
        self.bounds = {True: certificate.upper, False: certificate.lower}
        self.ranks = {True: certificate.ranks_first_free, False: certificate.ranks_second_free}

    def run(self) -> None:
        certificate, game = self.certificate, self.game
        lower, upper = certificate.lower, certificate.upper
        if game.initial != certificate.initial or game.initial not in lower:
            raise CertificateError("certificate: is of a game with another initial state")
        if certificate.draws and self.goal is not None:
            raise CertificateError("certificate: has both draws and a goal")
        self._require_known(game.initial)
        for name, numbers in (("lower", lower), ("upper", upper)):
            _require_kind(f"{name} bound", numbers, type(_ONE), "a rational number (mpq)")
        for ranks in self.ranks.values():
            _require_kind("rank", ranks, int, "a whole number")
        if set(lower) != set(upper):
            odd = next(iter(set(lower) ^ set(upper)))
            raise CertificateError(f"certificate: {odd!r} has only one of two bounds")
        self.turns = {state: self._turn(state) for state in lower}
        alone = not certificate.draws and not any(map(_involves_two, self.turns.values()))
        for state, turn in self.turns.items():
            if lower[state] > upper[state]:
                raise CertificateError(f"certificate: bounds of {state!r} are the wrong way round")
            if self.goal is not None and lower[state] < 0:
                raise CertificateError(f"certificate: bounds a chance from {state!r} below 0")
            if turn is not None and not isinstance(turn, End):
                for first_free in (True, False):
                    self._check_state(state, turn, first_free=first_free, alone=alone)
            elif not lower[state] <= (payoff := _payoff(turn)) <= upper[state]:
                raise CertificateError(
                    f"certificate: {state!r} pays {text(payoff)}, which its bounds do not contain"
                )

    def _turn(self, state: State) -> Any:
        if isinstance(state, Stopped):
            return state
        if self.goal is not None and state in self.goal:
            return End(1)
        turn = self.game.moves(state)
        if turn is None or isinstance(turn, End):
            return End(0 if self.goal is not None else _payoff(turn))
        return self._drawn(state, turn) if self.certificate.draws else turn

    def _drawn(self, state: State, turn: Any) -> Any:
        """A turn if infinite play is a draw: a last move that is paid for ends play."""
        if isinstance(turn, Distribution):
            return turn
        if isinstance(turn, Both):
            raise CertificateError(f"certificate: {state!r} has simultaneous moves")
        parts = [turn] if isinstance(turn, Chance) else getattr(turn, "choices", turn)
        if not any(part.reward for part in parts):
            return turn
        if len(parts) == 1:
            last = list(map(self._end, parts[0].successors))
            if last[0] is not None and len(set(last)) == 1:
                return End(rational(parts[0].reward) + last[0])
        raise CertificateError(f"certificate: {state!r} is paid for before play has ended")

    def _end(self, successor: Any) -> mpq | None:
        turn = () if type(successor) is Other else self.game.moves(successor)
        return _payoff(turn) if turn is None or isinstance(turn, End) else None

    def _check_state(self, state: State, turn: Any, *, first_free: bool, alone: bool) -> None:
        sign, bound = (1 if first_free else -1), self.bounds[first_free][state]
        for name, parts, is_fixed in self._ways(state, turn, first_free=first_free, alone=alone):
            returns = (p * self._returned(part, upper=first_free) for p, part in parts)
            returned = sum(returns, mpq(0))
            if sign * returned > sign * bound:
                which = "upper" if first_free else "lower"
                raise CertificateError(
                    f"certificate: the {which} bound of {state!r} is given as {text(bound)}, but "
                    f"{name!r} returns {text(returned)}"
                )
            must_end = is_fixed or not alone
            if self.goal is not None:
                must_end = not first_free and bound != 0
            elif self.certificate.draws:
                must_end = returned == bound and sign * bound < 0
            if must_end and not self._comes_nearer(state, parts, first_free=first_free):
                problem = f"certificate: {name!r} in {state!r} leads to no state of lower rank"
                raise CertificateError(problem)

    def _ways(
        self, state: State, turn: Any, *, first_free: bool, alone: bool
    ) -> Iterator[tuple[Any, list[tuple[mpq, Any]], bool]]:
        """The actions to consider, with their parts, and whether each is the fixed one."""
        certificate = self.certificate
        if isinstance(turn, Distribution | Chance):
            yield "chance", [(_ONE, turn)], True
        elif isinstance(turn, Both):
            if state not in certificate.mixed:
                raise CertificateError(f"certificate: {state!r} has no strategies")
            row, column = certificate.mixed[state]
            if not (set(row) <= set(turn.rows) and set(column) <= set(turn.columns)):
                raise CertificateError(f"certificate: {state!r} has strategies of other choices")
            ways = turn.outcomes
            if first_free:
                for i in turn.rows:
                    yield i, [(column.probability(j), ways[i, j]) for j in column], False
            else:
                for j in turn.columns:
                    yield j, [(row.probability(i), ways[i, j]) for i in row], False
        else:
            player, choices = (turn.player, turn.choices) if isinstance(turn, Turn) else (1, turn)
            if certificate.least and alone:
                player = 2
            free = (player == 1) == first_free
            if state not in certificate.policy:
                raise CertificateError(f"certificate: {state!r} has no action")
            fixed = [choice for choice in choices if choice.action == certificate.policy[state]]
            if len(fixed) != 1:
                raise CertificateError(f"certificate: {state!r} has no action of its own")
            for choice in choices if free else fixed:
                yield choice.action, [(_ONE, choice)], choice is fixed[0]

    def _returned(self, part: Any, *, upper: bool) -> mpq:
        is_paid = self.goal is None
        if isinstance(part, End):
            return rational(part.payoff) if is_paid else mpq(0)
        successors, total = _successors(part), mpq(0)
        for successor, weight in successors.items():
            state, turned = _seen(successor)
            self._require_known(state)
            bound = self.bounds[upper != turned][state]
            total += weight * (-bound if turned else bound)
        reward: mpq = mpq(part.reward) if is_paid and successors is not part else mpq(0)
        return reward + total / int(successors.denominator)

    def _comes_nearer(
        self, state: State, parts: list[tuple[mpq, Any]], *, first_free: bool
    ) -> bool:
        rank = self.ranks[first_free].get(state, -1)
        for _, part in parts:
            if isinstance(part, End):
                return rank > 0
            for successor in _successors(part):
                after, turned = _seen(successor)
                free = first_free != turned
                nearer = self.ranks[free].get(after, -1)
                if 0 <= nearer < rank and (nearer > 0 or self._may_be_least(after, free)):
                    return True
        return False

    def _may_be_least(self, state: Any, first_free: bool) -> bool:
        bound = self.bounds[first_free][state]
        return (
            isinstance(self.turns[state], End)
            or (self.goal is not None and self.certificate.lower[state] == 0)
            or (self.certificate.draws and (bound if first_free else -bound) >= 0)
        )

    def _require_known(self, state: Any) -> None:
        if state not in self.states:
            raise CertificateError(f"certificate: {state!r} has no bounds")
        if not alike(state, self.states[state]):
            raise CertificateError(
                f"certificate: {self.states[state]!r} is not the {state!r} of the rules; they are "
                "equal, but of different types"
            )


def _require_kind(name: str, numbers: Mapping[Any, Any], kind: type, wanted: str) -> None:
    for state, number in numbers.items():
        if type(number) is not kind:
            problem = f"certificate: the {name} of {state!r} is {number!r}; expected {wanted}"
            raise CertificateError(problem)


def _payoff(turn: Any) -> mpq:
    return rational(turn.payoff) if isinstance(turn, End) else mpq(0)


def _successors(part: Any) -> Any:
    return part if isinstance(part, Distribution) else part.successors


def _seen(successor: Any) -> tuple[Any, bool]:
    return (successor.state, True) if type(successor) is Other else (successor, False)


def _involves_two(turn: Any) -> bool:
    if isinstance(turn, Both):
        return True
    if isinstance(turn, Turn):
        return turn.player == 2
    if isinstance(turn, End) or turn is None:
        return False
    parts = turn if isinstance(turn, list | tuple) else [turn]
    return any(type(successor) is Other for part in parts for successor in _successors(part))


_OWNERS = {CHANCE: "chance", MAX: "first", MIN: "second"}


def certificate_lines(
    certificate: Certificate[Any], model: Any, arena: Arena, question: str
) -> Iterator[str]:
    """Yield the lines of the file, with the states in the order of the model."""
    bounds = [(certificate.lower[state], certificate.upper[state]) for state in model.states]
    first, second = certificate.ranks_first_free, certificate.ranks_second_free
    ranks = [(first[state], second[state]) for state in model.states]
    if arena.changes_sides:
        bounds += [(-upper, -lower) for lower, upper in bounds]
        ranks += [(of_second, of_first) for of_first, of_second in ranks]
    plain, scale = arena.unfolded(), _scale(bounds)
    kind = "draws" if certificate.draws else "total" if certificate.goal is None else "reach"
    yield f"exactdice-certificate 1 # {plain_text(question)}"
    yield f"question {kind}"
    yield f"players {model.players}"
    yield f"states {len(plain)}"
    yield f"initial {model.number(certificate.initial)}"
    yield f"scale {scale}"
    yield "claim " + " ".join(text(bound) for bound in bounds[model.number(certificate.initial)])
    yield "bounds"
    for state, (lower, upper) in enumerate(bounds):
        high = "=" if lower == upper else text(upper * scale)
        # States without a rank need none: any above 0 will do.
        known = " ".join(str(rank if rank >= 0 else len(plain)) for rank in ranks[state])
        played = _played(certificate, model, plain, state)
        yield " ".join([text(lower * scale), high, known, *played])
    yield "moves"
    for state in range(len(plain)):
        yield f"{moves_text(plain, state)} # {names_text(model, arena, state)}"
    yield "done"


def _scale(bounds: Sequence[tuple[mpq, mpq]]) -> int:
    scale, longest = mpz(1), 0
    for denominator in {bound.denominator for pair in bounds for bound in pair}:
        scale, longest = lcm(scale, denominator), max(longest, denominator.bit_length())
        if scale.bit_length() > 2 * longest + 64:
            return 1
    return int(scale)


def _played(certificate: Certificate[Any], model: Any, arena: Arena, state: int) -> Iterator[str]:
    number, owner = state % len(model.states), arena.owners[state]
    name = model.states[number]
    if owner in (MAX, MIN):
        yield str(model.actions[number].index(certificate.policy[name]))
    elif owner == BOTH:
        sides = [
            " ".join(str(strategy.get(choice, 0)) for choice in choices)
            for choices, strategy in zip(
                model.actions[number], certificate.mixed[name], strict=True
            )
        ]
        yield " | ".join(sides if state == number else reversed(sides))


def moves_text(arena: Arena, state: int) -> str:
    owner = arena.owners[state]
    if owner == END:
        return f"end {text(arena.payoffs[state])}"
    parts = []
    for move in arena.moves(state):
        leads = " ".join(f"{weight} {target}" for target, weight in arena.leads(move))
        parts.append(f"{text(arena.rewards[arena.reward[move]])} {leads}")
    listed = " ; ".join(parts)
    if owner == BOTH:
        columns = arena.columns[state]
        return f"both {len(parts) // columns} {columns} ; {listed}"
    return f"{_OWNERS[owner]} {listed}"


def names_text(model: Any, arena: Arena, state: int) -> str:
    number = state % len(model.states)
    seen = " seen by the other side" if state >= len(model.states) else ""
    names = model.actions[number]
    actions = "" if names is None or arena.owners[number] == END else f": {ordered(names)!r}"
    return plain_text(f"{ordered(model.states[number])!r}{seen}{actions}")


def plain_text(name: str) -> str:
    return ascii(name)[1:-1]
