// One turn of Farkle as a sweep over its points, rounded to one side.
//
// Worths are chances, kept by the points that are still needed: index 0 and below is the target. A
// sweep upwards bounds them from above. A sweep downwards bounds them from below and keeps them
// negated, so that the same rounding direction, upwards, serves both.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "exactdice/farkle_race.hpp"

namespace exactdice::farkle {

enum class Side { below, above };

// The value of a turn at some worth of adding nothing, and how fast it grows with that (an estimate).
struct Line {
    double value = 0, slope = 0;
};

// How the rolls of a player lie in the tables of a sweep, and their chances rounded to either side.
class TurnTables {
   protected:
    TurnTables(const Rolls& rolls, std::size_t longest) : rolls_(rolls) {
        highest_ = *std::max_element(rolls.units.begin(), rolls.units.end());
        stride_ = highest_ + longest + 1;
        sets_ = rolls.first_menu.size() - 1;
        for (std::size_t i = 0; i < rolls.units.size(); ++i) {
            offsets_.push_back(
                static_cast<std::uint32_t>(rolls.next[i] * stride_ + highest_ - rolls.units[i]));
        }
        for (const Interval& chance : rolls.chances) {
            chances_[0].push_back(std::max(chance.lower(), 0.0));
            chances_[1].push_back(chance.upper());
        }
        for (const Interval& bust : rolls.busts) {
            busts_[0].push_back(std::max(bust.lower(), 0.0));
            busts_[1].push_back(bust.upper());
        }
    }

    const Rolls& rolls_;
    std::size_t highest_ = 0, stride_ = 0, sets_ = 0;
    std::vector<std::uint32_t> offsets_;
    std::vector<double> chances_[2], busts_[2];
};

class TurnSweep : private TurnTables {
   public:
    TurnSweep(const Rolls& rolls, std::size_t longest) : TurnTables(rolls, longest) {
        for (std::size_t side = 0; side < 2; ++side) {
            worth_[side].assign(sets_ * stride_, side == 0 ? -1.0 : 1.0);
            rolled_[side].assign(sets_ * stride_, 0.0);
        }
        slope_.assign(sets_ * stride_, 0.0);
    }

    // Sweep from the target down to a turn that needs `end` units. `bank[d]` is the worth of banking
    // where d units are still needed (negated for Side::below), for d ≤ bankable; `nothing` is that of
    // a turn that adds nothing. Needs an UpwardRounding.
    template <Side side, bool with_slope>
    Line sweep(std::size_t end, const double* bank, std::size_t bankable, double nothing) {
        constexpr std::size_t at = side == Side::above ? 1 : 0;
        double* const worth = worth_[at].data();
        double* const rolled = rolled_[at].data();
        double* const slope = slope_.data();
        const double* const chances = chances_[at].data();
        const auto is_better = [](double x, double y) {
            return side == Side::above ? x > y : x < y;
        };
        for (std::size_t needed = 1; needed <= end; ++needed) {
            const bool may_bank = needed <= bankable;
            worth[highest_ + needed] = may_bank ? bank[needed] : nothing;
            slope[highest_ + needed] = may_bank ? 0 : 1;
            const double* const reached = worth + needed;
            const double* const reached_slope = slope + needed;
            for (std::size_t set = 1; set < sets_; ++set) {
                double sum = busts_[at][set] * nothing, back = busts_[at][set];
                std::size_t option = rolls_.first_option[rolls_.first_menu[set]];
                for (std::size_t menu = rolls_.first_menu[set]; menu < rolls_.first_menu[set + 1];
                     ++menu) {
                    const std::size_t past = rolls_.first_option[menu + 1];
                    std::size_t best_at = offsets_[option];
                    double best = reached[best_at];
                    for (++option; option < past; ++option) {
                        const double other = reached[offsets_[option]];
                        if constexpr (with_slope) {
                            if (is_better(other, best)) {
                                best = other;
                                best_at = offsets_[option];
                            }
                        } else {
                            best = side == Side::above ? std::max(best, other)
                                                       : std::min(best, other);
                        }
                    }
                    sum += chances[menu] * best;
                    if constexpr (with_slope) {
                        back += chances[menu] * reached_slope[best_at];
                    }
                }
                const std::size_t index = set * stride_ + highest_ + needed;
                rolled[index] = sum;
                const bool banks = may_bank && !is_better(sum, bank[needed]);
                worth[index] = banks ? bank[needed] : sum;
                if constexpr (with_slope) {
                    slope[index] = banks ? 0 : back;
                    back_ = back;
                }
            }
        }
        const std::size_t whole = (sets_ - 1) * stride_ + highest_ + end;
        return {side == Side::above ? rolled[whole] : -rolled[whole], back_};
    }

    // What the last sweeps found where some units are needed: the worth of rolling a set, and the
    // better of that and banking; both as bounds, from below and from above.
    Interval rolled(std::size_t set, std::size_t needed) const {
        const std::size_t index = set * stride_ + highest_ + needed;
        return from_ends(rolled_[0][index], rolled_[1][index]);
    }
    // After an option, where some units were needed before it.
    Interval after(std::size_t option, std::size_t needed) const {
        const std::size_t index = offsets_[option] + needed;
        return from_ends(worth_[0][index], worth_[1][index]);
    }
    const Rolls& rolls() const { return rolls_; }
    std::size_t sets() const { return sets_; }

   private:
    std::vector<double> worth_[2], rolled_[2], slope_;
    double back_ = 0;
};

// Throws BadInput where the flat arrays do not fit together.
void require_rolls(const Rolls& rolls);

}  // namespace exactdice::farkle
