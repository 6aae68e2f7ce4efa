// Farkle by menus against a recursion over all rolls and all selections, for a few different dice.
#include "exactdice/farkle.hpp"

#include <algorithm>
#include <map>
#include <random>

#include "../apps/kcd.hpp"
#include "check.hpp"

namespace {

using namespace exactdice;
using Dice = std::vector<farkle::Die<double>>;

constexpr int joker = 7;

// The most that faces are worth if every die of them scores, or −1: by trying every combination on
// the faces that are left, a joker standing for a face beside at least one natural one.
int score(const farkle::Rules& rules, std::vector<int> faces) {
    if (faces.empty()) {
        return 0;
    }
    int best = -1;
    for (const farkle::Combination& combination : rules.combinations) {
        for (unsigned replaced = 0; replaced < 1U << combination.faces.size(); ++replaced) {
            std::vector<int> rest = faces;
            bool fits = true, has_natural = false;
            for (std::size_t i = 0; i < combination.faces.size() && fits; ++i) {
                const bool by_joker = (replaced >> i & 1U) != 0;
                has_natural = has_natural || !by_joker;
                const auto at = std::find(rest.begin(), rest.end(),
                                          by_joker ? joker : combination.faces[i]);
                fits = at != rest.end();
                if (fits) {
                    rest.erase(at);
                }
            }
            if (fits && has_natural) {
                const int others = score(rules, rest);
                if (others >= 0) {
                    best = std::max(best, combination.score + others);
                }
            }
        }
    }
    return best;
}

class Oracle {
   public:
    Oracle(const Dice& dice, const farkle::Rules& rules) : dice_(dice), rules_(rules) {}

    double roll(int points, unsigned mask) {
        const auto key = std::make_pair(points, mask);
        if (known_.count(key) > 0) {
            return known_[key];
        }
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < dice_.size(); ++i) {
            if ((mask >> i & 1U) != 0) {
                places.push_back(i);
            }
        }
        double total = 0;
        std::vector<int> sides(places.size(), 0);
        for (;;) {
            double chance = 1;
            for (std::size_t i = 0; i < places.size(); ++i) {
                chance *= dice_[places[i]].chances[static_cast<std::size_t>(sides[i])];
            }
            if (chance > 0) {
                total += chance * after_roll(points, mask, places, sides);
            }
            std::size_t i = 0;
            while (i < sides.size() && sides[i] == 5) {
                sides[i++] = 0;
            }
            if (i == sides.size()) {
                return known_[key] = total;
            }
            ++sides[i];
        }
    }

   private:
    double after_roll(int points, unsigned mask, const std::vector<std::size_t>& places,
                      const std::vector<int>& sides) {
        double best = -1e300;
        for (unsigned kept = 1; kept < 1U << places.size(); ++kept) {
            std::vector<int> faces;
            unsigned left = mask;
            for (std::size_t i = 0; i < places.size(); ++i) {
                if ((kept >> i & 1U) != 0) {
                    const bool is_joker = dice_[places[i]].joker && sides[i] == 0;
                    faces.push_back(is_joker ? joker : sides[i] + 1);
                    left &= ~(1U << places[i]);
                }
            }
            std::sort(faces.begin(), faces.end());
            const auto [at, is_new] = scores_.try_emplace(faces, 0);
            if (is_new) {
                at->second = score(rules_, faces);
            }
            const int gained = at->second;
            if (gained > 0) {
                best = std::max(best, go_on(points + gained, left));
            }
        }
        return best == -1e300 ? -rules_.penalty : best;
    }

    double go_on(int points, unsigned left) {
        const bool may_bank = points >= rules_.minimum_bank;
        const double banked = rules_.caps_overshoot ? std::min(points, rules_.target) : points;
        if (points >= rules_.target) {
            return banked;
        }
        const unsigned all = (1U << dice_.size()) - 1;
        const unsigned next = left == 0 && rules_.hot_dice ? all : left;
        if (next == 0) {
            return may_bank ? banked : 0;
        }
        const double rolled = roll(points, next);
        return may_bank ? std::max(banked, rolled) : rolled;
    }

    Dice dice_;
    farkle::Rules rules_;
    std::map<std::pair<int, unsigned>, double> known_;
    std::map<std::vector<int>, int> scores_;
};

}  // namespace

