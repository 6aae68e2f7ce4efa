#include "exactdice/farkle_race.hpp"

#include <cmath>
#include <memory>
#include <mutex>
#include <utility>

#include "farkle_turn.hpp"
#include "sharing.hpp"

namespace exactdice::farkle {

void require_rolls(const Rolls& rolls) {
    const std::size_t sets = rolls.first_menu.size(), menus = rolls.first_option.size();
    bool fits = sets >= 3 && menus >= 2 && rolls.busts.size() == sets - 1 &&
                rolls.chances.size() == menus - 1 && rolls.units.size() == rolls.next.size() &&
                rolls.first_menu.front() == 0 && rolls.first_menu[1] == 0 &&
                rolls.first_option.front() == 0;
    fits = fits && rolls.first_menu.back() == menus - 1 &&
           rolls.first_option.back() == rolls.units.size();
    for (std::size_t i = 1; fits && i < sets; ++i) {
        fits = rolls.first_menu[i - 1] <= rolls.first_menu[i];
    }
    for (std::size_t i = 1; fits && i < menus; ++i) {
        fits = rolls.first_option[i - 1] < rolls.first_option[i];
    }
    for (std::size_t i = 0; fits && i < rolls.units.size(); ++i) {
        fits = rolls.units[i] >= 1 && rolls.units[i] <= 1'000'000 && rolls.next[i] < sets - 1;
    }
    const auto is_chance = [](const Interval& x) { return x.lower() >= 0 && x.upper() <= 1 + 1e-9; };
    fits = fits && std::all_of(rolls.chances.begin(), rolls.chances.end(), is_chance) &&
           std::all_of(rolls.busts.begin(), rolls.busts.end(), is_chance);
    if (!fits) {
        throw BadInput("rolls: give arrays of menus and options that fit together");
    }
}

namespace {

using Table = std::vector<std::vector<double>>;

class Race {
   public:
    Race(const Player& first, const Player& second, const RaceOptions& options)
        : players_{&first, &second}, options_(options), is_even_(&first == &second) {
        require_threads(options.threads);
        for (std::size_t who = 0; who < 2; ++who) {
            const Player& player = *players_[who];
            require_rolls(player.rolls);
            if (player.target < 1 || player.target > 100'000 || player.minimum_bank < 0 ||
                player.minimum_bank > 100'000 || player.entry < 0 || player.entry > 100'000) {
                throw BadInput("target: give from 1 to 100000 units, and no more for a minimum");
            }
            size_[who] = static_cast<std::size_t>(player.target);
            longest_[who] = static_cast<std::size_t>(
                std::max({player.target, player.minimum_bank, player.entry}));
            require_laws(player);
            if (who == 0 || !is_even_) {
                plans_.emplace_back(player.rolls, longest_[who]);
                chances_.emplace_back(plans_[who], player.rolls.chances, player.rolls.busts);
            }
        }
        require_memory(static_cast<double>(size_[0]) * static_cast<double>(size_[1]) * 8 * 8, 2e9);
        for (std::size_t who = 0; who < 2; ++who) {
            for (Table& plane : bounds_[who]) {
                plane.assign(size_[who], std::vector<double>(size_[1 - who], 0.0));
            }
        }
    }

    RaceSolution solve() {
        Clock clock(options_.progress);
        const double all = static_cast<double>(size_[0]) * static_cast<double>(size_[1]);
        double done = 0;
        for (std::size_t sum = size_[0] + size_[1] - 1; sum-- > 0;) {
            const std::size_t from = sum < size_[1] ? 0 : sum - size_[1] + 1;
            std::size_t past = std::min(sum + 1, size_[0]);
            clock.tick(done / all);
            done += static_cast<double>(past - from);
            if (is_even_) {
                past = std::min(past, sum / 2 + 1);  // the others are the same, names exchanged
            }
            share_out(past - from, options_.threads, [&](Pieces& pieces, bool first) {
                const UpwardRounding rounding;
                std::unique_ptr<Worker> worker = hired();
                while (const auto piece = pieces.next()) {
                    worker->solve_pair(from + *piece, sum - from - *piece);
                    if (first) {
                        clock.tick((done - static_cast<double>(past - from - *piece)) / all);
                    }
                }
                const std::lock_guard lock(hiring_);
                idle_.push_back(std::move(worker));
            });
        }
        return gathered();
    }

