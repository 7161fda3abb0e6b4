// The loops from YUV to BGRA. Included by kernel_loops.h, once per CPU level.
//
// Chroma samples are 16-bit words. Each step of a conversion takes 64 pixels, whose bytes are joined by shuffles within
// 16 bytes as long as possible. Rows of words have room for whole steps.

#define ZIP_BYTES(m, n) n, n + m, n + 1, n + m + 1, n + 2, n + m + 2, n + 3, n + m + 3, \
    n + 4, n + m + 4, n + 5, n + m + 5, n + 6, n + m + 6, n + 7, n + m + 7
#define EVEN32 EVEN16, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62
#define ODD32 ODD16, 33, 35, 37, 39, 41, 43, 45, 47, 49, 51, 53, 55, 57, 59, 61, 63

/// Returns (a × b + 2¹⁴) >> 15. Uses builtins for the same reason as `multiply_add_16`: the compiler does not recognise
/// the instruction if all lanes of one factor are equal.
HELPER i16x32 multiply_round(i16x32 a, i16x32 b) {
#if MULTIPLY_ROUND_BYTES == 64
    return __builtin_ia32_pmulhrsw512(a, b);
#elif MULTIPLY_ROUND_BYTES == 32
    i16x32 result;
    result.lo = __builtin_ia32_pmulhrsw256(a.lo, b.lo);
    result.hi = __builtin_ia32_pmulhrsw256(a.hi, b.hi);
    return result;
#elif MULTIPLY_ROUND_BYTES == 16
    i16x32 result;
    result.lo.lo = __builtin_ia32_pmulhrsw128(a.lo.lo, b.lo.lo);
    result.lo.hi = __builtin_ia32_pmulhrsw128(a.lo.hi, b.lo.hi);
    result.hi.lo = __builtin_ia32_pmulhrsw128(a.hi.lo, b.hi.lo);
    result.hi.hi = __builtin_ia32_pmulhrsw128(a.hi.hi, b.hi.hi);
    return result;
#else
    i16x32 result;
    result.lo = CONVERT((CONVERT(a.lo, i32x16) * CONVERT(b.lo, i32x16) + (1 << 14)) >> 15, i16x16);
    result.hi = CONVERT((CONVERT(a.hi, i32x16) * CONVERT(b.hi, i32x16) + (1 << 14)) >> 15, i16x16);
    return result;
#endif
}

HELPER i16x32 load_words(const int16_t *words) {
    i16x32 result;
    memcpy(&result, words, sizeof result);
    return result;
}

HELPER void store_words(int16_t *words, i16x32 values) { memcpy(words, &values, sizeof values); }

/// Loads 32 samples in 1/128, 0…32,640. Of these only `count` ≤ 32 exist.
HELPER i16x32 load_samples(const uint8_t *samples, int sample_bytes, size_t count) {
    if (sample_bytes == 1) {
        u8x32 bytes = 0;
        if (count == 32) memcpy(&bytes, samples, 32); else memcpy(&bytes, samples, count);
        return (i16x32)(CONVERT(bytes, u16x32) << (uint16_t)7);
    }
    u16x32 words = 0;
    if (count == 32) memcpy(&words, samples, 64); else memcpy(&words, samples, count * 2);
    return (i16x32)(__builtin_elementwise_min(words, (u16x32)(1023)) << (uint16_t)5);
}

/// Loads 64 samples like `load_samples`, split into even and odd ones. Of these only `count` ≤ 64 exist.
HELPER void load_split_samples(i16x32 *even, i16x32 *odd, const uint8_t *samples, int sample_bytes, size_t count) {
    if (sample_bytes == 1) {
        u16x32 pairs = 0;
        if (count == 64) memcpy(&pairs, samples, 64); else memcpy(&pairs, samples, count);
        *even = (i16x32)((pairs & (uint16_t)255) << (uint16_t)7);
        *odd = (i16x32)((pairs >> (uint16_t)8) << (uint16_t)7);
    } else {
        i16x32 first = load_samples(samples, 2, count < 32 ? count : 32);
        i16x32 second = count > 32 ? load_samples(samples + 64, 2, count - 32) : (i16x32)(0);
        *even = __builtin_shufflevector(first, second, EVEN32);
        *odd = __builtin_shufflevector(first, second, ODD32);
    }
}

