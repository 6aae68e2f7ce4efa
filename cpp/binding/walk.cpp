// Exploring a game: states are numbered as they are met, and where moves lead is listed in arrays.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <unordered_map>

#include "binding.hpp"
#include "exactdice/process.hpp"

namespace exactdice::binding {
namespace {

using process::Whole;

std::size_t index(Whole number) { return static_cast<std::size_t>(number); }

py::object owned(PyObject* made) {
    if (made == nullptr) {
        throw py::error_already_set();
    }
    return py::reinterpret_steal<py::object>(made);
}

bool equal(PyObject* one, PyObject* other) {
    const int answer = PyObject_RichCompareBool(one, other, Py_EQ);
    if (answer < 0) {
        throw py::error_already_set();
    }
    return answer;
}

// Whether two equal states are of one type too, tuples throughout.
bool alike(PyObject* one, PyObject* other) {
    if (one == other) {
        return true;
    }
    if (Py_TYPE(one) != Py_TYPE(other)) {
        return false;
    }
    if (PyTuple_Check(one)) {
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(one); ++i) {
            if (!alike(PyTuple_GET_ITEM(one, i), PyTuple_GET_ITEM(other, i))) {
                return false;
            }
        }
    }
    return true;
}

// The states met so far with their numbers, and the moves of those that are explored; laws and
// rewards that are equal are kept once.
class Walk {
 public:
    // `other` is the class of successors seen by the other side, `size_of` tells what a state takes;
    // `zero` is the first of all rewards.
    Walk(py::object other, py::object size_of, const py::object& zero)
        : other_(std::move(other)), size_of_(std::move(size_of)), table_(1024, 0) {
        rewards_.number(zero);
        last_reward_ = zero;
    }

    Whole size() const { return static_cast<Whole>(hashes_.size()); }
    py::list states() const { return states_; }

    // The number of a state; a new one where it was not met before.
    Whole number(const py::object& state) { return place(state.ptr(), true); }

    // The number of a state, −1 where it was not met.
    Whole find(const py::object& state) { return place(state.ptr(), false); }

    // Adds a move by what it pays and by its successors with their weights. What comes back is None, or
    // a successor and the state met before that it equals though it is of another type.
    py::object move(const py::object& reward, const py::object& successors) {
        const py::object each = owned(PyObject_GetIter(successors.ptr()));
        const Py_ssize_t count = PyObject_Size(successors.ptr());
        if (count < 0) {
            throw py::error_already_set();
        }
        weights_.clear();
        while (const auto pair = py::reinterpret_steal<py::object>(PyIter_Next(each.ptr()))) {
            if (!PyTuple_Check(pair.ptr()) || PyTuple_GET_SIZE(pair.ptr()) != 2) {
                throw py::type_error("successors: give a tuple of a state and a weight for each");
            }
            py::object unlike = lead(PyTuple_GET_ITEM(pair.ptr(), 0), PyTuple_GET_ITEM(pair.ptr(), 1));
            if (!unlike.is_none()) {
                return unlike;
            }
        }
        if (PyErr_Occurred() != nullptr) {
            throw py::error_already_set();
        }
        if (static_cast<Py_ssize_t>(weights_.size()) != count) {
            throw py::type_error("successors: give as many as their number");
        }
        return finish(reward);
    }

    // Adds the moves of choices that have a reward and successors each; comes back as `move`.
    py::object moves(const py::object& choices) {
        const py::object listed = owned(PySequence_Fast(choices.ptr(), "choices"));
        for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(listed.ptr()); ++i) {
            const auto choice =
                py::reinterpret_borrow<py::object>(PySequence_Fast_GET_ITEM(listed.ptr(), i));
            const py::object law = owned(PyObject_GetAttr(choice.ptr(), successors_name_.ptr()));
            const py::object reward = owned(PyObject_GetAttr(choice.ptr(), reward_name_.ptr()));
            py::object unlike = py::none();
            if (const py::object weights = weights_of(law.ptr()); weights) {
                weights_.clear();
                Py_ssize_t at = 0;
                for (PyObject *state = nullptr, *weight = nullptr;
                     unlike.is_none() && PyDict_Next(weights.ptr(), &at, &state, &weight) != 0;) {
                    unlike = lead(state, weight);
                }
                if (unlike.is_none()) {
                    finish(reward);
                }
            } else {
                unlike = move(reward, owned(PyObject_CallMethodNoArgs(law.ptr(), items_name_.ptr())));
            }
            if (!unlike.is_none()) {
                return unlike;
            }
        }
        return py::none();
    }

