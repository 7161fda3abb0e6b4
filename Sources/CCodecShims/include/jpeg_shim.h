#ifndef JPEG_SHIM_H
#define JPEG_SHIM_H

#include <stddef.h>
#include <stdint.h>

#include "codec_input.h"
#include "codec_report.h"

/// How rows of samples lie in memory, on our side of the fence.
typedef enum {
    TEXEL_JPEG_BGRA, ///< four bytes a pixel; alpha is 255 when decoding, ignored when encoding
    TEXEL_JPEG_GRAY, ///< one byte a pixel
    TEXEL_JPEG_CMYK, ///< four bytes a pixel, as the file has them (Adobe's are inverted)
    TEXEL_JPEG_RAW   ///< planes, already in the file's colours and at its sampling
} texel_jpeg_layout;

typedef enum {
    TEXEL_JPEG_COLOR_GRAY,
    TEXEL_JPEG_COLOR_YCBCR,
    TEXEL_JPEG_COLOR_RGB,
    TEXEL_JPEG_COLOR_CMYK,
    TEXEL_JPEG_COLOR_YCCK,
    TEXEL_JPEG_COLOR_OTHER
} texel_jpeg_color;

// MARK: Decoding

typedef struct texel_jpeg_decoder texel_jpeg_decoder;

typedef struct {
    int width, height, components;
    texel_jpeg_color color;
    bool has_adobe_marker;
    bool has_multiple_scans;
} texel_jpeg_header;

/// What a file may ask for; 0 for no limit.
typedef struct {
    int max_scans;
    int max_warnings;
    long max_bytes; ///< that the library may take for itself
} texel_jpeg_limits;

/// The bytes must outlive the decoder. Returns NULL without memory.
texel_jpeg_decoder *texel_jpeg_decoder_create(const texel_codec_input *input, const texel_jpeg_limits *limits,
                                              texel_should_stop should_stop, void *context);
void texel_jpeg_decoder_destroy(texel_jpeg_decoder *decoder);
const texel_codec_report *texel_jpeg_decoder_report(const texel_jpeg_decoder *decoder);

texel_codec_status texel_jpeg_decoder_read_header(texel_jpeg_decoder *decoder, texel_jpeg_header *header);

/// Before the start: scans of a progressive file that do not change the result at 1/8 of the size need not be read.
/// Damage in them goes unnoticed.
void texel_jpeg_decoder_skip_scans(texel_jpeg_decoder *decoder);

/// Begins decoding at 1/`denominator` (1, 2, 4 or 8) of the size, and says how large the result is.
texel_codec_status texel_jpeg_decoder_start(texel_jpeg_decoder *decoder, texel_jpeg_layout layout, int denominator,
                                            int *width, int *height);

/// Reads the next `count` rows; the caller has made sure that `rows` holds count × bytes_per_row bytes.
/// `rows_read` is true also after a failure.
texel_codec_status texel_jpeg_decoder_read_rows(texel_jpeg_decoder *decoder, uint8_t *rows, size_t bytes_per_row,
                                                int count, int *rows_read);

/// One component as the file has it: no colour conversion, no upsampling.
typedef struct {
    int width, height;        ///< the samples that belong to the picture
    size_t bytes_per_row;     ///< what a row's memory must hold: whole blocks
    int band_height;          ///< rows in each band: whole rows of blocks
    int horizontal_numerator; ///< width / image width, before rounding up, is numerator / denominator
    int horizontal_denominator;
    int vertical_numerator;
    int vertical_denominator;
} texel_jpeg_plane;

/// Begins decoding to planes at 1/`denominator` of the size; writes up to `TEXEL_JPEG_PLANES` layouts.
enum { TEXEL_JPEG_PLANES = 4 };
texel_codec_status texel_jpeg_decoder_start_planes(texel_jpeg_decoder *decoder, int denominator,
                                                   texel_jpeg_plane *planes);

/// Reads the next band of every plane. `rows[i]` holds planes[i].band_height rows, `bytes_per_row[i]` apart, which is
/// at least what the layout asks for. There are as many bands as the tallest plane needs.
texel_codec_status texel_jpeg_decoder_read_planes(texel_jpeg_decoder *decoder, uint8_t *const *rows,
                                                  const size_t *bytes_per_row);

/// After the last row: reads on to the end of the file, for its warnings.
texel_codec_status texel_jpeg_decoder_finish(texel_jpeg_decoder *decoder);

/// The marker that ends a scan's data, or NULL where it is not among the bytes from `at` to `end`. It may then begin at
/// the last of them.
const uint8_t *texel_jpeg_end_of_scan(const uint8_t *at, const uint8_t *end);

// MARK: Encoding

typedef struct texel_jpeg_encoder texel_jpeg_encoder;

typedef struct {
    int width, height;
    texel_jpeg_layout layout; ///< of the rows that will be handed over
    texel_jpeg_color color;   ///< of the file
    int quality;              ///< 1…100; ignored if there are tables
    int horizontal_sampling;  ///< of the first component: 1, 2 or 4; the others have 1
    int vertical_sampling;
    bool progressive;
    bool optimize_huffman;
    int density_unit; ///< JFIF: 0 aspect ratio, 1 per inch, 2 per centimetre
    int density_x, density_y;
    const uint16_t *tables; ///< 64 steps each, row by row, 1 or more: one for each component, the last for all others
    int table_count;        ///< 0 for libjpeg's own tables, at most 4
} texel_jpeg_parameters;

