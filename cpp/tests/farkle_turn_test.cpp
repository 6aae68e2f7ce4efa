// Sweeps over one turn, one and eight at a time, against the definition of a turn by recursion.
#include "farkle_turn.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "check.hpp"
#include "farkle_lanes.hpp"

namespace {

using namespace exactdice;
using farkle::Line;
using farkle::Side;

struct Turn {
    const farkle::Rolls& rolls;
    std::vector<double> bank;  // by the units that are still needed
    std::size_t bankable = 0;
    double bust = 0, stranded = 0;
    std::vector<double> past;  // by how far the target is passed

    // What a set is worth to roll, and how fast that grows with a turn that adds nothing.
    Line roll(std::size_t set, std::size_t needed) const {
        const double busts = rolls.busts[set].upper();
        Line sum{busts * bust, busts};
        for (std::size_t menu = rolls.first_menu[set]; menu < rolls.first_menu[set + 1]; ++menu) {
            Line best{-1, 0};
            for (std::size_t i = rolls.first_option[menu]; i < rolls.first_option[menu + 1]; ++i) {
                const Line other = after(rolls.units[i], rolls.next[i], needed);
                best = other.value > best.value ? other : best;
            }
            const double chance = rolls.chances[menu].upper();
            sum.value += chance * best.value;
            sum.slope += chance * best.slope;
        }
        return sum;
    }

