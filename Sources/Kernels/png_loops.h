// The loops of PNG: packing pixels, filtering rows and unfiltering them (PNG specification, third edition, section 9).
// Included by kernel_loops.h, once per CPU level.
//
// Rows to be filtered are preceded by `channels` zero bytes, which the specification defines as their left neighbours.

HELPER u8x64 absolute_difference(u8x64 a, u8x64 b) {
    return __builtin_elementwise_max(a, b) - __builtin_elementwise_min(a, b);
}

HELPER u8x64 choose(u8x64 mask, u8x64 a, u8x64 b) { return (a & mask) | (b & ~mask); }

/// Paeth's predictor: the neighbour nearest to left + above − corner. Left wins ties, then above.
///
/// Computed in eight bits: the distances to left and above are |above − corner| and |left − corner|. The distance to
/// corner is their difference if corner is between left and above. Otherwise it is their sum, and one of the other two
/// is never farther.
/// difference when the corner lies between the two, else their sum, and then one of the two is never farther.
HELPER u8x64 paeth_64(u8x64 left, u8x64 above, u8x64 corner) {
    u8x64 to_left = absolute_difference(above, corner), to_above = absolute_difference(left, corner);
    u8x64 is_between = (u8x64)(((left >= corner) & (corner >= above)) | ((left <= corner) & (corner <= above)));
    u8x64 to_corner = absolute_difference(to_left, to_above) | ~is_between; // 255 is never less
    u8x64 nearer = choose((u8x64)(to_left <= to_above), left, above);
    return choose((u8x64)(__builtin_elementwise_min(to_left, to_above) <= to_corner), nearer, corner);
}

/// Returns (left + above) / 2, rounded down.
HELPER u8x64 average_64(u8x64 left, u8x64 above) { return (left & above) + ((left ^ above) >> (uint8_t)1); }

HELPER u8x64 predict_64(int filter, u8x64 left, u8x64 above, u8x64 corner) {
    switch (filter) {
    case 1: return left;
    case 2: return above;
    case 3: return average_64(left, above);
    case 4: return paeth_64(left, above, corner);
    default: return (u8x64)(0);
    }
}

/// Adds the magnitudes of neighbouring signed bytes to 16-bit sums; at most 256 per step.
HELPER u16x32 add_magnitudes(u16x32 sums, u8x64 bytes) {
    u16x32 magnitudes = (u16x32)__builtin_elementwise_min(bytes, (u8x64)(0) - bytes);
    return sums + (magnitudes & (uint16_t)255) + (magnitudes >> (uint16_t)8);
}

/// Adds the costs of all five filters for `count` ≤ 64 bytes.
HELPER void add_filter_costs(
    u16x32 sums[5], const uint8_t *row, const uint8_t *above_row, size_t count, size_t channels) {
    u8x64 bytes = 0, left = 0, above = 0, corner = 0;
    memcpy(&bytes, row, count);
    memcpy(&left, row - channels, count);
    memcpy(&above, above_row, count);
    memcpy(&corner, above_row - channels, count);
    // Lanes past `count` are zero and predicted as zero, so they cost nothing.
#pragma clang loop unroll(full)
    for (int filter = 0; filter < 5; filter++)
        sums[filter] = add_magnitudes(sums[filter], bytes - predict_64(filter, left, above, corner));
}

static void LEVEL_NAME(png_filter_costs)(
    uint64_t *costs, const uint8_t *row, const uint8_t *above, size_t count, size_t channels) {
    for (int filter = 0; filter < 5; filter++) costs[filter] = 0;
    size_t begin = 0;
    while (begin < count) {
        // 128 steps of at most 256 add up to at most 2¹⁵.
        size_t end = begin + 128 * 64 < count ? begin + 128 * 64 : count;
        u16x32 sums[5] = {0, 0, 0, 0, 0};
        for (; begin + 64 <= end; begin += 64) add_filter_costs(sums, row + begin, above + begin, 64, channels);
        if (begin < end) add_filter_costs(sums, row + begin, above + begin, end - begin, channels);
        begin = end;
        for (int filter = 0; filter < 5; filter++)
            for (int lane = 0; lane < 32; lane++) costs[filter] += sums[filter][lane];
    }
}

