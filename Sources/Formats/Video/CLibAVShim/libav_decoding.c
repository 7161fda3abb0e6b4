#ifdef TEXEL_VIDEO

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libav_video.h"

/// A decoder that reports errors without end is not asked for ever.
enum { ERROR_LIMIT = 1000 };

// MARK: Starting

/// Gives a decoder memory for a frame, unless the frame exceeds the limit. Called on the decoder's threads.
static int get_buffer(AVCodecContext *decoder, AVFrame *frame, int flags) {
    texel_video *video = decoder->opaque;
    if ((int64_t)frame->width * frame->height > video->pixel_limit) {
        atomic_store(&video->large_height, frame->height);
        atomic_store(&video->large_width, frame->width);
        return AVERROR(EINVAL);
    }
    return av.avcodec_default_get_buffer2(decoder, frame, flags);
}

/// Tells older versions that `get_buffer` may be called on any thread; they would call it on the opener's otherwise.
static void allow_buffers_on_all_threads(AVCodecContext *decoder) {
#if FF_API_THREAD_SAFE_CALLBACKS
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
    decoder->thread_safe_callbacks = 1;
#pragma clang diagnostic pop
#else
    (void)decoder;
#endif
}

/// Whether a track of VP8 or VP9 has alpha, in data beside its packets.
static bool has_separate_alpha(const AVStream *stream) {
    enum AVCodecID codec = stream->codecpar->codec_id;
    if (codec != AV_CODEC_ID_VP8 && codec != AV_CODEC_ID_VP9) return false;
    const AVDictionaryEntry *mode = av.av_dict_get(stream->metadata, "alpha_mode", NULL, 0);
    return mode && !strcmp(mode->value, "1");
}

/// Returns the decoder. FFmpeg's own ones of VP8 and VP9 ignore alpha; libvpx does not.
static const AVCodec *find_decoder(texel_video *video) {
    enum AVCodecID codec = video->stream->codecpar->codec_id;
    if (has_separate_alpha(video->stream)) {
        const char *name = codec == AV_CODEC_ID_VP8 ? "libvpx" : "libvpx-vp9";
        const AVCodec *found = av.avcodec_find_decoder_by_name(name);
        video->has_alpha = found;
        video->loses_alpha = !found;
        if (found) return found;
    }
    return av.avcodec_find_decoder(codec);
}

texel_video_status texel_video_start(texel_video *video, texel_video_failure *failure) {
    const AVCodecParameters *parameters = video->stream->codecpar;
    const AVCodec *codec = find_decoder(video);
    if (!codec) {
        snprintf(failure->message, sizeof failure->message, "video of the codec %s",
                 av.avcodec_get_name(parameters->codec_id));
        return TEXEL_VIDEO_UNSUPPORTED;
    }
    AVCodecContext *decoder = video->decoder = av.avcodec_alloc_context3(codec);
    if (!decoder) return TEXEL_VIDEO_OUT_OF_MEMORY;
    int code = av.avcodec_parameters_to_context(decoder, parameters);
    if (code < 0) return texel_video_failed(video, code, failure);
    decoder->pkt_timebase = video->stream->time_base;
    decoder->opaque = video;
    // Decoders with memory of their own only know this limit; they report a larger frame as damage.
    if (codec->capabilities & AV_CODEC_CAP_DR1) {
        decoder->get_buffer2 = get_buffer;
        allow_buffers_on_all_threads(decoder);
    } else {
        decoder->max_pixels = video->pixel_limit;
    }
    decoder->thread_count = video->threads;
    code = av.avcodec_open2(decoder, codec, NULL);
    if (code < 0) return texel_video_failed(video, code, failure);
    video->start = video->input->start_time == AV_NOPTS_VALUE
        ? 0
        : av.av_rescale_q(video->input->start_time, (AVRational){1, AV_TIME_BASE}, video->stream->time_base);
    video->expected = video->last_tick = video->last_packet = AV_NOPTS_VALUE;
    video->target = video->sought = AV_NOPTS_VALUE;
    return TEXEL_VIDEO_OK;
}

