#include "exactdice/swe_laws.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "exactdice/interval.hpp"
#include "kernel.hpp"
#include "sharing.hpp"
#include "swe_game.hpp"

namespace exactdice::swe {
namespace {

// Parts of `least` below which games are left out on the way: those that enter a block in one round,
// those of them that are through it after some rolls, and a score at either end of a law.
constexpr double entering_part = 1.0 / 16, through_part = 1.0 / 1024, score_part = 1e-5;

// Weights of the scores first, first + 1, …
struct Law {
    std::size_t first = 0;
    std::vector<double> weights;
};

double sum(const std::vector<double>& weights) {
    return std::accumulate(weights.begin(), weights.end(), 0.0);
}

void add(std::vector<double>& total, std::size_t first, const double* row, std::size_t size,
         double weight) {
    if (size > 0) {
        total.resize(std::max(total.size(), first + size), 0.0);
        add_multiple(total.data() + first, row, size, weight);
    }
}

Law trimmed(const double* weights, std::size_t size, double least) {
    std::size_t first = 0;
    while (first < size && weights[first] < least) {
        ++first;
    }
    while (size > first && weights[size - 1] < least) {
        --size;
    }
    return {first, {weights + first, weights + size}};
}

Law trimmed(const std::vector<double>& weights, double least) {
    return trimmed(weights.data(), weights.size(), least);
}

// Bounds from below of the chances that d' − d of number − d dice fail: row d', column d ≤ d', the
// legacy dice after a roll and before it.
std::vector<double> failures(int number, int faces) {
    const double fail = 1.0 / faces, survive = (faces - 1.0) / faces;
    const auto n = static_cast<std::size_t>(number);
    std::vector<std::vector<double>> chance{{1.0}};  // that j of m dice fail
    for (std::size_t m = 1; m <= n; ++m) {
        std::vector<double> row(m + 1, 0.0);
        for (std::size_t j = 0; j < m; ++j) {
            row[j] += chance[m - 1][j] * survive;
            row[j + 1] += chance[m - 1][j] * fail;
        }
        chance.push_back(std::move(row));
    }
    std::vector<double> matrix((n + 1) * (n + 1), 0.0);
    for (std::size_t after = 0; after <= n; ++after) {
        for (std::size_t before = 0; before <= after; ++before) {
            matrix[after * (n + 1) + before] = chance[n - before][after - before];
        }
    }
    return matrix;
}

// The games of one stay, roll after roll. A split counts the legacy dice of each rung; the first one
// has no legacy, the last one has no revenue. For each split there is a row of weights by points, for
// games that kept their score and for games that lost it.
class Stay {
   public:
    Stay(const Dice& dice, const std::vector<int>& faces, bool lowest_first) {
        for (std::size_t i = 0; i < dice.size(); ++i) {
            if (dice[i] > 0) {
                const auto size = static_cast<std::size_t>(dice[i]) + 1;
                rungs_.push_back({splits_, size, failures(dice[i], faces[i])});
                splits_ *= size;
                dice_ += size - 1;
            }
        }
        survivors_.resize(splits_);
        repaired_.resize(splits_);
        for (std::size_t split = 0; split < splits_; ++split) {
            std::size_t legacy = 0;
            for (std::size_t i = 0; i < rungs_.size(); ++i) {
                const Rung& rung = rungs_[lowest_first ? rungs_.size() - 1 - i : i];
                const std::size_t inner = splits_ / (rung.outer * rung.size);
                const std::size_t here = split / inner % rung.size;
                legacy += here;
                if (here > 0) {
                    repaired_[split] = split - inner;  // the last rung that is met goes first
                }
            }
            survivors_[split] = dice_ - legacy;
        }
        kept_.assign(splits_ * stride_, 0.0);
        lost_.assign(splits_ * stride_, 0.0);
        kept_[0] = 1.0;
    }

    // Rows still count the points before this roll.
    void roll() {
        for (std::vector<double>* box : {&kept_, &lost_}) {
            if (box == &lost_ && !any_lost_) {
                continue;
            }
            for (const Rung& rung : rungs_) {
                const std::size_t inner = splits_ / (rung.outer * rung.size);
                apply_triangular(box->data(), rung.matrix.data(), rung.size, rung.outer, rung.size,
                                 inner * stride_);
                products_ += static_cast<double>(box->size() * (rung.size + 1) / 2);
            }
        }
    }

    struct Found {
        Law kept, lost;
        double total() const { return sum(kept.weights) + sum(lost.weights); }
    };

