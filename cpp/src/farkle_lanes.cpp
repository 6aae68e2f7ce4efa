#include "farkle_lanes.hpp"

#include "clones.hpp"

namespace exactdice::farkle {
namespace {

// What one sweep reads and writes.
struct Task {
    const Rolls& rolls;
    const std::uint32_t* offsets;
    const double* chances;
    const double* busts;
    const Lanes* bank;
    Lanes* worth;
    std::size_t sets, stride, highest, end;
};

// All lanes in one operand; where the machine's are shorter, in several.
typedef double Row __attribute__((vector_size(lanes * sizeof(double)), aligned(alignof(double)),
                                  may_alias));

[[gnu::always_inline]] inline const Row& row(const Lanes& numbers) {
    return *reinterpret_cast<const Row*>(numbers.data());
}

template <Side side>
[[gnu::always_inline]] inline void take_better(Row& best, const Row& other) {
    if constexpr (side == Side::above) {
        best = best > other ? best : other;
    } else {
        best = best < other ? best : other;
    }
}

template <Side side>
[[gnu::always_inline]] inline void run(const Task& task, const Lanes& nothing) {
    const std::uint32_t* const first_menu = task.rolls.first_menu.data();
    const std::uint32_t* const first_option = task.rolls.first_option.data();
    const std::uint32_t* const offsets = task.offsets;
    for (std::size_t needed = 1; needed <= task.end; ++needed) {
        const Lanes* const reached = task.worth + needed;
        for (std::size_t set = 1; set < task.sets; ++set) {
            Row sum = task.busts[set] * row(nothing);
            std::size_t option = first_option[first_menu[set]];
            for (std::size_t menu = first_menu[set]; menu < first_menu[set + 1]; ++menu) {
                const std::size_t past = first_option[menu + 1];
                Row best = row(reached[offsets[option]]);
                for (++option; option < past; ++option) {
                    take_better<side>(best, row(reached[offsets[option]]));
                }
                sum += task.chances[menu] * best;
            }
            take_better<side>(sum, row(task.bank[needed]));
            *reinterpret_cast<Row*>(task.worth[set * task.stride + task.highest + needed].data()) = sum;
        }
    }
}

EXACTDICE_CLONES
void run_below(const Task& task, const Lanes& nothing) { run<Side::below>(task, nothing); }

EXACTDICE_CLONES
void run_above(const Task& task, const Lanes& nothing) { run<Side::above>(task, nothing); }

}  // namespace

LaneSweep::LaneSweep(const Rolls& rolls, std::size_t longest) : TurnTables(rolls, longest) {
    for (const Side side : {Side::below, Side::above}) {
        Lanes won, no;
        won.fill(side == Side::above ? 1.0 : -1.0);
        no.fill(barred(side));
        worth_[index(side)].assign(sets_ * stride_, won);
        bank_[index(side)].assign(longest + 1, no);
    }
}

void LaneSweep::sweep(Side side, std::size_t end, const Lanes& nothing) {
    const std::size_t at = index(side);
    const Task task{rolls_,          offsets_.data(),   chances_[at].data(), busts_[at].data(),
                    bank_[at].data(), worth_[at].data(), sets_,               stride_,
                    highest_,        end};
    (side == Side::above ? run_above : run_below)(task, nothing);
}

}  // namespace exactdice::farkle
