// How solvers meet Python: numbers as pairs of bounds, lists as numpy arrays, the interpreter free
// while they work.
#pragma once

#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cfenv>
#include <type_traits>
#include <memory>
#include <utility>
#include <vector>

#include "exactdice/interval.hpp"
#include "exactdice/work.hpp"

namespace exactdice::binding {

namespace py = pybind11;

// Calls back into Python from a solver: signals are answered, and Python code runs in its own
// rounding direction. What is returned may be copied and destroyed by any thread at any time; it is
// the only way for a Python object into a solver.
Progress progress_of(py::object callback);

// A column of numbers that becomes an array without being copied.
template <class Number>
py::array_t<Number> column(std::vector<Number>&& numbers) {
    auto kept = std::make_unique<std::vector<Number>>(std::move(numbers));
    const auto size = static_cast<py::ssize_t>(kept->size());
    Number* first = kept->data();
    py::capsule owner(kept.release(),
                      [](void* p) { delete static_cast<std::vector<Number>*>(p); });
    return py::array_t<Number>(size, first, owner);
}

// The lower and the upper ends of scalars; the same for doubles.
struct Columns {
    std::vector<double> lower, upper;
    template <class Scalar>
    void append(const Scalar& x) {
        lower.push_back(exactdice::lower(x));
        upper.push_back(exactdice::upper(x));
    }
    py::tuple arrays() && { return py::make_tuple(column(std::move(lower)), column(std::move(upper))); }
};

template <class Scalar>
py::tuple bounds(const Scalar& x) {
    return py::make_tuple(lower(x), upper(x));
}

}  // namespace exactdice::binding
