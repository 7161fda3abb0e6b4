// The horizontal filter for a band of eight rows. Included by kernel_loops.h.
//
// All rows share windows and weights, so one vector holds the same pixels of four rows and is multiplied by one pair of
// weights; no sums across lanes are needed at the end. The pixels are first copied into tiles of this layout: two
// neighbouring pixels of four rows, B0 B1 G0 G1 R0 R1 A0 A1 as 16-bit words, row after row. Windows overlap about
// sixfold, so each tile is used about six times. The tiles move through a scratch buffer that stays in the first-level
// cache.

enum { LEVEL_NAME(tile_samples) = 32, LEVEL_NAME(tiled_at_once) = 16 };

#define JOIN16 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#define JOIN32 JOIN16, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
#define JOIN64 JOIN32, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, \
    48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63
// Indices that widen two pixels, from byte n on, to words. The second operand is zero.
#define WORD_PAIRS(n) n, 64, n + 4, 64, n + 1, 64, n + 5, 64, n + 2, 64, n + 6, 64, n + 3, 64, n + 7, 64
#define DOUBLE_ALPHA(n) n + 3, n + 3, n + 3, n + 3
#define OPAQUE_PAIR 0, 0, 0, 0, 0, 0, 255, 255

/// Multiplies a tile's colours by alpha / 255, rounded as in premultiply_row.
HELPER u16x32 premultiply_tile(u16x32 tile) {
    const u16x32 opaque = {OPAQUE_PAIR, OPAQUE_PAIR, OPAQUE_PAIR, OPAQUE_PAIR};
    i32x16 alphas = SHUFFLE((i32x16)tile, DOUBLE_ALPHA(0), DOUBLE_ALPHA(4), DOUBLE_ALPHA(8), DOUBLE_ALPHA(12));
    u16x32 value = tile * ((u16x32)alphas | opaque) + (uint16_t)127;
    return (value + (uint16_t)1 + (value >> (uint16_t)8)) >> (uint16_t)8;
}

/// Writes the tiles of four pixels of four rows, `stride` samples apart.
HELPER void write_two_tiles(
    int16_t *tiles, size_t stride, u8x16 row0, u8x16 row1, u8x16 row2, u8x16 row3, int premultiplies) {
    const u8x64 zero = 0;
    u8x64 rows = __builtin_shufflevector(
        __builtin_shufflevector(row0, row1, JOIN32), __builtin_shufflevector(row2, row3, JOIN32), JOIN64);
    u16x32 first = (u16x32)__builtin_shufflevector(rows, zero, LANES(WORD_PAIRS, 0));
    u16x32 second = (u16x32)__builtin_shufflevector(rows, zero, LANES(WORD_PAIRS, 8));
    if (premultiplies) first = premultiply_tile(first), second = premultiply_tile(second);
    memcpy(tiles, &first, sizeof first);
    memcpy(tiles + stride, &second, sizeof second);
}

/// Writes the tiles of the next sixteen pixels of all eight rows. Pixels past the end of a row are zero. Prefetches the
/// same pixels of the next band into the second-level cache.
HELPER void write_tiles(
    int16_t *tiles, const uint8_t *const *rows, ptrdiff_t next_band, size_t pixel, size_t source_width,
    int premultiplies) {
    const size_t stride = 2 * LEVEL_NAME(tile_samples);
    for (int group = 0; group < 2; group++, rows += 4, tiles += LEVEL_NAME(tile_samples)) {
        const uint8_t *from[4];
        uint8_t rest[4][LEVEL_NAME(tiled_at_once) * 4];
        for (int row = 0; row < 4; row++) {
            from[row] = rows[row] + pixel * 4;
            // Computed as an integer: the row may not exist, and pointer arithmetic past a buffer is undefined.
            __builtin_prefetch((const void *)((uintptr_t)from[row] + (uintptr_t)next_band), 0, 2);
        }
        if (source_width < pixel + LEVEL_NAME(tiled_at_once)) {
            memset(rest, 0, sizeof rest);
            for (int row = 0; row < 4; row++) {
                if (pixel < source_width) memcpy(rest[row], from[row], (source_width - pixel) * 4);
                from[row] = rest[row];
            }
        }
        for (size_t x = 0; x < LEVEL_NAME(tiled_at_once); x += 4) {
            u8x16 row0, row1, row2, row3;
            memcpy(&row0, from[0] + x * 4, sizeof row0);
            memcpy(&row1, from[1] + x * 4, sizeof row1);
            memcpy(&row2, from[2] + x * 4, sizeof row2);
            memcpy(&row3, from[3] + x * 4, sizeof row3);
            write_two_tiles(tiles + x / 2 * stride, stride, row0, row1, row2, row3, premultiplies);
        }
    }
}

