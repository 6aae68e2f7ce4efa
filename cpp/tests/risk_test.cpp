// Risk grids against the plain recursion over all rolls of the dice.
#include "exactdice/risk.hpp"

#include <algorithm>
#include <map>

#include "check.hpp"

namespace {

using namespace exactdice;

// Losses of the attacker in every roll of unsorted dice, one after another.
std::map<int, double> enumerate(int a, int d, const risk::Rules& rules) {
    std::map<int, double> ways;
    std::vector<int> dice(static_cast<std::size_t>(a + d), 1);
    for (;;) {
        std::vector<int> attack(dice.begin(), dice.begin() + a), defence(dice.begin() + a, dice.end());
        std::sort(attack.rbegin(), attack.rend());
        std::sort(defence.rbegin(), defence.rend());
        int lost = 0;
        for (std::size_t i = 0; i < attack.size() && i < defence.size(); ++i) {
            lost += rules.attacker_wins_ties ? attack[i] < defence[i] : attack[i] <= defence[i];
        }
        ++ways[lost];
        std::size_t i = 0;
        for (; i < dice.size(); ++i) {
            const int sides = i < static_cast<std::size_t>(a) ? rules.attacker_sides
                                                              : rules.defender_sides;
            if (dice[i] < sides) {
                ++dice[i];
                break;
            }
            dice[i] = 1;
        }
        if (i == dice.size()) {
            return ways;
        }
    }
}

double win(int a, int d, const risk::Rules& rules) {
    if (d == 0 || a < rules.stop_below) {
        return d == 0 ? 1 : 0;
    }
    const int with = std::min(a, rules.attacker_dice), against = std::min(d, rules.defender_dice);
    double total = 0, all = 0;
    for (const auto& [lost, ways] : enumerate(with, against, rules)) {
        total += ways * win(a - lost, d - (std::min(with, against) - lost), rules);
        all += ways;
    }
    return total / all;
}

}  // namespace

int main() {
    const std::vector<risk::Rules> variants{{},
                                            {2, 2, 4, 6, true, 1},
                                            {4, 3, 3, 2, false, 2},
                                            {1, 1, 8, 8, false, 1},
                                            {3, 2, 6, 6, true, 3}};
    for (const risk::Rules& rules : variants) {
        for (int a = 1; a <= rules.attacker_dice; ++a) {
            for (int d = 1; d <= rules.defender_dice; ++d) {
                const std::vector<double> ways = risk::round_ways(a, d, rules);
                std::map<int, double> expected = enumerate(a, d, rules);
                for (std::size_t k = 0; k < ways.size(); ++k) {
                    CHECK(ways[k] == expected[static_cast<int>(k)]);
                }
            }
        }
        const auto grid = risk::win_grid<double>(5, 4, rules);
        const auto enclosure = risk::win_grid<Interval>(5, 4, rules);
        for (int a = 0; a <= 5; ++a) {
            for (int d = 0; d <= 4; ++d) {
                CHECK(check::near(grid.at(a, d), win(a, d, rules), 1e-14));
                CHECK(enclosure.at(a, d).lower() <= grid.at(a, d));
                CHECK(grid.at(a, d) <= enclosure.at(a, d).upper());
            }
        }
    }
    // The Risk post prints 6610505/10077696 for (4, 2) total units, 3 of which fight.
    CHECK(check::near(risk::win_grid<double>(3, 2).at(3, 2), 6610505.0 / 10077696.0, 1e-15));
    CHECK(check::throws<BadInput>([] { return risk::win_grid<double>(0, 2); }));
    CHECK(check::throws<BadInput>([] { return risk::win_grid<double>(2, 2, {3, 2, 0, 6, false, 1}); }));
    CHECK(check::throws<BadInput>([] { return risk::round_ways(20, 20, {20, 20, 6, 6, false, 1}); }));
    CHECK(check::throws<TooLarge>([] { return risk::win_grid<double>(100000, 100000); }));
    return check::report();
}
