#include "exactdice/swe_outlook.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

#include "kernel.hpp"
#include "sharing.hpp"
#include "swe_block.hpp"
#include "swe_excursion.hpp"
#include "swe_game.hpp"

namespace exactdice::swe {
namespace {

int weight_of(const Dice& dice) {
    int weight = 0;
    for (std::size_t i = 0; i < dice.size(); ++i) {
        weight += (static_cast<int>(i) + 1) * dice[i];
    }
    return weight;
}

int number_of(const Dice& dice) { return std::accumulate(dice.begin(), dice.end(), 0); }

double cells_of(const Dice& dice) {
    double cells = 1;
    for (int number : dice) {
        cells *= number + 1;
    }
    return cells;
}

// Numbers one after another, as bytes.
class Writing {
   public:
    template <class Number>
    void put(const Number& number) {
        static_assert(std::is_arithmetic_v<Number>);
        std::array<char, sizeof(Number)> bytes{};
        std::memcpy(bytes.data(), &number, sizeof(Number));
        bytes_.append(bytes.data(), bytes.size());
    }
    std::string bytes() && { return std::move(bytes_); }

   private:
    std::string bytes_;
};

class Reading {
   public:
    explicit Reading(const std::string& bytes) : left_(bytes) {}
    template <class Number>
    Number take() {
        static_assert(std::is_arithmetic_v<Number>);
        require(sizeof(Number));
        Number number{};
        std::memcpy(&number, left_.data(), sizeof(Number));
        left_ = left_.subspan(sizeof(Number));
        return number;
    }
    // How many of what takes at least so many bytes each.
    std::size_t count(std::size_t bytes) {
        const auto number = take<std::uint32_t>();
        require(number * bytes);
        return number;
    }
    void end() const { check(left_.empty()); }
    static void check(bool fits) {
        if (!fits) {
            throw BadInput("content: give what was written of the same game");
        }
    }

   private:
    void require(std::size_t bytes) const { check(left_.size() >= bytes); }
    std::span<const char> left_;
};

}  // namespace

struct Outlook::Impl {
    // All blocks that differ in the dice of rung 1 alone.
    struct Column {
        Dice others;                        // the dice above rung 1, with none on rung 1
        int least = 0, most = 0;            // numbers of dice of rung 1
        std::vector<std::vector<float>> made;   // by number: chances to make it, by rounds left
        std::vector<int> lefts;             // by number: most rounds left with which it is solved
        std::vector<Envelopes<Interval>> afterstates;
        std::vector<std::vector<std::uint8_t>> possible;
    };
    struct Level {
        std::vector<Column> columns;  // in lexicographic order of their dice
    };

    std::vector<int> faces;
    int rounds;
    Table start;
    Neglect neglect;
    Options options;
    Clock clock{options.progress};
    Dice dice;
    Origin origin;
    int others_weight = 0;  // of the start's dice above rung 1
    std::vector<Chances<Interval>> chances;
    std::optional<Thinning> thinning;
    std::vector<Level> levels;  // by the weight of the dice above rung 1, from that of the start on
    OutlookSizes sizes;
    std::vector<Worth> worth;
    double done = 0, total = 0, bytes = 0;
    std::size_t unsolved = 0;  // levels
    std::mutex guard;

    Impl(std::vector<int> faces_, int rounds_, Table start_, Neglect neglect_, Options options_)
        : faces(std::move(faces_)),
          rounds(rounds_),
          start(std::move(start_)),
          neglect(neglect_),
          options(std::move(options_)) {
        check();
        const UpwardRounding upward;
        const int most_dice = number_of(dice) + rounds;
        for (int face : faces) {
            chances.emplace_back(face, most_dice);
        }
        thinning.emplace(faces[0], rounds, dice[0] + 1);
        lay_out();
        estimate();
        if (neglect.made > 0) {
            follow();
        }
        unsolved = levels.size();
    }

    void step() {
        const UpwardRounding upward;
        if (unsolved > 0) {
            solve_level(--unsolved);
            end();
        }
    }

    void end() {
        if (unsolved == 0) {
            judge();
            options.progress = nullptr;  // what is kept must not keep its caller's objects
        }
    }

