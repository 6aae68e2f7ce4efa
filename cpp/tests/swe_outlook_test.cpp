// The game from a state against a hash map over full states, which starts from an empty table:
// intervals enclose its values, whatever is neglected; one thread and two agree to the last bit, and
// so does a game that is left and taken up again after any of its levels.
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

bool same(const Interval& x, const Interval& y) { return x.neglo == y.neglo && x.hi == y.hi; }

void check_steps() {
    const std::vector<int> ladder{4, 6, 8, 12, 20};
    const std::vector<Table> starts{empty(5), {{1, 2, 0, 0, 1}, {2, 0, 1, 0, 0}, 31}};
    for (const Table& start : starts) {
        for (double made : {0.0, 1e-4}) {
            const auto laid_out = [&] { return Outlook::laid_out(ladder, 16, start, {made, 0.0}); };
            const Outlook whole(ladder, 16, start, {made, 0.0});
            Outlook left = laid_out();
            CHECK(check::throws<std::logic_error>([&] { return left.value(); }));
            for (std::size_t level = 0; level < left.levels(); ++level) {
                left.step();
                Outlook taken_up = laid_out();
                taken_up.read(left.written());
                CHECK(taken_up.written() == left.written());
                for (std::size_t more = level + 1; more < left.levels(); ++more) {
                    taken_up.step();
                }
                CHECK(taken_up.written() == whole.written());
                CHECK(taken_up.actions().size() == whole.actions().size());
                CHECK(same(taken_up.value(), whole.value()));
                CHECK(taken_up.possible({3, 0, 1, 0, 0}) == whole.possible({3, 0, 1, 0, 0}));
            }
        }
    }
}

void check_content() {
    const auto laid_out = [](int rounds) {
        return Outlook::laid_out({4, 6, 8}, rounds, empty(3), {});
    };
    Outlook half = laid_out(9);
    for (int level = 0; level < 5; ++level) {
        half.step();
    }
    const std::string content = half.written();
    for (std::size_t size = 0; size < content.size(); ++size) {
        CHECK(check::throws<BadInput>([&] { laid_out(9).read(content.substr(0, size)); return 0; }));
    }
    CHECK(check::throws<BadInput>([&] { laid_out(9).read(content + '\0'); return 0; }));
    CHECK(check::throws<BadInput>([&] { laid_out(8).read(content); return 0; }));
    CHECK(check::throws<BadInput>([&] { laid_out(9).read(std::string(1000, '\xff')); return 0; }));
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
    check_steps();
    check_content();
    check_refusals();
    return check::report();
}
