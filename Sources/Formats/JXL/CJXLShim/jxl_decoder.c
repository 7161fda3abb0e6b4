#ifdef TEXEL_JXL

#include <stdlib.h>
#include <string.h>

#include "jxl_library.h"

struct texel_jxl_decoder {
    JxlDecoder *decoder;
    JxlBasicInfo info;
    bool has_info;
    uint32_t duration;
    const uint8_t *end; ///< of the bytes that the library has
    uint8_t *left;      ///< bytes that the library did not use: at most some of a signature
    size_t left_count;
    uint8_t *joined; ///< the bytes that the library has, if they began with `left`
    void *runner;    ///< of the library's threads
};

// From version 0.9 on, functions about profiles have no parameter for the format.
#if JPEGXL_MAJOR_VERSION == 0 && JPEGXL_MINOR_VERSION < 9
#define UNUSED_FORMAT &rgba,
#else
#define UNUSED_FORMAT
#endif

// Red, green, blue, alpha: alpha is 255 for an image without it.
static const JxlPixelFormat rgba = {4, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};

texel_jxl_decoder *texel_jxl_decoder_create(texel_jxl_purpose purpose, size_t threads) {
    texel_jxl_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    decoder->decoder = jxl.JxlDecoderCreate(NULL);
    int events = JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING;
    if (purpose != TEXEL_JXL_READ_HEADER) events |= JXL_DEC_FRAME;
    if (purpose == TEXEL_JXL_READ_PIXELS) events |= JXL_DEC_FULL_IMAGE;
    if (decoder->decoder && jxl.JxlDecoderSubscribeEvents(decoder->decoder, events) == JXL_DEC_SUCCESS &&
        jxl.JxlDecoderSetKeepOrientation(decoder->decoder, JXL_TRUE) == JXL_DEC_SUCCESS &&
        jxl.JxlDecoderSetUnpremultiplyAlpha(decoder->decoder, JXL_TRUE) == JXL_DEC_SUCCESS) {
        // Without threads the library is only slower.
        if (threads > 1) decoder->runner = jxl_threads.JxlThreadParallelRunnerCreate(NULL, threads);
        if (decoder->runner)
            jxl.JxlDecoderSetParallelRunner(decoder->decoder, jxl_threads.JxlThreadParallelRunner, decoder->runner);
        return decoder;
    }
    texel_jxl_decoder_destroy(decoder);
    return NULL;
}

void texel_jxl_decoder_destroy(texel_jxl_decoder *decoder) {
    if (!decoder) return;
    if (decoder->decoder) jxl.JxlDecoderDestroy(decoder->decoder);
    if (decoder->runner) jxl_threads.JxlThreadParallelRunnerDestroy(decoder->runner);
    free(decoder->left);
    free(decoder->joined);
    free(decoder);
}

bool texel_jxl_decoder_feed(texel_jxl_decoder *decoder, const uint8_t *bytes, size_t count) {
    free(decoder->joined);
    decoder->joined = NULL;
    if (decoder->left_count > 0) {
        size_t left_count = decoder->left_count;
        decoder->joined = malloc(left_count + count);
        if (!decoder->joined) return false;
        memcpy(decoder->joined, decoder->left, left_count);
        if (count > 0) memcpy(decoder->joined + left_count, bytes, count);
        decoder->left_count = 0;
        bytes = decoder->joined;
        count += left_count;
    }
    decoder->end = bytes + count;
    return jxl.JxlDecoderSetInput(decoder->decoder, bytes, count) == JXL_DEC_SUCCESS;
}

/// Takes the input from the library, and keeps the bytes that it did not use.
static bool release(texel_jxl_decoder *decoder) {
    size_t count = jxl.JxlDecoderReleaseInput(decoder->decoder);
    if (count == 0) return true;
    uint8_t *left = malloc(count);
    if (!left) return false;
    memcpy(left, decoder->end - count, count);
    free(decoder->left);
    decoder->left = left;
    decoder->left_count = count;
    return true;
}

texel_jxl_event texel_jxl_decoder_next(texel_jxl_decoder *decoder) {
    while (true) {
        switch (jxl.JxlDecoderProcessInput(decoder->decoder)) {
        case JXL_DEC_SUCCESS: return TEXEL_JXL_END;
        case JXL_DEC_NEED_MORE_INPUT: return release(decoder) ? TEXEL_JXL_NEEDS_BYTES : TEXEL_JXL_OUT_OF_MEMORY;
        case JXL_DEC_BASIC_INFO:
            if (jxl.JxlDecoderGetBasicInfo(decoder->decoder, &decoder->info) != JXL_DEC_SUCCESS)
                return TEXEL_JXL_DAMAGED;
            decoder->has_info = true;
            break;
        case JXL_DEC_COLOR_ENCODING: return decoder->has_info ? TEXEL_JXL_HEADER : TEXEL_JXL_DAMAGED;
        case JXL_DEC_FRAME: {
            JxlFrameHeader header;
            if (jxl.JxlDecoderGetFrameHeader(decoder->decoder, &header) != JXL_DEC_SUCCESS) return TEXEL_JXL_DAMAGED;
            decoder->duration = header.duration;
            return TEXEL_JXL_FRAME;
        }
        case JXL_DEC_NEED_IMAGE_OUT_BUFFER: return TEXEL_JXL_NEEDS_OUTPUT;
        case JXL_DEC_FULL_IMAGE: return TEXEL_JXL_IMAGE;
        default: return TEXEL_JXL_DAMAGED;
        }
    }
}

