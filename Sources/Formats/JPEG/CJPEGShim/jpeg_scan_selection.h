#ifndef JPEG_SCAN_SELECTION_H
#define JPEG_SCAN_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jpeglib.h>

/// A source for a progressive file that leaves out the scans that do not affect decoding at 1/8 of the size: scans of
/// AC coefficients of components whose blocks each become one pixel.
typedef struct {
    struct jpeg_source_mgr manager; ///< first, so that cinfo->src is also a jpeg_scan_selection
    const uint8_t *end;             ///< the end of the file
    struct jpeg_byte_range *ranges; ///< the parts of the file that are read
    int count, capacity, next;
    bool is_dc_only[MAX_COMPONENTS]; ///< the components of which only DC coefficients are read
} jpeg_scan_selection;

/// Installs the selection if any scan from here on can be left out, and returns whether it did. Call between reading
/// the header and starting. Returns false for files with unusual markers (no end marker, an invalid scan, more than
/// `scan_limit` scans); the decoder then reads all scans.
bool jpeg_scan_selection_apply(jpeg_scan_selection *selection, j_decompress_ptr cinfo, int scan_limit);

/// Frees the memory of a selection, not the selection itself.
void jpeg_scan_selection_free(jpeg_scan_selection *selection);

#endif
