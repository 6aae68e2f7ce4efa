#include "swe_block.hpp"

#include <algorithm>

#include "kernel.hpp"

namespace exactdice::swe {
namespace {

struct Ends {
    double low, high;
};

// One plane of a scalar: for Interval, 0 is the upper end and 1 the lower end negated.
double plane_of(double x, std::size_t) { return x; }
double plane_of(const Interval& x, std::size_t plane) { return plane == 0 ? x.hi : x.neglo; }

template <class Scalar, std::size_t planes>
Scalar gather(const std::array<std::vector<double>, planes>& from, std::size_t index) {
    if constexpr (planes == 1) {
        return from[0][index];
    } else {
        return from_ends(from[1][index], from[0][index]);
    }
}

template <class Scalar>
Scalar ratio(int p, int q) {
    return Scalar(static_cast<double>(p)) / Scalar(static_cast<double>(q));
}

}  // namespace

template <class Scalar>
Chances<Scalar>::Chances(int faces, int most) : leading(static_cast<std::size_t>(most) + 1) {
    const Scalar fails = ratio<Scalar>(1, faces), survives = ratio<Scalar>(faces - 1, faces);
    std::vector<Scalar> table(leading * leading, Scalar(0.0));
    table[0] = Scalar(1.0);
    for (std::size_t r = 1; r < leading; ++r) {
        for (std::size_t k = 0; k <= r; ++k) {
            Scalar chance = Scalar(0.0);
            if (k < r) {
                chance += table[(r - 1) * leading + k] * fails;
            }
            if (k > 0) {
                chance += table[(r - 1) * leading + k - 1] * survives;
            }
            table[r * leading + k] = chance;
        }
    }
    for (std::size_t plane = 0; plane < planes; ++plane) {
        matrix[plane].resize(table.size());
        for (std::size_t i = 0; i < table.size(); ++i) {
            // Both planes are kept as positive factors: an upper and a lower bound.
            const double end = plane_of(table[i], plane);
            matrix[plane][i] = plane == 0 ? end : -end;
        }
    }
}

template <class Scalar>
Scalar Chances<Scalar>::at(std::size_t r, std::size_t k) const {
    const std::size_t i = r * leading + k;
    if constexpr (planes == 1) {
        return matrix[0][i];
    } else {
        return from_ends(-matrix[1][i], matrix[0][i]);
    }
}

// Low: before a round with c survivors there were at least c − 1, and so on, since a round adds at
// most one revenue die; so 1 + 2 + … + c points have been scored since the last catastrophe, and
// since the origin without one all of them but those that the origin's dice had scored before.
// High: in round j there are at most min(origin + j, number) revenue dice, and every failure, of which
// there were as many as fixes and legacy dice beyond the origin's, has cost a point at least.
ScoreRange reachable_scores(const Origin& origin, int played, int fixes, int number, int revenue) {
    if (played == 0) {
        return {origin.score, origin.score};
    }
    if (revenue == 0) {
        return {0, 0};
    }
    const int rising = std::clamp(number - origin.revenue, 0, played);
    const int most =
        rising * origin.revenue + rising * (rising + 1) / 2 + (played - rising) * number;
    const int failures = std::max(0, fixes + (number - revenue) - origin.legacy);
    const int climbed = revenue * (revenue + 1) / 2;
    const int before = origin.revenue * (origin.revenue + 1) / 2;
    const int low = std::min(climbed, origin.score + std::max(revenue, climbed - before));
    return {low, std::max(low, origin.score + most - failures)};
}

template <class Scalar>
BlockSolver<Scalar>::BlockSolver(const std::vector<Chances<Scalar>>& chances, int rounds,
                                 Origin origin, Fix fix)
    : chances_(chances), rounds_(rounds), origin_(origin), fix_(fix) {
    slack_ = planes == 2 ? 0.0 : 2 * relative_bound(static_cast<int>(chances.size()), rounds);
}

template <class Scalar>
ScoreRange BlockSolver<Scalar>::range(int left, int revenue) const {
    const int played = rounds_ - left;
    return reachable_scores(origin_, played, played - (weight_ - origin_.weight), number_, revenue);
}

// A fix has just raised the revenue dice by one. In the split without legacy they may also come from
// a creation, which did the same, or from a promotion of as many dice, all of them revenue: that
// matters for a single die, which a fix finds with a score of 0 but a promotion with any.
template <class Scalar>
ScoreRange BlockSolver<Scalar>::after_move_range(std::size_t cell, int left) const {
    ScoreRange scores = range(left, revenue_[cell] - 1);
    if (cell + 1 == cells_) {
        scores.high = std::max(scores.high, range(left, number_).high);
    }
    return scores;
}

template <class Scalar>
void BlockSolver<Scalar>::lay_out(const Dice& dice) {
    dice_ = dice;
    number_ = weight_ = 0;
    axes_.clear();
    for (std::size_t i = dice.size(); i-- > 0;) {
        number_ += dice[i];
        weight_ += (static_cast<int>(i) + 1) * dice[i];
        if (dice[i] > 0) {
            axes_.push_back({static_cast<int>(i), dice[i], 0});
        }
    }
    inner_to_outer_.resize(axes_.size());
    for (std::size_t a = 0; a < axes_.size(); ++a) {
        inner_to_outer_[a] = a;
    }
    // The kernel is quickest over long runs, so the axis with the least work lies innermost.
    std::stable_sort(inner_to_outer_.begin(), inner_to_outer_.end(),
                     [&](std::size_t a, std::size_t b) { return axes_[a].number < axes_[b].number; });
    cells_ = 1;
    for (std::size_t a : inner_to_outer_) {
        axes_[a].stride = cells_;
        cells_ *= static_cast<std::size_t>(axes_[a].number) + 1;
    }
    const std::size_t d = axes_.size();
    coordinates_.assign(cells_ * d, 0);
    revenue_.assign(cells_, 0);
    for (std::size_t cell = 1; cell < cells_; ++cell) {
        // Count up by one, with carries from the innermost axis outwards.
        std::uint8_t* counts = coordinates_.data() + cell * d;
        std::copy_n(counts - d, d, counts);
        int total = revenue_[cell - 1];
        for (std::size_t a : inner_to_outer_) {
            if (counts[a] < axes_[a].number) {
                ++counts[a];
                ++total;
                break;
            }
            total -= counts[a];
            counts[a] = 0;
        }
        revenue_[cell] = static_cast<std::uint16_t>(total);
    }
    for (auto& plane : lines_) {
        plane.resize(2 * cells_);
    }
    at_low_.resize(cells_);
    at_high_.resize(cells_);
    touched_.resize(cells_);
    rolled_at_.assign(cells_, -1);
    rolled_.clear();
    several_pieces_.clear();
}

template <class Scalar>
typename BlockSolver<Scalar>::Line BlockSolver<Scalar>::line(std::size_t cell) const {
    return {gather<Scalar>(lines_, 2 * cell), gather<Scalar>(lines_, 2 * cell + 1)};
}

template <class Scalar>
void BlockSolver<Scalar>::store(std::size_t cell, const Line& line) {
    for (std::size_t plane = 0; plane < planes; ++plane) {
        lines_[plane][2 * cell] = plane_of(line.A, plane);
        lines_[plane][2 * cell + 1] = plane_of(line.B, plane);
    }
}

// Store a value before the move as the roll needs it: the survivors' points added, and after a
// catastrophe, where the score is 0, no slope.
template <class Scalar>
void BlockSolver<Scalar>::store_value(std::size_t cell, const Scalar& A, const Scalar& B) {
    const int survivors = revenue_[cell];
    if (survivors == 0) {
        store(cell, {A, Scalar(0.0)});
    } else {
        store(cell, {A + B * Scalar(static_cast<double>(survivors)), B});
    }
}

template <class Scalar>
void BlockSolver<Scalar>::begin() {
    for (std::size_t cell = 0; cell < cells_; ++cell) {
        store_value(cell, Scalar(0.0), Scalar(1.0));
    }
}

template <class Scalar>
void BlockSolver<Scalar>::roll(int left) {
    for (std::size_t plane = 0; plane < planes; ++plane) {
        for (std::size_t a : inner_to_outer_) {
            const Axis& axis = axes_[a];
            const std::size_t size = static_cast<std::size_t>(axis.number) + 1;
            const Chances<Scalar>& chances = chances_[static_cast<std::size_t>(axis.rung)];
            apply_triangular(lines_[plane].data(), chances.matrix[plane].data(), chances.leading,
                             cells_ / (size * axis.stride), size, 2 * axis.stride);
        }
    }
    for (Envelope<Scalar>& envelope : rolled_) {
        envelope.clear();
    }
    if (!rolled_.empty()) {
        std::fill(rolled_at_.begin(), rolled_at_.end(), -1);
        rolled_.clear();
    }
    if (!several_pieces_.empty()) {
        roll_several_pieces(left);
    }
}

template <class Scalar>
bool BlockSolver<Scalar>::below(std::size_t cell, std::size_t other) const {
    const std::size_t d = axes_.size();
    for (std::size_t a = 0; a < d; ++a) {
        if (coordinates_[cell * d + a] > coordinates_[other * d + a]) {
            return false;
        }
    }
    return true;
}

// Add the values of several pieces to every cell from which a roll can lead to one.
template <class Scalar>
void BlockSolver<Scalar>::roll_several_pieces(int left) {
    std::fill(touched_.begin(), touched_.end(), std::uint8_t{0});
    for (const SeveralPieces& value : several_pieces_) {
        touched_[value.cell] = 1;
    }
    const std::size_t d = axes_.size();
    for (std::size_t cell = 0; cell < cells_; ++cell) {
        for (std::size_t a = 0; a < d && touched_[cell] == 0; ++a) {
            if (coordinates_[cell * d + a] > 0) {
                touched_[cell] = touched_[cell - axes_[a].stride];
            }
        }
        if (touched_[cell] != 0) {
            rolled_envelope(cell, after_move_range(cell, left));
        }
    }
}

template <class Scalar>
void BlockSolver<Scalar>::rolled_envelope(std::size_t cell, ScoreRange scores) {
    struct Part {
        Scalar chance;
        int shift;
        std::span<const Piece<Scalar>> pieces;
    };
    const std::size_t d = axes_.size();
    std::vector<Part> parts;
    breaks_.assign(static_cast<std::size_t>(scores.high - scores.low) + 1, 0);
    breaks_[0] = 1;
    for (const SeveralPieces& value : several_pieces_) {
        if (!below(value.cell, cell)) {
            continue;
        }
        Scalar chance(1.0);
        for (std::size_t a = 0; a < d; ++a) {
            chance = chance * chances_[static_cast<std::size_t>(axes_[a].rung)].at(
                                  coordinates_[cell * d + a], coordinates_[value.cell * d + a]);
        }
        const int shift = revenue_[value.cell];
        parts.push_back({chance, shift, value.envelope});
        for (const Piece<Scalar>& piece : value.envelope) {
            if (piece.start - shift > scores.low && piece.start - shift <= scores.high) {
                breaks_[static_cast<std::size_t>(piece.start - shift - scores.low)] = 1;
            }
        }
    }
    const Line straight = line(cell);
    Envelope<Scalar> envelope;
    for (int start = scores.low; start <= scores.high; ++start) {
        if (breaks_[static_cast<std::size_t>(start - scores.low)] == 0) {
            continue;
        }
        Piece<Scalar> piece{start, straight.A, straight.B};
        for (Part& part : parts) {
            while (part.pieces.size() > 1 && part.pieces[1].start - part.shift <= start) {
                part.pieces = part.pieces.subspan(1);
            }
            const Piece<Scalar>& now = part.pieces.front();
            const Scalar slope = part.chance * now.B;
            piece.A += part.chance * now.A + slope * Scalar(static_cast<double>(part.shift));
            piece.B += slope;
        }
        envelope.push_back(piece);
    }
    if (envelope.size() == 1) {
        store(cell, {envelope.front().A, envelope.front().B});
    } else {
        rolled_at_[cell] = static_cast<std::int32_t>(rolled_.size());
        rolled_.push_back(std::move(envelope));
    }
}

template <class Scalar>
Envelope<Scalar> BlockSolver<Scalar>::after_move(std::size_t cell, int left) const {
    if (rolled_at_[cell] >= 0) {
        return rolled_[static_cast<std::size_t>(rolled_at_[cell])];
    }
    const Line straight = line(cell);
    return {{after_move_range(cell, left).low, straight.A, straight.B}};
}

// Upper bounds of the values after the move, at both ends of the scores before it.
template <class Scalar>
void BlockSolver<Scalar>::evaluate_ends(int left) {
    ranges_.clear();
    for (int revenue = 0; revenue <= number_; ++revenue) {
        ranges_.push_back(range(left, revenue));
    }
    std::vector<Ends> ends(1, {0, 0});
    for (const ScoreRange& scores : ranges_) {
        ends.push_back({static_cast<double>(scores.low), static_cast<double>(scores.high)});
    }
    const double* values = lines_[0].data();
    for (std::size_t cell = 0; cell < cells_; ++cell) {
        const Ends& end = ends[revenue_[cell]];
        at_low_[cell] = values[2 * cell] + values[2 * cell + 1] * end.low;
        at_high_[cell] = values[2 * cell] + values[2 * cell + 1] * end.high;
    }
}

template <class Scalar>
void BlockSolver<Scalar>::choose(int left, Sizes& sizes, std::vector<Entry<Scalar>>* record) {
    several_pieces_.clear();
    if (fix_ == Fix::highest) {
        for (std::size_t cell = 0; cell + 1 < cells_; ++cell) {
            choose_highest(cell, left, sizes);
        }
        return;
    }
    evaluate_ends(left);
    // Ascending: what a fix leads to lies above, and has not been overwritten yet.
    for (std::size_t cell = 0; cell + 1 < cells_; ++cell) {
        if (record != nullptr || !choose_single(cell, left, sizes)) {
            choose_general(cell, left, sizes, record);
        }
    }
}

// Choose the best fix where all candidates are single lines and one is above the others throughout.
template <class Scalar>
bool BlockSolver<Scalar>::choose_single(std::size_t cell, int left, Sizes& sizes) {
    const std::uint8_t* coordinates = coordinates_.data() + cell * axes_.size();
    constexpr double tolerance = 1 + 0x1p-46;
    std::size_t best = 0;
    double rival_low = 0, rival_high = 0;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
        if (coordinates[a] == axes_[a].number) {
            continue;
        }
        const std::size_t fixed = cell + axes_[a].stride;
        if (rolled_at_[fixed] >= 0) {
            return false;
        }
        if (best == 0) {
            best = fixed;
            continue;
        }
        std::size_t loser = fixed;
        if (at_low_[fixed] > at_low_[best] * tolerance ||
            at_high_[fixed] > at_high_[best] * tolerance) {
            if (at_low_[fixed] < at_low_[best] || at_high_[fixed] < at_high_[best]) {
                return false;
            }
            loser = best;
            best = fixed;
        }
        rival_low = std::max(rival_low, at_low_[loser]);
        rival_high = std::max(rival_high, at_high_[loser]);
    }
    const ScoreRange& scores = ranges_[revenue_[cell]];
    const double low = scores.low, high = scores.high;
    Line chosen = line(best);
    if constexpr (planes == 2) {
        const double excess =
            std::max({0.0, rival_low - -(-chosen.A.hi + -chosen.B.hi * low),
                      rival_high - -(-chosen.A.hi + -chosen.B.hi * high)});
        if (rival_low >= -(chosen.A.neglo + chosen.B.neglo * low) ||
            rival_high >= -(chosen.A.neglo + chosen.B.neglo * high)) {
            ++sizes.undecided;
        }
        chosen.A.hi = chosen.A.hi + excess;
    } else {
        if (rival_low >= at_low_[best] * (1 - slack_) ||
            rival_high >= at_high_[best] * (1 - slack_)) {
            ++sizes.undecided;
        }
    }
    static_cast<void>(left);
    store_value(cell, chosen.A, chosen.B);
    return true;
}

