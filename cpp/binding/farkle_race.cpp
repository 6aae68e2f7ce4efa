#include "binding.hpp"
#include "exactdice/farkle_race.hpp"

namespace exactdice::binding {
namespace {

// The lower ends and the upper ends of many numbers.
using Pairs = std::pair<std::vector<double>, std::vector<double>>;

std::vector<Interval> intervals_of(const Pairs& ends) {
    if (ends.first.size() != ends.second.size()) {
        throw BadInput("chances: give as many lower as upper ends");
    }
    std::vector<Interval> made;
    for (std::size_t i = 0; i < ends.first.size(); ++i) {
        made.emplace_back(ends.first[i], ends.second[i]);
    }
    return made;
}

farkle::Rolls rolls_of(std::vector<std::uint32_t> first_menu,
                       std::vector<std::uint32_t> first_option, std::vector<std::uint32_t> units,
                       std::vector<std::uint32_t> next, const Pairs& chances, const Pairs& busts) {
    farkle::Rolls rolls;
    rolls.first_menu = std::move(first_menu);
    rolls.first_option = std::move(first_option);
    rolls.units = std::move(units);
    rolls.next = std::move(next);
    rolls.chances = intervals_of(chances);
    rolls.busts = intervals_of(busts);
    return rolls;
}

farkle::Player player_of(const farkle::Rolls& rolls, int target, int minimum_bank, int entry,
                         const std::vector<Pairs>& laws) {
    farkle::Player player;
    player.rolls = rolls;
    player.target = target;
    player.minimum_bank = minimum_bank;
    player.entry = entry;
    for (const Pairs& law : laws) {
        player.laws.push_back(intervals_of(law));
    }
    return player;
}

py::tuple table(const std::vector<std::vector<Interval>>& rows) {
    Columns columns;
    for (const auto& row : rows) {
        for (const Interval& x : row) {
            columns.append(x);
        }
    }
    const std::vector<py::ssize_t> shape{
        static_cast<py::ssize_t>(rows.size()),
        static_cast<py::ssize_t>(rows.empty() ? 0 : rows.front().size())};
    return py::make_tuple(column(std::move(columns.lower)).reshape(shape),
                          column(std::move(columns.upper)).reshape(shape));
}

py::tuple race(const farkle::Player& first, py::object second, int threads, py::object progress) {
    farkle::RaceOptions options;
    options.threads = threads;
    options.progress = progress_of(std::move(progress));
    const farkle::Player& other =
        second.is_none() ? first : second.cast<const farkle::Player&>();
    farkle::RaceSolution solution;
    {
        const py::gil_scoped_release released;
        solution = farkle::race(first, other, options);
    }
    return py::make_tuple(table(solution.chances[0]), table(solution.chances[1]));
}

farkle::StreakPlayer streak_player_of(const farkle::Rolls& rolls, int target, int minimum_bank,
                                      int penalty, int floor, const std::vector<Pairs>& laws,
                                      const std::vector<Pairs>& laws_of_thirds) {
    farkle::StreakPlayer player;
    player.rolls = rolls;
    player.target = target;
    player.minimum_bank = minimum_bank;
    player.penalty = penalty;
    player.floor = floor;
    for (const Pairs& law : laws) {
        player.laws[0].push_back(intervals_of(law));
    }
    for (const Pairs& law : laws_of_thirds) {
        player.laws[1].push_back(intervals_of(law));
    }
    return player;
}

py::dict streak_race(const farkle::StreakPlayer& first, py::object second, double width,
                     int most_passes, int threads, py::object progress) {
    farkle::StreakOptions options;
    options.width = width;
    options.most_passes = most_passes;
    options.threads = threads;
    options.progress = progress_of(std::move(progress));
    const farkle::StreakPlayer& other =
        second.is_none() ? first : second.cast<const farkle::StreakPlayer&>();
    farkle::StreakSolution solution;
    {
        const py::gil_scoped_release released;
        solution = farkle::streak_race(first, other, options);
    }
    const auto flat = [](const std::vector<Interval>& all) {
        Columns columns;
        for (const Interval& x : all) {
            columns.append(x);
        }
        return std::move(columns).arrays();
    };
    py::dict made;
    made["chances"] = py::make_tuple(flat(solution.chances[0]), flat(solution.chances[1]));
    made["widths"] = solution.widths;
    made["states"] = solution.states;
    made["sweeps"] = solution.sweeps;
    return made;
}

py::tuple least_turns(const farkle::Player& player, py::object progress) {
    const Progress report = progress_of(std::move(progress));
    std::vector<Interval> turns;
    {
        const py::gil_scoped_release released;
        turns = farkle::least_turns(player, report);
    }
    Columns columns;
    for (const Interval& e : turns) {
        columns.append(e);
    }
    return std::move(columns).arrays();
}

}  // namespace

void bind_farkle_race(py::module_& module) {
    py::class_<farkle::Rolls>(module, "FarkleRolls").def(py::init(&rolls_of));
    py::class_<farkle::Player>(module, "FarklePlayer").def(py::init(&player_of));
    py::class_<farkle::StreakPlayer>(module, "FarkleStreakPlayer").def(py::init(&streak_player_of));
    module.def("farkle_race", &race);
    module.def("farkle_streak_race", &streak_race);
    module.def("farkle_least_turns", &least_turns);
}

}  // namespace exactdice::binding
