#ifdef TEXEL_VIDEO

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libav_library.h"
#include "libav_shim.h"

// The size of the buffer between FFmpeg and the file.
enum { BUFFER_SIZE = 64 << 10 };
// Ticks per second.
enum { CLOCK = 90000 };

struct texel_video_writer {
    AVFormatContext *output;
    AVIOContext *io;
    AVStream *stream; ///< belongs to `output`
    AVCodecContext *encoder;
    AVFrame *frame;
    AVPacket *packet;
    AVPacket *held;          ///< the latest packet, which is written when it is known whether another one follows
    bool has_held;
    bool sums_durations;     ///< see `texel_video_output`
    int width, height;       ///< of the frames; those of the encoder are even
    int descriptor;
    int64_t position, size;  ///< in the file
    int write_error;         ///< a value of errno
    int64_t first_tick;      ///< of the first frame
    int64_t first_decoding;  ///< when the first packet is decoded
    int64_t last_tick;       ///< of the latest frame; AV_NOPTS_VALUE before the first
    int64_t last_duration;   ///< of the last frame, once all have been added
};

// MARK: The file

#if LIBAVFORMAT_VERSION_MAJOR >= 61
typedef const uint8_t written_byte;
#else
typedef uint8_t written_byte;
#endif

static int write_bytes(void *opaque, written_byte *bytes, int count) {
    texel_video_writer *writer = opaque;
    for (int done = 0; done < count;) {
        ssize_t written = pwrite(writer->descriptor, bytes + done, (size_t)(count - done), writer->position);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) {
            writer->write_error = written < 0 ? errno : EIO;
            return AVERROR(writer->write_error);
        }
        done += (int)written;
        writer->position += written;
    }
    if (writer->position > writer->size) writer->size = writer->position;
    return count;
}

static int64_t seek_bytes(void *opaque, int64_t offset, int whence) {
    texel_video_writer *writer = opaque;
    switch (whence & ~AVSEEK_FORCE) {
    case AVSEEK_SIZE: return writer->size;
    case SEEK_SET: break;
    case SEEK_CUR: offset += writer->position; break;
    case SEEK_END: offset += writer->size; break;
    default: return AVERROR(EINVAL);
    }
    if (offset < 0) return AVERROR(EINVAL);
    return writer->position = offset;
}

// MARK: Errors

static texel_video_status failed(texel_video_writer *writer, int code, texel_video_failure *failure) {
    if (writer->write_error) {
        failure->system_error = writer->write_error;
        return TEXEL_VIDEO_SYSTEM;
    }
    if (code == AVERROR(ENOMEM)) return TEXEL_VIDEO_OUT_OF_MEMORY;
    av.av_strerror(code, failure->message, sizeof failure->message);
    return TEXEL_VIDEO_FAILED;
}

static texel_video_status unsupported(texel_video_failure *failure, const char *what, const char *name) {
    snprintf(failure->message, sizeof failure->message, "%s %s", what, name);
    return TEXEL_VIDEO_UNSUPPORTED;
}

// MARK: Opening

static int open_encoder(texel_video_writer *writer, const AVCodec *codec, const texel_video_output *output) {
    AVCodecContext *encoder = writer->encoder = av.avcodec_alloc_context3(codec);
    if (!encoder) return AVERROR(ENOMEM);
    // Two pixels share a chroma sample in each direction.
    encoder->width = (output->width + 1) & ~1;
    encoder->height = (output->height + 1) & ~1;
    encoder->pix_fmt = AV_PIX_FMT_YUV420P;
    encoder->time_base = (AVRational){1, CLOCK};
    if (output->rate.numerator > 0 && output->rate.denominator > 0)
        encoder->framerate = (AVRational){output->rate.numerator, output->rate.denominator};
    encoder->sample_aspect_ratio = (AVRational){1, 1};
    encoder->colorspace = output->colors.matrix;
    encoder->color_trc = output->colors.transfer;
    encoder->color_primaries = output->colors.primaries;
    encoder->color_range = output->colors.range == 1 ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
    encoder->thread_count = output->threads;
    if (writer->output->oformat->flags & AVFMT_GLOBALHEADER) encoder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    AVDictionary *options = NULL;
    int code = av.av_dict_parse_string(&options, output->options, "=", ":", 0);
    if (code >= 0) code = av.avcodec_open2(encoder, codec, &options);
    av.av_dict_free(&options);
    return code;
}