    // Of every block that was solved its possible moves, and the lines that are still needed.
    std::string written() const {
        Writing to;
        to.put(static_cast<std::uint64_t>(unsolved));
        for (std::int64_t size : {sizes.blocks, sizes.solved, sizes.choices, sizes.several_pieces,
                                  sizes.undecided, sizes.stepped,
                                  static_cast<std::int64_t>(sizes.bytes)}) {
            to.put(size);
        }
        for (std::size_t level = unsolved; level < levels.size(); ++level) {
            for (const Column& column : levels[level].columns) {
                for (std::size_t n = 0; n < column.possible.size(); ++n) {
                    write(to, column.possible[n], column.afterstates[n]);
                }
            }
        }
        return std::move(to).bytes();
    }

    static void write(Writing& to, const std::vector<std::uint8_t>& possible,
                      const Envelopes<Interval>& afterstates) {
        to.put(static_cast<std::uint32_t>(possible.size()));
        for (std::uint8_t moves : possible) {
            to.put(moves);
        }
        to.put(static_cast<std::uint32_t>(afterstates.size()));
        for (std::size_t i = 0; i < afterstates.size(); ++i) {
            to.put(static_cast<std::uint32_t>(afterstates[i].size()));
            for (const Piece<Interval>& piece : afterstates[i]) {
                to.put(piece.start);
                for (double end : {piece.A.neglo, piece.A.hi, piece.B.neglo, piece.B.hi}) {
                    to.put(end);
                }
            }
        }
    }

    void read(const std::string& content) {
        Reading from(content);
        const auto level_count = from.take<std::uint64_t>();
        Reading::check(level_count < levels.size());
        OutlookSizes known;
        for (std::int64_t* size : {&known.blocks, &known.solved, &known.choices,
                                   &known.several_pieces, &known.undecided, &known.stepped}) {
            *size = from.take<std::int64_t>();
        }
        known.bytes = static_cast<std::size_t>(from.take<std::int64_t>());
        Reading::check(known.blocks == sizes.blocks);
        for (std::size_t level = level_count; level < levels.size(); ++level) {
            for (Column& column : levels[level].columns) {
                for (std::size_t n = 0; n < column.possible.size(); ++n) {
                    read(from, column.possible[n], column.afterstates[n]);
                }
                done += cost_of(column);
            }
        }
        from.end();
        unsolved = level_count;
        const UpwardRounding upward;
        end();
        sizes = known;  // that of judging was counted before
    }

    static void read(Reading& from, std::vector<std::uint8_t>& possible,
                     Envelopes<Interval>& afterstates) {
        possible.resize(from.count(1));
        for (std::uint8_t& moves : possible) {
            moves = from.take<std::uint8_t>();
        }
        afterstates = {};
        Envelope<Interval> envelope;
        for (std::size_t left = from.count(4); left > 0; --left) {
            envelope.resize(from.count(sizeof(int) + 4 * sizeof(double)));
            Reading::check(!envelope.empty());
            for (Piece<Interval>& piece : envelope) {
                piece.start = from.take<int>();
                for (double* end : {&piece.A.neglo, &piece.A.hi, &piece.B.neglo, &piece.B.hi}) {
                    *end = from.take<double>();
                }
            }
            afterstates.append(envelope);
        }
        afterstates.shrink();
    }

    void check() {
        require_game(faces, rounds, 1);
        require_threads(options.threads);
        if (start.revenue.size() != faces.size() || start.legacy.size() != faces.size()) {
            throw BadInput("start: give " + std::to_string(faces.size()) + " numbers of dice, twice");
        }
        for (std::size_t i = 0; i < faces.size(); ++i) {
            if (start.revenue[i] < 0 || start.legacy[i] < 0) {
                throw BadInput("start: give numbers of dice from 0 on");
            }
            dice.push_back(start.revenue[i] + start.legacy[i]);
        }
        if (number_of(dice) + rounds > 250 || start.score < 0 || start.score > 1'000'000) {
            throw BadInput("start: give at most 250 dice and rounds together, and a score from 0 to 1000000");
        }
        if (!(neglect.made >= 0 && neglect.made < 1 && neglect.bend >= 0)) {
            throw BadInput("neglect: give a chance below 1, and points from 0 on");
        }
        origin = {number_of(start.revenue), number_of(start.legacy), weight_of(dice), start.score};
    }

