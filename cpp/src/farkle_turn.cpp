#include "farkle_turn.hpp"

#include <array>
#include <cstring>
#include <map>
#include <numeric>

#include "clones.hpp"
#include "farkle_rows.hpp"

namespace exactdice::farkle {
namespace {

using Bits = std::array<std::uint64_t, 4>;

constexpr std::size_t most_with_parts = 8192;  // menus of a set: looking for parts takes their square

std::size_t at(Side side) { return side == Side::above ? 1 : 0; }

// What cannot be: never better than anything.
double barred(Side side) { return side == Side::above ? -1.0 : 1.0; }

}  // namespace

TurnPlan::TurnPlan(const Menus& menus, std::size_t most)
    : sets(menus.first_menu.size() - 1), longest(most), used(sets, 0) {
    highest = *std::max_element(menus.units.begin(), menus.units.end());
    stride = highest + longest + 1 + lanes;  // lanes that are not asked for read on
    find_rounds(menus);
    first_menu = menus.first_menu;
    first_option.push_back(0);
    first_part.push_back(0);
    for (std::size_t set = 0; set < sets; ++set) {
        lay_out(menus, set);
    }
}

std::size_t TurnPlan::most_menus() const {
    std::size_t most = 1;
    for (std::size_t set = 0; set < sets; ++set) {
        most = std::max<std::size_t>(most, first_menu[set + 1] - first_menu[set]);
    }
    return most;
}

void TurnPlan::find_rounds(const Menus& menus) {
    const auto each = [&](std::size_t set, const auto& look) {
        const std::size_t first = menus.first_option[menus.first_menu[set]];
        const std::size_t past = menus.first_option[menus.first_menu[set + 1]];
        for (std::size_t option = first; option < past; ++option) {
            look(menus.units[option], menus.next[option]);
        }
    };
    const std::size_t unknown = ~std::size_t{0};
    std::fill(used.begin(), used.end(), unknown);
    used.back() = 0;
    for (std::size_t set = sets; set-- > 1;) {
        each(set, [&](std::size_t units, std::size_t next) {
            if (used[set] != unknown && next < set) {
                used[next] = std::min(used[next], used[set] + units);
            }
        });
        deepest = used[set] == unknown ? deepest : std::max(deepest, used[set]);
    }
    std::replace(used.begin(), used.end(), unknown, deepest);  // sets that never come
    const auto find_block = [&] {
        bool fits = true;
        block = lanes;
        for (std::size_t set = 1; set < sets; ++set) {
            each(set, [&](std::size_t units, std::size_t next) {
                const std::size_t later = used[set] + units;
                const bool is_again = next >= set;
                fits = fits && later >= used[next] + (is_again ? 1 : 0);
                if (fits && is_again) {
                    block = std::min(block, later - used[next]);
                }
            });
        }
        return fits;
    };
    if (!find_block()) {  // menus of no dice
        std::fill(used.begin(), used.end(), std::size_t{0});
        deepest = 0;
        find_block();
    }
}

void TurnPlan::lay_out(const Menus& menus, std::size_t set) {
    const std::size_t first = menus.first_menu[set], past = menus.first_menu[set + 1];
    // Options numbered anew, by where they lead; and of each menu a few bits to tell what cannot be
    // part of it.
    std::map<std::size_t, std::uint32_t> numbers;
    std::vector<std::vector<std::uint32_t>> listed(past - first);
    std::vector<Bits> bits(past - first, Bits{});
    std::vector<std::size_t> leads;
    for (std::size_t menu = first; menu < past; ++menu) {
        auto& options = listed[menu - first];
        for (std::size_t i = menus.first_option[menu]; i < menus.first_option[menu + 1]; ++i) {
            const std::size_t lead = offset(menus.units[i], menus.next[i]);
            const auto [found, is_new] =
                numbers.try_emplace(lead, static_cast<std::uint32_t>(leads.size()));
            if (is_new) {
                leads.push_back(lead);
            }
            options.push_back(found->second);
            const std::uint32_t number = found->second % (64 * Bits{}.size());
            bits[menu - first][number / 64] |= std::uint64_t{1} << number % 64;
        }
        std::sort(options.begin(), options.end());
        options.erase(std::unique(options.begin(), options.end()), options.end());
    }
    std::vector<std::uint32_t> by_size(past - first);
    std::iota(by_size.begin(), by_size.end(), 0U);
    std::stable_sort(by_size.begin(), by_size.end(), [&](std::uint32_t x, std::uint32_t y) {
        return listed[x].size() < listed[y].size();
    });
    const std::uint32_t past_single = static_cast<std::uint32_t>(
        std::find_if(by_size.begin(), by_size.end(),
                     [&](std::uint32_t menu) { return listed[menu].size() > 1; }) -
        by_size.begin());
    std::vector<Bits> sorted_bits;
    for (const std::uint32_t menu : by_size) {
        sorted_bits.push_back(bits[menu]);
    }
    std::vector<char> is_left(leads.size(), 0);
    std::vector<std::uint32_t> inside;
    for (std::uint32_t place = 0; place < by_size.size(); ++place) {
        const std::uint32_t menu = by_size[place];
        const auto& options = listed[menu];
        for (const std::uint32_t option : options) {
            is_left[option] = 1;
        }
        inside.clear();
        if (options.size() > 3 && by_size.size() <= most_with_parts) {
            for (std::uint32_t other = past_single; other < place; ++other) {
                bool may_be = true;
                for (std::size_t word = 0; word < Bits{}.size(); ++word) {
                    may_be = may_be && (sorted_bits[other][word] & ~sorted_bits[place][word]) == 0;
                }
                const auto& theirs = listed[by_size[other]];
                if (may_be &&
                    std::includes(options.begin(), options.end(), theirs.begin(), theirs.end())) {
                    inside.push_back(other);
                }
            }
        }
        for (;;) {  // the one that holds most of what is left, as long as that saves something
            std::ptrdiff_t most = 1;
            std::uint32_t part = 0;
            for (std::size_t i = inside.size(); i-- > 0;) {
                const auto& theirs = listed[by_size[inside[i]]];
                if (static_cast<std::ptrdiff_t>(theirs.size()) <= most) {
                    break;  // nor do smaller ones
                }
                const auto held = std::count_if(theirs.begin(), theirs.end(),
                                                [&](std::uint32_t o) { return is_left[o] != 0; });
                if (held > most) {
                    most = held;
                    part = inside[i];
                }
            }
            if (most < 2) {
                break;
            }
            parts.push_back(part);
            for (const std::uint32_t option : listed[by_size[part]]) {
                is_left[option] = 0;
            }
        }
        for (const std::uint32_t option : options) {
            if (is_left[option] != 0) {
                offsets.push_back(static_cast<std::uint32_t>(leads[option]));
                is_left[option] = 0;
            }
        }
        order.push_back(static_cast<std::uint32_t>(first + menu));
        first_option.push_back(static_cast<std::uint32_t>(offsets.size()));
        first_part.push_back(static_cast<std::uint32_t>(parts.size()));
    }
}

TurnChances::TurnChances(const TurnPlan& plan, const std::vector<Interval>& chances,
                         const std::vector<Interval>& of_busts) {
    for (const std::uint32_t menu : plan.order) {
        menus[0].push_back(std::max(chances[menu].lower(), 0.0));
        menus[1].push_back(chances[menu].upper());
    }
    for (const Interval& bust : of_busts) {
        busts[0].push_back(std::max(bust.lower(), 0.0));
        busts[1].push_back(bust.upper());
    }
}

namespace {

// What one sweep reads and writes.
struct Task {
    const TurnPlan& plan;
    const double* chances;
    const double* busts;
    const double* bank;
    double* worth;
    double* rolled;
    double* slope;
    double* best;        // of each menu of a set
    double* best_slope;  // likewise
    double* slope_of_whole;
    double bust;
    std::size_t end, from, past;
};

template <Side side, bool with_slope>
[[gnu::always_inline]] inline void take_line(Row& best, Row& slope, const double* numbers,
                                             const double* slopes) {
    Row other;
    load(other, numbers);
    if constexpr (with_slope) {
        Row other_slope;
        load(other_slope, slopes);
        slope = side == Side::above ? (best > other ? slope : other_slope)
                                    : (best < other ? slope : other_slope);
    }
    take_better<side>(best, other);
}

template <Side side, bool with_slope>
[[gnu::always_inline]] inline void run(const Task& task) {
    const TurnPlan& plan = task.plan;
    const std::uint32_t* const offsets = plan.offsets.data();
    const std::uint32_t* const parts = plan.parts.data();
    for (std::size_t round = task.from; round < task.past; round += plan.block) {
        const std::size_t last = std::min(round + plan.block, task.past) - 1;
        for (std::size_t set = 1; set < plan.sets; ++set) {
            const std::size_t used = plan.used[set];
            const std::size_t level = std::max(round, used + 1) - used;
            const std::size_t past = std::min(last - std::min(last, used), task.end) + 1;
            if (past <= level) {
                continue;
            }
            const double* const reached = task.worth + level;
            const double* const reached_slope = task.slope + level;
            Row sum = Row{} + task.busts[set] * task.bust, back = Row{} + task.busts[set];
            const std::size_t first = plan.first_menu[set];
            std::size_t option = plan.first_option[first], part = plan.first_part[first];
            for (std::size_t menu = first; menu < plan.first_menu[set + 1]; ++menu) {
                const std::size_t past_option = plan.first_option[menu + 1];
                const std::size_t past_part = plan.first_part[menu + 1];
                Row best, slope = Row{};
                if (part < past_part) {
                    load(best, task.best + lanes * parts[part]);
                    if constexpr (with_slope) {
                        load(slope, task.best_slope + lanes * parts[part]);
                    }
                    ++part;
                } else {
                    load(best, reached + offsets[option]);
                    if constexpr (with_slope) {
                        load(slope, reached_slope + offsets[option]);
                    }
                    ++option;
                }
                for (; part < past_part; ++part) {
                    const std::size_t place = lanes * parts[part];
                    take_line<side, with_slope>(best, slope, task.best + place,
                                                task.best_slope + place);
                }
                for (; option < past_option; ++option) {
                    take_line<side, with_slope>(best, slope, reached + offsets[option],
                                                reached_slope + offsets[option]);
                }
                store(task.best + lanes * (menu - first), best);
                sum += task.chances[menu] * best;
                if constexpr (with_slope) {
                    store(task.best_slope + lanes * (menu - first), slope);
                    back += task.chances[menu] * slope;
                }
            }
            const std::size_t place = plan.offset(0, set) + level;
            const std::size_t bytes = (past - level) * sizeof(double);
            std::memcpy(task.rolled + place, &sum, bytes);
            if (with_slope && set + 1 == plan.sets) {
                *task.slope_of_whole = back[(past - level) - 1];
            }
            constexpr double none[lanes] = {};
            take_line<side, with_slope>(sum, back, task.bank + level, none);
            std::memcpy(task.worth + place, &sum, bytes);
            if constexpr (with_slope) {
                std::memcpy(task.slope + place, &back, bytes);
            }
        }
    }
}

EXACTDICE_CLONES
void run_below(const Task& task) { run<Side::below, false>(task); }

EXACTDICE_CLONES
void run_above(const Task& task) { run<Side::above, false>(task); }

EXACTDICE_CLONES
void run_below_with_slope(const Task& task) { run<Side::below, true>(task); }

EXACTDICE_CLONES
void run_above_with_slope(const Task& task) { run<Side::above, true>(task); }

}  // namespace

TurnSweep::TurnSweep(const TurnPlan& plan, const TurnChances& chances)
    : plan_(plan), chances_(chances) {
    for (const Side side : {Side::below, Side::above}) {
        worth_[at(side)].assign(plan.sets * plan.stride, side == Side::above ? 1.0 : -1.0);
        rolled_[at(side)].assign(plan.sets * plan.stride, 0.0);
        bank_[at(side)].assign(plan.longest + 1 + lanes, barred(side));
    }
    slope_.assign(plan.sets * plan.stride, 0.0);
    best_.assign(plan.most_menus() * lanes, 0.0);
    best_slope_.assign(plan.most_menus() * lanes, 0.0);
}

void TurnSweep::set_past(Side side, const std::vector<double>& worth) {
    for (std::size_t set = 0; set < plan_.sets; ++set) {
        for (std::size_t past = 0; past <= plan_.highest; ++past) {
            worth_[at(side)][plan_.offset(past, set)] = worth[past];
        }
    }
}

template <Side side, bool with_slope>
void TurnSweep::begin(std::size_t end, const TurnEnds& ends) {
    end_ = end;
    bust_[at(side)] = ends.bust;
    std::vector<double>& bank = bank_[at(side)];
    std::fill(bank.begin(), bank.end(), barred(side));
    if (ends.bankable > 0) {
        std::copy(ends.bank + 1, ends.bank + ends.bankable + 1, bank.begin() + 1);
    }
    // No dice left: the turn ends.
    for (std::size_t needed = 1; needed <= end; ++needed) {
        const bool may_bank = needed <= ends.bankable;
        worth_[at(side)][index(0, needed)] = may_bank ? ends.bank[needed] : ends.stranded;
        if (with_slope) {
            slope_[index(0, needed)] = may_bank ? 0 : 1;
        }
    }
}

template <Side side, bool with_slope>
void TurnSweep::go_on(std::size_t from, std::size_t past) {
    const std::size_t s = at(side);
    const Task task{plan_,
                    chances_.menus[s].data(),
                    chances_.busts[s].data(),
                    bank_[s].data(),
                    worth_[s].data(),
                    rolled_[s].data(),
                    slope_.data(),
                    best_.data(),
                    best_slope_.data(),
                    &slope_of_whole_,
                    bust_[s],
                    end_,
                    from,
                    past};
    if (with_slope) {
        (side == Side::above ? run_above_with_slope : run_below_with_slope)(task);
    } else {
        (side == Side::above ? run_above : run_below)(task);
    }
}

template void TurnSweep::begin<Side::below, false>(std::size_t, const TurnEnds&);
template void TurnSweep::begin<Side::above, false>(std::size_t, const TurnEnds&);
template void TurnSweep::begin<Side::below, true>(std::size_t, const TurnEnds&);
template void TurnSweep::begin<Side::above, true>(std::size_t, const TurnEnds&);
template void TurnSweep::go_on<Side::below, false>(std::size_t, std::size_t);
template void TurnSweep::go_on<Side::above, false>(std::size_t, std::size_t);
template void TurnSweep::go_on<Side::below, true>(std::size_t, std::size_t);
template void TurnSweep::go_on<Side::above, true>(std::size_t, std::size_t);

}  // namespace exactdice::farkle
