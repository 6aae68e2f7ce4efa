#include "exactdice/swe.hpp"

#include <algorithm>
#include <limits>
#include <mutex>
#include <numeric>
#include <string>

#include "sharing.hpp"
#include "swe_block.hpp"
#include "swe_game.hpp"

namespace exactdice::swe {
namespace {

int weight_of(const Dice& dice) {
    int weight = 0;
    for (std::size_t i = 0; i < dice.size(); ++i) {
        weight += (static_cast<int>(i) + 1) * dice[i];
    }
    return weight;
}

// All dice of a weight, in lexicographic order.
void enumerate(std::size_t rung, int remaining, Dice& dice, std::vector<Dice>& found) {
    const int step = static_cast<int>(rung) + 1;
    if (rung + 1 == dice.size()) {
        if (remaining % step == 0) {
            dice[rung] = remaining / step;
            found.push_back(dice);
        }
        return;
    }
    for (int number = 0; number * step <= remaining; ++number) {
        dice[rung] = number;
        enumerate(rung + 1, remaining - number * step, dice, found);
    }
    dice[rung] = 0;
}

// Multiplications that a block takes, about; it only serves to share out the work.
double cost_of(const Dice& dice, int rounds) {
    double cells = 1, inner = 2;
    for (int number : dice) {
        cells *= number + 1;
        inner += number / 2.0;
    }
    return cells * inner * (rounds - weight_of(dice) + 1);
}

}  // namespace

// Roundings that a number passes through in one round, with at most `rounds` dice in all: a roll
// takes for each kind one product, as many sums as dice, and the error 3·number of a chance built
// up by a recurrence; then come the survivors' points, evaluations, and ties that may be called.
double relative_bound(int rungs, int rounds) {
    const double unit = std::numeric_limits<double>::epsilon() / 2;
    return 1.01 * rounds * ((4.0 * rounds + rungs + 8) * unit + 0x1p-46);
}

template <class Scalar>
struct Solution<Scalar>::Impl {
    struct Level {
        std::vector<Dice> dice;
        std::vector<Envelopes<Scalar>> afterstates;
    };

    std::vector<int> faces;
    int rounds;
    Options options;
    Clock clock{options.progress};
    std::vector<Chances<Scalar>> chances;
    std::vector<Level> levels;  // by weight
    Sizes sizes;
    Scalar value{};

    Impl(std::vector<int> faces_, int rounds_, Options options_)
        : faces(std::move(faces_)), rounds(rounds_), options(std::move(options_)) {
        check();
        const Rounding<Scalar> rounding;
        static_cast<void>(rounding);
        for (int face : faces) {
            chances.emplace_back(face, rounds);
        }
        levels.resize(static_cast<std::size_t>(rounds) + 1);
        double total = 0;
        for (int weight = 0; weight <= rounds; ++weight) {
            Dice dice(faces.size(), 0);
            Level& level = levels[static_cast<std::size_t>(weight)];
            enumerate(0, weight, dice, level.dice);
            level.afterstates.resize(level.dice.size());
            for (const Dice& each : level.dice) {
                total += cost_of(each, rounds);
            }
        }
        double done = 0;
        for (int weight = rounds; weight >= 0; --weight) {
            solve_level(weight, done, total);
        }
        value = evaluate(levels[0].afterstates[0][0].front(), 0);
        options.progress = nullptr;  // a solution that is kept must not keep its caller's objects
        for (const Level& level : levels) {
            for (const Envelopes<Scalar>& afterstates : level.afterstates) {
                sizes.bytes += afterstates.bytes() + sizeof(afterstates) + faces.size() * 4 + 32;
            }
        }
    }

    void check() const {
        require_game(faces, rounds, 1);
        require_threads(options.threads);
        // Multisets of weight at most R, each with R − w + 1 lines kept, counted by a recurrence.
        std::vector<double> count(static_cast<std::size_t>(rounds) + 1, 0);
        count[0] = 1;
        for (std::size_t step = 1; step <= faces.size(); ++step) {
            for (std::size_t w = step; w < count.size(); ++w) {
                count[w] += count[w - step];
            }
        }
        double bytes = 0;
        for (std::size_t w = 0; w < count.size(); ++w) {
            const double lines = static_cast<double>(count.size() - w);
            bytes += count[w] * (150 + lines * 1.5 * (sizeof(Piece<Scalar>) + 4));
        }
        // The largest box: the dice spread over the rungs so that each takes its share of weight.
        double cells = 1;
        for (std::size_t step = 1; step <= faces.size(); ++step) {
            cells *= static_cast<double>(rounds) / static_cast<double>(faces.size() * step) + 1;
        }
        bytes += options.threads * cells * (2.0 * sizeof(Scalar) + 40);
        require_memory(bytes, options.memory_limit);
    }

    static Scalar evaluate(const Piece<Scalar>& piece, int score) {
        return piece.A + piece.B * Scalar(static_cast<double>(score));
    }

    const Envelopes<Scalar>& find(const Dice& dice) const {
        const int weight = weight_of(dice);
        const bool possible = dice.size() == faces.size() && weight <= rounds &&
                              std::all_of(dice.begin(), dice.end(), [](int n) { return n >= 0; });
        if (!possible) {
            throw BadInput("dice: give " + std::to_string(faces.size()) +
                           " numbers of dice, of weight at most " + std::to_string(rounds));
        }
        const Level& level = levels[static_cast<std::size_t>(weight)];
        const auto at = std::lower_bound(level.dice.begin(), level.dice.end(), dice);
        return level.afterstates[static_cast<std::size_t>(at - level.dice.begin())];
    }

