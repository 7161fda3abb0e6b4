#ifndef JPEG_SHIM_H
#define JPEG_SHIM_H

#include <stddef.h>
#include <stdint.h>

#include "codec_input.h"
#include "codec_report.h"

/// The layout of rows of samples in the caller's memory.
typedef enum {
    TEXEL_JPEG_BGRA, ///< four bytes per pixel; alpha is 255 when decoding, ignored when encoding
    TEXEL_JPEG_GRAY, ///< one byte per pixel
    TEXEL_JPEG_CMYK, ///< four bytes per pixel, as stored in the file (Adobe's are inverted)
    TEXEL_JPEG_RAW   ///< planes in the file's colour space and at its sampling
} texel_jpeg_layout;

/// The colour space of a file.
typedef enum {
    TEXEL_JPEG_COLOR_GRAY,
    TEXEL_JPEG_COLOR_YCBCR,
    TEXEL_JPEG_COLOR_RGB,
    TEXEL_JPEG_COLOR_CMYK,
    TEXEL_JPEG_COLOR_YCCK,
    TEXEL_JPEG_COLOR_OTHER
} texel_jpeg_color;

// MARK: Decoding

/// A decoder for one file.
typedef struct texel_jpeg_decoder texel_jpeg_decoder;

/// The properties that the frame header and markers declare.
typedef struct {
    int width, height, components;
    texel_jpeg_color color;
    bool has_multiple_scans;
} texel_jpeg_header;

/// Limits for a file; 0 means no limit.
typedef struct {
    int max_scans;
    int max_warnings;
    long max_bytes; ///< the memory that libjpeg may allocate
} texel_jpeg_limits;

/// Creates a decoder. The bytes must outlive it. Returns NULL if memory runs out.
texel_jpeg_decoder *texel_jpeg_decoder_create(const texel_codec_input *input, const texel_jpeg_limits *limits,
                                              texel_should_stop should_stop, void *context);
/// Frees a decoder; NULL is allowed.
void texel_jpeg_decoder_destroy(texel_jpeg_decoder *decoder);
/// Returns the offset of the next byte of the file that the decoder reads.
size_t texel_jpeg_decoder_position(const texel_jpeg_decoder *decoder);
/// Returns the report so far. It belongs to the decoder.
const texel_codec_report *texel_jpeg_decoder_report(const texel_jpeg_decoder *decoder);

/// Reads up to the first scan.
texel_codec_status texel_jpeg_decoder_read_header(texel_jpeg_decoder *decoder, texel_jpeg_header *header);

/// Lets the decoder skip the scans of a progressive file that do not change the result at 1/8 of the size. Call before
/// the start. Damage in skipped scans is not noticed.
void texel_jpeg_decoder_skip_scans(texel_jpeg_decoder *decoder);

/// Lets the decoder use up to `count` threads. Call before the start.
void texel_jpeg_decoder_use_threads(texel_jpeg_decoder *decoder, int count);

/// Which decoder reads the scans of a file. The samples and coefficients are the same.
typedef enum {
    TEXEL_JPEG_SCAN_FASTEST, ///< Texel's own, if it accepts the file and the image is not small
    TEXEL_JPEG_SCAN_OWN,     ///< Texel's own, if it accepts the file; libjpeg's otherwise
    TEXEL_JPEG_SCAN_LIBRARY, ///< libjpeg's
} texel_jpeg_scan_choice;

/// Chooses the decoder of the scans, to compare them. Call before the start.
void texel_jpeg_decoder_choose_scan(texel_jpeg_decoder *decoder, texel_jpeg_scan_choice choice);

/// Returns whether Texel's own decoder reads the scans. After a defect it no longer does.
bool texel_jpeg_decoder_uses_own_scan(const texel_jpeg_decoder *decoder);

/// Begins decoding at 1/`denominator` (1, 2, 4 or 8) of the size, and sets the size of the result.
texel_codec_status texel_jpeg_decoder_start(texel_jpeg_decoder *decoder, texel_jpeg_layout layout, int denominator,
                                            int *width, int *height);

/// Reads the next `count` rows. `rows` must hold count × bytes_per_row bytes. `rows_read` is also valid after a
/// failure.
texel_codec_status texel_jpeg_decoder_read_rows(texel_jpeg_decoder *decoder, uint8_t *rows, size_t bytes_per_row,
                                                int count, int *rows_read);

/// The layout of one component as stored in the file: no colour conversion, no upsampling.
typedef struct {
    int width, height;        ///< the samples that belong to the image
    size_t bytes_per_row;     ///< the bytes that a row's memory must hold: whole blocks
    int band_height;          ///< rows in each band: whole rows of blocks
    int horizontal_numerator; ///< width / image width, before rounding up, is numerator / denominator
    int horizontal_denominator;
    int vertical_numerator;
    int vertical_denominator;
} texel_jpeg_plane;

