"""Closed forms and counting: lattice points of simplices."""
