#ifndef AVIF_LIBRARY_H
#define AVIF_LIBRARY_H

#include <avif/avif.h>

// The functions that Texel calls. Code calls them as `avif.avifDecoderParse(…)`.
#define TEXEL_AVIF_FUNCTIONS(FUNCTION)        \
    FUNCTION(avifVersion)                     \
    FUNCTION(avifCodecVersions)               \
    FUNCTION(avifCodecName)                   \
    FUNCTION(avifResultToString)              \
    FUNCTION(avifRWDataFree)                  \
    FUNCTION(avifDecoderCreate)               \
    FUNCTION(avifDecoderDestroy)              \
    FUNCTION(avifDecoderSetSource)            \
    FUNCTION(avifDecoderSetIO)                \
    FUNCTION(avifDecoderParse)                \
    FUNCTION(avifDecoderNthImage)             \
    FUNCTION(avifDecoderDecodedRowCount)      \
    FUNCTION(avifImageCreate)                 \
    FUNCTION(avifImageCreateEmpty)            \
    FUNCTION(avifImageDestroy)                \
    FUNCTION(avifImageAllocatePlanes)         \
    FUNCTION(avifImageSetViewRect)            \
    FUNCTION(avifImageSetProfileICC)          \
    FUNCTION(avifImageSetMetadataExif)        \
    FUNCTION(avifImageSetMetadataXMP)         \
    FUNCTION(avifGetPixelFormatInfo)          \
    FUNCTION(avifRGBImageSetDefaults)         \
    FUNCTION(avifImageYUVToRGB)               \
    FUNCTION(avifEncoderCreate)               \
    FUNCTION(avifEncoderDestroy)              \
    FUNCTION(avifEncoderAddImage)             \
    FUNCTION(avifEncoderFinish)               \
    FUNCTION(avifEncoderSetCodecSpecificOption)

#define FUNCTION(name) __typeof__(&name) name;
/// Valid after `texel_avif_load` has returned true.
extern struct texel_avif_functions {
    TEXEL_AVIF_FUNCTIONS(FUNCTION)
} avif;
#undef FUNCTION

#endif
