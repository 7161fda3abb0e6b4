#ifdef TEXEL_WEBP

#include <stdlib.h>
#include <string.h>

#include "webp_library.h"
#include "webp_shim.h"

/// What libwebp's callbacks need.
typedef struct {
    texel_webp_go_on go_on;
    void *context;
    texel_webp_output *output;
    size_t capacity;
} run;

static int write_bytes(const uint8_t *bytes, size_t count, const WebPPicture *picture) {
    run *r = picture->custom_ptr;
    texel_webp_output *output = r->output;
    if (count > r->capacity - output->count) {
        size_t capacity = r->capacity * 2 > output->count + count ? r->capacity * 2 : output->count + count;
        uint8_t *larger = realloc(output->bytes, capacity);
        if (!larger) return 0;
        output->bytes = larger;
        r->capacity = capacity;
    }
    if (count > 0) memcpy(output->bytes + output->count, bytes, count);
    output->count += count;
    return 1;
}

static int report_progress(int percent, const WebPPicture *picture) {
    run *r = picture->user_data;
    return r->go_on(r->context, percent);
}

static bool fill(WebPConfig *config, const texel_webp_config *from) {
    if (!webp.WebPConfigInitInternal(config, WEBP_PRESET_DEFAULT, from->quality, WEBP_ENCODER_ABI_VERSION))
        return false;
    config->lossless = from->lossless;
    config->quality = from->quality;
    config->method = from->method;
    config->exact = from->exact;
    config->near_lossless = from->near_lossless;
    config->alpha_quality = from->alpha_quality;
    config->use_sharp_yuv = from->use_sharp_yuv;
    config->thread_level = from->use_threads;
    return true;
}

static texel_codec_status status_of(const WebPPicture *picture) {
    switch (picture->error_code) {
    case VP8_ENC_OK: return TEXEL_CODEC_OK;
    case VP8_ENC_ERROR_USER_ABORT: return TEXEL_CODEC_STOPPED;
    case VP8_ENC_ERROR_OUT_OF_MEMORY:
    case VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY:
    case VP8_ENC_ERROR_BAD_WRITE: return TEXEL_CODEC_OUT_OF_MEMORY;
    default: return TEXEL_CODEC_FAILED;
    }
}

/// Encodes a picture whose samples are set, and frees what libwebp has added to it.
static texel_codec_status encode(const texel_webp_config *config, WebPPicture *picture, texel_webp_go_on go_on,
                                 void *context, texel_webp_output *output, int *error) {
    WebPConfig settings;
    if (!fill(&settings, config)) return TEXEL_CODEC_FAILED;
    run r = {go_on, context, output, 0};
    picture->writer = write_bytes;
    picture->custom_ptr = &r;
    picture->progress_hook = report_progress;
    picture->user_data = &r;
    int succeeds = webp.WebPEncode(&settings, picture);
    texel_codec_status status = succeeds ? TEXEL_CODEC_OK : status_of(picture);
    *error = picture->error_code;
    webp.WebPPictureFree(picture);
    if (status != TEXEL_CODEC_OK) texel_webp_free(output);
    return status;
}

texel_codec_status texel_webp_encode(const texel_webp_config *config, uint32_t *pixels, size_t bytes_per_row, int width,
                                     int height, texel_webp_go_on go_on, void *context, texel_webp_output *output,
                                     int *error) {
    WebPPicture picture;
    if (!webp.WebPPictureInitInternal(&picture, WEBP_ENCODER_ABI_VERSION)) return TEXEL_CODEC_FAILED;
    picture.use_argb = 1;
    picture.width = width;
    picture.height = height;
    // The memory stays the caller's: libwebp frees only what it has allocated.
    picture.argb = pixels;
    picture.argb_stride = (int)(bytes_per_row / 4);
    return encode(config, &picture, go_on, context, output, error);
}

