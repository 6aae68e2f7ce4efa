#include "binding.hpp"
#include "exactdice/farkle.hpp"
#include "exactdice/fatestones.hpp"
#include "exactdice/qwixx.hpp"
#include "exactdice/reroll.hpp"
#include "exactdice/risk.hpp"

namespace exactdice::binding {
namespace {

// An exact number as doubles: the nearest one, and those that enclose it.
using Enclosed = std::tuple<double, double, double>;

template <class Scalar>
Scalar scalar_of(const Enclosed& number) {
    if constexpr (std::is_same_v<Scalar, double>) {
        return std::get<0>(number);
    } else {
        return Scalar(std::get<1>(number), std::get<2>(number));
    }
}

// The two ends of many scalars as arrays of a shape.
template <class Scalar>
py::tuple ends(const std::vector<Scalar>& numbers, const std::vector<py::ssize_t>& shape) {
    Columns columns;
    for (const Scalar& number : numbers) {
        columns.append(number);
    }
    return py::make_tuple(column(std::move(columns.lower)).reshape(shape),
                          column(std::move(columns.upper)).reshape(shape));
}

template <class Row>
py::array_t<int> table_of(const std::vector<Row>& rows, std::size_t width) {
    std::vector<int> flat;
    for (const auto& row : rows) {
        flat.insert(flat.end(), row.begin(), row.end());
    }
    return column(std::move(flat))
        .reshape({static_cast<py::ssize_t>(rows.size()), static_cast<py::ssize_t>(width)});
}

template <class Scalar>
py::tuple risk_grid(int attackers, int defenders, const risk::Rules& rules, double memory_limit,
                    py::object progress) {
    const Progress report = progress_of(std::move(progress));
    risk::Grid<Scalar> grid;
    {
        const py::gil_scoped_release released;
        grid = risk::win_grid<Scalar>(attackers, defenders, rules, memory_limit, report);
    }
    return ends(grid.chance, {defenders + 1, attackers + 1});
}

struct FarkleDice {
    std::vector<std::vector<Enclosed>> chances;
    std::vector<bool> jokers;
    template <class Scalar>
    std::vector<farkle::Die<Scalar>> as() const {
        if (chances.size() != jokers.size()) {
            throw BadInput("dice: say of each whether it has a joker");
        }
        std::vector<farkle::Die<Scalar>> dice;
        for (std::size_t i = 0; i < chances.size(); ++i) {
            if (chances[i].size() != 6) {
                throw BadInput("die: give six probabilities");
            }
            farkle::Die<Scalar> die;
            for (std::size_t side = 0; side < 6; ++side) {
                die.chances[side] = scalar_of<Scalar>(chances[i][side]);
            }
            die.joker = jokers[i];
            dice.push_back(die);
        }
        return dice;
    }
};

template <class Scalar>
py::dict farkle_solve(farkle::Turns& turns, const FarkleDice& dice, py::object progress) {
    const Progress report = progress_of(std::move(progress));
    farkle::Solution<Scalar> solution;
    {
        const py::gil_scoped_release released;
        solution = turns.solve(dice.as<Scalar>(), report);
    }
    const std::vector<py::ssize_t> shape{solution.sets, solution.levels};
    py::dict made;
    made["unit"] = solution.unit;
    made["menus"] = solution.menus;
    made["options"] = solution.options;
    made["worth"] = ends(solution.worth, shape);
    made["roll"] = column(std::move(solution.roll)).reshape(shape);
    made["value"] = bounds(solution.value);
    return made;
}

template <class Scalar>
py::dict reroll_solve(int dice, const std::vector<Enclosed>& values,
                      const std::vector<Enclosed>& bias, const Enclosed& penalty,
                      py::object progress) {
    const Progress report = progress_of(std::move(progress));
    reroll::Solution<Scalar> solution;
    {
        const py::gil_scoped_release released;
        reroll::Rules<Scalar> rules;
        rules.dice = dice;
        for (const Enclosed& value : values) {
            rules.values.push_back(scalar_of<Scalar>(value));
        }
        for (const Enclosed& chance : bias) {
            rules.bias.push_back(scalar_of<Scalar>(chance));
        }
        rules.penalty = scalar_of<Scalar>(penalty);
        solution = reroll::solve<Scalar>(rules, report);
    }
    py::dict made;
    made["rolls"] = table_of(solution.rolls, values.size());
    made["holds"] = table_of(solution.holds, values.size());
    made["values"] = ends(solution.values, {static_cast<py::ssize_t>(solution.values.size())});
    made["value"] = bounds(solution.value);
    made["choices"] = solution.choices;
    made["undecided"] = solution.undecided;
    made["iterations"] = solution.iterations;
    return made;
}

template <class Scalar>
py::dict fatestones_census(const std::vector<fatestones::Die>& bag, int threads,
                           py::object progress) {
    fatestones::Options options{threads, progress_of(std::move(progress))};
    fatestones::Census<Scalar> census;
    {
        const py::gil_scoped_release released;
        census = fatestones::census<Scalar>(bag, options);
    }
    py::dict made;
    made["deals"] = census.deals;
    made["mixed"] = census.mixed;
    made["even"] = census.even;
    made["undecided"] = census.undecided;
    made["mean_absolute"] = bounds(census.mean_absolute);
    made["largest"] = bounds(census.largest);
    made["largest_deal"] = census.largest_deal;
    return made;
}

template <class Scalar>
py::tuple fatestones_duels(const std::vector<fatestones::Die>& bag,
                           const std::vector<std::array<int, 6>>& hands) {
    std::vector<Scalar> values;
    {
        const py::gil_scoped_release released;
        values = fatestones::duels<Scalar>(bag, hands);
    }
    return ends(values, {static_cast<py::ssize_t>(values.size())});
}

py::tuple qwixx_solve(const qwixx::Rules& rules, const qwixx::Number& unit,
                      const std::vector<qwixx::State>& asked, double memory_limit,
                      py::object progress) {
    const Progress report = progress_of(std::move(progress));
    qwixx::Values values;
    {
        const py::gil_scoped_release released;
        values = qwixx::solve(rules, unit, asked, memory_limit, report);
    }
    return py::make_tuple(values.asked, values.solved);
}

}  // namespace

void bind_games(py::module_& module) {
    py::class_<risk::Rules>(module, "RiskRules")
        .def(py::init<int, int, int, int, bool, int>(), py::arg("attacker_dice"),
             py::arg("defender_dice"), py::arg("attacker_sides"), py::arg("defender_sides"),
             py::arg("attacker_wins_ties"), py::arg("stop_below"));
    module.def("risk_doubles", &risk_grid<double>);
    module.def("risk_intervals", &risk_grid<Interval>);
    module.def("risk_round_ways", &risk::round_ways);
    module.def("risk_relative_bound", &risk::relative_bound);

    py::class_<FarkleDice>(module, "FarkleDice")
        .def(py::init<std::vector<std::vector<Enclosed>>, std::vector<bool>>());
    py::class_<farkle::Combination>(module, "FarkleCombination")
        .def(py::init<std::vector<int>, int>());
    py::class_<farkle::Rules>(module, "FarkleRules")
        .def(py::init<std::vector<farkle::Combination>, int, int, int, int, bool, bool>(),
             py::arg("combinations"), py::arg("most_dice"), py::arg("target"),
             py::arg("minimum_bank"), py::arg("penalty"), py::arg("hot_dice"),
             py::arg("caps_overshoot"));
    py::class_<farkle::Turns>(module, "FarkleTurns")
        .def(py::init<farkle::Rules>())
        .def("doubles", &farkle_solve<double>)
        .def("intervals", &farkle_solve<Interval>);
    module.def("farkle_relative_bound", &farkle::relative_bound);

    module.def("reroll_doubles", &reroll_solve<double>);
    module.def("reroll_intervals", &reroll_solve<Interval>);

    module.def("fatestones_census_doubles", &fatestones_census<double>);
    module.def("fatestones_census_intervals", &fatestones_census<Interval>);
    module.def("fatestones_duels_doubles", &fatestones_duels<double>);
    module.def("fatestones_duels_intervals", &fatestones_duels<Interval>);
    module.attr("fatestones_absolute_bound") = fatestones::absolute_bound;

    py::class_<qwixx::Rules>(module, "QwixxRules").def(py::init<int, int, int, bool>());
    module.def("qwixx", &qwixx_solve);
}

}  // namespace exactdice::binding
