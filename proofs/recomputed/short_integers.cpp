/* Creating with few rounds left is as safe as rolling, with integers: short_integers ROUNDS PART TABLE ...

Decides the same as swe_short, with which it shares no code, from the other end, and without floating-point numbers. A
number is m·2^e with an integer m of 64 bits. All operations cut off, so a result is too low by a part of 2^-63 at most. A
mass below is made by at most 2,000 operations, one after the other, in each of 50 rounds, fewer than 2^17 in all. So it
is too low by less than a part of 2^-45, and upper bounds add a part of 2^-40.

For each table without legacy the program follows the distribution of the legacy dice forward, with nothing created or
promoted, and legacy fixed from the highest rung down (theorem 25). It finds the probability c_t that all dice are legacy
after t rolls, and the probability k_t that none is, for the first time after the first roll. So with r rounds left the
probability of a catastrophe after this roll is the sum of c_t for t <= r, and of k_t·A_(r-t) for t < r. Here A_j is the
least one after a move. For upper bounds the same dice again are a move too (a skip, theorem 9). Of dice that all survive a
roll with a probability of at most 3/(4 PART), the program uses the bounds 0 and 1.

Prints the number of tables whose dice all survive a roll with a probability above 1/PART, the number of those at which
creating is less safe, and how many comparisons are open. Exit status 0 if none is, and creating is less safe exactly at
each TABLE, with ROUNDS left; otherwise 1. */
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

using Wide = unsigned __int128;
using Table = std::array<int, 5>;
const int SIDES[5] = {4, 6, 8, 12, 20};

struct Number {
    std::uint64_t m = 0;  // 0, or at least 2^63
    int e = 0;
    bool operator<(const Number &y) const { return m && y.m && e != y.e ? e < y.e : m < y.m; }
};

inline Number operator*(Number x, Number y) {
    const Wide m = Wide(x.m) * y.m;
    if (!m) return {};
    const int shift = 63 + int(m >> 127);
    return {std::uint64_t(m >> shift), x.e + y.e + shift};
}

inline Number operator+(Number x, Number y) {
    if (!x.m || !y.m) return x.m ? x : y;
    if (x.e < y.e) std::swap(x, y);
    const int off = x.e - y.e;
    std::uint64_t m = 0;
    if (!__builtin_add_overflow(x.m, off < 64 ? y.m >> off : 0, &m)) return {m, x.e};
    return {m >> 1 | std::uint64_t(1) << 63, x.e + 1};
}

Number quotient(std::uint64_t p, std::uint64_t q) {
    Wide m = (Wide(p) << 80) / q;
    int e = -80;
    for (; m >> 64; e++) m >>= 1;
    return {std::uint64_t(m), e};
}

const Number ONE = quotient(1, 1), MORE = quotient((1ull << 40) + 1, 1ull << 40);

Number survives(const Table &dice) {
    Number q = ONE;
    for (int i = 0; i < 5; i++)
        for (int n = 0; n < dice[i]; n++) q = q * quotient(SIDES[i] - 1, SIDES[i]);
    return q;
}

using Column = std::vector<Number>;
struct Found { Column moved, best; };  // least probability after this roll, and before it with all moves, by rounds left

std::vector<std::vector<Column>> failing;  // by rung, dice and failures

void first_times(const Table &dice, int rounds, Column &lost, Column &clean) {
    std::array<int, 6> unit{1};
    for (int i = 0; i < 5; i++) unit[i + 1] = unit[i] * (dice[i] + 1);
    const int size = unit[5];
    Column mass(size), next(size);
    mass[0] = ONE;  // the index counts legacy dice
    for (int t = 1; t <= rounds; t++) {
        for (int i = 0; i < 5; i++) {
            if (!dice[i]) continue;
            std::fill(next.begin(), next.end(), Number());
            for (int at = 0; at < size; at++) {
                if (!mass[at].m) continue;
                const int good = dice[i] - at / unit[i] % (dice[i] + 1);
                for (int k = 0; k <= good; k++) {
                    Number &to = next[at + k * unit[i]];
                    to = to + mass[at] * failing[i][good][k];
                }
            }
            std::swap(mass, next);
        }
        lost.push_back(mass[size - 1]), clean.push_back(mass[0]);
        mass[0] = mass[size - 1] = Number();
        for (int at = 1; at < size - 1; at++) {  // a fix leads to a smaller index
            if (!mass[at].m) continue;
            int i = 4;
            while (!(at / unit[i] % (dice[i] + 1))) i--;
            const Number moved = mass[at];
            mass[at] = Number();
            mass[at - unit[i]] = mass[at - unit[i]] + moved;
        }
    }
}