texel_codec_status texel_webp_encode_planes(const texel_webp_config *config, uint8_t *const planes[3],
                                            const size_t bytes_per_row[3], int width, int height,
                                            texel_webp_go_on go_on, void *context, texel_webp_output *output,
                                            int *error) {
    WebPPicture picture;
    if (!webp.WebPPictureInitInternal(&picture, WEBP_ENCODER_ABI_VERSION)) return TEXEL_CODEC_FAILED;
    picture.use_argb = 0;
    picture.width = width;
    picture.height = height;
    picture.y = planes[0];
    picture.u = planes[1];
    picture.v = planes[2];
    picture.y_stride = (int)bytes_per_row[0];
    picture.uv_stride = (int)bytes_per_row[1];
    return encode(config, &picture, go_on, context, output, error);
}

void texel_webp_free(texel_webp_output *output) {
    free(output->bytes);
    output->bytes = NULL;
    output->count = 0;
}

// MARK: Animations

struct texel_webp_animation {
    WebPAnimEncoder *encoder;
    int width, height;
    run run; ///< of the last frame, which libwebpmux may encode again when it makes the file
};

texel_webp_animation *texel_webp_animation_create(int width, int height, int loop_count, bool minimizes_size,
                                                  bool mixes_lossless) {
    WebPAnimEncoderOptions options;
    if (!webp_mux.WebPAnimEncoderOptionsInitInternal(&options, WEBP_MUX_ABI_VERSION)) return NULL;
    options.anim_params.loop_count = loop_count;
    options.minimize_size = minimizes_size;
    options.allow_mixed = mixes_lossless;
    texel_webp_animation *animation = calloc(1, sizeof *animation);
    if (!animation) return NULL;
    animation->width = width;
    animation->height = height;
    animation->encoder = webp_mux.WebPAnimEncoderNewInternal(width, height, &options, WEBP_MUX_ABI_VERSION);
    if (animation->encoder) return animation;
    free(animation);
    return NULL;
}

void texel_webp_animation_destroy(texel_webp_animation *animation) {
    if (!animation) return;
    webp_mux.WebPAnimEncoderDelete(animation->encoder);
    free(animation);
}

texel_codec_status texel_webp_animation_add(texel_webp_animation *animation, const texel_webp_config *config,
                                            uint32_t *pixels, size_t bytes_per_row, int start,
                                            texel_webp_go_on go_on, void *context) {
    WebPConfig settings;
    WebPPicture picture;
    if (!fill(&settings, config) || !webp.WebPPictureInitInternal(&picture, WEBP_ENCODER_ABI_VERSION))
        return TEXEL_CODEC_FAILED;
    animation->run = (run){go_on, context, NULL, 0};
    picture.use_argb = 1;
    picture.width = animation->width;
    picture.height = animation->height;
    picture.argb = pixels;
    picture.argb_stride = (int)(bytes_per_row / 4);
    picture.progress_hook = report_progress;
    picture.user_data = &animation->run;
    int succeeds = webp_mux.WebPAnimEncoderAdd(animation->encoder, &picture, start, &settings);
    texel_codec_status status = succeeds ? TEXEL_CODEC_OK : status_of(&picture);
    webp.WebPPictureFree(&picture);
    if (!succeeds && status == TEXEL_CODEC_OK) status = TEXEL_CODEC_FAILED;
    return status;
}

texel_codec_status texel_webp_animation_finish(texel_webp_animation *animation, int end, texel_webp_output *output) {
    WebPData data = {NULL, 0};
    if (!webp_mux.WebPAnimEncoderAdd(animation->encoder, NULL, end, NULL) ||
        !webp_mux.WebPAnimEncoderAssemble(animation->encoder, &data))
        return TEXEL_CODEC_FAILED;
    // WebPFree is free, in all versions of libwebp.
    output->bytes = (uint8_t *)data.bytes;
    output->count = data.size;
    return TEXEL_CODEC_OK;
}

const char *texel_webp_animation_error(texel_webp_animation *animation) {
    return webp_mux.WebPAnimEncoderGetError(animation->encoder);
}

#endif
