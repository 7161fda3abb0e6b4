#ifndef LIBAV_CONVERSION_H
#define LIBAV_CONVERSION_H

#include <stdbool.h>

#include "libav_library.h"
#include "libav_shim.h"

/// Converts the samples of frames to forms that Texel reads, without changing what they mean: RGB stays RGB, and
/// luma and chroma keep matrix and range. All zero at first.
typedef struct {
    struct SwsContext *scaler; ///< made for frames like the following
    enum AVPixelFormat from, to;
    int width, height;
    AVBufferPool *buffers; ///< for converted frames of this size
} texel_conversion;

/// Frees what was made for frames; converted frames stay valid.
void texel_conversion_clear(texel_conversion *conversion);

/// Moves or converts a frame to an empty one, and describes its samples: the form and the planes of `picture`.
///
/// `keeps_light`: whether the colours need more than 8 bits, as those of high dynamic range, so that deep RGB becomes
/// luma and chroma (BT.709, full range), which `picture` then says. Returns a negative error code of FFmpeg on failure.
int texel_conversion_run(texel_conversion *conversion, AVFrame *from, AVFrame *to, bool keeps_light,
                         texel_video_picture *picture);

#endif
