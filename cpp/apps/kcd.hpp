// The scores of the dice game of Kingdom Come: Deliverance, which the KCD Farkle README solves.
#pragma once

#include "exactdice/farkle.hpp"

namespace exactdice::apps {

inline farkle::Rules kcd_rules() {
    farkle::Rules rules;
    rules.combinations = {{{1}, 100},
                          {{5}, 50},
                          {{1, 2, 3, 4, 5}, 500},
                          {{2, 3, 4, 5, 6}, 750},
                          {{1, 2, 3, 4, 5, 6}, 1500}};
    for (int face = 1; face <= 6; ++face) {
        int score = face == 1 ? 1000 : 100 * face;
        for (std::size_t number = 3; number <= 6; ++number, score *= 2) {
            rules.combinations.push_back({std::vector<int>(number, face), score});
        }
    }
    return rules;
}

}  // namespace exactdice::apps
