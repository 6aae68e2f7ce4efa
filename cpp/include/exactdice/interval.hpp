// Intervals with outward rounding.
//
// An Interval is a pair of doubles that encloses a real number. It keeps the *negative* of its lower
// end, so that both ends are bounds from above and one rounding direction serves both: all
// operations must run while an UpwardRounding guard is alive in the thread. Sums, differences,
// products and quotients then enclose the exact results (IEEE 754 directed rounding); the tests hold
// every operation against exact arithmetic.
//
// The code must be compiled with -frounding-math and without contraction of a*b + c, which the build
// sets; the guard checks at run time that the direction is honoured.
#pragma once

#include <algorithm>
#include <cfenv>
#include <cfloat>
#include <cmath>
#include <stdexcept>

static_assert(FLT_EVAL_METHOD == 0, "intervals need double arithmetic in double precision");

namespace exactdice {

template <int Direction>
class DirectedRounding {
   public:
    DirectedRounding() : before_(std::fegetround()) {
        if (std::fesetround(Direction) != 0 || !honoured()) {
            std::fesetround(before_);
            throw std::runtime_error("this machine does not round in one direction: no bounds here");
        }
    }
    ~DirectedRounding() { std::fesetround(before_); }
    DirectedRounding(const DirectedRounding&) = delete;
    DirectedRounding& operator=(const DirectedRounding&) = delete;

   private:
    static bool honoured() {
        volatile double one = 1.0, tiny = DBL_EPSILON / 8;
        const double outward = Direction == FE_UPWARD ? one + tiny : -one - tiny;
        const double inward = Direction == FE_UPWARD ? -one - tiny : one + tiny;
        return std::abs(outward) == 1.0 + DBL_EPSILON && std::abs(inward) == 1.0;
    }
    int before_;
};

using UpwardRounding = DirectedRounding<FE_UPWARD>;
using DownwardRounding = DirectedRounding<FE_DOWNWARD>;

struct Interval {
    double neglo = -0.0;
    double hi = 0.0;

    Interval() = default;
    Interval(double number) : neglo(-number), hi(number) {}
    Interval(double low, double high) : neglo(-low), hi(high) {}

    double lower() const { return -neglo; }
    double upper() const { return hi; }
};

inline Interval from_ends(double neglo, double hi) {
    Interval made;
    made.neglo = neglo;
    made.hi = hi;
    return made;
}

inline Interval operator-(const Interval& x) { return from_ends(x.hi, x.neglo); }

inline Interval operator+(const Interval& x, const Interval& y) {
    return from_ends(x.neglo + y.neglo, x.hi + y.hi);
}

inline Interval operator-(const Interval& x, const Interval& y) {
    return from_ends(x.neglo + y.hi, x.hi + y.neglo);
}

inline Interval operator*(const Interval& x, const Interval& y) {
    const double a = -x.neglo, b = x.hi, c = -y.neglo, d = y.hi;
    if (a >= 0 && c >= 0) {
        return from_ends(x.neglo * c, b * d);
    }
    return from_ends(std::max({-a * c, -a * d, -b * c, -b * d}),
                     std::max({a * c, a * d, b * c, b * d}));
}

// The divisor must not contain 0.
inline Interval operator/(const Interval& x, const Interval& y) {
    const double a = -x.neglo, b = x.hi, c = -y.neglo, d = y.hi;
    if (c <= 0 && d >= 0) {
        throw std::domain_error("division by an interval that contains 0");
    }
    return from_ends(std::max({-a / c, -a / d, -b / c, -b / d}),
                     std::max({a / c, a / d, b / c, b / d}));
}

inline Interval& operator+=(Interval& x, const Interval& y) { return x = x + y; }
inline Interval& operator-=(Interval& x, const Interval& y) { return x = x - y; }
inline Interval& operator*=(Interval& x, const Interval& y) { return x = x * y; }

// The greater of two numbers, enclosed.
inline Interval greater_of(const Interval& x, const Interval& y) {
    return from_ends(std::min(x.neglo, y.neglo), std::max(x.hi, y.hi));
}
inline double greater_of(double x, double y) { return std::max(x, y); }

inline double lower(const Interval& x) { return x.lower(); }
inline double upper(const Interval& x) { return x.upper(); }
inline double lower(double x) { return x; }
inline double upper(double x) { return x; }

// Where a scalar needs a rounding direction, its guard; for double nothing happens.
struct NearestRounding {};
template <class Scalar>
struct RoundingOf {
    using type = NearestRounding;
};
template <>
struct RoundingOf<Interval> {
    using type = UpwardRounding;
};
template <class Scalar>
using Rounding = typename RoundingOf<Scalar>::type;

}  // namespace exactdice
