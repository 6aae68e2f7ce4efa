// The best turn of Farkle in floating point, for up to seven dice that may all be different.
//
// W(P, δ) is the expected worth of the turn for a player with P points who rolls the dice δ and then
// plays to maximise it. A roll leads to a menu of options (score, dice left); all rolls with the same
// menu are one. Every option scores, so one sweep over the points from the target downwards is the
// solution. Points are counted in units, the greatest common divisor of all scores; a dice set is a
// mask with a bit for each die. Worths are kept raised by the penalty, so that none is negative.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "exactdice/interval.hpp"
#include "exactdice/work.hpp"

namespace exactdice::farkle {

template <class Scalar>
struct Die {
    std::array<Scalar, 6> chances;
    bool joker = false;  // its first side stands for any face, never on its own
};

struct Combination {
    std::vector<int> faces;
    int score;
};

struct Rules {
    std::vector<Combination> combinations;
    int most_dice = 6;
    int target = 6000;  // points at which the turn ends
    int minimum_bank = 0;
    int penalty = 0;  // what a bust costs beyond the points of the turn
    bool hot_dice = true;
    bool caps_overshoot = false;  // points past the target are worth nothing
};

// What rolls offer. Sets of dice left are numbered from 0 (none) to all of them; the menus of a set
// stand together, and so do the options of a menu.
struct Menus {
    std::vector<std::uint32_t> first_menu;    // of each set, and one past the last menu
    std::vector<std::uint32_t> first_option;  // of each menu, and one past the last option
    std::vector<std::uint32_t> units, next;   // of each option: units scored, set rolled next
};

template <class Scalar>
struct Solution {
    int unit = 0;
    int levels = 0;              // P runs over 0, unit, …, (levels − 1)·unit
    int sets = 0;                // masks of dice, 0 unused
    std::vector<Scalar> worth;   // levels for each mask: expected worth of rolling it
    std::vector<signed char> roll;  // 1 where rolling is better than banking, 0 not, −1 unsettled
    std::int64_t menus = 0, options = 0;  // that can come, over all sets left; equal dice are alike
    Scalar value{};              // all dice, no points
    const Scalar& at(int level, int mask) const {
        return worth[static_cast<std::size_t>(mask) * static_cast<std::size_t>(levels) +
                     static_cast<std::size_t>(level)];
    }
};

// Relative error of worth + penalty in doubles.
double relative_bound(int dice, int levels);

// Solves turns of many sets of dice by the same rules. What sets of one shape (how many dice of each
// kind, and which kinds have jokers) have in common is found once: the menus know faces, not chances.
// May be used by several threads at once.
class Turns {
   public:
    explicit Turns(Rules rules);
    ~Turns();
    Turns(const Turns&) = delete;
    Turns& operator=(const Turns&) = delete;

    template <class Scalar>
    Solution<Scalar> solve(const std::vector<Die<Scalar>>& dice, const Progress& progress = {});

   private:
    class Layouts;
    std::unique_ptr<Layouts> layouts_;
};

// One set of dice.
template <class Scalar>
Solution<Scalar> solve(const std::vector<Die<Scalar>>& dice, const Rules& rules,
                       const Progress& progress = {}) {
    return Turns(rules).solve(dice, progress);
}

}  // namespace exactdice::farkle
