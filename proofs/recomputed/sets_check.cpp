// Check which sets of dice are the best for one turn of Farkle, among all sets of many kinds of dice:
//
//     g++ -O2 -std=c++17 -o sets_check sets_check.cpp && ./sets_check FILE
//
// All dice of a set are rolled. After each roll the player keeps some scoring dice and either rolls the
// others again or banks the points; a roll without scoring dice ends the turn without points. If all dice
// have scored, all may be rolled again. At TARGET points the turn ends. The value of a set is the expected
// number of banked points under optimal play. A 1 scores 100 points, a 5 scores 50, three 1s 1000, three
// of another face 100 times the face, and each further equal die doubles that; 1 to 5 score 500, 2 to 6
// 750 and 1 to 6 1500. Every kept die is used in one of these combinations. A joker substitutes for any
// face of a combination, but not for all of them.
//
//     exactdice-best-sets 1
//     target 6000
//     dice 6
//     least POINTS
//     kinds N             then for each kind of die its name, and the weights of faces 1 to 6 and the joker
//     sets
//     3,1,1 LOWER UPPER   a set, by its numbers of dice of the first kinds, and bounds in 1/2^16 points
//     3,1,0,0 UPPER       an upper bound, below LEAST, of all sets that begin with these numbers
//     …
//     done
//
// The lines cover all sets, in descending order of the number of dice of the first kind, then of the
// second, and so on. The upper bound of sets with the same beginning is the value for a player who may,
// before each roll, exchange every other remaining die for one of a later kind; no player with a fixed
// set can do better. A sweep over the points, from TARGET down, computes it for each line, in integers
// rounded up; the lower bound of a set is the same rounded down. Prints how many sets are listed, how many
// exist, and whether the bounds determine their order. Exit status: 0 accepted, 1 rejected, 2 no file.
// With --write the file ends at `sets`, and the program prints the lines that should follow.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using Whole = int64_t;
using Faces = std::array<int, 7>;  // how many dice show 1, …, 6 and the joker
using Counts = std::vector<int>;
const int step = 50, value_bits = 16, chance_bits = 26, joker = 6;
struct Kind { std::string name; Faces weights; int sum; };

std::vector<Kind> kinds;
int target, dice, levels, stride;
Whole least;
std::map<Faces, int> scores;                  // points over 50 of dice that all score together
std::vector<std::vector<Faces>> shown;        // by number of dice: what they may show
std::vector<std::map<Faces, int>> place;      // where that stands
std::vector<std::vector<std::array<int, 7>>> more;  // where it stands with one face more

[[noreturn]] void reject(const std::string& reason) {
    std::cout << "rejected: " << reason << "\n";
    exit(1);
}

void list_scores() {
    std::vector<std::pair<Faces, int>> patterns;
    auto enter = [&](Faces faces, int worth) {  // with jokers in the places of some
        int size = std::accumulate(faces.begin(), faces.end(), 0);
        for (int subset = 0; subset < 1 << 6; ++subset) {  // faces are alike or differ: of alike ones any number
            Faces some = faces;
            int alike = -1;
            for (int f = 0; f < 6; ++f) {
                if (faces[f] > 1) alike = f;
                if (subset >> f & 1 && faces[f] == 1) --some[f], ++some[joker];
                else if (subset >> f & 1) some[joker] = 99;
            }
            if (some[joker] < size) patterns.push_back({some, worth});
            if (alike >= 0 && !subset)
                for (int n = 1; n < faces[alike]; ++n) {
                    Faces mixed{};
                    mixed[alike] = n, mixed[joker] = faces[alike] - n;
                    patterns.push_back({mixed, worth});
                }
        }
    };
    enter({1, 0, 0, 0, 0, 0, 0}, 2), enter({0, 0, 0, 0, 1, 0, 0}, 1);
    enter({1, 1, 1, 1, 1, 0, 0}, 10), enter({0, 1, 1, 1, 1, 1, 0}, 15), enter({1, 1, 1, 1, 1, 1, 0}, 30);
    for (int f = 0; f < 6; ++f)
        for (int n = 3; n <= 6; ++n) {
            Faces alike{};
            alike[f] = n;
            enter(alike, (f ? 2 * (f + 1) : 20) << (n - 3));
        }
    shown.assign(1, {Faces{}}), place.assign(1, {{Faces{}, 0}});
    for (int n = 0; n < dice; ++n) {
        std::map<Faces, int> next;
        for (const Faces& faces : shown[n])
            for (int f = 0; f < 7; ++f) {
                Faces one = faces;
                ++one[f], next[one] = 0;
            }
        shown.push_back({});
        for (auto& [faces, where] : next) where = (int)shown.back().size(), shown.back().push_back(faces);
        place.push_back(next), more.push_back({});
        for (const Faces& faces : shown[n]) {
            more[n].push_back({});
            for (int f = 0; f < 7; ++f) {
                Faces one = faces;
                ++one[f], more[n].back()[f] = next[one];
            }
        }
    }
    scores[Faces{}] = 0;
    for (int n = 0; n < dice; ++n)
        for (const Faces& faces : shown[n])
            if (scores.count(faces))
                for (auto& [pattern, worth] : patterns) {
                    Faces sum = faces;
                    for (int f = 0; f < 7; ++f) sum[f] += pattern[f];
                    if (std::accumulate(sum.begin(), sum.end(), 0) > dice) continue;
                    int& best = scores[sum];
                    best = std::max(best, scores[faces] + worth);
                }
    scores.erase(Faces{});
}

