// The inverse transforms of inverse_transform_scalar.h in vectors of 16-bit numbers, with the same results. A vector of
// 128 bits holds a row of a block; one of 256 bits holds the rows of two blocks, and every instruction used here treats
// its halves alike.
//
// The file that includes this defines VECTOR_BYTES as 16 or 32.

#ifndef INVERSE_TRANSFORM_VECTOR_H
#define INVERSE_TRANSFORM_VECTOR_H

#include <immintrin.h>
#include <string.h>

#include "inverse_transform_factors.h"
#include "scan_block.h"

#if VECTOR_BYTES == 32
typedef __m256i vector;
#define VECTOR(name) _mm256_##name
#define VECTOR_ZERO _mm256_setzero_si256()
#define VECTOR_OR(a, b) _mm256_or_si256(a, b)
#define VECTOR_HAS_ANY(a) !_mm256_testz_si256(a, a)
static inline vector both_halves(__m128i half) { return _mm256_broadcastsi128_si256(half); }
#else
typedef __m128i vector;
#define VECTOR(name) _mm_##name
#define VECTOR_ZERO _mm_setzero_si128()
#define VECTOR_OR(a, b) _mm_or_si128(a, b)
#define VECTOR_HAS_ANY(a) !_mm_testz_si128(a, a)
static inline vector both_halves(__m128i half) { return half; }
#endif

#define INLINE static inline __attribute__((always_inline))

/// Numbers of 32 bits, in the order in which `narrowed` packs them.
typedef struct {
    vector low, high;
} wide;

INLINE wide wide_sum(wide a, wide b) {
    return (wide){VECTOR(add_epi32)(a.low, b.low), VECTOR(add_epi32)(a.high, b.high)};
}

INLINE wide wide_difference(wide a, wide b) {
    return (wide){VECTOR(sub_epi32)(a.low, b.low), VECTOR(sub_epi32)(a.high, b.high)};
}

/// Pairs of numbers, to be multiplied and added.
INLINE wide pairs(vector a, vector b) { return (wide){VECTOR(unpacklo_epi16)(a, b), VECTOR(unpackhi_epi16)(a, b)}; }

/// a × `first` + b × `second`.
INLINE wide weighted(wide pairs, int first, int second) {
    vector factors = VECTOR(set1_epi32)((int)((uint32_t)second << 16 | (uint16_t)first));
    return (wide){VECTOR(madd_epi16)(pairs.low, factors), VECTOR(madd_epi16)(pairs.high, factors)};
}

/// a × 2 to the power of `bits`, which is at most 16.
INLINE wide shifted(vector a, int bits) {
    return (wide){VECTOR(srai_epi32)(VECTOR(unpacklo_epi16)(VECTOR_ZERO, a), 16 - bits),
                  VECTOR(srai_epi32)(VECTOR(unpackhi_epi16)(VECTOR_ZERO, a), 16 - bits)};
}

/// a + 2 to the power of `shift` - 1, so that a shift by that many bits rounds.
INLINE vector with_half(vector a, int shift) { return VECTOR(add_epi32)(a, VECTOR(set1_epi32)(1 << (shift - 1))); }

INLINE wide wide_with_half(wide a, int shift) { return (wide){with_half(a.low, shift), with_half(a.high, shift)}; }

/// a / 2 to the power of `shift`.
INLINE vector narrowed(wide a, int shift) {
    return VECTOR(packs_epi32)(VECTOR(srai_epi32)(a.low, shift), VECTOR(srai_epi32)(a.high, shift));
}

/// Transposes 8 × 8 numbers.
INLINE void transpose(vector *r) {
    vector a[8], b[8];
    for (int i = 0; i < 4; i++) {
        a[2 * i] = VECTOR(unpacklo_epi16)(r[2 * i], r[2 * i + 1]);
        a[2 * i + 1] = VECTOR(unpackhi_epi16)(r[2 * i], r[2 * i + 1]);
    }
    for (int i = 0; i < 2; i++) {
        b[4 * i] = VECTOR(unpacklo_epi32)(a[4 * i], a[4 * i + 2]);
        b[4 * i + 1] = VECTOR(unpackhi_epi32)(a[4 * i], a[4 * i + 2]);
        b[4 * i + 2] = VECTOR(unpacklo_epi32)(a[4 * i + 1], a[4 * i + 3]);
        b[4 * i + 3] = VECTOR(unpackhi_epi32)(a[4 * i + 1], a[4 * i + 3]);
    }
    for (int i = 0; i < 4; i++) {
        r[2 * i] = VECTOR(unpacklo_epi64)(b[i], b[i + 4]);
        r[2 * i + 1] = VECTOR(unpackhi_epi64)(b[i], b[i + 4]);
    }
}

