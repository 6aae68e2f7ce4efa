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

}  // namespace

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