static int open_frame(texel_video_writer *writer) {
    AVFrame *frame = writer->frame = av.av_frame_alloc();
    writer->packet = av.av_packet_alloc();
    writer->held = av.av_packet_alloc();
    if (!frame || !writer->packet || !writer->held) return AVERROR(ENOMEM);
    frame->format = writer->encoder->pix_fmt;
    frame->width = writer->encoder->width;
    frame->height = writer->encoder->height;
    frame->colorspace = writer->encoder->colorspace;
    frame->color_trc = writer->encoder->color_trc;
    frame->color_primaries = writer->encoder->color_primaries;
    frame->color_range = writer->encoder->color_range;
    return av.av_frame_get_buffer(frame, 0);
}

static int open_file(texel_video_writer *writer) {
    uint8_t *buffer = av.av_malloc(BUFFER_SIZE);
    if (!buffer) return AVERROR(ENOMEM);
    writer->io = av.avio_alloc_context(buffer, BUFFER_SIZE, 1, writer, NULL, write_bytes, seek_bytes);
    if (!writer->io) {
        av.av_freep(&buffer);
        return AVERROR(ENOMEM);
    }
    writer->output->pb = writer->io;
    writer->output->flags |= AVFMT_FLAG_CUSTOM_IO;
    writer->stream = av.avformat_new_stream(writer->output, NULL);
    if (!writer->stream) return AVERROR(ENOMEM);
    int code = av.avcodec_parameters_from_context(writer->stream->codecpar, writer->encoder);
    if (code < 0) return code;
    writer->stream->time_base = writer->encoder->time_base;
    writer->stream->avg_frame_rate = writer->encoder->framerate;
    writer->stream->sample_aspect_ratio = writer->encoder->sample_aspect_ratio;
    return av.avformat_write_header(writer->output, NULL);
}

texel_video_status texel_video_writer_open(const texel_video_output *output, texel_video_writer **result,
                                           texel_video_failure *failure) {
    const AVCodec *codec = av.avcodec_find_encoder_by_name(output->encoder);
    if (!codec) return unsupported(failure, "the encoder", output->encoder);
    texel_video_writer *writer = calloc(1, sizeof *writer);
    if (!writer) return TEXEL_VIDEO_OUT_OF_MEMORY;
    writer->descriptor = output->descriptor;
    writer->width = output->width;
    writer->height = output->height;
    writer->last_tick = writer->first_decoding = AV_NOPTS_VALUE;
    writer->sums_durations = output->sums_durations;
    texel_video_status status = TEXEL_VIDEO_OK;
    if (av.avformat_alloc_output_context2(&writer->output, NULL, output->container, NULL) < 0 || !writer->output) {
        status = unsupported(failure, "the container", output->container);
    } else {
        int code = open_encoder(writer, codec, output);
        if (code >= 0) code = open_frame(writer);
        if (code >= 0) code = open_file(writer);
        if (code < 0) status = failed(writer, code, failure);
    }
    if (status != TEXEL_VIDEO_OK) {
        texel_video_writer_close(writer);
        writer = NULL;
    }
    *result = writer;
    return status;
}

void texel_video_writer_close(texel_video_writer *writer) {
    if (!writer) return;
    av.av_packet_free(&writer->packet);
    av.av_packet_free(&writer->held);
    av.av_frame_free(&writer->frame);
    av.avcodec_free_context(&writer->encoder);
    if (writer->output) av.avformat_free_context(writer->output);
    if (writer->io) {
        av.av_freep(&writer->io->buffer);
        av.avio_context_free(&writer->io);
    }
    free(writer);
}

// MARK: Frames