// What rolls offer to sets with so many dice of each kind held and so many free ones, whatever the kinds.
// A state is how many of each are left; its number is in mixed radix.
struct Rolls {
    Counts left;
    std::vector<Counts> rows;             // what the held dice of each kind show
    std::vector<int> menu;                // by row and by what the free dice show
};

struct Pattern {
    Counts capacity;                      // the last is that of free dice
    std::vector<Rolls> rolls;
    std::vector<Counts> menus;            // where the options of a menu are: states and points

    int number(const Counts& left) const {
        int n = 0;
        for (size_t i = 0; i < left.size(); ++i) n = n * (capacity[i] + 1) + left[i];
        return n;
    }

    Pattern(const Counts& capacity, const std::vector<bool>& jokers) : capacity(capacity) {
        std::map<Counts, int> known;
        Counts left(capacity.size(), 0);
        for (bool goes_on = true; goes_on;) {
            Rolls here{left, {{}}, {}};
            for (size_t i = 0; i + 1 < left.size(); ++i) {
                std::vector<Counts> longer;
                for (const Counts& row : here.rows)
                    for (size_t what = 0; what < shown[left[i]].size(); ++what)
                        if (jokers[i] ? !shown[left[i]][what][0] : !shown[left[i]][what][joker]) {
                            longer.push_back(row);
                            longer.back().push_back((int)what);
                        }
                here.rows.swap(longer);
            }
            for (Counts row : here.rows)
                for (size_t what = 0; what < shown[left.back()].size(); ++what) {
                    row.push_back((int)what);
                    Counts options = options_of(left, row);
                    row.pop_back();
                    auto [entry, is_new] = known.insert({options, (int)menus.size()});
                    if (is_new) menus.push_back(options);
                    here.menu.push_back(entry->second);
                }
            rolls.push_back(std::move(here));
            goes_on = false;
            for (size_t i = left.size(); i-- > 0 && !goes_on;)
                if (left[i] < capacity[i]) ++left[i], goes_on = true;
                else left[i] = 0;
        }
    }

    Counts options_of(const Counts& left, const Counts& row) const {
        Faces all{};
        std::vector<Faces> groups;
        for (size_t i = 0; i < left.size(); ++i) {
            groups.push_back(shown[left[i]][row[i]]);
            for (int f = 0; f < 7; ++f) all[f] += groups.back()[f];
        }
        std::set<int> options;
        for (auto& [kept, worth] : scores) {
            bool holds = true;
            for (int f = 0; f < 7; ++f) holds = holds && kept[f] <= all[f];
            if (!holds) continue;
            std::set<Counts> after = {left};
            for (int f = 0; f < 7; ++f)
                if (kept[f]) {
                    std::set<Counts> next;
                    for (const Counts& state : after) take(state, groups, f, 0, kept[f], next);
                    after.swap(next);
                }
            for (const Counts& state : after) options.insert(number(state) * stride + worth);
        }
        return {options.begin(), options.end()};
    }

    static void take(Counts state, const std::vector<Faces>& groups, int face, size_t i, int wanted, std::set<Counts>& to) {
        if (i == groups.size()) {
            if (!wanted) to.insert(state);
            return;
        }
        for (int n = 0; n <= std::min(wanted, groups[i][face]); ++n, --state[i]) take(state, groups, face, i + 1, wanted - n, to);
    }
};

const Pattern& pattern_of(const Counts& capacity, const std::vector<bool>& jokers) {
    static std::map<std::pair<Counts, std::vector<bool>>, std::unique_ptr<Pattern>> known;
    auto& entry = known[{capacity, jokers}];
    if (!entry) entry = std::make_unique<Pattern>(capacity, jokers);
    return *entry;
}

