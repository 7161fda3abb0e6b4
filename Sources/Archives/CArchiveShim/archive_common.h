#ifndef ARCHIVE_COMMON_H
#define ARCHIVE_COMMON_H

#include <locale.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

#include "archive_library.h"
#include "archive_shim.h"

struct texel_archive_reader {
    struct archive *archive;
    struct archive_entry *header; ///< of the current entry
    int descriptor;
    bool is_open;
};

/// Makes the thread's locale one of UTF-8, because libarchive converts names to the locale. Returns the former one.
locale_t texel_archive_enter(void);

/// Restores the thread's locale.
void texel_archive_leave(locale_t former);

/// Converts a code of libarchive.
texel_archive_status texel_archive_result(struct archive *archive, int code);

#endif
