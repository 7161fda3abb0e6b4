#ifdef TEXEL_AVIF

#include <stdlib.h>
#include <string.h>

#include "avif_results.h"

struct texel_avif_encoder {
    avifEncoder *encoder;
    avifImage *image;
    bool is_animation;
};

static avifPixelFormat format_of(texel_avif_sampling sampling) {
    switch (sampling) {
    case TEXEL_AVIF_444: return AVIF_PIXEL_FORMAT_YUV444;
    case TEXEL_AVIF_422: return AVIF_PIXEL_FORMAT_YUV422;
    case TEXEL_AVIF_420: return AVIF_PIXEL_FORMAT_YUV420;
    default: return AVIF_PIXEL_FORMAT_YUV400;
    }
}

/// Sets the properties of the image; returns false if memory runs out.
static bool fill(avifImage *image, const texel_avif_encoder_settings *settings, texel_avif_block profile,
                 texel_avif_block exif, texel_avif_block xmp) {
    image->yuvRange = AVIF_RANGE_FULL;
    image->colorPrimaries = (avifColorPrimaries)settings->primaries;
    image->transferCharacteristics = (avifTransferCharacteristics)settings->transfer;
    image->matrixCoefficients = (avifMatrixCoefficients)settings->matrix;
    (void)avif.avifImageAllocatePlanes(image, settings->has_alpha ? AVIF_PLANES_ALL : AVIF_PLANES_YUV);
    if (!image->yuvPlanes[0] || (settings->has_alpha && !image->alphaPlane) ||
        (settings->sampling != TEXEL_AVIF_400 && (!image->yuvPlanes[1] || !image->yuvPlanes[2])))
        return false;
    // These return nothing before version 1.
    if (profile.bytes) (void)avif.avifImageSetProfileICC(image, profile.bytes, profile.count);
    if (exif.bytes) (void)avif.avifImageSetMetadataExif(image, exif.bytes, exif.count);
    if (xmp.bytes) (void)avif.avifImageSetMetadataXMP(image, xmp.bytes, xmp.count);
    if ((profile.bytes && image->icc.size != profile.count) || (exif.bytes && image->exif.size != exif.count) ||
        (xmp.bytes && image->xmp.size != xmp.count))
        return false;
    // libavif may have taken an orientation from EXIF.
    image->transformFlags = AVIF_TRANSFORM_NONE;
    if (settings->turns != 0) {
        image->transformFlags |= AVIF_TRANSFORM_IROT;
        image->irot.angle = (uint8_t)settings->turns;
    }
    if (settings->mirror >= 0) {
        image->transformFlags |= AVIF_TRANSFORM_IMIR;
#if AVIF_VERSION_MAJOR >= 1
        image->imir.axis = (uint8_t)settings->mirror;
#else
        image->imir.mode = (uint8_t)settings->mirror;
#endif
    }
    return true;
}

texel_avif_encoder *texel_avif_encoder_create(const texel_avif_encoder_settings *settings, texel_avif_block profile,
                                              texel_avif_block exif, texel_avif_block xmp) {
    texel_avif_encoder *encoder = calloc(1, sizeof *encoder);
    if (!encoder) return NULL;
    encoder->is_animation = settings->ticks_per_second > 0;
    encoder->encoder = avif.avifEncoderCreate();
    encoder->image =
        avif.avifImageCreate((uint32_t)settings->width, (uint32_t)settings->height, 8, format_of(settings->sampling));
    if (!encoder->encoder || !encoder->image || !fill(encoder->image, settings, profile, exif, xmp)) {
        texel_avif_encoder_destroy(encoder);
        return NULL;
    }
    avifEncoder *e = encoder->encoder;
    e->codecChoice = AVIF_CODEC_CHOICE_AOM;
    e->maxThreads = settings->threads;
    e->speed = settings->speed;
    e->minQuantizer = e->maxQuantizer = settings->quantizer;
    e->minQuantizerAlpha = e->maxQuantizerAlpha = settings->alpha_quantizer;
    if (encoder->is_animation) e->timescale = settings->ticks_per_second;
    // Alpha is exact or measured by its error; only colours are tuned for the eye.
    if (settings->tuning) (void)avif.avifEncoderSetCodecSpecificOption(e, "color:tune", settings->tuning);
    return encoder;
}

