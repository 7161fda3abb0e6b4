#ifdef TEXEL_TIFF

#include "tiff_messages.h"

#include <stdarg.h>
#include <stdio.h>

/// Keeps the first error. The result says that no other handler is to be called.
static int keep_error(TIFF *handle, void *context, const char *module, const char *format, va_list arguments) {
    (void)handle, (void)module;
    texel_codec_report *report = context;
    report->corrupt = true;
    if (report->error[0] == 0) vsnprintf(report->error, sizeof report->error, format, arguments);
    return 1;
}

static int keep_warning(TIFF *handle, void *context, const char *module, const char *format, va_list arguments) {
    (void)handle, (void)module;
    texel_codec_report *report = context;
    if (report->warnings < INT32_MAX) report->warnings++;
    if (report->first_warning[0] == 0)
        vsnprintf(report->first_warning, sizeof report->first_warning, format, arguments);
    return 1;
}

TIFFOpenOptions *texel_tiff_options(texel_codec_report *report, size_t max_allocation) {
    TIFFOpenOptions *options = tiff.TIFFOpenOptionsAlloc();
    if (!options) return NULL;
    if (max_allocation > 0)
        tiff.TIFFOpenOptionsSetMaxSingleMemAlloc(options, max_allocation > PTRDIFF_MAX ? PTRDIFF_MAX
                                                                                       : (tmsize_t)max_allocation);
    tiff.TIFFOpenOptionsSetErrorHandlerExtR(options, keep_error, report);
    tiff.TIFFOpenOptionsSetWarningHandlerExtR(options, keep_warning, report);
    return options;
}

#endif
