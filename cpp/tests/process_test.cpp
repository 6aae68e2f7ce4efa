// Decision processes in flat arrays: fair walks between two ends, whose values are known, and a choice
// between a fair walk and an unfair one.
#include "exactdice/process.hpp"

#include "check.hpp"
#include "exactdice/work.hpp"

namespace {

using namespace exactdice;
using process::Process;
using process::Whole;

constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;

// States 0 to n in a row; at 0 play ends with 0, at n with 1. Elsewhere the owner has a fair walk for
// a first move and, if there are two, one that goes down twice as often as up for a second.
Process walk(Whole n, std::int8_t owner, int moves) {
    Process made;
    made.first_move = {0};
    made.first_target = {0};
    made.first_weight = {0, 2, 4};
    made.weights = {1, 1, 2, 1};
    for (Whole s = 0; s <= n; ++s) {
        const bool is_end = s == 0 || s == n;
        made.owners.push_back(is_end ? static_cast<std::int8_t>(process::ended) : owner);
        made.payoffs.push_back(s == n ? 1 : 0);
        for (int move = 0; !is_end && move < moves; ++move) {
            made.targets.insert(made.targets.end(), {s - 1, s + 1});
            made.first_target.push_back(static_cast<Whole>(made.targets.size()));
            made.law.push_back(move);
            made.reward.push_back(0);
        }
        made.first_move.push_back(static_cast<Whole>(made.law.size()));
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
        const std::vector<std::uint64_t> words = process::Digits(fair, chosen).words(1);
        CHECK(words.size() == fair.owners.size());
        for (std::size_t s = 1; s + 1 < words.size(); ++s) {
            CHECK(words[s] < prime && words[s] * static_cast<std::uint64_t>(n) % prime == s);
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

}  // namespace

int main() {
    check_fair_walks();
    check_choices();
    check_refusals();
    return check::report();
}
