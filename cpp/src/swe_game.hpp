// What games both solvers of the software-engineering game take.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "exactdice/work.hpp"

namespace exactdice::swe {

constexpr int most_rounds = 200;  // counts of dice are kept in bytes
constexpr std::size_t most_rungs = 8;
constexpr int most_faces = 1'000'000;

inline void require_game(const std::vector<int>& faces, int rounds, int least_rounds) {
    if (faces.empty() || faces.size() > most_rungs) {
        throw BadInput("ladder: give 1 to " + std::to_string(most_rungs) + " dice");
    }
    for (std::size_t i = 0; i < faces.size(); ++i) {
        if (faces[i] < 2 || faces[i] > most_faces || (i > 0 && faces[i] <= faces[i - 1])) {
            throw BadInput("ladder: give faces from 2 to " + std::to_string(most_faces) +
                           " that ascend strictly");
        }
    }
    if (rounds < least_rounds || rounds > most_rounds) {
        throw BadInput("rounds: give a whole number from " + std::to_string(least_rounds) + " to " +
                       std::to_string(most_rounds));
    }
}

}  // namespace exactdice::swe
