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

// Busts in a row by their definition, for one player against an equal one.
double streaks_by_iteration(const farkle::StreakRace& race) {
    const int target = race.target + race.floor;
    std::map<std::array<int, 4>, double> values;
    const auto value = [&](int own, int other, int mine, int theirs) {
        const auto after = [&](int units) {
            return own + units >= target ? 1 : 1 - values[{other, own + units, theirs, 0}];
        };
        const double bust = 1 - (mine < 2 ? values[{other, own, theirs, mine + 1}]
                                          : values[{other, std::max(own - race.penalty, 0), theirs, 0}]);
        const farkle::Rolls& rolls = race.rolls;
        const auto roll = [&](const auto& again, int units, std::size_t set) -> double {
            double total = rolls.busts[set].upper() * bust;
            for (std::size_t m = rolls.first_menu[set]; m < rolls.first_menu[set + 1]; ++m) {
                double best = 0;
                for (std::size_t i = rolls.first_option[m]; i < rolls.first_option[m + 1]; ++i) {
                    const int reached = units + static_cast<int>(rolls.units[i]);
                    const bool may_bank = reached >= std::max(race.minimum_bank, 1);
                    if (may_bank) {
                        best = std::max(best, after(reached));
                    }
                    if (!may_bank || own + reached < target) {
                        best = std::max(best, again(again, reached, rolls.next[i]));
                    }
                }
                total += rolls.chances[m].upper() * best;
            }
            return total;
        };
        return roll(roll, 0, rolls.first_menu.size() - 2);
    };
    for (int pass = 0; pass < 200; ++pass) {
        for (int own = 0; own < target; ++own) {
            for (int other = 0; other < target; ++other) {
                for (int streaks = 0; streaks < 9; ++streaks) {
                    values[{own, other, streaks / 3, streaks % 3}] =
                        value(own, other, streaks / 3, streaks % 3);
                }
            }
        }
    }
    return values[{race.floor, race.floor, 0, 0}];
}

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
        options.settle = true;
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
        CHECK(found.open <= found.decisions);
        CHECK(found.named.size() == static_cast<std::size_t>(std::min<std::int64_t>(found.open, 1000)));
    }
    for (int trial = 0; trial < 6; ++trial) {
        farkle::StreakRace race;
        race.rolls = rolls_of(static_cast<std::size_t>(1 + trial % 2), 0.5, 1, true);
        race.target = 2 + trial % 2;
        race.minimum_bank = trial % 3;
        race.penalty = 1 + trial % 2;
        race.floor = trial % 3;
        race.width = 1e-9;
        race.most_passes = 400;
        race.threads = 1 + trial % 2;
        const auto found = farkle::streak_race(race);
        const double expected = streaks_by_iteration(race);
        CHECK(found.chance.lower() <= expected + 1e-9 && expected - 1e-9 <= found.chance.upper());
        CHECK(found.chance.upper() - found.chance.lower() <= 1e-9);
        CHECK(found.passes.size() > 1);
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
    farkle::StreakRace cold;
    cold.rolls = rolls_of(1, 0.5, 1, false);
    cold.target = 2;
    CHECK(check::throws<BadInput>([&] { farkle::streak_race(cold); }));
    return check::report();
}
