// The loops from YUV to BGRA. Included by kernel_loops.h, once per CPU level.
//
// Each step converts 64 pixels. Chroma samples are 16-bit words; those of even and odd columns are stored separately,
// so that a filter that doubles or halves a row needs no shuffle. Rows of words have room for whole vectors of 32.

#define ZIP_BYTES(m, n) n, n + m, n + 1, n + m + 1, n + 2, n + m + 2, n + 3, n + m + 3, \
    n + 4, n + m + 4, n + 5, n + m + 5, n + 6, n + m + 6, n + 7, n + m + 7
#define PACK_WORDS(n) n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, \
    n + 32, n + 33, n + 34, n + 35, n + 36, n + 37, n + 38, n + 39
#define ZIP_DOUBLE_WORDS(n) n, n + 16, n + 1, n + 17
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

/// Loads 64 samples in 1/128, 0…32,640, split into even and odd columns. Of these only `count` ≤ 64 exist.
HELPER void load_samples(i16x32 *even, i16x32 *odd, const uint8_t *samples, int sample_bytes, size_t count) {
    if (sample_bytes == 1) {
        u16x32 pairs = 0;
        if (count == 64) memcpy(&pairs, samples, 64); else memcpy(&pairs, samples, count);
        *even = (i16x32)((pairs & (uint16_t)255) << (uint16_t)7);
        *odd = (i16x32)((pairs >> (uint16_t)8) << (uint16_t)7);
    } else {
        u16x32 first = 0, second = 0;
        memcpy(&first, samples, count < 32 ? count * 2 : 64);
        if (count > 32) memcpy(&second, samples + 64, (count - 32) * 2);
        first = __builtin_elementwise_min(first, (u16x32)(1023)) << (uint16_t)5;
        second = __builtin_elementwise_min(second, (u16x32)(1023)) << (uint16_t)5;
        *even = (i16x32)__builtin_shufflevector(first, second, EVEN32);
        *odd = (i16x32)__builtin_shufflevector(first, second, ODD32);
    }
}

enum { LEVEL_NAME(neutral) = 128 * 128 };

HELPER void split_row(int16_t *even, int16_t *odd, const uint8_t *source, int sample_bytes, size_t count) {
    for (size_t x = 0; x < count; x += 64) {
        i16x32 a, b;
        size_t rest = count - x;
        if (rest >= 64) load_samples(&a, &b, source + x * sample_bytes, sample_bytes, 64);
        else load_samples(&a, &b, source + x * sample_bytes, sample_bytes, rest);
        store_words(even + x / 2, a - (int16_t)LEVEL_NAME(neutral));
        store_words(odd + x / 2, b - (int16_t)LEVEL_NAME(neutral));
    }
}

static void LEVEL_NAME(split_chroma_row)(
    int16_t *even, int16_t *odd, const uint8_t *source, int sample_bytes, size_t count) {
    if (sample_bytes == 1) split_row(even, odd, source, 1, count);
    else split_row(even, odd, source, 2, count);
}

