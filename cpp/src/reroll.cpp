#include "exactdice/reroll.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <string>

namespace exactdice::reroll {
namespace {

constexpr int most_holds = 2'000'000;
constexpr int most_iterations = 1'000'000;

using Counts = std::vector<int>;

// Multisets of 0..dice dice, each size in an order of its own, and where one more die leads.
struct Lattice {
    std::size_t dice, sides;
    std::vector<std::vector<Counts>> sets;                   // by size
    std::vector<std::vector<std::size_t>> with_one_more;  // by size: sides for each set

    Lattice(std::size_t dice_, std::size_t sides_) : dice(dice_), sides(sides_) {
        double holds = 1;  // C(dice + sides, sides)
        for (std::size_t i = 1; i <= sides && holds <= most_holds; ++i) {
            holds = holds * static_cast<double>(dice + i) / static_cast<double>(i);
        }
        if (holds > most_holds) {
            throw TooLarge("would keep more than " + std::to_string(most_holds) + " holds");
        }
        sets.assign(dice + 1, {});
        with_one_more.resize(dice);
        sets[0].emplace_back(sides, 0);
        for (std::size_t size = 0; size < dice; ++size) {
            std::map<Counts, std::size_t> known;
            for (const Counts& counts : sets[size]) {
                for (std::size_t side = 0; side < sides; ++side) {
                    Counts more = counts;
                    ++more[side];
                    const auto [at, is_new] = known.try_emplace(more, known.size());
                    with_one_more[size].push_back(at->second);
                    if (is_new) {
                        sets[size + 1].push_back(more);
                    }
                }
            }
        }
    }
};

double number_of(double x) { return x; }
double number_of(const Interval& x) { return x.lower() / 2 + x.upper() / 2; }

template <class Scalar>
void check(const Rules<Scalar>& rules) {
    if (rules.dice < 1 || rules.dice > 60) {
        throw BadInput("dice: give a whole number from 1 to 60");
    }
    if (rules.values.empty() || rules.values.size() != rules.bias.size()) {
        throw BadInput("bias: give one probability for each of at least one value");
    }
    double sum = 0;
    for (std::size_t i = 0; i < rules.values.size(); ++i) {
        if (!std::isfinite(lower(rules.values[i])) || !std::isfinite(upper(rules.values[i])) ||
            std::abs(number_of(rules.values[i])) > 1e15) {
            throw BadInput("values: give finite numbers below 1e15");
        }
        if (i > 0 && !(upper(rules.values[i - 1]) < lower(rules.values[i]))) {
            throw BadInput("values: give numbers in ascending order");
        }
        if (!(lower(rules.bias[i]) >= 0) || !(upper(rules.bias[i]) <= 1 + 1e-9)) {
            throw BadInput("bias: give probabilities from 0 to 1");
        }
        sum += number_of(rules.bias[i]);
    }
    if (!(std::abs(sum - 1) <= 1e-9)) {
        throw BadInput("bias: give probabilities that sum to 1");
    }
    if (!(lower(rules.penalty) > 0) || !std::isfinite(upper(rules.penalty))) {
        throw BadInput("penalty: give a finite number above 0");
    }
}

// One step of value iteration, on any scalar.
template <class Scalar>
class Operator {
   public:
    Operator(const Lattice& lattice, const Rules<Scalar>& rules)
        : lattice_(lattice), rules_(rules), expected_(lattice.dice + 1), best_(lattice.dice + 1) {
        for (std::size_t size = 0; size <= lattice.dice; ++size) {
            expected_[size].resize(lattice.sets[size].size());
            best_[size].resize(lattice.sets[size].size());
        }
        for (const Counts& roll : lattice.sets[lattice.dice]) {
            Scalar score(0.0);
            for (std::size_t side = 0; side < lattice.sides; ++side) {
                // Of a double, all dice are turned over: the i-th lowest value becomes the i-th highest.
                const std::size_t shown = roll[side] > 1 ? lattice.sides - 1 - side : side;
                score += Scalar(static_cast<double>(roll[side])) * rules.values[shown];
            }
            stick_.push_back(score);
        }
    }

