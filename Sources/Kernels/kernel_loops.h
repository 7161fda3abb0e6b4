// The kernel loops. Included once per CPU level by kernels_<level>.c, which sets LEVEL_NAME and the target features.
//
// The code uses clang's vector types instead of intrinsics: the compiler lowers the same source to SSE2, AVX2, AVX-512
// or NEON, and splits vectors that are wider than the machine's registers. On x86 the level gives the register width in
// MULTIPLY_ADD_BYTES and, if the processor can multiply with rounding, in MULTIPLY_ROUND_BYTES.

typedef uint8_t u8x16 __attribute__((ext_vector_type(16)));
typedef uint8_t u8x8 __attribute__((ext_vector_type(8)));
typedef uint16_t u16x8 __attribute__((ext_vector_type(8)));
typedef int16_t i16x8 __attribute__((ext_vector_type(8)));
typedef uint8_t u8x32 __attribute__((ext_vector_type(32)));
typedef uint8_t u8x64 __attribute__((ext_vector_type(64)));
typedef uint16_t u16x16 __attribute__((ext_vector_type(16)));
typedef uint16_t u16x32 __attribute__((ext_vector_type(32)));
typedef uint32_t u32x4 __attribute__((ext_vector_type(4)));
typedef uint32_t u32x16 __attribute__((ext_vector_type(16)));
typedef uint64_t u64x16 __attribute__((ext_vector_type(16)));
typedef int16_t i16x4 __attribute__((ext_vector_type(4)));
typedef int16_t i16x16 __attribute__((ext_vector_type(16)));
typedef int16_t i16x32 __attribute__((ext_vector_type(32)));
typedef int32_t i32x2 __attribute__((ext_vector_type(2)));
typedef int32_t i32x4 __attribute__((ext_vector_type(4)));
typedef int32_t i32x8 __attribute__((ext_vector_type(8)));
typedef int32_t i32x16 __attribute__((ext_vector_type(16)));
typedef float f32x16 __attribute__((ext_vector_type(16)));
typedef float f32x32 __attribute__((ext_vector_type(32)));

// Helpers are inlined even in debug builds. The disabled warning says that passing such vectors to functions depends on
// the target features; inlined helpers pass none.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#define HELPER static inline __attribute__((always_inline))

#define EVEN8 0, 2, 4, 6, 8, 10, 12, 14
#define ODD8 1, 3, 5, 7, 9, 11, 13, 15
#define EVEN16 EVEN8, 16, 18, 20, 22, 24, 26, 28, 30
#define ODD16 ODD8, 17, 19, 21, 23, 25, 27, 29, 31

// Shuffle indices that put the same channel of two neighbouring BGRA pixels next to each other.
#define PAIRS(n) n, n + 4, n + 1, n + 5, n + 2, n + 6, n + 3, n + 7
#define PAIRS16 PAIRS(0), PAIRS(8)
#define PAIRS32 PAIRS(0), PAIRS(8), PAIRS(16), PAIRS(24)

#define SHUFFLE(v, ...) __builtin_shufflevector(v, v, __VA_ARGS__)
#define CONVERT(v, type) __builtin_convertvector(v, type)

/// Returns a[2i] × b[2i] + a[2i+1] × b[2i+1], with the processor's multiply-add instruction if it has one.
///
/// Only this helper, `multiply_round`, `look_up_16` and `pack_channel` use instruction builtins. The compiler also
/// recognises the portable form, but not if it can see that all pairs of one operand are equal; the loop then takes
/// four times as long.
HELPER i32x8 multiply_add_16(i16x16 a, i16x16 b) {
#if MULTIPLY_ADD_BYTES >= 32
    return __builtin_ia32_pmaddwd256(a, b);
#elif MULTIPLY_ADD_BYTES == 16
    i32x8 result;
    result.lo = __builtin_ia32_pmaddwd128(a.lo, b.lo);
    result.hi = __builtin_ia32_pmaddwd128(a.hi, b.hi);
    return result;
#else
    return CONVERT(SHUFFLE(a, EVEN8), i32x8) * CONVERT(SHUFFLE(b, EVEN8), i32x8)
        + CONVERT(SHUFFLE(a, ODD8), i32x8) * CONVERT(SHUFFLE(b, ODD8), i32x8);
#endif
}