enum { LEVEL_NAME(neutral) = 128 * 128 };

HELPER void split_row(int16_t *even, int16_t *odd, const uint8_t *source, int sample_bytes, size_t count) {
    for (size_t x = 0; x < count; x += 64) {
        i16x32 a, b;
        size_t rest = count - x;
        if (rest >= 64) load_split_samples(&a, &b, source + x * sample_bytes, sample_bytes, 64);
        else load_split_samples(&a, &b, source + x * sample_bytes, sample_bytes, rest);
        store_words(even + x / 2, a - (int16_t)LEVEL_NAME(neutral));
        store_words(odd + x / 2, b - (int16_t)LEVEL_NAME(neutral));
    }
}

static void LEVEL_NAME(split_chroma_row)(
    int16_t *even, int16_t *odd, const uint8_t *source, int sample_bytes, size_t count) {
    if (sample_bytes == 1) split_row(even, odd, source, 1, count);
    else split_row(even, odd, source, 2, count);
}

HELPER void widen_row(int16_t *destination, const uint8_t *source, int sample_bytes, size_t count) {
    for (size_t x = 0; x < count; x += 32) {
        const uint8_t *samples = source + x * sample_bytes;
        size_t rest = count - x;
        i16x32 words = rest >= 32 ? load_samples(samples, sample_bytes, 32) : load_samples(samples, sample_bytes, rest);
        store_words(destination + x, words - (int16_t)LEVEL_NAME(neutral));
    }
}

static void LEVEL_NAME(widen_chroma_row)(int16_t *destination, const uint8_t *source, int sample_bytes, size_t count) {
    if (sample_bytes == 1) widen_row(destination, source, 1, count);
    else widen_row(destination, source, 2, count);
}

static void LEVEL_NAME(turn_chroma_rows)(int16_t *u, int16_t *v, size_t count) {
    // Words are at least −2¹⁴, so that sums fit.
    for (size_t x = 0; x < count; x += 32) {
        i16x32 green = load_words(u + x), orange = load_words(v + x);
        store_words(u + x, -((green + orange) >> (int16_t)1));
        store_words(v + x, (orange - green) >> (int16_t)1);
    }
}

// Cubic convolution with B = 0 and C = 0.6 at distances of 1/4, 3/4, 5/4 and 7/4, in 1/32,768. The sum is one.
#define CUBIC_1 28570
#define CUBIC_3 7885
#define CUBIC_5 (-2765)
#define CUBIC_7 (-922)

// Sums fit 16 bits: samples are at most 2¹⁴ from neutral, the magnitudes of the weights add up to 1.23, and two passes
// multiply by at most 1.23² = 1.51.
HELPER i16x32 cubic_sum(i16x32 farthest, i16x32 near, i16x32 nearest, i16x32 far) {
    return (multiply_round(farthest, (i16x32)(CUBIC_7)) + multiply_round(near, (i16x32)(CUBIC_3)))
        + (multiply_round(nearest, (i16x32)(CUBIC_1)) + multiply_round(far, (i16x32)(CUBIC_5)));
}

static void LEVEL_NAME(double_chroma_row)(int16_t *destination, const int16_t *source, size_t count) {
    const i16x32 limit = LEVEL_NAME(neutral) - 1;
    for (size_t x = 0; x < count; x += 32) {
        i16x32 b = load_words(source + x - 1), c = load_words(source + x), d = load_words(source + x + 1);
        i16x32 even = __builtin_elementwise_min(cubic_sum(load_words(source + x - 2), b, c, d), limit);
        i16x32 odd = __builtin_elementwise_min(cubic_sum(load_words(source + x + 2), d, c, b), limit);
        store_words(destination + 2 * x, __builtin_shufflevector(even, odd, ZIP_WORDS32(0)));
        store_words(destination + 2 * x + 32, __builtin_shufflevector(even, odd, ZIP_WORDS32(16)));
    }
}

