// What a process needs to give up its privileges, and to pass descriptors: Linux offers it to C only.

#ifndef TEXEL_ISOLATION_H
#define TEXEL_ISOLATION_H

#ifdef __linux__

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

/// From now on this process computes, and talks through descriptors that it has: all above `last_descriptor` are
/// closed, it starts no process and no thread, opens nothing, and gets no privilege by any way. A system call that no
/// decoder needs ends it with SIGSYS.
///
/// To be called while there is one thread. `memory_bytes` bounds its address space and what it writes into a descriptor.
/// Returns 0, or the error; the process must not go on then.
int texel_confine(int last_descriptor, uint64_t memory_bytes);

/// The version of libseccomp: major, minor, micro.
void texel_seccomp_version(unsigned version[_Nonnull 3]);

/// Lets this process have `seconds` of processor time more; it is ended with SIGXCPU behind them. Returns 0, or the
/// error.
int texel_allow_processor_time(uint64_t seconds);

/// A descriptor of memory without a name that holds a copy of `count` bytes, which nobody can change any more.
/// Returns -1 with the reason in errno.
int texel_sealed_memory(const void *_Nullable bytes, size_t count);

/// A descriptor of memory without a name. Returns -1 with the reason in errno.
int texel_shared_memory(void);

/// Two connected sockets that programs started meanwhile do not get. Returns 0, or the error.
int texel_socket_pair(int *first, int *second);

/// Sends bytes through a connected Unix socket, and a descriptor with the first of them unless it is -1; no SIGPIPE.
/// Returns how many were sent, or -1 with the reason in errno.
ssize_t texel_send(int socket, const void *bytes, size_t count, int descriptor);

/// Receives bytes, and a descriptor that came with them, or -1.
/// Returns how many came, 0 at the end, or -1 with the reason in errno.
ssize_t texel_receive(int socket, void *bytes, size_t count, int *descriptor);

#pragma clang assume_nonnull end

#endif

#endif
