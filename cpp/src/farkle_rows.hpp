// What one instruction does to several levels or turns of a sweep, side by side.
#pragma once

#include <cstddef>
#include <cstring>

#include "farkle_turn.hpp"

namespace exactdice::farkle {

// All lanes in one operand; where the machine's are shorter, in several.
typedef double Row __attribute__((vector_size(lanes * sizeof(double))));

// Numbers lie anywhere, rows where vectors must.
[[gnu::always_inline]] inline void load(Row& row, const double* numbers) {
    std::memcpy(&row, numbers, sizeof row);
}

[[gnu::always_inline]] inline void store(double* numbers, const Row& row) {
    std::memcpy(numbers, &row, sizeof row);
}

template <Side side>
[[gnu::always_inline]] inline void take_better(Row& best, const Row& other) {
    if constexpr (side == Side::above) {
        best = best > other ? best : other;
    } else {
        best = best < other ? best : other;
    }
}

template <Side side>
[[gnu::always_inline]] inline void take_better(Row& best, const double* numbers) {
    Row other;
    load(other, numbers);
    take_better<side>(best, other);
}

}  // namespace exactdice::farkle
