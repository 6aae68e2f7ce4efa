// The inner loops: a lower triangular matrix or its transpose applied along one axis of a box, as a
// roll does; sums of lines; and a multiple of one row added to another.
#pragma once

#include <cstddef>

namespace exactdice {

// For each of `outer` slabs of `size` rows of `run` doubles, replace row r by
// Σ_{k ≤ r} matrix[r·leading + k]·row k, summed in the order k = 0, 1, …; `run` is even. The order and
// the operations do not depend on the machine: multiplications and additions are never fused.
void apply_triangular(double* box, const double* matrix, std::size_t leading,
                      std::size_t outer, std::size_t size, std::size_t run);

// The same with the transposed matrix: row k becomes Σ_{r ≥ k} matrix[r·leading + k]·row r.
void apply_transposed(double* box, const double* matrix, std::size_t leading,
                      std::size_t outer, std::size_t size, std::size_t run);

// Add to eight lines A[j] + B[j]·s what `times` rows of `count` lines a[i] + b[i]·s are worth when
// they come with the chances kept[i][j] and after gains gained[i][j]:
// A[j] += kept·a + gained·b and B[j] += kept·b. Each row has its chances, 16·i + j and 16·i + 8 + j
// doubles in; the first row of lines is at a and b, each later one `back` doubles before the last.
void add_lines(double* A, double* B, const double* chances, std::size_t chances_step,
               const double* a, const double* b, std::size_t back, std::size_t count,
               std::size_t times);

// total[i] += weight·row[i]
void add_multiple(double* total, const double* row, std::size_t size, double weight);

}  // namespace exactdice
