/* The line of even chances in Risk: risk_line DEFENDERS

Checks theorem 29 (d) for all d ≤ DEFENDERS: a fighting units beat d with probability V(a, d) of at least 1/2 exactly if
2797a − 2387d is at least 2046 (a + d even) or at least 1935 (a + d odd), except for 168 against 196. As V rises with a
(theorem 7), the program considers for each d and parity only the least such a, and a − 2. For d ≥ 1000 it also checks
that R of (c), times m, is within its bounds at these armies, which are all armies of (c). Prints the range of m·R and
the number of exceptions.

The program uses nothing of the proof: no walk, sum or integral. It counts the outcomes of a round over all rolls, and
computes each V from those of smaller armies, with bounds in integer multiples of 2^−50, rounded down and up, for a in a
band along the line. Below the band V is between 0 and a bound of V(a, d − 1), and above it between the bound of the
band's last a and 1, by theorem 7. The range is computed in doubles. */
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

using Bound = std::uint64_t;
const Bound ONE = 1ull << 50, ROLLS = 7776;  // 2^50·6^5 < 2^63
const double LINE = 2387.0 / 2797, KAPPA[2] = {0.730902923336, 0.691638187033};
const double OF_C[2][2][2] = {{{-5, 8}, {-8, 13}}, {{-21, 21}, {-21, 21}}};  // within 1/20 and 2, by parity
const int MARGIN = 20, EXCEPTION[2] = {168, 196};  // margin: cells beside a band into which the next bands look
Bound counts[4][3][3];  // of 6^5 rolls, by dice of both and what the attacker loses

void count_rolls() {
    for (int i = 1; i <= 3; i++)
        for (int j = 1; j <= 2; j++)
            for (int roll = 0; roll < static_cast<int>(ROLLS); roll++) {
                std::vector<int> attack, defence;
                for (int die = 0, rest = roll; die < 5; die++, rest /= 6) (die < 3 ? attack : defence).push_back(rest % 6);
                attack.resize(i), defence.resize(j);
                std::sort(attack.begin(), attack.end(), std::greater<int>());
                std::sort(defence.begin(), defence.end(), std::greater<int>());
                int lost = 0;
                for (int pair = 0; pair < std::min(i, j); pair++) lost += attack[pair] <= defence[pair];
                counts[i][j][lost]++;
            }
}

int main(int words, char **word) {
    const int most = words == 2 ? std::atoi(word[1]) : 0;
    if (most < 1 || most > 300000) return std::fputs("risk_line: give 1 to 300000 defenders\n", stderr), 2;
    count_rolls();
    const double once = 1.0 * counts[3][2][1] / ROLLS, twice = 1.0 * counts[3][2][2] / ROLLS, mean = once + 2 * twice;
    const double spread = std::sqrt(2 * std::acos(-1) * (once + 4 * twice - mean * mean));  // σ√(2π)
    const int width = most * LINE + 12 * std::sqrt(most) + 60 + MARGIN;
    std::vector<Bound> rows[2][3];  // bounds from below and above, by a, of the last three d
    for (auto &bounds : rows)
        for (auto &row : bounds) row.assign(width, ONE), row[0] = 0;  // no defenders
    double range[2][2][2] = {{{9, -9}, {9, -9}}, {{9, -9}, {9, -9}}};
    long wrong = 0;
    for (int d = 1; d <= most; d++) {
        const int middle = d * LINE, half = 40 + 12 * std::sqrt(d);
        const int first = std::max(1, middle - half), last = middle + half;
        const Bound *now[2];
        for (int up = 0; up < 2; up++) {
            Bound *row = rows[up][d % 3].data();
            const Bound *one = rows[up][(d + 2) % 3].data(), *two = rows[up][(d + 1) % 3].data();
            for (int a = std::max(1, first - MARGIN); a < first; a++) row[a] = up ? one[a] : 0;
            for (int a = first; a <= last; a++) {
                const Bound *c = counts[std::min(a, 3)][std::min(d, 2)];
                const Bound sum = a == 1 || d == 1 ? c[0] * one[a] + c[1] * row[a - 1]
                                                   : c[0] * two[a] + c[1] * one[a - 1] + c[2] * row[a - 2];
                row[a] = (sum + (up ? ROLLS - 1 : 0)) / ROLLS;
            }
            for (int a = last + 1; a <= last + MARGIN; a++) row[a] = up ? ONE : row[last];
            now[up] = row;
        }
        for (int odd = 0; odd < 2; odd++) {
            int least = (2387LL * d + (odd ? 1935 : 2046) + 2796) / 2797;
            least += (least + d + odd) % 2;
            if (d == EXCEPTION[1] && !odd) {
                wrong += least - 2 != EXCEPTION[0];
                least -= 2;
            }
            wrong += 2 * now[0][least] < ONE || (least > 2 && 2 * now[1][least - 2] >= ONE);
            for (int a = least; d >= 1000 && a >= least - 2; a -= 2) {
                const double off = a - LINE * d - KAPPA[odd], m = (a + d + 1) / 2;
                for (int up = 0; up < 2; up++) {
                    const double chance = 1.0 * now[up][a] / ONE - 0.5;
                    const double error = m * (spread * std::sqrt(m) * chance - (2 - mean) / 2 * off);
                    for (int far = std::fabs(off) > 0.05; far < 2; far++) {
                        range[far][odd][0] = std::min(range[far][odd][0], error);
                        range[far][odd][1] = std::max(range[far][odd][1], error);
                        wrong += error < OF_C[far][odd][0] || error > OF_C[far][odd][1];
                    }
                }
            }
        }
    }
    for (int far = 0; far < 2 && most >= 1000; far++)
        for (int odd = 0; odd < 2; odd++)
            std::printf("within %s, a + d %s: m*R from %.3f to %.3f\n", far ? "2" : "1/20", odd ? "odd" : "even",
                        range[far][odd][0], range[far][odd][1]);
    std::printf("up to %d defenders: %ld wrong\n", most, wrong);
    return wrong > 0;
}