texel_jpeg_encoder *texel_jpeg_encoder_create(texel_should_stop should_stop, void *context);
void texel_jpeg_encoder_destroy(texel_jpeg_encoder *encoder);
const texel_codec_report *texel_jpeg_encoder_report(const texel_jpeg_encoder *encoder);

texel_codec_status texel_jpeg_encoder_start(texel_jpeg_encoder *encoder, const texel_jpeg_parameters *parameters);

/// One scan of a file (ITU-T T.81, B.2.3 and G.1.1.1).
typedef struct {
    int components;        ///< bit i: component i is in it
    int first, last;       ///< coefficients, in zigzag order
    int high_bit, low_bit; ///< the successive approximation's bit positions
} texel_jpeg_scan;

/// The quantised coefficients of a component.
typedef struct {
    const int16_t *blocks; ///< 64 words a block, row by row; they must live until the file is finished
    int width, height;     ///< in blocks: as many as the component's part of the picture needs
    int quantizer;         ///< which of the tables
} texel_jpeg_component;

typedef struct {
    const texel_jpeg_component *components; ///< as many as the file's colours have
    const uint16_t *quantizers;             ///< tables of 64 factors, row by row, 1…255 each
    const texel_jpeg_scan *scans;
    int scan_count; ///< 0 for a single one of everything
} texel_jpeg_coefficients;

/// Begins a file of coefficients, to be finished without a row. Of the parameters, quality and progressive say nothing.
texel_codec_status texel_jpeg_encoder_start_coefficients(texel_jpeg_encoder *encoder,
                                                         const texel_jpeg_parameters *parameters,
                                                         const texel_jpeg_coefficients *coefficients);
/// Between start and the first row, or the end; `count` is at most 65,533.
texel_codec_status texel_jpeg_encoder_write_marker(texel_jpeg_encoder *encoder, int marker, const uint8_t *bytes,
                                                   size_t count);
texel_codec_status texel_jpeg_encoder_write_rows(texel_jpeg_encoder *encoder, const uint8_t *rows,
                                                 size_t bytes_per_row, int count);
/// For TEXEL_JPEG_RAW: a band of every plane, `band_height` rows of blocks high (8 × vertical sampling, the last band may
/// have fewer rows). `rows[i]` holds counts[i] ≥ 1 rows, `bytes_per_row[i]` apart, of whole blocks each; what lies
/// right of the picture in them is overwritten with its last column.
texel_codec_status texel_jpeg_encoder_write_planes(texel_jpeg_encoder *encoder, uint8_t *const *rows,
                                                   const size_t *bytes_per_row, const int *counts);
/// `bytes` belongs to the encoder and lives as long as it does.
texel_codec_status texel_jpeg_encoder_finish(texel_jpeg_encoder *encoder, const uint8_t **bytes, size_t *count);

// MARK: Moving coefficients

typedef struct texel_jpeg_transcoder texel_jpeg_transcoder;

/// A rectangle of the stored picture, transposed or not, then mirrored or not. The caller has made sure that each
/// component's part begins at a whole block, on mirrored sides ends at one, and lies inside the picture.
typedef struct {
    int x, y, width, height;
    bool transposes;
    bool mirrors_x; ///< columns, after the transposition
    bool mirrors_y;
} texel_jpeg_move;

/// The bytes must outlive the transcoder. Returns NULL without memory.
texel_jpeg_transcoder *texel_jpeg_transcoder_create(const texel_codec_input *input, const texel_jpeg_limits *limits,
                                                    texel_should_stop should_stop, void *context);
void texel_jpeg_transcoder_destroy(texel_jpeg_transcoder *transcoder);
const texel_codec_report *texel_jpeg_transcoder_report(const texel_jpeg_transcoder *transcoder);

/// Reads the whole file.
texel_codec_status texel_jpeg_transcoder_read(texel_jpeg_transcoder *transcoder, bool *is_progressive);

/// Copies the blocks of a component, row after row, after the file was read.
///
/// `blocks` has room for `width * height` blocks of 64 words, and `steps` for 64.
///
/// Fails if the component has not just so many blocks across and down, or no quantisation table.
texel_codec_status texel_jpeg_transcoder_copy(const texel_jpeg_transcoder *transcoder, int component, int16_t *blocks,
                                              int width, int height, uint16_t *steps);

/// Begins a file with the moved coefficients and no application segment; may be called again after a finish. Huffman
/// tables are optimised on demand, and where the source's own are not the standard's examples (ITU-T T.81, annex K.3).
texel_codec_status texel_jpeg_transcoder_start(texel_jpeg_transcoder *transcoder, const texel_jpeg_move *move,
                                               bool progressive, bool optimize_huffman);
/// Between start and finish; `count` is at most 65,533.
texel_codec_status texel_jpeg_transcoder_write_marker(texel_jpeg_transcoder *transcoder, int marker,
                                                      const uint8_t *bytes, size_t count);
/// `bytes` belongs to the transcoder and lives until its next start.
texel_codec_status texel_jpeg_transcoder_finish(texel_jpeg_transcoder *transcoder, const uint8_t **bytes,
                                                size_t *count);

#endif
