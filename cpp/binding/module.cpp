// The Python module exactdice.native._solvers: it only registers what the other files bind. They are
// compiled as one, because pybind11's headers cost more than what stands in any of them.
#include "binding.hpp"

#include "choices.cpp"
#include "errors.cpp"
#include "farkle_race.cpp"
#include "games.cpp"
#include "process.cpp"
#include "regrets.cpp"
#include "swe.cpp"
#include "swe_laws.cpp"
#include "walk.cpp"

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
    exactdice::binding::bind_regrets(module);
    exactdice::binding::bind_choices(module);
    exactdice::binding::bind_walk(module);
}
