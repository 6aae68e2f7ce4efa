// risk A D: the chance that A fighting units beat D defenders, from the grid of all smaller armies.
#include "exactdice/risk.hpp"

#include <chrono>
#include <cstdio>

#include "arguments.hpp"

namespace {

template <class Scalar>
void run(int attackers, int defenders) {
    const auto begin = std::chrono::steady_clock::now();
    const auto grid = exactdice::risk::win_grid<Scalar>(attackers, defenders);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    const Scalar& chance = grid.at(attackers, defenders);
    std::printf("value      [%.17g, %.17g]\nseconds    %.4f\n", exactdice::lower(chance),
                exactdice::upper(chance), elapsed.count());
}

}  // namespace

int main(int count, char** words) {
    return exactdice::apps::guarded([&] {
        const exactdice::apps::Arguments arguments(count, words, 2, "risk A D [--interval]");
        const int attackers = arguments.whole(0, "A"), defenders = arguments.whole(1, "D");
        arguments.flag("interval") ? run<exactdice::Interval>(attackers, defenders)
                                   : run<double>(attackers, defenders);
        return 0;
    });
}
