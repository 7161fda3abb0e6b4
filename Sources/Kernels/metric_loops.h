// The loops of the quality metrics. Included by kernel_loops.h, once per CPU level.
//
// They use floating point. Every level still gives the same bits: each step is rounded by itself, a multiply-add is
// fused only where the code says so (and emulated on processors without the instruction), and sums are formed in a
// fixed order over sixteen lanes, whatever the register width.

#pragma clang fp contract(off)

typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef int64_t i64x4 __attribute__((ext_vector_type(4)));
typedef double f64x4 __attribute__((ext_vector_type(4)));
typedef double f64x8 __attribute__((ext_vector_type(8)));
typedef double f64x16 __attribute__((ext_vector_type(16)));

/// The number of vectors that are summed in single precision before they are added to the double sums.
enum { METRIC_BLOCK = 64 };

HELPER f32x16 load_floats(const float *source) {
    f32x16 vector;
    memcpy(&vector, source, sizeof vector);
    return vector;
}

HELPER void store_floats(float *destination, f32x16 vector) { memcpy(destination, &vector, sizeof vector); }

/// Returns all bits set in the first `count` lanes.
HELPER i32x16 lanes_before(size_t count) {
    const i32x16 lanes = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return lanes < (i32x16)(count < 16 ? (int32_t)count : 16);
}

HELPER f32x16 absolute(f32x16 value) { return (f32x16)((i32x16)value & 0x7FFFFFFF); }

HELPER f32x16 positive_part(f32x16 value) { return (f32x16)((i32x16)value & (value > (f32x16)0)); }

#include "blur_loops.h"

/// Returns the sum of all lanes: the upper half is added to the lower half until one is left.
HELPER double sum_lanes(f64x16 sums) {
    f64x8 eight = sums.lo + sums.hi;
    f64x4 four = eight.lo + eight.hi;
    return (four[0] + four[2]) + (four[1] + four[3]);
}

static void LEVEL_NAME(metric_light_row)(
    float *red, float *green, float *blue, const uint8_t *source, size_t width, const float *curve) {
    for (size_t x = 0; x < width; x++) {
        blue[x] = curve[source[x * 4]];
        green[x] = curve[source[x * 4 + 1]];
        red[x] = curve[source[x * 4 + 2]];
    }
}

static void LEVEL_NAME(metric_halve_rows)(float *destination, const float *upper, const float *lower, size_t width) {
    size_t x = 0;
    for (; x + 32 <= width; x += 32) {
        f32x32 above, below;
        memcpy(&above, upper + x, sizeof above);
        memcpy(&below, lower + x, sizeof below);
        store_floats(destination + x / 2, (above.even + above.odd + below.even + below.odd) * 0.25f);
    }
    for (; x < width; x += 2) {
        size_t next = x + 1 < width ? x + 1 : x;
        destination[x / 2] = (upper[x] + upper[next] + lower[x] + lower[next]) * 0.25f;
    }
}

/// Returns the cube root of a positive normal number, within 5 units in the last place. The estimate of the inverse
/// root divides the exponent by three; two fourth-order iterations refine it; its square times the number is the
/// result.
HELPER f32x16 cube_root(f32x16 value) {
    // A third of the bit pattern, computed in floating point; the lost low bits do not matter for an estimate.
    f32x16 bits = CONVERT((i32x16)value, f32x16);
    f32x16 root = (f32x16)(0x54A20000 - CONVERT(bits * (1.0f / 3), i32x16));
    for (int step = 0; step < 2; step++) {
        f32x16 error = 1.0f - value * (root * root * root);
        root = root + root * (error * (1.0f / 3 + error * (2.0f / 9 + error * (14.0f / 81))));
    }
    return value * (root * root);
}

static void LEVEL_NAME(metric_xyb_row)(
    float *x_row, float *y_row, float *b_row, const float *red, const float *green, const float *blue, size_t count) {
    const float bias = 0.0037930732552754493f, bias_root = 0.15595420054924863f;
    for (size_t x = 0; x < count; x += 16) {
        f32x16 r = load_floats(red + x), g = load_floats(green + x), b = load_floats(blue + x);
        f32x16 l = cube_root(0.3f * r + (0.622f * g + (0.078f * b + bias))) - bias_root;
        f32x16 m = cube_root(0.23f * r + (0.692f * g + (0.078f * b + bias))) - bias_root;
        f32x16 s = cube_root(0.24342269f * r + (0.20476744f * g + (0.55180987f * b + bias))) - bias_root;
        f32x16 luma = 0.5f * (l + m);
        i32x16 inside = lanes_before(count - x);
        store_floats(x_row + x, (f32x16)((i32x16)(0.5f * (l - m) * 14.0f + 0.42f) & inside));
        store_floats(y_row + x, (f32x16)((i32x16)(luma + 0.01f) & inside));
        store_floats(b_row + x, (f32x16)((i32x16)((s - luma) + 0.55f) & inside));
    }
}

static void LEVEL_NAME(metric_luma_row)(float *destination, const uint8_t *source, size_t width) {
    for (size_t x = 0; x < width; x++)
        destination[x] = (0.299f * source[x * 4 + 2] + 0.587f * source[x * 4 + 1]) + 0.114f * source[x * 4];
}

static void LEVEL_NAME(metric_multiply_rows)(
    float *products, float *first_squares, float *second_squares, const float *first, const float *second,
    size_t count) {
    for (size_t x = 0; x < count; x += 16) {
        f32x16 a = load_floats(first + x), b = load_floats(second + x);
        store_floats(products + x, a * b);
        store_floats(first_squares + x, a * a);
        store_floats(second_squares + x, b * b);
    }
}