// The most that free dice of kinds from `first` on can make of what their faces are worth, rounded up.
Whole most(const std::vector<Whole>& worth, int free, size_t first) {
    static std::vector<std::array<Whole, 7>> chances;
    if (chances.empty())
        for (const Kind& kind : kinds) {
            chances.push_back({});
            for (int f = 0; f < 7; ++f) chances.back()[f] = (((Whole)kind.weights[f] << chance_bits) + kind.sum - 1) / kind.sum;
        }
    if (!free) return worth[0];
    Whole best = 0;
    std::vector<Whole> next(shown[free - 1].size());
    for (size_t kind = first; kind < kinds.size(); ++kind) {
        for (size_t what = 0; what < next.size(); ++what) {
            Whole sum = 0;
            for (int f = 0; f < 7; ++f) sum += chances[kind][f] * worth[more[free - 1][what][f]];
            next[what] = (sum + (1LL << chance_bits) - 1) >> chance_bits;
        }
        best = std::max(best, most(next, free - 1, kind));
    }
    return best;
}

// What a turn is worth with so many dice of the first kinds and others of later kinds, rounded.
Whole bound(const Counts& prefix, bool up) {
    std::vector<std::pair<int, size_t>> held;
    int free = dice;
    for (size_t kind = 0; kind < prefix.size(); ++kind)
        if (prefix[kind]) held.push_back({-prefix[kind], kind}), free -= prefix[kind];
    std::sort(held.begin(), held.end());
    Counts capacity;
    std::vector<bool> jokers;
    for (auto [count, kind] : held) capacity.push_back(-count), jokers.push_back(kinds[kind].weights[joker] > 0);
    capacity.push_back(free);
    const Pattern& pattern = pattern_of(capacity, jokers);
    struct Sum { int menu; Whole weight; };
    std::vector<std::vector<std::vector<Sum>>> sums;  // by state and by what free dice show: menus
    Counts wholes;
    std::vector<Whole> weight_of(pattern.menus.size());
    for (const Rolls& rolls : pattern.rolls) {
        Whole whole = 1;
        for (size_t i = 0; i < held.size(); ++i)
            for (int n = 0; n < rolls.left[i]; ++n) whole *= kinds[held[i].second].sum;
        wholes.push_back((int)whole);
        std::vector<Whole> weights;
        for (const Counts& row : rolls.rows) {
            Whole weight = 1;
            for (size_t i = 0; i < held.size(); ++i) {
                int used = 0;  // the multinomial, a face at a time
                for (int f = 0; f < 7; ++f)
                    for (int n = 1; n <= shown[rolls.left[i]][row[i]][f]; ++n)
                        weight = weight * ++used / n * kinds[held[i].second].weights[f];
            }
            weights.push_back(weight);
        }
        size_t shows = shown[rolls.left.back()].size();
        sums.push_back(std::vector<std::vector<Sum>>(shows));
        for (size_t what = 0; what < shows; ++what) {
            auto& here = sums.back()[what];
            for (size_t row = 0; row < weights.size(); ++row) {
                int menu = rolls.menu[row * shows + what];
                if (weights[row] && !weight_of[menu]) here.push_back({menu, 0});
                weight_of[menu] += weights[row];
            }
            for (Sum& sum : here) sum.weight = weight_of[sum.menu];
            for (Sum& sum : here) weight_of[sum.menu] = 0;
        }
    }
    std::vector<Whole> worth(pattern.rolls.size() * stride), best(pattern.menus.size());
    for (size_t state = 0; state < pattern.rolls.size(); ++state)
        for (int level = levels; level < stride; ++level) worth[state * stride + level] = (Whole)level * step << value_bits;
    Whole rolled = 0;
    for (int level = levels; level-- > 0;) {
        for (size_t menu = 0; menu < best.size(); ++menu) {
            best[menu] = 0;
            for (int option : pattern.menus[menu]) best[menu] = std::max(best[menu], worth[option + level]);
        }
        Whole bank = (Whole)level * step << value_bits;
        for (size_t state = 1; state < pattern.rolls.size(); ++state) {
            std::vector<Whole> means;
            for (const auto& here : sums[state]) {
                Whole mean = 0;
                for (const Sum& sum : here) mean += sum.weight * best[sum.menu];
                means.push_back((mean + (up ? wholes[state] - 1 : 0)) / wholes[state]);
            }
            rolled = most(means, pattern.rolls[state].left.back(), prefix.size());
            worth[state * stride + level] = std::max(rolled, bank);
        }
        worth[level] = std::max(rolled, bank);  // the last state is that of all dice
    }
    return rolled;
}

std::string name_of(const Counts& prefix) {
    std::string text;
    for (int n : prefix) text += (text.empty() ? "" : ",") + std::to_string(n);
    return text;
}

