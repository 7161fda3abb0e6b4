#ifndef JPEG_OWN_COEFFICIENTS_H
#define JPEG_OWN_COEFFICIENTS_H

#include <stdbool.h>
#include <stdio.h>

#include <jpeglib.h>

#include "jpeg_client.h"
#include "jpeg_coefficients.h"
#include "jpeg_own_input.h"

/// Texel's own decoder for the scans of a file whose coefficients libjpeg keeps: progressive files, files with several
/// scans, and all files that are read to coefficients. libjpeg reads the markers, checks the order of the scans, and
/// owns the arrays of coefficients.
typedef struct jpeg_own_coefficients {
    bool allows_small; ///< also images for which libjpeg is faster; set before it is connected

    /// Whether it decoded all scans so far.
    bool is_in_use;
    jpeg_source *source;
    jpeg_own_input input;
    texel_coefficient_decoder *decoder; ///< of a scan that was begun, or NULL
    bool was_read[MAX_COMPONENTS];      ///< the components of the scans of a sequential file
    /// For each block of a component, which coefficients are not 0; NULL before the first scan of AC coefficients.
    uint64_t *nonzero[MAX_COMPONENTS];
    // libjpeg's functions.
    void (*start_input_pass)(j_decompress_ptr cinfo);
    int (*consume_data)(j_decompress_ptr cinfo);
} jpeg_own_coefficients;

/// Lets the decoder read the scans that it accepts. Call between reading the header and reading the coefficients or
/// starting decompression. `cinfo->client_data` must be a `jpeg_client`.
void jpeg_own_coefficients_connect(jpeg_own_coefficients *own, j_decompress_ptr cinfo, jpeg_source *source);

/// Frees the memory that only reading needs, after all scans were read.
void jpeg_own_coefficients_finish(jpeg_own_coefficients *own);

/// Frees all memory. After it was connected, call only before the decompressor is freed.
void jpeg_own_coefficients_disconnect(jpeg_own_coefficients *own);

#endif
