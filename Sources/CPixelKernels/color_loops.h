// Changes of colours. Between its stages, a change holds a row of int16_t for each channel, in 1/64 of an 8-bit step, so
// that 255 is 16,320 and values from −2 to 2 times that are kept.

static void LEVEL_NAME(map_color_row)(
    uint8_t *destination, const uint8_t *source, size_t width, const uint8_t *tables) {
    for (size_t x = 0; x < width * 4; x += 4) {
        destination[x] = tables[source[x]];
        destination[x + 1] = tables[256 + source[x + 1]];
        destination[x + 2] = tables[512 + source[x + 2]];
        destination[x + 3] = source[x + 3];
    }
}

static void LEVEL_NAME(widen_color_row)(
    int16_t *blue, int16_t *green, int16_t *red, const uint8_t *source, size_t width) {
    for (size_t x = 0; x < width; x++) {
        uint32_t pixel;
        memcpy(&pixel, source + x * 4, 4);
        blue[x] = (int16_t)((pixel & 255) << 6);
        green[x] = (int16_t)((pixel >> 8 & 255) << 6);
        red[x] = (int16_t)((pixel >> 16 & 255) << 6);
    }
}

static void LEVEL_NAME(look_up_color_row)(
    int16_t *blue, int16_t *green, int16_t *red, const uint8_t *source, size_t width, const int16_t *tables) {
    for (size_t x = 0; x < width; x++) {
        blue[x] = tables[source[x * 4]];
        green[x] = tables[256 + source[x * 4 + 1]];
        red[x] = tables[512 + source[x * 4 + 2]];
    }
}

HELPER int16_t color_sum(
    const int16_t *factors, int32_t offset, int shift, int32_t blue, int32_t green, int32_t red) {
    // The caller guarantees that this does not overflow for any values.
    int32_t sum = (factors[0] * blue + factors[1] * green + factors[2] * red + offset) >> shift;
    return (int16_t)(sum < -32768 ? -32768 : sum > 32767 ? 32767 : sum);
}

static void LEVEL_NAME(mix_color_row)(
    int16_t *blue, int16_t *green, int16_t *red, size_t width, const texel_color_matrix *matrix) {
    texel_color_matrix m = *matrix;
    for (size_t x = 0; x < width; x++) {
        int32_t b = blue[x], g = green[x], r = red[x];
        blue[x] = color_sum(m.factors, m.offsets[0], m.shift, b, g, r);
        green[x] = color_sum(m.factors + 3, m.offsets[1], m.shift, b, g, r);
        red[x] = color_sum(m.factors + 6, m.offsets[2], m.shift, b, g, r);
    }
}

static void LEVEL_NAME(curve_color_row)(int16_t *samples, size_t width, const int16_t *curve) {
    for (size_t x = 0; x < width; x++) {
        int16_t value = samples[x];
        samples[x] = curve[value < 0 ? 0 : value > texel_color_white ? texel_color_white : value];
    }
}

HELPER uint32_t color_byte(int16_t value) {
    int32_t byte = (value + 32) >> 6;
    return (uint32_t)(byte < 0 ? 0 : byte > 255 ? 255 : byte);
}

static void LEVEL_NAME(narrow_color_row)(
    uint8_t *destination, const uint8_t *source, const int16_t *blue, const int16_t *green, const int16_t *red,
    size_t width) {
    for (size_t x = 0; x < width; x++) {
        uint32_t pixel;
        memcpy(&pixel, source + x * 4, 4);
        pixel = (pixel & 0xFF000000u) | color_byte(red[x]) << 16 | color_byte(green[x]) << 8 | color_byte(blue[x]);
        memcpy(destination + x * 4, &pixel, 4);
    }
}
