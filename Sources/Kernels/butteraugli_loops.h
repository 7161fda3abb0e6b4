// The loops of Butteraugli (J. Alakuijala et al., "Guetzli: Perceptually Guided JPEG Encoder", 2017), with the
// constants of libjxl 0.7. Included by kernel_loops.h, once per CPU level.

HELPER f32x16 largest(f32x16 a, f32x16 b) { return __builtin_elementwise_max(a, b); }
HELPER f32x16 smallest(f32x16 a, f32x16 b) { return __builtin_elementwise_min(a, b); }
HELPER f32x16 chosen(i32x16 condition, f32x16 a, f32x16 b) {
    return (f32x16)(((i32x16)a & condition) | ((i32x16)b & ~condition));
}
HELPER f32x16 square_root(f32x16 value) { return __builtin_elementwise_sqrt(value); }

/// Stores the lanes of a vector before `count`, and zeros behind.
HELPER void store_before(float *destination, f32x16 vector, size_t count) {
    store_floats(destination, (f32x16)((i32x16)vector & lanes_before(count)));
}

static void LEVEL_NAME(butteraugli_blur_row)(
    float *destination, const float *source, const float *scales, size_t count, const float *weights, int radius) {
    for (size_t x = 0; x < count; x += 16) {
        f32x16 sum = weights[0] * load_floats(source + x);
        for (int tap = 1; tap <= radius; tap++)
            sum += weights[tap] * (load_floats(source + x - tap) + load_floats(source + x + tap));
        // What is read behind the row may be anything, so the lanes there are cleared rather than multiplied by zero.
        store_before(destination + x, sum * load_floats(scales + x), count - x);
    }
}

/// Returns the natural logarithm of positive normal numbers, within 10⁻⁶: 2 artanh((m − 1) / (m + 1)) for the mantissa,
/// in 0.7…1.4, plus the logarithm of the power of two.
HELPER f32x16 natural_logarithm(f32x16 value) {
    i32x16 exponent = ((i32x16)value - 0x3F3504F3) >> 23;
    f32x16 mantissa = (f32x16)((i32x16)value - (exponent << 23));
    f32x16 s = (mantissa - 1.0f) / (mantissa + 1.0f), square = s * s;
    f32x16 series = 2.0f + square * (2.0f / 3 + square * (2.0f / 5 + square * (2.0f / 7 + square * (2.0f / 9))));
    return CONVERT(exponent, f32x16) * 0.69314718f + s * series;
}

/// The light that the three kinds of cones absorb.
HELPER void absorbed(f32x16 *cones, const float *const *light, size_t x) {
    // The display's white is 80 candela per square metre.
    f32x16 r = load_floats(light[0] + x) * 80.0f, g = load_floats(light[1] + x) * 80.0f;
    f32x16 b = load_floats(light[2] + x) * 80.0f;
    cones[0] = 0.299565503f * r + (0.633730878f * g + (0.0777056178f * b + 1.75574836f));
    cones[1] = 0.221586911f * r + (0.69391388f * g + (0.0987313588f * b + 1.75574836f));
    cones[2] = 0.02f * r + (0.02f * g + (0.20480129f * b + 12.2264547f));
}

static void LEVEL_NAME(butteraugli_adapted_colors)(
    float *const *colors, const float *const *light, const float *const *blurred, size_t count) {
    const float darkest[3] = {1.75574836f, 1.75574836f, 12.2264547f};
    for (size_t x = 0; x < count; x += 16) {
        f32x16 around[3], here[3];
        absorbed(around, blurred, x);
        absorbed(here, light, x);
        for (int cone = 0; cone < 3; cone++) {
            f32x16 level = largest(around[cone], (f32x16)(darkest[cone]));
            f32x16 response = 19.245013f * natural_logarithm(level + 9.97106358f) - 23.1604624f;
            f32x16 sensitivity = largest(response / level, (f32x16)(1e-4f));
            here[cone] = largest(here[cone] * sensitivity, (f32x16)(darkest[cone]));
        }
        store_before(colors[0] + x, here[0] - here[1], count - x);
        store_before(colors[1] + x, here[0] + here[1], count - x);
        store_before(colors[2] + x, here[2], count - x);
    }
}

