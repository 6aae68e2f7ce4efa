#!/usr/bin/env python3
"""Look for exceptions to the conjectures below theorem 22, in all games of at most R rounds.

    python proofs/theorems/conjectures.py R

Needs the package. A state here has no legacy and can be reached from the empty table; what is optimal
in it is found exactly. Prints what was found; exit status 1 if one of the conjectures fails.
"""

import sys
from collections.abc import Iterator

from exactdice.arithmetic import natural
from exactdice.errors import ExactDiceError
from exactdice.games.swe.optimum.exact import Solution, solve
from exactdice.games.swe.rules import Kind, State


def intervals(solution: Solution, dice: tuple[int, ...]) -> Iterator[tuple[int, range, bool]]:
    """Yield rounds left, scores and whether creating is optimal there, rounds left ascending.

    With more rounds played the scores that are reached only become more, so those of the longest
    game are those of all games.
    """
    weight = sum(rung * number for rung, number in enumerate(dice, 1))
    for left in range(1, solution.rounds - weight + 1):
        state = solution.with_least_score(State(dice, (0,) * len(dice), 0), left)
        for choice in solution.choices(state, left):
            creates = any(action.kind is Kind.CREATE for action in choice.actions)
            yield left, range(choice.low, choice.high + 1), creates


def main(words: list[str]) -> int:
    try:
        rounds = natural(words[0] if len(words) == 1 else None, "rounds", least=2)
        solution = solve(rounds)
    except ExactDiceError as problem:
        print(problem, file=sys.stderr)
        return 2
    states = late = back = 0
    bounds: dict[int, list[int]] = {}  # scores at which a lone d4 is promoted, by rounds left
    for dice, _ in solution.blocks():
        promoted: set[int] = (
            set()
        )  # scores at which creating is not optimal, with fewer rounds left
        for left, scores, creates in intervals(solution, dice) if any(dice) else ():
            states += len(scores)
            if creates:
                back += len(promoted.intersection(scores))
            else:
                late += len(scores) if left <= 5 else 0
                promoted.update(scores)
                if sum(dice) == dice[0] == 1:
                    bounds.setdefault(left, []).extend(scores)
    print(f"{states} states in games of at most {rounds} rounds")
    print(f"creating is not optimal with at most 5 rounds left: {late}")
    print(f"creating is optimal, with fewer rounds left it was not: {back}")
    gaps = 0
    for left, scores in sorted(bounds.items()):
        print(f"a lone d4 with {left} rounds left: promoted at {min(scores)} to {max(scores)}")
        gaps += scores != list(range(1, max(scores) + 1))
    return int(late + back + gaps > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
