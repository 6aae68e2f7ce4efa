"""Games in which each player is dealt a hand, and both see every move afterwards.

Liar's dice and one-round poker are examples. The moves form a public tree, traversed once instead
of once for every deal; the hands count only at its ends. Each node is one information set for each
hand of the player who moves; numpy fills their arrays. `DealtGame.as_hidden` is the same game in
the general form.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np

from exactdice.arithmetic import RationalLike, amount, over_common_denominator
from exactdice.dice import Distribution
from exactdice.hidden.game import HiddenGame, choices_of
from exactdice.hidden.sequences import Array, SequenceForm, Side, integers
from exactdice.run import DEFAULT, Run
from exactdice.solve.game import ModelError
from exactdice.solve.turns import Choice, End, Turn

Seen = TypeVar("Seen", bound=Hashable)

_BYTES_OF_A_PAYOFF = 64  # during sorting
_TIME_OF_A_PAYOFF = 400  # nanoseconds; measured
_OFTEN = 4096


@dataclass(frozen=True)
class Showdown:
    """The end of play: the hands are shown, and `what` selects the payoff."""

    what: Hashable


@dataclass(frozen=True)
class DealtGame(Generic[Seen]):
    """A deal of two hands, and rules for public moves.

    `deals` is the distribution of the pairs (first player's hand, second player's), and `initial`
    is what both see at the beginning. `moves` returns what can happen next: a list of `Choice` or a
    `Turn`, each leading to one successor with reward 0, or `Showdown`. What both see must include
    every earlier move. `payoff` is the first player's, for ``what`` of the showdown, the first hand
    and the second; with `mean` it is the expected value of what follows the showdown.

    The higher card wins 1, or 2 if the first player raises and the second calls:

    >>> from exactdice.models import equilibrium, point_mass
    >>> def moves(seen):
    ...     if len(seen) == 2 or seen == ("check",):
    ...         return Showdown(seen)
    ...     actions = ("call", "fold") if seen else ("raise", "check")
    ...     return Turn(1 + len(seen), [Choice(a, 0, point_mass((*seen, a))) for a in actions])
    >>> def payoff(seen, mine, yours):
    ...     if seen[-1] == "fold":
    ...         return 1
    ...     return (1 if mine > yours else -1) * (2 if seen[-1] == "call" else 1)
    >>> cards = Distribution.from_faces([(a, b) for a in range(3) for b in range(3) if a != b])
    >>> equilibrium(DealtGame(cards, (), moves, payoff)).value
    Enclosure(mpq(1,18))
    """

    deals: Distribution[tuple[Any, Any]]
    initial: Seen
    moves: Callable[[Seen], "Sequence[Choice[Seen]] | Turn[Seen] | Showdown"]
    payoff: Callable[[Any, Any, Any], RationalLike]
    mean: bool = False

    def as_hidden(self) -> HiddenGame[Any]:
        """Return the same game with states (first hand, second hand, what both see)."""

        def moves(state: Any) -> Any:
            if state is None:
                return self.deals.map(lambda deal: (*deal, self.initial))
            *hands, seen = state
            turn = self.moves(seen)
            if isinstance(turn, Showdown):
                return End(self.payoff(turn.what, *hands), mean=self.mean)
            player, choices = choices_of(turn)
            dealt = [c.successors.map(lambda after: (*hands, after)) for c in choices]
            on = zip(choices, dealt, strict=True)
            return Turn(player, [Choice(c.action, c.reward, after) for c, after in on])

        def knows(state: Any) -> Any:
            player, _ = choices_of(self.moves(state[2]))
            return state[player - 1], state[2]

        return HiddenGame(None, moves, knows)

    def sequence_form(self, run: Run = DEFAULT) -> SequenceForm:
        """Build the sequence form: traverse the public tree, then fill in the hands.

        `run` limits the memory and reports progress. About 10 µs for each node, and 0.4 µs for each
        end and deal. Raises `ModelError` for invalid rules, with the node, and `TooLargeError`
        above the memory limit, before the hands are filled in.
        """
        public = _Public(self, run)
        payoffs = len(public.ends) * len(self.deals)
        needing = f"a sequence form of {payoffs} payoffs"
        run.require(payoffs * _BYTES_OF_A_PAYOFF, needing)
        run.expect(payoffs * _TIME_OF_A_PAYOFF, needing)
        return public.form()


class _Places:
    """The nodes at which one player moves, and the numbering of their sequences."""

    def __init__(self, player: int) -> None:
        self.player = player
        self.seen: list[Any] = []
        self.actions: list[tuple[Any, ...]] = []
        self.before: list[tuple[int, int]] = []  # the player's previous node and action
        self.depths: list[int] = []

    def add(self, seen: Any, actions: tuple[Any, ...], before: tuple[int, int]) -> int:
        self.seen.append(seen)
        self.actions.append(actions)
        self.before.append(before)
        self.depths.append(self.depths[before[0]] + 1 if before[0] >= 0 else 0)
        return len(self.seen) - 1

    def settle(self, hands: list[Any]) -> None:
        """Number the sequences: by depth of the node, then by hand."""
        self.hands = hands
        self.order = np.argsort(self.depths, kind="stable")
        self.widths = np.array([len(actions) for actions in self.actions], dtype=np.int64)
        sizes = self.widths[self.order] * len(hands)
        self.base = np.zeros(len(self.seen), dtype=np.int64)
        self.base[self.order] = 1 + np.cumsum(sizes) - sizes

    def sequence(self, place: Array, action: Array, hand: Array) -> Array:
        if not len(self.seen):
            return np.zeros(np.broadcast(place, hand).shape, dtype=np.int64)
        return np.where(place < 0, 0, self.base[place] + hand * self.widths[place] + action)

    def side(self) -> Side:
        order, hands = self.order, np.arange(len(self.hands))
        before = np.array(self.before, dtype=np.int64).reshape(-1, 2)[order]
        parent = self.sequence(before[:, :1], before[:, 1:], hands).ravel()
        widths = np.repeat(self.widths[order], len(hands))
        depths = np.bincount(np.array(self.depths, dtype=np.int64)) * len(hands)
        return Side(
            _Labels(self.hands, self.seen, order),
            _Labels(None, self.actions, order, len(hands)),
            parent.astype(np.int64),
            np.concatenate(([1], 1 + np.cumsum(widths))).astype(np.int64),
            np.concatenate(([0], np.cumsum(depths))).astype(np.int64),
        )


class _Labels(Sequence[Any]):
    """The knowledge or actions of each information set, computed on demand."""

    def __init__(self, hands: Any, seen: list[Any], order: Array, number: int = 0) -> None:
        self.hands, self.seen, self.order = hands, seen, order
        self.number = number or len(hands)

    def __len__(self) -> int:
        return len(self.order) * self.number

    def __getitem__(self, place: Any) -> Any:
        at, hand = divmod(int(place), self.number)
        seen = self.seen[self.order[at]]
        return seen if self.hands is None else (self.hands[hand], seen)


class _Public:
    def __init__(self, game: DealtGame[Any], run: Run) -> None:
        self.game, self.places = game, (_Places(1), _Places(2))
        self.ends: list[tuple[Any, int, int, int, int]] = []
        nowhere, met = (-1, 0), set()
        waiting: list[Any] = [(game.initial, nowhere, nowhere)]
        while waiting:
            seen, one, two = waiting.pop()
            if seen in met:
                raise ModelError(f"moves: got {seen!r} twice; expected every earlier move in it")
            met.add(seen)
            if len(met) % _OFTEN == 0:
                run.tell("places", len(met))
                run.require(1000 * len(met), "the tree of what is seen")
            turn = game.moves(seen)
            if isinstance(turn, Showdown):
                self.ends.append((turn.what, *one, *two))
                continue
            player, choices = choices_of(turn)
            before = one if player == 1 else two
            place = self.places[player - 1].add(seen, tuple(c.action for c in choices), before)
            for number, choice in enumerate(choices):
                if len(choice.successors) != 1 or choice.reward:
                    problem = f"moves({seen!r}): got {choice!r}; expected one successor, reward 0"
                    raise ModelError(problem)
                at = place, number
                (after,) = choice.successors
                waiting.append((after, at, two) if player == 1 else (after, one, at))

    def form(self) -> SequenceForm:
        deals = self.game.deals
        hands = [list(dict.fromkeys(deal[player] for deal in deals)) for player in (0, 1)]
        for places, of_player in zip(self.places, hands, strict=True):
            places.settle(of_player)
        one, two = self.places
        at = np.array([end[1:] for end in self.ends], dtype=np.int64)
        by_kind: dict[Any, list[int]] = {}
        for number, end in enumerate(self.ends):
            by_kind.setdefault(end[0], []).append(number)
        paid = {
            what: [amount(self.game.payoff(what, *deal), "payoff") for deal in deals]
            for what in by_kind
        }
        flat, common = over_common_denominator(p for row in paid.values() for p in row)
        weights = list(deals.values())
        mine = np.array([hands[0].index(deal[0]) for deal in deals])
        yours = np.array([hands[1].index(deal[1]) for deal in deals])
        parts = []
        for kind, numbers in enumerate(by_kind.values()):
            whole = flat[kind * len(weights) : (kind + 1) * len(weights)]
            payoffs = integers([w * p for w, p in zip(weights, whole, strict=True)])
            some = np.flatnonzero(payoffs)
            ends = at[numbers]
            rows = one.sequence(ends[:, :1], ends[:, 1:2], mine[some])
            columns = two.sequence(ends[:, 2:3], ends[:, 3:], yours[some])
            values = np.broadcast_to(payoffs[some], rows.shape)
            parts.append((rows.ravel(), columns.ravel(), values.ravel()))
        rows, columns, payoffs = (np.concatenate(part) for part in zip(*parts, strict=True))
        order = np.lexsort((columns, rows))
        rows, columns, payoffs = (part[order] for part in (rows, columns, payoffs))
        denominator = common * deals.denominator
        bound = max(int(max(map(abs, flat), default=0) * deals.denominator), 1)
        is_new = (rows[1:] != rows[:-1]) | (columns[1:] != columns[:-1])
        if not is_new.all():  # one pair of sequences for several deals
            firsts = np.flatnonzero(np.append(True, is_new))
            sums = np.add.reduceat(payoffs if bound < 1 << 62 else payoffs.astype(object), firsts)
            rows, columns, payoffs = rows[firsts], columns[firsts], sums
        sides, histories = (one.side(), two.side()), len(self.ends) * len(deals)
        return SequenceForm(sides, rows, columns, payoffs, denominator, bound, histories)