using All = std::map<Table, Found>;

Found bounds(const Table &dice, const Column &lost, const Column &clean, bool above, const All &found) {
    Found of{Column(1), Column(1)};
    for (std::size_t r = 1; r <= lost.size(); r++) {
        Number sum;
        for (std::size_t t = 1; t <= r; t++) sum = sum + lost[t - 1];
        for (std::size_t t = 1; t < r; t++) sum = sum + clean[t - 1] * of.best[r - t];
        if (above) sum = sum * MORE;
        Number least = above ? sum : ONE;
        for (int i = -1; i < 4; i++) {
            if (i >= 0 && !dice[i]) continue;
            Table to = dice;
            if (i >= 0) to[i]--;
            to[i + 1]++;
            const auto known = found.find(to);
            if (known != found.end()) least = std::min(least, known->second.moved[r]);
            else if (!above) least = Number();
        }
        of.moved.push_back(sum), of.best.push_back(least);
    }
    return of;
}

int weight(const Table &dice) { return dice[0] + 2 * dice[1] + 3 * dice[2] + 4 * dice[3] + 5 * dice[4]; }

int main(int words, char **word) {
    const int rounds = words > 2 ? std::atoi(word[1]) : 0, part = words > 2 ? std::atoi(word[2]) : 0;
    if (rounds < 1 || rounds > 50 || part < 2 || part > 100)
        return std::fputs("short_integers: give rounds from 1 to 50, a part from 2 to 100, and tables\n", stderr), 2;
    std::vector<Table> tables;
    const Number few = quotient(3, 4 * part), least = quotient(1, part);
    for (int i = 0; i < 5; i++) {
        const Number bad = quotient(1, SIDES[i]), good = quotient(SIDES[i] - 1, SIDES[i]);
        failing.push_back({{ONE}});
        for (int n = 1; n < 120; n++) {
            failing[i].push_back(Column(n + 1));
            for (int k = 0; k <= n; k++) {
                if (k < n) failing[i][n][k] = failing[i][n - 1][k] * good;
                if (k) failing[i][n][k] = failing[i][n][k] + failing[i][n - 1][k - 1] * bad;
            }
        }
    }
    Table x{};
    const auto kept = [&]() { return few < survives(x) * MORE; };
    for (x[4] = 0; kept(); x[4]++, x[3] = 0)
        for (; kept(); x[3]++, x[2] = 0)
            for (; kept(); x[2]++, x[1] = 0)
                for (; kept(); x[1]++, x[0] = 0)
                    for (; kept(); x[0]++)
                        if (weight(x)) tables.push_back(x);
    std::sort(tables.begin(), tables.end(), [](const Table &y, const Table &z) { return weight(y) > weight(z); });
    All low, high;
    for (const Table &dice : tables) {
        Column lost, clean;
        first_times(dice, rounds, lost, clean);
        low[dice] = bounds(dice, lost, clean, false, low);
        high[dice] = bounds(dice, lost, clean, true, high);
    }
    std::vector<Table> worse, named;
    long counted = 0, open = 0, early = 0;
    for (const Table &dice : tables) {
        if (!(least < survives(dice) * MORE)) continue;
        counted++;
        Table created = dice;
        created[0]++;
        for (int r = 1; r <= rounds; r++) {
            const Column &a = high.at(dice).moved, &b = low.at(created).moved;
            if (a[r] < b[r]) r < rounds ? early++ : (worse.push_back(dice), 0);
            else open += low.at(dice).moved[r] < high.at(created).moved[r];
        }
    }
    for (int i = 3; i < words; i++) {
        Table d{};
        if (std::sscanf(word[i], "%d,%d,%d,%d,%d", &d[0], &d[1], &d[2], &d[3], &d[4]) == 5) named.push_back(d);
    }
    std::sort(worse.begin(), worse.end()), std::sort(named.begin(), named.end());
    std::printf("%ld tables; less safe with %d rounds left at %zu, with fewer at %ld; open: %ld\n", counted, rounds,
                worse.size(), early, open);
    const bool accepted = !open && !early && worse == named && named.size() == size_t(words - 3);
    return std::puts(accepted ? "accepted" : "rejected"), !accepted;
}