/// Writes the held packet.
static int write_held(texel_video_writer *writer) {
    AVPacket *packet = writer->held;
    writer->has_held = false;
    // The durations of others follow from the times of their successors.
    if (packet->pts == writer->last_tick && writer->last_duration > 0) packet->duration = writer->last_duration;
    av.av_packet_rescale_ts(packet, writer->encoder->time_base, writer->stream->time_base);
    packet->stream_index = writer->stream->index;
    return av.av_interleaved_write_frame(writer->output, packet);
}

/// Writes the packets that the encoder has finished, but for the latest.
static int write_packets(texel_video_writer *writer) {
    for (;;) {
        int code = av.avcodec_receive_packet(writer->encoder, writer->packet);
        if (code == AVERROR(EAGAIN) || code == AVERROR_EOF) return 0;
        if (code < 0) return code;
        if (writer->first_decoding == AV_NOPTS_VALUE) writer->first_decoding = writer->packet->dts;
        if (writer->has_held) code = write_held(writer);
        if (code < 0) return code;
        AVPacket *packet = writer->packet;
        writer->packet = writer->held;
        writer->held = packet;
        writer->has_held = true;
    }
}

/// Writes the last packet. MPEG-4 stores durations in the order of decoding; their sum is the duration of the video.
static int write_last(texel_video_writer *writer) {
    if (!writer->has_held) return 0;
    if (writer->sums_durations) {
        int64_t end = writer->last_tick + writer->last_duration - writer->first_tick;
        int64_t rest = end - (writer->held->dts - writer->first_decoding);
        writer->last_duration = 0;
        writer->held->duration = rest > 0 ? rest : 1;
    }
    return write_held(writer);
}

/// Copies a plane, and repeats its last column and row where the encoder's frame is larger.
static void copy_plane(uint8_t *to, int to_stride, int to_width, int to_height, const uint8_t *from, int width,
                       int height) {
    for (int y = 0; y < to_height; y++) {
        const uint8_t *row = from + (size_t)(y < height ? y : height - 1) * (size_t)width;
        memcpy(to, row, (size_t)width);
        if (to_width > width) to[width] = row[width - 1];
        to += to_stride;
    }
}

texel_video_status texel_video_writer_add(texel_video_writer *writer, const uint8_t *planes, int64_t tick,
                                          texel_video_failure *failure) {
    AVFrame *frame = writer->frame;
    int code = av.av_frame_make_writable(frame);
    if (code < 0) return failed(writer, code, failure);
    int width = writer->width, height = writer->height;
    int chroma_width = (width + 1) / 2, chroma_height = (height + 1) / 2;
    copy_plane(frame->data[0], frame->linesize[0], frame->width, frame->height, planes, width, height);
    const uint8_t *chroma = planes + (size_t)width * (size_t)height;
    for (int plane = 1; plane < 3; plane++) {
        copy_plane(frame->data[plane], frame->linesize[plane], chroma_width, chroma_height, chroma, chroma_width,
                   chroma_height);
        chroma += (size_t)chroma_width * (size_t)chroma_height;
    }
    // Times must increase.
    if (writer->last_tick != AV_NOPTS_VALUE && tick <= writer->last_tick) tick = writer->last_tick + 1;
    if (writer->last_tick == AV_NOPTS_VALUE) writer->first_tick = tick;
    frame->pts = writer->last_tick = tick;
    code = av.avcodec_send_frame(writer->encoder, frame);
    if (code >= 0) code = write_packets(writer);
    return code < 0 ? failed(writer, code, failure) : TEXEL_VIDEO_OK;
}

texel_video_status texel_video_writer_finish(texel_video_writer *writer, int64_t last_duration,
                                             texel_video_failure *failure) {
    writer->last_duration = last_duration;
    int code = av.avcodec_send_frame(writer->encoder, NULL);
    if (code >= 0) code = write_packets(writer);
    if (code >= 0) code = write_last(writer);
    if (code >= 0) code = av.av_write_trailer(writer->output);
    if (code < 0 || writer->write_error) return failed(writer, code, failure);
    return TEXEL_VIDEO_OK;
}

#endif
