#ifndef JPEG_FENCE_H
#define JPEG_FENCE_H

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

#include "codec_report.h"

/// libjpeg's error manager with a way home. Every public function arms `home` before it calls the library.
typedef struct {
    struct jpeg_error_mgr manager; ///< first, so that cinfo->err is also a jpeg_fence
    struct jpeg_progress_mgr progress;
    jmp_buf home;
    texel_codec_status status; ///< why we came home
    texel_codec_report report;
    texel_should_stop should_stop;
    void *context;
    int scan_limit;    ///< 0 for none
    int warning_limit; ///< 0 for none
    bool reached_end; ///< the library read behind the last byte
} jpeg_fence;

/// Fills in everything; `cinfo` gets the error manager, and after its creation the progress monitor.
void jpeg_fence_prepare(jpeg_fence *fence, texel_should_stop should_stop, void *context);

/// Comes home with `TEXEL_CODEC_STOPPED`.
_Noreturn void jpeg_fence_stop(j_common_ptr cinfo);

/// After all scans were read: notes when the file ended before their last.
void jpeg_fence_check_scans(jpeg_fence *fence, j_decompress_ptr cinfo);

#endif
