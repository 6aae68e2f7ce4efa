"""Published figures of the SWE game, from its README.

The README prints three tables of simulated scores (`FIGURES`), copied digit for digit in
``figures.csv``: the mean and seven order statistics of the final scores of 24 policies in games of
10, 30 and 100 rounds. It does not give the number of games; 10000 is assumed, which fits all
standard errors.

The percentiles are whole scores, so each is one order statistic of the sample. A mean agrees with
an exact one within a few standard errors. A figure x for the percentile p agrees if about p·10000
games can have scored at most x, and fewer than p·10000 less than x.
"""

import csv
from importlib import resources
from typing import NamedTuple

from exactdice.arithmetic import mpq, rational

#: Simulated games for each row.
GAMES = 10000

#: Level of the quantile in each column.
LEVELS: dict[str, mpq] = {
    "p10": mpq(1, 10),
    "p20": mpq(1, 5),
    "p50": mpq(1, 2),
    "p90": mpq(9, 10),
    "p95": mpq(19, 20),
    "p99": mpq(99, 100),
}


class Figures(NamedTuple):
    """One row: the mean as printed, the percentiles, and the best game."""

    mean: str
    p10: int
    p20: int
    p50: int
    p90: int
    p95: int
    p99: int
    max: int

    @property
    def exact_mean(self) -> mpq:
        return rational(self.mean)


def _read_figures() -> dict[int, dict[str, Figures]]:
    tables: dict[int, dict[str, Figures]] = {}
    source = resources.files("exactdice.games.swe").joinpath("figures.csv")
    lines = source.read_text(encoding="utf-8").splitlines()
    for rounds, policy, mean, *scores in list(csv.reader(lines))[1:]:
        tables.setdefault(int(rounds), {})[policy] = Figures(mean, *map(int, scores))
    return tables


#: Figures by rounds and policy, in the README's order.
FIGURES = _read_figures()


def figures_of(rounds: int, policy: str) -> Figures | None:
    return FIGURES.get(rounds, {}).get(policy.replace("AsRun", ""))
