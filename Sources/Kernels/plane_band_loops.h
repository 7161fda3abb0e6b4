// The horizontal filter for a band of sixteen rows of a plane. Included by kernel_loops.h.
//
// As in band_loops.h, one vector holds the same samples of all rows and is multiplied by one pair of weights. A tile
// has two neighbouring samples of the sixteen rows, row after row, as 16-bit words.

enum { LEVEL_NAME(plane_tile_columns) = 16 };

#define ZIP_PAIRS_LOW 0, 8, 1, 9, 2, 10, 3, 11
#define ZIP_PAIRS_HIGH 4, 12, 5, 13, 6, 14, 7, 15

/// Writes the tiles of the next sixteen columns. Samples past the end of a row are zero.
HELPER void write_plane_tiles(int16_t *tiles, const uint8_t *const *rows, size_t column, size_t source_width) {
    // Pairs of samples.
    u16x8 pairs[texel_plane_band_rows], zipped[texel_plane_band_rows];
    for (int row = 0; row < texel_plane_band_rows; row++) {
        if (column + LEVEL_NAME(plane_tile_columns) <= source_width) {
            memcpy(&pairs[row], rows[row] + column, sizeof pairs[row]);
        } else {
            uint8_t rest[LEVEL_NAME(plane_tile_columns)] = {0};
            if (column < source_width) memcpy(rest, rows[row] + column, source_width - column);
            memcpy(&pairs[row], rest, sizeof rest);
        }
    }
    // Interleaves row n with row n + 8, four times; then each pair of vectors has one pair of all rows.
    for (int round = 0; round < 4; round++) {
        for (int n = 0; n < 8; n++) {
            zipped[2 * n] = __builtin_shufflevector(pairs[n], pairs[n + 8], ZIP_PAIRS_LOW);
            zipped[2 * n + 1] = __builtin_shufflevector(pairs[n], pairs[n + 8], ZIP_PAIRS_HIGH);
        }
        memcpy(pairs, zipped, sizeof zipped);
    }
    for (int n = 0; n < texel_plane_band_rows; n++) {
        u16x16 words = CONVERT((u8x16)pairs[n], u16x16);
        memcpy(tiles + n * 16, &words, sizeof words);
    }
}

/// Stores `count` columns, at most sixteen, of all rows.
HELPER void write_columns(uint8_t *const *rows, size_t x, u8x16 columns[16], size_t count) {
    transpose_16(columns);
    for (int row = 0; row < texel_plane_band_rows; row++) {
        // A constant size is stored at once.
        if (count == 16) memcpy(rows[row] + x, &columns[row], 16);
        else memcpy(rows[row] + x, &columns[row], count);
    }
}

static void LEVEL_NAME(resample_horizontal_plane_band)(
    uint8_t *const *destinations, const uint8_t *const *sources, size_t source_width, size_t width,
    const int32_t *starts, const int16_t *weights, size_t taps, int shift, int16_t *tiles) {
    const size_t rows = texel_plane_band_rows;
    // The scratch buffer holds the tiles of columns `begin` to `end`.
    size_t capacity = texel_band_tiles(taps), begin = (size_t)starts[0], end = begin;
    u8x16 columns[16] = {0};
    for (size_t x = 0; x < width; x++, weights += taps) {
        size_t start = (size_t)starts[x];
        if (start + taps + LEVEL_NAME(plane_tile_columns) - begin > capacity) {
            if (end < start) end = start;
            memmove(tiles, tiles + (start - begin) * rows, (end - start) * rows * sizeof *tiles);
            begin = start;
        }
        for (; end < start + taps; end += LEVEL_NAME(plane_tile_columns))
            write_plane_tiles(tiles + (end - begin) * rows, sources, end, source_width);

        const int16_t *window = tiles + (start - begin) * rows;
        i32x16 sums = 1 << (shift - 1);
        for (size_t tap = 0; tap < taps; tap += 2) {
            int32_t weight_pair;
            memcpy(&weight_pair, weights + tap, sizeof weight_pair);
            i16x32 samples;
            memcpy(&samples, window + tap * rows, sizeof samples);
            sums += multiply_add_32(samples, (i16x32)(i32x16)(weight_pair));
        }
        columns[x % 16] = CONVERT(finish_sums(sums, shift, 255), u8x16);
        if (x % 16 == 15) write_columns(destinations, x - 15, columns, 16);
    }
    if (width % 16) write_columns(destinations, width - width % 16, columns, width % 16);
}
