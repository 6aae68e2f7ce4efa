#include "swe_excursion.hpp"

#include <algorithm>
#include <numeric>

#include "kernel.hpp"

namespace exactdice::swe {
namespace {

constexpr std::size_t lanes = 8;

Interval natural(std::size_t number) { return Interval(static_cast<double>(number)); }

// All four numbers that a cell holds during an excursion: the chance to be there and the points so
// far, for the excursion from its start and for the one from where all dice are in legacy.
constexpr std::size_t columns = 4;

}  // namespace

Thinning::Thinning(int faces, int most_rounds, int most_dice)
    : total_(static_cast<std::size_t>(most_rounds) + static_cast<std::size_t>(most_dice)) {
    const auto rounds = static_cast<std::size_t>(most_rounds);
    const Interval fails = Interval(1.0) / natural(static_cast<std::size_t>(faces));
    const Interval survives =
        natural(static_cast<std::size_t>(faces) - 1) / natural(static_cast<std::size_t>(faces));
    // One die: that it is left after t rounds, that it is not, and its points if it is not.
    std::vector<Interval> alive(1, Interval(1.0)), dead(1, Interval(0.0)), life(1, Interval(0.0));
    for (std::size_t t = 1; t <= rounds; ++t) {
        alive.push_back(alive.back() * survives);
        dead.push_back(dead.back() + alive[t - 1] * fails);
        Interval points(0.0);
        for (std::size_t j = 1; j < t; ++j) {
            points += alive[j] * dead[t - j];
        }
        life.push_back(points);
    }
    left_.resize(rounds + 1);
    points_.resize(rounds + 1);
    later_.resize(rounds + 1);
    later_points_.resize(rounds + 1);
    for (std::size_t t = 1; t <= rounds; ++t) {
        const std::size_t most = dice_at(t);
        std::vector<Interval>& chance = left_[t];
        std::vector<Interval>& points = points_[t];
        chance.assign((most + 1) * (most + 2) / 2, Interval(0.0));
        points.assign(chance.size(), Interval(0.0));
        chance[0] = Interval(1.0);
        const Interval all_points = natural(t) * alive[t];
        for (std::size_t m = 1; m <= most; ++m) {
            const std::size_t row = m * (m + 1) / 2, before = (m - 1) * m / 2;
            for (std::size_t k = 0; k <= m; ++k) {
                if (k < m) {
                    chance[row + k] += chance[before + k] * dead[t];
                    points[row + k] += points[before + k] * dead[t] + chance[before + k] * life[t];
                }
                if (k > 0) {
                    chance[row + k] += chance[before + k - 1] * alive[t];
                    points[row + k] +=
                        points[before + k - 1] * alive[t] + chance[before + k - 1] * all_points;
                }
            }
        }
        later_[t].assign((t + 1) * (most + 1), Interval(0.0));
        later_points_[t].assign((t + 1) * (most + 1), Interval(0.0));
        for (std::size_t L = 1; L < t; ++L) {
            const Interval between = alive[L] * dead[t - L];
            const Interval between_points =
                natural(L) * between + alive[L] * life[t - L];
            Interval* later = later_[t].data() + L * (most + 1);
            Interval* gained = later_points_[t].data() + L * (most + 1);
            Interval dead_by(1.0), dead_points(0.0);  // of m − 1 dice: all dead by L; their points
            for (std::size_t m = 1; m <= most; ++m) {
                later[m] = later[m - 1] * dead[t] + dead_by * between;
                gained[m] = gained[m - 1] * dead[t] + later[m - 1] * life[t] +
                            dead_points * between + dead_by * between_points;
                dead_points = dead_points * dead[L] + dead_by * life[L];
                dead_by = dead_by * dead[L];
            }
        }
    }
}

Excursion excursion(const std::vector<Chances<Interval>>& chances, const Dice& dice,
                    const Dice& rolled, int rounds) {
    struct Axis {
        std::size_t rung, size, stride, first;
    };
    std::vector<Axis> axes;  // highest rung first
    std::size_t cells = 1, start = 0;
    for (std::size_t rung = 0; rung < dice.size(); ++rung) {
        if (dice[rung] > 0) {
            const auto size = static_cast<std::size_t>(dice[rung]) + 1;
            axes.insert(axes.begin(),
                        {rung, size, cells, static_cast<std::size_t>(rolled[rung])});
            start += axes.front().first * cells;
            cells *= size;
        }
    }
    std::vector<std::size_t> fixed(cells, 0);
    std::vector<double> revenue(cells, 0);
    for (std::size_t cell = 0; cell < cells; ++cell) {
        std::size_t target = 0;
        for (const Axis& axis : axes) {
            const std::size_t kept = cell / axis.stride % axis.size;
            revenue[cell] += static_cast<double>(kept);
            if (target == 0 && kept + 1 < axis.size) {
                target = cell + axis.stride;
            }
        }
        fixed[cell] = target;
    }
    const auto length = static_cast<std::size_t>(rounds) + 1;
    const Excursion::Part none{Interval(0.0), Interval(0.0)};
    Excursion law;
    law.straight.assign(length, none);
    law.straight_so_far.assign(length, none);
    law.at_zero.assign(length, none);
    law.from_zero.assign(length, none);
    law.from_zero_so_far.assign(length, none);
    if (cells == 1) {  // no dice: they are all in revenue, and none of them is
        if (rounds > 0) {
            law.at_zero[1].chance = Interval(1.0);
        }
        law.from_zero[0].chance = Interval(1.0);
        return law;
    }
    std::vector<Excursion::Part> to_zero(length, none), zero_to_zero(length, none);
    law.from_zero_so_far[0].chance = Interval(1.0);
    std::array<std::vector<double>, 2> box;
    for (std::size_t plane = 0; plane < 2; ++plane) {
        const double sign = plane == 0 ? 1 : -1;
        box[plane].assign(columns * cells, sign * 0.0);
        box[plane][columns * start] = sign;
        box[plane][columns * fixed[0] + 2] = sign;
    }
    const std::size_t corner = cells - 1;
    for (std::size_t t = 1; t < length; ++t) {
        std::array<std::array<double, columns>, 2> ends{}, zeros{}, others{};
        for (std::size_t plane = 0; plane < 2; ++plane) {
            std::vector<double>& now = box[plane];
            for (const Axis& axis : axes) {
                const Chances<Interval>& chance = chances[axis.rung];
                apply_transposed(now.data(), chance.matrix[plane].data(), chance.leading,
                                 cells / (axis.size * axis.stride), axis.size,
                                 columns * axis.stride);
            }
            // Upwards in the box: where a fix leads to has been left before.
            for (std::size_t cell = cells; cell-- > 0;) {
                double* here = now.data() + columns * cell;
                here[1] += here[0] * revenue[cell];
                here[3] += here[2] * revenue[cell];
                std::array<double, columns>& sum =
                    (cell == corner ? ends : cell == 0 ? zeros : others)[plane];
                double* target = now.data() + columns * fixed[cell];
                for (std::size_t i = 0; i < columns; ++i) {
                    sum[i] += here[i];
                    if (cell != corner && cell != 0) {
                        target[i] += here[i];
                    }
                    here[i] = 0;
                }
            }
        }
        const auto part = [](const std::array<std::array<double, columns>, 2>& sums,
                             std::size_t first) {
            return Excursion::Part{from_ends(sums[1][first], sums[0][first]),
                                   from_ends(sums[1][first + 1], sums[0][first + 1])};
        };
        law.straight[t] = part(ends, 0);
        law.straight_so_far[t] = part(others, 0);
        to_zero[t] = part(zeros, 0);
        law.from_zero[t] = part(ends, 2);
        law.from_zero_so_far[t] = part(others, 2);
        zero_to_zero[t] = part(zeros, 2);
    }
    for (std::size_t t = 1; t < length; ++t) {
        law.at_zero[t] = to_zero[t];
        for (std::size_t before = 1; before < t; ++before) {
            const Excursion::Part &first = law.at_zero[before], &then = zero_to_zero[t - before];
            law.at_zero[t].chance += first.chance * then.chance;
            law.at_zero[t].points += first.points * then.chance + first.chance * then.points;
        }
    }
    return law;
}

Transitions::Transitions(const Thinning& thinning, const Excursion& law, int rounds)
    : thinning_(thinning), law_(law), rounds_(static_cast<std::size_t>(rounds)) {}

const Transitions::Chunk& Transitions::chunk(std::size_t number) {
    while (chunks_.size() <= number) {
        chunks_.emplace_back();
    }
    if (chunks_[number].entries == 0) {
        make(chunks_[number], number);
    }
    return chunks_[number];
}

void Transitions::make(Chunk& chunk, std::size_t number) const {
    const std::size_t first = lanes * number;
    chunk.entries = first + lanes + 1;  // a catastrophe, and 0 … first + 7 dice left
    for (std::size_t plane = 0; plane < 2; ++plane) {
        chunk.table[plane].assign(rounds_ * chunk.entries * 2 * lanes, 0.0);
        chunk.ended[plane].assign(rounds_ * 2 * lanes, 0.0);
    }
    for (std::size_t t = 1; t <= rounds_; ++t) {
        // That an excursion takes t rounds, or more; and the points of its dice until then.
        Excursion::Part ends = law_.straight[t], more = law_.straight_so_far[t];
        for (std::size_t L = 1; L <= t; ++L) {
            const Excursion::Part& zero = law_.at_zero[L];
            for (const auto& [sum, after] : {std::pair{&ends, &law_.from_zero[t - L]},
                                            std::pair{&more, &law_.from_zero_so_far[t - L]}}) {
                sum->chance += zero.chance * after->chance;
                sum->points += zero.points * after->chance + zero.chance * after->points;
            }
        }
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const std::size_t m = first + lane;
            if (!thinning_.holds(t, m)) {
                break;
            }
            const auto set = [&](std::array<std::vector<double>, 2>& table, std::size_t at,
                                 const Interval& kept, const Interval& gained, double sign) {
                table[0][at + lane] = kept.hi;
                table[0][at + lanes + lane] = gained.hi;
                table[1][at + lane] = sign * kept.neglo;
                table[1][at + lanes + lane] = sign * gained.neglo;
            };
            // Without dice of rung 1 left: a catastrophe, if there was none left at the last zero.
            const auto lost = [&](const Excursion::Part& straight,
                                  const std::vector<Excursion::Part>& after, Interval& kept,
                                  Interval& gained, Interval& catastrophe) {
                const Interval &none = thinning_.left(t, m, 0), &points = thinning_.points(t, m, 0);
                kept = straight.chance * none;
                gained = straight.points * none + straight.chance * points;
                catastrophe = Interval(0.0);
                for (std::size_t L = 1; L <= t; ++L) {
                    const Excursion::Part &zero = law_.at_zero[L], &then = after[t - L];
                    const Interval both = zero.chance * then.chance;
                    const Interval &later = thinning_.last_later(t, L, m),
                                   &gone = thinning_.left(L, m, 0);
                    kept += both * later;
                    gained += (zero.points * then.chance + zero.chance * then.points) * later +
                              both * thinning_.later_points(t, L, m) +
                              zero.chance * then.points * gone;
                    catastrophe += both * gone;
                }
            };
            const std::size_t row = (t - 1) * chunk.entries * 2 * lanes;
            Interval kept, gained, catastrophe;
            lost(law_.straight[t], law_.from_zero, kept, gained, catastrophe);
            set(chunk.table, row, catastrophe, Interval(0.0), -1);
            set(chunk.table, row + 2 * lanes, kept, gained, -1);
            lost(law_.straight_so_far[t], law_.from_zero_so_far, kept, gained, catastrophe);
            for (std::size_t k = 1; k <= m; ++k) {
                const Interval &chance = thinning_.left(t, m, k), &points = thinning_.points(t, m, k);
                set(chunk.table, row + (1 + k) * 2 * lanes, ends.chance * chance,
                    ends.points * chance + ends.chance * points, -1);
                kept += more.chance * chance;
                gained += more.points * chance + more.chance * points;
            }
            // The line of a game that ends on the way: A is what was gained, B that it was kept.
            set(chunk.ended, (t - 1) * 2 * lanes, gained, kept, 1);
        }
    }
}

}  // namespace exactdice::swe
