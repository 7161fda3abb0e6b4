// Luma, and changes of it that depend on where a pixel is. Included by kernel_loops.h, once per CPU level.

static void LEVEL_NAME(luma_row)(uint8_t *destination, const uint8_t *source, size_t width) {
    for (size_t x = 0; x < width; x++) {
        uint32_t pixel;
        memcpy(&pixel, source + x * 4, 4);
        // The weights add up to 2¹⁶.
        uint32_t luma = 19595 * (pixel >> 16 & 255) + 38470 * (pixel >> 8 & 255) + 7471 * (pixel & 255) + 32768;
        destination[x] = (uint8_t)(luma >> 16);
    }
}

static void LEVEL_NAME(equalize_row)(
    uint8_t *destination, const uint8_t *source, const uint8_t *luma, size_t width, const uint8_t *above,
    const uint8_t *below, const texel_tile_place *places, uint32_t weight) {
    const uint32_t one = 1 << texel_tile_weight_bits;
    for (size_t x = 0; x < width; x++) {
        texel_tile_place place = places[x];
        uint32_t left = place.left + luma[x], right = place.right + luma[x];
        // At most 255 × 2¹¹ each, and their weighted sum 255 × 2²².
        uint32_t upper = above[left] * (one - place.weight) + above[right] * place.weight;
        uint32_t lower = below[left] * (one - place.weight) + below[right] * place.weight;
        uint32_t value = upper * (one - weight) + lower * weight + (1 << (2 * texel_tile_weight_bits - 1));
        int32_t change = (int32_t)(value >> (2 * texel_tile_weight_bits)) - luma[x];
        for (size_t i = x * 4; i < x * 4 + 3; i++) {
            int32_t color = source[i] + change;
            destination[i] = (uint8_t)(color < 0 ? 0 : color > 255 ? 255 : color);
        }
        destination[x * 4 + 3] = source[x * 4 + 3];
    }
}
