"""Kill the search for an optimum and its check at random moments, and let them go on.

Run as a program, with how many kills to make, an empty folder, a seed and the rounds of the game.
The runs are processes forked from this one, killed after up to a third of what an undisturbed run
takes; where one of them completes the search, another begins in a new folder. It prints how many
kills it made. The last run of each folder must find what the undisturbed one did, from the levels
of the others.
"""

import random
import sys
import time
from pathlib import Path

from killing import killed

from exactdice import levels
from exactdice.games.swe.laws.residues import Residue, residues
from exactdice.games.swe.optimum import interval_search
from exactdice.games.swe.optimum.interval_search import Searched, optimum
from exactdice.run import Run
from exactdice.storage.levels import Levels

levels.SELDOM = 0  # keep every level
done: list[int] = []
solve_weight = interval_search._solve_weight


def counted(level: int, *rest: object) -> object:
    done.append(level)
    return solve_weight(level, *rest)


interval_search._solve_weight = counted


def search(rounds: int, home: Path) -> tuple[Searched, tuple[Residue, ...]]:
    run = Run(kept=Levels(home, "this code"))
    found = optimum(rounds, run=run)
    return found, residues(found, run)


def main(kills: int, home: Path, seed: int, rounds: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - no secret
    begun = time.monotonic()
    undisturbed = (found := optimum(rounds)), residues(found)
    whole = time.monotonic() - begun
    made = folders = 0
    while made < kills:
        folder = home / str(folders)
        folder.mkdir()
        folders += 1
        while made < kills and killed(
            lambda to=folder: search(rounds, to), chance.uniform(0, whole / 3)
        ):
            made += 1
        done.clear()
        found = search(rounds, folder)
        assert found == undisturbed
        assert done == list(range(len(done), 0, -1)), "levels were left out, or done twice"
        left = [path.suffix for path in folder.iterdir()]
        assert left == [".level"] * 2, "something else is left than the last levels of both"
        assert search(rounds, folder) == found, "the last levels do not hold what was found"
    print(made)


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
