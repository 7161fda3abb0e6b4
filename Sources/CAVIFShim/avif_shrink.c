#ifdef TEXEL_AVIF

#include <stdlib.h>

#include "avif_results.h"
#include "avif_decoder.h"

/// Samples of a plane and the divisors of its sides.
typedef struct {
    const uint8_t *samples;
    size_t bytes_per_row;
    int width, height; ///< in samples
    int divide_x, divide_y;
} plane;

// Sums of up to 8 × 8 samples; the mean of fewer at the right and the bottom edge. The column sums of a row of blocks
// are computed first, over whole rows, which compilers vectorise.
#define SHRINK(NAME, SAMPLE)                                                                                         \
    static void NAME(const plane *from, uint32_t *sums, uint8_t *to, size_t to_bytes_per_row) {                      \
        int width = (from->width + from->divide_x - 1) / from->divide_x;                                             \
        int height = (from->height + from->divide_y - 1) / from->divide_y;                                           \
        int whole = from->width / from->divide_x;                                                                    \
        for (int y = 0; y < height; y++) {                                                                           \
            int first = y * from->divide_y;                                                                          \
            int rows = from->height - first < from->divide_y ? from->height - first : from->divide_y;                \
            const SAMPLE *row = (const SAMPLE *)(const void *)(from->samples + (size_t)first * from->bytes_per_row); \
            for (int x = 0; x < from->width; x++) sums[x] = row[x];                                                  \
            for (int i = 1; i < rows; i++) {                                                                         \
                row = (const SAMPLE *)(const void *)((const uint8_t *)row + from->bytes_per_row);                    \
                for (int x = 0; x < from->width; x++) sums[x] += row[x];                                             \
            }                                                                                                        \
            SAMPLE *result = (SAMPLE *)(void *)(to + (size_t)y * to_bytes_per_row);                                  \
            uint32_t count = (uint32_t)(rows * from->divide_x);                                                      \
            means_##SAMPLE(sums, whole, from->divide_x, count, result);                                              \
            if (whole < width) {                                                                                     \
                int left = from->width - whole * from->divide_x;                                                     \
                uint32_t sum = 0;                                                                                    \
                for (int i = 0; i < left; i++) sum += sums[whole * from->divide_x + i];                              \
                count = (uint32_t)(rows * left);                                                                     \
                result[whole] = (SAMPLE)((sum + count / 2) / count);                                                 \
            }                                                                                                        \
        }                                                                                                            \
    }

// `count` is a power of two except in the last row of blocks.
#define MEANS(SAMPLE)                                                                                             \
    static void means_##SAMPLE(const uint32_t *sums, int count, int divisor, uint32_t samples, SAMPLE *result) {  \
        if ((samples & (samples - 1)) != 0) {                                                                     \
            for (int x = 0; x < count; x++) {                                                                     \
                uint32_t sum = samples / 2;                                                                       \
                for (int i = 0; i < divisor; i++) sum += sums[x * divisor + i];                                   \
                result[x] = (SAMPLE)(sum / samples);                                                              \
            }                                                                                                     \
            return;                                                                                               \
        }                                                                                                         \
        int shift = __builtin_ctz(samples);                                                                       \
        uint32_t half = samples / 2;                                                                              \
        switch (divisor) {                                                                                        \
        case 1:                                                                                                   \
            for (int x = 0; x < count; x++) result[x] = (SAMPLE)((sums[x] + half) >> shift);                      \
            break;                                                                                                \
        case 2:                                                                                                   \
            for (int x = 0; x < count; x++) result[x] = (SAMPLE)((sums[2 * x] + sums[2 * x + 1] + half) >> shift); \
            break;                                                                                                \
        default:                                                                                                  \
            for (int x = 0; x < count; x++) {                                                                     \
                uint32_t sum = half;                                                                              \
                for (int i = 0; i < divisor; i++) sum += sums[x * divisor + i];                                   \
                result[x] = (SAMPLE)(sum >> shift);                                                               \
            }                                                                                                     \
        }                                                                                                         \
    }

MEANS(uint8_t)
MEANS(uint16_t)
SHRINK(shrink8, uint8_t)
SHRINK(shrink16, uint16_t)

texel_avif_status texel_avif_decoder_shrink(texel_avif_decoder *decoder, int divisor, texel_avif_frame *frame) {
    const avifImage *image = decoder->decoder->image;
    avifPixelFormatInfo format;
    avif.avifGetPixelFormatInfo(image->yuvFormat, &format);
    texel_avif_frame whole;
    texel_avif_describe(image, &whole);
    bool has_chroma = whole.has_chroma;
    // Chroma is divided until it has the resolution of luma, or not at all.
    int chroma_x = divisor >> format.chromaShiftX, chroma_y = divisor >> format.chromaShiftY;
    uint32_t width = (image->width + (uint32_t)divisor - 1) / (uint32_t)divisor;
    uint32_t height = (image->height + (uint32_t)divisor - 1) / (uint32_t)divisor;
    avifImage *shrunk = avif.avifImageCreate(width, height, image->depth,
                                             has_chroma ? AVIF_PIXEL_FORMAT_YUV444 : AVIF_PIXEL_FORMAT_YUV400);
    uint32_t *sums = malloc(sizeof *sums * image->width);
    if (!shrunk || !sums) {
        if (shrunk) avif.avifImageDestroy(shrunk);
        free(sums);
        return TEXEL_AVIF_OUT_OF_MEMORY;
    }
    shrunk->yuvRange = image->yuvRange;
    shrunk->colorPrimaries = image->colorPrimaries;
    shrunk->transferCharacteristics = image->transferCharacteristics;
    shrunk->matrixCoefficients = image->matrixCoefficients;
    (void)avif.avifImageAllocatePlanes(shrunk, AVIF_PLANES_YUV);
    for (int i = 0; i < (has_chroma ? 3 : 1); i++) {
        if (!shrunk->yuvPlanes[i]) {
            avif.avifImageDestroy(shrunk);
            free(sums);
            return TEXEL_AVIF_OUT_OF_MEMORY;
        }
        bool is_chroma = i > 0;
        plane from = {
            .samples = image->yuvPlanes[i],
            .bytes_per_row = image->yuvRowBytes[i],
            .width = (int)(is_chroma ? (image->width + format.chromaShiftX) >> format.chromaShiftX : image->width),
            .height = (int)(is_chroma ? (image->height + format.chromaShiftY) >> format.chromaShiftY : image->height),
            .divide_x = is_chroma ? chroma_x : divisor,
            .divide_y = is_chroma ? chroma_y : divisor,
        };
        if (image->depth > 8)
            shrink16(&from, sums, shrunk->yuvPlanes[i], shrunk->yuvRowBytes[i]);
        else
            shrink8(&from, sums, shrunk->yuvPlanes[i], shrunk->yuvRowBytes[i]);
    }
    free(sums);
    if (decoder->shrunk) avif.avifImageDestroy(decoder->shrunk);
    decoder->shrunk = shrunk;
    // Rows that are not complete stay out.
    int rows = frame->rows == whole.height ? (int)height : frame->rows / divisor;
    texel_avif_describe(shrunk, frame);
    frame->rows = rows;
    return TEXEL_AVIF_OK;
}

#endif
