#include "farkle_lanes.hpp"

#include "clones.hpp"
#include "farkle_rows.hpp"

namespace exactdice::farkle {
namespace {

// What one sweep reads and writes.
struct Task {
    const TurnPlan& plan;
    const double* chances;
    const double* busts;
    const Lanes* bank;
    Lanes* worth;
    Lanes* best_of_menus;  // of a set
    std::size_t end;
};

template <Side side>
[[gnu::always_inline]] inline void run(const Task& task, const Lanes& nothing) {
    const TurnPlan& plan = task.plan;
    const std::uint32_t* const offsets = plan.offsets.data();
    const std::uint32_t* const parts = plan.parts.data();
    const Lanes* const best_of_menus = task.best_of_menus;
    for (std::size_t needed = 1; needed <= task.end; ++needed) {
        const Lanes* const reached = task.worth + needed;
        for (std::size_t set = 1; set < plan.sets; ++set) {
            Row sum;
            load(sum, nothing.data());
            sum = task.busts[set] * sum;
            const std::size_t first = plan.first_menu[set];
            std::size_t option = plan.first_option[first], part = plan.first_part[first];
            for (std::size_t menu = first; menu < plan.first_menu[set + 1]; ++menu) {
                const std::size_t past_option = plan.first_option[menu + 1];
                const std::size_t past_part = plan.first_part[menu + 1];
                Row best;
                load(best, (part < past_part ? best_of_menus[parts[part++]]
                                             : reached[offsets[option++]])
                               .data());
                for (; part < past_part; ++part) {
                    take_better<side>(best, best_of_menus[parts[part]].data());
                }
                for (; option < past_option; ++option) {
                    take_better<side>(best, reached[offsets[option]].data());
                }
                store(task.best_of_menus[menu - first].data(), best);
                sum += task.chances[menu] * best;
            }
            take_better<side>(sum, task.bank[needed].data());
            store(task.worth[plan.offset(0, set) + needed].data(), sum);
        }
    }
}

EXACTDICE_CLONES
void run_below(const Task& task, const Lanes& nothing) { run<Side::below>(task, nothing); }

EXACTDICE_CLONES
void run_above(const Task& task, const Lanes& nothing) { run<Side::above>(task, nothing); }

}  // namespace

LaneSweep::LaneSweep(const TurnPlan& plan, const TurnChances& chances)
    : plan_(plan), chances_(chances), best_(plan.most_menus()) {
    for (const Side side : {Side::below, Side::above}) {
        Lanes won, no;
        won.fill(side == Side::above ? 1.0 : -1.0);
        no.fill(barred(side));
        worth_[index(side)].assign(plan.sets * plan.stride, won);
        bank_[index(side)].assign(plan.longest + 1, no);
    }
}

void LaneSweep::sweep(Side side, std::size_t end, const Lanes& nothing) {
    const std::size_t at = index(side);
    const Task task{plan_,           chances_.menus[at].data(), chances_.busts[at].data(),
                    bank_[at].data(), worth_[at].data(),         best_.data(),
                    end};
    (side == Side::above ? run_above : run_below)(task, nothing);
}

}  // namespace exactdice::farkle
