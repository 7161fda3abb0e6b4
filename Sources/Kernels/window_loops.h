// Weighted windows: the Gaussian blur, and sharpening. Included by kernel_loops.h, once per CPU level.
//
// Between the two passes of a blur samples are words: 64 or 128 per step of eight bits. Rows of words have room for a
// multiple of `texel_window_multiple`, so that whole vectors are read and written.

/// Loads 32 bytes, or fewer and zeros.
HELPER i16x32 load_bytes_as_words(const uint8_t *bytes, size_t count) {
    u8x32 result = 0;
    memcpy(&result, bytes, count);
    return CONVERT(result, i16x32);
}

/// Returns the weighted sums of `count` samples, at most 32. A sum of two bytes is at most 510, times 64 it is 32,640.
/// The weights add up to 2¹⁵ and each product is rounded by at most half a word, so a result is at most
/// 255 × 64 + (radius + 1) / 2.
HELPER i16x32 window_of_rows(
    const uint8_t *const *rows, size_t x, size_t count, const int16_t *weights, size_t radius) {
    i16x32 center = load_bytes_as_words(rows[radius] + x, count);
    i16x32 sum = multiply_round(center << 6, (i16x32)(weights[0]));
    for (size_t k = 1; k <= radius; k++) {
        i16x32 above = load_bytes_as_words(rows[radius - k] + x, count);
        i16x32 below = load_bytes_as_words(rows[radius + k] + x, count);
        sum += multiply_round((above + below) << 6, (i16x32)(weights[k]));
    }
    return sum;
}

static void LEVEL_NAME(window_rows)(
    int16_t *destination, const uint8_t *const *rows, size_t count, const int16_t *weights, size_t radius) {
    size_t x = 0;
    for (; x + 32 <= count; x += 32) store_words(destination + x, window_of_rows(rows, x, 32, weights, radius));
    if (x < count) store_words(destination + x, window_of_rows(rows, x, count - x, weights, radius));
}

/// Stores the first `count` of 32 words as bytes, clamped to 0…255.
HELPER void store_words_as_bytes(uint8_t *destination, i16x32 words, size_t count) {
    u8x32 bytes = CONVERT(
        __builtin_elementwise_min(__builtin_elementwise_max(words, (i16x32)(0)), (i16x32)(255)), u8x32);
    if (count >= 32) memcpy(destination, &bytes, 32); else memcpy(destination, &bytes, count);
}

/// A word is at most 255 × 64 + (radius + 1) / 2, so a sum of two fits 16 bits: the radius is at most 62.
static void LEVEL_NAME(window_row)(
    uint8_t *destination, const int16_t *source, size_t count, const int16_t *weights, size_t radius) {
    for (size_t x = 0; x < count; x += 32) {
        i16x32 sum = multiply_round(load_words(source + x), (i16x32)(weights[0]));
        for (size_t k = 1; k <= radius; k++) {
            i16x32 pair = load_words(source + x - 4 * k) + load_words(source + x + 4 * k);
            sum += multiply_round(pair, (i16x32)(weights[k]));
        }
        store_words_as_bytes(destination + x, (sum + 32) >> 6, count - x);
    }
}

/// Filters `vectors` × 64 bytes of every row; like vertical_block_u8, with words as the result.
HELPER void shrink_block(
    int16_t *destination, const uint8_t *const *rows, const int16_t *weights, size_t taps, size_t begin, int vectors,
    size_t count) {
    // Non-negative weights that add up to 2¹⁵: a sum is at most 255 × 2¹⁵ + 2⁷.
    i32x16 sums[LEVEL_NAME(block_vectors)][4];
    for (int v = 0; v < vectors; v++)
        for (int k = 0; k < 4; k++) sums[v][k] = (i32x16)(1 << 7);
    for (size_t tap = 0; tap < taps; tap += 2) {
        size_t next = tap + 1 < taps ? tap + 1 : tap;
        int32_t weight_pair = (uint16_t)weights[tap] | (tap == next ? 0 : (int32_t)weights[next] * 65536);
        i16x32 pairs = (i16x32)(i32x16)(weight_pair);
        for (int v = 0; v < vectors; v++) {
            u16x32 a = 0, b = 0;
            memcpy(&a, rows[tap] + begin + v * 64, count);
            memcpy(&b, rows[next] + begin + v * 64, count);
            u16x32 low = __builtin_shufflevector(a, b, LANES16(ZIP_WORDS, 0));
            u16x32 high = __builtin_shufflevector(a, b, LANES16(ZIP_WORDS, 4));
            sums[v][0] += multiply_add_32((i16x32)(low & (uint16_t)255), pairs);
            sums[v][1] += multiply_add_32((i16x32)(low >> (uint16_t)8), pairs);
            sums[v][2] += multiply_add_32((i16x32)(high & (uint16_t)255), pairs);
            sums[v][3] += multiply_add_32((i16x32)(high >> (uint16_t)8), pairs);
        }
    }
    for (int v = 0; v < vectors; v++) {
        // A double word of a result holds an even and an odd sample.
        i32x16 low = sums[v][0] >> 8 | (sums[v][1] >> 8) << 16, high = sums[v][2] >> 8 | (sums[v][3] >> 8) << 16;
        i32x16 first = __builtin_shufflevector(low, high, UNZIP(0), UNZIP(4));
        i32x16 second = __builtin_shufflevector(low, high, UNZIP(8), UNZIP(12));
        int16_t *words = destination + begin + v * 64;
        if (count == 64) {
            memcpy(words, &first, 64);
            memcpy(words + 32, &second, 64);
        } else {
            memcpy(words, &first, count < 32 ? count * 2 : 64);
            if (count > 32) memcpy(words + 32, &second, count * 2 - 64);
        }
    }
}