    // Dice above rung 1 that can still be made: their partial sums from above dominate the start's.
    void enumerate(std::size_t rung, int above, int above_needed, Dice& others) {
        const int weight = weight_of(others);
        if (weight > rounds + origin.weight) {
            return;
        }
        if (rung == 0) {
            Column column;
            column.others = others;
            column.least = std::max(0, number_of(dice) - above);
            column.most = rounds + origin.weight - weight;
            if (column.least <= column.most) {
                // Of each block its places, and a number for each number of rounds left; the lines of
                // a few levels come on top.
                const double numbers_left = column.most - column.least + 1;
                bytes += 200 + 24.0 * column.most + numbers_left * (100 + (neglect.made > 0 ? 5 : 1) * (numbers_left + 1) / 2);
                require_memory(bytes, options.memory_limit);
                const auto numbers = static_cast<std::size_t>(column.most) + 1;
                column.lefts.assign(numbers, 0);
                column.afterstates.resize(numbers);
                column.possible.resize(numbers);
                levels[static_cast<std::size_t>(weight - others_weight)].columns.push_back(
                    std::move(column));
            }
            return;
        }
        const int needed = above_needed + dice[rung];
        for (int number = std::max(0, needed - above);; ++number) {
            others[rung] = number;
            if (weight_of(others) > rounds + origin.weight) {
                break;
            }
            enumerate(rung - 1, above + number, needed, others);
        }
        others[rung] = 0;
    }

    void lay_out() {
        others_weight = origin.weight - dice[0];
        levels.resize(static_cast<std::size_t>(rounds) + static_cast<std::size_t>(dice[0]) + 1);
        Dice others(faces.size(), 0);
        enumerate(faces.size() - 1, 0, 0, others);
        for (Level& level : levels) {
            std::sort(level.columns.begin(), level.columns.end(),
                      [](const Column& x, const Column& y) { return x.others < y.others; });
            for (Column& column : level.columns) {
                for (int n = column.least; n <= column.most; ++n) {
                    ++sizes.blocks;
                    column.lefts[static_cast<std::size_t>(n)] =
                        is_start(column, n) ? 0 : rounds - gained(column, n) + 1;
                }
            }
        }
    }

    bool is_start(const Column& column, int n) const { return gained(column, n) == 0; }
    int gained(const Column& column, int n) const {
        return weight_of(column.others) + n - origin.weight;
    }

    Column* find(const Dice& others) {
        const int weight = weight_of(others) - others_weight;
        if (weight < 0 || weight >= static_cast<int>(levels.size())) {
            return nullptr;
        }
        std::vector<Column>& columns = levels[static_cast<std::size_t>(weight)].columns;
        const auto at = std::lower_bound(
            columns.begin(), columns.end(), others,
            [](const Column& column, const Dice& sought) { return column.others < sought; });
        return at != columns.end() && at->others == others ? &*at : nullptr;
    }

    // What a move leads to from n dice of rung 1 and these others.
    struct Way {
        int move;
        Column* column;
        int change;  // of the dice of rung 1
    };
    std::vector<Way> ways(Column& column) {
        std::vector<Way> found{{0, &column, 1}};
        Dice others = column.others;
        for (std::size_t i = 0; i + 1 < faces.size(); ++i) {
            if (i > 0 && others[i] == 0) {
                continue;
            }
            others[i] -= i > 0 ? 1 : 0;
            ++others[i + 1];
            found.push_back({static_cast<int>(i) + 1, find(others), i == 0 ? -1 : 0});
            others[i] += i > 0 ? 1 : 0;
            --others[i + 1];
        }
        return found;
    }

    int longest(const Column& column) const {
        return *std::max_element(column.lefts.begin(), column.lefts.end());
    }

    double cost_of(const Column& column) const {
        const int longest_left = longest(column);
        if (longest_left == 0) {
            return 0;
        }
        const int inner = number_of(column.others);
        double cost = cells_of(column.others) * (4 + inner) * longest_left;
        for (int n = column.least; n <= column.most; ++n) {
            const double left = column.lefts[static_cast<std::size_t>(n)];
            cost += (n + 8) * left * left;
        }
        return cost;
    }

    void estimate() {
        total = 0;
        for (const Level& level : levels) {
            for (const Column& column : level.columns) {
                total += cost_of(column);
            }
        }
    }

