// The software-engineering game from any state: what each action is worth, enclosed.
//
// Only the dice that play can still make are looked at. Within a block (see exactdice/swe.hpp) the
// legacy die on the highest rung is fixed, which theorem 9 of proofs/theorems/THEOREMS.md shows to be
// optimal; so the way through a block is the same whatever follows, and is put together from
// excursions of the dice above rung 1 (src/swe_excursion.hpp), many times faster than round by round
// over the whole block. Blocks in which a value without legacy is more than one line in the score
// are solved round by round.
//
// Two things may be neglected. Dice that are made with about the chance `made` at most are not looked
// at: they are enclosed between 0 and what dice that never fail would score. And a value without
// legacy that turns on the score, but by no more than `bend` points, is enclosed between two lines.
// The result encloses the truth whatever is neglected; its width shows what that was worth.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "exactdice/interval.hpp"
#include "exactdice/swe.hpp"
#include "exactdice/work.hpp"

namespace exactdice::swe {

struct Table {
    Dice revenue, legacy;
    int score = 0;
};

// What a move at the start is worth: with legacy, move i fixes on rung i; without, move 0 creates
// and move i + 1 promotes from rung i.
struct Worth {
    int move;
    Interval value;
};

struct Neglect {
    double made = 0, bend = 0;
};

struct OutlookSizes {
    std::int64_t blocks = 0;     // multisets of dice that play can make
    std::int64_t solved = 0;     // of which were solved
    std::int64_t choices = 0;    // of a creation or promotion: (dice, rounds left)
    std::int64_t several_pieces = 0;    // of which were not enclosed between two lines
    std::int64_t undecided = 0;  // of which the numbers leave something open
    std::int64_t stepped = 0;    // blocks that were solved round by round
    std::size_t bytes = 0;       // kept at once, about, at most
};

class Outlook {
   public:
    Outlook(std::vector<int> faces, int rounds, Table start, Neglect neglect, Options options = {});
    ~Outlook();
    Outlook(Outlook&&) noexcept;

    // The same with its levels still to be solved: as many steps, each of which needs what the ones
    // before have found. Only then is there an answer.
    static Outlook laid_out(std::vector<int> faces, int rounds, Table start, Neglect neglect,
                            Options options = {});
    std::size_t levels() const;
    void step();
    // What the steps have found so far, for a machine of the same byte order; and to go on from there
    // in the same game, laid out again: then all numbers are those of a game that was not left.
    std::string written() const;
    void read(const std::string& content);

    const std::vector<Worth>& actions() const;
    Interval value() const;
    const OutlookSizes& sizes() const;
    // The moves that may be optimal without legacy, as bits, with 1, 2, … rounds left; empty where
    // the dice were not looked at.
    std::vector<std::uint32_t> possible(const Dice& dice) const;

   private:
    struct Impl;
    explicit Outlook(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace exactdice::swe
