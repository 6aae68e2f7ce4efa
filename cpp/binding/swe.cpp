#include "exactdice/swe.hpp"

#include "binding.hpp"
#include "exactdice/swe_full_state.hpp"
#include "exactdice/swe_outlook.hpp"

namespace exactdice::binding {
namespace {

using swe::Choice;
using swe::Dice;

// Choices of many states, one after another; `state` says whose.
struct ChoiceColumns {
    std::vector<int> state, low, high, taken;
    std::vector<std::uint32_t> possible;
    void append(int whose, const Choice& choice) {
        state.push_back(whose);
        low.push_back(choice.low);
        high.push_back(choice.high);
        taken.push_back(choice.taken);
        possible.push_back(choice.possible);
    }
    py::dict arrays() && {
        py::dict made;
        made["state"] = column(std::move(state));
        made["low"] = column(std::move(low));
        made["high"] = column(std::move(high));
        made["taken"] = column(std::move(taken));
        made["possible"] = column(std::move(possible));
        return made;
    }
};

template <class Scalar>
struct PieceColumns {
    std::vector<int> state, start;
    Columns A, B;
    void append(int whose, const swe::Envelope<Scalar>& envelope) {
        for (const swe::Piece<Scalar>& piece : envelope) {
            state.push_back(whose);
            start.push_back(piece.start);
            A.append(piece.A);
            B.append(piece.B);
        }
    }
    py::dict arrays() && {
        py::dict made;
        made["state"] = column(std::move(state));
        made["start"] = column(std::move(start));
        made["A"] = std::move(A).arrays();
        made["B"] = std::move(B).arrays();
        return made;
    }
};

template <class Scalar>
py::dict afterstates_of(const swe::Solution<Scalar>& solution, const Dice& dice) {
    PieceColumns<Scalar> columns;
    int left = 0;
    for (const swe::Envelope<Scalar>& envelope : solution.afterstates(dice)) {
        columns.append(++left, envelope);
    }
    return std::move(columns).arrays();
}

template <class Scalar>
py::dict all_revenue_choices_of(const swe::Solution<Scalar>& solution, const Dice& dice) {
    ChoiceColumns columns;
    int left = 0;
    for (const std::vector<Choice>& choices : solution.all_revenue_choices(dice)) {
        ++left;
        for (const Choice& choice : choices) {
            columns.append(left, choice);
        }
    }
    return std::move(columns).arrays();
}

template <class Scalar>
py::dict block_of(const swe::Solution<Scalar>& solution, const Dice& dice) {
    std::vector<int> left, low, high, revenue;
    ChoiceColumns choices;
    PieceColumns<Scalar> pieces;
    int state = 0;
    for (const swe::Entry<Scalar>& entry : solution.block(dice)) {
        left.push_back(entry.left);
        low.push_back(entry.low);
        high.push_back(entry.high);
        revenue.insert(revenue.end(), entry.revenue.begin(), entry.revenue.end());
        pieces.append(state, entry.envelope);
        for (const Choice& choice : entry.choices) {
            choices.append(state, choice);
        }
        ++state;
    }
    py::dict made;
    made["left"] = column(std::move(left));
    made["low"] = column(std::move(low));
    made["high"] = column(std::move(high));
    made["revenue"] = column(std::move(revenue)).reshape({py::ssize_t(state), py::ssize_t(dice.size())});
    made["pieces"] = std::move(pieces).arrays();
    made["choices"] = std::move(choices).arrays();
    return made;
}

template <class Scalar>
void bind_solution(py::module_& module, const char* name) {
    using Solution = swe::Solution<Scalar>;
    py::class_<Solution>(module, name)
        .def(py::init([](std::vector<int> ladder, int rounds, int threads, double memory_limit,
                         py::object progress) {
                 swe::Options options;
                 options.threads = threads;
                 options.memory_limit = memory_limit;
                 options.progress = progress_of(std::move(progress));
                 const py::gil_scoped_release released;
                 return std::make_unique<Solution>(std::move(ladder), rounds, std::move(options));
             }),
             py::arg("ladder"), py::arg("rounds"), py::arg("threads") = 1,
             py::arg("memory_limit") = 8.0 * 1024 * 1024 * 1024,
             py::arg("progress") = py::none())
        .def_property_readonly("value", [](const Solution& s) { return bounds(s.value()); })
        .def_property_readonly(
            "sizes",
            [](const Solution& s) {
                const swe::Sizes& sizes = s.sizes();
                py::dict made;
                made["blocks"] = sizes.blocks;
                made["states"] = sizes.states;
                made["actions"] = sizes.actions;
                made["several_pieces"] = sizes.several_pieces;
                made["undecided"] = sizes.undecided;
                made["bytes"] = sizes.bytes;
                return made;
            })
        .def("dice_of_weight", &Solution::dice_of_weight, py::arg("weight"))
        .def("afterstates", &afterstates_of<Scalar>, py::arg("dice"))
        .def("all_revenue_choices", &all_revenue_choices_of<Scalar>, py::arg("dice"))
        .def("block", &block_of<Scalar>, py::arg("dice"));
}

void bind_outlook(py::module_& module) {
    using swe::Outlook;
    py::class_<Outlook>(module, "SweOutlook")
        .def(py::init([](std::vector<int> ladder, int rounds, Dice revenue, Dice legacy, int score,
                         double made, double bend, int threads, double memory_limit,
                         py::object progress) {
                 swe::Options options;
                 options.threads = threads;
                 options.memory_limit = memory_limit;
                 options.progress = progress_of(std::move(progress));
                 const py::gil_scoped_release released;
                 return std::make_unique<Outlook>(Outlook::laid_out(
                     std::move(ladder), rounds,
                     swe::Table{std::move(revenue), std::move(legacy), score},
                     swe::Neglect{made, bend}, std::move(options)));
             }),
             py::arg("ladder"), py::arg("rounds"), py::arg("revenue"), py::arg("legacy"),
             py::arg("score"), py::arg("made"), py::arg("bend"), py::arg("threads"),
             py::arg("memory_limit"), py::arg("progress"))
        .def_property_readonly("levels", &Outlook::levels)
        .def("step", &Outlook::step, py::call_guard<py::gil_scoped_release>())
        .def("written", [](const Outlook& o) { return py::bytes(o.written()); })
        .def("read", [](Outlook& o, const py::bytes& content) { o.read(content); }, py::arg("content"))
        .def_property_readonly("value", [](const Outlook& o) { return bounds(o.value()); })
        .def_property_readonly("actions",
                               [](const Outlook& o) {
                                   py::list made;
                                   for (const swe::Worth& worth : o.actions()) {
                                       made.append(py::make_tuple(worth.move, bounds(worth.value)));
                                   }
                                   return made;
                               })
        .def_property_readonly("sizes",
                               [](const Outlook& o) {
                                   const swe::OutlookSizes& sizes = o.sizes();
                                   py::dict made;
                                   made["blocks"] = sizes.blocks;
                                   made["solved"] = sizes.solved;
                                   made["choices"] = sizes.choices;
                                   made["several_pieces"] = sizes.several_pieces;
                                   made["undecided"] = sizes.undecided;
                                   made["stepped"] = sizes.stepped;
                                   made["bytes"] = sizes.bytes;
                                   return made;
                               })
        .def("possible", &Outlook::possible, py::arg("dice"));
}

}  // namespace

void bind_swe(py::module_& module) {
    bind_solution<double>(module, "SweDoubles");
    bind_solution<Interval>(module, "SweIntervals");
    bind_outlook(module);
    // For the benchmarks: the same optimum by a hash map over full states, score included.
    module.def(
        "swe_by_full_states",
        [](std::vector<int> ladder, int rounds) {
            const py::gil_scoped_release released;
            if (rounds < 0 || rounds > 16) {
                throw BadInput("rounds: give a whole number from 0 to 16");
            }
            return swe::FullStateProgram(std::move(ladder)).value(rounds);
        },
        py::arg("ladder"), py::arg("rounds"));
    module.def("swe_relative_bound", &swe::relative_bound, py::arg("rungs"), py::arg("rounds"));
}

}  // namespace exactdice::binding
