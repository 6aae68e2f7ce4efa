// Values of good moves in whole numbers of many words: residues are exact, corrections come from
// doubles, some twelve digits a step (Wilkinson's iterative refinement).
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "exactdice/process.hpp"
#include "sparse.hpp"

namespace exactdice::process {
namespace {

constexpr std::size_t index(Whole number) { return static_cast<std::size_t>(number); }

using Word = std::uint64_t;
using Number = std::array<Word, index(most_limbs)>;

// total += factor · number, modulo 2^(64 · limbs).
template <class Count>
void add_words(Word* total, const Word* number, Whole factor, Count limbs) {
    unsigned __int128 carry = 0;
    if (factor >= 0) {
        for (Whole i = 0; i < limbs; ++i) {
            carry += static_cast<unsigned __int128>(static_cast<Word>(factor)) * number[i] + total[i];
            total[i] = static_cast<Word>(carry);
            carry >>= 64;
        }
        return;
    }
    const Word size = -static_cast<Word>(factor);
    Word borrowed = 0;
    for (Whole i = 0; i < limbs; ++i) {
        carry += static_cast<unsigned __int128>(size) * number[i];
        const Word taken = static_cast<Word>(carry), left = total[i] - taken;
        carry >>= 64;
        const Word borrow = total[i] < taken || left < borrowed;
        total[i] = left - borrowed;
        borrowed = borrow;
    }
}

void add(Word* total, const Word* number, Whole factor, Whole limbs) {
    switch (limbs) {  // the lengths that are known to the compiler take half the time
        case 2: return add_words(total, number, factor, std::integral_constant<Whole, 2>{});
        case 3: return add_words(total, number, factor, std::integral_constant<Whole, 3>{});
        case 4: return add_words(total, number, factor, std::integral_constant<Whole, 4>{});
        default: return add_words(total, number, factor, limbs);
    }
}

bool is_negative(const Word* number, Whole limbs) { return number[limbs - 1] >> 63; }

double nearest(const Word* number, Whole limbs) {
    const bool negative = is_negative(number, limbs);
    Number size;
    if (negative) {
        std::fill_n(size.begin(), limbs, 0);
        add(size.data(), number, -1, limbs);
    } else {
        std::copy(number, number + limbs, size.begin());
    }
    double total = 0;
    for (Whole i = limbs; i-- > 0;) {
        total = total * 0x1p64 + static_cast<double>(size[index(i)]);
    }
    return negative ? -total : total;
}

// number += the whole number nearest to a double.
void add(Word* number, double more, Whole limbs) {
    int power = 0;
    const double part = std::frexp(more, &power);
    const int shift = std::max(power - 62, 0);
    const auto whole = static_cast<Whole>(std::nearbyint(std::ldexp(part, power - shift)));
    Number unit{};
    unit[index(shift / 64)] = Word{1} << (shift % 64);
    add(number, unit.data(), whole, limbs);
}

// What a move returns beyond the value of its state; see `signs`. `sum` is room for it to work in.
void exceed(const Process& process, Whole state, Whole move, Whole limbs, Words own, Words seen,
            Words other, Words one, Whole scale, Word* total, Word* sum) {
    std::fill_n(sum, limbs, 0);
    const Whole n = process.size();
    const Whole* weight = &process.weights[index(process.first_weight[index(process.law[index(move)])])];
    for (Whole t = process.first_target[index(move)]; t < process.first_target[index(move + 1)];
         ++t, ++weight) {
        const Whole target = process.targets[index(t)];
        target < n ? add(sum, &seen[index(target * limbs)], *weight, limbs)
                   : add(sum, &other[index((target - n) * limbs)], -*weight, limbs);
    }
    add(sum, &own[index(state * limbs)], -process.denominator(move), limbs);
    if (scale == 1) {
        std::copy_n(sum, limbs, total);
    } else {
        std::fill_n(total, limbs, 0);
        add(total, sum, scale, limbs);
    }
    const Whole reward = process.paid(move);
    if (reward) {
        add(total, one.data(), reward * process.denominator(move), limbs);
    }
}

// Values of all states, and by how many units what moves return exceeds them.
struct Numbers {
    const Process& process;
    Whole limbs;
    Wide one;
    Whole scale;
    Wide values;

