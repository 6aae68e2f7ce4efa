// The inner loops: a lower triangular matrix or its transpose applied along one axis of a box, as a
// roll does; convolutions of what takes several rounds; and a multiple of one row added to another.
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

// The laws of what takes several rounds are five rows of numbers by rounds, 0 … most: chance, points, kept,
// A and B, one `width` after the other. Rows end with whole blocks of `convolution_pad`, and as many zeros
// stand before them; what is behind `most` in the last block may be anything. `sign` is −1 where all
// numbers are lower bounds, negated: a factor is then taken back, so that products keep their sign.
constexpr std::size_t convolution_pad = 8;
constexpr std::size_t padded(std::size_t most) { return (most / convolution_pad + 1) * convolution_pad; }

// Add what happens first and then: with * for the convolution, chance*chance, chance*points + points*kept,
// kept*kept, chance*A + points*B and kept*B. What happens first takes a round at least.
void add_convolution(double* to, std::size_t to_width, const double* first, std::size_t first_width,
                     const double* then, std::size_t then_width, double sign, std::size_t most);

// The same where what happens then is `all`, to which it is added.
void add_renewals(double* all, std::size_t all_width, const double* first, std::size_t first_width,
                  double sign, std::size_t most);

// The sums Σ chance·later, Σ points·later + chance·later_points + since·gone and Σ chance·gone.
void sum_products(double* sums, double sign, std::size_t size, const double* chance, const double* points,
                  const double* since, const double* later, const double* later_points,
                  const double* gone);

// total[i] += weight·row[i]
void add_multiple(double* total, const double* row, std::size_t size, double weight);

}  // namespace exactdice
