/* Tables at which creating a die is less safe than rolling: swe_safer SUM

The software-engineering game with dice of 4, 6, 8, 12 and 20 faces. For each table without legacy, all dice in
revenue, and each number r of rounds left with weight + r ≤ SUM, the program computes the least probability of a
catastrophe in r rounds under the safest play: if the dice are rolled as they are (a), if a d4 is created first (b), and
if a die is promoted first (c). Legacy is fixed from the highest rung down, which is optimal (theorem 9). Prints for
each r the number of tables with b > a, and the ten lightest of them as numbers of dice by rung; then the number of
tables with b < c although c < b with fewer rounds left; and how many comparisons are too close.

Probabilities are doubles, computed by at most 10^5 successive additions and multiplications of positive numbers for
SUM < 80. So their relative error is below 10^-10; differences below 10^-9 are counted as too close. */
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

using Dice = std::array<int, 5>;
const int FACES[5] = {4, 6, 8, 12, 20};
const double CLOSE = 1 + 1e-9;
double binomial[5][81][81];  // by rung, dice and failures

Dice with(Dice dice, int less, int more) {
    if (less >= 0) dice[less]--;
    dice[more]++;
    return dice;
}

int main(int words, char **word) {
    const int sum = words == 2 ? std::atoi(word[1]) + 1 : 0;  // a die that is created weighs 1 more
    if (sum < 3 || sum > 80) return std::fputs("swe_safer: give a sum from 2 to 79\n", stderr), 2;
    for (int i = 0; i < 5; i++) {
        binomial[i][0][0] = 1;
        for (int n = 1; n <= sum; n++)
            for (int k = 0; k <= n; k++)
                binomial[i][n][k] = (k < n ? binomial[i][n - 1][k] * (FACES[i] - 1) / FACES[i] : 0) +
                                    (k ? binomial[i][n - 1][k - 1] / FACES[i] : 0);
    }
    std::vector<std::vector<Dice>> of_weight(sum + 1);
    for (int e = 0; 5 * e < sum; e++)
        for (int d = 0; 5 * e + 4 * d < sum; d++)
            for (int c = 0; 5 * e + 4 * d + 3 * c < sum; c++)
                for (int b = 0; 5 * e + 4 * d + 3 * c + 2 * b < sum; b++)
                    for (int a = 0, w; (w = 5 * e + 4 * d + 3 * c + 2 * b + a) < sum; a++)
                        of_weight[w].push_back({a, b, c, d, e});
    std::map<Dice, std::vector<double>> rolled;  // by rounds, this roll among them
    std::vector<std::vector<Dice>> worse(sum + 1);
    long back = 0, compared = 0, close = 0;
    for (int weight = sum - 1; weight >= 1; weight--)
        for (const Dice &dice : of_weight[weight]) {
            int size[5], step[5], splits = 1;  // a split: how many of each rung are in revenue
            for (int i = 0; i < 5; i++) size[i] = dice[i] + 1, step[i] = splits, splits *= size[i];
            std::vector<double> after(splits, 0), chance, &mine = rolled[dice];
            mine.assign(1, 0);
            bool promotes = false;
            for (int r = 1; r <= sum - weight; r++) {
                chance = after;  // of a catastrophe later, by what survives
                chance[0] = 1;
                for (int i = 0; i < 5; i++)
                    for (int split = splits - 1; split >= 0; split--) {
                        const int n = split / step[i] % size[i];
                        double mean = 0;
                        for (int k = 0; k <= n; k++) mean += binomial[i][n][k] * chance[split - k * step[i]];
                        chance[split] = mean;
                    }
                mine.push_back(chance[splits - 1]);
                for (int split = 0; split < splits - 1; split++) {
                    int i = 4;
                    while (split / step[i] % size[i] == dice[i]) i--;
                    after[split] = chance[split + step[i]];
                }
                if (r == sum - weight) break;
                const double a = mine[r], b = rolled[with(dice, -1, 0)][r];
                double c = 2;
                for (int i = 0; i < 4; i++)
                    if (dice[i]) c = std::min(c, rolled[with(dice, i, i + 1)][r]);
                after[splits - 1] = std::min(b, c);
                if (b > a * CLOSE) worse[r].push_back(dice);
                if (promotes && c > b * CLOSE) back++;
                if (b > c * CLOSE) promotes = true;
                compared++;
                close += (b <= a * CLOSE && a <= b * CLOSE) + (b <= c * CLOSE && c <= b * CLOSE);
            }
        }
    for (int r = 1; r < sum; r++) {
        if (worse[r].empty()) continue;
        std::printf("%d rounds left, %zu tables:", r, worse[r].size());
        std::reverse(worse[r].begin(), worse[r].end());  // the heaviest came first
        for (size_t i = 0; i < std::min<size_t>(10, worse[r].size()); i++)
            for (int k = 0; k < 5; k++) std::printf("%c%d", k ? ',' : ' ', worse[r][i][k]);
        std::puts("");
    }
    std::printf("creating is the safer again: %ld of %ld; too close: %ld\n", back, compared, close);
    return back || close;
}
