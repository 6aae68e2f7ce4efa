/* Percentiles of the score of named policies in the software-engineering game: swe_quantiles ROUNDS NAME:P10,P20,P50,P90,P95,P99 ...

Checks for each policy that the printed percentiles are within three standard errors of 10,000 games of the exact
distribution: if F is the distribution function of the score, a figure x printed for the share p must satisfy F(x - 1) <= p +
3e and F(x) >= p - 3e with e = sqrt(p(1 - p)/10000). Prints one line for each policy. Exit status 0 if all figures pass, 1
otherwise, 2 for invalid arguments.

The names are those of the README that prints the figures. Dice have 4, 6, 8, 12 and 20 faces. If a die is in legacy, the
policy fixes one with the most faces. Otherwise it creates a die or promotes one with the fewest faces; if no die can be
promoted, it creates. NewOnly always creates, Promo promotes, PromoOnce creates if it has no d4, ExpLegacy(x) creates if the
expected number of failures in a roll is below x, and Rand(x) creates with probability x. As the README's program runs them,
PromoThenNew(x) is Promo and NewThenPromo(x) is NewOnly.

The program computes the probability of each table and score after each round in doubles that are rounded down, and leaves
out the least likely outcomes. So F is at least the sum of the results up to x, and at most that plus what is missing to 1. */
#include <algorithm>
#include <array>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

using Code = std::uint64_t;  // six bits for each number of dice: revenue, then legacy, from the fewest faces
using Scores = std::vector<double>;
using Tables = std::unordered_map<Code, Scores>;
const int FACES[] = {4, 6, 8, 12, 20}, KINDS = 5;
const double SHARES[] = {0.1, 0.2, 0.5, 0.9, 0.95, 0.99}, LEAST = 1e-15;

int number(Code table, int place) { return table >> 6 * place & 63; }
Code one(int place) { return Code(1) << 6 * place; }

double creates(const std::string &family, double x, Code table) {
    if (family == "NewOnly") return 1;
    if (family == "Promo") return 0;
    if (family == "PromoOnce") return number(table, 0) == 0;
    if (family == "Rand") return x;
    int expected = 0;  // failures in a roll, times 1200
    for (int i = 0; i < KINDS; i++) expected += number(table, i) * 1200 / FACES[i];
    return expected < std::lround(10 * x) * 120;
}

void add(Scores &to, const Scores &from, double share, int shift) {
    if (to.size() < from.size() + shift) to.resize(from.size() + shift);
    for (std::size_t i = 0; i < from.size(); i++) to[i + shift] += from[i] * share;
}

Tables moved(const Tables &before, const std::string &family, double x) {
    Tables after;
    for (const auto &[table, scores] : before) {
        int fixed = 2 * KINDS - 1, raised = 0;
        while (fixed >= KINDS && !number(table, fixed)) fixed--;
        while (raised < KINDS - 1 && !number(table, raised)) raised++;
        if (fixed >= KINDS) {
            add(after[table - one(fixed) + one(fixed - KINDS)], scores, 1, 0);
            continue;
        }
        const double share = raised == KINDS - 1 ? 1 : creates(family, x, table);
        if (share > 0) add(after[table + one(0)], scores, share, 0);
        if (share < 1) add(after[table - one(raised) + one(raised + 1)], scores, 1 - share, 0);
    }
    return after;
}

Tables rolled(Tables now) {
    for (int kind = 0; kind < KINDS; kind++) {
        Tables after;
        for (const auto &[table, scores] : now) {
            const int n = number(table, kind);
            const double most = *std::max_element(scores.begin(), scores.end());
            double ways = 1;  // C(n, k)
            for (int k = 0; k <= n; k++) {  // k dice fail
                double share = ways;
                for (int i = 0; i < n; i++) share = share * (i < k ? 1 : FACES[kind] - 1) / FACES[kind];
                if (k == 0 || most * share > LEAST) add(after[table + k * (one(kind + KINDS) - one(kind))], scores, share, 0);
                ways = ways * (n - k) / (k + 1);
            }
        }
        now.swap(after);
    }
    Tables scored;
    for (const auto &[table, scores] : now) {
        int kept = 0;
        for (int i = 0; i < KINDS; i++) kept += number(table, i);
        Scores &to = scored[table];
        if (kept) {
            add(to, scores, 1, kept);
            continue;
        }
        if (to.empty()) to.resize(1);
        for (double chance : scores) to[0] += chance;
    }
    return scored;
}

Scores law(int rounds, const std::string &family, double x) {
    Tables now = {{0, {1.0}}};
    for (int t = 0; t < rounds; t++) now = rolled(moved(now, family, x));
    Scores all;
    for (const auto &[table, scores] : now) add(all, scores, 1, 0);
    return all;
}

int main(int words, char **word) {
    const int rounds = words > 2 ? std::atoi(word[1]) : 0;
    if (rounds < 1 || rounds > 100) return std::fputs("swe_quantiles: give rounds, and policies with figures\n", stderr), 2;
    std::fesetround(FE_DOWNWARD);
    std::map<std::string, Scores> laws;
    bool fits = true;
    for (int w = 2; w < words; w++) {
        const std::string text = word[w], name = text.substr(0, text.find(':'));
        std::string family = name.substr(0, name.find('('));
        const double x = family.size() < name.size() ? std::atof(name.c_str() + family.size() + 1) : 0;
        if (family == "PromoThenNew") family = "Promo";
        if (family == "NewThenPromo" || (family == "Rand" && x == 1)) family = "NewOnly";
        const std::string known = family + (family == "ExpLegacy" || family == "Rand" ? std::to_string(x) : "");
        if (!laws.count(known)) laws[known] = law(rounds, family, x);
        const Scores &scores = laws[known];
        double total = 0, worst = 0;
        for (double chance : scores) total += chance;
        const char *at = word[w] + name.size();
        for (double p : SHARES) {
            if (*at != ':' && *at != ',') return std::fputs("swe_quantiles: give six figures\n", stderr), 2;
            char *end;
            const long figure = std::strtol(at + 1, &end, 10);
            at = end;
            double below = 0, upto = 0;
            for (long i = 0; i <= figure && i < (long)scores.size(); i++) below = i < figure ? upto + scores[i] : below, upto += scores[i];
            const double error = std::sqrt(p * (1 - p)) / 100;
            worst = std::max(worst, std::max(below + (1 - total) - p, p - upto) / error);
        }
        fits &= worst < 2.999999;
        std::printf("%s: at most %.2f standard errors; %.1e missing\n", name.c_str(), worst, 1 - total);
        std::fflush(stdout);
    }
    return !fits;
}
