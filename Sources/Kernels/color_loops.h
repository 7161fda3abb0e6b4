// Changes of colours. Between its stages, a change holds a row of int16_t for each channel, in 1/64 of an 8-bit step,
// so that 255 is 16,320 and values from −2 to 2 times that are kept.

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

/// Returns two 16-bit factors as the pairs of a multiply-add.
HELPER i16x32 factor_pairs(int16_t even, int16_t odd) {
    return (i16x32)(i32x16)((uint16_t)even | (int32_t)odd * 65536);
}

/// Adds up one row of the matrix for 32 colours. The caller guarantees that sums do not overflow for any values.
HELPER i16x32 color_sums(const int16_t *factors, int32_t offset, int shift, i16x32 blue, i16x32 green, i16x32 red) {
    i16x32 blue_green = factor_pairs(factors[0], factors[1]), only_red = factor_pairs(factors[2], 0);
    i32x16 low = multiply_add_32(__builtin_shufflevector(blue, green, LANES16(ZIP_WORDS, 0)), blue_green)
        + multiply_add_32(__builtin_shufflevector(red, red, LANES16(ZIP_WORDS, 0)), only_red) + offset;
    i32x16 high = multiply_add_32(__builtin_shufflevector(blue, green, LANES16(ZIP_WORDS, 4)), blue_green)
        + multiply_add_32(__builtin_shufflevector(red, red, LANES16(ZIP_WORDS, 4)), only_red) + offset;
    i32x16 sums[2] = {low >> shift, high >> shift};
    for (int half = 0; half < 2; half++)
        sums[half] = __builtin_elementwise_min(
            __builtin_elementwise_max(sums[half], (i32x16)(-32768)), (i32x16)(32767));
    return CONVERT(__builtin_shufflevector(sums[0], sums[1], UNZIP(0), UNZIP(4), UNZIP(8), UNZIP(12)), i16x32);
}

static void LEVEL_NAME(mix_color_row)(
    int16_t *blue, int16_t *green, int16_t *red, size_t width, const texel_color_matrix *matrix) {
    texel_color_matrix m = *matrix;
    for (size_t x = 0; x < width; x += 32) {
        i16x32 b = load_words(blue + x), g = load_words(green + x), r = load_words(red + x);
        store_words(blue + x, color_sums(m.factors, m.offsets[0], m.shift, b, g, r));
        store_words(green + x, color_sums(m.factors + 3, m.offsets[1], m.shift, b, g, r));
        store_words(red + x, color_sums(m.factors + 6, m.offsets[2], m.shift, b, g, r));
    }
}

static void LEVEL_NAME(curve_color_row)(int16_t *samples, size_t width, const int16_t *curve) {
    for (size_t x = 0; x < width; x++) {
        int16_t value = samples[x];
        samples[x] = curve[value < 0 ? 0 : value > texel_color_white ? texel_color_white : value];
    }
}

#if MULTIPLY_ROUND_BYTES
/// Sixteen numbers, in the form in which the level looks them up.
typedef struct LEVEL_NAME(table_16) {
#if MULTIPLY_ROUND_BYTES == 64
    i16x32 twice;
#else
    u8x32 low_bytes, high_bytes;
#endif
} LEVEL_NAME(table_16);

HELPER LEVEL_NAME(table_16) make_table_16(const int16_t *numbers) {
    LEVEL_NAME(table_16) table;
#if MULTIPLY_ROUND_BYTES == 64
    memcpy(&table.twice, numbers, 32);
    memcpy((uint8_t *)&table.twice + 32, numbers, 32);
#else
    u8x32 bytes;
    memcpy(&bytes, numbers, sizeof bytes);
    table.low_bytes = SHUFFLE(bytes, EVEN16, EVEN16);
    table.high_bytes = SHUFFLE(bytes, ODD16, ODD16);
#endif
    return table;
}

#if MULTIPLY_ROUND_BYTES < 64
/// Looks bytes up in a table of sixteen, which is there twice; 0 for indices with the highest bit.
HELPER u8x32 look_up_bytes(u8x32 table, u8x32 indices) {
#if MULTIPLY_ROUND_BYTES == 32
    return __builtin_ia32_pshufb256(table, indices);
#else
    u8x32 result;
    result.lo = __builtin_ia32_pshufb128(table.lo, indices.lo);
    result.hi = __builtin_ia32_pshufb128(table.hi, indices.hi);
    return result;
#endif
}
#endif

