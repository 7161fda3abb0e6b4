#include <lcms2.h>

// Little CMS spells its pixel formats as nested macros, which Swift cannot import.
static const cmsUInt32Number texel_format_bgra8 = TYPE_BGRA_8;
static const cmsUInt32Number texel_format_gray8 = TYPE_GRAY_8;
static const cmsUInt32Number texel_format_cmyk8 = TYPE_CMYK_8;
static const cmsUInt32Number texel_format_cmyk8_inverted = TYPE_CMYK_8_REV;
