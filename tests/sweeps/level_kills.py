"""Kill the search for an optimum and its check at random moments, and let them go on.

Run as a program, with how many kills to make, an empty folder, a seed and the rounds of the game.
The runs are processes forked from this one, killed after up to a third of what an undisturbed run
takes; where one of them completes the search, another begins in a new folder. It prints how many
kills it made, and how many of them left an enclosure half done. The last run of each folder must
find what the undisturbed one did, from the levels of the others.
"""

import random
import sys
import time
from pathlib import Path

from askers import killed

from exactdice import run as circumstances
from exactdice.games.swe.optimum import interval_search
from exactdice.games.swe.optimum.interval_search import optimum, residues
from exactdice.games.swe.rules import STANDARD
from exactdice.native import swe_outlook
from exactdice.run import Run
from exactdice.storage.files import Levels

done: dict[str, list[int]] = {}  # levels by the name of the computation
run_levels = circumstances.run_levels


def counted(kept, name, count, step, *rest, **ways):
    def counting(level, before):
        done.setdefault(name, []).append(level)
        return step(level, before)

    found = run_levels(kept, name, count, counting, *rest, **ways)
    mine = done.setdefault(name, [])
    assert mine == list(range(count - len(mine), count)), "levels were left out, or done twice"
    return found


def watch():
    circumstances.SELDOM = 0
    for module in (swe_outlook, interval_search):
        module.run_levels = counted


def search(rounds, home):
    done.clear()
    run = Run(kept=Levels(home, "this code"))
    found = optimum(rounds, run=run)
    return found, residues(found, run)


def is_half_enclosed(rounds, home):
    name = interval_search._enclosure(rounds, STANDARD, swe_outlook.ANY_BEND)
    found = Levels(home, "this code").kept(name)
    return found is not None and int(found.partition(b"\n")[0]) < rounds


def main(kills, home, seed, rounds):
    watch()
    chance = random.Random(seed)  # noqa: S311 - no secret
    begun = time.monotonic()
    undisturbed = (found := optimum(rounds)), residues(found)
    whole = time.monotonic() - begun
    made = halves = folders = 0  # go on until kills met both the enclosure and what follows it
    while made < kills or not 0 < halves < made:
        folder = home / str(folders)
        folder.mkdir()
        folders += 1
        while made < kills or not 0 < halves < made:
            if not killed(lambda to=folder: search(rounds, to), chance.uniform(0, whole / 3)):
                break
            made += 1
            halves += is_half_enclosed(rounds, folder)
        found = search(rounds, folder)
        assert found == undisturbed
        left = [path.suffix for path in folder.iterdir()]
        assert left == [".level"] * 2, "something else is left than the last levels of both"
        assert search(rounds, folder) == found, "the last levels do not hold what was found"
    print(made, halves)


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
