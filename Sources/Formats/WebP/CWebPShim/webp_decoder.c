#ifdef TEXEL_WEBP

#include <stdlib.h>

#include "webp_library.h"
#include "webp_shim.h"

struct texel_webp_decoder {
    WebPDecoderConfig config;
    WebPIDecoder *decoder;
    bool has_planes;
};

/// Returns a decoder whose output is still to be set.
static texel_webp_decoder *create(bool uses_threads) {
    texel_webp_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    if (!webp.WebPInitDecoderConfigInternal(&decoder->config, WEBP_DECODER_ABI_VERSION)) {
        free(decoder);
        return NULL;
    }
    decoder->config.options.use_threads = uses_threads;
    decoder->config.output.is_external_memory = 1;
    return decoder;
}

static texel_webp_decoder *started(texel_webp_decoder *decoder) {
    decoder->decoder = webp.WebPIDecode(NULL, 0, &decoder->config);
    if (decoder->decoder) return decoder;
    free(decoder);
    return NULL;
}

texel_webp_decoder *texel_webp_decoder_create(uint8_t *rows, size_t bytes_per_row, int width, int height,
                                              bool is_scaled, bool uses_threads) {
    texel_webp_decoder *decoder = create(uses_threads);
    if (!decoder) return NULL;
    decoder->config.options.use_scaling = is_scaled;
    decoder->config.options.scaled_width = width;
    decoder->config.options.scaled_height = height;
    decoder->config.output.colorspace = MODE_BGRA;
    decoder->config.output.u.RGBA.rgba = rows;
    decoder->config.output.u.RGBA.stride = (int)bytes_per_row;
    decoder->config.output.u.RGBA.size = bytes_per_row * (size_t)height;
    return started(decoder);
}

texel_webp_decoder *texel_webp_decoder_create_planes(uint8_t *const planes[3], const size_t bytes_per_row[2],
    int height,
                                                     bool uses_threads) {
    texel_webp_decoder *decoder = create(uses_threads);
    if (!decoder) return NULL;
    decoder->has_planes = true;
    decoder->config.output.colorspace = MODE_YUV;
    WebPYUVABuffer *output = &decoder->config.output.u.YUVA;
    size_t chroma_height = ((size_t)height + 1) / 2;
    output->y = planes[0];
    output->u = planes[1];
    output->v = planes[2];
    output->y_stride = (int)bytes_per_row[0];
    output->u_stride = output->v_stride = (int)bytes_per_row[1];
    output->y_size = bytes_per_row[0] * (size_t)height;
    output->u_size = output->v_size = bytes_per_row[1] * chroma_height;
    return started(decoder);
}

void texel_webp_decoder_destroy(texel_webp_decoder *decoder) {
    if (!decoder) return;
    webp.WebPIDelete(decoder->decoder);
    free(decoder);
}

texel_webp_progress texel_webp_decoder_update(texel_webp_decoder *decoder, const uint8_t *bytes, size_t count,
                                              int *rows_done) {
    VP8StatusCode status = webp.WebPIUpdate(decoder->decoder, bytes, count);
    int last = 0;
    if (decoder->has_planes) {
        webp.WebPIDecGetYUVA(decoder->decoder, &last, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    } else {
        webp.WebPIDecGetRGB(decoder->decoder, &last, NULL, NULL, NULL);
    }
    *rows_done = last;
    switch (status) {
    case VP8_STATUS_OK: return TEXEL_WEBP_COMPLETE;
    case VP8_STATUS_SUSPENDED:
    case VP8_STATUS_NOT_ENOUGH_DATA: return TEXEL_WEBP_NEEDS_BYTES;
    case VP8_STATUS_OUT_OF_MEMORY: return TEXEL_WEBP_OUT_OF_MEMORY;
    default: return TEXEL_WEBP_DAMAGED;
    }
}

#endif