/// Converts words in 1/32 to bytes, clamped. Each 16 bytes of the result hold eight of `first`, then eight of `second`.
/// Uses builtins because the compiler otherwise takes three times as many instructions for the order of the bytes.
HELPER u8x64 pack_channel(i16x32 first, i16x32 second) {
    i16x32 a = first >> (int16_t)5, b = second >> (int16_t)5;
    u8x64 result;
#if MULTIPLY_ADD_BYTES == 64
    result = (u8x64)__builtin_ia32_packuswb512(a, b);
#elif MULTIPLY_ADD_BYTES == 32
    result.lo = (u8x32)__builtin_ia32_packuswb256(a.lo, b.lo);
    result.hi = (u8x32)__builtin_ia32_packuswb256(a.hi, b.hi);
#elif MULTIPLY_ADD_BYTES == 16
    result.lo.lo = (u8x16)__builtin_ia32_packuswb128(a.lo.lo, b.lo.lo);
    result.lo.hi = (u8x16)__builtin_ia32_packuswb128(a.lo.hi, b.lo.hi);
    result.hi.lo = (u8x16)__builtin_ia32_packuswb128(a.hi.lo, b.hi.lo);
    result.hi.hi = (u8x16)__builtin_ia32_packuswb128(a.hi.hi, b.hi.hi);
#else
    const i16x32 zero = 0, limit = 255;
    u8x32 low = CONVERT(__builtin_elementwise_min(__builtin_elementwise_max(a, zero), limit), u8x32);
    u8x32 high = CONVERT(__builtin_elementwise_min(__builtin_elementwise_max(b, zero), limit), u8x32);
#define PACK_BYTES(n) n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, \
    n + 32, n + 33, n + 34, n + 35, n + 36, n + 37, n + 38, n + 39
    result = __builtin_shufflevector(low, high, PACK_BYTES(0), PACK_BYTES(8), PACK_BYTES(16), PACK_BYTES(24));
#endif
    return result;
}

HELPER void store_pixels(uint8_t *destination, u16x32 pixels, int uses_non_temporal_stores) {
    if (uses_non_temporal_stores) __builtin_nontemporal_store((u32x16)pixels, (u32x16 *)destination);
    else memcpy(destination, &pixels, sizeof pixels);
}

#define LOW_BYTES ZIP_BYTES(64, 0), ZIP_BYTES(64, 16), ZIP_BYTES(64, 32), ZIP_BYTES(64, 48)
#define HIGH_BYTES ZIP_BYTES(64, 8), ZIP_BYTES(64, 24), ZIP_BYTES(64, 40), ZIP_BYTES(64, 56)

/// Stores 64 opaque pixels from three packed channels: the 32 of the first words, then the 32 of the second.
HELPER void zip_channels(uint8_t *destination, u8x64 blue, u8x64 green, u8x64 red, int uses_non_temporal_stores) {
    const u8x64 alpha = 255;
    u16x32 blue_green[2] = {
        (u16x32)__builtin_shufflevector(blue, green, LOW_BYTES),
        (u16x32)__builtin_shufflevector(blue, green, HIGH_BYTES)};
    u16x32 red_alpha[2] = {
        (u16x32)__builtin_shufflevector(red, alpha, LOW_BYTES),
        (u16x32)__builtin_shufflevector(red, alpha, HIGH_BYTES)};
    for (int half = 0; half < 2; half++) {
        u16x32 low = __builtin_shufflevector(blue_green[half], red_alpha[half], ZIP_WORDS32(0));
        u16x32 high = __builtin_shufflevector(blue_green[half], red_alpha[half], ZIP_WORDS32(16));
        store_pixels(destination + half * 128, low, uses_non_temporal_stores);
        store_pixels(destination + half * 128 + 64, high, uses_non_temporal_stores);
    }
}

/// The chroma of 64 pixels.
typedef struct LEVEL_NAME(chroma_64) {
    i16x32 u[2], v[2];
} LEVEL_NAME(chroma_64);

#include "color_map_loops.h"

