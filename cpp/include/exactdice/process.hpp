// Decision processes and games in flat arrays: good moves in doubles, and values of fixed moves
// digit by digit.
//
// A process has states 0 to n − 1. The owner of a state is 1, who wants much, −1, who wants little,
// 0, chance, or 3 where play has ended and a payoff is paid. A move pays a whole number and leads to
// targets with whole weights over their sum; a target t ≥ n stands for the state t − n with the
// other sign of its value. With one move fixed a state, the values solve
//
//     d_s x_s − Σ_t w_t x_t = d_s r_s
//
// over the states that are no ends. `Digits` gives x modulo powers of the prime 2^61 − 1 (Dixon 1982):
// a solution modulo the prime is one digit, and the residue of the system, divided by the prime, is
// the system for the next; residues stay as small as the rows, so that words hold them. Nothing is
// rounded. If the system is regular modulo the prime it is regular, so play surely ends.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "exactdice/work.hpp"

namespace exactdice::process {

using Whole = std::int64_t;
using Place = std::int32_t;  // of states, moves and targets, where many are kept

inline constexpr Whole ended = 3;

// A process; vectors as the comments say, checked by `check`.
struct Process {
    std::vector<std::int8_t> owners;  // of each state
    std::vector<Whole> payoffs;       // of each state; of ends only they count
    std::vector<Place> first_move;    // of each state, and one more
    std::vector<Place> first_target;  // of each move, and one more
    std::vector<Place> targets;       // of all moves, one after another
    std::vector<Place> law;           // of each move
    std::vector<Place> reward;        // of each move the place of what it pays among these
    std::vector<Whole> rewards;
    std::vector<Whole> first_weight;  // of each law, and one more
    std::vector<Whole> weights;       // of all laws, one after another, positive

    Whole size() const { return static_cast<Whole>(owners.size()); }

    // Throws BadInput where numbers refer to nothing, or are so great that sums could overflow.
    void check() const;
    Whole denominator(Whole move) const { return denominators_[index(law[index(move)])]; }
    Whole paid(Whole move) const { return rewards[index(reward[index(move)])]; }

    // Ends play in states, where nothing is paid.
    void end(const std::vector<Whole>& states);

    // The states where a move leads with their weights, negative where the value counts negated.
    template <class Look>
    void each_target(Whole move, const Look& look) const {
        const Whole n = size();
        const Whole* weight = &weights[index(first_weight[index(law[index(move)])])];
        for (Whole t = first_target[index(move)]; t < first_target[index(move + 1)]; ++t, ++weight) {
            const Whole target = targets[index(t)];
            target < n ? look(target, *weight) : look(target - n, -*weight);
        }
    }

    static std::size_t index(Whole number) { return static_cast<std::size_t>(number); }
    // Fills in the denominators; to be called once, before `check`. Throws BadInput as that does.
    void complete();

   private:
    std::vector<Whole> denominators_;
};

// What was found in doubles: it proves nothing.
struct Guess {
    std::vector<Whole> chosen;   // of each state a move, −1 at ends
    std::vector<double> values;  // of each state
    bool is_sparse = false;      // whether the system of these moves is solved by elimination
};

// Good moves by strategy iteration in doubles; no moves at all where it does not settle, in processes
// of 10,000 states and more perhaps moves that are not the best. What is told of progress here and below
// is how many steps were made. Elimination is tried where at most `largest` states lead to one another.
Guess guess(const Process& process, const Progress& progress = {},
            Whole largest = std::numeric_limits<Whole>::max());

// Whether an end can be reached from every state by the chosen moves.
bool ends(const Process& process, const std::vector<Whole>& chosen);

// Ranks of all states, 0 at ends, −1 for none, so that each chosen move has a target of lower rank. If
// players are free, first the ranks where every move of 1 has such a target and so has the chosen one of
// any other, then those where every move of −1 has; a change of sides leads from these to those.
std::vector<Whole> ranks(const Process& process, const std::vector<Whole>& chosen, bool free);

// Whole numbers of many words, lowest first, negative ones as complements of 2: of each state as many
// words as `limbs` says; `approach` and `shifted` take at most `most_limbs`.
using Wide = std::vector<std::uint64_t>;
using Words = std::span<const std::uint64_t>;

inline constexpr Whole most_limbs = 15;

// Of each move the sign of how much what it returns exceeds the value of its state: of
//
//     d r one + scale (Σ_t w_t seen_t − d own_s),
//
// where −other_t takes the place of seen_t where sides change. Exact; `limbs` must hold the sums.
std::vector<std::int8_t> signs(const Process& process, Whole limbs, Words own, Words seen, Words other,
                               Words one, Whole scale);

// To each number of many words one of one word added.
Wide shifted(Wide numbers, const std::vector<Whole>& steps);

// Values times 2^bits / scale of good moves, near enough that each differs by a few units at most
// from what its move returns; proves nothing.
struct Approach {
    std::vector<Whole> chosen;   // of each state a move, −1 at ends; none where it did not settle
    Wide values;                 // of each state
    std::vector<Whole> lengths;  // over 2^16, of each state the greatest expected number of moves to
                                 // the end by moves that return about as much as the chosen ones
};

// Goes on from a guess, whose values are multiplied by `scale`, and from what ends are worth in `values`.
// Moves that differ by no more than 2^near units are taken to return about as much.
Approach approach(const Process& process, Guess start, Wide values, Whole bits, Whole scale, Whole near,
                  const Progress& progress = {});

// How many targets there are in states to which play can come back by way of others.
Whole looping(const Process& process);

// Of each state through how many sets of states that can all reach one another play can go at most until
// it ends; of ends 0.
std::vector<Whole> depths(const Process& process);

// States from which −1 can surely keep off the marked states for ever, each with a move; −1 for
// the others and for ends.
std::vector<Whole> avoiding(const Process& process, const std::vector<std::int8_t>& marked);

// Numbers modulo the prime, and in doubles, as solvers of sparse systems take them.
struct Modular;
template <class Field>
class Factors;

// The values of fixed moves modulo powers of the prime.
class Digits {
   public:
    // Throws BadInput if the system is singular modulo the prime. The process must outlive this.
    Digits(const Process& process, const std::vector<Whole>& chosen, Progress progress = {});
    ~Digits();

    // A sum of multiples of all x, modulo prime^count, as that many words and one more. Where a
    // prime number divides some denominators, chance decides whether it divides that of the sum;
    // the spread, from 1 to 65520, makes one sum another.
    std::vector<std::uint64_t> combined(Whole count, Whole spread);

    // Of each state x times a factor modulo prime^count, between about −prime^count / 2 and
    // prime^count / 2, as so many words; of ends 0. The factor is given by its digits to the base of the
    // prime, lowest first. Throws BadInput where the words are fewer than the digits.
    Wide times(const std::vector<std::uint64_t>& factor, Whole count, Whole limbs);

   private:
    static constexpr Whole most_digits = Whole{1} << 23;  // more take days, and memory without end
    void lift(Whole count);

    const Process& process_;
    const std::vector<Whole> chosen_;
    const Progress progress_;
    std::vector<Whole> residues_;
    std::vector<std::vector<std::uint64_t>> digits_;
    std::unique_ptr<Clock> clock_;
    std::unique_ptr<Factors<Modular>> factors_;
};

}  // namespace exactdice::process
