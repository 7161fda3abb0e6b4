#ifndef WEBP_LIBRARY_H
#define WEBP_LIBRARY_H

#include <webp/decode.h>
#include <webp/encode.h>

// The functions of libwebp that Texel calls. Code calls them as `webp.WebPEncode(…)`.
#define TEXEL_WEBP_FUNCTIONS(FUNCTION)  \
    FUNCTION(WebPGetDecoderVersion)     \
    FUNCTION(WebPInitDecoderConfigInternal) \
    FUNCTION(WebPIDecode)               \
    FUNCTION(WebPIUpdate)               \
    FUNCTION(WebPIDecGetRGB)            \
    FUNCTION(WebPIDecodedArea)          \
    FUNCTION(WebPIDelete)               \
    FUNCTION(WebPFreeDecBuffer)         \
    FUNCTION(WebPConfigInitInternal)    \
    FUNCTION(WebPValidateConfig)        \
    FUNCTION(WebPPictureInitInternal)   \
    FUNCTION(WebPPictureFree)           \
    FUNCTION(WebPEncode)

struct texel_webp_functions {
#define FUNCTION(name) __typeof__(&name) name;
    TEXEL_WEBP_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

/// Valid after `texel_webp_load` has returned true.
extern struct texel_webp_functions webp;

#endif
