#ifndef JPEG_FENCE_H
#define JPEG_FENCE_H

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

#include "codec_report.h"

/// libjpeg's error manager with a jump target. Every public function arms `home` with setjmp before it calls the
/// library.
typedef struct {
    struct jpeg_error_mgr manager; ///< first, so that cinfo->err is also a jpeg_fence
    struct jpeg_progress_mgr progress;
    jmp_buf home;
    texel_codec_status status; ///< why the fence was left with longjmp
    texel_codec_report report;
    texel_should_stop should_stop;
    void *context;
    int scan_limit;    ///< 0 for none
    int warning_limit; ///< 0 for none
    bool reached_end; ///< the library read past the last byte
    bool is_refused;  ///< the fence was left because an own decoder does not accept the file
} jpeg_fence;

/// Fills in everything. `cinfo` gets the error manager and, after its creation, the progress monitor.
void jpeg_fence_prepare(jpeg_fence *fence, texel_should_stop should_stop, void *context);

/// Jumps to `home` with `TEXEL_CODEC_STOPPED`.
_Noreturn void jpeg_fence_stop(j_common_ptr cinfo);

/// Jumps to `home`, so that the file is decoded anew with libjpeg alone.
_Noreturn void jpeg_fence_refuse(j_common_ptr cinfo);

/// Clears the report and what it depends on, before the file is read anew.
void jpeg_fence_clear_report(jpeg_fence *fence);

/// Marks the report as truncated if the file ended before its last scan. Call after all scans were read.
void jpeg_fence_check_scans(jpeg_fence *fence, j_decompress_ptr cinfo);

#endif
