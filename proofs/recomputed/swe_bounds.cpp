// Bounds of the value of each move in the software-engineering game, at a table without legacy:
//
//     g++ -O2 -std=c++17 -o swe_bounds swe_bounds.cpp
//     ./swe_bounds FACES LEFT SCORE DICE LOSS
//     ./swe_bounds FACES LEFT SCORE DICE LEAST MOST
//
// FACES and DICE are lists such as 4,6,8,12,20 and 0,1,1,0,0; LEFT is the number of rounds left. Prints
// a lower and an upper bound for each move. With LOSS it ends with "accepted" (exit status 0) if another
// promotion is certainly the best move, and promoting the lowest possible die loses at least LOSS against
// it. With LEAST and MOST it accepts if the value of the best move is between them. Otherwise it ends with
// "rejected" (1).
//
// The program follows the rules only and considers all moves and all fixes. Numbers are doubles, and all
// are sums, products, quotients and maxima of nonnegative numbers. So each is correct up to a factor
// between (1 - 2^-53)^n and (1 + 2^-53)^n, where n is the largest number of successive roundings. `spread`
// counts them, and doubles the result. All numbers are far above the least double.

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

using Row = std::vector<double>;
using Dice = std::vector<int>;

static_assert(FLT_RADIX == 2 && DBL_MANT_DIG == 53, "doubles as IEEE 754 has them");

Dice faces, first;  // of each rung; the dice at the start
int left_over, first_score;

// Dice together, and a number for each way that some of them are in revenue.
struct Block {
    Dice dice;
    int weight = 0;
    std::vector<int> stride;
    int tables = 1;
    std::vector<Row> now, rolled;  // by table and score: what play is worth, and what a roll is
    int revenue(int table, int rung) const { return table / stride[rung] % (dice[rung] + 1); }
};

std::vector<Block> blocks;
std::map<Dice, int> number;

void list_blocks(Dice& dice, size_t rung, int weight, int most) {
    if (rung == dice.size()) {
        for (size_t low = 0, have = 0, need = 0; low < dice.size(); ++low) {  // from the top down
            have += dice[dice.size() - 1 - low], need += first[dice.size() - 1 - low];
            if (have < need) return;  // play does not lead here: dice climb, and are not lost
        }
        Block block;
        block.dice = dice, block.weight = weight;
        for (int n : dice) block.stride.push_back(block.tables), block.tables *= n + 1;
        number[dice] = (int)blocks.size();
        blocks.push_back(block);
        return;
    }
    for (int n = 0; weight + n * (int)(rung + 1) <= most; ++n) {
        dice[rung] = n;
        list_blocks(dice, rung + 1, weight + n * (int)(rung + 1), most);
    }
    dice[rung] = 0;
}

// The chance that q of n dice survive, for all n and q up to `most`.
std::vector<Row> survivals(int sides, int most) {
    std::vector<Row> chance(1, Row(1, 1.0));
    for (int n = 1; n <= most; ++n) {
        Row next(n + 1);
        for (int q = 0; q <= n; ++q) {
            double fails = q < n ? chance[n - 1][q] : 0, holds = q ? chance[n - 1][q - 1] : 0;
            next[q] = (fails + holds * (sides - 1)) / sides;
        }
        chance.push_back(next);
    }
    return chance;
}

// What each table is worth before its revenue dice are rolled, for scores below `scores`.
void roll(Block& block, const std::vector<std::vector<Row>>& chance, int scores) {
    std::vector<Row> value;
    value.swap(block.now);
    double none = value[0][0];  // all in legacy, and no score
    std::fill(value[0].begin(), value[0].end(), 0);
    for (size_t rung = 0; rung < faces.size(); ++rung) {
        if (!block.dice[rung]) continue;
        std::vector<Row> next(block.tables, Row(value[0].size(), 0));
        for (int table = 0; table < block.tables; ++table) {
            int n = block.revenue(table, (int)rung);
            for (int q = 0; q <= n; ++q) {
                const Row& after = value[table - (n - q) * block.stride[rung]];
                double part = chance[rung][n][q], *to = next[table].data();
                for (size_t score = 0; score + q < after.size(); ++score) to[score] += part * after[score + q];
            }
        }
        value.swap(next);
    }
    for (int table = 0; table < block.tables; ++table) {
        double all = none;
        for (size_t rung = 0; rung < faces.size(); ++rung) all *= chance[rung][block.revenue(table, (int)rung)][0];
        value[table].resize(scores);
        for (double& worth : value[table]) worth += all;
    }
    block.rolled.swap(value);
}

