// Small boards of Qwixx against the plain recursion over all rolls, in doubles.
#include "exactdice/qwixx.hpp"

#include <algorithm>
#include <map>

#include "check.hpp"

namespace {

using namespace exactdice;
using qwixx::State;

int last_box(const qwixx::Rules& rules) { return 2 * rules.sides - 1; }

bool ended(const State& state, const qwixx::Rules& rules) {
    int locked = 0;
    for (std::size_t row = 0; row < 8; row += 2) {
        locked += state[row] == last_box(rules);
    }
    return locked >= 2 || state[8] == rules.penalties;
}

// Cross a sum in a row; false where it cannot be.
bool cross(State& state, std::size_t row, int sum, const qwixx::Rules& rules) {
    const int box = row < 2 ? sum - 1 : 2 * rules.sides + 1 - sum;
    const bool can = box > state[2 * row] && (box < last_box(rules) || state[2 * row + 1] >= rules.needed);
    if (can) {
        state[2 * row] = box;
        ++state[2 * row + 1];
    }
    return can;
}

double value(const State& state, const qwixx::Rules& rules, std::map<State, double>& known) {
    if (const auto seen = known.find(state); seen != known.end()) {
        return seen->second;
    }
    double total = -5.0 * state[8], ways = 1;
    if (ended(state, rules)) {
        for (std::size_t row = 0; row < 8; row += 2) {
            const int counted = state[row + 1] + (state[row] == last_box(rules));
            total += counted * (counted + 1) / 2;
        }
        return known[state] = total;
    }
    for (int die = 0; die < 6; ++die) {
        ways *= rules.sides;
    }
    total = 0;
    for (int roll = 0; roll < static_cast<int>(ways); ++roll) {
        std::array<int, 6> dice{};
        for (int die = 0, left = roll; die < 6; ++die, left /= rules.sides) {
            dice[static_cast<std::size_t>(die)] = left % rules.sides + 1;
        }
        State penalty = state;
        ++penalty[8];
        double best = value(penalty, rules, known);
        for (std::size_t white = 0; white <= 4; ++white) {  // 4: in no row
            State begun = state;
            if (white < 4) {
                if (!cross(begun, white, dice[0] + dice[1], rules)) {
                    continue;
                }
                best = std::max(best, value(begun, rules, known));
                if (ended(begun, rules) && !rules.plays_on) {
                    continue;
                }
            }
            for (std::size_t row = 0; row < 4; ++row) {
                for (const int other : {dice[0], dice[1]}) {
                    State after = begun;
                    if (cross(after, row, dice[2 + row] + other, rules)) {
                        best = std::max(best, value(after, rules, known));
                    }
                }
            }
        }
        total += best;
    }
    return known[state] = total / ways;
}

}  // namespace

int main() {
    for (const qwixx::Rules& rules : {qwixx::Rules{2, 2, 1, false}, qwixx::Rules{2, 2, 2, true},
                                      qwixx::Rules{2, 1, 1, true}}) {
        qwixx::Number unit{};
        unit[11] = std::uint64_t{1} << 50;  // all denominators are powers of 2
        const State later{1, 1, 2, 2, 0, 0, 3, 3, 0};
        const qwixx::Values found = qwixx::solve(rules, unit, {State{}, later}, 1e9, {});
        std::map<State, double> known;
        for (std::size_t i = 0; i < 2; ++i) {
            const double scaled = static_cast<double>(found.asked[i][11]) / static_cast<double>(unit[11]);
            CHECK(check::near(scaled - 5.0 * rules.penalties,
                              value(i ? later : State{}, rules, known), 1e-12));
        }
        CHECK(check::throws<TooLarge>([&] { qwixx::solve(rules, unit, {}, 1, {}); }));
    }
    qwixx::Number coarse{};
    coarse[11] = 1;
    CHECK(check::throws<BadInput>(
        [&] { qwixx::solve({3, 2, 1, false}, coarse, {State{}}, 1e9, {}); }));
    return check::report();
}
