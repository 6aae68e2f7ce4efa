// Every turn makes a cross or a penalty, so one sweep does, from the sheets with most crosses down.
// With the white dice given, each coloured die offers its best sum by itself: a turn is the mean of
// the maximum of four independent numbers, whose laws are multiplied instead of being listed.

#include "exactdice/qwixx.hpp"

#include <algorithm>
#include <string>

namespace exactdice::qwixx {
namespace {

using Word = std::uint64_t;
using Wide = unsigned __int128;
using Index = std::uint32_t;
using Sheet = std::array<int, 4>;  // numbers of rows, two that ascend and two that descend

constexpr int most_sides = 6;

template <class Integer>
std::size_t at(Integer place) {
    return static_cast<std::size_t>(place);
}

struct Row {
    int last, crosses;
    bool locked;
    std::array<int, 2 * most_sides> crossed;  // the row after a cross in a box, or -1
    Word points() const {
        const auto counted = static_cast<Word>(crosses + locked);
        return counted * (counted + 1) / 2;
    }
};

using Total = std::array<Word, words + 1>;

void add(Total& total, const Number& number, Word times) {
    Wide carry = 0;
    for (std::size_t i = 0; i < words; ++i) {
        carry += static_cast<Wide>(times) * number[i] + total[i];
        total[i] = static_cast<Word>(carry);
        carry >>= 64;
    }
    total[words] += static_cast<Word>(carry);
}

class Sweep {
   public:
    Sweep(const Rules& rules, const Number& unit, double memory_limit)
        : rules_(rules), boxes_(2 * rules.sides - 1), most_(static_cast<Word>(rules.penalties)) {
        list_rows();
        const Index pairs = rank(many_, 0);
        ends_ = 1 + rank(static_cast<int>(pairs), 0) * static_cast<Index>(most_);
        const auto last = at(boxes_);
        const Word most_points = 2 * (last + 1) * (last + 2) + 5 * most_;
        const std::size_t states = ends_ + most_points + 1;
        require_memory(static_cast<double>(states) * (sizeof(Number) + sizeof(Sheet)), memory_limit);
        if (unit[words - 1] >= ~Word{0} / (most_points + 1)) {
            throw BadInput("unit: give one that leaves room for the score");
        }
        highest_.assign(states, 0);
        lower_.assign(states * (words - 1), 0);
        Total value{};
        for (Index end = ends_; end < states; ++end, add(value, unit, 1)) {
            put(end, value);
        }
    }

    Values run(const std::vector<State>& asked, const Progress& progress) {
        Clock clock(progress);
        const std::vector<Sheet> sheets = order();
        for (std::size_t i = 0; i < sheets.size(); ++i) {
            for (int penalties = rules_.penalties; penalties-- > 0;) {
                solve(sheets[i], penalties);
            }
            clock.tick(static_cast<double>(i) / static_cast<double>(sheets.size()));
        }
        Values made{{}, static_cast<std::int64_t>(sheets.size() * most_)};
        for (const State& state : asked) {
            Sheet sheet{};
            for (std::size_t i = 0; i < 4; ++i) {
                sheet[i] = number(state[2 * i], state[2 * i + 1]);
            }
            if (std::count(sheet.begin(), sheet.end(), -1) || state[8] < 0 ||
                state[8] > rules_.penalties) {
                throw BadInput("state: give rows and penalties that play can make");
            }
            made.asked.push_back(get(index(sheet, state[8])));
        }
        return made;
    }

   private:
    void list_rows() {
        rows_.push_back({0, 0, false, {}});
        for (int last = 1; last <= boxes_; ++last) {
            for (int crosses = last < boxes_ ? 1 : rules_.needed + 1; crosses <= last; ++crosses) {
                rows_.push_back({last, crosses, last == boxes_, {}});
            }
        }
        many_ = static_cast<int>(rows_.size());
        for (Row& row : rows_) {
            for (int box = 1; box <= boxes_; ++box) {
                row.crossed[at(box)] = box > row.last ? number(box, row.crosses + 1) : -1;
            }
        }
    }
    int number(int last, int crosses) const {
        for (int row = 0; row < many_; ++row) {
            if (rows_[at(row)].last == last && rows_[at(row)].crosses == crosses) {
                return row;
            }
        }
        return -1;
    }
    const Row& row(int number) const { return rows_[at(number)]; }
    bool ended(const Sheet& sheet) const {
        return std::count_if(sheet.begin(), sheet.end(), [&](int r) { return row(r).locked; }) >= 2;
    }
    static Index rank(int a, int b) {
        const auto high = static_cast<Index>(std::max(a, b)), low = static_cast<Index>(std::min(a, b));
        return high * (high + 1) / 2 + low;
    }
    // 0 is what cannot be had. Games that have ended are numbered by score and 5 * penalties to come.
    Index index(const Sheet& sheet, int penalties) const {
        const Word left = static_cast<Word>(rules_.penalties - penalties);
        if (!left || ended(sheet)) {
            Word score = 5 * left;
            for (int each : sheet) {
                score += row(each).points();
            }
            return ends_ + static_cast<Index>(score);
        }
        const Index up = rank(sheet[0], sheet[1]), down = rank(sheet[2], sheet[3]);
        const Index board = rank(static_cast<int>(up), static_cast<int>(down));
        return board * static_cast<Index>(most_) + static_cast<Index>(left);
    }
    // Sheets on which play goes on, those with most crosses first.
    std::vector<Sheet> order() const {
        std::vector<std::array<int, 2>> pairs;
        for (int a = 0; a < many_; ++a) {
            for (int b = 0; b <= a; ++b) {
                pairs.push_back({a, b});
            }
        }
        std::vector<std::vector<Sheet>> by_crosses(at(4 * boxes_ + 1));
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            for (std::size_t j = 0; j <= i; ++j) {
                const Sheet sheet{pairs[i][0], pairs[i][1], pairs[j][0], pairs[j][1]};
                int crosses = 0;
                for (int each : sheet) {
                    crosses += row(each).crosses;
                }
                if (!ended(sheet)) {
                    by_crosses[at(crosses)].push_back(sheet);
                }
            }
        }
        std::vector<Sheet> sheets;
        for (auto alike = by_crosses.rbegin(); alike != by_crosses.rend(); ++alike) {
            sheets.insert(sheets.end(), alike->begin(), alike->end());
        }
        return sheets;
    }

