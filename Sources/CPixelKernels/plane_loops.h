// The loops over planes of one byte per sample. Included by kernel_loops.h, once per CPU level.

#define ZIP_LOW 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define ZIP_HIGH 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31

/// Transposes 16 × 16 samples in place: interleaves row n with row n + 8, four times.
HELPER void transpose_16(u8x16 rows[16]) {
    u8x16 zipped[16];
    for (int round = 0; round < 4; round++) {
        for (int n = 0; n < 8; n++) {
            zipped[2 * n] = __builtin_shufflevector(rows[n], rows[n + 8], ZIP_LOW);
            zipped[2 * n + 1] = __builtin_shufflevector(rows[n], rows[n + 8], ZIP_HIGH);
        }
        memcpy(rows, zipped, sizeof zipped);
    }
}

static void LEVEL_NAME(transpose_plane)(
    uint8_t *destination, ptrdiff_t destination_stride, const uint8_t *source, ptrdiff_t source_stride, size_t width,
    size_t height) {
    for (size_t top = 0; top < height; top += 16) {
        for (size_t left = 0; left < width; left += 16) {
            uint8_t *to = destination + (ptrdiff_t)top * destination_stride + left;
            const uint8_t *from = source + (ptrdiff_t)left * source_stride + top;
            if (top + 16 <= height && left + 16 <= width) {
                u8x16 rows[16];
                for (int n = 0; n < 16; n++) memcpy(&rows[n], from + n * source_stride, 16);
                transpose_16(rows);
                for (int n = 0; n < 16; n++) memcpy(to + n * destination_stride, &rows[n], 16);
                continue;
            }
            for (size_t y = 0; y < 16 && top + y < height; y++)
                for (size_t x = 0; x < 16 && left + x < width; x++)
                    to[(ptrdiff_t)y * destination_stride + (ptrdiff_t)x] =
                        from[(ptrdiff_t)x * source_stride + (ptrdiff_t)y];
        }
    }
}
