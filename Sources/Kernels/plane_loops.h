// The loops over planes. Included by kernel_loops.h, once per CPU level.

#define ZIP_LOW 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define ZIP_HIGH 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31

/// Transposes 16 × 16 samples in place: interleaves row n with row n + 8, four times.
HELPER void transpose_16(u8x16 rows[16]) {
    u8x16 zipped[16];
    for (int round = 0; round < 4; round++) {
        for (int n = 0; n < 8; n++) {
            zipped[2 * n] = __builtin_shufflevector(rows[n], rows[n + 8], ZIP_LOW);
            zipped[2 * n + 1] = __builtin_shufflevector(rows[n], rows[n + 8], ZIP_HIGH);
        }
        memcpy(rows, zipped, sizeof zipped);
    }
}

static void LEVEL_NAME(transpose_plane)(
    uint8_t *destination, ptrdiff_t destination_stride, const uint8_t *source, ptrdiff_t source_stride, size_t width,
    size_t height) {
    for (size_t top = 0; top < height; top += 16) {
        for (size_t left = 0; left < width; left += 16) {
            uint8_t *to = destination + (ptrdiff_t)top * destination_stride + left;
            const uint8_t *from = source + (ptrdiff_t)left * source_stride + top;
            if (top + 16 <= height && left + 16 <= width) {
                u8x16 rows[16];
                for (int n = 0; n < 16; n++) memcpy(&rows[n], from + n * source_stride, 16);
                transpose_16(rows);
                for (int n = 0; n < 16; n++) memcpy(to + n * destination_stride, &rows[n], 16);
                continue;
            }
            for (size_t y = 0; y < 16 && top + y < height; y++)
                for (size_t x = 0; x < 16 && left + x < width; x++)
                    to[(ptrdiff_t)y * destination_stride + (ptrdiff_t)x] =
                        from[(ptrdiff_t)x * source_stride + (ptrdiff_t)y];
        }
    }
}

static void LEVEL_NAME(limit_words_row)(int16_t *destination, const uint8_t *source, size_t count, int limit) {
    const u16x32 limits = (uint16_t)limit;
    for (size_t x = 0; x < count; x += 32) {
        size_t bytes = count - x < 32 ? (count - x) * 2 : 64;
        u16x32 words = 0;
        if (bytes == 64) memcpy(&words, source + x * 2, 64); else memcpy(&words, source + x * 2, bytes);
        words = __builtin_elementwise_min(words, limits);
        if (bytes == 64) memcpy(destination + x, &words, 64); else memcpy(destination + x, &words, bytes);
    }
}

/// Returns four numbers that add up to the sum of `taps` products.
HELPER i32x4 window_sums(const int16_t *samples, const int16_t *weights, size_t taps) {
    i32x8 sums = 0;
    size_t tap = 0;
    for (; tap + 16 <= taps; tap += 16) {
        i16x16 a, b;
        memcpy(&a, samples + tap, sizeof a);
        memcpy(&b, weights + tap, sizeof b);
        sums += multiply_add_16(a, b);
    }
    if (tap < taps) {
        i16x16 a = 0, b = 0;
        memcpy(&a, samples + tap, sizeof a / 2);
        memcpy(&b, weights + tap, sizeof b / 2);
        sums += multiply_add_16(a, b);
    }
    return sums.lo + sums.hi;
}

/// Returns a[0] + a[2], b[0] + b[2], a[1] + a[3], b[1] + b[3].
HELPER i32x4 half_sums(i32x4 a, i32x4 b) {
    return __builtin_shufflevector(a, b, 0, 4, 1, 5) + __builtin_shufflevector(a, b, 2, 6, 3, 7);
}

static void LEVEL_NAME(resample_horizontal_words)(
    int16_t *destination, const int16_t *source, size_t width, const int32_t *starts, const int16_t *weights,
    size_t taps, int shift) {
    for (size_t x = 0; x < width; x += 4) {
        size_t count = width - x < 4 ? width - x : 4;
        i32x4 windows[4] = {0};
        for (size_t n = 0; n < count; n++, weights += taps)
            windows[n] = window_sums(source + starts[x + n], weights, taps);
        i32x4 first = half_sums(windows[0], windows[1]), second = half_sums(windows[2], windows[3]);
        i32x4 sums = __builtin_shufflevector(first, second, 0, 1, 4, 5)
            + __builtin_shufflevector(first, second, 2, 3, 6, 7) + (1 << (shift - 1));
        i32x4 limited = __builtin_elementwise_min(
            __builtin_elementwise_max(sums >> shift, (i32x4)(0)), (i32x4)(32767));
        i16x4 result = CONVERT(limited, i16x4);
        if (count == 4) memcpy(destination + x, &result, 8); else memcpy(destination + x, &result, count * 2);
    }
}