static void LEVEL_NAME(widen_chroma_row)(int16_t *destination, const uint8_t *source, int sample_bytes, size_t count) {
    for (size_t x = 0; x < count; x += 32) {
        size_t rest = count - x < 32 ? count - x : 32;
        u16x32 samples = 0;
        if (sample_bytes == 1) {
            u8x32 bytes = 0;
            if (rest == 32) memcpy(&bytes, source + x, 32); else memcpy(&bytes, source + x, rest);
            samples = CONVERT(bytes, u16x32) << (uint16_t)7;
        } else {
            if (rest == 32) memcpy(&samples, source + x * 2, 64); else memcpy(&samples, source + x * 2, rest * 2);
            samples = __builtin_elementwise_min(samples, (u16x32)(1023)) << (uint16_t)5;
        }
        store_words(destination + x, (i16x32)samples - (int16_t)LEVEL_NAME(neutral));
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

static void LEVEL_NAME(double_chroma_row)(int16_t *even, int16_t *odd, const int16_t *source, size_t count) {
    const i16x32 limit = LEVEL_NAME(neutral) - 1;
    for (size_t x = 0; x < count; x += 32) {
        i16x32 b = load_words(source + x - 1), c = load_words(source + x), d = load_words(source + x + 1);
        i16x32 left = cubic_sum(load_words(source + x - 2), b, c, d);
        i16x32 right = cubic_sum(load_words(source + x + 2), d, c, b);
        store_words(even + x, __builtin_elementwise_min(left, limit));
        store_words(odd + x, __builtin_elementwise_min(right, limit));
    }
}

static void LEVEL_NAME(blend_chroma_rows)(
    int16_t *upper, int16_t *lower, const int16_t *const *rows, size_t count) {
    const int16_t *first = rows[0], *second = rows[1], *third = rows[2], *fourth = rows[3];
    for (size_t x = 0; x < count; x += 32) {
        i16x32 a = load_words(first + x), b = load_words(second + x);
        i16x32 c = load_words(third + x), d = load_words(fourth + x);
        store_words(upper + x, cubic_sum(d, c, b, a));
        store_words(lower + x, cubic_sum(a, b, c, d));
    }
}

/// Converts words in 1/32 to bytes. Each 16 bytes of the result hold eight even columns, then eight odd ones.
HELPER u8x64 pack_channel(i16x32 even, i16x32 odd) {
    const i16x32 zero = 0, limit = 255;
    u8x32 a = CONVERT(__builtin_elementwise_min(__builtin_elementwise_max(even >> 5, zero), limit), u8x32);
    u8x32 b = CONVERT(__builtin_elementwise_min(__builtin_elementwise_max(odd >> 5, zero), limit), u8x32);
    return __builtin_shufflevector(a, b, PACK_WORDS(0), PACK_WORDS(8), PACK_WORDS(16), PACK_WORDS(24));
}

#define LOW_BYTES ZIP_BYTES(64, 0), ZIP_BYTES(64, 16), ZIP_BYTES(64, 32), ZIP_BYTES(64, 48)
#define HIGH_BYTES ZIP_BYTES(64, 8), ZIP_BYTES(64, 24), ZIP_BYTES(64, 40), ZIP_BYTES(64, 56)
#define LOW_WORDS ZIP_WORDS(0), ZIP_WORDS(8), ZIP_WORDS(16), ZIP_WORDS(24)
#define HIGH_WORDS ZIP_WORDS(4), ZIP_WORDS(12), ZIP_WORDS(20), ZIP_WORDS(28)
#define LOW_DOUBLES ZIP_DOUBLE_WORDS(0), ZIP_DOUBLE_WORDS(4), ZIP_DOUBLE_WORDS(8), ZIP_DOUBLE_WORDS(12)
#define HIGH_DOUBLES ZIP_DOUBLE_WORDS(2), ZIP_DOUBLE_WORDS(6), ZIP_DOUBLE_WORDS(10), ZIP_DOUBLE_WORDS(14)

/// Stores 64 opaque pixels from three packed channels.
HELPER void zip_channels(uint8_t *destination, u8x64 blue, u8x64 green, u8x64 red, int uses_non_temporal_stores) {
    const u8x64 alpha = 255;
    u16x32 bg_even = (u16x32)__builtin_shufflevector(blue, green, LOW_BYTES);
    u16x32 bg_odd = (u16x32)__builtin_shufflevector(blue, green, HIGH_BYTES);
    u16x32 ra_even = (u16x32)__builtin_shufflevector(red, alpha, LOW_BYTES);
    u16x32 ra_odd = (u16x32)__builtin_shufflevector(red, alpha, HIGH_BYTES);
    u32x16 even_low = (u32x16)__builtin_shufflevector(bg_even, ra_even, LOW_WORDS);
    u32x16 even_high = (u32x16)__builtin_shufflevector(bg_even, ra_even, HIGH_WORDS);
    u32x16 odd_low = (u32x16)__builtin_shufflevector(bg_odd, ra_odd, LOW_WORDS);
    u32x16 odd_high = (u32x16)__builtin_shufflevector(bg_odd, ra_odd, HIGH_WORDS);
    u32x16 q0 = __builtin_shufflevector(even_low, odd_low, LOW_DOUBLES);
    u32x16 q1 = __builtin_shufflevector(even_low, odd_low, HIGH_DOUBLES);
    u32x16 q2 = __builtin_shufflevector(even_high, odd_high, LOW_DOUBLES);
    u32x16 q3 = __builtin_shufflevector(even_high, odd_high, HIGH_DOUBLES);
    // Each vector has four pixels of each quarter of the 64.
    u32x16 q01[2] = {
        __builtin_shufflevector(q0, q1, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23),
        __builtin_shufflevector(q0, q1, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31)};
    u32x16 q23[2] = {
        __builtin_shufflevector(q2, q3, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23),
        __builtin_shufflevector(q2, q3, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31)};
    for (int half = 0; half < 2; half++) {
        u32x16 low = __builtin_shufflevector(
            q01[half], q23[half], 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
        u32x16 high = __builtin_shufflevector(
            q01[half], q23[half], 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
        if (uses_non_temporal_stores) {
            __builtin_nontemporal_store(low, (u32x16 *)(destination + half * 128));
            __builtin_nontemporal_store(high, (u32x16 *)(destination + half * 128 + 64));
        } else {
            memcpy(destination + half * 128, &low, 64);
            memcpy(destination + half * 128 + 64, &high, 64);
        }
    }
}

/// Converts 64 pixels, of which `count` have samples. Nothing overflows: in units of 1/32 step, luma is at most 279 ×
/// 32 and every chroma product at most 410 × 32.
HELPER void convert_64(
    uint8_t *destination, const uint8_t *luma, int sample_bytes, const int16_t *chroma, ptrdiff_t part,
    size_t count, const texel_yuv_matrix *matrix, int uses_non_temporal_stores) {
    i16x32 even, odd;
    load_samples(&even, &odd, luma, sample_bytes, count);
    even = multiply_round(even, (i16x32)(matrix->luma)) - (i16x32)(matrix->black);
    odd = multiply_round(odd, (i16x32)(matrix->luma)) - (i16x32)(matrix->black);
    if (!chroma) {
        u8x64 grey = pack_channel(even, odd);
        zip_channels(destination, grey, grey, grey, uses_non_temporal_stores);
        return;
    }
    i16x32 u_even = load_words(chroma), u_odd = load_words(chroma + part);
    i16x32 v_even = load_words(chroma + 2 * part), v_odd = load_words(chroma + 3 * part);
    const i16x32 blue_u = matrix->blue_u, green_u = matrix->green_u, green_v = matrix->green_v, red_v = matrix->red_v;
    u8x64 blue = pack_channel(even + multiply_round(u_even, blue_u), odd + multiply_round(u_odd, blue_u));
    u8x64 green = pack_channel(
        even + (multiply_round(u_even, green_u) + multiply_round(v_even, green_v)),
        odd + (multiply_round(u_odd, green_u) + multiply_round(v_odd, green_v)));
    u8x64 red = pack_channel(even + multiply_round(v_even, red_v), odd + multiply_round(v_odd, red_v));
    zip_channels(destination, blue, green, red, uses_non_temporal_stores);
}

HELPER void convert_row(
    uint8_t *destination, const uint8_t *luma, int sample_bytes, const int16_t *chroma, ptrdiff_t part, size_t width,
    const texel_yuv_matrix *matrix, int uses_non_temporal_stores) {
    size_t x = 0;
    for (; x + 64 <= width; x += 64)
        convert_64(
            destination + x * 4, luma + x * sample_bytes, sample_bytes, chroma ? chroma + x / 2 : chroma, part, 64,
            matrix, uses_non_temporal_stores);
    if (x == width) return;
    uint8_t rest[256];
    convert_64(
        rest, luma + x * sample_bytes, sample_bytes, chroma ? chroma + x / 2 : chroma, part, width - x, matrix,
        0);
    memcpy(destination + x * 4, rest, (width - x) * 4);
}

static void LEVEL_NAME(yuv_to_bgra_row)(
    uint8_t *destination, const uint8_t *luma, int sample_bytes, const int16_t *chroma, ptrdiff_t part, size_t width,
    const texel_yuv_matrix *matrix, int uses_non_temporal_stores) {
    if (sample_bytes == 1 && chroma && uses_non_temporal_stores && (uintptr_t)destination % 64 == 0) {
        convert_row(destination, luma, 1, chroma, part, width, matrix, 1);
#if defined(__x86_64__)
        // Non-temporal stores are not ordered; a thread that is signalled afterwards must see the row.
        __builtin_ia32_sfence();
#endif
    } else if (sample_bytes == 1 && chroma) convert_row(destination, luma, 1, chroma, part, width, matrix, 0);
    else if (sample_bytes == 1) convert_row(destination, luma, 1, (const int16_t *)0, part, width, matrix, 0);
    else if (chroma) convert_row(destination, luma, 2, chroma, part, width, matrix, 0);
    else convert_row(destination, luma, 2, (const int16_t *)0, part, width, matrix, 0);
}
