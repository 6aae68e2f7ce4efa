// Sparse systems d_s x_s − Σ_t w_t x_t = b_s of fixed moves, taken apart by their strongly connected
// components, sinks first, and factored within each in an order that keeps them sparse.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <queue>
#include <stdexcept>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "loop.hpp"
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
    std::vector<Place> order;
    std::vector<Place> first;

    Whole count() const { return static_cast<Whole>(first.size()) - 1; }
};

// Of the chosen moves; of all moves where none are given.
Components components(const Process& process, const std::vector<Whole>& chosen);

// Chooses moves, where −1 leaves the choice, that lead to an end with some chance, each to a state
// nearer to it. Returns the states that can come to an end, nearest first.
std::vector<Place> closing(const Process& process, std::vector<Whole>& chosen);

// Components of all moves, sinks first, the states of each in the order of their distance to an end.
Components nearest_first(const Process& process, const std::vector<Place>& layers);

// Components of so many states at most are eliminated though that came to nothing elsewhere before.
inline constexpr Whole hardly_large = 1000;

// The factors of a system, and its solutions.
template <class Field>
class Factors {
   public:
    using Number = typename Field::Number;

    // Throws BadInput where a pivot is 0. The moves must outlive this. In doubles, components of more states than `largest` are not
    // even tried to be factored.
    Factors(const Process& process, const std::vector<Whole>& chosen,
            Clock& clock, Whole largest = std::numeric_limits<Whole>::max())
        : process_(process), parts_(components(process, chosen)), largest_(largest), clock_(clock),
          moves_(chosen) {
        const auto n = static_cast<std::size_t>(process.size());
        place_.assign(n, -1);
        component_.assign(n, -1);
        for (std::size_t part = 0; part + 1 < parts_.first.size(); ++part) {
            for (Whole at = parts_.first[part]; at < parts_.first[part + 1]; ++at) {
                component_[state(at)] = static_cast<Place>(part);
            }
        }
        single_.resize(parts_.order.size());
        for (std::size_t part = 0; part + 1 < parts_.first.size(); ++part) {
            factor(parts_.first[part], parts_.first[part + 1]);
        }
    }

    // Whether all components are factored.
    bool are_whole() const { return loops_.empty(); }

