#include "codec_planes.h"

// MARK: Means

// Sums of up to 8 × 8 samples; the mean of fewer at the right and the bottom edge. The column sums of a row of blocks
// are computed first, over whole rows, which compilers vectorise; sums of bytes fit into 16 bits.
#define SHRINK(NAME, SAMPLE, SUM)                                                                                 \
    static void NAME(const texel_plane *from, int divide_x, int divide_y, SUM *sums, void *to,                    \
                     size_t to_bytes_per_row) {                                                                   \
        int width = (from->width + divide_x - 1) / divide_x;                                                      \
        int height = (from->height + divide_y - 1) / divide_y;                                                    \
        int whole = from->width / divide_x;                                                                       \
        for (int y = 0; y < height; y++) {                                                                        \
            int first = y * divide_y;                                                                             \
            int rows = from->height - first < divide_y ? from->height - first : divide_y;                         \
            const uint8_t *start = (const uint8_t *)from->samples + (size_t)first * from->bytes_per_row;          \
            const SAMPLE *row = (const SAMPLE *)(const void *)start;                                              \
            for (int x = 0; x < from->width; x++) sums[x] = row[x];                                               \
            for (int i = 1; i < rows; i++) {                                                                      \
                row = (const SAMPLE *)(const void *)((const uint8_t *)row + from->bytes_per_row);                 \
                for (int x = 0; x < from->width; x++) sums[x] = (SUM)(sums[x] + row[x]);                          \
            }                                                                                                     \
            SAMPLE *result = (SAMPLE *)(void *)((uint8_t *)to + (size_t)y * to_bytes_per_row);                    \
            uint32_t count = (uint32_t)(rows * divide_x);                                                         \
            means_##SAMPLE(sums, whole, divide_x, count, result);                                                 \
            if (whole < width) {                                                                                  \
                int left = from->width - whole * divide_x;                                                        \
                uint32_t sum = 0;                                                                                 \
                for (int i = 0; i < left; i++) sum += sums[whole * divide_x + i];                                 \
                count = (uint32_t)(rows * left);                                                                  \
                result[whole] = (SAMPLE)((sum + count / 2) / count);                                              \
            }                                                                                                     \
        }                                                                                                         \
    }

// `count` is a power of two except in the last row of blocks.
#define MEANS(SAMPLE, SUM)                                                                                         \
    static void means_##SAMPLE(const SUM *sums, int count, int divisor, uint32_t samples, SAMPLE *result) {   \
        if ((samples & (samples - 1)) != 0) {                                                                      \
            for (int x = 0; x < count; x++) {                                                                      \
                uint32_t sum = samples / 2;                                                                        \
                for (int i = 0; i < divisor; i++) sum += sums[x * divisor + i];                                    \
                result[x] = (SAMPLE)(sum / samples);                                                               \
            }                                                                                                      \
            return;                                                                                                \
        }                                                                                                          \
        int shift = __builtin_ctz(samples);                                                                        \
        uint32_t half = samples / 2;                                                                               \
        switch (divisor) {                                                                                         \
        case 1:                                                                                                    \
            for (int x = 0; x < count; x++) result[x] = (SAMPLE)((sums[x] + half) >> shift);                       \
            break;                                                                                                 \
        case 2:                                                                                                    \
            for (int x = 0; x < count; x++) result[x] = (SAMPLE)((sums[2 * x] + sums[2 * x + 1] + half) >> shift); \
            break;                                                                                                 \
        default:                                                                                                   \
            for (int x = 0; x < count; x++) {                                                                      \
                uint32_t sum = half;                                                                               \
                for (int i = 0; i < divisor; i++) sum += sums[x * divisor + i];                                    \
                result[x] = (SAMPLE)(sum >> shift);                                                                \
            }                                                                                                      \
        }                                                                                                          \
    }

MEANS(uint8_t, uint16_t)
MEANS(uint16_t, uint32_t)
SHRINK(shrink8, uint8_t, uint16_t)
SHRINK(shrink16, uint16_t, uint32_t)

void texel_plane_shrink(const texel_plane *from, bool is_deep, int divide_x, int divide_y, void *sums, void *to,
                        size_t to_bytes_per_row) {
    if (is_deep)
        shrink16(from, divide_x, divide_y, sums, to, to_bytes_per_row);
    else
        shrink8(from, divide_x, divide_y, sums, to, to_bytes_per_row);
}

// MARK: Pixels

static const void *row_of(const texel_plane *plane, int row) {
    return (const uint8_t *)plane->samples + (size_t)row * plane->bytes_per_row;
}

/// Interpolates between rows: 3/4 of the nearer row and 1/4 of the other one, times 4. Samples have up to 12 bits.
#define BLEND(SAMPLE)                                                                                        \
    static void blend_##SAMPLE(const SAMPLE *near, const SAMPLE *far, int count, uint16_t *sums) {           \
        for (int x = 0; x < count; x++) sums[x] = (uint16_t)(3 * near[x] + far[x]);                          \
    }
BLEND(uint8_t)
BLEND(uint16_t)

/// Interpolates between columns in the same way.
static void stretch(const uint16_t *sums, int count, int width, uint16_t *chroma) {
    for (int x = 0; x < count - 1; x++) {
        // The two pixels between the centres of samples x and x + 1.
        chroma[2 * x + 1] = (uint16_t)(3 * sums[x] + sums[x + 1]);
        chroma[2 * x + 2] = (uint16_t)(sums[x] + 3 * sums[x + 1]);
    }
    chroma[0] = (uint16_t)(4 * sums[0]);
    // With an odd width, the last sample is that of one pixel.
    if ((width & 1) == 0) chroma[width - 1] = (uint16_t)(4 * sums[count - 1]);
}

