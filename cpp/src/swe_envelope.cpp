#include <algorithm>
#include <cmath>

#include "swe_block.hpp"

namespace exactdice::swe {
namespace {

// Two values in doubles that differ by no more than this, relatively, are taken as a tie.
constexpr double tie = 0x1p-46;

// Bounds from above and below of A + B·s for a line of doubles, and of the ends of intervals.
double above(const Piece<double>& line, int score) { return line.A + line.B * score; }
double below(const Piece<double>& line, int score) { return line.A + line.B * score; }
double above(const Piece<Interval>& line, int score) { return line.A.hi + line.B.hi * score; }
double below(const Piece<Interval>& line, int score) {
    return -(line.A.neglo + line.B.neglo * score);
}
// Bound from below of the upper line itself.
double upper_from_below(const Piece<Interval>& line, int score) {
    return -(-line.A.hi + -line.B.hi * score);
}

void raise(Piece<double>&, const Piece<double>&, int, int) {}
// Raise the upper line so that it lies above the rival's at both ends, hence between them.
void raise(Piece<Interval>& line, const Piece<Interval>& rival, int low, int high) {
    const double excess = std::max({0.0, above(rival, low) - upper_from_below(line, low),
                                    above(rival, high) - upper_from_below(line, high)});
    line.A.hi = line.A.hi + excess;
}

bool same_line(const Piece<double>& x, const Piece<double>& y) { return x.A == y.A && x.B == y.B; }
bool same_line(const Piece<Interval>& x, const Piece<Interval>& y) {
    return x.A.neglo == y.A.neglo && x.B.neglo == y.B.neglo && x.B.hi == y.B.hi;
}
void join(Piece<double>&, const Piece<double>&) {}
void join(Piece<Interval>& x, const Piece<Interval>& y) { x.A.hi = std::max(x.A.hi, y.A.hi); }

template <class Scalar>
const Piece<Scalar>& line_at(std::span<const Piece<Scalar>> envelope, int score) {
    std::size_t i = 0;
    while (i + 1 < envelope.size() && envelope[i + 1].start <= score) {
        ++i;
    }
    return envelope[i];
}

}  // namespace

template <class Scalar>
void UpperEnvelope<Scalar>::of(std::span<const Candidate<Scalar>> candidates, int low, int high) {
    low_ = low;
    high_ = high;
    pieces_.clear();
    moves_.clear();
    for (const Piece<Scalar>& piece : candidates.front().envelope) {
        if (piece.start > high) {
            break;
        }
        if (piece.start <= low) {
            pieces_.assign(1, {low, piece.A, piece.B});
        } else {
            pieces_.push_back(piece);
        }
    }
    moves_.assign(pieces_.size(), candidates.front().move);
    for (const Candidate<Scalar>& other : candidates.subspan(1)) {
        merge(other);
    }
}

template <class Scalar>
void UpperEnvelope<Scalar>::append(int start, Piece<Scalar> line, int move,
                                   const Piece<Scalar>& rival, int end) {
    raise(line, rival, start, end);
    line.start = start;
    if (!next_.empty() && next_moves_.back() == move && same_line(next_.back(), line)) {
        join(next_.back(), line);
        return;
    }
    next_.push_back(line);
    next_moves_.push_back(move);
}

template <class Scalar>
void UpperEnvelope<Scalar>::merge(const Candidate<Scalar>& other) {
    starts_.clear();
    for (const Piece<Scalar>& piece : pieces_) {
        starts_.push_back(piece.start);
    }
    for (const Piece<Scalar>& piece : other.envelope) {
        if (piece.start > low_ && piece.start <= high_) {
            starts_.push_back(piece.start);
        }
    }
    std::sort(starts_.begin(), starts_.end());
    starts_.erase(std::unique(starts_.begin(), starts_.end()), starts_.end());
    next_.clear();
    next_moves_.clear();
    for (std::size_t i = 0, own = 0; i < starts_.size(); ++i) {
        const int start = starts_[i];
        const int end = i + 1 < starts_.size() ? starts_[i + 1] - 1 : high_;
        while (own + 1 < pieces_.size() && pieces_[own + 1].start <= start) {
            ++own;
        }
        const Piece<Scalar> one = pieces_[own];
        const Piece<Scalar>& two = line_at(other.envelope, start);
        const int move = moves_[own];
        const auto better = [&](int score) { return above(two, score) > above(one, score); };
        const auto clearly_better = [&](int score) {
            return above(two, score) > above(one, score) * (1 + tie);
        };
        if (!clearly_better(start) && !clearly_better(end)) {
            append(start, one, move, two, end);
        } else if (better(start) && better(end)) {
            append(start, two, other.move, one, end);
        } else {
            // The lines cross: find the first score at which the order is that of the end.
            const bool at_end = better(end);
            int before = start, after = end;
            while (after - before > 1) {
                const int middle = before + (after - before) / 2;
                (better(middle) == at_end ? after : before) = middle;
            }
            if (at_end) {
                append(start, one, move, two, after - 1);
                append(after, two, other.move, one, end);
            } else {
                append(start, two, other.move, one, after - 1);
                append(after, one, move, two, end);
            }
        }
    }
    pieces_.swap(next_);
    moves_.swap(next_moves_);
}

// Whether a candidate reaches a taken line between two scores; both are linear between the starts of
// the candidate's pieces.
template <class Scalar>
bool UpperEnvelope<Scalar>::reaches(const Candidate<Scalar>& candidate, const Piece<Scalar>& taken,
                                    int start, int end, double slack) {
    const auto at = [&](const Piece<Scalar>& line, int score) {
        return above(line, score) >= below(taken, score) * (1 - slack);
    };
    const std::span<const Piece<Scalar>> pieces = candidate.envelope;
    for (std::size_t i = 0; i < pieces.size() && (i == 0 || pieces[i].start <= end); ++i) {
        const int first = i == 0 ? start : std::max(start, pieces[i].start);
        const int last = i + 1 < pieces.size() ? std::min(end, pieces[i + 1].start - 1) : end;
        if (first <= last && (at(pieces[i], first) || at(pieces[i], last))) {
            return true;
        }
    }
    return false;
}

template <class Scalar>
bool UpperEnvelope<Scalar>::decided(std::span<const Candidate<Scalar>> candidates,
                                    double slack) const {
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
        const int end = i + 1 < pieces_.size() ? pieces_[i + 1].start - 1 : high_;
        for (const Candidate<Scalar>& candidate : candidates) {
            if (candidate.move != moves_[i] &&
                reaches(candidate, pieces_[i], pieces_[i].start, end, slack)) {
                return false;
            }
        }
    }
    return true;
}

template <class Scalar>
std::vector<Choice> UpperEnvelope<Scalar>::choices(std::span<const Candidate<Scalar>> candidates,
                                                   double slack) const {
    std::vector<Choice> found;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
        const int start = pieces_[i].start;
        const int end = i + 1 < pieces_.size() ? pieces_[i + 1].start - 1 : high_;
        Choice choice{start, end, std::uint32_t{1} << moves_[i], moves_[i]};
        for (const Candidate<Scalar>& candidate : candidates) {
            if (reaches(candidate, pieces_[i], start, end, slack)) {
                choice.possible |= std::uint32_t{1} << candidate.move;
            }
        }
        if (!found.empty() && found.back().possible == choice.possible &&
            found.back().taken == choice.taken) {
            found.back().high = end;
        } else {
            found.push_back(choice);
        }
    }
    return found;
}

template class UpperEnvelope<double>;
template class UpperEnvelope<Interval>;

}  // namespace exactdice::swe
