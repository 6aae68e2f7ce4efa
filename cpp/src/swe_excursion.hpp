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

#include "kernel.hpp"
#include "swe_block.hpp"

namespace exactdice::swe {

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

// Chances, and points on the events that they are the chances of, by a number of rounds; in plane 1
// their lower ends, negated.
struct Parts {
    std::array<std::vector<double>, 2> chance, points;
    explicit Parts(std::size_t width = 0) {
        for (std::size_t plane = 0; plane < 2; ++plane) {
            chance[plane].assign(width, 0.0);
            points[plane].assign(width, 0.0);
        }
    }
    void set(std::size_t t, const Excursion::Part& part) {
        chance[0][t] = part.chance.hi;
        chance[1][t] = part.chance.neglo;
        points[0][t] = part.points.hi;
        points[1][t] = part.points.neglo;
    }
    Excursion::Part at(std::size_t t) const {
        return {from_ends(chance[1][t], chance[0][t]), from_ends(points[1][t], points[0][t])};
    }
};

// The dice of rung 1 over rounds in which none of them is fixed. "Points" of a die are the rounds in
// which it did not fail.
class Thinning {
   public:
    Thinning(int faces, int most_rounds, int most_dice);
    struct Waiting {
        std::vector<Parts> left;   // [k], by t: k of the dice are left after t rounds
        Parts any;                 // by t: one at least is
        std::vector<Parts> later;  // [t], by L: none is left after t rounds, but one at least after L
    };
    const Waiting& of(std::size_t m) const { return waiting_[m]; }

   private:
    std::size_t total_;  // of dice and rounds; more dice do not see so many rounds
    std::vector<Waiting> waiting_;
};

// What happens from a roll of m dice of rung 1, and all others, until all are in revenue again, by
// the rounds that it takes: its chance; the points since the last catastrophe; and the chance that
// there was none. So a line A + B·s after it is the line chance·A + points·B + kept·B·s before it.
// And the line A + B·s of the score if that takes more rounds than there are.
struct Law {
    struct Rows {
        std::size_t width;
        std::vector<double> numbers;
        explicit Rows(std::size_t rounds)
            : width(convolution_pad + padded(rounds)), numbers(5 * width, 0.0) {}
        double* row(std::size_t i) { return numbers.data() + i * width + convolution_pad; }
        const double* row(std::size_t i) const { return numbers.data() + i * width + convolution_pad; }
        double* chance() { return row(0); }
        double* points() { return row(1); }
        double* kept() { return row(2); }
        double* A() { return row(3); }
        double* B() { return row(4); }
    };
    std::array<Rows, 2> rows;
    explicit Law(std::size_t rounds) : rows{Rows(rounds), Rows(rounds)} {}
};

// The laws of all numbers m of dice of rung 1 beside the same others. After an excursion one die of
// rung 1 is fixed if one is in legacy; so all m are reached by way of k + 1, k + 2, …, and the way
// from k to k + 1 is the same for all m > k.
class Laws {
   public:
    // `rounds`: by m, and never more for a larger m.
    Laws(const Thinning& thinning, const Excursion& law, std::vector<std::size_t> rounds);
    const Law& of(std::size_t m);

   private:
    // Excursions that end in round t, or go on after it.
    struct Way {
        Parts straight, total;           // by t; without an L, and all
        std::vector<Parts> both, since;  // [t], by L: with that L; the points since then
    };
    struct Lost {
        double kept, gained, catastrophe;
    };
    static Lost lost(const Way& way, const Thinning::Waiting& dice, std::size_t t, std::size_t plane);
    Law made(std::size_t m);

    const Thinning& thinning_;
    Way ends_, stays_;
    std::vector<std::size_t> rounds_;
    std::vector<Law> laws_;
};

}  // namespace exactdice::swe
