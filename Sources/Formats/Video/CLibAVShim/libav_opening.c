#ifdef TEXEL_VIDEO

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libav_video.h"

// The size of the buffer between FFmpeg and `texel_video_bytes`.
enum { BUFFER_SIZE = 64 << 10 };

/// What a URL may be opened with, and what it may name: networks, no files, pipes or devices.
static const char network_protocols[] = "http,https,httpproxy,hls,tls,tcp,udp,udplite,rtp,srtp,rtsp,rtmp,rtmps,rtmpt,"
                                        "rtmpe,rtmpte,rtmpts,ffrtmphttp,ffrtmpcrypt,srt,crypto,data,ftp,sftp";

/// The demuxers whose inputs name other files or addresses, or are no videos. The ones without an input of their own
/// (AVFMT_NOFILE) are refused as well.
static const char *const refused_demuxers[] = {"concat", "dash",  "hls", "image2", "imf", "sdp",  "webm_dash_manifest",
                                               "tty",    "xbin",  "bin", "adf",    "idf", "mmf",  "vapoursynth",
                                               "avisynth", "libgme", "libmodplug", "libopenmpt", "tedcaptions"};

bool texel_video_asks(void *opaque) {
    texel_video *video = opaque;
    return video->question && video->question(video->context);
}

/// FFmpeg's own errors are far below those of the system.
static bool is_like_those_of_system(int code) { return code > -4096; }

texel_video_status texel_video_failed(texel_video *video, int code, texel_video_failure *failure) {
    if (code == AVERROR_EXIT) return TEXEL_VIDEO_INTERRUPTED;
    if (code == AVERROR(ENOMEM)) return TEXEL_VIDEO_OUT_OF_MEMORY;
    if (is_like_those_of_system(code) && (!video->io || video->failed_read)) {
        failure->system_error = AVUNERROR(code);
        return TEXEL_VIDEO_SYSTEM;
    }
    texel_video_messages messages = texel_copy_messages(&video->messages);
    // Some demuxers use a code of the system for damage.
    if (is_like_those_of_system(code)) code = AVERROR_INVALIDDATA;
    av.av_strerror(code, failure->message, sizeof failure->message);
    if (code == AVERROR_INVALIDDATA && messages.latest[0])
        memcpy(failure->message, messages.latest, sizeof failure->message);
    return TEXEL_VIDEO_FAILED;
}

// MARK: Bytes

static int ask(void *opaque) { return texel_video_asks(opaque); }

static int read_bytes(void *opaque, uint8_t *bytes, int count) {
    texel_video *video = opaque;
    if (texel_video_asks(video)) return AVERROR_EXIT;
    int read = video->bytes.read(video->bytes.context, bytes, count);
    if (read > 0) video->position += read;
    if (read == -EINTR) return AVERROR_EXIT;
    if (read < 0) video->failed_read = AVERROR(-read);
    return read == 0 ? AVERROR_EOF : read > 0 ? read : AVERROR(-read);
}

static int64_t seek_bytes(void *opaque, int64_t offset, int whence) {
    texel_video *video = opaque;
    int64_t size = video->bytes.size;
    switch (whence & ~AVSEEK_FORCE) {
    case AVSEEK_SIZE: return size >= 0 ? size : AVERROR(ENOSYS);
    case SEEK_SET: break;
    case SEEK_CUR: offset += video->position; break;
    case SEEK_END:
        if (size < 0) return AVERROR(ENOSYS);
        offset += size;
        break;
    default: return AVERROR(EINVAL);
    }
    if (offset < 0) return AVERROR(EINVAL);
    video->bytes.seek(video->bytes.context, offset);
    return video->position = offset;
}

/// Refuses to open another file for a demuxer.
static int refuse_file(AVFormatContext *input, AVIOContext **io, const char *url, int flags, AVDictionary **options) {
    (void)url, (void)flags, (void)options;
    *io = NULL;
    ((texel_video *)input->opaque)->asked_for_files = true;
    return AVERROR(EPERM);
}

/// Whether one of a demuxer's names, which are separated by commas, is in a list.
static bool is_refused(const AVInputFormat *format) {
    if (format->flags & AVFMT_NOFILE) return true;
    for (const char *name = format->name; name; name = strchr(name, ',')) {
        if (*name == ',') name++;
        size_t length = strcspn(name, ",");
        for (size_t i = 0; i < sizeof refused_demuxers / sizeof refused_demuxers[0]; i++)
            if (strlen(refused_demuxers[i]) == length && !memcmp(refused_demuxers[i], name, length)) return true;
    }
    return false;
}

static texel_video_status playlist(const AVInputFormat *format, texel_video_failure *failure) {
    snprintf(failure->message, sizeof failure->message, "%s", format && format->name ? format->name : "");
    return TEXEL_VIDEO_PLAYLIST;
}

/// Opens `bytes`, and recognises their format before any demuxer reads them.
static texel_video_status open_bytes(texel_video *video, const char *name, texel_video_failure *failure) {
    uint8_t *buffer = av.av_malloc(BUFFER_SIZE);
    if (!buffer) return TEXEL_VIDEO_OUT_OF_MEMORY;
    video->io = av.avio_alloc_context(buffer, BUFFER_SIZE, 0, video, read_bytes, NULL,
                                      video->bytes.seek ? seek_bytes : NULL);
    if (!video->io) {
        av.av_freep(&buffer);
        return TEXEL_VIDEO_OUT_OF_MEMORY;
    }
    if (!video->bytes.seek) video->io->seekable = 0;
    const AVInputFormat *format = NULL;
    int code = av.av_probe_input_buffer2(video->io, &format, name, NULL, 0, 0);
    // The name alone says that a file holds samples, not of which size.
    bool is_raw = format && !strcmp(format->name, "rawvideo");
    if (code == AVERROR_INVALIDDATA || is_raw) return TEXEL_VIDEO_UNKNOWN;
    if (code < 0) return texel_video_failed(video, code, failure);
    if (is_refused(format)) return playlist(format, failure);
    video->input->pb = video->io;
    video->input->io_open = refuse_file;
    // Frees the context on failure. The name is no path: demuxers can only show it.
    code = av.avformat_open_input(&video->input, name, format, NULL);
    if (code < 0 && video->asked_for_files) return playlist(format, failure);
    return code < 0 ? texel_video_failed(video, code, failure) : TEXEL_VIDEO_OK;
}

