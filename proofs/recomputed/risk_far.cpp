/* Large equal armies in Risk against a defender who sees the dice: risk_far UNITS

W(a, d) is the probability that a fighting units beat d, if both sides play optimally and the defender sees the attacker's
dice. Prints the number of n ≤ UNITS with W(n, n) not below 1/2, and an upper bound of W(UNITS, UNITS). Exit status 1 if
there is such an n.

Up to START units in all, W is computed as in theorem 28: the attacker rolls the most dice. Beyond that the program computes
upper bounds in a band along the diagonal. There the defender rolls one die against 54, 55, 64, 65 and 66, and two dice
otherwise. This choice may be worse than the best one, so the result is an upper bound of W. It is linear in the values of
smaller armies. W rises with a and falls with d (theorem 28). So a value to the left of the band, with fewer attackers and
as many units in all, is at most that of the first cell in the band. A value to its right is at most 1. All
arithmetic is in doubles that are rounded upwards. */
#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define WIDE __attribute__((target_clones("default", "arch=haswell"), optimize("O3")))
#else
#define WIDE
#endif

const int START = 2000, MARGIN = 8;

struct Roll {        // the two highest dice
    double ways;     // of 216
    double alone;    // ways of 36 in which one die of the defender loses
    double lost[3];  // of 36 in which two dice cost the attacker so many units
    bool one;        // whether the bound lets the defender roll one die
};

std::vector<Roll> rolls(int dice) {
    std::vector<Roll> all;
    for (int x = 1; x <= 6; x++)
        for (int y = dice > 1 ? 1 : 0; y <= (dice > 1 ? x : 0); y++) {
            Roll of = {0, 6.0 * (x - 1), {0, 0, 0}, x >= 5 && y >= 4};
            for (int roll = 0; roll < 216; roll++) {
                int faces[3] = {roll % 6 + 1, roll / 6 % 6 + 1, roll / 36 + 1};
                std::fill(faces + dice, faces + 3, 0);
                std::sort(faces, faces + 3, [](int a, int b) { return a > b; });
                of.ways += faces[0] == x && faces[1] == y;
            }
            for (int answer = 0; answer < 36; answer++) {
                const int high = std::max(answer % 6, answer / 6) + 1, low = std::min(answer % 6, answer / 6) + 1;
                of.lost[(x <= high) + (y && y <= low)]++;
            }
            all.push_back(of);
        }
    return all;
}

// Upper bounds of W for all armies of at most START units together.
std::vector<std::vector<double>> small() {
    const std::vector<Roll> of[4] = {{}, rolls(1), rolls(2), rolls(3)};
    std::vector<std::vector<double>> win(START + 1);
    for (int a = 0; a <= START; a++) win[a].assign(START + 1 - a, a ? 1 : 0);
    for (int units = 2; units <= START; units++)
        for (int a = 1; a < units; a++) {
            const int d = units - a;
            double sum = 0;
            for (const Roll &roll : of[std::min(a, 3)]) {
                double worth = (roll.alone * win[a][d - 1] + (36 - roll.alone) * win[a - 1][d]) / 36;
                if (d > 1 && a > 1)
                    worth = std::min(worth, (roll.lost[0] * win[a][d - 2] + roll.lost[1] * win[a - 1][d - 1] +
                                             roll.lost[2] * win[a - 2][d]) / 36);
                else if (d > 1)
                    worth = std::min(worth, (roll.lost[0] * win[a][d - 1] + roll.lost[1] * win[a - 1][d]) / 36);
                sum += roll.ways * worth;
            }
            win[a][d] = std::min(1.0, sum / 216);
        }
    return win;
}

// One line of constant a + d from those with one unit less and two units less; each starts at the same a.
WIDE void line(double *to, const double *less, const double *least, const double *two, const double *one, int cells) {
    const double t0 = two[0], t1 = two[1], t2 = two[2], o0 = one[0], o1 = one[1];
    for (int i = 0; i < cells; i++)
        to[i] = t0 * least[i] + t1 * least[i - 1] + t2 * least[i - 2] + o0 * less[i] + o1 * less[i - 1];
}

int main(int words, char **word) {
    const int most = words == 2 ? std::atoi(word[1]) : 0;
    if (most < START || most > 10000000) return std::fputs("risk_far: give 2000 to 10000000 units\n", stderr), 2;
    std::fesetround(FE_UPWARD);
    double two[3] = {0, 0, 0}, one[2] = {0, 0};
    for (const Roll &roll : rolls(3)) {
        if (roll.one) one[0] += roll.ways * roll.alone, one[1] += roll.ways * (36 - roll.alone);
        else for (int k = 0; k < 3; k++) two[k] += roll.ways * roll.lost[k];
    }
    for (double &chance : two) chance /= 7776;
    for (double &chance : one) chance /= 7776;

    const auto win = small();
    int level = 0;
    for (int n = 1; 2 * n <= START; n++) level += win[n][n] >= 0.5;
    const int middle = 4 * std::sqrt(2.0 * most) + 100;  // the place of a = ⌊units/2⌋ in a line
    std::vector<double> lines[3];
    for (int units = START - 1; units <= START; units++) {
        auto &at = lines[units % 3];
        at.assign(2 * middle, 1);
        for (int i = 0; i < 2 * middle; i++) {
            const int a = units / 2 + i - middle;
            at[i] = a < 0 ? 0 : a > units ? 1 : win[a][units - a];
        }
    }
    lines[(START + 1) % 3].assign(2 * middle, 1);
    for (int units = START + 1; units <= 2 * most; units++) {
        const int half = 3 * std::sqrt(units) + 30, odd = units % 2;
        double *to = lines[units % 3].data() + middle - half;
        const double *less = lines[(units + 2) % 3].data() + middle - half + !odd;
        const double *least = lines[(units + 1) % 3].data() + middle - half + 1;
        line(to, less, least, two, one, 2 * half + 1);
        std::fill(to - MARGIN, to, to[0]);
        std::fill(to + 2 * half + 1, to + 2 * half + 1 + MARGIN, 1);
        level += !odd && to[half] >= 0.5;
    }
    std::printf("up to %d units: W(n, n) may be 1/2 or more for %d n; at most %.6f at the end\n", most, level,
                lines[2 * most % 3][middle]);
    return level > 0;
}
