"""What is measured, against what a user would pick instead, in the same run.

Each module has `measure(bench)`; `python -m benchmarks [NAME…]` runs them. A figure is the fastest
of several runs of processor time, and every comparison is a ratio of two such figures and checks
that both computed the same number.
"""
