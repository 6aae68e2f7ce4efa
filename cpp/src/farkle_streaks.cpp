#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>

#include "exactdice/farkle_race.hpp"
#include "farkle_lanes.hpp"
#include "sharing.hpp"

namespace exactdice::farkle {
namespace {

constexpr std::size_t row = 3;  // busts that make a streak

class Streaks {
   public:
    Streaks(const StreakPlayer& first, const StreakPlayer& second, const StreakOptions& options)
        : players_{&first, &second}, options_(options), is_even_(&first == &second) {
        require_threads(options.threads);
        for (std::size_t who = 0; who < 2; ++who) {
            const StreakPlayer& player = *players_[who];
            require_rolls(player.rolls);
            floor_[who] = whole(player.floor, 0);
            size_[who] = whole(player.target, 1) + floor_[who];
            minimum_[who] = std::max(whole(player.minimum_bank, 0), std::size_t{1});
            penalty_[who] = whole(player.penalty, 0);
            for (const std::uint32_t next : player.rolls.next) {
                if (next == 0) {
                    throw BadInput("rolls: give hot dice");
                }
            }
            require_laws(who);
            if (who == 0 || !is_even_) {
                plans_.emplace_back(player.rolls, std::max(size_[who], minimum_[who]));
                chances_.emplace_back(plans_[who], player.rolls.chances, player.rolls.busts);
            }
        }
        const std::size_t states = size_[0] * size_[1] * row * row;
        require_memory(static_cast<double>(states) * (is_even_ ? 16 : 32), 2e9);
        for (std::size_t who = 0; who < (is_even_ ? 1U : 2U); ++who) {
            low_[who].assign(states, 0.0);
            high_[who].assign(states, 1.0);
        }
    }

    StreakSolution solve() {
        StreakSolution solution;
        solution.states = static_cast<std::int64_t>(low_[0].size());
        Clock clock(options_.progress);
        double done = 0;
        for (int pass = 0; pass < options_.most_passes; ++pass) {
            for (std::size_t sum = size_[0] + size_[1] - 1; sum-- > 0;) {
                const std::size_t from = sum < size_[1] ? 0 : sum - size_[1] + 1;
                std::size_t past = std::min(sum + 1, size_[0]);
                if (is_even_) {
                    past = std::min(past, sum / 2 + 1);  // the others are the same
                }
                clock.tick(done);
                share_out((past - from + lanes - 1) / lanes, options_.threads,
                          [&](Pieces& pieces, bool first) {
                              const UpwardRounding rounding;
                              std::unique_ptr<Worker> worker = hired();
                              while (const auto piece = pieces.next()) {
                                  worker->improve(from + *piece * lanes, past, sum);
                                  if (first) {
                                      clock.tick(done);
                                  }
                              }
                              const std::lock_guard lock(hiring_);
                              idle_.push_back(std::move(worker));
                          });
            }
            solution.widths.push_back(widest());
            if (solution.widths.back() <= options_.width) {
                break;
            }
            done = std::max(done, part_done(solution.widths.back(), pass));
        }
        for (const auto& worker : idle_) {
            solution.sweeps += worker->sweeps;
        }
        for (std::size_t who = 0; who < 2; ++who) {
            solution.chances[who].reserve(low_[who].size());
            for (std::size_t i = 0; i < low_[who].size(); ++i) {
                solution.chances[who].emplace_back(low_[who][i], high_[who][i]);
            }
        }
        return solution;
    }

   private:
    static std::size_t whole(int number, int least) {
        if (number < least || number > 100'000) {
            throw BadInput("points: give up to 100000 units, and a target of at least 1");
        }
        return static_cast<std::size_t>(number);
    }

    void require_laws(std::size_t who) const {
        for (const auto& laws : players_[who]->laws) {
            bool fits = laws.empty() == players_[who]->laws[0].empty() &&
                        (laws.empty() || laws.size() == size_[who]);
            for (std::size_t own = 0; fits && own < laws.size(); ++own) {
                fits = laws[own].size() == size_[who] - own + 1;
                for (const Interval& chance : laws[own]) {
                    fits = fits && chance.lower() >= 0 && chance.upper() <= 1 + 1e-9;
                }
            }
            if (!fits) {
                throw BadInput("laws: give one for each score below the target");
            }
        }
    }

    // The widths fall by about the same factor with each pass.
    double part_done(double width, int pass) const {
        const double by_width = std::log(width) / std::log(std::max(options_.width, 1e-300));
        const double by_passes = static_cast<double>(pass + 1) / options_.most_passes;
        return std::clamp(std::max(by_width, by_passes), 0.0, 1.0);
    }

    double widest() const {
        double found = 0;
        for (std::size_t who = 0; who < 2; ++who) {
            for (std::size_t i = 0; i < low_[who].size(); ++i) {
                found = std::max(found, high_[who][i] - low_[who][i]);
            }
        }
        return found;
    }

    // Where both are the same, they share a table.
    std::size_t table(std::size_t who) const { return is_even_ ? 0 : who; }

    std::size_t at(std::size_t who, std::size_t own, std::size_t other, std::size_t mine,
                   std::size_t theirs) const {
        return ((own * size_[1 - who] + other) * row + mine) * row + theirs;
    }

    // What one thread needs.
    class Worker {
       public:
        explicit Worker(Streaks& race) : race_(race) {
            for (std::size_t who = 0; who < 2; ++who) {
                const std::size_t shared = race.table(who);
                sweeps_.emplace_back(race.plans_[shared], race.chances_[shared]);
            }
        }

