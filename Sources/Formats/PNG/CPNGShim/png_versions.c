#include "png_shim.h"

#include <png.h>
#include <zlib.h>

const char *texel_libpng_version(void) { return png_get_libpng_ver(NULL); }

const char *texel_zlib_version(void) { return zlibVersion(); }
