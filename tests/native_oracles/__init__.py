"""C++ solvers that no question uses, with their checks against the exact ones: oracles of tests."""