    // Says who owns the state whose moves were added last.
    void close(int owner) {
        owners_.push_back(static_cast<std::int8_t>(owner));
        first_move_.push_back(static_cast<std::int32_t>(law_.size()));
    }

    // Bytes that are taken by states, as they tell, and by what is kept of them and of moves.
    Whole bytes() const {
        return of_states_ + static_cast<Whole>(4 * table_.size() + 20 * hashes_.size() +
                                               5 * owners_.size() + 12 * law_.size() +
                                               4 * targets_.size());
    }

    // All that was added, as arrays, laws, rewards, and whether sides change; asked for once, at the end.
    py::tuple arrays() {
        if (first_move_.empty()) {
            throw BadInput("arrays: ask for them once");
        }
        const std::vector<Whole> swaps = std::exchange(swaps_, {});
        for (const Whole swap : swaps) {
            targets_[index(swap)] += static_cast<std::int32_t>(size());
        }
        return py::make_tuple(column(std::move(owners_)), column(std::move(first_move_)),
                              column(std::move(first_target_)), column(std::move(law_)),
                              column(std::move(reward_)), column(std::move(targets_)), laws_.list,
                              rewards_.list, !swaps.empty());
    }

 private:
    // Adds a successor to the move that is being added; comes back as `move`.
    py::object lead(PyObject* successor, PyObject* weight) {
        weights_.push_back(py::reinterpret_borrow<py::object>(weight));
        auto state = py::reinterpret_borrow<py::object>(successor);
        if (reinterpret_cast<PyObject*>(Py_TYPE(successor)) == other_.ptr()) {
            state = owned(PyObject_GetAttr(successor, state_name_.ptr()));
            swaps_.push_back(static_cast<Whole>(targets_.size()));
        }
        const Whole number = place(state.ptr(), true);
        const py::object before = met(number);
        if (!alike(state.ptr(), before.ptr())) {
            return py::make_tuple(state, before);
        }
        targets_.push_back(static_cast<std::int32_t>(number));
        return py::none();
    }

    py::object finish(const py::object& reward) {
        law_.push_back(law());
        if (!equal(last_reward_.ptr(), reward.ptr())) {  // to compare takes less than to hash
            last_number_ = rewards_.number(reward);
            last_reward_ = reward;
        }
        reward_.push_back(last_number_);
        if (targets_.size() > most_targets) {
            throw TooLarge("takes 2^31 - 1 transitions at most");
        }
        first_target_.push_back(static_cast<std::int32_t>(targets_.size()));
        return py::none();
    }

    // The number of the law of the weights that were added; a tuple is made only of a new one.
    std::int32_t law() {
        small_.clear();
        for (const py::object& weight : weights_) {
            int overflow = PyLong_CheckExact(weight.ptr()) ? 0 : 1;
            const long long n = overflow == 0 ? PyLong_AsLongLongAndOverflow(weight.ptr(), &overflow) : 0;
            if (overflow != 0) {
                return laws_.number(tuple());
            }
            small_.push_back(n);
        }
        const auto known = small_laws_.find(small_);
        if (known != small_laws_.end()) {
            return known->second;
        }
        return small_laws_.emplace(small_, laws_.number(tuple())).first->second;
    }

    py::tuple tuple() const {
        py::tuple made(weights_.size());
        for (std::size_t i = 0; i < weights_.size(); ++i) {
            made[i] = weights_[i];
        }
        return made;
    }

    struct Hash {
        std::size_t operator()(const std::vector<long long>& weights) const {
            std::size_t hash = weights.size();
            for (const long long weight : weights) {
                hash = (hash ^ static_cast<std::size_t>(weight)) * 0x9E3779B97F4A7C15;
            }
            return hash;
        }
    };

