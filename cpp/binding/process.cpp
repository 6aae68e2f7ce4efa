#include "exactdice/process.hpp"

#include "binding.hpp"

namespace exactdice::binding {
namespace {

using process::Digits;
using process::Process;
using process::Whole;

template <class Number>
using Array = py::array_t<Number, py::array::c_style | py::array::forcecast>;

process::Words words(const Array<std::uint64_t>& array) {
    return {array.data(), static_cast<std::size_t>(array.size())};
}

template <class Number>
std::vector<Number> listed(const Array<Number>& array) {
    return std::vector<Number>(array.data(), array.data() + array.size());
}

// The arrays of a process; throws BadInput where they do not fit one another.
Process process_of(const Array<std::int8_t>& owners, const Array<Whole>& payoffs,
                   const Array<std::int32_t>& first_move, const Array<std::int32_t>& first_target,
                   const Array<std::int32_t>& targets, const Array<std::int32_t>& law,
                   const Array<std::int32_t>& reward, const Array<Whole>& rewards,
                   const Array<Whole>& first_weight, const Array<Whole>& weights) {
    Process made;
    made.owners = listed(owners);
    made.payoffs = listed(payoffs);
    made.first_move = listed(first_move);
    made.first_target = listed(first_target);
    made.targets = listed(targets);
    made.law = listed(law);
    made.reward = listed(reward);
    made.rewards = listed(rewards);
    made.first_weight = listed(first_weight);
    made.weights = listed(weights);
    made.complete();
    made.check();
    return made;
}

py::object guessed(const Process& asked, py::object progress) {
    process::Guess found;
    {
        const Progress told = progress_of(std::move(progress));
        const py::gil_scoped_release released;
        found = process::guess(asked, told);
    }
    if (found.chosen.empty()) {
        return py::none();
    }
    return py::make_tuple(column(std::move(found.chosen)), column(std::move(found.values)),
                          found.is_sparse);
}

py::object approached(const Process& asked, const Array<Whole>& chosen, const Array<double>& rough,
                      bool is_sparse, const Array<std::uint64_t>& values, Whole bits, Whole scale,
                      Whole near, py::object progress) {
    process::Approach found;
    {
        process::Guess start{listed(chosen), listed(rough), is_sparse};
        process::Wide numbers = listed(values);
        const Progress told = progress_of(std::move(progress));
        const py::gil_scoped_release released;
        found = process::approach(asked, std::move(start), std::move(numbers), bits, scale, near, told);
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

py::array_t<std::uint64_t> times(Digits& digits, const std::vector<std::uint64_t>& factor, Whole count,
                                 Whole limbs) {
    process::Wide products;
    {
        const py::gil_scoped_release released;
        products = digits.times(factor, count, limbs);
    }
    return column(std::move(products)).reshape({py::ssize_t{-1}, static_cast<py::ssize_t>(limbs)});
}

}  // namespace

void bind_process(py::module_& module) {
    py::class_<Process>(module, "Process", "A decision process in flat arrays.")
        .def(py::init(&process_of), py::arg("owners"), py::arg("payoffs"), py::arg("first_move"),
             py::arg("first_target"), py::arg("targets"), py::arg("law"), py::arg("reward"),
             py::arg("rewards"), py::arg("first_weight"), py::arg("weights"))
        .def("end", [](Process& asked, const Array<Whole>& states) { asked.end(listed(states)); })
        .def("guess", &guessed, py::arg("progress") = py::none(),
             "Good moves and values in doubles, or None.")
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
        .def("looping", &process::looping)
        .def("depths", [](const Process& asked) { return column(process::depths(asked)); })
        .def("approach", &approached, py::arg("chosen"), py::arg("rough"), py::arg("is_sparse"),
             py::arg("values"), py::arg("bits"),
             py::arg("scale"), py::arg("near"), py::arg("progress") = py::none(),
             "Values of good moves in many words, or None.")
        .def("signs",
             [](const Process& asked, const Array<std::uint64_t>& own, const Array<std::uint64_t>& seen,
                const Array<std::uint64_t>& other, const Array<std::uint64_t>& one, Whole scale) {
                 return column(process::signs(asked, one.size(), words(own), words(seen), words(other),
                                              words(one), scale));
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
        .def(py::init([](const Process& asked, const Array<Whole>& chosen, py::object progress) {
                 const Progress told = progress_of(std::move(progress));
                 const std::vector<Whole> moves = listed(chosen);
                 const py::gil_scoped_release released;
                 return std::make_unique<Digits>(asked, moves, told);
             }),
             py::arg("process"), py::arg("chosen"), py::arg("progress") = py::none(),
             py::keep_alive<1, 2>())
        .def("combined",
             [](Digits& digits, Whole count, Whole spread) {
                 const py::gil_scoped_release released;
                 return digits.combined(count, spread);
             })
        .def("times", &times, py::arg("factor"), py::arg("count"), py::arg("limbs"));
}

}  // namespace exactdice::binding
