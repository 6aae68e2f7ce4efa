// Check bounds of the probability of winning a two-player race at Farkle:
//
//     g++ -O2 -std=c++17 -o race_check race_check.cpp && ./race_check FILE
//
// Both players have six fair dice and maximise the probability of winning: the first to bank TARGET points
// wins. In a turn all dice are rolled. After each roll the player keeps some scoring dice and either rolls
// the others again or banks the points. A roll without scoring dice ends the turn without points. If all
// dice have scored, all six may be rolled again. A 1 scores 100 points, a 5 scores 50, three 1s 1000, three
// of another face 100 times the face, and each further equal die doubles that; 1 to 5 score 500, 2 to 6
// 750 and 1 to 6 1500. Every kept die must be used in one of these combinations, with the most points.
//
// For all scores of the player to move and of the other player, in steps of 50 points, FILE contains a
// lower bound and the distance of the upper bound from it, in units of 2^-62 and in base 16:
//
//     exactdice-race 1
//     target 4000
//     LOWER ABOVE LOWER ABOVE …   a line for each score of the player to move, a pair for each of the other
//     …
//     done
//
// One sweep checks the consistency of the bounds. For every pair of scores the best turn must be worth at
// least the lower bound if the other player's probabilities are the upper bounds, and at most the upper
// bound if they are the lower bounds, in integers rounded down and up. This suffices. Let d be the largest
// violation of a bound by a true probability, and suppose d > 0. Among the pairs of scores with violation
// d take one with the greatest sum. The best turn by the bounds (or by the true probabilities, if the
// upper bound is violated) shows that d is at most the mean violation at the states after the turn, which
// is nowhere more than d. But each roll scores with positive probability, and each score brings the turn
// nearer to its end. If the turn ends with points, the game is won, without a violation, or the sum of
// scores is greater, with a violation below d. So d is less than d, a contradiction.
//
// Prints bounds of the starting player's probability. Exit status: 0 accepted, 1 rejected, 2 no file.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <utility>
#include <vector>

using Number = int64_t;  // of units of 2^-62, and counts
const Number one = 1LL << 62;
const int step = 50, all = 6;
using Faces = std::vector<int>;                    // how many dice show 1, 2, … 6
using Menu = std::set<std::pair<int, int>>;        // what may be kept: points over 50, and dice left
struct Weighed { Number weight; std::vector<std::pair<int, int>> menu; };
std::vector<Weighed> rolls[all + 1];               // by dice rolled: the menus of all that score
Number ways[all + 1] = {1};

[[noreturn]] void reject(const char* reason, int own = -1, int other = -1) {
    if (own < 0) printf("rejected: %s\n", reason);
    else printf("rejected: at %d against %d points %s\n", own * step, other * step, reason);
    exit(1);
}

// The most points over 50 of dice that are all used, or -1 if some cannot be.
int points(const Faces& faces) {
    int most = std::count(faces.begin(), faces.end(), 0) == 6 ? 0 : -1;
    auto use = [&](const Faces& taken, int worth) {
        Faces rest = faces;
        for (int f = 0; f < 6; ++f)
            if ((rest[f] -= taken[f]) < 0) return;
        int more = points(rest);
        if (more >= 0) most = std::max(most, worth + more);
    };
    use({1, 0, 0, 0, 0, 0}, 2), use({0, 0, 0, 0, 1, 0}, 1);
    use({1, 1, 1, 1, 1, 0}, 10), use({0, 1, 1, 1, 1, 1}, 15), use({1, 1, 1, 1, 1, 1}, 30);
    for (int f = 0; f < 6; ++f)
        for (int n = 3; n <= faces[f]; ++n) {
            Faces alike(6, 0);
            alike[f] = n;
            use(alike, (f ? 2 * (f + 1) : 20) << (n - 3));
        }
    return most;
}

// Every way to keep some of the dice.
void keep(const Faces& roll, Faces& kept, int face, int dice, Menu& menu) {
    if (face == 6) {
        int worth = points(kept), left = dice;
        for (int n : kept) left -= n;
        if (worth > 0) menu.insert({worth, left ? left : all});
        return;
    }
    for (kept[face] = 0; kept[face] <= roll[face]; ++kept[face]) keep(roll, kept, face + 1, dice, menu);
    kept[face] = 0;
}

