/* The variance of the score over all optimal policies of Yahtzee for one player: yahtzee_spread LEAST MOST

Checks that the least and the greatest variance are between LEAST and LEAST + 10^-6, and between MOST and MOST + 10^-6.
Thirteen turns of three rolls, any dice kept; an upper box scores the sum of its face, and 63 points in the upper boxes
bring 35. Five alike score 50 in their box. If that box is filled, five alike are a joker when the upper box of their face
is filled: they score in full in every lower box (25, 30 and 40 in full house and the straights). If it holds 50, they bring
100 more in any box. These are the rules with the published mean 254.5896.

The states between turns are the open boxes, the upper points up to 63, and whether the box of five alike holds 50. For
each the program computes the mean of the points to come under optimal play, in doubles rounded down and up, and modulo
eight primes P. A choice whose upper bound is below the lower bound of another is not optimal. Among the others every two
must be equal modulo all P. Then they are equal: with k open boxes both are multiples of 6^(-15k + 5), for at most ten dice
are rolled after the first choice of a turn, and fifteen in each later turn; and they differ by less than 2^-28. So their
difference times 6^190 is an integer below 2^464, and it is a multiple of the product of the primes, which is greater.
Hence the choices that are left are exactly the optimal ones. All optimal policies have the same means in all states that
they reach, so the mean square of the points to come satisfies an equation of its own: with p points for a box, it is
p^2 + 2p·mean + mean square afterwards. Its greatest and least values, over the optimal choices, are computed in the same
pass, rounded up and down. A policy that chooses at random, or by earlier turns, has a mean square between them.

Exit status: 0 accepted, 1 rejected, 2 invalid arguments. */
#include <algorithm>
#include <array>
#include <cfenv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

const int PRIMES = 8, FULL = 63, FIVE = 11, CHANCE = 12;
using Word = std::uint64_t;
using Residues = std::array<Word, PRIMES>;
using Roll = std::array<int, 6>;  // number of dice of each face

bool is_prime(Word n) {  // Miller-Rabin with bases that decide for all 64-bit numbers
    auto power = [n](Word base, Word e) {
        Word result = 1;
        for (; e; e >>= 1, base = (unsigned __int128)base * base % n)
            if (e & 1) result = (unsigned __int128)result * base % n;
        return result;
    };
    for (Word base : {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37}) {
        Word x = n - 1, y;
        do { x /= 2; y = power(base, x); } while (y == 1 && x % 2 == 0);
        if (y != 1 && y != n - 1) {
            bool passes = false;
            for (Word e = x; e < n - 1 && !passes; e *= 2) passes = power(base, e) == n - 1;
            if (!passes) return false;
        }
    }
    return true;
}

Word P[PRIMES], SIXTH[PRIMES];

struct Worth {          // bounds of the points to come; all arithmetic is rounded up
    double high, nlow;  // the mean is at most high, and its negative is at most nlow
    double most, nmost, least, nleast;  // the same of the greatest and of the least mean square
    Residues mean;
};

std::vector<Roll> kept;                // all multisets of at most five dice, by size
std::vector<std::array<int, 6>> with;  // the multiset with one die more
std::vector<std::vector<int>> within;  // for the 252 of five dice: what may be kept
int first_full;

void prepare() {
    std::map<Roll, int> place;
    for (int size = 0; size <= 5; size++) {
        if (size == 5) first_full = kept.size();
        for (int code = 0; code < 46656; code++) {
            Roll dice;
            int sum = 0, rest = code;
            for (int &n : dice) n = rest % 6, rest /= 6, sum += n;
            if (sum == size) place[dice] = kept.size(), kept.push_back(dice);
        }
    }
    with.resize(kept.size());
    for (int i = 0; i < first_full; i++)
        for (int face = 0; face < 6; face++) {
            Roll more = kept[i];
            more[face]++;
            with[i][face] = place.at(more);
        }
    for (std::size_t i = first_full; i < kept.size(); i++) {
        within.emplace_back();
        for (std::size_t j = 0; j < kept.size(); j++) {
            bool fits = true;
            for (int face = 0; face < 6; face++) fits &= kept[j][face] <= kept[i][face];
            if (fits) within.back().push_back(j);
        }
    }
    Word candidate = Word(1) << 61;
    for (int i = 0; i < PRIMES; i++) {
        do candidate--; while (!is_prime(candidate));
        P[i] = candidate;
        for (Word k = 1; k < 6; k++)  // (k·P + 1)/6 is the inverse of 6
            if ((k * (P[i] % 6) + 1) % 6 == 0) SIXTH[i] = (Word)(((unsigned __int128)k * P[i] + 1) / 6);
    }
}

long ties, unclear;
double widest;

// The best of several choices, and all that are equally good.
template <class Of> Worth best(int count, const Of &of) {
    double nlow = of(0).nlow;
    int top = 0;
    for (int i = 1; i < count; i++)
        if (of(i).nlow < nlow) nlow = of(i).nlow, top = i;
    Worth result = of(top);
    for (int i = 0; i < count; i++) {
        const Worth &other = of(i);
        if (i == top || other.high + nlow < 0) continue;  // rounded up: high is below the lower bound
        unclear += other.mean != result.mean;
        ties++;
        widest = std::max(widest, std::max(other.high, result.high) + std::max(other.nlow, nlow));
        result.high = std::min(result.high, other.high);  // equal numbers are in both intervals
        result.most = std::max(result.most, other.most), result.nmost = std::min(result.nmost, other.nmost);
        result.least = std::min(result.least, other.least), result.nleast = std::max(result.nleast, other.nleast);
    }
    return result;
}