static void LEVEL_NAME(butteraugli_split_low)(float *const *low, float *const *medium, size_t count) {
    for (size_t x = 0; x < count; x += 16) {
        f32x16 values[3];
        for (int channel = 0; channel < 3; channel++) {
            values[channel] = load_floats(low[channel] + x);
            store_floats(medium[channel] + x, load_floats(medium[channel] + x) - values[channel]);
        }
        store_floats(low[0] + x, values[0] * 32.2217497f);
        store_floats(low[1] + x, values[1] * 13.7697791f);
        store_floats(low[2] + x, (values[2] - 0.362267052f * values[1]) * 47.5046157f);
    }
}

/// Moves values towards zero by `width`, and those that are nearer to zero.
HELPER f32x16 without_range(f32x16 value, float width) {
    return chosen(value > (f32x16)(width), value - width,
        (f32x16)((i32x16)(value + width) & (value < (f32x16)(-width))));
}

/// Moves values away from zero by `width`, and doubles those that are nearer to zero.
HELPER f32x16 with_range(f32x16 value, float width) {
    return chosen(
        value > (f32x16)(width), value + width, chosen(value < (f32x16)(-width), value - width, value + value));
}

/// Compresses magnitudes above `limit`.
HELPER f32x16 compressed(f32x16 value, float limit) {
    const float factor = 0.724216146f;
    return chosen(
        value >= (f32x16)(limit), (value - limit) * factor + limit,
        chosen(value < (f32x16)(-limit), (value + limit) * factor - limit, value));
}

static void LEVEL_NAME(butteraugli_split_medium)(
    float *const *medium, float *const *high, const float *const *blurred, size_t count) {
    for (size_t x = 0; x < count; x += 16) {
        f32x16 low_x = load_floats(blurred[0] + x), low_y = load_floats(blurred[1] + x);
        f32x16 high_x = load_floats(medium[0] + x) - low_x, high_y = load_floats(medium[1] + x) - low_y;
        store_floats(medium[0] + x, without_range(low_x, 0.29f));
        store_floats(medium[1] + x, with_range(low_y, 0.1f));
        store_floats(medium[2] + x, load_floats(blurred[2] + x));
        // Changes of intensity hide those between red and green.
        f32x16 visible = 46.0f / (high_y * high_y + 46.0f) * 0.346979444f + 0.653020556f;
        store_floats(high[0] + x, visible * high_x);
        store_floats(high[1] + x, high_y);
    }
}

static void LEVEL_NAME(butteraugli_split_high)(
    float *const *high, float *const *highest, const float *const *blurred, size_t count) {
    for (size_t x = 0; x < count; x += 16) {
        f32x16 low_x = load_floats(blurred[0] + x), low_y = compressed(load_floats(blurred[1] + x), 28.4691807f);
        store_floats(highest[0] + x, without_range(load_floats(high[0] + x) - low_x, 0.04f));
        store_floats(highest[1] + x, compressed(load_floats(high[1] + x) - low_y, 5.19175295f) * 2.69313764f);
        store_floats(high[0] + x, without_range(low_x, 1.5f));
        store_floats(high[1] + x, with_range(low_y * 2.155f, 0.132f));
    }
}

/// Returns by how much the second sample is nearer to zero than `small` times the first, or farther than `large` times;
/// positive if it is nearer and the first is positive, or if it is farther and the first is negative. 0 in between.
HELPER f32x16 deviation(f32x16 first, f32x16 second, float small, float large) {
    // With the first one's sign removed from both, only one case is left.
    i32x16 sign = (i32x16)first & (int32_t)0x80000000;
    f32x16 magnitude = absolute(first), other = (f32x16)((i32x16)second ^ sign);
    f32x16 low = small * magnitude, high = large * magnitude;
    f32x16 result = chosen(other < low, low - other, (f32x16)((i32x16)(high - other) & (other > high)));
    return (f32x16)((i32x16)result ^ sign);
}

static void LEVEL_NAME(butteraugli_weighted_differences)(
    float *destination, const float *first, const float *second, size_t count, const texel_line_weights *weights) {
    const texel_line_weights w = *weights;
    for (size_t x = 0; x < count; x += 16) {
        f32x16 a = load_floats(first + x), b = load_floats(second + x);
        f32x16 scale = 1.0f / (w.norm + 0.5f * (absolute(a) + absolute(b)));
        f32x16 value = w.difference * (a - b) + w.deviation * deviation(a, b, 0.55f, 1.05f);
        store_before(destination + x, scale * value, count - x);
    }
}

/// A place on a line through a sample: rows below and columns to the right. The mirrored place is on the line too.
typedef struct { int8_t row, column; } LEVEL_NAME(line_place);