HELPER void filter_row(
    uint8_t *destination, const uint8_t *row, const uint8_t *above_row, size_t count, size_t channels, int filter) {
    for (size_t begin = 0; begin < count; begin += 64) {
        size_t step = count - begin < 64 ? count - begin : 64;
        u8x64 bytes = 0, left = 0, above = 0, corner = 0;
        if (step == 64) {
            memcpy(&bytes, row + begin, 64);
            memcpy(&left, row + begin - channels, 64);
            memcpy(&above, above_row + begin, 64);
            memcpy(&corner, above_row + begin - channels, 64);
        } else {
            memcpy(&bytes, row + begin, step);
            memcpy(&left, row + begin - channels, step);
            memcpy(&above, above_row + begin, step);
            memcpy(&corner, above_row + begin - channels, step);
        }
        bytes -= predict_64(filter, left, above, corner);
        if (step == 64) memcpy(destination + begin, &bytes, 64); else memcpy(destination + begin, &bytes, step);
    }
}

static void LEVEL_NAME(png_filter_row)(
    uint8_t *destination, const uint8_t *row, const uint8_t *above, size_t count, size_t channels, int filter) {
    switch (filter) {
    case 1: filter_row(destination, row, above, count, channels, 1); break;
    case 2: filter_row(destination, row, above, count, channels, 2); break;
    case 3: filter_row(destination, row, above, count, channels, 3); break;
    case 4: filter_row(destination, row, above, count, channels, 4); break;
    default: memcpy(destination, row, count);
    }
}

