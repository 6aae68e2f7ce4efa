// One block of the software-engineering game: all splits of some dice, round by round backwards.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "exactdice/swe.hpp"

namespace exactdice::swe {

// Envelopes one after another in a single piece of memory.
template <class Scalar>
class Envelopes {
   public:
    void append(std::span<const Piece<Scalar>> envelope) {
        pieces_.insert(pieces_.end(), envelope.begin(), envelope.end());
        ends_.push_back(static_cast<std::uint32_t>(pieces_.size()));
    }
    std::size_t size() const { return ends_.size(); }
    std::span<const Piece<Scalar>> operator[](std::size_t i) const {
        const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
        return {pieces_.data() + begin, ends_[i] - begin};
    }
    std::size_t bytes() const {
        return pieces_.capacity() * sizeof(Piece<Scalar>) + ends_.capacity() * 4;
    }
    void shrink() {
        pieces_.shrink_to_fit();
        ends_.shrink_to_fit();
    }

   private:
    std::vector<Piece<Scalar>> pieces_;
    std::vector<std::uint32_t> ends_;
};

// A candidate for the best move: its number and what it is worth.
template <class Scalar>
struct Candidate {
    int move;
    std::span<const Piece<Scalar>> envelope;
};

// The upper envelope of candidates over the whole scores low..high. Where two cannot be told apart
// the earlier one is kept, raised by as much as the later one might exceed it.
template <class Scalar>
class UpperEnvelope {
   public:
    void of(std::span<const Candidate<Scalar>> candidates, int low, int high);
    const Envelope<Scalar>& pieces() const { return pieces_; }
    // The moves taken and those that might be optimal, from the last call of `of`.
    std::vector<Choice> choices(std::span<const Candidate<Scalar>> candidates, double slack) const;
    // Whether the moves taken are certainly the best.
    bool decided(std::span<const Candidate<Scalar>> candidates, double slack) const;

   private:
    static bool reaches(const Candidate<Scalar>& candidate, const Piece<Scalar>& taken, int start,
                        int end, double slack);
    void merge(const Candidate<Scalar>& other);
    void append(int start, Piece<Scalar> line, int move, const Piece<Scalar>& rival, int end);
    Envelope<Scalar> pieces_, next_;
    std::vector<int> moves_, next_moves_;
    std::vector<int> starts_;
    int low_ = 0, high_ = 0;
};

// Chances that k of r dice do not show a 1, for one kind of die, in the form that a roll needs: for
// Interval, upper bounds and lower bounds apart.
template <class Scalar>
struct Chances {
    static constexpr std::size_t planes = sizeof(Scalar) / sizeof(double);
    Chances(int faces, int most);
    Scalar at(std::size_t r, std::size_t k) const;
    std::size_t leading;
    std::array<std::vector<double>, planes> matrix;
};

// Where play starts: numbers of dice, their weight and the score; an empty table unless given.
struct Origin {
    int revenue = 0, legacy = 0, weight = 0, score = 0;
};

// Bounds of the scores with which play reaches a split: after `played` rounds from the origin, of
// which `fixes` were spent on fixing, with `number` dice of which `revenue` are not in legacy.
struct ScoreRange {
    int low, high;
};
ScoreRange reachable_scores(const Origin& origin, int played, int fixes, int number, int revenue);

// Which legacy die is fixed: the best by comparison, or the one on the highest rung, which theorem 9
// of proofs/theorems/THEOREMS.md shows to be optimal.
enum class Fix { compared, highest };

template <class Scalar>
class BlockSolver {
   public:
    BlockSolver(const std::vector<Chances<Scalar>>& chances, int rounds, Origin origin = {},
                Fix fix = Fix::compared);

    // Solve the block of `dice`. `successors` are the afterstates values of the blocks that a creation
    // and each promotion lead to, with their moves. Returns the afterstates values of this block. The
    // sizes are added to `sizes`; where `record` is given, every state is appended to it.
    Envelopes<Scalar> solve(
        const Dice& dice,
        const std::vector<std::pair<int, const Envelopes<Scalar>*>>& successors, Sizes& sizes,
        std::vector<Entry<Scalar>>* record = nullptr);

