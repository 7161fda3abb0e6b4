// The loops that choose JPEG's quantised coefficients, as members of `texel_kernels`.
//
// A block is 64 words, row by row. Coefficients before quantisation are in units of 1/16.

#ifndef TRELLIS_KERNELS_H
#define TRELLIS_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// What `trellis_row` minimises. Arrays of 64 are in zigzag order; costs are in bits and not negative.
typedef struct texel_trellis {
    /// The inverses of the steps, in the unit of the coefficients.
    const float *inverses;
    /// The shares of a block's two weights in the weight of each coefficient.
    const float *fine, *coarse;
    /// The cost of a squared error of one step, at weight 1.
    float per_square;
    /// The first coefficient that is coded in runs, 1…63; those before it have scans of their own.
    int first;
    /// The cost of each of 256 symbols (run × 16 + category), including the bits of the value.
    const float *symbols;
    /// For each of 12 categories, the least cost of the symbols that have it or the category below.
    const float *least_rates;
    /// The cost of the end of a block, with and without nonzero coefficients.
    float end, empty_end;
    /// The costs of 12 categories for each coefficient before `first`, including the bits of the value.
    const float *alone;
} texel_trellis;

/// What `trellis_means` minimises.
typedef struct texel_mean_trellis {
    /// The inverse of the step, in the unit of the coefficients.
    float inverse;
    /// The cost of a squared error of one step.
    float per_square;
    /// The costs of 12 categories of differences, including the bits of the value.
    const float *rates;
} texel_mean_trellis;

typedef struct texel_trellis_kernels {
    /// Writes a bit for each of 64 samples that are at least `white`, then for those that are at most `black`.
    void (*saturated_samples)(uint64_t *masks, const int16_t *samples, int16_t white, int16_t black);

    /// Writes the masks of the AC coefficients whose magnitudes are at least 1, 2, 4 and 8: bit k stands for the
    /// coefficient at position k in zigzag order.
    void (*coefficient_masks)(uint64_t *masks, const int16_t *block);

    /// Writes for each column of a block the sum of the squared differences between its coefficients and the quantised
    /// ones times `steps`.
    void (*rounding_errors)(
        float *sums, const int16_t *coefficients, const int16_t *quantized, const float *steps);

    /// Writes four sums over the AC coefficients of each column: their squared rounding errors; their squares before
    /// and after rounding; and both of these times the `response` to the column and to the row.
    void (*masking_sums)(
        float *sums, const int16_t *coefficients, const int16_t *quantized, const float *steps, const float *response);

    /// Quantises the AC coefficients of `count` blocks in place. Each becomes the nearest value, of at most 1,023, the
    /// next smaller one, or zero: the path in zigzag order with the least sum of weighted squared errors and bits.
    ///
    /// `weights` has two numbers for each block; without it, errors weigh 1.
    void (*trellis_row)(
        int16_t *blocks, size_t count, const float *_Nullable weights, const texel_trellis *trellis);

    /// Quantises the DC coefficients of `count` blocks in place. Each becomes the nearest value, limited to a magnitude
    /// of 1,023, or one of its neighbours: those with the least sum of squared errors and bits (Viterbi algorithm).
    ///
    /// `previous` has room for three bytes for each block; `before` is the value from which the first one is predicted.
    void (*trellis_means)(
        int16_t *blocks, size_t count, uint8_t *previous, int before, const texel_mean_trellis *trellis);
} texel_trellis_kernels;

#pragma clang assume_nonnull end

#endif
