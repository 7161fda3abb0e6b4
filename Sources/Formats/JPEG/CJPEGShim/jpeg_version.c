#include "jpeg_shim.h"

#include <stdio.h>

#include <jpeglib.h>

#define TEXT_OF(value) #value
#define TEXT(macro) TEXT_OF(macro)

const char *texel_libjpeg_version(void) {
#ifdef LIBJPEG_TURBO_VERSION
    return TEXT(LIBJPEG_TURBO_VERSION);
#else
    return "unknown";
#endif
}
