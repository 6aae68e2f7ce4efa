#include "exactdice/process.hpp"

#include <cmath>
#include <memory>
#include <span>

#include "sparse.hpp"

namespace exactdice::process {
namespace {

std::size_t index(Whole number) { return static_cast<std::size_t>(number); }

constexpr Whole most = Whole{1} << 60;

void require(bool holds, const char* wanted) {
    if (!holds) {
        throw BadInput(wanted);
    }
}

void require_offsets(const std::vector<Whole>& first, std::size_t count, std::size_t total) {
    require(first.size() == count + 1 && first.front() == 0 && index(first.back()) == total &&
                std::is_sorted(first.begin(), first.end()),
            "offsets: give offsets that rise from 0 to the number of parts");
}

// What a move returns by the values of its targets.
double returned(const Process& process, Whole move, const std::vector<double>& values) {
    double total = 0;
    process.each_target(move, [&](Whole seen, Whole weight) {
        total += static_cast<double>(weight) * values[index(seen)];
    });
    return total / static_cast<double>(process.denominator(move)) +
           static_cast<double>(process.reward[index(move)]);
}

// Values of fixed moves; false where there are none.
bool evaluate(const Process& process, const std::vector<Whole>& chosen, std::vector<double>& values) {
    const auto n = index(process.size());
    std::vector<double> right(n);
    for (std::size_t s = 0; s < n; ++s) {
        if (process.owners[s] == ended) {
            values[s] = static_cast<double>(process.payoffs[s]);
        } else {
            right[s] = static_cast<double>(process.denominator(chosen[s])) *
                       static_cast<double>(process.reward[index(chosen[s])]);
        }
    }
    try {
        Factors<Double>(process, chosen).solve(right, values);
    } catch (const BadInput&) {
        return false;
    }
    return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

// Which moves of which states lead to a state.
class Before {
   public:
    // Of moves that are kept, by state and move.
    template <class Kept>
    Before(const Process& process, Kept kept) {
        const Whole n = process.size();
        const auto each = [&](auto note) {
            for (Whole s = 0; s < n; ++s) {
                if (process.owners[index(s)] == ended) {
                    continue;
                }
                for (Whole m = process.first_move[index(s)]; m < process.first_move[index(s + 1)];
                     ++m) {
                    if (!kept(s, m)) {
                        continue;
                    }
                    for (Whole t = process.first_target[index(m)];
                         t < process.first_target[index(m + 1)]; ++t) {
                        note(index(process.targets[index(t)] % n), s, m);
                    }
                }
            }
        };
        first_.assign(index(n) + 1, 0);
        each([&](std::size_t target, Whole, Whole) { ++first_[target + 1]; });
        for (std::size_t s = 0; s < index(n); ++s) {
            first_[s + 1] += first_[s];
        }
        moves_.resize(first_.back());
        std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
        each([&](std::size_t target, Whole s, Whole m) { moves_[next[target]++] = {s, m}; });
    }

    std::span<const std::pair<Whole, Whole>> of(Whole state) const {
        return {moves_.data() + first_[index(state)], moves_.data() + first_[index(state + 1)]};
    }

   private:
    std::vector<std::size_t> first_;
    std::vector<std::pair<Whole, Whole>> moves_;
};

// Moves that lead to an end with some chance, each to a state nearer to it; false if some cannot.
bool closing(const Process& process, std::vector<Whole>& chosen) {
    const Whole n = process.size();
    const Before before(process, [&](Whole s, Whole m) {
        return chosen[index(s)] < 0 || chosen[index(s)] == m;
    });
    std::vector<char> seen(index(n), 0);
    std::vector<Whole> layer;
    for (Whole s = 0; s < n; ++s) {
        if (process.owners[index(s)] == ended) {
            seen[index(s)] = 1;
            layer.push_back(s);
        }
    }
    for (std::size_t at = 0; at < layer.size(); ++at) {
        for (const auto& [state, move] : before.of(layer[at])) {
            if (!seen[index(state)]) {
                seen[index(state)] = 1;
                chosen[index(state)] = move;
                layer.push_back(state);
            }
        }
    }
    return layer.size() == index(n);
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

}  // namespace

void Process::complete() {
    require(!first_weight.empty(), "laws: give their offsets");
    require_offsets(first_weight, first_weight.size() - 1, weights.size());
    denominators_.clear();
    for (std::size_t l = 0; l + 1 < first_weight.size(); ++l) {
        Whole total = 0;
        for (Whole w = first_weight[l]; w < first_weight[l + 1]; ++w) {
            require(weights[index(w)] > 0 && weights[index(w)] < most - total,
                    "weights: give positive ones whose sums are below 2^60");
            total += weights[index(w)];
        }
        denominators_.push_back(total);
    }
}

void Process::check() const {
    const auto n = owners.size(), moves = law.size();
    require(payoffs.size() == n && reward.size() == moves, "payoffs: give one a state or move");
    require_offsets(first_move, n, moves);
    require_offsets(first_target, moves, targets.size());
    for (std::size_t s = 0; s < n; ++s) {
        const Whole count = first_move[s + 1] - first_move[s];
        require(owners[s] == ended || owners[s] == 1 || owners[s] == -1 || owners[s] == 0,
                "owners: give 1, −1, 0 or 3");
        require(owners[s] == ended || count == 1 || (owners[s] != 0 && count > 0),
                "moves: give each state one, and one alone to chance");
        require(std::abs(payoffs[s]) < most, "payoffs: give whole numbers below 2^60");
    }
    for (std::size_t m = 0; m < moves; ++m) {
        require(law[m] >= 0 && index(law[m]) + 1 < first_weight.size(), "law: give one there is");
        const Whole width = first_weight[index(law[m]) + 1] - first_weight[index(law[m])];
        require(first_target[m + 1] - first_target[m] == width, "law: give a weight a target");
        // The right side of a row and the residues of `Digits` stay within 63 bits.
        Whole greatest = std::abs(reward[m]);
        for (Whole t = first_target[m]; t < first_target[m + 1]; ++t) {
            const Whole target = targets[index(t)];
            require(target >= 0 && target < 2 * static_cast<Whole>(n), "targets: give states");
            const std::size_t seen = index(target) % n;
            if (owners[seen] == ended) {
                greatest = std::max(greatest, std::abs(payoffs[seen]));
            }
        }
        require(greatest < most && (greatest == 0 || denominator(static_cast<Whole>(m)) < most / greatest / 2),
                "rewards: give whole numbers whose products with denominators are below 2^59");
    }
}

Components components(const Process& process, const std::vector<Whole>& chosen) {
    const Whole n = process.size();
    Components parts;
    std::vector<Whole> low(index(n), 0), stack;
    struct Visit {
        Whole state, arrival, next;
    };
    std::vector<Visit> path;
    Whole arrivals = 0;
    const Whole taken = n + 1;
    const auto visit = [&](Whole state) {
        low[index(state)] = ++arrivals;
        stack.push_back(state);
        path.push_back({state, arrivals, process.first_target[index(chosen[index(state)])]});
    };
    for (Whole root = 0; root < n; ++root) {
        if (low[index(root)] || process.owners[index(root)] == ended) {
            continue;
        }
        visit(root);
        while (!path.empty()) {
            auto& [state, arrival, next] = path.back();
            const Whole last = process.first_target[index(chosen[index(state)] + 1)];
            Whole fresh = -1;
            for (; next < last && fresh < 0; ++next) {
                const Whole target = process.targets[index(next)] % n;
                if (process.owners[index(target)] == ended) {
                    continue;
                }
                if (!low[index(target)]) {
                    fresh = target;
                } else {
                    low[index(state)] = std::min(low[index(state)], low[index(target)]);
                }
            }
            if (fresh >= 0) {
                visit(fresh);
                continue;
            }
            const Whole least = low[index(state)];
            const Whole finished = state;
            const bool is_root = least == arrival;
            path.pop_back();
            if (is_root) {
                parts.first.push_back(static_cast<Whole>(parts.order.size()));
                Whole member;
                do {
                    member = stack.back();
                    stack.pop_back();
                    low[index(member)] = taken;
                    parts.order.push_back(member);
                } while (member != finished);
            }
            if (!path.empty()) {
                Whole& parent = low[index(path.back().state)];
                parent = std::min(parent, least);
            }
        }
    }
    parts.first.push_back(static_cast<Whole>(parts.order.size()));
    return parts;
}

Guess guess(const Process& process) {
    constexpr int most_steps = 200;
    Guess found{std::vector<Whole>(index(process.size()), -1),
                std::vector<double>(index(process.size()))};
    const Guess none{};
    if (!closing(process, found.chosen)) {
        return none;
    }
    const bool has_minor =
        std::find(process.owners.begin(), process.owners.end(), -1) != process.owners.end();
    const bool has_major =
        std::find(process.owners.begin(), process.owners.end(), 1) != process.owners.end();
    for (int step = 0; step < most_steps; ++step) {
        if (!evaluate(process, found.chosen, found.values)) {
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
    return none;
}

bool ends(const Process& process, const std::vector<Whole>& chosen) {
    std::vector<Whole> kept = chosen;
    return closing(process, kept);
}

std::vector<Whole> avoiding(const Process& process, const std::vector<std::int8_t>& marked) {
    const Whole n = process.size();
    const Before before(process, [](Whole, Whole) { return true; });
    std::vector<Whole> good(index(n), 0), waiting;
    std::vector<char> out(index(n), 0), spoilt(process.law.size(), 0);
    for (Whole s = 0; s < n; ++s) {
        good[index(s)] = process.first_move[index(s + 1)] - process.first_move[index(s)];
        if (marked[index(s)]) {
            out[index(s)] = 1;
            waiting.push_back(s);
        }
    }
    while (!waiting.empty()) {
        const Whole reached = waiting.back();
        waiting.pop_back();
        for (const auto& [state, move] : before.of(reached)) {
            if (!spoilt[index(move)]) {
                spoilt[index(move)] = 1;
                const bool lost = --good[index(state)] == 0 || process.owners[index(state)] != -1;
                if (lost && !out[index(state)]) {
                    out[index(state)] = 1;
                    waiting.push_back(state);
                }
            }
        }
    }
    std::vector<Whole> kept(index(n), -1);
    for (Whole s = 0; s < n; ++s) {
        if (!out[index(s)] && process.owners[index(s)] != ended) {
            Whole move = process.first_move[index(s)];
            while (spoilt[index(move)]) {
                ++move;
            }
            kept[index(s)] = move;
        }
    }
    return kept;
}

Digits::Digits(const Process& process, const std::vector<Whole>& chosen)
    : process_(process), chosen_(chosen), residues_(index(process.size()), 0) {
    const Whole n = process_.size();
    require(chosen_.size() == index(n), "chosen: give a move a state");
    for (Whole s = 0; s < n; ++s) {
        if (process_.owners[index(s)] == ended) {
            continue;
        }
        const Whole move = chosen_[index(s)];
        require(move >= process_.first_move[index(s)] && move < process_.first_move[index(s + 1)],
                "chosen: give a move of the state");
        Whole right = process_.denominator(move) * process_.reward[index(move)];
        process_.each_target(move, [&](Whole seen, Whole weight) {
            if (process_.owners[index(seen)] == ended) {
                right += weight * process_.payoffs[index(seen)];
            }
        });
        residues_[index(s)] = right;
    }
    factors_ = std::make_unique<Factors<Modular>>(process_, chosen_);
}

Digits::~Digits() = default;

void Digits::lift(Whole count) {
    const Whole n = process_.size();
    std::vector<std::uint64_t> right(index(n));
    while (digits_.size() < index(count)) {
        for (Whole s = 0; s < n; ++s) {
            right[index(s)] = Modular::of(residues_[index(s)]);
        }
        std::vector<std::uint64_t> digit(index(n), 0);
        factors_->solve(right, digit);
        for (Whole s = 0; s < n; ++s) {
            if (process_.owners[index(s)] == ended) {
                continue;
            }
            const Whole move = chosen_[index(s)];
            auto left = static_cast<__int128>(residues_[index(s)]) -
                        static_cast<__int128>(process_.denominator(move)) *
                            static_cast<Whole>(digit[index(s)]);
            process_.each_target(move, [&](Whole seen, Whole weight) {
                if (process_.owners[index(seen)] != ended) {
                    left += static_cast<__int128>(weight) * static_cast<Whole>(digit[index(seen)]);
                }
            });
            residues_[index(s)] = static_cast<Whole>(left / static_cast<__int128>(prime));
        }
        digits_.push_back(std::move(digit));
    }
}

std::vector<std::uint64_t> Digits::combined(Whole count, Whole spread) {
    constexpr std::uint64_t below = 65521;  // a prime that has nothing to do with the values
    require(count > 0, "count: give one above 0");
    require(spread > 0 && spread < static_cast<Whole>(below), "spread: give 1 to 65520");
    lift(count);
    std::vector<std::uint64_t> number(index(count + 1), 0);
    for (Whole k = count; k-- > 0;) {  // number = number * prime + sum of digits
        unsigned __int128 carry = 0;
        for (std::size_t s = 0; s < digits_[index(k)].size(); ++s) {
            carry += static_cast<unsigned __int128>((s + 1) * static_cast<std::uint64_t>(spread) % below) * digits_[index(k)][s];
        }
        for (Whole word = 0; word < count - k + 1; ++word) {
            carry += static_cast<unsigned __int128>(number[index(word)]) * prime;
            number[index(word)] = static_cast<std::uint64_t>(carry);
            carry >>= 64;
        }
    }
    return number;
}

std::vector<std::uint64_t> Digits::words(Whole count) {
    const Whole n = process_.size();
    require(count > 0, "count: give one above 0");
    lift(count);
    std::vector<std::uint64_t> found(index(n * count), 0);
    for (Whole s = 0; s < n; ++s) {
        std::uint64_t* const number = &found[index(s * count)];
        for (Whole k = count; k-- > 0;) {  // number = number * prime + digit
            unsigned __int128 carry = digits_[index(k)][index(s)];
            for (Whole word = 0; word < count - k; ++word) {
                carry += static_cast<unsigned __int128>(number[word]) * prime;
                number[word] = static_cast<std::uint64_t>(carry);
                carry >>= 64;
            }
        }
    }
    return found;
}

}  // namespace exactdice::process
