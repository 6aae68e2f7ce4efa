#include "binding.hpp"

namespace exactdice::binding {
namespace {

class RoundingToNearest {
   public:
    RoundingToNearest() : before_(std::fegetround()) { std::fesetround(FE_TONEAREST); }
    ~RoundingToNearest() { std::fesetround(before_); }
    RoundingToNearest(const RoundingToNearest&) = delete;
    RoundingToNearest& operator=(const RoundingToNearest&) = delete;

   private:
    int before_;
};

}  // namespace

Progress progress_of(py::object callback) {
    // Solvers copy, move and destroy a Progress while the interpreter is free, so the count of
    // references of the callback must not change with it: they share one reference, and who lets
    // go of it last takes the interpreter for that.
    const auto let_go = [](py::object* last) {
        const py::gil_scoped_acquire acquired;
        delete last;
    };
    const std::shared_ptr<py::object> shared(new py::object(std::move(callback)), let_go);
    return [shared](double part) {
        const py::gil_scoped_acquire acquired;
        const RoundingToNearest rounding;
        if (PyErr_CheckSignals() != 0) {
            throw py::error_already_set();
        }
        if (!shared->is_none()) {
            (*shared)(part);
        }
        return true;
    };
}

void bind_errors(py::module_& module) {
    py::register_exception<BadInput>(module, "BadInput", PyExc_ValueError);
    py::register_exception<TooLarge>(module, "TooLarge", PyExc_MemoryError);
}

void bind_interval(py::module_& module) {
    // For the tests: what one operation on two doubles is enclosed by.
    const auto enclose = [](const std::string& operation, double x, double y) {
        const UpwardRounding upward;
        const Interval a(x), b(y);
        const Interval result = operation == "+"   ? a + b
                                : operation == "-" ? a - b
                                : operation == "*" ? a * b
                                                   : a / b;
        return std::make_pair(result.lower(), result.upper());
    };
    module.def("enclose", enclose, py::arg("operation"), py::arg("x"), py::arg("y"));
}

}  // namespace exactdice::binding
