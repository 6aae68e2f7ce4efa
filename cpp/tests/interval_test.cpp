// Every interval operation against exact arithmetic. Numbers are integers below 2^40 times powers of
// two, so that sums, products and quotients can be compared with a bound exactly, in 128-bit integers.
#include "exactdice/interval.hpp"

#include <cstdint>
#include <random>

#include "check.hpp"

namespace {

using exactdice::Interval;
__extension__ typedef __int128 Wide;

// An operand is m·2^-60 with |m| < 2^62; a bound of a sum or product of two is compared exactly.
struct Operand {
    std::int64_t mantissa;
    double number() const { return std::ldexp(static_cast<double>(mantissa), -60); }
};

// x·2^e as a 128-bit integer, if it is one.
Wide scaled(double x, int e) {
    int exponent = 0;
    const double fraction = std::frexp(x, &exponent);
    Wide mantissa = static_cast<Wide>(std::ldexp(fraction, 53));
    int shift = exponent - 53 + e;
    while (shift < 0) {
        CHECK(mantissa % 2 == 0);
        mantissa /= 2;
        ++shift;
    }
    return mantissa << shift;
}

}  // namespace

int main() {
    std::mt19937_64 random(20230113);
    const exactdice::UpwardRounding upward;
    int inexact = 0;
    for (int trial = 0; trial < 200000; ++trial) {
        // 53 significant bits, of very different sizes, both signs; exact as doubles.
        const auto draw = [&] {
            const int bits = 1 + static_cast<int>(random() % 53);
            const std::int64_t magnitude = static_cast<std::int64_t>(random() >> (64 - bits));
            return Operand{random() % 2 == 0 ? magnitude : -magnitude};
        };
        const Operand a = draw(), b = draw();
        const double x = static_cast<double>(a.mantissa), y = static_cast<double>(b.mantissa);
        const Wide p = a.mantissa, q = b.mantissa;
        const Interval sum = Interval(x) + Interval(y);
        CHECK(scaled(sum.lower(), 0) <= p + q && p + q <= scaled(sum.upper(), 0));
        const Interval difference = Interval(x) - Interval(y);
        CHECK(scaled(difference.lower(), 0) <= p - q && p - q <= scaled(difference.upper(), 0));
        const Interval product = Interval(x) * Interval(y);
        CHECK(scaled(product.lower(), 0) <= p * q && p * q <= scaled(product.upper(), 0));
        // No wider than two neighbouring doubles.
        CHECK(std::nextafter(product.lower(), INFINITY) >= product.upper());
        inexact += product.lower() < product.upper();
        if (b.mantissa != 0) {
            // lower ≤ p/q ⇔ lower·q ≤ p for q > 0; the product is exact in the tail of an fma.
            const Interval quotient = Interval(x) / Interval(y);
            const double sign = y > 0 ? 1 : -1;
            CHECK(sign * -std::fma(-quotient.lower(), y, x) <= 0);
            CHECK(sign * std::fma(quotient.upper(), y, -x) >= 0);
        }
    }
    CHECK(inexact > 50000);  // the test has teeth
    // Intervals with ends of both signs: every product of points lies inside.
    for (int trial = 0; trial < 20000; ++trial) {
        const auto end = [&] { return static_cast<double>(random() % 2001) - 1000; };
        double a = end(), b = end(), c = end(), d = end();
        const Interval x(std::min(a, b), std::max(a, b)), y(std::min(c, d), std::max(c, d));
        const Interval product = x * y;
        for (double u : {a, b}) {
            for (double v : {c, d}) {
                CHECK(product.lower() <= u * v && u * v <= product.upper());  // exact: small integers
            }
        }
    }
    CHECK(check::throws<std::domain_error>([] { return Interval(1.0) / Interval(-1.0, 1.0); }));
    const Interval third = Interval(1.0) / Interval(3.0);
    CHECK(third.lower() < third.upper());
    CHECK((third - third).lower() < 0 && (third - third).upper() > 0);
    return check::report();
}
