// Medians. Included by kernel_loops.h, once per CPU level.
//
// Each byte is a channel of a pixel; the same channel of the next pixel is four bytes further. Rows have one window of
// pixels before and after, and room for whole vectors.

HELPER u8x64 load_median(const uint8_t *bytes) {
    u8x64 result;
    memcpy(&result, bytes, sizeof result);
    return result;
}

/// Puts the smaller of each two bytes into `a` and the larger into `b`.
#define SORT_TWO(a, b) do { \
        u8x64 smaller = __builtin_elementwise_min(a, b); \
        b = __builtin_elementwise_max(a, b); \
        a = smaller; \
    } while (0)
#define SMALLER(a, b) __builtin_elementwise_min(a, b)
#define LARGER(a, b) __builtin_elementwise_max(a, b)

HELPER u8x64 median_of_three(u8x64 a, u8x64 b, u8x64 c) {
    return LARGER(SMALLER(a, b), SMALLER(LARGER(a, b), c));
}

/// Sorts the columns of three rows; the median is the middle one of the largest minimum, the middle median and the
/// smallest maximum (Smith 1996).
HELPER u8x64 median_of_nine(const uint8_t *const *rows, ptrdiff_t x) {
    u8x64 column[3][3];
    for (int n = 0; n < 3; n++) {
        for (int row = 0; row < 3; row++) column[n][row] = load_median(rows[row] + x + 4 * (n - 1));
        SORT_TWO(column[n][0], column[n][1]);
        SORT_TWO(column[n][1], column[n][2]);
        SORT_TWO(column[n][0], column[n][1]);
    }
    return median_of_three(
        LARGER(LARGER(column[0][0], column[1][0]), column[2][0]),
        median_of_three(column[0][1], column[1][1], column[2][1]),
        SMALLER(SMALLER(column[0][2], column[1][2]), column[2][2]));
}

/// Sorts five vectors with nine comparisons.
HELPER void sort_five(u8x64 *v) {
    SORT_TWO(v[0], v[1]);
    SORT_TWO(v[3], v[4]);
    SORT_TWO(v[2], v[4]);
    SORT_TWO(v[2], v[3]);
    SORT_TWO(v[1], v[4]);
    SORT_TWO(v[0], v[3]);
    SORT_TWO(v[0], v[2]);
    SORT_TWO(v[1], v[3]);
    SORT_TWO(v[1], v[2]);
}

static void LEVEL_NAME(median_3_row)(uint8_t *destination, const uint8_t *const *rows, size_t count) {
    for (size_t x = 0; x < count; x += 64) {
        u8x64 result = median_of_nine(rows, (ptrdiff_t)x);
        if (count - x >= 64) memcpy(destination + x, &result, 64); else memcpy(destination + x, &result, count - x);
    }
}

/// Puts the smallest of `count` vectors first and the largest last.
HELPER void extract_extremes(u8x64 *v, int count) {
    for (int n = 0; n < count / 2; n++) SORT_TWO(v[n], v[count - 1 - n]);
    for (int n = 1; n < (count + 1) / 2; n++) SORT_TWO(v[0], v[n]);
    for (int n = count / 2; n < count - 1; n++) SORT_TWO(v[n], v[count - 1]);
}

/// Returns the medians of 5 × 5 bytes. `ranks` are the rows of sorted columns.
///
/// Sorting the rows leaves the columns sorted. Six elements then have at least thirteen that are not smaller and
/// cannot be above the median, and six cannot be below it. Of the other thirteen the smallest is one of four, and so is
/// the largest. Of the eleven that are left a subset keeps its middle: the extremes of more than half cannot be the
/// median (Paeth 1990).
HELPER u8x64 median_of_ranks(const uint8_t *const *ranks, size_t x) {
    u8x64 m[5][5];
    for (int row = 0; row < 5; row++) {
        for (int column = 0; column < 5; column++) m[row][column] = load_median(ranks[row] + x + 4 * column);
        sort_five(m[row]);
    }
    SORT_TWO(m[0][3], m[1][2]);
    SORT_TWO(m[2][1], m[3][0]);
    SORT_TWO(m[0][3], m[2][1]);
    SORT_TWO(m[1][4], m[2][3]);
    SORT_TWO(m[3][2], m[4][1]);
    SORT_TWO(m[2][3], m[4][1]);
    u8x64 v[7] = {m[0][4], m[1][3], m[2][2], m[3][1], m[4][0], m[1][2], m[1][4]};
    extract_extremes(v, 7);
    v[0] = m[2][1];
    extract_extremes(v, 6);
    v[0] = m[3][0];
    extract_extremes(v, 5);
    v[0] = m[3][2];
    extract_extremes(v, 4);
    return median_of_three(v[1], v[2], m[2][3]);
}

enum { LEVEL_NAME(median_chunk) = 1024, LEVEL_NAME(median_halo) = 64 };

static void LEVEL_NAME(median_5_row)(uint8_t *destination, const uint8_t *const *rows, size_t count) {
    // Columns are sorted once, from two pixels before the chunk to two pixels after it, in whole vectors.
    uint8_t sorted[5][LEVEL_NAME(median_chunk) + LEVEL_NAME(median_halo)];
    const uint8_t *ranks[5] = {sorted[0], sorted[1], sorted[2], sorted[3], sorted[4]};
    for (size_t begin = 0; begin < count; begin += LEVEL_NAME(median_chunk)) {
        size_t length = count - begin < LEVEL_NAME(median_chunk) ? count - begin : LEVEL_NAME(median_chunk);
        for (size_t x = 0; x < length + 16; x += 64) {
            u8x64 column[5];
            for (int row = 0; row < 5; row++) column[row] = load_median(rows[row] + begin + x - 8);
            sort_five(column);
            for (int row = 0; row < 5; row++) memcpy(sorted[row] + x, &column[row], 64);
        }
        for (size_t x = 0; x < length; x += 64) {
            u8x64 result = median_of_ranks(ranks, x);
            memcpy(destination + begin + x, &result, length - x < 64 ? length - x : 64);
        }
    }
}

/// Finds the median bit by bit, from the highest: a bit is set if more than half of the bytes are not below the value
/// with it. The count, at most 225, fits a byte.
static void LEVEL_NAME(median_row)(
    uint8_t *destination, const uint8_t *const *rows, size_t count, size_t size) {
    const u8x64 half = (uint8_t)(size * size / 2);
    for (size_t x = 0; x < count; x += 64) {
        u8x64 result = 0;
        for (int bit = 128; bit > 0; bit /= 2) {
            u8x64 value = result | (uint8_t)bit, reached = 0;
            for (size_t row = 0; row < size; row++)
                for (size_t column = 0; column < size; column++) {
                    u8x64 bytes = load_median(rows[row] + x + 4 * column - 2 * (size - 1));
                    reached -= (u8x64)(bytes >= value);
                }
            result |= (u8x64)(reached > half) & (uint8_t)bit;
        }
        if (count - x >= 64) memcpy(destination + x, &result, 64); else memcpy(destination + x, &result, count - x);
    }
}

#undef SORT_TWO
#undef SMALLER
#undef LARGER
