// Good moves in doubles: sweeps that take the best move of each state, then strategy iteration.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "exactdice/process.hpp"
#include "sparse.hpp"

namespace exactdice::process {
namespace {

std::size_t index(Whole number) { return static_cast<std::size_t>(number); }

// What a move returns by the values of its targets.
double returned(const Process& process, Whole move, const std::vector<double>& values) {
    double total = 0;
    process.each_target(move, [&](Whole seen, Whole weight) {
        total += static_cast<double>(weight) * values[index(seen)];
    });
    return total / static_cast<double>(process.denominator(move)) +
           static_cast<double>(process.paid(move));
}

// Values of the moves of a guess; false where there are none. Components of more states than `largest`
// are not eliminated, and so it is lowered where that came to nothing.
bool evaluate(const Process& process, Guess& found, Whole& largest, Clock& clock) {
    const auto& chosen = found.chosen;
    auto& values = found.values;
    const auto n = index(process.size());
    std::vector<double> right(n);
    for (std::size_t s = 0; s < n; ++s) {
        if (process.owners[s] == ended) {
            values[s] = static_cast<double>(process.payoffs[s]);
        } else {
            right[s] = static_cast<double>(process.denominator(chosen[s])) *
                       static_cast<double>(process.paid(chosen[s]));
        }
    }
    try {
        const Factors<Double> factors(process, chosen, clock, largest);
        factors.solve(right, values);
        found.is_sparse = factors.are_whole();
        if (!found.is_sparse) {
            largest = hardly_large;
        }
    } catch (const BadInput&) {
        return false;
    }
    return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

// By how much a move must be better to be preferred: more than rounding may pretend.
constexpr double still = 1e-12;

// Takes better moves in the states of one owner; whether there were any.
bool improve(const Process& process, std::int8_t owner, const std::vector<double>& values,
             std::vector<Whole>& chosen) {
    bool changed = false;
    for (Whole s = 0; s < process.size(); ++s) {
        const Whole first = process.first_move[index(s)], last = process.first_move[index(s + 1)];
        if (process.owners[index(s)] != owner || last - first < 2) {
            continue;
        }
        double best = returned(process, chosen[index(s)], values);
        for (Whole move = first; move < last; ++move) {
            const double value = returned(process, move, values);
            if (owner * (value - best) > still * std::max(std::abs(value), std::abs(best))) {
                best = value;
                chosen[index(s)] = move;
                changed = true;
            }
        }
    }
    return changed;
}

// Takes the first of moves that are equal as far as rounding tells.
std::vector<Whole> firsts(const Process& process, const Guess& found) {
    std::vector<Whole> chosen = found.chosen;
    for (Whole s = 0; s < process.size(); ++s) {
        if (process.owners[index(s)] != 1 && process.owners[index(s)] != -1) {
            continue;
        }
        const double best = returned(process, chosen[index(s)], found.values);
        for (Whole move = process.first_move[index(s)]; move < chosen[index(s)]; ++move) {
            const double value = returned(process, move, found.values);
            if (std::abs(value - best) <= still * std::max(std::abs(value), std::abs(best))) {
                chosen[index(s)] = move;
                break;
            }
        }
    }
    return chosen;
}

// Sweeps at most, where elimination is at hand and where it is not.
constexpr int few_sweeps = 40, many_sweeps = 400;

// Takes in each component of all moves, sinks first, the best moves by the present values, sweep by
// sweep through the states in a given order, forth and back, until that changes little; whether it did.
bool sweep(const Process& process, const std::vector<Place>& layers, std::vector<double>& values,
           std::vector<Whole>& chosen, int most_sweeps, Clock& clock) {
    constexpr double enough = 1e-13, nearer = 0.9;
    bool settled = true;
    Components parts = nearest_first(process, layers);
    for (Whole part = 0; part < parts.count(); ++part) {
        const auto first = parts.order.begin() + parts.first[index(part)];
        const auto last = parts.order.begin() + parts.first[index(part + 1)];
        double before = std::numeric_limits<double>::infinity();
        for (int k = 0;; ++k) {
            clock.step();
            double change = 0, greatest = 0;
            for (auto at = first; at < last; ++at) {
                const Whole s = *at;
                double best = returned(process, chosen[index(s)], values);
                const int owner = process.owners[index(s)];
                for (Whole move = process.first_move[index(s)];
                     owner && move < process.first_move[index(s + 1)]; ++move) {
                    const double value = returned(process, move, values);
                    if (owner * (value - best) > still * std::max(std::abs(value), std::abs(best))) {
                        best = value;
                        chosen[index(s)] = move;
                    }
                }
                change = std::max(change, std::abs(best - values[index(s)]));
                greatest = std::max(greatest, std::abs(best));
                values[index(s)] = best;
            }
            if (!(change > enough * greatest) || (k && last - first == 1)) {
                break;
            }
            if (k % few_sweeps == few_sweeps - 1) {
                if (!(change < before * nearer) || k + 1 >= most_sweeps) {
                    settled = false;
                    break;
                }
                before = change;
            }
            std::reverse(first, last);
        }
    }
    return settled;
}

// Takes the moves that on average come nearest to an end, counted in moves, where play then ends.
void hasten(const Process& process, const std::vector<Place>& layers, std::vector<Whole>& chosen) {
    std::vector<double> distance(layers.size(), std::numeric_limits<double>::infinity());
    for (const Whole s : layers) {
        const Whole move = chosen[index(s)];
        distance[index(s)] = 0;
        if (move >= 0) {
            double least = std::numeric_limits<double>::infinity();
            process.each_target(move, [&](Whole seen, Whole) {
                least = seen == s ? least : std::min(least, distance[index(seen)]);
            });
            distance[index(s)] = least + 1;
        }
    }
    std::vector<Whole> nearest = chosen;
    for (Whole s = 0; s < process.size(); ++s) {
        double least = std::numeric_limits<double>::infinity();
        for (Whole move = process.first_move[index(s)];
             nearest[index(s)] >= 0 && move < process.first_move[index(s + 1)]; ++move) {
            double mean = 0;
            process.each_target(move, [&](Whole seen, Whole weight) {
                mean += static_cast<double>(std::abs(weight)) * distance[index(seen)];
            });
            mean /= static_cast<double>(process.denominator(move));
            // Of equally near ones now this and now that, or play keeps to one side.
            if (mean < least || (mean == least && std::popcount(static_cast<std::uint64_t>(s)) % 2)) {
                least = mean;
                nearest[index(s)] = move;
            }
        }
    }
    if (ends(process, nearest)) {
        chosen = std::move(nearest);
    }
}

}  // namespace

Components nearest_first(const Process& process, const std::vector<Place>& layers) {
    Components parts = components(process, {});
    std::vector<Place> distance(layers.size());
    for (std::size_t at = 0; at < layers.size(); ++at) {
        distance[index(layers[at])] = static_cast<Place>(at);
    }
    for (Whole part = 0; part < parts.count(); ++part) {
        std::sort(parts.order.begin() + parts.first[index(part)],
                  parts.order.begin() + parts.first[index(part + 1)],
                  [&](Whole a, Whole b) { return distance[index(a)] < distance[index(b)]; });
    }
    return parts;
}

Guess guess(const Process& process, const Progress& progress, Whole largest) {
    Clock clock(progress);
    const Whole n = process.size();
    int most_steps = n < 10'000 ? 200 : 20;
    Guess found{std::vector<Whole>(index(n), -1), std::vector<double>(index(n)), true};
    const Guess none{};
    const std::vector<Place> layers = closing(process, found.chosen);
    if (layers.size() == index(n)) {
        hasten(process, layers, found.chosen);
    }
    if (layers.size() != index(n) || !evaluate(process, found, largest, clock)) {
        return none;
    }
    const bool has_minor =
        std::find(process.owners.begin(), process.owners.end(), -1) != process.owners.end();
    const bool has_major =
        std::find(process.owners.begin(), process.owners.end(), 1) != process.owners.end();
    if (has_minor || has_major) {
        std::vector<Whole> better = found.chosen;
        const bool settled = sweep(process, layers, found.values, better,
                                   found.is_sparse ? few_sweeps : many_sweeps, clock);
        if (ends(process, better)) {
            found.chosen = std::move(better);
            if (settled && !found.is_sparse && n >= 10'000) {
                most_steps = 1;
            }
        }
    }
    for (int step = 0; step < most_steps; ++step) {
        if (!evaluate(process, found, largest, clock)) {
            return none;
        }
        // With MIN held fixed MAX is solved; then MIN improves (Hoffman and Karp 1966).
        if (has_major && improve(process, 1, found.values, found.chosen)) {
            continue;
        }
        if (has_minor && improve(process, -1, found.values, found.chosen)) {
            continue;
        }
        std::vector<Whole> first = firsts(process, found);
        if (first != found.chosen && ends(process, first)) {
            found.chosen = std::move(first);
        }
        return found;
    }
    return n < 10'000 ? none : found;
}

bool ends(const Process& process, const std::vector<Whole>& chosen) {
    std::vector<Whole> kept = chosen;
    return closing(process, kept).size() == index(process.size());
}

}  // namespace exactdice::process