    void report(double cost, bool reports) {
        double part = 0;
        {
            const std::lock_guard<std::mutex> lock(guard);
            done += cost;
            part = total > 0 ? std::min(1.0, done / total) : 1.0;
        }
        if (reports) {
            clock.tick(part);
        }
    }

    void make(const Way& way, int n, const std::vector<float>& met) {
        if (way.column == nullptr) {
            return;
        }
        const auto after = static_cast<std::size_t>(n + way.change);
        if (n + way.change < 0 || after >= way.column->made.size()) {
            return;
        }
        const std::lock_guard<std::mutex> lock(guard);
        std::vector<float>& made = way.column->made[after];
        made.resize(std::max(made.size(), met.size()), 0.0F);
        for (std::size_t left = 1; left < met.size(); ++left) {
            made[left] = std::max(made[left], met[left]);
        }
    }

    // Follow about with what chance dice are made, under the play that makes them most likely; and
    // leave out what is below that to be neglected.
    void follow() {
        for (Level& level : levels) {
            for (Column& column : level.columns) {
                column.made.resize(static_cast<std::size_t>(column.most) + 1);
                std::fill(column.lefts.begin(), column.lefts.end(), 0);
            }
        }
        Dice others = dice;
        others[0] = 0;
        Column& first = *find(others);
        std::vector<float> met(static_cast<std::size_t>(rounds) + 1, 0.0F);
        if (origin.legacy == 0) {
            met.back() = 1;
        } else {
            Dice rolled = start.revenue;
            std::size_t highest = faces.size();
            while (start.legacy[--highest] == 0) {
            }
            ++rolled[highest];
            const Excursion law = excursion(chances, dice, rolled, rounds);
            for (std::size_t t = 1; t < met.size(); ++t) {
                Interval chance = law.straight[t].chance;
                for (std::size_t L = 1; L <= t; ++L) {
                    chance += law.at_zero[L].chance * law.from_zero[t - L].chance;
                }
                met[met.size() - 1 - t] = static_cast<float>(chance.hi);
            }
            met[0] = 0;
        }
        for (const Way& way : ways(first)) {
            make(way, dice[0], met);
        }
        for (std::size_t at = 0; at < levels.size(); ++at) {
            std::vector<Column>& columns = levels[at].columns;
            share_out(columns.size(), options.threads, [&](Pieces& pieces, bool reports) {
                const UpwardRounding upward;
                while (const auto taken = pieces.next()) {
                    follow(columns[*taken]);
                    report(0, reports);
                }
            });
        }
        estimate();
    }

    int most_left(const std::vector<float>& made) const {
        auto left = static_cast<int>(made.size());
        while (--left > 0 && made[static_cast<std::size_t>(left)] < neglect.made) {
        }
        return std::max(left, 0);
    }

    void follow(Column& column) {
        int longest_left = 0;
        for (const std::vector<float>& made : column.made) {
            longest_left = std::max(longest_left, most_left(made));
        }
        if (longest_left == 0) {
            return;
        }
        const Excursion law = excursion(chances, column.others, column.others, longest_left);
        std::vector<std::size_t> lengths;
        for (int n = 0; n <= column.most; ++n) {
            lengths.push_back(static_cast<std::size_t>(
                std::min(longest_left, rounds - gained(column, n) + 1)));
        }
        Laws laws(*thinning, law, std::move(lengths));
        const std::vector<Way> next = ways(column);
        for (int n = column.least; n <= column.most; ++n) {
            const auto number = static_cast<std::size_t>(n);
            if (is_start(column, n)) {
                continue;
            }
            const std::vector<float>& made = column.made[number];
            const int lefts = most_left(made);
            column.lefts[number] = lefts;
            if (lefts == 0) {
                continue;
            }
            const auto most = static_cast<std::size_t>(lefts);
            const double* back = laws.of(number).rows[0].row(0);
            std::vector<float> met(most + 1, 0.0F);
            for (std::size_t left = 1; left < most; ++left) {
                double sum = 0;
                for (std::size_t from = left + 1; from <= most; ++from) {
                    sum += made[from] * back[from - left];
                }
                met[left] = static_cast<float>(sum);
            }
            for (const Way& way : next) {
                if (way.move != 1 || n > 0) {
                    make(way, n, met);
                }
            }
        }
    }

    ScoreRange scores(int gain, int number, int left, int revenue) const {
        const int played = rounds - left;
        return reachable_scores(origin, played, played - gain, number, revenue);
    }

