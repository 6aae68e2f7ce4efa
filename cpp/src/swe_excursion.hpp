// How dice fail and are fixed while no die is created or promoted, if the legacy die on the highest
// rung is always fixed: the dice of rung 1 wait until all others are in revenue.
//
// An *excursion* starts with a roll at which all dice above rung 1 are in revenue, and ends when they
// are all in revenue again after a roll. On its way the dice of rung 1 only fail. So one excursion
// does to them what a law of its length t, of the last round L ≤ t without any other revenue die
// (0 if there was none) and of the points of those other dice says; L is where a catastrophe
// happens if all dice of rung 1 have failed by then. The excursion goes over the box of the other
// dice alone, and what happens to those of rung 1 is a sum over t and L.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "swe_block.hpp"

namespace exactdice::swe {

// The dice of rung 1 over t rounds in which none of them is fixed. "Points" of a die are the rounds
// in which it did not fail.
class Thinning {
   public:
    Thinning(int faces, int most_rounds, int most_dice);
    // Whether there are numbers for m dice and t rounds.
    bool holds(std::size_t t, std::size_t m) const { return m <= dice_at(t); }
    // That k of m dice are left; the points of all m, on that event.
    const Interval& left(std::size_t t, std::size_t m, std::size_t k) const {
        return left_[t][m * (m + 1) / 2 + k];
    }
    const Interval& points(std::size_t t, std::size_t m, std::size_t k) const {
        return points_[t][m * (m + 1) / 2 + k];
    }
    // That none of m dice is left after t rounds, but one at least after L; and the points.
    const Interval& last_later(std::size_t t, std::size_t L, std::size_t m) const {
        return later_[t][L * (dice_at(t) + 1) + m];
    }
    const Interval& later_points(std::size_t t, std::size_t L, std::size_t m) const {
        return later_points_[t][L * (dice_at(t) + 1) + m];
    }

   private:
    // More dice than this do not see so many rounds.
    std::size_t dice_at(std::size_t t) const { return total_ - t; }
    std::size_t total_;
    std::vector<std::vector<Interval>> left_, points_, later_, later_points_;
};

// The laws of excursions from a box of dice, by length, for lengths 0 … rounds. Points are those of
// the dice of the box; each is an expectation on the event that the number before it is the chance of.
struct Excursion {
    struct Part {
        Interval chance, points;
    };
    std::vector<Part> straight;         // ends, and the revenue dice of the box were never 0
    std::vector<Part> straight_so_far;  // has not ended, nor were they 0
    std::vector<Part> at_zero;          // has not ended, and they are 0 now
    std::vector<Part> from_zero;        // from 0 to the end, not being 0 between
    std::vector<Part> from_zero_so_far; // from 0, has not ended, nor were they 0 since
};

// The first dice rolled are `rolled`, or all of the box; those of rung 1 are no part of `dice` where
// only the others are meant.
Excursion excursion(const std::vector<Chances<Interval>>& chances, const Dice& dice,
                    const Dice& rolled, int rounds);

// What the excursions of a box of other dice do to m dice of rung 1, in the form of
// `add_lines`: entry 0 is a catastrophe, entry 1 + k is that k of the m dice are left.
class Transitions {
   public:
    Transitions(const Thinning& thinning, const Excursion& law, int rounds);
    // The chances for 8·chunk ≤ m < 8·chunk + 8, made when they are first asked for.
    struct Chunk {
        std::size_t entries = 0;
        std::array<std::vector<double>, 2> table;  // [t − 1][entry][16], both planes as factors
        std::array<std::vector<double>, 2> ended;  // [t − 1][16]: lines if the game ends on the way
    };
    const Chunk& chunk(std::size_t number);

   private:
    void make(Chunk& chunk, std::size_t number) const;
    const Thinning& thinning_;
    const Excursion& law_;
    std::size_t rounds_;
    std::vector<Chunk> chunks_;
};

}  // namespace exactdice::swe