static texel_video_status open_address(texel_video *video, const texel_video_input *input,
                                       texel_video_failure *failure) {
    const AVInputFormat *format = NULL;
    AVDictionary *options = NULL;
    if (input->is_camera) {
        format = av.av_find_input_format("video4linux2");
        if (!format) {
            snprintf(failure->message, sizeof failure->message, "a camera with this build of FFmpeg");
            return TEXEL_VIDEO_UNSUPPORTED;
        }
    } else {
        av.av_dict_set(&options, "protocol_whitelist", network_protocols, 0);
    }
    // Frees the context on failure.
    int code = av.avformat_open_input(&video->input, input->address, format, &options);
    av.av_dict_free(&options);
    if (code == AVERROR_PROTOCOL_NOT_FOUND) {
        snprintf(failure->message, sizeof failure->message, "the kind of address %.*s",
                 (int)strcspn(input->address, ":"), input->address);
        return TEXEL_VIDEO_UNSUPPORTED;
    }
    return code < 0 ? texel_video_failed(video, code, failure) : TEXEL_VIDEO_OK;
}

// MARK: Streams

static bool is_cover(const AVStream *stream) {
    return stream->disposition & (AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS);
}

/// How much a stream is what players show: more than a cover, by default, decodable; 0 if it is no video.
static int rank(const AVStream *stream) {
    const AVCodecParameters *parameters = stream->codecpar;
    if (parameters->codec_type != AVMEDIA_TYPE_VIDEO) return 0;
    int rank = 1;
    if (!is_cover(stream)) rank += 8;
    if (stream->disposition & AV_DISPOSITION_DEFAULT) rank += 4;
    if (av.avcodec_find_decoder(parameters->codec_id)) rank += 2;
    return rank;
}

static void choose_stream(texel_video *video) {
    int best = 0;
    for (unsigned i = 0; i < video->input->nb_streams; i++) {
        AVStream *stream = video->input->streams[i];
        int rank_here = rank(stream);
        // The first one of equals.
        if (rank_here > best) {
            best = rank_here;
            video->stream = stream;
        }
    }
    for (unsigned i = 0; i < video->input->nb_streams; i++) {
        AVStream *stream = video->input->streams[i];
        stream->discard = stream == video->stream ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
    }
}

/// Reads what is not in the headers from the first packets, decoding frames within the limit.
static int find_stream_info(texel_video *video) {
    unsigned count = video->input->nb_streams;
    AVDictionary **options = calloc(count ? count : 1, sizeof *options);
    if (!options) return AVERROR(ENOMEM);
    for (unsigned i = 0; i < count; i++) av.av_dict_set_int(&options[i], "max_pixels", video->pixel_limit, 0);
    int code = av.avformat_find_stream_info(video->input, count ? options : NULL);
    for (unsigned i = 0; i < count; i++) av.av_dict_free(&options[i]);
    free(options);
    return code;
}

/// Notes the last packet that an index names, so that an end before it is noticed.
static void note_end(texel_video *video) {
    video->announced_end = AV_NOPTS_VALUE;
    int count = av.avformat_index_get_entries_count(video->stream);
    const AVIndexEntry *last = count > 0 ? av.avformat_index_get_entry(video->stream, count - 1) : NULL;
    if (last && texel_is_usable(last->timestamp)) video->announced_end = last->timestamp;
}

static texel_video_status open_input(texel_video *video, const texel_video_input *input,
                                     texel_video_failure *failure) {
    video->input = av.avformat_alloc_context();
    video->packet = av.av_packet_alloc();
    video->decoded = av.av_frame_alloc();
    if (!video->input || !video->packet || !video->decoded) return TEXEL_VIDEO_OUT_OF_MEMORY;
    video->input->opaque = video;
    video->input->interrupt_callback = (AVIOInterruptCB){.callback = ask, .opaque = video};
    texel_video_status status =
        input->address ? open_address(video, input, failure) : open_bytes(video, input->name, failure);
    if (status != TEXEL_VIDEO_OK) return status;
    int code = find_stream_info(video);
    if (code == AVERROR_EXIT || (code < 0 && video->input->nb_streams == 0))
        return texel_video_failed(video, code, failure);
    choose_stream(video);
    if (!video->stream) return video->asked_for_files ? playlist(video->input->iformat, failure) : TEXEL_VIDEO_NO_VIDEO;
    note_end(video);
    return TEXEL_VIDEO_OK;
}

texel_video_status texel_video_open(const texel_video_input *input, texel_video **video, texel_video_failure *failure) {
    texel_video *result = calloc(1, sizeof *result);
    if (!result) return TEXEL_VIDEO_OUT_OF_MEMORY;
    result->bytes = input->bytes;
    result->question = input->question;
    result->context = input->context;
    result->pixel_limit = input->pixel_limit;
    result->threads = input->threads;
    texel_video_status status = open_input(result, input, failure);
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
    if (video->io) {
        av.av_freep(&video->io->buffer);
        av.avio_context_free(&video->io);
    }
    free(video);
}

#endif