// The axes are in descending order of rungs.
template <class Scalar>
void BlockSolver<Scalar>::choose_highest(std::size_t cell, int left, Sizes& sizes) {
    const std::uint8_t* coordinates = coordinates_.data() + cell * axes_.size();
    std::size_t a = 0;
    while (coordinates[a] == axes_[a].number) {
        ++a;
    }
    const std::size_t fixed = cell + axes_[a].stride;
    if (rolled_at_[fixed] < 0) {
        const Line straight = line(fixed);
        store_value(cell, straight.A, straight.B);
        return;
    }
    const Envelope<Scalar> envelope = after_move(fixed, left);
    const Candidate<Scalar> only{axes_[a].rung, envelope};
    settle(cell, left, {&only, 1}, sizes, nullptr);
}

template <class Scalar>
void BlockSolver<Scalar>::choose_general(std::size_t cell, int left, Sizes& sizes,
                                         std::vector<Entry<Scalar>>* record) {
    std::vector<Envelope<Scalar>> envelopes;
    std::vector<int> moves;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
        if (coordinates_[cell * axes_.size() + a] < axes_[a].number) {
            envelopes.push_back(after_move(cell + axes_[a].stride, left));
            moves.push_back(axes_[a].rung);
        }
    }
    std::vector<Candidate<Scalar>> candidates;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        candidates.push_back({moves[i], envelopes[i]});
    }
    settle(cell, left, candidates, sizes, record);
}

