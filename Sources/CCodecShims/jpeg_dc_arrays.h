#ifndef JPEG_DC_ARRAYS_H
#define JPEG_DC_ARRAYS_H

#include <stdbool.h>
#include <stdio.h>

#include <jpeglib.h>

/// Stands in for libjpeg's memory manager where of some components only DC coefficients are read: these are kept at two
/// bytes a block instead of 128, and blocks are made of them for one row of MCUs at a time.
typedef struct jpeg_dc_arrays jpeg_dc_arrays;

/// Before starting; `is_dc_only` has an entry for each component. Lives in libjpeg's pool for the picture.
void jpeg_dc_arrays_apply(j_decompress_ptr cinfo, const bool *is_dc_only);

#endif