    // What is numbered and kept once.
    struct Once {
        py::list list;
        py::dict numbers;
        std::int32_t number(const py::object& what) {
            const py::int_ fresh(list.size());
            PyObject* known = PyDict_SetDefault(numbers.ptr(), what.ptr(), fresh.ptr());
            if (known == nullptr) {
                throw py::error_already_set();
            }
            if (known == fresh.ptr() && numbers.size() > list.size()) {
                list.append(what);
            }
            return static_cast<std::int32_t>(PyLong_AsLong(known));
        }
    };

    // A state met before. Python code, as in `states` or a comparison, may have changed the list.
    py::object met(Whole number) const {
        PyObject* state = PyList_GetItem(states_.ptr(), number);
        if (state == nullptr) {
            throw py::error_already_set();
        }
        return py::reinterpret_borrow<py::object>(state);
    }

    // The number of a state; where it was not met a new one, or −1.
    Whole place(PyObject* state, bool add) {
        const Py_hash_t hash = PyObject_Hash(state);
        if (hash == -1) {
            throw py::error_already_set();
        }
        const auto mixed =
            static_cast<std::uint32_t>((static_cast<std::uint64_t>(hash) * 0x9E3779B97F4A7C15) >> 32);
        std::size_t at = mixed & (table_.size() - 1);
        for (; table_[at]; at = (at + 1) & (table_.size() - 1)) {
            const std::uint32_t number = table_[at] - 1;
            if (hashes_[number] == mixed && equal(met(number).ptr(), state)) {
                return number;
            }
        }
        if (!add) {
            return -1;
        }
        if (size() >= most_states) {
            throw TooLarge("takes 2^30 states at most");
        }
        of_states_ += owned(PyObject_CallOneArg(size_of_.ptr(), state)).cast<Whole>();
        states_.append(py::handle(state));
        hashes_.push_back(mixed);
        table_[at] = static_cast<std::uint32_t>(hashes_.size());
        if (3 * hashes_.size() > 2 * table_.size()) {
            spread();
        }
        return size() - 1;
    }

    void spread() {
        std::vector<std::uint32_t>(2 * table_.size(), 0).swap(table_);
        for (std::size_t n = 0; n < hashes_.size(); ++n) {
            std::size_t at = hashes_[n] & (table_.size() - 1);
            while (table_[at]) {
                at = (at + 1) & (table_.size() - 1);
            }
            table_[at] = static_cast<std::uint32_t>(n + 1);
        }
    }

    static constexpr std::size_t most_targets = std::numeric_limits<std::int32_t>::max();
    static constexpr Whole most_states = Whole{1} << 30;  // their numbers twice over are of 32 bits

    const py::object other_, size_of_;
    const py::str reward_name_{"reward"}, successors_name_{"successors"}, items_name_{"items"}, state_name_{"state"};
    py::list states_;
    std::vector<std::uint32_t> table_;   // one more than a number where its hash points, or behind
    std::vector<std::uint32_t> hashes_;  // of each state
    Whole of_states_ = 0;
    std::vector<std::int8_t> owners_;
    std::vector<Whole> swaps_;
    std::vector<std::int32_t> first_move_{0}, first_target_{0}, law_, reward_, targets_;
    Once laws_, rewards_;
    std::vector<py::object> weights_;  // of the move that is being added
    std::vector<long long> small_;
    std::unordered_map<std::vector<long long>, std::int32_t, Hash> small_laws_;
    py::object last_reward_;
    std::int32_t last_number_ = 0;
};

}  // namespace

void bind_walk(py::module_& module) {
    py::class_<Walk>(module, "Walk", "The states of a game and their moves, as they are met.")
        .def(py::init<py::object, py::object, py::object>(), py::arg("other"), py::arg("size_of"),
             py::arg("zero"))
        .def("number", &Walk::number)
        .def("find", &Walk::find)
        .def("move", &Walk::move)
        .def("moves", &Walk::moves)
        .def("close", &Walk::close)
        .def("states", &Walk::states)
        .def("bytes", &Walk::bytes)
        .def("arrays", &Walk::arrays)
        .def("__len__", &Walk::size);
}

}  // namespace exactdice::binding
