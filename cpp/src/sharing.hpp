// Work that several threads share.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

namespace exactdice {

// The numbers 0 … count − 1, each given out once, in ascending order, until the work is stopped.
class Pieces {
   public:
    explicit Pieces(std::size_t count) : count_(count) {}
    std::optional<std::size_t> next() {
        const std::size_t piece = stopped_ ? count_ : next_++;
        return piece < count_ ? std::optional(piece) : std::nullopt;
    }
    void stop() { stopped_ = true; }

   private:
    std::size_t count_;
    std::atomic<std::size_t> next_{0};
    std::atomic<bool> stopped_{false};
};

// Let `work(pieces, first)` run in as many threads as asked for, but no more than there are pieces;
// `first` holds in the calling thread alone. Where the system has no more threads to give, fewer do
// the work. What one of them throws stops all, and is thrown here when they have ended.
template <class Work>
void share_out(std::size_t count, int threads, const Work& work) {
    Pieces pieces(count);
    std::exception_ptr failure;
    std::mutex failing;
    const auto guarded = [&](bool first) {
        try {
            work(pieces, first);
        } catch (...) {
            const std::lock_guard lock(failing);
            failure = failure ? failure : std::current_exception();
            pieces.stop();
        }
    };
    std::vector<std::thread> others;
    others.reserve(static_cast<std::size_t>(threads));
    try {
        while (others.size() + 1 < std::min(static_cast<std::size_t>(threads), count)) {
            others.emplace_back(guarded, false);
        }
    } catch (const std::system_error&) {  // no more threads: those that there are do it
    }
    guarded(true);
    for (std::thread& other : others) {
        other.join();
    }
    if (failure) {
        std::rethrow_exception(failure);
    }
}

}  // namespace exactdice