template <class Scalar>
void BlockSolver<Scalar>::choose_all_revenue(
    int left, const std::vector<std::pair<int, const Envelopes<Scalar>*>>& successors,
    Sizes& sizes, std::vector<Entry<Scalar>>* record) {
    std::vector<Candidate<Scalar>> candidates;
    for (const auto& [move, afterstates] : successors) {
        candidates.push_back({move, (*afterstates)[static_cast<std::size_t>(left) - 1]});
    }
    settle(cells_ - 1, left, candidates, sizes, record);
}

template <class Scalar>
void BlockSolver<Scalar>::settle(std::size_t cell, int left,
                                 std::span<const Candidate<Scalar>> candidates, Sizes& sizes,
                                 std::vector<Entry<Scalar>>* record) {
    const ScoreRange scores = range(left, revenue_[cell]);
    upper_.of(candidates, scores.low, scores.high);
    const Envelope<Scalar>& envelope = upper_.pieces();
    if (!upper_.decided(candidates, slack_)) {
        ++sizes.undecided;
    }
    if (record != nullptr) {
        Entry<Scalar> entry{left, Dice(dice_.size(), 0), scores.low, scores.high, envelope,
                            upper_.choices(candidates, slack_)};
        for (std::size_t a = 0; a < axes_.size(); ++a) {
            entry.revenue[static_cast<std::size_t>(axes_[a].rung)] =
                coordinates_[cell * axes_.size() + a];
        }
        record->push_back(std::move(entry));
    }
    sizes.several_pieces += envelope.size() > 1 ? 1 : 0;
    put(cell, envelope);
}

