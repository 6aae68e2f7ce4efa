#include "exactdice/swe_laws.hpp"

#include "binding.hpp"

namespace exactdice::binding {

void bind_swe_laws(py::module_& module) {
    using swe::Dice;
    using swe::Flow;
    py::class_<Flow>(module, "SweFlow")
        .def(py::init([](std::vector<int> ladder, int rounds, bool lowest_first, double least,
                         double most_products, double memory_limit, int threads,
                         py::object progress) {
                 swe::LawOptions options;
                 options.lowest_first = lowest_first;
                 options.least = least;
                 options.most_products = most_products;
                 options.memory_limit = memory_limit;
                 options.threads = threads;
                 options.progress = progress_of(std::move(progress));
                 return std::make_unique<Flow>(std::move(ladder), rounds, std::move(options));
             }),
             py::arg("ladder"), py::arg("rounds"), py::kw_only(), py::arg("lowest_first"),
             py::arg("least"), py::arg("most_products"), py::arg("memory_limit"),
             py::arg("threads"), py::arg("progress"))
        .def("run", &Flow::run, py::call_guard<py::gil_scoped_release>())
        .def("leaving", &Flow::leaving)
        .def("send", &Flow::send, py::arg("dice"), py::arg("round"), py::arg("low"),
             py::arg("high"), py::arg("to"), py::arg("chance"))
        .def("advance", &Flow::advance)
        .def_property_readonly("final_scores", &Flow::final_scores)
        .def_property_readonly("products", &Flow::products);
}

}  // namespace exactdice::binding
