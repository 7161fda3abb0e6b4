#ifndef SHAPING_LIBRARY_H
#define SHAPING_LIBRARY_H

#include <fribidi/fribidi.h>
#include <harfbuzz/hb.h>

// The functions that Texel calls. Code calls them as `hb.hb_shape(…)`. HarfBuzz's own connection to FreeType (hb-ft) is
// not used, and neither is libraqm, which uses it: they load a shared FreeType, which must not get the fonts of the one
// that the program contains.
#define TEXEL_HARFBUZZ_FUNCTIONS(FUNCTION)            \
    FUNCTION(hb_version_string)                       \
    FUNCTION(hb_unicode_funcs_get_default)            \
    FUNCTION(hb_unicode_script)                       \
    FUNCTION(hb_blob_create)                          \
    FUNCTION(hb_face_create_for_tables)               \
    FUNCTION(hb_face_destroy)                         \
    FUNCTION(hb_face_set_upem)                        \
    FUNCTION(hb_face_set_glyph_count)                 \
    FUNCTION(hb_font_create)                          \
    FUNCTION(hb_font_destroy)                         \
    FUNCTION(hb_font_get_empty)                       \
    FUNCTION(hb_font_set_scale)                       \
    FUNCTION(hb_font_set_funcs)                       \
    FUNCTION(hb_font_set_var_named_instance)          \
    FUNCTION(hb_font_funcs_create)                    \
    FUNCTION(hb_font_funcs_destroy)                   \
    FUNCTION(hb_font_funcs_set_nominal_glyph_func)    \
    FUNCTION(hb_font_funcs_set_variation_glyph_func)  \
    FUNCTION(hb_font_funcs_set_glyph_h_advance_func)  \
    FUNCTION(hb_font_funcs_set_glyph_extents_func)    \
    FUNCTION(hb_buffer_create)                        \
    FUNCTION(hb_buffer_destroy)                       \
    FUNCTION(hb_buffer_reset)                         \
    FUNCTION(hb_buffer_add_codepoints)                \
    FUNCTION(hb_buffer_set_direction)                 \
    FUNCTION(hb_buffer_set_script)                    \
    FUNCTION(hb_buffer_set_flags)                     \
    FUNCTION(hb_buffer_allocation_successful)         \
    FUNCTION(hb_buffer_get_glyph_infos)               \
    FUNCTION(hb_buffer_get_glyph_positions)           \
    FUNCTION(hb_shape)

#define TEXEL_FRIBIDI_FUNCTIONS(FUNCTION)             \
    FUNCTION(fribidi_version_info)                    \
    FUNCTION(fribidi_get_bidi_types)                  \
    FUNCTION(fribidi_get_bracket_types)               \
    FUNCTION(fribidi_get_par_embedding_levels_ex)

#define FUNCTION(name) __typeof__(&name) name;
/// Valid after `texel_harfbuzz_load` has returned true.
extern struct texel_harfbuzz_functions {
    TEXEL_HARFBUZZ_FUNCTIONS(FUNCTION)
} hb;

/// Valid after `texel_fribidi_load` has returned true.
extern struct texel_fribidi_functions {
    TEXEL_FRIBIDI_FUNCTIONS(FUNCTION)
} bidi;
#undef FUNCTION

#endif
