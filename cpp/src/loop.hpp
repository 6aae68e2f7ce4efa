// Systems d_i x_i − Σ_j w_ij x_j = b_i in doubles, solved by steps: what they give is near the solution
// and proves nothing.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "exactdice/work.hpp"

namespace exactdice::process {

// A system whose rows are added one after another.
class Loop {
   public:
    void add(std::int32_t column, double weight) { entries_.push_back({weight, column}); }
    void close(double diagonal) {
        diagonal_.push_back(diagonal);
        first_.push_back(entries_.size());
    }

    // Comes nearer to the solution, as far as rounding allows: by sweeps through the rows (Gauss and
    // Seidel), and where these are slow by conjugate gradients that sweeps make ready (van der Vorst's
    // BiCGSTAB 1992).
    void solve(const std::vector<double>& right, std::vector<double>& values,
               Clock& clock) const {
        constexpr int few = 60, most = 400, rounds = 10;
        double change = swept(right, values, few, clock), before = 1;
        for (int round = 0; round < rounds && change > still && change < before / 4; ++round) {
            before = change;
            gradients(right, values, most, clock);
            change = swept(right, values, few / 4, clock);
        }
    }

   private:
    using Vector = std::vector<double>;
    struct Entry {
        double weight;
        std::int32_t column;
    };
    static constexpr double still = 1e-14;

    std::size_t size() const { return diagonal_.size(); }

    // Sweeps at most so many times; what the last one changed, as a part of the greatest value.
    double swept(const Vector& right, Vector& values, int most, Clock& clock) const {
        double part = 0;
        for (int sweep = 0; sweep < most; ++sweep) {
            clock.step();
            double change = 0, greatest = 0;
            for (std::size_t i = 0; i < size(); ++i) {
                double total = right[i];
                for (std::size_t e = first_[i]; e < first_[i + 1]; ++e) {
                    total += entries_[e].weight * values[static_cast<std::size_t>(entries_[e].column)];
                }
                total /= diagonal_[i];
                change = std::max(change, std::abs(total - values[i]));
                greatest = std::max(greatest, std::abs(total));
                values[i] = total;
            }
            part = greatest > 0 ? change / greatest : 0;
            if (part <= still) {
                break;
            }
        }
        return part;
    }

    // One sweep from 0: the inverse of the lower triangle.
    void ready(const Vector& right, Vector& values) const {
        for (std::size_t i = 0; i < size(); ++i) {
            double total = right[i];
            for (std::size_t e = first_[i]; e < first_[i + 1]; ++e) {
                const auto j = static_cast<std::size_t>(entries_[e].column);
                if (j < i) {
                    total += entries_[e].weight * values[j];
                }
            }
            values[i] = total / diagonal_[i];
        }
    }

    void product(const Vector& values, Vector& result) const {
        for (std::size_t i = 0; i < size(); ++i) {
            double total = diagonal_[i] * values[i];
            for (std::size_t e = first_[i]; e < first_[i + 1]; ++e) {
                total -= entries_[e].weight * values[static_cast<std::size_t>(entries_[e].column)];
            }
            result[i] = total;
        }
    }

    static double inner(const Vector& a, const Vector& b) {
        double total = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            total += a[i] * b[i];
        }
        return total;
    }

    void gradients(const Vector& right, Vector& values, int most, Clock& clock) const {
        const std::size_t n = size();
        Vector rest(n), shadow, step(n, 0), along(n, 0), ready_step(n), ready_half(n), after(n);
        product(values, rest);
        for (std::size_t i = 0; i < n; ++i) {
            rest[i] = right[i] - rest[i];
        }
        shadow = rest;
        const double enough = inner(rest, rest) * 1e-24;
        double rho = 1, alpha = 1, omega = 1;
        for (int k = 0; k < most; ++k) {
            clock.step();
            const double next = inner(shadow, rest);
            const double beta = next / rho * (alpha / omega);
            if (!std::isfinite(beta) || next == 0) {
                return;
            }
            rho = next;
            for (std::size_t i = 0; i < n; ++i) {
                step[i] = rest[i] + beta * (step[i] - omega * along[i]);
            }
            ready(step, ready_step);
            product(ready_step, along);
            alpha = rho / inner(shadow, along);
            if (!std::isfinite(alpha)) {
                return;
            }
            for (std::size_t i = 0; i < n; ++i) {
                rest[i] -= alpha * along[i];
            }
            ready(rest, ready_half);
            product(ready_half, after);
            const double norm = inner(after, after);
            omega = norm > 0 ? inner(after, rest) / norm : 0;
            for (std::size_t i = 0; i < n; ++i) {
                values[i] += alpha * ready_step[i] + omega * ready_half[i];
                rest[i] -= omega * after[i];
            }
            if (!(inner(rest, rest) > enough) || omega == 0) {
                return;
            }
        }
    }

    std::vector<std::size_t> first_{0};
    std::vector<Entry> entries_;
    Vector diagonal_;
};

}  // namespace exactdice::process
