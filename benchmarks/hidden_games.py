"""Games of hidden information: values of the same trees, compared with Gambit and OpenSpiel.

Ours are exact with both strategies, and include tree and sequence form. Gambit's `lp_solve` reads
our tree; in rationals it gives the same fraction. OpenSpiel's `solve_zero_sum_game` computes
doubles by cvxpy and ECOS, which must be installed separately (`pip install open_spiel cvxpy ecos`),
and is compared to six digits.
"""

import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

from benchmarks.bench import Bench, Measured, fastest
from exactdice.formats.gambit import hidden_lines
from exactdice.formats.openspiel import hidden_from_openspiel
from exactdice.models import equilibrium

# What each rival has time for: a minute was too little for others.
TREES = {
    "kuhn_poker": ("doubles", "rationals", "OpenSpiel"),
    "liars_dice(dice_sides=2)": ("doubles", "rationals", "OpenSpiel"),
    "liars_dice(dice_sides=3)": ("doubles", "OpenSpiel"),
    "liars_dice(dice_sides=4)": ("OpenSpiel",),
    "leduc_poker": ("OpenSpiel",),
}


def gambit(tree: Path, *, rational: bool) -> Any:
    """The value of a tree by Gambit."""
    import pygambit

    solved = pygambit.nash.lp_solve(pygambit.read_efg(tree), rational=rational)
    payoff = solved.equilibrium.payoffs["first"]
    return Fraction(int(payoff.numerator), int(payoff.denominator)) if rational else payoff


def openspiel(name: str) -> float:
    """The value of a game by OpenSpiel."""
    import ecos  # noqa: F401 - cvxpy asks for it only when it solves
    import pyspiel
    from open_spiel.python.algorithms import sequence_form_lp

    return float(sequence_form_lp.solve_zero_sum_game(pyspiel.load_game(name))[0])


def measure(bench: Bench) -> None:
    for name, rivals in TREES.items():
        try:
            game = hidden_from_openspiel(name)
        except ImportError as missing:
            bench.say(f"not measured: {missing}")
            return
        ours = fastest(lambda game=game: equilibrium(game).value)
        bench.add(name, ours, "1")
        with tempfile.TemporaryDirectory() as folder:
            tree = Path(folder) / "tree.efg"
            tree.write_text("\n".join(hidden_lines(game, name)[1]))
            ways = {
                "doubles": ("pygambit, doubles", lambda tree=tree: gambit(tree, rational=False)),
                "rationals": ("pygambit, rational", lambda tree=tree: gambit(tree, rational=True)),
                "OpenSpiel": ("OpenSpiel, ECOS", lambda name=name: openspiel(name)),
            }
            for way in rivals:
                against, compute = ways[way]
                try:
                    theirs = fastest(compute, runs=2)  # the first imports
                except ImportError as missing:
                    bench.say(f"{against}: not measured, {missing}")
                    continue
                if way == "rationals":
                    bench.add(name, ours, "1", against, theirs)
                    continue
                near = abs(float(ours.result) - theirs.result) < 1e-6
                same = Measured(ours.result if near else theirs.result, theirs.seconds)
                bench.add(name, ours, "1", against, same)