/// One dimension of the 8 × 8 transform. With `is_quarter` the last four inputs are 0.
INLINE void transform_8(vector *r, int shift, bool is_quarter) {
    wide even02 = shifted(is_quarter ? r[0] : VECTOR(add_epi16)(r[0], r[4]), FACTOR_BITS);
    even02 = wide_with_half(even02, shift);
    wide even13 = even02;
    if (!is_quarter) even13 = wide_with_half(shifted(VECTOR(sub_epi16)(r[0], r[4]), FACTOR_BITS), shift);
    wide z26 = pairs(r[2], is_quarter ? VECTOR_ZERO : r[6]);
    wide even2 = weighted(z26, F_0_541, F_0_541 - F_1_847), even3 = weighted(z26, F_0_541 + F_0_765, F_0_541);
    wide even[4] = {wide_sum(even02, even3), wide_sum(even13, even2), wide_difference(even13, even2),
                    wide_difference(even02, even3)};
    wide odd[4];
    if (is_quarter) {
        // The same sums without the inputs that are 0.
        wide z13 = pairs(r[1], r[3]);
        odd[0] = weighted(z13, F_1_501 - F_0_899 + F_1_175 - F_0_390, F_1_175);
        odd[1] = weighted(z13, F_1_175, F_3_072 - F_2_562 + F_1_175 - F_1_961);
        odd[2] = weighted(z13, F_1_175 - F_0_390, F_1_175 - F_2_562);
        odd[3] = weighted(z13, F_1_175 - F_0_899, F_1_175 - F_1_961);
    } else {
        wide z34 = pairs(VECTOR(add_epi16)(r[7], r[3]), VECTOR(add_epi16)(r[5], r[1]));
        wide sum3 = weighted(z34, F_1_175 - F_1_961, F_1_175), sum4 = weighted(z34, F_1_175, F_1_175 - F_0_390);
        wide z71 = pairs(r[7], r[1]), z53 = pairs(r[5], r[3]);
        odd[0] = wide_sum(weighted(z71, -F_0_899, F_1_501 - F_0_899), sum4);
        odd[1] = wide_sum(weighted(z53, -F_2_562, F_3_072 - F_2_562), sum3);
        odd[2] = wide_sum(weighted(z53, F_2_053 - F_2_562, -F_2_562), sum4);
        odd[3] = wide_sum(weighted(z71, F_0_298 - F_0_899, -F_0_899), sum3);
    }
    for (int i = 0; i < 4; i++) {
        r[i] = narrowed(wide_sum(even[i], odd[i]), shift);
        r[7 - i] = narrowed(wide_difference(even[i], odd[i]), shift);
    }
}

/// Writes 16 bytes, or the first half of a row of two blocks.
INLINE void write_8(vector rows, uint8_t *samples, size_t bytes_per_row) {
#if VECTOR_BYTES == 32
    __m256i sorted = _mm256_permute4x64_epi64(rows, 0xD8);
    _mm_storeu_si128((__m128i_u *)samples, _mm256_castsi256_si128(sorted));
    _mm_storeu_si128((__m128i_u *)(samples + bytes_per_row), _mm256_extracti128_si256(sorted, 1));
#else
    _mm_storel_epi64((__m128i_u *)samples, rows);
    _mm_storel_epi64((__m128i_u *)(samples + bytes_per_row), _mm_unpackhi_epi64(rows, rows));
#endif
}

INLINE void samples_8(vector *r, uint8_t *samples, size_t bytes_per_row, bool is_quarter) {
    transform_8(r, FIRST_SHIFT_8, is_quarter);
    transpose(r);
    transform_8(r, SECOND_SHIFT_8, is_quarter);
    // From columns 0 and 4, 1 and 5, … to rows 0 and 1, 2 and 3, …
    vector c[4], d[4];
    for (int i = 0; i < 4; i++) c[i] = VECTOR(packs_epi16)(r[i], r[i + 4]);
    for (int i = 0; i < 2; i++) {
        d[2 * i] = VECTOR(unpacklo_epi8)(c[i], c[i + 2]);
        d[2 * i + 1] = VECTOR(unpackhi_epi8)(c[i], c[i + 2]);
    }
    for (int i = 0; i < 2; i++) {
        c[2 * i] = VECTOR(unpacklo_epi8)(d[i], d[i + 2]);
        c[2 * i + 1] = VECTOR(unpackhi_epi8)(d[i], d[i + 2]);
    }
    for (int i = 0; i < 2; i++) {
        d[2 * i] = VECTOR(unpacklo_epi32)(c[i], c[i + 2]);
        d[2 * i + 1] = VECTOR(unpackhi_epi32)(c[i], c[i + 2]);
    }
    for (int i = 0; i < 4; i++) {
        vector bytes = VECTOR(add_epi8)(d[i], VECTOR(set1_epi8)(-128));
        write_8(bytes, samples + (size_t)(2 * i) * bytes_per_row, bytes_per_row);
    }
}

