#ifdef TEXEL_VIDEO

#include "libav_library.h"

#include "codec_library.h"
#include "libav_messages.h"
#include "libav_shim.h"

struct texel_libav_functions av;

/// Of libavdevice, whose header is not needed for it.
static void (*register_devices)(void);

#define FUNCTION(name) {#name, &av.name},
static const texel_library_function utility_functions[] = {TEXEL_AVUTIL_FUNCTIONS(FUNCTION)};
static const texel_library_function codec_functions[] = {TEXEL_AVCODEC_FUNCTIONS(FUNCTION)};
static const texel_library_function format_functions[] = {TEXEL_AVFORMAT_FUNCTIONS(FUNCTION)};
static const texel_library_function scale_functions[] = {TEXEL_SWSCALE_FUNCTIONS(FUNCTION)};
static const texel_library_function device_functions[] = {{"avdevice_register_all", &register_devices}};
#undef FUNCTION

// The headers describe one major version only: another one has other structures.
#define FILE_NAME(name, version) TEXEL_LIBRARY_FILE(name, AV_STRINGIFY(version))
#define LIBRARY(name, version, list) \
    {.file = FILE_NAME(name, version), .functions = list, .count = sizeof list / sizeof list[0]}
static texel_library libraries[] = {
    LIBRARY("libavutil", LIBAVUTIL_VERSION_MAJOR, utility_functions),
    LIBRARY("libavcodec", LIBAVCODEC_VERSION_MAJOR, codec_functions),
    LIBRARY("libavformat", LIBAVFORMAT_VERSION_MAJOR, format_functions),
    LIBRARY("libswscale", LIBSWSCALE_VERSION_MAJOR, scale_functions),
};
// libavdevice has had the major version of libavformat since FFmpeg 3.
static texel_library devices = LIBRARY("libavdevice", LIBAVFORMAT_VERSION_MAJOR, device_functions);

bool texel_libav_load(char message[TEXEL_CODEC_MESSAGE_SIZE]) {
    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++)
        if (!texel_library_load(&libraries[i], message)) return false;
    // A library has no business on standard error; what matters is in the results.
    av.av_log_set_callback(texel_note_message);
    return true;
}

bool texel_libav_load_devices(char message[TEXEL_CODEC_MESSAGE_SIZE]) {
    if (!texel_libav_load(message) || !texel_library_load(&devices, message)) return false;
    register_devices();
    return true;
}

const char *texel_libav_path(void) { return libraries[1].path; }

const char *texel_libav_version(void) { return av.av_version_info(); }

#endif