// MARK: Decoding

/// Gives the decoder the next packet, or the end of the input. Returns `AVERROR_EXIT` if interrupted.
static int feed(texel_video *video) {
    if (!video->has_packet) {
        int code = texel_read_packet(video);
        if (code == AVERROR_EXIT) return code;
        if (code < 0) {
            // Damage that ends the reading is the end of the video.
            bool is_damage = code == AVERROR_INVALIDDATA || code == AVERROR(EIO) || code == AVERROR_EOF;
            video->read_error = video->io && code != AVERROR(ENOMEM) ? video->failed_read : is_damage ? 0 : code;
            video->is_draining = true;
            texel_note_end(video, code);
            av.avcodec_send_packet(video->decoder, NULL);
            return 0;
        }
        texel_note_packet(video);
        video->has_packet = true;
    }
    // Frames before the wanted one that no other frame needs are not decoded.
    int64_t tick = video->packet->pts;
    bool is_early = video->target != AV_NOPTS_VALUE && texel_is_usable(tick) && tick - video->start < video->target;
    video->decoder->skip_frame = is_early ? AVDISCARD_NONREF : AVDISCARD_DEFAULT;
    int code = av.avcodec_send_packet(video->decoder, video->packet);
    // Then the decoder has frames or errors to give first.
    if (code == AVERROR(EAGAIN) && video->error_count < ERROR_LIMIT) return 0;
    video->error_count = 0;
    av.av_packet_unref(video->packet);
    video->has_packet = false;
    if (code < 0) texel_count_lost(video, code);
    return code == AVERROR(ENOMEM) ? code : 0;
}

/// Returns the tick of the decoded frame, from the start of the input.
static int64_t tick_of(const texel_video *video) {
    int64_t tick = video->decoded->best_effort_timestamp;
    if (texel_is_usable(tick)) return tick - video->start;
    return video->last_tick == AV_NOPTS_VALUE ? 0 : video->last_tick + texel_ticks_per_frame(video);
}

static texel_video_fields fields_of(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    bool is_interlaced = frame->flags & AV_FRAME_FLAG_INTERLACED;
    bool is_top_first = frame->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST;
#else
    bool is_interlaced = frame->interlaced_frame, is_top_first = frame->top_field_first;
#endif
    if (!is_interlaced) return TEXEL_FIELDS_PROGRESSIVE;
    return is_top_first ? TEXEL_FIELDS_TOP_FIRST : TEXEL_FIELDS_BOTTOM_FIRST;
}

static int64_t duration_of(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    int64_t duration = frame->duration;
#else
    int64_t duration = frame->pkt_duration;
#endif
    return duration > 0 && texel_is_usable(duration) ? duration : 0;
}

/// Describes the decoded frame before its samples are converted.
static texel_video_picture picture_of(const texel_video *video) {
    const AVFrame *frame = video->decoded;
    const AVFrameSideData *side = av.av_frame_get_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX);
    bool has_matrix = side && side->size >= 9 * sizeof(int32_t);
    return (texel_video_picture){
        .colors = texel_colors_of(video, frame),
        .aspect = texel_aspect_of(video, frame),
        .orientation = has_matrix ? texel_orientation_of((const int32_t *)(const void *)side->data)
                                  : texel_video_describe(video).orientation,
        .fields = fields_of(frame),
        .is_damaged = frame->flags & AV_FRAME_FLAG_CORRUPT || frame->decode_error_flags,
        .tick = tick_of(video),
        .duration = duration_of(frame),
    };
}

