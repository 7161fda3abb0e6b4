// Compositing with blend modes: W3C Compositing and Blending Level 1, https://www.w3.org/TR/compositing-1/. Included by
// kernel_loops.h, once per CPU level.
//
// The mode `normal` over an opaque or premultiplied backdrop is computed in 16-bit integers. Everything else is
// computed in lanes of float, eight pixels at a time, because blend modes divide by colours and by alpha. IEEE 754
// defines the result of each of their operations, and none is contracted, so the bytes are the same at every level.
#pragma clang fp contract(off)

typedef float f32x8 __attribute__((ext_vector_type(8)));
typedef uint32_t u32x8 __attribute__((ext_vector_type(8)));

HELPER f32x8 blend_select(i32x8 mask, f32x8 yes, f32x8 no) {
    return (f32x8)(((i32x8)yes & mask) | ((i32x8)no & ~mask));
}

HELPER f32x8 blend_min(f32x8 a, f32x8 b) { return blend_select(a < b, a, b); }
HELPER f32x8 blend_max(f32x8 a, f32x8 b) { return blend_select(a > b, a, b); }

/// Colours or light of eight pixels, 0…1.
typedef struct LEVEL_NAME(blend_color) {
    f32x8 red, green, blue;
} LEVEL_NAME(blend_color);
#define BLEND_COLOR LEVEL_NAME(blend_color)

// Section 10.1: the separable modes, B(backdrop, source).

HELPER f32x8 blend_multiply(f32x8 b, f32x8 s) { return b * s; }
HELPER f32x8 blend_screen(f32x8 b, f32x8 s) { return b + s - b * s; }

HELPER f32x8 blend_hard_light(f32x8 b, f32x8 s) {
    f32x8 twice = s + s;
    return blend_select(s <= 0.5f, blend_multiply(b, twice), blend_screen(b, twice - 1));
}

HELPER f32x8 blend_color_dodge(f32x8 b, f32x8 s) {
    // The quotient is infinite for a source of 1. It would be undefined for a backdrop of 0 too, which is selected
    // here.
    return blend_select(b <= 0, (f32x8)(0), blend_min((f32x8)(1), b / (1 - s)));
}

HELPER f32x8 blend_color_burn(f32x8 b, f32x8 s) {
    return blend_select(b >= 1, (f32x8)(1), 1 - blend_min((f32x8)(1), (1 - b) / s));
}

HELPER f32x8 blend_soft_light(f32x8 b, f32x8 s) {
    f32x8 curve = blend_select(b <= 0.25f, ((16 * b - 12) * b + 4) * b, __builtin_elementwise_sqrt(b));
    f32x8 twice = s + s;
    return blend_select(s <= 0.5f, b - (1 - twice) * b * (1 - b), b + (twice - 1) * (curve - b));
}

HELPER f32x8 blend_separable(f32x8 b, f32x8 s, int mode) {
    switch (mode) {
    case texel_blend_multiply: return blend_multiply(b, s);
    case texel_blend_screen: return blend_screen(b, s);
    case texel_blend_overlay: return blend_hard_light(s, b);
    case texel_blend_darken: return blend_min(b, s);
    case texel_blend_lighten: return blend_max(b, s);
    case texel_blend_color_dodge: return blend_color_dodge(b, s);
    case texel_blend_color_burn: return blend_color_burn(b, s);
    case texel_blend_hard_light: return blend_hard_light(b, s);
    case texel_blend_soft_light: return blend_soft_light(b, s);
    case texel_blend_difference: return blend_max(b - s, s - b);
    case texel_blend_exclusion: return b + s - 2 * b * s;
    default: return s;
    }
}

// Section 10.2: the modes that mix channels.

HELPER f32x8 blend_least(BLEND_COLOR c) { return blend_min(blend_min(c.red, c.green), c.blue); }
HELPER f32x8 blend_greatest(BLEND_COLOR c) { return blend_max(blend_max(c.red, c.green), c.blue); }
HELPER f32x8 blend_luminosity(BLEND_COLOR c) { return 0.3f * c.red + 0.59f * c.green + 0.11f * c.blue; }
HELPER f32x8 blend_saturation(BLEND_COLOR c) { return blend_greatest(c) - blend_least(c); }

/// Scales a channel's distance from the luminosity so that the smallest channel becomes 0 and the largest 1, if they
/// are outside.
HELPER f32x8 blend_clip(f32x8 c, f32x8 luminosity, f32x8 least, f32x8 greatest) {
    c = blend_select(least < 0, luminosity + (c - luminosity) * luminosity / (luminosity - least), c);
    return blend_select(
        greatest > 1, luminosity + (c - luminosity) * (1 - luminosity) / (greatest - luminosity), c);
}

