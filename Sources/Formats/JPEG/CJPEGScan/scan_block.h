// What the decoding of codes hands to the inverse transform.

#ifndef SCAN_BLOCK_H
#define SCAN_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    /// A dequantised coefficient that is larger is damage, and libjpeg's own versions differ in its samples.
    LARGEST_COEFFICIENT = 4095,
    /// Up to this position in zigzag order, a coefficient is in the first four rows and columns.
    LAST_OF_QUARTER = 9,
};

/// The quantised coefficients of a block, row by row. From `BEYOND_BLOCK` on there is room for what is decoded past the
/// block's end.
enum { BEYOND_BLOCK = 64 };
typedef struct {
    int16_t coefficients[BEYOND_BLOCK + 8];
    uint32_t last; ///< the position in zigzag order after which all coefficients are 0
} scan_block;

/// The steps of a component, row by row, and the largest coefficients before they are multiplied by them.
typedef struct {
    int16_t steps[64];
    int16_t limits[64];
} component_steps;

#endif
