/* Exact probabilities and mean lengths in Left, Center, Right: lcr_exact PLAYERS [FILE, or B0 B1 ... C0 C1 ... D N]

The rules are those of lcr_check. Let G be the ring of integer combinations of 1, z, z^2, ... with z^n = 1, for n players,
and v the sum of p_j·z^j, where p_j is the probability that the j-th player in the order of play wins. The numbers B0, B1, ...
and C0, C1, ... are the coefficients of B and C in G. Exit status 0 if B·v = C for each n-th root of unity z except 1, and
N/D is the mean number of turns; 1 otherwise. Without numbers prints M, and M-adic digits of p_0, p_1, ... and of the mean,
by which candidates can be found. FILE is beside this source, one number a line. Numbers are written in base 64, with the
digits A-Z, a-z, 0-9, + and /. With five players: about two minutes of processor time and 130 MB.

Let x(s) in G be the sum of z^j times the probability that the j-th player from the one to roll on wins, with the chips s.
Multiplied by 6^d, d being the number of dice rolled, the equations of all x are A·x = b over G. For each n-th root of
unity in the place of z, det A is not 0, because the game ends, and its absolute value is at most H, the product of the
lengths of all rows of A's diagonal blocks, one for each number of chips in play. And det A·x is a vector over G. The program
finds X over G with A·X = b - M^K·r digit by digit, and computes each r exactly. So det A·(x - X) is divisible by M^K. If all
coefficients of B·X - C are equal mod M^K, so are those of w = det A·(B·x - C). The difference of two of them is at most twice
the greatest absolute value of w at the roots except 1. That is at most 2·H times the sum of all Bj and Cj. So if M^K is more
than that, the coefficients of w are equal, and B·x = C at these roots. At z = 1 the x of the seats is 1, and the mean numbers
of turns solve A·x = b with 6^d in b; they are at most 18·n^2.

Mod M the equations are solved for each n-th root of unity by sparse elimination for each number of chips in play, fewer
first. No property of M is used but that the exact remainders are divisible by it. */
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

using Int = std::int64_t;
using Wide = __int128;
using Chips = std::vector<int>;
using Digits = std::vector<Int>;
const Int M = 1152921504606845161;  // 60·19215358410114086 + 1, below 2^60

Int mod(Wide x) { return Int((x % M + M) % M); }
Int times(Int x, Int y) { return Int(Wide(x) * y % M); }

Int power(Int x, Int n) {
    Int y = 1;
    for (; n; n >>= 1, x = times(x, x))
        if (n & 1) y = times(y, x);
    return y;
}

struct Part { int to; Int ways; };
struct State { Int scale; std::vector<Part> next; int winner; };

void list(std::vector<Chips> &all, Chips &now, int players, int left) {
    if ((int)now.size() == players - 1) {
        now.push_back(left), all.push_back(now), now.pop_back();
        return;
    }
    for (int n = 0; n <= left; n++) now.push_back(n), list(all, now, players, left - n), now.pop_back();
}

int winner(const Chips &now) {  // -1: the game is not over
    const int most = std::max_element(now.begin(), now.end()) - now.begin();
    return std::count(now.begin(), now.end(), 0) == (int)now.size() - 1 ? most : -1;
}

std::map<Chips, Int> rolled(const Chips &now) {
    std::map<Chips, Int> to;
    const int dice = std::min(3, now[0]), faces = std::array<int, 4>{1, 6, 36, 216}[dice];
    for (int code = 0; code < faces; code++) {  // each roll: left, right, pot, and three that keep
        Chips then(now.begin() + 1, now.end());
        then.push_back(now[0]);
        for (int i = 0, rest = code; i < dice; i++, rest /= 6)
            if (rest % 6 < 3) then.back()--, rest % 6 < 2 ? void(then[rest % 6 ? now.size() - 2 : 0]++) : void();
        to[then]++;
    }
    return to;
}

