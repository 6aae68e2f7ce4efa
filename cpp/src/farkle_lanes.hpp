// Eight turns of Farkle side by side, as sweeps over their points.
//
// The turns are of one player, from scores of its own and against scores of their own. A sweep goes
// over all of them at once: what is looked up about the rolls is looked up once for eight, and the
// numbers lie next to each other. The conventions are those of a `TurnSweep`; a lane whose turn needs
// fewer points than the longest is read where it ends.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "exactdice/farkle_race.hpp"
#include "farkle_turn.hpp"

namespace exactdice::farkle {

using Lanes = std::array<double, lanes>;

class LaneSweep {
   public:
    // Rolls with hot dice: the empty set is never rolled next. Both have to outlive it.
    LaneSweep(const TurnPlan& plan, const TurnChances& chances);

    // What banking is worth where some units are still needed, negated for Side::below; `barred` where
    // it is not allowed.
    std::vector<Lanes>& bank(Side side) { return bank_[index(side)]; }
    static double barred(Side side) { return side == Side::above ? -1.0 : 1.0; }

    // Sweep from the target down to turns that need `end` units. Needs an UpwardRounding.
    void sweep(Side side, std::size_t end, const Lanes& nothing);

    // The worth of a whole turn that needs some units, where it may not be banked at once.
    double whole(Side side, std::size_t needed, std::size_t lane) const {
        return worth_[index(side)][plan_.offset(0, plan_.sets - 1) + needed][lane];
    }

   private:
    static std::size_t index(Side side) { return side == Side::above ? 1 : 0; }

    const TurnPlan& plan_;
    const TurnChances& chances_;
    std::vector<Lanes> worth_[2], bank_[2], best_;
};

}  // namespace exactdice::farkle
