#include "exactdice/process.hpp"

#include <memory>

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

template <class Offset>
void require_offsets(const std::vector<Offset>& first, std::size_t count, std::size_t total) {
    require(first.size() == count + 1 && first.front() == 0 && index(first.back()) == total &&
                std::is_sorted(first.begin(), first.end()),
            "offsets: give offsets that rise from 0 to the number of parts");
}

// Which moves lead to which targets.
class Before {
   public:
    // Of moves that are kept, by state and move.
    template <class Kept>
    Before(const Process& process, Kept kept)
        : size_(process.size()), first_(2 * index(size_) + 2, 0), states_(process.law.size()) {
        const auto each = [&](auto note) {
            for (Whole s = 0; s < size_; ++s) {
                if (process.owners[index(s)] == ended) {
                    continue;
                }
                for (Whole m = process.first_move[index(s)]; m < process.first_move[index(s + 1)];
                     ++m) {
                    states_[index(m)] = static_cast<Place>(s);
                    if (!kept(s, m)) {
                        continue;
                    }
                    for (Whole t = process.first_target[index(m)];
                         t < process.first_target[index(m + 1)]; ++t) {
                        note(index(process.targets[index(t)]), m);
                    }
                }
            }
        };
        each([&](std::size_t target, Whole) { ++first_[target + 2]; });
        for (std::size_t t = 0; t + 1 < first_.size(); ++t) {
            first_[t + 1] += first_[t];
        }
        moves_.resize(index(first_.back()));
        each([&](std::size_t target, Whole m) {  // which leaves each beginning where it belongs
            moves_[index(first_[target + 1]++)] = static_cast<Place>(m);
        });
    }

    // Looks at each move that leads to a state, with its state and whether that changes sides.
    template <class Look>
    void each(Whole state, const Look& look) const {
        for (const bool turned : {false, true}) {
            const std::size_t target = index(turned ? state + size_ : state);
            for (Place at = first_[target]; at < first_[target + 1]; ++at) {
                const Place move = moves_[index(at)];
                look(states_[index(move)], move, turned);
            }
        }
    }

   private:
    const Whole size_;
    std::vector<Place> first_, states_, moves_;
};

}  // namespace

std::vector<Place> closing(const Process& process, std::vector<Whole>& chosen) {
    const Whole n = process.size();
    const Before before(process, [&](Whole s, Whole m) {
        return chosen[index(s)] < 0 || chosen[index(s)] == m;
    });
    std::vector<char> seen(index(n), 0);
    std::vector<Place> layer;
    for (Place s = 0; s < n; ++s) {
        if (process.owners[index(s)] == ended) {
            seen[index(s)] = 1;
            layer.push_back(s);
        }
    }
    for (std::size_t at = 0; at < layer.size(); ++at) {
        before.each(layer[at], [&](Place state, Place move, bool) {
            if (!seen[index(state)]) {
                seen[index(state)] = 1;
                chosen[index(state)] = move;
                layer.push_back(state);
            }
        });
    }
    return layer;
}

std::vector<Whole> ranks(const Process& process, const std::vector<Whole>& chosen, bool free) {
    const Whole n = process.size(), views = free ? 2 : 1, moves = static_cast<Whole>(process.law.size());
    require(chosen.size() == index(n), "chosen: give a move a state");
    const auto is_free = [&](Whole view, Whole state) {
        return free && process.owners[index(state)] == (view ? -1 : 1);
    };
    const Before before(process, [&](Whole s, Whole m) {
        return chosen[index(s)] == m || is_free(0, s) || is_free(1, s);
    });
    std::vector<Whole> rank(index(views * n), -1), waiting(index(views * n), 1), reached;
    for (Whole node = 0; node < views * n; ++node) {
        const Whole state = node % n;
        if (process.owners[index(state)] == ended) {
            rank[index(node)] = 0;
            reached.push_back(node);
        } else if (is_free(node / n, state)) {
            waiting[index(node)] =
                process.first_move[index(state + 1)] - process.first_move[index(state)];
        }
    }
    std::vector<char> hit(index(views * moves), 0);
    for (std::size_t at = 0; at < reached.size(); ++at) {
        const Whole node = reached[at];
        before.each(node % n, [&](Whole state, Whole move, bool turned) {
            const Whole view = (node / n + turned) % views, last = view * n + state;
            char& is_hit = hit[index(view * moves + move)];
            if (is_hit || (move != chosen[index(state)] && !is_free(view, state))) {
                return;
            }
            is_hit = 1;
            if (--waiting[index(last)] == 0) {
                rank[index(last)] = rank[index(node)] + 1;
                reached.push_back(last);
            }
        });
    }
    return rank;
}