    // More than dice can score that are a creation or promotion away from `number` of them.
    Piece<Interval> crude(int number, int left, int low) const {
        double most = 0;
        for (int round = 0; round < left; ++round) {
            most += number + 1 + round;
        }
        return {low, Interval(0.0, most), Interval(0.0, 1.0)};
    }

    // What is known without legacy: the best of the moves. Those that were not looked at only raise
    // the upper end.
    struct Choosing {
        UpperEnvelope<Interval> upper;
        std::vector<Candidate<Interval>> candidates;
    };
    Envelope<Interval> best_move(const std::vector<Way>& next, int n, int number, int left,
                              ScoreRange range, Choosing& work, OutlookSizes& own,
                              std::uint32_t& possible) const {
        work.candidates.clear();
        std::uint32_t neglected = 0;
        for (const Way& way : next) {
            if (way.move == 1 && n == 0) {
                continue;
            }
            const auto after = static_cast<std::size_t>(n + way.change);
            const bool known = way.column != nullptr && after < way.column->afterstates.size() &&
                               way.column->afterstates[after].size() >= static_cast<std::size_t>(left);
            if (known) {
                work.candidates.push_back(
                    {way.move, way.column->afterstates[after][static_cast<std::size_t>(left) - 1]});
            } else {
                neglected |= std::uint32_t{1} << way.move;
            }
        }
        ++own.choices;
        possible = neglected;
        const Piece<Interval> bound = crude(number, left, range.low);
        if (work.candidates.empty()) {
            ++own.undecided;
            return {bound};
        }
        work.upper.of(work.candidates, range.low, range.high);
        for (const Choice& choice : work.upper.choices(work.candidates, 0)) {
            possible |= choice.possible;
        }
        Envelope<Interval> envelope = work.upper.pieces();
        if (neglected != 0) {
            raise_to(envelope, bound, range.high);
        }
        if (neglected != 0 || !work.upper.decided(work.candidates, 0)) {
            ++own.undecided;
        }
        if (envelope.size() > 1) {
            flatten(envelope, range.high);
        }
        own.several_pieces += envelope.size() > 1 ? 1 : 0;
        return envelope;
    }

    static double above(const Piece<Interval>& line, int score) {
        return line.A.hi + line.B.hi * score;
    }
    // A bound from above of how far the upper end of one line is above that of another at a score.
    static double excess(const Piece<Interval>& line, const Piece<Interval>& other, int score) {
        return above(line, score) + (-other.A.hi + -other.B.hi * score);
    }

    static void raise_to(Envelope<Interval>& envelope, const Piece<Interval>& bound, int high) {
        for (std::size_t i = 0; i < envelope.size(); ++i) {
            const int end = i + 1 < envelope.size() ? envelope[i + 1].start - 1 : high;
            const double more = std::max({0.0, excess(bound, envelope[i], envelope[i].start),
                                          excess(bound, envelope[i], end)});
            envelope[i].A.hi += more;
        }
    }

    // If that is neglected, one of its lines takes the place of an envelope, raised above all of it.
    // Any of them is a bound from below, for it comes of a way to play on.
    void flatten(Envelope<Interval>& envelope, int high) const {
        double least = 0;
        std::size_t taken = envelope.size();
        for (std::size_t i = 0; i < envelope.size(); ++i) {
            double more = 0;
            for (std::size_t j = 0; j < envelope.size(); ++j) {
                const int end = j + 1 < envelope.size() ? envelope[j + 1].start - 1 : high;
                more = std::max({more, excess(envelope[j], envelope[i], envelope[j].start),
                                 excess(envelope[j], envelope[i], end)});
            }
            if (taken == envelope.size() || more < least) {
                taken = i;
                least = more;
            }
        }
        if (least > neglect.bend) {
            return;
        }
        Piece<Interval> line = envelope[taken];
        line.start = envelope.front().start;
        line.A.hi += least;
        envelope.assign(1, line);
    }