void list_rolls() {
    std::map<Faces, Number> count = {{Faces(6, 0), 1}};
    for (int dice = 1; dice <= all; ++dice) {
        std::map<Faces, Number> next;
        for (auto& [faces, weight] : count)
            for (int f = 0; f < 6; ++f) {
                Faces more = faces;
                ++more[f];
                next[more] += weight;
            }
        count.swap(next), ways[dice] = 6 * ways[dice - 1];
        std::map<Menu, Number> menus;
        for (auto& [faces, weight] : count) {
            Menu menu;
            Faces kept(6, 0);
            keep(faces, kept, 0, dice, menu);
            if (!menu.empty()) menus[menu] += weight;
        }
        for (auto& [menu, weight] : menus) rolls[dice].push_back({weight, {menu.begin(), menu.end()}});
    }
}

// What the best turn is worth, rounded down or up; banked[p] is worth banking p, banked[0] a bust.
Number turn(const std::vector<Number>& banked, bool up) {
    int needed = (int)banked.size();
    std::vector<std::vector<Number>> after(needed, std::vector<Number>(all + 1));  // by points and dice left
    Number first = 0;
    for (int have = needed; have-- > 0;)
        for (int dice = 1; dice <= all; ++dice) {
            __int128 sum = 0;
            Number bust = ways[dice];
            for (const Weighed& roll : rolls[dice]) {
                Number best = 0;
                for (auto [worth, left] : roll.menu)
                    best = std::max(best, have + worth >= needed ? one : after[have + worth][left]);
                sum += (__int128)roll.weight * best, bust -= roll.weight;
            }
            sum += (__int128)bust * banked[0];
            Number worth = (Number)((sum + (up ? ways[dice] - 1 : 0)) / ways[dice]);
            after[have][dice] = have ? std::max(worth, banked[have]) : worth;
            if (!have) first = worth;  // of all dice at last
        }
    return first;
}

int main(int words, char** word) {
    FILE* file = words == 2 ? fopen(word[1], "r") : nullptr;
    if (!file) return fprintf(stderr, "race_check: give one file\n"), 2;
    int target = 0, end = 0;
    if (fscanf(file, "exactdice-race 1\ntarget %d%n", &target, &end) != 1 || target < step || target > 20000 || target % step)
        reject("no race to a multiple of 50 points");
    int size = target / step;
    std::vector<std::vector<Number>> low(size, std::vector<Number>(size)), high = low;
    char number[2][20];
    for (int own = 0; own < size; ++own)
        for (int other = 0; other < size; ++other) {
            if (fscanf(file, "%19s %19s", number[0], number[1]) != 2) reject("no bounds", own, other);
            uint64_t read[2];
            for (int i = 0; i < 2; ++i) {
                char* rest;
                if (strspn(number[i], "0123456789abcdef") != strlen(number[i]) || strlen(number[i]) > 16) reject("no number", own, other);
                read[i] = strtoull(number[i], &rest, 16);
            }
            if (read[0] > (uint64_t)one || read[1] > (uint64_t)one - read[0]) reject("no chances", own, other);
            low[own][other] = (Number)read[0], high[own][other] = (Number)(read[0] + read[1]);
        }
    char last[6] = "", more[2];
    if (fscanf(file, "%5s", last) != 1 || strcmp(last, "done") || fscanf(file, "%1s", more) == 1) reject("it should end with 'done'");
    list_rolls();
    for (int own = 0; own < size; ++own)
        for (int other = 0; other < size; ++other)
            for (bool up : {false, true}) {
                auto& theirs = up ? low : high;
                std::vector<Number> banked;
                for (int have = own; have < size; ++have) banked.push_back(one - theirs[other][have]);
                Number worth = turn(banked, up);
                if (up ? worth > high[own][other] : worth < low[own][other])
                    reject(up ? "a turn is worth more than the upper bound" : "no turn is worth the lower bound", own, other);
            }
    const Number digits = 1000000000000;
    __int128 least = (__int128)low[0][0] * digits / one, most = (__int128)high[0][0] * digits / one + 1;
    printf("accepted: who begins a race to %d wins with a chance from 0.%012lld to 0.%012lld\n", target, (long long)least, (long long)most);
    return 0;
}
