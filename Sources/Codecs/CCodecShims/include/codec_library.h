#ifndef CODEC_LIBRARY_H
#define CODEC_LIBRARY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "codec_report.h"

/// A function of a library: its name, and where its address is stored.
typedef struct {
    const char *name;
    void *address; ///< of a function pointer
} texel_library_function;

/// A shared library that is loaded when it is first used. It then stays loaded until the process ends.
///
/// Libraries are not linked, because the loader would map them, and all that they need, when the program starts.
typedef struct {
    const char *file; ///< as the loader searches it: "libwebp.so.7"
    const texel_library_function *functions;
    size_t count;
    atomic_int state; ///< 0 at first
    char path[256];   ///< where it was loaded from
} texel_library;

/// Loads a library, unless it is loaded, and finds all its functions. May be called by several threads at once.
///
/// Returns false if the library or one of its functions is missing; `message` then says why. A later call tries again.
bool texel_library_load(texel_library *library, char message[TEXEL_CODEC_MESSAGE_SIZE]);

/// Lets libraries that are loaded from now on write to standard error, as they do by themselves. At first they do not:
/// a failure is reported once, by whoever called Texel.
void texel_library_show_messages(void);

/// The name of a shared library's file with a version.
#ifdef __APPLE__
#define TEXEL_LIBRARY_FILE(name, version) name "." version ".dylib"
#else
#define TEXEL_LIBRARY_FILE(name, version) name ".so." version
#endif

#endif
