// The loops that measure how much colour chroma of half the resolution loses. Included by kernel_loops.h, once per CPU
// level.

/// Returns the error of a sample, in units of 1/16. Chroma samples are in 1/64, and each of both interpolation passes
/// (weights 3/4 and 1/4) multiplies by 4: the sums are in 1/1024 of an 8-bit step, below 2¹⁸.
HELPER int32_t chroma_loss(int32_t original, int32_t column, int32_t other) {
    return (original * 4 - ((3 * column + other) >> 4)) >> 2;
}

HELPER i32x16 load_16_words(const int16_t *words) {
    i16x16 loaded;
    memcpy(&loaded, words, sizeof loaded);
    return CONVERT(loaded, i32x16);
}

static void LEVEL_NAME(chroma_loss_row)(
    int32_t *losses, const int16_t *original, const int16_t *near, const int16_t *far, size_t width) {
    size_t count = (width + 1) / 2, x = 0;
    while (x < count) {
        // Sixteen samples that have neighbours on both sides and stand for 32 pixels.
        if (x > 0 && x + 16 < count) {
            i32x16 left = 3 * load_16_words(near + x - 1) + load_16_words(far + x - 1);
            i32x16 column = 3 * load_16_words(near + x) + load_16_words(far + x);
            i32x16 right = 3 * load_16_words(near + x + 1) + load_16_words(far + x + 1);
            i16x32 pixels;
            memcpy(&pixels, original + 2 * x, sizeof pixels);
            i32x16 even = CONVERT(SHUFFLE(pixels, EVEN16), i32x16), odd = CONVERT(SHUFFLE(pixels, ODD16), i32x16);
            even = (even * 4 - ((3 * column + left) >> 4)) >> 2;
            odd = (odd * 4 - ((3 * column + right) >> 4)) >> 2;
            even *= even;
            odd *= odd;
            i32x16 low = __builtin_shufflevector(even, odd, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
            i32x16 high = __builtin_shufflevector(
                even, odd, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
            i32x16 sums[2];
            memcpy(sums, losses + 2 * x, sizeof sums);
            sums[0] += low;
            sums[1] += high;
            memcpy(losses + 2 * x, sums, sizeof sums);
            x += 16;
            continue;
        }
        size_t before = x > 0 ? x - 1 : 0, after = x + 1 < count ? x + 1 : x;
        int32_t column = 3 * near[x] + far[x];
        int32_t even = chroma_loss(original[2 * x], column, 3 * near[before] + far[before]);
        losses[2 * x] += even * even;
        if (2 * x + 1 < width) {
            int32_t odd = chroma_loss(original[2 * x + 1], column, 3 * near[after] + far[after]);
            losses[2 * x + 1] += odd * odd;
        }
        x++;
    }
}

static size_t LEVEL_NAME(add_chroma_losses)(uint32_t *blocks, const int32_t *losses, size_t width, int32_t limit) {
    size_t count = 0;
    for (size_t x = 0; x < width; x += 8) {
        i32x8 values = 0;
        memcpy(&values, losses + x, (width - x < 8 ? width - x : 8) * sizeof *losses);
        blocks[x / 8] += (uint32_t)__builtin_reduce_add(values);
        count += (size_t)-__builtin_reduce_add((i32x8)(values > limit));
    }
    return count;
}
