"""Closed forms, derived and proved.

>>> from exactdice import symbolic
>>> symbolic.ehrhart(1, 2, 3, 4, 5)(100)
1016288
"""

from exactdice.symbolic.ehrhart import EhrhartPolynomial, Simplex, count_points, ehrhart
from exactdice.symbolic.polynomial import Polynomial, SignRun, coefficient, partial_fractions
from exactdice.symbolic.quasi_polynomial import QuasiPolynomial
from exactdice.symbolic.statements import Statement, Status

__all__ = ["EhrhartPolynomial", "Polynomial", "QuasiPolynomial", "SignRun", "Simplex", "Statement"]
__all__ += ["Status", "coefficient", "count_points", "ehrhart", "partial_fractions"]