// The tables that moves lead to: where they are among blocks, and their numbers there.
std::vector<std::pair<int, int>> moves(const Block& block, int table) {
    std::vector<std::pair<int, int>> to;
    int here = number[block.dice];
    for (size_t rung = 0; rung < faces.size(); ++rung)
        if (block.revenue(table, (int)rung) < block.dice[rung]) to.push_back({here, table + block.stride[rung]});
    if (!to.empty()) return to;
    for (size_t rung = 0; rung < faces.size(); ++rung) {  // a new die, or one from the rung below
        Dice dice = block.dice;
        if (rung && !dice[rung - 1]--) continue;
        ++dice[rung];
        int there = number.at(dice);
        to.push_back({there, blocks[there].tables - 1});
    }
    return to;
}

// What the moves at the start are worth: a new die first, then promotions from the lowest rung.
Row solved() {
    int weight = 0, count = 0;
    for (size_t rung = 0; rung < first.size(); ++rung) weight += first[rung] * (int)(rung + 1), count += first[rung];
    Dice dice(first.size());
    list_blocks(dice, 0, 0, weight + left_over);
    std::vector<std::vector<Row>> chance;
    for (int sides : faces) chance.push_back(survivals(sides, weight + left_over));
    auto scores = [&](int left) {  // each round adds a die at most, and each die 1
        int played = left_over - left;
        return first_score + count * played + played * (played + 1) / 2 + 1;
    };
    for (Block& block : blocks) {
        Row row(scores(0));
        for (size_t score = 0; score < row.size(); ++score) row[score] = (double)score;
        block.now.assign(block.tables, row);
    }
    for (int left = 1; left <= left_over; ++left) {
        for (Block& block : blocks) {
            std::vector<Row>().swap(block.rolled);  // nobody asks for it again
            if (block.weight <= weight + left_over - left + 1) roll(block, chance, scores(left));
        }
        for (Block& block : blocks) {
            if (block.weight > weight + left_over - left) continue;
            for (int table = 0; table < block.tables; ++table) {
                Row best(scores(left), 0);
                for (auto [there, after] : moves(block, table))
                    for (size_t score = 0; score < best.size(); ++score)
                        best[score] = std::max(best[score], blocks[there].rolled[after][score]);
                block.now.resize(block.tables);
                block.now[table].swap(best);
            }
        }
    }
    const Block& start = blocks[number.at(first)];
    Row worth;
    for (auto [there, after] : moves(start, start.tables - 1)) worth.push_back(blocks[there].rolled[after][first_score]);
    return worth;
}

Dice list_of(const char* text) {
    Dice found;
    for (char* end; *text; text = *end ? end + 1 : end) found.push_back((int)strtol(text, &end, 10));
    return found;
}

// Roundings on the way to a value: in a round, a chance of n dice takes three for each, a mean over
// them n + 2; `weight` is at least the number of all dice. Their number times 2^-53, doubled.
double spread(int rounds, int weight) { return rounds * (4.0 * weight + 4.0 * faces.size() + 4) * std::ldexp(1.0, -52); }

double read(const char* text) {  // a decimal number, or p/q
    char* rest;
    double number = strtod(text, &rest);
    return *rest == '/' ? number / strtod(rest + 1, nullptr) : number;
}

int main(int words, char** word) {
    if (words != 6 && words != 7) return fprintf(stderr, "give FACES LEFT SCORE DICE, and LOSS or LEAST MOST\n"), 2;
    faces = list_of(word[1]), left_over = atoi(word[2]), first_score = atoi(word[3]), first = list_of(word[4]);
    if (faces.size() != first.size() || left_over < 1) return fprintf(stderr, "no game\n"), 2;
    int weight = left_over;
    for (size_t rung = 0; rung < first.size(); ++rung) weight += first[rung] * (int)(rung + 1);
    Row worth = solved(), low, high;
    for (double each : worth) {
        low.push_back(each * (1 - spread(left_over, weight))), high.push_back(each * (1 + spread(left_over, weight)));
        printf("%s: from %.10f to %.10f\n", low.size() > 1 ? "a promotion" : "a new die", low.back(), high.back());
    }
    size_t best = std::max_element(low.begin(), low.end()) - low.begin();
    const double lost = 1e-12;  // more than what reading decimal numbers and taking differences may lose
    if (words == 7) {
        bool shown = low[best] >= read(word[5]) + lost && *std::max_element(high.begin(), high.end()) <= read(word[6]) - lost;
        return puts(shown ? "accepted: play is worth so much" : "rejected: not shown"), !shown;
    }
    bool shown = best > 1;  // another promotion than the first one
    for (size_t move = 0; move < low.size(); ++move) shown = shown && (move == best || high[move] < low[best]);
    shown = shown && low[best] - high[1] >= read(word[5]) + lost;
    return puts(shown ? "accepted: the lowest promotion loses as much as that" : "rejected: not shown"), !shown;
}
