"""Python's own exact numbers, with the interface of gmpy2, for browsers.

Values, orders and hashes are those of gmpy2's numbers; `arithmetic` imports them from here.
"""

import sys
from fractions import Fraction
from math import gcd as gcd
from math import isqrt as isqrt
from math import lcm as lcm
from operator import floordiv as divexact  # noqa: F401
from operator import mod as f_mod  # noqa: F401

mpq, mpz = Fraction, int
sys.set_int_max_str_digits(0)


def bit_scan1(x: int, n: int = 0, /) -> int | None:
    """Position of the lowest 1 bit from bit n on; None without one."""
    rest = x >> n
    return n + (rest & -rest).bit_length() - 1 if rest else None


def pack(digits: list[int], bits: int, /) -> int:
    """Combine digits of `bits` bits, from the lowest, into a number."""
    if len(digits) < 2:
        return sum(digits)
    half = len(digits) // 2
    return pack(digits[:half], bits) | pack(digits[half:], bits) << bits * half


def unpack(x: int, bits: int, /) -> list[int]:
    """List the digits of `bits` bits of a number, from the lowest."""
    places = -(-x.bit_length() // bits)
    if places < 2:
        return [x]
    half = places // 2
    low = unpack(x & ((1 << bits * half) - 1), bits)
    return [*low, *[0] * (half - len(low)), *unpack(x >> bits * half, bits)]
