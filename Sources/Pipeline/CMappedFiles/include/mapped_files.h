// Guards mappings of files that may become shorter. Reading a page that the file no longer has would end the process
// with SIGBUS; in a guarded mapping such a page reads as zeros, and the guard remembers it.

#ifndef TEXEL_MAPPED_FILES_H
#define TEXEL_MAPPED_FILES_H

#include <stdbool.h>
#include <stddef.h>

#pragma clang assume_nonnull begin

/// Guards the mapping of `count` bytes at `base`. The first call installs a handler of SIGBUS, which passes on the
/// signals of other addresses to the handler before it.
///
/// Returns the number of the guard, or -1 if there are too many or the handler cannot be installed.
int texel_guard_mapping(const void *base, size_t count);

/// Whether a page of the mapping was missing.
bool texel_guard_has_missed(int guard);

/// Ends a guard; call before the mapping is removed.
void texel_end_guard(int guard);

#pragma clang assume_nonnull end

#endif