    double gain(Whole state, Whole move) const {
        Number total, sum;
        exceed(process, state, move, limbs, values, values, values, one, scale, total.data(), sum.data());
        return nearest(total.data(), limbs) / static_cast<double>(scale) /
               static_cast<double>(process.denominator(move));
    }
    void add_to(Whole state, double more) { add(&values[index(state * limbs)], more, limbs); }
};

// By how many units a move must be better to be taken: more than rounding makes of none.
constexpr double better = 8;

// Values of fixed moves, from what there is; false if steps do not settle.
bool refine(Numbers& numbers, const std::vector<Whole>& chosen, Whole& largest, Clock& clock) {
    constexpr double still = 2;
    constexpr int most_steps = 400, most_stalled = 6;
    const Process& process = numbers.process;
    const Whole n = process.size();
    const double most = std::ldexp(1, static_cast<int>(64 * numbers.limbs - 2));
    std::unique_ptr<Factors<Double>> factors;
    std::vector<double> rest(index(n), 0), more(index(n));
    double least = std::numeric_limits<double>::infinity();
    int stalled = 0;
    for (int step = 0; step < most_steps && stalled < most_stalled; ++step) {
        clock.step();
        double greatest = 0;
        for (Whole s = 0; s < n; ++s) {
            const Whole move = chosen[index(s)];
            if (move >= 0) {
                const double gain = numbers.gain(s, move);
                rest[index(s)] = gain * static_cast<double>(process.denominator(move));
                greatest = std::max(greatest, std::abs(gain));
            }
        }
        if (greatest <= still) {
            return true;
        }
        stalled = greatest > least / 2 ? stalled + 1 : 0;
        least = std::min(least, greatest);
        std::fill(more.begin(), more.end(), 0);
        if (!factors) {
            factors = std::make_unique<Factors<Double>>(process, chosen, clock, largest);
            if (!factors->are_whole()) {
                largest = hardly_large;  // the moves of the next round hardly differ
            }
        }
        factors->solve(rest, more);
        for (Whole s = 0; s < n; ++s) {
            if (!(std::abs(more[index(s)]) < most)) {
                return false;
            }
            if (chosen[index(s)] >= 0) {
                numbers.add_to(s, more[index(s)]);
            }
        }
    }
    return false;
}

// Some moves of each state.
struct Kept {
    std::vector<Place> first{0}, moves;

    void add(Whole move) { moves.push_back(static_cast<Place>(move)); }
    void close() { first.push_back(static_cast<Place>(moves.size())); }
    std::span<Place> of(Whole state) {
        return {moves.begin() + first[index(state)], moves.begin() + first[index(state + 1)]};
    }
    std::span<const Place> of(Whole state) const { return const_cast<Kept&>(*this).of(state); }
};

// Notes moves that return about as much as the chosen ones; false if any returns more.
bool compare(const Numbers& numbers, const std::vector<Whole>& chosen, double apart, Kept& tied) {
    const Process& process = numbers.process;
    for (Whole s = 0; s < process.size(); ++s, tied.close()) {
        const int side = process.owners[index(s)];
        if (side != 1 && side != -1) {
            continue;
        }
        for (Whole move = process.first_move[index(s)]; move < process.first_move[index(s + 1)]; ++move) {
            const double gain = move == chosen[index(s)] ? -apart - 1 : side * numbers.gain(s, move);
            if (gain > better + better) {  // `sweep` leaves some more
                return false;
            }
            if (gain >= -apart) {
                tied.add(move);
            }
        }
    }
    return true;
}

// Sweeps at most, where elimination is at hand and where it is not.
constexpr int few_sweeps = 8, many_sweeps = 400;

// Takes the best moves by the present values, sweep by sweep forth and back, as long as eight of them
// bring values nearer by half a digit each.
void sweep(Numbers& numbers, std::vector<Whole>& chosen, int most_sweeps, Clock& clock) {
    constexpr double still = 1, nearer = 0.25;
    const Process& process = numbers.process;
    std::vector<Whole> kept = chosen;
    std::vector<Place> order = nearest_first(process, closing(process, kept)).order;
    // Moves that are worse by far stay so.
    Kept near;
    const double far = std::ldexp(nearest(numbers.one.data(), numbers.limbs), -20);
    for (Whole s = 0; s < process.size(); ++s, near.close()) {
        const int side = process.owners[index(s)];
        for (Whole move = process.first_move[index(s)];
             side && side != ended && move < process.first_move[index(s + 1)]; ++move) {
            if (move != chosen[index(s)] && side * numbers.gain(s, move) > -far) {
                near.add(move);
            }
        }
    }
    double before = std::numeric_limits<double>::infinity();
    for (int k = 0; k < most_sweeps; ++k) {
        double change = 0;
        clock.step();
        for (const Whole s : order) {
            const int side = process.owners[index(s)];
            double best = numbers.gain(s, chosen[index(s)]);
            for (Place& other : near.of(s)) {
                const Place move = other;
                const double gain = numbers.gain(s, move);
                if (side * (gain - best) > better) {
                    best = gain;
                    other = static_cast<Place>(chosen[index(s)]);
                    chosen[index(s)] = move;
                }
            }
            numbers.add_to(s, best);
            change = std::max(change, std::abs(best));
        }
        if (change <= still) {
            return;
        }
        if (k % few_sweeps == few_sweeps - 1) {
            if (!(change < before * nearer)) {
                return;
            }
            before = change;
        }
        std::reverse(order.begin(), order.end());
    }
}

template <class Look>
void each_move(Whole state, const Kept& kept, const std::vector<Whole>& chosen, const Look& look) {
    if (chosen[index(state)] >= 0) {
        look(chosen[index(state)]);
    }
    for (const Place move : kept.of(state)) {
        look(Whole{move});
    }
}

// Circles among kept moves that pay nothing, in which one can go round for ever: as one state of such a
// circle is worth so is any other.
struct Circles {
    std::vector<Place> home;   // of each state the first one of its circle, itself where it is in none
    std::vector<char> inside;  // of each move whether it leads nowhere but to its circle

