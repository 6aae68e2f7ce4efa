// Sparse systems d_s x_s − Σ_t w_t x_t = b_s of fixed moves, taken apart by their strongly connected
// components, sinks first, and factored within each in an order that keeps them sparse.
#pragma once

#include <algorithm>
#include <cstdint>
#include <queue>
#include <set>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "exactdice/process.hpp"
#include "exactdice/work.hpp"

namespace exactdice::process {

inline constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;

// Whole numbers modulo 2^61 − 1.
struct Modular {
    using Number = std::uint64_t;
    static Number of(Whole whole) {
        constexpr auto p = static_cast<Whole>(prime);
        const Whole rest = whole < p && whole > -p ? whole : whole % p;
        return static_cast<Number>(rest < 0 ? rest + p : rest);
    }
    static Number times(Number a, Number b) {
        const auto product = static_cast<unsigned __int128>(a) * b;
        const auto sum = static_cast<Number>(product & prime) + static_cast<Number>(product >> 61);
        return sum >= prime ? sum - prime : sum;
    }
    static Number minus(Number a, Number b) { return a >= b ? a - b : a + prime - b; }
    static Number plus(Number a, Number b) {
        const Number sum = a + b;
        return sum >= prime ? sum - prime : sum;
    }
    static Number inverse(Number a) {
        Number power = 1;
        for (std::uint64_t left = prime - 2; left; left >>= 1, a = times(a, a)) {
            if (left & 1) {
                power = times(power, a);
            }
        }
        return power;
    }
};

struct Double {
    using Number = double;
    static Number of(Whole whole) { return static_cast<double>(whole); }
    static Number times(Number a, Number b) { return a * b; }
    static Number minus(Number a, Number b) { return a - b; }
    static Number plus(Number a, Number b) { return a + b; }
    static Number inverse(Number a) { return 1 / a; }
};

// The order in which states are solved: `order` holds those that are no ends, component by
// component, sinks first; `first` where each component begins.
struct Components {
    std::vector<Whole> order;
    std::vector<Whole> first;
};

Components components(const Process& process, const std::vector<Whole>& chosen);

// The factors of a system, and its solutions.
template <class Field>
class Factors {
   public:
    using Number = typename Field::Number;

    // Throws BadInput where a pivot is 0.
    Factors(const Process& process, const std::vector<Whole>& chosen)
        : process_(process), parts_(components(process, chosen)) {
        const auto n = static_cast<std::size_t>(process.size());
        place_.assign(n, -1);
        component_.assign(n, -1);
        for (std::size_t part = 0; part + 1 < parts_.first.size(); ++part) {
            for (Whole at = parts_.first[part]; at < parts_.first[part + 1]; ++at) {
                component_[state(at)] = static_cast<Whole>(part);
            }
        }
        moves_ = chosen;
        rows_.resize(parts_.order.size());
        single_.resize(parts_.order.size());
        for (std::size_t part = 0; part + 1 < parts_.first.size(); ++part) {
            factor(parts_.first[part], parts_.first[part + 1]);
        }
    }

    // The solution for a right side by state, as numbers by state; ends keep what `known` holds.
    void solve(const std::vector<Number>& right, std::vector<Number>& known) const {
        for (std::size_t part = 0; part + 1 < parts_.first.size(); ++part) {
            const Whole from = parts_.first[part], to = parts_.first[part + 1];
            if (to - from == 1) {
                const std::size_t here = state(from);
                known[here] = Field::times(right_of(here, right[here], known), single_[index(from)]);
                continue;
            }
            for (Whole at = from; at < to; ++at) {
                Number total = right[state(at)];
                for (const auto& [target, weight] : rows_[index(at)].outside) {
                    total = Field::plus(total, Field::times(weight, known[index(target)]));
                }
                for (const auto& [before, factor] : rows_[index(at)].lower) {
                    total = Field::minus(total, Field::times(factor, known[state(before)]));
                }
                known[state(at)] = total;
            }
            for (Whole at = to; at-- > from;) {
                Number total = known[state(at)];
                for (const auto& [after, factor] : rows_[index(at)].upper) {
                    total = Field::minus(total, Field::times(factor, known[state(after)]));
                }
                known[state(at)] = Field::times(total, rows_[index(at)].inverse);
            }
        }
    }

   private:
    using Entries = std::vector<std::pair<Whole, Number>>;
    struct Row {
        Entries outside;       // by state
        Entries lower, upper;  // by place in the order
        Number inverse{};
    };

    static std::size_t index(Whole number) { return static_cast<std::size_t>(number); }
    std::size_t state(Whole at) const { return index(parts_.order[index(at)]); }

    // The right side of a state that is a component of its own.
    Number right_of(std::size_t here, Number total, const std::vector<Number>& known) const {
        process_.each_target(moves_[here], [&](Whole seen, Whole weight) {
            if (index(seen) != here) {
                total = Field::plus(total, Field::times(Field::of(weight), known[index(seen)]));
            }
        });
        return total;
    }

    // Divides 1 by what the value of a component of one state is multiplied by.
    void factor_single(Whole at) {
        const Whole here = parts_.order[index(at)];
        const Whole move = moves_[index(here)];
        Number pivot = Field::of(process_.denominator(move));
        process_.each_target(move, [&](Whole seen, Whole weight) {
            if (seen == here) {
                pivot = Field::minus(pivot, Field::of(weight));
            }
        });
        single_[index(at)] = inverse(pivot);
    }