void Process::end(const std::vector<Whole>& states) {
    for (const Whole s : states) {
        require(s >= 0 && s < size(), "states: give states of the process");
        owners[index(s)] = ended;
        payoffs[index(s)] = 0;
    }
}

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
        require(reward[m] >= 0 && index(reward[m]) < rewards.size(), "reward: give one there is");
        Whole greatest = std::abs(paid(static_cast<Whole>(m)));
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
    std::vector<Place> low(index(n), 0), stack;
    struct Visit {
        Place state, arrival, next;
    };
    std::vector<Visit> path;
    Place arrivals = 0;
    const auto taken = static_cast<Place>(n + 1);
    const auto bound = [&](Place state, Place after) {
        const Whole move = chosen.empty() ? process.first_move[index(state + after)]
                                          : chosen[index(state)] + after;
        return process.first_target[index(move)];
    };
    const auto visit = [&](Place state) {
        low[index(state)] = ++arrivals;
        stack.push_back(state);
        path.push_back({state, arrivals, bound(state, 0)});
    };
    for (Place root = 0; root < n; ++root) {
        if (low[index(root)] || process.owners[index(root)] == ended) {
            continue;
        }
        visit(root);
        while (!path.empty()) {
            auto& [state, arrival, next] = path.back();
            const Place last = bound(state, 1);
            Place fresh = -1;
            for (; next < last && fresh < 0; ++next) {
                const auto target = static_cast<Place>(process.targets[index(next)] % n);
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
            const Place least = low[index(state)];
            const Place finished = state;
            const bool is_root = least == arrival;
            path.pop_back();
            if (is_root) {
                parts.first.push_back(static_cast<Place>(parts.order.size()));
                Place member;
                do {
                    member = stack.back();
                    stack.pop_back();
                    low[index(member)] = taken;
                    parts.order.push_back(member);
                } while (member != finished);
            }
            if (!path.empty()) {
                Place& parent = low[index(path.back().state)];
                parent = std::min(parent, least);
            }
        }
    }
    parts.first.push_back(static_cast<Place>(parts.order.size()));
    return parts;
}

Whole looping(const Process& process) {
    const Components parts = components(process, {});
    Whole total = 0;
    for (Whole part = 0; part < parts.count(); ++part) {
        const Whole first = parts.first[index(part)], last = parts.first[index(part + 1)];
        for (Whole at = first; last - first > 1 && at < last; ++at) {
            const Whole state = parts.order[index(at)];
            total += process.first_target[index(process.first_move[index(state + 1)])] -
                     process.first_target[index(process.first_move[index(state)])];
        }
    }
    return total;
}

