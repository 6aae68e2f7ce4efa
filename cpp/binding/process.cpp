#include "exactdice/process.hpp"

#include "binding.hpp"

namespace exactdice::binding {
namespace {

using process::Digits;
using process::Process;
using process::Whole;

template <class Number>
using Array = py::array_t<Number, py::array::c_style | py::array::forcecast>;

template <class Number>
std::vector<Number> listed(const Array<Number>& array) {
    return std::vector<Number>(array.data(), array.data() + array.size());
}

// The arrays of a process; throws BadInput where they do not fit one another.
Process process_of(const Array<std::int8_t>& owners, const Array<Whole>& payoffs,
                   const Array<Whole>& first_move, const Array<Whole>& first_target,
                   const Array<Whole>& targets, const Array<Whole>& law, const Array<Whole>& reward,
                   const Array<Whole>& first_weight, const Array<Whole>& weights) {
    Process made;
    made.owners = listed(owners);
    made.payoffs = listed(payoffs);
    made.first_move = listed(first_move);
    made.first_target = listed(first_target);
    made.targets = listed(targets);
    made.law = listed(law);
    made.reward = listed(reward);
    made.first_weight = listed(first_weight);
    made.weights = listed(weights);
    made.complete();
    made.check();
    return made;
}

py::object guessed(const Process& asked) {
    process::Guess found;
    {
        const py::gil_scoped_release released;
        found = process::guess(asked);
    }
    if (found.chosen.empty()) {
        return py::none();
    }
    return py::make_tuple(column(std::move(found.chosen)), column(std::move(found.values)),
                          found.is_sparse);
}

py::object approached(const Process& asked, const Array<Whole>& chosen,
                      const Array<std::uint64_t>& values, Whole bits, Whole scale, Whole near) {
    process::Approach found;
    {
        std::vector<Whole> moves = listed(chosen);
        process::Wide numbers = listed(values);
        const py::gil_scoped_release released;
        found = process::approach(asked, std::move(moves), std::move(numbers), bits, scale, near);
    }
    if (found.chosen.empty()) {
        return py::none();
    }
    const auto states = static_cast<py::ssize_t>(found.chosen.size());
    const auto limbs = static_cast<py::ssize_t>(found.values.size()) / states;
    return py::make_tuple(column(std::move(found.chosen)),
                          column(std::move(found.values)).reshape({states, limbs}),
                          column(std::move(found.lengths)));
}

py::array_t<std::uint64_t> words(Digits& digits, Whole count, Whole states) {
    std::vector<std::uint64_t> found;
    {
        const py::gil_scoped_release released;
        found = digits.words(count);
    }
    return column(std::move(found)).reshape({states, count});
}

}  // namespace

void bind_process(py::module_& module) {
    py::class_<Process>(module, "Process", "A decision process in flat arrays.")
        .def(py::init(&process_of), py::arg("owners"), py::arg("payoffs"), py::arg("first_move"),
             py::arg("first_target"), py::arg("targets"), py::arg("law"), py::arg("reward"),
             py::arg("first_weight"), py::arg("weights"))
        .def("guess", &guessed, "Good moves and values in doubles, or None.")
        .def("ends",
             [](const Process& asked, const Array<Whole>& chosen) {
                 if (chosen.size() != asked.size()) {
                     throw BadInput("chosen: give a move a state");
                 }
                 return process::ends(asked, listed(chosen));
             })
        .def("ranks",
             [](const Process& asked, const Array<Whole>& chosen, bool free) {
                 return column(process::ranks(asked, listed(chosen), free));
             },
             py::arg("chosen"), py::arg("free"))
        .def("approach", &approached, "Values of good moves in many words, or None.")
        .def("signs",
             [](const Process& asked, const Array<std::uint64_t>& own, const Array<std::uint64_t>& seen,
                const Array<std::uint64_t>& other, const Array<std::uint64_t>& one, Whole scale) {
                 return column(process::signs(asked, one.size(), listed(own), listed(seen),
                                              listed(other), listed(one), scale));
             })
        .def("avoiding", [](const Process& asked, const Array<std::int8_t>& marked) {
            if (marked.size() != asked.size()) {
                throw BadInput("marked: give 0 or 1 a state");
            }
            return column(process::avoiding(asked, listed(marked)));
        });
    module.def("shifted", [](const Array<std::uint64_t>& numbers, const Array<Whole>& steps) {
        const py::ssize_t limbs = numbers.size() / std::max<py::ssize_t>(steps.size(), 1);
        return column(process::shifted(listed(numbers), listed(steps))).reshape({steps.size(), limbs});
    });
    py::class_<Digits>(module, "Digits", "Values of fixed moves modulo powers of 2^61 - 1.")
        .def(py::init([](const Process& asked, const Array<Whole>& chosen) {
            return std::make_unique<Digits>(asked, listed(chosen));
        }))
        .def("combined",
             [](Digits& digits, Whole count, Whole spread) {
                 const py::gil_scoped_release released;
                 return digits.combined(count, spread);
             })
        .def("words", &words, py::arg("count"), py::arg("states"));
}

}  // namespace exactdice::binding
