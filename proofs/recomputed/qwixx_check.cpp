/* Qwixx for one player: qwixx_check SIDES NEEDED PENALTIES PLAYS_ON LOW HIGH

Checks that the expected score under optimal play is between LOW and HIGH. Two white dice and one of each of four
colours are rolled. A row has a box for each sum of two dice, ascending in two rows and descending in two. First the
player may cross the sum of the white dice in any row, then the sum of a white die and a coloured die in the row of that
colour. Each cross must be to the right of all crosses of its row. A player who crosses nothing takes a penalty of 5
points. The last box of a row requires NEEDED earlier crosses, locks the row, and counts as one more cross; n crosses
score 1 + 2 + ... + n. The game ends after PENALTIES penalties, or at once with the second lock; if PLAYS_ON is 1, a
coloured die may still be used in that turn. The published game has 6 sides, 5 crosses and 4 penalties.

The program recurses from the empty sheet and computes each sheet once, up to exchanging the two ascending rows, the two
descending rows, or both kinds. Means are integers divided by 2^36, rounded down. A maximum or a mean does not increase
the error, and each turn rounds once. Every turn makes a cross or a penalty, and at most one row is locked before the
last turn. So the true mean exceeds the result by less than the number of turns divided by 2^36.

Exit status: 0 accepted, 1 rejected, 2 invalid arguments. With 6 sides it takes half a minute and 61 MB. */
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

using Value = std::int64_t;
using Sheet = std::array<int, 4>;  // a row each: the first two rise, the others fall
const Value UNIT = Value(1) << 36, NONE = -1;
int sides, needed, most, boxes, count;
bool plays_on;
struct Row {
    int last, crosses, points;
    std::vector<int> crossed;  // the row after a cross in a box, 1 being the first; -1 where there is none
};
std::vector<Row> rows;
std::vector<Value> known;  // by penalties and sheet

int row_of(int last, int crosses) {
    for (int i = 0; i < count; i++)
        if (rows[i].last == last && rows[i].crosses == crosses) return i;
    return -1;
}

void list_rows() {
    for (int last = 0; last <= boxes; last++)
        for (int n = last > 0; n <= last; n++)
            if (last < boxes || n > needed) rows.push_back({last, n, 0, std::vector<int>(boxes + 1, -1)});
    count = int(rows.size());
    for (Row &row : rows) {
        const int counted = row.crosses + (row.last == boxes);
        row.points = counted * (counted + 1) / 2;
        for (int box = row.last + 1; box <= boxes; box++)
            if (box < boxes || row.crosses >= needed) row.crossed[box] = row_of(box, row.crosses + 1);
    }
}

Sheet with(Sheet sheet, int row, int after) {
    sheet[row] = after;
    return sheet;
}

int box_of(int row, int total) { return row < 2 ? total - 1 : 2 * sides + 1 - total; }

bool has_ended(const Sheet &sheet) {
    int locks = 0;
    for (int row : sheet) locks += rows[row].last == boxes;
    return locks >= 2;
}

