// The game from a state against a hash map over full states, which starts from an empty table:
// intervals enclose its values, whatever is neglected; one thread and two agree to the last bit.
#include "exactdice/swe_outlook.hpp"

#include "check.hpp"
#include "exactdice/swe_full_state.hpp"

namespace {

using namespace exactdice;
using swe::Dice;
using swe::Outlook;
using swe::Table;

Table empty(std::size_t rungs) { return {Dice(rungs, 0), Dice(rungs, 0), 0}; }

bool encloses(const Interval& found, double expected) {
    return found.lower() <= expected * (1 + 1e-13) && found.upper() >= expected * (1 - 1e-13);
}

void check_against_full_states() {
    const std::vector<std::vector<int>> ladders{{4},       {2, 3},       {2, 3, 9},
                                                {4, 6},    {3, 4, 5, 7}, {4, 6, 8, 12, 20}};
    for (const std::vector<int>& ladder : ladders) {
        swe::FullStateProgram program(ladder);
        for (int rounds = 1; rounds <= 9; ++rounds) {
            const double expected = program.value(rounds);
            const Outlook exact(ladder, rounds, empty(ladder.size()), {});
            CHECK(encloses(exact.value(), expected));
            CHECK(exact.value().upper() - exact.value().lower() <= 1e-11 * expected);
            CHECK(encloses(Outlook(ladder, rounds, empty(ladder.size()), {0.01, 1e9}).value(), expected));
        }
    }
}

// The first move from the empty table creates the die of rung 1, which fails with chance 1 in its
// faces; what is left is the game from the two tables that follow.
void check_tables_that_follow() {
    const std::vector<int> ladder{4, 6, 8};
    swe::FullStateProgram program(ladder);
    for (int rounds = 2; rounds <= 8; ++rounds) {
        const Outlook works(ladder, rounds - 1, {{1, 0, 0}, {0, 0, 0}, 1}, {});
        const Outlook failed(ladder, rounds - 1, {{0, 0, 0}, {1, 0, 0}, 0}, {});
        const double low = 0.75 * works.value().lower() + 0.25 * failed.value().lower();
        const double high = 0.75 * works.value().upper() + 0.25 * failed.value().upper();
        CHECK(low <= program.value(rounds) * (1 + 1e-13));
        CHECK(high >= program.value(rounds) * (1 - 1e-13));
        CHECK(high - low <= 1e-11 * high);
        CHECK(failed.actions().size() == 1 && works.actions().size() == 2);
    }
}

void check_threads() {
    swe::Options two;
    two.threads = 2;
    const std::vector<int> ladder{4, 6, 8, 12, 20};
    for (int rounds : {1, 9, 22, 30}) {
        const Outlook one(ladder, rounds, empty(5), {}), both(ladder, rounds, empty(5), {}, two);
        CHECK(one.value().lower() == both.value().lower());
        CHECK(one.value().upper() == both.value().upper());
        CHECK(one.sizes().choices == both.sizes().choices);
    }
}

void check_refusals() {
    CHECK(check::throws<BadInput>([] { return Outlook({4, 6}, 0, empty(2), {}); }));
    CHECK(check::throws<BadInput>([] { return Outlook({4, 6}, 3, empty(3), {}); }));
    CHECK(check::throws<BadInput>([] { return Outlook({4, 6}, 3, {{-1, 0}, {0, 0}, 0}, {}); }));
}

}  // namespace

int main() {
    check_against_full_states();
    check_tables_that_follow();
    check_threads();
    check_refusals();
    return check::report();
}
