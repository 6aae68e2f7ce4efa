#include "exactdice/farkle.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <numeric>
#include <string>
#include <type_traits>
#include <unordered_map>

#include "farkle_turn.hpp"

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
            if ((replaced != 0 && is_all) || std::popcount(replaced) > jokers) {
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

// What all sets of dice of one shape have in common.
struct Layout {
    // Where the dice left stand among all sets: one more die of a kind is so many further.
    std::vector<std::size_t> radices;
    Menus menus;
    // Of each set left the menu of every roll, from 1, 0 for a bust. Rolls are in the order of the
    // faces that the dice show, the first kind's first; equal dice show faces that do not fall.
    std::vector<std::vector<std::uint32_t>> menu_of_roll;
    TurnPlan plan;
};

// How many dice of each kind there are, and whether they have jokers.
using Shape = std::vector<std::pair<std::size_t, bool>>;

// How many dice of each kind a set holds.
std::vector<std::size_t> left_of(std::size_t set, const Shape& shape) {
    std::vector<std::size_t> left;
    for (const auto& [count, joker] : shape) {
        left.push_back(set % (count + 1));
        set /= count + 1;
    }
    return left;
}

// An option packed: units scored, and the number of the set of dice left.
using Option = std::uint32_t;
constexpr unsigned set_bits = 7;

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

class MenuFinder {
   public:
    MenuFinder(const Shape& shape, const std::vector<Roll>& rolls, int unit, bool hot_dice)
        : shape_(shape), rolls_(rolls), unit_(unit), hot_dice_(hot_dice) {
        for (const auto& [count, joker] : shape) {
            radices_.push_back(sets_);
            sets_ *= count + 1;
            dice_ += count;
        }
        known_.assign(std::size_t{1} << (3 * dice_), -1);
        menus_.first_menu = {0, 0};
        menus_.first_option = {0};
        menu_of_roll_.resize(sets_);
    }

    Layout find(std::size_t longest, Clock& clock) {
        for (std::size_t set = 1; set < sets_; ++set) {
            find_menus(set);
            clock.tick(0.5 * static_cast<double>(set) / static_cast<double>(sets_));
        }
        TurnPlan plan(menus_, longest);
        return {radices_, std::move(menus_), std::move(menu_of_roll_), std::move(plan)};
    }

   private:
    void find_menus(std::size_t set) {
        set_ = set;
        left_ = left_of(set, shape_);
        same_.clear();
        enumerate(0, 0, 0, 0);
        for (const std::size_t key : keys_) {
            known_[key] = -1;
        }
        keys_.clear();
        menus_.first_menu.push_back(static_cast<std::uint32_t>(menus_.first_option.size() - 1));
    }

    // Every roll of the dice left, from some kind on, of which some dice have shown faces already.
    void enumerate(std::size_t kind, std::size_t rolled, int least, int roll) {
        while (kind < left_.size() && rolled == left_[kind]) {
            ++kind;
            rolled = 0;
            least = 0;
        }
        if (kind == left_.size()) {
            menu_of_roll_[set_].push_back(menu_of(roll));
            return;
        }
        for (int side = least; side < 6; ++side) {
            const int face = side == 0 && shape_[kind].second ? kinds - 1 : side;
            shown_.emplace_back(kind, face);
            enumerate(kind, rolled + 1, side,
                      rolls_[static_cast<std::size_t>(roll)].next[static_cast<std::size_t>(face)]);
            shown_.pop_back();
        }
    }

    // Rolls that differ in dice alone of which none scores have the same menu.
    std::uint32_t menu_of(int roll) {
        const Roll& rolled = rolls_[static_cast<std::size_t>(roll)];
        std::size_t key = 0, digit = 0, kind = 0, first = 0;
        for (const auto& [of_kind, face] : shown_) {
            if (of_kind != kind) {
                for (; kind < of_kind; ++kind) {
                    first += left_[kind];
                }
                digit = first;
            }
            const auto slot = static_cast<std::size_t>(face);
            if (rolled.live[slot]) {
                key |= (slot + 1) << (3 * digit++);
            }
        }
        if (known_[key] < 0) {
            known_[key] = static_cast<std::int64_t>(new_menu(rolled));
            keys_.push_back(key);
        }
        return static_cast<std::uint32_t>(known_[key]);
    }

    std::uint32_t new_menu(const Roll& rolled) {
        for (auto& by_kind : showing_) {
            by_kind.clear();
        }
        for (const auto& [kind, face] : shown_) {
            auto& by_kind = showing_[static_cast<std::size_t>(face)];
            if (by_kind.empty() || by_kind.back().first != kind) {
                by_kind.emplace_back(kind, 0);
            }
            ++by_kind.back().second;
        }
        options_.clear();
        for (const auto& [selection, score] : rolled.selections) {
            keep(selection, 0, 0, selection[0], set_, static_cast<Option>(score / unit_));
        }
        if (options_.empty()) {
            return 0;
        }
        std::sort(options_.begin(), options_.end());
        options_.erase(std::unique(options_.begin(), options_.end()), options_.end());
        const std::size_t of_set = menus_.first_option.size() - menus_.first_menu.back();
        const auto [found, is_new] =
            same_.try_emplace(options_, static_cast<std::uint32_t>(of_set));
        if (is_new) {
            for (const Option option : options_) {
                const std::uint32_t left = option & ((1U << set_bits) - 1);
                const bool is_again = left == 0 && hot_dice_;
                menus_.units.push_back(option >> set_bits);
                menus_.next.push_back(is_again ? static_cast<std::uint32_t>(sets_ - 1) : left);
            }
            menus_.first_option.push_back(static_cast<std::uint32_t>(menus_.units.size()));
        }
        return found->second;
    }

    // Choose the dice that make up a selection, face by face and kind by kind, and note what is left.
    void keep(const Counts& selection, std::size_t face, std::size_t place, int wanted,
              std::size_t left, Option units) {
        while (wanted == 0) {
            if (++face == kinds) {
                options_.push_back(units << set_bits | static_cast<Option>(left));
                return;
            }
            wanted = selection[face];
            place = 0;
        }
        if (place == showing_[face].size()) {
            return;
        }
        const auto [kind, count] = showing_[face][place];
        for (int taken = 0; taken <= std::min(wanted, count); ++taken) {
            keep(selection, face, place + 1, wanted - taken,
                 left - static_cast<std::size_t>(taken) * radices_[kind], units);
        }
    }

    const Shape& shape_;
    const std::vector<Roll>& rolls_;
    int unit_;
    bool hot_dice_;
    std::size_t sets_ = 1, dice_ = 0, set_ = 0;
    std::vector<std::size_t> radices_, left_, keys_;
    std::vector<std::pair<std::size_t, int>> shown_;  // kind and face of each die
    std::array<std::vector<std::pair<std::size_t, int>>, kinds> showing_;  // dice by face, kind
    std::vector<std::int64_t> known_;  // menus of the set, by what dice show that score
    std::unordered_map<std::vector<Option>, std::uint32_t, MenuHash> same_;
    std::vector<Option> options_;
    Menus menus_;
    std::vector<std::vector<std::uint32_t>> menu_of_roll_;
};

// Chances of what some equal dice show, faces not falling, in the order of a Layout.
template <class Scalar>
std::vector<Scalar> chances_of(const Die<Scalar>& die, std::size_t count) {
    std::vector<Scalar> found;
    const auto go_on = [&](const auto& self, std::size_t side, std::size_t rest, double ways,
                           const Scalar& chance) -> void {
        if (rest == 0 || side == 5) {  // the others show the last face
            Scalar all = chance;
            for (std::size_t i = 0; i < rest; ++i) {
                all = all * die.chances[5];
            }
            found.push_back(all * Scalar(ways));
            return;
        }
        std::vector<Scalar> powers{chance};
        std::vector<double> choices{ways};
        for (std::size_t shown = 1; shown <= rest; ++shown) {
            powers.push_back(powers.back() * die.chances[side]);
            choices.push_back(choices.back() * static_cast<double>(rest - shown + 1) /
                              static_cast<double>(shown));  // whole numbers
        }
        for (std::size_t shown = rest + 1; shown-- > 0;) {
            self(self, side + 1, rest - shown, choices[shown], powers[shown]);
        }
    };
    go_on(go_on, 0, count, 1.0, Scalar(1.0));
    return found;
}

// Chances of the menus of every set left.
template <class Scalar>
std::vector<Scalar> chances_of(const Layout& layout, const Shape& shape,
                               const std::vector<Die<Scalar>>& kinds_of_dice) {
    std::vector<std::vector<std::vector<Scalar>>> shown(shape.size());  // by kind, by how many
    for (std::size_t kind = 0; kind < shape.size(); ++kind) {
        for (std::size_t count = 0; count <= shape[kind].first; ++count) {
            shown[kind].push_back(chances_of(kinds_of_dice[kind], count));
        }
    }
    std::vector<Scalar> found, sums;
    for (std::size_t set = 0; set + 1 < layout.menus.first_menu.size(); ++set) {
        std::vector<const std::vector<Scalar>*> factors;
        const std::vector<std::size_t> left = left_of(set, shape);
        for (std::size_t kind = 0; kind < shape.size(); ++kind) {
            if (left[kind] > 0) {
                factors.push_back(&shown[kind][left[kind]]);
            }
        }
        const std::size_t menus = layout.menus.first_menu[set + 1] - layout.menus.first_menu[set];
        sums.assign(menus + 1, Scalar(0.0));
        const std::uint32_t* menu = layout.menu_of_roll[set].data();
        const auto spread = [&](const auto& self, std::size_t kind, const Scalar& chance) -> void {
            if (kind + 1 < factors.size()) {
                for (const Scalar& next : *factors[kind]) {
                    self(self, kind + 1, chance * next);
                }
                return;
            }
            for (const Scalar& last : *factors[kind]) {
                sums[*menu++] += chance * last;
            }
        };
        if (!factors.empty()) {
            spread(spread, 0, Scalar(1.0));
        }
        found.insert(found.end(), sums.begin() + 1, sums.end());
    }
    return found;
}

void whole(int number, int least, int most, const char* name) {
    if (number < least || number > most) {
        throw BadInput(std::string(name) + ": give a whole number from " + std::to_string(least) +
                       " to " + std::to_string(most));
    }
}

// Returns the unit of points.
int check(const Rules& rules) {
    whole(rules.most_dice, 1, 7, "dice");
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
    return unit;
}

template <class Scalar>
void check(const std::vector<Die<Scalar>>& dice, const Rules& rules) {
    whole(static_cast<int>(std::min<std::size_t>(dice.size(), 1000)), 1, rules.most_dice, "dice");
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
}

}  // namespace

