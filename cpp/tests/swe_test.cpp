// The solver by blocks against a hash map over full states, and against itself: intervals enclose
// doubles, one thread and two agree to the last bit, what is out of range is refused.
#include "exactdice/swe.hpp"

#include "check.hpp"
#include "exactdice/swe_full_state.hpp"

namespace {

using namespace exactdice;
using swe::Solution;

const std::vector<int> standard{4, 6, 8, 12, 20};

void check_against_full_states() {
    const std::vector<std::vector<int>> ladders{{4}, {2}, {2, 3}, {2, 3, 9}, {4, 6}, {3, 4, 5, 7},
                                                standard};
    for (const std::vector<int>& ladder : ladders) {
        swe::FullStateProgram program(ladder);
        for (int rounds = 1; rounds <= 9; ++rounds) {
            const double expected = program.value(rounds);
            const Solution<double> solution(ladder, rounds);
            CHECK(check::near(solution.value(), expected, 1e-13));
            const Solution<Interval> enclosure(ladder, rounds);
            CHECK(enclosure.value().lower() <= expected * (1 + 1e-13));
            CHECK(enclosure.value().upper() >= expected * (1 - 1e-13));
            CHECK(enclosure.value().upper() - enclosure.value().lower() <= 1e-12 * expected);
            CHECK(enclosure.sizes().states == solution.sizes().states);
        }
    }
}

// Long games with few kinds of dice: here many values are more than one line, and some choices turn
// on the score.
void check_values_of_several_pieces() {
    const std::vector<std::vector<int>> ladders{{2, 3}, {2, 5}, {2, 3, 4}, {3, 20}, {2, 4, 5, 9}};
    std::int64_t several_pieces = 0;
    for (const std::vector<int>& ladder : ladders) {
        swe::FullStateProgram program(ladder);
        for (int rounds = 10; rounds <= 14; ++rounds) {
            const double expected = program.value(rounds);
            const Solution<double> solution(ladder, rounds);
            CHECK(check::near(solution.value(), expected, 1e-13));
            const Solution<Interval> enclosure(ladder, rounds);
            CHECK(enclosure.value().lower() <= expected * (1 + 1e-13));
            CHECK(enclosure.value().upper() >= expected * (1 - 1e-13));
            several_pieces += solution.sizes().several_pieces;
        }
    }
    CHECK(several_pieces > 1000);  // the test has teeth
}

void check_threads() {
    swe::Options two;
    two.threads = 2;
    for (int rounds : {1, 7, 20, 26}) {
        const Solution<double> one(standard, rounds), both(standard, rounds, two);
        CHECK(one.value() == both.value());
        CHECK(one.sizes().several_pieces == both.sizes().several_pieces);
        const Solution<Interval> first(standard, rounds), second(standard, rounds, two);
        CHECK(first.value().lower() == second.value().lower());
        CHECK(first.value().upper() == second.value().upper());
        CHECK(first.value().lower() <= one.value() && one.value() <= first.value().upper());
    }
}

void check_known_values() {
    // The game's README prints 20.483601957243238 for 10 rounds.
    CHECK(check::near(Solution<double>(standard, 10).value(), 20.483601957243238, 1e-15));
    // The sizes of simplices: 113 multisets of weight at most 10, 1601 of at most 22 (Ehrhart counts
    // by Normaliz, LattE and barvinok).
    CHECK(Solution<double>(standard, 10).sizes().blocks == 113);
    CHECK(Solution<double>(standard, 22).sizes().blocks == 1601);
}

void check_blocks() {
    const Solution<double> solution(standard, 14);
    const Solution<Interval> enclosure(standard, 14);
    for (const swe::Dice& dice : solution.dice_of_weight(6)) {
        const auto doubles = solution.block(dice);
        const auto intervals = enclosure.block(dice);
        CHECK(doubles.size() == intervals.size() && !doubles.empty());
        for (std::size_t i = 0; i < doubles.size(); ++i) {
            CHECK(doubles[i].low <= doubles[i].high);
            CHECK(intervals[i].envelope.front().A.lower() <= doubles[i].envelope.front().A);
            CHECK(doubles[i].envelope.front().A <= intervals[i].envelope.front().A.upper());
        }
        CHECK(solution.all_revenue_choices(dice).size() == 8);
    }
}

void check_refusals() {
    const auto solve = [](std::vector<int> ladder, int rounds, swe::Options options = {}) {
        return [=] { return Solution<double>(ladder, rounds, options); };
    };
    CHECK(check::throws<BadInput>(solve(standard, 0)));
    CHECK(check::throws<BadInput>(solve(standard, 100000)));
    CHECK(check::throws<BadInput>(solve({}, 3)));
    CHECK(check::throws<BadInput>(solve({6, 4}, 3)));
    CHECK(check::throws<BadInput>(solve({1, 4}, 3)));
    swe::Options options;
    options.threads = 0;
    CHECK(check::throws<BadInput>(solve(standard, 3, options)));
    options.threads = 2;
    options.memory_limit = 1e6;
    CHECK(check::throws<TooLarge>(solve(standard, 60, options)));
    options.memory_limit = 1e9;
    options.progress = [](double) { return false; };
    CHECK(check::throws<Interrupted>(solve(standard, 20, options)));
    const Solution<double> solution(standard, 5);
    CHECK(check::throws<BadInput>([&] { return solution.block({6, 0, 0, 0, 0}); }));
    CHECK(check::throws<BadInput>([&] { return solution.block({1, 0}); }));
    CHECK(check::throws<BadInput>([&] { return solution.block({-1, 0, 0, 0, 0}); }));
}

}  // namespace

int main() {
    check_against_full_states();
    check_values_of_several_pieces();
    check_threads();
    check_known_values();
    check_blocks();
    check_refusals();
    return check::report();
}
