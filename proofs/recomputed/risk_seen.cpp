/* Equal armies in Risk against a defender who sees the dice: risk_seen UNITS

W(a, d) is the probability that a fighting units beat d, if the attacker rolls the most dice and the defender, who sees
them, answers with one die or two, whichever is better. Prints for all n ≤ UNITS how many W(n, n) are not below 1/2,
where W(n, n) is greatest, after how many n from 4 up to there it does not rise, and after how many later n it does not
fall. Exit status 1 if one of these contradicts the conjecture below theorem 28, as far as UNITS goes.

The program computes each W from those of smaller armies, with bounds in integer multiples of 2^−50, rounded down and up,
for a in a band along the diagonal. Below the band W is between 0 and a bound of W(a, d − 1), and above it between the
bound of the band's last a and 1, since W rises with a and falls with d (theorem 28). By that theorem the most dice are
optimal too. */
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

using Bound = std::uint64_t;
const Bound ONE = 1ull << 50, HALF = ONE / 2, ROLLS = 7776;  // 2^50·6^5 < 2^63
const int MARGIN = 30, PEAK = 526;

struct Shown {      // the two highest dice, the second 0 where one is rolled
    Bound ways;     // of 6^3, whatever the number of dice
    Bound alone;    // ways of 36 in which one die of the defender loses
    Bound lost[3];  // of 36 in which two cost the attacker so many
};

std::vector<Shown> shown(int dice) {
    std::vector<Shown> all;
    for (int x = 1; x <= 6; x++)
        for (int y = dice > 1 ? 1 : 0; y <= (dice > 1 ? x : 0); y++) {
            Shown one = {0, Bound(6 * (x - 1)), {0, 0, 0}};
            for (int roll = 0; roll < 216; roll++) {
                int faces[3] = {roll % 6 + 1, roll / 6 % 6 + 1, roll / 36 + 1};
                std::fill(faces + dice, faces + 3, 0);
                for (int i = 0; i < 2; i++)
                    for (int j = 0; j < 2; j++)
                        if (faces[j] < faces[j + 1]) std::swap(faces[j], faces[j + 1]);
                one.ways += faces[0] == x && faces[1] == y;
            }
            for (int answer = 0; answer < 36; answer++) {
                const int high = std::max(answer % 6, answer / 6) + 1, low = std::min(answer % 6, answer / 6) + 1;
                one.lost[(x <= high) + (y && y <= low)]++;
            }
            all.push_back(one);
        }
    return all;
}

int main(int words, char **word) {
    const int most = words == 2 ? std::atoi(word[1]) : 0;
    if (most < 10 || most > 200000) return std::fputs("risk_seen: give 10 to 200000 units\n", stderr), 2;
    const std::vector<Shown> rolls[4] = {{}, shown(1), shown(2), shown(3)};
    const int width = most + 12 * std::sqrt(most) + 60 + MARGIN;
    std::vector<Bound> rows[2][3];
    for (auto &bounds : rows)
        for (auto &row : bounds) row.assign(width, ONE), row[0] = 0;  // no defenders
    std::vector<Bound> equal[2] = {{ONE}, {ONE}};
    for (int d = 1; d <= most; d++) {
        const int half = 40 + 12 * std::sqrt(d), first = std::max(1, d - half), last = d + half;
        for (int up = 0; up < 2; up++) {
            Bound *row = rows[up][d % 3].data();
            const Bound *one = rows[up][(d + 2) % 3].data(), *two = rows[up][(d + 1) % 3].data();
            for (int a = std::max(1, first - MARGIN); a < first; a++) row[a] = up ? one[a] : 0;
            for (int a = first; a <= last; a++) {
                const bool pairs = a > 1 && d > 1;
                const Bound none = pairs ? two[a] : one[a], some = pairs ? one[a - 1] : row[a - 1];
                const Bound all = pairs ? row[a - 2] : 0;
                Bound sum = up ? ROLLS - 1 : 0;
                for (const Shown &roll : rolls[std::min(a, 3)]) {
                    Bound worth = roll.alone * one[a] + (36 - roll.alone) * row[a - 1];
                    if (d > 1)
                        worth = std::min(worth, roll.lost[0] * none + roll.lost[1] * some + roll.lost[2] * all);
                    sum += roll.ways * worth;
                }
                row[a] = sum / ROLLS;
            }
            for (int a = last + 1; a <= last + MARGIN; a++) row[a] = up ? ONE : row[last];
            equal[up].push_back(row[d]);
        }
    }
    const int top = std::max_element(equal[0].begin() + 1, equal[0].end()) - equal[0].begin();
    int level = 0, falls = 0, rises = 0;
    for (int n = 1; n <= most; n++) level += equal[1][n] >= HALF;
    for (int n = 4; n < top; n++) falls += equal[0][n + 1] <= equal[1][n];
    for (int n = top; n < most; n++) rises += equal[1][n + 1] >= equal[0][n];
    std::printf("up to %d units: W(n, n) is not below 1/2 for %d n; greatest at %d, %.9f, and %.9f at the end\n", most,
                level, top, 1.0 * equal[0][top] / ONE, 1.0 * equal[0][most] / ONE);
    std::printf("it does not rise before that, from 4 on, after %d n, and does not fall after %d\n", falls, rises);
    return level || falls || rises || top != std::min(most, PEAK);
}
