// Regret matching over sequence forms. Each pass runs through memory in order, which is what it costs.
#include "exactdice/regrets.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "clones.hpp"
#include "exactdice/work.hpp"

namespace exactdice::regrets {
namespace {

constexpr std::size_t index(Place number) { return static_cast<std::size_t>(number); }

// The payoffs of each sequence in their order, and where each begins.
struct Listed {
    std::vector<std::size_t> begin;
    std::vector<std::pair<Place, double>> payoffs;  // the other's sequence, and what is paid
    auto of(std::size_t sequence) const {
        return std::span(payoffs).subspan(begin[sequence], begin[sequence + 1] - begin[sequence]);
    }
};

Listed listed(const std::vector<Place>& sequences, const std::vector<Place>& others,
              const std::vector<double>& payoffs, std::size_t size) {
    Listed made{std::vector<std::size_t>(size + 1), {}};
    for (const Place sequence : sequences) {
        ++made.begin[index(sequence) + 1];
    }
    std::partial_sum(made.begin.begin(), made.begin.end(), made.begin.begin());
    std::vector<std::size_t> next(made.begin);
    made.payoffs.resize(payoffs.size());
    for (std::size_t k = 0; k < payoffs.size(); ++k) {
        made.payoffs[next[index(sequences[k])]++] = {others[k], payoffs[k]};
    }
    return made;
}

Payoffs shared(const Listed& payoffs, const std::vector<Run>& runs) {
    Payoffs made{{0}, {0}, {}, {0}, {}, {}};
    for (const Run& run : runs) {
        std::vector<std::size_t> left;  // sequences that pay and have no line yet
        for (std::size_t k = index(run.begin); k < index(run.begin + run.sets * run.width); ++k) {
            if (!payoffs.of(k).empty()) {
                left.push_back(k);
            }
        }
        while (!left.empty()) {
            const auto line = payoffs.of(left.front());
            const auto others = std::stable_partition(left.begin(), left.end(), [&](std::size_t k) {
                return std::ranges::equal(line, payoffs.of(k));
            });
            std::for_each(left.begin(), others,
                          [&](std::size_t k) { made.sequences.push_back(static_cast<Place>(k)); });
            for (const auto& [at, value] : line) {
                made.at.push_back(at);
                made.values.push_back(value);
            }
            made.shared.push_back(made.sequences.size());
            made.begin.push_back(made.at.size());
            left.erase(left.begin(), others);
        }
        made.lines.push_back(made.begin.size() - 1);
    }
    return made;
}

// The inner loops, over the sets of a run.

EXACTDICE_CLONES void put(std::size_t sets, double weight, const double* __restrict share,
                          const double* __restrict wanted, double* __restrict plan,
                          double* __restrict mean) {
    for (std::size_t set = 0; set < sets; ++set) {
        plan[set] = share[set] * wanted[set];
        mean[set] += weight * plan[set];
    }
}

EXACTDICE_CLONES void add_products(std::size_t sets, const double* __restrict wanted,
                                   const double* __restrict gains, double* __restrict value) {
    for (std::size_t set = 0; set < sets; ++set) {
        value[set] += wanted[set] * gains[set];
    }
}

EXACTDICE_CLONES void regret(std::size_t sets, const double* __restrict value,
                             double* __restrict gains, double* __restrict regrets,
                             double* __restrict wanted, double* __restrict total) {
    for (std::size_t set = 0; set < sets; ++set) {
        const double forecast = gains[set] - value[set];
        regrets[set] = std::max(regrets[set] + forecast, 0.0);
        wanted[set] = std::max(regrets[set] + forecast, 0.0);
        total[set] += wanted[set];
        gains[set] = 0;
    }
}

}  // namespace

void Side::check() const {
    if (first.size() != parent.size() + 1 || first.front() != 1) {
        throw BadInput("first: give the first sequence of each set, from 1 on, and their number");
    }
    for (std::size_t set = 0; set < parent.size(); ++set) {
        if (first[set + 1] <= first[set] || parent[set] < 0 || parent[set] >= first[set]) {
            throw BadInput("parent: give sets with actions, each behind its parent");
        }
    }
}

Player::Player(const Side& side)
    : runs_{Run{1, 1, 0, 0, 0, 0, 0}}, at_(side.sequences(), 0), run_{0}, totals_{1}, values_{0} {
    const std::size_t sets = side.parent.size();
    const auto width = [&](std::size_t set) { return side.first[set + 1] - side.first[set]; };
    Place next = 1;
    for (std::size_t set = 0; set < sets;) {
        const Place parent = at_[index(side.parent[set])];
        Run run{0, width(set), next, parent, 0, run_[index(parent)], totals_.size()};
        const std::size_t from = set;
        for (; set < sets && width(set) == run.width && side.parent[set] < side.first[from]; ++set) {
            const Place ahead = at_[index(side.parent[set])] - run.parent;
            if (run_[index(run.parent + ahead)] != run.before || ahead < 0 || ahead > run.sets ||
                ahead != (run.sets == 1 ? ahead : run.sets * run.step)) {
                break;
            }
            run.step = run.sets == 1 ? ahead : run.step;
            ++run.sets;
        }
        for (Place k = 0; k < run.sets * run.width; ++k) {
            const Place place = k / run.width, action = k % run.width;
            at_[index(side.first[from] + k)] = run.width == 1 ? run.parent + place * run.step
                                                              : next + action * run.sets + place;
        }
        if (run.width > 1) {
            next += run.sets * run.width;
            run_.resize(index(next), static_cast<Place>(runs_.size()));
            totals_.resize(totals_.size() + index(run.sets), run.width);
            values_.resize(std::max(values_.size(), index(run.sets)));
            runs_.push_back(run);
        }
    }
    for (auto* numbers : {&regrets_, &mean_, &gains_}) {
        numbers->resize(index(next));
    }
    wanted_.assign(index(next), 1);
    plan_.assign(index(next), 1);
}

void Player::mix(double weight) {
    mean_[0] += weight;
    for (std::size_t number = 1; number < runs_.size(); ++number) {
        Run& run = runs_[number];
        const bool was_planned = std::exchange(run.is_planned, runs_[index(run.before)].is_planned);
        if (!was_planned && !run.is_planned) {
            continue;
        }
        const std::size_t sets = index(run.sets), begin = index(run.begin);
        const std::size_t end = begin + sets * index(run.width);
        double *share = values_.data(), most = 0;
        for (std::size_t set = 0; set < sets; ++set) {
            share[set] = plan_[index(run.parent) + set * index(run.step)] / totals_[run.totals + set];
            most = std::max(most, share[set]);
        }
        run.is_planned = most > 0;
        for (std::size_t k = begin; k < end; k += sets) {
            if (most > 0) {
                put(sets, weight, share, &wanted_[k], &plan_[k], &mean_[k]);
            } else {
                std::fill_n(&plan_[k], sets, 0.0);
            }
        }
    }
}

void Player::learn() {
    for (auto run = runs_.rbegin(); run + 1 != runs_.rend(); ++run) {
        if (!run->is_reached && !run->was_reached) {
            continue;
        }
        const std::size_t sets = index(run->sets), begin = index(run->begin);
        const std::size_t end = begin + sets * index(run->width);
        double *value = values_.data(), *total = &totals_[run->totals];
        std::fill_n(value, sets, 0.0);
        for (std::size_t k = begin; k < end; k += sets) {
            add_products(sets, &wanted_[k], &gains_[k], value);
        }
        for (std::size_t set = 0; set < sets; ++set) {
            value[set] /= total[set];
            gains_[index(run->parent) + set * index(run->step)] += value[set];
            total[set] = 0;
        }
        for (std::size_t k = begin; k < end; k += sets) {
            regret(sets, value, &gains_[k], &regrets_[k], &wanted_[k], total);
        }
        for (std::size_t set = 0; set < sets; ++set) {
            for (std::size_t k = begin + set; total[set] == 0 && k < end; k += sets) {
                wanted_[k] = 1;
            }
            total[set] = total[set] > 0 ? total[set] : run->width;
        }
        runs_[index(run->before)].is_reached |= run->is_reached;
        run->was_reached = std::exchange(run->is_reached, false);
    }
    gains_[0] = 0;
}

std::vector<double> Player::mean() const {
    std::vector<double> mean;
    mean.reserve(at_.size());
    for (const Place place : at_) {
        mean.push_back(mean_[index(place)]);
    }
    return mean;
}

void Payoffs::add(const Player& planned, double sign, Player& other) const {
    const std::vector<Run>& runs = planned.runs();
    for (std::size_t run = 0; run < runs.size(); ++run) {
        for (std::size_t line = lines[run]; runs[run].is_planned && line < lines[run + 1]; ++line) {
            double weight = 0;
            for (std::size_t k = shared[line]; k < shared[line + 1]; ++k) {
                weight += planned.plan()[index(sequences[k])];
            }
            for (std::size_t k = begin[line]; weight > 0 && k < begin[line + 1]; ++k) {
                other.gain(at[k], sign * weight * values[k]);
            }
        }
    }
}

Match::Match(const Side& one, const Side& two, const std::vector<Place>& rows,
             const std::vector<Place>& columns, const std::vector<double>& payoffs) {
    const Side* sides[] = {&one, &two};
    const std::vector<Place>* numbers[] = {&rows, &columns};
    std::vector<Place> places[2];
    for (std::size_t player = 0; player < 2; ++player) {
        const Side& side = *sides[player];
        side.check();
        if (numbers[player]->size() != payoffs.size()) {
            throw BadInput("rows: give two sequences of each payoff");
        }
        players_.emplace_back(side);
        const std::vector<Place>& at = players_.back().at();
        places[player].reserve(payoffs.size());
        for (const Place number : *numbers[player]) {
            if (number < 0 || number >= side.first.back()) {
                throw BadInput("rows: give sequences that there are");
            }
            places[player].push_back(at[index(number)]);
        }
    }
    for (std::size_t player = 0; player < 2; ++player) {
        const Player& by = players_[player];
        of_[player] = shared(
            listed(places[player], places[1 - player], payoffs, by.plan().size()), by.runs());
        players_[player].mix(0);
    }
}

void Match::turn(std::size_t player, double weight) {
    of_[1 - player].add(players_[1 - player], player == 0 ? 1 : -1, players_[player]);
    players_[player].learn();
    players_[player].mix(weight);
}

void Match::play(Whole rounds) {
    for (const Whole last = done_ + rounds; done_ < last;) {
        ++done_;
        const double square = static_cast<double>(done_) * static_cast<double>(done_);
        turn(0, square * square);
        turn(1, square * square);
    }
}

}  // namespace exactdice::regrets