Whole count_sets(size_t kinds_left, int free) {  // of how many sets a line speaks
    Whole ways = 1;
    for (int n = 1; n <= free; ++n) ways = ways * (Whole)(kinds_left + n - 1) / n;
    return ways;
}

std::ifstream file;
std::istringstream line;
std::string line_name;
bool writes;
Whole all_sets = 0;
std::vector<std::pair<Whole, Whole>> listed;

void next_line() {
    std::string text;
    if (!std::getline(file, text)) reject("the end is missing");
    line.clear(), line.str(text), line_name = "";
    line >> line_name;
}

// Go through the sets that begin so.
void cover(Counts& prefix, int free) {
    if (free && prefix.size() == kinds.size()) return;  // there are none
    Whole upper = -1, lower = -1;
    if (writes) {
        bool is_hopeless = free > 3 && prefix.size() < 2;  // a bound would take long, and be too high
        upper = is_hopeless ? least : bound(prefix, true);
        if (!free && upper >= least) lower = bound(prefix, false);
        if (lower >= 0) std::cout << name_of(prefix) << " " << lower << " " << upper << std::endl;
        else if (upper < least) std::cout << name_of(prefix) << " " << upper << std::endl;
    } else if (line_name == name_of(prefix) && !prefix.empty()) {
        Whole first, second;
        std::string rest;
        if (!(line >> first)) reject("no bound of " + line_name);
        bool is_set = (bool)(line >> second);
        line.clear();
        if (line >> rest) reject("more than bounds of " + line_name);
        upper = is_set ? second : first;
        if (bound(prefix, true) > upper) reject("some are worth more: " + line_name);
        if (is_set) {
            lower = first;
            if (free || lower < least || bound(prefix, false) < lower) reject("worth less, or no set: " + line_name);
        } else if (upper >= least) reject("may be worth too much: " + line_name);
        next_line();
    }
    if (lower >= 0) listed.push_back({lower, upper});
    if (lower >= 0 || (upper >= 0 && upper < least)) all_sets += count_sets(kinds.size() - prefix.size(), free);
    else if (!free) reject("not there: " + name_of(prefix));
    else
        for (int n = free; n >= 0; --n) {
            prefix.push_back(n);
            cover(prefix, free - n);
            prefix.pop_back();
        }
}

int main(int words, char** word) {
    writes = words == 3 && word[2] == std::string("--write");
    if (words == 2 || writes) file.open(word[1]);
    if (!file.is_open()) return std::cerr << "sets_check: give one file\n", 2;
    std::string name[4], title;
    int version, count, points;
    if (!(file >> title >> version >> name[0] >> target >> name[1] >> dice >> name[2] >> points >> name[3] >> count) ||
        title != "exactdice-best-sets" || version != 1 || name[0] != "target" || name[1] != "dice" || name[2] != "least" ||
        name[3] != "kinds" || dice < 1 || dice > 6 || target < step || target > 10000 || target % step || points < 1 ||
        points > 20000 || count < 1 || count > 99)
        reject("no such head");
    for (int k = 0; k < count; ++k) {
        Kind kind;
        if (!(file >> kind.name)) reject("a kind is missing");
        for (int& weight : kind.weights)
            if (!(file >> weight) || weight < 0 || weight > 30) reject("no weights of " + kind.name);
        kind.sum = std::accumulate(kind.weights.begin(), kind.weights.end(), 0);
        if (kind.sum < 1 || kind.sum > 35 || (kind.weights[0] && kind.weights[joker])) reject("no die: " + kind.name);
        kinds.push_back(kind);
    }
    next_line();  // what is left of the last kind's
    next_line();
    if (line_name != "sets") reject("no line of sets");
    least = (Whole)points << value_bits, levels = target / step;
    list_scores();
    stride = levels + 1;
    for (auto& [faces, worth] : scores) stride = std::max(stride, levels + worth + 1);
    if (!writes) next_line();
    Counts prefix;
    cover(prefix, dice);
    if (writes) return std::cout << "done\n", 0;
    std::string rest;
    if (line_name != "done" || file >> rest) reject("should end with 'done'");
    std::sort(listed.begin(), listed.end());
    int open = 0;
    for (size_t i = 1; i < listed.size(); ++i) open += listed[i - 1].second >= listed[i].first;
    double unit = 1 << value_bits;
    std::cout << "accepted: of " << all_sets << " sets " << listed.size() << " are worth " << points << " or more";
    if (!listed.empty()) printf("%s, the best from %.4f to %.4f", (std::cout.flush(), ""), listed.back().first / unit, listed.back().second / unit);
    printf("; the order of %d neighbours is open\n", open);
    return 0;
}
