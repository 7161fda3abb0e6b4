// The loops of JPEG's forward transform and quantisation. Included by kernel_loops.h after plane_loops.h, once per CPU
// level.

static void LEVEL_NAME(bgra_to_words_row)(
    int16_t *destination, const uint8_t *source, size_t width, const int16_t *factors, int32_t offset,
    int fraction_bits) {
    int shift = 15 - fraction_bits;
    offset += 1 << (shift - 1);
    for (size_t x = 0; x < width; x += 16) {
        size_t count = width - x < 16 ? width - x : 16;
        i16x32 blue_red, green;
        if (count == 16) load_pixels(&blue_red, &green, source + x * 4, 16);
        else load_pixels(&blue_red, &green, source + x * 4, count);
        i32x16 sums = (weigh_pixels(blue_red, green, factors) + offset) >> shift;
        i16x16 words = CONVERT(sums << (4 - fraction_bits), i16x16);
        if (count == 16) memcpy(destination + x, &words, 32); else memcpy(destination + x, &words, count * 2);
    }
}

static void LEVEL_NAME(cut_blocks)(int16_t *blocks, const int16_t *rows, size_t count) {
    for (size_t block = 0; block < count; block++) {
        for (size_t y = 0; y < 8; y++) memcpy(blocks + block * 64 + y * 8, rows + (y * count + block) * 8, 16);
    }
}

// cos(k π / 16) / 2 in 1/32,768. cos(4 π / 16) / 2 = 1 / (2 √2) is also the factor of the mean (ITU-T T.81, A.3.3).
enum { LEVEL_NAME(dct1) = 16069, LEVEL_NAME(dct2) = 15137, LEVEL_NAME(dct3) = 13623, LEVEL_NAME(dct4) = 11585,
       LEVEL_NAME(dct5) = 9102, LEVEL_NAME(dct6) = 6270, LEVEL_NAME(dct7) = 3196 };

/// Returns a × first + b × second for eight columns whose words are interleaved in pairs.
HELPER i32x8 weigh_pairs(i16x16 pairs, int16_t a, int16_t b) {
    int32_t both;
    int16_t factors[2] = {a, b};
    memcpy(&both, factors, sizeof both);
    return multiply_add_16(pairs, (i16x16)(i32x8)(both));
}

HELPER i16x16 zip_columns(i16x8 a, i16x8 b) {
    return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
}

/// Transforms eight columns. Words must be at most 16,383 in magnitude, so that sums of two fit 16 bits. The sums of
/// four products stay below 4 × 32,766 × 11,585 < 2³¹.
HELPER void transform_columns(i16x8 *rows, int shift) {
    const int16_t c1 = LEVEL_NAME(dct1), c2 = LEVEL_NAME(dct2), c3 = LEVEL_NAME(dct3), c4 = LEVEL_NAME(dct4),
                  c5 = LEVEL_NAME(dct5), c6 = LEVEL_NAME(dct6), c7 = LEVEL_NAME(dct7);
    i16x16 s01 = zip_columns(rows[0] + rows[7], rows[1] + rows[6]);
    i16x16 s23 = zip_columns(rows[2] + rows[5], rows[3] + rows[4]);
    i16x16 d01 = zip_columns(rows[0] - rows[7], rows[1] - rows[6]);
    i16x16 d23 = zip_columns(rows[2] - rows[5], rows[3] - rows[4]);
    i32x8 sums[8] = {
        weigh_pairs(s01, c4, c4) + weigh_pairs(s23, c4, c4), weigh_pairs(d01, c1, c3) + weigh_pairs(d23, c5, c7),
        weigh_pairs(s01, c2, c6) + weigh_pairs(s23, -c6, -c2), weigh_pairs(d01, c3, -c7) + weigh_pairs(d23, -c1, -c5),
        weigh_pairs(s01, c4, -c4) + weigh_pairs(s23, -c4, c4), weigh_pairs(d01, c5, -c1) + weigh_pairs(d23, c7, c3),
        weigh_pairs(s01, c6, -c2) + weigh_pairs(s23, c2, -c6), weigh_pairs(d01, c7, -c5) + weigh_pairs(d23, c3, -c1)};
    for (int k = 0; k < 8; k++) rows[k] = CONVERT((sums[k] + (1 << (shift - 1))) >> shift, i16x8);
}

/// Transposes 8 × 8 words: interleaves row n with row n + 4, three times.
HELPER void transpose_8(i16x8 *rows) {
    for (int round = 0; round < 3; round++) {
        i16x8 zipped[8];
        for (int n = 0; n < 4; n++) {
            zipped[2 * n] = __builtin_shufflevector(rows[n], rows[n + 4], 0, 8, 1, 9, 2, 10, 3, 11);
            zipped[2 * n + 1] = __builtin_shufflevector(rows[n], rows[n + 4], 4, 12, 5, 13, 6, 14, 7, 15);
        }
        memcpy(rows, zipped, sizeof zipped);
    }
}

static void LEVEL_NAME(forward_dct)(int16_t *blocks, size_t count, int fraction_bits) {
    for (size_t block = 0; block < count; block++, blocks += 64) {
        i16x8 rows[8];
        memcpy(rows, blocks, sizeof rows);
        // Samples of at most 180 become at most 180 × 2.83 × 32 = 16,301 in the first pass, 180 × 8 × 16 = 23,040 in
        // the second.
        transform_columns(rows, 10 + fraction_bits);
        transpose_8(rows);
        transform_columns(rows, 16);
        transpose_8(rows);
        memcpy(blocks, rows, sizeof rows);
    }
}

typedef float f32x16 __attribute__((ext_vector_type(16)));

static void LEVEL_NAME(quantize_block)(int16_t *result, const int16_t *coefficients, const uint16_t *steps) {
    for (int k = 0; k < 64; k += 16) {
        i16x16 words;
        u16x16 divisors;
        memcpy(&words, coefficients + k, sizeof words);
        memcpy(&divisors, steps + k, sizeof divisors);
        i32x16 values = CONVERT(words, i32x16), step = CONVERT(divisors, i32x16);
        i32x16 dividend = __builtin_elementwise_abs(values) + (step >> 1);
        // The dividend is below 2²⁴, so it is exact as a float. A quotient that is not whole is at least 1 / step below
        // the next whole number, more than the rounding error, so truncation gives the same result as integer division.
        i32x16 quotient = CONVERT(CONVERT(dividend, f32x16) / CONVERT(step, f32x16), i32x16);
        quotient = __builtin_elementwise_min(quotient, (i32x16)(1023));
        i16x16 quantized = CONVERT(values < 0 ? -quotient : quotient, i16x16);
        memcpy(result + k, &quantized, sizeof quantized);
    }
}
