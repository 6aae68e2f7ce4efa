#include <memory>
#include <mutex>

#include "exactdice/farkle_race.hpp"
#include "farkle_turn.hpp"
#include "sharing.hpp"

namespace exactdice::farkle {
namespace {

constexpr std::size_t row = 3;  // busts that make a streak

class Streaks {
   public:
    explicit Streaks(const StreakRace& race) : race_(race) {
        require_threads(race.threads);
        require_rolls(race.rolls);
        const auto whole = [](int number, int least, int most) {
            if (number < least || number > most) {
                throw BadInput("points: give up to 100000 units, and a target of at least 1");
            }
            return static_cast<std::size_t>(number);
        };
        floor_ = whole(race.floor, 0, 100'000);
        target_ = whole(race.target, 1, 100'000) + floor_;
        minimum_ = std::max(whole(race.minimum_bank, 0, 100'000), std::size_t{1});
        penalty_ = whole(race.penalty, 0, 100'000);
        for (const std::uint32_t next : race.rolls.next) {
            if (next == 0) {
                throw BadInput("rolls: give hot dice");
            }
        }
        const std::size_t states = target_ * target_ * row * row;
        require_memory(static_cast<double>(states) * 16, 2e9);
        low_.assign(states, 0.0);
        high_.assign(states, 1.0);
    }

    StreakSolution solve() {
        StreakSolution solution;
        solution.states = static_cast<std::int64_t>(low_.size());
        Clock clock(race_.progress);
        for (int pass = 0; pass < race_.most_passes; ++pass) {
            for (std::size_t sum = 2 * target_ - 1; sum-- > 0;) {
                clock.tick(static_cast<double>(pass) / race_.most_passes);
                const std::size_t from = sum < target_ ? 0 : sum - target_ + 1;
                const std::size_t past = std::min({sum + 1, target_, sum / 2 + 1});
                share_out(past - from, race_.threads, [&](Pieces& pieces, bool first) {
                    const UpwardRounding rounding;
                    std::unique_ptr<Worker> worker = hired();
                    while (const auto piece = pieces.next()) {
                        worker->improve(from + *piece, sum - from - *piece);
                        if (first) {
                            clock.tick(static_cast<double>(pass) / race_.most_passes);
                        }
                    }
                    const std::lock_guard lock(hiring_);
                    idle_.push_back(std::move(worker));
                });
            }
            const std::size_t start = at(floor_, floor_, 0, 0);
            solution.chance = Interval(low_[start], high_[start]);
            solution.passes.push_back(solution.chance);
            if (high_[start] - low_[start] <= race_.width) {
                break;
            }
        }
        for (const auto& worker : idle_) {
            solution.sweeps += worker->sweeps;
        }
        return solution;
    }

   private:
    std::size_t at(std::size_t own, std::size_t other, std::size_t mine, std::size_t theirs) const {
        return ((own * target_ + other) * row + mine) * row + theirs;
    }

    class Worker {
       public:
        explicit Worker(Streaks& race)
            : race_(race), sweep_(race.race_.rolls, std::max(race.target_, race.minimum_)) {
            for (auto& bank : banks_) {
                bank.assign(std::max(race.target_, race.minimum_) + 1, 0.0);
            }
        }

        // All streaks at one pair of scores, for either player; longer ones first, as a bust leads
        // there.
        void improve(std::size_t first, std::size_t second) {
            for (std::size_t sum = 2 * (row - 1) + 1; sum-- > 0;) {
                for (std::size_t mine = 0; mine < row; ++mine) {
                    if (sum >= mine && sum - mine < row) {
                        improve(first, second, mine, sum - mine);
                        if (first != second) {
                            improve(second, first, mine, sum - mine);
                        }
                    }
                }
            }
        }

        std::int64_t sweeps = 0;

       private:
        void improve(std::size_t own, std::size_t other, std::size_t mine, std::size_t theirs) {
            const std::size_t needed = race_.target_ - own, end = std::max(needed, race_.minimum_);
            for (std::size_t units = race_.minimum_; units < needed; ++units) {
                const std::size_t after = race_.at(other, own + units, theirs, 0);
                banks_[0][needed - units] = race_.high_[after] - 1;  // negated
                banks_[1][needed - units] = 1 - race_.low_[after];
            }
            const std::size_t fallen = own - std::min(own, race_.penalty_);
            const std::size_t bust = mine + 1 < row ? race_.at(other, own, theirs, mine + 1)
                                                    : race_.at(other, fallen, theirs, 0);
            const double below = race_.high_[bust] - 1, above = 1 - race_.low_[bust];
            const std::size_t bankable = end - race_.minimum_;
            const double low =
                sweep_.sweep<Side::below, false>(end, banks_[0].data(), bankable, below).value;
            const double high =
                sweep_.sweep<Side::above, false>(end, banks_[1].data(), bankable, above).value;
            sweeps += 2;
            const std::size_t here = race_.at(own, other, mine, theirs);
            race_.low_[here] = std::max(race_.low_[here], low);
            race_.high_[here] = std::min(race_.high_[here], high);
        }

        Streaks& race_;
        TurnSweep sweep_;
        std::vector<double> banks_[2];
    };

    std::unique_ptr<Worker> hired() {
        const std::lock_guard lock(hiring_);
        if (idle_.empty()) {
            return std::make_unique<Worker>(*this);
        }
        std::unique_ptr<Worker> worker = std::move(idle_.back());
        idle_.pop_back();
        return worker;
    }

    const StreakRace& race_;
    std::size_t floor_ = 0, target_ = 0, minimum_ = 0, penalty_ = 0;
    std::vector<double> low_, high_;
    std::mutex hiring_;
    std::vector<std::unique_ptr<Worker>> idle_;
};

}  // namespace

StreakSolution streak_race(const StreakRace& race) { return Streaks(race).solve(); }

}  // namespace exactdice::farkle