HELPER i32x16 multiply_add_32(i16x32 a, i16x32 b) {
#if MULTIPLY_ADD_BYTES == 64
    return __builtin_ia32_pmaddwd512(a, b);
#else
    i32x16 result;
    result.lo = multiply_add_16(a.lo, b.lo);
    result.hi = multiply_add_16(a.hi, b.hi);
    return result;
#endif
}

/// Returns eight weights as four pairs, each repeated four times: once per channel.
HELPER i16x32 spread_8_weights(const int16_t *weights) {
    i32x4 pairs;
    memcpy(&pairs, weights, sizeof pairs);
    return (i16x32)SHUFFLE(pairs, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
}

HELPER i16x16 spread_4_weights(const int16_t *weights) {
    i32x2 pairs;
    memcpy(&pairs, weights, sizeof pairs);
    return (i16x16)SHUFFLE(pairs, 0, 0, 0, 0, 1, 1, 1, 1);
}

/// Returns the four channels of one output pixel: adds all partial sums, rounds, shifts and clamps to 0…limit.
HELPER i32x4 finish_pixel(i32x16 sums, i32x8 more, int shift, int32_t limit) {
    i32x8 eight = sums.lo + sums.hi + more;
    i32x4 four = (eight.lo + eight.hi + (1 << (shift - 1))) >> shift;
    return __builtin_elementwise_min(__builtin_elementwise_max(four, (i32x4)(0)), (i32x4)(limit));
}

#include "plane_loops.h"

static void LEVEL_NAME(resample_horizontal_u16)(
    int16_t *destination, const int16_t *source, size_t width, const int32_t *starts, const int16_t *weights,
    size_t taps, int shift) {
    for (size_t x = 0; x < width; x++, weights += taps) {
        const int16_t *pixels = source + (size_t)starts[x] * 4;
        i32x16 sums = 0;
        i32x8 more = 0;
        size_t tap = 0;
        for (; tap + 8 <= taps; tap += 8) {
            i16x32 eight;
            memcpy(&eight, pixels + tap * 4, sizeof eight);
            sums += multiply_add_32(SHUFFLE(eight, PAIRS32), spread_8_weights(weights + tap));
        }
        if (tap < taps) {
            i16x16 four;
            memcpy(&four, pixels + tap * 4, sizeof four);
            more = multiply_add_16(SHUFFLE(four, PAIRS16), spread_4_weights(weights + tap));
        }
        i32x4 result = finish_pixel(sums, more, shift, 32767);
        for (int channel = 0; channel < 4; channel++) destination[x * 4 + channel] = (int16_t)result[channel];
    }
}

// The vertical filters process blocks of four 64-byte vectors, whose sums stay in registers or in the first-level cache
// while pairs of rows are added. The words of two rows are interleaved to form the pairs of multiply-add, but only
// within each 16 bytes: the widest shuffle that takes one instruction at every level. In the 8-bit filter a word holds
// two samples; the even and the odd ones are summed separately.
enum { LEVEL_NAME(block_vectors) = 4 };

#define LANES(m, n) m(n), m(n + 16), m(n + 32), m(n + 48)
#define LANES16(m, n) m(n), m(n + 8), m(n + 16), m(n + 24)
#define ZIP_WORDS(n) n, n + 32, n + 1, n + 33, n + 2, n + 34, n + 3, n + 35
#define ZIP_WORDS32(n) ZIP_WORDS(n), ZIP_WORDS(n + 4), ZIP_WORDS(n + 8), ZIP_WORDS(n + 12)
#define UNZIP(n) n, n + 1, n + 2, n + 3, n + 16, n + 17, n + 18, n + 19

/// Shifts sums, to which the caller has added the rounding term, and clamps them to 0…limit.
HELPER i32x16 finish_sums(i32x16 sums, int shift, int32_t limit) {
    return __builtin_elementwise_min(__builtin_elementwise_max(sums >> shift, (i32x16)(0)), (i32x16)(limit));
}

/// Filters `vectors` × 64 bytes of every row. `count` is 64, or less if `vectors` is 1: then it is the number of bytes.
HELPER void vertical_block_u8(
    uint8_t *destination, const uint8_t *const *rows, const int16_t *weights, size_t taps, size_t begin, int vectors,
    size_t count, int shift) {
    i32x16 sums[LEVEL_NAME(block_vectors)][4];
    for (int v = 0; v < vectors; v++)
        for (int k = 0; k < 4; k++) sums[v][k] = (i32x16)(1 << (shift - 1));
    for (size_t tap = 0; tap < taps; tap += 2) {
        // An odd last row is paired with itself, with weight 0.
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
        // Joins the sums of even and odd bytes into 16-bit elements again.
        i32x16 low = finish_sums(sums[v][0], shift, 255) | finish_sums(sums[v][1], shift, 255) << 8;
        i32x16 high = finish_sums(sums[v][2], shift, 255) | finish_sums(sums[v][3], shift, 255) << 8;
        u16x32 result = CONVERT(__builtin_shufflevector(low, high, UNZIP(0), UNZIP(4), UNZIP(8), UNZIP(12)), u16x32);
        memcpy(destination + begin + v * 64, &result, count);
    }
}

static void LEVEL_NAME(resample_vertical_u8)(
    uint8_t *destination, const uint8_t *const *rows, const int16_t *weights, size_t taps, size_t byte_count,
    int shift) {
    size_t begin = 0;
    for (; begin + 256 <= byte_count; begin += 256)
        vertical_block_u8(destination, rows, weights, taps, begin, 4, 64, shift);
    for (; begin + 64 <= byte_count; begin += 64)
        vertical_block_u8(destination, rows, weights, taps, begin, 1, 64, shift);
    if (begin == byte_count) return;
    // The rest: repeat the last 64 bytes, or use a partial vector if the whole row is shorter.
    if (byte_count >= 64) vertical_block_u8(destination, rows, weights, taps, byte_count - 64, 1, 64, shift);
    else vertical_block_u8(destination, rows, weights, taps, 0, 1, byte_count, shift);
}

/// Filters `vectors` × 32 samples of every row. `count` is 32, or less if `vectors` is 1: then it is the number of
/// samples.
HELPER void vertical_block_u16(
    int16_t *destination, const int16_t *const *rows, const int16_t *weights, size_t taps, size_t begin, int vectors,
    size_t count, int shift) {
    i32x16 sums[LEVEL_NAME(block_vectors)][2];
    for (int v = 0; v < vectors; v++)
        for (int k = 0; k < 2; k++) sums[v][k] = (i32x16)(1 << (shift - 1));
    for (size_t tap = 0; tap < taps; tap += 2) {
        size_t next = tap + 1 < taps ? tap + 1 : tap;
        int32_t weight_pair = (uint16_t)weights[tap] | (tap == next ? 0 : (int32_t)weights[next] * 65536);
        i16x32 pairs = (i16x32)(i32x16)(weight_pair);
        for (int v = 0; v < vectors; v++) {
            i16x32 a = 0, b = 0;
            memcpy(&a, rows[tap] + begin + v * 32, count * 2);
            memcpy(&b, rows[next] + begin + v * 32, count * 2);
            sums[v][0] += multiply_add_32(__builtin_shufflevector(a, b, LANES16(ZIP_WORDS, 0)), pairs);
            sums[v][1] += multiply_add_32(__builtin_shufflevector(a, b, LANES16(ZIP_WORDS, 4)), pairs);
        }
    }
    for (int v = 0; v < vectors; v++) {
        i32x16 k0 = finish_sums(sums[v][0], shift, 32767), k1 = finish_sums(sums[v][1], shift, 32767);
        i16x32 result = CONVERT(__builtin_shufflevector(k0, k1, UNZIP(0), UNZIP(4), UNZIP(8), UNZIP(12)), i16x32);
        memcpy(destination + begin + v * 32, &result, count * 2);
    }
}

static void LEVEL_NAME(resample_vertical_u16)(
    int16_t *destination, const int16_t *const *rows, const int16_t *weights, size_t taps, size_t sample_count,
    int shift) {
    size_t begin = 0;
    for (; begin + 128 <= sample_count; begin += 128)
        vertical_block_u16(destination, rows, weights, taps, begin, 4, 32, shift);
    for (; begin + 32 <= sample_count; begin += 32)
        vertical_block_u16(destination, rows, weights, taps, begin, 1, 32, shift);
    if (begin == sample_count) return;
    if (sample_count >= 32) vertical_block_u16(destination, rows, weights, taps, sample_count - 32, 1, 32, shift);
    else vertical_block_u16(destination, rows, weights, taps, 0, 1, sample_count, shift);
}

// Eight pixels per step: indices that copy each pixel's alpha to all four of its bytes.
#define ALPHA(n) n + 3, n + 3, n + 3, n + 3
#define ALPHA32 ALPHA(0), ALPHA(4), ALPHA(8), ALPHA(12), ALPHA(16), ALPHA(20), ALPHA(24), ALPHA(28)
#define ALPHA_BYTES 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255

HELPER u8x32 premultiply_8(u8x32 pixels) {
    // Alpha is multiplied by 255 and so does not change.
    const u8x32 alpha_bytes = {ALPHA_BYTES, ALPHA_BYTES};
    u16x32 factors = CONVERT(SHUFFLE(pixels, ALPHA32) | alpha_bytes, u16x32);
    u16x32 value = CONVERT(pixels, u16x32) * factors + (uint16_t)127;
    // value / 255, exact below 65,535.
    return CONVERT((value + (uint16_t)1 + (value >> (uint16_t)8)) >> (uint16_t)8, u8x32);
}

static void LEVEL_NAME(premultiply_row)(uint8_t *destination, const uint8_t *source, size_t width) {
    for (size_t x = 0; x < width; x += 8) {
        size_t bytes = width - x < 8 ? (width - x) * 4 : 32;
        u8x32 pixels = 0;
        if (bytes == 32) memcpy(&pixels, source + x * 4, 32); else memcpy(&pixels, source + x * 4, bytes);
        pixels = premultiply_8(pixels);
        if (bytes == 32) memcpy(destination + x * 4, &pixels, 32); else memcpy(destination + x * 4, &pixels, bytes);
    }
}

/// Composites eight pixels. `background` has alpha 255; a pixel's own alpha is composited as if it were a colour of
/// 255.
HELPER u8x32 flatten_8(u8x32 pixels, u8x32 background, bool is_premultiplied) {
    const u8x32 alpha_bytes = {ALPHA_BYTES, ALPHA_BYTES};
    u8x32 alphas = SHUFFLE(pixels, ALPHA32);
    u16x32 rest = CONVERT(~alphas, u16x32) * CONVERT(background, u16x32);
    u16x32 light = is_premultiplied
        // Premultiplied colours already contain alpha. Clamp them: above alpha the sum would exceed 255.
        ? CONVERT(__builtin_elementwise_min(pixels, alphas), u16x32) * (uint16_t)255
        : CONVERT(pixels | alpha_bytes, u16x32) * CONVERT(alphas, u16x32);
    u16x32 value = light + rest + (uint16_t)127;
    // value / 255, exact below 65,535.
    return CONVERT((value + (uint16_t)1 + (value >> (uint16_t)8)) >> (uint16_t)8, u8x32);
}

static void LEVEL_NAME(flatten_row)(
    uint8_t *destination, const uint8_t *source, size_t width, uint32_t background, bool is_premultiplied) {
    background |= 0xFF000000u;
    u8x32 below;
    for (int pixel = 0; pixel < 8; pixel++) memcpy((uint8_t *)&below + pixel * 4, &background, 4);
    for (size_t x = 0; x < width; x += 8) {
        size_t bytes = width - x < 8 ? (width - x) * 4 : 32;
        u8x32 pixels = 0;
        if (bytes == 32) memcpy(&pixels, source + x * 4, 32); else memcpy(&pixels, source + x * 4, bytes);
        pixels = flatten_8(pixels, below, is_premultiplied);
        if (bytes == 32) memcpy(destination + x * 4, &pixels, 32); else memcpy(destination + x * 4, &pixels, bytes);
    }
}

static void LEVEL_NAME(limit_to_alpha_row)(uint8_t *destination, const uint8_t *source, size_t width) {
    for (size_t x = 0; x < width; x++) {
        uint8_t alpha = source[x * 4 + 3];
        for (int channel = 0; channel < 4; channel++) {
            uint8_t color = source[x * 4 + channel];
            destination[x * 4 + channel] = color < alpha ? color : alpha;
        }
    }
}

// 2²⁴ / alpha, rounded up. With n = colour × 255 + alpha / 2 and colour ≤ alpha, (n × reciprocal) >> 24 equals the
// integer quotient n / alpha: the error is below n / 2²⁴ ≤ 65,152 / 2²⁴ < 1 / 255, and the product is below 2³².
#define RECIPROCAL(a) ((a) ? ((1u << 24) + (a) - 1) / ((a) ? (a) : 1) : 0)
#define RECIPROCAL4(a) RECIPROCAL(a), RECIPROCAL(a + 1), RECIPROCAL(a + 2), RECIPROCAL(a + 3)
#define RECIPROCAL16(a) RECIPROCAL4(a), RECIPROCAL4(a + 4), RECIPROCAL4(a + 8), RECIPROCAL4(a + 12)
#define RECIPROCAL64(a) RECIPROCAL16(a), RECIPROCAL16(a + 16), RECIPROCAL16(a + 32), RECIPROCAL16(a + 48)

static const uint32_t LEVEL_NAME(reciprocals)[256] = {
    RECIPROCAL64(0), RECIPROCAL64(64), RECIPROCAL64(128), RECIPROCAL64(192)};

/// Converts four premultiplied BGRA pixels to straight ones. Colours above alpha count as alpha.
HELPER u8x16 unpremultiply_4(u8x16 pixels) {
    u8x16 alphas = SHUFFLE(pixels, ALPHA(0), ALPHA(4), ALPHA(8), ALPHA(12));
    const uint32_t *table = LEVEL_NAME(reciprocals);
    u32x4 four = {table[pixels[3]], table[pixels[7]], table[pixels[11]], table[pixels[15]]};
    u32x16 reciprocals = SHUFFLE(four, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
    u32x16 color = CONVERT(__builtin_elementwise_min(pixels, alphas), u32x16);
    u32x16 quotient = ((color * 255 + (CONVERT(alphas, u32x16) >> 1)) * reciprocals) >> 24;
    const u8x16 is_alpha = {ALPHA_BYTES};
    return (CONVERT(quotient, u8x16) & ~is_alpha) | (pixels & is_alpha);
}

static void LEVEL_NAME(unpremultiply_row)(uint8_t *destination, const uint8_t *source, size_t width) {
    for (size_t x = 0; x < width; x += 4) {
        size_t bytes = width - x < 4 ? (width - x) * 4 : 16;
        u8x16 pixels = 0;
        if (bytes == 16) memcpy(&pixels, source + x * 4, 16); else memcpy(&pixels, source + x * 4, bytes);
        pixels = unpremultiply_4(pixels);
        if (bytes == 16) memcpy(destination + x * 4, &pixels, 16); else memcpy(destination + x * 4, &pixels, bytes);
    }
}

static void LEVEL_NAME(linearise_row)(int16_t *destination, const uint8_t *source, size_t width,
    const uint16_t *curve) {
    for (size_t x = 0; x < width; x++) {
        uint32_t alpha = source[x * 4 + 3];
        for (int channel = 0; channel < 3; channel++) {
            uint32_t light = curve[source[x * 4 + channel]];
            destination[x * 4 + channel] = (int16_t)(alpha == 255 ? light : (light * alpha + 127) / 255);
        }
        destination[x * 4 + 3] = (int16_t)((alpha * 32767 + 127) / 255);
    }
}

static void LEVEL_NAME(delinearise_row)(uint8_t *destination, const int16_t *source, size_t width,
    const uint8_t *curve) {
    for (size_t x = 0; x < width; x++) {
        uint32_t alpha = (uint32_t)source[x * 4 + 3];
        for (int channel = 0; channel < 3; channel++) {
            uint32_t color = (uint32_t)source[x * 4 + channel];
            // The product is below 2³¹ for any sample. Opaque and transparent pixels, nearly all of them, need no
            // division.
            if (alpha != 32767) color = color >= alpha ? (alpha ? 32767 : 0) : (color * 32767 + alpha / 2) / alpha;
            destination[x * 4 + channel] = curve[color];
        }
        destination[x * 4 + 3] = (uint8_t)((alpha * 255 + 16383) / 32767);
    }
}

#include "png_loops.h"
#include "band_loops.h"
#include "plane_band_loops.h"
#include "yuv_loops.h"
#include "yuv_writing_loops.h"
#include "frame_loops.h"
#include "deinterlace_loops.h"
#include "color_loops.h"
#include "cube_loops.h"
#include "luma_loops.h"
#include "metric_loops.h"
#include "haar_loops.h"
#include "butteraugli_loops.h"
#include "dct_loops.h"
#include "trellis_loops.h"
#include "chroma_loss_loops.h"
#include "window_loops.h"
#include "box_loops.h"
#include "median_loops.h"
#include "blend_loops.h"

#define TABLE LEVEL_NAME(texel_kernels)
const texel_kernels TABLE = {
    .level = LEVEL,
    .transpose_plane = LEVEL_NAME(transpose_plane),
    .resample_horizontal_band = LEVEL_NAME(resample_horizontal_band),
    .resample_horizontal_plane_band = LEVEL_NAME(resample_horizontal_plane_band),
    .resample_vertical_u8 = LEVEL_NAME(resample_vertical_u8),
    .resample_horizontal_u16 = LEVEL_NAME(resample_horizontal_u16),
    .resample_vertical_u16 = LEVEL_NAME(resample_vertical_u16),
    .resample_horizontal_words = LEVEL_NAME(resample_horizontal_words),
    .limit_words_row = LEVEL_NAME(limit_words_row),
    .premultiply_row = LEVEL_NAME(premultiply_row),
    .unpremultiply_row = LEVEL_NAME(unpremultiply_row),
    .limit_to_alpha_row = LEVEL_NAME(limit_to_alpha_row),
    .flatten_row = LEVEL_NAME(flatten_row),
    .map_color_row = LEVEL_NAME(map_color_row),
    .widen_color_row = LEVEL_NAME(widen_color_row),
    .look_up_color_row = LEVEL_NAME(look_up_color_row),
    .mix_color_row = LEVEL_NAME(mix_color_row),
    .curve_color_row = LEVEL_NAME(curve_color_row),
    .parabola_color_row = LEVEL_NAME(parabola_color_row),
    .narrow_color_row = LEVEL_NAME(narrow_color_row),
    .cube_color_row = LEVEL_NAME(cube_color_row),
    .luma_row = LEVEL_NAME(luma_row),
    .equalize_row = LEVEL_NAME(equalize_row),
    .linearise_row = LEVEL_NAME(linearise_row),
    .delinearise_row = LEVEL_NAME(delinearise_row),
    .png_filter_costs = LEVEL_NAME(png_filter_costs),
    .png_filter_row = LEVEL_NAME(png_filter_row),
    .png_unfilter_row = LEVEL_NAME(png_unfilter_row),
    .png_unfilter_two_rows = LEVEL_NAME(png_unfilter_two_rows),
    .png_narrow_row = LEVEL_NAME(png_narrow_row),
    .unpack_rgb_row = LEVEL_NAME(unpack_rgb_row),
    .pack_rgb_row = LEVEL_NAME(pack_rgb_row),
    .pack_rgba_row = LEVEL_NAME(pack_rgba_row),
    .widen_chroma_row = LEVEL_NAME(widen_chroma_row),
    .split_chroma_row = LEVEL_NAME(split_chroma_row),
    .turn_chroma_rows = LEVEL_NAME(turn_chroma_rows),
    .double_chroma_row = LEVEL_NAME(double_chroma_row),
    .yuv_to_bgra_row = LEVEL_NAME(yuv_to_bgra_row),
    .yuv420_to_bgra_rows = LEVEL_NAME(yuv420_to_bgra_rows),
    .set_alpha_row = LEVEL_NAME(set_alpha_row),
    .bgra_to_luma_row = LEVEL_NAME(bgra_to_luma_row),
    .bgra_to_chroma_row = LEVEL_NAME(bgra_to_chroma_row),
    .halve_chroma_row = LEVEL_NAME(halve_chroma_row),
    .halve_chroma_rows = LEVEL_NAME(halve_chroma_rows),
    .narrow_chroma_row = LEVEL_NAME(narrow_chroma_row),
    .zip_chroma_row = LEVEL_NAME(zip_chroma_row),
    .halve_rows = LEVEL_NAME(halve_rows),
    .mix_row = LEVEL_NAME(mix_row),
    .missing_field_row = LEVEL_NAME(missing_field_row),
    .metric_light_row = LEVEL_NAME(metric_light_row),
    .metric_halve_rows = LEVEL_NAME(metric_halve_rows),
    .metric_xyb_row = LEVEL_NAME(metric_xyb_row),
    .metric_luma_row = LEVEL_NAME(metric_luma_row),
    .metric_multiply_rows = LEVEL_NAME(metric_multiply_rows),
    .metric_window_row = LEVEL_NAME(metric_window_row),
    .metric_window_rows = LEVEL_NAME(metric_window_rows),
    .metric_blur_across = LEVEL_NAME(metric_blur_across),
    .metric_blur_down = LEVEL_NAME(metric_blur_down),
    .metric_structure_errors = LEVEL_NAME(metric_structure_errors),
    .metric_edge_errors = LEVEL_NAME(metric_edge_errors),
    .metric_similarity_sum = LEVEL_NAME(metric_similarity_sum),
    .metric_squared_differences = LEVEL_NAME(metric_squared_differences),
    .haar_colors = LEVEL_NAME(haar_colors),
    .haar_row = LEVEL_NAME(haar_row),
    .haar_column = LEVEL_NAME(haar_column),
    .haar_similarities = LEVEL_NAME(haar_similarities),
    .butteraugli = BUTTERAUGLI_KERNELS,
    .bgra_to_words_row = LEVEL_NAME(bgra_to_words_row),
    .cut_blocks = LEVEL_NAME(cut_blocks),
    .forward_dct = LEVEL_NAME(forward_dct),
    .quantize_block = LEVEL_NAME(quantize_block),
    .trellis = TRELLIS_KERNELS,
    .chroma_loss_row = LEVEL_NAME(chroma_loss_row),
    .add_chroma_losses = LEVEL_NAME(add_chroma_losses),
    .window_rows = LEVEL_NAME(window_rows),
    .window_row = LEVEL_NAME(window_row),
    .shrink_rows = LEVEL_NAME(shrink_rows),
    .enlarge_rows = LEVEL_NAME(enlarge_rows),
    .sharpen_row = LEVEL_NAME(sharpen_row),
    .move_sums = LEVEL_NAME(move_sums),
    .box_row = LEVEL_NAME(box_row),
    .median_3_row = LEVEL_NAME(median_3_row),
    .median_5_row = LEVEL_NAME(median_5_row),
    .median_row = LEVEL_NAME(median_row),
    .blend_row = LEVEL_NAME(blend_row),
    .cover_row = LEVEL_NAME(cover_row),
};

#pragma clang diagnostic pop