/// Returns the number at each index, 0…15. The compiler has no form for this that does not need a builtin.
HELPER i16x32 look_up_16(LEVEL_NAME(table_16) table, i16x32 index) {
#if MULTIPLY_ROUND_BYTES == 64
    return __builtin_ia32_permvarhi512(table.twice, index);
#else
    i16x32 result, low_index = index | (int16_t)-32768, high_index = index << 8 | (int16_t)128;
    result.lo = (i16x16)(look_up_bytes(table.low_bytes, (u8x32)low_index.lo)
        | look_up_bytes(table.high_bytes, (u8x32)high_index.lo));
    result.hi = (i16x16)(look_up_bytes(table.low_bytes, (u8x32)low_index.hi)
        | look_up_bytes(table.high_bytes, (u8x32)high_index.hi));
    return result;
#endif
}

static void LEVEL_NAME(parabola_color_row)(
    int16_t *samples, size_t width, const texel_color_parabolas *parabolas) {
    LEVEL_NAME(table_16) breaks = make_table_16(parabolas->breaks), tables[2][3];
    for (int side = 0; side < 2; side++)
        for (int power = 0; power < 3; power++)
            tables[side][power] = make_table_16(parabolas->coefficients[side][power]);
    for (size_t x = 0; x < width; x += 32) {
        i16x32 value = __builtin_elementwise_min(
            __builtin_elementwise_max(load_words(samples + x), (i16x32)(0)), (i16x32)(texel_color_white));
        i16x32 piece = value >> 10, place = (value & 1023) << 5, coefficients[3];
        i16x32 is_second = value >= look_up_16(breaks, piece);
        for (int power = 0; power < 3; power++)
            coefficients[power] = (look_up_16(tables[0][power], piece) & ~is_second)
                | (look_up_16(tables[1][power], piece) & is_second);
        i16x32 factor = coefficients[1] + multiply_round(place, coefficients[2]);
        store_words(samples + x, coefficients[0] + multiply_round(place, factor));
    }
}
#else
static void LEVEL_NAME(parabola_color_row)(
    int16_t *samples, size_t width, const texel_color_parabolas *parabolas) {
    for (size_t x = 0; x < width; x++) {
        int32_t value = samples[x] < 0 ? 0 : samples[x] > texel_color_white ? texel_color_white : samples[x];
        int32_t piece = value >> 10, place = (value & 1023) << 5;
        const int16_t(*table)[16] = parabolas->coefficients[value >= parabolas->breaks[piece]];
        int32_t factor = table[1][piece] + ((place * table[2][piece] + (1 << 14)) >> 15);
        samples[x] = (int16_t)(table[0][piece] + ((place * factor + (1 << 14)) >> 15));
    }
}
#endif

HELPER i16x32 color_bytes(i16x32 values) {
    i16x32 bytes = __builtin_elementwise_add_sat(values, (i16x32)(32)) >> 6;
    return __builtin_elementwise_min(__builtin_elementwise_max(bytes, (i16x32)(0)), (i16x32)(255));
}

static void LEVEL_NAME(narrow_color_row)(
    uint8_t *destination, const uint8_t *source, const int16_t *blue, const int16_t *green, const int16_t *red,
    size_t width) {
    for (size_t x = 0; x < width; x += 32) {
        i16x32 b = color_bytes(load_words(blue + x)), g = color_bytes(load_words(green + x));
        i16x32 r = color_bytes(load_words(red + x)), blue_green = b | g << 8;
        u32x16 colors[2] = {
            (u32x16)__builtin_shufflevector(blue_green, r, ZIP_WORDS32(0)),
            (u32x16)__builtin_shufflevector(blue_green, r, ZIP_WORDS32(16))};
        for (size_t half = 0; half < 2; half++) {
            size_t begin = x + half * 16;
            if (begin >= width) return;
            size_t bytes = width - begin < 16 ? (width - begin) * 4 : 64;
            u32x16 pixels = 0;
            if (bytes == 64) memcpy(&pixels, source + begin * 4, 64); else memcpy(&pixels, source + begin * 4, bytes);
            pixels = (pixels & 0xFF000000u) | colors[half];
            if (bytes == 64) memcpy(destination + begin * 4, &pixels, 64);
            else memcpy(destination + begin * 4, &pixels, bytes);
        }
    }
}
