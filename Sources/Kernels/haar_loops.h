// The loops of HaarPSI (R. Reisenhofer, S. Bosse, G. Kutyniok and T. Wiegand, "A Haar wavelet-based perceptual
// similarity index for image quality assessment", 2018). Included by kernel_loops.h, once per CPU level.

static void LEVEL_NAME(haar_colors)(
    float *luma, float *orange, float *green, const uint8_t *upper, const uint8_t *lower, size_t width) {
    size_t count = (width + 1) / 2;
    for (size_t x = 0; x < count; x++) {
        int sums[3] = {0, 0, 0};
        size_t next = 2 * x + 1 < width ? 4 : 0;
        for (int channel = 0; channel < 3; channel++) {
            const uint8_t *above = upper + x * 8 + channel;
            sums[channel] = above[0] + (next ? above[4] : 0);
            if (lower) sums[channel] += lower[x * 8 + channel] + (next ? lower[x * 8 + 4 + channel] : 0);
        }
        float b = 0.25f * sums[0], g = 0.25f * sums[1], r = 0.25f * sums[2];
        luma[x] = (0.299f * r + 0.587f * g) + 0.114f * b;
        orange[x] = (0.596f * r - 0.274f * g) - 0.322f * b;
        green[x] = (0.211f * r - 0.523f * g) + 0.312f * b;
    }
    for (size_t x = count; x % 16 != 0; x++) luma[x] = orange[x] = green[x] = 0;
}

static void LEVEL_NAME(haar_row)(float *const *sums, float *const *differences, const float *row, size_t count) {
    for (size_t x = 0; x < count; x += 16) {
        const float *source = row + x;
        f32x16 left = load_floats(source), right = load_floats(source + 1);
        store_floats(sums[0] + x, left + right);
        store_floats(differences[0] + x, left - right);
        left += load_floats(source - 1);
        right += load_floats(source + 2);
        store_floats(sums[1] + x, left + right);
        store_floats(differences[1] + x, left - right);
        left += load_floats(source - 2) + load_floats(source - 3);
        right += load_floats(source + 3) + load_floats(source + 4);
        store_floats(sums[2] + x, left + right);
        store_floats(differences[2] + x, left - right);
    }
}

static void LEVEL_NAME(haar_column)(
    float *destination, const float *const *rows, size_t count, int size, bool is_difference) {
    for (size_t x = 0; x < count; x += 16) {
        f32x16 upper = 0, lower = 0;
        for (int row = 0; row < size / 2; row++) {
            upper += load_floats(rows[row] + x);
            lower += load_floats(rows[size / 2 + row] + x);
        }
        store_floats(destination + x, absolute(is_difference ? upper - lower : upper + lower) * (1.0f / (float)size));
    }
}

/// Returns e to the power of `value`, −10…0, within 10⁻⁶ of it.
HELPER f32x16 exponential(f32x16 value) {
    f32x16 scaled = value * 1.44269504f;
    i32x16 whole = CONVERT(scaled - 0.5f, i32x16);
    f32x16 rest = (scaled - CONVERT(whole, f32x16)) * 0.693147181f;
    f32x16 power = 1.0f + rest * (1.0f + rest * (0.5f + rest * (1.0f / 6 + rest * (1.0f / 24 + rest * (1.0f / 120
        + rest * (1.0f / 720))))));
    return power * (f32x16)((whole + 127) << 23);
}

HELPER f32x16 haar_similarity(f32x16 a, f32x16 b) {
    return (2.0f * a * b + 30.0f) / ((a * a + b * b) + 30.0f);
}

HELPER f32x16 haar_logistic(f32x16 similarity) { return 1.0f / (1.0f + exponential(-4.2f * similarity)); }

static void LEVEL_NAME(haar_similarities)(
    double *sums, const float *const *first, const float *const *second, size_t count) {
    f64x16 totals[2] = {0, 0};
    for (size_t x = 0; x < count; x += 16) {
        f32x16 a[8], b[8], weights = 0, products = 0;
        for (int n = 0; n < 8; n++) {
            a[n] = load_floats(first[n] + x);
            b[n] = load_floats(second[n] + x);
        }
        for (int orientation = 0; orientation < 6; orientation += 3) {
            f32x16 similarity = 0.5f * (haar_similarity(a[orientation], b[orientation])
                + haar_similarity(a[orientation + 1], b[orientation + 1]));
            f32x16 weight = __builtin_elementwise_max(a[orientation + 2], b[orientation + 2]);
            products += haar_logistic(similarity) * weight;
            weights += weight;
        }
        f32x16 similarity = 0.5f * (haar_similarity(a[6], b[6]) + haar_similarity(a[7], b[7]));
        products += haar_logistic(similarity) * (0.5f * weights);
        i32x16 inside = lanes_before(count - x);
        totals[0] += CONVERT((f32x16)((i32x16)products & inside), f64x16);
        totals[1] += CONVERT((f32x16)((i32x16)(1.5f * weights) & inside), f64x16);
    }
    for (int n = 0; n < 2; n++) sums[n] += sum_lanes(totals[n]);
}
