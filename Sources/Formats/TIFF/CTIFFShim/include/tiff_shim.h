#ifndef TIFF_SHIM_H
#define TIFF_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec_report.h"

// MARK: The library

/// Loads libtiff. Only after this has returned true may the other functions be called; if it returns false, `message`
/// has the reason.
bool texel_tiff_load(char message[TEXEL_CODEC_MESSAGE_SIZE]);
/// Returns the file that libtiff was loaded from.
const char *texel_tiff_path(void);
/// Returns a text that begins with "LIBTIFF, Version " and the version.
const char *texel_tiff_version(void);
/// Returns whether libtiff was built with a compression, by its number in TIFF files.
bool texel_tiff_has_compression(uint16_t compression);

// MARK: Decoding

/// The file that libtiff sees: a header and a directory that the caller has made, followed by the bytes of a real file.
/// The memory must outlive the decoder.
typedef struct {
    const uint8_t *head;
    size_t head_count;
    const uint8_t *bytes;
    size_t count; ///< how many of `bytes` may be read now; may grow
} texel_tiff_input;

/// A decoder of the strips or tiles of one directory.
typedef struct texel_tiff_decoder texel_tiff_decoder;

/// Creates a decoder.
///
/// `max_allocation` is the largest block of memory that libtiff may allocate. `converts_to_rgb` makes libtiff convert
/// JPEG's YCbCr to RGB. `status` receives the result; on failure the function returns NULL, and `report` has the
/// message.
texel_tiff_decoder *texel_tiff_decoder_create(const texel_tiff_input *input, size_t max_allocation,
                                              bool converts_to_rgb, texel_codec_status *status,
                                              texel_codec_report *report);

/// Frees a decoder; NULL is allowed.
void texel_tiff_decoder_destroy(texel_tiff_decoder *decoder);

/// Sets how many of the input's bytes may be read.
void texel_tiff_decoder_set_count(texel_tiff_decoder *decoder, size_t count);

/// Decodes row `row` of a file of strips into `buffer`. Rows must be read in rising order; the first row of a strip may
/// be read after a failure in the strip before. Fails if a row does not have `count` bytes.
texel_codec_status texel_tiff_decoder_read_row(texel_tiff_decoder *decoder, uint32_t row, uint8_t *buffer,
                                               size_t count);

/// Decodes a tile into `buffer`. Fails if a tile does not have `count` bytes.
texel_codec_status texel_tiff_decoder_read_tile(texel_tiff_decoder *decoder, uint32_t index, uint8_t *buffer,
                                                size_t count);

/// Returns the errors and warnings so far.
const texel_codec_report *texel_tiff_decoder_report(const texel_tiff_decoder *decoder);

// MARK: Encoding

/// How an image is stored.
typedef struct {
    uint32_t width;
    uint32_t height;
    uint32_t rows_per_strip;
    uint16_t samples;    ///< 1: grey, 3: RGB, 4: RGB and unassociated alpha; 8 bits each
    bool is_jpeg;        ///< JPEG, otherwise deflate
    bool has_predictor;  ///< whether deflate stores differences of neighbours
    int level;           ///< of deflate, 1 to 9
    int quality;         ///< of JPEG, 1 to 100
    uint16_t horizontal; ///< luma samples per chroma sample in a row
    uint16_t vertical;   ///< luma samples per chroma sample in a column
    bool is_big_endian;
} texel_tiff_config;

typedef struct texel_tiff_encoder texel_tiff_encoder;

/// Returns NULL if memory runs out or libtiff refuses the configuration; `report` then has the message, unless memory
/// ran out.
texel_tiff_encoder *texel_tiff_encoder_create(const texel_tiff_config *config, texel_codec_report *report);
void texel_tiff_encoder_destroy(texel_tiff_encoder *encoder);

/// Compresses the next strip, `count` bytes of rows without padding. libtiff may change the rows.
texel_codec_status texel_tiff_encoder_write_strip(texel_tiff_encoder *encoder, uint32_t index, uint8_t *rows,
                                                  size_t count, texel_codec_report *report);

/// Writes the directory. `bytes` and `count` receive the file, which belongs to the encoder.
texel_codec_status texel_tiff_encoder_finish(texel_tiff_encoder *encoder, const uint8_t **bytes, size_t *count,
                                             texel_codec_report *report);

#endif