/// Converts 64 pixels, of which `count` have samples; without `chroma` they are grey. Nothing overflows: in units of
/// 1/32 step, luma is at most 279 × 32 and every chroma product at most 410 × 32.
HELPER void convert_64(
    uint8_t *destination, const uint8_t *luma, int sample_bytes, const LEVEL_NAME(chroma_64) *chroma, size_t count,
    const texel_yuv_matrix *matrix, const texel_color_map *map, int uses_non_temporal_stores) {
    i16x32 a = load_samples(luma, sample_bytes, count < 32 ? count : 32);
    i16x32 b = count > 32 ? load_samples(luma + 32 * sample_bytes, sample_bytes, count - 32) : (i16x32)(0);
    if (map) {
        map_64(destination, a, b, chroma, map);
        return;
    }
    a = multiply_round(a, (i16x32)(matrix->luma)) - (i16x32)(matrix->black);
    b = multiply_round(b, (i16x32)(matrix->luma)) - (i16x32)(matrix->black);
    if (!chroma) {
        u8x64 grey = pack_channel(a, b);
        zip_channels(destination, grey, grey, grey, uses_non_temporal_stores);
        return;
    }
    const i16x32 *u = chroma->u, *v = chroma->v;
    const i16x32 blue_u = matrix->blue_u, green_u = matrix->green_u, green_v = matrix->green_v, red_v = matrix->red_v;
    u8x64 blue = pack_channel(a + multiply_round(u[0], blue_u), b + multiply_round(u[1], blue_u));
    u8x64 green = pack_channel(
        a + (multiply_round(u[0], green_u) + multiply_round(v[0], green_v)),
        b + (multiply_round(u[1], green_u) + multiply_round(v[1], green_v)));
    u8x64 red = pack_channel(a + multiply_round(v[0], red_v), b + multiply_round(v[1], red_v));
    zip_channels(destination, blue, green, red, uses_non_temporal_stores);
}

/// Converts the next 64 pixels of a row, or the last `rest` if fewer remain.
HELPER void convert_next(
    uint8_t *destination, const uint8_t *luma, int sample_bytes, const LEVEL_NAME(chroma_64) *chroma, size_t rest,
    const texel_yuv_matrix *matrix, const texel_color_map *map, int uses_non_temporal_stores) {
    if (rest >= 64) {
        convert_64(destination, luma, sample_bytes, chroma, 64, matrix, map, uses_non_temporal_stores);
    } else {
        uint8_t pixels[256];
        convert_64(pixels, luma, sample_bytes, chroma, rest, matrix, map, 0);
        memcpy(destination, pixels, rest * 4);
    }
}

HELPER void convert_row(
    uint8_t *destination, const uint8_t *luma, int sample_bytes, const int16_t *chroma, ptrdiff_t part, size_t width,
    const texel_yuv_matrix *matrix, const texel_color_map *map, int uses_non_temporal_stores) {
    // A local copy, so that the compiler knows that stores to `destination` do not change it.
    const texel_yuv_matrix factors = *matrix;
    for (size_t x = 0; x < width; x += 64) {
        LEVEL_NAME(chroma_64) words;
        for (int half = 0; chroma && half < 2; half++) {
            words.u[half] = load_words(chroma + x + half * 32);
            words.v[half] = load_words(chroma + part + x + half * 32);
        }
        convert_next(
            destination + x * 4, luma + x * sample_bytes, sample_bytes, chroma ? &words : (void *)0, width - x,
            &factors, map, uses_non_temporal_stores);
    }
}

/// Makes non-temporal stores visible before later stores: another thread may be told that the rows are finished.
HELPER void finish_non_temporal_stores(void) {
#if defined(__x86_64__)
    __builtin_ia32_sfence();
#endif
}

static void LEVEL_NAME(yuv_to_bgra_row)(
    uint8_t *destination, const uint8_t *luma, int sample_bytes, const int16_t *chroma, ptrdiff_t part, size_t width,
    const texel_yuv_matrix *matrix, const texel_color_map *map, int uses_non_temporal_stores) {
    const texel_color_map *const no_map = (void *)0;
    if (map) convert_row(destination, luma, sample_bytes, chroma, part, width, matrix, map, 0);
    else if (sample_bytes == 1 && chroma && uses_non_temporal_stores && (uintptr_t)destination % 64 == 0) {
        convert_row(destination, luma, 1, chroma, part, width, matrix, no_map, 1);
        finish_non_temporal_stores();
    } else if (sample_bytes == 1 && chroma) convert_row(destination, luma, 1, chroma, part, width, matrix, no_map, 0);
    else if (sample_bytes == 1) convert_row(destination, luma, 1, (const int16_t *)0, part, width, matrix, no_map, 0);
    else if (chroma) convert_row(destination, luma, 2, chroma, part, width, matrix, no_map, 0);
    else convert_row(destination, luma, 2, (const int16_t *)0, part, width, matrix, no_map, 0);
}

