// Values of good moves in whole numbers of many words: residues are exact, corrections come from
// doubles, some twelve digits a step (Wilkinson's iterative refinement).
#include <array>
#include <cmath>
#include <limits>

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
void exceed(const Process& process, Whole state, Whole move, Whole limbs, const Wide& own,
            const Wide& seen, const Wide& other, const Wide& one, Whole scale, Word* total, Word* sum) {
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
    const Whole reward = process.reward[index(move)];
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
bool refine(Numbers& numbers, const std::vector<Whole>& chosen, Whole& largest) {
    constexpr double still = 2;
    constexpr Whole few = 1000;
    constexpr int most_steps = 400, most_stalled = 6;
    const Process& process = numbers.process;
    const Whole n = process.size();
    const double most = std::ldexp(1, static_cast<int>(64 * numbers.limbs - 2));
    const Factors<Double> factors(process, chosen, largest);
    if (!factors.are_whole()) {
        largest = few;  // the moves of the next round hardly differ
    }
    std::vector<double> rest(index(n), 0), more(index(n));
    double least = std::numeric_limits<double>::infinity();
    int stalled = 0;
    for (int step = 0; step < most_steps && stalled < most_stalled; ++step) {
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
        factors.solve(rest, more);
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

// Notes moves that return about as much as the chosen ones; false if any returns more.
bool compare(const Numbers& numbers, const std::vector<Whole>& chosen, double apart,
             std::vector<std::vector<Whole>>& tied) {
    const Process& process = numbers.process;
    for (Whole s = 0; s < process.size(); ++s) {
        const int side = process.owners[index(s)];
        if (side != 1 && side != -1) {
            continue;
        }
        for (Whole move = process.first_move[index(s)]; move < process.first_move[index(s + 1)]; ++move) {
            const double gain = move == chosen[index(s)] ? -apart - 1 : side * numbers.gain(s, move);
            if (gain > better) {
                return false;
            }
            if (gain >= -apart) {
                tied[index(s)].push_back(move);
            }
        }
    }
    return true;
}

// Takes the best moves by the present values, sweep by sweep forth and back, while moves change.
void sweep(Numbers& numbers, std::vector<Whole>& chosen) {
    constexpr int most_sweeps = 8;
    const Process& process = numbers.process;
    std::vector<Whole> kept = chosen;
    std::vector<Whole> order = nearest_first(process, closing(process, kept)).order;
    // Moves that are worse by far stay so.
    std::vector<std::vector<Whole>> near(chosen.size());
    const double far = std::ldexp(nearest(numbers.one.data(), numbers.limbs), -20);
    for (const Whole s : order) {
        const int side = process.owners[index(s)];
        for (Whole move = process.first_move[index(s)];
             side && move < process.first_move[index(s + 1)]; ++move) {
            if (move != chosen[index(s)] && side * numbers.gain(s, move) > -far) {
                near[index(s)].push_back(move);
            }
        }
    }
    bool changed = true;
    for (int k = 0; k < most_sweeps && changed; ++k) {
        changed = false;
        for (const Whole s : order) {
            const int side = process.owners[index(s)];
            double best = numbers.gain(s, chosen[index(s)]);
            for (Whole& other : near[index(s)]) {
                const Whole move = other;
                const double gain = numbers.gain(s, move);
                if (side * (gain - best) > better) {
                    best = gain;
                    other = chosen[index(s)];
                    chosen[index(s)] = move;
                    changed = true;
                }
            }
            numbers.add_to(s, best);
        }
        std::reverse(order.begin(), order.end());
    }
}

// The process of one who counts moves, and has those that are kept.
Process counting(const Process& process, const std::vector<std::vector<Whole>>& kept,
                 const std::vector<Whole>& chosen) {
    const Whole n = process.size();
    Process made;
    made.first_move = {0};
    made.first_target = {0};
    made.first_weight = process.first_weight;
    made.weights = process.weights;
    made.payoffs.assign(index(n), 0);
    const auto keep = [&](Whole move) {
        for (Whole t = process.first_target[index(move)]; t < process.first_target[index(move + 1)];
             ++t) {
            made.targets.push_back(process.targets[index(t)] % n);
        }
        made.first_target.push_back(static_cast<Whole>(made.targets.size()));
        made.law.push_back(process.law[index(move)]);
        made.reward.push_back(1);
    };
    for (Whole s = 0; s < n; ++s) {
        const auto& several = kept[index(s)];
        if (chosen[index(s)] >= 0) {
            keep(chosen[index(s)]);
            std::for_each(several.begin(), several.end(), keep);
        }
        made.owners.push_back(chosen[index(s)] < 0 ? static_cast<std::int8_t>(ended)
                                                   : static_cast<std::int8_t>(!several.empty()));
        made.first_move.push_back(static_cast<Whole>(made.law.size()));
    }
    made.complete();
    return made;
}

}  // namespace

std::vector<std::int8_t> signs(const Process& process, Whole limbs, const Wide& own, const Wide& seen,
                               const Wide& other, const Wide& one, Whole scale) {
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

Wide shifted(const Wide& numbers, const std::vector<Whole>& steps) {
    const auto limbs = static_cast<Whole>(numbers.size() / std::max(steps.size(), std::size_t{1}));
    if (limbs < 1 || limbs > most_limbs || numbers.size() != steps.size() * index(limbs)) {
        throw BadInput("steps: give one a number");
    }
    const Number unit{1};
    Wide found = numbers;
    for (std::size_t s = 0; s < steps.size(); ++s) {
        add(&found[s * index(limbs)], unit.data(), steps[s], limbs);
    }
    return found;
}

Approach approach(const Process& process, std::vector<Whole> chosen, Wide values, Whole bits,
                  Whole scale, Whole near) {
    constexpr int most_rounds = 40;
    constexpr double longest = 0x1p44;
    const Whole n = process.size();
    const auto limbs = static_cast<Whole>(values.size() / std::max(index(n), std::size_t{1}));
    if (limbs < 1 || limbs > most_limbs || values.size() != index(n * limbs) || bits < 0 ||
        bits >= 64 * limbs || chosen.size() != index(n)) {
        throw BadInput("values: give as many words for each state");
    }
    Numbers numbers{process, limbs, Wide(index(limbs), 0), scale, std::move(values)};
    numbers.one[index(bits / 64)] = Word{1} << (bits % 64);
    Whole largest = n;
    for (int round = 0; round < most_rounds; ++round) {
        if (!ends(process, chosen) || !refine(numbers, chosen, largest)) {
            return {};
        }
        std::vector<std::vector<Whole>> tied(index(n));
        if (!compare(numbers, chosen, std::ldexp(1, static_cast<int>(near)), tied)) {
            sweep(numbers, chosen);
            continue;
        }
        const Guess lengths = guess(counting(process, tied, chosen));
        if (lengths.chosen.empty()) {
            return {};
        }
        Approach found{std::move(chosen), std::move(numbers.values), {}};
        for (const double length : lengths.values) {
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
