#ifndef JPEG_OWN_SCAN_H
#define JPEG_OWN_SCAN_H

#include <stdbool.h>
#include <stdio.h>

#include <jpeglib.h>

#include "jpeg_client.h"
#include "jpeg_own_input.h"
#include "jpeg_scan.h"

/// Texel's own decoder for the scan of a file, in place of libjpeg's Huffman decoder and inverse transform. libjpeg
/// reads the headers before it, and upsamples and converts the samples that it makes.
typedef struct jpeg_own_scan {
    // Set before it is connected.
    int threads;       ///< 2 or more: another thread may help
    bool allows_small; ///< also images for which libjpeg is faster

    texel_scan_decoder *decoder; ///< NULL if it is not connected
    jpeg_own_input input;
    int rows_per_call; ///< rows of MCUs
    uint8_t *bands[TEXEL_SCAN_COMPONENTS]; ///< the samples of a row of MCUs, where libjpeg's rows are not in order
} jpeg_own_scan;

/// Lets the decoder provide the samples of the file, if it is one that it accepts. Call after decompression was
/// started, and before the first row. `cinfo->client_data` must be a `jpeg_client`.
void jpeg_own_scan_connect(jpeg_own_scan *scan, j_decompress_ptr cinfo, jpeg_source *source);

/// Frees the decoder. After it was connected, call only before the decompression is begun anew or the decompressor
/// freed.
void jpeg_own_scan_disconnect(jpeg_own_scan *scan);

#endif
