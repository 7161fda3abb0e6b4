#ifdef TEXEL_HEIC

#include "heic_library.h"

#include "codec_library.h"
#include "heic_shim.h"

struct texel_heic_functions hevc;

#define FUNCTION(name) {#name, &hevc.name},
static const texel_library_function functions[] = {TEXEL_HEIC_FUNCTIONS(FUNCTION)};
#undef FUNCTION

static texel_library library = {
    .file = TEXEL_LIBRARY_FILE("libde265", "0"),
    .functions = functions,
    .count = sizeof functions / sizeof functions[0],
};

bool texel_heic_load(char message[TEXEL_CODEC_MESSAGE_SIZE]) { return texel_library_load(&library, message); }

const char *texel_heic_path(void) { return library.path; }

const char *texel_heic_version(void) { return hevc.de265_get_version(); }

#endif
