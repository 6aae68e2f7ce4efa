// Regret matching: a matrix game whose best plans are known, and refusals.
#include "exactdice/regrets.hpp"

#include "check.hpp"
#include "exactdice/work.hpp"

namespace {

using namespace exactdice::regrets;

// One set of two actions.
Side choice() { return Side{{0}, {1, 3}}; }

// Pennies that pay 2 for heads and 1 for tails: each shows heads with chance 1/3.
void check_pennies() {
    for (const double unit : {1.0, 1.0 + 1e-12}) {  // short payoffs, and others
        Match pennies(choice(), choice(), {1, 2}, {1, 2}, {2 * unit, unit});
        pennies.play(2000);
        for (const int player : {1, 2}) {
            const std::vector<double>& mean = pennies.mean(player);
            check::that(check::near(mean[1] / mean[0], 1.0 / 3, 1e-3), "heads", __FILE__, __LINE__);
            check::that(check::near(mean[1] + mean[2], mean[0], 1e-9), "a plan", __FILE__, __LINE__);
        }
    }
}

// A second choice of the first player behind the first action, where all is won.
void check_depth() {
    Match game(Side{{0, 1}, {1, 3, 5}}, Side{{}, {1}}, {2, 3, 4}, {0, 0, 0}, {1, 0, 3});
    game.play(500);
    const std::vector<double>& mean = game.mean(1);
    check::that(mean[4] > 0.99 * mean[0], "what is best two steps on", __FILE__, __LINE__);
}

void check_refusals() {
    const auto refused = [](Side one, std::vector<Place> rows) {
        return check::throws<exactdice::BadInput>(
            [&] { Match(std::move(one), choice(), rows, {1}, {1}); });
    };
    check::that(!refused(choice(), {1}), "what fits is taken", __FILE__, __LINE__);
    check::that(refused(choice(), {3}), "sequences there are", __FILE__, __LINE__);
    check::that(refused(choice(), {1, 2}), "one row a payoff", __FILE__, __LINE__);
    check::that(refused(Side{{1}, {1, 3}}, {1}), "parents come before", __FILE__, __LINE__);
    check::that(refused(Side{{0}, {1, 1}}, {}), "sets have actions", __FILE__, __LINE__);
}

}  // namespace

int main() {
    check_pennies();
    check_depth();
    check_refusals();
    return check::report();
}
