#include "exactdice/risk.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace exactdice::risk {
namespace {

constexpr double countable = 9007199254740992.0;  // 2^53

void check(const Rules& rules) {
    const auto within = [](int number, int most, const char* name) {
        if (number < 1 || number > most) {
            throw BadInput(std::string(name) + ": give a whole number from 1 to " +
                           std::to_string(most));
        }
    };
    within(rules.attacker_dice, 20, "attacker_dice");
    within(rules.defender_dice, 20, "defender_dice");
    within(rules.attacker_sides, 1'000'000, "attacker_sides");
    within(rules.defender_sides, 1'000'000, "defender_sides");
    within(rules.stop_below, std::numeric_limits<int>::max(), "stop_below");
}

// A sorted roll, highest first, and in how many ways the dice show it.
struct Sorted {
    std::vector<int> faces;
    double ways;
};

void list_sorted(int dice, int highest, std::vector<int>& faces, std::vector<Sorted>& found) {
    if (dice == 0) {
        double ways = 1;
        int run = 0;
        for (std::size_t i = 0; i < faces.size(); ++i) {
            run = i > 0 && faces[i] == faces[i - 1] ? run + 1 : 1;
            ways = ways * static_cast<double>(i + 1) / run;
        }
        found.push_back({faces, ways});
        return;
    }
    for (int face = highest; face >= 1; --face) {
        faces.push_back(face);
        list_sorted(dice - 1, face, faces, found);
        faces.pop_back();
    }
}

double sorted_rolls(int dice, int sides) {
    double count = 1;
    for (int i = 1; i <= dice; ++i) {
        count = count * (sides + i - 1) / i;
    }
    return count;
}

}  // namespace

std::vector<double> round_ways(int attacker, int defender, const Rules& rules) {
    check(rules);
    const double rolls =
        std::pow(rules.attacker_sides, attacker) * std::pow(rules.defender_sides, defender);
    if (rolls > countable || sorted_rolls(attacker, rules.attacker_sides) *
                                     sorted_rolls(defender, rules.defender_sides) >
                                 1e8) {
        throw BadInput("dice: a round of " + std::to_string(attacker) + " against " +
                       std::to_string(defender) + " has too many rolls to be counted in doubles");
    }
    std::vector<Sorted> attacks, defences;
    std::vector<int> faces;
    list_sorted(attacker, rules.attacker_sides, faces, attacks);
    list_sorted(defender, rules.defender_sides, faces, defences);
    const std::size_t stake = static_cast<std::size_t>(std::min(attacker, defender));
    std::vector<double> ways(stake + 1, 0);
    for (const Sorted& attack : attacks) {
        for (const Sorted& defence : defences) {
            std::size_t lost = 0;
            for (std::size_t i = 0; i < stake; ++i) {
                const int lead = attack.faces[i] - defence.faces[i];
                lost += lead < 0 || (lead == 0 && !rules.attacker_wins_ties);
            }
            ways[lost] += attack.ways * defence.ways;
        }
    }
    return ways;
}

// A step of the recursion takes a quotient, a product and at most `stake` sums for each term, and
// every round costs at least one unit.
double relative_bound(int units, const Rules& rules) {
    const double unit = std::numeric_limits<double>::epsilon() / 2;
    return 1.01 * units * (std::min(rules.attacker_dice, rules.defender_dice) + 2) * unit;
}

template <class Scalar>
Grid<Scalar> win_grid(int attackers, int defenders, const Rules& rules, double memory_limit,
                      const Progress& progress) {
    check(rules);
    if (attackers < 1 || defenders < 1) {
        throw BadInput("armies: give at least 1 fighting unit on each side");
    }
    const std::size_t width = static_cast<std::size_t>(attackers) + 1;
    const std::size_t height = static_cast<std::size_t>(defenders) + 1;
    require_memory(static_cast<double>(width) * static_cast<double>(height) * sizeof(Scalar),
                   memory_limit);
    const Rounding<Scalar> rounding;
    static_cast<void>(rounding);
    // chances[min(a, most) − 1][min(d, most) − 1]
    std::vector<std::vector<std::vector<Scalar>>> rounds;
    for (int a = 1; a <= std::min(rules.attacker_dice, attackers); ++a) {
        rounds.emplace_back();
        for (int d = 1; d <= std::min(rules.defender_dice, defenders); ++d) {
            const std::vector<double> ways = round_ways(a, d, rules);
            double all = 0;
            for (double way : ways) {
                all += way;  // whole numbers of at most 2^53: exact
            }
            rounds.back().emplace_back();
            for (double way : ways) {
                rounds.back().back().push_back(Scalar(way) / Scalar(all));
            }
        }
    }
    Grid<Scalar> grid{attackers, defenders, std::vector<Scalar>(width * height, Scalar(0.0))};
    std::fill_n(grid.chance.begin(), width, Scalar(1.0));
    Clock clock(progress);
    for (std::size_t d = 1; d < height; ++d) {
        const auto& against = std::min(d, static_cast<std::size_t>(rules.defender_dice)) - 1;
        Scalar* row = grid.chance.data() + d * width;
        for (std::size_t a = static_cast<std::size_t>(rules.stop_below); a < width; ++a) {
            const auto with = std::min(a, static_cast<std::size_t>(rules.attacker_dice)) - 1;
            const std::vector<Scalar>& chances = rounds[with][against];
            const std::size_t stake = chances.size() - 1;
            Scalar total = chances[0] * (row - stake * width)[a];
            for (std::size_t lost = 1; lost <= stake; ++lost) {
                total += chances[lost] * (row - (stake - lost) * width)[a - lost];
            }
            row[a] = total;
        }
        clock.tick(static_cast<double>(d) / static_cast<double>(height));
    }
    return grid;
}

template Grid<double> win_grid(int, int, const Rules&, double, const Progress&);
template Grid<Interval> win_grid(int, int, const Rules&, double, const Progress&);

}  // namespace exactdice::risk