    Number inverse(Number pivot) {
        if (pivot == Number{}) {
            throw BadInput("moves: give moves under which play surely ends");
        }
        const auto [found, is_new] = inverses_.try_emplace(pivot);
        if (is_new) {
            found->second = Field::inverse(pivot);
        }
        return found->second;
    }

    void factor(Whole from, Whole to) {
        if (to - from == 1) {
            factor_single(from);
            return;
        }
        reorder(from, to);
        for (Whole at = from; at < to; ++at) {
            place_[state(at)] = at;
        }
        std::vector<Number> work(index(to - from), Number{});
        std::vector<char> used(index(to - from), 0);
        for (Whole at = from; at < to; ++at) {
            factor_row(at, from, work, used);
        }
    }

    void factor_row(Whole at, Whole from, std::vector<Number>& work, std::vector<char>& used) {
        const Whole here = parts_.order[index(at)];
        const Whole move = moves_[index(here)];
        Row& row = rows_[index(at)];
        std::priority_queue<Whole, std::vector<Whole>, std::greater<>> waiting;
        std::vector<Whole> after;
        const auto touch = [&](Whole place) {
            if (!used[index(place - from)]) {
                used[index(place - from)] = 1;
                if (place < at) {
                    waiting.push(place);
                } else if (place > at) {
                    after.push_back(place);
                }
            }
        };
        touch(at);
        work[index(at - from)] = Field::of(process_.denominator(move));
        process_.each_target(move, [&](Whole seen, Whole weight) {
            if (component_[index(seen)] == component_[index(here)]) {
                const Whole place = place_[index(seen)];
                touch(place);
                work[index(place - from)] =
                    Field::minus(work[index(place - from)], Field::of(weight));
            } else {
                row.outside.emplace_back(seen, Field::of(weight));
            }
        });
        while (!waiting.empty()) {
            const Whole before = waiting.top();
            waiting.pop();
            const Number factor = Field::times(work[index(before - from)], rows_[index(before)].inverse);
            row.lower.emplace_back(before, factor);
            for (const auto& [place, entry] : rows_[index(before)].upper) {
                touch(place);
                work[index(place - from)] =
                    Field::minus(work[index(place - from)], Field::times(factor, entry));
            }
            work[index(before - from)] = Number{};
            used[index(before - from)] = 0;
        }
        row.inverse = inverse(work[index(at - from)]);
        for (const Whole place : after) {
            row.upper.emplace_back(place, work[index(place - from)]);
            work[index(place - from)] = Number{};
            used[index(place - from)] = 0;
        }
        work[index(at - from)] = Number{};
        used[index(at - from)] = 0;
        filled_ += row.lower.size() + row.upper.size();
        if (filled_ > most_entries) {
            throw TooLarge("has states that lead to one another in too many ways");
        }
    }

    // Puts first the states whose elimination joins the fewest pairs of others (Markowitz 1957).
    void reorder(Whole from, Whole to) {
        const auto size = index(to - from);
        for (Whole at = from; at < to; ++at) {
            place_[state(at)] = at;
        }
        std::vector<std::set<Whole>> leads(size), led(size);
        for (Whole at = from; at < to; ++at) {
            process_.each_target(moves_[state(at)], [&](Whole seen, Whole) {
                if (component_[index(seen)] == component_[state(at)]) {
                    const Whole place = place_[index(seen)];
                    if (place != at) {
                        leads[index(at - from)].insert(place - from);
                        led[index(place - from)].insert(at - from);
                    }
                }
            });
        }
        using Cost = std::pair<std::size_t, Whole>;
        std::priority_queue<Cost, std::vector<Cost>, std::greater<>> waiting;
        const auto cost = [&](Whole i) { return leads[index(i)].size() * led[index(i)].size(); };
        for (Whole i = 0; i < to - from; ++i) {
            waiting.emplace(cost(i), i);
        }
        std::vector<char> done(size, 0);
        std::vector<Whole> order;
        std::size_t joined = 0;
        while (!waiting.empty()) {
            const auto [paid, i] = waiting.top();
            waiting.pop();
            if (done[index(i)] || paid != cost(i)) {
                continue;
            }
            done[index(i)] = 1;
            order.push_back(parts_.order[index(from + i)]);
            joined += paid;
            if (joined > most_entries) {
                throw TooLarge("has states that lead to one another in too many ways");
            }
            for (const Whole before : led[index(i)]) {
                leads[index(before)].erase(i);
                for (const Whole after : leads[index(i)]) {
                    if (after != before && leads[index(before)].insert(after).second) {
                        led[index(after)].insert(before);
                    }
                }
            }
            for (const Whole after : leads[index(i)]) {
                led[index(after)].erase(i);
            }
            for (const auto* side : {&led[index(i)], &leads[index(i)]}) {
                for (const Whole other : *side) {
                    waiting.emplace(cost(other), other);
                }
            }
        }
        std::copy(order.begin(), order.end(), parts_.order.begin() + from);
    }

    static constexpr std::size_t most_entries = std::size_t{1} << 24;

    const Process& process_;
    Components parts_;
    std::vector<Whole> moves_, place_, component_;
    std::vector<Row> rows_;
    std::vector<Number> single_;
    std::unordered_map<Number, Number> inverses_;
    std::size_t filled_ = 0;
};

}  // namespace exactdice::process
