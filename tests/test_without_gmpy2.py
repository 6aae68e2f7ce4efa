"""Python's own numbers instead of gmpy2's: equal functions on random numbers."""

import random

import gmpy2
import pytest

from exactdice import without_gmpy2

chance = random.Random(1)  # noqa: S311 - no secret
NUMBERS = [0, 1, *(chance.getrandbits(chance.randrange(1, 500)) for _ in range(300))]

pytestmark = pytest.mark.skipif(not hasattr(gmpy2, "pack"), reason="gmpy2 is hidden")


@pytest.mark.parametrize("bits", [1, 7, 29, 64, 200])
def test_digits_are_those_of_gmpy2(bits):
    for number in NUMBERS:
        digits = without_gmpy2.unpack(number, bits)
        assert digits == gmpy2.unpack(number, bits)
        assert without_gmpy2.pack(digits, bits) == number == gmpy2.pack(digits, bits)


def test_the_lowest_bit_is_that_of_gmpy2():
    for number in NUMBERS:
        for start in (0, 3, 100, 600):
            assert without_gmpy2.bit_scan1(number, start) == gmpy2.bit_scan1(number, start)
