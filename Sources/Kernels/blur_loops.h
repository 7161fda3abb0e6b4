// The recursive Gaussian blur of SSIMULACRA2. Included by metric_loops.h, once per CPU level.
//
// Its poles are on the unit circle, so rounding errors accumulate along rows and columns and affect the scores of good
// images. Each step is therefore rounded exactly where the reference implementation rounds it.

#if defined(__x86_64__) && MULTIPLY_ADD_BYTES < 32

/// Returns a × b + c, rounded once. The product is exact in double precision; the sum is rounded to odd there, so that
/// the second rounding, to single precision, gives the correctly rounded result (Boldo and Melquiond 2008).
HELPER f32x4 fused_multiply_add_4(f32x4 a, f32x4 b, f32x4 c) {
    f64x4 product = CONVERT(a, f64x4) * CONVERT(b, f64x4), addend = CONVERT(c, f64x4), sum = product + addend;
    f64x4 rest = sum - product;
    f64x4 error = (product - (sum - rest)) + (addend - rest);
    i64x4 bits = (i64x4)sum;
    i64x4 grows = ((i64x4)error ^ bits) >> 63;
    i64x4 inexact_and_even = (error != (f64x4)0) & ((bits & 1) - 1);
    // One unit up in magnitude if the error has the sum's sign, otherwise one down.
    bits += inexact_and_even & (grows * 2 + 1);
    return CONVERT((f64x4)bits, f32x4);
}

HELPER f32x16 fused_multiply_add(f32x16 a, f32x16 b, f32x16 c) {
    f32x16 result;
    result.lo.lo = fused_multiply_add_4(a.lo.lo, b.lo.lo, c.lo.lo);
    result.lo.hi = fused_multiply_add_4(a.lo.hi, b.lo.hi, c.lo.hi);
    result.hi.lo = fused_multiply_add_4(a.hi.lo, b.hi.lo, c.hi.lo);
    result.hi.hi = fused_multiply_add_4(a.hi.hi, b.hi.hi, c.hi.hi);
    return result;
}

#else

HELPER f32x4 fused_multiply_add_4(f32x4 a, f32x4 b, f32x4 c) { return __builtin_elementwise_fma(a, b, c); }
HELPER f32x16 fused_multiply_add(f32x16 a, f32x16 b, f32x16 c) { return __builtin_elementwise_fma(a, b, c); }

#endif

enum { BLUR_BEFORE = texel_blur_radius + 1, BLUR_BEHIND = texel_blur_radius - 1 };

/// The last two outputs of one row's three oscillators.
typedef struct { f32x4 previous, before; } LEVEL_NAME(oscillators);

/// Computes columns `x` to `end` one at a time. Outputs left of the first column are not stored.
HELPER void blur_columns(
    float *destination, const float *source, ptrdiff_t x, ptrdiff_t end, LEVEL_NAME(oscillators) *state,
    const texel_recursive_blur *blur) {
    f32x4 input = {blur->across_input[0][0], blur->across_input[1][0], blur->across_input[2][0], 0};
    f32x4 previous = {blur->across_previous[0][0], blur->across_previous[1][0], blur->across_previous[2][0], 0};
    f32x4 before = {blur->across_before[0][0], blur->across_before[1][0], blur->across_before[2][0], 0};
    for (; x < end; x++) {
        f32x4 sum = source[x - BLUR_BEFORE] + source[x + BLUR_BEHIND];
        f32x4 output = fused_multiply_add_4(before, state->before, sum * input);
        output = fused_multiply_add_4(previous, state->previous, output);
        state->before = state->previous;
        state->previous = output;
        if (x >= 0) destination[x] = output[0] + (output[1] + output[2]);
    }
}

#define FOUR_TIMES(a, b, c, d) a, b, c, d, a, b, c, d, a, b, c, d, a, b, c, d
#define EACH_FOURTH(n) \
    n, n, n, n, n + 4, n + 4, n + 4, n + 4, n + 8, n + 8, n + 8, n + 8, n + 12, n + 12, n + 12, n + 12

HELPER f32x16 load_four(const float *const *rows, ptrdiff_t x) {
    f32x16 result;
    f32x4 part[4];
    for (int row = 0; row < 4; row++) memcpy(&part[row], rows[row] + x, sizeof part[row]);
    result.lo = __builtin_shufflevector(part[0], part[1], 0, 1, 2, 3, 4, 5, 6, 7);
    result.hi = __builtin_shufflevector(part[2], part[3], 0, 1, 2, 3, 4, 5, 6, 7);
    return result;
}