    void solve_level(std::size_t at) {
        std::vector<Column>& columns = levels[at].columns;
        std::vector<std::size_t> order(columns.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::vector<double> costs;
        for (const Column& column : columns) {
            costs.push_back(cost_of(column));
        }
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t i, std::size_t j) { return costs[i] > costs[j]; });
        share_out(order.size(), options.threads, [&](Pieces& pieces, bool reports) {
            OutlookSizes own;
            const UpwardRounding upward;
            BlockSolver<Interval> stepwise(chances, rounds, origin, Fix::highest);
            while (const auto taken = pieces.next()) {
                solve(columns[order[*taken]], stepwise, own);
                report(costs[order[*taken]], reports);
            }
            const std::lock_guard<std::mutex> lock(guard);
            sizes.solved += own.solved;
            sizes.choices += own.choices;
            sizes.several_pieces += own.several_pieces;
            sizes.undecided += own.undecided;
            sizes.stepped += own.stepped;
        });
        // Moves raise the weight of the dice above rung 1 by 0, 1 or 2.
        std::size_t kept = 0;
        for (std::size_t level = at; level < levels.size(); ++level) {
            for (Column& column : levels[level].columns) {
                for (std::size_t n = 0; n < column.afterstates.size(); ++n) {
                    if (at > 0 && level >= at + 2) {
                        column.afterstates[n] = {};
                    }
                    kept += column.afterstates[n].bytes() + column.possible[n].capacity() + 56;
                }
            }
        }
        sizes.bytes = std::max(sizes.bytes, kept);
    }

    void solve(Column& column, BlockSolver<Interval>& stepwise, OutlookSizes& own) {
        const int longest_left = longest(column);
        if (longest_left == 0) {
            return;
        }
        std::optional<Laws> laws;
        const std::vector<Way> next = ways(column);
        Choosing work;
        std::vector<Envelope<Interval>> all_revenue;
        for (int n = column.most; n >= column.least; --n) {
            const auto at = static_cast<std::size_t>(n);
            const int lefts = column.lefts[at];
            if (lefts == 0) {
                continue;
            }
            ++own.solved;
            const int number = number_of(column.others) + n;
            const int gain = gained(column, n);
            all_revenue.clear();
            bool straight = true;
            for (int left = 1; left < lefts; ++left) {
                std::uint32_t possible = 0;
                all_revenue.push_back(best_move(next, n, number, left, scores(gain, number, left, number),
                                         work, own, possible));
                straight = straight && all_revenue.back().size() == 1;
                column.possible[at].push_back(static_cast<std::uint8_t>(possible));
            }
            column.possible[at].shrink_to_fit();
            Dice block = column.others;
            block[0] = n;
            // Round by round is as quick for small boxes.
            const double boxed = cells_of(block) * (2 + number / 2.0) * lefts;
            if (!straight || boxed < 0.1 * (n + 8) * (n + 8) * lefts * lefts) {
                ++own.stepped;
                Sizes ignored;
                column.afterstates[at] = stepwise.solve_below(block, all_revenue, ignored);
                continue;
            }
            if (!laws) {
                std::vector<std::size_t> lengths(column.lefts.begin(), column.lefts.end());
                for (std::size_t m = lengths.size() - 1; m-- > 0;) {
                    lengths[m] = std::max(lengths[m], lengths[m + 1]);
                }
                laws.emplace(*thinning,
                             excursion(chances, column.others, column.others, longest_left),
                             std::move(lengths));
            }
            column.afterstates[at] = through(laws->of(at), static_cast<std::size_t>(lefts), all_revenue,
                                             gain, number);
        }
    }

    Envelopes<Interval> through(const Law& law, std::size_t lefts,
                                const std::vector<Envelope<Interval>>& all_revenue, int gain,
                                int number) const {
        std::array<Law::Rows, 2> worth{Law::Rows(lefts), Law::Rows(lefts)};
        for (std::size_t plane = 0; plane < 2; ++plane) {
            const double sign = plane == 0 ? 1 : -1;
            Law::Rows after(lefts);
            after.B()[0] = sign;  // the score, when no round is left
            for (std::size_t left = 1; left < lefts; ++left) {
                const Piece<Interval>& chosen = all_revenue[left - 1].front();
                after.A()[left] = plane == 0 ? chosen.A.hi : chosen.A.neglo;
                after.B()[left] = plane == 0 ? chosen.B.hi : chosen.B.neglo;
            }
            const Law::Rows& first = law.rows[plane];
            std::copy_n(first.row(3), lefts + 1, worth[plane].A());
            std::copy_n(first.row(4), lefts + 1, worth[plane].B());
            add_convolution(worth[plane].row(0), worth[plane].width, first.row(0), first.width,
                            after.row(0), after.width, sign, lefts);
        }
        Envelopes<Interval> afterstates;
        for (std::size_t left = 1; left <= lefts; ++left) {
            const int low = scores(gain, number, static_cast<int>(left), number - 1).low;
            const Piece<Interval> piece{low, from_ends(worth[1].A()[left], worth[0].A()[left]),
                                        from_ends(worth[1].B()[left], worth[0].B()[left])};
            afterstates.append({&piece, 1});
        }
        afterstates.shrink();
        return afterstates;
    }

