/* Creating with few rounds left is as safe as rolling. swe_short ROUNDS PART TABLE ...

The software-engineering game with dice of 4, 6, 8, 12 and 20 faces. The program considers each table without legacy, all
dice in revenue, whose dice all survive a roll with a probability above 1/PART, and each number r of rounds left up to
ROUNDS. It computes the least probability of a catastrophe in r rounds under the safest play, if the dice are rolled as
they are (a) and if a d4 is created first (b). Prints for each r the number of tables with b > a, and the ten lightest of
them as numbers of dice by rung; and how many comparisons are not shown. Ends with "accepted" (exit status 0) if all are
shown, and b > a exactly at each TABLE, such as 0,0,0,9,0, with ROUNDS left; otherwise with "rejected" (1).

If PART is large enough for ROUNDS (38 for 11), then b is at most a at all other tables: theorem 32.

Both probabilities have bounds. For lower bounds, dice that survive with a probability of at most 3/(4 PART) are safe
forever. For upper bounds, a player may skip, which is no better than legal play (theorem 9), and does not move to such
dice. Legacy is fixed from the highest rung down, which is optimal (theorem 9). The program only adds and multiplies
nonnegative numbers; lower bounds are rounded down, upper bounds up. */
#include <algorithm>
#include <array>
#include <cfenv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <unordered_map>
#include <vector>

using Dice = std::array<int, 5>;
using Row = std::vector<double>;
const int FACES[5] = {4, 6, 8, 12, 20}, MOST = 120;

int weight(const Dice &dice) { return dice[0] + 2 * dice[1] + 3 * dice[2] + 4 * dice[3] + 5 * dice[4]; }

double survive(const Dice &dice) {
    double chance = 1;
    for (int i = 0; i < 5; i++) chance *= std::pow(1 - 1.0 / FACES[i], dice[i]);
    return chance;
}

Dice with(Dice dice, int less, int more) {
    if (less >= 0) dice[less]--;
    dice[more]++;
    return dice;
}

long long key(const Dice &dice) {
    long long sum = 0;
    for (int n : dice) sum = sum * MOST + n;
    return sum;
}

using Found = std::unordered_map<long long, Row>;  // chances by rounds, this roll among them
double fails[5][MOST][MOST];                 // by rung, dice and failures

Row solve(const Dice &dice, int rounds, bool above, const Found &others) {
    int size[5], step[5], splits = 1;  // a split: how many of each rung are in revenue
    for (int i = 0; i < 5; i++) size[i] = dice[i] + 1, step[i] = splits, splits *= size[i];
    std::vector<const Row *> moves;
    bool leaves = false;
    for (int i = -1; i < 4; i++) {
        if (i >= 0 && !dice[i]) continue;
        const auto then = others.find(key(with(dice, i, i + 1)));
        if (then != others.end()) moves.push_back(&then->second);
        leaves = leaves || then == others.end();
    }
    std::vector<int> then(splits);  // by a fix
    for (int split = 0; split < splits - 1; split++) {
        int i = 4;
        while (split / step[i] % size[i] == dice[i]) i--;
        then[split] = split + step[i];
    }
    Row mine(1, 0), after(splits, 0), now;
    for (int r = 1; r <= rounds; r++) {
        now = after;
        now[0] = 1;
        for (int i = 0; i < 5; i++)
            for (int block = 0; dice[i] && block < splits; block += step[i] * size[i])
                for (int n = dice[i]; n > 0; n--) {
                    double *to = &now[block + n * step[i]];
                    for (int s = 0; s < step[i]; s++) to[s] *= fails[i][n][0];
                    for (int k = 1; k <= n; k++) {
                        const double chance = fails[i][n][k], *from = to - k * step[i];
                        for (int s = 0; s < step[i]; s++) to[s] += chance * from[s];
                    }
                }
        mine.push_back(now[splits - 1]);
        double least = above ? now[splits - 1] : leaves ? 0 : 1;
        for (const Row *move : moves) least = std::min(least, (*move)[r]);
        for (int split = 0; split < splits - 1; split++) after[split] = now[then[split]];
        after[splits - 1] = least;
    }
    return mine;
}

