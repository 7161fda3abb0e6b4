// The loops for live frames, other than conversions. Included by kernel_loops.h, once per CPU level.

static void LEVEL_NAME(halve_rows)(uint8_t *destination, const uint8_t *upper, const uint8_t *lower, size_t width) {
    for (size_t x = 0; x < width / 2; x += 32) {
        size_t count = width / 2 - x < 32 ? width / 2 - x : 32;
        u16x32 a = 0, b = 0;
        if (count == 32) {
            memcpy(&a, upper + x * 2, 64);
            memcpy(&b, lower + x * 2, 64);
        } else {
            memcpy(&a, upper + x * 2, count * 2);
            memcpy(&b, lower + x * 2, count * 2);
        }
        u16x32 sums = (a & (uint16_t)255) + (a >> (uint16_t)8) + (b & (uint16_t)255) + (b >> (uint16_t)8);
        u8x32 result = CONVERT((sums + (uint16_t)2) >> (uint16_t)2, u8x32);
        if (count == 32) memcpy(destination + x, &result, 32); else memcpy(destination + x, &result, count);
    }
    if (width % 2) destination[width / 2] = (uint8_t)((upper[width - 1] + lower[width - 1] + 1) >> 1);
}

static void LEVEL_NAME(mix_row)(
    uint8_t *destination, const uint8_t *first, const uint8_t *second, size_t width, int weight) {
    const u16x32 of_first = (uint16_t)(256 - weight), of_second = (uint16_t)weight;
    for (size_t x = 0; x < width; x += 8) {
        size_t bytes = width - x < 8 ? (width - x) * 4 : 32;
        u8x32 a = 0, b = 0;
        if (bytes == 32) {
            memcpy(&a, first + x * 4, 32);
            memcpy(&b, second + x * 4, 32);
        } else {
            memcpy(&a, first + x * 4, bytes);
            memcpy(&b, second + x * 4, bytes);
        }
        // At most 255 × 256 + 128, which fits an unsigned 16-bit word.
        u16x32 sums = CONVERT(a, u16x32) * of_first + CONVERT(b, u16x32) * of_second + (uint16_t)128;
        u8x32 result = CONVERT(sums >> (uint16_t)8, u8x32);
        if (bytes == 32) memcpy(destination + x * 4, &result, 32); else memcpy(destination + x * 4, &result, bytes);
    }
}
