#ifdef TEXEL_ARCHIVES

#include "archive_library.h"

#include "archive_shim.h"
#include "codec_library.h"

struct texel_archive_functions la;

#define FUNCTION(name) {#name, &la.name},
static const texel_library_function functions[] = {TEXEL_ARCHIVE_FUNCTIONS(FUNCTION)};
#undef FUNCTION

// The name since libarchive 3.1. macOS has the library without headers; Homebrew's has the same name.
static texel_library library = {
    .file = TEXEL_LIBRARY_FILE("libarchive", "13"),
    .functions = functions,
    .count = sizeof functions / sizeof functions[0],
};

bool texel_archive_load(char message[TEXEL_CODEC_MESSAGE_SIZE]) { return texel_library_load(&library, message); }

const char *texel_archive_path(void) { return library.path; }

const char *texel_archive_version(void) {
    // "libarchive 3.6.2"
    const char *text = la.archive_version_string();
    for (const char *character = text; *character; character++)
        if (*character == ' ') return character + 1;
    return text;
}

#endif
