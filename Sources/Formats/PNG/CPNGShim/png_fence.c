#include "png_fence.h"

void png_fence_fail(png_structp png, png_const_charp message) {
    png_fence *fence = png_get_error_ptr(png);
    snprintf(fence->report.error, sizeof fence->report.error, "%s", message);
    fence->status = strstr(message, "emory") ? TEXEL_CODEC_OUT_OF_MEMORY : TEXEL_CODEC_FAILED;
    longjmp(fence->home, 1);
}

void png_fence_warn(png_structp png, png_const_charp message) {
    png_fence *fence = png_get_error_ptr(png);
    if (fence->report.warnings++ == 0) {
        snprintf(fence->report.first_warning, sizeof fence->report.first_warning, "%s", message);
    }
    if (fence->warning_limit > 0 && fence->report.warnings > fence->warning_limit) {
        fence->status = TEXEL_CODEC_WARNING_LIMIT;
        longjmp(fence->home, 1);
    }
}

void png_fence_stop(png_fence *fence) {
    fence->status = TEXEL_CODEC_STOPPED;
    longjmp(fence->home, 1);
}

void png_fence_check_stop(png_fence *fence) {
    if (fence->should_stop && fence->should_stop(fence->context)) png_fence_stop(fence);
}
