// Qwixx for one player: the greatest mean score of each sheet, in whole numbers.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "exactdice/work.hpp"

namespace exactdice::qwixx {

// Two white dice and four coloured ones; two rows ascend and two descend. A row's boxes are the sums
// of two dice; the last one locks it. Two locked rows end the game, and so do enough penalties.
struct Rules {
    int sides = 6;
    int needed = 5;         // crosses before the last box
    int penalties = 4;      // each worth -5
    bool plays_on = false;  // whether coloured dice still count when the white ones ended the game
};

// Of each row the place of the last cross, 0 where there is none, and the crosses; then penalties.
using State = std::array<int, 9>;

constexpr std::size_t words = 12;
using Number = std::array<std::uint64_t, words>;  // lowest word first

struct Values {
    std::vector<Number> asked;  // mean score and 5 * penalties, in multiples of 1/unit
    std::int64_t solved;        // states between turns, up to exchanging like rows, and directions
};

// Throws BadInput where a value is no multiple of 1/unit, or has more than 12 words.
Values solve(const Rules& rules, const Number& unit, const std::vector<State>& asked,
             double memory_limit, const Progress& progress);

}  // namespace exactdice::qwixx
