#ifdef TEXEL_AVIF

#include "avif_library.h"

#include <stdio.h>
#include <string.h>

#include "avif_shim.h"
#include "codec_library.h"

struct texel_avif_functions avif;

#define FUNCTION(name) {#name, &avif.name},
static const texel_library_function functions[] = {TEXEL_AVIF_FUNCTIONS(FUNCTION)};
#undef FUNCTION

// The structures have no versions that the library could check, so only the version of the headers is loaded. Version 1
// only appends fields to its structures.
#if AVIF_VERSION_MAJOR >= 1
#define SO_VERSION "16"
#elif AVIF_VERSION_MINOR == 11
#define SO_VERSION "15"
#else
#error "libavif 0.11 or 1.x is needed"
#endif

static texel_library library = {
    .file = TEXEL_LIBRARY_FILE("libavif", SO_VERSION),
    .functions = functions,
    .count = sizeof functions / sizeof functions[0],
};

bool texel_avif_load(char message[TEXEL_CODEC_MESSAGE_SIZE]) { return texel_library_load(&library, message); }

bool texel_avif_headers_are_stable(void) { return AVIF_VERSION_MAJOR >= 1; }

const char *texel_avif_path(void) { return library.path; }

const char *texel_avif_version(void) { return avif.avifVersion(); }

void texel_avif_codec_versions(char versions[256]) { avif.avifCodecVersions(versions); }

bool texel_avif_encodes(void) { return avif.avifCodecName(AVIF_CODEC_CHOICE_AOM, AVIF_CODEC_FLAG_CAN_ENCODE) != NULL; }

texel_avif_status texel_avif_status_of(int result) {
    switch (result) {
    case AVIF_RESULT_OK: return TEXEL_AVIF_OK;
    case AVIF_RESULT_WAITING_ON_IO:
    case AVIF_RESULT_TRUNCATED_DATA: return TEXEL_AVIF_NEEDS_BYTES;
    case AVIF_RESULT_OUT_OF_MEMORY: return TEXEL_AVIF_OUT_OF_MEMORY;
    case AVIF_RESULT_NOT_IMPLEMENTED:
    case AVIF_RESULT_NO_CODEC_AVAILABLE:
    case AVIF_RESULT_UNSUPPORTED_DEPTH: return TEXEL_AVIF_UNSUPPORTED;
    default: return TEXEL_AVIF_FAILED;
    }
}

void texel_avif_message(int result, const avifDiagnostics *diagnostics, char message[TEXEL_CODEC_MESSAGE_SIZE]) {
    const char *name = avif.avifResultToString((avifResult)result);
    if (diagnostics->error[0]) {
        snprintf(message, TEXEL_CODEC_MESSAGE_SIZE, "%s: %.150s", name, diagnostics->error);
    } else {
        snprintf(message, TEXEL_CODEC_MESSAGE_SIZE, "%s", name);
    }
}

#endif
