#ifndef LIBAV_VIDEO_H
#define LIBAV_VIDEO_H

#include <stdatomic.h>

#include "libav_conversion.h"
#include "libav_library.h"
#include "libav_messages.h"
#include "libav_shim.h"

struct texel_video {
    AVFormatContext *input;
    AVIOContext *io;   ///< of `bytes`; NULL for addresses
    AVStream *stream;  ///< belongs to `input`
    AVCodecContext *decoder;
    AVPacket *packet;
    AVFrame *decoded;
    texel_conversion conversion;

    texel_video_bytes bytes;
    int64_t position; ///< in `bytes`, of the next read
    int failed_read; ///< why reading `bytes` failed; 0 if it did not
    texel_video_question question;
    void *context;
    int64_t pixel_limit;
    int threads;
    bool asked_for_files;      ///< whether the input wants another file opened
    bool has_alpha, loses_alpha;
    atomic_int large_width, large_height; ///< of a frame that exceeds the limit; 0 if there was none

    bool has_packet;      ///< whether `packet` waits for the decoder
    bool is_draining;     ///< whether the decoder has been told the end of the input
    int error_count;      ///< errors since the latest frame or accepted packet
    int read_error;       ///< why reading ended; 0 at the end of the input
    int decoding_error;   ///< the latest
    bool has_frame;       ///< whether there was a frame
    int64_t start;        ///< of the input, in ticks
    int64_t jump;         ///< added to the ticks of packets, so that they do not jump
    int64_t expected;     ///< the tick of the next packet; AV_NOPTS_VALUE if unknown
    int64_t last_tick;    ///< of the latest frame; AV_NOPTS_VALUE before the first

    int64_t target;       ///< frames before this tick are not wanted; AV_NOPTS_VALUE if all are
    int64_t sought;       ///< the tick of the latest jump of the input; AV_NOPTS_VALUE if it reads on
    int64_t last_packet;  ///< the tick of the latest packet that was read
    int64_t announced_end; ///< the tick of the last packet that an index names; AV_NOPTS_VALUE without one

    texel_video_faults faults;      ///< since they were taken
    texel_video_messages messages;
    int demuxer_messages;           ///< how many of them are counted in `faults`
};

struct texel_video_frame {
    AVFrame *frame;
    texel_video_picture picture;
};

/// Returns the status for an error code of FFmpeg, and fills `failure`.
texel_video_status texel_video_failed(texel_video *video, int code, texel_video_failure *failure);
/// Whether the caller wants to give up.
bool texel_video_asks(void *video);
/// Returns the Exif orientation of a display matrix; 0 if it turns by an angle that is not a multiple of 90°.
int texel_orientation_of(const int32_t *matrix);
/// Returns the width of a pixel : its height.
texel_video_fraction texel_aspect_of(const texel_video *video, const AVFrame *frame);
/// Returns the colours of a frame, or, where it does not say, of its stream.
texel_video_colors texel_colors_of(const texel_video *video, const AVFrame *frame);
/// Whether a tick is known and small enough to calculate with.
bool texel_is_usable(int64_t tick);
/// Returns how long a frame is shown by the stream's rate, in ticks; 1 if it has none.
int64_t texel_ticks_per_frame(const texel_video *video);
/// Reads the next packet of the stream. Returns a negative error code of FFmpeg on failure and at the end.
int texel_read_packet(texel_video *video);
/// Counts a packet without a frame. A recording of a broadcast may begin inside a group of pictures, whose packets are
/// of no use.
void texel_count_lost(texel_video *video, int code);
/// Notices at the end of the input whether it ended early: reading failed, an index names later packets, or the
/// demuxer complained since the last frame.
void texel_note_end(texel_video *video, int code);
/// Counts what the demuxer complained about before it gave the latest packet.
void texel_note_packet(texel_video *video);
/// Moves the input to a key frame before the one from which the wanted frame was not found, twice as far back each
/// time. Returns false if there is none.
bool texel_jump_further_back(texel_video *video);

#endif
