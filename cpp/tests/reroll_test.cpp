// The reroll game against value iteration over every action and every ordered outcome.
#include "exactdice/reroll.hpp"

#include <algorithm>
#include <map>
#include <random>

#include "check.hpp"

namespace {

using namespace exactdice;

double iterate(const reroll::Rules<double>& rules) {
    const std::size_t n = static_cast<std::size_t>(rules.dice), sides = rules.values.size();
    std::size_t rolls = 1;
    for (std::size_t i = 0; i < n; ++i) {
        rolls *= sides;
    }
    const auto side_of = [&](std::size_t roll, std::size_t die) {
        for (; die > 0; --die) {
            roll /= sides;
        }
        return roll % sides;
    };
    std::vector<double> chance(rolls, 1), stick(rolls, 0);
    for (std::size_t roll = 0; roll < rolls; ++roll) {
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t side = side_of(roll, i);
            chance[roll] *= rules.bias[side];
            bool is_double = false;
            for (std::size_t j = 0; j < n; ++j) {
                is_double = is_double || (j != i && side_of(roll, j) == side);
            }
            stick[roll] += rules.values[is_double ? sides - 1 - side : side];
        }
    }
    std::vector<double> values = stick;
    for (int sweep = 0; sweep < 1500; ++sweep) {
        std::vector<double> next = stick;
        for (std::size_t held = 0; held + 1 < std::size_t{1} << n; ++held) {
            // Expectations by what is held: group the outcomes by the held dice's sides.
            std::map<std::size_t, std::pair<double, double>> by_held;
            const auto held_sides = [&](std::size_t roll) {
                std::size_t key = 0;
                for (std::size_t i = 0; i < n; ++i) {
                    key = key * sides + ((held >> i & 1U) != 0 ? side_of(roll, i) : 0);
                }
                return key;
            };
            for (std::size_t roll = 0; roll < rolls; ++roll) {
                double rerolled = 1;
                for (std::size_t i = 0; i < n; ++i) {
                    rerolled *= (held >> i & 1U) != 0 ? 1 : rules.bias[side_of(roll, i)];
                }
                by_held[held_sides(roll)].first += rerolled * values[roll];
            }
            for (std::size_t roll = 0; roll < rolls; ++roll) {
                next[roll] = std::max(next[roll], by_held[held_sides(roll)].first - rules.penalty);
            }
        }
        double change = 0;
        for (std::size_t roll = 0; roll < rolls; ++roll) {
            change = std::max(change, std::abs(next[roll] - values[roll]));
        }
        values = next;
        if (change < 1e-13) {
            break;
        }
    }
    double value = 0;
    for (std::size_t roll = 0; roll < rolls; ++roll) {
        value += chance[roll] * values[roll];
    }
    return value;
}

reroll::Rules<Interval> enclosed(const reroll::Rules<double>& rules) {
    reroll::Rules<Interval> made;
    made.dice = rules.dice;
    made.penalty = Interval(rules.penalty);
    for (std::size_t i = 0; i < rules.values.size(); ++i) {
        made.values.emplace_back(rules.values[i]);
        made.bias.emplace_back(rules.bias[i]);
    }
    return made;
}

}  // namespace

int main() {
    std::mt19937 random(3);
    for (int trial = 0; trial < 8; ++trial) {
        reroll::Rules<double> rules;
        rules.dice = 1 + static_cast<int>(random() % 3);
        const std::size_t sides = 1 + random() % 4;
        double value = -5;
        std::vector<int> weights(sides, 1);
        for (int extra = 0; extra < 16 - static_cast<int>(sides); ++extra) {
            ++weights[random() % sides];
        }
        for (std::size_t side = 0; side < sides; ++side) {
            rules.values.push_back(value += 1 + static_cast<int>(random() % 4));
            rules.bias.push_back(weights[side] / 16.0);
        }
        rules.penalty = (2 + static_cast<int>(random() % 15)) / 8.0;
        const double expected = iterate(rules);
        const auto solution = reroll::solve<double>(rules);
        CHECK(std::abs(solution.value - expected) <= 1e-9);
        const auto enclosure = reroll::solve<Interval>(enclosed(rules));
        CHECK(enclosure.value.lower() <= expected + 1e-9);
        CHECK(enclosure.value.upper() >= expected - 1e-9);
        CHECK(enclosure.value.upper() - enclosure.value.lower() <= 1e-9);
        CHECK(solution.holds.size() == solution.rolls.size());
    }
    reroll::Rules<double> rules;
    rules.values = {1, 2, 3, 4, 5, 6};
    rules.bias.assign(6, 1.0 / 6);
    // 103369/7744 by exact policy iteration.
    CHECK(check::near(reroll::solve<double>(rules).value, 103369.0 / 7744, 1e-14));
    rules.penalty = 0;
    CHECK(check::throws<BadInput>([&] { return reroll::solve<double>(rules); }));
    rules.penalty = 1;
    rules.bias[2] = NAN;
    CHECK(check::throws<BadInput>([&] { return reroll::solve<double>(rules); }));
    rules.bias.assign(6, 1.0 / 6);
    rules.values[5] = INFINITY;
    CHECK(check::throws<BadInput>([&] { return reroll::solve<double>(rules); }));
    rules.values[5] = 6;
    rules.dice = 50;
    CHECK(check::throws<TooLarge>([&] { return reroll::solve<double>(rules); }));
    return check::report();
}