/// Begins decoding to planes at 1/`denominator` of the size. Writes one layout per component, up to
/// `TEXEL_JPEG_PLANES`.
enum { TEXEL_JPEG_PLANES = 4 };
texel_codec_status texel_jpeg_decoder_start_planes(texel_jpeg_decoder *decoder, int denominator,
                                                   texel_jpeg_plane *planes);

/// Reads the next band of every plane. `rows[i]` holds planes[i].band_height rows, `bytes_per_row[i]` apart, which is
/// at least the layout's. The number of bands is that of the tallest plane.
texel_codec_status texel_jpeg_decoder_read_planes(texel_jpeg_decoder *decoder, uint8_t *const *rows,
                                                  const size_t *bytes_per_row);

/// Reads to the end of the file, after the last row, to collect its warnings.
texel_codec_status texel_jpeg_decoder_finish(texel_jpeg_decoder *decoder);

/// Returns the marker that ends a scan's data, or NULL if it is not between `at` and `end`. In that case its first byte
/// may still be the last one before `end`.
const uint8_t *texel_jpeg_end_of_scan(const uint8_t *at, const uint8_t *end);

// MARK: Encoding

/// An encoder for one file.
typedef struct texel_jpeg_encoder texel_jpeg_encoder;

/// The parameters of a file.
typedef struct {
    int width, height;
    texel_jpeg_layout layout; ///< of the rows that the caller provides
    texel_jpeg_color color;   ///< the colour space of the file
    int quality;              ///< 1…100; ignored if there are tables
    int horizontal_sampling;  ///< of the first component: 1, 2 or 4; the others have 1
    int vertical_sampling;
    bool progressive;
    bool optimize_huffman;
    int restart_interval; ///< in MCUs; 0 for none
    int density_unit; ///< JFIF: 0 aspect ratio, 1 per inch, 2 per centimetre
    int density_x, density_y;
    const uint16_t *tables; ///< one table per component, the last for the rest: 64 steps, row by row, each ≥ 1
    int table_count;        ///< 0 for libjpeg's own tables, at most 4
} texel_jpeg_parameters;

/// Creates an encoder. Returns NULL if memory runs out.
texel_jpeg_encoder *texel_jpeg_encoder_create(texel_should_stop should_stop, void *context);
/// Frees an encoder; NULL is allowed.
void texel_jpeg_encoder_destroy(texel_jpeg_encoder *encoder);
/// Returns the report so far. It belongs to the encoder.
const texel_codec_report *texel_jpeg_encoder_report(const texel_jpeg_encoder *encoder);

/// Begins a file of rows or planes.
texel_codec_status texel_jpeg_encoder_start(texel_jpeg_encoder *encoder, const texel_jpeg_parameters *parameters);

/// One scan of a file (ITU-T T.81, B.2.3 and G.1.1.1).
typedef struct {
    int components;        ///< bit i is set if the scan contains component i
    int first, last;       ///< coefficients, in zigzag order
    int high_bit, low_bit; ///< the bit positions of successive approximation
} texel_jpeg_scan;

/// The quantised coefficients of a component.
typedef struct {
    const int16_t *blocks; ///< 64 words per block, row by row; must live until the file is finished
    int width, height;     ///< in blocks, without padding to whole MCUs
    int quantizer;         ///< the index of the quantisation table
} texel_jpeg_component;

/// The coefficients, tables and scans of a file.
typedef struct {
    const texel_jpeg_component *components; ///< one per component of the file's colour space
    const uint16_t *quantizers;             ///< tables of 64 factors, row by row, 1…255 each
    const texel_jpeg_scan *scans;
    int scan_count; ///< 0 for a single scan with everything
    /// For luma, then for chroma: a table of DC and one of AC coefficients, each with the number of codes of 1 to 16
    /// bits, then 256 symbols in the order of their codes. Read only if `optimize_huffman` is false.
    const uint8_t *huffman_tables;
    int huffman_table_pairs; ///< at most 2
} texel_jpeg_coefficients;

/// Begins a file of coefficients, which is finished without writing rows. `quality` and `progressive` are ignored.
texel_codec_status texel_jpeg_encoder_start_coefficients(texel_jpeg_encoder *encoder,
                                                         const texel_jpeg_parameters *parameters,
                                                         const texel_jpeg_coefficients *coefficients);
