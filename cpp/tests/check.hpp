// A test program's checks: each failure is printed, and the exit status counts them.
#pragma once

#include <cmath>
#include <cstdio>

namespace check {

inline int failures = 0;
inline int passed = 0;

inline void that(bool holds, const char* what, const char* file, int line) {
    if (holds) {
        ++passed;
    } else {
        ++failures;
        std::fprintf(stderr, "%s:%d: failed: %s\n", file, line, what);
    }
}

inline bool near(double x, double y, double relative) {
    return std::abs(x - y) <= relative * std::max(std::abs(x), std::abs(y));
}

inline int report() {
    std::printf("%d passed, %d failed\n", passed, failures);
    return failures == 0 ? 0 : 1;
}

template <class Problem, class Body>
bool throws(Body body) {
    try {
        body();
    } catch (const Problem&) {
        return true;
    }
    return false;
}

}  // namespace check

#define CHECK(condition) check::that((condition), #condition, __FILE__, __LINE__)
