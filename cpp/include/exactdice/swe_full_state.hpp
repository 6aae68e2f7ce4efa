// The software-engineering game solved the straightforward way: a hash map over full states, score
// included. Slow and obvious; the yardstick of the tests and of the benchmarks.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <unordered_map>
#include <vector>

namespace exactdice::swe {

class FullStateProgram {
   public:
    explicit FullStateProgram(std::vector<int> faces) : faces_(std::move(faces)) {
        if (faces_.size() > 5) {
            throw std::invalid_argument("at most 5 rungs fit into a key");
        }
    }

    double value(int rounds) {
        return before_move(rounds, std::vector<int>(faces_.size(), 0),
                           std::vector<int>(faces_.size(), 0), 0);
    }
    std::size_t states() const { return known_.size(); }

   private:
    // 5 bits for each number of dice, 11 for the score: rounds stay far below 32.
    struct Key {
        std::uint64_t dice;
        std::uint64_t rest;
        bool operator==(const Key&) const = default;
    };
    struct Hash {
        std::size_t operator()(const Key& key) const {
            return (key.dice ^ (key.rest << 51)) * 0x9e3779b97f4a7c15ULL >> 7;
        }
    };

    double before_move(int left, const std::vector<int>& revenue, const std::vector<int>& legacy,
                       int score) {
        if (left == 0) {
            return score;
        }
        Key key{0, static_cast<std::uint64_t>(left * 4096 + score)};
        bool broken = false;
        for (std::size_t i = 0; i < faces_.size(); ++i) {
            key.dice = (key.dice << 5 | static_cast<std::uint64_t>(revenue[i])) << 5 |
                       static_cast<std::uint64_t>(legacy[i]);
            broken = broken || legacy[i] > 0;
        }
        const auto found = known_.find(key);
        if (found != known_.end()) {
            return found->second;
        }
        double best = 0;
        std::vector<int> r = revenue, l = legacy;
        const auto consider = [&] { best = std::max(best, after_move(left, r, l, score, 0, 1, 0)); };
        if (broken) {
            for (std::size_t i = 0; i < faces_.size(); ++i) {
                if (legacy[i] > 0) {
                    ++r[i], --l[i];
                    consider();
                    --r[i], ++l[i];
                }
            }
        } else {
            ++r[0];
            consider();
            --r[0];
            for (std::size_t i = 0; i + 1 < faces_.size(); ++i) {
                if (revenue[i] > 0) {
                    --r[i], ++r[i + 1];
                    consider();
                    ++r[i], --r[i + 1];
                }
            }
        }
        return known_[key] = best;
    }

    // Roll the dice of one rung after another: every number of failures in turn.
    double after_move(int left, std::vector<int>& revenue, std::vector<int>& legacy, int score,
                      std::size_t rung, double chance, int survivors) {
        if (rung == faces_.size()) {
            const int reached = survivors > 0 ? score + survivors : 0;
            return chance * before_move(left - 1, revenue, legacy, reached);
        }
        const int number = revenue[rung];
        const double fails = 1.0 / faces_[rung];
        double total = 0, ways = 1;
        for (int failed = 0; failed <= number; ++failed) {
            double now = ways;
            for (int i = 0; i < number; ++i) {
                now *= i < failed ? fails : 1 - fails;
            }
            revenue[rung] -= failed;
            legacy[rung] += failed;
            total += after_move(left, revenue, legacy, score, rung + 1, chance * now,
                                survivors + number - failed);
            revenue[rung] += failed;
            legacy[rung] -= failed;
            ways = ways * (number - failed) / (failed + 1);
        }
        return total;
    }

    std::vector<int> faces_;
    std::unordered_map<Key, double, Hash> known_;
};

}  // namespace exactdice::swe