        // Some pairs of scores with the same sum, that of the first player from `from` on, and all
        // rows of busts of either player; longer ones first, as a bust leads there.
        void improve(std::size_t from, std::size_t past, std::size_t sum) {
            for (std::size_t lane = 0; lane < lanes; ++lane) {  // the last one again where few are left
                scores_[0][lane] = std::min(from + lane, past - 1);
                scores_[1][lane] = sum - scores_[0][lane];
            }
            for (std::size_t busts = 2 * (row - 1) + 1; busts-- > 0;) {
                for (std::size_t mine = 0; mine < row; ++mine) {
                    if (busts >= mine && busts - mine < row) {
                        improve_streak(0, mine, busts - mine);
                        improve_streak(1, mine, busts - mine);
                    }
                }
            }
        }

        std::int64_t sweeps = 0;

       private:
        void improve_streak(std::size_t who, std::size_t mine, std::size_t theirs) {
            const auto& own = scores_[who];
            const auto& other = scores_[1 - who];
            const std::vector<double>& their_low = race_.low_[race_.table(1 - who)];
            const std::vector<double>& their_high = race_.high_[race_.table(1 - who)];
            Lanes below, above;
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                const std::size_t fallen = own[lane] - std::min(own[lane], race_.penalty_[who]);
                const std::size_t bust =
                    mine + 1 < row ? race_.at(1 - who, other[lane], own[lane], theirs, mine + 1)
                                   : race_.at(1 - who, other[lane], fallen, theirs, 0);
                below[lane] = their_high[bust] - 1;  // negated
                above[lane] = 1 - their_low[bust];
            }
            const auto& laws = race_.players_[who]->laws[mine + 1 < row ? 0 : 1];
            laws.empty() ? best_turns(who, theirs, below, above)
                         : turns_by_law(who, theirs, laws, below, above);
            std::vector<double>& low = race_.low_[race_.table(who)];
            std::vector<double>& high = race_.high_[race_.table(who)];
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                const std::size_t here = race_.at(who, own[lane], other[lane], mine, theirs);
                low[here] = std::max(low[here], low_[lane]);
                high[here] = std::min(high[here], high_[lane]);
            }
        }

        // Worths of banking, from below (negated) and from above, with a score after it.
        std::pair<double, double> banked(std::size_t who, std::size_t other, std::size_t after,
                                         std::size_t theirs) const {
            const std::size_t place = race_.at(1 - who, other, after, theirs, 0);
            return {race_.high_[race_.table(1 - who)][place] - 1,
                    1 - race_.low_[race_.table(1 - who)][place]};
        }

        void best_turns(std::size_t who, std::size_t theirs, const Lanes& below,
                        const Lanes& above) {
            LaneSweep& sweep = sweeps_[who];
            const std::size_t size = race_.size_[who], minimum = race_.minimum_[who];
            std::array<std::size_t, lanes> ends;
            std::size_t longest = 0;
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                ends[lane] = std::max(size - scores_[who][lane], minimum);
                longest = std::max(longest, ends[lane]);
            }
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                const std::size_t bankable = ends[lane] - minimum;
                for (std::size_t needed = 1; needed <= longest; ++needed) {
                    std::pair<double, double> worth{LaneSweep::barred(Side::below),
                                                    LaneSweep::barred(Side::above)};
                    if (needed <= bankable) {
                        worth = banked(who, scores_[1 - who][lane], size - needed, theirs);
                    }
                    sweep.bank(Side::below)[needed][lane] = worth.first;
                    sweep.bank(Side::above)[needed][lane] = worth.second;
                }
            }
            sweep.sweep(Side::below, longest, below);
            sweep.sweep(Side::above, longest, above);
            sweeps += 2;
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                low_[lane] = -sweep.whole(Side::below, ends[lane], lane);
                high_[lane] = sweep.whole(Side::above, ends[lane], lane);
            }
        }

        void turns_by_law(std::size_t who, std::size_t theirs,
                          const std::vector<std::vector<Interval>>& laws, const Lanes& below,
                          const Lanes& above) {
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                const std::size_t own = scores_[who][lane];
                const std::vector<Interval>& law = laws[own];
                const auto least = [&](std::size_t units) { return std::max(law[units].lower(), 0.0); };
                const std::size_t needed = law.size() - 1;
                double low = least(0) * below[lane] - least(needed);
                double high = law[0].upper() * above[lane] + law[needed].upper();
                for (std::size_t units = 1; units < needed; ++units) {
                    const auto [from_below, from_above] =
                        banked(who, scores_[1 - who][lane], own + units, theirs);
                    low += least(units) * from_below;
                    high += law[units].upper() * from_above;
                }
                low_[lane] = -low;
                high_[lane] = high;
            }
        }

        Streaks& race_;
        std::vector<LaneSweep> sweeps_;
        std::array<std::size_t, lanes> scores_[2];
        Lanes low_, high_;
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

    const StreakPlayer* players_[2];
    const StreakOptions& options_;
    bool is_even_;
    std::size_t floor_[2] = {0, 0}, size_[2] = {0, 0}, minimum_[2] = {0, 0}, penalty_[2] = {0, 0};
    std::vector<TurnPlan> plans_;
    std::vector<TurnChances> chances_;
    std::vector<double> low_[2], high_[2];
    std::mutex hiring_;
    std::vector<std::unique_ptr<Worker>> idle_;
};

}  // namespace

StreakSolution streak_race(const StreakPlayer& first, const StreakPlayer& second,
                           const StreakOptions& options) {
    return Streaks(first, second, options).solve();
}

}  // namespace exactdice::farkle
