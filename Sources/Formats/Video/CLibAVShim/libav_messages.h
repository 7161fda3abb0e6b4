#ifndef LIBAV_MESSAGES_H
#define LIBAV_MESSAGES_H

#include <stdarg.h>

#include "libav_shim.h"

/// Receives all messages of the libraries, on any thread; keeps the errors of videos with the videos.
void texel_note_message(void *source, int level, const char *format, va_list arguments);

/// The errors that the libraries report of one video. All zero at first.
typedef struct {
    int demuxer_count, decoder_count;
    char latest[TEXEL_CODEC_MESSAGE_SIZE];
} texel_video_messages;

/// Returns a copy of a video's messages.
texel_video_messages texel_copy_messages(const texel_video_messages *messages);

#endif
