#ifndef LIBRARY_MESSAGES_H
#define LIBRARY_MESSAGES_H

/// Returns the shared object that was loaded last, or NULL if that is unknown.
const void *texel_last_loaded_object(void);

/// Replaces `stderr` by a stream that discards everything, in all shared objects that were loaded after `last`.
///
/// Some libraries (libjxl 0.7 among them) write to `stderr` and have no callback for messages. Each shared object has
/// an entry of its own for the address of that variable (the global offset table), so that other code of the process
/// still has the real one. Descriptor 2 is not touched: other threads write to it. Elsewhere than on Linux with glibc,
/// on x86-64 or arm64, nothing is done.
void texel_hide_messages_after(const void *last);

#endif
