// Farkle to win: two players in turn, and the first to bank the target wins.
//
// V(me, him) is the chance that the player who is to move wins, by the scores of both. Banking P
// points is worth 1 − V of the other player at (him, me + P); a turn that adds nothing is worth
// 1 − V(him, me), which leads back here. So each pair of scores has two unknowns, x = f(1 − y) and
// y = g(1 − x), where f and g are the values of a best turn by what a turn is worth that adds nothing:
// increasing, convex, piecewise linear, with slopes below 1 (the chance to add nothing). They cross
// once. Pairs of higher scores come first, and pairs of the same sum do not need each other.
//
// Enclosures: where x' ≤ f(1 − y') and y' ≥ g(1 − x'), rounded so that both stay true, x' ≤ x and
// y' ≥ y. (Let u = x' − x and v = y − y'. As slopes are below 1, u > 0 would need v > u, and v > 0
// would need u > v.) How x' and y' were found does not matter, so it is done in plain doubles.
#pragma once

#include <cstdint>
#include <vector>

#include "exactdice/farkle.hpp"
#include "exactdice/interval.hpp"
#include "exactdice/work.hpp"

namespace exactdice::farkle {

// What the rolls of one player offer, and with what chances.
struct Rolls : Menus {
    std::vector<Interval> chances;  // of each menu
    std::vector<Interval> busts;    // of each set
};

struct Player {
    Rolls rolls;
    int target = 0;        // in units
    int minimum_bank = 0;  // in units
    int entry = 0;         // units that must be banked at once to leave a score of 0
    // The laws of a player who does not look at the other's score: the chance to bank each number of
    // units from each score, where those that reach the target are one; the chance to add nothing is
    // the first. Empty for a player who plays to win.
    std::vector<std::vector<Interval>> laws;
};

struct RaceSolution {
    // Chance that the player to move wins, [own score in units][other's], for either player.
    std::vector<std::vector<Interval>> chances[2];
    std::int64_t sweeps = 0;  // of a turn from its end to its beginning
};

struct RaceOptions {
    int threads = 1;
    Progress progress = {};
};

// Where both are the same object, half of the pairs of scores are enough.
RaceSolution race(const Player& first, const Player& second, const RaceOptions& options);

// A player in a race where every third bust in a row costs points. A score never falls below the floor.
struct StreakPlayer {
    Rolls rolls;           // hot dice: the empty set is never rolled next
    int target = 0;        // in units, as all points here
    int minimum_bank = 0;
    int penalty = 0;
    int floor = 0;         // how far below 0 a score may fall
    // As those of a `Player`, for each score from the floor on; of turns in which a bust is not the
    // third in a row, and of those in which it is.
    std::vector<std::vector<Interval>> laws[2];
};

struct StreakOptions {
    double width = 1e-6;   // of the widest enclosure, with which the sweeps end
    int most_passes = 50;
    int threads = 1;
    Progress progress = {};
};

struct StreakSolution {
    // Chance that the player to move wins, [own score][other's][own busts in a row][other's], scores
    // in units from the floor, for either player; the second is empty where both are the same.
    std::vector<Interval> chances[2];
    std::vector<double> widths;  // of the widest enclosure after each pass over all states
    std::int64_t states = 0;     // scores and busts in a row of both
    std::int64_t sweeps = 0;     // of eight turns each
};

// Scores can fall, so that the pairs of scores are circular: bounds of all states are swept again and
// again, each from the last ones, until they are narrow enough. Where both players are the same object,
// half of the pairs of scores are enough.
StreakSolution streak_race(const StreakPlayer& first, const StreakPlayer& second,
                           const StreakOptions& options);

// The least expected number of turns to the target from each score, for a player alone: the fixed point
// of e = 1 + min Σ p·(turns after it), where a turn that adds nothing leads back to e.
std::vector<Interval> least_turns(const Player& player, const Progress& progress = {});

}  // namespace exactdice::farkle