// The mean over the dice that are rolled, for all that may be kept.
void average(std::vector<Worth> &of) {
    for (int i = first_full; i--;) {
        Worth &to = of[i];
        double high = 0, nlow = 0, most = 0, nmost = 0, least = 0, nleast = 0;
        Residues sum{};
        for (int next : with[i]) {
            const Worth &part = of[next];
            high += part.high, nlow += part.nlow, most += part.most, nmost += part.nmost;
            least += part.least, nleast += part.nleast;
            for (int k = 0; k < PRIMES; k++) sum[k] += part.mean[k];  // at most 6·2^61
        }
        to.high = high / 6, to.nlow = nlow / 6, to.most = most / 6, to.nmost = nmost / 6;
        to.least = least / 6, to.nleast = nleast / 6;
        for (int k = 0; k < PRIMES; k++) to.mean[k] = (unsigned __int128)(sum[k] % P[k]) * SIXTH[k] % P[k];
    }
}

int points(int box, const Roll &dice, bool joker) {
    int sum = 0, alike = 0, kinds = 0, run = 0, longest = 0;
    for (int face = 0; face < 6; face++) {
        sum += (face + 1) * dice[face], alike = std::max(alike, dice[face]), kinds += dice[face] > 0;
        run = dice[face] ? run + 1 : 0, longest = std::max(longest, run);
    }
    switch (box) {
        case 6: return alike >= 3 ? sum : 0;
        case 7: return alike >= 4 ? sum : 0;
        case 8: return joker || (kinds == 2 && alike == 3) ? 25 : 0;
        case 9: return joker || longest >= 4 ? 30 : 0;
        case 10: return joker || longest >= 5 ? 40 : 0;
        case FIVE: return alike == 5 ? 50 : 0;
        case CHANCE: return sum;
        default: return (box + 1) * dice[box];
    }
}

int main(int words, char **word) {
    if (words != 3) return std::fputs("yahtzee_spread: give two variances\n", stderr), 2;
    prepare();
    std::fesetround(FE_UPWARD);
    std::vector<Worth> known((1 << 13) * 64 * 2);
    auto place = [](int open, int upper, bool holds) { return (open * 64 + upper) * 2 + holds; };
    std::vector<Worth> last(kept.size()), middle(kept.size());
    const int rolls = kept.size() - first_full;
    for (int open = 0; open < 1 << 13; open++)
        for (int upper = 0; upper <= FULL; upper++)
            for (int holds = 0; holds < (open >> FIVE & 1 ? 1 : 2); holds++) {
                Worth &here = known[place(open, upper, holds)];
                if (!open) {
                    here = {0, 0, 0, 0, 0, 0, {}};
                    continue;
                }
                for (int r = 0; r < rolls; r++) {
                    const Roll &dice = kept[first_full + r];
                    int face = 0;
                    while (face < 6 && dice[face] < 5) face++;
                    const bool again = face < 6 && !(open >> FIVE & 1), joker = again && !(open >> face & 1);
                    std::array<Worth, 13> options;
                    int count = 0;
                    for (int box = 0; box < 13; box++) {
                        if (!(open >> box & 1)) continue;
                        const int own = points(box, dice, joker), now_upper = box < 6 ? std::min(FULL, upper + own) : upper;
                        const bool holds_now = holds || (box == FIVE && own > 0);
                        const int bonus = now_upper == FULL && upper < FULL ? 35 : 0;
                        const int won = own + bonus + (again && holds ? 100 : 0);
                        const Worth &next = known[place(open & ~(1 << box), now_upper, holds_now)];
                        Worth &to = options[count++];
                        to.high = next.high + won, to.nlow = next.nlow - won;
                        to.most = next.most + 2.0 * won * next.high + won * won;
                        to.nmost = next.nmost + 2.0 * won * next.nlow - won * won;
                        to.least = next.least + 2.0 * won * next.high + won * won;
                        to.nleast = next.nleast + 2.0 * won * next.nlow - won * won;
                        for (int k = 0; k < PRIMES; k++) to.mean[k] = (next.mean[k] + won) % P[k];
                    }
                    last[first_full + r] = best(count, [&](int i) -> const Worth & { return options[i]; });
                }
                for (int rerolls = 0; rerolls < 2; rerolls++) {
                    average(last);
                    for (int r = 0; r < rolls; r++) {
                        const auto &may = within[r];
                        middle[first_full + r] =
                            best(may.size(), [&](int i) -> const Worth & { return last[may[i]]; });
                    }
                    std::copy(middle.begin() + first_full, middle.end(), last.begin() + first_full);
                }
                average(last);
                here = last[0];
            }
    const Worth &start = known[place((1 << 13) - 1, 0, false)];
    const double high2 = start.high * start.high, nlow2 = start.nlow * -start.nlow;  // nlow2: minus the square
    const double low[] = {-(start.nleast + high2), -(start.nmost + high2)};
    const double high[] = {start.least + nlow2, start.most + nlow2};
    bool is_fit = true;
    std::printf("mean from %.9f to %.9f\n", -start.nlow, start.high);
    for (int i = 0; i < 2; i++) {
        std::printf("%s variance from %.9f to %.9f\n", i ? "greatest" : "least", low[i], high[i]);
        is_fit &= std::atof(word[i + 1]) <= low[i] && high[i] <= std::atof(word[i + 1]) + 1e-6;
    }
    std::printf("%ld ties, %ld unclear; bounds at most %.1e apart\n", ties, unclear, widest);
    return unclear || widest > 3e-9 || !is_fit;
}
