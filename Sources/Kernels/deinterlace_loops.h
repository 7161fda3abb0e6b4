// The loop that makes the missing rows of a field. Included by kernel_loops.h, once per CPU level.

/// Loads 32 samples, of which `count` ≤ 32 exist. Words above `maximum` count as `maximum`.
HELPER i16x32 load_field_samples(const uint8_t *row, int sample_bytes, int16_t maximum, size_t x, size_t count) {
    if (sample_bytes == 1) {
        u8x32 bytes = 0;
        if (count == 32) memcpy(&bytes, row + x, 32); else memcpy(&bytes, row + x, count);
        return CONVERT(bytes, i16x32);
    }
    u16x32 words = 0;
    if (count == 32) memcpy(&words, row + 2 * x, 64); else memcpy(&words, row + 2 * x, count * 2);
    return (i16x32)__builtin_elementwise_min(words, (u16x32)((uint16_t)maximum));
}

HELPER i16x32 word_distance(i16x32 a, i16x32 b) {
    return __builtin_elementwise_max(a, b) - __builtin_elementwise_min(a, b);
}

/// Returns the samples at `x` of a missing row. `scale` is 13 − bits, so that sums of four samples fit 15 bits after
/// the shift.
HELPER i16x32 interpolate_field(
    const texel_field_rows *rows, int sample_bytes, int16_t scale, int16_t maximum, size_t x, size_t count) {
#define FIELD_SAMPLES(row) load_field_samples(row, sample_bytes, maximum, x, count)
    // The same row of the two nearest frames that have it, and its neighbours in the shown field.
    const i16x32 before = FIELD_SAMPLES(rows->before[2]), after = FIELD_SAMPLES(rows->after[2]);
    const i16x32 above = FIELD_SAMPLES(rows->shown[1]), below = FIELD_SAMPLES(rows->shown[2]);
    const i16x32 both = before + after, mean = both >> (int16_t)1;
    const i16x32 change = word_distance(before, after);
    const i16x32 earlier_change = (word_distance(FIELD_SAMPLES(rows->earlier[0]), above)
        + word_distance(FIELD_SAMPLES(rows->earlier[1]), below)) >> (int16_t)1;
    const i16x32 later_change = (word_distance(FIELD_SAMPLES(rows->later[0]), above)
        + word_distance(FIELD_SAMPLES(rows->later[1]), below)) >> (int16_t)1;
    const i16x32 motion = __builtin_elementwise_max(
        __builtin_elementwise_max(earlier_change, later_change), change >> (int16_t)1);

    // The range around the mean that the result is limited to: wider if the mean differs from both neighbours in the
    // same direction as the rows beyond them do.
    const i16x32 upper_sum = FIELD_SAMPLES(rows->before[1]) + FIELD_SAMPLES(rows->after[1]);
    const i16x32 lower_sum = FIELD_SAMPLES(rows->before[3]) + FIELD_SAMPLES(rows->after[3]);
    const i16x32 beyond_above = (upper_sum >> (int16_t)1) - above, beyond_below = (lower_sum >> (int16_t)1) - below;
    const i16x32 from_above = mean - above, from_below = mean - below;
    const i16x32 most = __builtin_elementwise_max(
        __builtin_elementwise_max(from_above, from_below), __builtin_elementwise_min(beyond_above, beyond_below));
    const i16x32 least = __builtin_elementwise_min(
        __builtin_elementwise_min(from_above, from_below), __builtin_elementwise_max(beyond_above, beyond_below));
    const i16x32 range = __builtin_elementwise_max(motion, __builtin_elementwise_max(least, -most))
        & (i16x32)(motion > (i16x32)(0));

    // Cubic interpolation of the shown field, in 1/8192 by 5077 and −981, computed as 4309 + 768 and −213 − 768. If the
    // neighbours differ more than the frames do, the high frequencies of the missing field replace the second terms:
    // 5570, −3801 and 1016, in 1/32,768.
    const i16x32 near = above + below;
    const i16x32 far = FIELD_SAMPLES(rows->shown[0]) + FIELD_SAMPLES(rows->shown[3]);
    const i16x32 farthest = (FIELD_SAMPLES(rows->before[0]) + FIELD_SAMPLES(rows->after[0]))
        + (FIELD_SAMPLES(rows->before[4]) + FIELD_SAMPLES(rows->after[4]));
    const i16x32 low = multiply_round(near << scale, (i16x32)(4309 * 4))
        - multiply_round(far << scale, (i16x32)(213 * 4));
    const i16x32 spatial = multiply_round((near - far) << scale, (i16x32)(768 * 4));
    const i16x32 high = multiply_round(both << scale, (i16x32)(5570))
        - multiply_round((upper_sum + lower_sum) << scale, (i16x32)(3801))
        + multiply_round(farthest << scale, (i16x32)(1016));
    const i16x32 has_edge = (i16x32)(word_distance(above, below) > change);
    const i16x32 sum = low + ((high & has_edge) | (spatial & ~has_edge));
    const i16x32 interpolated = (sum + ((i16x32)(1) << scale >> (int16_t)1)) >> scale;
#undef FIELD_SAMPLES
    const i16x32 limited = __builtin_elementwise_min(
        __builtin_elementwise_max(interpolated, mean - range), mean + range);
    return __builtin_elementwise_min(__builtin_elementwise_max(limited, (i16x32)(0)), (i16x32)(maximum));
}

HELPER void store_field_samples(uint8_t *row, int sample_bytes, size_t x, size_t count, i16x32 samples) {
    u8x32 bytes = CONVERT(samples, u8x32);
    if (sample_bytes == 2) memcpy(row + 2 * x, &samples, count * 2);
    else if (count == 32) memcpy(row + x, &bytes, 32);
    else memcpy(row + x, &bytes, count);
}

HELPER void make_missing_row(
    uint8_t *destination, const texel_field_rows *rows, int sample_bytes, int bits, size_t count) {
    // A local copy, so that the compiler knows that stores to `destination` do not change it.
    const texel_field_rows sources = *rows;
    const int16_t scale = (int16_t)(13 - bits), maximum = (int16_t)((1 << bits) - 1);
    size_t x = 0;
    for (; x + 32 <= count; x += 32)
        store_field_samples(
            destination, sample_bytes, x, 32, interpolate_field(&sources, sample_bytes, scale, maximum, x, 32));
    if (x < count)
        store_field_samples(
            destination, sample_bytes, x, count - x,
            interpolate_field(&sources, sample_bytes, scale, maximum, x, count - x));
}

static void LEVEL_NAME(missing_field_row)(
    uint8_t *destination, const texel_field_rows *rows, int bits, size_t count) {
    if (bits == 8) make_missing_row(destination, rows, 1, 8, count);
    else make_missing_row(destination, rows, 2, bits, count);
}
