// Races of two against plain iteration over every state of tiny games, and bounds against both.
#include "exactdice/farkle_race.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <random>

#include "check.hpp"

namespace {

using namespace exactdice;

// Dice that are told apart by nothing: each shows one side with which it scores `units`, each on its
// own, with chance `hit`. Of n dice rolled k score, and from one to all of them may be kept.
farkle::Rolls rolls_of(std::size_t dice, double hit, std::uint32_t units, bool hot) {
    farkle::Rolls rolls;
    rolls.first_menu = {0, 0};
    rolls.first_option = {0};
    rolls.busts = {Interval(0.0)};
    for (std::size_t n = 1; n <= dice; ++n) {
        double ways = 1;
        for (std::size_t k = 0; k <= n; ++k) {
            const double chance = ways * std::pow(hit, static_cast<double>(k)) *
                                  std::pow(1 - hit, static_cast<double>(n - k));
            ways = ways * static_cast<double>(n - k) / static_cast<double>(k + 1);
            if (k == 0) {
                rolls.busts.emplace_back(chance);
                continue;
            }
            rolls.chances.emplace_back(chance);
            for (std::size_t kept = k; kept > 0; --kept) {
                rolls.units.push_back(units * static_cast<std::uint32_t>(kept));
                rolls.next.push_back(static_cast<std::uint32_t>(
                    kept == n && hot ? dice : n - kept));
            }
            rolls.first_option.push_back(static_cast<std::uint32_t>(rolls.units.size()));
        }
        rolls.first_menu.push_back(static_cast<std::uint32_t>(rolls.chances.size()));
    }
    return rolls;
}

// The game by its definition, iterated from 0 until nothing changes.
class Oracle {
   public:
    Oracle(const farkle::Player& first, const farkle::Player& second)
        : players_{&first, &second} {
        for (int pass = 0; pass < 400; ++pass) {
            for (int who = 0; who < 2; ++who) {
                for (int own = 0; own < players_[who]->target; ++own) {
                    for (int other = 0; other < players_[1 - who]->target; ++other) {
                        values_[{who, own, other}] = turn(who, own, other);
                    }
                }
            }
        }
    }
    double at(int who, int own, int other) { return values_[{who, own, other}]; }

   private:
    double turn(int who, int own, int other) {
        who_ = who;
        own_ = own;
        other_ = other;
        const farkle::Rolls& rolls = players_[who]->rolls;
        if (!players_[who]->laws.empty()) {
            const auto& law = players_[who]->laws[static_cast<std::size_t>(own)];
            double total = 0;
            for (std::size_t units = 0; units < law.size(); ++units) {
                total += law[units].upper() * after(static_cast<int>(units));
            }
            return total;
        }
        return roll(0, rolls.first_menu.size() - 2);
    }
    double after(int units) {
        return own_ + units >= players_[who_]->target
                   ? 1
                   : 1 - values_[{1 - who_, other_, own_ + units}];
    }
    double roll(int units, std::size_t set) {
        const farkle::Rolls& rolls = players_[who_]->rolls;
        double total = rolls.busts[set].upper() * after(0);
        for (std::size_t menu = rolls.first_menu[set]; menu < rolls.first_menu[set + 1]; ++menu) {
            double best = 0;
            for (std::size_t i = rolls.first_option[menu]; i < rolls.first_option[menu + 1]; ++i) {
                best = std::max(best, go_on(units + static_cast<int>(rolls.units[i]), rolls.next[i]));
            }
            total += rolls.chances[menu].upper() * best;
        }
        return total;
    }
    double go_on(int units, std::size_t set) {
        const farkle::Player& player = *players_[who_];
        const int least = std::max({player.minimum_bank, own_ == 0 ? player.entry : 0, 1});
        const bool may_bank = units >= least;
        if (may_bank && own_ + units >= player.target) {
            return 1;
        }
        double best = may_bank || set == 0 ? after(may_bank ? units : 0) : 0;
        if (set != 0) {
            best = std::max(best, roll(units, set));
        }
        return best;
    }

    const farkle::Player* players_[2];
    std::map<std::array<int, 3>, double> values_;
    int who_ = 0, own_ = 0, other_ = 0;
};

// Busts in a row by their definition: the chance of either player to win who is to move, by both
// scores from the floor, and by both rows of busts.
class SlowStreaks {
   public:
    SlowStreaks(const farkle::StreakPlayer& first, const farkle::StreakPlayer& second)
        : players_{&first, &second} {
        for (int pass = 0; pass < 200; ++pass) {
            for (int who = 0; who < 2; ++who) {
                for (int own = 0; own < size(who); ++own) {
                    for (int other = 0; other < size(1 - who); ++other) {
                        for (int streaks = 0; streaks < 9; ++streaks) {
                            values_[{who, own, other, streaks / 3, streaks % 3}] =
                                value(who, own, other, streaks / 3, streaks % 3);
                        }
                    }
                }
            }
        }
    }
    int size(int who) const { return players_[who]->target + players_[who]->floor; }
    double chance(int who, int own, int other, int mine, int theirs) {
        return values_[{who, own, other, mine, theirs}];
    }