    // The solution for a right side by state, as numbers by state; ends keep what `known` holds.
    void solve(const std::vector<Number>& right, std::vector<Number>& known) const {
        for (std::size_t part = 0; part + 1 < parts_.first.size(); ++part) {
            const Whole from = parts_.first[part], to = parts_.first[part + 1];
            if (to - from == 1) {
                const std::size_t here = state(from);
                known[here] = Field::times(right_of(here, right[here], known), single_[index(from)]);
                continue;
            }
            if constexpr (std::is_same_v<Field, Double>) {
                const auto found = loops_.find(from);
                if (found != loops_.end()) {
                    iterate(from, to, found->second, right, known);
                    continue;
                }
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
    using Entries = std::vector<std::pair<Place, Number>>;
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
        if (to - from > largest_ || !reorder(from, to)) {
            if constexpr (std::is_same_v<Field, Double>) {
                take_in_turn(from, to);
                return;
            }
            throw TooLarge("has states that lead to one another in too many ways");
        }
        put_in_place(from, to);
        rows_.resize(parts_.order.size());
        std::vector<Number> work(index(to - from), Number{});
        std::vector<char> used(index(to - from), 0);
        for (Whole at = from; at < to; ++at) {
            clock_.look();
            factor_row(at, from, work, used);
        }
    }

    void factor_row(Whole at, Whole from, std::vector<Number>& work, std::vector<char>& used) {
        const Whole here = parts_.order[index(at)];
        const Whole move = moves_[index(here)];
        Row& row = rows_[index(at)];
        std::priority_queue<Place, std::vector<Place>, std::greater<>> waiting;
        std::vector<Place> after;
        const auto touch = [&](Place place) {
            if (!used[index(place - from)]) {
                used[index(place - from)] = 1;
                if (place < at) {
                    waiting.push(place);
                } else if (place > at) {
                    after.push_back(place);
                }
            }
        };
        touch(static_cast<Place>(at));
        work[index(at - from)] = Field::of(process_.denominator(move));
        process_.each_target(move, [&](Whole seen, Whole weight) {
            if (component_[index(seen)] == component_[index(here)]) {
                const Place place = place_[index(seen)];
                touch(place);
                work[index(place - from)] =
                    Field::minus(work[index(place - from)], Field::of(weight));
            } else {
                row.outside.emplace_back(static_cast<Place>(seen), Field::of(weight));
            }
        });
        while (!waiting.empty()) {
            const Place before = waiting.top();
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
        for (const Place place : after) {
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

    void put_in_place(Whole from, Whole to) {
        for (Whole at = from; at < to; ++at) {
            place_[state(at)] = static_cast<Place>(at);
        }
    }

    // Puts first the states whose elimination joins the fewest pairs of others (Markowitz 1957);
    // false where that joins too many.
    bool reorder(Whole from, Whole to) {
        const auto size = index(to - from);
        put_in_place(from, to);
        using Places = std::vector<Place>;  // in order
        const auto insert = [](Places& places, Place place) {
            const auto at = std::lower_bound(places.begin(), places.end(), place);
            const bool is_new = at == places.end() || *at != place;
            if (is_new) {
                places.insert(at, place);
            }
            return is_new;
        };
        const auto erase = [](Places& places, Place place) {
            places.erase(std::lower_bound(places.begin(), places.end(), place));
        };
        std::vector<Places> leads(size), led(size);
        for (Whole at = from; at < to; ++at) {
            process_.each_target(moves_[state(at)], [&](Whole seen, Whole) {
                const Whole place = place_[index(seen)];
                if (component_[index(seen)] == component_[state(at)] && place != at &&
                    insert(leads[index(at - from)], static_cast<Place>(place - from))) {
                    led[index(place - from)].push_back(static_cast<Place>(at - from));
                }
            });
        }
        using Cost = std::pair<std::size_t, Place>;
        std::priority_queue<Cost, std::vector<Cost>, std::greater<>> waiting;
        const auto cost = [&](Place i) { return leads[index(i)].size() * led[index(i)].size(); };
        for (Place i = 0; index(i) < size; ++i) {
            waiting.emplace(cost(i), i);
        }
        std::vector<char> done(size, 0);
        std::vector<Place> order;
        std::size_t joined = 0;
        const std::size_t most = std::is_same_v<Field, Double> ? most_joined * size + most_joined_few : most_entries;
        while (!waiting.empty()) {
            const auto [paid, i] = waiting.top();
            waiting.pop();
            if (done[index(i)] || paid != cost(i)) {
                continue;
            }
            done[index(i)] = 1;
            clock_.look();
            order.push_back(parts_.order[index(from + i)]);
            joined += paid;
            if (joined > most) {
                return false;
            }
            for (const auto before : led[index(i)]) {
                erase(leads[index(before)], i);
                for (const auto after : leads[index(i)]) {
                    if (after != before && insert(leads[index(before)], after)) {
                        insert(led[index(after)], before);
                    }
                }
            }
            for (const auto after : leads[index(i)]) {
                erase(led[index(after)], i);
            }
            for (const auto* side : {&led[index(i)], &leads[index(i)]}) {
                for (const auto other : *side) {
                    waiting.emplace(cost(other), other);
                }
            }
        }
        std::copy(order.begin(), order.end(), parts_.order.begin() + from);
        return true;
    }

    // Makes a component ready for steps, its states in the order of their distance to an end.
    void take_in_turn(Whole from, Whole to) {
        if (distance_.empty()) {
            std::vector<Whole> kept = moves_;
            distance_.resize(moves_.size());
            const std::vector<Place> layers = closing(process_, kept);
            for (std::size_t at = 0; at < layers.size(); ++at) {
                distance_[index(layers[at])] = static_cast<Place>(at);
            }
        }
        std::sort(parts_.order.begin() + from, parts_.order.begin() + to,
                  [&](Whole a, Whole b) { return distance_[index(a)] < distance_[index(b)]; });
        put_in_place(from, to);
        Loop& loop = loops_[from];
        for (Whole at = from; at < to; ++at) {
            const Whole here = parts_.order[index(at)];
            double diagonal = static_cast<double>(process_.denominator(moves_[index(here)]));
            process_.each_target(moves_[index(here)], [&](Whole seen, Whole weight) {
                if (seen == here) {
                    diagonal -= static_cast<double>(weight);
                } else if (component_[index(seen)] == component_[index(here)]) {
                    loop.add(static_cast<Place>(place_[index(seen)] - from),
                             static_cast<double>(weight));
                }
            });
            loop.close(diagonal);
        }
    }

    void iterate(Whole from, Whole to, const Loop& loop, const std::vector<Number>& right,
                 std::vector<Number>& known) const {
        std::vector<double> around(index(to - from)), values(index(to - from));
        for (Whole at = from; at < to; ++at) {
            double total = right[state(at)];
            process_.each_target(moves_[state(at)], [&](Whole seen, Whole weight) {
                if (component_[index(seen)] != component_[state(at)]) {
                    total += static_cast<double>(weight) * known[index(seen)];
                }
            });
            around[index(at - from)] = total;
            values[index(at - from)] = known[state(at)];
        }
        loop.solve(around, values, clock_);
        for (Whole at = from; at < to; ++at) {
            known[state(at)] = values[index(at - from)];
        }
    }

    static constexpr std::size_t most_entries = std::size_t{1} << 24;
    // In doubles so many pairs a state, and as many in any component: measured, steps are faster then.
    static constexpr std::size_t most_joined = 48, most_joined_few = std::size_t{1} << 16;

    const Process& process_;
    Components parts_;
    const Whole largest_;
    Clock& clock_;
    std::unordered_map<Whole, Loop> loops_;  // by where their component begins
    std::vector<Place> distance_;            // of states to an end, where it was wanted
    const std::vector<Whole>& moves_;
    std::vector<Place> place_, component_;
    std::vector<Row> rows_;
    std::vector<Number> single_;
    std::unordered_map<Number, Number> inverses_;
    std::size_t filled_ = 0;
};

}  // namespace exactdice::process
