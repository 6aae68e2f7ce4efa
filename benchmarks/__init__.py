"""Benchmarks: the package compared, in the same run, with other tools that a user might choose.

Each module has `measure(bench)`; `python -m benchmarks [NAME…]` runs them. A figure is the fastest
processor time of several runs. Every comparison is a ratio of two figures, and checks that both
computed the same number.
"""
