// Functions for dropping privileges and passing descriptors between processes. In C because Linux offers them to C
// only.

#ifndef TEXEL_ISOLATION_H
#define TEXEL_ISOLATION_H

#ifdef __linux__

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

/// Confines this process to computing and to I/O through its open descriptors. Closes all descriptors above
/// `last_descriptor`. Afterwards the process cannot start processes, open files, or gain privileges. A
/// system call that no decoder needs ends it with SIGSYS.
///
/// Call while there is only one thread. `memory_bytes` limits the address space and the size of files that it writes.
/// Returns 0 or an errno value; on error the process must not continue.
int texel_confine(int last_descriptor, uint64_t memory_bytes);

/// Writes the version of libseccomp: major, minor, micro; zeros if unknown.
void texel_seccomp_version(unsigned version[_Nonnull 3]);

/// Limits this process to `seconds` more of processor time, after which it is ended with SIGXCPU. Returns 0 or an errno
/// value.
int texel_allow_processor_time(uint64_t seconds);

/// Returns a descriptor of anonymous memory with a copy of `count` bytes that can no longer be changed, or -1 with the
/// reason in errno.
int texel_sealed_memory(const void *_Nullable bytes, size_t count);

/// Returns a descriptor of anonymous memory, or -1 with the reason in errno.
int texel_shared_memory(void);

/// Creates two connected sockets with close-on-exec set. Returns 0 or an errno value.
int texel_socket_pair(int *first, int *second);

/// Sends bytes through a connected Unix socket, with a descriptor attached to the first unless it is -1; no SIGPIPE.
/// Returns the number of bytes sent, or -1 with the reason in errno.
ssize_t texel_send(int socket, const void *bytes, size_t count, int descriptor);

/// Receives bytes. `descriptor` is set to a descriptor that came with them, or -1. Returns the number of bytes, 0 at
/// the end of the stream, or -1 with the reason in errno.
ssize_t texel_receive(int socket, void *bytes, size_t count, int *descriptor);

#pragma clang assume_nonnull end

#endif

#endif
