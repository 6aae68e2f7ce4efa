/* Left, Center, Right: lcr_check PLAYERS TURNS WIDTH LOW ...

Each player begins with three chips. In turn each rolls as many dice as they have chips, three at most. Of the six faces of
a die one passes a chip to the left, one passes a chip to the right, one puts a chip into the pot, and three keep it. The
turn passes to the left. The last player with chips wins.

Prints for each seat, in the order of play, bounds of the probability to win, and bounds of the mean number of turns. Exit
status 0 if each seat's probability is between its LOW and LOW + WIDTH, and the mean number of turns between the last LOW
and LOW + WIDTH; 1 otherwise; 2 for invalid arguments.

The program computes the distribution of the chips after each turn, up to TURNS, in integer multiples of 10^-35 that are
rounded down. So the probability that a seat has won by then is a lower bound, and an upper bound is 1 less those of all other seats. The game
has no more than t turns with at least the probability that some seat has won by then, and the mean number of turns is the
sum over t >= 0 of the probability that it has more. Beyond TURNS: while the game is not over, at least one player with
chips rolls in each round of PLAYERS turns, and the first die of that player puts a chip into the pot with probability 1/6.
So the mean number of turns that are left is at most 6·PLAYERS times the number of chips, 3·PLAYERS. */
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

using Chips = std::vector<int>;  // from the player to roll on to the left
using Part = unsigned __int128;  // times 10^-35
struct Outcome { int left, right, pot, ways; };

int players;
std::vector<Chips> states;
std::unordered_map<std::uint64_t, int> place;

std::uint64_t code(const Chips &chips) {
    std::uint64_t result = 0;
    for (int n : chips) result = result * 32 + n;
    return result;
}

void list(Chips &chips, int left) {
    if ((int)chips.size() == players) return place[code(chips)] = states.size(), states.push_back(chips);
    for (int n = 0; n <= left; n++) chips.push_back(n), list(chips, left - n), chips.pop_back();
}

Part read(const char *text) {  // below 1000, with 35 decimals at most
    const std::string all = text;
    const std::size_t whole = std::min(all.find('.'), all.size());
    std::string digits = all.substr(0, whole) + all.substr(std::min(whole + 1, all.size()));
    if (whole > 3 || digits.size() > whole + 35 || digits.find_first_not_of("0123456789") != digits.npos)
        std::fputs("lcr_check: give decimal numbers below 1000\n", stderr), std::exit(2);
    digits.resize(whole + 35, '0');
    Part result = 0;
    for (char c : digits) result = result * 10 + (c - '0');
    return result;
}

std::string shown(Part part) {
    std::string digits;
    for (int n = 0; n < 36 || part; n++, part /= 10) digits += n == 35 ? "." : "", digits += char('0' + int(part % 10));
    return {digits.rbegin(), digits.rend()};
}

int main(int words, char **word) {
    players = words > 3 ? std::atoi(word[1]) : 0;
    if (players < 2 || players > 7 || words != 5 + players)
        return std::fputs("lcr_check: give players, turns, a width, and a number for each seat and for the turns\n", stderr), 2;
    const int turns = std::atoi(word[2]);
    const Part width = read(word[3]), unit = read("1");
    std::array<std::vector<Outcome>, 4> rolled;
    for (int dice = 0; dice < 4; dice++)
        for (int l = 0; l <= dice; l++)
            for (int r = 0; l + r <= dice; r++)
                for (int c = 0; l + r + c <= dice; c++) {
                    const int kept = dice - l - r - c, f[] = {1, 1, 2, 6}, power[] = {1, 3, 9, 27};
                    rolled[dice].push_back({l, r, c, f[dice] / (f[l] * f[r] * f[c] * f[kept]) * power[kept]});
                }
    Chips chips;
    list(chips, 3 * players);
    const int count = states.size();
    std::vector<int> to, first, winner(count, -1);
    for (int i = 0; i < count; i++) {
        const Chips &now = states[i];
        first.push_back(to.size());
        int holders = 0;
        for (int j = 0; j < players; j++)
            if (now[j]) holders++, winner[i] = j;
        if (holders != 1) winner[i] = -1;
        if (holders < 2) continue;
        for (const Outcome &of : rolled[std::min(3, now[0])]) {
            Chips next(now.begin() + 1, now.end());
            next.push_back(now[0] - of.left - of.right - of.pot);
            next[0] += of.left, next[players - 2] += of.right;
            to.push_back(place.at(code(next)));
        }
    }
    const unsigned share[] = {1, 6, 36, 216};
    std::vector<Part> chance(count), after(count), won(players);
    chance[place.at(code(Chips(players, 3)))] = unit;
    Part more = 0, least = 0;  // sums of the probability that play goes on: bounds from above and below
    Part over = 0;
    for (int turn = 0; turn < turns; turn++) {
        more += unit - over;
        Part still = 0;
        std::fill(after.begin(), after.end(), 0);
        for (int i = 0; i < count; i++) {
            if (chance[i] == 0 || winner[i] >= 0) continue;
            still += chance[i];
            const int dice = std::min(3, states[i][0]);
            const Part part = chance[i] / share[dice];
            int at = first[i];
            for (const Outcome &of : rolled[dice]) after[to[at++]] += part * of.ways;
        }
        least += still;
        std::swap(chance, after);
        for (int i = 0; i < count; i++)
            if (winner[i] >= 0 && chance[i] > 0) won[(turn + 1 + winner[i]) % players] += chance[i];
        over = std::accumulate(won.begin(), won.end(), Part(0));
    }
    const Part left = unit - over;
    if (left > width) return std::fputs("lcr_check: more turns are needed\n", stderr), 1;
    more += left * (18 * players * players);
    bool is_fit = true;
    for (int seat = 0; seat < players; seat++) {
        const Part low = read(word[4 + seat]);
        std::printf("seat %d: from %s to %s\n", seat + 1, shown(won[seat]).c_str(), shown(won[seat] + left).c_str());
        is_fit &= low <= won[seat] && won[seat] + left <= low + width;
    }
    const Part low = read(word[4 + players]);
    std::printf("turns: from %s to %s\n", shown(least).c_str(), shown(more).c_str());
    return !(is_fit && low <= least && more <= low + width);
}
