// swe_full_state R: the same optimum by a hash map over full states, for comparison.
#include "exactdice/swe_full_state.hpp"

#include <chrono>
#include <cstdio>

#include "arguments.hpp"

int main(int count, char** words) {
    return exactdice::apps::guarded([&] {
        const exactdice::apps::Arguments arguments(count, words, 1,
                                                   "swe_full_state R [--ladder 4,6,8,12,20]");
        const int rounds = arguments.whole(0, "R");
        if (rounds < 1 || rounds > 16) {
            throw exactdice::BadInput("R: give a whole number from 1 to 16");
        }
        const auto begin = std::chrono::steady_clock::now();
        exactdice::swe::FullStateProgram program(arguments.list("ladder", {4, 6, 8, 12, 20}));
        const double value = program.value(rounds);
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
        std::printf("rounds     %d\nvalue      %.17g\nstates     %zu\nseconds    %.3f\n", rounds,
                    value, program.states(), elapsed.count());
        return 0;
    });
}
