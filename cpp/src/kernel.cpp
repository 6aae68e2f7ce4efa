#include "kernel.hpp"

#include "clones.hpp"

namespace exactdice {
namespace {

template <std::size_t Width>
[[gnu::always_inline]] inline void strip(double* slab, const double* matrix, std::size_t leading,
                                         std::size_t size, std::size_t run) {
    for (std::size_t r = size; r-- > 0;) {
        double total[Width] = {};
        const double* weights = matrix + r * leading;
        for (std::size_t k = 0; k <= r; ++k) {
            const double weight = weights[k];
            const double* row = slab + k * run;
            for (std::size_t j = 0; j < Width; ++j) {
                total[j] += weight * row[j];
            }
        }
        double* target = slab + r * run;
        for (std::size_t j = 0; j < Width; ++j) {
            target[j] = total[j];
        }
    }
}

template <std::size_t Width>
[[gnu::always_inline]] inline void strip_transposed(double* slab, const double* matrix,
                                                    std::size_t leading, std::size_t size,
                                                    std::size_t run) {
    for (std::size_t k = 0; k < size; ++k) {
        double total[Width] = {};
        for (std::size_t r = k; r < size; ++r) {
            const double weight = matrix[r * leading + k];
            const double* row = slab + r * run;
            for (std::size_t j = 0; j < Width; ++j) {
                total[j] += weight * row[j];
            }
        }
        double* target = slab + k * run;
        for (std::size_t j = 0; j < Width; ++j) {
            target[j] = total[j];
        }
    }
}

}  // namespace

EXACTDICE_CLONES
void apply_transposed(double* box, const double* matrix, std::size_t leading,
                      std::size_t outer, std::size_t size, std::size_t run) {
    for (std::size_t o = 0; o < outer; ++o) {
        double* slab = box + o * size * run;
        std::size_t j = 0;
        for (; j + 16 <= run; j += 16) {
            strip_transposed<16>(slab + j, matrix, leading, size, run);
        }
        for (; j + 4 <= run; j += 4) {
            strip_transposed<4>(slab + j, matrix, leading, size, run);
        }
    }
}

EXACTDICE_CLONES
void add_convolution(double* to, std::size_t to_width, const double* first, std::size_t first_width,
                     const double* then, std::size_t then_width, double sign, std::size_t most) {
    constexpr std::size_t block = convolution_pad;
    for (std::size_t start = 0; start <= most; start += block) {
        double total[5][block];
        for (std::size_t row = 0; row < 5; ++row) {
            for (std::size_t j = 0; j < block; ++j) {
                total[row][j] = to[row * to_width + start + j];
            }
        }
        for (std::size_t s = 1; s < start + block; ++s) {
            const double chance = sign * first[s], points = sign * first[first_width + s],
                         kept = sign * first[2 * first_width + s];
            const double* rest = then + start - s;
            for (std::size_t j = 0; j < block; ++j) {
                total[0][j] += chance * rest[j];
                total[1][j] += chance * rest[then_width + j];
                total[1][j] += points * rest[2 * then_width + j];
                total[2][j] += kept * rest[2 * then_width + j];
                total[3][j] += chance * rest[3 * then_width + j];
                total[3][j] += points * rest[4 * then_width + j];
                total[4][j] += kept * rest[4 * then_width + j];
            }
        }
        for (std::size_t row = 0; row < 5; ++row) {
            for (std::size_t j = 0; j < block; ++j) {
                to[row * to_width + start + j] = total[row][j];
            }
        }
    }
}

EXACTDICE_CLONES
void add_renewals(double* all, std::size_t all_width, const double* first, std::size_t first_width,
                  double sign, std::size_t most) {
    for (std::size_t at = 0; at < most; ++at) {
        const double chance = sign * all[at], points = sign * all[all_width + at],
                     kept = sign * all[2 * all_width + at], constant = sign * all[3 * all_width + at],
                     slope = sign * all[4 * all_width + at];
        double* rest = all + at;
#pragma GCC ivdep
        for (std::size_t s = 1; s <= most - at; ++s) {
            const double ends = first[s], gained = first[first_width + s], still = first[2 * first_width + s];
            rest[s] += ends * chance;
            rest[all_width + s] += ends * points;
            rest[all_width + s] += gained * kept;
            rest[2 * all_width + s] += still * kept;
            rest[3 * all_width + s] += ends * constant;
            rest[3 * all_width + s] += gained * slope;
            rest[4 * all_width + s] += still * slope;
        }
    }
}

EXACTDICE_CLONES
void sum_products(double* sums, double sign, std::size_t size, const double* chance, const double* points,
                  const double* since, const double* later, const double* later_points,
                  const double* gone) {
    constexpr std::size_t block = convolution_pad;
    double total[3][block] = {};
    for (std::size_t start = 0; start < size; start += block) {
        for (std::size_t j = 0; j < block; ++j) {
            const double both = sign * chance[start + j];
            total[0][j] += both * later[start + j];
            total[1][j] += sign * points[start + j] * later[start + j];
            total[1][j] += both * later_points[start + j];
            total[1][j] += sign * since[start + j] * gone[start + j];
            total[2][j] += both * gone[start + j];
        }
    }
    for (std::size_t row = 0; row < 3; ++row) {
        sums[row] = 0;
        for (std::size_t j = 0; j < block; ++j) {
            sums[row] += total[row][j];
        }
    }
}

EXACTDICE_CLONES
void apply_triangular(double* box, const double* matrix, std::size_t leading,
                      std::size_t outer, std::size_t size, std::size_t run) {
    for (std::size_t o = 0; o < outer; ++o) {
        double* slab = box + o * size * run;
        std::size_t j = 0;
        for (; j + 16 <= run; j += 16) {
            strip<16>(slab + j, matrix, leading, size, run);
        }
        for (; j + 4 <= run; j += 4) {
            strip<4>(slab + j, matrix, leading, size, run);
        }
        for (; j + 2 <= run; j += 2) {
            strip<2>(slab + j, matrix, leading, size, run);
        }
    }
}

EXACTDICE_CLONES
void add_multiple(double* total, const double* row, std::size_t size, double weight) {
    for (std::size_t i = 0; i < size; ++i) {
        total[i] += weight * row[i];
    }
}

}  // namespace exactdice
