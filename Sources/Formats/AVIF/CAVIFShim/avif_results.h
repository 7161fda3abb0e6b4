#ifndef AVIF_RESULTS_H
#define AVIF_RESULTS_H

#include "avif_library.h"
#include "avif_shim.h"

/// Returns what an avifResult means for a caller.
texel_avif_status texel_avif_status_of(int result);

/// Writes the name of an avifResult and the library's explanation.
void texel_avif_message(int result, const avifDiagnostics *diagnostics, char message[TEXEL_CODEC_MESSAGE_SIZE]);

#endif
