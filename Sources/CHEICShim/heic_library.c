#ifdef TEXEL_HEIC

#include "heic_library.h"

#include "codec_library.h"
#include "heic_shim.h"

struct texel_heic_functions heif;

#define FUNCTION(name) {#name, &heif.name},
static const texel_library_function functions[] = {TEXEL_HEIC_FUNCTIONS(FUNCTION)};
#undef FUNCTION

static texel_library library = {
    .file = TEXEL_LIBRARY_FILE("libheif", "1"),
    .functions = functions,
    .count = sizeof functions / sizeof functions[0],
};

// Plugins are loaded with the library, by the constructor of its list of decoders.
bool texel_heic_load(char message[TEXEL_CODEC_MESSAGE_SIZE]) { return texel_library_load(&library, message); }

const char *texel_heic_path(void) { return library.path; }

const char *texel_heic_version(void) { return heif.heif_get_version(); }

bool texel_heic_decodes(void) { return heif.heif_have_decoder_for_format(heif_compression_HEVC) != 0; }

#endif