/// Sixteen lines, with every other sample.
static const LEVEL_NAME(line_place) LEVEL_NAME(sparse_lines)[16][2] = {
    {{0, 2}, {0, 4}}, {{2, 0}, {4, 0}}, {{2, 2}, {3, 3}}, {{2, -2}, {3, -3}},
    {{2, -1}, {4, -1}}, {{2, 1}, {4, 1}}, {{1, 2}, {1, 4}}, {{-1, 2}, {-1, 4}},
    {{2, 1}, {3, 2}}, {{2, -1}, {3, -2}}, {{1, 2}, {2, 3}}, {{1, -2}, {2, -3}},
    {{1, -2}, {2, -4}}, {{1, 2}, {2, 4}}, {{2, 1}, {4, 2}}, {{2, -1}, {4, -2}}};

/// Lines with all samples. The first four count twice.
static const LEVEL_NAME(line_place) LEVEL_NAME(dense_lines)[6][4] = {
    {{1, 0}, {2, -1}, {3, -1}, {4, -1}}, {{1, 0}, {2, 1}, {3, 1}, {4, 1}}, {{0, 1}, {1, 2}, {1, 3}, {1, 4}},
    {{0, 1}, {-1, 2}, {-1, 3}, {-1, 4}}, {{0, 1}, {0, 2}, {0, 3}, {0, 4}}, {{1, 0}, {2, 0}, {3, 0}, {4, 0}}};
static const LEVEL_NAME(line_place) LEVEL_NAME(shorter_dense_lines)[6][3] = {
    {{1, 1}, {2, 2}, {3, 3}}, {{1, -1}, {2, -2}, {3, -3}}, {{1, 1}, {2, 1}, {3, 2}},
    {{1, -1}, {2, -1}, {3, -2}}, {{1, 1}, {1, 2}, {2, 3}}, {{1, -1}, {1, -2}, {2, -3}}};

/// Returns the square of the sum of the samples at `places`, and mirrored, and of the centre.
HELPER f32x16 line_energy(
    const float *const *rows, size_t x, f32x16 center, const LEVEL_NAME(line_place) *places, int count) {
    f32x16 sum = center;
#pragma clang loop unroll(full)
    for (int n = 0; n < count; n++) {
        int row = places[n].row, column = places[n].column;
        sum += load_floats(rows[4 + row] + x + column) + load_floats(rows[4 - row] + x - column);
    }
    return sum * sum;
}

static void LEVEL_NAME(butteraugli_add_line_sums)(
    float *sums, const float *const *rows, size_t count, bool is_sparse) {
    for (size_t x = 0; x < count; x += 16) {
        f32x16 center = load_floats(rows[4] + x), total = 0, twice = 0;
        if (is_sparse) {
#pragma clang loop unroll(full)
            for (int line = 0; line < 16; line++)
                total += line_energy(rows, x, center, LEVEL_NAME(sparse_lines)[line], 2);
        } else {
#pragma clang loop unroll(full)
            for (int line = 0; line < 4; line++)
                twice += line_energy(rows, x, center, LEVEL_NAME(dense_lines)[line], 4);
#pragma clang loop unroll(full)
            for (int line = 4; line < 6; line++)
                total += line_energy(rows, x, center, LEVEL_NAME(dense_lines)[line], 4);
#pragma clang loop unroll(full)
            for (int line = 0; line < 6; line++)
                total += line_energy(rows, x, center, LEVEL_NAME(shorter_dense_lines)[line], 3);
        }
        store_floats(sums + x, load_floats(sums + x) + (total + (twice + twice)));
    }
}

static void LEVEL_NAME(butteraugli_add_squares)(
    float *sums, const float *first, const float *second, float weight, size_t count) {
    for (size_t x = 0; x < count; x += 16) {
        f32x16 difference = load_floats(first + x) - load_floats(second + x);
        store_floats(sums + x, load_floats(sums + x) + weight * (difference * difference));
    }
}

static void LEVEL_NAME(butteraugli_add_asymmetric_squares)(
    float *sums, const float *first, const float *second, float difference_weight, float deviation_weight,
    size_t count) {
    for (size_t x = 0; x < count; x += 16) {
        f32x16 a = load_floats(first + x), b = load_floats(second + x);
        f32x16 difference = a - b, beyond = deviation(a, b, 0.4f, 1.0f);
        f32x16 squares = 0.8f * difference_weight * (difference * difference)
            + 0.8f * deviation_weight * (beyond * beyond);
        store_floats(sums + x, load_floats(sums + x) + squares);
    }
}

