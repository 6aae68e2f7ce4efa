/* Four d4: creating a fifth is less safe than rolling them. swe_four DICE WEIGHT ROUNDS FIRST LAST

The software-engineering game with dice of 4, 6, 8, 12 and 20 faces. Shows, for each number of rounds left from
FIRST to LAST, that the least chance of a catastrophe in them is less after rolling four d4 as they are than after
creating a fifth. Ends with "accepted" (exit status 0) or "rejected" (1). The proof is that of theorem 31:

*Below.* For one who created, what is heavier than WEIGHT is taken to be safe for ever. More rounds are no safer, so
what is found for ROUNDS is a bound for more of them.

*Above.* One who rolls plays on with four dice at most, or with DICE at most of which all but one are d20; and may skip,
which is no better than legal play (theorem 9). If there are DICE d20 after ROUNDS rounds, one is fixed in each round in which one is in legacy. Let h(k) be the chance that k of
them in revenue meet a catastrophe in so many rounds, and rise the most that it rises by a round more, over all k from 1 on:
then in m rounds more it is h(k) + m·rise at most, by induction. Else it is taken to be 1.

Legacy is fixed from the highest rung down, which is best (theorem 9). All numbers are added and multiplied and not
negative; those below are rounded down, those above up. */
#include <algorithm>
#include <array>
#include <cfenv>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

using Dice = std::array<int, 5>;
using Row = std::vector<double>;
const int FACES[5] = {4, 6, 8, 12, 20};

int weight(const Dice &dice) { return dice[0] + 2 * dice[1] + 3 * dice[2] + 4 * dice[3] + 5 * dice[4]; }
int number(const Dice &dice) { return dice[0] + dice[1] + dice[2] + dice[3] + dice[4]; }

Dice with(Dice dice, int less, int more) {
    if (less >= 0) dice[less]--;
    dice[more]++;
    return dice;
}

struct Bound {
    bool above;
    int most, rounds;                  // DICE above, WEIGHT below
    std::vector<Row> chance[5] = {};   // that k of n dice fail
    std::map<Dice, Row> rolled = {};   // chances of a catastrophe, all in revenue and rolled, by rounds
    double rise = 0, at_last = 0;      // four d4 rolled, for ROUNDS and as many as one likes: at_last + m·rise

    bool holds(const Dice &dice) const {
        const int n = number(dice);
        return above ? n <= 4 || (n <= most && dice[4] >= n - 1) : weight(dice) <= most;
    }

    // From the d20 on down: less dice are no heavier, and are held too.
    void list(Dice dice, int rung, std::vector<Dice> &all) const {
        if (rung < 0) {
            if (number(dice)) all.push_back(dice);
            return;
        }
        for (; holds(dice); dice[rung]++) list(dice, rung - 1, all);
    }

    void roll(const Dice &dice, const int *step, Row &of) const {
        for (int i = 0; i < 5; i++)
            for (int split = (int)of.size() - 1; dice[i] && split >= 0; split--) {
                const int n = split / step[i] % (dice[i] + 1);
                double mean = 0;
                for (int k = 0; k <= n; k++) mean += chance[i][n][k] * of[split - k * step[i]];
                of[split] = mean;
            }
    }

    // By rounds, with what is found after the last of them; after: by what survives.
    Row solve(const Dice &dice, Row after, const std::map<Dice, Row> &others, Row *last = nullptr) const {
        int step[5], splits = 1;
        for (int i = 0; i < 5; i++) step[i] = splits, splits *= dice[i] + 1;
        Row mine(1, 0);
        for (int r = 1; r <= rounds; r++) {
            Row now = after;
            now[0] = 1;
            roll(dice, step, now);
            mine.push_back(now[splits - 1]);
            for (int split = 0; split < splits - 1; split++) {
                int i = 4;
                while (split / step[i] % (dice[i] + 1) == dice[i]) i--;
                after[split] = now[split + step[i]];
            }
            double least = above ? mine[r] : 1;
            for (int i = -1; i < 4; i++) {
                if (i >= 0 && !dice[i]) continue;
                const auto then = others.find(with(dice, i, i + 1));
                if (then != others.end()) least = std::min(least, then->second[r]);
                else if (!above) least = 0;
            }
            after[splits - 1] = least;
        }
        if (last) after[0] = 1, *last = after;
        return mine;
    }