/// Computes one vector of weighted means. SAMPLE gives the samples, along a row or across rows.
#define WINDOW_VECTOR(SAMPLE) \
    f32x16 sum = weights[0] * load_floats(SAMPLE(0)); \
    for (ptrdiff_t tap = 1; tap <= radius; tap++) \
        sum += weights[tap] * (load_floats(SAMPLE(-tap)) + load_floats(SAMPLE(tap))); \
    store_floats(destination + x, sum);

static void LEVEL_NAME(metric_window_row)(
    float *destination, const float *source, size_t count, const float *weights, int radius) {
#define SAMPLE_BESIDE(tap) source + (ptrdiff_t)x + (tap)
    for (size_t x = 0; x < count; x += 16) { WINDOW_VECTOR(SAMPLE_BESIDE) }
#undef SAMPLE_BESIDE
}

static void LEVEL_NAME(metric_window_rows)(
    float *destination, const float *const *rows, size_t count, const float *weights, int radius) {
#define SAMPLE_ABOVE(tap) rows[radius + (tap)] + x
    for (size_t x = 0; x < count; x += 16) { WINDOW_VECTOR(SAMPLE_ABOVE) }
#undef SAMPLE_ABOVE
}

#undef WINDOW_VECTOR

/// Adds the positive part of each error and its fourth power to sums[2n] and sums[2n + 1]. COMPUTE sets `error` from x.
#define ADD_ERRORS(KINDS, COMPUTE) \
    f64x16 totals[2 * (KINDS)]; \
    for (int kind = 0; kind < 2 * (KINDS); kind++) totals[kind] = 0; \
    for (size_t start = 0; start < count; start += 16 * METRIC_BLOCK) { \
        size_t end = count - start < 16 * METRIC_BLOCK ? count : start + 16 * METRIC_BLOCK; \
        f32x16 block[2 * (KINDS)]; \
        for (int kind = 0; kind < 2 * (KINDS); kind++) block[kind] = 0; \
        for (size_t x = start; x < end; x += 16) { \
            f32x16 error[KINDS]; \
            COMPUTE \
            i32x16 inside = lanes_before(count - x); \
            for (int kind = 0; kind < (KINDS); kind++) { \
                f32x16 one = (f32x16)((i32x16)positive_part(error[kind]) & inside); \
                f32x16 square = one * one; \
                block[2 * kind] += one; \
                block[2 * kind + 1] += square * square; \
            } \
        } \
        for (int kind = 0; kind < 2 * (KINDS); kind++) totals[kind] += CONVERT(block[kind], f64x16); \
    } \
    for (int kind = 0; kind < 2 * (KINDS); kind++) sums[kind] += sum_lanes(totals[kind]);

static void LEVEL_NAME(metric_structure_errors)(
    double *sums, const float *mean1, const float *mean2, const float *squares1, const float *squares2,
    const float *products, size_t count) {
#define STRUCTURE_ERROR \
    f32x16 m1 = load_floats(mean1 + x), m2 = load_floats(mean2 + x), difference = m1 - m2; \
    f32x16 covariance = 2.0f * (load_floats(products + x) - m1 * m2) + 0.0009f; \
    f32x16 variances = ((load_floats(squares1 + x) - m1 * m1) + (load_floats(squares2 + x) - m2 * m2)) + 0.0009f; \
    error[0] = 1.0f - (1.0f - difference * difference) * covariance / variances;
    ADD_ERRORS(1, STRUCTURE_ERROR)
#undef STRUCTURE_ERROR
}

static void LEVEL_NAME(metric_edge_errors)(
    double *sums, const float *row1, const float *mean1, const float *row2, const float *mean2, size_t count) {
#define EDGE_ERROR \
    f32x16 edge1 = 1.0f + absolute(load_floats(row1 + x) - load_floats(mean1 + x)); \
    f32x16 edge2 = 1.0f + absolute(load_floats(row2 + x) - load_floats(mean2 + x)); \
    error[0] = edge2 / edge1 - 1.0f; \
    error[1] = -error[0];
    ADD_ERRORS(2, EDGE_ERROR)
#undef EDGE_ERROR
}

#undef ADD_ERRORS

static void LEVEL_NAME(metric_similarity_sum)(
    double *sum, const float *mean1, const float *mean2, const float *squares1, const float *squares2,
    const float *products, size_t count) {
    const float c1 = 6.5025f, c2 = 58.5225f;
    f64x16 total = 0;
    for (size_t x = 0; x < count; x += 16) {
        f32x16 m1 = load_floats(mean1 + x), m2 = load_floats(mean2 + x), product = m1 * m2, sum = m1 * m1 + m2 * m2;
        f32x16 squares = load_floats(squares1 + x) + load_floats(squares2 + x);
        f32x16 numerator = (2.0f * product + c1) * (2.0f * (load_floats(products + x) - product) + c2);
        f32x16 denominator = (sum + c1) * ((squares - sum) + c2);
        f32x16 similarity = (f32x16)((i32x16)(numerator / denominator) & lanes_before(count - x));
        total += CONVERT(similarity, f64x16);
    }
    *sum += sum_lanes(total);
}

static uint64_t LEVEL_NAME(metric_squared_differences)(const uint8_t *first, const uint8_t *second, size_t width) {
    uint64_t total = 0;
    // 2¹² pixels sum to less than 2¹² × 3 × 255² < 2³⁰.
    for (size_t start = 0; start < width; start += 4096) {
        size_t end = width - start < 4096 ? width : start + 4096;
        uint32_t sum = 0;
        for (size_t x = start; x < end; x++) {
            for (int channel = 0; channel < 3; channel++) {
                int difference = first[x * 4 + channel] - second[x * 4 + channel];
                sum += (uint32_t)(difference * difference);
            }
        }
        total += sum;
    }
    return total;
}
