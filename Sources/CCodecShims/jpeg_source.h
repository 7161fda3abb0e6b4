#ifndef JPEG_SOURCE_H
#define JPEG_SOURCE_H

#include <stddef.h>
#include <stdio.h>

#include <jpeglib.h>

#include "codec_input.h"

/// Where libjpeg reads: memory, of which more may come.
typedef struct {
    struct jpeg_source_mgr manager; ///< first, so that cinfo->src is also a jpeg_source
    texel_codec_input input;        ///< `count` is what libjpeg was told of
} jpeg_source;

/// Connects a decompressor whose error manager is a jpeg_fence, before its header is read. libjpeg's own source serves
/// what is there as a whole.
void jpeg_source_connect(jpeg_source *source, j_decompress_ptr cinfo, const texel_codec_input *input);

/// For other source managers: what `skip_input_data` is, by means of `fill_input_buffer`.
void jpeg_source_skip(j_decompress_ptr cinfo, long count);

/// For other source managers: lays an end marker before libjpeg, which has used all there is.
void jpeg_source_end(j_decompress_ptr cinfo);

/// Waits for all bytes, so that they lie before libjpeg as a whole.
void jpeg_source_wait_for_end(jpeg_source *source, j_decompress_ptr cinfo);

#endif
