#include "exactdice/regrets.hpp"

#include "binding.hpp"

namespace exactdice::binding {
namespace {

using regrets::Match;
using regrets::Place;
using regrets::Side;
using regrets::Whole;

template <class Number>
using Flat = py::array_t<Number, py::array::c_style>;

std::vector<Place> places(const Flat<Whole>& array) {
    std::vector<Place> listed;
    listed.reserve(static_cast<std::size_t>(array.size()));
    for (const Whole* number = array.data(); number != array.data() + array.size(); ++number) {
        if (*number < 0 || *number > INT32_MAX) {
            throw BadInput("sequences: give fewer than 2147483648");
        }
        listed.push_back(static_cast<Place>(*number));
    }
    return listed;
}

Match match_of(const Flat<Whole>& parent, const Flat<Whole>& first, const Flat<Whole>& their_parent,
               const Flat<Whole>& their_first, const Flat<Whole>& rows, const Flat<Whole>& columns,
               const Flat<double>& payoffs) {
    if (first.size() == 0 || their_first.size() == 0) {
        throw BadInput("first: give the number of sequences");
    }
    return Match(Side{places(parent), places(first)}, Side{places(their_parent), places(their_first)},
                 places(rows), places(columns),
                 std::vector<double>(payoffs.data(), payoffs.data() + payoffs.size()));
}

}  // namespace

void bind_regrets(py::module_& module) {
    py::class_<Match>(module, "Match", "A game in sequence form, and regrets of both players.")
        .def(py::init(&match_of), py::arg("parent"), py::arg("first"), py::arg("their_parent"),
             py::arg("their_first"), py::arg("rows"), py::arg("columns"), py::arg("payoffs"))
        .def("play", &Match::play, py::call_guard<py::gil_scoped_release>(), "Play rounds more.")
        .def("mean", [](const Match& match, int player) {
            return column(match.mean(player));
        });
}

}  // namespace exactdice::binding