    void run() {
        std::fesetround(above ? FE_UPWARD : FE_DOWNWARD);
        for (int i = 0; i < 5; i++) {
            chance[i].assign(1, Row(1, 1.0));
            for (int n = 1; n <= most; n++) {
                chance[i].emplace_back(n + 1);
                for (int k = 0; k <= n; k++)
                    chance[i][n][k] = (k < n ? chance[i][n - 1][k] * (FACES[i] - 1) / FACES[i] : 0) +
                                      (k ? chance[i][n - 1][k - 1] / FACES[i] : 0);
            }
        }
        std::vector<Dice> all;
        list(Dice{}, 4, all);
        std::sort(all.begin(), all.end(), [](const Dice &x, const Dice &y) { return weight(x) > weight(y); });
        const auto splits = [](const Dice &dice) {
            int cells = 1;
            for (int n : dice) cells *= n + 1;
            return cells;
        };
        for (const Dice &dice : all) rolled[dice] = solve(dice, Row(splits(dice), 0), rolled);
        if (!above) return;
        const Dice top{0, 0, 0, 0, most};
        std::map<Dice, Row> ends;  // the same, if what comes after is counted too
        Row hit, again;
        solve(top, Row(most + 1, 0), {}, &hit);
        again = hit;
        const int step[5] = {1, 1, 1, 1, 1};
        roll(top, step, again);
        for (int k = 1; k <= most; k++) rise = std::max(rise, again[std::min(k + 1, most)] - hit[k]);
        for (const Dice &dice : all) ends[dice] = solve(dice, dice == top ? hit : Row(splits(dice), 1), ends);
        at_last = ends[Dice{4, 0, 0, 0, 0}][rounds];
    }
};

int main(int words, char **word) {
    if (words != 6) return std::fputs("give DICE WEIGHT ROUNDS FIRST LAST\n", stderr), 2;
    const int dice = std::atoi(word[1]), weight = std::atoi(word[2]), rounds = std::atoi(word[3]),
              first = std::atoi(word[4]);
    const double last = std::atof(word[5]);
    if (dice < 4 || dice > 30 || weight < 5 || weight > 60 || first < 1 || rounds < first || last < rounds || last > 1e15)
        return std::fputs("no such bounds\n", stderr), 2;
    std::fesetround(FE_UPWARD);
    volatile double three = 3, up = 1 / three;
    std::fesetround(FE_DOWNWARD);
    if (!(1 / three < up)) return std::fputs("no directed rounding here\n", stderr), 2;
    Bound created{false, weight, rounds}, kept{true, dice, rounds};
    created.run();
    kept.run();
    const Row &low = created.rolled[Dice{5, 0, 0, 0, 0}], &high = kept.rolled[Dice{4, 0, 0, 0, 0}];
    bool shown = true;
    for (int r = first; r <= rounds; r++) shown = shown && high[r] < low[r];
    const double at_end = kept.at_last + last * kept.rise;  // still rounded up
    std::fesetround(FE_TONEAREST);
    std::printf("%d rounds: at most %.9f after rolling, at least %.9f after creating\n", first, high[first], low[first]);
    std::printf("%d rounds: at most %.9f after rolling, at least %.9f after creating\n", rounds, high[rounds], low[rounds]);
    std::printf("%.0f rounds: at most %.9f after rolling, each round adding %.3g\n", last, at_end, kept.rise);
    shown = shown && at_end < low[rounds];
    return std::puts(shown ? "accepted: creating is less safe" : "rejected: not shown"), !shown;
}
