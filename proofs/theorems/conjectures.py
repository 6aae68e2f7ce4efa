#!/usr/bin/env python3
"""Look for exceptions to the conjectures below theorem 22, in all games of at most R rounds.

    python proofs/theorems/conjectures.py R
    python proofs/theorems/conjectures.py R tables

Needs the package. Considers the states without legacy that are reachable from the empty table, and
computes their optimal actions exactly. Prints the results; exit status 1 if a conjecture fails.

With `tables` it computes for all tables of the game of R rounds, in interval arithmetic, which actions
may be optimal at some score. With more rounds left fewer scores are reachable (theorem 26).
"""

import sys
from collections.abc import Iterator
from itertools import pairwise

from exactdice.arithmetic import natural
from exactdice.errors import ExactDiceError
from exactdice.games.swe.optimum.exact import Solution, solve
from exactdice.games.swe.optimum.reachable import layers
from exactdice.games.swe.rules import STANDARD, ActionKind, Ladder, State, empty_table
from exactdice.native.swe_outlook import ANY_BEND
from exactdice.native.swe_outlook import solve as ahead_of
from exactdice.symbolic.ehrhart import Simplex

Dice = tuple[int, ...]


def scores_reached(rounds: int, ladder: Ladder) -> list[dict[Dice, int]]:
    """Return for each number of rounds left the reachable scores as bits, by dice without legacy.

    By theorem 26 scores reachable after fewer rounds remain reachable, so the longest game suffices.
    """
    every = layers(rounds - 1, empty_table(ladder))
    return [{dice: scores[-1] for dice, scores in layer.items()} for layer in every][::-1]


def stretches(
    solution: Solution, reached: list[dict[Dice, int]], dice: Dice
) -> Iterator[tuple[int, set[int], bool]]:
    """Yield rounds left, scores and whether creating is optimal there, rounds left ascending."""
    for left, scores in enumerate((layer.get(dice, 0) for layer in reached), 1):
        if scores:
            state = solution.with_least_score(State(dice, (0,) * len(dice), 0), left)
            for choice in solution.choices(state, left):
                held = {s for s in range(choice.low, choice.high + 1) if scores >> s & 1}
                yield left, held, any(action.kind is ActionKind.CREATE for action in choice.actions)


def by_tables(rounds: int) -> int:
    """Look for tables at which creating becomes optimal again with more rounds left."""
    ahead = ahead_of(rounds, STANDARD, (0,) * 5, (0,) * 5, bend=ANY_BEND)
    tables = pairs = some = every = 0
    for dice in Simplex(range(1, 6), rounds - 1):
        if not any(dice):
            continue
        moves = ahead.possible(dice)  # as bits; the lowest bit means creating
        tables, pairs = tables + 1, pairs + len(moves)
        for before, now in pairwise(moves):
            some += not before & 1 and now & 1
            every += before != 1 and now == 1
    print(f"{tables} tables, {pairs} pairs of a table and a number of rounds left")
    print(f"creating may be optimal at some score, but at none with one round fewer: {some}")
    print(f"only creating is optimal at all scores, but perhaps not with one round fewer: {every}")
    return int(some + every > 0)


def main(words: list[str]) -> int:
    try:
        rounds = natural(
            words[0] if words and words[1:] in ([], ["tables"]) else None, "rounds", least=2
        )
        if words[1:]:
            return by_tables(rounds)
        solution = solve(rounds)
    except ExactDiceError as problem:
        print(problem, file=sys.stderr)
        return 2
    states = late = back = 0
    lone: dict[bool, set[int]] = {True: set(), False: set()}  # rounds left, by whether to create
    reached = scores_reached(rounds, solution.ladder)
    for dice, _ in solution.blocks():
        promoted: set[int] = (
            set()
        )  # scores at which, with fewer rounds left, creating is not optimal
        for left, scores, creates in stretches(solution, reached, dice) if any(dice) else ():
            states += len(scores)
            if creates:
                back += len(promoted & scores)
            else:
                late += len(scores) if left <= 5 else 0
                promoted |= scores
            if sum(dice) == dice[0] == 1:
                lone[creates] |= {left} if scores else set()
    print(f"{states} states in games of at most {rounds} rounds")
    print(f"creating is not optimal with at most 5 rounds left: {late}")
    print(f"creating is optimal, but not with fewer rounds left: {back}")
    for creates, several in lone.items():
        verdict = "creating is optimal" if creates else "creating is not optimal"
        if several:
            print(f"at a lone d4 {verdict} with {min(several)} to {max(several)} rounds left")
    return int(late + back + len(lone[True] & lone[False]) > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
