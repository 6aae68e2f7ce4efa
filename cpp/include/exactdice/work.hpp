// What all solvers share: how a long computation reports, is stopped, and is refused.
#pragma once

#include <array>
#include <chrono>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>

namespace exactdice {

// Asked a few times a second with the part of the work that is done, from the thread that started
// it; false stops the work.
using Progress = std::function<bool(double)>;

// Thrown when a Progress answered false.
struct Interrupted : std::runtime_error {
    Interrupted() : std::runtime_error("interrupted") {}
};

// Passes on a few times a second what part is done, and stops the work where that is the answer.
class Clock {
   public:
    explicit Clock(const Progress& progress) : progress_(progress) {}
    void tick(double part) {
        const auto now = std::chrono::steady_clock::now();
        if (progress_ && now - last_ > std::chrono::milliseconds(100)) {
            last_ = now;
            if (!progress_(part)) {
                throw Interrupted();
            }
        }
    }

    // Where it is not known how many steps there are, passes on how many are made; `look` between them.
    void step() { tick(++steps_); }
    void look() { tick(steps_); }

   private:
    const Progress& progress_;
    double steps_ = 0;
    std::chrono::steady_clock::time_point last_{};
};

// An argument out of its domain.
struct BadInput : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// The work would need more memory than allowed.
struct TooLarge : std::length_error {
    using std::length_error::length_error;
};

inline void require_threads(int threads) {
    if (threads < 1 || threads > 256) {
        throw BadInput("threads: give a whole number from 1 to 256");
    }
}

inline void require_memory(double bytes, double limit) {
    if (bytes > limit) {
        const auto words = [](double size) {
            std::array<char, 40> written{};
            std::snprintf(written.data(), written.size(), "%.4g MiB", size / 1048576.0);
            return std::string(written.data());
        };
        throw TooLarge("needs about " + words(bytes) + ", more than the limit of " + words(limit));
    }
}

}  // namespace exactdice