/// Writes a marker segment, between the start and the first row or the finish. `count` is at most 65,533.
texel_codec_status texel_jpeg_encoder_write_marker(texel_jpeg_encoder *encoder, int marker, const uint8_t *bytes,
                                                   size_t count);
/// Encodes the next `count` rows, `bytes_per_row` apart, in the layout of the parameters.
texel_codec_status texel_jpeg_encoder_write_rows(texel_jpeg_encoder *encoder, const uint8_t *rows,
                                                 size_t bytes_per_row, int count);
/// Encodes a band of every plane, for TEXEL_JPEG_RAW. A band is one row of MCUs: 8 × vertical sampling rows; the last
/// band may have fewer. `rows[i]` holds counts[i] ≥ 1 rows of whole blocks, `bytes_per_row[i]` apart. Samples right of
/// the image are overwritten with its last column.
texel_codec_status texel_jpeg_encoder_write_planes(texel_jpeg_encoder *encoder, uint8_t *const *rows,
                                                   const size_t *bytes_per_row, const int *counts);
/// Returns the number of bytes that are finished since the last call, and forgets them; 0 if they are fewer than
/// `least`. `bytes` belongs to the encoder and is valid until its next call.
size_t texel_jpeg_encoder_take(texel_jpeg_encoder *encoder, size_t least, const uint8_t **bytes);
/// Finishes the file. `bytes` are those that were not taken; they belong to the encoder and are freed with it.
texel_codec_status texel_jpeg_encoder_finish(texel_jpeg_encoder *encoder, const uint8_t **bytes, size_t *count);

// MARK: Moving coefficients

/// Reads the coefficients of a file and writes them, moved, to others.
typedef struct texel_jpeg_transcoder texel_jpeg_transcoder;

/// A rectangle of the stored image, optionally transposed, then optionally mirrored. The caller ensures that in each
/// component it begins at a whole block, ends at one on mirrored sides, and is inside the image.
typedef struct {
    int x, y, width, height;
    bool transposes;
    bool mirrors_x; ///< mirrors columns, after the transposition
    bool mirrors_y;
} texel_jpeg_move;

/// Creates a transcoder. The bytes must outlive it. Returns NULL if memory runs out.
texel_jpeg_transcoder *texel_jpeg_transcoder_create(const texel_codec_input *input, const texel_jpeg_limits *limits,
                                                    texel_should_stop should_stop, void *context);
/// Frees a transcoder; NULL is allowed.
void texel_jpeg_transcoder_destroy(texel_jpeg_transcoder *transcoder);
/// Returns the report so far. It belongs to the transcoder.
const texel_codec_report *texel_jpeg_transcoder_report(const texel_jpeg_transcoder *transcoder);

/// Chooses the decoder of the scans, to compare them. Call before reading.
void texel_jpeg_transcoder_choose_scan(texel_jpeg_transcoder *transcoder, texel_jpeg_scan_choice choice);

/// Returns whether Texel's own decoder read the scans.
bool texel_jpeg_transcoder_uses_own_scan(const texel_jpeg_transcoder *transcoder);

/// Reads the coefficients of the whole file.
texel_codec_status texel_jpeg_transcoder_read(texel_jpeg_transcoder *transcoder, bool *is_progressive);

/// Copies the blocks of a component, row by row, after the file was read.
///
/// `blocks` has room for `width * height` blocks of 64 words, and `steps` for 64 words.
///
/// Fails if the component does not have exactly `width` × `height` blocks, or has no quantisation table.
texel_codec_status texel_jpeg_transcoder_copy(const texel_jpeg_transcoder *transcoder, int component, int16_t *blocks,
                                              int width, int height, uint16_t *steps);

/// Begins a file with the moved coefficients and no application segments; may be called again after a finish. Huffman
/// tables are optimised if requested, or if the source's own are not the standard's examples (ITU-T T.81, annex K.3).
texel_codec_status texel_jpeg_transcoder_start(texel_jpeg_transcoder *transcoder, const texel_jpeg_move *move,
                                               bool progressive, bool optimize_huffman);
/// Writes a marker segment, between start and finish. `count` is at most 65,533.
texel_codec_status texel_jpeg_transcoder_write_marker(texel_jpeg_transcoder *transcoder, int marker,
                                                      const uint8_t *bytes, size_t count);
/// Finishes the file. `bytes` belongs to the transcoder and is valid until the next start.
texel_codec_status texel_jpeg_transcoder_finish(texel_jpeg_transcoder *transcoder, const uint8_t **bytes,
                                                size_t *count);

/// Returns the version of the libjpeg-turbo headers Texel was built with; the library has no function for it. The
/// string is never freed.
const char *texel_libjpeg_version(void);

#endif
