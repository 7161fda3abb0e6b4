#ifdef TEXEL_WEBP

#include "webp_library.h"

#include "codec_library.h"
#include "webp_shim.h"

struct texel_webp_functions webp;
struct texel_webp_mux_functions webp_mux;

#define FUNCTION(name) {#name, &webp.name},
static const texel_library_function functions[] = {TEXEL_WEBP_FUNCTIONS(FUNCTION)};
#undef FUNCTION
#define FUNCTION(name) {#name, &webp_mux.name},
static const texel_library_function mux_functions[] = {TEXEL_WEBP_MUX_FUNCTIONS(FUNCTION)};
#undef FUNCTION

// These have been the names since 2017. The versions of the structures are checked by the libraries.
static texel_library library = {
    .file = TEXEL_LIBRARY_FILE("libwebp", "7"),
    .functions = functions,
    .count = sizeof functions / sizeof functions[0],
};
static texel_library mux_library = {
    .file = TEXEL_LIBRARY_FILE("libwebpmux", "3"),
    .functions = mux_functions,
    .count = sizeof mux_functions / sizeof mux_functions[0],
};

bool texel_webp_load(char message[TEXEL_CODEC_MESSAGE_SIZE]) { return texel_library_load(&library, message); }

const char *texel_webp_path(void) { return library.path; }

int texel_webp_version(void) { return webp.WebPGetDecoderVersion(); }

bool texel_webp_mux_load(char message[TEXEL_CODEC_MESSAGE_SIZE]) { return texel_library_load(&mux_library, message); }

const char *texel_webp_mux_path(void) { return mux_library.path; }

int texel_webp_mux_version(void) { return webp_mux.WebPGetMuxVersion(); }

#endif
