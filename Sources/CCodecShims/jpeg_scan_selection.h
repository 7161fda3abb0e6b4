#ifndef JPEG_SCAN_SELECTION_H
#define JPEG_SCAN_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jpeglib.h>

/// A progressive file without the scans that a decoder at an eighth of the size never looks at: those of AC
/// coefficients, of components of which one pixel is made from each block.
typedef struct {
    struct jpeg_source_mgr manager; ///< first, so that cinfo->src is also a jpeg_scan_selection
    const uint8_t *end;             ///< of the file
    struct jpeg_byte_range *ranges; ///< what is left of it
    int count, capacity, next;
    bool is_dc_only[MAX_COMPONENTS]; ///< which components have only their DC coefficients
} jpeg_scan_selection;

/// Between reading the header and starting: leaves out what it can from here on, and then answers true. Files with
/// something unusual among their markers (no end marker, a scan that cannot be, more than `scan_limit` of them) are left
/// to the decoder, which then reads all of them.
bool jpeg_scan_selection_apply(jpeg_scan_selection *selection, j_decompress_ptr cinfo, int scan_limit);

void jpeg_scan_selection_free(jpeg_scan_selection *selection);

#endif
