"""Exact values, optimal play and certificates for dice games.

Every number that this package states is a rational number, held as `gmpy2.mpq`. Rules live in
`exactdice.games`, game-independent solving in `exactdice.solvers`, tables and their files in
`exactdice.tables`, and the command line in `exactdice.cli`.
"""

__version__ = "0.1.0"
