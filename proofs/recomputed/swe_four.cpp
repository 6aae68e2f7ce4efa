/* Creating is less safe than rolling with any number of rounds left. swe_four DICE WEIGHT FEW ROUNDS FIRST LIGHT

The software-engineering game with dice of 4, 6, 8, 12 and 20 faces. Shows that the least probability of a catastrophe is
smaller after rolling four d4 as they are than after creating a fifth, with any number of rounds left from FIRST on. For
the tables without legacy of a weight up to LIGHT it prints where this holds with any number of rounds from FEW on, and
where the opposite holds. Ends with "accepted" (exit status 0), or with "rejected" (1) if something is not shown. The
proof is that of theorem 31:

*Lower bounds.* Tables that are heavier than WEIGHT, or have DICE dice, are assumed to be safe forever. This bounds the
probability of a catastrophe within FEW rounds.

*Upper bounds.* Play keeps to at most four dice, or to at most eight on three neighbouring rungs, or to at most DICE of
which all but one are d20; it may also skip, which is no better than legal play (theorem 9). The goal is that DICE d20 are
all in revenue after at least FEW and at most ROUNDS rounds. The program bounds the probability of missing it.

If the upper bound of one table is less than the lower bound of another, then the first table is safer with FEW rounds
left and with any larger number. With fewer rounds, the probabilities are bounded for each number.

Legacy is fixed from the highest rung down, which is optimal (theorem 9). The program only adds and multiplies nonnegative
numbers; lower bounds are rounded down, upper bounds up. */
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
    bool above, goal;  // goal: the chance to miss it, else that of a catastrophe
    int dice, weight, few, rounds;
    std::vector<Row> chance[5] = {};   // that k of n dice fail
    std::map<Dice, Row> rolled = {};   // the chances, all in revenue and rolled, by rounds that are left

    bool holds(const Dice &table) const {
        const int n = number(table);
        if (!above) return n < dice && ::weight(table) <= weight;
        int low = 0, high = 4;
        while (low < 4 && !table[low]) low++;
        while (high > 0 && !table[high]) high--;
        return n <= 4 || (goal && ::weight(table) <= weight) || (n <= 8 && high - low <= 2) || (n <= dice && table[4] >= n - 1);
    }

    void list(Dice table, int rung, std::vector<Dice> &all) const {
        if (rung < 0) {
            if (number(table) && holds(table)) all.push_back(table);
            return;
        }
        for (; number(table) <= dice && (above || ::weight(table) <= weight); table[rung]++) list(table, rung - 1, all);
    }

    // By rounds that are left.
    Row solve(const Dice &table) const {
        const bool top = table[4] == dice;
        int step[5], splits = 1;
        for (int i = 0; i < 5; i++) step[i] = splits, splits *= table[i] + 1;
        Row mine(1, goal), after(splits, goal), now;
        if (top) after[splits - 1] = 0;
        for (int r = 1; r <= rounds; r++) {
            now = after;
            now[0] = 1;
            for (int i = 0; i < 5; i++)
                for (int split = splits - 1; table[i] && split >= 0; split--) {
                    const int n = split / step[i] % (table[i] + 1);
                    double mean = 0;
                    for (int k = 0; k <= n; k++) mean += chance[i][n][k] * now[split - k * step[i]];
                    now[split] = mean;
                }
            mine.push_back(now[splits - 1]);
            for (int split = 0; split < splits - 1; split++) {
                int i = 4;
                while (split / step[i] % (table[i] + 1) == table[i]) i--;
                after[split] = now[split + step[i]];
            }
            double least = above ? mine[r] : 1;
            for (int i = -1; i < 4; i++) {
                if (i >= 0 && !table[i]) continue;
                const auto then = rolled.find(with(table, i, i + 1));
                if (then != rolled.end()) least = std::min(least, then->second[r]);
                else if (!above) least = 0;
            }
            after[splits - 1] = top && r <= rounds - few ? 0 : least;
        }
        return mine;
    }

    void run() {
        std::fesetround(above ? FE_UPWARD : FE_DOWNWARD);
        for (int i = 0; i < 5; i++) {
            chance[i].assign(1, Row(1, 1.0));
            for (int n = 1; n <= dice; n++) {
                chance[i].emplace_back(n + 1);
                for (int k = 0; k <= n; k++)
                    chance[i][n][k] = (k < n ? chance[i][n - 1][k] * (FACES[i] - 1) / FACES[i] : 0) +
                                      (k ? chance[i][n - 1][k - 1] / FACES[i] : 0);
            }
        }
        std::vector<Dice> all;
        list(Dice{}, 4, all);
        std::sort(all.begin(), all.end(), [](const Dice &x, const Dice &y) { return ::weight(x) > ::weight(y); });
        for (const Dice &table : all) rolled[table] = solve(table);
        std::fesetround(FE_TONEAREST);
    }
};