Found bounds(const std::vector<Dice> &all, int rounds, bool above) {
    std::fesetround(above ? FE_UPWARD : FE_DOWNWARD);
    for (int i = 0; i < 5; i++) {
        fails[i][0][0] = 1;
        for (int n = 1; n < MOST; n++)
            for (int k = 0; k <= n; k++)
                fails[i][n][k] = (k < n ? fails[i][n - 1][k] * (FACES[i] - 1) / FACES[i] : 0) +
                                 (k ? fails[i][n - 1][k - 1] / FACES[i] : 0);
    }
    Found found;
    for (const Dice &dice : all) found[key(dice)] = solve(dice, rounds, above, found);
    std::fesetround(FE_TONEAREST);
    return found;
}

int main(int words, char **word) {
    const int rounds = words > 2 ? std::atoi(word[1]) : 0, part = words > 2 ? std::atoi(word[2]) : 0;
    if (rounds < 1 || rounds > 50 || part < 2 || part > 100)
        return std::fputs("swe_short: give rounds from 1 to 50, a part from 2 to 100, and tables\n", stderr), 2;
    std::fesetround(FE_UPWARD);
    volatile double three = 3, up = 1 / three;
    std::fesetround(FE_DOWNWARD);
    if (!(1 / three < up)) return std::fputs("no directed rounding here\n", stderr), 2;
    std::fesetround(FE_TONEAREST);
    const double least = (1 - 1e-9) / part;
    std::vector<Dice> all;
    Dice x{};
    const auto kept = [&]() { return survive(x) > 0.75 * (1 - 1e-9) * least; };
    for (x[0] = 0; kept(); x[0]++, x[1] = 0)
        for (; kept(); x[1]++, x[2] = 0)
            for (; kept(); x[2]++, x[3] = 0)
                for (; kept(); x[3]++, x[4] = 0)
                    for (; kept(); x[4]++)
                        if (weight(x)) all.push_back(x);
    std::stable_sort(all.begin(), all.end(), [](const Dice &y, const Dice &z) { return weight(y) > weight(z); });
    const Found low = bounds(all, rounds, false), high = bounds(all, rounds, true);
    std::vector<std::vector<Dice>> worse(rounds + 1);
    long tables = 0, open = 0;
    for (auto dice = all.rbegin(); dice != all.rend(); ++dice) {
        if (survive(*dice) <= least) continue;
        tables++;
        const long long here = key(*dice), fifth = key(with(*dice, -1, 0));
        for (int r = 1; r <= rounds; r++) {
            const bool is_worse = low.at(fifth)[r] > high.at(here)[r];
            if (is_worse) worse[r].push_back(*dice);
            open += !is_worse && !(high.at(fifth)[r] < low.at(here)[r]);
        }
    }
    for (int r = 1; r <= rounds; r++) {
        std::printf("%d rounds left, %zu tables:", r, worse[r].size());
        for (size_t i = 0; i < std::min<size_t>(10, worse[r].size()); i++)
            for (int k = 0; k < 5; k++) std::printf("%c%d", k ? ',' : ' ', worse[r][i][k]);
        std::puts("");
    }
    std::printf("%ld tables; not shown: %ld\n", tables, open);
    std::vector<Dice> named;
    for (int i = 3; i < words; i++) {
        Dice d{};
        if (std::sscanf(word[i], "%d,%d,%d,%d,%d", &d[0], &d[1], &d[2], &d[3], &d[4]) == 5) named.push_back(d);
    }
    bool accepted = !open && named.size() == size_t(words - 3);
    std::sort(named.begin(), named.end());
    for (int r = 1; r <= rounds; r++) {
        std::sort(worse[r].begin(), worse[r].end());
        accepted = accepted && worse[r] == (r < rounds ? std::vector<Dice>() : named);
    }
    return std::puts(accepted ? "accepted" : "rejected"), !accepted;
}