int main() {
    std::mt19937 random(7);
    for (int trial = 0; trial < 16; ++trial) {
        farkle::Rules rules = apps::kcd_rules();
        rules.target = 50 * (1 + static_cast<int>(random() % 9));
        rules.minimum_bank = random() % 2 == 0 ? 0 : 50 * static_cast<int>(random() % 3);
        rules.minimum_bank = std::min(rules.minimum_bank, rules.target);
        rules.penalty = random() % 2 == 0 ? 0 : 100;
        rules.hot_dice = random() % 3 != 0;
        rules.caps_overshoot = random() % 2 == 0;
        Dice dice(static_cast<std::size_t>(1 + trial % 4));
        std::vector<farkle::Die<Interval>> enclosed(dice.size());
        for (std::size_t i = 0; i < dice.size(); ++i) {
            // Sixteenths: exact in both.
            std::array<int, 6> weights{1, 1, 1, 1, 1, 1};
            for (int extra = 0; extra < 10; ++extra) {
                ++weights[random() % 6];
            }
            dice[i].joker = enclosed[i].joker = random() % 3 == 0;
            for (std::size_t side = 0; side < 6; ++side) {
                dice[i].chances[side] = weights[side] / 16.0;
                enclosed[i].chances[side] = Interval(weights[side] / 16.0);
            }
        }
        for (std::size_t i = 1; trial % 2 == 0 && i < dice.size(); i += 2) {  // equal dice
            dice[i] = dice[i - 1];
            enclosed[i] = enclosed[i - 1];
        }
        const auto solution = farkle::solve<double>(dice, rules);
        const auto enclosure = farkle::solve<Interval>(enclosed, rules);
        Oracle oracle(dice, rules);
        for (int level = 0; level < solution.levels; ++level) {
            for (int mask = 1; mask < solution.sets; ++mask) {
                const double expected = oracle.roll(50 * level, static_cast<unsigned>(mask));
                CHECK(std::abs(solution.at(level, mask) - expected) <= 1e-11 * (1 + rules.target));
                CHECK(enclosure.at(level, mask).lower() <= solution.at(level, mask) + 1e-12 * 700);
                CHECK(enclosure.at(level, mask).upper() >= solution.at(level, mask) - 1e-12 * 700);
                CHECK(enclosure.at(level, mask).lower() <= expected + 1e-9);
                CHECK(enclosure.at(level, mask).upper() >= expected - 1e-9);
            }
        }
        CHECK(solution.menus == enclosure.menus);
    }
    // What sets of one shape share gives what each alone does.
    farkle::Rules shared = apps::kcd_rules();
    shared.target = 500;
    farkle::Turns turns(shared);
    for (int trial = 0; trial < 8; ++trial) {
        Dice dice(3);
        for (std::size_t i = 0; i < dice.size(); ++i) {
            dice[i].chances = {1 / 16.0, 2 / 16.0, 3 / 16.0, 4 / 16.0, 5 / 16.0, 1 / 16.0};
            std::shuffle(dice[i].chances.begin(), dice[i].chances.end(), random);
            dice[i].joker = i == 0 && trial % 3 == 0;
        }
        if (trial % 2 == 0) {
            dice[2] = dice[1];
        }
        CHECK(turns.solve(dice).worth == farkle::solve<double>(dice, shared).worth);
    }
    // 258625/648 is the mean of the best score of six fair dice (the README prints 399).
    Dice fair(6);
    for (auto& die : fair) {
        die.chances.fill(1.0 / 6);
    }
    farkle::Rules rules = apps::kcd_rules();
    rules.target = 50;
    CHECK(check::near(farkle::solve<double>(fair, rules).value, 258625.0 / 648, 1e-13));
    rules.target = 6010;
    CHECK(check::throws<BadInput>([&] { return farkle::solve<double>(fair, rules); }));
    rules.target = 6000;
    CHECK(check::throws<BadInput>([&] { return farkle::solve<double>({}, rules); }));
    fair[0].chances[0] = NAN;
    CHECK(check::throws<BadInput>([&] { return farkle::solve<double>(fair, rules); }));
    fair[0].chances[0] = 0.5;
    CHECK(check::throws<BadInput>([&] { return farkle::solve<double>(fair, rules); }));
    fair[0].chances.fill(1.0 / 6);
    CHECK(check::throws<Interrupted>([&] {
        rules.target = 5'000'000;
        return farkle::solve<double>(fair, rules, [](double) { return false; });
    }));
    return check::report();
}