std::vector<Chips> ordered(const std::vector<Chips> &all) {  // states with equally many chips, by fill in elimination
    const int n = all.size(), words = n / 64 + 1;
    std::map<Chips, int> place;
    for (int i = 0; i < n; i++) place[all[i]] = i;
    using Set = std::vector<std::uint64_t>;
    std::vector<Set> to(n, Set(words)), from(n, Set(words));
    const auto add = [](Set &set, int i) { set[i / 64] |= std::uint64_t(1) << i % 64; };
    const auto size = [](const Set &set) {
        long result = 0;
        for (std::uint64_t bits : set) result += __builtin_popcountll(bits);
        return result;
    };
    const auto listed = [&](const Set &set) {
        std::vector<int> members;
        for (int w = 0; w < words; w++)
            for (std::uint64_t bits = set[w]; bits; bits &= bits - 1) members.push_back(w * 64 + __builtin_ctzll(bits));
        return members;
    };
    for (int i = 0; i < n; i++)
        if (winner(all[i]) < 0)
            for (const auto &[then, ways] : rolled(all[i]))
                if (const auto at = place.find(then); at != place.end() && at->second != i)
                    add(to[i], at->second), add(from[at->second], i);
    std::set<std::pair<long, int>> queue;
    std::vector<long> cost(n);
    const auto enter = [&](int i) {
        queue.erase({cost[i], i});
        cost[i] = size(to[i]) * size(from[i]);
        queue.insert({cost[i], i});
    };
    for (int i = 0; i < n; i++) enter(i);
    std::vector<Chips> result;
    while (!queue.empty()) {
        const int k = queue.begin()->second;
        queue.erase(queue.begin());
        result.push_back(all[k]);
        const auto merge = [&](std::vector<Set> &of, int i, const Set &more) {
            for (int w = 0; w < words; w++) of[i][w] |= more[w];
            for (int j : {i, k}) of[i][j / 64] &= ~(std::uint64_t(1) << j % 64);
        };
        const std::vector<int> before = listed(from[k]), after = listed(to[k]);
        for (int i : before) merge(to, i, to[k]);
        for (int j : after) merge(from, j, from[k]);
        for (int i : before) enter(i);
        for (int j : after) enter(j);
    }
    return result;
}

const std::string BASE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

Digits digits(const std::string &written) {
    Digits x;
    for (char c : written) {
        Wide carry = BASE.find(c);
        for (Int &d : x) carry += Wide(d) * 64, d = Int(carry % M), carry /= M;
        if (carry) x.push_back(Int(carry));
    }
    return x;
}

void add(Digits &sum, const Digits &d, const Digits &x) {  // sum becomes sum + d·x mod M^K
    for (std::size_t i = 0; i < d.size(); i++) {
        Wide carry = 0;
        for (std::size_t j = 0; i + j < sum.size(); j++) {
            carry += (j < x.size() ? Wide(d[i]) * x[j] : 0) + sum[i + j];
            sum[i + j] = Int(carry % M), carry /= M;
        }
    }
}

