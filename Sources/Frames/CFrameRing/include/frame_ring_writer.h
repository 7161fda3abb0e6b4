// The producer's side of texel_frame_ring.h. In C because the Linux calls it needs are only declared with _GNU_SOURCE.

#ifndef FRAME_RING_WRITER_H
#define FRAME_RING_WRITER_H

#include "texel_frame_ring.h"

#ifdef __linux__

#pragma clang assume_nonnull begin

/// Creates a ring in anonymous shared memory and maps it for writing. It has at most `texel_frame_ring_slot_limit`
/// slots, whose size is a multiple of 4096 bytes. `descriptor` is set to a descriptor that does not allow writing or
/// resizing.
///
/// Returns NULL, with the reason in errno, on failure.
texel_frame_ring *_Nullable texel_frame_ring_create(uint32_t slot_count, uint64_t slot_bytes, int *descriptor);

/// Unmaps the ring. Readers keep their mappings.
void texel_frame_ring_destroy(texel_frame_ring *ring);

/// Returns the pixels of a slot.
void *texel_frame_ring_pixels(texel_frame_ring *ring, uint32_t slot);

/// Marks the slot as being written, so that readers do not use it. Call before its pixels are written.
void texel_frame_ring_will_write(texel_frame_ring *ring, uint32_t slot);

/// Makes the slot the latest frame and wakes readers. `sequence` and `number` of the description are ignored. Calls of
/// this function and of `texel_frame_ring_end` must not overlap.
void texel_frame_ring_publish(texel_frame_ring *ring, uint32_t slot, const texel_frame_slot *description);

/// Marks the stream as ended and wakes readers.
void texel_frame_ring_end(texel_frame_ring *ring);

/// Accepts a connection as a non-blocking socket. Close-on-exec is set atomically: a copy inherited by a child process
/// would keep the connection open. Returns -1 with the reason in errno.
int texel_accept(int listener);

/// Sends one byte and a descriptor through a connected Unix socket, without blocking and without SIGPIPE. Returns 0 or
/// an errno value.
int texel_send_descriptor(int socket, int descriptor);

#pragma clang assume_nonnull end

#endif

#endif
