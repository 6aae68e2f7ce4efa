// reroll N: the value of the reroll game with N ordinary dice and a penalty of 1.
#include "exactdice/reroll.hpp"

#include <chrono>
#include <cstdio>

#include "arguments.hpp"

namespace {

template <class Scalar>
void run(int dice) {
    using namespace exactdice;
    const Rounding<Scalar> rounding;
    static_cast<void>(rounding);
    reroll::Rules<Scalar> rules;
    rules.dice = dice;
    for (int side = 1; side <= 6; ++side) {
        rules.values.push_back(Scalar(side));
        rules.bias.push_back(Scalar(1.0) / Scalar(6.0));
    }
    const auto begin = std::chrono::steady_clock::now();
    const auto solution = reroll::solve<Scalar>(rules);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    std::printf("value      [%.17g, %.17g]\nstates     %zu\nchoices    %ld\nundecided  %ld\n"
                "iterations %d\nseconds    %.4f\n",
                lower(solution.value), upper(solution.value), solution.rolls.size(),
                solution.choices, solution.undecided, solution.iterations, elapsed.count());
}

}  // namespace

int main(int count, char** words) {
    return exactdice::apps::guarded([&] {
        const exactdice::apps::Arguments arguments(count, words, 1, "reroll N [--interval]");
        const int dice = arguments.whole(0, "N");
        arguments.flag("interval") ? run<exactdice::Interval>(dice) : run<double>(dice);
        return 0;
    });
}
