#ifdef TEXEL_AVIF

#include <stdlib.h>

#include "avif_results.h"
#include "avif_decoder.h"
#include "codec_planes.h"

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
        texel_plane from = {
            .samples = image->yuvPlanes[i],
            .bytes_per_row = image->yuvRowBytes[i],
            .width = (int)(is_chroma ? (image->width + format.chromaShiftX) >> format.chromaShiftX : image->width),
            .height = (int)(is_chroma ? (image->height + format.chromaShiftY) >> format.chromaShiftY : image->height),
        };
        texel_plane_shrink(&from, image->depth > 8, is_chroma ? chroma_x : divisor, is_chroma ? chroma_y : divisor, sums,
                           shrunk->yuvPlanes[i], shrunk->yuvRowBytes[i]);
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
