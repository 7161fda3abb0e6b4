// The loops over planes of one byte a pixel; included by kernel_loops.h, once per CPU level.

typedef uint8_t u8x4 __attribute__((ext_vector_type(4)));
typedef uint8_t u8x8 __attribute__((ext_vector_type(8)));
typedef int16_t i16x8 __attribute__((ext_vector_type(8)));

// Bytes become words by being interleaved with zeros: told that they are widened bytes, the compiler splits each
// multiply-add in two.
#define WIDEN8(n, zero) n, zero, n + 1, zero, n + 2, zero, n + 3, zero, \
    n + 4, zero, n + 5, zero, n + 6, zero, n + 7, zero

/// Four partial sums of `taps` samples, each times its weight.
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

/// The four samples whose partial sums are given, rounded, shifted, clamped.
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
