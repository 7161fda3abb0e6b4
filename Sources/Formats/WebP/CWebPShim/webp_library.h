#ifndef WEBP_LIBRARY_H
#define WEBP_LIBRARY_H

#include <webp/decode.h>
#include <webp/encode.h>
#include <webp/mux.h>

// The functions that Texel calls. Code calls them as `webp.WebPEncode(…)`.
#define TEXEL_WEBP_FUNCTIONS(FUNCTION)      \
    FUNCTION(WebPGetDecoderVersion)         \
    FUNCTION(WebPInitDecoderConfigInternal) \
    FUNCTION(WebPIDecode)                   \
    FUNCTION(WebPIUpdate)                   \
    FUNCTION(WebPIDecGetRGB)                \
    FUNCTION(WebPIDecGetYUVA)               \
    FUNCTION(WebPIDelete)                   \
    FUNCTION(WebPConfigInitInternal)        \
    FUNCTION(WebPConfigLosslessPreset)      \
    FUNCTION(WebPPictureInitInternal)       \
    FUNCTION(WebPEncode)                    \
    FUNCTION(WebPPictureFree)

#define TEXEL_WEBP_MUX_FUNCTIONS(FUNCTION)     \
    FUNCTION(WebPGetMuxVersion)                \
    FUNCTION(WebPAnimEncoderOptionsInitInternal) \
    FUNCTION(WebPAnimEncoderNewInternal)       \
    FUNCTION(WebPAnimEncoderAdd)               \
    FUNCTION(WebPAnimEncoderAssemble)          \
    FUNCTION(WebPAnimEncoderGetError)          \
    FUNCTION(WebPAnimEncoderDelete)

#define FUNCTION(name) __typeof__(&name) name;
/// Valid after `texel_webp_load` has returned true.
extern struct texel_webp_functions {
    TEXEL_WEBP_FUNCTIONS(FUNCTION)
} webp;

/// Valid after `texel_webp_mux_load` has returned true.
extern struct texel_webp_mux_functions {
    TEXEL_WEBP_MUX_FUNCTIONS(FUNCTION)
} webp_mux;
#undef FUNCTION

#endif
