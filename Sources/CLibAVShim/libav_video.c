#ifdef TEXEL_LIBAV

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "libav_conversion.h"
#include "libav_library.h"
#include "libav_shim.h"

struct texel_video {
    AVFormatContext *input;
    AVStream *stream; ///< belongs to `input`
    AVCodecContext *decoder;
    AVPacket *packet;
    AVFrame *decoded;
    texel_conversion conversion;

    texel_video_question question;
    void *context;
    int64_t pixel_limit;

    bool has_packet;      ///< whether `packet` waits for the decoder
    bool is_draining;     ///< whether the decoder has been told the end of the input
    int error_count;      ///< errors since the latest frame or accepted packet
    int read_error;       ///< why reading ended; 0 at the end of the input
    int decoding_error;   ///< the latest
    bool has_frame;       ///< whether there was a frame
    int64_t start;        ///< of the input, in ticks
    int64_t jump;         ///< added to the ticks of packets, so that they do not jump
    int64_t expected;     ///< the tick of the next packet; AV_NOPTS_VALUE if unknown
    int64_t last_tick;    ///< of the latest frame
};

struct texel_video_frame {
    AVFrame *frame;
    int64_t tick;
};

/// A decoder that reports errors without end is not asked for ever.
enum { ERROR_LIMIT = 1000 };

/// Larger ticks are taken as damaged.
static const int64_t TICK_LIMIT = INT64_C(1) << 61;

static texel_video_status failed(int code, texel_video_failure *failure) {
    if (code == AVERROR_EXIT) return TEXEL_VIDEO_INTERRUPTED;
    if (code == AVERROR(ENOMEM)) return TEXEL_VIDEO_OUT_OF_MEMORY;
    // FFmpeg's own errors are far below those of the system.
    if (code > -4096) {
        failure->system_error = AVUNERROR(code);
        return TEXEL_VIDEO_SYSTEM;
    }
    av.av_strerror(code, failure->message, sizeof failure->message);
    return TEXEL_VIDEO_FAILED;
}

// MARK: Opening

static int ask(void *opaque) {
    texel_video *video = opaque;
    return video->question && video->question(video->context);
}

static texel_video_status open_input(texel_video *video, const char *address, texel_video_failure *failure) {
    video->input = av.avformat_alloc_context();
    video->packet = av.av_packet_alloc();
    video->decoded = av.av_frame_alloc();
    if (!video->input || !video->packet || !video->decoded) return TEXEL_VIDEO_OUT_OF_MEMORY;
    video->input->interrupt_callback = (AVIOInterruptCB){.callback = ask, .opaque = video};
    // Frees the context on failure.
    int code = av.avformat_open_input(&video->input, address, NULL, NULL);
    if (code < 0) return failed(code, failure);
    code = av.avformat_find_stream_info(video->input, NULL);
    if (code == AVERROR_EXIT || (code < 0 && video->input->nb_streams == 0)) return failed(code, failure);
    for (unsigned i = 0; i < video->input->nb_streams; i++) {
        AVStream *stream = video->input->streams[i];
        if (!video->stream && stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO)
            video->stream = stream;
        else
            stream->discard = AVDISCARD_ALL;
    }
    return video->stream ? TEXEL_VIDEO_OK : TEXEL_VIDEO_NO_VIDEO;
}

texel_video_status texel_video_open(const char *address, texel_video_question question, void *context,
                                    int64_t pixel_limit, texel_video **video, texel_video_failure *failure) {
    texel_video *result = calloc(1, sizeof *result);
    if (!result) return TEXEL_VIDEO_OUT_OF_MEMORY;
    result->question = question;
    result->context = context;
    result->pixel_limit = pixel_limit;
    texel_video_status status = open_input(result, address, failure);
    if (status != TEXEL_VIDEO_OK) {
        texel_video_close(result);
        return status;
    }
    *video = result;
    return TEXEL_VIDEO_OK;
}

void texel_video_close(texel_video *video) {
    if (!video) return;
    texel_conversion_clear(&video->conversion);
    if (video->decoder) av.avcodec_free_context(&video->decoder);
    if (video->decoded) av.av_frame_free(&video->decoded);
    if (video->packet) av.av_packet_free(&video->packet);
    if (video->input) av.avformat_close_input(&video->input);
    free(video);
}

// MARK: Describing

/// Returns the display matrix of a stream: a 3 × 3 matrix by rows, to be multiplied by (x, y, 1) from the left; NULL if
/// there is none.
static const int32_t *display_matrix(const AVStream *stream) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 30, 100)
    const AVPacketSideData *data = stream->codecpar->coded_side_data;
    int count = stream->codecpar->nb_coded_side_data;
#else
    const AVPacketSideData *data = stream->side_data;
    int count = stream->nb_side_data;
#endif
    for (int i = 0; i < count; i++)
        if (data[i].type == AV_PKT_DATA_DISPLAYMATRIX && data[i].size >= 9 * sizeof(int32_t))
            return (const int32_t *)(const void *)data[i].data;
    return NULL;
}

