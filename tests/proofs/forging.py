"""Small random games with true and false certificates, which brute force decides.

A `Paper` is the content of a file. Brute force fixes one side's strategy, tries every positional
strategy of the other (enough against a fixed strategy), and solves each Markov chain in fractions.
It shares no code with the checker or the package.
"""

import copy
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from random import Random

# A move: its reward, and (weight, target) of each successor.
Move = tuple[Fraction, list[tuple[int, int]]]
# In a state: its moves with their probabilities.
Part = list[tuple[Fraction, Move]]


@dataclass
class Paper:
    """A game with bounds, ranks and strategies."""

    question: str
    players: int
    owners: list[str]
    payoffs: dict[int, Fraction]
    moves: list[list[Move]]
    columns: dict[int, int]
    lower: list[Fraction] = field(default_factory=list)
    upper: list[Fraction] = field(default_factory=list)
    ranks: tuple[list[int], list[int]] = ([], [])
    # the index of a move, or the weights of rows and of columns
    policy: dict[int, int | tuple[list[int], list[int]]] = field(default_factory=dict)
    scale: int = 1

    def lines(self) -> list[str]:
        """The lines of the file."""
        head = ["exactdice-certificate 1", f"question {self.question}", f"players {self.players}"]
        head += [f"states {len(self.owners)}", "initial 0", f"scale {self.scale}"]
        head += [f"claim {self.lower[0]} {self.upper[0]}", "bounds"]
        bounds, states = [], []
        for state, owner in enumerate(self.owners):
            done = self.policy.get(state, "")
            if isinstance(done, tuple):
                done = " | ".join(" ".join(map(str, weights)) for weights in done)
            low, high = self.lower[state] * self.scale, self.upper[state] * self.scale
            bounds.append(f"{low} {high} {self.ranks[0][state]} {self.ranks[1][state]} {done}")
            listed = [
                f"{reward} " + " ".join(f"{weight} {target}" for weight, target in leads)
                for reward, leads in self.moves[state]
            ]
            if owner == "end":
                listed = [str(self.payoffs[state])]
            elif owner == "both":
                width = self.columns[state]
                listed.insert(0, f"{len(listed) // width} {width}")
            states.append(f"{owner} " + " ; ".join(listed))
        return [f"{line}\n" for line in [*head, *bounds, "moves", *states, "done"]]


def random_paper(random: Random) -> Paper:
    """A random game with the values under random strategies, and perhaps correct ranks."""
    question = random.choice(["total", "total", "reach", "draws"])
    kinds = random.choice([("first",), ("second",), ("first", "second"), ("first", "both")])
    if question == "draws":
        kinds = tuple(kind for kind in kinds if kind != "both")
    inner, ends = random.randint(1, 4), random.randint(1, 2)
    owners = [random.choice((*kinds, "chance")) for _ in range(inner)] + ["end"] * ends
    is_two = "both" in owners or {"first", "second"} <= set(owners)
    paper = Paper(question, 2 if is_two else random.choice([1, 1, 2]), owners, {}, [], {})
    for state, owner in enumerate(owners):
        if owner == "end":
            values = [0, 1] if question == "reach" else [-1, 0, 1, Fraction(1, 2)]
            paper.payoffs[state] = Fraction(random.choice(values))
            paper.moves.append([])
            continue
        height, width = (2, random.randint(1, 2)) if owner == "both" else (random.randint(1, 3), 1)
        if owner == "both":
            paper.columns[state] = width
        count = 1 if owner == "chance" else height * width
        paper.moves.append([_random_move(random, question, len(owners)) for _ in range(count)])
    _settle(paper, random)
    return paper


def _random_move(random: Random, question: str, states: int) -> Move:
    reward = Fraction(0)
    if question == "total":
        reward = Fraction(random.choice([0, 0, 0, 1, -1, Fraction(1, 2)]))
    targets = random.sample(range(states), random.randint(1, min(2, states)))
    return reward, [(random.choice([1, 1, 2]), target) for target in targets]


def _settle(paper: Paper, random: Random) -> None:
    """Add random or improved strategies, their values, and ranks."""
    n = len(paper.owners)
    paper.policy = {
        state: ([1, 1], [1] * paper.columns[state])
        if owner == "both"
        else random.randrange(len(paper.moves[state]))
        for state, owner in enumerate(paper.owners)
        if owner in ("first", "second", "both")
    }
    for _ in range(random.randint(0, 3)):  # improve it, so that many papers are true
        values = _valued(paper, _parts(paper, {}))
        for state, owner in enumerate(paper.owners):
            if owner in ("first", "second"):
                sign = 1 if owner == "first" else -1
                means = [sign * _mean(move, values) for move in paper.moves[state]]
                paper.policy[state] = means.index(max(means))
    paper.lower = _valued(paper, _parts(paper, {}))
    paper.upper = list(paper.lower)
    distances = _distances(paper)
    paper.ranks = (list(distances), list(distances))
    if random.random() < 0.3:
        paper.ranks = tuple([random.randrange(n + 1) for _ in range(n)] for _ in range(2))
    paper.scale = random.choice([1, 1, 6])


