#ifndef LIBAV_SHIM_H
#define LIBAV_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec_planes.h"
#include "codec_report.h"

/// Loads FFmpeg's libraries. Only after this has returned true may the other functions be called; if it returns false,
/// `message` has the reason.
///
/// From then on these libraries print nothing to standard error.
bool texel_libav_load(char message[TEXEL_CODEC_MESSAGE_SIZE]);
/// Loads FFmpeg's library of devices as well, which cameras need.
bool texel_libav_load_devices(char message[TEXEL_CODEC_MESSAGE_SIZE]);
/// Returns the file that libavcodec was loaded from.
const char *texel_libav_path(void);
/// Returns the version of FFmpeg, such as "5.1.9".
const char *texel_libav_version(void);

/// The result of a call.
typedef enum {
    TEXEL_VIDEO_OK = 0,
    TEXEL_VIDEO_END,         ///< no more frames
    TEXEL_VIDEO_FAILED,      ///< `message` says why
    TEXEL_VIDEO_SYSTEM,      ///< a system call failed with the number in `system_error`
    TEXEL_VIDEO_NO_VIDEO,    ///< the input has no video stream
    TEXEL_VIDEO_UNKNOWN,     ///< no demuxer recognises the input
    TEXEL_VIDEO_PLAYLIST,    ///< the input names other files or addresses; `message` has the demuxer's name
    TEXEL_VIDEO_UNSUPPORTED, ///< `message` says what
    TEXEL_VIDEO_TOO_LARGE,   ///< a frame of `width` × `height` exceeds the limit
    TEXEL_VIDEO_INTERRUPTED, ///< the caller's question was answered with true
    TEXEL_VIDEO_OUT_OF_MEMORY
} texel_video_status;

/// Why a call did not succeed.
typedef struct {
    int system_error; ///< a value of errno
    int width, height;
    char message[TEXEL_CODEC_MESSAGE_SIZE];
} texel_video_failure;

/// An open video: its main stream of images.
typedef struct texel_video texel_video;

// MARK: Opening

/// Asks whether to give up waiting for input. Called often, on the thread that opens or reads the video.
typedef bool (*texel_video_question)(void *context);

/// The bytes of a file or a pipe.
typedef struct {
    void *context;
    /// Reads at most `count` bytes. Returns their number, 0 at the end, or a negative value of errno.
    int (*read)(void *context, uint8_t *bytes, int count);
    /// Lets the next call of `read` begin at an offset. NULL for a pipe.
    void (*seek)(void *context, int64_t offset);
    int64_t size; ///< in bytes; negative if unknown
} texel_video_bytes;

/// What to open.
typedef struct {
    const char *address;     ///< a URL or a camera; NULL to read `bytes`
    bool is_camera;          ///< whether the address is the device file of a camera
    texel_video_bytes bytes;
    const char *name;        ///< the name of the file, which tells the format of streams without headers; or NULL
    int64_t pixel_limit;     ///< no frame with more pixels is decoded
    int threads;             ///< of the decoder; 0 for one per core
    texel_video_question question; ///< or NULL
    void *context;                 ///< of the question
} texel_video_input;

/// Opens a video and reads its headers. No other file is opened, whatever the input says; from a URL only other
/// addresses of networks are.
texel_video_status texel_video_open(const texel_video_input *input, texel_video **video, texel_video_failure *failure);
/// Frees a video; NULL is allowed. Its frames stay valid.
void texel_video_close(texel_video *video);

// MARK: Describing

/// A fraction; unknown unless both terms are positive.
typedef struct {
    int numerator, denominator;
} texel_video_fraction;

/// How samples become colours, in numbers of ITU-T H.273; 2 if unspecified.
typedef struct {
    int matrix, transfer, primaries;
    int range; ///< 0 limited, 1 full, -1 unknown
} texel_video_colors;

/// The order of the fields of an interlaced stream.
typedef enum {
    TEXEL_FIELDS_UNKNOWN = 0,
    TEXEL_FIELDS_PROGRESSIVE,
    TEXEL_FIELDS_TOP_FIRST,
    TEXEL_FIELDS_BOTTOM_FIRST
} texel_video_fields;

/// What a video's headers say. Names are those of FFmpeg, NULL if unknown; they stay valid until the process ends.
typedef struct {
    const char *container;    ///< names of the format, separated by commas: "mov,mp4,m4a,3gp,3g2,mj2"
    const char *codec;        ///< such as "h264"
    const char *profile;      ///< such as "High"
    const char *pixel_format; ///< of decoded frames
    int width, height;
    int depth;                ///< bits per sample; 0 if unknown
    bool is_rgb;              ///< whether samples are red, green and blue, or indices of them
    bool has_alpha;
    bool loses_alpha;         ///< whether the stream has alpha that no available decoder keeps
    texel_video_colors colors;
    texel_video_fields fields;
    texel_video_fraction average_rate, base_rate; ///< frames per second
    texel_video_fraction time_base;               ///< seconds per tick
    texel_video_fraction aspect;                  ///< width of a pixel : its height
    /// How the stored image is displayed, as in Exif: 1 to 8; 0 if it is turned by another angle.
    int orientation;
    int64_t duration;    ///< in ticks; negative if unknown
    int64_t frame_count; ///< as the container says; 0 if unknown
    bool has_cover_only; ///< whether the stream is a cover image, because there is no other
    int stream_count;
    int index; ///< of the stream
} texel_video_description;

