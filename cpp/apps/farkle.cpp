// farkle T: the best turn of Farkle up to T points, with six dice that are all different, by the
// scores of the KCD Farkle README's game.
#include "exactdice/farkle.hpp"

#include <chrono>
#include <cstdio>

#include "arguments.hpp"
#include "kcd.hpp"

namespace {

template <class Scalar>
void run(int target, bool fair) {
    using namespace exactdice;
    farkle::Rules rules = apps::kcd_rules();
    rules.target = target;
    std::vector<farkle::Die<Scalar>> dice(6);
    const Rounding<Scalar> rounding;
    static_cast<void>(rounding);
    for (int die = 0; die < 6; ++die) {
        // Side s of die k has weight 10 + (k + 1)·s: six different dice.
        double sum = 0;
        for (int side = 0; side < 6; ++side) {
            sum += fair ? 1 : 10 + (die + 1) * side;
        }
        for (int side = 0; side < 6; ++side) {
            dice[static_cast<std::size_t>(die)].chances[static_cast<std::size_t>(side)] =
                Scalar(fair ? 1 : 10 + (die + 1) * side) / Scalar(sum);
        }
    }
    const auto begin = std::chrono::steady_clock::now();
    const auto solution = farkle::solve<Scalar>(dice, rules);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    std::printf("value      [%.17g, %.17g]\nmenus      %lld\noptions    %lld\nseconds    %.4f\n",
                lower(solution.value), upper(solution.value),
                static_cast<long long>(solution.menus), static_cast<long long>(solution.options),
                elapsed.count());
}

}  // namespace

int main(int count, char** words) {
    return exactdice::apps::guarded([&] {
        const exactdice::apps::Arguments arguments(count, words, 1, "farkle T [--interval] [--fair]");
        const int target = arguments.whole(0, "T");
        const bool fair = arguments.flag("fair");
        arguments.flag("interval") ? run<exactdice::Interval>(target, fair)
                                   : run<double>(target, fair);
        return 0;
    });
}
