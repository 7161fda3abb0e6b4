#ifndef HEIC_LIBRARY_H
#define HEIC_LIBRARY_H

#include <libde265/de265.h>

// The functions that Texel calls. Code calls them as `hevc.de265_decode(…)`.
#define TEXEL_HEIC_FUNCTIONS(FUNCTION)     \
    FUNCTION(de265_get_version)            \
    FUNCTION(de265_get_error_text)         \
    FUNCTION(de265_isOK)                   \
    FUNCTION(de265_new_decoder)            \
    FUNCTION(de265_free_decoder)           \
    FUNCTION(de265_push_NAL)               \
    FUNCTION(de265_flush_data)             \
    FUNCTION(de265_decode)                 \
    FUNCTION(de265_get_warning)            \
    FUNCTION(de265_get_next_picture)       \
    FUNCTION(de265_get_image_width)        \
    FUNCTION(de265_get_image_height)       \
    FUNCTION(de265_get_chroma_format)      \
    FUNCTION(de265_get_bits_per_pixel)     \
    FUNCTION(de265_get_image_plane)

#define FUNCTION(name) __typeof__(&name) name;
/// Valid after `texel_heic_load` has returned true.
extern struct texel_heic_functions {
    TEXEL_HEIC_FUNCTIONS(FUNCTION)
} hevc;
#undef FUNCTION

#endif
