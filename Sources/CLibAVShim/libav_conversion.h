#ifndef LIBAV_CONVERSION_H
#define LIBAV_CONVERSION_H

#include <stdbool.h>

#include "libav_library.h"
#include "libav_shim.h"

/// Converts frames to one pixel format. All zero at first.
typedef struct {
    enum AVPixelFormat format;
    enum AVColorSpace input_matrix, output_matrix; ///< unspecified: that of the frame, and that of the input
    int input_range, output_range;                 ///< as in `texel_video_conversion`

    struct SwsContext *scaler; ///< made for frames like the following
    enum AVPixelFormat scaler_format;
    int width, height;
    enum AVColorSpace matrix;
    enum AVColorRange range;
    AVBufferPool *buffers; ///< for converted frames of this size
} texel_conversion;

/// Sets what to convert to; returns false if a name is unknown.
bool texel_conversion_set(texel_conversion *conversion, const texel_video_conversion *from);
/// Frees what was made for frames; converted frames stay valid.
void texel_conversion_clear(texel_conversion *conversion);

/// Moves or converts a frame to an empty one. Returns a negative error code of FFmpeg on failure.
int texel_conversion_run(texel_conversion *conversion, AVFrame *from, AVFrame *to);

#endif
