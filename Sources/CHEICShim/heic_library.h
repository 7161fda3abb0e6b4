#ifndef HEIC_LIBRARY_H
#define HEIC_LIBRARY_H

#include <libheif/heif.h>

// The functions that Texel calls. Code calls them as `heif.heif_decode_image(…)`.
#define TEXEL_HEIC_FUNCTIONS(FUNCTION)                 \
    FUNCTION(heif_get_version)                         \
    FUNCTION(heif_have_decoder_for_format)             \
    FUNCTION(heif_context_alloc)                       \
    FUNCTION(heif_context_free)                        \
    FUNCTION(heif_context_read_from_memory_without_copy) \
    FUNCTION(heif_context_set_max_decoding_threads)    \
    FUNCTION(heif_context_get_primary_image_handle)    \
    FUNCTION(heif_image_handle_release)                \
    FUNCTION(heif_decoding_options_alloc)              \
    FUNCTION(heif_decoding_options_free)               \
    FUNCTION(heif_decode_image)                        \
    FUNCTION(heif_image_release)                       \
    FUNCTION(heif_image_get_colorspace)                \
    FUNCTION(heif_image_get_width)                     \
    FUNCTION(heif_image_get_height)                    \
    FUNCTION(heif_image_get_bits_per_pixel_range)      \
    FUNCTION(heif_image_get_plane_readonly)

#define FUNCTION(name) __typeof__(&name) name;
/// Valid after `texel_heic_load` has returned true.
extern struct texel_heic_functions {
    TEXEL_HEIC_FUNCTIONS(FUNCTION)
} heif;
#undef FUNCTION

#endif