/// Whether colours need more than 8 bits: those of high dynamic range and of wide gamuts, which are converted later.
static bool keeps_light(texel_video_colors colors) {
    return colors.transfer == AVCOL_TRC_SMPTE2084 || colors.transfer == AVCOL_TRC_ARIB_STD_B67 ||
        colors.primaries == AVCOL_PRI_BT2020 || colors.primaries == AVCOL_PRI_SMPTE431 ||
        colors.primaries == AVCOL_PRI_SMPTE432;
}

static int take_frame(texel_video *video, texel_video_picture picture, texel_video_frame **frame) {
    texel_video_frame *result = calloc(1, sizeof *result);
    AVFrame *made = av.av_frame_alloc();
    if (!result || !made) {
        free(result);
        if (made) av.av_frame_free(&made);
        return AVERROR(ENOMEM);
    }
    result->frame = made;
    int code = texel_conversion_run(&video->conversion, video->decoded, made, keeps_light(picture.colors), &picture);
    result->picture = picture;
    av.av_frame_unref(video->decoded);
    if (code < 0) {
        texel_video_frame_free(result);
        return code;
    }
    *frame = result;
    return 0;
}

static texel_video_status too_large(texel_video *video, texel_video_failure *failure) {
    failure->width = atomic_load(&video->large_width);
    failure->height = atomic_load(&video->large_height);
    return TEXEL_VIDEO_TOO_LARGE;
}

/// Takes note of a decoded frame. Returns whether it is wanted; otherwise it is before the wanted one, or the input was
/// moved further back because the frame is after it and others may lie between.
static bool is_wanted(texel_video *video, const texel_video_picture *picture) {
    bool is_first = video->last_tick == AV_NOPTS_VALUE;
    video->last_tick = picture->tick;
    if (video->target == AV_NOPTS_VALUE) return true;
    if (picture->tick < video->target) return false;
    if (is_first && picture->tick > video->target && texel_jump_further_back(video)) return false;
    video->target = video->sought = AV_NOPTS_VALUE;
    return true;
}

texel_video_status texel_video_next(texel_video *video, texel_video_frame **frame, texel_video_failure *failure) {
    for (;;) {
        int code = av.avcodec_receive_frame(video->decoder, video->decoded);
        if (code == 0) {
            video->error_count = 0;
            texel_video_picture picture = picture_of(video);
            video->has_frame = true;
            if (!is_wanted(video, &picture)) {
                av.av_frame_unref(video->decoded);
                continue;
            }
            if (picture.is_damaged) video->faults.damaged_frames++;
            code = take_frame(video, picture, frame);
            return code < 0 ? texel_video_failed(video, code, failure) : TEXEL_VIDEO_OK;
        }
        if (code == AVERROR(ENOMEM)) return TEXEL_VIDEO_OUT_OF_MEMORY;
        if (atomic_load(&video->large_width)) return too_large(video, failure);
        bool needs_input = code == AVERROR(EAGAIN);
        bool is_error = !needs_input && code != AVERROR_EOF;
        if (is_error) {
            texel_count_lost(video, code);
            video->error_count++;
        }
        if (video->is_draining) {
            if (is_error && video->error_count < ERROR_LIMIT) continue;
            // From a place without a key frame nothing can be decoded.
            if (video->last_tick == AV_NOPTS_VALUE && texel_jump_further_back(video)) continue;
            if (video->read_error) return texel_video_failed(video, video->read_error, failure);
            if (!video->has_frame && video->decoding_error)
                return texel_video_failed(video, video->decoding_error, failure);
            return TEXEL_VIDEO_END;
        }
        code = feed(video);
        if (atomic_load(&video->large_width)) return too_large(video, failure);
        if (code < 0) return texel_video_failed(video, code, failure);
    }
}

// MARK: Frames

void texel_video_frame_free(texel_video_frame *frame) {
    if (!frame) return;
    av.av_frame_free(&frame->frame);
    free(frame);
}

texel_video_picture texel_video_frame_picture(const texel_video_frame *frame) { return frame->picture; }

#endif