// A roll multiplies at most 7 chances and 7 whole numbers and adds at most 6^7 of them to a menu's, then
// sums over at most as many menus; every level takes that once.
double relative_bound(int dice, int levels) {
    const double unit = std::numeric_limits<double>::epsilon() / 2;
    return 1.01 * levels * (2 * std::pow(6.0, dice) + 3 * dice + 4) * unit;
}

// Layouts by shape, and what they are made from.
class Turns::Layouts {
   public:
    explicit Layouts(Rules rules) : rules_(std::move(rules)), unit_(check(rules_)) {}

    const Rules& rules() const { return rules_; }
    int unit() const { return unit_; }
    std::size_t levels() const { return static_cast<std::size_t>(rules_.target / unit_); }

    std::shared_ptr<const Layout> of(const Shape& shape, Clock& clock) {
        const std::lock_guard lock(finding_);
        const auto found = known_.find(shape);
        if (found != known_.end()) {
            return found->second;
        }
        if (known_.size() == most_) {
            known_.clear();
        }
        int jokers = 0, dice = 0;
        for (const auto& [count, joker] : shape) {
            dice += static_cast<int>(count);
            jokers += joker ? static_cast<int>(count) : 0;
        }
        const std::map<Counts, int> scores = selection_scores(rules_, jokers);
        int highest = 0;
        for (const auto& [selection, score] : scores) {
            highest = std::max(highest, score);
        }
        const double stride = static_cast<double>(levels()) + highest / unit_ + 1 + lanes;
        require_memory(stride * std::pow(2.0, dice) * 9 * sizeof(double), 4e9);
        const std::vector<Roll> rolls = list_rolls(dice, scores);
        MenuFinder finder(shape, rolls, unit_, rules_.hot_dice);
        return known_[shape] = std::make_shared<Layout>(finder.find(levels(), clock));
    }