def _distances(paper: Paper) -> list[int]:
    """Steps to a terminal state under the worst free choices, at most the number of states."""
    n = len(paper.owners)
    ranks = [0 if owner == "end" else n for owner in paper.owners]
    for _ in range(n):
        for state in range(n):
            if paper.owners[state] != "end":
                steps = [min(ranks[t] for _, t in leads) for _, leads in paper.moves[state]]
                fixed = paper.policy.get(state, 0)
                is_fixed = isinstance(fixed, int) and paper.players < 2
                ranks[state] = min(n, 1 + (steps[fixed] if is_fixed else max(steps)))
    return ranks


_CHANGES = ["bounds", "all bounds", "wide", "policy", "rank", "payoff"]
_CHANGES += ["owner", "weight", "target", "reward", "players", "question"]


def forged(paper: Paper, random: Random) -> Paper:
    """A copy of a paper with one to three changes."""
    changed = copy.deepcopy(paper)
    for _ in range(random.choice([1, 1, 2, 3])):
        _forge(changed, random)
    return changed


def _forge(paper: Paper, random: Random) -> None:
    n = len(paper.owners)
    state = random.randrange(n)
    inner = [s for s in range(n) if paper.owners[s] != "end"]
    place = random.choice(inner)
    what = random.choice(_CHANGES)
    step = random.choice([1, -1]) * Fraction(1, random.choice([1, 2, 6, 1000]))
    if what == "bounds":
        random.choice([paper.lower, paper.upper])[state] += step
    elif what == "all bounds":
        for s in (s for s in inner if random.random() < 0.7):
            paper.lower[s] += step
            paper.upper[s] += step
    elif what == "wide":
        paper.lower = [low - abs(step) * random.randint(0, 2) for low in paper.lower]
        paper.upper = [high + abs(step) * random.randint(0, 2) for high in paper.upper]
    elif what == "policy" and place in paper.policy:
        if paper.owners[place] == "both":
            weights = random.choice(paper.policy[place])
            weights[random.randrange(len(weights))] = random.randint(0, 2)
        else:
            paper.policy[place] = random.randrange(len(paper.moves[place]))
    elif what == "rank":
        random.choice(paper.ranks)[state] = random.randrange(n + 2)
    elif what == "payoff":
        end = random.choice([s for s in range(n) if paper.owners[s] == "end"])
        paper.payoffs[end] = 1 - paper.payoffs[end] if paper.question == "reach" else step
    elif what == "owner" and paper.owners[place] in ("first", "second"):
        paper.owners[place] = "second" if paper.owners[place] == "first" else "first"
    elif what in ("weight", "target", "reward"):
        number = random.randrange(len(paper.moves[place]))
        reward, leads = paper.moves[place][number]
        spot = random.randrange(len(leads))
        weight, target = leads[spot]
        if what == "weight":
            leads[spot] = (weight + random.choice([1, 2, -1]), target)
        elif what == "target":
            leads[spot] = (weight, random.randrange(n))
        else:
            paper.moves[place][number] = (reward + step, leads)
    elif what == "players":
        paper.players = random.randint(0, 2)
    elif what == "question":
        paper.question = random.choice(["total", "reach", "draws"])


def read(text: str) -> tuple[Paper, bool]:
    """Read an accepted file; also return whether its initial bounds imply the claim."""
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    head = dict(line.split(maxsplit=1) for line in lines[1:7])
    states, scale = int(head["states"]), int(head["scale"])
    paper = Paper(head["question"], int(head["players"]), [], {}, [], {}, scale=scale)
    listed = zip(lines[8 : 8 + states], lines[9 + states : 9 + 2 * states], strict=True)
    for state, (bounds, moves) in enumerate(listed):
        low, high, *words = bounds.split()
        paper.lower.append(Fraction(low) / scale)
        paper.upper.append(Fraction(low if high == "=" else high) / scale)
        for ranks, word in zip(paper.ranks, words, strict=False):
            ranks.append(int(word))
        owner, _, rest = moves.partition(" ")
        paper.owners.append(owner)
        parts = [] if owner == "end" else rest.split(";")
        if owner == "end":
            paper.payoffs[state] = Fraction(rest.strip())
        elif owner == "both":
            paper.columns[state] = int(parts.pop(0).split()[1])
            row, column = (list(map(int, part.split())) for part in " ".join(words[2:]).split("|"))
            paper.policy[state] = row, column
        elif owner != "chance":
            paper.policy[state] = int(words[2])
        paper.moves.append([])
        for reward, *leads in map(str.split, parts):
            pairs = zip(map(int, leads[::2]), map(int, leads[1::2]), strict=True)
            paper.moves[-1].append((Fraction(reward), list(pairs)))
    low, high = map(Fraction, head["claim"].split())
    at = int(head["initial"])
    return paper, low <= paper.lower[at] and paper.upper[at] <= high


