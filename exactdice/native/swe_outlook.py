"""The software-engineering game in C++: values of actions, and final score distributions.

`solve` bounds the value of each action. It visits only dice that play can still create, block by
block, each by the excursions of its dice above the lowest rung; the legacy die on the highest rung
is fixed, which is proved to be optimal (``cpp/include/exactdice/swe_outlook.hpp``). From the empty
table 60 rounds take 1.2 s, 80 take 6 s and 100 take 25 s.

`law_from_below` bounds the distribution of the final score under a policy from below, in
nonnegative doubles that are rounded down, so the probability missing from 1 bounds every error. It
follows games from one all-revenue state of each block to the next, and asks the caller for the
moves there (``cpp/include/exactdice/swe_laws.hpp``). For each set of dice met with a probability
above a bound, a box of all its splits is rolled until it is empty, and the distributions that enter
in each round are multiplied by those of a stay. Rand(0.5) over 100 rounds with the bound 10⁻⁷ takes
4·10¹¹ products, about a minute on two cores.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from exactdice.arithmetic import RationalLike, mpq, mpz, natural, rational
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError
from exactdice.native import MAX_THREADS, call, enclosed, enclosing, limit, solvers
from exactdice.run import DEFAULT, Run, run_levels

#: The largest games that the C++ solvers of this game take.
MAX_ROUNDS, MAX_RUNGS, MAX_FACES = 200, 8, 10**6

MAX_DICE, MAX_SCORE = 250, 10**6  # dice plus rounds; initial score

#: More points than any value bends by: each is then bounded by two lines.
ANY_BEND = 10**12

#: Dice with smaller probabilities can be ignored: this changes the ninth decimal of values of some
#: hundred points.
HARDLY = 2.0**-40


@dataclass(frozen=True)
class OutlookSizes:
    blocks: int  # reachable multisets of dice
    solved: int  # those of them that were visited
    choices: int  # multisets of dice with a number of rounds left, for a creation or promotion
    several_pieces: int  # choices whose value is more than one line in the score
    undecided: int  # choices in which more than one move may be optimal
    stepped: int  # blocks that were solved round by round
    bytes: int  # approximate peak memory


@dataclass(frozen=True)
class Outlook:
    """Values of the actions in a state; made by `solve`."""

    value: Enclosure  # expected final score under optimal play
    # value of each move: in legacy, move i fixes on rung i; else move 0 creates, and move i + 1
    # promotes from rung i
    actions: tuple[tuple[int, Enclosure], ...]
    sizes: OutlookSizes
    compiled: Any  # the compiled solution

    def possible(self, dice: Sequence[int]) -> list[int]:
        """Return the possibly optimal creations and promotions with some dice, none in legacy."""
        numbers = [natural(number, "dice") for number in dice]
        masks: list[int] = call(self.compiled.possible, numbers)
        return masks


def solve(
    rounds: int,
    ladder: Sequence[int],
    revenue: Sequence[int],
    legacy: Sequence[int],
    score: int = 0,
    *,
    made: float = 0,
    bend: float = 0,
    run: Run = DEFAULT,
    name: str = "",
) -> Outlook:
    """Bound the value of each action in a state; levels are kept under a name, if given.

    Raises TooLargeError if it would need more memory than the limit, and OutputError if a level
    cannot be kept or read.
    """
    laid_out = call(
        solvers().SweOutlook,
        [natural(face, "ladder", least=2, most=MAX_FACES) for face in ladder],
        natural(rounds, "rounds", least=1, most=MAX_ROUNDS),
        [natural(number, "revenue", most=MAX_DICE) for number in revenue],
        [natural(number, "legacy", most=MAX_DICE) for number in legacy],
        natural(score, "score", most=MAX_SCORE),
        made,
        bend,
        natural(run.workers, "threads", least=1, most=MAX_THREADS),
        limit(run.memory, "memory_limit"),
        run.tell_part,
    )

    def step(level: int, before: Any) -> Any:
        call(before.step)
        return before

    def read(content: bytes) -> Any:
        call(laid_out.read, content)
        return laid_out

    levels, write = laid_out.levels, lambda outlook: outlook.written()
    kept = run.kept if name else None
    compiled = run_levels(kept, name, levels, step, laid_out, write=write, read=read)
    actions = tuple((move, enclosed(ends)) for move, ends in compiled.actions)
    return Outlook(enclosed(compiled.value), actions, OutlookSizes(**compiled.sizes), compiled)


#: Every double is a multiple of 1/DENOMINATOR.
DENOMINATOR = mpz(1) << 1074

_LEAST_BOUND = mpq(1, 10**300)  # a normal double

#: Moves of a policy from all-revenue dice after a round, for low ≤ score < high (None for all): the
#: dice after the move, and its probability.
Moves: TypeAlias = Callable[
    [tuple[int, ...], int], Iterable[tuple[int, int | None, Sequence[int], mpq]]
]


def takes(rounds: int, ladder: Sequence[int]) -> bool:
    """Whether the C++ solver supports games of so many rounds with this ladder."""
    return rounds <= MAX_ROUNDS and len(ladder) <= MAX_RUNGS and ladder[-1] <= MAX_FACES


def law_from_below(
    moves: Moves,
    rounds: int,
    ladder: Sequence[int],
    *,
    lowest_first: bool,
    least: RationalLike,
    most_products: int | None = None,
    run: Run = DEFAULT,
) -> tuple[dict[int, mpz], int]:
    """Bound the distribution of the final score from below; return weights and products."""
    rounds = natural(rounds, "rounds", most=MAX_ROUNDS)
    if not takes(rounds, ladder):
        wanted = f"at most {MAX_RUNGS} rungs, of dice of at most {MAX_FACES} faces"
        raise InputError("ladder", ladder, wanted)
    bound = rational(least, "least")
    if not _LEAST_BOUND <= bound < 1:
        raise InputError("least", least, "a number from 1e-300 up to, but without, 1")
    flow = call(
        solvers().SweFlow,
        list(ladder),
        rounds,
        lowest_first=lowest_first,
        least=enclosing(bound)[0],
        most_products=limit(most_products, "most_products"),
        memory_limit=limit(run.memory, "memory_limit"),
        threads=natural(run.workers, "threads", least=1, most=MAX_THREADS),
        progress=run.tell_part,
    )
    while True:
        call(flow.run)
        for dice, ends in flow.leaving():
            for round_ in ends:
                for low, high, after, chance in moves(tuple(dice), round_):
                    end = -1 if high is None else high
                    flow.send(dice, round_, low, end, list(after), enclosing(chance)[1])
        if not call(flow.advance):
            break
    scores = enumerate(flow.final_scores)
    weights = {score: mpz(mpq(weight) * DENOMINATOR) for score, weight in scores if weight}
    return weights, int(flow.products)
