#ifndef PNG_SHIM_H
#define PNG_SHIM_H

#include <stddef.h>
#include <stdint.h>

#include "codec_input.h"
#include "codec_report.h"

/// A decoder for one file.
typedef struct texel_png_decoder texel_png_decoder;

/// Limits for a file.
typedef struct {
    uint32_t max_width, max_height;
    size_t max_chunk_bytes; ///< of one ancillary chunk, after inflating
    uint32_t max_chunks;    ///< the number of ancillary chunks that are kept
    int max_warnings;
} texel_png_limits;

/// The properties that IHDR and tRNS declare.
typedef struct {
    uint32_t width, height;
    int bit_depth, color_type; ///< as in IHDR
    bool is_interlaced;
    bool has_transparency; ///< an alpha channel or a tRNS chunk
} texel_png_header;

/// Creates a decoder. The bytes must outlive it. Returns NULL if memory runs out.
///
/// `pixels`, if not NULL, is the position of the IDAT chunks in the file. libpng then sees an empty IDAT chunk instead:
/// it reads the other chunks, and the caller reads the pixels. In this mode no function that reads rows may be called,
/// and `texel_png_decoder_set_pixels_end` must be called before finishing.
texel_png_decoder *texel_png_decoder_create(const texel_codec_input *input, const size_t *pixels,
                                            const texel_png_limits *limits, texel_should_stop should_stop,
                                            void *context);
/// Sets the position at which the IDAT chunks end, after the caller has read them.
void texel_png_decoder_set_pixels_end(texel_png_decoder *decoder, size_t end);
/// Returns the position up to which libpng has read the file.
size_t texel_png_decoder_position(const texel_png_decoder *decoder);
/// Frees a decoder; NULL is allowed.
void texel_png_decoder_destroy(texel_png_decoder *decoder);
/// Returns the report so far. It belongs to the decoder.
const texel_codec_report *texel_png_decoder_report(const texel_png_decoder *decoder);

/// Reads all chunks before the pixels.
texel_codec_status texel_png_decoder_read_header(texel_png_decoder *decoder, texel_png_header *header);

/// Begins decoding to BGRA with 8 bits per channel and straight alpha; samples of 16 bits are rounded, or dithered.
texel_codec_status texel_png_decoder_start(texel_png_decoder *decoder, bool dithers);

/// Reads the next `count` rows of an image that is not interlaced. `rows` holds count × bytes_per_row bytes.
texel_codec_status texel_png_decoder_read_rows(texel_png_decoder *decoder, uint8_t *rows, size_t bytes_per_row,
                                               int count, int *rows_read);

/// Reads a whole interlaced image. `rows` holds height × bytes_per_row bytes.
texel_codec_status texel_png_decoder_read_interlaced(texel_png_decoder *decoder, uint8_t *rows,
                                                     size_t bytes_per_row);

/// Returns whether so much data follows the last row that the rest was skipped, with a warning. This decoder must not
/// read further then; chunks after the pixels need another one.
bool texel_png_decoder_has_excess(const texel_png_decoder *decoder);

/// Reads the chunks after the pixels, after the last row.
texel_codec_status texel_png_decoder_finish(texel_png_decoder *decoder);

/// Returns the number of palette entries and stores them as straight pixels 0xAARRGGBB. Call between header and start.
int texel_png_decoder_palette(texel_png_decoder *decoder, uint32_t colors[256]);

/// Returns the number of samples of the transparent colour, 0 without one, and stores them at the file's bit depth.
/// Call between header and start.
int texel_png_decoder_color_key(texel_png_decoder *decoder, uint16_t key[3]);

// The contents of chunks. Each function returns false if the file has no such chunk. Pointers belong to the decoder.

/// The value of gAMA: the exponent × 100,000.
bool texel_png_decoder_gamma(texel_png_decoder *decoder, uint32_t *gamma);
/// White, red, green and blue as x, y pairs, times 100,000.
bool texel_png_decoder_chromaticities(texel_png_decoder *decoder, int32_t values[8]);
/// Returns whether the file has an sRGB chunk.
bool texel_png_decoder_is_srgb(texel_png_decoder *decoder);
/// The inflated profile of iCCP.
bool texel_png_decoder_profile(texel_png_decoder *decoder, const uint8_t **bytes, size_t *count);
/// The contents of eXIf, before or after the pixels.
bool texel_png_decoder_exif(texel_png_decoder *decoder, const uint8_t **bytes, size_t *count);
/// The contents of pHYs: pixels per unit; the unit is unknown if `is_per_metre` is false.
bool texel_png_decoder_density(texel_png_decoder *decoder, uint32_t *x, uint32_t *y, bool *is_per_metre);
/// Returns the number of text entries before and after the pixels.
int texel_png_decoder_text_count(texel_png_decoder *decoder);
/// Text entry `index`: keyword and text, in UTF-8 for iTXt, otherwise in Latin-1.
bool texel_png_decoder_text(texel_png_decoder *decoder, int index, const char **keyword, const uint8_t **text,
                            size_t *count, bool *is_utf8);

/// Returns the inflated size of a zlib stream (of iCCP, zTXt or iTXt), or `limit` + 1 if it is larger than `limit`. A
/// damaged stream is counted up to the damage; `is_complete` is then false.
size_t texel_png_inflated_size(const uint8_t *bytes, size_t count, size_t limit, bool *is_complete);

/// A part of a zlib stream.
typedef struct {
    const uint8_t *bytes;
    size_t count;
} texel_png_part;

/// Returns whether a distance in the first `limit` bytes of an inflated stream exceeds the window that the stream
/// declares. Distances that exceed it by less than 256 bytes may be missed.
bool texel_png_exceeds_window(const texel_png_part *parts, size_t count, size_t limit);

/// Returns the version of the loaded libpng. The string is never freed.
const char *texel_libpng_version(void);
/// Returns the version of the loaded zlib. The string is never freed.
const char *texel_zlib_version(void);

#endif