    // The same where the values without legacy are known, with 1, 2, … rounds left.
    Envelopes<Scalar> solve_below(const Dice& dice, std::span<const Envelope<Scalar>> all_revenue,
                                  Sizes& sizes);
    // After solve_below: the value right after the move that led to a split, with one round left
    // more than there were values without legacy.
    Envelope<Scalar> last_after_move(const Dice& revenue) const;

   private:
    static constexpr std::size_t planes = Chances<Scalar>::planes;
    struct Axis {
        int rung, number;
        std::size_t stride;
    };
    struct Line {
        Scalar A, B;
    };
    struct SeveralPieces {
        std::size_t cell;
        Envelope<Scalar> envelope;
    };

    void lay_out(const Dice& dice);
    void begin();
    void roll(int left);
    void roll_several_pieces(int left);
    bool below(std::size_t cell, std::size_t other) const;
    void rolled_envelope(std::size_t cell, ScoreRange range);
    void evaluate_ends(int left);
    void choose(int left, Sizes& sizes, std::vector<Entry<Scalar>>* record);
    bool choose_single(std::size_t cell, int left, Sizes& sizes);
    void choose_highest(std::size_t cell, int left, Sizes& sizes);
    void choose_general(std::size_t cell, int left, Sizes& sizes,
                        std::vector<Entry<Scalar>>* record);
    void choose_all_revenue(
        int left, const std::vector<std::pair<int, const Envelopes<Scalar>*>>& successors,
        Sizes& sizes, std::vector<Entry<Scalar>>* record);
    void settle(std::size_t cell, int left, std::span<const Candidate<Scalar>> candidates,
                Sizes& sizes, std::vector<Entry<Scalar>>* record);
    void put(std::size_t cell, const Envelope<Scalar>& envelope);
    ScoreRange range(int left, int revenue) const;
    ScoreRange after_move_range(std::size_t cell, int left) const;
    Line line(std::size_t cell) const;
    void store(std::size_t cell, const Line& line);
    void store_value(std::size_t cell, const Scalar& A, const Scalar& B);
    Envelope<Scalar> after_move(std::size_t cell, int left) const;

    const std::vector<Chances<Scalar>>& chances_;
    int rounds_;
    Origin origin_;
    Fix fix_;
    double slack_;
    Dice dice_;
    int number_ = 0, weight_ = 0;
    std::vector<Axis> axes_;  // highest rung first: the canonical order of fixes
    std::vector<std::size_t> inner_to_outer_;
    std::size_t cells_ = 0;
    std::vector<std::uint8_t> coordinates_;  // axes_.size() for each cell
    std::vector<std::uint16_t> revenue_;     // revenue dice of each cell
    // Lines (A, B) of each cell. After a choice: those of the value before the move, with the
    // points of the survivors added, ready to be rolled; after a roll: those after the move.
    std::array<std::vector<double>, planes> lines_;
    std::vector<double> at_low_, at_high_;
    std::vector<ScoreRange> ranges_;  // by revenue, for the current round
    std::vector<SeveralPieces> several_pieces_;    // values before the move that are not one line
    std::vector<std::int32_t> rolled_at_;  // by cell, index into rolled_, or −1
    std::vector<Envelope<Scalar>> rolled_;
    std::vector<std::uint8_t> touched_;
    std::vector<std::uint8_t> breaks_;  // by score: whether a piece starts there
    UpperEnvelope<Scalar> upper_;
};

extern template class UpperEnvelope<double>;
extern template class UpperEnvelope<Interval>;
extern template struct Chances<double>;
extern template struct Chances<Interval>;
extern template class BlockSolver<double>;
extern template class BlockSolver<Interval>;

}  // namespace exactdice::swe