/// Blurs four rows at once, four columns per step; a vector holds four columns of each row. Output n of a step depends
/// on inputs 0 to n of the step and on the last two outputs of the step before.
HELPER void blur_four_rows(
    float *const *destinations, const float *const *sources, ptrdiff_t width, const texel_recursive_blur *blur) {
    LEVEL_NAME(oscillators) states[4];
    const ptrdiff_t single = width < 8 ? width : 8;
    for (int row = 0; row < 4; row++) {
        states[row].previous = 0;
        states[row].before = 0;
        blur_columns(destinations[row], sources[row], -BLUR_BEHIND, single, &states[row], blur);
    }
    f32x16 inputs[3][4], previous[3], before[3], outputs[3];
    for (int k = 0; k < 3; k++) {
        const float *w = blur->across_input[k], *p = blur->across_previous[k], *b = blur->across_before[k];
        inputs[k][0] = (f32x16){FOUR_TIMES(w[0], w[1], w[2], w[3])};
        inputs[k][1] = (f32x16){FOUR_TIMES(0, w[0], w[1], w[2])};
        inputs[k][2] = (f32x16){FOUR_TIMES(0, 0, w[0], w[1])};
        inputs[k][3] = (f32x16){FOUR_TIMES(0, 0, 0, w[0])};
        previous[k] = (f32x16){FOUR_TIMES(p[0], p[1], p[2], p[3])};
        before[k] = (f32x16){FOUR_TIMES(b[0], b[1], b[2], b[3])};
        for (int row = 0; row < 4; row++) {
            outputs[k][4 * row + 2] = states[row].before[k];
            outputs[k][4 * row + 3] = states[row].previous[k];
        }
    }
    ptrdiff_t x = single;
    for (; x < width - BLUR_BEHIND - 3; x += 4) {
        f32x16 sums = load_four(sources, x - BLUR_BEFORE) + load_four(sources, x + BLUR_BEHIND);
        f32x16 first = SHUFFLE(sums, EACH_FOURTH(0)), second = SHUFFLE(sums, EACH_FOURTH(1));
        f32x16 third = SHUFFLE(sums, EACH_FOURTH(2)), fourth = SHUFFLE(sums, EACH_FOURTH(3));
        for (int k = 0; k < 3; k++) {
            f32x16 output = first * inputs[k][0];
            output = fused_multiply_add(inputs[k][1], second, output);
            output = fused_multiply_add(inputs[k][2], third, output);
            output = fused_multiply_add(inputs[k][3], fourth, output);
            output = fused_multiply_add(before[k], SHUFFLE(outputs[k], EACH_FOURTH(2)), output);
            outputs[k] = fused_multiply_add(previous[k], SHUFFLE(outputs[k], EACH_FOURTH(3)), output);
        }
        f32x16 result = outputs[0] + (outputs[1] + outputs[2]);
        memcpy(destinations[0] + x, (float *)&result, 16);
        memcpy(destinations[1] + x, (float *)&result + 4, 16);
        memcpy(destinations[2] + x, (float *)&result + 8, 16);
        memcpy(destinations[3] + x, (float *)&result + 12, 16);
    }
    for (int row = 0; row < 4; row++) {
        for (int k = 0; k < 3; k++) {
            states[row].before[k] = outputs[k][4 * row + 2];
            states[row].previous[k] = outputs[k][4 * row + 3];
        }
        blur_columns(destinations[row], sources[row], x, width, &states[row], blur);
    }
}

static void LEVEL_NAME(metric_blur_across)(
    float *const *destinations, const float *const *sources, size_t row_count, size_t width,
    const texel_recursive_blur *blur) {
    for (size_t row = 0; row < row_count; row += 4) {
        float *to[4];
        const float *from[4];
        // If fewer than four rows are left, the last one is computed several times.
        for (size_t n = 0; n < 4; n++) {
            size_t index = row + n < row_count ? row + n : row_count - 1;
            to[n] = destinations[index];
            from[n] = sources[index];
        }
        blur_four_rows(to, from, (ptrdiff_t)width, blur);
    }
}

static void LEVEL_NAME(metric_blur_down)(
    float *destination, float *const *before, const float *const *previous, const float *upper, const float *lower,
    size_t count, const texel_recursive_blur *blur) {
    for (size_t x = 0; x < count; x += 16) {
        f32x16 sum = load_floats(upper + x) + load_floats(lower + x), outputs[3];
        for (int k = 0; k < 3; k++) {
            f32x16 rest = fused_multiply_add(
                (f32x16)-blur->down_previous[k], load_floats(previous[k] + x), -load_floats(before[k] + x));
            outputs[k] = fused_multiply_add((f32x16)blur->down_input[k], sum, rest);
            store_floats(before[k] + x, outputs[k]);
        }
        store_floats(destination + x, outputs[0] + (outputs[1] + outputs[2]));
    }
}
