#ifndef PNG_SHIM_H
#define PNG_SHIM_H

#include <stddef.h>
#include <stdint.h>

#include "codec_input.h"
#include "codec_report.h"

typedef struct texel_png_decoder texel_png_decoder;

typedef struct {
    uint32_t max_width, max_height;
    size_t max_chunk_bytes; ///< of one ancillary chunk, after inflating
    uint32_t max_chunks;    ///< ancillary ones that are kept
    int max_warnings;
} texel_png_limits;

typedef struct {
    uint32_t width, height;
    int bit_depth, color_type; ///< as in IHDR
    bool is_interlaced;
    bool has_transparency; ///< an alpha channel or a tRNS chunk
} texel_png_header;

/// The bytes must outlive the decoder. Returns NULL without memory.
///
/// `pixels`, if any, is where the IDAT chunks begin. The library then sees an empty one in their place: it reads the
/// chunks, and the caller the pixels; none of the functions that read rows may be called, and
/// `texel_png_decoder_set_pixels_end` must be before finishing.
texel_png_decoder *texel_png_decoder_create(const texel_codec_input *input, const size_t *pixels,
                                            const texel_png_limits *limits, texel_should_stop should_stop,
                                            void *context);
/// Where the IDAT chunks end that the caller has read.
void texel_png_decoder_set_pixels_end(texel_png_decoder *decoder, size_t end);
/// Up to where the library has read the file.
size_t texel_png_decoder_position(const texel_png_decoder *decoder);
void texel_png_decoder_destroy(texel_png_decoder *decoder);
const texel_codec_report *texel_png_decoder_report(const texel_png_decoder *decoder);

/// Reads all chunks before the pixels.
texel_codec_status texel_png_decoder_read_header(texel_png_decoder *decoder, texel_png_header *header);

/// Begins decoding to BGRA, 8 bits, straight alpha.
texel_codec_status texel_png_decoder_start(texel_png_decoder *decoder);

/// Reads the next `count` rows of a picture that is not interlaced; `rows` holds count × bytes_per_row bytes.
texel_codec_status texel_png_decoder_read_rows(texel_png_decoder *decoder, uint8_t *rows, size_t bytes_per_row,
                                               int count, int *rows_read);

/// Reads a whole interlaced picture; `rows` holds height × bytes_per_row bytes.
texel_codec_status texel_png_decoder_read_interlaced(texel_png_decoder *decoder, uint8_t *rows,
                                                     size_t bytes_per_row);

/// Whether there is so much behind the last row that it was left, with a warning: the decoder must not read on then, and
/// the chunks behind the pixels are for another one.
bool texel_png_decoder_has_excess(const texel_png_decoder *decoder);

/// After the last row: reads the chunks behind the pixels.
texel_codec_status texel_png_decoder_finish(texel_png_decoder *decoder);

/// Between header and start: the palette's straight pixels 0xAARRGGBB. Returns how many there are.
int texel_png_decoder_palette(texel_png_decoder *decoder, uint32_t colors[256]);

// What the chunks said; each returns false where the file has none. Pointers belong to the decoder.

bool texel_png_decoder_gamma(texel_png_decoder *decoder, uint32_t *gamma);
/// White, red, green, blue as x, y pairs × 100,000.
bool texel_png_decoder_chromaticities(texel_png_decoder *decoder, int32_t values[8]);
bool texel_png_decoder_is_srgb(texel_png_decoder *decoder);
bool texel_png_decoder_profile(texel_png_decoder *decoder, const uint8_t **bytes, size_t *count);
bool texel_png_decoder_exif(texel_png_decoder *decoder, const uint8_t **bytes, size_t *count);
bool texel_png_decoder_density(texel_png_decoder *decoder, uint32_t *x, uint32_t *y, bool *is_per_metre);
int texel_png_decoder_text_count(texel_png_decoder *decoder);
bool texel_png_decoder_text(texel_png_decoder *decoder, int index, const char **keyword, const uint8_t **text,
                            size_t *count, bool *is_utf8);

/// How many bytes a zlib stream (of iCCP, zTXt, iTXt) becomes, counted up to `limit` + 1; a damaged one ends early.
size_t texel_png_inflated_size(const uint8_t *bytes, size_t count, size_t limit);

#endif
