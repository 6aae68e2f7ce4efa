r"""Certificates as files, for a checker that knows nothing of this package.

A file holds the game that was solved, state by state, and what proves its values: lines of text in
which states are numbers. `proofs/CERTIFICATES.md` defines the format, and
`proofs/certificate_check.py` checks it. Where a game is written as the player to move sees it, the
file holds each state once for either side: state n + s is what the other player sees of s.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from exactdice import storage
from exactdice.arithmetic import lcm, mpq, mpz, text
from exactdice.solve.arena import BOTH, CHANCE, END, MAX, MIN, Arena
from exactdice.solve.certificate import Certificate
from exactdice.solve.turns import ordered

_OWNERS = {CHANCE: "chance", MAX: "first", MIN: "second"}


def write_certificate(
    path: Path | str, certificate: Certificate[Any], model: Any, arena: Arena, question: str
) -> None:
    """Write what proves the values of a model, and the arena that was solved, into a file.

    Raises OutputError if the file cannot be written.
    """
    lines = certificate_lines(certificate, model, arena, question)
    storage.write_whole(Path(path), "".join(f"{line}\n" for line in lines))


def certificate_lines(
    certificate: Certificate[Any], model: Any, arena: Arena, question: str
) -> Iterator[str]:
    """The lines of the file, the game's states in the order of the model."""
    bounds = [(certificate.lower[state], certificate.upper[state]) for state in model.states]
    first, second = certificate.ranks_first_free, certificate.ranks_second_free
    ranks = [(first[state], second[state]) for state in model.states]
    if arena.changes_sides:
        bounds += [(-upper, -lower) for lower, upper in bounds]
        ranks += [(of_second, of_first) for of_first, of_second in ranks]
    plain, scale = arena.unfolded(), _scale(bounds)
    kind = "draws" if certificate.draws else "total" if certificate.goal is None else "reach"
    yield f"exactdice-certificate 1 # {_plain(question)}"
    yield f"question {kind}"
    yield f"players {model.players}"
    yield f"states {len(plain)}"
    yield f"initial {model.number(certificate.initial)}"
    yield f"scale {scale}"
    yield "claim " + " ".join(text(bound) for bound in bounds[model.number(certificate.initial)])
    yield "bounds"
    for state, (lower, upper) in enumerate(bounds):
        high = "=" if lower == upper else text(upper * scale)
        # No rank is asked where there is none: any above 0 will do.
        known = " ".join(str(rank if rank >= 0 else len(plain)) for rank in ranks[state])
        played = _played(certificate, model, plain, state)
        yield " ".join([text(lower * scale), high, known, *played])
    yield "moves"
    for state in range(len(plain)):
        yield f"{_moves(plain, state)} # {_names(model, arena, state)}"
    yield "done"


def _scale(bounds: Sequence[tuple[mpq, mpq]]) -> int:
    """A common denominator of all bounds, or 1 where it would be much longer than theirs."""
    scale, longest = mpz(1), 0
    for denominator in {bound.denominator for pair in bounds for bound in pair}:
        scale, longest = lcm(scale, denominator), max(longest, denominator.bit_length())
        if scale.bit_length() > 2 * longest + 64:
            return 1
    return int(scale)


def _played(certificate: Certificate[Any], model: Any, arena: Arena, state: int) -> Iterator[str]:
    """What is to be done: the place of the move, or the weights of rows and of columns."""
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


def _moves(arena: Arena, state: int) -> str:
    """Who chooses, and for each move its reward and the weight of each successor."""
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


def _names(model: Any, arena: Arena, state: int) -> str:
    """What the rules call a state and its moves, for people."""
    number = state % len(model.states)
    seen = " seen by the other side" if state >= len(model.states) else ""
    names = model.actions[number]
    actions = "" if names is None or arena.owners[number] == END else f": {ordered(names)!r}"
    return _plain(f"{ordered(model.states[number])!r}{seen}{actions}")


def _plain(name: str) -> str:
    """A name in one line of ASCII."""
    return ascii(name)[1:-1]