/// Writes a row of a chroma component at the resolution of luma, times 16.
static void chroma_row(const texel_planar_image *image, int component, int row, int width, uint16_t *sums,
                       uint16_t *chroma) {
    const texel_plane *plane = &image->planes[component];
    int near = row >> image->chroma_shift_y;
    int far = near;
    if (image->chroma_shift_y) {
        far = near + ((row & 1) != 0 ? 1 : -1);
        if (far < 0) far = 0;
        if (far > plane->height - 1) far = plane->height - 1;
    }
    if (image->is_deep)
        blend_uint16_t(row_of(plane, near), row_of(plane, far), plane->width, sums);
    else
        blend_uint8_t(row_of(plane, near), row_of(plane, far), plane->width, sums);
    if (image->chroma_shift_x) {
        stretch(sums, plane->width, width, chroma);
    } else {
        for (int x = 0; x < width; x++) chroma[x] = (uint16_t)(4 * sums[x]);
    }
}

static inline uint32_t level(float value) {
    value = value < 0 ? 0 : value > 255 ? 255 : value;
    return (uint32_t)(int32_t)(value + 0.5f);
}

#define GRAY(SAMPLE)                                                                                       \
    static void gray_##SAMPLE(const SAMPLE *luma, int width, texel_plane_colors c, uint32_t *pixels) {     \
        for (int x = 0; x < width; x++)                                                                    \
            pixels[x] = 0xFF000000u | level(((float)luma[x] - c.black) * c.luma) * 0x010101u;              \
    }
GRAY(uint8_t)
GRAY(uint16_t)

#define COLORS(SAMPLE)                                                                                       \
    static void colors_##SAMPLE(const SAMPLE *luma, const uint16_t *u, const uint16_t *v, int width,         \
                                texel_plane_colors c, uint32_t *pixels) {                                    \
        float middle = 16 * c.middle;                                                                        \
        float red_v = c.red_v / 16, green_u = c.green_u / 16, green_v = c.green_v / 16;                      \
        float blue_u = c.blue_u / 16;                                                                        \
        for (int x = 0; x < width; x++) {                                                                    \
            float y = ((float)luma[x] - c.black) * c.luma, b = (float)u[x] - middle, r = (float)v[x] - middle; \
            uint32_t red = level(y + red_v * r), green = level(y + green_u * b + green_v * r);               \
            pixels[x] = 0xFF000000u | red << 16 | green << 8 | level(y + blue_u * b);                        \
        }                                                                                                    \
    }                                                                                                        \
    static void identity_##SAMPLE(const SAMPLE *g, const uint16_t *b, const uint16_t *r, int width,          \
                                  texel_plane_colors c, uint32_t *pixels) {                                  \
        float black = 16 * c.black, factor = c.luma / 16;                                                    \
        for (int x = 0; x < width; x++) {                                                                    \
            uint32_t green = level(((float)g[x] - c.black) * c.luma);                                        \
            uint32_t red = level(((float)r[x] - black) * factor), blue = level(((float)b[x] - black) * factor); \
            pixels[x] = 0xFF000000u | red << 16 | green << 8 | blue;                                         \
        }                                                                                                    \
    }
COLORS(uint8_t)
COLORS(uint16_t)

/// Sets alpha, rounded to 8 bits.
static void set_alpha(const texel_planar_image *image, int row, uint32_t *pixels) {
    const void *samples = row_of(&image->alpha, row);
    int width = image->alpha.width;
    if (!image->alpha_is_deep) {
        const uint8_t *alpha = samples;
        for (int x = 0; x < width; x++) pixels[x] = (pixels[x] & 0xFFFFFFu) | (uint32_t)alpha[x] << 24;
        return;
    }
    const uint16_t *alpha = samples;
    uint32_t largest = (1u << image->alpha_depth) - 1;
    for (int x = 0; x < width; x++) {
        uint32_t value = alpha[x] < largest ? alpha[x] : largest;
        pixels[x] = (pixels[x] & 0xFFFFFFu) | ((value * 255 + largest / 2) / largest) << 24;
    }
}

void texel_planar_row_to_bgra(const texel_planar_image *image, int row, uint16_t *chroma, uint8_t *pixels) {
    const void *luma = row_of(&image->planes[0], row);
    int width = image->planes[0].width;
    uint32_t *result = (uint32_t *)(void *)pixels;
    texel_plane_colors c = image->colors;
    if (!image->planes[1].samples) {
        if (image->is_deep)
            gray_uint16_t(luma, width, c, result);
        else
            gray_uint8_t(luma, width, c, result);
    } else {
        uint16_t *u = chroma, *v = chroma + width, *sums = chroma + 2 * width;
        chroma_row(image, 1, row, width, sums, u);
        chroma_row(image, 2, row, width, sums, v);
        if (c.is_identity) {
            if (image->is_deep)
                identity_uint16_t(luma, u, v, width, c, result);
            else
                identity_uint8_t(luma, u, v, width, c, result);
        } else if (image->is_deep) {
            colors_uint16_t(luma, u, v, width, c, result);
        } else {
            colors_uint8_t(luma, u, v, width, c, result);
        }
    }
    if (image->alpha.samples) set_alpha(image, row, result);
}
