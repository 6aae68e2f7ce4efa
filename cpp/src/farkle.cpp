#include "exactdice/farkle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <unordered_map>

namespace exactdice::farkle {
namespace {

constexpr int kinds = 7;  // six faces and the joker
using Counts = std::array<std::int8_t, kinds>;

int total(const Counts& counts) { return std::accumulate(counts.begin(), counts.end(), 0); }

// The best score of every multiset in which each die scores.
std::map<Counts, int> selection_scores(const Rules& rules, int jokers) {
    std::map<Counts, int> patterns;
    for (const Combination& combination : rules.combinations) {
        const std::size_t size = combination.faces.size();
        for (unsigned replaced = 0; replaced < 1U << size; ++replaced) {
            const bool is_all = replaced + 1 == 1U << size;
            if ((replaced != 0 && is_all) || __builtin_popcount(replaced) > jokers) {
                continue;  // some natural face is needed
            }
            Counts counts{};
            for (std::size_t i = 0; i < size; ++i) {
                const int kind = (replaced >> i & 1U) != 0 ? 6 : combination.faces[i] - 1;
                ++counts[static_cast<std::size_t>(kind)];
            }
            int& score = patterns[counts];
            score = std::max(score, combination.score);
        }
    }
    // By size: what is added last leaves a smaller selection, whose score is final.
    std::vector<std::map<Counts, int>> by_size(static_cast<std::size_t>(rules.most_dice) + 1);
    by_size[0][Counts{}] = 0;
    std::map<Counts, int> best;
    for (std::size_t size = 0; size < by_size.size(); ++size) {
        for (const auto& [selection, score] : by_size[size]) {
            if (size > 0) {
                best[selection] = score;
            }
            for (const auto& [pattern, gain] : patterns) {
                const std::size_t larger = size + static_cast<std::size_t>(total(pattern));
                Counts joined = selection;
                for (std::size_t kind = 0; kind < kinds; ++kind) {
                    joined[kind] = static_cast<std::int8_t>(joined[kind] + pattern[kind]);
                }
                if (larger < by_size.size() && joined[6] <= jokers) {
                    int& known = by_size[larger][joined];
                    known = std::max(known, score + gain);
                }
            }
        }
    }
    return best;
}

// A multiset of rolled faces: what may be kept of it, which faces matter, and where one more face
// leads.
struct Roll {
    Counts counts{};
    std::vector<std::pair<Counts, int>> selections;
    std::array<bool, kinds> live{};
    std::array<int, kinds> next{};
};

std::vector<Roll> list_rolls(int dice, const std::map<Counts, int>& scores) {
    std::vector<Roll> rolls(1);
    std::map<Counts, int> known{{Counts{}, 0}};
    for (std::size_t i = 0; i < rolls.size(); ++i) {
        rolls[i].next.fill(-1);
        const Counts counts = rolls[i].counts;
        for (const auto& [selection, score] : scores) {
            bool fits = true;
            for (std::size_t kind = 0; kind < kinds; ++kind) {
                fits = fits && selection[kind] <= counts[kind];
            }
            if (fits) {
                rolls[i].selections.emplace_back(selection, score);
                for (std::size_t kind = 0; kind < kinds; ++kind) {
                    rolls[i].live[kind] = rolls[i].live[kind] || selection[kind] > 0;
                }
            }
        }
        if (total(counts) < dice) {
            for (std::size_t kind = 0; kind < kinds; ++kind) {
                Counts more = counts;
                ++more[kind];
                const auto [at, is_new] = known.try_emplace(more, static_cast<int>(rolls.size()));
                rolls[i].next[kind] = at->second;
                if (is_new) {
                    Roll roll;
                    roll.counts = more;
                    rolls.push_back(roll);
                }
            }
        }
    }
    return rolls;
}

// An option packed: units scored, and the mask of the dice left.
using Option = std::uint32_t;
constexpr unsigned mask_bits = 7;

struct MenuHash {
    std::size_t operator()(const std::vector<Option>& menu) const {
        std::uint64_t hash = menu.size();
        for (Option option : menu) {
            hash = (hash ^ option) * 0x9e3779b97f4a7c15ULL;
            hash ^= hash >> 29;
        }
        return hash;
    }
};

template <class Scalar>
struct SetMenus {
    std::vector<Scalar> chances;
    std::vector<std::uint32_t> first;  // of each menu, and one past the last
    std::vector<Option> options;
};

template <class Scalar>
class MenuFinder {
   public:
    MenuFinder(const std::vector<Die<Scalar>>& dice, const std::vector<Roll>& rolls, int unit)
        : dice_(dice), rolls_(rolls), unit_(unit) {
        chance_.resize(std::size_t{1} << (3 * dice.size()), Scalar(0.0));
        seen_.resize(chance_.size(), -1);
    }