    std::vector<std::pair<int, const Envelopes<Scalar>*>> successors(const Dice& dice) const {
        std::vector<std::pair<int, const Envelopes<Scalar>*>> found;
        if (weight_of(dice) >= rounds) {
            return found;
        }
        Dice after = dice;
        ++after[0];
        found.emplace_back(0, &find(after));
        --after[0];
        for (std::size_t i = 0; i + 1 < dice.size(); ++i) {
            if (dice[i] > 0) {
                --after[i];
                ++after[i + 1];
                found.emplace_back(static_cast<int>(i) + 1, &find(after));
                ++after[i];
                --after[i + 1];
            }
        }
        return found;
    }

    // The blocks of a level do not depend on one another, and each result has its own place, so
    // the numbers do not depend on the number of threads.
    void solve_level(int weight, double& done, double total) {
        Level& level = levels[static_cast<std::size_t>(weight)];
        std::vector<std::size_t> order(level.dice.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::vector<double> costs(order.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            costs[i] = cost_of(level.dice[i], rounds);
        }
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t i, std::size_t j) { return costs[i] > costs[j]; });
        std::mutex guard;
        share_out(order.size(), options.threads, [&](Pieces& pieces, bool reports) {
            Sizes own;
            const Rounding<Scalar> rounding;
            static_cast<void>(rounding);
            BlockSolver<Scalar> solver(chances, rounds);
            while (const auto taken = pieces.next()) {
                const std::size_t i = order[*taken];
                level.afterstates[i] = solver.solve(level.dice[i], successors(level.dice[i]), own);
                double part = 0;
                {
                    const std::lock_guard<std::mutex> lock(guard);
                    part = (done += costs[i]) / total;
                }
                if (reports) {
                    clock.tick(part);
                }
            }
            const std::lock_guard<std::mutex> lock(guard);
            sizes.blocks += own.blocks;
            sizes.states += own.states;
            sizes.actions += own.actions;
            sizes.several_pieces += own.several_pieces;
            sizes.undecided += own.undecided;
        });
    }
};

template <class Scalar>
Solution<Scalar>::Solution(std::vector<int> faces, int rounds, Options options)
    : impl_(std::make_unique<Impl>(std::move(faces), rounds, std::move(options))) {}
template <class Scalar>
Solution<Scalar>::~Solution() = default;
template <class Scalar>
Solution<Scalar>::Solution(Solution&&) noexcept = default;

template <class Scalar>
Scalar Solution<Scalar>::value() const {
    return impl_->value;
}
template <class Scalar>
const Sizes& Solution<Scalar>::sizes() const {
    return impl_->sizes;
}

template <class Scalar>
std::vector<Dice> Solution<Scalar>::dice_of_weight(int weight) const {
    if (weight < 0 || weight > impl_->rounds) {
        throw BadInput("weight: give a whole number from 0 to " + std::to_string(impl_->rounds));
    }
    return impl_->levels[static_cast<std::size_t>(weight)].dice;
}

template <class Scalar>
std::vector<Envelope<Scalar>> Solution<Scalar>::afterstates(const Dice& dice) const {
    const Envelopes<Scalar>& found = impl_->find(dice);
    std::vector<Envelope<Scalar>> copied;
    for (std::size_t i = 0; i < found.size(); ++i) {
        copied.emplace_back(found[i].begin(), found[i].end());
    }
    return copied;
}

template <class Scalar>
std::vector<std::vector<Choice>> Solution<Scalar>::all_revenue_choices(const Dice& dice) const {
    const Rounding<Scalar> rounding;
    static_cast<void>(rounding);
    impl_->find(dice);  // checks the domain
    const auto successors = impl_->successors(dice);
    const int weight = weight_of(dice);
    const int number = std::accumulate(dice.begin(), dice.end(), 0);
    const bool rigorous = sizeof(Scalar) > sizeof(double);
    const double slack =
        rigorous ? 0.0 : 2 * relative_bound(static_cast<int>(dice.size()), impl_->rounds);
    std::vector<std::vector<Choice>> found;
    UpperEnvelope<Scalar> upper;
    for (int left = 1; left <= impl_->rounds - weight; ++left) {
        if (weight == 0 && left < impl_->rounds) {
            found.emplace_back();  // an empty table is only met at the start
            continue;
        }
        const int played = impl_->rounds - left;
        const ScoreRange scores = reachable_scores({}, played, played - weight, number, number);
        std::vector<Candidate<Scalar>> candidates;
        for (const auto& [move, afterstates] : successors) {
            candidates.push_back({move, (*afterstates)[static_cast<std::size_t>(left) - 1]});
        }
        upper.of(candidates, scores.low, scores.high);
        found.push_back(upper.choices(candidates, slack));
    }
    return found;
}

template <class Scalar>
std::vector<Entry<Scalar>> Solution<Scalar>::block(const Dice& dice) const {
    const Rounding<Scalar> rounding;
    static_cast<void>(rounding);
    impl_->find(dice);  // checks the domain
    BlockSolver<Scalar> solver(impl_->chances, impl_->rounds);
    Sizes sizes;
    std::vector<Entry<Scalar>> entries;
    solver.solve(dice, impl_->successors(dice), sizes, &entries);
    return entries;
}

template class Solution<double>;
template class Solution<Interval>;

}  // namespace exactdice::swe