   private:
    static constexpr std::size_t most_ = 64;  // some MiB each
    Rules rules_;
    int unit_;
    std::mutex finding_;
    std::map<Shape, std::shared_ptr<const Layout>> known_;
};

Turns::Turns(Rules rules) : layouts_(std::make_unique<Layouts>(std::move(rules))) {}
Turns::~Turns() = default;

template <class Scalar>
Solution<Scalar> Turns::solve(const std::vector<Die<Scalar>>& dice, const Progress& progress) {
    constexpr bool is_interval = std::is_same_v<Scalar, Interval>;
    const Rules& rules = layouts_->rules();
    check(dice, rules);
    const Rounding<Scalar> rounding;
    static_cast<void>(rounding);
    // Equal dice are of one kind; kinds of many dice first, so that few shapes are told apart.
    const auto is_same = [](const Die<Scalar>& x, const Die<Scalar>& y) {
        for (std::size_t side = 0; side < 6; ++side) {
            if (lower(x.chances[side]) != lower(y.chances[side]) ||
                upper(x.chances[side]) != upper(y.chances[side])) {
                return false;
            }
        }
        return x.joker == y.joker;
    };
    std::vector<std::vector<std::size_t>> places;  // of the dice of each kind
    for (std::size_t i = 0; i < dice.size(); ++i) {
        const auto kind = std::find_if(places.begin(), places.end(), [&](const auto& of_kind) {
            return is_same(dice[of_kind.front()], dice[i]);
        });
        kind == places.end() ? places.push_back({i}) : kind->push_back(i);
    }
    const auto key = [&](const auto& of_kind) {
        return std::make_pair(of_kind.size(), dice[of_kind.front()].joker);
    };
    std::stable_sort(places.begin(), places.end(),
                     [&](const auto& x, const auto& y) { return key(x) > key(y); });
    Shape shape;
    std::vector<Die<Scalar>> kinds_of_dice;
    for (const auto& of_kind : places) {
        shape.push_back(key(of_kind));
        kinds_of_dice.push_back(dice[of_kind.front()]);
    }
    Clock clock(progress);
    const auto layout = layouts_->of(shape, clock);
    const TurnPlan& plan = layout->plan;

    Solution<Scalar> solution;
    const std::vector<Scalar> scalars = chances_of(*layout, shape, kinds_of_dice);
    for (std::size_t menu = 0; menu < scalars.size(); ++menu) {
        if (upper(scalars[menu]) > 0) {
            ++solution.menus;
            solution.options +=
                layout->menus.first_option[menu + 1] - layout->menus.first_option[menu];
        }
    }
    const TurnChances chances(plan, std::vector<Interval>(scalars.begin(), scalars.end()),
                              std::vector<Interval>(plan.sets));

    const std::size_t levels = layouts_->levels();
    const double penalty = rules.penalty;
    const auto banked = [&](std::size_t level) {
        const double points = static_cast<double>(level) * layouts_->unit();
        return rules.caps_overshoot ? std::min<double>(points, rules.target) : points;
    };
    // Raised by the penalty; levels are counted downwards from the target.
    TurnSweep sweep(plan, chances);
    const auto least = static_cast<std::size_t>(rules.minimum_bank / layouts_->unit());
    const auto run = [&]<Side side>() {
        const double sign = side == Side::above ? 1 : -1;
        std::vector<double> past(plan.highest + 1), bank(levels + 1);
        for (std::size_t over = 0; over <= plan.highest; ++over) {
            past[over] = sign * (banked(levels + over) + penalty);
        }
        for (std::size_t needed = 1; needed <= levels; ++needed) {
            bank[needed] = sign * (banked(levels - needed) + penalty);
        }
        sweep.set_past(side, past);
        sweep.begin<side, false>(levels, {bank.data(), levels - least, 0, sign * penalty});
        const std::size_t rounds = levels + plan.deepest, many = 16 * plan.block;
        for (std::size_t round = 1; round <= rounds; round += many) {
            sweep.go_on<side, false>(round, std::min(round + many, rounds + 1));
            const double part = static_cast<double>(round) / static_cast<double>(rounds);
            clock.tick(is_interval && side == Side::below ? 0.5 + 0.5 * part : 0.5 * part);
        }
    };
    run.template operator()<Side::above>();
    if constexpr (is_interval) {
        run.template operator()<Side::below>();
    }

    const std::size_t masks = std::size_t{1} << dice.size();
    solution.unit = layouts_->unit();
    solution.levels = static_cast<int>(levels);
    solution.sets = static_cast<int>(masks);
    solution.worth.assign(masks * levels, Scalar(0.0));
    solution.roll.assign(masks * levels, 0);
    for (std::size_t mask = 1; mask < masks; ++mask) {
        std::size_t set = 0;
        for (std::size_t kind = 0; kind < places.size(); ++kind) {
            for (const std::size_t place : places[kind]) {
                set += (mask >> place & 1U) * layout->radices[kind];
            }
        }
        for (std::size_t level = 0; level < levels; ++level) {
            const std::size_t index = mask * levels + level;
            const Interval both = sweep.rolled(set, levels - level);
            Scalar rolled(both.hi);
            if constexpr (is_interval) {
                rolled = both;
            }
            solution.worth[index] = rolled - Scalar(penalty);
            const double bank = banked(level) + penalty;
            const bool is_better = lower(rolled) > bank, is_worse = upper(rolled) <= bank;
            solution.roll[index] = is_better || level < least ? 1 : is_worse ? 0 : -1;
        }
    }
    solution.value = solution.at(0, static_cast<int>(masks) - 1);
    return solution;
}

template Solution<double> Turns::solve(const std::vector<Die<double>>&, const Progress&);
template Solution<Interval> Turns::solve(const std::vector<Die<Interval>>&, const Progress&);

}  // namespace exactdice::farkle
