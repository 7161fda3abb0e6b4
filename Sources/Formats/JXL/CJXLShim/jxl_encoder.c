#ifdef TEXEL_JXL

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jxl_library.h"

struct texel_jxl_encoder {
    JxlEncoder *encoder;
    JxlEncoderFrameSettings *settings;
    void *threads; ///< NULL for one thread
    texel_jxl_config config;
    bool has_frame;
    texel_jxl_output output;
    size_t capacity;
};

static const char *const no_memory = "out of memory";

static void say(char *message, const char *text) { snprintf(message, TEXEL_CODEC_MESSAGE_SIZE, "%s", text); }

static const char *error_text(JxlEncoder *encoder) {
    switch (jxl.JxlEncoderGetError(encoder)) {
    case JXL_ENC_ERR_OOM: return no_memory;
    case JXL_ENC_ERR_JBRD: return "the JPEG cannot be represented";
    case JXL_ENC_ERR_BAD_INPUT: return "libjxl refuses the input or its colour profile";
    case JXL_ENC_ERR_NOT_SUPPORTED: return "libjxl does not support it";
    default: return "libjxl cannot encode it";
    }
}

static texel_codec_status failed(JxlEncoder *encoder, char *message) {
    const char *text = error_text(encoder);
    say(message, text);
    return text == no_memory ? TEXEL_CODEC_OUT_OF_MEMORY : TEXEL_CODEC_FAILED;
}

/// Creates the library's encoder, with threads if there are several.
static bool create(size_t threads, JxlEncoder **encoder, void **runner) {
    *runner = NULL;
    *encoder = jxl.JxlEncoderCreate(NULL);
    if (!*encoder || threads < 2) return *encoder;
    // The caller's thread waits while these work.
    *runner = jxl_threads.JxlThreadParallelRunnerCreate(NULL, threads);
    if (*runner && jxl.JxlEncoderSetParallelRunner(*encoder, jxl_threads.JxlThreadParallelRunner, *runner) ==
                       JXL_ENC_SUCCESS)
        return true;
    if (*runner) jxl_threads.JxlThreadParallelRunnerDestroy(*runner);
    *runner = NULL;
    return true;
}

static void destroy(JxlEncoder *encoder, void *runner) {
    if (encoder) jxl.JxlEncoderDestroy(encoder);
    if (runner) jxl_threads.JxlThreadParallelRunnerDestroy(runner);
}

/// Appends all that the encoder has to the output.
static texel_codec_status process(JxlEncoder *encoder, texel_jxl_output *output, size_t *capacity, char *message) {
    while (true) {
        const size_t room = 1 << 16;
        uint8_t *place = texel_jxl_grow(output, capacity, room, SIZE_MAX / 4);
        if (!place) {
            say(message, no_memory);
            return TEXEL_CODEC_OUT_OF_MEMORY;
        }
        size_t available = room;
        JxlEncoderStatus status = jxl.JxlEncoderProcessOutput(encoder, &place, &available);
        output->count += room - available;
        if (status == JXL_ENC_SUCCESS) return TEXEL_CODEC_OK;
        if (status != JXL_ENC_NEED_MORE_OUTPUT) return failed(encoder, message);
    }
}

static bool set_colors(JxlEncoder *encoder, const texel_jxl_config *config) {
    if (config->profile)
        return jxl.JxlEncoderSetICCProfile(encoder, config->profile, config->profile_count) == JXL_ENC_SUCCESS;
    JxlColorEncoding colors;
    jxl.JxlColorEncodingSetToSRGB(&colors, config->is_gray);
    colors.white_point = config->primaries == 11 ? JXL_WHITE_POINT_DCI : JXL_WHITE_POINT_D65;
    switch (config->primaries) {
    case 9: colors.primaries = JXL_PRIMARIES_2100; break;
    case 11:
    case 12: colors.primaries = JXL_PRIMARIES_P3; break;
    default: colors.primaries = JXL_PRIMARIES_SRGB; break;
    }
    // The library's numbers are those of ITU-T H.273.
    colors.transfer_function = (JxlTransferFunction)config->transfer;
    return jxl.JxlEncoderSetColorEncoding(encoder, &colors) == JXL_ENC_SUCCESS;
}

