// Risk battles in floating point: the chance to win for every army up to a size.
//
// V(a, d) = Σ_k p_k V(a − k, d − m + k) over the losses k of the attacker in a round with m units at
// stake, in fighting units; V(a, 0) = 1, and V(a, d) = 0 for a < stop_below. All terms are
// nonnegative.
#pragma once

#include <cstdint>
#include <vector>

#include "exactdice/interval.hpp"
#include "exactdice/work.hpp"

namespace exactdice::risk {

struct Rules {
    int attacker_dice = 3, defender_dice = 2;
    int attacker_sides = 6, defender_sides = 6;
    bool attacker_wins_ties = false;
    int stop_below = 1;
};

// Ways, out of all rolls of `attacker` dice against `defender`, in which the attacker loses
// 0, 1, … units. Counted by sorted rolls; refused where the rolls are more than 2^53, above which
// doubles do not count exactly, or the pairs of sorted rolls more than 10^8.
std::vector<double> round_ways(int attacker, int defender, const Rules& rules);

template <class Scalar>
struct Grid {
    int attackers = 0, defenders = 0;
    std::vector<Scalar> chance;  // (attackers + 1) for each of 0..defenders defenders
    const Scalar& at(int a, int d) const {
        return chance[static_cast<std::size_t>(d) * static_cast<std::size_t>(attackers + 1) +
                      static_cast<std::size_t>(a)];
    }
};

template <class Scalar>
Grid<Scalar> win_grid(int attackers, int defenders, const Rules& rules = {},
                      double memory_limit = 8.0 * 1024 * 1024 * 1024,
                      const Progress& progress = {});

// Relative error that a chance in doubles cannot exceed, for armies of `units` in all.
double relative_bound(int units, const Rules& rules);

}  // namespace exactdice::risk
