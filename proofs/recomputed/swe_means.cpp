// Bounds of the mean and variance of the score of a policy Rand(P) in the software-engineering game:
//
//     g++ -O2 -std=c++17 -o swe_means swe_means.cpp
//     ./swe_means FACES ROUNDS P MEAN VARIANCE WITHIN
//
// FACES is a list such as 4,6,8,12,20; the other arguments are decimal numbers. If a die is in legacy, the
// policy fixes one with the most faces. Otherwise it creates a die with probability P, or if none can be
// promoted, and else promotes a die with the fewest faces among those that can be promoted. Ends with
// "accepted" (exit status 0) if both numbers are shown to be correct up to WITHIN, otherwise "rejected" (1).
//
// The policy ignores the score s, so its expected final score is A + B·s and the expected square is
// C + D·s + E·s², with nonnegative numbers that depend only on the table and the rounds left. They are
// integers: B and E times 2^60, A and D times 2^48, C times 2^40, and probabilities times 2^60, rounded
// down for lower bounds and up for upper ones. All are means of each other, so bounds give bounds.

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

using Whole = __int128;
using Dice = std::vector<int>;
using Sums = std::array<long long, 5>;  // A, B, C, D, E
using Row = std::vector<long long>;

const int chance_bits = 60;
const long long million = 1000000;  // P has 6 decimals at most
const std::array<int, 5> bits = {48, 60, 40, 48, 60};

Dice faces;
bool up;  // which bounds are made

long long divided(Whole n, Whole by) { return (long long)((up ? n + by - 1 : n) / by); }
Whole moved(Whole n, int from, int to) { return divided(n, (Whole)1 << (from - to)); }

struct Block {  // dice together, and a number for each way that some of them are in revenue
    Dice dice, stride;
    int weight = 0, tables = 1;
    std::vector<Sums> now, rolled;
    int revenue(int table, size_t rung) const { return table / stride[rung] % (dice[rung] + 1); }
};

std::vector<Block> blocks;
std::map<Dice, int> number;

void list_blocks(Dice& dice, size_t rung, int weight, int most) {
    if (rung < dice.size()) {
        for (dice[rung] = 0; weight <= most; ++dice[rung], weight += (int)rung + 1) list_blocks(dice, rung + 1, weight, most);
        dice[rung] = 0;
        return;
    }
    Block block;
    block.dice = dice, block.weight = weight;
    for (int n : dice) block.stride.push_back(block.tables), block.tables *= n + 1;
    number[dice] = (int)blocks.size();
    blocks.push_back(block);
}

// What the score being greater by q makes of the numbers, with a chance.
void add(std::array<Whole, 5>& to, const Sums& of, int q, long long chance) {
    auto [a, b, c, d, e] = of;
    to[0] += chance * ((Whole)a + moved((Whole)b * q, bits[1], bits[0]));
    to[1] += (Whole)chance * b;
    to[2] += chance * ((Whole)c + moved((Whole)d * q, bits[3], bits[2]) + moved((Whole)e * q * q, bits[4], bits[2]));
    to[3] += chance * ((Whole)d + moved((Whole)e * 2 * q, bits[4], bits[3]));
    to[4] += (Whole)chance * e;
}

Sums rounded(const std::array<Whole, 5>& sums, Whole by) {
    Sums found;
    for (int i = 0; i < 5; ++i) found[i] = divided(sums[i], by);
    return found;
}

// What each table is worth before its revenue dice are rolled.
void roll(Block& block, const std::vector<std::vector<Row>>& chance) {
    std::vector<Sums> value = block.now;
    Sums none = value[0];  // all in legacy, and no score
    value[0] = {};
    std::vector<long long> all(block.tables, 1LL << chance_bits);
    for (size_t rung = 0; rung < faces.size(); ++rung) {
        if (!block.dice[rung]) continue;
        std::vector<Sums> next(block.tables);
        for (int table = 0; table < block.tables; ++table) {
            int n = block.revenue(table, rung);
            std::array<Whole, 5> sums{};
            for (int q = 0; q <= n; ++q) add(sums, value[table - (n - q) * block.stride[rung]], q, chance[rung][n][q]);
            next[table] = rounded(sums, (Whole)1 << chance_bits);
            all[table] = moved((Whole)all[table] * chance[rung][n][0], chance_bits, 0);
        }
        value.swap(next);
    }
    for (int table = 0; table < block.tables; ++table)
        for (int i : {0, 2}) value[table][i] += moved((Whole)all[table] * none[i], chance_bits, 0);
    block.rolled.swap(value);
}