    // The better of rolling and banking; without dice the turn ends.
    Line after(std::size_t units, std::size_t set, std::size_t needed) const {
        if (units >= needed) {
            return {past[units - needed], 0};
        }
        const std::size_t left = needed - units;
        const bool may_bank = left <= bankable;
        if (set == 0) {
            return may_bank ? Line{bank[left], 0} : Line{stranded, 1};
        }
        const Line rolled = roll(set, left);
        return may_bank && bank[left] > rolled.value ? Line{bank[left], 0} : rolled;
    }
};

double random_part(std::mt19937& random) { return std::uniform_real_distribution<>(0, 1)(random); }

std::size_t random_below(std::mt19937& random, std::size_t past) {
    return std::uniform_int_distribution<std::size_t>(0, past - 1)(random);
}

// Any menus: options lead to fewer dice, or where `hot` to all of them. Several menus are often part
// of another one. In `orderly` ones an option scores a unit for each of the dice that it takes away.
farkle::Rolls random_rolls(std::mt19937& random, std::size_t dice, bool hot, bool orderly) {
    farkle::Rolls rolls;
    rolls.first_menu = {0, 0};
    rolls.first_option = {0};
    rolls.busts = {Interval(0.0)};
    for (std::size_t set = 1; set <= dice; ++set) {
        const std::size_t menus = 1 + random_below(random, 6);
        std::vector<double> weights{random_part(random) / 2};
        std::vector<std::pair<std::uint32_t, std::uint32_t>> options;
        for (std::size_t menu = 0; menu < menus; ++menu) {
            if (random_below(random, 3) == 0) {
                options.clear();
            }
            for (std::size_t more = 1 + random_below(random, 3); more > 0; --more) {
                const std::size_t taken = 1 + random_below(random, set);
                const std::size_t left = taken == set && hot ? dice : set - taken;
                const std::size_t units = orderly ? taken : 1 + random_below(random, 4);
                options.emplace_back(static_cast<std::uint32_t>(units),
                                     static_cast<std::uint32_t>(left));
            }
            for (const auto& [units, next] : options) {
                rolls.units.push_back(units);
                rolls.next.push_back(next);
            }
            rolls.first_option.push_back(static_cast<std::uint32_t>(rolls.units.size()));
            weights.push_back(random_part(random));
        }
        double all = 0;
        for (const double weight : weights) {
            all += weight;
        }
        rolls.busts.emplace_back(weights[0] / all);
        for (std::size_t menu = 1; menu < weights.size(); ++menu) {
            rolls.chances.emplace_back(weights[menu] / all);
        }
        rolls.first_menu.push_back(static_cast<std::uint32_t>(rolls.chances.size()));
    }
    return rolls;
}

template <Side side, bool with_slope>
Line swept(farkle::TurnSweep& sweep, const Turn& turn, std::size_t end) {
    const double sign = side == Side::above ? 1 : -1;
    std::vector<double> bank, past;
    for (const double worth : turn.bank) {
        bank.push_back(sign * worth);
    }
    for (const double worth : turn.past) {
        past.push_back(sign * worth);
    }
    sweep.set_past(side, past);
    return sweep.sweep<side, with_slope>(
        end, {bank.data(), turn.bankable, sign * turn.bust, sign * turn.stranded});
}

// The sets and levels that a turn comes to.
using Places = std::set<std::pair<std::size_t, std::size_t>>;

void check_from(const farkle::TurnSweep& sweep, const Turn& turn, std::size_t set,
                std::size_t needed, Places& seen) {
    if (!seen.insert({set, needed}).second) {
        return;
    }
    const double rolled = turn.roll(set, needed).value;
    const Interval bounds = sweep.rolled(set, needed);
    CHECK(bounds.lower() <= rolled + 1e-14 && rolled <= bounds.upper() + 1e-14);
    CHECK(bounds.upper() - bounds.lower() < 1e-12);
    const farkle::Rolls& rolls = turn.rolls;
    const std::size_t first = rolls.first_option[rolls.first_menu[set]];
    for (std::size_t i = first; i < rolls.first_option[rolls.first_menu[set + 1]]; ++i) {
        const double expected = turn.after(rolls.units[i], rolls.next[i], needed).value;
        const Interval after = sweep.after(rolls.units[i], rolls.next[i], needed);
        CHECK(check::near(expected, after.upper(), 1e-12));
        CHECK(check::near(expected, after.lower(), 1e-12));
        if (rolls.next[i] != 0 && rolls.units[i] < needed) {
            check_from(sweep, turn, rolls.next[i], needed - rolls.units[i], seen);
        }
    }
}

void check_one_at_a_time(std::mt19937& random, bool hot, bool orderly) {
    const std::size_t dice = 1 + random_below(random, 4), longest = 1 + random_below(random, 6);
    const farkle::Rolls rolls = random_rolls(random, dice, hot, orderly);
    const farkle::TurnPlan plan(rolls, longest);
    const farkle::TurnChances chances(plan, rolls.chances, rolls.busts);
    farkle::TurnSweep sweep(plan, chances);
    for (std::size_t end = longest; end > 0; --end) {  // what a longer turn left must not matter
        Turn turn{rolls, {}, random_below(random, end + 1), random_part(random), random_part(random),
                  {}};
        for (std::size_t level = 0; level <= longest; ++level) {
            turn.bank.push_back(random_part(random));
        }
        for (std::size_t far = 0; far <= plan.highest; ++far) {
            turn.past.push_back(random_part(random));
        }
        turn.past[0] = 1;
        const Line expected = turn.roll(dice, end);
        const Line plain = swept<Side::above, true>(sweep, turn, end);
        CHECK(check::near(plain.value, expected.value, 1e-12));
        CHECK(check::near(plain.slope, expected.slope, 1e-12));
        const Line below = swept<Side::below, true>(sweep, turn, end);
        CHECK(check::near(below.value, expected.value, 1e-12));
        CHECK(check::near(below.slope, expected.slope, 1e-12));
        const UpwardRounding rounding;
        const double upper = swept<Side::above, false>(sweep, turn, end).value;
        const double lower = swept<Side::below, false>(sweep, turn, end).value;
        CHECK(lower <= upper);
        Places seen;
        check_from(sweep, turn, dice, end, seen);
    }
}

void check_eight_at_a_time(std::mt19937& random, bool orderly) {
    const std::size_t dice = 1 + random_below(random, 4), longest = 1 + random_below(random, 6);
    const farkle::Rolls rolls = random_rolls(random, dice, true, orderly);
    const farkle::TurnPlan plan(rolls, longest);
    const farkle::TurnChances chances(plan, rolls.chances, rolls.busts);
    farkle::LaneSweep sweep(plan, chances);
    std::vector<Turn> turns;
    farkle::Lanes nothing[2];
    for (std::size_t lane = 0; lane < farkle::lanes; ++lane) {
        turns.push_back({rolls, {0.0}, longest, random_part(random), 0.0,
                         std::vector<double>(plan.highest + 1, 1.0)});
        nothing[0][lane] = -turns[lane].bust;
        nothing[1][lane] = turns[lane].bust;
        for (std::size_t level = 1; level <= longest; ++level) {
            const bool may_bank = random_below(random, 3) > 0;
            turns[lane].bank.push_back(may_bank ? random_part(random) : -1.0);
            sweep.bank(Side::above)[level][lane] =
                may_bank ? turns[lane].bank[level] : farkle::LaneSweep::barred(Side::above);
            sweep.bank(Side::below)[level][lane] =
                may_bank ? -turns[lane].bank[level] : farkle::LaneSweep::barred(Side::below);
        }
    }
    const UpwardRounding rounding;
    sweep.sweep(Side::below, longest, nothing[0]);
    sweep.sweep(Side::above, longest, nothing[1]);
    for (std::size_t lane = 0; lane < farkle::lanes; ++lane) {
        for (std::size_t needed = 1; needed <= longest; ++needed) {
            // Rolling all dice, or banking where that is better and allowed.
            const double expected =
                std::max(turns[lane].roll(dice, needed).value, turns[lane].bank[needed]);
            const double upper = sweep.whole(Side::above, needed, lane);
            const double lower = -sweep.whole(Side::below, needed, lane);
            CHECK(lower <= expected + 1e-14 && expected <= upper + 1e-14);
            CHECK(upper - lower < 1e-12);
        }
    }
}

}  // namespace

int main() {
    std::mt19937 random(1);
    for (int trial = 0; trial < 100; ++trial) {
        check_one_at_a_time(random, trial % 2 == 0, trial % 4 < 2);
        check_eight_at_a_time(random, trial % 2 == 0);
    }
    return check::report();
}