    // The moves of a circle are those that are left when all that lead out of their component are taken
    // away, again and again.
    Circles(const Process& process, const Kept& kept, const std::vector<Whole>& chosen)
        : home(chosen.size()), inside(process.law.size(), 0) {
        const Whole n = process.size();
        std::iota(home.begin(), home.end(), Place{0});
        if (kept.moves.empty()) {
            return;  // the chosen moves alone lead to an end
        }
        std::vector<Place> part(chosen.size());  // of no component where −1
        for (bool is_first = true, changed = true; changed; is_first = false) {
            changed = false;
            const auto stays = [&](Whole s, Whole move) {
                bool all = process.paid(move) == 0;
                for (Whole t = process.first_target[index(move)];
                     all && t < process.first_target[index(move + 1)]; ++t) {
                    const Whole target = process.targets[index(t)];
                    all = target < n && chosen[index(target)] >= 0 && part[index(target)] == part[index(s)];
                }
                return all;
            };
            Process left;  // as far as components are looked for
            left.owners = process.owners;
            left.first_move = {0};
            left.first_target = {0};
            for (Whole s = 0; s < n; ++s) {
                each_move(s, kept, chosen, [&](Whole move) {
                    const bool was = is_first || inside[index(move)];
                    inside[index(move)] = was && stays(s, move);
                    changed = changed || was != static_cast<bool>(inside[index(move)]);
                    if (inside[index(move)]) {
                        const auto first = process.targets.begin();
                        left.targets.insert(left.targets.end(), first + process.first_target[index(move)],
                                            first + process.first_target[index(move + 1)]);
                        left.first_target.push_back(static_cast<Place>(left.targets.size()));
                    }
                });
                const auto count = static_cast<Place>(left.first_target.size()) - 1;
                left.owners[index(s)] = left.first_move.back() < count ? 0 : static_cast<std::int8_t>(ended);
                left.first_move.push_back(count);
            }
            const Components parts = components(left, {});
            std::fill(part.begin(), part.end(), -1);
            std::iota(home.begin(), home.end(), Place{0});
            for (Place k = 0; k < parts.count(); ++k) {
                for (Whole at = parts.first[index(k)]; at < parts.first[index(k + 1)]; ++at) {
                    part[index(parts.order[index(at)])] = k;
                    home[index(parts.order[index(at)])] = parts.order[index(parts.first[index(k)])];
                }
            }
            changed = changed || is_first;
        }
    }
};

// The process of one who counts moves, and has those that are kept and lead out of circles, each of which
// is one state.
Process counting(const Process& process, const Kept& kept, const std::vector<Whole>& chosen,
                 const Circles& circles) {
    const Whole n = process.size();
    Process made;
    made.first_move = {0};
    made.first_target = {0};
    made.first_weight = process.first_weight;
    made.weights = process.weights;
    made.payoffs.assign(index(n), 0);
    made.rewards = {1};
    const auto keep = [&](Whole move) {
        for (Whole t = process.first_target[index(move)]; t < process.first_target[index(move + 1)];
             ++t) {
            made.targets.push_back(circles.home[index(process.targets[index(t)] % n)]);
        }
        made.first_target.push_back(static_cast<Place>(made.targets.size()));
        made.law.push_back(process.law[index(move)]);
        made.reward.push_back(0);
    };
    std::vector<Place> members(index(n));  // of one circle after those of another
    std::iota(members.begin(), members.end(), Place{0});
    std::stable_sort(members.begin(), members.end(), [&](Place a, Place b) {
        return circles.home[index(a)] < circles.home[index(b)];
    });
    auto at = members.begin();
    for (Whole home = 0; home < n; ++home) {
        for (; at != members.end() && circles.home[index(*at)] == home; ++at) {
            each_move(*at, kept, chosen, [&](Whole move) {
                if (!circles.inside[index(move)]) {
                    keep(move);
                }
            });
        }
        const auto count = static_cast<Place>(made.law.size()) - made.first_move.back();
        made.owners.push_back(static_cast<std::int8_t>(count ? count > 1 : ended));
        made.first_move.push_back(static_cast<Place>(made.law.size()));
    }
    made.complete();
    return made;
}

}  // namespace

std::vector<std::int8_t> signs(const Process& process, Whole limbs, Words own, Words seen, Words other,
                               Words one, Whole scale) {
    const std::size_t words = process.owners.size() * index(limbs);
    if (limbs < 1 || own.size() != words || seen.size() != words ||
        other.size() != words || one.size() != index(limbs)) {
        throw BadInput("numbers: give as many words for each state");
    }
    std::vector<Word> total(index(limbs)), sum(index(limbs));
    std::vector<std::int8_t> found(process.law.size(), 0);
    for (Whole s = 0; s < process.size(); ++s) {
        if (process.owners[index(s)] == ended) {
            continue;
        }
        for (Whole m = process.first_move[index(s)]; m < process.first_move[index(s + 1)]; ++m) {
            exceed(process, s, m, limbs, own, seen, other, one, scale, total.data(), sum.data());
            const bool is_zero = std::all_of(total.begin(), total.end(),
                                             [](Word word) { return word == 0; });
            found[index(m)] = is_zero ? 0 : is_negative(total.data(), limbs) ? -1 : 1;
        }
    }
    return found;
}

Wide shifted(Wide numbers, const std::vector<Whole>& steps) {
    const auto limbs = static_cast<Whole>(numbers.size() / std::max(steps.size(), std::size_t{1}));
    if (limbs < 1 || limbs > most_limbs || numbers.size() != steps.size() * index(limbs)) {
        throw BadInput("steps: give one a number");
    }
    const Number unit{1};
    for (std::size_t s = 0; s < steps.size(); ++s) {
        add(&numbers[s * index(limbs)], unit.data(), steps[s], limbs);
    }
    return numbers;
}

Approach approach(const Process& process, Guess start, Wide values, Whole bits, Whole scale, Whole near,
                  const Progress& progress) {
    Clock clock(progress);
    constexpr int most_rounds = 40;
    constexpr double longest = 0x1p44;
    auto& [chosen, rough, is_sparse] = start;
    const Whole n = process.size();
    const auto limbs = static_cast<Whole>(values.size() / std::max(index(n), std::size_t{1}));
    if (limbs < 1 || limbs > most_limbs || values.size() != index(n * limbs) || bits < 0 ||
        bits >= 64 * limbs || chosen.size() != index(n) || rough.size() != index(n)) {
        throw BadInput("values: give as many words for each state");
    }
    Numbers numbers{process, limbs, Wide(index(limbs), 0), scale, std::move(values)};
    numbers.one[index(bits / 64)] = Word{1} << (bits % 64);
    for (Whole s = 0; s < n; ++s) {
        if (chosen[index(s)] >= 0) {
            numbers.add_to(s, std::ldexp(rough[index(s)] / static_cast<double>(scale), static_cast<int>(bits)));
        }
    }
    const std::vector<Whole> guessed = chosen;
    if (!is_sparse) {
        sweep(numbers, chosen, many_sweeps, clock);
    }
    if (!ends(process, chosen)) {
        chosen = guessed;
    }
    Whole largest = is_sparse ? n : hardly_large;
    for (int round = 0; round < most_rounds; ++round) {
        if (!ends(process, chosen) || !refine(numbers, chosen, largest, clock)) {
            return {};
        }
        Kept tied;
        if (!compare(numbers, chosen, std::ldexp(1, static_cast<int>(near)), tied)) {
            sweep(numbers, chosen, is_sparse ? few_sweeps : many_sweeps, clock);
            continue;
        }
        const Circles circles(process, tied, chosen);
        const Guess lengths = guess(counting(process, tied, chosen, circles), progress, largest);
        if (lengths.chosen.empty()) {
            return {};
        }
        Approach found{std::move(chosen), std::move(numbers.values), {}};
        for (Whole s = 0; s < n; ++s) {
            const Whole home = circles.home[index(s)];
            std::copy_n(found.values.begin() + home * limbs, limbs, found.values.begin() + s * limbs);
            const double length = lengths.values[index(home)];
            if (!(length < longest)) {
                return {};
            }
            found.lengths.push_back(static_cast<Whole>(std::ceil(length * 0x1p16)));
        }
        return found;
    }
    return {};
}

}  // namespace exactdice::process
