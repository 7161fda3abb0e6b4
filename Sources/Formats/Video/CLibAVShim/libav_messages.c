#ifdef TEXEL_VIDEO

#include "libav_messages.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "libav_video.h"

// Decoders have threads of their own.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/// Returns the video whose demuxer or decoder a message comes from; NULL for other sources. All objects that report
/// messages begin with a pointer to their class; those of copies that a decoder makes for its threads have the same
/// `opaque`.
static texel_video *video_of(void *source, bool *is_decoder) {
    // Helpers, such as checks of sizes, name the object that they work for.
    for (int depth = 0; source && depth < 4; depth++) {
        const AVClass *class = *(const AVClass **)source;
        if (!class) return NULL;
        *is_decoder = class == av.avcodec_get_class();
        if (*is_decoder) return ((AVCodecContext *)source)->opaque;
        if (class == av.avformat_get_class()) return ((AVFormatContext *)source)->opaque;
        if (!class->parent_log_context_offset) return NULL;
        source = *(void **)((uint8_t *)source + class->parent_log_context_offset);
    }
    return NULL;
}

void texel_note_message(void *source, int level, const char *format, va_list arguments) {
    if (level > AV_LOG_ERROR) return;
    bool is_decoder = false;
    texel_video *video = video_of(source, &is_decoder);
    if (!video) return;
    char text[TEXEL_CODEC_MESSAGE_SIZE];
    vsnprintf(text, sizeof text, format, arguments);
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1])) text[--length] = 0;
    pthread_mutex_lock(&mutex);
    texel_video_messages *messages = &video->messages;
    *(is_decoder ? &messages->decoder_count : &messages->demuxer_count) += 1;
    if (length > 0) memcpy(messages->latest, text, length + 1);
    pthread_mutex_unlock(&mutex);
}

texel_video_messages texel_copy_messages(const texel_video_messages *messages) {
    pthread_mutex_lock(&mutex);
    texel_video_messages copy = *messages;
    pthread_mutex_unlock(&mutex);
    return copy;
}

#endif