int main(int words, char **word) {
    if (words != 7) return std::fputs("give DICE WEIGHT FEW ROUNDS FIRST LIGHT\n", stderr), 2;
    const int dice = std::atoi(word[1]), weight = std::atoi(word[2]), few = std::atoi(word[3]), rounds = std::atoi(word[4]),
              first = std::atoi(word[5]), light = std::atoi(word[6]);
    if (dice < 6 || dice > 30 || weight < 5 || weight > 60 || first < 1 || few < first || rounds < few || light < 1 ||
        light >= weight || light + 1 >= dice)
        return std::fputs("no such bounds\n", stderr), 2;
    std::fesetround(FE_UPWARD);
    volatile double three = 3, up = 1 / three;
    std::fesetround(FE_DOWNWARD);
    if (!(1 / three < up)) return std::fputs("no directed rounding here\n", stderr), 2;
    Bound caught{false, false, dice, weight, few, few}, kept{true, false, 5, weight, few, few},
        missed{true, true, dice, weight, few, rounds};
    for (Bound *bound : {&caught, &kept, &missed}) bound->run();
    const Dice four{4, 0, 0, 0, 0}, five{5, 0, 0, 0, 0};
    const Row &low = caught.rolled[five], &high = kept.rolled[four];
    bool shown = missed.rolled[four][rounds] < low[few];
    for (int r = first; r <= few; r++) shown = shown && high[r] < low[r];
    for (int r : {first, few})
        std::printf("%d rounds: at most %.9f after rolling, at least %.9f after creating\n", r, high[r], low[r]);
    std::printf("any more: rolling misses the goal with %.9f at most\n", missed.rolled[four][rounds]);
    int less = 0, safer = 0, open = 0;
    for (const auto &entry : caught.rolled) {
        const Dice &table = entry.first, fifth = with(table, -1, 0);
        if (::weight(table) > light) continue;
        const auto misses = [&](const Dice &x) {
            const auto of = missed.rolled.find(x);
            return of == missed.rolled.end() ? 1 : of->second[rounds];
        };
        const bool is_less = misses(table) < caught.rolled[fifth][few], is_safer = misses(fifth) < entry.second[few];
        less += is_less, safer += is_safer, open += !is_less && !is_safer;
        if (is_less == (number(table) >= 4) && (is_less || is_safer)) continue;
        std::printf("%s:", is_less ? "less safe" : is_safer ? "safer" : "not shown");
        for (int k = 0; k < 5; k++) std::printf("%c%d", k ? ',' : ' ', table[k]);
        std::puts("");
    }
    std::printf("weight up to %d, %d rounds or more: creating is less safe at %d tables, safer at %d, not shown at %d\n", light,
                few, less, safer, open);
    shown = shown && !open;
    return std::puts(shown ? "accepted: creating a fifth d4 is less safe for ever" : "rejected: not shown"), !shown;
}
