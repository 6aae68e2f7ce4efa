"""Floating point against exact arithmetic, game by game, on ladders of sizes.

A cross-check solves one game at one size exactly, in doubles where there are any, and in intervals.
It compares, in this order, the sizes of the two models; every double, converted to a rational
*exactly*, with the exact value, against the bound stated for the solver; every interval, which has
to contain the exact value; and every action that the fast solver would take, which has to be one of
the exactly optimal ones. What is outside is counted and the first of each kind is named.

Of the laws of policies in the software-engineering game, which the fast solver bounds from below,
the weight of every score is compared in the same way.

It lives among the sweeps because it stands on the games' exact solvers and on `exactdice.native`
alike, and neither of those may know of the other.
"""

from exactdice.jobs.crosscheck.ladders import cases
from exactdice.jobs.crosscheck.model import Case, Check, Tally

__all__ = ["Case", "Check", "Tally", "cases"]
