#ifdef TEXEL_TIFF

#include "tiff_library.h"

#include "codec_library.h"
#include "tiff_shim.h"

struct texel_tiff_functions tiff;

#define FUNCTION(name) {#name, &tiff.name},
static const texel_library_function functions[] = {TEXEL_TIFF_FUNCTIONS(FUNCTION)};
#undef FUNCTION

// The name since libtiff 4.5, the first version whose errors belong to a handle.
static texel_library library = {
    .file = TEXEL_LIBRARY_FILE("libtiff", "6"),
    .functions = functions,
    .count = sizeof functions / sizeof functions[0],
};

bool texel_tiff_load(char message[TEXEL_CODEC_MESSAGE_SIZE]) { return texel_library_load(&library, message); }

const char *texel_tiff_path(void) { return library.path; }

const char *texel_tiff_version(void) { return tiff.TIFFGetVersion(); }

bool texel_tiff_has_compression(uint16_t compression) { return tiff.TIFFIsCODECConfigured(compression); }

#endif
