// The loops of Butteraugli, as members of `texel_kernels`.
//
// Rows are floats with the room that `texel_metric_multiple` describes. Kernels that write rows for a later blur write
// zeros from `count` to the next multiple.

#ifndef BUTTERAUGLI_KERNELS_H
#define BUTTERAUGLI_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

#pragma clang assume_nonnull begin

/// How differences are weighed before they are summed along lines.
typedef struct texel_line_weights {
    /// Added to the mean magnitude of both samples, by which their difference is divided.
    float norm;
    /// The factor of the difference.
    float difference;
    /// The factor of what the second sample is too small or too large.
    float deviation;
} texel_line_weights;

typedef struct texel_butteraugli_kernels {
    /// Filters a row as `metric_window_row` does and multiplies each sample of the result by one of `scales`, which has
    /// zeros from `count` to the next multiple.
    void (*blur_row)(
        float *destination, const float *source, const float *scales, size_t count, const float *weights, int radius);

    /// Converts linear light, 0…1, to the opponent colours X, Y and B, adapted to the light around, `blurred`.
    void (*adapted_colors)(
        float *_Nonnull const *_Nonnull colors, const float *_Nonnull const *_Nonnull light,
        const float *_Nonnull const *_Nonnull blurred, size_t count);

    /// Subtracts three rows of low frequencies from `medium`, then scales the low ones.
    void (*split_low)(float *_Nonnull const *_Nonnull low, float *_Nonnull const *_Nonnull medium, size_t count);

    /// Splits three rows of `medium`, of which `blurred` are the lower frequencies, into `medium` and, for X and Y,
    /// `high`.
    void (*split_medium)(
        float *_Nonnull const *_Nonnull medium, float *_Nonnull const *_Nonnull high,
        const float *_Nonnull const *_Nonnull blurred, size_t count);

    /// Splits two rows of `high`, of which `blurred` are the lower frequencies, into `high` and `highest`.
    void (*split_high)(
        float *_Nonnull const *_Nonnull high, float *_Nonnull const *_Nonnull highest,
        const float *_Nonnull const *_Nonnull blurred, size_t count);

    /// Computes weighted differences of two rows.
    void (*weighted_differences)(
        float *destination, const float *first, const float *second, size_t count, const texel_line_weights *weights);

    /// Adds to `sums` the squares of the sums of nine rows of differences along sixteen lines through each sample: of
    /// all samples of the lines, or of every other one.
    void (*add_line_sums)(float *sums, const float *_Nonnull const *_Nonnull rows, size_t count, bool is_sparse);

    /// Adds the weighted squares of the differences of two rows.
    void (*add_squares)(float *sums, const float *first, const float *second, float weight, size_t count);

    /// Adds the weighted squares of the differences, and those of what the second sample is too small or too large.
    void (*add_asymmetric_squares)(
        float *sums, const float *first, const float *second, float difference_weight, float deviation_weight,
        size_t count);

    /// Computes how much the high frequencies hide, from rows of X and Y.
    void (*activity)(
        float *destination, const float *_Nonnull const *_Nonnull high, const float *_Nonnull const *_Nonnull highest,
        size_t count);

    /// Computes the weighted mean of the three smallest of a sample, its double twice, and its eight neighbours at a
    /// distance of three. `rows` are the row three above, the row itself, and the one three below.
    void (*erode)(float *destination, const float *_Nonnull const *_Nonnull rows, size_t count);

    /// Computes the differences that are seen.
    ///
    /// - mask: eroded activity of the first image.
    /// - first, second: blurred activities.
    /// - high, low: sums of squares.
    void (*visible_differences)(
        float *destination, const float *mask, const float *first, const float *second, const float *high,
        const float *low, size_t count);

    /// Adds the differences at half the size to those at full size.
    void (*add_half)(float *differences, const float *half, size_t count);

    /// Adds the third, sixth and twelfth powers of a row to `sums`, and returns its maximum, at least `maximum`.
    float (*add_powers)(double *sums, const float *differences, float maximum, size_t count);
} texel_butteraugli_kernels;

#pragma clang assume_nonnull end

#endif