/// SetLum: moves all channels so that the luminosity is that of another colour.
HELPER BLEND_COLOR blend_set_luminosity(BLEND_COLOR c, f32x8 luminosity) {
    f32x8 distance = luminosity - blend_luminosity(c);
    c.red += distance;
    c.green += distance;
    c.blue += distance;
    f32x8 least = blend_least(c), greatest = blend_greatest(c);
    c.red = blend_clip(c.red, luminosity, least, greatest);
    c.green = blend_clip(c.green, luminosity, least, greatest);
    c.blue = blend_clip(c.blue, luminosity, least, greatest);
    return c;
}

/// SetSat: stretches the channels to 0…`saturation`; grey becomes black.
HELPER BLEND_COLOR blend_set_saturation(BLEND_COLOR c, f32x8 saturation) {
    f32x8 least = blend_least(c), range = blend_saturation(c);
    f32x8 factor = blend_select(range > 0, saturation / range, (f32x8)(0));
    c.red = (c.red - least) * factor;
    c.green = (c.green - least) * factor;
    c.blue = (c.blue - least) * factor;
    return c;
}

HELPER BLEND_COLOR blend_colors(BLEND_COLOR b, BLEND_COLOR s, int mode) {
    switch (mode) {
    case texel_blend_hue:
        return blend_set_luminosity(blend_set_saturation(s, blend_saturation(b)), blend_luminosity(b));
    case texel_blend_saturation:
        return blend_set_luminosity(blend_set_saturation(b, blend_saturation(s)), blend_luminosity(b));
    case texel_blend_color: return blend_set_luminosity(s, blend_luminosity(b));
    case texel_blend_luminosity: return blend_set_luminosity(b, blend_luminosity(s));
    default:
        s.red = blend_separable(b.red, s.red, mode);
        s.green = blend_separable(b.green, s.green, mode);
        s.blue = blend_separable(b.blue, s.blue, mode);
        return s;
    }
}

HELPER f32x8 blend_channel(u32x8 pixels, int shift) {
    return CONVERT((i32x8)(pixels >> (uint32_t)shift & 255u), f32x8);
}

HELPER f32x8 blend_look_up(u32x8 pixels, int shift, const float *table) {
    f32x8 result;
    for (int x = 0; x < 8; x++) result[x] = table[pixels[x] >> shift & 255];
    return result;
}

/// Returns straight colours of pixels, or their light. Premultiplied colours above alpha count as alpha.
HELPER BLEND_COLOR blend_load(u32x8 pixels, f32x8 alpha, texel_alpha mode, const float *to_light) {
    BLEND_COLOR result;
    if (to_light) {
        result.red = blend_look_up(pixels, 16, to_light);
        result.green = blend_look_up(pixels, 8, to_light);
        result.blue = blend_look_up(pixels, 0, to_light);
        return result;
    }
    result.red = blend_channel(pixels, 16);
    result.green = blend_channel(pixels, 8);
    result.blue = blend_channel(pixels, 0);
    if (mode == texel_alpha_premultiplied) {
        // Divided, not multiplied by the reciprocal, so that a colour equal to alpha becomes exactly 1.
        f32x8 white = blend_max(alpha, (f32x8)(1));
        result.red = blend_min(result.red, alpha) / white;
        result.green = blend_min(result.green, alpha) / white;
        result.blue = blend_min(result.blue, alpha) / white;
    } else {
        // 255 becomes exactly 1: the float's error of 1/255 is less than 2⁻³², and 2⁻²⁴ of the product is rounded off.
        result.red *= 1 / 255.0f;
        result.green *= 1 / 255.0f;
        result.blue *= 1 / 255.0f;
    }
    return result;
}

/// Rounds a channel of 0…1, up to errors of the last bits, to a byte or, in light, to the entry of a table.
HELPER u32x8 blend_store(f32x8 color, f32x8 white, const uint8_t *from_light) {
    if (!from_light) return (u32x8)CONVERT(color * white + 0.5f, i32x8);
    i32x8 steps = CONVERT(color * 32767 + 0.5f, i32x8);
    u32x8 result;
    for (int x = 0; x < 8; x++) result[x] = from_light[steps[x]];
    return result;
}

