// The conversion of YUV to sRGB through light. Included by yuv_loops.h, once per CPU level.
//
// The places in tables are computed for 64 pixels before anything is looked up. Every level gives the same bytes: each
// step is rounded by itself.

#pragma clang fp contract(off)

/// 64 pixels between the stages.
typedef struct LEVEL_NAME(mapped_64) {
    /// R'G'B', where white is `texel_map_steps`.
    float channels[3][64];
    /// Where to look up each channel, and the largest one.
    uint16_t places[3][64], largest[64];
    /// What was found there.
    float lines[3][128];
    uint16_t compression[64];
} LEVEL_NAME(mapped_64);

HELPER f32x16 floats_of(i16x16 words) { return CONVERT(CONVERT(words, i32x16), f32x16); }

HELPER f32x16 limited(f32x16 values, float least, float most) {
    return __builtin_elementwise_min(__builtin_elementwise_max(values, (f32x16)(least)), (f32x16)(most));
}

HELPER void store_places(uint16_t *destination, f32x16 values) {
    u16x16 places = CONVERT(CONVERT(values, i32x16), u16x16);
    memcpy(destination, &places, sizeof places);
}

/// Computes R'G'B' of 16 pixels, and their places in the tables of light and compression.
HELPER void place_light(
    LEVEL_NAME(mapped_64) *pixels, size_t x, i16x16 y, i16x16 u, i16x16 v, const texel_color_map *map) {
    f32x16 luma = floats_of(y) * map->luma - map->black, blue = floats_of(u), red = floats_of(v);
    f32x16 channels[3] = {
        luma + red * map->red_v, luma + (blue * map->green_u + red * map->green_v), luma + blue * map->blue_u};
    for (int channel = 0; channel < 3; channel++) {
        channels[channel] = limited(channels[channel], 0, texel_map_steps);
        store_places(pixels->places[channel] + x, channels[channel]);
        memcpy(pixels->channels[channel] + x, &channels[channel], sizeof channels[channel]);
    }
    f32x16 largest = __builtin_elementwise_max(__builtin_elementwise_max(channels[0], channels[1]), channels[2]);
    store_places(pixels->largest + x, largest * texel_map_fine_steps + 0.5f);
}

/// Computes the light of 16 pixels, and their places in the table of bytes.
HELPER void place_bytes(LEVEL_NAME(mapped_64) *pixels, size_t x, const texel_color_map *map) {
    f32x16 light[3];
    for (int channel = 0; channel < 3; channel++) {
        f32x32 lines;
        f32x16 values;
        memcpy(&lines, pixels->lines[channel] + 2 * x, sizeof lines);
        memcpy(&values, pixels->channels[channel] + x, sizeof values);
        light[channel] =
            __builtin_shufflevector(lines, lines, EVEN16) + __builtin_shufflevector(lines, lines, ODD16) * values;
    }
    if (map->compression) {
        u16x16 factors;
        memcpy(&factors, pixels->compression + x, sizeof factors);
        f32x16 compression = CONVERT(CONVERT(factors, i32x16), f32x16);
        for (int channel = 0; channel < 3; channel++) light[channel] *= compression;
    }
    for (int channel = 0; channel < 3; channel++) {
        const float *factors = map->matrix + 3 * channel;
        f32x16 sum = light[0] * factors[0] + light[1] * factors[1] + light[2] * factors[2];
        u32x16 bits = (u32x16)limited(sum, 0x1p-13f, 1) - texel_map_least_bits;
        u16x16 places = CONVERT(bits >> texel_map_light_shift, u16x16);
        memcpy(pixels->places[channel] + x, &places, sizeof places);
    }
}

/// Converts 64 pixels of luma in 1/128 of an 8-bit step; without `chroma` they are grey.
HELPER void map_64(
    uint8_t *destination, i16x32 first, i16x32 second, const LEVEL_NAME(chroma_64) *chroma,
    const texel_color_map *map) {
    LEVEL_NAME(mapped_64) pixels;
    const i16x32 neutral = 0;
    for (int half = 0; half < 2; half++) {
        i16x32 y = half ? second : first;
        i16x32 u = chroma ? chroma->u[half] : neutral, v = chroma ? chroma->v[half] : neutral;
        place_light(&pixels, half * 32, y.lo, u.lo, v.lo, map);
        place_light(&pixels, half * 32 + 16, y.hi, u.hi, v.hi, map);
    }
    // Gathering instructions are not faster, and much slower on some processors.
    for (int channel = 0; channel < 3; channel++)
#pragma clang loop vectorize(disable) unroll_count(4)
        for (int x = 0; x < 64; x++)
            memcpy(pixels.lines[channel] + 2 * x, map->lines + 2 * pixels.places[channel][x], 2 * sizeof(float));
    if (map->compression)
#pragma clang loop vectorize(disable) unroll_count(4)
        for (int x = 0; x < 64; x++) pixels.compression[x] = map->compression[pixels.largest[x]];
    for (size_t x = 0; x < 64; x += 16) place_bytes(&pixels, x, map);
    const uint8_t *bytes = map->bytes;
#pragma clang loop vectorize(disable) unroll_count(2)
    for (int x = 0; x < 64; x++) {
        uint32_t red = bytes[pixels.places[0][x]], green = bytes[pixels.places[1][x]];
        uint32_t pixel = bytes[pixels.places[2][x]] | green << 8 | red << 16 | 0xFF000000u;
        memcpy(destination + x * 4, &pixel, 4);
    }
}