/// Returns the Exif orientation of a display matrix; 0 if it turns by an angle that is not, up to a degree, a multiple
/// of 90°.
static int orientation_of(const int32_t *matrix) {
    if (!matrix) return 1;
    double x_to_x = matrix[0], x_to_y = matrix[1], y_to_x = matrix[3], y_to_y = matrix[4];
    double degree = 0.0175; // its tangent
    if (fabs(x_to_y) <= degree * fabs(x_to_x) && fabs(y_to_x) <= degree * fabs(y_to_y)) {
        if (x_to_x < 0) return y_to_y < 0 ? 3 : 2;
        return y_to_y < 0 ? 4 : 1;
    }
    if (fabs(x_to_x) <= degree * fabs(x_to_y) && fabs(y_to_y) <= degree * fabs(y_to_x)) {
        if (x_to_y > 0) return y_to_x > 0 ? 5 : 6;
        return y_to_x > 0 ? 8 : 7;
    }
    return 0;
}

static texel_video_fraction fraction(AVRational value) {
    return (texel_video_fraction){.numerator = value.num, .denominator = value.den};
}

texel_video_description texel_video_describe(const texel_video *video) {
    const AVStream *stream = video->stream;
    const AVCodecParameters *parameters = stream->codecpar;
    int range = -1;
    if (parameters->color_range == AVCOL_RANGE_MPEG) range = 0;
    if (parameters->color_range == AVCOL_RANGE_JPEG) range = 1;
    return (texel_video_description){
        .width = parameters->width,
        .height = parameters->height,
        .pixel_format = av.av_get_pix_fmt_name(parameters->format),
        .matrix = av.av_color_space_name(parameters->color_space),
        .range = range,
        .average_rate = fraction(stream->avg_frame_rate),
        .base_rate = fraction(stream->r_frame_rate),
        .time_base = fraction(stream->time_base),
        .orientation = orientation_of(display_matrix(stream)),
    };
}

// MARK: Decoding

texel_video_status texel_video_start(texel_video *video, const texel_video_conversion *conversion,
                                     texel_video_failure *failure) {
    const AVCodecParameters *parameters = video->stream->codecpar;
    const AVCodec *codec = av.avcodec_find_decoder(parameters->codec_id);
    if (!codec) {
        snprintf(failure->message, sizeof failure->message, "video of the codec %s",
                 av.avcodec_get_name(parameters->codec_id));
        return TEXEL_VIDEO_UNSUPPORTED;
    }
    if (!texel_conversion_set(&video->conversion, conversion)) {
        snprintf(failure->message, sizeof failure->message, "the pixel format %s", conversion->pixel_format);
        return TEXEL_VIDEO_UNSUPPORTED;
    }
    AVCodecContext *decoder = video->decoder = av.avcodec_alloc_context3(codec);
    if (!decoder) return TEXEL_VIDEO_OUT_OF_MEMORY;
    int code = av.avcodec_parameters_to_context(decoder, parameters);
    if (code < 0) return failed(code, failure);
    decoder->pkt_timebase = video->stream->time_base;
    decoder->max_pixels = video->pixel_limit;
    decoder->thread_count = 0;
    code = av.avcodec_open2(decoder, codec, NULL);
    if (code < 0) return failed(code, failure);
    video->start = video->input->start_time == AV_NOPTS_VALUE
        ? 0
        : av.av_rescale_q(video->input->start_time, (AVRational){1, AV_TIME_BASE}, video->stream->time_base);
    video->expected = AV_NOPTS_VALUE;
    video->last_tick = AV_NOPTS_VALUE;
    return TEXEL_VIDEO_OK;
}

static int64_t ticks_per_frame(const texel_video *video) {
    AVRational rate = video->stream->avg_frame_rate;
    if (rate.num <= 0 || rate.den <= 0) return 1;
    int64_t ticks = av.av_rescale_q(1, (AVRational){rate.den, rate.num}, video->stream->time_base);
    return ticks > 0 ? ticks : 1;
}

/// Whether a tick is known and small enough to calculate with.
static bool is_usable(int64_t tick) { return tick > -TICK_LIMIT && tick < TICK_LIMIT; }

/// Closes gaps of more than ten seconds, and jumps back, in the times of formats that allow them.
static void remove_jump(texel_video *video, AVPacket *packet) {
    if (!(video->input->iformat->flags & AVFMT_TS_DISCONT) || !is_usable(packet->dts)) return;
    int64_t limit = av.av_rescale_q(10, (AVRational){1, 1}, video->stream->time_base);
    int64_t dts = packet->dts + video->jump;
    if (video->expected != AV_NOPTS_VALUE && (dts - video->expected > limit || video->expected - dts > limit)) {
        video->jump = video->expected - packet->dts;
        dts = video->expected;
    }
    if (is_usable(packet->pts)) packet->pts += video->jump;
    packet->dts = dts;
    int64_t duration = packet->duration > 0 && is_usable(packet->duration) ? packet->duration : ticks_per_frame(video);
    video->expected = is_usable(dts + duration) ? dts + duration : AV_NOPTS_VALUE;
}