    Number get(Index state) const {
        Number value;
        std::copy_n(&lower_[state * (words - 1)], words - 1, value.begin());
        value[words - 1] = highest_[state];
        return value;
    }
    void put(Index state, const Total& value) {
        std::copy_n(value.begin(), words - 1, &lower_[state * (words - 1)]);
        highest_[state] = value[words - 1];
    }
    bool below(Index a, Index b) const {
        if (highest_[a] != highest_[b] || a == b) {
            return highest_[a] < highest_[b];
        }
        const Number one = get(a), other = get(b);
        return std::lexicographical_compare(one.rbegin(), one.rend(), other.rbegin(), other.rend());
    }
    Index better(Index a, Index b) const { return below(a, b) ? b : a; }

    using Sums = std::array<Index, 2 * most_sides + 1>;

    Sheet crossed(Sheet sheet, std::size_t i, int sum) const {
        sheet[i] = row(sheet[i]).crossed[at(i < 2 ? sum - 1 : 2 * rules_.sides + 1 - sum)];
        return sheet;
    }
    // The best of what was there and of what the sums of a white and a coloured die bring, by row.
    void look(const Sheet& sheet, int penalties, std::array<Sums, 4>& best) const {
        for (std::size_t i = 0; i < 4; ++i) {
            for (int sum = 2; sum <= 2 * rules_.sides; ++sum) {
                const Sheet after = crossed(sheet, i, sum);
                if (after[i] >= 0) {
                    best[i][at(sum)] = better(best[i][at(sum)], index(after, penalties));
                }
            }
        }
    }

    void solve(const Sheet& sheet, int penalties) {
        Total total{};
        std::array<Sums, 4> coloured{};
        look(sheet, penalties, coloured);
        for (int white = 2; white <= 2 * rules_.sides; ++white) {
            Index stop = index(sheet, penalties + 1);
            std::array<Sums, 4> best = coloured;
            for (std::size_t i = 0; i < 4; ++i) {
                const Sheet after = crossed(sheet, i, white);
                if (after[i] >= 0) {
                    stop = better(stop, index(after, penalties));
                    if (rules_.plays_on || !ended(after)) {
                        look(after, penalties, best);
                    }
                }
            }
            for (int low = std::max(1, white - rules_.sides); 2 * low <= white; ++low) {
                turn(best, stop, low, white - low, total);
            }
        }
        Wide ways = 1, left = total[words];
        for (int die = 0; die < 6; ++die) {
            ways *= static_cast<Word>(rules_.sides);
        }
        for (std::size_t i = words; i-- > 0;) {
            left = left << 64 | total[i];
            total[i] = static_cast<Word>(left / ways);
            left %= ways;
        }
        if (left) {
            throw BadInput("unit: give a multiple of all denominators");
        }
        put(index(sheet, penalties), total);
    }

    // Add what all rolls of the coloured dice bring, with the white ones given.
    void turn(const std::array<Sums, 4>& best, Index stop, int low, int high, Total& total) const {
        std::array<std::pair<Index, std::size_t>, 4 * most_sides> more;  // what is better, by row
        std::size_t many = 0;
        std::array<Word, 4> faces{};  // of each coloured die, that are worth at most this
        for (std::size_t i = 0; i < 4; ++i) {
            for (int die = 1; die <= rules_.sides; ++die) {
                const Index most = better(best[i][at(die + low)], best[i][at(die + high)]);
                if (below(stop, most)) {
                    more[many++] = {most, i};
                } else {
                    ++faces[i];
                }
            }
        }
        std::sort(more.begin(), more.begin() + static_cast<std::ptrdiff_t>(many),
                  [&](const auto& a, const auto& b) { return below(a.first, b.first); });
        Word before = 0;
        for (std::size_t k = 0;;) {
            const Word ways = faces[0] * faces[1] * faces[2] * faces[3];
            if (ways > before) {
                add(total, get(stop), (ways - before) * (low == high ? 1 : 2));
                before = ways;
            }
            if (k == many) {
                return;
            }
            stop = more[k].first;
            for (; k < many && more[k].first == stop; ++k) {
                ++faces[more[k].second];
            }
        }
    }

    const Rules& rules_;
    const int boxes_;
    const Word most_;
    int many_ = 0;
    std::vector<Row> rows_;
    Index ends_ = 0;
    std::vector<Word> highest_, lower_;  // words of values: the highest tells most of them apart
};

}  // namespace

Values solve(const Rules& rules, const Number& unit, const std::vector<State>& asked,
             double memory_limit, const Progress& progress) {
    const auto within = [](int number, int most, const char* name) {
        if (number < 1 || number > most) {
            throw BadInput(std::string(name) + ": give a whole number from 1 to " +
                           std::to_string(most));
        }
    };
    within(rules.sides - 1, most_sides - 1, "sides less 1");
    within(rules.needed, 2 * rules.sides - 2, "needed");
    within(rules.penalties, 4, "penalties");
    return Sweep(rules, unit, memory_limit).run(asked, progress);
}

}  // namespace exactdice::qwixx
