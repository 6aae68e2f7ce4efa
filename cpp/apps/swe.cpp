// swe R: the optimal expected score of the software-engineering game with R rounds.
#include "exactdice/swe.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "arguments.hpp"

namespace {

using namespace exactdice;

template <class Scalar>
int run(const std::vector<int>& ladder, int rounds, swe::Options options) {
    const auto begin = std::chrono::steady_clock::now();
    const swe::Solution<Scalar> solution(ladder, rounds, std::move(options));
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    const swe::Sizes& sizes = solution.sizes();
    if (isatty(2) != 0) {
        std::fprintf(stderr, "\r        \r");
    }
    std::printf("rounds     %d\n", rounds);
    if constexpr (sizeof(Scalar) > sizeof(double)) {
        std::printf("value      [%.17g, %.17g]\n", solution.value().lower(),
                    solution.value().upper());
    } else {
        std::printf("value      %.17g\n", solution.value());
        std::printf("bound      %.3g relative\n",
                    swe::relative_bound(static_cast<int>(ladder.size()), rounds));
    }
    std::printf("blocks     %lld\nstates     %lld\nactions    %lld\npieces     %lld\n",
                static_cast<long long>(sizes.blocks), static_cast<long long>(sizes.states),
                static_cast<long long>(sizes.actions), static_cast<long long>(sizes.several_pieces));
    std::printf("undecided  %lld\nkept       %.1f MiB\nseconds    %.3f\n",
                static_cast<long long>(sizes.undecided),
                static_cast<double>(sizes.bytes) / 1048576.0, elapsed.count());
    return 0;
}

}  // namespace

int main(int count, char** words) {
    return exactdice::apps::guarded([&] {
        const exactdice::apps::Arguments arguments(
            count, words, 1,
            "swe R [--threads N] [--interval] [--ladder 4,6,8,12,20] [--memory MIB]");
        const int rounds = arguments.whole(0, "R");
        swe::Options options;
        options.threads = arguments.option("threads", 1);
        options.memory_limit = arguments.option("memory", 8192) * 1048576.0;
        if (isatty(2) != 0) {
            options.progress = [](double part) {
                std::fprintf(stderr, "\r%5.1f %%", 100 * part);
                return true;
            };
        }
        const std::vector<int> ladder = arguments.list("ladder", {4, 6, 8, 12, 20});
        return arguments.flag("interval") ? run<Interval>(ladder, rounds, std::move(options))
                                          : run<double>(ladder, rounds, std::move(options));
    });
}
