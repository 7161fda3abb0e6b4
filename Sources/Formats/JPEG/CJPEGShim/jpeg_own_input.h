#ifndef JPEG_OWN_INPUT_H
#define JPEG_OWN_INPUT_H

#include <stdbool.h>
#include <stdio.h>

#include <jpeglib.h>

#include "jpeg_scan.h"
#include "jpeg_source.h"

/// The bytes of a scan, which Texel's own decoders read in place of libjpeg's.
typedef struct {
    jpeg_source *source;
    const uint8_t *start;
} jpeg_own_input;

/// Describes the bytes that libjpeg would read next. Returns false if more bytes may arrive that do not follow them in
/// memory. `input` must live as long as the description is used.
bool jpeg_own_input_open(jpeg_own_input *input, j_decompress_ptr cinfo, jpeg_source *source,
                         texel_scan_input *description);

/// Lets libjpeg continue `end` bytes after the start.
void jpeg_own_input_close(const jpeg_own_input *input, j_decompress_ptr cinfo, size_t end);

/// Leaves the fence if an own decoder stopped or refused.
void jpeg_own_check(j_decompress_ptr cinfo, texel_scan_status status);

/// Describes a code; a NULL table has no counts.
texel_scan_code jpeg_own_code(const JHUFF_TBL *table);

/// Returns the number of blocks of all components. libjpeg decodes small images in the time that the own decoders'
/// tables take.
size_t jpeg_own_block_count(j_decompress_ptr cinfo);

#endif
