// The inner loops: a lower triangular matrix applied along one axis of a box, as a roll does, and a
// multiple of one row added to another.
#pragma once

#include <cstddef>

namespace exactdice {

// For each of `outer` slabs of `size` rows of `run` doubles, replace row r by
// Σ_{k ≤ r} matrix[r·leading + k]·row k, summed in the order k = 0, 1, …; `run` is even. The order and
// the operations do not depend on the machine: multiplications and additions are never fused.
void apply_triangular(double* box, const double* matrix, std::size_t leading,
                      std::size_t outer, std::size_t size, std::size_t run);

// total[i] += weight·row[i]
void add_multiple(double* total, const double* row, std::size_t size, double weight);

}  // namespace exactdice
