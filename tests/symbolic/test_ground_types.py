"""No Float comes out, whatever numbers SymPy computes with: each kind in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

_PROGRAM = """
from sympy import Float, latex
from sympy.external.gmpy import GROUND_TYPES
from exactdice.studies.swe.closed_forms import telescoping
from exactdice.symbolic.ehrhart import ehrhart
from exactdice.games.swe.new_only import NewOnly
from exactdice.symbolic.polynomial import Polynomial
from exactdice.studies.risk.closed_forms import winning_chance
from exactdice.studies.risk.closed_forms import power_sum, risk_round

expressions = [
    *(count.expression() for count in risk_round(3, 2).counts),
    winning_chance(3, 2).numerator.expression(),
    *(ehrhart(1, 2, 3, 4, 5).quasi_polynomial.polynomial(r).expression() for r in range(60)),
    Polynomial((NewOnly(4).expected_score(3), "1/3", "0.1")).expression(),
    power_sum(4).expression(),
]
assert not any(expression.atoms(Float) for expression in expressions)
print(GROUND_TYPES)
for expression in expressions:
    print(latex(expression))
for statement in telescoping():
    print(statement)
for run in risk_round(6, 5).favoured() + winning_chance(5, 5).favoured():
    print(run)
"""


def run_with(ground_types):
    environment = {**os.environ, "SYMPY_GROUND_TYPES": ground_types}
    finished = subprocess.run(
        [sys.executable, "-W", "error", "-c", _PROGRAM],
        env=environment,
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    used, *lines = finished.stdout.splitlines()
    assert used == ground_types
    return lines


@pytest.fixture(scope="module")
def lines_with_python():
    return run_with("python")


@pytest.mark.slow
@pytest.mark.parametrize("ground_types", ["flint", "gmpy"])
def test_same_exact_expressions_under_every_ground_type(ground_types, lines_with_python):
    assert run_with(ground_types) == lines_with_python
    assert not any("." in line for line in lines_with_python if line.startswith("\\frac"))
