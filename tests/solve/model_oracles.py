"""Slow ways to the values of small games: every strategy is tried, its chain solved in fractions.

States are 0, 1, … and "end"; a table gives for each state what `moves` says there.
"""

import importlib.util
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from gmpy2 import mpq
from hypothesis import strategies as st

from exactdice.arithmetic import rational
from exactdice.dice import Distribution
from exactdice.hidden.game import HiddenGame
from exactdice.models import Both, Chance, Choice, End, Other, Turn, point_mass
from exactdice.solve.arena import Arena

REWARDS = st.sampled_from([-2, -1, 0, 0, 0, 1, 1, 2, Fraction(1, 3)])


def solved(matrix, right):
    """Gauss–Jordan elimination; None if the matrix is singular."""
    rows = [[*row, b] for row, b in zip(matrix, right, strict=True)]
    for column in range(len(rows)):
        pivot = next((r for r in range(column, len(rows)) if rows[r][column]), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [x / rows[column][column] for x in rows[column]]
        for r, row in enumerate(rows):
            if r != column:
                rows[r] = [x - row[column] * y for x, y in zip(row, rows[column], strict=True)]
    return [row[-1] for row in rows]


def arena_of(*states):
    """Arena of states in order: a payoff, or an owner (BOTH with its columns) and its moves.

    A move is its reward and its successors, each once or as a pair (weight, successor).
    """
    arena = Arena()
    for state in states:
        if not isinstance(state, tuple):
            arena.end(mpq(state))
            continue
        owner, *moves = state
        arena.open(*(owner if isinstance(owner, tuple) else (owner,)))
        for reward, *successors in moves:
            pairs = [to if isinstance(to, tuple) else (1, to) for to in successors]
            arena.move(mpq(reward), tuple(w for w, _ in pairs), tuple(to for _, to in pairs))
    return arena


def module_at(*path):
    """The module of a file in the repository."""
    file = Path(__file__).parents[2].joinpath(*path)
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def fraction(number):
    exact = rational(number)  # of an Enclosure, too
    return Fraction(int(exact.numerator), int(exact.denominator))


def refuses(error, match, call, *args, **how):
    with pytest.raises(error, match=match) as refusal:
        call(*args, **how)
    assert "\n" not in str(refusal.value)


def go(action, state, reward=0):
    return Choice(action, reward, point_mass(state))


@st.composite
def laws(draw, size, *, ends, turns=False):
    """A distribution over the states; where `ends`, play may end at once."""
    targets = st.sampled_from([*range(size), "end"])
    counts = st.dictionaries(targets, st.integers(1, 3), min_size=1, max_size=3)
    weights = draw(counts)
    if turns:
        weights = {
            Other(state) if state != "end" and draw(st.booleans()) else state: weight
            for state, weight in weights.items()
        }
    if ends:
        weights["end"] = weights.get("end", 0) + draw(st.integers(1, 3))
    return Distribution(weights)


@st.composite
def tables(draw, *, players, ends, both=False, turns=False):
    """Up to four states of each kind that the number of players allows."""
    size = draw(st.integers(1, 3 if both else 4))
    table = {"end": End(draw(REWARDS) if ends else 0)}

    def law():
        return draw(laws(size, ends=ends, turns=turns))

    for state in range(size):
        kinds = [
            "chance", *(["first"] * 2 if players else []), *(["second"] * 2)[: players - 1 or 0]
        ]  # fmt: skip
        kind = "both" if both and draw(st.booleans()) else draw(st.sampled_from(kinds))
        choices = [Choice(a, draw(REWARDS), law()) for a in range(draw(st.integers(1, 3)))]
        if kind == "both":
            shape = product(range(draw(st.integers(1, 3))), range(draw(st.integers(1, 2))))
            table[state] = Both({pair: Chance(draw(REWARDS), law()) for pair in shape})
        elif kind == "chance":
            table[state] = Chance(draw(REWARDS), law())
        elif kind == "second":
            table[state] = Turn(2, choices)
        else:
            table[state] = choices
    return table


def ways(turn):
    if isinstance(turn, Turn):
        return list(turn.choices)
    return turn if isinstance(turn, list) else [turn]


def chain_values(table, chosen):
    """Values of a chain, from its chosen ways; None if they are not determined."""
    states = [state for state in table if state != "end"]
    payoff = fraction(table["end"].payoff)
    matrix = [[Fraction(s == t) for t in states] for s in states]
    right = [fraction(chosen[state].reward) for state in states]
    for row, state in enumerate(states):
        law = chosen[state].successors
        for successor, weight in law.items():
            sign = -1 if type(successor) is Other else 1
            after = successor.state if sign < 0 else successor
            share = Fraction(weight, law.denominator) * sign
            if after == "end":
                right[row] += share * payoff
            else:
                matrix[row][states.index(after)] -= share
    values = solved(matrix, right)
    if values is None:
        return None
    return dict(zip(states, values, strict=True)) | {"end": payoff}


def turn_game_values(table):
    """Greatest over strategies of the first, of the least over those of the second; play ends."""
    states = [state for state in table if state != "end"]
    first = [s for s in states if isinstance(table[s], list)]
    second = [s for s in states if isinstance(table[s], Turn)]
    fixed = {s: table[s] for s in states if s not in first and s not in second}
    best = {}
    for mine in product(*(ways(table[s]) for s in first)):
        worst = {}
        for theirs in product(*(ways(table[s]) for s in second)):
            chosen = fixed | dict(zip(first, mine, strict=True))
            values = chain_values(table, chosen | dict(zip(second, theirs, strict=True)))
            worst = {s: min(v, worst.get(s, v)) for s, v in values.items()}
        best = {s: max(v, best.get(s, v)) for s, v in worst.items()}
    return best


#: The state to be reached.
GOAL = 1


def goal_chances(table, way):
    """Probabilities to reach the goal under chosen moves; 0 if no move leads there."""
    states = [state for state in table if state not in ("end", GOAL)]
    near = {GOAL}
    while more := {s for s in states if s not in near and near & set(way[s].successors)}:
        near |= more
    paid = {s: Chance(0, way[s].successors if s in near else point_mass("end")) for s in states} | {
        GOAL: Chance(1, point_mass("end"))
    }
    return chain_values({**paid, "end": End(0)}, paid)


def kuhn():
    """Kuhn (1950): cards 1, 2, 3, an ante of 1, one bet of 1."""

    def moves(state):
        if not state:
            cards = (1, 2, 3)
            return Distribution.from_faces([(a, b, "") for a in cards for b in cards if a != b])
        one, two, said = state
        if said.endswith("bp"):
            return End(1 if said == "bp" else -1)
        if said in ("pp", "bb", "pbb"):
            return End((1 if one > two else -1) * (1 if said == "pp" else 2))
        after = [(one, two, said + a) for a in "pb"]
        return Turn(1 + len(said) % 2, [Choice(s[2][-1], 0, point_mass(s)) for s in after])

    return HiddenGame((), moves, lambda state: (state[len(state[2]) % 2], state[2]))