    const std::vector<Scalar>& stick() const { return stick_; }
    const std::vector<std::vector<Scalar>>& expected() const { return expected_; }

    // The value before a roll of all dice, given the values after it.
    Scalar first_roll() const { return expected_[0][0]; }

    void expect(const std::vector<Scalar>& values) {
        expected_[lattice_.dice] = values;
        for (std::size_t size = lattice_.dice; size-- > 0;) {
            for (std::size_t i = 0; i < lattice_.sets[size].size(); ++i) {
                Scalar total(0.0);
                for (std::size_t side = 0; side < lattice_.sides; ++side) {
                    total += rules_.bias[side] * expected_[size + 1][next(size, i, side)];
                }
                expected_[size][i] = total;
            }
        }
    }

    std::vector<Scalar> step(const std::vector<Scalar>& values) {
        expect(values);
        // best(h) = the greatest expectation over holds contained in h; passed on to larger sets.
        best_ = expected_;
        for (std::size_t size = 0; size < lattice_.dice; ++size) {
            for (std::size_t i = 0; i < lattice_.sets[size].size(); ++i) {
                for (std::size_t side = 0; side < lattice_.sides; ++side) {
                    const std::size_t larger = next(size, i, side);
                    Scalar& target = best_[size + 1][larger];
                    if (size + 1 == lattice_.dice) {
                        best_full(larger, best_[size][i]);
                    } else {
                        target = greater_of(target, best_[size][i]);
                    }
                }
            }
        }
        std::vector<Scalar> improved = stick_;
        for (std::size_t i = 0; i < improved.size(); ++i) {
            improved[i] = greater_of(improved[i], full_[i] - rules_.penalty);
        }
        seen_.clear();
        return improved;
    }

    std::size_t next(std::size_t size, std::size_t set, std::size_t side) const {
        return lattice_.with_one_more[size][set * lattice_.sides + side];
    }

   private:
    // The greatest over partial holds only: the roll itself is no reroll.
    void best_full(std::size_t roll, const Scalar& value) {
        if (seen_.empty()) {
            seen_.assign(stick_.size(), false);
            full_.resize(stick_.size());
        }
        full_[roll] = seen_[roll] ? greater_of(full_[roll], value) : value;
        seen_[roll] = true;
    }