# Brute force ----------------------------------------------------------------------------------


def is_true(paper: Paper) -> bool:
    """Whether the strategies of a paper guarantee its bounds in every state."""
    alone, sides = paper.question == "total" and paper.players < 2, ("first", "second")
    if paper.players < 2 and ("both" in paper.owners or set(sides) <= set(paper.owners)):
        return False  # contradicts the number of players
    for free in sides:
        places = [s for s, owner in enumerate(paper.owners) if owner in (free, "both")]
        choices = [range(_options(paper, s, free)) for s in places]
        for tried in product(*choices):
            parts = _parts(paper, dict(zip(places, tried, strict=True)), free)
            infinite = _infinite(paper, parts)
            values = _valued(paper, parts)
            for state in range(len(paper.owners)):
                if paper.question == "total" and infinite & _reached(parts, state):
                    if alone and places:
                        continue  # only policies that end count
                    return False
                value, first = values[state], free == "first"
                if value > paper.upper[state] if first else value < paper.lower[state]:
                    return False
    return True


def _options(paper: Paper, state: int, free: str) -> int:
    if paper.owners[state] != "both":
        return len(paper.moves[state])
    width = paper.columns[state]
    return len(paper.moves[state]) // width if free == "first" else width


def _parts(paper: Paper, tried: dict[int, int], free: str = "") -> list[Part]:
    """The chain under the strategies, with the tried choices of the free side."""
    parts: list[Part] = []
    for state, moves in enumerate(paper.moves):
        fixed = paper.policy.get(state, 0)
        if not moves:
            parts.append([])
        elif isinstance(fixed, int):
            parts.append([(Fraction(1), moves[tried.get(state, fixed)])])
        else:
            width, (rows, columns) = paper.columns[state], fixed
            if state in tried:
                size = len(rows if free == "first" else columns)
                own = [int(place == tried[state]) for place in range(size)]
                rows, columns = (own, columns) if free == "first" else (rows, own)
            pairs = product(enumerate(rows), enumerate(columns))
            total = sum(rows) * sum(columns)
            parts.append(
                [
                    (Fraction(p * q, total), moves[i * width + j])
                    for (i, p), (j, q) in pairs
                    if p * q
                ]
            )
    return parts


def _reached(parts: list[Part], state: int) -> set[int]:
    seen, pending = {state}, [state]
    while pending:
        targets = {target for _, (_, leads) in parts[pending.pop()] for _, target in leads}
        pending += targets - seen
        seen |= targets
    return seen


def _infinite(paper: Paper, parts: list[Part]) -> set[int]:
    """States from which no terminal state is reachable."""
    ends = {state for state, owner in enumerate(paper.owners) if owner == "end"}
    return {state for state in range(len(parts)) if not _reached(parts, state) & ends}


def _valued(paper: Paper, parts: list[Part]) -> list[Fraction]:
    """The expected totals of a chain, by elimination; 0 if play never ends."""
    n = len(parts)
    infinite = _infinite(paper, parts)
    rows = [[Fraction(int(i == j)) for j in range(n)] + [Fraction(0)] for i in range(n)]
    for state in range(n):
        if paper.owners[state] == "end":
            rows[state][n] = paper.payoffs[state]
        elif state not in infinite:
            for chance, (reward, leads) in parts[state]:
                rows[state][n] += chance * reward
                total = sum(weight for weight, _ in leads)
                for weight, target in leads:
                    rows[state][target] -= chance * Fraction(weight, total)
    for pivot in range(n):
        best = next(row for row in range(pivot, n) if rows[row][pivot])
        rows[pivot], rows[best] = rows[best], rows[pivot]
        rows[pivot] = [entry / rows[pivot][pivot] for entry in rows[pivot]]
        for row in range(n):
            if row != pivot and rows[row][pivot]:
                factor = rows[row][pivot]
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[pivot], strict=True)]
    return [row[n] for row in rows]


def _mean(move: Move, values: list[Fraction]) -> Fraction:
    reward, leads = move
    total = sum(weight for weight, _ in leads)
    return reward + sum((weight * values[target] for weight, target in leads), Fraction(0)) / total
