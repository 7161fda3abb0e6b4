#ifdef TEXEL_WEBP

#include "webp_library.h"

#include "codec_library.h"
#include "webp_shim.h"

struct texel_webp_functions webp;

static const texel_library_function functions[] = {
#define FUNCTION(name) {#name, &webp.name},
    TEXEL_WEBP_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

// The ABI of libwebp has been version 7 since 0.6 (2017); the structures check it by WEBP_DECODER_ABI_VERSION.
static texel_library library = {
    .file = TEXEL_LIBRARY_FILE("libwebp", "7"),
    .functions = functions,
    .count = sizeof functions / sizeof functions[0],
};

bool texel_webp_load(char message[TEXEL_CODEC_MESSAGE_SIZE]) { return texel_library_load(&library, message); }

const char *texel_webp_path(void) { return library.path; }

int texel_webp_version(void) { return webp.WebPGetDecoderVersion(); }

#endif
