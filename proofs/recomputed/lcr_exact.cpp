/* Exact probabilities in Left, Center, Right: lcr_exact PLAYERS [D N1 N2 ...]

The rules are those of lcr_check. Exit status 0 if the probabilities of the seats to win, in the order of play, are N1/D,
N2/D and so on, 1 otherwise. Without these numbers prints M, and M-adic digits of the probabilities, by which a candidate can be
found. D may also be the name of a file beside this source, with D, N1, N2 and so on, one a line. All are in hexadecimal digits.

Let x(s, j) be the probability that the j-th player from the one to roll on wins, with the chips s. Multiplied by 6^d, d
being the number of dice rolled, the equations of all x are A·x = b with integers. A is an M-matrix with the pivots 6^d or
less. So 0 < det A <= P, the product of all 6^d, and det A·x is an integer vector. The program finds integers X with A·X =
b - M^K·r digit by digit, and computes each r exactly. So det A·(x - X) is divisible by M^K. If D·X - N is too, so is
det A·(D·x - N). That is less than P·D in absolute value, since x and N/D are between 0 and 1. So if M^K >= P·D, then D·x = N.

Mod M the equations are split by the n-th roots of unity, and solved by elimination for each number of chips in play, fewer
first. No property of M is used but that the exact remainders are divisible by it. */
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
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

int players;
struct Part { int to; Int ways; };
struct State { Int scale; std::vector<Part> next; int winner, dice; };
std::vector<Chips> chips;
std::vector<State> states;
std::map<Chips, int> place;
std::vector<std::pair<int, int>> blocks;  // first and last + 1 of each number of chips in play

void list(Chips &now, int left) {
    if ((int)now.size() == players - 1) {
        now.push_back(left), place[now] = chips.size(), chips.push_back(now), now.pop_back();
        return;
    }
    for (int n = 0; n <= left; n++) now.push_back(n), list(now, left - n), now.pop_back();
}

void rules() {
    for (int total = 1; total <= 3 * players; total++) {
        Chips none;
        const int first = chips.size();
        list(none, total);
        blocks.push_back({first, chips.size()});
    }
    for (const Chips &now : chips) {
        State of{1, {}, -1, std::min(3, now[0])};
        int holders = 0;
        for (int j = 0; j < players; j++)
            if (now[j]) holders++, of.winner = j;
        if (holders > 1) of.winner = -1;
        std::map<int, Int> to;
        int faces = 1;
        for (int i = 0; i < of.dice; i++) faces *= 6, of.scale *= 6;
        for (int code = 0; code < faces && of.winner < 0; code++) {  // each roll: left, right, pot, and three that keep
            Chips then(now.begin() + 1, now.end());
            then.push_back(now[0]);
            for (int i = 0, rest = code; i < of.dice; i++, rest /= 6)
                if (rest % 6 < 3) then.back()--, rest % 6 < 2 ? void(then[rest % 6 ? players - 2 : 0]++) : void();
            to[place.at(then)]++;
        }
        for (auto [at, ways] : to) of.next.push_back({at, ways});
        states.push_back(of);
    }
}

std::vector<std::vector<std::vector<Int>>> solved;  // by root and block: inverse matrices

void invert(std::vector<Int> &a, int n) {
    std::vector<Int> b(std::size_t(n) * n);
    for (int i = 0; i < n; i++) b[std::size_t(i) * n + i] = 1;
    for (int k = 0; k < n; k++) {  // diagonal pivots
        if (!a[std::size_t(k) * n + k]) std::fputs("lcr_exact: a pivot is 0\n", stderr), std::exit(2);
        const Int by = power(a[std::size_t(k) * n + k], M - 2);
        for (int j = 0; j < n; j++)
            for (auto *m : {&a, &b}) (*m)[std::size_t(k) * n + j] = times((*m)[std::size_t(k) * n + j], by);
        for (int i = 0; i < n; i++) {
            const Int off = a[std::size_t(i) * n + k];
            if (i == k || !off) continue;
            for (auto *m : {&a, &b})
                for (int j = 0; j < n; j++)
                    if (const Int by = (*m)[std::size_t(k) * n + j])
                        (*m)[std::size_t(i) * n + j] = mod((*m)[std::size_t(i) * n + j] - Wide(off) * by);
        }
    }
    a = b;
}

void split(const std::vector<Int> &root) {
    solved.resize(players);
    for (int w = 0; w < players; w++)
        for (auto [first, last] : blocks) {
            const int n = last - first;
            std::vector<Int> a(std::size_t(n) * n);
            for (int i = 0; i < n; i++) {
                a[std::size_t(i) * n + i] = states[first + i].scale;
                if (states[first + i].winner >= 0) { a[std::size_t(i) * n + i] = 1; continue; }
                for (auto [to, ways] : states[first + i].next)
                    if (to >= first) {
                        Int &cell = a[std::size_t(i) * n + to - first];
                        cell = mod(cell - Wide(ways) * root[w]);
                    }
            }
            invert(a, n);
            solved[w].push_back(a);
        }
}

Digits digits(const std::string &written) {
    Digits x;
    for (char c : written) {
        Wide carry = c <= '9' ? c - '0' : c - 'a' + 10;
        for (Int &d : x) carry += Wide(d) * 16, d = Int(carry % M), carry /= M;
        if (carry) x.push_back(Int(carry));
    }
    return x;
}

