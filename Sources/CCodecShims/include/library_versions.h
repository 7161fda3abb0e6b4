#ifndef LIBRARY_VERSIONS_H
#define LIBRARY_VERSIONS_H

// The versions of the codec libraries, as they format them. The strings are never freed.

/// Returns the version of the loaded libpng.
const char *texel_libpng_version(void);
/// Returns the version of the loaded zlib.
const char *texel_zlib_version(void);
/// Returns the version of the libjpeg-turbo headers Texel was built with; the library has no function for it.
const char *texel_libjpeg_version(void);

#endif
