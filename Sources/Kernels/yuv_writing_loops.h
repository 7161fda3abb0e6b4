// The loops from BGRA to YUV. Included by kernel_loops.h after yuv_loops.h, once per CPU level.

/// Loads 16 pixels, of which `count` exist.
HELPER void load_pixels(i16x32 *blue_red, i16x32 *green, const uint8_t *pixels, size_t count) {
    u16x32 words = 0;
    if (count == 16) memcpy(&words, pixels, 64); else memcpy(&words, pixels, count * 4);
    *blue_red = (i16x32)(words & (uint16_t)255);
    // The other byte of each pair is alpha; its weight is 0.
    *green = (i16x32)(words >> (uint16_t)8);
}

/// Returns the weighted sums of blue, green and red of 16 pixels.
HELPER i32x16 weigh_pixels(i16x32 blue_red, i16x32 green, const int16_t *factors) {
    int32_t of_blue_red, of_green = (uint16_t)factors[1];
    int16_t pair[2] = {factors[0], factors[2]};
    memcpy(&of_blue_red, pair, sizeof of_blue_red);
    return multiply_add_32(blue_red, (i16x32)(i32x16)(of_blue_red))
        + multiply_add_32(green, (i16x32)(i32x16)(of_green));
}

static void LEVEL_NAME(bgra_to_luma_row)(
    uint8_t *destination, const uint8_t *source, size_t width, const texel_rgb_matrix *matrix) {
    const texel_rgb_matrix factors = *matrix;
    for (size_t x = 0; x < width; x += 16) {
        size_t count = width - x < 16 ? width - x : 16;
        i16x32 blue_red, green;
        if (count == 16) load_pixels(&blue_red, &green, source + x * 4, 16);
        else load_pixels(&blue_red, &green, source + x * 4, count);
        // At most 255 because of the sum of the factors, and never negative.
        u8x16 luma = CONVERT((weigh_pixels(blue_red, green, factors.luma) + factors.black) >> 15, u8x16);
        if (count == 16) memcpy(destination + x, &luma, 16); else memcpy(destination + x, &luma, count);
    }
}

/// Stores one chroma channel of 16 pixels, in words of 1/64.
HELPER void store_difference(int16_t *destination, i16x32 blue_red, i16x32 green, const int16_t *factors) {
    i16x16 words = CONVERT((weigh_pixels(blue_red, green, factors) + (1 << 8)) >> 9, i16x16);
    memcpy(destination, &words, sizeof words);
}

/// Stores the chroma of 32 pixels, of which `count` exist.
HELPER void store_differences(
    int16_t *chroma, ptrdiff_t part, const uint8_t *pixels, size_t count, const texel_rgb_matrix *matrix) {
    u32x16 first = 0, second = 0;
    memcpy(&first, pixels, count < 16 ? count * 4 : 64);
    if (count > 16) memcpy(&second, pixels + 64, (count - 16) * 4);
    u16x32 columns[2] = {
        (u16x32)__builtin_shufflevector(first, second, EVEN16), (u16x32)__builtin_shufflevector(first, second, ODD16)};
    for (int odd = 0; odd < 2; odd++) {
        i16x32 blue_red = (i16x32)(columns[odd] & (uint16_t)255), green = (i16x32)(columns[odd] >> (uint16_t)8);
        store_difference(chroma + odd * part, blue_red, green, matrix->u);
        store_difference(chroma + (2 + odd) * part, blue_red, green, matrix->v);
    }
}

static void LEVEL_NAME(bgra_to_chroma_row)(
    int16_t *chroma, ptrdiff_t part, const uint8_t *source, size_t width, const texel_rgb_matrix *matrix) {
    // A local copy, so that the compiler knows that stores to `chroma` do not change it.
    const texel_rgb_matrix factors = *matrix;
    size_t x = 0;
    for (; x + 32 <= width; x += 32) store_differences(chroma + x / 2, part, source + x * 4, 32, &factors);
    if (x < width) store_differences(chroma + x / 2, part, source + x * 4, width - x, &factors);
}

/// Returns half the cubic sum of sums of two samples: a filter of eight taps at distances of 1/4, 3/4, 5/4 and 7/4 of
/// the result's steps. Words of 1/64 are at most 127.5 × 64 × 1.225 < 10,000 after the first pass, so no sum exceeds 16
/// bits.
HELPER i16x32 halved_sum(i16x32 sevenths, i16x32 thirds, i16x32 firsts, i16x32 fifths) {
    return (cubic_sum(sevenths, thirds, firsts, fifths) + (int16_t)1) >> (int16_t)1;
}

static void LEVEL_NAME(halve_chroma_row)(int16_t *destination, const int16_t *even, const int16_t *odd, size_t count) {
    for (size_t x = 0; x < count; x += 32) {
        const int16_t *e = even + x, *o = odd + x;
        store_words(
            destination + x,
            halved_sum(
                load_words(o - 2) + load_words(e + 2), load_words(o - 1) + load_words(e + 1),
                load_words(e) + load_words(o), load_words(e - 1) + load_words(o + 1)));
    }
}

static void LEVEL_NAME(halve_chroma_rows)(int16_t *destination, const int16_t *const *rows, size_t count) {
    for (size_t x = 0; x < count; x += 32) {
        store_words(
            destination + x,
            halved_sum(
                load_words(rows[0] + x) + load_words(rows[7] + x), load_words(rows[2] + x) + load_words(rows[5] + x),
                load_words(rows[3] + x) + load_words(rows[4] + x), load_words(rows[1] + x) + load_words(rows[6] + x)));
    }
}

/// Converts words of 1/64 around neutral to samples.
HELPER u8x32 narrow_words(const int16_t *words) {
    const i16x32 zero = 0, limit = 255;
    i16x32 samples = ((load_words(words) + (int16_t)32) >> (int16_t)6) + (int16_t)128;
    return CONVERT(__builtin_elementwise_min(__builtin_elementwise_max(samples, zero), limit), u8x32);
}

static void LEVEL_NAME(narrow_chroma_row)(uint8_t *destination, const int16_t *source, size_t count) {
    for (size_t x = 0; x < count; x += 32) {
        u8x32 samples = narrow_words(source + x);
        if (count - x >= 32) memcpy(destination + x, &samples, 32);
        else memcpy(destination + x, &samples, count - x);
    }
}

static void LEVEL_NAME(zip_chroma_row)(uint8_t *destination, const int16_t *even, const int16_t *odd, size_t count) {
    for (size_t x = 0; x < count; x += 64) {
        u8x32 a = narrow_words(even + x / 2), b = narrow_words(odd + x / 2);
        u8x64 samples = __builtin_shufflevector(
            a, b, ZIP_BYTES(32, 0), ZIP_BYTES(32, 8), ZIP_BYTES(32, 16), ZIP_BYTES(32, 24));
        if (count - x >= 64) memcpy(destination + x, &samples, 64);
        else memcpy(destination + x, &samples, count - x);
    }
}
