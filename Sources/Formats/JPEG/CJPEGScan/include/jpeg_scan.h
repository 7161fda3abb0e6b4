#ifndef JPEG_SCAN_H
#define JPEG_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Decodes the scan of a baseline JPEG file to planes of samples: Huffman codes, dequantisation and inverse transform.
///
/// It is for files without surprises. Whatever it does not expect, in the file's structure or in its data, it refuses,
/// and the caller decodes the file with libjpeg. What it accepts has the same samples as libjpeg-turbo makes with its
/// accurate integer transform.

enum {
    TEXEL_SCAN_COMPONENTS = 3,
    TEXEL_SCAN_TABLES = 4,
};

/// A Huffman code as the file describes it (ITU-T T.81, B.2.4.2).
typedef struct {
    const uint8_t *counts;  ///< 16 numbers: how many codes have 1…16 bits
    const uint8_t *symbols; ///< as many symbols as there are codes, at most 256; in the order of the codes
} texel_scan_code;

typedef struct {
    int width, height;        ///< in blocks, without those that only fill the last MCUs
    int horizontal, vertical; ///< blocks per MCU, across and down: 1 or 2
    int block_size;           ///< the samples that a block becomes, across and down: 8, 4, 2 or 1; 0 for none
    int dc_code, ac_code;     ///< indices into the codes of the layout
    const uint16_t *steps;    ///< of quantisation, row by row: 64
} texel_scan_component;

typedef struct {
    texel_scan_component components[TEXEL_SCAN_COMPONENTS];
    int component_count; ///< 1 or 3
    int mcus_per_row, mcu_rows;
    int restart_interval; ///< in MCUs; 0 for none
    texel_scan_code dc_codes[TEXEL_SCAN_TABLES], ac_codes[TEXEL_SCAN_TABLES];
} texel_scan_layout;

/// The bytes of the file from the first one of the scan.
typedef struct {
    const uint8_t *bytes;
    size_t count; ///< that are there
    /// Waits until more than `known` bytes are there or the file has ended, and returns how many there are; NULL if all
    /// are there. Less than `known` stands for a request to stop.
    size_t (*wait)(void *context, size_t known);
    void *context;
} texel_scan_input;

typedef enum {
    TEXEL_SCAN_OK,
    TEXEL_SCAN_REFUSED, ///< decode the file with libjpeg
    TEXEL_SCAN_STOPPED,
} texel_scan_status;

typedef struct texel_scan_decoder texel_scan_decoder;

/// Creates a decoder. With more than one of the `threads`, a second one decodes parts of a large scan that is there as
/// a whole. The samples are the same.
///
/// Returns NULL and sets the status: `TEXEL_SCAN_REFUSED` if the layout or a code is not one that the decoder accepts,
/// or if memory runs out.
texel_scan_decoder *texel_scan_decoder_create(const texel_scan_layout *layout, const texel_scan_input *input,
                                              int threads, texel_scan_status *status);
/// Frees a decoder; NULL is allowed.
void texel_scan_decoder_destroy(texel_scan_decoder *decoder);

/// Decodes the next row of MCUs.
///
/// `rows[i]` holds the rows of component i that the MCUs have, `bytes_per_row[i]` apart and at least
/// width × block_size bytes each. Blocks that are not part of the image are not written. `rows[i]` may be NULL if the
/// block size is 0.
texel_scan_status texel_scan_decoder_read_row(texel_scan_decoder *decoder, uint8_t *const *rows,
                                              const size_t *bytes_per_row);

/// Returns the offset of the next byte of the scan that the decoder reads.
size_t texel_scan_decoder_position(const texel_scan_decoder *decoder);

/// Checks, after the last row, that the scan ends as it should, and sets the offset of the end-of-image marker from the
/// scan's first byte. If the file ends at the last byte of the scan, that is the number of its bytes.
texel_scan_status texel_scan_decoder_finish(texel_scan_decoder *decoder, size_t *end);

#endif
