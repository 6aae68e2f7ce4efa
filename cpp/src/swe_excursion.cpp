#include "swe_excursion.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "kernel.hpp"

namespace exactdice::swe {
namespace {

Interval natural(std::size_t number) { return Interval(static_cast<double>(number)); }

// All four numbers that a cell holds during an excursion: the chance to be there and the points so
// far, for the excursion from its start and for the one from where all dice are in legacy.
constexpr std::size_t columns = 4;

// Of what is negated in plane 1, the lower ends: so that all is rounded upwards.
double sign_of(std::size_t plane) { return plane == 0 ? 1 : -1; }

// Convolve: add to the rows of `to` what happens first and then, over n rounds.
void chain(Law::Rows& to, const Law::Rows& first, const Law::Rows& then, double sign, std::size_t n) {
    add_convolution(to.row(0), to.width, first.row(0), first.width, then.row(0), then.width, sign, n);
}

// The same where what happens then is what happens in all.
void renew(Law::Rows& all, const Law::Rows& first, double sign, std::size_t n) {
    add_renewals(all.row(0), all.width, first.row(0), first.width, sign, n);
}

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
    for (std::size_t m = 0; m < total_; ++m) {
        const std::size_t most = std::min(rounds, total_ - m), width = padded(most);
        Waiting dice;
        dice.left.assign(m + 1, Parts(width));
        dice.any = Parts(width);
        for (std::size_t t = 0; t <= most; ++t) {
            dice.later.emplace_back(padded(t));
        }
        for (std::size_t t = 1; t <= most; ++t) {
            const Interval all_points = natural(t) * alive[t];
            Excursion::Part some;
            for (std::size_t k = 0; k <= m; ++k) {  // the last die fails, or does not
                Excursion::Part part{Interval(m == 0 ? 1.0 : 0.0), Interval(0.0)};
                if (k < m) {
                    const Excursion::Part before = waiting_[m - 1].left[k].at(t);
                    part.chance += before.chance * dead[t];
                    part.points += before.points * dead[t] + before.chance * life[t];
                }
                if (k > 0) {
                    const Excursion::Part before = waiting_[m - 1].left[k - 1].at(t);
                    part.chance += before.chance * alive[t];
                    part.points += before.points * alive[t] + before.chance * all_points;
                    some.chance += part.chance;
                    some.points += part.points;
                }
                dice.left[k].set(t, part);
            }
            dice.any.set(t, some);
            for (std::size_t L = 1; L < t && m > 0; ++L) {  // one of the others is left after L, or only the last
                const Interval between = alive[L] * dead[t - L];
                const Interval between_points = natural(L) * between + alive[L] * life[t - L];
                const Excursion::Part before = waiting_[m - 1].later[t].at(L);
                const Excursion::Part gone = waiting_[m - 1].left[0].at(L);
                dice.later[t].set(L, {before.chance * dead[t] + gone.chance * between,
                                      before.points * dead[t] + before.chance * life[t] +
                                          gone.points * between + gone.chance * between_points});
            }
        }
        waiting_.push_back(std::move(dice));
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

Laws::Laws(const Thinning& thinning, const Excursion& law, std::vector<std::size_t> rounds)
    : thinning_(thinning), rounds_(std::move(rounds)) {
    const std::size_t most = *std::max_element(rounds_.begin(), rounds_.end()), width = padded(most);
    ends_.total = Parts(width);
    stays_.total = Parts(width);
    for (const auto& [way, straight, after] :
         {std::tuple{&ends_, &law.straight, &law.from_zero},
          std::tuple{&stays_, &law.straight_so_far, &law.from_zero_so_far}}) {
        way->straight = Parts(width);
        way->both.emplace_back();
        way->since.emplace_back();
        for (std::size_t t = 1; t <= most; ++t) {
            way->both.emplace_back(padded(t));
            way->since.emplace_back(padded(t));
            Excursion::Part sum = (*straight)[t];
            way->straight.set(t, sum);
            for (std::size_t L = 1; L <= t; ++L) {
                const Excursion::Part &zero = law.at_zero[L], &then = (*after)[t - L];
                const Interval since = zero.chance * then.points;
                const Excursion::Part both{zero.chance * then.chance, zero.points * then.chance + since};
                way->both[t].set(L, both);
                way->since[t].set(L, {both.chance, since});
                sum.chance += both.chance;
                sum.points += both.points;
            }
            way->total.set(t, sum);
        }
    }
}

const Law& Laws::of(std::size_t m) {
    while (laws_.size() <= m) {
        laws_.push_back(made(laws_.size()));
    }
    return laws_[m];
}

// Without dice of rung 1 left after t rounds: a catastrophe, if there was none left at the last round
// without the others.
Laws::Lost Laws::lost(const Way& way, const Thinning::Waiting& dice, std::size_t t, std::size_t plane) {
    const double sign = sign_of(plane);
    const auto times = [&](double x, double y) { return sign * x * y; };
    const double none = dice.left[0].chance[plane][t], points = dice.left[0].points[plane][t];
    const double chance = way.straight.chance[plane][t];
    Lost lost{times(chance, none), times(way.straight.points[plane][t], none) + times(chance, points), 0};
    double sums[3];
    sum_products(sums, sign, t + 1, way.both[t].chance[plane].data(), way.both[t].points[plane].data(),
                 way.since[t].points[plane].data(), dice.later[t].chance[plane].data(),
                 dice.later[t].points[plane].data(), dice.left[0].chance[plane].data());
    lost.kept += sums[0];
    lost.gained += sums[1];
    lost.catastrophe = sums[2];
    return lost;
}

Law Laws::made(std::size_t m) {
    const std::size_t n = rounds_[m];
    const Thinning::Waiting& dice = thinning_.of(m);
    Law law(n);
    for (std::size_t plane = 0; plane < 2; ++plane) {
        const double sign = sign_of(plane);
        Law::Rows& x = law.rows[plane];
        Law::Rows before(n);
        // The first excursion, if k of the dice are left after it.
        const auto first = [&](Law::Rows& rows, std::size_t k) {
            const double *chance = ends_.total.chance[plane].data(), *points = ends_.total.points[plane].data();
            const double *left = dice.left[k].chance[plane].data(), *gained = dice.left[k].points[plane].data();
            for (std::size_t t = 1; t <= n; ++t) {
                rows.chance()[t] = rows.kept()[t] = sign * chance[t] * left[t];
                rows.points()[t] = sign * points[t] * left[t] + sign * chance[t] * gained[t];
            }
        };
        for (std::size_t t = 1; t <= n; ++t) {
            const Lost lost_ends = lost(ends_, dice, t, plane), lost_stays = lost(stays_, dice, t, plane);
            x.chance()[t] = lost_ends.kept + lost_ends.catastrophe;
            x.points()[t] = lost_ends.gained;
            x.kept()[t] = lost_ends.kept;
            const double chance = sign * stays_.total.chance[plane][t];
            x.A()[t] = lost_stays.gained + sign * stays_.total.points[plane][t] * dice.any.chance[plane][t] +
                       chance * dice.any.points[plane][t];
            x.B()[t] = lost_stays.kept + chance * dice.any.chance[plane][t];
        }
        for (std::size_t k = 1; k <= m; ++k) {  // one die is fixed; and then on until k are in revenue
            before = x;
            first(x, k);
            if (k < m) {
                chain(x, before, laws_[k].rows[plane], sign, n);
            }
        }
        x.B()[0] = sign;  // the score, when no round is left
        if (m > 0) {
            renew(x, before, sign, n);
        }
    }
    return law;
}

}  // namespace exactdice::swe
