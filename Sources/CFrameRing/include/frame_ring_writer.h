// The producer's side of texel_frame_ring.h. What Linux offers for it, C libraries show only on request.

#ifndef FRAME_RING_WRITER_H
#define FRAME_RING_WRITER_H

#include "texel_frame_ring.h"

#ifdef __linux__

#pragma clang assume_nonnull begin

/// Makes a ring of at most `texel_frame_ring_slot_limit` slots, a multiple of 4096 bytes each, in memory without a name,
/// and maps it for writing. `descriptor` becomes one through which nobody can write, shrink or grow it.
///
/// Returns NULL, with the reason in errno, when the system refuses.
texel_frame_ring *_Nullable texel_frame_ring_create(uint32_t slot_count, uint64_t slot_bytes, int *descriptor);

/// Unmaps it. Readers keep what they have mapped.
void texel_frame_ring_destroy(texel_frame_ring *ring);

/// The pixels of a slot.
void *texel_frame_ring_pixels(texel_frame_ring *ring, uint32_t slot);

/// From now on no reader takes the slot for a frame. To be called before its pixels are written.
void texel_frame_ring_will_write(texel_frame_ring *ring, uint32_t slot);

/// The slot is the latest frame now, as described but for the sequence and the number. Wakes readers.
/// One call at a time, also of the next.
void texel_frame_ring_publish(texel_frame_ring *ring, uint32_t slot, const texel_frame_slot *description);

/// There will be no more frames. Wakes readers.
void texel_frame_ring_end(texel_frame_ring *ring);

/// Accepts a connection as a socket that does not wait and that children do not inherit, not even for a moment: their
/// copies would keep it open. Returns -1 with the reason in errno.
int texel_accept(int listener);

/// Sends one byte and a descriptor through a connected Unix socket, without waiting and without SIGPIPE.
/// Returns 0, or the error.
int texel_send_descriptor(int socket, int descriptor);

#pragma clang assume_nonnull end

#endif

#endif
