"""Values of states that can all reach one another: by policies, each evaluated by elimination.

Under fixed moves by which play leaves the states, their values solve :math:`v = r + P v`, which has
one solution. States are eliminated one after another, those first that join the fewest pairs of
others (Markowitz 1957), so that chains and grids stay sparse; the rest, once it is full, is one
dense system for FLINT's Dixon lifting. Divisors are never differences (Grassmann, Taksar and Heyman
1985), so that a division by 0 means exactly that play need not leave. All is exact; or, with
`bits`, rounded down to that many binary digits at each step, which proves nothing.

For a single player the value is the greatest expected total reward over the *proper* policies,
those under which play ends with probability 1 from every state. It exists exactly if some policy is
proper and no cycle that a policy can keep to gains on average (Bertsekas and Tsitsiklis,
*Mathematics of Operations Research* 16, 1991).

If one side chooses, Howard's policy iteration (1960) finds the value: evaluate, then switch each
state in which some move returns strictly more, until there is none. Each new policy leaves too and
is nowhere worse, or it has a recurrent class in which a move was switched: there the average reward
is positive, play may stay as long as it likes, and no finite value exists.

If both choose, both switch together; if that does not settle, strategy iteration does (Hoffman and
Karp, *Management Science* 12, 1966): hold moves of one side fixed by which play leaves whatever the
other does, find the other's best response, and switch the first side's moves only if another one
returns more. If rewards are 0, as for the probability to reach a goal, such moves keep play ending:
in a cycle that can be kept to forever all values are equal, so that nothing was switched there.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from heapq import heapify, heappop, heappush
from itertools import chain, compress
from typing import Any

from exactdice.arithmetic import from_flint, lcm, mpq, mpz, rounded, to_flint
from exactdice.errors import TooLargeError
from exactdice.solve.arena import CHANCE, END, MAX, MIN, Arena, NoValueError, named
from exactdice.solve.stopping import endless, ranked, undecided

_GUARD_BITS = 64
_NEAR = 8  # units by which a rounded return must be better
_FEW = 8  # states that are eliminated however full their system is
# Measured: joining so many pairs takes a minute in rounded numbers; so few of them a second in
# fractions, in moves that are improved some times.
MOST_JOINED, FEW_JOINED = 50_000_000, 30_000
_AT_ONCE = 1000  # the part of the cube of unknowns that solving for them at once costs
_MAX_JOINT = 30
_MAX_IMPROVEMENTS = 1000


class Chain:
    """The system x_i = right_i + Σ_j rows_ij x_j, whose rows leave with probability `leaving`."""

    def __init__(
        self, rows: list[dict[int, mpq]], leaving: list[mpq], right: list[mpq], bits: int | None
    ) -> None:
        self.rows, self.leaving, self.right, self.bits = rows, leaving, right, bits
        self.led: list[set[int]] = [set() for _ in rows]
        for i, row in enumerate(rows):
            for j in row:
                self.led[j].add(i)

    def solve(self, most: int = MOST_JOINED) -> list[mpq]:
        """Return all x; raise ZeroDivisionError if some states are never left."""
        rows, led = self.rows, self.led
        waiting = [(len(row) * len(led[i]), i) for i, row in enumerate(rows)]
        heapify(waiting)
        left, order, joined = [True] * len(rows), list[int](), 0
        x = self.right
        while waiting:
            cost, i = heappop(waiting)
            if not left[i] or cost != len(rows[i]) * len(led[i]):
                continue
            many = len(rows) - len(order)
            at_once = self.bits is None and many > _FEW and 2 * cost > many * many
            joined += many**3 // _AT_ONCE if at_once else cost
            if joined > most:
                raise TooLargeError(
                    f"model: {len(rows)} states lead to one another in too many ways to be solved; "
                    "ask for an enclosure of some width"
                )
            if at_once:
                self._solve_at_once(list(compress(range(len(rows)), left)))
                break
            left[i] = False
            order.append(i)
            for j in self._eliminate(i):
                heappush(waiting, (len(rows[j]) * len(led[j]), j))
        for i in reversed(order):
            x[i] += sum([weight * x[j] for j, weight in rows[i].items()], mpq(0))
            x[i] = rounded(x[i], self.bits)
        return x

    def _eliminate(self, i: int) -> set[int]:
        rows, led, bits = self.rows, self.led, self.bits
        row = rows[i]
        row.pop(i, None)
        led[i].discard(i)
        for j in row:
            led[j].discard(i)
        scale = 1 / (self.leaving[i] + sum(row.values(), mpq(0)))
        for j in row:
            row[j] = rounded(row[j] * scale, bits)
        leaving, shares = rounded(self.leaving[i] * scale, bits), dict[int, mpq]()
        for k in led[i]:
            other = rows[k]
            share = shares[k] = other.pop(i)
            for j, weight in row.items():
                if j in other:
                    other[j] = rounded(other[j] + share * weight, bits)
                else:
                    other[j] = rounded(share * weight, bits)
                    led[j].add(k)
            self.leaving[k] = rounded(self.leaving[k] + share * leaving, bits)
        self._carry(i, scale, shares)
        return led[i].union(row)

    def _carry(self, i: int, scale: mpq, shares: dict[int, mpq]) -> None:
        right = self.right[i] = self.right[i] * scale
        for k, share in shares.items():
            self.right[k] = rounded(self.right[k] + share * right, self.bits)

    def _solve_at_once(self, states: list[int]) -> None:
        from flint import fmpq_mat  # takes longer to load than small games to solve

        place = {state: i for i, state in enumerate(states)}
        system, right = fmpq_mat(len(states), len(states)), fmpq_mat(len(states), 1)
        for i, state in enumerate(states):
            system[i, i] = 1
            right[i, 0] = to_flint(self.right[state])
            for j, weight in self.rows[state].items():
                system[self._place(i, place[j])] -= to_flint(weight)
        solution = system.solve(right, algorithm="dixon")  # type: ignore[call-arg]
        for i, state in enumerate(states):
            self.right[state] = from_flint(solution[i, 0])

    def _place(self, i: int, j: int) -> tuple[int, int]:
        return i, j


class Visits(Chain):
    """The system x_j = right_j + Σ_i x_i rows_ij: how often each state is visited on average."""

    def _carry(self, i: int, scale: mpq, shares: dict[int, mpq]) -> None:
        visits = self.right[i]
        for j, weight in self.rows[i].items():
            self.right[j] += visits * weight
        self.right[i] = visits * scale
        self.rows[i] = {k: share * scale for k, share in shares.items()}

    def _place(self, i: int, j: int) -> tuple[int, int]:
        return j, i


class Cycle:
    """One component with cycles, of an arena that does not change sides.

    `scaled` holds the values of its states and of those it leads to, times `common`: the common
    denominator of the latter, or 2 to the power of `bits`.
    """

    def __init__(
        self,
        arena: Arena,
        states: Sequence[int],
        values: Any,
        bits: int | None = None,
        most: int = MOST_JOINED,
    ) -> None:
        self.arena, self.states, self.bits, self.most = arena, states, bits, most
        self.number = {state: place for place, state in enumerate(states)}
        outside = {t for state in states for t in arena.successors(state)} - self.number.keys()
        denominators = {values[target].denominator for target in outside}
        self.common = lcm(1, *denominators) if bits is None else mpz(1) << bits
        self.scaled: dict[int, mpq] = {target: values[target] * self.common for target in outside}

    def value(self, state: int) -> mpq:
        return self.scaled[state] / self.common

    def best_moves(self, state: int) -> tuple[bool, list[int]]:
        """Return whether some move returns more to its owner than the value, and all best moves."""
        best, moves = self.arena.best_return(state, self.scaled, self.common)
        return abs(best - self.scaled[state]) > (0 if self.bits is None else _NEAR), moves

    def better(self, *sides: int) -> dict[int, int]:
        """The first best move of each state of some sides in which it returns more."""
        owners = self.arena.owners
        best = {s: self.best_moves(s) for s in self.states if owners[s] in sides}
        return {state: moves[0] for state, (is_better, moves) in best.items() if is_better}

    def evaluate(self, chosen: dict[int, int]) -> None:
        """Store the values of the chosen moves; raise ZeroDivisionError if play need not leave."""
        arena, number = self.arena, self.number
        rows, leaving, right = [], [], []
        for state in self.states:
            move = chosen[state]
            whole = arena.denominators[arena.law[move]]
            row, out, known = dict[int, mpq](), 0, mpq(0)
            for target, weight in arena.leads(move):
                if target in number:
                    place = number[target]
                    row[place] = row.get(place, mpq(0)) + mpq(weight, whole)
                else:
                    out += weight
                    known += weight * self.scaled[target]
            rows.append(row)
            leaving.append(mpq(out, whole))
            right.append(known / whole + arena.rewards[arena.reward[move]] * self.common)
        bits = None if self.bits is None else self.bits + _GUARD_BITS
        values = Chain(rows, leaving, right, bits).solve(self.most)
        for state, value in zip(self.states, values, strict=True):
            self.scaled[state] = value if bits is None else rounded(value, 0)

    def solve(self, names: Sequence[Any], start: Sequence[int] | None = None) -> dict[int, int]:
        """Return the moves of optimal play, from good moves of all states if some are known."""
        owners = {self.arena.owners[state] for state in self.states} - {CHANCE, END}
        if start is not None:
            with suppress(ZeroDivisionError):
                guessed = {state: start[state] for state in self.states}
                return self._improved(guessed, *owners, most=_MAX_JOINT)
        chosen = self.leaving_moves(None)
        if chosen is None:
            raise endless(names, self.states)
        if len(owners) > 1:
            return self._solve_both(chosen, names)
        try:
            return self._improved(chosen, *owners)
        except ZeroDivisionError:
            raise self._unbounded(names, is_most=MAX in owners) from None

    def _unbounded(self, names: Sequence[Any], *, is_most: bool) -> NoValueError:
        gain, sign, aim = ("gain", "below", "min") if is_most else ("lose", "above", "max")
        alone = not self.arena.is_owned(MIN if is_most else MAX)
        return NoValueError(
            f"model: has no finite value; play can {gain} without bound by repeating "
            f"{named([names[state] for state in self.states])}; "
            f"{f'{aim}imise, or ' if alone else ''}pay a reward {sign} 0"
        )

    def _improved(
        self, chosen: dict[int, int], *sides: int, most: int = _MAX_IMPROVEMENTS
    ) -> dict[int, int]:
        for _ in range(most):
            self.evaluate(chosen)
            better = self.better(*sides)
            if not better:
                return chosen
            chosen = chosen | better
        raise ZeroDivisionError

    def _solve_both(self, chosen: dict[int, int], names: Sequence[Any]) -> dict[int, int]:
        """Both sides together; otherwise one side's moves against best responses."""
        try:
            return self._improved(chosen, MAX, MIN, most=_MAX_JOINT)
        except ZeroDivisionError:
            pass
        for fixed in (MAX, MIN):
            kept = self.leaving_moves(-fixed)
            try:
                for _ in range(_MAX_IMPROVEMENTS if kept else 0):
                    kept = self._improved(kept or {}, -fixed)
                    better = self.better(fixed)
                    if not better:
                        return kept
                    kept = kept | better
            except ZeroDivisionError:
                pass
        raise undecided(names, self.states)

    def leaving_moves(self, against: int | None) -> dict[int, int] | None:
        """Return moves by which play leaves the component whatever one side does; None if none."""
        arena, outside = self.arena, len(self.states)

        def heads(move: int) -> list[int]:
            return [self.number.get(target, outside) for target in arena.heads(move)]

        def obliged(place: int) -> Iterable[Sequence[int]]:
            state = self.states[place]
            each = map(heads, arena.moves(state))
            return each if arena.owners[state] == against else [list(chain(*each))]

        *ranks, _ = ranked(outside + 1, [outside], obliged)
        if -1 in ranks:
            return None
        ranks.append(0)
        return {
            state: next(m for m in arena.moves(state) if min(ranks[t] for t in heads(m)) < rank)
            for state, rank in zip(self.states, ranks, strict=False)
        }