static bool set_up(texel_jxl_encoder *encoder) {
    const texel_jxl_config *config = &encoder->config;
    JxlBasicInfo info;
    jxl.JxlEncoderInitBasicInfo(&info);
    info.xsize = config->width;
    info.ysize = config->height;
    info.bits_per_sample = 8;
    info.num_color_channels = config->is_gray ? 1 : 3;
    info.orientation = (JxlOrientation)config->orientation;
    info.uses_original_profile = config->is_lossless;
    if (config->has_alpha) {
        info.num_extra_channels = 1;
        info.alpha_bits = 8;
    }
    if (config->ticks_per_second > 0) {
        info.have_animation = JXL_TRUE;
        info.animation.tps_numerator = config->ticks_per_second;
        info.animation.tps_denominator = 1;
        info.animation.num_loops = config->play_count;
    }
    if (jxl.JxlEncoderSetBasicInfo(encoder->encoder, &info) != JXL_ENC_SUCCESS) return false;
    if (!set_colors(encoder->encoder, config)) return false;
    encoder->settings = jxl.JxlEncoderFrameSettingsCreate(encoder->encoder, NULL);
    if (!encoder->settings) return false;
    if (jxl.JxlEncoderFrameSettingsSetOption(encoder->settings, JXL_ENC_FRAME_SETTING_EFFORT, config->effort) !=
        JXL_ENC_SUCCESS)
        return false;
    if (config->is_lossless) return jxl.JxlEncoderSetFrameLossless(encoder->settings, JXL_TRUE) == JXL_ENC_SUCCESS;
    // Below a certain quality the library would halve the resolution, so that the quality would not rise steadily.
    return jxl.JxlEncoderFrameSettingsSetOption(encoder->settings, JXL_ENC_FRAME_SETTING_RESAMPLING, 1) ==
               JXL_ENC_SUCCESS &&
           jxl.JxlEncoderSetFrameDistance(encoder->settings, config->distance) == JXL_ENC_SUCCESS;
}

texel_jxl_encoder *texel_jxl_encoder_create(const texel_jxl_config *config, char message[TEXEL_CODEC_MESSAGE_SIZE]) {
    texel_jxl_encoder *encoder = calloc(1, sizeof *encoder);
    if (!encoder || !create(config->threads, &encoder->encoder, &encoder->threads)) {
        say(message, no_memory);
        free(encoder);
        return NULL;
    }
    encoder->config = *config;
    bool succeeds = set_up(encoder);
    // The profile is the caller's, and has been copied.
    encoder->config.profile = NULL;
    if (succeeds) return encoder;
    failed(encoder->encoder, message);
    texel_jxl_encoder_destroy(encoder);
    return NULL;
}

void texel_jxl_encoder_destroy(texel_jxl_encoder *encoder) {
    if (!encoder) return;
    destroy(encoder->encoder, encoder->threads);
    texel_jxl_free(&encoder->output);
    free(encoder);
}

/// Copies pixels as the samples that the file has; NULL if memory runs out.
static uint8_t *samples(const texel_jxl_config *config, const texel_jxl_frame *frame, size_t channels) {
    uint8_t *copy = malloc((size_t)frame->width * frame->height * channels);
    if (!copy) return NULL;
    uint8_t *to = copy;
    for (size_t y = 0; y < frame->height; y++) {
        const uint8_t *from = frame->pixels + y * frame->bytes_per_row;
        for (size_t x = 0; x < frame->width; x++, from += 4) {
            *to++ = from[2];
            if (!config->is_gray) {
                *to++ = from[1];
                *to++ = from[0];
            }
            if (config->has_alpha) *to++ = from[3];
        }
    }
    return copy;
}

