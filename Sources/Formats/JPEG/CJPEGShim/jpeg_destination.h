#ifndef JPEG_DESTINATION_H
#define JPEG_DESTINATION_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jpeglib.h>

/// One block of memory whose size doubles when it is full. jpeg_mem_dest also copies at each doubling, and leaves
/// unclear who owns the block after a failure.
typedef struct {
    struct jpeg_destination_mgr manager; ///< first, so that cinfo->dest is also a jpeg_destination
    uint8_t *bytes;                      ///< freed by the owner of this struct
    size_t count, capacity;              ///< `count` is valid once the image is finished
} jpeg_destination;

/// Connects an empty destination.
void jpeg_destination_prepare(jpeg_destination *destination, j_compress_ptr cinfo);

/// Returns the number of bytes that the library has written so far.
size_t jpeg_destination_count(const jpeg_destination *destination);

/// Forgets the bytes so far, so that the next ones overwrite them. Not while the library is writing.
void jpeg_destination_restart(jpeg_destination *destination);

#endif
