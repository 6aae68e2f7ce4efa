// Zero-sum games of hidden information in sequence form: good plans in doubles, by regret matching.
//
// A player has sequences 0 to n − 1, of which 0 is empty, and information sets in an order in which
// each is behind its parent, the sequence that leads to it; the sequences of a set follow one another.
// What a plan is worth, and what whole numbers prove of it, is for others to say.
//
// In turns each player mixes the actions of a set as their regrets are, the last regret counted twice
// as a forecast and those below 0 forgotten (predictive CFR⁺: Farina, Kroer and Sandholm 2021). Plans
// are averaged with weights t⁴: of Liar's dice, two dice against one, that left a fifth of the width
// of the paper's t² after 8,000 rounds with five sides, and the same width with six.
#pragma once

#include <cstdint>
#include <vector>

namespace exactdice::regrets {

using Whole = std::int64_t;
using Place = std::int32_t;  // sequences and sets are fewer than 2^31

// The information sets of a player.
struct Side {
    std::vector<Place> parent;  // of each set
    std::vector<Place> first;   // the first sequence of each set, and then the number of sequences
    std::size_t sequences() const { return static_cast<std::size_t>(first.back()); }
    // Throws BadInput where numbers refer to nothing.
    void check() const;
};

// Sets that follow one another, are equally wide, and whose parents are one, or follow one another:
// the hands of a place that both see. What is done there first, of all sets, comes before what is done
// second, so that each step of a loop over the sets is the next in memory.
struct Run {
    Place sets, width;
    Place begin;               // the first sequence
    Place parent, step;        // the parent of the first set, and from there to the next: 0 or 1
    Place before;              // the run of that parent
    std::size_t totals;        // where the sums of the sets begin
    bool is_planned = true;    // whether the plan goes there
    bool is_reached = false;   // whether the other's plan does, and before
    bool was_reached = false;
};

// What one player regrets, and plans. Where one thing can be done, it is one with what led there. Run 0
// is the beginning alone; where neither plan goes nothing changes, and nothing is done.
class Player {
   public:
    explicit Player(const Side& side);
    // Plans anew, and adds the plan to the mean with a weight.
    void mix(double weight);
    // Counts what a sequence brings at once, until it is learnt.
    void gain(Place sequence, double payoff) {
        gains_[static_cast<std::size_t>(sequence)] += payoff;
        runs_[static_cast<std::size_t>(run_[static_cast<std::size_t>(sequence)])].is_reached = true;
    }
    // Regrets what was not done.
    void learn();
    // Where each sequence of the side stands here.
    const std::vector<Place>& at() const { return at_; }
    const std::vector<Run>& runs() const { return runs_; }
    const std::vector<double>& plan() const { return plan_; }
    std::vector<double> mean() const;

   private:
    std::vector<Run> runs_;
    std::vector<Place> at_, run_;
    std::vector<double> regrets_, wanted_, totals_, plan_, mean_, gains_, values_;
};

// Payoffs by the sequences of one player. Those of a run that bring the same against everything share
// a line.
struct Payoffs {
    std::vector<std::size_t> lines;   // the first line of each run, and then their number
    std::vector<std::size_t> shared;  // the first sequence of each line, and then their number
    std::vector<Place> sequences;
    std::vector<std::size_t> begin;   // the first payoff of each line, and then their number
    std::vector<Place> at;            // the other's sequences
    std::vector<double> values;
    // Tells the other what sequences bring against a plan.
    void add(const Player& planned, double sign, Player& other) const;
};

// A game and its two players.
class Match {
   public:
    // Throws BadInput where the arrays do not fit one another.
    Match(const Side& one, const Side& two, const std::vector<Place>& rows,
          const std::vector<Place>& columns, const std::vector<double>& payoffs);
    // Plays so many rounds more.
    void play(Whole rounds);
    std::vector<double> mean(int player) const { return players_[player == 1 ? 0 : 1].mean(); }

   private:
    // A player learns against the other's plan, and mixes anew.
    void turn(std::size_t player, double weight);

    std::vector<Player> players_;
    Payoffs of_[2];  // by the sequences of each player
    Whole done_ = 0;
};

}  // namespace exactdice::regrets