   private:
    double value(int who, int own, int other, int mine, int theirs) {
        const farkle::StreakPlayer& player = *players_[who];
        const auto after = [&](int units) {
            return own + units >= size(who) ? 1
                                            : 1 - chance(1 - who, other, own + units, theirs, 0);
        };
        const double bust =
            1 - (mine < 2 ? chance(1 - who, other, own, theirs, mine + 1)
                          : chance(1 - who, other, std::max(own - player.penalty, 0), theirs, 0));
        if (const auto& laws = player.laws[mine < 2 ? 0 : 1]; !laws.empty()) {
            const auto& law = laws[static_cast<std::size_t>(own)];
            double total = law[0].upper() * bust;
            for (int units = 1; units <= size(who) - own; ++units) {
                total += law[static_cast<std::size_t>(units)].upper() * after(units);
            }
            return total;
        }
        const farkle::Rolls& rolls = player.rolls;
        const auto roll = [&](const auto& again, int units, std::size_t set) -> double {
            double total = rolls.busts[set].upper() * bust;
            for (std::size_t m = rolls.first_menu[set]; m < rolls.first_menu[set + 1]; ++m) {
                double best = 0;
                for (std::size_t i = rolls.first_option[m]; i < rolls.first_option[m + 1]; ++i) {
                    const int reached = units + static_cast<int>(rolls.units[i]);
                    const bool may_bank = reached >= std::max(player.minimum_bank, 1);
                    if (may_bank) {
                        best = std::max(best, after(reached));
                    }
                    if (!may_bank || own + reached < size(who)) {
                        best = std::max(best, again(again, reached, rolls.next[i]));
                    }
                }
                total += rolls.chances[m].upper() * best;
            }
            return total;
        };
        return roll(roll, 0, rolls.first_menu.size() - 2);
    }

    const farkle::StreakPlayer* players_[2];
    std::map<std::array<int, 5>, double> values_;
};

// The least expected number of turns, iterated from 0.
std::vector<double> turns_by_iteration(const farkle::Player& player) {
    std::vector<double> turns(static_cast<std::size_t>(player.target), 0.0);
    const auto after = [&](int own) {
        return own >= player.target ? 0 : turns[static_cast<std::size_t>(own)];
    };
    for (int pass = 0; pass < 3000; ++pass) {
        for (int own = player.target - 1; own >= 0; --own) {
            const farkle::Rolls& rolls = player.rolls;
            const int least = std::max({player.minimum_bank, own == 0 ? player.entry : 0, 1});
            const auto roll = [&](const auto& again, int units, std::size_t set) -> double {
                double total = rolls.busts[set].upper() * after(own);
                for (std::size_t m = rolls.first_menu[set]; m < rolls.first_menu[set + 1]; ++m) {
                    double best = 1e300;
                    for (std::size_t i = rolls.first_option[m]; i < rolls.first_option[m + 1]; ++i) {
                        const int reached = units + static_cast<int>(rolls.units[i]);
                        const bool may_bank = reached >= least;
                        if (may_bank || rolls.next[i] == 0) {
                            best = std::min(best, after(own + (may_bank ? reached : 0)));
                        }
                        if (rolls.next[i] != 0 && (!may_bank || own + reached < player.target)) {
                            best = std::min(best, again(again, reached, rolls.next[i]));
                        }
                    }
                    total += rolls.chances[m].upper() * best;
                }
                return total;
            };
            turns[static_cast<std::size_t>(own)] = 1 + roll(roll, 0, rolls.first_menu.size() - 2);
        }
    }
    return turns;
}

}  // namespace