    SetMenus<Scalar> menus_of(unsigned mask) {
        places_.clear();
        for (std::size_t i = 0; i < dice_.size(); ++i) {
            if ((mask >> i & 1U) != 0) {
                places_.push_back(i);
            }
        }
        keys_.clear();
        enumerate(0, 0, Scalar(1.0));
        SetMenus<Scalar> found;
        std::unordered_map<std::vector<Option>, std::size_t, MenuHash> known;
        found.first.push_back(0);
        for (std::size_t key : keys_) {
            options_.clear();
            const Roll& roll = rolls_[static_cast<std::size_t>(seen_[key])];
            for (const auto& [selection, score] : roll.selections) {
                keep(key, selection, 0, mask, static_cast<Option>(score / unit_));
            }
            seen_[key] = -1;
            const Scalar chance = chance_[key];
            chance_[key] = Scalar(0.0);
            if (options_.empty()) {
                continue;  // a bust is worth 0 once the penalty is added
            }
            std::sort(options_.begin(), options_.end());
            options_.erase(std::unique(options_.begin(), options_.end()), options_.end());
            const auto [at, is_new] = known.try_emplace(options_, found.chances.size());
            if (is_new) {
                found.chances.push_back(chance);
                found.options.insert(found.options.end(), options_.begin(), options_.end());
                found.first.push_back(static_cast<std::uint32_t>(found.options.size()));
            } else {
                found.chances[at->second] += chance;
            }
        }
        return found;
    }

   private:
    // Every roll of the dice in places_; its key holds what each die shows, 0 where that does not
    // score in any selection.
    void enumerate(std::size_t place, int roll, const Scalar& chance) {
        if (place == places_.size()) {
            const Roll& rolled = rolls_[static_cast<std::size_t>(roll)];
            std::size_t key = 0;
            for (std::size_t i = 0; i < place; ++i) {
                const std::size_t kind = static_cast<std::size_t>(shown_[i]);
                key |= (rolled.live[kind] ? kind + 1 : 0) << (3 * places_[i]);
            }
            if (seen_[key] < 0) {
                seen_[key] = roll;
                keys_.push_back(key);
            }
            chance_[key] += chance;
            return;
        }
        const Die<Scalar>& die = dice_[places_[place]];
        for (int side = 0; side < 6; ++side) {
            const Scalar& side_chance = die.chances[static_cast<std::size_t>(side)];
            if (upper(side_chance) > 0) {
                const int kind = side == 0 && die.joker ? 6 : side;
                shown_[place] = kind;
                enumerate(place + 1,
                          rolls_[static_cast<std::size_t>(roll)].next[static_cast<std::size_t>(kind)],
                          chance * side_chance);
            }
        }
    }

    // Choose the dice that make up a selection, kind by kind, and note what is left.
    void keep(std::size_t key, const Counts& selection, std::size_t kind, unsigned left,
              Option units) {
        while (kind < kinds && selection[kind] == 0) {
            ++kind;
        }
        if (kind == kinds) {
            options_.push_back(units << mask_bits | left);
            return;
        }
        choose(key, selection, kind, 0, selection[kind], left, units);
    }

    void choose(std::size_t key, const Counts& selection, std::size_t kind, std::size_t from,
                int wanted, unsigned left, Option units) {
        if (wanted == 0) {
            keep(key, selection, kind + 1, left, units);
            return;
        }
        for (std::size_t i = from; i < places_.size(); ++i) {
            const std::size_t place = places_[i];
            if ((key >> (3 * place) & 7U) == kind + 1) {
                choose(key, selection, kind, i + 1, wanted - 1, left & ~(1U << place), units);
            }
        }
    }