/// Returns what the headers say.
texel_video_description texel_video_describe(const texel_video *video);

/// A stream of the input.
typedef struct {
    const char *kind;     ///< such as "video", "audio"
    const char *codec;
    const char *language; ///< of ISO 639; NULL if unknown. Valid as long as the video.
    bool is_default, is_cover;
} texel_video_stream;

/// Returns the stream with an index below `stream_count`.
texel_video_stream texel_video_stream_at(const texel_video *video, int index);

// MARK: Decoding

/// Starts the decoder.
texel_video_status texel_video_start(texel_video *video, texel_video_failure *failure);

/// Finds the tick of a frame by its number, from 0, in the order in which frames are shown, by reading the packets up
/// to it without decoding them. `TEXEL_VIDEO_UNSUPPORTED` if packets do not tell; `TEXEL_VIDEO_END` if there are fewer
/// frames. Ticks count from the start of the whole input. The decoder must have been started; continue with
/// `texel_video_seek`.
texel_video_status texel_video_find(texel_video *video, int64_t number, int64_t *tick, texel_video_failure *failure);

/// Lets the next frame be the first one that is not shown before a tick. Frames before are decoded as far as needed,
/// from the last key frame if the input can be read from there.
texel_video_status texel_video_seek(texel_video *video, int64_t tick, texel_video_failure *failure);

/// Damage that was noticed.
typedef struct {
    int64_t lost_packets;   ///< that gave no frame, because they or the bytes around them are damaged
    int64_t damaged_frames; ///< that were decoded in spite of errors
    bool ends_early;        ///< whether the input ended before the end that it announces
    char message[TEXEL_CODEC_MESSAGE_SIZE]; ///< what FFmpeg says of the latest; may be empty
} texel_video_faults;

/// Returns the damage that was noticed since the last call.
texel_video_faults texel_video_take_faults(texel_video *video);

/// A decoded frame. May be freed on any thread.
typedef struct texel_video_frame texel_video_frame;

/// Decodes the next frame. Damaged parts are skipped; only if nothing at all can be decoded, this fails.
texel_video_status texel_video_next(texel_video *video, texel_video_frame **frame, texel_video_failure *failure);
/// Frees a frame; NULL is allowed.
void texel_video_frame_free(texel_video_frame *frame);

/// The samples of a frame.
typedef enum {
    TEXEL_SAMPLES_BGRA = 0, ///< bytes of one plane
    TEXEL_SAMPLES_GRAY,
    TEXEL_SAMPLES_420,
    TEXEL_SAMPLES_422,
    TEXEL_SAMPLES_444
} texel_video_samples;

/// A frame's planes, and what they mean.
typedef struct {
    int width, height;
    texel_video_samples samples;
    int depth;             ///< 8, or 10 in words
    bool is_interleaved;   ///< whether U and V alternate in one plane
    bool has_alpha;        ///< in a last plane, or in BGRA
    bool is_full_range_by_format;
    texel_video_colors colors;
    texel_video_fraction aspect;
    int orientation;
    texel_video_fields fields;
    bool is_damaged;
    int64_t tick; ///< when the frame is shown, from the start of the whole input
    int64_t duration; ///< in ticks; 0 if unknown
    texel_plane planes[4]; ///< their widths are in bytes; without samples after the last
} texel_video_picture;

/// Returns a frame's planes, which are valid as long as the frame.
texel_video_picture texel_video_frame_picture(const texel_video_frame *frame);

// MARK: Writing

/// A video to write.
typedef struct {
    int descriptor;                    ///< of a file that can be written at any offset
    const char *container;             ///< FFmpeg's name of the muxer, such as "mp4"
    const char *encoder;               ///< FFmpeg's name of the encoder, such as "libx264"
    bool sums_durations;               ///< whether the container stores durations in the order of decoding
    const char *options;               ///< of the encoder, such as "crf=20:row-mt=1"
    int width, height;                 ///< of the frames; odd ones get another column or row
    texel_video_fraction rate;         ///< frames per second, for the encoder's choice of sizes
    texel_video_colors colors;
    int threads; ///< of the encoder; 0 for one per core
} texel_video_output;

/// A video that is being written. Its clock has 90,000 ticks per second.
typedef struct texel_video_writer texel_video_writer;

/// Begins a video. If an encoder or container is not there, the status is "unsupported".
texel_video_status texel_video_writer_open(const texel_video_output *output, texel_video_writer **writer,
                                           texel_video_failure *failure);
/// Encodes a frame. `planes` are those of I420 without padding, of the size of the output.
texel_video_status texel_video_writer_add(texel_video_writer *writer, const uint8_t *planes, int64_t tick,
                                          texel_video_failure *failure);
/// Ends the video.
///
/// `last_duration` is that of the last frame, in ticks.
texel_video_status texel_video_writer_finish(texel_video_writer *writer, int64_t last_duration,
                                             texel_video_failure *failure);
/// Frees the writer, but not the descriptor; NULL is allowed.
void texel_video_writer_close(texel_video_writer *writer);

#endif
