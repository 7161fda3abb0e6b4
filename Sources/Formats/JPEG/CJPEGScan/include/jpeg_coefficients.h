#ifndef JPEG_COEFFICIENTS_H
#define JPEG_COEFFICIENTS_H

#include "jpeg_scan.h"

/// Decodes one scan of a JPEG file with Huffman codes to quantised coefficients: a scan of a progressive file, or one
/// of a sequential file.
///
/// Like the decoder of `jpeg_scan.h` it refuses whatever it does not expect. The caller then decodes the file with
/// libjpeg from the start, because some coefficients of the scan were already written.

enum {
    TEXEL_COEFFICIENT_COMPONENTS = 4, ///< the most in a scan
    TEXEL_COEFFICIENT_BLOCKS = 10,    ///< the most in an MCU
};

typedef struct {
    int horizontal, vertical; ///< blocks per MCU, across and down: 1 to 4
    int dc_code, ac_code;     ///< indices into the codes of the scan
} texel_coefficient_component;

typedef struct {
    bool is_progressive;
    int first, last;     ///< the coefficients of a progressive scan, in zigzag order
    int high_bit;        ///< the lowest bit that earlier scans had; 0 in the first scan of these coefficients
    int low_bit;         ///< the lowest bit that this scan has
    int component_count; ///< 1 to `TEXEL_COEFFICIENT_COMPONENTS`
    texel_coefficient_component components[TEXEL_COEFFICIENT_COMPONENTS];
    int mcus_per_row;
    int restart_interval; ///< in MCUs; 0 for none
    texel_scan_code dc_codes[TEXEL_SCAN_TABLES], ac_codes[TEXEL_SCAN_TABLES];
} texel_coefficient_scan;

/// A row of blocks of a component, with all blocks that its MCUs have.
typedef struct {
    int16_t (*blocks)[64]; ///< row by row
    /// For each block, bit k is set if its coefficient k in zigzag order is not 0. Progressive scans of AC coefficients
    /// read and update it; other scans ignore it, and bit 0.
    uint64_t *nonzero;
} texel_block_row;

typedef struct texel_coefficient_decoder texel_coefficient_decoder;

/// Creates a decoder.
///
/// Returns NULL and sets the status: `TEXEL_SCAN_REFUSED` if the scan or a code is not one that the decoder accepts, or
/// if memory runs out. No coefficient was written then.
texel_coefficient_decoder *texel_coefficient_decoder_create(const texel_coefficient_scan *scan,
                                                            const texel_scan_input *input, texel_scan_status *status);
/// Frees a decoder; NULL is allowed.
void texel_coefficient_decoder_destroy(texel_coefficient_decoder *decoder);

/// Decodes the next row of MCUs. `rows` has the rows of blocks in these MCUs, in the order of the components.
///
/// A sequential scan overwrites the blocks. A progressive scan changes them; before the first one they must be 0.
texel_scan_status texel_coefficient_decoder_read_row(texel_coefficient_decoder *decoder, const texel_block_row *rows);

/// Checks, after the last row, that the scan ends at a marker or at the end of the input, and sets the offset of that
/// position from the scan's first byte.
texel_scan_status texel_coefficient_decoder_finish(texel_coefficient_decoder *decoder, size_t *end);

#endif
