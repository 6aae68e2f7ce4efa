// fatestones M: the equilibrium of every deal out of the bag of dice with six faces 1 to 6 and mean
// 7/2, or out of its first M dice.
#include "exactdice/fatestones.hpp"

#include <chrono>
#include <cstdio>

#include "arguments.hpp"

namespace {

using namespace exactdice;

void extend(fatestones::Die& die, int sum, std::vector<fatestones::Die>& bag) {
    if (die.size() == 6) {
        if (sum == 21) {
            bag.push_back(die);
        }
        return;
    }
    for (int face = die.empty() ? 1 : die.back(); face <= 6; ++face) {
        die.push_back(face);
        extend(die, sum + face, bag);
        die.pop_back();
    }
}

template <class Scalar>
void run(const std::vector<fatestones::Die>& bag, int threads) {
    fatestones::Options options;
    options.threads = threads;
    const auto begin = std::chrono::steady_clock::now();
    const auto census = fatestones::census<Scalar>(bag, options);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    std::printf("deals      %lld\nmixed      %lld\neven       %lld\nundecided  %lld\n",
                static_cast<long long>(census.deals), static_cast<long long>(census.mixed),
                static_cast<long long>(census.even), static_cast<long long>(census.undecided));
    std::printf("mean |v|   [%.17g, %.17g]\nlargest    [%.17g, %.17g]\nseconds    %.3f\n",
                lower(census.mean_absolute), upper(census.mean_absolute), lower(census.largest),
                upper(census.largest), elapsed.count());
}

}  // namespace

int main(int count, char** words) {
    return apps::guarded([&] {
        const apps::Arguments arguments(count, words, 1, "fatestones M [--interval] [--threads N]");
        std::vector<fatestones::Die> bag;
        fatestones::Die die;
        extend(die, 0, bag);
        const int size = arguments.whole(0, "M");
        if (size < 6 || size > static_cast<int>(bag.size())) {
            throw BadInput("M: give a whole number from 6 to " + std::to_string(bag.size()));
        }
        bag.resize(static_cast<std::size_t>(size));
        const int threads = arguments.option("threads", 1);
        arguments.flag("interval") ? run<Interval>(bag, threads) : run<double>(bag, threads);
        return 0;
    });
}
