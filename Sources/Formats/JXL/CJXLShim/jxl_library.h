#ifndef JXL_LIBRARY_H
#define JXL_LIBRARY_H

#include <jxl/decode.h>
#include <jxl/encode.h>
#include <jxl/thread_parallel_runner.h>
#include <jxl/version.h>

#include "jxl_shim.h"

// The functions that Texel calls. Code calls them as `jxl.JxlDecoderCreate(…)`.
#define TEXEL_JXL_FUNCTIONS(FUNCTION)            \
    FUNCTION(JxlDecoderVersion)                  \
    FUNCTION(JxlDecoderCreate)                   \
    FUNCTION(JxlDecoderDestroy)                  \
    FUNCTION(JxlDecoderSubscribeEvents)          \
    FUNCTION(JxlDecoderSetKeepOrientation)       \
    FUNCTION(JxlDecoderSetUnpremultiplyAlpha)    \
    FUNCTION(JxlDecoderSetDecompressBoxes)       \
    FUNCTION(JxlDecoderSetInput)                 \
    FUNCTION(JxlDecoderReleaseInput)             \
    FUNCTION(JxlDecoderCloseInput)               \
    FUNCTION(JxlDecoderProcessInput)             \
    FUNCTION(JxlDecoderGetBasicInfo)             \
    FUNCTION(JxlDecoderGetColorAsEncodedProfile) \
    FUNCTION(JxlDecoderGetColorAsICCProfile)     \
    FUNCTION(JxlDecoderGetICCProfileSize)        \
    FUNCTION(JxlDecoderSetPreferredColorProfile) \
    FUNCTION(JxlDecoderGetFrameHeader)           \
    FUNCTION(JxlDecoderSkipFrames)               \
    FUNCTION(JxlDecoderSetImageOutBuffer)        \
    FUNCTION(JxlDecoderSetParallelRunner)        \
    FUNCTION(JxlDecoderFlushImage)               \
    FUNCTION(JxlDecoderGetBoxType)               \
    FUNCTION(JxlDecoderSetBoxBuffer)             \
    FUNCTION(JxlDecoderReleaseBoxBuffer)         \
    FUNCTION(JxlDecoderSetJPEGBuffer)            \
    FUNCTION(JxlDecoderReleaseJPEGBuffer)        \
    FUNCTION(JxlColorEncodingSetToSRGB)          \
    FUNCTION(JxlEncoderCreate)                   \
    FUNCTION(JxlEncoderDestroy)                  \
    FUNCTION(JxlEncoderSetParallelRunner)        \
    FUNCTION(JxlEncoderInitBasicInfo)            \
    FUNCTION(JxlEncoderSetBasicInfo)             \
    FUNCTION(JxlEncoderSetColorEncoding)         \
    FUNCTION(JxlEncoderSetICCProfile)            \
    FUNCTION(JxlEncoderFrameSettingsCreate)      \
    FUNCTION(JxlEncoderFrameSettingsSetOption)   \
    FUNCTION(JxlEncoderSetFrameLossless)         \
    FUNCTION(JxlEncoderSetFrameDistance)         \
    FUNCTION(JxlEncoderInitFrameHeader)          \
    FUNCTION(JxlEncoderInitBlendInfo)            \
    FUNCTION(JxlEncoderSetFrameHeader)           \
    FUNCTION(JxlEncoderSetExtraChannelBlendInfo) \
    FUNCTION(JxlEncoderAddImageFrame)            \
    FUNCTION(JxlEncoderAddJPEGFrame)             \
    FUNCTION(JxlEncoderStoreJPEGMetadata)        \
    FUNCTION(JxlEncoderUseContainer)             \
    FUNCTION(JxlEncoderCloseInput)               \
    FUNCTION(JxlEncoderProcessOutput)            \
    FUNCTION(JxlEncoderGetError)

#define TEXEL_JXL_THREADS_FUNCTIONS(FUNCTION) \
    FUNCTION(JxlThreadParallelRunner)         \
    FUNCTION(JxlThreadParallelRunnerCreate)   \
    FUNCTION(JxlThreadParallelRunnerDestroy)

#define FUNCTION(name) __typeof__(&name) name;
/// Valid after `texel_jxl_load` has returned true.
extern struct texel_jxl_functions {
    TEXEL_JXL_FUNCTIONS(FUNCTION)
} jxl;

/// Valid after `texel_jxl_threads_load` has returned true.
extern struct texel_jxl_threads_functions {
    TEXEL_JXL_THREADS_FUNCTIONS(FUNCTION)
} jxl_threads;
#undef FUNCTION

/// Appends room for at least `count` bytes, and returns where they begin; NULL if memory runs out or the whole would be
/// larger than `limit`. `capacity` is that of `output`.
uint8_t *texel_jxl_grow(texel_jxl_output *output, size_t *capacity, size_t count, size_t limit);

#endif
