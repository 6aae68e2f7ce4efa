// Laws from below against laws worked out by hand and against each other; bad arguments.
#include "exactdice/swe_laws.hpp"

#include <numeric>

#include "check.hpp"

namespace {

using namespace exactdice;
using swe::Dice;
using swe::Flow;
using swe::LawOptions;

// Create with a chance, else promote the lowest die that can be promoted.
std::vector<double> law_of(const std::vector<int>& ladder, int rounds, double create,
                           const LawOptions& options) {
    Flow flow(ladder, rounds, options);
    do {
        flow.run();
        for (const auto& [dice, ends] : flow.leaving()) {
            Dice more = dice, lifted = dice;
            ++more[0];
            bool can = false;
            for (std::size_t i = 0; i + 1 < dice.size() && !can; ++i) {
                if (dice[i] > 0) {
                    --lifted[i];
                    ++lifted[i + 1];
                    can = true;
                }
            }
            for (int round : ends) {
                flow.send(dice, round, 0, -1, more, can ? create : 1.0);
                if (can && create < 1) {
                    flow.send(dice, round, 0, -1, lifted, 1 - create);
                }
            }
        }
    } while (flow.advance());
    return flow.final_scores();
}

// One d4 in the first round (score 1 with chance 3/4). In the second two of them, or one again:
// 0 with 3/4·1/16 + 1/4·1/4 = 7/64, 1 with 1/4·3/4 = 12/64, 2 with 3/4·6/16 = 18/64, 3 with 27/64.
void check_by_hand() {
    const std::vector<double> law = law_of({4, 6}, 2, 1.0, {});
    const std::vector<double> expected{7.0 / 64, 12.0 / 64, 18.0 / 64, 27.0 / 64};
    CHECK(law.size() == expected.size());
    for (std::size_t i = 0; i < law.size(); ++i) {
        CHECK(law[i] <= expected[i]);
        CHECK(check::near(law[i], expected[i], 1e-14));
    }
    CHECK(law_of({4, 6}, 0, 1.0, {}) == std::vector<double>{1.0});
}

void check_sums() {
    double before = 0;
    for (double least : {1e-2, 1e-4, 1e-6, 1e-10}) {
        LawOptions options;
        options.least = least;
        const std::vector<double> law = law_of({4, 6, 8, 12, 20}, 18, 0.5, options);
        const double total = std::accumulate(law.begin(), law.end(), 0.0);
        CHECK(total <= 1 && total > before);
        before = total;
        options.threads = 2;
        CHECK(law_of({4, 6, 8, 12, 20}, 18, 0.5, options) == law);
    }
    CHECK(before > 1 - 1e-6);
}

void check_refusals() {
    CHECK(check::throws<BadInput>([] { Flow({4, 4}, 3, {}); }));
    CHECK(check::throws<BadInput>([] { Flow({}, 3, {}); }));
    CHECK(check::throws<BadInput>([] { Flow({1, 4}, 3, {}); }));
    CHECK(check::throws<BadInput>([] { Flow({4}, 201, {}); }));
    CHECK(check::throws<BadInput>([] { Flow({4}, -1, {}); }));
    CHECK(check::throws<BadInput>([] {
        Flow flow({4}, 3, {});
        flow.run();
        flow.send({7}, 0, 0, -1, {8}, 1.0);
    }));
    CHECK(check::throws<TooLarge>([] {
        LawOptions options;
        options.memory_limit = 100;
        law_of({4, 6}, 3, 0.5, options);
    }));
    CHECK(check::throws<Interrupted>([] {
        LawOptions options;
        options.progress = [](double) { return false; };
        law_of({4, 6}, 3, 0.5, options);
    }));
}

}  // namespace

int main() {
    check_by_hand();
    check_sums();
    check_refusals();
    return check::report();
}
