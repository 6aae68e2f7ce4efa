// The law of the final score under any policy, from below.
//
// States with the same dice T (revenue and legacy together) form a block, which games enter and leave
// by its all-revenue split only. What happens between two visits there, a stay, depends on
// T alone: after t rolls, K_t is the law of the points gained by the games that are back for the first
// time and never lost all, W_t that of the scores of those that are back and lost all on the way. A
// law L that enters before the roll of round r leaves after that of round r + t − 1 as
// L·K_t + |L|·W_t, where a product adds scores and |L| is the total weight. Where games go from a
// all-revenue split is told by `send`, so any policy can be played that repairs in a fixed order.
//
// All numbers are nonnegative doubles, and every operation is rounded down: each weight is at most the
// probability it stands for. What is too little to be seen is left out, on purpose as well. So the
// weights that are missing from 1 bound every error at once.
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "exactdice/work.hpp"

namespace exactdice::swe {

using Dice = std::vector<int>;

struct LawOptions {
    bool lowest_first = false;  // the order of repairs; else the highest rung first
    double least = 1e-9;          // blocks that games of less weight enter are left out, and what
                                  // is far less than that inside of a block
    double most_products = 1e12;  // after a weight at which so many were made, all is left out
    double memory_limit = 8.0 * 1024 * 1024 * 1024;
    int threads = 1;
    Progress progress;
};

class Flow {
   public:
    Flow(std::vector<int> faces, int rounds, LawOptions options);

    // Follow all games through the blocks of the present weight.
    void run();
    // The dice of those blocks, in ascending order, with the rounds after which games leave them.
    std::vector<std::pair<Dice, std::vector<int>>> leaving() const;
    // Send games on: those that leave a block after a round with a score from low to high (without
    // high; no limit if it is negative), by a part of them that is at least `chance`.
    void send(const Dice& from, int round, int low, int high, const Dice& to, double chance);
    // Go on to the next weight; false if no games are left.
    bool advance();
    // The weights of the final scores 0, 1, …
    const std::vector<double>& final_scores() const { return final_; }
    double products() const { return products_; }

   private:
    using Laws = std::map<int, std::vector<double>>;  // by round, weights of the scores 0, 1, …
    struct Passed {
        Laws leaving;
        std::vector<double> at_end;
        double products = 0;
    };
    class Memory;
    Passed pass(const Dice& dice, const Laws& entering, Memory& memory) const;
    static double bytes(const Laws& laws);

    std::vector<int> faces_;
    int rounds_;
    int weight_ = 0;  // of the dice that are present
    LawOptions options_;
    std::map<Dice, Laws> present_, following_;
    std::map<Dice, Laws> left_;
    std::vector<double> final_;
    double products_ = 0;
};

}  // namespace exactdice::swe
