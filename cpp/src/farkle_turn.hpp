// One turn of Farkle as a sweep over its points, from the target downwards, as bounds from either side.
//
// A turn that still needs n units is at level n. What rolling a set is worth there depends on levels
// below n alone: every option scores. Bounds from below are kept negated, so that they too are bounds
// from above, for which rounding upwards serves; beyond the target lies what the caller says.
//
// The sweep goes over several levels of a set at a time, side by side. Let used[s] be the fewest units
// with which all dice become the set s. A *round* is n + used[s]: an option leads from set s to a set
// with fewer dice in the same round or an earlier one; and by the time all dice are rolled again, all
// have scored, so that this round is at least `block` earlier. So `block` rounds can be dealt with at
// once, set by set from those with the fewest dice on.
//
// A menu that holds all options of others has their best as one of its own: of six different dice, less
// than half of the options are left.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "exactdice/farkle_race.hpp"

namespace exactdice::farkle {

enum class Side { below, above };

constexpr std::size_t lanes = 8;  // levels, or turns, side by side

// The value of a turn at some worth of adding nothing, and how fast it grows with that (an estimate).
struct Line {
    double value = 0, slope = 0;
};

// How menus lie in the tables of a sweep.
struct TurnPlan {
    TurnPlan(const Menus& menus, std::size_t longest);

    // Where an option leads, from the table's entry of level n of the empty set.
    std::size_t offset(std::size_t unit, std::size_t set) const {
        return set * stride + highest - unit;
    }

    // The most menus that a set has.
    std::size_t most_menus() const;

    std::size_t sets = 0, longest = 0, highest = 0, stride = 0;
    std::size_t block = lanes, deepest = 0;  // the largest of `used`
    std::vector<std::size_t> used;
    // Menus of a set stand together, in an order in which parts come first: menus by their number
    // among those given; first options, and first parts, with one past the last; where options lead;
    // and parts, counted from the set's first menu.
    std::vector<std::uint32_t> first_menu, order, first_option, offsets, first_part, parts;

   private:
    void find_rounds(const Menus& menus);
    void lay_out(const Menus& menus, std::size_t set);
};

// Chances of menus in the order of a plan, and of busts, rounded to either side.
struct TurnChances {
    TurnChances(const TurnPlan& plan, const std::vector<Interval>& chances,
                const std::vector<Interval>& busts);
    std::vector<double> menus[2], busts[2];
};

// What the ends of a turn are worth, negated for Side::below.
struct TurnEnds {
    const double* bank;    // by the units that are still needed
    std::size_t bankable;  // up to so many
    double bust;
    double stranded;  // a turn that has to end but may not be banked
};

class TurnSweep {
   public:
    // Both have to outlive it. Beyond the target a turn is worth 1.
    TurnSweep(const TurnPlan& plan, const TurnChances& chances);

    // Beyond the target: what a turn is worth that goes past it by 0, 1, … `highest` units.
    void set_past(Side side, const std::vector<double>& worth);

    // Begin a sweep up to level `end`; then go over rounds from 1 on, `past` one past the last. Needs
    // an UpwardRounding where bounds are asked for.
    template <Side side, bool with_slope>
    void begin(std::size_t end, const TurnEnds& ends);
    template <Side side, bool with_slope>
    void go_on(std::size_t from, std::size_t past);

    // A whole turn from level `end`. Other sets are done at levels that one can come to.
    template <Side side, bool with_slope>
    Line sweep(std::size_t end, const TurnEnds& ends) {
        begin<side, with_slope>(end, ends);
        go_on<side, with_slope>(1, end + 1);
        const std::size_t whole = index(plan_.sets - 1, end);
        return {side == Side::above ? rolled_[1][whole] : -rolled_[0][whole], slope_of_whole_};
    }

    // What the last sweeps found at a level: the worth of rolling a set, and the better of that and
    // banking; both as bounds, from below and from above.
    Interval rolled(std::size_t set, std::size_t needed) const {
        const std::size_t at = index(set, needed);
        return from_ends(rolled_[0][at], rolled_[1][at]);
    }
    Interval after(std::size_t unit, std::size_t next, std::size_t needed) const {
        const std::size_t at = plan_.offset(unit, next) + needed;
        return from_ends(worth_[0][at], worth_[1][at]);
    }
    std::size_t sets() const { return plan_.sets; }

   private:
    std::size_t index(std::size_t set, std::size_t needed) const {
        return plan_.offset(0, set) + needed;
    }

    const TurnPlan& plan_;
    const TurnChances& chances_;
    std::vector<double> worth_[2], rolled_[2], bank_[2], slope_, best_, best_slope_;
    std::size_t end_ = 0;
    double bust_[2] = {0, 0};
    double slope_of_whole_ = 0;
};

// Throws BadInput where the flat arrays do not fit together.
void require_rolls(const Rolls& rolls);

}  // namespace exactdice::farkle
