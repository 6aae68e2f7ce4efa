"""Settings that every test shares: reproducible property tests, and versions in the header."""

import os

import flint
import gmpy2
from hypothesis import settings

settings.register_profile("ci", derandomize=True, deadline=None, max_examples=60)
settings.register_profile("thorough", deadline=None, max_examples=1000)
settings.register_profile("dev", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if "CI" in os.environ else "dev"))


def pytest_report_header() -> str:
    return (
        f"gmpy2 {gmpy2.version()} ({gmpy2.mp_version()}), python-flint {flint.__version__}, "
        f"hypothesis profile {settings.get_current_profile_name()}"
    )