bool equal(const Digits &d, const Digits &x, const Digits &n) {  // d·x = n mod M^K
    Digits product(x.size());
    for (std::size_t i = 0; i < d.size(); i++) {
        Wide carry = 0;
        for (std::size_t j = 0; i + j < x.size(); j++) {
            carry += Wide(d[i]) * x[j] + product[i + j];
            product[i + j] = Int(carry % M), carry /= M;
        }
    }
    for (std::size_t i = 0; i < x.size(); i++)
        if (product[i] != (i < n.size() ? n[i] : 0)) return false;
    return n.size() <= x.size();
}

int main(int words, char **word) {
    players = words > 1 ? std::atoi(word[1]) : 0;
    std::vector<std::string> numbers(word + std::min(2, words), word + words);
    if (numbers.size() == 1) {
        const std::string source = __FILE__;
        std::ifstream file(source.substr(0, source.rfind('/') + 1) + numbers[0]);
        numbers.clear();
        for (std::string line; std::getline(file, line);) numbers.push_back(line);
    }
    bool is_read = players > 1 && players < 6 && (words == 2 || (int)numbers.size() == players + 1);
    for (const std::string &text : numbers)
        is_read = is_read && !text.empty() && text.find_first_not_of("0123456789abcdef") == text.npos;
    if (!is_read) return std::fputs("lcr_exact: give players, 2 to 5, and D, N1, N2 ... or a file with them, in hexadecimal\n", stderr), 2;
    rules();
    std::vector<Int> root(players, 1);
    for (Int g = 2; players > 1; g++) {
        const Int w = power(g, (M - 1) / players);
        bool is_primitive = true;
        for (int k = 1; k < players; k++) is_primitive = is_primitive && power(w, k) != 1;
        if (!is_primitive) continue;
        for (int k = 1; k < players; k++) root[k] = times(root[k - 1], w);
        break;
    }
    split(root);
    const int n = players, count = states.size();
    double bits = numbers.empty() ? 0 : numbers[0].size() * 4.0;
    for (const State &of : states) bits += of.winner < 0 ? n * of.dice * 2.585 : 0;
    const int steps = int((numbers.empty() ? bits * 2.02 : bits) / 59.99) + 2;
    std::vector<Int> r(std::size_t(count) * n), y(r.size()), wave(r.size());
    for (int s = 0; s < count; s++)
        if (states[s].winner >= 0) r[s * n + states[s].winner] = 1;
    std::vector<Digits> of(n);
    const Int share = power(n, M - 2);
    const int start = place.at(Chips(n, 3));
    for (int step = 0; step < steps; step++) {
        for (int w = 0; w < n; w++)
            for (std::size_t b = 0; b < blocks.size(); b++) {
                const auto [first, last] = blocks[b];
                std::vector<Int> side(last - first);
                for (int s = first; s < last; s++) {
                    Wide sum = 0;
                    for (int j = 0; j < n; j++) sum += Wide(root[w * j % n]) * r[s * n + j];
                    Wide lower = 0;
                    for (auto [to, ways] : states[s].next)
                        if (to < first) lower += Wide(ways) * wave[to * n + w];
                    side[s - first] = mod(sum % M + Wide(mod(lower)) * root[w]);
                }
                const std::vector<Int> &inverse = solved[w][b];
                for (int s = first; s < last; s++) {
                    Wide sum = 0;
                    const Int *row = &inverse[std::size_t(s - first) * (last - first)];
                    for (int k = 0; k < last - first; k++) {
                        sum += Wide(row[k]) * side[k];
                        if ((k & 63) == 63) sum %= M;
                    }
                    wave[s * n + w] = Int(sum % M);
                }
            }
        for (int s = 0; s < count; s++)
            for (int j = 0; j < n; j++) {
                Wide sum = 0;
                for (int w = 0; w < n; w++) sum += Wide(root[(n - w) * j % n]) * wave[s * n + w];
                y[s * n + j] = times(Int(sum % M), share);
            }
        for (int s = 0; s < count; s++)  // r becomes (r - A·y)/M
            for (int j = 0; j < n; j++) {
                Wide rest = r[s * n + j] - Wide(states[s].winner < 0 ? states[s].scale : 1) * y[s * n + j];
                for (auto [to, ways] : states[s].next) rest += Wide(ways) * y[to * n + (j + n - 1) % n];
                if (rest % M) return std::fputs("lcr_exact: a digit is wrong\n", stderr), 2;
                r[s * n + j] = Int(rest / M);
            }
        for (int j = 0; j < n; j++) of[j].push_back(y[start * n + j]);
    }
    if (numbers.empty()) {
        std::printf("%lld\n", (long long)M);
        for (const Digits &x : of) {
            for (Int d : x) std::printf("%lld ", (long long)d);
            std::puts("");
        }
        return 0;
    }
    bool is_equal = true;
    for (int j = 0; j < n; j++) is_equal = is_equal && equal(digits(numbers[0]), of[j], digits(numbers[j + 1]));
    std::printf("%d digits in base %lld: %s\n", steps, (long long)M, is_equal ? "equal" : "another number");
    return !is_equal;
}