   private:
    // What one thread needs: a sweep for each player, and what banking is worth.
    class Worker {
       public:
        explicit Worker(Race& race) : race_(race) {
            for (std::size_t who = 0; who < 2; ++who) {
                const std::size_t shared = race.is_even_ ? 0 : who;
                sweeps_.emplace_back(race.plans_[shared], race.chances_[shared]);
                for (auto& bank : banks_[who]) {
                    bank.assign(race.longest_[who] + 1, 0.0);
                }
            }
        }

        void solve_pair(std::size_t mine, std::size_t yours) {
            own_[0] = mine;
            own_[1] = yours;
            prepare(0);
            prepare(1);
            double start[2] = {guess(0), guess(1)};
            is_new_ = true;
            for (const std::size_t lower_is : {0U, 1U}) {
                // The bound from below of one player goes with that from above of the other.
                const std::size_t upper_is = 1 - lower_is;
                const auto [low, high] = enclosed(lower_is, start[lower_is], start[upper_is]);
                race_.bounds_[lower_is][0][own_[lower_is]][own_[upper_is]] = low;
                race_.bounds_[upper_is][1][own_[upper_is]][own_[lower_is]] = high;
                start[lower_is] = low;
                start[upper_is] = high;
            }
            const bool is_double = race_.is_even_ && mine == yours;
            if (race_.is_even_ && !is_double) {
                for (std::size_t side = 0; side < 2; ++side) {
                    race_.bounds_[1][side][mine][yours] = race_.bounds_[0][side][mine][yours];
                    race_.bounds_[0][side][yours][mine] = race_.bounds_[1][side][yours][mine];
                }
            }
        }

        std::int64_t sweeps = 0;

       private:
        // What banking is worth to a player, by what is still needed.
        void prepare(std::size_t who) {
            const Player& player = *race_.players_[who];
            const std::size_t own = own_[who], other = own_[1 - who];
            const std::size_t needed = race_.size_[who] - own;
            const auto minimum = static_cast<std::size_t>(
                std::max({own == 0 ? player.entry : 0, player.minimum_bank, 1}));
            end_[who] = std::max(needed, minimum);
            bankable_[who] = end_[who] - minimum;
            const auto& theirs = race_.bounds_[1 - who];
            // A law may bank anything; a player who plays to win is held to what is bankable.
            for (std::size_t units = 1; units < needed; ++units) {
                banks_[who][0][needed - units] = theirs[1][other][own + units] - 1;  // negated
                banks_[who][1][needed - units] = 1 - theirs[0][other][own + units];
            }
        }

        // What the chance is about, by those of pairs of higher scores.
        double guess(std::size_t who) const {
            const Table& known = race_.bounds_[who][0];
            const std::size_t own = own_[who], other = own_[1 - who];
            const bool has_own = own + 1 < race_.size_[who];
            const bool has_other = other + 1 < race_.size_[1 - who];
            if (has_own && has_other) {
                return std::clamp(
                    known[own + 1][other] + known[own][other + 1] - known[own + 1][other + 1], 0.0,
                    1.0);
            }
            return has_own ? known[own + 1][other] : has_other ? known[own][other + 1] : 0.5;
        }

        // A whole turn, where one that adds nothing is worth `nothing`; its slope is that of the last
        // time that it was asked for, as it takes longer.
        template <Side side>
        Line turn(std::size_t who, double nothing, bool with_slope) {
            constexpr std::size_t at = side == Side::above ? 1 : 0;
            const double back = side == Side::above ? nothing : -nothing;
            const Player& player = *race_.players_[who];
            ++sweeps;
            if (player.laws.empty()) {
                const TurnEnds ends{banks_[who][at].data(), bankable_[who], back, back};
                if (!with_slope) {
                    const Line line = sweeps_[who].template sweep<side, false>(end_[who], ends);
                    return {line.value, slope_[who]};
                }
                const Line line = sweeps_[who].template sweep<side, true>(end_[who], ends);
                slope_[who] = line.slope;
                return line;
            }
            const std::vector<Interval>& law = player.laws[own_[who]];
            const auto chance = [&](std::size_t units) {
                return side == Side::above ? law[units].upper() : std::max(law[units].lower(), 0.0);
            };
            const std::size_t needed = law.size() - 1;
            double sum = chance(0) * back;
            for (std::size_t units = 1; units < needed; ++units) {
                sum += chance(units) * banks_[who][at][needed - units];
            }
            sum += side == Side::above ? chance(needed) : -chance(needed);
            return {side == Side::above ? sum : -sum, chance(0)};
        }