static void LEVEL_NAME(butteraugli_activity)(
    float *destination, const float *const *high, const float *const *highest, size_t count) {
    const float factor = 6.1942408f, bias = 6.1942408f * 12.6105059f, bias_root = 8.8381282f;
    for (size_t x = 0; x < count; x += 16) {
        f32x16 red_green = 2.5f * (load_floats(highest[0] + x) + load_floats(high[0] + x));
        f32x16 intensity = 0.4f * load_floats(highest[1] + x) + 0.4f * load_floats(high[1] + x);
        f32x16 strength = square_root(red_green * red_green + intensity * intensity);
        store_before(destination + x, square_root(factor * strength + bias) - bias_root, count - x);
    }
}

static void LEVEL_NAME(butteraugli_erode)(float *destination, const float *const *rows, size_t count) {
    for (size_t x = 0; x < count; x += 16) {
        f32x16 least = load_floats(rows[1] + x), second = 2.0f * least, third = second;
        for (int row = 0; row < 3; row++) {
            for (int column = -3; column <= 3; column += 3) {
                if (row == 1 && column == 0) continue;
                f32x16 value = load_floats(rows[row] + x + column), larger = largest(least, value);
                least = smallest(least, value);
                value = largest(second, larger);
                second = smallest(second, larger);
                third = smallest(third, value);
            }
        }
        store_floats(destination + x, 0.45f * least + (0.3f * second + 0.25f * third));
    }
}

/// Returns the factor of squared differences where the first image has this much activity.
HELPER f32x16 visibility(f32x16 activity, float factor, float scale, float offset) {
    f32x16 value = (1.0f + factor / (scale * activity + offset)) * 0.0710417728f;
    return value * value;
}

static void LEVEL_NAME(butteraugli_visible_differences)(
    float *destination, const float *mask, const float *first, const float *second, const float *high,
    const float *low, size_t count) {
    for (size_t x = 0; x < count; x += 16) {
        f32x16 activity = load_floats(mask + x), change = load_floats(first + x) - load_floats(second + x);
        f32x16 squares = load_floats(high + x) + 10.0f * (change * change);
        store_floats(
            destination + x,
            square_root(
                load_floats(low + x) * visibility(activity, 0.505054525f, 3.87449419f, 0.200255785f)
                + squares * visibility(activity, 2.54859448f, 0.451936922f, 0.829591755f)));
    }
}

static void LEVEL_NAME(butteraugli_add_half)(float *differences, const float *half, size_t count) {
    for (size_t x = 0; x < count; x++) differences[x] = 0.85f * differences[x] + 0.5f * half[x / 2];
}

static float LEVEL_NAME(butteraugli_add_powers)(double *sums, const float *differences, float maximum, size_t count) {
    f64x16 totals[3] = {0, 0, 0};
    f32x16 highest = maximum;
    for (size_t x = 0; x < count; x += 16) {
        f32x16 value = (f32x16)((i32x16)load_floats(differences + x) & lanes_before(count - x));
        highest = largest(highest, value);
        f64x16 wide = CONVERT(value, f64x16), power = wide * (wide * wide);
        for (int n = 0; n < 3; n++, power *= power) totals[n] += power;
    }
    for (int n = 0; n < 3; n++) sums[n] += sum_lanes(totals[n]);
    for (int lane = 0; lane < 16; lane++) maximum = highest[lane] > maximum ? highest[lane] : maximum;
    return maximum;
}

#define BUTTERAUGLI_KERNELS { \
    .blur_row = LEVEL_NAME(butteraugli_blur_row), \
    .adapted_colors = LEVEL_NAME(butteraugli_adapted_colors), \
    .split_low = LEVEL_NAME(butteraugli_split_low), \
    .split_medium = LEVEL_NAME(butteraugli_split_medium), \
    .split_high = LEVEL_NAME(butteraugli_split_high), \
    .weighted_differences = LEVEL_NAME(butteraugli_weighted_differences), \
    .add_line_sums = LEVEL_NAME(butteraugli_add_line_sums), \
    .add_squares = LEVEL_NAME(butteraugli_add_squares), \
    .add_asymmetric_squares = LEVEL_NAME(butteraugli_add_asymmetric_squares), \
    .activity = LEVEL_NAME(butteraugli_activity), \
    .erode = LEVEL_NAME(butteraugli_erode), \
    .visible_differences = LEVEL_NAME(butteraugli_visible_differences), \
    .add_half = LEVEL_NAME(butteraugli_add_half), \
    .add_powers = LEVEL_NAME(butteraugli_add_powers), \
}
