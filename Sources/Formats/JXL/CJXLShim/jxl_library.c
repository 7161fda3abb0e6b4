#ifdef TEXEL_JXL

#include "jxl_library.h"

#include <stdlib.h>

#include "codec_library.h"

struct texel_jxl_functions jxl;
struct texel_jxl_threads_functions jxl_threads;

#define FUNCTION(name) {#name, &jxl.name},
static const texel_library_function functions[] = {TEXEL_JXL_FUNCTIONS(FUNCTION)};
#undef FUNCTION
#define FUNCTION(name) {#name, &jxl_threads.name},
static const texel_library_function threads_functions[] = {TEXEL_JXL_THREADS_FUNCTIONS(FUNCTION)};
#undef FUNCTION

#define TEXT(number) #number
#define VERSION_TEXT(major, minor) TEXT(major) "." TEXT(minor)
// Versions before 1.0 are not compatible with each other: the library must be that of the headers.
#define VERSION VERSION_TEXT(JPEGXL_MAJOR_VERSION, JPEGXL_MINOR_VERSION)

static texel_library library = {
    .file = TEXEL_LIBRARY_FILE("libjxl", VERSION),
    .functions = functions,
    .count = sizeof functions / sizeof functions[0],
};
static texel_library threads_library = {
    .file = TEXEL_LIBRARY_FILE("libjxl_threads", VERSION),
    .functions = threads_functions,
    .count = sizeof threads_functions / sizeof threads_functions[0],
};

bool texel_jxl_load(char message[TEXEL_CODEC_MESSAGE_SIZE]) { return texel_library_load(&library, message); }

const char *texel_jxl_path(void) { return library.path; }

int texel_jxl_version(void) { return (int)jxl.JxlDecoderVersion(); }

bool texel_jxl_threads_load(char message[TEXEL_CODEC_MESSAGE_SIZE]) {
    return texel_library_load(&threads_library, message);
}

const char *texel_jxl_threads_path(void) { return threads_library.path; }

void texel_jxl_free(texel_jxl_output *output) {
    free(output->bytes);
    output->bytes = NULL;
    output->count = 0;
}

uint8_t *texel_jxl_grow(texel_jxl_output *output, size_t *capacity, size_t count, size_t limit) {
    if (output->count > limit || count > limit - output->count) return NULL;
    if (count > *capacity - output->count) {
        size_t larger = *capacity * 2 > output->count + count ? *capacity * 2 : output->count + count;
        uint8_t *bytes = realloc(output->bytes, larger);
        if (!bytes) return NULL;
        output->bytes = bytes;
        *capacity = larger;
    }
    return output->bytes + output->count;
}

#endif