/// One dimension of the transform to four samples, of pairs (x1, x3), (x5, x7), (x2, x6), and x0 × 2 to the power of
/// FACTOR_BITS + 1 with a half.
INLINE void transform_4(wide x0, wide x26, wide x13, wide x57, wide *sums) {
    wide even = weighted(x26, F_1_847, -F_0_765);
    wide odd0 = wide_sum(weighted(x57, F_1_451, -F_0_211), weighted(x13, F_1_061, -F_2_172));
    wide odd2 = wide_sum(weighted(x57, -F_0_601, -F_0_509), weighted(x13, F_2_562, F_0_899));
    wide sum = wide_sum(x0, even), difference = wide_difference(x0, even);
    sums[0] = wide_sum(sum, odd2);
    sums[3] = wide_difference(sum, odd2);
    sums[1] = wide_sum(difference, odd0);
    sums[2] = wide_difference(difference, odd0);
}

INLINE void samples_4(const vector *r, uint8_t *samples, size_t bytes_per_row) {
    wide sums[4];
    wide first = wide_with_half(shifted(r[0], FACTOR_BITS + 1), FIRST_SHIFT_4);
    transform_4(first, pairs(r[2], r[6]), pairs(r[1], r[3]), pairs(r[5], r[7]), sums);
    vector w[4];
    for (int i = 0; i < 4; i++) w[i] = narrowed(sums[i], FIRST_SHIFT_4);
    // Each of these holds two columns of four numbers.
    vector a = VECTOR(unpacklo_epi16)(w[0], w[1]), b = VECTOR(unpackhi_epi16)(w[0], w[1]);
    vector c = VECTOR(unpacklo_epi16)(w[2], w[3]), d = VECTOR(unpackhi_epi16)(w[2], w[3]);
    vector x01 = VECTOR(unpacklo_epi32)(a, c), x23 = VECTOR(unpackhi_epi32)(a, c);
    vector x45 = VECTOR(unpacklo_epi32)(b, d), x67 = VECTOR(unpackhi_epi32)(b, d);
    // Only the low parts of the wide numbers are used.
    vector zero = VECTOR_ZERO;
    vector x0_low = VECTOR(srai_epi32)(VECTOR(unpacklo_epi16)(zero, x01), 16 - (FACTOR_BITS + 1));
    wide x0 = {with_half(x0_low, SECOND_SHIFT_4), zero};
    wide x26 = {VECTOR(unpacklo_epi16)(x23, x67), zero}, x13 = {VECTOR(unpackhi_epi16)(x01, x23), zero};
    wide x57 = {VECTOR(unpackhi_epi16)(x45, x67), zero};
    transform_4(x0, x26, x13, x57, sums);
    vector s[4];
    for (int i = 0; i < 4; i++) s[i] = VECTOR(srai_epi32)(sums[i].low, SECOND_SHIFT_4);
    vector bytes = VECTOR(packs_epi16)(VECTOR(packs_epi32)(s[0], s[1]), VECTOR(packs_epi32)(s[2], s[3]));
    bytes = VECTOR(add_epi8)(bytes, VECTOR(set1_epi8)(-128));
    // From columns to rows.
    __m128i order = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    bytes = VECTOR(shuffle_epi8)(bytes, both_halves(order));
    uint8_t stored[VECTOR_BYTES];
    memcpy(stored, &bytes, sizeof stored);
    for (size_t y = 0; y < 4; y++) {
        for (size_t half = 0; half < VECTOR_BYTES / 16; half++) {
            memcpy(samples + y * bytes_per_row + 4 * half, stored + 16 * half + 4 * y, 4);
        }
    }
}

