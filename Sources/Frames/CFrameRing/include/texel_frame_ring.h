// A ring of frames in shared memory: its layout, and how to read it. Linux; C and C++.
//
// The producer serves the ring's descriptor over a Unix socket. Each client that connects receives one byte and the
// descriptor (SCM_RIGHTS). The connection stays open until the producer ends, for whatever reason. The descriptor is
// read-only and its size never changes. Map all of it: a header of 4096 bytes, then `slot_count` slots of `slot_bytes`
// each, from `first_slot` on. All numbers are in native byte order.
//
// Frames are BGRA with 8 bits per channel; row y begins at y * bytes_per_row in its slot. To read the latest frame:
//
//     1. slot = texel_frame_ring_latest(ring); UINT32_MAX: there is no frame yet, wait
//     2. sequence = texel_frame_slot_begin(...); odd: the slot is being written, go to 1
//     3. copy the slot's description and its pixels, without relying on either
//     4. texel_frame_slot_is_unchanged(..., sequence); false: the slot was overwritten, discard the copy and go to 1
//
// Readers take no lock: one that is slow, stopped or killed affects neither the producer nor other readers. The latest
// frame is not overwritten until another is published, and the oldest slots are written first, so a reader has about
// slot_count - 2 frame times to read a frame.

#ifndef TEXEL_FRAME_RING_H
#define TEXEL_FRAME_RING_H

#include <stdint.h>

#ifdef __linux__

#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TEXEL_FRAME_RING_MAGIC "TEXELFRM"

enum {
    texel_frame_ring_version = 1,
    texel_frame_ring_header_bytes = 4096,
    texel_frame_ring_slot_limit = 31,
};

/// The values of `alpha_mode`.
enum { texel_alpha_opaque = 0, texel_alpha_straight = 1, texel_alpha_premultiplied = 2 };

/// The description of the frame in a slot.
typedef struct texel_frame_slot {
    /// Odd while the slot is being written. Incremented before and after each write.
    uint64_t sequence;
    /// The number of the frame in order of publication, from 1.
    uint64_t number;
    /// The frame's presentation time from the start of the stream and its duration, in nanoseconds; -1 if unknown.
    int64_t time;
    int64_t duration;
    /// The frame's index in its source, from 0.
    int64_t index;
    uint32_t width;
    uint32_t height;
    uint32_t bytes_per_row;
    uint32_t alpha_mode;
    uint8_t reserved[72];
} texel_frame_slot;

/// The header: the first page of the memory.
typedef struct texel_frame_ring {
    char magic[8];
    uint32_t version;
    uint32_t slot_count;
    uint64_t slot_bytes;
    /// The offset of slot 0's pixels from the start of the memory, in bytes.
    uint64_t first_slot;
    /// Changes with every published frame and at the end of the stream. A futex.
    uint32_t change_count;
    /// The slot of the latest frame, or UINT32_MAX before the first.
    uint32_t latest;
    /// 1 after the last frame.
    uint32_t has_ended;
    uint8_t reserved[84];
    texel_frame_slot slots[texel_frame_ring_slot_limit];
} texel_frame_ring;

/// Returns the change count, to be passed to `texel_frame_ring_wait`.
static inline uint32_t texel_frame_ring_change_count(const texel_frame_ring *ring) {
    return __atomic_load_n(&ring->change_count, __ATOMIC_ACQUIRE);
}

/// Returns whether the last frame has been published.
static inline int texel_frame_ring_has_ended(const texel_frame_ring *ring) {
    return __atomic_load_n(&ring->has_ended, __ATOMIC_ACQUIRE) != 0;
}

/// Returns the slot of the latest frame, or UINT32_MAX before the first.
static inline uint32_t texel_frame_ring_latest(const texel_frame_ring *ring) {
    return __atomic_load_n(&ring->latest, __ATOMIC_ACQUIRE);
}

/// Returns the slot's sequence before it is read; odd if the slot is being written.
static inline uint64_t texel_frame_slot_begin(const texel_frame_slot *slot) {
    return __atomic_load_n(&slot->sequence, __ATOMIC_ACQUIRE);
}

/// Returns whether everything read since `texel_frame_slot_begin` returned `sequence` belongs to one frame.
static inline int texel_frame_slot_is_unchanged(const texel_frame_slot *slot, uint64_t sequence) {
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return (sequence & 1) == 0 && __atomic_load_n(&slot->sequence, __ATOMIC_RELAXED) == sequence;
}

/// Sleeps while the change count equals `seen`, at most `milliseconds`. May return early.
static inline void texel_frame_ring_wait(const texel_frame_ring *ring, uint32_t seen, unsigned milliseconds) {
    struct timespec limit = {(time_t)(milliseconds / 1000), (long)(milliseconds % 1000) * 1000000};
    syscall(SYS_futex, &ring->change_count, FUTEX_WAIT, seen, &limit, NULL, 0);
}

#ifdef __cplusplus
}
#endif

#endif

#endif
