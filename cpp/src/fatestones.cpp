#include "exactdice/fatestones.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "matrix_game.hpp"
#include "sharing.hpp"

namespace exactdice::fatestones {
namespace {

double middle(double x) { return x; }
double middle(const Interval& x) { return x.lower() / 2 + x.upper() / 2; }

// The value of a game whose entries are known as scalars.
template <class Scalar, std::size_t N>
struct Solved {
    Scalar value;
    double gap;  // minimax minus maximin of pure choices: 0 for a saddle point
};

template <std::size_t N>
Solved<double, N> solve(const std::array<std::array<double, N>, N>& payoff) {
    const Play<N> play = solve_game<N>(payoff);
    if (play.maximin == play.minimax) {
        return {play.maximin, 0};
    }
    // Both sides' guarantees are equal but for rounding.
    const double below = sure_of<N>(payoff, play.row);
    const double above = -sure_of<N>(negative_transpose<N>(payoff), play.column);
    return {below / 2 + above / 2, play.minimax - play.maximin};
}

template <std::size_t N>
Interval guarantee(const std::array<std::array<Interval, N>, N>& payoff, const Mix<N>& row) {
    Interval sum(0.0);
    for (double part : row) {
        sum += Interval(part);
    }
    Interval least;
    for (std::size_t j = 0; j < N; ++j) {
        Interval total(0.0);
        for (std::size_t i = 0; i < N; ++i) {
            if (row[i] > 0) {
                total += Interval(row[i]) * payoff[i][j];
            }
        }
        least = j == 0 ? total
                       : from_ends(std::max(least.neglo, total.neglo), std::min(least.hi, total.hi));
    }
    return least / sum;
}

template <std::size_t N>
Solved<Interval, N> solve(const std::array<std::array<Interval, N>, N>& payoff) {
    Payoff<N> points;
    std::array<std::array<Interval, N>, N> turned;
    for (std::size_t i = 0; i < N; ++i) {
        for (std::size_t j = 0; j < N; ++j) {
            points[i][j] = middle(payoff[i][j]);
            turned[j][i] = -payoff[i][j];
        }
    }
    const Play<N> play = solve_game<N>(points);
    const double below = guarantee<N>(payoff, play.row).lower();
    const double above = -guarantee<N>(turned, play.column).lower();
    return {Interval(below, above), play.minimax - play.maximin};
}

// Outcomes of every two dice of a bag, and the values of every two hands of two.
template <class Scalar>
class Tables {
   public:
    explicit Tables(const std::vector<Die>& bag) : size_(bag.size()) {
        const std::size_t faces = bag.front().size();
        const Scalar rolls(static_cast<double>(faces * faces));
        for (const Die& die : bag) {
            for (const Die& other : bag) {
                int margin = 0, tie = 0;
                for (int x : die) {
                    for (int y : other) {
                        margin += (x > y) - (x < y);
                        tie += x == y;
                    }
                }
                margins_.push_back(Scalar(static_cast<double>(margin)) / rolls);
                ties_.push_back(Scalar(static_cast<double>(tie)) / rolls);
            }
        }
        number_.assign(size_ * size_, 0);
        for (std::size_t a = 0; a < size_; ++a) {
            for (std::size_t b = a + 1; b < size_; ++b) {
                number_[a * size_ + b] = number_[b * size_ + a] = pairs_.size();
                pairs_.push_back({a, b});
            }
        }
        values_.resize(pairs_.size() * pairs_.size());
        for (std::size_t p = 0; p < pairs_.size(); ++p) {
            for (std::size_t q = 0; q < pairs_.size(); ++q) {
                std::array<std::array<Scalar, 2>, 2> payoff;
                for (std::size_t i = 0; i < 2; ++i) {
                    for (std::size_t j = 0; j < 2; ++j) {
                        const std::size_t rest = pairs_[p][1 - i] * size_ + pairs_[q][1 - j];
                        payoff[i][j] = entry(pairs_[p][i], pairs_[q][j], margins_[rest]);
                    }
                }
                values_[p * pairs_.size() + q] = solve<2>(payoff).value;
            }
        }
    }

    Solved<Scalar, 3> duel(const std::array<int, 3>& row, const std::array<int, 3>& column) const {
        std::array<std::array<Scalar, 3>, 3> payoff;
        for (std::size_t i = 0; i < 3; ++i) {
            const std::size_t mine = rest(row, i);
            for (std::size_t j = 0; j < 3; ++j) {
                payoff[i][j] = entry(static_cast<std::size_t>(row[i]),
                                     static_cast<std::size_t>(column[j]),
                                     values_[mine * pairs_.size() + rest(column, j)]);
            }
        }
        return solve<3>(payoff);
    }

   private:
    Scalar entry(std::size_t die, std::size_t other, const Scalar& after) const {
        return margins_[die * size_ + other] + ties_[die * size_ + other] * after;
    }
    std::size_t rest(const std::array<int, 3>& hand, std::size_t used) const {
        const auto left = [&](std::size_t k) {
            return static_cast<std::size_t>(hand[(used + k) % 3]);
        };
        return number_[left(1) * size_ + left(2)];
    }