    // The games that are back without legacy after a roll.
    Found back(double least) const {
        Found found{trimmed(kept_.data(), stride_, least), trimmed(lost_.data(), stride_, least)};
        found.kept.first += dice_;
        found.lost.first += dice_;
        return found;
    }

    // All games after a roll.
    Found anywhere(double least) const {
        std::vector<double> kept, lost{gone()};
        for (std::size_t split = 0; split + 1 < splits_; ++split) {
            add(kept, survivors_[split], kept_.data() + split * stride_, stride_, 1.0);
            add(lost, survivors_[split], lost_.data() + split * stride_, stride_, 1.0);
        }
        return {trimmed(kept, least), trimmed(lost, least)};
    }

    // Let the games without legacy go, score the roll, and fix a die in all other splits. Returns the
    // weight of the games that stay; what lost its score is left out if it weighs less than `least`.
    double go_on(double least) {
        const std::size_t stride = next_stride();
        std::vector<double> kept(splits_ * stride, 0.0), lost(splits_ * stride, 0.0);
        for (std::size_t split = 1; split + 1 < splits_; ++split) {
            const std::size_t from = split * stride_;
            const std::size_t to = repaired_[split] * stride + survivors_[split];
            add_multiple(kept.data() + to, kept_.data() + from, stride_, 1.0);
            if (any_lost_) {
                add_multiple(lost.data() + to, lost_.data() + from, stride_, 1.0);
            }
        }
        if (const double newly = gone(); any_lost_ || newly >= least) {
            lost[repaired_[splits_ - 1] * stride] += newly;
            any_lost_ = true;
        }
        kept_ = std::move(kept);
        lost_ = std::move(lost);
        stride_ = stride;
        return sum(kept_) + sum(lost_);
    }

    double products() const { return products_; }
    // Of the boxes of this round and of the next.
    double bytes() const {
        return 2.0 * static_cast<double>(splits_ * (stride_ + next_stride()) * sizeof(double));
    }

   private:
    std::size_t next_stride() const { return stride_ + dice_ + (stride_ + dice_) % 2; }

    struct Rung {
        std::size_t outer, size;
        std::vector<double> matrix;
    };

    // The weight of the games without any surviving die.
    double gone() const {
        double weight = 0;
        for (std::size_t i = (splits_ - 1) * stride_; i < splits_ * stride_; ++i) {
            weight += kept_[i] + lost_[i];
        }
        return weight;
    }

    std::size_t dice_ = 0, splits_ = 1, stride_ = 2;  // the kernel wants even rows
    std::vector<Rung> rungs_;
    std::vector<std::size_t> survivors_, repaired_;
    std::vector<double> kept_, lost_;
    bool any_lost_ = false;
    double products_ = 0;
};

}  // namespace

// Bytes that all threads hold together, up to a limit.
class Flow::Memory {
   public:
    explicit Memory(double limit) : limit_(limit) {}
    void take(double bytes) { require_memory(held_ += bytes, limit_); }

    // What changes, and is given back in the end.
    class Part {
       public:
        explicit Part(Memory& memory) : memory_(memory) {}
        Part(const Part&) = delete;
        Part& operator=(const Part&) = delete;
        ~Part() { memory_.held_ -= bytes_; }
        void become(double bytes) {
            const double more = bytes - bytes_;
            bytes_ = bytes;
            memory_.take(more);
        }

       private:
        Memory& memory_;
        double bytes_ = 0;
    };