    static Interval at(std::span<const Piece<Interval>> envelope, int score) {
        std::size_t i = 0;
        while (i + 1 < envelope.size() && envelope[i + 1].start <= score) {
            ++i;
        }
        return envelope[i].A + envelope[i].B * Interval(static_cast<double>(score));
    }

    // What the moves at the start are worth.
    void judge() {
        Dice others = dice;
        others[0] = 0;
        const std::vector<Way> next = ways(*find(others));
        if (origin.legacy == 0) {
            for (const Way& way : next) {
                if (way.move == 1 && dice[0] == 0) {
                    continue;
                }
                const Envelopes<Interval>& afterstates =
                    way.column->afterstates[static_cast<std::size_t>(dice[0] + way.change)];
                worth.push_back(
                    {way.move, at(afterstates[static_cast<std::size_t>(rounds) - 1], start.score)});
            }
            return;
        }
        Choosing work;
        std::vector<Envelope<Interval>> all_revenue;
        const int number = number_of(dice);
        for (int left = 1; left < rounds; ++left) {
            std::uint32_t possible = 0;
            all_revenue.push_back(best_move(next, dice[0], number, left, scores(0, number, left, number),
                                     work, sizes, possible));
        }
        BlockSolver<Interval> stepwise(chances, rounds, origin, Fix::highest);
        Sizes ignored;
        stepwise.solve_below(dice, all_revenue, ignored);
        for (std::size_t rung = faces.size(); rung-- > 0;) {
            if (start.legacy[rung] > 0) {
                Dice fixed = start.revenue;
                ++fixed[rung];
                worth.push_back({static_cast<int>(rung),
                                 at(stepwise.last_after_move(fixed), start.score)});
            }
        }
    }
};

Outlook::Outlook(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Outlook Outlook::laid_out(std::vector<int> faces, int rounds, Table start, Neglect neglect,
                          Options options) {
    return Outlook(std::make_unique<Impl>(std::move(faces), rounds, std::move(start), neglect,
                                          std::move(options)));
}

Outlook::Outlook(std::vector<int> faces, int rounds, Table start, Neglect neglect, Options options)
    : Outlook(laid_out(std::move(faces), rounds, std::move(start), neglect, std::move(options))) {
    while (impl_->unsolved > 0) {
        step();
    }
}

Outlook::~Outlook() = default;
Outlook::Outlook(Outlook&&) noexcept = default;

std::size_t Outlook::levels() const { return impl_->levels.size(); }

void Outlook::step() { impl_->step(); }

std::string Outlook::written() const { return impl_->written(); }

void Outlook::read(const std::string& content) { impl_->read(content); }

const std::vector<Worth>& Outlook::actions() const { return impl_->worth; }

Interval Outlook::value() const {
    if (impl_->worth.empty()) {
        throw std::logic_error("the levels are not solved yet");
    }
    Interval best = impl_->worth.front().value;
    for (const Worth& one : impl_->worth) {
        best = greater_of(best, one.value);
    }
    return best;
}

const OutlookSizes& Outlook::sizes() const { return impl_->sizes; }

std::vector<std::uint32_t> Outlook::possible(const Dice& dice) const {
    if (dice.size() != impl_->faces.size() || dice[0] < 0) {
        throw BadInput("dice: give " + std::to_string(impl_->faces.size()) + " numbers of dice");
    }
    Dice others = dice;
    others[0] = 0;
    const auto* column = impl_->find(others);
    const auto n = static_cast<std::size_t>(dice[0]);
    if (column == nullptr || n >= column->possible.size()) {
        return {};
    }
    return {column->possible[n].begin(), column->possible[n].end()};
}

}  // namespace exactdice::swe
