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
    TEXEL_VIDEO_UNSUPPORTED, ///< `message` says what
    TEXEL_VIDEO_INTERRUPTED, ///< the caller's question was answered with true
    TEXEL_VIDEO_OUT_OF_MEMORY
} texel_video_status;

/// Why a call did not succeed.
typedef struct {
    int system_error; ///< a value of errno
    char message[TEXEL_CODEC_MESSAGE_SIZE];
} texel_video_failure;

/// An open video: its first stream of images.
typedef struct texel_video texel_video;

/// A fraction; unknown unless both terms are positive.
typedef struct {
    int numerator, denominator;
} texel_video_fraction;

/// What a video's headers say. Names are those of FFmpeg, NULL if unknown.
typedef struct {
    int width, height;
    const char *pixel_format; ///< of decoded frames
    const char *matrix;       ///< of YUV samples
    int range;                ///< of YUV samples: 0 limited, 1 full, -1 unknown
    texel_video_fraction average_rate, base_rate; ///< frames per second
    texel_video_fraction time_base;               ///< seconds per tick
    /// How the stored image is displayed, as in Exif: 1 to 8; 0 if it is turned by another angle.
    int orientation;
} texel_video_description;

/// Asks whether to give up waiting for input. Called often, on the thread that opens or reads the video.
typedef bool (*texel_video_question)(void *context);

/// Opens a video and reads its headers.
///
/// `address` is what FFmpeg calls a URL: `file:` and a path, or another protocol. `question` may be NULL. No frame with
/// more than `pixel_limit` pixels is decoded.
texel_video_status texel_video_open(const char *address, texel_video_question question, void *context,
                                    int64_t pixel_limit, texel_video **video, texel_video_failure *failure);
/// Frees a video; NULL is allowed. Its frames stay valid.
void texel_video_close(texel_video *video);

/// Returns what the headers say. The names stay valid until the process ends.
texel_video_description texel_video_describe(const texel_video *video);

/// How frames are made from what the decoder gives.
typedef struct {
    const char *pixel_format; ///< by its name; frames that have it, and need no conversion of colours, stay as they are
    const char *input_matrix, *output_matrix; ///< the beginnings of names; NULL for that of the frame and of the input
    int input_range, output_range;            ///< 0 limited, 1 full, -1 for that of the frame or of the pixel format
} texel_video_conversion;

/// Sets the conversion and starts the decoder, on as many threads as there are cores.
texel_video_status texel_video_start(texel_video *video, const texel_video_conversion *conversion,
                                     texel_video_failure *failure);

/// A decoded frame. May be freed on any thread.
typedef struct texel_video_frame texel_video_frame;

/// Decodes the next frame. Damaged parts are skipped; only if nothing at all can be decoded, this fails.
texel_video_status texel_video_next(texel_video *video, texel_video_frame **frame, texel_video_failure *failure);
/// Frees a frame; NULL is allowed.
void texel_video_frame_free(texel_video_frame *frame);

/// Returns when the frame is shown, in ticks from the start of the whole input. Each frame has a later tick than the
/// one before it.
int64_t texel_video_frame_tick(const texel_video_frame *frame);
/// Returns the size of the frame in pixels.
void texel_video_frame_size(const texel_video_frame *frame, int *width, int *height);
/// Returns a plane, which is 0 to 2, of bytes; `samples` is NULL if the pixel format has no such plane.
texel_plane texel_video_frame_plane(const texel_video_frame *frame, int plane);

#endif