static void LEVEL_NAME(pack_rgb_row)(uint8_t *destination, const uint8_t *source, size_t width) {
    size_t x = 0;
    for (; x + 16 <= width; x += 16) {
        u8x64 pixels;
        memcpy(&pixels, source + x * 4, 64);
#define RGB(n) n + 2, n + 1, n
#define RGB4(n) RGB(n), RGB(n + 4), RGB(n + 8), RGB(n + 12)
        // The last 16 bytes are not stored.
        u8x64 packed = SHUFFLE(pixels, RGB4(0), RGB4(16), RGB4(32), RGB4(48),
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        memcpy(destination + x * 3, &packed, 48);
    }
    for (; x < width; x++)
        for (int channel = 0; channel < 3; channel++) destination[x * 3 + channel] = source[x * 4 + 2 - channel];
}

static void LEVEL_NAME(pack_rgba_row)(uint8_t *destination, const uint8_t *source, size_t width) {
    for (size_t x = 0; x < width; x++) {
        destination[x * 4] = source[x * 4 + 2];
        destination[x * 4 + 1] = source[x * 4 + 1];
        destination[x * 4 + 2] = source[x * 4];
        destination[x * 4 + 3] = source[x * 4 + 3];
    }
}

// Unfiltering. Pixels with 16-bit colour samples have six or eight bytes.

#define PIXEL_BYTES 4
#include "png_pixel_loops.h"
#undef PIXEL_BYTES
#define PIXEL_BYTES 8
#include "png_pixel_loops.h"
#undef PIXEL_BYTES

/// Unfilters two rows at once, the second one pixel behind the first, so that the processor overlaps the two dependency
/// chains.
HELPER void unfilter_two_rows(
    uint8_t *const destinations[2], const uint8_t *const filtered[2], const uint8_t *above_row, size_t count,
    size_t channels, int filter, int next_filter) {
    i16x4 corner = load_pixel_4(above_row);
    i16x4 left = restore_pixel_4(filter, load_pixel_4(filtered[0]), (i16x4)(0), corner, (i16x4)(0));
    i16x4 next_left = 0, next_corner = 0;
    store_pixel_4(destinations[0], left);
    for (size_t begin = channels; begin < count; begin += channels) {
        i16x4 above = load_pixel_4(above_row + begin);
        i16x4 pixel = restore_pixel_4(filter, load_pixel_4(filtered[0] + begin), left, above, corner);
        next_left = restore_pixel_4(
            next_filter, load_pixel_4(filtered[1] + begin - channels), next_left, left, next_corner);
        store_pixel_4(destinations[0] + begin, pixel);
        store_pixel_4(destinations[1] + begin - channels, next_left);
        next_corner = left;
        corner = above;
        left = pixel;
    }
    next_left = restore_pixel_4(
        next_filter, load_pixel_4(filtered[1] + count - channels), next_left, left, next_corner);
    store_pixel_4(destinations[1] + count - channels, next_left);
}

/// Calls the loop with the number of bytes per pixel as a constant.
HELPER void unfilter_row_of(
    uint8_t *destination, const uint8_t *filtered, const uint8_t *above, size_t count, size_t channels, int filter) {
    switch (channels) {
    case 1: unfilter_row_4(destination, filtered, above, count, 1, filter); break;
    case 2: unfilter_row_4(destination, filtered, above, count, 2, filter); break;
    case 3: unfilter_row_4(destination, filtered, above, count, 3, filter); break;
    case 4: unfilter_row_4(destination, filtered, above, count, 4, filter); break;
    case 6: unfilter_row_8(destination, filtered, above, count, 6, filter); break;
    default: unfilter_row_8(destination, filtered, above, count, 8, filter);
    }
}

static void LEVEL_NAME(png_unfilter_row)(
    uint8_t *destination, const uint8_t *filtered, const uint8_t *above, size_t count, size_t channels, int filter) {
    switch (filter) {
    case 1: unfilter_row_of(destination, filtered, above, count, channels, 1); break;
    case 2:
        for (size_t i = 0; i < count; i++) destination[i] = (uint8_t)(filtered[i] + above[i]);
        break;
    case 3: unfilter_row_of(destination, filtered, above, count, channels, 3); break;
    case 4: unfilter_row_of(destination, filtered, above, count, channels, 4); break;
    default: memcpy(destination, filtered, count);
    }
}

static void LEVEL_NAME(png_unfilter_two_rows)(
    uint8_t *const *destinations, const uint8_t *const *filtered, const uint8_t *above, size_t count,
    size_t channels, const int *filters) {
    // Only filters 3 and 4 have a long dependency on the previous pixel; for the others one row at a time is as fast.
    switch (filters[0] << 8 | filters[1] << 4 | (int)channels) {
    case 0x333: unfilter_two_rows(destinations, filtered, above, count, 3, 3, 3); return;
    case 0x343: unfilter_two_rows(destinations, filtered, above, count, 3, 3, 4); return;
    case 0x433: unfilter_two_rows(destinations, filtered, above, count, 3, 4, 3); return;
    case 0x443: unfilter_two_rows(destinations, filtered, above, count, 3, 4, 4); return;
    case 0x334: unfilter_two_rows(destinations, filtered, above, count, 4, 3, 3); return;
    case 0x344: unfilter_two_rows(destinations, filtered, above, count, 4, 3, 4); return;
    case 0x434: unfilter_two_rows(destinations, filtered, above, count, 4, 4, 3); return;
    case 0x444: unfilter_two_rows(destinations, filtered, above, count, 4, 4, 4); return;
    }
    LEVEL_NAME(png_unfilter_row)(destinations[0], filtered[0], above, count, channels, filters[0]);
    LEVEL_NAME(png_unfilter_row)(destinations[1], filtered[1], destinations[0], count, channels, filters[1]);
}

static void LEVEL_NAME(unpack_rgb_row)(uint8_t *destination, const uint8_t *source, size_t width) {
    size_t x = 0;
    for (; x + 16 <= width; x += 16) {
        u8x64 packed = 0, opaque = 255;
        memcpy(&packed, source + x * 3, 48);
#define BGRA(n) 3 * (n) + 2, 3 * (n) + 1, 3 * (n), 64
#define BGRA4(n) BGRA(n), BGRA(n + 1), BGRA(n + 2), BGRA(n + 3)
        u8x64 pixels = __builtin_shufflevector(packed, opaque, BGRA4(0), BGRA4(4), BGRA4(8), BGRA4(12));
        memcpy(destination + x * 4, &pixels, 64);
    }
    for (; x < width; x++) {
        for (int channel = 0; channel < 3; channel++) destination[x * 4 + channel] = source[x * 3 + 2 - channel];
        destination[x * 4 + 3] = 255;
    }
}

static void LEVEL_NAME(png_narrow_row)(uint8_t *destination, const uint8_t *source, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t sample = (uint32_t)source[2 * i] << 8 | source[2 * i + 1];
        destination[i] = (uint8_t)((sample * 255 + 32895) >> 16);
    }
}
