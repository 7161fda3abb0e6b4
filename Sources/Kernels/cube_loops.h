// Three-dimensional tables of colours. Included by kernel_loops.h, once per CPU level.

/// The number of pixels whose places in the table are computed before any colour.
#define CUBE_PIXELS 64

static void LEVEL_NAME(cube_color_row)(
    uint8_t *destination, const uint8_t *source, size_t width, const uint64_t *places, const int16_t *entries) {
    // The first entry of each pixel, and the steps from it on the three axes. Pixels after the end read entry 0.
    uint32_t first[CUBE_PIXELS] = {0}, blue[CUBE_PIXELS] = {0}, green[CUBE_PIXELS] = {0}, red[CUBE_PIXELS] = {0};
    // The other entries, and pairs of weights.
    uint32_t second[CUBE_PIXELS], third[CUBE_PIXELS], last[CUBE_PIXELS], upper[CUBE_PIXELS], lower[CUBE_PIXELS];
    uint8_t colors[CUBE_PIXELS * 4];
    const uint32_t one = 1 << texel_cube_fraction_bits, step_mask = (1 << texel_cube_step_bits) - 1;
    for (size_t begin = 0; begin < width; begin += CUBE_PIXELS) {
        size_t count = width - begin < CUBE_PIXELS ? width - begin : CUBE_PIXELS;
        const uint8_t *pixels = source + begin * 4;
        for (size_t x = 0; x < count; x++) {
            uint64_t b = places[pixels[x * 4]], g = places[256 + pixels[x * 4 + 1]];
            uint64_t r = places[512 + pixels[x * 4 + 2]];
            first[x] = (uint32_t)(b >> 32) + (uint32_t)(g >> 32) + (uint32_t)(r >> 32);
            blue[x] = (uint32_t)b;
            green[x] = (uint32_t)g;
            red[x] = (uint32_t)r;
        }
        for (size_t x = 0; x < CUBE_PIXELS; x++) {
            // Sorts the axes by their fractions, which are the upper bits.
            uint32_t b = blue[x], g = green[x], r = red[x];
            uint32_t most = b > g ? b : g, least = b > g ? g : b;
            uint32_t middle = most < r ? most : r;
            most = most < r ? r : most;
            uint32_t smaller = middle < least ? middle : least;
            middle = middle < least ? least : middle;
            second[x] = first[x] + (most & step_mask);
            third[x] = second[x] + (middle & step_mask);
            last[x] = third[x] + (smaller & step_mask);
            most >>= texel_cube_step_bits;
            middle >>= texel_cube_step_bits;
            smaller >>= texel_cube_step_bits;
            upper[x] = (one - most) | (most - middle) << 16;
            lower[x] = (middle - smaller) | smaller << 16;
        }
        for (size_t x = 0; x < CUBE_PIXELS; x += 4) {
            i32x16 sums;
            i32x4 *four = (i32x4 *)&sums;
#pragma clang loop unroll(full)
            for (size_t i = 0; i < 4; i++) {
                i16x4 a, b, c, d;
                memcpy(&a, entries + (size_t)first[x + i] * 4, sizeof a);
                memcpy(&b, entries + (size_t)second[x + i] * 4, sizeof b);
                memcpy(&c, entries + (size_t)third[x + i] * 4, sizeof c);
                memcpy(&d, entries + (size_t)last[x + i] * 4, sizeof d);
                i16x16 vertices;
                vertices.lo = __builtin_shufflevector(a, b, 0, 4, 1, 5, 2, 6, 3, 7);
                vertices.hi = __builtin_shufflevector(c, d, 0, 4, 1, 5, 2, 6, 3, 7);
                i32x8 weights;
                weights.lo = (i32x4)((int32_t)upper[x + i]);
                weights.hi = (i32x4)((int32_t)lower[x + i]);
                // The weights are at least 0 and add up to 2¹⁴, so that a sum is at most 2¹⁵ × 2¹⁴ = 2²⁹.
                i32x8 products = multiply_add_16(vertices, (i16x16)weights);
                four[i] = products.lo + products.hi;
            }
            sums = (sums + (1 << (texel_cube_fraction_bits + 5))) >> (texel_cube_fraction_bits + 6);
            sums = __builtin_elementwise_min(__builtin_elementwise_max(sums, (i32x16)(0)), (i32x16)(255));
            u8x16 bytes = CONVERT(sums, u8x16);
            memcpy(colors + x * 4, &bytes, sizeof bytes);
        }
        for (size_t x = 0; x < count; x++) {
            uint32_t color, pixel;
            memcpy(&color, colors + x * 4, 4);
            memcpy(&pixel, pixels + x * 4, 4);
            pixel = (color & 0xFFFFFF) | (pixel & 0xFF000000u);
            memcpy(destination + (begin + x) * 4, &pixel, 4);
        }
    }
}

#undef CUBE_PIXELS
