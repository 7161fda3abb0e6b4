// libpng as a writer of PNG files of every kind, for test images: Texel's own encoder writes only what it would choose.

#ifndef PNG_ENCODER_H
#define PNG_ENCODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec_report.h"

typedef struct texel_png_encoder texel_png_encoder;

typedef struct {
    uint32_t width, height;
    int bit_depth, color_type; ///< as in IHDR
    bool is_interlaced;
    int compression_level; ///< zlib's 0…9
    int filters;           ///< PNG_FILTER_… bits
    const uint8_t *palette; ///< R, G, B, A for each entry, for colour type 3
    int palette_count;
    const uint8_t *transparency; ///< one big-endian 16-bit value (grey) or three (RGB) for tRNS, or NULL
} texel_png_parameters;

texel_png_encoder *texel_png_encoder_create(texel_should_stop should_stop, void *context);
void texel_png_encoder_destroy(texel_png_encoder *encoder);
const texel_codec_report *texel_png_encoder_report(const texel_png_encoder *encoder);

texel_codec_status texel_png_encoder_start(texel_png_encoder *encoder, const texel_png_parameters *parameters);

// Chunks; between start and the first row.

texel_codec_status texel_png_encoder_set_gamma(texel_png_encoder *encoder, uint32_t gamma);
texel_codec_status texel_png_encoder_set_chromaticities(texel_png_encoder *encoder, const int32_t values[8]);
texel_codec_status texel_png_encoder_set_profile(texel_png_encoder *encoder, const uint8_t *bytes, size_t count);
texel_codec_status texel_png_encoder_set_exif(texel_png_encoder *encoder, const uint8_t *bytes, size_t count);
texel_codec_status texel_png_encoder_set_density(texel_png_encoder *encoder, uint32_t x, uint32_t y,
                                                 bool is_per_metre);
texel_codec_status texel_png_encoder_add_text(texel_png_encoder *encoder, const char *keyword, const uint8_t *text,
                                              size_t count, bool is_utf8);

/// Writes the next `count` rows (a whole picture at once when it is interlaced).
texel_codec_status texel_png_encoder_write_rows(texel_png_encoder *encoder, const uint8_t *rows,
                                                size_t bytes_per_row, int count);
/// `bytes` belongs to the encoder and lives as long as it does.
texel_codec_status texel_png_encoder_finish(texel_png_encoder *encoder, const uint8_t **bytes, size_t *count);

#endif
