// The reroll game in floating point.
//
// V(roll) = max(stick(roll), max over partial holds h of −penalty + E V(h and the dice rolled anew)).
// The expectation is built up one die at a time: E(h) = Σ_v p_v E(h + v). V is the limit from below
// of the values of games that must end after 0, 1, 2, … rerolls, and the least function u with
// u ≥ stick and u ≥ −penalty + E u; both directions make the enclosure: the first by iteration rounded
// down, the second by finding a u, from the solution for a slightly smaller penalty, and verifying
// the inequalities rounded up.
#pragma once

#include <vector>

#include "exactdice/interval.hpp"
#include "exactdice/work.hpp"

namespace exactdice::reroll {

template <class Scalar>
struct Rules {
    int dice = 3;
    std::vector<Scalar> values;  // ascending
    std::vector<Scalar> bias;    // probabilities, one a value
    Scalar penalty = Scalar(1.0);
};

template <class Scalar>
struct Solution {
    std::vector<std::vector<int>> rolls;  // how many dice show each side, in lexicographic order
    std::vector<Scalar> values;           // of each roll, before the choice
    std::vector<std::vector<int>> holds;  // how many dice of each side to hold
    Scalar value{};                       // before the first roll
    long choices = 0;                     // pairs of a roll and a hold of it
    long undecided = 0;                   // rolls at which the best hold is not certain
    int iterations = 0;
};

template <class Scalar>
Solution<Scalar> solve(const Rules<Scalar>& rules, const Progress& progress = {});

}  // namespace exactdice::reroll