bool texel_jxl_decoder_set_colors(texel_jxl_decoder *decoder, texel_jxl_colors colors) {
    JxlColorEncoding encoding;
    if (colors == TEXEL_JXL_OWN_COLORS) {
        if (jxl.JxlDecoderGetColorAsEncodedProfile(decoder->decoder, UNUSED_FORMAT JXL_COLOR_PROFILE_TARGET_ORIGINAL,
                                                   &encoding) != JXL_DEC_SUCCESS)
            return false;
    } else {
        jxl.JxlColorEncodingSetToSRGB(&encoding, decoder->info.num_color_channels == 1);
        if (colors == TEXEL_JXL_DISPLAY_P3) encoding.primaries = JXL_PRIMARIES_P3;
    }
    return jxl.JxlDecoderSetPreferredColorProfile(decoder->decoder, &encoding) == JXL_DEC_SUCCESS;
}

texel_codec_status texel_jxl_decoder_profile(texel_jxl_decoder *decoder, bool is_original, size_t limit,
                                             texel_jxl_output *output) {
    JxlColorProfileTarget target = is_original ? JXL_COLOR_PROFILE_TARGET_ORIGINAL : JXL_COLOR_PROFILE_TARGET_DATA;
    size_t count = 0;
    if (jxl.JxlDecoderGetICCProfileSize(decoder->decoder, UNUSED_FORMAT target, &count) != JXL_DEC_SUCCESS
        || count == 0)
        return TEXEL_CODEC_FAILED;
    if (count > limit) return TEXEL_CODEC_MEMORY_LIMIT;
    output->bytes = malloc(count);
    if (!output->bytes) return TEXEL_CODEC_OUT_OF_MEMORY;
    output->count = count;
    if (jxl.JxlDecoderGetColorAsICCProfile(decoder->decoder, UNUSED_FORMAT target, output->bytes, count)
        == JXL_DEC_SUCCESS)
        return TEXEL_CODEC_OK;
    texel_jxl_free(output);
    return TEXEL_CODEC_FAILED;
}

void texel_jxl_decoder_size(const texel_jxl_decoder *decoder, uint32_t *width, uint32_t *height) {
    *width = decoder->info.xsize;
    *height = decoder->info.ysize;
}

uint32_t texel_jxl_decoder_duration(const texel_jxl_decoder *decoder) { return decoder->duration; }

void texel_jxl_decoder_skip(texel_jxl_decoder *decoder, size_t count) {
    jxl.JxlDecoderSkipFrames(decoder->decoder, count);
}

bool texel_jxl_decoder_set_rows(texel_jxl_decoder *decoder, uint8_t *rows, size_t byte_count) {
    // With a callback for pixels the library would keep the whole image in floating point.
    return jxl.JxlDecoderSetImageOutBuffer(decoder->decoder, &rgba, rows, byte_count) == JXL_DEC_SUCCESS;
}

bool texel_jxl_decoder_flush(texel_jxl_decoder *decoder) {
    return jxl.JxlDecoderFlushImage(decoder->decoder) == JXL_DEC_SUCCESS;
}

// MARK: Boxes

