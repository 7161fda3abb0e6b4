#ifdef TEXEL_HEIC

#include <stdio.h>
#include <stdlib.h>

#include "heic_library.h"
#include "heic_shim.h"

struct texel_heic_image {
    de265_decoder_context *decoder;
    const struct de265_image *picture; ///< belongs to the decoder
};

static texel_heic_status failed(de265_error error, char *message) {
    snprintf(message, TEXEL_CODEC_MESSAGE_SIZE, "%.190s", hevc.de265_get_error_text(error));
    switch (error) {
    case DE265_ERROR_NOT_IMPLEMENTED_YET: return TEXEL_HEIC_UNSUPPORTED;
    case DE265_ERROR_OUT_OF_MEMORY: return TEXEL_HEIC_OUT_OF_MEMORY;
    default: return TEXEL_HEIC_FAILED;
    }
}

/// Gives the decoder all units, of which each has its length in four bytes before it.
static texel_heic_status push(de265_decoder_context *decoder, const uint8_t *units, size_t count, char *message) {
    size_t position = 0;
    while (count - position >= 4) {
        const uint8_t *number = units + position;
        uint32_t length =
            (uint32_t)number[0] << 24 | (uint32_t)number[1] << 16 | (uint32_t)number[2] << 8 | (uint32_t)number[3];
        position += 4;
        if (length > count - position || length > INT32_MAX) return TEXEL_HEIC_FAILED;
        de265_error error = hevc.de265_push_NAL(decoder, units + position, (int)length, 0, NULL);
        if (error != DE265_OK) return failed(error, message);
        position += length;
    }
    de265_error error = hevc.de265_flush_data(decoder);
    return error == DE265_OK ? TEXEL_HEIC_OK : failed(error, message);
}

static texel_heic_status decode(texel_heic_image *image, const uint8_t *units, size_t count, bool is_strict,
                                char *message) {
    texel_heic_status status = push(image->decoder, units, count, message);
    if (status != TEXEL_HEIC_OK) return status;
    for (int more = 1; more && !image->picture;) {
        more = 0;
        de265_error error = hevc.de265_decode(image->decoder, &more);
        if (error != DE265_OK) return failed(error, message);
        if (is_strict) {
            de265_error warning = hevc.de265_get_warning(image->decoder);
            if (warning != DE265_OK) return failed(warning, message);
        }
        image->picture = hevc.de265_get_next_picture(image->decoder);
    }
    return image->picture ? TEXEL_HEIC_OK : TEXEL_HEIC_FAILED;
}

texel_heic_status texel_heic_decode(const uint8_t *units, size_t count, bool is_strict, texel_heic_image **image,
                                    char message[TEXEL_CODEC_MESSAGE_SIZE]) {
    texel_heic_image *result = calloc(1, sizeof *result);
    if (!result) return TEXEL_HEIC_OUT_OF_MEMORY;
    result->decoder = hevc.de265_new_decoder();
    texel_heic_status status =
        result->decoder ? decode(result, units, count, is_strict, message) : TEXEL_HEIC_OUT_OF_MEMORY;
    if (status != TEXEL_HEIC_OK) {
        texel_heic_image_free(result);
        return status;
    }
    *image = result;
    return TEXEL_HEIC_OK;
}

void texel_heic_image_free(texel_heic_image *image) {
    if (!image) return;
    if (image->decoder) hevc.de265_free_decoder(image->decoder);
    free(image);
}

int texel_heic_chroma_format(const texel_heic_image *image) {
    return (int)hevc.de265_get_chroma_format(image->picture);
}

int texel_heic_depth(const texel_heic_image *image) { return hevc.de265_get_bits_per_pixel(image->picture, 0); }

void texel_heic_size(const texel_heic_image *image, int *width, int *height) {
    *width = hevc.de265_get_image_width(image->picture, 0);
    *height = hevc.de265_get_image_height(image->picture, 0);
}

texel_plane texel_heic_plane(const texel_heic_image *image, int plane) {
    texel_plane result = {0};
    if (plane > 0 && texel_heic_chroma_format(image) == 0) return result;
    int stride = 0;
    const uint8_t *samples = hevc.de265_get_image_plane(image->picture, plane, &stride);
    if (!samples || stride <= 0 || hevc.de265_get_bits_per_pixel(image->picture, plane) != texel_heic_depth(image))
        return result;
    result.samples = samples;
    result.bytes_per_row = (size_t)stride;
    result.width = hevc.de265_get_image_width(image->picture, plane);
    result.height = hevc.de265_get_image_height(image->picture, plane);
    return result;
}

#endif
