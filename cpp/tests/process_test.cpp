// Decision processes in flat arrays: fair walks between two ends, whose values are known, a choice
// between a fair walk and an unfair one, and a gambler whose values are found by hand, modulo 2^61 − 1
// as well.
#include "exactdice/process.hpp"

#include "check.hpp"
#include "exactdice/work.hpp"

namespace {

using namespace exactdice;
using process::Process;
using process::Whole;

// States 0 to n in a row; at 0 play ends with 0, at n with 1. Elsewhere the owner has a fair walk for
// a first move and, if there are two, one that goes down twice as often as up for a second.
Process walk(Whole n, std::int8_t owner, int moves) {
    Process made;
    made.first_move = {0};
    made.first_target = {0};
    made.rewards = {0};
    made.first_weight = {0, 2, 4};
    made.weights = {1, 1, 2, 1};
    for (Whole s = 0; s <= n; ++s) {
        const bool is_end = s == 0 || s == n;
        made.owners.push_back(is_end ? static_cast<std::int8_t>(process::ended) : owner);
        made.payoffs.push_back(s == n ? 1 : 0);
        for (int move = 0; !is_end && move < moves; ++move) {
            made.targets.insert(made.targets.end(), {static_cast<std::int32_t>(s - 1), static_cast<std::int32_t>(s + 1)});
            made.first_target.push_back(static_cast<std::int32_t>(made.targets.size()));
            made.law.push_back(move);
            made.reward.push_back(0);
        }
        made.first_move.push_back(static_cast<std::int32_t>(made.law.size()));
    }
    made.complete();
    made.check();
    return made;
}

std::vector<Whole> first_moves(const Process& process) {
    std::vector<Whole> chosen;
    for (std::size_t s = 0; s < process.owners.size(); ++s) {
        chosen.push_back(process.owners[s] == process::ended ? -1 : process.first_move[s]);
    }
    return chosen;
}

// From s a fair walk gets to n before 0 with chance s/n (de Moivre).
void check_fair_walks() {
    for (Whole n = 2; n <= 7; ++n) {
        const Process fair = walk(n, 0, 1);
        const std::vector<Whole> chosen = first_moves(fair);
        CHECK(process::ends(fair, chosen));
        const auto factor = static_cast<std::uint64_t>(n);
        const process::Wide words = process::Digits(fair, chosen).times({factor}, 1, 1);
        CHECK(words.size() == fair.owners.size());
        for (std::size_t s = 1; s + 1 < words.size(); ++s) {
            CHECK(words[s] == s);
        }
    }
}

void check_choices() {
    for (Whole n = 2; n <= 40; ++n) {
        for (const int owner : {1, -1}) {
            const Process process = walk(n, static_cast<std::int8_t>(owner), 2);
            const process::Guess found = process::guess(process);
            CHECK(found.chosen.size() == process.owners.size());
            for (Whole s = 1; s < n; ++s) {
                const auto at = static_cast<std::size_t>(s);
                CHECK(found.chosen[at] == process.first_move[at] + (owner == 1 ? 0 : 1));
                // With odds of 2 to 1 the chance is (2^s − 1)/(2^n − 1).
                const double expected =
                    owner == 1 ? static_cast<double>(s) / static_cast<double>(n)
                               : std::expm1(static_cast<double>(s) * std::log(2)) /
                                     std::expm1(static_cast<double>(n) * std::log(2));
                CHECK(check::near(found.values[at], expected, 1e-9));
            }
        }
    }
}

void check_refusals() {
    Process process = walk(3, 0, 1);
    process.targets[0] = 8;
    CHECK(check::throws<BadInput>([&] { process.check(); }));
    process = walk(3, 0, 1);
    process.first_weight.back() = 1000000000;
    CHECK(check::throws<BadInput>([&] { process.complete(); }));
    process = walk(3, 0, 1);
    process.weights[0] = 0;
    CHECK(check::throws<BadInput>([&] { process.complete(); }));
}

// A gambler at 1 or 2 of 3 wins a unit with 1/3 a game, and may stop at 2 for half a prize.
Process gambler() {
    Process made;
    made.owners = {0, 1, 3, 3, 3};  // at 1, at 2, ruined, at 3, stopped
    made.payoffs = {0, 0, 0, 2, 1};
    made.first_move = {0, 1, 3, 3, 3, 3};
    made.first_target = {0, 2, 4, 5};
    made.targets = {1, 2, 3, 0, 4};
    made.law = {0, 0, 1};
    made.reward = {0, 0, 0};
    made.rewards = {0};
    made.first_weight = {0, 2, 3};
    made.weights = {1, 2, 1};
    made.complete();
    made.check();
    return made;
}

void check_gambler() {
    const Process game = gambler();
    // By hand: stopping is worth 1, playing on 2/3 + 2/3 of a third of that; so 1/3 at 1.
    const process::Guess found = process::guess(game);
    check::that(found.chosen == std::vector<Whole>({0, 2, -1, -1, -1}), "stops", __FILE__, __LINE__);
    check::that(check::near(found.values[0], 1.0 / 3, 1e-12), "a third", __FILE__, __LINE__);
    // Playing on for ever: x = y/3, y = 2/3 + 2x/3, so y = 6/7 and x = 2/7.
    process::Digits digits(game, {0, 1, -1, -1, -1});
    const auto words = digits.times({7}, 1, 1);
    check::that(words[0] == 2 && words[1] == 6, "sevenths", __FILE__, __LINE__);
    // By 14 times the prime plus 14 they are 4 and 12 of as many; and their negatives by its last digit.
    check::that(digits.times({14, 14}, 3, 3) == process::Wide({
        4 * (std::uint64_t{1} << 61), 0, 0, 12 * (std::uint64_t{1} << 61), 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    }), "whole numbers of two digits", __FILE__, __LINE__);
    constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;
    const std::uint64_t minus_two = ~std::uint64_t{0} - 1;
    const auto negative = digits.times({prime - 7, prime - 1}, 2, 3);  // −7 modulo the square
    check::that(negative[0] == minus_two && negative[1] == minus_two + 1 && negative[2] == minus_two + 1,
                "negative ones", __FILE__, __LINE__);
    // Where play never ends there is nothing.
    Process loop = gambler();
    loop.targets = {1, 0, 0, 0, 4};
    check::that(!process::ends(loop, {0, 1, -1, -1, -1}), "no end", __FILE__, __LINE__);
    check::that(check::throws<BadInput>([&] { process::Digits(loop, {0, 1, -1, -1, -1}); }),
                "a singular system is refused", __FILE__, __LINE__);
    check::that(process::depths(game) == std::vector<Whole>({1, 1, 0, 0, 0}), "one circle", __FILE__, __LINE__);
    // Where play ends at 2 for nothing, the gambler at 1 wins nothing.
    Process shorter = gambler();
    shorter.end({1});
    check::that(process::guess(shorter).values[0] == 0, "an end for nothing", __FILE__, __LINE__);
    // Ends at 3 and 4 cannot be avoided by 1; −1 in its place can stop at neither.
    check::that(process::avoiding(game, {0, 0, 1, 1, 1}) == std::vector<Whole>({-1, -1, -1, -1, -1}),
                "nothing avoids all ends", __FILE__, __LINE__);
    Process bad = gambler();
    bad.targets[0] = 99;
    check::that(check::throws<BadInput>([&] { bad.check(); }), "targets are states", __FILE__, __LINE__);
}

}  // namespace

int main() {
    check_gambler();
    check_fair_walks();
    check_choices();
    check_refusals();
    return check::report();
}
