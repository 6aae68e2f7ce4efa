// The inner loop of a roll: a lower triangular matrix applied along one axis of a box.
#pragma once

#include <cstddef>

namespace exactdice {

// For each of `outer` slabs of `size` rows of `run` doubles, replace row r by
// Σ_{k ≤ r} matrix[r·leading + k]·row k, summed in the order k = 0, 1, …; `run` is even. The order and
// the operations do not depend on the machine: multiplications and additions are never fused.
void apply_triangular(double* box, const double* matrix, std::size_t leading,
                      std::size_t outer, std::size_t size, std::size_t run);

}  // namespace exactdice
