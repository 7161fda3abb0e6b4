#ifndef JPEG_DESTINATION_H
#define JPEG_DESTINATION_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jpeglib.h>

/// One block of memory that doubles. jpeg_mem_dest would copy at each doubling as well, and would not tell who owns
/// the block after a failure.
typedef struct {
    struct jpeg_destination_mgr manager; ///< first, so that cinfo->dest is also a jpeg_destination
    uint8_t *bytes;                      ///< the owner's to free
    size_t count, capacity;              ///< `count` is true once the picture is finished
} jpeg_destination;

/// Connects an empty destination.
void jpeg_destination_prepare(jpeg_destination *destination, j_compress_ptr cinfo);

#endif