/// Section 9.1.1 with section 5.1: the colour, multiplied by the alpha of the result, is
/// source × source alpha × (1 − backdrop alpha) + backdrop × backdrop alpha × (1 − source alpha) +
/// source alpha × backdrop alpha × B.
HELPER f32x8 blend_composite(f32x8 b, f32x8 s, f32x8 mixed, f32x8 b_weight, f32x8 s_weight, f32x8 mixed_weight) {
    return b * b_weight + s * s_weight + mixed * mixed_weight;
}

HELPER u32x8 blend_8(u32x8 backdrop, u32x8 source, int mode, bool in_light, const texel_blend *blend) {
    const float *to_light = in_light ? blend->to_light : NULL;
    const uint8_t *from_light = in_light ? blend->from_light : NULL;
    f32x8 b_alpha = blend_channel(backdrop, 24), s_alpha = blend_channel(source, 24);
    BLEND_COLOR b = blend_load(backdrop, b_alpha, blend->backdrop, to_light);
    BLEND_COLOR s = blend_load(source, s_alpha, blend->source, to_light);
    s_alpha *= blend->opacity;
    BLEND_COLOR mixed = blend_colors(b, s, mode);
    // With an opacity of 1, whole numbers up to 255², which a float holds exactly.
    f32x8 b_weight = b_alpha * (255 - s_alpha), s_weight = s_alpha * (255 - b_alpha), mixed_weight = b_alpha * s_alpha;
    f32x8 total = b_weight + s_weight + mixed_weight;
    f32x8 scale = 1 / blend_max(total, (f32x8)(1));
    b_weight *= scale;
    s_weight *= scale;
    mixed_weight *= scale;
    f32x8 alpha = total * (1 / 255.0f);
    f32x8 white = blend->backdrop == texel_alpha_premultiplied ? alpha : (f32x8)(255);
    u32x8 a = (u32x8)CONVERT(alpha + 0.5f, i32x8);
    // The sum of the weights can exceed one in its last bits, but not enough to round to 256.
    u32x8 red = blend_store(
        blend_composite(b.red, s.red, mixed.red, b_weight, s_weight, mixed_weight), white, from_light);
    u32x8 green = blend_store(
        blend_composite(b.green, s.green, mixed.green, b_weight, s_weight, mixed_weight), white, from_light);
    u32x8 blue = blend_store(
        blend_composite(b.blue, s.blue, mixed.blue, b_weight, s_weight, mixed_weight), white, from_light);
    if (blend->backdrop == texel_alpha_premultiplied) {
        red = __builtin_elementwise_min(red, a);
        green = __builtin_elementwise_min(green, a);
        blue = __builtin_elementwise_min(blue, a);
    }
    u32x8 result = a << 24 | red << 16 | green << 8 | blue;
    // A transparent source leaves the pixel, with the colour that a transparent one may have.
    u32x8 keeps = (u32x8)(s_alpha == 0);
    return (backdrop & keeps) | (result & ~keeps);
}

/// The mode `normal` over an opaque or premultiplied backdrop, in 16 bits: a sum is at most 255² + 127.
HELPER u8x32 blend_over_8(u8x32 backdrop, u8x32 source, const texel_blend *blend) {
    const u8x32 alpha_bytes = {ALPHA_BYTES, ALPHA_BYTES};
    // The alpha after the opacity is rounded to a byte. 32,767 leaves it: 255 / 32,768 is rounded off.
    int32_t factor = (int32_t)(blend->opacity * 32768 + 0.5f);
    const i16x32 opacity = (i16x32)((int16_t)(factor < 32767 ? factor : 32767));
    u8x32 alphas = SHUFFLE(source, ALPHA32);
    u16x32 alpha = (u16x32)multiply_round(CONVERT(alphas, i16x32), opacity);
    // The alpha of the result is composited like a colour of 255.
    u16x32 light;
    if (blend->source == texel_alpha_premultiplied) {
        u8x32 color = __builtin_elementwise_min(source, alphas);
        light = (u16x32)multiply_round(CONVERT(color, i16x32), opacity) * (uint16_t)255;
    } else {
        light = CONVERT(source | alpha_bytes, u16x32) * alpha;
    }
    u16x32 value = light + CONVERT(backdrop, u16x32) * ((uint16_t)255 - alpha) + (uint16_t)127;
    // value / 255, exact below 65,535.
    return CONVERT((value + (uint16_t)1 + (value >> (uint16_t)8)) >> (uint16_t)8, u8x32);
}

