#include "library_versions.h"

#include <stdio.h>

#include <jpeglib.h>
#include <png.h>
#include <zlib.h>

#define TEXT_OF(value) #value
#define TEXT(macro) TEXT_OF(macro)

const char *texel_libpng_version(void) { return png_get_libpng_ver(NULL); }

const char *texel_zlib_version(void) { return zlibVersion(); }

const char *texel_libjpeg_version(void) {
#ifdef LIBJPEG_TURBO_VERSION
    return TEXT(LIBJPEG_TURBO_VERSION);
#else
    return "unknown";
#endif
}
