#ifdef TEXEL_SHAPING

#include "shaping_library.h"

#include "codec_library.h"
#include "shaping_shim.h"

struct texel_harfbuzz_functions hb;
struct texel_fribidi_functions bidi;

#define FUNCTION(name) {#name, &hb.name},
static const texel_library_function harfbuzz_functions[] = {TEXEL_HARFBUZZ_FUNCTIONS(FUNCTION)};
#undef FUNCTION
#define FUNCTION(name) {#name, &bidi.name},
static const texel_library_function fribidi_functions[] = {TEXEL_FRIBIDI_FUNCTIONS(FUNCTION)};
#undef FUNCTION

static texel_library harfbuzz = {
    .file = TEXEL_LIBRARY_FILE("libharfbuzz", "0"),
    .functions = harfbuzz_functions,
    .count = sizeof harfbuzz_functions / sizeof harfbuzz_functions[0],
};

static texel_library fribidi = {
    .file = TEXEL_LIBRARY_FILE("libfribidi", "0"),
    .functions = fribidi_functions,
    .count = sizeof fribidi_functions / sizeof fribidi_functions[0],
};

bool texel_harfbuzz_load(char message[TEXEL_CODEC_MESSAGE_SIZE]) { return texel_library_load(&harfbuzz, message); }

const char *texel_harfbuzz_path(void) { return harfbuzz.path; }

const char *texel_harfbuzz_version(void) { return hb.hb_version_string(); }

bool texel_fribidi_load(char message[TEXEL_CODEC_MESSAGE_SIZE]) { return texel_library_load(&fribidi, message); }

const char *texel_fribidi_path(void) { return fribidi.path; }

// A variable of the library, not a function.
const char *texel_fribidi_version(void) { return *bidi.fribidi_version_info; }

#endif