/// Returns the chroma of 64 pixels of a row that is a quarter of a row below `rows[1]`.
HELPER LEVEL_NAME(chroma_64) blend_64(const int16_t *const *rows, ptrdiff_t part, size_t x) {
    LEVEL_NAME(chroma_64) result;
    for (int half = 0; half < 2; half++) {
        const int16_t *a = rows[0] + x + half * 32, *b = rows[1] + x + half * 32;
        const int16_t *c = rows[2] + x + half * 32, *d = rows[3] + x + half * 32;
        result.u[half] = cubic_sum(load_words(d), load_words(c), load_words(b), load_words(a));
        result.v[half] = cubic_sum(
            load_words(d + part), load_words(c + part), load_words(b + part), load_words(a + part));
    }
    return result;
}

HELPER void convert_pair(
    const texel_yuv_pair *pair, int sample_bytes, const int16_t *const *chroma, ptrdiff_t part, size_t width,
    const texel_yuv_matrix *matrix, const texel_color_map *map, int uses_non_temporal_stores) {
    const texel_yuv_matrix factors = *matrix;
    // The lower row is as far above the third chroma row as the upper one is below the second.
    const int16_t *const orders[2][4] = {
        {chroma[0], chroma[1], chroma[2], chroma[3]}, {chroma[3], chroma[2], chroma[1], chroma[0]}};
    uint8_t *const destinations[2] = {pair->destinations[0], pair->destinations[1]};
    const uint8_t *const luma[2] = {pair->luma[0], pair->luma[1]};
    // Both rows take the same words, which the first one brings into the first-level cache.
    for (size_t x = 0; x < width; x += 64)
        for (int row = 0; row < 2; row++) {
            if (!destinations[row]) continue;
            LEVEL_NAME(chroma_64) words = blend_64(orders[row], part, x);
            convert_next(
                destinations[row] + x * 4, luma[row] + x * sample_bytes, sample_bytes, &words, width - x, &factors,
                map, uses_non_temporal_stores);
        }
}

static void LEVEL_NAME(yuv420_to_bgra_rows)(
    const texel_yuv_pair *pair, int sample_bytes, const int16_t *const *chroma, ptrdiff_t part, size_t width,
    const texel_yuv_matrix *matrix, const texel_color_map *map, int uses_non_temporal_stores) {
    int is_aligned = ((uintptr_t)pair->destinations[0] | (uintptr_t)pair->destinations[1]) % 64 == 0;
    const texel_color_map *const no_map = (void *)0;
    if (map) convert_pair(pair, sample_bytes, chroma, part, width, matrix, map, 0);
    else if (sample_bytes == 1 && uses_non_temporal_stores && is_aligned) {
        convert_pair(pair, 1, chroma, part, width, matrix, no_map, 1);
        finish_non_temporal_stores();
    } else if (sample_bytes == 1) convert_pair(pair, 1, chroma, part, width, matrix, no_map, 0);
    else convert_pair(pair, 2, chroma, part, width, matrix, no_map, 0);
}

static void LEVEL_NAME(set_alpha_row)(uint8_t *pixels, const uint8_t *alpha, int sample_bytes, size_t width) {
    for (size_t x = 0; x < width; x += 32) {
        size_t count = width - x < 32 ? width - x : 32;
        i16x32 samples = load_samples(alpha + x * sample_bytes, sample_bytes, count);
        // The factor gives the nearest byte for each of the 1024 samples.
        i16x32 bytes =
            sample_bytes == 1 ? samples >> (int16_t)7 : multiply_round(samples >> (int16_t)5, (i16x32)(8168));
        for (size_t half = 0; half * 16 < count; half++) {
            uint8_t *place = pixels + (x + half * 16) * 4;
            size_t size = count - half * 16 < 16 ? (count - half * 16) * 4 : 64;
            u32x16 colors = 0;
            if (size == 64) memcpy(&colors, place, 64); else memcpy(&colors, place, size);
            u32x16 result = (colors & 0xFFFFFF) | CONVERT(half ? bytes.hi : bytes.lo, u32x16) << 24;
            if (size == 64) memcpy(place, &result, 64); else memcpy(place, &result, size);
        }
    }
}
