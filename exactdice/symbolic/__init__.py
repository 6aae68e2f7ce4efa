"""Closed forms: derived, proved, and used where they are faster or read better.

Examples
--------
>>> from exactdice import symbolic
>>> symbolic.ehrhart(1, 2, 3, 4, 5)(100)
1016288
>>> symbolic.NewOnly(4).expected_score(2)
mpq(129,64)
"""

from exactdice.symbolic.catastrophe import (
    all_failed_within,
    expected_rolls_until_all_failed,
    telescoping,
)
from exactdice.symbolic.ehrhart import Simplex
from exactdice.symbolic.ehrhart_polynomials import EhrhartPolynomial, count_points, ehrhart
from exactdice.symbolic.generating_functions import coefficient, partial_fractions
from exactdice.symbolic.guessing import (
    Guess,
    Recurrence,
    guess_generating_function,
    guess_polynomial,
    guess_quasi_polynomial,
    guess_recurrence,
)
from exactdice.symbolic.long_run import LongRun
from exactdice.symbolic.new_only import (
    NewOnly,
    catastrophe_polynomial,
    expected_score_polynomial,
    survival_polynomial,
)
from exactdice.symbolic.polynomial import Polynomial, SignRun
from exactdice.symbolic.quasi_polynomial import QuasiPolynomial
from exactdice.symbolic.reachable import count_reachable, is_reachable
from exactdice.symbolic.statements import Statement, Status

__all__ = [
    "EhrhartPolynomial",
    "Guess",
    "LongRun",
    "NewOnly",
    "Polynomial",
    "QuasiPolynomial",
    "Recurrence",
    "SignRun",
    "Simplex",
    "Statement",
    "Status",
    "all_failed_within",
    "catastrophe_polynomial",
    "coefficient",
    "count_points",
    "count_reachable",
    "ehrhart",
    "expected_rolls_until_all_failed",
    "expected_score_polynomial",
    "guess_generating_function",
    "guess_polynomial",
    "guess_quasi_polynomial",
    "guess_recurrence",
    "is_reachable",
    "partial_fractions",
    "survival_polynomial",
    "telescoping",
]
