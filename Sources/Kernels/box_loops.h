// Running sums: the box blur. Included by kernel_loops.h, once per CPU level.

static void LEVEL_NAME(move_sums)(uint32_t *sums, const uint8_t *added, const uint8_t *removed, size_t count) {
    // Unsigned, so a difference below zero is added modulo 2³², and the sum is right again.
    for (size_t x = 0; x < count; x++) sums[x] += (uint32_t)added[x] - removed[x];
}

/// Divides by the window's area, rounded. The sum is below 2³¹ and the reciprocal is 2^(31 + l) / area, rounded up,
/// with area ≤ 2^l: the quotient is exact (Granlund and Montgomery 1994, theorem 4.2), and the product is below 2⁶³.
HELPER u8x16 divide_sums(u32x16 sums, const texel_box *box) {
    u64x16 products = CONVERT(sums + box->half_area, u64x16) * (u64x16)((uint64_t)box->reciprocal);
    return CONVERT(products >> (uint64_t)box->shift, u8x16);
}

HELPER u32x4 load_sums(const uint32_t *sums) {
    u32x4 result;
    memcpy(&result, sums, sizeof result);
    return result;
}

#define BEFORE(n) n, n + 1, n + 2, n + 3

static void LEVEL_NAME(box_row)(uint8_t *destination, const uint32_t *sums, size_t width, const texel_box *box) {
    const uint32_t *left = sums - 4 * (size_t)box->radius, *right = sums + 4 * (size_t)box->radius + 4;
    u32x4 first = 0;
    for (const uint32_t *column = left; column < right; column += 4) first += load_sums(column);
    // The sum of the window of pixel x, four times.
    u32x16 sum = SHUFFLE(first, BEFORE(0), BEFORE(0), BEFORE(0), BEFORE(0));
    const u32x16 zero = 0;
    size_t x = 0;
    for (; x + 4 < width; x += 4, left += 16, right += 16) {
        u32x16 change, leaving;
        memcpy(&change, right, sizeof change);
        memcpy(&leaving, left, sizeof leaving);
        // The changes from pixel x to each of the next four: sums of one, two, three and four changes.
        change -= leaving;
        change += __builtin_shufflevector(zero, change, BEFORE(0), BEFORE(16), BEFORE(20), BEFORE(24));
        change += __builtin_shufflevector(zero, change, BEFORE(0), BEFORE(4), BEFORE(16), BEFORE(20));
        u32x16 four = sum + __builtin_shufflevector(zero, change, BEFORE(0), BEFORE(16), BEFORE(20), BEFORE(24));
        u8x16 bytes = divide_sums(four, box);
        memcpy(destination + 4 * x, &bytes, sizeof bytes);
        sum += SHUFFLE(change, BEFORE(12), BEFORE(12), BEFORE(12), BEFORE(12));
    }
    for (; x < width; x++, left += 4, right += 4) {
        u8x16 bytes = divide_sums(sum, box);
        memcpy(destination + 4 * x, &bytes, 4);
        if (x + 1 < width) {
            first = load_sums(right) - load_sums(left);
            sum += SHUFFLE(first, BEFORE(0), BEFORE(0), BEFORE(0), BEFORE(0));
        }
    }
}

#undef BEFORE
