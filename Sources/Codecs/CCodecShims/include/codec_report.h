#ifndef CODEC_REPORT_H
#define CODEC_REPORT_H

#include <stdbool.h>

/// The result of a fenced call into a codec library. Errors leave the fence only in this form, never as a longjmp.
typedef enum {
    TEXEL_CODEC_OK = 0,
    TEXEL_CODEC_FAILED,       ///< the library reported an error; the report has its message
    TEXEL_CODEC_STOPPED,      ///< should_stop returned true, or a wait for bytes was stopped
    TEXEL_CODEC_SCAN_LIMIT,   ///< more JPEG scans than allowed
    TEXEL_CODEC_WARNING_LIMIT, ///< more warnings than allowed
    TEXEL_CODEC_MEMORY_LIMIT, ///< the library requested more memory than allowed
    TEXEL_CODEC_OUT_OF_MEMORY ///< an allocation failed
} texel_codec_status;

/// The size of messages in bytes, including the terminating zero.
enum { TEXEL_CODEC_MESSAGE_SIZE = 200 };

/// The errors and warnings of a decoder or encoder so far.
typedef struct {
    char error[TEXEL_CODEC_MESSAGE_SIZE];         ///< the error message; empty if none
    char first_warning[TEXEL_CODEC_MESSAGE_SIZE]; ///< empty if none
    int warnings;                                 ///< how many
    bool corrupt;                                 ///< a warning said that pixels are damaged
    bool truncated;                               ///< the data ended before the image did
    int rows;                                     ///< of a truncated JPEG: complete rows of the file; 0 if unknown
} texel_codec_report;

/// Called from inside the library from time to time; returns whether to stop. Must return normally.
typedef bool (*texel_should_stop)(void *context);

#endif
