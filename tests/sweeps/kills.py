"""Kill a run at random moments, again and again, until its sweep is complete.

Run as a program, with how many kills to make, an empty folder, and a seed. The runs are processes
forked from this one, which takes its units slowly enough that each kill finds it at work: in the
middle of units, of writing a pack, of opening the store. How long they live is chosen by how long
an undisturbed run took. It prints how many kills it made, how many answers they left in the store,
and of how many; what is missing then is computed, and must make the store of the undisturbed run.
"""

import random
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from askers import answer, killed

from exactdice.sweeps import Given, Store, Sweep, run_sweep

sys.setswitchinterval(1e-4)


def run(sweep, folder):
    workers = Given(ThreadPoolExecutor(2), 2)
    run_sweep(sweep, Store(folder), workers, asking=answer)


def main(kills, home, seed):
    chance = random.Random(seed)  # noqa: S311 - no secret
    sweep = Sweep("slow units", tuple(f"slow {n}" for n in range(4 * kills)))
    begun = time.monotonic()
    run(sweep, home / "undisturbed")
    whole = time.monotonic() - begun
    run(sweep, home / "undisturbed")
    nothing = time.monotonic() - begun - whole
    made = stored = 0
    while made < kills:
        made += killed(
            lambda: run(sweep, home / "killed"), chance.uniform(0, nothing + 2 * whole / kills)
        )
        now = sum(Store(home / "killed").outcome(unit) is not None for unit in sweep.units)
        assert now >= stored, "an answer that was stored is gone"
        stored = now
        if stored == len(sweep.units):  # done too soon: the others have nothing to kill
            break
    assert stored, "no run got as far as an answer"
    run(sweep, home / "killed")
    ours, theirs = Store(home / "killed"), Store(home / "undisturbed")
    for unit in sweep.units:
        assert ours.answer(unit).document == theirs.answer(unit).document, unit
    assert not list(home.rglob("*.part")), "parts of files are left"
    print(made, stored, len(sweep.units))


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