INLINE void samples_2(const vector *r, uint8_t *samples, size_t bytes_per_row) {
    wide even = wide_with_half(shifted(r[0], FACTOR_BITS + 2), FIRST_SHIFT_2);
    wide odd = wide_sum(weighted(pairs(r[1], r[3]), F_3_624, -F_1_272), weighted(pairs(r[5], r[7]), F_0_850, -F_0_720));
    vector w0 = narrowed(wide_sum(even, odd), FIRST_SHIFT_2), w1 = narrowed(wide_difference(even, odd), FIRST_SHIFT_2);
    // The odd columns of both rows; two sums of pairs each give the odd part.
    vector factors = both_halves(_mm_setr_epi16(0, F_3_624, 0, -F_1_272, 0, F_0_850, 0, -F_0_720));
    vector odd0 = VECTOR(madd_epi16)(w0, factors), odd1 = VECTOR(madd_epi16)(w1, factors);
    vector sums = VECTOR(hadd_epi32)(odd0, odd1);
    sums = VECTOR(hadd_epi32)(sums, sums); // the odd parts of row 0 and row 1, twice
    // x0 of both rows, times 2 to the power of FACTOR_BITS + 2.
    vector x0 = VECTOR(unpacklo_epi16)(VECTOR_ZERO, VECTOR(unpacklo_epi16)(w0, w1));
    x0 = with_half(VECTOR(srai_epi32)(x0, 16 - (FACTOR_BITS + 2)), SECOND_SHIFT_2);
    vector left = VECTOR(srai_epi32)(VECTOR(add_epi32)(x0, sums), SECOND_SHIFT_2);
    vector right = VECTOR(srai_epi32)(VECTOR(sub_epi32)(x0, sums), SECOND_SHIFT_2);
    vector both = VECTOR(unpacklo_epi32)(left, right);
    vector bytes = VECTOR(packs_epi32)(both, both);
    bytes = VECTOR(add_epi8)(VECTOR(packs_epi16)(bytes, bytes), VECTOR(set1_epi8)(-128));
    uint8_t stored[VECTOR_BYTES];
    memcpy(stored, &bytes, sizeof stored);
    for (size_t half = 0; half < VECTOR_BYTES / 16; half++) {
        memcpy(samples + 2 * half, stored + 16 * half, 2);
        memcpy(samples + bytes_per_row + 2 * half, stored + 16 * half + 2, 2);
    }
}

/// The rows of a block, or of two.
INLINE vector load_rows(const scan_block *const *blocks, int row) {
    const __m128i_u *first = (const __m128i_u *)(blocks[0]->coefficients + 8 * row);
#if VECTOR_BYTES == 32
    const __m128i_u *second = (const __m128i_u *)(blocks[1]->coefficients + 8 * row);
    return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(first)), _mm_loadu_si128(second), 1);
#else
    return _mm_loadu_si128(first);
#endif
}

/// Makes the samples of as many blocks as a vector holds. With `is_quarter`, only the first four rows and columns of
/// coefficients are not 0.
INLINE bool transform_blocks(const scan_block *const *blocks, const component_steps *steps, int size, uint8_t *samples,
                             size_t bytes_per_row, bool is_quarter) {
    vector r[8], excess = VECTOR_ZERO;
    for (int i = 0; i < 8; i++) {
        if (is_quarter && i >= 4) {
            r[i] = VECTOR_ZERO;
            continue;
        }
        vector row = load_rows(blocks, i);
        vector limit = both_halves(_mm_loadu_si128((const __m128i_u *)(steps->limits + 8 * i)));
        excess = VECTOR_OR(excess, VECTOR(cmpgt_epi16)(VECTOR(abs_epi16)(row), limit));
        r[i] = VECTOR(mullo_epi16)(row, both_halves(_mm_loadu_si128((const __m128i_u *)(steps->steps + 8 * i))));
    }
    if (VECTOR_HAS_ANY(excess)) return false;
    switch (size) {
    case 8: samples_8(r, samples, bytes_per_row, is_quarter); break;
    case 4: samples_4(r, samples, bytes_per_row); break;
    default: samples_2(r, samples, bytes_per_row); break;
    }
    return true;
}

/// Dequantises two blocks and makes their samples, side by side. Returns false if a coefficient is too large.
INLINE bool transform_pair(const scan_block *const pair[2], const component_steps *steps, int size, uint8_t *samples,
                           size_t bytes_per_row) {
    uint32_t last = pair[0]->last > pair[1]->last ? pair[0]->last : pair[1]->last;
    for (int i = 0; i < 32 / VECTOR_BYTES; i++) {
        uint8_t *at = samples + i * size;
        bool fits = last <= LAST_OF_QUARTER ? transform_blocks(pair + i, steps, size, at, bytes_per_row, true)
                                            : transform_blocks(pair + i, steps, size, at, bytes_per_row, false);
        if (!fits) return false;
    }
    return true;
}

#undef INLINE

#endif