/// The header of a frame of an animation: its pixels replace a part of the frame before it.
static bool set_header(texel_jxl_encoder *encoder, const texel_jxl_frame *frame) {
    JxlFrameHeader header;
    jxl.JxlEncoderInitFrameHeader(&header);
    header.duration = frame->duration;
    header.is_last = frame->is_last;
    // The frames before are kept in this place.
    const uint32_t place = 1;
    header.layer_info.save_as_reference = frame->is_last ? 0 : place;
    header.layer_info.blend_info.blendmode = JXL_BLEND_REPLACE;
    bool is_part = encoder->has_frame &&
                   (frame->width != encoder->config.width || frame->height != encoder->config.height);
    if (is_part) {
        header.layer_info.have_crop = JXL_TRUE;
        header.layer_info.crop_x0 = (int32_t)frame->x;
        header.layer_info.crop_y0 = (int32_t)frame->y;
        header.layer_info.xsize = frame->width;
        header.layer_info.ysize = frame->height;
        header.layer_info.blend_info.source = place;
    }
    if (jxl.JxlEncoderSetFrameHeader(encoder->settings, &header) != JXL_ENC_SUCCESS) return false;
    if (!encoder->config.has_alpha) return true;
    return jxl.JxlEncoderSetExtraChannelBlendInfo(encoder->settings, 0, &header.layer_info.blend_info) ==
           JXL_ENC_SUCCESS;
}

texel_codec_status texel_jxl_encoder_add(texel_jxl_encoder *encoder, const texel_jxl_frame *frame,
                                         char message[TEXEL_CODEC_MESSAGE_SIZE]) {
    const texel_jxl_config *config = &encoder->config;
    if (config->ticks_per_second > 0 && !set_header(encoder, frame)) return failed(encoder->encoder, message);
    size_t channels = (config->is_gray ? 1 : 3) + (config->has_alpha ? 1 : 0);
    uint8_t *copy = samples(config, frame, channels);
    if (!copy) {
        say(message, no_memory);
        return TEXEL_CODEC_OUT_OF_MEMORY;
    }
    const JxlPixelFormat format = {(uint32_t)channels, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
    size_t count = (size_t)frame->width * frame->height * channels;
    JxlEncoderStatus status = jxl.JxlEncoderAddImageFrame(encoder->settings, &format, copy, count);
    // The library has converted the samples to its own.
    free(copy);
    if (status != JXL_ENC_SUCCESS) return failed(encoder->encoder, message);
    encoder->has_frame = true;
    if (frame->is_last) jxl.JxlEncoderCloseInput(encoder->encoder);
    return process(encoder->encoder, &encoder->output, &encoder->capacity, message);
}

void texel_jxl_encoder_take(texel_jxl_encoder *encoder, texel_jxl_output *output) {
    *output = encoder->output;
    encoder->output = (texel_jxl_output){NULL, 0};
    encoder->capacity = 0;
}

bool texel_jxl_is_gray(const uint8_t *pixels, size_t bytes_per_row, uint32_t width, uint32_t height) {
    for (size_t y = 0; y < height; y++) {
        const uint8_t *pixel = pixels + y * bytes_per_row;
        unsigned difference = 0;
        for (size_t x = 0; x < width; x++, pixel += 4)
            difference |= (unsigned)(pixel[0] ^ pixel[1]) | (unsigned)(pixel[1] ^ pixel[2]);
        if (difference) return false;
    }
    return true;
}

// MARK: JPEG

texel_codec_status texel_jxl_store_jpeg(const uint8_t *jpeg, size_t count, int effort, size_t threads,
                                        texel_jxl_output *output, char message[TEXEL_CODEC_MESSAGE_SIZE]) {
    JxlEncoder *encoder;
    void *runner;
    if (!create(threads, &encoder, &runner)) {
        say(message, no_memory);
        return TEXEL_CODEC_OUT_OF_MEMORY;
    }
    texel_codec_status status = TEXEL_CODEC_FAILED;
    size_t capacity = 0;
    JxlEncoderFrameSettings *settings = jxl.JxlEncoderFrameSettingsCreate(encoder, NULL);
    if (settings && jxl.JxlEncoderUseContainer(encoder, JXL_TRUE) == JXL_ENC_SUCCESS &&
        jxl.JxlEncoderStoreJPEGMetadata(encoder, JXL_TRUE) == JXL_ENC_SUCCESS &&
        jxl.JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_EFFORT, effort) == JXL_ENC_SUCCESS &&
        jxl.JxlEncoderAddJPEGFrame(settings, jpeg, count) == JXL_ENC_SUCCESS) {
        jxl.JxlEncoderCloseInput(encoder);
        status = process(encoder, output, &capacity, message);
    } else {
        status = failed(encoder, message);
    }
    destroy(encoder, runner);
    if (status != TEXEL_CODEC_OK) texel_jxl_free(output);
    return status;
}

#endif
