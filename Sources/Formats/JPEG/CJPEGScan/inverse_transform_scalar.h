// The inverse transforms of libjpeg in plain C: the accurate integer transform of 8 × 8 coefficients, and the reduced
// ones to 4 × 4 and 2 × 2 samples. The arithmetic is that of jidctint.c and jidctred.c by Thomas G. Lane (Independent
// JPEG Group, 1991–1998), after C. Loeffler, A. Ligtenberg and G. Moschytz, Practical Fast 1-D DCT Algorithms with 11
// Multiplications, 1989; intermediate results have 16 bits, as in libjpeg-turbo's vector code.

#ifndef INVERSE_TRANSFORM_SCALAR_H
#define INVERSE_TRANSFORM_SCALAR_H

#include "inverse_transform_factors.h"
#include "scan_block.h"

static inline int16_t saturated(int32_t value) {
    return (int16_t)(value < INT16_MIN ? INT16_MIN : value > INT16_MAX ? INT16_MAX : value);
}

static inline int16_t descaled(int32_t value, int shift) { return saturated((value + (1 << (shift - 1))) >> shift); }

static inline uint8_t sample(int16_t value) { return (uint8_t)(value < -128 ? 0 : value > 127 ? 255 : value + 128); }

/// One dimension of the 8 × 8 transform.
static inline void transform_8(const int16_t *in, size_t step, int16_t *out, int shift) {
    int32_t x[8];
    for (size_t i = 0; i < 8; i++) x[i] = in[i * step];
    int32_t low = (int16_t)(x[0] + x[4]) * (1 << FACTOR_BITS), high = (int16_t)(x[0] - x[4]) * (1 << FACTOR_BITS);
    int32_t even2 = x[2] * F_0_541 + x[6] * (F_0_541 - F_1_847), even3 = x[2] * (F_0_541 + F_0_765) + x[6] * F_0_541;
    int32_t even[4] = {low + even3, high + even2, high - even2, low - even3};
    int32_t z3 = (int16_t)(x[7] + x[3]), z4 = (int16_t)(x[5] + x[1]);
    int32_t sum3 = z3 * (F_1_175 - F_1_961) + z4 * F_1_175, sum4 = z3 * F_1_175 + z4 * (F_1_175 - F_0_390);
    int32_t odd[4] = {
        x[7] * -F_0_899 + x[1] * (F_1_501 - F_0_899) + sum4,
        x[5] * -F_2_562 + x[3] * (F_3_072 - F_2_562) + sum3,
        x[5] * (F_2_053 - F_2_562) + x[3] * -F_2_562 + sum4,
        x[7] * (F_0_298 - F_0_899) + x[1] * -F_0_899 + sum3,
    };
    for (int i = 0; i < 4; i++) {
        out[i] = descaled(even[i] + odd[i], shift);
        out[7 - i] = descaled(even[i] - odd[i], shift);
    }
}

/// One dimension of the transform to 4 samples. `x[4]` is not used.
static inline void transform_4(const int16_t *in, size_t step, int16_t *out, int shift) {
    int32_t x[8];
    for (size_t i = 0; i < 8; i++) x[i] = in[i * step];
    int32_t even0 = x[0] * (1 << (FACTOR_BITS + 1)), even2 = x[2] * F_1_847 - x[6] * F_0_765;
    int32_t odd0 = x[7] * -F_0_211 + x[5] * F_1_451 + x[3] * -F_2_172 + x[1] * F_1_061;
    int32_t odd2 = x[7] * -F_0_509 + x[5] * -F_0_601 + x[3] * F_0_899 + x[1] * F_2_562;
    out[0] = descaled(even0 + even2 + odd2, shift);
    out[3] = descaled(even0 + even2 - odd2, shift);
    out[1] = descaled(even0 - even2 + odd0, shift);
    out[2] = descaled(even0 - even2 - odd0, shift);
}

/// One dimension of the transform to 2 samples, from `x[0]` and the odd ones.
static inline void transform_2(const int16_t *in, size_t step, int16_t *out, int shift) {
    int32_t even = in[0] * (1 << (FACTOR_BITS + 2));
    int32_t odd = in[7 * step] * -F_0_720 + in[5 * step] * F_0_850 + in[3 * step] * -F_1_272 + in[step] * F_3_624;
    out[0] = descaled(even + odd, shift);
    out[1] = descaled(even - odd, shift);
}

#define TRANSFORM(SIZE)                                                                                              \
    static inline void samples_##SIZE(const int16_t *coefficients, uint8_t *samples, size_t bytes_per_row) {         \
        int16_t columns[8][SIZE], row[SIZE];                                                                         \
        for (size_t x = 0; x < 8; x++) {                                                                             \
            transform_##SIZE(coefficients + x, 8, columns[x], FIRST_SHIFT_##SIZE);                                   \
        }                                                                                                            \
        for (size_t y = 0; y < SIZE; y++) {                                                                          \
            transform_##SIZE(&columns[0][y], SIZE, row, SECOND_SHIFT_##SIZE);                                        \
            for (size_t x = 0; x < SIZE; x++) samples[y * bytes_per_row + x] = sample(row[x]);                       \
        }                                                                                                            \
    }
TRANSFORM(8)
TRANSFORM(4)
TRANSFORM(2)
#undef TRANSFORM

/// Dequantises two blocks and makes their samples, side by side. Returns false if a coefficient is too large.
static inline bool transform_pair(const scan_block *const pair[2], const component_steps *steps, int size,
                                  uint8_t *samples, size_t bytes_per_row) {
    for (size_t i = 0; i < 2; i++) {
        int16_t coefficients[64];
        for (size_t k = 0; k < 64; k++) {
            int32_t value = pair[i]->coefficients[k];
            if (value > steps->limits[k] || value < -steps->limits[k]) return false;
            coefficients[k] = (int16_t)(value * steps->steps[k]);
        }
        uint8_t *at = samples + i * (size_t)size;
        switch (size) {
        case 8: samples_8(coefficients, at, bytes_per_row); break;
        case 4: samples_4(coefficients, at, bytes_per_row); break;
        default: samples_2(coefficients, at, bytes_per_row); break;
        }
    }
    return true;
}

#endif
