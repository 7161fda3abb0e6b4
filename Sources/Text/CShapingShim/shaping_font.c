#ifdef TEXEL_SHAPING

#include <stdlib.h>

#include "shaping_library.h"
#include "shaping_shim.h"

struct texel_shaping_font {
    texel_shaping_callbacks callbacks;
    void *context;
    hb_font_t *handle;
};

// MARK: What HarfBuzz asks

static hb_blob_t *table(hb_face_t *face, hb_tag_t tag, void *data) {
    (void)face;
    const texel_shaping_font *font = data;
    // No tag stands for the whole file.
    size_t count = tag ? font->callbacks.copy_table(font->context, tag, NULL, 0) : 0;
    uint8_t *bytes = count > 0 && count <= UINT32_MAX ? malloc(count) : NULL;
    if (!bytes) return NULL;
    if (font->callbacks.copy_table(font->context, tag, bytes, count) != count) {
        free(bytes);
        return NULL;
    }
    return hb.hb_blob_create((const char *)bytes, (unsigned)count, HB_MEMORY_MODE_READONLY, bytes, free);
}

static hb_bool_t nominal_glyph(hb_font_t *handle, void *data, hb_codepoint_t character, hb_codepoint_t *glyph,
                               void *user_data) {
    (void)handle, (void)user_data;
    const texel_shaping_font *font = data;
    *glyph = font->callbacks.glyph(font->context, character);
    return *glyph != 0;
}

static hb_bool_t variation_glyph(hb_font_t *handle, void *data, hb_codepoint_t character, hb_codepoint_t selector,
                                 hb_codepoint_t *glyph, void *user_data) {
    (void)handle, (void)user_data;
    const texel_shaping_font *font = data;
    *glyph = font->callbacks.variant(font->context, character, selector);
    return *glyph != 0;
}

static hb_position_t advance(hb_font_t *handle, void *data, hb_codepoint_t glyph, void *user_data) {
    (void)handle, (void)user_data;
    const texel_shaping_font *font = data;
    return font->callbacks.advance(font->context, glyph);
}

static hb_bool_t extents(hb_font_t *handle, void *data, hb_codepoint_t glyph, hb_glyph_extents_t *extents,
                         void *user_data) {
    (void)handle, (void)user_data;
    const texel_shaping_font *font = data;
    texel_glyph_box box = font->callbacks.box(font->context, glyph);
    *extents = (hb_glyph_extents_t){
        .x_bearing = box.left, .y_bearing = box.top, .width = box.right - box.left, .height = box.bottom - box.top};
    return true;
}

// MARK: Fonts

texel_shaping_font *texel_shaping_font_create(const texel_shaping_callbacks *callbacks, void *context, int size,
                                              unsigned units_per_em, unsigned glyph_count, int instance) {
    texel_shaping_font *font = calloc(1, sizeof *font);
    if (!font) return NULL;
    font->callbacks = *callbacks;
    font->context = context;
    hb_face_t *face = hb.hb_face_create_for_tables(table, font, NULL);
    // Fonts that are not OpenType have no tables to read these from.
    hb.hb_face_set_upem(face, units_per_em);
    hb.hb_face_set_glyph_count(face, glyph_count);
    font->handle = hb.hb_font_create(face);
    hb.hb_face_destroy(face);
    hb_font_funcs_t *functions = hb.hb_font_funcs_create();
    hb.hb_font_funcs_set_nominal_glyph_func(functions, nominal_glyph, NULL, NULL);
    hb.hb_font_funcs_set_variation_glyph_func(functions, variation_glyph, NULL, NULL);
    hb.hb_font_funcs_set_glyph_h_advance_func(functions, advance, NULL, NULL);
    hb.hb_font_funcs_set_glyph_extents_func(functions, extents, NULL, NULL);
    hb.hb_font_set_funcs(font->handle, functions, font, NULL);
    hb.hb_font_funcs_destroy(functions);
    hb.hb_font_set_scale(font->handle, size * 64, size * 64);
    if (instance >= 0) hb.hb_font_set_var_named_instance(font->handle, (unsigned)instance);
    if (font->handle == hb.hb_font_get_empty()) {
        texel_shaping_font_destroy(font);
        return NULL;
    }
    return font;
}

void texel_shaping_font_destroy(texel_shaping_font *font) {
    if (!font) return;
    hb.hb_font_destroy(font->handle);
    free(font);
}

// MARK: Shaping

struct texel_shaper {
    hb_buffer_t *buffer;
};

texel_shaper *texel_shaper_create(void) {
    texel_shaper *shaper = calloc(1, sizeof *shaper);
    if (!shaper) return NULL;
    shaper->buffer = hb.hb_buffer_create();
    return shaper;
}

void texel_shaper_destroy(texel_shaper *shaper) {
    if (!shaper) return;
    hb.hb_buffer_destroy(shaper->buffer);
    free(shaper);
}

ptrdiff_t texel_shaper_shape(texel_shaper *shaper, texel_shaping_font *font, const uint32_t *text, size_t count,
                             size_t start, size_t length, uint32_t script, bool is_right_to_left) {
    hb_buffer_t *buffer = shaper->buffer;
    hb.hb_buffer_reset(buffer);
    hb_buffer_flags_t flags = HB_BUFFER_FLAG_REMOVE_DEFAULT_IGNORABLES;
    if (start == 0) flags |= HB_BUFFER_FLAG_BOT;
    if (start + length == count) flags |= HB_BUFFER_FLAG_EOT;
    hb.hb_buffer_set_flags(buffer, flags);
    hb.hb_buffer_set_direction(buffer, is_right_to_left ? HB_DIRECTION_RTL : HB_DIRECTION_LTR);
    hb.hb_buffer_set_script(buffer, (hb_script_t)script);
    hb.hb_buffer_add_codepoints(buffer, text, (int)count, (unsigned)start, (int)length);
    hb.hb_shape(font->handle, buffer, NULL, 0);
    unsigned glyph_count = 0;
    hb.hb_buffer_get_glyph_infos(buffer, &glyph_count);
    return hb.hb_buffer_allocation_successful(buffer) ? (ptrdiff_t)glyph_count : -1;
}

void texel_shaper_copy(const texel_shaper *shaper, texel_shaped_glyph *glyphs) {
    unsigned count = 0;
    const hb_glyph_info_t *infos = hb.hb_buffer_get_glyph_infos(shaper->buffer, &count);
    const hb_glyph_position_t *positions = hb.hb_buffer_get_glyph_positions(shaper->buffer, &count);
    for (unsigned i = 0; i < count; i++)
        glyphs[i] = (texel_shaped_glyph){.glyph = infos[i].codepoint,
                                         .character = infos[i].cluster,
                                         .advance = positions[i].x_advance,
                                         .x = positions[i].x_offset,
                                         .y = positions[i].y_offset};
}

#endif
