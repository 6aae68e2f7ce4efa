// What rules make by the million: distributions and choices. The methods here replace those in Python
// and do the common cases; everything else, and every error, is left to the methods that they replace.
#include <array>
#include <numeric>
#include <string>

#include "binding.hpp"

namespace exactdice::binding {
namespace {

// Borrowed arguments of a method: positional ones, then those by name.
struct Arguments {
    PyObject* const* first;
    Py_ssize_t count;
    PyObject* names;
    bool are(Py_ssize_t positional) const { return count == positional && names == nullptr; }
};

// The classes and the methods in Python; never released, as the classes are not either.
struct Rules {
    PyTypeObject *distribution, *choice, *other, *paid, *counter;
    PyObject *weigh, *map, *choose, *is_foreign, *rational;
    PyObject *weights_name, *denominator_name, *action_name, *reward_name, *successors_name;
    std::array<PyObject*, 512> rewards{};  // whole numbers from −256 as rationals, once they are used
    std::array<std::string, 3> texts;
    std::array<PyMethodDef, 3> definitions{};
    py::tuple methods;
};

Rules* rules = nullptr;

PyObject* in_python(PyObject* method, PyObject* self, const Arguments& given) {
    const Py_ssize_t named = given.names == nullptr ? 0 : PyTuple_GET_SIZE(given.names);
    std::vector<PyObject*> all{self};
    all.insert(all.end(), given.first, given.first + given.count + named);
    return PyObject_Vectorcall(method, all.data(), static_cast<std::size_t>(given.count + 1), given.names);
}

enum class Made { done, left, failed };

// Outcomes in ascending order; null where they cannot be compared, or are in order.
Made sort(PyObject* weights, py::object& order) {
    py::object keys = py::reinterpret_steal<py::object>(PyDict_Keys(weights));
    if (!keys) {
        return Made::failed;
    }
    if (PyList_Sort(keys.ptr()) < 0) {
        if (PyErr_ExceptionMatches(PyExc_TypeError) == 0) {
            return Made::failed;
        }
        PyErr_Clear();
        return Made::done;
    }
    Py_ssize_t at = 0, i = 0;
    for (PyObject* outcome = nullptr; PyDict_Next(weights, &at, &outcome, nullptr) != 0; ++i) {
        if (i >= PyList_GET_SIZE(keys.ptr()) || PyList_GET_ITEM(keys.ptr(), i) != outcome) {
            order = std::move(keys);
            break;
        }
    }
    return Made::done;
}

// Weights divided by `common`, in the order of a list.
py::object divided(PyObject* weights, const py::object& order, long long common) {
    auto kept = py::reinterpret_steal<py::object>(PyDict_New());
    for (Py_ssize_t i = 0; kept && i < PyList_GET_SIZE(order.ptr()); ++i) {
        PyObject* outcome = PyList_GET_ITEM(order.ptr(), i);
        PyObject* weight = PyDict_GetItemWithError(weights, outcome);
        if (weight == nullptr) {
            return {};
        }
        const auto part = py::reinterpret_steal<py::object>(
            common == 1 ? Py_NewRef(weight) : PyLong_FromLongLong(PyLong_AsLongLong(weight) / common));
        if (!part || PyDict_SetItem(kept.ptr(), outcome, part.ptr()) < 0) {
            return {};
        }
    }
    return kept;
}

// Makes `self` the distribution of whole weights of at most 32 bits; a `fresh` dict is not copied.
Made weigh(PyObject* self, PyObject* weights, bool fresh) {
    const Py_ssize_t count = PyDict_Check(weights) ? PyDict_GET_SIZE(weights) : 0;
    if (count == 0 || (!PyDict_CheckExact(weights) && Py_TYPE(weights) != rules->counter)) {
        return Made::left;
    }
    long long common = 0, total = 0;
    bool has_other = false, is_simple = true;
    PyTypeObject* native = nullptr;  // the last other type that needs no conversion
    Py_ssize_t at = 0;
    for (PyObject *outcome = nullptr, *weight = nullptr; PyDict_Next(weights, &at, &outcome, &weight) != 0;) {
        if (!PyLong_CheckExact(weight)) {
            return Made::left;
        }
        int overflow = 0;
        const long long n = PyLong_AsLongLongAndOverflow(weight, &overflow);
        if (overflow != 0 || n <= 0 || n >> 32 != 0) {
            return Made::left;
        }
        total += n;
        common = std::gcd(common, n);
        PyTypeObject* kind = Py_TYPE(outcome);
        if (kind == rules->other) {
            has_other = true;
        } else if (kind != &PyTuple_Type && kind != &PyLong_Type && kind != &PyUnicode_Type &&
                   kind != &PyBool_Type && outcome != Py_None && kind != native) {
            is_simple = false;
            const auto foreign = py::reinterpret_steal<py::object>(
                PyObject_CallOneArg(rules->is_foreign, reinterpret_cast<PyObject*>(kind)));
            if (foreign.ptr() != Py_False) {
                return foreign ? Made::left : Made::failed;
            }
            native = kind;
        }
    }
    py::object order;  // of simple outcomes none is comparable with an Other
    if (count > 1 && !(has_other && is_simple) && sort(weights, order) == Made::failed) {
        return Made::failed;
    }
    if (common != 1 && !order) {
        order = py::reinterpret_steal<py::object>(PyDict_Keys(weights));
    }
    const auto kept = order ? divided(weights, order, common)
                            : py::reinterpret_steal<py::object>(fresh ? Py_NewRef(weights)
                                                                      : PyDict_Copy(weights));
    const auto sum = py::reinterpret_steal<py::object>(PyLong_FromLongLong(total / common));
    const bool is_set = kept && sum && PyObject_SetAttr(self, rules->weights_name, kept.ptr()) == 0 &&
                        PyObject_SetAttr(self, rules->denominator_name, sum.ptr()) == 0;
    return is_set ? Made::done : Made::failed;
}

PyObject* distribution_init(PyObject* self, PyObject* const* first, Py_ssize_t count, PyObject* names) {
    const Arguments given{first, count, names};
    const Made made = given.are(1) ? weigh(self, first[0], false) : Made::left;
    if (made == Made::left) {
        return in_python(rules->weigh, self, given);
    }
    return made == Made::done ? Py_NewRef(Py_None) : nullptr;
}

PyObject* distribution_map(PyObject* self, PyObject* const* first, Py_ssize_t count, PyObject* names) {
    const Arguments given{first, count, names};
    const auto weights =
        py::reinterpret_steal<py::object>(PyObject_GetAttr(self, rules->weights_name));
    if (!weights) {
        return nullptr;
    }
    if (!given.are(1) || PyCallable_Check(first[0]) == 0 || !PyDict_CheckExact(weights.ptr())) {
        return in_python(rules->map, self, given);
    }
    const auto images = py::reinterpret_steal<py::object>(PyDict_New());
    Py_ssize_t at = 0;
    for (PyObject *outcome = nullptr, *weight = nullptr;
         images && PyDict_Next(weights.ptr(), &at, &outcome, &weight) != 0;) {
        const auto image = py::reinterpret_steal<py::object>(PyObject_CallOneArg(first[0], outcome));
        if (!image) {
            return nullptr;
        }
        const Py_ssize_t before = PyDict_GET_SIZE(images.ptr());
        PyObject* known = PyDict_SetDefault(images.ptr(), image.ptr(), weight);
        if (known == nullptr) {
            if (PyErr_ExceptionMatches(PyExc_TypeError) == 0) {
                return nullptr;
            }
            PyErr_Clear();  // not hashable: an error, or a mapping that counts symbols
            return in_python(rules->map, self, given);
        }
        if (PyDict_GET_SIZE(images.ptr()) == before) {
            const auto sum = py::reinterpret_steal<py::object>(PyNumber_Add(known, weight));
            if (!sum || PyDict_SetItem(images.ptr(), image.ptr(), sum.ptr()) < 0) {
                return nullptr;
            }
        }
    }
    const auto mapped =
        py::reinterpret_steal<py::object>(PyType_GenericAlloc(rules->distribution, 0));
    if (!images || !mapped) {
        return nullptr;
    }
    Made made = weigh(mapped.ptr(), images.ptr(), true);
    if (made == Made::left) {
        PyObject* const pair[] = {mapped.ptr(), images.ptr()};
        const auto none = py::reinterpret_steal<py::object>(
            PyObject_Vectorcall(rules->weigh, pair, 2, nullptr));
        made = none ? Made::done : Made::failed;
    }
    return made == Made::done ? Py_NewRef(mapped.ptr()) : nullptr;
}

// A whole number as a rational, null if that fails.
py::object rational(PyObject* whole) {
    int overflow = 0;
    const long long n = PyLong_AsLongLongAndOverflow(whole, &overflow) + 256;
    const bool is_small = overflow == 0 && 0 <= n && n < static_cast<long long>(rules->rewards.size());
    PyObject** kept = is_small ? &rules->rewards[static_cast<std::size_t>(n)] : nullptr;
    if (kept != nullptr && *kept != nullptr) {
        return py::reinterpret_borrow<py::object>(*kept);
    }
    auto made = py::reinterpret_steal<py::object>(PyObject_CallOneArg(rules->rational, whole));
    if (kept != nullptr && made) {
        *kept = Py_NewRef(made.ptr());
    }
    return made;
}

bool has_paid(PyObject* weights) {
    Py_ssize_t at = 0;
    for (PyObject* outcome = nullptr; PyDict_Next(weights, &at, &outcome, nullptr) != 0;) {
        if (Py_TYPE(outcome) == rules->paid) {
            return true;
        }
    }
    return false;
}

PyObject* choice_init(PyObject* self, PyObject* const* first, Py_ssize_t count, PyObject* names) {
    const Arguments given{first, count, names};
    if (!given.are(3) || !PyLong_CheckExact(first[1]) || Py_TYPE(first[2]) != rules->distribution) {
        return in_python(rules->choose, self, given);
    }
    const auto weights =
        py::reinterpret_steal<py::object>(PyObject_GetAttr(first[2], rules->weights_name));
    if (!weights) {
        return nullptr;
    }
    if (!PyDict_CheckExact(weights.ptr()) || has_paid(weights.ptr())) {
        return in_python(rules->choose, self, given);
    }
    const py::object reward = rational(first[1]);
    const bool is_set = reward && PyObject_GenericSetAttr(self, rules->action_name, first[0]) == 0 &&
                        PyObject_GenericSetAttr(self, rules->successors_name, first[2]) == 0 &&
                        PyObject_GenericSetAttr(self, rules->reward_name, reward.ptr()) == 0;
    return is_set ? Py_NewRef(Py_None) : nullptr;
}

// The methods in C++ for those of `Weighted`, `Distribution` and `Choice` in Python.
py::tuple methods(const py::type& weighted, const py::object& weigh, const py::type& distribution,
                  const py::object& map, const py::type& choice, const py::object& choose,
                  const py::type& other, const py::type& paid, const py::object& is_foreign) {
    if (rules != nullptr && reinterpret_cast<PyObject*>(rules->choice) == choice.ptr()) {
        return rules->methods;
    }
    const auto type = [](const py::object& kind) {
        return reinterpret_cast<PyTypeObject*>(Py_NewRef(kind.ptr()));
    };
    auto kept = std::make_unique<Rules>();
    kept->distribution = type(distribution);
    kept->choice = type(choice);
    kept->other = type(other);
    kept->paid = type(paid);
    kept->counter = type(py::module_::import("collections").attr("Counter"));
    kept->weigh = Py_NewRef(weigh.ptr());
    kept->map = Py_NewRef(map.ptr());
    kept->choose = Py_NewRef(choose.ptr());
    kept->is_foreign = Py_NewRef(is_foreign.ptr());
    kept->rational = Py_NewRef(py::module_::import("exactdice.arithmetic").attr("mpq").ptr());
    kept->weights_name = PyUnicode_InternFromString("_weights");
    kept->denominator_name = PyUnicode_InternFromString("_denominator");
    kept->action_name = PyUnicode_InternFromString("action");
    kept->reward_name = PyUnicode_InternFromString("reward");
    kept->successors_name = PyUnicode_InternFromString("successors");
    using Method = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);
    const auto defined = [&](std::size_t i, const py::object& type, const char* name, const char* signature,
                             const py::object& method, Method call) {
        const py::object text = method.attr("__doc__");
        kept->texts[i] = signature + std::string("\n--\n\n") +
                         (text.is_none() ? std::string() : text.cast<std::string>());
        kept->definitions[i] = {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(call)),
                                METH_FASTCALL | METH_KEYWORDS, kept->texts[i].c_str()};
        PyObject* made = PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(type.ptr()), &kept->definitions[i]);
        if (made == nullptr) {
            throw py::error_already_set();
        }
        return py::reinterpret_steal<py::object>(made);
    };
    kept->methods = py::make_tuple(
        defined(0, weighted, "__init__", "__init__($self, weights)", weigh, &distribution_init),
        defined(1, distribution, "map", "map($self, image)", map, &distribution_map),
        defined(2, choice, "__init__", "__init__($self, action, reward, successors, *, mean=False)", choose,
                &choice_init));
    rules = kept.release();
    return rules->methods;
}

// The weights by outcome of a distribution, null where it is not exactly one.
py::object weights_of(PyObject* law) {
    if (rules == nullptr || Py_TYPE(law) != rules->distribution) {
        return {};
    }
    return py::reinterpret_steal<py::object>(PyObject_GetAttr(law, rules->weights_name));
}

}  // namespace

void bind_choices(py::module_& module) {
    module.def("methods", &methods, "Methods of distributions and choices, for those in Python.");
}

}  // namespace exactdice::binding