// Keep a value before the move.
template <class Scalar>
void BlockSolver<Scalar>::put(std::size_t cell, const Envelope<Scalar>& envelope) {
    if (envelope.size() == 1) {
        store_value(cell, envelope.front().A, envelope.front().B);
        return;
    }
    store(cell, {Scalar(0.0), Scalar(0.0)});
    several_pieces_.push_back({cell, envelope});
}

template <class Scalar>
Envelopes<Scalar> BlockSolver<Scalar>::solve(
    const Dice& dice, const std::vector<std::pair<int, const Envelopes<Scalar>*>>& successors,
    Sizes& sizes, std::vector<Entry<Scalar>>* record) {
    lay_out(dice);
    const int most = rounds_ - weight_;  // rounds left when the dice are first seen before a move
    ++sizes.blocks;
    const std::int64_t layers = weight_ == 0 ? 1 : most;
    std::int64_t fixes = 0;
    for (const Axis& axis : axes_) {
        fixes += static_cast<std::int64_t>(cells_) / (axis.number + 1) * axis.number;
    }
    sizes.states += layers * static_cast<std::int64_t>(cells_);
    if (most > 0) {
        sizes.actions += layers * (fixes + static_cast<std::int64_t>(successors.size()));
    }
    Envelopes<Scalar> afterstates;
    if (weight_ == 0) {
        if (record != nullptr || most > 0) {
            choose_all_revenue(most, successors, sizes, record);
            afterstates.append(upper_.pieces());
        }
        return afterstates;
    }
    begin();
    for (int left = 1; left <= most + 1; ++left) {
        roll(left);
        afterstates.append(after_move(cells_ - 1, left));
        if (left <= most) {
            choose(left, sizes, record);
            choose_all_revenue(left, successors, sizes, record);
        }
    }
    afterstates.shrink();
    return afterstates;
}

template <class Scalar>
Envelopes<Scalar> BlockSolver<Scalar>::solve_below(const Dice& dice,
                                                   std::span<const Envelope<Scalar>> all_revenue,
                                                   Sizes& sizes) {
    lay_out(dice);
    begin();
    Envelopes<Scalar> afterstates;
    const int most = static_cast<int>(all_revenue.size());
    for (int left = 1; left <= most + 1; ++left) {
        roll(left);
        afterstates.append(after_move(cells_ - 1, left));
        if (left <= most) {
            choose(left, sizes, nullptr);
            put(cells_ - 1, all_revenue[static_cast<std::size_t>(left) - 1]);
        }
    }
    afterstates.shrink();
    return afterstates;
}

template <class Scalar>
Envelope<Scalar> BlockSolver<Scalar>::last_after_move(const Dice& revenue) const {
    std::size_t cell = 0;
    for (const Axis& axis : axes_) {
        cell += static_cast<std::size_t>(revenue[static_cast<std::size_t>(axis.rung)]) * axis.stride;
    }
    return after_move(cell, rounds_);
}

template struct Chances<double>;
template struct Chances<Interval>;
template class BlockSolver<double>;
template class BlockSolver<Interval>;

}  // namespace exactdice::swe
