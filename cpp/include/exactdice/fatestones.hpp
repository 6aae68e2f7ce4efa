// FateStones in floating point: the equilibrium of every deal out of one bag.
//
// A duel of two hands is the matrix game A_ij = w_ij − l_ij + t_ij·v(rest), with v the value after a
// tie and a scratch worth 0. Any mixed choice of row bounds the value from below, and any of column
// from above; the enclosure is made by those that the floating-point solution of the game proposes,
// so it is rigorous however they were found.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "exactdice/interval.hpp"
#include "exactdice/work.hpp"

namespace exactdice::fatestones {

using Die = std::vector<int>;

template <class Scalar>
struct Census {
    std::int64_t deals = 0;      // ordered pairs of disjoint hands of three dice
    std::int64_t mixed = 0;      // those whose first choices have no saddle point
    std::int64_t even = 0;       // those of value 0
    std::int64_t undecided = 0;  // those of which rounding does not tell one of these for certain
    Scalar mean_absolute{};
    Scalar largest{};
    std::array<int, 6> largest_deal{};  // numbers of dice in the bag, the better hand's first
};

struct Options {
    int threads = 1;
    Progress progress;
};

template <class Scalar>
Census<Scalar> census(const std::vector<Die>& bag, const Options& options = {});

// Value of each duel: hands of three, as numbers of dice in the bag, row's and then column's.
template <class Scalar>
std::vector<Scalar> duels(const std::vector<Die>& bag,
                          const std::vector<std::array<int, 6>>& hands);

// Absolute error that a value in doubles cannot exceed but by misfortune: stated, and checked.
constexpr double absolute_bound = 0x1p-40;

}  // namespace exactdice::fatestones
