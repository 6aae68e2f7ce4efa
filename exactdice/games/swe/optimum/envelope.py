r"""Values as functions of the score: envelopes, the upper bounds of lines.

The probability that the score survives to the end, and the points to come, do not depend on the
score if the policy is fixed. So the value of a policy is a *line* :math:`A + B·s` in the score *s*:
*B* is the probability of no catastrophe and *A* the expected part of the final score that is yet to
be made. The value of optimal play is the maximum of many lines, an *envelope*.

An envelope is a sequence of *pieces* `(start, A, B)`: the line :math:`A + B·s` is the maximum from
the score `start` up to the next piece's start; the first piece starts at the least score in
question. *A* and *B* are integers over a denominator that the caller keeps. `Candidates` compares
the envelopes of the actions of a state over one denominator.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from exactdice.arithmetic import mpq, mpz
from exactdice.games.swe.rules import Action, ActionKind


class Piece(NamedTuple):
    """The line A + B·s, from the whole score `start` on."""

    start: int
    A: mpz
    B: mpz


Envelope: TypeAlias = tuple[Piece, ...]


def line_at(envelope: Sequence[Piece], score: int) -> Piece:
    """Return the piece at a score; the first one for scores below its start."""
    holding = envelope[0]
    for piece in envelope[1:]:
        if piece.start > score:
            break
        holding = piece
    return holding


def value_at(envelope: Sequence[Piece], score: int) -> mpz:
    _, A, B = line_at(envelope, score)
    return A + B * score


def restricted(envelope: Sequence[Piece], low: int, high: int) -> Envelope:
    kept: list[Piece] = []
    for piece in envelope:
        if piece.start > high:
            break
        if piece.start <= low:
            kept = [Piece(low, piece.A, piece.B)]
        elif piece[1:] != kept[-1][1:]:
            kept.append(piece)
    return tuple(kept)


def scaled(envelope: Sequence[Piece], factor: mpz) -> Envelope:
    if factor == 1:
        return tuple(envelope)
    return tuple(Piece(start, A * factor, B * factor) for start, A, B in envelope)


def best(envelopes: Iterable[Sequence[Piece]], low: int, high: int) -> Envelope:
    several = iter(envelopes)
    upper = restricted(next(several), low, high)
    for other in several:
        upper = _best_of_two(upper, restricted(other, low, high), high)
    return upper


def _best_of_two(first: Envelope, second: Envelope, high: int) -> Envelope:
    starts = sorted({piece.start for piece in (*first, *second)})
    upper: list[Piece] = []

    def append(start: int, piece: Piece) -> None:
        if not upper or upper[-1][1:] != piece[1:]:
            upper.append(Piece(start, piece.A, piece.B))

    for start, after in zip(starts, [*starts[1:], high + 1], strict=True):
        one, two = line_at(first, start), line_at(second, start)
        above, steeper = one.A - two.A, one.B - two.B
        at_start, at_end = above + steeper * start, above + steeper * (after - 1)
        if at_start >= 0 and at_end >= 0:
            append(start, one)
        elif at_start < 0 and at_end < 0:
            append(start, two)
        elif at_start >= 0:  # the first is lower just after the score above / −steeper
            append(start, one)
            append(int(above // -steeper) + 1, two)
        else:  # the first is as high from the score −above / steeper on, rounded up
            append(start, two)
            append(int(-(above // steeper)), one)
    return tuple(upper)


def added(parts: Iterable[tuple[mpz, int, Sequence[Piece]]], low: int, high: int) -> Envelope:
    """Return Σ w·e(s + shift) over parts (w, shift, e), as an envelope from `low` to `high`."""
    A, B = mpz(0), mpz(0)
    jumps: dict[int, tuple[mpz, mpz]] = {}
    for chance, shift, envelope in parts:
        before = (mpz(0), mpz(0))
        for start, a, b in envelope:
            line = (chance * (a + b * shift), chance * b)
            if start - shift <= low:
                A, B = A + line[0] - before[0], B + line[1] - before[1]
            elif start - shift <= high:
                a_jump, b_jump = jumps.get(start - shift, (0, 0))
                jumps[start - shift] = a_jump + line[0] - before[0], b_jump + line[1] - before[1]
            before = line
    pieces = [Piece(low, A, B)]
    for start in sorted(jumps):
        A, B = A + jumps[start][0], B + jumps[start][1]
        pieces.append(Piece(start, A, B))
    return restricted(pieces, low, high)


class Advice(NamedTuple):
    """An action, its value if all later play is optimal, and its regret."""

    action: Action
    value: mpq
    regret: mpq
    optimal: bool


class ScoreLine(NamedTuple):
    """The value A + B·score for the scores from `low` to `high`."""

    low: int
    high: int
    A: mpq
    B: mpq


class OptimalInterval(NamedTuple):
    """The optimal actions for all scores from `low` to `high`, in the canonical order."""

    low: int
    high: int
    actions: tuple[Action, ...]


class Candidates(NamedTuple):
    """The actions at some dice, in the canonical order, with their envelopes from low to high."""

    denominator: mpz  # of all envelopes
    envelopes: Mapping[Action, Envelope]
    low: int
    high: int

    def legal(self) -> "Candidates":
        legal = {a: e for a, e in self.envelopes.items() if a.kind is not ActionKind.SKIP}
        return self._replace(envelopes=legal)

    def advice(self, score: int) -> list[Advice]:
        """Evaluate each action at a score. A skip has a value, but is never optimal."""
        numerators = {a: value_at(e, score) for a, e in self.envelopes.items()}
        top = max(numerators[action] for action in self.legal().envelopes)
        return [
            Advice(
                action,
                mpq(worth, self.denominator),
                mpq(top - worth, self.denominator),
                action.kind is not ActionKind.SKIP and worth == top,
            )
            for action, worth in numerators.items()
        ]

    def optimal(self, score: int) -> tuple[Action, ...]:
        numerators = {a: value_at(e, score) for a, e in self.envelopes.items()}
        top = max(numerators.values())
        return tuple(action for action, worth in numerators.items() if worth == top)

    def lines(self) -> list[ScoreLine]:
        upper = best(self.envelopes.values(), self.low, self.high)
        ends = [*(piece.start - 1 for piece in upper[1:]), self.high]
        return [
            ScoreLine(
                piece.start, end, mpq(piece.A, self.denominator), mpq(piece.B, self.denominator)
            )
            for piece, end in zip(upper, ends, strict=True)
        ]

    def choices(self) -> list[OptimalInterval]:
        """Return the optimal actions as a function of the score.

        If each action has one line on an interval and the optimal actions at its ends are the same,
        they are so throughout. Other intervals are halved.
        """
        joined: list[OptimalInterval] = []
        waiting = [(self.low, self.high)]
        while waiting:
            low, high = waiting.pop()
            actions = self.optimal(low)
            bends = any(line_at(e, low) != line_at(e, high) for e in self.envelopes.values())
            if low < high and (bends or actions != self.optimal(high)):
                middle = (low + high) // 2
                waiting += [(middle + 1, high), (low, middle)]
            elif joined and joined[-1].actions == actions:
                joined[-1] = joined[-1]._replace(high=high)
            else:
                joined.append(OptimalInterval(low, high, actions))
        return joined
