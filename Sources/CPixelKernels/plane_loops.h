// The loops over planes of one byte per sample. Included by kernel_loops.h, once per CPU level.

typedef uint8_t u8x4 __attribute__((ext_vector_type(4)));
typedef uint8_t u8x8 __attribute__((ext_vector_type(8)));
typedef int16_t i16x8 __attribute__((ext_vector_type(8)));

// Bytes are widened by interleaving them with zeros: if the compiler knows that words are widened bytes, it splits each
// multiply-add in two.
#define WIDEN8(n, zero) n, zero, n + 1, zero, n + 2, zero, n + 3, zero, \
    n + 4, zero, n + 5, zero, n + 6, zero, n + 7, zero

/// Returns four partial sums of `taps` samples, each multiplied by its weight.
HELPER i32x4 plane_sums(const uint8_t *samples, const int16_t *weights, size_t taps) {
    i32x8 sums = 0;
    const u8x16 zeros = 0;
    size_t tap = 0;
    for (; tap + 16 <= taps; tap += 16) {
        u8x16 bytes;
        i16x16 factors;
        memcpy(&bytes, samples + tap, sizeof bytes);
        memcpy(&factors, weights + tap, sizeof factors);
        sums += multiply_add_16(
            (i16x16)__builtin_shufflevector(bytes, zeros, WIDEN8(0, 16), WIDEN8(8, 16)), factors);
    }
    i32x4 four = sums.lo + sums.hi;
    if (tap < taps) {
        u8x8 bytes;
        i16x8 factors;
        memcpy(&bytes, samples + tap, sizeof bytes);
        memcpy(&factors, weights + tap, sizeof factors);
        i16x8 widened = (i16x8)__builtin_shufflevector(bytes, zeros.lo, WIDEN8(0, 8));
        four += CONVERT(SHUFFLE(widened, 0, 2, 4, 6), i32x4) * CONVERT(SHUFFLE(factors, 0, 2, 4, 6), i32x4)
            + CONVERT(SHUFFLE(widened, 1, 3, 5, 7), i32x4) * CONVERT(SHUFFLE(factors, 1, 3, 5, 7), i32x4);
    }
    return four;
}

/// Returns four output samples from their partial sums: added up, rounded, shifted, clamped.
HELPER u8x4 finish_samples(i32x4 a, i32x4 b, i32x4 c, i32x4 d, int shift) {
    i32x4 ab = __builtin_shufflevector(a, b, 0, 2, 4, 6) + __builtin_shufflevector(a, b, 1, 3, 5, 7);
    i32x4 cd = __builtin_shufflevector(c, d, 0, 2, 4, 6) + __builtin_shufflevector(c, d, 1, 3, 5, 7);
    i32x4 sums = __builtin_shufflevector(ab, cd, 0, 2, 4, 6) + __builtin_shufflevector(ab, cd, 1, 3, 5, 7);
    sums = (sums + (1 << (shift - 1))) >> shift;
    return CONVERT(__builtin_elementwise_min(__builtin_elementwise_max(sums, (i32x4)(0)), (i32x4)(255)), u8x4);
}

static void LEVEL_NAME(resample_horizontal_plane)(
    uint8_t *destination, const uint8_t *source, size_t width, const int32_t *starts, const int16_t *weights,
    size_t taps, int shift) {
    size_t x = 0;
    for (; x + 4 <= width; x += 4, weights += 4 * taps) {
        u8x4 four = finish_samples(
            plane_sums(source + starts[x], weights, taps), plane_sums(source + starts[x + 1], weights + taps, taps),
            plane_sums(source + starts[x + 2], weights + 2 * taps, taps),
            plane_sums(source + starts[x + 3], weights + 3 * taps, taps), shift);
        memcpy(destination + x, &four, sizeof four);
    }
    for (; x < width; x++, weights += taps) {
        i32x4 sums = plane_sums(source + starts[x], weights, taps);
        destination[x] = finish_samples(sums, sums, sums, sums, shift)[0];
    }
}

#define ZIP_LOW 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define ZIP_HIGH 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31

/// Transposes 16 × 16 samples: interleaves row n with row n + 8, four times.
HELPER void transpose_16(
    uint8_t *destination, ptrdiff_t destination_stride, const uint8_t *source, ptrdiff_t source_stride) {
    u8x16 rows[16], zipped[16];
    for (int n = 0; n < 16; n++) memcpy(&rows[n], source + n * source_stride, 16);
    for (int round = 0; round < 4; round++) {
        for (int n = 0; n < 8; n++) {
            zipped[2 * n] = __builtin_shufflevector(rows[n], rows[n + 8], ZIP_LOW);
            zipped[2 * n + 1] = __builtin_shufflevector(rows[n], rows[n + 8], ZIP_HIGH);
        }
        memcpy(rows, zipped, sizeof rows);
    }
    for (int n = 0; n < 16; n++) memcpy(destination + n * destination_stride, &rows[n], 16);
}

static void LEVEL_NAME(transpose_plane)(
    uint8_t *destination, ptrdiff_t destination_stride, const uint8_t *source, ptrdiff_t source_stride, size_t width,
    size_t height) {
    for (size_t top = 0; top < height; top += 16) {
        for (size_t left = 0; left < width; left += 16) {
            uint8_t *to = destination + (ptrdiff_t)top * destination_stride + left;
            const uint8_t *from = source + (ptrdiff_t)left * source_stride + top;
            if (top + 16 <= height && left + 16 <= width) {
                transpose_16(to, destination_stride, from, source_stride);
                continue;
            }
            for (size_t y = 0; y < 16 && top + y < height; y++)
                for (size_t x = 0; x < 16 && left + x < width; x++)
                    to[(ptrdiff_t)y * destination_stride + (ptrdiff_t)x] = from[(ptrdiff_t)x * source_stride + (ptrdiff_t)y];
        }
    }
}