std::vector<Whole> depths(const Process& process) {
    const Components parts = components(process, {});
    std::vector<Whole> depth(index(process.size()), 0);
    for (Whole part = 0; part < parts.count(); ++part) {
        const auto first = parts.order.begin() + parts.first[index(part)];
        const auto last = parts.order.begin() + parts.first[index(part + 1)];
        Whole deepest = 0;
        for (auto at = first; at < last; ++at) {
            for (Whole m = process.first_move[index(*at)]; m < process.first_move[index(*at + 1)]; ++m) {
                process.each_target(m, [&](Whole seen, Whole) {
                    deepest = std::max(deepest, depth[index(seen)]);
                });
            }
        }
        std::for_each(first, last, [&](Whole state) { depth[index(state)] = deepest + 1; });
    }
    return depth;
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
        before.each(reached, [&](Whole state, Whole move, bool) {
            if (!spoilt[index(move)]) {
                spoilt[index(move)] = 1;
                const bool lost = --good[index(state)] == 0 || process.owners[index(state)] != -1;
                if (lost && !out[index(state)]) {
                    out[index(state)] = 1;
                    waiting.push_back(state);
                }
            }
        });
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

Digits::Digits(const Process& process, const std::vector<Whole>& chosen, Progress progress)
    : process_(process), chosen_(chosen), progress_(std::move(progress)), residues_(index(process.size()), 0) {
    const Whole n = process_.size();
    require(chosen_.size() == index(n), "chosen: give a move a state");
    for (Whole s = 0; s < n; ++s) {
        if (process_.owners[index(s)] == ended) {
            continue;
        }
        const Whole move = chosen_[index(s)];
        require(move >= process_.first_move[index(s)] && move < process_.first_move[index(s + 1)],
                "chosen: give a move of the state");
        Whole right = process_.denominator(move) * process_.paid(move);
        process_.each_target(move, [&](Whole seen, Whole weight) {
            if (process_.owners[index(seen)] == ended) {
                right += weight * process_.payoffs[index(seen)];
            }
        });
        residues_[index(s)] = right;
    }
    clock_ = std::make_unique<Clock>(progress_);
    factors_ = std::make_unique<Factors<Modular>>(process_, chosen_, *clock_);
}

Digits::~Digits() = default;

void Digits::lift(Whole count) {
    require(count > 0 && count <= most_digits, "count: give 1 to 2^23");
    const Whole n = process_.size();
    std::vector<std::uint64_t> right(index(n));
    while (digits_.size() < index(count)) {
        clock_->step();
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
    require(spread > 0 && spread < static_cast<Whole>(below), "spread: give 1 to 65520");
    lift(count);
    std::vector<std::uint64_t> number(index(count + 1), 0);
    for (Whole k = count; k-- > 0;) {  // number = number * prime + sum of digits
        clock_->look();
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

Wide Digits::times(const std::vector<std::uint64_t>& factor, Whole count, Whole limbs) {
    constexpr std::size_t few = 256;  // steps between two looks at the clock
    const auto places = index(count), words = index(limbs);
    require(limbs >= count && limbs <= most_digits, "limbs: give the count at least, 2^23 at most");
    lift(count);
    Wide products(index(process_.size()) * words, 0);
    std::vector<std::uint64_t> product(places);
    for (std::size_t s = 0; s < process_.owners.size(); ++s) {
        if (process_.owners[s] == ended) {
            continue;
        }
        unsigned __int128 carry = 0;
        for (std::size_t j = 0; j < places; ++j) {
            if (j % few == 0) {
                clock_->look();
            }
            unsigned __int128 sum = carry;
            carry = 0;  // a product is high (prime + 1) + low
            for (std::size_t i = j < factor.size() ? 0 : j + 1 - factor.size(); i <= j; ++i) {
                const auto term = static_cast<unsigned __int128>(digits_[i][s]) * factor[j - i];
                const auto high = static_cast<std::uint64_t>(term >> 61);
                carry += high;
                sum += high + (static_cast<std::uint64_t>(term) & prime);
            }
            while (sum >> 61) {
                carry += sum >> 61;
                sum = (sum >> 61) + (sum & prime);
            }
            product[j] = static_cast<std::uint64_t>(sum);
            if (product[j] == prime) {
                product[j] = 0;
                ++carry;
            }
        }
        std::uint64_t* const number = &products[s * words];
        if (product.back() > prime / 2) {  // a negative number
            std::fill(number, number + words, ~std::uint64_t{0});
            number[0] = product.back() - prime;
        } else {
            number[0] = product.back();
        }
        for (std::size_t k = places - 1; k-- > 0;) {  // number = number * prime + digit
            if (k % few == 0) {
                clock_->look();
            }
            unsigned __int128 above = product[k];
            for (std::size_t word = 0; word < words; ++word) {
                above += static_cast<unsigned __int128>(number[word]) * prime;
                number[word] = static_cast<std::uint64_t>(above);
                above >>= 64;
            }
        }
    }
    return products;
}

}  // namespace exactdice::process