HELPER void blend_over_row(uint8_t *destination, const uint8_t *source, size_t width, const texel_blend *blend) {
    const u32x8 alpha_bits = (u32x8)(0xFF000000u);
    for (size_t x = 0; x < width; x += 8) {
        size_t bytes = width - x < 8 ? (width - x) * 4 : 32;
        u32x8 above = 0, below = 0;
        if (bytes == 32) memcpy(&above, source + x * 4, 32); else memcpy(&above, source + x * 4, bytes);
        // Most of many overlays is transparent.
        if (!__builtin_reduce_or(above & alpha_bits)) continue;
        if (bytes == 32) memcpy(&below, destination + x * 4, 32); else memcpy(&below, destination + x * 4, bytes);
        below = (u32x8)blend_over_8((u8x32)below, (u8x32)above, blend);
        if (bytes == 32) memcpy(destination + x * 4, &below, 32); else memcpy(destination + x * 4, &below, bytes);
    }
}

/// Blends a row. For speed, `mode` is a constant for the compiler, except with light, where the tables take most of the
/// time.
HELPER void blend_mode_row(
    uint8_t *destination, const uint8_t *source, size_t width, const texel_blend *blend, int mode, bool in_light) {
    for (size_t x = 0; x < width; x += 8) {
        size_t bytes = width - x < 8 ? (width - x) * 4 : 32;
        u32x8 above = 0, below = 0;
        memcpy(&above, source + x * 4, bytes);
        if (!__builtin_reduce_or(above & 0xFF000000u)) continue;
        memcpy(&below, destination + x * 4, bytes);
        below = blend_8(below, above, mode, in_light, blend);
        memcpy(destination + x * 4, &below, bytes);
    }
}

#define BLEND_CASE(mode) \
    case mode: blend_mode_row(destination, source, width, blend, mode, false); break

static void LEVEL_NAME(blend_row)(
    uint8_t *destination, const uint8_t *source, size_t width, const texel_blend *blend) {
    if (blend->to_light) return blend_mode_row(destination, source, width, blend, (int)blend->mode, true);
    switch (blend->mode) {
    case texel_blend_normal:
        if (blend->backdrop == texel_alpha_straight)
            blend_mode_row(destination, source, width, blend, texel_blend_normal, false);
        else
            blend_over_row(destination, source, width, blend);
        break;
    BLEND_CASE(texel_blend_multiply);
    BLEND_CASE(texel_blend_screen);
    BLEND_CASE(texel_blend_overlay);
    BLEND_CASE(texel_blend_darken);
    BLEND_CASE(texel_blend_lighten);
    BLEND_CASE(texel_blend_color_dodge);
    BLEND_CASE(texel_blend_color_burn);
    BLEND_CASE(texel_blend_hard_light);
    BLEND_CASE(texel_blend_soft_light);
    BLEND_CASE(texel_blend_difference);
    BLEND_CASE(texel_blend_exclusion);
    BLEND_CASE(texel_blend_hue);
    BLEND_CASE(texel_blend_saturation);
    BLEND_CASE(texel_blend_color);
    BLEND_CASE(texel_blend_luminosity);
    }
}
#undef BLEND_CASE

#define COVER(n) n, n, n, n

HELPER u8x32 cover_8(u8x32 pixels, u8x32 coverage, bool is_premultiplied) {
    const u8x32 alpha_bytes = {ALPHA_BYTES, ALPHA_BYTES};
    // Straight colours are multiplied by 255, so that they stay.
    if (!is_premultiplied) coverage |= ~alpha_bytes;
    u16x32 value = CONVERT(pixels, u16x32) * CONVERT(coverage, u16x32) + (uint16_t)127;
    // value / 255, exact below 65,535.
    return CONVERT((value + (uint16_t)1 + (value >> (uint16_t)8)) >> (uint16_t)8, u8x32);
}

static void LEVEL_NAME(cover_row)(
    uint8_t *destination, const uint8_t *source, const uint8_t *coverage, size_t width, bool is_premultiplied) {
    for (size_t x = 0; x < width; x += 8) {
        size_t count = width - x < 8 ? width - x : 8;
        u8x32 pixels = 0;
        u8x8 factors = 0;
        memcpy(&factors, coverage + x, count);
        memcpy(&pixels, source + x * 4, count * 4);
        u8x32 spread = __builtin_shufflevector(
            factors, factors, COVER(0), COVER(1), COVER(2), COVER(3), COVER(4), COVER(5), COVER(6), COVER(7));
        pixels = cover_8(pixels, spread, is_premultiplied);
        memcpy(destination + x * 4, &pixels, count * 4);
    }
}
#undef COVER
#undef BLEND_COLOR
