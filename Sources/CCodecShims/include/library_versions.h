#ifndef LIBRARY_VERSIONS_H
#define LIBRARY_VERSIONS_H

// The versions of the codec libraries, as they write them. The strings live as long as the process.

/// Of the libpng that is loaded.
const char *texel_libpng_version(void);
/// Of the zlib that is loaded.
const char *texel_zlib_version(void);
/// Of the libjpeg-turbo that Texel was built with; the library cannot be asked.
const char *texel_libjpeg_version(void);

#endif
