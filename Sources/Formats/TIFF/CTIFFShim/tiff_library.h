#ifndef TIFF_LIBRARY_H
#define TIFF_LIBRARY_H

#include <tiffio.h>

// The functions that Texel calls. Code calls them as `tiff.TIFFReadScanline(…)`. Those with "Ext" are new in libtiff
// 4.5: they report errors to the handle that has them, not to a handler of the process.
#define TEXEL_TIFF_FUNCTIONS(FUNCTION)             \
    FUNCTION(TIFFGetVersion)                       \
    FUNCTION(TIFFIsCODECConfigured)                \
    FUNCTION(TIFFOpenOptionsAlloc)                 \
    FUNCTION(TIFFOpenOptionsFree)                  \
    FUNCTION(TIFFOpenOptionsSetMaxSingleMemAlloc)  \
    FUNCTION(TIFFOpenOptionsSetErrorHandlerExtR)   \
    FUNCTION(TIFFOpenOptionsSetWarningHandlerExtR) \
    FUNCTION(TIFFClientOpenExt)                    \
    FUNCTION(TIFFClose)                            \
    FUNCTION(TIFFSetField)                         \
    FUNCTION(TIFFScanlineSize)                     \
    FUNCTION(TIFFReadScanline)                     \
    FUNCTION(TIFFTileSize)                         \
    FUNCTION(TIFFReadEncodedTile)                  \
    FUNCTION(TIFFWriteEncodedStrip)                \
    FUNCTION(TIFFWriteDirectory)

#define FUNCTION(name) __typeof__(&name) name;
/// Valid after `texel_tiff_load` has returned true.
extern struct texel_tiff_functions {
    TEXEL_TIFF_FUNCTIONS(FUNCTION)
} tiff;
#undef FUNCTION

#endif
