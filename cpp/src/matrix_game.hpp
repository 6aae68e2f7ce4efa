// Values of zero-sum games of at most 3×3 in doubles, with the mixed choices that show them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace exactdice {

template <std::size_t N>
using Payoff = std::array<std::array<double, N>, N>;
template <std::size_t N>
using Mix = std::array<double, N>;

template <std::size_t N>
struct Play {
    Mix<N> row, column;  // nonnegative, not all 0; not normalised
    double maximin, minimax;  // of pure choices
};

// What a mixed choice of row is sure of: the least of the columns.
template <std::size_t N>
double sure_of(const Payoff<N>& payoff, const Mix<N>& row) {
    double least = INFINITY, sum = 0;
    for (std::size_t i = 0; i < N; ++i) {
        sum += row[i];
    }
    for (std::size_t j = 0; j < N; ++j) {
        double total = 0;
        for (std::size_t i = 0; i < N; ++i) {
            total += row[i] * payoff[i][j];
        }
        least = std::min(least, total);
    }
    return least / sum;
}

template <std::size_t N>
Payoff<N> negative_transpose(const Payoff<N>& payoff) {
    Payoff<N> turned;
    for (std::size_t i = 0; i < N; ++i) {
        for (std::size_t j = 0; j < N; ++j) {
            turned[j][i] = -payoff[i][j];
        }
    }
    return turned;
}

// A best mixed choice of row: by Shapley and Snow some square subgame equalises it, so the best of
// all equalising choices that are nonnegative is optimal.
template <std::size_t N>
Mix<N> best_mix(const Payoff<N>& p) {
    Mix<N> best{};
    double most = -INFINITY;
    const auto consider = [&](const Mix<N>& mix) {
        for (double part : mix) {
            if (!(part >= 0)) {
                return;
            }
        }
        const double sure = sure_of(p, mix);
        if (sure > most) {
            most = sure;
            best = mix;
        }
    };
    for (std::size_t i = 0; i < N; ++i) {
        Mix<N> pure{};
        pure[i] = 1;
        consider(pure);
    }
    for (std::size_t i = 0; i < N; ++i) {
        for (std::size_t k = i + 1; k < N; ++k) {
            for (std::size_t j = 0; j < N; ++j) {
                for (std::size_t l = j + 1; l < N; ++l) {
                    // x_i (p_ij − p_il) = x_k (p_kl − p_kj)
                    const double first = p[k][l] - p[k][j], second = p[i][j] - p[i][l];
                    if (first * second > 0) {
                        Mix<N> mix{};
                        mix[i] = std::abs(first);
                        mix[k] = std::abs(second);
                        consider(mix);
                    }
                }
            }
        }
    }
    if constexpr (N == 3) {
        // Orthogonal to both differences of columns.
        std::array<double, 3> u, v;
        for (std::size_t i = 0; i < 3; ++i) {
            u[i] = p[i][0] - p[i][1];
            v[i] = p[i][0] - p[i][2];
        }
        Mix<3> mix{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
        if (mix[0] <= 0 && mix[1] <= 0 && mix[2] <= 0) {
            mix = {-mix[0], -mix[1], -mix[2]};
        }
        if (mix[0] + mix[1] + mix[2] > 0) {
            consider(mix);
        }
    }
    return best;
}

template <std::size_t N>
Play<N> solve_game(const Payoff<N>& payoff) {
    Play<N> play{};
    play.maximin = -INFINITY;
    play.minimax = INFINITY;
    for (std::size_t i = 0; i < N; ++i) {
        double least = INFINITY, most = -INFINITY;
        for (std::size_t j = 0; j < N; ++j) {
            least = std::min(least, payoff[i][j]);
            most = std::max(most, payoff[j][i]);
        }
        if (least > play.maximin) {
            play.maximin = least;
            play.row = {};
            play.row[i] = 1;
        }
        if (most < play.minimax) {
            play.minimax = most;
            play.column = {};
            play.column[i] = 1;
        }
    }
    if (play.maximin < play.minimax) {
        play.row = best_mix(payoff);
        play.column = best_mix(negative_transpose(payoff));
    }
    return play;
}

}  // namespace exactdice