void texel_avif_encoder_destroy(texel_avif_encoder *encoder) {
    if (!encoder) return;
    if (encoder->image) avif.avifImageDestroy(encoder->image);
    if (encoder->encoder) avif.avifEncoderDestroy(encoder->encoder);
    free(encoder);
}

uint8_t *texel_avif_encoder_plane(texel_avif_encoder *encoder, int plane, size_t *bytes_per_row) {
    avifImage *image = encoder->image;
    *bytes_per_row = plane == 3 ? image->alphaRowBytes : image->yuvRowBytes[plane];
    return plane == 3 ? image->alphaPlane : image->yuvPlanes[plane];
}

void texel_avif_encoder_set_alpha(texel_avif_encoder *encoder, int row, const uint8_t *pixels) {
    avifImage *image = encoder->image;
    uint8_t *alpha = image->alphaPlane + (size_t)row * image->alphaRowBytes;
    for (uint32_t x = 0; x < image->width; x++) alpha[x] = pixels[4 * x + 3];
}

void texel_avif_encoder_set_identity(texel_avif_encoder *encoder, int row, const uint8_t *pixels) {
    avifImage *image = encoder->image;
    uint8_t *green = image->yuvPlanes[0] + (size_t)row * image->yuvRowBytes[0];
    uint8_t *blue = image->yuvPlanes[1] + (size_t)row * image->yuvRowBytes[1];
    uint8_t *red = image->yuvPlanes[2] + (size_t)row * image->yuvRowBytes[2];
    for (uint32_t x = 0; x < image->width; x++) {
        blue[x] = pixels[4 * x];
        green[x] = pixels[4 * x + 1];
        red[x] = pixels[4 * x + 2];
    }
}

void texel_avif_encoder_set_gray(texel_avif_encoder *encoder, int row, const uint8_t *pixels) {
    avifImage *image = encoder->image;
    uint8_t *luma = image->yuvPlanes[0] + (size_t)row * image->yuvRowBytes[0];
    for (uint32_t x = 0; x < image->width; x++) luma[x] = pixels[4 * x];
}

texel_avif_status texel_avif_encoder_add(texel_avif_encoder *encoder, uint64_t ticks,
                                         char message[TEXEL_CODEC_MESSAGE_SIZE]) {
    avifResult result =
        avif.avifEncoderAddImage(encoder->encoder, encoder->image, ticks,
                                 encoder->is_animation ? AVIF_ADD_IMAGE_FLAG_NONE : AVIF_ADD_IMAGE_FLAG_SINGLE);
    if (result == AVIF_RESULT_OK) return TEXEL_AVIF_OK;
    texel_avif_message(result, &encoder->encoder->diag, message);
    return texel_avif_status_of(result);
}

texel_avif_status texel_avif_encoder_finish(texel_avif_encoder *encoder, texel_avif_output *output,
                                            char message[TEXEL_CODEC_MESSAGE_SIZE]) {
    avifRWData data = AVIF_DATA_EMPTY;
    avifResult result = avif.avifEncoderFinish(encoder->encoder, &data);
    output->bytes = data.data;
    output->count = data.size;
    if (result == AVIF_RESULT_OK) return TEXEL_AVIF_OK;
    texel_avif_output_free(output);
    texel_avif_message(result, &encoder->encoder->diag, message);
    return texel_avif_status_of(result);
}

void texel_avif_output_free(texel_avif_output *output) {
    avifRWData data = {output->bytes, output->count};
    avif.avifRWDataFree(&data);
    output->bytes = NULL;
    output->count = 0;
}

#endif