    const std::vector<Die<Scalar>>& dice_;
    const std::vector<Roll>& rolls_;
    int unit_;
    std::vector<std::size_t> places_, keys_;
    std::array<int, 8> shown_{};
    std::vector<Scalar> chance_;
    std::vector<int> seen_;
    std::vector<Option> options_;
};

template <class Scalar>
int check(const std::vector<Die<Scalar>>& dice, const Rules& rules) {
    const auto whole = [](int number, int least, int most, const char* name) {
        if (number < least || number > most) {
            throw BadInput(std::string(name) + ": give a whole number from " +
                           std::to_string(least) + " to " + std::to_string(most));
        }
    };
    whole(rules.most_dice, 1, 7, "dice");
    whole(static_cast<int>(std::min<std::size_t>(dice.size(), 1000)), 1, rules.most_dice, "dice");
    if (rules.combinations.empty()) {
        throw BadInput("combinations: give at least one");
    }
    int unit = 0;
    for (const Combination& combination : rules.combinations) {
        whole(static_cast<int>(std::min<std::size_t>(combination.faces.size(), 1000)), 1, 7,
              "combination");
        for (int face : combination.faces) {
            whole(face, 1, 6, "face");
        }
        whole(combination.score, 1, 1'000'000, "score");
        unit = std::gcd(unit, combination.score);
    }
    whole(rules.target, 1, 100'000'000, "target");
    whole(rules.minimum_bank, 0, rules.target, "minimum_bank");
    whole(rules.penalty, 0, 100'000'000, "penalty");
    for (const int points : {rules.target, rules.minimum_bank, rules.penalty}) {
        if (points % unit != 0) {
            throw BadInput("points: give multiples of " + std::to_string(unit));
        }
    }
    for (const Die<Scalar>& die : dice) {
        double sum = 0;
        for (const Scalar& chance : die.chances) {
            if (!(lower(chance) >= 0) || !(upper(chance) <= 1 + 1e-9)) {
                throw BadInput("die: give probabilities from 0 to 1");
            }
            sum += upper(chance);
        }
        if (!(std::abs(sum - 1) <= 1e-9)) {
            throw BadInput("die: give probabilities that sum to 1");
        }
    }
    return unit;
}

// What may be done with points and dice left, at every level: a bound from above, and for Interval
// also one from below, negated.
template <class Scalar>
struct Planes {
    static constexpr std::size_t count = sizeof(Scalar) / sizeof(double);
    std::array<std::vector<double>, count> ends;
    void set(std::size_t index, double x) { ends[0][index] = x; }
    void set(std::size_t index, const Interval& x) {
        ends[0][index] = x.hi;
        ends[1][index] = x.neglo;
    }
};

double sum_menus(const SetMenus<double>& menus, const std::vector<std::uint32_t>& offsets,
                 const Planes<double>& worths, std::size_t level) {
    const double* const worth = worths.ends[0].data() + level;
    double sum = 0;
    for (std::size_t m = 0; m < menus.chances.size(); ++m) {
        double best = worth[offsets[menus.first[m]]];
        for (std::uint32_t i = menus.first[m] + 1; i < menus.first[m + 1]; ++i) {
            best = std::max(best, worth[offsets[i]]);
        }
        sum += menus.chances[m] * best;
    }
    return sum;
}

Interval sum_menus(const SetMenus<Interval>& menus, const std::vector<std::uint32_t>& offsets,
                   const Planes<Interval>& worths, std::size_t level) {
    const double* const above = worths.ends[0].data() + level;
    const double* const below = worths.ends[1].data() + level;
    double hi = 0, neglo = 0;
    for (std::size_t m = 0; m < menus.chances.size(); ++m) {
        double best = above[offsets[menus.first[m]]], least = below[offsets[menus.first[m]]];
        for (std::uint32_t i = menus.first[m] + 1; i < menus.first[m + 1]; ++i) {
            best = std::max(best, above[offsets[i]]);
            least = std::min(least, below[offsets[i]]);
        }
        // Worths are not negative here: nor are best and −least.
        hi += menus.chances[m].hi * best;
        neglo += -menus.chances[m].neglo * least;
    }
    return from_ends(neglo, hi);
}

}  // namespace

// A roll multiplies at most 7 chances and adds at most 6^7 of them to a menu's, then sums over at
// most as many menus; every level takes that once.
double relative_bound(int dice, int levels) {
    const double unit = std::numeric_limits<double>::epsilon() / 2;
    return 1.01 * levels * (2 * std::pow(6.0, dice) + 2 * dice + 4) * unit;
}

template <class Scalar>
Solution<Scalar> solve(const std::vector<Die<Scalar>>& dice, const Rules& rules,
                       const Progress& progress) {
    const int unit = check(dice, rules);
    const Rounding<Scalar> rounding;
    static_cast<void>(rounding);
    int jokers = 0;
    for (const Die<Scalar>& die : dice) {
        jokers += die.joker;
    }
    const std::map<Counts, int> scores = selection_scores(rules, jokers);
    int highest = 0;
    for (const auto& [selection, score] : scores) {
        highest = std::max(highest, score);
    }
    const std::size_t levels = static_cast<std::size_t>(rules.target / unit);
    const std::size_t stride = levels + static_cast<std::size_t>(highest / unit) + 1;
    const std::size_t sets = std::size_t{1} << dice.size();
    require_memory(static_cast<double>(stride) * static_cast<double>(sets) * 4 * sizeof(Scalar),
                   4e9);

    const std::vector<Roll> rolls = list_rolls(static_cast<int>(dice.size()), scores);
    MenuFinder<Scalar> finder(dice, rolls, unit);
    std::vector<SetMenus<Scalar>> menus(1);
    std::vector<std::vector<std::uint32_t>> offsets(1);
    Solution<Scalar> solution;
    Clock clock(progress);
    for (unsigned mask = 1; mask < sets; ++mask) {
        menus.push_back(finder.menus_of(mask));
        offsets.emplace_back();
        for (Option option : menus.back().options) {
            const std::size_t left = option & ((1U << mask_bits) - 1);
            offsets.back().push_back(
                static_cast<std::uint32_t>(left * stride + (option >> mask_bits)));
        }
        solution.menus += static_cast<std::int64_t>(menus.back().chances.size());
        solution.options += static_cast<std::int64_t>(menus.back().options.size());
        clock.tick(0.5 * mask / static_cast<double>(sets));
    }

    const double penalty = rules.penalty;
    const auto banked = [&](std::size_t level) {
        const double points = static_cast<double>(level) * unit;
        return rules.caps_overshoot ? std::min<double>(points, rules.target) : points;
    };
    const auto may_bank = [&](std::size_t level) {
        return static_cast<double>(level) * unit >= rules.minimum_bank;
    };
    // worths[left][level]: the better of banking and rolling on, raised by the penalty.
    Planes<Scalar> worths;
    for (auto& plane : worths.ends) {
        plane.assign(sets * stride, 0);
    }
    for (std::size_t left = 0; left < sets; ++left) {
        for (std::size_t level = levels; level < stride; ++level) {
            worths.set(left * stride + level, Scalar(banked(level) + penalty));
        }
    }
    solution.unit = unit;
    solution.levels = static_cast<int>(levels);
    solution.sets = static_cast<int>(sets);
    solution.worth.assign(sets * levels, Scalar(0.0));
    solution.roll.assign(sets * levels, 0);
    for (std::size_t level = levels; level-- > 0;) {
        for (std::size_t mask = 1; mask < sets; ++mask) {
            const Scalar rolled = sum_menus(menus[mask], offsets[mask], worths, level);
            const std::size_t index = mask * levels + level;
            solution.worth[index] = rolled - Scalar(penalty);
            const Scalar bank(banked(level) + penalty);
            const bool is_better = lower(rolled) > upper(bank);
            const bool is_worse = upper(rolled) <= lower(bank);
            solution.roll[index] = is_better || !may_bank(level) ? 1 : is_worse ? 0 : -1;
            worths.set(mask * stride + level,
                       may_bank(level) ? greater_of(rolled, bank) : rolled);
        }
        // No dice left: all of them again, or the turn must be banked, or is worth nothing.
        Scalar after = may_bank(level) ? Scalar(banked(level) + penalty) : Scalar(penalty);
        if (rules.hot_dice) {
            const Scalar again = solution.worth[(sets - 1) * levels + level] + Scalar(penalty);
            after = may_bank(level) ? greater_of(again, after) : again;
        }
        worths.set(level, after);
        clock.tick(0.5 + 0.5 * static_cast<double>(levels - level) / static_cast<double>(levels));
    }
    solution.value = solution.at(0, static_cast<int>(sets) - 1);
    return solution;
}

template Solution<double> solve(const std::vector<Die<double>>&, const Rules&, const Progress&);
template Solution<Interval> solve(const std::vector<Die<Interval>>&, const Rules&,
                                  const Progress&);

}  // namespace exactdice::farkle