int main() {
    std::mt19937 random(11);
    const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
    for (int trial = 0; trial < 40; ++trial) {
        farkle::Player players[2];
        for (farkle::Player& player : players) {
            const bool hot = below(2) == 0;
            player.rolls = rolls_of(static_cast<std::size_t>(1 + below(3)), (1 + below(6)) / 8.0,
                                    static_cast<std::uint32_t>(1 + below(2)), hot);
            player.target = 1 + below(4);
            player.minimum_bank = hot ? below(4) : below(2);
            player.entry = hot ? below(4) : 0;
            if (below(4) == 0) {  // adds 1 or the target, or nothing
                for (int own = 0; own < player.target; ++own) {
                    const auto needed = static_cast<std::size_t>(player.target - own);
                    std::vector<Interval> law(needed + 1, Interval(0.0));
                    law[0] = Interval(0.5);
                    law[1] += Interval(0.25);
                    law[needed] += Interval(0.25);
                    player.laws.push_back(law);
                }
            }
        }
        const bool even = trial % 3 == 0;
        farkle::RaceOptions options;
        options.threads = 1 + trial % 2;
        const farkle::Player& second = even ? players[0] : players[1];
        const auto found = farkle::race(players[0], second, options);
        Oracle oracle(players[0], second);
        for (int who = 0; who < 2; ++who) {
            const auto& table = found.chances[who];
            for (std::size_t own = 0; own < table.size(); ++own) {
                for (std::size_t other = 0; other < table[own].size(); ++other) {
                    const double expected =
                        oracle.at(who, static_cast<int>(own), static_cast<int>(other));
                    CHECK(table[own][other].lower() <= expected + 1e-12);
                    CHECK(table[own][other].upper() >= expected - 1e-12);
                    CHECK(table[own][other].upper() - table[own][other].lower() < 1e-11);
                }
            }
        }
    }
    for (int trial = 0; trial < 12; ++trial) {
        farkle::StreakPlayer players[2];
        for (farkle::StreakPlayer& player : players) {
            const bool is_long = trial < 8;  // more pairs of scores than lanes
            player.rolls = rolls_of(is_long ? 1 : 2, 0.5, 1, true);
            player.target = 2 + below(is_long ? 9 : 2);
            player.minimum_bank = below(3);
            player.penalty = 1 + below(2);
            player.floor = below(3);
        }
        if (trial % 4 == 3) {
            for (auto& laws : players[1].laws) {
                for (int own = 0; own < players[1].target + players[1].floor; ++own) {
                    const int needed = players[1].target + players[1].floor - own;
                    laws.emplace_back(static_cast<std::size_t>(needed + 1), Interval(0.0));
                    laws.back()[0] = Interval(0.25 + below(2) * 0.25);
                    laws.back().back() = Interval(1 - laws.back()[0].upper());
                }
            }
        }
        const farkle::StreakPlayer& second = trial % 2 == 0 ? players[0] : players[1];
        farkle::StreakOptions options;
        options.width = 1e-9;
        options.most_passes = 400;
        options.threads = 1 + trial % 2;
        const auto found = farkle::streak_race(players[0], second, options);
        SlowStreaks expected(players[0], second);
        CHECK(found.widths.size() > 1 && found.widths.back() <= 1e-9);
        CHECK(found.chances[1].empty() == (&second == &players[0]));
        for (int who = 0; who < 2; ++who) {
            std::size_t place = 0;
            for (const Interval& chance : found.chances[who]) {
                const int streaks = static_cast<int>(place % 9);
                const int other = static_cast<int>(place / 9) % expected.size(1 - who);
                const int own = static_cast<int>(place / 9) / expected.size(1 - who);
                const double known = expected.chance(who, own, other, streaks / 3, streaks % 3);
                CHECK(chance.lower() <= known + 1e-9 && known - 1e-9 <= chance.upper());
                ++place;
            }
        }
    }
    for (int trial = 0; trial < 20; ++trial) {
        farkle::Player player;
        const bool hot = trial % 2 == 0;
        player.rolls = rolls_of(static_cast<std::size_t>(1 + below(3)), (1 + below(6)) / 8.0,
                                static_cast<std::uint32_t>(1 + below(2)), hot);
        player.target = 1 + below(4);
        player.minimum_bank = hot ? below(4) : below(2);
        player.entry = hot ? below(4) : 0;
        const auto found = farkle::least_turns(player);
        const auto expected = turns_by_iteration(player);
        for (std::size_t own = 0; own < expected.size(); ++own) {
            CHECK(found[own].lower() <= expected[own] * (1 + 1e-9));
            CHECK(found[own].upper() >= expected[own] * (1 - 1e-9));
            CHECK(found[own].upper() - found[own].lower() < 1e-9 * expected[own]);
        }
    }
    farkle::Player player;
    CHECK(check::throws<BadInput>([&] { farkle::race(player, player, {}); }));
    player.rolls = rolls_of(2, 0.5, 1, true);
    CHECK(check::throws<BadInput>([&] { farkle::race(player, player, {}); }));
    CHECK(check::throws<BadInput>([&] { farkle::least_turns(player); }));
    player.target = 400;
    player.laws = {{Interval(1.0)}};
    CHECK(check::throws<BadInput>([&] { farkle::race(player, player, {}); }));
    player.laws.clear();
    farkle::RaceOptions stopped;
    stopped.progress = [](double) { return false; };
    CHECK(check::throws<Interrupted>([&] { farkle::race(player, player, stopped); }));
    stopped.threads = 0;
    CHECK(check::throws<BadInput>([&] { farkle::race(player, player, stopped); }));
    player.target = 20'000;
    CHECK(check::throws<TooLarge>([&] { farkle::race(player, player, {}); }));
    farkle::StreakPlayer streaky;
    streaky.rolls = rolls_of(1, 0.5, 1, false);
    streaky.target = 2;
    CHECK(check::throws<BadInput>([&] { farkle::streak_race(streaky, streaky, {}); }));
    streaky.rolls = rolls_of(1, 0.5, 1, true);
    streaky.laws[1] = {{Interval(1.0)}};
    CHECK(check::throws<BadInput>([&] { farkle::streak_race(streaky, streaky, {}); }));
    return check::report();
}