const Sums& after(Dice dice, int taken, size_t given) {  // a die fewer on one rung, and one more on another
    if (taken >= 0) --dice[taken];
    ++dice[given];
    return blocks[number.at(dice)].rolled.back();
}

Sums worth(const Block& block, int table, long long create) {
    for (size_t rung = faces.size(); rung-- > 0;)
        if (block.revenue(table, rung) < block.dice[rung]) return block.rolled[table + block.stride[rung]];
    for (size_t rung = 0; rung + 1 < faces.size(); ++rung)
        if (block.dice[rung]) {
            std::array<Whole, 5> sums{};
            add(sums, after(block.dice, -1, 0), 0, create);
            add(sums, after(block.dice, (int)rung, rung + 1), 0, million - create);
            return rounded(sums, million);
        }
    return after(block.dice, -1, 0);
}

// Bounds of the mean and of the mean square, in a game from the empty table.
std::array<double, 2> solved(int rounds, long long create, bool above) {
    up = above;
    std::vector<std::vector<Row>> chance;  // that q of n dice survive
    for (int sides : faces) {
        chance.push_back({{1LL << chance_bits}});
        for (int n = 1; n <= rounds; ++n) {
            Row next(n + 1);
            for (int q = 0; q <= n; ++q) {
                Whole fails = q < n ? chance.back()[n - 1][q] : 0, holds = q ? chance.back()[n - 1][q - 1] : 0;
                next[q] = divided(fails + holds * (sides - 1), sides);
            }
            chance.back().push_back(next);
        }
    }
    for (Block& block : blocks) block.now.assign(block.tables, {0, 1LL << bits[1], 0, 0, 1LL << bits[4]});
    for (int left = 1; left <= rounds; ++left) {
        for (Block& block : blocks)
            if (block.weight <= rounds - left + 1) roll(block, chance);
        for (Block& block : blocks)
            if (block.weight <= rounds - left)
                for (int table = 0; table < block.tables; ++table) block.now[table] = worth(block, table, create);
    }
    const Sums& start = blocks[0].now[0];
    return {std::ldexp((double)start[0], -bits[0]), std::ldexp((double)start[2], -bits[2])};
}

double read(const char* text) {  // a decimal number, or p/q
    char* rest;
    double number = strtod(text, &rest);
    return *rest == '/' ? number / strtod(rest + 1, nullptr) : number;
}

int main(int words, char** word) {
    if (words != 7) return fprintf(stderr, "give FACES ROUNDS P MEAN VARIANCE WITHIN\n"), 2;
    for (char* text = word[1]; *text; text += *text == ',') faces.push_back((int)strtol(text, &text, 10));
    int rounds = atoi(word[2]);
    long long create = std::llround(read(word[3]) * million);
    double mean = read(word[4]), variance = read(word[5]), within = read(word[6]);
    if (faces.empty() || rounds < 1 || rounds > 40 || create < 0 || create > million) return fprintf(stderr, "no game\n"), 2;
    Dice dice(faces.size());
    list_blocks(dice, 0, 0, rounds);
    auto [low, low_square] = solved(rounds, create, false);
    auto [high, high_square] = solved(rounds, create, true);
    // what doubles lose here is below 10^-10, as all are below 10^5
    double least = low_square - high * high - 1e-10, most = high_square - low * low + 1e-10;
    printf("mean from %.12f to %.12f, variance from %.10f to %.10f\n", low, high, least, most);
    bool shown = std::abs(low - mean) < within && std::abs(high - mean) < within &&
                 std::abs(least - variance) < within && std::abs(most - variance) < within;
    puts(shown ? "accepted: both are right within so much" : "rejected: not shown");
    return !shown;
}
