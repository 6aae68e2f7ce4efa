// The Python module exactdice.native._solvers: it only registers what the other files bind.
#include "binding.hpp"

PYBIND11_MODULE(_solvers, module) {
    module.doc() = "Floating-point solvers of exactdice, in C++.";
    module.attr("sources") = EXACTDICE_SOURCES;  // the hash of what it is built from, by setup.py
    exactdice::binding::bind_errors(module);
    exactdice::binding::bind_interval(module);
    exactdice::binding::bind_swe(module);
    exactdice::binding::bind_swe_laws(module);
    exactdice::binding::bind_games(module);
    exactdice::binding::bind_farkle_race(module);
    exactdice::binding::bind_process(module);
}