/* The mean from a sheet on, plus 5 points for each penalty that there may be, so that it is no less than 0. */
Value mean(const Sheet &sheet, int penalties) {
    if (penalties == most || has_ended(sheet)) {
        Value points = 5 * (most - penalties);
        for (int row : sheet) points += rows[row].points;
        return points * UNIT;
    }
    const auto pair = [](int a, int b) { return a < b ? b * (b + 1) / 2 + a : a * (a + 1) / 2 + b; };
    const std::size_t place = std::size_t(pair(pair(sheet[0], sheet[1]), pair(sheet[2], sheet[3]))) * most + penalties;
    if (known[place] != NONE) return known[place];
    const Value penalty = mean(sheet, penalties + 1);
    std::vector<std::array<Value, 4>> none(2 * sides + 1);  // by total and row: a coloured die alone
    for (int total = 2; total <= 2 * sides; total++)
        for (int row = 0; row < 4; row++) {
            const int after = rows[sheet[row]].crossed[box_of(row, total)];
            none[total][row] = after < 0 ? NONE : mean(with(sheet, row, after), penalties);
        }
    std::uint64_t sum = 0;
    for (int white = 2; white <= 2 * sides; white++) {
        Value least = penalty;
        auto best = none;
        for (int first = 0; first < 4; first++) {
            const int crossed = rows[sheet[first]].crossed[box_of(first, white)];
            if (crossed < 0) continue;
            const Sheet begun = with(sheet, first, crossed);
            least = std::max(least, mean(begun, penalties));
            if (!plays_on && has_ended(begun)) continue;
            for (int total = 2; total <= 2 * sides; total++)
                for (int row = 0; row < 4; row++) {
                    const int after = rows[begun[row]].crossed[box_of(row, total)];
                    if (after >= 0) best[total][row] = std::max(best[total][row], mean(with(begun, row, after), penalties));
                }
        }
        for (int one = std::max(1, white - sides); 2 * one <= white; one++) {
            /* Each coloured die brings its best by itself; the turn is the largest of four independent numbers, each
               at least what the white dice bring. So many faces of each are no better than what comes next. */
            const int other = white - one;
            std::vector<std::pair<Value, int>> better;
            std::uint64_t lower[4] = {}, ways = 1, all = 0;
            for (int row = 0; row < 4; row++) {
                for (int face = 1; face <= sides; face++) {
                    const Value value = std::max(best[one + face][row], best[other + face][row]);
                    if (value > least) better.push_back({value, row}); else lower[row]++;
                }
                ways *= lower[row];
            }
            all = ways * std::uint64_t(least);
            std::sort(better.begin(), better.end());
            for (const auto &[value, row] : better) {
                lower[row]++;
                const std::uint64_t now = lower[0] * lower[1] * lower[2] * lower[3];
                all += (now - ways) * std::uint64_t(value);
                ways = now;
            }
            sum += (one == other ? 1 : 2) * all;
        }
    }
    std::uint64_t rolls = 1;
    for (int die = 0; die < 6; die++) rolls *= std::uint64_t(sides);
    return known[place] = Value(sum / rolls);
}

int main(int words, char **word) {
    int number[4] = {};
    for (int i = 1; i < std::min(words, 5); i++) number[i - 1] = std::atoi(word[i]);
    sides = number[0], needed = number[1], most = number[2], plays_on = number[3];
    /* 6 dice of 6 sides, 4 * 78 points and 20 more: below 2^(15.6 + 8.4 + 36) < 2^62 */
    if (words != 7 || sides < 2 || sides > 6 || needed < 1 || needed > 5 || most < 1 || most > 4)
        return std::fputs("qwixx_check: give SIDES to 6, NEEDED to 5, PENALTIES to 4, PLAYS_ON, LOW and HIGH\n", stderr), 2;
    boxes = 2 * sides - 1;
    list_rows();
    const std::size_t pairs = std::size_t(count) * (count + 1) / 2;
    known.assign(pairs * (pairs + 1) / 2 * most, NONE);
    const Value low = mean({0, 0, 0, 0}, 0) - 5 * most * UNIT, high = low + 4 * boxes - 3 + most;
    std::size_t sheets = 0;
    for (Value value : known) sheets += value != NONE;
    std::printf("from %lld to %lld over 2^36, from %.9f on; %zu sheets\n", static_cast<long long>(low),
                static_cast<long long>(high), double(low) / double(UNIT), sheets);
    /* A mean is a whole number of at most 46 bits, so that it is a double; words are rounded to one, once. */
    const bool holds = std::strtod(word[5], nullptr) <= double(low) / double(UNIT) &&
                       double(high) / double(UNIT) <= std::strtod(word[6], nullptr);
    std::puts(holds ? "accepted" : "rejected");
    return !holds;
}