template <int n> struct Game {
    using Row = std::array<Int, n>;  // by root of unity, or by seat
    struct Cell { int at; Row of; };
    std::vector<State> states;
    std::vector<std::vector<Cell>> lower, upper;  // of each row; lower also for fewer chips
    std::vector<std::pair<int, int>> blocks;      // first and last + 1 of each number of chips in play
    std::vector<Row> pivot;                       // inverse
    Row root;
    int start;
    double bits = 0;  // of H

    Game() {
        std::vector<Chips> chips;
        std::map<Chips, int> place;
        for (int total = 1; total <= 3 * n; total++) {
            std::vector<Chips> all;
            Chips none;
            list(all, none, n, total);
            const int first = chips.size();
            for (const Chips &now : ordered(all)) place[now] = chips.size(), chips.push_back(now);
            blocks.push_back({first, chips.size()});
        }
        start = place.at(Chips(n, 3));
        for (const auto &[first, last] : blocks)
            for (int s = first; s < last; s++) {
                State of{1, {}, winner(chips[s])};
                double own = 0, squares = 0;
                if (of.winner < 0)
                    for (const auto &[then, ways] : rolled(chips[s])) {
                        const int to = place.at(then);
                        of.next.push_back({to, ways});
                        (to == s ? own : squares) += double(to < first ? 0 : to == s ? ways : ways * ways);
                    }
                if (of.winner < 0) of.scale = std::array<int, 4>{1, 6, 36, 216}[std::min(3, chips[s][0])];
                bits += std::log2((of.scale + own) * (of.scale + own) + squares) / 2;
                states.push_back(of);
            }
        for (Int g = 2;; g++) {
            const Int w = power(g, (M - 1) / n);
            bool is_primitive = true;
            for (int k = 1; k < n; k++) is_primitive = is_primitive && power(w, k) != 1;
            if (!is_primitive) continue;
            for (int k = 0; k < n; k++) root[k] = power(w, k);
            break;
        }
    }

    void eliminate() {
        const int count = states.size();
        lower.resize(count), upper.resize(count), pivot.resize(count);
        std::vector<Row> row(count);
        std::vector<int> mark(count, -1);  // the last row with a cell in this column
        for (const auto &[first, last] : blocks)
            for (int s = first; s < last; s++) {
                std::set<int> used{s};
                row[s].fill(states[s].scale), mark[s] = s;
                for (auto [to, ways] : states[s].next) {
                    Row cell;
                    for (int w = 0; w < n; w++) cell[w] = mod((to == s ? states[s].scale : 0) - Wide(ways) * root[w]);
                    if (to < first) lower[s].push_back({to, cell});
                    else row[to] = cell, used.insert(to), mark[to] = s;
                }
                for (auto at = used.begin(); *at < s; ++at) {
                    Cell by{*at, {}};
                    std::uint64_t hint[n];
                    for (int w = 0; w < n; w++) {
                        by.of[w] = times(row[*at][w], pivot[*at][w]);
                        hint[w] = std::uint64_t((Wide(by.of[w]) << 64) / M);
                    }
                    for (const Cell &cell : upper[*at]) {
                        Row &to = row[cell.at];
                        if (mark[cell.at] != s) mark[cell.at] = s, used.insert(cell.at), to.fill(0);
                        for (int w = 0; w < n; w++) {  // to - by·cell
                            const std::uint64_t q = std::uint64_t((unsigned __int128)hint[w] * (std::uint64_t)cell.of[w] >> 64);
                            Int x = to[w] - Int(std::uint64_t(by.of[w]) * std::uint64_t(cell.of[w]) - q * std::uint64_t(M));
                            x += x < 0 ? M : 0;
                            to[w] = x + (x < 0 ? M : 0);
                        }
                    }
                    lower[s].push_back(by);
                }
                for (int w = 0; w < n; w++) {
                    if (!row[s][w]) std::fputs("lcr_exact: a pivot is 0\n", stderr), std::exit(2);
                    pivot[s][w] = power(row[s][w], M - 2);
                }
                for (auto at = used.upper_bound(s); at != used.end(); ++at) upper[s].push_back({*at, row[*at]});
            }
    }

    static void subtract(Row &side, const std::vector<Cell> &cells, const std::vector<Row> &wave) {
        for (std::size_t k = 0; k < cells.size();) {
            unsigned __int128 sum[n] = {};
            for (const std::size_t end = std::min(cells.size(), k + 128); k < end; k++)
                for (int w = 0; w < n; w++)
                    sum[w] += (unsigned __int128)(std::uint64_t)cells[k].of[w] * (std::uint64_t)wave[cells[k].at][w];
            for (int w = 0; w < n; w++) side[w] -= Int(sum[w] % M), side[w] += side[w] < 0 ? M : 0;
        }
    }

    std::array<Digits, n + 1> lift(int steps) const {  // of the seats' probabilities and the mean
        const int count = states.size();
        std::array<Digits, n + 1> result;
        std::vector<Row> r(count), wave(count), y(count);
        std::vector<Int> one(count, 1), turns(count);
        for (int s = 0; s < count; s++) {
            r[s].fill(0);
            if (states[s].winner >= 0) r[s][states[s].winner] = 1;
            else turns[s] = states[s].scale;
        }
        const Int share = power(n, M - 2);
        const auto divided = [](Wide rest) {
            if (rest % M) std::fputs("lcr_exact: a digit is wrong\n", stderr), std::exit(2);
            return Int(rest / M);
        };
        for (int step = 0; step < steps; step++) {
            for (const auto &[first, last] : blocks) {
                for (int s = first; s < last; s++) {
                    Row side{mod(turns[s])};
                    for (int w = 1; w < n; w++) {
                        Wide sum = 0;
                        for (int j = 0; j < n; j++) sum += Wide(root[w * j % n]) * r[s][j];
                        side[w] = mod(sum);
                    }
                    subtract(side, lower[s], wave);
                    wave[s] = side;
                }
                for (int s = last - 1; s >= first; s--) {
                    Row side = wave[s];
                    subtract(side, upper[s], wave);
                    for (int w = 0; w < n; w++) wave[s][w] = times(side[w], pivot[s][w]);
                }
            }
            for (int s = 0; s < count; s++) {
                Wide all = one[s];
                for (int j = 0; j < n; j++) {
                    Wide sum = mod(one[s]);
                    for (int w = 1; w < n; w++) sum += Wide(root[(n - w) * j % n]) * wave[s][w];
                    y[s][j] = times(Int(sum % M), share);
                    all -= y[s][j];
                }
                one[s] = divided(all);
            }
            for (int s = 0; s < count; s++) {  // the remainders become (r - A·y)/M
                const Int scale = states[s].scale;
                Wide rest[n], more = turns[s] - Wide(scale) * wave[s][0];
                for (int j = 0; j < n; j++) rest[j] = r[s][j] - Wide(scale) * y[s][j];
                for (auto [to, ways] : states[s].next) {
                    more += Wide(ways) * wave[to][0];
                    for (int j = 0; j < n; j++) rest[j] += Wide(ways) * y[to][(j + n - 1) % n];
                }
                turns[s] = divided(more);
                for (int j = 0; j < n; j++) r[s][j] = divided(rest[j]);
            }
            for (int j = 0; j < n; j++) result[j].push_back(y[start][j]);
            result[n].push_back(wave[start][0]);
        }
        return result;
    }

    int run(const std::vector<std::string> &numbers) {
        eliminate();
        double most = 2.04 * bits;
        if (!numbers.empty()) most = 0;
        for (const std::string &text : numbers) most = std::max(most, text.size() * 6.0 + bits);
        const int steps = int((most + 10) / 59.99) + 2;  // 2^10 is above 4·n and 18·n^2 + 1
        const std::array<Digits, n + 1> x = lift(steps);
        if (numbers.empty()) {
            std::printf("%lld\n", (long long)M);
            for (const Digits &of : x) {
                for (Int d : of) std::printf("%lld ", (long long)d);
                std::puts("");
            }
            return 0;
        }
        std::vector<Digits> read, sides;
        for (const std::string &text : numbers) read.push_back(digits(text));
        for (int j = 0; j < n; j++) {  // coefficients of B·X
            Digits sum(steps);
            for (int i = 0; i < n; i++) add(sum, read[i], x[(j + n - i) % n]);
            sides.push_back(sum);
        }
        Digits mean(steps), rest(steps);
        add(mean, read[2 * n], x[n]), add(rest, {1}, read[2 * n + 1]);
        bool is_equal = mean == rest;
        for (int j = 1; j < n; j++) {
            Digits left = sides[0], right = sides[j];
            add(left, {1}, read[n + j]), add(right, {1}, read[n]);
            is_equal = is_equal && left == right;
        }
        std::printf("%d digits in base %lld: %s\n", steps, (long long)M, is_equal ? "equal" : "another number");
        return !is_equal;
    }
};

int main(int words, char **word) {
    const int players = words > 1 ? std::atoi(word[1]) : 0;
    std::vector<std::string> numbers(word + std::min(2, words), word + words);
    if (numbers.size() == 1) {
        const std::string source = __FILE__;
        std::ifstream file(source.substr(0, source.rfind('/') + 1) + numbers[0]);
        numbers.clear();
        for (std::string line; std::getline(file, line);) numbers.push_back(line);
    }
    bool is_read = players > 1 && players < 6 && (words == 2 || (int)numbers.size() == 2 * players + 2);
    for (const std::string &text : numbers)
        is_read = is_read && !text.empty() && text.find_first_not_of(BASE) == text.npos;
    if (!is_read) return std::fputs("lcr_exact: give players, 2 to 5, and all numbers or a file with them, in base 64\n", stderr), 2;
    return players == 2 ? Game<2>().run(numbers) : players == 3 ? Game<3>().run(numbers)
         : players == 4 ? Game<4>().run(numbers) : Game<5>().run(numbers);
}