    std::size_t size_;
    std::vector<Scalar> margins_, ties_;
    std::vector<std::array<std::size_t, 2>> pairs_;
    std::vector<std::size_t> number_;
    std::vector<Scalar> values_;
};

void check(const std::vector<Die>& bag) {
    if (bag.size() < 6 || bag.size() > 64) {
        throw BadInput("dice: give a bag of 6 to 64 dice");
    }
    for (const Die& die : bag) {
        if (die.empty() || die.size() > 1000 || die.size() != bag.front().size()) {
            throw BadInput("dice: give dice of equally many faces, 1 to 1000");
        }
    }
}

template <class Scalar>
struct Tally {
    std::int64_t deals = 0, mixed = 0, even = 0, undecided = 0;
    Scalar sum{};
    Scalar largest{};
    std::array<int, 6> largest_deal{};
};

Interval absolute(const Interval& x) {
    if (x.lower() >= 0) {
        return x;
    }
    return x.upper() <= 0 ? -x : Interval(0.0, std::max(-x.lower(), x.upper()));
}
double absolute(double x) { return std::abs(x); }

constexpr double doubtful = 0x1p-40;

template <class Scalar>
void count(Tally<Scalar>& tally, const Solved<Scalar, 3>& solved, const std::array<int, 3>& row,
           const std::array<int, 3>& column) {
    const Scalar size = absolute(solved.value);
    tally.deals += 2;
    tally.sum += size + size;
    const bool is_mixed = solved.gap > doubtful, is_even = middle(size) <= doubtful;
    tally.mixed += 2 * is_mixed;
    tally.even += 2 * is_even;
    // A saddle point of entries that were computed in the same way shows as a gap of exactly 0.
    tally.undecided += 2 * ((!is_mixed && solved.gap != 0) || (is_even && upper(size) != 0));
    if (upper(size) > upper(tally.largest)) {
        tally.largest = size;
        const bool is_rows = middle(solved.value) > 0;
        const std::array<int, 3>&ahead = is_rows ? row : column, &behind = is_rows ? column : row;
        std::copy(ahead.begin(), ahead.end(), tally.largest_deal.begin());
        std::copy(behind.begin(), behind.end(), tally.largest_deal.begin() + 3);
    }
}

}  // namespace

template <class Scalar>
std::vector<Scalar> duels(const std::vector<Die>& bag,
                          const std::vector<std::array<int, 6>>& hands) {
    check(bag);
    for (const std::array<int, 6>& deal : hands) {
        for (std::size_t i = 0; i < 6; ++i) {
            if (deal[i] < 0 || static_cast<std::size_t>(deal[i]) >= bag.size()) {
                throw BadInput("hands: give numbers of dice in the bag");
            }
            for (std::size_t j = i < 3 ? 0 : 3; j < i; ++j) {
                if (deal[i] == deal[j]) {
                    throw BadInput("hands: give each hand three different dice");
                }
            }
        }
    }
    const Rounding<Scalar> rounding;
    static_cast<void>(rounding);
    const Tables<Scalar> tables(bag);
    std::vector<Scalar> values;
    for (const std::array<int, 6>& deal : hands) {
        values.push_back(tables.duel({deal[0], deal[1], deal[2]}, {deal[3], deal[4], deal[5]}).value);
    }
    return values;
}

template <class Scalar>
Census<Scalar> census(const std::vector<Die>& bag, const Options& options) {
    check(bag);
    require_threads(options.threads);
    const Rounding<Scalar> rounding;
    static_cast<void>(rounding);
    const Tables<Scalar> tables(bag);
    std::vector<std::array<int, 3>> hands;
    const int size = static_cast<int>(bag.size());
    for (int a = 0; a < size; ++a) {
        for (int b = a + 1; b < size; ++b) {
            for (int c = b + 1; c < size; ++c) {
                hands.push_back({a, b, c});
            }
        }
    }
    // Swapping the hands changes the sign of a value and nothing else, so each pair is solved once.
    // Every hand has a tally of its own, and they are added in order: the sums do not depend on the
    // number of threads.
    std::vector<Tally<Scalar>> tallies(hands.size());
    share_out(hands.size(), options.threads, [&](Pieces& pieces, bool reports) {
        const Rounding<Scalar> own_rounding;
        static_cast<void>(own_rounding);
        Clock clock(options.progress);
        while (const auto h = pieces.next()) {
            std::uint64_t held = 0;
            for (int die : hands[*h]) {
                held |= std::uint64_t{1} << die;
            }
            for (std::size_t k = *h + 1; k < hands.size(); ++k) {
                const auto& other = hands[k];
                if ((held >> other[0] & 1U) == 0 && (held >> other[1] & 1U) == 0 &&
                    (held >> other[2] & 1U) == 0) {
                    count(tallies[*h], tables.duel(hands[*h], other), hands[*h], other);
                }
            }
            if (reports) {
                // The first hands have the most others to meet.
                const double left = 1 - static_cast<double>(*h) / static_cast<double>(hands.size());
                clock.tick(1 - left * left);
            }
        }
    });
    Census<Scalar> result;
    Scalar sum(0.0);
    for (const Tally<Scalar>& tally : tallies) {
        result.deals += tally.deals;
        result.mixed += tally.mixed;
        result.even += tally.even;
        result.undecided += tally.undecided;
        sum += tally.sum;
        if (upper(tally.largest) > upper(result.largest)) {
            result.largest_deal = tally.largest_deal;
        }
        result.largest = greater_of(result.largest, tally.largest);
    }
    result.mean_absolute = sum / Scalar(static_cast<double>(result.deals));
    return result;
}

template Census<double> census(const std::vector<Die>&, const Options&);
template Census<Interval> census(const std::vector<Die>&, const Options&);
template std::vector<double> duels(const std::vector<Die>&,
                                   const std::vector<std::array<int, 6>>&);
template std::vector<Interval> duels(const std::vector<Die>&,
                                     const std::vector<std::array<int, 6>>&);

}  // namespace exactdice::fatestones