/// Reads the next packet of the stream. Returns a negative error code of FFmpeg on failure and at the end.
static int read_packet(texel_video *video) {
    for (;;) {
        int code = av.av_read_frame(video->input, video->packet);
        if (code == AVERROR(EAGAIN)) {
            if (ask(video)) return AVERROR_EXIT;
            nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
        } else if (code < 0) {
            return code;
        } else if (video->packet->stream_index == video->stream->index) {
            remove_jump(video, video->packet);
            return 0;
        } else {
            av.av_packet_unref(video->packet);
        }
    }
}

/// Gives the decoder the next packet, or the end of the input. Returns `AVERROR_EXIT` if interrupted.
static int feed(texel_video *video) {
    if (!video->has_packet) {
        int code = read_packet(video);
        if (code == AVERROR_EXIT) return code;
        if (code < 0) {
            // Damage that ends the reading is the end of the video, as it is for the program ffmpeg.
            video->read_error = code == AVERROR_EOF || code == AVERROR_INVALIDDATA ? 0 : code;
            video->is_draining = true;
            av.avcodec_send_packet(video->decoder, NULL);
            return 0;
        }
        video->has_packet = true;
    }
    int code = av.avcodec_send_packet(video->decoder, video->packet);
    // Then the decoder has frames or errors to give first.
    if (code == AVERROR(EAGAIN) && video->error_count < ERROR_LIMIT) return 0;
    video->error_count = 0;
    av.av_packet_unref(video->packet);
    video->has_packet = false;
    if (code < 0) video->decoding_error = code;
    return code == AVERROR(ENOMEM) ? code : 0;
}

/// Returns the tick of the decoded frame, later than that of the one before.
static int64_t next_tick(texel_video *video) {
    int64_t tick = video->decoded->best_effort_timestamp;
    bool is_first = video->last_tick == AV_NOPTS_VALUE;
    if (is_usable(tick))
        tick -= video->start;
    else
        tick = is_first ? 0 : video->last_tick + ticks_per_frame(video);
    return is_first || tick > video->last_tick ? tick : video->last_tick + 1;
}

static int take_frame(texel_video *video, texel_video_frame **frame) {
    texel_video_frame *result = calloc(1, sizeof *result);
    AVFrame *made = av.av_frame_alloc();
    if (!result || !made) {
        free(result);
        if (made) av.av_frame_free(&made);
        return AVERROR(ENOMEM);
    }
    result->frame = made;
    result->tick = next_tick(video);
    int code = texel_conversion_run(&video->conversion, video->decoded, made);
    av.av_frame_unref(video->decoded);
    if (code < 0) {
        texel_video_frame_free(result);
        return code;
    }
    video->last_tick = result->tick;
    video->has_frame = true;
    *frame = result;
    return 0;
}

texel_video_status texel_video_next(texel_video *video, texel_video_frame **frame, texel_video_failure *failure) {
    for (;;) {
        int code = av.avcodec_receive_frame(video->decoder, video->decoded);
        if (code == 0) {
            video->error_count = 0;
            code = take_frame(video, frame);
            return code < 0 ? failed(code, failure) : TEXEL_VIDEO_OK;
        }
        if (code == AVERROR(ENOMEM)) return TEXEL_VIDEO_OUT_OF_MEMORY;
        bool needs_input = code == AVERROR(EAGAIN);
        bool is_error = !needs_input && code != AVERROR_EOF;
        if (is_error) {
            video->decoding_error = code;
            video->error_count++;
        }
        if (video->is_draining) {
            if (is_error && video->error_count < ERROR_LIMIT) continue;
            if (video->read_error) return failed(video->read_error, failure);
            if (!video->has_frame && video->decoding_error) return failed(video->decoding_error, failure);
            return TEXEL_VIDEO_END;
        }
        code = feed(video);
        if (code < 0) return failed(code, failure);
    }
}

// MARK: Frames

void texel_video_frame_free(texel_video_frame *frame) {
    if (!frame) return;
    av.av_frame_free(&frame->frame);
    free(frame);
}

int64_t texel_video_frame_tick(const texel_video_frame *frame) { return frame->tick; }

void texel_video_frame_size(const texel_video_frame *frame, int *width, int *height) {
    *width = frame->frame->width;
    *height = frame->frame->height;
}

texel_plane texel_video_frame_plane(const texel_video_frame *video_frame, int plane) {
    const AVFrame *frame = video_frame->frame;
    texel_plane result = {0};
    if (plane >= av.av_pix_fmt_count_planes(frame->format)) return result;
    const AVPixFmtDescriptor *format = av.av_pix_fmt_desc_get(frame->format);
    result.samples = frame->data[plane];
    result.bytes_per_row = (size_t)frame->linesize[plane];
    result.width = av.av_image_get_linesize(frame->format, frame->width, plane);
    result.height = AV_CEIL_RSHIFT(frame->height, plane > 0 ? format->log2_chroma_h : 0);
    return result;
}

#endif
