// What all solvers share: how a long computation reports, is stopped, and is refused.
#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>

namespace exactdice {

// Asked a few times a second with the part of the work that is done, from the thread that started
// it; false stops the work.
using Progress = std::function<bool(double)>;

// Thrown when a Progress answered false.
struct Interrupted : std::runtime_error {
    Interrupted() : std::runtime_error("interrupted") {}
};

// An argument out of its domain.
struct BadInput : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// The work would need more memory than allowed.
struct TooLarge : std::length_error {
    using std::length_error::length_error;
};

inline void require_memory(double bytes, double limit) {
    if (bytes > limit) {
        const auto mebibytes = [](double size) {
            return std::to_string(static_cast<long long>(size / 1048576.0) + 1);
        };
        throw TooLarge("needs about " + mebibytes(bytes) + " MiB, more than the limit of " +
                       mebibytes(limit) + " MiB");
    }
}

}  // namespace exactdice