    const Lattice& lattice_;
    const Rules<Scalar>& rules_;
    std::vector<Scalar> stick_, full_;
    std::vector<bool> seen_;
    std::vector<std::vector<Scalar>> expected_, best_;
};

// Values of the game in doubles, by iteration from below until nothing moves by more than rounding.
std::vector<double> iterate(const Lattice& lattice, const Rules<double>& rules, int& iterations,
                            Clock& clock) {
    Operator<double> bellman(lattice, rules);
    std::vector<double> values = bellman.stick();
    double scale = rules.penalty;
    for (double score : values) {
        scale = std::max(scale, std::abs(score));
    }
    for (iterations = 1; iterations <= most_iterations; ++iterations) {
        const std::vector<double> improved = bellman.step(values);
        double change = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            change = std::max(change, std::abs(improved[i] - values[i]));
        }
        values = improved;
        if (change <= scale * 0x1p-51) {
            return values;
        }
        clock.tick(0);
    }
    throw BadInput("penalty: it is so small that the iteration does not settle");
}

std::vector<double> solved(const Lattice& lattice, const Rules<double>& rules, int& iterations,
                           Clock& clock) {
    return iterate(lattice, rules, iterations, clock);
}

std::vector<Interval> solved(const Lattice& lattice, const Rules<Interval>& rules, int& iterations,
                             Clock& clock) {
    Rules<double> middle;
    middle.dice = rules.dice;
    for (std::size_t i = 0; i < rules.values.size(); ++i) {
        middle.values.push_back(number_of(rules.values[i]));
        middle.bias.push_back(number_of(rules.bias[i]));
    }
    Operator<Interval> bellman(lattice, rules);
    // From above: a candidate with some slack in every reroll, made certain by one step.
    std::vector<Interval> above;
    for (double slack = 0x1p-40; above.empty(); slack *= 16) {
        if (slack > 0.5) {
            throw BadInput("penalty: no upper bound could be verified");
        }
        middle.penalty = number_of(rules.penalty) * (1 - slack);
        for (double value : iterate(lattice, middle, iterations, clock)) {
            above.emplace_back(value + std::abs(value) * 0x1p-50);
        }
        const std::vector<Interval> after = bellman.step(above);
        for (std::size_t i = 0; i < after.size(); ++i) {
            if (!(after[i].upper() <= above[i].upper())) {
                above.clear();
                break;
            }
        }
    }
    // Each further step keeps the bound and tightens it. From below every iterate is a bound.
    std::vector<Interval> below = bellman.stick();
    const int steps = 2 * iterations + 10;
    for (int i = 0; i < steps; ++i) {
        const std::vector<Interval> lower_now = bellman.step(below), upper_now = bellman.step(above);
        for (std::size_t j = 0; j < below.size(); ++j) {
            below[j] = Interval(std::max(below[j].lower(), lower_now[j].lower()));
            above[j] = Interval(std::min(above[j].upper(), upper_now[j].upper()));
        }
        clock.tick(static_cast<double>(i) / steps);
    }
    std::vector<Interval> values;
    for (std::size_t j = 0; j < below.size(); ++j) {
        values.emplace_back(below[j].lower(), above[j].upper());
    }
    return values;
}

// For each roll the hold with the greatest value, by doubles or by midpoints, and whether another
// one might be as good.
template <class Scalar>
void choose(const Lattice& lattice, const Rules<Scalar>& rules, Solution<Scalar>& solution) {
    Operator<Scalar> bellman(lattice, rules);
    bellman.expect(solution.values);
    solution.value = bellman.first_roll();
    std::map<Counts, std::pair<std::size_t, std::size_t>> place;
    for (std::size_t size = 0; size < lattice.dice; ++size) {
        for (std::size_t i = 0; i < lattice.sets[size].size(); ++i) {
            place[lattice.sets[size][i]] = {size, i};
        }
    }
    for (std::size_t r = 0; r < solution.rolls.size(); ++r) {
        const Counts& roll = solution.rolls[r];
        Counts hold(lattice.sides, 0), best_hold = roll;
        Scalar best = bellman.stick()[r];
        std::vector<Scalar> others;
        for (;;) {
            ++solution.choices;
            if (hold != roll) {
                const auto [size, i] = place.at(hold);
                const Scalar value = bellman.expected()[size][i] - rules.penalty;
                if (number_of(value) > number_of(best)) {
                    others.push_back(best);
                    best = value;
                    best_hold = hold;
                } else {
                    others.push_back(value);
                }
            }
            std::size_t side = 0;
            while (side < lattice.sides && hold[side] == roll[side]) {
                hold[side++] = 0;
            }
            if (side == lattice.sides) {
                break;
            }
            ++hold[side];
        }
        solution.holds.push_back(best_hold);
        const double slack =
            sizeof(Scalar) > sizeof(double) ? 0.0 : 0x1p-40 * std::abs(number_of(best));
        solution.undecided += std::any_of(others.begin(), others.end(), [&](const Scalar& other) {
            return upper(other) >= lower(best) - slack;
        });
    }
}

}  // namespace

template <class Scalar>
Solution<Scalar> solve(const Rules<Scalar>& rules, const Progress& progress) {
    check(rules);
    const Rounding<Scalar> rounding;
    static_cast<void>(rounding);
    Clock clock(progress);
    const Lattice lattice(static_cast<std::size_t>(rules.dice), rules.values.size());
    Solution<Scalar> solution;
    solution.rolls = lattice.sets[lattice.dice];
    solution.values = solved(lattice, rules, solution.iterations, clock);
    choose(lattice, rules, solution);
    return solution;
}

template Solution<double> solve(const Rules<double>&, const Progress&);
template Solution<Interval> solve(const Rules<Interval>&, const Progress&);

}  // namespace exactdice::reroll
