#ifndef WEBP_SHIM_H
#define WEBP_SHIM_H

#include <stddef.h>
#include <stdint.h>

#include "codec_input.h"
#include "codec_report.h"

/// Loads libwebp. No other function may be called before this one has returned true; if it returns false, `message` has
/// the reason.
bool texel_webp_load(char message[TEXEL_CODEC_MESSAGE_SIZE]);
/// The file that libwebp was loaded from.
const char *texel_webp_path(void);
/// The version of libwebp: major, minor and revision in one byte each.
int texel_webp_version(void);

#endif