   private:
    double limit_;
    std::atomic<double> held_{0};
};

Flow::Flow(std::vector<int> faces, int rounds, LawOptions options)
    : faces_(std::move(faces)), rounds_(rounds), options_(std::move(options)) {
    require_game(faces_, rounds_, 0);
    require_threads(options_.threads);
    if (!(options_.least > 0 && options_.least < 1)) {
        throw BadInput("least: give a number between 0 and 1");
    }
    present_[Dice(faces_.size(), 0)][0] = {1.0};
}

Flow::Passed Flow::pass(const Dice& dice, const Laws& entering, Memory& memory) const {
    Passed passed;
    struct Entry {
        int round;
        double total;
        Law law;
    };
    const double least = options_.least, dust = score_part * least;
    std::vector<Entry> entries;
    double total = 0;
    for (const auto& [round, weights] : entering) {
        const double here = sum(weights);
        if (here >= entering_part * least) {
            entries.push_back({round, here, trimmed(weights, dust)});
            total += here;
        }
    }
    if (total < least) {
        return passed;
    }
    if (std::all_of(dice.begin(), dice.end(), [](int n) { return n == 0; })) {
        // The empty table is left before anything is rolled.
        (rounds_ == 0 ? passed.at_end : passed.leaving[0]) = entering.at(0);
        return passed;
    }
    Stay stay(dice, faces_, options_.lowest_first);
    Memory::Part boxes(memory);
    for (int rolls = 1; entries.front().round + rolls - 1 <= rounds_; ++rolls) {
        boxes.become(stay.bytes());
        stay.roll();
        const Stay::Found back = stay.back(dust);
        const double part = back.total();
        for (const Entry& entry : entries) {
            const int at = entry.round + rolls - 1;
            if (at > rounds_) {
                break;  // entries are in the order of their rounds
            }
            if (at < rounds_ && entry.total * part < through_part * least) {
                continue;
            }
            const Stay::Found found = at < rounds_ ? back : stay.anywhere(dust);
            std::vector<double>& into = at < rounds_ ? passed.leaving[at] : passed.at_end;
            for (std::size_t i = 0; i < found.kept.weights.size(); ++i) {
                add(into, entry.law.first + found.kept.first + i, entry.law.weights.data(),
                    entry.law.weights.size(), found.kept.weights[i]);
            }
            add(into, found.lost.first, found.lost.weights.data(), found.lost.weights.size(),
                entry.total);
            passed.products += static_cast<double>(found.kept.weights.size() *
                                                   entry.law.weights.size());
        }
        if (stay.go_on(entering_part * least) * total < entering_part * least) {
            break;
        }
    }
    passed.products += stay.products();
    return passed;
}

double Flow::bytes(const Laws& laws) {
    double total = 0;
    for (const auto& [round, weights] : laws) {
        total += static_cast<double>(weights.size() * sizeof(double) + 80);
    }
    return total;
}

void Flow::run() {
    std::vector<const std::pair<const Dice, Laws>*> blocks;
    Memory memory(options_.memory_limit);
    if (products_ <= options_.most_products) {
        for (const auto& block : present_) {
            blocks.push_back(&block);
            memory.take(bytes(block.second));
        }
    }
    std::vector<Passed> passed(blocks.size());
    Clock clock(options_.progress);
    share_out(blocks.size(), options_.threads, [&](Pieces& pieces, bool reports) {
        const DownwardRounding downward;
        while (const auto i = pieces.next()) {
            passed[*i] = pass(blocks[*i]->first, blocks[*i]->second, memory);
            memory.take(2 * bytes(passed[*i].leaving));  // now, and when it has been sent on
            if (reports) {
                const double part = static_cast<double>(*i + 1) / static_cast<double>(blocks.size());
                clock.tick((weight_ + part) / (rounds_ + 1));
            }
        }
    });
    const DownwardRounding downward;
    left_.clear();
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        add(final_, 0, passed[i].at_end.data(), passed[i].at_end.size(), 1.0);
        products_ += passed[i].products;
        if (!passed[i].leaving.empty()) {
            left_[blocks[i]->first] = std::move(passed[i].leaving);
        }
    }
}

std::vector<std::pair<Dice, std::vector<int>>> Flow::leaving() const {
    std::vector<std::pair<Dice, std::vector<int>>> found;
    for (const auto& [dice, laws] : left_) {
        std::vector<int> rounds;
        for (const auto& [round, weights] : laws) {
            rounds.push_back(round);
        }
        found.emplace_back(dice, std::move(rounds));
    }
    return found;
}

void Flow::send(const Dice& from, int round, int low, int high, const Dice& to, double chance) {
    const DownwardRounding downward;
    const auto block = left_.find(from);
    if (block == left_.end() || !block->second.contains(round)) {
        throw BadInput("dice: give dice, and a round after which games leave them");
    }
    if (to.size() != faces_.size() || std::any_of(to.begin(), to.end(), [](int n) { return n < 0; })) {
        throw BadInput("to: give a number of dice for each rung");
    }
    if (low < 0 || !(chance >= 0 && chance <= 1)) {
        throw BadInput("chance: give a number from 0 to 1, and a score that is not negative");
    }
    const std::vector<double>& weights = block->second.at(round);
    const std::size_t end = high < 0 ? weights.size()
                                     : std::min(weights.size(), static_cast<std::size_t>(high));
    const auto first = static_cast<std::size_t>(low);
    if (first < end) {
        add(following_[to][round + 1], first, weights.data() + first, end - first, chance);
    }
}

bool Flow::advance() {
    present_ = std::move(following_);
    following_.clear();
    left_.clear();
    ++weight_;
    return !present_.empty();
}

}  // namespace exactdice::swe