/// Transposes four output pixels of four rows from column order to row order and stores the first `count` of each row.
HELPER void write_quad(uint8_t *const *rows, size_t x, const i32x4 *pixels, size_t count) {
    i32x4 a = __builtin_shufflevector(pixels[0], pixels[1], 0, 4, 1, 5);
    i32x4 b = __builtin_shufflevector(pixels[2], pixels[3], 0, 4, 1, 5);
    i32x4 c = __builtin_shufflevector(pixels[0], pixels[1], 2, 6, 3, 7);
    i32x4 d = __builtin_shufflevector(pixels[2], pixels[3], 2, 6, 3, 7);
    i32x4 row[4] = {
        __builtin_shufflevector(a, b, 0, 1, 4, 5), __builtin_shufflevector(a, b, 2, 3, 6, 7),
        __builtin_shufflevector(c, d, 0, 1, 4, 5), __builtin_shufflevector(c, d, 2, 3, 6, 7)};
    for (int i = 0; i < 4; i++) memcpy(rows[i] + x * 4, &row[i], count * 4);
}

HELPER void filter_band(
    uint8_t *const *destinations, const uint8_t *const *sources, ptrdiff_t next_band, size_t source_width, size_t width,
    const int32_t *starts, const int16_t *weights, size_t taps, int shift, int16_t *tiles, int premultiplies) {
    const size_t samples_per_pixel = LEVEL_NAME(tile_samples);
    // The scratch buffer holds the tiles of pixels `begin` to `end`.
    size_t capacity = texel_band_tiles(taps), begin = (size_t)starts[0], end = begin;
    i32x4 finished[2][4] = {0};
    for (size_t x = 0; x < width; x++, weights += taps) {
        size_t start = (size_t)starts[x];
        if (start + taps + LEVEL_NAME(tiled_at_once) - begin > capacity) {
            if (end < start) end = start;
            memmove(
                tiles, tiles + (start - begin) * samples_per_pixel, (end - start) * samples_per_pixel * sizeof *tiles);
            begin = start;
        }
        for (; end < start + taps; end += LEVEL_NAME(tiled_at_once))
            write_tiles(tiles + (end - begin) * samples_per_pixel, sources, next_band, end, source_width,
                premultiplies);

        const int16_t *window = tiles + (start - begin) * samples_per_pixel;
        i32x16 low = 1 << (shift - 1), high = low;
        for (size_t tap = 0; tap < taps; tap += 2) {
            int32_t weight_pair;
            memcpy(&weight_pair, weights + tap, sizeof weight_pair);
            i16x32 pairs = (i16x32)(i32x16)(weight_pair), rows0to3, rows4to7;
            memcpy(&rows0to3, window + tap * samples_per_pixel, sizeof rows0to3);
            memcpy(&rows4to7, window + (tap + 1) * samples_per_pixel, sizeof rows4to7);
            low += multiply_add_32(rows0to3, pairs);
            high += multiply_add_32(rows4to7, pairs);
        }
        finished[0][x % 4] = (i32x4)CONVERT(finish_sums(low, shift, 255), u8x16);
        finished[1][x % 4] = (i32x4)CONVERT(finish_sums(high, shift, 255), u8x16);
        if (x % 4 == 3) {
            for (int group = 0; group < 2; group++) write_quad(destinations + group * 4, x - 3, finished[group], 4);
        } else if (x + 1 == width) {
            for (int group = 0; group < 2; group++)
                write_quad(destinations + group * 4, x - x % 4, finished[group], x % 4 + 1);
        }
    }
}

static void LEVEL_NAME(resample_horizontal_band)(
    uint8_t *const *destinations, const uint8_t *const *sources, ptrdiff_t next_band, size_t source_width, size_t width,
    const int32_t *starts, const int16_t *weights, size_t taps, int shift, int16_t *scratch, int premultiplies) {
    if (premultiplies)
        filter_band(destinations, sources, next_band, source_width, width, starts, weights, taps, shift, scratch, 1);
    else filter_band(destinations, sources, next_band, source_width, width, starts, weights, taps, shift, scratch, 0);
}
