#ifndef PNG_FENCE_H
#define PNG_FENCE_H

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "codec_report.h"

/// libpng's error handling with a jump target. Every public function arms `home` with setjmp before it calls the
/// library.
typedef struct {
    jmp_buf home;
    texel_codec_status status; ///< why the fence was left with longjmp
    texel_codec_report report;
    int warning_limit; ///< 0 for none
    texel_should_stop should_stop;
    void *context;
} png_fence;

/// libpng's error handler: stores the message and jumps to `home`.
void png_fence_fail(png_structp png, png_const_charp message);
/// libpng's warning handler: counts warnings, and jumps to `home` if there are too many.
void png_fence_warn(png_structp png, png_const_charp message);

/// Jumps to `home` with `TEXEL_CODEC_STOPPED`.
_Noreturn void png_fence_stop(png_fence *fence);

/// Jumps to `home` with `TEXEL_CODEC_STOPPED` if should_stop returns true.
void png_fence_check_stop(png_fence *fence);

#endif
