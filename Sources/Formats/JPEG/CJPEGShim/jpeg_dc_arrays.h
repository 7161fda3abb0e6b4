#ifndef JPEG_DC_ARRAYS_H
#define JPEG_DC_ARRAYS_H

#include <stdbool.h>
#include <stdio.h>

#include <jpeglib.h>

#include "jpeg_client.h"

/// Replaces the array functions of libjpeg's memory manager for components whose DC coefficients alone are read. Keeps
/// these at two bytes per block instead of 128, and expands them to blocks for one row of MCUs at a time.
typedef struct jpeg_dc_arrays jpeg_dc_arrays;

/// Installs the replacement, before decompression starts. `is_dc_only` has one entry per component. All memory is
/// allocated in libjpeg's image pool. `cinfo->client_data` must be a `jpeg_client`.
void jpeg_dc_arrays_apply(j_decompress_ptr cinfo, const bool *is_dc_only);

/// Whether an array of coefficients is such a replacement. False if nothing was installed.
bool jpeg_dc_arrays_own(j_decompress_ptr cinfo, jvirt_barray_ptr array);

#endif