texel_codec_status texel_jxl_inflate_box(const uint8_t *box, size_t count, size_t limit, texel_jxl_output *output) {
    static const uint8_t beginning[] = {0, 0, 0, 12, 'J', 'X', 'L', ' ', 13, 10, 0x87, 10, 0,   0,   0,   20,
                                        'f', 't', 'y', 'p', 'j', 'x', 'l', ' ', 0, 0, 0, 0, 'j', 'x', 'l', ' '};
    uint8_t *file = malloc(sizeof beginning + count);
    JxlDecoder *decoder = jxl.JxlDecoderCreate(NULL);
    texel_codec_status status = TEXEL_CODEC_OUT_OF_MEMORY;
    size_t capacity = 0, room = 0;
    if (!file || !decoder) goto end;
    memcpy(file, beginning, sizeof beginning);
    memcpy(file + sizeof beginning, box, count);
    status = TEXEL_CODEC_FAILED;
    if (jxl.JxlDecoderSubscribeEvents(decoder, JXL_DEC_BOX) != JXL_DEC_SUCCESS ||
        jxl.JxlDecoderSetDecompressBoxes(decoder, JXL_TRUE) != JXL_DEC_SUCCESS ||
        jxl.JxlDecoderSetInput(decoder, file, sizeof beginning + count) != JXL_DEC_SUCCESS)
        goto end;
    bool is_inside = false;
    while (true) {
        JxlDecoderStatus event = jxl.JxlDecoderProcessInput(decoder);
        bool needs_room = false;
        if (event == JXL_DEC_BOX) {
            JxlBoxType type;
            if (is_inside) break;
            if (jxl.JxlDecoderGetBoxType(decoder, type, JXL_FALSE) != JXL_DEC_SUCCESS) goto end;
            if (memcmp(type, "brob", 4) != 0) continue;
            is_inside = needs_room = true;
        } else if (event == JXL_DEC_BOX_NEED_MORE_OUTPUT && is_inside) {
            output->count += room - jxl.JxlDecoderReleaseBoxBuffer(decoder);
            needs_room = true;
        } else {
            // At its end libjxl demands the bytes of a codestream.
            break;
        }
        if (needs_room) {
            room = limit > output->count ? limit - output->count : 0;
            if (room > 1 << 16) room = 1 << 16;
            uint8_t *place = room > 0 ? texel_jxl_grow(output, &capacity, room, limit) : NULL;
            if (!place) {
                status = room > 0 ? TEXEL_CODEC_OUT_OF_MEMORY : TEXEL_CODEC_MEMORY_LIMIT;
                goto end;
            }
            if (jxl.JxlDecoderSetBoxBuffer(decoder, place, room) != JXL_DEC_SUCCESS) goto end;
        }
    }
    if (is_inside) {
        output->count += room - jxl.JxlDecoderReleaseBoxBuffer(decoder);
        status = TEXEL_CODEC_OK;
    }
end:
    if (status != TEXEL_CODEC_OK) texel_jxl_free(output);
    if (decoder) jxl.JxlDecoderDestroy(decoder);
    free(file);
    return status;
}

// MARK: JPEG

texel_codec_status texel_jxl_restore_jpeg(const uint8_t *file, size_t count, size_t limit, texel_jxl_output *output) {
    JxlDecoder *decoder = jxl.JxlDecoderCreate(NULL);
    if (!decoder) return TEXEL_CODEC_OUT_OF_MEMORY;
    texel_codec_status status = TEXEL_CODEC_FAILED;
    // A JPEG is about a fifth larger than the file that stores it.
    size_t capacity = 0, room = 0, step = count < SIZE_MAX / 4 ? 2 * count + (1 << 16) : count;
    bool has_jpeg = false;
    if (jxl.JxlDecoderSubscribeEvents(decoder, JXL_DEC_JPEG_RECONSTRUCTION | JXL_DEC_FULL_IMAGE) != JXL_DEC_SUCCESS ||
        jxl.JxlDecoderSetInput(decoder, file, count) != JXL_DEC_SUCCESS)
        goto end;
    jxl.JxlDecoderCloseInput(decoder);
    while (true) {
        JxlDecoderStatus event = jxl.JxlDecoderProcessInput(decoder);
        if (event == JXL_DEC_FULL_IMAGE) {
            if (has_jpeg) {
                output->count += room - jxl.JxlDecoderReleaseJPEGBuffer(decoder);
                status = TEXEL_CODEC_OK;
            }
            break;
        }
        if (event == JXL_DEC_JPEG_NEED_MORE_OUTPUT && has_jpeg) {
            size_t used = room - jxl.JxlDecoderReleaseJPEGBuffer(decoder);
            // The library writes only whole pieces; without room for one it would ask for ever.
            if (used == 0 && room == limit - output->count) {
                status = TEXEL_CODEC_MEMORY_LIMIT;
                break;
            }
            if (used == 0 && step < SIZE_MAX / 2) step *= 2;
            output->count += used;
        } else if (event == JXL_DEC_JPEG_RECONSTRUCTION && !has_jpeg) {
            has_jpeg = true;
        } else {
            break;
        }
        room = limit > output->count ? limit - output->count : 0;
        if (room > step) room = step;
        uint8_t *place = room > 0 ? texel_jxl_grow(output, &capacity, room, limit) : NULL;
        if (!place) {
            status = room > 0 ? TEXEL_CODEC_OUT_OF_MEMORY : TEXEL_CODEC_MEMORY_LIMIT;
            break;
        }
        if (jxl.JxlDecoderSetJPEGBuffer(decoder, place, room) != JXL_DEC_SUCCESS) break;
    }
end:
    if (status != TEXEL_CODEC_OK) texel_jxl_free(output);
    jxl.JxlDecoderDestroy(decoder);
    return status;
}

#endif