        // x' ≤ f(1 − y') and y' ≥ g(1 − x'): x' for `lower_is`, y' for the other.
        std::pair<double, double> enclosed(std::size_t lower_is, double x, double y) {
            constexpr int sloped = 2, newton = 20, loose = 200, last = 400;
            constexpr double least = 2e-15, rounding = 1e-14;
            // The bounds from the other side are known: these are about as far off.
            double room = is_new_ ? 0 : 2 * room_;
            x -= room;
            y += room;
            for (int tries = 0;; ++tries) {
                x = tries >= last ? 0 : std::clamp(x, 0.0, 1.0);  // 0 and 1 always hold
                y = tries >= last ? 1 : std::clamp(y, 0.0, 1.0);
                const double from_y = -(y - 1), from_x = 1 - x;  // rounded down, and up
                // Slopes anew as long as the start may be far off, or where they did not serve.
                const bool with_slope = tries < newton && (tries >= 4 || (is_new_ && tries < sloped));
                const Line f = turn<Side::below>(lower_is, from_y, with_slope);
                const Line g = turn<Side::above>(1 - lower_is, from_x, with_slope);
                const bool holds = (x == 0 || x <= f.value) && (y == 1 || y >= g.value);
                const bool is_close = f.value - x <= 2 * room && y - g.value <= 2 * room;
                if (holds && (is_close || tries >= loose)) {
                    is_new_ = false;
                    room_ = room;
                    return {x, y};
                }
                // Leave room for as much as rounding has been seen to miss.
                const double missed = std::max(x - f.value, g.value - y);
                const double margin = missed < rounding ? std::max(least, 2 * missed) : least;
                const double apart = 1 - f.slope * g.slope;
                if (tries < newton && apart > 0) {  // where the two lines cross
                    const double base = f.value - f.slope * from_y;
                    const double rise = g.value - g.slope * from_x;
                    x = (base + f.slope * (1 - rise - g.slope)) / apart;
                    y = rise + g.slope * (1 - x);
                } else {
                    x = f.value;
                    y = g.value;
                }
                room = 2 * margin / std::max(apart, 1e-9);
                x -= room;
                y += room;
            }
        }

        Race& race_;
        std::vector<TurnSweep> sweeps_;
        std::vector<double> banks_[2][2];
        double slope_[2] = {0, 0}, room_ = 0;
        bool is_new_ = true;  // no bound of this pair of scores is known yet
        std::size_t own_[2] = {0, 0}, end_[2] = {0, 0}, bankable_[2] = {0, 0};
    };

    static void require_laws(const Player& player) {
        bool fits = player.laws.empty() ||
                    player.laws.size() == static_cast<std::size_t>(player.target);
        for (std::size_t own = 0; fits && own < player.laws.size(); ++own) {
            fits = player.laws[own].size() == player.laws.size() - own + 1;
            for (const Interval& chance : player.laws[own]) {
                fits = fits && chance.lower() >= 0 && chance.upper() <= 1 + 1e-9;
            }
        }
        if (!fits) {
            throw BadInput("laws: give one for each score below the target");
        }
    }

    std::unique_ptr<Worker> hired() {
        const std::lock_guard lock(hiring_);
        if (idle_.empty()) {
            return std::make_unique<Worker>(*this);
        }
        std::unique_ptr<Worker> worker = std::move(idle_.back());
        idle_.pop_back();
        return worker;
    }

    RaceSolution gathered() {
        RaceSolution solution;
        for (std::size_t who = 0; who < 2; ++who) {
            solution.chances[who].resize(size_[who]);
            for (std::size_t own = 0; own < size_[who]; ++own) {
                for (std::size_t other = 0; other < size_[1 - who]; ++other) {
                    solution.chances[who][own].emplace_back(bounds_[who][0][own][other],
                                                            bounds_[who][1][own][other]);
                }
            }
        }
        for (const auto& worker : idle_) {
            solution.sweeps += worker->sweeps;
        }
        return solution;
    }

    const Player* players_[2];
    const RaceOptions& options_;
    bool is_even_;
    std::size_t size_[2] = {0, 0}, longest_[2] = {0, 0};
    Table bounds_[2][2];  // of each player: from below, from above
    std::vector<TurnPlan> plans_;
    std::vector<TurnChances> chances_;
    std::mutex hiring_;
    std::vector<std::unique_ptr<Worker>> idle_;
};

}  // namespace

RaceSolution race(const Player& first, const Player& second, const RaceOptions& options) {
    return Race(first, second, options).solve();
}

}  // namespace exactdice::farkle
