#ifndef CODEC_REPORT_H
#define CODEC_REPORT_H

#include <stdbool.h>

/// What a fenced call into a codec library came to. Nothing but these leaves the fence: no longjmp, no global error.
typedef enum {
    TEXEL_CODEC_OK = 0,
    TEXEL_CODEC_FAILED,       ///< the library gave up; the report has its message
    TEXEL_CODEC_STOPPED,      ///< the caller's should_stop said so
    TEXEL_CODEC_SCAN_LIMIT,   ///< more JPEG scans than allowed
    TEXEL_CODEC_WARNING_LIMIT, ///< more warnings than allowed
    TEXEL_CODEC_MEMORY_LIMIT, ///< the library asked for more memory than allowed
    TEXEL_CODEC_OUT_OF_MEMORY ///< the library asked for more memory than there is
} texel_codec_status;

enum { TEXEL_CODEC_MESSAGE_SIZE = 200 };

/// What the library said so far.
typedef struct {
    char error[TEXEL_CODEC_MESSAGE_SIZE];         ///< of the failure; empty if none
    char first_warning[TEXEL_CODEC_MESSAGE_SIZE]; ///< empty if none
    int warnings;                                 ///< how many
    bool corrupt;                                 ///< a warning said that pixels are damaged
    bool truncated;                               ///< the data ended before the picture did
} texel_codec_report;

/// Asked now and then from inside the library; must return normally.
typedef bool (*texel_should_stop)(void *context);

#endif