static void LEVEL_NAME(shrink_rows)(
    int16_t *destination, const uint8_t *const *rows, const int16_t *weights, size_t taps, size_t count) {
    size_t begin = 0;
    for (; begin + 256 <= count; begin += 256) shrink_block(destination, rows, weights, taps, begin, 4, 64);
    for (; begin + 64 <= count; begin += 64) shrink_block(destination, rows, weights, taps, begin, 1, 64);
    if (begin == count) return;
    if (count >= 64) shrink_block(destination, rows, weights, taps, count - 64, 1, 64);
    else shrink_block(destination, rows, weights, taps, 0, 1, count);
}

/// Non-negative weights that add up to 2¹⁵, so that a sum is at most 255 × 128 plus half a word per row.
static void LEVEL_NAME(enlarge_rows)(
    uint8_t *destination, const int16_t *const *rows, const int16_t *weights, size_t taps, size_t count) {
    for (size_t x = 0; x < count; x += 32) {
        i16x32 sum = 64;
        for (size_t tap = 0; tap < taps; tap++)
            sum += multiply_round(load_words(rows[tap] + x), (i16x32)(weights[tap]));
        store_words_as_bytes(destination + x, sum >> 7, count - x);
    }
}

/// Sharpens eight pixels. The difference is at most 255, times 16 it is 4,080; times `amount` / 2¹⁵, which is less than
/// one, the change fits 16 bits, and so does its sum with a byte.
HELPER u8x32 sharpen_8(u8x32 pixels, u8x32 blurred, i16x32 amount, i16x32 threshold) {
    const u8x32 alpha_bytes = {ALPHA_BYTES, ALPHA_BYTES};
    // Blurred colours contain the blurred alpha, so the pixel's are multiplied by it too.
    u16x32 product = CONVERT(pixels, u16x32) * CONVERT(SHUFFLE(blurred, ALPHA32), u16x32) + (uint16_t)127;
    // product / 255, exact below 65,535.
    u16x32 weighted = (product + (uint16_t)1 + (product >> (uint16_t)8)) >> (uint16_t)8;
    i16x32 difference = (i16x32)weighted - CONVERT(blurred, i16x32);
    i16x32 change = multiply_round(difference << 4, amount) & (__builtin_elementwise_abs(difference) >= threshold);
    i16x32 result = CONVERT(pixels, i16x32) + change;
    result = __builtin_elementwise_min(__builtin_elementwise_max(result, (i16x32)(0)), (i16x32)(255));
    return (CONVERT(result, u8x32) & ~alpha_bytes) | (pixels & alpha_bytes);
}

static void LEVEL_NAME(sharpen_row)(
    uint8_t *destination, const uint8_t *source, const uint8_t *blurred, size_t width, int amount, int threshold) {
    for (size_t x = 0; x < width; x += 8) {
        size_t bytes = width - x < 8 ? (width - x) * 4 : 32;
        u8x32 pixels = 0, mean = 0;
        if (bytes == 32) memcpy(&pixels, source + x * 4, 32); else memcpy(&pixels, source + x * 4, bytes);
        if (bytes == 32) memcpy(&mean, blurred + x * 4, 32); else memcpy(&mean, blurred + x * 4, bytes);
        pixels = sharpen_8(pixels, mean, (i16x32)((int16_t)amount), (i16x32)((int16_t)threshold));
        if (bytes == 32) memcpy(destination + x * 4, &pixels, 32); else memcpy(destination + x * 4, &pixels, bytes);
    }
}
