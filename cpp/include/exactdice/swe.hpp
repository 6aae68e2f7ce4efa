// The software-engineering game in floating point.
//
// States with the same dice T (revenue and legacy together) form a block: one box of ∏(T_i + 1)
// splits. A roll or a fix stays in its block; creating or promoting leads, from the split without
// legacy, to a block whose weight Σ(i + 1)·T_i is greater by 1. Blocks are solved in descending
// weight. The score is no part of the state: with some rounds left, the value of a split is a convex
// piecewise linear function A + B·s of the score s, over the scores that play can reach, and nearly
// always a single line. A roll is a Kronecker product of one triangular matrix for each kind of die.
//
// Scalar is double, or Interval: then every number encloses the exact one. All terms are
// nonnegative and nothing is ever subtracted, so relative errors only add up; relative_bound says to
// how much at most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "exactdice/interval.hpp"
#include "exactdice/work.hpp"

namespace exactdice::swe {

using Dice = std::vector<int>;

struct Options {
    int threads = 1;
    double memory_limit = 8.0 * 1024 * 1024 * 1024;
    Progress progress;
};

// Sizes of the model, and what the solution met.
struct Sizes {
    std::int64_t blocks = 0;
    std::int64_t states = 0;     // (rounds left ≥ 1, split), before a move
    std::int64_t actions = 0;    // legal actions, summed over those states
    std::int64_t several_pieces = 0;    // states whose value is more than one line over reachable scores
    std::int64_t undecided = 0;  // states with a choice that the numbers do not settle for certain
    std::size_t bytes = 0;       // kept at once, about
};

// The line A + B·s, from the score start on.
template <class Scalar>
struct Piece {
    int start;
    Scalar A, B;
};
template <class Scalar>
using Envelope = std::vector<Piece<Scalar>>;

// The moves from the scores `low` to `high`: which may be optimal, as bits, and which was taken.
// In the split without legacy, move 0 creates and move i + 1 promotes from rung i; elsewhere, move i
// fixes on rung i.
struct Choice {
    int low, high;
    std::uint32_t possible;
    int taken;
};

// One state of a block, before the move.
template <class Scalar>
struct Entry {
    int left;
    Dice revenue;
    int low, high;  // scores that play can reach lie between these
    Envelope<Scalar> envelope;
    std::vector<Choice> choices;
};

// Relative error that a value in doubles cannot exceed.
double relative_bound(int rungs, int rounds);

template <class Scalar>
class Solution {
   public:
    Solution(std::vector<int> faces, int rounds, Options options = {});
    ~Solution();
    Solution(Solution&&) noexcept;

    Scalar value() const;
    const Sizes& sizes() const;

    // All dice of a weight, in lexicographic order.
    std::vector<Dice> dice_of_weight(int weight) const;
    // The value right after the move that made these dice, with no legacy and 1, 2, … rounds left.
    std::vector<Envelope<Scalar>> afterstates(const Dice& dice) const;
    // The choices in the split without legacy, with 1, 2, … rounds left.
    std::vector<std::vector<Choice>> all_revenue_choices(const Dice& dice) const;
    // Every state of a block.
    std::vector<Entry<Scalar>> block(const Dice& dice) const;

   private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

extern template class Solution<double>;
extern template class Solution<Interval>;

}  // namespace exactdice::swe
