#ifndef SHAPING_SHIM_H
#define SHAPING_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec_report.h"

// MARK: The libraries

/// Loads HarfBuzz. Only after this has returned true may the functions of fonts, shapers and scripts be called; if it
/// returns false, `message` has the reason.
bool texel_harfbuzz_load(char message[TEXEL_CODEC_MESSAGE_SIZE]);
/// Returns the file that HarfBuzz was loaded from.
const char *texel_harfbuzz_path(void);
/// Returns HarfBuzz's version.
const char *texel_harfbuzz_version(void);

/// Loads FriBidi. Only after this has returned true may `texel_bidi_levels` be called; if it returns false, `message`
/// has the reason.
bool texel_fribidi_load(char message[TEXEL_CODEC_MESSAGE_SIZE]);
/// Returns the file that FriBidi was loaded from.
const char *texel_fribidi_path(void);
/// Returns a text that begins with "(GNU FriBidi) " and the version.
const char *texel_fribidi_version(void);

// MARK: Directions and scripts

/// Finds the embedding levels of a paragraph (UAX #9). Its direction is that of its first strong character.
///
/// `levels` receives one level for each of the `count` characters; odd ones run from right to left. Returns false if
/// memory is short.
bool texel_bidi_levels(const uint32_t *text, size_t count, int8_t *levels, bool *is_right_to_left);

/// Returns the script of a character as its four letters of ISO 15924.
uint32_t texel_script(uint32_t character);

// MARK: Fonts

/// The edges of a glyph in 64ths of a pixel, relative to the pen on the baseline; positive is right and up.
typedef struct {
    int32_t left, right, top, bottom;
} texel_glyph_box;

/// What HarfBuzz asks about a font. Each function gets the context with which the font was created.
typedef struct {
    /// Copies a table of an OpenType font into `bytes`, which has its size. Returns the table's size; 0 if there is
    /// none. `bytes` is NULL to ask for the size only.
    size_t (*copy_table)(void *context, uint32_t tag, uint8_t *bytes, size_t count);
    /// Returns the glyph of a character; 0 for a character that the font lacks.
    uint32_t (*glyph)(void *context, uint32_t character);
    /// Returns the glyph of a character with a variation selector; 0 if the font lacks it.
    uint32_t (*variant)(void *context, uint32_t character, uint32_t selector);
    /// Returns the distance to the next glyph in 64ths of a pixel.
    int32_t (*advance)(void *context, uint32_t glyph);
    /// Returns the edges of a glyph.
    texel_glyph_box (*box)(void *context, uint32_t glyph);
} texel_shaping_callbacks;

/// A font at one size.
typedef struct texel_shaping_font texel_shaping_font;

/// Creates a font.
///
/// `size` is the size of the em square in pixels, which has `units_per_em` units, and `instance` the number of a named
/// instance of a variable font, or -1. `context` must outlive the font. Returns NULL if memory is short.
texel_shaping_font *texel_shaping_font_create(const texel_shaping_callbacks *callbacks, void *context, int size,
                                              unsigned units_per_em, unsigned glyph_count, int instance);

/// Frees a font; NULL is allowed.
void texel_shaping_font_destroy(texel_shaping_font *font);

// MARK: Shaping

/// A glyph in its place. Distances are in 64ths of a pixel; positive is right and up.
typedef struct {
    uint32_t glyph;
    uint32_t character; ///< the index of the first character that the glyph stands for
    int32_t advance;    ///< the distance to the next glyph
    int32_t x, y;       ///< the offset from the pen
} texel_shaped_glyph;

/// Shapes runs of characters. May be used by one thread at a time.
typedef struct texel_shaper texel_shaper;

/// Creates a shaper. Returns NULL if memory is short.
texel_shaper *texel_shaper_create(void);

/// Frees a shaper; NULL is allowed.
void texel_shaper_destroy(texel_shaper *shaper);

/// Shapes `length` characters from index `start` on of a text of `count` characters; those around them are context.
///
/// `script` is that of the run (`texel_script`). Returns the number of glyphs, which are then copied from left to right
/// by `texel_shaper_copy`, or -1 if memory is short.
ptrdiff_t texel_shaper_shape(texel_shaper *shaper, texel_shaping_font *font, const uint32_t *text, size_t count,
                             size_t start, size_t length, uint32_t script, bool is_right_to_left);

/// Copies the glyphs of the last run; `glyphs` has room for all of them.
void texel_shaper_copy(const texel_shaper *shaper, texel_shaped_glyph *glyphs);

#endif
