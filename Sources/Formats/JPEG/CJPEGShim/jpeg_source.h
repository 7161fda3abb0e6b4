#ifndef JPEG_SOURCE_H
#define JPEG_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <jpeglib.h>

#include "codec_input.h"

/// A libjpeg source that reads from memory to which more bytes may be appended.
typedef struct {
    struct jpeg_source_mgr manager; ///< first, so that cinfo->src is also a jpeg_source
    texel_codec_input input;        ///< `count` is the number of bytes that libjpeg knows of
    size_t arrived;                 ///< the number of bytes of the file that are known to be there
    bool divides;                   ///< whether libjpeg sees the rest of the file in small pieces
} jpeg_source;

/// Connects the source to a decompressor whose error manager is a jpeg_fence, before the header is read. Complete files
/// use libjpeg's own memory source.
void jpeg_source_connect(jpeg_source *source, j_decompress_ptr cinfo, const texel_codec_input *input);

/// Implements `skip_input_data` with `fill_input_buffer`, for other source managers.
void jpeg_source_skip(j_decompress_ptr cinfo, long count);

/// Gives libjpeg an end marker to read, after it has used all bytes; for other source managers.
void jpeg_source_end(j_decompress_ptr cinfo);

/// Gives libjpeg the rest of the file in small pieces if the file has sequential Huffman codes. To be called after the
/// header was read, if libjpeg decodes the scans. With more bytes, libjpeg-turbo uses loops that do not report invalid
/// codes.
void jpeg_source_divide(jpeg_source *source, j_decompress_ptr cinfo);

/// Waits for all bytes and makes them one contiguous buffer for libjpeg.
void jpeg_source_wait_for_end(jpeg_source *source, j_decompress_ptr cinfo);

#endif
