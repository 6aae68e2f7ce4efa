"""Dice: what people ask of a roll, against icepool and dyce, the first call of each.

All in one process, with one small question to each package before. Every answer is compared. What
a package has not answered after twenty seconds is left there, and said. Last come
whole commands, start-up included.
"""

import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import icepool
from dyce import H, P

from benchmarks.bench import Bench, Measured
from exactdice.dice import Distribution, d, largest_set, matched, pool

PATIENCE = 20  # seconds

Ask = Callable[[], Any]


def first(ask: Ask) -> Measured | None:
    """Time the first call of a question; None if it takes too long."""
    signal.signal(signal.SIGALRM, _give_up)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    start = time.process_time()
    try:
        law = ask()
        seconds = time.process_time() - start
    except TimeoutError:
        return None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return Measured(weights(law), seconds)


def _give_up(*_: object) -> None:
    raise TimeoutError


def weights(law: Any) -> dict[Any, int]:
    """Weights of any package's law, in lowest terms."""
    if isinstance(law, H):
        law = law.lowest_terms()
    elif isinstance(law, icepool.Die):
        law = law.simplify()
    return {int(outcome): int(weight) for outcome, weight in law.items() if weight}


def questions() -> Iterator[tuple[str, Ask, Ask, Ask | None]]:
    """Yield names and calls for each package; dyce only if it needs no extra program."""
    for n, sides, most in (
        (4, 6, 3),
        (10, 10, 3),
        (20, 20, 5),
        (20, 20, 10),
        (40, 40, 20),
        (50, 50, 25),
        (20, 100, 3),
        (100, 100, 1),
        (100, 6, 50),
        (300, 6, 150),
    ):
        yield (
            f"{n}d{sides} keep {most}",
            lambda n=n, s=sides, k=most: d(s).keep_highest(n, k),
            lambda n=n, s=sides, k=most: icepool.d(s).highest(n, k),
            lambda n=n, s=sides, k=most: (n @ P(s)).at(slice(-k, None)),
        )
    yield (
        "30d6 middle 10",
        lambda: pool(30, d(6)).keep_middle(10),
        lambda: icepool.d(6).middle(30, 10),
        lambda: (30 @ P(6)).at(slice(10, 20)),
    )
    mixed = (6,) * 5 + (8,) * 5 + (10,) * 5
    yield (
        "5d6 + 5d8 + 5d10 keep 4",
        lambda: pool(5, d(6), 5, d(8), 5, d(10)).keep_highest(4),
        lambda: icepool.Pool([icepool.d(s) for s in mixed]).highest(4).sum(),
        lambda: P(*mixed).at(slice(-4, None)),
    )
    yield (
        "largest set of 20d10",
        lambda: largest_set(pool(20, d(10))),
        lambda: icepool.Pool([icepool.d(10)] * 20).largest_count(),
        None,
    )
    ten = [icepool.d(6)] * 10
    yield (
        "Risk round, 10 against 10",
        lambda: matched(pool(10, d(6)), pool(10, d(6))).map(lambda lost_won: lost_won[1]),
        lambda: icepool.Pool(ten).sort_pair(">", icepool.Pool(ten)).size(),
        None,
    )
    yield (
        "3d6 explode 10",
        lambda: 3 @ d(6).explode(10),
        lambda: 3 @ icepool.d(6).explode(depth=10),
        None,
    )
    yield (
        "count of 50d10 >= 8",
        lambda: 50 @ (d(10) >= 8).map(int),
        lambda: 50 @ (icepool.d(10) >= 8),
        lambda: 50 @ H(10).ge(8),
    )
    ability = [(0, 0), (1, 0), (1, 0), (2, 0), (0, 1), (0, 1), (1, 1), (0, 2)]
    yield (
        "Genesys: 10 ability dice",
        lambda: (10 @ Distribution.from_faces(ability)).map(
            lambda shown: 100 * shown[0] + shown[1]
        ),
        lambda: (10 @ icepool.Die([icepool.Vector(face) for face in ability])).map(
            lambda shown: 100 * shown[0] + shown[1]
        ),
        None,
    )
    yield (
        "fives, sixes and ones of 20d6",
        lambda: pool(20, d(6)).facts(hits=[5, 6], ones=1).map(lambda r: 100 * r.hits + r.ones),
        lambda: (20 @ icepool.d(6).map(lambda f: icepool.Vector((int(f >= 5), int(f == 1))))).map(
            lambda shown: 100 * shown[0] + shown[1]
        ),
        None,
    )
    for n in (100, 1000):
        yield f"{n}d6", lambda n=n: n @ d(6), lambda n=n: n @ icepool.d(6), lambda n=n: n @ H(6)


def process(*words: str) -> Measured:
    """Processor seconds of the fastest of five processes."""
    best = float("inf")
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        best = min(best, used)
    return Measured(None, best)


def measure(bench: Bench) -> None:
    d(4).keep_highest(3, 2), icepool.d(4).highest(3, 2), (3 @ P(4)).at(slice(-2, None))
    for name, ours, by_icepool, by_dyce in questions():
        mine = first(ours)
        for package, ask in (("icepool", by_icepool), ("dyce", by_dyce)):
            theirs = first(ask) if ask else None
            if ask and theirs is None:
                bench.add(name, mine, "", f"{package}: none in {PATIENCE} s")
            elif theirs is not None:
                bench.add(name, mine, "", package, theirs)
    law = process("-m", "exactdice", "dice", "distribution", "4d6kh3")
    peer = process("-c", "import icepool; print(icepool.d(6).highest(4, 3))")
    bench.add("dice distribution 4d6kh3, whole command", law, "1.5 times", "icepool", peer)
