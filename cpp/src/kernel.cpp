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
void add_lines(double* A, double* B, const double* chances, std::size_t chances_step,
               const double* a, const double* b, std::size_t back, std::size_t count,
               std::size_t times) {
    double total_A[8], total_B[8];
    for (std::size_t j = 0; j < 8; ++j) {
        total_A[j] = A[j];
        total_B[j] = B[j];
    }
    for (std::size_t row = 0; row < times; ++row) {
        const double* kept = chances + row * chances_step;
        const double* constants = a - row * back;
        const double* slopes = b - row * back;
        for (std::size_t i = 0; i < count; ++i, kept += 16) {
            const double constant = constants[i], slope = slopes[i];
            for (std::size_t j = 0; j < 8; ++j) {
                total_A[j] += kept[j] * constant;
                total_A[j] += kept[8 + j] * slope;
                total_B[j] += kept[j] * slope;
            }
        }
    }
    for (std::size_t j = 0; j < 8; ++j) {
        A[j] = total_A[j];
        B[j] = total_B[j];
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
