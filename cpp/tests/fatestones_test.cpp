// Matrix games against a grid of mixed choices; duels against their symmetries; the census with one
// thread and with two.
#include "exactdice/fatestones.hpp"

#include <random>

#include "../src/matrix_game.hpp"
#include "check.hpp"

namespace {

using namespace exactdice;

// The best that row can be sure of with parts in multiples of 1/steps: below the value, and nearly.
double sure_on_grid(const Payoff<3>& payoff, int steps) {
    double best = -1e300;
    for (int i = 0; i <= steps; ++i) {
        for (int k = 0; i + k <= steps; ++k) {
            best = std::max(best, sure_of<3>(payoff, {1.0 * i, 1.0 * k, 1.0 * (steps - i - k)}));
        }
    }
    return best;
}

}  // namespace

int main() {
    std::mt19937 random(11);
    for (int trial = 0; trial < 400; ++trial) {
        Payoff<3> payoff;
        for (auto& row : payoff) {
            for (double& entry : row) {
                entry = static_cast<int>(random() % (trial % 2 == 0 ? 5 : 1000)) - 2;
            }
        }
        const Play<3> play = solve_game<3>(payoff);
        const double below = sure_of<3>(payoff, play.row);
        const double above = -sure_of<3>(negative_transpose<3>(payoff), play.column);
        // Equal guarantees of both sides prove both choices optimal.
        CHECK(above - below <= 1e-11 && below - above <= 1e-11);
        CHECK(sure_on_grid(payoff, 20) <= below + 1e-11);
    }
    const std::vector<fatestones::Die> bag{{1, 1, 4}, {1, 2, 3}, {2, 2, 2}, {1, 3, 4},
                                           {1, 1, 1}, {3, 3, 3}, {2, 3, 3}, {1, 4, 4}};
    const auto one = fatestones::census<double>(bag);
    fatestones::Options two;
    two.threads = 2;
    const auto both = fatestones::census<double>(bag, two);
    CHECK(one.mean_absolute == both.mean_absolute && one.deals == both.deals);
    // C(8, 3)·C(5, 3) ordered pairs of disjoint hands.
    CHECK(one.deals == 560);
    const auto enclosure = fatestones::census<Interval>(bag);
    CHECK(enclosure.mean_absolute.lower() <= one.mean_absolute + 1e-15);
    CHECK(enclosure.mean_absolute.upper() >= one.mean_absolute - 1e-15);
    CHECK(enclosure.mean_absolute.upper() - enclosure.mean_absolute.lower() < 1e-13);
    CHECK(enclosure.mixed == one.mixed);
    const std::vector<std::array<int, 6>> hands{
        {0, 1, 2, 3, 4, 5}, {3, 4, 5, 0, 1, 2}, {0, 1, 2, 0, 1, 2}};
    const auto values = fatestones::duels<double>(bag, hands);
    CHECK(std::abs(values[0] + values[1]) <= 1e-15 && std::abs(values[2]) <= 1e-15);
    CHECK(check::throws<BadInput>([&] { return fatestones::census<double>({{1}, {2}}); }));
    CHECK(check::throws<BadInput>([&] {
        return fatestones::duels<double>(bag, {{0, 1, 2, 3, 4, 8}});
    }));
    CHECK(check::throws<BadInput>([&] {
        return fatestones::duels<double>(bag, {{0, 0, 2, 3, 4, 5}});
    }));
    return check::report();
}
